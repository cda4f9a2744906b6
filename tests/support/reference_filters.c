/* The filters, written pixel by pixel. Each rounding of a float is a cast, so that the backends can be compared bit by
 * bit. */
#include "tests/support/reference_filters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

/* Byte `byte` of the pixel at (x, y), which may lie outside. */
static uint8_t *at(const sv_image *image, int byte, int x, int y) {
    uint8_t *row = sv_row(image, clamp(y, 0, image->height - 1));
    return row + (size_t)clamp(x, 0, image->width - 1) * sv_pixel_size(image->format) + byte;
}

/* A dense copy; without data if `from` has none. */
static sv_image copy(const sv_image *from) {
    if (!from->data) return *from;
    sv_image to = *from;
    to.stride = (size_t)from->width * sv_pixel_size(from->format);
    to.data = malloc(to.stride * (size_t)from->height);
    for (int y = 0; y < from->height; y++) memcpy(sv_row(&to, y), sv_row(from, y), to.stride);
    return to;
}

/* Fills in (grey - mean) / (standard deviation + 4) over the 11 x 11 pixels around each, in units of 1/48. */
static void fill_contrast(const sv_image *from, const sv_image *to) {
    const int n = 11 * 11;
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++) {
            int64_t sum = 0, squares = 0;
            for (int j = -5; j <= 5; j++)
                for (int i = -5; i <= 5; i++) {
                    const int value = *at(from, 0, x + i, y + j);
                    sum += value;
                    squares += value * value;
                }
            const float deviation = (float)sqrtf((float)(n * squares - sum * sum)); /* n times, as all below */
            const float above = (float)(48 * (n * *at(from, 0, x, y) - sum)) / (float)(deviation + (float)(4 * n));
            /* Rounded away from zero at the half. */
            const int steps = (int)(float)(above + copysignf(0.5f, above));
            *at(to, 0, x, y) = (uint8_t)(128 + clamp(steps, -127, 127));
        }
}

/* In 1/4096. */
static double logarithm(int value) { return round(4096 * log2(value + 1)); }

/* Mean and standard deviation of the logarithms of the pixels that are not black. False: there are none. */
static bool measure(const sv_image *image, int byte, double *mean, double *deviation) {
    int64_t count = 0, sum = 0, squares = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const int value = *at(image, byte, x, y);
            if (value == 0) continue;
            const int64_t l = (int64_t)logarithm(value);
            count++;
            sum += l;
            squares += l * l;
        }
    if (count == 0) return false;
    *mean = (double)sum / (double)count;
    *deviation = sqrt(fmax(0, (double)squares / (double)count - *mean * *mean));
    return true;
}

/* Gives a channel of `right`, but not its black pixels, the exposure that it has in `left`. */
static void expose(const sv_image *left, const sv_image *right, int byte) {
    double mean[2], deviation[2];
    if (!measure(left, byte, &mean[0], &deviation[0]) || !measure(right, byte, &mean[1], &deviation[1])) return;
    const double contrast = deviation[1] > 0 ? deviation[0] / deviation[1] : 1;
    int table[256] = {0};
    for (int value = 1; value < 256; value++) {
        const double wanted = (logarithm(value) - mean[1]) * contrast + mean[0];
        for (int i = 0; i < 256; i++)
            if (fabs(logarithm(i) - wanted) < fabs(logarithm(table[value]) - wanted)) table[value] = i;
    }
    for (int y = 0; y < right->height; y++)
        for (int x = 0; x < right->width; x++) *at(right, byte, x, y) = (uint8_t)table[*at(right, byte, x, y)];
}

sv_pair reference_filter(const sv_pair *pair, int prefilter) {
    sv_pair filtered = {.left = copy(&pair->left), .right = copy(&pair->right)};
    if (prefilter == SV_PREFILTER_CONTRAST) { /* which ignores colour */
        fill_contrast(&pair->left, &filtered.left);
        fill_contrast(&pair->right, &filtered.right);
        return filtered;
    }
    filtered.left_colour = copy(&pair->left_colour);
    filtered.right_colour = copy(&pair->right_colour);
    if (prefilter == SV_PREFILTER_EXPOSURE) {
        expose(&filtered.left, &filtered.right, 0);
        for (int c = 0; c < 3 && filtered.left_colour.data; c++)
            expose(&filtered.left_colour, &filtered.right_colour, c);
    }
    return filtered;
}

void reference_free_filtered(sv_pair *filtered) {
    free(filtered->left.data);
    free(filtered->right.data);
    free(filtered->left_colour.data);
    free(filtered->right_colour.data);
}
