/* The search with a rolling window: its memory, the rows that it reads, and its bands. */
#include "cpu/rolling.h"

#include <omp.h>

enum { BANDS_PER_THREAD = 2 }; /* a band begins with 2 rho_y + 1 rows of pure overhead: few are better */

static size_t lay_out(rolling_space *w, void *base, const rolling *r, size_t own) {
    size_t used = 0;
    w->columns = cpu_carve(base, &used, sizeof *w->columns * (size_t)r->columns * (size_t)r->padded);
    w->sums = cpu_carve(base, &used, sizeof *w->sums * (size_t)r->padded);
    w->nothing = cpu_carve(base, &used, sizeof *w->nothing * (size_t)r->padded);
    for (int i = 0; i < 2; i++) {
        w->reference[i] = cpu_carve(base, &used, sizeof(int16_t) * (size_t)r->columns);
        w->other[i] = cpu_carve(base, &used, sizeof(int16_t) * (size_t)r->positions);
    }
    w->right_costs = cpu_carve(base, &used, sizeof *w->right_costs * (size_t)r->width);
    w->right_winners = cpu_carve(base, &used, sizeof *w->right_winners * (size_t)r->width);
    w->own = cpu_carve(base, &used, own);
    return used;
}

/* Reads row `y`, clamped, of both pictures. */
static void read_row(const rolling *r, int y, int16_t *reference, int16_t *other) {
    const cpu_job *job = r->job;
    const int width = r->width, height = job->height, steps = r->steps;
    const uint8_t *from = sv_row(r->right ? job->right : job->left, sv_clamp(y, height));
    for (int i = 0; i < r->columns; i++) reference[i] = (int16_t)(steps * from[sv_clamp(i - r->rho, width)]);

    /* Candidate k of column x is at steps * x -+ (steps * min + k); the left map's go down as k goes up. */
    from = sv_row(r->right ? job->left : job->right, sv_clamp(y, height));
    const int sign = r->right ? 1 : -1;
    const int start = sign * steps * r->min_disparity + steps * (r->right ? -r->rho : width - 1 + r->rho);
    for (int i = 0; i < r->positions; i++) {
        const int position = start + sign * i, part = position & (steps - 1), column = (position - part) / steps;
        other[i] = (int16_t)sv_between(from[sv_clamp(column, width)], from[sv_clamp(column + 1, width)], part, steps);
    }
}

/* Rows `y`..`end` - 1. */
static void match_band(const rolling *r, const rolling_space *w, int y, int end, size_t own, rolling_row *add,
                       rolling_row *match) {
    memset(w->nothing, 0, sizeof *w->nothing * (size_t)r->padded);
    memset(w->columns, 0, sizeof *w->columns * (size_t)r->columns * (size_t)r->padded);
    memset(w->own, 0, own);
    /* The window of the row above the band, from which the first one rolls down. */
    for (int above = y - 1 - r->rho_y; above < y + r->rho_y; above++) {
        read_row(r, above, w->reference[0], w->other[0]);
        add(r, w, above);
    }
    for (; y < end; y++) {
        read_row(r, y + r->rho_y, w->reference[0], w->other[0]);
        read_row(r, y - 1 - r->rho_y, w->reference[1], w->other[1]);
        match(r, w, y);
    }
}

sv_status rolling_match(const cpu_job *job, const void *method, size_t own, rolling_row *add, rolling_row *match,
                        sv_error *error) {
    const sv_params *params = job->params;
    const int rho = params->rho, steps = sv_steps(params), padded = rolling_padded(job);
    const int columns = job->width + 2 * rho;
    const bool both = job->winner[1] && steps == 1;
    const rolling left = {
        .job = job,
        .both = both,
        .width = job->width,
        .rho = rho,
        .rho_y = sv_rho_y(params),
        .min_disparity = params->min_disparity,
        .steps = steps,
        .count = sv_candidates(params),
        .padded = padded,
        .columns = columns,
        .positions = steps * (columns - 1) + padded,
        .method = method,
    };
    rolling right = left;
    right.right = 1;

    rolling_space measure;
    const size_t size = lay_out(&measure, NULL, &left, own);
    char *memory = cpu_reserve(job->scratch, size * (size_t)job->threads, error);
    if (!memory) return SV_FAILED;

    const int bands = job->threads * BANDS_PER_THREAD, maps = job->winner[1] && !both ? 2 : 1;
#pragma omp parallel for num_threads(job->threads) schedule(dynamic)
    for (int i = 0; i < maps * bands; i++) {
        const int band = i % bands;
        rolling_space w;
        lay_out(&w, memory + size * (size_t)omp_get_thread_num(), &left, own);
        match_band(i < bands ? &left : &right, &w, (int)((int64_t)job->height * band / bands),
                   (int)((int64_t)job->height * (band + 1) / bands), own, add, match);
    }
    return SV_OK;
}
