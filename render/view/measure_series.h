/* A quantity in each of the last hundred frames that were measured. Pure functions.
 * Thread: any, one at a time for each series. */
#ifndef RENDER_VIEW_MEASURE_SERIES_H
#define RENDER_VIEW_MEASURE_SERIES_H

/* A ring; {0} is empty. */
enum { MEASURE_FRAMES = 100 };
typedef struct measure_series {
    double values[MEASURE_FRAMES]; /* NAN: the frame had none */
    int count, next;
} measure_series;

/* Adds the value of a frame, in place of that of a hundred frames before. */
void measure_series_add(measure_series *series, double value);

/* Mean, standard deviation (of the frames themselves: divided by their number) and median of the values; NAN without
 * any. */
double measure_series_mean(const measure_series *series);
double measure_series_deviation(const measure_series *series);
double measure_series_median(const measure_series *series);

/* The deviations over the last hundred frames of pixels in a rectangle: of at most NOISE_PIXELS, which are spread
 * evenly. {0} has none. */
enum { NOISE_PIXELS = 2048 };
typedef struct measure_noise {
    float *values; /* MEASURE_FRAMES x pixels; owned; NULL: none */
    int pixels, count, next;
} measure_noise;

/* Adds the values of a frame, `pixels` of them, the same in each frame; another number begins anew. */
void measure_noise_add(measure_noise *noise, const float *values, int pixels);

/* The median over the pixels of their standard deviation over the frames, of those with two values or more; NAN without
 * any. */
double measure_noise_median(const measure_noise *noise);
void measure_noise_free(measure_noise *noise);

#endif
