/* The queue of mouse events. */
#include "render/window/mouse.h"

void mouse_push(mouse_queue *q, const mouse_event *event) {
    mouse_event *last = &q->events[(q->first + q->count - 1 + MOUSE_QUEUE_SIZE) % MOUSE_QUEUE_SIZE];
    const bool moves = event->kind == MOUSE_MOVE, step = moves || event->kind == MOUSE_WHEEL;
    if (moves && q->count && last->kind == MOUSE_MOVE) {
        *last = *event;
        return;
    }
    /* Half of the queue is reserved for events that must not be lost: a button that is never released would keep
     * dragging. */
    if (q->count == MOUSE_QUEUE_SIZE || (step && q->count >= MOUSE_QUEUE_SIZE / 2)) return;
    q->events[(q->first + q->count++) % MOUSE_QUEUE_SIZE] = *event;
}

bool mouse_next(mouse_queue *q, mouse_event *event) {
    if (!q->count) return false;
    *event = q->events[q->first];
    q->first = (q->first + 1) % MOUSE_QUEUE_SIZE;
    q->count--;
    return true;
}
