// Plans of Fourier transforms, and how long ones and those with large prime factors are made of short ones.
#include "kernels/fft.h"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/pool.h"

namespace pyasc {
namespace {

constexpr int64_t kDirect = 4096;     // the longest transform whose two buffers stay in the second-level cache
constexpr int64_t kWorthSplit = 256;  // a single one from this length on is split, to fill the lanes
constexpr int kRadices[] = {4, 2, 3, 5, 7, 11, 13};
constexpr size_t kPlans = 32;  // remembered
constexpr int kMostLanes = 16;

struct Free {
    void operator()(void* p) const { std::free(p); }
};
using Memory = std::unique_ptr<void, Free>;

Memory allocate(size_t bytes) {
    void* p = nullptr;
    return Memory(posix_memalign(&p, 64, bytes + 64) == 0 ? p : nullptr);
}

std::complex<double> unit_root(int64_t k, int64_t n) {
    const long double angle = 2 * 3.14159265358979323846264338327950288L * static_cast<long double>(k % n) / n;
    return {static_cast<double>(std::cos(angle)), static_cast<double>(-std::sin(angle))};
}

// All powers of the n-th root of 1 as products of two.
struct Roots {
    std::vector<std::complex<double>> coarse, fine;
    FftRoots view;

    explicit Roots(int64_t n) {
        int shift = 0;
        while ((int64_t{1} << (2 * shift)) < n) ++shift;
        for (int64_t k = 0; k < int64_t{1} << shift; ++k) fine.push_back(unit_root(k, n));
        for (int64_t k = 0; k <= n >> shift; ++k) coarse.push_back(unit_root((k << shift) % n, n));
        view.coarse = reinterpret_cast<const double*>(coarse.data());
        view.fine = reinterpret_cast<const double*>(fine.data());
        view.shift = shift;
    }
    std::complex<double> power(int64_t k) const {
        return coarse[k >> view.shift] * fine[k & ((int64_t{1} << view.shift) - 1)];
    }
};

struct Plan {
    enum Kind { Direct, Split, Chirp } kind = Direct;
    int64_t n = 0;
    FftDirect direct{};
    std::vector<std::unique_ptr<char[]>> tables;
    std::shared_ptr<const Plan> columns, rows;  // Split: of n = columns * rows; Chirp: rows is the convolution's
    std::unique_ptr<Roots> roots;
    std::vector<std::complex<double>> chirp, filter;  // Chirp: e^(-i pi k^2 / n); the transform of its inverse
};
using PlanPtr = std::shared_ptr<const Plan>;

bool smooth(int64_t n) {
    for (const int r : kRadices) {
        while (n % r == 0) n /= r;
    }
    return n == 1;
}

template <class T>
const void* table(Plan* plan, const std::vector<std::complex<double>>& values) {
    plan->tables.emplace_back(new char[(values.size() + 1) * 2 * sizeof(T)]);
    T* const t = reinterpret_cast<T*>(plan->tables.back().get());
    for (size_t k = 0; k < values.size(); ++k) {
        t[2 * k] = static_cast<T>(values[k].real());
        t[2 * k + 1] = static_cast<T>(values[k].imag());
    }
    return t;
}

template <class T>
void plan_direct(Plan* plan) {
    FftDirect& d = plan->direct;
    d.n = plan->n;
    int64_t left = plan->n, s = 1;
    for (const int r : kRadices) {
        while (left % r == 0 && left > 1) {
            const int64_t m = left / r;
            std::vector<std::complex<double>> twiddle, roots;
            for (int64_t p = 0; p < m; ++p) {
                for (int k = 1; k < r; ++k) twiddle.push_back(unit_root(p * k, left));
            }
            for (int k = 0; k < r; ++k) roots.push_back(unit_root(k, r));
            d.stage[d.stages++] = {r, m, s, table<T>(plan, twiddle), table<T>(plan, roots)};
            left = m;
            s *= r;
        }
    }
}

// The divisor nearest to the root of n; both it and the quotient should be short.
int64_t best_divisor(int64_t n) {
    int64_t best = 1;
    for (int64_t d = 1; d * d <= n && d <= kDirect; ++d) {
        if (n % d == 0) best = d;
    }
    return best;
}

int64_t convolution_length(int64_t n) {
    int64_t best = 1;
    while (best < 2 * n - 1) best *= 2;
    for (const int64_t odd : {3, 5, 9, 15}) {
        int64_t length = odd;
        while (length < 2 * n - 1) length *= 2;
        if (length < best) best = length;
    }
    return best;
}

template <class T>
PlanPtr find_plan(int64_t n, bool split);

template <class T>
void transform(const Plan& plan, const char* in, int64_t in_step, char* out, int64_t out_step, bool conj, double scale,
               bool* ok);

template <class T>
void plan_chirp(Plan* plan) {
    const int64_t n = plan->n, length = convolution_length(n);
    plan->kind = Plan::Chirp;
    plan->rows = find_plan<T>(length, true);
    const Roots roots(2 * n);
    for (int64_t k = 0, square = 0; k < n; ++k) {
        plan->chirp.push_back(roots.power(square));
        square = (square + 2 * k + 1) % (2 * n);  // (k + 1)^2
    }
    // in double, so that the filter is exact whatever T is
    std::vector<std::complex<double>> filter(length, 0.0);
    for (int64_t k = 0; k < n; ++k) {
        const std::complex<double> c = std::conj(plan->chirp[k]);
        filter[k] = c;
        if (k != 0) filter[length - k] = c;
    }
    plan->filter.resize(length);
    const PlanPtr wide = find_plan<double>(length, true);
    bool ok = true;
    constexpr int64_t kItem = sizeof(std::complex<double>);
    transform<double>(*wide, reinterpret_cast<const char*>(filter.data()), kItem,
                      reinterpret_cast<char*>(plan->filter.data()), kItem, false, 1.0 / static_cast<double>(length),
                      &ok);
    if (!ok) plan->n = 0;
}

template <class T>
PlanPtr make_plan(int64_t n, bool split) {
    auto plan = std::make_shared<Plan>();
    plan->n = n;
    if (!smooth(n)) {
        plan_chirp<T>(plan.get());
    } else if (n <= kDirect && !(split && n >= kWorthSplit && best_divisor(n) >= 8)) {
        plan_direct<T>(plan.get());
    } else {
        plan->kind = Plan::Split;
        const int64_t divisor = best_divisor(n);
        plan->columns = find_plan<T>(divisor, false);
        plan->rows = find_plan<T>(n / divisor, n / divisor > kDirect);
        plan->roots = std::make_unique<Roots>(n);
    }
    return plan->n == 0 ? nullptr : plan;
}

// Plans are remembered, the last ones used: their tables cost more than a transform.
template <class T>
PlanPtr find_plan(int64_t n, bool split) {
    struct Known {
        int64_t n;
        bool split;
        PlanPtr plan;
    };
    static std::mutex mutex;
    static std::list<Known>* const known = new std::list<Known>;  // never destroyed: streams may outlive main
    {
        const std::lock_guard<std::mutex> lock(mutex);
        for (auto it = known->begin(); it != known->end(); ++it) {
            if (it->n == n && it->split == split) {
                known->splice(known->begin(), *known, it);
                return it->plan;
            }
        }
    }
    PlanPtr made = make_plan<T>(n, split);
    if (made != nullptr) {
        const std::lock_guard<std::mutex> lock(mutex);
        known->push_front({n, split, made});
        if (known->size() > kPlans) known->pop_back();
    }
    return made;
}

template <class T>
struct Kernel;
template <>
struct Kernel<float> {
    static int lanes() { return fft_kernels().lanes_f32; }
    static void run(const FftDirect& d, const FftLanes& l, void* work) { fft_kernels().f32(d, l, work); }
};
template <>
struct Kernel<double> {
    static int lanes() { return fft_kernels().lanes_f64; }
    static void run(const FftDirect& d, const FftLanes& l, void* work) { fft_kernels().f64(d, l, work); }
};

// The buffers of one thread, kept for the next time.
void* work_buffer(size_t bytes) {
    thread_local Memory memory;
    thread_local size_t size = 0;
    if (size < bytes) {
        memory = allocate(bytes);
        size = memory == nullptr ? 0 : bytes;
    }
    return memory.get();
}

template <class T>
bool run_lanes(const FftDirect& d, const FftLanes& l) {
    void* const work = work_buffer(static_cast<size_t>(d.n) * 4 * Kernel<T>::lanes() * sizeof(T));
    if (work != nullptr) Kernel<T>::run(d, l, work);
    return work != nullptr;
}

// `count` transforms whose beginnings lie evenly apart.
template <class T>
void run_even(const FftDirect& d, FftLanes l, int64_t count, int64_t in_apart, int64_t out_apart, bool* ok) {
    const int lanes = Kernel<T>::lanes();
    parallel_for(count, lanes, [&](int64_t begin, int64_t end) {
        int64_t in_lane[kMostLanes], out_lane[kMostLanes];
        FftLanes part = l;
        part.count = static_cast<int>(end - begin);
        for (int k = 0; k < part.count; ++k) in_lane[k] = k * in_apart, out_lane[k] = k * out_apart;
        part.in = l.in + begin * in_apart;
        part.out = l.out + begin * out_apart;
        part.in_lane = in_lane;
        part.out_lane = out_lane;
        part.first = begin;
        if (!run_lanes<T>(d, part)) *ok = false;
    });
}

// n = columns * rows: the element j1 * rows + j2 is row j1 of column j2. Transforms of the columns, turned by
// root^(j2 k1); then of the rows, whose element k2 is the result k1 + columns * k2.
template <class T>
void transform_split(const Plan& plan, const char* in, int64_t in_step, char* out, int64_t out_step, bool conj,
                     double scale, bool* ok) {
    constexpr int64_t kItem = 2 * sizeof(T);
    const int64_t columns = plan.columns->n, rows = plan.rows->n;
    const Memory between = allocate(static_cast<size_t>(plan.n) * kItem);
    if (between == nullptr) {
        *ok = false;
        return;
    }
    char* const middle = static_cast<char*>(between.get());
    FftLanes l{};
    l.in = in, l.out = middle;
    l.in_step = rows * in_step, l.out_step = rows * kItem;
    l.conj_in = conj, l.scale = 1;
    l.roots = plan.roots->view;
    run_even<T>(plan.columns->direct, l, rows, in_step, kItem, ok);
    if (plan.rows->kind != Plan::Direct) {
        for (int64_t k = 0; k < columns; ++k) {
            // the rows themselves are in the plain direction; the conjugate comes last
            transform<T>(*plan.rows, middle + k * rows * kItem, kItem, middle + k * rows * kItem, kItem, false, 1, ok);
        }
        T* const from = reinterpret_cast<T*>(middle);
        parallel_for(rows, 64, [&](int64_t begin, int64_t end) {
            for (int64_t j = begin; j < end; ++j) {
                for (int64_t k = 0; k < columns; ++k) {
                    T* const to = reinterpret_cast<T*>(out + (k + columns * j) * out_step);
                    to[0] = from[2 * (k * rows + j)] * T(scale);
                    to[1] = from[2 * (k * rows + j) + 1] * T(conj ? -scale : scale);
                }
            }
        });
        return;
    }
    FftLanes r{};
    r.in = middle, r.out = out;
    r.in_step = kItem, r.out_step = columns * out_step;
    r.conj_out = conj, r.scale = scale;
    run_even<T>(plan.rows->direct, r, columns, rows * kItem, out_step, ok);
}

// j k = (j^2 + k^2 - (k - j)^2) / 2: the transform is a convolution with a chirp, of any length.
template <class T>
void transform_chirp(const Plan& plan, const char* in, int64_t in_step, char* out, int64_t out_step, bool conj,
                     double scale, bool* ok) {
    using C = std::complex<T>;
    const int64_t n = plan.n, length = plan.rows->n;
    const Memory first = allocate(static_cast<size_t>(length) * sizeof(C)),
                 second = allocate(static_cast<size_t>(length) * sizeof(C));
    if (first == nullptr || second == nullptr) {
        *ok = false;
        return;
    }
    C *const a = static_cast<C*>(first.get()), *const b = static_cast<C*>(second.get());
    const T sign = conj ? T(-1) : T(1);
    const auto times = [](T ar, T ai, const std::complex<double>& w) {
        const T c = static_cast<T>(w.real()), s = static_cast<T>(w.imag());
        return C(ar * c - ai * s, ar * s + ai * c);
    };
    parallel_for(length, 16384, [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k) {
            const T* const x = reinterpret_cast<const T*>(in + k * in_step);
            a[k] = k < n ? times(x[0], sign * x[1], plan.chirp[k]) : C(0);
        }
    });
    constexpr int64_t kItem = sizeof(C);
    transform<T>(*plan.rows, reinterpret_cast<char*>(a), kItem, reinterpret_cast<char*>(b), kItem, false, 1, ok);
    parallel_for(length, 16384, [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k) b[k] = times(b[k].real(), b[k].imag(), plan.filter[k]);
    });
    transform<T>(*plan.rows, reinterpret_cast<char*>(b), kItem, reinterpret_cast<char*>(a), kItem, true, 1, ok);
    parallel_for(n, 16384, [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k) {
            const C y = times(a[k].real(), a[k].imag(), plan.chirp[k]);
            T* const to = reinterpret_cast<T*>(out + k * out_step);
            to[0] = y.real() * T(scale);
            to[1] = y.imag() * T(scale) * sign;
        }
    });
}

// One transform; steps in bytes.
template <class T>
void transform(const Plan& plan, const char* in, int64_t in_step, char* out, int64_t out_step, bool conj, double scale,
               bool* ok) {
    if (plan.kind == Plan::Split) return transform_split<T>(plan, in, in_step, out, out_step, conj, scale, ok);
    if (plan.kind == Plan::Chirp) return transform_chirp<T>(plan, in, in_step, out, out_step, conj, scale, ok);
    const int64_t lane[1] = {0};
    FftLanes l{};
    l.in = in, l.out = out;
    l.in_lane = l.out_lane = lane;
    l.in_step = in_step, l.out_step = out_step;
    l.count = 1;
    l.conj_in = l.conj_out = conj;
    l.scale = scale;
    if (!run_lanes<T>(plan.direct, l)) *ok = false;
}

// The dimensions but one, those with the smallest steps last: so that lanes are neighbours where they can be.
struct Batch {
    int ndim = 0;
    int64_t count = 1, shape[kMaxDims], in_step[kMaxDims], out_step[kMaxDims];

    Batch(const View& in, int axis, const View& out, int64_t item) {
        for (int d = 0; d < in.ndim; ++d) {
            if (d == axis || in.shape[d] == 1) continue;
            int at = ndim++;
            for (; at > 0 && in_step[at - 1] < in.stride[d] * item; --at) {
                shape[at] = shape[at - 1], in_step[at] = in_step[at - 1], out_step[at] = out_step[at - 1];
            }
            shape[at] = in.shape[d], in_step[at] = in.stride[d] * item, out_step[at] = out.stride[d] * item;
            count *= in.shape[d];
        }
    }
    void offsets(int64_t index, int64_t* in, int64_t* out) const {
        *in = *out = 0;
        for (int d = ndim - 1; d >= 0; --d) {
            const int64_t k = index % shape[d];
            index /= shape[d];
            *in += k * in_step[d], *out += k * out_step[d];
        }
    }
};

template <class T>
bool run(const View& in, int axis, bool forward, double scale, const View& out) {
    constexpr int64_t kItem = 2 * sizeof(T);
    const Batch batch(in, axis, out, kItem);
    const int lanes = Kernel<T>::lanes();
    const PlanPtr plan = find_plan<T>(in.shape[axis], batch.count < lanes);
    if (plan == nullptr) return false;
    const int64_t in_step = in.stride[axis] * kItem, out_step = out.stride[axis] * kItem;
    bool ok = true;
    if (plan->kind != Plan::Direct) {
        const auto one = [&](int64_t k) {
            int64_t from, to;
            batch.offsets(k, &from, &to);
            transform<T>(*plan, in.data + from, in_step, out.data + to, out_step, !forward, scale, &ok);
        };
        if (batch.count >= 2 * pool_threads()) {
            parallel(batch.count, one);
        } else {
            for (int64_t k = 0; k < batch.count; ++k) one(k);
        }
        return ok;
    }
    parallel_for(batch.count, lanes, [&](int64_t begin, int64_t end) {
        int64_t in_lane[kMostLanes], out_lane[kMostLanes];
        for (int64_t k = begin; k < end; ++k) batch.offsets(k, &in_lane[k - begin], &out_lane[k - begin]);
        FftLanes l{};
        l.in = in.data + in_lane[0], l.out = out.data + out_lane[0];
        for (int64_t k = end - 1; k >= begin; --k) in_lane[k - begin] -= in_lane[0], out_lane[k - begin] -= out_lane[0];
        l.in_lane = in_lane, l.out_lane = out_lane;
        l.in_step = in_step, l.out_step = out_step;
        l.count = static_cast<int>(end - begin);
        l.conj_in = l.conj_out = !forward;
        l.scale = scale;
        if (!run_lanes<T>(plan->direct, l)) ok = false;
    });
    return ok;
}

}  // namespace

bool fft(const View& in, int axis, bool forward, double scale, const View& out) {
    if (in.size == 0) return true;
    return in.dtype == DType::C64 ? run<float>(in, axis, forward, scale, out)
                                  : run<double>(in, axis, forward, scale, out);
}

}  // namespace pyasc
