/* The geometry of rectification, from its definition: lenses, rigs, rectification maps. */
#include "rig/lens.h"
#include "rig/rectify.h"
#include "tests/support/pairs.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rigs ------------------------------------------------------------------------------------- */

static double random_in(double low, double high) { return low + (high - low) * random_below(1 << 20) / (1 << 20); }

static void multiply(double (*m)[3], double (*a)[3], double (*b)[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* Rotations about x, y and z, one after the other. */
static void rotation_of(double a, double b, double c, double (*m)[3]) {
    double x[3][3] = {{1, 0, 0}, {0, cos(a), -sin(a)}, {0, sin(a), cos(a)}};
    double y[3][3] = {{cos(b), 0, sin(b)}, {0, 1, 0}, {-sin(b), 0, cos(b)}};
    double z[3][3] = {{cos(c), -sin(c), 0}, {sin(c), cos(c), 0}, {0, 0, 1}};
    double yx[3][3];
    multiply(yx, y, x);
    multiply(m, z, yx);
}

/* Typical coefficients of cameras whose picture is about 1.3 focal lengths wide. */
static sv_camera random_camera(sv_lens lens, int width, int height) {
    sv_camera c = {.width = width, .height = height, .lens = lens};
    c.fx = width * random_in(0.7, 0.8);
    c.fy = c.fx * random_in(0.99, 1.01);
    c.cx = width * random_in(0.47, 0.52);
    c.cy = height * random_in(0.47, 0.52);
    if (lens == SV_LENS_EQUIDISTANT) {
        for (int i = 0; i < 4; i++) c.coefficients[i] = random_in(-0.02, 0.02);
    } else {
        const double most[SV_LENS_COEFFICIENTS] = {0.1,   0.03,  2e-3, 2e-3, 0.005, 0.01,
                                                   0.005, 0.005, 1e-3, 1e-3, 1e-3,  1e-3};
        for (int i = 0; i < SV_LENS_COEFFICIENTS; i++) c.coefficients[i] = random_in(-most[i], most[i]);
    }
    return c;
}

static sv_rig random_rig(sv_lens lens, int width, int height) {
    sv_rig rig = {.metric = true};
    for (int i = 0; i < 2; i++) rig.cameras[i] = random_camera(lens, width, height);
    rotation_of(random_in(-0.05, 0.05), random_in(-0.05, 0.05), random_in(-0.05, 0.05), rig.rotation);
    rig.translation[0] = -0.2;
    rig.translation[1] = random_in(-0.02, 0.02);
    rig.translation[2] = random_in(-0.02, 0.02);
    return rig;
}

static sv_rectification rectify(const sv_rig *rig, int width, int height, double alpha) {
    sv_rectification r;
    sv_error error;
    if (sv_rectify(rig, width, height, alpha, &r, &error) != SV_OK) fail_msg("%s", error.text);
    return r;
}

static const int32_t *entry(const sv_rectification *r, int side, int x, int y) {
    return r->maps[side] + 2 * (y * r->width + x);
}

/* Fails unless two numbers differ by at most `tolerance`. */
#define NEAR(a, b, most)                                                                                               \
    do {                                                                                                               \
        const double near_a = (a), near_b = (b);                                                                       \
        if (!(fabs(near_a - near_b) <= (most))) fail_msg("%s is %.9g, should be %.9g", #a, near_a, near_b);            \
    } while (0)

/* ---- Log messages ------------------------------------------------------------------------------ */

static char logged[4096];

static void keep_line(sv_level level, const char *line) {
    if (level > SV_LOG_INFO) return;
    strncat(logged, line, sizeof logged - 2 - strlen(logged));
    strcat(logged, "\n");
}

/* ---- Lenses ----------------------------------------------------------------------------------- */

/* OpenCV's documentation of calib3d and of fisheye, term by term. */
static void project_by_definition(const sv_camera *camera, double x, double y, double pixel[2]) {
    const double *k = camera->coefficients, r = sqrt(x * x + y * y);
    double u, v;
    if (camera->lens == SV_LENS_EQUIDISTANT) {
        const double a = atan(r);
        const double d = a + k[0] * pow(a, 3) + k[1] * pow(a, 5) + k[2] * pow(a, 7) + k[3] * pow(a, 9);
        u = r > 0 ? d / r * x : x;
        v = r > 0 ? d / r * y : y;
    } else {
        const double by = (1 + k[0] * pow(r, 2) + k[1] * pow(r, 4) + k[4] * pow(r, 6)) /
                          (1 + k[5] * pow(r, 2) + k[6] * pow(r, 4) + k[7] * pow(r, 6));
        u = x * by + 2 * k[2] * x * y + k[3] * (r * r + 2 * x * x) + k[8] * r * r + k[9] * pow(r, 4);
        v = y * by + k[2] * (r * r + 2 * y * y) + 2 * k[3] * x * y + k[10] * r * r + k[11] * pow(r, 4);
    }
    pixel[0] = camera->fx * u + camera->cx;
    pixel[1] = camera->fy * v + camera->cy;
}

TEST(test_lenses) {
    seed_random(1);
    for (int i = 0; i < 2000; i++) {
        const sv_camera camera = random_camera(i % 2 ? SV_LENS_POLYNOMIAL : SV_LENS_EQUIDISTANT, 640, 480);
        const double x = random_in(-0.7, 0.7), y = random_in(-0.5, 0.5);
        double pixel[2], wanted[2], back[2];
        sv_project(&camera, x, y, pixel);
        project_by_definition(&camera, x, y, wanted);
        NEAR(pixel[0], wanted[0], 1e-9);
        NEAR(pixel[1], wanted[1], 1e-9);
        assert_true(sv_unproject(&camera, pixel, back));
        NEAR(back[0], x, 1e-8);
        NEAR(back[1], y, 1e-8);
    }
    /* Five steps of fixed-point iteration, each of which reduces the error to about a tenth. */
    const sv_camera barrel = {.fx = 1, .fy = 1, .coefficients = {-0.25}};
    double pixel[2];
    sv_project(&barrel, 0.4, 0, pixel);
    const double after_one = pixel[0] / (1 - 0.25 * pixel[0] * pixel[0]);
    sv_unproject_as_opencv(&barrel, pixel, pixel);
    NEAR(pixel[0], 0.4, 1e-5);
    assert_true(fabs(pixel[0] - 0.4) > 1e-8 && fabs(after_one - 0.4) > 1e-3);

    /* On the axis, and at a point that no lens of this kind shows: 2 sin a is never 4. */
    const sv_camera wide = {.width = 9, .height = 9, .fx = 4, .fy = 4, .cx = 4, .cy = 4, .lens = SV_LENS_EQUIDISTANT};
    sv_project(&wide, 0, 0, pixel);
    NEAR(pixel[0], 4, 0);
    assert_false(sv_unproject(&wide, (const double[]){4 + 4 * 4, 4}, pixel));
}

TEST(test_reach) {
    double fold;
    /* r - r^3 / 3 grows up to r = 1, where it is 2/3. */
    sv_camera camera = {.width = 101, .height = 1, .fx = 100, .fy = 100, .cx = 50, .coefficients = {-1 / 3.}};
    NEAR(sv_lens_reach(&camera, &fold), 0.7884, 2e-3); /* where r - r^3 / 3 is 1.25 * 0.5 */
    NEAR(fold, 0, 0);
    camera.fx = 60; /* the corners are at 5/6 */
    NEAR(sv_lens_reach(&camera, &fold), 1, 2e-3);
    NEAR(fold, 2 / 3., 1e-4);
    camera.coefficients[0] = 0;
    NEAR(sv_lens_reach(&camera, &fold), 1.25 * 50 / 60, 2e-3);
    camera.lens = SV_LENS_EQUIDISTANT;
    camera.fx = 30; /* 95 degrees off the axis */
    assert_true(isinf(sv_lens_reach(&camera, &fold)));
    NEAR(fold, 0, 0);
}

/* ---- Geometry --------------------------------------------------------------------------------- */

/* Points in space lie on the same row of both rectified pictures, and their disparity follows from their depth. */
TEST(test_common_rows) {
    seed_random(2);
    for (int i = 0; i < 40; i++) {
        sv_rig rig = random_rig(i % 2 ? SV_LENS_POLYNOMIAL : SV_LENS_EQUIDISTANT, 320, 240);
        const int sign = i % 5 ? 1 : -1; /* -1: the cameras are swapped */
        rig.translation[0] *= sign;
        sv_set_log(keep_line);
        sv_rectification r = rectify(&rig, 320, 240, random_below(3) / 2.);
        sv_set_log(NULL);
        NEAR(r.doffs, 0, 0);
        NEAR(r.baseline, sqrt(0.04 + pow(rig.translation[1], 2) + pow(rig.translation[2], 2)), 1e-12);
        for (int j = 0; j < 100; j++) {
            const double z = random_in(1, 10), left[3] = {z * random_in(-0.5, 0.5), z * random_in(-0.4, 0.4), z};
            double right[3], pixel[2], on_left[2], on_right[2];
            for (int k = 0; k < 3; k++)
                right[k] = rig.rotation[k][0] * left[0] + rig.rotation[k][1] * left[1] + rig.rotation[k][2] * left[2] +
                           rig.translation[k];
            project_by_definition(&rig.cameras[0], left[0] / left[2], left[1] / left[2], pixel);
            assert_true(sv_rectify_point(&r, 0, pixel, on_left));
            project_by_definition(&rig.cameras[1], right[0] / right[2], right[1] / right[2], pixel);
            assert_true(sv_rectify_point(&r, 1, pixel, on_right));
            const double *row = r.pinholes[0].rotation[2];
            const double depth = row[0] * left[0] + row[1] * left[1] + row[2] * left[2];
            NEAR(on_left[1], on_right[1], 1e-6);
            NEAR(sign * (on_left[0] - on_right[0]), r.focal * r.baseline / depth, 1e-6);
            NEAR(sv_depth(&r, (float)(sign * (on_left[0] - on_right[0]))), depth, 1e-4 * depth);
        }
        sv_rectification_free(&r);
        assert_null(r.maps[0]);
    }
}

/* Every entry is the position that is rectified to that pixel; if it has none, the ray of the pixel misses the picture
 * by the definition of the lens. */
TEST(test_maps) {
    seed_random(3);
    for (int i = 0; i < 60; i++) {
        const int width = 97, height = 71;
        const sv_rig rig = random_rig(i % 2 ? SV_LENS_POLYNOMIAL : SV_LENS_EQUIDISTANT, width, height);
        sv_rectification r = rectify(&rig, width, height, i % 3 / 2.);
        int outside = 0;
        for (int n = 0; n < 2 * width * height; n++) {
            const int side = n % 2, x = n / 2 % width, y = n / 2 / width;
            const int32_t *e = entry(&r, side, x, y);
            const sv_pinhole *p = &r.pinholes[side];
            const double u = (x - p->cx) / p->fx, v = (y - p->cy) / p->fy;
            double ray[3], pixel[2];
            for (int k = 0; k < 3; k++) ray[k] = p->rotation[0][k] * u + p->rotation[1][k] * v + p->rotation[2][k];
            project_by_definition(&rig.cameras[side], ray[0] / ray[2], ray[1] / ray[2], pixel);
            const double over_x = fmax(-pixel[0], pixel[0] - (width - 1));
            const double over_y = fmax(-pixel[1], pixel[1] - (height - 1)), over = fmax(over_x, over_y);
            if (e[0] == SV_MAP_OUTSIDE) {
                assert_int_equal(e[1], SV_MAP_OUTSIDE);
                assert_true(over > 0.5 - 1e-9);
                outside++;
                continue;
            }
            assert_true(over < 0.5 + 1e-9);
            assert_true(e[0] >= 0 && e[0] <= SV_MAP_STEPS * (width - 1));
            assert_true(e[1] >= 0 && e[1] <= SV_MAP_STEPS * (height - 1));
            if (over_x <= 0) NEAR(e[0] / (double)SV_MAP_STEPS, pixel[0], 0.5 / SV_MAP_STEPS + 1e-9);
            if (over_y <= 0) NEAR(e[1] / (double)SV_MAP_STEPS, pixel[1], 0.5 / SV_MAP_STEPS + 1e-9);
            if (over > 0) continue;
            double again[2];
            assert_true(sv_rectify_point(&r, side, pixel, again));
            NEAR(again[0], x, 1e-6);
            NEAR(again[1], y, 1e-6);
        }
        /* Alpha 0 shows nothing but the pictures; alpha 1 shows all of them. (Of wide lenses so do only the middles of
         * the sides, and about.) */
        if (i % 3 == 0 && i % 2) assert_int_equal(outside, 0);
        for (int corner = 0; corner < 8 && i % 3 == 2 && i % 2; corner++) {
            double at[2];
            const double pixel[2] = {corner % 2 * (width - 1), corner / 2 % 2 * (height - 1)};
            assert_true(sv_rectify_point(&r, corner / 4, pixel, at));
            assert_true(at[0] > -1 && at[0] < width && at[1] > -1 && at[1] < height);
        }
        sv_rectification_free(&r);
    }
}

/* With alpha 0, the picture of a lens with barrel distortion is cropped where it is narrowest: in the middle of the
 * side that is farthest from the axis, here the right, the left, the lower or the upper one. */
TEST(test_narrowest_side) {
    enum { SIZE = 81 };
    for (int i = 0; i < 4; i++) {
        const double axis[2] = {i == 0 ? 32 : i == 1 ? 48 : 40, i == 2 ? 32 : i == 3 ? 48 : 40};
        sv_rig rig = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .translation = {-1, 0, 0}};
        for (int side = 0; side < 2; side++)
            rig.cameras[side] = (sv_camera){.width = SIZE,
                                            .height = SIZE,
                                            .fx = 60,
                                            .fy = 60,
                                            .cx = axis[0],
                                            .cy = axis[1],
                                            .coefficients = {-0.1}};
        sv_rectification r = rectify(&rig, SIZE, SIZE, 0);
        const double middles[4][2] = {{0, axis[1]}, {SIZE - 1, axis[1]}, {axis[0], 0}, {axis[0], SIZE - 1}};
        for (int j = 0; j < 4; j++) {
            const int last = j % 2 ? SIZE - 1 : 0;
            double at[2];
            assert_true(sv_rectify_point(&r, 0, middles[j], at));
            const double beyond = j % 2 ? at[j / 2] - last : last - at[j / 2];
            if (j == (i ^ 1))
                NEAR(beyond, 0, 0.5);
            else
                assert_true(beyond > 0.5);
        }
        sv_rectification_free(&r);
    }
}

/* A lens whose distortion folds the picture: nothing appears twice, and everything beyond the fold is outside. */
TEST(test_folded_pictures) {
    const int width = 121, height = 91;
    sv_rig rig = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .translation = {-1, 0, 0}};
    for (int i = 0; i < 2; i++)
        rig.cameras[i] = (sv_camera){
            .width = width, .height = height, .fx = 75, .fy = 75, .cx = 60, .cy = 45, .coefficients = {-1 / 3.}};
    logged[0] = 0;
    sv_set_log(keep_line);
    sv_rectification r = rectify(&rig, width, height, 1);
    sv_set_log(NULL);
    assert_non_null(strstr(logged, "left camera is not plausible: beyond 50 pixels"));
    assert_non_null(strstr(logged, "right camera is not plausible"));
    NEAR(r.reach[0], 1, 2e-3);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const double far = hypot(x - r.pinholes[0].cx, y - r.pinholes[0].cy) / r.focal;
            if (far > 1) assert_int_equal(entry(&r, 0, x, y)[0], SV_MAP_OUTSIDE);
        }
    double at[2];
    assert_false(sv_rectify_point(&r, 0, (const double[]){0, 0}, at));
    sv_rectification_free(&r);
}

/* ---- Sizes, refusals and warnings --------------------------------------------------------------- */

TEST(test_sizes) {
    seed_random(4);
    const sv_rig rig = random_rig(SV_LENS_POLYNOMIAL, 640, 480);
    sv_rectification whole = rectify(&rig, 640, 480, 0), half, r;
    logged[0] = 0;
    sv_set_log(keep_line);
    half = rectify(&rig, 320, 240, 0);
    sv_set_log(NULL);
    assert_string_equal(logged, "the calibration for pictures of 640 x 480 is scaled to 320 x 240\n");
    NEAR(half.cameras[1].fx, rig.cameras[1].fx / 2, 1e-9);
    NEAR(half.cameras[1].cx, (rig.cameras[1].cx + 0.5) / 2 - 0.5, 1e-9);
    NEAR(half.focal, whole.focal / 2, 0.5);
    assert_int_equal(half.cameras[0].width, 320);
    sv_rectification_free(&whole);
    sv_rectification_free(&half);

    sv_error error;
    assert_int_equal(sv_rectify(&rig, 640, 400, 0, &r, &error), SV_FAILED);
    assert_non_null(strstr(error.text, "640 x 480"));
    assert_non_null(strstr(error.text, "640 x 400"));
    assert_null(r.maps[0]);
    sv_set_log(keep_line);
    assert_int_equal(sv_rectify(&rig, 320, 239, 0, &r, &error), SV_OK); /* within 1 percent */
    sv_set_log(NULL);
    sv_rectification_free(&r);

    sv_rig unnamed = rig; /* the file names no size: that of the pictures is taken */
    unnamed.cameras[0].width = unnamed.cameras[1].width = 0;
    r = rectify(&unnamed, 640, 480, 0);
    NEAR(r.cameras[0].fx, rig.cameras[0].fx, 0);
    sv_rectification_free(&r);
}

TEST(test_refusals) {
    seed_random(5);
    const sv_rig rig = random_rig(SV_LENS_POLYNOMIAL, 64, 48);
    sv_rectification r;
    sv_error error;
    assert_int_equal(sv_rectify(&rig, 64, 48, 1.5, &r, &error), SV_USAGE);
    assert_int_equal(sv_rectify(&rig, 64, 48, NAN, &r, &error), SV_USAGE);
    static const double wrong[][3] = {{0, 0, 0}, {-0.1, 0.2, 0}, {-0.1, 0, 0.2}, {0, 0.1, 0}, {NAN, 0, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sv_rig other = rig;
        memcpy(other.translation, wrong[i], sizeof wrong[i]);
        assert_int_equal(sv_rectify(&other, 64, 48, 0, &r, &error), SV_FAILED);
        assert_non_null(strstr(error.text, "side by side"));
    }
    sv_rig flat = rig;
    flat.cameras[1].fy = 0;
    assert_int_equal(sv_rectify(&flat, 64, 48, 0, &r, &error), SV_FAILED);
    assert_non_null(strstr(error.text, "focal length"));
    sv_rig turned = rig; /* the cameras look away from each other */
    rotation_of(0, 2.2, 0, turned.rotation);
    turned.translation[0] = -1;
    assert_int_equal(sv_rectify(&turned, 64, 48, 0, &r, &error), SV_FAILED);
}

/* The rectification in the file is used as it is, unless alpha is given. */
TEST(test_given) {
    seed_random(7);
    sv_rig rig = random_rig(SV_LENS_POLYNOMIAL, 64, 48);
    sv_rectification own = rectify(&rig, 64, 48, 0), r;
    rig.given = true;
    memcpy(rig.pinholes, own.pinholes, sizeof rig.pinholes);
    for (int side = 0; side < 2; side++) {
        rig.pinholes[side].fx = rig.pinholes[side].fy = 40;
        rig.pinholes[side].cx = 30 + 2 * side;
    }
    logged[0] = 0;
    sv_set_log(keep_line);
    r = rectify(&rig, 64, 48, -1);
    assert_string_equal(logged, "");
    NEAR(r.focal, 40, 0);
    NEAR(r.doffs, 2, 0);
    sv_rectification_free(&r);
    r = rectify(&rig, 128, 96, -1);
    NEAR(r.focal, 80, 1e-12);
    NEAR(r.doffs, 4, 1e-12);
    for (int side = 0; side < 2; side++) {
        /* Coordinates count from the centre of the first pixel, whose left edge is at -0.5. */
        NEAR(r.pinholes[side].cx, 2 * (rig.pinholes[side].cx + 0.5) - 0.5, 1e-12);
        NEAR(r.pinholes[side].cy, 2 * (rig.pinholes[side].cy + 0.5) - 0.5, 1e-12);
    }
    sv_rectification_free(&r);
    r = rectify(&rig, 64, 48, 0);
    NEAR(r.focal, own.focal, 0);
    sv_rectification_free(&r);
    rig.pinholes[1].cy += 3;
    logged[0] = 0;
    r = rectify(&rig, 64, 48, -1);
    assert_non_null(strstr(logged, "common rows"));
    sv_set_log(NULL);
    sv_rectification_free(&r);
    sv_rectification_free(&own);
}

TEST(test_rectified_pictures) {
    sv_rig rig = {.rectified = true, .metric = true, .translation = {-0.5, 0, 0}};
    for (int i = 0; i < 2; i++) rig.cameras[i] = (sv_camera){.fx = 100, .fy = 100, .cx = 30 + 4 * i, .cy = 20};
    sv_rectification r = rectify(&rig, 64, 48, -1);
    assert_true(r.rectified);
    assert_null(r.maps[0]);
    double at[2];
    assert_true(sv_rectify_point(&r, 1, (const double[]){3, 5}, at));
    NEAR(at[0], 3, 0);
    NEAR(at[1], 5, 0);
    NEAR(sv_depth(&r, 6), 5, 1e-6);
    assert_true(isinf(sv_depth(&r, INFINITY)) && isinf(sv_depth(&r, -4)) && isinf(sv_depth(&r, -40)));
    sv_rectification_free(&r);
}
