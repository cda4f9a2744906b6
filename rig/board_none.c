/* Calibration boards in a build without OpenCV: every call fails with a message. */
#include "rig/board.h"

static sv_status refuse(sv_error *error) {
    return sv_fail(error, SV_NO_DEVICE,
                   "this program was built without OpenCV, which finds calibration boards and solves for the cameras; "
                   "install Debian's libopencv-dev and build it again");
}

const char *board_opencv(void) { return NULL; }

sv_status board_can_find(sv_error *error) { return refuse(error); }

int board_marker_cells(const board *board, int number, bool cells[BOARD_MOST_POINTS], sv_error *error) {
    (void)board, (void)number, (void)cells;
    refuse(error);
    return 0;
}

sv_status board_find(const board *board, const sv_image *grey, bool quick, board_sight *sight, sv_error *error) {
    (void)board, (void)grey, (void)quick;
    sight->count = 0;
    return refuse(error);
}

sv_status board_calibrate(const board *board, board_lens lens, int width, int height, board_view *views, int count,
                          bool (*stop)(void *of), void *of, board_result *result, sv_error *error) {
    (void)board, (void)lens, (void)width, (void)height, (void)views, (void)count, (void)stop, (void)of, (void)result;
    return refuse(error);
}
