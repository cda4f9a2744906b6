/* Reads the pixel under the mouse, without waiting for the GPU. */
#include "render/view/view_maps.h"
#include "render/view/view_units.h"
#include "stereo/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { PICKED_BYTES = 2 * sizeof(float) }; /* of each map; the address of a float is a multiple of its size */

typedef struct view_picker {
    GLuint buffer;       /* pixel buffer for one pixel of both maps: disparity, reason and confidence of A, then of B */
    GLsync read;         /* NULL: no read is in progress */
    bool number;         /* what is read is its number, from the cloud; otherwise it is at: */
    int x, y;            /* position of the pixel being read */
    bool compared;       /* it is read of B, too */
    bool has_confidence; /* the confidence is read, too */
    view_pixel pixel;    /* the last pixel read, if `has` */
    bool has;
    int part;   /* index of the part that the mouse is in, -1: none, */
    int map;    /* and which map is shown there */
    bool cloud; /* it shows the cloud */
} view_picker;

void view_pick_create(view *v) {
    view_picker *p = v->picker = sv_alloc(1, sizeof *p);
    glGenBuffers(1, &p->buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, p->buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, 2 * PICKED_BYTES, NULL, GL_STREAM_READ);
    gl_label(GL_BUFFER, p->buffer, "picked pixel");
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

/* Drops the pending pixel, so that the next one is where the mouse returns. */
static void forget(view_picker *p) {
    if (p->read) glDeleteSync(p->read);
    p->read = NULL;
    p->has = false;
    p->part = -1;
}

void view_pick_destroy(view *v) {
    if (!v->picker) return;
    forget(v->picker);
    glDeleteBuffers(1, &v->picker->buffer);
    free(v->picker);
}

const view_pixel *view_picked(const view *v, int *part) {
    *part = v->picker->part;
    return v->picker->has ? &v->picker->pixel : NULL;
}

/* Begins to read the pixel at x, y. */
static void begin_pick(view *v) {
    view_picker *p = v->picker;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, p->buffer);
    for (int i = 0; i < 2; i++) {
        const uintptr_t to = (uintptr_t)i * PICKED_BYTES; /* in the buffer, which OpenGL wants as an address */
        const view_rect pixel = {p->x, p->y, 1, 1};
        if (view_has_map(v, i)) view_read_map(v, i, pixel, (void *)to, (void *)(to + sizeof(float)));
        if (view_has_confidence(v, i)) view_read_confidence(v, i, pixel, (void *)(to + sizeof(float) + 1));
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    p->compared = view_has_map(v, 1);
    p->has_confidence = view_has_confidence(v, 0);
    p->read = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    p->number = false;
}

/* Begins to read which pixel the cloud shows at a position in its cell. */
static void begin_number(view *v, int x, int y) {
    view_picker *p = v->picker;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, p->buffer);
    p->number = view_cloud_read_pixel(v, x, y);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (p->number) p->read = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* Converts the number of a pixel, which the cloud gives, to its position. */
static void follow_number(view *v, uint32_t number) {
    view_picker *p = v->picker;
    p->number = false;
    if (!number || number > (uint32_t)v->width * (uint32_t)v->height) {
        p->has = false;
        return;
    }
    p->x = (int)((number - 1) % (uint32_t)v->width);
    p->y = (int)((number - 1) / (uint32_t)v->width);
    begin_pick(v);
}

/* Takes the pixel that has been read, if it has arrived. */
static void end_pick(view *v) {
    view_picker *p = v->picker;
    if (!p->read || glClientWaitSync(p->read, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return;
    uint8_t bytes[2 * PICKED_BYTES], *second = bytes + PICKED_BYTES;
    glDeleteSync(p->read);
    p->read = NULL;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, p->buffer);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof bytes, bytes);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (p->number) {
        uint32_t number;
        memcpy(&number, bytes, sizeof number);
        follow_number(v, number);
        return;
    }
    p->pixel = (view_pixel){.x = p->x,
                            .y = p->y,
                            .reason = bytes[sizeof(float)],
                            .compared = view_has_map(v, 1) && p->compared,
                            .second_reason = second[sizeof(float)],
                            .has_confidence = p->has_confidence,
                            .confidence = bytes[sizeof(float) + 1],
                            .second_confidence = second[sizeof(float) + 1]};
    memcpy(&p->pixel.disparity, bytes, sizeof p->pixel.disparity);
    memcpy(&p->pixel.second_disparity, second, sizeof p->pixel.second_disparity);
    p->has = true;
}

bool view_pick(view *v, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel) {
    view_picker *p = v->picker;
    view_part parts[VIEW_MOST_PARTS];
    double at_x, at_y;
    end_pick(v);
    const int count = view_parts(settings, area, v->width, v->height, parts);
    for (int i = 0; i < count && view_has_map(v, 0); i++) {
        const view_rect *cell = &parts[i].pane.cell;
        const bool cloud = parts[i].kind == VIEW_CLOUD;
        const bool inside =
            cloud ? layout_find(cell, 1, x, y) == 0 : layout_to_picture(&parts[i].pane, x, y, &at_x, &at_y);
        if (parts[i].kind == VIEW_RIGHT || !inside) continue;
        if (cloud != p->cloud) forget(p);
        p->cloud = cloud;
        p->part = i;
        p->map = view_map_at(v, settings, parts[i].kind, cell, x);
        if (!p->read && cloud) {
            begin_number(v, x - cell->x, y - cell->y);
        } else if (!p->read) {
            p->x = (int)at_x;
            p->y = (int)at_y;
            begin_pick(v);
        }
        p->pixel.shows_second = p->pixel.compared && p->map;
        *pixel = p->pixel;
        return p->has;
    }
    forget(p);
    return false;
}

bool view_pick_now(view *v, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel) {
    bool found = false;
    forget(v->picker);
    /* In the cloud the first read is of the number of the pixel. */
    for (int reads = 0; reads <= 2 && !found; reads++) {
        if (reads) glFinish();
        found = view_pick(v, settings, area, x, y, pixel);
    }
    return found;
}

double view_depth_at(view *v, const view_settings *settings, view_rect area, int x, int y) {
    view_pixel at;
    double point[3];
    if (!view_pick_now(v, settings, area, x, y, &at)) return 0;
    return space_point(view_space(v), at.x, at.y, view_pixel_seen(&at), point) ? point[2] : 0;
}
