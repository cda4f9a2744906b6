/* The function of each method. */
#include "cpu/cpu.h"

sv_status cpu_match(const cpu_job *job, sv_error *error) {
    switch (job->params->method) {
    case SV_SSD: return cpu_match_ssd(job, error);
    case SV_NCC: return cpu_match_ncc(job, error);
    case SV_ZNCC: return cpu_match_zncc(job, error);
    case SV_GFD: return cpu_match_gfd(job, error);
    case SV_SGM: return cpu_match_sgm(job, error);
    default:
        return sv_fail(error, SV_USAGE, "the cpu backend does not have the method %s",
                       sv_method_name(job->params->method));
    }
}
