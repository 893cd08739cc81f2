// What the tests of data movement share: results described by where each element comes from.
#pragma once

#include <functional>

#include "reduce_check.h"

// Coordinates of the i-th element of a shape, in C order, and back.
inline Shape coordinates(const Shape& shape, int64_t i) {
    Shape at(shape.size());
    for (size_t d = shape.size(); d-- > 0;) {
        at[d] = i % shape[d];
        i /= shape[d];
    }
    return at;
}
inline int64_t position(const Shape& shape, const Shape& at) {
    int64_t i = 0;
    for (size_t d = 0; d < shape.size(); ++d) i = i * shape[d] + at[d];
    return i;
}

constexpr int64_t kFill = -1;  // not from the source
using Source = std::function<int64_t(const Shape& at)>;  // where the element at these coordinates comes from

// The expected result: elements of `from`, or `fill`.
template <class T>
std::vector<T> expected(const Shape& shape, const std::vector<T>& from, const Source& source, T fill = T()) {
    std::vector<T> out;
    for (int64_t i = 0; i < count(shape); ++i) {
        const int64_t k = source(coordinates(shape, i));
        out.push_back(k == kFill ? fill : from[k]);
    }
    return out;
}

// Different values for neighbouring elements, for every type.
template <class T>
std::vector<T> numbered(int64_t n) {
    std::vector<T> values;
    for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<T>(static_cast<double>(i % 97 + 1)));
    return values;
}
template <>
inline std::vector<bool> numbered<bool>(int64_t n) {
    std::vector<bool> values;
    for (int64_t i = 0; i < n; ++i) values.push_back(i * i % 7 < 3);
    return values;
}

// Runs f<T>() for a type of every size and kind.
template <template <class> class Test>
void for_each_type() {
    Test<bool>::run();
    Test<int8_t>::run();
    Test<uint16_t>::run();
    Test<int32_t>::run();
    Test<float>::run();
    Test<int64_t>::run();
    Test<double>::run();
    Test<std::complex<float>>::run();
    Test<std::complex<double>>::run();
}

constexpr Layout kWritable[] = {Layout::Dense, Layout::Fortran, Layout::Strided};

// Runs a planned call that must fail when the stream gets there, with this code.
#define RUN_FAILS(code, op, ...)                                                \
    do {                                                                        \
        uint64_t workspace = 0;                                                 \
        aclOpExecutor* executor = nullptr;                                      \
        CODE(0, op##GetWorkspaceSize(__VA_ARGS__, &workspace, &executor));      \
        const int32_t launched = op(nullptr, workspace, executor, nullptr);     \
        CODE(code, launched != 0 ? launched : aclrtSynchronizeStream(nullptr)); \
    } while (0)

struct List {
    aclTensorList* handle;
    explicit List(const std::vector<const aclTensor*>& tensors)
        : handle(aclCreateTensorList(tensors.data(), tensors.size())) {}
    List(const List&) = delete;  // the arrays own the tensors: the list's destructor would destroy them twice
};
