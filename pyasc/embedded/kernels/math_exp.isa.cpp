// Exponentials, logarithms and roots.
#include "kernels/math_exp.h"

#include "kernels/math_loop.h"
#include "kernels/math_special.h"

namespace pyasc::PYASC_ISA {
namespace {

PYASC_UNARY(Exp, exp(x), exp<Full>(x))
PYASC_UNARY(Exp2, exp2(x), exp2<Full>(x))
PYASC_UNARY_IN_DOUBLE(Expm1, expm1)
PYASC_UNARY(Log, log(x), log<Full>(x))
PYASC_UNARY_IN_DOUBLE(Log2, log2)
PYASC_UNARY_IN_DOUBLE(Log10, log10)
PYASC_UNARY_IN_DOUBLE(Log1p, log1p)
PYASC_UNARY(Sqrt, root(x), root(x))
PYASC_UNARY(Rsqrt, in_double(x, [](vd v) { return 1.0 / root(v); }), 1.0 / root(x))
PYASC_UNARY_IN_DOUBLE(Cbrt, cbrt)
PYASC_UNARY(Reciprocal, 1.0f / x, 1.0 / x)

}  // namespace

Inner find_exponential(Math op, DType type) {
    switch (op) {
        case Math::Exp: return inner_of<Exp>(type);
        case Math::Exp2: return inner_of<Exp2>(type);
        case Math::Expm1: return inner_of<Expm1>(type);
        case Math::Log: return inner_of<Log>(type);
        case Math::Log2: return inner_of<Log2>(type);
        case Math::Log10: return inner_of<Log10>(type);
        case Math::Log1p: return inner_of<Log1p>(type);
        case Math::Sqrt: return inner_of<Sqrt>(type);
        case Math::Rsqrt: return inner_of<Rsqrt>(type);
        case Math::Cbrt: return inner_of<Cbrt>(type);
        case Math::Reciprocal: return inner_of<Reciprocal>(type);
        default: return nullptr;
    }
}

}  // namespace pyasc::PYASC_ISA
