/* The library's rectification: a calibration file's, as one object, with its rows corrected, and pictures that it
 * remaps. */
#include "cpu/cpu.h"
#include "rig/calibration.h"
#include "rig/rectify.h"

#include <stdlib.h>
#include <string.h>

static sv_status check_size(int width, int height, sv_error *error) {
    if (width >= 1 && height >= 1 && width <= SV_MAX_SIDE && height <= SV_MAX_SIDE) return SV_OK;
    return sv_fail(error, SV_USAGE, "pictures of %d x %d pixels cannot be rectified; a side is 1 to %d", width, height,
                   SV_MAX_SIDE);
}

sv_status sv_rectification_load(const char *files, int width, int height, double alpha,
                                sv_rectification **rectification, sv_error *error) {
    *rectification = NULL;
    sv_rig rig;
    sv_status status = check_size(width, height, error);
    if (status == SV_OK) status = calibration_read(files, width, height, &rig, NULL, error);
    if (status != SV_OK) return status;
    sv_rectification *made = malloc(sizeof *made);
    if (!made) return sv_fail(error, SV_FAILED, "out of memory for a rectification");
    status = sv_rectify(&rig, width, height, alpha, made, error);
    if (status == SV_OK)
        *rectification = made;
    else
        free(made);
    return status;
}

sv_status sv_rectification_correct(const sv_rectification *from, int width, int height,
                                   const double terms[SV_ROW_TERMS], sv_rectification **rectification,
                                   sv_error *error) {
    const sv_rectification none = {0};
    double sums[SV_ROW_TERMS];
    *rectification = NULL;
    sv_status status = check_size(width, height, error);
    if (status == SV_OK && from && (from->width != width || from->height != height))
        status = sv_fail(error, SV_USAGE, "the rectification is for pictures of %d x %d pixels, not %d x %d",
                         from->width, from->height, width, height);
    for (int i = 0; i < SV_ROW_TERMS && status == SV_OK; i++) {
        sums[i] = terms[i] + (from ? from->rows[i] : 0);
        if (!isfinite(terms[i])) status = sv_fail(error, SV_USAGE, "a term of a row correction is not finite");
    }
    if (status != SV_OK) return status;
    sv_rectification *made = malloc(sizeof *made);
    if (!made) return sv_fail(error, SV_FAILED, "out of memory for a rectification");
    status = sv_rectification_copy(from ? from : &none, made, error);
    if (status == SV_OK) status = sv_rectify_rows(made, width, height, sums, error);
    if (status == SV_OK)
        *rectification = made;
    else
        sv_rectification_unload(made);
    return status;
}

void sv_rectification_unload(sv_rectification *rectification) {
    if (!rectification) return;
    sv_rectification_free(rectification);
    free(rectification);
}

void sv_rectification_geometry(const sv_rectification *r, sv_geometry *geometry) {
    *geometry = (sv_geometry){
        .width = r->width,
        .height = r->height,
        .focal = r->focal,
        .cx = r->pinholes[0].cx,
        .cy = r->pinholes[0].cy,
        .doffs = r->doffs,
        .baseline = r->baseline,
        .metric = r->metric,
    };
}

static sv_status check_picture(const sv_rectification *r, const sv_image *picture, sv_format format, sv_error *error) {
    if (picture->format != format)
        return sv_fail(error, SV_USAGE, "a %s picture has the wrong pixel format",
                       format == SV_GREY8 ? "grey" : "colour");
    if (picture->width != r->width || picture->height != r->height)
        return sv_fail(error, SV_USAGE, "a picture has %d x %d pixels, but the rectification is for %d x %d",
                       picture->width, picture->height, r->width, r->height);
    return sv_check_host("picture", picture, error);
}

sv_status sv_rectify_pictures(const sv_rectification *r, const sv_pair *from, const sv_pair *to, sv_error *error) {
    const bool coloured = from->left_colour.data && to->left_colour.data;
    const int count = coloured ? 4 : 2;
    sv_pair pictures = *from;
    if (!coloured) pictures.left_colour.data = NULL;
    const sv_image *const rectified[] = {&pictures.left, &pictures.right, &pictures.left_colour,
                                         &pictures.right_colour};
    const sv_image *const results[] = {&to->left, &to->right, &to->left_colour, &to->right_colour};
    for (int i = 0; i < count; i++) {
        const sv_format format = i < 2 ? SV_GREY8 : SV_COLOUR8;
        sv_status status = check_picture(r, rectified[i], format, error);
        if (status == SV_OK) status = check_picture(r, results[i], format, error);
        if (status != SV_OK) return status;
    }
    const sv_matcher_options all_cores = {.threads = 0};
    const sv_params params = sv_default_params(SV_GFD); /* which uses colour */
    const cpu_job job = {
        .width = r->width,
        .height = r->height,
        .threads = cpu_threads(&all_cores),
        .set = cpu_available(),
        .params = &params,
        .rectification = r,
    };
    cpu_buffer buffer = {0};
    const sv_status status = cpu_rectify(&job, &pictures, &buffer, error);
    for (int i = 0; status == SV_OK && i < count; i++)
        for (int y = 0; y < r->height; y++)
            memcpy(sv_row(results[i], y), sv_row(rectified[i], y),
                   (size_t)r->width * sv_pixel_size(results[i]->format));
    free(buffer.data);
    return status;
}
