/* Point clouds as PLY files. */
#include "app/ply.h"

#include "app/file.h"
#include "render/space.h"
#include "stereo/pixel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_SIZE = 3 * 4 + 3 }; /* bytes */

/* The colour of a pixel of the rectified picture. */
static void colour_at(const sv_image *left, const sv_rectification *r, int x, int y, uint8_t rgb[3]) {
    const size_t bytes = left->format == SV_COLOUR8 ? 4 : 1;
    const int32_t *map = r ? r->maps[0] : NULL;
    int right = 0, down = 0;
    if (map) {
        const int32_t *place = map + 2 * ((size_t)y * (size_t)r->width + (size_t)x);
        memset(rgb, 0, 3);
        if (place[0] == SV_MAP_OUTSIDE) return;
        x = place[0] / SV_MAP_STEPS;
        y = place[1] / SV_MAP_STEPS;
        right = place[0] % SV_MAP_STEPS;
        down = place[1] % SV_MAP_STEPS;
    }
    /* Pixels beyond the last column and row have weight 0. */
    const size_t next = x + 1 < left->width ? bytes : 0, below = y + 1 < left->height ? left->stride : 0;
    const uint8_t *pixel = (const uint8_t *)left->data + (size_t)y * left->stride + (size_t)x * bytes;
    for (size_t i = 0; i < 3; i++) {
        const uint8_t *p = pixel + (bytes == 1 ? 0 : i);
        rgb[i] = (uint8_t)sv_bilinear(p[0], p[next], p[below], p[below + next], right, down);
    }
}

static void put_float(uint8_t *to, double value) {
    const float real = (float)value;
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(bits >> 8 * i);
}

static int64_t count_points(const space *space, const sv_image *disparity) {
    int64_t count = 0;
    double point[3];
    for (int y = 0; y < disparity->height; y++) {
        const float *row = sv_row(disparity, y);
        for (int x = 0; x < disparity->width; x++) count += space_point(space, x, y, row[x], point);
    }
    return count;
}

static void write_header(FILE *stream, const space *space, int64_t points) {
    fprintf(stream, "ply\nformat binary_little_endian 1.0\n");
    fprintf(stream, "comment x right, y down, z forward, from the left camera\n");
    if (space->unit == SPACE_METRES)
        fprintf(stream, "comment unit: metres\n");
    else
        fprintf(stream, "comment unit: the baseline, the distance between the cameras\n");
    if (space->assumed)
        fprintf(stream, "comment no calibration: a field of view of %d degrees is assumed (focal length %.3f pixels)\n",
                SPACE_ASSUMED_FIELD, space->fx);
    fprintf(stream, "element vertex %" PRId64 "\n", points);
    fprintf(stream, "property float x\nproperty float y\nproperty float z\n");
    fprintf(stream, "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n");
}

sv_status ply_write(const char *path, const sv_image *disparity, const sv_image *left, const sv_rectification *r,
                    sv_error *error) {
    const space space = space_of(r && r->focal > 0 ? r : NULL, disparity->width, disparity->height);
    uint8_t *points = malloc((size_t)disparity->width * POINT_SIZE);
    if (!points) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    file_writer writer;
    sv_status status = file_create(&writer, path, error);
    if (status == SV_OK) {
        write_header(writer.stream, &space, count_points(&space, disparity));
        for (int y = 0; y < disparity->height && !ferror(writer.stream); y++) {
            const float *row = sv_row(disparity, y);
            uint8_t *to = points;
            for (int x = 0; x < disparity->width; x++) {
                double point[3];
                if (!space_point(&space, x, y, row[x], point)) continue;
                for (int i = 0; i < 3; i++) put_float(to + 4 * i, point[i]);
                colour_at(left, r, x, y, to + 12);
                to += POINT_SIZE;
            }
            fwrite(points, 1, (size_t)(to - points), writer.stream);
        }
        status = file_commit(&writer, error);
    }
    free(points);
    return status;
}
