// Phase 1: collects and checks the operands of a call, and plans what phase 2 will run.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "meta/executor.h"
#include "meta/slots.h"
#include "meta/strict.h"
#include "meta/tensor.h"

namespace pyasc {
namespace {

constexpr int64_t kLoopCost = 10;  // nanoseconds around a loop's rows

int64_t loop_cost(int64_t count, int32_t weight) {
    int64_t tenths;
    if (__builtin_mul_overflow(count, int64_t{weight}, &tenths)) return INT64_MAX;
    return kLoopCost + tenths / 10;
}

bool same_shape(const View& a, const View& b) {  // of one number of dimensions
    for (int d = 0; d < a.ndim; ++d) {
        if (a.shape[d] != b.shape[d]) return false;
    }
    return true;
}

// A shape as text: "(2, 3)".
struct ShapeText {
    char text[160];
    explicit ShapeText(const View& v) {
        size_t at = 0;
        text[at++] = '(';
        for (int d = 0; d < v.ndim && at < sizeof text - 32; ++d) {
            at += static_cast<size_t>(std::snprintf(text + at, sizeof text - at, d ? ", %ld" : "%ld", v.shape[d]));
        }
        std::snprintf(text + at, sizeof text - at, v.ndim == 1 ? ",)" : ")");
    }
};

}  // namespace

Call::Call(const char* op, uint64_t* workspace_size, aclOpExecutor** executor)
    : workspace_size_(workspace_size), result_(executor), op_(op) {
    if (__builtin_expect(!workspace_size || !executor, 0)) {
        refuse(ACLNN_ERR_PARAM_NULLPTR, "%s is null", workspace_size ? "executor" : "workspaceSize");
        return;
    }
    executor_ = new_executor();
    if (__builtin_expect(!executor_, 0)) {
        refuse(ACLNN_ERR_INNER_CREATE_EXECUTOR, "no room for more executors; run or destroy those that wait");
        return;
    }
    executor_->op = op;
}

Call::~Call() {
    if (executor_) free_executor(executor_);
}

void Call::refuse(int32_t status, const char* format, ...) {
    if (status_) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    status_ = fail(status, "%s: %s", op_, text);
}

// Says what is wrong with a live tensor; true if nothing is.
bool Call::judge(const char* name, const aclTensor* t) {
    constexpr int32_t kInvalid = ACLNN_ERR_PARAM_INVALID;
    Fault fault = t->fault;
    BlockRef block = t->block;
    const bool placed = fault == Fault::NotDevice || fault == Fault::OutsideBlock || fault == Fault::Misaligned;
    if (placed || (fault == Fault::None && !block_alive(block.index, block.generation))) {
        // Memory has come or gone since the tensor was made. CANN only ever sees the address, so it is what lies there
        // now.
        const bool found = find_block(t->base, &block);
        fault = found ? check_block(block, t->base, t->first, t->extent, t->view.dtype) : Fault::NotDevice;
    }
    switch (fault) {
        case Fault::None:
        case Fault::Empty:
        case Fault::NoAddress: return true;
        case Fault::NotDevice:
            refuse(kInvalid, "the data of %s, %p, is not in device memory (aclrtMalloc), or was freed", name,
                   static_cast<void*>(t->base));
            break;
        case Fault::OutsideBlock:
            refuse(kInvalid, "%s reaches outside its memory: %ld bytes at %p + %ld, in a block of %zu bytes at %p",
                   name, t->extent, static_cast<void*>(t->base), t->first, block.size, static_cast<void*>(block.base));
            break;
        case Fault::Misaligned:
            refuse(kInvalid, "the data of %s, %p, is not aligned to %s; pass the base address and an offset", name,
                   static_cast<void*>(t->base), dtype_name(t->view.dtype));
            break;
        case Fault::NegativeDim:
            refuse(kInvalid, "%s has a negative dimension: %s", name, ShapeText(t->view).text);
            break;
        case Fault::NegativeStride:
            refuse(kInvalid, "%s has a negative stride; views in CANN have none (use aclnnFlip)", name);
            break;
        case Fault::NegativeOffset: refuse(kInvalid, "%s has the negative offset %ld", name, t->offset); break;
        case Fault::TooLarge:
            refuse(kInvalid, "the sizes or strides of %s overflow: %s", name, ShapeText(t->view).text);
            break;
        case Fault::UnknownDtype:
            refuse(kInvalid, "%s is %s (%d), which this device does not compute on", name, acl_dtype_name(t->acl_dtype),
                   static_cast<int>(t->acl_dtype));
            break;
    }
    return false;
}

__attribute__((noinline)) bool Call::admit_slowly(const char* name, const aclTensor* t) {
    if (!t) return refuse(ACLNN_ERR_PARAM_NULLPTR, "%s is null", name), false;
    if (!live(t)) {
        refuse(ACLNN_ERR_PARAM_INVALID, "%s, %p, is no aclTensor, or one that was destroyed", name,
               static_cast<const void*>(t));
        return false;
    }
    if (!judge(name, t)) return false;
    executor_->missing |= t->fault == Fault::NoAddress;
    if (strict()) {
        status_ = check_strict(op_, name, t->view.dtype);
        return status_ == 0;
    }
    return true;
}

inline bool Call::admit(const char* name, const aclTensor* t) {
    if (__builtin_expect(
            live(t) && t->fault == Fault::None && block_alive(t->block.index, t->block.generation) && !strict(), 1)) {
        return true;
    }
    return admit_slowly(name, t);
}

inline void Call::add(const char* name, const aclTensor* t, bool output) {
    OperandList& list = output ? executor_->out : executor_->in;
    Operand* o = list.add();
    o->tensor = t;
    o->name = name;
    o->first = t->first;
    o->extent = t->extent;
    o->place = list.next;
    const uint64_t key = t->key, first = key_ ? key_ : key;
    difference_ |= (key ^ first) | (key & kKeyStrided);
    key_ = !output && list.count == 1 ? key : first;
}

Call& Call::in(const char* name, const aclTensor* t) {
    if (status_ || !admit(name, t)) return *this;
    add(name, t, false);
    executor_->in.next.value += Place::kPosition + Place::kParameter;
    return *this;
}

Call& Call::optional(const char* name, const aclTensor* t) {
    if (t) return in(name, t);
    if (!status_) executor_->in.next.value += Place::kPosition + Place::kParameter;
    return *this;
}

Call& Call::in(const char* name, const aclTensorList* list) {
    if (status_) return *this;
    if (!list) return refuse(ACLNN_ERR_PARAM_NULLPTR, "%s is null", name), *this;
    if (!live(list)) {
        refuse(ACLNN_ERR_PARAM_INVALID, "%s, %p, is no aclTensorList, or one that was destroyed", name,
               static_cast<const void*>(list));
        return *this;
    }
    Place& next = executor_->in.next;
    for (uint64_t i = 0; i < list->size; ++i) {
        const aclTensor* t = list->data[i];
        if (__builtin_expect(!live(t), 0)) {
            refuse(t ? ACLNN_ERR_PARAM_INVALID : ACLNN_ERR_PARAM_NULLPTR, "%s[%lu] %s", name, i,
                   t ? "was destroyed before its list" : "is null");
            return *this;
        }
        if (!admit(name, t)) return *this;
        add(name, t, false);
        next.value += Place::kPosition + Place::kElement;
    }
    next.value = (next.value & (Place::kElement - 1)) + Place::kParameter;
    return *this;
}

Call& Call::out(const char* name, const aclTensor* t) {
    if (status_ || !admit(name, t)) return *this;
    add(name, t, true);
    executor_->out.next.value += Place::kPosition + Place::kParameter;
    return *this;
}

Call& Call::inout(const char* name, const aclTensor* t) {
    if (status_) return *this;
    in_place_ |= executor_->out.count == 0;
    return out(name, t);
}

Call& Call::scalar(const char* name, const aclScalar* s) {
    if (status_) return *this;
    scalar_ = s;
    scalar_name_ = name;
    if (!s) return refuse(ACLNN_ERR_PARAM_NULLPTR, "%s is null", name), *this;
    if (!live(s)) {
        refuse(ACLNN_ERR_PARAM_INVALID, "%s, %p, is no aclScalar, or one that was destroyed", name,
               static_cast<const void*>(s));
    } else if (s->dtype == DType::None) {
        refuse(ACLNN_ERR_PARAM_INVALID, "%s is %s (%d), which this device does not compute on", name,
               acl_dtype_name(s->acl_dtype), static_cast<int>(s->acl_dtype));
    }
    return *this;
}

Call& Call::ints(const char* name, const aclIntArray* a) {
    if (status_) return *this;
    if (!a) return refuse(ACLNN_ERR_PARAM_NULLPTR, "%s is null", name), *this;
    if (!live(a)) {
        refuse(ACLNN_ERR_PARAM_INVALID, "%s, %p, is no aclIntArray, or one that was destroyed", name,
               static_cast<const void*>(a));
    }
    return *this;
}

Call& Call::require(bool condition, const char* format, ...) {
    if (__builtin_expect(condition || status_, 1)) return *this;
    char text[384];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    refuse(ACLNN_ERR_PARAM_INVALID, "%s", text);
    return *this;
}

Call& Call::same_dtype() {
    if (__builtin_expect((difference_ & kKeyDtype) == 0 || status_, 1)) return *this;
    const Operand* first = executor_->in.count ? executor_->in.data : executor_->out.data;
    for (const OperandList* list : {&executor_->in, &executor_->out}) {
        for (int k = 0; k < list->count; ++k) {
            const Operand& o = list->data[k];
            if (o.tensor->view.dtype == first->tensor->view.dtype) continue;
            refuse(ACLNN_ERR_PARAM_INVALID, "%s is %s but %s is %s; they must have one dtype (use aclnnCast)",
                   first->name, dtype_name(first->tensor->view.dtype), o.name, dtype_name(o.tensor->view.dtype));
            return *this;
        }
    }
    return *this;
}

Call& Call::axis(const char* name, int64_t* dim, int ndim) {
    if (status_) return *this;
    const int64_t n = ndim ? ndim : 1;
    if (*dim < -n || *dim >= n) {
        refuse(ACLNN_ERR_PARAM_INVALID, "%s is %ld, out of range for %d dimensions: %ld to %ld are allowed", name, *dim,
               ndim, -n, n - 1);
    } else if (*dim < 0) {
        *dim += n;
    }
    return *this;
}

int Call::inputs() const { return executor_ ? executor_->in.count : 0; }

const View& Call::input(int i) const { return executor_->in.data[i].tensor->view; }

const View& Call::output(int i) const { return executor_->out.data[i].tensor->view; }

DType Call::dtype_of(int i) const {
    if (status_) return DType::None;
    const OperandList& in = executor_->in;
    return i < in.count ? in.data[i].tensor->view.dtype : executor_->out.data[i - in.count].tensor->view.dtype;
}

inline int32_t Call::end() {
    if (__builtin_expect(status_ != 0, 0)) return status_;
    set_live(executor_);
    *workspace_size_ = 0;
    *result_ = executor_;
    executor_ = nullptr;
    return ACLNN_SUCCESS;
}

// Whether all operands are contiguous and of one shape.
inline bool Call::flat() const {
    if (difference_ & ~kKeyDtype) return false;
    const View& first = executor_->out.data[0].tensor->view;
    if (first.ndim < 2) return true;
    for (int k = 0; k < executor_->in.count; ++k) {
        if (!same_shape(executor_->in.data[k].tensor->view, first)) return false;
    }
    return true;
}

// Plans that as one row.
inline void Call::plan_flat(Inner inner, int32_t weight) {
    aclOpExecutor* e = executor_;
    Loop& loop = e->loop;
    const aclTensor* out = e->out.data[0].tensor;
    const int n = e->in.count;
    for (int k = 0; k < n; ++k) {
        const aclTensor* t = e->in.data[k].tensor;
        loop.data[k + 1] = t->view.data;
        loop.step[k + 1][0] = t->item;
    }
    loop.inner = inner;
    loop.operands = n + 1;
    loop.ndim = 1;
    loop.count = out->view.size;
    loop.weight = weight;
    loop.item = static_cast<int32_t>(out->item);
    loop.data[0] = out->view.data;
    loop.shape[0] = out->view.size;
    loop.step[0][0] = out->item;
}

void Call::refuse_dtypes() {
    char text[256];
    int at = 0;
    for (const OperandList* list : {&executor_->in, &executor_->out}) {
        for (int k = 0; k < list->count && at < 200; ++k) {
            at += std::snprintf(text + at, sizeof text - static_cast<size_t>(at), "%s%s %s", at ? ", " : "",
                                list->data[k].name, dtype_name(list->data[k].tensor->view.dtype));
        }
    }
    refuse(ACLNN_ERR_PARAM_INVALID, "not supported for %s", text);
}

// Whether the output has the shape that the inputs broadcast to; they are known to broadcast to it.
bool Call::check_shape() {
    const OperandList& in = executor_->in;
    const View& out = executor_->out.data[0].tensor->view;
    if (in_place_ || in.count == 0) return true;
    int ndim = 0;
    for (int k = 0; k < in.count; ++k) {
        const View& v = in.data[k].tensor->view;
        ndim = v.ndim > ndim ? v.ndim : ndim;
    }
    bool exact = ndim == out.ndim;
    for (int d = 0; exact && d < out.ndim; ++d) {
        bool found = out.shape[d] == 1;
        for (int k = 0; k < in.count && !found; ++k) {
            const View& v = in.data[k].tensor->view;
            const int own = d - (out.ndim - v.ndim);
            found = own >= 0 && v.shape[own] == out.shape[d];
        }
        exact = found;
    }
    if (exact) return true;
    refuse(ACLNN_ERR_PARAM_INVALID, "%s has shape %s, which is not what the inputs broadcast to",
           executor_->out.data[0].name, ShapeText(out).text);
    return false;
}

// The general loop, and the end of both.
__attribute__((noinline)) int32_t Call::plan(Inner inner, int32_t weight, const View* scalar, bool scalar_first) {
    aclOpExecutor* e = executor_;
    const View* inputs[kLoopOperands];
    const int n = e->in.count;
    for (int k = 0; k < n; ++k) inputs[k + (scalar && scalar_first)] = &e->in.data[k].tensor->view;
    if (scalar) inputs[scalar_first ? 0 : n] = scalar;
    const View& out = e->out.data[0].tensor->view;
    const int bad = plan_loop(&e->loop, inner, weight, out, inputs, n + (scalar != nullptr));
    if (bad >= 0) {
        const Operand& o = e->in.data[bad - (scalar && scalar_first)];
        refuse(ACLNN_ERR_PARAM_INVALID, "%s of shape %s does not broadcast to %s of shape %s", o.name,
               ShapeText(o.tensor->view).text, e->out.data[0].name, ShapeText(out).text);
        return status_;
    }
    check_shape();
    return status_;
}

// Before either kind of loop: what an operator may get wrong itself, and a dtype it has no kernel for.
inline bool Call::begin_loop(Inner inner, int scalars) {
    if (__builtin_expect(status_ != 0, 0)) return false;
    const int inputs = executor_->in.count + scalars, outputs = executor_->out.count;
    if (__builtin_expect(inner && outputs > 0 && inputs < kLoopOperands, 1)) return true;
    if (!inner) {
        refuse_dtypes();
    } else {
        refuse(ACLNN_ERR_INNER, "a loop over %d inputs and %d outputs", inputs, outputs);
    }
    return false;
}

inline int32_t Call::end_loop(bool scalar_first) {
    aclOpExecutor* e = executor_;
    e->work = Work::Loop;
    e->scalar_first = scalar_first;
    e->run = run_loop_task;
    e->cost = loop_cost(e->loop.count, e->loop.weight);
    return end();
}

int32_t Call::loop(Inner inner, int32_t weight) {
    if (!begin_loop(inner, 0)) return status_;
    if (flat()) {
        plan_flat(inner, weight);
    } else if (plan(inner, weight, nullptr, false) != 0) {
        return status_;
    }
    return end_loop(false);
}

int32_t Call::loop_with_scalar(Inner inner, int32_t weight, const aclScalar* s, DType scalar_dtype, bool scalar_first) {
    if (!begin_loop(inner, 1) || scalar(s == scalar_ ? scalar_name_ : "the scalar", s).status_) return status_;
    aclOpExecutor* e = executor_;
    if (!s->store(scalar_dtype, e->scalar)) {
        refuse(ACLNN_ERR_PARAM_INVALID, "%s, %g of type %s, has no value as %s", scalar_name_, s->as_double(),
               acl_dtype_name(s->acl_dtype), dtype_name(scalar_dtype));
        return status_;
    }
    Loop& loop = e->loop;
    if (flat()) {
        plan_flat(inner, weight);
        const int at = scalar_first ? 1 : loop.operands;
        for (int k = loop.operands++; k > at; --k) {
            loop.data[k] = loop.data[k - 1];
            loop.step[k][0] = loop.step[k - 1][0];
        }
        loop.data[at] = e->scalar;
        loop.step[at][0] = 0;
    } else {
        View view;
        view.data = e->scalar;
        view.dtype = scalar_dtype;
        if (plan(inner, weight, &view, scalar_first) != 0) return status_;
    }
    return end_loop(scalar_first);
}

int32_t Call::finish() { return end(); }

bool Call::begin_run(int64_t cost) {
    if (status_) return false;
    aclOpExecutor* e = executor_;
    View* view = view_storage(e, e->in.count + e->out.count);
    for (const OperandList* list : {&e->in, &e->out}) {
        for (int k = 0; k < list->count; ++k) copy_view(view++, list->data[k].tensor->view);
    }
    e->cost = cost;
    e->run = run_closure_task;
    return true;
}

void* Call::closure(size_t size, size_t align, int32_t (*body)(void*, const Operands&), void (*destroy)(void*)) {
    aclOpExecutor* e = executor_;
    const bool fits = size <= kClosureBytes && align <= 16;
    e->closure_align = fits ? 0 : align < 16 ? 16 : align;
    e->closure = fits ? e->closure_room : ::operator new(size, std::align_val_t(e->closure_align));
    e->body = body;
    e->destroy = destroy;
    e->work = Work::Closure;
    return e->closure;
}

void Call::set_view_shape(aclTensor* out, const int64_t* shape, int ndim) {
    if (!live(out) || ndim < 0 || ndim > kMaxDims) return;
    View& view = out->view;
    int64_t size = 1;
    for (int d = ndim - 1; d >= 0; --d) {
        view.shape[d] = shape[d];
        view.stride[d] = size;
        size *= shape[d];
    }
    view.ndim = ndim;
    view.size = size;
    out->contiguous = true;
    out->key = layout_key(*out);
    out->extent = size * view.item();
    if (out->fault == Fault::None && size == 0) out->fault = Fault::Empty;
}

}  // namespace pyasc
