/* The synthetic scene: its disparities must be those of the two pictures, and the demo files must show the scene. */
#include "capture/pair.h"
#include "capture/synthetic/synthetic.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

static sv_image make_image(int width, int height, sv_format format) {
    size_t stride = width * sv_pixel_size(format);
    return (sv_image){calloc(height, stride), stride, width, height, format, SV_HOST};
}

static sv_image render(const scene *scene, int64_t index, scene_side side) {
    sv_image image = make_image(scene->width, scene->height, SV_COLOUR8);
    scene_render(scene, index, side, image);
    return image;
}

/* Green, between pixels. */
static double green_at(const sv_image *image, double x, int y) {
    int left = (int)floor(x);
    if (left > image->width - 2) left = image->width - 2;
    const uint8_t *pixel = (uint8_t *)sv_row(image, y) + 4 * left;
    return pixel[1] + (x - left) * (pixel[5] - pixel[1]);
}

/* The right picture at x - d equals the left picture at x where both cameras see the point. */
TEST(truth_fits_the_pictures) {
    const scene scene = scene_demo();
    static const int64_t frames[] = {0, 37, 111};
    for (int i = 0; i < 3; i++) {
        sv_image left = render(&scene, frames[i], SCENE_LEFT), right = render(&scene, frames[i], SCENE_RIGHT);
        sv_image truth = make_image(640, 480, SV_FLOAT32), occluded = make_image(640, 480, SV_REASON8);
        scene_truth(&scene, frames[i], truth, occluded);
        int visible = 0, near = 0, shifted_near = 0;
        for (int y = 0; y < 480; y++)
            for (int x = 0; x < 640; x++) {
                float d = ((float *)sv_row(&truth, y))[x];
                assert_true(d >= scene.min_disparity && d <= scene.max_disparity);
                if (((uint8_t *)sv_row(&occluded, y))[x]) continue;
                assert_true(x - d >= 0);
                double here = green_at(&left, x, y);
                visible++;
                near += fabs(green_at(&right, x - d, y) - here) <= 6;
                if (x - d >= 1) shifted_near += fabs(green_at(&right, x - d - 1, y) - here) <= 6;
            }
        /* The rest are edges, which the two pictures blend differently. One pixel off the truth is far worse. */
        assert_true(visible > 0.85 * 640 * 480);
        if (near < 0.97 * visible) fail_msg("frame %d: %d of %d fit", (int)frames[i], near, visible);
        assert_true(shifted_near < 0.85 * visible);
        free(left.data);
        free(right.data);
        free(truth.data);
        free(occluded.data);
    }
}

/* Hidden points do not fit without the mask, so the mask must mark them. */
TEST(hidden_points_show_something_nearer) {
    const scene scene = scene_of_size(320, 240);
    sv_image truth = make_image(320, 240, SV_FLOAT32), occluded = make_image(320, 240, SV_REASON8);
    scene_truth(&scene, 37, truth, occluded);
    int hidden = 0, explained = 0;
    for (int y = 0; y < 240; y++) {
        const float *d = sv_row(&truth, y);
        const uint8_t *mask = sv_row(&occluded, y);
        for (int x = 0; x < 320; x++) {
            if (!mask[x]) continue;
            hidden++;
            bool nearer = x - d[x] < 0; /* or outside */
            for (int other = x + 1; other < 320 && !nearer; other++)
                nearer = d[other] > d[x] + 0.01 && fabs((other - d[other]) - (x - d[x])) <= 1.5;
            explained += nearer;
        }
    }
    assert_in_range(hidden, 320 * 240 / 50, 320 * 240 / 5);
    /* What hides a point may itself be outside the left picture or hidden there. */
    if (explained < 0.97 * hidden) fail_msg("%d of %d", explained, hidden);
    free(truth.data);
    free(occluded.data);
}

static uint32_t checksum(sv_image image) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (int y = 0; y < image.height; y++)
        for (size_t i = 0; i < image.width * sv_pixel_size(image.format); i++)
            hash = (hash ^ ((uint8_t *)sv_row(&image, y))[i]) * 16777619u;
    return hash;
}

TEST(every_machine_renders_the_same) {
    const scene scene = scene_of_size(160, 120);
    sv_image left = render(&scene, 20, SCENE_LEFT), right = render(&scene, 20, SCENE_RIGHT);
    assert_int_equal(checksum(left), 0xcbe6eaea);
    assert_int_equal(checksum(right), 0x001f07dd);
    free(left.data);
    free(right.data);
}

TEST(last_frame_leads_to_the_first) {
    const scene scene = scene_of_size(80, 60);
    sv_image first = render(&scene, 0, SCENE_LEFT), again = render(&scene, scene.frames, SCENE_LEFT);
    assert_memory_equal(first.data, again.data, 80 * 60 * 4);
    /* The step from the last frame to the first is no larger than others. */
    sv_image truth[3];
    double step[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        truth[i] = make_image(80, 60, SV_FLOAT32);
        scene_truth(&scene, scene.frames - 2 + i, truth[i], (sv_image){0});
    }
    for (int p = 0; p < 80 * 60; p++)
        for (int i = 0; i < 2; i++) step[i] += fabsf(((float *)truth[i + 1].data)[p] - ((float *)truth[i].data)[p]);
    assert_true(step[1] < 1.5 * step[0] && step[1] > 0);
    for (int i = 0; i < 3; i++) free(truth[i].data);
    free(first.data);
    free(again.data);
}

TEST(source_gives_the_scene) {
    scene scene = scene_of_size(64, 48);
    scene.frames = 4;
    source *source;
    sv_error error;
    source_options options = {.colour = true};
    source = source_open_synthetic(&scene, SCENE_RIGHT, &options);
    frame_release(read_frame(source));
    frame *frame = read_frame(source);
    sv_image expected = render(&scene, 1, SCENE_RIGHT);
    for (int y = 0; y < 48; y++) assert_memory_equal(sv_row(&frame->colour, y), sv_row(&expected, y), 64 * 4);
    const uint8_t *rgb = sv_row(&expected, 9);
    assert_int_equal(grey_at(frame, 0, 9), lround(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]));
    assert_int_equal(frame->index, 1);
    frame_release(frame);
    for (int i = 3; i >= 0; i--) {
        assert_int_equal(source_seek(source, i / scene.rate, &error), SV_OK);
        frame = read_frame(source);
        assert_int_equal(frame->index, i);
        frame_release(frame);
    }
    assert_int_equal(read_to_end(source), 3);
    source_close(source);
    free(expected.data);
}

/* The files in assets show the scene, within the losses of H.264. */
TEST(demo_shows_the_scene) {
    static const char *const names[] = {"assets/demo_left.mp4", "assets/demo_right.mp4"};
    const scene scene = scene_demo();
    for (int side = SCENE_LEFT; side <= SCENE_RIGHT; side++) {
        source *source = open_file(names[side]);
        assert_int_equal(source->info.width, scene.width);
        assert_int_equal(source->info.height, scene.height);
        assert_int_equal(source->info.frames, scene.frames);
        assert_true(source->info.rate == scene.rate);
        for (int64_t i = 0; i < scene.frames; i += 70) {
            sv_error error;
            assert_int_equal(source_seek(source, (double)i / scene.rate, &error), SV_OK);
            frame *frame = read_frame(source);
            assert_int_equal(frame->index, i);
            sv_image expected = render(&scene, i, (scene_side)side);
            double squares = 0;
            for (int y = 0; y < scene.height; y++) {
                const uint8_t *rgb = sv_row(&expected, y);
                for (int x = 0; x < scene.width; x++, rgb += 4) {
                    double difference = grey_at(frame, x, y) - (0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]);
                    squares += difference * difference;
                }
            }
            double ratio = 10 * log10(255 * 255 / (squares / (scene.width * scene.height)));
            if (ratio < 36) fail_msg("%s, frame %d: %.1f dB", names[side], (int)i, ratio);
            free(expected.data);
            frame_release(frame);
        }
        source_close(source);
    }
}

FIXTURES(reading_setup, scratch_teardown)
