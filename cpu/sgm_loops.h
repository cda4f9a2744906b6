/* The loops of semi-global matching over vectors of candidates, for the set of instructions SGM_SET: see sgm_vectors.h.
 *
 * Sums and costs are bytes. The state of a path consists of the path costs of a pixel, in as many vectors as the
 * candidates fill, and of the smallest one, in all bytes of another vector. */
#include "cpu/sgm.h"

#include "cpu/sgm_vectors.h"

/* ---- Costs ------------------------------------------------------------------------------------ */

/* The mismatches of a column with the candidates that begin at `position`. */
FN vec NAME(mismatches_at)(const uint8_t *inside, sgm_quad census, sgm_quad gradient, const uint8_t *other_census,
                           const uint8_t *other_gradient, size_t position) {
    const vec bits = NAME(xor)(NAME(fill)(census), NAME(load)(other_census + position));
    const vec apart = NAME(apart)(NAME(fill)(gradient), NAME(load)(other_gradient + position));
    const vec found = NAME(mismatch)(bits, apart);
    if (inside[position] & inside[position + V - 1]) return found;
    const vec untried = NAME(all)(SV_SGM_UNTRIED);
    return NAME(xor)(untried, NAME(and)(NAME(load)(inside + position), NAME(xor)(found, untried)));
}

/* Computes the sums over three columns of the mismatches of row `y`, which is inside the picture. */
FN void NAME(mismatch_row)(const sgm_plan *p, const sgm_space *w, uint8_t *sums, int y) {
    const int width = p->width, padded = p->padded;
    const size_t row = (size_t)y * (size_t)width, other = (size_t)y * (size_t)p->positions;
    const uint8_t *inside = p->inside, *other_census = p->other_census + other;
    const uint8_t *other_gradient = p->other_gradient + other;
    sgm_quad *const census = w->quads, *const gradient = w->quads + width;
    for (int x = 0; x < width; x++) {
        census[x] = sgm_quad_of(p->census[row + (size_t)x]);
        gradient[x] = sgm_quad_of(p->gradient[row + (size_t)x]);
    }
#define AT(x)                                                                                                          \
    NAME(mismatches_at)                                                                                                \
    (inside, census[x], gradient[x], other_census, other_gradient, (size_t)(width - 1 - (x) + k))
    for (int k = 0; k < padded; k += V) {
        vec before = AT(0), centre = before;
        for (int x = 0; x < width; x++) {
            const vec after = x + 1 < width ? AT(x + 1) : centre;
            NAME(store)(sums + (size_t)x * (size_t)padded + k, NAME(add)(NAME(add)(before, centre), after));
            before = centre;
            centre = after;
        }
    }
#undef AT
}

SGM_TARGET static void NAME(cost_row)(const sgm_plan *p, sgm_space *w, int y, uint8_t *costs) {
    const uint8_t *rows[3];
    for (int i = 0; i < 3; i++) {
        const int from = sv_clamp(y + i - 1, p->height), slot = from % 3;
        if (w->held[slot] != from) NAME(mismatch_row)(p, w, w->mismatches[slot], from);
        w->held[slot] = from;
        rows[i] = w->mismatches[slot];
    }
    uint8_t filler[V];
    for (int i = 0; i < V; i++) filler[i] = p->padded - V + i < p->count ? 0 : SGM_PADDING;
    const vec last = NAME(load)(filler), none = NAME(all)(0);
    const int width = p->width, padded = p->padded;
    for (int x = 0; x < width; x++)
        for (int k = 0; k < padded; k += V, costs += V, rows[0] += V, rows[1] += V, rows[2] += V) {
            const vec sum = NAME(add)(NAME(add)(NAME(load)(rows[0]), NAME(load)(rows[1])), NAME(load)(rows[2]));
            /* sv_sgm_cost as (sum / 16 + 1) / 2, because sum + 16 would not fit in a byte. */
            const vec cost = NAME(half)(NAME(shift4)(sum));
            NAME(store)(costs, NAME(max)(cost, k == padded - V ? last : none));
        }
}

/* ---- Paths ------------------------------------------------------------------------------------ */

/* Advances a path by one pixel, Eq. 13: `state`, whose smallest cost is `from`, becomes that of this pixel. Returns its
 * minimum across vectors. Inlined, so that `vectors` is a constant for the usual numbers of candidates. */
FN vec NAME(advance)(vec *state, vec from, const uint8_t *costs, vec p1, vec jump, int vectors) {
    const vec far = NAME(all)(255), limit = NAME(add)(from, jump);
    vec before = far, next = far;
    for (int v = 0; v < vectors; v++) {
        const vec own = state[v], after = v < vectors - 1 ? state[v + 1] : far;
        const vec aside = NAME(adds)(NAME(min)(NAME(up)(own, before), NAME(below)(own, after)), p1);
        const vec cheapest = NAME(sub)(NAME(min)(NAME(min)(own, aside), limit), from);
        state[v] = NAME(add)(cheapest, NAME(load)(costs + v * V));
        next = NAME(min)(next, state[v]);
        before = own;
    }
    return next;
}

/* The same; `least`, too, becomes that of this pixel. */
FN void NAME(step)(vec *state, vec *least, const uint8_t *costs, vec p1, vec jump, int vectors) {
    *least = NAME(least)(NAME(advance)(state, *least, costs, p1, jump, vectors));
}

/* The same for a path whose state is kept in memory between two pixels: reads the state of the pixel before, and stores
 * that of this one, which is also left in `state`. */
FN void NAME(step_stored)(vec *state, const uint8_t *before, sgm_quad least_before, uint8_t *after,
                          sgm_quad *least_after, const uint8_t *costs, vec p1, uint8_t jump, int vectors) {
    vec least = NAME(fill)(least_before);
    for (int v = 0; v < vectors; v++) state[v] = NAME(load)(before + v * V);
    NAME(step)(state, &least, costs, p1, NAME(all)(jump), vectors);
    *least_after = sgm_quad_of(NAME(first)(least));
    for (int v = 0; v < vectors; v++) NAME(store)(after + v * V, state[v]);
}

FN void NAME(sum_some)(const sgm_plan *p, const sgm_space *w, int half, int y, int rows, int dy, int vectors) {
    enum { MOST = 1024 / V };
    const int width = p->width, padded = vectors * V;
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1), none = NAME(all)(0);
    vec state[SGM_ROWS][MOST], least[SGM_ROWS];
    const uint8_t *costs[SGM_ROWS], *across[SGM_ROWS], *down[SGM_ROWS];
    uint8_t *sums[SGM_ROWS], *kept_costs[SGM_ROWS], *kept_sums[SGM_ROWS];
    for (int r = 0; r < SGM_ROWS; r++) {
        /* Rows are in the order of the vertical path. If there are fewer than SGM_ROWS, the last one is repeated. */
        const int i = r < rows ? r : rows - 1, row = dy > 0 ? y + i : y + rows - 1 - i;
        costs[r] = w->costs + sgm_cell(p, 0, i);
        sums[r] = w->sums + sgm_cell(p, 0, i);
        kept_costs[r] = p->costs + sgm_cell(p, 0, row);
        kept_sums[r] = p->sums + sgm_cell(p, 0, row);
        across[r] = p->across + (size_t)row * (size_t)width;
        /* The jump of the path up is between this row and the one below. */
        down[r] = p->down + (size_t)(dy > 0 ? row : row + 1 < p->height ? row + 1 : row) * (size_t)width;
        for (int v = 0; v < vectors; v++) state[r][v] = none;
        least[r] = none;
    }
    for (int x = 0; x < width; x++) {
        const size_t at = (size_t)x * (size_t)padded;
        for (int r = 0; r < SGM_ROWS; r++) {
            NAME(step)(state[r], &least[r], costs[r] + at, p1, NAME(all)(across[r][x]), vectors);
            for (int v = 0; v < vectors; v++) {
                NAME(store)(sums[r] + at + v * V, state[r][v]);
                NAME(stream)(kept_costs[r] + at + v * V, NAME(load)(costs[r] + at + v * V));
            }
        }
    }
    for (int r = 0; r < SGM_ROWS; r++) {
        for (int v = 0; v < vectors; v++) state[r][v] = none;
        least[r] = none;
    }
    for (int x = width - 1; x >= 0; x--) {
        const size_t at = (size_t)x * (size_t)padded;
        const int from = x < width - 1 ? x + 1 : x;
        uint8_t *const path = p->path[half] + at;
        vec vertical[MOST], vertical_least = NAME(fill)(p->least[half][x]);
        for (int v = 0; v < vectors; v++) vertical[v] = NAME(load)(path + v * V);
        for (int r = 0; r < SGM_ROWS; r++) {
            NAME(step)(state[r], &least[r], costs[r] + at, p1, NAME(all)(across[r][from]), vectors);
            if (r >= rows) continue;
            NAME(step)(vertical, &vertical_least, costs[r] + at, p1, NAME(all)(down[r][x]), vectors);
            for (int v = 0; v < vectors; v++) {
                const vec right = NAME(load)(sums[r] + at + v * V);
                NAME(stream)(kept_sums[r] + at + v * V, NAME(adds)(right, NAME(adds)(state[r][v], vertical[v])));
            }
        }
        for (int v = 0; v < vectors; v++) NAME(store)(path + v * V, vertical[v]);
        p->least[half][x] = sgm_quad_of(NAME(first)(vertical_least));
    }
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* Sets the sums of the candidates that are not tried at column `x` to SGM_NONE, both in memory and in vectors. */
FN void NAME(exclude)(const sgm_plan *p, uint8_t *sums, int x, vec *total, int vectors) {
    const int padded = vectors * V, first = sv_first_candidate(x, p->width, p->min_disparity, 1, 0);
    const int last = sv_last_candidate(x, p->width, p->min_disparity, 1, p->count, 0);
    if (first <= 0 && last >= p->count - 1) return;
    const int tried = last < -1 ? 0 : last + 1;
    memset(sums, SGM_NONE, (size_t)(first < padded ? first : padded));
    memset(sums + tried, SGM_NONE, (size_t)(padded - tried));
    for (int v = 0; v < vectors; v++) total[v] = NAME(load)(sums + v * V);
}

/* The distance in a volume from row `y` to the one that is processed after it, or 0 if there is none. */
FN ptrdiff_t NAME(ahead)(const sgm_plan *p, int y, int dy) {
    return y + dy >= 0 && y + dy < p->height ? (ptrdiff_t)dy * (ptrdiff_t)sgm_cell(p, 0, 1) : 0;
}

/* Both functions that add the last path to a row also store its smallest sums. They and choose_some prefetch one volume
 * each for the next row: a loop that prefetched both would wait for memory. */
FN void NAME(add_last_some)(const sgm_plan *p, const sgm_space *w, int half, int y, int dy, int vectors) {
    enum { MOST = 1024 / V };
    const int width = p->width, padded = vectors * V, height = p->height;
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1);
    const uint8_t *costs = p->costs + sgm_cell(p, 0, y), *sums = p->sums + sgm_cell(p, 0, y);
    const uint8_t *down = p->down + (size_t)(dy > 0 ? y : y + 1 < height ? y + 1 : y) * (size_t)width;
    const ptrdiff_t ahead = NAME(ahead)(p, y, dy);
    for (int x = 0; x < width; x++) {
        const size_t at = (size_t)x * (size_t)padded;
        uint8_t *const path = p->path[half] + at, *const row = w->row + at;
        sgm_quad *const least = p->least[half] + x;
        vec total[MOST];
        for (int v = 0; v < vectors; v++) __builtin_prefetch(costs + at + v * V + ahead, 0, 2);
        NAME(step_stored)(total, path, *least, path, least, costs + at, p1, down[x], vectors);
        for (int v = 0; v < vectors; v++) {
            total[v] = NAME(adds)(total[v], NAME(load)(sums + at + v * V));
            NAME(store)(row + v * V, total[v]);
        }
        NAME(exclude)(p, row, x, total, vectors);
        vec least_total = total[0];
        for (int v = 1; v < vectors; v++) least_total = NAME(min)(least_total, total[v]);
        w->quads[x] = sgm_quad_of(NAME(first)(NAME(least)(least_total)));
    }
}

#if SGM_IS == SGM_IS_avx512
/* Stores the smallest byte of each of four vectors in all bytes of `least`[i]. */
FN void NAME(least_of_four)(const vec *of, sgm_quad *least) {
    const vec a = NAME(min)(_mm512_shuffle_i32x4(of[0], of[1], 0x44), _mm512_shuffle_i32x4(of[0], of[1], 0xee));
    const vec b = NAME(min)(_mm512_shuffle_i32x4(of[2], of[3], 0x44), _mm512_shuffle_i32x4(of[2], of[3], 0xee));
    vec c = NAME(min)(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd)); /* 16 bytes of each */
    c = NAME(min)(c, _mm512_shuffle_epi32(c, 0x4e));
    c = NAME(min)(c, _mm512_shuffle_epi32(c, 0xb1));
    c = NAME(min)(c, _mm512_srli_epi32(c, 16));
    c = NAME(min)(c, _mm512_srli_epi32(c, 8));
    c = _mm512_shuffle_epi8(c, _mm512_setzero_si512());
    const vec first = _mm512_castsi128_si512(_mm_setr_epi32(0, 4, 8, 12));
    _mm_storeu_si128((__m128i *)least, _mm512_castsi512_si128(_mm512_permutexvar_epi32(first, c)));
}

/* add_last_some for candidates that fill one vector: finds the minima of four pixels at once,
 * with half as many instructions. (With more vectors, the sums of four pixels do not stay in registers.) */
FN void NAME(add_last_fours)(const sgm_plan *p, const sgm_space *w, int half, int y, int dy) {
    enum { FOUR = 4 };
    const int width = p->width, height = p->height, count = p->count;
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1), none = NAME(all)(SGM_NONE);
    const uint8_t *costs = p->costs + sgm_cell(p, 0, y), *sums = p->sums + sgm_cell(p, 0, y);
    const uint8_t *down = p->down + (size_t)(dy > 0 ? y : y + 1 < height ? y + 1 : y) * (size_t)width;
    const ptrdiff_t ahead = NAME(ahead)(p, y, dy);
    /* All candidates are tried in the columns `inner`..`outer` - 1. */
    const int inner = count - 1 + p->min_disparity, outer = width + p->min_disparity;
    uint8_t *const paths = p->path[half], *const row = w->row;
    sgm_quad *const path_least = p->least[half];
    for (int begin = 0; begin < width; begin += FOUR) {
        const int pixels = begin + FOUR < width ? FOUR : width - begin;
        vec totals[FOUR] = {none, none, none, none}, states[FOUR] = {none, none, none, none};
#pragma GCC unroll 4
        for (int i = 0; i < FOUR; i++) {
            if (i >= pixels) continue;
            const int x = begin + i, at = x * V;
            __builtin_prefetch(costs + at + ahead, 0, 2);
            states[i] = NAME(load)(paths + at);
            NAME(advance)(&states[i], NAME(fill)(path_least[x]), costs + at, p1, NAME(all)(down[x]), 1);
            NAME(store)(paths + at, states[i]);
            totals[i] = NAME(adds)(NAME(load)(sums + at), states[i]);
            NAME(store)(row + at, totals[i]);
            if (x < inner || x >= outer) NAME(exclude)(p, row + at, x, &totals[i], 1);
        }
        NAME(least_of_four)(states, path_least + begin);
        NAME(least_of_four)(totals, w->quads + begin);
    }
}
#endif

/* The smallest sums of the right picture's pixels slide through vectors, in which each is in the place of the candidate
 * of the current pixel that leads to it: candidate k of column x belongs to the same right pixel as candidate k + 1 of
 * column x + 1. A right pixel gets its candidates in ascending order, so that the smaller one wins a tie. When it has
 * slid out of the last vector it is complete; storing this vector for every x leaves each byte with its last value. */
FN void NAME(choose_some)(const sgm_plan *p, const sgm_space *w, int y, int dy, int vectors) {
    enum { MOST = 1024 / V };
    const int width = p->width, padded = vectors * V, count = p->count;
    const uint8_t *const sums = p->sums + sgm_cell(p, 0, y);
    const ptrdiff_t ahead = NAME(ahead)(p, y, dy);
    const bool both = p->job->winner[1];
    uint8_t *const right_sums = w->right, *const right_low = w->right_low, *const right_high = w->right_high;
    uint16_t *const before = w->before, *const best = w->best, *const after = w->after;
    int16_t *const winners = p->job->winner[0] + (size_t)y * (size_t)width;
    vec right[MOST], low[MOST], high[MOST];
    for (int v = 0; v < vectors; v++) {
        right[v] = NAME(all)(SGM_NONE);
        low[v] = high[v] = NAME(all)(0);
    }
    for (int x = 0; x < width; x++) {
        const size_t at = (size_t)x * (size_t)padded;
        const uint8_t *const row = w->row + at;
        const vec least = NAME(fill)(w->quads[x]);
        vec total[MOST];
        int k = 0;
        for (int v = vectors - 1; v >= 0; v--) {
            __builtin_prefetch(sums + at + v * V + ahead, 0, 2);
            total[v] = NAME(load)(row + v * V);
            const uint64_t where = NAME(equal)(total[v], least);
            k = where ? v * V + __builtin_ctzll(where) / NAME(bits) : k;
        }
        best[x] = row[k];
        before[x] = k > 0 ? row[k - 1] : SGM_NONE;
        after[x] = k < count - 1 ? row[k + 1] : SGM_NONE;
        winners[x] = (int16_t)(row[k] < SGM_NONE ? k : -1);

        if (!both) continue;
        const size_t position = (size_t)(width - 1 - x + padded - V);
        for (int v = vectors - 1; v >= 0; v--) {
            const vec sums_before = NAME(up)(right[v], v ? right[v - 1] : NAME(all)(SGM_NONE));
            const vec low_before = NAME(up)(low[v], v ? low[v - 1] : NAME(all)(0));
            right[v] = NAME(min)(total[v], sums_before);
            low[v] = NAME(below_chooses)(total[v], sums_before, NAME(load)(p->numbers + v * V % 256), low_before);
            if (vectors * V > 256) {
                const vec high_before = NAME(up)(high[v], v ? high[v - 1] : NAME(all)(0));
                const vec part = NAME(all)((uint8_t)(v * V / 256));
                high[v] = NAME(below_chooses)(total[v], sums_before, part, high_before);
            }
        }
        NAME(store)(right_sums + position, right[vectors - 1]);
        NAME(store)(right_low + position, low[vectors - 1]);
        if (vectors * V > 256) NAME(store)(right_high + position, high[vectors - 1]);
    }
    for (int v = 0; both && v < vectors; v++) {
        NAME(store)(right_sums + v * V, right[v]);
        NAME(store)(right_low + v * V, low[v]);
        if (vectors * V > 256) NAME(store)(right_high + v * V, high[v]);
    }
}

SGM_TARGET static void NAME(find_second)(const sgm_plan *p, sgm_space *w, int y) {
    const int width = p->width, padded = p->padded;
    const int16_t *const winners = p->job->winner[0] + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++) {
        /* 255 at the winner and its neighbours. */
        const uint8_t *const row = w->row + (size_t)x * (size_t)padded;
        const uint8_t *const beside = p->beside + SV_MAX_DISPARITIES - winners[x];
        vec second = NAME(all)(SGM_NONE);
        for (int k = 0; k < padded; k += V)
            second = NAME(min)(second, NAME(or)(NAME(load)(row + k), NAME(load)(beside + k)));
        const uint8_t found = NAME(first)(NAME(least)(second));
        w->second[x] = found < SGM_NONE ? found : SGM_NONE_16;
    }
}

/* Reads the winners of the right picture from what finish_row stored. */
SGM_TARGET static void NAME(read_right)(const sgm_plan *p, const sgm_space *w, int16_t *restrict winners) {
    const int width = p->width, start = width - 1 - p->min_disparity; /* column x is at position start - x */
    const int begin = sv_clamp(start - (p->positions - 2), width + 1), end = sv_clamp(start + 1, width + 1);
    const bool wide = p->padded > 256;
    for (int x = 0; x < width; x++) winners[x] = -1;
    for (int x = begin; x < end; x++) {
        const int k = (wide ? w->right_high[start - x] * 256 : 0) + w->right_low[start - x];
        winners[x] = (int16_t)(w->right[start - x] < SGM_NONE ? k : -1);
    }
}

/* Computes the disparities of row `y` from its winners, without the uniqueness test. It does not call sv_decide_cost,
 * because sgm has no threshold, and fits two lines instead of a parabola. */
SGM_TARGET static void NAME(decide_row)(const sgm_plan *p, const sgm_space *w, int y) {
    const int width = p->width;
    const int16_t *restrict winners = p->job->winner[0] + (size_t)y * (size_t)width;
    const uint16_t *restrict before = w->before, *restrict best = w->best, *restrict after = w->after;
    float *restrict disparity = sv_row(p->job->disparity, y);
    uint8_t *restrict reason = sv_row(p->job->reason, y);
    const float subpixel = p->job->params->subpixel ? 1.0f : 0.0f;
    const int least = p->min_disparity;
    for (int x = 0; x < width; x++) {
        const bool between = (before[x] != SGM_NONE) & (after[x] != SGM_NONE);
        const int own = best[x], lower = between ? before[x] : own, upper = between ? after[x] : own;
        const float found = sv_disparity(least, winners[x], subpixel * sv_equiangular(lower, own, upper), 1);
        disparity[x] = winners[x] < 0 ? INFINITY : found;
    }
    for (int x = 0; x < width; x++) reason[x] = winners[x] < 0 ? SV_BORDER : SV_VALID;
}

/* ---- The functions of the set ----------------------------------------------------------------- */

/* Usual numbers of vectors are constants, so that the state stays in registers. */
#define SOME(call)                                                                                                     \
    switch (vectors) {                                                                                                 \
    case 1: call(1); break;                                                                                            \
    case 2: call(2); break;                                                                                            \
    case 3: call(3); break;                                                                                            \
    case 4: call(4); break;                                                                                            \
    default: call(vectors);                                                                                            \
    }

SGM_TARGET static void NAME(sum_rows)(const sgm_plan *p, const sgm_space *w, int half, int y, int rows, int dy) {
    const int vectors = p->padded / V;
#define CALL(n) NAME(sum_some)(p, w, half, y, rows, dy, n)
    SOME(CALL)
#undef CALL
    NAME(end_streams)();
}

FN void NAME(finish_some)(const sgm_plan *p, const sgm_space *w, int half, int y, int dy, int vectors) {
#if SGM_IS == SGM_IS_avx512
    if (vectors == 1)
        NAME(add_last_fours)(p, w, half, y, dy);
    else
#endif
        NAME(add_last_some)(p, w, half, y, dy, vectors);
    NAME(choose_some)(p, w, y, dy, vectors);
}

SGM_TARGET static void NAME(finish_row)(const sgm_plan *p, sgm_space *w, int half, int y, int dy) {
    const int vectors = p->padded / V;
#define CALL(n) NAME(finish_some)(p, w, half, y, dy, n)
    SOME(CALL)
#undef CALL
}

static const sgm_loops NAME(loops) = {
    V, NAME(cost_row), NAME(sum_rows), NAME(finish_row), NAME(find_second), NAME(read_right), NAME(decide_row)};

#undef SOME

#include "cpu/sgm_end.h"
