// Memory that a program maps itself, notifies and values between streams, and the functions that need no device.
#include "runtime_check.h"

namespace {

constexpr size_t kPage = size_t{2} << 20;

size_t free_bytes() {
    size_t free = 0, total = 0;
    CODE(0, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
}

aclrtPhysicalMemProp on_device(uint32_t device) {
    aclrtPhysicalMemProp p = {};
    p.memAttr = ACL_HBM_MEM_HUGE;
    p.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = device;
    return p;
}

aclrtDrvMemHandle physical(size_t size) {
    const aclrtPhysicalMemProp properties = on_device(0);
    aclrtDrvMemHandle handle = nullptr;
    CODE(0, aclrtMallocPhysical(&handle, size, &properties, 0));
    return handle;
}

void map_and_use() {
    aclrtPhysicalMemProp properties = on_device(0);
    size_t granularity = 0;
    CODE(0, aclrtMemGetAllocationGranularity(&properties, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
    CHECK(granularity == kPage);
    char* base = nullptr;
    CODE(0, aclrtReserveMemAddress(reinterpret_cast<void**>(&base), 8 * kPage, 0, nullptr, 1));
    const size_t before = free_bytes();
    aclrtDrvMemHandle a = physical(2 * kPage), b = physical(kPage);
    CHECK(free_bytes() == before - 3 * kPage);
    CODE(0, aclrtMapMem(base, 2 * kPage, 0, a, 0));
    CODE(0, aclrtMapMem(base + 2 * kPage, kPage, 0, b, 0));
    std::vector<char> in(3 * kPage), out(3 * kPage);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<char>(i * 31 >> 3);
    // Both mappings together are one piece of device memory.
    CODE(0, aclrtMemcpy(base, in.size(), in.data(), in.size(), ACL_MEMCPY_HOST_TO_DEVICE));
    CODE(0, aclrtMemcpy(out.data(), in.size(), base, in.size(), ACL_MEMCPY_DEVICE_TO_HOST));
    CHECK(in == out);
    CODE(107000, aclrtMemcpy(base + 1, in.size(), in.data(), in.size(), ACL_MEMCPY_HOST_TO_DEVICE));
    CODE(107000, aclrtMemset(base + 4 * kPage, 64, 0, 64));  // reserved, nothing mapped
    aclrtPtrAttributes attributes;
    CODE(0, aclrtPointerGetAttributes(base + kPage, &attributes));
    CHECK(attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE && attributes.location.id == 0);
    // The same memory at a second place.
    CODE(0, aclrtMapMem(base + 5 * kPage, kPage, kPage, a, 0));
    CHECK(base[5 * kPage + 7] == in[kPage + 7]);
    CODE(107000, aclrtFree(base));
    CODE(0, aclrtUnmapMem(base + 2 * kPage));
    CODE(107000, aclrtMemset(base + 2 * kPage, 64, 0, 64));
    CODE(107000, aclrtUnmapMem(base + 2 * kPage));
    CODE(0, aclrtFreePhysical(b));
    CHECK(free_bytes() == before - 2 * kPage);
    CODE(107000, aclrtFreePhysical(b));
    CODE(0, aclrtFreePhysical(a));  // still mapped, so it stays
    CHECK(free_bytes() == before - 2 * kPage && base[7] == in[7]);
    CODE(107000, aclrtReleaseMemAddress(base));
    CODE(0, aclrtUnmapMem(base));
    CODE(0, aclrtUnmapMem(base + 5 * kPage));
    CHECK(free_bytes() == before);
    CODE(0, aclrtReleaseMemAddress(base));
    CODE(107000, aclrtReleaseMemAddress(base));
}

void wrong_arguments() {
    char* base = nullptr;
    void** out = reinterpret_cast<void**>(&base);
    aclrtPhysicalMemProp properties = on_device(0), nowhere = on_device(9);
    aclrtDrvMemHandle handle = nullptr;
    CODE(100000, aclrtReserveMemAddress(nullptr, kPage, 0, nullptr, 0));
    CODE(100000, aclrtReserveMemAddress(out, 0, 0, nullptr, 0));
    CODE(107000, aclrtReserveMemAddress(out, kPage, 3, nullptr, 0));
    CODE(207001, aclrtReserveMemAddress(out, SIZE_MAX, 0, nullptr, 0));
    CODE(100000, aclrtMallocPhysical(nullptr, kPage, &properties, 0));
    CODE(107000, aclrtMallocPhysical(&handle, kPage + 1, &properties, 0));
    CODE(107000, aclrtMallocPhysical(&handle, 0, &properties, 0));
    CODE(107001, aclrtMallocPhysical(&handle, kPage, &nowhere, 0));
    CODE(207001, aclrtMallocPhysical(&handle, size_t{1} << 50, &properties, 0));
    CODE(0, aclrtReserveMemAddress(out, 2 * kPage, 0, nullptr, 0));
    handle = physical(kPage);
    CODE(107000, aclrtMapMem(base, 2 * kPage, 0, handle, 0));
    CODE(107000, aclrtMapMem(base, kPage, kPage, handle, 0));
    CODE(107000, aclrtMapMem(base + 512, kPage, 0, handle, 0));
    CODE(107000, aclrtMapMem(base + 2 * kPage, kPage, 0, handle, 0));
    static char mine[64];
    CODE(107000,
         aclrtMapMem(reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(mine) & ~(kPage - 1)), kPage, 0, handle, 0));
    CODE(0, aclrtMapMem(base, kPage, 0, handle, 0));
    CODE(107000, aclrtMapMem(base, kPage, 0, handle, 0));
    for (void* bad : bad_handles(static_cast<char*>(handle) + 64)) {
        CODE(107000, aclrtMapMem(base + kPage, kPage, 0, bad, 0));
        CODE(107000, aclrtFreePhysical(bad));
        CODE(107000, aclrtUnmapMem(bad));
    }
    uint64_t shared = 0;
    CODE(207000, aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &shared));
    CODE(0, aclrtUnmapMem(base));
    CODE(0, aclrtFreePhysical(handle));
    CODE(0, aclrtReleaseMemAddress(base));
}

void notifies() {
    aclrtStream s = nullptr, t = nullptr;
    aclrtNotify n = nullptr;
    uint32_t id = 0;
    CODE(0, aclrtCreateStream(&s));
    CODE(0, aclrtCreateStream(&t));
    CODE(100000, aclrtCreateNotify(nullptr, 0));
    CODE(0, aclrtCreateNotify(&n, ACL_NOTIFY_DEFAULT));
    CODE(0, aclrtGetNotifyId(n, &id));
    for (int i = 0; i < 20; ++i) {
        CODE(0, aclrtWaitAndResetNotify(n, s, 0));
        CODE(507046, aclrtSynchronizeStreamWithTimeout(s, 2));
        CODE(0, aclrtRecordNotify(n, t));
        CODE(0, aclrtSynchronizeStreamWithTimeout(s, 5000));
    }
    CODE(0, aclrtWaitAndResetNotify(n, s, 1));
    CODE(107019, aclrtSynchronizeStream(s));  // after one second
    CODE(0, aclrtRecordNotify(n, t));
    CODE(0, aclrtNotifyBatchReset(&n, 1));
    CODE(0, aclrtWaitAndResetNotify(n, s, 0));
    CODE(507046, aclrtSynchronizeStreamWithTimeout(s, 2));
    CODE(0, aclrtDestroyNotify(n));  // whoever waits is told
    CODE(107019, aclrtSynchronizeStream(s));
    for (void* bad : bad_handles(n)) {
        CODE(107000, aclrtDestroyNotify(bad));
        CODE(107000, aclrtRecordNotify(bad, s));
    }
    aclrtCntNotify counter = nullptr;
    CODE(0, aclrtCntNotifyCreate(&counter, 0));
    aclrtCntNotifyRecordInfo add = {ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 2};
    aclrtCntNotifyWaitInfo wait = {ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 5, 0, 1, {}};
    CODE(0, aclrtCntNotifyWaitWithTimeout(counter, s, &wait));
    for (int i = 0; i < 3; ++i) {
        CODE(507046, aclrtSynchronizeStreamWithTimeout(s, 2));
        CODE(0, aclrtCntNotifyRecord(counter, t, &add));
    }
    CODE(0, aclrtSynchronizeStreamWithTimeout(s, 5000));
    CODE(107000, aclrtRecordNotify(counter, t));  // another kind of handle
    CODE(0, aclrtCntNotifyDestroy(counter));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(t));
}

void values() {
    aclrtStream s = nullptr, t = nullptr;
    uint64_t* word = nullptr;
    CODE(0, aclrtCreateStream(&s));
    CODE(0, aclrtCreateStream(&t));
    CODE(0, aclrtMalloc(reinterpret_cast<void**>(&word), 64, ACL_MEM_MALLOC_HUGE_FIRST));
    struct {
        uint32_t flag;
        uint64_t wanted, before, after;
    } cases[] = {{ACL_STREAM_WAIT_VALUE_GEQ, 5, 4, 6},
                 {ACL_STREAM_WAIT_VALUE_EQ, 5, 6, 5},
                 {ACL_STREAM_WAIT_VALUE_AND, 6, 1, 2},
                 {ACL_STREAM_WAIT_VALUE_NOR, 1, ~uint64_t{0}, ~uint64_t{3}}};
    for (auto& c : cases) {
        CODE(0, aclrtValueWrite(word, c.before, 0, t));
        CODE(0, aclrtSynchronizeStream(t));
        CODE(0, aclrtValueWait(word, c.wanted, c.flag, s));
        CODE(507046, aclrtSynchronizeStreamWithTimeout(s, 5));
        CODE(0, aclrtValueWrite(word, c.after, 0, t));
        CODE(0, aclrtSynchronizeStreamWithTimeout(s, 5000));
    }
    CODE(0, aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, s));
    const uint64_t one = 1;  // by a copy, which wakes nobody
    CODE(0, aclrtMemcpy(word, 8, &one, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    CODE(0, aclrtSynchronizeStreamWithTimeout(s, 5000));
    CODE(0, aclrtValueWait(word, 2, ACL_STREAM_WAIT_VALUE_EQ, s));
    CODE(0, aclrtStreamAbort(s));
    CODE(0, aclrtSynchronizeStreamWithTimeout(s, 5000));
    CODE(100000, aclrtValueWrite(nullptr, 0, 0, s));
    CODE(107000, aclrtValueWrite(&cases, 0, 0, s));
    CODE(107000, aclrtValueWrite(reinterpret_cast<char*>(word) + 4, 0, 0, s));
    CODE(107000, aclrtValueWait(word, 0, 4, s));
    CODE(0, aclrtFree(word));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(t));
}

void small_functions() {
    for (auto [value, bits] :
         {std::pair<float, int>{1.0f, 0x3C00}, {-2.0f, 0xC000}, {65504.0f, 0x7BFF}, {1e6f, 0x7C00}}) {
        CHECK(aclFloatToFloat16(value) == bits);
        if (bits != 0x7C00) CHECK(aclFloat16ToFloat(static_cast<aclFloat16>(bits)) == value);
    }
    CHECK(aclDataTypeSize(ACL_COMPLEX128) == 16 && aclDataTypeSize(ACL_BF16) == 2 && aclDataTypeSize(ACL_INT4) == 0);
    char data[8];
    aclDataBuffer* buffer = aclCreateDataBuffer(data, 8);
    CHECK(aclGetDataBufferAddr(buffer) == data && aclGetDataBufferSizeV2(buffer) == 8);
    CODE(0, aclUpdateDataBuffer(buffer, data + 1, 7));
    CHECK(aclGetDataBufferAddr(buffer) == data + 1 && aclGetDataBufferSize(buffer) == 7);
    CODE(0, aclDestroyDataBuffer(buffer));
    CODE(100000, aclDestroyDataBuffer(nullptr));
    int32_t value = 0;
    CODE(0, aclGetCannAttribute(ACL_CANN_ATTR_BF16, &value));
    CHECK(value == 1);
    CODE(100000, aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value));
    CODE(0, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
    CODE(207000, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
}

}  // namespace

int main() {
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    map_and_use();
    wrong_arguments();
    notifies();
    values();
    small_functions();
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
    return failures;
}
