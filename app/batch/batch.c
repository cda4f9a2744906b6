/* --list: matches the pairs of a list. Each device takes the next one in a thread of its own. */
#include "app/batch/batch.h"

#include "app/batch/headless.h"
#include "app/batch/resume.h"
#include "app/batch/workers.h"
#include "app/options/options_check.h"
#include "app/options/pair_list.h"
#include "app/play/overwrite.h"
#include "base/file_name.h"
#include "base/log.h"
#include "base/stop.h"
#include "map/export.h"
#include "stereo/alloc.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct failure {
    int line;
    sv_error why;
} failure;

typedef struct batch {
    const options *options;
    const sv_backend *backend;
    stats *stats;
    pair_list list;
    int64_t first, end; /* the pairs of this program */
    double began;       /* by sv_seconds */

    pthread_mutex_t lock; /* of all that follows */
    int64_t next, done;   /* the pair that is taken next; how many are finished */
    headless_totals totals;
    failure *failures;
    int64_t failed, room; /* how many there are, and have memory */
    sv_status status;     /* other than SV_OK: no more pairs are taken, for this reason */
    sv_error error;
} batch;

/* The options of one pair. */
static options options_of(const batch *b, int device, int64_t index) {
    const listed_pair *pair = &b->list.pairs[index];
    options with = *b->options;
    with.input.left = pair->left;
    with.input.right = pair->right;
    with.output.files[0] = pair->output;
    with.output.count = 1;
    if (pair->calibration) with.rig.calibration = pair->calibration;
    with.run.list = NULL;
    with.run.share = (share){0};
    with.match.device = device;
    with.match.all_devices = false;
    /* resume_begin_list has compared the settings of single files. */
    with.run.resume = b->options->run.resume && file_is_numbered(pair->output);
    return with;
}

static sv_status run_one(const batch *b, int device, int64_t index, headless_totals *totals, sv_error *error) {
    const options with = options_of(b, device, index);
    if (b->options->run.resume && !with.run.resume && resume_has(&with, 0)) {
        totals->there++;
        return SV_OK;
    }
    sv_status status = export_check(with.output.files[0], error);
    if (status == SV_OK) status = options_check(&with, error);
    if (status == SV_OK) status = overwrite_check_place(with.output.files[0], with.input.frames.first, error);
    return status == SV_OK ? headless_match(&with, b->backend, b->stats, totals, error) : status;
}

/* Keeps why a pair failed, for the end. */
static void add_failure(batch *b, int line, const sv_error *why) {
    sv_log(SV_LOG_ERROR, "%s, line %d: %s", b->options->run.list, line, why->text);
    if (b->failed == b->room) {
        b->room = b->room ? 2 * b->room : 16;
        b->failures = sv_realloc(b->failures, (size_t)b->room, sizeof *b->failures);
    }
    b->failures[b->failed++] = (failure){line, *why};
}

/* Takes the next pair. False if there is none. */
static bool take_one(batch *b, int64_t *index) {
    pthread_mutex_lock(&b->lock);
    const bool any = b->status == SV_OK && b->next < b->end;
    if (any) *index = b->next++;
    pthread_mutex_unlock(&b->lock);
    return any;
}

static void finish_one(batch *b, int64_t index, sv_status status, const headless_totals *totals, const sv_error *why) {
    pthread_mutex_lock(&b->lock);
    headless_add(&b->totals, totals);
    if (stop_requested()) {
        b->status = sv_fail(&b->error, SV_FAILED, "interrupted after %" PRId64 " of %" PRId64 " pairs", b->done,
                            b->end - b->first);
    } else {
        b->done++;
        if (status != SV_OK) add_failure(b, b->list.pairs[index].line, why);
        workers_progress("pair", b->done, b->end - b->first, b->began);
    }
    pthread_mutex_unlock(&b->lock);
}

static void work(void *of, int number) {
    batch *b = of;
    const int device = b->options->match.all_devices ? number : b->options->match.device;
    int64_t index;
    while (take_one(b, &index)) {
        headless_totals totals = {0};
        sv_error why;
        const sv_status status = run_one(b, device, index, &totals, &why);
        finish_one(b, index, status, &totals, &why);
    }
}

static sv_status run_all(batch *b, sv_error *error) {
    int64_t count = b->options->match.all_devices ? b->backend->count() : 1;
    if (count > b->end - b->first) count = b->end - b->first;
    if (count > WORKERS_MAX) count = WORKERS_MAX;
    if (count) workers_run((int)count, work, b);
    if (count > 1) workers_name_devices(b->backend, (int)count, b->stats); /* each pair has named its own */
    return b->status == SV_OK ? SV_OK : sv_fail(error, b->status, "%s", b->error.text);
}

static int by_line(const void *a, const void *b) { return ((const failure *)a)->line - ((const failure *)b)->line; }

/* Names the failed pairs again, below everything else, if there is anything else. */
static sv_status report_failures(const batch *b, sv_error *error) {
    qsort(b->failures, (size_t)b->failed, sizeof *b->failures, by_line);
    for (int64_t i = 0; i < b->failed && b->failed < b->done; i++)
        sv_log(SV_LOG_ERROR, "failed: %s, line %d: %s", b->options->run.list, b->failures[i].line,
               b->failures[i].why.text);
    return sv_fail(error, SV_FAILED, "%" PRId64 " of %" PRId64 " pairs failed", b->failed, b->done);
}

sv_status batch_run(const options *o, const sv_backend *backend, stats *stats, sv_error *error) {
    batch b = {.options = o, .backend = backend, .stats = stats, .lock = PTHREAD_MUTEX_INITIALIZER};
    sv_status status = pair_list_read(&b.list, o->run.list, error);
    if (status == SV_OK) status = overwrite_check(o, &b.list, error);
    if (status == SV_OK) {
        b.end = b.list.count;
        share_narrow(&o->run.share, &b.first, &b.end);
        b.next = b.first;
        status = resume_begin_list(o, &b.list, error);
    }
    b.began = sv_seconds();
    if (status == SV_OK) status = run_all(&b, error);
    log_progress(NULL);
    b.totals.prepared = 0; /* which is part of the time of several devices */
    b.totals.seconds = sv_seconds() - b.began;
    if (b.done) headless_report(&b.totals, stats);
    if (status == SV_OK && b.failed) status = report_failures(&b, error);
    free(b.failures);
    pair_list_free(&b.list);
    return status;
}
