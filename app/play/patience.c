/* When a match under way is given up. */
#include "app/play/patience.h"

#include <math.h>

/* The most seconds that parameters wait for a match: 10 ms less than what feels immediate, which giving it up may
 * take. */
static const double longest = 0.04;

/* A match that should have ended long ago is unlike the one before it, so its end cannot be expected. */
bool patience_ends(double last, double begun, double waits) {
    return waits >= longest || !(fabs(last - begun) <= longest);
}
