// A small JSON reader for configuration files.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pyasc {

struct Json {
    enum Kind { Null, Bool, Number, String, Array, Object };
    Kind kind = Null;
    bool boolean = false;
    double number = 0;
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> members;

    const Json* find(const std::string& key) const {  // nullptr if this is no object or has no such member
        auto it = members.find(key);
        return it == members.end() ? nullptr : &it->second;
    }
};

// False if `text` is not one JSON value; `*where` is then the offset of what could not be read.
bool parse_json(const std::string& text, Json* out, size_t* where);

}  // namespace pyasc
