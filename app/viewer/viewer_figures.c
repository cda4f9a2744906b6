/* The statistics of the window. */
#include "app/viewer/viewer_figures.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Figures ---------------------------------------------------------------------------------- */

static void add(viewer_figures *v, figure which, double now, double value) {
    v->known[which] = true;
    trace_add(&v->traces[which], now, value);
}

/* Sets a count, which never decreases, to `total`. */
static void count(viewer_figures *v, figure which, double now, long long total) {
    const long long more = total - v->totals[which];
    if (more <= 0) return;
    add(v, which, now, (double)more);
    v->totals[which] = total;
}

/* What the panel shows of all that are known; borrowed. */
static void describe(const viewer_figures *v, double now, panel_figures *s) {
    static const char *const names[FIGURE_COUNT] = {
        [FIGURE_CAPTURED] = "captured",
        [FIGURE_MATCHED] = "matched",
        [FIGURE_SHOWN] = "shown",
        [FIGURE_DECODE] = "decode",
        [FIGURE_DRAW] = "draw",
        [FIGURE_LATENCY] = "latency",
        [FIGURE_SKEW] = "skew",
        [FIGURE_LEFT_ALONE] = "no right partner",
        [FIGURE_RIGHT_ALONE] = "no left partner",
        [FIGURE_LATE] = "late",
        [FIGURE_BROKEN] = "broken",
    };
    s->now = now;
    s->count = 0;
    for (int i = 0; i < FIGURE_COUNT; i++) {
        if (!v->known[i]) continue;
        s->figures[s->count++] = (panel_figure){
            .name = names[i] ? names[i] : sv_stage_name(i - FIGURE_UPLOAD),
            .unit = i <= FIGURE_SHOWN       ? "/s"
                    : i < FIGURE_LEFT_ALONE ? "ms"
                                            : "",
            .trace = &v->traces[i],
            .counts = i >= FIGURE_LEFT_ALONE,
            .total = v->totals[i],
        };
    }
}

void viewer_figures_add_result(viewer_figures *v, const player_result *result, bool live) {
    const double now = sv_seconds();
    const frame_pair *pair = &result->pair;
    add(v, FIGURE_DECODE, now, pair->left->decode_ms);
    if (live) add(v, FIGURE_SKEW, now, 1e3 * fabs(pair->right->time - pair->left->time));
    for (int i = 0; i < SV_STAGE_COUNT; i++) {
        const double ms = (double)result->times.ms[i];
        if (ms > 0) add(v, (figure)(FIGURE_UPLOAD + i), now, ms);
    }
}

void viewer_figures_add_frame(viewer_figures *v, stats *stats, double drawn, double captured, long long parts) {
    const double now = sv_seconds();
    stats_tick(stats, STATS_DRAWN, now);
    stats_set_figure(stats, "drawn_frames", (double)stats_count(stats, STATS_DRAWN));
    stats_set_figure(stats, "drawn_views", (double)parts);
    stats_add(stats, STATS_DRAW, drawn);
    add(v, FIGURE_DRAW, now, drawn);
    if (captured > 0 && captured != v->captured) { /* not when a pair is matched again */
        stats_add(stats, STATS_LATENCY, 1e3 * (now - captured));
        add(v, FIGURE_LATENCY, now, 1e3 * (now - captured));
    }
    if (captured > 0) v->captured = captured;
}

static void count_drops(viewer_figures *v, const session *s, int64_t skipped, double now) {
    const pairing_counts counts = media_count(s->stats, s->pairing, &(pairing_counts){0});
    if (skipped) stats_set_drops(s->stats, "late", skipped);
    count(v, FIGURE_LEFT_ALONE, now, counts.dropped_left);
    count(v, FIGURE_RIGHT_ALONE, now, counts.dropped_right);
    count(v, FIGURE_LATE, now, counts.dropped_late + skipped);
    count(v, FIGURE_BROKEN, now, counts.broken);
}

double viewer_figures_update(viewer_figures *v, const session *s, int64_t skipped, panel_status *status,
                             panel_figures *shown) {
    const double now = sv_seconds();
    status->shown_rate = stats_recent_rate(s->stats, STATS_DRAWN, now);
    add(v, FIGURE_CAPTURED, now, stats_recent_rate(s->stats, STATS_CAPTURED, now));
    add(v, FIGURE_SHOWN, now, status->shown_rate);
    count_drops(v, s, skipped, now);
    describe(v, now, shown);
    shown->row_count = 0;
    return stats_recent_rate(s->stats, STATS_MATCHED, now);
}

void viewer_figures_add_matched(viewer_figures *v, double rate) { add(v, FIGURE_MATCHED, sv_seconds(), rate); }

/* ---- Rows ------------------------------------------------------------------------------------- */

static void measure_memory(viewer_figures *v, const session *s, const sv_params *const params[2]) {
    static const double rest = 1; /* seconds */
    const int sets = params[1] ? 2 : 1;
    const double now = sv_seconds();
    sv_footprint sum = {0};
    sv_error error;
    bool same = sets == v->sets;
    for (int i = 0; i < sets && same; i++) same = !memcmp(params[i], &v->measured[i], sizeof *params[i]);
    if (same || now - v->measured_at < rest) return;
    for (int i = 0; i < sets; i++) v->measured[i] = *params[i];
    v->sets = sets;
    v->measured_at = now;
    *v->memory = 0;
    for (int i = 0; i < sets; i++) {
        sv_footprint one;
        if (session_memory(s, params[i], &one, &error) != SV_OK) return;
        sum.host += one.host;
        sum.device += one.device;
    }
    const double mega = 1e6, host = (double)sum.host / mega, device = (double)sum.device / mega;
    if (sum.device)
        snprintf(v->memory, sizeof v->memory, "%.0f MB on the GPU, %.0f MB in main memory", device, host);
    else
        snprintf(v->memory, sizeof v->memory, "%.0f MB in main memory", host);
}

SV_PRINTF(4, 5)
static void add_row(viewer_figures *v, panel_figures *shown, const char *heading, const char *format, ...) {
    const int row = shown->row_count++;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->rows[row], sizeof v->rows[row], format, arguments);
    va_end(arguments);
    shown->rows[row][0] = heading;
    shown->rows[row][1] = v->rows[row];
}

void viewer_figures_write_rows(viewer_figures *v, const session *s, const sv_params *const sets[2], bool interop,
                               panel_figures *shown) {
    measure_memory(v, s, sets);
    shown->row_count = 0;
    add_row(v, shown, "device", "%s; maps are %s OpenGL%s", s->device, interop ? "shared with" : "copied to",
            pairing_info(s->pairing)->on_card ? "; it decodes the videos" : "");
    if (v->sets && *v->memory) add_row(v, shown, "memory for matching", "at most %s", v->memory);
    if (pairing_info(s->pairing)->live)
        add_row(v, shown, "mean skew", "%.2f ms (tolerance %.2f)", 1e3 * pairing_count(s->pairing).skew_mean,
                1e3 * pairing_tolerance(s->pairing));
}
