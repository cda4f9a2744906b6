/* Two sources read side by side, and their frames paired: see pair.h.
 *
 * Both kinds pair by frame.time: that of a picture is its index. One mutex guards everything but the sources, each of
 * which belongs to its side's thread. */
#include "capture/pair.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct side {
    struct pairing *pairing;
    source *source;
    pthread_t thread;
    bool started;
    pthread_cond_t wake; /* for the thread: there is room, or a seek, or the end */
    frame **queue;       /* ring of pairing->capacity frames */
    int head, count;
    sv_status status;   /* SV_OK while it reads, then what ended it */
    sv_error error;     /* of SV_FAILED */
    bool seek_wanted;   /* cleared by the thread when it takes the order */
    bool seeking;       /* until the order is carried out */
    double seek_target; /* as for source_seek */
} side;

struct pairing {
    pthread_mutex_t mutex;
    pthread_cond_t news; /* for the caller: a frame came, a side ended, a seek is done */
    side left, right;
    int capacity;
    double tolerance; /* largest difference in time of a pair, seconds */
    source_info info;
    pairing_counts counts;
    double last_time; /* of the last pair, -INFINITY before the first */
    bool aligning;    /* after a seek, until the first pair: what is dropped then was never asked for */
    bool said_longer, interrupted;
};

void frame_pair_release(frame_pair *pair) {
    frame_release(pair->left);
    frame_release(pair->right);
    *pair = (frame_pair){0};
}

static void flush(side *side, int capacity) {
    for (; side->count > 0; side->count--) {
        frame_release(side->queue[side->head]);
        side->head = (side->head + 1) % capacity;
    }
}

static frame *head(const side *side) { return side->count > 0 ? side->queue[side->head] : NULL; }

static frame *take_head(side *side) {
    pairing *pairing = side->pairing;
    frame *frame = side->queue[side->head];
    side->head = (side->head + 1) % pairing->capacity;
    side->count--;
    pthread_cond_signal(&side->wake);
    return frame;
}

static void *run(void *argument) {
    side *side = argument;
    pairing *pairing = side->pairing;
    pthread_mutex_lock(&pairing->mutex);
    for (;;) {
        while (!pairing->interrupted && !side->seek_wanted &&
               (side->count == pairing->capacity || side->status != SV_OK))
            pthread_cond_wait(&side->wake, &pairing->mutex);
        if (pairing->interrupted) break;

        bool seek = side->seek_wanted;
        double target = side->seek_target;
        side->seek_wanted = false;
        frame *frame = NULL;
        sv_error error = {""};
        pthread_mutex_unlock(&pairing->mutex);
        sv_status status = seek ? source_seek(side->source, target, &error) : source_read(side->source, &frame, &error);
        pthread_mutex_lock(&pairing->mutex);

        if (seek) side->seeking = false;
        if (side->seek_wanted) { /* ordered meanwhile: what was read is from before it */
            frame_release(frame);
            continue;
        }
        side->status = status;
        side->error = error;
        if (frame) side->queue[(side->head + side->count++) % pairing->capacity] = frame;
        pthread_cond_signal(&pairing->news);
    }
    pthread_mutex_unlock(&pairing->mutex);
    return NULL;
}

static bool prepare(side *side, pairing *pairing, source *source) {
    side->pairing = pairing;
    side->source = source;
    side->queue = calloc(pairing->capacity, sizeof(frame *));
    pthread_cond_init(&side->wake, NULL);
    return side->queue != NULL;
}

static bool start(side *side) { return side->started = pthread_create(&side->thread, NULL, run, side) == 0; }

static sv_status check_sides(const source *left, const source *right, sv_error *error) {
    const source_info *l = &left->info, *r = &right->info;
    if (l->width != r->width || l->height != r->height)
        return sv_fail(error, SV_FAILED, "%s has %dx%d pixels and %s %dx%d: both must have one size; scale one of them",
                       left->name, l->width, l->height, right->name, r->width, r->height);
    if (l->pictures != r->pictures)
        return sv_fail(error, SV_FAILED, "%s is a video and %s is not: give two videos or two sets of pictures",
                       (l->pictures ? right : left)->name, (l->pictures ? left : right)->name);
    return SV_OK;
}

sv_status pairing_open(pairing **out, source *left, source *right, int queue, sv_error *error) {
    pairing *pairing = NULL;
    sv_status status = check_sides(left, right, error);
    if (status == SV_OK && !(pairing = calloc(1, sizeof *pairing)))
        status = sv_fail(error, SV_FAILED, "no memory left to pair %s and %s", left->name, right->name);
    if (status != SV_OK) {
        source_close(left);
        source_close(right);
        return status;
    }
    pthread_mutex_init(&pairing->mutex, NULL);
    pthread_cond_init(&pairing->news, NULL);
    pairing->capacity = queue > 1 ? queue : 1;
    const source_info *l = &left->info, *r = &right->info;
    /* Of the faster side, so that only the nearest of its frames lies within. */
    pairing->tolerance = l->pictures ? 0.5 : 0.5 / fmax(l->rate, r->rate);
    pairing->last_time = -INFINITY;
    pairing->info = *l;
    pairing->info.frames = l->frames < r->frames ? l->frames : r->frames; /* -1 if one is unknown */
    pairing->info.duration = l->duration < r->duration ? l->duration : r->duration;
    pairing->info.seekable = l->seekable && r->seekable;
    bool prepared = prepare(&pairing->left, pairing, left);
    prepared = prepare(&pairing->right, pairing, right) && prepared;
    if (!prepared || !start(&pairing->left) || !start(&pairing->right)) {
        status = sv_fail(error, SV_FAILED, "no memory or thread left to read %s and %s", left->name, right->name);
        pairing_close(pairing);
        return status;
    }
    *out = pairing;
    return SV_OK;
}

const source_info *pairing_info(const pairing *pairing) { return &pairing->info; }

/* One side has ended. True if the other certainly goes on, false if it ends there too; waits until that is known.
 * What is left of the other from before the last pair does not count. */
static bool goes_on(pairing *pairing, side *other) {
    while (!pairing->interrupted) {
        frame *next = head(other);
        if (next && next->time > pairing->last_time + pairing->tolerance) return true;
        if (next)
            frame_release(take_head(other));
        else if (other->status != SV_OK)
            return false;
        else
            pthread_cond_wait(&pairing->news, &pairing->mutex);
    }
    return false;
}

static void say_longer(pairing *pairing, const side *ended, const side *other) {
    if (pairing->said_longer) return;
    pairing->said_longer = true;
    int64_t frames = other->source->info.frames - ended->source->info.frames;
    if (ended->source->info.frames > 0 && frames > 0)
        sv_log(SV_LOG_WARNING, "%s is longer than %s; frames left out at its end: %" PRId64, other->source->name,
               ended->source->name, frames);
    else
        sv_log(SV_LOG_WARNING, "%s is longer than %s; its end is left out", other->source->name, ended->source->name);
}

/* Drops what has no partner. True if there is a pair at the heads, false if more must come first. */
static bool align(pairing *pairing) {
    for (;;) {
        const frame *left = head(&pairing->left), *right = head(&pairing->right);
        if (!left || !right) return false;
        double late = right->time - left->time;
        if (fabs(late) <= pairing->tolerance) return true;
        frame_release(take_head(late > 0 ? &pairing->left : &pairing->right));
        if (!pairing->aligning) *(late > 0 ? &pairing->counts.dropped_left : &pairing->counts.dropped_right) += 1;
    }
}

static sv_status next(pairing *pairing, frame_pair *pair, sv_error *error) {
    side *left = &pairing->left, *right = &pairing->right;
    while (!pairing->interrupted) {
        if (align(pairing)) {
            *pair = (frame_pair){take_head(left), take_head(right)};
            pairing->counts.pairs++;
            pairing->last_time = fmax(pair->left->time, pair->right->time);
            pairing->aligning = false;
            return SV_OK;
        }
        side *empty = !head(left) && left->status != SV_OK ? left : right;
        if (!head(empty) && empty->status == SV_FAILED) return sv_fail(error, SV_FAILED, "%s", empty->error.text);
        if (!head(empty) && empty->status == SV_END) {
            side *other = empty == left ? right : left;
            if (!pairing->said_longer && goes_on(pairing, other)) say_longer(pairing, empty, other);
            return SV_END;
        }
        pthread_cond_wait(&pairing->news, &pairing->mutex);
    }
    return SV_END;
}

sv_status pairing_next(pairing *pairing, frame_pair *pair, sv_error *error) {
    pthread_mutex_lock(&pairing->mutex);
    sv_status status = next(pairing, pair, error);
    pthread_mutex_unlock(&pairing->mutex);
    return status;
}

bool pairing_ready(pairing *pairing) {
    const side *left = &pairing->left, *right = &pairing->right;
    pthread_mutex_lock(&pairing->mutex);
    const bool ready =
        pairing->interrupted || ((head(left) || left->status != SV_OK) && (head(right) || right->status != SV_OK));
    pthread_mutex_unlock(&pairing->mutex);
    return ready;
}

static void order_seek(side *side, double target) {
    flush(side, side->pairing->capacity);
    side->seek_wanted = side->seeking = true;
    side->seek_target = target;
    pthread_cond_signal(&side->wake);
}

sv_status pairing_seek(pairing *pairing, double seconds, sv_error *error) {
    side *left = &pairing->left, *right = &pairing->right;
    pthread_mutex_lock(&pairing->mutex);
    pairing->aligning = true;
    pairing->last_time = -INFINITY;
    order_seek(left, seconds);
    /* The left's partner may lie a little before it. */
    order_seek(right, pairing->info.pictures ? seconds : seconds - pairing->tolerance);
    while (!pairing->interrupted && (left->seeking || right->seeking))
        pthread_cond_wait(&pairing->news, &pairing->mutex);
    sv_status status = SV_OK;
    if (left->status == SV_FAILED)
        status = sv_fail(error, SV_FAILED, "%s", left->error.text);
    else if (right->status == SV_FAILED)
        status = sv_fail(error, SV_FAILED, "%s", right->error.text);
    pthread_mutex_unlock(&pairing->mutex);
    return status;
}

void pairing_interrupt(pairing *pairing) {
    pthread_mutex_lock(&pairing->mutex);
    pairing->interrupted = true;
    source_interrupt(pairing->left.source);
    source_interrupt(pairing->right.source);
    pthread_cond_broadcast(&pairing->news);
    pthread_cond_signal(&pairing->left.wake);
    pthread_cond_signal(&pairing->right.wake);
    pthread_mutex_unlock(&pairing->mutex);
}

pairing_counts pairing_count(pairing *pairing) {
    pthread_mutex_lock(&pairing->mutex);
    pairing_counts counts = pairing->counts;
    pthread_mutex_unlock(&pairing->mutex);
    return counts;
}

static void finish(side *side, int capacity) {
    if (side->started) pthread_join(side->thread, NULL);
    if (side->queue) flush(side, capacity);
    free(side->queue);
    pthread_cond_destroy(&side->wake);
    source_close(side->source);
}

void pairing_close(pairing *pairing) {
    if (!pairing) return;
    pairing_interrupt(pairing);
    finish(&pairing->left, pairing->capacity);
    finish(&pairing->right, pairing->capacity);
    pthread_cond_destroy(&pairing->news);
    pthread_mutex_destroy(&pairing->mutex);
    free(pairing);
}
