/* Takes their disparity from the pixels outside limits of the depth, in a texture, so that all that reads it agrees.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_LIMITER_H
#define RENDER_VIEW_LIMITER_H

#include "render/window/gl.h"
#include "stereo/stereo.h"

typedef struct limiter limiter;

/* Lifetime: the caller destroys it with limiter_destroy, while the context is current. */
limiter *limiter_create(void);
void limiter_destroy(limiter *limiter); /* accepts NULL */

/* Draws the disparities of `from`, a texture of width x height R32F, that lie from range[0] to range[1] into attachment
 * 0 of `framebuffer`, which is R32F, too, and infinity in place of the others.
 * Errors: SV_FAILED if OpenGL cannot; nothing is drawn then. */
sv_status limiter_draw(limiter *limiter, GLuint framebuffer, GLuint from, int width, int height, const float range[2],
                       sv_error *error);

#endif
