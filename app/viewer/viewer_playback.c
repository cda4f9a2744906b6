/* Playback in the window. */
#include "app/viewer/viewer_playback.h"

#include "app/media/recording.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void viewer_playback_init(viewer_playback *b, viewer_notice *notice, panel_playback *shown, panel_offset *offset) {
    *b = (viewer_playback){.notice = notice, .shown = shown, .offset = offset, .speed = 1, .resume = -1};
}

/* Converts an offset in frames to the unit of the pairing. */
static double offset_of(const viewer_playback *b, double frames) {
    const source_info *info = pairing_info(b->session->pairing);
    return info->pictures ? frames : frames / info->rate;
}

/* ---- Beginning and ending --------------------------------------------------------------------- */

static void show_marks(viewer_playback *b) {
    b->shown->mark_count = b->marks.count;
    memcpy(b->shown->marks, b->marks.positions, sizeof b->shown->marks);
}

void viewer_playback_begin(viewer_playback *b, session *session, options *options, bool same) {
    const source_info *info = pairing_info(session->pairing);
    b->session = session;
    b->options = options;
    b->was_ended = b->has_frame = false;
    /* A board is looked for from the beginning on. */
    if (!same || options->rig.calibrate) {
        b->resume = -1;
        b->stays_paused = false;
    }
    if (!same) {
        b->marks = (marks){.count = 0};
        b->range = options->input.frames;
        b->speed = 1;
    }
    *b->shown = (panel_playback){.seekable = info->seekable,
                                 .live = info->live,
                                 .pictures = info->pictures,
                                 .rate = info->rate,
                                 .frames = info->frames > 0 ? info->frames : 0,
                                 .duration = info->duration,
                                 .speed = b->speed,
                                 .real_time = b->real_time};
    if (info->pictures) b->shown->duration = (double)(info->frames > 0 ? info->frames - 1 : 0);
    *b->offset = (panel_offset){.movable = info->seekable && input_is_files(&options->input) && !info->half};
    if (b->offset->movable) b->offset->frames = pairing_offset(session->pairing) / offset_of(b, 1);
    b->moved = b->offset->frames;
    show_marks(b);
}

frame_range viewer_playback_range(const viewer_playback *b) { return marks_range(&b->marks, &b->range); }

void viewer_playback_play(viewer_playback *b, player *player, window *window, bool paced) {
    b->player = player;
    b->window = window;
    if (paced) player_set_pace(player, b->speed, b->real_time);
    if (b->stays_paused) player_toggle_pause(player);
    if (b->resume >= 0) player_seek(player, b->resume);
    b->resume = -1;
    b->stays_paused = false;
}

void viewer_playback_end(viewer_playback *b) {
    const panel_playback *s = b->shown;
    if (b->window) window_end_typing(b->window);
    if (!b->player) return;
    const bool keeps = !b->options->rig.calibrate;
    b->resume = !keeps || !s->seekable ? -1 : s->seeking ? s->sought : s->position;
    b->stays_paused = keeps && player_get_state(b->player).paused;
    b->player = NULL;
}

/* ---- What the user does ----------------------------------------------------------------------- */

/* Shows at once where a seek leads. */
static void begin_seeking(viewer_playback *b, double to) {
    panel_playback *s = b->shown;
    s->seeking = true;
    s->sought = s->duration > 0 ? fmin(fmax(to, 0), s->duration) : fmax(to, 0);
    b->passed = 0;
    sv_log(SV_LOG_DEBUG, "seeking %.3f", s->sought);
}

/* Pairs that were in flight are shown before the one that is sought. */
static void follow_seek(viewer_playback *b) {
    enum { MOST_PASSED = 6 };
    panel_playback *s = b->shown;
    const double step = s->pictures || s->rate <= 0 ? 1 : 1 / s->rate;
    const bool there = s->position >= s->sought - 1.5 * step && s->position <= s->sought + fmax(1.5 * step, 0.5);
    if (there || b->passed++ >= MOST_PASSED) s->seeking = false;
}

static void seek_by(viewer_playback *b, double seconds, int frames) {
    const double distance = b->shown->pictures ? frames : seconds;
    if (!b->shown->seekable) return;
    begin_seeking(b, (b->shown->seeking ? b->shown->sought : b->shown->position) + distance);
    player_seek_by(b->player, distance);
}

/* Sets which frames the player plays. */
static void set_range(viewer_playback *b) {
    const frame_range range = viewer_playback_range(b);
    show_marks(b);
    player_set_range(b->player, &range);
}

static void set_mark(viewer_playback *b) {
    const marks *m = &b->marks;
    const char *key = viewer_notice_own_keys(b->notice, INPUT_MARK);
    if (!b->shown->seekable || !b->has_frame) return;
    marks_next(&b->marks, b->shown->frame, b->shown->position);
    set_range(b);
    if (m->count == 1)
        viewer_notice_set(b->notice, "A: frame %lld; %s again sets B", b->shown->frame, key);
    else if (m->count == 2)
        viewer_notice_set(b->notice, "repeating frames %" PRId64 " to %" PRId64 "; %s ends it", m->frames[0],
                          m->frames[1], key);
    else
        viewer_notice_set(b->notice, "A-B loop off");
}

static void toggle_loop(viewer_playback *b) {
    if (!b->shown->seekable) return;
    b->range.loop = !b->range.loop;
    set_range(b);
    viewer_notice_set(b->notice, b->range.loop ? "repeat on" : "repeat off");
}

static void set_pace(viewer_playback *b, double speed, bool real_time) {
    b->speed = b->shown->speed = speed;
    b->real_time = b->shown->real_time = real_time;
    player_set_pace(b->player, speed, real_time);
}

static void set_speed(viewer_playback *b, double factor) {
    set_pace(b, fmin(16, fmax(1.0 / 16, b->speed * factor)), b->real_time);
    viewer_notice_set(b->notice, "speed %g", b->speed);
}

void viewer_playback_play_in_real_time(viewer_playback *b) { set_pace(b, b->speed, true); }

static void set_offset(viewer_playback *b, double frames) {
    if (!b->offset->movable) return;
    b->offset->frames = b->options->input.offset.value = b->moved = frames;
    b->options->input.offset.given = true;
    b->options->input.offset.in_ms = false;
    player_set_offset(b->player, offset_of(b, frames));
    viewer_notice_set(b->notice, "right side %+.4g frames", frames);
}

void viewer_playback_move_right(viewer_playback *b, int frames) { set_offset(b, b->offset->frames + frames); }

static void toggle_recording(viewer_playback *b) {
    recording_toggle(b->options->input.recording, b->options->output.snapshots, &b->options->input,
                     b->session->pairing);
}

void viewer_playback_act(viewer_playback *b, input_action action) {
    const bool seekable = b->shown->seekable;
    switch (action) {
    case INPUT_PAUSE: player_toggle_pause(b->player); break;
    case INPUT_STEP: player_step(b->player, 1); break;
    case INPUT_STEP_BACK:
        if (seekable) player_step(b->player, -1);
        break;
    case INPUT_SEEK_BACK: seek_by(b, -INPUT_SEEK_SECONDS, -INPUT_SEEK_FRAMES); break;
    case INPUT_SEEK_ON: seek_by(b, INPUT_SEEK_SECONDS, INPUT_SEEK_FRAMES); break;
    case INPUT_SEEK_TO:
        begin_seeking(b, b->shown->seek);
        player_seek(b->player, b->shown->seek);
        break;
    case INPUT_SLOWER: set_speed(b, 0.5); break;
    case INPUT_FASTER: set_speed(b, 2); break;
    case INPUT_AS_RECORDED: set_speed(b, 1 / b->speed); break;
    case INPUT_FRAME:
        /* The window takes digits already, for which a source that cannot seek has no use. */
        if (!seekable) window_end_typing(b->window);
        break;
    case INPUT_FRAME_TO:
        if (seekable) player_seek_frame(b->player, window_typed_number(b->window));
        break;
    case INPUT_LOOP: toggle_loop(b); break;
    case INPUT_MARK: set_mark(b); break;
    case INPUT_RIGHT_LATER: set_offset(b, b->offset->frames + INPUT_OFFSET_STEP); break;
    case INPUT_RIGHT_EARLIER: set_offset(b, b->offset->frames - INPUT_OFFSET_STEP); break;
    case INPUT_RECORD: toggle_recording(b); break;
    default: break;
    }
}

void viewer_playback_follow_panel(viewer_playback *b) {
    const panel_playback *s = b->shown;
    if (s->speed != b->speed || s->real_time != b->real_time) set_pace(b, s->speed, s->real_time);
    if (b->offset->frames != b->moved) set_offset(b, b->offset->frames);
}

/* ---- What is shown ---------------------------------------------------------------------------- */

void viewer_playback_show_frame(viewer_playback *b, const frame *left) {
    b->has_frame = true;
    b->shown->frame = left->index;
    b->shown->position = b->shown->pictures ? (double)left->index : left->time;
    follow_seek(b);
}

static void say_that_it_ended(viewer_playback *b) {
    const char *key = viewer_notice_own_keys(b->notice, INPUT_PAUSE);
    viewer_notice_set(b->notice, "the end%s%s%s", *key ? "; " : "", key, *key ? " plays it again" : "");
}

const char *viewer_playback_update(viewer_playback *b, const player_state *player) {
    panel_playback *s = b->shown;
    const char *recorded = recording_describe(b->options->input.recording, b->recorded, sizeof b->recorded);
    if (!s->frames && !s->live) s->frames = (long long)fmax(0, (double)pairing_frames(b->session->pairing));
    /* Where the sides were moved against each other, their pairs end elsewhere. */
    if (s->frames > 0 && s->frame >= s->frames) s->frames = s->frame + 1;
    if (s->duration > 0 && s->position > s->duration) s->duration = s->position;
    if (player->ended && !b->was_ended && s->frames != 1) say_that_it_ended(b);
    b->was_ended = player->ended;
    s->paused = player->paused;
    s->typed = window_typing(b->window);
    s->recording = recorded != NULL;
    return recorded;
}

bool viewer_playback_is_paused(const viewer_playback *b) { return b->shown->paused; }

bool viewer_playback_moves(const viewer_playback *b) { return b->offset->movable; }
