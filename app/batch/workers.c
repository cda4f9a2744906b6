/* Threads that work on one run at the same time: see workers.h. */
#include "app/batch/workers.h"

#include "base/log.h"
#include "stereo/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct worker {
    workers_work *work;
    void *of;
    int number;
    pthread_t thread;
} worker;

static void *run(void *argument) {
    const worker *w = argument;
    w->work(w->of, w->number);
    return NULL;
}

void workers_run(int count, workers_work *work, void *of) {
    worker others[WORKERS_MAX];
    for (int i = 1; i < count; i++) {
        others[i] = (worker){.work = work, .of = of, .number = i};
        sv_thread_start(&others[i].thread, run, &others[i]);
    }
    work(of, 0);
    for (int i = 1; i < count; i++) pthread_join(others[i].thread, NULL);
}

void workers_name_devices(const sv_backend *backend, int count, stats *stats) {
    char text[STATS_DEVICE_BYTES] = "", name[128], before[128] = "";
    size_t length = 0; /* the length of the line before the current group of equal devices */
    for (int i = 0, alike = 0; i < count; i++) {
        if (backend->probe(i, name, sizeof name, NULL) != SV_OK) return;
        if (strcmp(name, before)) {
            length = strlen(text);
            alike = 0;
        }
        const char *between = length ? "; " : "";
        if (++alike > 1)
            snprintf(text + length, sizeof text - length, "%s%d x %s", between, alike, name);
        else
            snprintf(text + length, sizeof text - length, "%s%s", between, name);
        snprintf(before, sizeof before, "%s", name);
    }
    stats_set_device(stats, text);
}

void workers_progress(const char *what, int64_t done, int64_t all, double began) {
    const double rate = (double)done / fmax(sv_seconds() - began, 1e-9);
    char line[160];
    if (all > 0)
        snprintf(line, sizeof line, "%s %" PRId64 " of %" PRId64 ", %.1f a second, %.0f s left", what, done, all, rate,
                 ceil((double)(all - done) / rate));
    else
        snprintf(line, sizeof line, "%s %" PRId64 ", %.1f a second", what, done, rate);
    log_progress(line);
}
