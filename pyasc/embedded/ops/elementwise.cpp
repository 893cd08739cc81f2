// Types of element-wise operators, and the operators of two inputs.
#include "ops/elementwise.h"

#include <algorithm>
#include <cstring>

#include "kernels/copy.h"

namespace pyasc {
namespace {

enum class Kind { Bool, Integer, Float, Complex };

Kind kind(DType t) {
    if (t == DType::Bool) return Kind::Bool;
    return is_integer(t) ? Kind::Integer : is_float(t) ? Kind::Float : Kind::Complex;
}

bool promotes(DType t) { return t != DType::U16 && t != DType::U32 && t != DType::U64; }

DType promote_integers(DType a, DType b) {
    if (a == DType::U8 || b == DType::U8) {
        const DType other = a == DType::U8 ? b : a;
        return other == DType::I8 ? DType::I16 : other;
    }
    return std::max(a, b);
}

DType promote_floats(DType a, DType b) {
    const bool both_halves = std::max(a, b) == DType::BF16 && a != b;
    return both_halves ? DType::F32 : std::max(a, b);
}

void run(const Formula& f, const Operands& operands) {
    View constants[kLoopOperands - 1];
    const View* inputs[kLoopOperands - 1];
    Conversions conversions;
    const View& out = operands.out[0];
    bool exact = out.dtype == f.result;
    conversions.cast[0] = exact ? nullptr : cast_inner(out.dtype, f.result);
    conversions.item[0] = item_size(f.result);
    for (int k = 0; k < f.inputs; ++k) {
        if (f.source[k] < 0) {
            constants[k].data = const_cast<char*>(f.constant[-1 - f.source[k]]);
            constants[k].dtype = f.type[k];
            inputs[k] = &constants[k];
        } else {
            inputs[k] = &operands.in[f.source[k]];
        }
        const bool same = inputs[k]->dtype == f.type[k];
        conversions.cast[k + 1] = same ? nullptr : cast_inner(f.type[k], inputs[k]->dtype);
        conversions.item[k + 1] = item_size(f.type[k]);
        exact &= same;
    }
    Loop loop;
    plan_loop(&loop, f.inner, f.weight, out, inputs, f.inputs);
    if (exact) {
        run_loop(loop);
    } else {
        run_loop(loop, conversions);
    }
}

// The inputs must broadcast to exactly the output's shape.
void check_shapes(Call& call) {
    const View& out = call.output(0);
    for (int k = 0; k < call.inputs(); ++k) {
        const View& in = call.input(k);
        const int shift = out.ndim - in.ndim;
        bool fits = shift >= 0;
        for (int d = 0; fits && d < in.ndim; ++d) fits = in.shape[d] == 1 || in.shape[d] == out.shape[d + shift];
        call.require(
            fits, "input %d does not broadcast to the shape of the output; make them one shape or give a larger output",
            k);
    }
    for (int d = 0; d < out.ndim && call.ok(); ++d) {
        bool found = out.shape[d] == 1;
        for (int k = 0; k < call.inputs() && !found; ++k) {
            const View& in = call.input(k);
            const int own = d - (out.ndim - in.ndim);
            found = own >= 0 && in.shape[own] == out.shape[d];
        }
        call.require(found, "dimension %d of the output has length %ld, but the inputs broadcast to 1 there", d,
                     out.shape[d]);
    }
}

// Whether the formula is a kernel over the call's tensors as they are.
bool is_plain(const Call& call, const Formula& f) {
    if (f.constants != 0 || f.result != call.output(0).dtype || f.inputs != call.inputs()) return false;
    for (int k = 0; k < f.inputs; ++k) {
        if (f.source[k] != k || f.type[k] != call.dtype(k)) return false;
    }
    return true;
}

void check_result(Call& call, DType result) {
    const DType out = call.output(0).dtype;
    call.require(converts(result, out),
                 "the result is %s, which is not stored in an output of %s; give an output of %s", dtype_name(result),
                 dtype_name(out), dtype_name(result));
}

// The scalar as a value of the type it is compared in: exactly, where the tensor's own type cannot hold it.
DType comparing_type(DType t, const aclScalar* s) {
    char room[16];
    if (is_integer(t) && is_float(s->dtype)) return DType::F64;
    if (!is_integer(t) || s->store(t, room)) return t;
    return t == DType::U64 ? DType::F64 : DType::I64;
}

}  // namespace

DType promote(DType a, DType b) {
    if (a == b) return a;
    if (a == DType::None || b == DType::None || !promotes(a) || !promotes(b)) return DType::None;
    const Kind high = std::max(kind(a), kind(b));
    if (kind(a) != kind(b)) {
        const DType larger = kind(a) == high ? a : b, smaller = kind(a) == high ? b : a;
        return larger == DType::C64 && smaller == DType::F64 ? DType::C128 : larger;
    }
    if (high == Kind::Integer) return promote_integers(a, b);
    return high == Kind::Float ? promote_floats(a, b) : DType::C128;
}

DType promote(DType tensor, const aclScalar* scalar, DType out) {
    if (tensor == DType::None || kind(scalar->dtype) <= kind(tensor)) return tensor;
    switch (kind(scalar->dtype)) {
        case Kind::Integer: return scalar->dtype;
        case Kind::Float: return out == DType::F64 || out == DType::C128 ? DType::F64 : DType::F32;
        default: return tensor == DType::F64 || out == DType::C128 ? DType::C128 : DType::C64;
    }
}

bool converts(DType from, DType to) {
    if (from == to) return true;
    if (to == DType::Bool || to == DType::None || from == DType::None) return false;
    return !is_complex(from) || is_complex(to) || is_float(to);
}

Formula& Formula::tensor(int index, DType t) {
    source[inputs] = static_cast<int8_t>(index);
    type[inputs++] = t;
    return *this;
}

bool Formula::scalar(const aclScalar* s, DType t) {
    if (!s->store(t, constant[constants])) return false;
    return tensor(-1 - constants, t), ++constants, true;
}

Formula& Formula::number(double value) {
    std::memcpy(constant[constants], &value, sizeof(value));
    tensor(-1 - constants, DType::F64);
    ++constants;
    return *this;
}

int32_t finish(Call& call, const Formula& formula) {
    if (!call.ok()) return call.status();
    if (formula.inner == nullptr || is_plain(call, formula)) return call.loop(formula.inner, formula.weight);
    check_result(call, formula.result);
    if (call.ok()) check_shapes(call);
    const int64_t count = call.ok() ? call.output(0).size : 0;
    int64_t tenths;
    if (__builtin_mul_overflow(count, int64_t{formula.weight} + 5, &tenths)) tenths = INT64_MAX;
    return call.run(100 + tenths / 10, [formula](const Operands& operands) { run(formula, operands); });
}

DType computing_type(Binary op, DType t, DType out) {
    switch (op) {
        case Binary::Div:
            // As float where that rounds the exact quotient once, otherwise as double.
            if (t == DType::Bool || is_integer(t)) {
                return item_size(t) > 2 || out == DType::F64 || out == DType::C128 ? DType::F64 : DType::F32;
            }
            return t;
        case Binary::FloorDivide:
        case Binary::TruncDivide:
        case Binary::Remainder:
        case Binary::Fmod:
        case Binary::Power: return t == DType::Bool ? DType::I8 : t;
        default: return t;
    }
}

int32_t binary(Call& call, Binary op, Tensor a, Tensor b, Tensor out) {
    call.in(a.name, a.tensor).in(b.name, b.tensor).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType to = call.output(0).dtype;
    const DType t = computing_type(op, promote(call.dtype(0), call.dtype(1)), to);
    const DType result = is_comparison(op) ? DType::Bool : t;
    const Inner inner = binary_inner(op, t);
    const int32_t weight = binary_weight(op, t);
    if (t == call.dtype(0) && t == call.dtype(1) && result == to) return call.loop(inner, weight);
    Formula f{inner, weight, result};
    return finish(call, f.tensor(0, t).tensor(1, t));
}

namespace {

int32_t binary_scalar(Call& call, Binary op, Tensor x, Scalar s, Tensor out, bool scalar_first) {
    call.in(x.name, x.tensor).scalar(s.name, s.scalar).out(out.name, out.tensor);
    if (!call.ok()) return call.status();
    const DType to = call.output(0).dtype;
    const DType t = is_comparison(op) ? comparing_type(promote(call.dtype(0), s.scalar, to), s.scalar)
                                      : computing_type(op, promote(call.dtype(0), s.scalar, to), to);
    const DType result = is_comparison(op) ? DType::Bool : t;
    const Inner inner = binary_inner(op, t);
    const int32_t weight = binary_weight(op, t);
    if (t == call.dtype(0) && result == to) return call.loop_with_scalar(inner, weight, s.scalar, t, scalar_first);
    Formula f{inner, weight, result};
    if (inner == nullptr) return call.loop(inner, weight);
    if (!scalar_first) f.tensor(0, t);
    call.require(f.scalar(s.scalar, t), "%s, %g, has no value as %s", s.name, s.scalar->as_double(), dtype_name(t));
    if (scalar_first) f.tensor(0, t);
    return finish(call, f);
}

}  // namespace

int32_t binary(Call& call, Binary op, Tensor a, Scalar b, Tensor out) {
    return binary_scalar(call, op, a, b, out, false);
}
int32_t binary(Call& call, Binary op, Scalar a, Tensor b, Tensor out) {
    return binary_scalar(call, op, b, a, out, true);
}

}  // namespace pyasc
