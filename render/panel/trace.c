/* What a quantity was over the last seconds. */
#include "render/panel/trace.h"

#include <math.h>

static long long bin_of(double now) { return (long long)floor(now * TRACE_BINS / TRACE_SECONDS); }

void trace_add(trace *t, double now, double value) {
    const long long bin = bin_of(now);
    long long first = t->newest + 1;
    if (first < bin - TRACE_BINS + 1) first = bin - TRACE_BINS + 1;
    for (; first <= bin; first++) {
        t->sums[first % TRACE_BINS] = 0;
        t->counts[first % TRACE_BINS] = 0;
    }
    if (bin > t->newest) t->newest = bin;
    t->sums[t->newest % TRACE_BINS] += value;
    t->counts[t->newest % TRACE_BINS]++;
}

/* Whether the trace still has a bin. */
static int has(const trace *t, long long bin) { return bin <= t->newest && bin > t->newest - TRACE_BINS && bin >= 0; }

double trace_mean(const trace *t, double now, double seconds) {
    const long long last = bin_of(now), bins = (long long)ceil(seconds * TRACE_BINS / TRACE_SECONDS);
    double sum = 0;
    int count = 0;
    for (long long bin = last - bins + 1; bin <= last; bin++) {
        if (!has(t, bin)) continue;
        sum += t->sums[bin % TRACE_BINS];
        count += t->counts[bin % TRACE_BINS];
    }
    return count ? sum / count : NAN;
}

void trace_values(const trace *t, double now, int sums, float values[TRACE_BINS]) {
    const long long last = bin_of(now);
    for (int i = 0; i < TRACE_BINS; i++) {
        const long long bin = last - TRACE_BINS + 1 + i;
        const int count = has(t, bin) ? t->counts[bin % TRACE_BINS] : 0;
        const double sum = count ? t->sums[bin % TRACE_BINS] : 0;
        values[i] = (float)(sums ? sum : count ? sum / count : NAN);
    }
}
