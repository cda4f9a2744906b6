/* Pairs of generated pictures with guard bytes all around, and helpers that match them with a backend. Errors fail the
 * test. */
#ifndef TESTS_SUPPORT_PAIRS_H
#define TESTS_SUPPORT_PAIRS_H

#include "stereo/stereo.h"
#include "tests/support/backend.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"

/* gfd, sgm and net have separate tests. */
enum { METHODS = SV_ZNCC + 1 };
_Static_assert(SV_METHOD_COUNT == METHODS + 3, "every method is tested against its definition");

/* How many methods need no model: all but the last. */
enum { WITHOUT_MODEL = SV_NET };

/* Two pictures and where their maps go. */
typedef struct scene {
    picture left, right, disparity, reason, confidence;
    picture left_colour, right_colour; /* after add_colour */
    sv_pair pair;
    sv_output output; /* with the confidence only after want_confidence */
} scene;

/* `padding`: pixels after each row; each picture has a different multiple of it. */
scene new_scene(int width, int height, int padding);

/* Makes the colour pictures; use_colour decides whether they are matched. */
void add_colour(scene *s, int padding);
void use_colour(scene *s, bool used);

/* From here on the scene's matches are judged, and check_maps checks the confidence. */
void want_confidence(scene *s);

/* Checks the guard bytes first. */
void free_scene(const scene *s);

uint8_t *grey_at(const sv_image *image, int x, int y);
float disparity_at(const scene *s, int x, int y);
int reason_at(const scene *s, int x, int y);

/* Noise of `levels` grey levels, in patches of `patch` x `patch` pixels. */
void fill_noise(const sv_image *image, int levels, int patch);
void fill_flat(const sv_image *image, uint8_t value);

/* Makes the right picture if the left pixel at (x, y) has the disparity `d`, an integer; noise where the left picture
 * does not show it. */
void fill_shifted(const sv_image *right, const sv_image *left, int d);

/* Pictures that are unrelated or shifted copies, with many grey levels or with few, which makes ties and flat
 * windows. */
void fill_random(const scene *s);

sv_matcher *new_matcher(const sv_backend *backend, int width, int height, int threads);
void submit(sv_matcher *matcher, const scene *s, const sv_params *params);
void wait_for(sv_matcher *matcher);

/* Matches one pair with a new matcher, and checks that it does not change the pictures. */
void match(const sv_backend *backend, const scene *s, const sv_params *params);

/* Checks that the maps are those of the definition, bit for bit. */
void check_maps(const scene *s, const sv_params *params);
void match_and_check(const sv_backend *backend, const scene *s, const sv_params *params);

/* Matches random frames with one matcher, each with the next parameters, and checks all of them. */
void match_changing(const sv_backend *backend, int width, int height, int frames, sv_params (*next_params)(void));

/* The method's defaults with a left-right check of one pixel and no other refinement. */
sv_params params_of(int method, int rho, int min_disparity, int max_disparity);

#endif
