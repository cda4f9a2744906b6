/* What looks wrong in the window, and what cures it. */
#include "app/viewer/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const sv_rig_finding *finding(const advice_facts *f, sv_rig_item item) { return &f->state.items[item]; }

static bool is_bad(const advice_facts *f, sv_rig_item item, sv_rig_cure cure) {
    return finding(f, item)->grade == SV_RIG_BAD && finding(f, item)->cure == cure;
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
        [ADVICE_SWAPPED] = is_bad(f, SV_RIG_ORDER, SV_RIG_SWAP),
        [ADVICE_TIME] = is_bad(f, SV_RIG_TIME, SV_RIG_OFFSET),
        [ADVICE_ROWS] = is_bad(f, SV_RIG_ROWS, SV_RIG_ROW_SHIFT),
        [ADVICE_ALIGN] = is_bad(f, SV_RIG_ROWS, SV_RIG_ALIGN) && !f->aligned,
        [ADVICE_BRIGHTNESS] = is_bad(f, SV_RIG_BRIGHTNESS, SV_RIG_METHOD),
        [ADVICE_RANGE] = is_bad(f, SV_RIG_RANGE, SV_RIG_WIDEN) && sv_range_is_chosen(&f->params),
        [ADVICE_PACE] = is_too_slow(f),
    };
    for (int i = ADVICE_SWAPPED; i <= ADVICE_PACE; i++)
        if (wrong[i] && !(dismissed >> i & 1)) return (advice)i;
    return ADVICE_NONE;
}

/* A camera is late; of files the matching picture is elsewhere. */
static void describe_time(const advice_facts *f, char *text, size_t size) {
    const double frames = finding(f, SV_RIG_TIME)->figure;
    if (f->live && f->rate > 0)
        snprintf(text, size, "The %s camera is %.0f ms late.", frames > 0 ? "right" : "left",
                 1e3 * fabs(frames) / f->rate);
    else
        snprintf(text, size, "The right picture of the same moment is %.0f frame%s %s.", fabs(frames),
                 fabs(frames) == 1 ? "" : "s", frames > 0 ? "later" : "earlier");
}

void advice_describe(advice advice, const advice_facts *f, char *text, size_t size, const char *buttons[2]) {
    const char *const shrink = smaller(f) == 2 ? "Match at half size" : "Match at quarter size";
    const double rows = finding(f, SV_RIG_ROWS)->figure;
    buttons[0] = buttons[1] = NULL;
    *text = 0;
    switch (advice) {
    case ADVICE_SWAPPED:
        snprintf(text, size, "Left and right seem to be swapped.");
        buttons[0] = "Swap them";
        break;
    case ADVICE_TIME:
        describe_time(f, text, size);
        if (f->moves_right) buttons[0] = "Pair with that";
        break;
    case ADVICE_ROWS:
        snprintf(text, size, "The right picture is %.1f rows too %s.", fabs(rows), rows > 0 ? "low" : "high");
        buttons[0] = "Shift it";
        break;
    case ADVICE_ALIGN:
        snprintf(text, size, "The rows are off by amounts that vary over the picture.");
        buttons[0] = "Align them";
        break;
    case ADVICE_BRIGHTNESS:
        snprintf(text, size, "One picture is darker, and %s compares brightness.", sv_method_name(f->params.method));
        buttons[0] = "Use sgm";
        buttons[1] = "Use the prefilter";
        break;
    case ADVICE_RANGE:
        snprintf(text, size, "%.0f %% of the disparities are outside the range, %d to %d.",
                 finding(f, SV_RIG_RANGE)->figure, f->params.min_disparity, f->params.max_disparity);
        buttons[0] = "Widen the range";
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
    if (advice == ADVICE_ROWS) cured.row_shift = finding(f, SV_RIG_ROWS)->values[0];
    if (advice == ADVICE_BRIGHTNESS && button == 0) cured = sv_with_method(cured, SV_SGM);
    if (advice == ADVICE_BRIGHTNESS && button == 1) sv_reset(&cured, sv_find_parameter("prefilter"));
    if (advice == ADVICE_RANGE) {
        cured.min_disparity = finding(f, SV_RIG_RANGE)->values[0];
        cured.max_disparity = finding(f, SV_RIG_RANGE)->values[1];
        sv_choose_range(&cured, true);
    }
    if (advice == ADVICE_PACE && (f->live || button == 1)) cured.scale = smaller(f);
    return cured;
}
