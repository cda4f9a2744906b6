/* The search with a rolling window: its memory, its bands, and the rows that it reads. */
#include "cpu/rolling.h"

#include <omp.h>

enum { BANDS_PER_THREAD = 2 }; /* few, because each band begins with 2 rho_y + 1 rows of overhead */

/* The costs of a pixel, with ROLLING_LANES more on either side: those next to a winner are read even if it is the first
 * or the last candidate, or -1. */
static uint32_t *carve_costs(void *base, size_t *used, const rolling *r) {
    uint32_t *costs = cpu_carve(base, used, sizeof *costs * (size_t)(r->padded + 2 * ROLLING_LANES));
    return costs ? costs + ROLLING_LANES : NULL;
}

static size_t lay_out(rolling_space *w, void *base, const rolling *r, size_t own) {
    size_t used = 0;
    w->columns = cpu_carve(base, &used, sizeof *w->columns * (size_t)r->columns * (size_t)r->padded);
    w->zeros = cpu_carve(base, &used, sizeof *w->zeros * (size_t)r->padded);
    w->sums = carve_costs(base, &used, r);
    w->costs = carve_costs(base, &used, r);
    const size_t row = sizeof(uint32_t) * (size_t)r->width;
    w->found.winner = cpu_carve(base, &used, row);
    w->found.best = cpu_carve(base, &used, row);
    w->found.below = cpu_carve(base, &used, row);
    w->found.above = cpu_carve(base, &used, row);
    w->found.second = cpu_carve(base, &used, row);
    w->reference = cpu_carve(base, &used, sizeof *w->reference * (size_t)r->columns);
    w->other = cpu_carve(base, &used, sizeof *w->other * (size_t)r->positions);
    w->right_costs = cpu_carve(base, &used, sizeof *w->right_costs * (size_t)(r->width + 2 * ROLLING_LANES));
    w->right_winners = cpu_carve(base, &used, sizeof *w->right_winners * (size_t)(r->width + 2 * ROLLING_LANES));
    w->own = cpu_carve(base, &used, own);
    return used;
}

/* The rows of a picture that enter and leave the window; the latter is multiplied by `weight`. */
typedef struct row_pair {
    const uint8_t *enter, *leave;
    int weight;
} row_pair;

/* Writes entries `begin`..`end` - 1 of `other`; entry i is at `start` + `sign` * i in the other picture, in 1/steps
 * pixel. */
static void read_positions(const rolling *r, const row_pair *rows, int start, int sign, int begin, int end,
                           rolling_values *other) {
    const int width = r->width, steps = r->steps;
    for (int i = begin; i < end; i++) {
        const int position = start + sign * i, part = position & (steps - 1), column = (position - part) / steps;
        const int x = sv_clamp(column, width), next = sv_clamp(column + 1, width);
        other[i].enter = (int16_t)sv_between(rows->enter[x], rows->enter[next], part, steps);
        other[i].leave = (int16_t)(rows->weight * sv_between(rows->leave[x], rows->leave[next], part, steps));
    }
}

/* The same for whole pixels that are all inside the picture. */
static void read_pixels(const row_pair *rows, int start, int sign, int begin, int end, rolling_values *other) {
    for (int i = begin; i < end; i++) {
        other[i].enter = rows->enter[start + sign * i];
        other[i].leave = (int16_t)(rows->weight * rows->leave[start + sign * i]);
    }
}

static row_pair rows_of(const cpu_job *job, int right, int y, int leave) {
    const sv_image *image = right ? job->right : job->left;
    return (row_pair){sv_row(image, sv_clamp(y, job->height)), sv_row(image, sv_clamp(y - leave, job->height)),
                      leave > 0};
}

/* Reads row `y`, clamped, of both pictures as the row that enters, and row `y` - `leave`, clamped, as the row that
 * leaves. If `leave` is 0, no row leaves. */
static void read_rows(const rolling *r, const rolling_space *w, int y, int leave) {
    const int width = r->width, steps = r->steps, positions = r->positions;
    row_pair rows = rows_of(r->job, r->right, y, leave);
    for (int i = 0; i < r->columns; i++) {
        const int x = sv_clamp(i - r->rho, width);
        w->reference[i].enter = (int16_t)(steps * rows.enter[x]);
        w->reference[i].leave = (int16_t)(rows.weight * steps * rows.leave[x]);
    }

    /* Candidate k of column x is at steps * x - (steps * min + k) for the left map, with + for the right one. */
    rows = rows_of(r->job, !r->right, y, leave);
    const int sign = r->right ? 1 : -1;
    const int start = sign * steps * r->min_disparity + steps * (r->right ? -r->rho : width - 1 + r->rho);
    int inside = positions, beyond = positions;
    if (steps == 1) {
        inside = sv_clamp(r->right ? -start : start - (width - 1), positions + 1);
        beyond = sv_clamp(r->right ? width - start : start + 1, positions + 1);
    }
    read_positions(r, &rows, start, sign, 0, inside, w->other);
    read_pixels(&rows, start, sign, inside, beyond, w->other);
    read_positions(r, &rows, start, sign, beyond, positions, w->other);
}

/* Matches rows `y`..`end` - 1. */
static void match_band(const rolling *r, const rolling_space *w, int y, int end, size_t own, rolling_row *add,
                       rolling_row *match) {
    memset(w->zeros, 0, sizeof *w->zeros * (size_t)r->padded);
    memset(w->columns, 0, sizeof *w->columns * (size_t)r->columns * (size_t)r->padded);
    memset(w->own, 0, own);
    /* The window of the row above the band, from which the window of its first row rolls down. */
    for (int above = y - 1 - r->rho_y; above < y + r->rho_y; above++) {
        read_rows(r, w, above, 0);
        add(r, w, above);
    }
    for (; y < end && !cpu_gives_up(r->job); y++) {
        read_rows(r, w, y + r->rho_y, 2 * r->rho_y + 1);
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
        .positions = rolling_positions(steps, columns, padded),
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
