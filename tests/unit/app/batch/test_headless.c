/* The run without a window on several devices. */
#include "app/batch/batch.h"
#include "app/batch/headless.h"
#include "app/batch/parts.h"
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
#include <unistd.h>

/* A backend of three devices: what each one was given. */
static struct {
    _Atomic(void *) contexts[3];
    atomic_int submitted[3];
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
    for (int i = 0; i < 3; i++)
        if (three.contexts[i] == context) three.submitted[i]++;
    return sv_cpu.submit(context, pair, params, follows, maps, error);
}

/* Fails unless both files are there and the same. */
static void assert_same_file(const char *a, const char *b) {
    size_t size, other;
    char *one = sv_read_whole(a, 1 << 21, &size), *two = sv_read_whole(b, 1 << 21, &other);
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

static sv_backend backend_of_three(void) {
    sv_backend backend = sv_cpu;
    backend.count = count_three;
    backend.probe = probe_three;
    backend.create = create_on;
    backend.submit = submit_on;
    return backend;
}

/* Runs on these devices with the words of the line, and this output if it is not NULL. */
static sv_status run_with(const sv_backend *backend, char *devices, const char *line, char *output,
                          headless_totals *totals, stats *stats, sv_error *error) {
    char *arguments[32] = {"stereoview", "--headless", "-q", "--device", devices};
    char words[512];
    int count = 5;
    options o;
    snprintf(words, sizeof words, "%s", line);
    if (output) arguments[count++] = "-o", arguments[count++] = output;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) arguments[count++] = word;
    *totals = (headless_totals){0};
    if (command_line_read(&o, count, arguments, error) != SV_OK) fail_msg("%s", error->text);
    const sv_status status = headless_match(&o, backend, stats, totals, error);
    options_free(&o);
    return status;
}

/* Fails unless the files of both patterns are the same for the frames from `first` on, and no others are there. */
static void assert_same_files(const char *one, const char *other, int first, int end) {
    const char *const patterns[] = {one, other};
    for (int i = 0; i < 2; i++) {
        size_t count;
        char **names = file_find(patterns[i], &count);
        file_free_names(names, count);
        assert_int_equal(count, end - first);
    }
    for (int i = first; i < end; i++) {
        char path[2][256];
        for (int k = 0; k < 2; k++) file_name(patterns[k], i, path[k], sizeof path[k], NULL);
        assert_same_file(path[0], path[1]);
    }
}

static void assert_totals(const headless_totals *totals, int frames, int there) {
    assert_int_equal(totals->frames, frames);
    assert_int_equal(totals->files, frames);
    assert_int_equal(totals->there, there);
}

/* With --device all, each device matches a part of the frames, and the files are those of one. */
TEST(all_devices_share_the_frames) {
    const sv_backend backend = backend_of_three();
    char one[256], all[256];
    headless_totals totals;
    sv_error error = {""};
    snprintf(one, sizeof one, "%s", scratch_path("one_%d.pfm"));
    snprintf(all, sizeof all, "%s", scratch_path("all_%d.pfm"));
    for (int run = 0; run < 2; run++) {
        const char *line = "--synthetic 64x48 -d 0:7 --rows off --frames 0:11";
        stats *stats = stats_create();
        if (run_with(&backend, run ? "all" : "0", line, run ? all : one, &totals, stats, &error) != SV_OK)
            fail_msg("%s", error.text);
        assert_totals(&totals, 11, 0);
        assert_int_equal(totals.pixels, 11 * 64 * 48);
        assert_int_equal(stats_count(stats, STATS_MATCHED), 11);
        assert_device(stats, run ? "2 x card 0; card 1" : "card 0");
        stats_destroy(stats);
    }
    assert_int_equal(three.submitted[0], 11 + 4);
    assert_int_equal(three.submitted[1], 4);
    assert_int_equal(three.submitted[2], 3);
    assert_same_files(one, all, 0, 11);
}

/* So are those of videos, whose parts begin between key pictures, with frames that the maps depend on before them, also
 * after an interruption, and with the offset and the row correction of the run. */
TEST(parts_of_videos_are_the_run) {
    const sv_backend backend = backend_of_three();
    char one[256], all[256], path[256];
    headless_totals totals;
    sv_error error = {""};
    stats *stats = stats_create();
    snprintf(one, sizeof one, "%s", scratch_path("straight_%d.pfm"));
    snprintf(all, sizeof all, "%s", scratch_path("divided_%d.pfm"));
    for (int run = 0; run < 3; run++) {
        const char *line = "-f assets/demo_left.mp4 assets/demo_right.mp4 --offset 1 --rows 2,0.01,0,0,0,0 -m ssd "
                           "-d 0:31 --scale 1/4 --temporal 3 --frames 20:53 --resume";
        if (run == 2)
            for (int i = 22; i < 53; i += 10) {
                file_name(all, i, path, sizeof path, NULL);
                if (remove(path)) fail_msg("%s is not there", path);
            }
        if (run_with(&backend, run ? "all" : "0", line, run ? all : one, &totals, stats, &error) != SV_OK)
            fail_msg("%s", error.text);
        assert_totals(&totals, run < 2 ? 33 : 4, run < 2 ? 0 : 29);
    }
    stats_destroy(stats);
    assert_same_files(one, all, 20, 53);
}

/* What is damaged or lost is counted once, also where a part begins after it or needs frames before its own. */
TEST(parts_count_damage_once) {
    const sv_backend backend = backend_of_three();
    size_t size;
    char *video = sv_read_whole("assets/demo_left.mp4", 1 << 24, &size), line[512];
    headless_totals totals;
    sv_error error = {""};
    assert_non_null(video);
    assert_true(size > 200000);
    memset(video + 150000, 0xff, 40000); /* before the second key picture, at frame 25 */
    const char *damaged = scratch_write("damaged.mp4", video, size);
    free(video);
    for (int temporal = 1; temporal <= 3; temporal += 2) {
        stats_damage damage[2];
        snprintf(line, sizeof line,
                 "-f %s assets/demo_right.mp4 -m ssd -d 0:31 --scale 1/4 --rows off --frames 0:60 --temporal %d",
                 damaged, temporal);
        for (int run = 0; run < 2; run++) {
            stats *stats = stats_create();
            if (run_with(&backend, run ? "all" : "0", line, NULL, &totals, stats, &error) != SV_OK)
                fail_msg("%s", error.text);
            damage[run] = stats_get_damage(stats);
            stats_destroy(stats);
        }
        assert_true(damage[0].kept > 0 && damage[0].lost > 0);
        assert_int_equal(damage[1].kept, damage[0].kept);
        assert_int_equal(damage[1].lost, damage[0].lost);
    }
}

enum { MANY = 5000 };
static atomic_int matched[MANY];

static sv_status submit_and_count(void *context, const sv_pair *pair, const sv_params *params, int follows,
                                  const sv_output *maps, sv_error *error) {
    assert_in_range(pair->number, 1, MANY);
    matched[pair->number - 1]++;
    return submit_on(context, pair, params, follows, maps, error);
}

static char said[4096];
static const char *listens_for;

static void hear(sv_level level, const char *line) {
    (void)level;
    if (strstr(line, listens_for)) snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
}

static void listen_for(const char *words) {
    listens_for = words;
    said[0] = 0;
    sv_set_log(hear);
}

/* A long run has more parts than devices, and matches each frame once. What opening the sources shows is reported once
 * for each side. */
TEST(parts_follow_one_another) {
    sv_backend backend = backend_of_three();
    headless_totals totals;
    sv_error error = {""};
    stats *stats = stats_create();
    backend.submit = submit_and_count;
    const char *line = "--synthetic 16x16 --benchmark -d 0:3 -m ssd --rows off --frames 0:5000";
    listen_for("rendering");
    if (run_with(&backend, "all", line, NULL, &totals, stats, &error) != SV_OK) fail_msg("%s", error.text);
    sv_set_log(NULL);
    stats_destroy(stats);
    assert_int_equal(totals.frames, MANY);
    for (int i = 0; i < MANY; i++) assert_int_equal(matched[i], 1);
    const char *second = strchr(said, '\n');
    assert_true(second && strchr(second + 1, '\n') && !strchr(strchr(second + 1, '\n') + 1, '\n'));
}

/* The second device has no memory, once the others have matched their parts. */
static sv_status create_without_memory(const sv_matcher_options *options, void **context, sv_error *error) {
    const struct timespec pause = {.tv_nsec = 50000000};
    if (options->device == 1) {
        for (int i = 0; i < 1200 && three.submitted[0] + three.submitted[2] < 100; i++) nanosleep(&pause, NULL);
        nanosleep(&pause, NULL);
        return sv_fail(error, SV_FAILED, "no memory for it");
    }
    return create_on(options, context, error);
}

/* The second device has no memory for its second pair, or its second map is lost. */
static sv_status submit_one_on_second(void *context, const sv_pair *pair, const sv_params *params, int follows,
                                      const sv_output *maps, sv_error *error) {
    if (context == three.contexts[1] && three.submitted[1] == 1) return sv_fail(error, SV_FAILED, "no memory for it");
    return submit_on(context, pair, params, follows, maps, error);
}

static sv_status wait_for_one_on_second(void *context, sv_times *times, sv_error *error) {
    static int waits;
    if (context == three.contexts[1] && ++waits == 2) return sv_fail(error, SV_FAILED, "no memory for it");
    return sv_cpu.wait(context, times, error);
}

/* The other devices match what is left of a part whose device fails. */
TEST(parts_that_are_given_back) {
    static const char *const line = "--synthetic 64x48 -d 0:7 --rows off --temporal 2 --frames 0:150";
    char one[256], rest[256];
    headless_totals totals;
    sv_error error = {""};
    snprintf(one, sizeof one, "%s", scratch_path("all_150_%d.pfm"));
    for (int run = 0; run < 4; run++) {
        sv_backend backend = backend_of_three();
        stats *stats = stats_create();
        backend.at_once = SV_IN_FLIGHT;
        if (run == 1) backend.create = create_without_memory;
        if (run == 2) backend.submit = submit_one_on_second;
        if (run == 3) backend.wait = wait_for_one_on_second;
        for (int i = 0; i < 3; i++) three.submitted[i] = 0;
        snprintf(rest, sizeof rest, "%s%d_%%d.pfm", scratch_path("rest"), run);
        listen_for("side by side");
        const sv_status status = run_with(&backend, run ? "all" : "0", line, run ? rest : one, &totals, stats, &error);
        sv_set_log(NULL);
        if (status != SV_OK) fail_msg("%s", error.text);
        assert_int_equal(strstr(said, "no memory for it") != NULL, run > 0);
        assert_totals(&totals, 150, 0);
        assert_int_equal(stats_count(stats, STATS_MATCHED), 150);
        if (run) assert_int_equal(three.submitted[1], run - 1 + (run == 3));
        if (run) assert_same_files(one, rest, 0, 150);
        stats_destroy(stats);
    }
}

/* The second device fails after a frame that is there already, which whoever goes on meets again. */
TEST(what_is_there_is_counted_once) {
    char pattern[256];
    headless_totals totals;
    sv_error error = {""};
    stats *stats = stats_create();
    sv_backend backend = backend_of_three();
    backend.at_once = SV_IN_FLIGHT;
    backend.submit = submit_one_on_second;
    for (int i = 0; i < 3; i++) three.submitted[i] = 0;
    snprintf(pattern, sizeof pattern, "%s", scratch_path("there_%d.pfm"));
    for (int run = 0; run < 2; run++) {
        char line[128];
        snprintf(line, sizeof line, "--synthetic 64x48 -d 0:7 --rows off --resume --frames %s",
                 run ? "0:150" : "51:52");
        if (run_with(&backend, run ? "all" : "0", line, pattern, &totals, stats, &error) != SV_OK)
            fail_msg("%s", error.text);
        assert_totals(&totals, run ? 149 : 1, run);
    }
    assert_int_equal(three.submitted[1], 1);
    stats_destroy(stats);
}

static sv_status submit_or_fail(void *context, const sv_pair *pair, const sv_params *params, int follows,
                                const sv_output *maps, sv_error *error) {
    if (pair->number == 53) return sv_fail(error, SV_FAILED, "frame 52 is too much");
    return sv_cpu.submit(context, pair, params, follows, maps, error);
}

/* A frame that fails on each device ends the run, without remarks on how the parts were shared. */
TEST(a_frame_that_fails) {
    sv_backend backend = backend_of_three();
    headless_totals totals;
    sv_error error = {""};
    stats *stats = stats_create();
    backend.submit = submit_or_fail;
    listen_for("side by side");
    const char *line = "--synthetic 64x48 -d 0:7 --rows off --frames 0:150";
    assert_int_equal(run_with(&backend, "all", line, NULL, &totals, stats, &error), SV_FAILED);
    sv_set_log(NULL);
    assert_string_equal(error.text, "frame 52 is too much");
    assert_string_equal(said, "");
    assert_in_range(totals.frames, 52, 102);
    stats_destroy(stats);
}

/* How often this program has the file open. */
static int count_open(const char *name) {
    char path[64], to[512];
    int count = 0;
    for (int i = 0; i < 256; i++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        const ssize_t length = readlink(path, to, sizeof to - 1);
        to[length > 0 ? length : 0] = 0;
        count += strstr(to, name) != NULL;
    }
    return count;
}

static int opened;

/* Has no memory for the first pair. Until then other devices have a second in which to open the files. */
static sv_status submit_none(void *context, const sv_pair *pair, const sv_params *params, int follows,
                             const sv_output *maps, sv_error *error) {
    const struct timespec pause = {.tv_nsec = 50000000};
    (void)context, (void)pair, (void)params, (void)follows, (void)maps;
    for (int i = 0; i < 20; i++) nanosleep(&pause, NULL);
    opened = count_open("demo_left.mp4");
    return sv_fail(error, SV_FAILED, "no memory for a pair");
}

/* The other devices open nothing before the first pair is matched. */
TEST(a_run_without_memory) {
    sv_backend backend = backend_of_three();
    headless_totals totals;
    sv_error error = {""};
    stats *stats = stats_create();
    backend.submit = submit_none;
    const char *line = "-f assets/demo_left.mp4 assets/demo_right.mp4 -m ssd -d 0:31 --scale 1/4 --rows off";
    int counts[2];
    for (int run = 0; run < 2; run++) {
        assert_int_equal(run_with(&backend, run ? "all" : "0", line, NULL, &totals, stats, &error), SV_FAILED);
        assert_string_equal(error.text, "no memory for a pair");
        assert_int_equal(totals.frames, 0);
        counts[run] = opened;
    }
    assert_true(counts[0] > 0);
    assert_int_equal(counts[1], counts[0]);
    stats_destroy(stats);
}

/* One name for many frames is refused before they are measured. */
TEST(one_name_for_many_frames) {
    headless_totals totals;
    sv_error error = {""};
    stats *stats = stats_create();
    char name[256];
    snprintf(name, sizeof name, "%s", scratch_path("one.pfm"));
    listen_for("disparities");
    const char *line = "-f assets/demo_left.mp4 assets/demo_right.mp4";
    assert_int_equal(run_with(&sv_cpu, "0", line, name, &totals, stats, &error), SV_USAGE);
    sv_set_log(NULL);
    assert_non_null(strstr(error.text, "can hold one frame"));
    assert_string_equal(said, "");
    stats_destroy(stats);
}

TEST(how_many_parts) {
    static const struct {
        int64_t frames;
        int devices, decoders, streams, workers, parts;
    } cases[] = {{900, 1, 1, 2, 1, 1},     {10000, 1, 1, 2, 1, 1}, {10000, 2, 1, 2, 2, 10},
                 {1, 2, 1, 2, 1, 1},       {0, 1, 7, 2, 1, 1},     {499, 1, 7, 2, 1, 1},
                 {500, 1, 7, 2, 2, 2},     {3999, 1, 7, 2, 4, 4},  {5000, 1, 7, 2, 4, 5},
                 {5000, 1, 2, 2, 1, 1},    {5000, 1, 3, 2, 2, 5},  {1499, 2, 7, 2, 4, 4},
                 {20000, 8, 5, 2, 24, 24}, {-5, 3, 7, 2, 1, 1},    {99000, 99, 7, 2, WORKERS_MAX, 99},
                 {5000, 1, 7, 1, 7, 7},    {10000, 2, 1, 1, 2, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parts plan = {.count = 0};
        parts_plan(&plan, cases[i].frames, cases[i].devices, cases[i].decoders, cases[i].streams);
        assert_int_equal(plan.workers, cases[i].workers);
        assert_int_equal(plan.count, cases[i].parts);
    }
}

/* The last part has what the file does not declare, up to the end that --frames gives. */
TEST(parts_have_all_frames) {
    frame_range range = parts_divide((frame_range){.first = 5, .end = INT64_MAX}, 10, (share){1, 3});
    assert_int_equal(range.first, 5);
    assert_int_equal(range.end, 9);
    range = parts_divide((frame_range){.first = 5, .end = INT64_MAX}, 10, (share){3, 3});
    assert_int_equal(range.first, 12);
    assert_true(range.end == INT64_MAX);
    range = parts_divide((frame_range){.first = 5, .end = 20}, 10, (share){3, 3});
    assert_int_equal(range.end, 20);
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
    listen_for("failed: ");
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
