// The products of a convolution: forward as it is, the others composed of forward convolutions and matrix products.
#include "kernels/conv.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "kernels/copy.h"
#include "kernels/gemm.h"

namespace pyasc {
namespace {

constexpr int32_t kNoMemory = 207001;                    // ACL_ERROR_RT_MEMORY_ALLOCATION
constexpr int64_t kColumnBytes = int64_t{16} << 20;      // of the columns that are written out at a time

struct Free {
    void operator()(char* p) const { std::free(p); }
};
using Block = std::unique_ptr<char, Free>;

Block allocate(int64_t bytes) { return Block(static_cast<char*>(std::aligned_alloc(64, (bytes + 127) / 64 * 64))); }

// The one-by-one convolution: a matrix product for each image.
bool is_pointwise(const ConvShape& s) {
    for (int d = 0; d < kSpatial; ++d) {
        if (s.kernel[d] != 1 || s.stride[d] != 1 || s.pad[d] != 0 || s.in[d] != s.out[d]) return false;
    }
    return s.groups == 1 && s.out_channels >= 4;
}

// A dense (a, b) matrix, or a batch of them.
View matrices(char* data, DType t, int64_t batch, int64_t rows, int64_t cols) {
    const int64_t shape[] = {batch, rows, cols};
    return contiguous_view(data, t, shape, 3);
}

// Whether the spatial dimensions of v can be taken as one.
bool dense_pixels(const View& v) {
    int64_t expect = 1;
    for (int d = 4; d >= 2; --d) {
        if (v.shape[d] != 1 && v.stride[d] != expect) return false;
        expect *= v.shape[d];
    }
    return true;
}

void pointwise(const ConvShape& s, const View& x, const View& w, const View* bias, const View& y) {
    View in = matrices(x.data, x.dtype, s.batch, s.in_channels, s.pixels());
    in.stride[0] = x.stride[0];
    in.stride[1] = x.stride[1];
    const View out = matrices(y.data, y.dtype, s.batch, s.out_channels, s.pixels());
    View weights = matrices(w.data, w.dtype, 1, s.out_channels, s.in_channels);
    weights.ndim = 2;
    weights.shape[0] = s.out_channels, weights.shape[1] = s.in_channels;
    weights.stride[0] = s.in_channels, weights.stride[1] = 1;
    View addend;
    if (bias) {  // (out_channels, 1), broadcast over pixels and images
        addend = *bias;
        addend.ndim = 2;
        addend.shape[0] = s.out_channels, addend.shape[1] = 1;
        addend.stride[0] = 1, addend.stride[1] = 0;
    }
    matmul(weights, in, out, bias ? &addend : nullptr);
}

// Output positions of residue r modulo the stride of a transposed convolution are a forward convolution of their own,
// over every step-th tap from `first` on, in reverse. Lengths and shifts of one dimension:
struct Residue {
    int64_t first = 0, step = 1, taps = 0;  // taps of the kernel that reach these positions
    int64_t count = 0;                      // positions
    int64_t dilation = 1, pad = 0;
};

// position + pad = i * stride + tap * dilation, where i indexes y.
Residue find_residue(const ConvShape& s, int d, int64_t r) {
    Residue z;
    const int64_t stride = s.stride[d];
    z.step = stride / std::gcd(stride, s.dilation[d]);
    z.count = r < s.in[d] ? (s.in[d] - r + stride - 1) / stride : 0;
    const auto reaches = [&](int64_t tap) {
        return ((r + s.pad[d] - tap * s.dilation[d]) % stride + stride) % stride == 0;
    };
    while (z.first < z.step && !reaches(z.first)) ++z.first;
    if (z.first == z.step || z.first >= s.kernel[d]) return z;
    z.taps = (s.kernel[d] - z.first + z.step - 1) / z.step;
    z.dilation = z.step * s.dilation[d] / stride;
    z.pad = (z.taps - 1) * z.dilation - (r + s.pad[d] - z.first * s.dilation[d]) / stride;
    return z;
}

// The forward weights (out, in, kernel) of a residue from those of the convolution that is transposed.
View residue_weights(const ConvShape& s, const View& w, const Residue* z, char* data) {
    const int64_t shape[] = {s.groups * s.in_channels, s.out_channels, z[0].taps, z[1].taps, z[2].taps};
    const View dst = contiguous_view(data, w.dtype, shape, 5);
    for (int64_t g = 0; g < s.groups; ++g) {
        for (int64_t a = 0; a < z[0].taps; ++a) {
            for (int64_t b = 0; b < z[1].taps; ++b) {
                for (int64_t c = 0; c < z[2].taps; ++c) {  // one tap: (in, out) = transpose of (out, in)
                    View to = dst, from = w;
                    to.ndim = from.ndim = 2;
                    to.data +=
                        ((g * s.in_channels) * dst.stride[0] + a * dst.stride[2] + b * dst.stride[3] + c) * w.item();
                    to.shape[0] = from.shape[0] = s.in_channels;
                    to.shape[1] = from.shape[1] = s.out_channels;
                    from.data += (g * s.out_channels * w.stride[0] +
                                  (z[0].first + (z[0].taps - 1 - a) * z[0].step) * w.stride[2] +
                                  (z[1].first + (z[1].taps - 1 - b) * z[1].step) * w.stride[3] +
                                  (z[2].first + (z[2].taps - 1 - c) * z[2].step) * w.stride[4]) *
                                 w.item();
                    from.stride[0] = w.stride[1];
                    from.stride[1] = w.stride[0];
                    to.size = from.size = s.in_channels * s.out_channels;
                    copy_view(to, from);
                }
            }
        }
    }
    return dst;
}

// Every stride-th element of x from r on, in each spatial dimension.
View part_of_residue(const ConvShape& s, const View& x, const int64_t* r, const Residue* z) {
    View part = x;
    part.size = x.shape[0] * x.shape[1];
    for (int d = 0; d < kSpatial; ++d) {
        part.data += r[d] * x.stride[d + 2] * x.item();
        part.shape[d + 2] = z[d].count;
        part.stride[d + 2] = x.stride[d + 2] * s.stride[d];
        part.size *= z[d].count;
    }
    return part;
}

void fill_with_bias(const View& x, const View* bias) {
    if (bias) {
        View channel = *bias;
        channel.ndim = 5;
        for (int d = 0; d < 5; ++d) channel.shape[d] = 1, channel.stride[d] = 0;
        channel.shape[1] = x.shape[1];
        channel.stride[1] = 1;
        copy_view(x, channel);
    } else {
        const char zero[16] = {};
        fill_view(x, zero);
    }
}

}  // namespace

DType conv_compute_type(DType t) {
    if (t == DType::F16 || t == DType::BF16) return DType::F32;
    return t == DType::F32 || t == DType::F64 ? t : DType::None;
}

int32_t conv_forward(const ConvShape& s, const View& x, const View& w, const View* bias, const View& y) {
    if (y.size == 0) return 0;
    if (s.depth() == 0) return fill_with_bias(y, bias), 0;
    Block own_y;
    View out = y;
    if (!y.contiguous() || y.dtype != x.dtype) {
        own_y = allocate(y.size * x.item());
        if (!own_y) return kNoMemory;
        out = contiguous_view(own_y.get(), x.dtype, y.shape, y.ndim);
    }
    if (is_pointwise(s) && dense_pixels(x) && x.dtype == w.dtype) {
        pointwise(s, x, w, bias, out);
    } else {
        conv_kernels().forward({s, x, w.data, bias ? bias->data : nullptr, out.data});
    }
    if (own_y) copy_view(y, out);
    return 0;
}

int32_t conv_transposed(const ConvShape& s, const View& y, const View& w, const View* bias, const View& x) {
    if (x.size == 0) return 0;
    if (y.size == 0 || w.size == 0) return fill_with_bias(x, bias), 0;
    const Block weights = allocate(w.size * w.item());
    if (!weights) return kNoMemory;
    for (int64_t a = 0; a < s.stride[0]; ++a) {
        for (int64_t b = 0; b < s.stride[1]; ++b) {
            for (int64_t c = 0; c < s.stride[2]; ++c) {
                const int64_t r[] = {a, b, c};
                Residue z[kSpatial];
                ConvShape f;
                for (int d = 0; d < kSpatial; ++d) {
                    z[d] = find_residue(s, d, r[d]);
                    f.in[d] = s.out[d];
                    f.out[d] = z[d].count;
                    f.kernel[d] = z[d].taps;
                    f.dilation[d] = z[d].dilation;
                    f.pad[d] = z[d].pad;
                }
                f.batch = s.batch;
                f.groups = s.groups;
                f.in_channels = s.out_channels;
                f.out_channels = s.in_channels;
                if (f.pixels() == 0) continue;
                const View part = part_of_residue(s, x, r, z);
                if (f.taps() == 0) {
                    fill_with_bias(part, bias);
                    continue;
                }
                if (int32_t code = conv_forward(f, y, residue_weights(s, w, z, weights.get()), bias, part)) return code;
            }
        }
    }
    return 0;
}

int32_t conv_weight_gradient(const ConvShape& s, const View& x, const View& gy, const View& gw) {
    const char zero[16] = {};
    fill_view(gw, zero);
    if (gw.size == 0 || gy.size == 0 || x.size == 0) return 0;
    const ConvKernels& kernels = conv_kernels();
    const ConvArgs args{s, x, nullptr, nullptr, nullptr};
    const int64_t pixels = s.pixels(), depth = s.depth(), item = gw.item();
    const int64_t width = std::max<int64_t>(64, std::min(pixels, kColumnBytes / (depth * item)));
    const Block image = allocate(kernels.image_bytes(args)), columns = allocate(depth * width * item);
    if (!image || !columns) return kNoMemory;
    for (int64_t n = 0; n < s.batch; ++n) {
        for (int64_t g = 0; g < s.groups; ++g) {
            kernels.pad_image(args, n, g, image.get());
            char* to = gw.data + g * s.out_channels * depth * item;
            const char* from = gy.data + (n * s.groups + g) * s.out_channels * pixels * item;
            for (int64_t p = 0; p < pixels; p += width) {
                GemmArgs m;
                m.in = m.out = gw.dtype;
                m.m = s.out_channels;
                m.n = depth;
                m.k = std::min(width, pixels - p);
                kernels.columns(args, image.get(), p, p + m.k, columns.get());
                m.a = {const_cast<char*>(from) + p * item, pixels, 1};
                m.b = {columns.get(), 1, m.k};
                m.c = m.s = {to, depth, 1};
                m.scaled = true;
                gemm(m);
            }
        }
    }
    return 0;
}

}  // namespace pyasc
