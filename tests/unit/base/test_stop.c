/* Requests to end the program, beyond what tests/e2e/e2e_signals.sh shows from outside: several threads that wait. */
#include "base/stop.h"
#include "stereo/clock.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITING = 3 };

/* What a thread waits for, and that it does. */
typedef struct waiter {
    sem_t wanted, begun;
} waiter;

static void wake(void *of) { sem_post(&((waiter *)of)->wanted); }

static void *wait_for_it(void *of) {
    waiter *w = of;
    stop_wait wait;
    stop_wait_begin(&wait, wake, w);
    sem_post(&w->begun);
    sem_wait(&w->wanted);
    stop_wait_end(&wait);
    return NULL;
}

/* Exit status 0 if the request wakes all that wait, among them one that begins to wait after it, but not one whose wait
 * is over; give_up ends the process with another status. */
static void be_asked(void) {
    static waiter waiters[WAITING], late, gone;
    pthread_t threads[WAITING];
    stop_wait over;
    int woken = 0;
    stop_catch_signals(_exit);
    stop_in_order();
    sem_init(&gone.wanted, 0, 0);
    stop_wait_begin(&over, wake, &gone);
    for (int i = 0; i < WAITING; i++) {
        sem_init(&waiters[i].wanted, 0, 0);
        sem_init(&waiters[i].begun, 0, 0);
        if (pthread_create(&threads[i], NULL, wait_for_it, &waiters[i])) _exit(1);
        sem_wait(&waiters[i].begun);
    }
    stop_wait_end(&over);
    kill(getpid(), SIGINT);
    for (int i = 0; i < WAITING; i++) pthread_join(threads[i], NULL);
    sem_init(&late.wanted, 0, 0);
    sem_init(&late.begun, 0, 0);
    wait_for_it(&late);
    sem_getvalue(&gone.wanted, &woken);
    _exit(woken ? 2 : stop_status() == 128 + SIGINT ? 0 : 3);
}

/* Exit status 0 if a clean end that computes for seven seconds is not given up. */
static void compute(void) {
    stop_catch_signals(_exit);
    stop_in_order();
    kill(getpid(), SIGINT);
    for (const double begun = sv_seconds(); sv_seconds() < begun + 7;) continue;
    _exit(0);
}

static void expect_success(void (*child)(void)) {
    int status;
    const pid_t process = fork();
    assert_true(process >= 0);
    if (!process) child();
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(a_request_ends_all_waits) { expect_success(be_asked); }

TEST(a_slow_end_is_waited_for) { expect_success(compute); }
