// The blocked matrix product over any micro-kernel: operands are packed into panels, C is cut into a grid of tasks.
// Compiled once per instruction set: everything has internal linkage.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/gemm.h"
#include "kernels/gemm_tile.h"
#include "kernels/half.h"
#include "kernels/pool.h"

namespace pyasc::PYASC_ISA {
namespace {

// Elements as the product computes them.
template <class Acc, class Src>
inline Acc load(const Src& x) {
    if constexpr (std::is_same_v<Src, f16> || std::is_same_v<Src, bf16>) {
        return widen(x);
    } else {
        return static_cast<Acc>(x);
    }
}

// And as they are written; integers wrap.
template <class Out, class Acc>
inline void store(Out* to, Acc x) {
    if constexpr (std::is_same_v<Out, f16> || std::is_same_v<Out, bf16>) {
        narrow(x, to);
    } else if constexpr (std::is_same_v<Out, bool>) {
        *to = x != Acc(0);
    } else if constexpr (std::is_floating_point_v<Acc> && std::is_integral_v<Out>) {
        *to = static_cast<Out>(static_cast<int64_t>(x));
    } else {
        *to = static_cast<Out>(x);
    }
}

template <class Acc>
inline Acc factor(const Factor& f) {
    if constexpr (std::is_integral_v<Acc>) {
        return static_cast<Acc>(f.integer);
    } else if constexpr (std::is_floating_point_v<Acc>) {
        return static_cast<Acc>(f.real);
    } else {
        return Acc(static_cast<typename Acc::value_type>(f.real), static_cast<typename Acc::value_type>(f.imag));
    }
}

template <class Acc>
inline Acc multiply(Acc a, Acc b) {
    if constexpr (std::is_arithmetic_v<Acc>) {
        return a * b;
    } else {
        return Acc(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    }
}

// Writes `m` by `n` finished sums to C from row i0, column j0 on: scales them, adds beta * s, rounds once.
template <class Acc>
using FinishFn = void (*)(const GemmArgs& g, const Acc* t, int64_t ldt, int64_t i0, int64_t j0, int64_t m, int64_t n);

template <class Acc, class Out>
void finish(const GemmArgs& g, const Acc* t, int64_t ldt, int64_t i0, int64_t j0, int64_t m, int64_t n) {
    const Acc alpha = factor<Acc>(g.alpha), beta = factor<Acc>(g.beta);
    for (int64_t i = 0; i < m; ++i) {
        const Acc* from = t + i * ldt;
        Out* to = reinterpret_cast<Out*>(g.c.data) + (i0 + i) * g.c.row + j0 * g.c.col;
        if (!g.scaled) {
            if (g.c.col == 1) {
                for (int64_t j = 0; j < n; ++j) store(to + j, from[j]);
            } else {
                for (int64_t j = 0; j < n; ++j) store(to + j * g.c.col, from[j]);
            }
            continue;
        }
        const Out* s = reinterpret_cast<const Out*>(g.s.data);
        if (s) s += (i0 + i) * g.s.row + j0 * g.s.col;
        for (int64_t j = 0; j < n; ++j) {
            Acc x = from[j];
            if constexpr (std::is_same_v<Out, bool>) x = x != Acc(0);
            x = multiply(alpha, x);
            if (s) x += multiply(beta, load<Acc>(s[j * g.s.col]));
            store(to + j * g.c.col, x);
        }
    }
}

// Packs `count` rows of A (or columns of B) of `k` elements each into panels of R: element (r, p) of a panel at p * R +
// r. `across` is the step from one of them to the next, `along` the step in k. The last panel is filled up with zeros.
template <class T>
using PackFn = void (*)(const char* data, int64_t across, int64_t along, int64_t count, int64_t k, T* dst);

template <int R, class T, class Src>
inline void pack_panel(const Src* src, int64_t across, int64_t along, int64_t k, T* dst) {
    constexpr bool half = std::is_same_v<Src, f16> || std::is_same_v<Src, bf16>;
    if constexpr (half) {
        constexpr int64_t kBlock = 64;
        float rows[R][kBlock];
        for (int64_t p0 = 0; p0 < k; p0 += kBlock) {
            const int64_t n = std::min(kBlock, k - p0);
            for (int r = 0; r < R; ++r) {
                widen_row<Src>(reinterpret_cast<const char*>(src + r * across + p0 * along), along * 2, rows[r], n);
            }
            for (int64_t p = 0; p < n; ++p, dst += R) {
                for (int r = 0; r < R; ++r) dst[r] = rows[r][p];
            }
        }
    } else if (along == 1) {
        for (int64_t p = 0; p < k; ++p, dst += R) {
#pragma GCC unroll 16
            for (int r = 0; r < R; ++r) dst[r] = load<T>(src[r * across + p]);
        }
    } else {
        for (int64_t p = 0; p < k; ++p, dst += R) {
            for (int r = 0; r < R; ++r) dst[r] = load<T>(src[r * across + p * along]);
        }
    }
}

// Several panels whose rows lie side by side: whole stretches of memory are read at a time.
template <int R, class T, class Src>
inline void pack_side_by_side(const Src* src, int64_t along, int panels, int64_t k, T* dst) {
    for (int64_t p = 0; p < k; ++p, src += along, dst += R) {
        __builtin_prefetch(src + 4 * along);
        __builtin_prefetch(src + 4 * along + 64 / sizeof(Src));
        for (int i = 0; i < panels; ++i) {
            if constexpr (std::is_same_v<Src, f16> || std::is_same_v<Src, bf16>) {
                widen(src + i * R, dst + i * R * k, R);
            } else {
                for (int r = 0; r < R; ++r) dst[i * R * k + r] = load<T>(src[i * R + r]);
            }
        }
    }
}

template <int R, class T, class Src>
void pack(const char* data, int64_t across, int64_t along, int64_t count, int64_t k, T* dst) {
    constexpr int kSide = 8;
    const Src* src = reinterpret_cast<const Src*>(data);
    for (; across == 1 && count >= R; count -= std::min<int64_t>(kSide, count / R) * R) {
        const int panels = static_cast<int>(std::min<int64_t>(kSide, count / R));
        pack_side_by_side<R>(src, along, panels, k, dst);
        src += panels * R;
        dst += panels * R * k;
    }
    for (; count >= R; count -= R, src += R * across, dst += R * k) pack_panel<R>(src, across, along, k, dst);
    if (count <= 0) return;
    for (int64_t p = 0; p < k; ++p, dst += R) {
        for (int r = 0; r < R; ++r) dst[r] = r < count ? load<T>(src[r * across + p * along]) : T(0);
    }
}

// Complex elements as two planes: a step of a panel is R real parts, then R imaginary parts.
template <int R, class T>
void pack_planes(const char* data, int64_t across, int64_t along, int64_t count, int64_t k, T* dst) {
    const T* src = reinterpret_cast<const T*>(data);
    for (; count > 0; count -= R, src += 2 * R * across) {
        for (int64_t p = 0; p < k; ++p, dst += 2 * R) {
            for (int r = 0; r < R; ++r) {
                const T* x = src + 2 * (r * across + p * along);
                dst[r] = r < count ? x[0] : T(0);
                dst[R + r] = r < count ? x[1] : T(0);
            }
        }
    }
}

// What the driver needs to know of a micro-kernel:
//   Acc   the type of sums            T     the type of packed elements
//   MR,NR the tile                    unit  steps of k that one packed step covers; width: T's in a packed step and row
//   kc    packed steps in a block     tile  (steps, a, b, prev, ldp, c, ldc)
template <class E>
struct RealKernel {
    using Acc = E;
    using T = E;
    static constexpr int MR = kRows, NR = kVectors * Simd<E>::lanes, unit = 1, width = 1;
    static constexpr int64_t kc = sizeof(E) == 4 ? 384 : 256;
    static void tile(int64_t k, const T* a, const T* b, const Acc* prev, int64_t ldp, Acc* c, int64_t ldc) {
        real_tile<E, MR, kVectors>(k, PackedA<E, MR>{a}, PackedB<E, NR>{b}, prev, ldp, c, ldc);
    }
};

template <class E>
struct ComplexKernel {
    using Acc = std::complex<E>;
    using T = E;
    static constexpr int MR = kComplexRows, NR = Simd<E>::lanes, unit = 1, width = 2;
    static constexpr int64_t kc = 256;
    static void tile(int64_t k, const T* a, const T* b, const Acc* prev, int64_t ldp, Acc* c, int64_t ldc) {
        complex_tile<E, MR>(k, a, b, reinterpret_cast<const E*>(prev), ldp, reinterpret_cast<E*>(c), ldc);
    }
};

template <class K>
struct Parts {
    PackFn<typename K::T> pack_a, pack_b;
    FinishFn<typename K::Acc> finish;
    bool plain;  // C's elements are sums as they are
};

constexpr int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// A product in progress: one block of C (rows i0.., columns j0..) and one block of k.
template <class K>
struct Block {
    using Acc = typename K::Acc;
    using T = typename K::T;
    const GemmArgs& g;
    const Parts<K>& parts;
    bool direct;  // sums go straight to C
    int64_t i0, j0, rows, cols, steps;
    bool first, last;
    const T* a;
    const T* b;
    Acc* sums;   // of the block, when they cannot wait in C
    int64_t lds;

    // Rows [ib, ib + mb) and columns [jb, jb + nb) of the block.
    void multiply(int64_t ib, int64_t mb, int64_t jb, int64_t nb) const {
        const int64_t panel_a = steps * K::MR * K::width, panel_b = steps * K::NR * K::width;
        for (int64_t j = jb; j < jb + nb; j += K::NR) {
            const T* pb = b + j / K::NR * panel_b;
            const int64_t nr = std::min<int64_t>(K::NR, cols - j);
            for (int64_t i = ib; i < ib + mb; i += K::MR) {
                one_tile(a + i / K::MR * panel_a, pb, i, j, std::min<int64_t>(K::MR, rows - i), nr);
            }
        }
    }

    void one_tile(const T* pa, const T* pb, int64_t i, int64_t j, int64_t mr, int64_t nr) const {
        if (direct) {
            Acc* c = reinterpret_cast<Acc*>(g.c.data) + (i0 + i) * g.c.row + (j0 + j);
            if (mr == K::MR && nr == K::NR) return K::tile(steps, pa, pb, first ? nullptr : c, g.c.row, c, g.c.row);
            alignas(64) Acc t[K::MR * K::NR];
            K::tile(steps, pa, pb, nullptr, 0, t, K::NR);
            for (int64_t r = 0; r < mr; ++r) {
                for (int64_t q = 0; q < nr; ++q)
                    c[r * g.c.row + q] = first ? t[r * K::NR + q] : c[r * g.c.row + q] + t[r * K::NR + q];
            }
            return;
        }
        Acc* s = sums ? sums + i * lds + j : nullptr;
        if (!last) return K::tile(steps, pa, pb, first ? nullptr : s, lds, s, lds);
        alignas(64) Acc t[K::MR * K::NR];
        K::tile(steps, pa, pb, first ? nullptr : s, lds, t, K::NR);
        parts.finish(g, t, K::NR, i0 + i, j0 + j, mr, nr);
    }
};

// k == 0: C = beta * s, or zeros.
template <class Acc>
void finish_empty(const GemmArgs& g, FinishFn<Acc> finish) {
    const Acc zeros[16] = {};
    for (int64_t i = 0; i < g.m; ++i) {
        for (int64_t j = 0; j < g.n; j += 16) finish(g, zeros, 16, i, j, 1, std::min<int64_t>(16, g.n - j));
    }
}

inline void transpose(Matrix* x) { std::swap(x->row, x->col); }

// Makes the rows of C the dense direction: C' = B' A'.
inline void orient(GemmArgs* g) {
    if (g->c.col == 1 || (g->c.row != 1 && g->c.col <= g->c.row)) return;
    std::swap(g->m, g->n);
    std::swap(g->a, g->b);
    for (Matrix* x : {&g->a, &g->b, &g->c, &g->s}) transpose(x);
}

template <class F>
void run_tasks(bool serial, int64_t n, F&& f) {
    if (!serial) return parallel(n, f);
    for (int64_t i = 0; i < n; ++i) f(i);
}

template <class K>
void packed_gemm(const GemmArgs& args, const Parts<K>& parts) {
    using Acc = typename K::Acc;
    using T = typename K::T;
    constexpr int64_t kTaskRows = round_up(120, K::MR), kTaskCols = round_up(256, K::NR);
    constexpr int64_t kBlockRows = kTaskRows * 24, kBlockCols = kTaskCols * 12, kPackPanels = 16;
    GemmArgs g = args;
    orient(&g);
    if (g.m == 0 || g.n == 0) return;
    if (g.k == 0) return finish_empty<Acc>(g, parts.finish);
    const bool direct = parts.plain && !g.scaled && g.c.col == 1;
    const bool serial = g.m * g.n * g.k < 1 << 20;
    const int64_t kc = std::min(K::kc * K::unit, round_up(g.k, K::unit));
    const int64_t mb = std::min(round_up(g.m, K::MR), kBlockRows), nb = std::min(round_up(g.n, K::NR), kBlockCols);
    T* pa = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::PackA, mb * (kc / K::unit) * K::width * sizeof(T)));
    T* pb = reinterpret_cast<T*>(gemm_buffer(GemmBuffer::PackB, nb * (kc / K::unit) * K::width * sizeof(T)));
    Acc* sums = nullptr;
    if (!direct && g.k > kc) sums = reinterpret_cast<Acc*>(gemm_buffer(GemmBuffer::Accumulator, mb * nb * sizeof(Acc)));
    const int64_t in = item_size(g.in);
    for (int64_t i0 = 0; i0 < g.m; i0 += mb) {
        for (int64_t j0 = 0; j0 < g.n; j0 += nb) {
            for (int64_t p0 = 0; p0 < g.k; p0 += kc) {
                const int64_t k = std::min(kc, g.k - p0), steps = (k + K::unit - 1) / K::unit;
                const Block<K> block{g,
                                     parts,
                                     direct,
                                     i0,
                                     j0,
                                     std::min(mb, g.m - i0),
                                     std::min(nb, g.n - j0),
                                     steps,
                                     p0 == 0,
                                     p0 + k == g.k,
                                     pa,
                                     pb,
                                     sums,
                                     nb};
                const int64_t a_tasks = (block.rows + kPackPanels * K::MR - 1) / (kPackPanels * K::MR);
                const int64_t b_tasks = (block.cols + kPackPanels * K::NR - 1) / (kPackPanels * K::NR);
                run_tasks(serial, a_tasks + b_tasks, [&](int64_t t) {
                    if (t < a_tasks) {
                        const int64_t i = t * kPackPanels * K::MR;
                        parts.pack_a(g.a.data + ((i0 + i) * g.a.row + p0 * g.a.col) * in, g.a.row, g.a.col,
                                     std::min(kPackPanels * K::MR, block.rows - i), k, pa + i * steps * K::width);
                    } else {
                        const int64_t j = (t - a_tasks) * kPackPanels * K::NR;
                        parts.pack_b(g.b.data + ((j0 + j) * g.b.col + p0 * g.b.row) * in, g.b.col, g.b.row,
                                     std::min(kPackPanels * K::NR, block.cols - j), k, pb + j * steps * K::width);
                    }
                });
                const int64_t across = (block.cols + kTaskCols - 1) / kTaskCols;
                const int64_t down = (block.rows + kTaskRows - 1) / kTaskRows;
                run_tasks(serial, across * down, [&](int64_t t) {
                    const int64_t i = t / across * kTaskRows, j = t % across * kTaskCols;
                    block.multiply(i, std::min(kTaskRows, block.rows - i), j, std::min(kTaskCols, block.cols - j));
                });
            }
        }
    }
}

}  // namespace
}  // namespace pyasc::PYASC_ISA
