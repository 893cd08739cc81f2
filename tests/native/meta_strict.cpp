// Strict mode: the device refuses the dtypes that the chip asked for refuses, and says which it takes.
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "meta_check.h"

namespace {

void test_dtypes(aclDataType dtype, const char* name, bool allowed) {
    Memory memory(256);
    aclTensor* t = tensor({4}, dtype, memory.data);
    aclScalar* one = scalar(int64_t{1}, ACL_INT64);
    uint64_t size;
    aclOpExecutor* executor;
    const aclnnStatus status = aclnnAddGetWorkspaceSize(t, t, one, t, &size, &executor);
    if (allowed) {
        CODE(0, status);
        CODE(0, aclDestroyAclOpExecutor(executor));
    } else {
        const char* text = aclGetRecentErrMsg();
        CHECK(status == 161002);
        for (const char* word : {"aclnnAdd", "self", name, "Ascend910B", "float32, float64"}) {
            CHECK(text && std::strstr(text, word));
        }
    }
    CODE(0, aclDestroyScalar(one));
    CODE(0, aclDestroyTensor(t));
}

void test_list() {
    Memory memory(256);
    aclTensor *part = tensor({4}, ACL_UINT32, memory.data), *out = tensor({4}, ACL_UINT32, memory.data, 8);
    aclTensorList* list = aclCreateTensorList(&part, 1);
    uint64_t size;
    aclOpExecutor* executor;
    CHECK(aclnnCatGetWorkspaceSize(list, 0, out, &size, &executor) == 161002 && said("tensors"));
    CODE(0, aclDestroyTensorList(list));
    CODE(0, aclDestroyTensor(out));
}

}  // namespace

int main() {
    setenv("PYASC_EMBEDDED_SOC", "Ascend910B", 1);
    Device device;
    test_dtypes(ACL_FLOAT, "float32", true);
    test_dtypes(ACL_BF16, "bfloat16", true);
    test_dtypes(ACL_INT64, "int64", true);
    test_dtypes(ACL_UINT16, "uint16", false);
    test_dtypes(ACL_UINT32, "uint32", false);
    test_dtypes(ACL_UINT64, "uint64", false);
    test_list();
    return failures;
}
