/* Compares the map on the screen with its ground truth, for the error view and its figures.
 * Thread: main, with the window's context current. */
#ifndef APP_JUDGE_H
#define APP_JUDGE_H

#include "app/options.h"
#include "app/score.h"
#include "render/view.h"

/* {0} has no truth. */
typedef struct judge {
    sv_image truth; /* of the frame with the index `frame`; no data: none that can be used */
    int64_t frame;
    bool read;      /* the two before are valid */
    sv_output maps; /* memory for the map */
    score score;    /* valid if `known`, as is what follows */
    view_errors errors;
    bool known;
    bool told; /* that there is no truth */
} judge;

/* Judges the map of the frame `index`, which `view` shows, if the options name a truth, and passes the truth to the
 * view. A truth that cannot be read, or that has another size, is reported once, and nothing is known then. */
void judge_map(judge *judge, const options *options, view *view, int width, int height, int64_t index);

/* Writes the figures in a line; NULL if they are not known. Returns `text`. */
const char *judge_describe(const judge *judge, char *text, size_t size);

void judge_free(judge *judge);

#endif
