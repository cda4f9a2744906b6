/* What looks wrong in the window, and what cures it. */
#include "app/viewer/advice.h"

#include "render/view/histogram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The row shift that brings the rows together. */
static int level(const advice_facts *f) { return f->alignment.row_shift + (int)lroundf(f->alignment.offset); }

static bool rows_are_off(const advice_facts *f) {
    const sv_parameter *shift = sv_find_parameter("row-shift");
    const row_offset *a = &f->alignment;
    return a->known && fabsf(a->offset) > ROW_OFFSET_LIMIT && a->spread <= ROW_OFFSET_SPREAD &&
           a->row_shift == f->params.row_shift && level(f) >= shift->min && level(f) <= shift->max;
}

/* The range with half as many disparities again, at least eight more; the same if it cannot grow. */
static sv_params wider(const sv_params *params) {
    sv_params wide = *params;
    const int more = (params->max_disparity - params->min_disparity + 1) / 2;
    wide.max_disparity += more > 8 ? more : 8;
    return sv_check_params(&wide, NULL) == SV_OK ? wide : *params;
}

static bool is_cut_off(const advice_facts *f) {
    return f->values > 0 && histogram_is_cut_off(f->largest, f->values) &&
           wider(&f->params).max_disparity > f->params.max_disparity;
}

/* The --scale that keeps up, or that comes nearest for a live source, which does not wait; that of now if there is no
 * other. */
static int smaller(const advice_facts *f) {
    const int enough = pace_scale(&f->rates, f->params.scale);
    return enough ? enough : f->live ? 4 : f->params.scale;
}

static bool is_too_slow(const advice_facts *f) {
    return f->behind && (f->live ? smaller(f) != f->params.scale : !f->real_time);
}

advice advice_choose(const advice_facts *f, unsigned dismissed) {
    const bool wrong[] = {
        [ADVICE_SWAPPED] = f->swapped,
        [ADVICE_ROWS] = rows_are_off(f),
        [ADVICE_ALIGN] = !f->aligned && f->alignment.known && f->alignment.spread > ROW_OFFSET_SPREAD,
        [ADVICE_BRIGHTNESS] = f->darker,
        [ADVICE_RANGE] = is_cut_off(f),
        [ADVICE_PACE] = is_too_slow(f),
    };
    for (int i = ADVICE_SWAPPED; i <= ADVICE_PACE; i++)
        if (wrong[i] && !(dismissed >> i & 1)) return (advice)i;
    return ADVICE_NONE;
}

void advice_describe(advice advice, const advice_facts *f, char *text, size_t size, const char *buttons[2]) {
    const char *const shrink = smaller(f) == 2 ? "Match at half size" : "Match at quarter size";
    buttons[0] = "";
    buttons[1] = NULL;
    *text = 0;
    switch (advice) {
    case ADVICE_SWAPPED:
        snprintf(text, size, "Left and right seem to be swapped.");
        buttons[0] = "Swap them";
        break;
    case ADVICE_ROWS:
        snprintf(text, size, "The right picture is %.1f rows too %s.", fabs((double)f->alignment.offset),
                 f->alignment.offset > 0 ? "low" : "high");
        buttons[0] = "Shift it";
        break;
    case ADVICE_ALIGN:
        snprintf(text, size, "The rows are off by amounts that vary by %.1f px over the picture.",
                 (double)f->alignment.spread);
        buttons[0] = "Align them";
        break;
    case ADVICE_BRIGHTNESS:
        snprintf(text, size, "One picture is darker, and %s compares brightness.", sv_method_name(f->params.method));
        buttons[0] = "Use sgm";
        buttons[1] = "Use the prefilter";
        break;
    case ADVICE_RANGE:
        snprintf(text, size, "%.0f %% of the disparities are at the limit, %d: nearer objects may be cut off.",
                 100.0 * f->largest / f->values, f->params.max_disparity);
        buttons[0] = "Raise the limit";
        break;
    case ADVICE_PACE:
        snprintf(text, size, "This computer matches %.*g of the %.4g pairs a second.", f->rates.matched < 10 ? 2 : 3,
                 f->rates.matched, f->rates.source);
        buttons[0] = f->live ? shrink : "Skip late frames";
        if (!f->live && smaller(f) != f->params.scale) buttons[1] = shrink;
        break;
    case ADVICE_NONE: break;
    }
}

sv_params advice_cure(advice advice, const advice_facts *f, int button) {
    sv_params cured = f->params;
    if (advice == ADVICE_ROWS) cured.row_shift = level(f);
    if (advice == ADVICE_BRIGHTNESS && button == 0) cured = sv_with_method(cured, SV_SGM);
    if (advice == ADVICE_BRIGHTNESS && button == 1) sv_reset(&cured, sv_find_parameter("prefilter"));
    if (advice == ADVICE_RANGE) {
        cured = wider(&f->params);
        sv_choose_range(&cured, true);
    }
    if (advice == ADVICE_PACE && (f->live || button == 1)) cured.scale = smaller(f);
    return cured;
}
