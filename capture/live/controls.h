/* The controls of Video4Linux cameras: exposure, gain, focus, white balance and the like, by the names that v4l2-ctl
 * gives them. */
#ifndef CAPTURE_LIVE_CONTROLS_H
#define CAPTURE_LIVE_CONTROLS_H

#include "stereo/stereo.h"

#include <stdio.h>

/* Opens a device; -1 with errno if that fails. */
int controls_open(const char *device);

/* An ioctl of Video4Linux, repeated if a signal interrupts it; false, with errno, if it fails. */
bool controls_ask(int fd, unsigned long request, void *argument);

/* Prints the controls of the camera that is open as `fd`, one a line: name, range or entries, value and default. */
void controls_print(FILE *stream, int fd);

enum { CONTROLS_NAME_BYTES = 40, CONTROLS_MOST = 24 };

typedef struct camera_control {
    char name[CONTROLS_NAME_BYTES];
    int min, max, value; /* both included; a switch is 0 or 1, a menu the number of its entry */
    bool is_switch;
    bool is_fixed; /* it cannot be set, or not while the camera sets it automatically */
} camera_control;

/* Lists the camera's controls that can be read as numbers, at most CONTROLS_MOST. Returns how many there are; 0 also if
 * the camera cannot be opened.
 * Thread: any; a camera may take some milliseconds to answer. */
int controls_list(const char *device, camera_control controls[CONTROLS_MOST]);

/* Sets a control: "gain=20"; switches take on and off, too, and menus the names of their entries. If the camera
 * replaces the value by another, the log warns.
 * Errors: SV_USAGE if the camera has no such control, or not that value; SV_FAILED if it refuses, with the reason. */
sv_status controls_set(const char *device, const char *setting, sv_error *error);

/* Gives both cameras the exposure, gain, white balance and focus of `from`, and switches off their automatic controls,
 * if they have these. The log lists the controls that are equal then, and warns of those that are not.
 * Errors: SV_FAILED if a camera cannot be opened, or if none of these controls becomes equal. */
sv_status controls_make_equal(const char *from, const char *to, sv_error *error);

#endif
