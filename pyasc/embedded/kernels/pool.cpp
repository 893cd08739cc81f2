// The thread pool: one job at a time, its chunks claimed from one atomic word by whoever is awake.
//
// The claim word packs the job's generation, its number of chunks and the next free one, so that a claim is a single
// compare-and-swap that can only succeed for the job whose function was read before it. The publisher writes the
// function while the word says "all claimed", and returns only after every claimed chunk has reported back: a worker
// that wakes late finds nothing to claim and touches nothing.
#include "kernels/pool.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pyasc {
namespace {

using Chunk = void (*)(void* context, int64_t chunk);

constexpr int kMaxThreads = 256;
constexpr int64_t kMaxClaims = 4096;  // more chunks than this are claimed several at a time
constexpr int kSpins = 1500;          // some ten microseconds

struct Pool {
    alignas(64) std::atomic<uint64_t> claim{0};  // generation << 32 | claims << 16 | next
    std::atomic<Chunk> fn{nullptr};
    std::atomic<void*> context{nullptr};
    std::atomic<int64_t> chunks{0};
    alignas(64) std::atomic<uint32_t> done{0};
    std::atomic<uint32_t> caller_waits{0};
    alignas(64) std::atomic<uint32_t> signal{0};  // changes with every job: what idle workers sleep on
    std::atomic<int> sleepers{0};
    alignas(64) std::atomic<bool> busy{false};
    std::atomic<bool> serial{false};  // in a forked child, which has no workers
    int workers = -1;                 // -1: not started; guarded by busy
};
Pool pool;  // never destroyed: workers may outlive static destructors

void relax() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

void futex(std::atomic<uint32_t>* word, int op, uint32_t value) {
    syscall(SYS_futex, reinterpret_cast<uint32_t*>(word), op | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
}

// Runs chunks of the current job until none is left to claim.
void work() {
    for (;;) {
        uint64_t word = pool.claim.load(std::memory_order_acquire);
        const int64_t claims = (word >> 16) & 0xffff;
        const int64_t next = word & 0xffff;
        if (next >= claims) return;
        const Chunk fn = pool.fn.load(std::memory_order_relaxed);
        void* const context = pool.context.load(std::memory_order_relaxed);
        const int64_t chunks = pool.chunks.load(std::memory_order_relaxed);
        if (!pool.claim.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) continue;
        const int64_t end = chunks * (next + 1) / claims;
        for (int64_t i = chunks * next / claims; i < end; ++i) fn(context, i);
        pool.done.fetch_add(1, std::memory_order_seq_cst);
        if (pool.caller_waits.load(std::memory_order_seq_cst) != 0) futex(&pool.done, FUTEX_WAKE, 1);
    }
}

void* worker(void*) {
    uint32_t seen = 0;  // workers are started by the first job, so they look for work at once
    for (;;) {
        work();
        for (int spin = 0; pool.signal.load(std::memory_order_acquire) == seen;) {
            if (++spin < kSpins) {
                relax();
                continue;
            }
            pool.sleepers.fetch_add(1, std::memory_order_seq_cst);
            if (pool.signal.load(std::memory_order_seq_cst) == seen) futex(&pool.signal, FUTEX_WAIT, seen);
            pool.sleepers.fetch_sub(1, std::memory_order_seq_cst);
        }
        seen = pool.signal.load(std::memory_order_acquire);
    }
    return nullptr;
}

void in_forked_child() {
    pool.serial.store(true);
    pool.busy.store(false);
}

// Starts the workers with all signals blocked: those belong to the application's threads.
void start_workers() {
    pthread_atfork(nullptr, nullptr, in_forked_child);
    pool.workers = 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (int i = 1; i < pool_threads(); ++i) {
        pthread_t thread;
        if (pthread_create(&thread, &detached, worker, nullptr) != 0) break;  // fewer workers: slower, not wrong
        ++pool.workers;
    }
    pthread_attr_destroy(&detached);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Processors' worth of time the container may use (cgroup v2 "quota period"), or `limit` without such a bound.
int quota_processors(int limit) {
    std::FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "re");
    if (file == nullptr) return limit;
    long long quota = 0, period = 0;
    const bool bounded = std::fscanf(file, "%lld %lld", &quota, &period) == 2 && quota > 0 && period > 0;
    std::fclose(file);
    if (!bounded) return limit;
    const long long processors = (quota + period - 1) / period;
    return processors < limit ? static_cast<int>(processors) : limit;
}

int count_threads() {
    cpu_set_t set;
    int available = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
    available = quota_processors(available);
    if (available < 1) available = 1;
    if (available > kMaxThreads) available = kMaxThreads;
    const char* text = std::getenv("PYASC_EMBEDDED_THREADS");
    if (text == nullptr || *text == '\0') return available;
    char* end = nullptr;
    const long wanted = std::strtol(text, &end, 10);
    if (*end == '\0' && wanted >= 1 && wanted <= kMaxThreads) return static_cast<int>(wanted);
    std::fprintf(stderr, "pyasc: PYASC_EMBEDDED_THREADS=%s is not a number from 1 to %d; using %d\n", text, kMaxThreads,
                 available);
    return available;
}

void publish(int64_t chunks, Chunk fn, void* context) {
    const int64_t claims = chunks < kMaxClaims ? chunks : kMaxClaims;
    pool.done.store(0, std::memory_order_relaxed);
    pool.fn.store(fn, std::memory_order_relaxed);
    pool.context.store(context, std::memory_order_relaxed);
    pool.chunks.store(chunks, std::memory_order_relaxed);
    const uint64_t generation = (pool.claim.load(std::memory_order_relaxed) >> 32) + 1;
    pool.claim.store(generation << 32 | static_cast<uint64_t>(claims) << 16, std::memory_order_release);
    pool.signal.fetch_add(1, std::memory_order_seq_cst);
    if (pool.sleepers.load(std::memory_order_seq_cst) > 0) {
        const int64_t helpers = claims - 1 < pool.workers ? claims - 1 : pool.workers;
        futex(&pool.signal, FUTEX_WAKE, static_cast<uint32_t>(helpers));
    }
}

// Waits for the chunks that workers have started.
void wait_done(uint32_t claims) {
    for (int spin = 0; spin < kSpins; ++spin) {
        if (pool.done.load(std::memory_order_acquire) == claims) return;
        relax();
    }
    pool.caller_waits.store(1, std::memory_order_seq_cst);
    for (uint32_t done; (done = pool.done.load(std::memory_order_seq_cst)) != claims;)
        futex(&pool.done, FUTEX_WAIT, done);
    pool.caller_waits.store(0, std::memory_order_relaxed);
}

}  // namespace

int pool_threads() {
    static const int threads = count_threads();
    return threads;
}

void pool_run(int64_t chunks, void (*fn)(void* context, int64_t chunk), void* context) {
    const bool alone = chunks <= 1 || pool_threads() == 1 || pool.serial.load(std::memory_order_relaxed) ||
                       pool.busy.exchange(true, std::memory_order_acquire);
    if (alone) {
        for (int64_t i = 0; i < chunks; ++i) fn(context, i);
        return;
    }
    publish(chunks, fn, context);
    if (pool.workers < 0) start_workers();
    work();
    wait_done(static_cast<uint32_t>(chunks < kMaxClaims ? chunks : kMaxClaims));
    pool.busy.store(false, std::memory_order_release);
}

}  // namespace pyasc
