/* Whether the matcher keeps up with its source, and the --scale that would. */
#ifndef APP_PLAY_PACE_H
#define APP_PLAY_PACE_H

#include "stereo/stereo.h"

#include <stdbool.h>

/* What a run measures, over its last seconds or as a whole. */
typedef struct pace_rates {
    double source, matched;   /* pairs a second; source 0: unknown */
    double match_ms, rest_ms; /* of a pair: matching; all other stages of the matcher */
} pace_rates;

/* The recent time per pair, in ms; {0} at first. */
typedef struct pace_times {
    double match_ms, rest_ms; /* as in pace_rates */
    double other_ms;          /* with the second set of parameters, if there is one */
    sv_params params;         /* of all of them */
} pace_times;

/* Adds the times of a pair: a smoothed mean over about ten pairs, or over two seconds if these hold fewer. Pairs
 * matched with other parameters do not count. */
void pace_add_times(pace_times *mean, const sv_params *params, const sv_times *times, double other_ms);

/* Pairs a second that are matched. `counted`: over the last seconds; 0, for fewer than two pairs: what their time
 * allows, or 0 if the last pair, `seconds` ago, was long ago. */
double pace_matched(const pace_times *mean, double counted, double seconds);

/* What is shown of it; {0} at first. */
typedef struct pace {
    bool behind;
    double since; /* since when the rates contradict `behind`, seconds of a monotonic clock; 0: they do not */
} pace;

/* The pairs that have arrived from a live source; {0} at first. */
typedef struct pace_arrivals {
    double counted; /* when they were counted last, seconds of a monotonic clock; 0: never */
    int64_t pairs;  /* at that time */
    double rate;    /* pairs a second, before that time */
} pace_arrivals;

/* Pairs a second that have arrived in the last two to four seconds; 0 until that is known. `pairs`: all until `now`.
 * Call it at least once a second. */
double pace_arrival_rate(pace_arrivals *arrivals, int64_t pairs, double now);

/* Changes `behind` once the rates have called for it for some seconds: below 90 % of the source's rate it falls behind,
 * from 97 % on it keeps up. */
void pace_update(pace *pace, const pace_rates *rates, double now);

/* True if these rates should replace those that were reported `seconds` ago: a line does not change under the mouse,
 * and a run that falls behind is not reported with the rates of a moment when it does not. */
bool pace_reports(const pace *pace, const pace_rates *rates, double seconds);

/* The largest size, 1 / 2 or 1 / 4, whose expected time keeps up: 2 or 4, 0 if neither would. `scale`: of the run,
 * whose size is 1 / scale. */
int pace_scale(const pace_rates *rates, int scale);

/* Writes "this computer matches 9.8 of the 25 pairs a second; --scale 1/2 would keep up". Returns `text`. */
const char *pace_describe(const pace_rates *rates, int scale, char *text, size_t size);

/* How fast a recording of `rate` frames a second plays that is matched at `matched`, as a factor of real time; 0 if it
 * keeps up with `speed`, or its rate is 0, unknown. */
double pace_of_real_time(double rate, double matched, double speed);

/* Whether a whole run fell behind. */
bool pace_is_behind(const pace_rates *rates);

#endif
