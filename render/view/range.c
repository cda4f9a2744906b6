/* The automatic colour range. A few times a second the GPU reduces the map to a sparse copy that is read into a pixel
 * buffer. A later frame evaluates it when a fence has signalled that it is complete. */
#include "render/view/range.h"

#include <math.h>
#include <stdlib.h>

#include "render/window/gl.h"
#include "stereo/alloc.h"
#include "stereo/sort.h"

enum { SAMPLES_X = 64, SAMPLES_Y = 48, SAMPLES = SAMPLES_X * SAMPLES_Y };

static const double PERIOD = 0.2;   /* seconds between two measurements */
static const float FOLLOW = 0.35f;  /* the weight of a new measurement */
static const float NARROWEST = 1.f; /* pixels */

struct range_finder {
    GLuint texture, framebuffer; /* SAMPLES_Y x SAMPLES_X, R32F */
    GLuint buffer;
    GLsync read; /* NULL: no copy is in progress */
    double last; /* when the last one was started, seconds */
    bool known;
    float min, max;
};

sv_status range_create(range_finder **out, sv_error *error) {
    range_finder *r = *out = sv_alloc(1, sizeof *r);
    r->last = -INFINITY;
    glGenTextures(1, &r->texture);
    glBindTexture(GL_TEXTURE_2D, r->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, SAMPLES_X, SAMPLES_Y, 0, GL_RED, GL_FLOAT, NULL);
    gl_label(GL_TEXTURE, r->texture, "range samples");
    glGenFramebuffers(1, &r->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, r->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->texture, 0);
    gl_label(GL_FRAMEBUFFER, r->framebuffer, "range samples");
    const sv_status status = gl_check_framebuffer("range samples", error);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (status != SV_OK) return status;
    glGenBuffers(1, &r->buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, SAMPLES * sizeof(float), NULL, GL_STREAM_READ);
    gl_label(GL_BUFFER, r->buffer, "range samples");
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return gl_check("making the buffers of the automatic range", error);
}

void range_destroy(range_finder *r) {
    if (!r) return;
    if (r->read) glDeleteSync(r->read);
    glDeleteBuffers(1, &r->buffer);
    glDeleteFramebuffers(1, &r->framebuffer);
    glDeleteTextures(1, &r->texture);
    free(r);
}

static void start(range_finder *r, GLuint framebuffer, int width, int height) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->framebuffer);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, width, height, 0, 0, SAMPLES_X, SAMPLES_Y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->buffer);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glReadPixels(0, 0, SAMPLES_X, SAMPLES_Y, GL_RED, GL_FLOAT, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    r->read = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void range_of_values(float *values, int count, float *min, float *max) {
    sv_sort_floats(values, (size_t)count);
    *min = values[count * 2 / 100];
    *max = values[(count * 98 - 1) / 100];
}

static void finish(range_finder *r) {
    float values[SAMPLES];
    int count = 0;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->buffer);
    const float *samples = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, SAMPLES * sizeof(float), GL_MAP_READ_BIT);
    for (int i = 0; samples && i < SAMPLES; i++)
        if (isfinite(samples[i])) values[count++] = samples[i];
    if (samples) glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (!count) return;

    float min, max;
    range_of_values(values, count, &min, &max);
    const float missing = NARROWEST - (max - min);
    if (missing > 0) {
        min -= missing / 2;
        max += missing / 2;
    }
    const float share = r->known ? FOLLOW : 1;
    r->min += share * (min - r->min);
    r->max += share * (max - r->max);
    r->known = true;
}

bool range_follow(range_finder *r, unsigned framebuffer, int width, int height, float *min, float *max) {
    if (r->read && glClientWaitSync(r->read, GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_TIMEOUT_EXPIRED) {
        glDeleteSync(r->read);
        r->read = NULL;
        finish(r);
    }
    const double now = sv_seconds();
    if (!r->read && now - r->last >= PERIOD) {
        r->last = now;
        start(r, framebuffer, width, height);
    }
    if (r->known) {
        *min = r->min;
        *max = r->max;
    }
    return r->known;
}
