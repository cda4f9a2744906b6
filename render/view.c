/* The picture area: textures, the pixel buffers that feed them, and the programs that draw them. */
#include "render/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/gl.h"
#include "render/range.h"

enum {
    MAX_SLOTS = 8,
    REASON_ALIGNMENT = 256, /* bytes; the largest alignment that GPUs need for stores and textures */
    MAX_TAPS = 4,           /* pixels of the map, in x and in y, that one screen pixel averages at most */
    GAP = 6,                /* framebuffer pixels between two pictures */
    PICKED_BYTES = sizeof(float) + 1
};

extern const char shader_view_vert[], shader_disparity_frag[], shader_picture_frag[];

/* Locations of the disparity program's uniforms. */
typedef struct disparity_uniforms {
    GLint up, map, show_reasons, empty, minimum, width, scale, taps, footprint;
} disparity_uniforms;

struct view {
    int width, height; /* of the maps */
    int slots;
    GLuint buffers[MAX_SLOTS];
    GLuint disparity;   /* height x width, R32F */
    GLuint reason;      /* height x width, R8UI */
    GLuint maps;        /* framebuffer that reads disparity (attachment 0) and reason (1) */
    GLuint picked;      /* pixel buffer for one pixel of both, in that order */
    GLsync pick_read;   /* NULL: no read is in progress */
    int pick_x, pick_y; /* position of the pixel being read */
    view_pixel pick;    /* the last pixel read, if `has_pick` */
    bool has_pick;
    GLuint left; /* height x width, R8 or RGBA8, with mipmaps */
    sv_format left_format;
    GLuint places; /* height x width, RG32F: where the left picture is sampled, 0..1; 0: as it comes */
    bool has_map, has_left;
    GLuint colours;  /* (COLOUR_MAP_COUNT + 1) x COLOUR_ENTRIES, RGB8: the maps, then the reasons */
    GLuint vertices; /* an empty vertex array, which OpenGL requires */
    GLuint disparity_program, picture_program;
    GLint rectified; /* the picture program's */
    disparity_uniforms at;
    range_finder *range;
};

view_settings view_default(void) {
    return (view_settings){
        .layout = VIEW_DISPARITY, .range = VIEW_RANGE_SEARCHED, .legend = true, .colour = colour_default()};
}

const char *view_layout_name(int layout) {
    static const char *const names[VIEW_LAYOUT_COUNT] = {"disparity", "side by side", "over and under", "left picture"};
    return layout >= 0 && layout < VIEW_LAYOUT_COUNT ? names[layout] : "?";
}

const char *view_range_name(int range) {
    static const char *const names[VIEW_RANGE_COUNT] = {"searched", "automatic", "fixed"};
    return range >= 0 && range < VIEW_RANGE_COUNT ? names[range] : "?";
}

/* ---- Making and freeing ----------------------------------------------------------------------- */

static GLuint make_texture(GLenum filter, const char *label) {
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
    uint8_t rows[COLOUR_MAP_COUNT + 1][COLOUR_ENTRIES][3] = {{{0}}};
    for (int i = 0; i < COLOUR_MAP_COUNT; i++) colour_table(i, rows[i]);
    for (int i = 0; i < SV_REASON_COUNT; i++) colour_of_reason(i, rows[COLOUR_MAP_COUNT][i]);
    v->colours = make_texture(GL_NEAREST, "colours");
    unpack_rows(0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, COLOUR_ENTRIES, COLOUR_MAP_COUNT + 1, 0, GL_RGB, GL_UNSIGNED_BYTE, rows);
}

static sv_status make_maps(view *v, sv_error *error) {
    v->disparity = make_texture(GL_NEAREST, "disparity");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, v->width, v->height, 0, GL_RED, GL_FLOAT, NULL);
    v->reason = make_texture(GL_NEAREST, "reason");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, v->width, v->height, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL);
    v->left = make_texture(GL_LINEAR_MIPMAP_LINEAR, "left picture");
    glGenFramebuffers(1, &v->maps);
    glBindFramebuffer(GL_FRAMEBUFFER, v->maps);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, v->disparity, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, v->reason, 0);
    gl_label(GL_FRAMEBUFFER, v->maps, "maps");
    const sv_status status = gl_check_framebuffer("maps", error);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return status;
}

static void make_buffers(view *v) {
    glGenBuffers(v->slots, v->buffers);
    for (int i = 0; i < v->slots; i++) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->buffers[i]);
        glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)view_buffer_size(v), NULL, GL_STREAM_DRAW);
        gl_label(GL_BUFFER, v->buffers[i], "disparity and reason");
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glGenBuffers(1, &v->picked);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, v->picked);
    glBufferData(GL_PIXEL_PACK_BUFFER, PICKED_BYTES, NULL, GL_STREAM_READ);
    gl_label(GL_BUFFER, v->picked, "picked pixel");
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static sv_status make_programs(view *v, sv_error *error) {
    sv_status status = gl_program(&v->picture_program, "picture", shader_view_vert, shader_picture_frag, error);
    if (status == SV_OK)
        status = gl_program(&v->disparity_program, "disparity", shader_view_vert, shader_disparity_frag, error);
    if (status != SV_OK) return status;
    const GLuint p = v->disparity_program;
    v->at = (disparity_uniforms){
        .up = glGetUniformLocation(p, "up"),
        .map = glGetUniformLocation(p, "map"),
        .show_reasons = glGetUniformLocation(p, "show_reasons"),
        .empty = glGetUniformLocation(p, "empty"),
        .minimum = glGetUniformLocation(p, "minimum"),
        .width = glGetUniformLocation(p, "width"),
        .scale = glGetUniformLocation(p, "scale"),
        .taps = glGetUniformLocation(p, "taps"),
        .footprint = glGetUniformLocation(p, "footprint"),
    };
    glUseProgram(p);
    glUniform1i(glGetUniformLocation(p, "disparity"), 0);
    glUniform1i(glGetUniformLocation(p, "reason"), 1);
    glUniform1i(glGetUniformLocation(p, "colours"), 2);
    glUniform1i(glGetUniformLocation(p, "reasons"), COLOUR_MAP_COUNT);
    glUseProgram(v->picture_program);
    glUniform1i(glGetUniformLocation(v->picture_program, "picture"), 0);
    glUniform1i(glGetUniformLocation(v->picture_program, "places"), 1);
    v->rectified = glGetUniformLocation(v->picture_program, "rectified");
    glUniform1f(glGetUniformLocation(v->picture_program, "up"), 1);
    glUseProgram(0);
    return SV_OK;
}

sv_status view_create(view **out, int width, int height, int slots, sv_error *error) {
    *out = NULL;
    GLint largest;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        return sv_fail(error, SV_FAILED,
                       "cannot show pictures of %d x %d pixels: this OpenGL takes 1 to %d a side; use --headless",
                       width, height, largest);
    if (slots < 1 || slots > MAX_SLOTS)
        return sv_fail(error, SV_USAGE, "a view has 1 to %d slots, not %d", MAX_SLOTS, slots);
    view *v = calloc(1, sizeof *v);
    if (!v) return sv_fail(error, SV_FAILED, "out of memory for a view");
    v->width = width;
    v->height = height;
    v->slots = slots;
    glGenVertexArrays(1, &v->vertices);
    make_colours(v);
    make_buffers(v);
    sv_status status = make_maps(v, error);
    if (status == SV_OK) status = gl_check("making the textures and buffers of the view", error);
    if (status == SV_OK) status = make_programs(v, error);
    if (status == SV_OK) status = range_create(&v->range, error);
    if (status != SV_OK) {
        view_destroy(v);
        return status;
    }
    *out = v;
    return SV_OK;
}

/* Drops the pending pixel, so that the next one is at the position where the mouse returns. */
static void forget_pick(view *v) {
    if (v->pick_read) glDeleteSync(v->pick_read);
    v->pick_read = NULL;
    v->has_pick = false;
}

void view_destroy(view *v) {
    if (!v) return;
    range_destroy(v->range);
    forget_pick(v);
    glDeleteBuffers(1, &v->picked);
    glDeleteProgram(v->disparity_program);
    glDeleteProgram(v->picture_program);
    glDeleteFramebuffers(1, &v->maps);
    glDeleteTextures(5, (const GLuint[]){v->disparity, v->reason, v->left, v->colours, v->places});
    glDeleteBuffers(v->slots, v->buffers);
    glDeleteVertexArrays(1, &v->vertices);
    free(v);
}

/* ---- Pictures in ------------------------------------------------------------------------------ */

unsigned view_buffer(const view *v, int slot) { return v->buffers[slot]; }

size_t view_reason_offset(const view *v) {
    const size_t disparity = (size_t)v->width * (size_t)v->height * sizeof(float);
    return (disparity + REASON_ALIGNMENT - 1) / REASON_ALIGNMENT * REASON_ALIGNMENT;
}

size_t view_buffer_size(const view *v) { return view_reason_offset(v) + (size_t)v->width * (size_t)v->height; }

static sv_status check_size(const view *v, const sv_image *image, sv_error *error) {
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
    sv_status status = check_size(v, disparity, error);
    if (status == SV_OK) status = check_size(v, reason, error);
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
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->buffers[slot]);
    unpack_rows(0);
    glBindTexture(GL_TEXTURE_2D, v->disparity);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, GL_RED, GL_FLOAT, NULL);
    glBindTexture(GL_TEXTURE_2D, v->reason);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                    (const void *)view_reason_offset(v));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    v->has_map = true;
}

sv_status view_left(view *v, const sv_image *picture, sv_error *error) {
    if (picture->format != SV_GREY8 && picture->format != SV_COLOUR8)
        return sv_fail(error, SV_USAGE, "the left picture is grey or colour of 8 bits");
    sv_status status = check_size(v, picture, error);
    if (status != SV_OK) return status;
    const bool grey = picture->format == SV_GREY8;
    const GLenum format = grey ? GL_RED : GL_RGBA;
    glBindTexture(GL_TEXTURE_2D, v->left);
    if (!v->has_left || v->left_format != picture->format) {
        const GLint as_grey[] = {GL_RED, GL_RED, GL_RED, GL_ONE}, as_is[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
        glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, grey ? as_grey : as_is);
        glTexImage2D(GL_TEXTURE_2D, 0, grey ? GL_R8 : GL_RGBA8, v->width, v->height, 0, format, GL_UNSIGNED_BYTE, NULL);
    }
    unpack_rows(picture->stride / sv_pixel_size(picture->format));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, format, GL_UNSIGNED_BYTE, picture->data);
    unpack_rows(0);
    glGenerateMipmap(GL_TEXTURE_2D);
    v->has_left = true;
    v->left_format = picture->format;
    return SV_OK;
}

sv_status view_set_rectification(view *v, const sv_rectification *r, sv_error *error) {
    glDeleteTextures(1, &v->places);
    v->places = 0;
    if (!r || !r->maps[0]) return SV_OK;
    if (r->width != v->width || r->height != v->height)
        return sv_fail(error, SV_USAGE, "a rectification for %d x %d pixels cannot be shown in a view made for %d x %d",
                       r->width, r->height, v->width, v->height);
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    float(*places)[2] = malloc(pixels * sizeof *places);
    if (!places) return sv_fail(error, SV_FAILED, "out of memory for rectifying the left picture");
    for (size_t i = 0; i < pixels; i++) {
        const int32_t *at = r->maps[0] + 2 * i;
        const bool outside = at[0] == SV_MAP_OUTSIDE;
        places[i][0] = outside ? -1 : ((float)at[0] / SV_MAP_STEPS + 0.5f) / (float)v->width;
        places[i][1] = outside ? -1 : ((float)at[1] / SV_MAP_STEPS + 0.5f) / (float)v->height;
    }
    v->places = make_texture(GL_NEAREST, "places of the left picture");
    unpack_rows(0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32F, v->width, v->height, 0, GL_RG, GL_FLOAT, places);
    free(places);
    return gl_check("making the texture that rectifies the left picture", error);
}

void view_follow_range(view *v, view_settings *settings, float min, float max) {
    if (settings->range == VIEW_RANGE_FIXED) return;
    if (settings->range == VIEW_RANGE_AUTOMATIC && v->has_map)
        range_follow(v->range, v->maps, v->width, v->height, &min, &max);
    settings->colour.min = min;
    settings->colour.max = max;
}

/* ---- Drawing ---------------------------------------------------------------------------------- */

/* The rectangles of the layout's pictures; empty for a picture that is not shown. */
typedef struct cells {
    view_rect map, left;
} cells;

static cells arrange(const view *v, int layout, view_rect area) {
    cells c = {.map = {0}};
    const bool both = layout == VIEW_SIDE_BY_SIDE || layout == VIEW_OVER_UNDER;
    const int across = layout == VIEW_SIDE_BY_SIDE, down = layout == VIEW_OVER_UNDER;
    const int width = (area.width - across * GAP) / (1 + across), height = (area.height - down * GAP) / (1 + down);
    if (area.width < 1 || area.height < 1 || width < 1 || height < 1) return c;

    const double scale = fmin((double)width / v->width, (double)height / v->height);
    view_rect first = {.width = (int)fmax(1, lround(scale * v->width)),
                       .height = (int)fmax(1, lround(scale * v->height))};
    first.x = area.x + (area.width - first.width * (1 + across) - across * GAP) / 2;
    first.y = area.y + (area.height - first.height * (1 + down) - down * GAP) / 2;
    view_rect second = first; /* at the right, or above */
    second.x += across * (first.width + GAP);
    second.y += down * (first.height + GAP);
    if (both) {
        c.left = first;
        c.map = second;
    } else {
        *(layout == VIEW_LEFT ? &c.left : &c.map) = first;
    }
    return c;
}

static void bind(int unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

static int taps(int pixels, int of_screen) {
    const int each = (pixels + of_screen - 1) / of_screen;
    return each < MAX_TAPS ? each : MAX_TAPS;
}

static void begin_drawing(const view *v, view_rect rect) {
    glViewport(rect.x, rect.y, rect.width, rect.height);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DITHER); /* it would change bytes */
    glBindVertexArray(v->vertices);
}

static void end_drawing(void) {
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
    glActiveTexture(GL_TEXTURE0);
}

static void draw_map(const view *v, const colour_settings *s, view_rect rect, bool top_first) {
    const float width = s->max - s->min;
    begin_drawing(v, rect);
    glUseProgram(v->disparity_program);
    glUniform1f(v->at.up, top_first ? -1 : 1);
    glUniform1i(v->at.map, s->map);
    glUniform1i(v->at.show_reasons, s->show_reasons);
    glUniform3f(v->at.empty, s->empty[0] / 255.f, s->empty[1] / 255.f, s->empty[2] / 255.f);
    glUniform1f(v->at.minimum, s->min);
    glUniform1f(v->at.width, width > 0 ? width : 0);
    glUniform1f(v->at.scale, width > 0 ? (COLOUR_ENTRIES - 1) / width : 0);
    glUniform2i(v->at.taps, taps(v->width, rect.width), taps(v->height, rect.height));
    glUniform2f(v->at.footprint, 1.f / rect.width, 1.f / rect.height);
    bind(2, v->colours);
    bind(1, v->reason);
    bind(0, v->disparity);
    end_drawing();
}

static void draw_left(const view *v, view_rect rect) {
    begin_drawing(v, rect);
    glUseProgram(v->picture_program);
    glUniform1i(v->rectified, v->places != 0);
    bind(1, v->places ? v->places : v->left); /* some drivers warn of a unit without a texture */
    bind(0, v->left);
    end_drawing();
}

void view_draw(view *v, const view_settings *settings, view_rect area) {
    const cells c = arrange(v, settings->layout, area);
    if (c.map.width && v->has_map) draw_map(v, &settings->colour, c.map, false);
    if (c.left.width && v->has_left) draw_left(v, c.left);
    if (!c.left.width && !v->has_map && v->has_left) draw_left(v, c.map);
}

/* ---- Reading back ----------------------------------------------------------------------------- */

/* Begins to read the pixel at pick_x, pick_y. */
static void begin_pick(view *v) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, v->maps);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, v->picked);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(v->pick_x, v->pick_y, 1, 1, GL_RED, GL_FLOAT, NULL);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(v->pick_x, v->pick_y, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_BYTE, (void *)sizeof(float));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    v->pick_read = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* Takes the pixel that has been read, if it has arrived. */
static void end_pick(view *v) {
    if (!v->pick_read || glClientWaitSync(v->pick_read, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return;
    uint8_t bytes[PICKED_BYTES];
    glDeleteSync(v->pick_read);
    v->pick_read = NULL;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, v->picked);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof bytes, bytes);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    v->pick = (view_pixel){.x = v->pick_x, .y = v->pick_y, .reason = bytes[sizeof(float)]};
    memcpy(&v->pick.disparity, bytes, sizeof v->pick.disparity);
    v->has_pick = true;
}

bool view_pick(view *v, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel) {
    end_pick(v);
    const cells c = arrange(v, settings->layout, area);
    const view_rect cell[] = {c.map, c.left};
    for (int i = 0; i < 2 && v->has_map; i++) {
        const int from_left = x - cell[i].x, from_top = cell[i].y + cell[i].height - 1 - y;
        if (from_left < 0 || from_top < 0 || from_left >= cell[i].width || from_top >= cell[i].height) continue;
        if (!v->pick_read) {
            v->pick_x = (int)((from_left + 0.5) * v->width / cell[i].width);
            v->pick_y = (int)((from_top + 0.5) * v->height / cell[i].height);
            begin_pick(v);
        }
        *pixel = v->pick;
        return v->has_pick;
    }
    forget_pick(v);
    return false;
}

sv_status view_read_back(view *v, const view_settings *settings, const sv_image *colour, sv_error *error) {
    if (colour->format != SV_COLOUR8) return sv_fail(error, SV_USAGE, "a view is read back as a colour picture");
    sv_status status = check_size(v, colour, error);
    if (status != SV_OK) return status;
    if (!v->has_map) return sv_fail(error, SV_USAGE, "there is no map to read back yet");
    GLuint texture = make_texture(GL_NEAREST, "read back"), framebuffer;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, v->width, v->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    status = gl_check_framebuffer("read back", error);
    if (status == SV_OK) {
        draw_map(v, &settings->colour, (view_rect){.width = v->width, .height = v->height}, true);
        glPixelStorei(GL_PACK_ALIGNMENT, 4);
        glPixelStorei(GL_PACK_ROW_LENGTH, (GLint)(colour->stride / 4));
        glReadPixels(0, 0, v->width, v->height, GL_RGBA, GL_UNSIGNED_BYTE, colour->data);
        glPixelStorei(GL_PACK_ROW_LENGTH, 0);
        status = gl_check("reading the picture back", error);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
    return status;
}
