/* Boards and rigs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig/rotation.h"
#include "tests/boards.h"
#include "tests/reading.h"

#include <math.h>
#include <string.h>

void assert_near(double value, double expected, double most) {
    if (!(fabs(value - expected) <= most)) fail_msg("%.6f is not within %.6f of %.6f", value, most, expected);
}

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
