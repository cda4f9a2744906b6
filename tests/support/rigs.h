/* Random rigs for tests of the alignment without a board. */
#ifndef TESTS_SUPPORT_RIGS_H
#define TESTS_SUPPORT_RIGS_H

#include "rig/selfalign.h"
#include "stereo/rig.h"

enum { RIGS_WIDTH = 640, RIGS_HEIGHT = 480 }; /* of every picture, pixels */

double rigs_between(double a, double b); /* a random number */

/* Two cameras 1 apart, the right one turned by up to `degrees` about each axis; the ratio of their focal lengths, whose
 * mean is `focal` pixels, is up to exp(`ratio`), and their first radial coefficients go down to -`radial`. */
sv_rig rigs_random(double focal, double degrees, double ratio, double radial);

/* By how much each angle that was found is off the true one, degrees, with its sign. */
void rigs_compare(const sv_rig *truth, const selfalign_result *found, double off[3]);

/* Fails the test unless the points, seen with that focal length, are refused with a message that has `says` in it. */
void rigs_assert_refused(const selfalign_point *points, int count, double focal, const char *says);

#endif
