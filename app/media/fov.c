/* The field of view, and what follows from it. */
#include "app/media/fov.h"

#include "base/log.h"

#include <math.h>

static const double usual_fov = 70; /* degrees */

/* The diagonal of a picture on 35 mm film, millimetres: a 35 mm equivalent focal length gives its field of view. */
static const double film = 43.2666;

double fov_degrees(const rig_options *options, const source_info *info) {
    if (options->fov > 0) return options->fov;
    if (!(info->focal_35mm > 0)) return usual_fov;
    const double across = film * info->width / hypot(info->width, info->height);
    return 2 * atan(across / 2 / info->focal_35mm) * 180 / acos(-1);
}

double fov_focal(const rig_options *options, const source_info *info) {
    return info->width / 2.0 / tan(fov_degrees(options, info) / 2 * acos(-1) / 180);
}

sv_status fov_check(const rig_options *options, const source_info *info, sv_error *error) {
    if (!(options->baseline > 0) || options->fov > 0 || info->focal_35mm > 0) return SV_OK;
    return sv_fail(error, SV_USAGE,
                   "--baseline needs --fov too, since these files have no focal length in their tags: depth in metres "
                   "follows from both");
}

void fov_log(const rig_options *options, const source_info *info) {
    const double fov = fov_degrees(options, info);
    const char *from = options->fov > 0       ? " (--fov)"
                       : info->focal_35mm > 0 ? ", from the focal length in the file's tags; set it with --fov"
                                              : ", assumed; set it with --fov";
    if (options->baseline > 0)
        sv_log(SV_LOG_INFO, "metres follow from a baseline of %g m (--baseline) and a field of view of %.4g degrees%s",
               options->baseline, fov, from);
    else if (!(options->fov > 0))
        sv_log(SV_LOG_INFO, "field of view: %.4g degrees%s", fov, from);
}

sv_rig fov_rig(const rig_options *options, const source_info *info) {
    const double focal = fov_focal(options, info);
    const sv_camera camera = {.fx = focal, .fy = focal, .cx = (info->width - 1) / 2.0, .cy = (info->height - 1) / 2.0};
    return (sv_rig){.cameras = {camera, camera},
                    .rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    .translation = {-options->baseline},
                    .metric = true,
                    .rectified = true};
}
