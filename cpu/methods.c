/* The function of each method. */
#include "cpu/cpu.h"

sv_status cpu_match(const cpu_job *job, sv_error *error) {
    static sv_status (*const functions[])(const cpu_job *job, sv_error *error) = {
#define METHOD(NAME, name) [SV_##NAME] = cpu_match_##name,
#include "stereo/methods.def"
    };
    return functions[job->params->method](job, error);
}
