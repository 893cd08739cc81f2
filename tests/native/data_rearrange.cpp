// Transposes, reversals, repetitions, padding, triangles, joins and splits: every item size in every layout, against
// where each element must come from; and what is refused.
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_circular_pad2d.h"
#include "aclnnop/aclnn_circular_pad2d_backward.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_diag.h"
#include "aclnnop/aclnn_diag_flat.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_fill_diagonal.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad1d_backward.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_slice_v2.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "aclnnop/aclnn_split_with_size.h"
#include "aclnnop/aclnn_stack.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "data_check.h"

namespace {

using Apply = std::function<void(const aclTensor* self, aclTensor* out)>;

struct Case {
    const char* name;
    Shape in, out;
    Source source;  // positions of `in`
    Apply apply;
};

int64_t wrap(int64_t i, int64_t n) { return (i % n + n) % n; }
int64_t reflect(int64_t i, int64_t n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }
int64_t clamp(int64_t i, int64_t n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

void reversed(const aclTensor* x, aclTensor* out, const Ints& dims) { RUN(0, aclnnFlip, x, dims.handle, out); }

std::vector<Case> cases() {
    const Shape m{3, 4}, c{2, 3, 5}, big{70, 90};
    std::vector<Case> all;
    const auto at = [](const Shape& shape, const Shape& p) { return position(shape, p); };
    all.push_back({"flip 0", m, m, [=](const Shape& p) { return at(m, {2 - p[0], p[1]}); },
                   [](const aclTensor* x, aclTensor* out) { reversed(x, out, {0}); }});
    all.push_back({"flip both", big, big, [=](const Shape& p) { return at(big, {69 - p[0], 89 - p[1]}); },
                   [](const aclTensor* x, aclTensor* out) { reversed(x, out, {-1, 0}); }});
    all.push_back({"flip scalar",
                   {},
                   {},
                   [](const Shape&) { return int64_t{0}; },
                   [](const aclTensor* x, aclTensor* out) { reversed(x, out, Ints(Shape{})); }});
    all.push_back({"flip nothing",
                   {0, 3},
                   {0, 3},
                   [](const Shape&) { return int64_t{0}; },
                   [](const aclTensor* x, aclTensor* out) { reversed(x, out, {0}); }});
    all.push_back({"permute",
                   c,
                   {5, 2, 3},
                   [=](const Shape& p) { return at(c, {p[1], p[2], p[0]}); },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnPermute, x, Ints{2, 0, -2}.handle, out); }});
    all.push_back(
        {"roll", m, m, [=](const Shape& p) { return at(m, {wrap(p[0] + 1, 3), wrap(p[1] - 5, 4)}); },
         [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnRoll, x, Ints{-1, 5}.handle, Ints{0, 1}.handle, out); }});
    all.push_back(
        {"roll flat", m, m, [=](const Shape& p) { return wrap(at(m, p) - 5, 12); },
         [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnRoll, x, Ints{5}.handle, Ints{}.handle, out); }});
    all.push_back({"tile",
                   m,
                   {2, 9, 4},
                   [=](const Shape& p) { return at(m, {p[1] % 3, p[2]}); },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnRepeat, x, Ints{2, 3, 1}.handle, out); }});
    all.push_back(
        {"repeat last",
         m,
         {3, 12},
         [=](const Shape& p) { return at(m, {p[0], p[1] / 3}); },
         [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnRepeatInterleaveIntWithDim, x, 3, 1, 12, out); }});
    all.push_back(
        {"repeat first",
         m,
         {6, 4},
         [=](const Shape& p) { return at(m, {p[0] / 2, p[1]}); },
         [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnRepeatInterleaveIntWithDim, x, 2, 0, 6, out); }});
    all.push_back({"repeat by array",
                   m,
                   {4, 4},
                   [=](const Shape& p) { return at(m, {p[0] < 3 ? 0 : 2, p[1]}); },
                   [](const aclTensor* x, aclTensor* out) {
                       Array<int64_t> repeats({3}, {3, 0, 1});
                       RUN(0, aclnnRepeatInterleaveWithDim, x, repeats.handle, 0, 4, out);
                   }});
    all.push_back({"expand",
                   {3, 1},
                   {2, 3, 4},
                   [](const Shape& p) { return p[1]; },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnExpand, x, Ints{2, -1, 4}.handle, out); }});
    all.push_back({"slice",
                   c,
                   {2, 2, 2},
                   [=](const Shape& p) { return at(c, {p[0], p[1] + 1, 1 + 2 * p[2]}); },
                   [](const aclTensor* x, aclTensor* out) {
                       RUN(0, aclnnSliceV2, x, Ints{1, 1}.handle, Ints{9, -1}.handle, Ints{1, -1}.handle,
                           Ints{1, 2}.handle, out);
                   }});
    all.push_back({"tril",
                   {2, 3, 5},
                   {2, 3, 5},
                   [=](const Shape& p) { return p[2] > p[1] + 1 ? kFill : at(c, p); },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnTril, x, 1, out); }});
    all.push_back({"triu", big, big, [=](const Shape& p) { return p[1] < p[0] - 7 ? kFill : at(big, p); },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnTriu, x, -7, out); }});
    all.push_back({"diagonal",
                   m,
                   {3},
                   [=](const Shape& p) { return at(m, {p[0], p[0] + 1}); },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnDiag, x, 1, out); }});
    all.push_back({"diagonal matrix",
                   {3},
                   {5, 5},
                   [](const Shape& p) { return p[0] - 2 == p[1] ? p[1] : kFill; },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnDiag, x, -2, out); }});
    all.push_back({"diag_flat",
                   {2, 2},
                   {4, 4},
                   [](const Shape& p) { return p[0] == p[1] ? p[0] : kFill; },
                   [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnDiagFlat, x, 0, out); }});
    all.push_back({"constant pad",
                   m,
                   {5, 5},
                   [=](const Shape& p) {
                       const bool inside = p[0] > 0 && p[0] < 4 && p[1] < 3;
                       return inside ? at(m, {p[0] - 1, p[1] + 1}) : kFill;
                   },
                   [](const aclTensor* x, aclTensor* out) {
                       RUN(0, aclnnConstantPadNd, x, Ints{-1, 2, 1, 1}.handle, Number(int64_t{0}).handle, out);
                   }});
    all.push_back(
        {"reflection",
         {2, 3, 4},
         {2, 5, 8},
         [](const Shape& p) { return position({2, 3, 4}, {p[0], reflect(p[1] - 2, 3), reflect(p[2] - 1, 4)}); },
         [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnReflectionPad2d, x, Ints{1, 3, 2, 0}.handle, out); }});
    all.push_back(
        {"replication",
         {2, 3},
         {2, 12},
         [](const Shape& p) { return position({2, 3}, {p[0], clamp(p[1] - 4, 3)}); },
         [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnReplicationPad1d, x, Ints{4, 5}.handle, out); }});
    all.push_back(
        {"circular",
         {1, 3, 4},
         {1, 5, 7},
         [](const Shape& p) { return position({1, 3, 4}, {0, wrap(p[1] - 1, 3), wrap(p[2] - 3, 4)}); },
         [](const aclTensor* x, aclTensor* out) { RUN(0, aclnnCircularPad2d, x, Ints{3, 0, 1, 1}.handle, out); }});
    return all;
}

template <class T>
struct Moves {
    static void run() {
        for (const Case& c : cases()) {
            const std::vector<T> values = numbered<T>(count(c.in));
            for (const Layout in : kWritable) {
                for (const Layout layout : kWritable) {
                    Array<T> self(c.in, values, in), out(c.out, layout);
                    c.apply(self.handle, out.handle);
                    const bool same = out.read() == expected<T>(c.out, values, c.source);
                    if (!same)
                        std::printf("%s, item size %zu, layouts %d, %d\n", c.name, sizeof(T), int(in), int(layout));
                    CHECK(same);
                }
            }
        }
        join();
        in_place();
    }
    // cat, stack and both splits, which take lists
    static void join() {
        const std::vector<T> a = numbered<T>(6), b = numbered<T>(3), whole = [&] {
            std::vector<T> v(a.begin(), a.begin() + 2);
            v.push_back(b[0]);
            v.insert(v.end(), a.begin() + 2, a.begin() + 4);
            v.push_back(b[1]);
            v.insert(v.end(), a.begin() + 4, a.end());
            v.push_back(b[2]);
            return v;
        }();
        for (const Layout layout : kWritable) {
            Array<T> left({3, 2}, a, layout), right({3, 1}, b, layout), out({3, 3}, layout), stacked({3, 2, 2}, layout);
            List parts({left.handle, right.handle}), twice({left.handle, left.handle});
            RUN(0, aclnnCat, parts.handle, -1, out.handle);
            CHECK(out.read() == whole);
            RUN(0, aclnnStack, twice.handle, 1, stacked.handle);
            CHECK(stacked.read() == expected<T>({3, 2, 2}, a, [](const Shape& p) { return p[0] * 2 + p[2]; }));
            Array<T> first({3, 2}, layout), second({3, 1}, layout);
            List outputs({first.handle, second.handle});
            RUN(0, aclnnSplitTensor, out.handle, 2, 1, outputs.handle);
            CHECK(first.read() == a && second.read() == b);
            Array<T> third({3, 2}, layout), fourth({3, 1}, layout);
            List sized({third.handle, fourth.handle});
            RUN(0, aclnnSplitWithSize, out.handle, Ints{2, 1}.handle, -1, sized.handle);
            CHECK(third.read() == a && fourth.read() == b);
        }
    }
    static void in_place() {
        const std::vector<T> values = numbered<T>(20);
        for (const Layout layout : kWritable) {
            Array<T> self({4, 5}, values, layout), tall({5, 2}, std::vector<T>(10), layout);
            RUN(0, aclnnInplaceTril, self.handle, 0);
            CHECK(self.read() ==
                  expected<T>({4, 5}, values, [](const Shape& p) { return p[1] > p[0] ? kFill : p[0] * 5 + p[1]; }));
            RUN(0, aclnnInplaceFillDiagonal, tall.handle, Number(int64_t{1}).handle, true);
            CHECK(tall.read() ==
                  expected<T>({5, 2}, {T(1)}, [](const Shape& p) { return (p[0] * 2 + p[1]) % 3 ? kFill : 0; }));
        }
    }
};

// A gradient goes back to where its element came from; what was copied twice adds up.
template <class T>
void test_pad_gradients() {
    using Gradient = std::function<void(const aclTensor* grad, const aclTensor* self, aclTensor* out)>;
    const Gradient gradients[] = {[](const aclTensor* g, const aclTensor* x, aclTensor* out) {
                                      RUN(0, aclnnReflectionPad2dBackward, g, x, Ints{1, 3, 2, 0}.handle, out);
                                  },
                                  [](const aclTensor* g, const aclTensor* x, aclTensor* out) {
                                      RUN(0, aclnnReplicationPad1dBackward, g, x, Ints{4, 5}.handle, out);
                                  },
                                  [](const aclTensor* g, const aclTensor* x, aclTensor* out) {
                                      RUN(0, aclnnCircularPad2dBackward, g, x, Ints{3, 0, 1, 1}.handle, out);
                                  }};
    const std::vector<Case> all = cases();
    for (size_t k = 0; k < 3; ++k) {
        const Case& c = all[all.size() - 3 + k];
        const std::vector<T> grad = numbered<T>(count(c.out));
        std::vector<T> wanted(count(c.in));
        for (int64_t i = 0; i < count(c.out); ++i) wanted[c.source(coordinates(c.out, i))] += grad[i];
        for (const Layout layout : kWritable) {
            Array<T> padded(c.out, grad, layout), self(c.in), out(c.in, layout);
            gradients[k](padded.handle, self.handle, out.handle);
            CHECK(out.read() == wanted);
        }
    }
}

void test_refused() {
    Array<float> x({3, 4}), y({3, 5}), cube({3, 4, 2}), ints({4, 3});
    Array<int32_t> other({4, 3});
    RUN(161002, aclnnFlip, x.handle, Ints{2}.handle, x.handle);
    RUN(161002, aclnnFlip, x.handle, (Ints{0, -2}.handle), x.handle);
    RUN(161002, aclnnFlip, x.handle, Ints{0}.handle, y.handle);
    RUN(161001, aclnnFlip, x.handle, nullptr, x.handle);
    RUN(161002, aclnnPermute, x.handle, (Ints{1, 0}.handle), other.handle);
    RUN(161002, aclnnPermute, x.handle, (Ints{0}.handle), ints.handle);
    RUN(161002, aclnnReflectionPad2d, cube.handle, (Ints{2, 0, 0, 0}.handle), cube.handle);
    RUN(161002, aclnnConstantPadNd, x.handle, (Ints{-3, -2}.handle), Number(0.0).handle, y.handle);
    RUN(161002, aclnnRepeat, x.handle, (Ints{-1, 1}.handle), x.handle);
    RUN(161002, aclnnExpand, x.handle, (Ints{3, 5}.handle), y.handle);
    List unequal({x.handle, ints.handle});
    RUN(161002, aclnnCat, unequal.handle, 0, x.handle);
    RUN(161001, aclnnCat, nullptr, 0, x.handle);
    RUN(161002, aclnnSplitTensor, x.handle, 0, 0, unequal.handle);
    Array<int64_t> repeats({3}, {1, -1, 4});
    RUN_FAILS(507035, aclnnRepeatInterleaveWithDim, x.handle, repeats.handle, 0, 3, x.handle);
}

}  // namespace

int main() {
    Device device;
    for_each_type<Moves>();
    test_pad_gradients<float>();
    test_pad_gradients<double>();
    test_refused();
    return failures;
}
