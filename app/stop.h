/* Ctrl-C and kill: the program ends as if the user had quit. */
#ifndef APP_STOP_H
#define APP_STOP_H

#include <stdbool.h>

/* From then on. What comes before, such as opening sources, has nothing to tidy up and may be killed at once. */
void stop_catch_signals(void);

/* True once SIGINT or SIGTERM has come. Any thread. */
bool stop_requested(void);

#endif
