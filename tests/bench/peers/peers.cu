/* Other programs' matchers on the same card: OpenCV's cuda::StereoBM and cuda::StereoSGM (a port of libSGM), and
 * NVIDIA's sample stereoDisparity. 'make bench PEERS=FOLDER' compiles their kernels as they are, from `opencv` and
 * `opencv_contrib` (as in a source package of opencv-contrib-python) and stereoDisparity_kernel.cuh in that folder.
 * What their host code does around the kernels is repeated here, with no more of OpenCV than that needs.
 *
 * The times are those of StereoBMImpl::compute without prefilter and texture threshold, of StereoSGMImpl::compute,
 * which waits for its streams, and of one launch of the sample, each with pictures and map on the device. */
#include "gpu/cuda.cuh"
#include "tests/bench/baseline/baseline.h"

#include <opencv2/core/cuda.hpp>
#include <opencv2/core/cuda_stream_accessor.hpp>
#include <opencv2/core/utils/logger.hpp>

#include <array>
#include <vector>

#include <cuda/stereosgm.hpp>
#include <stereoDisparity_kernel.cuh>

/* ---- What OpenCV's library would give its kernels -------------------------------------------------- */

namespace cv {
void error(int, const String &text, const char *, const char *, int) {
    fprintf(stderr, "OpenCV: %s\n", text.c_str());
    abort();
}

Exception::~Exception() noexcept {}
const char *Exception::what() const noexcept { return msg.c_str(); }

namespace utils::logging::internal {
LogTag *getGlobalLogTag() { return NULL; }
void writeLogMessageEx(LogLevel, const char *, const char *, int, const char *, const char *) {}
} // namespace utils::logging::internal

namespace cuda {
class Stream::Impl {
  public:
    cudaStream_t stream = NULL;
};
class Event::Impl {
  public:
    cudaEvent_t event = NULL;
};
Stream::Stream() : impl_(makePtr<Impl>()) { cudaStreamCreateWithFlags(&impl_->stream, cudaStreamNonBlocking); }
cudaStream_t StreamAccessor::getStream(const Stream &stream) { return stream.impl_->stream; }
void Stream::waitForCompletion() { cudaStreamSynchronize(impl_->stream); }
Event::Event(const Event::CreateFlags flags) : impl_(makePtr<Impl>()) {
    cudaEventCreateWithFlags(&impl_->event, flags);
}
void Event::record(Stream &stream) { cudaEventRecord(impl_->event, StreamAccessor::getStream(stream)); }
cudaEvent_t EventAccessor::getEvent(const Event &event) { return event.impl_->event; }
void Stream::waitEvent(const Event &event) { cudaStreamWaitEvent(impl_->stream, EventAccessor::getEvent(event), 0); }

/* A borrowed view: nothing is counted. */
GpuMat::Allocator *GpuMat::defaultAllocator() { return NULL; }
void GpuMat::release() { data = datastart = NULL; }
GpuMat::GpuMat(const GpuMat &m, Range, Range columns) : GpuMat(m) {
    cols = columns.size();
    data += columns.start * elemSize();
}
} // namespace cuda
} // namespace cv

using cv::cuda::GpuMat;

/* ---- Contexts ------------------------------------------------------------------------------------ */

namespace {
struct context {
    sv_params params;
    size_t width, height, used;
    std::vector<void *> memory;
    GpuMat grey[2], censused[2], map[2], checked[2], sums;
    cv::cuda::Stream stream;
    cv::cuda::device::stereosgm::path_aggregation::PathAggregation paths;
    cudaArray_t picture[2];
    cudaTextureObject_t texture[2];
    cudaEvent_t begin, end;
};

/* A picture in device memory whose rows begin at multiples of 512 bytes, as cudaMallocPitch makes them. */
GpuMat picture(context *c, size_t width, size_t height, int type) {
    void *data;
    size_t pitch;
    if (cudaMallocPitch(&data, &pitch, width * CV_ELEM_SIZE(type), height) != cudaSuccess) return GpuMat();
    c->memory.push_back(data);
    GpuMat mat;
    mat.flags = cv::Mat::MAGIC_VAL | type;
    mat.rows = (int)height;
    mat.cols = (int)width;
    mat.step = height > 1 ? pitch : width * CV_ELEM_SIZE(type);
    mat.data = mat.datastart = (uchar *)data;
    return mat;
}

void destroy(void *memory) {
    context *c = (context *)memory;
    if (!c) return;
    for (int side = 0; side < 2; side++) {
        if (c->texture[side]) cudaDestroyTextureObject(c->texture[side]);
        if (c->picture[side]) cudaFreeArray(c->picture[side]);
    }
    for (void *data : c->memory) cudaFree(data);
    delete c;
}

context *make(const sv_params *params, const sv_matcher_options *options) {
    context *c = new context();
    c->params = *params;
    c->width = (size_t)options->width;
    c->height = (size_t)options->height;
    for (GpuMat &grey : c->grey) grey = picture(c, c->width, c->height, CV_8UC1);
    cudaEventCreate(&c->begin);
    cudaEventCreate(&c->end);
    return c;
}

sv_status upload(context *c, const sv_pair *pair, sv_error *error) {
    for (int side = 0; side < 2; side++) {
        const sv_image &from = side ? pair->right : pair->left;
        GPU_TRY(cudaMemcpy2D(c->grey[side].data, c->grey[side].step, from.data, from.stride, c->width, c->height,
                             cudaMemcpyHostToDevice));
    }
    return SV_OK;
}

/* `map`: what `value` makes a disparity of. */
template <typename T, typename F>
sv_status download(const context *c, const void *map, size_t step, float *disparity, F value, sv_error *error) {
    if (!disparity) return SV_OK;
    std::vector<T> host(c->width * c->height);
    GPU_TRY(cudaMemcpy2D(host.data(), c->width * sizeof(T), map, step, c->width * sizeof(T), c->height,
                         cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < host.size(); i++) disparity[i] = value(host[i]);
    return SV_OK;
}

sv_status finish(context *c, float *ms, sv_error *error) {
    GPU_TRY(cudaGetLastError());
    GPU_TRY(cudaEventRecord(c->end, cv::cuda::StreamAccessor::getStream(c->stream)));
    GPU_TRY(cudaEventSynchronize(c->end));
    GPU_TRY(cudaEventElapsedTime(ms, c->begin, c->end));
    return SV_OK;
}
} // namespace

/* ---- OpenCV's StereoBM ---------------------------------------------------------------------------- */

namespace cv::cuda::device::stereobm {
void stereoBM_CUDA(const PtrStepSzb &left, const PtrStepSzb &right, const PtrStepSzb &disp, int ndisp, int winsz,
                   int uniquenessRatio, const PtrStepSz<unsigned int> &minSSD_buf, cudaStream_t &stream);
}

static sv_status create_bm(const sv_params *params, const sv_matcher_options *options, void **to, sv_error *error) {
    context *c = make(params, options);
    c->map[0] = picture(c, c->width, c->height, CV_8UC1);
    c->sums = picture(c, c->width, c->height, CV_32SC1);
    *to = c;
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static sv_status run_bm(void *memory, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    context *c = (context *)memory;
    GPU_TRY(upload(c, pair, error) == SV_OK ? cudaSuccess : cudaErrorUnknown);
    cudaStream_t stream = cv::cuda::StreamAccessor::getStream(c->stream);
    GPU_TRY(cudaEventRecord(c->begin, stream));
    cv::cuda::device::stereobm::stereoBM_CUDA(c->grey[0], c->grey[1], c->map[0], sv_candidates(&c->params),
                                              2 * c->params.rho + 1, 0, c->sums, stream);
    const sv_status status = finish(c, ms, error);
    if (status != SV_OK) return status;
    return download<uint8_t>(
        c, c->map[0].data, c->map[0].step, disparity, [](uint8_t d) { return d ? (float)d : NAN; }, error);
}

/* ---- OpenCV's StereoSGM --------------------------------------------------------------------------- */

static sv_status create_sgm(const sv_params *params, const sv_matcher_options *options, void **to, sv_error *error) {
    context *c = make(params, options);
    for (int side = 0; side < 2; side++) {
        c->censused[side] = picture(c, c->width, c->height, CV_32SC1);
        c->map[side] = picture(c, c->width, c->height, CV_16SC1);
        c->checked[side] = picture(c, c->width, c->height, CV_16SC1);
    }
    c->sums = picture(c, c->width * c->height * (size_t)sv_candidates(params) * 4, 1, CV_8UC1);
    *to = c;
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

template <size_t CANDIDATES> static void match_sgm(context *c) {
    using namespace cv::cuda::device::stereosgm;
    enum { HH4 = 3, P1 = 10, P2 = 120 }; /* StereoSGM's defaults */
    c->paths.operator()<CANDIDATES>(c->censused[0], c->censused[1], c->sums, HH4, P1, P2, 0, c->stream);
    winner_takes_all::winnerTakesAll<CANDIDATES>(c->sums, c->map[0], c->map[1], .95f, true, HH4, c->stream);
}

static sv_status run_sgm(void *memory, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    using namespace cv::cuda::device::stereosgm;
    context *c = (context *)memory;
    GPU_TRY(upload(c, pair, error) == SV_OK ? cudaSuccess : cudaErrorUnknown);
    GPU_TRY(cudaEventRecord(c->begin, cv::cuda::StreamAccessor::getStream(c->stream)));
    for (int side = 0; side < 2; side++) census_transform::censusTransform(c->grey[side], c->censused[side], c->stream);
    switch (sv_candidates(&c->params)) {
    case 64: match_sgm<64>(c); break;
    case 128: match_sgm<128>(c); break;
    case 256: match_sgm<256>(c); break;
    default: return sv_fail(error, SV_USAGE, "StereoSGM takes 64, 128 or 256 candidates");
    }
    for (int side = 0; side < 2; side++) median_filter::medianFilter(c->map[side], c->checked[side], c->stream);
    check_consistency::checkConsistency(c->checked[0], c->checked[1], c->grey[0], true, c->stream);
    correct_disparity_range::correctDisparityRange(c->checked[0], true, 0, c->stream);
    const sv_status status = finish(c, ms, error);
    if (status != SV_OK) return status;
    return download<int16_t>(
        c, c->checked[0].data, c->checked[0].step, disparity,
        [](int16_t d) { return d < 0 ? NAN : floorf((float)d / 16 + .5f); }, error);
}

/* ---- NVIDIA's sample ------------------------------------------------------------------------------ */

static sv_status create_sample(const sv_params *params, const sv_matcher_options *options, void **to, sv_error *error) {
    context *c = make(params, options);
    const cudaChannelFormatDesc word = cudaCreateChannelDesc<unsigned int>();
    *to = c;
    for (int side = 0; side < 2; side++) {
        GPU_TRY(cudaMallocArray(&c->picture[side], &word, c->width, c->height));
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = c->picture[side];
        cudaTextureDesc how = {};
        how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
        how.filterMode = cudaFilterModePoint;
        how.readMode = cudaReadModeElementType;
        GPU_TRY(cudaCreateTextureObject(&c->texture[side], &resource, &how, NULL));
    }
    c->sums = picture(c, c->width * c->height, 1, CV_32SC1);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static sv_status run_sample(void *memory, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    context *c = (context *)memory;
    std::vector<uint32_t> words(c->width * c->height);
    for (int side = 0; side < 2; side++) { /* grey in all four channels */
        const sv_image &from = side ? pair->right : pair->left;
        for (size_t y = 0; y < c->height; y++)
            for (size_t x = 0; x < c->width; x++)
                words[y * c->width + x] = 0x01010101u * ((const uint8_t *)from.data)[y * from.stride + x];
        GPU_TRY(cudaMemcpy2DToArray(c->picture[side], 0, 0, words.data(), 4 * c->width, 4 * c->width, c->height,
                                    cudaMemcpyHostToDevice));
    }
    const dim3 block(blockSize_x, blockSize_y);
    const dim3 grid(((unsigned)c->width + block.x - 1) / block.x, ((unsigned)c->height + block.y - 1) / block.y);
    cudaStream_t stream = cv::cuda::StreamAccessor::getStream(c->stream);
    GPU_TRY(cudaEventRecord(c->begin, stream));
    stereoDisparityKernel<<<grid, block, 0, stream>>>(NULL, NULL, (unsigned *)c->sums.data, (int)c->width,
                                                      (int)c->height, -c->params.max_disparity, 0, c->texture[0],
                                                      c->texture[1]);
    const sv_status status = finish(c, ms, error);
    if (status != SV_OK) return status;
    return download<uint32_t>(
        c, c->sums.data, 4 * c->width, disparity, [](uint32_t d) { return (float)(8 - (int)d); }, error);
}

/* Their windows and borders are not ours, so the maps agree in part. */
extern const baseline opencv_bm = {"OpenCV StereoBM", &sv_cuda, SV_SSD, .5, create_bm, run_bm, destroy};
extern const baseline opencv_sgm = {"OpenCV StereoSGM", &sv_cuda, SV_SGM, .5, create_sgm, run_sgm, destroy};
extern const baseline cuda_sample = {"CUDA sample", &sv_cuda, SV_SSD, .5, create_sample, run_sample, destroy};
