/* A disparity map, its reasons and its confidence in the backend's host memory. */
#include "app/play/maps.h"

sv_output maps_in(void *memory, size_t reason, size_t confidence, int width, int height, sv_memory where) {
    char *bytes = memory;
    sv_output maps = {
        .disparity = {bytes, (size_t)width * sizeof(float), width, height, SV_FLOAT32, where},
        .reason = {bytes + reason, (size_t)width, width, height, SV_REASON8, where},
    };
    if (confidence) maps.confidence = (sv_image){bytes + confidence, (size_t)width, width, height, SV_GREY8, where};
    return maps;
}

sv_status maps_alloc(const sv_backend *backend, int width, int height, bool has_confidence, sv_output *maps,
                     sv_error *error) {
    const size_t pixels = (size_t)width * (size_t)height, reason = pixels * sizeof(float);
    void *memory = backend->alloc(reason + pixels * (has_confidence ? 2 : 1));
    if (!memory) return sv_fail(error, SV_FAILED, "out of memory for a disparity map of %d x %d pixels", width, height);
    *maps = maps_in(memory, reason, has_confidence ? reason + pixels : 0, width, height, SV_HOST);
    return SV_OK;
}

void maps_free(const sv_backend *backend, sv_output *maps) {
    if (maps->disparity.data) backend->free(maps->disparity.data);
    *maps = (sv_output){0};
}
