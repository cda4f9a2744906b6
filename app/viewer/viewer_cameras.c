/* What the window measures of both pictures. */
#include "app/viewer/viewer_cameras.h"

void viewer_cameras_forget_rows(viewer_cameras *c, panel_alignment *shown, panel_status *status) {
    shown->rows = NULL;
    shown->misaligned = status->misaligned = c->warned = false;
}

static void update_brightness(viewer_cameras *c, const brightness *bright, const sv_params *params,
                              panel_alignment *shown) {
    shown->brightness = brightness_describe(bright, params, c->brightness, sizeof c->brightness);
    shown->darker = brightness_harms(bright, params);
    if (shown->brightness && !shown->darker && !c->reported_brightness) sv_log(SV_LOG_INFO, "%s", c->brightness);
    if (shown->darker && !c->warned_of_brightness) sv_log(SV_LOG_WARNING, "%s", c->brightness);
    c->reported_brightness |= shown->brightness != NULL;
    c->warned_of_brightness |= shown->darker;
}

void viewer_cameras_update(viewer_cameras *c, const session *s, const sv_params *params, bool calibrates, bool swapped,
                           panel_alignment *shown, panel_status *status) {
    row_offset figure;
    brightness bright;
    if (!s->monitor || !pair_monitor_latest(s->monitor, &figure)) return;
    row_report_count(&figure, s->stats);
    shown->misaligned = row_offset_is_large(&figure) && !calibrates && !swapped;
    shown->rows = row_report_describe(&figure, sv_is_calibrated(session_rectification(s)),
                                      pairing_info(s->pairing)->half, c->rows, sizeof c->rows);
    if (swapped) shown->rows = NULL;
    status->misaligned = shown->misaligned;
    if (shown->misaligned && !c->warned) sv_log(SV_LOG_WARNING, "%s", c->rows);
    c->warned |= shown->misaligned;
    if (pair_monitor_brightness(s->monitor, &bright)) update_brightness(c, &bright, params, shown);
}

bool viewer_cameras_are_darker(const panel_alignment *shown) { return shown->darker; }
