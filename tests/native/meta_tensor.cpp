// Tensors, scalars, arrays and lists: what they keep, what they refuse, and what becomes of handles that are none.
#include <climits>
#include <cmath>
#include <thread>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
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

void test_arrays() {
    std::vector<int64_t> ints(1000);
    for (size_t i = 0; i < ints.size(); ++i) ints[i] = static_cast<int64_t>(i);
    const float floats[] = {1.5f, 2.5f};
    const bool bools[] = {true, false, true};
    uint64_t size;
    for (uint64_t n : {uint64_t{0}, uint64_t{1}, uint64_t{8}, uint64_t{9}, uint64_t{1000}}) {
        aclIntArray* a = aclCreateIntArray(n ? ints.data() : nullptr, n);
        CODE(0, aclGetIntArraySize(a, &size));
        CHECK(size == n);
        CODE(0, aclDestroyIntArray(a));
        CODE(161002, aclGetIntArraySize(a, &size));
        CODE(161002, aclDestroyIntArray(a));
    }
    aclFloatArray* f = aclCreateFloatArray(floats, 2);
    aclBoolArray* b = aclCreateBoolArray(bools, 3);
    CODE(0, aclGetFloatArraySize(f, &size));
    CHECK(size == 2);
    CODE(0, aclGetBoolArraySize(b, &size));
    CHECK(size == 3);
    CODE(161001, aclGetBoolArraySize(nullptr, &size));
    CODE(161001, aclGetFloatArraySize(f, nullptr));
    CODE(161002, aclGetBoolArraySize(reinterpret_cast<aclBoolArray*>(f), &size));
    CODE(0, aclDestroyFloatArray(f));
    CODE(0, aclDestroyBoolArray(b));
    CODE(0, aclDestroyBoolArray(nullptr));
}

void test_lists_own_their_elements() {
    Memory memory(256);
    uint64_t size;
    for (size_t n : {size_t{1}, size_t{8}, size_t{20}}) {
        std::vector<aclTensor*> tensors;
        for (size_t i = 0; i < n; ++i) tensors.push_back(tensor({1}, ACL_FLOAT, memory.data));
        aclTensorList* list = aclCreateTensorList(tensors.data(), n);
        CODE(0, aclGetTensorListSize(list, &size));
        CHECK(size == n);
        CODE(0, aclDestroyTensorList(list));
        CODE(161002, aclDestroyTensorList(list));
        for (aclTensor* t : tensors) CODE(161002, aclDestroyTensor(t));
    }
    // An element destroyed on its own; its slot is another tensor's when the list goes.
    aclTensor* pair[] = {tensor({2}, ACL_FLOAT, memory.data), tensor({2}, ACL_FLOAT, memory.data)};
    aclTensorList* list = aclCreateTensorList(pair, 2);
    CODE(0, aclDestroyTensor(pair[1]));
    uint64_t workspace;
    aclOpExecutor* executor;
    aclTensor* out = tensor({4}, ACL_FLOAT, memory.data, 8);  // takes the slot of pair[1]
    CODE(0, aclDestroyTensorList(list));
    CODE(161002, aclnnCatGetWorkspaceSize(list, 0, out, &workspace, &executor));
    CHECK((view_shape(out) == std::vector<int64_t>{4}));
    CODE(0, aclDestroyTensor(out));
    CHECK(!aclCreateTensorList(pair, 2) && said("element 0"));
    aclScalar* scalars[] = {scalar(1.0f, ACL_FLOAT), scalar(int64_t{2}, ACL_INT64)};
    aclScalarList* numbers = aclCreateScalarList(scalars, 2);
    CODE(0, aclGetScalarListSize(numbers, &size));
    CHECK(size == 2);
    CODE(0, aclDestroyScalarList(numbers));
    CODE(161002, aclDestroyScalar(scalars[1]));
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
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            while (!stop) {
                std::vector<aclTensor*> tensors(300);
                for (aclTensor*& t : tensors) t = tensor({4}, ACL_FLOAT, nullptr);
                for (aclTensor* t : tensors) aclDestroyTensor(t);
            }
        });
    }
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

// Scalars of every type keep their value; alpha * other shows it.
void test_scalars() {
    Memory memory(std::vector<int64_t>{1, 100, 0});
    aclTensor *self = tensor({1}, ACL_INT64, memory.data), *other = tensor({1}, ACL_INT64, memory.data, 1),
              *out = tensor({1}, ACL_INT64, memory.data, 2);
    const int64_t big = (int64_t{1} << 53) + 1;  // no double has it
    struct Case {
        aclScalar* alpha;
        int64_t expected;
    } cases[] = {
        {scalar(int8_t{-3}, ACL_INT8), -299},
        {scalar(uint8_t{200}, ACL_UINT8), 20001},
        {scalar(int16_t{-300}, ACL_INT16), -29999},
        {scalar(uint16_t{40000}, ACL_UINT16), 4000001},
        {scalar(int32_t{-70000}, ACL_INT32), -6999999},
        {scalar(uint32_t{3000000000u}, ACL_UINT32), 300000000001},
        {scalar(big, ACL_INT64), big * 100 + 1},
        {scalar(uint64_t{7}, ACL_UINT64), 701},
        {scalar(uint64_t{1} << 63, ACL_UINT64), -1},
        {scalar(true, ACL_BOOL), 101},
        {scalar(5.0f, ACL_FLOAT), 501},
        {scalar(6.0, ACL_DOUBLE), 601},
        {scalar(uint16_t{0x4700}, ACL_FLOAT16), 701},
        {scalar(uint16_t{0x4100}, ACL_BF16), 801},
        {scalar(1e30, ACL_DOUBLE), -1},
        {scalar(static_cast<double>(NAN), ACL_DOUBLE), -1},
        {scalar(int64_t{0}, ACL_COMPLEX32), -1},
    };
    for (const Case& c : cases) {
        uint64_t size;
        aclOpExecutor* executor;
        const aclnnStatus status = aclnnAddGetWorkspaceSize(self, other, c.alpha, out, &size, &executor);
        if (c.expected < 0 && status != 0) {
            CHECK(status == 161002 && said("alpha"));
        } else {
            CHECK(status == 0);
        }
        if (status == 0) {
            CODE(0, aclnnAdd(nullptr, size, executor, nullptr));
            CODE(0, aclrtSynchronizeStream(nullptr));
            CHECK(memory.read<int64_t>()[2] == c.expected);
        }
        CODE(0, aclDestroyScalar(c.alpha));
    }
    for (aclTensor* t : {self, other, out}) CODE(0, aclDestroyTensor(t));
}

}  // namespace

int main() {
    Device device;
    test_getters();
    test_creation_refuses();
    test_phase1_refuses();
    test_addresses();
    test_wrong_handles();
    test_arrays();
    test_lists_own_their_elements();
    test_threads();
    test_fork();
    test_scalars();
    return failures;
}
