/* Calibration boards: rig/board, rig/calibration_write, rig/length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig/board.h"
#include "rig/calibration.h"
#include "rig/calibration_write.h"
#include "rig/length.h"
#include "rig/lens.h"
#include "rig/rotation.h"
#include "tests/random.h"
#include "tests/reading.h"
#include "tests/scratch.h"

#include <math.h>
#include <stdlib.h>

static void assert_near(double value, double expected, double most) {
    if (!(fabs(value - expected) <= most)) fail_msg("%.6f is not within %.6f of %.6f", value, most, expected);
}

static board board_of(const char *text) {
    board b;
    sv_error error;
    if (board_parse(text, &b, &error) != SV_OK) fail_msg("%s", error.text);
    return b;
}

static void skip_without_opencv(void) {
    const board b = board_of("charuco:8x5:30mm");
    bool cells[BOARD_MOST_POINTS];
    sv_error error;
    if (board_marker_cells(&b, 0, cells, &error)) return;
    assert_has(error.text, "libopencv-dev");
    print_message("this program was built without OpenCV\n");
    skip();
}

/* ---- Names ------------------------------------------------------------------------------------ */

static void lengths_have_units(void **state) {
    (void)state;
    double metres;
    assert_true(length_parse("25mm", 4, &metres));
    assert_near(metres, 0.025, 1e-12);
    assert_true(length_parse("2.5cm:", 5, &metres));
    assert_near(metres, 0.025, 1e-12);
    assert_true(length_parse("1in", 3, &metres));
    assert_near(metres, 0.0254, 1e-12);
    assert_true(length_parse("0.5m", 4, &metres));
    assert_near(metres, 0.5, 1e-12);
    assert_near(length_unit("millimeters", 11), 0.001, 1e-12);
    assert_near(length_unit("metres", 6), 1, 1e-12);
    assert_near(length_unit("ms", 2), 0, 1e-12);
    const char *const wrong[] = {"", "25", "mm", "-1mm", "0mm", "25 mm", "25mmm", "infm", "nanm", "25feet"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (length_parse(wrong[i], strlen(wrong[i]), &metres)) fail_msg("'%s' is read as a length", wrong[i]);
}

static void boards_are_read(void **state) {
    (void)state;
    const board chess = board_of("9x6:25mm"), charuco = board_of("charuco:8x5:30mm:20mm"),
                april = board_of("aprilgrid:6x5:88mm");
    assert_int_equal(chess.kind, BOARD_CHESS);
    assert_int_equal(chess.columns, 9);
    assert_int_equal(chess.rows, 6);
    assert_near(chess.square, 0.025, 1e-12);
    assert_int_equal(board_points(&chess), 54);
    assert_int_equal(charuco.kind, BOARD_CHARUCO);
    assert_near(charuco.marker, 0.02, 1e-12);
    assert_int_equal(board_points(&charuco), 7 * 4);
    assert_int_equal(board_markers(&charuco), 20);
    assert_int_equal(april.kind, BOARD_APRILGRID);
    assert_near(april.marker, 0.3 * 0.088, 1e-12);
    assert_int_equal(board_points(&april), 120);

    static const struct {
        const char *text, *says;
    } wrong[] = {{"9x6", "9x6:25mm"},           {"9x6:25", "9x6:25mm"},      {"9:25mm", "is no board"},
                 {"9x6:25mm:20mm", "no board"}, {"9x6x3:25mm", "no board"},  {"circles:4x11:2cm", "no board"},
                 {"2x6:25mm", "too small"},     {"90x60:5mm", "too large"},  {"7x7:25mm", "is square"},
                 {"-9x6:25mm", "too small"},    {"9x6:0mm", "is no board"},  {"charuco:8x5:30mm:30mm", "not smaller"},
                 {"", "is no board"},           {"charuco:8x5", "no board"}, {"9x6:25mm ", "no board"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        board b;
        sv_error error;
        if (board_parse(wrong[i].text, &b, &error) != SV_USAGE) fail_msg("'%s' is accepted", wrong[i].text);
        assert_has(error.text, wrong[i].says);
    }
}

static void boards_are_laid_out(void **state) {
    (void)state;
    const board chess = board_of("9x6:10mm"), charuco = board_of("charuco:5x4:10mm:6mm"),
                april = board_of("aprilgrid:3x2:10mm:2mm");
    double at[2], side;
    board_point(&chess, 0, at);
    assert_near(at[0], 0.010, 1e-9);
    assert_near(at[1], 0.010, 1e-9);
    board_point(&chess, 10, at); /* the second corner of the second row */
    assert_near(at[0], 0.020, 1e-9);
    assert_near(at[1], 0.020, 1e-9);
    board_size(&chess, at);
    assert_near(at[0], 0.100, 1e-9);
    assert_near(at[1], 0.070, 1e-9);
    /* Five squares a row, of which the first is black: two white ones in the first row, three in the second. */
    assert_int_equal(board_marker(&charuco, 0, at, &side), 0);
    assert_near(side, 0.006, 1e-9);
    assert_near(at[0], 0.012, 1e-9);
    assert_near(at[1], 0.002, 1e-9);
    board_marker(&charuco, 2, at, &side);
    assert_near(at[0], 0.002, 1e-9);
    assert_near(at[1], 0.012, 1e-9);
    board_marker(&charuco, 5, at, &side);
    assert_near(at[0], 0.012, 1e-9);
    assert_near(at[1], 0.022, 1e-9);
    /* Tag 0 is at the lower left; the corners of a tag go clockwise from the upper left one. */
    board_point(&april, 0, at);
    assert_near(at[0], 0.002, 1e-9);
    assert_near(at[1], 0.014, 1e-9);
    board_point(&april, 4 * 5 + 2, at);
    assert_near(at[0], 0.036, 1e-9);
    assert_near(at[1], 0.012, 1e-9);
}

/* ---- Pictures --------------------------------------------------------------------------------- */

static struct {
    double at[2], side;
    int across;
    bool cells[BOARD_MOST_POINTS];
} markers[64];
static int marker_count;

static void draw_markers(const board *b) {
    marker_count = board_markers(b);
    for (int m = 0; m < marker_count; m++)
        markers[m].across =
            board_marker_cells(b, board_marker(b, m, markers[m].at, &markers[m].side), markers[m].cells, NULL);
}

/* What is at a place of the board, 0 black to 1 white, from the meaning of its name. */
static double shade(const board *b, double x, double y) {
    double size[2];
    board_size(b, size);
    if (x < 0 || y < 0 || x >= size[0] || y >= size[1]) return 1;
    for (int m = 0; m < marker_count; m++) {
        const double u = (x - markers[m].at[0]) / markers[m].side, v = (y - markers[m].at[1]) / markers[m].side;
        if (!(u >= 0 && v >= 0 && u < 1 && v < 1)) continue;
        const int across = markers[m].across;
        return markers[m].cells[(int)(v * across) * across + (int)(u * across)] ? 0 : 1;
    }
    if (b->kind != BOARD_APRILGRID) return ((int)(x / b->square) + (int)(y / b->square)) % 2 ? 1 : 0;
    const double pitch = b->square + b->marker;
    return fmod(x, pitch) < b->marker && fmod(y, pitch) < b->marker ? 0 : 1;
}

enum { WIDTH = 640, HEIGHT = 480 };

/* A pinhole camera before the board: rotated by `turn` radians about each axis, its middle at `middle`, metres. */
typedef struct placing {
    double m[3][3], shift[3], focal;
} placing;

static placing place(const board *b, double x, double y, double z, const double middle[3]) {
    placing p = {.focal = 600};
    const double axis[3] = {x, y, z};
    double size[2], moved[3];
    board_size(b, size);
    rotation_about(axis, vector_length(axis), p.m);
    rotation_apply(p.m, (const double[]){size[0] / 2, size[1] / 2, 0}, moved);
    for (int i = 0; i < 3; i++) p.shift[i] = middle[i] - moved[i];
    return p;
}

static void project(const placing *p, const double at[2], double pixel[2]) {
    double q[3];
    rotation_apply(p->m, (const double[]){at[0], at[1], 0}, q);
    for (int i = 0; i < 3; i++) q[i] += p->shift[i];
    pixel[0] = (WIDTH - 1) / 2.0 + p->focal * q[0] / q[2];
    pixel[1] = (HEIGHT - 1) / 2.0 + p->focal * q[1] / q[2];
}

/* Renders the board: each pixel is the mean of 5 x 5 rays. */
static sv_image render(const board *b, const placing *p) {
    enum { RAYS = 5 };
    sv_image image = {malloc(WIDTH * HEIGHT), WIDTH, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
    assert_non_null(image.data);
    double origin[3];
    rotation_apply_transposed(p->m, p->shift, origin);
    draw_markers(b);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double sum = 0;
        for (int k = 0; k < RAYS * RAYS; k++) {
            const double u = i % WIDTH + (k % RAYS + 0.5) / RAYS - 0.5, v = i / WIDTH + (k / RAYS + 0.5) / RAYS - 0.5;
            double ray[3];
            rotation_apply_transposed(
                p->m, (const double[]){(u - (WIDTH - 1) / 2.0) / p->focal, (v - (HEIGHT - 1) / 2.0) / p->focal, 1},
                ray);
            const double far = origin[2] / ray[2];
            sum += shade(b, far * ray[0] - origin[0], far * ray[1] - origin[1]);
        }
        ((uint8_t *)image.data)[i] = (uint8_t)(30 + 200 * sum / (RAYS * RAYS));
    }
    return image;
}

/* Pixels: the windows of the search are small where markers are near. */
static const double exact = 0.25;

static void boards_are_found(void **state) {
    (void)state;
    skip_without_opencv();
    const char *const names[] = {"9x6:25mm", "charuco:8x5:30mm", "aprilgrid:4x3:45mm"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const board b = board_of(names[n]);
        const placing p = place(&b, 0.3, -0.4, 0.1, (const double[]){0.01, -0.005, 0.45});
        const sv_image picture = render(&b, &p);
        board_sight sight;
        sv_error error;
        if (board_find(&b, &picture, false, &sight, &error) != SV_OK) fail_msg("%s", error.text);
        if (sight.count != board_points(&b)) fail_msg("%s: %d points", names[n], sight.count);
        /* A chessboard may be numbered from either end. */
        const bool back = b.kind == BOARD_CHESS && sight.at[0][0] > sight.at[sight.count - 1][0];
        for (int i = 0; i < sight.count; i++) {
            double at[2], pixel[2];
            assert_int_equal(sight.points[i], i);
            board_point(&b, back ? sight.count - 1 - i : i, at);
            project(&p, at, pixel);
            assert_near((double)sight.at[i][0], pixel[0], exact);
            assert_near((double)sight.at[i][1], pixel[1], exact);
        }
        free(picture.data);
    }
}

static void a_part_of_a_board_with_markers_is_enough(void **state) {
    (void)state;
    skip_without_opencv();
    const char *const names[] = {"charuco:8x5:30mm", "aprilgrid:4x3:45mm"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const board b = board_of(names[n]);
        const placing p = place(&b, 0, 0.2, 0, (const double[]){0.15, 0, 0.45});
        const sv_image picture = render(&b, &p);
        board_sight sight;
        assert_int_equal(board_find(&b, &picture, false, &sight, NULL), SV_OK);
        if (sight.count < 8 || sight.count >= board_points(&b)) fail_msg("%s: %d points", names[n], sight.count);
        for (int i = 0; i < sight.count; i++) {
            double at[2], pixel[2];
            board_point(&b, sight.points[i], at);
            project(&p, at, pixel);
            assert_near((double)sight.at[i][0], pixel[0], exact);
            assert_near((double)sight.at[i][1], pixel[1], exact);
        }
        free(picture.data);
    }
}

/* Tag 0 of the family 36h11 is 0xd5d628584: its bits from the upper left one on, 1 is white. Kalibr prints a border of
 * two cells. */
static void tags_are_kalibrs(void **state) {
    (void)state;
    skip_without_opencv();
    const board b = board_of("aprilgrid:6x6:88mm");
    bool cells[BOARD_MOST_POINTS];
    assert_int_equal(board_marker_cells(&b, 0, cells, NULL), 10);
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 10; x++) {
            const bool inside = x >= 2 && y >= 2 && x < 8 && y < 8;
            const bool white = inside && 0xd5d628584ull >> (35 - (6 * (y - 2) + x - 2)) & 1;
            assert_int_equal(cells[y * 10 + x], !white);
        }
}

static void a_picture_without_a_board_has_none(void **state) {
    (void)state;
    skip_without_opencv();
    const char *const names[] = {"9x6:25mm", "charuco:8x5:30mm", "aprilgrid:4x3:45mm"};
    sv_image image = {calloc(WIDTH, HEIGHT), WIDTH, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const board b = board_of(names[n]);
        board_sight sight;
        assert_int_equal(board_find(&b, &image, false, &sight, NULL), SV_OK);
        assert_int_equal(sight.count, 0);
    }
    free(image.data);
}

static void the_other_end_of_a_chessboard_is_turned(void **state) {
    (void)state;
    const board b = board_of("4x3:10mm");
    board_view view = {.frame = 0};
    for (int i = 0; i < 12; i++) {
        for (int side = 0; side < 2; side++) {
            board_sight *s = &view.sides[side];
            const int k = side ? 11 - i : i; /* the right picture's numbers begin at the other end */
            s->points[i] = i;
            s->count = 12;
            s->at[i][0] = (float)(10 * (k % 4) - 3 * side);
            s->at[i][1] = (float)(10 * (k / 4));
        }
    }
    assert_int_equal(board_join(&b, &view), 12);
    for (int i = 0; i < 12; i++) {
        assert_near((double)view.sides[1].at[i][0], (double)view.sides[0].at[i][0] - 3, 1e-6);
        assert_near((double)view.sides[1].at[i][1], (double)view.sides[0].at[i][1], 1e-6);
    }
    /* Of markers, those that both sides show are kept. */
    const board c = board_of("charuco:8x5:30mm");
    view.sides[0].count = view.sides[1].count = 6;
    for (int i = 0; i < 6; i++) {
        view.sides[0].points[i] = i;
        view.sides[1].points[i] = 2 * i;
    }
    assert_int_equal(board_join(&c, &view), 3);
    assert_int_equal(view.sides[0].points[2], 4);
    assert_int_equal(view.sides[1].points[2], 4);
}

/* ---- Rigs ------------------------------------------------------------------------------------- */

static sv_rig rig_of(board_lens lens) {
    sv_rig rig = {.translation = {-0.12, 0.002, -0.003}, .metric = true};
    const double axis[3] = {0.02, -0.035, 0.01};
    rotation_about(axis, vector_length(axis), rig.rotation);
    for (int side = 0; side < 2; side++) {
        sv_camera *c = &rig.cameras[side];
        *c = (sv_camera){
            .width = WIDTH, .height = HEIGHT, .fx = 520 + 9 * side, .fy = 521 + 9 * side, .cx = 325, .cy = 236};
        const double five[] = {-0.21, 0.07, 0.0006, -0.0004, 0.01};
        const double eight[] = {0.3, 0.1, 0.0006, -0.0004, 0.01, 0.5, 0.05, 0.002};
        const double fisheye[] = {0.03, -0.02, 0.008, -0.001};
        c->lens = lens == BOARD_LENS_FISHEYE ? SV_LENS_EQUIDISTANT : SV_LENS_POLYNOMIAL;
        memcpy(c->coefficients,
               lens == BOARD_LENS_5   ? five
               : lens == BOARD_LENS_8 ? eight
                                      : fisheye,
               lens == BOARD_LENS_5   ? sizeof five
               : lens == BOARD_LENS_8 ? sizeof eight
                                      : sizeof fisheye);
    }
    return rig;
}

static double between(double a, double b) { return a + (b - a) * random_below(10001) / 10000; }

/* A view of the board at a random place before the rig, whole in both pictures, exact to `noise` pixels. */
static void see(const board *b, const sv_rig *rig, double noise, board_view *view) {
    const int points = board_points(b);
    for (int ok = 0; !ok;) {
        const double middle[3] = {between(-0.2, 0.25), between(-0.15, 0.15), between(0.35, 0.8)};
        const placing p = place(b, between(-0.6, 0.6), between(-0.6, 0.6), between(-0.5, 0.5), middle);
        ok = 1;
        for (int i = 0; i < points; i++) {
            double at[2], q[3], r[3];
            board_point(b, i, at);
            rotation_apply(p.m, (const double[]){at[0], at[1], 0}, q);
            for (int k = 0; k < 3; k++) q[k] += p.shift[k];
            rotation_apply(rig->rotation, q, r);
            for (int k = 0; k < 3; k++) r[k] += rig->translation[k];
            for (int side = 0; side < 2; side++) {
                const double *from = side ? r : q;
                double pixel[2];
                sv_project(&rig->cameras[side], from[0] / from[2], from[1] / from[2], pixel);
                if (pixel[0] < 0 || pixel[1] < 0 || pixel[0] > WIDTH - 1 || pixel[1] > HEIGHT - 1) ok = 0;
                view->sides[side].points[i] = i;
                for (int k = 0; k < 2; k++) view->sides[side].at[i][k] = (float)(pixel[k] + between(-noise, noise));
            }
        }
    }
    view->sides[0].count = view->sides[1].count = points;
}

enum { VIEWS = 16 };

static board_view *see_all(const board *b, const sv_rig *rig, double noise) {
    board_view *views = calloc(VIEWS, sizeof *views);
    assert_non_null(views);
    seed_random(7);
    for (int i = 0; i < VIEWS; i++) {
        views[i].frame = i;
        see(b, rig, noise, &views[i]);
    }
    return views;
}

static void solve(const board *b, board_lens lens, board_view *views, board_result *result) {
    sv_error error;
    if (board_calibrate(b, lens, WIDTH, HEIGHT, views, VIEWS, result, &error) != SV_OK) fail_msg("%s", error.text);
}

/* The angle, degrees, between the middle of the picture and the point that the camera shows this many pixels to its
 * left or right (-1, 1) in the same row. */
static double angle_at(const sv_camera *c, int to, double pixels) {
    double low = 0, high = 89;
    for (int i = 0; i < 60; i++) {
        const double angle = (low + high) / 2;
        double pixel[2];
        sv_project(c, to * tan(angle * M_PI / 180), 0, pixel);
        *(to * (pixel[0] - c->cx) < pixels ? &low : &high) = angle;
    }
    return low;
}

static void assert_figure(const board_figure *figure, double expected, double most) {
    assert_near(figure->value, expected, most);
    /* The deviation says how sure the number is: neither nothing nor everything. */
    assert_true(figure->deviation > 0 && figure->deviation < most);
    assert_near(figure->value, expected, 5 * figure->deviation);
}

static void rigs_are_solved_for(void **state) {
    (void)state;
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    for (int lens = BOARD_LENS_5; lens <= BOARD_LENS_FISHEYE; lens++) {
        const sv_rig rig = rig_of((board_lens)lens);
        board_view *views = see_all(&b, &rig, 0.1);
        board_result result;
        solve(&b, (board_lens)lens, views, &result);
        assert_int_equal(result.used, VIEWS);
        assert_false(result.exchanged);
        assert_true(result.rig.metric);
        assert_int_equal(result.rig.cameras[0].width, WIDTH);
        /* The root mean square of two coordinates, each even within 0.1. */
        assert_near(result.error, 0.1 * sqrt(2.0 / 3), 0.01);
        for (int side = 0; side < 2; side++) {
            assert_figure(&result.focal[side], rig.cameras[side].fx, 3);
            const sv_camera *c = &rig.cameras[side];
            const double field = angle_at(c, -1, c->cx + 0.5) + angle_at(c, 1, WIDTH - 0.5 - c->cx);
            assert_figure(&result.field[side], field, 0.5);
        }
        assert_figure(&result.baseline, vector_length(rig.translation), 0.0005);
        const double axis[3] = {0.02, -0.035, 0.01};
        for (int i = 0; i < 3; i++) assert_figure(&result.rotation[i], axis[i] * 180 / M_PI, 0.2);
        assert_true(result.rows.value < 0.1 && result.rows.value > 0.01);
        for (int i = 0; i < VIEWS; i++) {
            assert_null(views[i].dropped);
            assert_true(views[i].rows < 0.3);
            assert_near(views[i].errors[0], 0.08, 0.04);
        }
        free(views);
    }
}

static void parts_of_boards_are_solved_for(void **state) {
    (void)state;
    skip_without_opencv();
    const board b = board_of("charuco:8x5:30mm");
    for (int lens = BOARD_LENS_5; lens <= BOARD_LENS_FISHEYE; lens++) {
        const sv_rig rig = rig_of((board_lens)lens);
        board_view *views = see_all(&b, &rig, 0.1);
        board_result result;
        for (int i = 0; i < VIEWS; i++)
            for (int side = 0; side < 2; side++) { /* without the first points */
                board_sight *s = &views[i].sides[side];
                const int without = i % 8;
                s->count -= without;
                memmove(s->points, s->points + without, sizeof *s->points * (size_t)s->count);
                memmove(s->at, s->at + without, sizeof *s->at * (size_t)s->count);
            }
        solve(&b, (board_lens)lens, views, &result);
        assert_int_equal(result.used, VIEWS);
        assert_near(result.error, 0.1 * sqrt(2.0 / 3), 0.01);
        for (int side = 0; side < 2; side++) assert_figure(&result.focal[side], rig.cameras[side].fx, 5);
        assert_figure(&result.baseline, vector_length(rig.translation), 0.001);
        free(views);
    }
}

static void views_that_do_not_fit_are_dropped(void **state) {
    (void)state;
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    const sv_rig rig = rig_of(BOARD_LENS_5);
    board_view *views = see_all(&b, &rig, 0.1);
    board_result result;
    views[3].sides[1] = views[4].sides[1]; /* the right picture of another moment */
    for (int i = 0; i < 54; i++) views[9].sides[0].at[i][0] += (float)(8 * sin(i)); /* not a board at all */
    views[12].sides[0].count = views[12].sides[1].count = 5;
    solve(&b, BOARD_LENS_5, views, &result);
    assert_int_equal(result.used, VIEWS - 3);
    for (int i = 0; i < VIEWS; i++)
        if (!!views[i].dropped != (i == 3 || i == 9 || i == 12))
            fail_msg("view %d: %s", i, views[i].dropped ? views[i].dropped : "counts");
    assert_has(views[3].dropped, "elsewhere in the right picture");
    assert_has(views[9].dropped, "left picture does not fit");
    assert_has(views[12].dropped, "too little");
    assert_figure(&result.baseline, vector_length(rig.translation), 0.0005);
    free(views);
}

static void exchanged_cameras_are_named(void **state) {
    (void)state;
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    const sv_rig rig = rig_of(BOARD_LENS_5);
    board_view *views = see_all(&b, &rig, 0.1);
    board_result result;
    for (int i = 0; i < VIEWS; i++) {
        const board_sight left = views[i].sides[0];
        views[i].sides[0] = views[i].sides[1];
        views[i].sides[1] = left;
    }
    solve(&b, BOARD_LENS_5, views, &result);
    assert_true(result.exchanged);
    assert_true(result.rows.value < 0.1);
    free(views);
}

static void too_little_is_refused(void **state) {
    (void)state;
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    const sv_rig rig = rig_of(BOARD_LENS_5);
    board_view *views = see_all(&b, &rig, 0.1);
    board_result result;
    sv_error error;
    assert_int_equal(board_calibrate(&b, BOARD_LENS_5, WIDTH, HEIGHT, views, 3, &result, &error), SV_FAILED);
    assert_has(error.text, "only 3 of 3 views of the board can be used, and 4 are needed");
    /* Each pair is of two moments: no two agree. */
    for (int i = 0; i < VIEWS; i++) views[i].sides[1] = views[(i * 7 + 3) % VIEWS].sides[0];
    assert_int_equal(board_calibrate(&b, BOARD_LENS_5, WIDTH, HEIGHT, views, VIEWS, &result, &error), SV_FAILED);
    assert_has(error.text, "are needed");
    free(views);
}

static void coverage_is_of_the_views_that_count(void **state) {
    (void)state;
    board_view *views = calloc(2, sizeof *views);
    for (int v = 0; v < 2; v++) {
        views[v].sides[0].count = 48;
        for (int i = 0; i < 48; i++) { /* all cells of the first view's picture, the first row of the second's */
            views[v].sides[0].at[i][0] = (float)(i % 8 * 80 + 40);
            views[v].sides[0].at[i][1] = v ? 40 : (float)(i / 8 * 80 + 40);
        }
    }
    assert_near(board_coverage(views, 2, 0, WIDTH, HEIGHT), 1, 1e-9);
    views[0].dropped = "";
    assert_near(board_coverage(views, 2, 0, WIDTH, HEIGHT), 1.0 / 6, 1e-9);
    assert_near(board_coverage(views, 2, 1, WIDTH, HEIGHT), 0, 1e-9);
    free(views);
}

/* ---- Files ------------------------------------------------------------------------------------ */

static const char *write_rig(const sv_rig *rig, const char *name, int side) {
    const char *path = scratch_path(name);
    FILE *to = fopen(path, "wb");
    sv_error error;
    assert_non_null(to);
    const sv_status status = side < 0 ? calibration_write_opencv(to, rig, "a: test, \"quoted\" # and so on", &error)
                                      : calibration_write_ros(to, rig, side, "a test", &error);
    if (status != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(fclose(to), 0);
    return path;
}

/* `most`: how far the poses may differ. */
static void assert_rigs_equal(const sv_rig *a, const sv_rig *b, double most) {
    for (int side = 0; side < 2; side++) {
        const sv_camera *x = &a->cameras[side], *y = &b->cameras[side];
        assert_int_equal(x->width, y->width);
        assert_int_equal(x->height, y->height);
        assert_int_equal(x->lens, y->lens);
        assert_true(x->fx == y->fx && x->fy == y->fy && x->cx == y->cx && x->cy == y->cy);
        assert_memory_equal(x->coefficients, y->coefficients, sizeof x->coefficients);
    }
    for (int i = 0; i < 9; i++) assert_near(a->rotation[i / 3][i % 3], b->rotation[i / 3][i % 3], most);
    for (int i = 0; i < 3; i++) assert_near(a->translation[i], b->translation[i], most);
    assert_int_equal(a->metric, b->metric);
    assert_false(a->rectified || b->rectified);
}

static void rigs_are_written_and_read_back(void **state) {
    (void)state;
    for (int lens = BOARD_LENS_5; lens <= BOARD_LENS_FISHEYE; lens++)
        for (int exchanged = 0; exchanged < 2; exchanged++) {
            sv_rig rig = rig_of((board_lens)lens), back;
            const char *format;
            char both[512];
            sv_error error;
            if (exchanged) rig.translation[0] = -rig.translation[0];
            if (calibration_read(write_rig(&rig, "rig.yaml", -1), WIDTH, HEIGHT, &back, &format, &error) != SV_OK)
                fail_msg("%s", error.text);
            assert_string_equal(format, "OpenCV");
            assert_rigs_equal(&rig, &back, 1e-12);
            assert_true(back.given);
            const char *left = write_rig(&rig, "left.yaml", 0), *right = write_rig(&rig, "right.yaml", 1);
            snprintf(both, sizeof both, "%s,%s", left, right);
            if (calibration_read(both, WIDTH, HEIGHT, &back, &format, &error) != SV_OK) fail_msg("%s", error.text);
            assert_string_equal(format, "ROS camera_info");
            assert_rigs_equal(&rig, &back, 1e-9);
        }
}

static void the_unit_of_an_opencv_file_counts(void **state) {
    (void)state;
    sv_rig rig = rig_of(BOARD_LENS_5), back;
    char text[8192];
    sv_error error;
    snprintf(text, sizeof text, "%s", scratch_read(write_rig(&rig, "rig.yaml", -1), NULL));
    char *unit = strstr(text, "unit: m\n");
    assert_non_null(unit);
    memcpy(unit, "unit: x\n", 8);
    /* OpenCV has no such key, so that others may mean anything by it. */
    assert_int_equal(calibration_read(scratch_write_text("what.yaml", text), WIDTH, HEIGHT, &back, NULL, &error),
                     SV_OK);
    assert_false(back.metric);
    assert_near(back.translation[0], -0.12, 1e-12);
    memcpy(unit, "#nounit\n", 8);
    assert_int_equal(calibration_read(scratch_write_text("no.yaml", text), WIDTH, HEIGHT, &back, NULL, &error), SV_OK);
    assert_false(back.metric);
    rig.metric = false;
    snprintf(text, sizeof text, "%s", scratch_read(write_rig(&rig, "rig.yaml", -1), NULL));
    strcat(text, "unit: cm\n");
    assert_int_equal(calibration_read(scratch_write_text("cm.yaml", text), WIDTH, HEIGHT, &back, NULL, &error), SV_OK);
    assert_true(back.metric);
    assert_near(back.translation[0], -0.0012, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_have_units),
        cmocka_unit_test(boards_are_read),
        cmocka_unit_test(boards_are_laid_out),
        cmocka_unit_test(boards_are_found),
        cmocka_unit_test(a_part_of_a_board_with_markers_is_enough),
        cmocka_unit_test(tags_are_kalibrs),
        cmocka_unit_test(a_picture_without_a_board_has_none),
        cmocka_unit_test(the_other_end_of_a_chessboard_is_turned),
        cmocka_unit_test(rigs_are_solved_for),
        cmocka_unit_test(parts_of_boards_are_solved_for),
        cmocka_unit_test(views_that_do_not_fit_are_dropped),
        cmocka_unit_test(exchanged_cameras_are_named),
        cmocka_unit_test(too_little_is_refused),
        cmocka_unit_test(coverage_is_of_the_views_that_count),
        cmocka_unit_test(rigs_are_written_and_read_back),
        cmocka_unit_test(the_unit_of_an_opencv_file_counts),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
