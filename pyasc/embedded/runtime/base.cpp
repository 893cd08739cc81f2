// The small functions that need no device: sizes and conversions of types, data buffers, attributes, the log.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "acl/acl_rt.h"
#include "kernels/half.h"
#include "runtime/context.h"
#include "runtime/error.h"

struct aclDataBuffer {
    void* data;
    size_t size;
};

namespace pyasc {
namespace {

constexpr aclCannAttr kAttributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16};

// ASCEND_GLOBAL_LOG_LEVEL, as for CANN: 0 debug, 1 info, 2 warning, 3 error (the default), 4 nothing.
int log_level() {
    static const int level = [] {
        const char* text = getenv("ASCEND_GLOBAL_LOG_LEVEL");
        return text && *text >= '0' && *text <= '4' && text[1] == 0 ? *text - '0' : static_cast<int>(ACL_ERROR);
    }();
    return level;
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

void aclAppLog(aclLogLevel level, const char* func, const char* file, uint32_t line, const char* format, ...) {
    if (!format || level < log_level()) return;
    const char* names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char* name = level >= ACL_DEBUG && level <= ACL_ERROR ? names[level] : "LOG";
    fprintf(stderr, "[%s] %s:%u %s: %s\n", name, file ? file : "?", line, func ? func : "?", text);
}

size_t aclDataTypeSize(aclDataType type) {
    switch (type) {
        case ACL_BOOL:
        case ACL_INT8:
        case ACL_UINT8:
        case ACL_HIFLOAT8:
        case ACL_FLOAT8_E5M2:
        case ACL_FLOAT8_E4M3FN:
        case ACL_FLOAT8_E8M0: return 1;
        case ACL_FLOAT16:
        case ACL_BF16:
        case ACL_INT16:
        case ACL_UINT16: return 2;
        case ACL_FLOAT:
        case ACL_INT32:
        case ACL_UINT32:
        case ACL_COMPLEX32: return 4;
        case ACL_DOUBLE:
        case ACL_INT64:
        case ACL_UINT64:
        case ACL_COMPLEX64: return 8;
        case ACL_COMPLEX128: return 16;
        default: return 0;  // smaller than a byte, or none of fixed size
    }
}

float aclFloat16ToFloat(aclFloat16 value) { return widen(f16{value}); }

aclFloat16 aclFloatToFloat16(float value) {
    f16 half;
    narrow(value, &half);
    return half.bits;
}

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) { return new (std::nothrow) aclDataBuffer{data, size}; }

aclError aclDestroyDataBuffer(const aclDataBuffer* buffer) {
    if (!buffer) return fail(ACL_ERROR_INVALID_PARAM, "aclDestroyDataBuffer: dataBuffer is null");
    delete buffer;
    return 0;
}

aclError aclUpdateDataBuffer(aclDataBuffer* buffer, void* data, size_t size) {
    if (!buffer) return fail(ACL_ERROR_INVALID_PARAM, "aclUpdateDataBuffer: dataBuffer is null");
    *buffer = {data, size};
    return 0;
}

void* aclGetDataBufferAddr(const aclDataBuffer* buffer) { return buffer ? buffer->data : nullptr; }
uint32_t aclGetDataBufferSize(const aclDataBuffer* buffer) { return buffer ? static_cast<uint32_t>(buffer->size) : 0; }
size_t aclGetDataBufferSizeV2(const aclDataBuffer* buffer) { return buffer ? buffer->size : 0; }

aclError aclGetCannAttributeList(const aclCannAttr** list, size_t* count) {
    if (!list || !count) return fail(ACL_ERROR_INVALID_PARAM, "aclGetCannAttributeList: an argument is null");
    *list = kAttributes;
    *count = sizeof kAttributes / sizeof *kAttributes;
    return 0;
}

aclError aclGetCannAttribute(aclCannAttr attribute, int32_t* value) {
    if (!value) return fail(ACL_ERROR_INVALID_PARAM, "aclGetCannAttribute: value is null");
    if (attribute < ACL_CANN_ATTR_INF_NAN || attribute > ACL_CANN_ATTR_JIT_COMPILE)
        return fail(ACL_ERROR_INVALID_PARAM, "aclGetCannAttribute: there is no attribute %d",
                    static_cast<int>(attribute));
    *value = attribute == ACL_CANN_ATTR_INF_NAN || attribute == ACL_CANN_ATTR_BF16;
    return 0;
}

// Results beyond a type's range are infinite here, as on Ascend 910B, which does not saturate either.
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
    int32_t status = 0;
    if (!require_context("aclrtSetDeviceSatMode", &status)) return status;
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtSetDeviceSatMode: mode %d; it is SATURATION 0 or INFNAN 1",
                    static_cast<int>(mode));
    if (mode == ACL_RT_OVERFLOW_MODE_SATURATION)
        return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    "aclrtSetDeviceSatMode: the embedded device does not saturate; use ACL_RT_OVERFLOW_MODE_INFNAN");
    return 0;
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
    if (!mode) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceSatMode: mode is null");
    int32_t status = 0;
    if (!require_context("aclrtGetDeviceSatMode", &status)) return status;
    *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
    return 0;
}

}  // extern "C"
