/* How fast pairs arrive and are matched in the window, and whether the matcher keeps up. Main thread. */
#ifndef APP_VIEWER_VIEWER_PACE_H
#define APP_VIEWER_VIEWER_PACE_H

#include "app/play/pace.h"
#include "app/play/player.h"
#include "app/play/session.h"
#include "app/viewer/viewer_notice.h"
#include "render/panel/panel_map.h"

/* {0} at the beginning of a session. */
typedef struct viewer_pace {
    pace_times times;
    double timed; /* when the last of them was added, by sv_seconds */
    pace pace;
    pace_rates rates; /* that are shown, */
    double rates_at;  /* since then, by sv_seconds */
    pace_arrivals arrivals;
    bool warned; /* that the source is faster */
} viewer_pace;

/* How the input is played. */
typedef struct viewer_playing {
    bool paused, real_time, calibrates;
    double speed;
    int scale; /* of the parameters */
} viewer_playing;

void viewer_pace_add_times(viewer_pace *pace, const player_result *result);

/* Updates how fast the source and the matcher are, and returns the latter, pairs a second. Warns once if the matcher
 * falls behind. `matched`: pairs a second that were matched recently, 0: fewer than two. */
double viewer_pace_follow(viewer_pace *pace, const session *session, const viewer_playing *playing, double matched,
                          viewer_notice *notice, panel_status *status);

#endif
