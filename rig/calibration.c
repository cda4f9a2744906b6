/* Recognises the format of calibration files, and makes the checks that all formats share. */
#include "rig/calibration.h"

#include "rig/calibration_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Formats ---------------------------------------------------------------------------------- */

static bool has(const calibration_values *file, const char *key) { return calibration_text(file, key); }

static bool is_kalibr(const calibration_values *file) {
    return has(file, "cam0.intrinsics") || has(file, "cam1.intrinsics");
}
static bool is_asl(const calibration_values *file) { return has(file, "T_BS") || has(file, "sensor_type"); }
static bool is_kitti(const calibration_values *file) { return has(file, "P_rect_00") || has(file, "P_rect_02"); }
static bool is_projections(const calibration_values *file) {
    return (has(file, "P0") && has(file, "P1")) || (has(file, "P2") && has(file, "P3"));
}
static bool is_karlsruhe(const calibration_values *file) { return has(file, "P1_roi") && has(file, "roi"); }
static bool is_middlebury(const calibration_values *file) {
    return has(file, "cam0") && (has(file, "cam1") || has(file, "baseline"));
}
static bool is_zed(const calibration_values *file) {
    return has(file, "STEREO.Baseline") || has(file, "LEFT_CAM_HD.fx");
}
static bool is_camera_info(const calibration_values *file) {
    return has(file, "projection_matrix") ||
           ((has(file, "K") || has(file, "camera_matrix")) && (has(file, "P") || has(file, "distortion_model")));
}

static const struct {
    const char *name;
    bool (*is)(const calibration_values *file); /* recognises the first file of a set */
    int least, most;                            /* files */
    calibration_reader *read;
} formats[] = {
    {"Kalibr camchain", is_kalibr, 1, 1, calibration_read_kalibr},
    {"ASL sensor.yaml", is_asl, 2, 2, calibration_read_asl},
    {"KITTI calib_cam_to_cam", is_kitti, 1, 1, calibration_read_kitti},
    {"KITTI P0..P3", is_projections, 1, 1, calibration_read_projections},
    {"Karlsruhe calib.txt", is_karlsruhe, 1, 1, calibration_read_karlsruhe},
    {"Middlebury calib.txt", is_middlebury, 1, 1, calibration_read_middlebury},
    {"ZED .conf", is_zed, 1, 1, calibration_read_zed},
    {"ROS camera_info", is_camera_info, 2, 2, calibration_read_camera_info},
    {"OpenCV", calibration_is_opencv, 1, 2, calibration_read_opencv},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static sv_status read_rig(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                          const char **format, sv_error *error) {
    int f = 0;
    while (f < FORMATS && !formats[f].is(&files[0])) f++;
    if (f == FORMATS)
        return sv_fail(error, SV_FAILED,
                       "%s is not a calibration in a known format: OpenCV, ROS, Kalibr, ASL, KITTI, Middlebury or ZED",
                       files[0].path);
    if (count < formats[f].least)
        return sv_fail(error, SV_FAILED, "%s (%s) holds one camera; name both files: LEFT,RIGHT", files[0].path,
                       formats[f].name);
    if (count > formats[f].most)
        return sv_fail(error, SV_FAILED, "%s (%s) holds both cameras; name it alone", files[0].path, formats[f].name);
    if (format) *format = formats[f].name;
    return formats[f].read(files, count, width, height, rig) ? SV_OK : SV_FAILED;
}

/* ---- Checks ----------------------------------------------------------------------------------- */

/* How far a principal point may be from the middle, as a part of the width and the height, if the file names the size
 * of its pictures, and if not. */
static const double most_off_middle = 0.5, most_off_middle_of_any = 0.2;

static sv_status check_cameras(const char *files, const sv_rig *rig, int width, int height, sv_error *error) {
    const sv_camera *left = &rig->cameras[0], *right = &rig->cameras[1];
    if (left->width != right->width || left->height != right->height)
        return sv_fail(error, SV_FAILED, "%s: the left camera's pictures are %dx%d, the right one's %dx%d", files,
                       left->width, left->height, right->width, right->height);
    for (int side = 0; side < 2; side++) {
        const sv_camera *c = &rig->cameras[side];
        const int across = c->width ? c->width : width, down = c->width ? c->height : height;
        const double most = c->width ? most_off_middle : most_off_middle_of_any;
        if (fabs(c->cx / across - 0.5) > most || fabs(c->cy / down - 0.5) > most)
            sv_log(SV_LOG_WARNING,
                   "%s: the principal point of the %s camera, (%.1f, %.1f), is %s of its picture of %dx%d; check that "
                   "the cameras were calibrated with pictures of that size",
                   files, side ? "right" : "left", c->cx, c->cy, c->width ? "outside" : "far from the middle", across,
                   down);
    }
    return SV_OK;
}

sv_status calibration_read(const char *files, int width, int height, sv_rig *rig, const char **format,
                           sv_error *error) {
    char *names = strdup(files);
    if (!names) return sv_fail(error, SV_FAILED, "out of memory for %s", files);
    calibration_values values[2] = {{0}};
    char *comma = access(files, F_OK) ? strchr(names, ',') : NULL; /* the name of a single file may contain a comma */
    if (comma) *comma = '\0';
    const int count = comma ? 2 : 1;

    *rig = (sv_rig){0};
    sv_status status = calibration_values_read(&values[0], names, error);
    if (status == SV_OK && comma) status = calibration_values_read(&values[1], comma + 1, error);
    if (status == SV_OK) status = read_rig(values, count, width, height, rig, format, error);
    if (status == SV_OK) status = check_cameras(files, rig, width, height, error);
    calibration_values_free(&values[0]);
    calibration_values_free(&values[1]);
    free(names);
    return status;
}
