// Float-valued functions of one tensor, and their in-place forms.
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_asin.h"
#include "aclnnop/aclnn_asinh.h"
#include "aclnnop/aclnn_atan.h"
#include "aclnnop/aclnn_atanh.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_digamma.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_erfinv.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_lgamma.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sinc.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_tan.h"
#include "aclnnop/aclnn_tanh.h"
#include "ops/unary_macros.h"

namespace {

using namespace pyasc;

// Of integers NumPy keeps the type, CANN asks for floats: the output says which is meant.
int32_t reciprocal(Call& call) {
    const bool integers = call.ok() && is_integer(call.dtype(0)) && call.output(0).dtype == call.dtype(0);
    return integers ? run_exact(call, Unary::Reciprocal) : run_math(call, Math::Reciprocal);
}

}  // namespace

extern "C" {

PYASC_UNARY(Sqrt, self, aclTensor*, out, run_math(call, Math::Sqrt))
PYASC_INPLACE(Sqrt, aclTensor*, self, run_math(call, Math::Sqrt))
PYASC_UNARY(Rsqrt, self, aclTensor*, out, run_math(call, Math::Rsqrt))
PYASC_INPLACE(Rsqrt, aclTensor*, selfRef, run_math(call, Math::Rsqrt))
PYASC_UNARY(Exp, self, aclTensor*, out, run_math(call, Math::Exp))
PYASC_INPLACE(Exp, aclTensor*, selfRef, run_math(call, Math::Exp))
PYASC_UNARY(Exp2, self, aclTensor*, out, run_math(call, Math::Exp2))
PYASC_INPLACE(Exp2, aclTensor*, selfRef, run_math(call, Math::Exp2))
PYASC_UNARY(Expm1, self, aclTensor*, out, run_math(call, Math::Expm1))
PYASC_INPLACE(Expm1, aclTensor*, selfRef, run_math(call, Math::Expm1))
PYASC_UNARY(Log, self, aclTensor*, out, run_math(call, Math::Log))
PYASC_INPLACE(Log, aclTensor*, selfRef, run_math(call, Math::Log))
PYASC_UNARY(Log2, self, const aclTensor*, out, run_math(call, Math::Log2))
PYASC_INPLACE(Log2, const aclTensor*, selfRef, run_math(call, Math::Log2))
PYASC_UNARY(Log10, self, aclTensor*, out, run_math(call, Math::Log10))
PYASC_INPLACE(Log10, aclTensor*, selfRef, run_math(call, Math::Log10))
PYASC_UNARY(Log1p, self, aclTensor*, out, run_math(call, Math::Log1p))
PYASC_INPLACE(Log1p, aclTensor*, selfRef, run_math(call, Math::Log1p))
PYASC_UNARY(Sin, self, aclTensor*, out, run_math(call, Math::Sin))
PYASC_INPLACE(Sin, aclTensor*, selfRef, run_math(call, Math::Sin))
PYASC_UNARY(Cos, input, aclTensor*, out, run_math(call, Math::Cos))
PYASC_INPLACE(Cos, aclTensor*, inputRef, run_math(call, Math::Cos))
PYASC_UNARY(Tan, self, aclTensor*, out, run_math(call, Math::Tan))
PYASC_INPLACE(Tan, const aclTensor*, selfRef, run_math(call, Math::Tan))
PYASC_UNARY(Asin, self, aclTensor*, out, run_math(call, Math::Asin))
PYASC_INPLACE(Asin, aclTensor*, selfRef, run_math(call, Math::Asin))
PYASC_UNARY(Acos, input, aclTensor*, out, run_math(call, Math::Acos))
PYASC_INPLACE(Acos, aclTensor*, inputRef, run_math(call, Math::Acos))
PYASC_UNARY(Atan, input, aclTensor*, out, run_math(call, Math::Atan))
PYASC_INPLACE(Atan, aclTensor*, inputRef, run_math(call, Math::Atan))
PYASC_UNARY(Sinh, self, aclTensor*, out, run_math(call, Math::Sinh))
PYASC_INPLACE(Sinh, aclTensor*, selfRef, run_math(call, Math::Sinh))
PYASC_UNARY(Cosh, self, aclTensor*, out, run_math(call, Math::Cosh))
PYASC_INPLACE(Cosh, aclTensor*, selfRef, run_math(call, Math::Cosh))
PYASC_UNARY(Tanh, self, aclTensor*, out, run_math(call, Math::Tanh))
PYASC_INPLACE(Tanh, aclTensor*, selfRef, run_math(call, Math::Tanh))
PYASC_UNARY(Asinh, input, aclTensor*, out, run_math(call, Math::Asinh))
PYASC_INPLACE(Asinh, aclTensor*, inputRef, run_math(call, Math::Asinh))
PYASC_UNARY(Acosh, self, aclTensor*, out, run_math(call, Math::Acosh))
PYASC_INPLACE(Acosh, aclTensor*, selfRef, run_math(call, Math::Acosh))
PYASC_UNARY(Atanh, input, aclTensor*, out, run_math(call, Math::Atanh))
PYASC_INPLACE(Atanh, aclTensor*, inputRef, run_math(call, Math::Atanh))
PYASC_UNARY(Erf, self, aclTensor*, out, run_math(call, Math::Erf))
PYASC_INPLACE(Erf, aclTensor*, selfRef, run_math(call, Math::Erf))
PYASC_UNARY(Erfc, self, aclTensor*, out, run_math(call, Math::Erfc))
PYASC_INPLACE(Erfc, const aclTensor*, selfRef, run_math(call, Math::Erfc))
PYASC_UNARY(Erfinv, self, aclTensor*, out, run_math(call, Math::Erfinv))
PYASC_INPLACE(Erfinv, const aclTensor*, selfRef, run_math(call, Math::Erfinv))
PYASC_UNARY(Sinc, self, aclTensor*, out, run_math(call, Math::Sinc))
PYASC_INPLACE(Sinc, aclTensor*, selfRef, run_math(call, Math::Sinc))
PYASC_UNARY(Digamma, self, aclTensor*, out, run_math(call, Math::Digamma))
PYASC_UNARY(Lgamma, self, aclTensor*, out, run_math(call, Math::Lgamma))
PYASC_UNARY(Reciprocal, self, aclTensor*, out, reciprocal(call))
PYASC_INPLACE(Reciprocal, const aclTensor*, selfRef, reciprocal(call))

}  // extern "C"

#undef PYASC_UNARY
#undef PYASC_INPLACE
