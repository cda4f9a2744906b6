/* The library's false colours: those of the program's pictures. */
#include "map/colour.h"

sv_status sv_colour_map(const char *map, float min, float max, const sv_image *disparity, const sv_image *colour,
                        sv_error *error) {
    colour_settings settings = colour_default();
    settings.map = colour_map_of(map);
    settings.min = min;
    settings.max = max;
    if (settings.map < 0)
        return sv_fail(error, SV_USAGE, "there is no colour map '%s'; choose turbo, viridis, magma or grey", map);
    if (sv_check_host("disparity map", disparity, error) != SV_OK || sv_check_host("picture", colour, error) != SV_OK)
        return SV_USAGE;
    return colour_picture(&settings, disparity, NULL, colour, error);
}
