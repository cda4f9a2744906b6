/* Lengths as people write them. */
#ifndef RIG_LENGTH_H
#define RIG_LENGTH_H

#include <stdbool.h>
#include <stddef.h>

/* Metres in one "m", "cm", "mm" or "in", also when written out ("millimeters"); 0 for anything else.
 * Thread: any. */
double length_unit(const char *unit);

/* The static name of such a unit, NULL for anything else.
 * Thread: any. */
const char *length_unit_name(const char *unit);

/* Reads a positive number with its unit, such as "25mm", from the first `length` characters of `text`. False if it is
 * something else.
 * Thread: any. */
bool length_parse(const char *text, size_t length, double *metres);

#endif
