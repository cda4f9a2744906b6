/* The parameters that the user changes: each method keeps its own, and every change can be undone. */
#ifndef APP_OPTIONS_TUNING_H
#define APP_OPTIONS_TUNING_H

#include "stereo/stereo.h"

enum { TUNING_STEPS = 64 };

typedef struct tuning {
    sv_params now;                                      /* those that are in use */
    sv_params each[SV_METHOD_COUNT];                    /* those that each method was left with */
    sv_params past[TUNING_STEPS], future[TUNING_STEPS]; /* oldest first; next one last */
    int past_count, future_count;
    double changed; /* when, by the clock of the caller */
} tuning;

/* Starts with `params`; what differs from its default applies to every method. */
void tuning_start(tuning *tuning, const sv_params *params);

/* Changes the parameters. `seconds`: a monotonic clock; changes within half a second of each other, as while a slider
 * moves, are one step; a switch of the method is always one. */
void tuning_set(tuning *tuning, const sv_params *params, double seconds);

/* Switches to another method, with the parameters that it was left with, but those of the scene. */
void tuning_set_method(tuning *tuning, int method, double seconds);

/* The method after the one in use, in a circle, without one that lacks its model. */
int tuning_next_method(const tuning *tuning);

/* Takes what belongs to the scene from `params`, which is not a step. */
void tuning_set_scene(tuning *tuning, const sv_params *params);

/* Resets every parameter but those of the scene and the model to its default. */
void tuning_reset(tuning *tuning, double seconds);

/* Undoes the last step, or redoes it. False if there is none. */
bool tuning_undo(tuning *tuning);
bool tuning_redo(tuning *tuning);

#endif
