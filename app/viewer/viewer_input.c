/* The inputs of the window's run: from what is named, dropped or chosen to a session, and on to the next one. The
 * window stays open. */
#include "app/viewer/viewer_parts.h"

#include "app/media/recording.h"
#include "app/play/overwrite.h"
#include "base/log.h"
#include "base/names.h"
#include "capture/live/v4l2.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sessions --------------------------------------------------------------------------------- */

void viewer_end(viewer *v) {
    player_close(v->player);
    viewer_end_rig(v);
    viewer_end_board(v);
    snapshots_close(v->snapshots);
    pictures_release(&v->pictures);
    judge_free(&v->judge);
    viewer_compare_end(v);
    viewer_end_costs(v);
    slots_destroy(&v->slots);
    view_destroy(v->view);
    session_close(&v->session);
    v->player = NULL;
    v->view = NULL;
    v->snapshots = NULL;
    if (v->window) window_type_number(v->window, false);
    v->state.empty = true;
}

/* Resets what belonged to the previous session. If its input is opened again, what the user has chosen for it stays. */
static void forget(viewer *v) {
    panel_state *s = &v->state;
    const bool same = v->opener.same;
    *s = (panel_state){.looks = s->looks,
                       .view = s->view,
                       .playback = {.speed = same ? s->playback.speed : 1,
                                    .real_time = s->playback.real_time,
                                    .mark_count = same ? s->playback.mark_count : 0,
                                    .marks = {s->playback.marks[0], s->playback.marks[1]}},
                       .params.now = &v->tuning.now,
                       .qualities = s->qualities,
                       .compare = {.on = s->compare.on, .edited = s->compare.edited},
                       .costs.on = s->costs.on,
                       .opening = s->opening,
                       .settings = s->settings};
    *v->score = 0;
    v->figures = (figures){.known = {false}};
    v->measured_sets = 0;
    v->frame = v->shown_slot = -1;
    v->snapshot_due = v->was_ended = v->warned = v->warned_of_brightness = v->told_of_brightness = false;
    v->warned_of_pace = false;
    v->pictures = (pictures){.of_map = false};
    v->pace = (pace){.behind = false};
    v->times = (pace_times){.match_ms = 0};
    if (!same) {
        v->marks = (marks){.count = 0};
        v->dismissed = 0;
        v->range = v->options->frames;
    }
    v->arrivals = (pace_arrivals){.rate = 0};
}

static void describe(viewer *v) {
    const source_info *info = pairing_info(v->session.pairing);
    panel_state *s = &v->state;
    const options *o = v->options;
    const request names = request_of(o);
    for (int i = 0; i < 2; i++) {
        const char *name = *names.names[i] || i ? names.names[i] : names.demo ? "demo" : "synthetic";
        snprintf(v->sources[i], sizeof v->sources[i], "%s", name);
        log_clean(v->sources[i]);
    }
    const bool swapped = names.swap && *v->sources[1];
    for (int i = 0; i < 2; i++) s->source.names[i] = *v->sources[i] ? v->sources[i ^ swapped] : NULL;
    s->playback.seekable = info->seekable;
    s->playback.rate = info->rate;
    s->playback.live = info->live;
    s->offset.movable = info->seekable && options_name_files(v->options) && !info->half;
    if (s->offset.movable) s->offset.frames = pairing_offset(v->session.pairing) / viewer_offset_of(v, 1);
    s->playback.pictures = info->pictures;
    s->playback.duration = info->pictures ? (double)(info->frames > 0 ? info->frames - 1 : 0) : info->duration;
    s->playback.frames = info->frames > 0 ? info->frames : 0;
    s->source.width = info->width;
    s->source.height = info->height;
    s->status.backend = v->session.backend->name;
    s->params.has_pyramid = v->session.backend->has_pyramid;
    s->source.device = v->session.device;
}

static void set_title(viewer *v) {
    char names[1024], shortened[1024], title[1100];
    names_join(v->state.source.names[0], v->state.source.names[1], names, sizeof names);
    stats_set_input(v->stats, names);
    panel_shorten(names, 80, shortened, sizeof shortened);
    snprintf(title, sizeof title, "%s - stereoview", shortened);
    window_set_title(v->window, title);
}

/* Keeps the input for the start screen of later runs. */
static void remember(const viewer *v) {
    sv_error error;
    const options *o = v->options;
    if ((!o->left && !o->whole) || o->benchmark) return;
    if (recent_add(RECENT_INPUTS, o->left ? o->left : o->whole, o->left ? o->right : NULL, &error) != SV_OK)
        sv_log(SV_LOG_DEBUG, "the list of recent inputs: %s", error.text);
}

void viewer_forget_mouse(viewer *v) {
    mouse_event event;
    while (window_next_mouse(v->window, &event)) {
    }
    v->pressed_picture = false;
}

sv_status viewer_begin(viewer *v, sv_error *error) {
    session *s = &v->session;
    const options *o = v->options = s->options;
    overwrite_add_inputs(o);
    forget(v);
    viewer_forget_mouse(v);
    describe(v);
    set_title(v);
    sv_status status = view_create(&v->view, v->state.source.width, v->state.source.height, SV_OUTPUTS, error);
    if (status == SV_OK)
        status = slots_create(&v->slots, s->backend, o->device, v->view, 0, v->state.source.width,
                              v->state.source.height, error);
    if (status == SV_OK) status = viewer_follow_rectification(v, error);
    if (status == SV_OK) status = snapshots_open(&v->snapshots, error);
    const player_options play = {
        .pairing = s->pairing,
        .matcher = s->matchers[0],
        .colour = s->colour,
        .stats = s->stats,
        .params = viewer_params_to_match(v),
        .range = marks_range(&v->marks, &v->range),
        .paced = !o->benchmark && !v->state.playback.live,
        .cancel = &s->cancel,
        .on_news = window_wake,
    };
    if (status == SV_OK) status = player_open(&v->player, &play, error);
    if (status == SV_OK && v->compare.on) viewer_compare_begin(v);
    if (status == SV_OK) status = viewer_begin_board(v, error);
    /* With one slot no pair is passed over: the next result comes after this one has been shown. */
    const int slots = v->board && !v->state.playback.live ? 1 : SV_OUTPUTS;
    for (int i = 0; i < slots && status == SV_OK; i++) status = viewer_lend_slot(v, i, error);
    if (status != SV_OK) return status;
    viewer_begin_rig(v);
    viewer_want_colour(v);
    if (play.paced) player_set_pace(v->player, v->state.playback.speed, v->state.playback.real_time);
    if (v->stays_paused) player_toggle_pause(v->player);
    if (v->resume >= 0) player_seek(v->player, v->resume);
    v->resume = -1;
    v->stays_paused = false;
    remember(v);
    return SV_OK;
}

/* ---- Asking and opening ----------------------------------------------------------------------- */

void viewer_ask_for_input(viewer *v, bool ask) {
    panel_opening *o = &v->state.opening;
    o->shown = ask;
    if (!ask) return;
    v->state.settings.shown = false; /* one box at a time */
    recent_free(&v->recent);
    recent_read(RECENT_INPUTS, &v->recent);
    memcpy(o->recent, v->recent.names, sizeof o->recent);
    o->recent_count = v->recent.count;
    const int cameras = v4l2_find(o->cameras, PANEL_MAX_CAMERAS);
    o->camera_count = cameras < PANEL_MAX_CAMERAS ? cameras : PANEL_MAX_CAMERAS;
}

/* As viewer_open; with `whole`, as opener_start takes it. */
static void open_input(viewer *v, const request *wanted, bool same, const options *whole) {
    request next = *wanted;
    sv_error error;
    if (v->opener.busy) {
        viewer_set_notice(v, "another input is still being opened");
        return;
    }
    if (*v->intake.calibration)
        snprintf(next.calibration, sizeof next.calibration, "%s", v->intake.calibration);
    else if (!same && v->player && v->options->calibration)
        sv_log(SV_LOG_INFO, "the calibration belonged to the previous input; drop it again to use it here");
    v->intake.calibration[0] = v->intake.waiting[0] = 0;
    v->state.opening.shown = false;
    v->resume = same && v->state.playback.seekable ? v->state.playback.position : -1;
    v->stays_paused = same && v->state.playback.paused;
    if (recording_end(v->options->recording, &error) != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    /* A camera cannot be opened twice. */
    if (v->state.playback.live) viewer_end(v);
    if (opener_start(&v->opener, &next, same, whole, viewer_set(v, 0), &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    else
        viewer_set_notice(v, "opening ...");
}

void viewer_open(viewer *v, const request *wanted, bool same) { open_input(v, wanted, same, NULL); }

void viewer_swap(viewer *v) {
    request other = v->opener.each[v->opener.current].request;
    other.swap = !other.swap;
    viewer_open(v, &other, true);
}

bool viewer_change_backend(viewer *v, const char *why) {
    opening *now = &v->opener.each[v->opener.current];
    if (v->session.backend != v->backend || v->opener.busy) return true; /* it is under way, or has to wait */
    if (v->backend == &sv_cpu || v->options->benchmark) return false;
    sv_log(SV_LOG_WARNING, "%s; matching continues on the CPU", why);
    v->backend = &sv_cpu;
    v->opener.memory = (pool_memory){sv_cpu.alloc, sv_cpu.free};
    now->options.device = 0;
    now->options.all_devices = false;
    viewer_open(v, &now->request, true);
    return true;
}

void viewer_open_names(viewer *v, const char *left, const char *right) {
    request wanted = {.demo = false};
    snprintf(wanted.names[0], sizeof wanted.names[0], "%s", left);
    snprintf(wanted.names[1], sizeof wanted.names[1], "%s", right);
    viewer_open(v, &wanted, false);
}

/* Opens the source that the settings name which were loaded last. */
static void open_named(viewer *v) {
    options next;
    sv_error error;
    if (replay_options(&v->named, v->state.settings.file, v->options, &next, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
    } else if (options_have_source(&next)) {
        const request wanted = request_of(&next);
        open_input(v, &wanted, false, &next);
    }
}

void viewer_follow_drops(viewer *v) {
    enum { MOST = 8 };
    char *names[MOST];
    sv_error error;
    intake *in = &v->intake;
    const int count = window_take_drop(v->window, names, MOST);
    if (count && intake_add(in, names, count < MOST ? count : MOST, &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    for (int i = 0; i < count && i < MOST; i++) free(names[i]);
    if (*in->settings) viewer_load_settings(v, in->settings);
    in->settings[0] = 0;
    if (in->has_sources) {
        in->has_sources = false;
        viewer_open(v, &in->request, false);
    } else if (v->named.count) {
        open_named(v);
    } else if (count && *in->calibration && v->player) {
        viewer_open(v, &v->opener.each[v->opener.current].request, true);
    } else if (count && *in->calibration) {
        viewer_set_notice(v, "drop pictures, too, to use this calibration");
    }
    settings_free_source(&v->named);
    v->state.opening.waiting = *in->waiting ? in->waiting : NULL;
    /* The window asks for an input while none is open or being opened. */
    const bool idle = v->state.empty && !v->opener.busy && !*in->waiting;
    if (idle && !v->state.opening.shown) viewer_ask_for_input(v, true);
    if (v->state.empty && *in->waiting) v->state.opening.shown = false;
}

/* Says what could not be opened. If there is no session any more, its input is opened again. If there was none, a
 * calibration that waited for pictures goes on waiting, unless the fault is its own. */
static void say_not_opened(viewer *v, const sv_error *error) {
    const opener *o = &v->opener;
    const request old = o->each[o->current].request;
    sv_log(SV_LOG_ERROR, "%s", error->text);
    if (v->player || v->reopened) return;
    if (options_have_source(&o->each[o->current].options)) {
        v->reopened = true; /* not for ever */
        viewer_open(v, &old, true);
    } else if (!o->has_sources && !*v->intake.calibration) {
        memcpy(v->intake.calibration, o->each[!o->current].request.calibration, sizeof v->intake.calibration);
    }
}

void viewer_follow_opener(viewer *v) {
    opener *o = &v->opener;
    sv_error error;
    if (!opener_take(o)) return;
    if (o->status != SV_OK) {
        say_not_opened(v, &o->error);
        return;
    }
    viewer_end(v);
    stats_begin_input(v->stats);
    o->current = !o->current;
    opening *next = &o->each[o->current];
    v->session = (session){.options = &next->options,
                           .backend = v->backend,
                           .stats = v->stats,
                           .colour = &next->colour,
                           .pairing = o->pairing,
                           .rectifications = {o->rectification}};
    sv_status status = session_open(&v->session, &error);
    if (status == SV_OK) status = viewer_begin(v, &error);
    if (status == SV_OK) {
        v->reopened = false;
        return;
    }
    viewer_end(v);
    o->current = !o->current;
    v->options = &o->each[o->current].options;
    say_not_opened(v, &error);
}
