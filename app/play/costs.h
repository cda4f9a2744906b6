/* The costs of a pixel and of all winners, on request: a thread of its own matches the pair again on the CPU, whose
 * maps equal those of every backend.
 * Thread: one, for all functions. */
#ifndef APP_PLAY_COSTS_H
#define APP_PLAY_COSTS_H

#include "capture/pair.h"
#include "stereo/costs.h"
#include "stereo/rig.h"

/* What is asked for. */
typedef struct costs_question {
    int64_t frame; /* of the pair */
    sv_params params;
    bool second;  /* of B, where two sets are compared */
    int x, y;     /* the pixel; x -1: none */
    bool winners; /* the costs of all winners, too */
} costs_question;

/* An answer; the pictures and costs stay until the next call of costs_latest. */
typedef struct costs_answer {
    costs_question question;
    const sv_costs *pixel;   /* NULL: none was asked for */
    const sv_image *winners; /* SV_FLOAT32, dense, +INFINITY where there is none; NULL: not asked for */
    unsigned number;         /* of this answer, from 1 on */
} costs_answer;

typedef struct costs costs;

/* For pictures of width x height pixels, with the rectification of the matcher, which is borrowed until costs_close
 * (empty or NULL: none). */
costs *costs_open(int width, int height, const sv_rectification *rectification);

/* Asks about a pair. A question waits while an earlier one is answered, and a newer one replaces it. Repeating the last
 * one does nothing. The thread calls `news` with each answer. */
void costs_ask(costs *costs, const costs_question *question, const frame_pair *pair, void (*news)(void));

/* The newest answer; NULL if there is none. Errors are logged once. */
const costs_answer *costs_latest(costs *costs);

/* How the costs differ from those of the map of this frame with these parameters: "of frame 3", "of other parameters",
 * in `text`; NULL if they do not. */
const char *costs_describe_age(const costs_question *of, int64_t frame, const sv_params *params, char *text,
                               size_t size);

void costs_close(costs *costs); /* cancels the match under way; accepts NULL */

#endif
