/* Reads true disparity maps: Middlebury's PFM, KITTI's 16-bit PNG, and PNG with a scale, as in Middlebury's older
 * scenes.
 *
 * PFM: three lines of text "Pf" or "PF", "width height", "scale" (little endian if negative), then rows of float32 from
 * the bottom up, one or three a pixel. */
#include "map/truth.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/places.h"

#include <ctype.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* Allocates the map for a file of that size, unless it is more than the largest picture. */
static sv_status make_map(long width, long height, const char *path, sv_image *map, sv_error *error) {
    if (width < 1 || height < 1 || width > SV_MAX_SIDE || height > SV_MAX_SIDE)
        return sv_fail(error, SV_FAILED, "cannot read %s: its header claims %ld x %ld pixels; a side is 1 to %d", path,
                       width, height, SV_MAX_SIDE);
    *map = (sv_image){malloc((size_t)width * (size_t)height * sizeof(float)),
                      (size_t)width * sizeof(float),
                      (int)width,
                      (int)height,
                      SV_FLOAT32,
                      SV_HOST};
    return map->data ? SV_OK : sv_fail(error, SV_FAILED, "out of memory for %s", path);
}

/* True if one white space follows, which ends a PFM's header; "\r\n" counts as one. */
static bool ends_header(FILE *stream) {
    int c = getc(stream);
    if (c == '\r') c = getc(stream);
    return c != EOF && isspace(c);
}

static float float_of(const unsigned char *bytes, bool little) {
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++) bits = bits << 8 | bytes[little ? 3 - i : i];
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static sv_status read_pfm(FILE *stream, const char *path, sv_image *map, sv_error *error) {
    char kind;
    long columns, rows;
    double factor;
    if (fscanf(stream, "P%c %18ld %18ld %lf", &kind, &columns, &rows, &factor) != 4 || !(fabs(factor) > 0) ||
        !ends_header(stream))
        return sv_fail(error, SV_FAILED, "cannot read %s: its PFM header is broken", path);
    sv_status status = make_map(columns, rows, path, map, error);
    if (status != SV_OK) return status;

    const size_t channels = kind == 'F' ? 3 : 1, row_size = (size_t)columns * channels * 4;
    unsigned char *row = malloc(row_size);
    if (!row) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    for (int y = map->height - 1; y >= 0 && status == SV_OK; y--) {
        if (fread(row, 1, row_size, stream) != row_size)
            status = ferror(stream) ? file_failed("read", path, error)
                                    : sv_fail(error, SV_FAILED, "cannot read %s: it is cut short", path);
        float *to = sv_row(map, y);
        for (int x = 0; x < map->width && status == SV_OK; x++) {
            to[x] = float_of(row + (size_t)x * channels * 4, factor < 0);
            if (!isfinite(to[x])) to[x] = INFINITY;
        }
    }
    free(row);
    return status;
}

/* ---- PNG -------------------------------------------------------------------------------------- */

/* What libpng's error handler writes to. */
typedef struct png_context {
    const char *path;
    sv_error *error;
} png_context;

static void fail_png(png_structp png, png_const_charp message) {
    const png_context *context = png_get_error_ptr(png);
    sv_fail(context->error, SV_FAILED, "cannot read %s: the PNG is broken or cut short (%s)", context->path, message);
    png_longjmp(png, 1);
}

static void warn_png(png_structp png, png_const_charp message) {
    const png_context *context = png_get_error_ptr(png);
    sv_log(SV_LOG_DEBUG, "%s: %s", context->path, message);
}

/* How many values of the file make one pixel of disparity; 0, with an error, if that is unknown. */
static sv_status find_scale(png_structp png, png_infop info, const char *path, double given, double *scale,
                            sv_error *error) {
    const int depth = png_get_bit_depth(png, info), type = png_get_color_type(png, info);
    const bool kitti = type == PNG_COLOR_TYPE_GRAY && depth == 16;
    *scale = given > 0 ? given : 256;
    if (given <= 0 && !kitti)
        return sv_fail(error, SV_FAILED,
                       "cannot read %s as a disparity map: the PNG is not 16-bit grey, as KITTI's are, so the scale of "
                       "its values is not known; --truth-scale 4 means 4 grey levels per pixel",
                       path);
    if (type & PNG_COLOR_MASK_ALPHA || (depth == 16 && !kitti))
        return sv_fail(error, SV_FAILED, "cannot read %s as a disparity map: the PNG is not grey; save it as grey",
                       path);
    return SV_OK;
}

/* Turns a row of 1 (grey, of `bytes` bytes a value) or 3 equal channels into disparities. False if they differ. */
static bool convert_row(const unsigned char *row, int channels, int bytes, double scale, int width, float *to) {
    for (int x = 0; x < width; x++) {
        const unsigned char *pixel = row + (size_t)x * (size_t)(channels * bytes);
        const int value = bytes == 2 ? pixel[0] << 8 | pixel[1] : pixel[0];
        if (channels == 3 && (pixel[1] != pixel[0] || pixel[2] != pixel[0])) return false;
        to[x] = value ? (float)(value / scale) : INFINITY;
    }
    return true;
}

/* Reads the whole file into `map`. The caller owns it and `*row`, because libpng leaves this function by longjmp, which
 * may spoil its own variables. */
static sv_status read_png_rows(png_structp png, png_infop info, FILE *stream, const char *path, double given,
                               sv_image *map, unsigned char **row, sv_error *error) {
    if (setjmp(png_jmpbuf(png))) return SV_FAILED;
    png_set_user_limits(png, SV_MAX_SIDE, SV_MAX_SIDE);
    png_init_io(png, stream);
    png_read_info(png, info);
    double scale;
    sv_status status = find_scale(png, info, path, given, &scale, error);
    if (status != SV_OK) return status;
    if (png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        return sv_fail(error, SV_FAILED, "cannot read %s: the PNG is interlaced; save it without interlacing", path);
    png_set_palette_to_rgb(png);
    png_set_packing(png); /* fewer than 8 bits, to whole bytes of the same value */
    png_read_update_info(png, info);
    status = make_map((long)png_get_image_width(png, info), (long)png_get_image_height(png, info), path, map, error);
    if (status != SV_OK) return status;
    const int channels = png_get_channels(png, info), bytes = png_get_bit_depth(png, info) / 8;
    *row = malloc(png_get_rowbytes(png, info));
    if (!*row) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    for (int y = 0; y < map->height; y++) {
        png_read_row(png, *row, NULL);
        if (!convert_row(*row, channels, bytes, scale, map->width, sv_row(map, y)))
            return sv_fail(error, SV_FAILED,
                           "cannot read %s as a disparity map: the PNG has colours; name the disparities, not a "
                           "picture of them",
                           path);
    }
    png_read_end(png, NULL);
    return SV_OK;
}

static sv_status read_png(FILE *stream, const char *path, double scale, sv_image *map, sv_error *error) {
    png_context context = {path, error};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &context, fail_png, warn_png);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    unsigned char *row = NULL;
    sv_status status = info ? read_png_rows(png, info, stream, path, scale, map, &row, error)
                            : sv_fail(error, SV_FAILED, "out of memory for %s", path);
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
    return status;
}

sv_status truth_read(const char *pattern, int64_t frame, double scale, sv_image *truth, sv_error *error) {
    char path[PLACES_BYTES];
    *truth = (sv_image){0};
    sv_status status = file_name(pattern, frame, path, sizeof path, error);
    if (status != SV_OK) return status;
    FILE *stream = fopen(path, "rbe");
    if (!stream) return file_failed("read the truth", path, error);

    unsigned char start[8] = {0};
    const size_t got = fread(start, 1, sizeof start, stream);
    const bool failed = ferror(stream);
    if (failed)
        status = file_failed("read the truth", path, error);
    else if (got >= 2 && start[0] == 'P' && (start[1] == 'f' || start[1] == 'F')) {
        rewind(stream);
        status = scale > 0
                     ? sv_fail(error, SV_FAILED, "%s is a PFM, whose values are pixels; leave out --truth-scale", path)
                     : read_pfm(stream, path, truth, error);
    } else if (got == sizeof start && !png_sig_cmp(start, 0, sizeof start)) {
        rewind(stream);
        status = read_png(stream, path, scale, truth, error);
    } else {
        status = sv_fail(error, SV_FAILED, "cannot read %s as a disparity map: it is neither PFM nor PNG", path);
    }
    fclose(stream);
    if (status != SV_OK) {
        free(truth->data);
        *truth = (sv_image){0};
    }
    return status;
}

sv_status truth_check(const char *pattern, int64_t frame, const sv_image *disparity, const sv_image *truth,
                      sv_error *error) {
    char path[PLACES_BYTES];
    sv_error why;
    if (sv_score_check(disparity, truth, &why) == SV_OK) return SV_OK;
    sv_status status = file_name(pattern, frame, path, sizeof path, error);
    return status == SV_OK ? sv_fail(error, SV_FAILED, "%s: %s", path, why.text) : status;
}
