/* Draws views into a texture and reads it. */
#include "tests/support/canvas.h"
#include "render/window/gl.h"

/* Draws into a framebuffer of that size, and reads it into rows, the lowest first. */
static void draw(view *v, const view_settings *settings, view_rect area, int width, int height, const sv_image *rows) {
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    view_draw(v, settings, area);
    for (int y = 0; y < height; y++) glReadPixels(0, y, width, 1, GL_RGBA, GL_UNSIGNED_BYTE, sv_row(rows, y));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

void draw_on(canvas *on, view *v, const view_settings *settings, view_rect area) {
    const sv_image rows = {on->pixels, sizeof *on->pixels, CANVAS_WIDTH, CANVAS_HEIGHT, SV_COLOUR8, SV_HOST};
    draw(v, settings, area, CANVAS_WIDTH, CANVAS_HEIGHT, &rows);
}

void draw_map_into(const sv_image *colour, view *v, const view_settings *settings) {
    view_settings alone = *settings;
    alone.layout = VIEW_ONE;
    alone.kinds[0] = VIEW_DISPARITY;
    alone.zoom = (view_zoom){0};
    draw(v, &alone, (view_rect){0, 0, colour->width, colour->height}, colour->width, colour->height, colour);
    /* The first row that was read is the lowest. */
    for (int y = 0; y < colour->height / 2; y++) {
        uint8_t *upper = sv_row(colour, y), *lower = sv_row(colour, colour->height - 1 - y);
        for (int x = 0; x < 4 * colour->width; x++) {
            const uint8_t byte = upper[x];
            upper[x] = lower[x];
            lower[x] = byte;
        }
    }
}
