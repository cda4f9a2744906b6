/* What is read off the map in the window: pins and the rectangle. */
#include "app/viewer_parts.h"

#include "render/view_measures.h"
#include "render/view_split.h"

void viewer_follow_readings(viewer *v) {
    char text[320];
    if (v->frame >= 0 && view_measures(v->view))
        view_measure(v->view, view_copy_map(v->view, viewer_leading_map(v), v->frame));
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
