/* Statistics, the log, the settings file and the command line: app/stats, app/log, app/settings, app/options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/log.h"
#include "app/options.h"
#include "app/settings.h"
#include "app/stats.h"
#include "render/colour.h"
#include "stereo/quality.h"
#include "tests/scratch.h"

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define assert_has(text, part)                                                                                         \
    do {                                                                                                               \
        if (!strstr(text, part)) fail_msg("'%s' is not in: %s", part, text);                                           \
    } while (0)

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-4)) fail_msg("%.9g is not %.9g", value, expected);
}

/* ---- Statistics ------------------------------------------------------------------------------- */

static void medians_and_percentiles(void **state) {
    (void)state;
    stats *s = stats_create();
    assert_non_null(s);
    stats_figures none = stats_of(s, STATS_MATCH);
    assert_true(isnan(none.median) && isnan(none.p95) && none.samples == 0);

    stats_add(s, STATS_DRAW, 3);
    assert_near(stats_of(s, STATS_DRAW).median, 3);
    assert_near(stats_of(s, STATS_DRAW).p95, 3);
    stats_add(s, STATS_DRAW, 1);
    assert_near(stats_of(s, STATS_DRAW).median, 2);
    assert_near(stats_of(s, STATS_DRAW).p95, 2.9);

    /* 1..101 in mixed order: the median is 51, and the 95th percentile 96. */
    for (int i = 0; i < 101; i++) stats_add(s, STATS_MATCH, 1 + i * 37 % 101);
    assert_near(stats_of(s, STATS_MATCH).median, 51);
    assert_near(stats_of(s, STATS_MATCH).p95, 96);
    assert_int_equal(stats_of(s, STATS_MATCH).samples, 101);
    assert_int_equal(stats_of(s, STATS_WAIT).samples, 0);

    /* Only the last 4096 count. */
    for (int i = 0; i < 4096; i++) stats_add(s, STATS_MATCH, 7);
    assert_near(stats_of(s, STATS_MATCH).median, 7);
    assert_near(stats_of(s, STATS_MATCH).p95, 7);
    for (int i = 0; i < 16; i++) stats_add(s, STATS_MATCH, 9);
    assert_near(stats_of(s, STATS_MATCH).median, 7);
    assert_int_equal(stats_of(s, STATS_MATCH).samples, 101 + 4096 + 16);
    stats_destroy(s);
    stats_destroy(NULL);
}

static void stages_that_did_not_run_are_left_out(void **state) {
    (void)state;
    stats *s = stats_create();
    stats_add_times(s, &(sv_times){.ms = {[SV_MATCH] = 5, [SV_REFINE] = 2}});
    assert_int_equal(stats_of(s, STATS_UPLOAD).samples, 0);
    assert_near(stats_of(s, STATS_MATCH).median, 5);
    assert_near(stats_of(s, STATS_REFINE).median, 2);
    for (int i = 0; i < SV_STAGE_COUNT; i++) {
        bool known = false;
        for (int j = 0; j < STATS_SERIES_COUNT; j++) known |= !strcmp(sv_stage_name(i), stats_series_name(j));
        assert_true(known);
    }
    stats_destroy(s);
}

static void rates(void **state) {
    (void)state;
    stats *s = stats_create();
    assert_near(stats_rate(s, STATS_DRAWN), 0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 1), 0);
    stats_tick(s, STATS_DRAWN, 100);
    assert_near(stats_rate(s, STATS_DRAWN), 0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 100), 0);
    /* 10 a second for 20 seconds, then 50 a second for 5. */
    for (int i = 1; i <= 200; i++) stats_tick(s, STATS_DRAWN, 100 + i / 10.0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 120.05), 10);
    for (int i = 1; i <= 250; i++) stats_tick(s, STATS_DRAWN, 120 + i / 50.0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 125), 50);
    assert_near(stats_rate(s, STATS_DRAWN), 450 / 25.0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 127.5), 0); /* it has stopped */
    /* More in two seconds than are stored. */
    for (int i = 1; i <= 4000; i++) stats_tick(s, STATS_DRAWN, 130 + i / 2000.0);
    assert_near(stats_recent_rate(s, STATS_DRAWN, 132), 2000);
    assert_int_equal(stats_count(s, STATS_DRAWN), 4451);
    assert_int_equal(stats_count(s, STATS_MATCHED), 0);
    stats_destroy(s);
}

static const stats_subject subject = {.version = "1.2",
                                      .backend = "cpu",
                                      .device = "A \"card\"\\\n\xc3\xa9",
                                      .method = "ncc",
                                      1242,
                                      375,
                                      64,
                                      1242.0 * 375 * 64};

static stats *filled(void) {
    stats *s = stats_create();
    stats_set_subject(s, &subject);
    stats_add(s, STATS_MATCH, 1.5);
    stats_add(s, STATS_MATCH, 2.5);
    stats_add(s, STATS_DECODE, 0.25);
    for (int i = 0; i < 3; i++) stats_tick(s, STATS_MATCHED, 10 + i * 0.5);
    return s;
}

static void json(void **state) {
    (void)state;
    stats *s = filled();
    /* Numbers have a decimal point even if the user's locale has a comma. */
    const bool comma = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
    const char *path = scratch_path("stats.json");
    assert_int_equal(stats_write(s, path, NULL), SV_OK);
    assert_string_equal(scratch_read(path, NULL),
                        "{\n"
                        "  \"version\": \"1.2\",\n"
                        "  \"backend\": \"cpu\",\n"
                        "  \"device\": \"A \\\"card\\\"\\\\\\u000a??\",\n"
                        "  \"method\": \"ncc\",\n"
                        "  \"width\": 1242,\n"
                        "  \"height\": 375,\n"
                        "  \"frames\": 3,\n"
                        "  \"stages\": {\n"
                        "    \"decode\": {\"median_ms\": 0.2500, \"p95_ms\": 0.2500},\n"
                        "    \"match\": {\"median_ms\": 2.0000, \"p95_ms\": 2.4500}\n"
                        "  },\n"
                        "  \"latency_ms\": {\"median\": null, \"p95\": null},\n"
                        "  \"rates\": {\"capture\": 0.0000, \"match\": 2.0000, \"draw\": 0.0000},\n"
                        "  \"drops\": {},\n"
                        "  \"damaged\": {\"kept\": 0, \"skipped\": 0, \"lost\": 0}\n"
                        "}\n");
    stats_add(s, STATS_LATENCY, 12.34567);
    stats_set_drops(s, "late", 1);
    stats_add_damage(s, (stats_damage){.kept = 1, .skipped = 2});
    stats_add_damage(s, (stats_damage){.kept = 3, .lost = 5});
    stats_set_drops(s, "no \"partner\"", 0);
    stats_set_drops(s, "late", 4);
    stats_set_figure(s, "skew_ms", 3);
    stats_set_figure(s, "vertical_offset_px", NAN);
    stats_set_figure(s, "skew_ms", -0.25);
    assert_int_equal(stats_write(s, path, NULL), SV_OK);
    assert_has(scratch_read(path, NULL), "\"latency_ms\": {\"median\": 12.3457, \"p95\": 12.3457}");
    assert_has(scratch_read(path, NULL), "\"drops\": {\"late\": 4, \"no \\\"partner\\\"\": 0},\n  \"damaged\": "
                                         "{\"kept\": 4, \"skipped\": 2, \"lost\": 5},\n  \"skew_ms\": "
                                         "-0.2500,\n  \"vertical_offset_px\": null\n}\n");
    if (comma) setlocale(LC_NUMERIC, "C");

    static const char *const many[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (int i = 0; i < 9; i++) stats_set_drops(s, many[i], 10 + i);
    assert_int_equal(stats_write(s, path, NULL), SV_OK);
    assert_has(scratch_read(path, NULL), ", \"6\": 15}");

    sv_error error;
    assert_int_equal(stats_write(s, scratch_path("no/folder.json"), &error), SV_FAILED);
    assert_has(error.text, "no/folder.json");
    stats_destroy(s);
}

static void benchmark_table(void **state) {
    (void)state;
    stats *s = filled();
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    stats_print_table(s, stream);
    fclose(stream);
    assert_has(text, ", 1242 x 375 pixels, 64 disparities, 3 frames\n");
    assert_has(text, "stage        median ms     95 % ms\n"
                     "decode           0.250       0.250\n"
                     "match            2.000       2.450\n\n");
    assert_has(text, "frames a second                                 2.00\n");
    assert_has(text, "million disparity evaluations a second          59.6\n"); /* 1242 * 375 * 64 * 2 */
    free(text);
    stats_destroy(s);
}

static void *add_many(void *to) {
    for (int i = 0; i < 2000; i++) {
        stats_add(to, STATS_MATCH, 1);
        stats_tick(to, STATS_MATCHED, i);
        stats_set_drops(to, "late", i);
        if (i % 500 == 0) stats_of(to, STATS_MATCH);
    }
    return NULL;
}

static void threads_lose_nothing(void **state) {
    (void)state;
    stats *s = stats_create();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, add_many, s), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    assert_int_equal(stats_of(s, STATS_MATCH).samples, 8000);
    assert_int_equal(stats_count(s, STATS_MATCHED), 8000);
    stats_destroy(s);
}

/* ---- The log ---------------------------------------------------------------------------------- */

static int kept_stderr;

/* Redirects standard error to a file until logged() returns what was written. */
static void capture_log(sv_level most) {
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    const int file = open(scratch_path("log.txt"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    close(file);
    log_start(most);
}

static const char *logged(void) {
    log_stop();
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    return scratch_read(scratch_path("log.txt"), NULL);
}

static void say_all(void) {
    sv_log(SV_LOG_ERROR, "e %d", 1);
    sv_log(SV_LOG_WARNING, "w");
    sv_log(SV_LOG_INFO, "i");
    sv_log(SV_LOG_DEBUG, "d");
}

static void log_levels(void **state) {
    (void)state;
    capture_log(SV_LOG_ERROR);
    say_all();
    assert_string_equal(logged(), "stereoview: error: e 1\n");
    capture_log(SV_LOG_INFO);
    say_all();
    assert_string_equal(logged(), "stereoview: error: e 1\nstereoview: warning: w\nstereoview: i\n");
    capture_log(SV_LOG_DEBUG);
    say_all();
    assert_has(logged(), "stereoview: i\nstereoview: debug: d\n");
}

static void log_repeats(void **state) {
    (void)state;
    capture_log(SV_LOG_INFO);
    for (int i = 0; i < 5; i++) sv_log(SV_LOG_WARNING, "again");
    sv_log(SV_LOG_INFO, "again"); /* of another level, so another message */
    sv_log(SV_LOG_INFO, "other");
    sv_log(SV_LOG_INFO, "other");
    assert_string_equal(logged(), "stereoview: warning: again\n"
                                  "stereoview: warning: last message repeated 4 times\n"
                                  "stereoview: again\n"
                                  "stereoview: other\n"
                                  "stereoview: last message repeated 1 time\n");
}

static void log_is_one_line_without_control_characters(void **state) {
    (void)state;
    char text[3000];
    memset(text, 'x', sizeof text);
    memcpy(text, "a\nb\x1b[2Jc\xc3\xa9", 10);
    text[sizeof text - 1] = 0;
    capture_log(SV_LOG_INFO);
    sv_log(SV_LOG_INFO, "%s", text);
    const char *got = logged();
    assert_has(got, "stereoview: a?b?[2Jc\xc3\xa9xxx");
    assert_ptr_equal(strchr(got, '\n'), got + strlen(got) - 1);
    assert_in_range(strlen(got), 1000, 1100);
}

/* How names and addresses are printed. */
static void shown_names_are_clean(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"caf\xc3\xa9 \xc3\x80 \xe2\x82\xac \xf0\x9f\x8e\xa5.mp4",
         "caf\xc3\xa9 \xc3\x80 \xe2\x82\xac \xf0\x9f\x8e\xa5.mp4"},
        {"a\xc2\x9b"
         "2Jb\xc2\x80\xc2\xa0.mp4",
         "a?2Jb?\xc2\xa0.mp4"}, /* C1, coded: a terminal's CSI */
        {"a\x9b"
         "2J\x80\x9f.mp4",
         "a?2J??.mp4"}, /* and as plain bytes */
        {"cut \xe2\x82", "cut ??"},
        {"\x1b\x7f\n", "???"},
        {"rtsp://me:secret@host/a: no answer", "rtsp://me:***@host/a: no answer"},
        {"rtsp://me:se@cr:et@host:554/a", "rtsp://me:***@host:554/a"},
        {"rtsp://me@host/a and http://b:80/c@d", "rtsp://me@host/a and http://b:80/c@d"},
        {"http://u:p@a/ http://v:longer@b", "http://u:*@a/ http://v:***@b"},
        {"rtsp://host/a?user=me&password=secret&n=1: no", "rtsp://host/a?user=me&password=***&n=1: no"},
        {"password=5 in a text without an address", "password=5 in a text without an address"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", cases[i][0]);
        log_clean(text);
        assert_string_equal(text, cases[i][1]);
        capture_log(SV_LOG_INFO);
        sv_log(SV_LOG_INFO, "%s", cases[i][0]);
        assert_has(logged(), cases[i][1]);
    }
}

static void latest_message(void **state) {
    (void)state;
    sv_level level = SV_LOG_DEBUG;
    char line[8] = "?";
    capture_log(SV_LOG_ERROR);
    const unsigned before = log_latest(&level, line, sizeof line);
    assert_string_equal(line, "");
    sv_log(SV_LOG_WARNING, "the file is lost");
    sv_log(SV_LOG_DEBUG, "noise");
    const unsigned after = log_latest(&level, line, sizeof line);
    sv_log(SV_LOG_WARNING, "the file is lost");
    const unsigned repeated = log_latest(&level, line, sizeof line);
    logged();
    assert_int_equal(before, 0);
    assert_int_equal(after, 1);
    assert_int_equal(repeated, 2);
    assert_int_equal(level, SV_LOG_WARNING);
    assert_string_equal(line, "the fil");
}

static void *log_many(void *text) {
    for (int i = 0; i < 200; i++) sv_log(SV_LOG_INFO, "%s %d", (const char *)text, i);
    return NULL;
}

static void threads_log_whole_lines(void **state) {
    (void)state;
    static char names[4][4] = {"one", "two", "six", "ten"};
    pthread_t threads[4];
    capture_log(SV_LOG_INFO);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, log_many, names[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    int lines = 0;
    for (const char *line = logged(); *line; line = strchr(line, '\n') + 1, lines++)
        assert_memory_equal(line, "stereoview: ", 12);
    assert_int_equal(lines, 800);
}

/* ---- Settings --------------------------------------------------------------------------------- */

/* A value in the parameter's range, another for each seed. */
static double some_value(const sv_parameter *p, unsigned *seed) {
    const double part = (*seed = *seed * 1664525u + 1013904223u) / 4294967296.0;
    if (p->kind != SV_CHOICE) return p->min + part * (p->max - p->min);
    int choices = 0;
    while (choices < SV_MAX_CHOICES && p->choices[choices]) choices++;
    return p->choice_values[(int)(part * choices)];
}

static void settings_come_back_exactly(void **state) {
    (void)state;
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

static void settings_by_hand(void **state) {
    (void)state;
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

/* The seed of tests/fuzz has every key, so that mutations reach them all. */
static void the_seed_names_every_kind_of_key(void **state) {
    (void)state;
    sv_params params = sv_default_params(SV_SSD);
    view_settings view = view_default();
    sv_error error;
    if (settings_read("tests/settings.yaml", &params, &view, NULL, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(params.method, SV_ZNCC);
    assert_int_equal(params.min_disparity, -3);
    assert_int_equal(view.layout, VIEW_SIDE_BY_SIDE);
    assert_true(view.kinds[0] == VIEW_LEFT && view.kinds[1] == VIEW_DISPARITY && view.kinds[2] == VIEW_REASONS);
    assert_int_equal(view.range, VIEW_RANGE_FIXED);
    assert_int_equal(view.colour.empty[1], 0x40);
    assert_true(view.colour.show_reasons && view.metres);
}

/* The window saves every parameter. Those with their method's default count as not chosen, so another method replaces
 * them by its own; the others are kept. */
static void settings_at_their_default_were_not_chosen(void **state) {
    (void)state;
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
        assert_int_equal(got.chosen >> i & 1, !strcmp(name, "rho") || !strcmp(name, "max-disparity"));
    }
    got = sv_with_method(got, SV_NCC);
    assert_int_equal(got.rho, 9);
    assert_int_equal(got.max_disparity, 90);
    assert_int_equal(got.left_right_check, ncc.left_right_check);
    assert_int_equal(got.reseed, ncc.reseed);
}

static void settings_that_are_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"rho: 3\nrho: 4\n", "line 2: rho appears twice, first in line 1"},
        {"rho: 3\nrhoo: 4\n", "line 2: there is no setting 'rhoo'"},
        {"min-disparity: 3", "no setting 'min-disparity'"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890: 1", "no setting '1234"},
        {"\n\nrho: 99", "line 3: rho cannot be '99'; it takes a whole number from 0 to 31"},
        {"rho: 2.5", "rho cannot be '2.5'"},
        {"rho:", "rho cannot be ''"},
        {"rho: 1\ntau: on", "line 2: tau cannot be 'on'"},
        {"disparities: 10:5", "line 1: disparities 10:5 is out of range"},
        {"disparities: 64", "disparities takes MIN:MAX"},
        {"method: sgbm", "line 1: there is no method 'sgbm'"},
        {"colours: jet", "colours cannot be 'jet'; it takes one of turbo, "},
        {"colour-range: 5", "colour-range cannot be '5'"},
        {"colour-range: 5:inf", "colour-range cannot be '5:inf'"},
        {"colour-range: fixed", "it takes searched, automatic, or MIN:MAX"},
        {"layout: both", "layout cannot be 'both'; it takes one of one, side by side, over and under, four"},
        {"view: left picture, both", "view cannot be 'left picture, both'; it takes up to 4, separated by commas, of "},
        {"view: blend, blend, blend, blend, blend", "it takes up to 4"},
        {"empty-colour: red", "empty-colour cannot be 'red'"},
        {"empty-colour: \"#12345g\"", "empty-colour cannot be"},
        {"show-reasons: 2", "show-reasons cannot be '2'"},
        {"cloud-colours: red", "cloud-colours cannot be 'red'; it takes picture or depth"},
        {"cloud-point-size: 9", "cloud-point-size cannot be '9'; it takes a number from 0.25 to 8"},
        {"cloud-point-size: 1x", "cloud-point-size cannot be '1x'"},
        {"cloud-grid: 1", "cloud-grid cannot be '1'; it takes on or off"},
        {"cloud-edges: yes", "cloud-edges cannot be 'yes'"},
        {"legend: feet", "legend cannot be 'feet'; it takes pixels or metres"},
        {"rho: [1, 2]", "line 1: rho takes one value, not a list"},
        {"rho: 1\ntau:\n  deep: 2", "tau takes one value, not a list or a group of keys"},
        {"- rho\n- tau", "line 1: expected lines of 'key: value'"},
        {"just words", "expected lines of 'key: value'"},
        {"[[[[[[[[", "expected lines of 'key: value'"},
        {"? [rho]\n: 1", "expected lines of 'key: value'"},
        {"rho: &a 3\nrho-y: 3", "line 1: rho uses an anchor"},
        {"rho: 3\nrho-y: *a", "line 2: rho-y uses an anchor"},
        {"&a {rho: 3}", "an anchor"},
        {"rho: 3\n---\nrho: 4", "line 2: a second document"},
        {"rho: 3\n\ttau: 1", "line 2: this is not YAML: "},
        {"rho: \"3", "this is not YAML: "},
        {"rho: 3\xff\n", "this is not YAML: "},
        {"rho: \"3\\0\"", "the value of rho cannot be"},
        {"rho: 3\n}", "line 2: this is not YAML: "},
        {"median: "
         "3333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333",
         "the value of median"},
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

static void settings_files_that_are_none(void **state) {
    (void)state;
    sv_params params = sv_default_params(SV_SSD);
    sv_error error;
    assert_int_equal(settings_read(scratch_path("gone.yaml"), &params, NULL, NULL, &error), SV_FAILED);
    assert_has(error.text, "gone.yaml");
    assert_int_equal(settings_read(scratch_path("."), &params, NULL, NULL, &error), SV_FAILED);
    const size_t size = (1 << 20) + 1;
    char *text = malloc(size);
    memset(text, '\n', size);
    memcpy(text, "rho: 4", 6);
    assert_int_equal(settings_read(scratch_write("big.yaml", text, size), &params, NULL, NULL, &error), SV_FAILED);
    assert_has(error.text, "larger than 1 MiB");
    assert_int_equal(settings_read(scratch_write("big.yaml", text, size - 1), &params, NULL, NULL, &error), SV_OK);
    assert_int_equal(params.rho, 4);
    free(text);
}

static void a_failed_save_changes_nothing(void **state) {
    (void)state;
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

/* ---- The command line ------------------------------------------------------------------------- */

/* Milliseconds on the command line, seconds inside. */
static void tolerance_is_in_milliseconds(void **state) {
    (void)state;
    char *arguments[] = {"stereoview", "-c", "/dev/video0", "/dev/video2", "--tolerance", "12.5", NULL};
    options o;
    sv_error error = {""};
    if (options_read(&o, 6, arguments, &error) != SV_OK) fail_msg("%s", error.text);
    assert_near(o.tolerance, 0.0125);
}

/* The views, in a layout with room for them; they are the window's. */
static void views_are_chosen(void **state) {
    (void)state;
    options o;
    sv_error error = {""};
    char *one[] = {"stereoview", "--demo", "--view", "cloud", NULL};
    assert_int_equal(options_read(&o, 4, one, &error), SV_OK);
    assert_int_equal(o.view.layout, VIEW_ONE);
    assert_int_equal(o.view.kinds[0], VIEW_CLOUD);
    one[3] = "left picture, disparity,cloud";
    assert_int_equal(options_read(&o, 4, one, &error), SV_OK);
    assert_int_equal(o.view.layout, VIEW_FOUR);
    assert_int_equal(o.view.kinds[0], VIEW_LEFT);
    assert_int_equal(o.view.kinds[2], VIEW_CLOUD);
    one[3] = "cloud,cloudy";
    assert_int_equal(options_read(&o, 4, one, &error), SV_USAGE);
    assert_has(error.text, "cloudy");
    char *headless[] = {"stereoview", "--demo", "--headless", "--view", "cloud", NULL};
    assert_int_equal(options_read(&o, 5, headless, &error), SV_USAGE);
    assert_has(error.text, "--view is for the window");
    char *rate[] = {"stereoview", "--demo", "--draw-rate", "200", "--benchmark", NULL};
    assert_int_equal(options_read(&o, 5, rate, &error), SV_OK);
    assert_true(o.draw_rate == 200);
    assert_int_equal(options_read(&o, 4, rate, &error), SV_USAGE);
    assert_has(error.text, "--draw-rate needs --benchmark");
    rate[3] = "0";
    assert_int_equal(options_read(&o, 5, rate, &error), SV_USAGE);
}

/* Reads the arguments after --demo --headless. */
static sv_params read_options(int count, char **arguments) {
    char *all[12] = {"stereoview", "--demo", "--headless"};
    options o;
    sv_error error = {""};
    for (int i = 0; i < count; i++) all[3 + i] = arguments[i];
    if (options_read(&o, 3 + count, all, &error) != SV_OK) fail_msg("%s", error.text);
    return o.params;
}
#define OPTIONS(...) read_options((int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__})

static void qualities(void **state) {
    (void)state;
    for (int i = 0; i < SV_QUALITY_COUNT; i++) {
        const sv_params params = OPTIONS("-d", "3:40", "--quality", (char *)sv_qualities[i].name);
        assert_int_equal(params.method, sv_qualities[i].method);
        assert_int_equal(sv_find_quality(&params), i);
        assert_int_equal(params.min_disparity, 3);
        assert_int_equal(params.max_disparity, 40);
        const sv_quality *q = &sv_qualities[i];
        for (int k = 0; k < SV_QUALITY_SETTINGS && q->settings[k].parameter; k++) {
            char text[32];
            const sv_parameter *p = sv_find_parameter(q->settings[k].parameter);
            assert_non_null(p);
            assert_true(p->methods >> q->method & 1);
            assert_string_equal(sv_print(&params, p, text, sizeof text), q->settings[k].value);
        }
    }
    /* Nothing is the default, and the default is one of them. */
    sv_params params = OPTIONS("-q");
    assert_int_equal(params.method, SV_DEFAULT_METHOD);
    assert_string_equal(sv_quality_name(sv_find_quality(&params)), "balanced");
    /* Other options override it, in any order. */
    params = OPTIONS("--holes", "7", "--quality", "best");
    assert_int_equal(params.holes, 7);
    assert_int_equal(params.weighted_median, 3);
    assert_int_equal(sv_find_quality(&params), -1);
    params = OPTIONS("-m", "sgm", "--quality", "best");
    assert_int_equal(params.weighted_median, 3);
    params = OPTIONS("-m", "ncc", "--quality", "best");
    const sv_params ncc = sv_default_params(SV_NCC);
    assert_memory_equal(&params, &ncc, sizeof params);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qualities),
        cmocka_unit_test(medians_and_percentiles),
        cmocka_unit_test(stages_that_did_not_run_are_left_out),
        cmocka_unit_test(rates),
        cmocka_unit_test(json),
        cmocka_unit_test(benchmark_table),
        cmocka_unit_test(threads_lose_nothing),
        cmocka_unit_test(log_levels),
        cmocka_unit_test(log_repeats),
        cmocka_unit_test(log_is_one_line_without_control_characters),
        cmocka_unit_test(shown_names_are_clean),
        cmocka_unit_test(latest_message),
        cmocka_unit_test(threads_log_whole_lines),
        cmocka_unit_test(settings_come_back_exactly),
        cmocka_unit_test(settings_by_hand),
        cmocka_unit_test(the_seed_names_every_kind_of_key),
        cmocka_unit_test(settings_at_their_default_were_not_chosen),
        cmocka_unit_test(settings_that_are_wrong),
        cmocka_unit_test(settings_files_that_are_none),
        cmocka_unit_test(a_failed_save_changes_nothing),
        cmocka_unit_test(tolerance_is_in_milliseconds),
        cmocka_unit_test(views_are_chosen),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
