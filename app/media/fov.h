/* The cameras' field of view: from --fov, from the files' tags, or assumed; and the metres that follow from it with
 * --baseline. */
#ifndef APP_MEDIA_FOV_H
#define APP_MEDIA_FOV_H

#include "app/options/rig_options.h"
#include "capture/source.h"
#include "stereo/rig.h"

/* The horizontal field of view, degrees. */
double fov_degrees(const rig_options *options, const source_info *info);

/* The focal length that it gives, pixels. */
double fov_focal(const rig_options *options, const source_info *info);

/* Errors: SV_USAGE if --baseline is given without --fov or a focal length in the files' tags: depth in metres needs
 * both. */
sv_status fov_check(const rig_options *options, const source_info *info, sv_error *error);

/* Logs the field of view if it follows from the files' focal length or is assumed, and what metres follow from. */
void fov_log(const rig_options *options, const source_info *info);

/* Two equal pinholes with that field of view, --baseline apart, whose pictures are rectified. */
sv_rig fov_rig(const rig_options *options, const source_info *info);

#endif
