// aclScalar: a number of any type, kept exactly, and its conversion to the type an operator computes in.
#include <cmath>
#include <limits>

#include "kernels/half.h"
#include "meta/slots.h"
#include "runtime/error.h"

namespace pyasc {
namespace {

template <class T>
T load(const void* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

template <class T>
void put(void* out, T value) {
    std::memcpy(out, &value, sizeof value);
}

// Reads the caller's value. Types the device does not compute on have no value; operators refuse them.
void read(aclScalar* s, const void* value) {
    s->imag = 0;
    switch (s->dtype) {
        case DType::Bool: s->i = load<uint8_t>(value) != 0; return;
        case DType::I8: s->i = load<int8_t>(value); return;
        case DType::U8: s->i = load<uint8_t>(value); return;
        case DType::I16: s->i = load<int16_t>(value); return;
        case DType::U16: s->i = load<uint16_t>(value); return;
        case DType::I32: s->i = load<int32_t>(value); return;
        case DType::U32: s->i = load<uint32_t>(value); return;
        case DType::I64: s->i = load<int64_t>(value); return;
        case DType::U64: s->u = load<uint64_t>(value); return;
        case DType::F16: s->f = widen(load<f16>(value)); return;
        case DType::BF16: s->f = widen(load<bf16>(value)); return;
        case DType::F32: s->f = load<float>(value); return;
        case DType::F64: s->f = load<double>(value); return;
        case DType::C64:
            s->f = load<float>(value);
            s->imag = load<float>(static_cast<const char*>(value) + 4);
            return;
        case DType::C128:
            s->f = load<double>(value);
            s->imag = load<double>(static_cast<const char*>(value) + 8);
            return;
        case DType::None: s->i = 0; return;
    }
}

// The value as a T, truncated towards zero; false if it is not a number or out of T's range.
template <class T>
bool store_integer(const aclScalar& s, void* out) {
    using Limits = std::numeric_limits<T>;
    if (is_float(s.dtype)) {
        // The bounds as doubles are exact powers of two (or 0), also where max() itself is not a double.
        const double whole = std::trunc(s.f), above = std::ldexp(1.0, Limits::digits);
        const double below = std::is_signed_v<T> ? -above : 0.0;
        if (!(whole >= below && whole < above)) return false;
        return put(out, static_cast<T>(whole)), true;
    }
    if (s.dtype == DType::U64) {
        if (s.u > static_cast<uint64_t>(Limits::max())) return false;
    } else if (std::is_signed_v<T>
                   ? s.i < static_cast<int64_t>(Limits::min()) || s.i > static_cast<int64_t>(Limits::max())
                   : s.i < 0 || static_cast<uint64_t>(s.i) > static_cast<uint64_t>(Limits::max())) {
        return false;
    }
    return put(out, static_cast<T>(s.i)), true;
}

template <class Half>
void store_half(double value, void* out) {
    Half half;
    narrow(static_cast<float>(value), &half);
    put(out, half);
}

// A float from an integer is rounded once: int64 to float directly, not by way of double.
template <class T>
T real(const aclScalar& s) {
    if (is_float(s.dtype) || is_complex(s.dtype)) return static_cast<T>(s.f);
    return s.dtype == DType::U64 ? static_cast<T>(s.u) : static_cast<T>(s.i);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

double aclScalar::as_double() const { return real<double>(*this); }

int64_t aclScalar::as_int() const {
    if (!is_float(dtype) && !is_complex(dtype)) return i;
    constexpr double above = 0x1p63;
    if (std::isnan(f)) return 0;
    if (f >= above) return std::numeric_limits<int64_t>::max();
    return f < -above ? std::numeric_limits<int64_t>::min() : static_cast<int64_t>(f);
}

bool aclScalar::store(DType t, void* out) const {
    if (dtype == DType::None || (is_complex(dtype) && !is_complex(t) && t != DType::Bool)) return false;
    switch (t) {
        case DType::Bool: put(out, is_float(dtype) || is_complex(dtype) ? f != 0 || imag != 0 : i != 0); return true;
        case DType::I8: return store_integer<int8_t>(*this, out);
        case DType::U8: return store_integer<uint8_t>(*this, out);
        case DType::I16: return store_integer<int16_t>(*this, out);
        case DType::U16: return store_integer<uint16_t>(*this, out);
        case DType::I32: return store_integer<int32_t>(*this, out);
        case DType::U32: return store_integer<uint32_t>(*this, out);
        case DType::I64: return store_integer<int64_t>(*this, out);
        case DType::U64: return store_integer<uint64_t>(*this, out);
        case DType::F16: return store_half<f16>(real<float>(*this), out), true;
        case DType::BF16: return store_half<bf16>(real<float>(*this), out), true;
        case DType::F32: return put(out, real<float>(*this)), true;
        case DType::F64: return put(out, real<double>(*this)), true;
        case DType::C64: return put(out, c64(real<float>(*this), static_cast<float>(imag))), true;
        case DType::C128: return put(out, c128(real<double>(*this), imag)), true;
        case DType::None: break;
    }
    return false;
}

extern "C" {

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
    if (!value) {
        fail(ACLNN_ERR_PARAM_NULLPTR, "aclCreateScalar: the value is null");
        return nullptr;
    }
    aclScalar* s = take<aclScalar>();
    if (!s) {
        fail(ACLNN_ERR_INNER, "aclCreateScalar: no room for more scalars; destroy those no longer needed");
        return nullptr;
    }
    s->acl_dtype = dataType;
    s->owner = nullptr;
    s->dtype = to_dtype(dataType);
    read(s, value);
    set_live(s);
    return s;
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
    if (!scalar) return ACLNN_SUCCESS;
    if (!live(scalar)) {
        return fail(ACLNN_ERR_PARAM_INVALID, "aclDestroyScalar: %p is no aclScalar, or one that was destroyed",
                    static_cast<const void*>(scalar));
    }
    give(const_cast<aclScalar*>(scalar));
    return ACLNN_SUCCESS;
}

}  // extern "C"
