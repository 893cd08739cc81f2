// The threads of the embedded device. Work is cut into chunks that idle workers claim; the caller claims too, and never
// waits for a worker that has not started.
#pragma once

#include <cstdint>
#include <type_traits>

namespace pyasc {

int pool_threads();  // PYASC_EMBEDDED_THREADS, or the number of processors this process may use

// Calls fn(context, chunk) for every chunk in [0, chunks), on any threads, and returns when all are done. Nested calls
// and calls while another stream uses the pool run serially in the caller. Chunks must not depend on the number of
// threads.
void pool_run(int64_t chunks, void (*fn)(void* context, int64_t chunk), void* context);

template <class F>
void parallel(int64_t chunks, F&& f) {
    if (chunks <= 1) {
        if (chunks == 1) f(int64_t{0});
        return;
    }
    pool_run(
        chunks, [](void* c, int64_t i) { (*static_cast<std::remove_reference_t<F>*>(c))(i); },
        const_cast<void*>(static_cast<const void*>(&f)));
}

// Cuts [0, n) into ranges of `grain` (a multiple that depends only on n, never on the thread count): f(begin, end).
template <class F>
void parallel_for(int64_t n, int64_t grain, F&& f) {
    if (n <= 0) return;
    const int64_t chunks = (n + grain - 1) / grain;
    parallel(chunks, [&](int64_t c) { f(c * grain, c * grain + grain < n ? c * grain + grain : n); });
}

}  // namespace pyasc
