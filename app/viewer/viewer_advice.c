/* Whether the matcher keeps up, and what looks wrong. */
#include "app/viewer/viewer_advice.h"

#include "map/compare.h"

void viewer_advice_begin(viewer_advice *a, bool same) {
    *a = (viewer_advice){.advice = a->advice,
                         .facts = a->facts,
                         .dismissed = same ? a->dismissed : 0,
                         .rates = a->rates,
                         .rates_at = a->rates_at};
}

void viewer_advice_add_times(viewer_advice *a, const player_result *result) {
    pace_add_times(&a->times, &result->params, &result->times, compare_time(&result->second_times));
    a->timed = sv_seconds();
}

/* Pairs a second that the source delivers; 0: not known, or pictures, which have no rate of their own. */
static double source_rate(viewer_advice *a, const session *s, double speed, double now) {
    const source_info *info = pairing_info(s->pairing);
    const pairing_counts counts = pairing_count(s->pairing);
    if (info->live) return pace_arrival_rate(&a->arrivals, counts.pairs + counts.dropped_late, now);
    return info->pictures ? 0 : info->rate * speed;
}

double viewer_advice_follow_pace(viewer_advice *a, const session *s, const viewer_facts *facts, double matched,
                                 viewer_notice *notice, panel_status *status) {
    const pace_times *times = &a->times;
    const double now = sv_seconds();
    pace_rates rates = {
        .source = source_rate(a, s, facts->speed, now), .match_ms = times->match_ms, .rest_ms = times->rest_ms};
    char text[160];
    rates.matched = pace_matched(times, matched, now - a->timed);
    status->matched_rate = facts->paused ? matched : rates.matched;
    /* The search for the board is what a recording waits for, not the matcher. */
    if (facts->paused || facts->calibrates)
        a->pace.since = 0;
    else
        pace_update(&a->pace, &rates, now);
    if (pace_reports(&a->pace, &rates, now - a->rates_at)) {
        a->rates = rates;
        a->rates_at = now;
    }
    if (!a->pace.behind || a->warned) return status->matched_rate;
    sv_log(SV_LOG_WARNING, "%s", pace_describe(&rates, facts->params->scale, text, sizeof text));
    viewer_notice_skip_log(notice); /* the window reports it as advice */
    a->warned = true;
    return status->matched_rate;
}

static advice_facts facts_of(const viewer_advice *a, const session *s, const viewer_facts *facts) {
    const source_info *info = pairing_info(s->pairing);
    advice_facts f = {.params = *facts->params,
                      .aligned = facts->aligned,
                      .moves_right = facts->moves_right,
                      .rate = info->rate,
                      .behind = a->pace.behind && !facts->paused,
                      .rates = a->rates,
                      .live = info->live,
                      .real_time = facts->real_time};
    if (facts->state) f.state = *facts->state;
    return f;
}

void viewer_advice_update(viewer_advice *a, const session *s, const viewer_facts *facts, panel_advice *shown,
                          panel_status *status) {
    const source_info *info = pairing_info(s->pairing);
    const advice before = a->advice;
    const char **cures = shown->cures;
    a->facts = facts_of(a, s, facts);
    a->advice = facts->silent ? ADVICE_NONE : advice_choose(&a->facts, a->dismissed);
    advice_describe(a->advice, &a->facts, a->text, sizeof a->text, cures);
    if (a->advice && a->advice != before)
        sv_log(SV_LOG_DEBUG, "advice: %s (%s)%s%s%s", a->text, cures[0] ? cures[0] : "", cures[1] ? " (" : "",
               cures[1] ? cures[1] : "", cures[1] ? ")" : "");
    shown->text = a->advice ? a->text : NULL;
    if (facts->offer) *shown = (panel_advice){.text = facts->offer, .cures = {facts->offer_cure, NULL}};
    /* How fast a recording plays, of which every frame is matched, unless that is reported over the picture. */
    const bool reports = !facts->paused && !info->live && !facts->real_time && a->advice != ADVICE_PACE;
    status->of_real_time = reports ? pace_of_real_time(info->rate, status->matched_rate, facts->speed) : 0;
}

void viewer_advice_dismiss(viewer_advice *a) { a->dismissed |= 1u << a->advice; }

advice viewer_advice_cure(viewer_advice *a, int button, sv_params *cured, int *moved) {
    *cured = advice_cure(a->advice, &a->facts, button);
    *moved = a->advice == ADVICE_TIME ? a->facts.state.items[SV_RIG_TIME].values[0] : 0;
    if (a->advice == ADVICE_PACE) a->pace = (pace){.behind = false}; /* it has to show again */
    return a->advice;
}
