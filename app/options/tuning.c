/* The parameters that the user changes. */
#include "app/options/tuning.h"

#include <math.h>
#include <string.h>

/* Changes at least this far apart, in seconds, are separate steps. */
static const double one_step = 0.5;

void tuning_start(tuning *t, const sv_params *params) {
    *t = (tuning){.now = *params, .changed = -INFINITY};
    for (int i = 0; i < SV_METHOD_COUNT; i++) t->each[i] = sv_with_method(*params, (sv_method)i);
}

/* Appends to a list that is full at TUNING_STEPS, which then loses its oldest entry. */
static void push(sv_params *list, int *count, const sv_params *params) {
    if (*count == TUNING_STEPS) memmove(list, list + 1, sizeof *list * (size_t)-- * count);
    list[(*count)++] = *params;
}

static void take(tuning *t, const sv_params *params) {
    t->now = *params;
    t->each[params->method] = *params;
}

void tuning_set(tuning *t, const sv_params *params, double seconds) {
    if (!memcmp(params, &t->now, sizeof *params)) return;
    const bool switches = t->now.method != params->method; /* always a step of its own */
    if (switches || seconds - t->changed > one_step) push(t->past, &t->past_count, &t->now);
    t->changed = switches ? -INFINITY : seconds;
    t->future_count = 0;
    take(t, params);
}

void tuning_set_method(tuning *t, int method, double seconds) {
    const sv_params params = sv_with_scene(t->each[method], &t->now);
    tuning_set(t, &params, seconds);
}

int tuning_next_method(const tuning *t) {
    int method = t->now.method;
    do method = (method + 1) % SV_METHOD_COUNT;
    while (sv_methods[method].runs_model && !t->each[method].model);
    return method;
}

void tuning_set_scene(tuning *t, const sv_params *params) {
    const sv_params now = sv_with_scene(t->now, params);
    take(t, &now);
}

void tuning_reset(tuning *t, double seconds) {
    sv_params params = sv_with_scene(sv_default_params((sv_method)t->now.method), &t->now);
    if (t->now.model) sv_set(&params, sv_find_parameter("model"), t->now.model);
    tuning_set(t, &params, seconds);
}

/* Makes the last entry of `list` current, and appends what was current to `other`. False if there is none. */
static bool step(tuning *t, sv_params *list, int *count, sv_params *other, int *other_count) {
    if (!*count) return false;
    push(other, other_count, &t->now);
    take(t, &list[--*count]);
    t->changed = -INFINITY;
    return true;
}

bool tuning_undo(tuning *t) { return step(t, t->past, &t->past_count, t->future, &t->future_count); }

bool tuning_redo(tuning *t) { return step(t, t->future, &t->future_count, t->past, &t->past_count); }
