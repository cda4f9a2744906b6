/* What is read off the maps in the window: pins and the rectangle, how they differ from the truth and from each other.
 */
#include "app/viewer_parts.h"

#include "render/view_measures.h"
#include "render/view_split.h"

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
    if (measures) view_measure(v->view, copies && leading < copies->count ? &copies->maps[leading] : NULL);
    if (judge_follow(&v->judge, v->view, copies)) viewer_describe_judgement(v);
    while (view_measures_news(v->view, text, sizeof text)) sv_log(SV_LOG_INFO, "%s", text);
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
