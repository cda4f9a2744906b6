/* A disparity map, its reasons and its confidence in the backend's host memory. */
#include "app/play/maps.h"

sv_output maps_in(void *memory, size_t reason_offset, int width, int height, sv_memory where) {
    const size_t row = (size_t)width * sizeof(float);
    return (sv_output){
        .disparity = {memory, row, width, height, SV_FLOAT32, where},
        .reason = {(char *)memory + reason_offset, (size_t)width, width, height, SV_REASON8, where},
    };
}

/* In one block with room for `more` bytes for each pixel behind the disparities and the reasons. */
static sv_status alloc(const sv_backend *backend, int width, int height, size_t more, sv_output *maps,
                       sv_error *error) {
    const size_t pixels = (size_t)width * (size_t)height;
    void *memory = backend->alloc(pixels * (sizeof(float) + 1 + more));
    if (!memory) return sv_fail(error, SV_FAILED, "out of memory for a disparity map of %d x %d pixels", width, height);
    *maps = maps_in(memory, pixels * sizeof(float), width, height, SV_HOST);
    return SV_OK;
}

sv_status maps_alloc(const sv_backend *backend, int width, int height, sv_output *maps, sv_error *error) {
    return alloc(backend, width, height, 0, maps, error);
}

sv_status maps_alloc_judged(const sv_backend *backend, int width, int height, sv_output *maps, sv_error *error) {
    const size_t pixels = (size_t)width * (size_t)height;
    const sv_status status = alloc(backend, width, height, 1, maps, error);
    if (status != SV_OK) return status;
    maps->confidence = maps->reason;
    maps->confidence.format = SV_GREY8;
    maps->confidence.data = (char *)maps->reason.data + pixels;
    return SV_OK;
}

void maps_free(const sv_backend *backend, sv_output *maps) {
    if (maps->disparity.data) backend->free(maps->disparity.data);
    *maps = (sv_output){0};
}
