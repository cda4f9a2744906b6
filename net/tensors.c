/* Converts pictures and maps for models. */
#include "net/elements.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Pictures ---------------------------------------------------------------------------------- */

static int round_up(int size, int multiple) { return (size + multiple - 1) / multiple * multiple; }

sv_status net_fit(const net_conventions *c, int width, int height, net_frame *f, sv_error *error) {
    *f = (net_frame){.pair_width = width, .pair_height = height};
    f->width = c->width ? c->width : round_up(width, c->multiple);
    f->height = c->height ? c->height : round_up(height, c->multiple);
    f->inner_width = c->resizes ? f->width : width;
    f->inner_height = c->resizes ? f->height : height;
    if ((width > f->width || height > f->height) && !c->resizes)
        return sv_fail(error, SV_FAILED,
                       "pictures of %d x %d do not fit into the model's %d x %d; its sidecar can have "
                       "'fit: resize'",
                       width, height, f->width, f->height);
    const int right = f->width - f->inner_width, bottom = f->height - f->inner_height;
    f->left = c->padding == NET_CENTRE ? right / 2 : 0;
    f->top = c->padding == NET_CENTRE ? bottom / 2 : c->padding == NET_TOP_RIGHT ? bottom : 0;
    return SV_OK;
}

static size_t bytes_of(int type) { return type == ORT_FLOAT ? 4 : type == ORT_FLOAT16 ? 2 : 1; }

size_t net_describe_input(const net_graph *g, const net_conventions *c, int i, const net_frame *f, const sv_pair *pair,
                          bool mirrored, net_input *in, int64_t shape[4]) {
    const net_picture shows = c->shows[i];
    const int divisor = shows == NET_HALF_LEFT || shows == NET_HALF_RIGHT ? 2 : 1;
    const bool colour = c->channels != NET_GREY && pair->left_colour.data;
    *in = (net_input){
        .conventions = *c,
        .frame = *f,
        .shows = shows,
        .type = g->inputs[c->inputs[i]].type,
        .width = f->width / divisor,
        .height = f->height / divisor,
        .channels = (c->channels == NET_GREY ? 1 : 3) * (shows == NET_BOTH ? 2 : 1),
        .left = colour ? pair->left_colour : pair->left,
        .right = colour ? pair->right_colour : pair->right,
        .mirrored = mirrored,
    };
    shape[0] = 1;
    shape[1] = c->nhwc ? in->height : in->channels;
    shape[2] = c->nhwc ? in->width : in->height;
    shape[3] = c->nhwc ? in->channels : in->width;
    return (size_t)in->channels * (size_t)in->width * (size_t)in->height * bytes_of(in->type);
}

void net_fill(const net_input *in, int threads) {
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < in->height; y++)
        for (int k = 0; k < in->channels; k++)
            for (int x = 0; x < in->width; x++) net_fill_element(in, k, x, y);
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
            "the output is not a map of the model's pictures: %d dimensions, %lld x %lld, for pictures of %d x %d",
            dimensions, (long long)width, (long long)height, f->width, f->height);
    p->width = (int)width;
    p->height = (int)height;
    p->column = last ? (size_t)channels : 1;
    p->row = p->column * (size_t)width;
    p->data = (const char *)data + bytes_of(type) * (size_t)channel * (last ? 1 : (size_t)(width * height));
    return SV_OK;
}

void net_take_maps(const net_output *o, int threads) {
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < o->frame.pair_height; y++)
        for (int x = 0; x < o->frame.pair_width; x++) net_take_pixel(o, x, y);
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
           "the map of %s, %s, would fit the pictures better, to %.1f grey levels, with %s in its sidecar", path, than,
           best, text);
}
