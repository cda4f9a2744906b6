/* The frames of a run without a window, matched in parts: see parts.h. A thread for each part keeps as many pairs with
 * its matcher as that works on at once, while two more threads decode. */
#include "app/batch/parts.h"

#include "app/batch/resume.h"
#include "app/media/recording.h"
#include "app/options/options_check.h"
#include "base/stop.h"

#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

/* The least frames of a part on a card: another decoder takes as long to start as some hundred frames to decode, and
 * begins at a key picture, which most encoders set every 250. Parts of a long run are of MOST_FRAMES, because not all
 * workers are equally fast. */
enum { LEAST_FRAMES = 250, MOST_FRAMES = 1000 };

/* The duration, in seconds, of a benchmark of the synthetic scene if --frames gives no end. */
static const double benchmark_seconds = 5;

_Static_assert(SINKS_IN_FLIGHT >= WORKERS_MAX * SV_IN_FLIGHT, "the sinks have maps for the pairs of all workers");

/* A thread that matches parts. */
typedef struct worker {
    parts *all;
    pairing *pairing;
    sv_matcher *matcher;
    pair_monitor *monitor; /* only of the session */
    struct {
        frame_pair pair;
        sv_output maps;
        bool leads; /* it is matched only for the frames after it */
    } slots[SV_IN_FLIGHT];
    frame_range range;       /* what is left of its part; what was read of it is counted already */
    frame_range reads;       /* from earlier on, see lead_of */
    int64_t submitted, done; /* pairs */
    int64_t taken;           /* of these, without those that lead */
    sv_status status;        /* SV_END: there is nothing left to do */
    sv_error error;
} worker;

frame_range parts_divide(frame_range range, int64_t all, share share) {
    int64_t end = range.first + (all > 0 ? all : 0);
    share_narrow(&share, &range.first, &end);
    if (share.number < share.count) range.end = end;
    return range;
}

void parts_plan(parts *p, int64_t frames, int devices, int decoders, int streams) {
    const int64_t most = (decoders + streams - 1) / streams, longest = frames / devices / LEAST_FRAMES;
    const int64_t each = longest < 1 ? 1 : longest < most ? longest : most;
    int64_t workers = devices * each;
    workers = workers > frames ? frames : workers > WORKERS_MAX ? WORKERS_MAX : workers;
    p->workers = workers < 1 ? 1 : (int)workers;
    const int64_t parts = frames / MOST_FRAMES;
    p->count = p->workers == 1 || parts < p->workers ? p->workers : parts > INT_MAX ? INT_MAX : (int)parts;
}

/* How many frames before a frame its map depends on. */
static int lead_of(const options *o) { return o->match.params.temporal - 1; }

/* ---- The pairs of a part ---------------------------------------------------------------------- */

/* Scores on the same terminal already show the progress. */
static void print_progress(const parts *p) {
    const int64_t all = media_frames(&p->range, pairing_info(p->session->pairing));
    const bool prints = p->options->output.truth || p->options->match.compare;
    if (!prints || !isatty(STDOUT_FILENO)) workers_progress("frame", p->frames, all < INT64_MAX ? all : 0, p->began);
}

/* Lets the other workers begin. */
static void let_others_begin(parts *p) {
    pthread_mutex_lock(&p->lock);
    p->led = true;
    pthread_cond_broadcast(&p->news);
    pthread_mutex_unlock(&p->lock);
}

/* Waits for the oldest pair and uses its maps. */
static sv_status finish_one(worker *w, sv_error *error) {
    parts *p = w->all;
    const options *o = p->options;
    const int slot = (int)(w->done++ % p->session->backend->at_once);
    frame_pair *pair = &w->slots[slot].pair;
    const sv_output *maps = &w->slots[slot].maps;
    stats *stats = p->session->stats;
    sv_times times;
    sv_status status = sv_wait(w->matcher, &times, error);
    if (status == SV_OK && w->done == 1) let_others_begin(p);
    if (w->slots[slot].leads) {
        if (status == SV_OK) sinks_give(p->sinks, NULL, maps);
        if (status == SV_OK && p->comparer) status = comparer_lead(p->comparer, pair, &times, error);
        frame_pair_release(pair);
        return status;
    }
    if (status == SV_OK) {
        const double now = sv_seconds();
        stats_add_times(stats, &times);
        stats_add(stats, STATS_LATENCY, 1e3 * (now - media_capture_time(w->pairing, pair)));
        stats_tick(stats, STATS_MATCHED, now);
    }
    if (status == SV_OK) space_limit_maps(&p->space, &o->display.view.limits, maps);
    if (status == SV_OK && p->comparer) status = comparer_use(p->comparer, pair, maps, &times, error);
    if (status == SV_OK) {
        sinks_give(p->sinks, pair->left, maps);
        w->range.first = pair->left->index + 1;
        p->frames++;
        print_progress(p);
    }
    frame_pair_release(pair);
    return status;
}

/* True if the frame is of the part and is to be written or scored. */
static bool is_wanted(const worker *w, int64_t index) {
    const options *o = w->all->options;
    return index >= w->range.first && index < w->range.end && !(o->run.resume && resume_has(o, index));
}

/* True if the map of a frame that is wanted depends on this one. */
static bool leads(const worker *w, int64_t index) {
    bool any = false;
    for (int i = 1; i <= lead_of(w->all->options) && !any; i++) any = is_wanted(w, index + i);
    return any;
}

/* True if no more pairs are to be matched. */
static bool ends(const parts *p) { return p->failed || stop_requested(); }

/* Reads the next pair that is to be matched; `leads` receives whether only for those after it. */
static sv_status read_pair(worker *w, frame_pair *pair, bool *only_leads, sv_error *error) {
    while (!ends(w->all)) {
        const sv_status status = media_next(w->pairing, &w->reads, w->all->session->stats, pair, error);
        if (status != SV_OK) return status;
        const int64_t index = pair->left->index;
        *only_leads = !is_wanted(w, index);
        w->all->there += *only_leads && index >= w->reads.counted;
        if (index >= w->range.counted) w->range.counted = index + 1;
        if (!*only_leads || leads(w, index)) return SV_OK;
        frame_pair_release(pair);
    }
    return SV_END;
}

/* Reads the next pair; refused if its output would overwrite the previous one, or if the recording has failed. */
static sv_status next_pair(worker *w, frame_pair *pair, bool *only_leads, sv_error *error) {
    const options *o = w->all->options;
    /* Live pairs are numbered when they are taken, so the last one is known without waiting for another. */
    if (pairing_info(w->pairing)->live && w->reads.first + w->submitted >= w->range.end) return SV_END;
    if (o->run.benchmark && o->input.synthetic_width && o->input.frames.end == INT64_MAX && w->submitted &&
        sv_seconds() - w->all->began > benchmark_seconds)
        return SV_END;
    const sv_status status = read_pair(w, pair, only_leads, error);
    if (status != SV_OK) return stop_requested() ? SV_END : status;
    if (o->output.record && recording_has_failed(o->input.recording))
        return sv_fail(error, SV_FAILED, "the run ends after %" PRId64 " frames, because the recording has failed",
                       w->taken);
    return w->taken && !*only_leads ? options_refuse_plain_names(o, SV_FAILED, error) : SV_OK;
}

/* A request to end the program wakes the threads that wait for a picture. */
static void interrupt(void *of) { pairing_interrupt(of); }

/* Submits the next pair. */
static sv_status submit_next(worker *w, sv_error *error) {
    parts *p = w->all;
    const sv_params *params = &p->options->match.params;
    const int slot = (int)(w->submitted % p->session->backend->at_once);
    frame_pair *pair = &w->slots[slot].pair;
    sv_output *maps = &w->slots[slot].maps;
    sv_status status = next_pair(w, pair, &w->slots[slot].leads, error);
    if (status == SV_OK) status = sinks_take(p->sinks, maps, error);
    if (status != SV_OK) return status;
    const sv_pair pictures = media_pictures(pair);
    status = sv_submit(w->matcher, &pictures, params, maps, error);
    if (status != SV_OK) return status;
    if (w->monitor) pair_monitor_offer(w->monitor, pair, params);
    w->submitted++;
    w->taken += !w->slots[slot].leads;
    return SV_OK;
}

/* Matches every pair of the part. */
static sv_status match_part(worker *w, sv_error *error) {
    parts *p = w->all;
    const options *o = p->options;
    const int lead = lead_of(o);
    sv_status status = SV_OK, last = SV_OK;
    sv_error later;
    stop_wait wait;
    stop_wait_begin(&wait, interrupt, w->pairing);
    w->submitted = w->done = w->taken = 0;
    if (w->range.counted < w->range.first) w->range.counted = w->range.first;
    resume_skip(o, &w->range);
    if (w->range.counted < w->range.first) {
        p->there += w->range.first - w->range.counted;
        w->range.counted = w->range.first;
    }
    w->reads = w->range;
    w->reads.first = w->range.first > lead ? w->range.first - lead : 0;
    /* What was measured before the run has left the pairing at the first frame of the range. */
    if (w->range.first && pairing_info(w->pairing)->seekable)
        status = pairing_seek_frame(w->pairing, w->reads.first, error);
    if (w->range.first >= w->range.end) status = SV_END;
    /* With --compare one match follows the other, so that neither slows the other. */
    const int in_flight = p->comparer ? 1 : p->session->backend->at_once;
    while (status == SV_OK && last == SV_OK) {
        if (w->submitted - w->done == in_flight) last = finish_one(w, error);
        if (last == SV_OK) status = submit_next(w, error);
    }
    /* Pairs submitted before a failure are valid and are written; the first failure is reported. */
    while (w->done < w->submitted && last == SV_OK) last = finish_one(w, status == SV_END ? error : &later);
    stop_wait_end(&wait);
    return status == SV_OK || status == SV_END ? last : status;
}

/* ---- The threads ------------------------------------------------------------------------------ */

/* Gives a worker other than the session's what it matches with, once the session has matched a pair: memory that does
 * not suffice for all must suffice for that one. */
static sv_status begin(worker *w, int number, sv_error *error) {
    parts *p = w->all;
    const session *s = p->session;
    const match_options *match = &p->options->match;
    const int device = match->all_devices ? number % s->backend->count() : match->device;
    stop_wait wait;
    pthread_mutex_lock(&p->lock);
    while (!p->led) pthread_cond_wait(&p->news, &p->lock);
    pthread_mutex_unlock(&p->lock);
    if (ends(p)) return SV_END;
    stop_wait_begin(&wait, NULL, NULL); /* for files that are opened */
    const sv_status status = session_open_again(s, device, &w->pairing, error);
    stop_wait_end(&wait);
    return status == SV_OK ? session_add_matcher(s, device, &w->matcher, error) : status;
}

/* Closes what `begin` has opened, and keeps its counts. */
static void end(worker *w) {
    parts *p = w->all;
    sv_matcher_destroy(w->matcher);
    for (int i = 0; i < SV_IN_FLIGHT; i++) frame_pair_release(&w->slots[i].pair);
    if (!w->pairing) return;
    const pairing_counts own = pairing_count(w->pairing);
    pthread_mutex_lock(&p->lock);
    p->others.dropped_left += own.dropped_left;
    p->others.dropped_right += own.dropped_right;
    pthread_mutex_unlock(&p->lock);
    pairing_close(w->pairing);
}

/* Takes what was given back last, or else the next part. False if there is none. */
static bool take(parts *p, frame_range *range) {
    const int64_t all = media_frames(&p->range, pairing_info(p->session->pairing));
    pthread_mutex_lock(&p->lock);
    const bool any = !ends(p) && (p->backs || p->next < p->count);
    if (any && p->backs) {
        *range = p->back[--p->backs];
    } else if (any) {
        p->next++;
        *range = p->count > 1 ? parts_divide(p->range, all, (share){p->next, p->count}) : p->range;
    }
    pthread_mutex_unlock(&p->lock);
    return any;
}

/* Leaves the rest of a part to the other workers. */
static void give_back(worker *w) {
    parts *p = w->all;
    pthread_mutex_lock(&p->lock);
    p->back[p->backs++] = w->range;
    pthread_mutex_unlock(&p->lock);
}

/* Matches the worker's part, and then others. Only the session's failure ends the run: another worker's may be due to
 * its matcher, and otherwise the session meets it, too. */
static void work(void *of, int number) {
    worker *w = (worker *)of + number;
    parts *p = w->all;
    w->status = number ? begin(w, number, &w->error) : SV_OK;
    while (w->status == SV_OK) {
        w->status = match_part(w, &w->error);
        if (w->status == SV_OK && !take(p, &w->range)) w->status = SV_END;
    }
    if (number) {
        if (w->status != SV_END) give_back(w);
        end(w);
    } else {
        p->failed = w->status != SV_END;
        let_others_begin(p);
    }
}

sv_status parts_match(parts *p, sv_error *error) {
    session *s = p->session;
    worker each[WORKERS_MAX] = {{0}}, *own = each;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->news, NULL);
    for (int i = 0; i < p->workers; i++) {
        each[i].all = p;
        take(p, &each[i].range); /* so that each has one */
    }
    own->pairing = s->pairing;
    own->matcher = s->matcher;
    own->monitor = s->monitor;
    workers_run(p->workers, work, each);
    if (take(p, &own->range)) work(each, 0); /* what was given back last */
    session_end_matching(s);                 /* after a failure pairs may still be under way */
    for (int i = 0; i < SV_IN_FLIGHT; i++) frame_pair_release(&own->slots[i].pair);
    pthread_cond_destroy(&p->news);
    pthread_mutex_destroy(&p->lock);
    if (p->failed) return sv_fail(error, own->status, "%s", own->error.text);
    if (stop_requested()) return sv_fail(error, SV_FAILED, "interrupted after %" PRId64 " frames", p->frames);
    for (int i = 1; i < p->workers; i++)
        if (each[i].status != SV_END)
            sv_log(SV_LOG_WARNING, "fewer frames were matched side by side: %s", each[i].error.text);
    return SV_OK;
}
