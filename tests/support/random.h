/* Pseudo-random numbers for tests, the same in every run. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

/* Starts the numbers again from `seed`, which is not 0. */
void seed_random(uint32_t seed);

/* 0..limit - 1. */
int random_below(int limit);

/* One of `count` values. */
int one_of(const int *values, int count);
#define ONE_OF(...) one_of((const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))

#endif
