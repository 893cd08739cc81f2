// aclInit and its counterparts, the configuration file, names and versions.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/fork.h"
#include "runtime/json.h"
#include "runtime/settings.h"

namespace pyasc {
namespace {

constexpr int kMajor = 8, kMinor = 5, kPatch = 0;  // the CANN release whose runtime interface this is
constexpr const char* kVersion = "8.5.0";

template <class F>
struct Callback {
    aclRegisterCallbackType type;
    F function;
    void* data;
};

struct State {
    std::mutex mutex;
    uint64_t references = 0;
    bool finalized = false;       // a second aclFinalize without an aclInit between is an error
    bool configured = false;
    std::string config;           // the text of the first aclInit
    std::vector<Callback<aclInitCallbackFunc>> on_init;
    std::vector<Callback<aclFinalizeCallbackFunc>> on_finalize;
};

State& state() {
    static State& instance = *new State;
    return instance;
}

int32_t read_config(const char* path, std::string* text) {
    if (!path || !*path) return 0;
    std::ifstream file(path, std::ios::binary);
    if (file) text->assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad())
        return fail(ACL_ERROR_INVALID_FILE, "aclInit: cannot read the configuration file '%s'", path);
    return 0;
}

// A number, or a string that holds one.
bool whole_number(const Json* value, long* out) {
    if (!value || (value->kind != Json::String && value->kind != Json::Number) || value->text.empty()) return false;
    char* end = nullptr;
    *out = strtol(value->text.c_str(), &end, 10);
    return *end == 0;
}

int32_t apply_config(const char* path, const std::string& text) {
    if (text.empty() && (!path || !*path)) return 0;
    Json config;
    size_t where = 0;
    if (!parse_json(text, &config, &where) || config.kind != Json::Object)
        return fail(ACL_ERROR_PARSE_FILE, "aclInit: '%s' is not a JSON object; reading stopped at byte %zu of %zu",
                    path, where, text.size());
    long number = 0;
    if (const Json* mode = config.find("err_msg_mode")) {
        if (!whole_number(mode, &number) || number < 0 || number > 1)
            return fail(ACL_ERROR_PARSE_FILE, "aclInit: err_msg_mode in '%s' is neither 0 (thread) nor 1 (process)",
                        path);
        set_process_messages(number == 1);
    }
    if (const Json* group = config.find("defaultDevice")) {
        if (!whole_number(group->find("default_device"), &number) || !is_device(static_cast<int>(number)))
            return fail(ACL_ERROR_PARSE_FILE,
                        "aclInit: defaultDevice.default_device in '%s' is no device; there are %zu", path,
                        settings().visible.size());
        set_default_device(static_cast<int>(number));
    }
    return 0;
}

// The chip's name as programs know it: "Ascend910B" is a family, its first member stands for it.
const std::string& soc_name() {
    static const std::string& name = *new std::string([] {
        const std::string& soc = settings().soc;
        if (soc.empty()) return std::string("Ascend910B1");
        const char last = soc.back();
        return last >= 'A' && last <= 'Z' ? soc + "1" : soc;
    }());
    return name;
}

// Ends what aclInit began and calls, without the lock, whoever registered for that.
int32_t finalize(State& s, std::unique_lock<std::mutex>& lock) {
    s.references = 0;
    s.finalized = true;
    set_default_device(-1);
    const auto callbacks = s.on_finalize;
    lock.unlock();
    int32_t first = 0;
    for (auto& c : callbacks) {
        const int32_t status = c.function(c.data);
        if (first == 0) first = status;
    }
    return first;
}

template <class F>
int32_t add(const char* function, std::vector<Callback<F>>* list, aclRegisterCallbackType type, F callback,
            void* data) {
    if (!callback) return fail(ACL_ERROR_INVALID_PARAM, "%s: cbFunc is null", function);
    std::lock_guard<std::mutex> lock(state().mutex);
    list->push_back({type, callback, data});
    return 0;
}

template <class F>
int32_t remove(const char* function, std::vector<Callback<F>>* list, aclRegisterCallbackType type, F callback) {
    if (!callback) return fail(ACL_ERROR_INVALID_PARAM, "%s: cbFunc is null", function);
    std::lock_guard<std::mutex> lock(state().mutex);
    for (auto it = list->begin(); it != list->end(); ++it) {
        if (it->type != type || it->function != callback) continue;
        list->erase(it);
        return 0;
    }
    return fail(ACL_ERROR_INVALID_PARAM, "%s: this function is not registered for type %d", function,
                static_cast<int>(type));
}

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclError aclInit(const char* path) {
    if (forked_child) return fail_forked("aclInit");
    State& s = state();
    std::string text;
    if (int32_t status = read_config(path, &text)) return status;
    std::unique_lock<std::mutex> lock(s.mutex);
    if (s.configured && text != s.config)
        return fail(
            ACL_ERROR_INVALID_PARAM,
            "aclInit: the process was initialised with another configuration before; use the same file or none");
    if (s.references > 0) {
        ++s.references;
        return fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: already initialised (%llu times now); this is no harm",
                    static_cast<unsigned long long>(s.references));
    }
    if (int32_t status = apply_config(path, text)) return status;
    s.configured = true;
    s.config = text;
    s.references = 1;
    s.finalized = false;
    const auto callbacks = s.on_init;
    lock.unlock();
    int32_t first = 0;
    for (auto& c : callbacks) {
        const int32_t status = c.function(text.data(), text.size(), c.data);
        if (first == 0) first = status;
    }
    return first;
}

aclError aclFinalize() {
    if (forked_child) return fail_forked("aclFinalize");
    State& s = state();
    std::unique_lock<std::mutex> lock(s.mutex);
    if (s.finalized)
        return fail(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize: already finalised; call aclInit before finalising again");
    return finalize(s, lock);
}

aclError aclFinalizeReference(uint64_t* count) {
    if (forked_child) return fail_forked("aclFinalizeReference");
    State& s = state();
    std::unique_lock<std::mutex> lock(s.mutex);
    if (s.references == 0)
        return fail(ACL_ERROR_REPEAT_FINALIZE, "aclFinalizeReference: nobody has initialised, or all have finalised");
    const uint64_t left = --s.references;
    if (count) *count = left;
    return left == 0 ? finalize(s, lock) : 0;
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc function, void* data) {
    return add("aclInitCallbackRegister", &state().on_init, type, function, data);
}
aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc function) {
    return remove("aclInitCallbackUnRegister", &state().on_init, type, function);
}
aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc function, void* data) {
    return add("aclFinalizeCallbackRegister", &state().on_finalize, type, function, data);
}
aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc function) {
    return remove("aclFinalizeCallbackUnRegister", &state().on_finalize, type, function);
}

aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
    if (!major || !minor || !patch) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetVersion: a pointer is null");
    *major = kMajor;
    *minor = kMinor;
    *patch = kPatch;
    return 0;
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
    if (!version) return fail(ACL_ERROR_INVALID_PARAM, "aclsysGetCANNVersion: version is null");
    if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
        return fail(ACL_ERROR_INVALID_PARAM, "aclsysGetCANNVersion: there is no package %d", static_cast<int>(name));
    memset(version, 0, sizeof *version);
    snprintf(version->version, sizeof version->version, "%s", kVersion);
    snprintf(version->majorVersion, sizeof version->majorVersion, "%d", kMajor);
    snprintf(version->minorVersion, sizeof version->minorVersion, "%d", kMinor);
    snprintf(version->releaseVersion, sizeof version->releaseVersion, "%d", kPatch);
    return 0;
}

aclError aclsysGetVersionStr(char* package, char* version) {
    if (!package || !version) return fail(ACL_ERROR_INVALID_PARAM, "aclsysGetVersionStr: a pointer is null");
    strcpy(version, kVersion);
    return 0;
}

aclError aclsysGetVersionNum(char* package, int32_t* version) {
    if (!package || !version) return fail(ACL_ERROR_INVALID_PARAM, "aclsysGetVersionNum: a pointer is null");
    *version = kMajor * 10000000 + kMinor * 100000 + kPatch * 1000;
    return 0;
}

const char* aclrtGetSocName() { return soc_name().c_str(); }

// Which set of operators and dtypes this library takes: pyasc asks for it by name.
const char* pyascSocProfile() { return settings().soc.empty() ? "unlimited" : settings().soc.c_str(); }

}  // extern "C"
