/* See pairs.h. */
#include "tests/support/pairs.h"
#include "tests/support/reference.h"
#include "tests/support/reference_gfd.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t *grey_at(const sv_image *image, int x, int y) { return (uint8_t *)sv_row(image, y) + x; }

void fill_noise(const sv_image *image, int levels, int patch) {
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            *grey_at(image, x, y) = x % patch   ? *grey_at(image, x - 1, y)
                                    : y % patch ? *grey_at(image, x, y - 1)
                                                : (uint8_t)(random_below(levels) * 255 / (levels > 1 ? levels - 1 : 1));
}

void fill_flat(const sv_image *image, uint8_t value) {
    for (int y = 0; y < image->height; y++) memset(sv_row(image, y), value, (size_t)image->width);
}

void fill_shifted(const sv_image *right, const sv_image *left, int d) {
    for (int y = 0; y < right->height; y++)
        for (int x = 0; x < right->width; x++)
            *grey_at(right, x, y) =
                x + d >= 0 && x + d < left->width ? *grey_at(left, x + d, y) : (uint8_t)random_below(256);
}

void fill_random(const scene *s) {
    const int levels = ONE_OF(1, 2, 3, 256, 256), patch = ONE_OF(1, 1, 1, 4, 9);
    fill_noise(&s->left.image, levels, patch);
    if (random_below(2))
        fill_noise(&s->right.image, levels, patch);
    else
        fill_shifted(&s->right.image, &s->left.image, random_below(12) - 2);
    if (random_below(4) == 0)
        for (int y = 0; y < s->left.image.height; y++)
            memset(sv_row(&s->left.image, y), 77, (size_t)(s->left.image.width + 1) / 2);
}

/* ---- Running a pair --------------------------------------------------------------------------- */

scene new_scene(int width, int height, int padding) {
    scene s = {.left = new_picture(SV_GREY8, width, height, padding),
               .right = new_picture(SV_GREY8, width, height, 2 * padding),
               .disparity = new_picture(SV_FLOAT32, width, height, padding),
               .reason = new_picture(SV_REASON8, width, height, 3 * padding),
               .confidence = new_picture(SV_GREY8, width, height, 4 * padding)};
    s.pair = (sv_pair){.left = s.left.image, .right = s.right.image};
    s.output = (sv_output){.disparity = s.disparity.image, .reason = s.reason.image};
    return s;
}

void add_colour(scene *s, int padding) {
    const int width = s->left.image.width, height = s->left.image.height;
    s->left_colour = new_picture(SV_COLOUR8, width, height, padding);
    s->right_colour = new_picture(SV_COLOUR8, width, height, padding + 1);
}

void use_colour(scene *s, bool used) {
    s->pair.left_colour = used ? s->left_colour.image : (sv_image){0};
    s->pair.right_colour = used ? s->right_colour.image : (sv_image){0};
}

void want_confidence(scene *s) { s->output.confidence = s->confidence.image; }

void free_scene(const scene *s) {
    free_picture(&s->left);
    free_picture(&s->right);
    free_picture(&s->disparity);
    free_picture(&s->reason);
    free_picture(&s->confidence);
    if (s->left_colour.memory) free_picture(&s->left_colour);
    if (s->right_colour.memory) free_picture(&s->right_colour);
}

float disparity_at(const scene *s, int x, int y) { return ((float *)sv_row(&s->disparity.image, y))[x]; }
int reason_at(const scene *s, int x, int y) { return ((uint8_t *)sv_row(&s->reason.image, y))[x]; }

sv_matcher *new_matcher(const sv_backend *backend, int width, int height, int threads) {
    sv_matcher *matcher;
    sv_error error;
    if (sv_matcher_create(backend, &(sv_matcher_options){.width = width, .height = height, .threads = threads},
                          &matcher, &error) != SV_OK)
        fail_msg("%s", error.text);
    return matcher;
}

void submit(sv_matcher *matcher, const scene *s, const sv_params *params) {
    sv_error error;
    if (sv_submit(matcher, &s->pair, params, &s->output, &error) != SV_OK) fail_msg("%s", error.text);
}

void wait_for(sv_matcher *matcher) {
    sv_error error;
    sv_times times;
    if (sv_wait(matcher, &times, &error) != SV_OK) fail_msg("%s", error.text);
    for (int i = 0; i < SV_STAGE_COUNT; i++) assert_true(times.ms[i] >= 0);
}

static uint8_t *copy_of(const picture *p) { return memcpy(malloc(p->size), p->memory, p->size); }

void match(const sv_backend *backend, const scene *s, const sv_params *params) {
    uint8_t *left = copy_of(&s->left), *right = copy_of(&s->right);
    sv_matcher *matcher = new_matcher(backend, s->left.image.width, s->left.image.height, 0);
    submit(matcher, s, params);
    wait_for(matcher);
    sv_matcher_destroy(matcher);
    assert_memory_equal(left, s->left.memory, s->left.size);
    assert_memory_equal(right, s->right.memory, s->right.size);
    free(left);
    free(right);
}

/* All of them, as options. */
static const char *print_params(const sv_params *params, char *text, size_t size) {
    size_t used = 0;
    for (int i = 0; i < sv_parameter_count; i++) {
        char value[32];
        sv_print(params, &sv_parameters[i], value, sizeof value);
        used += (size_t)snprintf(text + used, size - used, " --%s %s", sv_parameters[i].name, value);
        assert_true(used < size);
    }
    return text;
}

static void check_confidence(const scene *s, const sv_params *params, const uint8_t *confidence) {
    const int width = s->left.image.width, height = s->left.image.height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int got = *grey_at(&s->confidence.image, x, y), want = confidence[y * width + x];
            if (got == want) continue;
            char text[1024];
            fail_msg("pixel (%d, %d) of %d x %d: confidence %d, should be %d; %s%s", x, y, width, height, got, want,
                     sv_method_name(params->method), print_params(params, text, sizeof text));
        }
}

void check_maps(const scene *s, const sv_params *params) {
    const int width = s->left.image.width, height = s->left.image.height;
    const size_t pixels = (size_t)(width * height);
    float *disparity = malloc(sizeof *disparity * pixels);
    uint8_t *reason = malloc(pixels), *confidence = malloc(pixels);
    (params->method == SV_GFD ? reference_gfd_match : reference_match)(&s->pair, params, disparity, reason, confidence);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float got = disparity_at(s, x, y), want = disparity[y * width + x];
            if (reason_at(s, x, y) == reason[y * width + x] && !memcmp(&got, &want, sizeof got)) continue;
            char text[1024];
            fail_msg("pixel (%d, %d) of %d x %d: disparity %.9g (%s), should be %.9g (%s); %s%s", x, y, width, height,
                     (double)got, sv_reason_name(reason_at(s, x, y)), (double)want,
                     sv_reason_name(reason[y * width + x]), sv_method_name(params->method),
                     print_params(params, text, sizeof text));
        }
    if (s->output.confidence.data) check_confidence(s, params, confidence);
    free(disparity);
    free(reason);
    free(confidence);
}

void match_and_check(const sv_backend *backend, const scene *s, const sv_params *params) {
    /* Uses the CPU's instruction sets in rotation; one that the processor lacks is replaced by the next best. */
    static const char *const sets[] = {"portable", "avx2", "all"};
    static int turn;
    setenv("SV_CPU", sets[turn++ % 3], 1);
    match(backend, s, params);
    check_maps(s, params);
}

sv_params params_of(int method, int rho, int min_disparity, int max_disparity) {
    sv_params params = sv_default_params((sv_method)method);
    params.rho = rho;
    params.min_disparity = min_disparity;
    params.max_disparity = max_disparity;
    params.left_right_check = 1;
    params.prefilter = SV_PREFILTER_NONE;
    params.speckle_size = params.holes = params.median = params.weighted_median = params.average = 0;
    params.fill = SV_FILL_NONE;
    return params;
}

void match_changing(const sv_backend *backend, int width, int height, int frames, sv_params (*next_params)(void)) {
    scene s = new_scene(width, height, 3);
    sv_matcher *matcher = new_matcher(backend, width, height, 0);
    for (int i = 0; goes_on(i, frames); i++) {
        const sv_params params = next_params();
        fill_random(&s);
        s.output.confidence = random_below(2) ? s.confidence.image : (sv_image){0};
        submit(matcher, &s, &params);
        wait_for(matcher);
        check_maps(&s, &params);
    }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}
