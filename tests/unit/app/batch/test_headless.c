/* The run without a window on several devices. */
#include "app/batch/batch.h"
#include "app/batch/headless.h"
#include "app/options/command_line.h"
#include "base/file_name.h"
#include "stereo/whole.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A backend of three devices: what each one was given. */
static struct {
    void *contexts[3];
    int submitted[3];
} three;

static int count_three(void) { return 3; }

/* The first two are alike. */
static sv_status probe_three(int number, char *name, size_t size, sv_error *error) {
    (void)error;
    assert_in_range(number, 0, 2);
    snprintf(name, size, "card %d", number / 2);
    return SV_OK;
}

static sv_status create_on(const sv_matcher_options *options, void **context, sv_error *error) {
    const sv_status status = sv_cpu.create(options, context, error);
    assert_in_range(options->device, 0, 2);
    three.contexts[options->device] = *context;
    return status;
}

static sv_status submit_on(void *context, const sv_pair *pair, const sv_params *params, int follows,
                           const sv_output *maps, sv_error *error) {
    for (int i = 0; i < 3; i++) three.submitted[i] += three.contexts[i] == context;
    return sv_cpu.submit(context, pair, params, follows, maps, error);
}

/* Fails unless both files are there and the same. */
static void assert_same_file(const char *a, const char *b) {
    size_t size, other;
    char *one = sv_read_whole(a, 1 << 20, &size), *two = sv_read_whole(b, 1 << 20, &other);
    if (!one || !two) fail_msg("%s is not there", one ? b : a);
    assert_int_equal(size, other);
    assert_memory_equal(one, two, size);
    free(one);
    free(two);
}

/* The figures name these devices. */
static void assert_device(stats *stats, const char *name) {
    char line[256];
    if (stats_write(stats, scratch_path("stats.json"), NULL) != SV_OK) fail_msg("no figures");
    snprintf(line, sizeof line, "\"device\": \"%s", name);
    if (!strstr(scratch_read(scratch_path("stats.json"), NULL), line)) fail_msg("not %s", line);
}

/* With --device all, the pairs go to all devices in turn, and the files are those of one. */
TEST(all_devices_share_the_frames) {
    sv_backend backend = sv_cpu;
    backend.count = count_three;
    backend.probe = probe_three;
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
        assert_device(stats, run ? "2 x card 0; card 1" : "card 0");
        stats_destroy(stats);
    }
    assert_int_equal(three.submitted[0], 11 + 4);
    assert_int_equal(three.submitted[1], 4);
    assert_int_equal(three.submitted[2], 3);
    for (int i = 0; i < 11; i++) {
        char path[2][256];
        for (int run = 0; run < 2; run++) file_name(pattern[run], i, path[run], sizeof path[run], NULL);
        assert_same_file(path[0], path[1]);
    }
}

/* Three devices at work at the same time: each makes its first matcher when the others do. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int made[3];
} meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static sv_status create_at_meeting(const sv_matcher_options *options, void **context, sv_error *error) {
    struct timespec limit;
    int late = 0;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 60;
    pthread_mutex_lock(&meeting.lock);
    meeting.made[options->device]++;
    pthread_cond_broadcast(&meeting.changed);
    while (!late && !(meeting.made[0] && meeting.made[1] && meeting.made[2]))
        late = pthread_cond_timedwait(&meeting.changed, &meeting.lock, &limit);
    pthread_mutex_unlock(&meeting.lock);
    return late ? sv_fail(error, SV_FAILED, "the other devices do nothing") : sv_cpu.create(options, context, error);
}

enum { LISTED = 9 };
static const int unreadable[] = {4, 7}; /* lines of the list */

/* Writes pairs of noise, and a list of them with outputs NAME_1.pfm and so on; returns the path of the list. */
static const char *write_pairs(const char *name) {
    enum { WIDTH = 40, HEIGHT = 30 };
    char list[LISTED * 1024] = "";
    for (int i = 1; i <= LISTED; i++) {
        char paths[3][256], picture[32];
        for (int side = 0; side < 2; side++) {
            char bytes[32 + WIDTH * HEIGHT];
            const size_t head = (size_t)snprintf(bytes, sizeof bytes, "P5 %d %d 255\n", WIDTH, HEIGHT);
            seed_random((uint32_t)(2 * i + side));
            for (int k = 0; k < WIDTH * HEIGHT; k++) bytes[head + (size_t)k] = (char)random_below(256);
            snprintf(picture, sizeof picture, "%s_%d.pgm", side ? "right" : "left", i);
            snprintf(paths[side], sizeof *paths, "%s", scratch_write(picture, bytes, head + WIDTH * HEIGHT));
        }
        snprintf(picture, sizeof picture, "%s_%d.pfm", name, i);
        snprintf(paths[2], sizeof *paths, "%s", scratch_path(picture));
        const bool lost = i == unreadable[0] || i == unreadable[1];
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s\t%s\t%s\n", lost ? "no" : "", paths[0],
                 paths[1], paths[2]);
    }
    char file[32];
    snprintf(file, sizeof file, "%s.tsv", name);
    return scratch_write_text(file, list);
}

static char said[4096];

static void hear(sv_level level, const char *line) {
    (void)level;
    if (strstr(line, "failed: ")) snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
}

/* Matches the list on three devices or one. Returns how many pairs failed, as the message says it. */
static int run_list(const char *list, const char *devices, const char *share) {
    sv_backend backend = sv_cpu;
    backend.count = count_three;
    backend.probe = probe_three;
    backend.create = create_at_meeting;
    char path[256], which[8], part[8];
    snprintf(path, sizeof path, "%s", list);
    snprintf(which, sizeof which, "%s", devices);
    snprintf(part, sizeof part, "%s", share);
    char *arguments[] = {"stereoview", "--headless", "-q",  "-d",      "0:7", "--list",
                         path,         "--device",   which, "--shard", part,  NULL};
    options o;
    sv_error error = {""};
    int failed = 0;
    stats *stats = stats_create();
    assert_non_null(stats);
    if (command_line_read(&o, 11, arguments, &error) != SV_OK) fail_msg("%s", error.text);
    said[0] = 0;
    sv_set_log(hear);
    const sv_status status = batch_run(&o, strcmp(devices, "all") ? &sv_cpu : &backend, stats, &error);
    sv_set_log(NULL);
    assert_int_equal(status, SV_FAILED);
    assert_int_equal(sscanf(error.text, "%d of", &failed), 1);
    assert_device(stats, strcmp(devices, "all") ? "CPU" : "2 x card 0; card 1");
    stats_destroy(stats);
    return failed;
}

/* With --device all, each device takes the next pair of a list, or of a part of it. Together they make the files of one
 * device, and name what failed in the order of the list. */
TEST(all_devices_share_a_list) {
    char list[3][256];
    static const char *const names[] = {"single", "three", "parts"};
    for (int i = 0; i < 3; i++) snprintf(list[i], sizeof list[i], "%s", write_pairs(names[i]));
    assert_int_equal(run_list(list[0], "0", "1/1"), 2);
    assert_int_equal(run_list(list[1], "all", "1/1"), 2);
    const char *first = strstr(said, "line 4: "), *second = strstr(said, "line 7: ");
    if (!first || !second || first > second) fail_msg("not both lines in order: %s", said);
    assert_int_equal(run_list(list[2], "all", "2/2"), 1);
    assert_int_equal(run_list(list[2], "all", "1/2"), 1);
    for (int i = 0; i < 3; i++) assert_true(meeting.made[i] > 0);
    assert_int_equal(meeting.made[0] + meeting.made[1] + meeting.made[2], 2 * (LISTED - 2));
    for (int i = 1; i <= LISTED; i++) {
        char name[32], one[256], other[256];
        if (i == unreadable[0] || i == unreadable[1]) continue;
        snprintf(name, sizeof name, "single_%d.pfm", i);
        snprintf(one, sizeof one, "%s", scratch_path(name));
        for (int k = 1; k < 3; k++) {
            snprintf(name, sizeof name, "%s_%d.pfm", names[k], i);
            snprintf(other, sizeof other, "%s", scratch_path(name));
            assert_same_file(one, other);
        }
    }
}

FIXTURES(scratch_setup, scratch_teardown)
