/* Pairs of live sources: the newest pair wins, drops are counted by cause, and a failed side comes back. */
#include "capture/pair.h"
#include "capture/split.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- A simulated camera: a picture or a failure whenever the test requests it ------------------- */

typedef struct camera {
    source base;
    pool *pool;
    const double *times; /* of the pictures; NAN: this read fails */
    double lead;         /* of its clock, as in a frame */
    int next;
    atomic_int asked; /* reads that were begun */
    atomic_bool interrupted;
    sem_t go;
} camera;

static sv_status camera_read(source *base, frame **out, sv_error *error) {
    camera *self = (camera *)base;
    atomic_fetch_add(&self->asked, 1);
    sem_wait(&self->go);
    if (atomic_load(&self->interrupted)) return SV_END;
    const double time = self->times[self->next++];
    if (isnan(time)) return sv_fail(error, SV_FAILED, "%s: made to fail", base->name);
    *out = frame_create(self->pool, base->info.width, base->info.height, true, false);
    (*out)->index = 1000 + self->next;
    (*out)->time = time;
    (*out)->lead = self->lead;
    return SV_OK;
}

static void camera_interrupt(source *base) {
    atomic_store(&((camera *)base)->interrupted, true);
    sem_post(&((camera *)base)->go);
}

static int cameras_open;
static atomic_int blocks; /* of memory that the cameras' pools have allocated, since a test set it to 0 */

static void *alloc_block(size_t bytes) {
    atomic_fetch_add(&blocks, 1);
    return malloc(bytes);
}

static void camera_close(source *base) {
    camera *self = (camera *)base;
    pool_close(self->pool);
    sem_destroy(&self->go);
    free(self);
    cameras_open--;
}

static camera *camera_with(char *name, const double *times) {
    static const source_operations operations = {camera_read, NULL, NULL, camera_interrupt, camera_close};
    camera *self = calloc(1, sizeof *self);
    self->base = (source){.operations = &operations,
                          .info = {.width = 8, .height = 4, .rate = 10, .frames = -1, .live = true},
                          .name = name};
    self->times = times;
    sem_init(&self->go, 0, 0);
    self->pool = pool_create((pool_memory){alloc_block, free});
    cameras_open++;
    return self;
}

#define CAMERA(name, ...) camera_with(name, (const double[]){__VA_ARGS__})

/* Lets the camera deliver `count` pictures and waits until all of them have been processed. */
static void deliver(camera *camera, int count) {
    for (int i = 0; i < count; i++) {
        const int target = camera->next + 2;
        sem_post(&camera->go);
        while (atomic_load(&camera->asked) < target) usleep(200);
    }
}

static pairing *pair(camera *left, camera *right) {
    pairing *pairing;
    sv_error error;
    warnings = 0;
    if (pairing_open(&pairing, &left->base, &right->base, 4, &error) != SV_OK) fail_msg("%s", error.text);
    return pairing;
}

/* The next pair has these times, and this number as the index of both. */
static void expect_pair(pairing *pairing, double left, double right, int number) {
    frame_pair pair;
    sv_error error;
    assert_true(pairing_wait(pairing, 0));
    assert_int_equal(pairing_next(pairing, &pair, &error), SV_OK);
    assert_true(pair.left->time == left && pair.right->time == right);
    assert_int_equal(pair.left->index, number);
    assert_int_equal(pair.right->index, number);
    frame_pair_release(&pair);
}

static void expect_drops(pairing *pairing, int left, int right, int late) {
    const pairing_counts counts = pairing_count(pairing);
    assert_int_equal(counts.dropped_left, left);
    assert_int_equal(counts.dropped_right, right);
    assert_int_equal(counts.dropped_late, late);
}

static void close_all(pairing *pairing) {
    pairing_close(pairing);
    assert_int_equal(cameras_open, 0);
}

/* ---- Pairing ---------------------------------------------------------------------------------- */

TEST(newest_pair_wins) {
    camera *left = CAMERA("left", 5, 5.1, 5.2, 5.3), *right = CAMERA("right", 5.01, 5.08, 5.2, 5.3);
    pairing *pairing = pair(left, right);
    assert_false(pairing_wait(pairing, 0.01));
    deliver(left, 1);
    assert_false(pairing_wait(pairing, 0.01));
    deliver(right, 1);
    expect_pair(pairing, 5, 5.01, 0);
    assert_false(pairing_wait(pairing, 0));
    deliver(left, 3);
    deliver(right, 3);
    expect_pair(pairing, 5.3, 5.3, 1);
    expect_drops(pairing, 0, 0, 2);
    assert_int_equal(pairing_count(pairing).pairs, 2);
    close_all(pairing);
}

TEST(frames_without_partner_are_counted_by_side) {
    camera *left = CAMERA("left", 5, 5.1, 5.3, 5.4), *right = CAMERA("right", 4.8, 5, 5.2, 5.27, 5.4);
    pairing *pairing = pair(left, right);
    deliver(right, 2); /* the first came before the left camera had started and has no partner */
    deliver(left, 4);
    expect_pair(pairing, 5, 5, 0);
    deliver(right, 3);
    expect_pair(pairing, 5.4, 5.4, 1);
    expect_drops(pairing, 1, 1, 1); /* 5.1; 5.2; and the pair of 5.3 and 5.27 */
    close_all(pairing);
}

TEST(silent_side_leaves_the_other_bounded) {
    enum { FRAMES = 30, QUEUE = 4 };
    double times[FRAMES];
    for (int i = 0; i < FRAMES; i++) times[i] = 7 + 0.1 * i;
    camera *left = camera_with("left", times), *right = CAMERA("right", 7, times[FRAMES - 2]);
    pairing *pairing = pair(left, right);
    deliver(right, 1);
    atomic_store(&blocks, 0);
    deliver(left, FRAMES);
    assert_in_range(atomic_load(&blocks), 1, QUEUE + 2); /* the queue, the pair, and the picture that arrives */
    expect_pair(pairing, 7, 7, 0);
    expect_drops(pairing, FRAMES - 1 - QUEUE, 0, 0);
    deliver(right, 1);
    expect_pair(pairing, times[FRAMES - 2], times[FRAMES - 2], 1);
    expect_drops(pairing, FRAMES - 3, 0, 0); /* all but the two that were paired and the last, which may be yet */
    close_all(pairing);
}

TEST(tolerance_can_be_chosen) {
    camera *left = CAMERA("left", 5, 5.1, 5.2), *right = CAMERA("right", 5.03, 5.11, 5.22);
    pairing *pairing = pair(left, right);
    assert_true(pairing_tolerance(pairing) == 0.05); /* half a frame */
    pairing_set_tolerance(pairing, 0.015);
    deliver(left, 3);
    deliver(right, 3);
    expect_pair(pairing, 5.1, 5.11, 0);
    assert_false(pairing_wait(pairing, 0));
    close_all(pairing);
}

TEST(skew_is_measured) {
    camera *left = CAMERA("left", 5, 5.1, 5.2), *right = CAMERA("right", 5.03, 5.09, 5.2);
    pairing *pairing = pair(left, right);
    static const double last[] = {0.03, -0.01, 0}, mean[] = {0.03, 0.02, 0.04 / 3};
    for (int i = 0; i < 3; i++) {
        frame_pair got;
        deliver(left, 1);
        deliver(right, 1);
        assert_int_equal(pairing_next(pairing, &got, NULL), SV_OK);
        frame_pair_release(&got);
        assert_true(fabs(pairing_count(pairing).skew_last - last[i]) < 1e-9);
        assert_true(fabs(pairing_count(pairing).skew_mean - mean[i]) < 1e-9);
    }
    close_all(pairing);
}

TEST(broken_pictures_of_both_sides_are_counted) {
    camera *left = CAMERA("left", 5), *right = CAMERA("right", 5);
    pairing *pairing = pair(left, right);
    atomic_store(&left->base.broken, 3);
    atomic_store(&right->base.broken, 4);
    assert_int_equal(pairing_count(pairing).broken, 7);
    close_all(pairing);
}

/* ---- Failures --------------------------------------------------------------------------------- */

TEST(failing_side_is_reported_and_comes_back) {
    camera *left = CAMERA("left", 5, 5.1, 6.2, 6.3), *right = CAMERA("right", 5, NAN, NAN, 6.2, 6.3);
    pairing *pairing = pair(left, right);
    char text[128] = "";
    deliver(left, 1);
    deliver(right, 1);
    expect_pair(pairing, 5, 5, 0);
    assert_false(pairing_trouble(pairing, text, sizeof text));
    sem_post(&right->go);
    for (int i = 0; i < 60000 && !pairing_trouble(pairing, text, sizeof text); i++) usleep(1000);
    assert_string_equal(text, "right: made to fail");
    assert_int_equal(warnings, 1);
    deliver(left, 1);
    assert_false(pairing_wait(pairing, 0));
    sem_post(&right->go);
    while (atomic_load(&right->asked) < 4)
        usleep(1000); /* it failed again in the same way, which is not reported again */
    assert_int_equal(warnings, 1);
    deliver(left, 1);
    deliver(right, 1);
    expect_pair(pairing, 6.2, 6.2, 1);
    assert_false(pairing_trouble(pairing, text, sizeof text));
    expect_drops(pairing, 1, 0, 0);
    close_all(pairing);
}

/* That the picture on the screen is an old one is known long before a source gives up. */
TEST(a_silent_side_is_reported) {
    camera *left = CAMERA("left", 5, 5.1), *right = CAMERA("right", 5, 5.1);
    pairing *pairing = pair(left, right);
    char text[128] = "";
    deliver(left, 1);
    deliver(right, 1);
    const double before = sv_seconds();
    for (int i = 0; i < 60000 && !pairing_trouble(pairing, text, sizeof text); i++) usleep(1000);
    assert_true(sv_seconds() - before > 0.9);
    assert_string_equal(text, "left: no picture for 1 s; the last one is shown");
    deliver(left, 1);
    for (int i = 0; i < 60000 && !pairing_trouble(pairing, text, sizeof text); i++) usleep(1000);
    assert_true(!strncmp(text, "right: no picture for ", 22));
    deliver(right, 1); /* whose intervals are longer now */
    assert_false(pairing_trouble(pairing, text, sizeof text));
    close_all(pairing);
}

/* The first pause is half a second, and each is twice the one before, up to three seconds; after a frame they begin
 * anew. A loaded machine makes them longer, by less than the differences between them. */
TEST(pauses_between_attempts_grow) {
    static const double least[] = {0, 0.5, 1, 2, 3, 0, 0.5}, most[] = {9, 9, 9, 9, 5.5, 9, 2.5};
    enum { ATTEMPTS = sizeof least / sizeof *least };
    camera *left = CAMERA("left", 5), *right = CAMERA("right", NAN, NAN, NAN, NAN, 5, NAN, 6);
    pairing *pairing = pair(left, right);
    double last = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        while (atomic_load(&right->asked) <= i) usleep(1000);
        const double now = sv_seconds();
        if (i > 0 && (now - last < least[i] - 0.05 || now - last > most[i]))
            fail_msg("attempt %d came after %.2f s", i, now - last);
        last = now;
        sem_post(&right->go);
    }
    close_all(pairing);
}

TEST(both_halves_of_a_failing_camera_come_back) {
    camera *whole = CAMERA("whole", 5, NAN, NAN, 5.5); /* one failure for each half */
    source *halves[2];
    sv_error error;
    warnings = 0;
    assert_int_equal(sources_split(&whole->base, &(split_options){.layout = SPLIT_SIDE_BY_SIDE}, halves, &error),
                     SV_OK);
    pairing *pairing;
    assert_int_equal(pairing_open(&pairing, halves[0], halves[1], 4, &error), SV_OK);
    for (int i = 0; i < 4; i++) sem_post(&whole->go);
    frame_pair got;
    for (int i = 0; i < 2; i++) {
        assert_true(pairing_wait(pairing, 5));
        assert_int_equal(pairing_next(pairing, &got, &error), SV_OK);
        assert_true(got.left->time == (i ? 5.5 : 5));
        assert_int_equal(got.left->grey.width, 4);
        frame_pair_release(&got);
    }
    assert_int_equal(warnings, 1);
    assert_string_equal(last_note, "whole: pictures arrive again");
    close_all(pairing);
}

TEST(it_ends_when_it_is_interrupted) {
    for (int failing = 0; failing < 2; failing++) {
        camera *left = CAMERA("left", 5), *right = CAMERA("right", NAN);
        pairing *pairing = pair(left, right);
        if (failing) sem_post(&right->go);
        while (failing && !pairing_trouble(pairing, (char[64]){""}, 64)) usleep(1000);
        frame_pair got;
        pairing_interrupt(pairing);
        assert_true(pairing_wait(pairing, 0));
        assert_int_equal(pairing_next(pairing, &got, NULL), SV_END);
        close_all(pairing);
    }
}

/* Frames that were not requested, and those still queued, are freed; the sanitizers check it. */
TEST(it_can_be_closed_with_a_pair_waiting) {
    camera *left = CAMERA("left", 5, 5.1), *right = CAMERA("right", 5);
    pairing *pairing = pair(left, right);
    deliver(left, 2);
    deliver(right, 1);
    assert_true(pairing_wait(pairing, 0));
    close_all(pairing);
}

/* Two streams whose stamps are equal, of which the right one arrives 0.08 s later; and two of other clocks. */
TEST(stamps_of_one_clock_make_the_pairs) {
    for (int one = 0; one < 2; one++) {
        camera *left = CAMERA("left", 5.0, 5.1, 5.2, 5.3), *right = CAMERA("right", 5.08, 5.18, 5.28, 5.38);
        left->lead = 3;
        right->lead = one ? 3.08 : 4;
        pairing *pairing = pair(left, right);
        deliver(left, 4);
        deliver(right, 2);
        expect_pair(pairing, one ? 5.1 : 5.2, 5.18, 0);
        assert_true(fabs(pairing_count(pairing).skew_last - (one ? 0 : -0.02)) < 1e-9);
        pairing_close(pairing);
    }
}

FIXTURES(reading_setup, scratch_teardown)
