/* The calls by which the window controls the player: each notes an order for the thread. */
#include "app/play/player_parts.h"

#include <math.h>

/* The last position that a seek can reach, as in player_seek. */
static double last_position(const player *p) {
    const source_info *info = pairing_info(p->options.pairing);
    if (info->pictures) return info->frames > 0 ? (double)(info->frames - 1) : INFINITY;
    return info->duration > 0 && info->rate > 0 ? fmax(0, info->duration - 1 / info->rate) : INFINITY;
}

void player_give_up(player *p) {
    if (p->options.cancel) atomic_store(&p->options.cancel->asked, true);
}

static void unlock_and_wake(player *p) {
    pthread_cond_signal(&p->worker.changed);
    pthread_mutex_unlock(&p->worker.lock);
}

void player_lend(player *p, int slot, const sv_output *output) {
    pthread_mutex_lock(&p->worker.lock);
    p->outputs[slot] = *output;
    p->free_slots[p->free_count++] = slot;
    unlock_and_wake(p);
}

bool player_take(player *p, player_result *result) {
    pthread_mutex_lock(&p->worker.lock);
    const bool any = p->result_count > 0;
    if (any) {
        *result = p->results[p->first_result];
        p->first_result = (p->first_result + 1) % SV_OUTPUTS;
        p->result_count--;
    }
    pthread_mutex_unlock(&p->worker.lock);
    return any;
}

void player_lend_second(player *p, int slot, const sv_output *output) {
    pthread_mutex_lock(&p->worker.lock);
    p->second_outputs[slot] = *output;
    pthread_mutex_unlock(&p->worker.lock);
}

/* A match that should have ended long ago is unlike the one before it, so its end cannot be expected. */
bool player_cancel_is_due(double last, double begun, double waits) {
    /* The most seconds that parameters wait for a match: 10 ms less than what feels immediate, which cancelling it may
     * take. */
    const double longest = 0.04;
    return waits >= longest || !(fabs(last - begun) <= longest);
}

/* Cancels the match under way if it keeps an order waiting. Called with the lock held. */
static void hurry(player *p) {
    const double now = sv_seconds(), begun = now - p->in_flight[0].begun;
    const bool waits = p->in_flight_count && (p->orders.rematch || p->orders.matcher);
    if (waits && player_cancel_is_due(p->last_ms / 1e3, begun, now - p->orders.since)) player_give_up(p);
}

/* Called with the lock held, before the order is noted. */
static void note_order(player *p) {
    if (!p->orders.rematch && !p->orders.matcher) p->orders.since = sv_seconds();
}

/* Called with the lock held. */
static void order_rematch(player *p) {
    note_order(p);
    p->orders.rematch = true;
    hurry(p);
    pthread_cond_signal(&p->worker.changed);
}

void player_hurry(player *p) {
    pthread_mutex_lock(&p->worker.lock);
    hurry(p);
    pthread_mutex_unlock(&p->worker.lock);
}

void player_set_params(player *p, const sv_params *params) {
    pthread_mutex_lock(&p->worker.lock);
    p->orders.params = *params;
    order_rematch(p);
    pthread_mutex_unlock(&p->worker.lock);
}

void player_want_confidence(player *p, bool wants_confidence) {
    pthread_mutex_lock(&p->worker.lock);
    const bool new = wants_confidence && !p->orders.wants_confidence;
    p->orders.wants_confidence = wants_confidence;
    if (new) order_rematch(p);
    pthread_mutex_unlock(&p->worker.lock);
}

void player_compare(player *p, sv_matcher *matcher, const sv_params *params) {
    pthread_mutex_lock(&p->worker.lock);
    if (!p->second) p->second = matcher; /* only the first time: the thread may be reading it */
    p->orders.compares = true;
    p->orders.second_params = *params;
    p->compare_failed = false;
    order_rematch(p);
    pthread_mutex_unlock(&p->worker.lock);
}

void player_stop_comparing(player *p) {
    pthread_mutex_lock(&p->worker.lock);
    p->orders.compares = false;
    order_rematch(p);
    pthread_mutex_unlock(&p->worker.lock);
}

bool player_compare_failed(player *p, sv_error *error) {
    pthread_mutex_lock(&p->worker.lock);
    const bool failed = p->compare_failed;
    if (failed) *error = p->compare_error;
    p->compare_failed = false;
    pthread_mutex_unlock(&p->worker.lock);
    return failed;
}

void player_set_matcher(player *p, sv_matcher *matcher, sv_matcher *second) {
    pthread_mutex_lock(&p->worker.lock);
    note_order(p);
    p->orders.matcher = matcher;
    p->orders.second = second;
    hurry(p);
    unlock_and_wake(p);
}

/* True if nothing follows the current pair, unless an order that is pending leads back. Called with the lock held. */
static bool stands_at_end(const player *p) {
    return (p->ended || p->source_failed) && !p->orders.seek && p->orders.step >= 0;
}

void player_toggle_pause(player *p) {
    pthread_mutex_lock(&p->worker.lock);
    const bool at_end = stands_at_end(p);
    p->orders.pause = !(p->orders.pause || at_end);
    if (!p->orders.pause && at_end) {
        p->orders.seek = true;
        p->orders.step = 0;
        p->orders.seek_to = p->orders.seek_frame = -1;
        p->orders.latest = INFINITY;
    }
    p->based = false;
    unlock_and_wake(p);
}

void player_set_pace(player *p, double speed, bool real_time) {
    pthread_mutex_lock(&p->worker.lock);
    p->orders.speed = speed;
    p->orders.real_time = real_time;
    p->based = false;
    unlock_and_wake(p);
}

/* Called with the lock held. */
static void order_seek(player *p, double position) {
    p->orders.seek = true;
    p->orders.seek_frame = -1;
    p->orders.latest = INFINITY;
    p->orders.seek_to = fmax(0, fmin(position, last_position(p)));
    pthread_cond_signal(&p->worker.changed);
}

void player_seek(player *p, double position) {
    pthread_mutex_lock(&p->worker.lock);
    p->orders.step = 0;
    order_seek(p, position);
    pthread_mutex_unlock(&p->worker.lock);
}

/* The position of a pending seek, or of the pair that is shown. Called with the lock held. */
static double sought(const player *p) {
    const source_info *info = pairing_info(p->options.pairing);
    if (!p->orders.seek) return p->position;
    if (p->orders.seek_frame < 0) return p->orders.seek_to;
    return info->pictures ? (double)p->orders.seek_frame : (double)p->orders.seek_frame / info->rate;
}

void player_seek_frame(player *p, int64_t index) {
    const int64_t frames = pairing_frames(p->options.pairing);
    pthread_mutex_lock(&p->worker.lock);
    p->orders.seek = true;
    p->orders.step = 0;
    p->orders.seek_to = 0;
    p->orders.seek_frame = frames > 0 && index >= frames ? frames - 1 : index > 0 ? index : 0;
    unlock_and_wake(p);
}

void player_set_range(player *p, const frame_range *range) {
    pthread_mutex_lock(&p->worker.lock);
    p->orders.ranged = true;
    p->orders.range = *range;
    unlock_and_wake(p);
}

void player_seek_by(player *p, double distance) {
    pthread_mutex_lock(&p->worker.lock);
    const double from = sought(p);
    order_seek(p, from + distance);
    if (distance < 0) p->orders.latest = fmax(0, from + distance / 2);
    pthread_mutex_unlock(&p->worker.lock);
}

void player_set_offset(player *p, double offset) {
    pthread_mutex_lock(&p->worker.lock);
    pairing_set_offset(p->options.pairing, offset);
    order_seek(p, sought(p));
    pthread_mutex_unlock(&p->worker.lock);
}

void player_step(player *p, int frames) {
    pthread_mutex_lock(&p->worker.lock);
    p->orders.pause = true;
    p->orders.step += frames;
    unlock_and_wake(p);
}

player_state player_get_state(player *p) {
    pthread_mutex_lock(&p->worker.lock);
    const player_state state = {
        .paused = p->orders.pause || stands_at_end(p),
        .ended = p->ended && !p->in_flight_count && !p->result_count,
        .failed = p->source_failed || p->match_failed,
        .match_failed = p->match_failed,
        .error = p->error,
        .skipped = p->skipped,
        .matching = p->in_flight_count > 0,
        .since = p->in_flight[0].begun,
        .params = p->in_flight[0].result.params,
        .compares = p->in_flight_count && p->in_flight[0].result.compared,
        .second_params = p->in_flight[0].result.second_params,
    };
    pthread_mutex_unlock(&p->worker.lock);
    return state;
}

frame_pair player_matched_pair(player *p) {
    frame_pair pair = {0};
    pthread_mutex_lock(&p->worker.lock);
    const frame_pair *oldest = &p->in_flight[0].result.pair;
    if (p->in_flight_count) pair = frame_pair_retain(oldest);
    pthread_mutex_unlock(&p->worker.lock);
    return pair;
}
