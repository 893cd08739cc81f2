// Functions of the operator libraries that work on the host at once: sizes and shapes of the private formats, and
// preparation of weights for quantised products.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>

#include "aclnn/aclnn_base.h"
#include "meta/slots.h"
#include "meta/tensor.h"
#include "runtime/error.h"

namespace pyasc {
namespace {

constexpr int64_t kCube = 16;   // rows and columns of one block of the private formats
constexpr int64_t kBlockBytes = 32;

int64_t blocks(int64_t n, int64_t size) { return n / size + (n % size != 0); }

// Elements in a row of a block.
int64_t block_columns(aclDataType t) {
    const int item = item_size(to_dtype(t));
    return item ? kBlockBytes / item : kBlockBytes;
}

int32_t check_shape(const char* caller, const aclIntArray* shape, uint64_t least, uint64_t most, const void* out) {
    if (!shape || !out)
        return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null", caller, shape ? "the result" : "the shape");
    if (!live(shape)) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is no live aclIntArray", caller, static_cast<const void*>(shape));
    }
    if (shape->size < least || shape->size > most) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: a shape of %lu dimensions, %lu to %lu are allowed", caller,
                    shape->size, least, most);
    }
    for (uint64_t d = 0; d < shape->size; ++d) {
        if (shape->data[d] >= 0 && shape->data[d] <= std::numeric_limits<int32_t>::max()) continue;
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: dimension %lu is %ld", caller, d, shape->data[d]);
    }
    return ACLNN_SUCCESS;
}

int32_t multiply(const char* caller, std::initializer_list<int64_t> factors, uint64_t* product) {
    uint64_t size = *product;
    for (int64_t f : factors) {
        if (__builtin_mul_overflow(size, static_cast<uint64_t>(f), &size)) {
            return fail(ACLNN_ERR_PARAM_INVALID, "%s: the size overflows", caller);
        }
    }
    *product = size;
    return ACLNN_SUCCESS;
}

// (…, n, k) rounded up to whole blocks.
int32_t matmul_weight_size(const char* caller, const aclIntArray* shape, uint64_t most, aclDataType dtype,
                           uint64_t* size) {
    if (int32_t status = check_shape(caller, shape, 2, most, size)) return status;
    if (dtype != ACL_FLOAT16 && dtype != ACL_BF16 && dtype != ACL_INT8) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %s is not supported; float16, bfloat16 and int8 are", caller,
                    acl_dtype_name(dtype));
    }
    uint64_t product = 1;
    for (uint64_t d = 0; d + 2 < shape->size; ++d) {
        if (int32_t status = multiply(caller, {shape->data[d]}, &product)) return status;
    }
    const int64_t n = shape->data[shape->size - 2], k = shape->data[shape->size - 1], columns = block_columns(dtype);
    if (int32_t status = multiply(caller, {blocks(n, kCube) * kCube, blocks(k, columns) * columns}, &product))
        return status;
    *size = product;
    return ACLNN_SUCCESS;
}

int64_t common_multiple(int64_t a, int64_t b) { return a / std::__gcd(a, b) * b; }

// Where one format keeps the letters of another.
struct Layout {
    aclFormat format;
    const char* letters;
};
const Layout kLayouts[] = {{ACL_FORMAT_NCHW, "NCHW"},
                           {ACL_FORMAT_NHWC, "NHWC"},
                           {ACL_FORMAT_HWCN, "HWCN"},
                           {ACL_FORMAT_NCDHW, "NCDHW"},
                           {ACL_FORMAT_NDHWC, "NDHWC"}};

// The length of a letter's dimension; 1 if the format has no such letter, -1 if the tensor has another rank.
int64_t length_of(const aclTensor* t, char letter) {
    for (const Layout& layout : kLayouts) {
        if (layout.format != t->format) continue;
        const char* at = std::strchr(layout.letters, letter);
        if (t->view.ndim != static_cast<int>(std::strlen(layout.letters))) return -1;
        return at ? t->view.shape[at - layout.letters] : 1;
    }
    return -1;
}

// The shape of `t` in a private format; 0 dimensions: no such conversion.
int private_shape(const aclTensor* t, int format, int64_t c0, int64_t* shape) {
    const View& v = t->view;
    if (format == ACL_FORMAT_ND) {
        std::copy(v.shape, v.shape + v.ndim, shape);
        return v.ndim;
    }
    if (format == ACL_FORMAT_FRACTAL_NZ) {
        if (v.ndim < 2 || v.ndim > kMaxDims - 2) return 0;
        std::copy(v.shape, v.shape + v.ndim - 2, shape);
        const int64_t tail[] = {blocks(v.shape[v.ndim - 1], c0), blocks(v.shape[v.ndim - 2], kCube), kCube, c0};
        std::copy(tail, tail + 4, shape + v.ndim - 2);
        return v.ndim + 2;
    }
    const int64_t n = length_of(t, 'N'), c = length_of(t, 'C'), d = length_of(t, 'D'), h = length_of(t, 'H'),
                  w = length_of(t, 'W');
    if (n < 0) return 0;
    const bool cubic = v.ndim == 5;
    const int64_t c1 = blocks(c, c0);
    const auto give = [shape](std::initializer_list<int64_t> values) {
        std::copy(values.begin(), values.end(), shape);
        return static_cast<int>(values.size());
    };
    switch (format) {
        case ACL_FORMAT_NC1HWC0: return cubic ? 0 : give({n, c1, h, w, c0});
        case ACL_FORMAT_NDC1HWC0: return cubic ? give({n, d, c1, h, w, c0}) : 0;
        case ACL_FORMAT_FRACTAL_Z: return cubic ? 0 : give({c1 * h * w, blocks(n, kCube), kCube, c0});
        case ACL_FRACTAL_Z_3D: return cubic ? give({d * c1 * h * w, blocks(n, kCube), kCube, c0}) : 0;
        default: return 0;
    }
}

// One group of four weights: the two that are kept and where they stood, two bits each; the second place counts from 1.
// False: more than two are not zero.
bool compress_group(const int8_t* group, int8_t* kept, uint8_t* code) {
    int places[4], count = 0;
    for (int i = 0; i < 4; ++i) {
        if (group[i] != 0) places[count++] = i;
    }
    if (count > 2) return false;
    int first = count ? places[0] : 0, second = count == 2 ? places[1] : 0;
    if (count == 1) {
        // A single weight goes first, with place 1 as its idle partner; at the end of the group it can only go second.
        second = first == 3 ? 3 : 1;
        first = first == 3 ? 0 : first;
    }
    kept[0] = group[first];
    kept[1] = count == 2 || second == 3 ? group[second] : int8_t{0};
    *code = static_cast<uint8_t>(first | (count ? second - 1 : 0) << 2);
    return true;
}

// Row `n` of the weight, eight columns at a time, into its places of the blocked arrays.
bool compress_row(const int8_t* row, int64_t k, int64_t n, int64_t rows, int8_t* kept, uint8_t* index) {
    for (int64_t at = 0; at < k; at += 8) {
        int8_t eight[8] = {};
        std::copy(row + at, row + std::min(k, at + 8), eight);
        uint8_t low, high;
        const int64_t block = (at / 64 * rows + n) * 8 + at % 64 / 8;
        if (!compress_group(eight, kept + block * 4, &low) || !compress_group(eight + 4, kept + block * 4 + 2, &high))
            return false;
        index[block] = static_cast<uint8_t>(low | high << 4);
    }
    return true;
}

std::atomic<int32_t> random_mode{0};

}  // namespace
}  // namespace pyasc

using namespace pyasc;

extern "C" {

aclnnStatus aclnnCalculateMatmulWeightSize(const aclIntArray* tensorShape, uint64_t* weightTensorSize) {
    return matmul_weight_size("aclnnCalculateMatmulWeightSize", tensorShape, 2, ACL_FLOAT16, weightTensorSize);
}

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape, aclDataType dataType,
                                             uint64_t* weightTensorSize) {
    return matmul_weight_size("aclnnCalculateMatmulWeightSizeV2", tensorShape, 6, dataType, weightTensorSize);
}

// An NCHW weight in FRACTAL_Z. With groups, as many as fill whole blocks share one.
aclnnStatus aclnnCalculateConvolutionWeightSize(const aclIntArray* tensorShape, bool transposed, int64_t groups,
                                                aclDataType dataType, uint64_t* weightTensorSize) {
    const char* caller = "aclnnCalculateConvolutionWeightSize";
    if (int32_t status = check_shape(caller, tensorShape, 4, 4, weightTensorSize)) return status;
    if (transposed || groups < 1 || dataType != ACL_FLOAT16) {
        return fail(ACLNN_ERR_PARAM_INVALID,
                    "%s: transposed %d, groups %ld, %s; only float16, not transposed, is supported", caller, transposed,
                    groups, acl_dtype_name(dataType));
    }
    const int64_t *s = tensorShape->data, n = s[0], c = s[1], h = s[2], w = s[3];
    uint64_t size = 1;
    if (n == 0 || c == 0 || h == 0 || w == 0) return *weightTensorSize = 0, ACLNN_SUCCESS;
    if (n % groups != 0) return fail(ACLNN_ERR_PARAM_INVALID, "%s: %ld filters in %ld groups", caller, n, groups);
    const int64_t filters = n / groups;
    const int64_t shared =
        std::min(groups, common_multiple(common_multiple(c, kCube) / c, common_multiple(filters, kCube) / filters));
    const std::initializer_list<int64_t> factors = {
        blocks(groups, shared), blocks(c * shared, kCube), h, w, blocks(filters * shared, kCube), kCube, kCube};
    if (int32_t status = multiply(caller, factors, &size)) return status;
    *weightTensorSize = size;
    return ACLNN_SUCCESS;
}

// The caller frees dstShape with delete[].
aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor* srcTensor, const int dstFormat,
                                                     int additionalDtype, int64_t** dstShape, uint64_t* dstShapeSize,
                                                     int* actualFormat) {
    const char* caller = "aclnnNpuFormatCastCalculateSizeAndFormat";
    if (!srcTensor || !dstShape || !dstShapeSize || !actualFormat) {
        return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: %s is null", caller,
                    srcTensor ? "a place for the answer" : "srcTensor");
    }
    if (!live(srcTensor)) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %p is no live aclTensor", caller,
                    static_cast<const void*>(srcTensor));
    }
    const Fault fault = srcTensor->fault;
    if (fault == Fault::NegativeDim || fault == Fault::TooLarge) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: the shape of srcTensor is negative or overflows", caller);
    }
    const aclDataType dtype = additionalDtype < 0 ? srcTensor->acl_dtype : static_cast<aclDataType>(additionalDtype);
    int64_t shape[kMaxDims];
    const int ndim = private_shape(srcTensor, dstFormat, block_columns(dtype), shape);
    if (ndim == 0) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: no conversion of %d dimensions from format %d to %d", caller,
                    srcTensor->view.ndim, static_cast<int>(srcTensor->format), dstFormat);
    }
    int64_t* copy = new (std::nothrow) int64_t[static_cast<size_t>(ndim)];
    if (!copy) return fail(ACLNN_ERR_RUNTIME_ERROR, "%s: out of host memory", caller);
    std::copy(shape, shape + ndim, copy);
    *dstShape = copy;
    *dstShapeSize = static_cast<uint64_t>(ndim);
    *actualFormat = dstFormat;
    return ACLNN_SUCCESS;
}

// One uint64 a channel: the scale's bits, bit 46, and the offset as a 9-bit integer at bit 37. The caller frees it.
aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize, const float* offsetArray,
                                 uint64_t offsetSize, uint64_t** quantParam, uint64_t* quantParamSize) {
    const char* caller = "aclnnTransQuantParam";
    if (!scaleArray || !quantParam || !quantParamSize)
        return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: an argument is null", caller);
    if (scaleSize < 1 || (offsetArray != nullptr) != (offsetSize > 0)) {
        return fail(ACLNN_ERR_PARAM_INVALID, "%s: %lu scales and %lu offsets at %p", caller, scaleSize, offsetSize,
                    static_cast<const void*>(offsetArray));
    }
    uint64_t size = std::max(scaleSize, offsetSize);
    if (size > 1) size = (size + 15) / 16 * 16;
    uint64_t* words = size >= offsetSize ? static_cast<uint64_t*>(std::calloc(size, sizeof(uint64_t))) : nullptr;
    if (!words) return fail(ACLNN_ERR_INNER_NULLPTR, "%s: no host memory for %lu channels", caller, size);
    for (uint64_t i = 0; i < scaleSize; ++i) {
        uint32_t bits;
        std::memcpy(&bits, &scaleArray[i], sizeof bits);
        words[i] = bits | uint64_t{1} << 46;
    }
    for (uint64_t i = 0; i < offsetSize; ++i) {
        const float rounded = std::isnan(offsetArray[i]) ? 0.0f : std::round(offsetArray[i]);
        const int64_t offset = static_cast<int64_t>(std::clamp(rounded, -256.0f, 255.0f));
        words[i] |= (static_cast<uint64_t>(offset) & 0x1ff) << 37;
    }
    *quantParam = words;
    *quantParamSize = size;
    return ACLNN_SUCCESS;
}

// The caller frees the four arrays.
aclnnStatus aclnnTransSparse4to2Para(const int8_t* weight, aclIntArray* shape, int8_t** sparseWeight,
                                     int64_t** sparseWeightDims, uint64_t* sparseWeightDimsNum, uint8_t** index,
                                     int64_t** indexDims, uint64_t* indexDimsNum) {
    const char* caller = "aclnnTransSparse4to2Para";
    if (!weight || !sparseWeightDims || !sparseWeightDimsNum || !index || !indexDims || !indexDimsNum) {
        return fail(ACLNN_ERR_PARAM_NULLPTR, "%s: an argument is null", caller);
    }
    if (int32_t status = check_shape(caller, shape, 2, 2, sparseWeight)) return status;
    const int64_t n = shape->data[0], k = shape->data[1];
    const int64_t outer = blocks(k, 2 * kBlockBytes), rows = blocks(n, kCube) * kCube;
    const auto words = static_cast<size_t>(outer * rows * 8);
    int8_t* kept = static_cast<int8_t*>(std::calloc(words + 1, 4));
    uint8_t* codes = static_cast<uint8_t*>(std::calloc(words + 1, 1));
    int64_t* kept_dims = static_cast<int64_t*>(std::calloc(4, sizeof(int64_t)));
    int64_t* code_dims = static_cast<int64_t*>(std::calloc(4, sizeof(int64_t)));
    int32_t status = ACLNN_SUCCESS;
    if (!kept || !codes || !kept_dims || !code_dims)
        status = fail(ACLNN_ERR_INNER_NULLPTR, "%s: out of host memory", caller);
    for (int64_t i = 0; status == 0 && i < n; ++i) {
        if (compress_row(weight + i * k, k, i, rows, kept, codes)) continue;
        status = fail(ACLNN_ERR_PARAM_INVALID,
                      "%s: row %ld has four neighbours with more than two weights that are not zero", caller, i);
    }
    if (status != 0) {
        for (void* p : {static_cast<void*>(kept), static_cast<void*>(codes), static_cast<void*>(kept_dims),
                        static_cast<void*>(code_dims)}) {
            std::free(p);
        }
        return status;
    }
    const int64_t dims[] = {outer, rows / kCube, kCube, kBlockBytes};
    std::copy(dims, dims + 4, kept_dims);
    std::copy(dims, dims + 3, code_dims);
    code_dims[3] = kBlockBytes / 4;
    *sparseWeight = kept;
    *sparseWeightDims = kept_dims;
    *index = codes;
    *indexDims = code_dims;
    *sparseWeightDimsNum = *indexDimsNum = 4;
    return ACLNN_SUCCESS;
}

// 0: numbers as older chips draw them, 1: as PyTorch does on other devices. The embedded device has one stream of
// numbers.
aclnnStatus aclnnSetPytorchRandom(int32_t pytorchRandom) {
    if (pytorchRandom != 0 && pytorchRandom != 1) {
        return fail(ACLNN_ERR_PARAM_INVALID, "aclnnSetPytorchRandom: the mode is %d, not 0 or 1", pytorchRandom);
    }
    random_mode.store(pytorchRandom, std::memory_order_relaxed);
    return ACLNN_SUCCESS;
}

aclnnStatus aclnnGetPytorchRandom(void) { return random_mode.load(std::memory_order_relaxed); }

}  // extern "C"
