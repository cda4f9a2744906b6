/* Two maps of one pair in the views: A and B, side by side at a line, or one of them.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_SPLIT_H
#define RENDER_VIEW_VIEW_SPLIT_H

#include "render/view/view_cloud.h"

/* The letters that show which map each view shows, at most `most`, for the settings and the area that were drawn; none
 * while there is one map. `apart`: framebuffer pixels, more than the height of a letter. Returns how many there are. */
int view_split_words(const view *view, const view_settings *settings, view_rect area, float apart, view_word *list,
                     int most);

#endif
