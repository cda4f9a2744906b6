/* See random.h. */
#include "tests/support/random.h"

static uint32_t random_state;

void seed_random(uint32_t seed) { random_state = seed; }

/* xorshift32. */
int random_below(int limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (int)(random_state % (uint32_t)limit);
}

int one_of(const int *values, int count) { return values[random_below(count)]; }
