/* Rotation matrices. */
#include "rig/rotation.h"

#include <math.h>
#include <string.h>

void rotation_multiply(const double (*a)[3], const double (*b)[3], double (*product)[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

void rotation_multiply_transposed(const double (*a)[3], const double (*b)[3], double (*product)[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) product[i][j] = a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
}

void rotation_apply(const double (*m)[3], const double point[3], double rotated[3]) {
    for (int i = 0; i < 3; i++) rotated[i] = m[i][0] * point[0] + m[i][1] * point[1] + m[i][2] * point[2];
}

void rotation_apply_transposed(const double (*m)[3], const double point[3], double rotated[3]) {
    for (int i = 0; i < 3; i++) rotated[i] = m[0][i] * point[0] + m[1][i] * point[1] + m[2][i] * point[2];
}

double vector_length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

void rotation_about(const double axis[3], double angle, double (*m)[3]) {
    const double norm = vector_length(axis), scale = norm > 0 ? 1 / norm : 0;
    const double x = scale * axis[0], y = scale * axis[1], z = scale * axis[2];
    const double s = sin(angle), c = cos(angle), d = norm > 0 ? 1 - c : 0;
    const double made[3][3] = {
        {1 - d * (y * y + z * z), d * x * y - s * z, d * x * z + s * y},
        {d * x * y + s * z, 1 - d * (x * x + z * z), d * y * z - s * x},
        {d * x * z - s * y, d * y * z + s * x, 1 - d * (x * x + y * y)},
    };
    memcpy(m, made, sizeof made);
}

double rotation_angle(const double (*m)[3], double axis[3]) {
    axis[0] = m[2][1] - m[1][2];
    axis[1] = m[0][2] - m[2][0];
    axis[2] = m[1][0] - m[0][1];
    return atan2(vector_length(axis), m[0][0] + m[1][1] + m[2][2] - 1);
}
