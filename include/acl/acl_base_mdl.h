// Descriptions of tensors, as models and single operators take them.
#ifndef PYASC_ACL_ACL_BASE_MDL_H
#define PYASC_ACL_ACL_BASE_MDL_H

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE
#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2

typedef struct aclTensorDesc aclTensorDesc;

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims, aclFormat format);
void aclDestroyTensorDesc(const aclTensorDesc* desc);
void* aclGetTensorDescAddress(const aclTensorDesc* desc);
aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);
int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index);
aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum, int64_t* dimRange);
aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize);
size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);
aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);
const char* aclGetTensorDescName(aclTensorDesc* desc);
size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);
size_t aclGetTensorDescSize(const aclTensorDesc* desc);
aclDataType aclGetTensorDescType(const aclTensorDesc* desc);
aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length);
void aclSetTensorDescName(aclTensorDesc* desc, const char* name);
aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName);
aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);
aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format);
aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);
aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount, int64_t dimsRange[][2]);
aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format);
aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount, int64_t valueRange[][2]);
aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat dstFormat, aclTensorDesc** dstDesc);

#ifdef __cplusplus
}
#endif

#endif
