/* Reads grey pictures and writes disparity maps, for the examples. */
#ifndef EXAMPLES_PICTURES_H
#define EXAMPLES_PICTURES_H

#include <stereoview/stereoview.h>

#include <stdio.h>
#include <stdlib.h>

/* A picture of height x width pixels of `size` bytes, dense, in host memory. */
static inline sv_image new_picture(int width, int height, sv_format format, size_t size) {
    const size_t stride = (size_t)width * size;
    return (sv_image){malloc(stride * (size_t)height), stride, width, height, format, SV_HOST};
}

/* Reads a binary 8-bit PGM; the result has no data if that fails. */
static inline sv_image read_pgm(const char *path) {
    int width = 0, height = 0, white = 0;
    sv_image picture = {0};
    FILE *file = fopen(path, "rb");
    if (!file) return picture;
    if (fscanf(file, "P5 %5d %5d %3d", &width, &height, &white) == 3 && width > 0 && height > 0 && white == 255) {
        picture = new_picture(width, height, SV_GREY8, 1);
        fgetc(file);
        if (picture.data && fread(picture.data, picture.stride, (size_t)height, file) != (size_t)height) {
            free(picture.data);
            picture.data = NULL;
        }
    }
    fclose(file);
    return picture;
}

/* Writes a disparity map as PFM, on a little-endian machine. False if that failed. */
static inline bool write_pfm(const char *path, const sv_image *map) {
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    fprintf(file, "Pf\n%d %d\n-1.0\n", map->width, map->height);
    for (int y = map->height - 1; y >= 0; y--)
        fwrite((char *)map->data + (size_t)y * map->stride, sizeof(float), (size_t)map->width, file);
    const bool failed = ferror(file);
    return !fclose(file) && !failed;
}

#endif
