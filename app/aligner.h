/* Measures now and then, in a thread of its own, how the rows of the pairs that go by are aligned, and how bright their
 * pictures are beside each other. */
#ifndef APP_ALIGNER_H
#define APP_ALIGNER_H

#include "app/alignment.h"
#include "app/brightness.h"
#include "capture/pair.h"

typedef struct aligner aligner;

/* `rectification` (NULL: none) is borrowed until aligner_close. */
sv_status aligner_open(aligner **out, const sv_rectification *rectification, sv_error *error);

/* Offers a pair. The newest is measured when a second has passed since the last measurement began; its frames are kept
 * until then. Never waits. One thread at a time. */
void aligner_offer(aligner *aligner, const frame_pair *pair, const sv_params *params);

/* The latest figure; false if there is none yet. Any thread. */
bool aligner_latest(aligner *aligner, alignment *figure);

/* The same, after waiting for one that is under way or the first. The thread that offers. */
bool aligner_last(aligner *aligner, alignment *figure);

/* How bright the pictures were that the latest figure is of; false if there is none yet. Any thread. */
bool aligner_brightness(aligner *aligner, brightness *brightness);

void aligner_close(aligner *aligner); /* NULL is fine */

#endif
