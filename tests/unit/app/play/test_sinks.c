/* Sinks beyond what the runs show: which maps are lent, waiting for a slow sink, several pairs at once. */
#include "app/play/sinks.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 7, HEIGHT = 3, IN_FLIGHT = 2, MOST = IN_FLIGHT + SINKS_DEPTH + SINKS_THREADS };

static float value_at(int64_t pair, int x, int y) { return (float)(100 * pair + 10 * y + x); }

/* Every value says which pair, row and column it belongs to. */
static void fill_maps(const sv_output *maps, int64_t pair) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            ((float *)sv_row(&maps->disparity, y))[x] = value_at(pair, x, y);
            ((uint8_t *)sv_row(&maps->reason, y))[x] = (uint8_t)(int)value_at(pair, x, y);
        }
}

/* A sink that works only while its gate is open. */
typedef struct gated {
    atomic_bool open;
    bool unordered;
    atomic_int used, wrong, inside, most_inside;
    atomic_int times[4 * MOST]; /* that each pair was used */
} gated;

static const struct timespec moment = {.tv_nsec = 1000000};

static sv_status use(void *of, const frame *left, const sv_output *got, sv_error *error) {
    gated *g = of;
    const int64_t pair = left->index - 1000;
    const int inside = atomic_fetch_add(&g->inside, 1) + 1;
    (void)error;
    if (inside > atomic_load(&g->most_inside)) atomic_store(&g->most_inside, inside);
    while (!atomic_load(&g->open)) nanosleep(&moment, NULL);
    g->wrong += !g->unordered && pair != g->used;
    g->wrong += got->disparity.width != WIDTH || got->disparity.height != HEIGHT;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            g->wrong += ((float *)sv_row(&got->disparity, y))[x] != value_at(pair, x, y) ||
                        ((uint8_t *)sv_row(&got->reason, y))[x] != (uint8_t)(int)value_at(pair, x, y);
    g->times[pair]++;
    g->used++;
    atomic_fetch_sub(&g->inside, 1);
    return SV_OK;
}

static sinks *open_sinks(bool has_confidence) { return sinks_open(&sv_cpu, WIDTH, HEIGHT, has_confidence, IN_FLIGHT); }

/* Takes maps, fills them as those of this pair and gives them. */
static void give(sinks *all, frame *left, int pair) {
    sv_output maps;
    sv_error error;
    if (sinks_take(all, &maps, &error) != SV_OK) fail_msg("%s", error.text);
    fill_maps(&maps, pair);
    *left = (frame){.index = 1000 + pair, .references = 1};
    sinks_give(all, left, &maps);
}

TEST(finishing_waits_for_what_was_given) {
    gated g = {.open = false};
    sinks *all = open_sinks(false);
    sv_error error = {""};
    frame lefts[SINKS_DEPTH];
    sinks_add(all, use, &g, false);
    for (int i = 0; i < SINKS_DEPTH; i++) give(all, &lefts[i], i);
    assert_true(lefts[SINKS_DEPTH - 1].references == 2);
    atomic_store(&g.open, true);
    assert_int_equal(sinks_finish(all, &error), SV_OK);
    assert_int_equal(g.used, SINKS_DEPTH);
    assert_int_equal(g.wrong, 0);
    for (int i = 0; i < SINKS_DEPTH; i++) assert_int_equal(lefts[i].references, 1);
    sinks_close(all);
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
TEST(taking_waits_for_a_slow_sink) {
    enum { PAIRS = 3 * MOST };
    static gated slow = {.open = false}, quick = {.open = true};
    sinks *all = open_sinks(false);
    pthread_t opener;
    sv_error error = {""};
    static frame lefts[PAIRS];
    atomic_store(&returned, false);
    sinks_add(all, use, &quick, false);
    sinks_add(all, use, &slow, false);
    for (int i = 0; i < PAIRS; i++) {
        if (i == MOST) assert_int_equal(pthread_create(&opener, NULL, open_late, &slow), 0);
        give(all, &lefts[i], i);
        if (i == MOST) atomic_store(&returned, true);
        if (i == MOST) assert_true(atomic_load(&slow.open));
    }
    assert_int_equal(pthread_join(opener, NULL), 0);
    assert_int_equal(sinks_finish(all, &error), SV_OK);
    sinks_close(all);
    assert_true(slow.used == PAIRS && quick.used == PAIRS);
    assert_true(slow.wrong == 0 && quick.wrong == 0);
}

/* A sink that may work on several pairs does so, and uses each once. */
TEST(several_pairs_at_once) {
    enum { PAIRS = 2 * MOST };
    static gated g = {.open = false, .unordered = true};
    sinks *all = open_sinks(false);
    pthread_t opener;
    sv_error error = {""};
    static frame lefts[PAIRS];
    const bool parallel = sysconf(_SC_NPROCESSORS_ONLN) > 1;
    sinks_add(all, use, &g, true);
    for (int i = 0; i < MOST; i++) give(all, &lefts[i], i);
    for (int i = 0; i < 10000 && parallel && atomic_load(&g.inside) < 2; i++) nanosleep(&moment, NULL);
    assert_int_equal(pthread_create(&opener, NULL, open_late, &g), 0);
    for (int i = MOST; i < PAIRS; i++) give(all, &lefts[i], i);
    assert_int_equal(pthread_join(opener, NULL), 0);
    assert_int_equal(sinks_finish(all, &error), SV_OK);
    sinks_close(all);
    assert_true(g.most_inside > 1 || !parallel);
    assert_int_equal(g.wrong, 0);
    for (int i = 0; i < PAIRS; i++) assert_true(g.times[i] == 1 && lefts[i].references == 1);
}

static sv_status use_in_vain(void *of, const frame *left, const sv_output *got, sv_error *error) {
    (void)of, (void)got;
    return sv_fail(error, SV_FAILED, "pair %d", (int)left->index);
}

/* A failure is returned by the next call that can return it, and frames that were not used are released. */
TEST(a_sink_that_fails_ends_the_run) {
    sinks *all = open_sinks(false);
    sv_output maps;
    sv_error error = {""};
    frame left = {.index = 7, .references = 1};
    sinks_add(all, use_in_vain, NULL, false);
    sv_status status = SV_OK;
    for (int i = 0; i < 2 * MOST && status == SV_OK; i++) {
        status = sinks_take(all, &maps, &error);
        if (status == SV_OK) sinks_give(all, &left, &maps);
    }
    assert_int_equal(status, SV_FAILED);
    assert_string_equal(error.text, "pair 7");
    assert_int_equal(sinks_finish(all, &error), SV_FAILED);
    sinks_close(all);
    assert_int_equal(left.references, 1);
}

/* A sink that fails once its gate is open. */
static sv_status fail_late(void *of, const frame *left, const sv_output *got, sv_error *error) {
    (void)got;
    while (!atomic_load((atomic_bool *)of)) nanosleep(&moment, NULL);
    return sv_fail(error, SV_FAILED, "pair %d", (int)left->index);
}

static atomic_int failures; /* that the calls of take_in_vain have returned */

static void *take_in_vain(void *of) {
    sv_output maps;
    failures += sinks_take(of, &maps, NULL) == SV_FAILED;
    return NULL;
}

/* It ends the waits of all threads, though it gives back no maps. */
TEST(a_failure_ends_all_waits) {
    enum { THREADS = 3 };
    static atomic_bool open;
    static frame lefts[MOST];
    pthread_t threads[THREADS];
    sv_error error = {""};
    sinks *all = open_sinks(false);
    sinks_add(all, fail_late, &open, false);
    for (int i = 0; i < MOST; i++) give(all, &lefts[i], i);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, take_in_vain, all), 0);
    for (int i = 0; i < 200; i++) nanosleep(&moment, NULL); /* until they wait */
    atomic_store(&open, true);
    for (int i = 0; i < 10000 && failures < THREADS; i++) nanosleep(&moment, NULL);
    assert_int_equal(failures, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(sinks_finish(all, &error), SV_FAILED);
    sinks_close(all);
}

/* Takes maps and gives them to nobody. */
static void *take_and_give(void *of) {
    sv_output maps;
    if (sinks_take(of, &maps, NULL) != SV_OK) return NULL;
    sinks_give(of, NULL, &maps);
    return maps.disparity.data;
}

TEST(each_thread_has_its_own_maps_again) {
    sinks *all = open_sinks(false);
    void *const own = take_and_give(all);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        void *others;
        assert_int_equal(pthread_create(&thread, NULL, take_and_give, all), 0);
        pthread_join(thread, &others);
        assert_non_null(others);
        assert_ptr_not_equal(others, own);
        assert_ptr_equal(take_and_give(all), own);
    }
    assert_int_equal(sinks_finish(all, NULL), SV_OK);
    sinks_close(all);
}

/* With nobody to give them to, and where they are not to be given, the same maps come back. */
TEST(maps_that_nobody_uses_come_back) {
    sv_error error = {""};
    sv_output maps, others;
    assert_int_equal(sinks_finish(NULL, &error), SV_OK);
    sinks_close(NULL);
    sinks *all = open_sinks(true);
    frame left = {.references = 1};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sinks_take(all, i ? &others : &maps, &error), SV_OK);
        assert_true(maps.confidence.data && maps.disparity.memory == SV_HOST);
        if (i) assert_ptr_equal(others.disparity.data, maps.disparity.data);
        sinks_give(all, i == 1 ? NULL : &left, &maps);
    }
    assert_int_equal(sinks_finish(all, &error), SV_OK);
    sinks_close(all);
    assert_int_equal(left.references, 1);
}
