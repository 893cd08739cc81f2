// Conversion and copies.
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "kernels/copy.h"
#include "meta/plan.h"

namespace pyasc {
namespace {

// Input 0 into output 0. Anything but a straight row goes through copy_view, which tiles transpositions.
int32_t copy(Call& call) {
    if (!call.ok()) return call.status();
    const View& src = call.input(0);
    const View& dst = call.output(0);
    if (src.contiguous() && dst.contiguous()) return call.loop(cast_inner(dst.dtype, src.dtype), dst.item());
    const int shift = dst.ndim - src.ndim;
    for (int d = 0; d < src.ndim; ++d) {
        const int64_t room = d + shift < 0 ? 1 : dst.shape[d + shift];
        call.require(src.shape[d] == 1 || src.shape[d] == room,
                     "dimension %d of the source has length %ld, which does not broadcast to %ld", d, src.shape[d],
                     room);
    }
    return call.run(100 + dst.size, [](const Operands& o) { copy_view(o.out[0], o.in[0]); });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnCastGetWorkspaceSize(const aclTensor* self, const aclDataType dtype, aclTensor* out, uint64_t* size,
                                      aclOpExecutor** executor) {
    Call call("aclnnCast", size, executor);
    call.in("self", self).out("out", out);
    if (!call.ok()) return call.status();
    call.require(to_dtype(dtype) == call.output(0).dtype, "dtype is %d, but out is %s; they must be the same",
                 static_cast<int>(dtype), dtype_name(call.output(0).dtype));
    call.require(call.input(0).size == call.output(0).size,
                 "self has %ld elements but out has %ld; they must have one shape", call.input(0).size,
                 call.output(0).size);
    return copy(call);
}
PYASC_PHASE2(aclnnCast)

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* selfRef, const aclTensor* src, uint64_t* size,
                                             aclOpExecutor** executor) {
    Call call("aclnnInplaceCopy", size, executor);
    call.inout("selfRef", selfRef).in("src", src);
    return copy(call);
}
PYASC_PHASE2(aclnnInplaceCopy)

}  // extern "C"
