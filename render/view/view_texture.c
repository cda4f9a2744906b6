/* Textures of the view: see view_texture.h. */
#include "render/view/view_texture.h"

#include "render/view/view_state.h"

GLuint view_make_texture(GLenum filter, const char *label) {
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl_label(GL_TEXTURE, texture, label);
    return texture;
}

void view_unpack_rows(size_t pixels) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)pixels);
}

sv_status view_check_size(const view *v, const sv_image *image, sv_error *error) {
    if (image->width == v->width && image->height == v->height) return SV_OK;
    return sv_fail(error, SV_USAGE, "a picture of %d x %d pixels cannot be shown in a view made for %d x %d",
                   image->width, image->height, v->width, v->height);
}
