/* The pairs that a player has given to its matchers, and their results. */
#include "app/play/player_parts.h"
#include "map/compare.h"
#include "stereo/clock.h"

double player_position_of(const player *p, const frame *frame) {
    return pairing_info(p->options.pairing)->pictures ? (double)frame->index : frame->time;
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
    pthread_mutex_lock(&p->worker.lock);
    of->first_done = true;
    of->result.times = times;
    if (status != SV_OK && status != SV_CANCELLED) {
        fail_comparing(p, of, &why);
        status = SV_OK;
    }
    pthread_mutex_unlock(&p->worker.lock);
    return status;
}

int player_look_back(const orders *o) {
    const int a = o->params.temporal, b = o->second_params.temporal;
    return (o->compares && b > a ? b : a) - 1;
}

int64_t player_first_before(const player *p, const orders *o) {
    const int64_t first = p->current.left->index - player_look_back(o);
    return first > 0 ? first : 0;
}

bool player_is_settled(const player *p, const orders *o) {
    return !player_look_back(o) || p->matched_from <= player_first_before(p, o);
}

/* Counts the frames that the temporal filter can look back over, as the matcher does. */
static void count_frame(player *p, int64_t index) {
    p->row = !p->breaks && index == p->last_index + 1 ? p->row + 1 : 1;
    p->last_index = index;
    p->breaks = false;
}

static sv_status submit(player *p, const orders *o, const frame_pair *of, bool leads, sv_error *error) {
    count_frame(p, of->left->index);
    pthread_mutex_lock(&p->worker.lock);
    const int slot = p->free_slots[--p->free_count];
    sv_output output = p->outputs[slot], second = p->second_outputs[slot];
    if (!o->wants_confidence) output.confidence = second.confidence = (sv_image){0};
    const frame_pair pair = frame_pair_retain(of);
    flight *const new = &p->in_flight[p->in_flight_count++];
    *new = (flight){.result = {.slot = slot,
                               .pair = pair,
                               .params = o->params,
                               .has_confidence = o->wants_confidence,
                               .averaged = player_is_settled(p, o) ? SV_MAX_TEMPORAL : p->row,
                               .matcher = p->options.matcher,
                               .compared = o->compares,
                               .second_params = o->second_params},
                    .begun = sv_seconds(),
                    .leads = leads};
    pthread_mutex_unlock(&p->worker.lock);
    const sv_pair pictures = media_pictures(of);
    sv_status status = sv_submit(p->options.matcher, &pictures, &o->params, &output, error);
    if (status == SV_OK && o->compares) status = submit_second(p, new, &pictures, &second, error);
    if (status == SV_OK) return SV_OK;
    p->breaks = true;
    pthread_mutex_lock(&p->worker.lock);
    p->in_flight_count--;
    frame_pair_release(&new->result.pair);
    p->free_slots[p->free_count++] = slot;
    pthread_mutex_unlock(&p->worker.lock);
    return status;
}

sv_status player_submit(player *p, const orders *o, sv_error *error) {
    if (p->breaks) p->matched_from = p->current.left->index;
    return submit(p, o, &p->current, false, error);
}

sv_status player_submit_lead(player *p, const orders *o, const frame_pair *pair, sv_error *error) {
    return submit(p, o, pair, true, error);
}

/* Waits for the oldest pair in flight: for A, or for B if it is compared. */
static sv_status wait_for_oldest(player *p, sv_error *error) {
    flight *const oldest = &p->in_flight[0]; /* which only this thread changes */
    sv_error why;
    sv_times times = oldest->result.times, second = {.ms = {0}};
    sv_status status = oldest->first_done ? SV_OK : sv_wait(p->options.matcher, &times, error);
    const sv_status last = oldest->result.compared ? sv_wait(p->second, &second, &why) : SV_OK;
    pthread_mutex_lock(&p->worker.lock);
    oldest->result.times = times;
    oldest->result.second_times = second;
    if (last != SV_OK) fail_comparing(p, oldest, &why);
    pthread_mutex_unlock(&p->worker.lock);
    return status;
}

bool player_finish(player *p) {
    sv_error error;
    sv_status status = wait_for_oldest(p, &error);
    player_result result = p->in_flight[0].result;
    const bool leads = p->in_flight[0].leads, shows = status == SV_OK && !leads;
    if (status != SV_OK) p->breaks = true;
    if (shows) {
        stats_add_times(p->options.stats, &result.times);
        stats_tick(p->options.stats, STATS_MATCHED, sv_seconds());
    }
    pthread_mutex_lock(&p->worker.lock);
    for (int i = 1; i < p->in_flight_count; i++) p->in_flight[i - 1] = p->in_flight[i];
    p->in_flight_count--;
    /* A caller with results that it has not taken yet will find this one, too. */
    const bool news = status != SV_OK || (shows && !p->result_count);
    if (status == SV_OK) p->last_ms = compare_time(&result.times) + compare_time(&result.second_times);
    if (shows) {
        p->position = player_position_of(p, result.pair.left);
        p->results[(p->first_result + p->result_count++) % SV_OUTPUTS] = result;
    } else {
        p->free_slots[p->free_count++] = result.slot;
    }
    if (status != SV_OK) {
        p->match_failed = true;
        p->error = error;
    }
    pthread_mutex_unlock(&p->worker.lock);
    if (!shows) frame_pair_release(&result.pair);
    return news;
}

void player_reclaim_slot(player *p) {
    if (p->free_count || p->result_count < 2) return;
    player_result *oldest = &p->results[p->first_result];
    p->free_slots[p->free_count++] = oldest->slot;
    frame_pair_release(&oldest->pair);
    p->first_result = (p->first_result + 1) % SV_OUTPUTS;
    p->result_count--;
}
