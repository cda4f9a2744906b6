/* The history of a quantity over the last seconds, for plots. Pure functions; times are seconds of one monotonic clock.
 * Thread: any, one at a time for each trace. */
#ifndef RENDER_PANEL_TRACE_H
#define RENDER_PANEL_TRACE_H

enum { TRACE_BINS = 100, TRACE_SECONDS = 10 };

/* Bin b, at b % TRACE_BINS, has what came from b to b + 1 times TRACE_SECONDS / TRACE_BINS; {0} is empty. */
typedef struct trace {
    double sums[TRACE_BINS];
    int counts[TRACE_BINS];
    long long newest;
} trace;

/* Adds a value that was measured at `now`, or a number of things that happened; times do not run backwards. */
void trace_add(trace *trace, double now, double value);

/* The mean of the values of the last `seconds`, at most TRACE_SECONDS; NaN if there is none. */
double trace_mean(const trace *trace, double now, double seconds);

/* The mean of each bin up to `now`, or its sum if `sums`, the oldest first; a mean of no value is NaN. */
void trace_values(const trace *trace, double now, int sums, float values[TRACE_BINS]);

#endif
