// Error messages, kept for each thread (or for the process, if the configuration says so) until somebody asks.
#include "runtime/error.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <mutex>

#include "acl/acl_rt.h"

namespace pyasc {
namespace {

constexpr size_t kKept = 32;  // a thread that never asks must not fill the memory

struct Messages {
    std::deque<std::string> newest_first;
    std::string told;  // what aclGetRecentErrMsg returned last: it must outlive the call
};

thread_local Messages tls_messages;
thread_local int32_t tls_last_error = 0;

std::atomic<bool> process_mode{false};

struct Shared {
    std::mutex mutex;
    std::deque<std::string> newest_first;
};

Shared& shared() {
    static Shared& instance = *new Shared;  // leaked: threads may still fail while the process ends
    return instance;
}

// CANN begins each message with an id: EE… for what the caller can mend, EL0004 for memory, EZ9999 for the rest.
const char* error_id(int32_t status) {
    if (status == ACL_ERROR_RT_MEMORY_ALLOCATION || status == ACL_ERROR_BAD_ALLOC) return "EL0004";
    if (status >= 100000 && status < 200000) return "EE1003";
    return "EZ9999";
}

void remember(std::deque<std::string>& list, std::string text) {
    list.push_front(std::move(text));
    if (list.size() > kKept) list.pop_back();
}

std::string join(std::deque<std::string>& list) {
    std::string text;
    for (const std::string& message : list) {
        if (!text.empty()) text += '\n';
        text += message;
    }
    list.clear();
    return text;
}

}  // namespace

int32_t fail(int32_t status, const char* format, ...) {
    char text[1024];
    const int head = snprintf(text, sizeof text, "%s: ", error_id(status));
    va_list args;
    va_start(args, format);
    vsnprintf(text + head, sizeof text - static_cast<size_t>(head), format, args);
    va_end(args);
    tls_last_error = status;
    if (process_mode.load(std::memory_order_relaxed)) {
        Shared& s = shared();
        std::lock_guard<std::mutex> lock(s.mutex);
        remember(s.newest_first, text);
    } else {
        remember(tls_messages.newest_first, text);
    }
    return status;
}

std::string take_last_message() {
    std::unique_lock<std::mutex> lock;
    std::deque<std::string>* list = &tls_messages.newest_first;
    if (process_mode.load(std::memory_order_relaxed)) {
        lock = std::unique_lock<std::mutex>(shared().mutex);
        list = &shared().newest_first;
    }
    if (list->empty()) return {};
    std::string text = std::move(list->front());
    list->pop_front();
    const size_t id = text.find(": ");  // whoever repeats the message puts an id before it again
    return id == std::string::npos ? text : text.substr(id + 2);
}

void set_process_messages(bool process) { process_mode.store(process, std::memory_order_relaxed); }

}  // namespace pyasc

extern "C" {

const char* aclGetRecentErrMsg() {
    using namespace pyasc;
    if (process_mode.load(std::memory_order_relaxed)) {
        std::lock_guard<std::mutex> lock(shared().mutex);
        tls_messages.told = join(shared().newest_first);
    } else {
        tls_messages.told = join(tls_messages.newest_first);
    }
    return tls_messages.told.empty() ? nullptr : tls_messages.told.c_str();
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
    if (level != ACL_RT_THREAD_LEVEL)
        return pyasc::fail(ACL_ERROR_INVALID_PARAM,
                           "aclrtPeekAtLastError: level %d, only ACL_RT_THREAD_LEVEL (0) exists",
                           static_cast<int>(level));
    return pyasc::tls_last_error;
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
    if (level != ACL_RT_THREAD_LEVEL)
        return pyasc::fail(ACL_ERROR_INVALID_PARAM, "aclrtGetLastError: level %d, only ACL_RT_THREAD_LEVEL (0) exists",
                           static_cast<int>(level));
    const aclError code = pyasc::tls_last_error;
    pyasc::tls_last_error = 0;
    return code;
}

}  // extern "C"
