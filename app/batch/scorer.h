/* Scores every map of a run against its ground truth, and prints a row for each. */
#ifndef APP_BATCH_SCORER_H
#define APP_BATCH_SCORER_H

#include "capture/pool.h"
#include "map/score.h"

/* The state of a sink (app/play/sinks.h). */
typedef struct scorer {
    const char *pattern; /* as truth_read takes it, as is the scale */
    double scale;
    score_sum sum; /* of the frames so far */
} scorer;

/* Scores the map of a frame, and prints its row to standard output; a scorer's sink_use.
 * Errors: SV_FAILED if the truth cannot be read, has another size, or standard output cannot be written. */
sv_status scorer_use(void *scorer, const frame *left, const sv_output *maps, sv_error *error);

/* Prints the mean, if there is more than one frame. */
void scorer_print_mean(const scorer *scorer);

#endif
