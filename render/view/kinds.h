/* The kinds of views: what each one shows, and what it needs.
 * Thread: any, for all functions. */
#ifndef RENDER_VIEW_KINDS_H
#define RENDER_VIEW_KINDS_H

typedef enum view_kind {
    VIEW_DISPARITY, /* in false colour; pixels without a disparity in the colours of their reasons, if that is on */
    VIEW_LEFT,      /* the left picture, rectified, as are the others */
    VIEW_RIGHT,
    VIEW_BLEND,      /* the mean of both pictures */
    VIEW_ANAGLYPH,   /* red of the left and green and blue of the right picture */
    VIEW_PAIR,       /* both pictures side by side, with lines along which matches lie */
    VIEW_DEPTH,      /* in false colour: equal steps of colour are equal ratios of depth */
    VIEW_REASONS,    /* each pixel in the colour of its reason */
    VIEW_ERROR,      /* each pixel in the colour of its error against the truth */
    VIEW_COST,       /* the cost of each pixel's winner, in false colour */
    VIEW_CONFIDENCE, /* how sure each match is, in false colour */
    VIEW_ROWS,       /* the left picture, with the row errors of its parts as arrows */
    VIEW_CLOUD,      /* the point cloud, from a camera of its own */
    VIEW_KIND_COUNT
} view_kind;

/* What a kind of view needs. */
enum {
    VIEW_NEEDS_MAP = 1,
    VIEW_NEEDS_LEFT = 2,
    VIEW_NEEDS_RIGHT = 4,
    VIEW_NEEDS_METRES = 8,
    VIEW_NEEDS_TRUTH = 16,
    VIEW_NEEDS_COSTS = 32,
    VIEW_NEEDS_CONFIDENCE = 64
};

const char *view_kind_name(int kind); /* "disparity"; "?" if out of range */
int view_kind_of(const char *name);   /* -1 if there is none */
unsigned view_kind_needs(int kind);   /* VIEW_NEEDS_... */

/* The next kind (`by` 1), or the previous one (-1), that needs nothing that is `lacking`, VIEW_NEEDS_... */
int view_kind_beside(int kind, int by, unsigned lacking);

#endif
