// Adding, multiplying and comparing into an array at given places, for every type. Sequential, so that results are the
// same every time; 16-bit floats are rounded after every step, as NumPy's ufunc.at does.
#include <cstring>

#include "kernels/half.h"
#include "kernels/index.h"

namespace pyasc {
namespace {

// The type arithmetic happens in.
template <class T> struct Wide {
    using type = T;
};
template <> struct Wide<f16> {
    using type = float;
};
template <> struct Wide<bf16> {
    using type = float;
};

template <class T>
inline typename Wide<T>::type load(const char* p) {
    T value;
    std::memcpy(&value, p, sizeof(T));
    if constexpr (std::is_same_v<typename Wide<T>::type, T>) {
        return value;
    } else {
        return widen(value);
    }
}

template <class T>
inline void store(char* p, typename Wide<T>::type value) {
    T out;
    if constexpr (std::is_same_v<typename Wide<T>::type, T>) {
        out = value;
    } else {
        narrow(value, &out);
    }
    std::memcpy(p, &out, sizeof(T));
}

template <class T>
inline T multiply(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) {
        return a && b;
    } else if constexpr (std::is_same_v<T, c64> ||
                         std::is_same_v<T, c128>) {  // without C's rescue of infinities, as NumPy
        return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    } else {
        return a * b;
    }
}

template <class T>
inline T add(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) {
        return a || b;
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
        return a + b;
    }
}

// NaNs win, as in np.maximum.
template <class T> inline T larger(T a, T b) { return a > b || a != a ? a : b; }
template <class T> inline T smaller(T a, T b) { return a < b || a != a ? a : b; }

template <Combine Op, class T>
inline T apply(T a, T b) {
    if constexpr (Op == Combine::Add) return add(a, b);
    if constexpr (Op == Combine::Multiply) return multiply(a, b);
    if constexpr (Op == Combine::Maximum) return larger(a, b);
    if constexpr (Op == Combine::Minimum) return smaller(a, b);
}

template <Combine Op, class T>
void combine_at(char* to, const int64_t* to_at, const char* from, const int64_t* from_at, int64_t from_step,
                int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        char* const p = to + to_at[i];
        store<T>(p, apply<Op>(load<T>(p), load<T>(from + (from_at != nullptr ? from_at[i] : i * from_step))));
    }
}

template <Combine Op, class T>
void combine_row(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t n) {
    constexpr int64_t item = sizeof(T);
    if (to_step == item && from_step == item) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) {
            store<T>(to + i * item, apply<Op>(load<T>(to + i * item), load<T>(from + i * item)));
        }
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        char* const p = to + i * to_step;
        store<T>(p, apply<Op>(load<T>(p), load<T>(from + i * from_step)));
    }
}

template <Combine Op>
CombineFns find_of(DType type) {
    switch (type) {
#define CASE(name) \
    case DType::name: return {combine_at<Op, type_of<DType::name>::t>, combine_row<Op, type_of<DType::name>::t>};
        CASE(Bool)
        CASE(I8)
        CASE(U8)
        CASE(I16)
        CASE(U16) CASE(I32) CASE(U32) CASE(I64) CASE(U64) CASE(F16) CASE(BF16) CASE(F32) CASE(F64) default : break;
    }
    if constexpr (Op == Combine::Add || Op == Combine::Multiply) {
        switch (type) {
            CASE(C64)
            CASE(C128)
#undef CASE
            default: break;
        }
    }
    return {};
}

}  // namespace

CombineFns find_combine(Combine op, DType type) {
    switch (op) {
        case Combine::Add: return find_of<Combine::Add>(type);
        case Combine::Multiply: return find_of<Combine::Multiply>(type);
        case Combine::Maximum: return find_of<Combine::Maximum>(type);
        case Combine::Minimum: return find_of<Combine::Minimum>(type);
        default: return {};
    }
}

}  // namespace pyasc
