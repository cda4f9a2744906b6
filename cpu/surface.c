/* The fill `surface`: each pixel without a sure disparity takes one of the nearest four sure ones, to its left, to its
 * right, above and below.
 *
 * A matched disparity is confirmed if the right picture's map, if there is one, has it too. It is sure if its right
 * neighbour is confirmed as well, because the last matches before an occlusion are the least reliable, and if enough
 * candidates were tried (see stereo/doubt.h).
 * What the left-right check merely tolerates, and what was filled into holes, is replaced too. A candidate costs a unit
 * for each pixel of the way to it and one for each grey level of change along that way, so that surfaces are continued
 * up to the edges of the picture. Those at a larger disparity than the smaller one of the row cost SV_SURFACE_NEARER
 * more, because what is occluded belongs to the farther surface. The pixel takes the cheapest one that the
 * right picture's map does not refute: a refuted one would hide something farther away that was matched there.
 *
 * After H. Hirschmueller (Stereo Processing by Semi-Global Matching and Mutual Information, 2008), section 2.6, and
 * X. Mei and others (On Building an Accurate Stereo Matching System on Graphics Hardware, 2011), who also take values
 * along several directions and prefer small ones in occlusions. Neither weighs the paths or consults the right map.
 * Occlusions and mismatches are not distinguished here. */
#include "cpu/cpu.h"
#include "stereo/doubt.h"

#include <math.h>
#include <stdlib.h>

enum {
    STRIP = 64, /* columns that are followed together: their state stays in registers or the first cache */
    TOO_FAR = SV_SURFACE_REACH + 1,                 /* the cost of a value that is not reached */
    NONE = SV_SURFACE_REACH + SV_SURFACE_NEARER + 1 /* more than any candidate costs */
};

/* Dense, height x width. */
typedef struct surfaces {
    float *source; /* the sure disparities, INFINITY elsewhere */
    float *limit;  /* a larger disparity costs more */
    int *cost;     /* of the best candidate so far; NONE: there is none; 0 where the disparity is sure */
} surfaces;

/* Collects the sure disparities of a row. */
static void find_sources(const cpu_job *job, float *source, int y) {
    const sv_params *params = job->params;
    const int width = job->width, steps = sv_steps(params), least = params->min_disparity * steps;
    const int count = sv_candidates(params);
    const size_t row = (size_t)y * (size_t)width;
    const float *disparity = sv_row(job->disparity, y);
    const uint8_t *reason = sv_row(job->reason, y);
    const int16_t *left = job->winner[0] + row, *right = job->winner[1] ? job->winner[1] + row : NULL;
    for (int x = 0; x < width; x++) {
        bool confirmed = reason[x] == SV_VALID && sv_has_choice(x, width, params->min_disparity, steps, count);
        if (confirmed && right) {
            const int match = sv_nearest_column(steps * x - (least + left[x]), steps);
            confirmed = match >= 0 && match < width && right[match] == left[x];
        }
        source[x] = confirmed ? disparity[x] : INFINITY;
    }
    for (int x = 0; x < width - 1; x++)
        if (isinf(source[x + 1])) source[x] = INFINITY;
}

/* True if the map of the right picture refutes `disparity` at (x, y). */
static bool is_refuted(const cpu_job *job, float disparity, int x, int y) {
    const int width = job->width, steps = sv_steps(job->params), first = job->params->min_disparity * steps;
    const int16_t *right = job->winner[1];
    return right && sv_surface_is_refuted(disparity, x, right + (size_t)y * (size_t)width, width, first, steps);
}

static int step(const uint8_t *grey, int x, int other) { return 1 + abs(grey[x] - grey[other]); }

/* Begins a row with the candidates to the left and to the right. */
static void search_row(const cpu_job *job, const surfaces *s, int y) {
    const int width = job->width;
    const size_t row = (size_t)y * (size_t)width;
    const uint8_t *grey = sv_row(job->left, y);
    const float *source = s->source + row;
    float *disparity = sv_row(job->disparity, y), *limit = s->limit + row, value = INFINITY;
    int *costs = s->cost + row, cost = TOO_FAR;
    for (int x = 0; x < width; x++) { /* `limit` and `costs` hold what lies to the left until the second loop */
        if (x > 0) cost += step(grey, x, x - 1);
        if (!isinf(source[x])) {
            value = source[x];
            cost = 0;
        } else if (cost > SV_SURFACE_REACH) {
            value = INFINITY;
            cost = TOO_FAR;
        }
        limit[x] = value;
        costs[x] = cost;
    }
    value = INFINITY;
    cost = TOO_FAR;
    for (int x = width - 1; x >= 0; x--) {
        if (x < width - 1) cost += step(grey, x, x + 1);
        if (!isinf(source[x])) {
            value = source[x];
            cost = 0;
            continue;
        }
        if (cost > SV_SURFACE_REACH) {
            value = INFINITY;
            cost = TOO_FAR;
        }
        const float left = limit[x], most = (left < value ? left : value) + 1;
        const bool has_left = !isinf(left) && !is_refuted(job, left, x, y);
        const bool has_right = !isinf(value) && !is_refuted(job, value, x, y);
        const int left_cost = has_left ? costs[x] + (left > most ? SV_SURFACE_NEARER : 0) : NONE;
        const int right_cost = has_right ? cost + (value > most ? SV_SURFACE_NEARER : 0) : NONE;
        const bool is_left = left_cost <= right_cost;
        limit[x] = most;
        costs[x] = is_left ? left_cost : right_cost;
        if (costs[x] < NONE) disparity[x] = is_left ? left : value;
    }
}

/* Compares the candidates above (`down`) or below in columns `first`..`end` - 1, at most STRIP. The loop that finds
 * those that cost less has no branches, so that it is vectorised. */
static void search_columns(const cpu_job *job, const surfaces *s, int first, int end, bool down) {
    const int width = job->width, height = job->height, count = end - first;
    int costs[STRIP];
    float values[STRIP];
    for (int i = 0; i < STRIP; i++) {
        costs[i] = TOO_FAR;
        values[i] = INFINITY;
    }
    for (int n = 0; n < height; n++) {
        const int y = down ? n : height - 1 - n, before = n == 0 ? y : down ? y - 1 : y + 1;
        const size_t at = (size_t)y * (size_t)width + (size_t)first;
        const uint8_t *grey = (const uint8_t *)sv_row(job->left, y) + first;
        const uint8_t *last = (const uint8_t *)sv_row(job->left, before) + first;
        const float *restrict source = s->source + at, *restrict limit = s->limit + at;
        float *disparity = (float *)sv_row(job->disparity, y) + first;
        int *best = s->cost + at, own[STRIP], takes[STRIP], some = 0;
        for (int i = 0; i < count; i++) {
            const int far = costs[i] + 1 + abs(grey[i] - last[i]), reached = far < TOO_FAR ? far : TOO_FAR;
            const bool sure = source[i] < INFINITY;
            costs[i] = sure ? 0 : reached;
            values[i] = sure ? source[i] : values[i];
            own[i] = costs[i] + (values[i] > limit[i] ? SV_SURFACE_NEARER : 0);
            takes[i] = (costs[i] < TOO_FAR) & (own[i] < best[i]);
            some |= takes[i];
        }
        for (int i = 0; some && i < count; i++) {
            if (!takes[i] || is_refuted(job, values[i], first + i, y)) continue;
            disparity[i] = values[i];
            best[i] = own[i];
        }
    }
}

sv_status cpu_continue_surfaces(const cpu_job *job, sv_error *error) {
    const int width = job->width, height = job->height;
    const size_t pixels = (size_t)width * (size_t)height;
    surfaces s;
    size_t used = 0;
    for (char *base = NULL;; used = 0) {
        s.source = cpu_carve(base, &used, sizeof *s.source * pixels);
        s.limit = cpu_carve(base, &used, sizeof *s.limit * pixels);
        s.cost = cpu_carve(base, &used, sizeof *s.cost * pixels);
        if (base) break;
        base = cpu_reserve(job->scratch, used, error);
        if (!base) return SV_FAILED;
    }
#pragma omp parallel num_threads(job->threads)
    {
#pragma omp for
        for (int y = 0; y < height; y++) {
            find_sources(job, s.source + (size_t)y * (size_t)width, y);
            search_row(job, &s, y);
        }
#pragma omp for
        for (int first = 0; first < width; first += STRIP) {
            const int end = first + STRIP < width ? first + STRIP : width;
            search_columns(job, &s, first, end, true);
            search_columns(job, &s, first, end, false);
        }
#pragma omp for
        for (int y = 0; y < height; y++) {
            const int *cost = s.cost + (size_t)y * (size_t)width;
            uint8_t *reason = sv_row(job->reason, y);
            for (int x = 0; x < width; x++)
                if (cost[x] > 0 && cost[x] < NONE) reason[x] = SV_FILLED;
        }
    }
    return SV_OK;
}
