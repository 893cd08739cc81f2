// What the data-movement operators check in common.
#pragma once

#include "kernels/move.h"
#include "meta/plan.h"

namespace pyasc {

// A shape as text, "(2, 3)", for messages.
struct ShapeText {
    char text[160];
    ShapeText(const int64_t* shape, int ndim);
    explicit ShapeText(const View& v) : ShapeText(v.shape, v.ndim) {}
};

// `name` has exactly this shape.
void require_shape(Call& call, const char* name, const View& v, const int64_t* shape, int ndim);
inline void require_shape(Call& call, const char* name, const View& v, const View& like) {
    require_shape(call, name, v, like.shape, like.ndim);
}
void require_int(Call& call, const char* name, DType type);  // int32 or int64: what indices are

// Nanoseconds that moving this many elements may take: what decides whether the caller runs it itself.
inline int64_t move_cost(int64_t elements, int item) { return 50 + elements * item / 4; }

// The value of a scalar as an item of `type`, kept in a closure.
struct Item {
    alignas(16) char bytes[16];
};
bool store_scalar(Call& call, const char* name, const aclScalar* s, DType type, Item* out);

// Whether the list is live, and so is each of its tensors; refuses it with the usual status otherwise.
bool check_list(Call& call, const char* name, const aclTensorList* list);

// Contiguous, or without elements.
inline bool is_dense(const View& v) { return v.size == 0 || v.contiguous(); }

// A dense array with the elements of `v`: itself, or a copy. Null data: there was no memory for it.
struct Dense {
    Scratch memory;
    View view;
    explicit Dense(const View& v, bool filled = true);
    bool ok() const { return memory.data != nullptr; }
    bool copied(const View& v) const { return view.data != v.data; }
};

// Copies self to out unless they are the same memory: how an out-of-place operator becomes an in-place one.
void copy_unless_same(const View& out, const View& self);

int32_t no_memory(const char* op);  // the runtime code, with its message

}  // namespace pyasc
