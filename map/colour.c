/* The colour tables and the rule that turns a disparity into one of their entries.
 *
 * Turbo (Mikhailov 2019), viridis and magma (van der Walt and Smith 2015) are approximated by straight lines between 18
 * colours, fitted by least squares to the published tables; no channel is off by more than 4 of 255. */
#include "map/colour.h"

#include <math.h>
#include <string.h>

enum { ANCHOR_STEP = 15, ANCHORS = (COLOUR_ENTRIES - 1) / ANCHOR_STEP + 1 };

static const struct {
    const char *name;
    uint32_t anchors[ANCHORS]; /* the table's entries 0, 15, ..., 255: 0xRRGGBB */
} maps[COLOUR_MAP_COUNT] = {
    [COLOUR_TURBO] = {"turbo",
                      {0x30123b, 0x403ea0, 0x4766df, 0x468cff, 0x30b2f6, 0x17d4cf, 0x1fecaa, 0x51fb7a, 0x8dff49,
                       0xb7f833, 0xdce336, 0xf6c53b, 0xffa231, 0xfa741c, 0xe94b0c, 0xcf2d04, 0xab1501, 0x7a0403}},
    [COLOUR_VIRIDIS] = {"viridis",
                        {0x440154, 0x48176a, 0x482a7a, 0x433d85, 0x3d4e8a, 0x355e8d, 0x2e6d8e, 0x297b8e, 0x23898e,
                         0x1e978b, 0x20a586, 0x2db37d, 0x45c070, 0x64cc5e, 0x88d548, 0xb0dd2f, 0xd8e216, 0xfde725}},
    [COLOUR_MAGMA] = {"magma",
                      {0x000004, 0x08071f, 0x1a1142, 0x311066, 0x4b107b, 0x621980, 0x792282, 0x912b81, 0xaa327d,
                       0xc23b76, 0xda466b, 0xed585f, 0xf8725b, 0xfd8e63, 0xfeaa74, 0xfec68a, 0xfde2a3, 0xfcfdbf}},
    [COLOUR_GREY] = {"grey",
                     {0x000000, 0x0f0f0f, 0x1e1e1e, 0x2d2d2d, 0x3c3c3c, 0x4b4b4b, 0x5a5a5a, 0x696969, 0x787878,
                      0x878787, 0x969696, 0xa5a5a5, 0xb4b4b4, 0xc3c3c3, 0xd2d2d2, 0xe1e1e1, 0xf0f0f0, 0xffffff}},
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
        const uint32_t *colours = &maps[map].anchors[i / ANCHOR_STEP];
        const int next = i % ANCHOR_STEP;
        for (int c = 0; c < 3; c++) {
            const int shift = 16 - 8 * c, from = (int)(colours[0] >> shift & 255);
            const int to = next ? (int)(colours[1] >> shift & 255) : from;
            table[i][c] = (uint8_t)((from * (ANCHOR_STEP - next) + to * next + ANCHOR_STEP / 2) / ANCHOR_STEP);
        }
    }
}

void colour_of_reason(int reason, uint8_t rgb[3]) { memcpy(rgb, reason_colours[reason], 3); }

/* A subtraction, a clamp, a multiplication and rounding to even: the shader does the same, and a GPU can contract none
 * of it. */
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
