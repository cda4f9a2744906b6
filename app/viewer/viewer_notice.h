/* What is shown over the picture in one line: for some seconds what the user's action did, or the newest line of the
 * log; and what is more urgent than that. Below, the list of the latest messages. Main thread. */
#ifndef APP_VIEWER_VIEWER_NOTICE_H
#define APP_VIEWER_VIEWER_NOTICE_H

#include "app/play/player.h"
#include "render/panel/panel_boxes.h"
#include "render/window/input.h"

typedef struct viewer_notice {
    const input_keys *keys; /* of the window; borrowed, as is `list` */
    panel_messages *list;
    struct {
        char text[400], file[1024], time[12];
    } kept[PANEL_MOST_MESSAGES]; /* what the list shows */
    int newest;                  /* index of the last one */
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

/* Writes a line of the log in words of the window: a command-line option becomes the button that does it, or is left
 * out. Returns `text`. */
char *viewer_notice_words(const char *line, char *text, size_t size);

/* Adds a message to the list; `file`: what was written, or "". The same text again replaces the last one. */
void viewer_notice_add(viewer_notice *notice, const char *text, const char *file, sv_level level);

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
