/* The two frames, A and B, between which playback repeats. */
#ifndef APP_PLAY_MARKS_H
#define APP_PLAY_MARKS_H

#include "app/options/input_options.h"

typedef struct marks {
    int count;
    int64_t frames[2];   /* in ascending order */
    double positions[2]; /* of the same, as in player_seek */
} marks;

/* Sets A at the frame, then B; the third call removes both. */
void marks_next(marks *marks, int64_t frame, double position);

/* The frames to play: those from A to B, repeated, if both are set; otherwise those of `all`. */
frame_range marks_range(const marks *marks, const frame_range *all);

#endif
