/* What the window and the headless run have in common. */
#include "app/play/session.h"

#include "app/calibrate/align.h"
#include "app/calibrate/moments.h"
#include "app/calibrate/rows.h"
#include "app/media/fov.h"
#include "app/media/recording.h"
#include "app/options/options_check.h"
#include "rig/rectify.h"
#include "rig/row_meter.h"
#include "stereo/pixel.h"

#include <string.h>

/* The subject of the statistics. */
static sv_status describe(session *s, sv_error *error) {
    const source_info *info = pairing_info(s->pairing);
    const sv_params *params = &s->options->match.params, matched = sv_scaled_params(*params);
    const int width = sv_reduced(info->width, params->scale), height = sv_reduced(info->height, params->scale);
    const int candidates = sv_methods[params->method].runs_model ? 0 : sv_candidates(&matched);
    stats_subject subject = {
        .version = SV_VERSION,
        .width = info->width,
        .height = info->height,
        .candidates = candidates,
        .evaluations = (double)width * height * candidates,
    };
    const sv_status status = s->backend->probe(s->options->match.device, s->device, sizeof s->device, error);
    if (status != SV_OK) return status;
    snprintf(subject.backend, sizeof subject.backend, "%s", s->backend->name);
    snprintf(subject.device, sizeof subject.device, "%s", s->device);
    snprintf(subject.method, sizeof subject.method, "%s", sv_method_name(params->method));
    stats_set_subject(s->stats, &subject);
    rows_count(session_rectification(s)->rows, s->stats);
    stats_set_figure(s->stats, "min_disparity", params->min_disparity);
    stats_set_figure(s->stats, "max_disparity", params->max_disparity);
    if (s->options->input.on_card) stats_set_figure(s->stats, "decoded_on_card", info->on_card);
    return SV_OK;
}

/* Starts the recording if the sources can be recorded. */
static sv_status release_recording(const options *o, pairing *pairing, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    if (info->pictures) return sv_fail(error, SV_USAGE, "--record: pictures are files already; copy them");
    if (!info->live && !o->run.headless)
        return sv_fail(error, SV_USAGE,
                       "--record in the window is for cameras and live streams; --headless copies videos");
    if (!info->live && (o->input.frames.first || o->run.resume))
        return sv_fail(error, SV_USAGE,
                       "--record copies videos from their beginning; leave out the first number of --frames, and "
                       "--resume");
    if (!info->live && o->input.frames.end < INT64_MAX)
        sv_log(SV_LOG_INFO,
               "--record copies everything that is read, including some pictures beyond the last one of --frames");
    recording_release(o->input.recording, pairing);
    return SV_OK;
}

const sv_rectification *session_rectification(const session *s) { return &s->rectifications[s->rectified]; }

/* A range that no pixel can have is refused. The window, where it can be changed, warns. */
static sv_status check_range(const options *o, int width, sv_error *error) {
    const sv_params *params = &o->match.params;
    if (params->min_disparity < width && params->max_disparity > -width) return SV_OK;
    sv_fail(error, SV_USAGE,
            "-d %d:%d: no pixel of pictures %d wide can have such a disparity; choose a range between %d and %d",
            params->min_disparity, params->max_disparity, width, 1 - width, width - 1);
    if (o->run.headless) return SV_USAGE;
    sv_log(SV_LOG_WARNING, "%s", error->text);
    return SV_OK;
}

/* NULL if it is empty. */
static const sv_rectification *if_any(const sv_rectification *r) { return r->width ? r : NULL; }

static sv_matcher_options matcher_options(const session *s, int device, const sv_rectification *r) {
    const source_info *info = pairing_info(s->pairing);
    return (sv_matcher_options){.width = info->width,
                                .height = info->height,
                                .threads = s->options->match.threads,
                                .device = device,
                                .cancel = &s->cancel,
                                .rectification = if_any(r)};
}

static sv_status create_matcher(const session *s, int device, const sv_rectification *r, sv_matcher **matcher,
                                sv_error *error) {
    const sv_matcher_options how = matcher_options(s, device, r);
    return sv_matcher_create(s->backend, &how, matcher, error);
}

sv_status session_memory(const session *s, const sv_params *params, sv_footprint *footprint, sv_error *error) {
    const sv_matcher_options how = matcher_options(s, s->options->match.device, session_rectification(s));
    return sv_matcher_memory(s->backend, &how, params, footprint, error);
}

sv_status session_compare(session *s, sv_error *error) {
    if (s->next_matcher) return sv_fail(error, SV_FAILED, "the cameras are being aligned; compare once that is done");
    return s->second ? SV_OK : create_matcher(s, s->options->match.device, session_rectification(s), &s->second, error);
}

sv_status session_prepare(session *s, sv_rectification *r, sv_error *error) {
    sv_rectification *next = &s->rectifications[!s->rectified];
    *next = *r;
    *r = (sv_rectification){0};
    const int device = s->options->match.device;
    sv_status status = create_matcher(s, device, next, &s->next_matcher, error);
    if (status == SV_OK && s->second) status = create_matcher(s, device, next, &s->next_second, error);
    if (status == SV_OK) return SV_OK;
    sv_matcher_destroy(s->next_matcher);
    s->next_matcher = NULL;
    sv_rectification_free(next);
    return status;
}

/* The window measures the rows and compares moments beside the maps; the rows on several pairs, or on all if there are
 * fewer. */
static pair_monitor *open_monitor(const session *s) {
    const source_info *info = pairing_info(s->pairing);
    const bool window = !s->options->run.headless;
    const int pairs = info->frames > 0 && info->frames < ROW_METER_PAIRS ? (int)info->frames : ROW_METER_PAIRS;
    const pair_monitor_options how = {.rectification = if_any(session_rectification(s)),
                                      .row_pairs = window && rows_are_wanted(s->options) ? pairs : 0,
                                      .half = info->half,
                                      .reach = window ? moments_reach(info) : 0,
                                      .rate = info->pictures ? 1 : info->rate,
                                      .moments = s->moments};
    return pair_monitor_open(&how);
}

void session_switch(session *s) {
    pair_monitor_close(s->monitor);
    sv_matcher_destroy(s->matcher);
    sv_rectification_free(&s->rectifications[s->rectified]);
    s->matcher = s->next_matcher;
    if (s->next_second) {
        sv_matcher_destroy(s->second);
        s->second = s->next_second;
    }
    s->next_matcher = s->next_second = NULL;
    s->rectified = !s->rectified;
    rows_count(session_rectification(s)->rows, s->stats);
    s->monitor = open_monitor(s);
}

/* Before the matchers are created. In a window, what --rows auto finds comes later, see session_prepare. */
static sv_status correct_rows(session *s, sv_error *error) {
    const rig_options *rig = &s->options->rig;
    const double none[SV_ROW_TERMS] = {0};
    const source_info *info = pairing_info(s->pairing);
    sv_rectification *r = &s->rectifications[0];
    if (rig->rows == ROWS_GIVEN) return sv_rectify_rows(r, info->width, info->height, rig->row_terms, error);
    if (rig->rows == ROWS_OFF && rows_are_corrected(r->rows))
        return sv_rectify_rows(r, info->width, info->height, none, error);
    /* Rows of different moments show nothing of the cameras. */
    const double late = rig_find_offset(&s->moments);
    if (late < 0 || late > 0) return SV_OK;
    if (!s->options->run.headless) return SV_OK;
    double before[SV_ROW_TERMS];
    memcpy(before, r->rows, sizeof before);
    const sv_status status = rows_correct(s->options, s->pairing, r, error);
    if (status != SV_OK || !memcmp(before, r->rows, sizeof before)) return status;
    return auto_range_find_again(s->options, s->pairing, r, error);
}

/* The card for --decoder cuda. A recording gets each packet once, so its source cannot be opened again if the card
 * refuses it. */
static pool_card choose_card(const session *s) {
    const options *o = s->options;
    const bool can = s->backend->grey_of_luma && !o->output.record;
    if (!o->input.on_card) return (pool_card){0};
    if (!can)
        sv_log(SV_LOG_INFO, "--decoder cuda %s; videos are decoded on the CPU",
               s->backend->grey_of_luma ? "cannot be combined with --record" : "needs the cuda backend");
    return can ? (pool_card){s->backend, o->match.device} : (pool_card){0};
}

static sv_status open_sources(session *s, sv_error *error) {
    options *o = s->options;
    const pool_memory memory = {s->backend->alloc, s->backend->free};
    sv_rectification *r = &s->rectifications[0];
    sv_status status = SV_OK;
    if (o->output.record) status = recording_start(o->input.recording, o->output.record, &o->input, error);
    if (status == SV_OK) status = media_open(o, memory, s->colour, &s->pairing, error);
    if (status == SV_OK && o->output.record) status = release_recording(o, s->pairing, error);
    if (status == SV_OK) status = check_range(o, pairing_info(s->pairing)->width, error);
    if (status == SV_OK && media_frames(&o->input.frames, pairing_info(s->pairing)) > 1)
        status = options_refuse_plain_names(o, SV_USAGE, error);
    if (status != SV_OK) return status;
    status = o->rig.align && o->run.headless ? align_pairing(o, s->pairing, r, error)
                                             : media_rectify(o, s->pairing, r, error);
    return status == SV_OK ? auto_range_find(o, memory, s->colour, &s->pairing, r, error) : status;
}

sv_status session_open(session *s, sv_error *error) {
    options *o = s->options;
    o->input.card = choose_card(s);
    sv_status status = sv_check_backend(s->backend, &o->match.params, error);
    if (status == SV_OK && o->match.compare) status = sv_check_backend(s->backend, &o->match.second, error);
    if (status == SV_OK)
        status = s->pairing ? check_range(o, pairing_info(s->pairing)->width, error) : open_sources(s, error);
    if (status == SV_OK) status = fov_check(&o->rig, pairing_info(s->pairing), error);
    const sv_rectification *r = session_rectification(s);
    if (status == SV_OK && o->run.headless) status = moments_find(o, s->pairing, r, &s->moments, error);
    if (status == SV_OK) status = correct_rows(s, error); /* with that range */
    if (status == SV_OK) status = create_matcher(s, o->match.device, r, &s->matcher, error);
    if (status == SV_OK && !o->run.benchmark) s->monitor = open_monitor(s);
    return status == SV_OK ? describe(s, error) : status;
}

sv_status session_open_again(const session *s, int device, pairing **pairing, sv_error *error) {
    const pool_memory memory = {s->backend->alloc, s->backend->free};
    options o = *s->options;
    o.input.card.number = device;
    return media_open_again(&o, memory, s->colour, s->pairing, pairing, error);
}

sv_status session_add_matcher(const session *s, int device, sv_matcher **matcher, sv_error *error) {
    return create_matcher(s, device, session_rectification(s), matcher, error);
}

void session_end_matching(session *s) {
    sv_matcher_destroy(s->matcher);
    sv_matcher_destroy(s->second);
    sv_matcher_destroy(s->next_matcher);
    sv_matcher_destroy(s->next_second);
    s->matcher = s->second = s->next_matcher = s->next_second = NULL;
}

void session_close(session *s) {
    pair_monitor_close(s->monitor);
    session_end_matching(s);
    for (int i = 0; i < 2; i++) sv_rectification_free(&s->rectifications[i]);
    pairing_close(s->pairing);
    *s = (session){0};
}
