/* Sinks: a ring of copied maps that the threads of all sinks read. */
#include "app/play/sinks.h"

#include "app/play/maps.h"
#include "stereo/alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct sink {
    sinks *all;
    pthread_t thread;
    sink_use *use;
    void *of;
    int64_t used;     /* pairs */
    sv_status status; /* SV_OK until it fails */
    sv_error error;
} sink;

struct sinks {
    pthread_mutex_t lock; /* of all that follows; the maps of pairs used..given - 1 belong to the sinks */
    pthread_cond_t changed;
    sink each[SINKS_MAX];
    int count;
    int64_t given; /* pairs; pair n is at n % SINKS_DEPTH */
    sv_output maps[SINKS_DEPTH];
    frame *left[SINKS_DEPTH]; /* of those pairs; the others' are released when their place is taken */
    bool closing;
};

static void *run(void *argument) {
    sink *s = argument;
    sinks *all = s->all;
    pthread_mutex_lock(&all->lock);
    while (s->status == SV_OK) {
        const int slot = (int)(s->used % SINKS_DEPTH);
        if (s->used == all->given && all->closing) break;
        if (s->used == all->given) {
            pthread_cond_wait(&all->changed, &all->lock);
            continue;
        }
        pthread_mutex_unlock(&all->lock);
        sv_error error = {""};
        const sv_status status = s->use(s->of, all->left[slot], &all->maps[slot], &error);
        pthread_mutex_lock(&all->lock);
        s->used++;
        s->status = status;
        s->error = error;
        pthread_cond_broadcast(&all->changed);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

sinks *sinks_open(void) {
    sinks *all = sv_alloc(1, sizeof *all);
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->changed, NULL);
    return all;
}

void sinks_add(sinks *all, sink_use *use, void *of) {
    sink *s = &all->each[all->count++];
    *s = (sink){.all = all, .use = use, .of = of};
    sv_thread_start(&s->thread, run, s);
}

/* The first sink that failed, NULL if there is none. Called with the lock held. */
static const sink *failed(const sinks *all) {
    for (int i = 0; i < all->count; i++)
        if (all->each[i].status != SV_OK) return &all->each[i];
    return NULL;
}

/* True while a sink still has to use the pair whose place the next one takes. Called with the lock held. */
static bool full(const sinks *all) {
    for (int i = 0; i < all->count; i++)
        if (all->given - all->each[i].used == SINKS_DEPTH) return true;
    return false;
}

static sv_status copy_maps(const sv_output *from, sv_output *to, sv_error *error) {
    const int width = from->disparity.width, height = from->disparity.height;
    const bool judged = from->confidence.data;
    sv_status status = to->disparity.data ? SV_OK : maps_alloc(&sv_cpu, width, height, judged, to, error);
    for (int y = 0; y < height && status == SV_OK; y++) {
        memcpy(sv_row(&to->disparity, y), sv_row(&from->disparity, y), (size_t)width * sizeof(float));
        memcpy(sv_row(&to->reason, y), sv_row(&from->reason, y), (size_t)width);
        if (judged) memcpy(sv_row(&to->confidence, y), sv_row(&from->confidence, y), (size_t)width);
    }
    return status;
}

sv_status sinks_give(sinks *all, frame *left, const sv_output *maps, sv_error *error) {
    if (!all || !all->count) return SV_OK;
    pthread_mutex_lock(&all->lock);
    while (!failed(all) && full(all)) pthread_cond_wait(&all->changed, &all->lock);
    const sink *bad = failed(all);
    if (bad && error) *error = bad->error;
    const sv_status earlier = bad ? bad->status : SV_OK;
    pthread_mutex_unlock(&all->lock);
    if (earlier != SV_OK) return earlier;

    const int slot = (int)(all->given % SINKS_DEPTH);
    sv_status status = copy_maps(maps, &all->maps[slot], error);
    if (status != SV_OK) return status;
    frame_release(all->left[slot]);
    pthread_mutex_lock(&all->lock);
    all->left[slot] = frame_retain(left);
    all->given++;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return SV_OK;
}

sv_status sinks_close(sinks *all, sv_error *error) {
    if (!all) return SV_OK;
    pthread_mutex_lock(&all->lock);
    all->closing = true;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    for (int i = 0; i < all->count; i++) pthread_join(all->each[i].thread, NULL);
    const sink *bad = failed(all);
    const sv_status status = bad ? bad->status : SV_OK;
    if (bad && error) *error = bad->error;
    for (int i = 0; i < SINKS_DEPTH; i++) {
        frame_release(all->left[i]);
        maps_free(&sv_cpu, &all->maps[i]);
    }
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->lock);
    free(all);
    return status;
}
