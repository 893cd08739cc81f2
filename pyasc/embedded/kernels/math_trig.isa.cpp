// Circular and hyperbolic functions and their inverses.
#include "kernels/math_trig.h"

#include "kernels/math_loop.h"

namespace pyasc::PYASC_ISA {
namespace {

template <class P> PYASC_INLINE vd tan(vd x) { return circular<P, Circular::Tan>(x); }

PYASC_UNARY(Sin, circular<Circular::Sin>(x), (circular<Full, Circular::Sin>(x)))
PYASC_UNARY(Cos, circular<Circular::Cos>(x), (circular<Full, Circular::Cos>(x)))
PYASC_UNARY_IN_DOUBLE(Tan, tan)
PYASC_UNARY_IN_DOUBLE(Asin, asin)
PYASC_UNARY_IN_DOUBLE(Acos, acos)
PYASC_UNARY_IN_DOUBLE(Atan, atan)
PYASC_UNARY_IN_DOUBLE(Sinh, sinh)
PYASC_UNARY_IN_DOUBLE(Cosh, cosh)
PYASC_UNARY(Tanh, tanh(x), tanh<Full>(x))
PYASC_UNARY_IN_DOUBLE(Asinh, asinh)
PYASC_UNARY_IN_DOUBLE(Acosh, acosh)
PYASC_UNARY_IN_DOUBLE(Atanh, atanh)

}  // namespace

Inner find_trigonometric(Math op, DType type) {
    switch (op) {
        case Math::Sin: return inner_of<Sin>(type);
        case Math::Cos: return inner_of<Cos>(type);
        case Math::Tan: return inner_of<Tan>(type);
        case Math::Asin: return inner_of<Asin>(type);
        case Math::Acos: return inner_of<Acos>(type);
        case Math::Atan: return inner_of<Atan>(type);
        case Math::Sinh: return inner_of<Sinh>(type);
        case Math::Cosh: return inner_of<Cosh>(type);
        case Math::Tanh: return inner_of<Tanh>(type);
        case Math::Asinh: return inner_of<Asinh>(type);
        case Math::Acosh: return inner_of<Acosh>(type);
        case Math::Atanh: return inner_of<Atanh>(type);
        default: return nullptr;
    }
}

}  // namespace pyasc::PYASC_ISA
