/* Comparing two sets of parameters in the window: B's maps next to those of A. The sets themselves are viewer_tuner's.
 * Main thread. */
#ifndef APP_VIEWER_VIEWER_COMPARE_H
#define APP_VIEWER_VIEWER_COMPARE_H

#include "app/play/player.h"
#include "app/play/session.h"
#include "app/play/slots.h"
#include "app/viewer/map_scores.h"
#include "app/viewer/viewer_notice.h"
#include "app/viewer/viewer_tuner.h"
#include "render/panel/panel_map.h"
#include "render/panel/panel_run.h"

typedef struct viewer_compare {
    viewer_tuner *tuner; /* borrowed, as are the other pointers */
    viewer_notice *notice;
    session *session; /* NULL while there is none */
    view *view;
    player *player;
    slots slots; /* of B's maps; {0} until they are needed */
    bool shown;  /* the map on the screen has a B, matched with these: */
    sv_params params;
    double blinks_since; /* when they began to take turns, by sv_seconds; 0: they do not */
    char sets[2][384], difference[192];
} viewer_compare;

void viewer_compare_init(viewer_compare *compare, viewer_tuner *tuner, viewer_notice *notice);

/* For a session that has begun; matches with B, too, if the tuner has one in use. */
void viewer_compare_begin(viewer_compare *compare, session *session, view *view, player *player);
void viewer_compare_end(viewer_compare *compare);

/* Begins to match each pair with B: `b`, or NULL: as it was left; if that fails, the log says why. */
void viewer_compare_start(viewer_compare *compare, const sv_params *b);
void viewer_compare_toggle(viewer_compare *compare);
void viewer_compare_edit(viewer_compare *compare); /* edits the other set */
void viewer_compare_blink(viewer_compare *compare);

/* Lends B's output of a slot to the player, if there is a B: before A's. */
void viewer_compare_lend(viewer_compare *compare, int slot);

/* Shows B of a result, if there is one. */
sv_status viewer_compare_show(viewer_compare *compare, const player_result *result, sv_error *error);

/* The parameters of the B that is shown; NULL: none is. */
const sv_params *viewer_compare_shown(const viewer_compare *compare);

/* Whose numbers are shown: 1 if B is shown alone, else 0. `compared`: as in view_settings. */
int viewer_compare_leading(const viewer_compare *compare, int compared);

/* Describes the maps that were scored last, for the panel and the statistics of the run. */
void viewer_compare_describe(viewer_compare *compare, const map_scores *scores, panel_compare *shown,
                             panel_status *status);

/* For every frame that is drawn, before it is: what the panel shows; reports if B cannot be matched. */
void viewer_compare_update(viewer_compare *compare, panel_compare *shown);

/* Whether they take turns, as long as the key is `held`; then `compared` becomes the one whose turn it is. */
bool viewer_compare_blinks(const viewer_compare *compare);
bool viewer_compare_take_turns(viewer_compare *compare, bool held, int *compared);

#endif
