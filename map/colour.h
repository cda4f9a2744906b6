/* Maps disparities to colours. The shader uses the same tables and the same arithmetic, so the screen and an exported
 * picture agree to the byte.
 * Thread: any, for all functions. */
#ifndef MAP_COLOUR_H
#define MAP_COLOUR_H

#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All run from far (the smallest disparity, first entry) to near (the largest, last entry, warm or bright). */
typedef enum colour_map_id { COLOUR_TURBO, COLOUR_VIRIDIS, COLOUR_MAGMA, COLOUR_GREY, COLOUR_MAP_COUNT } colour_map_id;

enum { COLOUR_ENTRIES = 256 };

typedef struct colour_settings {
    int map;           /* colour_map_id */
    float min, max;    /* pixels: disparities of the first and the last entry; values beyond them get the same
                        * colours */
    uint8_t empty[3];  /* red, green, blue of a pixel that has no disparity */
    bool show_reasons; /* a pixel whose reason is not SV_VALID gets the colour of its reason, filled pixels too */
} colour_settings;

/* Turbo, 0..63 pixels, a dark grey for no disparity, no reasons. */
colour_settings colour_default(void);

const char *colour_map_name(int map); /* "turbo"; "?" if out of range */
int colour_map_of(const char *name);  /* -1 if there is none */

/* Checks a range of colours: finite, max not below min, and neither its width nor 255 / width too large for a float. If
 * the width is 0, every disparity has the first colour.
 * Errors: SV_USAGE for any other range. */
sv_status colour_check_range(float min, float max, sv_error *error);

void colour_table(int map, uint8_t table[COLOUR_ENTRIES][3]);
void colour_of_reason(int reason, uint8_t rgb[3]); /* 0 <= reason < SV_REASON_COUNT */

/* The entry of the table for disparity `d`: 255 (d - min) / (max - min), rounded half to even, limited to 0 and 255; 0
 * if max is not above min. `d` is finite, and the range is one that colour_check_range accepts. */
int colour_index(const colour_settings *settings, float d);

/* The colours by depth, which the shader alone computes: equal steps of the table are equal ratios of 1 / depth, which
 * is in proportion to `offset` + d. From `low` on, at least 1/64 of the largest, the entry is
 * `scale` * ln((d + offset) / low), rounded and limited to 0 and 255; 0 at or below low. */
typedef struct colour_ratios {
    float offset, low, scale;
} colour_ratios;
colour_ratios colour_ratios_of(const colour_settings *settings, float offset);

/* How far a disparity is from the truth. The first ones have a bound. */
typedef enum colour_error {
    COLOUR_ERROR_HALF,
    COLOUR_ERROR_1,
    COLOUR_ERROR_2,
    COLOUR_ERROR_4,
    COLOUR_ERROR_MORE,
    COLOUR_ERROR_NONE,    /* no disparity, where the truth is known */
    COLOUR_ERROR_UNKNOWN, /* no truth: NaN or infinity */
    COLOUR_ERROR_COUNT
} colour_error;

colour_error colour_error_of(float disparity, float truth);
float colour_error_bound(int error);      /* pixels, inclusive; 0 <= error < COLOUR_ERROR_MORE */
const char *colour_error_name(int error); /* "to 1 px" */
/* 0 <= error < COLOUR_ERROR_COUNT, but for COLOUR_ERROR_NONE, which looks as in the map: colour_settings.empty. */
void colour_of_error(int error, uint8_t rgb[3]);

/* False-colours a disparity map: `disparity` SV_FLOAT32, `reason` SV_REASON8 or NULL (no reasons are shown), into
 * `colour` SV_COLOUR8; all in host memory, of one size, any strides. NaN and infinity count as no disparity.
 * Errors: SV_USAGE if formats or sizes do not match, and for a colour map or a range that does not exist. */
sv_status colour_picture(const colour_settings *settings, const sv_image *disparity, const sv_image *reason,
                         const sv_image *colour, sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
