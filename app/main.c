/* stereoview: from the command line to a run, with a window or without. The only caller of exit. */
#include "app/batch/batch.h"
#include "app/batch/headless.h"
#include "app/calibrate/align.h"
#include "app/calibrate/calibrate.h"
#include "app/media/recording.h"
#include "app/options/command_line.h"
#include "app/options/help.h"
#include "app/play/overwrite.h"
#include "app/version.h"
#include "app/viewer/viewer.h"
#include "base/file.h"
#include "base/log.h"
#include "base/stats.h"
#include "base/stop.h"
#include "capture/live/v4l2.h"
#include "render/window/window.h"
#include "stereo/worker.h"

#include <errno.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The exit status of a run that succeeded except for damaged pictures. */
enum { status_damaged = 4 };

/* The statistics for --stats; NULL before there are any, or without --stats. */
static _Atomic(stats *) reported;
static const char *stats_path;

/* Where the main thread records to; NULL before and after. */
static recording *recorded;

/* Set by the code that ends the program. */
static atomic_flag ending = ATOMIC_FLAG_INIT;

/* Ends the program while other threads may be blocked, so it waits for none of them, nor for a log that nobody
 * reads. */
static void give_up(int status) {
    stats *stats = atomic_load(&reported);
    if (!atomic_flag_test_and_set(&ending) && stats) stats_write(stats, stats_path, NULL);
    _exit(status);
}

/* From here on the main thread ends the program, unless give_up is about to. */
static void end_in_order(void) {
    static bool decided;
    if (!decided && atomic_flag_test_and_set(&ending))
        for (;;) pause();
    decided = true;
}

/* Runs at exit. Unless the program is ending already, a library has called exit: Xlib does so in the main thread when
 * the connection to the display is lost, and the recording is completed then; others may do so in any thread. */
static void on_exit_of_others(void) {
    sv_error error;
    const bool lost = window_display_lost();
    if (atomic_flag_test_and_set(&ending)) return;
    atomic_flag_clear(&ending);
    sv_log(SV_LOG_ERROR, "%s",
           lost ? "the connection to the display is lost" : "a library has ended the program; -v shows what led to it");
    if (lost && recorded && recording_end(recorded, &error) != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    log_flush();
    give_up(SV_FAILED);
}

/* Completes the recording, if there is one, after a run that ended with `status`. */
static sv_status end_recording(recording *recording, sv_status status, sv_error *error) {
    sv_error later;
    const sv_status ended = recording_end(recording, status == SV_OK ? error : &later);
    if (status == SV_OK) return ended;
    if (ended != SV_OK) sv_log(SV_LOG_ERROR, "%s", later.text);
    return status;
}

/* The requested backend; if none is named, the cpu backend for a model that the best one cannot run. */
static sv_status choose_backend(const match_options *o, const sv_backend **backend, sv_error *error) {
    const bool model =
        sv_methods[o->params.method].runs_model || (o->compare && sv_methods[o->second.method].runs_model);
    sv_error why;
    const sv_status status = sv_find_backend(o->backend, o->device, backend, error);
    if (status != SV_OK || !model || strcmp(o->backend, "auto") || !(*backend)->check_models ||
        (*backend)->check_models(&why) == SV_OK)
        return status;
    sv_log(SV_LOG_INFO, "running on the cpu backend, since the %s backend cannot run models: %s", (*backend)->name,
           why.text);
    *backend = &sv_cpu;
    return SV_OK;
}

/* Lets OpenMP's threads wait for each other for microseconds instead of milliseconds, because decoders, writers and
 * drawing in software need the processor that they would keep busy. GCC's OpenMP reads OMP_WAIT_POLICY before main and
 * has no function for it; but where it counts more threads than processors, they sleep after a short spin. So a worker
 * holds a second team, whose threads do nothing and are only there to be counted. */
static void *shorten_waits(void *of) {
    sv_worker *worker = of;
#pragma omp parallel num_threads(2)
    sv_log(SV_LOG_DEBUG, "thread %d of OpenMP only shortens how long others wait", omp_get_thread_num());
    pthread_mutex_lock(&worker->lock);
    while (!worker->stops) pthread_cond_wait(&worker->changed, &worker->lock);
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

static sv_status run(const options *asked, bool *damaged, sv_error *error) {
    const sv_backend *backend;
    options with = *asked;
    const options *options = &with;
    options_remark(options);
    if (options->match.threads) omp_set_num_threads(options->match.threads); /* the CPU's name gives their number */
    sv_status status = choose_backend(&options->match, &backend, error);
    if (status != SV_OK) return status;
    stats *stats = stats_create();
    with.input.recording = recording_create();
    recorded = with.input.recording;
    stats_path = options->output.stats;
    if (stats_path) atomic_store(&reported, stats);
    sv_worker waits;
    /* A benchmark without a window has the processors to itself. */
    const bool shortens = !getenv("OMP_WAIT_POLICY") && !(options->run.headless && options->run.benchmark);
    if (shortens) sv_worker_start(&waits, shorten_waits, &waits);
    status = options->run.list       ? batch_run(options, backend, stats, error)
             : options->run.headless ? headless_run(options, backend, stats, error)
                                     : viewer_run(options, backend, stats, error);
    if (shortens) sv_worker_stop(&waits);
    status = end_recording(with.input.recording, status, error);
    recorded = NULL;
    recording_destroy(with.input.recording);
    end_in_order();
    const bool reports = status == SV_OK || stop_requested();
    if (stats_path && (reports || stats_count(stats, STATS_MATCHED))) {
        sv_error later;
        const sv_status written = stats_write(stats, stats_path, status == SV_OK ? error : &later);
        if (status == SV_OK) status = written;
    }
    if (reports && options->run.benchmark && stats_count(stats, STATS_MATCHED)) stats_print_table(stats, stdout);
    const stats_damage damage = stats_get_damage(stats);
    *damaged = damage.kept + damage.skipped + damage.lost > 0;
    stats_destroy(stats);
    return status;
}

/* The runs that read pictures or write files. */
static sv_status work(const options *options, bool *damaged, sv_error *error) {
    const sv_status status =
        options->run.list ? SV_OK : overwrite_check(options, NULL, error); /* batch_run reads the list */
    if (status != SV_OK) return status;
    if (options->rig.print)
        return board_print(options->output.files[0], &options->rig.board, options->rig.print, options->rig.paper,
                           error);
    /* If there is anything else to do, aligning comes first. */
    const bool only_aligns = options->run.headless && !options->output.count && !options->output.truth &&
                             !options->output.stats && !options->run.benchmark && !options->output.record &&
                             !options->match.compare;
    if (options->rig.align && only_aligns) return align_run(options, error);
    return options->rig.calibrate && options->run.headless ? calibrate_run(options, error)
                                                           : run(options, damaged, error);
}

static sv_status do_what_is_asked(const options *options, bool *damaged, sv_error *error) {
    sv_status status = SV_OK;
    if (options->help)
        help_print(stdout, &options->display.keys);
    else if (options->version)
        version_print(stdout);
    else if (options->list_cameras)
        status = v4l2_list(stdout, error);
    else
        status = work(options, damaged, error);
    /* A reader that has seen enough of it, such as head, closes the pipe. */
    if ((ferror(stdout) || fflush(stdout)) && errno != EPIPE && status == SV_OK)
        status = file_failed("write", "standard output", error);
    return status;
}

int main(int argc, char **argv) {
    options options = {.log_level = SV_LOG_INFO};
    sv_error error = {""};
    bool damaged = false;
    stop_catch_signals(give_up);
    sv_status status = command_line_read(&options, argc, argv, &error);
    log_start(options.log_level);
    atexit(on_exit_of_others);
    if (status == SV_OK) status = do_what_is_asked(&options, &damaged, &error);
    end_in_order();
    if (status != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    log_flush();
    options_free(&options);
    exit(status == SV_FAILED && stop_requested() ? stop_status()
         : status == SV_OK && damaged            ? status_damaged
                                                 : (int)status);
}
