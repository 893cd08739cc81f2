// aclInit and aclFinalize in every order, configuration files, messages and last errors, names.
#include <fstream>
#include <string>

#include "runtime_check.h"

extern "C" const char* pyascSocProfile();

namespace {

std::string write(const char* name, const std::string& text) {
    const std::string path = std::string("/tmp/pyasc_runtime_init_") + std::to_string(getpid()) + name;
    std::ofstream(path) << text;
    return path;
}

void reference_counting() {
    uint64_t left = 99;
    CODE(100037, aclFinalizeReference(&left));
    CODE(0, aclInit(nullptr));
    CODE(100002, aclInit(nullptr));
    CODE(100002, aclInit(""));
    CODE(0, aclFinalizeReference(&left));
    CHECK(left == 2);
    CODE(0, aclFinalizeReference(nullptr));
    CODE(0, aclFinalizeReference(&left));
    CHECK(left == 0);
    CODE(100037, aclFinalizeReference(&left));
    CODE(100037, aclFinalize());
    CODE(0, aclInit(nullptr));
    CODE(0, aclFinalize());
    CODE(100037, aclFinalize());
}

void finalize_before_init() {
    CODE(0, aclFinalize());
    CODE(100037, aclFinalize());
    CODE(0, aclInit(nullptr));
    CODE(100002, aclInit(nullptr));
    CODE(0, aclFinalize());
}

void configuration() {
    CODE(100003, aclInit("/nonexistent/acl.json"));
    for (const char* bad :
         {"", "{", "[]", "{\"a\":}", "{\"a\":1,}", "{\"a\":01}", "{} x", "{\"a\":\"\x01\"}", "{\"a\":\"\\q\"}",
          "{\"err_msg_mode\":\"2\"}", "{\"defaultDevice\":{\"default_device\":\"99\"}}"}) {
        const std::string path = write("bad.json", bad);
        CODE(100006, aclInit(path.c_str()));
    }
    const std::string deep(1000, '[');
    CODE(100006, aclInit(write("deep.json", "{\"a\":" + deep).c_str()));
    const std::string good = write("good.json", "{\"dump\": {\"x\": [1, -2.5e3, true, null, \"\\u00e9\\n\"]}}");
    CODE(0, aclInit(good.c_str()));
    CODE(100002, aclInit(good.c_str()));
    CODE(100000, aclInit(nullptr));  // another configuration
    CODE(0, aclFinalize());
    CODE(100000, aclInit(nullptr));
    CODE(0, aclInit(write("same.json", "{\"dump\": {\"x\": [1, -2.5e3, true, null, \"\\u00e9\\n\"]}}").c_str()));
}

void default_device() {
    int32_t device = -1;
    CODE(107002, aclrtGetDevice(&device));
    CODE(0, aclInit(write("default.json", "{\"defaultDevice\":{\"default_device\":\"1\"}}").c_str()));
    CODE(0, aclrtGetDevice(&device));
    CHECK(device == 1);
    void* p = nullptr;
    CODE(0, aclrtMalloc(&p, 100, ACL_MEM_MALLOC_HUGE_FIRST));  // sets the device by itself
    std::thread([] {
        aclrtStream stream = nullptr;
        CODE(0, aclrtCreateStream(&stream));
        CODE(0, aclrtMemsetAsync(nullptr, 0, 0, 0, stream));
        CODE(0, aclrtDestroyStream(stream));
    }).join();
    CODE(0, aclrtFree(p));
}

void messages_of_a_thread() {
    CHECK(aclGetRecentErrMsg() == nullptr);
    CHECK(aclrtSetDevice(77) == 107001);
    CHECK(aclrtMalloc(nullptr, 1, ACL_MEM_MALLOC_HUGE_FIRST) == 100000);
    std::thread([] { CHECK(aclGetRecentErrMsg() == nullptr); }).join();
    uint32_t count = 0;
    CODE(0, aclrtGetDeviceCount(&count));  // a success clears nothing
    const char* text = aclGetRecentErrMsg();
    CHECK(text && std::strncmp(text, "EE1003: aclrtMalloc", 19) == 0 && std::strstr(text, "device 77"));
    CHECK(aclGetRecentErrMsg() == nullptr);
    for (int i = 0; i < 1000; ++i) aclrtSetDevice(1000 + i);
    text = aclGetRecentErrMsg();
    CHECK(text && std::strstr(text, "1999") && std::strlen(text) < 100000);
}

void messages_of_the_process() {
    CODE(0, aclInit(write("process.json", "{\"err_msg_mode\":\"1\"}").c_str()));
    std::thread([] { CHECK(aclrtSetDevice(77) == 107001); }).join();
    const char* text = aclGetRecentErrMsg();
    CHECK(text && std::strstr(text, "device 77"));
    CHECK(aclGetRecentErrMsg() == nullptr);
}

void last_errors() {
    CODE(0, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    CODE(107001, aclrtSetDevice(77));
    CHECK(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) == 107001);
    CHECK(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == 107001);
    CHECK(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == 0);
    CODE(100000, aclrtGetLastError(static_cast<aclrtLastErrLevel>(1)));
    CODE(100000, aclrtPeekAtLastError(static_cast<aclrtLastErrLevel>(-1)));
}

void names() {
    CHECK(std::strcmp(aclrtGetSocName(), "Ascend910B1") == 0);
    CHECK(std::strcmp(pyascSocProfile(), "unlimited") == 0);
    int32_t major = 0, minor = 0, patch = -1;
    CODE(0, aclrtGetVersion(&major, &minor, &patch));
    CHECK(major >= 8 && patch >= 0);
    CODE(100000, aclrtGetVersion(nullptr, &minor, &patch));
    aclCANNPackageVersion version;
    CODE(0, aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version));
    CHECK(std::atoi(version.version) == major);
    aclrtRunMode mode = ACL_DEVICE;
    CODE(0, aclrtGetRunMode(&mode));
    CHECK(mode == ACL_HOST);
    CODE(100000, aclrtGetRunMode(nullptr));
}

void strict_family() {
    setenv("PYASC_EMBEDDED_SOC", "Ascend910B", 1);
    CHECK(std::strcmp(aclrtGetSocName(), "Ascend910B1") == 0);
    CHECK(std::strcmp(pyascSocProfile(), "Ascend910B") == 0);
}

void strict_chip() {
    setenv("PYASC_EMBEDDED_SOC", "Ascend910B3", 1);
    CHECK(std::strcmp(aclrtGetSocName(), "Ascend910B3") == 0);
    CHECK(std::strcmp(pyascSocProfile(), "Ascend910B3") == 0);
}

void bad_settings(const char* name, const char* value) {
    setenv(name, value, 1);
    CHECK(aclrtSetDevice(0) == 507033);
    const char* text = aclGetRecentErrMsg();
    CHECK(text && std::strstr(text, name) && std::strstr(text, value));
}

void callbacks() {
    auto on_init = [](const char*, size_t, void* data) -> aclError { return *static_cast<int*>(data) += 1, 0; };
    auto on_end = [](void* data) -> aclError { return *static_cast<int*>(data) += 10, 0; };
    int count = 0;
    CODE(0, aclInitCallbackRegister(ACL_REG_TYPE_OTHER, on_init, &count));
    CODE(0, aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, on_end, &count));
    CODE(0, aclInit(nullptr));
    CODE(0, aclFinalize());
    CHECK(count == 11);
    CODE(0, aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, on_init));
    CODE(100000, aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, on_init));
    CODE(100000, aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, nullptr, &count));
}

}  // namespace

int main() {
    in_child("reference_counting", reference_counting);
    in_child("finalize_before_init", finalize_before_init);
    in_child("configuration", configuration);
    in_child("default_device", default_device);
    in_child("messages_of_a_thread", messages_of_a_thread);
    in_child("messages_of_the_process", messages_of_the_process);
    in_child("last_errors", last_errors);
    in_child("names", names);
    in_child("strict_family", strict_family);
    in_child("strict_chip", strict_chip);
    in_child("callbacks", callbacks);
    in_child("bad device count", [] { bad_settings("PYASC_EMBEDDED_DEVICES", "0"); });
    in_child("bad memory", [] { bad_settings("PYASC_EMBEDDED_MEMORY", "lots"); });
    in_child("bad chip", [] { bad_settings("PYASC_EMBEDDED_SOC", "GPU"); });
    return failures;
}
