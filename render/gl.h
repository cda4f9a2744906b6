/* What every user of OpenGL here needs: programs, messages and labels. Main thread, context current. */
#ifndef RENDER_GL_H
#define RENDER_GL_H

#include <GL/glew.h>

#include "stereo/stereo.h"

/* Sends OpenGL's messages to the log, where the context has KHR_debug; false if it has not. */
bool gl_log_messages(void);

/* Names an object for debuggers and messages, where the context has KHR_debug. `kind` is GL_TEXTURE,
 * GL_BUFFER, ... */
void gl_label(GLenum kind, GLuint object, const char *label);

/* Compiles and links. SV_FAILED with the driver's message. The caller deletes the program. */
sv_status gl_program(GLuint *program, const char *label, const char *vertex, const char *fragment, sv_error *error);

/* SV_FAILED if the framebuffer that is bound to GL_FRAMEBUFFER cannot be drawn to or read; `label` is its name. */
sv_status gl_check_framebuffer(const char *label, sv_error *error);

/* SV_FAILED if OpenGL has recorded an error since the last call; `doing` is what was being done. */
sv_status gl_check(const char *doing, sv_error *error);

#endif
