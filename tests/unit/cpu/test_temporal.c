/* The temporal filter on every backend, against its definition: which frames a map depends on, and how. */
#include "stereo/cancel.h"
#include "tests/support/pairs.h"
#include "tests/support/reference_temporal.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 12 };

/* Some frames of a scene, and their maps without the filter. */
typedef struct recording {
    int width, height, count;
    scene frames[FRAMES];
    float *disparity[FRAMES];
    uint8_t *reason[FRAMES];
} recording;

static void take_maps(const scene *s, float *disparity, uint8_t *reason) {
    const int width = s->pair.left.width;
    for (int i = 0; i < width * s->pair.left.height; i++) {
        disparity[i] = disparity_at(s, i % width, i / width);
        reason[i] = (uint8_t)reason_at(s, i % width, i / width);
    }
}

/* Makes both pictures of a frame from those of the frame before: mostly the same, a little brighter in places, and
 * elsewhere as in a new scene, which changes the disparities with the picture or, less often, alone. */
static void continue_scene(const scene *from, const scene *to) {
    const int width = to->pair.left.width, height = to->pair.left.height, brighter = random_below(9);
    const int x0 = random_below(width), y0 = random_below(height), shift = random_below(4);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int left = *grey_at(&from->pair.left, x, y) + (x > x0 ? brighter : 0);
            const int at = x >= x0 && y >= y0 && x + shift < width ? x + shift : x;
            *grey_at(&to->pair.left, x, y) = (uint8_t)(left > 255 ? left - 255 : left);
            *grey_at(&to->pair.right, x, y) = *grey_at(&from->pair.right, at, y);
        }
    if (random_below(3) == 0)
        for (int y = 0; y < y0; y++)
            for (int x = 0; x < x0; x++) *grey_at(&to->pair.left, x, y) = (uint8_t)random_below(256);
}

/* `params`: those of the maps, without the filter. */
static recording new_recording(const sv_backend *backend, int width, int height, int count, const sv_params *params) {
    recording r = {.width = width, .height = height, .count = count};
    assert_int_equal(params->temporal, 1);
    for (int i = 0; i < count; i++) {
        r.frames[i] = new_scene(width, height, i % 3);
        if (i)
            continue_scene(&r.frames[i - 1], &r.frames[i]);
        else
            fill_random(&r.frames[0]);
        r.frames[i].pair.number = i + 1;
        match(backend, &r.frames[i], params);
        r.disparity[i] = malloc(sizeof(float) * (size_t)(width * height));
        r.reason[i] = malloc((size_t)(width * height));
        take_maps(&r.frames[i], r.disparity[i], r.reason[i]);
    }
    return r;
}

static void free_recording(recording *r) {
    for (int i = 0; i < r->count; i++) {
        free_scene(&r->frames[i]);
        free(r->disparity[i]);
        free(r->reason[i]);
    }
}

/* Checks that the maps of frame `n` are those of the definition if it is filtered with `before` frames. */
static void check_frame(const recording *r, int n, int before) {
    const int pixels = r->width * r->height;
    float *disparity = malloc(sizeof *disparity * (size_t)pixels);
    uint8_t *reason = malloc((size_t)pixels);
    reference_frame frames[FRAMES];
    for (int i = 0; i <= before; i++)
        frames[i] = (reference_frame){&r->frames[n - i].pair.left, r->disparity[n - i], r->reason[n - i]};
    reference_temporal(frames, before + 1, disparity, reason);
    for (int i = 0; i < pixels; i++) {
        const int x = i % r->width, y = i / r->width;
        const float got = disparity_at(&r->frames[n], x, y);
        if (memcmp(&got, &disparity[i], sizeof got) || reason_at(&r->frames[n], x, y) != reason[i])
            fail_msg("frame %d, pixel (%d, %d) of %d x %d: %.9g (%s), should be %.9g (%s) of %d frames", n, x, y,
                     r->width, r->height, (double)got, sv_reason_name(reason_at(&r->frames[n], x, y)),
                     (double)disparity[i], sv_reason_name(reason[i]), before + 1);
    }
    free(disparity);
    free(reason);
}

static void submit_frame(sv_matcher *matcher, const recording *r, int n, const sv_params *params) {
    submit(matcher, &r->frames[n], params);
    wait_for(matcher);
}

/* Matches frame `n`, and checks that it is filtered with `before` frames. */
static void match_frame(sv_matcher *matcher, const recording *r, int n, const sv_params *params, int before) {
    submit_frame(matcher, r, n, params);
    check_frame(r, n, before);
}

/* Without any refinement, for maps with many values and many gaps. */
static sv_params rough(int method) {
    sv_params params = params_of(method, 1, 0, 12);
    params.left_right_check = ONE_OF(-1, 1, 1);
    return params;
}

static int less(int a, int b) { return a < b ? a : b; }

TEST_BACKENDS(maps_are_those_of_the_definition) {
    static const char *const sets[] = {"portable", "avx2", "all"};
    static const int sizes[][2] = {{1, 1}, {33, 9}, {2, 40}, {300, 31}};
    seed_random(1);
    for (int round = 0; goes_on(round, quick() ? 4 : 16); round++) {
        sv_params params = rough(ONE_OF(SV_SSD, SV_SGM));
        params.scale = ONE_OF(1, 1, 1, 2);
        recording r = new_recording(backend, sizes[round % 4][0], sizes[round % 4][1], FRAMES, &params);
        setenv("SV_CPU", sets[round % 3], 1);
        sv_matcher *matcher = new_matcher(backend, r.width, r.height, 1 + round % 3);
        params.temporal = 2 + round % (SV_MAX_TEMPORAL - 1);
        for (int i = 0; i < FRAMES; i++) match_frame(matcher, &r, i, &params, less(i, params.temporal - 1));
        sv_matcher_destroy(matcher);
        free_recording(&r);
    }
    unsetenv("SV_CPU");
}

/* A pixel is averaged where it stays, filled where it was, outvoted where it is alone, and left as it is where the
 * picture changes: what the definition of the test above says, on values that are known. */
TEST_BACKENDS(still_pixels_are_averaged) {
    sv_params params = params_of(SV_SSD, 0, 0, 12);
    params.left_right_check = -1;
    params.max_cost = 1;
    params.subpixel = 0;
    enum { WIDTH = 40, HEIGHT = 10 };
    recording r = {.width = WIDTH, .height = HEIGHT, .count = 3};
    for (int i = 0; i < 3; i++) {
        r.frames[i] = new_scene(WIDTH, HEIGHT, 0);
        r.frames[i].pair.number = 7 + i;
        seed_random(5);
        fill_noise(&r.frames[i].pair.left, 256, 1);
        fill_shifted(&r.frames[i].pair.right, &r.frames[i].pair.left, i < 2 ? 4 : 5);
    }
    /* In the newest frame a row has no match, a row another disparity, and another one is much brighter. */
    for (int x = 0; x < WIDTH; x++) {
        *grey_at(&r.frames[2].pair.right, x, 1) = (uint8_t)(*grey_at(&r.frames[2].pair.right, x, 1) ^ 0x80);
        *grey_at(&r.frames[2].pair.right, x, 4) = x + 9 < WIDTH ? *grey_at(&r.frames[2].pair.left, x + 9, 4) : 0;
    }
    params.temporal = 3;
    sv_matcher *matcher = new_matcher(backend, WIDTH, HEIGHT, 0);
    for (int i = 0; i < 3; i++) submit_frame(matcher, &r, i, &params);
    /* A window of one pixel finds some other matches, too, by chance. */
    int averaged = 0, filled = 0, outvoted = 0;
    for (int x = 14; x < WIDTH - 12; x++) {
        const float mean = 16.0f * (5 + 4 + 4) / (16.0f * 3);
        averaged += disparity_at(&r.frames[2], x, 8) == mean && reason_at(&r.frames[2], x, 8) == SV_VALID;
        filled += disparity_at(&r.frames[2], x, 1) == 4 && reason_at(&r.frames[2], x, 1) == SV_FILLED;
        outvoted += disparity_at(&r.frames[2], x, 4) == 4 && reason_at(&r.frames[2], x, 4) == SV_VALID;
    }
    assert_true(averaged > 8 && filled > 8 && outvoted > 8);

    /* The same pictures, but those before were darker. */
    for (int i = 0; i < 2; i++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                *grey_at(&r.frames[i].pair.left, x, y) /= 2;
                *grey_at(&r.frames[i].pair.right, x, y) /= 2;
            }
    for (int i = 0; i < 3; i++) submit_frame(matcher, &r, i, &params);
    for (int x = 14; x < WIDTH - 12; x++)
        assert_true(disparity_at(&r.frames[2], x, 8) == floorf(disparity_at(&r.frames[2], x, 8)));
    sv_matcher_destroy(matcher);
    for (int i = 0; i < 3; i++) free_scene(&r.frames[i]);
}

/* A map depends on a fixed number of frames before it, wherever the run began. */
TEST_BACKENDS(maps_do_not_depend_on_the_beginning) {
    enum { LAST = FRAMES - 1, AVERAGED = 4 };
    seed_random(2);
    sv_params params = rough(SV_SSD);
    recording r = new_recording(backend, 61, 40, FRAMES, &params);
    params.temporal = AVERAGED;
    for (int first = 0; first <= LAST - AVERAGED + 1; first++) {
        sv_matcher *matcher = new_matcher(backend, r.width, r.height, 0);
        for (int i = first; i < LAST; i++) submit_frame(matcher, &r, i, &params);
        match_frame(matcher, &r, LAST, &params, AVERAGED - 1);
        sv_matcher_destroy(matcher);
    }
    free_recording(&r);
}

/* Frames go on as long as their numbers do, and nothing else changes. */
TEST_BACKENDS(anything_else_begins_anew) {
    seed_random(3);
    sv_params params = rough(SV_SSD), other = params;
    recording r = new_recording(backend, 50, 30, FRAMES, &params);
    sv_matcher *matcher;
    const sv_matcher_options any = {0};
    assert_int_equal(sv_matcher_create(backend, &any, &matcher, NULL), SV_OK);
    params.temporal = 3;
    other.temporal = 5;
    match_frame(matcher, &r, 0, &params, 0);
    match_frame(matcher, &r, 1, &params, 1);
    match_frame(matcher, &r, 2, &params, 2);
    match_frame(matcher, &r, 3, &params, 2);
    /* A frame left out, the same frame again, and a frame before. */
    match_frame(matcher, &r, 5, &params, 0);
    match_frame(matcher, &r, 6, &params, 1);
    match_frame(matcher, &r, 6, &params, 0);
    match_frame(matcher, &r, 7, &params, 1);
    match_frame(matcher, &r, 2, &params, 0);
    match_frame(matcher, &r, 3, &params, 1);
    /* Other parameters, a longer and a shorter run of frames among them. */
    match_frame(matcher, &r, 4, &other, 0);
    match_frame(matcher, &r, 5, &other, 1);
    for (int i = 6; i < 10; i++) match_frame(matcher, &r, i, &other, less(i - 4, 4));
    match_frame(matcher, &r, 10, &params, 0);
    match_frame(matcher, &r, 11, &params, 1);
    /* Pairs by themselves. */
    r.frames[0].pair.number = r.frames[1].pair.number = 0;
    match_frame(matcher, &r, 0, &params, 0);
    match_frame(matcher, &r, 1, &params, 0);
    match_frame(matcher, &r, 2, &params, 0);
    match_frame(matcher, &r, 3, &params, 1);
    /* Pictures of another size. */
    scene small = new_scene(20, 20, 0);
    fill_random(&small);
    small.pair.number = 5;
    submit(matcher, &small, &params);
    wait_for(matcher);
    match_frame(matcher, &r, 5, &params, 0);
    /* A pair that is refused, and one that is not a frame. */
    sv_params wrong = params;
    sv_error error;
    wrong.median = 4;
    assert_int_equal(sv_submit(matcher, &r.frames[6].pair, &wrong, &r.frames[6].output, &error), SV_USAGE);
    match_frame(matcher, &r, 6, &params, 1);
    sv_pair negative = r.frames[7].pair;
    negative.number = -1;
    assert_int_equal(sv_submit(matcher, &negative, &params, &r.frames[7].output, &error), SV_USAGE);
    assert_non_null(strstr(error.text, "number of the pair is -1"));
    match_frame(matcher, &r, 7, &params, 2);
    sv_matcher_destroy(matcher);
    free_scene(&small);
    free_recording(&r);
}

/* A match that was cancelled may have left anything behind. */
TEST(cancelled_frames_begin_anew) {
    sv_params params = rough(SV_SSD);
    recording r = new_recording(&sv_cpu, 50, 30, 5, &params);
    sv_matcher *matcher;
    sv_cancel *cancel = sv_cancel_new();
    const sv_matcher_options options = {.width = 50, .height = 30, .cancel = cancel};
    assert_int_equal(sv_matcher_create(&sv_cpu, &options, &matcher, NULL), SV_OK);
    params.temporal = 3;
    match_frame(matcher, &r, 0, &params, 0);
    match_frame(matcher, &r, 1, &params, 1);
    sv_cancel_ask(cancel, true);
    assert_int_equal(sv_submit(matcher, &r.frames[2].pair, &params, &r.frames[2].output, NULL), SV_CANCELLED);
    sv_cancel_ask(cancel, false);
    match_frame(matcher, &r, 2, &params, 0);
    match_frame(matcher, &r, 3, &params, 1);
    sv_matcher_destroy(matcher);
    sv_cancel_free(cancel);
    free_recording(&r);
}

/* With as many pairs in flight as there may be, the frames are filtered in their order. */
TEST_BACKENDS(frames_in_flight_keep_their_order) {
    seed_random(4);
    sv_params params = rough(SV_SGM);
    recording r = new_recording(backend, 200, 60, FRAMES, &params);
    sv_matcher *matcher = new_matcher(backend, r.width, r.height, 0);
    params.temporal = 5;
    for (int i = 0; i < FRAMES + SV_IN_FLIGHT; i++) {
        if (i >= SV_IN_FLIGHT) wait_for(matcher);
        if (i < FRAMES) submit(matcher, &r.frames[i], &params);
    }
    for (int i = 0; i < FRAMES; i++) check_frame(&r, i, less(i, 4));
    sv_matcher_destroy(matcher);
    free_recording(&r);
}
