/* Semi-global matching: Hirschmueller, "Stereo Processing by Semiglobal Matching and Mutual Information", IEEE
 * Transactions on Pattern Analysis and Machine Intelligence 30(2), 2008. Equation numbers are the paper's.
 *
 * Every pixel and candidate has a cost. Along 4 or 8 directions it is summed with what the cheapest way there from the
 * picture's edge costs (Eq. 13), the directions are added up (Eq. 14), and the candidate with the least sum wins. The
 * right map takes its winners from the same sums, along the right pixels' lines of sight (section 2.3).
 *
 * The cost is not the paper's mutual information. It compares census bits (Zabih and Woodfill, "Non-parametric Local
 * Transforms for Computing Visual Correspondence", ECCV 1994) of eight pixels spread over a square, and the vertical
 * gradient, which the candidates of a row do not blur; both stand it when the cameras expose differently. Both are cut
 * off, and the mismatches of 3 x 3 pixels are averaged. The paper divides P2 by the grey step between two neighbours;
 * here it falls less steeply (sv_sgm_jump). Sub-pixel positions come from two lines of opposite slope (Shimizu and
 * Okutomi, "Sub-pixel Estimation Error Cancellation on Area-Based Matching", IJCV 63(3), 2005), which shifts values to
 * whole pixels less than the paper's parabola does.
 *
 * Memory: a byte for the cost and one for the sum of every pixel and candidate, one more with 8 paths.
 *
 * One or two threads go over the volume twice: each takes a half of the rows, from the edge inwards, and computes
 * costs, paths along the rows and the path that comes along with it; then it goes on into the other half, adds the last
 * path and has the winners. More threads share rows for what runs along them and columns for what runs down or up. */
#include "cpu/sgm.h"

#include <omp.h>
#include <string.h>

#if CPU_VECTORS
#include <immintrin.h>
#endif

#define SGM_SET any
#define SGM_TARGET
#include "cpu/sgm_loops.h"
#if CPU_VECTORS
#define SGM_SET    avx2
#define SGM_TARGET CPU_AVX2
#include "cpu/sgm_loops.h"
#define SGM_SET    avx512
#define SGM_TARGET CPU_AVX512
#include "cpu/sgm_loops.h"
#endif

static size_t lay_out_space(sgm_space *w, void *base, const sgm_plan *p) {
    const size_t width = (size_t)p->width, padded = (size_t)p->padded;
    size_t used = 0;
    for (int i = 0; i < 3; i++) {
        w->mismatches[i] = cpu_carve(base, &used, width * padded);
        w->held[i] = -1;
    }
    w->row = cpu_carve(base, &used, width * padded + SGM_VECTOR);
    w->right = cpu_carve(base, &used, sizeof *w->right * (size_t)p->chunks * (size_t)p->positions);
    w->right_sums = cpu_carve(base, &used, sizeof *w->right_sums * width);
    w->before = cpu_carve(base, &used, sizeof *w->before * width);
    w->best = cpu_carve(base, &used, sizeof *w->best * width);
    w->right_winners = cpu_carve(base, &used, sizeof *w->right_winners * width);
    w->after = cpu_carve(base, &used, sizeof *w->after * width);
    return used;
}

static size_t lay_out(sgm_plan *p, void *base, int threads) {
    const size_t width = (size_t)p->width, padded = (size_t)p->padded, height = (size_t)p->height;
    const size_t positions = (size_t)p->positions;
    size_t used = 0;
    p->census = cpu_carve(base, &used, width * height);
    p->gradient = cpu_carve(base, &used, width * height);
    p->across = cpu_carve(base, &used, width * height);
    p->down = cpu_carve(base, &used, width * height);
    p->other_census = cpu_carve(base, &used, positions * height);
    p->other_gradient = cpu_carve(base, &used, positions * height);
    p->inside = cpu_carve(base, &used, positions);
    for (int i = 0; i < 2; i++) {
        p->path[i] = cpu_carve(base, &used, width * padded);
        p->least[i] = cpu_carve(base, &used, width);
    }
    p->costs = cpu_carve(base, &used, width * height * padded);
    p->sums = cpu_carve(base, &used, width * height * padded);
    if (p->job->params->paths == 8) {
        p->diagonals = cpu_carve(base, &used, width * height * padded);
        for (int i = 0; i < 2; i++) {
            p->diagonal[i] = cpu_carve(base, &used, (width + 2) * padded);
            p->diagonal_least[i] = cpu_carve(base, &used, width + 2);
        }
    }
    p->workspaces = cpu_carve(base, &used, p->workspace_size * (size_t)threads);
    return used;
}

/* ---- Features --------------------------------------------------------------------------------- */

/* Column `x` of the rows `rows` of a picture: those `distance` above, at and `distance` below. */
static int census_at(const uint8_t *const rows[3], int x, int distance, int width) {
    const int columns[3] = {sv_clamp(x - distance, width), x, sv_clamp(x + distance, width)};
    int bits = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            if (i != 1 || j != 1) bits = 2 * bits + sv_census_bit(rows[j][columns[i]], rows[1][x]);
    return bits;
}

/* The same for all columns from `begin` to `end` - 1, none of which has a neighbour outside. */
static void census_inside(const uint8_t *const rows[3], int begin, int end, int distance, uint8_t *restrict census) {
    const uint8_t *restrict centre = rows[1];
    for (int x = begin; x < end; x++) {
        unsigned bits = 0;
        for (int j = 0; j < 3; j++)
            for (int i = -1; i <= 1; i++)
                if (i || j != 1) bits = 2 * bits + (unsigned)sv_census_bit(rows[j][x + i * distance], centre[x]);
        census[x] = (uint8_t)bits;
    }
}

/* Census and gradient, plus 128, of row `y`. */
static void describe_row(const sgm_plan *p, const sv_image *picture, int y, uint8_t *census, uint8_t *gradient) {
    const int width = p->width, height = p->height, distance = sv_census_distance(p->job->params->census);
    const uint8_t *const rows[3] = {sv_row(picture, sv_clamp(y - distance, height)), sv_row(picture, y),
                                    sv_row(picture, sv_clamp(y + distance, height))};
    const uint8_t *above = sv_row(picture, sv_clamp(y - 1, height)), *below = sv_row(picture, sv_clamp(y + 1, height));
    const int begin = distance < width ? distance : width, end = width - distance > begin ? width - distance : begin;
    for (int x = 0; x < begin; x++) census[x] = (uint8_t)census_at(rows, x, distance, width);
    census_inside(rows, begin, end, distance, census);
    for (int x = end; x < width; x++) census[x] = (uint8_t)census_at(rows, x, distance, width);
    for (int x = 0; x < width; x++) gradient[x] = (uint8_t)(sv_sgm_gradient(above[x], below[x]) + 128);
}

/* Row `y` of all that is made of the pictures alone. `w` lends its memory. */
static void prepare_row(const sgm_plan *p, const sgm_space *w, int y) {
    const int width = p->width;
    const size_t row = (size_t)y * (size_t)width, other = (size_t)y * (size_t)p->positions;
    const uint8_t *grey = sv_row(p->job->left, y), *above = sv_row(p->job->left, sv_clamp(y - 1, p->height));
    describe_row(p, p->job->left, y, p->census + row, p->gradient + row);
    for (int x = 0; x < width; x++) {
        const int step = grey[x] - grey[x ? x - 1 : 0], fall = grey[x] - above[x];
        p->across[row + (size_t)x] = p->jump[step < 0 ? -step : step];
        p->down[row + (size_t)x] = p->jump[fall < 0 ? -fall : fall];
    }
    /* The right picture's, in the order in which the left pixels' candidates meet them. */
    uint8_t *census = w->row, *gradient = w->row + width;
    uint8_t *other_census = p->other_census + other, *other_gradient = p->other_gradient + other;
    describe_row(p, p->job->right, y, census, gradient);
    memset(other_census, 0, (size_t)p->positions);
    memset(other_gradient, 0, (size_t)p->positions);
    const int start = width - 1 - p->min_disparity; /* position i has column start - i */
    const int begin = sv_clamp(start - (width - 1), p->positions + 1), end = sv_clamp(start + 1, p->positions + 1);
    for (int i = begin; i < end; i++) {
        other_census[i] = census[start - i];
        other_gradient[i] = gradient[start - i];
    }
}

/* ---- The diagonals ---------------------------------------------------------------------------- */

/* All threads of a team call it together. */
static void sum_diagonals(const sgm_plan *p, const sgm_loops *loops) {
    const size_t line = (size_t)p->width + 2;
    const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const int begin = (int)((int64_t)p->width * thread / threads);
    const int end = (int)((int64_t)p->width * (thread + 1) / threads);
#pragma omp for
    for (int y = 0; y < p->height; y++)
        memset(p->diagonals + sgm_cell(p, 0, y), 0, (size_t)p->width * (size_t)p->padded);
    for (int direction = 0; direction < 4; direction++) {
        const int dx = direction & 1 ? 1 : -1, dy = direction & 2 ? 1 : -1;
#pragma omp single
        for (int i = 0; i < 2; i++) {
            memset(p->diagonal[i], 0, line * (size_t)p->padded);
            memset(p->diagonal_least[i], 0, line);
        }
        for (int i = 0; i < p->height; i++) {
            loops->sum_diagonal(p, begin, end, dy > 0 ? i : p->height - 1 - i, dx, dy);
#pragma omp barrier
        }
    }
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* The sum of candidate `k`, which is tried, of column `x` of the row that was finished. */
static int sum_at(const sgm_plan *p, const sgm_space *w, int x, int y, int k) {
    const int sum = w->row[(size_t)x * (size_t)p->padded + (size_t)k];
    return p->diagonals ? sum + p->diagonals[sgm_cell(p, x, y) + (size_t)k] : sum;
}

/* With 8 paths, in the place of what finish_row found in the sums of four: the winners of both pictures. */
static void choose_of_eight(const sgm_plan *p, const sgm_space *w, int y) {
    const int width = p->width;
    int16_t *winners = p->job->winner[0] + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++) {
        w->right_sums[x] = UINT16_MAX;
        w->right_winners[x] = -1;
    }
    for (int x = 0; x < width; x++) {
        const int first = sv_first_candidate(x, width, p->min_disparity, 1, 0);
        const int last = sv_last_candidate(x, width, p->min_disparity, 1, p->count, 0);
        int best = UINT16_MAX, winner = -1;
        for (int k = first; k <= last; k++) {
            const int sum = sum_at(p, w, x, y, k), match = x - p->min_disparity - k;
            winner = sum < best ? k : winner;
            best = sum < best ? sum : best;
            /* As x rises a right pixel meets rising candidates, so the lowest of equals came first. */
            if (sum >= w->right_sums[match]) continue;
            w->right_sums[match] = (uint16_t)sum;
            w->right_winners[match] = (int16_t)k;
        }
        winners[x] = (int16_t)winner;
        w->best[x] = (uint16_t)best;
        w->before[x] = winner > first ? (uint16_t)sum_at(p, w, x, y, winner - 1) : SGM_UNTRIED;
        w->after[x] = winner >= 0 && winner < last ? (uint16_t)sum_at(p, w, x, y, winner + 1) : SGM_UNTRIED;
    }
}

/* The right picture's winners from its keys. */
static void read_keys(const sgm_plan *p, const sgm_space *w) {
    const int width = p->width, start = width - 1 - p->min_disparity; /* column x is at position start - x */
    const int begin = sv_clamp(start - (p->positions - 1), width + 1), end = sv_clamp(start + 1, width + 1);
    int16_t *restrict winners = w->right_winners;
    uint16_t *restrict best = w->right_sums;
    for (int x = 0; x < width; x++) {
        best[x] = SGM_NONE;
        winners[x] = -1;
    }
    for (int i = 0; i < p->chunks; i++) {
        const uint16_t *keys = w->right + (size_t)i * (size_t)p->positions;
        for (int x = begin; x < end; x++) {
            const uint16_t key = keys[start - x], sum = key >> 8;
            winners[x] = (int16_t)(sum < best[x] ? i * SGM_KEYS + (key & 255) : winners[x]);
            best[x] = sum < best[x] ? sum : best[x];
        }
    }
}

/* What the winners of row `y` come to. */
static void decide_row(const sgm_plan *p, const sgm_space *w, int y) {
    const sv_params *params = p->job->params;
    const int width = p->width;
    const int16_t *winners = p->job->winner[0] + (size_t)y * (size_t)width;
    const uint16_t *before = w->before, *best = w->best, *after = w->after;
    float *restrict disparity = sv_row(p->job->disparity, y);
    uint8_t *restrict reason = sv_row(p->job->reason, y);
    const float subpixel = params->subpixel ? 1.0f : 0.0f;
    for (int x = 0; x < width; x++) {
        const bool between = before[x] != SGM_UNTRIED && after[x] != SGM_UNTRIED;
        const float offset = between ? subpixel * sv_equiangular(before[x], best[x], after[x]) : 0.0f;
        disparity[x] = winners[x] < 0 ? INFINITY : sv_disparity(p->min_disparity, winners[x], offset, 1);
        reason[x] = winners[x] < 0 ? SV_BORDER : SV_VALID;
    }
    for (int x = 0; params->uniqueness && x < width; x++) {
        if (winners[x] < 0) continue;
        const int first = sv_first_candidate(x, width, p->min_disparity, 1, 0);
        const int last = sv_last_candidate(x, width, p->min_disparity, 1, p->count, 0);
        uint32_t second = SV_NO_COST;
        for (int k = first; k <= last; k++) {
            const uint32_t sum = (uint32_t)sum_at(p, w, x, y, k);
            if ((k < winners[x] - 1 || k > winners[x] + 1) && sum < second) second = sum;
        }
        reason[x] =
            (uint8_t)sv_judge_cost(best[x], SV_NO_COST, sv_ambiguous_costs(best[x], second, params->uniqueness));
        if (reason[x] != SV_VALID) disparity[x] = INFINITY;
    }
}

/* Row `y`, through which the last path comes with `half` in the direction `dy`, 0: has come. */
static void finish_row(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int y, int dy) {
    loops->finish_row(p, w, half, y, dy);
    if (p->diagonals)
        choose_of_eight(p, w, y);
    else if (p->job->winner[1])
        read_keys(p, w);
    if (p->job->winner[1])
        memcpy(p->job->winner[1] + (size_t)y * (size_t)p->width, w->right_winners,
               sizeof *w->right_winners * (size_t)p->width);
    decide_row(p, w, y);
}

/* ---- All of it -------------------------------------------------------------------------------- */

/* Costs and paths along the rows and, unless `dy` is 0, with `half` through them, of `rows` rows from `y` on. */
static void sum_rows(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int y, int rows, int dy) {
    for (int i = 0; i < rows; i++) loops->cost_row(p, w, dy < 0 ? y + rows - 1 - i : y + i);
    loops->sum_rows(p, half, y, rows, dy);
}

/* Rows `begin` to `end` - 1 from the edge of the picture inwards: half 0 goes down, half 1 up. */
static void sum_half(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int begin, int end) {
    for (int done = 0; done < end - begin; done += SGM_ROWS) {
        const int rows = end - begin - done < SGM_ROWS ? end - begin - done : SGM_ROWS;
        sum_rows(p, loops, w, half, half ? end - done - rows : begin + done, rows, half ? -1 : 1);
    }
}

/* Rows `begin` to `end` - 1, into which the path of the other half goes on. */
static void finish_half(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int begin, int end) {
    for (int i = 0; i < end - begin; i++) finish_row(p, loops, w, half, half ? end - 1 - i : begin + i, half ? -1 : 1);
}

/* All threads of a team of two, or one alone, which has both halves with nothing in the lower one. */
static void match_by_halves(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int threads, int thread) {
    const int height = p->height, middle = threads > 1 ? height / 2 : height;
    if (thread == 0) sum_half(p, loops, w, 0, 0, middle);
    if (thread == threads - 1) sum_half(p, loops, w, 1, middle, height);
#pragma omp barrier
    if (p->diagonals) sum_diagonals(p, loops);
    if (thread == 0) finish_half(p, loops, w, 0, middle, height);
    if (thread == threads - 1) finish_half(p, loops, w, 1, 0, middle);
}

/* All threads of a team. */
static void match_by_strips(const sgm_plan *p, const sgm_loops *loops, sgm_space *w) {
    enum { COLUMNS = 16 };
#pragma omp for schedule(static)
    for (int i = 0; i < (p->height + SGM_ROWS - 1) / SGM_ROWS; i++) {
        const int y = i * SGM_ROWS, rows = p->height - y < SGM_ROWS ? p->height - y : SGM_ROWS;
        sum_rows(p, loops, w, 0, y, rows, 0);
    }
    if (p->diagonals) sum_diagonals(p, loops);
#pragma omp for schedule(dynamic)
    for (int x = 0; x < p->width; x += COLUMNS) {
        const int end = x + COLUMNS < p->width ? x + COLUMNS : p->width;
        loops->sum_columns(p, x, end, 1);
        loops->sum_columns(p, x, end, -1);
    }
#pragma omp for schedule(dynamic, 4)
    for (int y = 0; y < p->height; y++) finish_row(p, loops, w, 0, y, 0);
}

static void match(const sgm_plan *p, const sgm_loops *loops) {
    for (int i = 0; i < 2; i++) {
        memset(p->path[i], 0, (size_t)p->width * (size_t)p->padded);
        memset(p->least[i], 0, (size_t)p->width);
    }
    for (int i = 0; i < p->positions; i++) {
        const int x = p->width - 1 - i - p->min_disparity;
        p->inside[i] = x >= 0 && x < p->width ? 255 : 0;
    }
#pragma omp parallel num_threads(p->job->threads)
    {
        const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
        sgm_space w;
        lay_out_space(&w, p->workspaces + p->workspace_size * (size_t)thread, p);
#pragma omp for schedule(static)
        for (int y = 0; y < p->height; y++) prepare_row(p, &w, y);
        if (threads <= 2)
            match_by_halves(p, loops, &w, threads, thread);
        else
            match_by_strips(p, loops, &w);
    }
}

sv_status cpu_match_sgm(const cpu_job *job, sv_error *error) {
#if CPU_VECTORS
    static const sgm_loops *const of_levels[] = {&loops_any, &loops_avx2, &loops_avx512};
#else
    static const sgm_loops *const of_levels[] = {&loops_any};
#endif
    const sv_params *params = job->params;
    const int count = sv_candidates(params);
    /* Where the candidates fit half of the widest vector, narrower ones waste nothing. */
    cpu_set level = job->level;
    if (level == CPU_HAS_AVX512 && (count - 1) % 64 < 32 && count <= 96) level = CPU_HAS_AVX2;
    const sgm_loops *loops = of_levels[cpu_choose(job, level)];
    const int padded = (count + loops->vector - 1) / loops->vector * loops->vector;
    sgm_plan p = {
        .job = job,
        .width = job->width,
        .height = job->height,
        .min_disparity = params->min_disparity,
        .count = count,
        .padded = padded,
        .positions = job->width + padded,
        .chunks = (padded + SGM_KEYS - 1) / SGM_KEYS,
    };
    for (int step = 0; step < 256; step++) p.jump[step] = (uint8_t)sv_sgm_jump(params->p1, params->p2, step);
    sgm_space w;
    p.workspace_size = lay_out_space(&w, NULL, &p);
    void *memory = cpu_reserve(job->scratch, lay_out(&p, NULL, job->threads), error);
    if (!memory) return SV_FAILED;
    lay_out(&p, memory, job->threads);
    match(&p, loops);
    return SV_OK;
}
