// Tensors: what they keep, what phase 1 refuses, and what becomes of handles that are none.
#include <climits>
#include <thread>

#include "aclnnop/aclnn_add.h"
#include "meta_check.h"

namespace {

// Phase 1 of out = self + other, undone again.
aclnnStatus plan_add(const aclTensor* self, const aclTensor* other, aclTensor* out) {
    aclScalar* one = scalar(1.0f, ACL_FLOAT);
    uint64_t size = 99;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = aclnnAddGetWorkspaceSize(self, other, one, out, &size, &executor);
    if (status == 0) {
        CHECK(size == 0);
        CODE(0, aclDestroyAclOpExecutor(executor));
    }
    aclDestroyScalar(one);
    return status;
}

std::vector<int64_t> take(int64_t* values, uint64_t count) {
    std::vector<int64_t> copy(values, values + count);
    delete[] values;
    return copy;
}

std::vector<int64_t> view_shape(const aclTensor* t) {
    int64_t* values;
    uint64_t count;
    return aclGetViewShape(t, &values, &count) == 0 ? take(values, count) : std::vector<int64_t>{-1};
}

std::vector<int64_t> view_strides(const aclTensor* t) {
    int64_t* values;
    uint64_t count;
    return aclGetViewStrides(t, &values, &count) == 0 ? take(values, count) : std::vector<int64_t>{-1};
}

void test_getters() {
    Memory memory(1024);
    int64_t shape[] = {3, 4}, stride[] = {1, 3}, storage[] = {12, 2, 5};
    aclTensor* t = aclCreateTensor(shape, 2, ACL_FLOAT16, stride, 7, ACL_FORMAT_NCHW, storage, 3, memory.data);
    shape[0] = stride[0] = storage[0] = 77;  // copied, so this changes nothing
    CHECK((view_shape(t) == std::vector<int64_t>{3, 4}));
    CHECK((view_strides(t) == std::vector<int64_t>{1, 3}));
    int64_t* values;
    uint64_t count;
    CODE(0, aclGetStorageShape(t, &values, &count));
    CHECK((take(values, count) == std::vector<int64_t>{12, 2, 5}));
    int64_t offset;
    aclFormat format;
    aclDataType dtype;
    void* address;
    CODE(0, aclGetViewOffset(t, &offset));
    CODE(0, aclGetFormat(t, &format));
    CODE(0, aclGetDataType(t, &dtype));
    CODE(0, aclGetRawTensorAddr(t, &address));
    CHECK(offset == 7 && format == ACL_FORMAT_NCHW && dtype == ACL_FLOAT16 && address == memory.data);
    CODE(161001, aclGetViewShape(t, nullptr, &count));
    CODE(161001, aclGetViewShape(t, &values, nullptr));
    CODE(161001, aclGetViewShape(nullptr, &values, &count));
    CODE(161001, aclGetDataType(nullptr, &dtype));
    CODE(161001, aclGetRawTensorAddr(t, nullptr));
    CODE(0, aclSetRawTensorAddr(t, nullptr));
    CODE(0, aclGetRawTensorAddr(t, &address));
    CHECK(address == nullptr);
    CODE(0, aclDestroyTensor(t));
    CODE(161002, aclGetDataType(t, &dtype));
    CODE(161002, aclSetRawTensorAddr(t, nullptr));
    CODE(161002, aclDestroyTensor(t));
    CODE(0, aclDestroyTensor(nullptr));

    const int64_t cube[] = {2, 3, 4};
    t = aclCreateTensor(cube, 3, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, memory.data);
    CHECK((view_strides(t) == std::vector<int64_t>{12, 4, 1}));
    CODE(0, aclInitTensor(t, cube, 1, ACL_INT8, nullptr, 3, ACL_FORMAT_ND, cube, 2, memory.data));
    CHECK((view_shape(t) == std::vector<int64_t>{2}));
    CODE(0, aclGetDataType(t, &dtype));
    CHECK(dtype == ACL_INT8);
    CODE(161001, aclInitTensor(nullptr, cube, 1, ACL_INT8, nullptr, 3, ACL_FORMAT_ND, cube, 2, memory.data));
    CODE(161001, aclInitTensor(t, nullptr, 1, ACL_INT8, nullptr, 3, ACL_FORMAT_ND, cube, 2, memory.data));
    CODE(0, aclDestroyTensor(t));

    t = aclCreateTensor(nullptr, 0, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, memory.data);  // 0-d
    CHECK(view_shape(t).empty() && view_strides(t).empty());
    CODE(0, plan_add(t, t, t));
    CODE(0, aclDestroyTensor(t));
}

void test_creation_refuses() {
    const std::vector<int64_t> ones(40, 1);
    CHECK(!aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, ones.data(), 1, nullptr) &&
          said("viewDims"));
    CHECK(!aclCreateTensor(ones.data(), 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 1, nullptr) &&
          said("storageDims"));
    CHECK(!aclCreateTensor(ones.data(), 33, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr) && said("32"));
    CHECK(!aclCreateTensor(ones.data(), UINT64_MAX, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr) &&
          said("32"));
    CHECK(!aclCreateScalar(nullptr, ACL_FLOAT) && said("null"));
    CHECK(!aclCreateIntArray(nullptr, 2) && said("null"));
    CHECK(!aclCreateIntArray(ones.data(), UINT64_MAX / 4) && said("memory"));
    CHECK(!aclCreateTensorList(nullptr, 2) && said("null"));
    Memory memory(256);
    aclTensor* t = tensor(std::vector<int64_t>(32, 1), ACL_FLOAT, memory.data);
    CHECK(t && plan_add(t, t, t) == 0);
    CODE(0, aclDestroyTensor(t));
}

struct Odd {
    const char* what;
    std::vector<int64_t> shape, stride;
    int64_t offset;
    aclDataType dtype;
    aclnnStatus status;
};

// Creation takes what CANN takes; phase 1 refuses what would reach outside the memory, and says why.
void test_phase1_refuses() {
    Memory memory(1024);  // 256 floats and 32 bytes or more of padding
    Memory neighbour(1024);
    const int64_t big = int64_t{1} << 62;
    const Odd cases[] = {
        {"all of it", {256}, {1}, 0, ACL_FLOAT, 0},
        {"the end of it", {1}, {1}, 255, ACL_FLOAT, 0},
        {"every second", {16, 8}, {16, 2}, 0, ACL_FLOAT, 0},
        {"broadcast", {1000, 1000}, {0, 0}, 3, ACL_FLOAT, 0},
        {"empty", {0, 5}, {1, 1}, 0, ACL_FLOAT, 0},
        {"empty, absurd offset", {0}, {1}, big, ACL_FLOAT, 0},
        {"too many", {512}, {1}, 0, ACL_FLOAT, 161002},
        {"wide stride", {2}, {512}, 0, ACL_FLOAT, 161002},
        {"offset", {1}, {1}, 4096, ACL_FLOAT, 161002},
        {"negative offset", {4}, {1}, -1, ACL_FLOAT, 161002},
        {"negative stride", {4}, {-1}, 4, ACL_FLOAT, 161002},
        {"negative size", {-4}, {1}, 0, ACL_FLOAT, 161002},
        {"two negative sizes", {-4, -4}, {4, 1}, 0, ACL_FLOAT, 161002},
        {"size overflow", {big, big}, {0, 0}, 0, ACL_FLOAT, 161002},
        {"stride overflow", {big, 2}, {big, 1}, 0, ACL_FLOAT, 161002},
        {"byte overflow", {2}, {big}, 0, ACL_FLOAT, 161002},
        {"offset overflow", {2}, {1}, INT64_MAX, ACL_FLOAT, 161002},
        {"int4", {4}, {1}, 0, ACL_INT4, 161002},
        {"string", {4}, {1}, 0, ACL_STRING, 161002},
        {"undefined", {4}, {1}, 0, ACL_DT_UNDEFINED, 161002},
        {"unused number", {4}, {1}, 0, static_cast<aclDataType>(5), 161002},
    };
    for (const Odd& c : cases) {
        aclTensor* t = tensor(c.shape, c.dtype, memory.data, c.offset, c.stride.data());
        CHECK(t != nullptr);
        CHECK(view_shape(t) == c.shape && view_strides(t) == c.stride);
        const aclnnStatus status = plan_add(t, t, t);
        const char* text = status ? aclGetRecentErrMsg() : "";
        CHECK(status == c.status);
        CHECK(text != nullptr);
        if (status != c.status) std::printf("  for %s: %d %s\n", c.what, status, text ? text : "");
        CODE(0, aclDestroyTensor(t));
    }
}

void test_addresses() {
    auto memory = new Memory(256);
    float on_stack[64] = {};
    aclTensor* good = tensor({4}, ACL_FLOAT, memory->data);
    aclTensor* host = tensor({4}, ACL_FLOAT, on_stack);
    aclTensor* invented = tensor({4}, ACL_FLOAT, reinterpret_cast<void*>(64));
    aclTensor* unaligned = tensor({4}, ACL_FLOAT, static_cast<char*>(memory->data) + 2);
    aclTensor* nowhere = tensor({4}, ACL_FLOAT, nullptr);
    aclTensor* empty = tensor({0}, ACL_FLOAT, nullptr);
    CODE(161002, plan_add(host, good, good));
    CODE(161002, plan_add(good, invented, good));
    CODE(161002, plan_add(good, good, unaligned));
    CODE(0, plan_add(good, nowhere, good));  // a repeatable executor may get the address later
    CODE(0, plan_add(empty, empty, empty));
    CODE(0, aclSetRawTensorAddr(host, memory->data));
    CODE(0, plan_add(host, good, good));
    delete memory;
    CODE(161002, plan_add(good, good, good));
    CHECK(plan_add(host, host, host) == 161002 && said("self"));
    Memory again(256);
    CODE(0, aclSetRawTensorAddr(good, again.data));
    CODE(0, plan_add(good, good, good));
    for (aclTensor* t : {good, host, invented, unaligned, nowhere, empty}) CODE(0, aclDestroyTensor(t));
}

// Anything may be handed in where a handle belongs.
void test_wrong_handles() {
    Memory memory(256);
    aclTensor* t = tensor({4}, ACL_FLOAT, memory.data);
    aclTensor* gone = tensor({4}, ACL_FLOAT, memory.data);
    CODE(0, aclDestroyTensor(gone));
    aclScalar* one = scalar(1.0f, ACL_FLOAT);
    int local = 0;
    char* inside = reinterpret_cast<char*>(t);
    const void* wrong[] = {gone,
                           one,
                           &local,
                           memory.data,
                           inside + 1,
                           inside + 8,
                           inside + 64,
                           inside + 128,
                           inside - 64,
                           inside + (size_t{1} << 26),
                           inside + (size_t{1} << 32),
                           reinterpret_cast<void*>(1),
                           reinterpret_cast<void*>(UINTPTR_MAX),
                           reinterpret_cast<void*>(uintptr_t{1} << 63)};
    for (const void* p : wrong) {
        const aclTensor* bad = static_cast<const aclTensor*>(p);
        CODE(161002, aclDestroyTensor(bad));
        CODE(161002, plan_add(bad, t, t));
        CODE(161002, plan_add(t, bad, t));
        CODE(161002, plan_add(t, t, const_cast<aclTensor*>(bad)));
        if (p != one) CODE(161002, aclDestroyScalar(static_cast<const aclScalar*>(p)));
        CODE(161002, aclDestroyIntArray(static_cast<const aclIntArray*>(p)));
        CODE(161002, aclDestroyTensorList(static_cast<const aclTensorList*>(p)));
    }
    CODE(161001, plan_add(nullptr, t, t));
    CODE(161001, plan_add(t, t, nullptr));
    uint64_t size;
    aclOpExecutor* executor;
    CODE(161001, aclnnAddGetWorkspaceSize(t, t, nullptr, t, &size, &executor));
    CODE(161001, aclnnAddGetWorkspaceSize(t, t, one, t, nullptr, &executor));
    CODE(161001, aclnnAddGetWorkspaceSize(t, t, one, t, &size, nullptr));
    CODE(0, aclDestroyScalar(one));
    CODE(161002, aclDestroyScalar(one));
    CODE(161002, aclnnAddGetWorkspaceSize(t, t, one, t, &size, &executor));
    CODE(0, aclDestroyTensor(t));
}

// Born on one thread, destroyed on another, many more than a thread keeps for itself.
void test_threads() {
    Memory memory(256);
    for (int round = 0; round < 20; ++round) {
        std::vector<aclTensor*> tensors(1000);
        std::thread([&] {
            for (aclTensor*& t : tensors) t = tensor({4}, ACL_FLOAT, memory.data);
        }).join();
        std::thread other([&] {
            for (int i = 0; i < 1000; ++i) aclDestroyTensor(tensor({2}, ACL_FLOAT, memory.data));
        });
        std::thread([&] {
            for (aclTensor* t : tensors) CHECK(aclDestroyTensor(t) == 0);
        }).join();
        other.join();
        for (aclTensor* t : tensors) CHECK(aclDestroyTensor(t) == 161002);
    }
    aclGetRecentErrMsg();
}

// A child that is forked while other threads move slots about can still make and destroy handles.
void test_fork() {
    std::atomic<bool> stop{false};
    std::atomic<int> running{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            // No malloc here: it is not this allocator's locks that are tried, and a sanitizer's do not survive a fork.
            const int64_t shape[] = {4};
            aclTensor* tensors[300];
            bool counted = false;
            while (!stop) {
                for (aclTensor*& t : tensors) {
                    t = aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, nullptr);
                }
                for (aclTensor* t : tensors) aclDestroyTensor(t);
                if (!counted) counted = true, ++running;
            }
        });
    }
    while (running < 2) std::this_thread::yield();  // past what a thread allocates when it starts
    aclTensor* mine = tensor({3}, ACL_FLOAT, nullptr);
    for (int i = 0; i < 20; ++i) {
        in_child("handles after fork", [mine] {
            std::vector<aclTensor*> tensors(2000);
            for (aclTensor*& t : tensors) t = tensor({5}, ACL_FLOAT, nullptr);
            CHECK((view_shape(mine) == std::vector<int64_t>{3}) &&
                  (view_shape(tensors[1999]) == std::vector<int64_t>{5}));
            for (aclTensor* t : tensors) CODE(0, aclDestroyTensor(t));
            CODE(0, aclDestroyTensor(mine));
        });
    }
    CODE(0, aclDestroyTensor(mine));
    stop = true;
    for (std::thread& t : threads) t.join();
}

}  // namespace

int main() {
    Device device;
    test_getters();
    test_creation_refuses();
    test_phase1_refuses();
    test_addresses();
    test_wrong_handles();
    test_threads();
    test_fork();
    return failures;
}
