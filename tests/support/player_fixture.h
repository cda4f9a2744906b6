/* A player with everything that it needs: it plays the rendered scene through a matcher, and each of its results is
 * compared with what a matcher of its own makes of that frame. A check that fails ends the test. */
#ifndef TESTS_SUPPORT_PLAYER_FIXTURE_H
#define TESTS_SUPPORT_PLAYER_FIXTURE_H

#include "app/play/player.h"

#include <time.h>

enum {
    FIXTURE_WIDTH = 48,
    FIXTURE_HEIGHT = 32,
    FIXTURE_FRAMES = 12,
    FIXTURE_GAP_AT = 6,    /* the first frame after the gap of fixture_options */
    FIXTURE_MISSING_AT = 3 /* the first frame that is missing */
};

static const double fixture_interval = 0.04; /* seconds, of the scene's frames */

/* A speed at which no frame but the first of a time table is due before a test gives up. */
static const double fixture_standstill = 1e-3;

static const struct timespec fixture_moment = {.tv_nsec = 1000000}; /* between two looks at what is waited for */

typedef struct player_fixture {
    frame_range range;
    media_colour colour;
    pairing *pairing;
    sv_matcher *matcher;
    stats *stats;
    player *player;
    sv_output slots[SV_OUTPUTS];
} player_fixture;

typedef struct fixture_options {
    bool paced, loop;
    bool pictures;     /* without times of their own; there is no gap then */
    double gap;        /* by which the time stamps jump before the frame FIXTURE_GAP_AT, seconds */
    int missing;       /* how many frames, from FIXTURE_MISSING_AT on, the right side lacks */
    sv_cancel *cancel; /* of the player and its matcher; NULL: none */
} fixture_options;

/* Fails the test with the message of a call that fails. */
#define must(call)                                                                                                     \
    do {                                                                                                               \
        sv_error error = {""};                                                                                         \
        if ((call) != SV_OK) fail_msg("%s: %s", #call, error.text);                                                    \
    } while (0)

sv_params fixture_params(sv_method method); /* a small window, 8 candidates */

/* Ready to play, with no slot lent.
 * Lifetime: the caller closes it with fixture_close. */
void fixture_set_up(player_fixture *t, const sv_backend *backend, sv_params params, fixture_options how);

/* Begins to play as fast as it goes. */
void fixture_open(player_fixture *t, const sv_backend *backend, sv_params params);

void fixture_close(player_fixture *t);

void fixture_lend_all(player_fixture *t);

/* With one slot each result waits until it is taken: none gives way to a newer one. */
void fixture_lend_one(player_fixture *t);

/* The maps, with the confidence if `got` has one, are those of the frame and the parameters; with the temporal filter,
 * after the frames before it. */
void fixture_check_maps(const sv_output *got, int64_t index, const sv_params *params);

/* Checks the pictures, the parameters and the maps of a result, which looks back over as many frames as it says, and
 * gives it back. */
void fixture_check_result(player_fixture *t, player_result *result, const sv_params *params);

/* Releases the pictures of a result and lends its slot again. */
void fixture_give_back(player_fixture *t, player_result *result);

/* Waits for a result, or for that of frame `index`; its slot stays with the caller. */
player_result fixture_take(player_fixture *t);
player_result fixture_await(player_fixture *t, int64_t index);

/* Waits for a result, and checks that it is of `index` with `params`. */
void fixture_expect(player_fixture *t, int64_t index, const sv_params *params);

/* Takes results until the end has come. */
void fixture_play_to_end(player_fixture *t);

#endif
