/* Textures of the view.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_TEXTURE_H
#define RENDER_VIEW_VIEW_TEXTURE_H

#include "render/view/view.h"
#include "render/window/gl.h"

/* A texture without mipmaps, or with those that the filter asks for. */
GLuint view_make_texture(GLenum filter, const char *label);

/* What is uploaded next has rows that are not padded to four bytes and are parts of rows of so many pixels; 0: they are
 * rows of their own. */
void view_unpack_rows(size_t pixels);

/* Errors: SV_USAGE if the image has another size than the maps. */
sv_status view_check_size(const view *view, const sv_image *image, sv_error *error);

#endif
