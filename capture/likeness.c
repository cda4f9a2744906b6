/* Estimates whether two pictures show the same scene, by block matching on small copies of both, in both directions. A
 * patch of another scene also has a best match, but seldom one whose own best match is the patch. */
#include "capture/likeness.h"

#include <math.h>
#include <stdlib.h>

enum {
    WIDE = 96,         /* pixels of the small copies; larger pictures give at least half as many */
    HIGH = 72,         /* the aspect ratio does not matter, as it is the same for both */
    SIDE = 9,          /* of a patch */
    ROWS = 4,          /* up and down, for pictures that are not rectified */
    APART = 1,         /* how far from the patch the match in the other direction may end */
    LEAST_PATCHES = 12 /* fewer patches are not reliable */
};

static const double least_deviation = 4; /* grey levels, of a patch with texture */
static const double least_correlation = 0.8;

typedef struct small {
    uint8_t *grey; /* dense */
    int width, height;
} small;

/* Mean of each block of across x down pixels. */
static bool shrink(const sv_image *picture, int across, int down, small *to) {
    to->width = picture->width / across;
    to->height = picture->height / down;
    to->grey = malloc((size_t)to->width * (size_t)to->height + 1);
    if (!to->grey) return false;
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            int sum = 0;
            for (int j = 0; j < down; j++) {
                const uint8_t *row = (const uint8_t *)sv_row(picture, y * down + j) + (size_t)x * (size_t)across;
                for (int i = 0; i < across; i++) sum += row[i];
            }
            to->grey[(size_t)y * (size_t)to->width + (size_t)x] = (uint8_t)(sum / (across * down));
        }
    return true;
}

/* The sum of the second patch and the sum of the products of both; each is given by its top left pixel. */
static void sum_products(const small *a, int ax, int ay, const small *b, int bx, int by, int *sum, int *products) {
    *sum = *products = 0;
    for (int j = 0; j < SIDE; j++) {
        const uint8_t *p = a->grey + (ay + j) * a->width + ax, *q = b->grey + (by + j) * b->width + bx;
        for (int i = 0; i < SIDE; i++) {
            *sum += q[i];
            *products += p[i] * q[i];
        }
    }
}

/* Pixels times the sum of squared differences from the mean. */
static double scatter(const small *a, int x, int y, int *sum) {
    int squares;
    sum_products(a, x, y, a, x, y, sum, &squares);
    return (double)SIDE * SIDE * squares - (double)*sum * *sum;
}

/* The position in `b` whose patch correlates best with that of `a` at (x, y); false if none correlates well. */
static bool find(const small *a, int x, int y, const small *b, int *best_x, int *best_y) {
    int sum;
    double best = least_correlation;
    const double own = scatter(a, x, y, &sum);
    for (int j = y - ROWS < 0 ? 0 : y - ROWS; j <= y + ROWS && j + SIDE <= b->height; j++)
        for (int i = 0; i + SIDE <= b->width; i++) {
            int other_sum, products;
            const double other = scatter(b, i, j, &other_sum);
            sum_products(a, x, y, b, i, j, &other_sum, &products);
            const double covariance = (double)SIDE * SIDE * products - (double)sum * other_sum;
            if (covariance <= 0 || other <= 0) continue;
            const double correlation = covariance / sqrt(own * other);
            if (correlation <= best) continue;
            best = correlation;
            *best_x = i;
            *best_y = j;
        }
    return best > least_correlation;
}

float likeness_measure(const sv_image *first, const sv_image *second) {
    const int across = (first->width + WIDE - 1) / WIDE, down = (first->height + HIGH - 1) / HIGH;
    const double least = pow(SIDE * SIDE * least_deviation, 2);
    small a = {0}, b = {0};
    int patches = 0, alike = 0;
    if (shrink(first, across, down, &a) && shrink(second, across, down, &b)) {
        for (int y = 0; y + SIDE <= a.height; y += SIDE)
            for (int x = 0; x + SIDE <= a.width; x += SIDE) {
                int sum, there_x, there_y, back_x, back_y;
                if (scatter(&a, x, y, &sum) < least) continue;
                patches++;
                alike += find(&a, x, y, &b, &there_x, &there_y) && find(&b, there_x, there_y, &a, &back_x, &back_y) &&
                         abs(back_x - x) <= APART && abs(back_y - y) <= APART;
            }
    }
    free(a.grey);
    free(b.grey);
    return patches < LEAST_PATCHES ? -1 : (float)alike / (float)patches;
}
