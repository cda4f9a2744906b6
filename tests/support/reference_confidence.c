/* The confidence, written pixel by pixel from what docs/methods.md and stereo/confidence.h say. */
#include "tests/support/reference_confidence.h"

#include <math.h>
#include <stdlib.h>

/* Pixels by which the right map differs from the left one at the match of column x, at most 8. */
static double difference_to_right(const sv_params *params, int width, const int *right, int x, int k, double step) {
    const int match = (int)floor(x - (params->min_disparity + k * step) + 0.5);
    if (match < 0 || match >= width || right[match] < 0) return 8;
    return fmin(8, step * abs(right[match] - k));
}

/* Six times the standard deviation of the winners in the 9x9 pixels around i, in candidates. */
static float deviation(int width, int height, const int *winners, int i, double step) {
    int64_t n = 0, sum = 0, squares = 0;
    for (int y = i / width - 4; y <= i / width + 4; y++)
        for (int x = i % width - 4; x <= i % width + 4; x++) {
            if (x < 0 || x >= width || y < 0 || y >= height || winners[y * width + x] < 0) continue;
            n++;
            sum += winners[y * width + x];
            squares += (int64_t)winners[y * width + x] * winners[y * width + x];
        }
    const float root = sqrtf((float)(n * squares - sum * sum));
    return (float)(6 * root) / (float)(int64_t)((double)n / step);
}

void reference_confidence(const sv_params *params, int width, int height, int *const winner[2], const double *best,
                          const double *second, uint8_t *confidence) {
    const double step = params->method == SV_SSD ? 1.0 / params->steps : 1;
    for (int i = 0; i < width * height; i++) {
        const int x = i % width, k = winner[0][i];
        confidence[i] = 0;
        if (k < 0) continue;
        /* The better, the larger, from 0 to `most`. */
        double good = 8 * 16 - 16 * difference_to_right(params, width, winner[1] + (i - x), x, k, step);
        double most = 8 * 16 + 6 * 20;
        good += 6 * 20 - fmin(6 * 20, floor((double)deviation(width, height, winner[0], i, step)));
        if (best) {
            const double margin = isinf(second[i]) ? 0 : second[i] - best[i];
            good += 2 * fmin(24, margin) + 80 - fmin(80, best[i]);
            most += 2 * 24 + 80;
        }
        confidence[i] = (uint8_t)floor(good * 255 / most);
    }
}
