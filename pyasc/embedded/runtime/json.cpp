// A recursive-descent reader of JSON (RFC 8259).
#include "runtime/json.h"

#include <cstdlib>
#include <cstring>

namespace pyasc {
namespace {

constexpr int kMaxDepth = 64;  // of nesting: a hostile file must not use up the stack

class Reader {
  public:
    explicit Reader(const std::string& text) : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {}

    bool document(Json* out) {
        if (!value(out, 0)) return false;
        skip_space();
        return p_ == end_;
    }
    size_t position() const { return static_cast<size_t>(p_ - begin_); }

  private:
    void skip_space() {
        while (p_ != end_ && strchr(" \t\r\n", *p_) && *p_) ++p_;
    }
    bool next_is(char c) {
        skip_space();
        if (p_ == end_ || *p_ != c) return false;
        ++p_;
        return true;
    }
    bool word(const char* w) {
        const size_t n = strlen(w);
        if (static_cast<size_t>(end_ - p_) < n || memcmp(p_, w, n) != 0) return false;
        p_ += n;
        return true;
    }

    bool value(Json* out, int depth) {
        skip_space();
        if (p_ == end_ || depth > kMaxDepth) return false;
        switch (*p_) {
            case '{': return object(out, depth);
            case '[': return array(out, depth);
            case '"': out->kind = Json::String; return string(&out->text);
            case 't':
                out->kind = Json::Bool;
                out->boolean = true;
                return word("true");
            case 'f': out->kind = Json::Bool; return word("false");
            case 'n': return word("null");
            default: return number(out);
        }
    }

    bool object(Json* out, int depth) {
        out->kind = Json::Object;
        ++p_;
        if (next_is('}')) return true;
        do {
            skip_space();
            std::string key;
            if (p_ == end_ || *p_ != '"' || !string(&key) || !next_is(':')) return false;
            Json member;
            if (!value(&member, depth + 1)) return false;
            out->members[key] = std::move(member);
        } while (next_is(','));
        return next_is('}');
    }

    bool array(Json* out, int depth) {
        out->kind = Json::Array;
        ++p_;
        if (next_is(']')) return true;
        do {
            out->items.emplace_back();
            if (!value(&out->items.back(), depth + 1)) return false;
        } while (next_is(','));
        return next_is(']');
    }

    bool digits() {
        const char* first = p_;
        while (p_ != end_ && *p_ >= '0' && *p_ <= '9') ++p_;
        return p_ != first;
    }

    bool number(Json* out) {
        out->kind = Json::Number;
        const char* first = p_;
        if (*p_ == '-') ++p_;
        const char* whole = p_;
        if (!digits() || (*whole == '0' && p_ - whole > 1)) return false;
        if (p_ != end_ && *p_ == '.') {
            ++p_;
            if (!digits()) return false;
        }
        if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
            ++p_;
            if (p_ != end_ && (*p_ == '+' || *p_ == '-')) ++p_;
            if (!digits()) return false;
        }
        out->text.assign(first, p_);
        out->number = strtod(out->text.c_str(), nullptr);
        return true;
    }

    bool hex4(unsigned* code) {
        if (end_ - p_ < 4) return false;
        *code = 0;
        for (int i = 0; i < 4; ++i, ++p_) {
            const char c = *p_;
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0) return false;
            *code = *code * 16 + static_cast<unsigned>(digit);
        }
        return true;
    }

    static void append_utf8(std::string* out, unsigned c) {
        if (c < 0x80) {
            *out += static_cast<char>(c);
            return;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        *out += static_cast<char>((0xFF00u >> (more + 1) & 0xFF) | c >> (6 * more));
        for (int i = more - 1; i >= 0; --i) *out += static_cast<char>(0x80 | (c >> (6 * i) & 0x3F));
    }

    bool escape(std::string* out) {
        if (p_ == end_) return false;
        const char* plain = strchr("\"\\/bfnrt", *p_);
        if (*p_ && plain) {
            *out += "\"\\/\b\f\n\r\t"[plain - strchr("\"\\/bfnrt", '"')];
            ++p_;
            return true;
        }
        unsigned code = 0, low = 0;
        if (*p_++ != 'u' || !hex4(&code)) return false;
        if (code >= 0xD800 && code < 0xDC00) {  // the first half of a pair
            if (!word("\\u") || !hex4(&low) || low < 0xDC00 || low > 0xDFFF) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append_utf8(out, code);
        return true;
    }

    bool string(std::string* out) {
        ++p_;
        while (p_ != end_ && *p_ != '"') {
            const char c = *p_++;
            if (static_cast<unsigned char>(c) < 0x20) return false;
            if (c != '\\')
                *out += c;
            else if (!escape(out))
                return false;
        }
        if (p_ == end_) return false;
        ++p_;
        return true;
    }

    const char* begin_;
    const char* p_;
    const char* end_;
};

}  // namespace

bool parse_json(const std::string& text, Json* out, size_t* where) {
    Reader reader(text);
    const bool good = reader.document(out);
    *where = reader.position();
    return good;
}

}  // namespace pyasc
