/* Frames whose picture is in the memory of a graphics card, without one: that memory is the host's here, and only the
 * functions of the backend may read it. */
#include "capture/split.h"
#include "stereo/alloc.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 70, HEIGHT = 20 };

static struct {
    int allocated, freed, fetched;
    bool full, broken;
} card;

static void *alloc_on(int device, size_t bytes) {
    assert_int_equal(device, 3);
    card.allocated += !card.full;
    return card.full ? NULL : malloc(bytes);
}

static void *alloc_host(size_t bytes) {
    card.allocated++;
    return malloc(bytes);
}

static void free_any(void *memory) {
    card.freed++;
    free(memory);
}

/* Bytes are inverted on the way, so that a picture that was not fetched is wrong. */
static sv_status fetch(int device, const sv_image *from, const sv_image *to, sv_error *error) {
    assert_int_equal(device, 3);
    assert_true(from->memory == SV_DEVICE && to->memory == SV_HOST);
    assert_true(from->width == to->width && from->height == to->height);
    card.fetched++;
    if (card.broken) return sv_fail(error, SV_FAILED, "it has fallen off the bus");
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++)
            ((uint8_t *)sv_row(to, y))[x] = (uint8_t) ~((const uint8_t *)sv_row(from, y))[x];
    return SV_OK;
}

static const sv_backend backend = {.alloc = alloc_host, .free = free_any, .alloc_on = alloc_on, .fetch = fetch};

static uint8_t value_at(int x, int y) { return (uint8_t)(7 * x + 29 * y); }

static pool *open_pool(void) {
    memset(&card, 0, sizeof card);
    return pool_create((pool_memory){backend.alloc, backend.free});
}

static frame *make_frame(pool *pool) {
    frame *f = frame_create_on_card(pool, (pool_card){&backend, 3}, WIDTH, HEIGHT);
    for (int y = 0; f && y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) ((uint8_t *)sv_row(&f->grey, y))[x] = (uint8_t)~value_at(x, y);
    return f;
}

/* The picture has the values of the whole from x, y on. */
static void expect(const sv_image *grey, int width, int height, int x, int y) {
    assert_int_equal(grey->memory, SV_HOST);
    assert_true(grey->width == width && grey->height == height);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            if (((uint8_t *)sv_row(grey, j))[i] != value_at(x + i, y + j)) fail_msg("pixel %d, %d", i, j);
}

/* It is copied when it is first requested, and the memory is used again and freed. */
TEST(a_picture_is_fetched_once) {
    pool *pool = open_pool();
    for (int i = 0; i < 3; i++) {
        frame *f = make_frame(pool);
        assert_int_equal(f->grey.memory, SV_DEVICE);
        assert_int_equal(card.fetched, i);
        expect(frame_grey(f), WIDTH, HEIGHT, 0, 0);
        expect(frame_picture(f), WIDTH, HEIGHT, 0, 0);
        assert_int_equal(card.fetched, i + 1);
        frame_release(f);
    }
    assert_int_equal(card.allocated, 2); /* on the card and in host memory */
    frame *last = make_frame(pool);
    pool_close(pool);
    assert_int_equal(card.freed, 0);
    frame_release(last);
    assert_int_equal(card.freed, 2);
}

TEST(a_picture_in_host_memory_is_its_own) {
    pool *pool = open_pool();
    frame *f = frame_create(pool, WIDTH, HEIGHT, true, true);
    assert_ptr_equal(frame_grey(f), &f->grey);
    assert_ptr_equal(frame_picture(f), &f->colour);
    frame_release(f);
    pool_close(pool);
    assert_true(card.fetched == 0 && card.freed == card.allocated);
}

static char warning[512];

static void note_warning(sv_level level, const char *line) {
    if (level == SV_LOG_WARNING) snprintf(warning, sizeof warning, "%s", line);
}

TEST(a_card_that_fails) {
    pool *pool = open_pool();
    frame *f = make_frame(pool);
    sv_set_log(note_warning);
    card.broken = true;
    memset(f->host.data, 77, f->host.stride * HEIGHT);
    const sv_image *black = frame_grey(f);
    sv_set_log(NULL);
    assert_non_null(strstr(warning, "it has fallen off the bus"));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) assert_int_equal(((uint8_t *)sv_row(black, y))[x], 0);
    frame_release(f);
    pool_close(pool);
    pool = open_pool();
    card.full = true;
    assert_null(make_frame(pool));
    pool_close(pool);
    assert_int_equal(card.freed, card.allocated);
}

/* A source of one frame on the card, which holds two views. */
typedef struct one_frame {
    source base;
    pool *pool;
} one_frame;

static sv_status read_one(source *base, frame **out, sv_error *error) {
    (void)error;
    *out = make_frame(((one_frame *)base)->pool);
    return SV_OK;
}

static void interrupt(source *base) { (void)base; }

static void close_one(source *base) {
    pool_close(((one_frame *)base)->pool);
    free(base->name);
    free(base);
}

static const source_operations operations = {.read = read_one, .interrupt = interrupt, .close = close_one};

TEST(views_of_one_picture_stay_there) {
    static const split_layout layouts[] = {SPLIT_SIDE_BY_SIDE, SPLIT_TOP_BOTTOM};
    for (int i = 0; i < 2; i++) {
        const bool beside = layouts[i] == SPLIT_SIDE_BY_SIDE;
        const int width = beside ? WIDTH / 2 : WIDTH, height = beside ? HEIGHT : HEIGHT / 2;
        one_frame *whole = sv_alloc(1, sizeof *whole);
        source *halves[2];
        frame *parts[2];
        sv_error error;
        *whole = (one_frame){.base = {.operations = &operations,
                                      .name = sv_strdup("one frame"),
                                      .info = {.width = WIDTH, .height = HEIGHT, .rate = 25}},
                             .pool = open_pool()};
        const split_options how = {.layout = layouts[i], .memory = {backend.alloc, backend.free}};
        assert_int_equal(sources_split(&whole->base, &how, halves, &error), SV_OK);
        for (int which = 0; which < 2; which++) {
            assert_int_equal(source_read(halves[which], &parts[which], &error), SV_OK);
            assert_int_equal(parts[which]->grey.memory, SV_DEVICE);
        }
        assert_int_equal(card.fetched, 0);
        for (int which = 0; which < 2; which++)
            expect(frame_grey(parts[which]), width, height, which && beside ? width : 0, which && !beside ? height : 0);
        for (int which = 0; which < 2; which++) {
            frame_release(parts[which]);
            source_close(halves[which]);
        }
        assert_int_equal(card.freed, card.allocated);
    }
}
