/* Compares every map of a run, A, with that of the second set of parameters, B, and prints a row for each pair. */
#ifndef APP_BATCH_COMPARER_H
#define APP_BATCH_COMPARER_H

#include "capture/pair.h"
#include "map/compare.h"
#include "map/space.h"

enum { COMPARER_COLUMNS = 15 };

typedef struct comparer {
    /* Filled in by the caller. */
    sv_matcher *matcher;             /* of B; borrowed */
    const sv_params *first, *params; /* of A, of B; borrowed */
    space space;                     /* of the maps, and the limits of their depth, to which A is limited already: */
    const space_limits *limits;      /* borrowed */
    sv_output maps;                  /* memory for B's maps, in host memory; borrowed */
    const char *truth;               /* as truth_read takes them; NULL: there is none */
    double truth_scale;

    /* The sums of the rows so far. */
    double sums[COMPARER_COLUMNS];
    int frames;
} comparer;

/* Matches the pair with B's parameters, compares the map with A's, and prints the row to standard output. `pair` has
 * colour if a method needs it; `times`: of A's match.
 * Errors: SV_FAILED if the match fails, the truth cannot be read or has another size, or standard output cannot be
 * written. */
sv_status comparer_use(comparer *comparer, const frame_pair *pair, const sv_output *a, const sv_times *times,
                       sv_error *error);

/* Only matches the pair, for the maps of the frames after it; `times` receives how long that took. Errors: those of
 * sv_submit. */
sv_status comparer_lead(comparer *comparer, const frame_pair *pair, sv_times *times, sv_error *error);

/* Prints the mean, if there is more than one frame. */
void comparer_print_mean(const comparer *comparer);

#endif
