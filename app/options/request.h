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
    bool order_given;       /* `swap` is what the user chose, also if it is false; otherwise the order may be found */
    int layout;             /* of one stream, as --layout: 1 + a split_layout; 0: as it is, or found */
    bool only_if_sure;      /* as in input_options.h */
    char calibration[2048]; /* as of --calibration; "": none */
    char truth[1024];       /* as of --truth, of new sources; "": none */
    char board[64];         /* as of --calibrate; "": as it is; REQUEST_NO_BOARD: none any more */
} request;

/* The sources that the options name. */
request request_of(const options *options);

/* The options `from` with the sources, the calibration and the truth of the request. Frames, an offset, a layout and a
 * truth belong to the sources that they were given for, and stay only if `same` says that the sources are the same; so
 * does the layout unless the request has another. If these are swapped, the offset changes its sign, and the truth is
 * dropped, because it belongs to the left picture. Lifetime: `request` must outlive the result. */
options request_options(const request *request, const options *from, bool same);

#endif
