/* What the tests of render/ share: a hidden window, and pictures with guard bytes.
 *
 * What needs OpenGL is skipped where there is no display. */
#ifndef TESTS_SUPPORT_SCREEN_H
#define TESTS_SUPPORT_SCREEN_H

#include "render/view/view.h"
#include "render/window/window.h"

enum { SCREEN_WIDTH = 640, SCREEN_HEIGHT = 480 }; /* of the window */

extern window *shown;  /* NULL: no display */
extern int complaints; /* lines of the log that are errors or warnings */

/* Set-up and tear-down of a group of tests: opens and closes the window, and counts complaints. */
int open_screen(void **state);
int close_screen(void **state);

#define NEEDS_WINDOW()                                                                                                 \
    if (!shown) {                                                                                                      \
        print_message("there is no display\n");                                                                        \
        skip();                                                                                                        \
    }

/* OpenGL has recorded no error, and nobody has complained. */
void assert_no_complaints(void);

view *make_view(int width, int height); /* with three slots */

/* A picture with padded rows, all guard bytes; the caller frees its data. */
sv_image make_padded(int width, int height, sv_format format);
void assert_guarded(const sv_image *image);

/* Writes a map into a slot and shows it: `disparity` of each pixel (NULL: 0) and `more`. What is infinite is a speckle,
 * everything else valid. */
void show_map(view *v, int slot, int width, int height, float (*disparity)(int x, int y), float more);

/* Every kind of value and every reason, known or not, in all combinations of the first pixels. */
void fill_maps(const sv_image *disparity, const sv_image *reason);

enum { SIZES = 3 };
extern const int sizes[SIZES][2];

#endif
