// Running sums, products and extremes along every axis of every layout.
#include "aclnnop/aclnn_cummax.h"
#include "aclnnop/aclnn_cummin.h"
#include "aclnnop/aclnn_cumprod.h"
#include "aclnnop/aclnn_cumsum.h"
#include "reduce_check.h"

namespace {

const Shape kShapes[] = {{}, {1}, {9}, {3000}, {5, 7}, {700, 30}, {30, 700}, {4, 20, 17}, {0, 3}, {3, 0}};

// f(row of C-order positions) for every row along the axis of a shape without empty dimensions.
template <class F>
void each_row(const Shape& shape, int axis, F f) {
    for (const auto& row : rows_along(shape, shape.empty() ? -1 : axis)) f(row);
}

template <class T>
void compare(const char* name, const std::vector<T>& got, const std::vector<T>& want, double tolerance) {
    for (size_t i = 0; i < want.size(); ++i) {
        if (got[i] == want[i] || same_value(static_cast<double>(got[i]), static_cast<double>(want[i]), tolerance))
            continue;
        ++failures;
        std::printf("%s: element %zu of %zu differs\n", name, i, want.size());
        return;
    }
}

template <class T, class Sum>
void check_sums(const Array<T>& x, const std::vector<T>& v, int axis, Layout layout) {
    Array<Sum> out(x.shape, layout);
    for (const int mode : {0, 1, 2, 3}) {
        const bool exclusive = (mode & 1) != 0, reverse = (mode & 2) != 0;
        std::vector<Sum> want(v.size());
        each_row(x.shape, axis, [&](std::vector<int64_t> row) {
            if (reverse) row = std::vector<int64_t>(row.rbegin(), row.rend());
            Sum sum = 0;
            for (const int64_t i : row) {
                if (exclusive) want[i] = sum;
                sum = static_cast<Sum>(sum + static_cast<Sum>(v[i]));
                if (!exclusive) want[i] = sum;
            }
        });
        if (mode == 0) {
            RUN(0, aclnnCumsum, x.handle, axis, type_code<Sum>(), out.handle);
        } else {
            RUN(0, aclnnCumsumV2, x.handle, axis, exclusive, reverse, out.handle);
        }
        compare("cumsum", out.read(), want, 0);
    }
}

// Integers wrap, in an unsigned type because only those may.
template <class T>
T times(T a, T b) {
    using Wide = std::conditional_t<std::is_integral<T>::value, uint64_t, T>;
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b));
}

template <class T>
void check_products(const Array<T>& x, const std::vector<T>& v, int axis, Layout layout) {
    std::vector<T> want(v.size());
    each_row(x.shape, axis, [&](const std::vector<int64_t>& row) {
        T product = 1;
        for (const int64_t i : row) want[i] = product = times(product, v[i]);
    });
    Array<T> out(x.shape, layout);
    const Number dim(static_cast<int64_t>(axis));
    RUN(0, aclnnCumprod, x.handle, dim.handle, type_code<T>(), out.handle);
    compare("cumprod", out.read(), want, 1e-4);
    Array<T> in_place(x.shape, v, layout);
    RUN(0, aclnnInplaceCumprod, in_place.handle, dim.handle);
    compare("cumprod in place", in_place.read(), want, 1e-4);
}

// The position is that of the last of equal elements; a nan, once met, stays.
template <class T>
void check_extremes(const Array<T>& x, const std::vector<T>& v, int axis, Layout layout) {
    Array<T> out(x.shape, layout);
    Array<int64_t> index(x.shape, layout);
    for (const bool max : {true, false}) {
        std::vector<T> want(v.size());
        std::vector<int64_t> where(v.size());
        each_row(x.shape, axis, [&](const std::vector<int64_t>& row) {
            int64_t best = 0;
            for (size_t k = 0; k < row.size(); ++k) {
                const T now = v[row[k]], held = v[row[best]];
                if (now != now || (held == held && (max ? now >= held : now <= held))) best = static_cast<int64_t>(k);
                want[row[k]] = v[row[best]];
                where[row[k]] = best;
            }
        });
        if (max) {
            RUN(0, aclnnCummax, x.handle, axis, out.handle, index.handle);
        } else {
            RUN(0, aclnnCummin, x.handle, axis, out.handle, index.handle);
        }
        compare("running extreme", out.read(), want, 0);
        compare("its position", index.read(), where, 0);
    }
}

template <class T, class Sum = T>
void check_type() {
    for (const Shape& shape : kShapes) {
        for (const Layout layout : kLayouts) {
            std::vector<T> values = small_numbers<T>(count(shape));
            const Array<T> x(shape, values, layout);
            for (T& value : values) value = value < T(0) ? T(-1) : value > T(5) ? T(2) : T(1);
            const Array<T> factors(shape, values, layout);
            const Layout out = layout == Layout::Broadcast ? Layout::Dense : layout;
            for (int axis = 0; axis < std::max(1, static_cast<int>(shape.size())); ++axis) {
                check_sums<T, Sum>(x, x.read(), axis, out);
                check_products<T>(factors, factors.read(), axis, out);
                check_extremes<T>(x, x.read(), axis, out);
            }
        }
    }
}

void nan_stays() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Array<float> x({5}, {1, 3, nan, 9, nan});
    check_extremes<float>(x, x.read(), 0, Layout::Dense);
}

void complex_sums() {
    using C = std::complex<double>;
    const Array<C> x({3}, {C(1, 2), C(0, 1), C(-1, 1)});
    Array<C> out({3});
    RUN(0, aclnnCumsum, x.handle, 0, ACL_COMPLEX128, out.handle);
    CHECK((out.read() == std::vector<C>{C(1, 2), C(1, 3), C(0, 4)}));
    RUN(0, aclnnCumprod, x.handle, Number(int64_t{0}).handle, ACL_COMPLEX128, out.handle);
    CHECK((out.read() == std::vector<C>{C(1, 2), C(-2, 1), C(1, -3)}));
}

void bad_arguments_are_refused() {
    const Array<float> x({2, 3});
    Array<float> out({2, 3}), wrong({3, 2});
    Array<int64_t> index({2, 3});
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCumsum, x.handle, 2, ACL_FLOAT, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCumsum, x.handle, 0, ACL_INT64, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCumsum, x.handle, 0, ACL_FLOAT, wrong.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnCumsum, nullptr, 0, ACL_FLOAT, out.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnCumprod, x.handle, nullptr, ACL_FLOAT, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCumprod, x.handle, Number(0.5).handle, ACL_FLOAT, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCummax, x.handle, 0, out.handle, out.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnCummax, x.handle, 0, wrong.handle, index.handle);
}

}  // namespace

int main() {
    const Device device;
    check_type<int8_t>();
    check_type<uint8_t, int64_t>();
    check_type<int16_t>();
    check_type<uint16_t>();
    check_type<int32_t, double>();
    check_type<uint32_t>();
    check_type<int64_t>();
    check_type<uint64_t>();
    check_type<float>();
    check_type<double>();
    nan_stays();
    complex_sums();
    bad_arguments_are_refused();
    return std::min<int>(failures, 99);  // an exit status has eight bits
}
