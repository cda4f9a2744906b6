/* Lengths with their units. */
#include "rig/length.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double metres;
} units[] = {{"m", 1},       {"meter", 1},         {"meters", 1},         {"metre", 1},         {"metres", 1},
             {"cm", 1e-2},   {"centimeter", 1e-2}, {"centimeters", 1e-2}, {"centimetre", 1e-2}, {"centimetres", 1e-2},
             {"mm", 1e-3},   {"millimeter", 1e-3}, {"millimeters", 1e-3}, {"millimetre", 1e-3}, {"millimetres", 1e-3},
             {"in", 0.0254}, {"inch", 0.0254},     {"inches", 0.0254}};
enum { UNITS = sizeof units / sizeof *units };

double length_unit(const char *unit) {
    for (int i = 0; i < UNITS; i++)
        if (!strcmp(units[i].name, unit)) return units[i].metres;
    return 0;
}

const char *length_unit_name(const char *unit) {
    for (int i = 0; i < UNITS; i++)
        if (!strcmp(units[i].name, unit)) return units[i].name;
    return NULL;
}

bool length_parse(const char *text, size_t length, double *metres) {
    char copy[32], *end;
    if (!length || length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    *metres = strtod(copy, &end);
    if (end == copy) return false;
    *metres *= length_unit(end);
    return *metres > 0 && isfinite(*metres);
}
