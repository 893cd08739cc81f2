// Starting and ending the operator library on its own, and the dump of tensors.
#include <unistd.h>

#include "aclnn/aclnn_base.h"
#include "meta/slots.h"
#include "runtime/error.h"

using namespace pyasc;

extern "C" {

// aclInit does all there is to do; a configuration that cannot be read is still the caller's mistake.
aclnnStatus aclnnInit(const char* configPath) {
    if (!configPath || !*configPath || access(configPath, R_OK) == 0) return ACLNN_SUCCESS;
    return fail(ACLNN_ERR_PARAM_INVALID, "aclnnInit: cannot read the configuration file %s", configPath);
}

aclnnStatus aclnnFinalize(void) { return ACLNN_SUCCESS; }

// Takes effect only while dumping is switched on, and this device has no dump: so it checks what it is given.
aclnnStatus aclDumpOpTensors(const char* opType, const char* opName, aclTensor** tensors, size_t inputTensorNum,
                             size_t outputTensorNum, aclrtStream) {
    if (!opType || !opName || !tensors) {
        return fail(ACLNN_ERR_PARAM_NULLPTR, "aclDumpOpTensors: %s is null",
                    !opType   ? "opType"
                    : !opName ? "opName"
                              : "tensors");
    }
    for (size_t i = 0; i < inputTensorNum + outputTensorNum; ++i) {
        if (live(tensors[i])) continue;
        return fail(ACLNN_ERR_PARAM_INVALID, "aclDumpOpTensors: tensor %zu, %p, is no live aclTensor", i,
                    static_cast<void*>(tensors[i]));
    }
    return ACLNN_SUCCESS;
}

}  // extern "C"
