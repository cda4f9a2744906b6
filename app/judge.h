/* Compares the maps on the screen with their ground truth, for the error view and its figures, and A with B where there
 * are two.
 * Thread: main, with the window's context current. */
#ifndef APP_JUDGE_H
#define APP_JUDGE_H

#include "app/compare.h"
#include "app/options.h"
#include "app/score.h"
#include "render/view.h"

/* One map. */
typedef struct judged {
    sv_output maps; /* memory for it */
    score score;
    view_errors errors;
} judged;

/* {0} has no truth. */
typedef struct judge {
    sv_image truth; /* of the frame with the index `frame`; no data: none that can be used */
    int64_t frame;
    bool read;      /* the two before are valid */
    judged each[2]; /* A, B */
    bool known;     /* the scores and errors of all maps that there are */
    bool compared;  /* there are two, which differ by: */
    comparison comparison;
    bool told; /* that there is no truth */
} judge;

/* Judges the maps of the frame `index` that `view` shows, one or two: against each other, and against the truth if the
 * options name one, which the view gets, too. A truth that cannot be read, or that has another size, is reported once,
 * and nothing is known then. */
void judge_maps(judge *judge, const options *options, view *view, int maps, int width, int height, int64_t index);

/* Writes the scores of A (`which` 0) or B (1) in a line; NULL if they are not known. Returns `text`. */
const char *judge_describe(const judge *judge, int which, char *text, size_t size);

void judge_free(judge *judge); /* accepts {0} */

#endif
