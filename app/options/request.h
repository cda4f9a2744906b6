/* An input that the user names in the window: from what is dropped, typed or chosen to the options of a session. */
#ifndef APP_OPTIONS_REQUEST_H
#define APP_OPTIONS_REQUEST_H

#include "app/options/options.h"

#define REQUEST_NO_BOARD "none"

/* The sources, and what belongs to them. */
typedef struct request {
    char names[2][1024]; /* as of -f; of -s if the second is "", of -c if they begin with /dev/ */
    bool demo, synthetic;
    bool swap;              /* as --swap */
    bool order_given;       /* the user chose `swap`; otherwise the order may be found */
    int layout;             /* as --layout: 1 + a split_layout; 0: as it is, or found */
    bool only_if_sure;      /* as in input_options.h */
    char calibration[2048]; /* as of --calibration; "": none */
    double fov, baseline;   /* as of --fov and --baseline; 0: none */
    char truth[1024];       /* as of --truth, of new sources; "": none */
    char board[64];         /* as of --calibrate; "": as it is; REQUEST_NO_BOARD: none any more */
} request;

/* The sources that the options name. */
request request_of(const options *options);

/* The options `from` with the sources, the calibration and the truth of the request. Frames, offset, layout and truth
 * stay only if the sources are the `same`. If these are swapped, the offset changes its sign, and the truth, which
 * belongs to the left picture, is dropped. Lifetime: `request` must outlive the result. */
options request_options(const request *request, const options *from, bool same);

#endif
