/* Scores every map of a run against its ground truth. */
#include "app/batch/scorer.h"

#include "base/file.h"
#include "base/log.h"
#include "map/truth.h"

#include <inttypes.h>
#include <stdlib.h>

sv_status scorer_use(void *of, const frame *left, const sv_output *maps, sv_error *error) {
    scorer *s = of;
    char name[32];
    sv_image truth;
    score figures;
    sv_status status = truth_read(s->pattern, left->index, s->scale, &truth, error);
    if (status != SV_OK) return status;
    status = truth_check(s->pattern, left->index, &maps->disparity, &truth, error);
    if (status == SV_OK) status = sv_score_map(&maps->disparity, &truth, &figures, error);
    free(truth.data);
    if (status != SV_OK) return status;
    log_progress(NULL); /* standard output may be the same terminal */
    if (!s->sum.frames) score_print_header(stdout);
    snprintf(name, sizeof name, "%06" PRId64, left->index);
    score_print(stdout, name, &figures);
    if (fflush(stdout)) return file_failed("write", "standard output", error);
    score_add(&s->sum, &figures);
    return SV_OK;
}

void scorer_print_mean(const scorer *s) {
    const score mean = score_mean(&s->sum);
    char name[32];
    if (s->sum.frames < 2) return;
    snprintf(name, sizeof name, "mean of %d", s->sum.frames);
    score_print(stdout, name, &mean);
}
