/* Prints calibration boards: black rectangles on a page of PDF 1.4, in millimetres. They are one path, so that no
 * hairline appears between neighbours. */
#include "rig/board_print.h"

#include "base/file.h"
#include "base/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RULER = 100 }; /* millimetres */

/* Millimetres: the least margin that printers leave, and the heights below the board. */
static const double margin = 5, gap = 4, ruler_height = 5, text_height = 5;

static const struct {
    const char *name;
    double width, height; /* millimetres, upright */
} papers[] = {[PAPER_A4] = {"A4", 210, 297}, [PAPER_LETTER] = {"Letter", 215.9, 279.4}};

/* A page being written. */
typedef struct page {
    FILE *to;
    double width, height;
    double left, top; /* of the board */
} page;

bool board_print_takes(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".pdf");
}

/* Adds a rectangle to the path; from the corner of the board, not of the page. */
static void add(const page *p, double x, double y, double width, double height) {
    fprintf(p->to, "%.4f %.4f %.4f %.4f re\n", p->left + x, p->height - p->top - y - height, width, height);
}

static void add_squares(const page *p, const board *b) {
    const double side = 1e3 * b->square, space = 1e3 * b->marker;
    if (b->kind == BOARD_APRILGRID) {
        for (int i = 0; i < (b->columns + 1) * (b->rows + 1); i++)
            add(p, i % (b->columns + 1) * (side + space), i / (b->columns + 1) * (side + space), space, space);
        return;
    }
    const int more = b->kind == BOARD_CHESS, columns = b->columns + more, rows = b->rows + more;
    for (int y = 0; y < rows; y++)
        for (int x = y % 2; x < columns; x += 2) add(p, x * side, y * side, side, side);
}

/* The black cells of the markers, those beside each other as one. */
static sv_status add_markers(const page *p, const board *b, sv_error *error) {
    bool cells[BOARD_MOST_POINTS];
    for (int m = 0; m < board_markers(b); m++) {
        double at[2], side;
        const int across = board_marker_cells(b, m, cells, error);
        if (!across) return SV_FAILED;
        board_marker(b, m, at, &side);
        const double cell = 1e3 * side / across;
        for (int y = 0; y < across; y++)
            for (int x = 0, end; x < across; x = end + 1) {
                for (end = x; end < across && cells[y * across + end]; end++) {
                }
                if (end > x) add(p, 1e3 * at[0] + x * cell, 1e3 * at[1] + y * cell, (end - x) * cell, cell);
            }
    }
    return SV_OK;
}

/* A line of RULER mm between its outer ticks, which are measured from middle to middle. */
static void add_ruler(const page *p, double y) {
    const double line = 0.2;
    add(p, -line / 2, y + ruler_height - line, RULER + line, line);
    for (int mm = 0; mm <= RULER; mm += 5) {
        const double height = ruler_height * (mm % 10 ? 0.4 : mm % 50 ? 0.7 : 1);
        add(p, mm - line / 2, y + ruler_height - height, line, height);
    }
}

static sv_status draw(const page *p, const board *b, const char *name, double board_height, sv_error *error) {
    const double y = board_height + gap, text = p->top + y + ruler_height + text_height - 1;
    fprintf(p->to, "q 2.834645669 0 0 2.834645669 0 0 cm\n");
    add_squares(p, b);
    const sv_status status = add_markers(p, b, error);
    add_ruler(p, y);
    fprintf(p->to, "f\nBT /F 3 Tf %.4f %.4f Td (%s - print at 100 %%; the ruler is %d mm long) Tj ET\nQ\n", p->left,
            p->height - text, name, RULER);
    return status;
}

static sv_status write_pdf(page *p, const board *b, const char *name, double board_height, sv_error *error) {
    enum { OBJECTS = 5 };
    char *content = NULL;
    size_t length = 0;
    long at[OBJECTS];
    FILE *file = p->to;
    p->to = open_memstream(&content, &length);
    if (!p->to) return sv_fail(error, SV_FAILED, "out of memory for the page");
    sv_status status = draw(p, b, name, board_height, error);
    if (fclose(p->to) && status == SV_OK) status = sv_fail(error, SV_FAILED, "out of memory for the page");
    p->to = file;
    if (status == SV_OK) {
        const double point = 72 / 25.4;
        long position = fprintf(file, "%%PDF-1.4\n");
        at[0] = position;
        position += fprintf(
            file, "1 0 obj\n<</Type /Catalog /Pages 2 0 R /ViewerPreferences <</PrintScaling /None>>>>\nendobj\n");
        at[1] = position;
        position += fprintf(file, "2 0 obj\n<</Type /Pages /Kids [3 0 R] /Count 1>>\nendobj\n");
        at[2] = position;
        position += fprintf(file,
                            "3 0 obj\n<</Type /Page /Parent 2 0 R /MediaBox [0 0 %.4f %.4f] /Contents 5 0 R "
                            "/Resources <</Font <</F 4 0 R>>>>>>\nendobj\n",
                            p->width * point, p->height * point);
        at[3] = position;
        position += fprintf(file, "4 0 obj\n<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>\nendobj\n");
        at[4] = position;
        position += fprintf(file, "5 0 obj\n<</Length %zu>>\nstream\n%sendstream\nendobj\n", length, content);
        fprintf(file, "xref\n0 %d\n0000000000 65535 f \n", OBJECTS + 1);
        for (int i = 0; i < OBJECTS; i++) fprintf(file, "%010ld 00000 n \n", at[i]);
        fprintf(file, "trailer\n<</Size %d /Root 1 0 R>>\nstartxref\n%ld\n%%%%EOF\n", OBJECTS + 1, position);
    }
    free(content);
    return status;
}

sv_status board_print(const char *path, const board *b, const char *name, paper paper, sv_error *error) {
    double size[2];
    board_size(b, size);
    const double width = 1e3 * size[0], height = 1e3 * size[1];
    const double across = fmax(width, RULER) + 2 * margin,
                 down = height + gap + ruler_height + text_height + 2 * margin;
    page p = {.width = papers[paper].width, .height = papers[paper].height};
    if (across > p.width || down > p.height) {
        p.width = papers[paper].height;
        p.height = papers[paper].width;
    }
    if (across > p.width || down > p.height)
        return sv_fail(error, SV_USAGE,
                       "the board %s is %g x %g mm, with its ruler too large for %s; make its squares "
                       "smaller",
                       name, width, height, papers[paper].name);
    p.left = (p.width - across) / 2 + margin;
    p.top = (p.height - down) / 2 + margin;
    file_writer writer;
    sv_status status = file_create(&writer, path, error);
    if (status != SV_OK) return status;
    p.to = writer.stream;
    status = write_pdf(&p, b, name, height, error);
    if (status == SV_OK)
        status = file_commit(&writer, error);
    else
        file_discard(&writer);
    if (status == SV_OK) log_wrote(path, "wrote the board to %s; print it at 100 %%, and check its ruler", path);
    return status;
}
