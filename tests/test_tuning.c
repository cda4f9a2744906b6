/* The parameters that the user turns. */
#include "app/options/tuning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double now; /* seconds */

/* A change long after the last one. */
static void set(tuning *t, const char *name, double value) {
    sv_params params = t->now;
    sv_set(&params, sv_find_parameter(name), value);
    tuning_set(t, &params, now += 10);
}

static void each_method_keeps_its_own(void **state) {
    (void)state;
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
static void scene_is_taken_from_another_set(void **state) {
    (void)state;
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

static void defaults_keep_the_range(void **state) {
    (void)state;
    tuning t;
    const sv_params ssd = sv_default_params(SV_SSD);
    tuning_start(&t, &ssd);
    set(&t, "rho", 9);
    set(&t, "min-disparity", -5);
    set(&t, "max-disparity", 100);
    tuning_reset(&t, now += 10);
    assert_int_equal(t.now.rho, ssd.rho);
    assert_int_equal(t.now.min_disparity, -5);
    assert_int_equal(t.now.max_disparity, 100);
    assert_true(tuning_undo(&t));
    assert_int_equal(t.now.rho, 9);
}

static void steps_are_undone_and_redone(void **state) {
    (void)state;
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
static void steps_are_bounded(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_method_keeps_its_own), cmocka_unit_test(scene_is_taken_from_another_set),
        cmocka_unit_test(defaults_keep_the_range),   cmocka_unit_test(steps_are_undone_and_redone),
        cmocka_unit_test(steps_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
