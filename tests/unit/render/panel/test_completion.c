/* Typing the name of a file. */
#include "render/panel/completion.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

TEST(what_is_typed_is_a_folder_and_a_beginning) {
    static const struct {
        const char *typed, *folder, *begins;
    } cases[] = {{"", "", ""},
                 {"le", "", "le"},
                 {"/", "/", ""},
                 {"/data", "/", "data"},
                 {"a/b/", "a/b/", ""},
                 {"../x", "../", "x"},
                 {"~", "", "~"},
                 {"~/v/l", "/home/me/v/", "l"},
                 {"~/l", "/home/me/", "l"}};
    char folder[64];
    setenv("HOME", "/home/me", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(completion_split(cases[i].typed, folder, sizeof folder), cases[i].begins);
        assert_string_equal(folder, cases[i].folder);
    }
}

TEST(what_fits_is_completed_as_far_as_it_is_the_same) {
    static const char *const names[] = {"left_cam.mkv", "left_cam.yaml", "right.mkv",
                                        "Lights",       "m\xc3\xa4",     "m\xc3\xa5"};
    static const struct {
        const char *begins, *common;
        int count;
    } cases[] = {{"le", "left_cam.", 2}, {"r", "right.mkv", 1}, {"left_cam.m", "left_cam.mkv", 1}, {"x", "", 0},
                 {"li", "Lights", 1},    {"m", "m", 2},         {"LEFT", "left_cam.", 2}};
    char common[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(completion_common(names, 6, cases[i].begins, common, sizeof common), cases[i].count);
        assert_string_equal(common, cases[i].common);
    }
}

TEST(a_folder_has_one_above_it) {
    static const char *const cases[][2] = {{"/a/b/", "/a/"}, {"/a/", "/"}, {"/", "/"},        {"a/b/", "a/"},
                                           {"a/", ""},       {"", "../"},  {"../", "../../"}, {"../../", "../../../"},
                                           {"../a/", "../"}};
    char parent[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        completion_parent(cases[i][0], parent, sizeof parent);
        assert_string_equal(parent, cases[i][1]);
    }
}
