/* Whether the matcher keeps up with its source: app/play/pace. */
#include "app/play/pace.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

TEST(pace_has_patience) {
    pace p = {0};
    pace_rates rates = {.source = 25, .matched = 22, .match_ms = 40};
    pace_update(&p, &rates, 1);
    pace_update(&p, &rates, 3.9);
    assert_false(p.behind);
    rates.matched = 23; /* above 90 %: patience begins anew */
    pace_update(&p, &rates, 4);
    rates.matched = 22;
    pace_update(&p, &rates, 5);
    pace_update(&p, &rates, 7.9);
    assert_false(p.behind);
    pace_update(&p, &rates, 8.1);
    assert_true(p.behind);
    rates.matched = 24; /* below 97 %: it stays */
    for (double now = 9; now < 20; now++) pace_update(&p, &rates, now);
    assert_true(p.behind);
    rates.matched = 24.5;
    pace_update(&p, &rates, 20);
    assert_true(p.behind);
    pace_update(&p, &rates, 23.1);
    assert_false(p.behind);
    /* Nothing to keep up with, and nothing that is known of the matcher. */
    rates = (pace_rates){.source = 0, .matched = 2};
    for (double now = 30; now < 40; now++) pace_update(&p, &rates, now);
    assert_false(p.behind);
    rates = (pace_rates){.source = 25, .matched = 0};
    for (double now = 40; now < 50; now++) pace_update(&p, &rates, now);
    assert_false(p.behind);
}

/* A run that has stopped matches nothing, whatever its pairs took. */
TEST(a_run_that_has_stopped_matches_nothing) {
    const pace_times times = {.match_ms = 80, .rest_ms = 4, .other_ms = 1};
    assert_true(pace_matched(&times, 7.5, 0.2) == 7.5);
    assert_true(fabs(pace_matched(&times, 0, 0.1) - 1e3 / 85) < 1e-9); /* the first pair alone */
    assert_true(pace_matched(&times, 0, 0.3) == 0);
    assert_true(pace_matched(&(pace_times){0}, 0, 0.1) == 0);
}

TEST(told_rates_agree_with_what_is_told) {
    const pace fine = {.behind = false}, behind = {.behind = true};
    const pace_rates slow = {.source = 12, .matched = 8}, fast = {.source = 7.6, .matched = 12.9};
    assert_true(pace_reports(&fine, &fast, 0));
    assert_true(pace_reports(&fine, &slow, 0));
    assert_false(pace_reports(&behind, &slow, 1.9));
    assert_true(pace_reports(&behind, &slow, 2));
    assert_false(pace_reports(&behind, &fast, 9));
}

TEST(pace_names_a_scale) {
    char text[160];
    /* 100 ms of matching become 12.5, and 8 ms of the rest 4. */
    pace_rates rates = {.source = 25, .matched = 1e3 / 108, .match_ms = 100, .rest_ms = 8};
    assert_string_equal(pace_describe(&rates, 1, text, sizeof text),
                        "this computer matches 9.3 of the 25 pairs per second; --scale 1/2 would keep up");
    rates.source = 100;
    assert_non_null(strstr(pace_describe(&rates, 1, text, sizeof text), "--scale 1/4 would keep up"));
    rates.source = 1000;
    assert_non_null(strstr(pace_describe(&rates, 1, text, sizeof text), "--scale 1/4 would be closest to real time"));
    /* From 1/2 on to 1/4 it is half the size, too. */
    rates.source = 50;
    assert_non_null(strstr(pace_describe(&rates, 2, text, sizeof text), "--scale 1/4 would keep up"));
    assert_non_null(strstr(pace_describe(&rates, 4, text, sizeof text), "fewer disparities"));
    rates.source = 100;
    assert_non_null(strstr(pace_describe(&rates, 2, text, sizeof text), "--scale 1/4 would be closest to real time"));
    /* What is spent elsewhere does not become less. */
    rates = (pace_rates){.source = 25, .matched = 10, .match_ms = 30, .rest_ms = 0};
    assert_non_null(strstr(pace_describe(&rates, 1, text, sizeof text), "would be closest to real time"));
}

/* The times of a pair are those of the last ones with its parameters, and of long matches few are enough. */
TEST(times_are_of_late) {
    pace_times t = {.match_ms = 0};
    sv_params params = sv_default_params(SV_SGM);
    sv_times times = {.ms = {[SV_MATCH] = 7000, [SV_REFINE] = 500}};
    pace_add_times(&t, &params, &times, 0); /* the first match is slow */
    assert_true(t.match_ms == 7000 && t.rest_ms == 500 && t.other_ms == 0);
    times = (sv_times){.ms = {[SV_MATCH] = 1200, [SV_REFINE] = 300}};
    for (int i = 0; i < 3; i++) pace_add_times(&t, &params, &times, 0);
    assert_true(fabs(t.match_ms - 1200) < 120 && fabs(t.rest_ms - 300) < 30);
    params.scale = 2;
    times = (sv_times){.ms = {[SV_MATCH] = 30, [SV_REFINE] = 10}};
    pace_add_times(&t, &params, &times, 5);
    assert_true(t.match_ms == 30 && t.rest_ms == 10 && t.other_ms == 5);
    times.ms[SV_MATCH] = 130;
    pace_add_times(&t, &params, &times, 5);
    assert_true(fabs(t.match_ms - 40) < 1e-3); /* one of about ten */
}

/* A camera in dim light sends fewer pictures than it promises: what counts is what arrives. */
TEST(arrivals_have_a_rate) {
    pace_arrivals arrivals = {0};
    /* 30 pairs a second are promised, and 10 arrive; it looks 32 times a second. */
    double rate = 0;
    for (int i = 0; i < 32 * 20; i++) {
        const double now = 1000 + i / 32.0;
        rate = pace_arrival_rate(&arrivals, 500 + (int64_t)(10 * (now - 1000)), now);
        if (now < 1002) assert_true(rate == 0); /* not known yet */
        if (now >= 1002) assert_true(fabs(rate - 10) <= 0.5);
    }
    /* It sees within seconds that the camera sends more, or nothing. */
    for (int i = 0; i <= 32 * 4; i++)
        rate = pace_arrival_rate(&arrivals, 700 + (int64_t)(30 * i / 32.0), 1020 + i / 32.0);
    assert_true(fabs(rate - 30) <= 0.5);
    for (int i = 0; i <= 32 * 4; i++) rate = pace_arrival_rate(&arrivals, 820, 1024 + i / 32.0);
    assert_true(rate == 0);
}

/* A recording of 30 frames a second plays as fast as it is matched; what is nearly real time counts as such. */
TEST(recordings_play_as_they_are_matched) {
    assert_true(fabs(pace_of_real_time(30, 7, 1) - 7 / 30.0) <= 1e-9);
    assert_true(pace_of_real_time(30, 29.9, 1) == 0);
    assert_true(fabs(pace_of_real_time(30, 29.9, 2) - 1) <= 0.01); /* more is requested than it reaches */
    assert_true(pace_of_real_time(0, 7, 1) == 0);
}
