/* The loops of semi-global matching over vectors of candidates, for the set of instructions SGM_SET: see sgm_vectors.h.
 *
 * Sums and costs are bytes. The state of a path consists of the path costs of a pixel, in as many lanes as the
 * candidates fill, and of the smallest one, in all bytes of another lane. */
#include "cpu/sgm.h"

#include "cpu/sgm_vectors.h"

#define ROWS  (V / SGM_LANE)    /* of a vector */
#define PARTS (SGM_ROWS / ROWS) /* vectors that have the rows of a block */

/* ---- Costs ------------------------------------------------------------------------------------ */

/* Divides row `y` of a feature of the right picture among lines. */
FN void NAME(divide)(const sgm_plan *p, const sgm_space *w, const uint8_t *feature, uint8_t *restrict lines, int y,
                     int phases) {
    const int line = (int)p->line, begin = p->begin, end = p->end;
    const uint8_t *restrict row = feature + (ptrdiff_t)y * p->width + p->start;
    uint8_t *restrict positions = w->reversed;
    for (int i = begin; i < end; i++) positions[i] = row[-i];
    for (int n = 0; n < phases; n++)
        for (int i = 0; i < line; i++) lines[n * line + i] = positions[n + i * phases];
    for (int n = phases; n < p->lines; n++) {
        memcpy(lines + n * line, lines + (n - phases) * line + 1, (size_t)(line - 1));
        lines[n * line + line - 1] = positions[n + (line - 1) * phases];
    }
}

/* Vectors of a column whose mismatches are computed together, so that they stay in registers. */
enum { NAME(at_once) = 4 };

/* Computes the sums over three columns of the mismatches of row `y`, which is inside the picture, with the candidates
 * of `vectors` vectors from `first` on. */
FN void NAME(mismatch_some)(const sgm_plan *p, const sgm_space *w, uint8_t *sums, int y, int first, int vectors) {
    const int width = p->width, pitch = p->vectors * V, in_group = p->vectors / (p->lanes / p->phases);
    const ptrdiff_t line = (ptrdiff_t)p->line;
    const size_t row = (size_t)y * (size_t)width;
    const uint8_t *const census = p->census + row, *const gradient = p->gradient + row, *const inside = p->inside;
    const uint8_t *const other_census = w->lines[0], *const other_gradient = w->lines[1];
    /* All candidates and those that fill their vectors are tried in the columns `inner`..`outer` - 1. */
    const int inner = pitch - 1 + p->min_disparity, outer = width + p->min_disparity;
    const vec untried = NAME(all)(SV_SGM_UNTRIED);
    vec before[NAME(at_once)], centre[NAME(at_once)];
    size_t offset[NAME(at_once)];
    for (int v = 0; v < vectors; v++) {
        before[v] = centre[v] = untried;
        offset[v] = (size_t)((first + v) / in_group * SGM_LANE) + (size_t)((first + v) % in_group * ROWS) * p->line;
    }
    sums += first * V;
    for (int x = 0; x < width; x++) {
        const vec own_census = NAME(all)(census[x]), own_gradient = NAME(all)(gradient[x]);
        const uint32_t where = p->where[width - 1 + SGM_ENTRY - x];
        for (int v = 0; v < vectors; v++) {
            const size_t at = where + offset[v];
            vec found = NAME(mismatch)(NAME(xor)(own_census, NAME(gather)(other_census + at, line)),
                                       NAME(apart)(own_gradient, NAME(gather)(other_gradient + at, line)));
            if (x < inner || x >= outer)
                found = NAME(xor)(untried, NAME(and)(NAME(gather)(inside + at, line), NAME(xor)(found, untried)));
            /* With the column before as the centre. */
            if (x > 0)
                NAME(store)(sums + v * V, NAME(add)(NAME(add)(before[v], centre[v]), found));
            else
                centre[v] = found;
            before[v] = centre[v];
            centre[v] = found;
        }
        if (x > 0) sums += pitch;
    }
    for (int v = 0; v < vectors; v++) NAME(store)(sums + v * V, NAME(add)(NAME(add)(before[v], centre[v]), centre[v]));
}

/* Computes the costs of a block from the `sums` of its rows and of those above and below it. `costs`: where those of
 * each row begin. */
FN void NAME(cost_some)(const sgm_plan *p, uint8_t *const sums[SGM_ROWS + 2], uint8_t *const costs[SGM_ROWS], int lanes,
                        int phases) {
    const int width = p->width;
    size_t at = 0, step = 0;
    for (int x = 0; x < width; x++, step += (size_t)lanes * SGM_STRIDE) {
        const uint8_t *padding = p->padding;
        for (int g = 0; g < lanes; g += phases)
            for (int v = 0; v < phases; v += ROWS, at += V, padding += V) {
                vec sum[SGM_ROWS + 2];
                for (int i = 0; i < SGM_ROWS + 2; i++) sum[i] = NAME(load)(sums[i] + at);
                for (int i = 0; i < SGM_ROWS; i++) {
                    const vec box = NAME(add)(NAME(add)(sum[i], sum[i + 1]), sum[i + 2]);
                    /* sv_sgm_cost as (box / 16 + 1) / 2, because box + 16 would not fit in a byte. */
                    const vec cost = NAME(max)(NAME(half)(NAME(shift4)(box)), NAME(load)(padding));
                    NAME(scatter)(costs[i] + step + (g + v) * SGM_STRIDE, SGM_STRIDE, cost, phases - v);
                }
            }
    }
}

/* ---- Paths ------------------------------------------------------------------------------------ */

/* Advances the paths through a vector's rows by one pixel, Eq. 13, but for the smallest cost of each, which is left to
 * be found among the bytes of its lane. Inlined, so that `lanes` is a constant for the usual numbers of candidates. */
FN void NAME(advance)(vec *state, const uint8_t *costs, vec p1, vec jump, int lanes, int phases) {
    const vec far = NAME(all)(255), from = state[lanes];
    vec least = far, before = far;
    for (int g = 0; g < lanes; g += phases) {
        const int end = g + phases - 1;
        const vec beyond = NAME(below)(state[g], end < lanes - 1 ? state[end + 1] : far);
        before = NAME(up)(state[end], before);
        for (int v = g; v <= end; v++) {
            const vec own = state[v], after = v < end ? state[v + 1] : beyond;
            const vec aside = NAME(adds)(NAME(min)(before, after), p1);
            const vec cheapest = NAME(min)(NAME(sub)(NAME(min)(own, aside), from), jump);
            state[v] = NAME(add)(cheapest, NAME(load)(costs + v * SGM_STRIDE));
            least = NAME(min)(least, state[v]);
            before = own;
        }
    }
    state[lanes] = least;
}

/* Arranges the `jumps` of the rows of a block, height x width, by steps. Outside the picture it takes what is there, in
 * the plan's other arrays at the ends of these, because paths of zeros do not depend on it. */
FN void NAME(skew)(const sgm_plan *p, const uint8_t *jumps, int block, uint8_t *restrict to) {
    const uint8_t *rows[SGM_ROWS];
    for (int j = 0; j < SGM_ROWS; j++)
        rows[j] = jumps + (ptrdiff_t)(block * SGM_ROWS + sgm_row(p, block, j)) * p->width - SGM_ENTRY + j;
    const uint8_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
    for (int i = 0; i <= p->steps; i++) {
        to[SGM_ROWS * i] = a[i];
        to[SGM_ROWS * i + 1] = b[i];
        to[SGM_ROWS * i + 2] = c[i];
        to[SGM_ROWS * i + 3] = d[i];
    }
}

FN void NAME(sum_some)(const sgm_plan *p, const sgm_space *w, int half, int block, int lanes, int phases) {
    const int width = p->width, steps = p->steps, step = lanes * SGM_STRIDE, pitch = (lanes + 1) * SGM_LANE;
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1), none = NAME(all)(0);
    const uint8_t *const across = w->jumps[0], *const along = w->jumps[1], *const costs = w->costs;
    uint8_t *const sums = w->sums, *const path = p->path[half];
    uint8_t *const kept_costs = p->costs + sgm_block(p, block), *const kept_sums = p->sums + sgm_block(p, block);
    vec state[PARTS][SGM_MOST + 1], vertical[PARTS][SGM_MOST + 1];
    NAME(skew)(p, p->across, block, w->jumps[0]);
    NAME(skew)(p, p->down + half * width, block, w->jumps[1]);
    for (int h = 0; h < PARTS; h++)
        for (int v = 0; v <= lanes; v++) state[h][v] = vertical[h][v] = none;
    for (int i = 0; i < steps; i++) {
        const size_t at = (size_t)i * (size_t)step;
#pragma GCC unroll 2
        for (int h = 0; h < PARTS; h++) NAME(advance)
        (state[h], costs + at + h * V, p1, NAME(spread)(across + i * SGM_ROWS + h * ROWS), lanes, phases);
        for (int h = 0; h < PARTS; h += 2) NAME(least)(&state[h][lanes], &state[h + 1 < PARTS ? h + 1 : h][lanes]);
        for (int v = 0; v < lanes; v++)
            for (int h = 0; h < PARTS; h++) {
                const size_t to = at + (size_t)(v * SGM_STRIDE + h * V);
                NAME(store)(sums + to, state[h][v]);
                NAME(stream)(kept_costs + to, NAME(load)(costs + to));
            }
    }
    for (int h = 0; h < PARTS; h++)
        for (int v = 0; v <= lanes; v++) state[h][v] = none;
    for (int i = steps - 1; i >= 0; i--) {
        const size_t at = (size_t)i * (size_t)step;
        /* A vertical path enters row 0, and leaves the last row at the column that it entered SGM_ENTRY steps ago. */
        const uint8_t *const enter = path + (ptrdiff_t)i * pitch - V + SGM_LANE;
        uint8_t *const leave = path + (ptrdiff_t)(i + SGM_ENTRY) * pitch;
        for (int v = 0; v <= lanes; v++)
            for (int h = PARTS - 1; h >= 0; h--)
                vertical[h][v] =
                    NAME(lanes_up)(vertical[h][v], h > 0 ? vertical[h - 1][v] : NAME(load)(enter + v * SGM_LANE));
#pragma GCC unroll 2
        for (int h = 0; h < PARTS; h++) {
            NAME(advance)
            (state[h], costs + at + h * V, p1, NAME(spread)(across + (i + 1) * SGM_ROWS + h * ROWS), lanes, phases);
            NAME(advance)
            (vertical[h], costs + at + h * V, p1, NAME(spread)(along + i * SGM_ROWS + h * ROWS), lanes, phases);
            NAME(least)(&state[h][lanes], &vertical[h][lanes]);
            for (int v = 0; v < lanes; v++) {
                const size_t to = at + (size_t)(v * SGM_STRIDE + h * V);
                const vec right = NAME(load)(sums + to);
                NAME(stream)(kept_sums + to, NAME(adds)(right, NAME(adds)(state[h][v], vertical[h][v])));
            }
        }
        for (int v = 0; v <= lanes; v++)
            NAME(scatter)(leave + v * SGM_LANE, 0, NAME(lanes_up)(none, vertical[PARTS - 1][v]), 1);
    }
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* Sets the sums of the candidates that are not tried to SGM_NONE, in the vectors of part `h` of the rows at step `i`.
 */
FN void NAME(exclude)(const sgm_plan *p, int i, int h, vec *total, int lanes, int phases) {
    const vec none = NAME(all)(SGM_NONE), tried = NAME(spread)(p->tried + i + h * ROWS);
    const ptrdiff_t line = (ptrdiff_t)p->line;
    /* The last of these rows is the farthest to the right, and so has the first position. */
    const int position = p->width - 1 + SGM_ENTRY - (i - SGM_ENTRY + h * ROWS + ROWS - 1);
    const uint8_t *at = p->inside + p->where[position] + (ROWS - 1) * line;
    for (int g = 0; g < lanes; g += phases, at += SGM_LANE)
        for (int v = 0; v < phases; v++) {
            const vec inside = NAME(gather)(at + v * line, -line);
            total[g + v] = NAME(or)(total[g + v], NAME(xor)(NAME(and)(inside, tried), none));
        }
}

/* The key of a candidate is 256 times its sum plus its number, so that the smallest one is that of the winner. A vector
 * of bytes becomes two of keys.
 *
 * The smallest keys of the right picture's pixels slide through vectors, in which each is in the place of the candidate
 * of the current pixel that leads to it: candidate k of column x belongs to the same right pixel as candidate k + 1 of
 * column x + 1. When a key has slid out of its group it is complete; storing the last lane's upper half for every x
 * leaves each key with its last value. */
FN void NAME(finish_some)(const sgm_plan *p, const sgm_space *w, int half, int block, int lanes, int phases) {
    enum { LINE = 64, KEYS = SGM_LANE / 2, AHEAD = 5120 /* bytes */ };
    const int width = p->width, steps = p->steps, step = lanes * SGM_STRIDE, pitch = (lanes + 1) * SGM_LANE;
    const uint8_t *const along = w->jumps[1];
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1), none = NAME(all)(SGM_NONE);
    const uint8_t *costs = p->costs + sgm_block(p, block), *sums = p->sums + sgm_block(p, block);
    /* All candidates of all rows are tried in the steps `inner`..`outer` - 1. */
    const int first = p->count - 1 + p->min_disparity, inner = SGM_ENTRY + (first > 0 ? first : 0);
    const int outer = width + (p->min_disparity < 0 ? p->min_disparity : 0);
    /* Copies, because the compiler takes it that stores of bytes may change what is behind a pointer. */
    uint8_t *const path = p->path[half], *row = w->row;
    uint16_t *const before = w->before, *const best = w->best, *const after = w->after, *const winner = w->winner;
    const int of_row = w->pitch + 1, positions = p->positions, of_keys = lanes / phases * positions;
    const int onward = p->job->params->uniqueness || p->job->confidence || p->job->probe ? step : 0;
    vec vertical[PARTS][SGM_MOST + 1], right[PARTS][SGM_MOST][2], number[SGM_MOST];
    NAME(skew)(p, p->down + half * width, block, w->jumps[1]);
    for (int h = 0; h < PARTS; h++) {
        for (int v = 0; v < lanes; v++) vertical[h][v] = right[h][v][0] = right[h][v][1] = none;
        vertical[h][lanes] = none;
    }
    for (int v = 0; v < lanes; v++) number[v] = NAME(gather)(p->number + v * SGM_LANE, 0);
    for (int i = 0; i < steps; i++, costs += step, sums += step, row += onward) {
        for (int n = 0; n < step; n += LINE) {
            __builtin_prefetch(costs + n + AHEAD, 0, 0);
            __builtin_prefetch(sums + n + AHEAD, 0, 0);
        }
        /* The path enters the last row and leaves row 0. */
        const uint8_t *const enter = path + (ptrdiff_t)(i + SGM_ENTRY) * pitch;
        uint8_t *const leave = path + (ptrdiff_t)i * pitch;
        for (int v = 0; v <= lanes; v++)
            for (int h = 0; h < PARTS; h++)
                vertical[h][v] = NAME(lanes_down)(vertical[h][v], h + 1 < PARTS ? vertical[h + 1][v]
                                                                                : NAME(load)(enter + v * SGM_LANE));
#pragma GCC unroll 2
        for (int h = 0; h < PARTS; h++)
            NAME(advance)(vertical[h], costs + h * V, p1, NAME(spread)(along + i * SGM_ROWS + h * ROWS), lanes, phases);
        for (int h = 0; h < PARTS; h += 2)
            NAME(least)(&vertical[h][lanes], &vertical[h + 1 < PARTS ? h + 1 : h][lanes]);
        for (int v = 0; v <= lanes; v++) NAME(scatter)(leave + v * SGM_LANE, 0, vertical[0][v], 1);

#pragma GCC unroll 2
        for (int h = 0; h < PARTS; h++) {
            vec total[SGM_MOST];
            for (int v = 0; v < lanes; v++)
                total[v] = NAME(adds)(vertical[h][v], NAME(load)(sums + v * SGM_STRIDE + h * V));
            if (i < inner || i >= outer) NAME(exclude)(p, i, h, total, lanes, phases);
            for (int v = 0; v < lanes; v++) NAME(store)(row + v * SGM_STRIDE + h * V, total[v]);

            uint32_t found[ROWS] = {0}, from[ROWS] = {0};
            for (int g = 0; g < lanes; g += phases) {
                const vec *const last = right[h][g + phases - 1];
                vec least_key = none, low_before = NAME(up_low)(last[0]), high_before = NAME(up_high)(last[0], last[1]);
                for (int v = g; v < g + phases; v++) {
                    const vec low = NAME(zip_low)(number[v], total[v]), high = NAME(zip_high)(number[v], total[v]);
                    const vec own_low = right[h][v][0], own_high = right[h][v][1];
                    least_key = NAME(min_keys)(least_key, NAME(min_keys)(low, high));
                    right[h][v][0] = NAME(min_keys)(low, low_before);
                    right[h][v][1] = NAME(min_keys)(high, high_before);
                    low_before = own_low;
                    high_before = own_high;
                }
                /* Row j is at column i - SGM_ENTRY + j. */
                uint16_t *const to = w->right + h * ROWS * of_keys + g / phases * positions + width - 1 + SGM_ENTRY -
                                     (i - SGM_ENTRY + h * ROWS) + (g + phases) * SGM_LANE - KEYS;
                NAME(scatter)((uint8_t *)to, (ptrdiff_t)sizeof *to * (of_keys - 1), last[1], ROWS);
                uint32_t keys[ROWS];
                NAME(least_keys)(least_key, keys);
                for (int l = 0; l < ROWS; l++) {
                    if (g && keys[l] / 256 >= found[l] / 256) continue;
                    found[l] = keys[l];
                    from[l] = (uint32_t)(g * SGM_LANE);
                }
            }
            for (int l = 0; l < ROWS; l++) {
                const int j = h * ROWS + l, at = j * of_row + i;
                const uint32_t k = found[l] % 256 + from[l];
                best[at] = (uint16_t)(found[l] / 256);
                winner[at] = (uint16_t)k;
                before[at] = row[j * SGM_LANE + p->place[k]];
                after[at] = row[j * SGM_LANE + p->place[k + 2]];
            }
        }
    }
    /* The first positions of each group, whose keys are still in the vectors. */
    for (int h = 0; h < PARTS; h++)
        for (int v = 0; v < lanes; v++) {
            uint16_t keys[2][V / 2];
            NAME(store)((uint8_t *)keys[0], right[h][v][0]);
            NAME(store)((uint8_t *)keys[1], right[h][v][1]);
            for (int n = 0; n < V; n++) {
                const int j = h * ROWS + n / SGM_LANE, k = p->candidate[v * SGM_LANE + n % SGM_LANE];
                w->right[j * of_keys + v / phases * positions + SGM_ENTRY - j + k] =
                    keys[n / KEYS % 2][n / SGM_LANE * KEYS + n % KEYS];
            }
        }
}

SGM_TARGET static void NAME(find_second)(const sgm_plan *p, sgm_space *w) {
    const int steps = p->steps, step = (int)sgm_step(p);
    /* Without the winners and their neighbours; first of all pixels, because a vector that was just written in parts
     * takes long to load. */
    for (int j = 0; j < SGM_ROWS; j++)
        for (int i = 0; i < steps; i++) {
            const int winner = w->winner[j * (w->pitch + 1) + i];
            for (int k = winner > 0 ? winner - 1 : 0; k <= winner + 1 && k < p->count; k++)
                w->row[i * step + j * SGM_LANE + p->place[k + 1]] = SGM_NONE;
        }
    for (int i = 0; i < steps; i++) {
        uint8_t found[SGM_STRIDE];
        vec second[PARTS];
        for (int h = 0; h < PARTS; h++) {
            second[h] = NAME(all)(SGM_NONE);
            for (int k = h * V; k < step; k += SGM_STRIDE)
                second[h] = NAME(min)(second[h], NAME(load)(w->row + i * step + k));
        }
        for (int h = 0; h < PARTS; h += 2) NAME(least)(&second[h], &second[h + 1 < PARTS ? h + 1 : h]);
        for (int h = 0; h < PARTS; h++) NAME(store)(found + h * V, second[h]);
        for (int j = 0; j < SGM_ROWS; j++)
            w->second[j * (w->pitch + 1) + i] = found[j * SGM_LANE] < SGM_NONE ? found[j * SGM_LANE] : SGM_NONE_16;
    }
}

/* Reads the winners of the right picture from what finish_block stored. */
SGM_TARGET static void NAME(read_right)(const sgm_plan *p, const sgm_space *w, int j, int16_t *restrict winners) {
    const int width = p->width, start = width - 1 - p->min_disparity; /* column x is SGM_ENTRY after start - x */
    const int size = p->phases * SGM_LANE, all = p->lanes * SGM_LANE;
    uint16_t *restrict best = w->second; /* not yet in use */
    for (int x = 0; x < width; x++) winners[x] = -1;
    for (int x = 0; x < width; x++) best[x] = SGM_NONE;
    for (int first = 0; first < all; first += size) {
        const uint16_t *restrict keys = w->right + (j * all + first) / size * p->positions + SGM_ENTRY + start;
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
SGM_TARGET static void NAME(decide_row)(const sgm_plan *p, const sgm_space *w, int j, int y) {
    const int width = p->width, from = j * w->pitch + SGM_ENTRY;
    int16_t *restrict winners = p->job->winner[0] + (size_t)y * (size_t)width;
    const uint16_t *restrict before = w->before + from, *restrict best = w->best + from;
    const uint16_t *restrict after = w->after + from, *restrict winner = w->winner + from;
    float *restrict disparity = sv_row(p->job->disparity, y);
    uint8_t *restrict reason = sv_row(p->job->reason, y);
    const float subpixel = p->job->params->subpixel ? 1.0f : 0.0f;
    const int least = p->min_disparity, last = p->count - 1;
    for (int x = 0; x < width; x++) winners[x] = (int16_t)(best[x] < SGM_NONE ? winner[x] : -1);
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

/* Usual numbers of lanes, or of vectors, are constants, so that the state stays in registers. */
#define SOME(count)                                                                                                    \
    switch (ROWS > 1 || count <= 8 ? count : 0) {                                                                      \
    case 1: CALL(1, 1); break;                                                                                         \
    case 2: CALL(2, 2); break;                                                                                         \
    case 3: CALL(3, 3); break;                                                                                         \
    case 4: CALL(4, 4); break;                                                                                         \
    case 5: CALL(5, 5); break;                                                                                         \
    case 6: CALL(6, 6); break;                                                                                         \
    case 8: CALL(8, 8); break;                                                                                         \
    case 12: CALL(12, 12); break;                                                                                      \
    case 16: CALL(16, 16); break;                                                                                      \
    default: CALL(count, p->phases);                                                                                   \
    }

SGM_TARGET static void NAME(mismatch_row)(const sgm_plan *p, const sgm_space *w, uint8_t *sums, int y) {
    for (int i = 0; i < 2; i++) {
#define CALL(n, m) NAME(divide)(p, w, i ? p->other_gradient : p->other_census, w->lines[i], y, m)
        SOME(p->lanes)
#undef CALL
    }
    for (int first = 0; first < p->vectors; first += NAME(at_once)) {
        switch (p->vectors - first) {
        case 1: NAME(mismatch_some)(p, w, sums, y, first, 1); break;
        case 2: NAME(mismatch_some)(p, w, sums, y, first, 2); break;
        case 3: NAME(mismatch_some)(p, w, sums, y, first, 3); break;
        default: NAME(mismatch_some)(p, w, sums, y, first, NAME(at_once));
        }
    }
}

SGM_TARGET static void NAME(cost_block)(const sgm_plan *p, sgm_space *w, int block) {
    uint8_t *rows[SGM_ROWS + 2], *costs[SGM_ROWS];
    for (int i = 0; i < SGM_ROWS + 2; i++) {
        const int y = sv_clamp(block * SGM_ROWS + i - 1, p->height), slot = y % (SGM_ROWS + 2);
        rows[i] = w->mismatches[slot];
        if (w->held[slot] == y) continue;
        w->held[slot] = y;
        NAME(mismatch_row)(p, w, rows[i], y);
    }
    for (int i = 0; i < SGM_ROWS; i++) {
        const int j = sgm_row(p, block, i);
        costs[i] = w->costs + (size_t)(SGM_ENTRY - j) * sgm_step(p) + j * SGM_LANE;
    }
#define CALL(n, m) NAME(cost_some)(p, rows, costs, n, m)
    SOME(p->lanes)
#undef CALL
    for (int i = p->height - block * SGM_ROWS; i < SGM_ROWS; i++)
        for (int n = 0; n < p->width * p->lanes; n++) memset(costs[i] + n * SGM_STRIDE, 0, SGM_LANE);
}

SGM_TARGET static void NAME(sum_block)(const sgm_plan *p, const sgm_space *w, int half, int block) {
#define CALL(n, m) NAME(sum_some)(p, w, half, block, n, m)
    SOME(p->lanes)
#undef CALL
    NAME(end_streams)();
}

SGM_TARGET static void NAME(finish_block)(const sgm_plan *p, sgm_space *w, int half, int block) {
#define CALL(n, m) NAME(finish_some)(p, w, half, block, n, m)
    SOME(p->lanes)
#undef CALL
}

static const sgm_loops NAME(loops) = {
    V, NAME(cost_block), NAME(sum_block), NAME(finish_block), NAME(find_second), NAME(read_right), NAME(decide_row)};

#undef SOME
#undef ROWS
#undef PARTS

#include "cpu/sgm_end.h"
