/* Reports what the window waits for. */
#ifndef APP_PLAY_WAITING_H
#define APP_PLAY_WAITING_H

#include "app/play/player.h"

/* Writes a line about the match under way: before the first map, and whenever its parameters are not those of the map
 * that is shown. `shown`: the parameters of that map, NULL before the first; `second`: those of its B, NULL if it has
 * none; `now`: sv_seconds(). False if there is nothing to report, e.g. while matches are fast. */
bool waiting_describe(const sv_params *shown, const sv_params *second, const player_state *player, double now,
                      char *line, size_t size);

#endif
