/* The settings file: app/options/settings. */
#include "app/options/settings.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

/* A value in the parameter's range, another for each seed. */
static double some_value(const sv_parameter *p, unsigned *seed) {
    const double part = (*seed = *seed * 1664525u + 1013904223u) / 4294967296.0;
    if (p->kind != SV_CHOICE) return p->min + part * (p->max - p->min);
    int choices = 0;
    while (choices < SV_MAX_CHOICES && p->choices[choices]) choices++;
    return p->choice_values[(int)(part * choices)];
}

TEST(settings_come_back_exactly) {
    const char *path = scratch_path("settings.yaml");
    unsigned seed = 1;
    for (int round = 0; round < 200; round++) {
        sv_params params = sv_default_params((sv_method)(round % SV_METHOD_COUNT));
        for (int i = 0; i < sv_parameter_count && round > 1; i++)
            sv_set(&params, &sv_parameters[i], some_value(&sv_parameters[i], &seed));
        if (params.min_disparity > params.max_disparity) params.max_disparity = params.min_disparity;
        if (params.max_disparity - params.min_disparity >= SV_MAX_DISPARITIES)
            params.max_disparity = params.min_disparity + SV_MAX_DISPARITIES - 1;
        const view_settings view = {
            .layout = round % VIEW_LAYOUT_COUNT,
            .kinds = {round % VIEW_KIND_COUNT, round / 2 % VIEW_KIND_COUNT, round / 3 % VIEW_KIND_COUNT},
            .range = round % VIEW_RANGE_COUNT,
            .legend = round % 2,
            .metres = round % 5 == 0,
            .cloud = {.colours = round % CLOUD_COLOURS_COUNT,
                      .size = CLOUD_MIN_SIZE + (float)seed / 1e9f,
                      .grid = round % 4 == 0,
                      .edges = round % 7 == 0},
            .colour = {.map = round % COLOUR_MAP_COUNT,
                       .min = -(float)seed / 3e7f,
                       .max = (float)seed / 7e9f,
                       .empty = {(uint8_t)seed, (uint8_t)(seed >> 8), (uint8_t)(seed >> 16)},
                       .show_reasons = round % 3 == 0},
        };
        sv_error error = {""};
        if (settings_write(path, &params, &view, NULL, &error) != SV_OK) fail_msg("%s", error.text);

        sv_params got = sv_default_params((sv_method)(round / 2 % SV_METHOD_COUNT));
        view_settings shown = view_default();
        if (settings_read(path, &got, &shown, NULL, &error) != SV_OK) fail_msg("%s", error.text);
        assert_int_equal(got.method, params.method);
        for (int i = 0; i < sv_parameter_count; i++)
            if (sv_get(&got, &sv_parameters[i]) != sv_get(&params, &sv_parameters[i]))
                fail_msg("%s: %.9g became %.9g", sv_parameters[i].name, sv_get(&params, &sv_parameters[i]),
                         sv_get(&got, &sv_parameters[i]));
        assert_int_equal(shown.layout, view.layout);
        assert_memory_equal(shown.kinds, view.kinds, sizeof view.kinds);
        assert_int_equal(shown.range, view.range);
        assert_int_equal(shown.colour.map, view.colour.map);
        if (view.range == VIEW_RANGE_FIXED) {
            assert_true(shown.colour.min == view.colour.min);
            assert_true(shown.colour.max == view.colour.max);
        }
        assert_memory_equal(shown.colour.empty, view.colour.empty, 3);
        assert_int_equal(shown.colour.show_reasons, view.colour.show_reasons);
        assert_int_equal(shown.legend, view.legend);
        assert_int_equal(shown.metres, view.metres);
        assert_int_equal(shown.cloud.colours, view.cloud.colours);
        assert_true(shown.cloud.size == view.cloud.size);
        assert_int_equal(shown.cloud.grid, view.cloud.grid);
        assert_int_equal(shown.cloud.edges, view.cloud.edges);
    }
}

static sv_params read_text(const char *text) {
    sv_params params = sv_default_params(SV_SSD);
    sv_error error;
    if (settings_read(scratch_write_text("s.yaml", text), &params, NULL, NULL, &error) != SV_OK)
        fail_msg("%s", error.text);
    return params;
}

TEST(settings_may_be_written_by_hand) {
    const sv_params ssd = sv_default_params(SV_SSD), ncc = sv_default_params(SV_NCC);
    assert_int_equal(read_text("").rho, ssd.rho);
    assert_int_equal(read_text("# nothing\n---\n{}\n").rho, ssd.rho);
    assert_int_equal(read_text("{rho: 9, \"disparities\": '-5:70'}").min_disparity, -5);
    assert_int_equal(read_text("left-right-check: off\r\nmedian: 3\r\n").left_right_check, -1);
    assert_int_equal(read_text("step: 1/4").steps, 4);
    assert_int_equal(read_text("rho-y: same").rho_y, -1);
    assert_int_equal(read_text("subpixel: off").subpixel, 0);
    assert_true(read_text("min-correlation: 0.1").min_correlation == 0.1f);

    /* The method decides the defaults, wherever its line is; values in the file are kept. */
    assert_int_equal(read_text("method: ncc").rho, ncc.rho);
    const sv_params last = read_text("rho: 5\nmethod: ncc\n");
    assert_int_equal(last.method, SV_NCC);
    assert_int_equal(last.rho, 5);
}

/* The seed of tests/fuzz/fuzz has a key of every kind, so that mutations reach all of them. */
TEST(the_seed_names_every_kind_of_key) {
    sv_params params = sv_default_params(SV_SSD);
    view_settings view = view_default();
    sv_error error;
    if (settings_read("tests/support/settings.yaml", &params, &view, NULL, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(params.method, SV_ZNCC);
    assert_int_equal(params.min_disparity, -3);
    assert_int_equal(view.layout, VIEW_SIDE_BY_SIDE);
    assert_true(view.kinds[0] == VIEW_LEFT && view.kinds[1] == VIEW_DISPARITY && view.kinds[2] == VIEW_REASONS);
    assert_int_equal(view.range, VIEW_RANGE_FIXED);
    assert_int_equal(view.colour.empty[1], 0x40);
    assert_true(view.colour.show_reasons && !view.legend && view.metres);
}

/* The window saves every parameter. Those with their method's default count as not chosen, so another method replaces
 * them by its own; the others are kept. */
TEST(a_range_is_written_only_if_it_was_chosen) {
    const char *path = scratch_path("range.yaml");
    sv_params params = sv_default_params(SV_SGM);
    sv_set_found_range(&params, -8, 95);
    assert_int_equal(settings_write(path, &params, NULL, NULL, NULL), SV_OK);
    assert_non_null(strstr(scratch_read(path, NULL), "disparities: auto\n"));
    sv_choose_range(&params, true);
    assert_int_equal(settings_write(path, &params, NULL, NULL, NULL), SV_OK);
    assert_non_null(strstr(scratch_read(path, NULL), "disparities: -8:95\n"));
    params = read_text("disparities: 3:9");
    assert_true(sv_range_is_chosen(&params));
    params = read_text("disparities: 0:63"); /* the default, where none is found */
    assert_true(sv_range_is_chosen(&params));
    params = read_text("disparities: auto");
    assert_false(sv_range_is_chosen(&params));
}

TEST(settings_at_their_default_were_not_chosen) {
    sv_params params = sv_default_params(SV_SSD), got = sv_default_params(SV_SSD);
    const sv_params ncc = sv_default_params(SV_NCC);
    sv_set(&params, sv_find_parameter("rho"), 9);
    sv_set(&params, sv_find_parameter("max-disparity"), 90);
    sv_set(&params, sv_find_parameter("left-right-check"), params.left_right_check);
    const char *path = scratch_path("chosen.yaml");
    assert_int_equal(settings_write(path, &params, NULL, NULL, NULL), SV_OK);
    assert_int_equal(settings_read(path, &got, NULL, NULL, NULL), SV_OK);
    for (int i = 0; i < sv_parameter_count; i++) {
        const char *name = sv_parameters[i].name;
        const bool range = !strcmp(name, "min-disparity") || !strcmp(name, "max-disparity"); /* chosen together */
        assert_int_equal(sv_is_chosen(&got, i), range || !strcmp(name, "rho"));
    }
    got = sv_with_method(got, SV_NCC);
    assert_int_equal(got.rho, 9);
    assert_int_equal(got.max_disparity, 90);
    assert_int_equal(got.left_right_check, ncc.left_right_check);
    assert_int_equal(got.reseed, ncc.reseed);
}

#define SO_MANY "333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333"

TEST(wrong_settings_are_refused) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"rho: 3\nrho: 4\n", "line 2: rho appears twice, first in line 1"},
        {"rho: 3\nrhoo: 4\n", "line 2: there is no setting 'rhoo'"},
        {"min-disparity: 3", "no setting 'min-disparity'"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890: 1", "no setting '1234"},
        {"\n\nrho: 99", "line 3: rho cannot be '99'; it takes a whole number from 0 to 31"},
        {"rho: 1\ntau: on", "line 2: tau cannot be 'on'"},
        {"disparities: 10:5", "line 1: disparities 10:5 is out of range"},
        {"method: sgbm", "line 1: there is no method 'sgbm'"},
        {"colours: jet", "colours cannot be 'jet'; it takes turbo, "},
        {"colour-range: 5", "colour-range cannot be '5'"},
        {"colour-range: 5:inf", "colour-range cannot be '5:inf'"},
        {"colour-range: fixed", "it takes searched, automatic, or MIN:MAX"},
        {"layout: both", "layout cannot be 'both'; it takes one, side by side, over and under, four"},
        {"view: left picture, both", "view cannot be 'left picture, both'; it takes up to 4, separated by commas, of "},
        {"view: blend, blend, blend, blend, blend", "it takes up to 4"},
        {"empty-colour: red", "empty-colour cannot be 'red'"},
        {"show-reasons: 2", "show-reasons cannot be '2'"},
        {"show-legend: no", "show-legend cannot be 'no'; it takes off or on"},
        {"cloud-colours: red", "cloud-colours cannot be 'red'; it takes picture or depth"},
        {"cloud-point-size: 9", "cloud-point-size cannot be '9'; it takes a number from 0.25 to 8"},
        {"legend: feet", "legend cannot be 'feet'; it takes pixels or metres"},
        {"rho: [1, 2]", "line 1: rho takes one value, not a list"},
        {"rho: 1\ntau:\n  deep: 2", "tau takes one value, not a list or a group of keys"},
        {"- rho\n- tau", "line 1: expected lines of 'key: value'"},
        {"rho: &a 3\nrho-y: 3", "line 1: rho uses an anchor"},
        {"rho: 3\nrho-y: *a", "line 2: rho-y uses an anchor"},
        {"rho: 3\n---\nrho: 4", "line 2: a second document"},
        {"rho: 3\n\ttau: 1", "line 2: this is not YAML: "},
        {"rho: \"3\\0\"", "the value of rho cannot be"},
        {"median: " SO_MANY SO_MANY SO_MANY SO_MANY SO_MANY SO_MANY, "the value of median"},
    };
    const sv_params before = sv_default_params(SV_NCC);
    const view_settings shown = view_default();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sv_params params = before;
        view_settings view = shown;
        sv_error error = {"it was read"};
        const char *path = scratch_write_text("wrong.yaml", cases[i].text);
        if (settings_read(path, &params, &view, NULL, &error) != SV_FAILED) fail_msg("accepted: %s", cases[i].text);
        assert_has(error.text, path);
        assert_has(error.text, cases[i].says);
        assert_null(strchr(error.text, '\n'));
        assert_memory_equal(&params, &before, sizeof before);
        assert_memory_equal(&view, &shown, sizeof shown);
    }
}

TEST(a_failed_save_changes_nothing) {
    const char *path = scratch_write_text("kept.yaml", "rho: 9\n");
    const int before = scratch_count();
    sv_params params = sv_default_params(SV_SSD);
    params.rho = 99;
    sv_error error;
    assert_int_equal(settings_write(path, &params, NULL, NULL, &error), SV_USAGE);
    assert_has(error.text, "rho");
    assert_string_equal(scratch_read(path, NULL), "rho: 9\n");
    params.rho = 3;
    assert_int_equal(settings_write(scratch_path("no/folder.yaml"), &params, NULL, NULL, &error), SV_FAILED);
    assert_int_equal(scratch_count(), before);
}

FIXTURES(scratch_setup, scratch_teardown)
