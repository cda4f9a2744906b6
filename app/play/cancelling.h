/* When a match under way is cancelled because other parameters wait for it.
 * Thread: any. */
#ifndef APP_PLAY_CANCELLING_H
#define APP_PLAY_CANCELLING_H

#include <stdbool.h>

/* True if the match is to be cancelled. It is not if it can be expected to end soon, so that quick ones are shown while
 * a slider moves. `last`: how long the match before it took, infinite if there was none; `begun`: how long ago it
 * began; `waits`: how long the parameters have waited. All in seconds. */
bool cancelling_is_due(double last, double begun, double waits);

#endif
