/* The pictures of both sides, rectified or not, and of the map its truth and its costs: the textures that they are
 * drawn from. */
#include "render/view/view_texture.h"
#include "render/view/view_units.h"
#include "stereo/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Levels of a picture's mipmap below the picture: no view is narrower than the last one, and each takes its time. */
static GLint count_levels(int width) {
    enum { NARROWEST = 64 }; /* pixels */
    GLint levels = 0;
    while (width >> (levels + 1) >= NARROWEST) levels++;
    return levels;
}

void view_pictures_create(view *v) {
    for (int i = 0; i < 2; i++) {
        v->sides[i].texture = view_make_texture(GL_LINEAR_MIPMAP_LINEAR, i ? "right picture" : "left picture");
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, count_levels(v->width));
    }
}

void view_pictures_destroy(view *v) {
    for (int i = 0; i < 2; i++) glDeleteTextures(2, (const GLuint[]){v->sides[i].texture, v->sides[i].places});
    glDeleteTextures(2, (const GLuint[]){v->truth, v->costs.texture});
}

sv_status view_picture(view *v, int side, const sv_image *picture, int row_shift, sv_error *error) {
    if (picture->format != SV_GREY8 && picture->format != SV_COLOUR8)
        return sv_fail(error, SV_USAGE, "a picture that is shown is grey or colour of 8 bits");
    sv_status status = view_check_size(v, picture, error);
    if (status != SV_OK) return status;
    view_side *s = &v->sides[side];
    const bool grey = picture->format == SV_GREY8;
    const GLenum format = grey ? GL_RED : GL_RGBA;
    glBindTexture(GL_TEXTURE_2D, s->texture);
    if (!s->known || s->format != picture->format) {
        const GLint as_grey[] = {GL_RED, GL_RED, GL_RED, GL_ONE}, as_is[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
        glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, grey ? as_grey : as_is);
        glTexImage2D(GL_TEXTURE_2D, 0, grey ? GL_R8 : GL_RGBA8, v->width, v->height, 0, format, GL_UNSIGNED_BYTE, NULL);
        status = gl_check("making the texture of a picture", error);
        if (status != SV_OK) return status;
    }
    view_unpack_rows(picture->stride / sv_pixel_size(picture->format));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, format, GL_UNSIGNED_BYTE, picture->data);
    view_unpack_rows(0);
    glGenerateMipmap(GL_TEXTURE_2D);
    s->known = true;
    s->format = picture->format;
    s->row_shift = row_shift;
    v->version++;
    return SV_OK;
}

/* Sets the texture of a picture of float32, or removes it if that is NULL. */
static sv_status set_floats(view *v, const sv_image *picture, const char *label, GLuint *texture, sv_error *error) {
    char doing[48];
    v->version++;
    if (!picture) {
        glDeleteTextures(1, texture);
        *texture = 0;
        return SV_OK;
    }
    if (picture->format != SV_FLOAT32) return sv_fail(error, SV_USAGE, "the %s that a view shows are float32", label);
    const sv_status status = view_check_size(v, picture, error);
    if (status != SV_OK) return status;
    if (!*texture) *texture = view_make_texture(GL_NEAREST, label);
    glBindTexture(GL_TEXTURE_2D, *texture);
    view_unpack_rows(picture->stride / sizeof(float));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, v->width, v->height, 0, GL_RED, GL_FLOAT, picture->data);
    view_unpack_rows(0);
    snprintf(doing, sizeof doing, "passing the %s to the view", label);
    return gl_check(doing, error);
}

sv_status view_truth(view *v, const sv_image *truth, sv_error *error) {
    return set_floats(v, truth, "true disparities", &v->truth, error);
}

/* ---- Costs ------------------------------------------------------------------------------------ */

enum { SAMPLES_X = 64, SAMPLES_Y = 48 }; /* at most this many are used for the range */

/* Finds the range of the colours; without any cost it is empty. */
static void find_range(view_costs *c, const sv_image *costs) {
    float values[SAMPLES_X * SAMPLES_Y];
    const int across = costs->width < SAMPLES_X ? costs->width : SAMPLES_X;
    const int down = costs->height < SAMPLES_Y ? costs->height : SAMPLES_Y;
    int count = 0;
    for (int y = 0; y < down; y++) {
        const float *row = sv_row(costs, (int)((int64_t)y * costs->height / down));
        for (int x = 0; x < across; x++) {
            const float value = row[(int64_t)x * costs->width / across];
            if (isfinite(value)) values[count++] = value;
        }
    }
    sv_sort_floats(values, (size_t)count);
    c->min = count ? values[count * 2 / 100] : 0;
    c->max = count ? values[(count * 98 - 1) / 100] : 0;
}

sv_status view_set_costs(view *v, const sv_image *costs, sv_error *error) {
    view_costs *c = &v->costs;
    const sv_status status = set_floats(v, costs, "costs", &c->texture, error);
    if (status == SV_OK && costs) find_range(c, costs);
    return status;
}

bool view_costs_range(const view *v, float *min, float *max) {
    *min = v->costs.min;
    *max = v->costs.max;
    return v->costs.texture;
}

/* ---- Rectification ---------------------------------------------------------------------------- */

/* Makes the texture of a side's places from its rectification map; `places` is memory for it. */
static void make_places(view *v, int side, const int32_t *map, float (*places)[2]) {
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    for (size_t i = 0; i < pixels; i++) {
        const int32_t *at = map + 2 * i;
        const bool outside = at[0] == SV_MAP_OUTSIDE;
        places[i][0] = outside ? -1 : ((float)at[0] / SV_MAP_STEPS + 0.5f) / (float)v->width;
        places[i][1] = outside ? -1 : ((float)at[1] / SV_MAP_STEPS + 0.5f) / (float)v->height;
    }
    v->sides[side].places =
        view_make_texture(GL_NEAREST, side ? "places of the right picture" : "places of the left picture");
    view_unpack_rows(0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32F, v->width, v->height, 0, GL_RG, GL_FLOAT, places);
}

sv_status view_set_rectification(view *v, const sv_rectification *r, sv_error *error) {
    for (int i = 0; i < 2; i++) {
        glDeleteTextures(1, &v->sides[i].places);
        v->sides[i].places = 0;
    }
    v->version++;
    view_cloud_set_rectification(v, NULL);
    if (!r || !r->width) return SV_OK;
    if (r->width != v->width || r->height != v->height)
        return sv_fail(error, SV_USAGE, "a rectification for %d x %d pixels cannot be shown in a view made for %d x %d",
                       r->width, r->height, v->width, v->height);
    view_cloud_set_rectification(v, r);
    if (!r->maps[0] && !r->maps[1]) return SV_OK;
    float(*places)[2] = malloc((size_t)v->width * (size_t)v->height * sizeof *places);
    if (!places) return sv_fail(error, SV_FAILED, "out of memory for rectifying the pictures that are shown");
    for (int i = 0; i < 2; i++)
        if (r->maps[i]) make_places(v, i, r->maps[i], places);
    free(places);
    return gl_check("making the textures that rectify the pictures", error);
}
