/* Decides whether the matcher keeps up with its source. */
#include "app/play/pace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double falls_behind = 0.9, keeps_up = 0.97; /* fractions of the source's rate */
static const double notice_after = 3;                    /* seconds */
static const double mean_of = 2, least_weight = 0.1;     /* seconds of matching; of a sample in a mean */
static const double report_interval = 2;                 /* seconds */
static const double stopped_after = 3;                   /* times of a pair */
static const double arrivals_interval = 2;               /* seconds that arrivals are counted for */

static double smooth(double mean, double sample, double weight) { return mean + weight * (sample - mean); }

void pace_add_times(pace_times *mean, const sv_params *params, const sv_times *times, double other_ms) {
    double rest = 0;
    for (int i = 0; i < SV_STAGE_COUNT; i++)
        if (i != SV_MATCH) rest += (double)times->ms[i];
    const double match = (double)times->ms[SV_MATCH], passed = (match + rest + other_ms) / 1e3;
    const bool first = memcmp(&mean->params, params, sizeof *params) != 0;
    const double weight = first ? 1 : fmax(least_weight, fmin(1, passed / mean_of));
    mean->params = *params;
    mean->match_ms = smooth(mean->match_ms, match, weight);
    mean->rest_ms = smooth(mean->rest_ms, rest, weight);
    mean->other_ms = smooth(mean->other_ms, other_ms, weight);
}

double pace_matched(const pace_times *mean, double counted, double seconds) {
    const double ms = mean->match_ms + mean->rest_ms + mean->other_ms;
    if (counted > 0) return counted;
    return ms > 0 && 1e3 * seconds < stopped_after * ms ? 1e3 / ms : 0;
}

bool pace_is_behind(const pace_rates *rates) {
    return rates->matched > 0 && rates->matched < falls_behind * rates->source;
}

double pace_arrival_rate(pace_arrivals *arrivals, int64_t pairs, double now) {
    const double passed = now - arrivals->counted;
    if (arrivals->counted <= 0 || passed >= arrivals_interval) {
        arrivals->rate = arrivals->counted > 0 ? (double)(pairs - arrivals->pairs) / passed : 0;
        arrivals->pairs = pairs;
        arrivals->counted = now;
    }
    return arrivals->rate;
}

void pace_update(pace *pace, const pace_rates *rates, double now) {
    const bool otherwise = pace->behind ? rates->matched >= keeps_up * rates->source : pace_is_behind(rates);
    if (!otherwise) {
        pace->since = 0;
    } else if (pace->since <= 0) {
        pace->since = now;
    } else if (now - pace->since >= notice_after) {
        pace->behind = !pace->behind;
        pace->since = 0;
    }
}

bool pace_reports(const pace *pace, const pace_rates *rates, double seconds) {
    return !pace->behind || (seconds >= report_interval && pace_is_behind(rates));
}

/* Pairs a second that are expected at 1 / (scale * times) of the size. Matching covers fewer pixels and fewer
 * disparities; some of the rest happens at the full size; time that the stages do not account for stays the same. */
static double expected(const pace_rates *rates, int times) {
    const double other = fmax(1e3 / rates->matched - rates->match_ms - rates->rest_ms, 0);
    return 1e3 / fmax(other + rates->match_ms / (times * times * times) + rates->rest_ms / times, 1e-3);
}

int pace_scale(const pace_rates *rates, int scale) {
    for (int to = 2 * scale; to <= 4; to *= 2)
        if (expected(rates, to / scale) >= rates->source) return to;
    return 0;
}

const char *pace_describe(const pace_rates *rates, int scale, char *text, size_t size) {
    const int used =
        snprintf(text, size, "this computer matches %.1f of the %.4g pairs per second", rates->matched, rates->source);
    if (used < 0 || (size_t)used >= size) return text;
    const int to = pace_scale(rates, scale);
    snprintf(text + used, size - (size_t)used,
             to          ? "; --scale 1/%d would keep up"
             : scale < 4 ? "; --scale 1/%d would be closest to real time"
                         : "; fewer disparities take less time",
             to ? to : 4);
    return text;
}

double pace_of_real_time(double rate, double matched, double speed) {
    const double real = rate > 0 ? matched / rate : 0;
    return real < 0.95 * speed ? real : 0;
}
