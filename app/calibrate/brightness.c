/* The brightness of the two pictures of a pair. */
#include "app/calibrate/brightness.h"

#include <math.h>
#include <stdio.h>

/* From this difference on, as a fraction of the brighter mean, methods that compare brightness find fewer matches: at a
 * tenth (ETH3D's playground) ssd without the prefilter is wrong at half of the pixels. Pictures of equally exposed
 * cameras differ by up to 7 %, because they do not show exactly the same scene. */
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

/* How much darker one picture is, as a fraction; 0: not enough to matter. */
static double difference(const brightness *b) {
    const double brighter = fmax(b->left, b->right), darker = fmin(b->left, b->right);
    return brighter - darker > limit * brighter ? 1 - darker / brighter : 0;
}

bool brightness_harms(const brightness *b, const sv_params *params) {
    return difference(b) > 0 && sv_compares_brightness(params->method) && !sv_prefilters(params);
}

const char *brightness_describe(const brightness *b, const sv_params *params, char *text, size_t size) {
    const char *const side = b->left < b->right ? "left" : "right", *const method = sv_method_name(params->method);
    const double percent = 100 * difference(b);
    if (percent <= 0) return NULL;
    if (!brightness_harms(b, params)) {
        snprintf(text, size, "the %s picture is %.0f %% darker than the other, which %s tolerates", side, percent,
                 method);
        return text;
    }
    const sv_params defaults = sv_default_params((sv_method)params->method);
    char prefilter[32];
    snprintf(
        text, size,
        "the %s picture is %.0f %% darker than the other, and %s compares brightness: use -m sgm or --prefilter %s",
        side, percent, method, sv_print(&defaults, sv_find_parameter("prefilter"), prefilter, sizeof prefilter));
    return text;
}
