/* Calibrations are written as rig/calibration reads them back. */
#include "rig/calibration.h"
#include "rig/rectify.h"
#include "tests/support/boards.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

static const char *write_rig(const sv_rig *rig, const char *name, int side) {
    const char *path = scratch_path(name);
    FILE *to = fopen(path, "wb");
    sv_error error;
    assert_non_null(to);
    const sv_status status = side < 0 ? calibration_write_opencv(to, rig, "a: test, \"quoted\" # and so on", &error)
                                      : calibration_write_ros(to, rig, side, "a test", &error);
    if (status != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(fclose(to), 0);
    return path;
}

/* `most`: how far the poses may differ. */
static void assert_rigs_equal(const sv_rig *a, const sv_rig *b, double most) {
    for (int side = 0; side < 2; side++) {
        const sv_camera *x = &a->cameras[side], *y = &b->cameras[side];
        assert_int_equal(x->width, y->width);
        assert_int_equal(x->height, y->height);
        assert_int_equal(x->lens, y->lens);
        assert_true(x->fx == y->fx && x->fy == y->fy && x->cx == y->cx && x->cy == y->cy);
        assert_memory_equal(x->coefficients, y->coefficients, sizeof x->coefficients);
    }
    for (int i = 0; i < 9; i++) assert_near(a->rotation[i / 3][i % 3], b->rotation[i / 3][i % 3], most);
    for (int i = 0; i < 3; i++) assert_near(a->translation[i], b->translation[i], most);
    assert_int_equal(a->metric, b->metric);
    assert_false(a->rectified || b->rectified);
}

TEST(rigs_are_written_and_read_back) {
    for (int lens = BOARD_LENS_5; lens <= BOARD_LENS_FISHEYE; lens++)
        for (int swapped = 0; swapped < 2; swapped++) {
            sv_rig rig = rig_of((board_lens)lens), back;
            const char *format;
            char both[512];
            sv_error error;
            if (swapped) rig.translation[0] = -rig.translation[0];
            if (calibration_read(write_rig(&rig, "rig.yaml", -1), BOARDS_WIDTH, BOARDS_HEIGHT, &back, &format,
                                 &error) != SV_OK)
                fail_msg("%s", error.text);
            assert_string_equal(format, "OpenCV");
            assert_rigs_equal(&rig, &back, 1e-12);
            assert_true(back.given);
            const char *left = write_rig(&rig, "left.yaml", 0), *right = write_rig(&rig, "right.yaml", 1);
            snprintf(both, sizeof both, "%s,%s", left, right);
            if (calibration_read(both, BOARDS_WIDTH, BOARDS_HEIGHT, &back, &format, &error) != SV_OK)
                fail_msg("%s", error.text);
            assert_string_equal(format, "ROS camera_info");
            assert_rigs_equal(&rig, &back, 1e-9);
        }
}

TEST(a_row_correction_is_written_and_read_back) {
    sv_rig rig = rig_of(BOARD_LENS_5), back;
    const double rows[SV_ROW_TERMS] = {0.3, -0.25, 0.125, 1.0 / 3, 0, -0.5};
    sv_rectification r;
    sv_error error;
    char both[512];
    memcpy(rig.rows, rows, sizeof rows);
    const char *one = write_rig(&rig, "rows.yaml", -1);
    snprintf(both, sizeof both, "%s,%s", write_rig(&rig, "left.yaml", 0), write_rig(&rig, "right.yaml", 1));
    for (int i = 0; i < 2; i++) {
        if (calibration_read(i ? both : one, BOARDS_WIDTH, BOARDS_HEIGHT, &back, NULL, &error) != SV_OK)
            fail_msg("%s", error.text);
        assert_memory_equal(back.rows, rows, sizeof rows);
    }
    /* It is in pixels of the calibrated size, and of no other frame. */
    assert_int_equal(sv_rectify_frame(&back, 2 * BOARDS_WIDTH, 2 * BOARDS_HEIGHT, -1, &r, &error), SV_OK);
    for (int i = 0; i < SV_ROW_TERMS; i++) assert_near(r.rows[i], 2 * rows[i], 1e-12);
    assert_int_equal(sv_rectify_frame(&back, BOARDS_WIDTH, BOARDS_HEIGHT, 0, &r, &error), SV_OK);
    for (int i = 0; i < SV_ROW_TERMS; i++) assert_true(r.rows[i] == 0);
    memset(rig.rows, 0, sizeof rig.rows);
    assert_null(strstr(scratch_read(write_rig(&rig, "rig.yaml", -1), NULL), "stereoview_rows"));
}

TEST(the_unit_of_an_opencv_file_counts) {
    sv_rig rig = rig_of(BOARD_LENS_5), back;
    char text[8192];
    sv_error error;
    snprintf(text, sizeof text, "%s", scratch_read(write_rig(&rig, "rig.yaml", -1), NULL));
    char *unit = strstr(text, "unit: m\n");
    assert_non_null(unit);
    memcpy(unit, "unit: x\n", 8);
    /* OpenCV has no such key, so that others may mean anything by it. */
    assert_int_equal(
        calibration_read(scratch_write_text("what.yaml", text), BOARDS_WIDTH, BOARDS_HEIGHT, &back, NULL, &error),
        SV_OK);
    assert_false(back.metric);
    assert_near(back.translation[0], -0.12, 1e-12);
    memcpy(unit, "#nounit\n", 8);
    assert_int_equal(
        calibration_read(scratch_write_text("no.yaml", text), BOARDS_WIDTH, BOARDS_HEIGHT, &back, NULL, &error), SV_OK);
    assert_false(back.metric);
    rig.metric = false;
    snprintf(text, sizeof text, "%s", scratch_read(write_rig(&rig, "rig.yaml", -1), NULL));
    strcat(text, "unit: cm\n");
    assert_int_equal(
        calibration_read(scratch_write_text("cm.yaml", text), BOARDS_WIDTH, BOARDS_HEIGHT, &back, NULL, &error), SV_OK);
    assert_true(back.metric);
    assert_near(back.translation[0], -0.0012, 1e-12);
}

FIXTURES(scratch_setup, scratch_teardown)
