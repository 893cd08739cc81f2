// Fourier transforms: an operator beside CANN's, which has only aclRfft1D of float32.
#include "kernels/fft.h"

#include <cmath>

#include "ops/rearrange.h"
#include "pyasc_ext/fft.h"

using namespace pyasc;

extern "C" {

aclnnStatus pyascFftGetWorkspaceSize(const aclTensor* self, int64_t dim, bool forward, double scale, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("pyascFft", workspaceSize, executor);
    call.in("self", self).out("out", out).same_dtype();
    if (!call.ok()) return call.status();
    const View& in = call.input(0);
    call.require(is_complex(in.dtype), "self is %s; it must be complex", dtype_name(in.dtype));
    call.require(in.ndim > 0, "self has no dimension to transform");
    if (!call.ok() || !call.axis("dim", &dim, in.ndim).ok()) return call.status();
    require_shape(call, "out", call.output(0), in);
    if (!call.ok()) return call.status();
    const int axis = static_cast<int>(dim);
    const int64_t cost = 500 + static_cast<int64_t>(in.size * (1 + std::log2(1 + in.shape[axis])) / 4);
    return call.run(cost, [axis, forward, scale](const Operands& o) {
        return fft(o.in[0], axis, forward, scale, o.out[0])
                   ? 0
                   : fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                          "the host has no memory left for a Fourier transform; transform fewer elements at a time");
    });
}
PYASC_PHASE2(pyascFft)

}  // extern "C"
