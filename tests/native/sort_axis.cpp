// Sorts, selections and positions of extremes along every axis of every layout, for every order-preserving type.
#include <algorithm>
#include <numeric>

#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argmin.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_kthvalue.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_median.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"
#include "reduce_check.h"

namespace {

const Shape kShapes[] = {{},     {1},      {9},      {40},       {41},   {3000}, {70000},
                         {5, 7}, {300, 3}, {3, 300}, {4, 20, 5}, {0, 3}, {3, 0}};

template <class T>
bool is_nan(T x) {
    return x != x;
}
template <class T>
bool before(T a, T b) {
    return is_nan(b) ? !is_nan(a) : a < b;
}
template <class T>
bool before(std::complex<T> a, std::complex<T> b) {
    const auto group = [](std::complex<T> x) { return 2 * is_nan(x.real()) + is_nan(x.imag()); };
    if (group(a) != group(b)) return group(a) < group(b);
    if (before(a.real(), b.real())) return true;
    return !before(b.real(), a.real()) && before(a.imag(), b.imag());
}
template <class T>
bool identical(T a, T b) {
    return a == b || (is_nan(a) && is_nan(b));
}

template <class T>
std::vector<T> with_nans(std::vector<T> values) {
    if (std::numeric_limits<T>::has_quiet_NaN) {
        for (size_t i = 0; i < values.size(); i += 11) values[i] = std::numeric_limits<T>::quiet_NaN();
    }
    return values;
}

template <class T>
std::vector<T> any_numbers(int64_t n) {
    std::vector<T> values;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t bits = static_cast<int64_t>(generator()());
        values.push_back(std::is_integral<T>::value ? static_cast<T>(bits)
                                                    : static_cast<T>(static_cast<double>(bits) * 1e-15));
    }
    return values;
}

// The stable order of one row, by the standard library.
template <class T>
std::vector<int64_t> order_of(const std::vector<T>& v, const std::vector<int64_t>& row, bool descending) {
    std::vector<int64_t> order(row.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return descending ? before(v[row[b]], v[row[a]]) : before(v[row[a]], v[row[b]]);
    });
    return order;
}

// The first `n` of each row's order, in C order of the output that has length n along the axis.
template <class T>
void check_order(const char* name, const std::vector<T>& v, const Shape& shape, int axis, bool descending,
                 const std::vector<T>* values, const std::vector<int64_t>& indices, int64_t n) {
    Shape out = shape;
    if (!out.empty()) out[axis] = n;
    const auto rows = rows_along(shape, shape.empty() ? -1 : axis);
    const auto out_rows = rows_along(out, shape.empty() ? -1 : axis);
    for (size_t r = 0; r < rows.size(); ++r) {
        const std::vector<int64_t> order = order_of(v, rows[r], descending);
        for (int64_t i = 0; i < n; ++i) {
            const int64_t at = out_rows[r][i];
            if (indices[at] == order[i] && (values == nullptr || identical((*values)[at], v[rows[r][order[i]]])))
                continue;
            ++failures;
            std::printf("%s: element %ld of row %zu of %zu differs\n", name, static_cast<long>(i), r, rows.size());
            return;
        }
    }
}

template <class T>
void check_sorts(const Array<T>& x, const std::vector<T>& v, int axis, Layout layout) {
    Array<T> values(x.shape, layout);
    Array<int64_t> indices(x.shape, layout);
    for (const bool descending : {false, true}) {
        RUN(0, aclnnSort, x.handle, true, axis, descending, values.handle, indices.handle);
        const std::vector<T> sorted = values.read();
        check_order("sort", v, x.shape, axis, descending, &sorted, indices.read(), x.shape.empty() ? 1 : x.shape[axis]);
    }
    if (x.shape.empty()) return;
    const int64_t n = x.shape[axis];
    RUN(0, aclnnArgsort, x.handle, axis - static_cast<int>(x.shape.size()), true, indices.handle);
    check_order<T>("argsort", v, x.shape, axis, true, nullptr, indices.read(), n);
    for (const int64_t k : {int64_t{0}, n / 9, n / 2, n}) {
        Shape shape = x.shape;
        shape[axis] = k;
        Array<T> first(shape, layout);
        Array<int64_t> where(shape, layout);
        RUN(0, aclnnTopk, x.handle, k, axis, k % 2 == 0, true, first.handle, where.handle);
        const std::vector<T> chosen = first.read();
        check_order("topk", v, x.shape, axis, k % 2 == 0, &chosen, where.read(), k);
    }
}

template <class T>
void check_choices(const Array<T>& x, const std::vector<T>& v, int axis, Layout layout) {
    const auto rows = rows_along(x.shape, axis);
    const int64_t n = x.shape[axis];
    Array<T> value(without(x.shape, axis), layout);
    Array<int64_t> index(without(x.shape, axis), layout);
    const auto check = [&](const char* name, auto position) {
        const std::vector<T> values = value.read();
        const std::vector<int64_t> indices = index.read();
        for (size_t r = 0; r < rows.size(); ++r) {
            const int64_t want = position(rows[r]);
            if (indices[r] == want && identical(values[r], v[rows[r][want]])) continue;
            ++failures;
            std::printf("%s: row %zu of %zu differs\n", name, r, rows.size());
            return;
        }
    };
    const auto first_nan = [&](const std::vector<int64_t>& row) {
        return std::find_if(row.begin(), row.end(), [&](int64_t i) { return is_nan(v[i]); }) - row.begin();
    };
    for (const int64_t k : {int64_t{1}, (n + 1) / 2, n}) {
        RUN(0, aclnnKthvalue, x.handle, k, axis, false, value.handle, index.handle);
        check("kthvalue", [&](const std::vector<int64_t>& row) { return order_of(v, row, false)[k - 1]; });
    }
    RUN(0, aclnnMedianDim, x.handle, axis, false, value.handle, index.handle);
    check("median", [&](const std::vector<int64_t>& row) {
        return first_nan(row) < n ? first_nan(row) : order_of(v, row, false)[(n - 1) / 2];
    });
    RUN(0, aclnnNanMedianDim, x.handle, axis, false, value.handle, index.handle);
    check("nanmedian", [&](const std::vector<int64_t>& row) {
        const auto numbers = std::count_if(row.begin(), row.end(), [&](int64_t i) { return !is_nan(v[i]); });
        return numbers == 0 ? 0 : order_of(v, row, false)[(numbers - 1) / 2];
    });
    RUN(0, aclnnMaxDim, x.handle, axis, false, value.handle, index.handle);
    check("max", [&](const std::vector<int64_t>& row) {
        return first_nan(row) < n ? first_nan(row) : order_of(v, row, true)[0];
    });
    RUN(0, aclnnArgMin, x.handle, axis, false, index.handle);
    const std::vector<int64_t> least = index.read();
    for (size_t r = 0; r < rows.size(); ++r) {
        CHECK(least[r] == (first_nan(rows[r]) < n ? first_nan(rows[r]) : order_of(v, rows[r], false)[0]));
    }
}

template <class T>
void check_type() {
    for (const Shape& shape : kShapes) {
        for (const Layout layout : kLayouts) {
            const bool few = count(shape) % 2 == 0;
            const Array<T> x(shape, with_nans(few ? small_numbers<T>(count(shape)) : any_numbers<T>(count(shape))),
                             layout);
            const std::vector<T> v = x.read();
            const Layout out = layout == Layout::Broadcast ? Layout::Dense : layout;
            for (int axis = 0; axis < std::max(1, static_cast<int>(shape.size())); ++axis) {
                check_sorts<T>(x, v, axis, out);
                if (count(shape) > 0 && !shape.empty()) check_choices<T>(x, v, axis, out);
            }
        }
    }
}

void zeros_of_either_sign_are_equal() {
    const Array<double> x({5}, {0.0, -0.0, 1, -0.0, 0.0});
    Array<double> values({5});
    Array<int64_t> indices({5});
    RUN(0, aclnnSort, x.handle, true, 0, false, values.handle, indices.handle);
    CHECK((indices.read() == std::vector<int64_t>{0, 1, 3, 4, 2}));
    CHECK(!std::signbit(values.read()[0]) && std::signbit(values.read()[1]));
}

void complex_numbers_sort_by_real_then_imaginary_part() {
    using C = std::complex<float>;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<C> v = {C(1, 2), C(nan, 0), C(1, -2), C(0, nan), C(-1, 9), C(nan, nan), C(0, 5), C(nan, -1)};
    const Array<C> x({8}, v);
    Array<C> values({8});
    Array<int64_t> indices({8});
    RUN(0, aclnnSort, x.handle, false, -1, false, values.handle, indices.handle);
    CHECK((indices.read() == order_of(v, {0, 1, 2, 3, 4, 5, 6, 7}, false)));
}

// Keys that crowd together below their leading 32 bits, in a row long enough for several threads.
void crowded_keys_are_told_apart() {
    const int64_t n = 300000;
    std::vector<double> v;
    for (int64_t i = 0; i < n; ++i)
        v.push_back(i % 3 == 0 ? 1e300 : 1 + static_cast<double>(generator()() % 1000) * 1e-15);
    const Array<double> x({n}, v);
    Array<double> values({n});
    Array<int64_t> indices({n});
    RUN(0, aclnnSort, x.handle, true, 0, false, values.handle, indices.handle);
    std::vector<int64_t> row(n);
    std::iota(row.begin(), row.end(), 0);
    CHECK(indices.read() == order_of(v, row, false));
}

void bad_arguments_are_refused() {
    const Array<float> x({2, 3}), none({2, 0});
    Array<float> values({2, 3}), row({2});
    Array<int64_t> indices({2, 3}), index({2});
    Array<int32_t> narrow({2, 3});
    Array<double> wide({2, 3});
    const auto sort = [&](aclTensor* v, aclTensor* i, int64_t dim) {
        RUN(ACLNN_ERR_PARAM_INVALID, aclnnSort, x.handle, false, dim, false, v, i);
    };
    sort(values.handle, narrow.handle, 0);
    sort(wide.handle, indices.handle, 0);
    sort(row.handle, indices.handle, 0);
    sort(values.handle, indices.handle, 2);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnSort, x.handle, false, 0, false, values.handle, nullptr);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnTopk, x.handle, 4, 1, true, true, values.handle, indices.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnKthvalue, x.handle, 0, 1, false, row.handle, index.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnArgMax, none.handle, 1, false, index.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnArgMax, x.handle, 1, true, index.handle);
}

}  // namespace

int main() {
    const Device device;
    check_type<int8_t>();
    check_type<uint8_t>();
    check_type<int16_t>();
    check_type<uint16_t>();
    check_type<int32_t>();
    check_type<uint32_t>();
    check_type<int64_t>();
    check_type<uint64_t>();
    check_type<float>();
    check_type<double>();
    zeros_of_either_sign_are_equal();
    complex_numbers_sort_by_real_then_imaginary_part();
    crowded_keys_are_told_apart();
    bad_arguments_are_refused();
    return std::min<int>(failures, 99);  // an exit status has eight bits
}
