// Convolutions, transposed ones and gradients against direct sums, pooling against its definition, and refusals.
#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "reduce_check.h"

namespace {

struct Case {
    Shape x, w;  // (N, C, space...), (out, C / groups, kernel...)
    Shape stride, padding, dilation;
    int64_t groups;
    int spatial() const { return static_cast<int>(x.size()) - 2; }
    Shape y() const {
        Shape s = {x[0], w[0]};
        for (int d = 0; d < spatial(); ++d) {
            s.push_back((x[d + 2] + 2 * padding[d] - dilation[d] * (w[d + 2] - 1) - 1) / stride[d] + 1);
        }
        return s;
    }
};

const Case kCases[] = {
    {{2, 3, 9}, {4, 3, 3}, {1}, {0}, {1}, 1},
    {{2, 4, 17}, {6, 2, 4}, {2}, {3}, {2}, 2},
    {{2, 3, 8, 9}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {{1, 3, 20, 21}, {8, 3, 7, 7}, {2, 2}, {3, 3}, {1, 1}, 1},
    {{2, 6, 10, 11}, {6, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 6},
    {{2, 6, 12, 13}, {9, 2, 3, 3}, {2, 1}, {1, 2}, {2, 3}, 3},
    {{2, 16, 6, 6}, {24, 16, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1},
    {{2, 8, 7, 7}, {130, 8, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1},
    {{1, 60, 5, 9}, {7, 60, 3, 3}, {3, 3}, {2, 2}, {1, 1}, 1},
    {{1, 2, 4, 5, 6}, {3, 2, 2, 3, 2}, {1, 2, 1}, {1, 1, 0}, {1, 1, 2}, 1},
    {{0, 3, 8, 8}, {4, 3, 3, 3}, {1, 1}, {0, 0}, {1, 1}, 1},
};

Shape coordinates(const Shape& shape, int64_t i) {
    Shape at(shape.size());
    for (size_t d = shape.size(); d-- > 0; i /= shape[d]) at[d] = i % shape[d];
    return at;
}

int64_t position(const Shape& shape, const Shape& at) {
    int64_t i = 0;
    for (size_t d = 0; d < shape.size(); ++d) i = i * shape[d] + at[d];
    return i;
}

// Calls f(y index, x index, w index) for every product of a convolution.
template <class F>
void each_product(const Case& c, F&& f) {
    const Shape y = c.y();
    const int64_t out_group = c.w[0] / c.groups, in_group = c.w[1];
    for (int64_t o = 0; o < count(y); ++o) {
        const Shape at = coordinates(y, o);
        const Shape taps(c.w.begin() + 1, c.w.end());
        for (int64_t t = 0; t < count(taps); ++t) {
            const Shape tap = coordinates(taps, t);
            Shape from = {at[0], at[1] / out_group * in_group + tap[0]};
            bool inside = true;
            for (int d = 0; d < c.spatial(); ++d) {
                from.push_back(at[d + 2] * c.stride[d] - c.padding[d] + tap[d + 1] * c.dilation[d]);
                inside = inside && from.back() >= 0 && from.back() < c.x[d + 2];
            }
            if (inside) f(o, position(c.x, from), at[1] * count(taps) + t);
        }
    }
}

// Small whole numbers: all sums are exact.
template <class T>
void test_convolution(const Case& c, Layout layout) {
    Array<T> x(c.x, small_numbers<T>(count(c.x)), layout), w(c.w, small_numbers<T>(count(c.w)), layout);
    const int spatial = c.spatial();
    Array<T> bias({c.w[0]}, small_numbers<T>(c.w[0])), y(c.y(), layout), gx(c.x, layout), gw(c.w, layout), gb({c.w[0]});
    Ints stride(c.stride), padding(c.padding), dilation(c.dilation), none(Shape(spatial, 0)), sizes({c.w[0]});
    const auto xs = x.read(), ws = w.read(), bs = bias.read();
    const int64_t channel = std::max<int64_t>(1, y.size() / std::max<int64_t>(1, c.x[0] * c.w[0]));

    std::vector<T> want(y.size());
    for (int64_t i = 0; i < y.size(); ++i) want[i] = bs[i / channel % c.w[0]];
    each_product(c, [&](int64_t o, int64_t i, int64_t k) { want[o] += xs[i] * ws[k]; });
    RUN(0, aclnnConvolution, x.handle, w.handle, bias.handle, stride.handle, padding.handle, dilation.handle, false,
        none.handle, c.groups, y.handle, 0);
    CHECK(y.read() == want);

    const auto gy = small_numbers<T>(y.size());
    y.write(gy);
    std::vector<T> want_x(x.size()), want_w(w.size()), want_b(c.w[0]);
    each_product(c, [&](int64_t o, int64_t i, int64_t k) {
        want_x[i] += gy[o] * ws[k];
        want_w[k] += gy[o] * xs[i];
    });
    for (int64_t i = 0; i < y.size(); ++i) want_b[i / channel % c.w[0]] += gy[i];
    const bool all[] = {true, true, true};
    aclBoolArray* mask = aclCreateBoolArray(all, 3);
    RUN(0, aclnnConvolutionBackward, y.handle, x.handle, w.handle, sizes.handle, stride.handle, padding.handle,
        dilation.handle, false, none.handle, static_cast<int>(c.groups), mask, 0, gx.handle, gw.handle, gb.handle);
    CHECK(gx.read() == want_x);
    CHECK(gw.read() == want_w);
    CHECK(gb.read() == want_b);
    aclDestroyBoolArray(mask);

    // A transposed convolution of gy is the gradient of x; outputPadding says which of the possible lengths x has.
    Shape rest(spatial);
    bool possible = true;
    for (int d = 0; d < spatial; ++d) {
        rest[d] =
            c.x[d + 2] - ((c.y()[d + 2] - 1) * c.stride[d] - 2 * c.padding[d] + c.dilation[d] * (c.w[d + 2] - 1) + 1);
        possible = possible && rest[d] >= 0 && rest[d] < std::max(c.stride[d], c.dilation[d]);
    }
    if (!possible) return;
    Ints extra(rest);
    RUN(0, aclnnConvolution, y.handle, w.handle, nullptr, stride.handle, padding.handle, dilation.handle, true,
        extra.handle, c.groups, gx.handle, 0);
    CHECK(gx.read() == want_x);
}

void test_refusals() {
    Array<float> x({1, 3, 8, 8}), w({4, 3, 3, 3}), y({1, 4, 6, 6}), wrong({1, 4, 8, 8}), flat({3, 8}),
        odd({4, 2, 3, 3});
    Array<int32_t> whole({1, 3, 8, 8});
    Ints one({1}), zero({0}), three({1, 1, 1});
    const auto refused = [&](aclTensor* in, aclTensor* weight, aclIntArray* stride, int64_t groups, aclTensor* out) {
        RUN(ACLNN_ERR_PARAM_INVALID, aclnnConvolution, in, weight, nullptr, stride, zero.handle, one.handle, false,
            zero.handle, groups, out, 0);
    };
    refused(x.handle, w.handle, one.handle, 1, wrong.handle);
    refused(x.handle, odd.handle, one.handle, 1, y.handle);
    refused(x.handle, w.handle, zero.handle, 1, y.handle);
    refused(x.handle, w.handle, three.handle, 1, y.handle);
    refused(x.handle, w.handle, one.handle, 0, y.handle);
    refused(flat.handle, w.handle, one.handle, 1, y.handle);
    refused(whole.handle, w.handle, one.handle, 1, y.handle);
    RUN(ACLNN_ERR_PARAM_NULLPTR, aclnnConvolution, x.handle, w.handle, nullptr, nullptr, zero.handle, one.handle, false,
        zero.handle, 1, y.handle, 0);
}

struct Pool {
    int64_t kernel, stride, pad;
};

void test_pooling(const Pool& p, Layout layout) {
    const int64_t h = 9, w = 8, planes = 6;
    const int64_t oh = (h + 2 * p.pad - p.kernel) / p.stride + 1, ow = (w + 2 * p.pad - p.kernel) / p.stride + 1;
    Array<double> x({2, 3, h, w}, layout), y({2, 3, oh, ow}, layout), mean({2, 3, oh, ow}, layout),
        gx({2, 3, h, w}, layout);
    Array<int64_t> index({2, 3, oh, ow}, layout);
    std::vector<double> xs(planes * h * w);
    for (size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<double>(generator()() % 1000);
    x.write(xs);
    Ints kernel({p.kernel, p.kernel}), stride({p.stride}), pad({p.pad, p.pad}), one({1, 1});
    RUN(0, aclnnMaxPool2dWithIndices, x.handle, kernel.handle, stride.handle, pad.handle, one.handle, false, y.handle,
        index.handle);
    RUN(0, aclnnAvgPool2d, x.handle, kernel.handle, stride.handle, pad.handle, false, false, 0, 0, mean.handle);
    const auto ys = y.read(), ms = mean.read();
    const auto at = index.read();
    std::vector<double> want_gx(xs.size());
    for (int64_t i = 0; i < y.size(); ++i) {
        const int64_t top = i / ow % oh * p.stride - p.pad, left = i % ow * p.stride - p.pad, plane = i / (oh * ow);
        double best = -1, sum = 0;
        int64_t where = -1, n = 0;
        for (int64_t r = std::max<int64_t>(0, top); r < std::min(h, top + p.kernel); ++r) {
            for (int64_t c = std::max<int64_t>(0, left); c < std::min(w, left + p.kernel); ++c, ++n) {
                const double v = xs[(plane * h + r) * w + c];
                sum += v;
                if (v > best) best = v, where = r * w + c;
            }
        }
        CHECK(ys[i] == best && at[i] == where);
        CHECK(same_value(ms[i], sum / static_cast<double>(n), 1e-13));
        want_gx[plane * h * w + where] += static_cast<double>(i % 7);
    }
    std::vector<double> gy(y.size());
    for (size_t i = 0; i < gy.size(); ++i) gy[i] = static_cast<double>(i % 7);
    y.write(gy);
    RUN(0, aclnnMaxPool2dWithIndicesBackward, y.handle, x.handle, index.handle, kernel.handle, stride.handle,
        pad.handle, one.handle, false, gx.handle);
    CHECK(gx.read() == want_gx);
}

void test_other_pooling() {
    const double nan = std::nan("");
    Array<double> x({1, 3, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, nan, 13, 14, 15}), y({1, 2, 2}), windows({1, 2, 3});
    Ints two({2, 2}), none({0}), one({1}), big({9});
    RUN(0, aclnnAdaptiveAvgPool2d, x.handle, two.handle, y.handle);  // rows 0-1 and 1-2, columns 0-2 and 2-4
    const auto means = y.read();
    CHECK(means[0] == 4.5 && means[1] == 6.5 && std::isnan(means[2]) && means[3] == 11.5);
    RUN(0, aclnnMaxPool, x.handle, two.handle, two.handle, 0, none.handle, one.handle, 1, windows.handle);
    const auto best = windows.read();  // the last column and row of windows are cut short; a NaN is the largest
    CHECK(best[0] == 7 && best[1] == 9 && best[2] == 10 && std::isnan(best[3]) && best[4] == 14 && best[5] == 15);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMaxPool, x.handle, big.handle, one.handle, 0, none.handle, one.handle, 0,
        y.handle);
    RUN(ACLNN_ERR_PARAM_INVALID, aclnnMaxPool, x.handle, two.handle, one.handle, 1, none.handle, one.handle, 0,
        y.handle);
}

}  // namespace

int main() {
    Device device;
    for (const Case& c : kCases) {
        for (const Layout layout : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
            test_convolution<float>(c, layout);
            test_convolution<double>(c, layout);
        }
    }
    test_refusals();
    for (const Layout layout : {Layout::Dense, Layout::Fortran, Layout::Strided}) {
        for (const Pool& p : {Pool{2, 2, 0}, Pool{3, 2, 1}, Pool{3, 1, 1}, Pool{5, 3, 2}}) test_pooling(p, layout);
    }
    test_other_pooling();
    return failures;
}
