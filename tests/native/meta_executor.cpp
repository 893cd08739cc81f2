// Executors: once or many times, new addresses between runs, lifetimes around phase 2, and both phases on any thread.
#include <algorithm>
#include <atomic>
#include <thread>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_nonzero.h"
#include "meta_check.h"

namespace {

using Floats = std::vector<float>;

struct Stream {
    aclrtStream handle = nullptr;
    Stream() { aclrtCreateStream(&handle); }
    ~Stream() { aclrtDestroyStream(handle); }
    void wait() const { CODE(0, aclrtSynchronizeStream(handle)); }
};

// Phase 1 of out = self + alpha * other.
aclOpExecutor* plan_add(const aclTensor* self, const aclTensor* other, aclTensor* out, float alpha = 1) {
    aclScalar* a = scalar(alpha, ACL_FLOAT);
    uint64_t size = 99;
    aclOpExecutor* executor = nullptr;
    CODE(0, aclnnAddGetWorkspaceSize(self, other, a, out, &size, &executor));
    CHECK(size == 0);
    CODE(0, aclDestroyScalar(a));  // phase 1 has copied it
    return executor;
}

void test_once() {
    Stream s;
    Memory x(Floats{1, 2, 3, 4}), y(Floats{10, 20, 30, 40}), z(Floats(4));
    aclTensor *tx = tensor({4}, ACL_FLOAT, x.data), *ty = tensor({4}, ACL_FLOAT, y.data),
              *tz = tensor({4}, ACL_FLOAT, z.data);
    aclOpExecutor* e = plan_add(tx, ty, tz);
    CODE(0, aclnnAdd(nullptr, 0, e, s.handle));
    for (aclTensor* t : {tx, ty, tz}) CODE(0, aclDestroyTensor(t));
    CODE(161002, aclnnAdd(nullptr, 0, e, s.handle));  // used up
    CODE(561000, aclDestroyAclOpExecutor(e));
    CODE(561000, aclSetAclOpExecutorRepeatable(e));
    s.wait();
    CHECK((z.read<float>() == Floats{11, 22, 33, 44}));
    CODE(161001, aclnnAdd(nullptr, 0, nullptr, s.handle));
    CODE(561103, aclDestroyAclOpExecutor(nullptr));
    CODE(561103, aclSetAclOpExecutorRepeatable(nullptr));
}

void test_used_up_by_a_failure() {
    Stream s;
    Memory x(Floats{1, 2});
    aclTensor* t = tensor({2}, ACL_FLOAT, x.data);
    aclOpExecutor* e = plan_add(t, t, t);
    CODE(161001, aclnnAdd(nullptr, 512, e, s.handle));  // a workspace of some size, but none
    CODE(161002, aclnnAdd(nullptr, 0, e, s.handle));
    Memory workspace(512);
    e = plan_add(t, t, t);
    CODE(0, aclnnAdd(workspace.data, 512, e, s.handle));  // more than was asked for is fine
    aclTensor* nowhere = tensor({2}, ACL_FLOAT, nullptr);
    e = plan_add(t, nowhere, t);
    CHECK(aclnnAdd(nullptr, 0, e, s.handle) == 161002 && said("other"));
    CODE(161002, aclnnAdd(nullptr, 0, e, s.handle));
    e = plan_add(t, t, t);  // never run
    CODE(0, aclDestroyAclOpExecutor(e));
    CODE(561000, aclDestroyAclOpExecutor(e));
    s.wait();
    for (aclTensor* u : {t, nowhere}) CODE(0, aclDestroyTensor(u));
}

void test_wrong_executors() {
    Stream s;
    Memory x(Floats{1, 2});
    aclTensor* t = tensor({2}, ACL_FLOAT, x.data);
    aclOpExecutor* e = plan_add(t, t, t);
    char* inside = reinterpret_cast<char*>(e);
    int local = 0;
    void* wrong[] = {t,
                     &local,
                     x.data,
                     inside + 8,
                     inside + 64,
                     inside + 4096,
                     inside + (size_t{1} << 30),
                     reinterpret_cast<void*>(8),
                     reinterpret_cast<void*>(UINTPTR_MAX - 63)};
    for (void* p : wrong) {
        aclOpExecutor* bad = static_cast<aclOpExecutor*>(p);
        CODE(161002, aclnnAdd(nullptr, 0, bad, s.handle));
        CODE(561000, aclDestroyAclOpExecutor(bad));
        CODE(561000, aclSetAclOpExecutorRepeatable(bad));
        CODE(161002, aclSetTensorAddr(bad, 0, t, x.data));
    }
    CODE(0, aclDestroyAclOpExecutor(e));
    CODE(0, aclDestroyTensor(t));
}

// Out = self + other over every kind of view.
void test_views() {
    Stream s;
    Floats values(24);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    Memory x(values), z(Floats(6, -1));
    const int64_t transposed[] = {1, 3}, rows[] = {8, 2}, none[] = {0, 0};
    struct Case {
        aclTensor *self, *other;
        Floats expected;
    } cases[] = {
        {tensor({2, 3}, ACL_FLOAT, x.data), tensor({2, 3}, ACL_FLOAT, x.data, 6), {6, 8, 10, 12, 14, 16}},
        {tensor({2, 3}, ACL_FLOAT, x.data, 0, transposed),
         tensor({2, 3}, ACL_FLOAT, x.data, 1, none),
         {1, 4, 7, 2, 5, 8}},
        {tensor({2, 3}, ACL_FLOAT, x.data, 1, rows), tensor({3}, ACL_FLOAT, x.data), {1, 4, 7, 9, 12, 15}},
        {tensor({2, 1}, ACL_FLOAT, x.data), tensor({1, 3}, ACL_FLOAT, x.data, 10), {10, 11, 12, 11, 12, 13}},
        {tensor({}, ACL_FLOAT, x.data, 23), tensor({2, 3}, ACL_FLOAT, x.data), {23, 24, 25, 26, 27, 28}},
    };
    for (const Case& c : cases) {
        aclTensor* out = tensor({2, 3}, ACL_FLOAT, z.data);
        CODE(0, aclnnAdd(nullptr, 0, plan_add(c.self, c.other, out), s.handle));
        s.wait();
        CHECK(z.read<float>() == c.expected);
        CODE(0, aclnnAdd(nullptr, 0, plan_add(c.self, c.other, out, 2), s.handle));  // alpha is a scalar operand
        s.wait();
        Floats twice = z.read<float>();
        CODE(0, aclnnAdd(nullptr, 0, plan_add(out, c.other, out, -1), s.handle));  // in place
        s.wait();
        CHECK(z.read<float>() == c.expected && twice != c.expected);
        for (aclTensor* t : {c.self, c.other, out}) CODE(0, aclDestroyTensor(t));
    }
}

void test_shapes_refused() {
    Memory x(Floats(64));
    aclScalar* one = scalar(1.0f, ACL_FLOAT);
    struct Case {
        std::vector<int64_t> self, other, out;
        aclnnStatus status;
    } cases[] = {
        {{2, 3}, {2, 3}, {2, 3}, 0},
        {{2, 3}, {2}, {2, 3}, 161002},
        {{1}, {1}, {3}, 161002},
        {{2, 1}, {1, 1}, {2, 3}, 161002},
        {{3}, {3}, {2, 3}, 161002},
        {{2, 3}, {3}, {3}, 161002},
        {{0}, {1}, {0}, 0},
        {{0}, {3}, {0}, 161002},
        {{}, {}, {}, 0},
        {{1, 1}, {}, {}, 161002},
        {{0, 3}, {3}, {0, 3}, 0},
        {{1}, {1}, {0}, 161002},
    };
    for (const Case& c : cases) {
        aclTensor *self = tensor(c.self, ACL_FLOAT, x.data), *other = tensor(c.other, ACL_FLOAT, x.data),
                  *out = tensor(c.out, ACL_FLOAT, x.data);
        uint64_t size;
        aclOpExecutor* executor;
        const aclnnStatus status = aclnnAddGetWorkspaceSize(self, other, one, out, &size, &executor);
        CHECK(status == c.status);
        if (status != c.status) std::printf("  case %td: %d\n", &c - cases, status);
        if (status == 0) CODE(0, aclnnAdd(nullptr, size, executor, nullptr));
        for (aclTensor* t : {self, other, out}) CODE(0, aclDestroyTensor(t));
    }
    aclDestroyScalar(one);
    CODE(0, aclrtSynchronizeStream(nullptr));
}

void test_repeatable() {
    Stream s;
    Memory x(Floats{1, 2, 3, 4}), y(Floats{10, 20, 30, 40}), z(Floats(4)), z2(Floats(4));
    aclTensor *tx = tensor({4}, ACL_FLOAT, x.data), *ty = tensor({4}, ACL_FLOAT, y.data),
              *tz = tensor({4}, ACL_FLOAT, z.data);
    aclOpExecutor* e = plan_add(tx, ty, tz, 2);
    CODE(0, aclSetAclOpExecutorRepeatable(e));
    for (int i = 0; i < 3; ++i) CODE(0, aclnnAdd(nullptr, 0, e, s.handle));
    s.wait();
    CHECK((z.read<float>() == Floats{21, 42, 63, 84}));
    CODE(0, aclSetInputTensorAddr(e, 0, tx, y.data));
    CODE(0, aclSetInputTensorAddr(e, 1, ty, x.data));
    CODE(0, aclSetOutputTensorAddr(e, 0, tz, z2.data));
    void* address;
    CODE(0, aclGetRawTensorAddr(tz, &address));
    CHECK(address == z2.data);
    CODE(0, aclnnAdd(nullptr, 0, e, s.handle));
    s.wait();
    CHECK((z2.read<float>() == Floats{12, 24, 36, 48}) && (z.read<float>() == Floats{21, 42, 63, 84}));
    CODE(0, aclSetTensorAddr(e, 2, tz, z.data));  // counted over inputs, then outputs
    CODE(0, aclnnAdd(nullptr, 0, e, s.handle));
    CODE(0, aclDestroyAclOpExecutor(e));  // while it may still run
    CODE(161002, aclnnAdd(nullptr, 0, e, s.handle));
    s.wait();
    CHECK((z.read<float>() == Floats{12, 24, 36, 48}));
    for (aclTensor* t : {tx, ty, tz}) CODE(0, aclDestroyTensor(t));
}

void test_addresses_refused() {
    Memory x(Floats{1, 2, 3, 4}), small(8);
    float host[4];
    aclTensor* t = tensor({4}, ACL_FLOAT, x.data);
    aclOpExecutor* e = plan_add(t, t, t);
    CODE(0, aclSetAclOpExecutorRepeatable(e));
    CODE(561103, aclSetTensorAddr(nullptr, 0, t, x.data));
    CODE(561103, aclSetInputTensorAddr(e, 0, nullptr, x.data));
    CODE(561103, aclSetDynamicTensorAddr(e, 0, 0, nullptr, x.data));
    CODE(161002, aclSetInputTensorAddr(e, 2, t, x.data));
    CODE(161002, aclSetOutputTensorAddr(e, 1, t, x.data));
    CODE(161002, aclSetTensorAddr(e, 3, t, x.data));
    CODE(161002, aclSetInputTensorAddr(e, 0, t, host));
    CODE(161002, aclSetInputTensorAddr(e, 0, t, static_cast<char*>(x.data) + 4));
    CODE(161002, aclSetInputTensorAddr(e, 0, t, nullptr));
    CODE(0, aclDestroyAclOpExecutor(e));
    CODE(0, aclDestroyTensor(t));
}

// As the documentation of CANN does it: tensors without data first, addresses afterwards, also those of a list.
void test_addresses_later() {
    Stream s;
    Memory x(Floats{1, 2, 3}), y(Floats{4, 5}), z(Floats(5));
    aclTensor* parts[] = {tensor({3}, ACL_FLOAT, nullptr), tensor({2}, ACL_FLOAT, nullptr)};
    aclTensorList* list = aclCreateTensorList(parts, 2);
    aclTensor* out = tensor({5}, ACL_FLOAT, nullptr);
    uint64_t size;
    aclOpExecutor* e;
    CODE(0, aclnnCatGetWorkspaceSize(list, 0, out, &size, &e));
    CODE(0, aclSetAclOpExecutorRepeatable(e));
    CODE(161002, aclnnCat(nullptr, 0, e, s.handle));  // not yet
    CODE(0, aclSetDynamicInputTensorAddr(e, 0, 0, list, x.data));
    CODE(0, aclSetDynamicTensorAddr(e, 0, 1, list, y.data));
    CODE(161002, aclSetDynamicInputTensorAddr(e, 0, 2, list, x.data));
    CODE(161002, aclSetDynamicInputTensorAddr(e, 1, 0, list, x.data));
    CODE(161002, aclnnCat(nullptr, 0, e, s.handle));  // the output is missing
    CODE(0, aclSetTensorAddr(e, 2, out, z.data));
    CODE(0, aclnnCat(nullptr, 0, e, s.handle));
    s.wait();
    CHECK((z.read<float>() == Floats{1, 2, 3, 4, 5}));
    CODE(0, aclDestroyTensorList(list));
    CODE(0, aclnnCat(nullptr, 0, e, s.handle));  // the executor needs no tensors
    CODE(0, aclDestroyAclOpExecutor(e));
    s.wait();
    CODE(0, aclDestroyTensor(out));
}

void test_many_operands() {
    Stream s;
    const size_t n = 50;
    Floats values(n);
    for (size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i) + 1;
    Memory x(values), z{Floats(n)};
    std::vector<aclTensor*> parts;
    for (size_t i = n; i-- > 0;) parts.push_back(tensor({1}, ACL_FLOAT, x.data, static_cast<int64_t>(i)));
    aclTensorList* list = aclCreateTensorList(parts.data(), n);
    aclTensor* out = tensor({static_cast<int64_t>(n)}, ACL_FLOAT, z.data);
    uint64_t size;
    aclOpExecutor* e;
    CODE(0, aclnnCatGetWorkspaceSize(list, -1, out, &size, &e));
    CODE(0, aclSetAclOpExecutorRepeatable(e));
    CODE(0, aclDestroyTensorList(list));
    CODE(0, aclDestroyTensor(out));
    CODE(0, aclnnCat(nullptr, 0, e, s.handle));
    CODE(0, aclnnCat(nullptr, 0, e, s.handle));
    CODE(0, aclDestroyAclOpExecutor(e));
    s.wait();
    Floats reversed(values.rbegin(), values.rend());
    CHECK(z.read<float>() == reversed);
}

void test_data_dependent_shape() {
    Stream s;
    Memory x(Floats{0, 5, 0, 6, 7}), z(5 * sizeof(int64_t));
    aclTensor *self = tensor({5}, ACL_FLOAT, x.data), *out = tensor({5, 1}, ACL_INT64, z.data);
    uint64_t size, count = 0;
    int64_t* shape = nullptr;
    aclOpExecutor* e;
    CODE(0, aclnnNonzeroGetWorkspaceSize(self, out, &size, &e));
    CODE(0, aclnnNonzero(nullptr, 0, e, s.handle));
    s.wait();
    CODE(0, aclGetViewShape(out, &shape, &count));
    CHECK(count == 2 && shape[0] == 3 && shape[1] == 1);
    delete[] shape;
    const std::vector<int64_t> found = z.read<int64_t>();
    CHECK(found[0] == 1 && found[1] == 3 && found[2] == 4);
    for (aclTensor* t : {self, out}) CODE(0, aclDestroyTensor(t));
}

// Phase 1 on one thread, phase 2 on another, tensors destroyed right after it by a third, all on one stream.
void test_threads() {
    Stream s;
    Memory x(Floats(256, 1)), y(Floats(256, 2)), z(Floats(256));
    std::vector<std::thread> threads;
    std::atomic<int> bad{0};
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            aclrtSetDevice(0);
            for (int round = 0; round < 500; ++round) {
                aclTensor *tx = tensor({256}, ACL_FLOAT, x.data), *ty = tensor({256}, ACL_FLOAT, y.data),
                          *tz = tensor({256}, ACL_FLOAT, z.data);
                aclOpExecutor* e = plan_add(tx, ty, tz);
                if (round % 50 == 0) {
                    std::thread([&] {
                        aclrtSetDevice(0);
                        bad += aclnnAdd(nullptr, 0, e, s.handle) != 0;
                        for (aclTensor* t : {tx, ty, tz}) bad += aclDestroyTensor(t) != 0;
                    }).join();
                    continue;
                }
                bad += aclnnAdd(nullptr, 0, e, s.handle) != 0;
                for (aclTensor* t : {tx, ty, tz}) bad += aclDestroyTensor(t) != 0;
            }
        });
    }
    for (std::thread& t : threads) t.join();
    s.wait();
    CHECK(bad == 0);
    CHECK(z.read<float>() == Floats(256, 3));
}

}  // namespace

int main() {
    Device device;
    test_once();
    test_used_up_by_a_failure();
    test_wrong_executors();
    test_views();
    test_shapes_refused();
    test_repeatable();
    test_addresses_refused();
    test_addresses_later();
    test_many_operands();
    test_data_dependent_shape();
    test_threads();
    return failures;
}
