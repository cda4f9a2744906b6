/* The functions that the parameters choose: those of the prefilter and of the method. */
#include "cpu/cpu.h"

sv_status cpu_prefilter(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error) {
    if (!sv_prefilters(job->params)) return SV_OK;
    return job->params->prefilter == SV_PREFILTER_CONTRAST ? cpu_contrast(job, pictures, buffer, error)
                                                           : cpu_expose(job, pictures, buffer, error);
}

sv_status cpu_match(const cpu_job *job, sv_error *error) {
    static sv_status (*const functions[])(const cpu_job *job, sv_error *error) = {
#define METHOD(NAME, name) [SV_##NAME] = cpu_match_##name,
#include "stereo/methods.def"
    };
    return functions[job->params->method](job, error);
}
