/* Plays a pairing through a matcher in a thread of its own. */
#include "app/player.h"

#include "app/compare.h"
#include "stereo/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Pictures have no times: frames per second. */
static const double picture_rate = 10;

/* If the player is later than this, the schedule starts anew instead of catching up. */
static const double tolerated_delay = 0.1;

/* In real time, a pair that is this late is left out, unless pairs have been left out for `longest_skip` since the last
 * one that was not: then reading is too slow, and the schedule starts anew. */
static const double tolerated_lateness = 0.05, longest_skip = 0.5;

/* A jump of the time stamps by more than this is a fault of the recording and is skipped. */
static const double longest_gap = 10;

/* A match under way is given up for other parameters if the last one took longer, in milliseconds. */
static const double worth_giving_up = 100;

typedef struct orders {
    bool quit, pause;
    bool seek;
    double seek_to;     /* negative: to the first frame of the range */
    int64_t seek_frame; /* instead, if not negative: the number of a frame */
    bool ranged;        /* `range` is new */
    frame_range range;
    int step; /* frames, added up */
    bool rematch;
    bool real_time;
    double speed;
    sv_params params;
    bool compares;
    sv_params second_params;
    sv_matcher *matcher; /* to go over to; NULL: none */
} orders;

/* A pair that is with the matchers. */
typedef struct flight {
    player_result result;
    double begun;    /* when it was submitted, by sv_seconds */
    bool first_done; /* A has been waited for */
} flight;

struct player {
    player_options options;
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t changed; /* orders or slots; waited for by the thread */
    orders orders;
    sv_output outputs[SV_OUTPUTS], second_outputs[SV_OUTPUTS];
    int free_slots[SV_OUTPUTS], free_count;
    flight in_flight[SV_IN_FLIGHT]; /* oldest first */
    int in_flight_count;
    double last_ms; /* what the last match took; infinite before there is one */
    player_result results[SV_OUTPUTS];
    int first_result, result_count;
    double position; /* of the last matched pair, as in player_seek */
    bool ended, source_failed, match_failed;
    sv_error error;      /* of what failed */
    bool compare_failed; /* and the caller has not asked why: */
    sv_error compare_error;
    sv_matcher *second; /* of B; NULL before the first player_compare */
    bool based;         /* the schedule is valid: the pair of base_time is due at base_clock */
    double base_clock, base_time;
    double last_time; /* of the pair read before `next` */
    bool skipping;    /* pairs have been left out since the last match, from this time on: */
    double skips_since;
    int64_t skipped;

    /* Used only by the thread: the pair submitted last, and the pair to submit when it is due. */
    frame_pair current, next;
};

static double time_of(const player *p, const frame *frame) {
    return pairing_info(p->options.pairing)->pictures ? (double)frame->index / picture_rate : frame->time;
}

/* The last position that can be sought, as in player_seek. */
static double last_position(const player *p) {
    const source_info *info = pairing_info(p->options.pairing);
    if (info->pictures) return info->frames > 0 ? (double)(info->frames - 1) : INFINITY;
    return info->duration > 0 && info->rate > 0 ? fmax(0, info->duration - 1 / info->rate) : INFINITY;
}

static sv_status seek_to_frame(player *p, int64_t index, sv_error *error) {
    if (index < p->options.range.first) index = p->options.range.first;
    return pairing_seek_frame(p->options.pairing, index, error);
}

/* Reads into `next`; at the end, from the beginning again if looping. */
static sv_status read_next(player *p, sv_error *error) {
    sv_status status = media_next(p->options.pairing, &p->options.range, p->options.stats, &p->next, error);
    const bool one_frame = p->current.left && p->current.left->index == p->options.range.first && !p->skipping;
    if (status == SV_END && p->options.range.loop && p->current.left && !one_frame) {
        status = seek_to_frame(p, p->options.range.first, error);
        if (status == SV_OK)
            status = media_next(p->options.pairing, &p->options.range, p->options.stats, &p->next, error);
        pthread_mutex_lock(&p->lock);
        p->based = false;
        pthread_mutex_unlock(&p->lock);
    }
    return status;
}

/* Follows a seek or a step; the pair that it leads to is then `next`. */
static sv_status move(player *p, const orders *o, sv_error *error) {
    sv_status status = SV_OK;
    if (o->seek || (o->step < 0 && p->current.left)) {
        frame_pair_release(&p->next);
        status = o->seek && o->seek_frame >= 0 ? seek_to_frame(p, o->seek_frame, error)
                 : o->seek && o->seek_to >= 0  ? pairing_seek(p->options.pairing, o->seek_to, error)
                                              : seek_to_frame(p, o->seek ? 0 : p->current.left->index + o->step, error);
    }
    for (int i = 1; i < o->step && status == SV_OK; i++) {
        if (!p->next.left) status = read_next(p, error);
        frame_pair_release(&p->next);
    }
    if (status == SV_OK && !p->next.left) status = read_next(p, error);
    return status;
}

/* Reads the current pair, which lacks the required colour, again into `next`. */
static sv_status read_again(player *p, sv_error *error) {
    frame_pair_release(&p->next);
    sv_status status = seek_to_frame(p, p->current.left->index, error);
    return status == SV_OK ? read_next(p, error) : status;
}

/* Asks the matcher to give up what is under way. Called with the lock held. */
static void give_up(player *p) {
    if (p->options.cancel) atomic_store(&p->options.cancel->asked, true);
}

/* Ends comparing because B cannot be matched. Called with the lock held. */
static void fail_comparing(player *p, flight *of, const sv_error *error) {
    of->result.compared = false;
    p->orders.compares = false;
    p->compare_failed = true;
    p->compare_error = *error;
}

/* Waits for A, which was submitted, and starts to match the same pair with B. */
static sv_status submit_second(player *p, flight *of, const sv_pair *pictures, const sv_output *output,
                               sv_error *error) {
    sv_error why;
    sv_times times;
    sv_status status = sv_wait(p->options.matcher, &times, error);
    if (status != SV_OK) return status;
    status = sv_submit(p->second, pictures, &of->result.second_params, output, &why);
    pthread_mutex_lock(&p->lock);
    of->first_done = true;
    of->result.times = times;
    if (status != SV_OK && status != SV_CANCELLED) {
        fail_comparing(p, of, &why);
        status = SV_OK;
    }
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* Starts matching the current pair into a free slot. */
static sv_status submit(player *p, const orders *o, sv_error *error) {
    pthread_mutex_lock(&p->lock);
    const int slot = p->free_slots[--p->free_count];
    const sv_output output = p->outputs[slot], second = p->second_outputs[slot];
    const frame_pair pair = {frame_retain(p->current.left), frame_retain(p->current.right)};
    flight *const new = &p->in_flight[p->in_flight_count++];
    *new = (flight){.result = {.slot = slot,
                               .pair = pair,
                               .params = o->params,
                               .matcher = p->options.matcher,
                               .compared = o->compares,
                               .second_params = o->second_params},
                    .begun = sv_seconds()};
    pthread_mutex_unlock(&p->lock);
    const sv_pair pictures = media_pictures(&p->current);
    sv_status status = sv_submit(p->options.matcher, &pictures, &o->params, &output, error);
    if (status == SV_OK && o->compares) status = submit_second(p, new, &pictures, &second, error);
    if (status == SV_OK) return SV_OK;
    pthread_mutex_lock(&p->lock);
    p->in_flight_count--;
    frame_pair_release(&new->result.pair);
    p->free_slots[p->free_count++] = slot;
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* Waits for the oldest pair in flight: for A, or for B if it is compared. */
static sv_status wait_for_oldest(player *p, sv_error *error) {
    flight *const oldest = &p->in_flight[0]; /* which only this thread changes */
    sv_error why;
    sv_times times = oldest->result.times, second = {.ms = {0}};
    sv_status status = oldest->first_done ? SV_OK : sv_wait(p->options.matcher, &times, error);
    const sv_status last = oldest->result.compared ? sv_wait(p->second, &second, &why) : SV_OK;
    pthread_mutex_lock(&p->lock);
    oldest->result.times = times;
    oldest->result.second_times = second;
    if (last != SV_OK) fail_comparing(p, oldest, &why);
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* Waits for the oldest pair in flight and passes its result on. True if the caller has to be notified. */
static bool finish(player *p) {
    sv_error error;
    sv_status status = wait_for_oldest(p, &error);
    player_result result = p->in_flight[0].result;
    if (status == SV_OK) {
        stats_add_times(p->options.stats, &result.times);
        stats_tick(p->options.stats, STATS_MATCHED, sv_seconds());
        status = sinks_give(p->options.sinks, result.pair.left, &p->outputs[result.slot], &error);
    }
    pthread_mutex_lock(&p->lock);
    for (int i = 1; i < p->in_flight_count; i++) p->in_flight[i - 1] = p->in_flight[i];
    p->in_flight_count--;
    /* A caller that has untaken results will find this one too. */
    const bool news = status != SV_OK || !p->result_count;
    if (status == SV_OK) {
        const frame *left = result.pair.left;
        p->last_ms = compare_time(&result.times) + compare_time(&result.second_times);
        p->position = pairing_info(p->options.pairing)->pictures ? (double)left->index : left->time;
        p->results[(p->first_result + p->result_count++) % SV_OUTPUTS] = result;
    } else {
        p->free_slots[p->free_count++] = result.slot;
        p->match_failed = true;
        p->error = error;
    }
    pthread_mutex_unlock(&p->lock);
    if (status != SV_OK) frame_pair_release(&result.pair);
    return news;
}

/* Reclaims the slot of the oldest result if no slot is free and a newer result exists: the view shows only the newest,
 * so old ones must not block the matcher. Called with the lock held. */
static void reclaim_slot(player *p) {
    if (p->free_count || p->result_count < 2) return;
    player_result *oldest = &p->results[p->first_result];
    p->free_slots[p->free_count++] = oldest->slot;
    frame_pair_release(&oldest->pair);
    p->first_result = (p->first_result + 1) % SV_OUTPUTS;
    p->result_count--;
}

/* What the thread does next. */
typedef enum task { QUIT, FINISH, MOVE, REMATCH, READ, SHOW_NEXT, SKIP, WAIT, WAIT_UNTIL_DUE } task;

/* When `next` is to be shown, seconds of the clock. Called with the lock held. */
static double due_time(player *p) {
    const double now = sv_seconds(), time = time_of(p, p->next.left);
    const double gap = p->current.left ? time - p->last_time : 0;
    const bool catches_up = p->orders.real_time && !(p->skipping && now - p->skips_since > longest_skip);
    if (p->based && gap > longest_gap)
        sv_log(SV_LOG_WARNING, "the time stamps jump by %.0f s; continuing without the pause", gap);
    const double due = p->base_clock + (time - p->base_time) / p->orders.speed;
    if (p->based && gap <= longest_gap && (now <= due + tolerated_delay || catches_up)) return due;
    p->based = true;
    p->base_clock = now;
    p->base_time = time;
    return now;
}

/* Leaves out the next pair. Called with the lock held. */
static void skip_next(player *p) {
    if (!p->skipping) p->skips_since = sv_seconds();
    p->skipping = true;
    p->skipped++;
    p->last_time = time_of(p, p->next.left);
    frame_pair_release(&p->next);
}

/* Chooses the next task. Submitting comes before waiting for pairs in flight, so the matcher is never idle; but if
 * there is nothing to submit yet, a result does not wait for the next pair. Called with the lock held. `due`: when
 * WAIT_UNTIL_DUE ends. */
static task choose_task(player *p, double *due) {
    const orders *o = &p->orders;
    const bool busy = p->in_flight_count > 0;
    if (o->quit) return busy ? FINISH : QUIT;
    if (o->matcher && busy) return FINISH;
    /* A and B follow each other, so that neither takes time from the other. */
    const int at_once = o->compares ? 1 : sv_at_once(p->options.matcher);
    if (!p->free_count || p->in_flight_count >= at_once) return busy ? FINISH : WAIT;
    if (o->seek || o->step) return busy ? FINISH : MOVE;
    if (o->rematch && p->current.left) return REMATCH;
    /* Even a pause shows the first pair. */
    if ((o->pause && p->current.left) || p->ended || p->source_failed || p->match_failed) return busy ? FINISH : WAIT;
    if (!p->next.left) return busy && !pairing_ready(p->options.pairing) ? FINISH : READ;
    if (!p->options.paced) return SHOW_NEXT;
    *due = due_time(p);
    if (p->orders.real_time && sv_seconds() > *due + tolerated_lateness) return SKIP;
    if (sv_seconds() >= *due) return SHOW_NEXT;
    return busy ? FINISH : WAIT_UNTIL_DUE;
}

/* Goes over to other frames to play. Called with the lock held. */
static void follow_range(player *p) {
    p->options.range = p->orders.range;
    p->orders.ranged = false;
    if (p->next.left && p->next.left->index >= p->options.range.end) frame_pair_release(&p->next);
    p->ended = false; /* the end may be elsewhere now */
}

/* Goes over to another matcher. Called with the lock held, while nothing is in flight. */
static void follow_matcher(player *p) {
    p->options.matcher = p->orders.matcher;
    p->orders.matcher = NULL;
    p->orders.rematch = true;
}

/* Performs a long task without the lock. True if the caller has to be notified. */
static bool work(player *p, task task, const orders *o) {
    if (task == FINISH) return finish(p);
    sv_error error = {""};
    sv_status source = SV_OK, match = SV_OK;
    const bool again = task == REMATCH && media_lacks_colour(&p->current, p->options.colour) &&
                       pairing_info(p->options.pairing)->seekable;
    if (task == MOVE) source = move(p, o, &error);
    if (task == READ) {
        /* A stalled camera must not delay other requests. */
        if (!pairing_wait(p->options.pairing, 0.05)) return false;
        source = read_next(p, &error);
    }
    if (again) source = read_again(p, &error);
    if (source == SV_OK && task != READ) {
        if (task != REMATCH || again) {
            frame_pair_release(&p->current);
            p->current = p->next;
            p->next = (frame_pair){0};
            p->last_time = time_of(p, p->current.left);
            p->skipping = false;
        }
        match = submit(p, o, &error);
        if (match == SV_CANCELLED) match = SV_OK; /* the order for which it was given up comes next */
    }
    const bool source_failed = source != SV_OK && source != SV_END;
    pthread_mutex_lock(&p->lock);
    p->ended |= source == SV_END;
    p->source_failed |= source_failed;
    if (task != READ) p->match_failed = match != SV_OK;
    if (source_failed || match != SV_OK) p->error = error;
    pthread_mutex_unlock(&p->lock);
    return source != SV_OK || match != SV_OK;
}

static void *run(void *argument) {
    player *p = argument;
    /* This thread, and those that a CPU matcher starts from it, yield to the one that draws: the window stays
     * lively however long a match takes. On Linux a nice value is a thread's own; if it is refused, no harm is done. */
    setpriority(PRIO_PROCESS, 0, 5);
    pthread_mutex_lock(&p->lock);
    for (;;) {
        double due;
        reclaim_slot(p);
        if (p->orders.ranged) follow_range(p);
        if (p->orders.matcher && !p->in_flight_count) follow_matcher(p);
        const task task = choose_task(p, &due);
        if (task == QUIT) break;
        if (task == WAIT) {
            pthread_cond_wait(&p->changed, &p->lock);
            continue;
        }
        if (task == SKIP) {
            skip_next(p);
            continue;
        }
        if (task == WAIT_UNTIL_DUE) {
            sv_condition_wait(&p->changed, &p->lock, due);
            continue;
        }
        const orders o = p->orders;
        if (task == MOVE || task == REMATCH || task == SHOW_NEXT) {
            p->orders.rematch = false;
            if (p->options.cancel) atomic_store(&p->options.cancel->asked, false);
        }
        if (task == MOVE) {
            p->orders.seek = p->ended = p->source_failed = p->based = false;
            p->orders.step = 0;
        }
        pthread_mutex_unlock(&p->lock);
        if (work(p, task, &o) && p->options.on_news) p->options.on_news();
        pthread_mutex_lock(&p->lock);
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
    p->last_ms = INFINITY;
    sv_status status = SV_OK;
    if (options->range.first && pairing_info(options->pairing)->seekable)
        status = seek_to_frame(p, options->range.first, error);
    if (status != SV_OK) {
        free(p);
        return status;
    }
    sv_condition_init(&p->changed);
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
        p->first_result = (p->first_result + 1) % SV_OUTPUTS;
        p->result_count--;
    }
    pthread_mutex_unlock(&p->lock);
    return any;
}

void player_lend_second(player *p, int slot, const sv_output *output) {
    pthread_mutex_lock(&p->lock);
    p->second_outputs[slot] = *output;
    pthread_mutex_unlock(&p->lock);
}

/* Called with the lock held. */
static void order_rematch(player *p) {
    p->orders.rematch = true;
    if (p->last_ms > worth_giving_up) give_up(p);
    pthread_cond_signal(&p->changed);
}

void player_set_params(player *p, const sv_params *params) {
    pthread_mutex_lock(&p->lock);
    p->orders.params = *params;
    order_rematch(p);
    pthread_mutex_unlock(&p->lock);
}

void player_compare(player *p, sv_matcher *matcher, const sv_params *params) {
    pthread_mutex_lock(&p->lock);
    if (p->second != matcher) p->second = matcher; /* only the first time: the thread may be reading it */
    p->orders.compares = true;
    p->orders.second_params = *params;
    p->compare_failed = false;
    order_rematch(p);
    pthread_mutex_unlock(&p->lock);
}

void player_stop_comparing(player *p) {
    pthread_mutex_lock(&p->lock);
    p->orders.compares = false;
    order_rematch(p);
    pthread_mutex_unlock(&p->lock);
}

bool player_compare_failed(player *p, sv_error *error) {
    pthread_mutex_lock(&p->lock);
    const bool failed = p->compare_failed;
    if (failed) *error = p->compare_error;
    p->compare_failed = false;
    pthread_mutex_unlock(&p->lock);
    return failed;
}

void player_set_matcher(player *p, sv_matcher *matcher) {
    pthread_mutex_lock(&p->lock);
    p->orders.matcher = matcher;
    if (p->last_ms > worth_giving_up) give_up(p);
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_toggle_pause(player *p) {
    pthread_mutex_lock(&p->lock);
    p->orders.pause = !(p->orders.pause || p->ended || p->source_failed);
    if (!p->orders.pause && (p->ended || p->source_failed)) {
        p->orders.seek = true;
        p->orders.seek_to = p->orders.seek_frame = -1;
    }
    p->based = false;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_set_pace(player *p, double speed, bool real_time) {
    pthread_mutex_lock(&p->lock);
    p->orders.speed = speed;
    p->orders.real_time = real_time;
    p->based = false;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

/* Called with the lock held. */
static void order_seek(player *p, double position) {
    p->orders.seek = true;
    p->orders.seek_frame = -1;
    p->orders.seek_to = fmax(0, fmin(position, last_position(p)));
    pthread_cond_signal(&p->changed);
}

void player_seek(player *p, double position) {
    pthread_mutex_lock(&p->lock);
    order_seek(p, position);
    pthread_mutex_unlock(&p->lock);
}

/* The position of a pending seek, or of the pair that is shown. Called with the lock held. */
static double sought(const player *p) {
    return p->orders.seek && p->orders.seek_frame < 0 ? p->orders.seek_to : p->position;
}

void player_seek_frame(player *p, int64_t index) {
    const int64_t frames = pairing_frames(p->options.pairing);
    pthread_mutex_lock(&p->lock);
    p->orders.seek = true;
    p->orders.seek_to = 0;
    p->orders.seek_frame = frames > 0 && index >= frames ? frames - 1 : index > 0 ? index : 0;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_set_range(player *p, const frame_range *range) {
    pthread_mutex_lock(&p->lock);
    p->orders.ranged = true;
    p->orders.range = *range;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void player_seek_by(player *p, double distance) {
    pthread_mutex_lock(&p->lock);
    order_seek(p, sought(p) + distance);
    pthread_mutex_unlock(&p->lock);
}

void player_set_offset(player *p, double offset) {
    pthread_mutex_lock(&p->lock);
    pairing_set_offset(p->options.pairing, offset);
    order_seek(p, sought(p));
    pthread_mutex_unlock(&p->lock);
}

void player_step(player *p, int frames) {
    pthread_mutex_lock(&p->lock);
    p->orders.pause = true;
    p->orders.step += frames;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

player_state player_get_state(player *p) {
    pthread_mutex_lock(&p->lock);
    const player_state state = {
        .paused = p->orders.pause || p->ended || p->source_failed,
        .ended = p->ended && !p->in_flight_count && !p->result_count,
        .failed = p->source_failed || p->match_failed,
        .error = p->error,
        .skipped = p->skipped,
        .matching = p->in_flight_count > 0,
        .since = p->in_flight[0].begun,
        .params = p->in_flight[0].result.params,
        .compares = p->in_flight_count && p->in_flight[0].result.compared,
        .second_params = p->in_flight[0].result.second_params,
    };
    pthread_mutex_unlock(&p->lock);
    return state;
}

frame_pair player_matched_pair(player *p) {
    frame_pair pair = {0};
    pthread_mutex_lock(&p->lock);
    const frame_pair *oldest = &p->in_flight[0].result.pair;
    if (p->in_flight_count) pair = (frame_pair){frame_retain(oldest->left), frame_retain(oldest->right)};
    pthread_mutex_unlock(&p->lock);
    return pair;
}

void player_close(player *p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->orders.quit = true;
    give_up(p);
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pairing_interrupt(p->options.pairing);
    pthread_join(p->thread, NULL);
    frame_pair_release(&p->current);
    frame_pair_release(&p->next);
    for (; p->result_count; p->result_count--) {
        frame_pair_release(&p->results[p->first_result].pair);
        p->first_result = (p->first_result + 1) % SV_OUTPUTS;
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
