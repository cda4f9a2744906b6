/* A grey picture as the matcher sees it. */
#include "rig/remap.h"

#include "stereo/pixel.h"

#include <string.h>

/* Interpolates the picture at an entry of the rectification map. */
static uint8_t sample(const sv_image *picture, const int32_t place[2]) {
    if (place[0] == SV_MAP_OUTSIDE) return 0;
    const int x = place[0] / SV_MAP_STEPS, y = place[1] / SV_MAP_STEPS;
    const int next = x + 1 < picture->width ? x + 1 : x, below = y + 1 < picture->height ? y + 1 : y;
    const uint8_t *upper = sv_row(picture, y), *lower = sv_row(picture, below);
    return (uint8_t)sv_bilinear(upper[x], upper[next], lower[x], lower[next], place[0] % SV_MAP_STEPS,
                                place[1] % SV_MAP_STEPS);
}

void remap_grey(const sv_image *picture, const sv_rectification *r, int side, int shift, uint8_t *grey) {
    const size_t width = (size_t)picture->width;
    const int32_t *map = r ? r->maps[side] : NULL;
    for (int y = 0; y < picture->height; y++) {
        const int row = sv_clamp(y + shift, picture->height);
        const int32_t *places = map ? map + 2 * (size_t)row * width : NULL;
        uint8_t *to = grey + (size_t)y * width;
        if (!places) memcpy(to, sv_row(picture, row), width);
        for (size_t x = 0; places && x < width; x++) to[x] = sample(picture, places + 2 * x);
    }
}
