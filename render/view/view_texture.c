/* Textures of the view: see view_texture.h. */
#include "render/view/view_texture.h"

#include "render/view/view_state.h"

#include <stdio.h>

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

sv_status view_upload_floats(const view *v, const sv_image *picture, const char *label, GLuint *texture,
                             sv_error *error) {
    char doing[48];
    const sv_status status = view_check_size(v, picture, error);
    if (status != SV_OK) return status;
    if (!*texture) *texture = view_make_texture(GL_NEAREST, label);
    glBindTexture(GL_TEXTURE_2D, *texture);
    view_unpack_rows(picture->stride / sizeof(float));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, v->width, v->height, 0, GL_RED, GL_FLOAT, picture->data);
    view_unpack_rows(0);
    snprintf(doing, sizeof doing, "passing the %s to the view", label);
    return gl_check(doing, error);
}
