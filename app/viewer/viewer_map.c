/* The map on the screen. */
#include "app/viewer/viewer_map.h"

#include "app/play/waiting.h"
#include "map/rectified.h"
#include "render/view/view_measures.h"
#include "stereo/pixel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const source_info *info_of(const viewer_map *m) { return pairing_info(m->session->pairing); }

/* ---- Beginning, ending ------------------------------------------------------------------------ */

sv_status viewer_map_begin(viewer_map *m, const session *s, view *view, sv_error *error) {
    *m = (viewer_map){.session = s, .view = view, .frame = -1, .shown_slot = -1};
    return slots_create(&m->slots, s->backend, s->options->match.device, view, 0, info_of(m)->width, info_of(m)->height,
                        error);
}

void viewer_map_end(viewer_map *m) {
    frame_pair_release(&m->pair);
    map_scores_free(&m->scores);
    slots_destroy(&m->slots);
    *m = (viewer_map){.frame = -1, .shown_slot = -1};
}

/* ---- From the player to the view -------------------------------------------------------------- */

void viewer_map_lend(viewer_map *m, int slot) {
    const sv_output output = slots_lend(&m->slots, slot);
    player_lend(m->player, slot, &output);
}

int viewer_map_take_slot(viewer_map *m) {
    const int slot = m->shown_slot;
    m->shown_slot = -1;
    return slot;
}

static void describe(viewer_map *m) {
    if (!map_scores_describe(&m->scores, 0, m->score, sizeof m->score)) *m->score = 0;
}

sv_status viewer_map_show(viewer_map *m, const player_result *result, sv_error *error) {
    m->shown_slot = result->slot;
    return slots_show(&m->slots, result->slot, result->has_confidence, error);
}

/* The same parameters, but for the disparity range, which may follow the pictures. */
static bool measures_alike(sv_params a, sv_params b) {
    sv_set_found_range(&a, 0, 0);
    sv_set_found_range(&b, 0, 0);
    return !memcmp(&a, &b, sizeof a);
}

static void take_pair(viewer_map *m, frame_pair *pair, bool of_map) {
    frame_pair_release(&m->pair);
    m->pair = *pair;
    m->of_map = of_map;
    m->passed[0] = m->passed[1] = false;
    *pair = (frame_pair){0};
}

void viewer_map_take(viewer_map *m, player_result *result, bool both) {
    const map_scores_case shown = {.maps = both ? 2 : 1,
                                   .frame = result->pair.left->index,
                                   .params = {result->params, result->second_params},
                                   .ms = {compare_time(&result->times), compare_time(&result->second_times)}};
    map_scores_show(&m->scores, &m->session->options->output, m->view, &shown, info_of(m)->width, info_of(m)->height);
    if (!measures_alike(m->params, result->params) || (both && !measures_alike(m->second, result->second_params)))
        view_measure_anew(m->view);
    m->frame = shown.frame;
    m->params = result->params;
    m->second = result->second_params;
    m->averaged = result->averaged;
    m->matcher = result->matcher;
    describe(m);
    take_pair(m, &result->pair, true);
}

static bool lacks_colour(const frame_pair *pair, unsigned needs) {
    return (needs & VIEW_NEEDS_LEFT && !pair->left->colour.data) ||
           (needs & VIEW_NEEDS_RIGHT && !pair->right->colour.data);
}

/* Takes the pair that is being matched if it is the first one, or the same one again, with the colour that it lacked.
 */
static void look_ahead(viewer_map *m, unsigned needs) {
    frame_pair pair = player_matched_pair(m->player);
    const bool first = pair.left && !m->pair.left;
    const bool again =
        pair.left && m->pair.left && pair.left->index == m->pair.left->index && !lacks_colour(&pair, needs);
    if (first || again) take_pair(m, &pair, m->of_map);
    frame_pair_release(&pair);
}

static sv_status pass_pictures(viewer_map *m, unsigned needs, sv_error *error) {
    static const unsigned needed[2] = {VIEW_NEEDS_LEFT, VIEW_NEEDS_RIGHT};
    const frame *const frames[2] = {m->pair.left, m->pair.right};
    for (int i = 0; i < 2 && frames[i]; i++) {
        if (!(needs & needed[i]) || m->passed[i]) continue;
        const sv_image *picture = frame_picture(frames[i]);
        const sv_status status = view_picture(m->view, i, picture, i ? m->params.row_shift : 0, error);
        if (status != SV_OK) return status;
        m->passed[i] = true;
    }
    return SV_OK;
}

sv_status viewer_map_show_pictures(viewer_map *m, const view_settings *settings, bool waits, view_settings *drawn,
                                   sv_error *error) {
    const unsigned needs = view_needs(settings);
    const view_settings last = *drawn;
    if (!m->pair.left || (waits && lacks_colour(&m->pair, needs))) look_ahead(m, needs);
    *drawn = *settings;
    if (m->has_drawn && m->pair.left && waits && lacks_colour(&m->pair, needs)) {
        drawn->layout = last.layout;
        memcpy(drawn->kinds, last.kinds, sizeof drawn->kinds);
    }
    m->has_drawn = true;
    /* The left picture stands for the first map. */
    return pass_pictures(m, view_needs(drawn) | (m->of_map ? 0 : VIEW_NEEDS_LEFT), error);
}

sv_params viewer_map_repeat(const viewer_map *m, const sv_params *params) {
    sv_params repeat = *params;
    if (m->averaged < repeat.temporal) repeat.temporal = m->averaged;
    return repeat;
}

/* ---- What is read off it ---------------------------------------------------------------------- */

bool viewer_map_follow(viewer_map *m, int shows, int leading) {
    const bool measures = m->frame >= 0 && view_measures(m->view);
    map_scores_take_truth(&m->scores, m->view);
    const copied_maps *copies = measures || map_scores_waits(&m->scores) ? view_copy_maps(m->view, m->frame) : NULL;
    const char *set = shows < 2 ? "" : leading ? "B " : "A ";
    if (measures) view_measure(m->view, copies && leading < copies->count ? &copies->maps[leading] : NULL, set);
    const bool judged = map_scores_follow(&m->scores, m->view, copies);
    if (judged) describe(m);
    return judged;
}

bool viewer_map_describe_wait(const viewer_map *m, const sv_params *second, const player_state *player, char *line,
                              size_t size) {
    const double now = sv_seconds();
    return waiting_describe(m->frame < 0 ? NULL : &m->params, second, player, now, line, size) ||
           map_scores_describe_wait(&m->scores, now, line, size);
}

/* A truth that is being read will be there. */
unsigned viewer_map_lacks(const viewer_map *m) {
    return view_lacks(m->view) & ~(m->scores.waits_since > 0 ? VIEW_NEEDS_TRUTH : 0u);
}

/* Writes what a picture shows at a pixel, as it is matched: grey or, where the method uses it, colour. */
static void read_shade(const viewer_map *m, int side, int x, int y, int *channels, uint8_t rgb[3]) {
    const frame *of = side ? m->pair.right : m->pair.left;
    const bool coloured = sv_methods[m->params.method].uses_colour && of->colour.data;
    *channels = coloured ? 3 : 1;
    rectified_pixel(coloured ? &of->colour : frame_grey(of), session_rectification(m->session), side,
                    side ? m->params.row_shift : 0, x, y, rgb);
}

void viewer_map_read(const viewer_map *m, const view_pixel *at, const sv_params *second, panel_reading *reading) {
    const sv_rectification *r = session_rectification(m->session);
    *reading = (panel_reading){.pixel = at,
                               .metric = r->metric ? r : NULL,
                               .params = {&m->params, second},
                               .truth = at ? map_scores_truth_at(&m->scores, at->x, at->y) : NAN};
    if (!at || !m->of_map) return;
    const float disparities[2] = {at->disparity, at->second_disparity};
    read_shade(m, 0, at->x, at->y, &reading->channels, reading->left);
    for (int i = 0; i <= at->compared; i++) {
        reading->matches[i] = isfinite(disparities[i]);
        if (!reading->matches[i]) continue;
        const int x = sv_matched_column(at->x, disparities[i], info_of(m)->width);
        read_shade(m, 1, x, at->y, &reading->channels, reading->right[i]);
    }
}

int viewer_map_words(viewer_map *m, const view_settings *drawn, view_rect area, float scale, const view_word **words) {
    *words = m->words;
    return view_words(m->view, drawn, area, scale, m->words, sizeof m->words / sizeof *m->words);
}
