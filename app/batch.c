/* --list: matches the pairs of a list, one after the other. */
#include "app/batch.h"

#include "app/export.h"
#include "app/file.h"
#include "app/headless.h"
#include "app/log.h"
#include "app/options_check.h"
#include "app/overwrite.h"
#include "app/pair_list.h"
#include "app/resume.h"
#include "app/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

typedef struct failure {
    int line;
    sv_error why;
} failure;

typedef struct batch {
    const options *options;
    pair_list list;
    int64_t first, end; /* the pairs of this program */
    int64_t done;
    headless_totals totals;
    failure *failures;
    int64_t failed, room; /* how many there are, and have memory */
    double began, told;   /* by sv_seconds */
} batch;

/* The options of one pair. */
static options options_of(const batch *b, int64_t index) {
    const listed_pair *pair = &b->list.pairs[index];
    options with = *b->options;
    with.left = pair->left;
    with.right = pair->right;
    with.outputs[0] = pair->output;
    with.output_count = 1;
    if (pair->calibration) with.calibration = pair->calibration;
    with.list = NULL;
    with.share = (share){0};
    /* resume_begin_list has compared the settings of single files. */
    with.resume = b->options->resume && file_is_numbered(pair->output);
    return with;
}

/* Shows the progress, twice a second. */
static void tell_progress(batch *b) {
    const double now = sv_seconds(), rate = (double)b->done / fmax(now - b->began, 1e-9);
    char line[160];
    if (now - b->told < 0.5) return;
    b->told = now;
    snprintf(line, sizeof line, "pair %" PRId64 " of %" PRId64 ", %.1f a second, %.0f s left", b->done,
             b->end - b->first, rate, ceil((double)(b->end - b->first - b->done) / rate));
    log_progress(line);
}

static sv_status run_one(batch *b, const sv_backend *backend, stats *stats, int64_t index, sv_error *error) {
    const options with = options_of(b, index);
    if (b->options->resume && !with.resume && resume_has(&with, 0)) {
        b->totals.there++;
        return SV_OK;
    }
    sv_status status = export_check(with.outputs[0], error);
    if (status == SV_OK) status = options_check(&with, error);
    return status == SV_OK ? headless_match(&with, backend, stats, &b->totals, error) : status;
}

/* Keeps why a pair failed, for the end. */
static sv_status add_failure(batch *b, int line, const sv_error *why, sv_error *error) {
    sv_log(SV_LOG_ERROR, "%s, line %d: %s", b->options->list, line, why->text);
    if (b->failed == b->room) {
        const int64_t room = b->room ? 2 * b->room : 16;
        failure *more = realloc(b->failures, (size_t)room * sizeof *more);
        if (!more) return sv_fail(error, SV_FAILED, "out of memory for what failed");
        b->failures = more;
        b->room = room;
    }
    b->failures[b->failed++] = (failure){line, *why};
    return SV_OK;
}

static sv_status run_all(batch *b, const sv_backend *backend, stats *stats, sv_error *error) {
    sv_error why;
    for (int64_t i = b->first; i < b->end; i++) {
        const sv_status status = run_one(b, backend, stats, i, &why);
        if (stop_requested())
            return sv_fail(error, SV_FAILED, "interrupted after %" PRId64 " of %" PRId64 " pairs", b->done,
                           b->end - b->first);
        b->done++;
        if (status != SV_OK && add_failure(b, b->list.pairs[i].line, &why, error) != SV_OK) return SV_FAILED;
        tell_progress(b);
    }
    return SV_OK;
}

/* Names the pairs that failed once more, below everything else. */
static sv_status report_failures(const batch *b, sv_error *error) {
    for (int64_t i = 0; i < b->failed; i++)
        sv_log(SV_LOG_ERROR, "failed: %s, line %d: %s", b->options->list, b->failures[i].line, b->failures[i].why.text);
    return sv_fail(error, SV_FAILED, "%" PRId64 " of %" PRId64 " pairs failed", b->failed, b->done);
}

sv_status batch_run(const options *o, const sv_backend *backend, stats *stats, sv_error *error) {
    batch b = {.options = o};
    sv_status status = pair_list_read(&b.list, o->list, error);
    if (status == SV_OK) status = overwrite_check_list(o, &b.list, error);
    if (status == SV_OK) {
        b.end = b.list.count;
        share_narrow(&o->share, &b.first, &b.end);
        status = resume_begin_list(o, &b.list, error);
    }
    b.began = b.told = sv_seconds();
    if (status == SV_OK) status = run_all(&b, backend, stats, error);
    log_progress(NULL);
    b.totals.seconds = sv_seconds() - b.began;
    if (b.done) headless_report(&b.totals);
    if (status == SV_OK && b.failed) status = report_failures(&b, error);
    free(b.failures);
    pair_list_free(&b.list);
    return status;
}
