/* Random rigs for tests of the alignment without a board. */
#ifndef TESTS_RIGS_H
#define TESTS_RIGS_H

#include "stereo/rig.h"

enum { RIGS_WIDTH = 640, RIGS_HEIGHT = 480 }; /* of every picture, pixels */

double rigs_between(double a, double b);

/* Two cameras 1 apart, the right one turned by up to `degrees` about each axis; the ratio of their focal lengths, whose
 * mean is `focal` pixels, is up to exp(`ratio`), and their first radial coefficients go down to -`radial`. */
sv_rig rigs_random(double focal, double degrees, double ratio, double radial);

#endif
