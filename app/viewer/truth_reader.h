/* Reads ground truth in a thread of its own, because a large one, or a slow disk, takes longer than a frame.
 * Thread: one, for all functions. */
#ifndef APP_VIEWER_TRUTH_READER_H
#define APP_VIEWER_TRUTH_READER_H

#include "stereo/stereo.h"

typedef struct truth_reader truth_reader;

/* `pattern` and `scale`: as for truth_read. The thread calls `news` when a requested truth has been read. */
truth_reader *truth_reader_open(const char *pattern, double scale, void (*news)(void));

/* Requests the truth of a frame, in place of an earlier request that has not been taken. The truth of the frame
 * after the one that was taken last is read ahead. */
void truth_reader_ask(truth_reader *reader, int64_t frame);

/* True, once, when the requested truth has been read: then `status`, `truth` and `error` are those of truth_read. */
bool truth_reader_take(truth_reader *reader, sv_status *status, sv_image *truth, sv_error *error);

/* Does not wait for a read that is under way. Accepts NULL. */
void truth_reader_close(truth_reader *reader);

#endif
