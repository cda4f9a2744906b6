/* Semi-global matching tile by tile. The maps are those of sgm.c, which names the sources.
 *
 * A vector has the same candidate of as many pixels as it has bytes, its lanes, so that neighbouring candidates are in
 * different vectors and no byte has to move within one. On a path down or up the lanes are the columns of a tile, on a
 * path along the rows they are its rows; costs and sums are transposed between the two. The first and the last lane of
 * a row only complete the 3 x 3 boxes of the costs.
 *
 * Neither costs nor sums are kept: the tiles are traversed twice, and their costs are computed each time. On the way
 * right and down, the states of the paths in these directions are kept where they enter a tile. On the way back, these
 * paths pass through the tile again, together with the other two, which completes the sums of its pixels. So the data
 * of a tile stays in a core's cache, and threads do not compete for memory. One or two threads hardly compete, and for
 * them the loops of sgm.c are faster. */
#include "cpu/sgm_tiles.h"
#include "cpu/sgm_features.h"
#include "stereo/confidence.h"

#include <omp.h>
#include <string.h>

/* True if the second best sums are needed. */
static inline bool compares_second(const cpu_job *job) { return job->params->uniqueness || job->confidence; }

/* Keeps the requested costs and evidence of a row of a tile, and invalidates its winners that are not unique. */
static void examine_columns(const sgm_tiles *p, const sgm_tile_space *w, const sgm_tile *tile, int y) {
    const cpu_job *job = p->job;
    const int uniqueness = job->params->uniqueness;
    const size_t step = 2 * (size_t)p->lanes;
    if (!job->cost[0] && !compares_second(job) && !cpu_probes_row(job, y)) return;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y), *evidence = job->confidence ? sv_row(job->confidence, y) : NULL;
    for (int i = 1; i <= tile->columns; i++) {
        const int x = tile->x + i - 1, first = sv_first_candidate(x, p->width, p->min_disparity, 1, 0);
        const int last = sv_last_candidate(x, p->width, p->min_disparity, 1, p->count, 0);
        const uint8_t *totals = w->totals + p->lanes + i;
        const int winner = job->winner[0][(size_t)y * (size_t)p->width + (size_t)x];
        if (job->cost[0]) job->cost[0][(size_t)y * (size_t)p->width + (size_t)x] = w->best[i];
        for (int k = first; cpu_probes(job, x, y) && k <= last; k++) cpu_keep(job, k, totals[(size_t)k * step], true);
        if (!compares_second(job) || winner < 0) continue;
        const uint32_t second = w->second[i] < SGM_NONE ? w->second[i] : SV_NO_COST;
        if (evidence) evidence[x] = (uint8_t)sv_sgm_evidence(w->best[i], second);
        if (!sv_ambiguous_costs(w->best[i], second, uniqueness)) continue;
        reason[x] = SV_AMBIGUOUS;
        disparity[x] = INFINITY;
    }
}

#define SGM_SET any
#define SGM_TARGET
#include "cpu/sgm_tile_loops.h"
#if CPU_VECTORS
#define SGM_SET    avx2
#define SGM_TARGET CPU_AVX2
#include "cpu/sgm_tile_loops.h"
#define SGM_SET    avx512
#define SGM_TARGET CPU_AVX512
#include "cpu/sgm_tile_loops.h"
#endif

static size_t lay_out_space(sgm_tile_space *w, void *base, const sgm_tiles *p) {
    const size_t lanes = (size_t)p->lanes, count = (size_t)p->count, block = p->block;
    size_t used = 0;
    w->features = cpu_carve(base, &used, 2 * (size_t)p->width);
    w->mismatches = cpu_carve(base, &used, (count + 2) * lanes);
    if (base) w->mismatches += lanes;
    for (int i = 0; i < 3; i++) w->boxes[i] = cpu_carve(base, &used, count * lanes);
    w->costs = cpu_carve(base, &used, lanes * block);
    w->transposed = cpu_carve(base, &used, lanes * block);
    w->sums = cpu_carve(base, &used, lanes * block);
    w->jumps = cpu_carve(base, &used, lanes * lanes);
    w->state = cpu_carve(base, &used, block);
    w->totals = cpu_carve(base, &used, (2 * count + 2) * lanes);
    uint8_t **const rows[] = {&w->best, &w->low, &w->high, &w->before, &w->after, &w->second};
    for (int i = 0; i < 6; i++) *rows[i] = cpu_carve(base, &used, lanes);
    return used;
}

static size_t lay_out(sgm_tiles *p, void *base, int threads) {
    const size_t height = (size_t)p->height, strips = (size_t)p->strips, tiles = (size_t)p->tiles;
    size_t used = 0;
    uint8_t **const left[] = {&p->census, &p->gradient, &p->across, &p->down};
    /* These have the rows of whole tiles, which may be more than the picture has. */
    for (int i = 0; i < 4; i++) *left[i] = cpu_carve(base, &used, strips * (size_t)p->lanes * p->line);
    uint8_t **const right[] = {&p->other_census, &p->other_gradient, &p->right, &p->right_low, &p->right_high};
    for (int i = 0; i < 5; i++) *right[i] = cpu_carve(base, &used, height * p->other);
    p->inside = cpu_carve(base, &used, p->other);
    p->from_left = cpu_carve(base, &used, strips * (tiles + 1) * p->block);
    p->from_above = cpu_carve(base, &used, (strips + 1) * tiles * p->block);
    p->from_right = cpu_carve(base, &used, strips * p->block);
    p->from_below = cpu_carve(base, &used, tiles * p->block);
    p->spaces = cpu_carve(base, &used, sizeof *p->spaces * (size_t)threads);
    p->workspaces = cpu_carve(base, &used, p->workspace_size * (size_t)threads);
    return used;
}

/* Fills in row `y` of everything that depends on the pictures alone. */
CPU_INLINE void prepare_row(const sgm_tiles *p, uint8_t *features, int y) {
    const int width = p->width;
    const size_t row = (size_t)y * p->line + 1, other = (size_t)y * p->other;
    sgm_describe_row(p->job, p->job->left, y, p->census + row, p->gradient + row);
    sgm_find_jumps(p->job, p->jump, y, p->across + row, p->down + row);
    sgm_describe_row(p->job, p->job->right, y, features, features + width);
    memset(p->other_census + other, 0, p->other);
    memset(p->other_gradient + other, 0, p->other);
    /* Column c of the right picture is at `shift` + c. */
    const int shift = p->margin + p->min_disparity, end = sv_clamp((int)p->other - shift, width + 1);
    const int begin = sv_clamp(-shift, end + 1);
    memcpy(p->other_census + other + shift + begin, features + begin, (size_t)(end - begin));
    memcpy(p->other_gradient + other + shift + begin, features + width + begin, (size_t)(end - begin));
    memset(p->right + other, SGM_NONE, p->other);
}

CPU_FOR_AVX2(prepare_row, (const sgm_tiles *p, uint8_t *features, int y), (p, features, y));

/* Initialises `count` states, `stride` bytes apart, of paths that enter the picture. */
static void begin_paths(const sgm_tiles *p, uint8_t *states, size_t stride, int count) {
    for (int i = 0; i < count; i++) {
        uint8_t *const state = states + (size_t)i * stride;
        memset(state, 0, p->block);
        memset(state + p->count * p->lanes, 255, (size_t)p->lanes);
    }
}

/* Reads the winners of row `y` of the right picture. */
static void read_right(const sgm_tiles *p, int y) {
    /* Column x of the right picture belongs to candidate 0 of column x + min_disparity of the left one. */
    const int width = p->width, shift = p->margin + p->min_disparity;
    const int begin = sv_clamp(1 - p->count - p->min_disparity, width + 1);
    const int end = sv_clamp(width - p->min_disparity, width + 1);
    const uint8_t *row = p->right + (size_t)y * p->other;
    const uint8_t *low = p->right_low + (size_t)y * p->other, *high = p->right_high + (size_t)y * p->other;
    int16_t *restrict winners = p->job->winner[1] + (size_t)y * (size_t)width;
    for (int x = 0; x < begin; x++) winners[x] = -1;
    for (int x = begin; x < end; x++)
        winners[x] =
            (int16_t)(row[shift + x] < SGM_NONE ? (p->count > 256 ? 256 * high[shift + x] : 0) + low[shift + x] : -1);
    for (int x = end > begin ? end : begin; x < width; x++) winners[x] = -1;
}

static sgm_tile find_tile(const sgm_tiles *p, int strip, int tile) {
    const int y = strip * p->lanes, columns = p->lanes - 2, x = tile * columns, left = p->width - x;
    const size_t i = (size_t)strip, j = (size_t)tile, across = (size_t)p->tiles;
    return (sgm_tile){
        .y = y,
        .rows = p->height - y < p->lanes ? p->height - y : p->lanes,
        .x = x,
        .columns = left < columns ? left : columns,
        .edge = x - p->min_disparity < p->count || x + columns - p->min_disparity >= p->width,
        .left = p->from_left + (i * (across + 1) + j) * p->block,
        .right = p->from_left + (i * (across + 1) + j + 1) * p->block,
        .above = p->from_above + (i * across + j) * p->block,
        .below = p->from_above + ((i + 1) * across + j) * p->block,
        .back = p->from_right + i * p->block,
        .up = p->from_below + j * p->block,
    };
}

/* Makes each tile a task, which waits for the tiles that its paths come from. */
static void follow_paths(const sgm_tiles *p, const sgm_tile_loops *loops) {
    for (int i = 0; i < p->strips * p->tiles; i++) {
        const sgm_tile tile = find_tile(p, i / p->tiles, i % p->tiles);
#pragma omp task depend(in : tile.left[0], tile.above[0]) depend(out : tile.right[0], tile.below[0])
        if (!cpu_gives_up(p->job)) loops->enter(p, &p->spaces[omp_get_thread_num()], &tile);
    }
#pragma omp taskwait
    for (int i = p->strips * p->tiles - 1; i >= 0; i--) {
        const sgm_tile tile = find_tile(p, i / p->tiles, i % p->tiles);
#pragma omp task depend(inout : tile.back[0], tile.up[0])
        if (!cpu_gives_up(p->job)) loops->finish(p, &p->spaces[omp_get_thread_num()], &tile);
    }
}

static void match(const sgm_tiles *p, const sgm_tile_loops *loops, prepare_row_function *prepare) {
    begin_paths(p, p->from_left, (size_t)(p->tiles + 1) * p->block, p->strips);
    begin_paths(p, p->from_above, p->block, p->tiles);
    begin_paths(p, p->from_right, p->block, p->strips);
    begin_paths(p, p->from_below, p->block, p->tiles);
    for (int i = 0; i < (int)p->other; i++) {
        const int x = i - p->margin - p->min_disparity;
        p->inside[i] = x >= 0 && x < p->width ? 255 : 0;
    }
    for (int i = 0; i < p->job->threads; i++) {
        lay_out_space(&p->spaces[i], p->workspaces + p->workspace_size * (size_t)i, p);
        memset(p->spaces[i].totals, SGM_NONE, (size_t)((2 * p->count + 2) * p->lanes));
    }
#pragma omp parallel num_threads(p->job->threads)
    {
#pragma omp for schedule(static)
        for (int y = 0; y < p->height; y++) prepare(p, p->spaces[omp_get_thread_num()].features, y);
#pragma omp single
        follow_paths(p, loops);
#pragma omp for schedule(static)
        for (int y = 0; y < p->height; y++)
            if (p->job->winner[1]) read_right(p, y);
    }
}

sv_status sgm_match_tiles(const cpu_job *job, sv_error *error) {
    static const sgm_tile_loops *const of_sets[] = CPU_TABLE(&tile_loops);
    const sv_params *params = job->params;
    const cpu_set set = cpu_choose(job, job->set);
    const sgm_tile_loops *loops = of_sets[set];
    const int lanes = loops->lanes, columns = lanes - 2, tiles = (job->width + columns - 1) / columns;
    const int count = sv_candidates(params);
    sgm_tiles p = {
        .job = job,
        .width = job->width,
        .height = job->height,
        .min_disparity = params->min_disparity,
        .count = count,
        .lanes = lanes,
        .tiles = tiles,
        .strips = (job->height + lanes - 1) / lanes,
        .block = (size_t)(count + 2) * (size_t)lanes,
        .line = (size_t)(tiles * columns + 2),
        .margin = count + lanes,
        .other = (size_t)(count + lanes + tiles * columns + 2),
    };
    for (int i = 0; i < 256; i++) p.jump[i] = (uint8_t)sv_sgm_jump(params->p1, params->p2, i);
    sgm_tile_space w;
    p.workspace_size = lay_out_space(&w, NULL, &p);
    void *memory = cpu_reserve(job->scratch, lay_out(&p, NULL, job->threads), error);
    if (!memory) return SV_FAILED;
    lay_out(&p, memory, job->threads);
    match(&p, loops, prepare_row_of_sets[set]);
    return SV_OK;
}
