/* Compares the maps on the screen with their ground truth, and with each other. */
#include "app/judge.h"

#include "app/file.h"
#include "app/maps.h"
#include "app/truth.h"

#include <inttypes.h>
#include <stdlib.h>

void judge_free(judge *j) {
    free(j->truth.data);
    for (int i = 0; i < 2; i++) maps_free(&sv_cpu, &j->each[i].maps);
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
    if (status == SV_OK) status = sv_score_check(&j->each[0].maps.disparity, &j->truth, &error);
    if (status == SV_OK) status = view_truth(view, &j->truth, &error);
    if (status == SV_OK) return true;
    tell(j, index, &error);
    free(j->truth.data);
    j->truth = (sv_image){0};
    view_truth(view, NULL, NULL);
    return false;
}

static void count(judged *of, const sv_image *truth) {
    of->errors = (view_errors){0};
    for (int y = 0; y < truth->height; y++) {
        const float *d = sv_row(&of->maps.disparity, y), *t = sv_row(truth, y);
        for (int x = 0; x < truth->width; x++) of->errors.counts[colour_error_of(d[x], t[x])]++;
    }
}

/* Reads the map of the view. */
static sv_status read_map(judge *j, view *view, int which, int width, int height, sv_error *error) {
    sv_output *maps = &j->each[which].maps;
    sv_status status = maps->disparity.data ? SV_OK : maps_alloc(&sv_cpu, width, height, maps, error);
    return status == SV_OK ? view_read_maps(view, which, &maps->disparity, &maps->reason, error) : status;
}

void judge_maps(judge *j, const options *o, view *view, int maps, int width, int height, int64_t index) {
    sv_error error;
    sv_status status = SV_OK;
    j->known = j->compared = false;
    if (!o->truth && maps < 2) return;
    for (int i = 0; i < maps && status == SV_OK; i++) status = read_map(j, view, i, width, height, &error);
    if (status == SV_OK && maps == 2)
        status = compare_maps(&j->each[0].maps.disparity, &j->each[1].maps.disparity, &j->comparison, &error);
    j->compared = status == SV_OK && maps == 2;
    if (status == SV_OK && (!o->truth || !has_truth(j, o, view, index))) return;
    for (int i = 0; i < maps && status == SV_OK; i++) {
        status = sv_score_map(&j->each[i].maps.disparity, &j->truth, &j->each[i].score, &error);
        if (status == SV_OK) count(&j->each[i], &j->truth);
    }
    j->known = status == SV_OK;
    if (!j->known) tell(j, index, &error);
}

const char *judge_describe(const judge *j, int which, char *text, size_t size) {
    const score *s = &j->each[which].score;
    if (!j->known) return NULL;
    snprintf(text, size, "density %.1f, bad1 %.1f, bad2 %.1f, bad4 %.1f, D1 %.1f %%, avg %.2f px", s->density, s->bad1,
             s->bad2, s->bad4, s->d1, s->average);
    return text;
}
