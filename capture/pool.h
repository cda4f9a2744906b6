/* Frames and the pool of memory that holds them.
 *
 * A pool lends blocks of (pinned) memory, each with one of the same size in the memory of a graphics card if it is
 * wanted, which return to it when their last user releases them. It holds at most as many blocks as were ever in use at
 * once; the bounded queues of its users limit that. */
#ifndef CAPTURE_POOL_H
#define CAPTURE_POOL_H

#include "stereo/stereo.h"

/* The allocator of a pool: the backend's functions. With both NULL: malloc and free. */
typedef struct pool_memory {
    void *(*alloc)(size_t bytes);
    void (*free)(void *memory);
} pool_memory;

/* A graphics card whose decoders leave pictures in its memory. */
typedef struct pool_card {
    const sv_backend *backend; /* that has grey_of_luma; NULL: no card */
    int number;                /* of the backend's device */
} pool_card;

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
    sv_image grey;   /* SV_GREY8, full range: the luma plane, in pinned memory or a card's: see frame_grey */
    sv_image colour; /* SV_COLOUR8 if colour was requested, else data is NULL */
    int64_t index;   /* 0 for the first picture of the source, even if that one is broken */
    double time;     /* seconds from the start of the source; for pictures, the index */
    double lead;     /* transport streams that are live: what was added to the sender's clock to get `time`, else 0 */
    bool damaged;    /* the decoder found errors in it, or in a picture that it may be predicted from */
    bool mistimed;   /* its time stamp does not fit those around it: it may be paired with the wrong one */
    int lost;        /* pictures of the source just before it that could not be decoded */
    double decoded;  /* when decoding finished, by sv_seconds */
    float decode_ms; /* duration of decoding and conversion */
    int references;  /* this and the following members are private */
    pool *pool;      /* owns the next two */
    void *grey_block, *colour_block;
    sv_image host;  /* of a picture in a card's memory: where frame_grey copies it */
    bool copied;    /* it has */
    pool_card card; /* whose memory that is */
    void *owner;    /* keeps the memory of `grey` valid, or NULL */
    void (*release_owner)(void *owner);
} frame;

static inline bool frame_is_doubtful(const frame *frame) { return frame->damaged || frame->mistimed; }

/* Creates a frame with one reference whose pictures are blocks of the pool. Without `grey` the caller points frame.grey
 * at memory that `owner` keeps valid. NULL if there is no memory for a picture. */
frame *frame_create(pool *pool, int width, int height, bool grey, bool colour);

/* The same with the grey picture in a card's memory. The pool's memory must be that of the card's backend. */
frame *frame_create_on_card(pool *pool, pool_card card, int width, int height);

/* The grey picture in host memory. From a card's memory it is copied when it is first asked for; if the card fails, the
 * log says so, and the picture is black.
 * Thread: any.
 * Lifetime: that of the frame. */
const sv_image *frame_grey(const frame *frame);

/* The colour picture if there is one, otherwise the grey one, in host memory. */
const sv_image *frame_picture(const frame *frame);

/* Add and remove a reference. frame_release accepts NULL.
 * Thread: any. */
frame *frame_retain(frame *frame);
void frame_release(frame *frame);

#endif
