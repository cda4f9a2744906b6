/* How the maps of one pair by two sets of parameters differ. */
#include "map/compare.h"

#include <math.h>
#include <stdio.h>

sv_status compare_maps(const sv_image *a, const sv_image *b, comparison *result, sv_error *error) {
    if (a->width != b->width || a->height != b->height)
        return sv_fail(error, SV_USAGE, "maps of %d x %d and %d x %d pixels cannot be compared", a->width, a->height,
                       b->width, b->height);
    comparison c = {.pixels = (int64_t)a->width * a->height};
    for (int y = 0; y < a->height; y++) {
        const float *of_a = sv_row(a, y), *of_b = sv_row(b, y);
        for (int x = 0; x < a->width; x++) {
            const bool has_a = isfinite(of_a[x]), has_b = isfinite(of_b[x]);
            c.only[0] += has_a && !has_b;
            c.only[1] += has_b && !has_a;
            if (!has_a || !has_b) continue;
            const double apart = fabs((double)of_a[x] - (double)of_b[x]);
            c.both++;
            c.over1 += apart > 1;
            c.over2 += apart > 2;
        }
    }
    *result = c;
    return SV_OK;
}

static double share(int64_t part, int64_t whole) { return whole ? 100.0 * (double)part / (double)whole : NAN; }

compare_shares compare_shares_of(const comparison *c) {
    return (compare_shares){.both = share(c->both, c->pixels),
                            .only = {share(c->only[0], c->pixels), share(c->only[1], c->pixels)},
                            .over1 = share(c->over1, c->both),
                            .over2 = share(c->over2, c->both)};
}

char *compare_describe(const comparison *c, char *text, size_t size) {
    const compare_shares s = compare_shares_of(c);
    if (!c->both)
        snprintf(text, size, "no pixel has a value in both; only A %.1f %%, only B %.1f %%", s.only[0], s.only[1]);
    else
        snprintf(text, size,
                 "%.1f %% in both: %.1f %% of them differ by over 1 px, %.1f %% by over 2; only A %.1f %%, B %.1f %%",
                 s.both, s.over1, s.over2, s.only[0], s.only[1]);
    return text;
}

double compare_time(const sv_times *times) {
    double ms = 0;
    for (int i = 0; i < SV_STAGE_COUNT; i++) ms += (double)times->ms[i];
    return ms;
}
