/* Whether the matcher keeps up. */
#include "app/viewer/viewer_pace.h"

#include "map/compare.h"

void viewer_pace_add_times(viewer_pace *a, const player_result *result) {
    pace_add_times(&a->times, &result->params, &result->times, compare_time(&result->second_times));
    a->timed = sv_seconds();
}

/* Pairs a second that the source delivers; 0: not known, or pictures, which have no rate of their own. */
static double source_rate(viewer_pace *a, const session *s, double speed, double now) {
    const source_info *info = pairing_info(s->pairing);
    const pairing_counts counts = pairing_count(s->pairing);
    if (info->live) return pace_arrival_rate(&a->arrivals, counts.pairs + counts.dropped_late, now);
    return info->pictures ? 0 : info->rate * speed;
}

double viewer_pace_follow(viewer_pace *a, const session *s, const viewer_playing *playing, double matched,
                          viewer_notice *notice, panel_status *status) {
    const source_info *info = pairing_info(s->pairing);
    const double now = sv_seconds();
    const pace_rates rates = {.source = source_rate(a, s, playing->speed, now),
                              .matched = pace_matched(&a->times, matched, now - a->timed),
                              .match_ms = a->times.match_ms,
                              .rest_ms = a->times.rest_ms};
    char text[160];
    status->still = playing->paused || (info->pictures && !info->live && info->frames == 1);
    status->match_ms = a->times.match_ms + a->times.rest_ms;
    status->matched_rate = playing->paused ? matched : rates.matched;
    /* The search for the board is what a recording waits for, not the matcher. */
    if (playing->paused || playing->calibrates)
        a->pace.since = 0;
    else
        pace_update(&a->pace, &rates, now);
    if (pace_reports(&a->pace, &rates, now - a->rates_at)) {
        a->rates = rates;
        a->rates_at = now;
    }
    /* How fast a recording plays, of which every frame is matched. */
    const bool reports = !playing->paused && !info->live && !playing->real_time;
    status->of_real_time = reports ? pace_of_real_time(info->rate, status->matched_rate, playing->speed) : 0;
    if (!a->pace.behind || a->warned) return status->matched_rate;
    sv_log(SV_LOG_WARNING, "%s", pace_describe(&rates, playing->scale, text, sizeof text));
    viewer_notice_skip_log(notice); /* the strip shows it */
    a->warned = true;
    return status->matched_rate;
}
