/* A program for CANN: adds two vectors on device 0. It knows nothing of pyasc. */
#include <stdint.h>
#include <stdio.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"

#define COUNT 4
#define CHECK(call)                                                          \
    do {                                                                     \
        int status = (call);                                                 \
        if (status != 0) {                                                   \
            const char* text = aclGetRecentErrMsg();                         \
            fprintf(stderr, "%s: %d %s\n", #call, status, text ? text : ""); \
            return 1;                                                        \
        }                                                                    \
    } while (0)

int main(void) {
    const float x[COUNT] = {1, 2, 3, 4}, y[COUNT] = {10, 20, 30, 40};
    float sum[COUNT];
    const int64_t shape[] = {COUNT}, strides[] = {1};
    void *data[3], *workspace = NULL;
    aclTensor* tensor[3];
    aclrtStream stream;

    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    for (int i = 0; i < 3; ++i) {
        CHECK(aclrtMalloc(&data[i], sizeof(sum), ACL_MEM_MALLOC_HUGE_FIRST));
        tensor[i] = aclCreateTensor(shape, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 1, data[i]);
    }
    CHECK(aclrtMemcpy(data[0], sizeof(x), x, sizeof(x), ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(data[1], sizeof(y), y, sizeof(y), ACL_MEMCPY_HOST_TO_DEVICE));

    float one = 1;
    aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
    aclOpExecutor* executor;
    uint64_t size;
    CHECK(aclnnAddGetWorkspaceSize(tensor[0], tensor[1], alpha, tensor[2], &size, &executor));
    if (size > 0) CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclnnAdd(workspace, size, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(sum, sizeof(sum), data[2], sizeof(sum), ACL_MEMCPY_DEVICE_TO_HOST));
    printf("%g %g %g %g on %s\n", sum[0], sum[1], sum[2], sum[3], aclrtGetSocName());

    aclDestroyScalar(alpha);
    for (int i = 0; i < 3; ++i) {
        aclDestroyTensor(tensor[i]);
        CHECK(aclrtFree(data[i]));
    }
    if (workspace) CHECK(aclrtFree(workspace));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
