// Functions that work on the host at once: sizes and shapes of private formats, weights for quantised products.
#include <cmath>
#include <cstdlib>

#include "meta_check.h"

extern "C" {
aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray*, uint64_t*);
aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray*, aclDataType, uint64_t*);
aclnnStatus aclnnCalculateConvolutionWeightSize(const aclIntArray*, bool, int64_t, aclDataType, uint64_t*);
aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor*, const int, int, int64_t**, uint64_t*, int*);
aclnnStatus aclnnTransQuantParam(const float*, uint64_t, const float*, uint64_t, uint64_t**, uint64_t*);
aclnnStatus aclnnTransSparse4to2Para(const int8_t*, aclIntArray*, int8_t**, int64_t**, uint64_t*, uint8_t**, int64_t**,
                                     uint64_t*);
aclnnStatus aclnnSetPytorchRandom(int32_t);
aclnnStatus aclnnGetPytorchRandom(void);
}

namespace {

using Shape = std::vector<int64_t>;

struct IntArray {
    aclIntArray* handle;
    explicit IntArray(const Shape& values) : handle(aclCreateIntArray(values.data(), values.size())) {}
    ~IntArray() { aclDestroyIntArray(handle); }
};

void test_matmul_weight_size() {
    struct Case {
        Shape shape;
        aclDataType dtype;
        uint64_t expected;  // 0: refused
    } cases[] = {
        {{510, 510}, ACL_FLOAT16, 262144}, {{510, 270}, ACL_INT8, 147456},
        {{3, 510, 510}, ACL_BF16, 786432}, {{1, 1}, ACL_FLOAT16, 256},
        {{16, 32}, ACL_INT8, 512},         {{16}, ACL_FLOAT16, 0},
        {{-1, 16}, ACL_FLOAT16, 0},        {{16, 16}, ACL_FLOAT, 0},
        {{INT64_MAX, 2}, ACL_FLOAT16, 0},  {{2147483647, 2147483647, 2147483647, 4}, ACL_INT8, 0},
    };
    for (const Case& c : cases) {
        const IntArray shape(c.shape);
        uint64_t size = 0;
        CODE(c.expected ? 0 : 161002, aclnnCalculateMatmulWeightSizeV2(shape.handle, c.dtype, &size));
        CHECK(size == c.expected);
    }
    const IntArray square({510, 510}), cube({2, 510, 510});
    uint64_t size = 0;
    CODE(0, aclnnCalculateMatmulWeightSize(square.handle, &size));
    CHECK(size == 262144);
    CODE(161002, aclnnCalculateMatmulWeightSize(cube.handle, &size));
    CODE(161001, aclnnCalculateMatmulWeightSize(nullptr, &size));
    CODE(161001, aclnnCalculateMatmulWeightSize(square.handle, nullptr));
}

void test_convolution_weight_size() {
    const IntArray shape({2, 4, 8, 8}), empty({2, 0, 8, 8});
    uint64_t size = 0;
    CODE(0, aclnnCalculateConvolutionWeightSize(shape.handle, false, 1, ACL_FLOAT16, &size));
    CHECK(size == 16384);
    CODE(0, aclnnCalculateConvolutionWeightSize(empty.handle, false, 1, ACL_FLOAT16, &size));
    CHECK(size == 0);
    CODE(161002, aclnnCalculateConvolutionWeightSize(shape.handle, true, 1, ACL_FLOAT16, &size));
    CODE(161002, aclnnCalculateConvolutionWeightSize(shape.handle, false, 0, ACL_FLOAT16, &size));
    CODE(161002, aclnnCalculateConvolutionWeightSize(shape.handle, false, 1, ACL_FLOAT, &size));
}

void test_private_shapes() {
    struct Case {
        Shape shape;
        aclFormat format;
        aclDataType dtype;
        int target;
        Shape expected;
    } cases[] = {
        {{30, 50}, ACL_FORMAT_ND, ACL_FLOAT16, ACL_FORMAT_FRACTAL_NZ, {4, 2, 16, 16}},
        {{5, 30, 50}, ACL_FORMAT_ND, ACL_INT8, ACL_FORMAT_FRACTAL_NZ, {5, 2, 2, 16, 32}},
        {{30, 50}, ACL_FORMAT_ND, ACL_INT8, ACL_FORMAT_ND, {30, 50}},
        {{2, 20, 7, 9}, ACL_FORMAT_NCHW, ACL_FLOAT16, ACL_FORMAT_NC1HWC0, {2, 2, 7, 9, 16}},
        {{2, 7, 9, 20}, ACL_FORMAT_NHWC, ACL_FLOAT16, ACL_FORMAT_NC1HWC0, {2, 2, 7, 9, 16}},
        {{7, 9, 20, 2}, ACL_FORMAT_HWCN, ACL_FLOAT16, ACL_FORMAT_FRACTAL_Z, {126, 1, 16, 16}},
        {{2, 20, 3, 7, 9}, ACL_FORMAT_NCDHW, ACL_FLOAT, ACL_FORMAT_NDC1HWC0, {2, 3, 3, 7, 9, 8}},
        {{2, 20, 3, 7, 9}, ACL_FORMAT_NCDHW, ACL_FLOAT16, ACL_FRACTAL_Z_3D, {378, 1, 16, 16}},
        {{5}, ACL_FORMAT_ND, ACL_FLOAT16, ACL_FORMAT_FRACTAL_NZ, {}},
        {{2, 20}, ACL_FORMAT_NCHW, ACL_FLOAT16, ACL_FORMAT_NC1HWC0, {}},
        {{30, 50}, ACL_FORMAT_ND, ACL_FLOAT16, ACL_FORMAT_NC1HWC0, {}},
    };
    for (const Case& c : cases) {
        aclTensor* t =
            aclCreateTensor(c.shape.data(), c.shape.size(), c.dtype, nullptr, 0, c.format, nullptr, 0, nullptr);
        int64_t* shape = nullptr;
        uint64_t count = 0;
        int format = -1;
        CODE(c.expected.empty() ? 161002 : 0,
             aclnnNpuFormatCastCalculateSizeAndFormat(t, c.target, c.dtype, &shape, &count, &format));
        CHECK(Shape(shape, shape + count) == c.expected);
        CHECK(c.expected.empty() || format == c.target);
        delete[] shape;
        CODE(0, aclDestroyTensor(t));
    }
}

void test_quantisation_parameters() {
    const float scale[] = {1.1f, 2.2f}, offset[] = {-3.4f, 999.0f, NAN};
    uint64_t *words = nullptr, size = 0;
    CODE(0, aclnnTransQuantParam(scale, 2, nullptr, 0, &words, &size));
    CHECK(size == 16 && words[0] == 70369810369741 && words[1] == 70369818758349 && words[2] == 0);
    std::free(words);
    CODE(0, aclnnTransQuantParam(scale, 1, offset, 1, &words, &size));
    CHECK(size == 1 && words[0] == (70369810369741 | uint64_t{0x1fd} << 37));
    std::free(words);
    CODE(0, aclnnTransQuantParam(scale, 2, offset, 3, &words, &size));
    CHECK(words[1] >> 37 == (512 | 255) && words[2] == 0);  // bit 46 is bit 9 from there
    std::free(words);
    CODE(161002, aclnnTransQuantParam(scale, 2, offset, 0, &words, &size));
    CODE(161002, aclnnTransQuantParam(scale, 0, nullptr, 0, &words, &size));
    CODE(161001, aclnnTransQuantParam(nullptr, 1, nullptr, 0, &words, &size));
}

// Expands what was compressed and compares.
void test_sparse_weights() {
    const int64_t n = 20, k = 70;
    std::vector<int8_t> weight(n * k);
    uint32_t random = 1;
    for (size_t at = 0; at < weight.size(); ++at) {
        random = random * 1664525u + 1013904223u;
        const int64_t column = static_cast<int64_t>(at) % k, group = static_cast<int64_t>(at) / k + column / 4;
        if ((group >> (column % 4) & 1) != 0 && column % 4 < 2 + group % 3)
            weight[at] = static_cast<int8_t>(random >> 24);
    }
    for (int64_t i = 0; i < n; ++i) {  // two of four at most
        for (int64_t j = 0; j < k; j += 4) {
            int left = 2;
            for (int64_t c = j; c < j + 4 && c < k; ++c) {
                int8_t& w = weight[static_cast<size_t>(i * k + c)];
                if (w != 0 && left-- <= 0) w = 0;
            }
        }
    }
    IntArray shape({n, k});
    int8_t* kept;
    uint8_t* index;
    int64_t *kept_dims, *index_dims;
    uint64_t kept_count, index_count;
    CODE(0, aclnnTransSparse4to2Para(weight.data(), shape.handle, &kept, &kept_dims, &kept_count, &index, &index_dims,
                                     &index_count));
    CHECK((Shape(kept_dims, kept_dims + kept_count) == Shape{2, 2, 16, 32}));
    CHECK((Shape(index_dims, index_dims + index_count) == Shape{2, 2, 16, 8}));
    std::vector<int8_t> back(weight.size());
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < k; j += 4) {
            const int64_t at = (j / 64 * 32 + i) * 8 + j % 64 / 8;
            const int code = index[at] >> (j % 8 ? 4 : 0) & 15;
            const int8_t* pair = kept + at * 4 + (j % 8 ? 2 : 0);
            if (pair[0] != 0) back[static_cast<size_t>(i * k + j + (code & 3))] = pair[0];
            if (pair[1] != 0) back[static_cast<size_t>(i * k + j + (code >> 2) + 1)] = pair[1];
        }
    }
    CHECK(back == weight);
    std::free(kept);
    std::free(kept_dims);
    std::free(index);
    std::free(index_dims);
    std::fill(weight.begin(), weight.begin() + 4, int8_t{1});
    CODE(161002, aclnnTransSparse4to2Para(weight.data(), shape.handle, &kept, &kept_dims, &kept_count, &index,
                                          &index_dims, &index_count));
    CODE(161001, aclnnTransSparse4to2Para(nullptr, shape.handle, &kept, &kept_dims, &kept_count, &index, &index_dims,
                                          &index_count));
}

void test_library() {
    CODE(0, aclnnInit(nullptr));
    CODE(161002, aclnnInit("/nowhere/acl.json"));
    CODE(0, aclnnFinalize());
    CODE(0, aclnnSetPytorchRandom(1));
    CHECK(aclnnGetPytorchRandom() == 1);
    CODE(161002, aclnnSetPytorchRandom(2));
    CODE(0, aclnnSetPytorchRandom(0));
    aclTensor* t = tensor({2}, ACL_FLOAT, nullptr);
    aclTensor* tensors[] = {t, t};
    CODE(0, aclDumpOpTensors("Add", "add", tensors, 1, 1, nullptr));
    CODE(161001, aclDumpOpTensors(nullptr, "add", tensors, 1, 1, nullptr));
    CODE(0, aclDestroyTensor(t));
    CODE(161002, aclDumpOpTensors("Add", "add", tensors, 1, 1, nullptr));
}

}  // namespace

int main() {
    test_matmul_weight_size();
    test_convolution_weight_size();
    test_private_shapes();
    test_quantisation_parameters();
    test_sparse_weights();
    test_library();
    return failures;
}
