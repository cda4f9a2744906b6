/* What the CUDA files share: the context of a matcher, and the functions of each file. Unless stated otherwise, an
 * sv_status is SV_FAILED if memory runs out or CUDA fails. */
#ifndef GPU_CUDA_CUH
#define GPU_CUDA_CUH

#include <cuda_runtime.h>

#include "gpu/memory.cuh"
#include "stereo/pixel.h"
#include "stereo/rig.h"
#include "stereo/stereo.h"
#include "stereo/weights.h"

/* ---- Failures --------------------------------------------------------------------------------- */

/* Returns SV_FAILED with a message that names `call` and what to try, and clears CUDA's last error, so that it is not
 * attributed to the next call. */
sv_status gpu_fail(sv_error *error, const char *call, cudaError_t code);

/* Evaluates `call` once, and returns its failure from the calling function, which has an `sv_error *error` in scope. */
#define GPU_TRY(call)                                                                                                  \
    do {                                                                                                               \
        cudaError_t gpu_code = (call);                                                                                 \
        if (gpu_code != cudaSuccess) return gpu_fail(error, #call, gpu_code);                                          \
    } while (0)

/* The same for a function that returns an sv_status. */
#define GPU_PASS(call)                                                                                                 \
    do {                                                                                                               \
        sv_status gpu_status = (call);                                                                                 \
        if (gpu_status != SV_OK) return gpu_status;                                                                    \
    } while (0)

/* ---- Pictures --------------------------------------------------------------------------------- */

/* Row `y` of a picture in device memory. */
template <typename pixel> __device__ __forceinline__ pixel *gpu_row(const sv_image &image, int y) {
    return (pixel *)((char *)image.data + (size_t)y * image.stride);
}

/* The threads of a warp, and the mask of all its lanes. */
enum { GPU_WARP = 32 };
enum : unsigned { GPU_LANES = 0xffffffff };

static inline int gpu_blocks(int items, int block) { return (items + block - 1) / block; }

/* ---- The context of a matcher ----------------------------------------------------------------- */

enum { GPU_LEFT, GPU_RIGHT, GPU_SIDES };

/* Events of a pair, in the order in which they occur. */
enum {
    GPU_UPLOAD_BEGIN,
    GPU_UPLOAD_END,
    GPU_RECTIFY_BEGIN,
    GPU_MATCH_BEGIN,
    GPU_MATCH_END,
    GPU_REFINE_END,
    GPU_DOWNLOAD_BEGIN,
    GPU_DOWNLOAD_END,
    GPU_EVENTS
};

/* One of the pairs in flight. Its memory is free for the next pair once it has been waited for. */
struct gpu_pair {
    sv_image picture[GPU_SIDES];            /* pitched as textures need it; SV_GREY8 */
    cudaTextureObject_t nearest[GPU_SIDES]; /* of `picture`: 0..255 at the nearest pixel, clamped at the edges */
    cudaTextureObject_t between[GPU_SIDES]; /* the same, interpolated, 0..1 */
    gpu_buffer colour[GPU_SIDES];           /* height x width, dense; SV_COLOUR8. For gfd, if `coloured` */
    sv_image raw[GPU_SIDES], raw_colour[GPU_SIDES]; /* the input, if `rectified`: dense, in the buffers below */
    gpu_buffer raw_memory[GPU_SIDES], raw_colour_memory[GPU_SIDES];
    gpu_buffer disparity, reason, confidence; /* height x width, dense: results on their way to host memory */
    cudaEvent_t events[GPU_EVENTS];
    volatile int *lost;                  /* in host memory: a kernel sets it if the pair's map is wrong */
    bool coloured;                       /* whether this pair has colour */
    bool rectified, refined, downloaded; /* whether those stages ran */
};

/* The weights of the weighted median, by difference of grey values. Passed to the kernel by value. */
struct gpu_weights {
    uint8_t of[SV_WEIGHTS];
};

/* At most: one for each combination of a pair in flight and an output of the window. */
enum { GPU_GRAPHS = SV_IN_FLIGHT * SV_OUTPUTS };

enum { GPU_SCALES = 2 };

/* A frame's kernels with their arguments. */
struct gpu_graph {
    sv_output maps;
    const gpu_pair *pair;
    cudaGraphExec_t exec;
};

/* The graphs of frames with equal parameters: see graph.cu. */
struct gpu_graphs {
    sv_params params;
    bool coloured, judged;
    bool capturing; /* launches become nodes of a graph */
    int frames;     /* matched with these parameters as single launches, counted up to the number that graphs require */
    int count;
    gpu_graph each[GPU_GRAPHS];
};

/* The frames that the temporal filter looks back over. */
struct gpu_history {
    gpu_buffer frames; /* temporal.cu lays it out */
    int next;          /* where in the ring the next frame is kept */
};

struct gpu_model; /* net.cu */

/* Everything that a matcher owns. All but `pairs` is used by one pair at a time, because all kernels run in `compute`.
 */
struct gpu_context {
    int device; /* CUDA lists the fastest one first, and CUDA_VISIBLE_DEVICES changes the order */
    int width, height;
    int multiprocessors;
    int capability; /* that the running code was compiled for: 75, 80, ... */
    bool general;   /* SV_CUDA_GENERAL=1, for tests: only the kernels that take all parameters on all cards */
    gpu_weights weights;
    cudaStream_t upload, compute, download;
    cudaEvent_t made; /* when the context was created; all times are measured from it */
    gpu_pair pairs[SV_IN_FLIGHT];
    unsigned submitted, waited; /* how many so far; pair i is pairs[i % SV_IN_FLIGHT] */

    gpu_pair filtered; /* only its pictures, textures and colour, made on first use: see gpu_use_filtered */

    gpu_graphs graphs;
    int failed_graphs;   /* how many could not be made; after several, kernels are launched one by one */
    const char *kernels; /* those that matched last: see gpu_name_kernels */
    gpu_model *model;    /* that it has open; NULL: none */
    int threads;         /* of the CPU, for operators of the model that the card does not run */
    /* For 1/2 and 1/4 of the size, made on first use (scale.cu); with their own buffers and this context's stream. */
    gpu_context *scaled[GPU_SCALES];
    bool ready; /* of such a context: it has its pictures */

    gpu_buffer maps[GPU_SIDES];    /* height x width, int2: the rectification maps; without memory if there are none */
    gpu_buffer winners[GPU_SIDES]; /* height x width, int16: candidate, negative where there is none */
    gpu_buffer confidence;         /* height x width, for min-confidence where the output has none */
    gpu_buffer spare;              /* height x width, float: disparities between two filters */
    gpu_history history;
    gpu_buffer scratch; /* of the method, and then of each step of refinement: see gpu_use_scratch */
};

/* Lays out the arrays of `arguments` in the scratch memory of the context, whose earlier contents are lost. `lay_out`
 * carves them from a base (NULL: it only counts) and returns the number of bytes.
 * Errors: as gpu_reserve. */
template <typename type>
static inline sv_status gpu_use_scratch(gpu_context *context, size_t (*lay_out)(type *arguments, void *base),
                                        type *arguments, sv_error *error) {
    GPU_PASS(gpu_reserve(context->compute, &context->scratch, lay_out(arguments, NULL), error));
    lay_out(arguments, context->scratch.data);
    return SV_OK;
}

/* The arguments that the kernels of all methods share; those of each method begin with them. */
struct gpu_search {
    int16_t *winners[GPU_SIDES]; /* height x width: candidate, negative where there is none */
    sv_output maps;              /* of the left picture */
    int width, height;
    int rho, rho_y;
    int min_disparity, candidates;
    int uniqueness; /* percent */
    bool subpixel;
};

/* 2 if the right picture's winners are needed, else 1. */
static inline int gpu_sides(const sv_params *params) { return params->left_right_check >= 0 ? 2 : 1; }

/* ---- context.cu ------------------------------------------------------------------------------- */

/* Finds the compute capability that the code which runs on the device was compiled for: 75, 80, ...
 * Errors: SV_FAILED if the program has no code for the device. */
sv_status gpu_find_capability(int *capability, sv_error *error);

/* A function of the driver, as CUDA had it in that version (10020: 10.2); NULL if there is none. The program is not
 * linked with the driver: without one it must start, too. */
void *gpu_driver_call(const char *name, int version);

/* Selects the device, and notes in the context what kernels depend on. */
sv_status gpu_find_device(gpu_context *context, sv_error *error);

/* Creates a context on a device for pictures of one size, without rectification maps.
 * Lifetime: the caller destroys it with gpu_destroy_context, which accepts NULL. */
sv_status gpu_create_context(int device, int width, int height, gpu_context **context, sv_error *error);
void gpu_destroy_context(gpu_context *context);

/* Creates a context for smaller pictures, unless there is one, with pictures and maps of its own in pairs[0]. It
 * computes in the stream of `context`.
 * Lifetime: destroyed with `context`. */
sv_status gpu_reserve_smaller(gpu_context *context, gpu_context **smaller, int width, int height, sv_error *error);

/* Waits until all work of the context is complete. */
void gpu_drain(gpu_context *context);

/* Create and free the grey pictures of a pair and their textures. */
sv_status gpu_create_pictures(gpu_pair *pair, int width, int height, sv_error *error);
void gpu_free_pictures(gpu_pair *pair);

/* Replaces a side's grey picture and its textures in `pair` by those of the context's filtered pictures. */
sv_status gpu_use_filtered(gpu_context *context, gpu_pair *pair, int side, sv_error *error);

/* Makes `picture` a dense one of the context's size in `buffer`.
 * Errors: as gpu_reserve. */
sv_status gpu_make_picture(gpu_context *context, gpu_buffer *buffer, sv_format format, sv_image *picture,
                           sv_error *error);

/* Logs which kernels a method runs, at debug level and whenever they change, but not while memory is only counted.
 * `kernels`: static text. */
void gpu_name_kernels(gpu_context *context, const char *kernels);

gpu_search gpu_search_of(const gpu_context *context, const sv_params *params, const sv_output *maps);

/* ---- The stages: each launches its kernels in context->compute and returns without waiting ------ */

/* Copies the maps to the device, if there are any; waits. */
sv_status gpu_create_rectification(gpu_context *context, const sv_rectification *rectification, sv_error *error);

/* Rectifies the raw pictures of the pair, and the colour ones if it has them, into its pictures. */
sv_status gpu_rectify(gpu_context *context, const gpu_pair *pair, const sv_params *params, sv_error *error);

/* The filters of --prefilter: replace pictures of `pair`, a copy of the pair that was submitted, by filtered ones.
 */
sv_status gpu_contrast(gpu_context *context, gpu_pair *pair, sv_error *error);
sv_status gpu_expose(gpu_context *context, gpu_pair *pair, sv_error *error);

/* Invalidates the pixels of the disparity map at which the rectified left picture is empty and, if `matches` is set,
 * those whose match is an empty pixel of the right one. Called with `matches` before refinement and without it
 * afterwards. `scale`: the maps are 1/scale of the context's size. */
sv_status gpu_mark_outside(gpu_context *context, const sv_params *params, const sv_output *maps, int scale,
                           bool matches, sv_error *error);

/* Reduces the pictures of a pair, and its colour pictures if it has them, to 1/scale of their size, in pairs[0] of a
 * context `small`, which is created on first use. `maps` receives the maps of that pair. */
sv_status gpu_reduce(gpu_context *context, const gpu_pair *pair, const sv_params *params, gpu_context **small,
                     sv_output *maps, sv_error *error);

/* Enlarges the maps `from`, of the size of `small`, to the maps `to` of the pair. */
sv_status gpu_enlarge(gpu_context *context, const gpu_pair *pair, const gpu_context *small, int scale,
                      const sv_output *from, const sv_output *to, sv_error *error);

/* Matches a pair with the method of `params` (methods.cu), one of the functions that follow, each in a file of its
 * name. They fill in context->winners[GPU_LEFT], the disparity and the reason of every pixel (`maps`, in device
 * memory), and context->winners[GPU_RIGHT] if there is a left-right check. A method that gives evidence leaves it in
 * the confidence map, if there is one, for gpu_judge. */
typedef sv_status gpu_method(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                             sv_error *error);
gpu_method gpu_match;
#define METHOD(NAME, name) gpu_method gpu_##name;
#include "stereo/methods.def"

bool gpu_ssd_fits_tensors(const gpu_context *context, const sv_params *params); /* whether gpu_ssd_tensors can */
sv_status gpu_ssd_tensors(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                          sv_error *error);

/* The method net: opens the model, before it is matched with; does nothing for other methods. Closes it; accepts NULL.
 * True if it fills in the confidence itself. */
sv_status gpu_open_model(gpu_context *context, const sv_params *params, sv_error *error);
void gpu_close_model(gpu_model *model);
bool gpu_model_judges(const gpu_context *context, const sv_params *params);

/* Fills in the confidence of all matches, after matching with a left-right check. */
sv_status gpu_judge(gpu_context *context, const sv_params *params, const sv_output *maps, sv_error *error);

/* Sets the confidence to 0 where the reason is not SV_VALID. */
sv_status gpu_withdraw(gpu_context *context, const sv_output *maps, sv_error *error);

/* The refinement chain (refine.cu). Its filters cannot work in place: each reads one map and writes the other,
 * `maps->disparity` and `spare` by turns. With an odd number of filters, which gpu_refine_passes returns, the result is
 * in `spare`, otherwise in `maps`. Reasons change in place. */
int gpu_refine_passes(const sv_params *params);
sv_status gpu_refine(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                     const sv_image *spare, sv_error *error);

/* The steps of the chain, each in a file of its name. They read a map and write `to`. gpu_clean removes speckles,
 * unless `regions` (speckle.cuh) has none, fills holes if `holes` is set, and filters with a median of `median` pixels,
 * 0: none.
 */
struct gpu_regions;
sv_status gpu_clean(gpu_context *context, const sv_params *params, const sv_output *maps, const gpu_regions *regions,
                    bool holes, int median, const sv_image *to, sv_error *error);
sv_status gpu_fill(gpu_context *context, const sv_params *params, const sv_image *left, const sv_output *maps,
                   const sv_image *to, sv_error *error);
sv_status gpu_weighted_median(gpu_context *context, const sv_params *params, const sv_image *left, const sv_image *from,
                              const sv_image *to, sv_error *error);
sv_status gpu_average(gpu_context *context, const sv_params *params, const sv_image *from, const sv_image *to,
                      sv_error *error);

/* The temporal filter, after everything else: averages the maps of the pair with those of the `follows` frames before,
 * and keeps them for the frames to come. */
sv_status gpu_temporal(gpu_context *context, const gpu_pair *pair, const sv_params *params, int follows,
                       const sv_output *maps, sv_error *error);

/* The beginning of gpu_fill for SV_FILL_SURFACE; works in place. `sources`: height x width, scratch memory. */
sv_status gpu_continue_surfaces(gpu_context *context, const sv_params *params, const sv_image *left,
                                const sv_output *maps, float *sources, sv_error *error);

/* ---- graph.cu --------------------------------------------------------------------------------- */

/* A function that launches the kernels of a frame in context->compute. */
typedef sv_status gpu_work(gpu_context *context, gpu_pair *pair, const sv_params *params, const sv_output *maps,
                           sv_error *error);

/* Runs `work`, or the graph that was captured from it for frames like this one. Where no graph can be built, `work`
 * itself runs; the log says so once, after several tries. */
sv_status gpu_run(gpu_work *work, gpu_context *context, gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error);
void gpu_forget_graphs(gpu_graphs *graphs);

/* ---- footprint.cu: sv_backend.footprint ----------------------------------------------------------- */

sv_status gpu_footprint(const sv_matcher_options *options, const sv_params *params, sv_footprint *footprint,
                        sv_error *error);

/* ---- luma.cu: the functions of sv_backend for decoders of videos ------------------------------- */

void *gpu_decoder_context(int device);
int gpu_decoders(int device);
void *gpu_decoder_stream(int device);
void gpu_free_stream(void *stream);
sv_status gpu_grey_of_luma(int device, const sv_luma *luma, const sv_image *grey, sv_error *error);

/* ---- interop.cu: the same for memory that OpenGL uses, too -------------------------------------- */

sv_status gpu_share(int device, size_t bytes, sv_shared *shared, sv_error *error);
void gpu_unshare(sv_shared *shared);

#endif
