/* Plays the rendered scene for tests of the player. */
#include "tests/support/player_fixture.h"
#include "tests/support/test.h"

#include "app/play/maps.h"
#include "capture/synthetic/synthetic.h"

#include <stdlib.h>

enum { WIDTH = FIXTURE_WIDTH, HEIGHT = FIXTURE_HEIGHT, MAP_BYTES = WIDTH * HEIGHT * (sizeof(float) + 1) };

sv_params fixture_params(sv_method method) {
    sv_params params = sv_default_params(method);
    params.rho = 1;
    params.max_disparity = 7;
    return params;
}

static source *open_side(scene_side side, const atomic_bool *colour) {
    scene scene = scene_of_size(WIDTH, HEIGHT);
    source *source;
    scene.frames = FIXTURE_FRAMES;
    const source_options how = {.colour = true, .colour_now = colour};
    source = source_open_synthetic(&scene, side, &how);
    return source;
}

/* A side of the scene whose time stamps jump by `gap` seconds before frame FIXTURE_GAP_AT, and from which frames are
 * missing; or pictures, whose times are their numbers. */
typedef struct jumping {
    source base;
    source *scene;
    double gap;
    int missing;
} jumping;

/* Seconds of the scene for one of the side's time. */
static double unit_of(const jumping *self) { return self->base.info.pictures ? fixture_interval : 1; }

static sv_status jumping_read(source *base, frame **out, sv_error *error) {
    const jumping *self = (jumping *)base;
    sv_status status = source_read(self->scene, out, error);
    while (status == SV_OK && (*out)->index >= FIXTURE_MISSING_AT &&
           (*out)->index < FIXTURE_MISSING_AT + self->missing) {
        frame_release(*out);
        *out = NULL;
        status = source_read(self->scene, out, error);
    }
    if (status == SV_OK && (*out)->index >= FIXTURE_GAP_AT) (*out)->time += self->gap;
    if (status == SV_OK && base->info.pictures) (*out)->time = (double)(*out)->index;
    if (status == SV_OK) (*out)->decoded -= 10; /* it has waited for long since it was decoded */
    return status;
}

static sv_status jumping_seek(source *base, double seconds, sv_error *error) {
    const jumping *self = (jumping *)base;
    return source_seek(self->scene, seconds * unit_of(self), error);
}

static void jumping_interrupt(source *base) { source_interrupt(((jumping *)base)->scene); }

static void jumping_close(source *base) {
    source_close(((jumping *)base)->scene);
    free(base);
}

static source *with_gap(source *scene, const fixture_options *how, int missing) {
    static const source_operations operations = {jumping_read, jumping_seek, NULL, jumping_interrupt, jumping_close};
    jumping *self = calloc(1, sizeof *self);
    assert_non_null(self);
    *self = (jumping){.base = {.operations = &operations, .info = scene->info, .name = scene->name},
                      .scene = scene,
                      .gap = how->gap,
                      .missing = missing};
    self->base.info.pictures = how->pictures;
    return &self->base;
}

void fixture_set_up(player_fixture *t, const sv_backend *backend, sv_params params, fixture_options how) {
    *t = (player_fixture){.range = {.end = INT64_MAX, .loop = how.loop}, .stats = stats_create()};
    must(pairing_open(&t->pairing, with_gap(open_side(SCENE_LEFT, &t->colour.left), &how, 0),
                      with_gap(open_side(SCENE_RIGHT, &t->colour.right), &how, how.missing), 4, &error));
    must(sv_matcher_create(backend,
                           &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1, .cancel = how.cancel},
                           &t->matcher, &error));
    must(player_open(&t->player,
                     &(player_options){.pairing = t->pairing,
                                       .matcher = t->matcher,
                                       .colour = &t->colour,
                                       .stats = t->stats,
                                       .params = params,
                                       .range = t->range,
                                       .paced = how.paced,
                                       .cancel = how.cancel},
                     &error));
    for (int i = 0; i < SV_OUTPUTS; i++) must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, true, &t->slots[i], &error));
}

void fixture_lend_all(player_fixture *t) {
    for (int i = 0; i < SV_OUTPUTS; i++) player_lend(t->player, i, &t->slots[i]);
}

void fixture_lend_one(player_fixture *t) { player_lend(t->player, 0, &t->slots[0]); }

void fixture_open(player_fixture *t, const sv_backend *backend, sv_params params) {
    fixture_set_up(t, backend, params, (fixture_options){0});
    fixture_lend_all(t);
}

void fixture_close(player_fixture *t) {
    player_close(t->player);
    sv_matcher_destroy(t->matcher);
    pairing_close(t->pairing);
    stats_destroy(t->stats);
    for (int i = 0; i < SV_OUTPUTS; i++) maps_free(&sv_cpu, &t->slots[i]);
}

void fixture_check_maps(const sv_output *got, int64_t index, const sv_params *params) {
    player_fixture *t = &(player_fixture){.colour = {true, true}};
    sv_output want;
    frame_pair pair;
    must(pairing_open(&t->pairing, open_side(SCENE_LEFT, &t->colour.left), open_side(SCENE_RIGHT, &t->colour.right), 1,
                      &error));
    const int64_t first = index < params->temporal ? 0 : index - params->temporal + 1;
    must(pairing_seek_frame(t->pairing, first, &error));
    must(sv_matcher_create(&sv_cpu, &(sv_matcher_options){.width = WIDTH, .height = HEIGHT, .threads = 1}, &t->matcher,
                           &error));
    must(maps_alloc(&sv_cpu, WIDTH, HEIGHT, true, &want, &error));
    for (int64_t i = first; i <= index; i++) {
        must(pairing_next(t->pairing, &pair, &error));
        assert_int_equal(pair.left->index, i);
        const sv_pair pictures = media_pictures(&pair);
        must(sv_submit(t->matcher, &pictures, params, &want, &error));
        must(sv_wait(t->matcher, NULL, &error));
        frame_pair_release(&pair);
    }
    assert_memory_equal(got->disparity.data, want.disparity.data, MAP_BYTES);
    if (got->confidence.data) assert_memory_equal(got->confidence.data, want.confidence.data, WIDTH * HEIGHT);
    sv_matcher_destroy(t->matcher);
    maps_free(&sv_cpu, &want);
    pairing_close(t->pairing);
}

void fixture_give_back(player_fixture *t, player_result *result) {
    frame_pair_release(&result->pair);
    player_lend(t->player, result->slot, &t->slots[result->slot]);
}

void fixture_check_result(player_fixture *t, player_result *result, const sv_params *params) {
    assert_int_equal(result->pair.right->index, result->pair.left->index);
    assert_memory_equal(&result->params, params, sizeof *params);
    assert_false(media_lacks_colour(&result->pair, &t->colour));
    sv_output got = t->slots[result->slot];
    if (!result->has_confidence) got.confidence = (sv_image){0};
    sv_params matched = *params;
    if (result->averaged < matched.temporal) matched.temporal = result->averaged;
    fixture_check_maps(&got, result->pair.left->index, &matched);
    fixture_give_back(t, result);
}

player_result fixture_take(player_fixture *t) {
    player_result result;
    int tries = 20000;
    while (!player_take(t->player, &result) && --tries) nanosleep(&fixture_moment, NULL);
    if (!tries) fail_msg("there is no result");
    return result;
}

player_result fixture_await(player_fixture *t, int64_t index) {
    const player_result result = fixture_take(t);
    assert_int_equal(result.pair.left->index, index);
    return result;
}

void fixture_expect(player_fixture *t, int64_t index, const sv_params *params) {
    player_result result = fixture_await(t, index);
    fixture_check_result(t, &result, params);
}

void fixture_play_to_end(player_fixture *t) {
    player_result result;
    for (int tries = 20000; !player_get_state(t->player).ended && tries; tries--) {
        while (player_take(t->player, &result)) fixture_give_back(t, &result);
        nanosleep(&fixture_moment, NULL);
    }
    assert_true(player_get_state(t->player).ended);
}
