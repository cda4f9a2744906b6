/* The parameters that the player matches with, and the colour that they and the views need. */
#include "app/viewer/viewer_parts.h"

#include <string.h>

const sv_params *viewer_set(const viewer *v, int which) {
    return which == v->compare.edited ? &v->tuning.now : &v->compare.other.now;
}

bool viewer_calibrates(const viewer *v) { return v->options->calibrate && !v->rig.known; }

sv_params viewer_params_to_match(const viewer *v) {
    sv_params params = *viewer_set(v, 0);
    if (viewer_calibrates(v) && !v->session.next_matcher) params.scale = 4;
    return params;
}

void viewer_send_params(viewer *v) {
    viewer_compare *c = &v->compare;
    tuning_set_scene(&c->other, &v->tuning.now);
    const sv_params params = viewer_params_to_match(v);
    player_set_params(v->player, &params);
    if (c->on) player_compare(v->player, v->session.second, viewer_set(v, 1));
}

void viewer_want_colour(viewer *v) {
    const bool matched = sv_methods[viewer_set(v, 0)->method].uses_colour ||
                         (v->compare.on && sv_methods[viewer_set(v, 1)->method].uses_colour);
    const unsigned needs = v->options->benchmark ? 0 : view_needs(&v->state.view) | VIEW_NEEDS_LEFT;
    const bool right = matched || needs & VIEW_NEEDS_RIGHT, left = right || needs & VIEW_NEEDS_LEFT;
    const bool had_left = atomic_exchange(&v->session.colour->left, left);
    const bool had_right = atomic_exchange(&v->session.colour->right, right);
    const bool more = (left && !had_left) || (right && !had_right);
    if (more && !matched && v->player && v->state.playback.paused) viewer_send_params(v);
}

void viewer_follow_tuning(viewer *v) {
    v->state.params.wants = false;
    if (!memcmp(&v->tuning.now, &v->passed, sizeof v->passed)) return;
    v->passed = v->tuning.now;
    if (!v->player) return;
    viewer_want_colour(v);
    viewer_send_params(v);
}
