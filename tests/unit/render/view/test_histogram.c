/* The histogram of the map on the screen, against counts from its definition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "render/view/histogram.h"
#include "render/window/gl.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

/* A map in a texture that a framebuffer reads. */
typedef struct map {
    int width, height;
    float *values;
    uint8_t *reasons;
    GLuint texture, reason_texture, framebuffer;
} map;

static void make_map(map *m, int width, int height) {
    *m = (map){.width = width, .height = height, .values = malloc(sizeof(float) * (size_t)(width * height))};
    m->reasons = malloc((size_t)(width * height));
    assert_true(m->values && m->reasons);
    glGenTextures(1, &m->texture);
    glGenTextures(1, &m->reason_texture);
    glGenFramebuffers(1, &m->framebuffer);
}

static void upload(const map *m) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindTexture(GL_TEXTURE_2D, m->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, m->width, m->height, 0, GL_RED, GL_FLOAT, m->values);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glBindTexture(GL_TEXTURE_2D, m->reason_texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, m->width, m->height, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, m->reasons);
    glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, m->reason_texture, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m->texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void free_map(map *m) {
    glDeleteFramebuffers(1, &m->framebuffer);
    glDeleteTextures(1, &m->texture);
    glDeleteTextures(1, &m->reason_texture);
    free(m->values);
    free(m->reasons);
}

/* Calls until the counts are those of these bins. */
static const histogram *counts(histogram_reader *r, const map *m, unsigned long long version, const sv_params *params,
                               const int *bins) {
    const size_t size = sizeof *bins * (size_t)(params->max_disparity - params->min_disparity + 1);
    for (const double begin = sv_seconds(); sv_seconds() < begin + PATIENCE;) {
        const histogram *h = histogram_follow(r, m->framebuffer, version, params);
        if (h && !memcmp(h->bins, bins, size)) return h;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    fail_msg("other counts, or none");
    return NULL;
}

TEST(each_value_is_counted) {
    NEEDS_WINDOW();
    for (int n = 0; n < SIZES; n++) {
        map m;
        sv_error error;
        histogram_reader *r;
        sv_params params = sv_default_params(SV_SGM);
        params.min_disparity = -5;
        params.max_disparity = 60;
        make_map(&m, sizes[n][0], sizes[n][1]);
        assert_int_equal(histogram_create(&r, m.width, m.height, &error), SV_OK);
        for (int pass = 0; pass < 2; pass++) {
            int expected[66] = {0}, values = 0, largest = 0, reasons[SV_REASON_COUNT] = {0};
            unsigned random = 3 + (unsigned)pass;
            for (int i = 0; i < m.width * m.height; i++) {
                random = random * 1664525u + 1013904223u;
                const int kind = (random >> 20) % 16;
                m.reasons[i] = (uint8_t)((random >> 12) % SV_REASON_COUNT);
                reasons[m.reasons[i]]++;
                /* In quarters of a pixel, so that halves occur, which belong to the bin above; some beyond both ends.
                 */
                const int quarters = (int)((random >> 8) % 300) - 30;
                const bool none = kind < 3 && i; /* the first pixel has a value */
                m.values[i] = none ? kind == 0 ? INFINITY : kind == 1 ? -INFINITY : NAN : (float)quarters / 4;
                if (none) continue;
                values++;
                int bin = 0; /* the bin whose lower end is the last one that is not above it */
                while (bin < 65 && 4 * (bin + 1 - 5) - 2 <= quarters) bin++;
                expected[bin]++;
                largest += quarters >= 4 * 60 - 2;
            }
            upload(&m);
            assert_true(pass || !histogram_follow(r, m.framebuffer, 1, &params)); /* that would mean waiting */
            const histogram *h = counts(r, &m, 1 + (unsigned)pass, &params, expected);
            assert_int_equal(h->values, values);
            assert_int_equal(h->min, -5);
            assert_int_equal(h->count, 66);
            assert_int_equal(h->pixels, m.width * m.height);
            assert_int_equal(h->largest, largest);
            assert_memory_equal(h->reasons, reasons, sizeof reasons);
            m.values[0] = INFINITY; /* a map that is not new is not read again */
            upload(&m);
            for (const double begin = sv_seconds(); sv_seconds() < begin + 0.7;)
                assert_int_equal(histogram_follow(r, m.framebuffer, 1 + (unsigned)pass, &params)->values, values);
        }
        histogram_destroy(r);
        free_map(&m);
    }
    histogram_destroy(NULL);
    assert_no_complaints();
}

/* At a smaller scale and with steps of a part of a pixel the candidates lie otherwise. */
TEST(largest_candidate_is_that_of_the_method) {
    NEEDS_WINDOW();
    static const struct {
        sv_method method;
        int scale, steps, max;
        float at, below;
    } cases[] = {{SV_ZNCC, 1, 1, 63, 62.5f, 62.25f},
                 {SV_ZNCC, 2, 1, 63, 61.f, 60.75f},    /* the candidates end at 62 */
                 {SV_ZNCC, 4, 1, 63, 62.f, 61.75f},    /* at 64 */
                 {SV_ZNCC, 4, 1, 62, 58.f, 57.75f},    /* at 60 */
                 {SV_SSD, 1, 4, 63, 62.875f, 62.75f}}; /* ..., 62.75, 63 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        map m;
        sv_error error;
        histogram_reader *r;
        sv_params params = sv_default_params(cases[i].method);
        params.min_disparity = 0;
        params.max_disparity = cases[i].max;
        params.scale = cases[i].scale;
        params.steps = cases[i].steps;
        make_map(&m, 3, 1);
        m.values[0] = cases[i].at;
        m.values[1] = cases[i].below;
        m.values[2] = cases[i].below;
        upload(&m);
        assert_int_equal(histogram_create(&r, 3, 1, &error), SV_OK);
        int bins[64] = {0};
        for (int k = 0; k < 3; k++) bins[(int)fmin(floor(m.values[k] + 0.5), cases[i].max)]++;
        assert_int_equal(counts(r, &m, 0, &params, bins)->largest, 1);
        histogram_destroy(r);
        free_map(&m);
    }
    assert_no_complaints();
}

TEST(median_is_in_the_middle) {
    histogram h = {.min = -2, .count = 5, .bins = {1, 0, 2, 1, 1}, .values = 5};
    assert_int_equal(histogram_median(&h), 0);
    h.bins[0] = 3;
    h.values = 7;
    assert_int_equal(histogram_median(&h), 0);
    h.bins[0] = 4;
    h.values = 8;
    assert_int_equal(histogram_median(&h), -2);
    assert_int_equal(histogram_median(&(histogram){.min = 4, .count = 2}), 0);
}

FIXTURES(open_screen, close_screen)
