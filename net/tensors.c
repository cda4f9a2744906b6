/* Converts pictures and maps for models. Float16 is IEEE 754's binary16; rounding is to nearest, ties to even. */
#include "net/tensors.h"

#include "net/ort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ----------------------------------------------------------------------------------- */

static uint16_t half_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000) return sign | 0x7e00;  /* not a number */
    if (bits >= 0x477ff000) return sign | 0x7c00; /* rounds to infinity */
    if (bits < 0x33000001) return sign;           /* rounds to 0 */
    if (bits < 0x38800000) {                      /* denormal: the value in 2^-24 */
        const int shift = 126 - (int)(bits >> 23);
        const uint32_t mantissa = (bits & 0x7fffff) | 0x800000, half = 1u << (shift - 1);
        const uint32_t rest = mantissa & ((1u << shift) - 1), down = mantissa >> shift;
        return (uint16_t)(sign | (down + (rest > half || (rest == half && (down & 1)))));
    }
    bits += 0xc8000fff + (bits >> 13 & 1); /* the exponent's bias, and half of the last place that is kept */
    return (uint16_t)(sign | bits >> 13);
}

static float of_half(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    if (!exponent) return (sign ? -1.0f : 1.0f) * ldexpf((float)mantissa, -24);
    const uint32_t bits = sign | (exponent == 31 ? 0xff : exponent + 112) << 23 | mantissa << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t bytes_of(int type) { return type == ORT_FLOAT ? 4 : type == ORT_FLOAT16 ? 2 : 1; }

static float element(const net_plane *p, int x, int y) {
    const size_t i = (size_t)y * p->row + (size_t)x * p->column;
    return p->type == ORT_FLOAT ? ((const float *)p->data)[i] : of_half(((const uint16_t *)p->data)[i]);
}

/* ---- Pictures ---------------------------------------------------------------------------------- */

/* Pixels by which a multiple may exceed the largest side. */
enum { MOST_PADDED = NET_MAX_MULTIPLE };

static int round_up(int size, int multiple) { return (size + multiple - 1) / multiple * multiple; }

sv_status net_fit(const net_conventions *c, int width, int height, net_frame *f, sv_error *error) {
    *f = (net_frame){.pair_width = width, .pair_height = height};
    f->width = c->width ? c->width : round_up(width, c->multiple);
    f->height = c->height ? c->height : round_up(height, c->multiple);
    f->inner_width = c->resizes ? f->width : width;
    f->inner_height = c->resizes ? f->height : height;
    if (width > f->width && !c->resizes)
        return sv_fail(error, SV_FAILED,
                       "pictures of %d x %d do not fit into the model's %d x %d; its sidecar can say "
                       "'fit: resize'",
                       width, height, f->width, f->height);
    const int right = f->width - f->inner_width, bottom = f->height - f->inner_height;
    f->left = c->padding == NET_CENTRE ? right / 2 : 0;
    f->top = c->padding == NET_CENTRE ? bottom / 2 : c->padding == NET_TOP_RIGHT ? bottom : 0;
    return SV_OK;
}

static bool is_half(net_picture shows) { return shows == NET_HALF_LEFT || shows == NET_HALF_RIGHT; }

size_t net_shape(const net_graph *g, const net_conventions *c, int i, const net_frame *f, int64_t shape[4]) {
    const int divisor = is_half(c->shows[i]) ? 2 : 1, width = f->width / divisor, height = f->height / divisor;
    const int channels = (c->channels == NET_GREY ? 1 : 3) * (c->shows[i] == NET_BOTH ? 2 : 1);
    shape[0] = 1;
    shape[1] = c->nhwc ? height : channels;
    shape[2] = c->nhwc ? width : height;
    shape[3] = c->nhwc ? channels : width;
    return (size_t)channels * (size_t)width * (size_t)height * bytes_of(g->inputs[c->inputs[i]].type);
}

/* One channel of a picture of the pair. */
typedef struct plane {
    const sv_image *image;
    int component; /* byte of the pixel */
    bool mirrored;
} plane;

static float pixel(const plane *p, int x, int y) {
    const uint8_t *row = sv_row(p->image, y);
    x = p->mirrored ? p->image->width - 1 - x : x;
    return p->image->format == SV_GREY8 ? row[x] : row[4 * x + p->component];
}

/* Where pixel `i` of `inner` has its centre among `size` pixels that cover the same. */
static float position(int i, int inner, int size) {
    const float at = ((float)i + 0.5f) * (float)size / (float)inner - 0.5f;
    return at < 0 ? 0 : at > (float)(size - 1) ? (float)(size - 1) : at;
}

static int clamp(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

/* Row `y` of the pair's part of the model's picture, inner_width values. */
static void sample_row(const plane *p, const net_frame *f, int y, float *row) {
    if (f->inner_width == f->pair_width && f->inner_height == f->pair_height) {
        for (int x = 0; x < f->inner_width; x++) row[x] = pixel(p, x, y);
        return;
    }
    const float at_y = position(y, f->inner_height, f->pair_height);
    const int top = (int)at_y, bottom = clamp(top + 1, f->pair_height);
    const float down = at_y - (float)top;
    for (int x = 0; x < f->inner_width; x++) {
        const float at_x = position(x, f->inner_width, f->pair_width);
        const int left = (int)at_x, right = clamp(left + 1, f->pair_width);
        const float part = at_x - (float)left;
        const float above = pixel(p, left, top) * (1 - part) + pixel(p, right, top) * part;
        const float below = pixel(p, left, bottom) * (1 - part) + pixel(p, right, bottom) * part;
        row[x] = above * (1 - down) + below * down;
    }
}

/* Row `y` of the model's picture; `colour`: red, green or blue. */
static void make_row(const plane *p, const net_conventions *c, const net_frame *f, int colour, int y, float *row) {
    const int in_y = clamp(y - f->top, f->inner_height), right = f->left + f->inner_width;
    float *inner = row + f->left;
    if (c->pads_with_zero && in_y != y - f->top) {
        memset(row, 0, sizeof *row * (size_t)f->width);
        return;
    }
    sample_row(p, f, in_y, inner);
    for (int x = 0; !c->raw && x < f->inner_width; x++)
        inner[x] = (inner[x] / 255.0f - c->mean[colour]) / c->deviation[colour];
    for (int x = 0; x < f->left; x++) row[x] = c->pads_with_zero ? 0 : row[f->left];
    for (int x = right; x < f->width; x++) row[x] = c->pads_with_zero ? 0 : row[right - 1];
}

/* Row `y` of the picture of half the size. */
static void make_half_row(const plane *p, const net_conventions *c, const net_frame *f, int colour, int y, float *row) {
    float next[SV_MAX_SIDE + MOST_PADDED];
    make_row(p, c, f, colour, 2 * y, row);
    make_row(p, c, f, colour, 2 * y + 1, next);
    for (int x = 0; x < f->width / 2; x++)
        row[x] = 0.25f * (row[2 * x] + row[2 * x + 1] + next[2 * x] + next[2 * x + 1]);
}

/* Writes a row into a tensor, from element `at` on, `step` apart. */
static void put_row(const float *row, int width, int type, size_t at, size_t step, void *tensor) {
    if (type == ORT_FLOAT)
        for (int x = 0; x < width; x++) ((float *)tensor)[at + (size_t)x * step] = row[x];
    else if (type == ORT_FLOAT16)
        for (int x = 0; x < width; x++) ((uint16_t *)tensor)[at + (size_t)x * step] = half_of(row[x]);
    else
        for (int x = 0; x < width; x++) ((uint8_t *)tensor)[at + (size_t)x * step] = (uint8_t)(row[x] + 0.5f);
}

void net_fill(const net_graph *g, const net_conventions *c, int i, const net_frame *f, const sv_pair *pair,
              bool mirrored, int threads, void *tensor) {
    int64_t shape[4];
    const net_picture shows = c->shows[i];
    const int per_picture = c->channels == NET_GREY ? 1 : 3;
    const bool both = shows == NET_BOTH, half = is_half(shows), colour = per_picture == 3 && pair->left_colour.data;
    net_shape(g, c, i, f, shape);
    const size_t height = (size_t)shape[c->nhwc ? 1 : 2], width = (size_t)shape[c->nhwc ? 2 : 3];
    const size_t channels = (size_t)shape[c->nhwc ? 3 : 1];
    const int type = g->inputs[c->inputs[i]].type;
    for (int k = 0; k < (int)channels; k++) {
        const bool right = (both ? k >= per_picture : shows == NET_RIGHT || shows == NET_HALF_RIGHT) != mirrored;
        const int component = c->channels == NET_BGR ? 2 - k % per_picture : k % per_picture;
        const plane p = {colour  ? right ? &pair->right_colour : &pair->left_colour
                         : right ? &pair->right
                                 : &pair->left,
                         component, mirrored};
        const size_t begin = c->nhwc ? (size_t)k : (size_t)k * width * height, step = c->nhwc ? channels : 1;
#pragma omp parallel for num_threads(threads)
        for (int y = 0; y < (int)height; y++) {
            float row[SV_MAX_SIDE + MOST_PADDED];
            (half ? make_half_row : make_row)(&p, c, f, component, y, row);
            put_row(row, (int)width, type, begin + (size_t)y * width * step, step, tensor);
        }
    }
}

/* ---- Maps -------------------------------------------------------------------------------------- */

sv_status net_find_plane(const net_frame *f, const void *data, int type, const int64_t *shape, int dimensions,
                         int channel, net_plane *p, sv_error *error) {
    *p = (net_plane){.data = data, .type = type};
    int64_t height = 0, width = 0, channels = 1, others = 1;
    bool last = false;
    if (dimensions >= 2 && dimensions <= 4) {
        last = dimensions == 4 && shape[3] <= 2 && shape[1] > 2;
        height = shape[dimensions - 2 - last];
        width = shape[dimensions - 1 - last];
        channels = dimensions == 4 ? shape[last ? 3 : 1] : 1;
        others = dimensions > 2 ? shape[0] : 1;
    }
    const int64_t ratio = width > 0 ? f->width / width : 0;
    const bool known = (type == ORT_FLOAT || type == ORT_FLOAT16) && others == 1 && channel < channels;
    if (!known || ratio < 1 || ratio > 8 || (ratio & (ratio - 1)) || width * ratio != f->width ||
        height * ratio != f->height)
        return sv_fail(
            error, SV_FAILED,
            "the output is no map of the model's pictures: %d dimensions, %lld x %lld, for pictures of %d x %d",
            dimensions, (long long)width, (long long)height, f->width, f->height);
    p->width = (int)width;
    p->height = (int)height;
    p->column = last ? (size_t)channels : 1;
    p->row = p->column * (size_t)width;
    p->data = (const char *)data + bytes_of(type) * (size_t)channel * (last ? 1 : (size_t)(width * height));
    return SV_OK;
}

/* Where pixel (x, y) of the pair lies in an output. */
static void find_position(const net_frame *f, const net_plane *p, int x, int y, float *at_x, float *at_y) {
    const float model_x = ((float)x + 0.5f) * (float)f->inner_width / (float)f->pair_width + (float)f->left;
    const float model_y = ((float)y + 0.5f) * (float)f->inner_height / (float)f->pair_height + (float)f->top;
    *at_x = model_x * (float)p->width / (float)f->width - 0.5f;
    *at_y = model_y * (float)p->height / (float)f->height - 0.5f;
    *at_x = *at_x < 0 ? 0 : *at_x > (float)(p->width - 1) ? (float)(p->width - 1) : *at_x;
    *at_y = *at_y < 0 ? 0 : *at_y > (float)(p->height - 1) ? (float)(p->height - 1) : *at_y;
}

static float nearest(const net_plane *p, float x, float y) { return element(p, (int)(x + 0.5f), (int)(y + 0.5f)); }

/* `unit`: pixels of the model's pictures for each unit of the output. */
static float interpolate(const net_plane *p, float x, float y, float unit) {
    const int left = (int)x, top = (int)y;
    const int right = left + 1 < p->width ? left + 1 : left, bottom = top + 1 < p->height ? top + 1 : top;
    const float part = x - (float)left, down = y - (float)top;
    const float v[] = {element(p, left, top), element(p, right, top), element(p, left, bottom),
                       element(p, right, bottom)};
    const float least = fminf(fminf(v[0], v[1]), fminf(v[2], v[3])), most = fmaxf(fmaxf(v[0], v[1]), fmaxf(v[2], v[3]));
    if (!((most - least) * fabsf(unit) <= 1) || !isfinite(v[0] + v[1] + v[2] + v[3])) return nearest(p, x, y);
    return (v[0] * (1 - part) + v[1] * part) * (1 - down) + (v[2] * (1 - part) + v[3] * part) * down;
}

static bool is_hidden(const net_planes *p, const net_frame *f, int x, int y) {
    float at_x, at_y;
    const net_plane *const planes[] = {&p->hidden, &p->visible};
    for (int i = 0; i < 2; i++) {
        if (!planes[i]->data) continue;
        find_position(f, planes[i], x, y, &at_x, &at_y);
        if ((nearest(planes[i], at_x, at_y) > 0.5f) == !i) return true;
    }
    return false;
}

static uint8_t confidence_at(const net_plane *p, const net_frame *f, int x, int y) {
    float at_x, at_y;
    find_position(f, p, x, y, &at_x, &at_y);
    const float value = nearest(p, at_x, at_y);
    return value > 0 ? (uint8_t)(255 * fminf(value, 1) + 0.5f) : 0; /* also if it is not a number */
}

void net_take_maps(const net_conventions *c, const net_frame *f, const net_planes *p, bool mirrored, int threads,
                   const net_maps *maps) {
    const float unit = (c->negative ? -1.0f : 1.0f) * (c->of_width ? (float)f->width : c->scale);
    const float ratio = (float)f->pair_width / (float)f->inner_width;
    const bool exact =
        f->inner_width == f->pair_width && f->inner_height == f->pair_height && p->disparity.width == f->width;
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < f->pair_height; y++) {
        float *disparity = sv_row(&maps->disparity, y);
        for (int x = 0; x < f->pair_width; x++) {
            float at_x, at_y, d;
            const int to = mirrored ? f->pair_width - 1 - x : x;
            find_position(f, &p->disparity, x, y, &at_x, &at_y);
            d = exact ? element(&p->disparity, x + f->left, y + f->top) : interpolate(&p->disparity, at_x, at_y, unit);
            d *= unit * ratio;
            const bool known = fabsf(d) <= (float)SV_MAX_SIDE, hidden = known && is_hidden(p, f, x, y);
            disparity[to] = known && !hidden ? d : INFINITY;
            if (maps->reason.data)
                ((uint8_t *)sv_row(&maps->reason, y))[to] = !known   ? SV_POOR_MATCH
                                                            : hidden ? SV_LEFT_RIGHT_CONFLICT
                                                                     : SV_VALID;
            if (maps->confidence.data && p->confidence.data)
                ((uint8_t *)sv_row(&maps->confidence, y))[to] = confidence_at(&p->confidence, f, x, y);
        }
    }
}

/* ---- Signs ------------------------------------------------------------------------------------- */

/* The mean absolute difference of the left picture from the right one `times` the disparities away, grey levels; NAN
 * if that is outside for most pixels. */
static double difference(const sv_pair *pair, const sv_image *disparity, float times) {
    enum { STEP = 3 };
    const int width = disparity->width;
    double sum = 0;
    int inside = 0, all = 0;
    for (int y = 0; y < disparity->height; y += STEP) {
        const uint8_t *left = sv_row(&pair->left, y), *right = sv_row(&pair->right, y);
        const float *d = sv_row(disparity, y);
        for (int x = 0; x < width; x += STEP) {
            if (!isfinite(d[x])) continue;
            const float match = floorf((float)x - times * d[x] + 0.5f);
            all++;
            if (!(match >= 0 && match < (float)width)) continue;
            inside++;
            sum += abs(left[x] - right[(int)match]);
        }
    }
    return inside && 2 * inside > all ? sum / inside : NAN;
}

void net_check_signs(const char *path, const net_conventions *c, const net_frame *f, const sv_pair *pair,
                     const sv_image *disparity) {
    /* A wrong sign or scale makes the difference several times as large in pictures with texture. */
    static const double much = 0.7, least = 1;
    const float width = (float)f->width, scales[] = {1, 2, 0.5f, 4, 0.25f, 8, 0.125f, width, 1 / width};
    const double now = difference(pair, disparity, 1), none = difference(pair, disparity, 0);
    double best = INFINITY;
    float times = 1;
    for (size_t i = 0; i < 2 * sizeof scales / sizeof *scales; i++) {
        const float by = (i % 2 ? -1.0f : 1.0f) * scales[i / 2];
        const double is = difference(pair, disparity, by);
        if (!(is < best)) continue;
        best = is;
        times = by;
    }
    if (!(best < much * none) || best + least > now * much || (times > 0.9f && times < 1.1f)) return;
    char text[96];
    snprintf(text, sizeof text, "%s%s", times < 0 ? c->negative ? "'sign: positive'" : "'sign: negative'" : "",
             times < 0 && fabsf(times) != 1 ? " and " : "");
    if (fabsf(times) == width)
        snprintf(text + strlen(text), sizeof text - strlen(text), "'scale: width'");
    else if (fabsf(times) != 1)
        snprintf(text + strlen(text), sizeof text - strlen(text), "'scale: %g'", (double)(fabsf(times) * c->scale));
    char than[64] = "whose matches are mostly outside";
    if (isfinite(now)) snprintf(than, sizeof than, "whose matches differ by %.1f grey levels", now);
    sv_log(SV_LOG_WARNING,
           "the map of %s, %s, would fit the pictures better, to %.1f grey levels, if its sidecar said %s", path, than,
           best, text);
}
