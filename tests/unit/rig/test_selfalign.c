/* Alignment without a board: rig/selfalign, on scenes of points that rigs of known geometry see. */
#include "rig/lens.h"
#include "rig/rectify.h"
#include "rig/rotation.h"
#include "rig/selfalign.h"
#include "stereo/sort.h"
#include "tests/support/random.h"
#include "tests/support/reading.h"
#include "tests/support/rigs.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

enum { FOCAL = 520, POINTS = 2000 };

typedef enum scene { DEEP, WALL, CORNER, STRIP } scene;

/* A point of the scene that both cameras see; exact. */
static selfalign_point see(const sv_rig *rig, scene scene) {
    for (;;) {
        double pixel[2] = {rigs_between(0, RIGS_WIDTH - 1), rigs_between(0, RIGS_HEIGHT - 1)}, ray[3] = {0, 0, 1},
               there[3], other[2];
        if (scene == CORNER) pixel[0] /= 5, pixel[1] /= 5;
        if (scene == STRIP) pixel[1] = random_below(2) ? RIGS_HEIGHT / 2 - 0.1 : RIGS_HEIGHT / 2;
        if (!sv_unproject(&rig->cameras[0], pixel, ray)) continue;
        /* Depths in baselines. The wall is tilted. */
        const double depth =
            scene == WALL ? 12 / (1 + 0.3 * ray[0] - 0.2 * ray[1]) : 1 / rigs_between(1 / 60.0, 1 / 7.0);
        for (int i = 0; i < 3; i++) ray[i] *= depth;
        rotation_apply(rig->rotation, ray, there);
        for (int i = 0; i < 3; i++) there[i] += rig->translation[i];
        sv_project(&rig->cameras[1], there[0] / there[2], there[1] / there[2], other);
        if (there[2] > 0 && other[0] >= 0 && other[1] >= 0 && other[0] < RIGS_WIDTH && other[1] < RIGS_HEIGHT)
            return (selfalign_point){.left = {(float)pixel[0], (float)pixel[1]},
                                     .right = {(float)other[0], (float)other[1]}};
    }
}

/* Points with the noise of matching; `wrong` percent of them are anywhere. */
static void see_some(const sv_rig *rig, scene scene, int wrong, int count, selfalign_point *points) {
    for (int i = 0; i < count; i++) {
        points[i] = see(rig, scene);
        for (int k = 0; k < 2; k++) points[i].right[k] += (float)rigs_between(-0.5, 0.5);
        if (random_below(100) >= wrong) continue;
        points[i].right[0] = points[i].left[0] - (float)rigs_between(-60, 200);
        points[i].right[1] = points[i].left[1] + (float)rigs_between(-60, 60);
    }
}

static void see_all(const sv_rig *rig, scene scene, int wrong, selfalign_point *points) {
    see_some(rig, scene, wrong, POINTS, points);
}

/* The rows of exact points after rectification with `found`: the median and 95th percentile of their difference. */
static void measure(const sv_rig *truth, const sv_rig *found, double *median, double *most) {
    enum { COUNT = 1000 };
    static double rows[COUNT];
    sv_rectification r;
    sv_error error;
    if (sv_rectify_frame(found, RIGS_WIDTH, RIGS_HEIGHT, 0, &r, &error) != SV_OK) fail_msg("%s", error.text);
    for (int i = 0; i < COUNT; i++) {
        const selfalign_point p = see(truth, DEEP);
        double at[2][2];
        assert_true(sv_rectify_point(&r, 0, (const double[]){(double)p.left[0], (double)p.left[1]}, at[0]) &&
                    sv_rectify_point(&r, 1, (const double[]){(double)p.right[0], (double)p.right[1]}, at[1]));
        rows[i] = fabs(at[1][1] - at[0][1]);
    }
    sv_sort_doubles(rows, COUNT);
    *median = rows[COUNT / 2];
    *most = rows[COUNT * 95 / 100];
}

static sv_status align(const selfalign_point *points, bool lens, selfalign_result *result, sv_error *error) {
    return selfalign(points, POINTS, RIGS_WIDTH, RIGS_HEIGHT, FOCAL, lens, result, error);
}

TEST(random_rigs_are_aligned) {
    static selfalign_point points[POINTS];
    const int rigs = getenv("SV_TEST_QUICK") ? 2 : getenv("SV_TEST_LONG") ? 50 : 12;
    seed_random(3);
    for (int i = 0; i < rigs; i++) {
        const bool lens = i % 2;
        const sv_rig truth = rigs_random(FOCAL, 5 / sqrt(3), 0.03, lens ? 0.25 : 0);
        selfalign_result found;
        sv_error error;
        double median, most, off[3];
        see_all(&truth, DEEP, 40, points);
        if (align(points, lens, &found, &error) != SV_OK) fail_msg("rig %d: %s", i, error.text);
        measure(&truth, &found.rig, &median, &most);
        rigs_compare(&truth, &found, off);
        const double pitch = off[0], yaw = off[1], roll = off[2];
        if (!(median <= 0.3 && most <= 0.5 && fabs(pitch) <= 0.1 && fabs(roll) <= 0.1))
            fail_msg("rig %d: rows %.3f, %.3f px, pitch off by %.3f, roll by %.3f degrees", i, median, most, pitch,
                     roll);
        assert_true(found.used > POINTS / 2 && found.rows > 0.1 && found.rows < 0.5);
        /* The yaw is weakly determined, and its deviation says so, where the model of the lens is the true one. */
        if (!lens && fabs(yaw) > 5 * found.rotation[1].deviation + 0.05)
            fail_msg("rig %d: yaw off by %.3f, +- %.3f degrees", i, yaw, found.rotation[1].deviation);
    }
}

TEST(aligned_pictures_stay_so) {
    static selfalign_point points[POINTS];
    sv_rig truth = rigs_random(FOCAL, 0, 0, 0);
    truth.translation[1] = truth.translation[2] = 0;
    selfalign_result found;
    double median, most;
    sv_error error;
    seed_random(5);
    see_all(&truth, DEEP, 30, points);
    for (int lens = 0; lens < 2; lens++) {
        if (align(points, lens, &found, &error) != SV_OK) fail_msg("%s", error.text);
        measure(&truth, &found.rig, &median, &most);
        if (!(median <= 0.1 && most <= 0.2)) fail_msg("rows are off by %.3f, %.3f px", median, most);
    }
}

TEST(a_floor_with_things_on_it_is_aligned) {
    static selfalign_point points[POINTS];
    selfalign_result found;
    sv_error error;
    double median, most;
    seed_random(13);
    const sv_rig truth = rigs_random(FOCAL, 2, 0.02, 0);
    see_some(&truth, WALL, 0, POINTS * 7 / 10, points);
    see_some(&truth, DEEP, 0, POINTS - POINTS * 7 / 10, points + POINTS * 7 / 10);
    if (align(points, false, &found, &error) != SV_OK) fail_msg("%s", error.text);
    measure(&truth, &found.rig, &median, &most);
    if (!(median <= 0.3 && most <= 0.5)) fail_msg("rows are off by %.3f, %.3f px", median, most);
}

/* A camera that stands still sees the same points in each pair. */
TEST(what_is_seen_again_counts_once) {
    enum { ONE = 100, PAIRS = 20 };
    static selfalign_point points[ONE * PAIRS];
    selfalign_result once, often;
    sv_error error = {""};
    seed_random(17);
    const sv_rig truth = rigs_random(FOCAL, 2, 0.02, 0);
    see_some(&truth, DEEP, 20, ONE, points);
    for (int i = ONE; i < ONE * PAIRS; i++) {
        points[i] = points[i % ONE];
        for (int k = 0; k < 2; k++) points[i].right[k] += (float)rigs_between(-0.2, 0.2);
    }
    if (selfalign(points, ONE, RIGS_WIDTH, RIGS_HEIGHT, FOCAL, false, &once, &error) != SV_OK ||
        selfalign(points, ONE * PAIRS, RIGS_WIDTH, RIGS_HEIGHT, FOCAL, false, &often, &error) != SV_OK)
        fail_msg("%s", error.text);
    assert_int_equal(often.points, once.points);
    for (int i = 0; i < 3; i++)
        if (fabs(often.rotation[i].deviation - once.rotation[i].deviation) > 1e-9)
            fail_msg("rotation %d: +- %.4f degrees of one pair, %.4f of many", i, once.rotation[i].deviation,
                     often.rotation[i].deviation);
    rigs_assert_refused(points, 50, FOCAL, "60 are needed");
    for (int i = 0; i < POINTS; i++) points[i] = points[i % 50];
    rigs_assert_refused(points, POINTS, FOCAL, "60 are needed");
}

TEST(what_does_not_determine_the_rig_is_refused) {
    static selfalign_point points[POINTS];
    seed_random(9);
    const sv_rig truth = rigs_random(FOCAL, 2, 0.02, 0);
    see_all(&truth, WALL, 20, points);
    rigs_assert_refused(points, POINTS, FOCAL, "on one plane");
    see_all(&truth, CORNER, 20, points);
    rigs_assert_refused(points, POINTS, FOCAL, "one part of the picture");
    see_all(&truth, DEEP, 100, points);
    rigs_assert_refused(points, POINTS, FOCAL, "agree");
    see_all(&truth, DEEP, 0, points);
    rigs_assert_refused(points, 50, FOCAL, "60 are needed");
    rigs_assert_refused(points, 0, FOCAL, "60 are needed");
    for (int i = 0; i < POINTS; i++) {
        const selfalign_point p = points[i];
        for (int k = 0; k < 2; k++) {
            points[i].left[k] = p.right[k];
            points[i].right[k] = p.left[k];
        }
    }
    rigs_assert_refused(points, POINTS, FOCAL, "left and right are swapped");
}
