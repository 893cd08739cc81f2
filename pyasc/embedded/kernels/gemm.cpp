// Chooses the kernel for a matrix product, and runs batches of them.
#include "kernels/gemm.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "kernels/blas.h"
#include "kernels/pool.h"

namespace pyasc {
namespace {

struct BufferBlocks {
    char* data[static_cast<int>(GemmBuffer::kCount)] = {};
    size_t size[static_cast<int>(GemmBuffer::kCount)] = {};
    ~BufferBlocks() {
        for (char* p : data) std::free(p);
    }
};

constexpr size_t kHugePage = size_t{2} << 20;

bool is_int(DType t) { return is_integer(t) || t == DType::Bool; }

// Products up to this many multiplications are done in place. Rows of A that are not dense come with a cache line for
// every element, so they are packed sooner.
int64_t direct_limit(const GemmArgs& g) {
    if (g.in != g.out || (g.in != DType::F32 && g.in != DType::F64)) return 512;
    if (g.a.col != 1) return 32 * 32 * 32;
    return g.in == DType::F32 ? 112 * 112 * 112 : 56 * 56 * 56;
}

// From this size on OpenBLAS, on tiles of C that depend on the size alone.
bool prefers_blas(const GemmArgs& g) {
    return (g.in == DType::F32 || g.in == DType::F64 || is_complex(g.in)) && g.m * g.n * g.k > (1 << 18);
}

bool gemm_by_blas(const GemmArgs& g) {
    if (!prefers_blas(g) || !blas_available()) return false;
    GemmArgs whole = g;
    if (whole.c.col != 1 && whole.c.row == 1) {
        std::swap(whole.m, whole.n);
        std::swap(whole.a, whole.b);
        for (Matrix* x : {&whole.a, &whole.b, &whole.c}) std::swap(x->row, x->col);
    }
    // Halves of the longer side while the pieces stay large: OpenBLAS packs both operands anew for each piece.
    const bool rows = whole.m >= whole.n;
    const int64_t side = rows ? whole.m : whole.n;
    int64_t pieces = 1;
    if (whole.m * whole.n * whole.k > (1 << 22) && side >= 256)
        pieces = std::min<int64_t>(side / 128, side >= 4096 ? side / 1024 : 2);
    const int64_t step = ((side + pieces - 1) / pieces + 47) / 48 * 48, item = item_size(g.in);
    if (!blas_takes(whole)) return false;
    parallel_for(side, step, [&](int64_t begin, int64_t end) {
        GemmArgs part = whole;
        if (rows) {
            part.m = end - begin;
            part.a.data += begin * whole.a.row * item;
            part.c.data += begin * whole.c.row * item;
        } else {
            part.n = end - begin;
            part.b.data += begin * whole.b.col * item;
            part.c.data += begin * whole.c.col * item;
        }
        blas_gemm(part);
    });
    return true;
}

// The matrix in the last two dimensions of a view, or a vector as a matrix.
Matrix last_two(const View& v, bool vector_is_column) {
    Matrix x;
    x.data = v.data;
    if (v.ndim == 0) return x;
    if (v.ndim == 1) {
        (vector_is_column ? x.row : x.col) = v.stride[0];
        return x;
    }
    x.row = v.stride[v.ndim - 2];
    x.col = v.stride[v.ndim - 1];
    return x;
}

// Leading dimensions of the product, outermost first, with the step of each operand (elements; 0 where it is
// broadcast).
struct Batch {
    int ndim = 0;
    int64_t count = 1;
    int64_t shape[kMaxDims];
    int64_t step[4][kMaxDims];  // a, b, c, s

    void add(int64_t n, const int64_t* steps) {
        count *= n;
        if (n == 1) return;
        if (ndim > 0) {  // joins the dimension before it if all operands step as one
            bool joined = true;
            for (int o = 0; o < 4; ++o) joined = joined && step[o][ndim - 1] == steps[o] * n;
            if (joined) {
                shape[ndim - 1] *= n;
                for (int o = 0; o < 4; ++o) step[o][ndim - 1] = steps[o];
                return;
            }
        }
        shape[ndim] = n;
        for (int o = 0; o < 4; ++o) step[o][ndim] = steps[o];
        ++ndim;
    }
};

// Step of an operand with `own` leading dimensions along leading dimension d of `ndim`.
int64_t lead_step(const View& v, int own, int ndim, int d) {
    const int k = d - (ndim - own);
    return k < 0 || v.shape[k] == 1 ? 0 : v.stride[k];
}

void add_step(GemmArgs* g, const int64_t* step, int64_t i) {
    const int64_t in = item_size(g->in), out = item_size(g->out);
    g->a.data += step[0] * i * in;
    g->b.data += step[1] * i * in;
    g->c.data += step[2] * i * out;
    if (g->s.data) g->s.data += step[3] * i * out;
}

// The rows of a batch whose b does not change are rows of one larger matrix, if a, c and s go on where a matrix ends.
void fold_into_rows(Batch* batch, GemmArgs* g) {
    while (batch->ndim > 0) {
        const int d = batch->ndim - 1;
        const bool fits = batch->step[1][d] == 0 && batch->step[0][d] == g->a.row * g->m &&
                          batch->step[2][d] == g->c.row * g->m && (!g->s.data || batch->step[3][d] == g->s.row * g->m);
        if (!fits) return;
        g->m *= batch->shape[d];
        batch->count /= batch->shape[d];
        --batch->ndim;
    }
}

void run_batch(const Batch& batch, const GemmArgs& g) {
    const auto one = [&](int64_t index) {
        GemmArgs item = g;
        for (int d = batch.ndim - 1; d >= 0; --d) {
            const int64_t i = index % batch.shape[d];
            index /= batch.shape[d];
            const int64_t steps[4] = {batch.step[0][d], batch.step[1][d], batch.step[2][d], batch.step[3][d]};
            add_step(&item, steps, i);
        }
        gemm(item);
    };
    // Large products use the threads themselves; small ones are handed out several at a time.
    const int64_t each = std::max<int64_t>(1, g.m * g.n * std::max<int64_t>(1, g.k));
    if (each >= 1 << 24 && batch.count < 8) {
        for (int64_t i = 0; i < batch.count; ++i) one(i);
        return;
    }
    const int64_t grain = std::max<int64_t>(1, (1 << 19) / each);
    parallel_for(batch.count, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) one(i);
    });
}

}  // namespace

char* gemm_buffer(GemmBuffer slot, size_t bytes) {
    static thread_local BufferBlocks blocks;
    const int i = static_cast<int>(slot);
    if (blocks.size[i] >= bytes && blocks.data[i]) return blocks.data[i];
    std::free(blocks.data[i]);
    const bool huge = bytes >= kHugePage;
    const size_t align = huge ? kHugePage : 64;
    const size_t size = (std::max<size_t>(bytes, 4096) + align - 1) / align * align;
    blocks.data[i] = static_cast<char*>(std::aligned_alloc(align, size));
    blocks.size[i] = blocks.data[i] ? size : 0;
    if (!blocks.data[i]) std::abort();  // the host itself is out of memory
    if (huge) madvise(blocks.data[i], size, MADV_HUGEPAGE);
    return blocks.data[i];
}

bool gemm_supported(DType in, DType out) {
    if (in == DType::None || out == DType::None) return false;
    return (is_int(in) ? integer_gemm_kernels().packed(in, out) : gemm_kernels().packed(in, out)) != nullptr;
}

int64_t gemm_cost(DType in, int64_t m, int64_t n, int64_t k) {
    const double products = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    const double each = in == DType::F64 || in == DType::C64 ? 0.08 : in == DType::C128 ? 0.16 : 0.04;
    return static_cast<int64_t>(std::min(products * each, 9e18)) + 100;
}

void gemm(const GemmArgs& args) {
    if (args.m == 0 || args.n == 0) return;
    const GemmKernels& kernels = gemm_kernels();
    GemmArgs g = args;
    if (g.m == 1 && g.n != 1) {  // vector times matrix: the same as the transposed matrix times the vector
        std::swap(g.m, g.n);
        std::swap(g.a, g.b);
        for (Matrix* x : {&g.a, &g.b, &g.c, &g.s}) std::swap(x->row, x->col);
    }
    if (g.n == 1) {
        if (GemmFn f = kernels.vector(g.in, g.out)) return f(g);
    }
    if (g.m * g.n * g.k <= direct_limit(g)) {
        if (GemmFn f = kernels.direct(g.in, g.out)) return f(g);
    }
    if (gemm_by_blas(g)) return;
    const GemmFn f = is_int(g.in) ? integer_gemm_kernels().packed(g.in, g.out) : kernels.packed(g.in, g.out);
    f(g);
}

int matmul_shape(const View& a, const View& b, int64_t* shape) {
    if (a.ndim == 0 || b.ndim == 0) return -1;
    const int64_t k = a.shape[a.ndim - 1], kb = b.ndim == 1 ? b.shape[0] : b.shape[b.ndim - 2];
    if (k != kb) return -1;
    const int la = std::max(0, a.ndim - 2), lb = std::max(0, b.ndim - 2), lead = std::max(la, lb);
    for (int d = 0; d < lead; ++d) {
        const int64_t x = d < lead - la ? 1 : a.shape[d - (lead - la)],
                      y = d < lead - lb ? 1 : b.shape[d - (lead - lb)];
        if (x != y && x != 1 && y != 1) return -1;
        shape[d] = x == 1 ? y : x;
    }
    int ndim = lead;
    if (a.ndim > 1) shape[ndim++] = a.shape[a.ndim - 2];
    if (b.ndim > 1) shape[ndim++] = b.shape[b.ndim - 1];
    return ndim;
}

void matmul(const View& a, const View& b, const View& c, const View* s, const Factor& alpha, const Factor& beta) {
    if (c.size == 0) return;
    GemmArgs g;
    g.in = a.dtype;
    g.out = c.dtype;
    g.m = a.ndim == 1 ? 1 : a.shape[a.ndim - 2];
    g.k = a.shape[a.ndim - 1];
    g.n = b.ndim == 1 ? 1 : b.shape[b.ndim - 1];
    g.a = last_two(a, false);
    g.b = last_two(b, true);
    const int la = std::max(0, a.ndim - 2), lb = std::max(0, b.ndim - 2), lead = std::max(la, lb);
    // c lacks the dimension of an operand that is a vector.
    g.c.data = c.data;
    if (a.ndim > 1) g.c.row = c.stride[lead];
    if (b.ndim > 1) g.c.col = c.stride[c.ndim - 1];
    if (g.n == 1 && b.ndim == 1) g.c.col = 1;
    g.alpha = alpha;
    g.beta = beta;
    const bool reads_s = s != nullptr && (beta.real != 0 || beta.imag != 0);
    g.scaled = reads_s || alpha.real != 1 || alpha.imag != 0;
    int own_s = 0;
    if (reads_s) {  // s is broadcast over c
        g.s.data = s->data;
        int d = s->ndim;
        if (b.ndim > 1 && d > 0) --d, g.s.col = s->shape[d] == 1 ? 0 : s->stride[d];
        if (a.ndim > 1 && d > 0) --d, g.s.row = s->shape[d] == 1 ? 0 : s->stride[d];
        own_s = d;
    }
    Batch batch;
    for (int d = 0; d < lead; ++d) {
        const int64_t steps[4] = {lead_step(a, la, lead, d), lead_step(b, lb, lead, d), c.stride[d],
                                  reads_s ? lead_step(*s, own_s, lead, d) : 0};
        batch.add(c.shape[d], steps);
    }
    fold_into_rows(&batch, &g);
    if (batch.ndim == 0) return gemm(g);
    run_batch(batch, g);
}

}  // namespace pyasc
