/* The controls of Video4Linux cameras: exposure, gain, focus, white balance and the like, by the names that v4l2-ctl
 * gives them. */
#ifndef CAPTURE_LIVE_CONTROLS_H
#define CAPTURE_LIVE_CONTROLS_H

#include "stereo/stereo.h"

#include <stdio.h>

/* Prints the controls of the camera that is open as `fd`, one a line: name, range or entries, value and default. */
void controls_print(FILE *stream, int fd);

/* Sets a control: "gain=20"; switches take on and off, too, and menus the names of their entries. If the camera
 * replaces the value by another, the log warns.
 * Errors: SV_USAGE if the camera has no such control, or not that value; SV_FAILED if it refuses, with the reason. */
sv_status controls_set(const char *device, const char *setting, sv_error *error);

/* Gives both cameras the exposure, gain, white balance and focus that `from` has, and switches their automatic controls
 * off, as far as the cameras have these controls. The log lists those that are equal then, and warns of those that are
 * not.
 * Errors: SV_FAILED if a camera cannot be opened, or if none of these controls becomes equal. */
sv_status controls_make_equal(const char *from, const char *to, sv_error *error);

#endif
