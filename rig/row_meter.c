/* Measures the rows of a rig over several of its pairs, always by sgm at half size on the CPU: it tolerates rows that
 * are a few pixels off, and the correction does not depend on a run's method or backend. */
#include "rig/row_meter.h"

#include "rig/pair_meter.h"

#include <stdlib.h>

struct row_meter {
    int width, height, pairs, count;
    int threads;
    const sv_rectification *rectification;
    sv_params params;
    pair_meter *judge; /* NULL: none was needed */
    sv_matcher *matcher;
    sv_output maps;
    row_point points[ROW_METER_PAIRS * ROW_POINTS_MOST];
};

static sv_status prepare(row_meter *m, int threads, sv_error *error) {
    const sv_backend *cpu;
    const size_t width = (size_t)m->width, pixels = width * (size_t)m->height;
    const sv_matcher_options how = {
        .width = m->width, .height = m->height, .threads = threads, .rectification = m->rectification};
    sv_status status = sv_find_backend("cpu", 0, &cpu, error);
    if (status == SV_OK) status = sv_matcher_create(cpu, &how, &m->matcher, error);
    if (status != SV_OK) return status;
    m->maps.disparity =
        (sv_image){malloc(sizeof(float) * pixels), sizeof(float) * width, m->width, m->height, SV_FLOAT32, SV_HOST};
    m->maps.reason = (sv_image){malloc(pixels), width, m->width, m->height, SV_REASON8, SV_HOST};
    if (m->maps.disparity.data && m->maps.reason.data) return SV_OK;
    return sv_fail(error, SV_FAILED, "out of memory for measuring the rows");
}

sv_status row_meter_open(row_meter **out, int width, int height, const sv_rectification *rectification,
                         const sv_params *scene, int threads, sv_error *error) {
    row_meter *m = *out = calloc(1, sizeof *m);
    if (!m) return sv_fail(error, SV_FAILED, "out of memory for measuring the rows");
    m->width = width;
    m->height = height;
    m->threads = threads;
    m->rectification = rectification;
    m->params = sv_with_scene(sv_default_params(SV_SGM), scene);
    m->params.scale = 2;
    const sv_status status = prepare(m, threads, error);
    if (status != SV_OK) {
        row_meter_close(m);
        *out = NULL;
    }
    return status;
}

sv_status row_meter_add(row_meter *m, const sv_pair *pair, sv_error *error) {
    if (m->pairs == ROW_METER_PAIRS) return SV_OK;
    int found = 0;
    sv_status status = sv_submit(m->matcher, pair, &m->params, &m->maps, error);
    if (status == SV_OK) status = sv_wait(m->matcher, NULL, error);
    if (status == SV_OK)
        status = row_points_find(pair, m->rectification, &m->maps.disparity, m->params.row_shift, m->points + m->count,
                                 &found, error);
    m->count += found;
    m->pairs += status == SV_OK;
    return status;
}

sv_status row_meter_add_if_shown(row_meter *m, const sv_pair *pair, sv_error *error) {
    rig_facts facts;
    sv_status status = m->judge ? SV_OK : pair_meter_create(&m->judge, m->rectification, m->threads, error);
    if (status == SV_OK) status = pair_meter_measure(m->judge, pair, &m->params, &facts, error);
    return status == SV_OK && rig_shows_rows(&facts) ? row_meter_add(m, pair, error) : status;
}

int row_meter_pairs(const row_meter *m) { return m->pairs; }

const row_point *row_meter_points(const row_meter *m, int *count) {
    *count = m->count;
    return m->points;
}

sv_status row_meter_fit(const row_meter *m, row_fit *result, sv_error *error) {
    return row_fit_points(m->points, m->count, m->width, m->height, result, error);
}

void row_meter_close(row_meter *m) {
    if (!m) return;
    pair_meter_free(m->judge);
    sv_matcher_destroy(m->matcher);
    free(m->maps.disparity.data);
    free(m->maps.reason.data);
    free(m);
}
