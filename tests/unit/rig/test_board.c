/* Calibration boards: their names and layouts, and how they are found in pictures; rig/board, rig/length. */
#include "rig/board.h"
#include "rig/length.h"
#include "rig/rotation.h"
#include "tests/support/boards.h"
#include "tests/support/reading.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------ */

TEST(lengths_have_units) {
    double metres;
    assert_true(length_parse("25mm", 4, &metres));
    assert_near(metres, 0.025, 1e-12);
    assert_true(length_parse("2.5cm:", 5, &metres));
    assert_near(metres, 0.025, 1e-12);
    assert_true(length_parse("1in", 3, &metres));
    assert_near(metres, 0.0254, 1e-12);
    assert_true(length_parse("0.5m", 4, &metres));
    assert_near(metres, 0.5, 1e-12);
    assert_near(length_unit("millimeters"), 0.001, 1e-12);
    assert_near(length_unit("metres"), 1, 1e-12);
    assert_near(length_unit("ms"), 0, 1e-12);
    const char *const wrong[] = {"", "25", "mm", "-1mm", "0mm", "25 mm", "25mmm", "infm", "nanm", "25feet"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (length_parse(wrong[i], strlen(wrong[i]), &metres)) fail_msg("'%s' is read as a length", wrong[i]);
}

TEST(boards_are_read) {
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
    } wrong[] = {{"9x6", "9x6:25mm"},           {"9x6:25", "9x6:25mm"},
                 {"9:25mm", "is not a board"},  {"9x6:25mm:20mm", "not a board"},
                 {"9x6x3:25mm", "not a board"}, {"circles:4x11:2cm", "not a board"},
                 {"2x6:25mm", "too small"},     {"90x60:5mm", "too large"},
                 {"7x7:25mm", "is square"},     {"-9x6:25mm", "too small"},
                 {"9x6:0mm", "is not a board"}, {"charuco:8x5:30mm:30mm", "not smaller"},
                 {"", "is not a board"},        {"charuco:8x5", "not a board"},
                 {"9x6:25mm ", "not a board"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        board b;
        sv_error error;
        if (board_parse(wrong[i].text, &b, &error) != SV_USAGE) fail_msg("'%s' is accepted", wrong[i].text);
        assert_has(error.text, wrong[i].says);
    }
}

TEST(boards_are_laid_out) {
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
    board_marker(&charuco, 0, at, &side);
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

/* Pixels: the windows of the search are small where markers are near. */
static const double exact = 0.25;

TEST(boards_are_found) {
    skip_without_opencv();
    const char *const names[] = {"9x6:25mm", "charuco:8x5:30mm", "aprilgrid:4x3:45mm"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const board b = board_of(names[n]);
        const placing p = place(&b, 0.3, -0.4, 0.1, (const double[]){0.01, -0.005, 0.45});
        const sv_image picture = board_render(&b, &p);
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
            board_project(&p, at, pixel);
            assert_near((double)sight.at[i][0], pixel[0], exact);
            assert_near((double)sight.at[i][1], pixel[1], exact);
        }
        free(picture.data);
    }
}

TEST(a_part_of_a_board_with_markers_is_enough) {
    skip_without_opencv();
    const char *const names[] = {"charuco:8x5:30mm", "aprilgrid:4x3:45mm"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const board b = board_of(names[n]);
        const placing p = place(&b, 0, 0.2, 0, (const double[]){0.15, 0, 0.45});
        const sv_image picture = board_render(&b, &p);
        board_sight sight;
        assert_int_equal(board_find(&b, &picture, false, &sight, NULL), SV_OK);
        if (sight.count < 8 || sight.count >= board_points(&b)) fail_msg("%s: %d points", names[n], sight.count);
        for (int i = 0; i < sight.count; i++) {
            double at[2], pixel[2];
            board_point(&b, sight.points[i], at);
            board_project(&p, at, pixel);
            assert_near((double)sight.at[i][0], pixel[0], exact);
            assert_near((double)sight.at[i][1], pixel[1], exact);
        }
        free(picture.data);
    }
}

/* Squares of 9 pixels, which OpenCV's own quick check overlooks. */
TEST(a_far_chessboard_is_found_quickly) {
    skip_without_opencv();
    const board b = board_of("9x6:25mm");
    const placing p = place(&b, 0.1, 0.2, 0.05, (const double[]){0.1, 0.1, 1.67});
    const sv_image picture = board_render(&b, &p);
    board_sight sight;
    assert_int_equal(board_find(&b, &picture, true, &sight, NULL), SV_OK);
    assert_int_equal(sight.count, 54);
    free(picture.data);
}

/* Tag 0 of the family 36h11 is 0xd5d628584: its bits from the upper left one on, 1 is white. Kalibr prints a border of
 * two cells. */
TEST(tags_are_kalibrs) {
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

TEST(the_other_end_of_a_chessboard_is_turned) {
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
