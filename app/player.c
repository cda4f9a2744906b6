/* Plays a pairing through a matcher in a thread of its own. */
#include "app/player.h"

#include "app/clock.h"
#include "app/media.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Pictures have no time of their own: this many a second. */
static const double picture_rate = 10;

/* Later than this, the time table is given up rather than caught up with. */
static const double tolerated_delay = 0.1;

typedef struct orders {
    bool quit, pause;
    bool seek;
    double seek_to;
    int step;
    bool rematch;
    double speed;
    sv_params params;
} orders;

struct player {
    player_options options;
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t changed; /* orders or slots; waited for by the thread */
    orders orders;
    sv_output outputs[PLAYER_SLOTS];
    int free_slots[PLAYER_SLOTS], free_count;
    player_result results[PLAYER_SLOTS];
    int first_result, result_count;
    bool ended;
    sv_status failure;
    sv_error error;

    bool based; /* the time table stands: the pair of base_time is due at base_clock */
    double base_clock, base_time;

    frame_pair current; /* what was matched last; the thread's own */
};

static double time_of(const player *p, const frame *frame) {
    return pairing_info(p->options.pairing)->pictures ? (double)frame->index / picture_rate : frame->time;
}

static void release_pair(frame_pair *pair) {
    frame_release(pair->left);
    frame_release(pair->right);
    *pair = (frame_pair){0};
}

/* Called with the lock held. */
static bool has_work(const player *p) {
    const orders *o = &p->orders;
    if (o->quit) return true;
    if (!p->free_count) return false;
    if (o->seek || o->step) return true;
    if (o->rematch && p->current.left) return true;
    return !o->pause && !p->ended && p->failure == SV_OK;
}

static bool waits_no_longer(const player *p) {
    const orders *o = &p->orders;
    return o->quit || o->seek || o->step || o->pause;
}

/* The next pair is shown at once, and the ones after it are counted from there. */
static void forget_time_table(player *p) {
    pthread_mutex_lock(&p->lock);
    p->based = false;
    pthread_mutex_unlock(&p->lock);
}

/* Waits until the pair is due. False if an order came that makes the wait pointless. Called with the lock held. */
static bool wait_until_due(player *p, const frame *frame) {
    const double time = time_of(p, frame);
    for (;;) {
        const double now = clock_seconds();
        if (!p->based) {
            p->based = true;
            p->base_clock = now;
            p->base_time = time;
        }
        const double due = p->base_clock + (time - p->base_time) / p->orders.speed;
        if (now > due + tolerated_delay) {
            p->base_clock = now;
            p->base_time = time;
        }
        if (now >= due) return true;
        const struct timespec until = {.tv_sec = (time_t)due, .tv_nsec = (long)(1e9 * (due - floor(due)))};
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
        if (waits_no_longer(p)) return false;
    }
}

/* Reads the next pair that is in the range to play. SV_END after the last one. */
static sv_status read_pair(player *p, frame_pair *pair, sv_error *error) {
    for (;;) {
        const double start = clock_seconds();
        sv_status status = pairing_next(p->options.pairing, pair, error);
        if (status != SV_OK) return status;
        const int64_t index = pair->left->index;
        if (index >= p->options.first && index < p->options.end) {
            stats_add(p->options.stats, STATS_WAIT, 1e3 * (clock_seconds() - start));
            stats_add(p->options.stats, STATS_DECODE, pair->left->decode_ms);
            stats_tick(p->options.stats, STATS_CAPTURED, pair->left->decoded);
            return SV_OK;
        }
        release_pair(pair);
        if (index >= p->options.end) return SV_END;
    }
}

static sv_status seek_to_frame(player *p, int64_t index, sv_error *error) {
    if (index < p->options.first) index = p->options.first;
    return pairing_seek(p->options.pairing, media_seek_time(pairing_info(p->options.pairing), index), error);
}

/* The next pair, from the beginning again if the end was reached and that is wanted. */
static sv_status next_pair(player *p, frame_pair *pair, sv_error *error) {
    sv_status status = read_pair(p, pair, error);
    const bool one_frame = p->current.left && p->current.left->index == p->options.first;
    if (status == SV_END && p->options.loop && p->current.left && !one_frame) {
        status = seek_to_frame(p, p->options.first, error);
        if (status == SV_OK) status = read_pair(p, pair, error);
        forget_time_table(p);
    }
    return status;
}

/* Matches the current pair into a free slot and hands the result on. */
static sv_status match(player *p, int slot, const sv_params *params, sv_error *error) {
    player_result result = {.slot = slot, .pair = p->current, .params = *params};
    const sv_pair pictures = media_pictures(&p->current);
    sv_status status = sv_submit(p->options.matcher, &pictures, params, &p->outputs[slot], error);
    if (status == SV_OK) status = sv_wait(p->options.matcher, &result.times, error);
    if (status != SV_OK) return status;
    stats_add_times(p->options.stats, &result.times);
    stats_tick(p->options.stats, STATS_MATCHED, clock_seconds());
    frame_retain(p->current.left);
    frame_retain(p->current.right);
    pthread_mutex_lock(&p->lock);
    p->results[(p->first_result + p->result_count++) % PLAYER_SLOTS] = result;
    pthread_mutex_unlock(&p->lock);
    return SV_OK;
}

/* Follows a seek or a step. */
static sv_status move(player *p, const orders *o, sv_error *error) {
    forget_time_table(p);
    if (o->seek) return pairing_seek(p->options.pairing, o->seek_to, error);
    if (o->step < 0 && p->current.left) return seek_to_frame(p, p->current.left->index + o->step, error);
    return SV_OK;
}

/* Waits for the pair's time. False if it is not to be shown, because an order leads elsewhere. */
static bool pace(player *p, const frame *frame) {
    pthread_mutex_lock(&p->lock);
    bool show = wait_until_due(p, frame);
    if (!show && !p->orders.quit && !p->orders.seek && p->orders.step >= 0) {
        /* Paused in the meantime: the pair is the one to stand at, or to step to. */
        p->orders.step = 0;
        show = true;
    }
    pthread_mutex_unlock(&p->lock);
    return show;
}

/* One round: a new pair, or the one that stands again. `stands`: nothing new unless it is moved. */
static sv_status play(player *p, const orders *o, bool stands, int slot, bool *used, sv_error *error) {
    const bool moved = o->seek || o->step;
    if (moved || !stands) {
        frame_pair pair = {0};
        sv_status status = moved ? move(p, o, error) : SV_OK;
        if (status == SV_OK) status = next_pair(p, &pair, error);
        if (status != SV_OK) return status;
        if (p->options.paced && !moved && !pace(p, pair.left)) {
            release_pair(&pair);
            return SV_OK;
        }
        release_pair(&p->current);
        p->current = pair;
    }
    pthread_mutex_lock(&p->lock);
    const sv_params params = p->orders.params;
    pthread_mutex_unlock(&p->lock);
    *used = true;
    return match(p, slot, &params, error);
}

static void *run(void *argument) {
    player *p = argument;
    /* This thread, and those that a CPU matcher starts from it, yield to the one that draws: the window stays
     * lively however long a match takes. On Linux a nice value is a thread's own; if it is refused, no harm is done. */
    setpriority(PRIO_PROCESS, 0, 5);
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!has_work(p)) pthread_cond_wait(&p->changed, &p->lock);
        if (p->orders.quit) break;
        const orders o = p->orders;
        const int slot = p->free_slots[--p->free_count];
        p->orders.seek = p->orders.rematch = false;
        p->orders.step = 0;
        if (o.seek || o.step) {
            p->ended = false;
            p->failure = SV_OK;
        }
        const bool stands = o.pause || p->ended || p->failure != SV_OK;
        pthread_mutex_unlock(&p->lock);

        bool used = false;
        sv_error error = {""};
        const sv_status status = play(p, &o, stands, slot, &used, &error);

        pthread_mutex_lock(&p->lock);
        if (status != SV_OK || !used) p->free_slots[p->free_count++] = slot;
        if (status == SV_END) {
            p->ended = true;
        } else if (status != SV_OK) {
            p->failure = status;
            p->error = error;
        }
        if (p->options.on_news) p->options.on_news();
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

sv_status player_open(player **out, const player_options *options, sv_error *error) {
    *out = NULL;
    player *p = calloc(1, sizeof *p);
    if (!p) return sv_fail(error, SV_FAILED, "out of memory");
    p->options = *options;
    p->orders = (orders){.speed = 1, .params = options->params};
    sv_status status = SV_OK;
    if (options->first && pairing_info(options->pairing)->seekable) status = seek_to_frame(p, options->first, error);
    if (status != SV_OK) {
        free(p);
        return status;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&p->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&p->lock, NULL);
    if (pthread_create(&p->thread, NULL, run, p)) {
        pthread_cond_destroy(&p->changed);
        pthread_mutex_destroy(&p->lock);
        free(p);
        return sv_fail(error, SV_FAILED, "cannot start the matching thread: the system has no more threads");
    }
    *out = p;
    return SV_OK;
}

void player_lend(player *p, int slot, const sv_output *output) {
    pthread_mutex_lock(&p->lock);
    p->outputs[slot] = *output;
    p->free_slots[p->free_count++] = slot;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

bool player_take(player *p, player_result *result) {
    pthread_mutex_lock(&p->lock);
    const bool any = p->result_count > 0;
    if (any) {
        *result = p->results[p->first_result];
        p->first_result = (p->first_result + 1) % PLAYER_SLOTS;
        p->result_count--;
    }
    pthread_mutex_unlock(&p->lock);
    return any;
}

void player_set_params(player *p, const sv_params *params) {
    pthread_mutex_lock(&p->lock);
    p->orders.params = *params;
    p->orders.rematch = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_pause(player *p, bool pause) {
    pthread_mutex_lock(&p->lock);
    p->orders.pause = pause;
    if (!pause && (p->ended || p->failure != SV_OK)) {
        const source_info *info = pairing_info(p->options.pairing);
        p->orders.seek = true;
        p->orders.seek_to = media_seek_time(info, p->options.first);
    }
    p->based = false;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_set_speed(player *p, double speed) {
    pthread_mutex_lock(&p->lock);
    p->orders.speed = speed;
    p->based = false;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_seek(player *p, double seconds) {
    pthread_mutex_lock(&p->lock);
    p->orders.seek = true;
    p->orders.seek_to = seconds;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_step(player *p, int frames) {
    pthread_mutex_lock(&p->lock);
    p->orders.pause = true;
    p->orders.step = frames;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

player_state player_get_state(player *p) {
    pthread_mutex_lock(&p->lock);
    const player_state state = {
        .paused = p->orders.pause,
        .ended = p->ended,
        .speed = p->orders.speed,
        .failure = p->failure,
        .error = p->error,
    };
    pthread_mutex_unlock(&p->lock);
    return state;
}

void player_close(player *p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->orders.quit = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pairing_interrupt(p->options.pairing);
    pthread_join(p->thread, NULL);
    release_pair(&p->current);
    for (; p->result_count; p->result_count--) {
        release_pair(&p->results[p->first_result].pair);
        p->first_result = (p->first_result + 1) % PLAYER_SLOTS;
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
