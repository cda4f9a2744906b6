/* Writes a rig as OpenCV's YAML and as ROS's camera_info. Numbers have 17 digits, so that reading them gives the same
 * values. */
#include "rig/calibration.h"

#include "rig/rectify.h"

/* The number of coefficients that the file needs: the smallest usual number that includes all that are not 0. */
static int coefficients_of(const sv_camera *camera) {
    int most = 0;
    if (camera->lens == SV_LENS_EQUIDISTANT) return 4;
    for (int i = 0; i < SV_LENS_COEFFICIENTS; i++)
        if (camera->coefficients[i] != 0) most = i + 1;
    return most <= 5 ? 5 : most <= 8 ? 8 : SV_LENS_COEFFICIENTS;
}

static void write_numbers(FILE *to, const double *numbers, int count) {
    fprintf(to, "[");
    for (int i = 0; i < count; i++) fprintf(to, "%s%.17g", i ? i % 4 ? ", " : ",\n    " : "", numbers[i]);
    fprintf(to, "]");
}

/* In OpenCV's form or in ROS's. */
static void write_matrix(FILE *to, bool opencv, const char *name, int rows, int columns, const double *numbers) {
    fprintf(to, "%s:%s\n  rows: %d\n  cols: %d\n%s  data: ", name, opencv ? " !!opencv-matrix" : "", rows, columns,
            opencv ? "  dt: d\n" : "");
    write_numbers(to, numbers, rows * columns);
    fprintf(to, "\n");
}

typedef struct matrices {
    double camera[9], rectification[9], projection[12];
} matrices;

static sv_status make_matrices(const sv_rig *rig, matrices of[2], sv_error *error) {
    sv_rectification r;
    const sv_status status = sv_rectify_frame(rig, rig->cameras[0].width, rig->cameras[0].height, 0, &r, error);
    if (status != SV_OK) return status;
    for (int side = 0; side < 2; side++) {
        const sv_camera *c = &rig->cameras[side];
        const sv_pinhole *p = &r.pinholes[side];
        /* After rectification the right camera stands on the x axis of the left one. */
        const double shift = side ? p->fx * (rig->translation[0] > 0 ? r.baseline : -r.baseline) : 0;
        of[side] = (matrices){.camera = {c->fx, 0, c->cx, 0, c->fy, c->cy, 0, 0, 1},
                              .projection = {p->fx, 0, p->cx, shift, 0, p->fy, p->cy, 0, 0, 0, 1, 0}};
        for (int i = 0; i < 9; i++) of[side].rectification[i] = p->rotation[i / 3][i % 3];
    }
    return SV_OK;
}

/* A key of our own, which other programs do not look for. */
static void write_rows(FILE *to, bool opencv, const sv_rig *rig) {
    bool any = false;
    for (int i = 0; i < SV_ROW_TERMS; i++) any |= rig->rows[i] != 0;
    if (any) write_matrix(to, opencv, "stereoview_rows", 1, SV_ROW_TERMS, rig->rows);
}

sv_status calibration_write_opencv(FILE *to, const sv_rig *rig, const char *note, sv_error *error) {
    matrices of[2];
    const sv_status status = make_matrices(rig, of, error);
    if (status != SV_OK) return status;
    fprintf(to, "%%YAML:1.0\n---\n# %s\nimage_width: %d\nimage_height: %d\n", note, rig->cameras[0].width,
            rig->cameras[0].height);
    if (rig->metric) fprintf(to, "unit: m\n");
    if (rig->cameras[0].lens == SV_LENS_EQUIDISTANT) fprintf(to, "fisheye_model: 1\n");
    for (int side = 0; side < 2; side++) {
        const char *const names[2][4] = {{"M1", "D1", "R1", "P1"}, {"M2", "D2", "R2", "P2"}};
        const sv_camera *c = &rig->cameras[side];
        write_matrix(to, true, names[side][0], 3, 3, of[side].camera);
        write_matrix(to, true, names[side][1], 1, coefficients_of(c), c->coefficients);
        write_matrix(to, true, names[side][2], 3, 3, of[side].rectification);
        write_matrix(to, true, names[side][3], 3, 4, of[side].projection);
    }
    write_matrix(to, true, "R", 3, 3, &rig->rotation[0][0]);
    write_matrix(to, true, "T", 3, 1, rig->translation);
    write_rows(to, true, rig);
    return SV_OK;
}

sv_status calibration_write_ros(FILE *to, const sv_rig *rig, int side, const char *note, sv_error *error) {
    matrices of[2];
    const sv_camera *c = &rig->cameras[side];
    const sv_status status = make_matrices(rig, of, error);
    if (status != SV_OK) return status;
    const int count = coefficients_of(c);
    fprintf(to, "# %s\nimage_width: %d\nimage_height: %d\ncamera_name: %s\n", note, c->width, c->height,
            side ? "right" : "left");
    write_matrix(to, false, "camera_matrix", 3, 3, of[side].camera);
    fprintf(to, "distortion_model: %s\n",
            c->lens == SV_LENS_EQUIDISTANT ? "equidistant"
            : count == 5                   ? "plumb_bob"
                                           : "rational_polynomial");
    write_matrix(to, false, "distortion_coefficients", 1, count, c->coefficients);
    write_matrix(to, false, "rectification_matrix", 3, 3, of[side].rectification);
    write_matrix(to, false, "projection_matrix", 3, 4, of[side].projection);
    if (side) write_rows(to, false, rig);
    return SV_OK;
}
