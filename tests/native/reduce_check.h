// What the tests of reductions, scans, sorts and searches share: arrays of any layout with a host copy, and one-line
// calls.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <random>
#include <type_traits>

#include "meta_check.h"

template <class T>
constexpr aclDataType type_code() {
    if (std::is_same<T, bool>::value) return ACL_BOOL;
    if (std::is_same<T, int8_t>::value) return ACL_INT8;
    if (std::is_same<T, uint8_t>::value) return ACL_UINT8;
    if (std::is_same<T, int16_t>::value) return ACL_INT16;
    if (std::is_same<T, uint16_t>::value) return ACL_UINT16;
    if (std::is_same<T, int32_t>::value) return ACL_INT32;
    if (std::is_same<T, uint32_t>::value) return ACL_UINT32;
    if (std::is_same<T, int64_t>::value) return ACL_INT64;
    if (std::is_same<T, uint64_t>::value) return ACL_UINT64;
    if (std::is_same<T, float>::value) return ACL_FLOAT;
    if (std::is_same<T, double>::value) return ACL_DOUBLE;
    if (std::is_same<T, std::complex<float>>::value) return ACL_COMPLEX64;
    return ACL_COMPLEX128;
}

enum class Layout { Dense, Fortran, Strided, Broadcast };  // Broadcast: the first dimension repeats
constexpr Layout kLayouts[] = {Layout::Dense, Layout::Fortran, Layout::Strided, Layout::Broadcast};

using Shape = std::vector<int64_t>;

inline int64_t count(const Shape& shape) {
    int64_t n = 1;
    for (const int64_t d : shape) n *= d;
    return n;
}

// A tensor and its elements. `storage` outlives changes of the handle's shape.
template <class T>
struct Array {
    Shape shape, stride;
    int64_t offset = 0;
    std::vector<int64_t> where;  // of each element in C order
    int64_t extent = 1;
    Memory memory;
    aclTensor* handle;

    explicit Array(const Shape& s, Layout layout = Layout::Dense)
        : shape(s), stride(strides(s, layout)), memory(bytes()) {
        offset = layout == Layout::Strided ? 1 : 0;
        handle = aclCreateTensor(shape.data(), shape.size(), type_code<T>(), stride.data(), offset, ACL_FORMAT_ND,
                                 &extent, 1, memory.data);
    }
    Array(const Shape& s, const std::vector<T>& values, Layout layout = Layout::Dense) : Array(s, layout) {
        write(values);
    }
    ~Array() { aclDestroyTensor(handle); }
    Array(const Array&) = delete;

    int64_t size() const { return static_cast<int64_t>(where.size()); }
    void write(const std::vector<T>& values) {
        std::unique_ptr<T[]> host(new T[memory.bytes / sizeof(T)]());
        for (size_t i = 0; i < where.size(); ++i) host[where[i] + offset] = values[i];
        CODE(0, aclrtMemcpy(memory.data, memory.bytes, host.get(), memory.bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }
    std::vector<T> read() const { return read_first(size()); }
    // The first n elements in C order; for outputs that have become smaller, `dense` ones.
    std::vector<T> read_first(int64_t n) const {
        std::unique_ptr<T[]> host(new T[memory.bytes / sizeof(T)]());
        CODE(0, aclrtMemcpy(host.get(), memory.bytes, memory.data, memory.bytes, ACL_MEMCPY_DEVICE_TO_HOST));
        std::vector<T> values;
        for (int64_t i = 0; i < n; ++i) values.push_back(host[where[i] + offset]);
        return values;
    }
    Shape view_shape() const {
        int64_t* dims = nullptr;
        uint64_t n = 0;
        CODE(0, aclGetViewShape(handle, &dims, &n));
        const Shape result(dims, dims + n);
        delete[] dims;
        return result;
    }

  private:
    static Shape strides(const Shape& s, Layout layout) {
        Shape result(s.size());
        int64_t step = layout == Layout::Strided ? 2 : 1;
        for (size_t k = 0; k < s.size(); ++k) {
            const size_t d = layout == Layout::Fortran ? k : s.size() - 1 - k;
            result[d] = layout == Layout::Broadcast && d == 0 && s.size() > 1 ? 0 : step;
            step *= s[d] + (layout == Layout::Strided ? 1 : 0);
        }
        return result;
    }
    size_t bytes() {
        const int64_t n = count(shape);
        for (int64_t i = 0; i < n; ++i) {
            int64_t at = 0, left = i;
            for (size_t d = shape.size(); d-- > 0;) {
                at += left % shape[d] * stride[d];
                left /= shape[d];
            }
            where.push_back(at);
            extent = at + 2 > extent ? at + 2 : extent;
        }
        return extent * sizeof(T);
    }
};

struct Ints {
    aclIntArray* handle;
    Ints(std::initializer_list<int64_t> values) : handle(aclCreateIntArray(values.begin(), values.size())) {}
    explicit Ints(const Shape& values) : handle(aclCreateIntArray(values.data(), values.size())) {}
    ~Ints() { aclDestroyIntArray(handle); }
    Ints(const Ints&) = delete;
};

struct Number {
    aclScalar* handle;
    explicit Number(double x) : handle(scalar(x, ACL_DOUBLE)) {}
    explicit Number(int64_t x) : handle(scalar(x, ACL_INT64)) {}
    ~Number() { aclDestroyScalar(handle); }
    Number(const Number&) = delete;
};

// Phase 1 gives that status; if it is 0, the operator runs and is waited for.
#define RUN(expected, op, ...)                                                    \
    do {                                                                          \
        uint64_t workspace = 0;                                                   \
        aclOpExecutor* executor = nullptr;                                        \
        CODE(expected, op##GetWorkspaceSize(__VA_ARGS__, &workspace, &executor)); \
        if (executor != nullptr && (expected) == 0) {                             \
            CHECK(workspace == 0);                                                \
            CODE(0, op(nullptr, workspace, executor, nullptr));                   \
            CODE(0, aclrtSynchronizeStream(nullptr));                             \
        }                                                                         \
    } while (0)

inline std::mt19937_64& generator() {
    static std::mt19937_64 g(20261201);
    return g;
}

// Small whole numbers, so that sums of floats are exact.
template <class T>
std::vector<T> small_numbers(int64_t n) {
    std::vector<T> values;
    for (int64_t i = 0; i < n; ++i) {
        const int x = static_cast<int>(generator()() % 19) - (std::is_unsigned<T>::value ? 0 : 9);
        values.push_back(static_cast<T>(x));
    }
    return values;
}

inline bool same_value(double a, double b, double tolerance) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}

// The groups of elements that an axis (or all, axis -1) reduces: for each output in C order, C-order positions.
inline std::vector<std::vector<int64_t>> rows_along(const Shape& shape, int axis) {
    const int64_t n = count(shape);
    if (axis < 0) {
        std::vector<int64_t> all;
        for (int64_t i = 0; i < n; ++i) all.push_back(i);
        return {all};
    }
    int64_t inner = 1, outer = 1;
    for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
    for (int d = 0; d < axis; ++d) outer *= shape[d];
    std::vector<std::vector<int64_t>> rows;
    for (int64_t o = 0; o < outer; ++o) {
        for (int64_t i = 0; i < inner; ++i) {
            rows.emplace_back();
            for (int64_t k = 0; k < shape[axis]; ++k) rows.back().push_back((o * shape[axis] + k) * inner + i);
        }
    }
    return rows;
}

inline Shape without(const Shape& shape, int axis) {
    if (axis < 0) return {};
    Shape result = shape;
    result.erase(result.begin() + axis);
    return result;
}
