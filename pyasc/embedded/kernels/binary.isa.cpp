// Arithmetic, extrema and bit operations of two inputs. Integers whose result does not depend on the sign share one
// kernel by width; the 16-bit floats compute as float and round once.
#include "kernels/binary.h"

#include <type_traits>

#include "kernels/pair.h"
#include "kernels/rows.h"

namespace pyasc::PYASC_ISA {
namespace {

// Wide enough that C++ does not promote it to a signed type, whose overflow would be undefined.
template <class T>
using Wrap = std::conditional_t<std::is_integral_v<T> && (sizeof(T) < 4), uint32_t, T>;

template <class T> bool is_nan(T a) { return a != a; }

struct Add {
    template <class T> static T apply(T a, T b) { return T(Wrap<T>(a) + Wrap<T>(b)); }
};
struct Sub {
    template <class T> static T apply(T a, T b) { return T(Wrap<T>(a) - Wrap<T>(b)); }
};
struct Mul {
    template <class T> static T apply(T a, T b) { return T(Wrap<T>(a) * Wrap<T>(b)); }
};
struct Div {
    template <class T> static T apply(T a, T b) { return a / b; }
};
struct AddAlpha {
    template <class T> static T apply(T a, T b, T alpha) { return Add::apply(a, Mul::apply(alpha, b)); }
};
struct SubAlpha {
    template <class T> static T apply(T a, T b, T alpha) { return Sub::apply(a, Mul::apply(alpha, b)); }
};
struct AddRelu {
    template <class T> static T apply(T a, T b, T alpha) {
        const T sum = AddAlpha::apply(a, b, alpha);
        return is_nan(sum) || sum > 0 ? sum : T(0);
    }
};
template <class T> T choose(bool first, T a, T b) { return first ? a : b; }
template <class R> Complex<R> choose(bool first, Complex<R> a, Complex<R> b) {
    return {first ? a.real : b.real, first ? a.imag : b.imag};
}
struct Maximum {
    template <class T> static T apply(T a, T b) { return choose(is_nan(a) | (a >= b), a, b); }
};
struct Minimum {
    template <class T> static T apply(T a, T b) { return choose(is_nan(a) | (a <= b), a, b); }
};
struct BitAnd {
    template <class T> static T apply(T a, T b) { return a & b; }
};
struct BitOr {
    template <class T> static T apply(T a, T b) { return a | b; }
};
struct BitXor {
    template <class T> static T apply(T a, T b) { return a ^ b; }
};
struct ShiftLeft {  // of unsigned types
    template <class T> static T apply(T a, T b) {
        constexpr T kBits = sizeof(T) * 8;
        return b < kBits ? T(Wrap<T>(a) << (b & (kBits - 1))) : T(0);
    }
};
struct ShiftRight {
    template <class T> static T apply(T a, T b) {
        using U = std::make_unsigned_t<T>;
        constexpr U kBits = sizeof(T) * 8;
        const T all = a < 0 ? T(-1) : T(0);
        return U(b) < kBits ? T(a >> (U(b) & (kBits - 1))) : all;
    }
};
struct Heaviside {
    template <class T> static T apply(T x, T at_zero) { return is_nan(x) ? x : x > 0 ? T(1) : x < 0 ? T(0) : at_zero; }
};
struct Gcd {
    template <class T> static T apply(T a, T b) {
        using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
        U x = a < 0 ? U(0) - U(a) : U(a), y = b < 0 ? U(0) - U(b) : U(b);
        if (x == 0 || y == 0) return T(x | y);
        const int twos = __builtin_ctzll(x | y);  // Stein's algorithm
        x >>= __builtin_ctzll(x);
        while (y != 0) {
            y >>= __builtin_ctzll(y);
            const U low = x < y ? x : y;
            y = x < y ? y - x : x - y;
            x = low;
        }
        return T(x << twos);
    }
};

template <class Op, class T>
constexpr Inner row = binary_row<Op, T, T>;

// Only the width of an integer matters.
template <class Op>
Inner by_width(DType t) {
    if (t == DType::Bool || !is_integer(t)) return nullptr;
    switch (item_size(t)) {
        case 1: return row<Op, uint8_t>;
        case 2: return row<Op, uint16_t>;
        case 4: return row<Op, uint32_t>;
        default: return row<Op, uint64_t>;
    }
}

template <class Op>
Inner by_integer(DType t) {
    switch (t) {
        case DType::I8: return row<Op, int8_t>;
        case DType::U8: return row<Op, uint8_t>;
        case DType::I16: return row<Op, int16_t>;
        case DType::U16: return row<Op, uint16_t>;
        case DType::I32: return row<Op, int32_t>;
        case DType::U32: return row<Op, uint32_t>;
        case DType::I64: return row<Op, int64_t>;
        case DType::U64: return row<Op, uint64_t>;
        default: return nullptr;
    }
}

template <class Op>
Inner by_float(DType t) {
    switch (t) {
        case DType::F16: return half_row<row<Op, float>, 2, f16>;
        case DType::BF16: return half_row<row<Op, float>, 2, bf16>;
        case DType::F32: return row<Op, float>;
        case DType::F64: return row<Op, double>;
        default: return nullptr;
    }
}

template <class Op>
Inner by_complex(DType t) {
    switch (t) {
        case DType::C64: return row<Op, Complex<float>>;
        case DType::C128: return row<Op, Complex<double>>;
        default: return nullptr;
    }
}

// Operations with choices in them vectorise only on real and imaginary parts that lie apart.
constexpr int64_t kParts = 64;

template <class Op, class R>
void apply_parted(const R* a, const R* a_imag, const R* b, const R* b_imag, R* real, R* imag) {
#pragma GCC ivdep
    for (int64_t j = 0; j < kParts; ++j) {
        const Complex<R> result = Op::apply(Complex<R>{a[j], a_imag[j]}, Complex<R>{b[j], b_imag[j]});
        real[j] = result.real;
        imag[j] = result.imag;
    }
}

template <class Op, class R>
void parted_row(char* const* data, const int64_t* step, int64_t n) {
    constexpr int64_t kBlock = kParts, kItem = 2 * sizeof(R);
    if (step[0] != kItem || n < 8) return binary_row<Op, Complex<R>, Complex<R>>(data, step, n);
    R parts[6][kBlock] = {};  // the rest of a last, shorter block is computed too
    for (int64_t i = 0; i < n; i += kBlock) {
        const int64_t m = n - i < kBlock ? n - i : kBlock;
        for (int k = 1; k <= 2; ++k) {
            const char* const in = data[k] + i * step[k];
            R* const real = parts[2 * k];
            R* const imag = parts[2 * k + 1];
            if (step[k] == kItem) {
                const Complex<R>* const dense = reinterpret_cast<const Complex<R>*>(in);
                for (int64_t j = 0; j < m; ++j) real[j] = dense[j].real, imag[j] = dense[j].imag;
            } else {
                for (int64_t j = 0; j < m; ++j) {
                    real[j] = at<R>(in, j * step[k]);
                    imag[j] = at<R>(in, j * step[k] + sizeof(R));
                }
            }
        }
        apply_parted<Op>(parts[2], parts[3], parts[4], parts[5], parts[0], parts[1]);
        Complex<R>* const out = reinterpret_cast<Complex<R>*>(data[0]) + i;
        for (int64_t j = 0; j < m; ++j) out[j] = {parts[0][j], parts[1][j]};
    }
}

template <class Op>
Inner by_parts(DType t) {
    switch (t) {
        case DType::C64: return parted_row<Op, float>;
        case DType::C128: return parted_row<Op, double>;
        default: return nullptr;
    }
}

Inner either(Inner a, Inner b) { return a != nullptr ? a : b; }

// Adding and subtracting complex numbers is adding twice as many reals, but for a broadcast operand.
template <class Op, class R>
void pairs_row(char* const* data, const int64_t* step, int64_t n) {
    constexpr int64_t kItem = 2 * sizeof(R);
    if (step[0] == kItem && step[1] == kItem && step[2] == kItem) {
        const int64_t dense[] = {sizeof(R), sizeof(R), sizeof(R)};
        return binary_row<Op, R, R>(data, dense, 2 * n);
    }
    binary_row<Op, Complex<R>, Complex<R>>(data, step, n);
}

template <class Op>
Inner find_sum(DType t) {
    if (t == DType::C64) return pairs_row<Op, float>;
    if (t == DType::C128) return pairs_row<Op, double>;
    return either(by_width<Op>(t), by_float<Op>(t));
}

template <class Op>
Inner find_alpha(DType t) {
    switch (t) {
#define PYASC_ROW(...) ternary_row<Op, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__>
        case DType::I8:
        case DType::U8: return PYASC_ROW(uint8_t);
        case DType::I16:
        case DType::U16: return PYASC_ROW(uint16_t);
        case DType::I32:
        case DType::U32: return PYASC_ROW(uint32_t);
        case DType::I64:
        case DType::U64: return PYASC_ROW(uint64_t);
        case DType::F16: return half_row<PYASC_ROW(float), 3, f16>;
        case DType::BF16: return half_row<PYASC_ROW(float), 3, bf16>;
        case DType::F32: return PYASC_ROW(float);
        case DType::F64: return PYASC_ROW(double);
        case DType::C64: return PYASC_ROW(Complex<float>);
        case DType::C128: return PYASC_ROW(Complex<double>);
#undef PYASC_ROW
        default: return nullptr;
    }
}

Inner find_add_relu(DType t) {
    switch (t) {
#define PYASC_ROW(T) ternary_row<AddRelu, T, T, T, T>
        case DType::I8: return PYASC_ROW(int8_t);
        case DType::I16: return PYASC_ROW(int16_t);
        case DType::I32: return PYASC_ROW(int32_t);
        case DType::I64: return PYASC_ROW(int64_t);
        case DType::F16: return half_row<PYASC_ROW(float), 3, f16>;
        case DType::BF16: return half_row<PYASC_ROW(float), 3, bf16>;
        case DType::F32: return PYASC_ROW(float);
        case DType::F64: return PYASC_ROW(double);
#undef PYASC_ROW
        default: return is_integer(t) ? find_alpha<AddAlpha>(t) : nullptr;  // an unsigned sum is its own ReLU
    }
}

template <class Op>
Inner find_extremum(DType t) {
    return either(by_integer<Op>(t), either(by_float<Op>(t), by_parts<Op>(t)));
}

template <class Op>
Inner find_bits(DType t) {
    return t == DType::Bool ? row<Op, uint8_t> : by_width<Op>(t);
}

// y - alpha x, as the same kernel with its inputs exchanged.
template <Inner (*find)(DType)>
Inner find_exchanged(DType t) {
    switch (t) {
#define PYASC_CASE(name)                                                  \
    case DType::name:                                                     \
        return [](char* const* data, const int64_t* step, int64_t n) {    \
            char* const rows[] = {data[0], data[2], data[1], data[3]};    \
            const int64_t steps[] = {step[0], step[2], step[1], step[3]}; \
            find(DType::name)(rows, steps, n);                            \
        };
        // clang-format off
        PYASC_CASE(I8)
        PYASC_CASE(U8)
        PYASC_CASE(I16)
        PYASC_CASE(U16)
        PYASC_CASE(I32)
        PYASC_CASE(U32)
        PYASC_CASE(I64)
        PYASC_CASE(U64)
        PYASC_CASE(F16)
        PYASC_CASE(BF16)
        PYASC_CASE(F32)
        PYASC_CASE(F64)
        PYASC_CASE(C64)
        PYASC_CASE(C128)
        // clang-format on
#undef PYASC_CASE
        default: return nullptr;
    }
}

Inner arithmetic(Binary op, DType t) {
    const bool boolean = t == DType::Bool;
    switch (op) {
        case Binary::Add: return boolean ? row<BitOr, uint8_t> : find_sum<Add>(t);
        case Binary::Sub: return find_sum<Sub>(t);
        case Binary::Mul:
            return boolean ? row<BitAnd, uint8_t>
                           : either(either(by_width<Mul>(t), by_float<Mul>(t)), by_complex<Mul>(t));
        case Binary::Div: return either(by_float<Div>(t), by_parts<Div>(t));
        case Binary::AddAlpha: return find_alpha<AddAlpha>(t);
        case Binary::SubAlpha: return find_alpha<SubAlpha>(t);
        case Binary::RsubAlpha: return find_exchanged<find_alpha<SubAlpha>>(t);
        case Binary::AddRelu: return find_add_relu(t);
        case Binary::Maximum: return boolean ? row<BitOr, uint8_t> : find_extremum<Maximum>(t);
        case Binary::Minimum: return boolean ? row<BitAnd, uint8_t> : find_extremum<Minimum>(t);
        case Binary::BitAnd: return find_bits<BitAnd>(t);
        case Binary::BitOr: return find_bits<BitOr>(t);
        case Binary::BitXor: return find_bits<BitXor>(t);
        case Binary::ShiftLeft: return by_width<ShiftLeft>(t);
        case Binary::ShiftRight: return by_integer<ShiftRight>(t);
        case Binary::Gcd: return by_integer<Gcd>(t);
        case Binary::Heaviside: return by_float<Heaviside>(t);
        default: return nullptr;
    }
}

}  // namespace

extern const BinaryKernels arithmetic_kernels;
const BinaryKernels arithmetic_kernels = {arithmetic};

}  // namespace pyasc::PYASC_ISA
