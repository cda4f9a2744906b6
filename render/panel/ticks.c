/* Which values a legend labels. */
#include "render/panel/ticks.h"

#include <math.h>

/* The smallest of 1, 2 and 5 times a power of ten that is not below `least`. */
static double round_step(double least) {
    const double power = pow(10, floor(log10(least))), factor = least / power;
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

int ticks_of_pixels(double min, double max, double spacing, tick ticks[TICKS_MOST]) {
    if (!(max > min)) return 0;
    const double step = round_step((max - min) * fmax(spacing, 1.0 / TICKS_MOST));
    int count = 0;
    for (double value = ceil(min / step) * step; value <= max + 1e-6 * step && count < TICKS_MOST; value += step)
        ticks[count++] = (tick){fabs(value) < 1e-6 * step ? 0 : value, (value - min) / (max - min)};
    return count;
}

static double place_of(const tick_scale *s, double metres) {
    const double above = s->product / metres, low = s->min + s->doffs, high = s->max + s->doffs;
    return s->even_in_ratios ? log(above / low) / log(high / low) : (above - low) / (high - low);
}

/* Appends a tick if it is on the legend and far enough below the last one. */
static void add(const tick_scale *scale, double metres, double spacing, tick *ticks, int *count) {
    const double place = place_of(scale, metres);
    if (!(place >= 0 && place <= 1) || *count == TICKS_MOST) return;
    if (*count && place > ticks[*count - 1].place - spacing) return;
    ticks[(*count)++] = (tick){metres, place};
}

/* The round factors of each power of ten. */
static int in_decades(const tick_scale *scale, double spacing, tick *ticks) {
    static const double factors[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    int count = 0;
    for (int power = -3; power < 5; power++)
        for (int i = 0; i < 10; i++) add(scale, factors[i] * pow(10, power), spacing, ticks, &count);
    return count;
}

double ticks_place(const tick_scale *s, double disparity) {
    const double above = disparity + s->doffs, low = s->min + s->doffs, high = s->max + s->doffs;
    const double place =
        s->even_in_ratios ? log(fmax(above, low) / low) / log(high / low) : (above - low) / (high - low);
    return fmin(fmax(place, 0), 1);
}

int ticks_of_metres(const tick_scale *s, double spacing, tick ticks[TICKS_MOST]) {
    const double low = s->min + s->doffs, high = s->max + s->doffs;
    if (!(high > fmax(low, 0)) || !(s->product > 0) || (s->even_in_ratios && !(low > 0))) return 0;
    int count = in_decades(s, spacing, ticks);
    /* In a narrow range, even steps. */
    const double near = s->product / high, range = low > 0 ? s->product / low - near : INFINITY;
    for (double part = 2; count < 2 && isfinite(range) && part < 1024; part *= 2) {
        const double step = round_step(range / part);
        count = 0;
        for (double n = ceil(near / step); n * step <= near + range; n++) add(s, n * step, spacing, ticks, &count);
    }
    return count;
}
