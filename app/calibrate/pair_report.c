/* Reports the state of a rig in words with the options that fix what is wrong, and in --stats. */
#include "app/calibrate/pair_report.h"

#include <math.h>
#include <stdio.h>

void pair_report_count(const rig_facts *facts, const sv_rig_state *state, stats *stats) {
    static const struct {
        const char *figure, *grade;
    } names[SV_RIG_ITEM_COUNT] = {
        [SV_RIG_INPUT] = {"rig_input", "rig_input_grade"},
        [SV_RIG_ORDER] = {"rig_order", "rig_order_grade"},
        [SV_RIG_TIME] = {"rig_time", "rig_time_grade"},
        [SV_RIG_ROWS] = {"rig_rows", "rig_rows_grade"},
        [SV_RIG_CALIBRATION] = {"rig_calibration", "rig_calibration_grade"},
        [SV_RIG_BRIGHTNESS] = {"rig_brightness", "rig_brightness_grade"},
        [SV_RIG_RANGE] = {"rig_range", "rig_range_grade"},
    };
    stats_set_figure(stats, "vertical_offset_px", state->items[SV_RIG_ROWS].figure);
    stats_set_figure(stats, "vertical_offset_points", facts->rows.points);
    for (int i = 0; i < SV_RIG_ITEM_COUNT; i++) {
        stats_set_figure(stats, names[i].figure, state->items[i].figure);
        stats_set_figure(stats, names[i].grade, state->items[i].grade);
    }
}

double pair_report_value(double value) { return round(100 * value) / 100 + 0.0; } /* -0 + 0 is 0 */

char *pair_report_rows(const rig_facts *f, const sv_rig_state *state, char *text, size_t size) {
    const rig_rows *r = &f->rows;
    const sv_rig_finding *rows = &state->items[SV_RIG_ROWS];
    const char *or_else = f->calibrated ? "does the calibration belong to these cameras? See --align"
                                        : "is it rectified? See --calibration, --align";
    const double offset = pair_report_value((double)r->offset), spread = (double)r->spread;
    if (isnan(rows->figure))
        snprintf(text, size, "vertical offset unknown: %d points were found in both pictures", r->points);
    else if (rows->grade == SV_RIG_UNKNOWN)
        snprintf(text, size, "vertical offset unknown: the pictures do not match well enough");
    else if (rows->grade != SV_RIG_BAD)
        snprintf(text, size, "vertical offset %.2f px (median of %d points)", offset, r->points);
    else if (rows->cure == SV_RIG_ROW_SHIFT)
        snprintf(text, size,
                 "the right picture lies %.1f px %s (median of %d points, spread %.1f): %s or --row-shift %d",
                 fabs(offset), offset > 0 ? "lower" : "higher", r->points, spread, or_else, rows->values[0]);
    else
        snprintf(text, size,
                 "the right picture's rows are off by %.1f px, varying by %.1f over the picture (%d points): %s",
                 offset, spread, r->points, or_else);
    return text;
}

/* What fixes it. */
static void advise(const sv_rig_finding *f, double offset, char *text, size_t size) {
    switch (f->cure) {
    case SV_RIG_LAYOUT: snprintf(text, size, "; see --layout"); break;
    case SV_RIG_SWAP: snprintf(text, size, "; --swap swaps them"); break;
    case SV_RIG_OFFSET: snprintf(text, size, "; --offset %g pairs matching frames", offset + f->values[0]); break;
    case SV_RIG_ALIGN: snprintf(text, size, "; --align aligns the cameras"); break;
    case SV_RIG_WIDEN: snprintf(text, size, "; use -d %d:%d", f->values[0], f->values[1]); break;
    case SV_RIG_NO_CURE:
    case SV_RIG_ROW_SHIFT:
    case SV_RIG_METHOD: *text = 0;
    }
}

const char *pair_report_describe(const sv_rig_state *state, sv_rig_item item, double offset, char *text, size_t size) {
    const sv_rig_finding *f = &state->items[item];
    char what[SV_RIG_TEXT], then[80];
    if (f->grade < SV_RIG_DOUBTFUL || item == SV_RIG_ROWS || item == SV_RIG_BRIGHTNESS) return NULL;
    advise(f, offset, then, sizeof then);
    snprintf(text, size, "%s%s", sv_rig_describe(state, item, what), then);
    return text;
}

const char *pair_report_brightness(const brightness *b, const sv_params *params, char *text, size_t size) {
    const char *const side = b->left < b->right ? "left" : "right", *const method = sv_method_name(params->method);
    const double percent = 100 * brightness_difference(b);
    if (percent <= 0) return NULL;
    if (!brightness_harms(b, params)) {
        snprintf(text, size, "the %s picture is %.0f %% darker than the other, which %s tolerates", side, percent,
                 method);
        return text;
    }
    const sv_params defaults = sv_default_params((sv_method)params->method);
    char prefilter[32];
    snprintf(
        text, size,
        "the %s picture is %.0f %% darker than the other, and %s compares brightness: use -m sgm or --prefilter %s",
        side, percent, method, sv_print(&defaults, sv_find_parameter("prefilter"), prefilter, sizeof prefilter));
    return text;
}
