/* When a match under way is given up because other parameters wait for it.
 * Thread: any. */
#ifndef APP_PLAY_PATIENCE_H
#define APP_PLAY_PATIENCE_H

#include <stdbool.h>

/* True if the match is given up. It is not if it can be expected to end soon, so that quick ones are shown while a
 * slider moves. `last`: how long the match before it took, infinite if there was none; `begun`: how long ago it began;
 * `waits`: how long the parameters have waited. All in seconds. */
bool patience_ends(double last, double begun, double waits);

#endif
