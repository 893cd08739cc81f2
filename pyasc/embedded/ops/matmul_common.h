// What products, linear algebra and convolutions share: operands brought to one type, and temporary arrays.
#pragma once

#include "kernels/gemm.h"
#include "kernels/move.h"
#include "meta/plan.h"
#include "ops/elementwise.h"
#include "ops/rearrange.h"

namespace pyasc {

constexpr int32_t kOutOfMemory = 207001;  // ACL_ERROR_RT_MEMORY_ALLOCATION, for an operator that is already running

// A C-order array that lives as long as this object.
class Temporary {
  public:
    Temporary() = default;
    ~Temporary();
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    bool allocate(DType dtype, const int64_t* shape, int ndim);  // false: no memory
    bool copy_of(const View& v, DType dtype);                    // contents and shape of v, as dtype
    const View& view() const { return view_; }

  private:
    View view_;
};

// A dimension of length 1 more, before dimension `at`.
View insert_dim(const View& v, int at);
View swap_last_two(const View& v);

// cubeMathType, which says how Ascend's matrix unit may round, changes nothing here; only its range is checked.
void check_cube_math(Call& call, int8_t cube_math_type);

// The type a product of the call's inputs is computed in; refuses what cannot be multiplied or stored in output 0.
DType product_type(Call& call);

// A scale factor for products of that type. A null scalar is 1.
Factor scale_factor(Call& call, const char* name, const aclScalar* s, DType type, bool optional = false);

// c = alpha * a @ b + beta * s in `type`; any types and overlaps of the views. A runtime code.
int32_t product(const View& a, const View& b, const View& c, const View* s, DType type, const Factor& alpha = {},
                const Factor& beta = {});

}  // namespace pyasc
