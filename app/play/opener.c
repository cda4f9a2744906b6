/* Opens the sources of the next session in a thread of its own. */
#include "app/play/opener.h"

#include "app/calibrate/auto_range.h"
#include "rig/rectify.h"
#include "stereo/alloc.h"

void opener_init(opener *o, const options *options, pool_memory memory, void (*news)(void)) {
    *o = (opener){.memory = memory, .news = news};
    o->each[0].options = *options;
    o->each[0].request = request_of(options);
}

void opener_discard(opener *o) {
    pairing_close(o->pairing);
    sv_rectification_free(&o->rectification);
    o->pairing = NULL;
}

static void *run(void *argument) {
    opener *o = argument;
    opening *next = &o->each[!o->current];
    o->status = media_open(&next->options, o->memory, &next->colour, &o->pairing, &o->error);
    o->has_sources = o->status == SV_OK;
    if (o->has_sources) o->status = media_rectify(&next->options, o->pairing, &o->rectification, &o->error);
    if (o->has_sources && o->status == SV_OK)
        o->status =
            auto_range_find(&next->options, o->memory, &next->colour, &o->pairing, &o->rectification, &o->error);
    if (o->status != SV_OK) opener_discard(o);
    atomic_store(&o->done, true);
    o->news();
    return NULL;
}

void opener_start(opener *o, const request *request, bool same, const options *whole, const sv_params *params) {
    opening *next = &o->each[!o->current];
    o->same = same;
    next->request = *request;
    next->options = whole ? request_options(&next->request, whole, true)
                          : request_options(&next->request, &o->each[o->current].options, same);
    next->options.match.params = *params;
    next->options.input.abandoned = &o->abandoned;
    /* The first pictures are shown in colour. */
    atomic_store(&next->colour.left, true);
    atomic_store(&next->colour.right, true);
    o->pairing = NULL;
    o->rectification = (sv_rectification){0};
    atomic_store(&o->done, false);
    o->busy = true;
    sv_thread_start(&o->thread, run, o);
}

bool opener_take(opener *o) {
    if (!o->busy || !atomic_load(&o->done)) return false;
    pthread_join(o->thread, NULL);
    o->busy = false;
    return true;
}

void opener_close(opener *o) {
    if (!o->busy) return;
    atomic_store(&o->abandoned, true);
    pthread_join(o->thread, NULL);
    opener_discard(o);
    atomic_store(&o->abandoned, false);
    o->busy = false;
}
