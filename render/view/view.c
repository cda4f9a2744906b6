/* What the views are drawn from: textures, and the pixel buffers that feed them. */
#include "render/view/view_state.h"

#include <stdlib.h>
#include <string.h>

/* Bytes; the largest alignment that GPUs need for stores and textures. */
enum { REASON_ALIGNMENT = 256 };

/* ---- Making and freeing ----------------------------------------------------------------------- */

GLuint view_make_texture(GLenum filter, const char *label) {
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl_label(GL_TEXTURE, texture, label);
    return texture;
}

/* Rows are not padded to four bytes, and may be a part of longer ones. */
static void unpack_rows(size_t pixels) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)pixels);
}

static void make_colours(view *v) {
    uint8_t rows[COLOUR_MAP_COUNT + 2][COLOUR_ENTRIES][3] = {{{0}}};
    for (int i = 0; i < COLOUR_MAP_COUNT; i++) colour_table(i, rows[i]);
    for (int i = 0; i < SV_REASON_COUNT; i++) colour_of_reason(i, rows[COLOUR_MAP_COUNT][i]);
    for (int i = 0; i < COLOUR_ERROR_COUNT; i++) colour_of_error(i, rows[COLOUR_MAP_COUNT + 1][i]);
    v->colours = view_make_texture(GL_NEAREST, "colours");
    unpack_rows(0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, COLOUR_ENTRIES, COLOUR_MAP_COUNT + 2, 0, GL_RGB, GL_UNSIGNED_BYTE, rows);
}

static sv_status make_maps(const view *v, view_maps *m, sv_error *error) {
    m->disparity = view_make_texture(GL_NEAREST, "disparity");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, v->width, v->height, 0, GL_RED, GL_FLOAT, NULL);
    m->reason = view_make_texture(GL_NEAREST, "reason");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, v->width, v->height, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &m->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m->disparity, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, m->reason, 0);
    gl_label(GL_FRAMEBUFFER, m->framebuffer, "maps");
    const sv_status status = gl_check_framebuffer("maps", error);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return status;
}

static void free_maps(view_maps *m) {
    glDeleteFramebuffers(1, &m->framebuffer);
    glDeleteTextures(2, (const GLuint[]){m->disparity, m->reason});
    *m = (view_maps){0};
}

/* Makes the buffers of as many slots as a map has, from `first` on. */
static void make_buffers(view *v, int first) {
    glGenBuffers(v->slots, v->buffers + first);
    for (int i = first; i < first + v->slots; i++) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->buffers[i]);
        glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)view_buffer_size(v), NULL, GL_STREAM_DRAW);
        gl_label(GL_BUFFER, v->buffers[i], "disparity and reason");
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

static void make_picked(view *v) {
    glGenBuffers(1, &v->picked);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, v->picked);
    glBufferData(GL_PIXEL_PACK_BUFFER, 2 * VIEW_PICKED_BYTES, NULL, GL_STREAM_READ);
    gl_label(GL_BUFFER, v->picked, "picked pixel");
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

sv_status view_create(view **out, int width, int height, int slots, sv_error *error) {
    *out = NULL;
    GLint largest;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        return sv_fail(error, SV_FAILED,
                       "cannot show pictures of %d x %d pixels: this OpenGL takes 1 to %d a side; use --headless",
                       width, height, largest);
    if (slots < 1 || slots > VIEW_MAX_SLOTS / 2)
        return sv_fail(error, SV_USAGE, "a view has 1 to %d slots for a map, not %d", VIEW_MAX_SLOTS / 2, slots);
    view *v = calloc(1, sizeof *v);
    if (!v) return sv_fail(error, SV_FAILED, "out of memory for a view");
    v->width = width;
    v->height = height;
    v->slots = slots;
    glGenVertexArrays(1, &v->vertices);
    make_colours(v);
    make_buffers(v, 0);
    make_picked(v);
    v->sides[0].texture = view_make_texture(GL_LINEAR_MIPMAP_LINEAR, "left picture");
    v->sides[1].texture = view_make_texture(GL_LINEAR_MIPMAP_LINEAR, "right picture");
    sv_status status = make_maps(v, &v->maps[0], error);
    if (status == SV_OK) status = gl_check("making the textures and buffers of the view", error);
    if (status == SV_OK) status = view_make_programs(&v->programs, error);
    if (status == SV_OK) status = range_create(&v->range, error);
    if (status == SV_OK) status = histogram_create(&v->histogram, width, height, error);
    if (status == SV_OK) status = map_copier_create(&v->copier, width, height, error);
    if (status == SV_OK) status = cloud_create(&v->cloud.cloud, error);
    v->cloud.space = space_of(NULL, width, height);
    if (status != SV_OK) {
        view_destroy(v);
        return status;
    }
    *out = v;
    return SV_OK;
}

sv_status view_add_second(view *v, sv_error *error) {
    view_maps *m = &v->maps[1];
    if (m->framebuffer) return SV_OK;
    make_buffers(v, v->slots);
    sv_status status = make_maps(v, m, error);
    if (status == SV_OK) status = gl_check("making the textures and buffers of a second map", error);
    if (status == SV_OK) return SV_OK;
    free_maps(m);
    glDeleteBuffers(v->slots, v->buffers + v->slots);
    memset(v->buffers + v->slots, 0, sizeof *v->buffers * (size_t)v->slots); /* the names may be given to others */
    return status;
}

void view_forget_second(view *v) { v->maps[1].known = false; }

void view_forget_pick(view *v) {
    if (v->pick_read) glDeleteSync(v->pick_read);
    v->pick_read = NULL;
    v->has_pick = false;
    v->picked_part = -1;
}

void view_destroy(view *v) {
    if (!v) return;
    range_destroy(v->range);
    histogram_destroy(v->histogram);
    map_copier_destroy(v->copier);
    cloud_destroy(v->cloud.cloud);
    view_free_kept(&v->kept);
    view_forget_pick(v);
    glDeleteBuffers(1, &v->picked);
    view_free_programs(&v->programs);
    for (int i = 0; i < 2; i++) free_maps(&v->maps[i]);
    glDeleteTextures(3, (const GLuint[]){v->colours, v->truth, v->costs.texture});
    for (int i = 0; i < 2; i++) glDeleteTextures(2, (const GLuint[]){v->sides[i].texture, v->sides[i].places});
    glDeleteBuffers(VIEW_MAX_SLOTS, v->buffers);
    glDeleteVertexArrays(1, &v->vertices);
    free(v);
}

unsigned long long view_map_version(const view *v) { return view_version_of_map(v, 0); }

const copied_maps *view_copy_maps(view *v, int64_t frame) {
    const unsigned framebuffers[2] = {v->maps[0].framebuffer, v->maps[1].framebuffer};
    if (!v->maps[0].known) return NULL;
    return map_copier_follow(v->copier, framebuffers, v->maps[1].known ? 2 : 1, view_map_version(v), frame);
}

bool view_copies_map(const view *v, unsigned long long version) { return map_copier_has_begun(v->copier, version); }

/* ---- Pictures in ------------------------------------------------------------------------------ */

unsigned view_buffer(const view *v, int slot) { return v->buffers[slot]; }

size_t view_reason_offset(const view *v) {
    const size_t disparity = (size_t)v->width * (size_t)v->height * sizeof(float);
    return (disparity + REASON_ALIGNMENT - 1) / REASON_ALIGNMENT * REASON_ALIGNMENT;
}

size_t view_buffer_size(const view *v) { return view_reason_offset(v) + (size_t)v->width * (size_t)v->height; }

sv_status view_check_size(const view *v, const sv_image *image, sv_error *error) {
    if (image->width == v->width && image->height == v->height) return SV_OK;
    return sv_fail(error, SV_USAGE, "a picture of %d x %d pixels cannot be shown in a view made for %d x %d",
                   image->width, image->height, v->width, v->height);
}

static void copy_rows(char *out, const sv_image *image) {
    const size_t bytes = (size_t)image->width * sv_pixel_size(image->format);
    for (int y = 0; y < image->height; y++) memcpy(out + (size_t)y * bytes, sv_row(image, y), bytes);
}

sv_status view_write(view *v, int slot, const sv_image *disparity, const sv_image *reason, sv_error *error) {
    if (disparity->format != SV_FLOAT32 || reason->format != SV_REASON8)
        return sv_fail(error, SV_USAGE, "a view is written from a disparity map and a reason map");
    sv_status status = view_check_size(v, disparity, error);
    if (status == SV_OK) status = view_check_size(v, reason, error);
    if (status != SV_OK) return status;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->buffers[slot]);
    char *memory = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)view_buffer_size(v),
                                    GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    bool written = false;
    if (memory) {
        copy_rows(memory, disparity);
        copy_rows(memory + view_reason_offset(v), reason);
        written = glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (written) return SV_OK;
    status = gl_check("writing a map into a pixel buffer", error);
    return status != SV_OK ? status : sv_fail(error, SV_FAILED, "OpenGL lost a pixel buffer while it was written");
}

void view_show(view *v, int slot) {
    view_maps *m = &v->maps[slot >= v->slots];
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->buffers[slot]);
    unpack_rows(0);
    glBindTexture(GL_TEXTURE_2D, m->disparity);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, GL_RED, GL_FLOAT, NULL);
    glBindTexture(GL_TEXTURE_2D, m->reason);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                    (const void *)view_reason_offset(v));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    m->known = true;
    v->version++;
    v->map_version++;
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
    }
    unpack_rows(picture->stride / sv_pixel_size(picture->format));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, format, GL_UNSIGNED_BYTE, picture->data);
    unpack_rows(0);
    glGenerateMipmap(GL_TEXTURE_2D);
    s->known = true;
    s->format = picture->format;
    s->row_shift = row_shift;
    v->version++;
    return SV_OK;
}

sv_status view_truth(view *v, const sv_image *truth, sv_error *error) {
    v->version++;
    if (!truth) {
        glDeleteTextures(1, &v->truth);
        v->truth = 0;
        return SV_OK;
    }
    if (truth->format != SV_FLOAT32) return sv_fail(error, SV_USAGE, "the truth is float32 disparities");
    const sv_status status = view_check_size(v, truth, error);
    if (status != SV_OK) return status;
    if (!v->truth) v->truth = view_make_texture(GL_NEAREST, "truth");
    glBindTexture(GL_TEXTURE_2D, v->truth);
    unpack_rows(truth->stride / sizeof(float));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, v->width, v->height, 0, GL_RED, GL_FLOAT, truth->data);
    unpack_rows(0);
    return gl_check("passing the truth to the view", error);
}

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
    unpack_rows(0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32F, v->width, v->height, 0, GL_RG, GL_FLOAT, places);
}

sv_status view_set_rectification(view *v, const sv_rectification *r, sv_error *error) {
    for (int i = 0; i < 2; i++) {
        glDeleteTextures(1, &v->sides[i].places);
        v->sides[i].places = 0;
    }
    v->version++;
    v->cloud.space = space_of(NULL, v->width, v->height);
    v->cloud.middle = 0; /* the grid and the camera start over, in other units */
    v->cloud.moved = false;
    if (!r || !r->width) return SV_OK;
    if (r->width != v->width || r->height != v->height)
        return sv_fail(error, SV_USAGE, "a rectification for %d x %d pixels cannot be shown in a view made for %d x %d",
                       r->width, r->height, v->width, v->height);
    v->cloud.space = space_of(r, v->width, v->height);
    if (!r->maps[0] && !r->maps[1]) return SV_OK;
    float(*places)[2] = malloc((size_t)v->width * (size_t)v->height * sizeof *places);
    if (!places) return sv_fail(error, SV_FAILED, "out of memory for rectifying the pictures that are shown");
    for (int i = 0; i < 2; i++)
        if (r->maps[i]) make_places(v, i, r->maps[i], places);
    free(places);
    return gl_check("making the textures that rectify the pictures", error);
}

void view_follow_range(view *v, view_settings *settings, float min, float max) {
    if (settings->range == VIEW_RANGE_FIXED) return;
    if (settings->range == VIEW_RANGE_AUTOMATIC && v->maps[0].known)
        range_follow(v->range, v->maps[0].framebuffer, v->width, v->height, &min, &max);
    settings->colour.min = min;
    settings->colour.max = max;
}

const histogram *view_histogram(view *v, int which, const sv_params *params) {
    const view_maps *m = &v->maps[which];
    return m->known ? histogram_follow(v->histogram, m->framebuffer, view_version_of_map(v, which), params) : NULL;
}
