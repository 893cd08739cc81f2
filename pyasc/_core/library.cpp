// Opens a library and fills the tables of function pointers.
#include "library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pyasc_operators_all.h"

namespace pyasc {
namespace {

template <class T>
T get(Arg a) {
    if constexpr (std::is_pointer_v<T>) {
        return static_cast<T>(const_cast<void*>(a.p));
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(a.f);
    } else {
        return static_cast<T>(a.i);
    }
}

// Unpacks an array of arguments for any signature of phase 1.
template <class F>
struct Caller;
template <class... P>
struct Caller<aclnnStatus(P...)> {
    using Types = std::tuple<P...>;
    template <size_t... I>
    static aclnnStatus go(void* plan, const Arg* a, uint64_t* size, aclOpExecutor** executor,
                          std::index_sequence<I...>) {
        return reinterpret_cast<aclnnStatus (*)(P...)>(plan)(get<std::tuple_element_t<I, Types>>(a[I])..., size,
                                                             executor);
    }
    static aclnnStatus call(void* plan, const Arg* a, uint64_t* size, aclOpExecutor** executor) {
        return go(plan, a, size, executor, std::make_index_sequence<sizeof...(P) - 2>{});
    }
};

// The letters a row passes must be what its header declares: the build fails otherwise.
#define OP(op, kinds, ...)                                                                                    \
    static_assert(                                                                                            \
        std::is_same_v<decltype(op##GetWorkspaceSize), aclnnStatus(__VA_ARGS__, uint64_t*, aclOpExecutor**)>, \
        "operators.tsv and the header of " #op " disagree");
#include "pyasc_operators.inc"
#undef OP

const Operator kOperators[] = {
#define OP(op, kinds, ...) {#op, kinds, Caller<decltype(op##GetWorkspaceSize)>::call, nullptr, nullptr, false},
#include "pyasc_operators.inc"
#undef OP
};

// The first required function that is missing, or null.
const char* fill(Acl* acl, const Library& library) {
#define PYASC_LOAD(name) acl->name = reinterpret_cast<decltype(acl->name)>(library.symbol(#name));
#define PYASC_NEED(name) \
    PYASC_LOAD(name)     \
    if (!acl->name) return #name;
    PYASC_ACL_REQUIRED(PYASC_NEED)
    PYASC_ACL_OPTIONAL(PYASC_LOAD)
#undef PYASC_NEED
#undef PYASC_LOAD
    return nullptr;
}

}  // namespace

Library* Library::open(const std::vector<std::string>& names, std::string* error) {
    auto* library = new Library;
    for (const std::string& name : names) {
        if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            library->handles.push_back(handle);
        } else {
            *error += std::string(error->empty() ? "" : "; ") + dlerror();
        }
    }
    if (const char* missing = library->handles.empty() ? "library" : fill(&library->acl, *library)) {
        *error = std::string("no ") + missing + (error->empty() ? "" : ": ") + *error;
        for (void* handle : library->handles) dlclose(handle);
        delete library;
        return nullptr;
    }
    error->clear();
    library->operators.assign(std::begin(kOperators), std::end(kOperators));
    std::sort(library->operators.begin(), library->operators.end(),
              [](const Operator& a, const Operator& b) { return std::strcmp(a.name, b.name) < 0; });
    return library;
}

void* Library::symbol(const char* name) const {
    for (void* handle : handles) {
        if (void* found = dlsym(handle, name)) return found;
    }
    return nullptr;
}

Operator* Library::find(const char* name) {
    auto at = std::lower_bound(operators.begin(), operators.end(), name,
                               [](const Operator& a, const char* b) { return std::strcmp(a.name, b) < 0; });
    if (at == operators.end() || std::strcmp(at->name, name) != 0) return nullptr;
    if (!at->looked_up) {
        at->plan = symbol((std::string(name) + "GetWorkspaceSize").c_str());
        at->execute = reinterpret_cast<decltype(at->execute)>(symbol(name));
        if (!at->plan || !at->execute) at->plan = nullptr, at->execute = nullptr;
        at->looked_up = true;
    }
    return &*at;
}

}  // namespace pyasc
