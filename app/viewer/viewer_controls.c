/* The controls of the cameras in the window. */
#include "app/viewer/viewer_controls.h"

#include <stdio.h>

_Static_assert((int)CONTROLS_MOST == (int)PANEL_MAX_CONTROLS, "the panel shows all controls");

void viewer_controls_begin(viewer_controls *v, const options *o, panel_controls *shown) {
    const char *const *names = o->input.cameras.names;
    const bool swap = o->input.split.swap && names[1];
    *v = (viewer_controls){.shown = shown, .devices = {names[swap], names[!swap]}};
    *shown = (panel_controls){.has_cameras = v->devices[0], .has_two = v->devices[0] && v->devices[1]};
}

/* True if the control of the panel is to be set at that side. */
static bool is_meant(const viewer_controls *v, int side) {
    return v->devices[side] && (!v->shown->side || v->shown->side == 1 + side);
}

static void set(viewer_controls *v) {
    const panel_controls *s = v->shown;
    char setting[CONTROLS_NAME_BYTES + 16];
    sv_error error;
    if (s->changed < 0 || s->changed >= s->count) return;
    snprintf(setting, sizeof setting, "%s=%d", v->each[s->changed].name, s->wanted);
    for (int side = 0; side < 2; side++)
        if (is_meant(v, side) && controls_set(v->devices[side], setting, &error) != SV_OK)
            sv_log(SV_LOG_ERROR, "%s", error.text);
}

void viewer_controls_act(viewer_controls *v, input_action action) {
    sv_error error;
    if (action == INPUT_CAMERA_CONTROL) set(v);
    if (action == INPUT_EQUAL_CAMERAS && v->devices[1] &&
        controls_make_equal(v->devices[0], v->devices[1], &error) != SV_OK)
        sv_log(SV_LOG_ERROR, "%s", error.text);
    if (action == INPUT_EQUAL_CAMERAS) v->asked = 0;
}

void viewer_controls_update(viewer_controls *v) {
    panel_controls *s = v->shown;
    const double now = sv_seconds();
    if (!s->has_cameras || !s->shown || (v->asked > 0 && v->side == s->side && now - v->asked < 1)) return;
    v->asked = now;
    v->side = s->side;
    s->count = controls_list(v->devices[s->side == 2], v->each);
    for (int i = 0; i < s->count; i++) {
        const camera_control *c = &v->each[i];
        s->each[i] = (panel_control){c->name, c->min, c->max, c->value, c->is_switch, c->is_fixed};
    }
}
