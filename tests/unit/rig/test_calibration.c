/* Calibration files of every format, against figures calculated by hand from tests/support/calibrations; messages for
 * wrong files; and real files if ../shared/data has them. */
#include "rig/calibration.h"
#include "rig/rectify.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN  "tests/support/calibrations/"
#define REAL "../shared/data/"

static sv_rig read_rig(const char *files, int width, int height, const char *expected_format) {
    sv_rig rig;
    sv_error error;
    const char *format = NULL;
    warnings = 0;
    if (calibration_read(files, width, height, &rig, &format, &error) != SV_OK) fail_msg("%s", error.text);
    assert_string_equal(format, expected_format);
    return rig;
}

static void assert_all_near(const double *is, const double *expected, int count, double tolerance) {
    for (int i = 0; i < count; i++)
        if (!(fabs(is[i] - expected[i]) <= tolerance)) fail_msg("[%d] is %.17g, not %.17g", i, is[i], expected[i]);
}

static void assert_camera(const sv_camera *camera, int width, int height, const double intrinsics[4], sv_lens lens,
                          const double coefficients[SV_LENS_COEFFICIENTS]) {
    assert_int_equal(camera->width, width);
    assert_int_equal(camera->height, height);
    assert_all_near((const double[]){camera->fx, camera->fy, camera->cx, camera->cy}, intrinsics, 4, 1e-9);
    assert_int_equal(camera->lens, lens);
    assert_all_near(camera->coefficients, coefficients, SV_LENS_COEFFICIENTS, 1e-12);
}

static void assert_pose(const sv_rig *rig, const double rotation[9], const double translation[3], double tolerance) {
    assert_all_near(&rig->rotation[0][0], rotation, 9, tolerance);
    assert_all_near(rig->translation, translation, 3, tolerance);
}

static void assert_pinhole(const sv_pinhole *pinhole, const double rotation[9], const double intrinsics[4]) {
    assert_all_near(&pinhole->rotation[0][0], rotation, 9, 1e-12);
    assert_all_near((const double[]){pinhole->fx, pinhole->fy, pinhole->cx, pinhole->cy}, intrinsics, 4, 1e-9);
}

#define LIST(...) ((const double[]){__VA_ARGS__})
/* Padded with zeros. */
#define LENS(...) ((const double[SV_LENS_COEFFICIENTS]){__VA_ARGS__})
static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double about_y[9] = {0.96, 0, 0.28, 0, 1, 0, -0.28, 0, 0.96};

/* ---- The formats, by hand --------------------------------------------------------------------- */

TEST(opencv_two_files) {
    static const char *const names[] = {OWN "opencv_intrinsics.yml," OWN "opencv_extrinsics.yml",
                                        OWN "opencv_extrinsics.yml," OWN "opencv_intrinsics.yml"};
    for (int i = 0; i < 2; i++) {
        const sv_rig rig = read_rig(names[i], 640, 480, "OpenCV");
        assert_camera(&rig.cameras[0], 640, 480, LIST(500, 510, 320, 240), SV_LENS_POLYNOMIAL,
                      LENS(-0.25, 0.125, 0.001, -0.002, 0.0625));
        assert_camera(&rig.cameras[1], 640, 480, LIST(505, 515, 330, 250), SV_LENS_POLYNOMIAL,
                      LENS(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2));
        assert_pose(&rig, about_y, LIST(-2.4, 1.8, 0), 1e-12);
        assert_false(rig.metric);
        assert_false(rig.rectified);
        assert_true(rig.given);
        assert_pinhole(&rig.pinholes[0], LIST(0.768, -0.6, 0.224, 0.576, 0.8, 0.168, -0.28, 0, 0.96),
                       LIST(450, 450, 310, 245));
        assert_pinhole(&rig.pinholes[1], LIST(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1), LIST(450, 450, 312, 245));
        assert_int_equal(warnings, 0);
    }
}

TEST(opencv_xml) {
    const sv_rig rig = read_rig(OWN "opencv.xml", 640, 480, "OpenCV");
    assert_camera(&rig.cameras[0], 640, 480, LIST(500, 510, 320, 240), SV_LENS_EQUIDISTANT, LENS(0.1, 0.2, 0.3, 0.4));
    assert_camera(&rig.cameras[1], 640, 480, LIST(505, 515, 330, 250), SV_LENS_EQUIDISTANT, LENS(0.5, 0.6, 0.7, 0.8));
    assert_pose(&rig, LIST(1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8), LIST(-60, 1, 2), 1e-12);
    assert_false(rig.metric);
    assert_false(rig.given);
}

TEST(opencv_sides) {
    const sv_rig rig = read_rig(OWN "opencv_sides.yml", 752, 480, "OpenCV");
    assert_camera(&rig.cameras[0], 752, 480, LIST(458, 457, 367, 248), SV_LENS_POLYNOMIAL,
                  LENS(-0.28, 0.07, 0.0002, 0.00002));
    assert_camera(&rig.cameras[1], 752, 480, LIST(457, 456, 379, 255), SV_LENS_POLYNOMIAL,
                  LENS(-0.28, 0.07, -0.0001, -0.00003));
    assert_pose(&rig, identity, LIST(-0.12, 0, 0), 1e-12);
    assert_false(rig.metric);
    assert_true(rig.given);
}

TEST(ros) {
    static const double turn[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}, back[9] = {0.8, 0.6, 0, -0.6, 0.8, 0, 0, 0, 1};
    const sv_rig rig = read_rig(OWN "ros_left.yaml," OWN "ros_right.yaml", 1280, 960, "ROS camera_info");
    assert_camera(&rig.cameras[0], 1280, 960, LIST(836.5, 831.5, 660.25, 522.75), SV_LENS_POLYNOMIAL,
                  LENS(-0.36, 0.1, 0.0006, 0.004));
    assert_camera(&rig.cameras[1], 1280, 960, LIST(834.5, 830.5, 645.25, 498.75), SV_LENS_POLYNOMIAL,
                  LENS(-0.1, 0.2, -0.3, 0.4, -0.5, 0.6, -0.7, 0.8));
    /* The baseline of 36/720 m lies along the rectified x axis, which is rotated by `back` in the right camera's frame.
     */
    assert_pose(&rig, back, LIST(-0.04, 0.03, 0), 1e-12);
    assert_true(rig.metric);
    assert_true(rig.given);
    assert_pinhole(&rig.pinholes[0], identity, LIST(720, 720, 680, 528));
    assert_pinhole(&rig.pinholes[1], turn, LIST(720, 720, 680, 528));
}

TEST(kalibr) {
    const sv_rig rig = read_rig(OWN "kalibr.yaml", 1280, 960, "Kalibr camchain");
    assert_camera(&rig.cameras[0], 1280, 960, LIST(835.5, 836.5, 692.5, 533.5), SV_LENS_EQUIDISTANT,
                  LENS(-0.0879, -0.0157, 0.0135, -0.0158));
    assert_camera(&rig.cameras[1], 1280, 960, LIST(833.5, 834.5, 676.5, 516.5), SV_LENS_POLYNOMIAL,
                  LENS(-0.28, 0.07, 0.0002, 0.00002));
    assert_pose(&rig, about_y, LIST(-0.06, 0.001, -0.002), 1e-12);
    assert_true(rig.metric);
    assert_false(rig.given);
}

TEST(asl) {
    const sv_rig rig = read_rig(OWN "asl_left.yaml," OWN "asl_right.yaml", 752, 480, "ASL sensor.yaml");
    assert_camera(&rig.cameras[0], 752, 480, LIST(458.5, 457.5, 367.25, 248.25), SV_LENS_POLYNOMIAL,
                  LENS(-0.28, 0.07, 0.0002, 1.75e-05));
    assert_camera(&rig.cameras[1], 752, 480, LIST(457.5, 456.5, 380.25, 255.25), SV_LENS_POLYNOMIAL,
                  LENS(-0.27, 0.06, -0.0001, -3.5e-05));
    /* Cameras rotated by 90 and by 53.13 degrees, the right one 0.125 m along the body's y. */
    assert_pose(&rig, LIST(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1), LIST(-0.1, -0.075, 0), 1e-12);
    assert_true(rig.metric);
}

TEST(kitti) {
    const sv_rig rectified = read_rig(OWN "kitti_cam_to_cam.txt", 1242, 375, "KITTI calib_cam_to_cam");
    assert_true(rectified.rectified);
    assert_camera(&rectified.cameras[0], 1242, 375, LIST(720, 720, 609, 172), SV_LENS_POLYNOMIAL, LENS(0));
    assert_camera(&rectified.cameras[1], 1242, 375, LIST(720, 720, 609, 172), SV_LENS_POLYNOMIAL, LENS(0));
    assert_pose(&rectified, identity, LIST(-0.54, 0, 0), 1e-12);
    assert_true(rectified.metric);

    const sv_rig raw = read_rig(OWN "kitti_cam_to_cam.txt", 1392, 512, "KITTI calib_cam_to_cam");
    assert_false(raw.rectified);
    assert_camera(&raw.cameras[1], 1392, 512, LIST(989, 987, 702, 245), SV_LENS_POLYNOMIAL,
                  LENS(-0.36, 0.17, 0.001, -0.0006, -0.05));
    assert_pose(&raw, about_y, LIST(-0.54, 0.005, -0.012), 1e-12);

    /* Half the size: the aspect ratio decides which of the two is used. */
    assert_false(read_rig(OWN "kitti_cam_to_cam.txt", 696, 256, "KITTI calib_cam_to_cam").rectified);
    assert_true(read_rig(OWN "kitti_cam_to_cam.txt", 1241, 376, "KITTI calib_cam_to_cam").rectified);
}

TEST(karlsruhe) {
    const sv_rig cut = read_rig(OWN "karlsruhe.txt", 1344, 372, "Karlsruhe calib.txt");
    assert_true(cut.rectified);
    assert_camera(&cut.cameras[1], 1344, 372, LIST(640, 640, 636, 194), SV_LENS_POLYNOMIAL, LENS(0));
    assert_pose(&cut, identity, LIST(-0.57, 0, 0), 1e-12);

    const sv_rig raw = read_rig(OWN "karlsruhe.txt", 1392, 512, "Karlsruhe calib.txt");
    assert_false(raw.rectified);
    assert_true(raw.given);
    assert_true(raw.metric);
    assert_camera(&raw.cameras[1], 0, 0, LIST(880, 879, 663, 269), SV_LENS_POLYNOMIAL,
                  LENS(-0.375, 0.184, -0.001, 0.002, -0.05));

    /* Neither the part that was cut out, columns 26 to 1369 and rows 70 to 441, nor pictures that have it. */
    static const int others[][2] = {{450, 375}, {1369, 512}, {1392, 441}};
    sv_rig rig;
    sv_error error;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(calibration_read(OWN "karlsruhe.txt", others[i][0], others[i][1], &rig, NULL, &error),
                         SV_FAILED);
        assert_has(error.text, "karlsruhe.txt is for pictures of 1344 x 372 pixels");
    }
    read_rig(OWN "karlsruhe.txt", 1370, 442, "Karlsruhe calib.txt");
}

TEST(middlebury) {
    const sv_rig rig = read_rig(OWN "middlebury.txt", 741, 500, "Middlebury calib.txt");
    assert_true(rig.rectified);
    assert_true(rig.metric);
    assert_camera(&rig.cameras[0], 741, 500, LIST(994.5, 994.5, 311.25, 254.75), SV_LENS_POLYNOMIAL, LENS(0));
    assert_camera(&rig.cameras[1], 741, 500, LIST(994.5, 994.5, 342.5, 254.75), SV_LENS_POLYNOMIAL, LENS(0));
    assert_pose(&rig, identity, LIST(-0.193, 0, 0), 1e-12);
    assert_int_equal(warnings, 0);
}

/* The rotation in zed.conf, to second order: I + [v] + [v]^2 / 2, whose next term is below 3e-6. */
TEST(zed) {
    const double x = -0.00325, y = 0.0225, z = -0.0011;
    const double turn[9] = {1 - (y * y + z * z) / 2, -z + x * y / 2,          y + x * z / 2,
                            z + x * y / 2,           1 - (x * x + z * z) / 2, -x + y * z / 2,
                            -y + x * z / 2,          x + y * z / 2,           1 - (x * x + y * y) / 2};
    static const struct {
        int width, height, calibrated, focal;
    } sizes[] = {{2208, 1242, 2208, 1400}, {1280, 720, 1280, 700}, {672, 376, 672, 350}, {640, 360, 2208, 1400}};
    for (int i = 0; i < 4; i++) {
        const sv_rig rig = read_rig(OWN "zed.conf", sizes[i].width, sizes[i].height, "ZED .conf");
        assert_int_equal(rig.cameras[0].width, sizes[i].calibrated);
        assert_all_near(&rig.cameras[0].fx, LIST(sizes[i].focal, sizes[i].focal + 1), 2, 1e-9);
        assert_all_near(&rig.rotation[0][0], turn, 9, 3e-6);
        assert_all_near(rig.translation, LIST(-0.12, 0.0005, -0.00025), 3, 1e-12);
        assert_true(rig.metric);
    }
    const sv_rig rig = read_rig(OWN "zed.conf", 1280, 720, "ZED .conf");
    assert_camera(&rig.cameras[1], 1280, 720, LIST(702, 703, 669, 367), SV_LENS_POLYNOMIAL,
                  LENS(-0.17, 0.025, 0.001, 0.002));
}

/* ---- Files with one change ---------------------------------------------------------------------- */

/* Copies one or two files of tests/support/calibrations into the scratch folder, with the first `from` replaced. */
static const char *changed(const char *files, const char *from, const char *to) {
    static char names[1300];
    char list[256], text[1 << 16];
    const char *written[2] = {NULL, NULL};
    bool done = false;
    snprintf(list, sizeof list, "%s", files);
    char *rest = list;
    for (int i = 0; rest && i < 2; i++) {
        const char *name = strsep(&rest, ",");
        char path[300];
        snprintf(path, sizeof path, OWN "%s", name);
        snprintf(text, sizeof text, "%s", scratch_read(path, NULL));
        char *at = done ? NULL : strstr(text, from);
        if (at) {
            char tail[1 << 16];
            snprintf(tail, sizeof tail, "%s", at + strlen(from));
            snprintf(at, sizeof text - (size_t)(at - text), "%s%s", to, tail);
            done = true;
        }
        written[i] = scratch_write_text(name, text);
    }
    if (!done) fail_msg("'%s' is not in %s", from, files);
    snprintf(names, sizeof names, "%s%s%s", written[0], written[1] ? "," : "", written[1] ? written[1] : "");
    return names;
}

#define OPENCV "opencv_intrinsics.yml,opencv_extrinsics.yml"
#define ROS    "ros_left.yaml,ros_right.yaml"
#define ASL    "asl_left.yaml,asl_right.yaml"

TEST(wrong_values_are_refused) {
    static const struct {
        const char *files, *from, *to;
        const char *in_file, *message; /* both are in the message */
    } cases[] = {
        /* Numbers */
        {OPENCV, "5.0000000000000000e+002", ".Nan", "intrinsics.yml", "'M1' has '.Nan', which is not a finite number"},
        {OPENCV, "-2.4, 1.8", "-2.4x, 1.8", "extrinsics.yml", "'T' has '-2.4x', which is not a finite number"},
        {OPENCV, "5.0000000000000000e+002", "1e7", "intrinsics.yml", "'M1' has a focal length of 1e+07"},
        {OPENCV, "320.", "3e6", "intrinsics.yml", "'M1' has a principal point at 3e+06"},
        {OPENCV, "-0.25, 0.125", "-2e7, 0.125", "intrinsics.yml", "'D1' has -2e+07"},
        {OPENCV, "1.2,\n       0., 0.", "1.2, 0.01, 0.", "intrinsics.yml", "'D2' has a tilted sensor"},
        {OPENCV, "image_width: 640", "image_width: 640.5", "intrinsics.yml",
         "'image_width' has a picture size of 640.5"},
        {OPENCV, "image_height: 480", "image_height: 0", "intrinsics.yml", "'image_height' has a picture size of 0"},
        /* Counts */
        {OPENCV, "-2.4, 1.8, 0.", "-2.4, 0.", "extrinsics.yml", "'T' has 2 numbers; it takes 3"},
        {OPENCV, "0.001, -0.002, 0.0625", "0.001", "intrinsics.yml", "'D1' has 3 numbers"},
        /* Missing keys */
        {OPENCV, "M1:", "X1:", "intrinsics.yml", "no left camera matrix; it may be named M1"},
        {OPENCV, "D1:", "X1:", "intrinsics.yml", "no left camera's distortion"},
        {OPENCV, "R:", "X:", "extrinsics.yml", "no rotation"},
        {OPENCV, "T:", "X:", "extrinsics.yml", "no translation"},
        {ROS, "camera_matrix", "x", "left.yaml", "has no 'camera_matrix'"},
        {"kalibr.yaml", "T_cn_cnm1", "x", "kalibr.yaml", "has no 'cam1.T_cn_cnm1'"},
        {ASL, "camera_model", "x", "left.yaml", "has no 'camera_model'"},
        {"kitti_cam_to_cam.txt", "S_rect_00", "x", "kitti_cam_to_cam.txt", "has no 'S_rect_00'"},
        {"middlebury.txt", "baseline", "x", "middlebury.txt", "has no 'baseline'"},
        {"zed.conf", "fx=700", "x=1", "zed.conf",
         "no section [LEFT_CAM_...] for pictures of 1280x960; it has 2208x1242"},
        /* Wrong matrices */
        {OPENCV, "000e+002, 0.", "000e+002, 5.", "intrinsics.yml", "'M1' is not a camera matrix"},
        {OPENCV, "0.96, 0., 0.28", "0.96, 0., 0.5", "extrinsics.yml", "'R' is not a rotation: its columns"},
        {OPENCV, "0., 1., 0., -0.28, 0., 0.96", "0., -1., 0., -0.28, 0., 0.96", "extrinsics.yml",
         "'R' is not a rotation: it is a reflection"},
        {OPENCV, "0., 1., 0., -0.28, 0., 0.96", "0., 1e300, 0., -0.28, 0., 0.96", "extrinsics.yml",
         "'R' is not a rotation"},
        {OPENCV, "-2.4, 1.8, 0.", "0., 0., 0.", "extrinsics.yml", "according to 'T' the cameras are 0 apart"},
        {OPENCV, "-1350., 0., 450.", "-1350., 0., 451.", "extrinsics.yml", "they have no common rows"},
        {ROS, "0, 0, 1, 0]", "0, 0, 0, 1]", "left.yaml", "'projection_matrix' is not a projection matrix"},
        {ROS, "-36", "0", "right.yaml", "according to 'projection_matrix' the cameras are 0 apart"},
        {"kalibr.yaml", "[0.0, 0.0, 0.0, 1.0]", "[0.0, 0.0, 0.0, 2.0]", "kalibr.yaml",
         "'cam1.T_cn_cnm1' is not a pose"},
        {"middlebury.txt", "baseline=193", "baseline=0", "middlebury.txt",
         "according to 'baseline' the cameras are 0 apart"},
        {"kitti_projections.txt", "P1: 7.0", "P1: 7.1", "kitti_projections.txt", "they have no common rows"},
        /* Models */
        {ROS, "plumb_bob", "fov", "left.yaml", "'distortion_model' is 'fov'"},
        {"kalibr.yaml", "pinhole", "omni", "kalibr.yaml", "'cam0.camera_model' is 'omni'"},
        {"kalibr.yaml", "[-0.0879, ", "[", "kalibr.yaml", "'cam0.distortion_coeffs' has 3 numbers; an equidistant"},
        /* The two cameras */
        {ASL, "resolution: [752, 480]", "resolution: [752, 481]", "left.yaml",
         "pictures are 752x481, the right one's 752x480"},
        /* Syntax */
        {OPENCV, "M2: !!opencv-matrix", "M1: !!opencv-matrix", "intrinsics.yml", "'M1.rows' appears twice"},
        {OPENCV, "M1:", "M1: [", "intrinsics.yml, line", "not YAML"},
        {"opencv.xml", "</T>", "</S>", "opencv.xml, line", "not XML"},
        {"opencv.xml", "<opencv_storage>", "<!DOCTYPE a [<!ENTITY b \"1\">]><opencv_storage>", "opencv.xml",
         "has a document type"},
        {"zed.conf", "fy=1401", "fy 1401", "zed.conf, line 3", "expected 'key=value'"},
        {"zed.conf", "fy=1401", "fx=1401", "zed.conf", "'LEFT_CAM_2K.fx' appears twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_rig rig;
        sv_error error = {""};
        const char *names = changed(cases[i].files, cases[i].from, cases[i].to);
        if (calibration_read(names, 1280, 960, &rig, NULL, &error) != SV_FAILED)
            fail_msg("'%s' in place of '%s' is taken", cases[i].to, cases[i].from);
        assert_has(error.text, cases[i].in_file);
        assert_has(error.text, cases[i].message);
    }
}

/* Files that are not a calibration at all. */
TEST(files_that_are_not_a_calibration_are_refused) {
    static char huge[(1 << 20) + 2];
    memset(huge, ' ', sizeof huge - 1);
    static char many[5000 * 12];
    for (int i = 0, used = 0; i < 5000; i++) used += sprintf(many + used, "k%d: 1\n", i);
    static char deep[1 << 20]; /* would take libyaml minutes */
    for (size_t i = 0; i + 4 < sizeof deep; i += 4) memcpy(deep + i, "{a: ", 4);
    const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"", "is empty"},
        {huge, "is larger than 1 MiB"},
        {"\x7f\x45\x4c\x46\xff\xfe", "is not YAML"},
        {"hello", "has no keys"},
        {"a: 1", "is not a calibration in a known format"},
        {"<?xml version=\"1.0\"?>", "is not XML"},
        {"<a><b>1</b></a>", "is not a calibration in a known format"},
        {"<a><b>1</b><b>2</b></a>", "'b' appears twice"},
        {"<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>", "is nested deeper than 16"},
        {"[a]\nb=1\n", "is not a calibration in a known format"},
        {"a: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: {b: 1}}}}}}}}}}}}}}}}}",
         "is nested deeper than 16"},
        {"a: &a [*a, *a]", "is nested deeper than 16"},
        {"a: &a [1,1,1,1]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n", "repeats"},
        {"a: \"1\\0\"", "contains a zero byte"},
        {many, "has more than 4096 keys"},
        {deep, "is nested deeper than 16"},
    };
    sv_rig rig;
    sv_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error.text[0] = '\0';
        const char *path = scratch_write_text("rubbish.yml", cases[i].text);
        assert_int_equal(calibration_read(path, 640, 480, &rig, NULL, &error), SV_FAILED);
        assert_has(error.text, "rubbish.yml");
        assert_has(error.text, cases[i].message);
    }
    assert_int_equal(calibration_read(scratch_write("zero.yml", "M1: \0", 5), 640, 480, &rig, NULL, &error), SV_FAILED);
    assert_has(error.text, "zero.yml is not a text file");
    assert_int_equal(calibration_read(scratch_path("nowhere.yml"), 640, 480, &rig, NULL, &error), SV_FAILED);
    assert_has(error.text, "nowhere.yml: No such file");
    assert_int_equal(calibration_read("tests", 640, 480, &rig, NULL, &error), SV_FAILED);
    assert_has(error.text, "tests: Is a directory");
}

TEST(cameras_may_be_in_one_file_or_two) {
    sv_rig rig;
    sv_error error;
    assert_int_equal(calibration_read(OWN "asl_left.yaml", 752, 480, &rig, NULL, &error), SV_FAILED);
    assert_has(error.text, "asl_left.yaml (ASL sensor.yaml) holds one camera; name both files");
    assert_int_equal(calibration_read(OWN "kalibr.yaml," OWN "kalibr.yaml", 752, 480, &rig, NULL, &error), SV_FAILED);
    assert_has(error.text, "kalibr.yaml (Kalibr camchain) holds both cameras; name it alone");
    /* A comma in a file's name is part of it. */
    char both[1 << 13];
    snprintf(both, sizeof both, "%s", scratch_read(OWN "kalibr.yaml", NULL));
    read_rig(scratch_write_text("a,b.yaml", both), 1280, 960, "Kalibr camchain");
}

/* Other names, other models, optional keys. */
TEST(variants_of_the_formats_are_read) {
    sv_rig rig = read_rig(changed(OPENCV, "M1:", "camera_matrix_left:"), 640, 480, "OpenCV");
    assert_all_near(&rig.cameras[0].fx, LIST(500), 1, 0);
    rig = read_rig(changed(OPENCV, "D1:", "Left_Distortion_Coefficients:"), 640, 480, "OpenCV");
    assert_all_near(rig.cameras[0].coefficients, LIST(-0.25), 1, 0);
    rig = read_rig(changed(OPENCV, "image_width: 640", "imageSize: [ 320, 200 ]"), 640, 480, "OpenCV");
    assert_int_equal(rig.cameras[1].width, 320);
    rig = read_rig(changed(OPENCV, "image_width: 640\nimage_height: 480\n", ""), 640, 480, "OpenCV");
    assert_int_equal(rig.cameras[0].width, 0);
    rig = read_rig(changed(OPENCV, "P2:", "x:"), 640, 480, "OpenCV");
    assert_false(rig.given);
    rig = read_rig(changed(OPENCV, "%YAML:1.0", "\xef\xbb\xbf%YAML:1.0\r"), 640, 480, "OpenCV");
    assert_all_near(&rig.cameras[0].fx, LIST(500), 1, 0);
    rig = read_rig(changed("opencv.xml", "640 480", "<_>\n640</_><_><x>480</x></_>"), 640, 480, "OpenCV");
    assert_int_equal(rig.cameras[0].height, 480);
    rig = read_rig(changed("opencv.xml", "500. 0.", "&#53;<![CDATA[00. ]]>0."), 640, 480, "OpenCV");
    assert_all_near(&rig.cameras[0].fx, LIST(500), 1, 0);
    rig = read_rig(changed(ROS,
                           "plumb_bob\ndistortion_coefficients:\n  rows: 1\n  cols: 5\n"
                           "  data: [-0.36, 0.1, 0.0006, 0.004, 0]",
                           "equidistant\ndistortion_coefficients: {rows: 1, cols: 4, data: [1, 2, 3, 4]}"),
                   1280, 960, "ROS camera_info");
    assert_int_equal(rig.cameras[0].lens, SV_LENS_EQUIDISTANT);
    assert_all_near(rig.cameras[0].coefficients, LENS(1, 2, 3, 4), SV_LENS_COEFFICIENTS, 0);
    /* Poses from the IMU to each camera instead of from camera to camera. */
    rig = read_rig(changed("kalibr.yaml", "cam1:\n  T_cn_cnm1:",
                           "  T_cam_imu: [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]\ncam1:\n"
                           "  T_cam_imu: [[1, 0, 0, 0.5], [0, 1, 0, 0.25], [0, 0, 1, 0], [0, 0, 0, 1]]\n  x:"),
                   1280, 960, "Kalibr camchain");
    assert_pose(&rig, LIST(0, 1, 0, -1, 0, 0, 0, 0, 1), LIST(-1.5, 1.25, -3), 1e-12);
    rig = read_rig(OWN "kitti_projections.txt", 1242, 375, "KITTI P0..P3");
    assert_all_near(rig.translation, LIST(-0.54, 0, 0), 3, 1e-12);
    /* The colour cameras, whose origins are not in the plane of the first camera's centre. */
    rig = read_rig(changed("kitti_projections.txt", "P0", "x"), 1242, 375, "KITTI P0..P3");
    assert_all_near(rig.translation, LIST(-0.53, 0, 0), 3, 1e-12);
    assert_all_near(&rig.cameras[0].cx, LIST(600), 1, 1e-12);
    /* Rounded to three digits, and made a rotation again. */
    rig = read_rig(changed("kalibr.yaml", "[0.96, 0.0, 0.28, -0.06]", "[0.961, 0.0, 0.279, -0.06]"), 1280, 960,
                   "Kalibr camchain");
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double product = 0;
            for (int k = 0; k < 3; k++) product += rig.rotation[i][k] * rig.rotation[j][k];
            assert_all_near(&product, LIST(i == j), 1, 1e-14);
        }
    assert_all_near(&rig.rotation[0][0], about_y, 9, 0.001);
}

TEST(implausible_values_are_reported) {
    read_rig(changed("middlebury.txt", "doffs=31.25", "doffs=30"), 741, 500, "Middlebury calib.txt");
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "middlebury.txt: 'doffs' is 30, but 'cam0' and 'cam1' give 31.25");
    static const char *const others[][2] = {
        {"R: !!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: d\n   data: [ 0.96, 0., 0.28,",
         "R: [ 0.96, 0., -0.28, 0., 1., 0., 0.28, 0., 0.96 ]\nx:\n   data: [ 0.96, 0., 0.28,"},
        {"-2.4, 1.8, 0.", "-2.4, 1.75, 0."},
    };
    for (int i = 0; i < 2; i++) {
        assert_false(read_rig(changed(OPENCV, others[i][0], others[i][1]), 640, 480, "OpenCV").given);
        assert_int_equal(warnings, 1);
        assert_has(last_warning, "R1 R2 P1 P2 do not belong to the same cameras as R and T");
    }
    read_rig(changed(ASL, "367.25", "-3.5"), 752, 480, "ASL sensor.yaml");
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "the principal point of the left camera, (-3.5, 248.2), is outside");
    /* A file without a size, for pictures of another one. */
    read_rig(OWN "kitti_projections.txt", 1241, 376, "KITTI P0..P3");
    assert_int_equal(warnings, 0);
    read_rig(OWN "kitti_projections.txt", 620, 188, "KITTI P0..P3");
    assert_int_equal(warnings, 2);
    assert_has(last_warning, "the principal point of the right camera, (607.0, 185.0), is far from the middle");
}

/* ---- Real files -------------------------------------------------------------------------------- */

/* The translation from the left camera to the right one, as each file or its data set's paper has it. */
TEST(real_files_are_read) {
#define CALIB  REAL "calib/"
#define CONFIG CALIB "config_files/"
    static const struct {
        const char *files, *format;
        int width, height;
        double translation[3], most;
    } files[] = {
        {CALIB "opencv_samples_left_right/intrinsics.yml," CALIB "opencv_samples_left_right/extrinsics.yml",
         "OpenCV",
         640,
         480,
         {-3.34, 0.047, 0.002},
         0.005},
        {CALIB "ximea_chessboard_25/extrinsics.yml," CALIB "ximea_chessboard_25/intrinsics.yml",
         "OpenCV",
         640,
         512,
         {91.204379214855877, -2.6467940379585433, 12.201294785624963},
         1e-12},
        {CONFIG "side_x_side_1280x960/2022-12-15-16-50-41-camchain.yaml",
         "Kalibr camchain",
         1280,
         960,
         {-0.05908089475073256, 0.00038463542030272907, -0.002455323493181681},
         1e-12},
        {REAL "seq_euroc_v101_micro/cam0_sensor.yaml," REAL "seq_euroc_v101_micro/cam1_sensor.yaml",
         "ASL sensor.yaml",
         752,
         480,
         {-0.11, 0, 0},
         0.001},
        {REAL "seq_kitti_raw_2011_09_26_0001/calib_cam_to_cam.txt",
         "KITTI calib_cam_to_cam",
         1392,
         512,
         {-0.537, 0.004822061, -0.01252488},
         1e-9},
        {REAL "kitti_2012/000070/calib.txt", "KITTI P0..P3", 1242, 375, {-386.1448 / 718.856, 0, 0}, 1e-9},
        {REAL "seq_karlsruhe_2010_03_09_0023/calib.txt",
         "Karlsruhe calib.txt",
         1344,
         372,
         {-368.2632 / 645.2401, 0, 0},
         1e-9},
        {REAL "middlebury_2014/Motorcycle_Q/calib.txt", "Middlebury calib.txt", 741, 500, {-0.193001, 0, 0}, 1e-6},
        {CONFIG "zed_SN1267/SN1267.conf", "ZED .conf", 1280, 720, {-0.12, 0, 0}, 1e-12},
    };
    if (access(CALIB, F_OK)) skip_without("../shared/data");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const sv_rig rig = read_rig(files[i].files, files[i].width, files[i].height, files[i].format);
        assert_all_near(rig.translation, files[i].translation, 3, files[i].most);
    }
    const sv_rig ros = read_rig(CONFIG "side_x_side_1280x960/left.yaml," CONFIG "side_x_side_1280x960/right.yaml", 1280,
                                960, "ROS camera_info");
    assert_camera(&ros.cameras[1], 1280, 960, LIST(833.6247, 829.98537, 645.46647, 498.48897), SV_LENS_POLYNOMIAL,
                  LENS(-0.358593, 0.101125, 0.002683, 0.003616));
}

FIXTURES(reading_setup, scratch_teardown)
