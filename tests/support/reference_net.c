/* The maps of the reference model, by definition: see reference_net.h. */
#include "tests/support/reference_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DISPARITIES = 12 };

const variant variants[] = {
    {"plain", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"bgr", 3, 0, 0, 32, BOTTOM_RIGHT, .bgr = true, .every = 1},
    {"right_first", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"grey", 1, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"nhwc", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"float16", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"float16_small", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1}, /* down to numbers without an exponent of their own */
    {"unit", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"signed", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"own_mean", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"imagenet", 3, 0, 0, 32, TOP_RIGHT, .every = 1},
    {"flow", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"second_channel", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"of_width", 3, 64, 64, 1, NOWHERE, .every = 1, .bound = 1e-5}, /* d / 64 * 64, times the ratio of the widths */
    {"fixed", 3, 96, 64, 1, NOWHERE, .every = 1, .bound = 1e-5},
    {"fixed_padded", 3, 96, 64, 1, CENTRE, .every = 1},
    {"multiple_of_8", 3, 0, 0, 8, CENTRE, .zero = true, .every = 1},
    {"top_right", 3, 0, 0, 16, TOP_RIGHT, .every = 1},
    {"quarter", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 4},
    {"stacked", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"stacked_grey", 1, 0, 0, 32, BOTTOM_RIGHT, .every = 1},
    {"halves", 3, 0, 0, 32, BOTTOM_RIGHT, .halves = true, .every = 1},
    {"soft", 3, 0, 0, 32, BOTTOM_RIGHT, .every = 1, .bound = 2e-3}, /* exp and sums of 12 floats */
};
const int variant_count = sizeof variants / sizeof *variants;

static int clamp(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

/* The model's picture: `planes` are channels x height x width. */
typedef struct model_pictures {
    int width, height, left, top; /* where the pair's first pixel is */
    double *planes[2];
} model_pictures;

static double pixel(const sv_pair *pair, const variant *v, int side, int channel, int x, int y) {
    const sv_image *grey = side ? &pair->right : &pair->left, *colour = side ? &pair->right_colour : &pair->left_colour;
    if (v->channels == 1) return ((uint8_t *)sv_row(grey, y))[x];
    return ((uint8_t *)sv_row(colour, y))[4 * x + (v->bgr ? 2 - channel : channel)];
}

/* Between the pixels' centres, linearly. */
static double resized(const sv_pair *pair, const variant *v, int side, int channel, double x, double y) {
    const int width = pair->left.width, height = pair->left.height;
    x = fmin(fmax(x, 0), width - 1);
    y = fmin(fmax(y, 0), height - 1);
    const int left = (int)x, top = (int)y, right = clamp(left + 1, width), bottom = clamp(top + 1, height);
    const double p = x - left, q = y - top;
    return (1 - q) *
               ((1 - p) * pixel(pair, v, side, channel, left, top) + p * pixel(pair, v, side, channel, right, top)) +
           q * ((1 - p) * pixel(pair, v, side, channel, left, bottom) +
                p * pixel(pair, v, side, channel, right, bottom));
}

static model_pictures make_pictures(const sv_pair *pair, const variant *v) {
    const int width = pair->left.width, height = pair->left.height;
    model_pictures m = {v->width, v->height, 0, 0, {NULL, NULL}};
    if (!m.width) {
        m.width = (width + v->multiple - 1) / v->multiple * v->multiple;
        m.height = (height + v->multiple - 1) / v->multiple * v->multiple;
    }
    if (v->padding == CENTRE) m.left = (m.width - width) / 2;
    m.top = v->padding == CENTRE ? (m.height - height) / 2 : v->padding == TOP_RIGHT ? m.height - height : 0;
    for (int side = 0; side < 2; side++) {
        m.planes[side] = malloc(sizeof(double) * (size_t)(v->channels * m.width * m.height));
        for (int k = 0, i = 0; k < v->channels; k++)
            for (int y = 0; y < m.height; y++)
                for (int x = 0; x < m.width; x++, i++) {
                    const int at_x = x - m.left, at_y = y - m.top;
                    const bool inside = at_x >= 0 && at_y >= 0 && at_x < width && at_y < height;
                    if (v->padding == NOWHERE)
                        m.planes[side][i] = resized(pair, v, side, k, (x + 0.5) * width / m.width - 0.5,
                                                    (y + 0.5) * height / m.height - 0.5);
                    else
                        m.planes[side][i] =
                            !inside && v->zero ? 0 : pixel(pair, v, side, k, clamp(at_x, width), clamp(at_y, height));
                }
    }
    return m;
}

/* Replaces each 2 x 2 pixels by their mean. */
static model_pictures halve(const model_pictures *m, int channels) {
    model_pictures half = *m;
    for (int side = 0; side < 2; side++) {
        half.planes[side] = malloc(sizeof(double) * (size_t)(channels * m->width * m->height));
        for (int k = 0, i = 0; k < channels; k++)
            for (int y = 0; y < m->height; y++)
                for (int x = 0; x < m->width; x++, i++) {
                    const double *from = m->planes[side] + (k * m->height + y / 2 * 2) * m->width + x / 2 * 2;
                    half.planes[side][i] = (from[0] + from[1] + from[m->width] + from[m->width + 1]) / 4;
                }
    }
    return half;
}

static void free_pictures(model_pictures *m) {
    free(m->planes[0]);
    free(m->planes[1]);
}

/* The sum of the weighted differences around a pixel. */
static double cost(const model_pictures *m, int channels, int x, int y, int d) {
    static const double weights[] = {1, 2, 4};
    double sum = 0;
    for (int k = 0; k < channels; k++)
        for (int j = y - 1; j <= y + 1; j++)
            for (int i = x - 1; i <= x + 1; i++) {
                if (i < 0 || j < 0 || i >= m->width || j >= m->height) continue;
                const double *left = m->planes[0] + (k * m->height + j) * m->width;
                const double *right = m->planes[1] + (k * m->height + j) * m->width;
                sum += weights[k] * fabs(left[i] - right[clamp(i - d, m->width)]);
            }
    return sum;
}

static double disparity_at(const model_pictures *m, const model_pictures *half, const variant *v, int x, int y) {
    double best = INFINITY, least = 0, weight = 0, mean = 0, costs[DISPARITIES];
    for (int d = 0; d < DISPARITIES; d++) {
        costs[d] = cost(m, v->channels, x, y, d) + (half ? cost(half, v->channels, x, y, d) : 0);
        if (costs[d] < best) {
            best = costs[d];
            least = d;
        }
    }
    for (int d = 0; d < DISPARITIES; d++) {
        weight += exp((best - costs[d]) / 64);
        mean += d * exp((best - costs[d]) / 64);
    }
    return strcmp(v->name, "soft") ? least : mean / weight;
}

/* The map of the model's pictures, of its own size. */
static float *model_map(const model_pictures *m, const variant *v) {
    model_pictures half = {0};
    if (v->halves) half = halve(m, v->channels);
    float *map = malloc(sizeof(float) * (size_t)(m->width * m->height));
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++)
            map[y * m->width + x] = (float)disparity_at(m, v->halves ? &half : NULL, v, x, y);
    free_pictures(&half);
    return map;
}

/* The value of the map at a pixel of the pair: if the sizes differ, between the four nearest values linearly where they
 * are within a pixel (of the model's pictures), and otherwise the nearest. */
static double expected(const model_pictures *m, const float *map, const variant *v, int width, int height, int x,
                       int y) {
    if (v->every == 1 && v->padding != NOWHERE) return map[(y + m->top) * m->width + x + m->left];
    const bool whole = v->padding != NOWHERE;
    const int columns = m->width / v->every, rows = m->height / v->every;
    double at_x = whole ? x + m->left + 0.5 : (x + 0.5) * m->width / width;
    double at_y = whole ? y + m->top + 0.5 : (y + 0.5) * m->height / height;
    at_x = fmin(fmax(at_x / v->every - 0.5, 0), columns - 1);
    at_y = fmin(fmax(at_y / v->every - 0.5, 0), rows - 1);
    double values[4], least = INFINITY, most = -INFINITY;
    for (int i = 0; i < 4; i++) {
        const int column = clamp((int)at_x + i % 2, columns), row = clamp((int)at_y + i / 2, rows);
        values[i] = map[row * v->every * m->width + column * v->every];
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    const double p = at_x - floor(at_x), q = at_y - floor(at_y);
    const int unit = v->every; /* the variant's scale */
    double d = (1 - q) * ((1 - p) * values[0] + p * values[1]) + q * ((1 - p) * values[2] + p * values[3]);
    if ((most - least) * unit > 1) d = values[(p >= 0.5) + 2 * (q >= 0.5)];
    return d * unit * width / (whole ? width : m->width);
}

double *reference_net(const sv_pair *pair, const char *variant_name) {
    const variant *v = variants;
    while (strcmp(v->name, variant_name)) v++;
    const int width = pair->left.width, height = pair->left.height;
    model_pictures m = make_pictures(pair, v);
    float *map = model_map(&m, v);
    double *result = malloc(sizeof *result * (size_t)(width * height));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) result[y * width + x] = expected(&m, map, v, width, height, x, y);
    free(map);
    free_pictures(&m);
    return result;
}
