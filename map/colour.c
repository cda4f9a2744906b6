/* The colour tables and the rule that turns a disparity into one of their entries.
 *
 * Turbo (Mikhailov 2019), viridis and magma (van der Walt and Smith 2015) are approximated by straight
 * lines between 18 colours, fitted by least squares to the published tables; no channel is off by more
 * than 4 of 255. */
#include "map/colour.h"

#include <math.h>
#include <string.h>

enum { ANCHOR_STEP = 15, ANCHORS = (COLOUR_ENTRIES - 1) / ANCHOR_STEP + 1 };

static const struct {
    const char *name;
    uint8_t anchors[ANCHORS][3]; /* the table's entries 0, 15, ..., 255 */
} maps[COLOUR_MAP_COUNT] = {
    [COLOUR_TURBO] = {"turbo",
                      {{48, 18, 59},
                       {64, 62, 160},
                       {71, 102, 223},
                       {70, 140, 255},
                       {48, 178, 246},
                       {23, 212, 207},
                       {31, 236, 170},
                       {81, 251, 122},
                       {141, 255, 73},
                       {183, 248, 51},
                       {220, 227, 54},
                       {246, 197, 59},
                       {255, 162, 49},
                       {250, 116, 28},
                       {233, 75, 12},
                       {207, 45, 4},
                       {171, 21, 1},
                       {122, 4, 3}}},
    [COLOUR_VIRIDIS] = {"viridis",
                        {{68, 1, 84},
                         {72, 23, 106},
                         {72, 42, 122},
                         {67, 61, 133},
                         {61, 78, 138},
                         {53, 94, 141},
                         {46, 109, 142},
                         {41, 123, 142},
                         {35, 137, 142},
                         {30, 151, 139},
                         {32, 165, 134},
                         {45, 179, 125},
                         {69, 192, 112},
                         {100, 204, 94},
                         {136, 213, 72},
                         {176, 221, 47},
                         {216, 226, 22},
                         {253, 231, 37}}},
    [COLOUR_MAGMA] = {"magma",
                      {{0, 0, 4},
                       {8, 7, 31},
                       {26, 17, 66},
                       {49, 16, 102},
                       {75, 16, 123},
                       {98, 25, 128},
                       {121, 34, 130},
                       {145, 43, 129},
                       {170, 50, 125},
                       {194, 59, 118},
                       {218, 70, 107},
                       {237, 88, 95},
                       {248, 114, 91},
                       {253, 142, 99},
                       {254, 170, 116},
                       {254, 198, 138},
                       {253, 226, 163},
                       {252, 253, 191}}},
    [COLOUR_GREY] = {"grey",
                     {{0, 0, 0},
                      {15, 15, 15},
                      {30, 30, 30},
                      {45, 45, 45},
                      {60, 60, 60},
                      {75, 75, 75},
                      {90, 90, 90},
                      {105, 105, 105},
                      {120, 120, 120},
                      {135, 135, 135},
                      {150, 150, 150},
                      {165, 165, 165},
                      {180, 180, 180},
                      {195, 195, 195},
                      {210, 210, 210},
                      {225, 225, 225},
                      {240, 240, 240},
                      {255, 255, 255}}},
};

/* Pale, so that none is mistaken for a disparity; dark for valid pixels, which only views of the reasons colour. */
static const uint8_t reason_colours[SV_REASON_COUNT][3] = {
    [SV_VALID] = {14, 16, 20},
    [SV_FILLED] = {112, 160, 152},
    [SV_BORDER] = {52, 58, 70},
    [SV_NO_TEXTURE] = {104, 116, 138},
    [SV_POOR_MATCH] = {150, 98, 92},
    [SV_AMBIGUOUS] = {172, 152, 200},
    [SV_LEFT_RIGHT_CONFLICT] = {214, 210, 200},
    [SV_SPECKLE] = {222, 170, 178},
};

/* The colour of no disparity is dark, and no colour map contains it. */
colour_settings colour_default(void) {
    return (colour_settings){.map = COLOUR_TURBO, .min = 0, .max = 63, .empty = {0, 48, 52}};
}

const char *colour_map_name(int map) { return map >= 0 && map < COLOUR_MAP_COUNT ? maps[map].name : "?"; }

int colour_map_of(const char *name) {
    for (int i = 0; i < COLOUR_MAP_COUNT; i++)
        if (!strcmp(name, maps[i].name)) return i;
    return -1;
}

sv_status colour_check_range(float min, float max, sv_error *error) {
    const float width = max - min;
    if (width == 0 || (width > 0 && isfinite(width) && isfinite((COLOUR_ENTRIES - 1) / width))) return SV_OK;
    return sv_fail(
        error, SV_USAGE,
        "colours cannot range from %g to %g; choose finite numbers, the smaller first, that are not almost equal",
        (double)min, (double)max);
}

void colour_table(int map, uint8_t table[COLOUR_ENTRIES][3]) {
    for (int i = 0; i < COLOUR_ENTRIES; i++) {
        const int anchor = i / ANCHOR_STEP, next = i % ANCHOR_STEP;
        for (int c = 0; c < 3; c++) {
            const int from = maps[map].anchors[anchor][c];
            const int to = next ? maps[map].anchors[anchor + 1][c] : from;
            table[i][c] = (uint8_t)((from * (ANCHOR_STEP - next) + to * next + ANCHOR_STEP / 2) / ANCHOR_STEP);
        }
    }
}

void colour_of_reason(int reason, uint8_t rgb[3]) { memcpy(rgb, reason_colours[reason], 3); }

/* One subtraction, clamp, multiplication and rounding to even, each exactly defined: the shader does the
 * same four and there is no sum of a product that a GPU could contract. */
int colour_index(const colour_settings *settings, float d) {
    const float width = settings->max - settings->min;
    if (!(width > 0)) return 0;
    const float scale = (COLOUR_ENTRIES - 1) / width;
    return (int)rintf(fminf(fmaxf(d - settings->min, 0), width) * scale);
}

static const struct {
    const char *name;
    float bound; /* pixels, inclusive */
    uint8_t rgb[3];
} errors[COLOUR_ERROR_COUNT] = {
    [COLOUR_ERROR_HALF] = {"to 0.5 px", 0.5f, {49, 54, 149}}, [COLOUR_ERROR_1] = {"to 1 px", 1, {116, 173, 209}},
    [COLOUR_ERROR_2] = {"to 2 px", 2, {254, 224, 144}},       [COLOUR_ERROR_4] = {"to 4 px", 4, {244, 109, 67}},
    [COLOUR_ERROR_MORE] = {"more", INFINITY, {165, 0, 38}},   [COLOUR_ERROR_NONE] = {"no disparity", 0, {0, 0, 0}},
    [COLOUR_ERROR_UNKNOWN] = {"no truth", 0, {0, 0, 0}},
};

colour_error colour_error_of(float d, float t) {
    if (!isfinite(t)) return COLOUR_ERROR_UNKNOWN;
    if (!isfinite(d)) return COLOUR_ERROR_NONE;
    int error = COLOUR_ERROR_HALF;
    while (error < COLOUR_ERROR_MORE && fabsf(d - t) > errors[error].bound) error++;
    return (colour_error)error;
}

float colour_error_bound(int error) { return errors[error].bound; }

const char *colour_error_name(int error) { return error >= 0 && error < COLOUR_ERROR_COUNT ? errors[error].name : "?"; }

void colour_of_error(int error, uint8_t rgb[3]) { memcpy(rgb, errors[error].rgb, 3); }

colour_ratios colour_ratios_of(const colour_settings *settings, float offset) {
    const float high = settings->max + offset, low = fmaxf(settings->min + offset, high / 64);
    if (!(high > low) || !(low > 0)) return (colour_ratios){offset, 1, 0};
    return (colour_ratios){offset, low, (float)(COLOUR_ENTRIES - 1) / logf(high / low)};
}

sv_status colour_picture(const colour_settings *settings, const sv_image *disparity, const sv_image *reason,
                         const sv_image *colour, sv_error *error) {
    if (disparity->format != SV_FLOAT32 || colour->format != SV_COLOUR8 || (reason && reason->format != SV_REASON8))
        return sv_fail(error, SV_USAGE, "false colour is made from a disparity and a reason map into a colour picture");
    if (disparity->width != colour->width || disparity->height != colour->height ||
        (reason && (reason->width != colour->width || reason->height != colour->height)))
        return sv_fail(error, SV_USAGE, "a disparity map of %d x %d pixels cannot be coloured into %d x %d",
                       disparity->width, disparity->height, colour->width, colour->height);
    if (settings->map < 0 || settings->map >= COLOUR_MAP_COUNT)
        return sv_fail(error, SV_USAGE, "there is no colour map number %d", settings->map);
    const sv_status status = colour_check_range(settings->min, settings->max, error);
    if (status != SV_OK) return status;

    uint8_t table[COLOUR_ENTRIES][3];
    colour_table(settings->map, table);
    for (int y = 0; y < colour->height; y++) {
        const float *d = sv_row(disparity, y);
        const uint8_t *why = reason && settings->show_reasons ? sv_row(reason, y) : NULL;
        uint8_t *out = sv_row(colour, y);
        for (int x = 0; x < colour->width; x++, out += 4) {
            const uint8_t *rgb = settings->empty;
            if (why && why[x] != SV_VALID && why[x] < SV_REASON_COUNT)
                rgb = reason_colours[why[x]];
            else if (isfinite(d[x]))
                rgb = table[colour_index(settings, d[x])];
            memcpy(out, rgb, 3);
            out[3] = 255;
        }
    }
    return SV_OK;
}
