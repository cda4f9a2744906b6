/* Rotation matrices: 3 x 3, row by row. All functions are pure. The result must not overlap an operand.
 * Thread: any. */
#ifndef RIG_ROTATION_H
#define RIG_ROTATION_H

/* product = a * b. */
void rotation_multiply(const double (*a)[3], const double (*b)[3], double (*product)[3]);

/* product = transposed(a) * b. */
void rotation_multiply_transposed(const double (*a)[3], const double (*b)[3], double (*product)[3]);

/* rotated = m * point. */
void rotation_apply(const double (*m)[3], const double point[3], double rotated[3]);

/* rotated = transposed(m) * point. */
void rotation_apply_transposed(const double (*m)[3], const double point[3], double rotated[3]);

/* The rotation about `axis` by `angle`, radians (Rodrigues' formula). The axis may have any length; with length 0 the
 * result is the identity. */
void rotation_about(const double axis[3], double angle, double (*m)[3]);

/* The inverse, for angles below 180 degrees: returns the angle, radians, and an axis of any length. */
double rotation_angle(const double (*m)[3], double axis[3]);

/* Euclidean length. */
double vector_length(const double v[3]);

#endif
