/* From what the user names in the window to the options of a session. */
#include "app/options/request.h"

#include "app/options/settings.h"
#include "app/options/tuning.h"
#include "base/places.h"

#include <stdio.h>

request request_of(const options *o) {
    request r = {.demo = o->demo, .synthetic = o->synthetic_width > 0, .swap = o->split.swap};
    const char *first = o->left ? o->left : o->whole ? o->whole : o->cameras[0];
    const char *second = o->left ? o->right : o->cameras[1];
    snprintf(r.names[0], sizeof r.names[0], "%s", first ? first : "");
    snprintf(r.names[1], sizeof r.names[1], "%s", second ? second : "");
    snprintf(r.calibration, sizeof r.calibration, "%s", o->calibration ? o->calibration : "");
    return r;
}

options request_options(const request *r, const options *from, bool same) {
    options o = *from;
    const char *first = *r->names[0] ? r->names[0] : NULL, *second = *r->names[1] ? r->names[1] : NULL;
    const bool camera = first && places_is_device(first);
    o.cameras[0] = camera ? first : NULL;
    o.cameras[1] = camera ? second : NULL;
    o.left = second && !camera ? first : NULL;
    o.right = second && !camera ? second : NULL;
    o.whole = second || camera ? NULL : first;
    o.demo = r->demo;
    if (!r->synthetic) o.synthetic_width = o.synthetic_height = 0;
    o.calibration = *r->calibration ? r->calibration : NULL;
    if (!o.calibration) o.unit = NULL;
    if (o.calibration || !same) {
        o.align = false;
        o.calibrate = NULL;
    }
    if (!o.calibration && !o.align && !o.calibrate) o.rectify_alpha = -1;
    o.split.swap = r->swap;
    const bool swapped = r->swap != from->split.swap;
    if (o.truth && (!same || swapped)) {
        sv_log(SV_LOG_INFO, "--truth was for %s; the new ones have no scores",
               same ? "the previous left pictures" : "the previous input");
        o.truth = NULL;
        o.truth_scale = 0;
    }
    if (same && swapped) o.offset = -o.offset;
    if (same) return o;
    o.splits = false;
    o.split.layout = SPLIT_SIDE_BY_SIDE;
    o.moves = false;
    o.frames.first = 0;
    o.frames.end = INT64_MAX;
    o.frames.loop |= o.demo;
    return o;
}
