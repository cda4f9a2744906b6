/* Opens the sources of the next session in a thread of its own, while the window stays responsive: a server may take
 * seconds to answer. */
#ifndef APP_PLAY_OPENER_H
#define APP_PLAY_OPENER_H

#include "app/media/media.h"
#include "app/options/request.h"

#include <pthread.h>

/* What a session borrows while it is open. */
typedef struct opening {
    request request;
    options options;
    media_colour colour;
} opening;

typedef struct opener {
    opening each[2];
    int current; /* each[current] is that of the session that is open, or was the last one */
    bool busy;   /* a thread opens the other one, or has done so and opener_take has not returned it */
    atomic_bool done;
    bool same;             /* as in opener_start: it is the input of the current session, opened otherwise */
    atomic_bool abandoned; /* the result is not wanted any more */
    pthread_t thread;
    pool_memory memory;
    void (*news)(void);
    /* The thread's results: */
    sv_status status;
    sv_error error;
    bool has_sources; /* they are open; an error is about the calibration */
    pairing *pairing;
    sv_rectification rectification;
} opener;

/* Begins with the options of the command line as those of the current session. `news`: called by the thread when it has
 * ended. */
void opener_init(opener *opener, const options *options, pool_memory memory, void (*news)(void));

/* Begins to open what the request names, with the options of the current session for the rest. `same`: as for
 * request_options. `whole`: all options, of which the request names the source; NULL: those of the session. `params`:
 * of the session. Not while it is busy.
 * Lifetime: what the source in `whole` points to may be freed after the call. */
void opener_start(opener *opener, const request *request, bool same, const options *whole, const sv_params *params);

/* True, once, when the thread has ended: `status` and `error` are valid and, with SV_OK, `pairing` and `rectification`,
 * which are the caller's. */
bool opener_take(opener *opener);

/* Closes what opener_take has returned, which is not wanted. */
void opener_discard(opener *opener);

/* Cancels what is being opened, and closes what has been opened. Accepts {0}. */
void opener_close(opener *opener);

#endif
