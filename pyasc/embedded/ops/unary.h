// How operators with a float result end phase 1: the type the kernel computes in is chosen, and parameters are handed
// over.
#pragma once

#include "kernels/math.h"
#include "kernels/unary.h"
#include "ops/elementwise.h"

namespace pyasc {

struct Parameters {
    double value[kActivationParameters];
};

// Selu is Elu with these: the self-normalising pair of Klambauer et al., 2017.
constexpr Parameters kSelu{{1.6732632423543772848, 1.0507009873554804934, 1.0}};

// The type in which a function of the call's inputs with its (float) output is computed: the type of all if they agree,
// else double where an operand has more digits than float, else float. None: there is no such function.
DType compute_type(const Call& call);

// A kernel of all the call's inputs, in order.
int32_t run_kernel(Call& call, Inner inner, DType compute, int32_t weight, const Parameters* p = nullptr);

// The functions of kernels/math.h and kernels/unary.h on all inputs of the call.
int32_t run_math(Call& call, Math op);
int32_t run_math(Call& call, Math2 op);
int32_t run_activation(Call& call, Activation op, const Parameters& p);
int32_t run_gradient(Call& call, Gradient op);
int32_t run_gradient(Call& call, Gradient op, const Parameters& p);
int32_t run_exact(Call& call, Unary op);

}  // namespace pyasc
