/* What the window measures of both pictures. */
#include "app/viewer/viewer_cameras.h"

#include "app/calibrate/pair_report.h"

void viewer_cameras_forget_rows(viewer_cameras *c, panel_alignment *shown, panel_status *status) {
    shown->rows = NULL;
    shown->misaligned = status->misaligned = c->warned = false;
}

static void update_brightness(viewer_cameras *c, const brightness *bright, const sv_params *params,
                              panel_alignment *shown) {
    shown->brightness = pair_report_brightness(bright, params, c->brightness, sizeof c->brightness);
    shown->darker = brightness_harms(bright, params);
    if (shown->brightness && !shown->darker && !c->reported_brightness) sv_log(SV_LOG_INFO, "%s", c->brightness);
    if (shown->darker && !c->warned_of_brightness) sv_log(SV_LOG_WARNING, "%s", c->brightness);
    c->reported_brightness |= shown->brightness != NULL;
    c->warned_of_brightness |= shown->darker;
}

const sv_rig_state *viewer_cameras_update(viewer_cameras *c, const session *s, const sv_params *params, bool calibrates,
                                          bool swapped, panel_alignment *shown, panel_status *status) {
    rig_facts facts;
    if (!s->monitor || !pair_monitor_judge(s->monitor, params, &facts, &c->state)) return NULL;
    if (swapped) c->state.items[SV_RIG_ORDER] = (sv_rig_finding){.grade = SV_RIG_BAD, .cure = SV_RIG_SWAP};
    swapped = c->state.items[SV_RIG_ORDER].grade == SV_RIG_BAD && c->state.items[SV_RIG_ORDER].cure == SV_RIG_SWAP;
    pair_report_count(&facts, &c->state, s->stats);
    shown->misaligned = c->state.items[SV_RIG_ROWS].grade == SV_RIG_BAD && !calibrates && !swapped;
    shown->rows = swapped ? NULL : pair_report_rows(&facts, &c->state, c->rows, sizeof c->rows);
    status->misaligned = shown->misaligned;
    if (shown->misaligned && !c->warned) sv_log(SV_LOG_WARNING, "%s", c->rows);
    c->warned |= shown->misaligned;
    update_brightness(c, &facts.brightness, params, shown);
    return &c->state;
}
