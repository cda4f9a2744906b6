/* A rendered stereo scene whose disparity is known exactly: textured planes and solids at several depths, a slanted
 * floor, a moving camera, moving objects, an occlusion and a textureless patch. Used by the demo clip, the tests and
 * the benchmark.
 *
 * All functions except source_open_synthetic may be called from any thread. */
#ifndef CAPTURE_SYNTHETIC_SYNTHETIC_H
#define CAPTURE_SYNTHETIC_SYNTHETIC_H

#include "capture/source.h"

typedef struct scene {
    int width, height;                   /* pixels */
    double rate;                         /* frames a second */
    int64_t frames;                      /* how many; the last one leads back to the first */
    double min_disparity, max_disparity; /* pixels: all surfaces lie between */
} scene;

/* The scene in another size. Its content stays the same, so disparities grow with the width (or with 4/3 of the height
 * if that is more). */
scene scene_of_size(int width, int height);

/* The demo: 640 x 480, 25 frames a second, 6 seconds, disparities 5 to 60. */
scene scene_demo(void);

typedef enum scene_side { SCENE_LEFT, SCENE_RIGHT } scene_side;

/* Renders frame `index` of one side into `colour` (SV_COLOUR8). The result is identical on every machine. */
void scene_render(const scene *scene, int64_t index, scene_side side, sv_image colour);

/* The true disparity on the left picture (SV_FLOAT32, pixels, exact for the pixel's centre). `occluded` (SV_REASON8;
 * its data may be NULL) is non-zero where the point is hidden from the right camera or outside its picture. */
void scene_truth(const scene *scene, int64_t index, sv_image disparity, sv_image occluded);

/* A source that renders one side when it is read.
 * Lifetime: the caller closes the source with source_close. */
source *source_open_synthetic(const scene *scene, scene_side side, const source_options *options);

#endif
