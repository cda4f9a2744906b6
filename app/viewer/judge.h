/* Compares the maps on the screen with their ground truth, for the error view and its figures, and A with B where there
 * are two. Nothing waits for it: the truth is read in a thread, and copies of the maps are judged, which arrive a frame
 * or two after these are shown. While maps follow each other faster than that, some are not judged.
 * Thread: main, with the window's context current. */
#ifndef APP_VIEWER_JUDGE_H
#define APP_VIEWER_JUDGE_H

#include "app/options/options.h"
#include "app/viewer/truth_reader.h"
#include "map/compare.h"
#include "map/score.h"
#include "render/view/view.h"

/* What is shown, and judged later: a map, or two of a pair. */
typedef struct judge_case {
    int maps;
    int64_t frame;       /* index of the left frame */
    sv_params params[2]; /* of A, B */
    double ms[2];        /* how long their matches took */
} judge_case;

/* A case that waits for its copy. */
typedef struct judge_turn {
    bool waits;
    judge_case of;
    unsigned long long version; /* of the maps in the view */
    struct judge_truth *truth;  /* NULL: none */
} judge_turn;

/* {0} has no truth. */
typedef struct judge {
    judge_turn next, copied;   /* what is shown; what is being copied */
    truth_reader *reader;      /* NULL: no truth was asked for yet */
    struct judge_truth *truth; /* of the frame with the index `frame`; NULL: none that can be used */
    int64_t frame;
    bool asked;         /* the reader has been asked for it */
    double waits_since; /* since when the reader reads it, by sv_seconds; 0: it does not */
    judge_case shown;   /* what is shown */
    int width, height;  /* of its maps */
    judge_case of;      /* what was judged last; of these maps: */
    score scores[2];    /* of A, B */
    view_errors errors[2];
    bool known;    /* the scores and errors of all of them */
    bool compared; /* there are two, which differ by: */
    comparison comparison;
    bool reported; /* that there is no truth */
} judge;

/* `shown` is what the view shows from now on, maps of width x height pixels. If the options name a truth, it begins to
 * be read, and until it is there the view has none and nothing is known. One that cannot be read, or that has another
 * size, is reported once. */
void judge_show(judge *judge, const options *options, view *view, const judge_case *shown, int width, int height);

/* Passes the truth of what is shown to the view when it has been read. Call it for each frame that is drawn, before
 * judge_waits. */
void judge_take_truth(judge *judge, view *view);

/* Writes "reading the truth, 1.2 s" if that takes long; otherwise NULL. `now`: sv_seconds(). Returns `text`. */
const char *judge_describe_wait(const judge *judge, double now, char *text, size_t size);

/* True if copies of the maps are wanted. */
bool judge_waits(const judge *judge);

/* Judges the newest copies, if they are those that are waited for; NULL: there are none. Call it for each frame that is
 * drawn, after view_copy_maps. True if there are new results. */
bool judge_follow(judge *judge, const view *view, const copied_maps *copies);

/* Writes the scores of A (`which` 0) or B (1) in a line; NULL if they are not known. Returns `text`. */
const char *judge_describe(const judge *judge, int which, char *text, size_t size);

const judge_case *judge_judged(const judge *judge);      /* what was judged last; of it, NULL if that is not known: */
const score *judge_score(const judge *judge, int which); /* of A or B, and its errors */
const view_errors *judge_errors(const judge *judge, int which);
const comparison *judge_comparison(const judge *judge); /* of A and B, if there are two */

bool judge_reads(const judge *judge); /* the truth of what is shown is being read */

void judge_free(judge *judge); /* accepts {0} */

#endif
