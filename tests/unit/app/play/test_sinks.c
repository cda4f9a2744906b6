/* Sinks beyond what the player's tests show: maps with padded rows, waiting for a slow sink, limits and refusals. */
#include "app/play/sinks.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { WIDTH = 7, HEIGHT = 3, PADDING = 5 };

/* Maps with padded rows; every value says which pair, row and column it belongs to. */
static float disparities[HEIGHT][WIDTH + PADDING];
static uint8_t reasons[HEIGHT][WIDTH + PADDING];
static const sv_output maps = {
    .disparity = {disparities, sizeof disparities[0], WIDTH, HEIGHT, SV_FLOAT32, SV_HOST},
    .reason = {reasons, sizeof reasons[0], WIDTH, HEIGHT, SV_REASON8, SV_HOST},
};

static float value_at(int64_t pair, int x, int y) { return (float)(100 * pair + 10 * y + x); }

static void fill_maps(int64_t pair) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH + PADDING; x++) {
            disparities[y][x] = value_at(pair, x, y);
            reasons[y][x] = (uint8_t)(int)value_at(pair, x, y);
        }
}

/* A sink that works only while its gate is open. */
typedef struct gated {
    atomic_bool open;
    int64_t used, wrong;
} gated;

static const struct timespec moment = {.tv_nsec = 1000000};

static sv_status use(void *of, const frame *left, const sv_output *got, sv_error *error) {
    gated *g = of;
    (void)error;
    while (!atomic_load(&g->open)) nanosleep(&moment, NULL);
    g->wrong += left->index != 1000 + g->used || got->disparity.width != WIDTH || got->disparity.height != HEIGHT;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            g->wrong += ((float *)sv_row(&got->disparity, y))[x] != value_at(g->used, x, y) ||
                        ((uint8_t *)sv_row(&got->reason, y))[x] != (uint8_t)(int)value_at(g->used, x, y);
    g->used++;
    return SV_OK;
}

/* SINKS_DEPTH pairs are accepted while the sink stands, and are copies; closing waits until all have been used. */
TEST(closing_waits_for_what_was_given) {
    gated g = {.open = false};
    sinks *all = sinks_open();
    sv_error error = {""};
    sinks_add(all, use, &g);
    frame lefts[SINKS_DEPTH];
    for (int i = 0; i < SINKS_DEPTH; i++) {
        fill_maps(i);
        lefts[i] = (frame){.index = 1000 + i, .references = 1};
        assert_int_equal(sinks_give(all, &lefts[i], &maps, &error), SV_OK);
    }
    fill_maps(99);
    atomic_store(&g.open, true);
    assert_int_equal(sinks_close(all, &error), SV_OK);
    assert_int_equal(g.used, SINKS_DEPTH);
    assert_int_equal(g.wrong, 0);
    for (int i = 0; i < SINKS_DEPTH; i++) assert_int_equal(lefts[i].references, 1);
}

static atomic_bool returned; /* the call that must wait has not waited */

/* Opens the gate once that call has had the time to go wrong. */
static void *open_late(void *of) {
    gated *g = of;
    for (int i = 0; i < 100 && !atomic_load(&returned); i++) nanosleep(&moment, NULL);
    atomic_store(&g->open, true);
    return NULL;
}

/* The maps of a sink that is at work stay as they are, however many pairs are given meanwhile. */
TEST(giving_waits_for_a_slow_sink) {
    enum { PAIRS = 3 * SINKS_DEPTH };
    gated slow = {.open = false}, quick = {.open = true};
    sinks *all = sinks_open();
    pthread_t opener;
    sv_error error = {""};
    frame lefts[PAIRS];
    atomic_store(&returned, false);
    sinks_add(all, use, &quick);
    sinks_add(all, use, &slow);
    for (int i = 0; i < PAIRS; i++) {
        fill_maps(i);
        lefts[i] = (frame){.index = 1000 + i, .references = 1};
        if (i == SINKS_DEPTH) assert_int_equal(pthread_create(&opener, NULL, open_late, &slow), 0);
        assert_int_equal(sinks_give(all, &lefts[i], &maps, &error), SV_OK);
        if (i == SINKS_DEPTH) atomic_store(&returned, true);
    }
    assert_int_equal(pthread_join(opener, NULL), 0);
    assert_int_equal(sinks_close(all, &error), SV_OK);
    assert_true(slow.used == PAIRS && quick.used == PAIRS);
    assert_true(slow.wrong == 0 && quick.wrong == 0);
}
