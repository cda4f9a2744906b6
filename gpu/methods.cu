/* The function of each method. */
#include "gpu/cuda.cuh"

sv_status gpu_match(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                    sv_error *error) {
    static gpu_method *const functions[] = {
#define METHOD(NAME, name) gpu_##name,
#include "stereo/methods.def"
    };
    return functions[params->method](context, pair, params, maps, error);
}
