/* The player: pairs in flight, the order of results, the time table, seeking, stepping, parameters, colour, and the
 * end. It plays the rendered scene through the CPU's backend, and each result is what a matcher of its own makes of
 * that frame. Times are bounded from below alone, so a busy machine fails nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/maps.h"
#include "app/player.h"
#include "capture/synthetic.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 48, HEIGHT = 32, FRAMES = 12, MAP_BYTES = WIDTH * HEIGHT * (sizeof(float) + 1) };

/* The CPU's backend as one that works on several pairs at once: its results wait to be asked for. */
static sv_backend overlapping;

typedef struct theatre {
    frame_range range;
    media_colour colour;
    pairing *pairing;
    sv_matcher *matcher;
    stats *stats;
    player *player;
    sv_output slots[SV_OUTPUTS];
} theatre;

#define must(call)                                                                                                     \
    do {                                                                                                               \
        sv_error error = {""};                                                                                         \
        if ((call) != SV_OK) fail_msg("%s: %s", #call, error.text);                                                    \
    } while (0)

static sv_params small_params(sv_method method) {
    sv_params params = sv_default_params(method);
    params.rho = 1;
    params.max_disparity = 7;
    return params;
}

static source *open_side(scene_side side, const atomic_bool *colour) {
    scene scene = scene_of_size(WIDTH, HEIGHT);
    source *source;
    scene.frames = FRAMES;
    const source_options how = {.colour = true, .colour_now = colour};
    must(source_open_synthetic(&source, &scene, side, &how, &error));
    return source;
}

/* A side of the scene whose time stamps jump by `gap` seconds before frame GAP_AT. */
enum { GAP_AT = 6 };
typedef struct jumping {
    source base;
    source *scene;
    double gap;
} jumping;

static sv_status jumping_read(source *base, frame **out, sv_error *error) {
    const jumping *self = (jumping *)base;
    const sv_status status = source_read(self->scene, out, error);
    if (status == SV_OK && (*out)->index >= GAP_AT) (*out)->time += self->gap;
    return status;
}

static sv_status jumping_seek(source *base, double seconds, sv_error *error) {
    return source_seek(((jumping *)base)->scene, seconds, error);
}

static void jumping_interrupt(source *base) { source_interrupt(((jumping *)base)->scene); }

static void jumping_close(source *base) {
    source_close(((jumping *)base)->scene);
    free(base);
}

static source *with_gap(source *scene, double gap) {
    static const source_operations operations = {jumping_read, jumping_seek, NULL, jumping_interrupt, jumping_close};
    jumping *self = calloc(1, sizeof *self);
    assert_non_null(self);
    *self = (jumping){
        .base = {.operations = &operations, .info = scene->info, .name = scene->name}, .scene = scene, .gap = gap};
    return &self->base;
}

typedef struct staging {
    bool paced, loop;
    double gap; /* seconds */
    sinks *sinks;
    sv_cancel *cancel;
} staging;

/* Ready to play, with no slot lent. */
static void set_up(theatre *t, const sv_backend *backend, sv_params params, staging how) {
    *t = (theatre){.range = {.end = INT64_MAX, .loop = how.loop}, .stats = stats_create()};
    must(pairing_open(&t->pairing, with_gap(open_side(SCENE_LEFT, &t->colour.left), how.gap),
                      with_gap(open_side(SCENE_RIGHT, &t->colour.right), how.gap), 4, &error));
    must(sv_matcher_create(backend, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1}, &t->matcher,
                           &error));
    must(player_open(&t->player,
                     &(player_options){.pairing = t->pairing,
                                       .matcher = t->matcher,
                                       .colour = &t->colour,
                                       .stats = t->stats,
                                       .params = params,
                                       .range = t->range,
                                       .paced = how.paced,
                                       .cancel = how.cancel,
                                       .sinks = how.sinks},
                     &error));
    for (int i = 0; i < SV_OUTPUTS; i++) must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, &t->slots[i], &error));
}

static void lend_all(theatre *t) {
    for (int i = 0; i < SV_OUTPUTS; i++) player_lend(t->player, i, &t->slots[i]);
}

/* With one slot each result waits until it is taken: none gives way to a newer one. */
static void lend_one(theatre *t) { player_lend(t->player, 0, &t->slots[0]); }

/* Begins to play as fast as it goes. */
static void open_theatre(theatre *t, const sv_backend *backend, sv_params params) {
    set_up(t, backend, params, (staging){0});
    lend_all(t);
}

static void close_theatre(theatre *t) {
    player_close(t->player);
    sv_matcher_destroy(t->matcher);
    pairing_close(t->pairing);
    stats_destroy(t->stats);
    for (int i = 0; i < SV_OUTPUTS; i++) maps_free(&sv_cpu, &t->slots[i]);
}

/* Fails the test unless the maps are those of the frame and the parameters. */
static void check_maps(const sv_output *got, int64_t index, const sv_params *params) {
    theatre *t = &(theatre){.colour = {true, true}};
    sv_output want;
    frame_pair pair;
    must(pairing_open(&t->pairing, open_side(SCENE_LEFT, &t->colour.left), open_side(SCENE_RIGHT, &t->colour.right), 1,
                      &error));
    must(pairing_seek_frame(t->pairing, index, &error));
    must(pairing_next(t->pairing, &pair, &error));
    assert_int_equal(pair.left->index, index);
    must(sv_matcher_create(&sv_cpu, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1}, &t->matcher,
                           &error));
    must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, &want, &error));
    const sv_pair pictures = media_pictures(&pair);
    must(sv_submit(t->matcher, &pictures, params, &want, &error));
    must(sv_wait(t->matcher, NULL, &error));
    assert_memory_equal(got->disparity.data, want.disparity.data, MAP_BYTES);
    sv_matcher_destroy(t->matcher);
    maps_free(&sv_cpu, &want);
    frame_pair_release(&pair);
    pairing_close(t->pairing);
}

static const struct timespec moment = {.tv_nsec = 1000000};

/* Checks the pictures, the parameters and the maps of a result, and lends its slot again. */
static void check_result(theatre *t, player_result *result, const sv_params *params) {
    assert_int_equal(result->pair.right->index, result->pair.left->index);
    assert_memory_equal(&result->params, params, sizeof *params);
    assert_false(media_lacks_colour(&result->pair, &t->colour));
    check_maps(&t->slots[result->slot], result->pair.left->index, params);
    frame_pair_release(&result->pair);
    player_lend(t->player, result->slot, &t->slots[result->slot]);
}

/* Waits for a result, which is of `index`; its slot stays here. */
static player_result await(theatre *t, int64_t index) {
    player_result result;
    int tries = 20000;
    while (!player_take(t->player, &result) && --tries) nanosleep(&moment, NULL);
    if (!tries) fail_msg("no result of frame %d", (int)index);
    assert_int_equal(result.pair.left->index, index);
    return result;
}

/* Waits for a result, and checks that it is of `index` with `params`. */
static void expect(theatre *t, int64_t index, const sv_params *params) {
    player_result result = await(t, index);
    check_result(t, &result, params);
}

/* Takes results until the end has come. */
static void play_to_end(theatre *t) {
    player_result result;
    for (int tries = 20000; !player_get_state(t->player).ended && tries; tries--) {
        while (player_take(t->player, &result)) {
            frame_pair_release(&result.pair);
            player_lend(t->player, result.slot, &t->slots[result.slot]);
        }
        nanosleep(&moment, NULL);
    }
    assert_true(player_get_state(t->player).ended);
}

/* Every pair is matched, in order; the newest result is always there to be taken, so the last one is. */
static void matches_all_in_order(void **state) {
    (void)state;
    const sv_backend *const backends[] = {&sv_cpu, &overlapping};
    for (int i = 0; i < 2; i++) {
        theatre t;
        player_result result;
        int64_t last = -1;
        const sv_params params = small_params(SV_SSD);
        open_theatre(&t, backends[i], params);
        for (int tries = 20000; last < FRAMES - 1 && tries; tries--) {
            nanosleep(&moment, NULL);
            if (!player_take(t.player, &result)) continue;
            assert_in_range(result.pair.left->index, last + 1, FRAMES - 1);
            last = result.pair.left->index;
            check_result(&t, &result, &params);
        }
        assert_int_equal(last, FRAMES - 1);
        for (int tries = 20000; !player_get_state(t.player).ended && tries; tries--) nanosleep(&moment, NULL);
        assert_true(player_get_state(t.player).ended);
        assert_int_equal(stats_count(t.stats, STATS_MATCHED), FRAMES);
        close_theatre(&t);
    }
}

/* A sink that takes its time, and notes what it gets. */
typedef struct slow_sink {
    int64_t count, fails_at;
} slow_sink;

static sv_status use_slowly(void *of, const frame *left, const sv_output *maps, sv_error *error) {
    slow_sink *s = of;
    const sv_params params = small_params(SV_SSD);
    nanosleep(&moment, NULL);
    if (left->index == s->fails_at) return sv_fail(error, SV_FAILED, "the disk is full");
    assert_int_equal(left->index, s->count);
    check_maps(maps, left->index, &params);
    s->count++;
    return SV_OK;
}

/* Every pair reaches the sinks, in order and with its own maps, though the caller takes no result. A sink that fails
 * stops the player with its message. */
static void sinks_get_every_pair(void **state) {
    (void)state;
    for (int64_t fails_at = -1; fails_at < 6; fails_at += 6) {
        theatre t;
        slow_sink even = {.fails_at = -1}, other = {.fails_at = fails_at};
        sinks *sinks;
        must(sinks_open(&sinks, &error));
        must(sinks_add(sinks, use_slowly, &even, &error));
        must(sinks_add(sinks, use_slowly, &other, &error));
        set_up(&t, &overlapping, small_params(SV_SSD), (staging){.sinks = sinks});
        lend_all(&t);
        player_state now = {0};
        for (int tries = 20000; tries; tries--) {
            now = player_get_state(t.player);
            if (now.failed || stats_count(t.stats, STATS_MATCHED) == FRAMES) break;
            nanosleep(&moment, NULL);
        }
        close_theatre(&t);
        sv_error error = {""};
        assert_int_equal(sinks_close(sinks, &error), fails_at < 0 ? SV_OK : SV_FAILED);
        assert_int_equal(now.failed, fails_at >= 0);
        assert_string_equal(now.error.text, fails_at < 0 ? "" : "the disk is full");
        assert_string_equal(error.text, now.error.text);
        if (fails_at < 0)
            assert_int_equal(even.count, FRAMES);
        else
            assert_in_range(even.count, fails_at, FRAMES);
        assert_int_equal(other.count, fails_at < 0 ? FRAMES : fails_at);
    }
}

/* With all slots with the caller it stands. Lent again, they let it go on to the end, though nobody takes results: the
 * last of them waits, and the end is not there until it is taken. */
static void slots_go_round(void **state) {
    (void)state;
    theatre t;
    player_result kept[SV_OUTPUTS], result;
    const sv_params params = small_params(SV_SSD);
    open_theatre(&t, &overlapping, params);
    for (int i = 0; i < SV_OUTPUTS; i++)
        while (!player_take(t.player, &kept[i])) nanosleep(&moment, NULL);
    for (int i = 0; i < 50; i++) nanosleep(&moment, NULL);
    assert_false(player_take(t.player, &result));
    for (int i = 1; i < SV_OUTPUTS; i++) {
        assert_true(kept[i].pair.left->index > kept[i - 1].pair.left->index);
        for (int j = 0; j < i; j++) assert_int_not_equal(kept[i].slot, kept[j].slot);
    }
    for (int i = 0; i < SV_OUTPUTS; i++) {
        frame_pair_release(&kept[i].pair);
        player_lend(t.player, kept[i].slot, &t.slots[kept[i].slot]);
    }
    for (int tries = 20000; stats_count(t.stats, STATS_MATCHED) < FRAMES && tries; tries--) nanosleep(&moment, NULL);
    assert_int_equal(stats_count(t.stats, STATS_MATCHED), FRAMES);
    assert_false(player_get_state(t.player).ended);
    int taken = 0;
    int64_t last = -1;
    for (; player_take(t.player, &result); taken++) {
        last = result.pair.left->index;
        check_result(&t, &result, &params);
    }
    assert_in_range(taken, 1, SV_OUTPUTS);
    assert_int_equal(last, FRAMES - 1);
    close_theatre(&t);
}

static void moves_and_parameters(void **state) {
    (void)state;
    theatre t;
    sv_params params = small_params(SV_SSD);
    open_theatre(&t, &overlapping, params);
    play_to_end(&t);
    player_step(t.player, -3);
    expect(&t, FRAMES - 4, &params);
    player_step(t.player, 2);
    expect(&t, FRAMES - 2, &params);
    player_seek(t.player, 0);
    expect(&t, 0, &params);
    params.rho = 2;
    player_set_params(t.player, &params);
    expect(&t, 0, &params);
    player_step(t.player, 1);
    expect(&t, 1, &params);
    close_theatre(&t);
}

/* Takes the result of frame `index`, whose right picture is `right`. */
static void expect_partner(theatre *t, int64_t index, int64_t right) {
    player_result result;
    int tries = 20000;
    while (!player_take(t->player, &result) && --tries) nanosleep(&moment, NULL);
    if (!tries) fail_msg("no result of frame %d", (int)index);
    assert_int_equal(result.pair.left->index, index);
    assert_int_equal(result.pair.right->index, right);
    frame_pair_release(&result.pair);
    player_lend(t->player, result.slot, &t->slots[result.slot]);
}

/* What stands is paired anew, and so is all that follows. */
static void right_side_is_moved_while_it_plays(void **state) {
    (void)state;
    theatre t;
    open_theatre(&t, &overlapping, small_params(SV_SSD));
    const double frame = 1 / pairing_info(t.pairing)->rate;
    play_to_end(&t);
    player_step(t.player, 0); /* which pauses it */
    player_seek(t.player, 4 * frame);
    expect_partner(&t, 4, 4);
    player_set_offset(t.player, 2 * frame);
    expect_partner(&t, 4, 6);
    player_step(t.player, 1);
    expect_partner(&t, 5, 7);
    player_set_offset(t.player, -3 * frame);
    expect_partner(&t, 5, 2);
    player_set_offset(t.player, 0);
    expect_partner(&t, 5, 5);
    close_theatre(&t);
}

/* A pair that was read without colour is read again for a method that needs it. */
static void colour_is_read_when_it_is_wanted(void **state) {
    (void)state;
    theatre t;
    sv_params params = small_params(SV_SSD);
    open_theatre(&t, &sv_cpu, params);
    play_to_end(&t);
    player_step(t.player, -1); /* which pauses it */
    expect(&t, FRAMES - 2, &params);
    player_seek(t.player, 0.2);
    expect(&t, 5, &params);
    params = small_params(SV_GFD);
    params.alpha = 1;
    params.lambda = 0;
    atomic_store(&t.colour.left, true);
    atomic_store(&t.colour.right, true);
    player_set_params(t.player, &params);
    expect(&t, 5, &params);
    player_step(t.player, 1);
    expect(&t, 6, &params);
    close_theatre(&t);
}

static void closes_in_the_middle(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        theatre t;
        open_theatre(&t, &overlapping, small_params(SV_SSD));
        for (int j = 0; j < i; j++) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        close_theatre(&t);
    }
}

/* At which no frame but the first of a table is due before a test gives up. */
static const double standstill = 1e-3;

/* ---- Giving up --------------------------------------------------------------------------------- */

/* The CPU's backend, slowed down: a match lasts until the gate is open, or until it is asked to give up. */
static struct {
    sv_cancel cancel;
    atomic_bool open;
    atomic_int begun;
} gate;

static sv_status submit_at_gate(void *context, const sv_pair *pair, const sv_params *params, const sv_output *output,
                                sv_error *error) {
    atomic_fetch_add(&gate.begun, 1);
    while (!atomic_load(&gate.open)) {
        if (sv_cancelled(&gate.cancel)) return SV_CANCELLED;
        nanosleep(&moment, NULL);
    }
    return sv_cpu.submit(context, pair, params, output, error);
}

static void await_match(int number) {
    for (int tries = 20000; atomic_load(&gate.begun) < number && tries; tries--) nanosleep(&moment, NULL);
    assert_int_equal(atomic_load(&gate.begun), number);
}

/* A changed parameter does not wait for a slow match, which is told of meanwhile; nor does the end. If the last match
 * was quick, the next one is finished, so that there is something to see while a slider moves. */
static void slow_matches_are_given_up(void **state) {
    (void)state;
    theatre t;
    sv_params params = small_params(SV_SSD);
    sv_backend slow = sv_cpu;
    slow.submit = submit_at_gate;
    set_up(&t, &slow, params, (staging){.paced = true, .cancel = &gate.cancel});
    player_set_pace(t.player, standstill, false);
    assert_false(player_get_state(t.player).matching);
    assert_null(player_matched_pair(t.player).left);
    lend_one(&t);
    await_match(1);
    const player_state now = player_get_state(t.player);
    assert_true(now.matching && !now.failed && now.since <= sv_seconds());
    assert_memory_equal(&now.params, &params, sizeof params);
    frame_pair pair = player_matched_pair(t.player);
    assert_true(pair.left && pair.right);
    assert_int_equal(pair.left->index, 0);
    frame_pair_release(&pair);
    for (int i = 2; i < 5; i++) {
        params.rho = i;
        player_set_params(t.player, &params);
        await_match(i);
        const player_state next = player_get_state(t.player);
        assert_int_equal(next.params.rho, i);
        assert_false(next.failed);
    }
    atomic_store(&gate.open, true);
    expect(&t, 0, &params);
    atomic_store(&gate.open, false);
    params.rho = 1;
    player_set_params(t.player, &params);
    await_match(5);
    params.rho = 2;
    player_set_params(t.player, &params);
    for (int i = 0; i < 20; i++) nanosleep(&moment, NULL);
    assert_int_equal(atomic_load(&gate.begun), 5);
    assert_false(sv_cancelled(&gate.cancel));
    close_theatre(&t);
}

/* ---- The time table ---------------------------------------------------------------------------- */

static const double interval = 0.04; /* seconds, of the scene's frames */

/* No frame comes before its time, which the speed stretches. */
static void speed_stretches_the_times(void **state) {
    (void)state;
    theatre t;
    const sv_params params = small_params(SV_SSD);
    const double speed = 0.25;
    set_up(&t, &sv_cpu, params, (staging){.paced = true});
    player_set_pace(t.player, speed, false);
    const double start = sv_seconds();
    lend_one(&t);
    for (int i = 0; i < FRAMES; i++) {
        expect(&t, i, &params);
        assert_true(sv_seconds() >= start + i * interval / speed);
    }
    close_theatre(&t);
}

/* A new speed, going on after a pause, and a seek: the next frame is due at once, and the table begins with it. */
static void table_begins_anew(void **state) {
    (void)state;
    theatre t;
    player_result kept;
    const sv_params params = small_params(SV_SSD);
    set_up(&t, &sv_cpu, params, (staging){.paced = true});
    lend_one(&t);
    kept = await(&t, 0); /* now it stands, for want of a slot */
    player_set_pace(t.player, standstill, false);
    check_result(&t, &kept, &params);
    expect(&t, 1, &params);
    player_toggle_pause(t.player);
    player_toggle_pause(t.player);
    expect(&t, 2, &params);
    player_seek(t.player, 8 * interval);
    expect(&t, 8, &params);
    expect(&t, 9, &params);
    close_theatre(&t);
}

/* In real time what came too late is left out and counted, and what comes then is in time again. */
static void real_time_leaves_out(void **state) {
    (void)state;
    theatre t;
    const sv_params params = small_params(SV_SSD);
    const double distance = 10 * interval;
    set_up(&t, &sv_cpu, params, (staging){.paced = true});
    player_set_pace(t.player, interval / distance, true);
    lend_one(&t);
    const double start = sv_seconds();
    player_result kept = await(&t, 0);
    while (sv_seconds() < start + 4.5 * distance) nanosleep(&moment, NULL); /* it stands, for want of a slot */
    check_result(&t, &kept, &params);
    player_result next;
    for (int tries = 20000; !player_take(t.player, &next) && tries; tries--) nanosleep(&moment, NULL);
    const int64_t index = next.pair.left->index; /* 5, or more on a busy machine */
    assert_in_range(index, 4, FRAMES - 1);
    assert_int_equal(player_get_state(t.player).skipped, index - 1);
    assert_true(sv_seconds() >= start + (double)index * distance);
    check_result(&t, &next, &params);
    close_theatre(&t);
}

/* If reading itself is too slow, pairs are shown all the same. */
static void real_time_never_stands_still(void **state) {
    (void)state;
    theatre t;
    player_result result;
    int shown = 0;
    set_up(&t, &sv_cpu, small_params(SV_SSD), (staging){.paced = true, .loop = true});
    player_set_pace(t.player, 1e6, true); /* every pair is late as soon as it is read */
    lend_one(&t);
    for (int tries = 20000; shown < 3 && tries; tries--) {
        nanosleep(&moment, NULL);
        if (!player_take(t.player, &result)) continue;
        frame_pair_release(&result.pair);
        player_lend(t.player, result.slot, &t.slots[result.slot]);
        shown++;
    }
    assert_int_equal(shown, 3);
    close_theatre(&t);
}

/* A round of which all pairs but the first are too late is followed by another. */
static void real_time_begins_again(void **state) {
    (void)state;
    theatre t;
    const sv_params params = small_params(SV_SSD);
    set_up(&t, &sv_cpu, params, (staging){.paced = true, .loop = true});
    player_set_pace(t.player, 1, true);
    lend_one(&t);
    player_result kept = await(&t, 0);
    const double until = sv_seconds() + FRAMES * interval + 0.1;
    while (sv_seconds() < until) nanosleep(&moment, NULL); /* it stands, for want of a slot */
    check_result(&t, &kept, &params);
    player_result next;
    int tries = 20000;
    while (!player_take(t.player, &next) && --tries) nanosleep(&moment, NULL);
    assert_true(tries);
    check_result(&t, &next, &params);
    close_theatre(&t);
}

/* What came too late is not caught up with: the frames after it keep their distance. */
static void delay_is_not_caught_up_with(void **state) {
    (void)state;
    theatre t;
    player_result kept;
    const sv_params params = small_params(SV_SSD);
    const double distance = 4 * interval;
    set_up(&t, &sv_cpu, params, (staging){.paced = true});
    player_set_pace(t.player, interval / distance, false);
    lend_one(&t);
    const double start = sv_seconds();
    kept = await(&t, 0);
    while (sv_seconds() < start + FRAMES * distance) nanosleep(&moment, NULL); /* all would have been due */
    const double late = sv_seconds();
    check_result(&t, &kept, &params);
    for (int i = 1; i < FRAMES; i++) {
        expect(&t, i, &params);
        assert_true(sv_seconds() >= late + (i - 1) * distance);
    }
    close_theatre(&t);
}

static int jumps_told;

static void count_jumps(sv_level level, const char *line) {
    if (level == SV_LOG_WARNING && strstr(line, "time stamps jump"))
        __atomic_add_fetch(&jumps_told, 1, __ATOMIC_RELAXED);
}

/* A gap of up to ten seconds is waited for, a longer one is told of and is not. */
static void gaps_are_waited_for_within_reason(void **state) {
    (void)state;
    static const double gaps[] = {9, 1000}; /* seconds */
    const double speed = 10;
    const sv_params params = small_params(SV_SSD);
    for (int i = 0; i < 2; i++) {
        theatre t;
        jumps_told = 0;
        sv_set_log(count_jumps);
        set_up(&t, &sv_cpu, params, (staging){.paced = true, .gap = gaps[i]});
        player_set_pace(t.player, speed, false);
        const double start = sv_seconds();
        lend_one(&t);
        for (int n = 0; n < FRAMES; n++) {
            player_result result = await(&t, n);
            if (i == 0 && n >= GAP_AT) assert_true(sv_seconds() >= start + (gaps[i] + n * interval) / speed);
            frame_pair_release(&result.pair);
            player_lend(t.player, result.slot, &t.slots[result.slot]);
        }
        close_theatre(&t);
        sv_set_log(NULL);
        assert_int_equal(jumps_told, i);
    }
}

/* With `loop` the first frame follows the last one, and there is no end. */
static void loop_begins_again(void **state) {
    (void)state;
    theatre t;
    const sv_params params = small_params(SV_SSD);
    set_up(&t, &sv_cpu, params, (staging){.paced = true, .loop = true});
    player_set_pace(t.player, 10, false);
    lend_one(&t);
    for (int i = 0; i < 2 * FRAMES + 2; i++) expect(&t, i % FRAMES, &params);
    assert_false(player_get_state(t.player).ended);
    close_theatre(&t);
}

/* ---- Going to a place --------------------------------------------------------------------------- */

/* From a seek that is under way, or from the frame that is shown; never beyond the ends. */
static void distances_are_added_to_the_position(void **state) {
    (void)state;
    theatre t;
    const sv_params params = small_params(SV_SSD);
    set_up(&t, &sv_cpu, params, (staging){0});
    player_seek(t.player, 5 * interval);
    player_seek_by(t.player, 2 * interval);
    player_seek_by(t.player, 2 * interval);
    lend_one(&t); /* until now it could not go anywhere */
    for (int i = 9; i < FRAMES; i++) expect(&t, i, &params);
    player_step(t.player, -1); /* which pauses it */
    expect(&t, FRAMES - 2, &params);
    player_seek_by(t.player, -5 * interval);
    expect(&t, FRAMES - 7, &params);
    player_seek_by(t.player, 2 * interval);
    expect(&t, FRAMES - 5, &params);
    player_seek_by(t.player, 1000);
    expect(&t, FRAMES - 1, &params);
    player_seek_by(t.player, -1000);
    expect(&t, 0, &params);
    close_theatre(&t);
}

int main(void) {
    overlapping = sv_cpu;
    overlapping.at_once = SV_IN_FLIGHT;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_all_in_order),
        cmocka_unit_test(sinks_get_every_pair),
        cmocka_unit_test(slots_go_round),
        cmocka_unit_test(moves_and_parameters),
        cmocka_unit_test(colour_is_read_when_it_is_wanted),
        cmocka_unit_test(right_side_is_moved_while_it_plays),
        cmocka_unit_test(closes_in_the_middle),
        cmocka_unit_test(slow_matches_are_given_up),
        cmocka_unit_test(speed_stretches_the_times),
        cmocka_unit_test(table_begins_anew),
        cmocka_unit_test(delay_is_not_caught_up_with),
        cmocka_unit_test(real_time_leaves_out),
        cmocka_unit_test(real_time_never_stands_still),
        cmocka_unit_test(real_time_begins_again),
        cmocka_unit_test(gaps_are_waited_for_within_reason),
        cmocka_unit_test(loop_begins_again),
        cmocka_unit_test(distances_are_added_to_the_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
