/* Times, rates and drops of a run: for the screen, --benchmark and --stats.
 *
 * All functions may be called from any thread, except create and destroy. Memory is bounded: of each series the last
 * 4096 samples are kept, and medians and percentiles are of those; rates and counts are of the whole run. */
#ifndef APP_STATS_H
#define APP_STATS_H

#include "stereo/stereo.h"

#include <stdio.h>

typedef enum stats_series {
    STATS_DECODE,
    STATS_WAIT, /* of a pair for the matcher, or of the matcher for a pair */
    STATS_UPLOAD,
    STATS_RECTIFY,
    STATS_MATCH,
    STATS_REFINE,
    STATS_DOWNLOAD,
    STATS_DRAW,
    STATS_LATENCY, /* from capture to the screen, or to the result without a window */
    STATS_SERIES_COUNT
} stats_series;

typedef enum stats_event { STATS_CAPTURED, STATS_MATCHED, STATS_DRAWN, STATS_EVENT_COUNT } stats_event;

enum { STATS_MAX_DROPS = 8, STATS_MAX_FIGURES = 8 };

/* What was run; the strings are copied and cut to size. */
typedef struct stats_subject {
    char version[64];
    char backend[16];
    char device[128];
    char method[16];
    int width, height; /* of the map */
    int candidates;    /* disparities tried in a pixel, see sv_candidates */
} stats_subject;

typedef struct stats_figures {
    double median, p95; /* milliseconds; NaN without a sample */
    int64_t samples;    /* in the whole run */
} stats_figures;

typedef struct stats stats;

stats *stats_create(void); /* NULL when out of memory */
void stats_destroy(stats *stats);

/* What the run is of; the last call counts. */
void stats_set_subject(stats *stats, const stats_subject *subject);

void stats_add(stats *stats, stats_series series, double milliseconds);

/* A matched pair's stages; those that did not run (0) are left out. */
void stats_add_times(stats *stats, const sv_times *times);

/* Says that a pair was captured, matched or drawn at `seconds` of a monotonic clock. */
void stats_tick(stats *stats, stats_event event, double seconds);

/* How many frames were dropped so far for this cause, a string that lives as long as `stats`
 * ("left without partner"). At most STATS_MAX_DROPS causes; further ones are ignored. */
void stats_set_drops(stats *stats, const char *cause, int64_t count);

/* Damage that was met: pairs with a damaged picture that were matched all the same, and that were left out; pictures
 * that could not be decoded at all. */
typedef struct stats_damage {
    int64_t kept, skipped, lost;
} stats_damage;

void stats_add_damage(stats *stats, stats_damage more);
stats_damage stats_get_damage(stats *stats);

/* A figure of the run beside the times ("vertical_offset_px"), by a name that lives as long as `stats`; the last value
 * counts. At most STATS_MAX_FIGURES names; further ones are ignored. */
void stats_set_figure(stats *stats, const char *name, double value);

/* Median and 95th percentile, linear between samples. */
stats_figures stats_of(stats *stats, stats_series series);

/* Events a second: in the two seconds before `now`, for the screen, and from the first to the last. */
double stats_recent_rate(stats *stats, stats_event event, double now);
double stats_rate(stats *stats, stats_event event);

/* How many events there were. */
int64_t stats_count(stats *stats, stats_event event);

/* "decode", ..., "latency"; "?" if out of range. */
const char *stats_series_name(int series);

/* Writes --stats's JSON; the file appears whole or not at all. Series without samples are left out, rates of
 * fewer than two events are 0, and "frames" is how many pairs were matched. */
sv_status stats_write(stats *stats, const char *path, sv_error *error);

/* The table of --benchmark: each stage's median and 95th percentile, frames a second, and million disparity
 * evaluations (width * height * candidates * frames) a second. */
void stats_print_table(stats *stats, FILE *stream);

#endif
