/* Single pixels of pictures as they are matched. */
#include "map/rectified.h"

#include "stereo/pixel.h"

#include <string.h>

void rectified_pixel(const sv_image *picture, const sv_rectification *r, int side, int row_shift, int x, int y,
                     uint8_t rgb[3]) {
    const size_t bytes = sv_pixel_size(picture->format);
    const int32_t *map = r ? r->maps[side] : NULL;
    int right = 0, down = 0;
    memset(rgb, 0, 3);
    y += row_shift;
    if (y < 0 || y >= picture->height) return;
    if (map) {
        const int32_t *place = map + 2 * ((size_t)y * (size_t)r->width + (size_t)x);
        if (place[0] == SV_MAP_OUTSIDE) return;
        x = place[0] / SV_MAP_STEPS;
        y = place[1] / SV_MAP_STEPS;
        right = place[0] % SV_MAP_STEPS;
        down = place[1] % SV_MAP_STEPS;
    }
    /* Pixels beyond the last column and row have weight 0. */
    const size_t next = x + 1 < picture->width ? bytes : 0, below = y + 1 < picture->height ? picture->stride : 0;
    const uint8_t *pixel = (const uint8_t *)picture->data + (size_t)y * picture->stride + (size_t)x * bytes;
    for (size_t i = 0; i < 3; i++) {
        const uint8_t *p = pixel + (bytes == 1 ? 0 : i);
        rgb[i] = (uint8_t)sv_bilinear(p[0], p[next], p[below], p[below + next], right, down);
    }
}
