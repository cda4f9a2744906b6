/* Projects points through a camera's lens and back.
 *
 * Both models are those that calibration files name: OpenCV's radial, tangential and thin prism polynomials (Brown
 * 1966; Weng, Cohen and Herniou 1992) and the polynomial in the angle of Kannala and Brandt 2006. */
#include "rig/lens.h"

enum { K1, K2, P1, P2, K3, K4, K5, K6, S1, S2, S3, S4 }; /* indices of the coefficients of SV_LENS_POLYNOMIAL */

/* The factor by which radial distortion scales the distance r from the axis. */
static double radial(const double *k, double r2) {
    return (1 + r2 * (k[K1] + r2 * (k[K2] + r2 * k[K3]))) / (1 + r2 * (k[K4] + r2 * (k[K5] + r2 * k[K6])));
}

/* The distance from the axis in the picture, in focal lengths, of a ray at this angle. */
static double distance_of_angle(const double *k, double angle) {
    const double a2 = angle * angle;
    return angle * (1 + a2 * (k[0] + a2 * (k[1] + a2 * (k[2] + a2 * k[3]))));
}

/* The displacement by tangential distortion and a thin prism. */
static void shift(const double *k, double x, double y, double by[2]) {
    const double r2 = x * x + y * y, r4 = r2 * r2;
    by[0] = 2 * k[P1] * x * y + k[P2] * (r2 + 2 * x * x) + k[S1] * r2 + k[S2] * r4;
    by[1] = k[P1] * (r2 + 2 * y * y) + 2 * k[P2] * x * y + k[S3] * r2 + k[S4] * r4;
}

/* From X/Z and Y/Z to the position in the picture, in focal lengths from the principal point. */
static void distort(const sv_camera *camera, double x, double y, double distorted[2]) {
    const double *k = camera->coefficients;
    if (camera->lens == SV_LENS_EQUIDISTANT) {
        const double r = hypot(x, y), scale = r > 0 ? distance_of_angle(k, atan(r)) / r : 1;
        distorted[0] = scale * x;
        distorted[1] = scale * y;
        return;
    }
    const double scale = radial(k, x * x + y * y);
    double by[2];
    shift(k, x, y, by);
    distorted[0] = scale * x + by[0];
    distorted[1] = scale * y + by[1];
}

void sv_project(const sv_camera *camera, double x, double y, double pixel[2]) {
    distort(camera, x, y, pixel);
    pixel[0] = camera->fx * pixel[0] + camera->cx;
    pixel[1] = camera->fy * pixel[1] + camera->cy;
}

bool sv_unproject(const sv_camera *camera, const double pixel[2], double point[2]) {
    enum { MOST_STEPS = 50 };
    const double h = 1e-6, enough = 1e-10; /* focal lengths: step of the finite differences, and tolerance of the
                                            * result */
    const double wanted[2] = {(pixel[0] - camera->cx) / camera->fx, (pixel[1] - camera->cy) / camera->fy};
    /* Newton's method, starting where a pinhole would have the point. Along a radius that does not fold it converges
     * from one side, for barrel and for pincushion distortion. */
    double x = wanted[0], y = wanted[1];
    for (int step = 0; step < MOST_STEPS; step++) {
        double at[2], right[2], left[2], below[2], above[2];
        distort(camera, x, y, at);
        const double u = at[0] - wanted[0], v = at[1] - wanted[1];
        if (fabs(u) < enough && fabs(v) < enough) {
            point[0] = x;
            point[1] = y;
            return true;
        }
        distort(camera, x + h, y, right);
        distort(camera, x - h, y, left);
        distort(camera, x, y + h, below);
        distort(camera, x, y - h, above);
        const double ux = (right[0] - left[0]) / (2 * h), vx = (right[1] - left[1]) / (2 * h);
        const double uy = (below[0] - above[0]) / (2 * h), vy = (below[1] - above[1]) / (2 * h);
        const double determinant = ux * vy - uy * vx;
        x -= (u * vy - v * uy) / determinant;
        y -= (v * ux - u * vx) / determinant;
    }
    return false;
}

void sv_unproject_as_opencv(const sv_camera *camera, const double pixel[2], double point[2]) {
    enum { STEPS = 5 };
    const double *k = camera->coefficients;
    const double wanted[2] = {(pixel[0] - camera->cx) / camera->fx, (pixel[1] - camera->cy) / camera->fy};
    point[0] = wanted[0];
    point[1] = wanted[1];
    for (int step = 0; step < STEPS; step++) {
        const double scale = radial(k, point[0] * point[0] + point[1] * point[1]);
        double by[2];
        if (scale < 0) break;
        shift(k, point[0], point[1], by);
        point[0] = (wanted[0] - by[0]) / scale;
        point[1] = (wanted[1] - by[1]) / scale;
    }
}

double sv_lens_reach(const sv_camera *camera, double *fold) {
    enum { STEPS = 4096 }; /* of the angle, up to a right angle */
    const double most_x = fmax(camera->cx, camera->width - 1 - camera->cx) / camera->fx;
    const double most_y = fmax(camera->cy, camera->height - 1 - camera->cy) / camera->fy;
    const double corner = hypot(most_x, most_y);
    const double enough = 1.25 * corner; /* a margin for the distortion that is not radial */
    const double *k = camera->coefficients;
    double before = 0;
    if (fold) *fold = 0;
    for (int i = 1; i < STEPS; i++) {
        const double angle = i * (acos(0) / STEPS), r = tan(angle);
        const double distance =
            camera->lens == SV_LENS_EQUIDISTANT ? distance_of_angle(k, angle) : r * radial(k, r * r);
        if (!(distance > before)) {
            if (fold && before < corner) *fold = before;
            return tan((i - 1) * (acos(0) / STEPS));
        }
        if (distance > enough) return r;
        before = distance;
    }
    return INFINITY;
}
