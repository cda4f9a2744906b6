/* A match that is given up: it ends within a small part of its work, whatever the method, and leaves the matcher as it
 * was. Work is measured in processor time, so a busy machine changes nothing. */
#include "stereo/cancel.h"
#include "tests/support/pairs.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 641, HEIGHT = 479 };

static double seconds_of(clockid_t clock) {
    struct timespec used;
    clock_gettime(clock, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* A thread that cancels what another one does when that has used the processor for `until` seconds. */
typedef struct watch {
    sv_cancel *cancel;
    clockid_t clock;
    double until;
    double asked; /* when it did ask, which on a busy machine is later */
    atomic_bool over;
} watch;

static void *ask_later(void *argument) {
    watch *w = argument;
    while (seconds_of(w->clock) < w->until && !atomic_load(&w->over))
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    w->asked = seconds_of(w->clock);
    atomic_store(&w->cancel->asked, true);
    return NULL;
}

/* Matches in this thread, which is asked to give up after `budget` seconds of work. Returns what it has used;
 * `late`: how much of that after it was asked. */
static double match_for(sv_matcher *matcher, const scene *s, const sv_params *params, sv_cancel *cancel, double budget,
                        sv_status *status, double *late) {
    pthread_t thread;
    watch w = {.cancel = cancel};
    sv_error error = {""};
    pthread_getcpuclockid(pthread_self(), &w.clock);
    const double begin = seconds_of(w.clock);
    w.until = begin + budget;
    assert_int_equal(pthread_create(&thread, NULL, ask_later, &w), 0);
    *status = sv_submit(matcher, &s->pair, params, &s->output, &error);
    const double end = seconds_of(w.clock);
    atomic_store(&w.over, true);
    pthread_join(thread, NULL);
    *late = end - w.asked;
    atomic_store(&cancel->asked, false);
    if (*status == SV_OK) assert_int_equal(sv_wait(matcher, NULL, NULL), SV_OK);
    return end - begin;
}

TEST(matches_are_given_up) {
    static float before[WIDTH * HEIGHT];
    enum { TRIES = 50 };
    sv_cancel cancel = {0};
    sv_matcher *matcher;
    sv_status status;
    double late;
    scene s = new_scene(WIDTH, HEIGHT, 0);
    fill_noise(&s.left.image, 256, 3);
    fill_shifted(&s.right.image, &s.left.image, 20);
    const sv_matcher_options options = {.width = WIDTH, .height = HEIGHT, .threads = 1, .cancel = &cancel};
    assert_int_equal(sv_matcher_create(&sv_cpu, &options, &matcher, NULL), SV_OK);
    for (int method = 0; method < WITHOUT_MODEL; method++)
        for (int variant = 0; variant < (quick() ? 1 : 2); variant++) {
            sv_params params = sv_default_params((sv_method)method);
            params.max_disparity = quick() || method == SV_GFD ? 31 : 127; /* gfd takes longest */
            /* The slowest refinement, and what makes a method do its work in another order. */
            params.weighted_median = variant ? 7 : 0;
            params.reseed = variant ? 0 : 16;
            match_for(matcher, &s, &params, &cancel, 1e9, &status, &late); /* which allocates */
            const double whole = match_for(matcher, &s, &params, &cancel, 1e9, &status, &late);
            assert_int_equal(status, SV_OK);
            for (int y = 0; y < HEIGHT; y++)
                memcpy(before + y * WIDTH, sv_row(&s.output.disparity, y), WIDTH * sizeof *before);
            for (int part = 1; part <= 2; part++) {
                const double asked = whole * part / 4;
                /* Where the other thread got no processor in time, the match was over before it was asked. */
                int tries = 0;
                do match_for(matcher, &s, &params, &cancel, asked, &status, &late);
                while (status == SV_OK && ++tries < TRIES);
                assert_int_equal(status, SV_CANCELLED);
                if (late > 0.2 * whole + 0.01)
                    fail_msg("%s %d: asked after %.3f s of %.3f s, it went on for %.3f s", sv_method_name(method),
                             variant, asked, whole, late);
            }
            /* The next match is as if there had been no other. */
            match_for(matcher, &s, &params, &cancel, 1e9, &status, &late);
            assert_int_equal(status, SV_OK);
            for (int y = 0; y < HEIGHT; y++)
                assert_memory_equal(before + y * WIDTH, sv_row(&s.output.disparity, y), WIDTH * sizeof *before);
        }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

/* Several threads see the request at different times; nothing of what they have left undone is used. */
TEST(threads_give_up_together) {
    enum { SMALL_WIDTH = 200, SMALL_HEIGHT = 120 };
    sv_cancel cancel = {0};
    scene s = new_scene(SMALL_WIDTH, SMALL_HEIGHT, 13);
    seed_random(7);
    fill_random(&s);
    for (int threads = 2; threads <= 5; threads++) {
        const sv_matcher_options options = {
            .width = SMALL_WIDTH, .height = SMALL_HEIGHT, .threads = threads, .cancel = &cancel};
        sv_matcher *matcher;
        assert_int_equal(sv_matcher_create(&sv_cpu, &options, &matcher, NULL), SV_OK);
        for (int i = 0; i < (quick() ? 20 : 60); i++) {
            sv_status status;
            double late;
            sv_params params = sv_default_params((sv_method)(i % WITHOUT_MODEL));
            params.speckle_size = 20;
            params.holes = 6;
            params.fill = SV_FILL_CROSS;
            match_for(matcher, &s, &params, &cancel, 2e-4 * (i % 7), &status, &late);
            assert_true(status == SV_OK || status == SV_CANCELLED);
        }
        sv_matcher_destroy(matcher);
    }
    free_scene(&s);
}
