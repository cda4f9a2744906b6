/* Whether the pictures of two sequences that are paired in their order are numbered alike. */
#ifndef CAPTURE_NUMBERS_H
#define CAPTURE_NUMBERS_H

#include "capture/source.h"

/* Logs a line if the numbers in the names of the files say that pictures that do not belong together are paired: a
 * warning from where a picture is missing on one side, or how far apart the first ones are. Says nothing of files
 * without numbers. */
void numbers_remark(const source *left, const source *right);

#endif
