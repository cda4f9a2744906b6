/* Files that are written: base/file, base/file_name, app/play/overwrite and map/export, against bytes and figures made
 * by hand. */
#include "app/play/overwrite.h"
#include "base/file.h"
#include "base/file_name.h"
#include "base/inputs.h"
#include "map/colour.h"
#include "map/export.h"
#include "map/truth.h"
#include "stereo/rig.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <math.h>
#include <png.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Names and writers ------------------------------------------------------------------------ */

TEST(patterns_make_names) {
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

TEST(a_file_appears_whole_or_not_at_all) {
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

TEST(a_link_is_followed) {
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

TEST(unwritable_places_are_refused) {
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

TEST(a_file_without_permission_is_refused) {
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

TEST(a_file_that_cannot_grow_leaves_the_old_one) {
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

static sv_status create_and_discard(const char *path, sv_error *error) {
    file_writer writer;
    const sv_status status = file_create(&writer, path, error);
    if (status == SV_OK) file_discard(&writer);
    return status;
}

/* As in a window, which may replace its settings file. */
TEST(settings_are_not_saved_over_what_is_read) {
    char both[1024], stereoview[512];
    snprintf(stereoview, sizeof stereoview, "%s", scratch_write_text("stereoview.yaml", "rho: 3"));
    snprintf(both, sizeof both, "%s,%s", scratch_write_text("left.yaml", "cam"), stereoview);
    sv_error error = {""};
    overwrite_add_inputs(&(options){.settings = stereoview});
    assert_int_equal(create_and_discard(stereoview, &error), SV_OK);
    overwrite_add_inputs(&(options){.rig.calibration = both});
    assert_int_equal(create_and_discard(stereoview, &error), SV_FAILED);
    assert_has(error.text, "which --calibration reads");
    const char *link = scratch_path("hard.yaml");
    assert_int_equal(linkat(AT_FDCWD, stereoview, AT_FDCWD, link, 0), 0);
    assert_int_equal(create_and_discard(link, &error), SV_FAILED);
    assert_int_equal(create_and_discard(scratch_path("new.yaml"), &error), SV_OK);
    inputs_forget();
    assert_int_equal(create_and_discard(stereoview, &error), SV_OK);
}

/* ---- Output files ----------------------------------------------------------------------------- */

TEST(outputs_of_one_path_are_refused) {
    static const char *const meet[][2] = {
        {"x.pfm", "x.pfm"},        {"x.pfm", "./x.pfm"}, {"%d.pfm", "d4/../%d.pfm"},      {"l/x.pfm", "d4/x.pfm"},
        {"l/%d.pfm", "d4/%d.pfm"}, {"l/y.pfm", "z.pfm"}, {"100%%.pfm", "l/../100%%.pfm"},
    };
    static const char *const apart[][2] = {
        {"x.pfm", "X.pfm"},      {"%d.pfm", "%d.png"},    {"%d.pfm", "%d.depth.pfm"}, {"x.pfm", "d4/x.pfm"},
        {"%d.pfm", "d4/%d.pfm"}, {"e/x.pfm", "d4/x.pfm"}, {"n.pfm", "n.pfm"},
    };
    const char *d4 = scratch_path("d4");
    assert_int_equal(mkdir(d4, 0777), 0);
    assert_int_equal(mkdir(scratch_path("e"), 0777), 0);
    assert_int_equal(symlink("d4", scratch_path("l")), 0);
    scratch_write_text("z.pfm", "old");
    assert_int_equal(symlink("../z.pfm", scratch_path("d4/y.pfm")), 0);
    assert_int_equal(symlink("/dev/null", scratch_path("n.pfm")), 0);
    char names[2][512];
    const options o = {.output.files = {names[0], names[1]}, .output.count = 2};
    sv_error error;
    const size_t count = sizeof meet / sizeof *meet;
    for (size_t i = 0; i < count + sizeof apart / sizeof *apart; i++) {
        const char *const *pair = i < count ? meet[i] : apart[i - count];
        for (int k = 0; k < 2; k++) snprintf(names[k], sizeof names[k], "%s", scratch_path(pair[k]));
        const sv_status status = overwrite_check(&o, NULL, &error);
        if (status != (i < count ? SV_USAGE : SV_OK)) fail_msg("%s and %s: status %d", pair[0], pair[1], status);
        if (status == SV_OK) continue;
        for (int k = 0; k < 2; k++) assert_has(error.text, names[k]);
    }
}

/* A file that cannot be where it is to be ends a run before it begins. */
TEST(places_are_checked_first) {
    char folder[512], missing[512];
    sv_error error;
    assert_int_equal(mkdir(scratch_path("folder"), 0777), 0);
    snprintf(folder, sizeof folder, "%s", scratch_path("folder"));
    snprintf(missing, sizeof missing, "%s", scratch_path("missing/%d.pfm"));
    const options in_place = {.output.stats = folder}, nowhere = {.output.files = {missing}, .output.count = 1};
    assert_int_equal(overwrite_check(&in_place, NULL, &error), SV_FAILED);
    assert_has(error.text, "it is a folder");
    assert_int_equal(overwrite_check(&nowhere, NULL, &error), SV_FAILED);
    assert_has(error.text, "missing/0.pfm");
}

/* ---- Maps out --------------------------------------------------------------------------------- */

TEST(endings_choose_the_format) {
    static const char *const good[] = {"a.pfm", "a.png",       "%d.color.png",       "A.PFM",
                                       ".png",  "a.depth.pfm", "%d.depth.png",       "a_%d.ply",
                                       "a.MKV", "a.mp4",       "a_%d.confidence.png"};
    static const char *const bad[] = {"a",      "a.obj",     "a.avi", "a%d.mkv", "%06d.mp4", "pfm",
                                      "a.pfm/", "a.png.txt", "",      "%s.png",  "%d%d.pfm"};
    sv_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_int_equal(export_check(good[i], &error), SV_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(export_check(bad[i], &error), SV_USAGE);
    assert_true(export_is_depth("a.depth.pfm") && export_is_depth("%d.DEPTH.png"));
    assert_true(export_is_confidence("a_%d.confidence.png"));
    assert_false(export_is_confidence("confidence.png") || export_is_confidence("a.color.png"));
    assert_false(export_is_depth("depth.pfm") || export_is_depth("a.png") || export_is_depth("a.color.png"));
}

TEST(pfm_has_the_documented_bytes) {
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

TEST(kitti_values_are_256ths_of_a_pixel) {
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
    watch_log();
    for (int frame = 0; frame < 2; frame++)
        assert_int_equal(export_map(path, frame, &map, NULL, NULL, &unfit, &error), SV_OK);
    sv_set_log(NULL);
    assert_int_equal(unfit, 2 * expected_unfit);
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "3 disparities are 0 or less, 3 disparities are above 255.996 pixels;");

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

TEST(depth_is_written_in_millimetres) {
    const sv_rectification r = {.focal = 500, .baseline = 0.2, .doffs = 10, .metric = true};
    /* 100 / (d + 10) metres: 5, 2.5, 1.25; none behind the cameras, at infinity, and where there is no disparity. */
    float values[] = {10, 30, 70, -10, -20, INFINITY, NAN, -9.999f};
    static const uint16_t millimetres[] = {5000, 2500, 1250, 0, 0, 0, 0, 0};
    enum { COUNT = sizeof values / sizeof *values };
    const sv_image map = map_of(values, COUNT, 1, COUNT);
    int64_t unfit = 0;
    sv_error error;
    warnings = 0;
    watch_log();
    assert_int_equal(export_depth(scratch_path("%d.depth.png"), 3, &map, &r, &unfit, &error), SV_OK);
    assert_int_equal(unfit, 1); /* 100 km */
    assert_int_equal(warnings, 1);
    assert_has(last_warning, ": 1 depth is above 65.535 m;");
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

TEST(false_colours_are_the_tables) {
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

FIXTURES(scratch_setup, scratch_teardown)
