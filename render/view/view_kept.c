/* Keeps the views as they were last drawn, so that a frame in which only the panel or the mouse changes copies them:
 * OpenGL in software takes a few hundred milliseconds to draw four views of large pictures. */
#include "render/view/view_kept.h"

#include <string.h>

static sv_status resize(view_kept *k, int width, int height, sv_error *error) {
    GLint bound;
    if (!k->framebuffer) glGenFramebuffers(1, &k->framebuffer);
    if (!k->colour) glGenRenderbuffers(1, &k->colour);
    k->width = width;
    k->height = height;
    memset(k->parts, 0, sizeof k->parts);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    glBindRenderbuffer(GL_RENDERBUFFER, k->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    gl_label(GL_RENDERBUFFER, k->colour, "views");
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, k->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, k->colour);
    gl_label(GL_FRAMEBUFFER, k->framebuffer, "views");
    sv_status status = gl_check("making the framebuffer of the views", error);
    if (status == SV_OK) status = gl_check_framebuffer("views", error);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
    return status;
}

bool view_keep(view_kept *k, view_rect area) {
    const int width = area.x + area.width, height = area.y + area.height;
    sv_error error;
    if (k->failed || (width == k->width && height == k->height)) return !k->failed;
    k->failed = resize(k, width, height, &error) != SV_OK;
    if (k->failed) sv_log(SV_LOG_WARNING, "redrawing the views for every frame: %s", error.text);
    return !k->failed;
}

void view_free_kept(view_kept *k) {
    glDeleteFramebuffers(1, &k->framebuffer);
    glDeleteRenderbuffers(1, &k->colour);
}

void view_copy_kept(const view_kept *k, const view_rect *r, GLuint framebuffer) {
    const int right = r->x + r->width, top = r->y + r->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, k->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(r->x, r->y, right, top, r->x, r->y, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}
