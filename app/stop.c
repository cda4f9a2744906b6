/* Ctrl-C and kill: the program ends as if the user had quit. */
#include "app/stop.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_bool requested;

static void on_signal(int number) {
    /* The second one kills a program that does not come to its end. */
    signal(number, SIG_DFL);
    atomic_store(&requested, true);
}

void stop_catch_signals(void) {
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

bool stop_requested(void) { return atomic_load(&requested); }
