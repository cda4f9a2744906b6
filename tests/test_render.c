/* The window's side: colours, keys, the view and the panel. What needs OpenGL is skipped where there is
 * no display. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "render/gl.h"
#include "render/panel.h"

#include <GLFW/glfw3.h>

/* An OpenGL driver leaves memory behind when the window's closing unloads it, so leaks are looked for just
 * before that and not at the end. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#define LOOK_FOR_LEAKS() __lsan_do_leak_check()
#else
#define LOOK_FOR_LEAKS() ((void)0)
#endif

static window *shown;  /* NULL: no display */
static int complaints; /* lines of the log that are errors or warnings */

static void count_complaints(sv_level level, const char *line) {
    if (level > SV_LOG_WARNING) return;
    complaints++;
    print_error("log: %s\n", line);
}

/* ---- Pictures --------------------------------------------------------------------------------- */

enum { PADDING = 12, GUARD = 0xa5 };

/* A picture with padded rows, all guard bytes. */
static sv_image make(int width, int height, sv_format format) {
    sv_image image = {.width = width, .height = height, .format = format};
    image.stride = (size_t)width * sv_pixel_size(format) + PADDING;
    image.data = malloc(image.stride * (size_t)height);
    assert_non_null(image.data);
    memset(image.data, GUARD, image.stride * (size_t)height);
    return image;
}

static void assert_guarded(const sv_image *image) {
    for (int y = 0; y < image->height; y++)
        for (size_t i = (size_t)image->width * sv_pixel_size(image->format); i < image->stride; i++)
            assert_int_equal(((uint8_t *)sv_row(image, y))[i], GUARD);
}

/* Every kind of value and every reason, known or not, in all combinations of the first pixels. */
static void fill(const sv_image *disparity, const sv_image *reason) {
    const float special[] = {INFINITY, 0, 63, -5, 1000, -INFINITY, NAN, 31.5f, 1e30f, -1e30f, 0.123529412f, 12.25f};
    const int specials = sizeof special / sizeof *special;
    unsigned random = 1;
    for (int y = 0; y < disparity->height; y++)
        for (int x = 0; x < disparity->width; x++) {
            const int i = y * disparity->width + x;
            random = random * 1664525u + 1013904223u;
            ((float *)sv_row(disparity, y))[x] =
                i % 2 ? special[i / 2 % specials] : (float)(random >> 8) / (1 << 24) * 80 - 8;
            ((uint8_t *)sv_row(reason, y))[x] = (uint8_t)(i / 7 % 11 == 10 ? 255 : i / 7 % 11);
        }
}

static const int sizes[][2] = {{1, 1}, {33, 9}, {641, 479}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- Colours ---------------------------------------------------------------------------------- */

/* Relative luminance of an sRGB colour. */
static double luminance(const uint8_t rgb[3]) {
    const double weight[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        const double v = rgb[c] / 255.0;
        sum += weight[c] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* All 256 colours, as published: turbo by Mikhailov (2019), viridis and magma by van der Walt and Smith (2015). */
static const struct {
    int map;
    const char *colours; /* rrggbb of each entry, in hexadecimal */
} published[] = {
    {COLOUR_TURBO,
     "30123b32154333184a341b51351e5836215f37246638276d392a733a2d793b2f803c32863d358b3e38913f3b973f3e9c4040a24143a7"
     "4146ac4249b1424bb5434eba4451bf4454c34456c74559cb455ccf455ed34661d64664da4666dd4669e0466be3476ee64771e94773eb"
     "4776ee4778f0477bf2467df44680f64682f84685fa4687fb458afc458cfd448ffe4391fe4294ff4196ff4099ff3e9bfe3d9efe3ba0fd"
     "3aa3fc38a5fb37a8fa35abf833adf731aff52fb2f42eb4f22cb7f02ab9ee28bceb27bee925c0e723c3e422c5e220c7df1fc9dd1ecbda"
     "1ccdd81bd0d51ad2d21ad4d019d5cd18d7ca18d9c818dbc518ddc218dec018e0bd19e2bb19e3b91ae4b61ce6b41de7b21fe9af20eaac"
     "22ebaa25eca727eea42aefa12cf09e2ff19b32f29835f39438f4913cf58e3ff68a43f78746f8844af8804ef97d52fa7a55fa7659fb73"
     "5dfc6f61fc6c65fd6969fd666dfe6271fe5f75fe5c79fe597dff5680ff5384ff5188ff4e8bff4b8fff4992ff4796fe4499fe429cfe40"
     "9ffd3fa1fd3da4fc3ca7fc3aa9fb39acfb38affa37b1f936b4f836b7f735b9f635bcf534bef434c1f334c3f134c6f034c8ef34cbed34"
     "cdec34d0ea34d2e935d4e735d7e535d9e436dbe236dde037dfdf37e1dd37e3db38e5d938e7d739e9d539ebd339ecd13aeecf3aefcd3a"
     "f1cb3af2c93af4c73af5c53af6c33af7c13af8be39f9bc39faba39fbb838fbb637fcb336fcb136fdae35fdac34fea933fea732fea431"
     "fea130fe9e2ffe9b2dfe992cfe962bfe932afe9029fd8d27fd8a26fc8725fc8423fb8122fb7e21fa7b1ff9781ef9751df8721cf76f1a"
     "f66c19f56918f46617f36315f26014f15d13f05b12ef5811ed5510ec530feb500eea4e0de84b0ce7490ce5470be4450ae2430ae14109"
     "df3f08dd3d08dc3b07da3907d83706d63506d43305d23105d02f05ce2d04cc2b04ca2a04c82803c52603c32503c12302be2102bc2002"
     "b91e02b71d02b41b01b21a01af1801ac1701a91601a71401a41301a112019e10019b0f01980e01950d01920b018e0a018b0902880802"
     "8507028106027e05027a0403"},
    {COLOUR_VIRIDIS,
     "44015444025645045745055946075a46085c460a5d460b5e470d60470e6147106347116447136548146748166848176948186a481a6c"
     "481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a472d7b472e7c472f7d46307e"
     "46327e46337f463480453581453781453882443983443a83443b84433d84433e85423f85424086424186414287414487404588404688"
     "3f47883f48893e49893e4a893e4c8a3d4d8a3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c"
     "375b8d365c8d365d8d355e8d355f8d34608d34618d33628d33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e"
     "2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e"
     "277e8e277f8e27808e26818e26828e26828e25838e25848e25858e24868e24878e23888e23898e238a8d228b8d228c8d228d8d218e8d"
     "218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a1e9c891e9d891f9e891f9f88"
     "1fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad8128ae8029af7f"
     "2ab07f2cb17e2db27d2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf70"
     "46c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f65cb5e67cc5c69cd5b"
     "6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d54989d5488bd6468ed64590d74393d74195d840"
     "98d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021"
     "c8e020cae11fcde11dd0e11cd2e21bd5e21ad8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61e"
     "f6e620f8e621fbe723fde725"},
    {COLOUR_MAGMA,
     "00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c08071e0907200a08220b0924"
     "0c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b180f3d19103f1a10421c10441d11471e114920114b21114e"
     "22115024125325125527125829115a2a115c2c115f2d11612f116331116533106734106936106b38106c390f6e3b0f703d0f713f0f72"
     "400f74420f75440f764510774710784910784a10794c117a4e117b4f127b51127c52137c54137d56147d57157e59157e5a167e5c167f"
     "5d177f5f187f601880621980641a80651a80671b80681c816a1c816b1d816d1d816e1e81701f81721f81732081752181762181782281"
     "7922827b23827c23827e24828025828125818326818426818627818827818928818b29818c29818e2a81902a81912b81932b80942c80"
     "962c80982d80992d809b2e7f9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327daa337dab337cad347cae347bb0357bb2357b"
     "b3367ab5367ab73779b83779ba3878bc3978bd3977bf3a77c03a76c23b75c43c75c53c74c73d73c83e73ca3e72cc3f71cd4071cf4070"
     "d0416fd2426fd3436ed5446dd6456cd8456cd9466bdb476adc4869de4968df4a68e04c67e24d66e34e65e44f64e55064e75263e85362"
     "e95462ea5661eb5760ec5860ed5a5fee5b5eef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4695cf56b5cf66c5cf66e5cf7705c"
     "f7725cf8745cf8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761fc8961fc8a62fc8c63fc8e64fc9065fd9266"
     "fd9467fd9668fd9869fd9a6afd9b6bfe9d6cfe9f6dfea16efea36ffea571fea772fea973feaa74feac76feae77feb078feb27afeb47b"
     "feb67cfeb77efeb97ffebb81febd82febf84fec185fec287fec488fec68afec88cfeca8dfecc8ffecd90fecf92fed194fed395fed597"
     "fed799fed89afdda9cfddc9efddea0fde0a1fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8"
     "fcf7b9fcf9bbfcfbbdfcfdbf"},
};

static void colour_tables_are_the_published_ones(void **state) {
    (void)state;
    uint8_t table[COLOUR_ENTRIES][3];
    for (size_t m = 0; m < sizeof published / sizeof *published; m++) {
        colour_table(published[m].map, table);
        for (int i = 0; i < COLOUR_ENTRIES; i++)
            for (int c = 0; c < 3; c++) {
                const char digits[] = {published[m].colours[6 * i + 2 * c], published[m].colours[6 * i + 2 * c + 1], 0};
                const int expected = (int)strtol(digits, NULL, 16);
                /* Straight lines between 18 colours come that close. */
                if (abs(table[i][c] - expected) > 4)
                    fail_msg("entry %d of %s: channel %d is %d, not %d", i, colour_map_name(published[m].map), c,
                             table[i][c], expected);
            }
    }
    colour_table(COLOUR_GREY, table);
    for (int i = 0; i < COLOUR_ENTRIES; i++)
        for (int c = 0; c < 3; c++) assert_int_equal(table[i][c], i);
}

/* Each reason is told from the others, from no reason, and from every disparity of the default colours. */
static void reasons_have_colours_of_their_own(void **state) {
    (void)state;
    enum { LEAST = 24 }; /* the largest difference of a channel, of 255 */
    uint8_t colours[SV_REASON_COUNT][3], table[COLOUR_ENTRIES][3];
    const colour_settings s = colour_default();
    colour_table(s.map, table);
    memcpy(colours[SV_VALID], s.empty, 3);
    for (int i = SV_VALID + 1; i < SV_REASON_COUNT; i++) {
        colour_of_reason(i, colours[i]);
        for (int j = 0; j < i + COLOUR_ENTRIES; j++) {
            const uint8_t *other = j < i ? colours[j] : table[j - i];
            int difference = 0;
            for (int c = 0; c < 3; c++)
                if (abs(colours[i][c] - other[c]) > difference) difference = abs(colours[i][c] - other[c]);
            if (difference < LEAST)
                fail_msg("'%s' has nearly the colour of %s %d", sv_reason_name(i), j < i ? "reason" : "entry",
                         j < i ? j : j - i);
        }
    }
}

static void light_maps_grow_lighter(void **state) {
    (void)state;
    const int light[] = {COLOUR_VIRIDIS, COLOUR_MAGMA, COLOUR_GREY};
    uint8_t table[COLOUR_ENTRIES][3];
    for (int m = 0; m < 3; m++) {
        colour_table(light[m], table);
        /* From one entry to the next the rounding to bytes may hide it. */
        for (int i = 4; i < COLOUR_ENTRIES; i++) assert_true(luminance(table[i]) > luminance(table[i - 4]));
    }
}

static void colour_names_are_found(void **state) {
    (void)state;
    for (int i = 0; i < COLOUR_MAP_COUNT; i++) assert_int_equal(colour_map_of(colour_map_name(i)), i);
    assert_int_equal(colour_map_of("jet"), -1);
    assert_string_equal(colour_map_name(-1), "?");
    assert_string_equal(colour_map_name(COLOUR_MAP_COUNT), "?");
}

static void index_is_the_nearest(void **state) {
    (void)state;
    const float ranges[][2] = {{0, 63}, {-16.5f, 47.25f}, {-1024, 1023}, {0, 1}};
    for (int r = 0; r < 4; r++) {
        const colour_settings s = {.min = ranges[r][0], .max = ranges[r][1]};
        for (int i = -100; i <= 1100; i++) {
            const float d = s.min + (s.max - s.min) * (float)i / 1000;
            const double exact = fmin(fmax(255.0 * ((double)d - s.min) / ((double)s.max - s.min), 0), 255);
            /* Half an entry, and what a float32 cannot resolve. */
            assert_true(fabs(colour_index(&s, d) - exact) <= 0.5 + 1e-4);
        }
        assert_int_equal(colour_index(&s, s.min), 0);
        assert_int_equal(colour_index(&s, s.max), 255);
    }
    const colour_settings halves = {.min = 0, .max = 255};
    assert_int_equal(colour_index(&halves, 2.5f), 2);
    assert_int_equal(colour_index(&halves, 3.5f), 4);
    assert_int_equal(colour_index(&(colour_settings){.min = 5, .max = 5}, 5), 0);
    assert_int_equal(colour_index(&(colour_settings){.min = 9, .max = 5}, 100), 0);
}

static void picture_follows_the_rule(void **state) {
    (void)state;
    for (int n = 0; n < SIZES; n++) {
        sv_image disparity = make(sizes[n][0], sizes[n][1], SV_FLOAT32), reason = disparity, colour = disparity;
        reason = make(disparity.width, disparity.height, SV_REASON8);
        colour = make(disparity.width, disparity.height, SV_COLOUR8);
        fill(&disparity, &reason);
        for (int map = 0; map < COLOUR_MAP_COUNT; map++)
            for (int why = 0; why < 3; why++) { /* off; on; on without a reason map */
                const colour_settings s = {
                    .map = map, .min = 0, .max = 63, .empty = {1, 2, 3}, .show_reasons = why > 0};
                uint8_t table[COLOUR_ENTRIES][3], expected[3];
                colour_table(map, table);
                assert_int_equal(colour_picture(&s, &disparity, why == 2 ? NULL : &reason, &colour, NULL), SV_OK);
                for (int y = 0; y < colour.height; y++)
                    for (int x = 0; x < colour.width; x++) {
                        const float d = ((float *)sv_row(&disparity, y))[x];
                        const int because = ((uint8_t *)sv_row(&reason, y))[x];
                        const uint8_t *got = (uint8_t *)sv_row(&colour, y) + 4 * x;
                        if (why == 1 && because > SV_VALID && because < SV_REASON_COUNT)
                            colour_of_reason(because, expected);
                        else if (isfinite(d))
                            memcpy(expected, table[colour_index(&s, d)], 3);
                        else
                            memcpy(expected, s.empty, 3);
                        assert_memory_equal(got, expected, 3);
                        assert_int_equal(got[3], 255);
                    }
                assert_guarded(&colour);
            }
        free(disparity.data);
        free(reason.data);
        free(colour.data);
    }
}

static void misfits_are_refused(void **state) {
    (void)state;
    float d[4] = {0};
    uint8_t rgba[16];
    sv_error error;
    colour_settings s = colour_default();
    sv_image disparity = {d, 8, 2, 2, SV_FLOAT32, SV_HOST}, colour = {rgba, 8, 2, 2, SV_COLOUR8, SV_HOST};
    colour.width = 1;
    assert_int_equal(colour_picture(&s, &disparity, NULL, &colour, &error), SV_USAGE);
    colour.width = 2;
    disparity.format = SV_GREY8;
    assert_int_equal(colour_picture(&s, &disparity, NULL, &colour, &error), SV_USAGE);
    disparity.format = SV_FLOAT32;
    s.map = COLOUR_MAP_COUNT;
    assert_int_equal(colour_picture(&s, &disparity, NULL, &colour, &error), SV_USAGE);
    s.map = COLOUR_GREY;
    assert_int_equal(colour_picture(&s, &disparity, NULL, &colour, &error), SV_OK);
}

/* ---- Keys ------------------------------------------------------------------------------------- */

static void keys_mean_what_the_design_says(void **state) {
    (void)state;
    static const int keys[][2] = {
        {' ', INPUT_PAUSE},
        {'.', INPUT_STEP},
        {',', INPUT_STEP_BACK},
        {'[', INPUT_SLOWER},
        {']', INPUT_FASTER},
        {'m', INPUT_METHOD},
        {'r', INPUT_RHO_UP},
        {'R', INPUT_RHO_DOWN},
        {'t', INPUT_TAU_UP},
        {'T', INPUT_TAU_DOWN},
        {'d', INPUT_DISPARITIES_UP},
        {'D', INPUT_DISPARITIES_DOWN},
        {'o', INPUT_RIGHT_LATER},
        {'O', INPUT_RIGHT_EARLIER},
        {'v', INPUT_LAYOUT},
        {'c', INPUT_COLOURS},
        {'e', INPUT_REASONS},
        {'z', INPUT_METRES},
        {'s', INPUT_SNAPSHOT},
        {'i', INPUT_STATISTICS},
        {'f', INPUT_FULL_SCREEN},
        {'h', INPUT_HELP},
        {'?', INPUT_HELP},
        {'q', INPUT_QUIT},
        {INPUT_KEY_TAB, INPUT_PANEL},
        {INPUT_KEY_ESCAPE, INPUT_LEAVE},
        {INPUT_KEY_LEFT, INPUT_SEEK_BACK},
        {INPUT_KEY_RIGHT, INPUT_SEEK_ON},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) assert_int_equal(input_action_of(keys[i][0]), keys[i][1]);
    assert_int_equal(input_binding_count, sizeof keys / sizeof *keys);
    assert_int_equal(input_action_of('x'), -1);
    for (int i = 0; i < input_binding_count; i++) /* no key twice */
        assert_int_equal(input_action_of(input_bindings[i].key), input_bindings[i].action);
}

static void queue_keeps_the_order(void **state) {
    (void)state;
    input_queue queue = {.count = 0};
    input_action action;
    assert_false(input_next(&queue, &action));
    for (int round = 0; round < 3; round++) { /* the second time it wraps */
        for (int i = 0; i < INPUT_QUEUE_SIZE + 5; i++) input_push(&queue, (input_action)(i % INPUT_ACTION_COUNT));
        for (int i = 0; i < INPUT_QUEUE_SIZE - round; i++) {
            assert_true(input_next(&queue, &action));
            assert_int_equal(action, i % INPUT_ACTION_COUNT);
        }
        while (input_next(&queue, &action)) {
        }
    }
}

static void quit_is_never_lost(void **state) {
    (void)state;
    input_queue queue = {.count = 0};
    input_action action;
    for (int i = 0; i < INPUT_QUEUE_SIZE; i++) input_push(&queue, INPUT_RHO_UP);
    input_push(&queue, INPUT_QUIT);
    input_push(&queue, INPUT_RHO_DOWN);
    input_push(&queue, INPUT_QUIT);
    for (int i = 0; i < INPUT_QUEUE_SIZE; i++) {
        assert_true(input_next(&queue, &action));
        assert_int_equal(action, i < INPUT_QUEUE_SIZE - 1 ? INPUT_RHO_UP : INPUT_QUIT);
    }
    assert_false(input_next(&queue, &action));
}

/* ---- With OpenGL ------------------------------------------------------------------------------ */

static void no_display_is_said(void **state) {
    (void)state;
    static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    char *saved[2];
    window *w;
    sv_error error;
    for (int i = 0; i < 2; i++) {
        saved[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
        unsetenv(names[i]);
    }
    assert_int_equal(window_open(&w, &(window_options){.title = "test", .width = 64, .height = 64}, &error),
                     SV_NO_DEVICE);
    assert_null(w);
    assert_non_null(strstr(error.text, "--headless"));
    for (int i = 0; i < 2; i++) {
        if (saved[i]) setenv(names[i], saved[i], 1);
        free(saved[i]);
    }
}

static int open_window(void **state) {
    (void)state;
    sv_error error;
    const window_options options = {
        .title = "stereoview test", .width = 640, .height = 480, .debug = true, .hidden = true};
    complaints = 0;
    if (window_open(&shown, &options, &error) != SV_OK) print_message("no OpenGL here: %s\n", error.text);
    return 0;
}

static int close_window(void **state) {
    (void)state;
    LOOK_FOR_LEAKS();
    window_close(shown);
    return 0;
}

#define NEEDS_WINDOW()                                                                                                 \
    if (!shown) {                                                                                                      \
        print_message("skipped: no display\n");                                                                        \
        skip();                                                                                                        \
    }

static void assert_no_complaints(void) {
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(complaints, 0);
}

static view *make_view(int width, int height) {
    view *v = NULL;
    sv_error error;
    if (view_create(&v, width, height, 3, &error) != SV_OK) fail_msg("%s", error.text);
    return v;
}

static void bad_framebuffers_are_said(void **state) {
    (void)state;
    NEEDS_WINDOW();
    sv_error error = {""};
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    assert_int_equal(gl_check_framebuffer("empty one", &error), SV_FAILED);
    assert_non_null(strstr(error.text, "'empty one': it has no texture"));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    assert_no_complaints();
}

/* What a debug context says goes to the log, each at its level. */
static void messages_are_logged(void **state) {
    (void)state;
    NEEDS_WINDOW();
    if (!GLEW_KHR_debug) {
        print_message("skipped: this OpenGL has no messages\n");
        skip();
    }
    static const char text[] = "made up by a test";
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_OTHER, 7, GL_DEBUG_SEVERITY_HIGH, -1, text);
    assert_int_equal(complaints, 1);
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_OTHER, 7, GL_DEBUG_SEVERITY_MEDIUM, -1, text);
    assert_int_equal(complaints, 1);
    glEnable(GL_TEXTURE0); /* a mistake */
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    assert_int_equal(complaints, 2);
    complaints = 0;
}

static void bad_programs_are_said(void **state) {
    (void)state;
    NEEDS_WINDOW();
    const char *vertex = "#version 330 core\nvoid main() { gl_Position = vec4(0); }\n";
    const char *fragment = "#version 330 core\nout vec4 c; void main() { c = nonsense; }\n";
    GLuint program = 1;
    sv_error error;
    assert_int_equal(gl_program(&program, "broken", vertex, fragment, &error), SV_FAILED);
    assert_int_equal(program, 0);
    assert_non_null(strstr(error.text, "broken"));
    assert_non_null(strstr(error.text, "nonsense"));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    complaints = 0; /* drivers report it through the log too */
}

static void screen_and_export_agree(void **state) {
    (void)state;
    NEEDS_WINDOW();
    const float ranges[][2] = {{0, 63}, {-16.3f, 47.7f}, {5, 5}, {-1024, 1023}};
    for (int n = 0; n < SIZES; n++) {
        const int width = sizes[n][0], height = sizes[n][1];
        sv_image disparity = make(width, height, SV_FLOAT32), reason = make(width, height, SV_REASON8);
        sv_image expected = make(width, height, SV_COLOUR8), got = make(width, height, SV_COLOUR8);
        view *v = make_view(width, height);
        fill(&disparity, &reason);
        assert_int_equal(view_reason_offset(v) % 256, 0);
        assert_true(view_reason_offset(v) >= (size_t)width * height * 4);
        assert_int_equal(view_buffer_size(v), view_reason_offset(v) + (size_t)width * height);
        for (int slot = 0; slot < 3; slot++) {
            assert_int_equal(view_write(v, slot, &disparity, &reason, NULL), SV_OK);
            view_show(v, slot);
            for (int map = 0; map < COLOUR_MAP_COUNT; map++)
                for (int r = 0; r < 4; r++) {
                    view_settings s = view_default();
                    s.colour = (colour_settings){.map = map,
                                                 .min = ranges[r][0],
                                                 .max = ranges[r][1],
                                                 .empty = {200, 101, 3},
                                                 .show_reasons = r % 2};
                    assert_int_equal(view_read_back(v, &s, &got, NULL), SV_OK);
                    assert_int_equal(colour_picture(&s.colour, &disparity, &reason, &expected, NULL), SV_OK);
                    assert_memory_equal(got.data, expected.data, got.stride * (size_t)height);
                }
            /* The next slot holds another map. */
            ((float *)disparity.data)[0] += 7;
        }
        view_destroy(v);
        free(disparity.data);
        free(reason.data);
        free(expected.data);
        free(got.data);
    }
    assert_no_complaints();
}

/* A screen of our own: RGBA8, cleared to magenta, from which nothing is drawn. */
enum { SCREEN_WIDTH = 400, SCREEN_HEIGHT = 300 };
typedef struct screen {
    GLuint texture, framebuffer;
    uint8_t pixels[SCREEN_HEIGHT][SCREEN_WIDTH][4]; /* from the bottom */
} screen;

static void draw_on(screen *on, view *v, const view_settings *settings, view_rect area) {
    glGenTextures(1, &on->texture);
    glBindTexture(GL_TEXTURE_2D, on->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SCREEN_WIDTH, SCREEN_HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &on->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, on->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, on->texture, 0);
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    view_draw(v, settings, area);
    glReadPixels(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, on->pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &on->framebuffer);
    glDeleteTextures(1, &on->texture);
}

static bool inside(view_rect r, int x, int y) {
    return x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height;
}

/* All of `map` has one colour, all of `left` another, the rest is untouched. */
static void assert_placed(const screen *on, view_rect map, const uint8_t *map_colour, view_rect left,
                          const uint8_t *left_colour) {
    const uint8_t clear[] = {255, 0, 255};
    for (int y = 0; y < SCREEN_HEIGHT; y++)
        for (int x = 0; x < SCREEN_WIDTH; x++)
            assert_memory_equal(on->pixels[y][x],
                                inside(map, x, y)    ? map_colour
                                : inside(left, x, y) ? left_colour
                                                     : clear,
                                3);
}

static void layouts_are_letterboxed(void **state) {
    (void)state;
    NEEDS_WINDOW();
    enum { WIDTH = 40, HEIGHT = 20 };
    static const struct {
        int layout;
        view_rect map, left;
    } expected[] = {
        /* In 300 x 200 at 50, 60: 300 x 150 alone; 147 x 74 twice with 6 between; 194 x 97 twice. */
        {VIEW_DISPARITY, {50, 85, 300, 150}, {0, 0, 0, 0}},
        {VIEW_LEFT, {0, 0, 0, 0}, {50, 85, 300, 150}},
        {VIEW_SIDE_BY_SIDE, {203, 123, 147, 74}, {50, 123, 147, 74}},
        {VIEW_OVER_UNDER, {103, 163, 194, 97}, {103, 60, 194, 97}},
    };
    const view_rect area = {50, 60, 300, 200};
    sv_image disparity = make(WIDTH, HEIGHT, SV_FLOAT32), reason = make(WIDTH, HEIGHT, SV_REASON8);
    sv_image grey = make(WIDTH, HEIGHT, SV_GREY8);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((float *)sv_row(&disparity, y))[x] = 63;
            ((uint8_t *)sv_row(&reason, y))[x] = SV_VALID;
            ((uint8_t *)sv_row(&grey, y))[x] = 77;
        }
    const uint8_t nearest[] = {122, 4, 3}, of_left[] = {77, 77, 77};
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    static screen on;
    draw_on(&on, v, &s, area); /* nothing to draw yet */
    assert_placed(&on, (view_rect){0}, nearest, (view_rect){0}, of_left);
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    assert_int_equal(view_left(v, &grey, NULL), SV_OK);
    for (int i = 0; i < VIEW_LAYOUT_COUNT; i++) {
        s.layout = expected[i].layout;
        draw_on(&on, v, &s, area);
        assert_placed(&on, expected[i].map, nearest, expected[i].left, of_left);
        draw_on(&on, v, &s, (view_rect){10, 10, 0, 0});
        draw_on(&on, v, &s, (view_rect){10, 10, 1, 1});
    }
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    free(grey.data);
    assert_no_complaints();
}

/* Rows and columns stand as in memory, in both pictures, and the left one may change its format. */
static void pictures_stand_upright(void **state) {
    (void)state;
    NEEDS_WINDOW();
    sv_image disparity = make(2, 2, SV_FLOAT32), reason = make(2, 2, SV_REASON8);
    sv_image grey = make(2, 2, SV_GREY8), colour = make(2, 2, SV_COLOUR8);
    for (int i = 0; i < 4; i++) {
        ((float *)sv_row(&disparity, i / 2))[i % 2] = (float)(60 * i);
        ((uint8_t *)sv_row(&reason, i / 2))[i % 2] = SV_VALID;
        ((uint8_t *)sv_row(&grey, i / 2))[i % 2] = (uint8_t)(60 * i);
        const uint8_t rgba[] = {(uint8_t)(60 * i), 10, 200, 255};
        memcpy((uint8_t *)sv_row(&colour, i / 2) + 4 * (i % 2), rgba, 4);
    }
    view *v = make_view(2, 2);
    view_settings s = view_default();
    s.colour = (colour_settings){.map = COLOUR_GREY, .min = 0, .max = 255};
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    const view_rect area = {0, 0, 300, 300};
    static screen on;
    for (int pass = 0; pass < 4; pass++) {
        s.layout = pass ? VIEW_LEFT : VIEW_DISPARITY;
        if (pass) assert_int_equal(view_left(v, pass == 2 ? &colour : &grey, NULL), SV_OK);
        draw_on(&on, v, &s, area);
        for (int i = 0; i < 4; i++) {
            /* In the outer quarter, where no neighbour is blended in. */
            const uint8_t *got = on.pixels[i / 2 ? 20 : 280][i % 2 ? 280 : 20];
            assert_int_equal(got[0], 60 * i);
            assert_int_equal(got[1], pass == 2 ? 10 : 60 * i);
            assert_int_equal(got[2], pass == 2 ? 200 : 60 * i);
        }
    }
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    free(grey.data);
    free(colour.data);
    assert_no_complaints();
}

/* Each pixel of the left picture is what its place in the map says, to what a texture's filter rounds. */
static void left_picture_is_rectified(void **state) {
    (void)state;
    NEEDS_WINDOW();
    enum { WIDTH = 40, HEIGHT = 30 };
    int32_t map[HEIGHT][WIDTH][2];
    sv_rectification r = {.width = WIDTH, .height = HEIGHT, .maps = {&map[0][0][0], NULL}},
                     other = {.width = 1, .height = 1};
    sv_image grey = make(WIDTH, HEIGHT, SV_GREY8);
    sv_error error;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const bool outside = x < 3 || y > 24;
            *((uint8_t *)sv_row(&grey, y) + x) = (uint8_t)(20 + 3 * x + 4 * y); /* nowhere black, as outside is */
            map[y][x][0] = outside ? SV_MAP_OUTSIDE : SV_MAP_STEPS * (x - 3) + y % SV_MAP_STEPS;
            map[y][x][1] = outside ? SV_MAP_OUTSIDE : SV_MAP_STEPS * y + SV_MAP_STEPS / 2;
        }
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    s.layout = VIEW_LEFT;
    static screen on;
    assert_int_equal(view_left(v, &grey, NULL), SV_OK);
    for (int pass = 0; pass < 3; pass++) {
        assert_int_equal(view_set_rectification(v, pass == 1 ? &r : NULL, NULL), SV_OK);
        draw_on(&on, v, &s, (view_rect){0, 0, WIDTH, HEIGHT});
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const bool outside = map[y][x][0] == SV_MAP_OUTSIDE;
                const double expected = pass != 1 ? 20 + 3 * x + 4 * y
                                        : outside ? 0
                                                  : 20 + (3 * map[y][x][0] + 4 * map[y][x][1]) / (double)SV_MAP_STEPS;
                for (int c = 0; c < 3; c++) assert_true(fabs(on.pixels[HEIGHT - 1 - y][x][c] - expected) < 1.5);
            }
    }
    other.maps[0] = &map[0][0][0];
    assert_int_equal(view_set_rectification(v, &other, &error), SV_USAGE);
    view_destroy(v);
    free(grey.data);
    assert_no_complaints();
}

/* Asks for a place until the answer is that pixel of the map, for 10 seconds at most. */
static bool picks(view *v, const view_settings *s, view_rect area, int left, int bottom, int x, int y,
                  view_pixel *pixel) {
    for (const double begin = sv_seconds(); sv_seconds() < begin + 10;)
        if (view_pick(v, s, area, left, bottom, pixel) && pixel->x == x && pixel->y == y) return true;
    return false;
}

/* The first answer never comes at once, since that would be to wait for the GPU. */
static void pixels_are_picked(void **state) {
    (void)state;
    NEEDS_WINDOW();
    sv_image disparity = make(33, 9, SV_FLOAT32), reason = make(33, 9, SV_REASON8);
    fill(&disparity, &reason);
    view *v = make_view(33, 9);
    view_settings s = view_default();
    view_pixel pixel;
    const view_rect area = {7, 11, 33 * 4 * 2 + 6, 9 * 4}; /* two pictures, 4 x 4 for a pixel */
    assert_false(view_pick(v, &s, area, 50, 20, &pixel));
    assert_int_equal(view_write(v, 1, &disparity, &reason, NULL), SV_OK);
    view_show(v, 1);
    s.layout = VIEW_SIDE_BY_SIDE;
    for (int picture = 0; picture < 2; picture++)
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 33; x++) {
                const float *d = (float *)sv_row(&disparity, y) + x;
                const int left = 7 + picture * (33 * 4 + 6) + 4 * x + 3, bottom = 11 + 9 * 4 - 1 - 4 * y;
                if (!picture && !x && !y) assert_false(view_pick(v, &s, area, left, bottom, &pixel));
                assert_true(picks(v, &s, area, left, bottom, x, y, &pixel));
                assert_int_equal(pixel.reason, ((uint8_t *)sv_row(&reason, y))[x]);
                assert_memory_equal(&pixel.disparity, d, isnan(*d) ? 0 : sizeof *d);
            }
    assert_false(view_pick(v, &s, area, 6, 20, &pixel));              /* left of it */
    assert_false(view_pick(v, &s, area, 7 + 33 * 4 + 2, 20, &pixel)); /* between them */
    assert_false(view_pick(v, &s, area, 50, 10, &pixel));             /* below */
    /* Back in the map it does not begin with the place where it left. */
    for (const double begin = sv_seconds(); !view_pick(v, &s, area, 8, 12, &pixel);)
        assert_true(sv_seconds() < begin + 10);
    assert_int_equal(pixel.x, 0);
    assert_int_equal(pixel.y, 8);
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    assert_no_complaints();
}

static void ranges_are_followed(void **state) {
    (void)state;
    NEEDS_WINDOW();
    /* As many pixels as are looked at. One column in 64 is an outlier, at either end, and the next is what the second
     * per cent falls on. */
    enum { WIDTH = 64, HEIGHT = 48 };
    sv_image disparity = make(WIDTH, HEIGHT, SV_FLOAT32), reason = make(WIDTH, HEIGHT, SV_REASON8);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const float d = x == 0           ? -1000
                            : x == 1         ? 10
                            : x == WIDTH - 2 ? 90
                            : x == WIDTH - 1 ? 5000
                                             : (float)(20 + x);
            ((float *)sv_row(&disparity, y))[x] = y % 2 ? d : INFINITY;
            ((uint8_t *)sv_row(&reason, y))[x] = 0;
        }
    view *v = make_view(WIDTH, HEIGHT);
    view_settings s = view_default();
    assert_int_equal(view_write(v, 0, &disparity, &reason, NULL), SV_OK);
    view_show(v, 0);
    s.range = VIEW_RANGE_FIXED;
    s.colour.min = 3;
    s.colour.max = 4;
    view_follow_range(v, &s, -10, 900);
    assert_true(s.colour.min == 3 && s.colour.max == 4);
    s.range = VIEW_RANGE_SEARCHED;
    view_follow_range(v, &s, -10, 900);
    assert_true(s.colour.min == -10 && s.colour.max == 900);
    s.range = VIEW_RANGE_AUTOMATIC;
    for (int i = 0; i < 400 && s.colour.max == 900; i++) {
        view_follow_range(v, &s, -10, 900);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_true(s.colour.min == 10);
    assert_true(s.colour.max == 90);
    view_destroy(v);
    free(disparity.data);
    free(reason.data);
    assert_no_complaints();
}

static void misuse_of_a_view_is_refused(void **state) {
    (void)state;
    NEEDS_WINDOW();
    view *v;
    sv_error error;
    assert_int_equal(view_create(&v, 0, 5, 3, &error), SV_FAILED);
    assert_int_equal(view_create(&v, 1 << 20, 5, 3, &error), SV_FAILED);
    assert_non_null(strstr(error.text, "1048576"));
    assert_int_equal(view_create(&v, 5, 5, 0, &error), SV_USAGE);
    v = make_view(5, 5);
    sv_image disparity = make(5, 4, SV_FLOAT32), reason = make(5, 5, SV_REASON8), colour = make(5, 5, SV_COLOUR8);
    const view_settings s = view_default();
    assert_int_equal(view_write(v, 0, &disparity, &reason, &error), SV_USAGE);
    assert_int_equal(view_write(v, 0, &reason, &reason, &error), SV_USAGE);
    assert_int_equal(view_left(v, &disparity, &error), SV_USAGE);
    assert_int_equal(view_read_back(v, &s, &colour, &error), SV_USAGE); /* nothing shown yet */
    view_destroy(v);
    view_destroy(NULL);
    free(disparity.data);
    free(reason.data);
    free(colour.data);
    assert_no_complaints();
}

/* As if GLFW had seen the key. */
static void press_key(int key, int how) {
    GLFWwindow *glfw = window_handle(shown);
    GLFWkeyfun handler = glfwSetKeyCallback(glfw, NULL);
    glfwSetKeyCallback(glfw, handler);
    handler(glfw, key, 0, how, 0);
}

static void assert_next_action(int expected) {
    input_action action = INPUT_ACTION_COUNT;
    assert_int_equal(window_next_action(shown, &action), expected >= 0);
    if (expected >= 0) assert_int_equal(action, expected);
}

static void escape_is_the_way_out(void **state) {
    (void)state;
    NEEDS_WINDOW();
    press_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
    assert_next_action(INPUT_LEAVE);
    press_key(GLFW_KEY_ESCAPE, GLFW_REPEAT);
    assert_next_action(-1);
    assert_false(window_take_escape(shown));
    window_mute_keys(shown, false, true); /* a popup is open */
    press_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
    assert_next_action(-1);
    assert_true(window_take_escape(shown));
    assert_false(window_take_escape(shown));
    press_key(GLFW_KEY_TAB, GLFW_PRESS);
    assert_next_action(INPUT_PANEL);
    window_mute_keys(shown, true, false);
    press_key(GLFW_KEY_ESCAPE, GLFW_PRESS);
    assert_next_action(-1);
    window_mute_keys(shown, false, false);

    assert_false(window_leave_full_screen(shown));
    window_toggle_full_screen(shown);
    if (!glfwGetWindowMonitor(window_handle(shown))) {
        print_message("skipped: no monitor, so no full screen\n");
        skip();
    }
    assert_true(window_leave_full_screen(shown));
    assert_null(glfwGetWindowMonitor(window_handle(shown)));
    assert_no_complaints();
}

/* The panel in many states: draws without complaint, changes nothing unasked, leaves room. */
static void panel_draws_in_every_state(void **state) {
    (void)state;
    NEEDS_WINDOW();
    panel *p;
    sv_error error;
    input_action action;
    int width, height;
    assert_int_equal(panel_create(&p, shown, &error), SV_OK);
    window_size(shown, &width, &height);
    const view_pixel pixels[] = {{.x = 3, .y = 4, .disparity = INFINITY, .reason = SV_SPECKLE},
                                 {.x = 3, .y = 4, .disparity = 20}};
    const sv_rectification metric = {.focal = 500, .baseline = 0.1, .doffs = -3, .metric = true};
    for (int i = 0; i < 128; i++) {
        panel_state s = {.params = sv_default_params((sv_method)(i % SV_METHOD_COUNT)), .view = view_default()};
        s.open = i & 1;
        s.statistics = i & 2;
        s.help = i & 4;
        s.seekable = i & 8;
        s.live = i & 16;
        s.pictures = i & 32;
        s.speed = 1;
        s.duration = i & 8 ? 60 : 0;
        s.view.layout = i % VIEW_LAYOUT_COUNT;
        s.view.range = i % VIEW_RANGE_COUNT;
        s.view.colour.show_reasons = i & 64;
        s.view.metres = i % 5 < 3;
        if (i % 5 % 2) s.rectification = &metric;
        if (i % 3) {
            s.alignment = "100 % of %s %n";
            s.misaligned = i % 2;
            s.alignment_points = i % 4;
            s.source = s.backend = s.device = s.message = "100 % of %s %n";
            s.pixel = &pixels[i % 2];
            s.stages[0] = (panel_stage){"match", 1};
            s.stage_count = 1;
            s.drops[0] = (panel_drop){"late", 1};
            s.drop_count = 1;
        }
        const panel_state before = s;
        window_poll(shown, 0);
        window_clear(shown);
        panel_draw(p, &s);
        window_swap(shown);
        assert_memory_equal(&s.params, &before.params, sizeof s.params);
        assert_memory_equal(&s.view, &before.view, sizeof s.view);
        const view_rect area = panel_picture_area(p, &s);
        assert_true(area.x == 0 && area.y > 0 && area.width > width / 5 && area.height > height / 2);
        assert_int_equal(area.y + area.height, height);
        assert_true(s.open ? area.width < width / 2 + 1 : area.width <= width);
    }
    assert_false(window_next_action(shown, &action));
    panel_destroy(p);
    panel_destroy(NULL);
    assert_no_complaints();
}

/* ---- The legend ------------------------------------------------------------------------------- */

enum { LEGEND_WIDTH = 640, LEGEND_HEIGHT = 480, MOST_TICKS = 40 }; /* the window's */

typedef struct legend {
    uint8_t pixels[LEGEND_HEIGHT][LEGEND_WIDTH][4]; /* from the top; magenta where nothing was drawn */
    int left;                                       /* column where the picture ends and the legend begins */
    double em;                                      /* height of the text, pixels */
    int top, bottom;                                /* rows of the colour bar, half open */
    double ticks[MOST_TICKS];                       /* their rows */
    int widths[MOST_TICKS];                         /* of what is written beside them, pixels */
    int tick_count;
} legend;

static bool is_drawn(const legend *l, int x, int y) {
    const uint8_t *p = l->pixels[y][x];
    return p[0] != 255 || p[1] != 0 || p[2] != 255;
}

/* How wide the text beside a tick is. */
static int text_width(const legend *l, double row) {
    const int begin = l->left + (int)(2.4 * l->em);
    int end = begin;
    for (int y = (int)(row - 0.4 * l->em); y <= (int)(row + 0.4 * l->em); y++)
        for (int x = begin; x < LEGEND_WIDTH; x++)
            if (y >= 0 && y < LEGEND_HEIGHT && is_drawn(l, x, y) && x >= end) end = x + 1;
    return end - begin;
}

/* Draws the panel, closed, and finds the parts of its legend. */
static void draw_legend(legend *l, panel *p, panel_state *s) {
    GLuint texture, framebuffer;
    int width, height;
    window_size(shown, &width, &height);
    assert_int_equal(width, LEGEND_WIDTH);
    assert_int_equal(height, LEGEND_HEIGHT);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(1, 0, 1, 1);
    glDisable(GL_SCISSOR_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    window_poll(shown, 0);
    panel_draw(p, s);
    for (int y = 0; y < height; y++) glReadPixels(0, height - 1 - y, width, 1, GL_RGBA, GL_UNSIGNED_BYTE, l->pixels[y]);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);

    const view_rect area = panel_picture_area(p, s);
    l->left = area.width;
    l->em = (width - area.width) / 5.0;
    l->top = l->bottom = l->tick_count = 0;
    if (area.width == width) return;
    /* The bar is the longest run in its middle column, and ticks begin at its right edge. */
    const int middle = l->left + (int)(1.35 * l->em), beside = l->left + (int)(2.1 * l->em);
    for (int y = 0, from = 0; y < area.height; y++) {
        if (!is_drawn(l, middle, y)) from = y + 1;
        if (y + 1 - from > l->bottom - l->top) l->top = from, l->bottom = y + 1;
    }
    for (int y = 0; y < l->bottom + 3 && l->tick_count < MOST_TICKS; y++) {
        int rows = 0;
        while (is_drawn(l, beside, y + rows)) rows++;
        if (!rows) continue;
        l->ticks[l->tick_count] = y + rows / 2.0;
        l->widths[l->tick_count] = text_width(l, y + rows / 2.0);
        l->tick_count++;
        y += rows;
    }
}

/* The ticks, from the top, are at these disparities. */
static void assert_ticks(const legend *l, const colour_settings *c, const double *disparities, int count) {
    assert_int_equal(l->tick_count, count);
    for (int i = 0; i < count; i++) {
        const double row = l->top + (l->bottom - l->top) * (c->max - disparities[i]) / (c->max - c->min);
        if (fabs(l->ticks[i] - row) > 1.5)
            fail_msg("tick %d is in row %g, not %g, of %d to %d", i, l->ticks[i], row, l->top, l->bottom);
    }
}

/* The largest disparity is at the top, in its colour; the ticks are where their numbers say. */
static void legend_tells_the_colours(void **state) {
    (void)state;
    NEEDS_WINDOW();
    static legend l;
    panel *p;
    panel_state s = {.params = sv_default_params(SV_SSD), .view = view_default(), .speed = 1};
    s.view.colour.min = -3;
    s.view.colour.max = 60;
    assert_int_equal(panel_create(&p, shown, NULL), SV_OK);
    for (int map = 0; map < COLOUR_MAP_COUNT; map++) {
        uint8_t table[COLOUR_ENTRIES][3];
        s.view.colour.map = map;
        colour_table(map, table);
        draw_legend(&l, p, &s);
        assert_true(l.bottom - l.top > LEGEND_HEIGHT / 2);
        for (int y = l.top + 1; y < l.bottom - 1; y++) {
            const double exact = 255 * (1 - (y + 0.5 - l.top) / (l.bottom - l.top));
            const uint8_t *got = l.pixels[y][l.left + (int)(1.35 * l.em)];
            /* Two entries a row at most, each up to 8 from the next. */
            for (int c = 0; c < 3; c++) assert_true(abs(got[c] - table[(int)exact][c]) <= 16);
        }
    }
    static const double tens[] = {60, 50, 40, 30, 20, 10, 0};
    assert_ticks(&l, &s.view.colour, tens, 7);
    /* One digit is narrower than two. */
    for (int i = 0; i < 6; i++) assert_true(l.widths[i] > l.widths[6] + 2);

    /* Depth is focal * baseline / (disparity + doffs): 50 / (disparity - 3) metres. */
    const sv_rectification metric = {.focal = 500, .baseline = 0.1, .doffs = -3, .metric = true};
    s.rectification = &metric;
    s.view.metres = true;
    s.view.colour.min = 0;
    draw_legend(&l, p, &s);
    static const double metres[] = {1, 1.2, 1.5, 2, 3, 5, 15};
    double disparities[7];
    for (int i = 0; i < 7; i++) disparities[i] = 50 / metres[i] + 3;
    assert_ticks(&l, &s.view.colour, disparities, 7);

    s.view.legend = false;
    draw_legend(&l, p, &s);
    assert_int_equal(l.left, LEGEND_WIDTH);
    panel_destroy(p);
    assert_no_complaints();
}

int main(void) {
    const struct CMUnitTest plain[] = {
        cmocka_unit_test(colour_tables_are_the_published_ones),
        cmocka_unit_test(reasons_have_colours_of_their_own),
        cmocka_unit_test(light_maps_grow_lighter),
        cmocka_unit_test(colour_names_are_found),
        cmocka_unit_test(index_is_the_nearest),
        cmocka_unit_test(picture_follows_the_rule),
        cmocka_unit_test(misfits_are_refused),
        cmocka_unit_test(keys_mean_what_the_design_says),
        cmocka_unit_test(queue_keeps_the_order),
        cmocka_unit_test(quit_is_never_lost),
        cmocka_unit_test(no_display_is_said),
    };
    const struct CMUnitTest with_window[] = {
        cmocka_unit_test(bad_programs_are_said),     cmocka_unit_test(bad_framebuffers_are_said),
        cmocka_unit_test(messages_are_logged),       cmocka_unit_test(screen_and_export_agree),
        cmocka_unit_test(layouts_are_letterboxed),   cmocka_unit_test(pictures_stand_upright),
        cmocka_unit_test(left_picture_is_rectified), cmocka_unit_test(pixels_are_picked),
        cmocka_unit_test(ranges_are_followed),       cmocka_unit_test(misuse_of_a_view_is_refused),
        cmocka_unit_test(legend_tells_the_colours),  cmocka_unit_test(panel_draws_in_every_state),
        cmocka_unit_test(escape_is_the_way_out),
    };
    sv_set_log(count_complaints);
    const int failed = cmocka_run_group_tests_name("render", plain, NULL, NULL);
    return failed + cmocka_run_group_tests_name("render, with OpenGL", with_window, open_window, close_window);
}
