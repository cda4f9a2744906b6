/* From a matcher to the screen: a map that passes through the slots, OpenGL's buffer and the shader and is read back
 * has the same bytes as those that the exporter writes for the CPU's map.
 *
 * Skipped without a display, and for cuda without a device. With SV_TEST_INTEROP=1 it is a failure if the backend does
 * not write into OpenGL's buffers, with 0 if it does (OpenGL on another device than CUDA). */
#include "app/play/maps.h"
#include "app/play/slots.h"
#include "capture/synthetic/synthetic.h"
#include "render/window/gl.h"
#include "tests/support/canvas.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 323, HEIGHT = 241, ROUNDS = 8 };

/* The scene's frame `index` from one side, in the backend's memory. */
static sv_image picture(const sv_backend *backend, int64_t index, scene_side side) {
    scene demo = scene_demo();
    demo.width = WIDTH;
    demo.height = HEIGHT;
    sv_image colour = {malloc(4 * WIDTH * HEIGHT), 4 * WIDTH, WIDTH, HEIGHT, SV_COLOUR8, SV_HOST};
    sv_image grey = {backend->alloc(WIDTH * HEIGHT), WIDTH, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
    assert_non_null(colour.data);
    assert_non_null(grey.data);
    scene_render(&demo, index, side, colour);
    for (int i = 0; i < WIDTH * HEIGHT; i++) ((uint8_t *)grey.data)[i] = ((const uint8_t *)colour.data)[4 * i + 1];
    free(colour.data);
    return grey;
}

static sv_matcher *create(const sv_backend *backend) {
    sv_matcher *matcher;
    sv_error error;
    if (sv_matcher_create(backend, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT}, &matcher, &error) != SV_OK)
        fail_msg("%s", error.text);
    return matcher;
}

static void match(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, const sv_output *output) {
    sv_error error;
    if (sv_submit(matcher, pair, params, output, &error) != SV_OK || sv_wait(matcher, NULL, &error) != SV_OK)
        fail_msg("%s", error.text);
}

/* The slots of a second map are written while those of the first one are lent, too, and both maps are read again. */
static void check_second(const sv_backend *backend, view *view, slots *slots_of_first, sv_matcher *matcher,
                         sv_matcher *reference, sv_output *by_cpu) {
    static float d[WIDTH * HEIGHT];
    static uint8_t r[WIDTH * HEIGHT];
    const sv_image disparity = {d, WIDTH * sizeof *d, WIDTH, HEIGHT, SV_FLOAT32, SV_HOST};
    const sv_image reason = {r, WIDTH, WIDTH, HEIGHT, SV_REASON8, SV_HOST};
    const sv_method methods[2] = {SV_SSD, SV_SGM};
    slots second, *const each[2] = {slots_of_first, &second};
    sv_output outputs[2];
    sv_error error = {""};
    if (view_add_second(view, &error) != SV_OK ||
        slots_create(&second, backend, 0, view, SV_OUTPUTS, WIDTH, HEIGHT, &error) != SV_OK)
        fail_msg("%s", error.text);
    assert_int_equal(second.interop, slots_of_first->interop);
    const sv_pair pair = {.left = picture(backend, 1, SCENE_LEFT), .right = picture(backend, 1, SCENE_RIGHT)};
    for (int i = 0; i < 2; i++) outputs[i] = slots_lend(each[i], 1);
    for (int i = 0; i < 2; i++) {
        const sv_params params = sv_default_params(methods[i]);
        match(matcher, &pair, &params, &outputs[i]);
        if (slots_show(each[i], 1, false, &error) != SV_OK) fail_msg("%s", error.text);
    }
    for (int i = 0; i < 2; i++) {
        const sv_params params = sv_default_params(methods[i]);
        match(reference, &pair, &params, by_cpu);
        if (view_read_maps(view, i, &disparity, &reason, &error) != SV_OK) fail_msg("%s", error.text);
        assert_memory_equal(d, by_cpu->disparity.data, sizeof d);
        assert_memory_equal(r, by_cpu->reason.data, sizeof r);
    }
    slots_destroy(&second);
    backend->free(pair.left.data);
    backend->free(pair.right.data);
}

static void check(const sv_backend *backend) {
    static uint8_t seen[4 * WIDTH * HEIGHT], expected[4 * WIDTH * HEIGHT];
    char device[128];
    sv_error error;
    if (!shown || backend->probe(0, device, sizeof device, &error) == SV_NO_DEVICE) {
        print_message("%s\n", shown ? error.text : "there is no display");
        skip();
    }
    view *view;
    slots slots;
    sv_output by_cpu;
    assert_int_equal(view_create(&view, WIDTH, HEIGHT, SV_OUTPUTS, &error), SV_OK);
    if (slots_create(&slots, backend, 0, view, 0, WIDTH, HEIGHT, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(maps_alloc(&sv_cpu, WIDTH, HEIGHT, false, &by_cpu, &error), SV_OK);
    print_message("%s %s OpenGL's buffers\n", backend->name, slots.interop ? "writes into" : "is copied into");
    const char *wanted = getenv("SV_TEST_INTEROP");
    if (wanted && backend != &sv_cpu) assert_int_equal(slots.interop, atoi(wanted));

    sv_matcher *matcher = create(backend), *reference = create(&sv_cpu);
    view_settings settings = view_default();
    settings.range = VIEW_RANGE_FIXED;
    settings.colour.max = 40;
    const sv_image screen = {seen, 4 * WIDTH, WIDTH, HEIGHT, SV_COLOUR8, SV_HOST};
    const sv_image file = {expected, 4 * WIDTH, WIDTH, HEIGHT, SV_COLOUR8, SV_HOST};
    for (int round = 0; round < ROUNDS; round++) {
        const sv_pair pair = {.left = picture(backend, 3 * round, SCENE_LEFT),
                              .right = picture(backend, 3 * round, SCENE_RIGHT)};
        sv_params params = sv_default_params(round % 2 ? SV_NCC : SV_SSD);
        params.max_disparity = 40;
        settings.colour.show_reasons = round % 3 == 2;
        const sv_output output = slots_lend(&slots, round % SV_OUTPUTS);
        match(matcher, &pair, &params, &output);
        if (slots_show(&slots, round % SV_OUTPUTS, false, &error) != SV_OK) fail_msg("%s", error.text);
        match(reference, &pair, &params, &by_cpu);

        draw_map_into(&screen, view, &settings);
        assert_int_equal(colour_picture(&settings.colour, &by_cpu.disparity, &by_cpu.reason, &file, &error), SV_OK);
        assert_memory_equal(seen, expected, sizeof seen);
        backend->free(pair.left.data);
        backend->free(pair.right.data);
    }
    check_second(backend, view, &slots, matcher, reference, &by_cpu);
    /* A run may end while a slot is lent. */
    slots_lend(&slots, 0);
    sv_matcher_destroy(matcher);
    sv_matcher_destroy(reference);
    maps_free(&sv_cpu, &by_cpu);
    slots_destroy(&slots);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    view_destroy(view);
}

TEST(test_cpu) { check(&sv_cpu); }

TEST(test_cuda) { check(&sv_cuda); }

FIXTURES(open_screen, close_screen)
