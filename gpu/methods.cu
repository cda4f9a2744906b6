/* The function of each method. */
#include "gpu/cuda.cuh"

sv_status gpu_match(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                    sv_error *error) {
    switch (params->method) {
    case SV_SSD: return gpu_ssd(context, pair, params, maps, error);
    case SV_NCC: return gpu_ncc(context, pair, params, maps, error);
    case SV_ZNCC: return gpu_zncc(context, pair, params, maps, error);
    case SV_GFD: return gpu_gfd(context, pair, params, maps, error);
    case SV_SGM: return gpu_sgm(context, pair, params, maps, error);
    default: return sv_fail(error, SV_USAGE, "the cuda backend has no method %s", sv_method_name(params->method));
    }
}
