/* What the tests of render/ share. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/window/gl.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

window *shown;
int complaints;
const int sizes[SIZES][2] = {{1, 1}, {33, 9}, {641, 479}};

static void count_complaints(sv_level level, const char *line) {
    if (level > SV_LOG_WARNING) return;
    complaints++;
    print_error("log: %s\n", line);
}

int open_screen(void **state) {
    (void)state;
    sv_error error;
    const window_options options = {
        .title = "stereoview test", .width = SCREEN_WIDTH, .height = SCREEN_HEIGHT, .debug = true, .hidden = true};
    complaints = 0;
    sv_set_log(count_complaints);
    if (window_open(&shown, &options, &error) != SV_OK) print_message("no OpenGL here: %s\n", error.text);
    return 0;
}

int close_screen(void **state) {
    (void)state;
    window_close(shown);
    return 0;
}

void assert_no_complaints(void) {
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(complaints, 0);
}

view *make_view(int width, int height) {
    view *v = NULL;
    sv_error error;
    if (view_create(&v, width, height, 3, &error) != SV_OK) fail_msg("%s", error.text);
    return v;
}

enum { PADDING = 12, GUARD = 0xa5 };

sv_image make_padded(int width, int height, sv_format format) {
    sv_image image = {.width = width, .height = height, .format = format};
    image.stride = (size_t)width * sv_pixel_size(format) + PADDING;
    image.data = malloc(image.stride * (size_t)height);
    assert_non_null(image.data);
    memset(image.data, GUARD, image.stride * (size_t)height);
    return image;
}

void assert_guarded(const sv_image *image) {
    for (int y = 0; y < image->height; y++)
        for (size_t i = (size_t)image->width * sv_pixel_size(image->format); i < image->stride; i++)
            assert_int_equal(((uint8_t *)sv_row(image, y))[i], GUARD);
}

void show_map(view *v, int slot, int width, int height, float (*disparity)(int x, int y), float more) {
    sv_image map = make_padded(width, height, SV_FLOAT32), reason = make_padded(width, height, SV_REASON8);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const float d = (disparity ? disparity(x, y) : 0) + more;
            ((float *)sv_row(&map, y))[x] = d;
            ((uint8_t *)sv_row(&reason, y))[x] = isinf(d) ? SV_SPECKLE : SV_VALID;
        }
    assert_int_equal(view_write(v, slot, &map, &reason, NULL), SV_OK);
    view_show(v, slot);
    free(map.data);
    free(reason.data);
}

void fill_maps(const sv_image *disparity, const sv_image *reason) {
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
