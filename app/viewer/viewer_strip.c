/* The strip above the views. */
#include "app/viewer/viewer_strip.h"

#include "app/calibrate/pair_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)CELL_COUNT == (int)PANEL_MOST_CELLS && (int)CELL_CURES == (int)PANEL_CELL_CURES,
               "the panel shows all cells and fixes");

static const double interval = 1; /* seconds between two values of a history */

void viewer_strip_init(viewer_strip *s, viewer_notice *notice, panel_strip *shown) {
    *s = (viewer_strip){.notice = notice, .shown = shown};
    shown->opened = -1;
}

void viewer_strip_begin(viewer_strip *s) {
    viewer_strip_init(s, s->notice, s->shown);
    s->shown->count = 0;
}

/* ---- What is shown ---------------------------------------------------------------------------- */

static void add(panel_history *h, double now, double value) {
    const int at = (h->first + h->count) % PANEL_HISTORY;
    if (isnan(value)) return;
    h->values[at] = (float)value;
    h->at[at] = now;
    if (h->count < PANEL_HISTORY)
        h->count++;
    else
        h->first = (h->first + 1) % PANEL_HISTORY;
}

/* Reports what has become wrong, once; the window shows it in the strip instead. */
static void report(viewer_strip *s, int which) {
    const cell *c = &s->cells[which];
    const bool wrong = c->grade == PANEL_BAD || c->words[0];
    char *logged = s->logged[which];
    if (!wrong || !strcmp(logged, c->finding)) {
        if (!wrong) *logged = 0;
        return;
    }
    sv_log(SV_LOG_DEBUG, "advice: %s (%s)%s%s%s", c->finding, c->words[0] ? c->words[0] : "", c->words[1] ? " (" : "",
           c->words[1] ? c->words[1] : "", c->words[1] ? ")" : "");
    if (!*logged && c->grade == PANEL_BAD && which != CELL_SPEED) {
        sv_log(SV_LOG_WARNING, "%s: %s", cures_words[which].name, c->finding);
        viewer_notice_skip_log(s->notice);
    }
    snprintf(logged, sizeof s->logged[which], "%s", c->finding);
}

static void show(viewer_strip *s, int which) {
    const cell *c = &s->cells[which];
    const cell_words *words = &cures_words[which];
    s->shown->cells[which] = (panel_cell){
        .name = words->name,
        .brief = words->brief,
        .figure = c->figure,
        .grade = c->grade,
        .finding = c->finding,
        .meaning = words->meaning,
        .cures = {c->words[0], c->words[1]},
        .history = words->unit ? &s->histories[which] : NULL,
        .unit = words->unit,
        .aligns = which == SV_RIG_ROWS || which == SV_RIG_CALIBRATION,
        .calibrates = which == SV_RIG_CALIBRATION,
    };
}

_Static_assert((int)VIEW_ROWS_ACROSS == RIG_ROWS_ACROSS && (int)VIEW_ROWS_DOWN == RIG_ROWS_DOWN,
               "the view of the rows has the parts that are measured");

static void take_rows(viewer_strip *s, const rig_rows *rows) {
    s->rows_known = false;
    for (int row = 0; row < RIG_ROWS_DOWN; row++)
        for (int column = 0; column < RIG_ROWS_ACROSS; column++) {
            const bool known = rows->part_points[row][column];
            s->rows.of[row][column] = known ? rows->parts[row][column] : NAN;
            s->rows_known |= known;
        }
}

void viewer_strip_update(viewer_strip *s, const session *session, const sv_params *params, const rig_case *of,
                         bool calibrates, bool swapped) {
    const double now = sv_seconds();
    const bool adds = now - s->added >= interval;
    rig_facts facts;
    sv_rig_state state;
    const bool known = session->monitor && pair_monitor_judge(session->monitor, params, &facts, &state);
    if (!known) facts = (rig_facts){0};
    if (!known) state = (sv_rig_state){0};
    take_rows(s, &facts.rows);
    if (swapped) state.items[SV_RIG_ORDER] = (sv_rig_finding){.grade = SV_RIG_BAD, .cure = SV_RIG_SWAP};
    if (known) pair_report_count(&facts, &state, session->stats);
    if (calibrates) state.items[SV_RIG_ROWS] = state.items[SV_RIG_CALIBRATION] = (sv_rig_finding){.figure = NAN};
    s->of = *of;
    cures_judge(&s->of, &state);
    for (int i = 0; i < CELL_COUNT; i++) {
        cures_describe(&s->of, i, &s->cells[i]);
        if (adds) add(&s->histories[i], now, s->cells[i].value);
        report(s, i);
        show(s, i);
    }
    if (adds) s->added = now;
    s->shown->count = CELL_COUNT;
    s->shown->now = now;
}

/* ---- What the user does ----------------------------------------------------------------------- */

void viewer_strip_toggle(viewer_strip *s) {
    int next = s->shown->opened + 1;
    while (next < CELL_COUNT && s->cells[next].grade < PANEL_DOUBTFUL && !s->cells[next].words[0]) next++;
    if (next == CELL_COUNT) next = s->shown->opened < 0 ? SV_RIG_INPUT : -1;
    s->shown->opened = next;
}

bool viewer_strip_close(viewer_strip *s) {
    const bool open = s->shown->opened >= 0;
    s->shown->opened = -1;
    return open;
}

cure viewer_strip_cure(const viewer_strip *s, int button, const rig_case **of) {
    int which = s->shown->opened;
    for (int i = 0; i < CELL_COUNT && which < 0; i++)
        if (s->cells[i].grade == PANEL_BAD && s->cells[i].words[button]) which = i;
    for (int i = 0; i < CELL_COUNT && which < 0; i++)
        if (s->cells[i].words[button]) which = i;
    *of = &s->of;
    return which < 0 ? CURE_NONE : s->cells[which].cures[button];
}
