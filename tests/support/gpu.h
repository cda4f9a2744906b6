/* Pictures in pinned memory and maps in device memory, and helpers that match them, for the tests of the CUDA backend,
 * whose maps are bit for bit those of the CPU. Errors fail the test. */
#ifndef TESTS_SUPPORT_GPU_H
#define TESTS_SUPPORT_GPU_H

#include "tests/support/backend.h"
#include "tests/support/pairs.h"

/* Skips the test if there is no device, unless SV_TEST_BACKEND is cuda. */
static inline void need_device(void) { test_backend("cuda"); }

#if SV_CUDA
#include <cuda_runtime_api.h>

#define CUDA(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t code = (call);                                                                               \
        if (code != cudaSuccess) fail_msg("%s: %s", #call, cudaGetErrorString(code));                                  \
    } while (0)

/* The methods whose CPU version is quick enough for any picture. */
enum { GPU_METHODS = 4 };
extern const sv_method gpu_methods[GPU_METHODS];

/* Two grey pictures in pinned memory, the rows of the left one `padding` pixels longer, those of the right one twice
 * that. Freed with free_pair, together with the colour that give_colour has added. */
sv_pair new_pair(int width, int height, int padding);
void free_pair(sv_pair *pair);

/* Noise of `levels` grey levels in the right picture; the left one shows it shifted by disparities that increase from
 * row to row and jump in the middle, slightly brighter in places, and flat in one corner. */
void fill_pair(const sv_pair *pair, int levels);

/* Adds colours that follow the grey values, with some noise. */
void give_colour(sv_pair *pair);

/* Any parameters that the method takes. */
sv_params random_params(sv_method method);

/* Turns on every step of the refinement chain but the left-right check. */
void use_whole_chain(sv_params *params);

enum { GUARD = 256 }; /* bytes before and behind a map in device memory; there are some between its rows, too */

/* A map in device memory, of guard bytes; its stride is `padding` pixels wider. The memory begins GUARD bytes before
 * the map. */
sv_image new_device_map(sv_format format, int width, int height, int padding);

sv_output new_device_output(int width, int height, int padding); /* the reasons' padding is three times as wide */
void free_device_output(const sv_output *output);
sv_output new_host_output(int width, int height);
void free_host_output(sv_output *output);

/* Adds a confidence map in the same memory; in device memory it is `padding` pixels wider. */
void add_confidence(sv_output *output, int padding);

/* Checks that the maps in device memory, with the confidence if they have one, are those in host memory, dense, and
 * that no guard byte has changed. If not, it fails and prints `params`. */
void check_output(const sv_output *got, const sv_output *want, const sv_params *params);

void submit_pair(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, const sv_output *output);

/* The maps of the CPU backend, in host memory, with the confidence. */
sv_output cpu_output(const sv_pair *pair, const sv_params *params);

/* Checks that both backends give the same maps, every second time at random with the confidence. `padding`: of the maps
 * in device memory. */
void compare(const sv_pair *pair, const sv_params *params, int padding);
#endif

#endif
