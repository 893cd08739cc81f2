// Convolutions as matrix products that are never written out. Each input plane is padded and split by the phase of the
// stride, so that the inputs of neighbouring outputs lie side by side; panels of B are copied from it by runs.
#include "kernels/conv.h"
#include "kernels/gemm_driver.h"

namespace pyasc::PYASC_ISA {
namespace {

// Where the parts of one padded image (of one group) lie, in elements.
struct Layout {
    int64_t length[kSpatial];  // of a phase's plane
    int64_t plane = 1, channel = 1, image = 0;

    explicit Layout(const ConvShape& s) {
        for (int d = 0; d < kSpatial; ++d) {
            const int64_t reach = (s.out[d] - 1) * s.stride[d] + (s.kernel[d] - 1) * s.dilation[d] + 1;
            length[d] = (reach + s.stride[d] - 1) / s.stride[d];
            plane *= length[d];
            channel *= s.stride[d];
        }
        channel *= plane;
        image = s.in_channels * channel + 64;  // whole vectors may be read at the end
    }
};

// The offset of each product's input from that of the first.
void tap_offsets(const ConvShape& s, const Layout& l, int64_t* offset) {
    for (int64_t c = 0; c < s.in_channels; ++c) {
        for (int64_t d = 0; d < s.kernel[0]; ++d) {
            for (int64_t h = 0; h < s.kernel[1]; ++h) {
                for (int64_t w = 0; w < s.kernel[2]; ++w) {
                    const int64_t at[] = {d * s.dilation[0], h * s.dilation[1], w * s.dilation[2]};
                    int64_t phase = 0, place = 0;
                    for (int k = 0; k < kSpatial; ++k) {
                        phase = phase * s.stride[k] + at[k] % s.stride[k];
                        place = place * l.length[k] + at[k] / s.stride[k];
                    }
                    *offset++ = c * l.channel + phase * l.plane + place;
                }
            }
        }
    }
}

// One row of an input, from position -pad on, split by phase; `step` is in elements.
template <class T, class Src>
void split_row(const Src* src, int64_t step, int64_t n, int64_t pad, int64_t stride, int64_t length, int64_t plane,
               T* dst) {
    constexpr bool half = std::is_same_v<Src, f16> || std::is_same_v<Src, bf16>;
    const T* row = nullptr;
    if constexpr (half) {
        float* wide = reinterpret_cast<float*>(gemm_buffer(GemmBuffer::Convert, n * sizeof(float)));
        widen_row<Src>(reinterpret_cast<const char*>(src), step * 2, wide, n);
        row = wide;
        step = 1;
    } else {
        row = src;
    }
    for (int64_t phase = 0; phase < stride; ++phase, dst += plane) {
        // Elements i with 0 <= i * stride + phase - pad < n.
        const int64_t first = pad - phase <= 0 ? 0 : std::min(length, (pad - phase + stride - 1) / stride);
        const int64_t above = n + pad - phase;
        const int64_t last = std::max(first, std::min(length, above <= 0 ? 0 : (above + stride - 1) / stride));
        for (int64_t i = 0; i < first; ++i) dst[i] = T(0);
        const T* from = row + (first * stride + phase - pad) * step;
        const int64_t hop = stride * step;
        if (hop == 1) {
            std::memcpy(dst + first, from, (last - first) * sizeof(T));
        } else if (hop == 2) {
            for (int64_t i = first; i < last; ++i) dst[i] = from[2 * (i - first)];
        } else {
            for (int64_t i = first; i < last; ++i) dst[i] = from[hop * (i - first)];
        }
        for (int64_t i = last; i < length; ++i) dst[i] = T(0);
    }
}

// One channel of the padded image.
template <class T, class Src>
void split_channel(const ConvArgs& a, const Layout& l, int64_t n, int64_t channel, T* dst) {
    const ConvShape& s = a.shape;
    const int64_t* step = a.x.stride;
    const Src* src = reinterpret_cast<const Src*>(a.x.data) + n * step[0] + channel * step[1];
    for (int64_t pd = 0; pd < l.length[0] * s.stride[0]; ++pd) {
        for (int64_t ph = 0; ph < l.length[1] * s.stride[1]; ++ph) {
            const int64_t id = pd - s.pad[0], ih = ph - s.pad[1];
            const int64_t phase = (pd % s.stride[0] * s.stride[1] + ph % s.stride[1]) * s.stride[2];
            T* row = dst + phase * l.plane + (pd / s.stride[0] * l.length[1] + ph / s.stride[1]) * l.length[2];
            const bool inside = id >= 0 && id < s.in[0] && ih >= 0 && ih < s.in[1];
            const int64_t length = inside ? s.in[2] : 0;  // outside: a row of zeros
            split_row<T, Src>(inside ? src + id * step[2] + ih * step[3] : src, step[4], length, s.pad[2], s.stride[2],
                              l.length[2], l.plane, row);
        }
    }
}

// Output pixels that follow each other in the image: `count` of them, the first at `place` of a plane.
struct RunOfPixels {
    int64_t place;
    int count;
};

// The runs of pixels [begin, begin + n) of one image; their number.
int find_runs(const ConvShape& s, const Layout& l, int64_t begin, int64_t n, RunOfPixels* runs) {
    int found = 0;
    while (n > 0) {
        const int64_t w = begin % s.out[2], h = begin / s.out[2] % s.out[1], d = begin / s.out[2] / s.out[1];
        const int64_t count = std::min(n, s.out[2] - w);
        const int64_t place = (d * l.length[1] + h) * l.length[2] + w;
        if (found && runs[found - 1].place + runs[found - 1].count == place) {
            runs[found - 1].count += static_cast<int>(count);
        } else {
            runs[found++] = {place, static_cast<int>(count)};
        }
        begin += count;
        n -= count;
    }
    return found;
}

// A panel of B: `steps` rows of NR inputs. Rows are written whole, each run over the rest of the one before.
template <int NR, class T>
void pack_runs(const T* image, const int64_t* offset, int64_t steps, const RunOfPixels* runs, int n, T* dst) {
    using U = typename Simd<T>::loose;
    constexpr int L = Simd<T>::lanes;
    for (int64_t p = 0; p < steps; ++p, dst += NR) {
        int at = 0;
        for (int r = 0; r < n; ++r) {
            const T* from = image + runs[r].place + offset[p];
            T* to = dst + at;
#pragma GCC unroll 4
            for (int j = 0; j < NR; j += L) *reinterpret_cast<U*>(to + j) = *reinterpret_cast<const U*>(from + j);
            at += runs[r].count;
        }
    }
}

// Adds bias and writes mr channels by `n` pixels of one image and group.
template <class T, class Out>
void write_tile(const ConvArgs& a, const T* t, int64_t ldt, int64_t n, int64_t channel, int64_t mr, int64_t pixel,
                int64_t count) {
    const ConvShape& s = a.shape;
    const T* bias = static_cast<const T*>(a.bias);
    for (int64_t i = 0; i < mr; ++i) {
        const T b = bias ? bias[channel + i] : T(0);
        Out* y = reinterpret_cast<Out*>(a.y) + (n * s.groups * s.out_channels + channel + i) * s.pixels() + pixel;
        for (int64_t j = 0; j < count; ++j) store(y + j, t[i * ldt + j] + b);
    }
}

template <class T, class Src>
struct Forward {
    using K = RealKernel<T>;
    static constexpr int MR = K::MR, NR = K::NR;
    static constexpr int64_t kPixels = 8 * NR;  // of a task
    static constexpr int64_t kRowsAtOnce = round_up(120, MR);

    const ConvArgs& a;
    const ConvShape& s;
    const Layout layout;
    const int64_t depth, panels;  // panels of A in a group
    const int64_t* offset;
    const T* images;   // of all images and groups of the current batch of images
    const T* weights;  // packed: group, block of k, panel

    const T* block_of_weights(int64_t group, int64_t p) const { return weights + (group * depth + p) * panels * MR; }

    // Pixels of one image and group, output channels [c0, c1) of the group (c0 a multiple of MR).
    void task(const T* image, int64_t n, int64_t group, int64_t pixel, int64_t count, int64_t c0, int64_t c1) const {
        const int64_t tiles = (count + NR - 1) / NR, kc = std::min(K::kc, depth);
        T* pb = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::PackB, (kc * kPixels + NR * NR) * sizeof(T)));
        T* sums = nullptr;
        if (depth > kc)
            sums =
                reinterpret_cast<T*>(gemm_buffer(GemmBuffer::Accumulator, round_up(c1 - c0, MR) * kPixels * sizeof(T)));
        for (int64_t p = 0; p < depth; p += kc) {
            const int64_t steps = std::min(kc, depth - p);
            for (int64_t t = 0; t < tiles; ++t) {
                RunOfPixels runs[NR];
                const int found = find_runs(s, layout, pixel + t * NR, std::min<int64_t>(NR, count - t * NR), runs);
                pack_runs<NR>(image, offset + p, steps, runs, found, pb + t * steps * NR);
            }
            const T* pa = block_of_weights(group, p);
            for (int64_t c = c0; c < c1; c += kRowsAtOnce) {
                for (int64_t i = c; i < std::min(c1, c + kRowsAtOnce); i += MR) {
                    for (int64_t t = 0; t < tiles; ++t) {
                        T* sum = sums ? sums + (i - c0) * kPixels + t * NR : nullptr;
                        tile(pa + i * steps, pb + t * steps * NR, steps, p == 0 ? nullptr : sum, sum,
                             p + steps == depth, n, group * s.out_channels + i,
                             std::min<int64_t>(MR, s.out_channels - i), pixel + t * NR,
                             std::min<int64_t>(NR, count - t * NR));
                    }
                }
            }
        }
    }

    void tile(const T* pa, const T* pb, int64_t steps, const T* prev, T* sum, bool last, int64_t n, int64_t channel,
              int64_t mr, int64_t pixel, int64_t count) const {
        if (!last) return K::tile(steps, pa, pb, prev, kPixels, sum, kPixels);
        alignas(64) T t[MR * NR];
        K::tile(steps, pa, pb, prev, kPixels, t, NR);
        write_tile<T, Src>(a, t, NR, n, channel, mr, pixel, count);
    }

    // Few output channels in a group (depthwise): rows of outputs straight from the image.
    void narrow_task(const T* image, int64_t n, int64_t group, int64_t channel) const {
        constexpr int64_t W = 4 * Simd<T>::lanes;
        const int64_t whole = group * s.out_channels + channel;
        const StridedA<T> w{static_cast<const T*>(a.w) + whole * depth, 0, 1};
        for (int64_t row = 0; row < s.out[0] * s.out[1]; ++row) {
            const int64_t place = (row / s.out[1] * layout.length[1] + row % s.out[1]) * layout.length[2];
            for (int64_t j = 0; j < s.out[2]; j += W) {
                alignas(64) T t[W];
                real_tile<T, 1, 4>(depth, w, OffsetB<T>{image + place + j, offset}, nullptr, 0, t, 0);
                write_tile<T, Src>(a, t, 0, n, whole, 1, row * s.out[2] + j, std::min(W, s.out[2] - j));
            }
        }
    }
};

// The weights of every group, packed by blocks of k.
template <class T>
void pack_weights(const ConvArgs& a, int64_t panels, T* dst) {
    using K = RealKernel<T>;
    const ConvShape& s = a.shape;
    const int64_t depth = s.depth();
    parallel(s.groups, [&](int64_t g) {
        const T* w = static_cast<const T*>(a.w) + g * s.out_channels * depth;
        for (int64_t p = 0; p < depth; p += K::kc) {
            const int64_t steps = std::min(K::kc, depth - p);
            pack<K::MR, T, T>(reinterpret_cast<const char*>(w + p), depth, 1, s.out_channels, steps,
                              dst + (g * depth + p) * panels * K::MR);
        }
    });
}

template <class T, class Src>
void forward(const ConvArgs& a) {
    using F = Forward<T, Src>;
    const ConvShape& s = a.shape;
    const Layout layout(s);
    const int64_t depth = s.depth(), panels = (s.out_channels + F::MR - 1) / F::MR, pixels = s.pixels();
    int64_t* offset = reinterpret_cast<int64_t*>(gemm_buffer(GemmBuffer::Offsets, (depth + 1) * sizeof(int64_t)));
    tap_offsets(s, layout, offset);
    const bool narrow = s.out_channels < 4;
    T* weights = nullptr;
    if (!narrow) {
        weights = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::PackA, s.groups * depth * panels * F::MR * sizeof(T)));
        pack_weights<T>(a, panels, weights);
    }
    // As many images at a time as stay in the cache.
    const int64_t image = s.groups * layout.image;
    const int64_t at_once =
        std::max<int64_t>(1, std::min(s.batch, (int64_t{8} << 20) / (image * static_cast<int64_t>(sizeof(T)))));
    T* images = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::Image, at_once * image * sizeof(T)));
    const F f{a, s, layout, depth, panels, offset, images, weights};
    const int64_t blocks = (pixels + F::kPixels - 1) / F::kPixels;
    const bool split_rows = blocks * s.groups * s.batch < 8 && s.out_channels > F::kRowsAtOnce;
    const int64_t rows = narrow ? 1 : split_rows ? F::kRowsAtOnce : s.out_channels;
    const int64_t downs = (s.out_channels + rows - 1) / rows, acrosses = narrow ? 1 : blocks;
    const bool serial = s.batch * s.groups * s.out_channels * pixels * depth < 1 << 19;
    for (int64_t n0 = 0; n0 < s.batch; n0 += at_once) {
        const int64_t count = std::min(at_once, s.batch - n0), channels = s.groups * s.in_channels;
        run_tasks(serial, count * channels, [&](int64_t t) {
            const int64_t n = t / channels, c = t % channels;
            T* to = images + n * image + c / s.in_channels * layout.image + c % s.in_channels * layout.channel;
            split_channel<T, Src>(a, layout, n0 + n, c, to);
        });
        run_tasks(serial, count * s.groups * downs * acrosses, [&](int64_t t) {
            const int64_t across = t % acrosses, down = t / acrosses % downs, place = t / acrosses / downs;
            const int64_t n = place / s.groups, group = place % s.groups;
            const T* from = images + n * image + group * layout.image;
            if (narrow) return f.narrow_task(from, n0 + n, group, down);
            const int64_t pixel = across * F::kPixels;
            f.task(from, n0 + n, group, pixel, std::min(F::kPixels, pixels - pixel), down * rows,
                   std::min(s.out_channels, (down + 1) * rows));
        });
    }
}

template <class T, class Src>
void pad_image(const ConvArgs& a, int64_t n, int64_t group, void* image) {
    const Layout layout(a.shape);
    parallel(a.shape.in_channels, [&](int64_t c) {
        split_channel<T, Src>(a, layout, n, group * a.shape.in_channels + c,
                              static_cast<T*>(image) + c * layout.channel);
    });
}

template <class T>
void columns(const ConvArgs& a, const void* image, int64_t begin, int64_t end, void* dst) {
    const ConvShape& s = a.shape;
    const Layout layout(s);
    const int64_t depth = s.depth(), width = end - begin;
    int64_t* offset = reinterpret_cast<int64_t*>(gemm_buffer(GemmBuffer::Offsets, (depth + 1) * sizeof(int64_t)));
    tap_offsets(s, layout, offset);
    parallel_for(depth, 16, [&](int64_t p0, int64_t p1) {
        for (int64_t p = p0; p < p1; ++p) {
            T* to = static_cast<T*>(dst) + p * width;
            for (int64_t i = begin; i < end;) {
                const int64_t w = i % s.out[2], h = i / s.out[2] % s.out[1], d = i / s.out[2] / s.out[1];
                const int64_t count = std::min(end - i, s.out[2] - w);
                const T* from =
                    static_cast<const T*>(image) + offset[p] + (d * layout.length[1] + h) * layout.length[2] + w;
                std::memcpy(to, from, count * sizeof(T));
                to += count;
                i += count;
            }
        }
    });
}

void forward_any(const ConvArgs& a) {
    switch (a.x.dtype) {
        case DType::F32: return forward<float, float>(a);
        case DType::F64: return forward<double, double>(a);
        case DType::F16: return forward<float, f16>(a);
        case DType::BF16: return forward<float, bf16>(a);
        default: return;
    }
}

void pad_image_any(const ConvArgs& a, int64_t n, int64_t group, void* image) {
    switch (a.x.dtype) {
        case DType::F32: return pad_image<float, float>(a, n, group, image);
        case DType::F64: return pad_image<double, double>(a, n, group, image);
        case DType::F16: return pad_image<float, f16>(a, n, group, image);
        case DType::BF16: return pad_image<float, bf16>(a, n, group, image);
        default: return;
    }
}

void columns_any(const ConvArgs& a, const void* image, int64_t begin, int64_t end, void* dst) {
    if (a.x.dtype == DType::F64) return columns<double>(a, image, begin, end, dst);
    columns<float>(a, image, begin, end, dst);
}

int64_t image_bytes(const ConvArgs& a) { return Layout(a.shape).image * (a.x.dtype == DType::F64 ? 8 : 4); }

}  // namespace

extern const ConvKernels conv_kernels;
const ConvKernels conv_kernels = {forward_any, columns_any, image_bytes, pad_image_any};

}  // namespace pyasc::PYASC_ISA
