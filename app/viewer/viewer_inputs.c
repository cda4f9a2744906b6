/* The inputs of the window. */
#include "app/viewer/viewer_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Beginning, ending ------------------------------------------------------------------------ */

void viewer_inputs_init(viewer_inputs *in, const options *options, pool_memory memory, const viewer_tuner *tuner,
                        viewer_notice *notice, panel_opening *shown) {
    *in = (viewer_inputs){.tuner = tuner, .notice = notice};
    viewer_opening_init(&in->box, shown);
    opener_init(&in->opener, options, memory, window_wake);
}

void viewer_inputs_close(viewer_inputs *in) {
    opener_close(&in->opener);
    viewer_opening_close(&in->box);
}

opening *viewer_inputs_current(viewer_inputs *in) { return &in->opener.each[in->opener.current]; }

bool viewer_inputs_looks(const viewer_inputs *in) {
    return in->opener.busy && in->opener.each[!in->opener.current].request.only_if_sure;
}

bool viewer_inputs_busy(const viewer_inputs *in) { return in->opener.busy && !viewer_inputs_looks(in); }

/* ---- Asking ----------------------------------------------------------------------------------- */

bool viewer_inputs_leave(viewer_inputs *in) {
    const bool any = *in->drop.waiting || viewer_opening_is_shown(&in->box);
    if (*in->drop.waiting)
        in->drop.waiting[0] = 0;
    else
        viewer_opening_show(&in->box, false);
    return any;
}

bool viewer_inputs_take_drop(viewer_inputs *in, window *window, char *settings, size_t size) {
    enum { MOST = 8 };
    char *names[MOST];
    sv_error error;
    const int count = window_take_drop(window, names, MOST);
    if (count && drop_add(&in->drop, names, count < MOST ? count : MOST, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    for (int i = 0; i < count && i < MOST; i++) free(names[i]);
    in->got_drop |= count > 0;
    snprintf(settings, size, "%s", in->drop.settings);
    in->drop.settings[0] = 0;
    return *settings;
}

void viewer_inputs_take_typed(viewer_inputs *in) {
    const request asked = viewer_opening_request(&in->box);
    sv_error error;
    if (drop_typed(&in->drop, &asked, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        return;
    }
    in->got_drop = true;
    if (!in->drop.has_sources) viewer_opening_show(&in->box, false);
}

void viewer_inputs_update(viewer_inputs *in, bool empty) {
    const char *waiting = in->drop.waiting;
    /* The window asks for an input while none is open or being opened. */
    if (empty && !in->opener.busy && !*waiting && !viewer_opening_is_shown(&in->box))
        viewer_opening_show(&in->box, true);
    if (empty && *waiting) viewer_opening_show(&in->box, false);
    viewer_opening_update(&in->box, *waiting ? waiting : NULL, &viewer_inputs_current(in)->options);
}

/* ---- What is wanted --------------------------------------------------------------------------- */

static viewer_wanted named(const char *left, const char *right) {
    viewer_wanted wanted = {.same = false};
    snprintf(wanted.request.names[0], sizeof wanted.request.names[0], "%s", left);
    snprintf(wanted.request.names[1], sizeof wanted.request.names[1], "%s", right);
    return wanted;
}

/* The input of the session, once more. */
static viewer_wanted current(const viewer_inputs *in) {
    const opening *now = &in->opener.each[in->opener.current];
    viewer_wanted wanted = {.request = now->request, .same = true};
    wanted.request.swap = now->options.input.split.swap; /* which may have been found */
    wanted.request.fov = now->options.rig.fov;           /* given before there was an input */
    wanted.request.baseline = now->options.rig.baseline;
    wanted.request.layout = 0;
    wanted.request.only_if_sure = false;
    return wanted;
}

bool viewer_inputs_dropped(viewer_inputs *in, bool plays, viewer_wanted *wanted) {
    const bool dropped = in->got_drop, calibration = dropped && *in->drop.calibration;
    in->got_drop = false;
    if (in->drop.has_sources) {
        in->drop.has_sources = false;
        *wanted = (viewer_wanted){.request = in->drop.request};
        return true;
    }
    if (calibration && plays) *wanted = current(in);
    if (calibration && !plays) viewer_notice_set(in->notice, "drop pictures, too, to use this calibration");
    return calibration && plays;
}

bool viewer_inputs_waiting(const viewer_inputs *in, viewer_wanted *wanted) {
    *wanted = named(in->drop.waiting, "");
    return *in->drop.waiting;
}

bool viewer_inputs_alone(viewer_inputs *in, viewer_wanted *wanted) {
    const bool look = *in->drop.waiting && strcmp(in->looked, in->drop.waiting) != 0;
    snprintf(in->looked, sizeof in->looked, "%s", in->drop.waiting);
    *wanted = named(in->drop.waiting, "");
    wanted->request.only_if_sure = true;
    snprintf(wanted->request.calibration, sizeof wanted->request.calibration, "%s", in->drop.calibration);
    return look;
}

viewer_wanted viewer_inputs_whole(const options *whole) {
    return (viewer_wanted){.request = request_of(whole), .whole = whole};
}

viewer_wanted viewer_inputs_swapped(const viewer_inputs *in) {
    viewer_wanted wanted = current(in);
    wanted.request.swap = !wanted.request.swap;
    wanted.request.truth[0] = 0; /* it is of the other side now */
    return wanted;
}

viewer_wanted viewer_inputs_arranged(const viewer_inputs *in, int layout, bool swap) {
    viewer_wanted wanted = current(in);
    wanted.request.layout = *wanted.request.names[1] ? 0 : 1 + layout; /* two sources have none */
    if (swap != wanted.request.swap) wanted.request.truth[0] = 0;
    wanted.request.swap = swap;
    return wanted;
}

viewer_wanted viewer_inputs_with_board(const viewer_inputs *in, const char *board) {
    viewer_wanted wanted = current(in);
    snprintf(wanted.request.board, sizeof wanted.request.board, "%s", board);
    return wanted;
}

viewer_wanted viewer_inputs_with_metres(const viewer_inputs *in, double fov, double baseline) {
    viewer_wanted wanted = current(in);
    wanted.request.fov = fov;
    wanted.request.baseline = baseline;
    return wanted;
}

viewer_wanted viewer_inputs_again(viewer_inputs *in, pool_memory memory) {
    in->opener.memory = memory;
    return current(in);
}

/* ---- Opening ---------------------------------------------------------------------------------- */

void viewer_inputs_open(viewer_inputs *in, const viewer_wanted *wanted, bool plays) {
    request next = wanted->request;
    if (viewer_inputs_looks(in)) opener_close(&in->opener);
    if (next.only_if_sure) { /* the file goes on waiting meanwhile */
        opener_start(&in->opener, &next, false, NULL, viewer_tuner_of(in->tuner, 0));
        return;
    }
    if (*in->drop.calibration)
        snprintf(next.calibration, sizeof next.calibration, "%s", in->drop.calibration);
    else if (!wanted->same && plays && viewer_inputs_current(in)->options.rig.calibration)
        sv_log(SV_LOG_INFO, "the calibration belonged to the previous input; drop it again to use it here");
    in->drop.calibration[0] = in->drop.waiting[0] = 0;
    in->asked = viewer_opening_is_shown(&in->box);
    viewer_opening_show(&in->box, false);
    opener_start(&in->opener, &next, wanted->same, wanted->whole, viewer_tuner_of(in->tuner, 0));
    viewer_notice_set(in->notice, "opening ...");
}

bool viewer_inputs_take(viewer_inputs *in, sv_status *status, sv_error *error) {
    const request *looked = &in->opener.each[!in->opener.current].request;
    if (!opener_take(&in->opener)) return false;
    if (looked->only_if_sure && (in->opener.status != SV_OK || strcmp(in->drop.waiting, looked->names[0]))) {
        opener_discard(&in->opener); /* it is one side, or was abandoned */
        return false;
    }
    if (looked->only_if_sure) in->drop.waiting[0] = in->drop.calibration[0] = 0;
    if (looked->only_if_sure) viewer_opening_show(&in->box, false);
    *status = in->opener.status;
    *error = in->opener.error;
    return true;
}

void viewer_inputs_switch(viewer_inputs *in, session *s) {
    opener *o = &in->opener;
    o->current = !o->current;
    opening *next = &o->each[o->current];
    s->options = &next->options;
    s->colour = &next->colour;
    s->pairing = o->pairing;
    s->rectifications[0] = o->rectification;
}

void viewer_inputs_switch_back(viewer_inputs *in) { in->opener.current = !in->opener.current; }

bool viewer_inputs_failed(viewer_inputs *in, bool plays, const sv_error *error, viewer_wanted *again) {
    const opener *o = &in->opener;
    sv_log(SV_LOG_ERROR, "%s", error->text);
    if (in->asked && !in->reopened) viewer_opening_show_again(&in->box);
    if (plays || in->reopened) return false;
    *again = current(in);
    in->reopened = input_is_named(&o->each[o->current].options.input); /* only once */
    if (!in->reopened && !o->has_sources && !*in->drop.calibration)
        memcpy(in->drop.calibration, o->each[!o->current].request.calibration, sizeof in->drop.calibration);
    return in->reopened;
}
