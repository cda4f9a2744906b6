/* Frames and the pool of memory that holds them.
 *
 * A pool lends blocks of (pinned) memory, which return to it when their last user releases them. It holds at most as
 * many blocks as were ever in use at once; the bounded queues of its users limit that. */
#ifndef CAPTURE_POOL_H
#define CAPTURE_POOL_H

#include "stereo/stereo.h"

/* The allocator of a pool: the backend's functions. With both NULL: malloc and free. */
typedef struct pool_memory {
    void *(*alloc)(size_t bytes);
    void (*free)(void *memory);
} pool_memory;

typedef struct pool pool;

/* Creates an empty pool.
 * Thread: any, as for all functions of a pool.
 * Lifetime: the caller closes the pool with pool_close. */
pool *pool_create(pool_memory memory);

/* Lends a block of at least `bytes` bytes, aligned to 64 bytes; NULL when out of memory.
 * Lifetime: the caller gives the block back with pool_give_back. */
void *pool_take(pool *pool, size_t bytes);
void pool_give_back(pool *pool, void *block); /* accepts NULL */

/* Closes the pool. It is freed when its last block is back, so a frame may outlive its source. Accepts NULL. */
void pool_close(pool *pool);

/* One decoded picture. It is reference-counted, because the decoder may still predict from it while it is being
 * matched. Read-only except for its creator. */
typedef struct frame {
    sv_image grey;   /* SV_GREY8, full range: the luma plane, in pinned memory */
    sv_image colour; /* SV_COLOUR8 if colour was requested, else data is NULL */
    int64_t index;   /* 0 for the first picture of the source, even if that one is broken */
    double time;     /* seconds from the start of the source; for pictures, the index */
    double lead;     /* transport streams that are live: what was added to the sender's clock to get `time`, else 0 */
    bool damaged;    /* the decoder found errors in it, or in a picture that it may be predicted from */
    int lost;        /* pictures of the source just before it that could not be decoded */
    double decoded;  /* when decoding finished, by sv_seconds */
    float decode_ms; /* duration of decoding and conversion */
    int references;  /* this and the following members are private */
    pool *pool;      /* owns the next two */
    void *grey_block, *colour_block;
    void *owner; /* keeps the memory of `grey` valid, or NULL */
    void (*release_owner)(void *owner);
} frame;

/* Creates a frame with one reference whose pictures are blocks of the pool. Without `grey` the caller points frame.grey
 * at memory that `owner` keeps valid. NULL if there is no memory for a picture. */
frame *frame_create(pool *pool, int width, int height, bool grey, bool colour);

/* Add and remove a reference. frame_release accepts NULL.
 * Thread: any. */
frame *frame_retain(frame *frame);
void frame_release(frame *frame);

#endif
