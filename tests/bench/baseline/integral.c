/* What several baselines share: integral images, and the borders that are not compared. */
#include "tests/bench/baseline/baseline.h"

#include "stereo/pixel.h"

#include <math.h>
#include <string.h>

void baseline_integral(const sv_image *image, int rho, uint32_t *sums, uint32_t *squares) {
    const size_t stride = baseline_integral_stride(image->width, rho);
    memset(sums, 0, stride * sizeof *sums);
    memset(squares, 0, stride * sizeof *squares);
    for (int y = 0; y < image->height + 2 * rho; y++) {
        const uint8_t *row = sv_row(image, sv_clamp(y - rho, image->height));
        uint32_t *sum = sums + (size_t)(y + 1) * stride, *square = squares + (size_t)(y + 1) * stride;
        uint32_t row_sum = 0, row_square = 0;
        sum[0] = square[0] = 0;
        for (int x = 0; x < image->width + 2 * rho; x++) {
            const uint32_t value = row[sv_clamp(x - rho, image->width)];
            row_sum += value;
            row_square += value * value;
            sum[x + 1] = sum[x + 1 - (int)stride] + row_sum;
            square[x + 1] = square[x + 1 - (int)stride] + row_square;
        }
    }
}

void baseline_blank_border(const sv_params *params, int width, int height, float *disparity) {
    const int rho = params->rho, rho_y = sv_rho_y(params);
    const int reach = params->max_disparity > -params->min_disparity ? params->max_disparity : -params->min_disparity;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const bool inside = y >= rho_y && y < height - rho_y && x >= rho + reach && x < width - rho - reach;
            if (!inside) disparity[(size_t)y * (size_t)width + (size_t)x] = NAN;
        }
}
