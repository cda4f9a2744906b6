/* Makes the view of its units, and frees it. */
#include "render/view/view_maps.h"
#include "render/view/view_texture.h"
#include "render/view/view_units.h"
#include "stereo/alloc.h"

#include <stdlib.h>

static void make_colours(view *v) {
    uint8_t rows[COLOUR_MAP_COUNT + 2][COLOUR_ENTRIES][3] = {{{0}}};
    for (int i = 0; i < COLOUR_MAP_COUNT; i++) colour_table(i, rows[i]);
    for (int i = 0; i < SV_REASON_COUNT; i++) colour_of_reason(i, rows[COLOUR_MAP_COUNT][i]);
    for (int i = 0; i < COLOUR_ERROR_COUNT; i++) colour_of_error(i, rows[COLOUR_MAP_COUNT + 1][i]);
    v->colours = view_make_texture(GL_NEAREST, "colours");
    view_unpack_rows(0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, COLOUR_ENTRIES, COLOUR_MAP_COUNT + 2, 0, GL_RGB, GL_UNSIGNED_BYTE, rows);
}

sv_status view_create(view **out, int width, int height, int slots, sv_error *error) {
    *out = NULL;
    GLint largest;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        return sv_fail(error, SV_FAILED,
                       "cannot show pictures of %d x %d pixels: this OpenGL takes 1 to %d a side; use --headless",
                       width, height, largest);
    view *v = sv_alloc(1, sizeof *v);
    v->width = width;
    v->height = height;
    glGenVertexArrays(1, &v->vertices);
    make_colours(v);
    view_pictures_create(v);
    view_measures_create(v);
    view_pick_create(v);
    sv_status status = view_maps_create(v, slots, error);
    if (status == SV_OK) status = view_make_programs(v, error);
    if (status == SV_OK) status = histogram_create(&v->histogram, width, height, error);
    v->copier = map_copier_create(width, height);
    if (status == SV_OK) status = view_cloud_create(v, error);
    if (status != SV_OK) {
        view_destroy(v);
        return status;
    }
    *out = v;
    return SV_OK;
}

void view_destroy(view *v) {
    if (!v) return;
    histogram_destroy(v->histogram);
    map_copier_destroy(v->copier);
    view_cloud_destroy(v);
    view_free_kept(&v->kept);
    view_pick_destroy(v);
    view_measures_destroy(v);
    view_free_programs(v);
    view_maps_destroy(v);
    view_pictures_destroy(v);
    glDeleteTextures(1, &v->colours);
    glDeleteVertexArrays(1, &v->vertices);
    free(v);
}
