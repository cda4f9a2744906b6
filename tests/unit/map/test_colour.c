/* The colours of disparities and reasons, and pictures that are made of them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/colour.h"
#include "tests/support/screen.h"
#include "tests/support/test.h"

/* Relative luminance of an sRGB colour. */
static double luminance(const uint8_t rgb[3]) {
    const double weight[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        const double v = rgb[c] / 255.0;
        sum += weight[c] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* All 256 colours, as published: turbo by Mikhailov (2019), viridis and magma by van der Walt and Smith (2015). */
static const struct {
    int map;
    const char *colours; /* rrggbb of each entry, in hexadecimal */
} published[] = {
    {COLOUR_TURBO,
     "30123b32154333184a341b51351e5836215f37246638276d392a733a2d793b2f803c32863d358b3e38913f3b973f3e9c4040a24143a7"
     "4146ac4249b1424bb5434eba4451bf4454c34456c74559cb455ccf455ed34661d64664da4666dd4669e0466be3476ee64771e94773eb"
     "4776ee4778f0477bf2467df44680f64682f84685fa4687fb458afc458cfd448ffe4391fe4294ff4196ff4099ff3e9bfe3d9efe3ba0fd"
     "3aa3fc38a5fb37a8fa35abf833adf731aff52fb2f42eb4f22cb7f02ab9ee28bceb27bee925c0e723c3e422c5e220c7df1fc9dd1ecbda"
     "1ccdd81bd0d51ad2d21ad4d019d5cd18d7ca18d9c818dbc518ddc218dec018e0bd19e2bb19e3b91ae4b61ce6b41de7b21fe9af20eaac"
     "22ebaa25eca727eea42aefa12cf09e2ff19b32f29835f39438f4913cf58e3ff68a43f78746f8844af8804ef97d52fa7a55fa7659fb73"
     "5dfc6f61fc6c65fd6969fd666dfe6271fe5f75fe5c79fe597dff5680ff5384ff5188ff4e8bff4b8fff4992ff4796fe4499fe429cfe40"
     "9ffd3fa1fd3da4fc3ca7fc3aa9fb39acfb38affa37b1f936b4f836b7f735b9f635bcf534bef434c1f334c3f134c6f034c8ef34cbed34"
     "cdec34d0ea34d2e935d4e735d7e535d9e436dbe236dde037dfdf37e1dd37e3db38e5d938e7d739e9d539ebd339ecd13aeecf3aefcd3a"
     "f1cb3af2c93af4c73af5c53af6c33af7c13af8be39f9bc39faba39fbb838fbb637fcb336fcb136fdae35fdac34fea933fea732fea431"
     "fea130fe9e2ffe9b2dfe992cfe962bfe932afe9029fd8d27fd8a26fc8725fc8423fb8122fb7e21fa7b1ff9781ef9751df8721cf76f1a"
     "f66c19f56918f46617f36315f26014f15d13f05b12ef5811ed5510ec530feb500eea4e0de84b0ce7490ce5470be4450ae2430ae14109"
     "df3f08dd3d08dc3b07da3907d83706d63506d43305d23105d02f05ce2d04cc2b04ca2a04c82803c52603c32503c12302be2102bc2002"
     "b91e02b71d02b41b01b21a01af1801ac1701a91601a71401a41301a112019e10019b0f01980e01950d01920b018e0a018b0902880802"
     "8507028106027e05027a0403"},
    {COLOUR_VIRIDIS,
     "44015444025645045745055946075a46085c460a5d460b5e470d60470e6147106347116447136548146748166848176948186a481a6c"
     "481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a472d7b472e7c472f7d46307e"
     "46327e46337f463480453581453781453882443983443a83443b84433d84433e85423f85424086424186414287414487404588404688"
     "3f47883f48893e49893e4a893e4c8a3d4d8a3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c"
     "375b8d365c8d365d8d355e8d355f8d34608d34618d33628d33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e"
     "2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e"
     "277e8e277f8e27808e26818e26828e26828e25838e25848e25858e24868e24878e23888e23898e238a8d228b8d228c8d228d8d218e8d"
     "218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a1e9c891e9d891f9e891f9f88"
     "1fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad8128ae8029af7f"
     "2ab07f2cb17e2db27d2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf70"
     "46c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f65cb5e67cc5c69cd5b"
     "6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d54989d5488bd6468ed64590d74393d74195d840"
     "98d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021"
     "c8e020cae11fcde11dd0e11cd2e21bd5e21ad8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61e"
     "f6e620f8e621fbe723fde725"},
    {COLOUR_MAGMA,
     "00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c08071e0907200a08220b0924"
     "0c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b180f3d19103f1a10421c10441d11471e114920114b21114e"
     "22115024125325125527125829115a2a115c2c115f2d11612f116331116533106734106936106b38106c390f6e3b0f703d0f713f0f72"
     "400f74420f75440f764510774710784910784a10794c117a4e117b4f127b51127c52137c54137d56147d57157e59157e5a167e5c167f"
     "5d177f5f187f601880621980641a80651a80671b80681c816a1c816b1d816d1d816e1e81701f81721f81732081752181762181782281"
     "7922827b23827c23827e24828025828125818326818426818627818827818928818b29818c29818e2a81902a81912b81932b80942c80"
     "962c80982d80992d809b2e7f9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327daa337dab337cad347cae347bb0357bb2357b"
     "b3367ab5367ab73779b83779ba3878bc3978bd3977bf3a77c03a76c23b75c43c75c53c74c73d73c83e73ca3e72cc3f71cd4071cf4070"
     "d0416fd2426fd3436ed5446dd6456cd8456cd9466bdb476adc4869de4968df4a68e04c67e24d66e34e65e44f64e55064e75263e85362"
     "e95462ea5661eb5760ec5860ed5a5fee5b5eef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4695cf56b5cf66c5cf66e5cf7705c"
     "f7725cf8745cf8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761fc8961fc8a62fc8c63fc8e64fc9065fd9266"
     "fd9467fd9668fd9869fd9a6afd9b6bfe9d6cfe9f6dfea16efea36ffea571fea772fea973feaa74feac76feae77feb078feb27afeb47b"
     "feb67cfeb77efeb97ffebb81febd82febf84fec185fec287fec488fec68afec88cfeca8dfecc8ffecd90fecf92fed194fed395fed597"
     "fed799fed89afdda9cfddc9efddea0fde0a1fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8"
     "fcf7b9fcf9bbfcfbbdfcfdbf"},
};

TEST(colour_tables_are_the_published_ones) {
    uint8_t table[COLOUR_ENTRIES][3];
    for (size_t m = 0; m < sizeof published / sizeof *published; m++) {
        colour_table(published[m].map, table);
        for (int i = 0; i < COLOUR_ENTRIES; i++)
            for (int c = 0; c < 3; c++) {
                const char digits[] = {published[m].colours[6 * i + 2 * c], published[m].colours[6 * i + 2 * c + 1], 0};
                const int expected = (int)strtol(digits, NULL, 16);
                /* Straight lines between 18 colours come that close. */
                if (abs(table[i][c] - expected) > 4)
                    fail_msg("entry %d of %s: channel %d is %d, not %d", i, colour_map_name(published[m].map), c,
                             table[i][c], expected);
            }
    }
    colour_table(COLOUR_GREY, table);
    for (int i = 0; i < COLOUR_ENTRIES; i++)
        for (int c = 0; c < 3; c++) assert_int_equal(table[i][c], i);
}

enum { LEAST = 24 }; /* the largest difference of a channel, of 255, by which two colours can be told apart */

static int difference_of(const uint8_t a[3], const uint8_t b[3]) {
    int difference = 0;
    for (int c = 0; c < 3; c++)
        if (abs(a[c] - b[c]) > difference) difference = abs(a[c] - b[c]);
    return difference;
}

/* The colour of a pixel without a disparity differs from that of every disparity, in all colour maps. */
TEST(the_empty_colour_is_in_no_map) {
    const colour_settings s = colour_default();
    uint8_t table[COLOUR_ENTRIES][3];
    for (int map = 0; map < COLOUR_MAP_COUNT; map++) {
        colour_table(map, table);
        for (int i = 0; i < COLOUR_ENTRIES; i++)
            if (difference_of(s.empty, table[i]) < LEAST)
                fail_msg("no disparity has nearly the colour of entry %d of %s", i, colour_map_name(map));
    }
}

/* The colour of each reason differs from the others, from that of pixels without a reason, and from those of all
 * disparities in the default map. */
TEST(reasons_have_colours_of_their_own) {
    uint8_t colours[SV_REASON_COUNT][3], table[COLOUR_ENTRIES][3];
    const colour_settings s = colour_default();
    colour_table(s.map, table);
    memcpy(colours[SV_VALID], s.empty, 3);
    for (int i = SV_VALID + 1; i < SV_REASON_COUNT; i++) {
        colour_of_reason(i, colours[i]);
        for (int j = 0; j < i + COLOUR_ENTRIES; j++) {
            const uint8_t *other = j < i ? colours[j] : table[j - i];
            if (difference_of(colours[i], other) < LEAST)
                fail_msg("'%s' has nearly the colour of %s %d", sv_reason_name(i), j < i ? "reason" : "entry",
                         j < i ? j : j - i);
        }
    }
}

TEST(light_maps_grow_lighter) {
    const int light[] = {COLOUR_VIRIDIS, COLOUR_MAGMA, COLOUR_GREY};
    uint8_t table[COLOUR_ENTRIES][3];
    for (int m = 0; m < 3; m++) {
        colour_table(light[m], table);
        /* From one entry to the next the rounding to bytes may hide it. */
        for (int i = 4; i < COLOUR_ENTRIES; i++) assert_true(luminance(table[i]) > luminance(table[i - 4]));
    }
}

TEST(colour_names_are_found) {
    for (int i = 0; i < COLOUR_MAP_COUNT; i++) assert_int_equal(colour_map_of(colour_map_name(i)), i);
    assert_int_equal(colour_map_of("jet"), -1);
    assert_string_equal(colour_map_name(-1), "?");
    assert_string_equal(colour_map_name(COLOUR_MAP_COUNT), "?");
}

TEST(index_is_the_nearest) {
    const float ranges[][2] = {{0, 63}, {-16.5f, 47.25f}, {-1024, 1023}, {0, 1}};
    for (int r = 0; r < 4; r++) {
        const colour_settings s = {.min = ranges[r][0], .max = ranges[r][1]};
        for (int i = -100; i <= 1100; i++) {
            const float d = s.min + (s.max - s.min) * (float)i / 1000;
            const double exact = fmin(fmax(255.0 * ((double)d - s.min) / ((double)s.max - s.min), 0), 255);
            /* Half an entry, and what a float32 cannot resolve. */
            assert_true(fabs(colour_index(&s, d) - exact) <= 0.5 + 1e-4);
        }
        assert_int_equal(colour_index(&s, s.min), 0);
        assert_int_equal(colour_index(&s, s.max), 255);
    }
    const colour_settings halves = {.min = 0, .max = 255};
    assert_int_equal(colour_index(&halves, 2.5f), 2);
    assert_int_equal(colour_index(&halves, 3.5f), 4);
    assert_int_equal(colour_index(&(colour_settings){.min = 5, .max = 5}, 5), 0);
    assert_int_equal(colour_index(&(colour_settings){.min = 9, .max = 5}, 100), 0);
}

/* A range is refused where the distance from its start, as a share of its width, is no number. */
TEST(only_ranges_with_a_width_are_accepted) {
    static const float refused[][2] = {{NAN, 5},        {5, NAN},       {-INFINITY, 5},      {0, INFINITY},
                                       {5, 0},          {0, 1e-45f},    {0, 1e-40f},         {-1e-45f, 0},
                                       {-2e38f, 2e38f}, {0, 7.49e-37f}, {INFINITY, INFINITY}};
    static const float accepted[][2] = {{0, 63}, {12, 12}, {-1024, 1023}, {0, 1e-36f}, {-1e38f, 1e38f}};
    float d[] = {0, 1, -1, FLT_MAX, -FLT_MAX, FLT_TRUE_MIN};
    enum { COUNT = sizeof d / sizeof *d };
    uint8_t rgba[COUNT][4];
    const sv_image disparity = {d, sizeof d, COUNT, 1, SV_FLOAT32, SV_HOST};
    const sv_image colour = {rgba, sizeof rgba, COUNT, 1, SV_COLOUR8, SV_HOST};
    colour_settings s = colour_default();
    sv_error error;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        s.min = refused[i][0];
        s.max = refused[i][1];
        if (colour_check_range(s.min, s.max, &error) != SV_USAGE) fail_msg("%g:%g", (double)s.min, (double)s.max);
        assert_non_null(strstr(error.text, "choose finite numbers"));
        assert_int_equal(colour_picture(&s, &disparity, NULL, &colour, &error), SV_USAGE);
    }
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        s.min = accepted[i][0];
        s.max = accepted[i][1];
        assert_int_equal(colour_check_range(s.min, s.max, &error), SV_OK);
        for (int k = 0; k < COUNT; k++) assert_in_range(colour_index(&s, d[k]), 0, COLOUR_ENTRIES - 1);
    }
}

TEST(picture_follows_the_rule) {
    for (int n = 0; n < SIZES; n++) {
        sv_image disparity = make_padded(sizes[n][0], sizes[n][1], SV_FLOAT32), reason = disparity, colour = disparity;
        reason = make_padded(disparity.width, disparity.height, SV_REASON8);
        colour = make_padded(disparity.width, disparity.height, SV_COLOUR8);
        fill_maps(&disparity, &reason);
        for (int map = 0; map < COLOUR_MAP_COUNT; map++)
            for (int why = 0; why < 3; why++) { /* off; on; on without a reason map */
                const colour_settings s = {
                    .map = map, .min = 0, .max = 63, .empty = {1, 2, 3}, .show_reasons = why > 0};
                uint8_t table[COLOUR_ENTRIES][3], expected[3];
                colour_table(map, table);
                assert_int_equal(colour_picture(&s, &disparity, why == 2 ? NULL : &reason, &colour, NULL), SV_OK);
                for (int y = 0; y < colour.height; y++)
                    for (int x = 0; x < colour.width; x++) {
                        const float d = ((float *)sv_row(&disparity, y))[x];
                        const int because = ((uint8_t *)sv_row(&reason, y))[x];
                        const uint8_t *got = (uint8_t *)sv_row(&colour, y) + 4 * x;
                        if (why == 1 && because > SV_VALID && because < SV_REASON_COUNT)
                            colour_of_reason(because, expected);
                        else if (isfinite(d))
                            memcpy(expected, table[colour_index(&s, d)], 3);
                        else
                            memcpy(expected, s.empty, 3);
                        assert_memory_equal(got, expected, 3);
                        assert_int_equal(got[3], 255);
                    }
                assert_guarded(&colour);
            }
        free(disparity.data);
        free(reason.data);
        free(colour.data);
    }
}
