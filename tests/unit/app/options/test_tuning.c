/* The parameters that the user turns, and their owner in the window. */
#include "app/options/tuning.h"
#include "app/viewer/viewer_tuner.h"
#include "tests/support/test.h"

static double now; /* seconds */

/* A change long after the last one. */
static void set(tuning *t, const char *name, double value) {
    sv_params params = t->now;
    sv_set(&params, sv_find_parameter(name), value);
    tuning_set(t, &params, now += 10);
}

TEST(each_method_keeps_its_own) {
    tuning t;
    sv_params given = sv_default_params(SV_SSD);
    sv_set(&given, sv_find_parameter("uniqueness"), 33);
    tuning_start(&t, &given);
    set(&t, "rho", 9);
    set(&t, "max-disparity", 100);
    set(&t, "row-shift", 2);
    tuning_set_method(&t, SV_GFD, now += 10);
    const sv_params gfd = sv_default_params(SV_GFD);
    assert_int_equal(t.now.method, SV_GFD);
    assert_int_equal(t.now.rho, gfd.rho);
    assert_int_equal(t.now.lambda, gfd.lambda);
    assert_int_equal(t.now.max_disparity, 100); /* of the scene */
    assert_int_equal(t.now.row_shift, 2);
    assert_int_equal(t.now.uniqueness, 33); /* of the command line, which means all */
    set(&t, "rho", 2);
    tuning_set_method(&t, SV_SSD, now += 10);
    assert_int_equal(t.now.rho, 9);
    tuning_set_method(&t, SV_GFD, now += 10);
    assert_int_equal(t.now.rho, 2);
}

/* What another set changes of the scene is not a step of this one. */
TEST(scene_is_taken_from_another_set) {
    tuning t;
    const sv_params ssd = sv_default_params(SV_SSD);
    sv_params other = sv_default_params(SV_NCC);
    tuning_start(&t, &ssd);
    set(&t, "rho", 9);
    sv_set(&other, sv_find_parameter("max-disparity"), 100);
    sv_set(&other, sv_find_parameter("rho"), 2);
    tuning_set_scene(&t, &other);
    assert_int_equal(t.now.max_disparity, 100);
    assert_int_equal(t.now.method, SV_SSD);
    assert_int_equal(t.now.rho, 9);
    assert_true(tuning_undo(&t));
    assert_int_equal(t.now.rho, ssd.rho);
    assert_false(tuning_undo(&t));
}

TEST(defaults_keep_the_range_and_the_model) {
    tuning t;
    const sv_params ssd = sv_default_params(SV_SSD);
    tuning_start(&t, &ssd);
    set(&t, "rho", 9);
    set(&t, "min-disparity", -5);
    set(&t, "max-disparity", 100);
    const int model = sv_file_number("some.onnx");
    set(&t, "model", model);
    tuning_reset(&t, now += 10);
    assert_int_equal(t.now.rho, ssd.rho);
    assert_int_equal(t.now.min_disparity, -5);
    assert_int_equal(t.now.max_disparity, 100);
    assert_int_equal(t.now.model, model);
    assert_true(tuning_undo(&t));
    assert_int_equal(t.now.rho, 9);
}

/* However soon the next change follows. */
TEST(a_switch_of_the_method_is_a_step) {
    tuning t;
    const sv_params ssd = sv_default_params(SV_SSD);
    tuning_start(&t, &ssd);
    tuning_set_method(&t, SV_NCC, now += 10);
    sv_params params = t.now;
    params.tau++;
    tuning_set(&t, &params, now += 0.1);
    assert_true(tuning_undo(&t));
    assert_int_equal(t.now.method, SV_NCC);
    assert_int_equal(t.now.tau, params.tau - 1);
    assert_true(tuning_undo(&t));
    assert_memory_equal(&t.now, &ssd, sizeof ssd);
}

TEST(steps_are_undone_and_redone) {
    tuning t;
    const sv_params ssd = sv_default_params(SV_SSD);
    tuning_start(&t, &ssd);
    assert_false(tuning_undo(&t));
    assert_false(tuning_redo(&t));
    for (int rho = 6; rho < 10; rho++) { /* a slider that moves */
        sv_params params = t.now;
        params.rho = rho;
        tuning_set(&t, &params, now += 0.1);
    }
    set(&t, "uniqueness", 50);
    tuning_set_method(&t, SV_SGM, now += 0.1);
    assert_true(tuning_undo(&t));
    assert_int_equal(t.now.method, SV_SSD);
    assert_int_equal(t.now.uniqueness, 50);
    assert_true(tuning_undo(&t));
    assert_int_equal(t.now.uniqueness, ssd.uniqueness);
    assert_int_equal(t.now.rho, 9);
    assert_true(tuning_undo(&t));
    assert_memory_equal(&t.now, &ssd, sizeof ssd);
    assert_false(tuning_undo(&t));
    for (int i = 0; i < 3; i++) assert_true(tuning_redo(&t));
    assert_false(tuning_redo(&t));
    assert_int_equal(t.now.method, SV_SGM);
    assert_true(tuning_undo(&t));
    set(&t, "rho", 1); /* from here on there is another future */
    assert_false(tuning_redo(&t));
    assert_true(tuning_undo(&t));
    assert_int_equal(t.now.rho, 9);
}

/* The oldest steps are forgotten. */
TEST(steps_are_bounded) {
    tuning t;
    const sv_params ssd = sv_default_params(SV_SSD);
    tuning_start(&t, &ssd);
    for (int i = 0; i < 100; i++) set(&t, "max-disparity", 101 + i);
    int undone = 0;
    for (; tuning_undo(&t); undone++) assert_int_equal(t.now.max_disparity, 199 - undone);
    assert_int_equal(undone, TUNING_STEPS);
    while (tuning_redo(&t)) undone--;
    assert_int_equal(undone, 0);
    assert_int_equal(t.now.max_disparity, 200);
}

/* ---- The owner in the window ------------------------------------------------------------------ */

static sv_params with_rho(const sv_params *params, int rho) {
    sv_params other = *params;
    other.rho = rho;
    return other;
}

/* Panel and keys change the same set, and each change is passed on once. */
TEST(panel_and_keys_change_one_set) {
    viewer_tuner t;
    panel_params shown = {0};
    const sv_params ssd = sv_default_params(SV_SSD);
    viewer_tuner_start(&t, &ssd, &shown);
    assert_false(viewer_tuner_take_change(&t));
    assert_int_equal(shown.now->rho, ssd.rho);
    shown.wants = true;
    shown.wanted = with_rho(shown.now, 9);
    viewer_tuner_follow_panel(&t);
    assert_int_equal(viewer_tuner_edited(&t)->rho, 9);
    assert_int_equal(shown.now->rho, 9);
    assert_true(viewer_tuner_take_change(&t));
    assert_false(viewer_tuner_take_change(&t));
    const sv_params pressed = with_rho(viewer_tuner_edited(&t), 11);
    viewer_tuner_set(&t, &pressed);
    viewer_tuner_follow_panel(&t); /* which has no wish any more */
    assert_int_equal(shown.now->rho, 11);
    assert_true(viewer_tuner_take_change(&t));
    viewer_tuner_set(&t, &pressed); /* the same again */
    assert_false(viewer_tuner_take_change(&t));
    assert_true(viewer_tuner_step(&t, true));
    assert_true(viewer_tuner_take_change(&t));
    assert_int_not_equal(shown.now->rho, 11);
}

/* The set that is edited changes, the other one stays, but for what belongs to the scene. */
TEST(sets_share_the_scene) {
    viewer_tuner t;
    panel_params shown = {0};
    const sv_params ssd = sv_default_params(SV_SSD);
    viewer_tuner_start(&t, &ssd, &shown);
    viewer_tuner_begin_second(&t, NULL);
    assert_true(viewer_tuner_take_change(&t));
    viewer_tuner_edit(&t, 1);
    assert_false(viewer_tuner_take_change(&t)); /* nothing is to be matched again */
    sv_params b = with_rho(shown.now, 12);
    b.max_disparity = 90;
    viewer_tuner_set(&t, &b);
    assert_true(viewer_tuner_take_change(&t));
    assert_int_equal(viewer_tuner_of(&t, 0)->rho, ssd.rho);
    assert_int_equal(viewer_tuner_of(&t, 0)->max_disparity, 90);
    assert_int_equal(viewer_tuner_of(&t, 1)->rho, 12);
    viewer_tuner_end_second(&t);
    assert_int_equal(shown.now->rho, ssd.rho); /* A is edited again */
    viewer_tuner_begin_second(&t, NULL);       /* B is as it was left */
    assert_int_equal(viewer_tuner_of(&t, 1)->rho, 12);
    sv_params read = sv_default_params(SV_SGM);
    viewer_tuner_edit(&t, 1);
    viewer_tuner_replace(&t, &read);
    assert_int_equal(viewer_tuner_of(&t, 0)->method, SV_SGM);
    assert_int_equal(viewer_tuner_of(&t, 1)->method, SV_SSD);
    assert_ptr_equal(shown.now, viewer_tuner_of(&t, 0));
}
