/* A camera that orbits a pivot, and its projection. */
#include "render/view/orbit.h"

static const double nearest = 1.0 / 256; /* of the distance to the pivot */
static const double steepest = M_PI / 2 - 1e-3;

orbit orbit_home(double depth) { return (orbit){.pivot = {0, 0, depth}, .distance = depth}; }

orbit_frame orbit_frame_of(const orbit *o) {
    const double sy = sin(o->yaw), cy = cos(o->yaw), sp = sin(o->pitch), cp = cos(o->pitch);
    orbit_frame f = {.right = {cy, 0, -sy}, .down = {sy * sp, cp, cy * sp}, .ahead = {sy * cp, -sp, cy * cp}};
    for (int i = 0; i < 3; i++) f.eye[i] = o->pivot[i] - o->distance * f.ahead[i];
    return f;
}

void orbit_turn(orbit *o, double yaw, double pitch) {
    o->yaw = remainder(o->yaw + yaw, 2 * M_PI);
    o->pitch = fmax(-steepest, fmin(steepest, o->pitch + pitch));
}

void orbit_zoom(orbit *o, double factor) { o->distance = fmax(1e-6, fmin(1e6, o->distance * factor)); }

void orbit_fly(orbit *o, double right, double down, double ahead) {
    const orbit_frame f = orbit_frame_of(o);
    for (int i = 0; i < 3; i++) o->pivot[i] += right * f.right[i] + down * f.down[i] + ahead * f.ahead[i];
}

view_pane orbit_pane(const space *s, int width, int height) {
    return layout_pane((view_rect){0, 0, width, height}, s->width, s->height, (view_zoom){0});
}

void orbit_matrix(const orbit *o, const space *s, int width, int height, float matrix[16]) {
    const orbit_frame f = orbit_frame_of(o);
    const view_pane pane = orbit_pane(s, width, height);
    /* From camera coordinates (x, y, z, w), with y downwards, to clip space. */
    const double middle_x = pane.left + pane.scale_x * (s->cx + 0.5);
    const double middle_y = pane.top - pane.scale_y * (s->cy + 0.5);
    const double clip[4][4] = {{2 * pane.scale_x * s->fx / width, 0, 2 * middle_x / width - 1, 0},
                               {0, -2 * pane.scale_y * s->fy / height, 2 * middle_y / height - 1, 0},
                               {0, 0, 1, -2 * nearest * o->distance},
                               {0, 0, 1, 0}};
    const double *const axes[3] = {f.right, f.down, f.ahead};
    double camera[4][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            camera[i][j] = axes[i][j];
            camera[i][3] -= axes[i][j] * f.eye[j];
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += clip[i][k] * camera[k][j];
            matrix[4 * j + i] = (float)sum;
        }
}

bool orbit_project(const float m[16], const double p[3], int width, int height, double *x, double *y) {
    double clip[4];
    for (int i = 0; i < 4; i++) clip[i] = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
    if (!(clip[3] > 0)) return false;
    *x = width * (clip[0] / clip[3] + 1) / 2;
    *y = height * (clip[1] / clip[3] + 1) / 2;
    return true;
}
