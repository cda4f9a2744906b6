/* The names of sources, in the title and in the panel. */
#include "base/names.h"
#include "render/panel/panel_words.h"
#include "tests/support/test.h"

#include <string.h>

TEST(titles_have_both_names) {
    static const struct {
        const char *left, *right, *title;
    } cases[] = {
        {"/a/b/left.mp4", "right.mp4", "left.mp4 and right.mp4"},
        {"/a/cam0/%06d.png", "/a/cam1/%06d.png", "cam0/%06d.png and cam1/%06d.png"},
        {"x.png", "x.png", "x.png and x.png"},
        {"/a/cam0/data/x.png", "/a/cam1/data/x.png", "data/x.png and data/x.png"},
        {"rtsp://host/left", "rtsp://host/right", "left and right"},
        {"/dev/video0", "/dev/video2", "video0 and video2"},
        {"folder/both.mkv", NULL, "both.mkv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char title[64];
        names_join(cases[i].left, cases[i].right, title, sizeof title);
        assert_string_equal(title, cases[i].title);
    }
}

TEST(long_names_lose_their_middle) {
    static const struct {
        const char *text;
        int most;
        const char *shown;
    } cases[] = {
        {"left.mp4", 8, "left.mp4"},
        {"left.mp4", 20, "left.mp4"},
        {"/home/someone/recordings/left.mp4", 20, "/home...ngs/left.mp4"},
        {"/\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4/\xc3\xb6.png", 10,
         "/\xc3\xa4...\xc3\xb6.png"},
        {"/\xc3\xb6.png", 6, "/\xc3\xb6.png"},
        {"123456789", 4, "1..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char shown[64];
        panel_shorten(cases[i].text, cases[i].most, shown, sizeof shown);
        assert_string_equal(shown, cases[i].shown);
    }
}
