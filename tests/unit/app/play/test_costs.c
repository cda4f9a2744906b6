/* The costs of single pixels: those of the definition, those that explain the maps, and the answers about them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/play/costs.h"
#include "tests/support/pairs.h"
#include "tests/support/reference.h"
#include "tests/support/test.h"

enum { WIDTH = 61, HEIGHT = 29 };

/* A left picture, and a right one that sees it at a disparity of 3 and, in the lower part, 7. */
static scene new_pair(void) {
    seed_random(11);
    scene s = new_scene(WIDTH, HEIGHT, 3);
    fill_noise(&s.left.image, 256, 2);
    fill_shifted(&s.right.image, &s.left.image, 3);
    for (int y = HEIGHT / 2; y < HEIGHT; y++)
        for (int x = 0; x + 7 < WIDTH; x++) *grey_at(&s.right.image, x, y) = *grey_at(&s.left.image, x + 7, y);
    for (int y = 0; y < 9; y++)
        for (int x = 20; x < 40; x++) *grey_at(&s.left.image, x, y) = 90; /* no texture */
    return s;
}

/* No refinement, so that a pixel's value depends on its costs alone. */
static sv_params plain(sv_method method) {
    sv_params p = sv_default_params(method);
    p.min_disparity = -2;
    p.max_disparity = 12;
    p.rho = 2;
    p.left_right_check = -1;
    p.speckle_size = p.holes = p.fill = p.median = p.weighted_median = p.average = 0;
    p.uniqueness = 0;
    p.max_cost = 0;
    p.min_correlation = -1;
    p.subpixel = 1;
    return p;
}

static sv_costs costs_at(sv_matcher *matcher, const scene *s, const sv_params *params, int x, int y) {
    static sv_costs costs; /* too large for some stacks */
    sv_error error = {""};
    if (sv_match_costs(matcher, &s->pair, params, x, y, &costs, NULL, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(costs.x, x);
    assert_int_equal(costs.y, y);
    return costs;
}

TEST(costs_are_those_of_the_definition) {
    scene s = new_pair();
    sv_matcher *matcher = new_matcher(&sv_cpu, WIDTH, HEIGHT, 2);
    static double expected[WIDTH * HEIGHT * 64];
    for (int n = 0; n < 6; n++) {
        static const sv_method methods[] = {SV_SSD, SV_SSD, SV_NCC, SV_ZNCC, SV_SGM, SV_SSD};
        sv_params p = plain(methods[n]);
        if (n == 1) p.steps = 4;
        p.prefilter = n == 5 ? SV_PREFILTER_CONTRAST : SV_PREFILTER_NONE;
        const int count = sv_candidates(&p);
        reference_costs(&s.pair, &p, expected);
        for (int i = 0; i < WIDTH * HEIGHT; i += quick() ? 530 : 53) {
            const sv_costs c = costs_at(matcher, &s, &p, i % WIDTH, i / WIDTH);
            assert_int_equal(c.count, count);
            for (int k = 0; k < count; k++) {
                const double cost = expected[i * count + k];
                if (isnan(cost) ? !isnan(c.costs[k]) : c.costs[k] != cost)
                    fail_msg("case %d: candidate %d of (%d, %d) costs %g, not %g", n, k, i % WIDTH, i / WIDTH,
                             c.costs[k], cost);
                if (isnan(cost) || methods[n] != SV_NCC) assert_int_equal(c.tried[k], !isnan(cost));
                assert_true(c.first + k * c.step == -2 + k / (n == 1 ? 4.0 : 1));
            }
        }
    }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

/* The best of those that were tried; of equal ones the first. */
static int best_of(const sv_costs *c, bool largest) {
    int best = -1;
    for (int k = 0; k < c->count; k++)
        if (c->tried[k] && (best < 0 || (largest ? c->costs[k] > c->costs[best] : c->costs[k] < c->costs[best])))
            best = k;
    return best;
}

/* Whether the second best, by the definition, is nearly as good. */
static bool is_ambiguous(const sv_costs *c, const sv_params *p) {
    const int steps = sv_steps(p);
    const bool largest = sv_methods[p->method].correlates;
    double second = NAN;
    for (int k = 0; k < c->count; k++)
        if (c->tried[k] && abs(k - c->winner) > steps &&
            (isnan(second) || (largest ? c->costs[k] > second : c->costs[k] < second)))
            second = c->costs[k];
    if (isnan(second)) return false;
    const double best = c->costs[c->winner];
    if (!largest) return second * (100 - p->uniqueness) <= best * 100 * (1 + 1e-12);
    return (float)(fmaxf(0, 1 - (float)second) * (float)(100 - p->uniqueness)) <= fmaxf(0, 1 - (float)best) * 100.0f;
}

/* The second match: no neighbour of the winner, with a worse candidate between, and the best of these. */
static void check_second(const sv_costs *c, const sv_params *p) {
    const bool largest = sv_methods[p->method].correlates;
    int best = -1;
    for (int k = 0; k < c->count; k++) {
        bool parted = false;
        for (int j = k < c->winner ? k : c->winner; j <= (k < c->winner ? c->winner : k); j++)
            parted |= c->tried[j] && (largest ? c->costs[j] < c->costs[k] : c->costs[j] > c->costs[k]);
        if (!c->tried[k] || !parted || abs(k - c->winner) <= sv_steps(p)) continue;
        if (best < 0 || (largest ? c->costs[k] > c->costs[best] : c->costs[k] < c->costs[best])) best = k;
    }
    assert_int_equal(c->second >= 0, best >= 0);
    if (best >= 0) assert_true(c->costs[c->second] == c->costs[best]);
}

/* Each pixel's winner, value and reason follow from the costs, whatever the method and its parameters. */
TEST(costs_explain_the_map) {
    scene s = new_pair();
    sv_matcher *matcher = new_matcher(&sv_cpu, WIDTH, HEIGHT, 2);
    static float winners[HEIGHT][WIDTH];
    const sv_image picture = {winners, sizeof *winners, WIDTH, HEIGHT, SV_FLOAT32, SV_HOST};
    for (int n = 0; n < 2 * WITHOUT_MODEL; n++) {
        sv_params p = plain((sv_method)(n % WITHOUT_MODEL));
        if (n >= WITHOUT_MODEL) p.uniqueness = 10;
        submit(matcher, &s, &p);
        wait_for(matcher);
        assert_int_equal(sv_match_costs(matcher, &s.pair, &p, 0, 0, NULL, &picture, NULL), SV_OK);
        int valid = 0, ambiguous = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i += quick() ? 190 : 19) {
            const int x = i % WIDTH, y = i / WIDTH, reason = reason_at(&s, x, y);
            const float d = disparity_at(&s, x, y);
            const sv_costs c = costs_at(matcher, &s, &p, x, y);
            if (reason == SV_NO_TEXTURE && c.winner >= 0) continue; /* the picture is flat; refinement has removed it */
            valid += reason == SV_VALID;
            ambiguous += reason == SV_AMBIGUOUS;
            if (c.disparity != d) fail_msg("case %d: (%d, %d) is %g, not %g", n, x, y, d, c.disparity);
            assert_int_equal(c.winner < 0, reason == SV_BORDER || reason == SV_NO_TEXTURE);
            if (c.winner < 0) {
                assert_true(isinf(winners[y][x]));
                continue;
            }
            if (winners[y][x] != (float)c.costs[c.winner])
                fail_msg("case %d: the winner of (%d, %d) costs %g, not %g", n, x, y, winners[y][x], c.costs[c.winner]);
            assert_true(c.tried[c.winner]);
            check_second(&c, &p);
            /* gfd's winners are on the cheapest path through a row. */
            if (p.method != SV_GFD) assert_int_equal(c.winner, best_of(&c, sv_methods[p.method].correlates));
            if (isfinite(d)) assert_true(fabs(d - (c.first + c.winner * c.step)) <= c.step / 2);
            if (is_ambiguous(&c, &p) != (reason == SV_AMBIGUOUS) && p.uniqueness)
                fail_msg("case %d: (%d, %d) is %s", n, x, y, sv_reason_name(reason));
        }
        if (!valid)
            fail_msg("case %d has no valid pixel; the last one is %s", n, sv_reason_name(reason_at(&s, 57, 28)));
        if (!ambiguous && p.uniqueness && !quick()) fail_msg("case %d has no ambiguous pixel", n);
    }
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

/* With --scale a pixel's costs are those of the small pixel in which it lies. */
TEST(a_scale_has_costs_of_small_pixels) {
    scene s = new_pair();
    sv_matcher *matcher = new_matcher(&sv_cpu, WIDTH, HEIGHT, 1);
    sv_params p = plain(SV_SSD);
    p.scale = 2;
    const sv_costs a = costs_at(matcher, &s, &p, 30, 20), b = costs_at(matcher, &s, &p, 31, 21);
    assert_int_equal(a.count, 8);
    assert_true(a.first == -2 && a.step == 2);
    assert_true(a.winner >= 0 && a.winner == b.winner);
    for (int k = 0; k < a.count; k++) assert_true(a.costs[k] == b.costs[k]);
    /* A plain area of one disparity, so that the full map has that of the small one. */
    submit(matcher, &s, &p);
    wait_for(matcher);
    assert_true(fabsf(disparity_at(&s, 30, 20) - a.disparity) <= 2);
    sv_matcher_destroy(matcher);
    free_scene(&s);
}

static frame *new_frame(pool *pool, const sv_image *picture, int64_t index) {
    frame *f = frame_create(pool, WIDTH, HEIGHT, true, false);
    assert_non_null(f);
    for (int y = 0; y < HEIGHT; y++) memcpy(sv_row(&f->grey, y), sv_row(picture, y), WIDTH);
    f->index = index;
    return f;
}

/* Waits for the answer of that number. */
static const costs_answer *answer_of(costs *c, unsigned number) {
    for (int tries = 20000; tries; tries--) {
        const costs_answer *answer = costs_latest(c);
        if (answer && answer->number >= number) return answer;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    fail_msg("no answer %u", number);
    return NULL;
}

/* With an offset, another right picture belongs to the same left one. */
TEST(another_pair_is_another_question) {
    scene s = new_pair();
    const costs_question question = {.frame = 4, .params = plain(SV_SSD), .x = 45, .y = 5};
    pool *pool;
    costs *c;
    pool = pool_create((pool_memory){NULL, NULL});
    c = costs_open(WIDTH, HEIGHT, NULL);
    frame *left = new_frame(pool, &s.left.image, 4);
    /* The second right picture is the left one itself. */
    for (unsigned i = 0; i < 2; i++) {
        frame_pair pair = {frame_retain(left), new_frame(pool, i ? &s.left.image : &s.right.image, 4 + (int)i)};
        for (int again = 0; again < 2; again++) costs_ask(c, &question, &pair, NULL);
        const costs_answer *answer = answer_of(c, i + 1);
        assert_int_equal(answer->number, i + 1);
        assert_true(fabsf(answer->pixel->disparity - (i ? 0.F : 3.F)) < 0.5F);
        frame_pair_release(&pair);
    }
    frame_release(left);
    costs_close(c);
    pool_close(pool);
    free_scene(&s);
}

/* The costs of all winners come from the thread, too, with the frame that they belong to. */
TEST(winners_are_of_a_frame) {
    scene s = new_pair();
    costs_question question = {.frame = 4, .params = plain(SV_SSD), .x = -1, .y = -1, .winners = true};
    char text[48];
    pool *pool;
    costs *c;
    pool = pool_create((pool_memory){NULL, NULL});
    c = costs_open(WIDTH, HEIGHT, NULL);
    frame_pair pair = {new_frame(pool, &s.left.image, 4), new_frame(pool, &s.right.image, 4)};
    costs_ask(c, &question, &pair, NULL);
    const costs_answer *answer = answer_of(c, 1);
    assert_null(answer->pixel);
    assert_int_equal(answer->winners->width, WIDTH);
    assert_int_equal(answer->winners->height, HEIGHT);
    const float here = ((const float *)sv_row(answer->winners, 5))[45];
    question.x = 45;
    question.y = 5;
    costs_ask(c, &question, &pair, NULL);
    answer = answer_of(c, 2);
    assert_true(here == (float)answer->pixel->costs[answer->pixel->winner]);

    sv_params other = question.params;
    assert_null(costs_describe_age(&answer->question, 4, &other, text, sizeof text));
    assert_string_equal(costs_describe_age(&answer->question, 5, &other, text, sizeof text), "of frame 4");
    other.rho++;
    assert_string_equal(costs_describe_age(&answer->question, 4, &other, text, sizeof text), "of other parameters");
    frame_pair_release(&pair);
    costs_close(c);
    pool_close(pool);
    free_scene(&s);
}
