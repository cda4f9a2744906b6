/* What app/file, app/export, app/truth and app/score read and write, against bytes and figures made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/export.h"
#include "app/file.h"
#include "app/overwrite.h"
#include "app/score.h"
#include "app/truth.h"
#include "render/colour.h"
#include "stereo/rig.h"
#include "tests/scratch.h"

#include <math.h>
#include <png.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int warnings;
static char warning[512]; /* the last */

static void count_warnings(sv_level level, const char *line) {
    if (level != SV_LOG_WARNING) return;
    snprintf(warning, sizeof warning, "%s", line);
    warnings++;
}

#define assert_has(text, part)                                                                                         \
    do {                                                                                                               \
        if (!strstr(text, part)) fail_msg("'%s' is not in: %s", part, text);                                           \
    } while (0)

static sv_image map_of(float *data, int width, int height, int row) {
    return (sv_image){data, (size_t)row * sizeof(float), width, height, SV_FLOAT32, SV_HOST};
}

/* ---- Names and writers ------------------------------------------------------------------------ */

static void patterns(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool numbered;
    } good[] = {
        {"a.pfm", "a.pfm", false},
        {"%d", "42", true},
        {"x%06d.png", "x000042.png", true},
        {"%4d", "  42", true},
        {"%i-%%d", "42-%d", true},
        {"100%%", "100%", false},
        {"d%d/%%/n.pfm", "d42/%/n.pfm", true},
    };
    static const char *const bad[] = {"",    "%",   "a%",   "%s",    "%f",  "%d%d", "%06d_%d",
                                      "%ld", "%*d", "%-3d", "%123d", "% d", "%n",   "%06"};
    char name[64];
    sv_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(file_check_pattern(good[i].pattern, &error), SV_OK);
        assert_int_equal(file_name(good[i].pattern, 42, name, sizeof name, &error), SV_OK);
        assert_string_equal(name, good[i].name);
        assert_int_equal(file_is_numbered(good[i].pattern), good[i].numbered);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(file_check_pattern(bad[i], &error), SV_USAGE);
        assert_false(file_is_numbered(bad[i]));
    }
    assert_int_equal(file_name("%d", 1234567, name, 7, &error), SV_FAILED);
    assert_int_equal(file_name("%d", 1234567, name, 8, &error), SV_OK);
}

static void a_file_appears_whole_or_not_at_all(void **state) {
    (void)state;
    const char *path = scratch_write_text("whole.txt", "old");
    assert_int_equal(chmod(path, 0640), 0);
    const int before = scratch_count();
    file_writer writer;
    sv_error error;

    assert_int_equal(file_create(&writer, path, &error), SV_OK);
    fputs("new", writer.stream);
    fflush(writer.stream);
    assert_string_equal(scratch_read(path, NULL), "old");
    file_discard(&writer);
    file_discard(&writer);
    assert_string_equal(scratch_read(path, NULL), "old");
    assert_int_equal(scratch_count(), before);

    assert_int_equal(file_create(&writer, path, &error), SV_OK);
    fputs("new", writer.stream);
    assert_int_equal(file_commit(&writer, &error), SV_OK);
    assert_string_equal(scratch_read(path, NULL), "new");
    assert_int_equal(scratch_count(), before);
    struct stat after;
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode & 0777, 0640);
}

static void a_link_is_followed(void **state) {
    (void)state;
    const char *target = scratch_write_text("target.txt", "old"), *link = scratch_path("link.txt");
    assert_int_equal(symlink("target.txt", link), 0);
    file_writer writer;
    assert_int_equal(file_create(&writer, link, NULL), SV_OK);
    fputs("new", writer.stream);
    assert_int_equal(file_commit(&writer, NULL), SV_OK);
    assert_string_equal(scratch_read(target, NULL), "new");
    struct stat there;
    assert_int_equal(lstat(link, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
}

static void places_that_cannot_be_written(void **state) {
    (void)state;
    file_writer writer;
    sv_error error;
    const char *missing = scratch_path("no/such/folder.txt");
    assert_int_equal(file_create(&writer, missing, &error), SV_FAILED);
    assert_has(error.text, missing);
    assert_has(error.text, "folder does not exist");
    assert_null(writer.stream);
    assert_int_equal(file_create(&writer, scratch_path("."), &error), SV_FAILED);
    assert_has(error.text, "it is a folder");
    assert_int_equal(file_create(&writer, "", &error), SV_FAILED);
}

static void a_file_that_may_not_be_written(void **state) {
    (void)state;
    if (geteuid() == 0) {
        print_message("skipped: root may write everywhere\n");
        skip();
    }
    file_writer writer;
    sv_error error;
    const char *locked = scratch_write_text("locked.txt", "old");
    assert_int_equal(chmod(locked, 0444), 0);
    assert_int_equal(file_create(&writer, locked, &error), SV_FAILED);
    assert_has(error.text, "Permission denied");
}

static void a_full_disk(void **state) {
    (void)state;
    if (access("/dev/full", W_OK)) skip_without("/dev/full");
    const char *pfm = scratch_path("full.pfm"), *png = scratch_path("full.png");
    assert_int_equal(symlink("/dev/full", pfm), 0);
    assert_int_equal(symlink("/dev/full", png), 0);
    static float values[100 * 100];
    for (int i = 0; i < 100 * 100; i++) values[i] = (float)(i * 7919 % 10007) / 64;
    /* Smaller than the stream's buffer, so that the error occurs at the end, and larger, so that it occurs before. */
    for (int size = 2; size <= 100; size += 98) {
        const sv_image map = map_of(values, size, size, size);
        int64_t unfit = 0;
        sv_error error;
        assert_int_equal(export_map(pfm, 0, &map, NULL, NULL, &unfit, &error), SV_FAILED);
        assert_has(error.text, pfm);
        assert_has(error.text, "No space left");
        assert_int_equal(export_map(png, 0, &map, NULL, NULL, &unfit, &error), SV_FAILED);
        assert_has(error.text, png);
        assert_has(error.text, "No space left");
    }
}

static void a_file_that_cannot_grow(void **state) {
    (void)state;
    static float values[100 * 100];
    const sv_image map = map_of(values, 100, 100, 100);
    const char *path = scratch_write_text("limited.pfm", "old");
    const int before = scratch_count();
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit small = {20000, limit.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int64_t unfit = 0;
    sv_error error;
    const sv_status status = export_map(path, 0, &map, NULL, NULL, &unfit, &error);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, SV_FAILED);
    assert_has(error.text, path);
    assert_has(error.text, "too large");
    assert_string_equal(scratch_read(path, NULL), "old");
    assert_int_equal(scratch_count(), before);
}

/* ---- Input files ------------------------------------------------------------------------------ */

static void settings_are_not_saved_over_what_is_read(void **state) {
    (void)state;
    char both[1024], stereoview[512];
    snprintf(stereoview, sizeof stereoview, "%s", scratch_write_text("stereoview.yaml", "rho: 3"));
    snprintf(both, sizeof both, "%s,%s", scratch_write_text("left.yaml", "cam"), stereoview);
    options o = {.settings = stereoview};
    sv_error error = {""};
    assert_int_equal(overwrite_check_one(&o, "saving", stereoview, &error), SV_OK);
    o = (options){.calibration = both};
    assert_int_equal(overwrite_check_one(&o, "saving", stereoview, &error), SV_USAGE);
    assert_has(error.text, "saving");
    assert_has(error.text, "--calibration reads");
    assert_int_equal(overwrite_check_one(&o, "saving", scratch_path("new.yaml"), &error), SV_OK);
}

/* Names with special characters of glob and regular expressions. */
static void patterns_with_odd_characters(void **state) {
    (void)state;
    static const char *const names[] = {"a+(1)|.png", "a*[2]?^$.png", "a{3}\\.png", "%4.png", " 5.png", "d%d"};
    static const char *const patterns[] = {"a+(%d)|.png", "a*[%02d]?^$.png", "a{%d}\\.png",
                                           "%%%d.png",    "%2d.png",         "d%d"};
    static const char *const others[] = {"aa(%d)|.png", "aX[%02d]?^$.png", "a{%d}.png",
                                         "%d.png",      "x%2d.png",        "d%d.png"};
    char input[512], pattern[512];
    sv_error error;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(input, sizeof input, "%s", scratch_write_text(names[i], "x"));
        const options o = {.left = input};
        snprintf(pattern, sizeof pattern, "%s", scratch_path(patterns[i]));
        if (overwrite_check_one(&o, "-o", pattern, &error) != SV_USAGE) fail_msg("%s fits %s", names[i], patterns[i]);
        snprintf(pattern, sizeof pattern, "%s", scratch_path(others[i]));
        if (overwrite_check_one(&o, "-o", pattern, &error) != SV_OK) fail_msg("%s fits no %s", names[i], others[i]);
    }
}

/* ---- Maps out --------------------------------------------------------------------------------- */

static void endings(void **state) {
    (void)state;
    static const char *const good[] = {"a.pfm", "a.png",       "%d.color.png", "A.PFM",
                                       ".png",  "a.depth.pfm", "%d.depth.png"};
    static const char *const bad[] = {"a", "a.ply", "a.mp4", "pfm", "a.pfm/", "a.png.txt", "", "%s.png", "%d%d.pfm"};
    sv_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_int_equal(export_check(good[i], &error), SV_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(export_check(bad[i], &error), SV_USAGE);
    assert_true(export_is_depth("a.depth.pfm") && export_is_depth("%d.DEPTH.png"));
    assert_false(export_is_depth("depth.pfm") || export_is_depth("a.png") || export_is_depth("a.color.png"));
}

static void pfm_bytes(void **state) {
    (void)state;
    /* 3 x 2 with padded rows; NAN and infinite values mean "none". */
    float values[] = {1, -2, NAN, 99, 0.5f, INFINITY, -INFINITY, 99};
    const sv_image map = map_of(values, 3, 2, 4);
    static const unsigned char expected[] = "Pf\n3 2\n-1.0\n"
                                            "\x00\x00\x00\x3f"
                                            "\x00\x00\x80\x7f"
                                            "\x00\x00\x80\x7f"
                                            "\x00\x00\x80\x3f"
                                            "\x00\x00\x00\xc0"
                                            "\x00\x00\x80\x7f";
    int64_t unfit = 0;
    sv_error error;
    assert_int_equal(export_map(scratch_path("b%03d.pfm"), 7, &map, NULL, NULL, &unfit, &error), SV_OK);
    size_t size;
    const char *bytes = scratch_read(scratch_path("b007.pfm"), &size);
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(bytes, expected, size);
    assert_int_equal(unfit, 0);
}

/* All pixels of a PNG in the given form of libpng's simplified interface. */
static void *read_png(const char *path, png_uint_32 format, png_image *image) {
    *image = (png_image){.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(image, path));
    image->format = format;
    void *pixels = malloc(PNG_IMAGE_SIZE(*image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(image, NULL, pixels, 0, NULL));
    return pixels;
}

static void kitti_values(void **state) {
    (void)state;
    static const struct {
        float d;
        uint16_t value;
        bool unfit;
    } cases[] = {
        {1, 256, false},
        {63.5f, 16256, false},
        {0.00390625f, 1, false},
        {0.0019f, 0, true},
        {0.001953125f, 1, false},
        {1.001953125f, 257, false},
        {0, 0, true},
        {-3, 0, true},
        {255.99609375f, 65535, false},
        {255.998046875f, 0, true},
        {256, 0, true},
        {1e30f, 0, true},
        {INFINITY, 0, false},
        {-INFINITY, 0, false},
        {NAN, 0, false},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    float values[COUNT];
    int64_t expected_unfit = 0;
    for (int i = 0; i < COUNT; i++) {
        values[i] = cases[i].d;
        expected_unfit += cases[i].unfit;
    }
    const sv_image map = map_of(values, COUNT, 1, COUNT);
    const char *path = scratch_path("kitti.png");
    int64_t unfit = 0;
    sv_error error;
    warnings = 0;
    sv_set_log(count_warnings);
    for (int frame = 0; frame < 2; frame++)
        assert_int_equal(export_map(path, frame, &map, NULL, NULL, &unfit, &error), SV_OK);
    sv_set_log(NULL);
    assert_int_equal(unfit, 2 * expected_unfit);
    assert_int_equal(warnings, 1);
    assert_has(warning, "3 disparities are 0 or less, 3 disparities are above 255.996 pixels;");

    /* Bit depth and colour type, from the bytes of the header. */
    const char *header = scratch_read(path, NULL);
    assert_int_equal(header[24], 16);
    assert_int_equal(header[25], 0);

    sv_image back;
    assert_int_equal(truth_read(path, 0, 0, &back, &error), SV_OK);
    assert_int_equal(back.width, COUNT);
    assert_int_equal(back.height, 1);
    for (int i = 0; i < COUNT; i++) {
        const float d = ((const float *)back.data)[i];
        if (cases[i].value)
            assert_true(d == cases[i].value / 256.0f);
        else
            assert_true(isinf(d) && d > 0);
    }
    free(back.data);
}

static void depth_values(void **state) {
    (void)state;
    const sv_rectification r = {.focal = 500, .baseline = 0.2, .doffs = 10, .metric = true};
    /* 100 / (d + 10) metres: 5, 2.5, 1.25; none behind the cameras, at infinity, and where there is no disparity. */
    float values[] = {10, 30, 70, -10, -20, INFINITY, NAN, -9.999f};
    static const uint16_t millimetres[] = {5000, 2500, 1250, 0, 0, 0, 0, 0};
    enum { COUNT = sizeof values / sizeof *values };
    const sv_image map = map_of(values, COUNT, 1, COUNT);
    int64_t unfit = 0;
    sv_error error;
    warnings = 0;
    sv_set_log(count_warnings);
    assert_int_equal(export_depth(scratch_path("%d.depth.png"), 3, &map, &r, &unfit, &error), SV_OK);
    assert_int_equal(unfit, 1); /* 100 km */
    assert_int_equal(warnings, 1);
    assert_has(warning, ": 1 depths are above 65.535 m;");
    sv_set_log(NULL);
    sv_image read;
    /* truth_read divides KITTI's numbers by 256. */
    assert_int_equal(truth_read(scratch_path("3.depth.png"), 0, 0, &read, &error), SV_OK);
    for (int i = 0; i < COUNT; i++) {
        const float value = ((float *)read.data)[i];
        assert_true(millimetres[i] ? value == (float)millimetres[i] / 256 : !isfinite(value));
    }
    free(read.data);

    assert_int_equal(export_depth(scratch_path("z.depth.pfm"), 0, &map, &r, &unfit, &error), SV_OK);
    assert_int_equal(unfit, 1);
    assert_int_equal(truth_read(scratch_path("z.depth.pfm"), 0, 0, &read, &error), SV_OK);
    static const float metres[] = {5, 2.5f, 1.25f, INFINITY, INFINITY, INFINITY, INFINITY};
    assert_memory_equal(read.data, metres, sizeof metres);
    assert_true(((float *)read.data)[7] > 9e4f);
    free(read.data);
}

static void false_colours(void **state) {
    (void)state;
    float values[] = {0, 10, INFINITY, 99, 20, 5, 15, 99};
    uint8_t reasons[] = {SV_VALID, SV_VALID, SV_BORDER, SV_VALID, SV_FILLED, SV_VALID};
    const sv_image map = map_of(values, 3, 2, 4), reason = {reasons, 3, 3, 2, SV_REASON8, SV_HOST};
    colour_settings colours = colour_default();
    colours.min = 0;
    colours.max = 20;
    uint8_t table[COLOUR_ENTRIES][3];
    colour_table(colours.map, table);
    const char *path = scratch_path("c.color.png");
    int64_t unfit = 0;
    assert_int_equal(export_map(path, 0, &map, &reason, &colours, &unfit, NULL), SV_OK);

    assert_int_equal(scratch_read(path, NULL)[25], PNG_COLOR_TYPE_RGB);
    png_image image;
    uint8_t *pixels = read_png(path, PNG_FORMAT_RGB, &image);
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 2);
    assert_memory_equal(pixels, table[0], 3);
    assert_memory_equal(pixels + 6, colours.empty, 3);
    assert_memory_equal(pixels + 9, table[255], 3);
    assert_memory_equal(pixels + 12, table[64], 3);  /* 63.75 */
    assert_memory_equal(pixels + 15, table[191], 3); /* 191.25 */
    free(pixels);
}

/* ---- Truth in --------------------------------------------------------------------------------- */

static void pfm_of_all_kinds(void **state) {
    (void)state;
    static const struct {
        const char *header, *bytes;
        size_t size;
    } kinds[] = {
        {"Pf\n2 2\n-1.0\n", "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x80\x7f\x00\x00\x80\xbf", 16},
        {"Pf\n2 2\n1\n", "\x3f\x80\x00\x00\x40\x00\x00\x00\x7f\xc0\x00\x00\xbf\x80\x00\x00", 16},
        {"Pf 2 2 -0.5\r\n", "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x80\xff\x00\x00\x80\xbf", 16},
        {"PF\n2 2\n+1e0\n",
         "\x3f\x80\x00\x00********\x40\x00\x00\x00********\x7f\x80\x00\x00********\xbf\x80\x00\x00********", 48},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char file[128];
        const size_t header = strlen(kinds[i].header);
        memcpy(file, kinds[i].header, header);
        memcpy(file + header, kinds[i].bytes, kinds[i].size);
        const char *path = scratch_write("kind.pfm", file, header + kinds[i].size);
        sv_image truth;
        sv_error error = {""};
        if (truth_read(path, 0, 0, &truth, &error) != SV_OK) fail_msg("kind %zu: %s", i, error.text);
        const float *d = truth.data; /* the file begins at the bottom */
        assert_true(isinf(d[0]) && d[0] > 0);
        assert_true(d[1] == -1 && d[2] == 1 && d[3] == 2);
        free(truth.data);
    }
}

static void broken_truth(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "neither PFM nor PNG"},
        {"P5\n2 2\n255\nabcd", "neither PFM nor PNG"},
        {"Pf\n", "header"},
        {"Pf\n2 2\n", "header"},
        {"Pf\n2 2\n-1", "header"},
        {"Pfx\n2 2\n-1\n0123456789abcdef", "header"},
        {"Pf\n2.5 2\n-1\n0123456789abcdef", "header"},
        {"Pf\n2 2\n0\n0123456789abcdef", "header"},
        {"Pf\n2 2\nnan\n0123456789abcdef", "header"},
        {"Pf\n2 2\nlittle\n0123456789abcdef", "header"},
        {"Pf\n00000000000000000002 2\n-1\n0123456789abcdef", "header"},
        {"Pf\n2 2\n-1\n0123456789abcde", "cut short"},
        {"PF\n2 2\n-1\n0123456789abcdef", "cut short"},
        {"Pf\n0 2\n-1\n", "0 x 2"},
        {"Pf\n-2 2\n-1\n0123456789abcdef", "-2 x 2"},
        {"Pf\n2000000000 2\n-1\n0123456789abcdef", "2000000000 x 2"},
        {"Pf\n99999999999999 2\n-1\n0123456789abcdef", "99999999999999 x 2"},
        {"\x89PNG\r\n\x1a\n", "broken or cut short"},
        {"\x89PNG\r\n\x1a\nIHDR and so on and so forth", "broken or cut short"},
    };
    sv_image truth;
    sv_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = scratch_write_text("broken", cases[i].text);
        assert_int_equal(truth_read(path, 0, 0, &truth, &error), SV_FAILED);
        assert_has(error.text, path);
        assert_has(error.text, cases[i].says);
        assert_null(truth.data);
    }
    assert_int_equal(truth_read(scratch_path("gone_%03d.pfm"), 5, 0, &truth, &error), SV_FAILED);
    assert_has(error.text, "gone_005.pfm");
    assert_has(error.text, "No such file");
    assert_int_equal(truth_read(scratch_path("."), 0, 0, &truth, &error), SV_FAILED);
}

static void broken_png_truth(void **state) {
    (void)state;
    float values[64];
    for (int i = 0; i < 64; i++) values[i] = (float)(i * i);
    const sv_image map = map_of(values, 8, 8, 8);
    int64_t unfit = 1; /* not of interest here */
    const char *path = scratch_path("cut.png");
    assert_int_equal(export_map(path, 0, &map, NULL, NULL, &unfit, NULL), SV_OK);
    size_t size;
    char bytes[1024];
    const char *whole = scratch_read(path, &size);
    assert_in_range(size, 60, sizeof bytes);
    memcpy(bytes, whole, size);
    sv_image truth;
    sv_error error;
    for (size_t cut = 8; cut < size - 12; cut++) { /* the last 12 bytes only say that it is the end */
        assert_int_equal(truth_read(scratch_write("cut.png", bytes, cut), 0, 0, &truth, &error), SV_FAILED);
        assert_null(truth.data);
    }
    bytes[16] = 0x7f; /* 2 * 10^9 columns; the checksum is wrong too */
    assert_int_equal(truth_read(scratch_write("cut.png", bytes, size), 0, 0, &truth, &error), SV_FAILED);

    uint8_t rgba[4] = {1, 2, 3, 255};
    const sv_image colour = {rgba, 4, 1, 1, SV_COLOUR8, SV_HOST};
    path = scratch_path("eight.png");
    assert_int_equal(export_colour_png(path, &colour, NULL), SV_OK);
    assert_int_equal(truth_read(path, 0, 0, &truth, &error), SV_FAILED);
    assert_has(error.text, "not 16-bit grey");
}

static const char *write_png_of(const char *name, png_uint_32 format, const void *pixels, const void *palette) {
    png_image image = {.version = PNG_IMAGE_VERSION, .width = 4, .height = 1, .format = format, .colormap_entries = 4};
    const char *path = scratch_path(name);
    if (!png_image_write_to_file(&image, path, 0, pixels, 0, palette)) fail_msg("%s: %s", name, image.message);
    return path;
}

static void expect_truth(const char *path, double scale, float first, float last) {
    sv_image truth;
    sv_error error;
    if (truth_read(path, 0, scale, &truth, &error) != SV_OK) fail_msg("%s", error.text);
    const float *d = truth.data;
    assert_int_equal(truth.width, 4);
    assert_true(isinf(d[0]) && d[0] > 0);
    assert_true(d[1] == first && d[3] == last);
    free(truth.data);
}

static void expect_no_truth(const char *path, double scale, const char *says) {
    sv_image truth;
    sv_error error = {""};
    assert_int_equal(truth_read(path, 0, scale, &truth, &error), SV_FAILED);
    assert_has(error.text, path);
    assert_has(error.text, says);
    assert_null(truth.data);
}

static void truth_with_a_scale(void **state) {
    (void)state;
    static const uint8_t grey[] = {0, 1, 90, 255}, indices[] = {0, 1, 2, 3};
    static const uint8_t same[] = {0, 0, 0, 1, 1, 1, 90, 90, 90, 255, 255, 255};
    static const uint8_t coloured[] = {0, 0, 0, 1, 1, 1, 90, 90, 90, 255, 255, 254};
    const uint16_t sixteen[] = {0, 50, 100, 40000};
    const char *path = write_png_of("grey.png", PNG_FORMAT_GRAY, grey, NULL);
    expect_truth(path, 4, 0.25f, 63.75f);
    expect_truth(path, 1, 1, 255);
    expect_truth(path, 0.5, 2, 510);
    expect_no_truth(path, 0, "--truth-scale");
    expect_truth(write_png_of("three.png", PNG_FORMAT_RGB, same, NULL), 4, 0.25f, 63.75f);
    expect_truth(write_png_of("palette.png", PNG_FORMAT_RGB_COLORMAP, indices, same), 4, 0.25f, 63.75f);
    path = write_png_of("sixteen.png", PNG_FORMAT_LINEAR_Y, sixteen, NULL);
    expect_truth(path, 100, 0.5f, 400);
    expect_truth(path, 0, 50 / 256.0f, 156.25f);
    expect_no_truth(write_png_of("colours.png", PNG_FORMAT_RGB, coloured, NULL), 4, "colours");
    expect_no_truth(write_png_of("alpha.png", PNG_FORMAT_GA, same, NULL), 4, "not grey");
    expect_no_truth(scratch_write_text("scaled.pfm", "Pf\n1 1\n-1\nabcd"), 4, "leave out --truth-scale");
}

/* ---- Scores ----------------------------------------------------------------------------------- */

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-9)) fail_msg("%.12g is not %.12g", value, expected);
}

static void score_by_hand(void **state) {
    (void)state;
    /* Ten pixels whose truth is known and two where it is not; eight of the ten have a value. */
    float truth[] = {10, 10, 10, 10, 10, 100, 100, 10, 10, 10, INFINITY, NAN};
    float map[] = {10, 11, 11.5f, 13, 15, 104.5f, 106, 6, INFINITY, NAN, 3, INFINITY};
    /* wrong by 0, 1, 1.5, 3, 5, 4.5 (4.5 %), 6 (6 %), 4 */
    const sv_image t = map_of(truth, 4, 3, 4), d = map_of(map, 4, 3, 4);
    score s;
    assert_int_equal(score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.density, 80);
    assert_near(s.bad1, 80); /* 1.5 3 5 4.5 6 4 and two without */
    assert_near(s.bad2, 70);
    assert_near(s.bad4, 50); /* 5 4.5 6 */
    assert_near(s.v1, 75);
    assert_near(s.v2, 62.5);
    assert_near(s.d1, 50); /* 5, 6, 4 and two without; 4.5 is within 5 % */
    assert_near(s.average, 25.0 / 8);
}

/* An error of exactly the limit does not count; one that is larger by the smallest float does. */
static void score_at_the_limits(void **state) {
    (void)state;
    static const struct {
        float wrong;
        double bad1, bad2, bad4, d1;
    } cases[] = {{1, 0, 0, 0, 0}, {2, 100, 0, 0, 0}, {3, 100, 100, 0, 0}, {4, 100, 100, 0, 100}};
    for (int i = 0; i < 4; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float truth = 8, at = 8 + (float)sign * cases[i].wrong, beyond = nextafterf(at, (float)sign * INFINITY);
            const sv_image t = map_of(&truth, 1, 1, 1);
            sv_image d = map_of(&at, 1, 1, 1);
            score s;
            assert_int_equal(score_map(&d, &t, &s, NULL), SV_OK);
            assert_near(s.bad1, cases[i].bad1);
            assert_near(s.bad2, cases[i].bad2);
            assert_near(s.bad4, cases[i].bad4);
            assert_near(s.d1, cases[i].d1);
            assert_near(s.v1, cases[i].bad1);
            assert_near(s.v2, cases[i].bad2);
            d.data = &beyond;
            assert_int_equal(score_map(&d, &t, &s, NULL), SV_OK);
            assert_near(s.bad1, 100);
            assert_near(s.bad2, cases[i].wrong >= 2 ? 100 : 0);
            assert_near(s.bad4, cases[i].wrong >= 4 ? 100 : 0);
            assert_near(s.d1, cases[i].wrong >= 3 ? 100 : 0);
            assert_near(s.v1, 100);
            assert_near(s.v2, cases[i].wrong >= 2 ? 100 : 0);
        }
    float truth = 100, map = 105; /* 5 % */
    const sv_image t = map_of(&truth, 1, 1, 1), d = map_of(&map, 1, 1, 1);
    score s;
    assert_int_equal(score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.d1, 0);
    map = nextafterf(105, 200);
    assert_int_equal(score_map(&d, &t, &s, NULL), SV_OK);
    assert_near(s.d1, 100);
}

static void score_of_nothing(void **state) {
    (void)state;
    float none[] = {INFINITY, NAN}, some[] = {1, 2};
    const sv_image empty = map_of(none, 2, 1, 2), full = map_of(some, 2, 1, 2), tall = map_of(some, 1, 2, 1);
    score s;
    sv_error error;
    assert_int_equal(score_map(&empty, &full, &s, NULL), SV_OK);
    assert_near(s.density, 0);
    assert_near(s.bad4, 100);
    assert_near(s.d1, 100);
    assert_near(s.v1, 0);
    assert_true(isnan(s.average));
    assert_int_equal(score_map(&full, &empty, &s, NULL), SV_OK);
    assert_near(s.density, 0);
    assert_near(s.bad1, 0);
    assert_int_equal(score_map(&full, &tall, &s, &error), SV_FAILED);
    assert_has(error.text, "2 x 1");
    assert_has(error.text, "1 x 2");
}

static void mean_of_scores(void **state) {
    (void)state;
    const score a = {100, 1, 2, 3, 4, 5, 6, 7}, b = {50, 3, 4, 5, 6, 7, 8, 9};
    score_sum sum = {0};
    assert_true(isnan(score_mean(&sum).density));
    score_add(&sum, &a);
    score_add(&sum, &b);
    const score mean = score_mean(&sum);
    const double expected[] = {75, 2, 3, 4, 5, 6, 7, 8};
    const double got[] = {mean.density, mean.bad1, mean.bad2, mean.bad4, mean.v1, mean.v2, mean.d1, mean.average};
    for (int i = 0; i < 8; i++) assert_near(got[i], expected[i]);

    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    score_print_header(stream);
    score_print(stream, "mean of 2", &mean);
    fclose(stream);
    assert_string_equal(text, "frame             density    bad1    bad2    bad4      v1      v2      D1  avg px\n"
                              "mean of 2           75.00    2.00    3.00    4.00    5.00    6.00    7.00   8.000\n");
    free(text);
}

#define DATA "../shared/data/"

static void real_truth(void **state) {
    (void)state;
    if (access(DATA "kitti_2012/000070/gt_occ.png", R_OK)) skip_without("../shared/data");
    sv_image all, seen, pfm;
    sv_error error;
    score s;
    /* The map without the occluded pixels as a result: 134275 of 137213 pixels, wrong by 0.4 at most. */
    assert_int_equal(truth_read(DATA "kitti_2012/%06d/gt_occ.png", 70, 0, &all, &error), SV_OK);
    assert_int_equal(truth_read(DATA "kitti_2012/%06d/gt_noc.png", 70, 0, &seen, &error), SV_OK);
    assert_int_equal(score_map(&seen, &all, &s, &error), SV_OK);
    assert_near(s.density, 100.0 * 134275 / 137213);
    assert_near(s.bad1, 100 - s.density);
    assert_near(s.v1, 0);
    assert_true(s.average > 0 && s.average < 0.01);

    /* Writing a file that was read and reading it again gives the same values. */
    int64_t unfit = 0;
    assert_int_equal(export_map(scratch_path("again.png"), 0, &all, NULL, NULL, &unfit, &error), SV_OK);
    sv_image again;
    assert_int_equal(truth_read(scratch_path("again.png"), 0, 0, &again, &error), SV_OK);
    assert_int_equal(again.width, 1241);
    assert_int_equal(again.height, 376);
    assert_memory_equal(again.data, all.data, (size_t)1241 * 376 * 4);
    assert_int_equal(unfit, 0);
    free(again.data);

    assert_int_equal(truth_read(DATA "eth3d/playground/gt.pfm", 0, 0, &pfm, &error), SV_OK);
    assert_int_equal(score_map(&pfm, &pfm, &s, &error), SV_OK);
    assert_near(s.density, 100);
    assert_near(s.bad1 + s.average, 0);
    assert_int_equal(score_map(&pfm, &all, &s, &error), SV_FAILED);

    assert_int_equal(truth_read(DATA "middlebury_v2/cones/gt.png", 0, 0, &again, &error), SV_FAILED);
    assert_has(error.text, "not 16-bit grey");
    assert_int_equal(truth_read(DATA "middlebury_v2/tsukuba/gt.png", 0, 16, &again, &error), SV_OK);
    for (int i = 0; i < 384 * 288; i++) { /* its disparities are whole, 5 to 14 */
        const float d = ((const float *)again.data)[i];
        assert_true(isinf(d) || (d >= 5 && d <= 14 && d == roundf(d)));
    }
    free(again.data);
    free(pfm.data);
    free(all.data);
    free(seen.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(a_file_appears_whole_or_not_at_all),
        cmocka_unit_test(a_link_is_followed),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(a_file_that_may_not_be_written),
        cmocka_unit_test(a_full_disk),
        cmocka_unit_test(a_file_that_cannot_grow),
        cmocka_unit_test(settings_are_not_saved_over_what_is_read),
        cmocka_unit_test(patterns_with_odd_characters),
        cmocka_unit_test(endings),
        cmocka_unit_test(pfm_bytes),
        cmocka_unit_test(kitti_values),
        cmocka_unit_test(depth_values),
        cmocka_unit_test(false_colours),
        cmocka_unit_test(pfm_of_all_kinds),
        cmocka_unit_test(broken_truth),
        cmocka_unit_test(broken_png_truth),
        cmocka_unit_test(truth_with_a_scale),
        cmocka_unit_test(score_by_hand),
        cmocka_unit_test(score_at_the_limits),
        cmocka_unit_test(score_of_nothing),
        cmocka_unit_test(mean_of_scores),
        cmocka_unit_test(real_truth),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
