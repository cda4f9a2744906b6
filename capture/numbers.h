/* Whether the pictures of two sequences that are paired in their order are numbered alike. */
#ifndef CAPTURE_NUMBERS_H
#define CAPTURE_NUMBERS_H

#include "capture/source.h"

/* Logs a line if the numbers in the names of the files show that unlike pictures are paired: a warning with the first
 * such pair, if a picture is missing on one side, or the difference of the first numbers. */
void numbers_remark(const source *left, const source *right);

#endif
