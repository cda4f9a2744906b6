/* Compares copies of the maps on the screen with their ground truth, and with each other. */
#include "app/viewer/map_scores.h"

#include "base/file_name.h"
#include "render/window/window.h"
#include "stereo/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The truth of a frame, and how many hold it. */
typedef struct map_scores_truth {
    sv_image image;
    int users;
} map_scores_truth;

static void release(map_scores_truth *truth) {
    if (!truth || --truth->users) return;
    free(truth->image.data);
    free(truth);
}

static void drop(map_scores_turn *turn) {
    release(turn->truth);
    *turn = (map_scores_turn){.waits = false};
}

void map_scores_free(map_scores *j) {
    drop(&j->next);
    drop(&j->copied);
    release(j->truth);
    truth_reader_close(j->reader);
    *j = (map_scores){.known = false};
}

static void report(map_scores *j, int64_t index, const sv_error *error) {
    if (!j->reported) sv_log(SV_LOG_WARNING, "frame %" PRId64 " has no score: %s", index, error->text);
    j->reported = true;
}

/* Passes the truth that was read to the view and to those that score. */
static sv_status use_truth(map_scores *j, view *view, sv_image *image, sv_error *error) {
    const sv_image map = {.width = j->width, .height = j->height};
    sv_status status = sv_score_check(&map, image, error);
    if (status == SV_OK) status = view_truth(view, image, error);
    if (status != SV_OK) {
        free(image->data);
        return status;
    }
    j->truth = sv_alloc(1, sizeof *j->truth);
    *j->truth = (map_scores_truth){.image = *image, .users = 1};
    return SV_OK;
}

/* Scores what is shown when its copy arrives, if there is anything to compare it with. */
static void begin_turn(map_scores *j, const view *view) {
    drop(&j->next);
    if (!j->truth && j->shown.maps < 2) {
        drop(&j->copied); /* of a map that is gone */
        j->known = j->compared = false;
        return;
    }
    if (j->truth) j->truth->users++;
    j->next = (map_scores_turn){.waits = true, .of = j->shown, .version = view_map_version(view), .truth = j->truth};
}

/* True if the truth of what is shown has been read, and can be used. */
static bool take_truth(map_scores *j, view *view) {
    sv_image image;
    sv_status status;
    sv_error error;
    if (j->waits_since <= 0 || !truth_reader_take(j->reader, &status, &image, &error)) return false;
    j->waits_since = 0;
    if (status == SV_OK) status = use_truth(j, view, &image, &error);
    if (status == SV_OK) return true;
    report(j, j->frame, &error);
    view_truth(view, NULL, NULL);
    return false;
}

void map_scores_take_truth(map_scores *j, view *view) {
    if (take_truth(j, view)) begin_turn(j, view);
}

/* Begins to read the truth of what is shown, unless that was done. */
static void ask_for_truth(map_scores *j, const output_options *o) {
    if (!o->truth || (j->asked && (j->frame == j->shown.frame || !file_is_numbered(o->truth)))) return;
    if (!j->reader) j->reader = truth_reader_open(o->truth, o->truth_scale, window_wake);
    release(j->truth);
    j->truth = NULL;
    j->frame = j->shown.frame;
    j->asked = true;
    j->waits_since = sv_seconds();
    truth_reader_ask(j->reader, j->frame);
}

void map_scores_show(map_scores *j, const output_options *o, view *view, const map_scores_case *shown, int width,
                     int height) {
    j->shown = *shown;
    j->width = width;
    j->height = height;
    ask_for_truth(j, o);
    take_truth(j, view); /* it may have been read ahead */
    begin_turn(j, view);
    if (j->waits_since > 0) view_truth(view, NULL, NULL);
}

const char *map_scores_describe_wait(const map_scores *j, double now, char *text, size_t size) {
    static const double worth_reporting = 0.3; /* seconds */
    if (j->waits_since <= 0 || now - j->waits_since < worth_reporting) return NULL;
    snprintf(text, size, "reading ground truth, %.1f s", now - j->waits_since);
    return text;
}

double map_scores_truth_at(const map_scores *j, int x, int y) {
    if (!j->truth || j->waits_since > 0) return NAN;
    const float truth = ((const float *)sv_row(&j->truth->image, y))[x];
    return isfinite(truth) ? (double)truth : NAN;
}

bool map_scores_waits(const map_scores *j) { return j->next.waits || j->copied.waits; }

static void count(view_errors *errors, const sv_image *disparity, const sv_image *truth) {
    *errors = (view_errors){0};
    for (int y = 0; y < truth->height; y++) {
        const float *d = sv_row(disparity, y), *t = sv_row(truth, y);
        for (int x = 0; x < truth->width; x++) errors->counts[colour_error_of(d[x], t[x])]++;
    }
}

static void map_scores_copies(map_scores *j, const map_scores_turn *turn, const copied_maps *copies) {
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
        status = sv_score_map(&maps[i].disparity, truth, &j->scores[i], &error);
        if (status == SV_OK) count(&j->errors[i], &maps[i].disparity, truth);
        j->known = status == SV_OK;
    }
    if (status != SV_OK) report(j, turn->of.frame, &error);
}

bool map_scores_follow(map_scores *j, const view *view, const copied_maps *copies) {
    map_scores_turn *c = &j->copied;
    const bool arrived = c->waits && copies && copies->maps[0].version == c->version && copies->count >= c->of.maps;
    if (arrived) {
        map_scores_copies(j, c, copies);
        drop(c);
    }
    if (j->next.waits && view_copies_map(view, j->next.version)) {
        drop(c);
        *c = j->next;
        j->next = (map_scores_turn){.waits = false};
    }
    return arrived;
}

const char *map_scores_describe(const map_scores *j, int which, char *text, size_t size) {
    const score *s = &j->scores[which];
    if (!j->known) return NULL;
    snprintf(text, size, "density %.1f, bad1 %.1f, bad2 %.1f, bad4 %.1f, D1 %.1f %%, avg %.2f px", s->density, s->bad1,
             s->bad2, s->bad4, s->d1, s->average);
    return text;
}

static bool is_known(const map_scores *j, int which) { return j->known && which < j->of.maps; }

const score *map_scores_score(const map_scores *j, int which) { return is_known(j, which) ? &j->scores[which] : NULL; }

const view_errors *map_scores_errors(const map_scores *j, int which) {
    return is_known(j, which) ? &j->errors[which] : NULL;
}
