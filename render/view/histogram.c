/* Counts the disparities of the map: a copy into a pixel buffer, a fence, then a part of the buffer for each frame. */
#include "render/view/histogram.h"

#include "stereo/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/window/gl.h"

static const double period = 0.5; /* seconds between two copies */

/* Pixels that are counted for a frame: a fraction of a millisecond. Large maps take no more than MOST_PARTS frames. */
enum { PART = 1 << 17, MOST_PARTS = 16 };

struct histogram_reader {
    int pixels, width, height;
    GLuint buffer;      /* height x width float32, then height x width uint8, both dense */
    GLsync copy;        /* NULL: no copy is in progress */
    const char *mapped; /* the buffer while it is counted, else NULL */
    int counted;        /* pixels of it */
    double last;        /* when the last copy was started, seconds */
    bool any, known;    /* a copy was started; `newest` is set */
    unsigned long long version;
    float largest_from; /* disparities from here on are at the largest candidate */
    histogram next, newest;
};

static size_t reasons_at(const histogram_reader *r) { return (size_t)r->pixels * sizeof(float); }
static size_t buffer_size(const histogram_reader *r) { return reasons_at(r) + (size_t)r->pixels; }

/* The disparity that this share of the values, in percent, does not exceed. */
static int percentile(const histogram *h, int percent) {
    long long sum = 0;
    for (int i = 0; i < h->count; i++) {
        sum += h->bins[i];
        if (h->values && 100 * sum >= (long long)percent * h->values) return h->min + i;
    }
    return 0;
}

int histogram_median(const histogram *h) { return percentile(h, 50); }

bool histogram_range(const histogram *h, float *min, float *max) {
    *min = (float)percentile(h, 2);
    *max = (float)percentile(h, 98);
    if (*max - *min >= 1) return h->values;
    *min -= 0.5f;
    *max += 0.5f;
    return h->values;
}

sv_status histogram_create(histogram_reader **out, int width, int height, sv_error *error) {
    *out = NULL;
    histogram_reader *r = sv_alloc(1, sizeof *r);
    r->width = width;
    r->height = height;
    r->pixels = width * height;
    r->last = -INFINITY;
    glGenBuffers(1, &r->buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)buffer_size(r), NULL, GL_STREAM_READ);
    gl_label(GL_BUFFER, r->buffer, "map for the histogram");
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    const sv_status status = gl_check("making the buffer of the histogram", error);
    if (status != SV_OK) {
        histogram_destroy(r);
        return status;
    }
    *out = r;
    return SV_OK;
}

void histogram_destroy(histogram_reader *r) {
    if (!r) return;
    if (r->copy) glDeleteSync(r->copy);
    glDeleteBuffers(1, &r->buffer); /* unmaps it */
    free(r);
}

static void start(histogram_reader *r, GLuint framebuffer, const sv_params *params) {
    const sv_params small = sv_scaled_params(*params);
    const int largest = small.max_disparity * params->scale;
    r->next = (histogram){
        .min = params->min_disparity, .count = params->max_disparity - params->min_disparity + 1, .pixels = r->pixels};
    r->largest_from = (float)largest - 0.5f * (float)params->scale / (float)sv_steps(params);
    if (sv_methods[params->method].runs_model) {
        r->next.unlimited = true;
        r->next.min = SV_MAX_DISPARITY + 1 - SV_MAX_DISPARITIES;
        r->next.count = SV_MAX_DISPARITIES;
        r->largest_from = INFINITY;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->buffer);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, r->width, r->height, GL_RED, GL_FLOAT, NULL);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(0, 0, r->width, r->height, GL_RED_INTEGER, GL_UNSIGNED_BYTE, (void *)reasons_at(r));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    r->copy = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* Maps the copy once it is complete. */
static void receive(histogram_reader *r) {
    if (glClientWaitSync(r->copy, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return;
    glDeleteSync(r->copy);
    r->copy = NULL;
    r->counted = 0;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->buffer);
    r->mapped = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)buffer_size(r), GL_MAP_READ_BIT);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static void count_part(histogram_reader *r) {
    const int part = r->pixels / MOST_PARTS > PART ? r->pixels / MOST_PARTS : PART;
    const int end = r->pixels - r->counted > part ? r->counted + part : r->pixels;
    histogram *h = &r->next;
    const float *disparities = (const float *)(const void *)r->mapped;
    const uint8_t *reasons = (const uint8_t *)r->mapped + reasons_at(r);
    for (; r->counted < end; r->counted++) {
        const float d = disparities[r->counted];
        if (reasons[r->counted] < SV_REASON_COUNT) h->reasons[reasons[r->counted]]++;
        if (!isfinite(d)) continue;
        const float bin = floorf(d + 0.5f) - (float)h->min;
        h->bins[(int)fmaxf(0, fminf(bin, (float)(h->count - 1)))]++;
        h->values++;
        h->largest += d >= r->largest_from;
    }
    if (r->counted < r->pixels) return;
    r->newest = r->next;
    r->known = true;
    r->mapped = NULL;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->buffer);
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

const histogram *histogram_follow(histogram_reader *r, unsigned framebuffer, unsigned long long version,
                                  const sv_params *params) {
    const double now = sv_seconds();
    if (r->copy) receive(r);
    if (r->mapped) count_part(r);
    if (!r->copy && !r->mapped && now - r->last >= period && (!r->any || version != r->version)) {
        r->any = true;
        r->last = now;
        r->version = version;
        start(r, framebuffer, params);
    }
    return r->known ? &r->newest : NULL;
}
