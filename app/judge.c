/* Compares the map on the screen with its ground truth. */
#include "app/judge.h"

#include "app/file.h"
#include "app/maps.h"
#include "app/truth.h"

#include <inttypes.h>
#include <stdlib.h>

void judge_free(judge *j) {
    free(j->truth.data);
    maps_free(&sv_cpu, &j->maps);
    *j = (judge){0};
}

static void tell(judge *j, int64_t index, const sv_error *error) {
    if (!j->told) sv_log(SV_LOG_WARNING, "frame %" PRId64 " has no score: %s", index, error->text);
    j->told = true;
}

/* True if there is a truth of the frame, which the view has, too. It is read once, and complained of once. */
static bool has_truth(judge *j, const options *o, view *view, int64_t index) {
    sv_error error;
    if (j->read && (j->frame == index || !file_is_numbered(o->truth))) return j->truth.data;
    free(j->truth.data);
    j->truth = (sv_image){0};
    j->frame = index;
    j->read = true;
    sv_status status = truth_read(o->truth, index, o->truth_scale, &j->truth, &error);
    if (status == SV_OK) status = sv_score_check(&j->maps.disparity, &j->truth, &error);
    if (status == SV_OK) status = view_truth(view, &j->truth, &error);
    if (status == SV_OK) return true;
    tell(j, index, &error);
    free(j->truth.data);
    j->truth = (sv_image){0};
    view_truth(view, NULL, NULL);
    return false;
}

static void count(judge *j) {
    j->errors = (view_errors){0};
    for (int y = 0; y < j->truth.height; y++) {
        const float *d = sv_row(&j->maps.disparity, y), *t = sv_row(&j->truth, y);
        for (int x = 0; x < j->truth.width; x++) j->errors.counts[colour_error_of(d[x], t[x])]++;
    }
}

void judge_map(judge *j, const options *o, view *view, int width, int height, int64_t index) {
    sv_error error;
    sv_status status = SV_OK;
    j->known = false;
    if (!o->truth) return;
    if (!j->maps.disparity.data) status = maps_alloc(&sv_cpu, width, height, &j->maps, &error);
    if (status == SV_OK && !has_truth(j, o, view, index)) return;
    if (status == SV_OK) status = view_read_maps(view, &j->maps.disparity, &j->maps.reason, &error);
    if (status == SV_OK) status = sv_score_map(&j->maps.disparity, &j->truth, &j->score, &error);
    j->known = status == SV_OK;
    if (j->known)
        count(j);
    else
        tell(j, index, &error);
}

const char *judge_describe(const judge *j, char *text, size_t size) {
    const score *s = &j->score;
    if (!j->known) return NULL;
    snprintf(text, size, "density %.1f, bad1 %.1f, bad2 %.1f, bad4 %.1f, D1 %.1f %%, avg %.2f px", s->density, s->bad1,
             s->bad2, s->bad4, s->d1, s->average);
    return text;
}
