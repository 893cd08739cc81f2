// Copying and filling memory, at once or in stream order. What a pointer is follows from its address, not from the kind
// the caller names.
#include "runtime/copy.h"

#include <cstring>

#include "runtime/arena.h"
#include "runtime/capture.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/stream.h"

namespace pyasc {
namespace {

enum class Place { Device, Pinned, Pageable };

// Where [p, p + extent) lies. Memory of an arena has to be a live block all over.
int32_t locate(const char* function, const char* name, const void* p, size_t extent, Place* place) {
    if (!is_device_memory(p)) {
        *place = is_pinned(p, extent) ? Place::Pinned : Place::Pageable;
        return 0;
    }
    *place = Place::Device;
    BlockRef block;
    if (!find_block(p, &block))
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %s %p is device memory that is not allocated, or was freed",
                    function, name, p);
    const size_t room = block.size - static_cast<size_t>(static_cast<const char*>(p) - block.base);
    if (extent <= room) return 0;
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "%s: %zu bytes from %s %p reach beyond its block of %zu bytes (%zu are left)", function, extent, name,
                p, block.size, room);
}

// Rows of `width` bytes; one row for an ordinary copy.
struct Rows {
    char* dst;
    const char* src;
    size_t width, height, dst_pitch, src_pitch;

    void copy() const {
        for (size_t y = 0; y < height; ++y) memmove(dst + y * dst_pitch, src + y * src_pitch, width);
    }
    size_t dst_extent() const { return (height - 1) * dst_pitch + width; }
    size_t src_extent() const { return (height - 1) * src_pitch + width; }
};

struct CopyTask : Task {
    Rows rows;
};

// Copies of single elements are frequent: each thread keeps one task for the next.
struct SpareCopy {
    CopyTask* task = nullptr;
    ~SpareCopy() { delete task; }
};
thread_local SpareCopy spare_copy;

CopyTask* take_copy() {
    CopyTask* task = spare_copy.task;
    if (!task) return new CopyTask;
    spare_copy.task = nullptr;
    task->next = nullptr;
    return task;
}

void give_copy(CopyTask* task) {
    if (spare_copy.task) {
        delete task;
    } else {
        spare_copy.task = task;
    }
}

struct FillTask : Task {
    char* dst;
    int value;
    size_t count;
};

int64_t cost_of(size_t bytes) { return 60 + static_cast<int64_t>(bytes / 12); }  // about 12 GB/s

int32_t check_kind(const char* function, aclrtMemcpyKind kind, bool two_dimensions) {
    const int k = static_cast<int>(kind), first = two_dimensions ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_HOST_TO_HOST;
    const int last = two_dimensions ? ACL_MEMCPY_DEFAULT : ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
    if (k >= first && k <= last) return 0;
    return fail(ACL_ERROR_INVALID_PARAM, "%s: kind %d; here it is one of %d to %d (4: DEFAULT, by the pointers)",
                function, k, first, last);
}

int32_t check_plain(const char* function, const void* dst, size_t room, const void* src, size_t count,
                    aclrtMemcpyKind kind) {
    if (!dst || !src) return fail(ACL_ERROR_INVALID_PARAM, "%s: dst %p, src %p", function, dst, src);
    if (int32_t status = check_kind(function, kind, false)) return status;
    if (count > room)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: count %zu is more than destMax %zu", function, count, room);
    return 0;
}

int32_t check_rows(const char* function, const Rows& r, aclrtMemcpyKind kind) {
    if (!r.dst || !r.src)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: dst %p, src %p", function, static_cast<const void*>(r.dst),
                    static_cast<const void*>(r.src));
    if (int32_t status = check_kind(function, kind, true)) return status;
    if (r.width > r.dst_pitch || r.width > r.src_pitch)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: width %zu is more than dpitch %zu or spitch %zu", function, r.width,
                    r.dst_pitch, r.src_pitch);
    size_t most;
    const size_t pitch = r.dst_pitch > r.src_pitch ? r.dst_pitch : r.src_pitch;
    if (r.height && __builtin_mul_overflow(r.height, pitch, &most))
        return fail(ACL_ERROR_INVALID_PARAM, "%s: height %zu times pitch %zu is no size", function, r.height, pitch);
    return 0;
}

int32_t copy_now(const char* function, const Rows& r, bool two_dimensions) {
    int32_t status = 0;
    if (!require_context(function, &status)) return status;
    if ((status = check_not_capturing(function))) return status;
    Place to, from;
    if ((status = locate(function, "dst", r.dst, r.dst_extent(), &to))) return status;
    if ((status = locate(function, "src", r.src, r.src_extent(), &from))) return status;
    if (two_dimensions && to != Place::Device && from != Place::Device)
        return fail(ACL_ERROR_INVALID_PARAM, "%s: both dst and src are host memory; copy that with memcpy", function);
    r.copy();
    return 0;
}

// Pageable memory may be reused by the caller at once, so such a copy waits for the stream and is done before it
// returns.
int32_t copy_blocking(const char* function, const Rows& r, Stream* s) {
    if (s->capture())
        return fail(ACL_ERROR_RT_PARAM_INVALID,
                    "%s: pageable host memory in a captured stream; use memory from aclrtMallocHost", function);
    if (int32_t status = check_not_capturing_async(function)) return status;
    const int32_t status = s->synchronize(kForever, function);
    r.copy();
    return status;
}

int32_t copy_async(const char* function, const Rows& r, aclrtMemcpyKind kind, aclrtStream stream) {
    int32_t status = 0;
    Stream* s = require_stream(function, stream, true, &status);
    if (!s) return status;
    Place to, from;
    if ((status = locate(function, "dst", r.dst, r.dst_extent(), &to))) return status;
    if ((status = locate(function, "src", r.src, r.src_extent(), &from))) return status;
    if (kind == ACL_MEMCPY_HOST_TO_HOST || (to != Place::Device && from != Place::Device))
        return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    "%s: host to host; streams copy only from or to device memory, use memcpy or aclrtMemcpy",
                    function);
    if (to == Place::Pageable || from == Place::Pageable) return copy_blocking(function, r, s);
    CopyTask* task = take_copy();
    task->run = [](Task* t) {
        static_cast<CopyTask*>(t)->rows.copy();
        return 0;
    };
    task->release = [](Task* t) { give_copy(static_cast<CopyTask*>(t)); };
    task->cost = cost_of(r.width * r.height);
    task->rows = r;
    return submit(stream, task);
}

int32_t check_fill(const char* function, void* p, size_t room, size_t count) {
    if (!p) return fail(ACL_ERROR_INVALID_PARAM, "%s: devPtr is null", function);
    if (count > room)
        return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: count %zu is more than maxCount %zu", function, count, room);
    Place place;
    if (int32_t status = locate(function, "devPtr", p, count, &place)) return status;
    if (place != Place::Pageable) return 0;
    return fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %p is neither device memory nor from aclrtMallocHost; use memset",
                function, p);
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclrtMemcpy(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind) {
    if (count == 0) return 0;
    if (int32_t status = check_plain("aclrtMemcpy", dst, room, src, count, kind)) return status;
    if (dst == src) return 0;
    return copy_now("aclrtMemcpy", {static_cast<char*>(dst), static_cast<const char*>(src), count, 1, count, count},
                    false);
}

aclError aclrtMemcpyAsync(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
    if (count == 0) return 0;
    if (int32_t status = check_plain("aclrtMemcpyAsync", dst, room, src, count, kind)) return status;
    if (dst == src) return 0;
    return copy_async("aclrtMemcpyAsync",
                      {static_cast<char*>(dst), static_cast<const char*>(src), count, 1, count, count}, kind, stream);
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream) {
    return aclrtMemcpyAsync(dst, room, src, count, kind, stream);
}

aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t room, size_t dst_offset, const void** src, size_t count,
                                    size_t src_offset, aclrtMemcpyKind kind, aclrtStream stream) {
    if (!dst || !src || !*dst || !*src)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtMemcpyAsyncWithOffset: dst or src is null, or points to null");
    return aclrtMemcpyAsync(static_cast<char*>(*dst) + dst_offset, room, static_cast<const char*>(*src) + src_offset,
                            count, kind, stream);
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
    const Rows r = {static_cast<char*>(dst), static_cast<const char*>(src), width, height, dpitch, spitch};
    if (int32_t status = check_rows("aclrtMemcpy2d", r, kind)) return status;
    return width == 0 || height == 0 ? 0 : copy_now("aclrtMemcpy2d", r, true);
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream) {
    const Rows r = {static_cast<char*>(dst), static_cast<const char*>(src), width, height, dpitch, spitch};
    if (int32_t status = check_rows("aclrtMemcpy2dAsync", r, kind)) return status;
    return width == 0 || height == 0 ? 0 : copy_async("aclrtMemcpy2dAsync", r, kind, stream);
}

aclError aclrtMemcpyBatch(void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count, aclrtMemcpyBatchAttr*,
                          size_t*, size_t, size_t* fail_index) {
    if (!dsts || !rooms || !srcs || !sizes || !fail_index || count == 0)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtMemcpyBatch: an argument is null, or numBatches is 0");
    for (size_t i = 0; i < count; ++i) {
        *fail_index = i;
        if (int32_t status = aclrtMemcpy(dsts[i], rooms[i], srcs[i], sizes[i], ACL_MEMCPY_DEFAULT)) return status;
    }
    *fail_index = SIZE_MAX;
    return 0;
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count,
                               aclrtMemcpyBatchAttr*, size_t*, size_t, size_t* fail_index, aclrtStream stream) {
    if (!dsts || !rooms || !srcs || !sizes || !fail_index || count == 0)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtMemcpyBatchAsync: an argument is null, or numBatches is 0");
    for (size_t i = 0; i < count; ++i) {
        *fail_index = i;
        if (int32_t status = aclrtMemcpyAsync(dsts[i], rooms[i], srcs[i], sizes[i], ACL_MEMCPY_DEFAULT, stream))
            return status;
    }
    *fail_index = SIZE_MAX;
    return 0;
}

aclError aclrtMemset(void* p, size_t room, int32_t value, size_t count) {
    if (count == 0) return 0;
    int32_t status = 0;
    if (p && !require_context("aclrtMemset", &status)) return status;
    if ((status = check_fill("aclrtMemset", p, room, count))) return status;
    if ((status = check_not_capturing("aclrtMemset"))) return status;
    memset(p, value & 0xFF, count);
    return 0;
}

aclError aclrtMemsetAsync(void* p, size_t room, int32_t value, size_t count, aclrtStream stream) {
    if (count == 0) return 0;
    int32_t status = 0;
    if (p && !require_stream("aclrtMemsetAsync", stream, true, &status)) return status;
    if ((status = check_fill("aclrtMemsetAsync", p, room, count))) return status;
    auto* task = new FillTask;
    task->run = [](Task* t) {
        auto* f = static_cast<FillTask*>(t);
        memset(f->dst, f->value, f->count);
        return 0;
    };
    task->release = [](Task* t) { delete static_cast<FillTask*>(t); };
    task->cost = cost_of(count);
    task->dst = static_cast<char*>(p);
    task->value = value & 0xFF;
    task->count = count;
    return submit(stream, task);
}

aclError aclrtCmoAsync(void* p, size_t size, aclrtCmoType type, aclrtStream stream) {
    if (!p || size == 0) return fail(ACL_ERROR_INVALID_PARAM, "aclrtCmoAsync: src %p, size %zu", p, size);
    if (type < ACL_RT_CMO_TYPE_PREFETCH || type > ACL_RT_CMO_TYPE_FLUSH)
        return fail(ACL_ERROR_INVALID_PARAM, "aclrtCmoAsync: there is no operation %d", static_cast<int>(type));
    int32_t status = 0;
    require_stream("aclrtCmoAsync", stream, true, &status);
    return status;  // host and device share their caches: there is nothing to move
}

}  // extern "C"
