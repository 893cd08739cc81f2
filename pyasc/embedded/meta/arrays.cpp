// Arrays (aclIntArray, aclFloatArray, aclBoolArray) keep copies of the caller's values. Lists (aclTensorList,
// aclScalarList) own their elements; an element remembers its list, so that one which was destroyed on its own, and
// whose slot is somebody else's by now, is not destroyed with it.
#include <new>

#include "meta/slots.h"
#include "runtime/error.h"

namespace pyasc {
namespace {

template <class A>
void* short_room(A* a) {
    return reinterpret_cast<char*>(a) + sizeof(A);
}

// A new, not yet live array with room for `size` elements: behind its header, or on the heap if they are many.
template <class A, class E>
A* make(const char* caller, const E* value, uint64_t size) {
    if (!value && size > 0) {
        fail(ACLNN_ERR_PARAM_NULLPTR, "%s: value is null but size is %lu", caller, size);
        return nullptr;
    }
    A* array = take<A>();
    void* data = nullptr;
    if (array && size <= kShortArray / sizeof(E)) {
        data = short_room(array);
    } else if (array && size <= PTRDIFF_MAX / sizeof(E)) {
        data = ::operator new(size * sizeof(E), std::nothrow);
    }
    if (!data) {
        if (array) give(array);
        fail(ACLNN_ERR_INNER, "%s: no memory for %lu elements", caller, size);
        return nullptr;
    }
    array->data = static_cast<decltype(array->data)>(data);
    array->size = size;
    if (size > 0) std::memcpy(data, value, size * sizeof(E));
    return array;
}

template <class A>
void unmake(A* array) {
    if (static_cast<void*>(array->data) != short_room(array)) ::operator delete(array->data);
    give(array);
}

template <class A>
int32_t check(const char* caller, const A* array) {
    if (live(array)) return ACLNN_SUCCESS;
    return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is no handle of that type, or one that was destroyed", caller,
                static_cast<const void*>(array));
}

template <class A, class T>
A* create_array(const char* caller, const T* value, uint64_t size) {
    A* array = make<A>(caller, value, size);
    if (array) set_live(array);
    return array;
}

template <class A>
int32_t destroy_array(const char* caller, const A* array) {
    if (!array) return ACLNN_SUCCESS;
    if (int32_t status = check(caller, array)) return status;
    unmake(const_cast<A*>(array));
    return ACLNN_SUCCESS;
}

// Null elements are kept: some operators take optional ones.
template <class L, class E>
L* create_list(const char* caller, const E* const* value, uint64_t size) {
    for (uint64_t i = 0; value && i < size; ++i) {
        if (!value[i] || live(value[i])) continue;
        fail(ACLNN_ERR_PARAM_INVALID, "%s: element %lu, %p, is no live handle", caller, i,
             static_cast<const void*>(value[i]));
        return nullptr;
    }
    L* list = make<L>(caller, value, size);
    if (!list) return nullptr;
    for (uint64_t i = 0; i < size; ++i) {
        if (list->data[i] && !list->data[i]->owner) list->data[i]->owner = list;
    }
    set_live(list);
    return list;
}

template <class L>
int32_t destroy_list(const char* caller, const L* handle) {
    if (!handle) return ACLNN_SUCCESS;
    if (int32_t status = check(caller, handle)) return status;
    L* list = const_cast<L*>(handle);
    for (uint64_t i = 0; i < list->size; ++i) {
        auto* element = list->data[i];
        if (live(element) && element->owner == list) give(element);
    }
    unmake(list);
    return ACLNN_SUCCESS;
}

template <class A>
int32_t get_size(const char* caller, const A* array, uint64_t* size) {
    if (!array || !size) return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null", caller, array ? "size" : "the handle");
    if (int32_t status = check(caller, array)) return status;
    *size = array->size;
    return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
    return create_array<aclIntArray>("aclCreateIntArray", value, size);
}
aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
    return create_array<aclFloatArray>("aclCreateFloatArray", value, size);
}
aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
    return create_array<aclBoolArray>("aclCreateBoolArray", value, size);
}
aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
    return create_list<aclTensorList>("aclCreateTensorList", value, size);
}
aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
    return create_list<aclScalarList>("aclCreateScalarList", value, size);
}

aclnnStatus aclDestroyIntArray(const aclIntArray* array) { return destroy_array("aclDestroyIntArray", array); }
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) { return destroy_array("aclDestroyFloatArray", array); }
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) { return destroy_array("aclDestroyBoolArray", array); }
aclnnStatus aclDestroyTensorList(const aclTensorList* array) { return destroy_list("aclDestroyTensorList", array); }
aclnnStatus aclDestroyScalarList(const aclScalarList* array) { return destroy_list("aclDestroyScalarList", array); }

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
    return get_size("aclGetIntArraySize", array, size);
}
aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
    return get_size("aclGetFloatArraySize", array, size);
}
aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
    return get_size("aclGetBoolArraySize", array, size);
}
aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
    return get_size("aclGetTensorListSize", tensorList, size);
}
aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
    return get_size("aclGetScalarListSize", scalarList, size);
}

}  // extern "C"
