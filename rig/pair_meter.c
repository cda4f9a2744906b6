/* Measures the pictures of a rig. Other orders, rows and moments are tried on pictures reduced to at least 600 columns,
 * where a probe takes a millisecond or two. Rows, which may vary, are searched for in each part of the picture. */
#include "rig/pair_meter.h"

#include "rig/arrangement.h"
#include "rig/rectify.h"
#include "rig/row_fit.h"
#include "stereo/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REDUCED_WIDTH = 600, /* pixels, at least */
    MOMENTS = 2 * RIG_MOMENTS_MOST + 1,
    ACROSS = 6,
    DOWN = 4,
    PARTS = ACROSS * DOWN,
    ROW_STEP = 2,   /* reduced pixels between the row shifts that are tried, */
    ROW_STEPS = 12, /* in either direction */
    ROW_TRIES = 2 * ROW_STEPS + 1
};

/* Percent of the pixels of a part: a row shift is the part's if at least `clear` of them match, and `distinct` more
 * than with most other row shifts. */
static const float clear = 50, distinct = 15;

/* Percent by which two shares of the same quality may differ. */
static const float as_well = 5;

typedef struct moment {
    double frame;
    sv_image right; /* reduced */
} moment;

struct pair_meter {
    const sv_rectification *rectification;
    probe *whole, *reduced; /* of rectified pictures, in the full size and reduced */
    row_point *points;
    double *offsets;
    uint8_t *grey; /* a rectified picture */
    int width, height;
    sv_image now[2], left; /* reduced: the pair that is measured; the left picture of the moment in the middle */
    double middle;         /* its frame; NAN: there is none */
    moment moments[MOMENTS];
    int moment_count;
};

static sv_status fail(sv_error *error) { return sv_fail(error, SV_FAILED, "out of memory for measuring the pictures"); }

sv_status pair_meter_create(pair_meter **out, const sv_rectification *rectification, int threads, sv_error *error) {
    pair_meter *m = *out = calloc(1, sizeof *m);
    if (!m) return fail(error);
    m->rectification = rectification;
    m->middle = NAN;
    m->points = malloc(ROW_POINTS_MOST * sizeof *m->points);
    m->offsets = malloc(ROW_POINTS_MOST * sizeof *m->offsets);
    sv_status status = m->points && m->offsets ? SV_OK : fail(error);
    if (status == SV_OK) status = probe_create(&m->whole, rectification, threads, error);
    if (status == SV_OK) status = probe_create(&m->reduced, NULL, threads, error);
    if (status == SV_OK) return SV_OK;
    pair_meter_free(m);
    *out = NULL;
    return status;
}

static void free_pictures(pair_meter *m) {
    free(m->grey);
    free(m->left.data);
    for (int i = 0; i < 2; i++) free(m->now[i].data);
    for (int i = 0; i < MOMENTS; i++) free(m->moments[i].right.data);
    memset(m->now, 0, sizeof m->now);
    memset(m->moments, 0, sizeof m->moments);
    m->left = (sv_image){0};
    m->grey = NULL;
    pair_meter_begin_moments(m);
}

void pair_meter_free(pair_meter *m) {
    if (!m) return;
    free_pictures(m);
    probe_free(m->whole);
    probe_free(m->reduced);
    free(m->points);
    free(m->offsets);
    free(m);
}

/* ---- Reduced pictures ------------------------------------------------------------------------- */

/* Pixels of the full size, across and down, that become one. */
static int factor(const pair_meter *m) { return m->width > 2 * REDUCED_WIDTH ? m->width / REDUCED_WIDTH : 1; }

static sv_status fit(pair_meter *m, const sv_image *picture, sv_error *error) {
    if (m->grey && m->width == picture->width && m->height == picture->height) return SV_OK;
    free_pictures(m);
    m->width = picture->width;
    m->height = picture->height;
    m->grey = malloc((size_t)m->width * (size_t)m->height);
    return m->grey ? SV_OK : fail(error);
}

/* Rectifies a picture, moves it up by `shift` rows, and reduces it into `to`, which is allocated the first time. */
static sv_status reduce(pair_meter *m, const sv_image *picture, int side, int shift, sv_image *to, sv_error *error) {
    const sv_status status = fit(m, picture, error);
    if (status != SV_OK) return status;
    const int f = factor(m), width = m->width / f, height = m->height / f > 0 ? m->height / f : 1;
    if (!to->data)
        *to = (sv_image){malloc((size_t)width * (size_t)height), (size_t)width, width, height, SV_GREY8, SV_HOST};
    if (!to->data) return fail(error);
    sv_rectify_grey(m->rectification, side, picture, shift, m->grey);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int j = 0; j < f && y * f + j < m->height; j++)
                for (int i = 0; i < f; i++)
                    sum += m->grey[(size_t)(y * f + j) * (size_t)m->width + (size_t)(x * f + i)];
            ((uint8_t *)sv_row(to, y))[x] = (uint8_t)(sum / (f * f));
        }
    return SV_OK;
}

/* Probes two reduced pictures, with the sides swapped and with the right one moved up by reduced `rows`. */
static sv_status try(pair_meter *m, const sv_image *left, const sv_image *right, bool swapped, int rows,
                     probe_result *result, sv_error *error) {
    const sv_pair pair = {.left = swapped ? *right : *left, .right = swapped ? *left : *right};
    return probe_pair(m->reduced, &pair, swapped ? -rows : rows, result, error);
}

/* ---- Rows ------------------------------------------------------------------------------------- */

/* The median and its deviation of m->offsets, which change. */
static void summarize(pair_meter *m, int count, rig_rows *rows) {
    rows->points = count;
    if (!count) return;
    const double offset = sv_median(m->offsets, (size_t)count);
    for (int i = 0; i < count; i++) m->offsets[i] = fabs(m->offsets[i] - offset);
    rows->offset = (float)offset;
    rows->spread = (float)sv_median(m->offsets, (size_t)count);
}

/* The medians of parts of the left picture; a part of few corners has none. `shift`: of the rows. */
static void summarize_parts(pair_meter *m, int count, int rows, int shift, rig_rows *to) {
    enum { LEAST = 3 };
    for (int part = 0; part < RIG_ROWS_DOWN * RIG_ROWS_ACROSS; part++) {
        const int row = part / RIG_ROWS_ACROSS, column = part % RIG_ROWS_ACROSS;
        int some = 0;
        for (int i = 0; i < count; i++) {
            const row_point *p = &m->points[i];
            if ((int)floorf(p->left * RIG_ROWS_ACROSS / (float)m->width) == column &&
                (int)floorf((p->y - (float)shift) * RIG_ROWS_DOWN / (float)m->height) == row)
                m->offsets[some++] = rows + (double)p->off;
        }
        if (some < LEAST) continue;
        to->parts[row][column] = (float)sv_median(m->offsets, (size_t)some);
        to->part_points[row][column] = some;
    }
}

/* Measures the rows by the corners of a pair that matches with these sides and its right picture moved up by `rows`
 * more than the parameters do. */
static sv_status measure_rows(pair_meter *m, const sv_pair *pair, int rows, rig_facts *facts, sv_error *error) {
    const bool swapped = facts->swapped && facts->probe.negative <= 50;
    const sv_pair sides = {.left = swapped ? pair->right : pair->left, .right = swapped ? pair->left : pair->right};
    const int shift = (facts->params.row_shift + rows) * (swapped ? -1 : 1);
    probe_result result;
    int count = 0;
    sv_status status = probe_pair(m->whole, &sides, shift, &result, error);
    if (status == SV_OK && result.share > 0)
        status = row_points_find(&sides, m->rectification, probe_map(m->whole), shift, m->points, &count, error);
    if (status != SV_OK) return status;
    for (int i = 0; i < count; i++) m->offsets[i] = rows + (double)(swapped ? -m->points[i].off : m->points[i].off);
    summarize(m, count, &facts->rows);
    if (!swapped) summarize_parts(m, count, rows, shift, &facts->rows);
    facts->share = fmaxf(facts->share, result.share);
    /* A distant scene matches in either order, but only in the right one with positive disparities. */
    const arrangement_trial trial = {.as_is = result};
    const arrangement_order order = arrangement_order_of(&trial, 1);
    if (!facts->calibrated && order == ORDER_SWAPPED) facts->swapped = !swapped;
    if (order != ORDER_UNKNOWN) facts->either = false;
    row_fit fit;
    status = row_fit_points(m->points, count, m->width, m->height, &fit, error);
    if (status == SV_OK && fit.known && fit.size > 3 * fit.deviation) facts->rows.size = (float)fit.size;
    return status;
}

/* Adds the share of each part of the reduced map. */
static void count_parts(const sv_image *map, float shares[PARTS]) {
    int values[PARTS] = {0}, pixels[PARTS] = {0};
    for (int y = 0; y < map->height; y++) {
        const float *row = sv_row(map, y);
        for (int x = 0; x < map->width; x++) {
            const int part = y * DOWN / map->height * ACROSS + x * ACROSS / map->width;
            values[part] += isfinite(row[x]) != 0;
            pixels[part]++;
        }
    }
    for (int i = 0; i < PARTS; i++) shares[i] = pixels[i] ? 100 * (float)values[i] / (float)pixels[i] : 0;
}

/* The row shift with which a part matches, reduced pixels; false if none stands out. */
static bool rows_of_part(float shares[ROW_TRIES][PARTS], int part, int *rows) {
    double sorted[ROW_TRIES];
    int best = ROW_STEPS;
    for (int i = 0; i < ROW_TRIES; i++) {
        sorted[i] = (double)shares[i][part];
        if (shares[i][part] > shares[best][part]) best = i;
    }
    *rows = (best - ROW_STEPS) * ROW_STEP;
    return shares[best][part] >= clear && shares[best][part] >= (float)sv_median(sorted, ROW_TRIES) + distinct;
}

/* Searches for the rows of each part: `count` of them get an offset in m->offsets, pixels of the full size. `share`:
 * the mean of all. */
static sv_status try_rows(pair_meter *m, bool swapped, float *share, int *count, sv_error *error) {
    float shares[ROW_TRIES][PARTS] = {{0}}, sum = 0;
    sv_status status = SV_OK;
    probe_result result;
    *count = 0;
    for (int i = 0; i < ROW_TRIES && status == SV_OK; i++) {
        status = try(m, &m->now[0], &m->now[1], swapped, (i - ROW_STEPS) * ROW_STEP, &result, error);
        if (status == SV_OK && result.share > 0) count_parts(probe_map(m->reduced), shares[i]);
    }
    if (status != SV_OK) return status;
    for (int part = 0; part < PARTS; part++) {
        int rows;
        const bool found = rows_of_part(shares, part, &rows);
        if (found) m->offsets[(*count)++] = rows * factor(m);
        sum += shares[found ? rows / ROW_STEP + ROW_STEPS : ROW_STEPS][part];
    }
    *share = sum / PARTS;
    return SV_OK;
}

/* Searches for rows that are far apart, with the sides as they are and swapped. */
static sv_status search_rows(pair_meter *m, const sv_pair *pair, rig_facts *facts, sv_error *error) {
    sv_status status = reduce(m, &pair->left, 0, 0, &m->now[0], error);
    if (status == SV_OK) status = reduce(m, &pair->right, 1, facts->params.row_shift, &m->now[1], error);
    rig_rows rows = {.row_shift = facts->params.row_shift};
    for (int swapped = 0; swapped <= !facts->calibrated && status == SV_OK; swapped++) {
        float share;
        int count;
        status = try_rows(m, swapped, &share, &count, error);
        if (status != SV_OK || 2 * count < PARTS || share <= facts->share) continue;
        summarize(m, count, &rows);
        facts->share = share;
        facts->swapped = swapped;
        if (share >= PROBE_RIGHT) break;
    }
    facts->rows = rows;
    if (status != SV_OK || !rows.points || rows.spread > (float)(ROW_STEP * factor(m))) return status;
    /* They are the same all over the picture, and can be measured by its corners. */
    status = measure_rows(m, pair, (int)lroundf(rows.offset), facts, error);
    if (facts->rows.points < RIG_ROWS_POINTS) facts->rows = rows;
    return status;
}

/* ---- A pair ----------------------------------------------------------------------------------- */

static double mean(const sv_image *image) {
    double sum = 0;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = sv_row(image, y);
        uint32_t of_row = 0;
        for (int x = 0; x < image->width; x++) of_row += row[x];
        sum += of_row;
    }
    return sum / image->width / image->height;
}

sv_status pair_meter_measure(pair_meter *m, const sv_pair *pair, const sv_params *params, rig_facts *facts,
                             sv_error *error) {
    const sv_pair swapped = {.left = pair->right, .right = pair->left};
    arrangement_trial trial = {.as_is = {.share = 0}};
    *facts = (rig_facts){.params = *params,
                         .calibrated = sv_is_calibrated(m->rectification),
                         .brightness = {mean(&pair->left), mean(&pair->right)},
                         .rows = {.row_shift = params->row_shift}};
    sv_status status = fit(m, &pair->left, error);
    if (status == SV_OK) status = probe_pair(m->whole, pair, params->row_shift, &trial.as_is, error);
    facts->probe = trial.as_is;
    facts->outside = probe_outside(m->whole, params->min_disparity, params->max_disparity);
    if (status == SV_OK && !facts->calibrated && arrangement_is_doubtful(&trial.as_is))
        status = probe_pair(m->whole, &swapped, -params->row_shift, &trial.swapped, error);
    if (status != SV_OK) return status;
    facts->measured = true;
    const arrangement_order order = arrangement_order_of(&trial, 1);
    facts->swapped = !facts->calibrated && order == ORDER_SWAPPED;
    facts->either = order == ORDER_UNKNOWN;
    facts->share = facts->swapped ? fmaxf(trial.as_is.share, trial.swapped.share) : trial.as_is.share;
    if (!(facts->probe.share > 0)) return SV_OK;
    if (facts->share < PROBE_RIGHT) return search_rows(m, pair, facts, error);
    return measure_rows(m, pair, 0, facts, error);
}

/* ---- Moments ---------------------------------------------------------------------------------- */

void pair_meter_begin_moments(pair_meter *m) {
    m->moment_count = 0;
    m->middle = NAN;
}

sv_status pair_meter_add_moment(pair_meter *m, const sv_pair *pair, int row_shift, double frame, bool middle,
                                sv_error *error) {
    sv_status status = fit(m, &pair->left, error); /* may forget all others */
    if (status != SV_OK || m->moment_count == MOMENTS) return status;
    moment *to = &m->moments[m->moment_count];
    to->frame = frame;
    status = reduce(m, &pair->right, 1, row_shift, &to->right, error);
    if (status == SV_OK && middle) status = reduce(m, &pair->left, 0, 0, &m->left, error);
    if (status != SV_OK) return status;
    m->moment_count++;
    if (middle) m->middle = frame;
    return SV_OK;
}

/* Compares all with the one in the middle in one way; returns the largest share. */
static sv_status compare(pair_meter *m, bool swapped, int rows, rig_moments *moments, float *most, sv_error *error) {
    *most = 0;
    for (int i = 0; i <= 2 * moments->reach; i++) moments->shares[i] = moments->medians[i] = NAN;
    for (int i = 0; i < m->moment_count; i++) {
        const long place = lround(m->moments[i].frame - m->middle) + moments->reach;
        probe_result result;
        if (place < 0 || place > 2 * moments->reach) continue;
        const sv_status status = try(m, &m->left, &m->moments[i].right, swapped, rows, &result, error);
        if (status != SV_OK) return status;
        moments->shares[place] = result.share;
        moments->medians[place] = result.median;
        *most = fmaxf(*most, result.share);
    }
    return SV_OK;
}

/* Where another moment matches best, finds out whether now does as well with the rows that were found. */
static sv_status doubt_moments(pair_meter *m, bool swapped, int rows, float best, rig_moments *moments,
                               sv_error *error) {
    const double offset = rig_find_offset(moments);
    rig_moments shifted = {.reach = moments->reach};
    float most;
    if (isnan(offset) || offset == 0) return SV_OK;
    const sv_status status = compare(m, swapped, rows, &shifted, &most, error);
    moments->ambiguous = status == SV_OK && rig_find_offset(&shifted) == 0 && most >= best - as_well;
    return status;
}

sv_status pair_meter_compare_moments(pair_meter *m, int reach, const rig_facts *facts, rig_moments *moments,
                                     sv_error *error) {
    const int rows = (int)lroundf(facts->rows.offset / (float)factor(m));
    /* As they are; or in the other order, or with the rows that were found. */
    const bool first = facts->swapped && facts->probe.share < PROBE_KNOWN;
    const struct {
        bool swapped;
        int rows;
        bool tried;
    } ways[] = {{first, 0, true}, {!first, 0, !facts->calibrated}, {facts->swapped, rows, rows && !first}};
    float best = -1;
    *moments = (rig_moments){0};
    if (isnan(m->middle)) return SV_OK;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && best < PROBE_RIGHT; i++) {
        rig_moments tried = {.reach = reach < RIG_MOMENTS_MOST ? reach : RIG_MOMENTS_MOST};
        float most;
        if (!ways[i].tried) continue;
        const sv_status status = compare(m, ways[i].swapped, ways[i].rows, &tried, &most, error);
        if (status != SV_OK) return status;
        tried.swapped = ways[i].swapped;
        if (most > best) *moments = tried;
        best = fmaxf(best, most);
    }
    return rows ? doubt_moments(m, facts->swapped, rows, best, moments, error) : SV_OK;
}
