/* Compares copies of the maps on the screen with their ground truth, and with each other. */
#include "app/judge.h"

#include "app/file.h"
#include "app/truth.h"

#include <inttypes.h>
#include <stdlib.h>

static void release(judge_truth *truth) {
    if (!truth || --truth->users) return;
    free(truth->image.data);
    free(truth);
}

static void drop(judge_turn *turn) {
    release(turn->truth);
    *turn = (judge_turn){.waits = false};
}

void judge_free(judge *j) {
    drop(&j->next);
    drop(&j->copied);
    release(j->truth);
    *j = (judge){.known = false};
}

static void tell(judge *j, int64_t index, const sv_error *error) {
    if (!j->told) sv_log(SV_LOG_WARNING, "frame %" PRId64 " has no score: %s", index, error->text);
    j->told = true;
}

static sv_status read_truth(judge *j, const options *o, view *view, int64_t index, int width, int height,
                            sv_error *error) {
    const sv_image map = {.width = width, .height = height};
    judge_truth *truth = calloc(1, sizeof *truth);
    if (!truth) return sv_fail(error, SV_FAILED, "out of memory for the truth");
    truth->users = 1;
    sv_status status = truth_read(o->truth, index, o->truth_scale, &truth->image, error);
    if (status == SV_OK) status = sv_score_check(&map, &truth->image, error);
    if (status == SV_OK) status = view_truth(view, &truth->image, error);
    if (status == SV_OK)
        j->truth = truth;
    else
        release(truth);
    return status;
}

/* Reads the truth of a frame, once, and complains of it once. */
static void find_truth(judge *j, const options *o, view *view, int64_t index, int width, int height) {
    sv_error error;
    if (!o->truth || (j->read && (j->frame == index || !file_is_numbered(o->truth)))) return;
    release(j->truth);
    j->truth = NULL;
    j->frame = index;
    j->read = true;
    if (read_truth(j, o, view, index, width, height, &error) == SV_OK) return;
    tell(j, index, &error);
    view_truth(view, NULL, NULL);
}

void judge_show(judge *j, const options *o, view *view, const judge_case *shown, int width, int height) {
    find_truth(j, o, view, shown->frame, width, height);
    drop(&j->next);
    if (!j->truth && shown->maps < 2) {
        drop(&j->copied); /* of a map that is gone */
        j->known = j->compared = false;
        return;
    }
    if (j->truth) j->truth->users++;
    j->next = (judge_turn){.waits = true, .of = *shown, .version = view_map_version(view), .truth = j->truth};
}

bool judge_waits(const judge *j) { return j->next.waits || j->copied.waits; }

static void count(judged *of, const sv_image *disparity, const sv_image *truth) {
    of->errors = (view_errors){0};
    for (int y = 0; y < truth->height; y++) {
        const float *d = sv_row(disparity, y), *t = sv_row(truth, y);
        for (int x = 0; x < truth->width; x++) of->errors.counts[colour_error_of(d[x], t[x])]++;
    }
}

static void judge_copies(judge *j, const judge_turn *turn, const copied_maps *copies) {
    const copied_map *maps = copies->maps;
    const int count_of_maps = turn->of.maps;
    sv_error error;
    sv_status status = SV_OK;
    j->of = turn->of;
    j->compared =
        count_of_maps == 2 && compare_maps(&maps[0].disparity, &maps[1].disparity, &j->comparison, &error) == SV_OK;
    j->known = turn->truth;
    for (int i = 0; i < count_of_maps && j->known; i++) {
        const sv_image *truth = &turn->truth->image;
        status = sv_score_map(&maps[i].disparity, truth, &j->each[i].score, &error);
        if (status == SV_OK) count(&j->each[i], &maps[i].disparity, truth);
        j->known = status == SV_OK;
    }
    if (status != SV_OK) tell(j, turn->of.frame, &error);
}

bool judge_follow(judge *j, const view *view, const copied_maps *copies) {
    judge_turn *c = &j->copied;
    const bool arrived = c->waits && copies && copies->maps[0].version == c->version && copies->count >= c->of.maps;
    if (arrived) {
        judge_copies(j, c, copies);
        drop(c);
    }
    if (j->next.waits && view_copies_map(view, j->next.version)) {
        drop(c);
        *c = j->next;
        j->next = (judge_turn){.waits = false};
    }
    return arrived;
}

const char *judge_describe(const judge *j, int which, char *text, size_t size) {
    const score *s = &j->each[which].score;
    if (!j->known) return NULL;
    snprintf(text, size, "density %.1f, bad1 %.1f, bad2 %.1f, bad4 %.1f, D1 %.1f %%, avg %.2f px", s->density, s->bad1,
             s->bad2, s->bad4, s->d1, s->average);
    return text;
}
