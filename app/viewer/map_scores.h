/* Compares the maps on the screen with their ground truth, for the error view and its figures, and A with B where there
 * are two. Nothing waits for it: the truth is read in a thread, and copies of the maps are scored, which arrive a frame
 * or two after these are shown. While maps follow each other faster than that, some are not scored.
 * Thread: main, with the window's context current. */
#ifndef APP_VIEWER_MAP_SCORES_H
#define APP_VIEWER_MAP_SCORES_H

#include "app/options/options.h"
#include "app/viewer/truth_reader.h"
#include "map/compare.h"
#include "map/score.h"
#include "render/view/view.h"

/* What is shown, and scored later: a map, or two of a pair. */
typedef struct map_scores_case {
    int maps;
    int64_t frame;       /* index of the left frame */
    sv_params params[2]; /* of A, B */
    double ms[2];        /* how long their matches took */
} map_scores_case;

/* A case that waits for its copy. */
typedef struct map_scores_turn {
    bool waits;
    map_scores_case of;
    unsigned long long version;     /* of the maps in the view */
    struct map_scores_truth *truth; /* NULL: none */
} map_scores_turn;

/* {0} has no truth. */
typedef struct map_scores {
    map_scores_turn next, copied;   /* what is shown; what is being copied */
    truth_reader *reader;           /* NULL: no truth was requested yet */
    struct map_scores_truth *truth; /* of the frame with the index `frame`; NULL: none that can be used */
    int64_t frame;
    bool asked;            /* it has been requested from the reader */
    double waits_since;    /* since when the reader reads it, by sv_seconds; 0: it does not */
    map_scores_case shown; /* what is shown */
    int width, height;     /* of its maps */
    map_scores_case of;    /* what was scored last; of these maps: */
    score scores[2];       /* of A, B */
    view_errors errors[2];
    bool known, compared; /* the scores and errors of all of them; there are two, which differ by: */
    comparison comparison;
    bool reported; /* that there is no truth */
} map_scores;

/* `shown` is on the screen from now on, maps of width x height pixels. Starts reading the truth if `output` names
 * one; until it is read, nothing is known. A truth that cannot be read, or that has another size, is reported once. */
void map_scores_show(map_scores *scores, const output_options *output, view *view, const map_scores_case *shown,
                     int width, int height);

/* Passes the truth to the view once it has been read. Call it for each frame that is drawn, before map_scores_waits. */
void map_scores_take_truth(map_scores *scores, view *view);

/* Writes "reading the truth, 1.2 s" if that takes long; otherwise NULL. `now`: sv_seconds(). Returns `text`. */
const char *map_scores_describe_wait(const map_scores *scores, double now, char *text, size_t size);

/* True if copies of the maps are wanted. */
bool map_scores_waits(const map_scores *scores);

/* Scores the newest copies, if they are those that are waited for; NULL: there are none. Call it for each frame that is
 * drawn, after view_copy_maps. True if there are new results. */
bool map_scores_follow(map_scores *scores, const view *view, const copied_maps *copies);

/* Writes the scores of A (`which` 0) or B (1) in a line; NULL if they are not known. Returns `text`. */
const char *map_scores_describe(const map_scores *scores, int which, char *text, size_t size);

/* The scores and the errors of A (`which` 0) or B (1) of what was scored last, NULL while they are not known. */
const score *map_scores_score(const map_scores *scores, int which);
const view_errors *map_scores_errors(const map_scores *scores, int which);
double map_scores_truth_at(const map_scores *scores, int x, int y); /* at a pixel; NAN: not known */

void map_scores_free(map_scores *scores); /* accepts {0} */

#endif
