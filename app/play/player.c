/* Plays a pairing through a matcher in a thread of its own. */
#include "app/play/player_parts.h"
#include "stereo/alloc.h"
#include "stereo/clock.h"

#include <math.h>
#include <stdlib.h>

/* Pictures have no times: frames per second. */
static const double picture_rate = 10;

/* If the player is later than this, it restarts the schedule instead of catching up. */
static const double tolerated_delay = 0.1;

/* In real time, a pair that is this late is left out, unless pairs have been left out for `longest_skip` since the last
 * one that was not: then reading is too slow, and the schedule restarts. */
static const double tolerated_lateness = 0.05, longest_skip = 0.5;

/* Nothing has to have been ordered for so long before a map is settled, so that the results of a slider that moves are
 * not mixed with those that look back. */
static const double rest = 0.1;

/* A jump of the time stamps by more than this is a fault of the recording and is skipped. */
static const double longest_gap = 10;

static double time_of(const player *p, const frame *frame) {
    return pairing_info(p->options.pairing)->pictures ? (double)frame->index / picture_rate : frame->time;
}

static sv_status seek_to_frame(player *p, int64_t index, sv_error *error) {
    if (index < p->options.range.first) index = p->options.range.first;
    return pairing_seek_frame(p->options.pairing, index, error);
}

/* The last pair before the first one is shown for as long as any other. */
static void continue_schedule(player *p) {
    const source_info *info = pairing_info(p->options.pairing);
    const double interval = 1 / (info->pictures ? picture_rate : info->rate);
    pthread_mutex_lock(&p->worker.lock);
    p->base_clock += (p->last_time + interval - p->base_time) / p->orders.speed;
    p->base_time = time_of(p, p->next.left);
    p->based = p->based && sv_seconds() <= p->base_clock; /* a late repetition is not caught up with */
    pthread_mutex_unlock(&p->worker.lock);
}

/* Reads into `next`. */
static sv_status read(player *p, sv_error *error) {
    return media_next(p->options.pairing, &p->options.range, p->options.stats, &p->next, error);
}

/* The same; at the end, from the beginning again if looping. */
static sv_status read_next(player *p, sv_error *error) {
    sv_status status = read(p, error);
    const bool one_frame = p->current.left && p->current.left->index == p->options.range.first && !p->skipping;
    if (status == SV_END && p->options.range.loop && p->current.left && !one_frame) {
        status = seek_to_frame(p, p->options.range.first, error);
        if (status == SV_OK) status = read(p, error);
        if (status == SV_OK) continue_schedule(p);
    }
    if (status == SV_END && p->skipping && p->recent.count) { /* the last pair is shown, however late */
        p->next = frame_pair_retain(&p->recent.pairs[p->recent.count - 1]);
        pthread_mutex_lock(&p->worker.lock);
        p->based = false;
        p->skipped--;
        pthread_mutex_unlock(&p->worker.lock);
        p->skipping = false;
        return SV_OK;
    }
    return status;
}

/* Reads the pair of frame `index`, or the next one, again. */
static sv_status read_at(player *p, int64_t index, sv_error *error) {
    frame_pair_release(&p->next);
    const sv_status status = seek_to_frame(p, index, error);
    return status == SV_OK ? read(p, error) : status;
}

/* Reads the pair that is `count` frames before frame `from`. If frames without a partner lead from there to `from`
 * again, it is the last pair before it. */
static sv_status step_back(player *p, int64_t from, int count, sv_error *error) {
    const int64_t index = from - count, first = p->options.range.first;
    int64_t back = 0, before = -1;
    sv_status status = read_at(p, index, error);
    while (status == SV_OK && p->next.left->index >= from && index - back > first) {
        back = back ? 2 * back : 1;
        status = read_at(p, index - back, error);
    }
    if (!back) return status;
    while (status == SV_OK && p->next.left->index < from) {
        before = p->next.left->index;
        frame_pair_release(&p->next);
        status = read(p, error);
    }
    return status == SV_OK ? read_at(p, before < 0 ? from : before, error) : status;
}

/* Reads `count` pairs, of which the last one becomes `next`. */
static sv_status step_ahead(player *p, int count, sv_error *error) {
    frame_pair last = {0};
    sv_status status = SV_OK;
    for (int i = 1; i <= count && status == SV_OK; i++) {
        if (!p->next.left) status = read_next(p, error);
        if (status != SV_OK || i == count) break;
        frame_pair_release(&last);
        last = p->next;
        p->next = (frame_pair){0};
    }
    if (status == SV_END && last.left) { /* the end is nearer than that */
        p->next = last;
        return SV_OK;
    }
    frame_pair_release(&last);
    return status;
}

/* Reads the last pair, which is before frame `index`: the other side may end earlier than the files declare. */
static sv_status read_last(player *p, int64_t index, sv_error *error) {
    const int64_t frames = pairing_frames(p->options.pairing), first = p->options.range.first;
    frame_pair last = {0};
    int64_t back = 1;
    if (frames > 0 && index > frames) index = frames;
    sv_status status = read_at(p, index - back, error);
    while (status == SV_END && index - back > first) {
        back *= 2;
        status = read_at(p, index - back, error);
    }
    while (status == SV_OK) {
        frame_pair_release(&last);
        last = p->next;
        p->next = (frame_pair){0};
        status = read(p, error);
    }
    if (status == SV_END && last.left) {
        p->next = last;
        return SV_OK;
    }
    frame_pair_release(&last);
    return status;
}

/* True if a seek backwards has ended after a gap, from where the next one would end in the same place. */
static bool ends_behind_gap(const player *p, const orders *o) {
    return o->seek_frame < 0 && !o->step && player_position_of(p, p->next.left) > o->latest;
}

/* Follows a seek, and then a step; the pair that they lead to is then `next`. */
static sv_status move(player *p, const orders *o, sv_error *error) {
    const source_info *info = pairing_info(p->options.pairing);
    const int ahead = o->step + o->seek;
    sv_status status = SV_OK;
    int64_t beyond = 0;
    if (o->seek || (o->step < 0 && p->current.left)) {
        frame_pair_release(&p->next);
        p->skipping = false;
        if (!o->seek) return step_back(p, p->current.left->index, -o->step, error);
        beyond = o->seek_frame >= 0 ? o->seek_frame : (int64_t)ceil(o->seek_to * (info->pictures ? 1 : info->rate));
        status = o->seek_frame >= 0 ? seek_to_frame(p, o->seek_frame, error)
                 : o->seek_to >= 0  ? pairing_seek(p->options.pairing, o->seek_to, error)
                                    : seek_to_frame(p, 0, error);
    }
    if (status == SV_OK) status = step_ahead(p, ahead > 1 ? ahead : 1, error);
    if (status == SV_END && beyond > 0) status = read_last(p, beyond, error);
    if (status != SV_OK || !o->seek || (o->step >= 0 && !ends_behind_gap(p, o))) return status;
    return step_back(p, p->next.left->index, o->step < 0 ? -o->step : 1, error);
}

/* What the thread does next. */
typedef enum task { QUIT, FINISH, MOVE, REMATCH, READ, SHOW_NEXT, SETTLE, SKIP, WAIT, WAIT_UNTIL_DUE } task;

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
    player_note(p, &p->orders, &p->next); /* it is one of the frames before those that follow */
    p->breaks = true;
    frame_pair_release(&p->next);
}

/* Chooses the next task. Submitting comes before waiting for pairs in flight, so the matcher is never idle; but if
 * there is nothing to submit yet, a result does not wait for the next pair. Called with the lock held. `due`: when
 * WAIT_UNTIL_DUE ends. */
static task choose_task(player *p, double *due) {
    const orders *o = &p->orders;
    const bool busy = p->in_flight_count > 0;
    if (p->worker.stops) return busy ? FINISH : QUIT;
    if (o->matcher && busy) return FINISH;
    /* A and B follow each other, so that neither takes time from the other. */
    const int at_once = o->compares ? 1 : sv_at_once(p->options.matcher);
    if (!p->free_count || p->in_flight_count >= at_once) return busy ? FINISH : WAIT;
    if (o->seek || o->step) return busy ? FINISH : MOVE;
    if (o->rematch && p->current.left) return REMATCH;
    /* Even a pause shows the first pair. */
    if ((o->pause && p->current.left) || p->ended || p->source_failed || p->match_failed) {
        if (busy) return FINISH;
        if (!p->current.left || p->source_failed || p->match_failed || p->rests || player_is_settled(p, o)) return WAIT;
        *due = p->settles_at;
        return sv_seconds() < *due ? WAIT_UNTIL_DUE : SETTLE;
    }
    if (!p->next.left) return busy && !pairing_ready(p->options.pairing) ? FINISH : READ;
    if (!p->options.paced) return SHOW_NEXT;
    *due = due_time(p);
    if (p->orders.real_time && sv_seconds() > *due + tolerated_lateness) return SKIP;
    if (sv_seconds() >= *due) return SHOW_NEXT;
    return busy ? FINISH : WAIT_UNTIL_DUE;
}

/* Switches to another range of frames. Called with the lock held. */
static void follow_range(player *p) {
    p->options.range = p->orders.range;
    p->orders.ranged = false;
    if (p->next.left && p->next.left->index >= p->options.range.end) frame_pair_release(&p->next);
    p->ended = false; /* the end may be elsewhere now */
}

/* Switches to other matchers. Called with the lock held, while nothing is in flight. */
static void follow_matcher(player *p) {
    p->options.matcher = p->orders.matcher;
    if (p->orders.second) p->second = p->orders.second;
    p->orders.matcher = p->orders.second = NULL;
    p->orders.rematch = true;
}

/* Performs a long task without the lock. True if the caller has to be notified. */
static bool work(player *p, task task, const orders *o) {
    if (task == FINISH) return player_finish(p);
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
    if (again) source = read_at(p, p->current.left->index, &error); /* in colour */
    if (task == SETTLE) {
        match = player_settle(p, o, &source, &error);
    } else if (source == SV_OK && task != READ) {
        p->lead = -1;
        p->rests = false;
        p->breaks |= o->rematch;
        if (task != SHOW_NEXT) p->settles_at = sv_seconds() + rest;
        if (task == MOVE && (o->seek || o->step != 1)) player_forget(p);
        if (task != REMATCH || again) {
            player_note(p, o, &p->next);
            frame_pair_release(&p->current);
            p->current = p->next;
            p->next = (frame_pair){0};
            p->last_time = time_of(p, p->current.left);
            p->skipping = false;
        }
        match = player_submit(p, o, &error);
    }
    if (match == SV_CANCELLED) match = SV_OK; /* the order that cancelled it comes next */
    const bool source_failed = source != SV_OK && source != SV_END;
    pthread_mutex_lock(&p->worker.lock);
    p->ended |= source == SV_END;
    p->source_failed |= source_failed;
    p->orders.rematch |= task == MOVE && source != SV_OK && o->rematch; /* nothing was matched */
    if (task != READ) p->match_failed = match != SV_OK;
    if (source_failed || match != SV_OK) p->error = error;
    pthread_mutex_unlock(&p->worker.lock);
    return source != SV_OK || match != SV_OK;
}

static void *run(void *argument) {
    player *p = argument;
    sv_thread_yield(5); /* the window stays responsive however long a match takes */
    pthread_mutex_lock(&p->worker.lock);
    for (;;) {
        double due;
        player_reclaim_slot(p);
        if (p->orders.ranged) follow_range(p);
        if (p->orders.matcher && !p->in_flight_count) follow_matcher(p);
        const task task = choose_task(p, &due);
        if (task == QUIT) break;
        if (task == WAIT) {
            pthread_cond_wait(&p->worker.changed, &p->worker.lock);
            continue;
        }
        if (task == SKIP) {
            skip_next(p);
            continue;
        }
        if (task == WAIT_UNTIL_DUE) {
            sv_condition_wait(&p->worker.changed, &p->worker.lock, due);
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
        pthread_mutex_unlock(&p->worker.lock);
        if (work(p, task, &o) && p->options.on_news) p->options.on_news();
        pthread_mutex_lock(&p->worker.lock);
    }
    pthread_mutex_unlock(&p->worker.lock);
    return NULL;
}

sv_status player_open(player **out, const player_options *options, sv_error *error) {
    *out = NULL;
    player *p = sv_alloc(1, sizeof *p);
    p->options = *options;
    p->orders = (orders){.speed = 1, .params = options->params};
    p->last_ms = INFINITY;
    p->breaks = true;
    p->lead = -1;
    sv_status status = SV_OK;
    if (options->range.first && pairing_info(options->pairing)->seekable)
        status = seek_to_frame(p, options->range.first, error);
    if (status != SV_OK) {
        free(p);
        return status;
    }
    sv_worker_start(&p->worker, run, p);
    *out = p;
    return SV_OK;
}

void player_close(player *p) {
    if (!p) return;
    pthread_mutex_lock(&p->worker.lock);
    p->worker.stops = true; /* so that the thread starts nothing after the match that is cancelled */
    player_give_up(p);
    pthread_mutex_unlock(&p->worker.lock);
    pairing_interrupt(p->options.pairing);
    sv_worker_stop(&p->worker);
    frame_pair_release(&p->current);
    frame_pair_release(&p->next);
    player_forget(p);
    for (; p->result_count; p->result_count--) {
        frame_pair_release(&p->results[p->first_result].pair);
        p->first_result = (p->first_result + 1) % SV_OUTPUTS;
    }
    free(p);
}
