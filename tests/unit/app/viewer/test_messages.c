/* The messages of the window: in its own words, and kept in a list. */
#include "app/viewer/viewer_notice.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

/* What names an option of the command line becomes what does it in the window, or is left out. */
TEST(messages_are_in_words_of_the_window) {
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"wrote the settings to a.yaml; --settings a.yaml reads them",
         "wrote the settings to a.yaml; 'Load' in Settings reads them"},
        {"disparities 0:63, found in 3 pairs (-d)", "disparities 0:63, found in 3 pairs"},
        {"left and right were swapped, as 3 pairs show (--swap off prevents this)",
         "left and right were swapped, as 3 pairs show; 'Swap sides' swaps them"},
        {"wrote the snapshot a_0001 (3 files)", "wrote the snapshot a_0001 (3 files)"},
        {"a-b.mkv: cannot be opened; it is no video", "a-b.mkv: cannot be opened; it is no video"},
        {"saved rig.yaml (OpenCV); --calibration rig.yaml reads it",
         "saved rig.yaml (OpenCV); drop the file onto the window to use it later"},
    };
    char text[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(viewer_notice_words(cases[i].line, text, sizeof text), cases[i].words);
}

TEST(the_list_keeps_the_latest) {
    panel_messages shown = {.count = 0};
    static viewer_notice n;
    n.list = &shown;
    char text[32];
    viewer_notice_add(&n, "first", "", SV_LOG_WARNING);
    viewer_notice_add(&n, "first", "", SV_LOG_WARNING);
    assert_int_equal(shown.count, 1);
    assert_int_equal(shown.lines[shown.newest].level, SV_LOG_WARNING);
    assert_null(shown.lines[shown.newest].file);
    viewer_notice_add(&n, "second", "/tmp/a.png", SV_LOG_INFO);
    assert_int_equal(shown.count, 2);
    assert_string_equal(shown.lines[shown.newest].file, "/tmp/a.png");
    viewer_notice_add(&n, "third", "b.png", SV_LOG_INFO);
    const char *file = shown.lines[shown.newest].file;
    assert_true(file[0] == '/' && strlen(file) > 6 && !strcmp(file + strlen(file) - 6, "/b.png"));
    for (int i = 0; i < 2 * PANEL_MOST_MESSAGES; i++) {
        snprintf(text, sizeof text, "line %d", i);
        viewer_notice_add(&n, text, "", SV_LOG_INFO);
    }
    assert_int_equal(shown.count, PANEL_MOST_MESSAGES);
    assert_string_equal(shown.lines[shown.newest].text, text);
    assert_int_equal(strlen(shown.lines[shown.newest].time), 8);
}
