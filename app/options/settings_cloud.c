/* The settings of the point cloud as keys and values. */
#include "app/options/settings_cloud.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {"cloud-colours", "cloud-point-size", "cloud-grid", "cloud-edges"};
enum { COLOURS, POINT_SIZE, GRID, EDGES, KEYS };

static int key_of(const char *key) {
    for (int i = 0; i < KEYS; i++)
        if (!strcmp(key, keys[i])) return i;
    return -1;
}

bool settings_cloud_has(const char *key) { return key_of(key) >= 0; }

static sv_status parse_colours(const char *text, cloud_settings *s, sv_error *error) {
    for (int i = 0; i < CLOUD_COLOURS_COUNT; i++)
        if (!strcmp(text, cloud_colours_name(i))) {
            s->colours = i;
            return SV_OK;
        }
    return sv_fail(error, SV_USAGE, "%s cannot be '%s'; it takes %s or %s", keys[COLOURS], text,
                   cloud_colours_name(CLOUD_PICTURE), cloud_colours_name(CLOUD_DEPTH));
}

static sv_status parse_size(const char *text, cloud_settings *s, sv_error *error) {
    char *end;
    const float size = strtof(text, &end);
    if (*end || end == text || !(size >= CLOUD_MIN_SIZE && size <= CLOUD_MAX_SIZE))
        return sv_fail(error, SV_USAGE, "%s cannot be '%s'; it takes a number from %g to %g", keys[POINT_SIZE], text,
                       CLOUD_MIN_SIZE, CLOUD_MAX_SIZE);
    s->size = size;
    return SV_OK;
}

sv_status settings_parse_switch(const char *key, const char *text, bool *on, sv_error *error) {
    if (strcmp(text, "on") && strcmp(text, "off"))
        return sv_fail(error, SV_USAGE, "%s cannot be '%s'; it takes on or off", key, text);
    *on = !strcmp(text, "on");
    return SV_OK;
}

sv_status settings_cloud_parse(const char *key, const char *text, cloud_settings *s, sv_error *error) {
    switch (key_of(key)) {
    case COLOURS: return parse_colours(text, s, error);
    case POINT_SIZE: return parse_size(text, s, error);
    case GRID: return settings_parse_switch(key, text, &s->grid, error);
    case EDGES: return settings_parse_switch(key, text, &s->edges, error);
    default: return sv_fail(error, SV_USAGE, "there is no setting '%s'", key);
    }
}

void settings_cloud_write(FILE *stream, const cloud_settings *s) {
    fprintf(stream, "%s: %s\n", keys[COLOURS], cloud_colours_name(s->colours));
    fprintf(stream, "%s: %.9g\n", keys[POINT_SIZE], s->size);
    fprintf(stream, "%s: %s\n", keys[GRID], s->grid ? "on" : "off");
    fprintf(stream, "%s: %s\n", keys[EDGES], s->edges ? "on" : "off");
}
