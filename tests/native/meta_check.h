// What the tests of handles and executors share: device memory, and short spellings.
#pragma once

#include "aclnn/aclnn_base.h"
#include "runtime_check.h"

// Whether the call that has just failed said something about `word`.
inline bool said(const char* word) {
    const char* text = aclGetRecentErrMsg();
    const bool found = text && std::strstr(text, word);
    if (!found) std::printf("the message was: %s\n", text ? text : "none");
    return found;
}

// An array in device memory.
struct Memory {
    void* data = nullptr;
    size_t bytes;
    explicit Memory(size_t size) : bytes(size) { CODE(0, aclrtMalloc(&data, size, ACL_MEM_MALLOC_HUGE_FIRST)); }
    template <class T>
    explicit Memory(const std::vector<T>& values) : Memory(values.size() * sizeof(T)) {
        CODE(0, aclrtMemcpy(data, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }
    ~Memory() { aclrtFree(data); }
    Memory(const Memory&) = delete;
    template <class T>
    std::vector<T> read() const {
        std::vector<T> values(bytes / sizeof(T));
        CODE(0, aclrtMemcpy(values.data(), bytes, data, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
        return values;
    }
};

inline aclTensor* tensor(const std::vector<int64_t>& shape, aclDataType dtype, void* data, int64_t offset = 0,
                         const int64_t* stride = nullptr) {
    return aclCreateTensor(shape.data(), shape.size(), dtype, stride, offset, ACL_FORMAT_ND, shape.data(), shape.size(),
                           data);
}

template <class T>
aclScalar* scalar(T value, aclDataType dtype) {
    return aclCreateScalar(&value, dtype);
}

// Sets up device 0 and takes it down again.
struct Device {
    Device() {
        CODE(0, aclInit(nullptr));
        CODE(0, aclrtSetDevice(0));
    }
    ~Device() {
        CODE(0, aclrtResetDevice(0));
        CODE(0, aclFinalize());
    }
};
