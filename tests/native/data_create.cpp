// New arrays: arange, range, linspace, logspace, eye and one_hot in every type, lengths that do not fit, and 16-bit
// floats.
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_eye.h"
#include "aclnnop/aclnn_linspace.h"
#include "aclnnop/aclnn_logspace.h"
#include "aclnnop/aclnn_one_hot.h"
#include "aclnnop/aclnn_range.h"
#include "data_check.h"

namespace {

template <class T>
struct Sequences {
    static void run() {
        for (const Layout layout : kWritable) {
            steps(layout);
            units(layout);
            if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) between(layout);
        }
    }
    // Whole numbers: exact in every type.
    static void steps(Layout layout) {
        struct {
            int64_t start, end, step, n;
        } table[] = {{0, 2, 1, 2}, {0, 100, 3, 34}, {7, -8, -5, 3}, {3, 3, 1, 0}, {4, 1, 1, 0}, {100, 101, 1000, 1}};
        for (const auto& row : table) {
            if (std::is_same<T, bool>::value && row.n > 2) continue;
            std::vector<T> wanted;
            for (int64_t i = 0; i < row.n; ++i)
                wanted.push_back(static_cast<T>(static_cast<double>(row.start + i * row.step)));
            if (std::is_unsigned<T>::value && row.step < 0)
                wanted.back() = static_cast<T>(row.start + (row.n - 1) * row.step);
            Array<T> out({row.n}, layout);
            RUN(0, aclnnArange, Number(row.start).handle, Number(row.end).handle, Number(row.step).handle, out.handle);
            CHECK(out.read() == wanted);
        }
    }
    static void units(Layout layout) {
        for (const Shape& shape : {Shape{3, 3}, Shape{2, 5}, Shape{4, 1}, Shape{0, 3}}) {
            Array<T> out(shape, std::vector<T>(count(shape), T(1)), layout);
            RUN(0, aclnnEye, shape[0], shape[1], out.handle);
            CHECK(out.read() == expected<T>(shape, {T(1)}, [](const Shape& p) { return p[0] == p[1] ? 0 : kFill; }));
        }
        Array<int32_t> index({2, 2}, {1, 0, 2, -1}, layout);
        Array<T> on({1}, {T(1)}), off({}, {T(0)}), last({2, 2, 3}, layout), first({3, 2, 2}, layout);
        RUN(0, aclnnOneHot, index.handle, 3, on.handle, off.handle, -1, last.handle);
        const int64_t classes[] = {1, 0, 2, -1};
        CHECK(last.read() == expected<T>({2, 2, 3}, {T(1)},
                                         [&](const Shape& p) { return classes[p[0] * 2 + p[1]] == p[2] ? 0 : kFill; }));
        RUN(0, aclnnOneHot, index.handle, 3, on.handle, off.handle, 0, first.handle);
        CHECK(first.read() == expected<T>({3, 2, 2}, {T(1)}, [&](const Shape& p) {
                  return classes[p[1] * 2 + p[2]] == p[0] ? 0 : kFill;
              }));
    }
    static void between(Layout layout) {
        struct {
            double start, end;
            int64_t n;
        } table[] = {{0, 1, 11}, {2, 2, 5}, {1, 100, 1000}, {90, 4, 10}, {3, 4, 1}, {1, 2, 0}};
        for (const auto& row : table) {
            Array<T> out({row.n}, layout);
            RUN(0, aclnnLinspace, Number(row.start).handle, Number(row.end).handle, row.n, out.handle);
            const std::vector<T> got = out.read();
            for (int64_t i = 0; i < row.n; ++i) {
                const double exact = row.n == 1 ? row.start : row.start + i * ((row.end - row.start) / (row.n - 1));
                const double value = i > 0 && i == row.n - 1 ? row.end : exact;
                CHECK(got[i] == static_cast<T>(std::is_integral<T>::value ? std::floor(value) : value));
            }
        }
    }
};

void test_floats() {
    // as NumPy: the second element is rounded by itself, and gives the step
    Array<float> out({10});
    RUN(0, aclnnArange, Number(0.1).handle, Number(1.1).handle, Number(0.1).handle, out.handle);
    const float start = 0.1f, step = static_cast<float>(0.1 + 0.1) - start;
    for (int i = 0; i < 10; ++i) CHECK(out.read()[i] == start + static_cast<float>(i) * step);
    Array<double> wide({1000});
    RUN(0, aclnnArange, Number(1.5).handle, Number(301.5).handle, Number(0.3).handle, wide.handle);
    for (int i = 0; i < 1000; ++i) CHECK(wide.read()[i] == 1.5 + i * ((1.5 + 0.3) - 1.5));
    Array<double> closed({13}), powers({3});
    RUN(0, aclnnRange, Number(1.0).handle, Number(7.0).handle, Number(0.5).handle, closed.handle);
    CHECK(closed.read().back() == 7.0);
    RUN(0, aclnnLogSpace, Number(0.0).handle, Number(2.0).handle, 3, 10.0, powers.handle);
    CHECK((powers.read() == std::vector<double>{1, 10, 100}));
    Array<int64_t> exact({3});
    const int64_t far = int64_t{1} << 60;
    RUN(0, aclnnArange, Number(far + 1).handle, Number(far + 7).handle, Number(int64_t{2}).handle, exact.handle);
    CHECK((exact.read() == std::vector<int64_t>{far + 1, far + 3, far + 5}));
}

void test_halves() {
    struct {
        aclDataType type;
        std::vector<uint16_t> bits;
    } table[] = {{ACL_FLOAT16, {0x3800, 0x3c00, 0x3e00, 0x4000}}, {ACL_BF16, {0x3f00, 0x3f80, 0x3fc0, 0x4000}}};
    for (const auto& row : table) {
        Memory memory(8);
        aclTensor* out = tensor({4}, row.type, memory.data);
        RUN(0, aclnnArange, Number(0.5).handle, Number(2.5).handle, Number(0.5).handle, out);
        CHECK(memory.read<uint16_t>() == row.bits);
        RUN(0, aclnnLinspace, Number(0.5).handle, Number(2.0).handle, 4, out);
        CHECK(memory.read<uint16_t>() == row.bits);
        aclDestroyTensor(out);
    }
}

void test_refused() {
    Array<int32_t> out({3}), square({2, 2});
    const Number zero(int64_t{0}), three(int64_t{3}), half(0.5), endless(std::numeric_limits<double>::infinity());
    RUN(161002, aclnnArange, zero.handle, three.handle, zero.handle, out.handle);
    RUN(161002, aclnnArange, zero.handle, three.handle, half.handle, out.handle);
    RUN(161002, aclnnArange, zero.handle, endless.handle, three.handle, out.handle);
    RUN(161002, aclnnArange, zero.handle, three.handle, three.handle, square.handle);
    RUN(161001, aclnnArange, nullptr, three.handle, three.handle, out.handle);
    RUN(161002, aclnnLinspace, zero.handle, three.handle, -1, out.handle);
    RUN(161002, aclnnLinspace, zero.handle, three.handle, 4, out.handle);
    RUN(161002, aclnnEye, 3, 1, square.handle);
    Array<float> on({1}), off({2});
    Array<float> hot({3, 2});
    RUN(161002, aclnnOneHot, out.handle, 2, on.handle, off.handle, -1, hot.handle);
    RUN(161002, aclnnOneHot, out.handle, 2, on.handle, on.handle, 2, hot.handle);
}

}  // namespace

int main() {
    Device device;
    for_each_type<Sequences>();
    test_floats();
    test_halves();
    test_refused();
    return failures;
}
