/* Matches two rectified pictures that are in device memory, in the order of a stream of the program's own; the map
 * stays in device memory until the program fetches it: match_cuda LEFT.pgm RIGHT.pgm DISPARITY.pfm
 *
 *     cc -o match_cuda match_cuda.c $(pkg-config --cflags --libs stereoview) -I/usr/local/cuda/include \
 *         -L/usr/local/cuda/lib64 -lcudart */
#include "pictures.h"

#include <cuda_runtime_api.h>

static void check(cudaError_t code) {
    if (code == cudaSuccess) return;
    fprintf(stderr, "match_cuda: %s\n", cudaGetErrorString(code));
    exit(SV_FAILED);
}

static void check_status(sv_status status, const sv_error *error) {
    if (status == SV_OK) return;
    fprintf(stderr, "match_cuda: %s\n", error->text);
    exit((int)status);
}

/* A picture in device memory, with the stride that CUDA chooses. */
static sv_image new_device_picture(int width, int height, sv_format format, size_t size) {
    sv_image picture = {.width = width, .height = height, .format = format, .memory = SV_DEVICE};
    check(cudaMallocPitch(&picture.data, &picture.stride, (size_t)width * size, (size_t)height));
    return picture;
}

static void copy(const sv_image *to, const sv_image *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream) {
    check(cudaMemcpy2DAsync(to->data, to->stride, from->data, from->stride, (size_t)to->width * size,
                            (size_t)to->height, kind, stream));
}

int main(int argc, char **argv) {
    sv_error error = {"usage: match_cuda LEFT.pgm RIGHT.pgm DISPARITY.pfm, with 8-bit grey pictures of one size"};
    const sv_image left = read_pgm(argc == 4 ? argv[1] : ""), right = read_pgm(argc == 4 ? argv[2] : "");
    const int width = left.width, height = left.height;
    const bool fit = left.data && right.data && right.width == width && right.height == height;
    check_status(fit ? SV_OK : SV_USAGE, &error);

    const sv_backend *backend;
    const sv_matcher_options options = {.width = width, .height = height};
    sv_params *params = sv_params_new();
    sv_matcher *matcher;
    sv_footprint footprint;
    check_status(sv_find_backend("cuda", 0, &backend, &error), &error);
    check_status(sv_matcher_memory(backend, &options, params, &footprint, &error), &error);
    printf("the matcher takes %zu bytes of device memory\n", footprint.device);
    check_status(sv_matcher_create(backend, &options, &matcher, &error), &error);

    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const sv_pair pair = {.left = new_device_picture(width, height, SV_GREY8, 1),
                          .right = new_device_picture(width, height, SV_GREY8, 1)};
    const sv_output output = {.disparity = new_device_picture(width, height, SV_FLOAT32, sizeof(float)),
                              .reason = new_device_picture(width, height, SV_REASON8, 1)};
    const sv_image map = new_picture(width, height, SV_FLOAT32, sizeof(float));
    check_status(map.data ? SV_OK : SV_FAILED, &(sv_error){"out of memory"});

    /* Nothing here waits until the end: the stream orders the upload, the match and the download. */
    copy(&pair.left, &left, 1, cudaMemcpyHostToDevice, stream);
    copy(&pair.right, &right, 1, cudaMemcpyHostToDevice, stream);
    check_status(sv_submit_in_stream(matcher, &pair, params, &output, stream, &error), &error);
    copy(&map, &output.disparity, sizeof(float), cudaMemcpyDeviceToHost, stream);
    check(cudaStreamSynchronize(stream));
    check_status(sv_wait(matcher, NULL, &error), &error);

    if (!write_pfm(argv[3], &map)) perror(argv[3]), exit(SV_FAILED);
    sv_matcher_destroy(matcher);
    sv_params_free(params);
    const sv_image *const pictures[] = {&pair.left, &pair.right, &output.disparity, &output.reason};
    for (int i = 0; i < 4; i++) check(cudaFree(pictures[i]->data));
    check(cudaStreamDestroy(stream));
    free(left.data);
    free(right.data);
    free(map.data);
    return 0;
}
