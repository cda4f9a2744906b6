/* How an input holds the two views of a scene: where they are, and which one is the left one. */
#ifndef RIG_ARRANGEMENT_H
#define RIG_ARRANGEMENT_H

#include "rig/probe.h"

/* What was found. {0}: nothing was examined. */
typedef struct arrangement {
    bool looked;      /* the pictures were examined */
    int layout;       /* of one stream: a split_layout of capture/split.h */
    bool swapped;     /* the right view comes first */
    float share;      /* percent that the probe confirms with this layout and order */
    bool layout_sure; /* the pictures show the layout; otherwise it is the one that was assumed */
} arrangement;

/* The two views of a picture or of a pair, in both orders. */
typedef struct arrangement_trial {
    probe_result as_is, swapped; /* the second is {0} if the first decides */
} arrangement_trial;

/* Most trials that are judged together: pictures at places spread over an input. */
enum { ARRANGEMENT_TRIALS = 5 };

/* True if a pair with this result may be swapped. */
bool arrangement_is_doubtful(const probe_result *as_is);

/* Probes a pair as it is and, if it may be swapped, with its sides swapped.
 * Errors: those of probe_pair. */
sv_status arrangement_try(probe *probe, const sv_pair *pair, int row_shift, arrangement_trial *trial, sv_error *error);

typedef enum arrangement_order { ORDER_UNKNOWN, ORDER_AS_IS, ORDER_SWAPPED } arrangement_order;

/* The order of the sides of one input. Swapped sides have negative disparities, or a low share if these are too far
 * below zero to be found; but so have films and toed-in cameras. So nearness (depth_order) must agree, and decides
 * alone where the disparities have both signs. Trials that match in neither order do not count. */
arrangement_order arrangement_order_of(const arrangement_trial *trials, int count);

/* The mean share of the trials with texture in the better order, percent; -1 if there is none. */
float arrangement_share(const arrangement_trial *trials, int count);

/* True if the shares `found` for a layout and `other` for the one across it show two views in that layout. A flat
 * picture matches in any. */
bool arrangement_is_sure(float found, float other);

#endif
