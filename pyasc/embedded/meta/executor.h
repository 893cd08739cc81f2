// The executor: one planned call, and the task a stream runs.
#pragma once

#include <atomic>

#include "meta/plan.h"

namespace pyasc {

// Where an operand stands: its position among the tensors of its direction, counting optional ones that were null, its
// parameter (a list is one), and its place in the list. Three numbers in one, to be counted at once.
struct Place {
    static constexpr int kBits = 21;
    static constexpr uint64_t kMask = (uint64_t{1} << kBits) - 1;
    static constexpr uint64_t kPosition = 1, kParameter = uint64_t{1} << kBits, kElement = uint64_t{1} << 2 * kBits;
    uint64_t value;
    uint64_t position() const { return value & kMask; }
    uint64_t parameter() const { return value >> kBits & kMask; }
    uint64_t element() const { return value >> 2 * kBits; }
};

// An operand as phase 1 saw it. The tensor may be dead afterwards; it is compared as an address, never followed.
struct Operand {
    const aclTensor* tensor;
    const char* name;
    int64_t first;   // bytes from tensorData to the first element
    int64_t extent;  // bytes from there to the end of the last one; 0: no elements
    Place place;
};

// Inputs or outputs, in the order they were added.
struct OperandList {
    Operand* data;
    int32_t count;
    int32_t capacity;
    Place next;
    Operand few[kInlineOperands];

    void clear() {
        count = 0;
        next.value = 0;
    }
    void open() {
        data = few;
        capacity = kInlineOperands;
    }
    Operand* add() {
        if (__builtin_expect(count == capacity, 0)) grow();
        return &data[count++];
    }
    void grow();
    void release() {
        if (__builtin_expect(data == few, 1)) return;
        delete[] data;
        open();
    }
};

enum class Work : uint8_t { None, Loop, Closure };

}  // namespace pyasc

// Slots are raw memory: what has no initialiser here is set by whoever plans, the big arrays only as far as they are
// used.
struct aclOpExecutor : pyasc::Task {
    uint32_t magic;
    pyasc::Work work;
    bool repeatable;
    bool scalar_first;                // loops: the scalar is operand 1
    bool missing;                     // some operand may have no address yet
    std::atomic<int32_t> references;  // repeatable ones: the handle and every run under way
    aclOpExecutor* original;          // a run of a repeatable executor: whose closure it borrows
    const char* op;
    pyasc::OperandList in, out;

    pyasc::Loop loop;
    alignas(16) char scalar[16];      // the scalar operand of a loop

    int32_t (*body)(void*, const pyasc::Operands&);
    void (*destroy)(void*);
    void* closure;
    size_t closure_align;             // of a closure on the heap; 0: it is in closure_room
    pyasc::View* views;               // inputs, then outputs
    alignas(pyasc::View) char view_room[pyasc::kInlineOperands * sizeof(pyasc::View)];
    alignas(16) char closure_room[pyasc::kClosureBytes];
};

namespace pyasc {

// Copies the header and as many dimensions as there are.
inline void copy_view(View* to, const View& from) {
    to->data = from.data;
    to->dtype = from.dtype;
    to->ndim = from.ndim;
    to->size = from.size;
    for (int d = 0; d < from.ndim; ++d) {
        to->shape[d] = from.shape[d];
        to->stride[d] = from.stride[d];
    }
}

View* view_storage(aclOpExecutor* e, int count);  // in the executor, or on the heap if they are many

int32_t run_loop_task(Task* task);
int32_t run_closure_task(Task* task);

}  // namespace pyasc
