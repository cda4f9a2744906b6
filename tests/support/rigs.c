/* Random rigs. */
#include "tests/support/rigs.h"
#include "rig/rotation.h"
#include "tests/support/random.h"
#include "tests/support/reading.h"
#include "tests/support/test.h"

double rigs_between(double a, double b) { return a + (b - a) * random_below(100001) / 100000; }

sv_rig rigs_random(double focal, double degrees, double ratio, double radial) {
    const double most = degrees * M_PI / 180;
    const double axis[3] = {rigs_between(-most, most), rigs_between(-most, most), rigs_between(-most, most)};
    const double f = exp(rigs_between(-ratio, ratio) / 2), k[2] = {rigs_between(-radial, 0), rigs_between(-radial, 0)};
    /* Brown's model with the second coefficient that real lenses have, not the model that is estimated. */
    const double second[2] = {rigs_between(0.7, 1.1) * k[0] * k[0], rigs_between(0.7, 1.1) * k[1] * k[1]};
    sv_rig rig = {.metric = false};
    rotation_about(axis, vector_length(axis), rig.rotation);
    rotation_apply(rig.rotation, (const double[]){-1, rigs_between(-0.02, 0.02), rigs_between(-0.02, 0.02)},
                   rig.translation);
    for (int side = 0; side < 2; side++)
        rig.cameras[side] = (sv_camera){.width = RIGS_WIDTH,
                                        .height = RIGS_HEIGHT,
                                        .fx = side ? focal * f : focal / f,
                                        .fy = side ? focal * f : focal / f,
                                        .cx = (RIGS_WIDTH - 1) / 2.0,
                                        .cy = (RIGS_HEIGHT - 1) / 2.0,
                                        .coefficients = {k[side], second[side]}};
    return rig;
}

void rigs_compare(const sv_rig *truth, const selfalign_result *found, double off[3]) {
    double axis[3];
    const double angle = rotation_angle(truth->rotation, axis) / vector_length(axis) * 180 / M_PI;
    for (int k = 0; k < 3; k++) off[k] = found->rotation[k].value - angle * axis[k];
}

void rigs_assert_refused(const selfalign_point *points, int count, double focal, const char *says) {
    selfalign_result found;
    sv_error error = {""};
    if (selfalign(points, count, RIGS_WIDTH, RIGS_HEIGHT, focal, false, &found, &error) != SV_FAILED)
        fail_msg("accepted: %s", says);
    assert_has(error.text, says);
}
