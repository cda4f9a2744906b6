/* Distances, and planes fitted to rectangles of a map, against their geometry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/view/measure.h"
#include "render/view/measure_series.h"
#include "render/view/measure_table.h"
#include "stereo/sort.h"
#include "tests/support/test.h"

enum { WIDTH = 80, HEIGHT = 60 };

static const space lens = {.width = WIDTH,
                           .height = HEIGHT,
                           .fx = 100,
                           .fy = 110,
                           .cx = 41.5,
                           .cy = 28.25,
                           .unit_depth = 100 * 0.25,
                           .doffs = 1.5,
                           .baseline = 0.25,
                           .unit = SPACE_METRES};

static float map[HEIGHT][WIDTH];
static const sv_image picture = {map, sizeof *map, WIDTH, HEIGHT, SV_FLOAT32, SV_HOST};

/* The disparity of the plane n . P = h at a pixel: Z = h / (n . ray), d = f b / Z - doffs. */
static double plane_at(const double n[3], double h, double x, double y) {
    const double along = n[0] * (x - lens.cx) / lens.fx + n[1] * (y - lens.cy) / lens.fy + n[2];
    return lens.unit_depth * along / h - lens.doffs;
}

TEST(a_plane_in_space_has_no_residual) {
    const double n[] = {0.3, -0.2, sqrt(1 - 0.13)};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) map[y][x] = (float)plane_at(n, 2.5, x, y);
    map[20][30] = INFINITY; /* no value */
    const measure_box box = {10, 5, 50, 40};
    const measure_region m = measure_region_of(&picture, box, &lens);
    assert_int_equal(m.pixels, 2000);
    assert_int_equal(m.values, 1999);
    assert_true(m.has_plane);
    assert_near(m.across, lens.unit_depth / 2.5 * n[0] / lens.fx, 1e-7);
    assert_near(m.down, lens.unit_depth / 2.5 * n[1] / lens.fy, 1e-7);
    assert_near(m.residual, 0, 1e-6);
    assert_near(m.metres, 0, 1e-6);
    double sum = 0, squares = 0;
    for (int y = 5; y < 45; y++)
        for (int x = 10; x < 60; x++) sum += isfinite(map[y][x]) ? (double)map[y][x] : 0;
    for (int y = 5; y < 45; y++)
        for (int x = 10; x < 60; x++) squares += isfinite(map[y][x]) ? pow(map[y][x] - sum / 1999, 2) : 0;
    assert_near(m.mean, sum / 1999, 1e-9);
    assert_near(m.deviation, sqrt(squares / 1999), 1e-9);
}

/* Points 4 mm in front of and behind a plane, in a pattern that no other plane fits better. */
TEST(residuals_are_distances_from_the_plane) {
    const double n[] = {0.1, 0.25, sqrt(1 - 0.0725)}, h = 1.8, off = 0.004;
    double squares = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            map[y][x] = (float)plane_at(n, (x + y) % 2 ? h + off : h - off, x, y);
            squares += pow(map[y][x] - plane_at(n, h, x, y), 2);
        }
    const measure_box box = {0, 0, WIDTH, HEIGHT};
    measure_region m = measure_region_of(&picture, box, &lens);
    assert_near(m.residual, sqrt(squares / (WIDTH * HEIGHT)), 1e-4);
    /* A point at h + off is that far from the plane, whatever its pixel. */
    assert_near(m.metres, off, 2e-5);

    char lines[MEASURE_LINES][MEASURE_LINE_BYTES];
    measure_describe(&m, &lens, lines);
    assert_non_null(strstr(lines[0], "100.0 % of 4800 px, mean "));
    assert_non_null(strstr(lines[1], " px, 4 mm"));

    space baselines = lens;
    baselines.unit = SPACE_BASELINES;
    m = measure_region_of(&picture, box, &baselines);
    assert_true(m.has_plane);
    assert_true(isnan(m.metres));
    measure_describe(&m, &lens, lines);
    assert_null(strstr(lines[1], "mm"));
}

TEST(few_values_have_no_plane) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) map[y][x] = INFINITY;
    char lines[MEASURE_LINES][MEASURE_LINE_BYTES];
    const measure_box box = {3, 4, 10, 10};
    measure_region m = measure_region_of(&picture, box, &lens);
    assert_int_equal(m.values, 0);
    assert_false(m.has_plane);
    assert_true(isnan(m.mean));
    measure_describe(&m, &lens, lines);
    assert_string_equal(lines[0], "no value in 100 px");
    assert_string_equal(lines[1], "");
    for (int i = 0; i < 10; i++) map[4 + i][3 + i] = (float)i; /* in a line */
    m = measure_region_of(&picture, box, &lens);
    assert_int_equal(m.values, 10);
    assert_near(m.mean, 4.5, 1e-12);
    assert_false(m.has_plane);
    map[4][12] = 4;
    m = measure_region_of(&picture, box, &lens);
    assert_true(m.has_plane);
}

/* By sorting: the nearest hundredth of the values is left out, here by rank 20 of 2000; the first pixel that has the
 * value is the one. */
TEST(the_nearest_point_is_robust) {
    const measure_box box = {10, 5, 50, 40};
    float sorted[2000];
    int count = 0;
    unsigned random = 7;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            random = random * 1664525u + 1013904223u;
            map[y][x] = (float)(random >> 22) / 16 - 20; /* -20 to 44, some more than once */
            if (x < 10 || x >= 60 || y < 5 || y >= 45) map[y][x] = 1e9f;
        }
    for (int i = 0; i < 5; i++) map[20][30 + i] = 1000; /* false matches */
    map[9][11] = INFINITY;
    map[9][12] = -INFINITY;
    for (int y = 5; y < 45; y++)
        for (int x = 10; x < 60; x++)
            if (isfinite(map[y][x])) sorted[count++] = map[y][x];
    sv_sort_floats(sorted, (size_t)count);
    measure_region m = measure_region_of(&picture, box, &lens);
    assert_true(m.nearest == (double)sorted[count - 1 - count / 100] && m.nearest < 44 && m.nearest > 30);
    int first = 0;
    while (map[5 + first / 50][10 + first % 50] != (float)m.nearest) first++;
    assert_int_equal(m.nearest_x, 10 + first % 50);
    assert_int_equal(m.nearest_y, 5 + first / 50);
    char lines[MEASURE_LINES][MEASURE_LINE_BYTES], expected[96];
    measure_describe(&m, &lens, lines);
    snprintf(expected, sizeof expected, "nearest %.2f px, %.4g m at (%d, %d)", m.nearest,
             lens.unit_depth / (m.nearest + lens.doffs), m.nearest_x, m.nearest_y);
    assert_string_equal(lines[2], expected);
    m = measure_region_of(&picture, (measure_box){11, 9, 2, 1}, &lens);
    assert_true(isnan(m.nearest));
    m = measure_region_of(&picture, (measure_box){30, 20, 3, 1}, &lens); /* few values: the nearest of all */
    assert_true(m.nearest == 1000);
}

TEST(boxes_hold_both_corners) {
    measure_box b = measure_box_of(10, 20, 5, 30, WIDTH, HEIGHT);
    assert_true(b.x == 5 && b.y == 20 && b.width == 6 && b.height == 11);
    b = measure_box_of(-5, 59, 200, 70, WIDTH, HEIGHT);
    assert_true(b.x == 0 && b.y == 59 && b.width == 80 && b.height == 1);
    b = measure_box_of(-5, -9, -1, -1, WIDTH, HEIGHT);
    assert_true(b.x == 0 && b.y == 0 && b.width == 1 && b.height == 1);
}

TEST(distances_are_in_space) {
    /* At depths of 25 / 10 = 2.5 and 25 / 5 = 5 metres. */
    const view_pixel a = {.x = 41, .y = 28, .disparity = 8.5f}, b = {.x = 61, .y = 17, .disparity = 3.5f};
    const view_pixel none = {.x = 3, .y = 3, .disparity = INFINITY};
    char text[48];
    const double dx = (61 - 41.5) / 100 * 5 - (41 - 41.5) / 100 * 2.5;
    const double dy = (17 - 28.25) / 110 * 5 - (28 - 28.25) / 110 * 2.5;
    measure_distance(&lens, &a, &b, text, sizeof text);
    assert_near(atof(text), sqrt(dx * dx + dy * dy + 2.5 * 2.5), 1e-3);
    assert_non_null(strstr(text, " m"));
    measure_distance(&lens, &a, &none, text, sizeof text);
    assert_string_equal(text, "");
    const space assumed = space_of(NULL, WIDTH, HEIGHT);
    measure_distance(&assumed, &a, &none, text, sizeof text);
    assert_string_equal(text, "45.5 px in the picture"); /* hypot(38, 25) */
    space baselines = lens;
    baselines.unit = SPACE_BASELINES;
    measure_distance(&baselines, &a, &b, text, sizeof text);
    assert_non_null(strstr(text, " baselines"));
}

/* Mean, deviation and median of the last hundred, with frames that have no value. */
TEST(series_are_of_the_last_hundred_frames) {
    measure_series s = {.count = 0};
    assert_true(isnan(measure_series_mean(&s)) && isnan(measure_series_median(&s)));
    double all[250], sum = 0, squares = 0, last[MEASURE_FRAMES];
    for (int i = 0; i < 250; i++) {
        all[i] = i % 5 == 3 ? NAN : 2 + 0.01 * ((i * 37) % 101);
        measure_series_add(&s, all[i]);
    }
    int count = 0;
    for (int i = 150; i < 250; i++)
        if (!isnan(all[i])) last[count++] = all[i], sum += all[i];
    for (int i = 0; i < count; i++) squares += pow(last[i] - sum / count, 2);
    assert_int_equal(count, 80);
    assert_near(measure_series_mean(&s), sum / count, 1e-12);
    assert_near(measure_series_deviation(&s), sqrt(squares / count), 1e-12);
    /* Half of the values are not above the median, and half are not below it. */
    int above = 0, below = 0;
    const double median = measure_series_median(&s);
    for (int i = 0; i < count; i++) above += last[i] > median, below += last[i] < median;
    assert_true(above <= count / 2 && below <= count / 2 && above + below >= count - 2);
}

/* The median over the pixels of each one's deviation over time; a pixel with one value has none. */
TEST(noise_is_the_median_of_the_pixels) {
    measure_noise n = {.count = 0};
    assert_true(isnan(measure_noise_median(&n)));
    for (int i = 0; i < 40; i++) {
        const float swing = i % 2 ? 1.f : -1.f;
        const float values[4] = {10 + 0.1f * swing, 20 + 0.3f * swing, 30 + 0.2f * swing, i ? INFINITY : 5};
        measure_noise_add(&n, values, 4);
    }
    assert_near(measure_noise_median(&n), 0.2, 1e-5);
    const float other[2] = {1, 2};
    measure_noise_add(&n, other, 2); /* another rectangle begins anew */
    assert_true(isnan(measure_noise_median(&n)));
    measure_noise_free(&n);
}

/* A table has a line for each row, and as many columns in each; what is not known is empty. */
TEST(tables_have_all_columns) {
    const measure_row rows[2] = {
        {.number = 1,
         .box = {7, 8, 1, 1},
         .disparity = 43.25,
         .nearest = NAN,
         .closest = NAN,
         .spread = NAN,
         .depth = 2.5,
         .residual = NAN,
         .flatness = NAN,
         .distance = NAN,
         .frames = 3,
         .mean = 2.51,
         .deviation = 0.004,
         .noise = NAN,
         .fill = 1,
         .known = 2.4,
         .accuracy = 0.0458,
         .precision = 0.0016},
        {.number = 0, .box = {1, 2, 30, 40}, .closest = 2.25, .nearest = 48, .nearest_x = 5, .nearest_y = 6}};
    char text[4096], cell[64];
    measure_print_table(rows, 2, ',', text, sizeof text);
    int lines = 0, commas = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n', commas += *c == ',';
    assert_int_equal(lines, 3);
    assert_int_equal(commas, 3 * (MEASURE_COLUMNS - 1));
    assert_memory_equal(text, "what,x,y,size,disparity px,Z m,known m,accuracy %,precision %,fill %,", 68);
    assert_non_null(strstr(text, "\npin 1,7,8,,43.25,2.5000,2.4000,4.58,0.16,100.0,,,,2.5100,0.00400,,"));
    assert_non_null(strstr(text, ",2.2500,48.00,5 6,"));
    assert_string_equal(measure_cell(&rows[1], 3, cell, sizeof cell), "30 x 40");
    for (int i = 0; i < MEASURE_COLUMNS; i++) {
        assert_true(*measure_column_name(i) && *measure_column_help(i));
        for (int k = 0; k < i; k++) assert_string_not_equal(measure_column_name(i), measure_column_name(k));
    }
}
