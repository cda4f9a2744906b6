/* Alignment without a board, from pictures: rig/align_points finds points and rig/selfalign estimates the rig, on the
 * rendered world as cameras of known geometry see it. */
#include "capture/synthetic/synthetic.h"
#include "rig/align_points.h"
#include "rig/lens.h"
#include "rig/rectify.h"
#include "rig/rotation.h"
#include "stereo/sort.h"
#include "tests/support/random.h"
#include "tests/support/reading.h"
#include "tests/support/rigs.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PAIRS = 2, FOCAL = 800, WORLD_WIDTH = 1280, WORLD_HEIGHT = 960 };

static const double world_focal = 0.9 * WORLD_WIDTH;

/* The points that were found so far. */
static selfalign_point points[MOST_PAIRS * ALIGN_POINTS_MOST];
static int count;

static void find(const sv_image *left, const sv_image *right, bool lens) {
    const sv_pair pair = {.left = *left, .right = *right};
    sv_error error;
    int found;
    if (align_points_find(&pair, FOCAL, lens, 0, points + count, &found, &error) != SV_OK) fail_msg("%s", error.text);
    count += found;
}

/* ---- The rendered world ----------------------------------------------------------------------- */

/* What two cameras with parallel axes see of the world, wider and finer than the cameras of the rigs. */
static frame *world[MOST_PAIRS][2];
static float disparities[WORLD_HEIGHT][WORLD_WIDTH]; /* of the first pair */

static int open_world(void **state) {
    (void)state;
    scene scene = scene_of_size(WORLD_WIDTH, WORLD_HEIGHT);
    scene.frames = MOST_PAIRS;
    for (int side = 0; side < 2; side++) {
        const source_options options = {.colour = false};
        source *source = source_open_synthetic(&scene, (scene_side)side, &options);
        for (int i = 0; i < MOST_PAIRS; i++) world[i][side] = read_frame(source);
        source_close(source);
    }
    scene_truth(&scene, 0, map_of(disparities[0], WORLD_WIDTH, WORLD_HEIGHT, WORLD_WIDTH), (sv_image){.data = NULL});
    return 0;
}

static int close_world(void **state) {
    (void)state;
    for (int i = 0; i < MOST_PAIRS; i++)
        for (int side = 0; side < 2; side++) frame_release(world[i][side]);
    return 0;
}

static int at_most(double value, int most) { return value < 0 ? 0 : value > most ? most : (int)value; }

/* The rotations of both cameras of a rig: from the camera's frame to the world's, whose cameras have their axes across
 * the baseline. */
static void aim(const sv_rig *rig, double turns[2][3][3]) {
    double base[3];
    rotation_apply_transposed(rig->rotation, rig->translation, base);
    for (int i = 0; i < 3; i++) base[i] = -base[i]; /* from the left camera to the right one */
    const double axis[3] = {0, base[2], -base[1]};  /* base x (1, 0, 0) */
    rotation_about(axis, acos(base[0] / vector_length(base)), turns[0]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            turns[1][i][j] = 0;
            for (int k = 0; k < 3; k++) turns[1][i][j] += turns[0][i][k] * rig->rotation[j][k];
        }
}

/* Where in the world's picture a camera sees each pixel: y, x, (x, y). */
typedef float places[RIGS_HEIGHT][RIGS_WIDTH][2];

static void find_places(const sv_camera *camera, double (*turn)[3], places to) {
    for (int y = 0; y < RIGS_HEIGHT; y++)
        for (int x = 0; x < RIGS_WIDTH; x++) {
            double ray[3] = {0, 0, 1}, there[3];
            assert_true(sv_unproject(camera, (const double[]){x, y}, ray));
            rotation_apply(turn, ray, there);
            to[y][x][0] = (float)((WORLD_WIDTH - 1) / 2.0 + world_focal * there[0] / there[2]);
            to[y][x][1] = (float)((WORLD_HEIGHT - 1) / 2.0 + world_focal * there[1] / there[2]);
        }
}

/* The rows of points of the world that both cameras see, exact, after rectification with `found`: the median and the
 * 95th percentile of their difference, pixels. */
static void measure(const sv_rig *truth, const sv_rig *found, double *median, double *most) {
    enum { COUNT = 1000 };
    double rows[COUNT], turns[2][3][3];
    sv_rectification r;
    sv_error error;
    aim(truth, turns);
    if (sv_rectify_frame(found, RIGS_WIDTH, RIGS_HEIGHT, 0, &r, &error) != SV_OK) fail_msg("%s", error.text);
    for (int i = 0; i < COUNT;) {
        const int x = random_below(WORLD_WIDTH), y = random_below(WORLD_HEIGHT);
        const double depth = 1 / (double)disparities[y][x]; /* in baselines, times the focal length */
        double at[2][2];
        bool seen = true;
        for (int side = 0; side < 2; side++) {
            const double point[3] = {depth * (x - (WORLD_WIDTH - 1) / 2.0) - side,
                                     depth * (y - (WORLD_HEIGHT - 1) / 2.0), depth * world_focal};
            double ray[3], pixel[2];
            rotation_apply_transposed(turns[side], point, ray);
            sv_project(&truth->cameras[side], ray[0] / ray[2], ray[1] / ray[2], pixel);
            seen = seen && pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] < RIGS_WIDTH && pixel[1] < RIGS_HEIGHT &&
                   sv_rectify_point(&r, side, pixel, at[side]);
        }
        if (seen) rows[i++] = fabs(at[1][1] - at[0][1]);
    }
    sv_sort_doubles(rows, COUNT);
    *median = rows[COUNT / 2];
    *most = rows[COUNT * 95 / 100];
}

/* What it sees; beyond the world's picture, its edge. `slope`: how much further left it sees things, pixels of the
 * world's picture: of its middle, and more with each pixel to the right and down. */
static void look(const frame *of, places at, const double slope[3], uint8_t *to) {
    const sv_image *from = &of->grey;
    for (int y = 0; y < RIGS_HEIGHT; y++)
        for (int x = 0; x < RIGS_WIDTH; x++) {
            double u = (double)at[y][x][0];
            const double v = (double)at[y][x][1];
            u += slope[0] + slope[1] * (u - WORLD_WIDTH / 2.0) + slope[2] * (v - WORLD_HEIGHT / 2.0);
            const int left = at_most(u, WORLD_WIDTH - 2), top = at_most(v, WORLD_HEIGHT - 2);
            const uint8_t *above = sv_row(from, top), *below = sv_row(from, top + 1);
            const double across = fmin(fmax(u - left, 0), 1), down = fmin(fmax(v - top, 0), 1);
            to[y * RIGS_WIDTH + x] = (uint8_t)((1 - down) * ((1 - across) * above[left] + across * above[left + 1]) +
                                               down * ((1 - across) * below[left] + across * below[left + 1]) + 0.5);
        }
}

/* The points that the rig's cameras find in `number` pairs of the world or, with `wall`, on a picture of it on a
 * slanted wall. */
static void gather(const sv_rig *rig, int number, bool lens, bool wall, bool swap) {
    static places at[2];
    static uint8_t pictures[2][RIGS_WIDTH * RIGS_HEIGHT];
    const double none[3] = {0}, slope[3] = {40, 0.03, -0.02};
    double turns[2][3][3];
    sv_image images[2];
    aim(rig, turns);
    for (int side = 0; side < 2; side++) find_places(&rig->cameras[side], turns[side], at[side]);
    count = 0;
    for (int i = 0; i < number; i++) {
        for (int side = 0; side < 2; side++) {
            look(world[i][wall ? 0 : side], at[side], wall && side ? slope : none, pictures[side]);
            images[side] = (sv_image){pictures[side], RIGS_WIDTH, RIGS_WIDTH, RIGS_HEIGHT, SV_GREY8, SV_HOST};
        }
        find(&images[swap], &images[!swap], lens);
    }
}

TEST(a_single_pair_aligns_random_rigs) {
    const int rigs = getenv("SV_TEST_LONG") ? 50 : getenv("SV_TEST_QUICK") ? 1 : 2;
    double worst[4] = {0};
    seed_random(29);
    for (int i = 0; i < rigs; i++) {
        const bool lens = i % 2;
        const sv_rig truth = rigs_random(FOCAL, 5 / sqrt(3), 0.03, lens ? 0.25 : 0);
        selfalign_result found;
        sv_error error;
        double median, most, off[3];
        gather(&truth, 1, lens, false, false);
        if (selfalign(points, count, RIGS_WIDTH, RIGS_HEIGHT, FOCAL, lens, &found, &error) != SV_OK)
            fail_msg("rig %d: %s", i, error.text);
        measure(&truth, &found.rig, &median, &most);
        rigs_compare(&truth, &found, off);
        const double pitch = fabs(off[0]), roll = fabs(off[2]);
        const double values[4] = {median, most, pitch, roll};
        for (int k = 0; k < 4; k++) worst[k] = fmax(worst[k], values[k]);
        if (!(median <= 0.3 && most <= 0.5 && pitch <= 0.1 && roll <= 0.1))
            fail_msg("rig %d: rows are off by %.3f, %.3f px, pitch by %.3f, roll by %.3f degrees", i, median, most,
                     pitch, roll);
    }
    print_message("%d rigs: rows are off by at most %.3f, %.3f px, pitch by %.3f, roll by %.3f degrees\n", rigs,
                  worst[0], worst[1], worst[2], worst[3]);
}

TEST(walls_and_swapped_pictures_are_refused) {
    enum { FEW = 2 };
    seed_random(31);
    const sv_rig truth = rigs_random(FOCAL, 2, 0.02, 0);
    gather(&truth, FEW, false, true, false);
    rigs_assert_refused(points, count, FOCAL, "on one plane");
    gather(&truth, FEW, false, false, true);
    rigs_assert_refused(points, count, FOCAL, "left and right are swapped");
}

FIXTURES(open_world, close_world)
