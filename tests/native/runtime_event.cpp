// Events of the three generations: what they answer before, during and after a record, their times, and waiting for
// them.
#include "runtime_check.h"

namespace {

aclrtStream stream() {
    aclrtStream s = nullptr;
    CODE(0, aclrtCreateStream(&s));
    return s;
}

aclrtEventRecordedStatus recorded(aclrtEvent e) {
    aclrtEventRecordedStatus status = static_cast<aclrtEventRecordedStatus>(-1);
    CODE(0, aclrtQueryEventStatus(e, &status));
    return status;
}

void flags() {
    aclrtEvent e = nullptr;
    CODE(100000, aclrtCreateEvent(nullptr));
    for (uint32_t bad : {0u, 0x80u, 0x100u, 0xFFFFFFFFu, 0x30u, 0x39u}) {
        CODE(107000, aclrtCreateEventWithFlag(&e, bad));
        CODE(107000, aclrtCreateEventExWithFlag(&e, bad));
    }
    for (uint32_t good : {0x1u, 0x2u, 0x8u, 0x10u, 0x20u, 0x9u, 0xBu}) {
        CODE(0, aclrtCreateEventWithFlag(&e, good));
        CODE(0, aclrtDestroyEvent(e));
        CODE(0, aclrtCreateEventExWithFlag(&e, good));
        CODE(0, aclrtDestroyEvent(e));
    }
    for (void* bad : bad_handles(e)) {
        CODE(107000, aclrtDestroyEvent(bad));
        CODE(107000, aclrtRecordEvent(bad, nullptr));
        CODE(107000, aclrtSynchronizeEvent(bad));
        CODE(107000, aclrtStreamWaitEvent(nullptr, bad));
    }
    CODE(100000, aclrtDestroyEvent(nullptr));
    CODE(100000, aclrtRecordEvent(nullptr, nullptr));
    CODE(100000, aclrtStreamWaitEvent(nullptr, nullptr));
    CODE(100000, aclrtSynchronizeEvent(nullptr));
}

void before_any_record() {
    aclrtStream s = stream();
    aclrtEvent old = nullptr, modern = nullptr;
    CODE(0, aclrtCreateEvent(&old));
    CODE(0, aclrtCreateEventExWithFlag(&modern, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    CHECK(recorded(old) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
    CHECK(recorded(modern) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    CODE(0, aclrtQueryEvent(old, &status));
    CHECK(status == ACL_EVENT_STATUS_COMPLETE);
    CODE(207000, aclrtQueryEvent(modern, &status));
    aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_RESERVED;
    CODE(0, aclrtQueryEventWaitStatus(old, &waits));
    CHECK(waits == ACL_EVENT_WAIT_STATUS_COMPLETE);
    CODE(207000, aclrtQueryEventWaitStatus(modern, &waits));
    CODE(207000, aclrtResetEvent(modern, s));
    CODE(0, aclrtResetEvent(old, s));
    CODE(0, aclrtSynchronizeEvent(old));
    CODE(0, aclrtSynchronizeEventWithTimeout(modern, 5));
    CODE(0, aclrtStreamWaitEvent(s, modern));  // nothing to wait for
    CODE(0, aclrtSynchronizeStream(s));
    float ms = 0;
    CODE(507000, aclrtEventElapsedTime(&ms, old, modern));
    CODE(100000, aclrtEventElapsedTime(nullptr, old, modern));
    aclrtEvent no_sync = nullptr;
    CODE(0, aclrtCreateEventExWithFlag(&no_sync, ACL_EVENT_TIME_LINE));
    CODE(207000, aclrtStreamWaitEvent(s, no_sync));
    for (aclrtEvent e : {old, modern, no_sync}) CODE(0, aclrtDestroyEvent(e));
    CODE(0, aclrtDestroyStream(s));
}

void while_pending() {
    aclrtStream s = stream(), t = stream();
    aclrtEvent old = nullptr, modern = nullptr, last = nullptr;
    CODE(0, aclrtCreateEvent(&old));
    CODE(0, aclrtCreateEventExWithFlag(&modern, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    CODE(0, aclrtCreateEvent(&last));
    Gate gate;
    gate.hold(s);
    CODE(0, aclrtRecordEvent(old, s));
    CODE(0, aclrtRecordEvent(modern, s));
    CHECK(recorded(old) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
    CHECK(recorded(modern) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    CODE(0, aclrtQueryEvent(old, &status));
    CHECK(status == ACL_EVENT_STATUS_NOT_READY);
    for (int32_t bad : {0, -2}) CODE(107000, aclrtSynchronizeEventWithTimeout(old, bad));
    const auto start = now();
    CODE(507047, aclrtSynchronizeEventWithTimeout(old, 25));
    CHECK(milliseconds_since(start) >= 24);
    float ms = 0;
    CODE(107006, aclrtEventElapsedTime(&ms, old, modern));
    CODE(0, aclrtStreamWaitEvent(t, old));
    CODE(0, aclrtRecordEvent(last, t));
    aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_RESERVED;
    CODE(0, aclrtQueryEventWaitStatus(old, &waits));
    CHECK(waits == ACL_EVENT_WAIT_STATUS_NOT_READY);
    CODE(507046, aclrtSynchronizeStreamWithTimeout(t, 10));
    gate.open = true;
    CODE(0, aclrtSynchronizeEvent(last));
    CHECK(recorded(old) == ACL_EVENT_RECORDED_STATUS_COMPLETE);  // t waited for it
    CODE(0, aclrtSynchronizeStream(s));
    CHECK(recorded(old) == ACL_EVENT_RECORDED_STATUS_COMPLETE &&
          recorded(modern) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    CODE(0, aclrtSynchronizeStream(t));
    CODE(0, aclrtQueryEventWaitStatus(old, &waits));
    CHECK(waits == ACL_EVENT_WAIT_STATUS_COMPLETE);
    CODE(0, aclrtResetEvent(old, t));
    CODE(0, aclrtSynchronizeStream(t));
    CHECK(recorded(old) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
    for (aclrtEvent e : {old, modern, last}) CODE(0, aclrtDestroyEvent(e));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(t));
}

void times() {
    aclrtStream s = stream();
    aclrtEvent a = nullptr, b = nullptr, no_time = nullptr, external = nullptr;
    CODE(0, aclrtCreateEventExWithFlag(&a, ACL_EVENT_TIME_LINE));
    CODE(0, aclrtCreateEvent(&b));
    CODE(0, aclrtCreateEventWithFlag(&no_time, ACL_EVENT_SYNC));
    CODE(0, aclrtCreateEventExWithFlag(&external, ACL_EVENT_EXTERNAL));
    CODE(0, aclrtRecordEvent(a, s));
    CODE(0, aclrtLaunchHostFunc(s, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }, nullptr));
    CODE(0, aclrtRecordEvent(b, s));
    CODE(0, aclrtRecordEvent(no_time, s));
    CODE(0, aclrtRecordEvent(external, s));
    CODE(0, aclrtSynchronizeStream(s));
    float there = 0, back = 0;
    CODE(0, aclrtEventElapsedTime(&there, a, b));
    CODE(0, aclrtEventElapsedTime(&back, b, a));
    CHECK(there >= 30 && there < 5000 && there == -back);
    CODE(107006, aclrtEventElapsedTime(&there, a, no_time));
    CODE(207000, aclrtEventElapsedTime(&there, a, external));
    uint64_t first = 0, second = 0;
    CODE(0, aclrtEventGetTimestamp(a, &first));
    CODE(0, aclrtEventGetTimestamp(b, &second));
    CHECK(second >= first + 30000);
    // Two records on an idle stream are well under a millisecond apart, and not the same.
    CODE(0, aclrtRecordEvent(a, s));
    CODE(0, aclrtRecordEvent(b, s));
    CODE(0, aclrtEventElapsedTime(&there, a, b));
    CHECK(there > 0 && there < 100);
    for (aclrtEvent e : {a, b, no_time, external}) CODE(0, aclrtDestroyEvent(e));
    CODE(0, aclrtDestroyStream(s));
}

// A wait keeps the record it was given: recording again does not move it.
void record_again() {
    aclrtStream s = stream(), t = stream();
    aclrtEvent e = nullptr;
    CODE(0, aclrtCreateEventExWithFlag(&e, ACL_EVENT_SYNC));
    Gate first, second;
    first.hold(s);
    CODE(0, aclrtRecordEvent(e, s));
    CODE(0, aclrtStreamWaitEvent(t, e));
    second.hold(s);
    CODE(0, aclrtRecordEvent(e, s));
    first.open = true;
    CODE(0, aclrtSynchronizeStream(t));  // although the second record is still pending
    CHECK(recorded(e) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
    CODE(0, aclrtDestroyEvent(e));  // with a record pending
    second.open = true;
    CODE(0, aclrtSynchronizeStream(s));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(t));
}

// One stream counts, the other follows it by events: the follower sees every step.
void streams_follow_each_other() {
    aclrtStream s = stream(), t = stream();
    static int counter = 0;
    static std::vector<int> seen;
    aclrtEvent there = nullptr, back = nullptr;
    CODE(0, aclrtCreateEventExWithFlag(&there, ACL_EVENT_SYNC));
    CODE(0, aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC));
    for (int i = 0; i < 200; ++i) {
        CODE(0, aclrtStreamWaitEvent(s, back));
        CODE(0, aclrtLaunchHostFunc(s, [](void*) { ++counter; }, nullptr));
        CODE(0, aclrtRecordEvent(there, s));
        CODE(0, aclrtStreamWaitEvent(t, there));
        CODE(0, aclrtLaunchHostFunc(t, [](void*) { seen.push_back(counter); }, nullptr));
        CODE(0, aclrtRecordEvent(back, t));
    }
    CODE(0, aclrtSynchronizeStream(t));
    CHECK(seen.size() == 200);
    for (int i = 0; i < 200; ++i) CHECK(seen[static_cast<size_t>(i)] == i + 1);
    CODE(0, aclrtDestroyEvent(there));
    CODE(0, aclrtDestroyEvent(back));
    CODE(0, aclrtDestroyStream(s));
    CODE(0, aclrtDestroyStream(t));
}

void other_contexts() {
    aclrtContext mine = nullptr, other = nullptr;
    CODE(0, aclrtGetCurrentContext(&mine));
    CODE(0, aclrtCreateContext(&other, 0));
    aclrtStream theirs = stream();
    CODE(0, aclrtSetCurrentContext(mine));
    aclrtEvent e = nullptr;
    CODE(0, aclrtCreateEvent(&e));
    CODE(107003, aclrtRecordEvent(e, theirs));
    CODE(107003, aclrtStreamWaitEvent(theirs, e));
    CODE(0, aclrtDestroyEvent(e));
    CODE(0, aclrtDestroyContext(other));
    uint32_t available = 0;
    CODE(0, aclrtGetEventAvailNum(&available));
    CHECK(available > 1000);
}

}  // namespace

int main() {
    CODE(0, aclInit(nullptr));
    CODE(0, aclrtSetDevice(0));
    flags();
    before_any_record();
    while_pending();
    times();
    record_again();
    streams_follow_each_other();
    other_contexts();
    CODE(0, aclrtResetDevice(0));
    CODE(0, aclFinalize());
    return failures;
}
