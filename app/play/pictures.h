/* Passes the pictures of the map on the screen to the views that show them, in colour if the run has colour. While they
 * lack it, because they were decoded before it was needed, the previous views stay.
 * Thread: main, with the window's context current. */
#ifndef APP_PLAY_PICTURES_H
#define APP_PLAY_PICTURES_H

#include "app/play/player.h"
#include "render/view/view.h"

/* {0}: none yet. */
typedef struct pictures {
    frame_pair pair;  /* of the map on the screen; before the first one, the pair that is being matched */
    bool of_map;      /* `pair` is that of the map */
    bool passed[2];   /* the view has the left, the right one */
    bool in_colour;   /* pictures are needed in colour, and the views wait for them; may change */
    bool has_drawn;   /* the next two are valid */
    int drawn_layout; /* of the views that are drawn */
    int drawn_kinds[VIEW_MOST];
} pictures;

/* Takes ownership of the pair of the map that is shown from now on; `pair` becomes {0}. */
void pictures_take(pictures *pictures, frame_pair *pair);

/* Passes what the views show of the pair to `view`. `settings`: those that the user wants; `row_shift`: of the map.
 * Writes to `drawn` the settings to draw with, those or, if the pair has no colour yet, with the views as before.
 * Errors: SV_FAILED if OpenGL fails. */
sv_status pictures_show(pictures *pictures, player *player, view *view, const view_settings *settings, int row_shift,
                        view_settings *drawn, sv_error *error);

void pictures_release(pictures *pictures);

#endif
