/* What the cells of the rig strip report, and how to fix what is wrong. */
#include "app/viewer/cures.h"

#include "rig/state.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const cell_words cures_words[CELL_COUNT] = {
    [SV_RIG_INPUT] = {"input", "input", NULL,
                      "Whether both sides show the same scene: the share of the pixels for which a coarse match finds "
                      "a partner that agrees."},
    [SV_RIG_ORDER] = {"order", "order", NULL,
                      "Where each picture is in a stream that holds both, and which side is which. If left and right "
                      "are swapped, nearer things seem farther away."},
    [SV_RIG_TIME] = {"time", "time", "frames",
                     "Whether both sides show the same moment: by how many frames the best-matching right picture is "
                     "later. Only a moving scene shows it."},
    [SV_RIG_ROWS] =
        {"rows", "rows", "px",
         "Whether a point is in the same row of both pictures. Above zero: it is lower in the right one. "
         "A quarter of a pixel makes maps worse; a whole pixel makes matching fail. The view \"rows\" shows where."},
    [SV_RIG_CALIBRATION] =
        {"calibration", "calib.", NULL,
         "Whether the calibration belongs to these cameras. A calibration made with a board gives distances in metres. "
         "So do the cameras' field of view and baseline, if the pictures are rectified or aligned."},
    [SV_RIG_BRIGHTNESS] = {"brightness", "bright.", "%",
                           "Whether both pictures are equally bright: by how much the right one is darker. If they are "
                           "not, methods that compare grey values need a prefilter."},
    [SV_RIG_RANGE] = {"range", "range", "%",
                      "Whether the range covers all disparities of the scene: the share that lies outside. Nearer "
                      "things have no value in the map."},
    [CELL_SPEED] = {"speed", "speed", "/s",
                    "Whether this computer matches the pairs as fast as the source delivers them."},
};

_Static_assert((int)PANEL_UNKNOWN == SV_RIG_UNKNOWN && (int)PANEL_GOOD == SV_RIG_GOOD &&
                   (int)PANEL_DOUBTFUL == SV_RIG_DOUBTFUL && (int)PANEL_BAD == SV_RIG_BAD,
               "the panel has the grades of the state");

/* ---- The rig ---------------------------------------------------------------------------------- */

static void offer(cell *c, cure cure, const char *words) {
    const int i = c->words[0] != NULL;
    c->cures[i] = cure;
    c->words[i] = words;
}

/* A camera is late; in files the matching picture is elsewhere. */
static void describe_time(const rig_case *of, cell *c) {
    const double frames = c->value, ms = of->rate > 0 ? 1e3 * fabs(frames) / of->rate : 0;
    if (of->live && ms > 0)
        snprintf(c->finding, sizeof c->finding, "The %s camera is %.0f ms late.", frames > 0 ? "right" : "left", ms);
    else
        snprintf(c->finding, sizeof c->finding, "The right picture of the same moment is %.0f frame%s %s.",
                 fabs(frames), fabs(frames) == 1 ? "" : "s", frames > 0 ? "later" : "earlier");
    if (of->moves_right) offer(c, CURE_PAIR, "Pair with that");
}

/* What is wrong, in more words than sv_rig_describe has, and its buttons. */
static void describe_fault(const rig_case *of, sv_rig_cure cure, cell *c) {
    char *text = c->finding;
    const size_t size = sizeof c->finding;
    switch (cure) {
    case SV_RIG_SWAP:
        if (c->grade == PANEL_BAD) snprintf(text, size, "Left and right seem to be swapped.");
        offer(c, CURE_SWAP, "Swap them");
        break;
    case SV_RIG_OFFSET: describe_time(of, c); break;
    case SV_RIG_ROW_SHIFT:
        snprintf(text, size, "The right picture is %.1f px too %s.", fabs(c->value), c->value > 0 ? "low" : "high");
        offer(c, CURE_SHIFT, "Shift it");
        if (!of->aligned) offer(c, CURE_ALIGN, "Align them");
        break;
    case SV_RIG_ALIGN:
        if (!of->aligned) offer(c, CURE_ALIGN, "Align them");
        break;
    case SV_RIG_METHOD:
        snprintf(text, size, "One picture is darker, and %s compares brightness.", sv_method_name(of->params.method));
        offer(c, CURE_SGM, "Use sgm");
        offer(c, CURE_PREFILTER, "Use the prefilter");
        break;
    case SV_RIG_WIDEN:
        if (!sv_range_is_chosen(&of->params)) break;
        snprintf(text, size, "%.1f %% of the disparities are outside the range, %d to %d.", c->value,
                 of->params.min_disparity, of->params.max_disparity);
        offer(c, CURE_WIDEN, "Widen the range");
        break;
    case SV_RIG_NO_CURE:
    case SV_RIG_LAYOUT: break;
    }
}

/* What has no number has a word. */
static const char *word_of(const rig_case *of, int which, const cell *c) {
    const sv_rig_cure cure = of->state.items[which].cure;
    if (which == SV_RIG_ORDER)
        return cure == SV_RIG_LAYOUT        ? "layout?"
               : c->grade == PANEL_BAD      ? "swapped"
               : c->grade == PANEL_DOUBTFUL ? "swapped?"
               : c->grade == PANEL_GOOD     ? "ok"
                                            : "";
    if (which == SV_RIG_CALIBRATION)
        return c->grade == PANEL_UNKNOWN    ? of->aligned ? "" : "none"
               : c->grade == PANEL_GOOD     ? "fits"
               : c->grade == PANEL_DOUBTFUL ? "off?"
                                            : "off";
    return "";
}

static void write_figure(const rig_case *of, int which, cell *c) {
    const double value = c->value;
    snprintf(c->figure, sizeof c->figure, "%s", word_of(of, which, c));
    if (isnan(value)) return;
    switch (which) {
    case SV_RIG_INPUT: snprintf(c->figure, sizeof c->figure, "%.0f %%", value); break;
    case SV_RIG_TIME:
        if (of->live && of->rate > 0)
            snprintf(c->figure, sizeof c->figure, "%+.0f ms", 1e3 * value / of->rate);
        else
            snprintf(c->figure, sizeof c->figure, "%+.0f frame%s", value, fabs(value) == 1 ? "" : "s");
        if (value == 0) snprintf(c->figure, sizeof c->figure, "same");
        break;
    case SV_RIG_ROWS:
        if (c->grade >= PANEL_DOUBTFUL && fabs(value) <= (double)RIG_ROWS_LEVEL) /* but parts are off by more */
            snprintf(c->figure, sizeof c->figure, "uneven");
        else
            snprintf(c->figure, sizeof c->figure, "%+.2f px", round(100 * value) / 100 + 0.0);
        break;
    case SV_RIG_BRIGHTNESS: snprintf(c->figure, sizeof c->figure, "%+.0f %%", -round(value) + 0.0); break;
    case SV_RIG_RANGE:
        snprintf(c->figure, sizeof c->figure, "%d:%d", of->params.min_disparity, of->params.max_disparity);
        break;
    default: break;
    }
}

static void describe_item(const rig_case *of, int which, cell *c) {
    const sv_rig_finding *f = &of->state.items[which];
    const bool known = f->grade != SV_RIG_UNKNOWN || f->figure != 0; /* {0}: not measured yet */
    char text[SV_RIG_TEXT];
    c->grade = (panel_grade)f->grade;
    c->value = known ? f->figure : NAN;
    sv_rig_describe(&of->state, (sv_rig_item)which, text);
    snprintf(c->finding, sizeof c->finding, "%s.", known ? text : "not measured yet");
    c->finding[0] = (char)toupper((unsigned char)c->finding[0]);
    if (c->grade >= PANEL_DOUBTFUL) describe_fault(of, f->cure, c);
    write_figure(of, which, c);
    if (which != SV_RIG_ORDER || !of->offer) return;
    c->words[0] = c->words[1] = NULL;
    snprintf(c->finding, sizeof c->finding, "%s", of->offer);
    offer(c, CURE_ARRANGE, of->offer_cure);
    if (f->cure == SV_RIG_SWAP) offer(c, CURE_SWAP, "Swap them");
}

/* ---- The speed -------------------------------------------------------------------------------- */

/* The --scale that keeps up or, for a live source, which does not wait, comes closest; the current one if none does. */
static int smaller(const rig_case *of) {
    const int enough = pace_scale(&of->rates, of->params.scale);
    return enough ? enough : of->live ? 4 : of->params.scale;
}

static void describe_speed(const rig_case *of, cell *c) {
    const pace_rates *r = &of->rates;
    const char *const shrink = smaller(of) == 2 ? "Match at half size" : "Match at quarter size";
    const int digits = r->matched < 10 ? 2 : 3;
    c->value = r->matched > 0 && !of->paused ? r->matched : NAN;
    c->grade = !(r->source > 0) || isnan(c->value) ? PANEL_UNKNOWN : !of->behind ? PANEL_GOOD : PANEL_DOUBTFUL;
    if (of->behind && of->live) c->grade = PANEL_BAD;
    if (!isnan(c->value)) snprintf(c->figure, sizeof c->figure, "%.*g /s", digits, r->matched);
    if (c->grade == PANEL_UNKNOWN)
        snprintf(c->finding, sizeof c->finding, of->paused ? "Playback is paused." : "The source sets no pace.");
    else
        snprintf(c->finding, sizeof c->finding, "This computer matches %.*g of the %.4g pairs per second.", digits,
                 r->matched, r->source);
    if (!of->behind) return;
    if (!of->live && !of->real_time) offer(c, CURE_SKIP, "Skip late frames");
    if (smaller(of) != of->params.scale) offer(c, CURE_SHRINK, shrink);
}

void cures_judge(rig_case *of, const sv_rig_state *state) { of->state = *state; }

/* ---- Both ------------------------------------------------------------------------------------- */

void cures_describe(const rig_case *of, int which, cell *c) {
    *c = (cell){.value = NAN};
    if (which == CELL_SPEED)
        describe_speed(of, c);
    else
        describe_item(of, which, c);
}

sv_params cures_apply(cure cure, const rig_case *of) {
    const sv_rig_finding *items = of->state.items;
    sv_params cured = of->params;
    if (cure == CURE_SHIFT) cured.row_shift = items[SV_RIG_ROWS].values[0];
    if (cure == CURE_SGM) cured = sv_with_method(cured, SV_SGM);
    if (cure == CURE_PREFILTER) sv_reset(&cured, sv_find_parameter("prefilter"));
    if (cure == CURE_SHRINK) cured.scale = smaller(of);
    if (cure == CURE_WIDEN) {
        cured.min_disparity = items[SV_RIG_RANGE].values[0];
        cured.max_disparity = items[SV_RIG_RANGE].values[1];
        sv_choose_range(&cured, true);
    }
    return cured;
}
