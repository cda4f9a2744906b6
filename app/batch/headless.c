/* A run without a window: one thread that keeps as many pairs with each matcher as it works on at once, while two more
 * threads decode and one for each file pattern writes. Pairs go to the matchers in turn. */
#include "app/batch/headless.h"

#include "app/batch/comparer.h"
#include "app/batch/resume.h"
#include "app/batch/scorer.h"
#include "app/calibrate/pair_report.h"
#include "app/media/recording.h"
#include "app/play/exporter.h"
#include "app/play/maps.h"
#include "app/play/pace.h"
#include "app/play/session.h"
#include "app/play/sinks.h"
#include "base/file_name.h"
#include "base/log.h"
#include "base/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The duration, in seconds, of a benchmark of the synthetic scene if --frames gives no end. */
static const double benchmark_seconds = 5;

typedef struct run {
    const options *options;
    session session;
    struct {
        frame_pair pair;
        sv_output maps;
        bool leads;                               /* it is matched only for the frames after it */
    } slots[SESSION_MAX_MATCHERS * SV_IN_FLIGHT]; /* as many as slot_count says */
    frame_range range;                            /* what is left of options->frames, with --shard and --resume */
    frame_range reads;                            /* from earlier on, see lead_of */
    int64_t submitted, done;                      /* pairs */
    int64_t taken, frames;                        /* of these, without those that lead */
    int64_t there;                                /* frames whose files already exist */
    double opens, began;                          /* when it began to open the session, and to match, by sv_seconds */
    int64_t values, pixels; /* pixels of the maps that were looked at: those with a value, and all */
    space space;            /* of the maps, for the limits of their depth */
    exporter exporters[OPTIONS_MAX_OUTPUTS];
    scorer scorer;
    comparer comparer; /* with --compare, which scores, too */
    sinks *sinks;
} run;

/* How many slots are used, such that a complete result does not wait for the next pair. */
static int slot_count(const run *r) { return r->session.matcher_count * r->session.backend->at_once; }

/* Which matcher has the pair of that number. */
static sv_matcher *matcher_of(const run *r, int64_t pair) {
    return r->session.matchers[pair % r->session.matcher_count];
}

/* The pictures for the matcher of the next pair: those on a card are for the first matcher, which is on that card. */
static sv_pair pictures_for(const run *r, const frame_pair *pair) {
    return r->submitted % r->session.matcher_count ? media_host_pictures(pair) : media_pictures(pair);
}

/* How many frames before a frame its map depends on. */
static int lead_of(const options *o) { return o->match.params.temporal - 1; }

/* How many frames there will be; INT64_MAX if nobody knows, 0 or less if the range begins after the last one. */
static int64_t expected_frames(const run *r) { return media_frames(&r->range, pairing_info(r->session.pairing)); }

void headless_progress(const char *what, int64_t done, int64_t all, double began) {
    const double rate = (double)done / fmax(sv_seconds() - began, 1e-9);
    char line[160];
    if (all > 0)
        snprintf(line, sizeof line, "%s %" PRId64 " of %" PRId64 ", %.1f a second, %.0f s left", what, done, all, rate,
                 ceil((double)(all - done) / rate));
    else
        snprintf(line, sizeof line, "%s %" PRId64 ", %.1f a second", what, done, rate);
    log_progress(line);
}

/* Scores on the same terminal already show the progress. */
static void print_progress(const run *r) {
    const int64_t all = expected_frames(r);
    const bool prints = r->options->output.truth || r->options->match.compare;
    if (!prints || !isatty(STDOUT_FILENO)) headless_progress("frame", r->frames, all < INT64_MAX ? all : 0, r->began);
}

/* A sink. */
static sv_status count_values(void *of, const frame *left, const sv_output *maps, sv_error *error) {
    run *r = of;
    const sv_image *disparity = &maps->disparity;
    (void)left, (void)error;
    for (int y = 0; y < disparity->height; y++) {
        const float *row = sv_row(disparity, y);
        for (int x = 0; x < disparity->width; x++) r->values += isfinite(row[x]) != 0;
    }
    r->pixels += (int64_t)disparity->width * disparity->height;
    return SV_OK;
}

/* Adds ", COUNT WHAT" to the line if COUNT is not 0. */
static void add_left_out(char *line, size_t size, const char *what, int64_t count) {
    const size_t length = strlen(line);
    if (count) snprintf(line + length, size - length, ", %" PRId64 " %s", count, what);
}

void headless_report(const headless_totals *t) {
    char line[512], values[64] = "", prepared[64] = "";
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
    headless_totals own = {.frames = r->frames,
                           .there = r->there,
                           .values = r->values,
                           .pixels = r->pixels,
                           .counts = *counts,
                           .prepared = r->began - r->opens,
                           .seconds = sv_seconds() - r->began};
    for (int i = 0; i < r->options->output.count; i++) own.files += r->exporters[i].files;
    headless_add(totals, &own);
}

/* Waits for the oldest pair and uses its maps. */
static sv_status finish_one(run *r, sv_error *error) {
    const int slot = (int)(r->done % slot_count(r));
    frame_pair *pair = &r->slots[slot].pair;
    const sv_output *maps = &r->slots[slot].maps;
    sv_times times;
    sv_status status = sv_wait(matcher_of(r, r->done++), &times, error);
    if (r->slots[slot].leads) {
        if (status == SV_OK) sinks_give(r->sinks, NULL, maps);
        if (status == SV_OK && r->options->match.compare) status = comparer_lead(&r->comparer, pair, &times, error);
        frame_pair_release(pair);
        return status;
    }
    r->frames++;
    if (status == SV_OK) {
        const double now = sv_seconds();
        stats_add_times(r->session.stats, &times);
        stats_add(r->session.stats, STATS_LATENCY, 1e3 * (now - media_capture_time(r->session.pairing, pair)));
        stats_tick(r->session.stats, STATS_MATCHED, now);
    }
    if (status == SV_OK) space_limit_maps(&r->space, &r->options->display.view.limits, maps);
    if (status == SV_OK && r->options->match.compare) status = comparer_use(&r->comparer, pair, maps, &times, error);
    if (status == SV_OK) sinks_give(r->sinks, pair->left, maps);
    frame_pair_release(pair);
    if (status == SV_OK) print_progress(r);
    return status;
}

/* Refuses outputs without a number in their names. */
static sv_status refuse_plain_names(const options *options, sv_status status, sv_error *error) {
    for (int i = 0; i < options->output.count; i++)
        if (!file_is_numbered(options->output.files[i]) && !export_is_video(options->output.files[i]))
            return sv_fail(error, status,
                           "%s can hold one frame, and there are more; put a number into the file name "
                           "(map_%%06d.pfm), or take one with --frames 0:1",
                           options->output.files[i]);
    return SV_OK;
}

/* True if the frame is to be written or scored. */
static bool is_wanted(const run *r, int64_t index) {
    return index >= r->range.first && index < r->range.end &&
           !(r->options->run.resume && resume_has(r->options, index));
}

/* True if the map of a frame that is wanted depends on this one. */
static bool leads(const run *r, int64_t index) {
    bool any = false;
    for (int i = 1; i <= lead_of(r->options) && !any; i++) any = is_wanted(r, index + i);
    return any;
}

/* Reads the next pair that is to be matched; `leads` receives whether only for those after it. */
static sv_status read_pair(run *r, frame_pair *pair, bool *only_leads, sv_error *error) {
    while (!stop_requested()) {
        const sv_status status = media_next(r->session.pairing, &r->reads, r->session.stats, pair, error);
        if (status != SV_OK) return status;
        const int64_t index = pair->left->index;
        *only_leads = !is_wanted(r, index);
        r->there += *only_leads && index >= r->range.first;
        if (!*only_leads || leads(r, index)) return SV_OK;
        frame_pair_release(pair);
    }
    return SV_END;
}

/* Reads the next pair; refused if its output would overwrite the previous one, or if the recording has failed. */
static sv_status next_pair(run *r, frame_pair *pair, bool *only_leads, sv_error *error) {
    /* Live pairs are numbered when they are taken, so the last one is known without waiting for another. */
    if (pairing_info(r->session.pairing)->live && r->reads.first + r->submitted >= r->range.end) return SV_END;
    if (r->options->run.benchmark && r->options->input.synthetic_width && r->options->input.frames.end == INT64_MAX &&
        r->submitted && sv_seconds() - r->began > benchmark_seconds)
        return SV_END;
    sv_status status = read_pair(r, pair, only_leads, error);
    if (status != SV_OK && stop_requested())
        return sv_fail(error, SV_FAILED, "interrupted after %" PRId64 " frames", r->taken);
    if (status == SV_OK && r->options->output.record && recording_has_failed(r->options->input.recording)) {
        frame_pair_release(pair);
        return sv_fail(error, SV_FAILED, "the run ends after %" PRId64 " frames, because the recording has failed",
                       r->taken);
    }
    if (status == SV_OK && r->taken && !*only_leads) status = refuse_plain_names(r->options, SV_FAILED, error);
    return status;
}

/* A request to end the program wakes the threads that wait for a picture. */
static void interrupt(void *of) { pairing_interrupt(of); }

/* Matches every pair of the range. */
static sv_status match_all(run *r, sv_error *error) {
    const source_info *info = pairing_info(r->session.pairing);
    sv_status status = SV_OK;
    r->reads = r->range;
    r->reads.first = r->range.first > lead_of(r->options) ? r->range.first - lead_of(r->options) : 0;
    /* What was measured before the run has left the pairing at the first frame of the range. */
    if (r->range.first && info->seekable) status = pairing_seek_frame(r->session.pairing, r->reads.first, error);
    if (r->range.first >= r->range.end) status = SV_END;
    /* With --compare one match follows the other, so that neither slows the other. */
    const int64_t in_flight = r->options->match.compare ? 1 : slot_count(r);
    while (status == SV_OK) {
        if (r->submitted - r->done == in_flight) status = finish_one(r, error);
        if (status != SV_OK) break;
        const int slot = (int)(r->submitted % slot_count(r));
        frame_pair *pair = &r->slots[slot].pair;
        bool *const only_leads = &r->slots[slot].leads;
        status = next_pair(r, pair, only_leads, error);
        if (status != SV_OK) break;
        const sv_pair pictures = pictures_for(r, pair);
        sv_output *const maps = &r->slots[slot].maps;
        status = sinks_take(r->sinks, maps, error);
        if (status == SV_OK)
            status = sv_submit(matcher_of(r, r->submitted), &pictures, &r->options->match.params, maps, error);
        if (status == SV_OK && r->session.monitor)
            pair_monitor_offer(r->session.monitor, pair, &r->options->match.params);
        if (status == SV_OK) r->submitted++;
        if (status == SV_OK) r->taken += !*only_leads;
    }
    /* Pairs submitted before a failure are valid and are written; the first failure is reported. */
    sv_error later;
    while (r->done < r->submitted) {
        const sv_status last = finish_one(r, status == SV_END ? error : &later);
        if (last != SV_OK) return status == SV_END ? last : status;
    }
    if (status != SV_END) return status;
    if (r->frames || r->there || r->options->run.share.count) return SV_OK;
    if (pairing_frames(r->session.pairing) > r->range.first)
        return sv_fail(error, SV_FAILED,
                       "no frame from %" PRId64 " on has a partner in the other file; check --offset, and the time "
                       "stamps if there are any",
                       r->range.first);
    return sv_fail(error, SV_FAILED, "there is no frame %" PRId64 " to match; frames are counted from 0",
                   r->range.first);
}

/* Narrows the range to the part of --shard. */
static sv_status take_share(run *r, sv_error *error) {
    const share *share = &r->options->run.share;
    const int64_t all = expected_frames(r);
    if (!share->count) return SV_OK;
    if (pairing_info(r->session.pairing)->live)
        return sv_fail(error, SV_USAGE, "--shard is for files: every program would get all of a live stream");
    if (all == INT64_MAX)
        return sv_fail(error, SV_USAGE,
                       "--shard needs the number of frames, which this file does not give; add --frames A:B");
    int64_t end = r->range.first + (all > 0 ? all : 0);
    share_narrow(share, &r->range.first, &end);
    /* A file may have more frames than it declares; they belong to the last part. */
    if (share->number < share->count || r->range.end < INT64_MAX) r->range.end = end;
    return SV_OK;
}

/* With --resume, starts after the frames whose files already exist. */
static sv_status begin_range(run *r, sv_error *error) {
    r->range = r->options->input.frames;
    if (r->options->run.resume && pairing_info(r->session.pairing)->live)
        return sv_fail(error, SV_USAGE, "--resume is for files: a live stream does not send a picture again");
    sv_status status = take_share(r, error);
    if (status == SV_OK) status = resume_begin(r->options, session_rectification(&r->session)->rows, error);
    while (status == SV_OK && r->options->run.resume && r->range.first < r->range.end &&
           resume_has(r->options, r->range.first)) {
        r->range.first++;
        r->there++;
    }
    return status;
}

static void open_sinks(run *r) {
    const options *o = r->options;
    const source_info *info = pairing_info(r->session.pairing);
    colour_settings colours = o->display.view.colour;
    if (o->display.view.range != VIEW_RANGE_FIXED) {
        colours.min = (float)o->match.params.min_disparity;
        colours.max = (float)o->match.params.max_disparity;
    }
    r->space = space_of(session_rectification(&r->session), info->width, info->height);
    bool has_confidence = false;
    for (int i = 0; i < o->output.count; i++) has_confidence |= exporter_needs_confidence(o->output.files[i]);
    r->sinks = sinks_open(r->session.backend, info->width, info->height, has_confidence, slot_count(r));
    for (int i = 0; i < o->output.count; i++) {
        r->exporters[i] = (exporter){.pattern = o->output.files[i],
                                     .colours = colours,
                                     .rectification = session_rectification(&r->session),
                                     .rate = info->pictures ? 0 : info->rate,
                                     .live = info->live};
        sinks_add(r->sinks, exporter_use, &r->exporters[i], !export_is_video(o->output.files[i]));
    }
    r->scorer = (scorer){.pattern = o->output.truth, .scale = o->output.truth_scale};
    if (o->output.truth && !o->match.compare) sinks_add(r->sinks, scorer_use, &r->scorer, false);
    /* It takes time, so a benchmark that writes nothing does without. */
    if (o->output.count || o->output.truth) sinks_add(r->sinks, count_values, r, false);
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
    return status == SV_OK ? maps_alloc(r->session.backend, info->width, info->height, false, &r->comparer.maps, error)
                           : status;
}

/* Matches, writes and scores; what was matched before a failure is written, too. */
static sv_status run_all(run *r, sv_error *error) {
    sv_error later;
    open_sinks(r);
    sv_status status = match_all(r, error);
    const sv_status written = sinks_finish(r->sinks, status == SV_OK ? error : &later);
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

static void report_damage(const run *r) {
    const stats_damage damage = stats_get_damage(r->session.stats);
    if (damage.kept + damage.skipped + damage.lost)
        sv_log(SV_LOG_WARNING,
               "damaged frames: %" PRId64 " (maps kept %" PRId64 ", skipped %" PRId64
               "); pictures that could not be decoded: %" PRId64,
               damage.kept + damage.skipped, damage.kept, damage.skipped, damage.lost);
}

static void report_live(const run *r, const pairing_counts *counts) {
    sv_log(SV_LOG_INFO, "%" PRId64 " pairs, mean skew %.2f ms (tolerance %.2f ms)", r->frames, 1e3 * counts->skew_mean,
           1e3 * pairing_tolerance(r->session.pairing));
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
    stop_wait wait;
    stop_wait_begin(&wait, NULL, NULL); /* for files that are opened, beside other pairs of a list */
    sv_status status = resume_rows(&own, error);
    if (status == SV_OK) status = session_open(s, error);
    sv_choose_range(&own.match.params, true); /* the settings of --resume name it */
    if (status == SV_OK) status = begin_range(&r, error);
    if (status == SV_OK && expected_frames(&r) > 1) status = refuse_plain_names(options, SV_USAGE, error);
    if (status == SV_OK) status = begin_comparison(&r, error);
    stop_wait_end(&wait);
    r.began = sv_seconds();
    if (status == SV_OK) {
        stop_in_order();
        stop_wait_begin(&wait, interrupt, s->pairing);
        status = run_all(&r, error);
        stop_wait_end(&wait);
    }
    log_progress(NULL);
    pairing_counts counts = {0};
    if (s->pairing) {
        counts = media_count(stats, s->pairing);
        if (pairing_info(s->pairing)->live) report_live(&r, &counts);
    }
    report_damage(&r);
    if (status == SV_OK) report_rig(&r);
    if (status == SV_OK) scorer_print_mean(&r.scorer);
    if (status == SV_OK) comparer_print_mean(&r.comparer);
    add_totals(&r, &counts, totals);
    /* After a failure pairs may still be under way, in these maps. */
    session_end_matching(s);
    sinks_close(r.sinks);
    maps_free(backend, &r.comparer.maps);
    for (size_t i = 0; i < sizeof r.slots / sizeof *r.slots; i++) frame_pair_release(&r.slots[i].pair);
    session_close(s);
    return status;
}

sv_status headless_run(const options *options, const sv_backend *backend, stats *stats, sv_error *error) {
    headless_totals totals = {0};
    log_progress("preparing");
    const sv_status status = headless_match(options, backend, stats, &totals, error);
    if (status == SV_OK || (stop_requested() && totals.frames)) headless_report(&totals);
    return status;
}
