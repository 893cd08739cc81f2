// Division with a whole quotient, and its remainder. Integers by zero give 0 and the most negative number by -1 wraps,
// as in NumPy; the quotients of integers of up to 32 bits are computed in floating point, which vectorises and is exact
// there.
#include <type_traits>

#include "kernels/binary.h"
#include "kernels/rows.h"

namespace pyasc::PYASC_ISA {
namespace {

// The quotient towards zero. A correctly rounded a / b never reaches the next integer while a has fewer bits than the
// significand: the distance to it is at least 1 / b, that is a / b times 1 / a.
template <class T>
T quotient(T a, T b) {
    using U = std::make_unsigned_t<T>;
    constexpr bool kInFloat = sizeof(T) <= 2 || std::is_same_v<T, int32_t>;
    if constexpr (kInFloat) {
        using F = std::conditional_t<sizeof(T) <= 2, float, double>;
        const bool special = b == 0 || (std::is_signed_v<T> && b == T(-1));
        const T usual = static_cast<T>(static_cast<int32_t>(F(a) / F(special ? T(1) : b)));
        const T negated = static_cast<T>(U(0) - U(a));
        return b == 0 ? T(0) : special ? negated : usual;
    } else {
        if (b == 0) return 0;
        if (std::is_signed_v<T> && b == T(-1)) return static_cast<T>(U(0) - U(a));
        return a / b;
    }
}

// a - q b without overflow; 0 for b == 0.
template <class T>
T rest(T a, T b, T q) {
    using W = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    const T r = static_cast<T>(W(a) - W(q) * W(b));
    return b == 0 ? T(0) : r;
}

// Whether the floor of a quotient with remainder r is one less than the quotient. Without branches: it is a coin toss.
template <class T>
bool rounds_down(T r, T b) {
    return (r != 0) & ((r < 0) != (b < 0));
}

// Division of many by one number, as multiplication by its reciprocal (Granlund and Montgomery, PLDI 1994, figure 4.1).
template <class U>
struct Divisor {
    using Wide = std::conditional_t<sizeof(U) == 8, unsigned __int128, uint64_t>;
    static constexpr int kBits = 8 * sizeof(U);
    U multiplier;
    int shift;
    explicit Divisor(U d) {  // d > 1
        const int bits = 64 - __builtin_clzll(uint64_t{d} - 1);
        multiplier = static_cast<U>((((Wide{1} << bits) - d) << kBits) / d + 1);
        shift = bits - 1;
    }
    U divide(U n) const {
        const U t = static_cast<U>(Wide{multiplier} * n >> kBits);
        return static_cast<U>(t + ((n - t) >> 1)) >> shift;
    }
};

// The exact remainder with the sign of a, for finite a and |a| >= |b| > 0 and a quotient that is not huge; false
// otherwise.
bool quick_fmod(float a, float b, float* r) {
    const double x = a, y = b, q = __builtin_trunc(x / y);
    if (!(__builtin_fabs(q) < 0x1p28)) return false;  // q y is exact below that
    double m = x - q * y;
    if ((m < 0) != (x < 0) && m != 0) m += __builtin_copysign(y, x);  // the quotient was rounded up
    *r = __builtin_copysignf(static_cast<float>(m), a);
    return true;
}

bool quick_fmod([[maybe_unused]] double a, [[maybe_unused]] double b, [[maybe_unused]] double* r) {
#if defined(__FMA__) || defined(__aarch64__)
    const double q = __builtin_trunc(a / b);
    if (!(__builtin_fabs(q) < 0x1p52)) return false;
    double m = __builtin_fma(-q, b, a);  // exact: a multiple of b's unit, not larger than b
    if ((m < 0) != (a < 0) && m != 0) m += __builtin_copysign(b, a);
    *r = __builtin_copysign(m, a);
    return true;
#else
    return false;
#endif
}

float absolute(float x) { return __builtin_fabsf(x); }
double absolute(double x) { return __builtin_fabs(x); }
float whole(float x) { return __builtin_truncf(x); }
double whole(double x) { return __builtin_trunc(x); }
float down(float x) { return __builtin_floorf(x); }
double down(double x) { return __builtin_floor(x); }
float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }
float slow_fmod(float a, float b) { return __builtin_fmodf(a, b); }
double slow_fmod(double a, double b) { return __builtin_fmod(a, b); }

template <class F>
F exact_fmod(F a, F b) {
    if (absolute(a) < absolute(b)) return a;
    F r;
    return quick_fmod(a, b, &r) ? r : slow_fmod(a, b);
}

struct TruncDivide {
    template <class T> static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>)
            return whole(a / b);
        else
            return quotient(a, b);
    }
};
struct Fmod {
    template <class T> static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>)
            return exact_fmod(a, b);
        else
            return rest(a, b, quotient(a, b));
    }
};
// Python's remainder: the sign of b, also that of a zero.
struct Remainder {
    template <class T> static T apply(T a, T b) {
        const T r = Fmod::apply(a, b);
        if constexpr (std::is_floating_point_v<T>) {
            if (b == 0) return r;
            if (r == 0) return with_sign(r, b);
            return (b < 0) != (r < 0) ? r + b : r;
        } else {
            using W = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
            return static_cast<T>(W(r) + (W(b) & (W(0) - W(rounds_down(r, b)))));
        }
    }
};
// The floor of a quotient whose remainder is known exactly, nearest to it where it is not representable.
struct FloorDivide {
    template <class T> static T apply(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            if (b == 0) return a / b;
            const T r = exact_fmod(a, b);
            T q = (a - r) / b;
            if (r != 0 && (b < 0) != (r < 0)) q -= 1;
            if (q == 0) return with_sign(T(0), a / b);
            const T floor = down(q);
            return q - floor > T(0.5) ? floor + 1 : floor;
        } else {
            using W = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
            const T q = quotient(a, b);
            const T r = rest(a, b, q);
            return static_cast<T>(W(q) - W(rounds_down(r, b)));
        }
    }
};

// Floors by one positive number for the whole row: the floor of a negative one is the complement of its complement's.
template <class Op, class T>
void constant_row(char* const* data, const int64_t* step, int64_t n) {
    const T b = at<T>(data[2], 0);
    if (n < 16 || step[2] != 0 || step[0] != sizeof(T) || step[1] != sizeof(T) || b <= 1) {
        return binary_row<Op, T, T>(data, step, n);
    }
    using U = std::make_unsigned_t<T>;
    const Divisor<U> divisor(static_cast<U>(b));
    T* const out = reinterpret_cast<T*>(data[0]);
    const T* const a = reinterpret_cast<const T*>(data[1]);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
        const U value = static_cast<U>(a[i]);
        const U negative = a[i] < 0 ? ~U{0} : U{0};
        const U q = divisor.divide(value ^ negative) ^ negative;
        out[i] = static_cast<T>(std::is_same_v<Op, FloorDivide> ? q : value - q * static_cast<U>(b));
    }
}

template <class Op>
Inner by_constant(DType t) {
    switch (t) {
        case DType::I32: return constant_row<Op, int32_t>;
        case DType::U32: return constant_row<Op, uint32_t>;
        case DType::I64: return constant_row<Op, int64_t>;
        case DType::U64: return constant_row<Op, uint64_t>;
        default: return nullptr;
    }
}

template <class Op>
Inner by_type(DType t) {
    switch (t) {
#define PYASC_ROW(T) binary_row<Op, T, T>
        case DType::I8: return PYASC_ROW(int8_t);
        case DType::U8: return PYASC_ROW(uint8_t);
        case DType::I16: return PYASC_ROW(int16_t);
        case DType::U16: return PYASC_ROW(uint16_t);
        case DType::I32: return PYASC_ROW(int32_t);
        case DType::U32: return PYASC_ROW(uint32_t);
        case DType::I64: return PYASC_ROW(int64_t);
        case DType::U64: return PYASC_ROW(uint64_t);
        case DType::F16: return half_row<PYASC_ROW(float), 2, f16>;
        case DType::BF16: return half_row<PYASC_ROW(float), 2, bf16>;
        case DType::F32: return PYASC_ROW(float);
        case DType::F64: return PYASC_ROW(double);
#undef PYASC_ROW
        default: return nullptr;
    }
}

Inner find(Binary op, DType t) {
    switch (op) {
        case Binary::FloorDivide:
            return item_size(t) >= 4 && is_integer(t) ? by_constant<FloorDivide>(t) : by_type<FloorDivide>(t);
        case Binary::TruncDivide: return by_type<TruncDivide>(t);
        case Binary::Remainder:
            return item_size(t) >= 4 && is_integer(t) ? by_constant<Remainder>(t) : by_type<Remainder>(t);
        case Binary::Fmod: return by_type<Fmod>(t);
        default: return nullptr;
    }
}

}  // namespace

extern const BinaryKernels divide_kernels;
const BinaryKernels divide_kernels = {find};

}  // namespace pyasc::PYASC_ISA
