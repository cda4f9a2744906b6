/* Copies the map into pixel buffers: while one is read by the program, the next copy goes into the other. */
#include "render/map_copy.h"

#include <stdlib.h>

#include "render/gl.h"

struct map_copier {
    int width, height;
    GLuint buffers[2]; /* height x width float32, then height x width uint8, both dense; 0: not made yet */
    GLsync copy;       /* NULL: no copy is under way */
    int into;          /* the buffer that is copied into next */
    bool any;          /* a copy was begun, of this version: */
    unsigned long long version;
    int64_t frame;
    bool known; /* `newest` is valid; it is in the other buffer, which is mapped */
    copied_map newest;
};

static size_t reasons_at(const map_copier *c) { return (size_t)c->width * (size_t)c->height * sizeof(float); }
static size_t buffer_size(const map_copier *c) { return reasons_at(c) + (size_t)c->width * (size_t)c->height; }

sv_status map_copier_create(map_copier **out, int width, int height, sv_error *error) {
    *out = calloc(1, sizeof **out);
    if (!*out) return sv_fail(error, SV_FAILED, "out of memory for copies of the map");
    (*out)->width = width;
    (*out)->height = height;
    return SV_OK;
}

void map_copier_destroy(map_copier *c) {
    if (!c) return;
    if (c->copy) glDeleteSync(c->copy);
    glDeleteBuffers(2, c->buffers); /* unmaps them */
    free(c);
}

static void make_buffers(map_copier *c) {
    glGenBuffers(2, c->buffers);
    for (int i = 0; i < 2; i++) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, c->buffers[i]);
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)buffer_size(c), NULL, GL_STREAM_READ);
        gl_label(GL_BUFFER, c->buffers[i], "copy of the map");
    }
}

static void begin(map_copier *c, GLuint framebuffer) {
    if (!c->buffers[0]) make_buffers(c);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, c->buffers[c->into]);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(0, 0, c->width, c->height, GL_RED, GL_FLOAT, NULL);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(0, 0, c->width, c->height, GL_RED_INTEGER, GL_UNSIGNED_BYTE, (void *)reasons_at(c));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    c->copy = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* Takes the copy if it has arrived, in place of the one before. */
static void end(map_copier *c) {
    if (glClientWaitSync(c->copy, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return;
    glDeleteSync(c->copy);
    c->copy = NULL;
    const int before = !c->into;
    if (c->known) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, c->buffers[before]);
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, c->buffers[c->into]);
    char *memory = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)buffer_size(c), GL_MAP_READ_BIT);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    c->known = memory != NULL;
    c->into = before;
    if (!memory) return;
    const size_t width = (size_t)c->width;
    c->newest = (copied_map){
        .disparity = {memory, width * sizeof(float), c->width, c->height, SV_FLOAT32, SV_HOST},
        .reason = {memory + reasons_at(c), width, c->width, c->height, SV_REASON8, SV_HOST},
        .version = c->version,
        .frame = c->frame,
    };
}

const copied_map *map_copier_follow(map_copier *c, unsigned framebuffer, unsigned long long version, int64_t frame) {
    if (c->copy) end(c);
    if (!c->copy && (!c->any || version != c->version)) {
        c->any = true;
        c->version = version;
        c->frame = frame;
        begin(c, framebuffer);
    }
    return c->known ? &c->newest : NULL;
}
