/* What the panel says while the program runs: its figures, advice and messages. */
#include "app/viewer/viewer_parts.h"

#include "app/media/recording.h"
#include "app/play/waiting.h"
#include "base/log.h"

#include "render/panel/panel_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Seconds without the mouse after which the bar hides in full screen. */
static const double bar_patience = 2.5;

/* `skipped`: pairs that the player has left out. */
static void update_drops(viewer *v, int64_t skipped, double now) {
    const pairing_counts counts = media_count(v->session.stats, v->session.pairing);
    if (skipped) stats_set_drops(v->session.stats, "late", skipped);
    figures_count(&v->figures, FIGURE_LEFT_ALONE, now, counts.dropped_left);
    figures_count(&v->figures, FIGURE_RIGHT_ALONE, now, counts.dropped_right);
    figures_count(&v->figures, FIGURE_LATE, now, counts.dropped_late + skipped);
    figures_count(&v->figures, FIGURE_BROKEN, now, counts.broken);
}

static void update_alignment(viewer *v) {
    alignment figure;
    if (!v->session.aligner || !aligner_latest(v->session.aligner, &figure)) return;
    alignment_count(&figure, v->session.stats);
    v->state.alignment.misaligned = alignment_is_off(&figure) && !viewer_calibrates(v); /* which is about to cure it */
    v->state.alignment.rows =
        alignment_describe(&figure, session_rectification(&v->session)->width, pairing_info(v->session.pairing)->half,
                           v->alignment, sizeof v->alignment);
    if (v->rig.swapped) { /* no match is right, so matches say nothing about the rows */
        v->state.alignment.misaligned = false;
        v->state.alignment.rows = NULL;
    }
    v->state.status.misaligned = v->state.alignment.misaligned;
    if (v->state.alignment.misaligned && !v->warned) sv_log(SV_LOG_WARNING, "%s", v->alignment);
    v->warned |= v->state.alignment.misaligned;
    brightness bright;
    if (!aligner_brightness(v->session.aligner, &bright)) return;
    v->state.alignment.brightness = brightness_describe(&bright, &v->tuning.now, v->brightness, sizeof v->brightness);
    v->state.alignment.darker = brightness_harms(&bright, &v->tuning.now);
    if (v->state.alignment.brightness && !v->state.alignment.darker && !v->told_of_brightness)
        sv_log(SV_LOG_INFO, "%s", v->brightness);
    if (v->state.alignment.darker && !v->warned_of_brightness) sv_log(SV_LOG_WARNING, "%s", v->brightness);
    v->told_of_brightness |= v->state.alignment.brightness != NULL;
    v->warned_of_brightness |= v->state.alignment.darker;
}

/* Pairs a second that the source delivers; 0: not known, or pictures, which have no rate of their own. */
static double source_rate(viewer *v, double now) {
    const source_info *info = pairing_info(v->session.pairing);
    const pairing_counts counts = pairing_count(v->session.pairing);
    if (info->live) return pace_arrival_rate(&v->arrivals, counts.pairs + counts.dropped_late, now);
    return info->pictures ? 0 : info->rate * v->state.playback.speed;
}

/* What looks wrong, after everything else has been updated. */
static void update_advice(viewer *v) {
    panel_state *s = &v->state;
    advice_facts *f = &v->facts;
    const histogram *h = s->histogram;
    *f = (advice_facts){.params = v->tuning.now,
                        .darker = s->alignment.darker,
                        .behind = v->pace.behind && !s->playback.paused,
                        .rates = v->rates,
                        .live = s->playback.live,
                        .real_time = s->playback.real_time};
    const bool measured = v->session.aligner && aligner_latest(v->session.aligner, &f->alignment);
    if (measured) f->swapped = aligner_swapped(v->session.aligner) || v->rig.swapped;
    f->aligned = v->rig.realigner || v->options->calibration;
    /* Only maps of the range that is set say anything about it, and the counts may be of an older one; those of
     * pictures that do not match at all say nothing. */
    const bool of_range =
        h && h->min == v->tuning.now.min_disparity && h->min + h->count - 1 == v->tuning.now.max_disparity;
    if (of_range && v->frame >= 0 && (measured || !v->session.aligner)) {
        f->values = h->values;
        f->largest = h->largest;
    }
    const advice before = v->advice;
    const bool none = v->options->benchmark || (v->board && !v->rig.swapped);
    v->advice = none ? ADVICE_NONE : advice_choose(f, v->dismissed);
    advice_describe(v->advice, f, v->advice_text, sizeof v->advice_text, s->advice.cures);
    if (v->advice && v->advice != before)
        sv_log(SV_LOG_DEBUG, "advice: %s (%s)%s%s%s", v->advice_text, s->advice.cures[0],
               s->advice.cures[1] ? " (" : "", s->advice.cures[1] ? s->advice.cures[1] : "",
               s->advice.cures[1] ? ")" : "");
    /* How fast a recording plays, of which every frame is matched, unless that is reported over the picture. */
    const bool reports = !s->playback.paused && !s->playback.live && !s->playback.real_time && v->advice != ADVICE_PACE;
    s->status.of_real_time =
        reports ? pace_of_real_time(s->playback.rate, s->status.matched_rate, s->playback.speed) : 0;
    s->advice.text = v->advice ? v->advice_text : NULL;
}

/* While it plays: whether the matcher keeps up. */
static void update_pace(viewer *v, double now) {
    panel_state *s = &v->state;
    const pace_times *times = &v->times;
    pace_rates rates = {.source = source_rate(v, now),
                        .matched = s->status.matched_rate,
                        .match_ms = times->match_ms,
                        .rest_ms = times->rest_ms};
    char text[160];
    sv_level level;
    /* Fewer than two pairs in the last seconds have no rate. */
    if (rates.matched <= 0 && rates.match_ms > 0)
        rates.matched = 1e3 / (rates.match_ms + rates.rest_ms + times->other_ms);
    if (!s->playback.paused) s->status.matched_rate = rates.matched;
    figures_add(&v->figures, FIGURE_MATCHED, now, s->status.matched_rate);
    /* The search for the board is what a recording waits for, not the matcher. */
    if (s->playback.paused || viewer_calibrates(v))
        v->pace.since = 0;
    else
        pace_update(&v->pace, &rates, now);
    if (pace_tells(&v->pace, &rates, now - v->rates_at)) {
        v->rates = rates;
        v->rates_at = now;
    }
    if (!v->pace.behind || v->warned_of_pace) return;
    sv_log(SV_LOG_WARNING, "%s", pace_describe(&rates, v->tuning.now.scale, text, sizeof text));
    v->lines_seen = log_latest(&level, NULL, 0); /* the window tells it as advice */
    v->warned_of_pace = true;
}

/* How much memory the matchers take. Measuring it makes CUDA wait for the device, so it is done seldom. */
static void update_memory(viewer *v, double now) {
    static const double rest = 1; /* seconds */
    const int sets = v->compare.on ? 2 : 1;
    const sv_params params[2] = {*viewer_set(v, 0), *viewer_set(v, 1)};
    sv_footprint sum = {0};
    sv_error error;
    if (!v->state.looks.statistics || now - v->measured_at < rest ||
        (sets == v->measured_sets && !memcmp(params, v->measured, sizeof *params * (size_t)sets)))
        return;
    memcpy(v->measured, params, sizeof params);
    v->measured_sets = sets;
    v->measured_at = now;
    *v->memory = 0;
    for (int i = 0; i < sets; i++) {
        sv_footprint one;
        if (session_memory(&v->session, &params[i], &one, &error) != SV_OK) return;
        sum.host += one.host;
        sum.device += one.device;
    }
    figures_describe_memory(&sum, v->memory, sizeof v->memory);
}

/* A row of the statistics, below the figures. */
SV_PRINTF(3, 4) static void add_row(viewer *v, const char *heading, const char *format, ...) {
    panel_figures *f = &v->state.figures;
    char *text = v->rows[f->row_count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof *v->rows, format, arguments);
    va_end(arguments);
    f->rows[f->row_count][0] = heading;
    f->rows[f->row_count++][1] = text;
}

static void update_rows(viewer *v) {
    const panel_state *s = &v->state;
    const sv_params *q = v->frame < 0 ? NULL : s->status.params;
    const pairing_counts counts = pairing_count(v->session.pairing);
    alignment figure;
    char text[96];
    v->state.figures.row_count = 0;
    if (!s->looks.statistics) return;
    if (q) {
        panel_describe_window(q, text, sizeof text);
        add_row(v, "method", "%s, %s%d:%d px", sv_method_name(q->method), text, q->min_disparity, q->max_disparity);
    }
    for (int i = 0; i < 2; i++)
        if (s->status.sets[i]) add_row(v, "", "%s", s->status.sets[i]);
    if (s->status.difference) add_row(v, "A|B", "%s", s->status.difference);
    add_row(v, "device", "%s; maps are %s OpenGL", v->session.device, v->slots.interop ? "shared with" : "copied to");
    if (v->measured_sets && *v->memory) add_row(v, "memory for matching", "at most %s", v->memory);
    panel_describe_values(s->histogram, text, sizeof text);
    if (*text) add_row(v, "map", "%s", text);
    add_row(v, "colours", "%.1f to %.1f px", s->view.colour.min, s->view.colour.max);
    if (v->session.aligner && aligner_latest(v->session.aligner, &figure) && figure.known && figure.points)
        add_row(v, "vertical offset", "%.2f rows (%d points)", alignment_shown((double)figure.offset), figure.points);
    if (s->playback.live)
        add_row(v, "mean skew", "%.2f ms (tolerance %.2f)", 1e3 * counts.skew_mean,
                1e3 * pairing_tolerance(v->session.pairing));
}

void viewer_update_state(viewer *v, player_state *player, view_pixel *pixel, view_rect area) {
    panel_state *s = &v->state;
    const double now = sv_seconds();
    int x, y;

    *player = player_get_state(v->player);
    s->playback.typed = window_typing(v->window);
    if (!s->playback.frames && !s->playback.live)
        s->playback.frames = (long long)fmax(0, (double)pairing_frames(v->session.pairing));
    s->looks.full_screen = window_is_full_screen(v->window);
    s->looks.bar_hidden =
        window_mouse_rest(v->window) > bar_patience && !s->playback.typed && !panel_has_mouse(v->panel);
    s->playback.paused = player->paused;
    s->status.shown_rate = stats_recent_rate(v->session.stats, STATS_DRAWN, now);
    s->status.matched_rate = stats_recent_rate(v->session.stats, STATS_MATCHED, now);
    figures_add(&v->figures, FIGURE_CAPTURED, now, stats_recent_rate(v->session.stats, STATS_CAPTURED, now));
    figures_add(&v->figures, FIGURE_SHOWN, now, s->status.shown_rate);
    update_drops(v, player->skipped, now);
    figures_describe(&v->figures, now, &s->figures);
    update_memory(v, now);
    update_alignment(v);
    update_pace(v, now);
    update_advice(v);
    viewer_update_qualities(v);

    viewer_notice_log(v);
    const bool trouble = pairing_trouble(v->session.pairing, v->trouble, sizeof v->trouble);
    log_clean(v->trouble);
    log_clean(player->error.text);
    if (player->ended && !v->was_ended && s->playback.frames != 1) {
        char line[96];
        const char *key = v->options->keys.of[INPUT_PAUSE];
        snprintf(line, sizeof line, "the end%s%s%s", *key ? "; " : "", key, *key ? " plays it again" : "");
        viewer_set_notice(v, line);
    }
    v->was_ended = player->ended;
    const char *recorded = recording_describe(v->options->recording, v->recorded, sizeof v->recorded);
    s->playback.recording = recorded != NULL;
    const bool waits = waiting_describe(v->frame < 0 ? NULL : &v->shown, v->compare.shown ? &v->compare.params : NULL,
                                        player, now, v->waiting, sizeof v->waiting) ||
                       judge_describe_wait(&v->judge, now, v->waiting, sizeof v->waiting);
    /* An error is not kept back until a slow match has ended. */
    const bool noticed = now < v->notice_until;
    s->message.text = player->failed                  ? player->error.text
                      : trouble                       ? v->trouble
                      : noticed && v->notice_is_error ? v->notice
                      : waits                         ? v->waiting
                      : noticed                       ? v->notice
                                                      : recorded;
    s->message.is_error = player->failed || trouble || (s->message.text == v->notice && v->notice_is_error);
    if (panel_has_mouse(v->panel) || !window_mouse(v->window, &x, &y)) x = y = -1;
    s->pixel = view_pick(v->view, &v->drawn, area, x, y, pixel) ? pixel : NULL;
    viewer_read_shades(v);
    viewer_ask_for_costs(v);
    update_rows(v);
}
