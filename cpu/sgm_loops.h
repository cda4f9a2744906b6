/* The loops of semi-global matching over vectors of candidates, for the set of instructions SGM_SET: see sgm_vectors.h.
 *
 * Sums and costs are bytes. The state of a path consists of the path costs of a pixel, in as many vectors as the
 * candidates fill, and of the smallest one, in all bytes of another vector. */
#include "cpu/sgm.h"

#include "cpu/sgm_vectors.h"

/* ---- Costs ------------------------------------------------------------------------------------ */

/* Vectors of a column whose mismatches are computed together, so that they stay in registers. */
enum { NAME(at_once) = 4 };

/* Computes the sums over three columns of the mismatches of row `y`, which is inside the picture, with the candidates
 * of `vectors` vectors from `first` on. */
FN void NAME(mismatch_some)(const sgm_plan *p, uint8_t *sums, int y, int first, int vectors) {
    const int width = p->width, padded = p->padded;
    const size_t row = (size_t)y * (size_t)width, other = (size_t)y * p->line;
    const uint8_t *const census = p->census + row, *const gradient = p->gradient + row, *const inside = p->inside;
    const uint8_t *const other_census = p->other_census + other, *const other_gradient = p->other_gradient + other;
    /* All candidates and those that fill their vectors are tried in the columns `inner`..`outer` - 1. */
    const int inner = padded - 1 + p->min_disparity, outer = width + p->min_disparity;
    const vec untried = NAME(all)(SV_SGM_UNTRIED);
    vec before[NAME(at_once)], centre[NAME(at_once)];
    for (int v = 0; v < vectors; v++) before[v] = centre[v] = untried;
    sums += first * V;
    for (int x = 0; x < width; x++) {
        const vec own_census = NAME(all)(census[x]), own_gradient = NAME(all)(gradient[x]);
        const uint32_t *const where = p->where + width - 1 - x;
        for (int v = 0; v < vectors; v++) {
            const size_t at = where[p->candidate[(first + v) * V]];
            vec found = NAME(mismatch)(NAME(xor)(own_census, NAME(load)(other_census + at)),
                                       NAME(apart)(own_gradient, NAME(load)(other_gradient + at)));
            if (x < inner || x >= outer)
                found = NAME(xor)(untried, NAME(and)(NAME(load)(inside + at), NAME(xor)(found, untried)));
            /* With the column before as the centre. */
            if (x > 0)
                NAME(store)(sums + v * V, NAME(add)(NAME(add)(before[v], centre[v]), found));
            else
                centre[v] = found;
            before[v] = centre[v];
            centre[v] = found;
        }
        if (x > 0) sums += padded;
    }
    for (int v = 0; v < vectors; v++) NAME(store)(sums + v * V, NAME(add)(NAME(add)(before[v], centre[v]), centre[v]));
}

/* Computes the costs of a row from the `sums` of the rows above, at and below it. */
FN void NAME(cost_some)(const sgm_plan *p, const uint8_t *const sums[3], uint8_t *costs, int vectors) {
    const uint8_t *const padding = p->padding, *const above = sums[0], *const at = sums[1], *const below = sums[2];
    const int size = p->width * p->padded;
    for (int begin = 0; begin < size; begin += vectors * V)
        for (int v = 0, i = begin; v < vectors; v++, i += V) {
            const vec sum = NAME(add)(NAME(add)(NAME(load)(above + i), NAME(load)(at + i)), NAME(load)(below + i));
            /* sv_sgm_cost as (sum / 16 + 1) / 2, because sum + 16 would not fit in a byte. */
            NAME(store)(costs + i, NAME(max)(NAME(half)(NAME(shift4)(sum)), NAME(load)(padding + v * V)));
        }
}

/* ---- Paths ------------------------------------------------------------------------------------ */

/* Advances a path by one pixel, Eq. 13: `state`, whose smallest cost is `from`, becomes that of this pixel. Returns its
 * minimum across vectors. Inlined, so that `vectors` is a constant for the usual numbers of candidates. */
FN vec NAME(advance)(vec *state, vec from, const uint8_t *costs, vec p1, vec jump, int vectors, int phases) {
    const vec far = NAME(all)(255), limit = NAME(add)(from, jump);
    vec next = far, before = far;
    for (int g = 0; g < vectors; g += phases) {
        const int end = g + phases - 1;
        const vec beyond = NAME(below)(state[g], end < vectors - 1 ? state[end + 1] : far);
        before = NAME(up)(state[end], before);
        for (int v = g; v <= end; v++) {
            const vec own = state[v], after = v < end ? state[v + 1] : beyond;
            const vec aside = NAME(adds)(NAME(min)(before, after), p1);
            const vec cheapest = NAME(sub)(NAME(min)(NAME(min)(own, aside), limit), from);
            state[v] = NAME(add)(cheapest, NAME(load)(costs + v * V));
            next = v ? NAME(min)(next, state[v]) : state[v];
            before = own;
        }
    }
    return next;
}

/* The same; `least`, too, becomes that of this pixel. */
FN void NAME(step)(vec *state, vec *least, const uint8_t *costs, vec p1, vec jump, int vectors, int phases) {
    *least = NAME(least)(NAME(advance)(state, *least, costs, p1, jump, vectors, phases));
}

/* The same for a path whose state is kept at `path` and `path_least` from one pixel to the next, and is left in
 * `state`, too. */
FN void NAME(step_stored)(vec *state, uint8_t *path, sgm_quad *path_least, const uint8_t *costs, vec p1, uint8_t jump,
                          int vectors, int phases) {
    vec least = NAME(fill)(*path_least);
    for (int v = 0; v < vectors; v++) state[v] = NAME(load)(path + v * V);
    NAME(step)(state, &least, costs, p1, NAME(all)(jump), vectors, phases);
    *path_least = NAME(quad)(least);
    for (int v = 0; v < vectors; v++) NAME(store)(path + v * V, state[v]);
}

FN void NAME(sum_some)(const sgm_plan *p, const sgm_space *w, int half, int y, int rows, int dy, int vectors,
                       int phases) {
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
            NAME(step)(state[r], &least[r], costs[r] + at, p1, NAME(all)(across[r][x]), vectors, phases);
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
            NAME(step)(state[r], &least[r], costs[r] + at, p1, NAME(all)(across[r][from]), vectors, phases);
            if (r >= rows) continue;
            NAME(step)(vertical, &vertical_least, costs[r] + at, p1, NAME(all)(down[r][x]), vectors, phases);
            for (int v = 0; v < vectors; v++) {
                const vec right = NAME(load)(sums[r] + at + v * V);
                NAME(stream)(kept_sums[r] + at + v * V, NAME(adds)(right, NAME(adds)(state[r][v], vertical[v])));
            }
        }
        for (int v = 0; v < vectors; v++) NAME(store)(path + v * V, vertical[v]);
        p->least[half][x] = NAME(quad)(vertical_least);
    }
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* Sets the sums of the candidates that are not tried at column `x` to SGM_NONE. */
FN void NAME(exclude)(const sgm_plan *p, int x, vec *total, int vectors) {
    const vec none = NAME(all)(SGM_NONE);
    for (int v = 0; v < vectors; v++) {
        const vec inside = NAME(load)(p->inside + p->where[p->width - 1 - x + p->candidate[v * V]]);
        total[v] = NAME(or)(total[v], NAME(xor)(inside, none));
    }
}

/* The distance in a volume from row `y` to the one that is processed after it, or 0 if there is none. */
FN ptrdiff_t NAME(ahead)(const sgm_plan *p, int y, int dy) {
    return y + dy >= 0 && y + dy < p->height ? (ptrdiff_t)dy * (ptrdiff_t)sgm_cell(p, 0, 1) : 0;
}

/* The key of a candidate is 256 times its sum plus its number, so that the smallest one is that of the winner. A vector
 * of bytes becomes two of keys.
 *
 * The smallest keys of the right picture's pixels slide through vectors, in which each is in the place of the candidate
 * of the current pixel that leads to it: candidate k of column x belongs to the same right pixel as candidate k + 1 of
 * column x + 1. When a key has slid out of its group it is complete; storing the last vector for every x leaves each
 * key with its last value. */
FN void NAME(finish_some)(const sgm_plan *p, const sgm_space *w, int half, int y, int dy, int vectors, int phases) {
    enum { MOST = 1024 / V, LINE = 64 };
    const int width = p->width, padded = vectors * V, height = p->height;
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1), none = NAME(all)(SGM_NONE);
    const uint8_t *costs = p->costs + sgm_cell(p, 0, y), *sums = p->sums + sgm_cell(p, 0, y);
    const uint8_t *down = p->down + (size_t)(dy > 0 ? y : y + 1 < height ? y + 1 : y) * (size_t)width;
    /* The distance to the row that is processed next. */
    const ptrdiff_t ahead = y + dy >= 0 && y + dy < height ? (ptrdiff_t)dy * (ptrdiff_t)sgm_cell(p, 0, 1) : 0;
    /* All candidates are tried in the columns `inner`..`outer` - 1. */
    const int inner = p->count - 1 + p->min_disparity, outer = width + p->min_disparity;
    /* Copies, because the compiler takes it that stores of bytes may change what is behind a pointer. */
    uint8_t *path = p->path[half], *row = w->row;
    sgm_quad *const least = p->least[half];
    uint16_t *const before = w->before, *const best = w->best, *const after = w->after;
    int16_t *const winners = p->job->winner[0] + (size_t)y * (size_t)width;
    uint16_t *const right_keys = w->right + width - 1 - V / 2;
    const int positions = p->positions;
    const bool both = p->job->winner[1];
    vec number[MOST], right[MOST][2];
    for (int v = 0; v < vectors; v++) {
        number[v] = NAME(load)(p->number + v * V);
        right[v][0] = right[v][1] = none;
    }
    for (int x = 0; x < width; x++) {
        vec total[MOST];
        for (int i = 0; i < padded; i += LINE) {
            __builtin_prefetch(costs + i + ahead, 0, 2);
            __builtin_prefetch(sums + i + ahead, 0, 2);
        }
        NAME(step_stored)(total, path, &least[x], costs, p1, down[x], vectors, phases);
        for (int v = 0; v < vectors; v++) total[v] = NAME(adds)(total[v], NAME(load)(sums + v * V));
        if (x < inner || x >= outer) NAME(exclude)(p, x, total, vectors);
        for (int v = 0; v < vectors; v++) NAME(store)(row + v * V, total[v]);

        int sum = SGM_NONE, k = 0;
        for (int g = 0; g < vectors; g += phases) {
            const vec *const last = right[g + phases - 1];
            vec least_key = none, low_before = NAME(up_low)(last[0], last[1]),
                high_before = NAME(up_high)(last[0], last[1]);
            for (int v = g; v < g + phases; v++) {
                const vec low = NAME(zip_low)(number[v], total[v]), high = NAME(zip_high)(number[v], total[v]);
                least_key = NAME(min_keys)(least_key, NAME(min_keys)(low, high));
                if (!both) continue;
                const vec own_low = right[v][0], own_high = right[v][1];
                right[v][0] = NAME(min_keys)(low, low_before);
                right[v][1] = NAME(min_keys)(high, high_before);
                low_before = own_low;
                high_before = own_high;
            }
            if (both) NAME(store)((uint8_t *)(right_keys + g / phases * positions - x + (g + phases) * V), last[1]);
            const int key = (int)NAME(least_key)(least_key);
            k = g == 0 || key / 256 < sum ? key % 256 + g * V : k;
            sum = g == 0 || key / 256 < sum ? key / 256 : sum;
        }
        best[x] = (uint16_t)sum;
        winners[x] = (int16_t)k;
        before[x] = row[p->place[k]];
        after[x] = row[p->place[k + 2]];
        path += padded;
        row += padded;
        costs += padded;
        sums += padded;
    }
    /* The first positions of each group, whose keys are still in the vectors. */
    for (int place = 0; both && place < padded; place++) {
        const int v = place / V, lane = place % V / 16, i = place % 16;
        uint16_t keys[V / 2];
        NAME(store)((uint8_t *)keys, right[v][i / 8]);
        w->right[v / phases * p->positions + p->candidate[place]] = keys[8 * lane + i % 8];
    }
}

SGM_TARGET static void NAME(find_second)(const sgm_plan *p, sgm_space *w, int y) {
    const int width = p->width, padded = p->padded;
    const int16_t *const winners = p->job->winner[0] + (size_t)y * (size_t)width;
    /* Without the winners and their neighbours; first of all pixels, because a vector that was just written in parts
     * takes long to load. */
    for (int x = 0; x < width; x++)
        for (int k = winners[x] > 0 ? winners[x] - 1 : 0; k <= winners[x] + 1 && k < p->count; k++)
            w->row[x * padded + sgm_place(k, p->phases, V)] = SGM_NONE;
    for (int x = 0; x < width; x++) {
        const uint8_t *const row = w->row + (size_t)x * (size_t)padded;
        vec second = NAME(all)(SGM_NONE);
        for (int k = 0; k < padded; k += V) second = NAME(min)(second, NAME(load)(row + k));
        const uint8_t found = (uint8_t)NAME(quad)(NAME(least)(second));
        w->second[x] = found < SGM_NONE ? found : SGM_NONE_16;
    }
}

/* Reads the winners of the right picture from what finish_row stored. */
SGM_TARGET static void NAME(read_right)(const sgm_plan *p, const sgm_space *w, int16_t *restrict winners) {
    const int width = p->width, start = width - 1 - p->min_disparity; /* column x is at position start - x */
    const int size = p->phases * V;
    uint16_t *restrict best = w->second; /* not yet in use */
    for (int x = 0; x < width; x++) winners[x] = -1;
    for (int x = 0; x < width; x++) best[x] = SGM_NONE;
    for (int first = 0; first < p->padded; first += size) {
        const uint16_t *restrict keys = w->right + first / size * p->positions + start;
        const int begin = sv_clamp(start - (width + first + size - 2), width + 1);
        const int end = sv_clamp(start - first + 1, width + 1);
        for (int x = begin; x < end; x++) {
            const uint16_t key = keys[-x], sum = key >> 8;
            winners[x] = (int16_t)(sum < best[x] ? first + (key & 255) : winners[x]);
            best[x] = sum < best[x] ? sum : best[x];
        }
    }
}

/* Computes the disparities of row `y` from its winners, without the uniqueness test. It does not call sv_decide_cost,
 * because sgm has no threshold, and fits two lines instead of a parabola. */
SGM_TARGET static void NAME(decide_row)(const sgm_plan *p, const sgm_space *w, int y) {
    const int width = p->width;
    int16_t *restrict winners = p->job->winner[0] + (size_t)y * (size_t)width;
    const uint16_t *restrict before = w->before, *restrict best = w->best, *restrict after = w->after;
    float *restrict disparity = sv_row(p->job->disparity, y);
    uint8_t *restrict reason = sv_row(p->job->reason, y);
    const float subpixel = p->job->params->subpixel ? 1.0f : 0.0f;
    const int least = p->min_disparity, last = p->count - 1;
    for (int x = 0; x < width; x++) winners[x] = (int16_t)(best[x] < SGM_NONE ? winners[x] : -1);
    for (int x = 0; x < width; x++) {
        const bool inside = (winners[x] > 0) & (winners[x] < last);
        const bool between = inside & (before[x] != SGM_NONE) & (after[x] != SGM_NONE);
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
    case 1: call(1, 1); break;                                                                                         \
    case 2: call(2, 2); break;                                                                                         \
    case 3: call(3, 3); break;                                                                                         \
    case 4: call(4, 4); break;                                                                                         \
    default: call(vectors, p->phases);                                                                                 \
    }

SGM_TARGET static void NAME(mismatch_row)(const sgm_plan *p, uint8_t *sums, int y) {
    for (int first = 0; first < p->vectors; first += NAME(at_once)) {
        const int left = p->vectors - first, vectors = left < NAME(at_once) ? left : NAME(at_once);
#define CALL(n, m) NAME(mismatch_some)(p, sums, y, first, n)
        SOME(CALL)
#undef CALL
    }
}

SGM_TARGET static void NAME(cost_row)(const sgm_plan *p, sgm_space *w, int y, uint8_t *costs) {
    const int vectors = p->vectors;
    const uint8_t *rows[3];
    for (int i = 0; i < 3; i++) {
        const int from = sv_clamp(y + i - 1, p->height), slot = from % 3;
        rows[i] = w->mismatches[slot];
        if (w->held[slot] == from) continue;
        w->held[slot] = from;
        NAME(mismatch_row)(p, w->mismatches[slot], from);
    }
#define CALL(n, m) NAME(cost_some)(p, rows, costs, n)
    SOME(CALL)
#undef CALL
}

SGM_TARGET static void NAME(sum_rows)(const sgm_plan *p, const sgm_space *w, int half, int y, int rows, int dy) {
    const int vectors = p->padded / V;
#define CALL(n, m) NAME(sum_some)(p, w, half, y, rows, dy, n, m)
    SOME(CALL)
#undef CALL
    NAME(end_streams)();
}

SGM_TARGET static void NAME(finish_row)(const sgm_plan *p, sgm_space *w, int half, int y, int dy) {
    const int vectors = p->padded / V;
#define CALL(n, m) NAME(finish_some)(p, w, half, y, dy, n, m)
    SOME(CALL)
#undef CALL
}

static const sgm_loops NAME(loops) = {
    V, NAME(cost_row), NAME(sum_rows), NAME(finish_row), NAME(find_second), NAME(read_right), NAME(decide_row)};

#undef SOME

#include "cpu/sgm_end.h"
