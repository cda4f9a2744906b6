/* A player with everything that it needs: it plays the rendered scene through a matcher, and each of its results is
 * compared with what a matcher of its own makes of that frame. A check that fails ends the test. */
#ifndef TESTS_THEATRE_H
#define TESTS_THEATRE_H

#include "app/play/player.h"

#include <time.h>

enum {
    THEATRE_WIDTH = 48,
    THEATRE_HEIGHT = 32,
    THEATRE_FRAMES = 12,
    THEATRE_GAP_AT = 6,    /* the first frame after the gap of theatre_staging */
    THEATRE_MISSING_AT = 3 /* the first frame that is missing */
};

static const double theatre_interval = 0.04; /* seconds, of the scene's frames */

/* A speed at which no frame but the first of a time table is due before a test gives up. */
static const double theatre_standstill = 1e-3;

static const struct timespec theatre_moment = {.tv_nsec = 1000000}; /* between two looks at what is waited for */

typedef struct theatre {
    frame_range range;
    media_colour colour;
    pairing *pairing;
    sv_matcher *matcher;
    stats *stats;
    player *player;
    sv_output slots[SV_OUTPUTS];
} theatre;

typedef struct theatre_staging {
    bool paced, loop;
    bool pictures;     /* without times of their own; there is no gap then */
    double gap;        /* by which the time stamps jump before the frame THEATRE_GAP_AT, seconds */
    int missing;       /* how many frames, from THEATRE_MISSING_AT on, the right side lacks */
    sv_cancel *cancel; /* of the player and its matcher; NULL: none */
} theatre_staging;

/* Fails the test with the message of a call that fails. */
#define must(call)                                                                                                     \
    do {                                                                                                               \
        sv_error error = {""};                                                                                         \
        if ((call) != SV_OK) fail_msg("%s: %s", #call, error.text);                                                    \
    } while (0)

sv_params theatre_params(sv_method method); /* a small window, 8 candidates */

/* Ready to play, with no slot lent.
 * Lifetime: the caller closes it with theatre_close. */
void theatre_set_up(theatre *t, const sv_backend *backend, sv_params params, theatre_staging how);

/* Begins to play as fast as it goes. */
void theatre_open(theatre *t, const sv_backend *backend, sv_params params);

void theatre_close(theatre *t);

void theatre_lend_all(theatre *t);

/* With one slot each result waits until it is taken: none gives way to a newer one. */
void theatre_lend_one(theatre *t);

/* The maps are those of the frame and the parameters. */
void theatre_check_maps(const sv_output *got, int64_t index, const sv_params *params);

/* Checks the pictures, the parameters and the maps of a result, and gives it back. */
void theatre_check_result(theatre *t, player_result *result, const sv_params *params);

/* Releases the pictures of a result and lends its slot again. */
void theatre_give_back(theatre *t, player_result *result);

/* Waits for a result, or for that of frame `index`; its slot stays with the caller. */
player_result theatre_take(theatre *t);
player_result theatre_await(theatre *t, int64_t index);

/* Waits for a result, and checks that it is of `index` with `params`. */
void theatre_expect(theatre *t, int64_t index, const sv_params *params);

/* Takes results until the end has come. */
void theatre_play_to_end(theatre *t);

#endif
