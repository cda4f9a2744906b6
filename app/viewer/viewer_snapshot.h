/* Snapshots of the window: what has just been drawn, and all that belongs to it. Main thread. */
#ifndef APP_VIEWER_VIEWER_SNAPSHOT_H
#define APP_VIEWER_VIEWER_SNAPSHOT_H

#include "app/viewer/snapshot.h"
#include "render/view/view.h"

/* Reads what is on the screen, which has just been drawn in `area`, and the map A (`which` 0) or B (1) of `view`, and
 * gives them to be written. `of`: all else that it says; the frames of `pair` are retained. What goes wrong is in the
 * log. */
void viewer_snapshot_take(snapshots *snapshots, view *view, view_rect area, int which, const frame_pair *pair,
                          const snapshot *of);

#endif
