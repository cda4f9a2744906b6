/* What is shown over the picture in one line: for some seconds what the user's action did, or the newest line of the
 * log; and what is more urgent than that. Main thread. */
#ifndef APP_VIEWER_VIEWER_NOTICE_H
#define APP_VIEWER_VIEWER_NOTICE_H

#include "app/play/player.h"
#include "app/viewer/messages.h"
#include "render/panel/panel_boxes.h"
#include "render/window/input.h"

typedef struct viewer_notice {
    const input_keys *keys; /* of the window; borrowed, as is `list` */
    panel_messages *list;
    messages messages;
    char text[512], trouble[512], logged[512];
    double until; /* by sv_seconds */
    bool is_error;
    unsigned lines; /* of the log, that were seen */
} viewer_notice;

void viewer_notice_toggle_list(viewer_notice *notice);
bool viewer_notice_close_list(viewer_notice *notice); /* false if it was not shown */
void viewer_notice_set(viewer_notice *notice, const char *format, ...) SV_PRINTF(2, 3);

/* What triggers an action, for a message: its keys, or "a button" if the user has left it without any. */
const char *viewer_notice_keys(const viewer_notice *notice, input_action action);
const char *viewer_notice_own_keys(const viewer_notice *notice, input_action action); /* "" without any */

/* Makes the newest line of the log the notice, unless it was seen; sees it without that. */
void viewer_notice_follow_log(viewer_notice *notice);
void viewer_notice_skip_log(viewer_notice *notice);

/* Shows the notice alone, while no input is open. */
void viewer_notice_show(const viewer_notice *notice, panel_message *message);

/* Shows the most urgent of what there is. `waits`: what takes long, `recorded`: what is being recorded; NULL: nothing.
 * An error is not kept back until a slow match has ended. */
void viewer_notice_choose(viewer_notice *notice, pairing *pairing, player_state *player, const char *waits,
                          const char *recorded, panel_message *message);

#endif
