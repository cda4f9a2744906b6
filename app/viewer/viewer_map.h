/* The map on the screen: takes it from the player to the views, and reads off it what the user asks for: pins and the
 * rectangle, how it differs from the truth, the values under the mouse. Main thread. */
#ifndef APP_VIEWER_VIEWER_MAP_H
#define APP_VIEWER_VIEWER_MAP_H

#include "app/play/player.h"
#include "app/play/session.h"
#include "app/play/slots.h"
#include "app/viewer/map_scores.h"
#include "render/panel/panel_reading.h"
#include "render/view/view.h"

typedef struct viewer_map {
    const session *session; /* borrowed, as are view and player */
    view *view;
    player *player; /* set once it is open */
    slots slots;
    int shown_slot;            /* OpenGL may still read it: it is lent again after the next swap; -1: none */
    int64_t frame;             /* of the map, -1 before the first */
    sv_params params;          /* of the map, */
    sv_params second;          /* and of B */
    int averaged;              /* see player_result */
    const sv_matcher *matcher; /* that made it */
    frame_pair pair;           /* of the map; before the first one, the pair that is being matched; {0}: neither yet */
    bool of_map;               /* `pair` is that of the map */
    bool passed[2];            /* the view has the left, the right picture of it */
    bool has_drawn;            /* viewer_map_show_pictures has chosen views before */
    map_scores scores;
    char score[160];      /* in words; "" if it is not known */
    view_word words[192]; /* in the picture */
} viewer_map;

/* Begins with the slots of a view, before there is a player.
 * Errors: those of slots_create. */
sv_status viewer_map_begin(viewer_map *map, const session *session, view *view, sv_error *error);
void viewer_map_end(viewer_map *map); /* after the player; accepts {0} */

void viewer_map_lend(viewer_map *map, int slot); /* to the player */

/* The slot that was shown and can be lent again, once; -1: none. A buffer that is lent right after it was shown would
 * be waited for until it has been drawn from. */
int viewer_map_take_slot(viewer_map *map);

/* Shows the map A of a result; then takes it, whose pair becomes {0}. `both`: its B is shown, too. */
sv_status viewer_map_show(viewer_map *map, const player_result *result, sv_error *error);
void viewer_map_take(viewer_map *map, player_result *result, bool both);

/* Passes what the views show of the pair to the view. `settings`: those that the user wants. Writes to `drawn`, which
 * keeps what was drawn last, the settings to draw with: those or, if the pair lacks colour because it was decoded
 * before that was needed, with the layout and the views as before. `waits`: for that colour. Errors: SV_FAILED if
 * OpenGL fails. */
sv_status viewer_map_show_pictures(viewer_map *map, const view_settings *settings, bool waits, view_settings *drawn,
                                   sv_error *error);

/* `params`, those of A or B, with the `temporal` by which another run makes this map: see player_result.averaged. */
sv_params viewer_map_repeat(const viewer_map *map, const sv_params *params);

/* Writes a line about what takes long: the match under way, or reading the truth. `second`: the parameters of the B
 * that is shown, NULL: none. False if there is nothing to say. */
bool viewer_map_describe_wait(const viewer_map *map, const sv_params *second, const player_state *player, char *line,
                              size_t size);

/* Measures and scores the map, if that is wanted. `shows`: how many maps are shown, `leading`: whose numbers are. True
 * if the scores are new. */
bool viewer_map_follow(viewer_map *map, int shows, int leading);

unsigned viewer_map_lacks(const viewer_map *map); /* VIEW_NEEDS_... of kinds of views that are not offered */

/* Reads all that is known of a pixel, NULL: of none. `second`: the parameters of the B that is shown, NULL: none. */
void viewer_map_read(const viewer_map *map, const view_pixel *at, const sv_params *second, panel_reading *reading);

/* What is written into the picture, drawn in `area`. Returns how many words there are. */
int viewer_map_words(viewer_map *map, const view_settings *drawn, view_rect area, float scale, const view_word **words);

#endif
