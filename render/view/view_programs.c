/* The programs that draw the views: one for each variant, made when it is first used, because OpenGL in software
 * computes both sides of every branch. */
#include "render/view/view_programs.h"

#include <stdio.h>

extern const char shader_view_vert[], shader_disparity_frag[], shader_picture_frag[];

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

sv_status view_make_programs(view_programs *p, sv_error *error) {
    const sv_status status = make_picture_program(p, 1, false, error);
    return status == SV_OK ? make_map_program(p, VIEW_BY_DISPARITY, 1, 1, error) : status;
}

GLuint view_map_program(view_programs *p, view_map_mode mode, int taps_x, int taps_y) {
    sv_error error;
    const sv_status status = make_map_program(p, mode, taps_x, taps_y, &error);
    return check(p, p->map[mode][taps_x - 1][taps_y - 1], status, &error);
}

GLuint view_picture_program(view_programs *p, unsigned sides, bool magnified) {
    sv_error error;
    const sv_status status = make_picture_program(p, sides, magnified, &error);
    return check(p, p->picture[sides - 1][magnified], status, &error);
}

void view_free_programs(view_programs *p) {
    for (int mode = 0; mode < VIEW_MAP_MODES; mode++)
        for (int x = 0; x < VIEW_MOST_TAPS; x++)
            for (int y = 0; y < VIEW_MOST_TAPS; y++) glDeleteProgram(p->map[mode][x][y]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) glDeleteProgram(p->picture[i][j]);
}
