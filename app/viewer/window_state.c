/* How the window looked when it was closed. */
#include "app/viewer/window_state.h"

#include "base/file.h"
#include "base/keyvalue.h"
#include "base/places.h"
#include "render/panel/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More pixels, across or down, are a mistake in the file. */
enum { MOST = 16384 };

/* Keeps what is known; files of other versions may have more, or less. */
static sv_status take(void *to, const char *key, const char *value, int line, sv_error *error) {
    window_state *l = to;
    const double number = strtod(value, NULL);
    (void)line;
    (void)error;
    if (!strcmp(key, "width") && number >= WINDOW_LEAST_WIDTH && number <= MOST) l->width = (int)number;
    if (!strcmp(key, "height") && number >= WINDOW_LEAST_HEIGHT && number <= MOST) l->height = (int)number;
    if (!strcmp(key, "panel") && number >= PANEL_LEAST_WIDTH && number <= PANEL_MOST_WIDTH) l->panel = number;
    for (int i = 0; i < PANEL_THEME_COUNT && !strcmp(key, "theme"); i++)
        if (!strcmp(value, panel_theme_name(i))) l->theme = i;
    return SV_OK;
}

static bool find(char *path, size_t size) { return places_of_user(PLACES_STATE, "window", path, size); }

void window_state_read(window_state *l) {
    char path[PLACES_BYTES];
    sv_error error;
    if (!find(path, sizeof path) || access(path, F_OK)) return;
    if (keyvalue_read(path, "the size of the window", "width: 1280", take, l, &error) != SV_OK)
        sv_log(SV_LOG_DEBUG, "%s", error.text);
}

void window_state_write(const window_state *l) {
    char path[PLACES_BYTES];
    file_writer writer;
    sv_error error;
    if (!find(path, sizeof path)) return;
    places_make_folders(path);
    sv_status status = file_create(&writer, path, &error);
    if (status == SV_OK) {
        fprintf(writer.stream, "width: %d\nheight: %d\npanel: %.2f\ntheme: %s\n", l->width, l->height, l->panel,
                panel_theme_name(l->theme));
        status = file_commit(&writer, &error);
    }
    if (status != SV_OK) sv_log(SV_LOG_DEBUG, "the size of the window: %s", error.text);
}
