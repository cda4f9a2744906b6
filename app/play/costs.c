/* Answers questions about costs in a thread of its own. */
#include "app/play/costs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/media/media.h"
#include "stereo/alloc.h"
#include "stereo/cancel.h"
#include "stereo/worker.h"

/* Memory for an answer. */
typedef struct answer {
    costs_answer answer;
    sv_costs pixel;
    sv_image winners; /* allocated when it is first needed, and kept */
} answer;

struct costs {
    int width, height;
    const sv_rectification *rectification;
    sv_matcher *matcher; /* of the thread; NULL before the first question */
    sv_cancel cancel;
    sv_worker worker; /* its lock guards all that follows */
    bool failed;
    costs_question question; /* asked last */
    bool asked;              /* there was one */
    int64_t right;           /* the index of its right picture, which changes with the offset */
    frame_pair pair;         /* of the pending question; {0}: there is none */
    void (*news)(void);
    /* One is being written, one is the newest, and one is being read. */
    answer answers[3];
    int writing, newest, reading;
    unsigned count;
};

static sv_status answer_question(costs *c, const costs_question *q, const frame_pair *pair, answer *a,
                                 sv_error *error) {
    const sv_matcher_options options = {
        .width = c->width, .height = c->height, .rectification = c->rectification, .cancel = &c->cancel};
    const sv_pair pictures = media_host_pictures(pair);
    sv_status status = c->matcher ? SV_OK : sv_matcher_create(&sv_cpu, &options, &c->matcher, error);
    if (status == SV_OK && q->winners && !a->winners.data) {
        const size_t row = sizeof(float) * (size_t)c->width;
        a->winners = (sv_image){malloc(row * (size_t)c->height), row, c->width, c->height, SV_FLOAT32, SV_HOST};
        if (!a->winners.data) return sv_fail(error, SV_FAILED, "out of memory for the costs of a map");
    }
    sv_costs *pixel = q->x >= 0 ? &a->pixel : NULL;
    const sv_image *winners = q->winners ? &a->winners : NULL;
    if (status == SV_OK) status = sv_match_costs(c->matcher, &pictures, &q->params, q->x, q->y, pixel, winners, error);
    a->answer = (costs_answer){.question = *q, .pixel = pixel, .winners = winners};
    return status;
}

/* Called with the lock held, which it releases while it works. */
static void answer_next(costs *c) {
    frame_pair pair = c->pair;
    const costs_question question = c->question;
    sv_error error;
    c->pair = (frame_pair){0};
    pthread_mutex_unlock(&c->worker.lock);
    const sv_status status = answer_question(c, &question, &pair, &c->answers[c->writing], &error);
    frame_pair_release(&pair);
    pthread_mutex_lock(&c->worker.lock);
    if (status != SV_OK) {
        if (status != SV_CANCELLED && !c->failed)
            sv_log(SV_LOG_WARNING, "the costs cannot be computed: %s", error.text);
        c->failed |= status != SV_CANCELLED;
        return;
    }
    c->answers[c->writing].answer.number = ++c->count;
    const int written = c->writing;
    c->writing = c->newest;
    c->newest = written;
    if (c->news) c->news();
}

static void *run(void *argument) {
    costs *c = argument;
    sv_thread_yield(19);
    pthread_mutex_lock(&c->worker.lock);
    while (!c->worker.stops) {
        if (c->pair.left)
            answer_next(c);
        else
            pthread_cond_wait(&c->worker.changed, &c->worker.lock);
    }
    pthread_mutex_unlock(&c->worker.lock);
    return NULL;
}

costs *costs_open(int width, int height, const sv_rectification *rectification) {
    costs *c = sv_alloc(1, sizeof *c);
    c->width = width;
    c->height = height;
    c->rectification = rectification && rectification->width ? rectification : NULL;
    c->newest = 1;
    c->reading = 2;
    sv_worker_start(&c->worker, run, c);
    return c;
}

void costs_ask(costs *c, const costs_question *q, const frame_pair *pair, void (*news)(void)) {
    pthread_mutex_lock(&c->worker.lock);
    const costs_question *last = &c->question;
    const bool same = c->asked && last->frame == q->frame && c->right == pair->right->index && last->x == q->x &&
                      last->y == q->y && last->winners == q->winners && last->second == q->second &&
                      !memcmp(&last->params, &q->params, sizeof q->params);
    if (!same) {
        frame_pair_release(&c->pair);
        c->pair = frame_pair_retain(pair);
        c->question = *q;
        c->right = pair->right->index;
        c->asked = true;
        c->news = news;
        pthread_cond_signal(&c->worker.changed);
    }
    pthread_mutex_unlock(&c->worker.lock);
}

const costs_answer *costs_latest(costs *c) {
    pthread_mutex_lock(&c->worker.lock);
    if (c->answers[c->newest].answer.number > c->answers[c->reading].answer.number) {
        const int read = c->reading;
        c->reading = c->newest;
        c->newest = read;
    }
    pthread_mutex_unlock(&c->worker.lock);
    const costs_answer *a = &c->answers[c->reading].answer;
    return a->number ? a : NULL;
}

const char *costs_describe_age(const costs_question *of, int64_t frame, const sv_params *params, char *text,
                               size_t size) {
    if (of->frame != frame)
        snprintf(text, size, "of frame %" PRId64, of->frame);
    else if (memcmp(&of->params, params, sizeof *params))
        snprintf(text, size, "of other parameters");
    else
        return NULL;
    return text;
}

void costs_close(costs *c) {
    if (!c) return;
    atomic_store(&c->cancel.asked, true);
    sv_worker_stop(&c->worker);
    frame_pair_release(&c->pair);
    sv_matcher_destroy(c->matcher);
    for (int i = 0; i < 3; i++) free(c->answers[i].winners.data);
    free(c);
}
