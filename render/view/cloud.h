/* The point cloud: each pixel of the disparity map as a point in space, drawn directly from the map's texture.
 * Thread: main, with the context current. */
#ifndef RENDER_VIEW_CLOUD_H
#define RENDER_VIEW_CLOUD_H

#include "map/colour.h"
#include "render/view/orbit.h"

typedef enum cloud_colours {
    CLOUD_PICTURE, /* those of the left picture */
    CLOUD_DEPTH,   /* those of the disparity map */
    CLOUD_COLOURS_COUNT
} cloud_colours;

typedef struct cloud_settings {
    int colours; /* cloud_colours */
    float size;  /* of a point: 1: as large as its pixel is on a surface that faces the left camera; CLOUD_MIN_SIZE to
                    CLOUD_MAX_SIZE */
    bool grid;   /* draw the grid, the axes at the left camera, and the camera */
    bool edges;  /* draw points at edges in depth too, where matching often puts points between both surfaces */
} cloud_settings;

#define CLOUD_MIN_SIZE 0.25f
#define CLOUD_MAX_SIZE 8.f

cloud_settings cloud_default(void); /* the picture's colours, size 1, with the grid, without points at edges */

const char *cloud_colours_name(int colours); /* "picture"; "?" if out of range */

/* OpenGL's names of the textures. `version` changes whenever one of them has another content. */
typedef struct cloud_textures {
    unsigned disparity; /* R32F: the map */
    unsigned picture;   /* the left picture */
    unsigned places;    /* RG32F, of the map's size: where the picture is sampled for each pixel of the map, 0 to 1,
                         * negative where nothing was seen; 0: the picture is that of the map */
    unsigned colours;   /* one row of COLOUR_ENTRIES for each colour map */
    unsigned long long version;
} cloud_textures;

/* All that the picture of the cloud depends on. Zero the padding too, or what stands still is drawn again. */
typedef struct cloud_scene {
    cloud_textures textures;
    space space;
    space_grid grid;
    orbit orbit;
    cloud_settings settings;
    colour_settings colour; /* for CLOUD_DEPTH */
} cloud_scene;

typedef struct cloud cloud;

/* Errors: SV_FAILED if OpenGL or the memory fails.
 * Lifetime: the caller destroys it with cloud_destroy, while the context is current. */
sv_status cloud_create(cloud **out, sv_error *error);
void cloud_destroy(cloud *cloud); /* accepts NULL */

/* Draws the cloud into a rectangle of the framebuffer that is bound for drawing: x, y of its lower left corner, width
 * and height in pixels. Where drawing all points takes the processor too long, a new scene is drawn with some of them;
 * later calls with the same scene add the rest. Draws nothing if the rectangle is empty.
 * Errors: SV_FAILED if OpenGL has no framebuffer of that size. */
sv_status cloud_draw(cloud *cloud, const cloud_scene *scene, const int rectangle[4], sv_error *error);

/* Starts reading which pixel of the map is visible at x, y of the rectangle of the last cloud_draw, into the pixel
 * buffer that is bound for packing: uint32, one more than the pixel's number, row by row; 0: none. False if nothing was
 * drawn there. */
bool cloud_read_pixel(const cloud *cloud, int x, int y);

/* How many pixels of the map the picture of the last call was drawn from, and whether these are all. */
int cloud_points(const cloud *cloud);
bool cloud_complete(const cloud *cloud);

#endif
