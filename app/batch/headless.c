/* A run without a window: it is prepared, its frames are matched in parts (app/batch/parts.h) while sinks write and
 * score, and what was done is reported. */
#include "app/batch/headless.h"

#include "app/batch/parts.h"
#include "app/batch/resume.h"
#include "app/batch/scorer.h"
#include "app/calibrate/pair_report.h"
#include "app/play/exporter.h"
#include "app/play/maps.h"
#include "app/play/pace.h"
#include "base/file_name.h"
#include "base/log.h"
#include "base/stop.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct run {
    const options *options;
    session session;
    parts parts;                         /* of what is left of options->frames, with --shard and --resume */
    double opens;                        /* when it began to open the session, by sv_seconds */
    atomic_int_least64_t values, pixels; /* of the maps that were looked at: pixels with a value, and all */
    exporter exporters[OPTIONS_MAX_OUTPUTS];
    scorer scorer;
    comparer comparer; /* with --compare, which scores, too */
} run;

/* How many frames there will be; INT64_MAX if nobody knows, 0 or less if the range begins after the last one. */
static int64_t expected_frames(const run *r) { return media_frames(&r->parts.range, pairing_info(r->session.pairing)); }

/* A sink. */
static sv_status count_values(void *of, const frame *left, const sv_output *maps, sv_error *error) {
    run *r = of;
    const sv_image *disparity = &maps->disparity;
    int64_t values = 0;
    (void)left, (void)error;
    for (int y = 0; y < disparity->height; y++) {
        const float *row = sv_row(disparity, y);
        for (int x = 0; x < disparity->width; x++) values += isfinite(row[x]) != 0;
    }
    r->values += values;
    r->pixels += (int64_t)disparity->width * disparity->height;
    return SV_OK;
}

/* Adds ", COUNT WHAT" to the line if COUNT is not 0. */
static void add_left_out(char *line, size_t size, const char *what, int64_t count) {
    const size_t length = strlen(line);
    if (count) snprintf(line + length, size - length, ", %" PRId64 " %s", count, what);
}

static void report_damage(stats *stats) {
    const stats_damage damage = stats_get_damage(stats);
    if (damage.kept + damage.skipped + damage.lost)
        sv_log(SV_LOG_WARNING,
               "damaged frames: %" PRId64 ", mistimed frames: %" PRId64 " (maps kept %" PRId64 ", skipped %" PRId64
               "); pictures that could not be decoded: %" PRId64,
               damage.kept + damage.skipped - damage.mistimed, damage.mistimed, damage.kept, damage.skipped,
               damage.lost);
}

void headless_report(const headless_totals *t, stats *stats) {
    char line[512], values[64] = "", prepared[64] = "";
    report_damage(stats);
    if (t->pixels)
        snprintf(values, sizeof values, ", %.1f %% of the pixels with a value",
                 100 * (double)t->values / (double)t->pixels);
    if (t->prepared > 0) snprintf(prepared, sizeof prepared, " after %.1f s of preparation", t->prepared);
    snprintf(line, sizeof line, "done: %" PRId64 " frame%s%s, %.1f s (%.1f a second)%s, %" PRId64 " file%s written",
             t->frames, t->frames == 1 ? "" : "s", values, t->seconds, (double)t->frames / fmax(t->seconds, 1e-9),
             prepared, t->files, t->files == 1 ? "" : "s");
    add_left_out(line, sizeof line, t->there == 1 ? "frame there already" : "frames there already", t->there);
    add_left_out(line, sizeof line, "left pictures without a partner", t->counts.dropped_left);
    add_left_out(line, sizeof line, "right pictures without a partner", t->counts.dropped_right);
    add_left_out(line, sizeof line, "late pairs left out", t->counts.dropped_late);
    add_left_out(line, sizeof line, "broken pictures", t->counts.broken);
    sv_log(SV_LOG_INFO, "%s", line);
}

void headless_add(headless_totals *to, const headless_totals *t) {
    to->frames += t->frames;
    to->files += t->files;
    to->there += t->there;
    to->values += t->values;
    to->pixels += t->pixels;
    to->counts.dropped_left += t->counts.dropped_left;
    to->counts.dropped_right += t->counts.dropped_right;
    to->counts.dropped_late += t->counts.dropped_late;
    to->counts.broken += t->counts.broken;
    to->prepared += t->prepared;
    to->seconds += t->seconds;
}

static void add_totals(const run *r, const pairing_counts *counts, headless_totals *totals) {
    headless_totals own = {.frames = r->parts.frames,
                           .there = r->parts.there,
                           .values = r->values,
                           .pixels = r->pixels,
                           .counts = *counts,
                           .prepared = r->parts.began - r->opens,
                           .seconds = sv_seconds() - r->parts.began};
    for (int i = 0; i < r->options->output.count; i++) own.files += r->exporters[i].files;
    headless_add(totals, &own);
}

/* The error for a run that found no frame. */
static sv_status refuse_no_frame(run *r, sv_error *error) {
    const int64_t first = r->parts.range.first, all = pairing_frames(r->session.pairing);
    if (all > first)
        return sv_fail(error, SV_FAILED,
                       "no frame from %" PRId64 " on has a partner in the other file; check --offset, and the time "
                       "stamps if there are any",
                       first);
    if (all > 0)
        return sv_fail(error, SV_FAILED,
                       "there is no frame %" PRId64 " to match; there are %" PRId64 ", counted from 0", first, all);
    return sv_fail(error, SV_FAILED, "there is no frame %" PRId64 " to match; frames are counted from 0", first);
}

/* Narrows the range to the part of --shard. */
static sv_status take_share(run *r, sv_error *error) {
    const options *o = r->options;
    const source_info *info = pairing_info(r->session.pairing);
    const share *share = &o->run.share;
    const char *why = share->count ? "--shard" : o->match.all_devices ? "--device all" : NULL;
    if (why && info->live) return sv_fail(error, SV_USAGE, "%s is for files: a live stream cannot be divided", why);
    if (o->match.all_devices && !info->seekable)
        return sv_fail(error, SV_USAGE, "--device all reads a file at several places, and this one cannot seek");
    if (why && expected_frames(r) == INT64_MAX)
        return sv_fail(error, SV_USAGE,
                       "%s needs the number of frames, which this file does not give; add --frames A:B", why);
    if (share->count) r->parts.range = parts_divide(r->parts.range, expected_frames(r), *share);
    return SV_OK;
}

/* With --resume, starts after the frames whose files already exist. */
static sv_status begin_range(run *r, sv_error *error) {
    r->parts.range = r->options->input.frames;
    if (r->options->run.resume && pairing_info(r->session.pairing)->live)
        return sv_fail(error, SV_USAGE, "--resume is for files: a live stream does not send a picture again");
    sv_status status = take_share(r, error);
    if (status == SV_OK) status = resume_begin(r->options, session_rectification(&r->session)->rows, error);
    if (status == SV_OK) r->parts.there = resume_skip(r->options, &r->parts.range);
    return status;
}

/* Divides the run if its maps may be finished in any order, and its frames can be read from several places. */
static void divide(run *r) {
    const options *o = r->options;
    const sv_backend *backend = r->session.backend;
    const source_info *info = pairing_info(r->session.pairing);
    const bool all = o->match.all_devices;
    const int devices = all ? backend->count() : 1;
    const int decoders = info->on_card && info->jumps ? backend->decoders(o->match.device) : 1;
    bool can =
        info->seekable && expected_frames(r) < INT64_MAX && !o->output.truth && !o->output.record && !o->match.compare;
    for (int i = 0; i < o->output.count; i++)
        can &= file_is_numbered(o->output.files[i]) && !export_is_video(o->output.files[i]);
    parts *p = &r->parts;
    p->count = p->workers = 1;
    if (can) parts_plan(p, expected_frames(r), devices, decoders, info->half ? 1 : 2);
    if (all) workers_name_devices(backend, p->workers < devices ? p->workers : devices, r->session.stats);
}

static void open_sinks(run *r) {
    const options *o = r->options;
    const source_info *info = pairing_info(r->session.pairing);
    colour_settings colours = o->display.view.colour;
    if (o->display.view.range != VIEW_RANGE_FIXED) {
        colours.min = (float)o->match.params.min_disparity;
        colours.max = (float)o->match.params.max_disparity;
    }
    r->parts.space = space_of(session_rectification(&r->session), info->width, info->height);
    bool has_confidence = false;
    for (int i = 0; i < o->output.count; i++) has_confidence |= exporter_needs_confidence(o->output.files[i]);
    r->parts.sinks = sinks_open(r->session.backend, info->width, info->height, has_confidence,
                                r->parts.workers * r->session.backend->at_once);
    for (int i = 0; i < o->output.count; i++) {
        r->exporters[i] = (exporter){.pattern = o->output.files[i],
                                     .colours = colours,
                                     .rectification = session_rectification(&r->session),
                                     .rate = info->pictures ? 0 : info->rate,
                                     .live = info->live};
        sinks_add(r->parts.sinks, exporter_use, &r->exporters[i], !export_is_video(o->output.files[i]));
    }
    r->scorer = (scorer){.pattern = o->output.truth, .scale = o->output.truth_scale};
    if (o->output.truth && !o->match.compare) sinks_add(r->parts.sinks, scorer_use, &r->scorer, false);
    /* It takes time, so a benchmark that writes nothing does without. */
    if (o->output.count || o->output.truth) sinks_add(r->parts.sinks, count_values, r, true);
}

/* With --compare: the second matcher and its maps. */
static sv_status begin_comparison(run *r, sv_error *error) {
    const options *o = r->options;
    const source_info *info = pairing_info(r->session.pairing);
    if (!o->match.compare) return SV_OK;
    sv_status status = session_compare(&r->session, error);
    r->comparer = (comparer){.matcher = r->session.second,
                             .first = &o->match.params,
                             .params = &o->match.second,
                             .space = space_of(session_rectification(&r->session), info->width, info->height),
                             .limits = &o->display.view.limits,
                             .truth = o->output.truth,
                             .truth_scale = o->output.truth_scale};
    r->parts.comparer = &r->comparer;
    return status == SV_OK ? maps_alloc(r->session.backend, info->width, info->height, false, &r->comparer.maps, error)
                           : status;
}

/* Matches, writes and scores; what was matched before a failure is written, too. */
static sv_status run_all(run *r, sv_error *error) {
    sv_error later;
    open_sinks(r);
    sv_status status = parts_match(&r->parts, error);
    if (status == SV_OK && !r->parts.frames && !r->parts.there && !r->options->run.share.count)
        status = refuse_no_frame(r, error);
    const sv_status written = sinks_finish(r->parts.sinks, status == SV_OK ? error : &later);
    if (status == SV_OK) status = written;
    const bool cut_off = status != SV_OK;
    for (int i = 0; i < r->options->output.count; i++) {
        const sv_status finished = exporter_finish(&r->exporters[i], cut_off, status == SV_OK ? error : &later);
        if (status == SV_OK) status = finished;
    }
    return status;
}

/* Reports what the pictures show of the rig: rows in any case, the rest if it is doubtful or bad. */
static void report_rig(const run *r) {
    const sv_params *params = &r->options->match.params;
    const source_info *info = pairing_info(r->session.pairing);
    rig_facts facts;
    sv_rig_state state;
    char text[320];
    if (!r->session.monitor || !pair_monitor_judge_last(r->session.monitor, params, &facts, &state)) return;
    const double offset = pairing_offset(r->session.pairing) * (info->pictures ? 1 : info->rate);
    for (int i = 0; i < SV_RIG_ITEM_COUNT; i++)
        if (pair_report_describe(&state, (sv_rig_item)i, offset, text, sizeof text))
            sv_log(state.items[i].grade == SV_RIG_BAD ? SV_LOG_WARNING : SV_LOG_INFO, "%s", text);
    sv_log(state.items[SV_RIG_ROWS].grade == SV_RIG_BAD ? SV_LOG_WARNING : SV_LOG_INFO, "%s",
           pair_report_rows(&facts, &state, text, sizeof text));
    if (pair_report_brightness(&facts.brightness, params, text, sizeof text))
        sv_log(brightness_harms(&facts.brightness, params) ? SV_LOG_WARNING : SV_LOG_INFO, "%s", text);
    pair_report_count(&facts, &state, r->session.stats);
}

static void report_live(const run *r, const pairing_counts *counts) {
    sv_log(SV_LOG_INFO, "%" PRId64 " pairs, mean skew %.2f ms (tolerance %.2f ms)", r->parts.frames,
           1e3 * counts->skew_mean, 1e3 * pairing_tolerance(r->session.pairing));
    double ms[STATS_SERIES_COUNT];
    for (int i = 0; i < STATS_SERIES_COUNT; i++) {
        const stats_figures figures = stats_of(r->session.stats, (stats_series)i);
        ms[i] = figures.samples ? figures.median : 0;
    }
    const double matched = stats_rate(r->session.stats, STATS_MATCHED);
    const pace_rates rates = {.source = matched * (1 + (double)counts->dropped_late / fmax((double)counts->pairs, 1)),
                              .matched = matched,
                              .match_ms = ms[STATS_MATCH],
                              .rest_ms = ms[STATS_UPLOAD] + ms[STATS_RECTIFY] + ms[STATS_REFINE] + ms[STATS_DOWNLOAD]};
    char text[160];
    if (pace_is_behind(&rates))
        sv_log(SV_LOG_WARNING, "%s", pace_describe(&rates, r->options->match.params.scale, text, sizeof text));
}

sv_status headless_match(const options *asked, const sv_backend *backend, stats *stats, headless_totals *totals,
                         sv_error *error) {
    options own = *asked; /* with what is found before the first map */
    const options *options = &own;
    const bool coloured = sv_methods[options->match.params.method].uses_colour ||
                          (options->match.compare && sv_methods[options->match.second.method].uses_colour);
    bool left_coloured = coloured;
    for (int i = 0; i < options->output.count; i++) left_coloured |= export_is_cloud(options->output.files[i]);
    media_colour colour = {left_coloured, coloured};
    run r = {.options = options,
             .session = {.options = &own, .backend = backend, .stats = stats, .colour = &colour},
             .opens = sv_seconds()};
    session *s = &r.session;
    r.parts.options = options;
    r.parts.session = s;
    stop_wait wait;
    stop_wait_begin(&wait, NULL, NULL); /* for files that are opened, beside other pairs of a list */
    sv_status status = resume_rows(&own, error);
    if (status == SV_OK) status = session_open(s, error);
    sv_choose_range(&own.match.params, true); /* the settings of --resume name it */
    if (status == SV_OK) status = begin_range(&r, error);
    if (status == SV_OK) divide(&r);
    if (status == SV_OK) status = begin_comparison(&r, error);
    stop_wait_end(&wait);
    r.parts.began = sv_seconds();
    if (status == SV_OK) {
        stop_in_order();
        status = run_all(&r, error);
    }
    log_progress(NULL);
    pairing_counts counts = {0};
    if (s->pairing) {
        counts = media_count(stats, s->pairing, &r.parts.others);
        if (pairing_info(s->pairing)->live)
            report_live(&r, &counts);
        else
            counts.broken = 0; /* seeks meet pictures of files again; report_damage counts each once */
    }
    if (status == SV_OK) report_rig(&r);
    if (status == SV_OK) scorer_print_mean(&r.scorer);
    if (status == SV_OK) comparer_print_mean(&r.comparer);
    add_totals(&r, &counts, totals);
    session_end_matching(s); /* before the maps */
    sinks_close(r.parts.sinks);
    maps_free(backend, &r.comparer.maps);
    session_close(s);
    return status;
}

sv_status headless_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error) {
    headless_totals totals = {0};
    log_progress("preparing");
    const sv_status status = headless_match(options, backend, stats, &totals, error);
    if (status == SV_OK || (stop_requested() && totals.frames))
        headless_report(&totals, stats);
    else
        report_damage(stats);
    return status;
}
