/* Reading back what is shown: see view_read.h. */
#include "render/view/view_read.h"

#include "render/view/view_maps.h"
#include "render/view/view_state.h"
#include "render/view/view_texture.h"
#include "render/view/view_units.h"

sv_status view_read_back(view *v, const view_settings *settings, const sv_image *colour, sv_error *error) {
    if (colour->format != SV_COLOUR8) return sv_fail(error, SV_USAGE, "a view is read back as a colour picture");
    sv_status status = view_check_size(v, colour, error);
    if (status != SV_OK) return status;
    if (!view_has_map(v, 0)) return sv_fail(error, SV_USAGE, "there is no map to read back yet");
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
    if (!view_has_map(v, which)) return sv_fail(error, SV_USAGE, "there is no map to read yet");
    view_read_map(v, which, (view_rect){0, 0, v->width, v->height}, disparity->data, reason->data);
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
