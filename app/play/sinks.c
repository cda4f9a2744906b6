/* Sinks: maps that go from the matcher to the threads of all sinks and back. */
#include "app/play/sinks.h"

#include "app/play/maps.h"
#include "stereo/alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* The bytes that may wait for the sinks, beyond SINKS_DEPTH maps. */
static const size_t most_waiting = (size_t)1 << 30;

typedef struct sink {
    sinks *all;
    pthread_t threads[SINKS_THREADS];
    int thread_count;
    pthread_cond_t news; /* for the threads: a pair was given, or the end */
    sink_use *use;
    void *of;
    int64_t next;     /* the first pair that no thread has begun */
    sv_status status; /* SV_OK until it fails */
    sv_error error;
} sink;

/* Maps, and where they are. */
typedef struct place {
    sv_output maps;
    frame *left;     /* once they are given */
    int users;       /* sinks that are not done with them; 1 while they are taken */
    pthread_t taker; /* the last thread that took them, if there are any */
} place;

enum { PLACES = SINKS_IN_FLIGHT + SINKS_DEPTH + SINKS_THREADS };

struct sinks {
    const sv_backend *backend;
    int width, height, place_count;
    bool has_confidence;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t freed; /* a place was, or a sink has failed */
    sink each[SINKS_MAX];
    int count;
    place places[PLACES];
    place *given[PLACES]; /* pair n is at n % PLACES */
    int64_t given_count;
    bool closing;
};

static void *run(void *argument) {
    sink *s = argument;
    sinks *all = s->all;
    pthread_mutex_lock(&all->lock);
    while (s->status == SV_OK) {
        if (s->next == all->given_count && all->closing) break;
        if (s->next == all->given_count) {
            pthread_cond_wait(&s->news, &all->lock);
            continue;
        }
        place *place = all->given[s->next++ % PLACES];
        pthread_mutex_unlock(&all->lock);
        sv_error error = {""};
        const sv_status status = s->use(s->of, place->left, &place->maps, &error);
        pthread_mutex_lock(&all->lock);
        if (status != SV_OK && s->status == SV_OK) {
            s->status = status;
            s->error = error;
        }
        if (!--place->users) {
            frame_release(place->left);
            place->left = NULL;
        }
        /* A free place ends one wait, a failure ends all. */
        if (s->status == SV_OK)
            pthread_cond_signal(&all->freed);
        else
            pthread_cond_broadcast(&all->freed);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* How many pairs may wait for the sinks. */
static int count_waiting(const sinks *all) {
    const size_t bytes = (size_t)all->width * (size_t)all->height * (sizeof(float) + 2);
    const size_t waiting = most_waiting / bytes;
    return waiting < SINKS_DEPTH                   ? SINKS_DEPTH
           : waiting > SINKS_DEPTH + SINKS_THREADS ? SINKS_DEPTH + SINKS_THREADS
                                                   : (int)waiting;
}

sinks *sinks_open(const sv_backend *backend, int width, int height, bool has_confidence, int in_flight) {
    sinks *all = sv_alloc(1, sizeof *all);
    all->backend = backend;
    all->width = width;
    all->height = height;
    all->has_confidence = has_confidence;
    all->place_count = in_flight + count_waiting(all);
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->freed, NULL);
    return all;
}

void sinks_add(sinks *all, sink_use *use, void *of, bool at_once) {
    const long processors = at_once ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    sink *s = &all->each[all->count++];
    *s = (sink){.all = all, .use = use, .of = of};
    pthread_cond_init(&s->news, NULL);
    while (!s->thread_count || (s->thread_count < processors && s->thread_count < SINKS_THREADS))
        sv_thread_start(&s->threads[s->thread_count++], run, s);
}

/* The first sink that failed, NULL if there is none. Called with the lock held. */
static const sink *failed(const sinks *all) {
    for (int i = 0; i < all->count; i++)
        if (all->each[i].status != SV_OK) return &all->each[i];
    return NULL;
}

/* A place that nobody uses, NULL if there is none: preferably with maps that this thread had before, because a matcher
 * keeps its launches for a few of them. Called with the lock held. */
static place *find_free(sinks *all) {
    place *best = NULL;
    for (int most = -1, i = 0; i < all->place_count; i++) {
        place *p = &all->places[i];
        const int rank = !p->maps.disparity.data ? 1 : pthread_equal(p->taker, pthread_self()) ? 2 : 0;
        if (p->users || rank <= most) continue;
        best = p;
        most = rank;
    }
    return best;
}

sv_status sinks_take(sinks *all, sv_output *maps, sv_error *error) {
    place *place;
    pthread_mutex_lock(&all->lock);
    while (!failed(all) && !(place = find_free(all))) pthread_cond_wait(&all->freed, &all->lock);
    const sink *bad = failed(all);
    if (bad && error) *error = bad->error;
    sv_status status = bad ? bad->status : SV_OK;
    if (!bad) {
        place->users = 1;
        place->taker = pthread_self();
        *maps = place->maps;
    }
    pthread_mutex_unlock(&all->lock);
    if (bad || maps->disparity.data) return status;
    status = maps_alloc(all->backend, all->width, all->height, all->has_confidence, maps, error);
    pthread_mutex_lock(&all->lock);
    if (status == SV_OK) place->maps = *maps;
    pthread_mutex_unlock(&all->lock);
    return status;
}

void sinks_give(sinks *all, frame *left, const sv_output *maps) {
    place *place = all->places;
    pthread_mutex_lock(&all->lock);
    while (place->maps.disparity.data != maps->disparity.data) place++;
    place->users = left ? all->count : 0;
    if (place->users) {
        place->left = frame_retain(left);
        all->given[all->given_count++ % PLACES] = place;
        for (int i = 0; i < all->count; i++) pthread_cond_signal(&all->each[i].news);
    } else {
        pthread_cond_signal(&all->freed);
    }
    pthread_mutex_unlock(&all->lock);
}

sv_status sinks_finish(sinks *all, sv_error *error) {
    if (!all) return SV_OK;
    pthread_mutex_lock(&all->lock);
    all->closing = true;
    for (int i = 0; i < all->count; i++) pthread_cond_broadcast(&all->each[i].news);
    pthread_mutex_unlock(&all->lock);
    for (int i = 0; i < all->count; i++)
        while (all->each[i].thread_count) pthread_join(all->each[i].threads[--all->each[i].thread_count], NULL);
    const sink *bad = failed(all);
    if (bad && error) *error = bad->error;
    return bad ? bad->status : SV_OK;
}

void sinks_close(sinks *all) {
    if (!all) return;
    for (place *p = all->places; p < all->places + PLACES; p++) {
        frame_release(p->left);
        maps_free(all->backend, &p->maps);
    }
    for (int i = 0; i < all->count; i++) pthread_cond_destroy(&all->each[i].news);
    pthread_cond_destroy(&all->freed);
    pthread_mutex_destroy(&all->lock);
    free(all);
}
