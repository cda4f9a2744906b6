/* Reports the row offset and the brightness of two pictures, in words and in --stats. */
#include "app/calibrate/pair_report.h"

#include <math.h>
#include <stdio.h>

void row_report_count(const row_offset *a, stats *stats) {
    stats_set_figure(stats, "vertical_offset_px", a->known ? (double)a->offset : NAN);
    stats_set_figure(stats, "vertical_offset_points", a->points);
}

double row_report_value(double value) { return round(100 * value) / 100 + 0.0; } /* -0 + 0 is 0 */

char *row_report_describe(const row_offset *a, bool calibrated, bool half, char *text, size_t size) {
    const char *or_else =
        calibrated ? "is the calibration this camera's?" : "is it rectified? See --calibration, --align";
    const double offset = row_report_value((double)a->offset), spread = (double)a->spread;
    char few[32] = "no point was";
    if (a->points > 0) snprintf(few, sizeof few, "only %d point%s", a->points, a->points == 1 ? " was" : "s were");
    if (!a->known)
        snprintf(text, size,
                 "vertical offset unknown: %s found in both pictures; if the map is noise, %sleft and right "
                 "may be swapped, the rows may be far apart, or the disparities may lie outside the range of -d",
                 few, half ? "the file may hold one picture and not two, " : "");
    else if (!row_offset_is_large(a))
        snprintf(text, size, "vertical offset %.2f px (median of %d points)", offset, a->points);
    else if (a->spread > ROW_OFFSET_SPREAD)
        snprintf(text, size,
                 "the right picture's rows are off by %.1f px, varying by %.1f over the picture (%d points): %s",
                 offset, spread, a->points, or_else);
    else
        snprintf(text, size,
                 "the right picture lies %.1f rows %s (median of %d points, spread %.1f): %s or --row-shift %d",
                 fabs(offset), offset > 0 ? "lower" : "higher", a->points, spread, or_else,
                 a->row_shift + (int)lround(offset));
    return text;
}

const char *brightness_describe(const brightness *b, const sv_params *params, char *text, size_t size) {
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
