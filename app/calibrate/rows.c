/* --rows, for runs without a window and what they share with the window. */
#include "app/calibrate/rows.h"

#include "app/media/media.h"
#include "base/stop.h"
#include "rig/rectify.h"
#include "rig/row_meter.h"

#include <stdio.h>

enum { REPEATS = 2 }; /* of a rough measurement */

bool rows_are_wanted(const options *o) {
    return o->rig.rows == ROWS_AUTO && !o->run.benchmark && !o->input.demo && !o->input.synthetic_width;
}

bool rows_are_corrected(const double terms[SV_ROW_TERMS]) {
    for (int i = 0; i < SV_ROW_TERMS; i++)
        if (terms[i] != 0) return true;
    return false;
}

char *rows_describe(const row_fit *fit, char *text, size_t size) {
    const bool helps = row_fit_helps(fit), uneven = row_fit_cure(fit) == ROWS_TO_ALIGN;
    if (helps)
        snprintf(text, size,
                 "the right picture's rows are off by %+.2f to %+.2f px (%d points) and are corrected; "
                 "--rows off turns this off%s",
                 fit->least, fit->most, fit->used, uneven ? "; --align corrects them better" : "");
    else
        snprintf(text, size,
                 "the right picture's rows are off by %+.1f to %+.1f px, which --rows does not correct; --align aligns "
                 "the cameras",
                 fit->least - 2 * fit->rest, fit->most + 2 * fit->rest);
    return text;
}

void rows_count(const double terms[SV_ROW_TERMS], stats *stats) {
    static const char *const names[SV_ROW_TERMS] = {"row_correction_0", "row_correction_1", "row_correction_2",
                                                    "row_correction_3", "row_correction_4", "row_correction_5"};
    for (int i = 0; i < SV_ROW_TERMS; i++) stats_set_figure(stats, names[i], terms[i]);
}

sv_status rows_add(const row_fit *fit, int width, int height, sv_rectification *r, sv_error *error) {
    double terms[SV_ROW_TERMS];
    /* As settings files and --stats have them. */
    for (int i = 0; i < SV_ROW_TERMS; i++) terms[i] = rig_round_rows(r->rows[i] + fit->terms[i]);
    return sv_rectify_rows(r, width, height, terms, error);
}

/* ---- A run ------------------------------------------------------------------------------------ */

/* Adds the pair that is read next, unless it is doubtful. */
static sv_status add_next(row_meter *meter, pairing *pairing, sv_error *error) {
    frame_pair pair;
    sv_status status = pairing_next(pairing, &pair, error);
    if (status != SV_OK) return status;
    const sv_pair pictures = media_host_pictures(&pair);
    if (!frame_is_doubtful(pair.left) && !frame_is_doubtful(pair.right))
        status = row_meter_add_if_shown(meter, &pictures, error);
    frame_pair_release(&pair);
    return status;
}

/* Measures pairs in the middle of equal parts of the frames; if nobody knows how many there are, the first ones. */
static sv_status gather(const frame_range *range, row_meter *meter, pairing *pairing, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    const int64_t frames = media_frames(range, info);
    const int most = frames < ROW_METER_PAIRS ? (int)frames : ROW_METER_PAIRS;
    sv_status status = SV_OK;
    for (int i = 0; i < most && status == SV_OK && !stop_requested(); i++) {
        if (frames < INT64_MAX)
            status = pairing_seek_frame(pairing, range->first + frames * (2 * i + 1) / (2 * most), error);
        else if (!i && range->first)
            status = pairing_seek_frame(pairing, range->first, error);
        if (status == SV_OK) status = add_next(meter, pairing, error);
    }
    return status == SV_END ? SV_OK : status;
}

static sv_status measure(const options *o, pairing *pairing, const sv_rectification *rectification, row_fit *fit,
                         sv_error *error) {
    const source_info *info = pairing_info(pairing);
    row_meter *meter;
    sv_status status = row_meter_open(&meter, info->width, info->height, rectification->width ? rectification : NULL,
                                      &o->match.params, o->match.threads, error);
    if (status != SV_OK) return status;
    status = gather(&o->input.frames, meter, pairing, error);
    if (status == SV_OK) status = row_meter_fit(meter, fit, error);
    row_meter_close(meter);
    return status == SV_OK ? pairing_seek_frame(pairing, o->input.frames.first, error) : status;
}

sv_status rows_correct(const options *o, pairing *pairing, sv_rectification *r, sv_error *error) {
    const source_info *info = pairing_info(pairing);
    row_fit fit, more;
    char text[256];
    if (!rows_are_wanted(o) || info->live || !info->seekable || o->output.record) return SV_OK;
    sv_status status = measure(o, pairing, r, &fit, error);
    if (status != SV_OK) return status;
    const bool helps = row_fit_helps(&fit);
    if (helps) status = rows_add(&fit, info->width, info->height, r, error);
    more = fit;
    for (int i = 0; i < REPEATS && helps && row_fit_is_rough(&more) && status == SV_OK; i++) {
        status = measure(o, pairing, r, &more, error);
        if (status != SV_OK || !row_fit_helps(&more)) break;
        status = rows_add(&more, info->width, info->height, r, error);
        row_fit_add(&fit, &more, info->width, info->height);
    }
    if (helps || row_fit_cure(&fit) == ROWS_TO_ALIGN)
        sv_log(helps ? SV_LOG_INFO : SV_LOG_WARNING, "%s", rows_describe(&fit, text, sizeof text));
    return status;
}
