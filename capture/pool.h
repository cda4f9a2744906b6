/* Frames and the memory they live in.
 *
 * A pool hands out blocks of (pinned) memory and takes them back when the last user lets go. It holds
 * at most as many blocks as were ever in use at once; the users' bounded queues bound that. */
#ifndef CAPTURE_POOL_H
#define CAPTURE_POOL_H

#include "stereo/stereo.h"

/* Where a pool's memory comes from: the backend's functions. With both NULL: malloc and free. */
typedef struct pool_memory {
    void *(*alloc)(size_t bytes);
    void (*free)(void *memory);
} pool_memory;

typedef struct pool pool;

/* Any thread may take blocks and give them back. */
sv_status pool_create(pool **out, pool_memory memory, sv_error *error);

/* A block of at least `bytes` bytes, 64-byte aligned, NULL when there is no memory left. */
void *pool_take(pool *pool, size_t bytes);
void pool_give_back(pool *pool, void *block); /* NULL is fine */

/* The pool goes when it was closed and its last block is back, so a frame may outlive its source. NULL is fine. */
void pool_close(pool *pool);

/* One decoded picture. Counted references, because the decoder may still predict from it while it is
 * being matched. Read-only for everyone but its maker. */
typedef struct frame {
    sv_image grey;   /* SV_GREY8, full range: the luma plane, in pinned memory */
    sv_image colour; /* SV_COLOUR8 if the source was asked for colour, else data is NULL */
    int64_t index;   /* 0 for the first picture of the source, also where that one is broken */
    double time;     /* seconds from the start of the source; for pictures, the index */
    bool damaged;    /* the decoder met errors in it, or in a picture that it may be predicted from */
    int lost;        /* pictures of the source just before it that could not be decoded */
    double decoded;  /* when decoding was done, by sv_seconds */
    float decode_ms; /* how long decoding and converting it took */
    int references;  /* private, as is what follows */
    pool *pool;      /* gets the next two back */
    void *grey_block, *colour_block;
    void *owner; /* what else `grey` needs to stay valid, or NULL */
    void (*release_owner)(void *owner);
} frame;

/* A frame with one reference whose pictures lie in the pool. Without `grey` the caller points frame.grey
 * at memory that `owner` keeps. NULL when there is no memory left. */
frame *frame_create(pool *pool, int width, int height, bool grey, bool colour);

/* Any thread. frame_release(NULL) is fine. */
frame *frame_retain(frame *frame);
void frame_release(frame *frame);

#endif
