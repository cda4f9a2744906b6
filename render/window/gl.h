/* Helpers for OpenGL: programs, messages and labels.
 * Thread: main, with the context current. */
#ifndef RENDER_WINDOW_GL_H
#define RENDER_WINDOW_GL_H

#include <GL/glew.h>

#include "stereo/stereo.h"

/* Sends OpenGL's messages, except its notifications, to the log. False if the context lacks KHR_debug. */
bool gl_log_messages(void);

/* Names an object for debuggers and messages, if the context has KHR_debug. `kind` is GL_TEXTURE, GL_BUFFER, ... */
void gl_label(GLenum kind, GLuint object, const char *label);

/* Compiles and links a program. Both sources come without a version; they get a definition of REASON_COUNT and the
 * preprocessor lines in `defines`.
 * Errors: SV_FAILED, with the driver's message.
 * Lifetime: the caller deletes the program. */
sv_status gl_program(GLuint *program, const char *label, const char *defines, const char *vertex, const char *fragment,
                     sv_error *error);

/* Checks the framebuffer bound to GL_FRAMEBUFFER. `label`: its name, for the message.
 * Errors: SV_FAILED if it cannot be drawn to or read. */
sv_status gl_check_framebuffer(const char *label, sv_error *error);

/* Checks for OpenGL errors since the last call. `doing`: the activity, for the message.
 * Errors: SV_FAILED if OpenGL has recorded one. */
sv_status gl_check(const char *doing, sv_error *error);

/* Fills a rectangle of the framebuffer that is bound for drawing, pixels from its lower left corner, with a colour,
 * each 0 to 1. With OpenGL in software this takes much less time than drawing it. */
void gl_fill(int x, int y, int width, int height, float red, float green, float blue);

#endif
