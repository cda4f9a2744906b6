/* The space of the point cloud and the camera in it, against their geometry. */
#include <math.h>

#include "render/view/orbit.h"
#include "tests/support/test.h"

static const space lens = {.width = 64,
                           .height = 48,
                           .fx = 50,
                           .fy = 55,
                           .cx = 30.25,
                           .cy = 20.75,
                           .unit_depth = 50 * 0.5,
                           .doffs = 2,
                           .baseline = 0.5,
                           .unit = SPACE_METRES};

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

TEST(calibration_gives_metres_or_baselines) {
    sv_rectification r = {.width = 64, .height = 48, .focal = 50, .baseline = 0.5, .doffs = 2, .metric = true};
    r.pinholes[0] = (sv_pinhole){.fx = 50, .fy = 55, .cx = 30.25, .cy = 20.75};
    space s = space_of(&r, 64, 48);
    double point[3];
    assert_int_equal(s.unit, SPACE_METRES);
    assert_false(s.assumed);
    /* Z = f b / (d + doffs), X = (x - cx) Z / fx, Y = (y - cy) Z / fy. */
    assert_true(space_point(&s, 40.25, 9.75, 8, point));
    assert_near(point[0], 0.5, 1e-12);
    assert_near(point[1], -0.5, 1e-12);
    assert_near(point[2], 2.5, 1e-12);
    assert_near(space_depth(&s, 8), 2.5, 1e-12);
    assert_false(space_point(&s, 0, 0, -2, point)); /* at infinity */
    assert_false(space_point(&s, 0, 0, -3, point)); /* beyond it */
    assert_false(space_point(&s, 0, 0, INFINITY, point));
    assert_false(space_point(&s, 0, 0, NAN, point));
    assert_near(space_depth(&s, -2), 500, 1e-9);

    r.metric = false; /* the unit of the file is not known, so that of depth is the baseline */
    s = space_of(&r, 64, 48);
    assert_int_equal(s.unit, SPACE_BASELINES);
    assert_false(s.assumed);
    assert_true(space_point(&s, 40.25, 9.75, 8, point));
    assert_near(point[2], 5, 1e-12);
    assert_near(s.baseline, 1, 0);
}

TEST(without_a_calibration_an_angle_is_assumed) {
    const space s = space_of(NULL, 640, 480);
    double left[3], right[3], top[3], bottom[3];
    assert_true(s.assumed);
    assert_int_equal(s.unit, SPACE_BASELINES);
    /* The outer edges of the first and the last column are 60 degrees apart, and the axis goes through the middle. */
    assert_true(space_point(&s, -0.5, 239.5, 7, left) && space_point(&s, 639.5, 239.5, 7, right));
    assert_near(atan2(right[0], right[2]) - atan2(left[0], left[2]), M_PI / 3, 1e-12);
    assert_near(left[0], -right[0], 1e-12);
    assert_near(left[1], 0, 1e-12);
    assert_true(space_point(&s, 319.5, -0.5, 7, top) && space_point(&s, 319.5, 479.5, 7, bottom));
    assert_near(bottom[1] - top[1], (right[0] - left[0]) * 480 / 640, 1e-12); /* square pixels */
    /* A point one baseline away: the second camera, one unit to the right, sees it f pixels further left. */
    assert_near(space_depth(&s, s.fx), 1, 1e-12);
}

TEST(grid_has_round_steps) {
    for (double depth = 1e-3; depth < 1e5; depth *= 1.37) {
        const space_grid g = space_grid_of(&lens, depth);
        const double digit = g.step / pow(10, floor(log10(g.step) + 1e-9));
        assert_true(fabs(digit - 1) < 1e-9 || fabs(digit - 2) < 1e-9 || fabs(digit - 5) < 1e-9);
        assert_true(g.ahead * g.step >= 3 * depth * (1 - 1e-12) && (g.ahead - 1) * g.step < 3 * depth);
        assert_in_range(g.ahead, 12, 30);
        assert_in_range(g.across, 1, g.ahead);
        assert_true(g.floor > 0 && fabs(remainder(g.floor, g.step)) < 1e-9 * g.step);
        /* The lower edge of the picture there, to the nearest line. */
        assert_near(g.floor, 26.25 / 55 * depth, g.step / 2 * (1 + 1e-9));
    }
}

/* From the left camera's place each point falls on the middle of its pixel in the fitted picture. */
TEST(home_is_the_left_camera) {
    static const struct {
        int width, height;
        double scale;
        int left, bottom;
    } views[] = {{64, 48, 1, 0, 0},    {67, 48, 1, 1, 0},        {64, 51, 1, 0, 2},
                 {128, 200, 2, 0, 52}, {300, 30, 0.625, 130, 0}, {80, 60, 1.25, 0, 0}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const int width = views[i].width, height = views[i].height;
        const view_pane fit = orbit_pane(&lens, width, height);
        const double bottom = fit.top - fit.scale_y * 48;
        const orbit home = orbit_home(3);
        float matrix[16];
        assert_near(fit.scale_x, views[i].scale, 1e-12);
        assert_near(fit.scale_y, views[i].scale, 1e-12);
        assert_int_equal(fit.left, views[i].left);
        assert_int_equal(bottom, views[i].bottom);
        orbit_matrix(&home, &lens, width, height, matrix);
        for (int y = 0; y < 48; y += 47)
            for (int x = 0; x < 64; x += 9)
                for (double depth = 0.1; depth < 1e4; depth *= 7) {
                    const double point[] = {(x - 30.25) / 50 * depth, (y - 20.75) / 55 * depth, depth};
                    double from_left, from_bottom;
                    assert_true(orbit_project(matrix, point, width, height, &from_left, &from_bottom));
                    assert_near(from_left, fit.left + fit.scale_x * (x + 0.5), 1e-3);
                    assert_near(from_bottom, bottom + fit.scale_y * (47 - y + 0.5), 1e-3);
                }
    }
    const orbit_frame f = orbit_frame_of(&(orbit){.pivot = {0, 0, 3}, .distance = 3});
    for (int i = 0; i < 3; i++) assert_true(f.eye[i] == 0);
}

TEST(it_turns_about_the_pivot) {
    orbit o = {.pivot = {1, -2, 5}, .distance = 4};
    orbit_turn(&o, M_PI / 2, 0); /* to the right: it looks along x, from the left of the pivot */
    orbit_frame f = orbit_frame_of(&o);
    assert_near(f.ahead[0], 1, 1e-12);
    assert_near(f.right[2], -1, 1e-12);
    assert_near(f.down[1], 1, 1e-12);
    assert_near(f.eye[0], -3, 1e-12);
    assert_near(f.eye[2], 5, 1e-12);
    orbit_turn(&o, -M_PI / 2, M_PI / 6); /* up: from below the pivot */
    f = orbit_frame_of(&o);
    assert_near(f.ahead[1], -0.5, 1e-12);
    assert_near(f.eye[1], 0, 1e-12);
    assert_near(f.right[0], 1, 1e-12);
    for (int i = 0; i < 200; i++) {
        orbit_turn(&o, 0.7, i < 100 ? 0.013 : -0.031);
        f = orbit_frame_of(&o);
        const double *const axes[] = {f.right, f.down, f.ahead};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) assert_near(dot(axes[a], axes[b]), a == b, 1e-12);
        assert_near(f.right[1], 0, 0); /* the horizon stays level */
        assert_true(f.down[1] > 0);    /* and it is never upside down */
        assert_near(f.right[0] * f.down[1] * f.ahead[2] + f.right[1] * f.down[2] * f.ahead[0] +
                        f.right[2] * f.down[0] * f.ahead[1] - f.right[2] * f.down[1] * f.ahead[0] -
                        f.right[0] * f.down[2] * f.ahead[1] - f.right[1] * f.down[0] * f.ahead[2],
                    1, 1e-12); /* right-handed */
        for (int a = 0; a < 3; a++) assert_near(f.eye[a] + 4 * f.ahead[a], o.pivot[a], 1e-12);
        assert_true(fabs(o.yaw) <= M_PI);
    }
    assert_near(o.pivot[0], 1, 0);
}

TEST(it_zooms_and_flies) {
    orbit o = orbit_home(8);
    orbit_turn(&o, 0.4, -0.3);
    const orbit_frame before = orbit_frame_of(&o);
    orbit_zoom(&o, 0.25);
    orbit_frame f = orbit_frame_of(&o);
    for (int i = 0; i < 3; i++) {
        assert_near(f.eye[i], before.eye[i] + 6 * before.ahead[i], 1e-12);
        assert_near(f.ahead[i], before.ahead[i], 0);
    }
    orbit_fly(&o, 1, -2, 3);
    const orbit_frame flown = orbit_frame_of(&o);
    for (int i = 0; i < 3; i++)
        assert_near(flown.eye[i], f.eye[i] + f.right[i] - 2 * f.down[i] + 3 * f.ahead[i], 1e-12);
    assert_near(o.distance, 2, 1e-12);
    for (int i = 0; i < 100; i++) orbit_zoom(&o, 0.1);
    assert_true(o.distance > 0);
    for (int i = 0; i < 200; i++) orbit_zoom(&o, 10);
    assert_true(o.distance < INFINITY);
}

/* Depth in clip space grows with distance and stays inside, up to infinity; what is too near or behind is outside. */
TEST(distances_keep_their_order) {
    orbit o = orbit_home(10);
    orbit_turn(&o, 0.3, 0.2);
    const orbit_frame f = orbit_frame_of(&o);
    float m[16];
    double last = -1;
    orbit_matrix(&o, &lens, 64, 48, m);
    for (double distance = 10.0 / 256 * 1.0001; distance < 1e7; distance *= 1.1) {
        float clip[4];
        for (int i = 0; i < 4; i++) {
            clip[i] = m[12 + i];
            for (int j = 0; j < 3; j++) clip[i] += m[4 * j + i] * (float)(f.eye[j] + distance * f.ahead[j]);
        }
        assert_true(clip[3] > 0 && clip[2] / clip[3] <= 1);
        assert_true(clip[2] / clip[3] >= last - 1e-6);
        last = clip[2] / clip[3];
    }
    float at_infinity[4] = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) at_infinity[i] += m[4 * j + i] * (float)f.ahead[j];
    assert_true(at_infinity[3] > 0.99f && at_infinity[2] <= at_infinity[3]);
    double x, y, point[3];
    for (int i = 0; i < 3; i++) point[i] = f.eye[i] - f.ahead[i];
    assert_false(orbit_project(m, point, 64, 48, &x, &y));
}
