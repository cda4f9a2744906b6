/* What a run needs apart from showing its results: the sources, the calibration, the matcher and the monitor of the
 * rig. The window and the headless run share it. */
#ifndef APP_PLAY_SESSION_H
#define APP_PLAY_SESSION_H

#include "app/calibrate/auto_range.h"
#include "app/calibrate/pair_monitor.h"
#include "app/media/media.h"
#include "stereo/cancel.h"

typedef struct session {
    /* Filled in by the caller. */
    options *options; /* session_open stores the range that it finds there */
    const sv_backend *backend;
    stats *stats;
    media_colour *colour; /* the sides that need colour; borrowed, may change while the session is open */
    sv_cancel cancel;     /* asks the matcher to cancel the match under way */

    /* Filled in by session_open, or by the caller if `pairing` is not NULL; the session then owns both. */
    pairing *pairing; /* NULL if the sources could not be opened */
    /* Empty without --calibration and --align. The second is empty, too, or that of next_matcher. */
    sv_rectification rectifications[2];
    int rectified; /* which one is in use */

    /* Filled in by session_open. */
    sv_matcher *matcher;
    sv_matcher *second;       /* see session_compare */
    sv_matcher *next_matcher; /* see session_prepare, */
    sv_matcher *next_second;  /* and for the second set of parameters, if there is a second matcher */
    rig_moments moments;      /* that were compared before a run without a window */
    pair_monitor *monitor;    /* NULL in a benchmark, which it would slow down */
    char device[128];         /* the matcher's, see sv_backend.probe */
} session;

/* Opens the session, and stores its subject in the statistics.
 * Errors: SV_FAILED, SV_USAGE or SV_NO_DEVICE, with the name of what could not be opened.
 * Lifetime: `session` must stay where it is until session_close, which the caller calls even after an error. */
sv_status session_open(session *session, sv_error *error);

/* The rectification in use, without size and maps if there is none. */
const sv_rectification *session_rectification(const session *session);

/* Creates next_matcher, a matcher with another rectification, and next_second if there is a second one, while the
 * session continues. Only one at a time.
 * Errors: SV_FAILED when out of memory or if the device fails.
 * Lifetime: `rectification` becomes {0}; the session frees it. */
sv_status session_prepare(session *session, sv_rectification *rectification, sv_error *error);

/* Switches to them. Nothing may use the previous matchers and rectification from then on. */
void session_switch(session *session);

/* Creates the second matcher of an open session, for the second set of parameters, unless it exists. It takes as much
 * memory as the first one.
 * Errors: SV_FAILED, e.g. when out of memory; the session continues without it. */
sv_status session_compare(session *session, sv_error *error);

/* Opens the sources of an open session once more, and makes another matcher of that kind on a device, to match other
 * frames at the same time. What was measured and found stays.
 * Errors: those of media_open; SV_FAILED, e.g. when out of memory.
 * Thread: any, while the session is open and neither changes nor is prepared.
 * Lifetime: the caller closes the pairing and destroys the matcher, before the session is closed. */
sv_status session_open_again(const session *session, int device, pairing **pairing, sv_error *error);
sv_status session_add_matcher(const session *session, int device, sv_matcher **matcher, sv_error *error);

/* Destroys the matchers, which waits for the pairs in flight. */
void session_end_matching(session *session);

void session_close(session *session); /* accepts {0} */

/* The most memory that the session's matcher takes for these parameters, see sv_matcher_memory. With CUDA it waits for
 * the device.
 * Errors: those of sv_matcher_memory. */
sv_status session_memory(const session *session, const sv_params *params, sv_footprint *footprint, sv_error *error);

#endif
