/* stereoview: from the command line to a run, with a window or without. The only caller of exit. */
#include "app/headless.h"
#include "app/log.h"
#include "app/options.h"
#include "app/stats.h"
#include "app/viewer.h"
#include "capture/v4l2.h"

#include <omp.h>
#include <stdlib.h>

static sv_status run(const options *options, sv_error *error) {
    const sv_backend *backend;
    options_remark(options);
    if (options->threads) omp_set_num_threads(options->threads); /* the CPU's name tells how many there are */
    sv_status status = sv_find_backend(options->backend, &backend, error);
    if (status != SV_OK) return status;
    stats *stats = stats_create();
    if (!stats) return sv_fail(error, SV_FAILED, "out of memory");
    status =
        options->headless ? headless_run(options, backend, stats, error) : viewer_run(options, backend, stats, error);
    if (status == SV_OK && options->benchmark) stats_print_table(stats, stdout);
    if (status == SV_OK && options->stats) status = stats_write(stats, options->stats, error);
    stats_destroy(stats);
    return status;
}

int main(int argc, char **argv) {
    options options;
    sv_error error = {""};
    sv_status status = options_read(&options, argc, argv, &error);
    log_start(options.log_level);
    if (status == SV_OK) {
        if (options.help) {
            options_print_help(stdout);
        } else if (options.version) {
            printf("stereoview %s\n", STEREOVIEW_VERSION);
        } else if (options.list_cameras) {
            status = v4l2_list(stdout, &error);
        } else {
            status = run(&options, &error);
        }
    }
    if (status != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    log_stop();
    exit(status);
}
