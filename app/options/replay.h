/* The source in a settings file, so that --settings alone matches the same frames again. */
#ifndef APP_OPTIONS_REPLAY_H
#define APP_OPTIONS_REPLAY_H

#include "app/options/options.h"

/* Frames first to end - 1. */
typedef struct replay_frames {
    int64_t first, end; /* INT64_MAX: no end */
    bool moved;         /* each left frame was paired with the right one `offset` later: */
    bool pictures;      /* in files; false: in seconds */
    double offset;
} replay_frames;

/* The options with the row correction in use, in place of --rows: its terms, or off. */
options replay_with_rows(const options *options, const double terms[SV_ROW_TERMS]);

/* Describes the frames of the source that the options name, with its calibration, by absolute paths.
 * Errors: SV_FAILED if the current folder is gone.
 * Lifetime: the caller frees `source` with settings_free_source, also after an error. */
sv_status replay_describe(const options *options, const replay_frames *frames, settings_source *source,
                          sv_error *error);

/* Applies the source of a settings file if `input`, and its second set of parameters if `second`. `path` is for
 * messages. Errors: SV_FAILED, with the line. Lifetime: `options` points into `source` then. */
sv_status replay_apply(options *options, const settings_source *source, const char *path, bool input, bool second,
                       sv_error *error);

/* The options for the source that a settings file names, opened in the window after that of `from`. Without a source if
 * the file names none.
 * Errors and lifetime: as replay_apply. */
sv_status replay_options(const settings_source *source, const char *path, const options *from, options *to,
                         sv_error *error);

#endif
