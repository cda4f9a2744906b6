/* Normalised cross-correlation with a search range that propagates from row to row: R. Fan and N. Dahnoun, "Real-time
 * implementation of stereo vision based on optimised normalised cross-correlation and propagated search range on a GPU"
 * (2018).
 *
 * The sums and deviations of all windows are computed first (Eq. 4 to 7), after which a correlation is one dot product
 * (Eq. 8). Row H - rho - 2 is searched over the full range, and the rows above it within tau of the winners of the
 * pixels below (Eq. 9, Algorithms 2 and 3). Unlike in the paper, the last rows are not left empty: the search
 * propagates downwards from the same row. A pixel without a winner passes on the seed that it received, so that a flat
 * area does not stop the propagation. With `reseed`, every reseed-th row is searched over the full range, and begins an
 * independent band.
 *
 * A pixel does not depend on the others of its row, so the threads share the maps and strips of columns. It depends on
 * three pixels of the row before. If the strips of a map waited for each other after every row, that would be slow
 * whenever a core is busy with something else; so a strip also matches a few columns of its neighbours. */
#include "cpu/windows.h"
#include "stereo/pixel.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 16,      /* dot products run over a multiple of this many pixels */
    ROWS_AT_ONCE = 8 /* that a strip matches between barriers; it reads as many columns on either side */
};

/* What all threads share. */
typedef struct plan {
    const cpu_job *job;
    int rho, rho_y;
    int pixels; /* of a window */
    int blocks; /* of LANES pixels, in a padded window */
    int count;  /* candidates */
    cpu_set set;
    int start; /* the row that is searched first, over the full range */
    int maps, strips;
    int above, below;       /* numbers of bands that begin above and below the start row */
    cpu_window *windows[2]; /* left, right picture: height x width */
} plan;

/* A row that is searched over the full range, and the rows that propagate from it. */
typedef struct band {
    int start;    /* the row */
    int up, down; /* numbers of rows above and below it */
} band;

/* Memory for a band, which one or more threads match; each has its own strips. */
typedef struct workspace {
    /* By map: the seeds that the pixels of a row pass on to the next row, candidates or -1: width. [0] has those of the
     * start row, where both directions begin; the other two alternate. */
    int16_t *seeds[2][3];
    char *strips; /* maps x strips blocks of strip_size bytes */
    size_t strip_size;
} workspace;

/* A strip of one map, with the memory of the thread that matches it. */
typedef struct strip {
    int right;              /* 1: the map of the right picture */
    int x, end;             /* its columns */
    int wide_x, wide_end;   /* including those of its neighbours that it also matches */
    int other_x, other_end; /* the columns of the other picture that contain the centres of their candidates */
    /* The rows of the rolling window in both pictures, with rho more columns on either side: columns x (2 rho_y + 1),
     * row y at y mod (2 rho_y + 1). A window is thus contiguous in memory, its rows are in the same order in both
     * pictures, and the next row replaces one value per column. */
    int16_t *reference, *other;
    int16_t *window; /* blocks x LANES: the window of the current pixel, then zeros */
    int16_t *mask;   /* blocks x LANES: all bits set for the pixels of the window, then zeros */
    /* The seeds of the row before and of this one: end - x + 2 ROWS_AT_ONCE columns; those outside the picture are
     * always -1. */
    int16_t *seeds[2];
} strip;

/* The size in bytes of the seeds of a strip's row. */
static size_t seeds_size(const strip *s) { return sizeof(int16_t) * (size_t)(s->end - s->x + 2 * ROWS_AT_ONCE); }

static size_t lay_out(strip *s, void *base, const plan *p) {
    const size_t column = sizeof(int16_t) * (size_t)(2 * p->rho_y + 1);
    size_t used = 0;
    /* Windows are read up to a multiple of LANES. */
    const size_t excess = sizeof(int16_t) * LANES, padded = sizeof(int16_t) * LANES * (size_t)p->blocks;
    s->reference = cpu_carve(base, &used, column * (size_t)(s->wide_end - s->wide_x + 2 * p->rho) + excess);
    s->other = cpu_carve(base, &used, column * (size_t)(s->other_end - s->other_x + 2 * p->rho) + excess);
    s->window = cpu_carve(base, &used, padded);
    s->mask = cpu_carve(base, &used, padded);
    for (int i = 0; i < 2; i++) s->seeds[i] = cpu_carve(base, &used, seeds_size(s));
    return used;
}

/* ---- Matching --------------------------------------------------------------------------------- */

/* Writes row `y`, clamped, of `columns` columns from `first` on into rolling rows. */
static void roll_in(const plan *p, const sv_image *image, int16_t *rows, int first, int columns, int y) {
    const int height = 2 * p->rho_y + 1, slot = (y + height) % height; /* y is at least -rho_y */
    const uint8_t *from = sv_row(image, sv_clamp(y, p->job->height));
    for (int i = 0; i < columns; i++) rows[i * height + slot] = from[sv_clamp(first + i, p->job->width)];
}

static void roll_in_both(const plan *p, const strip *s, int y) {
    const cpu_job *job = p->job;
    roll_in(p, s->right ? job->right : job->left, s->reference, s->wide_x - p->rho,
            s->wide_end - s->wide_x + 2 * p->rho, y);
    if (s->other_x < s->other_end)
        roll_in(p, s->right ? job->left : job->right, s->other, s->other_x - p->rho,
                s->other_end - s->other_x + 2 * p->rho, y);
}

/* The reference pixel, as the inner loops need it. Candidate k is at column x + direction * k of the other picture. */
typedef struct pixel {
    cpu_window own;
    const int16_t *window; /* blocks x LANES */
    unsigned pixels;       /* of a window */
    unsigned blocks;       /* of LANES pixels, in a padded window */
    int x, direction;
    int first, last; /* candidates whose centre is inside the other picture */
    /* By column of the other picture, from the first column of the strip on. */
    const cpu_window *others;
    const int16_t *values;
    int column; /* number of values from one column to the next */
} pixel;

/* The state of a search; a correlation is NAN if it is unknown or does not exist. */
typedef struct search {
    int winner;               /* -1: none */
    float best, below, above; /* the correlations of the winner and of its neighbours */
    float second;             /* the best of those that do not neighbour the winner */
    int last;                 /* the candidate that was tried last, -1: none yet */
    float latest[2];          /* its correlation and that of the candidate below it */
    float earlier;            /* the best of all below these two */
} search;

static inline search nothing_found(void) {
    return (search){.winner = -1,
                    .best = -INFINITY,
                    .below = NAN,
                    .above = NAN,
                    .second = -INFINITY,
                    .last = -1,
                    .latest = {NAN, NAN},
                    .earlier = -INFINITY};
}

CPU_INLINE float correlation_of(const pixel *p, int k) {
    const ptrdiff_t x = p->x + p->direction * k;
    const cpu_window other = p->others[x];
    if (other.inverse == 0) return NAN;
    const int16_t *values = p->values + x * p->column;
    int32_t products = 0;
    for (unsigned i = 0; i < p->blocks * LANES; i++) products += p->window[i] * values[i];
    return sv_correlation((int)p->pixels, products, p->own.sum, other.sum, p->own.inverse, other.inverse);
}

/* The larger of the two; `b` is not NAN. */
static inline float larger(float a, float b) { return a > b ? a : b; }

/* Tries candidates `k`..`last`, which are above all that were tried before. */
CPU_INLINE void try_candidates(const pixel *p, search *s, int k, int last) {
    float before = s->latest[0], before_that = s->latest[1];
    if (k > s->last + 1) {
        s->earlier = larger(before, larger(before_that, s->earlier));
        before = before_that = NAN;
    }
    for (; k <= last; k++) {
        const float correlation = correlation_of(p, k);
        s->earlier = larger(before_that, s->earlier);
        if (correlation > s->best) {
            s->winner = k;
            s->best = correlation;
            s->below = before;
            s->above = NAN;
            s->second = s->earlier;
        } else if (k == s->winner + 1) {
            s->above = correlation;
        } else {
            s->second = larger(correlation, s->second);
        }
        before_that = before;
        before = correlation;
    }
    s->last = last;
    s->latest[0] = before;
    s->latest[1] = before_that;
}

/* Tries the candidates within `tau` of the seeds of the three neighbours in the row before, `before`[-1..1], or all
 * candidates if these have no seeds. Returns false if there was no candidate to try. */
CPU_INLINE bool search_near(const pixel *p, search *s, const int16_t *before, int tau) {
    int seeds[3], count = 0;
    for (int u = -1; u <= 1; u++) {
        if (before[u] < 0) continue;
        int i = count++;
        for (; i > 0 && seeds[i - 1] > before[u]; i--) seeds[i] = seeds[i - 1];
        seeds[i] = before[u];
    }
    if (!count) {
        seeds[count++] = p->first;
        tau = p->last - p->first;
    }
    int next = p->first;
    for (int i = 0; i < count; i++) {
        const int first = seeds[i] - tau > next ? seeds[i] - tau : next;
        const int last = seeds[i] + tau < p->last ? seeds[i] + tau : p->last;
        if (first > last) continue;
        try_candidates(p, s, first, last);
        next = last + 1;
    }
    return next > p->first;
}

/* Decides a pixel from its winner: returns its reason, and writes its disparity. The peak is refined between the
 * winner's neighbours, whether these were tried or not. */
CPU_INLINE int decide(const pixel *p, const search *s, const sv_params *params, float *disparity) {
    float below = SV_NO_CORRELATION, above = SV_NO_CORRELATION;
    if (params->subpixel && s->winner > p->first && s->winner < p->last) {
        below = isnan(s->below) ? correlation_of(p, s->winner - 1) : s->below;
        above = isnan(s->above) ? correlation_of(p, s->winner + 1) : s->above;
    }
    return sv_decide_correlation(s->winner, below, s->best, above, params->min_correlation,
                                 sv_ambiguous_correlations(s->best, s->second, params->uniqueness),
                                 params->min_disparity, disparity);
}

/* Keeps the costs of a pixel, and marks those that search_near tries. */
static void keep_costs(const cpu_job *job, const pixel *p, const int16_t *before) {
    const bool seeded = before[-1] >= 0 || before[0] >= 0 || before[1] >= 0;
    for (int k = p->first; k <= p->last && p->own.inverse > 0; k++) {
        const float correlation = correlation_of(p, k);
        bool near = !seeded;
        for (int u = -1; u <= 1; u++) near |= before[u] >= 0 && abs(k - before[u]) <= job->params->tau;
        if (!isnan(correlation)) cpu_keep(job, k, sv_cost_of_correlation(correlation), near);
    }
}

/* Matches columns `x`..`end` - 1 of row `y`. `before`, `after`: the strip's seeds. `blocks`: those of the plan. */
CPU_INLINE void match_row(const plan *p, const strip *s, int y, int x, int end, const int16_t *before, int16_t *after,
                          unsigned blocks) {
    const cpu_job *job = p->job;
    const sv_params *params = job->params;
    const int width = job->width, min_disparity = params->min_disparity, column = 2 * p->rho_y + 1;
    const size_t row = (size_t)y * (size_t)width;
    const cpu_window *own = p->windows[s->right] + row;
    int16_t *winners = job->winner[s->right] + row;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    for (; x < end; x++) {
        const int direction = s->right ? 1 : -1;
        const pixel at = {
            .own = own[x],
            .window = s->window,
            .pixels = (unsigned)p->pixels,
            .blocks = blocks,
            .x = x + direction * min_disparity - s->other_x,
            .direction = direction,
            .first = sv_first_candidate(x, width, min_disparity, 1, s->right),
            .last = sv_last_candidate(x, width, min_disparity, 1, p->count, s->right),
            .others = p->windows[!s->right] + row + s->other_x,
            .values = s->other,
            .column = column,
        };
        const int i = x - s->x + ROWS_AT_ONCE;
        search found = nothing_found();
        bool tried = true;
        if (at.own.inverse > 0) {
            const int16_t *from = s->reference + (size_t)(x - s->wide_x) * (size_t)column;
            for (unsigned j = 0; j < at.blocks * LANES; j++) s->window[j] = from[j] & s->mask[j];
            tried = search_near(&at, &found, before + i, params->tau);
        }
        after[i] = found.winner < 0 ? before[i] : (int16_t)found.winner;
        if (x < s->x || x >= s->end) continue;
        winners[x] = (int16_t)found.winner;
        if (s->right) continue;
        if (job->cost[0])
            job->cost[0][row + (size_t)x] = found.winner < 0 ? SV_NO_COST : sv_cost_of_correlation(found.best);
        if (cpu_probes(job, x, y)) keep_costs(job, &at, before + i);
        disparity[x] = INFINITY;
        reason[x] = tried ? SV_NO_TEXTURE : SV_BORDER;
        if (found.winner >= 0) reason[x] = (uint8_t)decide(&at, &found, params, &disparity[x]);
    }
}

typedef void match_row_function(const plan *p, const strip *s, int y, int x, int end, const int16_t *before,
                                int16_t *after);
static void match_row_any(const plan *p, const strip *s, int y, int x, int end, const int16_t *before, int16_t *after) {
    match_row(p, s, y, x, end, before, after, (unsigned)p->blocks);
}
CPU_AVX2 static void match_row_avx2(const plan *p, const strip *s, int y, int x, int end, const int16_t *before,
                                    int16_t *after) {
    /* The dot products of windows of 7x7 are unrolled, because their number of blocks is a constant. */
    if (p->blocks == 4)
        match_row(p, s, y, x, end, before, after, 4);
    else
        match_row(p, s, y, x, end, before, after, (unsigned)p->blocks);
}

/* Matches `rows` rows of a strip, at most ROWS_AT_ONCE, from row `y` on in `direction`, 1 or -1. `from`: the seeds of
 * the row before them, NULL if there is none; `to` receives those of the last row; both are of the whole map. `fresh`:
 * these rows do not follow those that the strip has matched last. */
static void match_rows(const plan *p, const strip *s, int y, int direction, int rows, bool fresh, const int16_t *from,
                       int16_t *to) {
    match_row_function *const match = p->set == CPU_PORTABLE ? match_row_any : match_row_avx2;
    const int width = p->job->width, origin = s->x - ROWS_AT_ONCE;
    int16_t *before = s->seeds[0], *after = s->seeds[1];
    for (int x = s->x - ROWS_AT_ONCE; from && x < s->end + ROWS_AT_ONCE; x++)
        if (x >= 0 && x < width) before[x - origin] = from[x];
    for (int halo = rows - 1; halo >= 0; halo--, y += direction) {
        /* The row that enters the window, or, if fresh, all of its rows. */
        for (int j = fresh ? -p->rho_y : p->rho_y; j <= p->rho_y; j++) roll_in_both(p, s, y + direction * j);
        fresh = false;
        /* In each row one column fewer on either side, because a pixel needs three neighbours in the row before. */
        match(p, s, y, s->x - halo > 0 ? s->x - halo : 0, s->end + halo < width ? s->end + halo : width, before, after);
        int16_t *swap = before;
        before = after;
        after = swap;
    }
    memcpy(to + s->x, before + ROWS_AT_ONCE, sizeof *to * (size_t)(s->end - s->x));
}

/* ---- The stage -------------------------------------------------------------------------------- */

/* Strip `i` of all maps, without its memory. */
static strip strip_of(const plan *p, int i) {
    const sv_params *params = p->job->params;
    const int width = p->job->width, right = i / p->strips, part = i % p->strips;
    strip s = {
        .right = right,
        .x = (int)((int64_t)width * part / p->strips),
        .end = (int)((int64_t)width * (part + 1) / p->strips),
    };
    s.wide_x = s.x - ROWS_AT_ONCE > 0 ? s.x - ROWS_AT_ONCE : 0;
    s.wide_end = s.end + ROWS_AT_ONCE < width ? s.end + ROWS_AT_ONCE : width;
    s.other_x = s.wide_x + (right ? params->min_disparity : -params->max_disparity);
    s.other_end = s.wide_end + (right ? params->max_disparity : -params->min_disparity);
    if (s.other_x < 0) s.other_x = 0;
    if (s.other_end > width) s.other_end = width;
    if (s.other_end < s.other_x) s.other_x = s.other_end = 0;
    return s;
}

/* Band `i`: first that of the start row, then those above it, then those below it. */
static band band_of(const plan *p, int i) {
    const int reseed = p->job->params->reseed, below_start = p->job->height - 1 - p->start;
    if (!reseed) return (band){p->start, p->start, below_start};
    const int upwards = i <= p->above;
    const int start = upwards ? p->start - i * reseed : p->start + (i - p->above) * reseed;
    const int to_top = start, to_bottom = p->job->height - 1 - start;
    return (band){
        .start = start,
        .up = !upwards              ? 0
              : to_top < reseed - 1 ? to_top
                                    : reseed - 1,
        .down = upwards && i > 0         ? 0
                : to_bottom < reseed - 1 ? to_bottom
                                         : reseed - 1,
    };
}

static size_t lay_out_windows(plan *p, void *base) {
    size_t used = 0;
    for (int i = 0; i < 2; i++)
        p->windows[i] = cpu_carve(base, &used, sizeof(cpu_window) * (size_t)p->job->width * (size_t)p->job->height);
    return used;
}

static size_t lay_out_workspace(workspace *w, void *base, const plan *p) {
    size_t used = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) w->seeds[i][j] = cpu_carve(base, &used, sizeof(int16_t) * (size_t)p->job->width);
    w->strip_size = 0;
    for (int i = 0; i < p->maps * p->strips; i++) {
        strip s = strip_of(p, i);
        const size_t size = lay_out(&s, NULL, p);
        if (size > w->strip_size) w->strip_size = size;
    }
    w->strips = cpu_carve(base, &used, w->strip_size * (size_t)(p->maps * p->strips));
    return used;
}

/* Matches strips `first`, `first` + `step`, ... of a band: its start row, the rows above it upwards, and those below it
 * downwards. If a map has more than one strip, all threads of the team must call it. */
static void match_band(const plan *p, const workspace *w, band b, int first, int step) {
    int turn = 0;
    for (int part = 0; part < 3; part++) {
        const int direction = part == 2 ? 1 : -1, y = part == 0 ? b.start : b.start + direction;
        const int count = part == 0 ? 1 : part == 1 ? b.up : b.down;
        for (int done = 0; done < count; done += ROWS_AT_ONCE, turn++) {
            const int rows = count - done < ROWS_AT_ONCE ? count - done : ROWS_AT_ONCE;
            const int from = done == 0 ? 0 : 1 + (turn + 1) % 2, to = part == 0 ? 0 : 1 + turn % 2;
            for (int i = first; i < p->maps * p->strips && !cpu_gives_up(p->job); i += step) {
                strip s = strip_of(p, i);
                char *block = w->strips + w->strip_size * (size_t)i;
                lay_out(&s, block, p);
                if (part == 0) {
                    memset(block, 0, w->strip_size);
                    memset(s.mask, 0xff, sizeof *s.mask * (size_t)p->pixels);
                    for (int j = 0; j < 2; j++) memset(s.seeds[j], 0xff, seeds_size(&s));
                }
                int16_t *const *seeds = w->seeds[s.right];
                match_rows(p, &s, y + direction * done, direction, rows, done == 0 && part != 1,
                           part > 0 ? seeds[from] : NULL, seeds[to]);
            }
            if (p->strips > 1) {
#pragma omp barrier
            }
        }
    }
}

sv_status cpu_match_ncc(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    const int rho = params->rho, rho_y = sv_rho_y(params), pixels = (2 * rho + 1) * (2 * rho_y + 1);
    const int start = job->height - rho_y - 2 > 0 ? job->height - rho_y - 2 : 0;
    const int maps = job->winner[1] ? 2 : 1, threads = job->threads;
    const int above = params->reseed ? start / params->reseed : 0;
    const int below = params->reseed ? (job->height - 1 - start) / params->reseed : 0;
    const int bands = 1 + above + below;
    /* Bands are independent: if there are enough of them, every thread matches whole bands. */
    const bool apart = maps * bands >= 2 * threads;
    const int strips = apart || threads <= maps ? 1 : threads / maps < job->width ? threads / maps : job->width;
    plan p = {
        .job = job,
        .rho = rho,
        .rho_y = rho_y,
        .pixels = pixels,
        .blocks = (pixels + LANES - 1) / LANES,
        .count = sv_candidates(params),
        .set = cpu_choose(job, job->set >= CPU_HAS_AVX2 ? CPU_HAS_AVX2 : CPU_PORTABLE),
        .start = start,
        .maps = maps,
        .strips = strips,
        .above = above,
        .below = below,
    };
    workspace w;
    size_t column_sums = 0;
    cpu_carve_columns(NULL, &column_sums, job);
    const size_t windows_size = lay_out_windows(&p, NULL), workspace_size = lay_out_workspace(&w, NULL, &p);
    /* The column sums of the windows and the workspaces are not needed at the same time, so they share memory. */
    const size_t sums_size = column_sums * (size_t)threads;
    const size_t rest_size = workspace_size * (size_t)(apart ? threads : 1);
    char *memory = cpu_reserve(job->scratch, windows_size + (rest_size > sums_size ? rest_size : sums_size), error);
    if (!memory) return SV_FAILED;
    lay_out_windows(&p, memory);
    char *rest = memory + windows_size;

#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < 2 * threads; i++)
        cpu_measure_band(job, i % 2 ? job->right : job->left, i / 2, threads,
                         rest + column_sums * (size_t)omp_get_thread_num(), p.windows[i % 2]);

    if (apart) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) private(w)
        for (int i = 0; i < maps * bands; i++) {
            lay_out_workspace(&w, rest + workspace_size * (size_t)omp_get_thread_num(), &p);
            match_band(&p, &w, band_of(&p, i / maps), i % maps, maps);
        }
    } else {
        lay_out_workspace(&w, rest, &p);
#pragma omp parallel num_threads(maps *strips < threads ? maps * strips : threads)
        for (int i = 0; i < bands; i++) match_band(&p, &w, band_of(&p, i), omp_get_thread_num(), omp_get_num_threads());
    }
    return SV_OK;
}
