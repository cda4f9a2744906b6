/* The search with a rolling window: its memory, its bands, and the rows that it reads. */
#include "cpu/rolling.h"

#include <omp.h>

/* If there are several threads: few, because each band begins with 2 rho_y + 1 rows of overhead. */
enum { BANDS_PER_THREAD = 2 };

/* The numbers of values in the columns of zeros, in the columns, and in a run. */
static size_t zeros_of(const rolling *r) { return (size_t)(2 * r->rho + 1) * (size_t)r->padded; }
static size_t sums_of(const rolling *r) { return (size_t)r->columns * (size_t)r->padded; }
static size_t run_of(const rolling *r) { return ROLLING_RUN * (size_t)r->pitch; }

static size_t lay_out(rolling_space *w, void *base, const rolling *r, size_t own) {
    size_t used = 0;
    w->columns = cpu_carve(base, &used, sizeof *w->columns * (zeros_of(r) + sums_of(r)));
    w->sums = cpu_carve(base, &used, sizeof *w->sums * (size_t)r->padded);
    w->run = cpu_carve(base, &used, sizeof *w->run * (ROLLING_LANES + run_of(r)));
    if (base) {
        w->columns += zeros_of(r);
        w->run += ROLLING_LANES;
    }
    const size_t row = sizeof(uint32_t) * (size_t)(r->width + ROLLING_RUN); /* whole runs are written */
    w->found.winner = cpu_carve(base, &used, row);
    uint32_t **const costs[] = {&w->found.best, &w->found.below, &w->found.above, &w->found.second};
    for (int i = 0; i < 4; i++) *costs[i] = cpu_carve(base, &used, row);
    w->reference = cpu_carve(base, &used, sizeof *w->reference * (size_t)r->columns);
    w->other = cpu_carve(base, &used, sizeof *w->other * (size_t)r->positions);
    w->right_costs = cpu_carve(base, &used, sizeof *w->right_costs * (size_t)(r->width + 2 * rolling_beside(r)));
    w->right_winners = cpu_carve(base, &used, sizeof *w->right_winners * (size_t)(r->width + 2 * rolling_beside(r)));
    w->own = cpu_carve(base, &used, own);
    return used;
}

/* The rows of a picture that enter and leave the window; the latter is multiplied by `weight`. */
typedef struct row_pair {
    const uint8_t *enter, *leave;
    int weight;
} row_pair;

/* Writes entries `begin`..`end` - 1 of `values`; entry i is at `start` + `stride` * i in the picture, clamped, in
 * 1/steps pixel. */
static void read_positions(const rolling *r, const row_pair *rows, int start, int stride, int begin, int end,
                           rolling_values *values) {
    const int width = r->width, steps = r->steps, shift = steps / 2;
    for (int i = begin; i < end; i++) {
        const int position = start + stride * i, part = position & (steps - 1), column = position >> shift;
        const int x = sv_clamp(column, width), next = sv_clamp(column + 1, width);
        values[i].enter = (int16_t)sv_between(rows->enter[x], rows->enter[next], part, steps);
        values[i].leave = (int16_t)(rows->weight * sv_between(rows->leave[x], rows->leave[next], part, steps));
    }
}

/* The same for whole pixels that are all inside the picture. */
CPU_INLINE void read_pixels(const row_pair *rows, int start, int stride, int begin, int end,
                            rolling_values *restrict values) {
    for (int i = begin; i < end; i++) {
        values[i].enter = rows->enter[start + stride * i];
        values[i].leave = (int16_t)(rows->weight * rows->leave[start + stride * i]);
    }
}

/* Writes `count` values. */
static void read_values(const rolling *r, const row_pair *rows, int start, int stride, int count,
                        rolling_values *values) {
    int inside = count, beyond = count; /* where those are that read_pixels can read */
    if (r->steps == 1) {
        inside = sv_clamp(stride > 0 ? -start : start - (r->width - 1), count + 1);
        beyond = sv_clamp(stride > 0 ? r->width - start : start + 1, count + 1);
    }
    read_positions(r, rows, start, stride, 0, inside, values);
    if (stride > 0)
        read_pixels(rows, start, 1, inside, beyond, values);
    else
        read_pixels(rows, start, -1, inside, beyond, values);
    read_positions(r, rows, start, stride, beyond, count, values);
}

static row_pair rows_of(const cpu_job *job, int right, int y, int leave) {
    const sv_image *image = right ? job->right : job->left;
    return (row_pair){sv_row(image, sv_clamp(y, job->height)), sv_row(image, sv_clamp(y - leave, job->height)),
                      leave > 0};
}

/* Reads row `y`, clamped, of both pictures as the row that enters, and row `y` - `leave`, clamped, as the row that
 * leaves. If `leave` is 0, no row leaves. */
static void read_rows(const rolling *r, const rolling_space *w, int y, int leave) {
    const int steps = r->steps;
    row_pair rows = rows_of(r->job, r->right, y, leave);
    read_values(r, &rows, -steps * r->rho, steps, r->columns, w->reference);
    /* Candidate k of column x is at steps * x - (steps * min + k) for the left map, with + for the right one. */
    rows = rows_of(r->job, !r->right, y, leave);
    const int sign = r->right ? 1 : -1;
    const int start = sign * steps * r->min_disparity + steps * (r->right ? -r->rho : r->width - 1 + r->rho);
    read_values(r, &rows, start, sign, r->positions, w->other);
}

/* Matches rows `y`..`end` - 1. */
static void match_band(const rolling *r, const rolling_space *w, int y, int end, size_t own, rolling_row *add,
                       rolling_row *match) {
    memset(w->columns - zeros_of(r), 0, sizeof *w->columns * (zeros_of(r) + sums_of(r)));
    memset(w->run - ROLLING_LANES, 0xff, sizeof *w->run * (ROLLING_LANES + run_of(r))); /* SV_NO_COST */
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

sv_status rolling_match(const cpu_job *job, const void *method, size_t own, int bits, rolling_row *add,
                        rolling_row *match, sv_error *error) {
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
        .bits = bits,
        .padded = padded,
        .pitch = padded + ROLLING_LANES,
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

    const int bands = job->threads > 1 ? job->threads * BANDS_PER_THREAD : 1, maps = job->winner[1] && !both ? 2 : 1;
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
