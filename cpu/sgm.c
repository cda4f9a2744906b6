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

static size_t path_size(const sgm_plan *p) {
    return (size_t)(p->steps + SGM_ENTRY) * (size_t)(p->lanes + 1) * SGM_LANE;
}

static size_t lay_out_space(sgm_space *w, void *base, const sgm_plan *p, int vector) {
    const size_t block = sgm_block(p, 1);
    size_t used = 0;
    for (int i = 0; i < 2; i++) w->jumps[i] = cpu_carve(base, &used, (size_t)(p->steps + 2) * SGM_ROWS);
    for (int i = 0; i < 2; i++) w->lines[i] = cpu_carve(base, &used, (size_t)p->lines * p->line);
    w->reversed = cpu_carve(base, &used, p->line * (size_t)p->phases + (size_t)p->lines);
    for (int i = 0; i < SGM_ROWS + 2; i++) {
        w->mismatches[i] = cpu_carve(base, &used, (size_t)p->width * (size_t)(p->vectors * vector));
        w->held[i] = -1;
    }
    w->costs = cpu_carve(base, &used, block);
    w->sums = cpu_carve(base, &used, block);
    w->row = cpu_carve(base, &used, block);
    w->right = cpu_carve(base, &used, sizeof *w->right * SGM_ROWS * (size_t)(p->lanes / p->phases * p->positions));
    w->pitch = p->steps + SGM_ENTRY;
    uint16_t **const rows[] = {&w->before, &w->best, &w->after, &w->winner, &w->second};
    for (int i = 0; i < 5; i++) *rows[i] = cpu_carve(base, &used, sizeof **rows[i] * SGM_ROWS * (size_t)w->pitch);
    return used;
}

static size_t lay_out(sgm_plan *p, void *base, int threads) {
    const size_t width = (size_t)p->width, height = (size_t)p->height, blocks = (size_t)p->blocks;
    const size_t jumps = (blocks * SGM_ROWS + 1) * width;
    size_t used = 0;
    p->census = cpu_carve(base, &used, width * height);
    p->gradient = cpu_carve(base, &used, width * height);
    p->across = cpu_carve(base, &used, jumps);
    p->down = cpu_carve(base, &used, jumps);
    p->where = cpu_carve(base, &used, sizeof *p->where * (size_t)p->positions);
    p->other_census = cpu_carve(base, &used, width * height);
    p->other_gradient = cpu_carve(base, &used, width * height);
    p->inside = cpu_carve(base, &used, (size_t)p->lines * p->line);
    p->tried = cpu_carve(base, &used, (size_t)p->steps + 2 * SGM_ROWS);
    for (int i = 0; i < 2; i++) {
        /* A vector that is read for one of its lanes may begin before the path or end after it. */
        p->path[i] = cpu_carve(base, &used, path_size(p) + 2 * SGM_STRIDE);
        if (base) p->path[i] += SGM_STRIDE;
    }
    p->costs = cpu_carve(base, &used, blocks * sgm_block(p, 1));
    p->sums = cpu_carve(base, &used, blocks * sgm_block(p, 1));
    p->workspaces = cpu_carve(base, &used, p->workspace_size * (size_t)threads);
    return used;
}

/* ---- Features --------------------------------------------------------------------------------- */

/* Fills in row `y` of everything that depends on the pictures alone. */
CPU_INLINE void prepare_row(const sgm_plan *p, int y) {
    const size_t row = (size_t)y * (size_t)p->width;
    sgm_describe_row(p->job, p->job->left, y, p->census + row, p->gradient + row);
    sgm_describe_row(p->job, p->job->right, y, p->other_census + row, p->other_gradient + row);
    sgm_find_jumps(p->job, p->jump, y, p->across + row, p->down + row);
}

CPU_FOR_AVX2(prepare_row, (const sgm_plan *p, int y), (p, y));

/* ---- Winners ---------------------------------------------------------------------------------- */

/* Compares the winners of row `y`, which is row `j` of its block, with the second best: invalidates those that are not
 * unique, and keeps the evidence for the confidence. */
static void compare_second(const sgm_plan *p, const sgm_space *w, int j, int y) {
    const cpu_job *job = p->job;
    const sv_params *params = job->params;
    const int width = p->width;
    const int16_t *winners = job->winner[0] + (size_t)y * (size_t)width;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y), *evidence = job->confidence ? sv_row(job->confidence, y) : NULL;
    const uint16_t *best = w->best + j * w->pitch + SGM_ENTRY, *seconds = w->second + j * w->pitch + SGM_ENTRY;
    for (int x = 0; x < width; x++) {
        if (winners[x] < 0) continue;
        const uint32_t second = seconds[x] < SGM_NONE_16 ? seconds[x] : SV_NO_COST;
        if (evidence) evidence[x] = (uint8_t)sv_sgm_evidence(best[x], second);
        if (!sv_ambiguous_costs(best[x], second, params->uniqueness)) continue;
        reason[x] = SV_AMBIGUOUS;
        disparity[x] = INFINITY;
    }
}

/* Keeps the requested costs of row `y`, which is row `j` of its block. */
static void keep_costs(const sgm_plan *p, const sgm_space *w, int j, int y) {
    const cpu_job *job = p->job;
    for (int x = 0; job->cost[0] && x < p->width; x++)
        job->cost[0][(size_t)y * (size_t)p->width + (size_t)x] = w->best[j * w->pitch + SGM_ENTRY + x];
    if (!cpu_probes_row(job, y)) return;
    const int x = job->probe->x, first = sv_first_candidate(x, p->width, p->min_disparity, 1, 0);
    const int last = sv_last_candidate(x, p->width, p->min_disparity, 1, p->count, 0);
    const uint8_t *sums = w->row + (size_t)(x + SGM_ENTRY - j) * sgm_step(p) + j * SGM_LANE;
    for (int k = first; k <= last; k++) cpu_keep(job, k, sums[p->place[k + 1]], true);
}

/* Completes a block. The path of `half` is the last one. */
static void finish_block(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int block) {
    if (cpu_gives_up(p->job)) return;
    loops->finish_block(p, w, half, block);
    for (int i = 0, y = block * SGM_ROWS; i < SGM_ROWS && y < p->height; i++, y++) {
        const int j = sgm_row(p, block, i);
        if (p->job->winner[1]) loops->read_right(p, w, j, p->job->winner[1] + (size_t)y * (size_t)p->width);
        keep_costs(p, w, j, y);
        loops->decide_row(p, w, j, y);
    }
    if (!p->job->params->uniqueness && !p->job->confidence) return;
    loops->find_second(p, w);
    for (int i = 0, y = block * SGM_ROWS; i < SGM_ROWS && y < p->height; i++, y++)
        compare_second(p, w, sgm_row(p, block, i), y);
}

/* ---- The stage -------------------------------------------------------------------------------- */

/* Computes the costs of a block, the paths along its rows and the path of `half`. Costs and sums stay in the workspace,
 * and so in a cache, until they are complete: both volumes are many times as large as the caches. */
static void sum_block(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int half, int block) {
    if (cpu_gives_up(p->job)) return;
    loops->cost_block(p, w, block);
    loops->sum_block(p, w, half, block);
}

/* Called by both threads of a team of two, or by one thread. From the edges of the picture, half 0 goes down and half 1
 * up, each through its blocks and then into the other ones. */
static void match_by_halves(const sgm_plan *p, const sgm_loops *loops, sgm_space *w, int threads, int thread) {
    memset(w->costs, 0, sgm_block(p, 1));
    memset(w->reversed, 0, p->line * (size_t)p->phases + (size_t)p->lines);
    if (thread == 0)
        for (int i = 0; i < p->upper; i++) sum_block(p, loops, w, 0, i);
    if (thread == threads - 1)
        for (int i = p->blocks - 1; i >= p->upper; i--) sum_block(p, loops, w, 1, i);
#pragma omp barrier
    if (thread == 0)
        for (int i = p->upper; i < p->blocks; i++) finish_block(p, loops, w, 0, i);
    if (thread == threads - 1)
        for (int i = p->upper - 1; i >= 0; i--) finish_block(p, loops, w, 1, i);
}

static void match(sgm_plan *p, const sgm_loops *loops, prepare_row_function *prepare) {
    for (int i = 0; i < 2; i++) memset(p->path[i], 0, path_size(p));
    for (int i = 0; i < p->positions; i++) p->where[i] = (uint32_t)(i % p->phases * (int)p->line + i / p->phases);
    for (int n = 0; n < p->lines; n++)
        for (int i = 0; i < (int)p->line; i++) {
            const int position = n + i * p->phases;
            p->inside[n * (int)p->line + i] = position >= p->begin && position < p->end ? 255 : 0;
        }
    memset(p->tried, 0, (size_t)p->steps + SGM_ROWS);
    memset(p->tried + SGM_ENTRY, 255, (size_t)p->width);
#pragma omp parallel num_threads(p->job->threads)
    {
        const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
        sgm_space w;
        lay_out_space(&w, p->workspaces + p->workspace_size * (size_t)thread, p, loops->vector);
#pragma omp single
        p->upper = threads > 1 ? p->blocks / 2 : p->blocks;
#pragma omp for schedule(static)
        for (int y = 0; y < p->height; y++) prepare(p, y);
        match_by_halves(p, loops, &w, threads, thread);
    }
}

sv_status cpu_match_sgm(const cpu_job *job, sv_error *error) {
    static const sgm_loops *const of_sets[] = CPU_TABLE(&loops);
    const sv_params *params = job->params;
    if (job->threads > 2) return sgm_match_tiles(job, error);
    const int count = sv_candidates(params);
    const cpu_set set = cpu_choose(job, job->set);
    const sgm_loops *loops = of_sets[set];
    const int rows = loops->vector / SGM_LANE, groups = (count + SGM_GROUP - 1) / SGM_GROUP;
    const int phases = (count + groups * SGM_LANE - 1) / (groups * SGM_LANE), size = phases * SGM_LANE;
    sgm_plan p = {
        .job = job,
        .width = job->width,
        .height = job->height,
        .min_disparity = params->min_disparity,
        .count = count,
        .blocks = (job->height + SGM_ROWS - 1) / SGM_ROWS,
        .steps = job->width + SGM_ENTRY,
        .lanes = groups * phases,
        .phases = phases,
        .vectors = groups * ((phases + rows - 1) / rows),
        .positions = job->width + 2 * SGM_ENTRY + groups * size,
        .lines = 2 * phases + 2,
        .line = (size_t)((job->width + 2 * SGM_ENTRY) / phases + groups * SGM_LANE),
    };
    const int start = job->width - 1 + SGM_ENTRY - params->min_disparity, all = (int)p.line * phases + p.lines;
    p.begin = sv_clamp(start - (job->width - 1), all + 1);
    p.end = sv_clamp(start + 1, all + 1);
    p.start = start;
    for (int i = 0; i < 256; i++) p.jump[i] = (uint8_t)sv_sgm_jump(params->p1, params->p2, i);
    for (int k = 0; k < groups * size; k++) {
        const int group = k / size, number = k % size, v = number % phases, lane = group * phases + v;
        const int i = number / phases, vectors = p.vectors / groups;
        if (k < count) p.place[k + 1] = (uint16_t)(lane * SGM_STRIDE + i);
        p.candidate[lane * SGM_LANE + i] = (uint16_t)k;
        p.number[lane * SGM_LANE + i] = (uint8_t)number;
        p.padding[group * vectors * loops->vector + v * SGM_LANE + i] = k < count ? 0 : SGM_PADDING;
    }
    sgm_space w;
    p.workspace_size = lay_out_space(&w, NULL, &p, loops->vector);
    void *memory = cpu_reserve(job->scratch, lay_out(&p, NULL, job->threads), error);
    if (!memory) return SV_FAILED;
    lay_out(&p, memory, job->threads);
    match(&p, loops, prepare_row_of_sets[set]);
    return SV_OK;
}
