// Random numbers. The operators whose names end in Tensor read seed and offset from device memory when the stream gets
// there.
#include <cmath>

#include "acl/error_codes/rt_error_codes.h"
#include "aclnnop/aclnn_bernoulli.h"
#include "aclnnop/aclnn_multinomial.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_normal_out.h"
#include "aclnnop/aclnn_random.h"
#include "aclnnop/aclnn_randperm.h"
#include "aclnnop/aclnn_sim_thread_exponential.h"
#include "aclnnop/aclnn_uniform.h"
#include "kernels/copy.h"
#include "kernels/random.h"
#include "ops/index.h"

namespace pyasc {
namespace {

int64_t random_cost(int64_t n) { return 100 + n * 2; }

uint64_t bits(int64_t v) { return static_cast<uint64_t>(v); }

// Seed and offset as one-element inputs; `offset` is added to what the tensor holds.
void add_seeds(Call& call, const aclTensor* seed, const aclTensor* offset) {
    const int first = call.inputs();
    call.in("seedTensor", seed).in("offsetTensor", offset);
    for (int i = first; i < first + 2 && call.ok(); ++i) {
        const View& v = call.input(i);
        call.require(v.size >= 1 && (v.dtype == DType::I64 || v.dtype == DType::U64),
                     "%s has %ld elements of %s; it must have one int64", i == first ? "seedTensor" : "offsetTensor",
                     v.size, dtype_name(v.dtype));
    }
}

uint64_t read_seed(const View& v) { return *reinterpret_cast<const uint64_t*>(v.data); }

bool has_draw(Draw draw, DType type) {
    const Distribution probe{draw, type, 0, 0};
    return random_kernels().fill(probe, 0, 0, nullptr);
}

// The end of all operators that fill one array. With `from_device`, inputs 0 and 1 are seed and offset.
int32_t plan_fill(Call& call, Distribution d, bool from_device = false) {
    if (!call.ok()) return call.status();
    const View& out = call.output(0);
    d.dtype = out.dtype;
    call.require(has_draw(d.draw, d.dtype), "there is no such distribution of %s", dtype_name(d.dtype));
    if (!call.ok()) return call.status();
    return call.run(random_cost(out.size), [d, from_device](const Operands& o) {
        Distribution drawn = d;
        if (from_device) {
            drawn.seed = read_seed(o.in[0]);
            drawn.offset += read_seed(o.in[1]);
        }
        fill_random(drawn, o.out[0]);
    });
}

void require_uniform(Call& call, double from, double to) {
    call.require(std::isfinite(from) && std::isfinite(to) && from <= to && std::isfinite(to - from),
                 "from is %g and to is %g", from, to);
    if (!call.ok() || !is_integer(call.output(0).dtype)) return;
    const DType type = call.output(0).dtype;
    const int width = 8 * item_size(type) - is_signed_integer(type);
    const double high = std::ldexp(1.0, width), low = is_signed_integer(type) ? -high : 0.0;
    call.require(from >= low && to <= high, "from %g to %g is more than %s holds", from, to, dtype_name(type));
}

void require_normal(Call& call, double deviation) {
    call.require(deviation >= 0, "std is %g; it must not be negative", deviation);
}

Distribution integers(int64_t from, int64_t to) {
    Distribution d{Draw::Integer, DType::None, 0, 0};
    d.from = from;
    d.range = bits(to) - bits(from);
    return d;
}

int32_t plan_bernoulli(Call& call, const aclScalar* prob, int64_t seed, int64_t offset) {
    if (!call.scalar("prob", prob).ok()) return call.status();
    const double p = prob->as_double();
    call.require(p >= 0 && p <= 1, "prob is %g; it must lie in [0, 1]", p);
    return plan_fill(call, {Draw::Bernoulli, DType::None, bits(seed), bits(offset), p});
}

// The last input is the probability.
int32_t plan_bernoulli_tensor(Call& call, const char* op, const aclTensor* prob, int64_t seed, int64_t offset) {
    if (!call.in("prob", prob).ok()) return call.status();
    const int last = call.inputs() - 1;
    View p = call.input(last);
    const View& out = call.output(0);
    call.require(is_float(p.dtype), "prob is %s; it must be a float", dtype_name(p.dtype));
    call.require(has_draw(Draw::Bernoulli, out.dtype), "out is %s", dtype_name(out.dtype));
    call.require(broadcast_to(&p, out.shape, out.ndim), "prob of shape %s does not broadcast to %s",
                 ShapeText(call.input(last)).text, ShapeText(out).text);
    if (!call.ok()) return call.status();
    return call.run(random_cost(out.size), [op, last, seed, offset](const Operands& o) {
        const Aside probability(o.in[last], o.out[0]);
        if (!probability.ok()) return no_memory(op);
        View p = probability.view;
        broadcast_to(&p, o.out[0].shape, o.out[0].ndim);
        fill_bernoulli(bits(seed), bits(offset), p, o.out[0]);
        return 0;
    });
}

// Input 0 is the weights; with `from_device` inputs 1 and 2 are seed and offset.
int32_t plan_multinomial(Call& call, const char* op, int64_t samples, bool replacement, uint64_t seed, uint64_t offset,
                         bool from_device) {
    if (!call.ok()) return call.status();
    const View &w = call.input(0), &out = call.output(0);
    call.require(is_float(w.dtype), "self is %s; it must be a float", dtype_name(w.dtype));
    call.require(w.ndim == 1 || w.ndim == 2, "self has %d dimensions; it must have 1 or 2", w.ndim);
    call.require(out.dtype == DType::I64, "out is %s; it must be int64", dtype_name(out.dtype));
    if (!call.ok()) return call.status();
    const int64_t n = w.shape[w.ndim - 1], shape[] = {w.ndim == 2 ? w.shape[0] : samples, samples};
    call.require(samples > 0 && n > 0 && (replacement || samples <= n), "%ld samples of %ld elements %s", samples, n,
                 replacement ? "" : "without replacement");
    require_shape(call, "out", out, shape, w.ndim);
    if (!call.ok()) return call.status();
    return call.run(random_cost(w.size + out.size) * 4, [=](const Operands& o) -> int32_t {
        const View &w = o.in[0], &out = o.out[0];
        const Scratch weights(w.size * 8), drawn(out.size * 8);
        if (weights.data == nullptr || drawn.data == nullptr) return no_memory(op);
        const View dense = contiguous_view(weights.data, DType::F64, w.shape, w.ndim);
        copy_view(dense, w);
        const uint64_t s = from_device ? read_seed(o.in[1]) : seed,
                       first = from_device ? offset + read_seed(o.in[2]) : offset;
        if (!fill_multinomial(s, first, dense, samples, replacement, reinterpret_cast<int64_t*>(drawn.data))) {
            return fail(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                        "%s: some row of self has a negative, infinite or NaN weight, or fewer "
                        "positive ones than are drawn",
                        op);
        }
        copy_view(out, contiguous_view(drawn.data, DType::I64, out.shape, out.ndim));
        return 0;
    });
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnInplaceUniformGetWorkspaceSize(const aclTensor* selfRef, double from, double to, uint64_t seed,
                                                uint64_t offset, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceUniform", workspaceSize, executor);
    if (call.inout("selfRef", selfRef).ok()) require_uniform(call, from, to);
    return plan_fill(call, {Draw::Uniform, DType::None, seed, offset, from, to});
}
PYASC_PHASE2(aclnnInplaceUniform)

aclnnStatus aclnnInplaceUniformTensorGetWorkspaceSize(const aclTensor* selfRef, double from, double to,
                                                      const aclTensor* seedTensor, const aclTensor* offsetTensor,
                                                      uint64_t offset, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor) {
    Call call("aclnnInplaceUniformTensor", workspaceSize, executor);
    if (call.inout("selfRef", selfRef).ok()) require_uniform(call, from, to);
    add_seeds(call, seedTensor, offsetTensor);
    return plan_fill(call, {Draw::Uniform, DType::None, 0, offset, from, to}, true);
}
PYASC_PHASE2(aclnnInplaceUniformTensor)

aclnnStatus aclnnInplaceNormalGetWorkspaceSize(const aclTensor* selfRef, float mean, float std, int64_t seed,
                                               int64_t offset, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceNormal", workspaceSize, executor);
    require_normal(call.inout("selfRef", selfRef), std);
    return plan_fill(call, {Draw::Normal, DType::None, bits(seed), bits(offset), mean, std});
}
PYASC_PHASE2(aclnnInplaceNormal)

aclnnStatus aclnnInplaceNormalTensorGetWorkspaceSize(const aclTensor* selfRef, float mean, float std,
                                                     const aclTensor* seedTensor, const aclTensor* offsetTensor,
                                                     int64_t offset, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor) {
    Call call("aclnnInplaceNormalTensor", workspaceSize, executor);
    require_normal(call.inout("selfRef", selfRef), std);
    add_seeds(call, seedTensor, offsetTensor);
    return plan_fill(call, {Draw::Normal, DType::None, 0, bits(offset), mean, std}, true);
}
PYASC_PHASE2(aclnnInplaceNormalTensor)

aclnnStatus aclnnNormalFloatFloatGetWorkspaceSize(float mean, float std, int64_t seed, int64_t offset, aclTensor* out,
                                                  uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnNormalFloatFloat", workspaceSize, executor);
    require_normal(call.out("out", out), std);
    return plan_fill(call, {Draw::Normal, DType::None, bits(seed), bits(offset), mean, std});
}
PYASC_PHASE2(aclnnNormalFloatFloat)

aclnnStatus aclnnInplaceRandomGetWorkspaceSize(const aclTensor* selfRef, int64_t from, int64_t to, int64_t seed,
                                               int64_t offset, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceRandom", workspaceSize, executor);
    call.inout("selfRef", selfRef)
        .require(from < to, "from is %ld and to is %ld; there is no integer between", from, to);
    Distribution d = integers(from, to);
    d.seed = bits(seed);
    d.offset = bits(offset);
    return plan_fill(call, d);
}
PYASC_PHASE2(aclnnInplaceRandom)

aclnnStatus aclnnInplaceRandomTensorGetWorkspaceSize(const aclTensor* selfRef, int64_t from, int64_t to,
                                                     const aclTensor* seedTensor, const aclTensor* offsetTensor,
                                                     int64_t offset, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor) {
    Call call("aclnnInplaceRandomTensor", workspaceSize, executor);
    call.inout("selfRef", selfRef)
        .require(from < to, "from is %ld and to is %ld; there is no integer between", from, to);
    add_seeds(call, seedTensor, offsetTensor);
    Distribution d = integers(from, to);
    d.offset = bits(offset);
    return plan_fill(call, d, true);
}
PYASC_PHASE2(aclnnInplaceRandomTensor)

aclnnStatus aclnnSimThreadExponentialGetWorkspaceSize(aclTensor* selfRef, int64_t count, double lambda, int64_t seed,
                                                      int64_t offset, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor) {
    Call call("aclnnSimThreadExponential", workspaceSize, executor);
    if (!call.inout("selfRef", selfRef).ok()) return call.status();
    call.require(lambda > 0 && std::isfinite(1 / lambda), "lambda is %g; it must be positive", lambda);
    call.require(count == call.output(0).size, "count is %ld, selfRef has %ld elements", count, call.output(0).size);
    return plan_fill(call, {Draw::Exponential, DType::None, bits(seed), bits(offset), 1 / lambda});
}
PYASC_PHASE2(aclnnSimThreadExponential)

// `self` only gives the shape.
aclnnStatus aclnnBernoulliGetWorkspaceSize(const aclTensor* self, const aclScalar* prob, int64_t seed, int64_t offset,
                                           aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnBernoulli", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).ok()) return call.status();
    require_shape(call, "out", call.output(0), call.input(0));
    return plan_bernoulli(call, prob, seed, offset);
}
PYASC_PHASE2(aclnnBernoulli)

aclnnStatus aclnnInplaceBernoulliGetWorkspaceSize(const aclTensor* selfRef, const aclScalar* prob, int64_t seed,
                                                  int64_t offset, uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnInplaceBernoulli", workspaceSize, executor);
    call.inout("selfRef", selfRef);
    return plan_bernoulli(call, prob, seed, offset);
}
PYASC_PHASE2(aclnnInplaceBernoulli)

aclnnStatus aclnnBernoulliTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* prob, int64_t seed,
                                                 int64_t offset, aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
    Call call("aclnnBernoulliTensor", workspaceSize, executor);
    if (!call.in("self", self).out("out", out).ok()) return call.status();
    require_shape(call, "out", call.output(0), call.input(0));
    return plan_bernoulli_tensor(call, "aclnnBernoulliTensor", prob, seed, offset);
}
PYASC_PHASE2(aclnnBernoulliTensor)

aclnnStatus aclnnInplaceBernoulliTensorGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* prob, int64_t seed,
                                                        int64_t offset, uint64_t* workspaceSize,
                                                        aclOpExecutor** executor) {
    Call call("aclnnInplaceBernoulliTensor", workspaceSize, executor);
    call.inout("selfRef", selfRef);
    return plan_bernoulli_tensor(call, "aclnnInplaceBernoulliTensor", prob, seed, offset);
}
PYASC_PHASE2(aclnnInplaceBernoulliTensor)

aclnnStatus aclnnRandpermGetWorkspaceSize(int64_t n, int64_t seed, int64_t offset, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
    Call call("aclnnRandperm", workspaceSize, executor);
    if (!call.out("out", out).ok()) return call.status();
    call.require(n >= 0, "n is %ld", n);
    require_shape(call, "out", call.output(0), &n, 1);
    if (!call.ok()) return call.status();
    return call.run(random_cost(4 * n), [seed, offset](const Operands& o) {
        const View& out = o.out[0];
        const bool direct = out.dtype == DType::I64 && is_dense(out);
        const Scratch memory(direct ? 0 : out.size * 8);
        if (memory.data == nullptr) return no_memory("aclnnRandperm");
        char* const data = direct ? out.data : memory.data;
        random_permutation(bits(seed), bits(offset), out.size, reinterpret_cast<int64_t*>(data));
        if (!direct) copy_view(out, contiguous_view(data, DType::I64, out.shape, 1));
        return 0;
    });
}
PYASC_PHASE2(aclnnRandperm)

aclnnStatus aclnnMultinomialGetWorkspaceSize(const aclTensor* self, int64_t numsamples, bool replacement, int64_t seed,
                                             int64_t offset, aclTensor* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
    Call call("aclnnMultinomial", workspaceSize, executor);
    call.in("self", self).out("out", out);
    return plan_multinomial(call, "aclnnMultinomial", numsamples, replacement, bits(seed), bits(offset), false);
}
PYASC_PHASE2(aclnnMultinomial)

aclnnStatus aclnnMultinomialTensorGetWorkspaceSize(const aclTensor* self, int64_t numsamples, bool replacement,
                                                   const aclTensor* seedTensor, const aclTensor* offsetTensor,
                                                   int64_t offset, aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
    Call call("aclnnMultinomialTensor", workspaceSize, executor);
    call.in("self", self).out("out", out);
    add_seeds(call, seedTensor, offsetTensor);
    return plan_multinomial(call, "aclnnMultinomialTensor", numsamples, replacement, 0, bits(offset), true);
}
PYASC_PHASE2(aclnnMultinomialTensor)

}  // extern "C"
