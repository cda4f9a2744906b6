/* The parameters in the window. */
#include "app/viewer/viewer_tuner.h"

#include <string.h>

static tuning *edited(viewer_tuner *t) { return &t->sets[t->edited]; }

void viewer_tuner_start(viewer_tuner *t, const sv_params *a, panel_params *shown) {
    *t = (viewer_tuner){.shown = shown};
    tuning_start(&t->sets[0], a);
    viewer_tuner_edit(t, 0);
}

const sv_params *viewer_tuner_of(const viewer_tuner *t, int which) { return &t->sets[which].now; }

const sv_params *viewer_tuner_edited(const viewer_tuner *t) { return &t->sets[t->edited].now; }

/* Notes whether the set that is edited differs from what it was. */
static void note(viewer_tuner *t, const sv_params *before) {
    t->changed |= memcmp(before, &edited(t)->now, sizeof *before) != 0;
}

void viewer_tuner_set(viewer_tuner *t, const sv_params *params) {
    const sv_params before = edited(t)->now;
    tuning_set(edited(t), params, sv_seconds());
    note(t, &before);
}

int viewer_tuner_next_method(const viewer_tuner *t) { return tuning_next_method(&t->sets[t->edited]); }

void viewer_tuner_set_method(viewer_tuner *t, int method) {
    const sv_params before = edited(t)->now;
    tuning_set_method(edited(t), method, sv_seconds());
    note(t, &before);
}

void viewer_tuner_reset(viewer_tuner *t) {
    const sv_params before = edited(t)->now;
    tuning_reset(edited(t), sv_seconds());
    note(t, &before);
}

bool viewer_tuner_step(viewer_tuner *t, bool back) {
    const sv_params before = edited(t)->now;
    const bool done = back ? tuning_undo(edited(t)) : tuning_redo(edited(t));
    note(t, &before);
    return done;
}

void viewer_tuner_follow_panel(viewer_tuner *t) {
    if (t->shown->wants) viewer_tuner_set(t, &t->shown->wanted);
    t->shown->wants = false;
}

int viewer_tuner_chosen(const viewer_tuner *t) { return t->shown->method; }

void viewer_tuner_set_range(viewer_tuner *t, const sv_params *found) {
    const sv_params before = edited(t)->now;
    sv_params params = before;
    if (sv_range_is_chosen(&before)) return;
    sv_set_found_range(&params, found->min_disparity, found->max_disparity);
    tuning_set_scene(edited(t), &params);
    note(t, &before);
}

void viewer_tuner_replace(viewer_tuner *t, const sv_params *a) {
    viewer_tuner_edit(t, 0);
    viewer_tuner_set_method(t, a->method);
    viewer_tuner_set(t, a);
}

void viewer_tuner_begin_second(viewer_tuner *t, const sv_params *b) {
    if (b || !t->begun) tuning_start(&t->sets[1], b ? b : &t->sets[0].now);
    t->begun = t->compares = t->changed = true;
}

void viewer_tuner_end_second(viewer_tuner *t) {
    t->compares = false;
    viewer_tuner_edit(t, 0);
}

bool viewer_tuner_compares(const viewer_tuner *t) { return t->compares; }

void viewer_tuner_edit(viewer_tuner *t, int which) {
    t->edited = which;
    t->shown->now = &t->sets[which].now;
}

bool viewer_tuner_take_change(viewer_tuner *t) {
    const bool changed = t->changed;
    t->changed = false;
    if (changed && t->begun) tuning_set_scene(&t->sets[!t->edited], &edited(t)->now);
    return changed;
}
