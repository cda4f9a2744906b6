/* What is read off the maps in the window: pins and the rectangle, how they differ from the truth and from each other.
 */
#include "app/viewer/viewer_parts.h"

#include "map/rectified.h"
#include "render/view/view_measures.h"
#include "render/view/view_split.h"
#include "stereo/pixel.h"

#include <math.h>
#include <string.h>

void viewer_describe_judgement(viewer *v) {
    if (!judge_describe(&v->judge, 0, v->score, sizeof v->score)) *v->score = 0;
    viewer_describe_comparison(v);
}

/* A truth that is being read will be there. */
unsigned viewer_lacks(const viewer *v) {
    return view_lacks(v->view) & ~(v->judge.waits_since > 0 ? VIEW_NEEDS_TRUTH : 0u);
}

void viewer_follow_readings(viewer *v) {
    const bool measures = v->frame >= 0 && view_measures(v->view);
    const int leading = viewer_leading_map(v);
    char text[320];
    judge_take_truth(&v->judge, v->view);
    const copied_maps *copies = measures || judge_waits(&v->judge) ? view_copy_maps(v->view, v->frame) : NULL;
    const char *set = !v->compare.shown ? "" : leading ? "B " : "A ";
    if (measures) view_measure(v->view, copies && leading < copies->count ? &copies->maps[leading] : NULL, set);
    if (judge_follow(&v->judge, v->view, copies)) viewer_describe_judgement(v);
    while (view_measures_news(v->view, text, sizeof text)) sv_log(SV_LOG_INFO, "%s", text);
}

/* Appends what a picture shows at a pixel, as it is matched: grey or, where the method uses it, colour. */
static void describe_shade(const viewer *v, int side, int x, int y, const char *name, char *text, size_t size) {
    const frame *of = side ? v->pictures.pair.right : v->pictures.pair.left;
    const bool coloured = sv_methods[v->shown.method].uses_colour && of->colour.data;
    const size_t used = strlen(text);
    uint8_t rgb[3];
    rectified_pixel(coloured ? &of->colour : &of->grey, session_rectification(&v->session), side,
                    side ? v->shown.row_shift : 0, x, y, rgb);
    snprintf(text + used, size - used, coloured ? "%s%s %d, %d, %d" : "%s%s %d", used ? "     " : "", name, rgb[0],
             rgb[1], rgb[2]);
}

void viewer_read_shades(viewer *v) {
    const view_pixel *at = v->state.pixel;
    v->state.status.shades = NULL;
    if (!at || !v->pictures.of_map) return;
    const float disparities[2] = {at->disparity, at->second_disparity};
    *v->shades = 0;
    describe_shade(v, 0, at->x, at->y, "left", v->shades, sizeof v->shades);
    for (int i = 0; i <= at->compared; i++) {
        const char *name = !at->compared ? "right" : i ? "right by B" : "right by A";
        if (!isfinite(disparities[i])) continue;
        describe_shade(v, 1, sv_matched_column(at->x, disparities[i], v->state.source.width), at->y, name, v->shades,
                       sizeof v->shades);
    }
    v->state.status.shades = v->shades;
}

void viewer_pin(viewer *v, int x, int y) {
    if (!view_pin(v->view, &v->state.view, panel_picture_area(v->panel, &v->state), x, y))
        viewer_set_notice(v, "no pixel of the map is under the mouse, or there are too many pins");
}

void viewer_write_words(viewer *v, view_rect area) {
    const int most = sizeof v->words / sizeof *v->words;
    const float scale = window_scale(v->window);
    v->state.words = v->words;
    v->state.word_count = view_cloud_words(v->view, &v->drawn, area, 40 * scale, v->words, most);
    int *count = &v->state.word_count;
    *count += view_split_words(v->view, &v->drawn, area, 40 * scale, v->words + *count, most - *count);
    *count += view_measure_words(v->view, &v->drawn, area, 17 * scale, v->words + *count, most - *count);
}
