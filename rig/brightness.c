/* The brightness of the two pictures of a pair. */
#include "rig/brightness.h"

#include <math.h>

/* A fraction of the brighter mean. At a tenth (ETH3D's playground) ssd without the prefilter is wrong at half of the
 * pixels; equally exposed cameras, which do not show exactly the same scene, differ by up to 7 %. */
static const double limit = 0.08;

static double mean(const sv_image *image) {
    double sum = 0;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = sv_row(image, y);
        uint32_t of_row = 0;
        for (int x = 0; x < image->width; x++) of_row += row[x];
        sum += of_row;
    }
    return sum / image->width / image->height;
}

brightness brightness_measure(const sv_pair *pair) { return (brightness){mean(&pair->left), mean(&pair->right)}; }

double brightness_difference(const brightness *b) {
    const double brighter = fmax(b->left, b->right), darker = fmin(b->left, b->right);
    return brighter - darker > limit * brighter ? 1 - darker / brighter : 0;
}

bool brightness_harms(const brightness *b, const sv_params *params) {
    return brightness_difference(b) > 0 && sv_compares_brightness(params->method) && !sv_prefilters(params);
}
