// ACL graphs: tasks that streams hand over instead of running them, to be run again and again later.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/event.h"
#include "runtime/slots.h"
#include "runtime/task.h"

namespace pyasc {

class Stream;
struct Context;

class alignas(1024) Capture {
  public:
    enum class Phase { Capturing, Updating, Invalid, Ready };

    std::atomic<void*> self{nullptr};
    std::atomic<Phase> phase{Phase::Ready};
    Stream* origin = nullptr;
    Context* context = nullptr;
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
    std::thread::id thread;
    std::atomic<int> running{0};
    void* updates = nullptr;  // while Updating: the task group that is being replaced

    void begin(Stream* stream, Phase first, aclmdlRICaptureMode m);
    int32_t append(Stream* stream, Task* task);          // takes the task
    int32_t mark(Stream* stream, Mark* m);               // an event recorded here
    int32_t join(Stream* stream, const Mark& m);         // `stream` waits for it; it may not be captured yet
    bool all_joined();
    void let_go();                                       // frees its streams; it collects no more
    void leave(Stream* stream);                          // the stream ends before the capture does
    void clear();                                        // releases the tasks

    int32_t begin_group(Stream* stream);
    int32_t end_group(Stream* stream, uint32_t* group);
    int32_t replace(uint32_t group, Capture* by);        // the tasks of a group
    int32_t run();
    int64_t cost();
    size_t size();
    size_t streams_used();

    std::string name();
    void set_name(const char* name);

  private:
    struct Entry {
        Task* task;
        uint32_t group;
    };
    struct Member {
        uint64_t count = 0;
        CaptureClock clock;
        uint32_t open_group = 0;
    };
    std::mutex mutex_;      // what is collected
    std::mutex run_mutex_;  // one execution at a time: a task is not asked to run twice at once
    std::vector<Entry> entries_;
    std::map<Stream*, Member> members_;
    uint32_t groups_ = 0;
    size_t streams_used_ = 0;
    std::string name_;
};

extern Slots<Capture> captures;

// 0, or 107030 if a capture of this or another thread forbids calls that wait for the device.
int32_t check_not_capturing(const char* function);
// The same for an asynchronous copy that has to become synchronous: 107041.
int32_t check_not_capturing_async(const char* function);

void exchange_capture_mode(
    aclmdlRICaptureMode* mode);  // this thread's own, which says what captures of others forbid it

void destroy_capture(Capture* capture);

void drop_capture(Stream* stream);  // the stream is being torn down; a capture it belongs to becomes invalid

}  // namespace pyasc
