/* Alignment while pairs are played: app/calibrate/live_align, on a rendered scene whose right camera is turned about
 * its axis. */
#include "app/calibrate/live_align.h"
#include "capture/synthetic/synthetic.h"
#include "rig/rectify.h"
#include "stereo/pixel.h"
#include "tests/support/backend.h"
#include "tests/support/reading.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 480, MOST = 9 };

static const double limit = 600; /* seconds, of a busy machine */

static rig_options options_of(void) { return (rig_options){.fov = 60, .rectify_alpha = -1}; }

static pool *memory;

/* One side of the scene in grey, turned clockwise by `degrees` about its middle. */
static frame *render(int64_t index, scene_side side, double degrees) {
    static uint8_t colours[HEIGHT * WIDTH * 4], grey[HEIGHT * WIDTH];
    const sv_image colour = {colours, 4 * WIDTH, WIDTH, HEIGHT, SV_COLOUR8, SV_HOST};
    const scene scene = scene_demo();
    const double angle = degrees * M_PI / 180, c = cos(angle), s = sin(angle);
    frame *f = frame_create(memory, WIDTH, HEIGHT, true, false);
    assert_non_null(f);
    f->index = index;
    scene_render(&scene, 9 * index, side, colour);
    for (int i = 0; i < WIDTH * HEIGHT; i++) grey[i] = colours[4 * i + 1];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double dx = x - (WIDTH - 1) / 2.0, dy = y - (HEIGHT - 1) / 2.0;
            const double u = c * dx + s * dy + (WIDTH - 1) / 2.0, v = c * dy - s * dx + (HEIGHT - 1) / 2.0;
            const int i = (int)floor(u), j = (int)floor(v);
            uint8_t *to = (uint8_t *)sv_row(&f->grey, y) + x;
            *to = 0;
            if (i < 0 || j < 0 || i + 1 >= WIDTH || j + 1 >= HEIGHT) continue;
            const uint8_t *from = grey + j * WIDTH + i;
            *to = (uint8_t)lround((1 - (v - j)) * ((1 - (u - i)) * from[0] + (u - i) * from[1]) +
                                  (v - j) * ((1 - (u - i)) * from[WIDTH] + (u - i) * from[WIDTH + 1]));
        }
    return f;
}

/* Offers pairs `first` to `end` - 1, each when the one before has been searched. */
static void offer(live_align *a, int first, int end, scene_side right, double degrees) {
    for (int i = first; i < end; i++) {
        const double until = sv_seconds() + limit;
        frame_pair pair = {render(i, SCENE_LEFT, 0), render(i, right, degrees)};
        const int before = live_align_get_state(a).searched;
        live_align_offer(a, &pair);
        live_align_offer(a, &pair); /* counts once */
        frame_pair_release(&pair);
        while (live_align_get_state(a).searched == before && sv_seconds() < until) usleep(2000);
        assert_int_equal(live_align_get_state(a).searched, before + 1);
    }
}

/* Takes the rig, with its right camera turned by `degrees`. */
static void take(live_align *a, double degrees) {
    sv_rectification r;
    sv_rig rig;
    char note[160];
    if (!live_align_take(a, &rig, &r, note, sizeof note)) fail_msg("%s", live_align_get_state(a).refusal.text);
    assert_has(note, "aligned without a board");
    assert_non_null(r.maps[0]);
    assert_int_equal(r.width, WIDTH);
    sv_rectification_free(&r);
    const selfalign_result found = live_align_get_state(a).result;
    if (fabs(found.rotation[2].value - degrees) > 0.1 || !(found.rows < 0.3))
        fail_msg("turned by %.3f degrees, not %.3f; rows off by %.3f px", found.rotation[2].value, degrees, found.rows);
    assert_false(live_align_take(a, &rig, &r, note, sizeof note));
}

static live_align *open_it(const rig_options *options) {
    const source_info info = {.width = WIDTH, .height = HEIGHT};
    return live_align_open(options, &info);
}

TEST(a_turned_camera_is_found_and_watched) {
    const rig_options options = options_of();
    live_align *a = open_it(&options);
    live_align_state now = live_align_get_state(a);
    assert_true(!now.estimated && !now.pairs && !*now.refusal.text && isnan(now.drift));
    offer(a, 0, 3, SCENE_RIGHT, 1.2);
    take(a, 1.2);
    offer(a, 3, 5, SCENE_RIGHT, 1.2);
    now = live_align_get_state(a);
    assert_int_equal(now.pairs, 5);
    assert_true(now.drift < 0.2 && !now.moves);
    if (!quick()) { /* It goes on in the other direction. */
        offer(a, 5, MOST, SCENE_RIGHT, -0.8);
        now = live_align_get_state(a);
        assert_int_equal(now.moves, 1);
        assert_true(now.moved_by > 0.5 && !now.moved && now.pairs < MOST);
        take(a, -0.8);
    }
    live_align_close(a);
    live_align_close(NULL);
}

TEST(what_does_not_determine_the_cameras_is_refused) {
    const rig_options options = options_of();
    live_align *a = open_it(&options);
    sv_rectification r;
    sv_rig rig;
    char note[160];
    offer(a, 0, 2, SCENE_LEFT, 0);
    const live_align_state now = live_align_get_state(a);
    assert_false(now.estimated);
    assert_has(now.refusal.text, "on one plane");
    assert_false(live_align_take(a, &rig, &r, note, sizeof note));
    live_align_close(a);
}

static int open_pool(void **state) {
    (void)state;
    memory = pool_create((pool_memory){NULL, NULL});
    return 0;
}

static int close_pool(void **state) {
    (void)state;
    pool_close(memory);
    return 0;
}

FIXTURES(open_pool, close_pool)
