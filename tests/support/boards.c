/* Boards and rigs. */
#include "tests/support/boards.h"
#include "rig/rotation.h"
#include "tests/support/reading.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

board board_of(const char *text) {
    board b;
    sv_error error;
    if (board_parse(text, &b, &error) != SV_OK) fail_msg("%s", error.text);
    return b;
}

void skip_without_opencv(void) {
    const board b = board_of("charuco:8x5:30mm");
    bool cells[BOARD_MOST_POINTS];
    sv_error error;
    if (board_marker_cells(&b, 0, cells, &error)) return;
    assert_has(error.text, "libopencv-dev");
    print_message("this program was built without OpenCV\n");
    skip();
}

placing place(const board *b, double x, double y, double z, const double middle[3]) {
    placing p = {.focal = 600};
    const double axis[3] = {x, y, z};
    double size[2], moved[3];
    board_size(b, size);
    rotation_about(axis, vector_length(axis), p.m);
    rotation_apply(p.m, (const double[]){size[0] / 2, size[1] / 2, 0}, moved);
    for (int i = 0; i < 3; i++) p.shift[i] = middle[i] - moved[i];
    return p;
}

static struct {
    double at[2], side;
    int across;
    bool cells[BOARD_MOST_POINTS];
} markers[64];
static int marker_count;

static void draw_markers(const board *b) {
    marker_count = board_markers(b);
    for (int m = 0; m < marker_count; m++) {
        board_marker(b, m, markers[m].at, &markers[m].side);
        markers[m].across = board_marker_cells(b, m, markers[m].cells, NULL);
    }
}

/* What is at a place of the board, 0 black to 1 white, from the meaning of its name. */
static double shade(const board *b, double x, double y) {
    double size[2];
    board_size(b, size);
    if (x < 0 || y < 0 || x >= size[0] || y >= size[1]) return 1;
    for (int m = 0; m < marker_count; m++) {
        const double u = (x - markers[m].at[0]) / markers[m].side, v = (y - markers[m].at[1]) / markers[m].side;
        if (!(u >= 0 && v >= 0 && u < 1 && v < 1)) continue;
        const int across = markers[m].across;
        return markers[m].cells[(int)(v * across) * across + (int)(u * across)] ? 0 : 1;
    }
    if (b->kind != BOARD_APRILGRID) return ((int)(x / b->square) + (int)(y / b->square)) % 2 ? 1 : 0;
    const double pitch = b->square + b->marker;
    return fmod(x, pitch) < b->marker && fmod(y, pitch) < b->marker ? 0 : 1;
}

void board_project(const placing *p, const double at[2], double pixel[2]) {
    double q[3];
    rotation_apply(p->m, (const double[]){at[0], at[1], 0}, q);
    for (int i = 0; i < 3; i++) q[i] += p->shift[i];
    pixel[0] = (BOARDS_WIDTH - 1) / 2.0 + p->focal * q[0] / q[2];
    pixel[1] = (BOARDS_HEIGHT - 1) / 2.0 + p->focal * q[1] / q[2];
}

/* Each pixel is the mean of 5 x 5 rays. */
sv_image board_render(const board *b, const placing *p) {
    enum { RAYS = 5 };
    sv_image image = {
        malloc(BOARDS_WIDTH * BOARDS_HEIGHT), BOARDS_WIDTH, BOARDS_WIDTH, BOARDS_HEIGHT, SV_GREY8, SV_HOST};
    assert_non_null(image.data);
    double origin[3];
    rotation_apply_transposed(p->m, p->shift, origin);
    draw_markers(b);
    for (int i = 0; i < BOARDS_WIDTH * BOARDS_HEIGHT; i++) {
        double sum = 0;
        for (int k = 0; k < RAYS * RAYS; k++) {
            const double u = i % BOARDS_WIDTH + (k % RAYS + 0.5) / RAYS - 0.5,
                         v = i / BOARDS_WIDTH + (k / RAYS + 0.5) / RAYS - 0.5;
            double ray[3];
            rotation_apply_transposed(p->m,
                                      (const double[]){(u - (BOARDS_WIDTH - 1) / 2.0) / p->focal,
                                                       (v - (BOARDS_HEIGHT - 1) / 2.0) / p->focal, 1},
                                      ray);
            const double far = origin[2] / ray[2];
            sum += shade(b, far * ray[0] - origin[0], far * ray[1] - origin[1]);
        }
        ((uint8_t *)image.data)[i] = (uint8_t)(30 + 200 * sum / (RAYS * RAYS));
    }
    return image;
}

sv_rig rig_of(board_lens lens) {
    sv_rig rig = {.translation = {-0.12, 0.002, -0.003}, .metric = true};
    const double axis[3] = {0.02, -0.035, 0.01};
    rotation_about(axis, vector_length(axis), rig.rotation);
    for (int side = 0; side < 2; side++) {
        sv_camera *c = &rig.cameras[side];
        *c = (sv_camera){.width = BOARDS_WIDTH,
                         .height = BOARDS_HEIGHT,
                         .fx = 520 + 9 * side,
                         .fy = 521 + 9 * side,
                         .cx = 325,
                         .cy = 236};
        const double five[] = {-0.21, 0.07, 0.0006, -0.0004, 0.01};
        const double eight[] = {0.3, 0.1, 0.0006, -0.0004, 0.01, 0.5, 0.05, 0.002};
        const double fisheye[] = {0.03, -0.02, 0.008, -0.001};
        c->lens = lens == BOARD_LENS_FISHEYE ? SV_LENS_EQUIDISTANT : SV_LENS_POLYNOMIAL;
        memcpy(c->coefficients,
               lens == BOARD_LENS_5   ? five
               : lens == BOARD_LENS_8 ? eight
                                      : fisheye,
               lens == BOARD_LENS_5   ? sizeof five
               : lens == BOARD_LENS_8 ? sizeof eight
                                      : sizeof fisheye);
    }
    return rig;
}
