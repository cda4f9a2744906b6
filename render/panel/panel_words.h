/* The texts of the panel. */
#ifndef RENDER_PANEL_PANEL_WORDS_H
#define RENDER_PANEL_PANEL_WORDS_H

#include "render/panel/panel_map.h"
#include "render/view/histogram.h"
#include "stereo/rig.h"

/* Writes the status line about the map on the screen: how fast, by what, with which disparities. */
void panel_describe_map(const panel_status *status, char *text, size_t size);

/* Writes what share of the map's pixels has a value, and what share of the values lies at the largest disparity: "91.0
 * % with a value, 0.3 % of them at 63 px". Empty while it is not known, or NULL. */
void panel_describe_values(const histogram *histogram, char *text, size_t size);

/* The unit of a method's costs, to follow a number: " grey²"; "" if there is no name for it. */
const char *panel_unit_of_costs(int method);

/* Writes the tooltip of a parameter: what it does, its values and its default, the option, how to change it. */
void panel_describe_parameter(const sv_params *params, const sv_parameter *parameter, char *text, size_t size);

/* True if the parameter's range spans decades, so that its slider is logarithmic. */
bool panel_spans_decades(const sv_parameter *parameter);

/* Sets both ends of the disparity range, one of which was moved. Where there would be too many, the other one
 * follows. */
void panel_move_range(sv_params *params, int min, int max);

/* Shortens a text to at most `most` characters, 4 or more, by leaving out the middle; the end, which names a file,
 * keeps most of them. */
void panel_shorten(const char *text, int most, char *shown, size_t size);

#endif
