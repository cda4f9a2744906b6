/* When a match under way is cancelled. */
#include "app/play/cancelling.h"

#include <math.h>

/* The most seconds that parameters wait for a match: 10 ms less than what feels immediate, which cancelling it may
 * take. */
static const double longest = 0.04;

/* A match that should have ended long ago is unlike the one before it, so its end cannot be expected. */
bool cancelling_is_due(double last, double begun, double waits) {
    return waits >= longest || !(fabs(last - begun) <= longest);
}
