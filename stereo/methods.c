/* The methods: what the rest of the program needs to know about each. */
#include "stereo/stereo.h"

#include <string.h>

#define AT(field) offsetof(sv_params, field)

const sv_method_traits sv_methods[] = {
    [SV_SSD] = {.name = "ssd",
                .help = "sum of squared differences over a window",
                .paper = "Stam 2008",
                .sums_squares = true,
                .matches_rows_alone = true,
                .deviation = 0.25,
                .uses = SV_USES(rho) | SV_USES(rho_y) | SV_USES(prefilter) | SV_USES(steps) | SV_USES(max_cost),
                .defaults = {{AT(rho), 5}, {AT(prefilter), SV_PREFILTER_CONTRAST}}},
    [SV_NCC] = {.name = "ncc",
                .help = "normalised cross-correlation near the disparities of a neighbouring row",
                .paper = "Fan and Dahnoun 2018",
                .correlates = true,
                .deviation = 0.24,
                .uses = SV_USES(rho) | SV_USES(rho_y) | SV_USES(tau) | SV_USES(reseed) | SV_USES(min_correlation),
                .defaults = {{AT(rho), 3}, {AT(reseed), 16}, {AT(left_right_check), 1}}},
    [SV_ZNCC] =
        {.name = "zncc",
         .help = "normalised cross-correlation over the full range",
         .paper = "Taher",
         .correlates = true,
         .matches_rows_alone = true,
         .deviation = 0.24,
         .uses = SV_USES(rho) | SV_USES(rho_y) | SV_USES(min_correlation),
         .defaults = {{AT(rho), 4}, {AT(max_disparity), 64}, {AT(fill), SV_FILL_CROSS}, {AT(weighted_median), 2}}},
    [SV_GFD] = {.name = "gfd",
                .help = "Fourier descriptors of colour and gradient, dynamic programming along each row",
                .paper = "Hallek and others 2019",
                .uses_colour = true,
                .deviation = 0.30,
                .uses = SV_USES(rho) | SV_USES(prefilter) | SV_USES(alpha) | SV_USES(lambda) | SV_USES(aggregate),
                .defaults = {{AT(rho), 1},
                             {AT(prefilter), SV_PREFILTER_EXPOSURE},
                             {AT(subpixel), 0},
                             {AT(left_right_check), 1},
                             {AT(speckle_size), 0},
                             {AT(median), 0},
                             {AT(weighted_median), 5}}},
    [SV_SGM] = {.name = "sgm",
                .help = "semi-global matching of census bits and gradients",
                .paper = "Hirschmueller 2008",
                .fits_lines = true,
                .gives_evidence = true,
                .deviation = 0.25,
                .uses = SV_USES(census) | SV_USES(p1) | SV_USES(p2),
                .defaults = {{AT(speckle_size), 50}, {AT(speckle_range), 2}, {AT(holes), 10}, {AT(median), 3}}},
    [SV_NET] = {.name = "net",
                .help = "a learned model: an ONNX file",
                .paper = "run by ONNX Runtime",
                .uses_colour = true,
                .runs_model = true,
                .uses = SV_USES(model),
                .lacks = SV_USES(subpixel) | SV_USES(uniqueness),
                .defaults = {{AT(left_right_check), -1}, {AT(speckle_size), 0}, {AT(median), 0}}},
};
_Static_assert(sizeof sv_methods / sizeof *sv_methods == SV_METHOD_COUNT, "sv_methods has an entry for every method");
_Static_assert(sizeof(sv_params) / sizeof(int) <= 64, "sv_method_traits.uses has a bit for every field of sv_params");

const char *sv_method_name(int method) {
    return method >= 0 && method < SV_METHOD_COUNT ? sv_methods[method].name : "?";
}

int sv_method_of(const char *name) {
    for (int i = 0; i < SV_METHOD_COUNT; i++)
        if (!strcmp(name, sv_methods[i].name)) return i;
    return -1;
}
