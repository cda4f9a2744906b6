/* Matches two rectified pictures: match LEFT.pgm RIGHT.pgm DISPARITY.pfm [METHOD]
 *
 *     cc -o match match.c $(pkg-config --cflags --libs stereoview) */
#include "pictures.h"

static sv_status match(const sv_pair *pair, const char *method, const sv_output *output, sv_error *error) {
    const sv_backend *backend;
    const sv_matcher_options any_size = {0};
    sv_matcher *matcher = NULL;
    sv_params *params = sv_params_new();
    if (!params) return SV_FAILED;
    sv_status status = sv_params_set(params, "method", method, error);
    bool found; /* if not, the default range stays */
    if (status == SV_OK) status = sv_find_range(pair, 1, NULL, params, &found, error);
    if (status == SV_OK) status = sv_find_backend("auto", 0, &backend, error);
    if (status == SV_OK) status = sv_matcher_create(backend, &any_size, &matcher, error);
    if (status == SV_OK) status = sv_submit(matcher, pair, params, output, error);
    if (status == SV_OK) status = sv_wait(matcher, NULL, error);
    sv_matcher_destroy(matcher);
    sv_params_free(params);
    return status;
}

int main(int argc, char **argv) {
    sv_error error = {"usage: match LEFT.pgm RIGHT.pgm DISPARITY.pfm [METHOD], with 8-bit grey pictures"};
    const bool named = argc == 4 || argc == 5;
    const sv_pair pair = {.left = read_pgm(named ? argv[1] : ""), .right = read_pgm(named ? argv[2] : "")};
    sv_status status = pair.left.data && pair.right.data ? SV_OK : SV_USAGE;
    const sv_output output = {.disparity = new_picture(pair.left.width, pair.left.height, SV_FLOAT32, sizeof(float)),
                              .reason = new_picture(pair.left.width, pair.left.height, SV_REASON8, 1)};
    if (status == SV_OK) status = match(&pair, argc == 5 ? argv[4] : "sgm", &output, &error);
    if (status != SV_OK) fprintf(stderr, "match: %s\n", error.text);
    if (status == SV_OK && !write_pfm(argv[3], &output.disparity)) perror(argv[3]), status = SV_FAILED;
    free(pair.left.data);
    free(pair.right.data);
    free(output.disparity.data);
    free(output.reason.data);
    return (int)status;
}
