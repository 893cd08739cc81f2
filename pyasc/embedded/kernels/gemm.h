// Matrix products: C = alpha * A B + beta * S on matrices of any strides, one at a time or in batches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/dtype.h"
#include "kernels/isa.h"
#include "kernels/view.h"

namespace pyasc {

// A matrix inside some array. Strides are in elements; 0 where the matrix is broadcast.
struct Matrix {
    char* data = nullptr;
    int64_t row = 0;
    int64_t col = 0;
};

// A factor of a product. It is converted to the type the product is computed in.
struct Factor {
    double real = 1.0;
    double imag = 0.0;
    int64_t integer = 1;  // the same value for integer products, exact
};

struct GemmArgs {
    DType in = DType::None;   // type of a and b
    DType out = DType::None;  // type of c and s
    int64_t m = 0, n = 0, k = 0;
    Matrix a, b, c;
    Matrix s;             // data == nullptr: C = alpha * A B
    Factor alpha, beta;
    bool scaled = false;  // alpha, beta or s are in use
};

// One product. It cuts its work into tiles by the size of the matrices alone and sums over k in one fixed order, so the
// result does not depend on the number of threads.
using GemmFn = void (*)(const GemmArgs&);

struct GemmKernels {
    GemmFn (*packed)(DType in, DType out);  // any size; null if the pair of types is not supported
    GemmFn (*direct)(DType in, DType out);  // small matrices, nothing is packed; null: use packed
    GemmFn (*vector)(DType in, DType out);  // n == 1; null: use packed
};
PYASC_FAMILY(GemmKernels, gemm_kernels)

struct IntegerGemmKernels {
    GemmFn (*packed)(DType in, DType out);
};
PYASC_FAMILY(IntegerGemmKernels, integer_gemm_kernels)

// Whether products of `in` matrices can be written as `out`: equal types, 16-bit floats as float32 and back, and int8
// or uint8 as int32.
bool gemm_supported(DType in, DType out);

// c = a @ b as NumPy's matmul: one-dimensional operands are vectors, leading dimensions broadcast. The shapes must
// agree (check_matmul). With `s` (broadcast over c): alpha * a @ b + beta * s; beta 0 does not read s.
void matmul(const View& a, const View& b, const View& c, const View* s = nullptr, const Factor& alpha = {},
            const Factor& beta = {});

// The shape of a @ b into `shape`; the number of dimensions, or -1 if they cannot be multiplied.
int matmul_shape(const View& a, const View& b, int64_t* shape);

// Estimated nanoseconds of an m x k by k x n product of that type.
int64_t gemm_cost(DType in, int64_t m, int64_t n, int64_t k);

// One matrix product, serially or on several threads as its size suggests.
void gemm(const GemmArgs& args);

// Memory for packed operands: one growing block for each thread and slot, 64-byte aligned, contents undefined.
enum class GemmBuffer { PackA, PackB, Accumulator, Convert, Image, Offsets, kCount };
char* gemm_buffer(GemmBuffer slot, size_t bytes);

}  // namespace pyasc
