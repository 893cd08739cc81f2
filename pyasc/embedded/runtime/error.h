// The text behind aclGetRecentErrMsg and the code behind aclrtGetLastError.
#pragma once

#include <cstdint>
#include <string>

namespace pyasc {

// Remembers a message for this thread (printf-style) and returns `status`, so that a check reads
// `return fail(ACLNN_ERR_PARAM_INVALID, "self has %d dimensions, at most %d are allowed", n, kMaxDims);`
// Say what was wrong, with the values, and what to do.
int32_t fail(int32_t status, const char* format, ...) __attribute__((format(printf, 2, 3), cold));

// Takes away what `fail` remembered last on this thread: a stream keeps it with the error of its task.
std::string take_last_message();

// "err_msg_mode" of the configuration: one list for the process instead of one for each thread.
void set_process_messages(bool process);

}  // namespace pyasc
