/* --list: matches the pairs of a list. */
#ifndef APP_BATCH_BATCH_H
#define APP_BATCH_BATCH_H

#include "app/options/options.h"
#include "base/stats.h"

/* Matches every pair of the list, or those of --shard; with --device all, each device that is free takes the next one.
 * A pair that fails does not stop the others; the log names those that failed at the end. Errors: SV_USAGE if an output
 * is an input or another output; SV_FAILED for the list, or if a pair failed. */
sv_status batch_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error);

#endif
