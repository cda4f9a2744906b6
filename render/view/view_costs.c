/* The texture of the costs, and their range. */
#include "render/view/view_costs.h"

#include <math.h>

#include "render/view/view_state.h"
#include "render/view/view_texture.h"
#include "render/view/view_units.h"

enum { SAMPLES_X = 64, SAMPLES_Y = 48 }; /* at most this many are used for the range */

/* Finds the range of the colours; without any cost it is empty. */
static void find_range(view_costs *c, const sv_image *costs) {
    float values[SAMPLES_X * SAMPLES_Y];
    const int across = costs->width < SAMPLES_X ? costs->width : SAMPLES_X;
    const int down = costs->height < SAMPLES_Y ? costs->height : SAMPLES_Y;
    int count = 0;
    for (int y = 0; y < down; y++) {
        const float *row = sv_row(costs, (int)((int64_t)y * costs->height / down));
        for (int x = 0; x < across; x++) {
            const float value = row[(int64_t)x * costs->width / across];
            if (isfinite(value)) values[count++] = value;
        }
    }
    c->min = c->max = 0;
    if (count) range_of_values(values, count, &c->min, &c->max);
}

sv_status view_set_costs(view *v, const sv_image *costs, sv_error *error) {
    view_costs *c = &v->costs;
    v->version++;
    if (!costs) {
        glDeleteTextures(1, &c->texture);
        c->texture = 0;
        return SV_OK;
    }
    if (costs->format != SV_FLOAT32) return sv_fail(error, SV_USAGE, "costs that are shown are float32");
    const sv_status status = view_upload_floats(v, costs, "costs", &c->texture, error);
    if (status == SV_OK) find_range(c, costs);
    return status;
}

bool view_costs_range(const view *v, float *min, float *max) {
    *min = v->costs.min;
    *max = v->costs.max;
    return v->costs.texture;
}

GLuint view_costs_texture(const view *v) { return v->costs.texture; }
