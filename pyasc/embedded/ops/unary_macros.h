// The two forms of an operator of one tensor. Included by the files that list them, which undefine the macros at their
// end.
#pragma once

#include "ops/unary.h"

// Both operators of a function: its two forms differ only in where the result goes.
#define PYASC_UNARY(Name, in_name, OutType, out_name, ending)                                                      \
    aclnnStatus aclnn##Name##GetWorkspaceSize(const aclTensor* in_name, OutType out_name, uint64_t* workspaceSize, \
                                              aclOpExecutor** executor) {                                          \
        Call call("aclnn" #Name, workspaceSize, executor);                                                         \
        call.in(#in_name, in_name).out(#out_name, out_name);                                                       \
        return ending;                                                                                             \
    }                                                                                                              \
    PYASC_PHASE2(aclnn##Name)
#define PYASC_INPLACE(Name, Type, name, ending)                                                                      \
    aclnnStatus aclnnInplace##Name##GetWorkspaceSize(Type name, uint64_t* workspaceSize, aclOpExecutor** executor) { \
        Call call("aclnnInplace" #Name, workspaceSize, executor);                                                    \
        call.in(#name, name).out(#name, name);                                                                       \
        return ending;                                                                                               \
    }                                                                                                                \
    PYASC_PHASE2(aclnnInplace##Name)
