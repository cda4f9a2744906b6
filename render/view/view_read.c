/* Reading what is drawn: the pixel under the mouse, and the coloured map. */
#include "render/view/view_state.h"

#include <string.h>

/* Begins to read the pixel at pick_x, pick_y. */
static void begin_pick(view *v) {
    glBindBuffer(GL_PIXEL_PACK_BUFFER, v->picked);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (int i = 0; i < 2; i++) {
        const uintptr_t to = (uintptr_t)i * VIEW_PICKED_BYTES; /* in the buffer, which OpenGL wants as an address */
        if (!v->maps[i].known) continue;
        glBindFramebuffer(GL_READ_FRAMEBUFFER, v->maps[i].framebuffer);
        glReadBuffer(GL_COLOR_ATTACHMENT0);
        glReadPixels(v->pick_x, v->pick_y, 1, 1, GL_RED, GL_FLOAT, (void *)to);
        glReadBuffer(GL_COLOR_ATTACHMENT1);
        glReadPixels(v->pick_x, v->pick_y, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_BYTE, (void *)(to + sizeof(float)));
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    v->pick_compared = v->maps[1].known;
    v->pick_read = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    v->pick_number = false;
}

/* Begins to read which pixel the cloud shows at a position in its cell. */
static void begin_number(view *v, int x, int y) {
    glBindBuffer(GL_PIXEL_PACK_BUFFER, v->picked);
    v->pick_number = cloud_read_pixel(v->cloud.cloud, x, y);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (v->pick_number) v->pick_read = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

/* Converts the number of a pixel, which the cloud gives, to its position. */
static void follow_number(view *v, uint32_t number) {
    v->pick_number = false;
    if (!number || number > (uint32_t)v->width * (uint32_t)v->height) {
        v->has_pick = false;
        return;
    }
    v->pick_x = (int)((number - 1) % (uint32_t)v->width);
    v->pick_y = (int)((number - 1) / (uint32_t)v->width);
    begin_pick(v);
}

/* Takes the pixel that has been read, if it has arrived. */
static void end_pick(view *v) {
    if (!v->pick_read || glClientWaitSync(v->pick_read, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return;
    uint8_t bytes[2 * VIEW_PICKED_BYTES], *second = bytes + VIEW_PICKED_BYTES;
    glDeleteSync(v->pick_read);
    v->pick_read = NULL;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, v->picked);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof bytes, bytes);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (v->pick_number) {
        uint32_t number;
        memcpy(&number, bytes, sizeof number);
        follow_number(v, number);
        return;
    }
    v->pick = (view_pixel){.x = v->pick_x,
                           .y = v->pick_y,
                           .reason = bytes[sizeof(float)],
                           .compared = v->maps[1].known && v->pick_compared,
                           .second_reason = second[sizeof(float)]};
    memcpy(&v->pick.disparity, bytes, sizeof v->pick.disparity);
    memcpy(&v->pick.second_disparity, second, sizeof v->pick.second_disparity);
    v->has_pick = true;
}

bool view_pick(view *v, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel) {
    view_part parts[VIEW_MOST_PARTS];
    double at_x, at_y;
    end_pick(v);
    const int count = view_parts(settings, area, v->width, v->height, parts);
    for (int i = 0; i < count && v->maps[0].known; i++) {
        const view_rect *cell = &parts[i].pane.cell;
        const bool cloud = parts[i].kind == VIEW_CLOUD;
        const bool inside =
            cloud ? layout_find(cell, 1, x, y) == 0 : layout_to_picture(&parts[i].pane, x, y, &at_x, &at_y);
        if (parts[i].kind == VIEW_RIGHT || !inside) continue;
        if (cloud != v->picked_cloud) view_forget_pick(v);
        v->picked_cloud = cloud;
        v->picked_part = i;
        v->picked_map = view_map_at(v, settings, parts[i].kind, cell, x);
        if (!v->pick_read && cloud) {
            begin_number(v, x - cell->x, y - cell->y);
        } else if (!v->pick_read) {
            v->pick_x = (int)at_x;
            v->pick_y = (int)at_y;
            begin_pick(v);
        }
        v->pick.shows_second = v->pick.compared && v->picked_map;
        *pixel = v->pick;
        return v->has_pick;
    }
    view_forget_pick(v);
    return false;
}

sv_status view_read_back(view *v, const view_settings *settings, const sv_image *colour, sv_error *error) {
    if (colour->format != SV_COLOUR8) return sv_fail(error, SV_USAGE, "a view is read back as a colour picture");
    sv_status status = view_check_size(v, colour, error);
    if (status != SV_OK) return status;
    if (!v->maps[0].known) return sv_fail(error, SV_USAGE, "there is no map to read back yet");
    GLuint texture = view_make_texture(GL_NEAREST, "read back"), framebuffer;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, v->width, v->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    status = gl_check_framebuffer("read back", error);
    if (status == SV_OK) {
        view_draw_map_exactly(v, &settings->colour);
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

sv_status view_read_maps(view *v, int which, const sv_image *disparity, const sv_image *reason, sv_error *error) {
    if (disparity->format != SV_FLOAT32 || reason->format != SV_REASON8)
        return sv_fail(error, SV_USAGE, "a map is read as float32 disparities and reasons");
    sv_status status = view_check_size(v, disparity, error);
    if (status == SV_OK) status = view_check_size(v, reason, error);
    if (status != SV_OK) return status;
    if (!v->maps[which].known) return sv_fail(error, SV_USAGE, "there is no map to read yet");
    glBindFramebuffer(GL_READ_FRAMEBUFFER, v->maps[which].framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    glReadPixels(0, 0, v->width, v->height, GL_RED, GL_FLOAT, disparity->data);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(0, 0, v->width, v->height, GL_RED_INTEGER, GL_UNSIGNED_BYTE, reason->data);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    return gl_check("reading the map", error);
}

sv_status view_grab(view_rect area, const sv_image *colour, sv_error *error) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    /* OpenGL's first row is the lowest. */
    for (int y = 0; y < area.height; y++)
        glReadPixels(area.x, area.y + area.height - 1 - y, area.width, 1, GL_RGBA, GL_UNSIGNED_BYTE, sv_row(colour, y));
    return gl_check("reading the window", error);
}
