/* The rig in the window: aligns it without a board, goes over to what is found while the map is shown, reports how good
 * it is, and saves it. */
#include "app/viewer/viewer_parts.h"

#include "app/calibrate/calibration_file.h"
#include "rig/rectify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Going over to another rig ---------------------------------------------------------------- */

sv_status viewer_follow_rectification(viewer *v, sv_error *error) {
    const sv_rectification *r = session_rectification(&v->session);
    v->state.metric = r->metric ? r : NULL;
    return view_set_rectification(v->view, r, error);
}

sv_status viewer_use_rig(viewer *v, const sv_rig *rig, sv_rectification *r, const char *note, sv_error *error) {
    viewer_rig *of = &v->rig;
    const sv_status status = session_prepare(&v->session, r, error);
    if (status != SV_OK) return status;
    of->next = *rig;
    snprintf(of->next_note, sizeof of->next_note, "%s", note);
    /* The row shift was a makeshift until the rows were aligned. */
    if (v->tuning.now.row_shift) {
        sv_params level = v->tuning.now;
        level.row_shift = 0;
        tuning_set(&v->tuning, &level, sv_seconds());
        viewer_follow_tuning(v);
    }
    player_set_matcher(v->player, v->session.next_matcher);
    return SV_OK;
}

static sv_status go_over(viewer *v, sv_error *error) {
    viewer_rig *of = &v->rig;
    viewer_end_costs(v); /* they use the rectification that is about to be freed */
    sv_status status = session_go_over(&v->session, error);
    of->rig = of->next;
    snprintf(of->note, sizeof of->note, "%s", of->next_note);
    of->known = true;
    of->saved = false;
    if (status == SV_OK) status = viewer_follow_rectification(v, error);
    v->state.alignment.rows = NULL; /* measured with the previous rectification */
    v->state.alignment.misaligned = v->warned = false;
    v->state.status.misaligned = false;
    return status;
}

/* ---- Aligning --------------------------------------------------------------------------------- */

static void align(viewer *v) {
    sv_error error;
    if (realigner_open(&v->rig.realigner, v->options, pairing_info(v->session.pairing), &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
}

void viewer_align(viewer *v) {
    options *o = &v->opener.each[v->opener.current].options;
    if (v->session.second) {
        viewer_set_notice(v, "two sets of parameters were compared; open the input again to align it");
        return;
    }
    if (!v->state.rig.can_align) {
        viewer_set_notice(v, v->board ? "the board calibrates the cameras"
                                      : "these pictures have a calibration; open them without it to align them");
        return;
    }
    o->align = !o->align; /* also when this input is opened again */
    if (o->align) {
        align(v);
        viewer_set_notice(v, "aligning: show things at several distances, all over the picture");
    } else {
        realigner_close(v->rig.realigner);
        v->rig.realigner = NULL;
        viewer_set_notice(v, v->rig.known ? "the alignment stays as it is" : "not aligning");
    }
}

/* Writes what is found into a few sentences. */
static void describe(viewer *v, const realigner_state *a) {
    viewer_rig *of = &v->rig;
    const selfalign_result *r = &a->result;
    if (a->estimated)
        snprintf(of->text, sizeof of->text,
                 "Aligned by %d of %d points in %d pair%s; rows off by %.2f px. The right camera is turned by %.2f, "
                 "%.2f and %.2f degrees about x, y and z (+- %.2f, %.2f, %.2f).",
                 r->used, r->points, a->pairs, a->pairs == 1 ? "" : "s", r->rows, alignment_shown(r->rotation[0].value),
                 alignment_shown(r->rotation[1].value), alignment_shown(r->rotation[2].value), r->rotation[0].deviation,
                 r->rotation[1].deviation, r->rotation[2].deviation);
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

/* Says once what happens. */
static void tell(viewer *v, const realigner_state *a) {
    viewer_rig *of = &v->rig;
    if (a->moves > of->told_moves)
        sv_log(SV_LOG_WARNING,
               "the cameras have moved relative to each other: the rows were off by %.1f px; aligning them again",
               a->moved_by);
    of->told_moves = a->moves;
    if (!a->estimated && *a->refusal.text && !of->known && !of->told_refusal) {
        sv_log(SV_LOG_WARNING, "%s", a->refusal.text);
        of->told_refusal = true;
    }
}

void viewer_update_rig(viewer *v) {
    viewer_rig *of = &v->rig;
    panel_state *s = &v->state;
    s->rig.can_align = !v->options->calibration && !v->options->benchmark && !v->board;
    s->rig.aligns = of->realigner != NULL;
    s->rig.can_save = of->known;
    s->rig.text = s->rig.drift = NULL;
    s->rig.is_wrong = s->rig.moved = s->status.moved = false;
    s->status.drift = NULL;
    of->swapped = false;
    if (!of->realigner) {
        if (of->known && *of->text) s->rig.text = of->text; /* a board says its own */
        return;
    }
    const realigner_state a = realigner_get_state(of->realigner);
    describe(v, &a);
    tell(v, &a);
    s->rig.text = of->text;
    s->rig.is_wrong = !a.estimated && *a.refusal.text;
    s->rig.moved = a.moved;
    s->rig.drift = isfinite(a.drift) ? of->drift : NULL;
    s->status.drift = s->rig.drift;
    s->status.moved = a.moved;
    of->swapped = !of->known && a.result.swapped;
    /* The second matcher keeps its rectification. */
    if (v->session.next_matcher || v->session.second) return;
    sv_rectification r;
    sv_rig rig;
    sv_error error;
    char note[sizeof of->note];
    if (!realigner_take(of->realigner, &rig, &r, note, sizeof note)) return;
    if (viewer_use_rig(v, &rig, &r, note, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    else if (!of->known)
        sv_log(SV_LOG_INFO, "aligned: rows off by %.2f px; %s saves it", a.result.rows, viewer_keys(v, INPUT_SAVE_RIG));
}

sv_status viewer_follow_result(viewer *v, sv_error *error) {
    if (v->rig.realigner) realigner_offer(v->rig.realigner, &v->pictures.pair);
    const bool other = v->session.next_matcher && v->shown_by == v->session.next_matcher;
    return other ? go_over(v, error) : SV_OK;
}

/* ---- Beginning, saving, ending ---------------------------------------------------------------- */

void viewer_begin_rig(viewer *v) {
    v->rig = (viewer_rig){.saved_any = v->rig.saved_any};
    if (v->options->align) align(v);
}

/* Writes the rig to the files of --save-calibration or, without them, to one of a new name. */
static sv_status save(viewer *v, bool named, sv_error *error) {
    viewer_rig *of = &v->rig;
    options with = *v->options;
    char path[64] = "stereoview_rig.yaml";
    if (!named) {
        for (int i = 2; !access(path, F_OK); i++) snprintf(path, sizeof path, "stereoview_rig_%d.yaml", i);
        with.save_calibration[0] = path;
        with.save_count = 1;
    }
    const sv_status status = calibration_file_save(&with, &of->rig, of->note, error);
    of->saved = status == SV_OK;
    of->saved_any |= of->saved;
    return status;
}

void viewer_save_rig(viewer *v) {
    sv_error error;
    char line[96] = "there is nothing to save yet";
    if (!v->rig.realigner && !v->board)
        snprintf(line, sizeof line, "align the cameras (%s) before saving", viewer_keys(v, INPUT_ALIGN));
    if (!v->rig.known)
        viewer_set_notice(v, line);
    else if (save(v, v->options->save_count > 0, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "the calibration was not saved: %s", error.text);
}

void viewer_end_rig(viewer *v) {
    viewer_rig *of = &v->rig;
    sv_error error;
    if (of->known && !of->saved && v->options->save_count && save(v, true, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "the calibration was not saved: %s", error.text);
    realigner_close(of->realigner);
    of->realigner = NULL;
    of->known = false;
}

sv_status viewer_check_saved(const viewer *v, sv_error *error) {
    if (!v->options->save_count || v->rig.saved_any) return SV_OK;
    return sv_fail(error, SV_FAILED, "nothing was saved: %s",
                   *v->rig.text ? v->rig.text : "the cameras were neither aligned nor calibrated");
}
