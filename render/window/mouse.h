/* What the mouse does over the picture area, as events, and a queue for them. Positions are as in window.h. */
#ifndef RENDER_WINDOW_MOUSE_H
#define RENDER_WINDOW_MOUSE_H

#include <stdbool.h>

typedef enum mouse_event_kind { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_MOVE, MOUSE_WHEEL } mouse_event_kind;

typedef struct mouse_event {
    mouse_event_kind kind;
    int x, y;     /* where it is */
    int button;   /* pressed or released: 0 left, 1 right, 2 middle */
    bool shift;   /* pressed with Shift */
    bool twice;   /* pressed for the second time in a short while, at the same place */
    double wheel; /* notches, positive away from the user */
} mouse_event;

/* A FIFO queue; {0} is empty. A full one drops moves and wheel notches. */
enum { MOUSE_QUEUE_SIZE = 64 };
typedef struct mouse_queue {
    mouse_event events[MOUSE_QUEUE_SIZE];
    int first, count;
} mouse_queue;

void mouse_push(mouse_queue *queue, const mouse_event *event); /* a move replaces a move before it */
bool mouse_next(mouse_queue *queue, mouse_event *event);       /* false if it is empty */

#endif
