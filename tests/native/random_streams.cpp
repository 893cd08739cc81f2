// Random numbers: published Philox vectors, streams that do not depend on layout or how they are cut, and distributions
// against their theory (Kolmogorov–Smirnov, moments, frequencies) for every type.
#include <algorithm>

#include "aclnnop/aclnn_bernoulli.h"
#include "aclnnop/aclnn_dropout.h"
#include "aclnnop/aclnn_dropout_do_mask.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "aclnnop/aclnn_multinomial.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_random.h"
#include "aclnnop/aclnn_randperm.h"
#include "aclnnop/aclnn_sim_thread_exponential.h"
#include "aclnnop/aclnn_uniform.h"
#include "data_check.h"

namespace {

constexpr int64_t kMany = 400000;

// The statistic is below 1.95 / sqrt(n) in 999 of 1000 samples.
template <class T, class F>
bool follows(std::vector<T> values, F distribution) {
    std::sort(values.begin(), values.end());
    const double n = static_cast<double>(values.size());
    double worst = 0;
    for (size_t i = 0; i < values.size(); ++i)
        worst = std::max(worst, std::fabs(distribution(static_cast<double>(values[i])) - i / n));
    return worst < 1.95 / std::sqrt(n) + 1e-4;
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// Salmon et al.'s known answers for a counter and a key of zeros; the top 24 bits of a word make a float.
void test_known_answers() {
    const uint32_t words[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    Array<float> out({4});
    RUN(0, aclnnInplaceUniform, out.handle, 0.0, 1.0, 0, 0);
    for (int i = 0; i < 4; ++i) CHECK(out.read()[i] == static_cast<float>(words[i] >> 8) * 0x1p-24f);
}

// Plans a draw into one array.
template <class T>
struct Stream {
    const char* name;
    void (*draw)(aclTensor* out, int64_t offset);
};

template <class T>
std::vector<Stream<T>> streams() {
    std::vector<Stream<T>> all{
        {"integers", [](aclTensor* t, int64_t o) { RUN(0, aclnnInplaceRandom, t, 3, 90, 11, o); }},
        {"bernoulli", [](aclTensor* t, int64_t o) { RUN(0, aclnnInplaceBernoulli, t, Number(0.3).handle, 11, o); }}};
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        all.push_back({"uniform", [](aclTensor* t, int64_t o) { RUN(0, aclnnInplaceUniform, t, 2.0, 100.0, 11, o); }});
    }
    if constexpr (std::is_floating_point_v<T>) {
        all.push_back({"normal", [](aclTensor* t, int64_t o) { RUN(0, aclnnInplaceNormal, t, 1, 2, 11, o); }});
        all.push_back(
            {"exponential", [](aclTensor* t, int64_t o) { RUN(0, aclnnSimThreadExponential, t, 999, 1.0, 11, o); }});
    }
    return all;
}

template <class T>
struct Streams {
    static void run() {
        for (const Stream<T>& s : streams<T>()) {
            Array<T> whole({999}), later({999}), again({999});
            s.draw(whole.handle, 5);
            const std::vector<T> values = whole.read();
            s.draw(again.handle, 5);
            CHECK(again.read() == values);
            for (const int64_t shift : {1, 2, 3, 7, 400}) {
                s.draw(later.handle, 5 + shift);
                const std::vector<T> rest = later.read();
                CHECK(std::equal(values.begin() + shift, values.end(), rest.begin()));
            }
            for (const Layout layout : kWritable) {
                Array<T> cube({9, 3, 37}, layout);
                s.draw(cube.handle, 5);
                if (cube.read() != values) std::printf("%s, layout %d\n", s.name, int(layout));
                CHECK(cube.read() == values);
            }
        }
        Array<T> none({0}), one({});
        RUN(0, aclnnInplaceRandom, none.handle, 0, 2, 1, 0);
        RUN(0, aclnnInplaceBernoulli, one.handle, Number(1.0).handle, 1, 0);
        CHECK(one.read()[0] == T(1));
    }
};

template <class T>
void test_distributions() {
    Array<T> x({kMany});
    RUN(0, aclnnInplaceUniform, x.handle, -1.0, 3.0, 7, 100);
    CHECK(follows(x.read(), [](double v) { return (v + 1) / 4; }));
    RUN(0, aclnnInplaceNormal, x.handle, 0, 1, 7, 100);
    const std::vector<T> z = x.read();
    CHECK(follows(z, normal_distribution));
    double even = 0, squares = 0;
    for (size_t i = 0; i < z.size(); i += 2) {
        even += z[i] * z[i + 1];
        squares += (z[i] * z[i] - 1) * (z[i + 1] * z[i + 1] - 1);
    }
    CHECK(std::fabs(even) < 4 * std::sqrt(kMany / 2) && std::fabs(squares) < 10 * std::sqrt(kMany / 2));
    RUN(0, aclnnSimThreadExponential, x.handle, kMany, 2.0, 7, 100);
    CHECK(follows(x.read(), [](double v) { return 1 - std::exp(-2 * v); }));
}

void test_bounds() {
    Array<float> f({5000});
    RUN(0, aclnnInplaceUniform, f.handle, 1.0, 1.0000001, 3, 0);  // one float lies between
    for (const float v : f.read()) CHECK(v == 1.0f);
    Array<int64_t> i({20000});
    RUN(0, aclnnInplaceRandom, i.handle, INT64_MIN, INT64_MAX, 3, 0);
    const std::vector<int64_t> v = i.read();
    CHECK(*std::max_element(v.begin(), v.end()) > INT64_MAX / 100 * 99 &&
          *std::min_element(v.begin(), v.end()) < INT64_MIN / 100 * 99);
    RUN(0, aclnnInplaceRandom, i.handle, -2, 3, 3, 0);
    int64_t seen[5] = {};
    for (const int64_t k : i.read()) ++seen[k + 2];
    for (const int64_t n : seen) CHECK(std::llabs(n - 4000) < 300);
}

void test_permutations() {
    for (const int64_t n : {0, 1, 2, 17, 1000, 70000}) {
        Array<int64_t> out({n});
        RUN(0, aclnnRandperm, n, 5, 9, out.handle);
        std::vector<int64_t> p = out.read();
        CHECK(n < 17 || !std::is_sorted(p.begin(), p.end()));
        std::sort(p.begin(), p.end());
        for (int64_t i = 0; i < n; ++i) CHECK(p[i] == i);
    }
    int64_t seen[27] = {};
    Array<int32_t> three({3});
    for (int64_t seed = 0; seed < 6000; ++seed) {
        RUN(0, aclnnRandperm, 3, seed, 0, three.handle);
        const std::vector<int32_t> p = three.read();
        ++seen[p[0] * 9 + p[1] * 3 + p[2]];
    }
    CHECK(std::count_if(seen, seen + 27, [](int64_t n) { return std::llabs(n - 1000) < 130; }) == 6);
}

void test_multinomial() {
    Array<double> weights({2, 4}, {1, 0, 2, 7, 0, 5, 0, 0}), bad({2}, {1, -1});
    Array<int64_t> out({2, kMany / 4}), two({2, 2}), one({1});
    RUN(0, aclnnMultinomial, weights.handle, kMany / 4, true, 1, 2, out.handle);
    int64_t seen[4] = {};
    const std::vector<int64_t> drawn = out.read();
    for (int64_t i = 0; i < kMany / 4; ++i) {
        ++seen[drawn[i]];
        CHECK(drawn[kMany / 4 + i] == 1);
    }
    CHECK(seen[1] == 0 && std::llabs(seen[0] - kMany / 40) < 500 && std::llabs(seen[2] - kMany / 20) < 700);
    Array<float> even({4}, {1, 1, 0, 1});
    Array<int64_t> all({3});
    RUN(0, aclnnMultinomial, even.handle, 3, false, 1, 2, all.handle);
    std::vector<int64_t> sorted = all.read();
    std::sort(sorted.begin(), sorted.end());
    CHECK((sorted == std::vector<int64_t>{0, 1, 3}));
    RUN_FAILS(507035, aclnnMultinomial, weights.handle, 2, false, 1, 2,
              two.handle);  // the second row has one positive weight
    RUN_FAILS(507035, aclnnMultinomial, bad.handle, 1, true, 1, 2, one.handle);
    RUN(161002, aclnnMultinomial, even.handle, 5, false, 1, 2, all.handle);
}

void test_dropout() {
    for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{127}, int64_t{129}, kMany}) {
        const std::vector<float> x(n, 3.0f);
        Array<float> input({n}, x), out({n}), masked({n});
        Array<uint8_t> mask({(n + 127) / 128 * 16}), made({(n + 127) / 128 * 16});
        RUN(0, aclnnDropout, input.handle, 0.25, true, 1, 2, out.handle, mask.handle);
        RUN(0, aclnnDropoutGenMask, Ints{n}.handle, 0.25, 1, 2, made.handle);
        CHECK(made.read() == mask.read());
        const std::vector<uint8_t> bits = mask.read();
        int64_t kept = 0;
        for (int64_t i = 0; i < 8 * static_cast<int64_t>(bits.size()); ++i) {
            const bool keep = bits[i / 8] >> (i % 8) & 1;
            kept += keep;
            CHECK(i < n || !keep);
        }
        const std::vector<float> y = out.read();
        for (int64_t i = 0; i < n; ++i)
            CHECK(y[i] == (bits[i / 8] >> (i % 8) & 1 ? 3.0f * static_cast<float>(1 / 0.75) : 0.0f));
        CHECK(n < kMany || std::llabs(kept - n * 3 / 4) < 1500);
        RUN(0, aclnnDropoutDoMask, input.handle, mask.handle, 0.25, masked.handle);
        CHECK(masked.read() == y);
        RUN(0, aclnnDropout, input.handle, 1.0, true, 1, 2, out.handle, mask.handle);
        CHECK(out.read() == std::vector<float>(n));
        RUN(0, aclnnDropout, input.handle, 0.5, false, 1, 2, out.handle, mask.handle);
        CHECK(out.read() == x);
    }
}

void test_refused() {
    Array<float> x({3});
    Array<std::complex<float>> complex({3});
    Array<uint8_t> small({1}), bytes({3});
    RUN(161002, aclnnInplaceUniform, x.handle, 2.0, 1.0, 0, 0);
    RUN(161002, aclnnInplaceUniform, x.handle, 0.0, std::numeric_limits<double>::infinity(), 0, 0);
    RUN(161002, aclnnInplaceUniform, complex.handle, 0.0, 1.0, 0, 0);
    RUN(161002, aclnnInplaceUniform, bytes.handle, 0.0, 300.0, 0, 0);
    RUN(161002, aclnnInplaceNormal, x.handle, 0, -1, 0, 0);
    RUN(161002, aclnnInplaceRandom, x.handle, 5, 5, 0, 0);
    RUN(161002, aclnnInplaceBernoulli, x.handle, Number(1.5).handle, 0, 0);
    RUN(161002, aclnnDropout, x.handle, 0.5, true, 0, 0, x.handle, small.handle);
    RUN(161002, aclnnRandperm, 4, 0, 0, x.handle);
    RUN(161001, aclnnInplaceRandom, nullptr, 0, 5, 0, 0);
}

}  // namespace

int main() {
    Device device;
    test_known_answers();
    for_each_type<Streams>();
    test_distributions<float>();
    test_distributions<double>();
    test_bounds();
    test_permutations();
    test_multinomial();
    test_dropout();
    test_refused();
    return failures;
}
