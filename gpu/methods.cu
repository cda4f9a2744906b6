/* The function of each method. */
#include "gpu/cuda.cuh"

sv_status gpu_match(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                    sv_error *error) {
    static gpu_method *const functions[] = {
#define METHOD(NAME, name)        gpu_##name,
#define METHOD_ON_CPU(NAME, name) NULL,
#include "stereo/methods.def"
    };
    gpu_method *const function = functions[params->method];
    return function ? function(context, pair, params, maps, error)
                    : sv_fail(error, SV_USAGE, "the cuda backend has no method %s", sv_method_name(params->method));
}
