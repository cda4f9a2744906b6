/* Judges what was measured of a rig. Each rule names a fault that alone explains a low share, and leaves unknown what
 * another may have caused. The limits come from real pairs and sequences, right and spoilt. */
#include "rig/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Percent of the share by which the right moment exceeds that of now, and by which a share falls beside a peak. */
static const float better = 10, falls = 2;

/* Rows: the offset from which they degrade matching, and the spread that no row shift corrects. Pixels. */
static const float rows_off = 1, rows_vary = 1;

/* Of a picture's brightness, a fraction of the brighter one's. At a tenth (ETH3D's playground) ssd without the
 * prefilter is wrong at half of the pixels; equally exposed cameras, which do not show exactly the same scene, differ
 * by up to 7 %.
 */
static const double darker_at_least = 0.08;

/* Percent of the disparities. */
static const float mostly_negative = 75, some_outside = 0.3f, many_outside = 2, mostly_inside = 30;

/* Pixels: medians of a still scene differ by less from moment to moment. */
static const float still = 2;

static sv_rig_finding grade(sv_rig_grade grade, double figure) {
    return (sv_rig_finding){.grade = grade, .figure = figure};
}

static sv_rig_finding cure(sv_rig_grade grade, double figure, sv_rig_cure cure, int value, int other) {
    return (sv_rig_finding){grade, figure, cure, {value, other}};
}

static const sv_rig_finding unknown = {.figure = NAN};

/* ---- Time ------------------------------------------------------------------------------------- */

/* The moment with the largest share; -1 if none is known. */
static int best_moment(const rig_moments *m) {
    int best = -1;
    for (int i = 0; m->reach && i <= 2 * m->reach; i++)
        if (!isnan(m->shares[i]) && (best < 0 || m->shares[i] > m->shares[best])) best = i;
    return best;
}

double rig_find_offset(const rig_moments *m) {
    const int best = best_moment(m), now = m->reach;
    if (m->ambiguous || best <= 0 || best >= 2 * m->reach || m->shares[best] < PROBE_KNOWN || isnan(m->shares[now]))
        return NAN;
    const float before = m->shares[best - 1], after = m->shares[best + 1];
    /* Also false if one of the neighbours is not known. */
    const bool peak = m->shares[best] >= before + falls && m->shares[best] >= after + falls;
    return peak && (best == now || m->shares[best] >= m->shares[now] + better) ? best - now : NAN;
}

/* True if something moves: which disparities there seem to be depends on the moment. */
static bool moves(const rig_moments *m) {
    float least = INFINITY, most = -INFINITY;
    for (int i = 0; m->reach && i <= 2 * m->reach; i++) {
        if (isnan(m->shares[i])) continue;
        least = fminf(least, m->medians[i]);
        most = fmaxf(most, m->medians[i]);
    }
    return most - least > still;
}

/* True if the time may be wrong: moments are still to be compared, or have no peak although something moves. */
static bool may_be_time(const rig_facts *f) {
    const rig_moments *m = &f->moments;
    return isnan(rig_find_offset(m)) && (f->waits || m->ambiguous || moves(m));
}

static sv_rig_finding judge_time(const rig_facts *f) {
    const double offset = rig_find_offset(&f->moments);
    if (isnan(offset)) return unknown;
    return offset == 0 ? grade(SV_RIG_GOOD, 0) : cure(SV_RIG_BAD, offset, SV_RIG_OFFSET, (int)offset, 0);
}

/* ---- The others ------------------------------------------------------------------------------- */

static sv_rig_finding judge_input(const rig_facts *f) {
    const int best = best_moment(&f->moments);
    const float share = best < 0 ? f->share : fmaxf(f->share, f->moments.shares[best]);
    if (!f->measured || !(share > 0)) return unknown;
    const bool same = share > RIG_SURE && f->probe.least >= -0.5f && f->probe.most <= 0.5f;
    if (share >= PROBE_RIGHT) return grade(same ? SV_RIG_DOUBTFUL : SV_RIG_GOOD, (double)share);
    if (share > PROBE_WRONG || f->waits) return grade(SV_RIG_DOUBTFUL, (double)share);
    return grade(f->half ? SV_RIG_UNKNOWN : SV_RIG_BAD, (double)share);
}

/* True if disparities are positive at some moments and negative at others, as when a camera turns and one side lags. */
static bool changes_sign(const rig_moments *m) {
    bool positive = false, negative = false;
    for (int i = 0; m->reach && i <= 2 * m->reach; i++) {
        positive |= m->medians[i] > 0;
        negative |= m->medians[i] < 0;
    }
    return positive && negative;
}

static sv_rig_finding judge_order(const rig_facts *f) {
    const double negative = (double)f->probe.negative;
    if (!f->measured) return unknown;
    if (f->half && f->share > 0 && f->share <= PROBE_WRONG) return cure(SV_RIG_BAD, NAN, SV_RIG_LAYOUT, 0, 0);
    const rig_moments *m = &f->moments;
    const bool timed = !isnan(rig_find_offset(m));
    const bool swapped = timed ? m->swapped != (m->medians[best_moment(m)] < 0) : f->swapped;
    const bool doubtful = !timed && ((f->waits && f->share < RIG_SURE) || changes_sign(m));
    if (!timed && f->share < PROBE_RIGHT) return unknown;
    /* As of swapped sides, but also of films and of cameras that are turned towards each other. */
    if (!swapped && f->either && f->probe.negative > mostly_negative && !f->calibrated)
        return cure(SV_RIG_DOUBTFUL, negative, SV_RIG_SWAP, 0, 0);
    if (swapped && !f->calibrated) return cure(doubtful ? SV_RIG_DOUBTFUL : SV_RIG_BAD, negative, SV_RIG_SWAP, 0, 0);
    return swapped ? unknown : grade(SV_RIG_GOOD, negative);
}

bool rig_shows_rows(const rig_facts *f) {
    return f->share >= PROBE_RIGHT && !f->swapped && f->outside <= mostly_inside;
}

/* The figure stays where the grade is withheld. */
static sv_rig_finding judge_rows(const rig_facts *f, const sv_rig_finding *time) {
    const rig_rows *r = &f->rows;
    const float off = fabsf(r->offset);
    const sv_parameter *shift = sv_find_parameter("row-shift");
    const int level = r->row_shift + (int)lroundf(r->offset);
    if (!f->measured || r->points < RIG_ROWS_POINTS) return unknown;
    const bool withheld =
        time->grade == SV_RIG_BAD || f->share < PROBE_KNOWN || (may_be_time(f) && f->share < RIG_SURE);
    if (withheld) return grade(SV_RIG_UNKNOWN, (double)r->offset);
    if (r->spread > rows_vary) return cure(SV_RIG_BAD, (double)r->offset, SV_RIG_ALIGN, 0, 0);
    if (off > rows_off && level >= shift->min && level <= shift->max)
        return cure(SV_RIG_BAD, (double)r->offset, SV_RIG_ROW_SHIFT, level, 0);
    if (off > RIG_ROWS_LEVEL || r->size > RIG_ROWS_LEVEL)
        return cure(off > rows_off ? SV_RIG_BAD : SV_RIG_DOUBTFUL, (double)r->offset, SV_RIG_ALIGN, 0, 0);
    return grade(SV_RIG_GOOD, (double)r->offset);
}

static sv_rig_finding judge_calibration(const rig_facts *f, const sv_rig_finding *rows) {
    if (!f->calibrated || rows->grade == SV_RIG_UNKNOWN) return unknown;
    return cure(rows->grade, rows->figure, rows->grade == SV_RIG_GOOD ? SV_RIG_NO_CURE : SV_RIG_ALIGN, 0, 0);
}

double brightness_difference(const brightness *b) {
    const double brighter = fmax(b->left, b->right), darker = fmin(b->left, b->right);
    return brighter - darker > darker_at_least * brighter ? 1 - darker / brighter : 0;
}

bool brightness_harms(const brightness *b, const sv_params *params) {
    return brightness_difference(b) > 0 && sv_compares_brightness(params->method) && !sv_prefilters(params);
}

static sv_rig_finding judge_brightness(const rig_facts *f) {
    const brightness *b = &f->brightness;
    const double brighter = fmax(b->left, b->right);
    if (!f->measured || !(brighter > 0)) return unknown;
    const double darker = 100 * (b->left - b->right) / brighter;
    return brightness_harms(b, &f->params) ? cure(SV_RIG_BAD, darker, SV_RIG_METHOD, 0, 0) : grade(SV_RIG_GOOD, darker);
}

static sv_rig_finding judge_range(const rig_facts *f, const sv_rig_state *s) {
    const sv_rig_finding *time = &s->items[SV_RIG_TIME], *rows = &s->items[SV_RIG_ROWS];
    const bool unsure = f->waits || rows->grade != SV_RIG_GOOD;
    int min, max;
    if (!f->measured || isnan(f->outside) || f->swapped || time->grade == SV_RIG_BAD || rows->grade == SV_RIG_BAD ||
        (unsure && f->probe.share < RIG_SURE) || !probe_range(&f->probe, 1, &min, &max))
        return unknown;
    const double outside = (double)f->outside;
    min = min < f->params.min_disparity ? min : f->params.min_disparity;
    max = max > f->params.max_disparity ? max : f->params.max_disparity;
    if (max - min >= SV_MAX_DISPARITIES) min = max - SV_MAX_DISPARITIES + 1;
    const bool widens = min < f->params.min_disparity || max > f->params.max_disparity;
    if (f->outside < some_outside || !widens) return grade(SV_RIG_GOOD, outside);
    return cure(f->outside < many_outside ? SV_RIG_DOUBTFUL : SV_RIG_BAD, outside, SV_RIG_WIDEN, min, max);
}

void rig_judge(const rig_facts *f, sv_rig_state *s) {
    s->items[SV_RIG_INPUT] = judge_input(f);
    s->items[SV_RIG_ORDER] = judge_order(f);
    s->items[SV_RIG_TIME] = judge_time(f);
    s->items[SV_RIG_ROWS] = judge_rows(f, &s->items[SV_RIG_TIME]);
    s->items[SV_RIG_CALIBRATION] = judge_calibration(f, &s->items[SV_RIG_ROWS]);
    s->items[SV_RIG_BRIGHTNESS] = judge_brightness(f);
    s->items[SV_RIG_RANGE] = judge_range(f, s);
}

/* ---- Words ------------------------------------------------------------------------------------ */

const char *sv_rig_item_name(sv_rig_item item) {
    static const char *const names[] = {"input", "order", "time", "rows", "calibration", "brightness", "range"};
    return names[item];
}

static void describe_input(const sv_rig_finding *f, char *text) {
    if (isnan(f->figure))
        snprintf(text, SV_RIG_TEXT, "too little texture to judge the pictures");
    else if (f->grade == SV_RIG_DOUBTFUL && f->figure >= (double)PROBE_RIGHT)
        snprintf(text, SV_RIG_TEXT, "both sides may be the same picture");
    else if (f->grade == SV_RIG_BAD)
        snprintf(text, SV_RIG_TEXT, "the sides do not show the same scene (%.0f %%)", f->figure);
    else
        snprintf(text, SV_RIG_TEXT, "%.0f %% of the pixels match", f->figure);
}

static void describe_time(const sv_rig_finding *f, char *text) {
    const int frames = isnan(f->figure) ? 0 : (int)fabs(f->figure);
    if (isnan(f->figure))
        snprintf(text, SV_RIG_TEXT, "too little motion to judge the time");
    else if (frames)
        snprintf(text, SV_RIG_TEXT, "the matching right picture is %d frame%s %s", frames, frames == 1 ? "" : "s",
                 f->figure > 0 ? "later" : "earlier");
    else
        snprintf(text, SV_RIG_TEXT, "both sides show the same moment");
}

static void describe_rows(const sv_rig_finding *f, char *text) {
    if (isnan(f->figure))
        snprintf(text, SV_RIG_TEXT, "too few corners to judge the rows");
    else if (f->cure == SV_RIG_ALIGN && f->grade == SV_RIG_BAD)
        snprintf(text, SV_RIG_TEXT, "the rows are off by amounts that vary over the picture");
    else if (f->grade == SV_RIG_DOUBTFUL && fabs(f->figure) <= (double)RIG_ROWS_LEVEL)
        snprintf(text, SV_RIG_TEXT, "the rows are slightly off in parts of the picture");
    else
        snprintf(text, SV_RIG_TEXT, "the right picture lies %.2f px %s", fabs(f->figure),
                 f->figure < 0 ? "higher" : "lower");
}

char *sv_rig_describe(const sv_rig_state *state, sv_rig_item item, char text[SV_RIG_TEXT]) {
    const sv_rig_finding *f = &state->items[item];
    switch (item) {
    case SV_RIG_INPUT: describe_input(f, text); break;
    case SV_RIG_ORDER:
        snprintf(text, SV_RIG_TEXT, "%s",
                 f->cure == SV_RIG_LAYOUT ? "the layout may be wrong: the halves do not match"
                 : f->cure == SV_RIG_SWAP
                     ? (f->grade == SV_RIG_BAD ? "left and right seem to be swapped" : "left and right may be swapped")
                 : f->grade == SV_RIG_GOOD ? "left and right are the right way round"
                                           : "it is not known which side is left");
        break;
    case SV_RIG_TIME: describe_time(f, text); break;
    case SV_RIG_ROWS: describe_rows(f, text); break;
    case SV_RIG_CALIBRATION:
        snprintf(text, SV_RIG_TEXT, "%s",
                 f->grade == SV_RIG_GOOD       ? "the calibration fits the pictures"
                 : f->grade == SV_RIG_UNKNOWN  ? "no calibration, or too few corners to judge it"
                 : f->grade == SV_RIG_DOUBTFUL ? "the calibration leaves the rows slightly off"
                                               : "the calibration may belong to other cameras");
        break;
    case SV_RIG_BRIGHTNESS:
        if (isnan(f->figure))
            snprintf(text, SV_RIG_TEXT, "the brightness is not known");
        else
            snprintf(text, SV_RIG_TEXT, "the %s picture is %.0f %% darker", f->figure < 0 ? "left" : "right",
                     fabs(f->figure));
        break;
    case SV_RIG_RANGE:
        if (isnan(f->figure))
            snprintf(text, SV_RIG_TEXT, "the disparities are not known");
        else
            snprintf(text, SV_RIG_TEXT, "%.1f %% of the disparities are outside the range", f->figure);
        break;
    case SV_RIG_ITEM_COUNT: *text = 0;
    }
    return text;
}
