/* Copies the map into pixel buffers: while one is read by the program, the next copy goes into the other. */
#include "render/view/map_copy.h"

#include "stereo/alloc.h"

#include <stdlib.h>

#include "render/window/gl.h"

struct map_copier {
    int width, height;
    GLuint buffers[2]; /* for each map height x width float32, then height x width uint8, all dense; 0: not made yet */
    int room;          /* maps that a buffer holds */
    GLsync copy;       /* NULL: no copy is under way */
    int into;          /* the buffer that is copied into next */
    bool any;          /* a copy was begun, of as many maps, of this version: */
    int count;
    unsigned long long version;
    int64_t frame;
    bool known; /* `newest` is valid; it is in the other buffer, which is mapped */
    copied_maps newest;
};

static size_t reasons_at(const map_copier *c) { return (size_t)c->width * (size_t)c->height * sizeof(float); }

/* Of one map; so that the next one is aligned as a float is. */
static size_t map_size(const map_copier *c) {
    const size_t pixels = (size_t)c->width * (size_t)c->height, word = sizeof(float);
    return reasons_at(c) + (pixels + word - 1) / word * word;
}

static size_t buffer_size(const map_copier *c) { return (size_t)c->room * map_size(c); }

map_copier *map_copier_create(int width, int height) {
    map_copier *c = sv_alloc(1, sizeof *c);
    c->width = width;
    c->height = height;
    return c;
}

void map_copier_destroy(map_copier *c) {
    if (!c) return;
    if (c->copy) glDeleteSync(c->copy);
    glDeleteBuffers(2, c->buffers); /* unmaps them */
    free(c);
}

/* Makes buffers for this many maps; earlier copies are lost. */
static void make_buffers(map_copier *c, int maps) {
    glDeleteBuffers(2, c->buffers);
    c->known = false;
    c->room = maps;
    glGenBuffers(2, c->buffers);
    for (int i = 0; i < 2; i++) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, c->buffers[i]);
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)buffer_size(c), NULL, GL_STREAM_READ);
        gl_label(GL_BUFFER, c->buffers[i], "copy of the map");
    }
}

static void begin(map_copier *c, const GLuint *framebuffers) {
    if (c->room < c->count) make_buffers(c, c->count);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, c->buffers[c->into]);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (int i = 0; i < c->count; i++) {
        const uintptr_t to = (uintptr_t)i * map_size(c); /* in the buffer, which OpenGL wants as an address */
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[i]);
        glReadBuffer(GL_COLOR_ATTACHMENT0);
        glReadPixels(0, 0, c->width, c->height, GL_RED, GL_FLOAT, (void *)to);
        glReadBuffer(GL_COLOR_ATTACHMENT1);
        glReadPixels(0, 0, c->width, c->height, GL_RED_INTEGER, GL_UNSIGNED_BYTE, (void *)(to + reasons_at(c)));
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    c->copy = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* Takes the copy if it has arrived, replacing the previous one. */
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
    c->newest.count = c->count;
    for (int i = 0; i < c->count; i++, memory += map_size(c))
        c->newest.maps[i] = (copied_map){
            .disparity = {memory, width * sizeof(float), c->width, c->height, SV_FLOAT32, SV_HOST},
            .reason = {memory + reasons_at(c), width, c->width, c->height, SV_REASON8, SV_HOST},
            .version = c->version + (unsigned)i,
            .frame = c->frame,
        };
}

const copied_maps *map_copier_follow(map_copier *c, const unsigned *framebuffers, int count, unsigned long long version,
                                     int64_t frame) {
    if (c->copy) end(c);
    if (!c->copy && !map_copier_has_begun(c, version)) {
        c->any = true;
        c->count = count;
        c->version = version;
        c->frame = frame;
        begin(c, framebuffers);
    }
    return c->known ? &c->newest : NULL;
}

bool map_copier_has_begun(const map_copier *c, unsigned long long version) { return c->any && version == c->version; }
