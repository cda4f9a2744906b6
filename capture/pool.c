/* Frames and the pool of memory that holds them: see pool.h. */
#include "capture/pool.h"

#include "stereo/alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* The header of a block, in the ALIGNMENT bytes before the memory that the user sees. */
typedef struct block {
    struct block *next; /* while idle */
    void *memory;       /* as it was allocated */
    void *on_card;      /* as many bytes in the memory of a card; NULL until they are wanted */
    size_t bytes;       /* that the user may write */
} block;

_Static_assert(sizeof(block) <= ALIGNMENT, "a block's header fits before its data");

struct pool {
    pthread_mutex_t mutex;
    pool_memory memory;
    block *idle;
    size_t in_use;
    bool closed;
};

static block *block_of(void *data) { return (block *)((char *)data - ALIGNMENT); }
static void *data_of(block *block) { return (char *)block + ALIGNMENT; }

pool *pool_create(pool_memory memory) {
    pool *pool = sv_alloc(1, sizeof *pool);
    pool->memory = memory.alloc ? memory : (pool_memory){malloc, free};
    pthread_mutex_init(&pool->mutex, NULL);
    return pool;
}

static void free_block(block *block, void (*free_memory)(void *)) {
    if (block->on_card) free_memory(block->on_card);
    free_memory(block->memory);
}

/* Removes the smallest idle block that has at least `bytes` bytes. If there is none, removes the smallest idle block
 * for the caller to free: a pool that has switched to larger pictures must not keep the old blocks. */
static block *take_idle(pool *pool, size_t bytes) {
    block **best = NULL;
    for (block **link = &pool->idle; *link; link = &(*link)->next) {
        bool fits = (*link)->bytes >= bytes, best_fits = best && (*best)->bytes >= bytes;
        bool smaller = !best || (*link)->bytes < (*best)->bytes;
        if (fits ? !best_fits || smaller : !best_fits && smaller) best = link;
    }
    block *found = best ? *best : NULL;
    if (found) *best = found->next;
    return found;
}

void *pool_take(pool *pool, size_t bytes) {
    pthread_mutex_lock(&pool->mutex);
    block *block = take_idle(pool, bytes);
    pool->in_use++;
    pthread_mutex_unlock(&pool->mutex);
    if (block && block->bytes >= bytes) return data_of(block);

    if (block) free_block(block, pool->memory.free);
    char *memory = pool->memory.alloc(bytes + 2 * ALIGNMENT);
    if (!memory) {
        pthread_mutex_lock(&pool->mutex);
        pool->in_use--;
        pthread_mutex_unlock(&pool->mutex);
        return NULL;
    }
    block = (void *)(memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT);
    block->memory = memory;
    block->on_card = NULL;
    block->bytes = bytes;
    return data_of(block);
}

static void destroy(pool *pool) {
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

void pool_give_back(pool *pool, void *data) {
    if (!data) return;
    block *block = block_of(data);
    pthread_mutex_lock(&pool->mutex);
    void (*const free_memory)(void *) = pool->memory.free;
    bool closed = pool->closed, last = --pool->in_use == 0;
    if (!closed) {
        block->next = pool->idle;
        pool->idle = block;
    }
    pthread_mutex_unlock(&pool->mutex);
    /* From here on, the user that gives back the last block destroys a closed pool. */
    if (!closed) return;
    free_block(block, free_memory);
    if (last) destroy(pool);
}

void pool_close(pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    void (*const free_memory)(void *) = pool->memory.free;
    block *idle = pool->idle;
    pool->idle = NULL;
    pool->closed = true;
    bool last = pool->in_use == 0;
    pthread_mutex_unlock(&pool->mutex);
    while (idle) {
        block *next = idle->next;
        free_block(idle, free_memory);
        idle = next;
    }
    if (last) destroy(pool);
}

/* Rows begin at multiples of the alignment. The slack after the last row is for converters that write whole vectors. */
static void *take_picture(pool *pool, sv_image *image, int width, int height, sv_format format) {
    size_t stride = (width * sv_pixel_size(format) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *data = pool_take(pool, stride * height + ALIGNMENT);
    *image = (sv_image){data, stride, width, height, format, SV_HOST};
    return data;
}

frame *frame_create(pool *pool, int width, int height, bool grey, bool colour) {
    frame *frame = sv_alloc(1, sizeof *frame);
    frame->references = 1;
    frame->pool = pool;
    if (grey) frame->grey_block = take_picture(pool, &frame->grey, width, height, SV_GREY8);
    if (colour) frame->colour_block = take_picture(pool, &frame->colour, width, height, SV_COLOUR8);
    if ((grey && !frame->grey_block) || (colour && !frame->colour_block)) {
        frame_release(frame);
        return NULL;
    }
    return frame;
}

frame *frame_create_on_card(pool *pool, pool_card card, int width, int height) {
    frame *frame = frame_create(pool, width, height, true, false);
    if (!frame) return NULL;
    block *block = block_of(frame->grey_block);
    if (!block->on_card) block->on_card = card.backend->alloc_on(card.number, block->bytes);
    frame->host = frame->grey;
    frame->grey.data = block->on_card;
    frame->grey.memory = SV_DEVICE;
    frame->card = card;
    if (block->on_card) return frame;
    frame_release(frame);
    return NULL;
}

const sv_image *frame_grey(const frame *of) {
    static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;
    frame *frame = (struct frame *)of; /* which nobody else sees change */
    sv_error error;
    if (frame->grey.memory == SV_HOST) return &frame->grey;
    pthread_mutex_lock(&copying);
    if (!frame->copied && frame->card.backend->fetch(frame->card.number, &frame->grey, &frame->host, &error) != SV_OK) {
        sv_log(SV_LOG_WARNING, "a picture is black, because it cannot be copied from the graphics card: %s",
               error.text);
        for (int y = 0; y < frame->host.height; y++) memset(sv_row(&frame->host, y), 0, (size_t)frame->host.width);
    }
    frame->copied = true;
    pthread_mutex_unlock(&copying);
    return &frame->host;
}

const sv_image *frame_picture(const frame *frame) { return frame->colour.data ? &frame->colour : frame_grey(frame); }

frame *frame_retain(frame *frame) {
    __atomic_add_fetch(&frame->references, 1, __ATOMIC_RELAXED);
    return frame;
}

void frame_release(frame *frame) {
    if (!frame || __atomic_sub_fetch(&frame->references, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (frame->release_owner) frame->release_owner(frame->owner);
    pool *pool = frame->pool;
    void *grey = frame->grey_block, *colour = frame->colour_block;
    free(frame);
    pool_give_back(pool, grey);
    pool_give_back(pool, colour);
}
