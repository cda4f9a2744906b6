/* Whether the matcher keeps up, and what looks wrong, with buttons that cure it. Main thread. */
#ifndef APP_VIEWER_VIEWER_ADVICE_H
#define APP_VIEWER_VIEWER_ADVICE_H

#include "app/play/player.h"
#include "app/play/session.h"
#include "app/viewer/advice.h"
#include "app/viewer/viewer_notice.h"
#include "render/panel/panel_boxes.h"
#include "render/panel/panel_map.h"

/* {0} at first. */
typedef struct viewer_advice {
    advice advice; /* that is shown */
    advice_facts facts;
    unsigned dismissed; /* bit 1 << advice: not to be shown */
    char text[160];
    pace_times times;
    double timed; /* when the last of them was added, by sv_seconds */
    pace pace;
    pace_rates rates; /* that the advice reports, */
    double rates_at;  /* since then, by sv_seconds */
    pace_arrivals arrivals;
    double matched; /* pairs a second */
    bool warned;    /* that the source is faster */
} viewer_advice;

/* How the input is played, and what else is known of it. */
typedef struct viewer_facts {
    const sv_params *params; /* that are edited */
    bool paused, real_time, calibrates;
    double speed;
    const sv_rig_state *state;      /* NULL: not known yet */
    bool aligned, moves_right;      /* as in advice_facts */
    bool silent;                    /* nothing is advised */
    const char *offer, *offer_cure; /* shown in place of an advice; NULL: nothing is */
} viewer_facts;

void viewer_advice_begin(viewer_advice *advice, bool same); /* of a session; `same`: its input is the one before */
void viewer_advice_add_times(viewer_advice *advice, const player_result *result);

/* Updates how fast the source and the matcher are, and returns what is shown of it, pairs a second. Warns once if the
 * matcher falls behind. `matched`: pairs a second that were matched recently, 0: fewer than two. */
double viewer_advice_follow_pace(viewer_advice *advice, const session *session, const viewer_facts *facts,
                                 double matched, viewer_notice *notice, panel_status *status);

/* What looks wrong, after everything else has been updated. */
void viewer_advice_update(viewer_advice *advice, const session *session, const viewer_facts *facts, panel_advice *shown,
                          panel_status *status);

/* What the user does about it: dismisses it, or presses a button, 0 or 1, which sets `cured` and by how many more
 * frames the right side is to be `moved`. Returns what it was. */
void viewer_advice_dismiss(viewer_advice *advice);
advice viewer_advice_cure(viewer_advice *advice, int button, sv_params *cured, int *moved);

#endif
