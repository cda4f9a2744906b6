/* The export of a range of frames: its files are those of a run without a window. */
#include "app/play/export_job.h"

#include "app/batch/headless.h"
#include "app/options/command_line.h"
#include "base/stats.h"
#include "stereo/clock.h"
#include "tests/support/clip.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 12 };

static void news(void) {}

/* Disparities that change from frame to frame, so that those of the temporal filter depend on the frames before. */
static void paint_right(AVFrame *picture, int index) {
    const int shift = 3 + index % 4;
    clip_paint_coded(picture, index);
    for (int y = 0; y < picture->height; y++) {
        uint8_t *row = picture->data[0] + y * picture->linesize[0];
        memmove(row, row + shift, (size_t)(picture->width - shift));
    }
}

static int begin(void **state) {
    const clip clip = {.codec = "ffv1",
                       .format = AV_PIX_FMT_GRAY8,
                       .range = AVCOL_RANGE_JPEG,
                       .width = 192,
                       .height = 64,
                       .rate = 10,
                       .frames = FRAMES};
    const int status = scratch_setup(state);
    clip_write(scratch_path("l.mkv"), &clip, clip_paint_coded);
    clip_write(scratch_path("r.mkv"), &clip, paint_right);
    return status;
}

/* The options of a command line for both clips, whose strings stay valid; the caller frees them. */
static options read_options(char *const *more) {
    static char left[600], right[600];
    static char *arguments[32];
    char *const first[] = {"stereoview", "--headless", "--threads", "1", "-d", "0:15", "-f", left, right};
    int count = 0;
    options o;
    sv_error error;
    snprintf(left, sizeof left, "%s", scratch_path("l.mkv"));
    snprintf(right, sizeof right, "%s", scratch_path("r.mkv"));
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) arguments[count++] = first[i];
    for (; *more; more++) arguments[count++] = *more;
    if (command_line_read(&o, count, arguments, &error) != SV_OK) fail_msg("%s", error.text);
    return o;
}
#define READ(...) read_options((char *const[]){__VA_ARGS__, NULL})

static export_progress wait_for(export_job *job) {
    const double until = sv_seconds() + PATIENCE;
    while (!export_job_progress(job).ended && sv_seconds() < until) usleep(1000);
    const export_progress progress = export_job_progress(job);
    assert_true(progress.ended);
    return progress;
}

static export_order order_of(const options *o, const char *pattern, int64_t first, int64_t last) {
    export_order order = {.options = *o, .backend = &sv_cpu, .colours = colour_default(), .first = first, .last = last};
    order.options.run.headless = false;
    snprintf(order.pattern, sizeof order.pattern, "%s", scratch_path(pattern));
    return order;
}

/* Also where a map depends on the frames before the first one. */
TEST(files_are_those_of_a_run_without_a_window) {
    char own[60000], pattern[600];
    size_t size, expected;
    sv_error error;
    snprintf(pattern, sizeof pattern, "%s", scratch_path("h_%02d.pfm"));
    options o = READ("--rows", "off", "--temporal", "3", "--frames", "3:8", "-o", pattern);
    stats *stats = stats_create();
    assert_int_equal(headless_run(&o, &sv_cpu, stats, &error), SV_OK);
    stats_destroy(stats);
    options_free(&o);
    o = READ("--rows", "off", "--temporal", "3");
    const export_order order = order_of(&o, "w_%02d.pfm", 3, 7);
    export_job *job = export_job_open(&order, news);
    const export_progress progress = wait_for(job);
    if (progress.status != SV_OK) fail_msg("%s", progress.error.text);
    assert_int_equal(progress.done, 5);
    assert_int_equal(progress.all, 5);
    assert_int_equal(progress.files, 5);
    export_job_close(job);
    for (int i = 3; i < 8; i++) {
        char name[32];
        snprintf(name, sizeof name, "w_%02d.pfm", i);
        const char *bytes = scratch_read(scratch_path(name), &size);
        assert_true(size < sizeof own);
        memcpy(own, bytes, size);
        *name = 'h';
        bytes = scratch_read(scratch_path(name), &expected);
        assert_int_equal(size, expected);
        assert_memory_equal(bytes, own, size);
    }
    assert_int_equal(access(scratch_path("w_02.pfm"), F_OK), -1);
    assert_int_equal(access(scratch_path("w_08.pfm"), F_OK), -1);
    options_free(&o);
}

TEST(nothing_that_is_there_is_replaced) {
    options o = READ("--rows", "off");
    const export_order order = order_of(&o, "k_%02d.pfm", 0, 5);
    scratch_write_text("k_03.pfm", "kept");
    export_job *job = export_job_open(&order, news);
    const export_progress progress = wait_for(job);
    assert_int_equal(progress.status, SV_USAGE);
    assert_non_null(strstr(progress.error.text, "k_03.pfm already exists"));
    assert_int_equal(progress.done, 0);
    export_job_close(job);
    assert_string_equal(scratch_read(scratch_path("k_03.pfm"), NULL), "kept");
    options_free(&o);
}

TEST(it_can_be_cancelled_at_any_time) {
    options o = READ("--rows", "off");
    for (int i = 0; i < 8; i++) {
        char pattern[32];
        snprintf(pattern, sizeof pattern, "c%d_%%02d.pfm", i);
        const export_order order = order_of(&o, pattern, 0, INT64_MAX);
        export_job *job = export_job_open(&order, news);
        usleep((useconds_t)(i * 3000));
        export_job_cancel(job);
        const export_progress progress = wait_for(job);
        assert_int_equal(progress.status, SV_OK);
        assert_int_equal(progress.files, progress.done);
        export_job_close(job);
    }
    export_job_close(NULL);
    options_free(&o);
}

FIXTURES(begin, scratch_teardown)
