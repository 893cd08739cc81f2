// Distributions over Philox words, a batch at a time in the first-level cache.
#include "kernels/random.h"

#include "kernels/half.h"
#include "kernels/philox.h"

namespace pyasc {
namespace {

constexpr int kBatch = 256;  // Philox blocks
static_assert(kBatch % kPhiloxBlocks == 0);

template <class To, class From>
inline To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof(to));
    return to;
}

inline float min_of(float a, float b) { return a < b ? a : b; }

// log of a positive, normal number: 2 atanh((m - 1) / (m + 1)) + e log 2, with m in [1/sqrt 2, sqrt 2) and the series
// of atanh.
inline float log_of(float x) {
    const int32_t bits = bits_as<int32_t>(x) - 0x3f3504f3;  // relative to 1/sqrt 2
    const float e = static_cast<float>(bits >> 23);
    const float m = bits_as<float>((bits & 0x7fffff) + 0x3f3504f3);
    const float s = (m - 1) / (m + 1), z = s * s;
    const float series = 1.0f + z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9))));
    return e * 0.693147181f + 2.0f * s * series;
}

inline double log_of(double x) {
    const int64_t bits = bits_as<int64_t>(x) - 0x3fe6a09e667f3bcd;
    // the exponent, in [-1100, 1100], moved through the significand of 1.5 * 2^52: no instruction converts it before
    // AVX-512
    const uint64_t biased = static_cast<uint64_t>(bits + 0x4000000000000000) >> 52;
    const double e = bits_as<double>(biased | 0x4330000000000000u) - 0x1p52 - 1024.0;
    const double m = bits_as<double>((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
    const double s = (m - 1) / (m + 1), z = s * s;
    double series = 1.0 / 23;
    series = series * z + 1.0 / 21;
    series = series * z + 1.0 / 19;
    series = series * z + 1.0 / 17;
    series = series * z + 1.0 / 15;
    series = series * z + 1.0 / 13;
    series = series * z + 1.0 / 11;
    series = series * z + 1.0 / 9;
    series = series * z + 1.0 / 7;
    series = series * z + 1.0 / 5;
    series = series * z + 1.0 / 3;
    series = series * z + 1.0;
    return e * 0.693147180559945309 + 2.0 * s * series;
}

// Sine and cosine of word / 2^32 turns, by their Taylor series on an eighth of a turn to either side.
inline void turn(uint32_t word, float* sine, float* cosine) {
    const uint32_t quadrant = (word + 0x20000000u) >> 30;
    const float x =
        static_cast<float>(static_cast<int32_t>(word - (quadrant << 30))) * 1.46291807926715968e-9f;  // 2 pi / 2^32
    const float z = x * x;
    const float s = x + x * z * (-1.0f / 6 + z * (1.0f / 120 + z * (-1.0f / 5040 + z * (1.0f / 362880))));
    const float c =
        1.0f + z * (-0.5f + z * (1.0f / 24 + z * (-1.0f / 720 + z * (1.0f / 40320 + z * (-1.0f / 3628800)))));
    const uint32_t odd = -(quadrant & 1u);
    const uint32_t sine_bits = (bits_as<uint32_t>(c) & odd) | (bits_as<uint32_t>(s) & ~odd);
    const uint32_t cosine_bits = (bits_as<uint32_t>(s) & odd) | (bits_as<uint32_t>(c) & ~odd);
    *sine = bits_as<float>(sine_bits ^ (quadrant >> 1 << 31));
    *cosine = bits_as<float>(cosine_bits ^ (((quadrant + 1) >> 1 & 1u) << 31));
}

// The same for u turns, u in [0, 1).
inline void turn(double u, double* sine, double* cosine) {
    const double shifted = 4 * u + 0x1.8p52;  // rounds to an integer, which appears in the low bits
    const uint64_t quadrant = bits_as<uint64_t>(shifted);
    const double x = (4 * u - (shifted - 0x1.8p52)) * 1.57079632679489662;
    const double z = x * x;
    double s = 1.0 / 355687428096000;  // 17!
    s = s * z - 1.0 / 1307674368000;
    s = s * z + 1.0 / 6227020800;
    s = s * z - 1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    s = s * z * x + x;
    double c = 1.0 / 20922789888000;  // 16!
    c = c * z - 1.0 / 87178291200;
    c = c * z + 1.0 / 479001600;
    c = c * z - 1.0 / 3628800;
    c = c * z + 1.0 / 40320;
    c = c * z - 1.0 / 720;
    c = c * z + 1.0 / 24;
    c = c * z - 0.5;
    c = c * z + 1.0;
    const uint64_t odd = -(quadrant & 1u);
    const uint64_t sine_bits = (bits_as<uint64_t>(c) & odd) | (bits_as<uint64_t>(s) & ~odd);
    const uint64_t cosine_bits = (bits_as<uint64_t>(s) & odd) | (bits_as<uint64_t>(c) & ~odd);
    *sine = bits_as<double>(sine_bits ^ (quadrant >> 1 << 63));
    *cosine = bits_as<double>(cosine_bits ^ ((quadrant + 1) >> 1 << 63));
}

// 53 bits of `word` as a double in [0, 1), in two exact parts.
inline double unit(uint64_t word) {
    const double high = bits_as<double>(word >> 32 | 0x4330000000000000u) - 0x1p52;
    const double low = bits_as<double>((word >> 11 & 0x1fffffu) | 0x4330000000000000u) - 0x1p52;
    return high * 0x1p-32 + low * 0x1p-53;
}

// In (0, 1): logarithms are finite.
inline float open_unit(uint32_t word) {
    const float high = static_cast<float>(static_cast<int32_t>(word >> 16)), low = static_cast<float>(word & 0xffffu);
    return high * 0x1p-16f + (low + 0.5f) * 0x1p-32f;
}

// Drives a distribution: words for kBatch blocks at a time go through `make`, which fills PerBlock values for each
// block.
template <class Value, int PerBlock, class Make, class Store>
inline void each_batch(uint64_t seed, uint64_t position, int64_t n, Make make, Store store) {
    alignas(64) uint32_t words[4 * kBatch];
    alignas(64) Value values[PerBlock * kBatch];
    constexpr uint64_t mask = ~uint64_t{0} / PerBlock;
    uint64_t block = position / PerBlock;
    for (int64_t skip = position % PerBlock, done = 0; done < n; skip = 0) {
        const int64_t wanted = (skip + n - done + PerBlock - 1) / PerBlock;
        const int64_t blocks = wanted < kBatch ? wanted : kBatch;
        philox_blocks(seed, block, mask, PerBlock == 4 ? 0 : PerBlock, blocks, words);
        make(words, (blocks + kPhiloxBlocks - 1) / kPhiloxBlocks * kPhiloxBlocks, values);
        const int64_t room = blocks * PerBlock - skip;
        const int64_t m = n - done < room ? n - done : room;
        store(values + skip, done, m);
        block += static_cast<uint64_t>(blocks);
        done += m;
    }
}

inline uint64_t pair(const uint32_t* words, int64_t i) {
    return words[2 * i] | static_cast<uint64_t>(words[2 * i + 1]) << 32;
}

// Stores.

template <class T>
struct Plain {
    char* out;
    void operator()(const T* values, int64_t done, int64_t n) const {
        std::memcpy(out + done * static_cast<int64_t>(sizeof(T)), values, static_cast<size_t>(n) * sizeof(T));
    }
};

template <class Half>
struct Halves {
    char* out;
    void operator()(const float* values, int64_t done, int64_t n) const {
        narrow(values, reinterpret_cast<Half*>(out) + done, n);
    }
};

template <class T, class From>
struct Converted {
    char* out;
    void operator()(const From* values, int64_t done, int64_t n) const {
        T* to = reinterpret_cast<T*>(out) + done;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(values[i]);
    }
};

// Uniform.

// The largest value of a type below `high`, but not below `low`.
inline float below(double low, double high, float next, float previous) {
    const double limit = next < high ? next : previous;
    return static_cast<float>(limit > low ? limit : low);
}

template <class Half>
float largest_half(double low, double high) {
    Half h;
    narrow(static_cast<float>(high), &h);
    const float next = widen(h);
    h.bits = static_cast<uint16_t>((h.bits & 0x7fffu) == 0 ? 0x8001 : h.bits & 0x8000u ? h.bits + 1 : h.bits - 1);
    return below(low, high, next, widen(h));
}

inline float largest_float(double low, double high) {
    const float next = static_cast<float>(high);
    const uint32_t bits = bits_as<uint32_t>(next);
    const uint32_t previous = (bits & 0x7fffffffu) == 0 ? 0x80000001u : bits >> 31 ? bits + 1 : bits - 1;
    return below(low, high, next, bits_as<float>(previous));
}

// Bits: how many random bits the type's significand holds.
template <int Bits, class Store>
void uniform_float(const Distribution& d, uint64_t position, int64_t n, float limit, Store store) {
    const float low = static_cast<float>(d.a), scale = static_cast<float>((d.b - d.a) * (1.0 / (1 << Bits)));
    each_batch<float, 4>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, float* values) {
            for (int64_t i = 0; i < 4 * blocks; ++i) {
                values[i] =
                    min_of(low + static_cast<float>(static_cast<int32_t>(words[i] >> (32 - Bits))) * scale, limit);
            }
        },
        store);
}

template <class Store>
void uniform_double(const Distribution& d, uint64_t position, int64_t n, Store store) {
    const double low = d.a, span = d.b - d.a;
    const double before = bits_as<double>(bits_as<uint64_t>(d.b) + (d.b > 0 ? uint64_t(-1) : 1));
    const double limit = d.b == 0 ? -0x1p-1074 : before;
    const double top = limit > low ? limit : low;
    each_batch<double, 2>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, double* values) {
            for (int64_t i = 0; i < 2 * blocks; ++i) {
                const double value = low + unit(pair(words, i)) * span;
                values[i] = value < top ? value : top;
            }
        },
        store);
}

bool uniform(const Distribution& d, uint64_t position, int64_t n, char* out) {
    switch (d.dtype) {
        case DType::F32: uniform_float<24>(d, position, n, largest_float(d.a, d.b), Plain<float>{out}); return true;
        case DType::F16: uniform_float<11>(d, position, n, largest_half<f16>(d.a, d.b), Halves<f16>{out}); return true;
        case DType::BF16:
            uniform_float<8>(d, position, n, largest_half<bf16>(d.a, d.b), Halves<bf16>{out});
            return true;
        case DType::F64: uniform_double(d, position, n, Plain<double>{out}); return true;
#define CASE(name) \
    case DType::name: uniform_double(d, position, n, Converted<type_of<DType::name>::t, double>{out}); return true;
            CASE(I8)
            CASE(U8)
            CASE(I16)
            CASE(U16)
            CASE(I32)
            CASE(U32)
            CASE(I64)
            CASE(U64)
#undef CASE
        default: return false;
    }
}

// Normal: Box and Muller, "A note on the generation of random normal deviates", 1958. Two words make two values.

template <class Store>
void normal_float(const Distribution& d, uint64_t position, int64_t n, Store store) {
    const float mean = static_cast<float>(d.a), deviation = static_cast<float>(d.b);
    each_batch<float, 4>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, float* values) {
#pragma GCC ivdep
            for (int64_t i = 0; i < 2 * blocks; ++i) {
                const float radius = deviation * __builtin_sqrtf(-2.0f * min_of(log_of(open_unit(words[2 * i])), 0.0f));
                float sine, cosine;
                turn(words[2 * i + 1], &sine, &cosine);
                values[2 * i] = mean + radius * cosine;
                values[2 * i + 1] = mean + radius * sine;
            }
        },
        store);
}

void normal_double(const Distribution& d, uint64_t position, int64_t n, char* out) {
    const double mean = d.a, deviation = d.b;
    each_batch<double, 2>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, double* values) {
#pragma GCC ivdep
            for (int64_t i = 0; i < blocks; ++i) {
                const double logarithm = log_of(unit(pair(words, 2 * i)) + 0x1p-54);
                const double radius = deviation * __builtin_sqrt(-2.0 * (logarithm < 0 ? logarithm : 0.0));
                double sine, cosine;
                turn(unit(pair(words, 2 * i + 1)), &sine, &cosine);
                values[2 * i] = mean + radius * cosine;
                values[2 * i + 1] = mean + radius * sine;
            }
        },
        Plain<double>{out});
}

bool normal(const Distribution& d, uint64_t position, int64_t n, char* out) {
    switch (d.dtype) {
        case DType::F32: normal_float(d, position, n, Plain<float>{out}); return true;
        case DType::F16: normal_float(d, position, n, Halves<f16>{out}); return true;
        case DType::BF16: normal_float(d, position, n, Halves<bf16>{out}); return true;
        case DType::F64: normal_double(d, position, n, out); return true;
        default: return false;
    }
}

template <class Store>
void exponential_float(const Distribution& d, uint64_t position, int64_t n, Store store) {
    const float scale = static_cast<float>(-d.a);
    each_batch<float, 4>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, float* values) {
            for (int64_t i = 0; i < 4 * blocks; ++i) values[i] = scale * min_of(log_of(open_unit(words[i])), 0.0f);
        },
        store);
}

bool exponential(const Distribution& d, uint64_t position, int64_t n, char* out) {
    switch (d.dtype) {
        case DType::F32: exponential_float(d, position, n, Plain<float>{out}); return true;
        case DType::F16: exponential_float(d, position, n, Halves<f16>{out}); return true;
        case DType::BF16: exponential_float(d, position, n, Halves<bf16>{out}); return true;
        case DType::F64: break;
        default: return false;
    }
    const double scale = -d.a;
    each_batch<double, 2>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, double* values) {
            for (int64_t i = 0; i < 2 * blocks; ++i) {
                const double logarithm = log_of(unit(pair(words, i)) + 0x1p-54);
                values[i] = scale * (logarithm < 0 ? logarithm : 0.0);
            }
        },
        Plain<double>{out});
    return true;
}

// Integers: the high part of random * range. 64 random bits for a range of up to 2^32 and 128 beyond, so no value is
// favoured by more than one part in 2^32 (2^64).

template <class Store>
void integers(const Distribution& d, uint64_t position, int64_t n, Store store) {
    const uint64_t from = static_cast<uint64_t>(d.from), range = d.range;
    if (range != 0 && range <= uint64_t{1} << 32) {
        each_batch<uint64_t, 2>(
            d.seed, position, n,
            [=](const uint32_t* words, int64_t blocks, uint64_t* values) {
                if (range == uint64_t{1} << 32) {
                    for (int64_t i = 0; i < 2 * blocks; ++i) values[i] = from + words[2 * i + 1];
                    return;
                }
                const uint32_t narrow_range = static_cast<uint32_t>(range);
                for (int64_t i = 0; i < 2 * blocks; ++i) {
                    const uint64_t low = static_cast<uint64_t>(words[2 * i]) * narrow_range >> 32;
                    values[i] = from + ((static_cast<uint64_t>(words[2 * i + 1]) * narrow_range + low) >> 32);
                }
            },
            store);
        return;
    }
    each_batch<uint64_t, 1>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, uint64_t* values) {
            for (int64_t i = 0; i < blocks; ++i) {
                const uint64_t low = pair(words, 2 * i), high = pair(words, 2 * i + 1);
                const uint64_t carry = static_cast<uint64_t>(static_cast<unsigned __int128>(low) * range >> 64);
                values[i] =
                    from + (range == 0
                                ? high
                                : static_cast<uint64_t>((static_cast<unsigned __int128>(high) * range + carry) >> 64));
            }
        },
        store);
}

template <class T>
struct SignedTo {  // the values are int64 in two's complement
    char* out;
    void operator()(const uint64_t* values, int64_t done, int64_t n) const {
        T* to = reinterpret_cast<T*>(out) + done;
        for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(static_cast<int64_t>(values[i]));
    }
};

template <class Half>
struct SignedToHalf {
    char* out;
    void operator()(const uint64_t* values, int64_t done, int64_t n) const {
        for (int64_t i = 0; i < n; ++i) {
            narrow(static_cast<float>(static_cast<int64_t>(values[i])), reinterpret_cast<Half*>(out) + done + i);
        }
    }
};

bool integer(const Distribution& d, uint64_t position, int64_t n, char* out) {
    switch (d.dtype) {
        case DType::Bool: integers(d, position, n, Converted<bool, uint64_t>{out}); return true;
        case DType::I8:
        case DType::U8: integers(d, position, n, Converted<uint8_t, uint64_t>{out}); return true;
        case DType::I16:
        case DType::U16: integers(d, position, n, Converted<uint16_t, uint64_t>{out}); return true;
        case DType::I32:
        case DType::U32: integers(d, position, n, Converted<uint32_t, uint64_t>{out}); return true;
        case DType::I64:
        case DType::U64: integers(d, position, n, Plain<uint64_t>{out}); return true;
        case DType::F16: integers(d, position, n, SignedToHalf<f16>{out}); return true;
        case DType::BF16: integers(d, position, n, SignedToHalf<bf16>{out}); return true;
        case DType::F32: integers(d, position, n, SignedTo<float>{out}); return true;
        case DType::F64: integers(d, position, n, SignedTo<double>{out}); return true;
        case DType::C64: integers(d, position, n, SignedTo<c64>{out}); return true;
        case DType::C128: integers(d, position, n, SignedTo<c128>{out}); return true;
        default: return false;
    }
}

// Bernoulli: one word against a threshold; `one` is the number 1 of the type.
template <class T>
void bernoulli_of(const Distribution& d, uint64_t position, int64_t n, T one, char* out) {
    const double scaled = d.a * 0x1p32;
    const uint64_t threshold = scaled > 0 ? static_cast<uint64_t>(scaled + 0.5) : 0;
    const bool always = threshold > 0xffffffffu;
    const uint32_t bound = static_cast<uint32_t>(threshold);
    each_batch<T, 4>(
        d.seed, position, n,
        [=](const uint32_t* words, int64_t blocks, T* values) {
            for (int64_t i = 0; i < 4 * blocks; ++i) values[i] = always || words[i] < bound ? one : T(0);
        },
        Plain<T>{out});
}

bool bernoulli(const Distribution& d, uint64_t position, int64_t n, char* out) {
    switch (d.dtype) {
        case DType::Bool:
        case DType::I8:
        case DType::U8: bernoulli_of<uint8_t>(d, position, n, 1, out); return true;
        case DType::I16:
        case DType::U16: bernoulli_of<uint16_t>(d, position, n, 1, out); return true;
        case DType::F16: bernoulli_of<uint16_t>(d, position, n, 0x3c00, out); return true;
        case DType::BF16: bernoulli_of<uint16_t>(d, position, n, 0x3f80, out); return true;
        case DType::I32:
        case DType::U32: bernoulli_of<uint32_t>(d, position, n, 1, out); return true;
        case DType::F32: bernoulli_of<float>(d, position, n, 1, out); return true;
        case DType::I64:
        case DType::U64: bernoulli_of<uint64_t>(d, position, n, 1, out); return true;
        case DType::F64: bernoulli_of<double>(d, position, n, 1, out); return true;
        case DType::C64: bernoulli_of<c64>(d, position, n, 1, out); return true;
        case DType::C128: bernoulli_of<c128>(d, position, n, 1, out); return true;
        default: return false;
    }
}

bool fill(const Distribution& d, int64_t first, int64_t n, char* out) {
    const uint64_t position = d.offset + static_cast<uint64_t>(first);
    switch (d.draw) {
        case Draw::Uniform: return uniform(d, position, n, out);
        case Draw::Normal: return normal(d, position, n, out);
        case Draw::Exponential: return exponential(d, position, n, out);
        case Draw::Integer: return integer(d, position, n, out);
        default: return bernoulli(d, position, n, out);
    }
}

void words(uint64_t seed, uint64_t position, int64_t n, uint32_t* out) {
    each_batch<uint32_t, 4>(
        seed, position, n,
        [](const uint32_t* words, int64_t blocks, uint32_t* values) {
            std::memcpy(values, words, static_cast<size_t>(blocks) * 16);
        },
        Plain<uint32_t>{reinterpret_cast<char*>(out)});
}

void doubles(uint64_t seed, uint64_t position, int64_t n, double* out) {
    each_batch<double, 2>(
        seed, position, n,
        [](const uint32_t* words, int64_t blocks, double* values) {
            for (int64_t i = 0; i < 2 * blocks; ++i) values[i] = unit(pair(words, i));
        },
        Plain<double>{reinterpret_cast<char*>(out)});
}

void reach(const uint32_t* words, uint32_t bound, int64_t n, uint8_t* bits) {
    constexpr int64_t kBytes = 64;
    uint8_t one[8 * kBytes];
    for (int64_t i = 0; i < n; i += kBytes) {
        const int64_t m = n - i < kBytes ? n - i : kBytes;
        for (int64_t k = 0; k < 8 * m; ++k) one[k] = words[8 * i + k] >= bound;
        for (int64_t k = 0; k < m; ++k) {
            uint64_t eight;
            std::memcpy(&eight, one + 8 * k, 8);
            bits[i + k] = static_cast<uint8_t>(eight * 0x0102040810204080u >> 56);  // byte j, 0 or 1, arrives at bit j
        }
    }
}

void mask(const float* x, const uint8_t* mask, float scale, int64_t n, float* out) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint32_t bits = mask[i / 8];
        for (int k = 0; k < 8; ++k) {
            const uint32_t keep = -(bits >> k & 1u);
            out[i + k] = bits_as<float>(bits_as<uint32_t>(x[i + k] * scale) & keep);
        }
    }
    for (; i < n; ++i) out[i] = mask[i / 8] >> (i % 8) & 1 ? x[i] * scale : 0.0f;
}

}  // namespace

namespace PYASC_ISA {
extern const RandomKernels random_kernels = {fill, words, doubles, reach, mask};
}

}  // namespace pyasc
