// Conversions between all types, copies of every layout, and fills.
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_zero.h"
#include "reduce_check.h"

// The bits of a 16-bit float, so that arrays of them can be made and read.
struct Half {
    uint16_t bits;
};
struct Bfloat {
    uint16_t bits;
};
template <>
constexpr aclDataType type_code<Half>() {
    return ACL_FLOAT16;
}
template <>
constexpr aclDataType type_code<Bfloat>() {
    return ACL_BF16;
}

namespace {

using C64 = std::complex<float>;
using C128 = std::complex<double>;

// A conversion as NumPy's astype: towards zero, real parts, and "is it zero?" for bool.
template <class D, class S>
D convert(S x) {
    if constexpr (std::is_same_v<S, C64> || std::is_same_v<S, C128>) {
        if constexpr (std::is_same_v<D, bool>)
            return x != S(0);
        else if constexpr (std::is_same_v<D, C64> || std::is_same_v<D, C128>)
            return D(x);
        else
            return static_cast<D>(x.real());
    } else if constexpr (std::is_same_v<D, bool>) {
        return x != 0;
    } else if constexpr (std::is_same_v<D, C64> || std::is_same_v<D, C128>) {
        return D(static_cast<typename D::value_type>(x));
    } else {
        return static_cast<D>(x);
    }
}

template <class D, class S>
void check_pair(const std::vector<S>& values) {
    const int64_t rows = 7, columns = static_cast<int64_t>(values.size()) / rows;
    for (const Layout from : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
        for (const Layout to : {Layout::Dense, Layout::Strided}) {
            const Array<S> src({rows, columns}, values, from);
            Array<D> dst({rows, columns}, to);
            RUN(0, aclnnCast, src.handle, type_code<D>(), dst.handle);
            const std::vector<D> got = dst.read();
            for (size_t i = 0; i < got.size(); ++i) {
                if (got[i] == convert<D>(values[i])) continue;
                ++failures;
                std::printf("element %zu of %d as %d is wrong\n", i, int(type_code<S>()), int(type_code<D>()));
                return;
            }
        }
    }
}

// Values that every type holds in range, so that the conversion is defined in C++ too.
template <class S>
void check_from() {
    std::vector<S> values;
    for (int i = 0; i < 77; ++i) {
        if constexpr (std::is_same_v<S, bool>)
            values.push_back(i % 3 == 0);
        else if constexpr (std::is_same_v<S, C64> || std::is_same_v<S, C128>)
            values.push_back(S(i % 5 ? i * 1.5 : 0, i % 2 ? -i : 0));
        else if constexpr (std::is_floating_point_v<S>)
            values.push_back(static_cast<S>(i * 1.625));
        else
            values.push_back(static_cast<S>(i));
    }
    check_pair<bool>(values);
    check_pair<int8_t>(values);
    check_pair<uint8_t>(values);
    check_pair<int16_t>(values);
    check_pair<uint16_t>(values);
    check_pair<int32_t>(values);
    check_pair<uint32_t>(values);
    check_pair<int64_t>(values);
    check_pair<uint64_t>(values);
    check_pair<float>(values);
    check_pair<double>(values);
    check_pair<C64>(values);
    check_pair<C128>(values);
}

// Every half goes to float and back unchanged, and to the value its bits say.
void check_all_halves() {
    std::vector<Half> halves;
    for (int i = 0; i < 65536; ++i) halves.push_back({static_cast<uint16_t>(i)});
    const Array<Half> src({65536}, halves);
    Array<float> wide({65536});
    Array<Half> back({65536});
    RUN(0, aclnnCast, src.handle, ACL_FLOAT, wide.handle);
    RUN(0, aclnnCast, wide.handle, ACL_FLOAT16, back.handle);
    const std::vector<float> floats = wide.read();
    const std::vector<Half> again = back.read();
    for (int i = 0; i < 65536; ++i) {
        const int exponent = i >> 10 & 31, fraction = i & 1023;
        const double sign = i & 0x8000 ? -1 : 1;
        if (exponent == 31 && fraction != 0) {
            CHECK(std::isnan(floats[i]) && (again[i].bits & 0x7c00) == 0x7c00 && (again[i].bits & 1023) != 0);
            continue;
        }
        const double size = exponent == 31  ? INFINITY
                            : exponent == 0 ? std::ldexp(fraction, -24)
                                            : std::ldexp(1024 + fraction, exponent - 25);
        CHECK(floats[i] == sign * size && std::signbit(floats[i]) == (sign < 0));
        CHECK(again[i].bits == i);
    }
}

// Ties go to even, once: a double a hair above a tie must not be rounded to the tie first.
void check_half_rounding() {
    const std::vector<double> values = {
        1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 1 + 3 * 0x1p-11, 65519.999, 65520, -65536,
        0x1p-25,     0x1p-25 + 0x1p-60,     0x1p-26,         1e300,     6.1e-5};  // the last is 1023.4 units of the
                                                                                  // denormals
    const std::vector<uint16_t> bits = {0x3c00, 0x3c01, 0x3c02, 0x7bff, 0x7c00, 0xfc00, 0, 1, 0, 0x7c00, 0x03ff};
    const Array<double> src({11}, values);
    Array<Half> dst({11});
    RUN(0, aclnnCast, src.handle, ACL_FLOAT16, dst.handle);
    const std::vector<Half> got = dst.read();
    for (int i = 0; i < 11; ++i) CHECK(got[i].bits == bits[i]);
    const std::vector<float> floats = {1 + 0x1p-8F, 1 + 3 * 0x1p-8F, std::numeric_limits<float>::max(), -0.0F, NAN};
    const Array<float> wide({5}, floats);
    Array<Bfloat> narrow({5});
    RUN(0, aclnnCast, wide.handle, ACL_BF16, narrow.handle);
    const std::vector<Bfloat> brief = narrow.read();
    CHECK(brief[0].bits == 0x3f80 && brief[1].bits == 0x3f82 && brief[2].bits == 0x7f80 && brief[3].bits == 0x8000);
    CHECK((brief[4].bits & 0x7f80) == 0x7f80 && (brief[4].bits & 0x7f) != 0);
}

template <class T>
void check_copies() {
    const Shape shape = {70, 3, 130};
    std::vector<T> values;
    for (int64_t i = 0; i < count(shape); ++i) values.push_back(static_cast<T>(i * 7 % 251));
    for (const Layout from : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
        for (const Layout to : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
            const Array<T> src(shape, values, from);
            Array<T> dst(shape, to);
            RUN(0, aclnnInplaceCopy, dst.handle, src.handle);
            CHECK(dst.read() == values);
        }
    }
    const Array<T> row({3}, {5, 6, 7});
    Array<T> wide({2, 3});
    RUN(0, aclnnInplaceCopy, wide.handle, row.handle);
    CHECK((wide.read() == std::vector<T>{5, 6, 7, 5, 6, 7}));
    const Number eleven(int64_t{11});
    const Array<int64_t> thirteen({1}, {13});
    for (const Layout layout : {Layout::Dense, Layout::Strided}) {
        Array<T> filled({2, 3}, layout);
        const auto all = [&](T x) { CHECK(filled.read() == std::vector<T>(6, x)); };
        RUN(0, aclnnInplaceFillScalar, filled.handle, eleven.handle);
        all(11);
        RUN(0, aclnnInplaceFillTensor, filled.handle, thirteen.handle);
        all(13);
        RUN(0, aclnnInplaceOne, filled.handle);
        all(1);
        RUN(0, aclnnInplaceZero, filled.handle);
        all(0);
    }
}

void check_refusals() {
    Array<float> a({3}), four({4}), matrix({3, 4}, Layout::Fortran);
    Array<uint8_t> bytes({3});
    const Number large(int64_t{300});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCast, a.handle, ACL_INT32, bytes.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCast, four.handle, ACL_FLOAT, a.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInplaceCopy, a.handle, four.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInplaceCopy, matrix.handle, a.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInplaceFillScalar, bytes.handle, large.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnInplaceFillTensor, a.handle, four.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnInplaceZero, nullptr);
}

}  // namespace

int main() {
    const Device device;
    check_from<bool>();
    check_from<int8_t>();
    check_from<uint8_t>();
    check_from<int16_t>();
    check_from<uint16_t>();
    check_from<int32_t>();
    check_from<uint32_t>();
    check_from<int64_t>();
    check_from<uint64_t>();
    check_from<float>();
    check_from<double>();
    check_from<C64>();
    check_from<C128>();
    check_all_halves();
    check_half_rounding();
    check_copies<uint8_t>();
    check_copies<int16_t>();
    check_copies<float>();
    check_copies<double>();
    check_copies<C128>();
    check_refusals();
    return failures;
}
