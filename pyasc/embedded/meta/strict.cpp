// What the chip of strict mode takes: a table the build makes of operators.tsv.
#include "meta/strict.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "aclnn/opdev/op_errno.h"
#include "runtime/error.h"

extern "C" const char* pyascSocProfile();

namespace pyasc {

std::atomic<int> strict_state{-1};

namespace {

// The codes of operators.tsv.
constexpr uint32_t bit(DType t) { return 1u << static_cast<int>(t); }
constexpr uint32_t b1 = bit(DType::Bool), i1 = bit(DType::I8), i2 = bit(DType::I16), i4 = bit(DType::I32),
                   i8 = bit(DType::I64), u1 = bit(DType::U8), u2 = bit(DType::U16), u4 = bit(DType::U32),
                   u8 = bit(DType::U64), f2 = bit(DType::F16), bf = bit(DType::BF16), f4 = bit(DType::F32),
                   f8 = bit(DType::F64), c8 = bit(DType::C64), c16 = bit(DType::C128);

struct Row {
    const char* op;
    const char* argument;  // nullptr: the chip does not have the operator
    uint32_t dtypes;
};

const Row kRows[] = {
#define ROW(op, argument, dtypes) {#op, #argument, dtypes},
#define ABSENT(op) {#op, nullptr, 0},
#include "pyasc_strict.inc"
#undef ROW
#undef ABSENT
};

std::string names(uint32_t dtypes) {
    std::string text;
    for (int t = 0; t < kDTypes; ++t) {
        if (!(dtypes >> t & 1u)) continue;
        if (!text.empty()) text += ", ";
        text += dtype_name(static_cast<DType>(t));
    }
    return text.empty() ? "none that this device computes on" : text;
}

}  // namespace

int ask_strict() {
    const int state = std::strcmp(pyascSocProfile(), "unlimited") != 0;
    strict_state.store(state, std::memory_order_relaxed);
    return state;
}

int32_t check_strict(const char* op, const char* argument, DType dtype) {
    const auto before = [](const Row& row, const char* name) { return std::strcmp(row.op, name) < 0; };
    const Row* row = std::lower_bound(std::begin(kRows), std::end(kRows), op, before);
    for (; row != std::end(kRows) && std::strcmp(row->op, op) == 0; ++row) {
        if (!row->argument) {
            return fail(ACLNN_ERR_PARAM_INVALID, "%s: %s does not have this operator", op, pyascSocProfile());
        }
        if (std::strcmp(row->argument, argument) != 0) continue;
        if (row->dtypes >> static_cast<int>(dtype) & 1u) return 0;
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %s may not be %s on %s; allowed: %s", op, argument, dtype_name(dtype),
                    pyascSocProfile(), names(row->dtypes).c_str());
    }
    return 0;
}

}  // namespace pyasc
