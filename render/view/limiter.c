/* Limits the depth of a map: see limiter.h. */
#include "render/view/limiter.h"

#include "stereo/alloc.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

extern const char shader_view_vert[], shader_limit_frag[];

struct limiter {
    GLuint program;  /* 0: not made yet */
    GLuint vertices; /* an empty vertex array, which OpenGL requires */
};

limiter *limiter_create(void) {
    limiter *l = sv_alloc(1, sizeof *l);
    glGenVertexArrays(1, &l->vertices);
    return l;
}

void limiter_destroy(limiter *l) {
    if (!l) return;
    glDeleteProgram(l->program);
    glDeleteVertexArrays(1, &l->vertices);
    free(l);
}

sv_status limiter_draw(limiter *l, GLuint framebuffer, GLuint from, int width, int height, const float range[2],
                       sv_error *error) {
    GLint before;
    const sv_status status =
        l->program ? SV_OK : gl_program(&l->program, "limit", "", shader_view_vert, shader_limit_frag, error);
    if (status != SV_OK) return status;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glViewport(0, 0, width, height);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(l->vertices);
    glUseProgram(l->program);
    /* Shaders need not know infinity. */
    glUniform2f(glGetUniformLocation(l->program, "range"), fmaxf(range[0], -FLT_MAX), fminf(range[1], FLT_MAX));
    glUniform1f(glGetUniformLocation(l->program, "up"), 1);
    glUniform4f(glGetUniformLocation(l->program, "part"), 0, 0, 1, 1);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, from);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)before);
    return SV_OK;
}
