/* Finds how the pictures of one stream hold both views: --layout auto, and --swap unless it is given. */
#ifndef APP_MEDIA_VIEWS_H
#define APP_MEDIA_VIEWS_H

#include "app/options/options.h"

/* Decides by up to five pictures spread over the frames of a file; of a live source, one that cannot seek and one that
 * is recorded, by the first picture with texture, which `first` receives (else NULL). Sets the layout and the order in
 * options->input unless they were given, and options->input.found; logs one line. Where the pictures do not show it,
 * the file's tags decide, or the views are side by side, with a warning. A layout that was given stays, with a warning
 * if another one fits. A calibration determines the sides. Errors: SV_FAILED when out of memory, or if a file cannot be
 * read from its beginning again; with only_if_sure also where neither pictures nor tags show it. Lifetime: the caller
 * releases `first`. */
sv_status views_find(options *options, source *whole, frame **first, sv_error *error);

/* True if something else than the pictures determines which side is the left one. */
bool views_order_is_given(const options *options);

/* How many of the frames that the options name can be looked at; 1 if it is not known, or if the file can only be read
 * once, in order. */
int64_t views_selected(const options *options, const source_info *info);

/* True if two views that share pictures of that size are squeezed: such pictures have the shape of one screen. */
bool views_are_squeezed(int width, int height);

#endif
