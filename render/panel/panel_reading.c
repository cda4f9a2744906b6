/* What the window reads off the map at the pixel under the mouse: see panel_reading.h. */
#include "render/panel/panel_reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double panel_deviation(const sv_params *params) {
    const int scale = params->scale > 0 ? params->scale : 1;
    const double measured = sv_methods[params->method].deviation, rounding = 1 / sqrt(12);
    return scale * (params->subpixel && measured > 0 ? measured : rounding);
}

int panel_depth_decimals(double depth, double product, double deviation) {
    const double spread = depth * depth / product * deviation;
    if (!(spread > 0)) return 4;
    return (int)fmin(fmax(ceil(-log10(spread) - 1e-9), 0), 4);
}

/* "19.81", "−0.12", with `plus` "+0.06"; what rounds to zero has no sign. */
static void write_number(double value, int decimals, bool plus, char *text, size_t size) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const bool zero = !digits[strspn(digits, "0.")];
    snprintf(text, size, "%s%s", zero ? "" : value < 0 ? "−" : plus ? "+" : "", digits);
}

static panel_value *add(panel_value *values, int *count, const char *name, const char *brief, const char *unit,
                        const char *widest) {
    panel_value *value = &values[(*count)++];
    *value = (panel_value){.name = name, .brief = brief, .unit = unit, .widest = widest};
    return value;
}

/* The two maps of a pixel. */
static float disparity_of(const view_pixel *at, int i) { return i ? at->second_disparity : at->disparity; }
static int reason_of(const view_pixel *at, int i) { return i ? at->second_reason : at->reason; }

/* Z and, of one map alone, X and Y. */
static void add_place(const panel_reading *r, int maps, panel_value *values, int *count) {
    static const char *const names[3] = {"X", "Y", "Z"};
    static const int order[3] = {2, 0, 1};
    const space of = space_of(r->metric, r->metric->width, r->metric->height);
    for (int k = 0; k < (maps > 1 ? 1 : 3); k++) {
        const int axis = order[k];
        panel_value *value = add(values, count, names[axis], names[axis], "m", axis == 2 ? "00.000" : "−0.000");
        for (int i = 0; i < maps; i++) {
            const float d = disparity_of(r->pixel, i);
            double point[3];
            if (!isfinite(d)) continue;
            if (!space_point(&of, r->pixel->x, r->pixel->y, d, point)) {
                snprintf(value->text[i], sizeof value->text[i], axis == 2 ? "∞" : "–");
                continue;
            }
            const double deviation = r->params[i] ? panel_deviation(r->params[i]) : 1 / sqrt(12);
            write_number(point[axis], panel_depth_decimals(point[2], of.unit_depth, deviation), false, value->text[i],
                         sizeof value->text[i]);
        }
    }
}

static void write_shade(const uint8_t shade[3], int channels, char *text, size_t size) {
    if (channels == 3)
        snprintf(text, size, "%d, %d, %d", shade[0], shade[1], shade[2]);
    else
        snprintf(text, size, "%d", shade[0]);
}

static void add_shades(const panel_reading *r, int maps, panel_value *values, int *count) {
    const char *widest = r->channels == 3 ? "000, 000, 000" : "000";
    panel_value *left = add(values, count, r->channels == 3 ? "Left RGB" : "Left grey", "L", "", widest);
    panel_value *right = add(values, count, r->channels == 3 ? "Right RGB" : "Right grey", "R", "", widest);
    write_shade(r->left, r->channels, left->text[0], sizeof left->text[0]);
    for (int i = 0; i < maps; i++)
        if (r->matches[i]) write_shade(r->right[i], r->channels, right->text[i], sizeof right->text[i]);
}

static void add_truth(const panel_reading *r, int maps, panel_value *values, int *count) {
    panel_value *truth = add(values, count, "Truth", "truth", "px", "000.00");
    panel_value *error = add(values, count, "Error", "error", "px", "+00.00");
    write_number(r->truth, 2, false, truth->text[0], sizeof truth->text[0]);
    for (int i = 0; i < maps; i++) {
        const double off = disparity_of(r->pixel, i) - r->truth;
        if (!isfinite(off)) continue;
        write_number(off, 2, true, error->text[i], sizeof error->text[i]);
        error->is_error[i] = fabs(off) > 1;
    }
}

int panel_read(const panel_reading *r, panel_value values[PANEL_MAX_VALUES]) {
    const view_pixel *at = r->pixel;
    int count = 0;
    if (!at) return 0;
    const int maps = at->compared ? 2 : 1;
    snprintf(add(values, &count, "x", "x", "", "0000")->text[0], sizeof values->text[0], "%d", at->x);
    snprintf(add(values, &count, "y", "y", "", "0000")->text[0], sizeof values->text[0], "%d", at->y);
    panel_value *disparity = add(values, &count, "Disparity", "d", "px", "000.00");
    for (int i = 0; i < maps; i++) {
        if (isfinite(disparity_of(at, i)))
            write_number(disparity_of(at, i), 2, false, disparity->text[i], sizeof disparity->text[i]);
        else
            snprintf(disparity->text[i], sizeof disparity->text[i], "none");
    }
    if (r->metric) add_place(r, maps, values, &count);
    if (at->has_confidence) {
        panel_value *sure = add(values, &count, "Confidence", "conf.", "", "000");
        snprintf(sure->text[0], sizeof sure->text[0], "%d", at->confidence);
        if (maps > 1) snprintf(sure->text[1], sizeof sure->text[1], "%d", at->second_confidence);
    }
    if (r->channels) add_shades(r, maps, values, &count);
    if (isfinite(r->truth)) add_truth(r, maps, values, &count);
    if (reason_of(at, 0) || (maps > 1 && reason_of(at, 1))) {
        panel_value *reason = add(values, &count, "Reason", "", "", "");
        for (int i = 0; i < maps; i++)
            snprintf(reason->text[i], sizeof reason->text[i], "%s", sv_reason_name(reason_of(at, i)));
    }
    return count;
}

double panel_truth(const panel_reading *reading) { return reading->pixel ? reading->truth : NAN; }

void panel_describe(const panel_reading *reading, char *text, size_t size) {
    panel_value values[PANEL_MAX_VALUES];
    const int count = panel_read(reading, values);
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < count && used < size; i++)
        if (*values[i].text[0])
            used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s%s", used ? ", " : "", values[i].brief,
                                     *values[i].brief ? " " : "", values[i].text[0], *values[i].unit ? " " : "",
                                     values[i].unit);
}
