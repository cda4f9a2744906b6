/* Fuzzes the readers of calibration files: an input is one file, or two separated by a form feed. tests/fuzz/fuzz runs
 * it.
 */
#include "rig/calibration.h"
#include "tests/fuzz/fuzz_input.h"

#include <string.h>

/* Picture sizes, on which the choice of a calibration depends: KITTI's, Karlsruhe's, ZED's, and one that fits none. */
static const int sizes[][2] = {{1242, 375}, {1392, 512}, {1344, 372}, {1280, 720}, {333, 77}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Checks what must hold for every rig, whatever the file says. */
static void check(const sv_rig *rig) {
    double length = 0;
    for (int i = 0; i < 3; i++) {
        length += rig->translation[i] * rig->translation[i];
        for (int j = 0; j < 3; j++) {
            double product = 0;
            for (int k = 0; k < 3; k++) product += rig->rotation[i][k] * rig->rotation[j][k];
            require(fabs(product - (i == j)) < 1e-9);
        }
    }
    require(length > 0 && isfinite(length));
    for (int side = 0; side < 2; side++) {
        const sv_camera *c = &rig->cameras[side];
        require(c->fx >= 1 && c->fy >= 1 && isfinite(c->fx + c->fy + c->cx + c->cy));
        require(c->width >= 0 && c->width <= 1 << 16 && c->height >= 0 && c->height <= 1 << 16);
        require(!c->width == !c->height);
        for (int i = 0; i < SV_LENS_COEFFICIENTS; i++) require(isfinite(c->coefficients[i]));
        if (rig->given) require(rig->pinholes[side].fx >= 1 && rig->pinholes[side].fy >= 1);
    }
    require(!(rig->given && rig->rectified));
}

static void rewrite(int file, const uint8_t *data, size_t size) {
    require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int files[2];
    if (!files[0]) {
        sv_set_log(fuzz_ignore);
        for (int i = 0; i < 2; i++) require((files[i] = memfd_create("calibration", MFD_CLOEXEC)) > 0);
    }
    const uint8_t *feed = size ? memchr(data, '\f', size) : NULL;
    rewrite(files[0], data, feed ? (size_t)(feed - data) : size);
    if (feed) rewrite(files[1], feed + 1, size - (size_t)(feed + 1 - data));

    char names[80];
    if (feed)
        snprintf(names, sizeof names, "/proc/self/fd/%d,/proc/self/fd/%d", files[0], files[1]);
    else
        snprintf(names, sizeof names, "/proc/self/fd/%d", files[0]);
    sv_rig rig;
    sv_error error = {""};
    const int *picture = sizes[size % SIZES];
    const sv_status status = calibration_read(names, picture[0], picture[1], &rig, NULL, &error);
    if (status == SV_OK)
        check(&rig);
    else
        require(status == SV_FAILED && *error.text);
    return 0;
}
