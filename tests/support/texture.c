/* Smooth random textures, and pictures of them. */
#include "tests/support/texture.h"

#include "tests/support/test.h"

#include <stdlib.h>

sv_image grey_picture(int width, int height) {
    const sv_image image = {malloc((size_t)width * (size_t)height), (size_t)width, width, height, SV_GREY8, SV_HOST};
    assert_non_null(image.data);
    return image;
}

void free_grey_pair(const sv_pair *pair) {
    free(pair->left.data);
    free(pair->right.data);
}

static uint32_t hash(int x, int y, int scene) {
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)scene * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    return (h ^ h >> 12) * 0x297a2d39u;
}

double texture_noise(int x, int y) { return (double)(hash(x, y, 0) >> 8) / (1 << 24); }

double texture_at(double x, double y) {
    const double u = x / 5 + 1000, v = y / 5 + 1000;
    const int i = (int)u, j = (int)v;
    const double a = u - i, b = v - j, s = a * a * (3 - 2 * a), t = b * b * (3 - 2 * b);
    return (1 - t) * ((1 - s) * texture_noise(i, j) + s * texture_noise(i + 1, j)) +
           t * ((1 - s) * texture_noise(i, j + 1) + s * texture_noise(i + 1, j + 1));
}

static int grey_noise(int x, int y, int scene) { return (int)(hash(x, y, scene) >> 24); }

int texture_grey(int x, int y, int scene) {
    const int i = x + 8000, j = y + 8000, u = i % 8, v = j % 8, m = i / 8, n = j / 8;
    return ((8 - v) * ((8 - u) * grey_noise(m, n, scene) + u * grey_noise(m + 1, n, scene)) +
            v * ((8 - u) * grey_noise(m, n + 1, scene) + u * grey_noise(m + 1, n + 1, scene))) /
           64;
}
