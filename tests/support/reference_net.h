/* The maps of the reference model, which tests/support/make_models.py makes in many variants, by definition: slow,
 * short, and sharing no code with net/. */
#ifndef TESTS_SUPPORT_REFERENCE_NET_H
#define TESTS_SUPPORT_REFERENCE_NET_H

#include "stereo/stereo.h"

typedef enum place { NOWHERE, BOTTOM_RIGHT, TOP_RIGHT, CENTRE } place;

/* A variant: its name, and how its pictures come about and its map is read. */
typedef struct variant {
    const char *name;
    int channels;      /* 3 or 1 */
    int width, height; /* of the model's pictures; 0: that of the pair, rounded up to `multiple` */
    int multiple;
    place padding; /* NOWHERE: resized */
    bool zero;     /* padded with 0 */
    bool bgr, halves;
    int every; /* the map has every n-th pixel */
    double bound;
} variant;

extern const variant variants[];
extern const int variant_count;

/* The map of a variant, height x width of the pair, dense. Lifetime: the caller frees it. */
double *reference_net(const sv_pair *pair, const char *variant);

#endif
