/* The parameters in the window. */
#include "app/viewer/viewer_tuner.h"

#include <string.h>

static tuning *edited(viewer_tuner *t) { return &t->sets[t->edited]; }

void viewer_tuner_start(viewer_tuner *t, const sv_params *a, panel_params *shown) {
    *t = (viewer_tuner){.shown = shown, .taken = {*a}};
    tuning_start(&t->sets[0], a);
    viewer_tuner_edit(t, 0);
}

const sv_params *viewer_tuner_of(const viewer_tuner *t, int which) { return &t->sets[which].now; }

const sv_params *viewer_tuner_edited(const viewer_tuner *t) { return &t->sets[t->edited].now; }

void viewer_tuner_set(viewer_tuner *t, const sv_params *params) { tuning_set(edited(t), params, sv_seconds()); }

int viewer_tuner_next_method(const viewer_tuner *t) { return tuning_next_method(&t->sets[t->edited]); }

void viewer_tuner_set_method(viewer_tuner *t, int method) { tuning_set_method(edited(t), method, sv_seconds()); }

void viewer_tuner_reset(viewer_tuner *t) { tuning_reset(edited(t), sv_seconds()); }

bool viewer_tuner_step(viewer_tuner *t, bool back) { return back ? tuning_undo(edited(t)) : tuning_redo(edited(t)); }

void viewer_tuner_follow_panel(viewer_tuner *t) {
    if (t->shown->wants) viewer_tuner_set(t, &t->shown->wanted);
    t->shown->wants = false;
}

int viewer_tuner_chosen(const viewer_tuner *t) { return t->shown->method; }

void viewer_tuner_set_range(viewer_tuner *t, const sv_params *found) {
    sv_params params = edited(t)->now;
    if (sv_range_is_chosen(&params)) return;
    sv_set_found_range(&params, found->min_disparity, found->max_disparity);
    tuning_set_scene(edited(t), &params);
}

void viewer_tuner_replace(viewer_tuner *t, const sv_params *a) {
    viewer_tuner_edit(t, 0);
    viewer_tuner_set_method(t, a->method);
    viewer_tuner_set(t, a);
}

void viewer_tuner_begin_second(viewer_tuner *t, const sv_params *b) {
    if (b || !t->begun) tuning_start(&t->sets[1], b ? b : &t->sets[0].now);
    t->begun = t->compares = t->again = true;
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
    bool changed = t->again;
    for (int i = 0; i < 2; i++) changed |= memcmp(&t->sets[i].now, &t->taken[i], sizeof t->taken[i]) != 0;
    if (changed && t->begun) tuning_set_scene(&t->sets[!t->edited], &edited(t)->now);
    for (int i = 0; i < 2; i++) t->taken[i] = t->sets[i].now;
    t->again = false;
    return changed;
}
