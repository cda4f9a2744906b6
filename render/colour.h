/* From disparity to colour. The tables and the rule are here, once: the shader is given the same
 * tables and does the same arithmetic, so that the screen and an exported picture agree to the byte.
 *
 * Everything here may be called from any thread. */
#ifndef RENDER_COLOUR_H
#define RENDER_COLOUR_H

#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All run from far (the smallest disparity, first entry) to near (the largest, last and warm or light). */
typedef enum colour_map_id { COLOUR_TURBO, COLOUR_VIRIDIS, COLOUR_MAGMA, COLOUR_GREY, COLOUR_MAP_COUNT } colour_map_id;

enum { COLOUR_ENTRIES = 256 };

typedef struct colour_settings {
    int map;           /* colour_map_id */
    float min, max;    /* pixels: the disparities of the first and the last colour; beyond them it stays the same */
    uint8_t empty[3];  /* red, green, blue of a pixel that has no disparity */
    bool show_reasons; /* a pixel that is not simply valid gets its reason's colour, filled ones too */
} colour_settings;

/* Turbo, 0..63 pixels, a dark grey for no disparity, no reasons. */
colour_settings colour_default(void);

const char *colour_map_name(int map); /* "turbo"; "?" if out of range */
int colour_map_of(const char *name);  /* -1 if there is none */
void colour_table(int map, uint8_t table[COLOUR_ENTRIES][3]);
void colour_of_reason(int reason, uint8_t rgb[3]); /* 0 <= reason < SV_REASON_COUNT */

/* The entry of the table for disparity `d`: nearest to 255 (d - min) / (max - min), exact halves to the
 * even one, 0 and 255 outside; 0 where max is not above min. `d` is finite. */
int colour_index(const colour_settings *settings, float d);

/* False-colours a map: `disparity` SV_FLOAT32, `reason` SV_REASON8 or NULL (then none are shown), into
 * `colour` SV_COLOUR8; all in host memory, of one size, any strides. A disparity that is no number or
 * infinite is none. SV_USAGE if the pictures do not fit together. */
sv_status colour_picture(const colour_settings *settings, const sv_image *disparity, const sv_image *reason,
                         const sv_image *colour, sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
