"""Operators as Python objects: the fast way from a call to the two phases of an aclnn function.

What does not fit the fast way (keywords, foreign operands, operators composed of others) goes to the package's
``_ufunc`` module; what types an operator computes in is asked of ``_promotion`` once per combination and remembered.
"""

from cpython.object cimport PyObject, PyTypeObject
from libc.stdint cimport int8_t, int64_t
from libc.string cimport memset

from pyasc._core.acl cimport Arg, Operator, aclScalar
from pyasc._core.ndarray cimport (
    MATMUL, forward, hooks, may_overlap, ndarray, new_array, new_like, same_dims,
    shape_of,
)
from pyasc._core.call cimport copy_body, drop_scalar, fill_body, make_scalar, routed, run
from pyasc._core.device cimport Queue, current_queue
from pyasc._core.error cimport find_operator, get_library
from pyasc._core.memory cimport (
    CONTIGUOUS, KIND_OF, KINDS, MAX_DIMS, READONLY, REVERSED, TYPES, Body, handle, touch,
)

import numpy as np

from pyasc._core.call import has_routes
from pyasc._core.ndarray import MISSING as MISSING_ARGUMENT

cdef object MISSING = MISSING_ARGUMENT

cdef extern from "Python.h":
    """
    static vectorcallfunc as_vectorcall(PyObject* (*f)(PyObject*, PyObject**, size_t, PyObject*)) {
        return (vectorcallfunc)f;
    }
    static void enable_vectorcall(PyTypeObject* type, Py_ssize_t offset) {
        type->tp_vectorcall_offset = offset;
        type->tp_call = PyVectorcall_Call;
        type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
        PyType_Modified(type);
    }
    static void add_to_op_type(PyTypeObject* type, PyObject* name, PyObject* value) {
        if (PyDict_SetItem(type->tp_dict, name, value) == 0) PyType_Modified(type);
    }
    """
    ctypedef void* vectorcallfunc
    vectorcallfunc as_vectorcall(object (*)(object, PyObject**, size_t, PyObject*))
    void enable_vectorcall(PyTypeObject*, Py_ssize_t)
    void add_to_op_type(PyTypeObject*, object, object)
    Py_ssize_t PyVectorcall_NARGS(size_t)

cdef enum:
    MAX_OP_ARGS = 8
    # state of an entry
    UNKNOWN = 0
    DIRECT = 1                                    # one launch, perhaps casts around it
    INDIRECT = 2                                  # composed in Python
    # Python scalars, in the order of the weak tables
    WEAK_BOOL = 0
    WEAK_INT = 1
    WEAK_FLOAT = 2
    WEAK_COMPLEX = 3

cdef object resolver = None                       # (op, operands) -> (loop input dtypes, computed, result dtype, direct)
cdef dict helpers = {}                            # "general", "compose", "adopt", "out_of_range", "defers"
cdef list operators = []                          # every ufunc made, to forget what they know when rules change
cdef dict UFUNCS = {}                             # numpy.ufunc -> ufunc


# How phase 1 of one aclnn function is called for an operator.
cdef struct Recipe:
    Operator* function                            # null until first used
    Arg[MAX_OP_ARGS] args                         # what does not change from call to call
    int8_t[MAX_OP_ARGS] source                    # -1: constant; 0, 1, 2: input; 8: scalar; 9: the number one; 16: output
    int8_t count
    bint present


# What types one combination of operands is computed in.
cdef struct Entry:
    int8_t state
    int8_t[3] ins
    int8_t computed                               # what the kernel writes
    int8_t result                                 # what the caller gets


def setup(**functions):
    """Name the functions of the modules above: resolve, general, compose, adopt, out_of_range, defers."""
    global resolver
    resolver = functions.pop("resolve", resolver)
    helpers.update(functions)


def forget_types():
    """Ask for types again: the default dtype or the chip has changed."""
    for op in operators:
        (<ufunc>op).forget()


cdef class ufunc:
    """A universal function on device arrays; called and documented like NumPy's of the same name.

    Attributes
    ----------
    nin, nout, nargs : int
        Number of inputs, outputs and both.
    identity : object
        Value that leaves the other operand as it is, or None.
    types : list of str
        Types it computes in, as NumPy writes them.
    signature : str or None
        Core dimensions, for functions like `matmul`.
    row : Op
        Its row in ``pyasc.table``.
    numpy : numpy.ufunc or None
        NumPy's function of that name.
    """
    cdef vectorcallfunc vectorcall
    cdef readonly str __name__
    cdef readonly int nin, nout
    cdef readonly object row
    cdef readonly object numpy                    # NumPy's ufunc of that name, or None
    cdef public object __doc__
    cdef str tensor_name, right_name, left_name
    cdef Recipe tensors, right, left
    cdef Entry[KINDS][KINDS] arrays
    cdef Entry[2][KINDS][4] weak                  # [0]: the second operand is a Python scalar, [1]: the first
    cdef Entry[2][KINDS][KINDS] generic           # the same for a NumPy scalar
    cdef dict constants
    cdef bint natural_exponent                    # an integer loop refuses a negative second operand

    def __cinit__(self, row, numpy_ufunc):
        self.vectorcall = as_vectorcall(call_op)
        self.__name__, self.row, self.numpy = row.name, row, numpy_ufunc
        self.nin, self.nout = row.nin, row.nout
        self.tensor_name = describe(&self.tensors, row.call)
        self.right_name = describe(&self.right, row.right)
        self.left_name = describe(&self.left, row.left)
        self.constants = {}
        self.natural_exponent = row.name == "power"
        operators.append(self)
        if numpy_ufunc is not None:
            UFUNCS[numpy_ufunc] = self

    @property
    def nargs(self):
        return self.nin + self.nout

    @property
    def __signature__(self):
        return helpers["signature"](self)

    def __repr__(self):
        return f"<pyasc.ufunc '{self.__name__}'>"

    def __reduce__(self):
        return helpers["find"], (self.__name__,)

    cdef void forget(self) noexcept:
        memset(self.arrays, 0, sizeof(self.arrays))
        memset(self.weak, 0, sizeof(self.weak))
        memset(self.generic, 0, sizeof(self.generic))
        self.constants.clear()

    def _apply(self, ndarray out, *inputs):
        """One launch: every input is an array of the dtype the loop takes, ``out`` has the shape and dtype it gives."""
        cdef const void* ins[3]
        cdef ndarray x
        cdef Queue* queue
        cdef int i = 0
        if has_routes() and routed(self.tensor_name, arguments(&self.tensors, inputs, out), False) is not None:
            return
        queue = current_queue(out.body.owner.queue.device)
        keep = []                                 # until the launch
        for value in inputs:
            x = <ndarray?>value
            touch(x.body, queue)
            x = forward(x)
            keep.append(x)
            ins[i] = handle(x.body)
            i += 1
        touch(out.body, queue)
        ready(&self.tensors, self.tensor_name)
        launch(&self.tensors, ins, NULL, out.body, queue)


cdef str describe(Recipe* recipe, str text):
    """Parse a row's call such as "aclnnAdd a b 1 o"; returns the function's name, or None."""
    recipe.present = bool(text)
    if not text:
        return None
    name, *letters = text.split()
    recipe.count = len(letters)
    for i, letter in enumerate(letters):
        if letter in ("a", "b", "c"):
            recipe.source[i] = "abc".index(letter)
        elif letter == "s":
            recipe.source[i] = 8
        elif letter == "1":
            recipe.source[i] = 9
        elif letter == "o":
            recipe.source[i] = 16
        else:                                     # a constant, such as i2 or f0.5
            recipe.source[i] = -1
            if letter[0] == "f":
                recipe.args[i].f = float(letter[1:])
            else:
                recipe.args[i].i = int(letter[1:])
    return name


cdef tuple arguments(Recipe* recipe, tuple inputs, ndarray out):
    """The arguments of an operator as `call` takes them; constants as integers, no dtype depends on them."""
    values = []
    for i in range(recipe.count):
        source = recipe.source[i]
        if source == 16:
            values.append(out)
        elif source == 9:
            values.append(1)
        else:
            values.append(inputs[source] if source >= 0 else recipe.args[i].i)
    return tuple(values)


cdef aclScalar* ONE = NULL


cdef inline int ready(Recipe* recipe, str name) except -1:
    """The function pointers and the constant one, looked up when the operator is first used."""
    global ONE
    if recipe.function is NULL:
        if ONE is NULL:
            get_library()
            ONE = make_scalar(1, 7)
        for i in range(recipe.count):
            if recipe.source[i] == 9:
                recipe.args[i].p = ONE
        recipe.function = find_operator(name)
    return 0


cdef inline int launch(Recipe* recipe, const void** ins, const void* scalar, Body* out, Queue* queue) except -1:
    cdef Arg[MAX_OP_ARGS] args
    cdef int i, source
    for i in range(recipe.count):
        source = recipe.source[i]
        if source == 16:
            args[i].p = handle(out)
        elif source == 8:
            args[i].p = scalar
        elif source >= 0 and source < 3:
            args[i].p = ins[source]
        else:
            args[i] = recipe.args[i]
    return run(recipe.function, args, queue)


# ---- the call


cdef object call_op(object self, PyObject** args, size_t nargsf, PyObject* keywords):
    cdef ufunc op = <ufunc>self
    cdef Py_ssize_t n = PyVectorcall_NARGS(nargsf)
    if keywords is NULL and n == op.nin and op.nout == 1:
        if n == 1:
            return unary(op, <object>args[0])
        if n == 2:
            return binary(op, <object>args[0], <object>args[1])
    return call_general(op, args, n, keywords)


cdef object call_general(ufunc op, PyObject** args, Py_ssize_t n, PyObject* keywords):
    cdef Py_ssize_t i
    positional = tuple([<object>args[i] for i in range(n)])
    named = {}
    if keywords is not NULL:
        for i, key in enumerate(<tuple><object>keywords):
            named[key] = <object>args[n + i]
    return helpers["general"](op, positional, named)


cdef ndarray cast_to(ndarray x, int kind, Queue* queue):
    """A copy of another type, in the same order."""
    cdef ndarray out = new_like(queue, kind, x.body)
    copy_body(out.body, x.body)
    return out


cdef object unary(ufunc op, object x):
    cdef ndarray a, out
    cdef Entry* e
    cdef Queue* queue
    cdef const void* ins[3]
    if type(x) is not ndarray:
        return helpers["general"](op, (x,), {})
    a = <ndarray>x
    e = &op.arrays[0][a.body.kind]
    if e.state != DIRECT:
        if e.state == UNKNOWN:
            resolve(op, e, (("array", TYPES[a.body.kind]),))
        if e.state == INDIRECT:
            return helpers["compose"](op, (x,))
    queue = current_queue(a.body.owner.queue.device)
    if a.body.owner.queue is not queue:
        touch(a.body, queue)
    if e.ins[0] != a.body.kind:
        a = cast_to(a, e.ins[0], queue)
    a = forward(a)
    ins[0] = handle(a.body)
    out = new_like(queue, e.computed, a.body)
    if op.tensors.function is NULL:
        ready(&op.tensors, op.tensor_name)
    launch(&op.tensors, ins, NULL, out.body, queue)
    if e.result != e.computed:
        out = cast_to(out, e.result, queue)
    return out


cdef object binary(ufunc op, object x, object y):
    cdef ndarray a, b, out
    cdef Entry* e
    cdef Queue* queue
    cdef const void* ins[3]
    if type(x) is not ndarray or type(y) is not ndarray:
        return mixed(op, x, y)
    a, b = <ndarray>x, <ndarray>y
    e = &op.arrays[a.body.kind][b.body.kind]
    if e.state != DIRECT:
        if e.state == UNKNOWN:
            resolve(op, e, (("array", TYPES[a.body.kind]), ("array", TYPES[b.body.kind])))
        if e.state == INDIRECT:
            return helpers["compose"](op, (x, y))
    if op.natural_exponent and 0 < e.ins[1] < 9 and b.body.kind & 1:   # the signed ones are odd
        helpers["check_exponent"](a, b)
    queue = current_queue(a.body.owner.queue.device)
    if a.body.owner.queue is not queue:
        touch(a.body, queue)
    if b.body.owner.queue is not queue:
        touch(b.body, queue)
    if e.ins[0] != a.body.kind:
        a = cast_to(a, e.ins[0], queue)
    if e.ins[1] != b.body.kind:
        b = cast_to(b, e.ins[1], queue)
    out = result_array(queue, e.computed, a.body, b.body)
    a, b = forward(a), forward(b)
    ins[0], ins[1] = handle(a.body), handle(b.body)
    if op.tensors.function is NULL:
        ready(&op.tensors, op.tensor_name)
    launch(&op.tensors, ins, NULL, out.body, queue)
    if e.result != e.computed:
        out = cast_to(out, e.result, queue)
    return out


cdef ndarray result_array(Queue* queue, int kind, Body* a, Body* b):
    """An array of the shape two operands broadcast to, in the order NumPy would choose."""
    cdef int64_t[MAX_DIMS] dims
    cdef int ndim
    cdef ndarray out
    if same_dims(a, b):
        if a.flags & b.flags & CONTIGUOUS:
            return new_array(queue, kind, a.ndim, a.dims)
        out = new_array(queue, kind, a.ndim, a.dims)
    else:
        ndim = broadcast(a, b, dims)
        out = new_array(queue, kind, ndim, dims)
        if a.flags & b.flags & CONTIGUOUS:
            return out
    if out.body.ndim > 1:
        helpers["order"](out, a_b_models(a, b))
    return out


cdef object a_b_models(Body* a, Body* b):
    """Dims and steps of two operands, for the choice of an order."""
    return (
        (tuple([a.dims[d] for d in range(a.ndim)]), tuple([a.steps[d] for d in range(a.ndim)])),
        (tuple([b.dims[d] for d in range(b.ndim)]), tuple([b.steps[d] for d in range(b.ndim)])),
    )


cdef int broadcast(const Body* a, const Body* b, int64_t* dims) except -1:
    """The shape two operands broadcast to; returns its length."""
    cdef int64_t n, m
    cdef int d, ndim = max(a.ndim, b.ndim)
    for d in range(1, ndim + 1):
        n = a.dims[a.ndim - d] if d <= a.ndim else 1
        m = b.dims[b.ndim - d] if d <= b.ndim else 1
        if n != m and n != 1 and m != 1:
            raise ValueError(
                f"operands could not be broadcast together with shapes {spaceless(a)} {spaceless(b)}"
            )
        dims[ndim - d] = m if n == 1 else n
    return ndim


cdef str spaceless(const Body* body):
    return str(shape_of(body)).replace(" ", "")


# ---- one operand is not an array of ours


cdef inline int weak_index(object x) noexcept:
    kind = type(x)
    if kind is float:
        return WEAK_FLOAT
    if kind is int:
        return WEAK_INT
    if kind is bool:
        return WEAK_BOOL
    if kind is complex:
        return WEAK_COMPLEX
    return -1

cdef list WEAK_TYPES = [bool, int, float, complex]
cdef object NUMPY_SCALAR = np.generic


cdef object mixed(ufunc op, object x, object y):
    cdef int w, side
    cdef ndarray a
    cdef Entry* e
    if type(x) is ndarray:
        side, a, value = 0, <ndarray>x, y
    elif type(y) is ndarray:
        side, a, value = 1, <ndarray>y, x
    else:
        return helpers["general"](op, (x, y), {})
    w = weak_index(value)
    if w >= 0:
        e = &op.weak[side][a.body.kind][w]
        if e.state == UNKNOWN:
            other = ("weak", WEAK_TYPES[w])
            array = ("array", TYPES[a.body.kind])
            resolve(op, e, (array, other) if side == 0 else (other, array))
    elif isinstance(value, NUMPY_SCALAR) and value.dtype in KIND_OF:
        e = &op.generic[side][a.body.kind][<int>KIND_OF[value.dtype]]
        if e.state == UNKNOWN:
            other = ("scalar", value.dtype)
            array = ("array", TYPES[a.body.kind])
            resolve(op, e, (array, other) if side == 0 else (other, array))
        value = value.item() if value.dtype.kind != "V" else float(value)
    else:
        return helpers["general"](op, (x, y), {})
    if op.natural_exponent and side == 0 and 0 < e.ins[1] < 9 and value < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    if e.state == INDIRECT:
        return helpers["compose"](op, (x, y))
    if w == WEAK_INT and e.ins[1 - side] < 9 and not in_range(value, e.ins[1 - side]):
        return helpers["out_of_range"](op, x, y, TYPES[e.ins[1 - side]])
    return with_scalar(op, e, a, value, side)


cdef inline bint in_range(object value, int kind) noexcept:
    """Whether a Python int fits an integer kind (kind 0 is bool: 0 or 1 only)."""
    if kind == 0:
        return True                               # only logical operators take an int as bool: its truth
    if kind & 1:                                  # int8, int16, int32, int64
        return -(<object>1 << (8 * (1 << (kind >> 1)) - 1)) <= value < <object>1 << (8 * (1 << (kind >> 1)) - 1)
    return 0 <= value < <object>1 << (8 * (1 << ((kind >> 1) - 1)))


cdef object with_scalar(ufunc op, Entry* e, ndarray a, object value, int side):
    cdef Recipe* recipe = &op.right if side == 0 else &op.left
    cdef Queue* queue
    cdef const void* ins[3]
    cdef aclScalar* scalar
    cdef ndarray out
    if not recipe.present:
        other = constant(op, e.ins[1 - side], value, a)
        if e.ins[side] != a.body.kind:
            a = cast_to(a, e.ins[side], current_queue(a.body.owner.queue.device))
        return finish(op, e, a, other, side)
    queue = current_queue(a.body.owner.queue.device)
    if a.body.owner.queue is not queue:
        touch(a.body, queue)
    if e.ins[side] != a.body.kind:
        a = cast_to(a, e.ins[side], queue)
    a = forward(a)
    ins[side] = handle(a.body)
    out = new_like(queue, e.computed, a.body)
    if recipe.function is NULL:
        ready(recipe, op.right_name if side == 0 else op.left_name)
    scalar = make_scalar(value, e.ins[1 - side])
    try:
        launch(recipe, ins, scalar, out.body, queue)
    finally:
        drop_scalar(scalar)
    if e.result != e.computed:
        out = cast_to(out, e.result, queue)
    return out


cdef ndarray constant(ufunc op, int kind, object value, ndarray beside):
    """A 0-d array with the value, kept for the next time."""
    cdef int device = beside.body.owner.queue.device
    key = (kind, repr(value), device)
    found = op.constants.get(key)
    if found is None:
        if len(op.constants) >= 64:
            op.constants.clear()
        found = new_array(current_queue(device), kind, 0, NULL)
        fill_body((<ndarray>found).body, value)
        op.constants[key] = found
    return <ndarray>found


cdef object finish(ufunc op, Entry* e, ndarray a, ndarray other, int side):
    """Operands that already have the loop's types."""
    cdef Queue* queue = current_queue(a.body.owner.queue.device)
    cdef const void* ins[3]
    cdef ndarray out
    touch(a.body, queue)
    touch(other.body, queue)
    out = new_like(queue, e.computed, a.body)
    a = forward(a)
    ins[side] = handle(a.body)
    ins[1 - side] = handle(other.body)
    if op.tensors.function is NULL:
        ready(&op.tensors, op.tensor_name)
    launch(&op.tensors, ins, NULL, out.body, queue)
    if e.result != e.computed:
        out = cast_to(out, e.result, queue)
    return out


cdef int resolve(ufunc op, Entry* e, tuple operands) except -1:
    """Ask for the types of this combination, once."""
    ins, computed, result, direct = resolver(op, operands)
    for i, t in enumerate(ins):
        e.ins[i] = KIND_OF[t]
    e.computed = KIND_OF[computed]
    e.result = KIND_OF[result]
    e.state = DIRECT if direct else INDIRECT
    return 0


# ---- what Python's operators call


cdef list by_code = []


def bind_operators(ops):
    """The objects behind Python's operators, in the order of the codes in array.pxd."""
    global by_code
    by_code = list(ops)


cdef inline bint is_ours(object x):
    kind = type(x)
    return kind is ndarray or kind is float or kind is int or kind is bool or kind is complex


cdef object operate(int code, object x, object y):
    if not is_ours(x) or not is_ours(y):
        if helpers["defers"](x, y):
            return NotImplemented
    if code >= MATMUL:
        return by_code[code](x, y)
    return binary(<ufunc>by_code[code], x, y)


cdef object operate_unary(int code, object x):
    return unary(<ufunc>by_code[code], x)


cdef object operate_inplace(int code, object x, object y):
    """x op= y, straight into x where the types and shapes allow it."""
    cdef ndarray a = <ndarray>x
    cdef ndarray b
    cdef Entry* e
    cdef Queue* queue
    cdef const void* ins[3]
    cdef ufunc op
    if code < MATMUL and type(y) is ndarray and not a.body.flags & (REVERSED | READONLY):
        op = <ufunc>by_code[code]
        b = <ndarray>y
        e = &op.arrays[a.body.kind][b.body.kind]
        if (e.state == DIRECT and not (op.natural_exponent and b.body.kind < 9) and e.ins[0] == a.body.kind
                and e.ins[1] == b.body.kind and e.computed == a.body.kind
                and e.result == a.body.kind and same_dims(a.body, b.body) and not may_overlap(a.body, b.body)):
            queue = current_queue(a.body.owner.queue.device)
            touch(a.body, queue)
            touch(b.body, queue)
            b = forward(b)
            ins[0], ins[1] = handle(a.body), handle(b.body)
            if op.tensors.function is NULL:
                ready(&op.tensors, op.tensor_name)
            launch(&op.tensors, ins, NULL, a.body, queue)
            return x
    if not is_ours(y) and helpers["defers"](x, y):
        return NotImplemented
    return helpers["inplace"](by_code[code], x, y)  # matmul, too, is called with out=


def find_ufunc(numpy_ufunc):
    """The operator for one of NumPy's ufuncs, or None."""
    return UFUNCS.get(numpy_ufunc)


cdef object array_ufunc(object numpy_ufunc, str method, object x, object y, tuple rest, dict kwargs):
    """NumPy's hook: numpy.add(x, y) with an array of ours among the operands."""
    op = UFUNCS.get(numpy_ufunc)
    if op is not None and not kwargs and not rest and method[0] == "_" and (<ufunc>op).nout == 1:
        # all but "__call__" begin with a letter
        if y is not MISSING and (<ufunc>op).nin == 2:
            return binary(<ufunc>op, x, y)
        if y is MISSING and x is not MISSING and (<ufunc>op).nin == 1:
            return unary(<ufunc>op, x)
    inputs = tuple([value for value in (x, y, *rest) if value is not MISSING])
    return helpers["array_ufunc"](op, numpy_ufunc, method, inputs, kwargs)


def bind_ufunc_methods(methods):
    """Add methods and properties, by name, to the class ``ufunc``."""
    for name, value in methods.items():
        add_to_op_type(<PyTypeObject*>ufunc, name, value)


cdef int install() except -1:
    cdef ufunc probe = ufunc.__new__(ufunc, *PROBE)
    enable_vectorcall(<PyTypeObject*>ufunc, <char*>&probe.vectorcall - <char*><void*>probe)
    operators.clear()
    hooks.binary = operate
    hooks.unary = operate_unary
    hooks.inplace = operate_inplace
    hooks.array_ufunc = array_ufunc
    return 0


class _Probe:
    name, nin, nout, call, right, left = "probe", 1, 1, "", "", ""


PROBE = (_Probe, None)
install()
