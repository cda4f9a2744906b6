/* How signals end the program: see stop.h.
 *
 * They are blocked in every thread but one, which waits for them and may do what a signal handler must not. */
#include "base/stop.h"

#include "stereo/alloc.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

/* How many naps a clean end may take, in how many of them it may compute nothing, and how many it may take once no wait
 * can be interrupted. */
static const struct timespec nap = {.tv_nsec = 50000000};
enum { NAPS = 1200, NAPS_IDLE = 100, NAPS_STUCK = 10 };

static sigset_t requests; /* the signals that ask */
static atomic_int request;
static void (*give_up)(int status);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static bool in_order;
static stop_wait *waits;

/* There are waits, and none of them can be interrupted. */
static bool is_stuck(void) {
    pthread_mutex_lock(&lock);
    bool stuck = waits != NULL;
    for (const stop_wait *wait = waits; wait; wait = wait->next) stuck &= !wait->interrupt;
    pthread_mutex_unlock(&lock);
    return stuck;
}

/* True if the program has computed since the last call; more than its naps take. */
static bool computes(void) {
    static double used; /* milliseconds */
    const double before = used;
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    used = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
    return used - before > 1;
}

/* Gives the program time to end cleanly, which takes long on a slow machine; returns when it has waited for too long,
 * or at the second request. */
static void wait_for_end(void) {
    int idle = 0, stuck = 0;
    for (int naps = 0; naps < NAPS && idle < NAPS_IDLE && stuck < NAPS_STUCK; naps++) {
        if (sigtimedwait(&requests, NULL, &nap) > 0) return;
        idle = computes() ? 0 : idle + 1;
        stuck = is_stuck() ? stuck + 1 : 0;
    }
}

static void *watch(void *unused) {
    int number;
    sigwait(&requests, &number);
    atomic_store(&request, number);
    pthread_mutex_lock(&lock);
    const bool wait = in_order;
    for (const stop_wait *each = waits; each; each = each->next)
        if (each->interrupt) each->interrupt(each->of);
    pthread_mutex_unlock(&lock);
    if (wait) wait_for_end();
    give_up(stop_status());
    return unused;
}

void stop_catch_signals(void (*at_once)(int status)) {
    pthread_t thread;
    struct sigaction hangup;
    give_up = at_once;
    sigemptyset(&requests);
    sigaddset(&requests, SIGINT);
    sigaddset(&requests, SIGTERM);
    if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN) sigaddset(&requests, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &requests, NULL);
    /* Shells make background programs ignore it, and an ignored signal may never be delivered. */
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sv_thread_start(&thread, watch, NULL);
    pthread_detach(thread);
}

void stop_in_order(void) {
    pthread_mutex_lock(&lock);
    in_order = true;
    pthread_mutex_unlock(&lock);
}

void stop_wait_begin(stop_wait *wait, void (*interrupt)(void *of), void *of) {
    pthread_mutex_lock(&lock);
    *wait = (stop_wait){interrupt, of, waits};
    waits = wait;
    if (interrupt && stop_requested()) interrupt(of);
    pthread_mutex_unlock(&lock);
}

void stop_wait_end(stop_wait *wait) {
    pthread_mutex_lock(&lock);
    stop_wait **at = &waits;
    while (*at != wait) at = &(*at)->next;
    *at = wait->next;
    pthread_mutex_unlock(&lock);
}

bool stop_requested(void) { return atomic_load(&request) != 0; }

int stop_status(void) {
    const int number = atomic_load(&request);
    return number ? 128 + number : 0;
}
