// Opens libscipy_openblas.so and binds the few functions that are used.
#include "kernels/blas.h"

#include <dlfcn.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace pyasc {
namespace {

constexpr char kFile[] = "libscipy_openblas.so";

// cblas.h's values.
constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112;

using RealGemm32 = void (*)(int, int, int, int, int, int, float, const void*, int, const void*, int, float, void*, int);
using RealGemm64 = void (*)(int, int, int, int, int, int, double, const void*, int, const void*, int, double, void*,
                            int);
using ComplexGemm = void (*)(int, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*,
                             void*, int);

struct Library {
    void* handle = nullptr;
    std::string missing;
    RealGemm32 sgemm = nullptr;
    RealGemm64 dgemm = nullptr;
    ComplexGemm cgemm = nullptr, zgemm = nullptr;

    Library();
    template <class F>
    void bind(F* f, const char* name) {
        *f = reinterpret_cast<F>(dlsym(handle, name));
    }
};

Library::Library() {
    Dl_info self;
    std::string path = kFile;
    if (dladdr(reinterpret_cast<const void*>(&kFile), &self) && self.dli_fname) {
        const std::string own = self.dli_fname;
        const size_t slash = own.rfind('/');
        if (slash != std::string::npos) path = own.substr(0, slash + 1) + kFile;
    }
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* reason = dlerror();
        missing = path + " could not be opened (" + (reason ? reason : "no reason given") +
                  "); build pyasc with the package scipy-openblas32 installed";
        return;
    }
    void (*set_num_threads)(int) = nullptr;
    bind(&set_num_threads, "scipy_openblas_set_num_threads");
    if (set_num_threads) set_num_threads(1);
    bind(&sgemm, "scipy_cblas_sgemm");
    bind(&dgemm, "scipy_cblas_dgemm");
    bind(&cgemm, "scipy_cblas_cgemm");
    bind(&zgemm, "scipy_cblas_zgemm");
}

const Library& library() {
    static const Library* const it = new Library;  // never closed: other threads may still be inside at exit
    return *it;
}

// How BLAS is told of a matrix: transposed or not, and the step of its long direction.
bool layout(const Matrix& x, int64_t rows, int64_t cols, int* trans, int* ld) {
    if (x.col == 1 && x.row >= (cols > 1 ? cols : 1) && x.row <= INT_MAX) {
        *trans = kNoTrans;
        *ld = static_cast<int>(x.row);
        return true;
    }
    if (x.row == 1 && x.col >= (rows > 1 ? rows : 1) && x.col <= INT_MAX) {
        *trans = kTrans;
        *ld = static_cast<int>(x.col);
        return true;
    }
    return false;
}

// Whether BLAS can be told of the whole product, and how.
bool lie_right(const GemmArgs& g, int* ta, int* lda, int* tb, int* ldb) {
    if (g.in != g.out || g.scaled || g.c.col != 1) return false;
    if (g.m > INT_MAX || g.n > INT_MAX || g.k > INT_MAX || g.c.row > INT_MAX || g.c.row < g.n) return false;
    return layout(g.a, g.m, g.k, ta, lda) && layout(g.b, g.k, g.n, tb, ldb);
}

bool has_gemm(DType type) {
    const Library& lib = library();
    switch (type) {
        case DType::F32: return lib.sgemm != nullptr;
        case DType::F64: return lib.dgemm != nullptr;
        case DType::C64: return lib.cgemm != nullptr;
        case DType::C128: return lib.zgemm != nullptr;
        default: return false;
    }
}

}  // namespace

bool blas_available() { return library().handle != nullptr; }

const char* blas_missing() { return library().missing.c_str(); }

void* lapack_function(const char* name) {
    const Library& lib = library();
    if (lib.handle == nullptr) return nullptr;
    return dlsym(lib.handle, ("scipy_" + std::string(name) + "_").c_str());
}

bool blas_takes(const GemmArgs& g) {
    int ta, tb, lda, ldb;
    return lie_right(g, &ta, &lda, &tb, &ldb) && has_gemm(g.in);
}

bool blas_gemm(const GemmArgs& g) {
    const Library& lib = library();
    int ta, tb, lda, ldb;
    if (!lie_right(g, &ta, &lda, &tb, &ldb) || !has_gemm(g.in)) return false;
    const int m = static_cast<int>(g.m), n = static_cast<int>(g.n), k = static_cast<int>(g.k);
    const int ldc = static_cast<int>(g.c.row);
    const c128 one(1.0, 0.0), zero(0.0, 0.0);
    const c64 one_f(1.0f, 0.0f), zero_f(0.0f, 0.0f);
    switch (g.in) {
        case DType::F32:
            lib.sgemm(kRowMajor, ta, tb, m, n, k, 1.0f, g.a.data, lda, g.b.data, ldb, 0.0f, g.c.data, ldc);
            return true;
        case DType::F64:
            lib.dgemm(kRowMajor, ta, tb, m, n, k, 1.0, g.a.data, lda, g.b.data, ldb, 0.0, g.c.data, ldc);
            return true;
        case DType::C64:
            lib.cgemm(kRowMajor, ta, tb, m, n, k, &one_f, g.a.data, lda, g.b.data, ldb, &zero_f, g.c.data, ldc);
            return true;
        case DType::C128:
            lib.zgemm(kRowMajor, ta, tb, m, n, k, &one, g.a.data, lda, g.b.data, ldb, &zero, g.c.data, ldc);
            return true;
        default: return false;
    }
}

}  // namespace pyasc
