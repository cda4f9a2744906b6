/* Programs from source, OpenGL's messages into the log, and labels. */
#include "render/window/gl.h"

#include "map/colour.h"

#include <stdio.h>
#include <string.h>

static void GLAPIENTRY on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                  const GLchar *text, const void *user) {
    (void)source, (void)length, (void)user;
    sv_level level = SV_LOG_DEBUG;
    if (type == GL_DEBUG_TYPE_ERROR)
        level = SV_LOG_ERROR;
    else if (type != GL_DEBUG_TYPE_PERFORMANCE && severity == GL_DEBUG_SEVERITY_HIGH)
        level = SV_LOG_WARNING;
    sv_log(level, "OpenGL (%u): %.*s", id, (int)strcspn(text, "\n"), text);
}

bool gl_log_messages(void) {
    if (!GLEW_KHR_debug) return false;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    /* They report where buffers lie, with every frame. */
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, NULL, GL_FALSE);
    glDebugMessageCallback(on_message, NULL);
    return true;
}

void gl_label(GLenum kind, GLuint object, const char *label) {
    if (GLEW_KHR_debug) glObjectLabel(kind, object, -1, label);
}

extern const char shader_common_glsl[];

/* The files of shaders/ lack the version, the constants of the C code, and what they share. */
static sv_status compile(GLuint *shader, GLenum kind, const char *label, const char *defines, const char *text,
                         sv_error *error) {
    char head[192];
    const char *const parts[] = {head, defines, shader_common_glsl, "#line 1\n", text};
    GLint done;
    snprintf(head, sizeof head,
             "#version 330 core\n#define REASON_COUNT %d\n"
             "#define ERROR_MORE %d\n#define ERROR_NONE %d\n#define ERROR_UNKNOWN %d\n",
             SV_REASON_COUNT, COLOUR_ERROR_MORE, COLOUR_ERROR_NONE, COLOUR_ERROR_UNKNOWN);
    *shader = glCreateShader(kind);
    glShaderSource(*shader, sizeof parts / sizeof *parts, parts, NULL);
    glCompileShader(*shader);
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &done);
    if (done) return SV_OK;
    char log[400] = "";
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    glDeleteShader(*shader);
    return sv_fail(error, SV_FAILED, "cannot compile the %s shader of '%s': %.*s",
                   kind == GL_VERTEX_SHADER ? "vertex" : "fragment", label, (int)strcspn(log, "\n"), log);
}

sv_status gl_program(GLuint *program, const char *label, const char *defines, const char *vertex, const char *fragment,
                     sv_error *error) {
    GLuint shaders[2];
    GLint done;
    *program = 0;
    sv_status status = compile(&shaders[0], GL_VERTEX_SHADER, label, defines, vertex, error);
    if (status != SV_OK) return status;
    status = compile(&shaders[1], GL_FRAGMENT_SHADER, label, defines, fragment, error);
    if (status != SV_OK) {
        glDeleteShader(shaders[0]);
        return status;
    }
    const GLuint linked = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        glAttachShader(linked, shaders[i]);
        glDeleteShader(shaders[i]); /* lives on for as long as the program */
    }
    glLinkProgram(linked);
    glGetProgramiv(linked, GL_LINK_STATUS, &done);
    if (!done) {
        char log[400] = "";
        glGetProgramInfoLog(linked, sizeof log, NULL, log);
        glDeleteProgram(linked);
        return sv_fail(error, SV_FAILED, "cannot link the program '%s': %.*s", label, (int)strcspn(log, "\n"), log);
    }
    gl_label(GL_PROGRAM, linked, label);
    *program = linked;
    return SV_OK;
}

sv_status gl_check_framebuffer(const char *label, sv_error *error) {
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status == GL_FRAMEBUFFER_COMPLETE) return SV_OK;
    const char *why = status == GL_FRAMEBUFFER_UNSUPPORTED             ? "its formats are not supported together"
                      : status == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT ? "a texture of it cannot be drawn to"
                      : status == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT ? "it has no texture"
                                                                               : "it is incomplete";
    return sv_fail(error, SV_FAILED,
                   "OpenGL cannot use the framebuffer '%s': %s (0x%04x); update the graphics driver, or run with "
                   "--headless",
                   label, why, status);
}

sv_status gl_check(const char *doing, sv_error *error) {
    const GLenum code = glGetError();
    if (code == GL_NO_ERROR) return SV_OK;
    while (glGetError() != GL_NO_ERROR) {
    }
    return sv_fail(error, SV_FAILED, "OpenGL failed while %s: %s (0x%04x)", doing,
                   code == GL_OUT_OF_MEMORY ? "out of memory" : "invalid use", code);
}

void gl_fill(int x, int y, int width, int height, float red, float green, float blue) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, y, width, height);
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}
