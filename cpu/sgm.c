/* Semi-global matching: Hirschmueller, "Stereo Processing by Semiglobal Matching and Mutual Information", IEEE
 * Transactions on Pattern Analysis and Machine Intelligence 30(2), 2008. Equation numbers are the paper's.
 *
 * Every candidate of every pixel has a cost. Along 4 directions, the cost of the cheapest path from the edge of
 * the picture is added to it (Eq. 13); the directions are summed (Eq. 14), and the candidate with the smallest sum
 * wins. The winners of the right map come from the same sums (section 2.3).
 *
 * The cost is not the paper's mutual information. It compares census bits (Zabih and Woodfill, "Non-parametric Local
 * Transforms for Computing Visual Correspondence", ECCV 1994) of eight pixels spread over a square, and the vertical
 * gradient, because neighbouring candidates lie in one row; both tolerate cameras that expose differently. Both are
 * truncated, and the mismatches of 3 x 3 pixels are averaged. The paper divides P2 by the grey difference between two
 * neighbours; here it falls less steeply (sv_sgm_jump). Sub-pixel positions come from two lines of opposite slope
 * (Shimizu and Okutomi, "Sub-pixel Estimation Error Cancellation on Area-Based Matching", IJCV 63(3), 2005), which pull
 * values towards whole pixels less than the paper's parabola does.
 *
 * Memory, except with tiles: for every candidate of every pixel one byte for its cost and one for its sum.
 *
 * One or two threads traverse the volume twice. Each begins at an edge of the picture and goes through half of the
 * rows; it computes the costs, the paths along the rows and the vertical path in its direction. Then it continues into
 * the other half, where it adds this last path and chooses the winners. More threads share tiles (sgm_tiles.c). */
#include "cpu/sgm.h"
#include "cpu/sgm_features.h"
#include "stereo/confidence.h"

#include <omp.h>
#include <string.h>

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
    w->costs = cpu_carve(base, &used, SGM_ROWS * width * padded);
    w->sums = cpu_carve(base, &used, SGM_ROWS * width * padded);
    w->row = cpu_carve(base, &used, width * padded);
    w->right = cpu_carve(base, &used, sizeof *w->right * (size_t)(p->vectors / p->phases * p->positions));
    w->before = cpu_carve(base, &used, sizeof *w->before * width);
    w->best = cpu_carve(base, &used, sizeof *w->best * width);
    w->after = cpu_carve(base, &used, sizeof *w->after * width);
    w->second = cpu_carve(base, &used, sizeof *w->second * width);
    return used;
}

static size_t lay_out(sgm_plan *p, void *base, int threads) {
    const size_t width = (size_t)p->width, padded = (size_t)p->padded, height = (size_t)p->height;
    size_t used = 0;
    p->census = cpu_carve(base, &used, width * height);
    p->gradient = cpu_carve(base, &used, width * height);
    p->across = cpu_carve(base, &used, width * height);
    p->down = cpu_carve(base, &used, width * height);
    p->where = cpu_carve(base, &used, sizeof *p->where * (size_t)p->positions);
    p->other_census = cpu_carve(base, &used, p->line * height);
    p->other_gradient = cpu_carve(base, &used, p->line * height);
    p->inside = cpu_carve(base, &used, p->line);
    for (int i = 0; i < 2; i++) {
        p->path[i] = cpu_carve(base, &used, width * padded);
        p->least[i] = cpu_carve(base, &used, sizeof *p->least[i] * width);
    }
    p->costs = cpu_carve(base, &used, width * height * padded);
    p->sums = cpu_carve(base, &used, width * height * padded);
    p->workspaces = cpu_carve(base, &used, p->workspace_size * (size_t)threads);
    return used;
}

/* ---- Features --------------------------------------------------------------------------------- */

/* Fills in row `y` of everything that depends on the pictures alone. `w` is used as temporary memory. */
CPU_INLINE void prepare_row(const sgm_plan *p, const sgm_space *w, int y) {
    const int width = p->width;
    const size_t row = (size_t)y * (size_t)width, other = (size_t)y * p->line;
    sgm_describe_row(p->job, p->job->left, y, p->census + row, p->gradient + row);
    sgm_find_jumps(p->job, p->jump, y, p->across + row, p->down + row);
    /* The right picture's features, ordered so that the candidates of a vector are neighbours. */
    uint8_t *census = w->row, *gradient = w->row + width;
    uint8_t *other_census = p->other_census + other, *other_gradient = p->other_gradient + other;
    sgm_describe_row(p->job, p->job->right, y, census, gradient);
    memset(other_census, 0, p->line);
    memset(other_gradient, 0, p->line);
    const int start = width - 1 - p->min_disparity; /* position i has column start - i */
    const int begin = sv_clamp(start - (width - 1), p->positions + 1), end = sv_clamp(start + 1, p->positions + 1);
    for (int i = begin; i < end; i++) {
        other_census[p->where[i]] = census[start - i];
        other_gradient[p->where[i]] = gradient[start - i];
    }
}

typedef void prepare_function(const sgm_plan *p, const sgm_space *w, int y);
static void prepare_row_any(const sgm_plan *p, const sgm_space *w, int y) { prepare_row(p, w, y); }
CPU_AVX2 static void prepare_row_avx2(const sgm_plan *p, const sgm_space *w, int y) { prepare_row(p, w, y); }

/* ---- Winners ---------------------------------------------------------------------------------- */

/* Compares the winners of row `y` with the second best: invalidates those that are not unique, and keeps the evidence
 * for the confidence. */
static void compare_second(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int y) {
    const cpu_job *job = p->job;
    const sv_params *params = job->params;
    const int width = p->width;
    const int16_t *winners = job->winner[0] + (size_t)y * (size_t)width;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y), *evidence = job->confidence ? sv_row(job->confidence, y) : NULL;
    loops->find_second(p, w, y);
    for (int x = 0; x < width; x++) {
        if (winners[x] < 0) continue;
        const uint32_t second = w->second[x] < SGM_NONE_16 ? w->second[x] : SV_NO_COST;
        if (evidence) evidence[x] = (uint8_t)sv_sgm_evidence(w->best[x], second);
        if (!sv_ambiguous_costs(w->best[x], second, params->uniqueness)) continue;
        reason[x] = SV_AMBIGUOUS;
        disparity[x] = INFINITY;
    }
}

/* Keeps the requested costs of row `y`. */
static void keep_costs(const sgm_plan *p, const sgm_space *w, int y) {
    const cpu_job *job = p->job;
    for (int x = 0; job->cost[0] && x < p->width; x++)
        job->cost[0][(size_t)y * (size_t)p->width + (size_t)x] = w->best[x];
    if (!cpu_probes_row(job, y)) return;
    const int x = job->probe->x, first = sv_first_candidate(x, p->width, p->min_disparity, 1, 0);
    const int last = sv_last_candidate(x, p->width, p->min_disparity, 1, p->count, 0);
    for (int k = first; k <= last; k++)
        cpu_keep(job, k, w->row[x * p->padded + sgm_place(k, p->phases, p->padded / p->vectors)], true);
}

/* Completes row `y`. The path of `half` is the last one and passes through it in the direction `dy`. */
static void finish_row(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int y, int dy) {
    if (cpu_gives_up(p->job)) return;
    loops->finish_row(p, w, half, y, dy);
    if (p->job->winner[1]) loops->read_right(p, w, p->job->winner[1] + (size_t)y * (size_t)p->width);
    keep_costs(p, w, y);
    loops->decide_row(p, w, y);
    if (p->job->params->uniqueness || p->job->confidence) compare_second(p, loops, w, y);
}

/* ---- The stage -------------------------------------------------------------------------------- */

/* Computes the costs of `rows` rows from `y` on, the paths along them and the path of `half` through them, in the
 * direction `dy`. Costs and sums stay in the workspace, and so in a cache, until they are complete: both volumes are
 * many times as large as the caches. */
static void sum_rows(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int y, int rows, int dy) {
    if (cpu_gives_up(p->job)) return;
    for (int i = 0; i < rows; i++)
        loops->cost_row(p, w, dy < 0 ? y + rows - 1 - i : y + i, w->costs + sgm_cell(p, 0, i));
    loops->sum_rows(p, w, half, y, rows, dy);
}

/* Sums rows `begin` to `end` - 1, from the edge of the picture inwards: half 0 goes down, half 1 up. */
static void sum_half(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int begin, int end) {
    for (int done = 0; done < end - begin; done += SGM_ROWS) {
        const int rows = end - begin - done < SGM_ROWS ? end - begin - done : SGM_ROWS;
        sum_rows(p, loops, w, half, half ? end - done - rows : begin + done, rows, half ? -1 : 1);
    }
}

/* Completes rows `begin` to `end` - 1, into which the path of `half` continues. */
static void finish_half(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int begin, int end) {
    for (int i = 0; i < end - begin; i++) finish_row(p, loops, w, half, half ? end - 1 - i : begin + i, half ? -1 : 1);
}

/* Called by both threads of a team of two, or by one thread, for which the upper half is the whole picture. */
static void match_by_halves(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int threads, int thread) {
    const int height = p->height, middle = threads > 1 ? height / 2 : height;
    if (thread == 0) sum_half(p, loops, w, 0, 0, middle);
    if (thread == threads - 1) sum_half(p, loops, w, 1, middle, height);
#pragma omp barrier
    if (thread == 0) finish_half(p, loops, w, 0, middle, height);
    if (thread == threads - 1) finish_half(p, loops, w, 1, 0, middle);
}

static void match(const sgm_plan *p, const sgm_loops *loops, prepare_function *prepare) {
    for (int i = 0; i < 2; i++) {
        memset(p->path[i], 0, (size_t)p->width * (size_t)p->padded);
        memset(p->least[i], 0, sizeof *p->least[i] * (size_t)p->width);
    }
    for (int i = 0; i < p->positions; i++) {
        const int x = p->width - 1 - i - p->min_disparity, line = (int)p->line / p->phases;
        p->where[i] = (uint32_t)(i % p->phases * line + i / p->phases);
        p->inside[p->where[i]] = x >= 0 && x < p->width ? 255 : 0;
    }
#pragma omp parallel num_threads(p->job->threads)
    {
        const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
        sgm_space w;
        lay_out_space(&w, p->workspaces + p->workspace_size * (size_t)thread, p);
#pragma omp for schedule(static)
        for (int y = 0; y < p->height; y++) prepare(p, &w, y);
        match_by_halves(p, loops, &w, threads, thread);
    }
}

sv_status cpu_match_sgm(const cpu_job *job, sv_error *error) {
#if CPU_VECTORS
    static const sgm_loops *const of_sets[] = {&loops_any, &loops_avx2, &loops_avx512};
#else
    static const sgm_loops *const of_sets[] = {&loops_any};
#endif
    const sv_params *params = job->params;
    if (job->threads > 2) return sgm_match_tiles(job, error);
    const int count = sv_candidates(params);
    /* If the last of the widest vectors would be at most half full, use narrower ones. */
    cpu_set set = job->set;
    if (set == CPU_HAS_AVX512 && (count - 1) % 64 < 32 && count <= 96) set = CPU_HAS_AVX2;
    set = cpu_choose(job, set);
    const sgm_loops *loops = of_sets[set];
    const int vector = loops->vector, groups = (count + SGM_GROUP - 1) / SGM_GROUP;
    const int phases = (count + groups * vector - 1) / (groups * vector), padded = groups * phases * vector;
    sgm_plan p = {
        .job = job,
        .width = job->width,
        .height = job->height,
        .min_disparity = params->min_disparity,
        .count = count,
        .padded = padded,
        .vectors = groups * phases,
        .phases = phases,
        .positions = job->width + padded,
        .line = (size_t)phases * (size_t)((job->width + padded) / phases + 1),
    };
    for (int i = 0; i < 256; i++) p.jump[i] = (uint8_t)sv_sgm_jump(params->p1, params->p2, i);
    for (int k = 0; k < padded; k++) {
        const int place = sgm_place(k, phases, vector);
        if (k < count) p.place[k + 1] = (uint16_t)place;
        p.candidate[place] = (uint16_t)k;
        p.number[place] = (uint8_t)(k % (phases * vector));
        p.padding[place] = k < count ? 0 : SGM_PADDING;
    }
    sgm_space w;
    p.workspace_size = lay_out_space(&w, NULL, &p);
    void *memory = cpu_reserve(job->scratch, lay_out(&p, NULL, job->threads), error);
    if (!memory) return SV_FAILED;
    lay_out(&p, memory, job->threads);
    match(&p, loops, set >= CPU_HAS_AVX2 ? prepare_row_avx2 : prepare_row_any);
    return SV_OK;
}
