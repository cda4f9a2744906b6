/* When a match under way is given up. */
#include "app/patience.h"

#include <math.h>

/* Seconds that parameters wait for a match at most; 10 ms less than what feels immediate, for giving it up. */
static const double longest = 0.04;

/* A match that should have ended long ago is another one than the one before: nobody knows when it will end. */
bool patience_ends(double last, double begun, double waits) {
    return waits >= longest || !(fabs(last - begun) <= longest);
}
