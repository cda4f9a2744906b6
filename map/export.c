/* Writes a frame's disparity map: PFM as in Middlebury's benchmark, 16-bit PNG as in KITTI's, and false colours; or its
 * depth. */
#include "map/export.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/places.h"

#include <inttypes.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef enum export_kind {
    EXPORT_DEPTH_PFM,
    EXPORT_DEPTH_PNG,
    EXPORT_PFM,
    EXPORT_COLOUR,
    EXPORT_CONFIDENCE,
    EXPORT_KITTI,
    EXPORT_CLOUD,
    EXPORT_VIDEO,
    EXPORT_COLOUR_VIDEO,
    EXPORT_KINDS
} export_kind;

/* If two endings match, the longer one comes first. */
static const char *const endings[EXPORT_KINDS] = {".depth.pfm", ".depth.png", ".pfm", ".color.png", ".confidence.png",
                                                  ".png",       ".ply",       ".mkv", ".mp4"};

static export_kind kind_of(const char *name) {
    const size_t length = strlen(name);
    int kind = 0;
    while (kind < EXPORT_KINDS &&
           (length < strlen(endings[kind]) || strcasecmp(name + length - strlen(endings[kind]), endings[kind])))
        kind++;
    return (export_kind)kind;
}

sv_status export_check(const char *pattern, sv_error *error) {
    if (kind_of(pattern) == EXPORT_KINDS)
        return sv_fail(error, SV_USAGE,
                       "cannot write '%s': its ending must be .pfm, .png (KITTI), .color.png (false colours), "
                       ".confidence.png, .depth.pfm, .depth.png, .ply (point cloud), .mkv (KITTI's values) or .mp4 "
                       "(false colours)",
                       pattern);
    if (export_is_video(pattern) && file_is_numbered(pattern))
        return sv_fail(error, SV_USAGE, "'%s' is a video of all frames; leave the number out of its name", pattern);
    return file_check_pattern(pattern, error);
}

bool export_is_depth(const char *pattern) {
    const export_kind kind = kind_of(pattern);
    return kind == EXPORT_DEPTH_PFM || kind == EXPORT_DEPTH_PNG;
}

bool export_is_confidence(const char *pattern) { return kind_of(pattern) == EXPORT_CONFIDENCE; }

bool export_is_video(const char *pattern) {
    const export_kind kind = kind_of(pattern);
    return kind == EXPORT_VIDEO || kind == EXPORT_COLOUR_VIDEO;
}

bool export_is_colour_video(const char *pattern) { return kind_of(pattern) == EXPORT_COLOUR_VIDEO; }

bool export_is_cloud(const char *pattern) { return kind_of(pattern) == EXPORT_CLOUD; }

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "PFM and PLY are written as they lie in memory");

/* ---- PFM -------------------------------------------------------------------------------------- */

/* map: SV_FLOAT32. */
static sv_status write_pfm(const char *path, const sv_image *map, sv_error *error) {
    float *row = malloc((size_t)map->width * sizeof *row);
    if (!row) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    file_writer writer;
    sv_status status = file_create(&writer, path, error);
    if (status == SV_OK) {
        fprintf(writer.stream, "Pf\n%d %d\n-1.0\n", map->width, map->height);
        for (int y = map->height - 1; y >= 0 && !ferror(writer.stream); y--) {
            const float *from = sv_row(map, y);
            for (int x = 0; x < map->width; x++) row[x] = isfinite(from[x]) ? from[x] : INFINITY;
            fwrite(row, sizeof *row, (size_t)map->width, writer.stream);
        }
        status = file_commit(&writer, error);
    }
    free(row);
    return status;
}

/* ---- PNG -------------------------------------------------------------------------------------- */

typedef struct png_target {
    const char *path;
    FILE *stream;
    bool sixteen_bits;
    sv_error *error;
} png_target;

static void fail_png(png_structp png, png_const_charp message) {
    const png_target *target = png_get_error_ptr(png);
    if (ferror(target->stream))
        file_failed("write", target->path, target->error);
    else
        sv_fail(target->error, SV_FAILED, "cannot write %s: %s", target->path, message);
    png_longjmp(png, 1);
}

static void warn_png(png_structp png, png_const_charp message) {
    const png_target *target = png_get_error_ptr(png);
    sv_log(SV_LOG_DEBUG, "%s: %s", target->path, message);
}

/* Text beyond ASCII needs a chunk of its own kind. */
static void set_text(png_structp png, png_infop info, const char *about) {
    bool ascii = true;
    for (const char *c = about; *c; c++) ascii = ascii && (unsigned char)*c < 0x80;
    png_text texts[] = {{.key = (char *)"Software", .text = (char *)"stereoview " SV_VERSION},
                        {.key = (char *)"Description", .text = (char *)about}};
    texts[0].compression = PNG_TEXT_COMPRESSION_NONE;
    texts[1].compression = ascii ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
    png_set_text(png, info, texts, 2);
}

/* A function of its own, without variables that change, because libpng leaves it with longjmp. */
static sv_status write_png_rows(png_structp png, png_infop info, const png_target *target, const sv_image *pixels,
                                const char *about) {
    if (setjmp(png_jmpbuf(png))) return SV_FAILED;
    const bool colour = pixels->format == SV_COLOUR8;
    png_init_io(png, target->stream);
    png_set_IHDR(png, info, (png_uint_32)pixels->width, (png_uint_32)pixels->height, target->sixteen_bits ? 16 : 8,
                 colour ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (about) set_text(png, info, about);
    png_write_info(png, info);
    if (colour) png_set_filler(png, 0, PNG_FILLER_AFTER);
    if (target->sixteen_bits) png_set_swap(png);
    for (int y = 0; y < pixels->height; y++) png_write_row(png, sv_row(pixels, y));
    png_write_end(png, info);
    return SV_OK;
}

/* pixels: SV_COLOUR8, of which red, green and blue are written, or grey, with sixteen_bits uint16. */
static sv_status write_png(const char *path, const sv_image *pixels, bool sixteen_bits, const char *about,
                           sv_error *error) {
    file_writer writer;
    sv_status status = file_create(&writer, path, error);
    if (status != SV_OK) return status;
    png_target target = {path, writer.stream, sixteen_bits, error};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &target, fail_png, warn_png);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    status = info ? write_png_rows(png, info, &target, pixels, about)
                  : sv_fail(error, SV_FAILED, "out of memory for %s", path);
    png_destroy_write_struct(&png, &info);
    if (status == SV_OK) return file_commit(&writer, error);
    file_discard(&writer);
    return status;
}

sv_status export_picture_png(const char *path, const sv_image *picture, const char *about, sv_error *error) {
    return write_png(path, picture, false, about, error);
}

static sv_status write_colour(const char *path, const sv_image *disparity, const sv_image *reason,
                              const colour_settings *colours, sv_error *error) {
    sv_image rgba = *disparity;
    rgba.format = SV_COLOUR8;
    rgba.stride = (size_t)rgba.width * 4;
    rgba.data = malloc(rgba.stride * (size_t)rgba.height);
    if (!rgba.data) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    sv_status status = colour_picture(colours, disparity, reason, &rgba, error);
    if (status == SV_OK) status = export_picture_png(path, &rgba, NULL, error);
    free(rgba.data);
    return status;
}

/* What a 16-bit PNG holds of a map: its values times `factor`, 1 to 65535, and 0 for none. The rest is for messages:
 * which values do not fit, and which kind of file holds them. */
typedef struct sixteen_bits {
    double factor;
    const char *png, *values[2], *low, *high, *holder; /* one value, several */
} sixteen_bits;

static const sixteen_bits kitti = {256,         "KITTI's format",       {"disparity is", "disparities are"},
                                   "0 or less", "above 255.996 pixels", ".pfm"};
static const sixteen_bits millimetres = {1000,         "a PNG",          {"depth is", "depths are"},
                                         "below 1 mm", "above 65.535 m", ".depth.pfm"};

static void warn_of_unfit(const char *path, const sixteen_bits *kind, int64_t low, int64_t high) {
    char counts[128] = "";
    if (low) snprintf(counts, sizeof counts, "%" PRId64 " %s %s", low, kind->values[low > 1], kind->low);
    if (high)
        snprintf(counts + strlen(counts), sizeof counts - strlen(counts), "%s%" PRId64 " %s %s", low ? ", " : "", high,
                 kind->values[high > 1], kind->high);
    sv_log(SV_LOG_WARNING, "%s: %s; %s leaves these pixels empty, %s can hold them (reported once)", path, counts,
           kind->png, kind->holder);
}

/* Writes the values of a map, dense. Counts those that do not fit, and warns of the first ones. */
static void convert(const char *path, const sv_image *map, const sixteen_bits *kind, uint16_t *values, int64_t *unfit) {
    int64_t low = 0, high = 0;
    for (int y = 0; y < map->height; y++) {
        const float *from = sv_row(map, y);
        for (int x = 0; x < map->width; x++) {
            const double scaled = round(kind->factor * from[x]);
            *values++ = (uint16_t)(scaled >= 1 && scaled <= 65535 ? scaled : 0);
            low += isfinite(from[x]) && scaled < 1;
            high += isfinite(from[x]) && scaled > 65535;
        }
    }
    if (low + high && !__atomic_fetch_add(unfit, low + high, __ATOMIC_RELAXED)) warn_of_unfit(path, kind, low, high);
}

void export_kitti_values(const char *path, const sv_image *disparity, uint16_t *values, int64_t *unfit) {
    convert(path, disparity, &kitti, values, unfit);
}

static sv_status write_sixteen_bits(const char *path, const sv_image *map, const sixteen_bits *kind, int64_t *unfit,
                                    sv_error *error) {
    sv_image grey = *map;
    grey.format = SV_GREY8;
    grey.stride = (size_t)grey.width * 2;
    grey.data = malloc(grey.stride * (size_t)grey.height);
    if (!grey.data) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    convert(path, map, kind, grey.data, unfit);
    const sv_status status = write_png(path, &grey, true, NULL, error);
    free(grey.data);
    return status;
}

sv_status export_map(const char *pattern, int64_t frame, const sv_image *disparity, const sv_image *reason,
                     const colour_settings *colours, int64_t *unfit, sv_error *error) {
    char path[PLACES_BYTES];
    const export_kind kind = kind_of(pattern);
    const sv_status status = file_name(pattern, frame, path, sizeof path, error);
    if (status != SV_OK) return status;
    if (kind == EXPORT_PFM) return write_pfm(path, disparity, error);
    if (kind == EXPORT_COLOUR) return write_colour(path, disparity, reason, colours, error);
    if (kind == EXPORT_KITTI) return write_sixteen_bits(path, disparity, &kitti, unfit, error);
    return sv_fail(error, SV_USAGE, "%s is not a map of disparities", path);
}

sv_status export_depth(const char *pattern, int64_t frame, const sv_image *disparity, const sv_rectification *r,
                       int64_t *unfit, sv_error *error) {
    char path[PLACES_BYTES];
    sv_image depth = *disparity;
    sv_status status = file_name(pattern, frame, path, sizeof path, error);
    if (status != SV_OK) return status;
    depth.stride = (size_t)depth.width * sizeof(float);
    depth.data = malloc(depth.stride * (size_t)depth.height);
    if (!depth.data) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    for (int y = 0; y < depth.height; y++) {
        const float *from = sv_row(disparity, y);
        float *to = sv_row(&depth, y);
        for (int x = 0; x < depth.width; x++) to[x] = sv_depth(r, from[x]);
    }
    status = kind_of(pattern) == EXPORT_DEPTH_PFM ? write_pfm(path, &depth, error)
                                                  : write_sixteen_bits(path, &depth, &millimetres, unfit, error);
    free(depth.data);
    return status;
}

sv_status export_confidence(const char *pattern, int64_t frame, const sv_image *confidence, sv_error *error) {
    char path[PLACES_BYTES];
    const sv_status status = file_name(pattern, frame, path, sizeof path, error);
    return status == SV_OK ? export_picture_png(path, confidence, NULL, error) : status;
}
