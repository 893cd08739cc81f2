// Scalars, arrays and lists: values of every type, and who destroys what.
#include <cmath>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "meta_check.h"

namespace {

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
    aclDataType dtype;
    CODE(0, aclGetDataType(out, &dtype));  // it still lives
    CODE(0, aclDestroyTensor(out));
    CHECK(!aclCreateTensorList(pair, 2) && said("element 0"));
    aclScalar* scalars[] = {scalar(1.0f, ACL_FLOAT), scalar(int64_t{2}, ACL_INT64)};
    aclScalarList* numbers = aclCreateScalarList(scalars, 2);
    CODE(0, aclGetScalarListSize(numbers, &size));
    CHECK(size == 2);
    CODE(0, aclDestroyScalarList(numbers));
    CODE(161002, aclDestroyScalar(scalars[1]));
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
    test_scalars();
    test_arrays();
    test_lists_own_their_elements();
    return failures;
}
