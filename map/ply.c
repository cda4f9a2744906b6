/* Point clouds as PLY files. */
#include "map/ply.h"

#include "base/file.h"
#include "map/rectified.h"
#include "map/space.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_SIZE = 3 * 4 + 3 }; /* bytes, without the confidence */

static int64_t count_points(const space *space, const sv_image *disparity) {
    int64_t count = 0;
    double point[3];
    for (int y = 0; y < disparity->height; y++) {
        const float *row = sv_row(disparity, y);
        for (int x = 0; x < disparity->width; x++) count += space_point(space, x, y, row[x], point);
    }
    return count;
}

static void write_header(FILE *stream, const space *space, bool has_confidence, int64_t points) {
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
    fprintf(stream, "property uchar red\nproperty uchar green\nproperty uchar blue\n%send_header\n",
            has_confidence ? "property uchar confidence\n" : "");
}

sv_status ply_write(const char *path, const sv_image *disparity, const sv_image *confidence, const sv_image *left,
                    const sv_rectification *r, sv_error *error) {
    const bool has_confidence = confidence->data;
    const space space = space_of(r, disparity->width, disparity->height);
    uint8_t *points = malloc((size_t)disparity->width * (POINT_SIZE + has_confidence));
    if (!points) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    file_writer writer;
    sv_status status = file_create(&writer, path, error);
    if (status == SV_OK) {
        write_header(writer.stream, &space, has_confidence, count_points(&space, disparity));
        for (int y = 0; y < disparity->height && !ferror(writer.stream); y++) {
            const float *row = sv_row(disparity, y);
            uint8_t *to = points;
            for (int x = 0; x < disparity->width; x++) {
                double point[3];
                if (!space_point(&space, x, y, row[x], point)) continue;
                memcpy(to, (float[]){(float)point[0], (float)point[1], (float)point[2]}, 12);
                rectified_pixel(left, r, 0, 0, x, y, to + 12);
                to += POINT_SIZE;
                if (has_confidence) *to++ = ((const uint8_t *)sv_row(confidence, y))[x];
            }
            fwrite(points, 1, (size_t)(to - points), writer.stream);
        }
        status = file_commit(&writer, error);
    }
    free(points);
    return status;
}
