/* The CUDA backend of a program that was built without CUDA: it says so. */
#include "stereo/stereo.h"

static int count(void) { return 0; }

static sv_status probe(int device, char *name, size_t size, sv_error *error) {
    (void)device;
    if (size) name[0] = 0;
    return sv_fail(error, SV_NO_DEVICE,
                   "this program was built without CUDA; install the CUDA Toolkit and build it again");
}

static sv_status check_models(sv_error *error) { return probe(0, NULL, 0, error); }

static void *no_memory(size_t bytes) {
    (void)bytes;
    return NULL;
}

static void free_nothing(void *memory) { (void)memory; }

static sv_status create(const sv_matcher_options *options, void **context, sv_error *error) {
    (void)options;
    *context = NULL;
    return probe(0, NULL, 0, error);
}

static sv_status footprint_of(const sv_matcher_options *options, const sv_params *params, sv_footprint *footprint,
                              sv_error *error) {
    (void)options, (void)params, (void)footprint;
    return probe(0, NULL, 0, error);
}

/* No context can be created, so the functions that take one are never called. */
const sv_backend sv_cuda = {
    .name = "cuda",
    .at_once = 1,
    .check_models = check_models,
    .count = count,
    .probe = probe,
    .alloc = no_memory,
    .free = free_nothing,
    .create = create,
    .footprint = footprint_of,
};
