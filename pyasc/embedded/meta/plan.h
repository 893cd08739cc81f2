// How an operator is written. Phase 1 checks its arguments and plans; phase 2 is the same line for all:
//
//     extern "C" {
//     aclnnStatus aclnnSinGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* size, aclOpExecutor** ex) {
//         Call call("aclnnSin", size, ex);
//         call.in("self", self).out("out", out).same_dtype();
//         return call.loop(unary_kernels().find(Unary::Sin, call.dtype(0)), 60);
//     }
//     PYASC_PHASE2(aclnnSin)
//     }
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "aclnn/aclnn_base.h"
#include "kernels/loop.h"
#include "meta/handle.h"
#include "runtime/error.h"
#include "runtime/task.h"

namespace pyasc {

constexpr int kInlineOperands = 6;
constexpr int kClosureBytes = 192;

// What a planned operator sees when it runs: its inputs and outputs in the order they were added, addresses up to date.
struct Operands {
    const View* in;
    const View* out;
};

}  // namespace pyasc

// One planned call. It holds copies of all it needs: tensors and scalars may die as soon as phase 1 has returned.
struct aclOpExecutor;

namespace pyasc {

aclOpExecutor* new_executor();
void free_executor(aclOpExecutor*);
bool is_live(const aclOpExecutor*);
// All of phase 2.
int32_t launch(aclOpExecutor* executor, aclrtStream stream, void* workspace, uint64_t workspace_size);

// Collects the operands of one call of phase 1. The first thing that is wrong is remembered (with its message), later
// steps then do nothing, and the last one returns the status.
class Call {
  public:
    Call(const char* op, uint64_t* workspace_size, aclOpExecutor** executor);
    ~Call();
    Call(const Call&) = delete;

    // Operands. `name` is the parameter's name in the header, for messages. A null or dead handle is 161001/161002; so
    // is data outside device memory or a view outside its block. `optional` ones may be null and then take no place.
    Call& in(const char* name, const aclTensor* t);
    Call& optional(const char* name, const aclTensor* t);
    Call& in(const char* name, const aclTensorList* list);  // each element is an input of its own
    Call& out(const char* name, const aclTensor* t);
    Call& inout(const char* name, const aclTensor* t);  // selfRef: an output that is read too; counts as output
    Call& scalar(const char* name, const aclScalar* s);  // only checked
    Call& ints(const char* name, const aclIntArray* a);  // only checked

    // Checks.
    Call& require(bool condition, const char* format, ...) __attribute__((format(printf, 3, 4)));  // else 161002
    Call& same_dtype();  // all operands so far have one dtype
    Call& axis(const char* name, int64_t* dim, int ndim);  // wraps a negative one, refuses others (0-d: as 1-d)

    bool ok() const { return status_ == 0; }
    int inputs() const;
    const View& input(int i) const;  // only when ok()
    const View& output(int i) const;
    // Of input i; of output i - inputs() after them; None when !ok().
    DType dtype(int i) const {
        return i == 0 && status_ == 0 && key_ ? static_cast<DType>(key_ & kKeyDtype) : dtype_of(i);
    }
    int32_t status() const { return status_; }

    // Endings. Each returns the status of phase 1 and, if 0, hands the executor over.

    // Element-wise over output 0 with all tensor inputs broadcast; a null `inner` is "this dtype is not supported". The
    // output has exactly the broadcast shape, unless it was added with inout() or there are no inputs. An inout is no
    // operand of its own: an operator that computes from selfRef adds it as in() and as out().
    // `weight`: tenths of a nanosecond an element. With a scalar: it becomes the last input, converted to
    // `scalar_dtype`.
    int32_t loop(Inner inner, int32_t weight);
    int32_t loop_with_scalar(Inner inner, int32_t weight, const aclScalar* s, DType scalar_dtype,
                             bool scalar_first = false);

    // Anything else: run(const Operands&) is called when the stream gets there; it returns nothing and must not fail,
    // or int32_t, a runtime code (507xxx). `cost` in nanoseconds. The closure is copied: capture by value.
    template <class F>
    int32_t run(int64_t cost, F f) {
        if (!begin_run(cost)) return finish();
        using Result = decltype(f(std::declval<const Operands&>()));
        auto body = [](void* c, const Operands& o) -> int32_t {
            if constexpr (std::is_void_v<Result>) {
                (*static_cast<F*>(c))(o);
                return 0;
            } else {
                return (*static_cast<F*>(c))(o);
            }
        };
        new (closure(sizeof(F), alignof(F), body, [](void* c) { static_cast<F*>(c)->~F(); })) F(std::move(f));
        return finish();
    }
    // For an output whose shape depends on the data: the operator calls set_view_shape from its run. The aclTensor must
    // then live until the stream is synchronised, as CANN requires for these operators.
    static void set_view_shape(aclTensor* out, const int64_t* shape, int ndim);

  private:
    bool begin_run(int64_t cost);
    void* closure(size_t size, size_t align, int32_t (*body)(void*, const Operands&), void (*destroy)(void*));
    int32_t finish();
    int32_t end();
    DType dtype_of(int i) const;
    bool admit(const char* name, const aclTensor* t);
    bool admit_slowly(const char* name, const aclTensor* t);
    bool judge(const char* name, const aclTensor* t);
    void add(const char* name, const aclTensor* t, bool output);
    bool flat() const;
    void plan_flat(Inner inner, int32_t weight);
    int32_t plan(Inner inner, int32_t weight, const View* scalar, bool scalar_first);
    bool begin_loop(Inner inner, int scalars);
    int32_t end_loop(bool scalar_first);
    bool check_shape();
    void refuse_dtypes();
    void refuse(int32_t status, const char* format, ...) __attribute__((format(printf, 3, 4), cold));
    aclOpExecutor* executor_ = nullptr;
    uint64_t* workspace_size_;
    aclOpExecutor** result_;
    const char* op_;
    int32_t status_ = 0;
    const aclScalar* scalar_ = nullptr;  // the last one that was checked, and its name
    const char* scalar_name_ = nullptr;
    bool in_place_ = false;  // output 0 is an inout
    uint64_t key_ = 0;  // of input 0, or of output 0 while there are no inputs: see layout_key
    uint64_t difference_ = 0;  // bits in which some operand's key differs from it, and whether some operand is strided
};

}  // namespace pyasc

// Phase 2 of an operator, the same for every one. Inside extern "C".
#define PYASC_PHASE2(op)                                                                                   \
    aclnnStatus op(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) { \
        return pyasc::launch(executor, stream, workspace, workspaceSize);                                  \
    }
