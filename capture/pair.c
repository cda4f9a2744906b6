/* Pairs the frames of two sources: see pair.h.
 *
 * Both kinds pair by frame.time, which is the index for pictures. One mutex guards everything except the sources, each
 * of which belongs to the thread of its side.
 *
 * Files are read ahead until a queue is full, and pairs are made on request. Live sources are read all the time, and
 * pairs are made as frames arrive: a frame that is still in a queue has no partner yet. */
#include "capture/pair.h"
#include "stereo/alloc.h"
#include "stereo/clock.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pauses between attempts to read from a live source that fails, seconds: each is twice as long as the previous
 * one, until a frame arrives. */
static const double first_pause = 0.5, longest_pause = 3;

/* A live side has fallen silent when it has sent nothing for this many of its intervals, and at least this many
 * seconds. */
static const double silent_after = 4, least_silence = 1;

/* A gap in a file's time stamps of at least this many seconds, and frames, is reported. */
static const double least_gap = 1, least_gap_frames = 10;

/* If the time stamps of two files start within this many seconds of each other, they are taken to be from one clock:
 * two unrelated clocks hardly ever come so close. */
static const double clocks_agree = 1;

/* The same for the clocks of two live streams, judged by their arrival. */
static const double live_clocks_agree = 0.1;

typedef struct side {
    struct pairing *pairing;
    source *source;
    pthread_t thread;
    pthread_cond_t wake; /* for the thread: the queue has space, a seek was requested, or the end */
    int64_t *dropped;    /* frames without a partner, in the pairing's counts */
    frame **queue;       /* ring of pairing->capacity frames */
    int head, count;
    sv_status status;   /* SV_OK while it reads, then what ended it */
    sv_error error;     /* of SV_FAILED */
    bool troubled;      /* live: `error` says why it sends nothing */
    double pause;       /* live: before the next attempt after a failure, seconds */
    double arrived;     /* live: when the last frame did, or the thread began, by sv_seconds */
    double interval;    /* live: the longest recent one between two frames, seconds */
    bool seek_wanted;   /* cleared by the thread when it accepts the request */
    bool seeking;       /* until the seek is done */
    double seek_target; /* as for source_seek */
    int64_t seek_index; /* as for source_seek_frame; -1: use seek_target */
    double reached;     /* the time that the last seek reached */
    double offset;      /* by how much its times are ahead of the other side's, seconds; 0 on the left */
    double last;        /* files: the time of the frame before; NAN: none since the beginning or a seek */
    bool gap_reported;
} side;

struct pairing {
    pthread_mutex_t mutex;
    pthread_cond_t news; /* for the caller: a frame arrived, a side ended, or a seek is done */
    side left, right;
    int capacity;
    double tolerance; /* largest difference in time of a pair, seconds */
    double lateness;  /* of the right frame, in the middle of that range; see is_partner */
    double skew_sum;  /* of all pairs, absolute values, seconds */
    frame_pair ready; /* live: the newest pair, not requested yet */
    frame_pair back;  /* that was put back */
    source_info info;
    pairing_counts counts;
    int64_t before;   /* live: pairs before the one that is number 0 */
    double last_time; /* of the last pair, -INFINITY before the first */
    bool
        aligning; /* from a seek or the start of cameras to the first pair: frames dropped until then are not counted */
    bool longer_reported, interrupted;
};

frame_pair frame_pair_retain(const frame_pair *pair) {
    return (frame_pair){frame_retain(pair->left), frame_retain(pair->right)};
}

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

static void push(side *side, frame *frame) {
    side->queue[(side->head + side->count++) % side->pairing->capacity] = frame;
}

/* Drops the oldest frame, which has no partner. */
static void drop_head(side *side) {
    frame_release(take_head(side));
    if (!side->pairing->aligning) ++*side->dropped;
}

/* A frame's time on the common time axis, which is the left side's. */
static double shared_time(const side *side, const frame *frame) { return frame->time - side->offset; }

/* ---- Files ------------------------------------------------------------------------------------ */

/* Warns of the first gap in a file: pictures may be missing, or its clock may have jumped. */
static void note_gap(side *side, const frame *frame) {
    const source_info *info = &side->source->info;
    const double gap = frame->time - side->last - 1 / info->rate;
    side->last = frame->time;
    if (info->pictures || side->gap_reported || !(gap >= least_gap && gap * info->rate >= least_gap_frames)) return;
    side->gap_reported = true;
    sv_log(SV_LOG_WARNING,
           "%s: there are no pictures in the %.4g s before frame %" PRId64
           "; if none is missing, its time stamps jump there, and the pairs after it are of different moments",
           side->source->name, gap, frame->index);
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
        const int64_t index = side->seek_index;
        side->seek_wanted = false;
        frame *frame = NULL;
        sv_error error = {""};
        pthread_mutex_unlock(&pairing->mutex);
        sv_status status = !seek       ? source_read(side->source, &frame, &error)
                           : index < 0 ? source_seek(side->source, target, &error)
                                       : source_seek_frame(side->source, index, &target, &error);
        pthread_mutex_lock(&pairing->mutex);

        if (seek) {
            side->seeking = false;
            side->reached = target;
        }
        if (side->seek_wanted) { /* requested in the meantime: the frame is from before the seek */
            frame_release(frame);
            continue;
        }
        side->status = status;
        side->error = error;
        if (frame) note_gap(side, frame);
        if (frame) push(side, frame);
        pthread_cond_signal(&pairing->news);
    }
    pthread_mutex_unlock(&pairing->mutex);
    return NULL;
}

/* By how many seconds the right frame is later than the left one. The clocks of two live streams are one if they agree
 * to a tenth of a second, which two clocks hardly ever do by chance; then the senders' stamps count, and not how evenly
 * the network delivers. */
static double lateness_of(const pairing *pairing, const frame *left, const frame *right) {
    const double arrival = shared_time(&pairing->right, right) - shared_time(&pairing->left, left);
    const double leads = right->lead - left->lead;
    return left->lead != 0 && right->lead != 0 && fabs(leads) <= live_clocks_agree ? arrival - leads : arrival;
}

/* True if a right frame that is `late` seconds later than a left one may be its partner. Unless the tolerance was set,
 * the range is moved by a little more than what rounding to milliseconds changes: half a frame late is a partner, half
 * a frame early is not. Otherwise the rounding of each time stamp would decide for two sides that run half a frame
 * apart. Recordings of cameras are paired as the cameras were. */
static bool is_partner(const pairing *pairing, double late) {
    return fabs(late - pairing->lateness) <= pairing->tolerance;
}

/* Drops frames without a partner. True if there is a pair at the heads of the queues, false if more frames are
 * needed. */
static bool align(pairing *pairing) {
    for (;;) {
        const frame *left = head(&pairing->left), *right = head(&pairing->right);
        if (!left || !right) return false;
        const double late = lateness_of(pairing, left, right);
        if (is_partner(pairing, late)) {
            /* After a seek, the first right frame may be the partner of the left frame before the target. */
            const side *side = &pairing->right;
            if (!pairing->aligning || pairing->info.live || late >= 0 || pairing->capacity < 2) return true;
            if (side->count < 2 && side->status == SV_OK) return false;
            if (side->count < 2) return true;
            const frame *next = side->queue[(side->head + 1) % pairing->capacity];
            if (fabs(shared_time(side, next) - shared_time(&pairing->left, left)) >= -late) return true;
        }
        drop_head(late > 0 ? &pairing->left : &pairing->right);
    }
}

/* ---- Live ------------------------------------------------------------------------------------- */

/* The side, or the stream that has both. */
static const char *name_of(const side *side) {
    return side->source->stream ? side->source->stream : side->source->name;
}

/* Reports the end of a failure; of a stream of both sides once, when its second half arrives. */
static void note_return(side *side) {
    const pairing *pairing = side->pairing;
    const bool was_troubled = side->troubled;
    side->troubled = false;
    if (was_troubled && !(side->source->stream && (pairing->left.troubled || pairing->right.troubled)))
        sv_log(SV_LOG_INFO, "%s: pictures arrive again", name_of(side));
}

/* Queues a frame that has arrived, drops the oldest one if the queue is full, and makes all possible pairs. */
static void accept(side *side, frame *frame) {
    pairing *pairing = side->pairing;
    const double now = sv_seconds();
    side->interval = fmax(now - side->arrived, 0.8 * side->interval);
    if (side->troubled) side->interval = 0;
    side->arrived = now;
    note_return(side);
    side->pause = first_pause;
    if (side->count == pairing->capacity) drop_head(side);
    push(side, frame);
    while (align(pairing)) {
        if (pairing->ready.left) pairing->counts.dropped_late++;
        frame_pair_release(&pairing->ready);
        pairing->ready = (frame_pair){take_head(&pairing->left), take_head(&pairing->right)};
        pairing->aligning = false;
    }
}

static bool is_known(const side *side, const sv_error *trouble) {
    return side->troubled && !strcmp(side->error.text, trouble->text);
}

/* Reports a failure once, and again only when its message changes. Both sides may be halves of one camera. */
static void note_trouble(side *side, const sv_error *error) {
    const pairing *pairing = side->pairing;
    if (!is_known(&pairing->left, error) && !is_known(&pairing->right, error))
        sv_log(SV_LOG_WARNING, "%s", error->text);
    side->troubled = true;
    side->error = *error;
}

static void *run_live(void *argument) {
    side *side = argument;
    pairing *pairing = side->pairing;
    pthread_mutex_lock(&pairing->mutex);
    while (!pairing->interrupted && side->status == SV_OK) {
        frame *frame = NULL;
        sv_error error = {""};
        pthread_mutex_unlock(&pairing->mutex);
        sv_status status = source_read(side->source, &frame, &error);
        pthread_mutex_lock(&pairing->mutex);
        if (status == SV_OK) {
            accept(side, frame);
        } else if (status == SV_END) {
            side->status = SV_END;
        } else {
            note_trouble(side, &error);
            const double until = sv_seconds() + side->pause;
            side->pause = fmin(2 * side->pause, longest_pause);
            while (!pairing->interrupted && sv_condition_wait(&side->wake, &pairing->mutex, until)) continue;
        }
        pthread_cond_signal(&pairing->news);
    }
    pthread_mutex_unlock(&pairing->mutex);
    return NULL;
}

/* True if next_live has something to return. */
static bool live_is_ready(const pairing *pairing) {
    return pairing->interrupted || pairing->back.left || pairing->ready.left || pairing->left.status != SV_OK ||
           pairing->right.status != SV_OK;
}

static sv_status next_live(pairing *pairing, frame_pair *pair) {
    while (!live_is_ready(pairing)) pthread_cond_wait(&pairing->news, &pairing->mutex);
    if (pairing->interrupted || !pairing->ready.left) return SV_END;
    *pair = pairing->ready;
    pairing->ready = (frame_pair){0};
    pair->left->index = pair->right->index = pairing->counts.pairs - pairing->before;
    return SV_OK;
}

bool pairing_wait(pairing *pairing, double seconds) {
    if (!pairing->info.live) return true;
    const double until = sv_seconds() + seconds;
    pthread_mutex_lock(&pairing->mutex);
    while (!live_is_ready(pairing) && sv_condition_wait(&pairing->news, &pairing->mutex, until)) continue;
    const bool ready = live_is_ready(pairing);
    pthread_mutex_unlock(&pairing->mutex);
    return ready;
}

bool pairing_trouble(pairing *pairing, char *text, size_t size) {
    pthread_mutex_lock(&pairing->mutex);
    const double now = sv_seconds();
    const side *sides[] = {&pairing->left, &pairing->right}, *troubled = NULL, *silent = NULL;
    for (int i = 1; i >= 0 && pairing->info.live; i--) {
        const side *s = sides[i];
        if (s->troubled) troubled = s;
        if (now - s->arrived > fmax(least_silence, silent_after * s->interval)) silent = s;
    }
    if (troubled)
        snprintf(text, size, "%s", troubled->error.text);
    else if (silent)
        snprintf(text, size, "%s: no picture for %.0f s; the last one is shown", name_of(silent),
                 now - silent->arrived);
    pthread_mutex_unlock(&pairing->mutex);
    return troubled || silent;
}

/* ---- Opening ---------------------------------------------------------------------------------- */

static void prepare(side *side, pairing *pairing, source *source, int64_t *dropped) {
    side->pairing = pairing;
    side->source = source;
    side->dropped = dropped;
    side->last = NAN;
    side->pause = first_pause;
    side->arrived = sv_seconds();
    side->queue = sv_alloc((size_t)pairing->capacity, sizeof(frame *));
    sv_condition_init(&side->wake);
}

static sv_status check_sides(const source *left, const source *right, sv_error *error) {
    const source_info *l = &left->info, *r = &right->info;
    if (l->width != r->width || l->height != r->height)
        return sv_fail(error, SV_FAILED,
                       "%s has %dx%d pixels and %s %dx%d: both must have the same size; scale one of them", left->name,
                       l->width, l->height, right->name, r->width, r->height);
    if (l->pictures != r->pictures)
        return sv_fail(error, SV_FAILED,
                       "%s is a video and %s is not (pictures named by time stamps count as one); give two of a kind",
                       (l->pictures ? right : left)->name, (l->pictures ? left : right)->name);
    if (l->live != r->live)
        return sv_fail(error, SV_FAILED, "%s is live and %s is a recording: only two of a kind can be paired",
                       (l->live ? left : right)->name, (l->live ? right : left)->name);
    return SV_OK;
}

/* Pairs by number a side that has no times. */
static void take_rate(source *to, const source *from) {
    sv_log(SV_LOG_INFO, "%s has no frame rate; assuming the %.4g frames per second of %s", to->name, from->info.rate,
           from->name);
    to->set_rate(to, from->info.rate);
}

sv_status pairing_open(pairing **out, source *left, source *right, int queue, sv_error *error) {
    const sv_status status = check_sides(left, right, error);
    if (status != SV_OK) {
        source_close(left);
        source_close(right);
        return status;
    }
    pairing *pairing = *out = sv_alloc(1, sizeof *pairing);
    if (left->set_rate && !right->set_rate) take_rate(left, right);
    if (right->set_rate && !left->set_rate) take_rate(right, left);
    pthread_mutex_init(&pairing->mutex, NULL);
    sv_condition_init(&pairing->news);
    pairing->capacity = queue > 1 ? queue : 1;
    const source_info *l = &left->info, *r = &right->info;
    /* Of the faster side, so that only the nearest of its frames is within the tolerance. */
    pairing->tolerance = l->pictures ? 0.5 : 0.5 / fmax(l->rate, r->rate);
    pairing->lateness = l->pictures ? 0 : fmin(0.00125, pairing->tolerance / 4);
    pairing->last_time = -INFINITY;
    pairing->info = *l;
    pairing->info.frames = l->frames < r->frames ? l->frames : r->frames; /* -1 if one is unknown */
    pairing->info.duration = l->duration < r->duration ? l->duration : r->duration;
    if (l->focal_35mm == 0) pairing->info.focal_35mm = r->focal_35mm;
    pairing->info.seekable = l->seekable && r->seekable;
    pairing->info.jumps = l->jumps && r->jumps;
    pairing->info.on_card = l->on_card && r->on_card;
    pairing->aligning = l->live;
    prepare(&pairing->left, pairing, left, &pairing->counts.dropped_left);
    prepare(&pairing->right, pairing, right, &pairing->counts.dropped_right);
    sv_thread_start(&pairing->left.thread, l->live ? run_live : run, &pairing->left);
    sv_thread_start(&pairing->right.thread, l->live ? run_live : run, &pairing->right);
    return SV_OK;
}

const source_info *pairing_info(const pairing *pairing) { return &pairing->info; }

char *pairing_picture_file(const pairing *pairing, bool right, int64_t index) {
    return source_picture_file((right ? &pairing->right : &pairing->left)->source, index);
}

static int64_t frames_of(source *source) {
    if (source->info.frames > 0) return source->info.frames;
    const int64_t counted = atomic_load(&source->counted);
    return counted > 0 ? counted : -1;
}

int64_t pairing_frames(pairing *pairing) {
    const int64_t left = frames_of(pairing->left.source), right = frames_of(pairing->right.source);
    return left < right ? left : right; /* -1 if one is unknown */
}

double pairing_tolerance(pairing *pairing) {
    pthread_mutex_lock(&pairing->mutex);
    const double tolerance = pairing->tolerance;
    pthread_mutex_unlock(&pairing->mutex);
    return tolerance;
}

void pairing_set_tolerance(pairing *pairing, double seconds) {
    pthread_mutex_lock(&pairing->mutex);
    pairing->tolerance = seconds;
    pairing->lateness = 0;
    pthread_mutex_unlock(&pairing->mutex);
}

double pairing_offset(pairing *pairing) {
    pthread_mutex_lock(&pairing->mutex);
    const double offset = pairing->right.offset;
    pthread_mutex_unlock(&pairing->mutex);
    return offset;
}

void pairing_set_offset(pairing *pairing, double offset) {
    pthread_mutex_lock(&pairing->mutex);
    pairing->right.offset = offset;
    pairing->aligning = true;
    pthread_mutex_unlock(&pairing->mutex);
}

static void report_longer(pairing *pairing, const side *ended, const side *other) {
    if (pairing->longer_reported) return;
    pairing->longer_reported = true;
    const int64_t frames = other->source->info.frames - ended->source->info.frames;
    if (pairing->right.offset != 0)
        sv_log(SV_LOG_INFO, "the end of %s has no partners in %s and is omitted", other->source->name,
               ended->source->name);
    else if (ended->source->info.frames > 0 && frames > 0)
        sv_log(SV_LOG_WARNING, "%s is longer than %s; frames omitted at its end: %" PRId64, other->source->name,
               ended->source->name, frames);
    else
        sv_log(SV_LOG_WARNING, "%s is longer than %s; its end is omitted", other->source->name, ended->source->name);
}

/* True if the start times of both files, by their own clocks, can be compared. */
static bool clocks_are_one(const source_info *l, const source_info *r) {
    const double late = r->start - l->start;
    if (strcmp(l->clock, r->clock)) return false;
    if (fabs(late) <= clocks_agree || !strcmp(l->clock, SOURCE_TRACK_CLOCK)) return true;
    return !strcmp(l->clock, SOURCE_WALL_CLOCK) && late < l->duration && -late < r->duration;
}

void pairing_follow_clocks(pairing *pairing) {
    const source *left = pairing->left.source, *right = pairing->right.source;
    const source_info *l = &left->info, *r = &right->info;
    const double late = r->start - l->start;
    const source *later = late > 0 ? right : left;
    if (l->live) return;
    if (l->pictures && l->frames != r->frames)
        report_longer(pairing, l->frames < r->frames ? &pairing->left : &pairing->right,
                      l->frames < r->frames ? &pairing->right : &pairing->left);
    else if (!strcmp(l->clock, SOURCE_WALL_CLOCK) && l->frames > 0 && r->frames > 0 && l->frames != r->frames)
        sv_log(SV_LOG_WARNING,
               "%s has %" PRId64 " pictures and %s %" PRId64 "; those without a partner in time are left out",
               left->name, l->frames, right->name, r->frames);
    if (l->pictures) {
        sources_remark_on_numbers(left, right);
    } else if (!*l->clock || !*r->clock || !clocks_are_one(l, r)) {
        sv_log(SV_LOG_INFO, "pairing by the time since each file's first picture; --offset moves the right one");
    } else if (fabs(late) < 1e-3) {
        sv_log(SV_LOG_INFO, "pairing by the files' own time stamps: both start together");
    } else {
        sv_log(SV_LOG_INFO, "pairing by the files' own time stamps: %s starts %.4g ms later", later->name,
               1e3 * fabs(late));
        pairing_set_offset(pairing, -late);
    }
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* A frame that is later than the last pair by this much has no partner, because the other side has ended: it would have
 * had another frame by then. */
static double longest_rest(const pairing *pairing) {
    const double left = pairing->left.source->info.rate, right = pairing->right.source->info.rate;
    if (pairing->info.pictures || fmin(left, right) <= 0) return pairing->tolerance;
    return fmax(pairing->tolerance, 1 / fmin(left, right) - 0.5 / fmax(left, right));
}

/* Called when one side has ended. Waits until it is known whether the other side has ended there too (false) or
 * continues (true). Frames of the other side from before the last pair do not count. */
static bool goes_on(pairing *pairing, side *other) {
    while (!pairing->interrupted) {
        frame *next = head(other);
        if (next && shared_time(other, next) > pairing->last_time + longest_rest(pairing)) return true;
        if (next)
            frame_release(take_head(other));
        else if (other->status != SV_OK)
            return false;
        else
            pthread_cond_wait(&pairing->news, &pairing->mutex);
    }
    return false;
}

static sv_status next_of_files(pairing *pairing, frame_pair *pair, sv_error *error) {
    side *left = &pairing->left, *right = &pairing->right;
    while (!pairing->interrupted) {
        if (align(pairing)) {
            *pair = (frame_pair){take_head(left), take_head(right)};
            pairing->last_time = fmax(shared_time(left, pair->left), shared_time(right, pair->right));
            pairing->aligning = false;
            return SV_OK;
        }
        side *empty = !head(left) && left->status != SV_OK ? left : right;
        if (!head(empty) && empty->status == SV_FAILED) return sv_fail(error, SV_FAILED, "%s", empty->error.text);
        if (!head(empty) && empty->status == SV_END) {
            side *other = empty == left ? right : left;
            if (!pairing->longer_reported && goes_on(pairing, other)) report_longer(pairing, empty, other);
            return SV_END;
        }
        pthread_cond_wait(&pairing->news, &pairing->mutex);
    }
    return SV_END;
}

void pairing_put_back(pairing *pairing, frame_pair *pair) {
    pthread_mutex_lock(&pairing->mutex);
    frame_pair_release(&pairing->back);
    pairing->back = *pair;
    *pair = (frame_pair){0};
    pthread_mutex_unlock(&pairing->mutex);
}

/* Takes the pair that was put back; false if there is none. */
static bool take_back(pairing *pairing, frame_pair *pair) {
    if (!pairing->back.left || pairing->interrupted) return false;
    *pair = pairing->back;
    pairing->back = (frame_pair){0};
    return true;
}

sv_status pairing_next(pairing *pairing, frame_pair *pair, sv_error *error) {
    pthread_mutex_lock(&pairing->mutex);
    if (take_back(pairing, pair)) {
        pthread_mutex_unlock(&pairing->mutex);
        return SV_OK;
    }
    sv_status status = pairing->info.live ? next_live(pairing, pair) : next_of_files(pairing, pair, error);
    if (status == SV_OK) {
        pairing_counts *counts = &pairing->counts;
        counts->skew_last = lateness_of(pairing, pair->left, pair->right);
        pairing->skew_sum += fabs(counts->skew_last);
        counts->skew_mean = pairing->skew_sum / (double)++counts->pairs;
    }
    pthread_mutex_unlock(&pairing->mutex);
    return status;
}

bool pairing_ready(pairing *pairing) {
    const side *left = &pairing->left, *right = &pairing->right;
    if (pairing->info.live) return pairing_wait(pairing, 0);
    pthread_mutex_lock(&pairing->mutex);
    const bool ready = pairing->interrupted || pairing->back.left ||
                       ((head(left) || left->status != SV_OK) && (head(right) || right->status != SV_OK));
    pthread_mutex_unlock(&pairing->mutex);
    return ready;
}

/* To frame `index` if that is not negative, else to `target`. */
static void order_seek(side *side, double target, int64_t index) {
    flush(side, side->pairing->capacity);
    side->seek_wanted = side->seeking = true;
    side->seek_target = fmax(0, target);
    side->last = NAN;
    side->seek_index = index;
    pthread_cond_signal(&side->wake);
}

/* Waits until both sides have done their seek. */
static sv_status finish_seek(pairing *pairing, sv_error *error) {
    const side *left = &pairing->left, *right = &pairing->right;
    while (!pairing->interrupted && (left->seeking || right->seeking))
        pthread_cond_wait(&pairing->news, &pairing->mutex);
    if (left->status == SV_FAILED) return sv_fail(error, SV_FAILED, "%s", left->error.text);
    if (right->status == SV_FAILED) return sv_fail(error, SV_FAILED, "%s", right->error.text);
    return SV_OK;
}

/* To the left frame `index` if that is not negative, else to `seconds`. */
static sv_status seek(pairing *pairing, double seconds, int64_t index, sv_error *error) {
    side *left = &pairing->left, *right = &pairing->right;
    if (pairing->info.live) return sv_fail(error, SV_USAGE, "%s is live and cannot seek", left->source->name);
    pthread_mutex_lock(&pairing->mutex);
    frame_pair_release(&pairing->back);
    pairing->aligning = true;
    pairing->last_time = -INFINITY;
    order_seek(left, seconds, index);
    flush(right, pairing->capacity);
    /* Only the left side knows the time of its frame. */
    while (index >= 0 && !pairing->interrupted && (left->seeking || (!head(left) && left->status == SV_OK)))
        pthread_cond_wait(&pairing->news, &pairing->mutex);
    if (index >= 0) seconds = head(left) ? head(left)->time : left->reached;
    /* The partner of the left frame may be slightly before it. */
    order_seek(right, seconds + right->offset - (pairing->info.pictures ? 0 : pairing->tolerance), -1);
    const sv_status status = finish_seek(pairing, error);
    pthread_mutex_unlock(&pairing->mutex);
    return status;
}

sv_status pairing_seek(pairing *pairing, double seconds, sv_error *error) { return seek(pairing, seconds, -1, error); }

sv_status pairing_seek_frame(pairing *pairing, int64_t index, sv_error *error) {
    return seek(pairing, 0, index > 0 ? index : 0, error);
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

void pairing_number_anew(pairing *pairing) {
    pthread_mutex_lock(&pairing->mutex);
    pairing->before = pairing->counts.pairs;
    pthread_mutex_unlock(&pairing->mutex);
}

pairing_counts pairing_count(pairing *pairing) {
    pthread_mutex_lock(&pairing->mutex);
    pairing_counts counts = pairing->counts;
    counts.broken = atomic_load(&pairing->left.source->broken) + atomic_load(&pairing->right.source->broken);
    pthread_mutex_unlock(&pairing->mutex);
    return counts;
}

static void finish(side *side, int capacity) {
    if (side->queue) flush(side, capacity);
    free(side->queue);
    pthread_cond_destroy(&side->wake);
    source_close(side->source);
}

void pairing_close(pairing *pairing) {
    if (!pairing) return;
    pairing_interrupt(pairing);
    /* Each thread looks at both sides, so both end before either is freed. */
    pthread_join(pairing->left.thread, NULL);
    pthread_join(pairing->right.thread, NULL);
    finish(&pairing->left, pairing->capacity);
    finish(&pairing->right, pairing->capacity);
    frame_pair_release(&pairing->ready);
    frame_pair_release(&pairing->back);
    pthread_cond_destroy(&pairing->news);
    pthread_mutex_destroy(&pairing->mutex);
    free(pairing);
}
