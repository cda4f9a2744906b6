/* Snapshots: what is written is what was given, whatever the window does meanwhile. */
#include "app/play/maps.h"
#include "app/viewer/snapshot.h"
#include "tests/support/player_fixture.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The writing thread, held in the log after its first snapshot ------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_held, is_released;

static void hold(sv_level level, const char *line) {
    if (level < SV_LOG_INFO) fprintf(stderr, "%s\n", line);
    pthread_mutex_lock(&lock);
    is_held = true;
    pthread_cond_broadcast(&changed);
    while (!is_released) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void wait_until_held(void) {
    pthread_mutex_lock(&lock);
    while (!is_held) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void release(void) {
    pthread_mutex_lock(&lock);
    is_released = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* ---- Snapshots ---------------------------------------------------------------------------------- */

/* One of the newest result of a player. */
static snapshot snapshot_of(player_fixture *t, const options *options, const sv_rig *rig, const char *note) {
    player_result result = fixture_take(t);
    snapshot shot = {.seen = {NULL, 16, 4, 4, SV_COLOUR8, SV_HOST},
                     .pair = {frame_retain(result.pair.left), frame_retain(result.pair.right)},
                     .params = result.params,
                     .view = view_default(),
                     .inputs = "scene",
                     .frames = {.first = result.pair.left->index, .end = result.pair.left->index + 1},
                     .options = *options,
                     .has_rig = rig != NULL};
    if (rig) shot.rig = *rig;
    snprintf(shot.note, sizeof shot.note, "%s", note);
    shot.seen.data = calloc(4, 16);
    must(maps_alloc(&sv_cpu, FIXTURE_WIDTH, FIXTURE_HEIGHT, false, &shot.maps, &error));
    fixture_give_back(t, &result);
    return shot;
}

/* The frames of the snapshots that were given: the player may be one ahead. */
static int given[2];

/* Gives two snapshots and, while the first one is being written, changes what they were made of. */
static void give_two(options *options, sv_rig *rig, const char *note) {
    player_fixture t;
    is_held = is_released = false;
    sv_set_log(hold);
    fixture_open(&t, &sv_cpu, fixture_params(SV_SSD));
    snapshots *snapshots = snapshots_open();
    for (int i = 0; i < 2; i++) {
        snapshot shot = snapshot_of(&t, options, rig, note);
        given[i] = (int)shot.frames.first;
        assert_true(snapshots_give(snapshots, &shot));
        if (!i) wait_until_held();
    }
    options->rig.calibration = "other.yaml";
    if (rig) rig->translation[0] = -0.5;
    release();
    snapshots_close(snapshots);
    fixture_close(&t);
    sv_set_log(NULL);
}

TEST(the_options_may_change_at_once) {
    options options = {.input.synthetic_width = FIXTURE_WIDTH,
                       .input.synthetic_height = FIXTURE_HEIGHT,
                       .rig.calibration = "/first.yaml",
                       .output.snapshots = scratch_path("options")};
    give_two(&options, NULL, "");
    for (int i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "options/stereoview_%06d.yaml", given[i]);
        assert_has(scratch_read(scratch_path(name), NULL), "calibration: \"/first.yaml\"");
    }
}

TEST(the_rig_may_change_at_once) {
    options options = {.input.synthetic_width = FIXTURE_WIDTH,
                       .input.synthetic_height = FIXTURE_HEIGHT,
                       .output.snapshots = scratch_path("rigs")};
    sv_rig rig = {.translation = {-0.125, 0, 0}, .metric = true};
    for (int i = 0; i < 3; i++) rig.rotation[i][i] = 1;
    for (int i = 0; i < 2; i++)
        rig.cameras[i] = (sv_camera){.width = FIXTURE_WIDTH, .height = FIXTURE_HEIGHT, .fx = 40, .fy = 40};
    give_two(&options, &rig, "aligned in a test");
    for (int i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "rigs/stereoview_%06d.calibration.yaml", given[i]);
        const char *text = scratch_read(scratch_path(name), NULL);
        assert_has(text, "0.125");
        assert_has(text, "aligned in a test");
    }
}

FIXTURES(scratch_setup, scratch_teardown)
