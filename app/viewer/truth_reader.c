/* Reads truths in a thread of its own. */
#include "app/viewer/truth_reader.h"

#include "base/file_name.h"
#include "map/truth.h"
#include "stereo/alloc.h"
#include "stereo/worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* What has been read. */
typedef struct truth_read_of {
    bool known;
    int64_t frame;
    sv_status status;
    sv_image truth;
    sv_error error;
} truth_read_of;

struct truth_reader {
    char *pattern;
    double scale;
    void (*news)(void);

    sv_worker worker;  /* its lock guards all that follows */
    bool asked, ahead; /* `frame` is requested and was not taken; it will probably be requested next */
    int64_t frame;
    truth_read_of ready;
};

static void drop(truth_read_of *of) {
    free(of->truth.data);
    *of = (truth_read_of){.known = false};
}

static bool is_ready(const truth_reader *r) { return r->ready.known && r->ready.frame == r->frame; }

/* Called with the lock held, which it releases meanwhile. */
static void read_next(truth_reader *r) {
    truth_read_of next = {.known = true, .frame = r->frame};
    drop(&r->ready);
    pthread_mutex_unlock(&r->worker.lock);
    next.status = truth_read(r->pattern, next.frame, r->scale, &next.truth, &next.error);
    pthread_mutex_lock(&r->worker.lock);
    const bool same = !r->worker.stops && next.frame == r->frame;
    r->ahead = false;
    if (same && r->asked) r->news();
    /* A file that could not be read ahead may exist when it is requested. */
    if (same && (r->asked || next.status == SV_OK))
        r->ready = next;
    else
        drop(&next);
}

static void *run(void *argument) {
    truth_reader *r = argument;
    setpriority(PRIO_PROCESS, 0, 5); /* on Linux this applies to the thread; drawing has priority */
    pthread_mutex_lock(&r->worker.lock);
    while (!r->worker.stops) {
        if ((r->asked || r->ahead) && !is_ready(r))
            read_next(r);
        else
            pthread_cond_wait(&r->worker.changed, &r->worker.lock);
    }
    pthread_mutex_unlock(&r->worker.lock);
    sv_worker_free(&r->worker);
    drop(&r->ready);
    free(r->pattern);
    free(r);
    return NULL;
}

truth_reader *truth_reader_open(const char *pattern, double scale, void (*news)(void)) {
    truth_reader *r = sv_alloc(1, sizeof *r);
    *r = (truth_reader){.pattern = sv_strdup(pattern), .scale = scale, .news = news};
    sv_worker_start(&r->worker, run, r);
    return r;
}

void truth_reader_ask(truth_reader *r, int64_t frame) {
    pthread_mutex_lock(&r->worker.lock);
    r->asked = true;
    r->frame = frame;
    pthread_cond_signal(&r->worker.changed);
    pthread_mutex_unlock(&r->worker.lock);
}

bool truth_reader_take(truth_reader *r, sv_status *status, sv_image *truth, sv_error *error) {
    pthread_mutex_lock(&r->worker.lock);
    const bool ready = r->asked && is_ready(r);
    if (ready) {
        *status = r->ready.status;
        *truth = r->ready.truth;
        *error = r->ready.error;
        r->ready = (truth_read_of){.known = false};
        r->asked = false;
        r->ahead = file_is_numbered(r->pattern);
        r->frame++;
        pthread_cond_signal(&r->worker.changed);
    }
    pthread_mutex_unlock(&r->worker.lock);
    return ready;
}

void truth_reader_close(truth_reader *r) {
    if (r) sv_worker_abandon(&r->worker);
}
