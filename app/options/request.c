/* From what the user names in the window to the options of a session. */
#include "app/options/request.h"

#include "base/places.h"

#include <stdio.h>
#include <string.h>

request request_of(const options *o) {
    request r = {.demo = o->input.demo,
                 .synthetic = o->input.synthetic_width > 0,
                 .swap = o->input.split.swap,
                 .fov = o->rig.fov,
                 .baseline = o->rig.baseline};
    const char *first = o->input.left ? o->input.left : o->input.whole ? o->input.whole : o->input.cameras.names[0];
    const char *second = o->input.left ? o->input.right : o->input.cameras.names[1];
    snprintf(r.names[0], sizeof r.names[0], "%s", first ? first : "");
    snprintf(r.names[1], sizeof r.names[1], "%s", second ? second : "");
    snprintf(r.calibration, sizeof r.calibration, "%s", o->rig.calibration ? o->rig.calibration : "");
    return r;
}

options request_options(const request *r, const options *from, bool same) {
    options o = *from;
    const char *first = *r->names[0] ? r->names[0] : NULL, *second = *r->names[1] ? r->names[1] : NULL;
    const bool camera = first && places_is_device(first);
    o.input.cameras.names[0] = camera ? first : NULL;
    o.input.cameras.names[1] = camera ? second : NULL;
    o.input.left = second && !camera ? first : NULL;
    o.input.right = second && !camera ? second : NULL;
    o.input.whole = second || camera ? NULL : first;
    o.input.demo = r->demo;
    if (!r->synthetic) o.input.synthetic_width = o.input.synthetic_height = 0;
    o.rig.calibration = *r->calibration ? r->calibration : NULL;
    if (!o.rig.calibration) o.rig.unit = NULL;
    if (same || input_is_named(&from->input)) {
        o.rig.fov = r->fov;
        o.rig.baseline = r->baseline;
    }
    if (o.rig.calibration || !same || *r->board) {
        o.rig.align = false;
        o.rig.calibrate = NULL;
    }
    if (same && *r->board && strcmp(r->board, REQUEST_NO_BOARD) && board_parse(r->board, &o.rig.board, NULL) == SV_OK) {
        o.rig.calibrate = r->board;
        o.rig.calibration = NULL;
    }
    if (!o.rig.calibration && !o.rig.align && !o.rig.calibrate) o.rig.rectify_alpha = -1;
    o.input.split.swap = r->swap;
    const bool swapped = r->swap != from->input.split.swap;
    if (o.output.truth && (!same || swapped)) {
        sv_log(SV_LOG_INFO, "--truth was for %s; the new ones have no scores",
               same ? "the previous left pictures" : "the previous input");
        o.output.truth = NULL;
        o.output.truth_scale = 0;
    }
    if (*r->truth && !(same && swapped)) {
        o.output.truth = r->truth;
        o.output.truth_scale = 0;
    }
    o.input.swap_given =
        same ? from->input.swap_given || from->input.found.looked || swapped : r->swap || r->order_given;
    o.input.layout_given = same && !second && (from->input.layout_given || from->input.found.looked);
    o.input.only_if_sure = r->only_if_sure;
    if (same && swapped) o.input.offset.value = -o.input.offset.value;
    if (!same || swapped) o.rig.rows = o.rig.rows == ROWS_GIVEN ? ROWS_AUTO : o.rig.rows; /* of the other pictures */
    if (!same) o.input.split.layout = SPLIT_SIDE_BY_SIDE;
    if (r->layout) o.input.split.layout = (split_layout)(r->layout - 1);
    o.input.layout_given |= r->layout > 0;
    if (same) return o;
    o.input.found = (arrangement){.looked = false};
    o.input.offset.given = false;
    o.input.frames.first = 0;
    o.input.frames.end = INT64_MAX;
    o.input.frames.loop |= o.input.demo;
    return o;
}
