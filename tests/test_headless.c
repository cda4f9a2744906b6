/* The run without a window, beyond what tests/e2e_headless.sh shows from outside: a device that fails while it is still
 * at work. */
#include "app/command_line.h"
#include "app/file.h"
#include "app/headless.h"
#include "stereo/whole.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A backend that works beside its caller, as CUDA does: what has been submitted is matched, by the CPU's backend, when
 * it is waited for or when the matcher is destroyed. Its third submission fails after the work has begun. */
static struct {
    sv_pair pairs[SV_IN_FLIGHT];
    sv_params params[SV_IN_FLIGHT];
    sv_output maps[SV_IN_FLIGHT];
    int submitted, first, count; /* the last two: what is under way */
    int destroyed_with;          /* how many were under way then */
    int freed_early;             /* maps that were freed while they were under way */
} device;

static sv_status submit_late(void *context, const sv_pair *pair, const sv_params *params, const sv_output *maps,
                             sv_error *error) {
    const int place = (device.first + device.count++) % SV_IN_FLIGHT;
    (void)context;
    device.pairs[place] = *pair;
    device.params[place] = *params;
    device.maps[place] = *maps;
    return ++device.submitted == 3 ? sv_fail(error, SV_FAILED, "the device has failed") : SV_OK;
}

static sv_status wait_late(void *context, sv_times *times, sv_error *error) {
    const int place = device.first;
    device.first = (device.first + 1) % SV_IN_FLIGHT;
    device.count--;
    const sv_status status =
        sv_cpu.submit(context, &device.pairs[place], &device.params[place], &device.maps[place], error);
    return status == SV_OK ? sv_cpu.wait(context, times, error) : status;
}

static void destroy_late(void *context) {
    device.destroyed_with = device.count;
    while (device.count && !device.freed_early) wait_late(context, &(sv_times){0}, NULL);
    sv_cpu.destroy(context);
}

static void free_late(void *memory) {
    for (int i = 0; i < device.count; i++)
        device.freed_early += memory == device.maps[(device.first + i) % SV_IN_FLIGHT].disparity.data;
    sv_cpu.free(memory);
}

/* Maps and pictures are freed after the matcher has ended, which until then uses those that are under way. */
static void buffers_outlive_the_matcher(void **state) {
    (void)state;
    sv_backend late = sv_cpu;
    late.at_once = SV_IN_FLIGHT;
    late.submit = submit_late;
    late.wait = wait_late;
    late.destroy = destroy_late;
    late.free = free_late;
    char *arguments[] = {"stereoview", "--headless", "--synthetic", "64x48", "-d", "0:7", "--frames", "0:40", NULL};
    options o;
    sv_error error = {""};
    stats *stats = stats_create();
    assert_non_null(stats);
    if (command_line_read(&o, 8, arguments, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(headless_run(&o, &late, stats, &error), SV_FAILED);
    assert_string_equal(error.text, "the device has failed");
    assert_int_equal(device.destroyed_with, 1);
    assert_int_equal(device.freed_early, 0);
    assert_int_equal(stats_count(stats, STATS_MATCHED), 2); /* what was submitted before is used */
    stats_destroy(stats);
}

/* A backend of three devices: what each one was given. */
static struct {
    void *contexts[3];
    int submitted[3];
} three;

static int count_three(void) { return 3; }

static sv_status create_on(const sv_matcher_options *options, void **context, sv_error *error) {
    const sv_status status = sv_cpu.create(options, context, error);
    assert_in_range(options->device, 0, 2);
    three.contexts[options->device] = *context;
    return status;
}

static sv_status submit_on(void *context, const sv_pair *pair, const sv_params *params, const sv_output *maps,
                           sv_error *error) {
    for (int i = 0; i < 3; i++) three.submitted[i] += three.contexts[i] == context;
    return sv_cpu.submit(context, pair, params, maps, error);
}

/* With --device all, the pairs go to all devices in turn, and the files are those of one. */
static void all_devices_share_the_frames(void **state) {
    (void)state;
    sv_backend backend = sv_cpu;
    backend.count = count_three;
    backend.create = create_on;
    backend.submit = submit_on;
    char pattern[2][256];
    snprintf(pattern[0], sizeof pattern[0], "%s", scratch_path("one_%d.pfm"));
    snprintf(pattern[1], sizeof pattern[1], "%s", scratch_path("all_%d.pfm"));
    for (int run = 0; run < 2; run++) {
        char *arguments[] = {"stereoview", "-q",   "--headless", "--synthetic", "64x48",    "-d",  "0:7",
                             "--frames",   "0:11", "-o",         pattern[run],  "--device", "all", NULL};
        options o;
        sv_error error = {""};
        stats *stats = stats_create();
        assert_non_null(stats);
        if (command_line_read(&o, run ? 13 : 11, arguments, &error) != SV_OK) fail_msg("%s", error.text);
        if (headless_run(&o, &backend, stats, &error) != SV_OK) fail_msg("%s", error.text);
        stats_destroy(stats);
    }
    assert_int_equal(three.submitted[0], 11 + 4);
    assert_int_equal(three.submitted[1], 4);
    assert_int_equal(three.submitted[2], 3);
    for (int i = 0; i < 11; i++) {
        char path[2][256];
        size_t size, other;
        for (int run = 0; run < 2; run++) file_name(pattern[run], i, path[run], sizeof path[run], NULL);
        char *one = sv_read_whole(path[0], 1 << 20, &size), *all = sv_read_whole(path[1], 1 << 20, &other);
        assert_non_null(one);
        assert_non_null(all);
        assert_int_equal(size, other);
        assert_memory_equal(one, all, size);
        free(one);
        free(all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_outlive_the_matcher),
        cmocka_unit_test(all_devices_share_the_frames),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
