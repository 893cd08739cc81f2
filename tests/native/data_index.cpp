// Reading and writing through indices and masks: every item size, both index types, layouts, negative and repeated
// indices, masks, empty arrays, and indices that are out of range.
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_gather_nd.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_masked_scatter.h"
#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "aclnnop/aclnn_put.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_scatter_reduce.h"
#include "aclnnop/aclnn_take.h"
#include "data_check.h"

namespace {

const Shape kShape{5, 6, 7};

// Random indices for a dimension, negative ones among them.
template <class I>
std::vector<I> some_indices(int64_t length, int64_t n) {
    std::vector<I> values;
    for (int64_t i = 0; i < n; ++i)
        values.push_back(static_cast<I>(static_cast<int64_t>(generator()() % (2 * length)) - length));
    return values;
}

int64_t wrapped(int64_t i, int64_t length) { return i < 0 ? i + length : i; }

// What is at these positions of an array afterwards: the last value written, or the sum of all.
template <class T>
std::vector<T> written(std::vector<T> array, const std::vector<int64_t>& where, const std::vector<T>& values,
                       bool add) {
    for (size_t i = 0; i < where.size(); ++i) {
        if (add) {
            array[where[i]] = static_cast<T>(array[where[i]] + values[i]);
        } else {
            array[where[i]] = values[i];
        }
    }
    return array;
}

template <class T>
std::vector<T> read_at(const std::vector<T>& array, const std::vector<int64_t>& where) {
    std::vector<T> out;
    for (const int64_t i : where) out.push_back(array[i]);
    return out;
}

template <class T, class I>
struct Along {
    Layout layout;
    std::vector<T> x = numbered<T>(count(kShape));

    void run() {
        for (int dim = 0; dim < 3; ++dim) {
            select(dim);
            elements(dim);
        }
        flat();
        coordinates_of_rows();
    }
    // index_select, index_copy, index_add, index_fill
    void select(int dim) {
        Shape shape = kShape;
        shape[dim] = 9;
        const std::vector<I> chosen = some_indices<I>(kShape[dim], 9);
        std::vector<int64_t> where;
        for (int64_t i = 0; i < count(shape); ++i) {
            Shape at = coordinates(shape, i);
            at[dim] = wrapped(chosen[at[dim]], kShape[dim]);
            where.push_back(position(kShape, at));
        }
        Array<T> self(kShape, x, layout), out(shape, layout);
        Array<I> index({9}, chosen, layout);
        RUN(0, aclnnIndexSelect, self.handle, dim, index.handle, out.handle);
        CHECK(out.read() == read_at(x, where));
        const std::vector<T> values = numbered<T>(count(shape));
        Array<T> source(shape, values, layout), sum(kShape, layout);
        RUN(0, aclnnIndexAdd, self.handle, dim, index.handle, source.handle, Number(int64_t{1}).handle, sum.handle);
        CHECK(sum.read() == written(x, where, values, true));
        RUN(0, aclnnInplaceIndexCopy, self.handle, dim, index.handle, source.handle);
        CHECK(self.read() == written(x, where, values, false));
        RUN(0, aclnnInplaceIndexFill, self.handle, dim, index.handle, Number(int64_t{1}).handle);
        CHECK(self.read() ==
              written(written(x, where, values, false), where, std::vector<T>(where.size(), T(1)), false));
    }
    // gather and scatter
    void elements(int dim) {
        Shape shape{4, 5, 6};
        shape[dim] = 11;
        const std::vector<I> chosen = some_indices<I>(kShape[dim], count(shape));
        std::vector<int64_t> where;
        for (int64_t i = 0; i < count(shape); ++i) {
            Shape at = coordinates(shape, i);
            at[dim] = wrapped(chosen[i], kShape[dim]);
            where.push_back(position(kShape, at));
        }
        Array<T> self(kShape, x, layout), out(shape, layout);
        Array<I> index(shape, chosen, layout);
        RUN(0, aclnnGather, self.handle, dim, index.handle, out.handle);
        CHECK(out.read() == read_at(x, where));
        const std::vector<T> values = numbered<T>(count(shape));
        Array<T> source(shape, values, layout), result(kShape, layout);
        RUN(0, aclnnScatter, self.handle, dim, index.handle, source.handle, 0, result.handle);
        CHECK(result.read() == written(x, where, values, false));
        RUN(0, aclnnScatterAdd, self.handle, dim, index.handle, source.handle, result.handle);
        CHECK(result.read() == written(x, where, values, true));
    }
    // take, put, embedding
    void flat() {
        const std::vector<I> chosen = some_indices<I>(count(kShape), 24);
        std::vector<int64_t> where;
        for (const I i : chosen) where.push_back(wrapped(i, count(kShape)));
        const std::vector<T> values = numbered<T>(24);
        Array<T> self(kShape, x, layout), out({4, 6}, layout), source({24}, values, layout);
        Array<I> index({4, 6}, chosen, layout);
        RUN(0, aclnnTake, self.handle, index.handle, out.handle);
        CHECK(out.read() == read_at(x, where));
        RUN(0, aclnnInplacePut, self.handle, index.handle, source.handle, false);
        CHECK(self.read() == written(x, where, values, false));
    }
    // gather_nd, scatter_nd, and indexing with two arrays around a dimension taken whole
    void coordinates_of_rows() {
        const std::vector<I> rows = some_indices<I>(5, 8), columns = some_indices<I>(7, 8);
        std::vector<I> pairs;
        std::vector<int64_t> where, split;
        for (int i = 0; i < 8; ++i) {
            const int64_t column = columns[i] % 6;
            pairs.push_back(rows[i]);
            pairs.push_back(static_cast<I>(column));
            for (int64_t k = 0; k < 7; ++k)
                where.push_back(position(kShape, {wrapped(rows[i], 5), wrapped(column, 6), k}));
            for (int64_t k = 0; k < 6; ++k)
                split.push_back(position(kShape, {wrapped(rows[i], 5), k, wrapped(columns[i], 7)}));
        }
        const std::vector<T> values = numbered<T>(56), others = numbered<T>(48);
        Array<T> self(kShape, x, layout), out({8, 7}, layout), updates({8, 7}, values, layout);
        Array<I> at({8, 2}, pairs, layout), row({8}, rows, layout), column({8}, columns, layout);
        RUN(0, aclnnGatherNd, self.handle, at.handle, true, out.handle);
        CHECK(out.read() == read_at(x, where));
        RUN(0, aclnnScatterNdUpdate, self.handle, at.handle, updates.handle);
        CHECK(self.read() == written(x, where, values, false));
        Array<T> again(kShape, x, layout), crossed({8, 6}, layout), from({8, 6}, others, layout), whole({0});
        List indices({row.handle, whole.handle, column.handle});
        RUN(0, aclnnIndex, again.handle, indices.handle, crossed.handle);
        CHECK(crossed.read() == read_at(x, split));
        RUN(0, aclnnIndexPutImpl, again.handle, indices.handle, from.handle, true, false);
        CHECK(again.read() == written(x, split, others, true));
    }
};

template <class T>
struct Indexing {
    static void run() {
        for (const Layout layout : kWritable) {
            Along<T, int64_t>{layout}.run();
            Along<T, int32_t>{layout}.run();
            for (const Shape& shape : {Shape{}, Shape{0}, Shape{9}, Shape{3, 0, 2}, Shape{300, 133}, Shape{2, 3, 4, 5}})
                masks(shape, layout);
        }
    }
    static void masks(const Shape& shape, Layout layout) {
        const int64_t n = count(shape), ndim = static_cast<int64_t>(shape.size());
        std::vector<T> x = numbered<T>(n), chosen, source = numbered<T>(n + 1), scattered;
        std::vector<bool> mask;
        std::vector<int64_t> rows, columns;
        for (int64_t i = 0; i < n; ++i) {
            mask.push_back(generator()() % 3 == 0);
            if (generator()() % 2 == 0) x[i] = T(0);
        }
        for (int64_t i = 0; i < n; ++i) {
            scattered.push_back(mask[i] ? source[chosen.size()] : x[i]);
            if (mask[i]) chosen.push_back(x[i]);
            if (x[i] == T(0)) continue;
            for (const int64_t c : coordinates(shape, i)) rows.push_back(c);
        }
        const int64_t found = ndim ? static_cast<int64_t>(rows.size()) / ndim : (x[0] != T(0));
        for (int64_t d = 0; d < ndim; ++d) {
            for (int64_t r = 0; r < found; ++r) columns.push_back(rows[r * ndim + d]);
        }
        const int64_t selected = static_cast<int64_t>(chosen.size());
        Array<T> self(shape, x, layout), out({n}), values({n + 1}, source, layout);
        Array<bool> m(shape, mask, layout);
        RUN(0, aclnnMaskedSelect, self.handle, m.handle, out.handle);
        CHECK(out.view_shape() == Shape{selected} && out.read_first(selected) == chosen);
        Array<int64_t> by_row({n, ndim}), by_dim({ndim, n});
        RUN(0, aclnnNonzero, self.handle, by_row.handle);
        CHECK((by_row.view_shape() == Shape{found, ndim}) && by_row.read_first(found * ndim) == rows);
        RUN(0, aclnnNonzeroV2, self.handle, by_dim.handle);
        CHECK((by_dim.view_shape() == Shape{ndim, found}) && by_dim.read_first(found * ndim) == columns);
        RUN(0, aclnnInplaceMaskedScatter, self.handle, m.handle, values.handle);
        CHECK(self.read() == scattered);
    }
};

void test_mask_as_index() {
    Array<float> x({3, 4}, numbered<float>(12)), out({5}), ones({1}, {1});
    Array<bool> mask({3, 4}, {true, false, false, true, false, false, true, false, true, false, false, true});
    List indices({mask.handle});
    RUN(0, aclnnIndex, x.handle, indices.handle, out.handle);
    CHECK((out.read() == std::vector<float>{1, 4, 7, 9, 12}));
    Array<float> wrong({4});
    RUN_FAILS(507035, aclnnIndex, x.handle, indices.handle, wrong.handle);
    RUN(0, aclnnIndexPutImpl, x.handle, indices.handle, ones.handle, false, false);
    CHECK((x.read() == std::vector<float>{1, 2, 3, 1, 5, 6, 1, 8, 1, 10, 11, 1}));
}

void test_reductions() {
    const std::vector<float> x{5, 6, 7}, src{1, 2, 9, 4};
    Array<int64_t> index({4}, {0, 0, 2, -1});
    Array<float> source({4}, src);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    struct {
        int64_t reduce;
        bool self;
        std::vector<float> result;
    } table[] = {{0, true, {2, 6, 4}},   {1, true, {8, 6, 20}},      {2, true, {10, 6, 252}},
                 {3, true, {5, 6, 9}},   {4, true, {1, 6, 4}},       {5, true, {8.0f / 3, 6, 20.0f / 3}},
                 {1, false, {3, 6, 13}}, {2, false, {2, 6, 36}},     {3, false, {2, 6, 9}},
                 {4, false, {1, 6, 4}},  {5, false, {1.5f, 6, 6.5f}}};
    for (const auto& row : table) {
        Array<float> self({3}, x), out({3});
        RUN(0, aclnnScatterReduce, self.handle, 0, index.handle, source.handle, row.reduce, row.self, out.handle);
        CHECK(out.read() == row.result);
        RUN(0, aclnnInplaceScatterReduce, self.handle, 0, index.handle, source.handle, row.reduce, row.self);
        CHECK(self.read() == row.result);
    }
    Array<float> self({2}, {1, nan}), two({2}, {nan, 3});
    Array<int64_t> both({2}, {0, 1});
    RUN(0, aclnnInplaceScatterReduce, self.handle, 0, both.handle, two.handle, 3, true);
    CHECK(std::isnan(self.read()[0]) && std::isnan(self.read()[1]));
    RUN(161002, aclnnInplaceScatterReduce, self.handle, 0, both.handle, two.handle, 6, true);
}

// An array that is its own index, or its own source.
void test_shared_memory() {
    Array<int64_t> x({4}, {2, 0, 3, 1}), y({4}, {1, 2, 3, 0});
    List self({x.handle});
    RUN(0, aclnnIndexPutImpl, x.handle, self.handle, x.handle, false, false);
    CHECK((x.read() == std::vector<int64_t>{0, 1, 2, 3}));
    RUN(0, aclnnInplaceScatter, y.handle, 0, y.handle, y.handle, 0);
    CHECK((y.read() == std::vector<int64_t>{0, 1, 2, 3}));
}

// Nothing is read or written where an index is out of range, and the message names it.
void test_out_of_range() {
    const std::vector<double> values = numbered<double>(12);
    Array<double> x({3, 4}, values), rows({2, 4}), out({2, 4}, std::vector<double>(8)), flat({2});
    for (const int64_t bad : {int64_t{3}, int64_t{-4}, INT64_MAX, INT64_MIN, int64_t{1} << 32}) {
        Array<int64_t> index({2}, {0, bad}), pairs({2, 2}, {0, 0, bad, 0}),
            elements({2, 4}, {0, 0, 0, 0, 0, bad, 0, 0});
        List list({index.handle});
        RUN_FAILS(507035, aclnnIndexSelect, x.handle, 0, index.handle, out.handle);
        RUN_FAILS(507035, aclnnIndex, x.handle, list.handle, out.handle);
        RUN_FAILS(507035, aclnnGather, x.handle, 0, elements.handle, out.handle);
        RUN_FAILS(507035, aclnnGatherNd, x.handle, pairs.handle, true, flat.handle);
        RUN_FAILS(507035, aclnnEmbedding, x.handle, index.handle, out.handle);
        RUN_FAILS(507035, aclnnIndexPutImpl, x.handle, list.handle, rows.handle, false, false);
        RUN_FAILS(507035, aclnnInplaceScatter, x.handle, 0, elements.handle, rows.handle, 1);
        RUN_FAILS(507035, aclnnInplaceIndexFill, x.handle, 0, index.handle, Number(1.0).handle);
        RUN_FAILS(507035, aclnnScatterNdUpdate, x.handle, pairs.handle, flat.handle);
        CHECK(x.read() == values && out.read() == std::vector<double>(8));
    }
    Array<int32_t> wrong_size({3}, {0, 1, 2});
    Array<float> wrong_type({2}, {0, 1});
    RUN(161002, aclnnIndexSelect, x.handle, 0, wrong_size.handle, out.handle);
    RUN(161002, aclnnIndexSelect, x.handle, 0, wrong_type.handle, out.handle);
    RUN(161002, aclnnIndexSelect, x.handle, 2, wrong_size.handle, out.handle);
    Array<bool> mask({3, 4}, std::vector<bool>(12, true));
    Array<double> few({3}, {1, 2, 3});
    RUN_FAILS(507035, aclnnMaskedSelect, x.handle, mask.handle, few.handle);
    RUN_FAILS(507035, aclnnInplaceMaskedScatter, x.handle, mask.handle, few.handle);
    CHECK(x.read() == values);
}

}  // namespace

int main() {
    Device device;
    for_each_type<Indexing>();
    test_mask_as_index();
    test_reductions();
    test_shared_memory();
    test_out_of_range();
    return failures;
}
