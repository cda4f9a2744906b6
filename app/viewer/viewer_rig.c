/* The rig in the window. */
#include "app/viewer/viewer_rig.h"

#include "app/calibrate/calibration_file.h"
#include "app/calibrate/pair_report.h"
#include "app/calibrate/rows.h"
#include "rig/rectify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Switching to another rig ----------------------------------------------------------------- */

bool viewer_rig_can_change(const viewer_rig *of) {
    /* B would keep its row shift. */
    return !of->session->next_matcher && !of->session->second;
}

sv_status viewer_rig_use(viewer_rig *of, const sv_rig *rig, sv_rectification *r, const char *note, sv_error *error) {
    const sv_status status = session_prepare(of->session, r, error);
    if (status != SV_OK) return status;
    of->next = *rig;
    snprintf(of->next_note, sizeof of->next_note, "%s", note);
    /* The row shift was only a stopgap until the rows were aligned. */
    sv_params level = *viewer_tuner_edited(of->tuner);
    level.row_shift = 0;
    viewer_tuner_set(of->tuner, &level);
    of->prepared = true;
    of->only_rows = of->rows_known = false;
    return SV_OK;
}

void viewer_rig_pass(viewer_rig *of) {
    if (of->prepared) player_set_matcher(of->player, of->session->next_matcher, of->session->next_second);
    of->prepared = false;
}

/* The rig has the row correction that is in use, if that belongs to the frame in which a rig is saved. */
static void keep_rows(viewer_rig *of) {
    if (of->options->rig.rectify_alpha <= 0)
        memcpy(of->rig.rows, session_rectification(of->session)->rows, sizeof of->rig.rows);
}

void viewer_rig_switch(viewer_rig *of) {
    session_switch(of->session);
    if (of->only_rows) {
        sv_log(SV_LOG_INFO, "%s", of->next_note);
        keep_rows(of);
        of->saved = false;
        return;
    }
    of->rig = of->next;
    keep_rows(of);
    snprintf(of->note, sizeof of->note, "%s", of->next_note);
    of->known = true;
    of->saved = false;
}

static sv_status correct_rows(viewer_rig *of, const row_fit *fit, sv_error *error) {
    const source_info *info = pairing_info(of->session->pairing);
    sv_rectification r;
    sv_status status = sv_rectification_copy(session_rectification(of->session), &r, error);
    if (status == SV_OK) status = rows_add(fit, info->width, info->height, &r, error);
    if (status == SV_OK) status = session_prepare(of->session, &r, error);
    if (status != SV_OK) sv_rectification_free(&r);
    of->prepared = of->only_rows = status == SV_OK;
    return status;
}

/* Corrects the rows once they have been measured. While the cameras are being aligned, that levels them. */
static void take_rows(viewer_rig *of) {
    row_fit fit;
    char text[sizeof of->next_note];
    sv_error error;
    if (of->rows_known || of->live_align || !of->session->monitor || of->session->next_matcher ||
        !pair_monitor_rows(of->session->monitor, &fit))
        return;
    of->rows_known = true;
    if (row_fit_cure(&fit) == ROWS_TO_ALIGN) sv_log(SV_LOG_WARNING, "%s", rows_describe(&fit, text, sizeof text));
    if (!row_fit_helps(&fit)) return;
    if (correct_rows(of, &fit, &error) == SV_OK)
        rows_describe(&fit, of->next_note, sizeof of->next_note);
    else
        sv_log(SV_LOG_ERROR, "%s", error.text);
}

/* ---- Aligning --------------------------------------------------------------------------------- */

static void align(viewer_rig *of) {
    of->live_align = live_align_open(&of->options->rig, pairing_info(of->session->pairing));
}

static bool can_align(const viewer_rig *of) {
    return !of->options->rig.calibration && !of->options->run.benchmark && !of->options->rig.calibrate;
}

void viewer_rig_align(viewer_rig *of) {
    options *o = of->options;
    if (of->session->second) {
        viewer_notice_set(of->notice,
                          "two sets of parameters were compared; open the input again to align the cameras");
        return;
    }
    if (!can_align(of)) {
        viewer_notice_set(of->notice, "%s",
                          o->rig.calibrate ? "the board calibrates the cameras"
                                           : "these pictures have a calibration; open them without it to align them");
        return;
    }
    o->rig.align = !o->rig.align;
    if (o->rig.align) {
        align(of);
        viewer_notice_set(of->notice, "aligning: show things at several distances, all over the picture");
    } else {
        live_align_close(of->live_align);
        of->live_align = NULL;
        viewer_notice_set(of->notice, of->known ? "the alignment stays as it is" : "not aligning");
    }
}

void viewer_rig_offer(viewer_rig *of, const frame_pair *pair) {
    if (of->live_align) live_align_offer(of->live_align, pair);
}

/* Writes what is found into a few sentences. */
static void describe(viewer_rig *of, const live_align_state *a) {
    const selfalign_result *r = &a->result;
    if (a->estimated)
        snprintf(of->text, sizeof of->text,
                 "Aligned with %d of %d points in %d pair%s; rows off by %.2f px. The right camera is turned by %.2f, "
                 "%.2f and %.2f degrees about x, y and z (+- %.2f, %.2f, %.2f).",
                 r->used, r->points, a->pairs, a->pairs == 1 ? "" : "s", r->rows,
                 pair_report_value(r->rotation[0].value), pair_report_value(r->rotation[1].value),
                 pair_report_value(r->rotation[2].value), r->rotation[0].deviation, r->rotation[1].deviation,
                 r->rotation[2].deviation);
    else if (*a->refusal.text)
        snprintf(of->text, sizeof of->text, "%s", a->refusal.text);
    else
        snprintf(of->text, sizeof of->text, "Aligning: %d points in %d pair%s", a->points, a->pairs,
                 a->pairs == 1 ? "" : "s");
    if (a->moved)
        snprintf(of->drift, sizeof of->drift, "the cameras have moved: rows off by %.1f px", a->rows);
    else
        snprintf(of->drift, sizeof of->drift, "drift %.2f px", a->drift);
}

/* Reports once what happens. */
static void report(viewer_rig *of, const live_align_state *a) {
    if (a->moves > of->reported_moves)
        sv_log(SV_LOG_WARNING,
               "the cameras have moved relative to each other: the rows were off by %.1f px; aligning them again",
               a->moved_by);
    of->reported_moves = a->moves;
    if (!a->estimated && *a->refusal.text && !of->known && !of->reported_refusal) {
        sv_log(SV_LOG_WARNING, "%s", a->refusal.text);
        of->reported_refusal = true;
    }
}

static void take_found(viewer_rig *of, const live_align_state *a) {
    sv_rectification r;
    sv_rig rig;
    sv_error error;
    char note[sizeof of->note];
    if (!viewer_rig_can_change(of) || !live_align_take(of->live_align, &rig, &r, note, sizeof note)) return;
    if (viewer_rig_use(of, &rig, &r, note, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    else if (!of->known)
        sv_log(SV_LOG_INFO, "aligned: rows off by %.2f px; %s saves it", a->result.rows,
               viewer_notice_keys(of->notice, INPUT_SAVE_RIG));
}

void viewer_rig_update(viewer_rig *of, panel_rig *shown, panel_status *status) {
    *shown = (panel_rig){.can_align = can_align(of), .aligns = of->live_align != NULL, .can_save = of->known};
    of->swapped = false;
    if (of->live_align) {
        const live_align_state a = live_align_get_state(of->live_align);
        describe(of, &a);
        report(of, &a);
        shown->text = of->text;
        shown->is_wrong = !a.estimated && *a.refusal.text;
        shown->moved = a.moved;
        shown->drift = isfinite(a.drift) ? of->drift : NULL;
        of->swapped = !of->known && a.result.swapped;
        take_found(of, &a);
    } else {
        take_rows(of);
    }
    if (!of->live_align && of->known && *of->text) { /* a board says its own */
        shown->text = of->text;
    }
    status->drift = shown->drift;
    status->moved = shown->moved;
}

const char *viewer_rig_saved(const viewer_rig *of) { return of->known && of->saved ? of->saved_as : NULL; }

bool viewer_rig_calibrates(const viewer_rig *of) { return of->options->rig.calibrate && !of->known; }

const sv_rig *viewer_rig_known(const viewer_rig *of, const char **note) {
    *note = of->note;
    return of->known ? &of->rig : NULL;
}

/* ---- Beginning, saving, ending ---------------------------------------------------------------- */

void viewer_rig_begin(viewer_rig *of, session *session, options *options) {
    *of = (viewer_rig){
        .notice = of->notice, .tuner = of->tuner, .session = session, .options = options, .saved_any = of->saved_any};
}

void viewer_rig_play(viewer_rig *of, player *player) {
    of->player = player;
    if (of->options->rig.align) align(of);
}

static sv_status save(viewer_rig *of, sv_error *error) {
    const sv_status status =
        calibration_file_save(&of->options->rig, &of->rig, of->note, of->saved_as, sizeof of->saved_as, error);
    of->saved = status == SV_OK;
    of->saved_any |= of->saved;
    return status;
}

void viewer_rig_save(viewer_rig *of) {
    sv_error error;
    if (!of->known && !of->live_align && !of->options->rig.calibrate)
        viewer_notice_set(of->notice, "align the cameras (%s) before saving",
                          viewer_notice_keys(of->notice, INPUT_ALIGN));
    else if (!of->known)
        viewer_notice_set(of->notice, "there is nothing to save yet");
    else if (save(of, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "the calibration was not saved: %s", error.text);
}

void viewer_rig_end(viewer_rig *of) {
    sv_error error;
    if (!of->session) return;
    if (of->known && !of->saved && of->options->rig.saved_count && save(of, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "the calibration was not saved: %s", error.text);
    live_align_close(of->live_align);
    of->live_align = NULL;
    of->known = false;
}

sv_status viewer_rig_check_saved(const viewer_rig *of, const rig_options *options, sv_error *error) {
    if (!options->saved_count || of->saved_any) return SV_OK;
    return sv_fail(error, SV_FAILED, "nothing was saved: %s",
                   *of->text ? of->text : "the cameras were neither aligned nor calibrated");
}
