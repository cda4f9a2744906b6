/* Two sources paired: by time, to the end of the shorter, through seeks, interruption and failure. */
#include "capture/pair.h"
#include "tests/support/clip.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/test.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Simulated sources ------------------------------------------------------------------------ */

static script *write_script(char *name, const double *times, int count) {
    script *self = script_write(name, times, count);
    assert_non_null(self);
    return self;
}

#define SCRIPT(name, ...)                                                                                              \
    write_script(name, (const double[]){__VA_ARGS__}, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)))

static pairing *pair_sources(source *left, source *right) {
    pairing *pairing;
    sv_error error;
    if (pairing_open(&pairing, left, right, 2, &error) != SV_OK) fail_msg("%s", error.text);
    return pairing;
}

static pairing *pair_scripts(script *left, script *right) {
    warnings = 0;
    return pair_sources(&left->base, &right->base);
}

static void expect_pair(pairing *pairing, int64_t left, int64_t right) {
    frame_pair pair;
    sv_error error;
    sv_status status = pairing_next(pairing, &pair, &error);
    if (status != SV_OK) fail_msg("no pair: %s", status == SV_END ? "the end" : error.text);
    assert_int_equal(pair.left->index, left);
    assert_int_equal(pair.right->index, right);
    frame_pair_release(&pair);
    assert_null(pair.left);
    assert_null(pair.right);
}

static void expect_end(pairing *pairing) {
    frame_pair pair;
    sv_error error;
    assert_int_equal(pairing_next(pairing, &pair, &error), SV_END);
}

static void expect_counts(pairing *pairing, int pairs, int left, int right) {
    pairing_counts counts = pairing_count(pairing);
    assert_int_equal(counts.pairs, pairs);
    assert_int_equal(counts.dropped_left, left);
    assert_int_equal(counts.dropped_right, right);
}

/* ---- Pairing ---------------------------------------------------------------------------------- */

TEST(a_pair_that_was_put_back_comes_again) {
    pairing *pairing = pair_scripts(SCRIPT("left", 0, 0.1, 0.2), SCRIPT("right", 0, 0.1, 0.2));
    frame_pair pair;
    sv_error error;
    assert_int_equal(pairing_next(pairing, &pair, &error), SV_OK);
    pairing_put_back(pairing, &pair);
    assert_null(pair.left);
    assert_true(pairing_ready(pairing));
    expect_pair(pairing, 0, 0);
    expect_counts(pairing, 1, 0, 0);
    assert_int_equal(pairing_next(pairing, &pair, &error), SV_OK);
    pairing_put_back(pairing, &pair);
    assert_int_equal(pairing_seek(pairing, 0.2, &error), SV_OK);
    expect_pair(pairing, 2, 2);
    assert_int_equal(pairing_seek(pairing, 0, &error), SV_OK);
    assert_int_equal(pairing_next(pairing, &pair, &error), SV_OK);
    pairing_put_back(pairing, &pair); /* and is released at the end */
    pairing_close(pairing);
    assert_int_equal(scripts_open, 0);
}

TEST(frames_within_half_a_frame_are_a_pair) {
    script *left = SCRIPT("left", 0, 0.1, 0.2, 0.3, 0.4, 0.5);
    script *right = SCRIPT("right", 0.04, 0.06, 0.149, 0.155, 0.27, 0.5, 0.51);
    pairing *pairing = pair_scripts(left, right);
    expect_pair(pairing, 0, 0);
    expect_pair(pairing, 1, 1);
    expect_pair(pairing, 2, 2 + 1); /* 0.149 has no partner left, 0.155 lies nearest to 0.2 */
    expect_pair(pairing, 3, 4);
    expect_pair(pairing, 5, 5);
    expect_end(pairing);
    expect_counts(pairing, 5, 1, 1);
    assert_int_equal(warnings, 0);
    pairing_close(pairing);
    assert_int_equal(scripts_open, 0);
}

TEST(nearest_frame_of_the_faster_side_is_the_partner) {
    enum { FRAMES = 20, MOST = 3 };
    static const int rates[][2] = {{25, 75}, {30, 60}};
    for (int i = 0; i < 2; i++)
        for (int swap = 0; swap < 2; swap++) {
            double slow[FRAMES], fast[MOST * FRAMES]; /* in whole milliseconds, as Matroska has them */
            const int slow_rate = rates[i][0], fast_rate = rates[i][1], ratio = fast_rate / slow_rate;
            for (int n = 0; n < FRAMES; n++) slow[n] = round(1e3 * n / slow_rate) / 1e3;
            for (int n = 0; n < ratio * FRAMES; n++) fast[n] = round(1e3 * n / fast_rate) / 1e3;
            script *slower = write_script("slow", slow, FRAMES), *faster = write_script("fast", fast, ratio * FRAMES);
            slower->base.info.rate = slow_rate;
            faster->base.info.rate = fast_rate;
            pairing *pairing = swap ? pair_scripts(faster, slower) : pair_scripts(slower, faster);
            for (int n = 0; n < FRAMES; n++) expect_pair(pairing, swap ? ratio * n : n, swap ? n : ratio * n);
            expect_end(pairing);
            assert_int_equal(warnings, 0); /* the faster side's last frames end when the slower side's last one does */
            pairing_close(pairing);
        }
}

TEST(shorter_side_ends_it) {
    for (int swap = 0; swap < 2; swap++) {
        script *shorter = SCRIPT("short", 0, 0.1), *longer = SCRIPT("long", 0, 0.1, 0.2, 0.3, 0.4);
        pairing *pairing = swap ? pair_scripts(longer, shorter) : pair_scripts(shorter, longer);
        assert_int_equal(pairing_info(pairing)->frames, 2);
        expect_pair(pairing, 0, 0);
        expect_pair(pairing, 1, 1);
        expect_end(pairing);
        expect_end(pairing);
        assert_int_equal(warnings, 1);
        assert_has(last_warning, "long is longer than short");
        assert_has(last_warning, ": 3");
        expect_counts(pairing, 2, 0, 0);
        pairing_close(pairing);
    }
}

TEST(a_pair_is_decoded_on_a_card_if_both_sides_are) {
    for (int i = 0; i < 4; i++) {
        script *left = SCRIPT("left", 0), *right = SCRIPT("right", 0);
        left->base.info.on_card = i % 2;
        right->base.info.on_card = i / 2;
        pairing *pairing = pair_scripts(left, right);
        assert_int_equal(pairing_info(pairing)->on_card, i == 3);
        pairing_close(pairing);
    }
}

TEST(seek_finds_both_sides) {
    script *left = SCRIPT("left", 0, 0.1, 0.2, 0.3), *right = SCRIPT("right", 0, 0.098, 0.199, 0.297);
    pairing *pairing = pair_scripts(left, right);
    sv_error error;
    for (int i = 0; i < 3; i++) {
        expect_pair(pairing, 0, 0);
        assert_int_equal(pairing_seek(pairing, 0.2, &error), SV_OK);
        expect_pair(pairing, 2, 2); /* though the right's comes a little before */
        expect_pair(pairing, 3, 3);
        expect_end(pairing);
        assert_int_equal(pairing_seek(pairing, 0, &error), SV_OK);
    }
    /* 0.199 has no partner from here on, but nobody asked for it. */
    assert_int_equal(pairing_seek(pairing, 0.21, &error), SV_OK);
    expect_pair(pairing, 3, 3);
    assert_int_equal(warnings, 0);
    assert_int_equal(pairing_count(pairing).dropped_right, 0);
    pairing_close(pairing);
}

/* ---- Gaps, and files that start at different times --------------------------------------------- */

enum { LONG = 60, GAP_AT = 20 };

/* Frames at 10 per second, those from GAP_AT on later by `gap` seconds; the file states its length. */
static script *write_gap(char *name, double times[LONG], int count, double gap) {
    for (int i = 0; i < count; i++) times[i] = 0.1 * i + (i >= GAP_AT ? gap : 0);
    script *self = write_script(name, times, count);
    self->base.info.duration = times[count - 1] + 0.1;
    return self;
}

TEST(place_where_pictures_are_lost_is_reported) {
    double times[2][LONG];
    script *left = write_gap("left", times[0], LONG, 0);
    script *right = write_gap("right", times[1], LONG - 20, 2); /* 20 pictures are missing behind number 19 */
    pairing *pairing = pair_scripts(left, right);
    for (int i = 0; i < GAP_AT; i++) expect_pair(pairing, i, i);
    for (int i = GAP_AT; i < LONG - 20; i++) expect_pair(pairing, i + 20, i);
    expect_end(pairing);
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "right: there are no pictures in the 2 s before frame 20");
    expect_counts(pairing, LONG - 20, 20, 0);
    assert_int_equal(pairing_seek(pairing, 4.975, NULL), SV_OK);
    expect_pair(pairing, 50, 30);
    pairing_close(pairing);
}

TEST(offset_moves_the_right_side) {
    for (int offset = -2; offset <= 2; offset++) {
        double times[2][LONG];
        pairing *pairing = pair_scripts(write_gap("left", times[0], 30, 0), write_gap("right", times[1], 30, 0));
        pairing_set_offset(pairing, 0.1 * offset);
        assert_true(pairing_offset(pairing) == 0.1 * offset);
        const int first = offset < 0 ? -offset : 0;
        for (int i = first; i < first + 20; i++) expect_pair(pairing, i, i + offset);
        assert_true(fabs(pairing_count(pairing).skew_last) < 1e-9);
        expect_counts(pairing, 20, 0, 0);
        /* While it runs. */
        pairing_set_offset(pairing, -0.1 * offset);
        assert_int_equal(pairing_seek(pairing, 1.5, NULL), SV_OK);
        for (int i = 15; i < 20; i++) expect_pair(pairing, i, i - offset);
        assert_int_equal(pairing_seek_frame(pairing, 15, NULL), SV_OK);
        for (int i = 15; i < 20; i++) expect_pair(pairing, i, i - offset);
        pairing_close(pairing);
    }
}

/* The message, and the offset that follows from the start times of both files. */
TEST(starts_are_compared_where_they_can_be) {
    static const struct {
        const char *left_clock, *right_clock;
        double left, right, offset;
        const char *said;
    } cases[] = {
        {"mkv", "mkv", 0, 0, 0, "own time stamps: both start together"},
        {"mkv", "mkv", 0, 0.1, -0.1, "own time stamps: right starts 100 ms later"},
        {"ts", "ts", 80.3, 80, 0.3, "own time stamps: left starts 300 ms later"},
        {"ts", "ts", 80, 82, 0, "since each file's first picture"},
        {"ts", "mkv", 0, 0.1, 0, "since each file's first picture"},
        {"", "", 0, 0.1, 0, "since each file's first picture"},
        {SOURCE_WALL_CLOCK, SOURCE_WALL_CLOCK, 1.6e9, 1.6e9 + 2, -2, "right starts 2000 ms later"},
        {SOURCE_WALL_CLOCK, SOURCE_WALL_CLOCK, 1.6e9, 1.6e9 + 7, 0, "since each file's first picture"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double times[2][LONG];
        script *left = write_gap("left", times[0], LONG, 0), *right = write_gap("right", times[1], LONG, 0);
        left->base.info.start = cases[i].left;
        right->base.info.start = cases[i].right;
        strcpy(left->base.info.clock, cases[i].left_clock);
        strcpy(right->base.info.clock, cases[i].right_clock);
        pairing *pairing = pair_scripts(left, right);
        pairing_follow_clocks(pairing);
        assert_true(fabs(pairing_offset(pairing) - cases[i].offset) < 1e-9);
        assert_has(last_note, cases[i].said);
        pairing_close(pairing);
    }
}

/* ---- Interruption ----------------------------------------------------------------------------- */

static void *interrupt_soon(void *pairing) {
    usleep(20000);
    pairing_interrupt(pairing);
    return NULL;
}

TEST(interrupt_ends_a_wait) {
    script *left = SCRIPT("left", 0, 0.1), *right = SCRIPT("right", 0);
    left->blocks = right->blocks = true;
    pairing *pairing = pair_scripts(left, right);
    expect_pair(pairing, 0, 0);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, pairing), 0);
    expect_end(pairing);
    pthread_join(thread, NULL);
    expect_end(pairing);
    sv_error error;
    assert_int_equal(pairing_seek(pairing, 0, &error), SV_OK);
    expect_end(pairing);
    pairing_close(pairing);
    assert_int_equal(scripts_open, 0);
}

/* ---- Real files ------------------------------------------------------------------------------- */

static pairing *pair_files(const char *left, const char *right) {
    source_options options = {.colour = false};
    source *l = open_with(left, options);
    return pair_sources(l, open_with(right, options));
}

static int64_t number_of(const frame *frame) {
    return clip_number(frame->grey.data, frame->grey.stride, frame->grey.width, frame->grey.height, false);
}

static const clip whole = {"mpeg4",      AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 64,
                           .height = 48, .rate = 25,         .frames = 20,     .between = 1};

TEST(missing_frame_is_left_out) {
    clip holed = whole;
    holed.missing = 7;
    holed.codec = "mjpeg";
    holed.between = 0;
    clip_write(scratch_path("left.mkv"), &whole, clip_paint_number);
    clip_write(scratch_path("right.mkv"), &holed, clip_paint_number);
    pairing *pairing = pair_files(scratch_path("left.mkv"), scratch_path("right.mkv"));
    frame_pair pair;
    sv_error error;
    for (int i = 0; i < 20; i++) {
        if (i == 7) continue;
        assert_int_equal(pairing_next(pairing, &pair, &error), SV_OK);
        assert_int_equal(number_of(pair.left), i);
        assert_int_equal(number_of(pair.right), i);
        frame_pair_release(&pair);
    }
    expect_end(pairing);
    expect_counts(pairing, 19, 1, 0);
    pairing_close(pairing);
}

/* Its time still passes, so that those after it keep their partners. */
TEST(broken_first_frame_does_not_shift_the_rest) {
    clip moving = whole;
    moving.codec = "mjpeg";
    moving.between = 0;
    clip_write(scratch_path("good.avi"), &moving, clip_paint_number);
    clip_write(scratch_path("other.mkv"), &whole, clip_paint_number);
    size_t size;
    char *bytes = (char *)scratch_read(scratch_path("good.avi"), &size);
    char *first = memmem(bytes, size, "movi", 4); /* the pictures' chunks follow */
    assert_non_null(first);
    first += 4;
    assert_memory_equal(first, "00dc", 4);
    uint32_t length;
    memcpy(&length, first + 4, sizeof length);
    memset(first + 8, 0xff, length);
    scratch_write("bad.avi", bytes, size);
    for (int swap = 0; swap < 2; swap++) {
        const char *bad = scratch_path("bad.avi"), *good = scratch_path("other.mkv");
        pairing *pairing = swap ? pair_files(good, bad) : pair_files(bad, good);
        sv_error error;
        for (int round = 0; round < 2; round++) {
            frame_pair pair;
            for (int i = 1; i < 20; i++) {
                if (pairing_next(pairing, &pair, &error) != SV_OK) fail_msg("no pair %d", i);
                assert_int_equal(number_of(pair.left), i);
                assert_int_equal(number_of(pair.right), i);
                assert_int_equal(pair.left->index, i);
                assert_int_equal(pair.right->index, i);
                frame_pair_release(&pair);
            }
            expect_end(pairing);
            assert_int_equal(pairing_seek(pairing, 0, &error), SV_OK);
        }
        expect_counts(pairing, 38, swap, !swap);
        pairing_close(pairing);
    }
}

TEST(files_of_unequal_length_end_at_the_shorter) {
    clip shorter = whole;
    shorter.frames = 17;
    clip_write(scratch_path("left.mp4"), &whole, clip_paint_number);
    clip_write(scratch_path("right.mp4"), &shorter, clip_paint_number);
    pairing *pairing = pair_files(scratch_path("left.mp4"), scratch_path("right.mp4"));
    for (int i = 0; i < 17; i++) expect_pair(pairing, i, i);
    expect_end(pairing);
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "left.mp4 is longer than");
    assert_has(last_warning, ": 3");
    sv_error error;
    assert_int_equal(pairing_seek(pairing, 5 / 25.0, &error), SV_OK);
    for (int i = 5; i < 17; i++) expect_pair(pairing, i, i);
    expect_end(pairing);
    pairing_close(pairing);
}

TEST(it_can_be_closed_at_any_moment) {
    clip_write(scratch_path("s.mkv"), &whole, clip_paint_number);
    frame_pair kept = {NULL, NULL};
    for (int i = 0; i < 60; i++) {
        pairing *pairing = pair_files(scratch_path("s.mkv"), scratch_path("s.mkv"));
        frame_pair pair;
        sv_error error;
        for (int n = 0; n < i % 7; n++) {
            if (i % 3 == 0 && n == 2) assert_int_equal(pairing_seek(pairing, 0.04 * i, &error), SV_OK);
            if (pairing_next(pairing, &pair, &error) != SV_OK) break;
            frame_pair_release(&kept);
            kept = pair; /* frames outlive the pairing */
        }
        if (i % 4 == 0) usleep(100 * (i % 20));
        pairing_close(pairing);
        if (kept.left) assert_in_range(number_of(kept.left), 0, 19);
    }
    frame_pair_release(&kept);
    frame_pair_release(&kept);
    pairing_close(NULL);
}

/* Two that run half a frame apart, with time stamps in milliseconds, are paired alike throughout and after a seek. */
TEST(cameras_half_a_frame_apart_are_paired_alike) {
    enum { FRAMES = 24 };
    double left[FRAMES], right[FRAMES];
    for (int early = 0; early < 2; early++)
        for (int jitter = 0; jitter < 3; jitter++) {
            for (int n = 0; n < FRAMES; n++) {
                left[n] = n * 0.1;
                right[n] = n * 0.1 + (early ? -0.05 : 0.05) + 0.0005 * jitter * (n * 7 % 3 - 1);
            }
            pairing *pairing = pair_scripts(write_script("left", left, FRAMES), write_script("right", right, FRAMES));
            for (int n = 0; n + early < FRAMES; n++) expect_pair(pairing, n, n + early);
            expect_end(pairing);
            for (int n = 1; n + early < FRAMES; n++) {
                sv_error error;
                assert_int_equal(pairing_seek_frame(pairing, n, &error), SV_OK);
                expect_pair(pairing, n, n + early);
            }
            pairing_close(pairing);
        }
}

FIXTURES(reading_setup, scratch_teardown)
