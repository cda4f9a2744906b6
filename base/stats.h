/* Times, rates and drops of a run, for the screen, --benchmark and --stats.
 *
 * Memory is bounded: each series keeps its last 4096 samples for medians and percentiles; rates and counts cover the
 * whole run.
 * Thread: any, except for create and destroy. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

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
    STATS_DRAW,    /* a frame of the window, until OpenGL has its commands */
    STATS_RESPOND, /* from what the user does until a frame that follows it is on the screen */
    STATS_LATENCY, /* from capture to the screen, or to the result without a window */
    STATS_SERIES_COUNT
} stats_series;

typedef enum stats_event { STATS_CAPTURED, STATS_MATCHED, STATS_DRAWN, STATS_EVENT_COUNT } stats_event;

enum { STATS_MAX_DROPS = 8, STATS_MAX_FIGURES = 48, STATS_DEVICE_BYTES = 512 };

/* The subject of a run; strings are truncated to their size. */
typedef struct stats_subject {
    char version[64];
    char backend[16];
    char device[STATS_DEVICE_BYTES]; /* one or several */
    char method[16];
    int width, height;  /* of the map */
    int candidates;     /* disparities tried in a pixel, see sv_candidates; 0: the method tries none */
    double evaluations; /* of a frame: matched pixels * candidates */
} stats_subject;

typedef struct stats_figures {
    double median, p95; /* milliseconds; NaN without a sample */
    int64_t samples;    /* in the whole run */
} stats_figures;

typedef struct stats stats;

stats *stats_create(void);
void stats_destroy(stats *stats);

/* Sets the subject; the last call counts. */
void stats_set_subject(stats *stats, const stats_subject *subject);

/* Sets its `device` alone. */
void stats_set_device(stats *stats, const char *device);

void stats_add(stats *stats, stats_series series, double milliseconds);

/* Adds the stages of a matched pair, except those that did not run (0). */
void stats_add_times(stats *stats, const sv_times *times);

/* Records that a pair was captured, matched or drawn at `seconds` of a monotonic clock. */
void stats_tick(stats *stats, stats_event event, double seconds);

/* Sets the number of frames dropped so far for a cause ("left without partner"). At most STATS_MAX_DROPS causes;
 * further ones are ignored.
 * Lifetime: `cause` must outlive `stats`. */
void stats_set_drops(stats *stats, const char *cause, int64_t count);

/* Begins another input of the run: resets all figures to zero. Only stats_get_damage covers the whole run. */
void stats_begin_input(stats *stats);

/* Sets the name of the input, "left.mp4 and right.mp4". */
void stats_set_input(stats *stats, const char *name);

/* Damage: pairs with a damaged or mistimed picture that were matched, and that were skipped; those of both that are
 * only mistimed; pictures that could not be decoded. */
typedef struct stats_damage {
    int64_t kept, skipped, mistimed, lost;
} stats_damage;

void stats_add_damage(stats *stats, stats_damage more);
stats_damage stats_get_damage(stats *stats);

/* Sets a further figure of the run ("vertical_offset_px"); the last value counts. At most STATS_MAX_FIGURES names;
 * further ones are logged as an error.
 * Lifetime: `name` must outlive `stats`. */
void stats_set_figure(stats *stats, const char *name, double value);

/* Median and 95th percentile, linear between samples. */
stats_figures stats_of(stats *stats, stats_series series);

/* Events per second: in the two seconds before `now` (slow ones by the time between the last two; 0 once they have
 * stopped), and from the first to the last event. */
double stats_recent_rate(stats *stats, stats_event event, double now);
double stats_rate(stats *stats, stats_event event);

/* The number of events. */
int64_t stats_count(stats *stats, stats_event event);

/* "decode", ..., "latency"; "?" if out of range. */
const char *stats_series_name(int series);

/* Writes the JSON of --stats, with the figures of the last input. Series without samples are omitted, rates of fewer
 * than two events are 0, and "frames" is the number of matched pairs.
 * Errors: SV_FAILED if the file cannot be written. */
sv_status stats_write(stats *stats, const char *path, sv_error *error);

/* Prints the table of --benchmark: each stage's median and 95th percentile, frames per second, and million disparity
 * evaluations per second. */
void stats_print_table(stats *stats, FILE *stream);

#endif
