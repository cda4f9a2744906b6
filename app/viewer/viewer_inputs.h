/* The inputs of the window: from what is named, dropped or chosen to the options and the open sources of the next
 * session. Main thread. */
#ifndef APP_VIEWER_VIEWER_INPUTS_H
#define APP_VIEWER_VIEWER_INPUTS_H

#include "app/media/drop.h"
#include "app/play/opener.h"
#include "app/play/session.h"
#include "app/viewer/viewer_notice.h"
#include "app/viewer/viewer_opening.h"
#include "app/viewer/viewer_tuner.h"
#include "render/panel/panel_boxes.h"
#include "render/window/window.h"

typedef struct viewer_inputs {
    viewer_notice *notice; /* borrowed, as are the other pointers */
    const viewer_tuner *tuner;
    viewer_opening box; /* shown while the user is asked to name an input */
    opener opener;
    drop drop;
    char looked[1024]; /* the file that waits, once it is looked at whether it holds both views */
    bool got_drop;     /* since viewer_inputs_dropped */
    bool reopened;     /* reopening the previous input after another could not be opened */
    bool asked;        /* the input being opened was named in the box, which comes back on failure */
} viewer_inputs;

/* Begins with the options of the command line as those of the current session, and memory of its backend. */
void viewer_inputs_init(viewer_inputs *inputs, const options *options, pool_memory memory, const viewer_tuner *tuner,
                        viewer_notice *notice, panel_opening *shown);
void viewer_inputs_close(viewer_inputs *inputs);
opening *viewer_inputs_current(viewer_inputs *inputs); /* what the session borrows, or the last one did */
bool viewer_inputs_busy(const viewer_inputs *inputs);  /* another one is being opened */
bool viewer_inputs_looks(const viewer_inputs *inputs); /* a file that waits is looked at, see viewer_inputs_alone */
/* Forgets the file that waits for its other side or, without one, stops asking; false if there was neither. */
bool viewer_inputs_leave(viewer_inputs *inputs);
/* Takes what was dropped onto the window. True if settings are among it, whose path is written. */
bool viewer_inputs_take_drop(viewer_inputs *inputs, window *window, char *settings, size_t size);
void viewer_inputs_take_typed(viewer_inputs *inputs); /* what was typed or chosen counts as dropped, complete */

/* The input that the user wants next. */
typedef struct viewer_wanted {
    request request;
    bool same;            /* it is that of the session, opened otherwise */
    const options *whole; /* as opener_start takes it, or NULL */
} viewer_wanted;
/* What was dropped, for a session that `plays` or not; the file that waits for its other side, alone: each true if
 * there is one. This input with its sides swapped; this input again, with memory of another backend. */
bool viewer_inputs_dropped(viewer_inputs *inputs, bool plays, viewer_wanted *wanted);
bool viewer_inputs_waiting(const viewer_inputs *inputs, viewer_wanted *wanted);
bool viewer_inputs_alone(viewer_inputs *inputs, viewer_wanted *wanted); /* once, and only if it holds both views */
viewer_wanted viewer_inputs_whole(const options *whole);
viewer_wanted viewer_inputs_swapped(const viewer_inputs *inputs);
viewer_wanted viewer_inputs_arranged(const viewer_inputs *inputs, int layout, bool swap); /* this input, as --layout */
viewer_wanted viewer_inputs_with_board(const viewer_inputs *inputs, const char *board);   /* as request.board */
viewer_wanted viewer_inputs_with_metres(const viewer_inputs *inputs, double fov, double baseline); /* as --fov, ... */
viewer_wanted viewer_inputs_again(viewer_inputs *inputs, pool_memory memory);

/* Starts opening an input; the session continues if it `plays`. Not while busy. */
void viewer_inputs_open(viewer_inputs *inputs, const viewer_wanted *wanted, bool plays);

/* True, once, when that has ended, with `status`. If it is SV_OK, viewer_inputs_switch passes what was opened to a new
 * session, which borrows viewer_inputs_current from then on; viewer_inputs_switch_back makes the previous one current
 * again, because the session could not begin. */
bool viewer_inputs_take(viewer_inputs *inputs, sv_status *status, sv_error *error);
void viewer_inputs_switch(viewer_inputs *inputs, session *session);
void viewer_inputs_switch_back(viewer_inputs *inputs);

/* Reports what could not be opened. True if no session `plays` any more, and the previous input, `again`, is to be
 * opened instead. If there was none, a calibration goes on waiting for pictures, unless the fault is its own. */
bool viewer_inputs_failed(viewer_inputs *inputs, bool plays, const sv_error *error, viewer_wanted *again);

/* For every frame: what the panel asks, where no input is open if `empty`. */
void viewer_inputs_update(viewer_inputs *inputs, bool empty);

#endif
