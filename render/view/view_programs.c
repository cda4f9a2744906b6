/* The programs that draw the views, and drawing with them. Each variant is made when it is first used, because OpenGL
 * in software computes both sides of every branch. */
#include "render/view/view_units.h"

#include <stdio.h>

extern const char shader_view_vert[], shader_disparity_frag[], shader_picture_frag[], shader_limit_frag[];

/* A program with its textures in units 0, 1, ...; NULL ends the names. */
static sv_status make_program(GLuint *program, const char *name, const char *defines, const char *fragment,
                              const char *const *textures, sv_error *error) {
    const sv_status status = gl_program(program, name, defines, shader_view_vert, fragment, error);
    if (status != SV_OK) return status;
    glUseProgram(*program);
    for (int i = 0; textures[i]; i++) glUniform1i(glGetUniformLocation(*program, textures[i]), i);
    glUseProgram(0);
    return SV_OK;
}

static sv_status make_map_program(view_programs *p, view_map_mode mode, int taps_x, int taps_y, sv_error *error) {
    static const char *const textures[] = {"disparity", "reason", "colours", "truth", NULL};
    GLuint *program = &p->map[mode][taps_x - 1][taps_y - 1];
    char defines[80];
    if (*program) return SV_OK;
    snprintf(defines, sizeof defines, "#define MODE %d\n#define TAPS ivec2(%d, %d)\n", (int)mode, taps_x, taps_y);
    return make_program(program, "disparity", defines, shader_disparity_frag, textures, error);
}

static sv_status make_picture_program(view_programs *p, unsigned sides, bool magnified, sv_error *error) {
    static const char *const textures[] = {"left", "right", "left_places", "right_places", NULL};
    GLuint *program = &p->picture[sides - 1][magnified];
    char defines[120];
    if (*program) return SV_OK;
    snprintf(defines, sizeof defines, "#define LEFT %s\n#define RIGHT %s\n#define MAGNIFIED %s\n",
             sides & 1 ? "true" : "false", sides & 2 ? "true" : "false", magnified ? "true" : "false");
    return make_program(program, "picture", defines, shader_picture_frag, textures, error);
}

/* Reports the first program that could not be made. */
static GLuint check(view_programs *p, GLuint program, sv_status status, const sv_error *error) {
    if (status != SV_OK && !p->failed) sv_log(SV_LOG_ERROR, "a view stays empty: %s", error->text);
    p->failed |= status != SV_OK;
    return program;
}

sv_status view_make_programs(view *v, sv_error *error) {
    view_programs *p = &v->programs;
    static const char *const textures[] = {"disparity", NULL};
    sv_status status = make_program(&p->limit, "limit", "", shader_limit_frag, textures, error);
    if (status == SV_OK) status = make_picture_program(p, 1, false, error);
    return status == SV_OK ? make_map_program(p, VIEW_BY_DISPARITY, 1, 1, error) : status;
}

GLuint view_map_program(view *v, view_map_mode mode, int taps_x, int taps_y) {
    view_programs *p = &v->programs;
    sv_error error;
    const sv_status status = make_map_program(p, mode, taps_x, taps_y, &error);
    return check(p, p->map[mode][taps_x - 1][taps_y - 1], status, &error);
}

GLuint view_picture_program(view *v, unsigned sides, bool magnified) {
    view_programs *p = &v->programs;
    sv_error error;
    const sv_status status = make_picture_program(p, sides, magnified, &error);
    return check(p, p->picture[sides - 1][magnified], status, &error);
}

GLuint view_limit_program(const view *v) { return v->programs.limit; }

void view_free_programs(view *v) {
    const view_programs *p = &v->programs;
    glDeleteProgram(p->limit);
    for (int mode = 0; mode < VIEW_MAP_MODES; mode++)
        for (int x = 0; x < VIEW_MOST_TAPS; x++)
            for (int y = 0; y < VIEW_MOST_TAPS; y++) glDeleteProgram(p->map[mode][x][y]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) glDeleteProgram(p->picture[i][j]);
}

/* ---- Drawing ---------------------------------------------------------------------------------- */

void view_bind(int unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

void view_begin_drawing(const view *v, GLuint program, const view_pane *pane) {
    const view_rect *r = &pane->shown;
    const double width = pane->scale_x * v->width, height = pane->scale_y * v->height;
    glViewport(r->x, r->y, r->width, r->height);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    /* Not a smaller viewport, which would round the places of the pixels in another way. */
    if (v->clip.width) glEnable(GL_SCISSOR_TEST);
    if (v->clip.width) glScissor(v->clip.x, v->clip.y, v->clip.width, v->clip.height);
    glDisable(GL_DITHER); /* it would change bytes */
    glBindVertexArray(v->vertices);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "part"), (float)((r->x - pane->left) / width),
                (float)((pane->top - r->y - r->height) / height), (float)(r->width / width),
                (float)(r->height / height));
}

void view_end_drawing(void) {
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_SCISSOR_TEST);
}
