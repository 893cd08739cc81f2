// Exact kernels: scalar loops that the compiler vectorises.
#include "kernels/unary.h"

#include <cmath>
#include <type_traits>

#include "kernels/half.h"

namespace pyasc::PYASC_ISA {
namespace {

template <class T> constexpr bool kInteger = std::is_integral_v<T>;
template <class T> constexpr bool kHalf = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T> constexpr bool kReal = std::is_floating_point_v<T>;

// An integer as wide as T, without sign: sums and products of it wrap.
template <class T> using Bits = std::conditional_t<
    sizeof(T) == 1, uint8_t,
    std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
template <class T> constexpr Bits<T> kSignBit = Bits<T>(1) << (8 * sizeof(T) - 1);
template <class T> constexpr Bits<T> kInfBits = 0;
template <> constexpr uint16_t kInfBits<f16> = 0x7c00u;
template <> constexpr uint16_t kInfBits<bf16> = 0x7f80u;
template <> constexpr uint32_t kInfBits<float> = 0x7f800000u;
template <> constexpr uint64_t kInfBits<double> = 0x7ff0000000000000u;

template <class T> inline Bits<T> to_bits(T x) {
    Bits<T> b;
    std::memcpy(&b, &x, sizeof(x));
    return b;
}
template <class T> inline T of_bits(Bits<T> b) {
    T x;
    std::memcpy(&x, &b, sizeof(x));
    return x;
}
template <class T> inline Bits<T> magnitude_bits(T x) { return to_bits(x) & static_cast<Bits<T>>(~kSignBit<T>); }

template <class T> struct Part {
    using type = T;
};
template <> struct Part<c64> {
    using type = float;
};
template <> struct Part<c128> {
    using type = double;
};

// Each operation on a bool, integer or bit pattern of a half, a float or a double.
struct Negative {
    template <class T> static T of(T x) {
        if constexpr (kInteger<T>)
            return static_cast<T>(Bits<T>(0) - static_cast<Bits<T>>(x));
        else
            return of_bits<T>(to_bits(x) ^ kSignBit<T>);
    }
};
struct Absolute {
    template <class T> static T of(T x) {
        if constexpr (!kInteger<T>)
            return of_bits<T>(magnitude_bits(x));
        else if constexpr (std::is_signed_v<T>)
            return x < 0 ? Negative::of(x) : x;
        else
            return x;
    }
};
struct Sign {
    template <class T> static T of(T x) {
        if constexpr (kInteger<T>)
            return static_cast<T>((x > T{0}) - (x < T{0}));
        else
            return x > 0 ? T{1} : x < 0 ? T{-1} : x == 0 ? T{0} : x;
    }
};
struct Square {
    template <class T> static T of(T x) {
        if constexpr (std::is_same_v<T, bool>)
            return x;
        else if constexpr (kInteger<T>)
            return static_cast<T>(uint64_t(x) * uint64_t(x));
        else
            return x * x;
    }
};
struct Reciprocal {
    template <class T> static T of(T x) {
        if constexpr (!kInteger<T>)
            return T{1} / x;
        else if constexpr (std::is_signed_v<T>) {  // 1 / 0 is what NumPy gives on x86: a double infinity as an integer
            constexpr T kZero = sizeof(T) >= 4 ? static_cast<T>(kSignBit<T>) : T{0};
            return x == 0 ? kZero : x == 1 || x == -1 ? x : T{0};
        } else
            return x == 1 ? T{1} : T{0};
    }
};
struct Relu {
    template <class T> static T of(T x) { return x < T{0} ? T{0} : x; }  // a NaN stays
};
#define PYASC_ROUND(Name, function)                      \
    struct Name {                                        \
        template <class T> static T of(T x) {            \
            if constexpr (kInteger<T>)                   \
                return x;                                \
            else if constexpr (std::is_same_v<T, float>) \
                return __builtin_##function##f(x);       \
            else                                         \
                return __builtin_##function(x);          \
        }                                                \
    };
PYASC_ROUND(Floor, floor)
PYASC_ROUND(Ceil, ceil)
PYASC_ROUND(Trunc, trunc)
PYASC_ROUND(Rint, rint)
#undef PYASC_ROUND
struct Frac {
    template <class T> static T of(T x) {
        if constexpr (kInteger<T>)
            return T{0};
        else
            return x - Trunc::of(x);
    }
};
struct Signbit {
    template <class T> static bool of(T x) {
        if constexpr (kInteger<T>)
            return x < T{0};
        else
            return (to_bits(x) & kSignBit<T>) != 0;
    }
};
#define PYASC_TEST(Name, of_integer, of_float)                    \
    struct Name {                                                 \
        template <class T> static bool of([[maybe_unused]] T x) { \
            if constexpr (kInteger<T>)                            \
                return of_integer;                                \
            else                                                  \
                return of_float;                                  \
        }                                                         \
    };
PYASC_TEST(IsNaN, false, magnitude_bits(x) > kInfBits<T>)
PYASC_TEST(IsInf, false, magnitude_bits(x) == kInfBits<T>)
PYASC_TEST(IsFinite, true, magnitude_bits(x) < kInfBits<T>)
PYASC_TEST(IsPosInf, false, to_bits(x) == kInfBits<T>)
PYASC_TEST(IsNegInf, false, to_bits(x) == (kInfBits<T> | kSignBit<T>))
#undef PYASC_TEST
struct Angle {
    template <class T> static T of(T x) { return x < T{0} ? T(3.14159265358979323846) : x == x ? T{0} : x; }
};

// The same operations on complex numbers.
template <class C> struct Complex {
    using P = typename C::value_type;
    static P hypot(C z) {
        const double re = z.real(), im = z.imag();
        if constexpr (sizeof(P) == 4) {  // the squares fit a double; without a branch, so that the loop is vectorised
            const bool infinite = (__builtin_fabs(re) == INFINITY) | (__builtin_fabs(im) == INFINITY);
            const double size = ::sqrt(re * re + im * im);
            return static_cast<P>(infinite ? INFINITY : size);
        }
        return static_cast<P>(::hypot(re, im));
    }
    static C negative(C z) { return C(-z.real(), -z.imag()); }
    static C sign(C z) {
        const P a = hypot(z);
        if (a == 0) return C(0, 0);
        if (!__builtin_isinf(a)) return C(z.real() / a, z.imag() / a);
        const bool re = __builtin_isinf(z.real()), im = __builtin_isinf(z.imag());
        if (re == im) return C(NAN, NAN);
        return re ? C(z.real() > 0 ? 1 : -1, 0) : C(0, z.imag() > 0 ? 1 : -1);
    }
    static C square(C z) {
        return C(z.real() * z.real() - z.imag() * z.imag(), z.real() * z.imag() + z.imag() * z.real());
    }
    static bool is_nan(C z) { return IsNaN::of(z.real()) || IsNaN::of(z.imag()); }
    static bool is_inf(C z) { return IsInf::of(z.real()) || IsInf::of(z.imag()); }
    static bool is_finite(C z) { return IsFinite::of(z.real()) && IsFinite::of(z.imag()); }
    static P real(C z) { return z.real(); }
    static P imag(C z) { return z.imag(); }
    static P angle(C z) {
        return static_cast<P>(::atan2(static_cast<double>(z.imag()), static_cast<double>(z.real())));
    }
};

template <class In, class Out, Out (*f)(In)>
void rows(char* const* data, const int64_t* step, int64_t n) {
    if (step[0] == sizeof(Out) && step[1] == sizeof(In)) {
        Out* out = reinterpret_cast<Out*>(data[0]);
        const In* in = reinterpret_cast<const In*>(data[1]);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = f(in[i]);
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<Out*>(data[0] + i * step[0]) = f(*reinterpret_cast<const In*>(data[1] + i * step[1]));
    }
}

template <class Op, class T, class Half>
void through(char* const* data, const int64_t* step, int64_t n) {
    through_float<Half>(rows<T, T, Op::template of<T>>, 1, data, step, n);
}

// `bitwise`: halves need no conversion.
template <class Op, bool bitwise> Inner of_float(DType type) {
    switch (type) {
        case DType::F16:
            if constexpr (bitwise)
                return rows<f16, decltype(Op::of(f16{})), Op::template of<f16>>;
            else
                return through<Op, float, f16>;
        case DType::BF16:
            if constexpr (bitwise)
                return rows<bf16, decltype(Op::of(bf16{})), Op::template of<bf16>>;
            else
                return through<Op, float, bf16>;
        case DType::F32: return rows<float, decltype(Op::of(0.0f)), Op::template of<float>>;
        case DType::F64: return rows<double, decltype(Op::of(0.0)), Op::template of<double>>;
        default: return nullptr;
    }
}

template <class Op, class T> Inner of_type() { return rows<T, decltype(Op::of(T{})), Op::template of<T>>; }

template <class Op> Inner of_integer(DType type) {
    switch (type) {
        case DType::Bool: return of_type<Op, bool>();
        case DType::I8: return of_type<Op, int8_t>();
        case DType::U8: return of_type<Op, uint8_t>();
        case DType::I16: return of_type<Op, int16_t>();
        case DType::U16: return of_type<Op, uint16_t>();
        case DType::I32: return of_type<Op, int32_t>();
        case DType::U32: return of_type<Op, uint32_t>();
        case DType::I64: return of_type<Op, int64_t>();
        case DType::U64: return of_type<Op, uint64_t>();
        default: return nullptr;
    }
}

template <class Op, bool bitwise = false> Inner of_real(DType type) {
    return is_float(type) ? of_float<Op, bitwise>(type) : of_integer<Op>(type);
}

template <class C> Inner of_complex(Unary op) {
    using Z = Complex<C>;
    using P = typename C::value_type;
    switch (op) {
        case Unary::Negative: return rows<C, C, Z::negative>;
        case Unary::Absolute: return rows<C, P, Z::hypot>;
        case Unary::Sign: return rows<C, C, Z::sign>;
        case Unary::Square: return rows<C, C, Z::square>;
        case Unary::IsNaN: return rows<C, bool, Z::is_nan>;
        case Unary::IsInf: return rows<C, bool, Z::is_inf>;
        case Unary::IsFinite: return rows<C, bool, Z::is_finite>;
        case Unary::Real: return rows<C, P, Z::real>;
        case Unary::Imag: return rows<C, P, Z::imag>;
        case Unary::Angle: return rows<C, P, Z::angle>;
        default: return nullptr;
    }
}

struct Same {
    template <class T> static T of(T x) { return x; }
};
struct Zero {
    template <class T> static T of(T) { return T{}; }
};

Inner find(Unary op, DType type) {
    if (type == DType::C64) return of_complex<c64>(op);
    if (type == DType::C128) return of_complex<c128>(op);
    switch (op) {
        case Unary::Negative: return type == DType::Bool ? nullptr : of_real<Negative, true>(type);
        case Unary::Absolute: return of_real<Absolute, true>(type);
        case Unary::Sign: return of_real<Sign>(type);
        case Unary::Square: return of_real<Square>(type);
        case Unary::Reciprocal: return type == DType::Bool ? nullptr : of_real<Reciprocal>(type);
        case Unary::Relu: return of_real<Relu>(type);
        case Unary::Floor: return of_real<Floor>(type);
        case Unary::Ceil: return of_real<Ceil>(type);
        case Unary::Trunc: return of_real<Trunc>(type);
        case Unary::Rint: return of_real<Rint>(type);
        case Unary::Frac: return of_real<Frac>(type);
        case Unary::Signbit: return of_real<Signbit, true>(type);
        case Unary::IsNaN: return of_real<IsNaN, true>(type);
        case Unary::IsInf: return of_real<IsInf, true>(type);
        case Unary::IsFinite: return of_real<IsFinite, true>(type);
        case Unary::IsPosInf: return of_real<IsPosInf, true>(type);
        case Unary::IsNegInf: return of_real<IsNegInf, true>(type);
        case Unary::Real: return of_real<Same, true>(type);
        case Unary::Imag: return of_real<Zero, true>(type);
        case Unary::Angle: return of_float<Angle, false>(type);
    }
    return nullptr;
}

template <class T> T threshold(T x, T limit, T value) { return x <= limit ? value : x; }
template <class T> T threshold_gradient(T gradient, T x, T limit) { return x <= limit ? T{0} : gradient; }
template <class T> T prelu_gradient(T gradient, T x, T weight) {
    return x > 0 ? gradient : static_cast<T>(gradient * weight);
}

// Three inputs, of which limits and values are mostly one element.
template <class T, T (*f)(T, T, T)>
void three(char* const* data, const int64_t* step, int64_t n) {
    const auto at = [&](int k, int64_t i) { return *reinterpret_cast<const T*>(data[k] + i * step[k]); };
    if (step[0] == sizeof(T) && step[1] == sizeof(T) && step[2] == 0 && step[3] == 0) {
        T* out = reinterpret_cast<T*>(data[0]);
        const T* x = reinterpret_cast<const T*>(data[1]);
        const T b = at(2, 0), c = at(3, 0);
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = f(x[i], b, c);
        return;
    }
    for (int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(data[0] + i * step[0]) = f(at(1, i), at(2, i), at(3, i));
}

template <class Half, float (*f)(float, float, float)>
void three_halves(char* const* data, const int64_t* step, int64_t n) {
    through_float<Half>(three<float, f>, 3, data, step, n);
}

#define PYASC_THREE(name, f)                                \
    Inner name(DType type) {                                \
        switch (type) {                                     \
            case DType::I8: return three<int8_t, f>;        \
            case DType::U8: return three<uint8_t, f>;       \
            case DType::I16: return three<int16_t, f>;      \
            case DType::U16: return three<uint16_t, f>;     \
            case DType::I32: return three<int32_t, f>;      \
            case DType::U32: return three<uint32_t, f>;     \
            case DType::I64: return three<int64_t, f>;      \
            case DType::U64: return three<uint64_t, f>;     \
            case DType::F16: return three_halves<f16, f>;   \
            case DType::BF16: return three_halves<bf16, f>; \
            case DType::F32: return three<float, f>;        \
            case DType::F64: return three<double, f>;       \
            default: return nullptr;                        \
        }                                                   \
    }
PYASC_THREE(find_threshold, threshold)
PYASC_THREE(find_threshold_gradient, threshold_gradient)
PYASC_THREE(find_prelu_gradient, prelu_gradient)
#undef PYASC_THREE

}  // namespace

extern const UnaryKernels unary_kernels = {find, find_threshold, find_threshold_gradient, find_prelu_gradient};

}  // namespace pyasc::PYASC_ISA
