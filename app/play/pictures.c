/* Passes the pictures of the map on the screen to the views. */
#include "app/play/pictures.h"

#include <string.h>

static void replace(pictures *p, frame_pair *pair, bool of_map) {
    frame_pair_release(&p->pair);
    p->pair = *pair;
    p->of_map = of_map;
    p->passed[0] = p->passed[1] = false;
    *pair = (frame_pair){0};
}

void pictures_take(pictures *p, frame_pair *pair) { replace(p, pair, true); }

void pictures_release(pictures *p) { frame_pair_release(&p->pair); }

static const unsigned needed[2] = {VIEW_NEEDS_LEFT, VIEW_NEEDS_RIGHT};

static bool lacks_colour(const frame_pair *pair, unsigned needs) {
    return (needs & VIEW_NEEDS_LEFT && !pair->left->colour.data) ||
           (needs & VIEW_NEEDS_RIGHT && !pair->right->colour.data);
}

/* Takes the pair that is being matched if it is the first one, or the same one again, with the colour that it lacked.
 */
static void look_ahead(pictures *p, player *player, unsigned needs) {
    frame_pair pair = player_matched_pair(player);
    const bool first = pair.left && !p->pair.left;
    const bool again =
        pair.left && p->pair.left && pair.left->index == p->pair.left->index && !lacks_colour(&pair, needs);
    if (first || again) replace(p, &pair, p->of_map);
    frame_pair_release(&pair);
}

static sv_status pass(pictures *p, view *view, unsigned needs, int row_shift, sv_error *error) {
    const frame *const frames[2] = {p->pair.left, p->pair.right};
    for (int i = 0; i < 2 && frames[i]; i++) {
        if (!(needs & needed[i]) || p->passed[i]) continue;
        const sv_image *picture = frame_picture(frames[i]);
        const sv_status status = view_picture(view, i, picture, i ? row_shift : 0, error);
        if (status != SV_OK) return status;
        p->passed[i] = true;
    }
    return SV_OK;
}

sv_status pictures_show(pictures *p, player *player, view *view, const view_settings *settings, int row_shift,
                        view_settings *drawn, sv_error *error) {
    const unsigned needs = view_needs(settings);
    if (!p->pair.left || (p->in_colour && lacks_colour(&p->pair, needs))) look_ahead(p, player, needs);
    if (!p->has_drawn || !p->pair.left || !p->in_colour || !lacks_colour(&p->pair, needs)) {
        p->drawn_layout = settings->layout;
        memcpy(p->drawn_kinds, settings->kinds, sizeof p->drawn_kinds);
        p->has_drawn = true;
    }
    *drawn = *settings;
    drawn->layout = p->drawn_layout;
    memcpy(drawn->kinds, p->drawn_kinds, sizeof drawn->kinds);
    /* The left picture stands for the first map. */
    return pass(p, view, view_needs(drawn) | (p->of_map ? 0 : VIEW_NEEDS_LEFT), row_shift, error);
}
