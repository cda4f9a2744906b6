/* The conversions of single elements, compiled by cc and by nvcc, so that a tensor filled on a card has the bytes of
 * one filled on the CPU (see stereo/pixel.h). Float16 is IEEE 754's binary16; rounding is to nearest, ties to even. */
#ifndef NET_ELEMENTS_H
#define NET_ELEMENTS_H

#include "net/ort.h"
#include "net/tensors.h"
#include "stereo/pixel.h"

/* ---- Numbers ----------------------------------------------------------------------------------- */

SV_PIXEL uint16_t net_half_of(float value) {
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

SV_PIXEL float net_of_half(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    if (!exponent) return (sign ? -1.0f : 1.0f) * ((float)mantissa * (1.0f / (1 << 24)));
    const uint32_t bits = sign | (exponent == 31 ? 0xff : exponent + 112) << 23 | mantissa << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

SV_PIXEL float net_element(const net_plane *p, int x, int y) {
    const size_t i = (size_t)y * p->row + (size_t)x * p->column;
    return p->type == ORT_FLOAT ? ((const float *)p->data)[i] : net_of_half(((const uint16_t *)p->data)[i]);
}

/* ---- Pictures ---------------------------------------------------------------------------------- */

SV_PIXEL float net_pixel(const net_input *in, const sv_image *image, int component, int x, int y) {
    const uint8_t *row = (const uint8_t *)image->data + (size_t)y * image->stride;
    x = in->mirrored ? image->width - 1 - x : x;
    return image->format == SV_GREY8 ? row[x] : row[4 * x + component];
}

/* Where pixel `i` of `inner` has its centre among `size` pixels that cover the same. */
SV_PIXEL float net_position(int i, int inner, int size) {
    const float at = ((float)i + 0.5f) * (float)size / (float)inner - 0.5f;
    return at < 0 ? 0 : at > (float)(size - 1) ? (float)(size - 1) : at;
}

/* A pixel of the pair's part of the model's picture, 0..255. */
SV_PIXEL float net_sample(const net_input *in, const sv_image *image, int component, int x, int y) {
    const net_frame *f = &in->frame;
    if (f->inner_width == f->pair_width && f->inner_height == f->pair_height)
        return net_pixel(in, image, component, x, y);
    const float at_x = net_position(x, f->inner_width, f->pair_width);
    const float at_y = net_position(y, f->inner_height, f->pair_height);
    const int left = (int)at_x, right = sv_clamp(left + 1, f->pair_width);
    const int top = (int)at_y, bottom = sv_clamp(top + 1, f->pair_height);
    const float part = at_x - (float)left, down = at_y - (float)top;
    const float above =
        net_pixel(in, image, component, left, top) * (1 - part) + net_pixel(in, image, component, right, top) * part;
    const float below = net_pixel(in, image, component, left, bottom) * (1 - part) +
                        net_pixel(in, image, component, right, bottom) * part;
    return above * (1 - down) + below * down;
}

/* A pixel of the model's picture. `component`: red, green or blue. */
SV_PIXEL float net_value(const net_input *in, const sv_image *image, int component, int x, int y) {
    const net_frame *f = &in->frame;
    const net_conventions *c = &in->conventions;
    const int in_x = sv_clamp(x - f->left, f->inner_width), in_y = sv_clamp(y - f->top, f->inner_height);
    if (c->pads_with_zero && (in_x != x - f->left || in_y != y - f->top)) return 0;
    const float value = net_sample(in, image, component, in_x, in_y);
    return c->raw ? value : (value / 255.0f - c->mean[component]) / c->deviation[component];
}

/* Fills the element of channel `k` at (x, y) of the tensor. */
SV_PIXEL void net_fill_element(const net_input *in, int k, int x, int y) {
    const bool both = in->shows == NET_BOTH, half = in->shows == NET_HALF_LEFT || in->shows == NET_HALF_RIGHT;
    const int per_picture = both ? in->channels / 2 : in->channels, i = k % per_picture;
    const bool right =
        (both ? k >= per_picture : in->shows == NET_RIGHT || in->shows == NET_HALF_RIGHT) != in->mirrored;
    const sv_image *image = right ? &in->right : &in->left;
    const int component = in->conventions.channels == NET_BGR ? 2 - i : i;
    const float value = !half ? net_value(in, image, component, x, y)
                              : 0.25f * (net_value(in, image, component, 2 * x, 2 * y) +
                                         net_value(in, image, component, 2 * x + 1, 2 * y) +
                                         net_value(in, image, component, 2 * x, 2 * y + 1) +
                                         net_value(in, image, component, 2 * x + 1, 2 * y + 1));
    const size_t width = (size_t)in->width, at = (size_t)y * width + (size_t)x;
    const size_t to =
        in->conventions.nhwc ? at * (size_t)in->channels + (size_t)k : (size_t)k * width * (size_t)in->height + at;
    if (in->type == ORT_FLOAT)
        ((float *)in->tensor)[to] = value;
    else if (in->type == ORT_FLOAT16)
        ((uint16_t *)in->tensor)[to] = net_half_of(value);
    else
        ((uint8_t *)in->tensor)[to] = (uint8_t)fminf(fmaxf(value + 0.5f, 0), 255);
}

/* ---- Maps -------------------------------------------------------------------------------------- */

/* Where pixel (x, y) of the pair lies in an output. */
SV_PIXEL void net_find_position(const net_frame *f, const net_plane *p, int x, int y, float *at_x, float *at_y) {
    const float model_x = ((float)x + 0.5f) * (float)f->inner_width / (float)f->pair_width + (float)f->left;
    const float model_y = ((float)y + 0.5f) * (float)f->inner_height / (float)f->pair_height + (float)f->top;
    *at_x = model_x * (float)p->width / (float)f->width - 0.5f;
    *at_y = model_y * (float)p->height / (float)f->height - 0.5f;
    *at_x = *at_x < 0 ? 0 : *at_x > (float)(p->width - 1) ? (float)(p->width - 1) : *at_x;
    *at_y = *at_y < 0 ? 0 : *at_y > (float)(p->height - 1) ? (float)(p->height - 1) : *at_y;
}

/* The value nearest to pixel (x, y) of the pair. */
SV_PIXEL float net_nearest(const net_frame *f, const net_plane *p, int x, int y) {
    float at_x, at_y;
    net_find_position(f, p, x, y, &at_x, &at_y);
    return net_element(p, (int)(at_x + 0.5f), (int)(at_y + 0.5f));
}

/* Between the values of an output of another size: linearly if they are within a pixel; otherwise the nearest. */
SV_PIXEL float net_interpolate(const net_output *o, int x, int y) {
    const net_plane *p = &o->disparity;
    float at_x, at_y;
    net_find_position(&o->frame, p, x, y, &at_x, &at_y);
    const int left = (int)at_x, top = (int)at_y;
    const int right = left + 1 < p->width ? left + 1 : left, bottom = top + 1 < p->height ? top + 1 : top;
    const float part = at_x - (float)left, down = at_y - (float)top;
    const float a = net_element(p, left, top), b = net_element(p, right, top);
    const float c = net_element(p, left, bottom), d = net_element(p, right, bottom);
    const float least = fminf(fminf(a, b), fminf(c, d)), most = fmaxf(fmaxf(a, b), fmaxf(c, d));
    if (!((most - least) * fabsf(o->unit) <= 1) || !isfinite(a + b + c + d)) return net_nearest(&o->frame, p, x, y);
    return (a * (1 - part) + b * part) * (1 - down) + (c * (1 - part) + d * part) * down;
}

/* Writes the maps at pixel (x, y) of the pair: SV_POOR_MATCH where the output is not finite, or no disparity of any
 * picture, and SV_LEFT_RIGHT_CONFLICT where the model has the pixel hidden in the right picture. */
SV_PIXEL void net_take_pixel(const net_output *o, int x, int y) {
    const net_frame *f = &o->frame;
    const net_maps *m = &o->maps;
    const float value = o->exact ? net_element(&o->disparity, x + f->left, y + f->top) : net_interpolate(o, x, y);
    const float d = value * (o->unit * ((float)f->pair_width / (float)f->inner_width));
    const bool known = fabsf(d) <= (float)SV_MAX_SIDE;
    const bool hidden = known && ((o->hidden.data && net_nearest(f, &o->hidden, x, y) > 0.5f) ||
                                  (o->visible.data && !(net_nearest(f, &o->visible, x, y) > 0.5f)));
    const int to = o->mirrored ? f->pair_width - 1 - x : x;
    ((float *)((char *)m->disparity.data + (size_t)y * m->disparity.stride))[to] = known && !hidden ? d : INFINITY;
    if (m->reason.data)
        ((uint8_t *)m->reason.data + (size_t)y * m->reason.stride)[to] = (uint8_t)(!known   ? SV_POOR_MATCH
                                                                                   : hidden ? SV_LEFT_RIGHT_CONFLICT
                                                                                            : SV_VALID);
    if (!m->confidence.data || !o->confidence.data) return;
    const float sure = net_nearest(f, &o->confidence, x, y);
    ((uint8_t *)m->confidence.data + (size_t)y * m->confidence.stride)[to] =
        sure > 0 ? (uint8_t)(255 * fminf(sure, 1) + 0.5f) : 0; /* also if it is not a number */
}

#endif
