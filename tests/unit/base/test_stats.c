/* Times, rates and drops of a run: base/stats. */
#include "base/stats.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

TEST(medians_and_percentiles_are_exact) {
    stats *s = stats_create();
    assert_non_null(s);
    stats_figures none = stats_of(s, STATS_MATCH);
    assert_true(isnan(none.median) && isnan(none.p95) && none.samples == 0);

    stats_add(s, STATS_DRAW, 3);
    assert_near(stats_of(s, STATS_DRAW).median, 3, 1e-4);
    assert_near(stats_of(s, STATS_DRAW).p95, 3, 1e-4);
    stats_add(s, STATS_DRAW, 1);
    assert_near(stats_of(s, STATS_DRAW).median, 2, 1e-4);
    assert_near(stats_of(s, STATS_DRAW).p95, 2.9, 1e-4);

    /* 1..101 in mixed order: the median is 51, and the 95th percentile 96. */
    for (int i = 0; i < 101; i++) stats_add(s, STATS_MATCH, 1 + i * 37 % 101);
    assert_near(stats_of(s, STATS_MATCH).median, 51, 1e-4);
    assert_near(stats_of(s, STATS_MATCH).p95, 96, 1e-4);
    assert_int_equal(stats_of(s, STATS_MATCH).samples, 101);
    assert_int_equal(stats_of(s, STATS_WAIT).samples, 0);

    /* Only the last 4096 count. */
    for (int i = 0; i < 4096; i++) stats_add(s, STATS_MATCH, 7);
    assert_near(stats_of(s, STATS_MATCH).median, 7, 1e-4);
    assert_near(stats_of(s, STATS_MATCH).p95, 7, 1e-4);
    for (int i = 0; i < 16; i++) stats_add(s, STATS_MATCH, 9);
    assert_near(stats_of(s, STATS_MATCH).median, 7, 1e-4);
    assert_int_equal(stats_of(s, STATS_MATCH).samples, 101 + 4096 + 16);
    stats_destroy(s);
    stats_destroy(NULL);
}

TEST(stages_that_did_not_run_are_left_out) {
    stats *s = stats_create();
    stats_add_times(s, &(sv_times){.ms = {[SV_MATCH] = 5, [SV_REFINE] = 2}});
    assert_int_equal(stats_of(s, STATS_UPLOAD).samples, 0);
    assert_near(stats_of(s, STATS_MATCH).median, 5, 1e-4);
    assert_near(stats_of(s, STATS_REFINE).median, 2, 1e-4);
    for (int i = 0; i < SV_STAGE_COUNT; i++) {
        bool known = false;
        for (int j = 0; j < STATS_SERIES_COUNT; j++) known |= !strcmp(sv_stage_name(i), stats_series_name(j));
        assert_true(known);
    }
    stats_destroy(s);
}

TEST(rates_are_per_second) {
    stats *s = stats_create();
    assert_near(stats_rate(s, STATS_DRAWN), 0, 1e-4);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 1), 0, 1e-4);
    stats_tick(s, STATS_DRAWN, 100);
    assert_near(stats_rate(s, STATS_DRAWN), 0, 1e-4);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 100), 0, 1e-4);
    /* 10 a second for 20 seconds, then 50 a second for 5. */
    for (int i = 1; i <= 200; i++) stats_tick(s, STATS_DRAWN, 100 + i / 10.0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 120.05), 10, 1e-4);
    for (int i = 1; i <= 250; i++) stats_tick(s, STATS_DRAWN, 120 + i / 50.0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 125), 50, 1e-4);
    assert_near(stats_rate(s, STATS_DRAWN), 450 / 25.0, 1e-4);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 127.5), 0, 1e-4); /* it has stopped */
    /* More in two seconds than are stored. */
    for (int i = 1; i <= 4000; i++) stats_tick(s, STATS_DRAWN, 130 + i / 2000.0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 132), 2000, 1e-4);
    assert_int_equal(stats_count(s, STATS_DRAWN), 4451);
    /* One in seven seconds. */
    stats_tick(s, STATS_DRAWN, 200);
    stats_tick(s, STATS_DRAWN, 207);
    for (double now = 207; now <= 214; now++) assert_near(7 * stats_recent_rate(s, STATS_DRAWN, now), 1, 1e-4);
    assert_near(9 * stats_recent_rate(s, STATS_DRAWN, 216), 1, 1e-4); /* the next one is late */
    assert_near(stats_recent_rate(s, STATS_DRAWN, 222), 0, 1e-4);
    assert_int_equal(stats_count(s, STATS_MATCHED), 0);
    stats_destroy(s);
}

static const stats_subject subject = {.version = "1.2",
                                      .backend = "cpu",
                                      .device = "A \"card\"\\\n\xc3\xa9",
                                      .method = "ncc",
                                      1242,
                                      375,
                                      64,
                                      1242.0 * 375 * 64};

static stats *filled(void) {
    stats *s = stats_create();
    stats_set_subject(s, &subject);
    stats_add(s, STATS_MATCH, 1.5);
    stats_add(s, STATS_MATCH, 2.5);
    stats_add(s, STATS_DECODE, 0.25);
    for (int i = 0; i < 3; i++) stats_tick(s, STATS_MATCHED, 10 + i * 0.5);
    return s;
}

TEST(json_has_every_figure) {
    stats *s = filled();
    const char *path = scratch_path("stats.json");
    assert_int_equal(stats_write(s, path, NULL), SV_OK);
    assert_string_equal(scratch_read(path, NULL),
                        "{\n"
                        "  \"version\": \"1.2\",\n"
                        "  \"backend\": \"cpu\",\n"
                        "  \"device\": \"A \\\"card\\\"\\\\\\u000a??\",\n"
                        "  \"method\": \"ncc\",\n"
                        "  \"width\": 1242,\n"
                        "  \"height\": 375,\n"
                        "  \"frames\": 3,\n"
                        "  \"stages\": {\n"
                        "    \"decode\": {\"median_ms\": 0.2500, \"p95_ms\": 0.2500},\n"
                        "    \"match\": {\"median_ms\": 2.0000, \"p95_ms\": 2.4500}\n"
                        "  },\n"
                        "  \"latency_ms\": {\"median\": null, \"p95\": null},\n"
                        "  \"rates\": {\"capture\": 0.0000, \"match\": 2.0000, \"draw\": 0.0000},\n"
                        "  \"drops\": {},\n"
                        "  \"damaged\": {\"kept\": 0, \"skipped\": 0, \"mistimed\": 0, \"lost\": 0}\n"
                        "}\n");
    stats_add(s, STATS_LATENCY, 12.34567);
    stats_set_drops(s, "late", 1);
    stats_add_damage(s, (stats_damage){.kept = 1, .skipped = 2});
    stats_add_damage(s, (stats_damage){.kept = 3, .mistimed = 2, .lost = 5});
    stats_set_drops(s, "no \"partner\"", 0);
    stats_set_drops(s, "late", 4);
    stats_set_figure(s, "skew_ms", 3);
    stats_set_figure(s, "vertical_offset_px", NAN);
    stats_set_figure(s, "skew_ms", -0.25);
    assert_int_equal(stats_write(s, path, NULL), SV_OK);
    assert_has(scratch_read(path, NULL), "\"latency_ms\": {\"median\": 12.3457, \"p95\": 12.3457}");
    assert_has(scratch_read(path, NULL), "\"drops\": {\"late\": 4, \"no \\\"partner\\\"\": 0},\n  \"damaged\": "
                                         "{\"kept\": 4, \"skipped\": 2, \"mistimed\": 2, \"lost\": 5},\n  \"skew_ms\": "
                                         "-0.2500,\n  \"vertical_offset_px\": null\n}\n");

    /* Another input begins with no figures. */
    stats_set_input(s, "first");
    stats_begin_input(s);
    stats_set_input(s, "second");
    stats_set_drops(s, "late", 1);
    assert_int_equal(stats_of(s, STATS_MATCH).samples, 0);
    assert_int_equal(stats_get_damage(s).kept, 4); /* of the whole run */
    assert_int_equal(stats_write(s, path, NULL), SV_OK);
    assert_has(scratch_read(path, NULL), "{\n  \"input\": \"second\",");
    assert_has(scratch_read(path, NULL), "\"frames\": 0,");
    assert_has(
        scratch_read(path, NULL),
        "\"drops\": {\"late\": 1},\n  \"damaged\": {\"kept\": 0, \"skipped\": 0, \"mistimed\": 0, \"lost\": 0}\n}\n");

    static const char *const many[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (int i = 0; i < 9; i++) stats_set_drops(s, many[i], 10 + i);
    assert_int_equal(stats_write(s, path, NULL), SV_OK);
    assert_has(scratch_read(path, NULL), ", \"7\": 16}");

    sv_error error;
    assert_int_equal(stats_write(s, scratch_path("no/folder.json"), &error), SV_FAILED);
    assert_has(error.text, "no/folder.json");
    stats_destroy(s);
}

enum { INPUTS = 100 };

static void *begin_many_inputs(void *of) {
    for (int i = 0; i < INPUTS; i++) {
        stats_tick(of, STATS_MATCHED, i);
        stats_begin_input(of);
    }
    return NULL;
}

/* As when a signal ends the program while another input is being opened: ThreadSanitizer finds no race. */
TEST(file_is_of_one_moment) {
    stats *s = stats_create();
    const char *path = scratch_path("moment.json");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, begin_many_inputs, s), 0);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(stats_write(s, path, NULL), SV_OK);
        const char *text = scratch_read(path, NULL);
        assert_true(strstr(text, "\"frames\": 0,") || strstr(text, "\"frames\": 1,"));
    }
    pthread_join(thread, NULL);
    stats_destroy(s);
}

FIXTURES(scratch_setup, scratch_teardown)
