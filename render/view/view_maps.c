/* The maps of the view: see view_maps.h. */
#include "render/view/view_maps.h"

#include "render/view/view_texture.h"
#include "render/view/view_units.h"
#include "stereo/alloc.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes; the largest alignment that GPUs need for stores and textures. */
enum { MAP_ALIGNMENT = 256 };
enum { MAX_SLOTS = 8 };

struct view_maps {
    int slots; /* of A, as many as of B */
    GLuint buffers[MAX_SLOTS];
    GLuint imported[MAX_SLOTS]; /* memory objects of shared slots; 0: the others */
    GLsync reads[MAX_SLOTS];    /* OpenGL has read a shared slot; NULL: it has not been shown */
    view_map each[2];           /* A, B; what B lacks is 0 until view_add_second */
    bool limits;                /* the depth is limited, */
    float range[2];             /* to these disparities */
    unsigned long long version; /* changes with any map */
    float found[2];             /* the automatic range of the colours, */
    double stepped;             /* as it was then, seconds; 0: not known yet */
};

static sv_status make_map(const view *v, view_map *m, sv_error *error) {
    m->disparity = m->whole = view_make_texture(GL_NEAREST, "disparity");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, v->width, v->height, 0, GL_RED, GL_FLOAT, NULL);
    m->reason = view_make_texture(GL_NEAREST, "reason");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, v->width, v->height, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, NULL);
    m->confidence = view_make_texture(GL_NEAREST, "confidence");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, v->width, v->height, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &m->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m->disparity, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, m->reason, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, GL_TEXTURE_2D, m->confidence, 0);
    gl_label(GL_FRAMEBUFFER, m->framebuffer, "maps");
    const sv_status status = gl_check_framebuffer("maps", error);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return status;
}

static void free_map(view_map *m) {
    glDeleteFramebuffers(1, &m->framebuffer);
    glDeleteTextures(4, (const GLuint[]){m->whole, m->limited, m->reason, m->confidence});
    *m = (view_map){0};
}

/* Makes the buffer of a slot, of the memory object `memory`; 0: of OpenGL's own memory. */
static void make_buffer(view *v, int slot, GLuint memory, size_t bytes) {
    struct view_maps *maps = v->maps;
    glDeleteBuffers(1, &maps->buffers[slot]);
    glGenBuffers(1, &maps->buffers[slot]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, maps->buffers[slot]);
    if (memory)
        glBufferStorageMemEXT(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, memory, 0);
    else
        glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    gl_label(GL_BUFFER, maps->buffers[slot], "disparity, reason and confidence");
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

/* Makes the buffers of as many slots as a map has, from `first` on. */
static void make_buffers(view *v, int first) {
    for (int i = 0; i < v->maps->slots; i++) make_buffer(v, first + i, 0, view_buffer_size(v));
}

sv_status view_import(view *v, int slot, int file, size_t bytes, sv_error *error) {
    GLuint *memory = &v->maps->imported[slot];
    if (!GLEW_EXT_memory_object || !GLEW_EXT_memory_object_fd) {
        close(file);
        return sv_fail(error, SV_NO_DEVICE, "this OpenGL lacks GL_EXT_memory_object_fd");
    }
    glCreateMemoryObjectsEXT(1, memory);
    glImportMemoryFdEXT(*memory, bytes, GL_HANDLE_TYPE_OPAQUE_FD_EXT, file);
    sv_status status = gl_check("importing device memory", error);
    if (status != SV_OK) close(file); /* it is still ours */
    if (status == SV_OK) {
        make_buffer(v, slot, *memory, bytes);
        status = gl_check("making a pixel buffer of imported memory", error);
    }
    if (status != SV_OK) view_release(v, slot);
    return status;
}

void view_release(view *v, int slot) {
    GLuint *memory = &v->maps->imported[slot];
    if (!*memory) return;
    make_buffer(v, slot, 0, view_buffer_size(v));
    glDeleteMemoryObjectsEXT(1, memory);
    *memory = 0;
}

sv_status view_maps_create(view *v, int slots, sv_error *error) {
    if (slots < 1 || slots > MAX_SLOTS / 2)
        return sv_fail(error, SV_USAGE, "a view has 1 to %d slots for a map, not %d", MAX_SLOTS / 2, slots);
    v->maps = sv_alloc(1, sizeof *v->maps);
    v->maps->slots = slots;
    v->maps->range[0] = -INFINITY;
    v->maps->range[1] = INFINITY;
    make_buffers(v, 0);
    const sv_status status = make_map(v, &v->maps->each[0], error);
    return status == SV_OK ? gl_check("making the textures and buffers of the view", error) : status;
}

void view_maps_destroy(view *v) {
    if (!v->maps) return;
    for (int i = 0; i < 2; i++) free_map(&v->maps->each[i]);
    glDeleteBuffers(MAX_SLOTS, v->maps->buffers);
    for (int i = 0; i < MAX_SLOTS; i++) glDeleteSync(v->maps->reads[i]);
    free(v->maps);
}

sv_status view_add_second(view *v, sv_error *error) {
    view_map *m = &v->maps->each[1];
    if (m->framebuffer) return SV_OK;
    make_buffers(v, v->maps->slots);
    sv_status status = make_map(v, m, error);
    if (status == SV_OK) status = gl_check("making the textures and buffers of a second map", error);
    if (status == SV_OK) return SV_OK;
    free_map(m);
    glDeleteBuffers(v->maps->slots, v->maps->buffers + v->maps->slots);
    memset(v->maps->buffers + v->maps->slots, 0,
           sizeof *v->maps->buffers * (size_t)v->maps->slots); /* the names may be given to others */
    return status;
}

void view_forget_second(view *v) { v->maps->each[1].known = false; }

const view_map *view_map_of(const view *v, int which) { return &v->maps->each[which]; }

bool view_has_map(const view *v, int which) { return v->maps->each[which].known; }

bool view_has_confidence(const view *v, int which) { return v->maps->each[which].has_confidence; }

unsigned long long view_version_of_map(const view *v, int which) { return 2 * v->maps->version + (unsigned)which; }

unsigned long long view_map_version(const view *v) { return view_version_of_map(v, 0); }

static size_t align(size_t bytes) { return (bytes + MAP_ALIGNMENT - 1) / MAP_ALIGNMENT * MAP_ALIGNMENT; }

static size_t pixels_of(const view *v) { return (size_t)v->width * (size_t)v->height; }

size_t view_reason_offset(const view *v) { return align(pixels_of(v) * sizeof(float)); }

size_t view_confidence_offset(const view *v) { return align(view_reason_offset(v) + pixels_of(v)); }

size_t view_buffer_size(const view *v) { return view_confidence_offset(v) + pixels_of(v); }

static void copy_rows(char *out, const sv_image *image) {
    const size_t bytes = (size_t)image->width * sv_pixel_size(image->format);
    for (int y = 0; y < image->height; y++) memcpy(out + (size_t)y * bytes, sv_row(image, y), bytes);
}

/* Writes `count` pictures into a slot, at these offsets; what it had from the first one on is lost. */
static sv_status write_slot(view *v, int slot, const sv_image *const *images, const size_t *offsets, int count,
                            sv_error *error) {
    const size_t bytes = view_buffer_size(v) - offsets[0];
    sv_status status = SV_OK;
    for (int i = 0; i < count && status == SV_OK; i++) status = view_check_size(v, images[i], error);
    if (status != SV_OK) return status;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->maps->buffers[slot]);
    char *memory =
        glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, (GLintptr)offsets[0], (GLsizeiptr)bytes,
                         GL_MAP_WRITE_BIT | (offsets[0] ? GL_MAP_INVALIDATE_RANGE_BIT : GL_MAP_INVALIDATE_BUFFER_BIT));
    bool written = false;
    if (memory) {
        for (int i = 0; i < count; i++) copy_rows(memory + (offsets[i] - offsets[0]), images[i]);
        written = glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (written) return SV_OK;
    status = gl_check("writing a map into a pixel buffer", error);
    return status != SV_OK ? status : sv_fail(error, SV_FAILED, "OpenGL lost a pixel buffer while it was written");
}

sv_status view_write(view *v, int slot, const sv_image *disparity, const sv_image *reason, sv_error *error) {
    if (disparity->format != SV_FLOAT32 || reason->format != SV_REASON8)
        return sv_fail(error, SV_USAGE, "a view is written from a disparity map and a reason map");
    const sv_image *const images[] = {disparity, reason};
    return write_slot(v, slot, images, (const size_t[]){0, view_reason_offset(v)}, 2, error);
}

sv_status view_write_confidence(view *v, int slot, const sv_image *confidence, sv_error *error) {
    if (confidence->format != SV_GREY8) return sv_fail(error, SV_USAGE, "confidence is written from a grey picture");
    return write_slot(v, slot, &confidence, (const size_t[]){view_confidence_offset(v)}, 1, error);
}

/* Draws the map within the limits into the texture that is shown. */
static void draw_limited(view *v, const view_map *m) {
    const float *range = v->maps->range;
    const GLuint program = view_limit_program(v);
    const view_pane whole = {.shown = {0, 0, v->width, v->height}, .top = v->height, .scale_x = 1, .scale_y = 1};
    GLint before;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m->framebuffer);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    view_begin_drawing(v, program, &whole);
    /* Shaders need not know infinity. */
    glUniform2f(glGetUniformLocation(program, "range"), fmaxf(range[0], -FLT_MAX), fminf(range[1], FLT_MAX));
    view_bind(0, m->whole);
    view_end_drawing();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)before);
}

/* Shows the map whole, or within the limits. */
static void limit_map(view *v, view_map *m) {
    const bool limits = v->maps->limits;
    if (limits && !m->limited) {
        m->limited = view_make_texture(GL_NEAREST, "disparity within the limits");
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, v->width, v->height, 0, GL_RED, GL_FLOAT, NULL);
    }
    m->disparity = limits ? m->limited : m->whole;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m->framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m->disparity, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    if (limits) draw_limited(v, m);
}

void view_limit_maps(view *v, const float range[2]) {
    struct view_maps *maps = v->maps;
    if (range[0] == maps->range[0] && range[1] == maps->range[1]) return;
    maps->limits = range[0] > -INFINITY || range[1] < INFINITY;
    memcpy(maps->range, range, sizeof maps->range);
    for (int i = 0; i < 2; i++)
        if (maps->each[i].known) limit_map(v, &maps->each[i]);
    v->version++;
    maps->version++;
}

/* Notes that OpenGL reads a slot. */
static void read_slot(view *v, int slot) {
    if (!v->maps->imported[slot]) return;
    glDeleteSync(v->maps->reads[slot]);
    v->maps->reads[slot] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void view_finish(view *v, int slot) {
    GLsync *reads = &v->maps->reads[slot];
    if (*reads) glClientWaitSync(*reads, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
    glDeleteSync(*reads);
    *reads = NULL;
}

void view_show(view *v, int slot) {
    view_map *m = &v->maps->each[slot >= v->maps->slots];
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->maps->buffers[slot]);
    view_unpack_rows(0);
    glBindTexture(GL_TEXTURE_2D, m->whole);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, GL_RED, GL_FLOAT, NULL);
    glBindTexture(GL_TEXTURE_2D, m->reason);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
                    (const void *)view_reason_offset(v));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    read_slot(v, slot);
    if (v->maps->limits || m->disparity != m->whole) limit_map(v, m);
    m->known = true;
    m->has_confidence = false;
    v->version++;
    v->maps->version++;
}

void view_show_confidence(view *v, int slot) {
    view_map *m = &v->maps->each[slot >= v->maps->slots];
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, v->maps->buffers[slot]);
    view_unpack_rows(0);
    glBindTexture(GL_TEXTURE_2D, m->confidence);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, v->width, v->height, GL_RED, GL_UNSIGNED_BYTE,
                    (const void *)view_confidence_offset(v));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    read_slot(v, slot);
    m->has_confidence = true;
    v->version++;
}

void view_read_map(const view *v, int which, view_rect r, void *disparity, void *reason) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, v->maps->each[which].framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(r.x, r.y, r.width, r.height, GL_RED, GL_FLOAT, disparity);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(r.x, r.y, r.width, r.height, GL_RED_INTEGER, GL_UNSIGNED_BYTE, reason);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

void view_read_confidence(const view *v, int which, view_rect r, void *confidence) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, v->maps->each[which].framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadBuffer(GL_COLOR_ATTACHMENT2);
    glReadPixels(r.x, r.y, r.width, r.height, GL_RED, GL_UNSIGNED_BYTE, confidence);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
}

sv_status view_read_maps(view *v, int which, const sv_image *disparity, const sv_image *reason, sv_error *error) {
    if (disparity->format != SV_FLOAT32 || reason->format != SV_REASON8)
        return sv_fail(error, SV_USAGE, "a map is read as float32 disparities and reasons");
    sv_status status = view_check_size(v, disparity, error);
    if (status == SV_OK) status = view_check_size(v, reason, error);
    if (status != SV_OK) return status;
    if (!view_has_map(v, which)) return sv_fail(error, SV_USAGE, "there is no map to read yet");
    view_read_map(v, which, (view_rect){0, 0, v->width, v->height}, disparity->data, reason->data);
    return gl_check("reading the map", error);
}

/* ---- What is measured in them ------------------------------------------------------------------ */

const copied_maps *view_copy_maps(view *v, int64_t frame) {
    const unsigned framebuffers[2] = {v->maps->each[0].framebuffer, v->maps->each[1].framebuffer};
    if (!view_has_map(v, 0)) return NULL;
    return map_copier_follow(v->copier, framebuffers, view_has_map(v, 1) ? 2 : 1, view_version_of_map(v, 0), frame);
}

bool view_copies_map(const view *v, unsigned long long version) { return map_copier_has_begun(v->copier, version); }

void view_follow_range(view *v, view_settings *settings, const histogram *h, bool searched, float min, float max) {
    static const double period = 0.2; /* seconds between two steps towards a new range */
    static const float share = 0.35f; /* of the way, in a step */
    struct view_maps *maps = v->maps;
    const double now = sv_seconds();
    float range[2];
    if (settings->range == VIEW_RANGE_FIXED) return;
    if (h && now - maps->stepped >= period && histogram_range(h, &range[0], &range[1])) {
        for (int i = 0; i < 2; i++) maps->found[i] += (maps->stepped > 0 ? share : 1) * (range[i] - maps->found[i]);
        maps->stepped = now;
    }
    const bool automatic = (settings->range == VIEW_RANGE_AUTOMATIC || !searched) && maps->stepped > 0;
    settings->colour.min = automatic ? maps->found[0] : min;
    settings->colour.max = automatic ? maps->found[1] : max;
}

const histogram *view_histogram(view *v, int which, const sv_params *params) {
    if (!view_has_map(v, which)) return NULL;
    return histogram_follow(v->histogram, v->maps->each[which].framebuffer, view_version_of_map(v, which), params);
}
