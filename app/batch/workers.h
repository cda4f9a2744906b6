/* Threads that work on one run at the same time, the devices that they use, and their progress. */
#ifndef APP_BATCH_WORKERS_H
#define APP_BATCH_WORKERS_H

#include "base/stats.h"

enum { WORKERS_MAX = 64 };

/* What worker `number`, from 0, does of the run `of`. */
typedef void workers_work(void *of, int number);

/* Calls `work` for each number below `count`, 1 to WORKERS_MAX, at the same time: for 0 in the calling thread, for the
 * others in threads of their own. Returns when all have returned. */
void workers_run(int count, workers_work *work, void *of);

/* Stores the names of the first `count` devices in the statistics, in one line: "NVIDIA H200", "2 x NVIDIA H200", or
 * with a semicolon between those that differ. Leaves what is there if one has no name. */
void workers_name_devices(const sv_backend *backend, int count, stats *stats);

/* Shows "frame 3 of 9, 1.5 a second, 4 s left" on a terminal. `what` is counted; `all`: 0 or less if it is not known;
 * `began`: by sv_seconds. */
void workers_progress(const char *what, int64_t done, int64_t all, double began);

#endif
