/* Gives the current pair of a player that rests the map that it has after all frames before it: matches the pairs that
 * the temporal filter looks back over, in their order, and then the current pair again. */
#include "app/play/player_parts.h"

void player_forget(player *p) {
    for (int i = 0; i < p->recent.count; i++) frame_pair_release(&p->recent.pairs[i]);
    p->recent.count = 0;
    p->breaks = true;
}

void player_note(player *p, const orders *o, const frame_pair *pair) {
    recent_pairs *r = &p->recent;
    const int64_t index = pair->left->index;
    if (r->count && index <= r->pairs[r->count - 1].left->index) player_forget(p);
    if (!r->count) r->from = index;
    while (r->count > player_look_back(o)) {
        r->from = r->pairs[0].left->index + 1;
        frame_pair_release(&r->pairs[0]);
        r->count--;
        for (int i = 0; i < r->count; i++) r->pairs[i] = r->pairs[i + 1];
    }
    r->pairs[r->count++] = frame_pair_retain(pair);
}

/* True if the player is about to read elsewhere. */
static bool is_called_away(player *p) {
    pthread_mutex_lock(&p->worker.lock);
    const bool is = p->worker.stops || p->orders.seek;
    pthread_mutex_unlock(&p->worker.lock);
    return is;
}

/* Reads the pairs from frame `first` up to the current one, after which the source goes on. */
static sv_status read_before(player *p, const orders *o, int64_t first, sv_error *error) {
    const int64_t index = p->current.left->index;
    const frame_range range = {.end = INT64_MAX, .skip_damaged = p->options.range.skip_damaged};
    frame_pair pair = {0};
    frame_pair_release(&p->next);
    player_forget(p);
    sv_status status = pairing_seek_frame(p->options.pairing, first, error);
    while (status == SV_OK && !(pair.left && pair.left->index >= index) && !is_called_away(p)) {
        frame_pair_release(&pair);
        status = media_next(p->options.pairing, &range, p->options.stats, &pair, error);
        if (status == SV_OK) player_note(p, o, pair.left->index > index ? &p->current : &pair);
    }
    if (p->recent.count) p->recent.from = first; /* there is none before the first that was read */
    if (pair.left && pair.left->index > index)
        p->next = pair;
    else
        frame_pair_release(&pair);
    return status == SV_END ? SV_OK : status;
}

sv_status player_settle(player *p, const orders *o, sv_status *source, sv_error *error) {
    const recent_pairs *r = &p->recent;
    const int64_t first = player_first_before(p, o);
    if (p->lead < 0) {
        p->lead = 0;
        if (r->from > first && pairing_info(p->options.pairing)->seekable) *source = read_before(p, o, first, error);
        return SV_OK;
    }
    while (p->lead < r->count && r->pairs[p->lead].left->index < first) p->lead++;
    if (p->lead < r->count && r->pairs[p->lead].left->index < p->current.left->index)
        return player_submit_lead(p, o, &r->pairs[p->lead++], error);
    p->rests = true;
    p->matched_from = r->from;
    return player_submit(p, o, error);
}
