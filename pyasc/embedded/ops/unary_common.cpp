// The endings of operators with a float result.
#include <cstring>

#include "ops/unary.h"

namespace pyasc {

DType compute_type(const Call& call) {
    if (!call.ok()) return DType::None;
    const DType out = call.output(0).dtype;
    bool same = true, wide = out == DType::F64, complex = false, doubles = out == DType::C128;
    for (int k = 0; k < call.inputs(); ++k) {
        const DType in = call.dtype(k);
        same &= in == out;
        wide |= in == DType::F64 || (is_integer(in) && item_size(in) >= 4);
        doubles |= in == DType::C128;
        complex |= is_complex(in);
    }
    if (same) return out;
    if (is_complex(out)) return doubles || wide ? DType::C128 : DType::C64;
    return complex || !is_float(out) ? DType::None : wide ? DType::F64 : DType::F32;
}

int32_t run_kernel(Call& call, Inner inner, DType compute, int32_t weight, const Parameters* p) {
    if (!call.ok()) return call.status();
    bool plain = p == nullptr && call.output(0).dtype == compute;
    for (int k = 0; k < call.inputs(); ++k) plain &= call.input(k).dtype == compute;
    if (plain) return call.loop(inner, weight);
    Formula f{inner, weight, compute};
    for (int k = 0; k < call.inputs(); ++k) f.tensor(k, compute);
    if (p != nullptr) {  // one operand that kernels read as an array: the constants lie side by side
        static_assert(sizeof(*p) <= sizeof(f.constant));
        std::memcpy(f.constant, p, sizeof(*p));
        f.tensor(-1, DType::F64);
        f.constants = 1;
    }
    return finish(call, f);
}

int32_t run_math(Call& call, Math op) {
    const DType type = compute_type(call);
    return run_kernel(call, math_kernels().unary(op, type), type, math_weight(op, type));
}

int32_t run_math(Call& call, Math2 op) {
    const DType type = compute_type(call);
    return run_kernel(call, math_kernels().binary(op, type), type, math_weight(op, type));
}

int32_t run_activation(Call& call, Activation op, const Parameters& p) {
    const DType type = compute_type(call);
    return run_kernel(call, math_kernels().activation(op, type), type, math_weight(op, type), &p);
}

int32_t run_gradient(Call& call, Gradient op) {
    const DType type = compute_type(call);
    return run_kernel(call, math_kernels().gradient(op, type), type, math_weight(op, type));
}

int32_t run_gradient(Call& call, Gradient op, const Parameters& p) {
    const DType type = compute_type(call);
    return run_kernel(call, math_kernels().gradient(op, type), type, math_weight(op, type), &p);
}

int32_t run_exact(Call& call, Unary op) {
    if (!call.ok()) return call.status();
    const DType in = call.dtype(0);
    const bool right = call.output(0).dtype == unary_result(op, in);
    return call.loop(right ? unary_kernels().find(op, in) : nullptr, 4);
}

}  // namespace pyasc
