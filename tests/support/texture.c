/* A smooth random texture. */
#include "tests/support/texture.h"

#include <stdint.h>

double texture_noise(int x, int y) {
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (double)(h >> 8) / (1 << 24);
}

double texture_at(double x, double y) {
    const double u = x / 5 + 1000, v = y / 5 + 1000;
    const int i = (int)u, j = (int)v;
    const double a = u - i, b = v - j, s = a * a * (3 - 2 * a), t = b * b * (3 - 2 * b);
    return (1 - t) * ((1 - s) * texture_noise(i, j) + s * texture_noise(i + 1, j)) +
           t * ((1 - s) * texture_noise(i, j + 1) + s * texture_noise(i + 1, j + 1));
}
