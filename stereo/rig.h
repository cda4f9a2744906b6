/* A stereo rig as plain data: two cameras, their relative pose, and the rectification of their pictures. rig/ fills
 * these in; matchers, viewer and exporter read them.
 *
 * Coordinates: x right, y down, z forward, in metres. Pixel (0, 0) is the centre of the top left pixel. */
#ifndef STEREO_RIG_H
#define STEREO_RIG_H

#include "stereo/stereo.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a lens deviates from a pinhole, with x = X/Z, y = Y/Z, r^2 = x^2 + y^2. */
typedef enum sv_lens {
    /* k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4, as OpenCV orders them: radial (the rational polynomial), tangential,
     * thin prism. Four of them are Brown's "radtan", five ROS's "plumb_bob", none a pinhole. */
    SV_LENS_POLYNOMIAL,
    /* k1 k2 k3 k4 of Kannala and Brandt: a polynomial in the angle, for wide lenses. */
    SV_LENS_EQUIDISTANT,
} sv_lens;

enum { SV_LENS_COEFFICIENTS = 12 };

typedef struct sv_camera {
    int width, height;     /* pixels, of the pictures used for the calibration; 0: not given */
    double fx, fy, cx, cy; /* pixels */
    sv_lens lens;
    double coefficients[SV_LENS_COEFFICIENTS]; /* zeros where the model has fewer */
} sv_camera;

/* A camera after rectification: a pinhole without distortion. */
typedef struct sv_pinhole {
    double rotation[3][3]; /* from the camera's own frame into the rectified one, which both cameras share */
    double fx, fy, cx, cy; /* pixels, of pictures of the calibrated size */
} sv_pinhole;

/* The content of a calibration file. Index 0 is the left camera, 1 the right one. */
typedef struct sv_rig {
    sv_camera cameras[2];
    /* A point of the left camera's frame is at rotation * X + translation in the right camera's. For a left and a
     * right camera translation[0] is negative. */
    double rotation[3][3], translation[3];
    bool metric;    /* translation is in metres; false: in a unit that the file does not name */
    bool rectified; /* the pictures are already rectified: the cameras are pinholes that share their rows */
    bool given;     /* the file has the rectification, in `pinholes` */
    sv_pinhole pinholes[2];
    /* The row correction (sv_rows) that belongs to `pinholes`, pixels of the calibrated size; zeros for none. */
    double rows[SV_ROW_TERMS];
} sv_rig;

/* A rectification map gives the position in the camera's picture of each pixel of the rectified picture: height x width
 * x (x, y), dense, int32, in 1/SV_MAP_STEPS pixel, or SV_MAP_OUTSIDE in both if it is outside the picture. */
enum { SV_MAP_STEPS = 32, SV_MAP_OUTSIDE = INT32_MIN };

/* What each term of a row correction (sv_rows) is multiplied by at (x, y). */
static inline void sv_row_terms(int width, int height, double x, double y, double values[SV_ROW_TERMS]) {
    const double u = (2 * x + 1) / width - 1, v = (2 * y + 1) / height - 1;
    values[0] = 1;
    values[1] = u;
    values[2] = v;
    values[3] = u * v;
    values[4] = v * v;
    values[5] = u * u;
}

static inline double sv_row_correction(const double terms[SV_ROW_TERMS], int width, int height, double x, double y) {
    double values[SV_ROW_TERMS], sum = 0;
    sv_row_terms(width, height, x, y, values);
    for (int i = 0; i < SV_ROW_TERMS; i++) sum += terms[i] * values[i];
    return sum;
}

/* The rectification for pictures of one size. */
struct sv_rectification {
    int width, height;         /* pixels, of the pictures before and after rectification */
    bool rectified;            /* the pictures are already rectified: only a row correction needs a map */
    sv_camera cameras[2];      /* for pictures of that size */
    sv_pinhole pinholes[2];    /* the same */
    double reach[2];           /* of the lenses, see sv_lens_reach (rig/lens.h) */
    double rows[SV_ROW_TERMS]; /* the row correction, which the right map includes */
    int32_t *maps[2];          /* NULL: that side's pictures stay as they are */
    /* Depth is focal * baseline / (disparity + doffs). */
    double focal;    /* pixels */
    double baseline; /* in metres if `metric` */
    double doffs;    /* pixels: cx of the right pinhole less cx of the left */
    bool metric;
};

/* True if the pictures of either side are remapped. `r` may be NULL. */
static inline bool sv_has_maps(const sv_rectification *r) { return r && (r->maps[0] || r->maps[1]); }

/* True if it comes from calibrated cameras, and is not a row correction alone. `r` may be NULL or empty. */
static inline bool sv_is_calibrated(const sv_rectification *r) { return r && r->focal > 0; }

/* The depth in metres of a disparity in pixels; +INFINITY where there is none. */
static inline float sv_depth(const sv_rectification *r, float disparity) {
    const double d = (double)disparity + r->doffs;
    return d > 0 && d < INFINITY ? (float)(r->focal * r->baseline / d) : INFINITY;
}

#ifdef __cplusplus
}
#endif

#endif
