"""What takes the place of an operator for dtypes that a chip refuses: formulas of other operators, and the host.

Each function has the operator's name and its arguments, and writes the operator's output. `TABLE` says for which dtypes
each is used; `_routes` reads it.
"""

import math

import numpy as np

from pyasc import _config
from pyasc._core import array as _array
from pyasc._core.array import ndarray
from pyasc._core.call import call
from pyasc._views import broadcast_to
from pyasc.ops import F

_ROOM = 1 << 24  # elements of temporary arrays
_FLOAT64 = np.dtype(np.float64)


def _put(out, value):
    _array.copy_values(out, value if value.dtype == out.dtype else value.astype(out.dtype))


def _zero(x, value=0):
    out = ndarray((), x.dtype, device=x.device)
    _array.fill_value(out, value)
    return out


# ---- float64 where the chip has float32 only


def _expm1(x):
    """exp(x) - 1 without cancellation: (u - 1) x / log(u) for u = exp(x), Kahan's way (Higham 2002, section 1.14.1)."""
    u = F.exp(x)
    less = F.subtract(u, 1.0)
    found = F.multiply(F.divide(less, F.log(u)), x)
    found = F.where(F.equal(u, 1.0), x, found)
    found = F.where(F.equal(less, -1.0), less, found)
    return F.where(F.isinf(u), u, found)


def _tanh(x):
    t = _expm1(F.multiply(F.absolute(x), 2.0))
    size = F.divide(t, F.add(t, 2.0))
    size = F.where(F.greater(F.absolute(x), 22.0), _zero(x, 1), size)  # from there on 1 in float64
    return F.copysign(size, x)


def _trunc(x):
    return F.where(F.less(x, 0), F.ceil(x), F.floor(x))


def _log10(x):
    return F.multiply(F.log(x), 1 / math.log(10))


def _sigmoid(x):
    return F.divide(1.0, F.add(F.exp(F.negative(x)), 1.0))


def _softplus(x):
    return F.add(F.log1p(F.exp(F.negative(F.absolute(x)))), F.maximum(x, 0))


def _silu(x):
    """x / (1 + exp(-x)), with half the exponent twice: exp(x) itself loses digits before x exp(x) does."""
    half = F.exp(F.multiply(F.absolute(x), -0.5))
    rest = F.add(F.multiply(half, half), 1.0)
    negative = F.divide(F.multiply(F.multiply(x, half), half), rest)
    negative = F.where(F.equal(x, -math.inf), _zero(x), negative)
    return F.where(F.less(x, 0), negative, F.divide(x, rest))


def _erfinv(x):
    """Winitzki's approximation (2008), then Halley's iteration, beyond 1/2 of the complement: 1 - x is exact there."""
    size, a = F.absolute(x), 0.147
    log = F.log(F.multiply(F.subtract(1.0, size), F.add(size, 1.0)))
    half = F.add(F.multiply(log, 0.5), 2 / (math.pi * a))
    y = F.sqrt(F.subtract(F.sqrt(F.subtract(F.multiply(half, half), F.divide(log, a))), half))
    for _ in range(3):
        near = F.subtract(F.erf(y), size)
        far = F.subtract(F.subtract(1.0, size), F.erfc(y))
        slope = F.multiply(F.exp(F.negative(F.multiply(y, y))), 2 / math.sqrt(math.pi))
        ratio = F.divide(F.where(F.less(size, 0.5), near, far), slope)
        y = F.subtract(y, F.divide(ratio, F.add(F.multiply(y, ratio), 1.0)))
    y = F.where(F.equal(size, 1), _zero(x, math.inf), y)
    y = F.where(
        F.less(size, 1e-8), F.multiply(size, math.sqrt(math.pi) / 2), y
    )  # its series; the rest is below rounding
    return F.copysign(y, x)


def _reciprocal(x):
    """Of integers: themselves for 1 and -1, else 0; of 0 what the processor makes of it, as NumPy."""
    one = F.equal(F.absolute(x), 1) if x.dtype.kind == "i" else F.equal(x, 1)
    found = F.where(one, x, _zero(x))
    if x.dtype.kind == "i" and x.itemsize >= 4:
        found = F.where(F.equal(x, 0), _zero(x, np.iinfo(x.dtype).min), found)
    return found


def _relu(x):
    return F.maximum(x, _zero(x))


def _unary(function):
    def run(name, values):
        _put(values[-1], function(values[0]))

    return run


def _logaddexp(base):
    """max + log(1 + base^-|x - y|) / log(base); equal operands, also infinite ones, are x + log(2) / log(base)."""

    def run(name, values):
        x, y, out = values
        scale = math.log(base)
        apart = F.negative(F.absolute(F.subtract(x, y)))
        rest = F.divide(F.log1p(F.exp(F.multiply(apart, scale))), scale)
        found = F.add(F.maximum(x, y), rest)
        equal = F.add(x, _zero(x, math.log(2) / scale))
        _put(out, F.where(F.equal(x, y), equal, found))

    return run


def _softplus_of(name, values):
    x, beta, threshold, out = values
    scaled = F.multiply(x, float(beta))
    found = F.divide(_softplus(scaled), float(beta))
    _put(out, F.where(F.greater(scaled, float(threshold)), x, found))


def _elu(name, values):
    x, alpha, scale, input_scale, out = values
    below = F.multiply(_expm1(F.multiply(x, float(input_scale))), float(alpha))
    _put(out, F.multiply(F.where(F.greater(x, 0), x, below), float(scale)))


def _leaky_relu(name, values):
    x, slope, out = values
    _put(out, F.where(F.greater_equal(x, 0), x, F.multiply(x, float(slope))))


def _gelu(name, values):
    x, approximate, out = values
    if approximate:  # Hendrycks and Gimpel 2016: by tanh
        cube = F.multiply(F.multiply(x, x), x)
        inner = F.multiply(F.add(x, F.multiply(cube, 0.044715)), math.sqrt(2 / math.pi))
        found = F.multiply(F.multiply(x, 0.5), F.add(_tanh(inner), 1.0))
    else:
        found = F.multiply(F.multiply(x, 0.5), F.erfc(F.multiply(x, -math.sqrt(0.5))))
    _put(out, found)


def _hardswish(x):
    return F.divide(F.multiply(x, F.minimum(F.maximum(F.add(x, 3.0), 0), 6.0)), 6.0)


def _variance(name, values):
    x, axes, correction, keep, out = values
    count = math.prod(x.shape[d] for d in axes)
    mean = F.divide(F.add.reduce(x, axis=tuple(axes), keepdims=True), count)
    distance = F.subtract(x, mean)
    total = F.add.reduce(F.multiply(distance, distance), axis=tuple(axes), keepdims=bool(keep))
    _put(out, F.divide(total, max(count - correction, 0)))


def _vector_norm(name, values):
    x, order, axes, keep, _, out = values
    size, axes, keep = F.absolute(x), tuple(axes), bool(keep)
    if order in (math.inf, -math.inf):
        reduce = F.maximum.reduce if order > 0 else F.minimum.reduce
        return _put(out, reduce(size, axis=axes, keepdims=keep))
    if order == 0:
        return _put(
            out, F.add.reduce(F.not_equal(size, 0).astype(out.dtype), axis=axes, keepdims=keep)
        )
    if order == 2:
        return _put(out, F.sqrt(F.add.reduce(F.multiply(size, size), axis=axes, keepdims=keep)))
    total = F.add.reduce(F.power(size, float(order)), axis=axes, keepdims=keep)
    return _put(out, F.power(total, 1 / float(order)))


# ---- products of matrices


def _product(a, b, dtype):
    """a @ b of matrices, in pieces of rows: products of elements, then sums."""
    rows, inner, columns = a.shape[-2], a.shape[-1], b.shape[-1]
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    out = ndarray((*batch, rows, columns), dtype, device=a.device)
    step = max(1, _ROOM // max(1, math.prod(batch) * inner * columns))
    right = b.swapaxes(-1, -2)[..., None, :, :]
    for start in range(0, rows, step):
        left = a[..., start : start + step, None, :]
        out[..., start : start + step, :] = F.add.reduce(
            F.multiply(left, right), axis=-1, dtype=dtype
        )
    return out


def _matmul(name, values):
    a, b, out = values[:3]
    left = a.reshape((1, -1)) if a.ndim == 1 else a
    right = b.reshape((-1, 1)) if b.ndim == 1 else b
    if a.dtype == bool:
        found = F.not_equal(
            _product(left.astype(np.int32), right.astype(np.int32), np.dtype(np.int32)), 0
        )
    elif a.dtype.kind == "c":
        found = _complex_product(left, right)
    else:
        found = _product(left, right, a.dtype)
    _put(out, found.reshape(out.shape))


def _complex_product(a, b):
    """Four real products."""
    from pyasc.products import matmul_arrays

    real = F.subtract(matmul_arrays(a.real, b.real), matmul_arrays(a.imag, b.imag))
    imag = F.add(matmul_arrays(a.real, b.imag), matmul_arrays(a.imag, b.real))
    out = ndarray(real.shape, a.dtype, device=a.device)
    _array.copy_values(_array.real_view(out), real)
    _array.copy_values(_array.imaginary_view(out), imag)
    return out


def _convolution(name, values):
    """One dimension: the products of windows that slide over the padded channels."""
    x, weight, _, stride, padding, dilation, transposed, _, groups, out = values[:10]
    plain = (x.ndim, groups, bool(transposed), tuple(stride), tuple(dilation)) == (
        3,
        1,
        False,
        (1,),
        (1,),
    )
    if not plain or x.shape[0] != 1:
        raise NotImplementedError(
            f"{name} of {x.dtype} with shapes {x.shape} and {weight.shape} is not composed for this chip; use float32"
        )
    (_, channels, n), m, pad = x.shape, weight.shape[2], padding[0]
    wide = ndarray((channels, n + 2 * pad), x.dtype, device=x.device)
    _array.fill_value(wide, 0)
    wide[:, pad : pad + n] = x[0]
    step = max(1, _ROOM // (m * channels))
    for start in range(0, out.shape[2], step):
        rows = min(step, out.shape[2] - start)
        windows = _array.strided_view(wide, (channels, rows, m), (n + 2 * pad, 1, 1), start)
        for k in range(out.shape[1]):
            products = F.multiply(windows, weight[k][:, None, :])
            out[0, k, start : start + rows] = F.add.reduce(products, axis=(0, 2))


def _inverse(name, values):
    """R^-1 Q^H of A = Q R."""
    x, out = values
    wide = (
        x
        if x.dtype.kind in "fc" and x.itemsize >= 4 and x.dtype.kind != "V"
        else x.astype(np.float32)
    )
    q, r, triangle = (ndarray(x.shape, wide.dtype, device=x.device) for _ in range(3))
    found = ndarray(x.shape, wide.dtype, device=x.device)
    call("aclnnLinalgQr", wide, 0, q, r)
    right = F.conjugate(q.swapaxes(-1, -2)) if wide.dtype.kind == "c" else q.swapaxes(-1, -2).copy()
    call("aclnnTriangularSolve", right, r, True, False, False, found, triangle)
    _put(out, found)


# ---- 64-bit numbers without sign


def _quotient(a, b):
    """a // b by the signed quotient of half of a, and one more where the rest is still as large as b (Warren, Hacker's
    Delight, section 9-3); 0 where b is 0, as NumPy."""
    signed = b.view(np.int64)
    half = F.right_shift(a, 1).view(np.int64)
    q = F.left_shift(F.floor_divide(half, signed), 1).view(np.uint64)
    rest = F.subtract(a, F.multiply(q, b))
    q = F.add(q, F.greater_equal(rest, b).astype(np.uint64))
    q = F.where(F.less(signed, 0), F.greater_equal(a, b).astype(np.uint64), q)
    return F.where(F.equal(signed, 0), _zero(q), q)


def _rest(a, b):
    return F.where(F.equal(b, 0), _zero(a), F.subtract(a, F.multiply(_quotient(a, b), b)))


def _gcd(a, b):
    """Two of Euclid's steps, each of which halves: then both are small enough for numbers with a sign."""
    large, small = F.maximum(a, b), F.minimum(a, b)
    first = _rest(large, small)
    second = _rest(small, first)
    found = F.gcd(first.view(np.int64), second.view(np.int64)).view(np.uint64)
    found = F.where(F.equal(first, 0), small, found)
    return F.where(F.equal(small, 0), large, found)


def _binary(function):
    def run(name, values):
        _put(values[-1], function(values[0], values[1]))

    return run


# ---- complex numbers: order


def _less(x, y, strict):
    """x < y or x <= y, the real parts first; false beside an imaginary part that is nan, as NumPy's."""
    compare = F.less if strict else F.less_equal
    whole = F.logical_not(F.logical_or(F.isnan(x.imag), F.isnan(y.imag)))
    first = F.logical_and(F.less(x.real, y.real), whole)
    second = F.logical_and(F.equal(x.real, y.real), compare(x.imag, y.imag))
    return F.logical_or(first, second)


_ORDERS = {"Lt": (False, True), "Le": (False, False), "Gt": (True, True), "Ge": (True, False)}


def _compare(name, values):
    x, y, out = values
    swapped, strict = _ORDERS[name.removeprefix("aclnn")[:2]]
    x, y = (_as_complex(v, x) for v in (x, y))
    _put(out, _less(y, x, strict) if swapped else _less(x, y, strict))


def _as_complex(value, like):
    if isinstance(value, ndarray):
        return value
    return _zero(like, value[0] if isinstance(value, tuple) else value)


def _is_nan(x):
    return F.logical_or(F.isnan(x.real), F.isnan(x.imag))


def _extreme(name, values):
    x, y, out = values
    chosen = _less(y, x, False) if "Maximum" in name else _less(x, y, False)
    _put(out, F.where(F.logical_or(_is_nan(x), chosen), x, y))


def _extreme_of_axes(name, values):
    """Largest or smallest along axes: halves of the array against each other until one element is left."""
    x, axes, _keep, out = values
    choose = F.maximum if "Amax" in name else F.minimum
    for axis in axes:
        while x.shape[axis] > 1:
            half = x.shape[axis] // 2
            part = (slice(None),) * axis
            joined = choose(x[(*part, slice(half))], x[(*part, slice(half, 2 * half))])
            if x.shape[axis] % 2:
                last = x[(*part, slice(2 * half, None))]
                first = (*part, slice(1))
                joined[first] = choose(joined[first], last)
            x = joined
    _put(out, x.reshape(out.shape))


def _order_keys(x):
    """Arrays of accepted dtypes that order as ``x`` does, the least important first."""
    if x.dtype.kind != "c":
        return [_integer_key(x)]
    nans = F.add(F.multiply(F.isnan(x.real).astype(np.int32), 2), F.isnan(x.imag).astype(np.int32))
    parts = [x.imag.copy(), x.real.copy()]
    return [*(p if p.dtype != _FLOAT64 else _integer_key(p) for p in parts), nans]


def _integer_key(x):
    """int64 in the order of float64: those of negative numbers turned, nan the largest, -0 as 0."""
    x = F.add(F.where(F.isnan(x), _zero(x, math.nan), x), 0.0)
    bits = x.view(np.int64)
    turned = F.bitwise_xor(bits, np.int64(2**63 - 1))
    return F.where(F.less(bits, 0), turned, bits)


def _argsort(x, axis, descending):
    from pyasc.sorting import gather

    order = None
    for key in _order_keys(x):
        key = key if order is None else gather(key, order, axis)
        found = ndarray(key.shape, np.int64, device=x.device)
        call(
            "aclnnSort",
            key,
            True,
            axis,
            descending,
            ndarray(key.shape, key.dtype, device=x.device),
            found,
        )
        order = found if order is None else gather(order, found, axis)
    return order


def _sort(name, values):
    from pyasc.sorting import gather

    x, _, axis, descending, out, indices = values
    order = _argsort(x, axis, descending)
    _put(indices, order)
    _put(out, gather(x, order, axis) if x.ndim else x)


def _argsort_of(name, values):
    x, axis, descending, out = values
    _put(out, _argsort(x, axis, descending))


def _arg_extreme(name, values):
    """The first place of the largest or smallest complex number: of the first rank."""
    x, axis, keep, out = values
    order = _argsort(x, axis, False)
    from pyasc.sorting import gather

    ordered = gather(x, order, axis)
    at = (slice(None),) * axis
    best = ordered[(*at, slice(-1, None) if "Max" in name else slice(0, 1))]
    nan = _is_nan(x)
    hit = F.equal(x, broadcast_to(best, x.shape))
    # nan counts as the largest and the smallest
    some = F.logical_or.reduce(nan, axis=axis, keepdims=True)
    hit = F.where(broadcast_to(some, x.shape), nan, hit)
    call("aclnnArgMax", hit.astype(np.int32), axis, bool(keep), out)


# ---- complex numbers: the rest


def any_part(x):
    """Which complex numbers are not zero."""
    return F.logical_or(F.not_equal(x.real, 0), F.not_equal(x.imag, 0))


def _size(x):
    return F.hypot(x.real, x.imag)


def _parts(join):
    def run(name, values):
        x, out = values
        whole = [ndarray(x.shape, bool, device=x.device) for _ in range(2)]
        for part, found in zip((x.real, x.imag), whole, strict=True):
            call(name, part.copy(), found)
        _put(out, join(*whole))

    return run


def _cumprod(name, values):
    """Products of twice as many elements in each step."""
    x, axis, _, out = values
    axis = int(axis[0] if isinstance(axis, tuple) else axis)
    found, step = x.copy(), 1
    at = (slice(None),) * axis
    while step < x.shape[axis]:
        product = F.multiply(found[(*at, slice(step, None))], found[(*at, slice(-step))])
        found[(*at, slice(step, None))] = product
        step *= 2
    _put(out, found)


def _running_extreme(name, values):
    """Largest or smallest so far and where it stood, of twice as many elements in each step."""
    x, axis, out, places = values
    found, step = x.copy(), 1
    shape = tuple(-1 if d == axis else 1 for d in range(x.ndim))
    at, count = (slice(None),) * axis, ndarray((x.shape[axis],), np.int64, device=x.device)
    call("aclnnArange", 0, x.shape[axis], 1, count)
    index = broadcast_to(count.reshape(shape), x.shape).copy()
    while step < x.shape[axis]:
        late, early = (*at, slice(step, None)), (*at, slice(-step))
        new, old = found[late].copy(), found[early].copy()
        keep = F.logical_or(
            _is_nan(new), _less(old, new, False) if "Cummax" in name else _less(new, old, False)
        )
        keep = F.logical_and(keep, F.logical_not(_is_nan(old)))
        chosen = F.where(keep, index[late], index[early])
        found[late], index[late] = F.where(keep, new, old), chosen
        step *= 2
    _put(out, found)
    _put(places, index)


# ---- by NumPy


def on_host(function, host_name):
    """A formula that is NumPy's function of the inputs, on the host."""

    def run(name, values):
        _config.host_path(host_name)
        _array.count_transfer(True)
        inputs = [v._to_host(False) if isinstance(v, ndarray) else _number(v) for v in values[:-1]]
        out = values[-1]
        with np.errstate(all="ignore"):
            found = np.asarray(function(*inputs))
        _array.copy_values(
            out, _array.from_numpy(found.astype(out.dtype, copy=False), device=out.device)
        )

    return run


def _number(value):
    return value[0] if isinstance(value, tuple) else value


def host_cholesky(name, values):
    x, upper, out = values
    on_host(lambda a: np.linalg.cholesky(a, upper=bool(upper)), "numpy.linalg.cholesky")(
        name, (x, out)
    )


TABLE = (
    ("Expm1", "f8", "composed", _unary(_expm1)),
    ("Tanh", "f8", "composed", _unary(_tanh)),
    ("Trunc", "f8", "composed", _unary(_trunc)),
    ("Log10", "f8", "composed", _unary(_log10)),
    ("Sigmoid", "f8", "composed", _unary(_sigmoid)),
    ("Silu", "f8", "composed", _unary(_silu)),
    ("Erfinv", "f8", "composed", _unary(_erfinv)),
    ("Mish", "f8", "composed", _unary(lambda x: F.multiply(x, _tanh(_softplus(x))))),
    ("Hardswish", "f8", "composed", _unary(_hardswish)),
    ("Relu", "f8 i2 u1 u2 u4 u8 b1", "composed", _unary(_relu)),
    ("Reciprocal", "i1 i2 i4 i8 u1 u2 u4 u8", "composed", _unary(_reciprocal)),
    ("Softplus", "f8", "composed", _softplus_of),
    ("Elu", "f8", "composed", _elu),
    ("LeakyRelu", "f8", "composed", _leaky_relu),
    ("GeluV2", "f8", "composed", _gelu),
    ("LogAddExp", "f8", "composed", _logaddexp(math.e)),
    ("LogAddExp2", "f8", "composed", _logaddexp(2.0)),
    ("VarCorrection", "f8", "composed", _variance),
    ("LinalgVectorNorm", "f8 c8 c16", "composed", _vector_norm),
    ("Matmul", "f8 c8 c16 b1 i1 i2 i4 i8 u1 u2 u4 u8", "composed", _matmul),
    ("Convolution", "f8 c8 c16", "composed", _convolution),
    ("Inverse", "f8 c8 c16", "composed", _inverse),
    ("LinalgCholesky", "f8 f2 c8 c16", "host", host_cholesky),
    ("FloorDivide", "u8", "composed", _binary(_quotient)),
    *((n, "u8", "composed", _binary(_rest)) for n in ("RemainderTensorTensor", "FmodTensor")),
    ("Gcd", "u8", "composed", _binary(_gcd)),
    *((f"{n}Tensor", "c8 c16", "composed", _compare) for n in _ORDERS),
    *((n, "c8 c16", "composed", _extreme) for n in ("Maximum", "Minimum")),
    *((n, "c8 c16", "composed", _extreme_of_axes) for n in ("Amax", "Amin")),
    *((n, "c8 c16", "composed", _arg_extreme) for n in ("ArgMax", "ArgMin")),
    ("Sort", "f8 c8 c16", "composed", _sort),
    ("Argsort", "f8 c8 c16", "composed", _argsort_of),
    ("Abs", "c16", "composed", _unary(_size)),
    ("IsInf", "c8 c16", "composed", _parts(F.logical_or)),
    ("IsFinite", "c8 c16", "composed", _parts(F.logical_and)),
    ("Cumprod", "c8 c16", "composed", _cumprod),
    *((n, "c8 c16", "composed", _running_extreme) for n in ("Cummax", "Cummin")),
)
