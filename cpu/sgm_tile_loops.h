/* The loops over one tile of semi-global matching, for the instructions SGM_SET: see sgm_vectors.h. */
#include "cpu/sgm_tiles.h"
#include "cpu/sgm_vectors.h"

/* ---- Costs ------------------------------------------------------------------------------------ */

/* Computes the mismatches of row `y` from column `x` on. `edge`: some of the candidates have no pixel. */
FN void NAME(mismatch_columns)(const sgm_tiles *p, uint8_t *mismatches, int y, int x, bool edge) {
    const size_t row = (size_t)y * p->line + (size_t)(1 + x), offset = (size_t)(p->margin + x);
    const uint8_t *other_census = p->other_census + (size_t)y * p->other + offset;
    const uint8_t *other_gradient = p->other_gradient + (size_t)y * p->other + offset;
    const int count = p->count; /* a copy, so that the compiler knows that stores do not modify it */
    const uint8_t *inside = p->inside + offset;
    const vec untried = NAME(all)(SV_SGM_UNTRIED);
    const vec census = NAME(load)(p->census + row), gradient = NAME(load)(p->gradient + row);
    for (int k = 0; k < count; k++) {
        vec found = NAME(mismatch)(NAME(xor)(census, NAME(load)(other_census - k)),
                                   NAME(apart)(gradient, NAME(load)(other_gradient - k)));
        if (edge) {
            found = NAME(xor)(untried, NAME(and)(NAME(load)(inside - k), NAME(xor)(found, untried)));
        }
        NAME(store)(mismatches + k * V, found);
    }
}

/* Computes the costs of a tile. Columns outside the picture have the mismatches of the nearest one. */
FN void NAME(cost_tile)(const sgm_tiles *p, sgm_tile_space *w, const sgm_tile *tile, bool edge) {
    const int count = p->count, y = tile->y, x = tile->x - 1, past = p->width - x; /* lane after the last column */
    for (int i = 0; i < 3; i++) w->held[i] = -1;
    for (int r = 0; r < tile->rows; r++) {
        const uint8_t *boxes[3];
        for (int i = 0; i < 3; i++) {
            const int from = sv_clamp(y + r + i - 1, p->height), slot = from % 3;
            uint8_t *const box = w->boxes[slot], *const mismatches = w->mismatches;
            boxes[i] = box;
            if (w->held[slot] == from) continue;
            w->held[slot] = from;
            NAME(mismatch_columns)(p, mismatches, from, x, edge);
            for (int k = 0; x < 0 && k < count; k++) mismatches[k * V] = mismatches[k * V + 1];
            for (int k = 0; past < V && k < count; k++) mismatches[k * V + past] = mismatches[k * V + past - 1];
            for (int k = 0; k < count; k++) {
                const uint8_t *const at = mismatches + k * V;
                NAME(store)(box + k * V, NAME(add)(NAME(add)(NAME(load)(at - 1), NAME(load)(at)), NAME(load)(at + 1)));
            }
        }
        uint8_t *const costs = w->costs + (size_t)r * p->block;
        for (int k = 0; k < count * V; k += V) {
            const vec sum =
                NAME(add)(NAME(add)(NAME(load)(boxes[0] + k), NAME(load)(boxes[1] + k)), NAME(load)(boxes[2] + k));
            /* sv_sgm_cost as (sum / 16 + 1) / 2, because sum + 16 would not fit in a byte. */
            NAME(store)(costs + k, NAME(half)(NAME(shift4)(sum)));
        }
    }
}

/* ---- Transposition ---------------------------------------------------------------------------- */

/* Stores 16 columns of V rows, which are `from_stride` bytes apart, as 16 vectors, which are `to_stride` bytes apart.
 * It is not inlined, because compilers would need more registers for the addresses of the rows than there are. */
SGM_TARGET static __attribute__((noinline)) void NAME(transpose_columns)(const uint8_t *from, size_t from_stride,
                                                                         uint8_t *to, size_t to_stride) {
    vec a[16], b[16];
    /* Byte i of the 16-byte lane l of a[j] is column i of row 16 l + j. */
    for (int j = 0; j < 16; j++, from += from_stride) a[j] = NAME(gather)(from, 16 * (ptrdiff_t)from_stride);
        /* The number of a vector and the position in a lane have 4 bits each. A round rotates these 8 bits by one. */
#define ROUND(a, b)                                                                                                    \
    for (int j = 0; j < 8; j++) {                                                                                      \
        b[2 * j] = NAME(zip_low)(a[j], a[j + 8]);                                                                      \
        b[2 * j + 1] = NAME(zip_high)(a[j], a[j + 8]);                                                                 \
    }
    ROUND(a, b)
    ROUND(b, a)
    ROUND(a, b)
    ROUND(b, a)
#undef ROUND
    for (int j = 0; j < 16; j++, to += to_stride) NAME(store)(to, a[j]);
}

/* Stores the bytes at `from`, V rows, as V columns. */
FN void NAME(transpose)(const uint8_t *from, size_t from_stride, uint8_t *to, size_t to_stride) {
    for (int i = 0; i < V; i += 16)
        NAME(transpose_columns)(from + i, from_stride, to + (size_t)i * to_stride, to_stride);
}

SGM_TARGET static void NAME(transpose_blocks)(const sgm_tiles *p, const uint8_t *from, uint8_t *to) {
    for (int k = 0; k < p->count; k++) NAME(transpose)(from + k * V, p->block, to + k * V, p->block);
}

/* ---- Paths ------------------------------------------------------------------------------------ */

/* What else becomes of path costs, besides the state: nothing, they are the sums, or they are added to the sums. */
enum { NAME(keep), NAME(set), NAME(add_to) };

/* Advances the paths through V pixels by one pixel, Eq. 13. The next one's costs and sums are `ahead` bytes away. */
FN void NAME(advance)(uint8_t *state, const uint8_t *costs, vec jump, vec p1, int count, uint8_t *sums, int how,
                      ptrdiff_t ahead) {
    const vec far = NAME(all)(255), from = NAME(load)(state + (count + 1) * V), limit = NAME(add)(from, jump);
    vec before = far, own = NAME(load)(state), least = far;
    for (int k = 0; k < count * V; k += V) {
        __builtin_prefetch(costs + k + ahead);
        if (how != NAME(keep)) __builtin_prefetch(sums + k + ahead, 1);
        const vec after = NAME(load)(state + k + V);
        const vec aside = NAME(adds)(NAME(min)(before, after), p1);
        const vec cheapest = NAME(sub)(NAME(min)(NAME(min)(own, aside), limit), from);
        const vec now = NAME(add)(cheapest, NAME(load)(costs + k));
        NAME(store)(state + k, now);
        if (how == NAME(set)) NAME(store)(sums + k, now);
        if (how == NAME(add_to)) NAME(store)(sums + k, NAME(add)(NAME(load)(sums + k), now));
        least = NAME(min)(least, now);
        before = own;
        own = after;
    }
    NAME(store)(state + (count + 1) * V, least);
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* Finds the winners of the left picture in a row of a tile. The totals are `sums`, of three paths, plus the last path,
 * at `state`. `excluded`: 255 in the lanes that are not columns of the tile. */
FN void NAME(choose_left)(const sgm_tiles *p, sgm_tile_space *w, const uint8_t *sums, const uint8_t *state,
                          vec excluded, int x, bool edge) {
    const vec far = NAME(all)(255), one = NAME(all)(1);
    const uint8_t *inside = p->inside + p->margin + x;
    uint8_t *totals = w->totals + V;
    const int count = p->count;
    vec best = far, low = NAME(all)(0), high = low, before = far, after = far, number = low;
    vec last = far, last_best = far;
    for (int k = 0; k < count; k++) {
        vec total = NAME(or)(NAME(add)(NAME(load)(sums + k * V), NAME(load)(state + k * V)), excluded);
        if (edge) total = NAME(or)(total, NAME(xor)(far, NAME(load)(inside - k)));
        NAME(store)(totals + 2 * k * V, total);
        after = NAME(below_chooses)(last, last_best, total, after);
        before = NAME(below_chooses)(total, best, last, before);
        low = NAME(below_chooses)(total, best, number, low);
        if (count > 256) high = NAME(below_chooses)(total, best, NAME(all)((uint8_t)(k / 256)), high);
        last = total;
        last_best = best;
        best = NAME(min)(best, total);
        number = NAME(add)(number, one);
    }
    after = NAME(below_chooses)(last, last_best, far, after);
    NAME(store)(w->best, best);
    NAME(store)(w->low, low);
    NAME(store)(w->high, high);
    NAME(store)(w->before, before);
    NAME(store)(w->after, after);
}

/* Finds the second best sums from the totals. */
FN void NAME(find_second)(const sgm_tiles *p, sgm_tile_space *w) {
    const vec far = NAME(all)(255);
    const uint8_t *totals = w->totals + V;
    vec best = far, last = far, last_best = far, farther = far; /* farther: the least but for the last one */
    vec second = far;
    for (int k = 0; k < p->count; k++) {
        const vec total = NAME(load)(totals + 2 * k * V);
        /* The last one is the winner so far, and this one its neighbour; or this one may be the second best. */
        const vec beside = NAME(below_chooses)(last, last_best, second, NAME(min)(second, total));
        second = NAME(below_chooses)(total, best, farther, beside);
        farther = NAME(min)(farther, last);
        last_best = best;
        best = NAME(min)(best, total);
        last = total;
    }
    NAME(store)(w->second, second);
}

/* Merges the row of a tile into the winners of the right picture. A tile comes after those to its right, so a right
 * pixel gets its candidates in descending order; of equal sums, the last one wins, which has the smallest candidate. */
FN void NAME(choose_right)(const sgm_tiles *p, const sgm_tile_space *w, int y, int x) {
    const size_t row = (size_t)y * p->other + (size_t)(p->margin + x);
    const int count = p->count;
    for (int shift = 0; shift < count - 1 + V; shift += V) {
        uint8_t *const right = p->right + row - shift, *const right_low = p->right_low + row - shift;
        uint8_t *const right_high = p->right_high + row - shift;
        const int first = shift >= V ? shift - V + 1 : 0;
        const int last = shift + V - 1 < count - 1 ? shift + V - 1 : count - 1;
        vec best = NAME(load)(right), low = NAME(load)(right_low);
        vec high = count > 256 ? NAME(load)(right_high) : low;
        /* The next row is the one above. */
        __builtin_prefetch(right - p->other, 1);
        __builtin_prefetch(right_low - p->other, 1);
        if (count > 256) __builtin_prefetch(right_high - p->other, 1);
        const uint8_t *const totals = w->totals + V - shift;
        vec number = NAME(all)((uint8_t)last);
        for (int k = last; k >= first; k--) {
            const vec total = NAME(load)(totals + (2 * V + 1) * k);
            low = NAME(below_chooses)(best, total, low, number);
            if (count > 256) high = NAME(below_chooses)(best, total, high, NAME(all)((uint8_t)(k / 256)));
            best = NAME(min)(best, total);
            number = NAME(sub)(number, NAME(all)(1));
        }
        NAME(store)(right, best);
        NAME(store)(right_low, low);
        if (count > 256) NAME(store)(right_high, high);
    }
}

/* Writes the winners and disparities of row `y` of a tile, as decide_row does. */
FN void NAME(decide_columns)(const sgm_tiles *p, const sgm_tile_space *w, const sgm_tile *tile, int y) {
    int16_t *restrict winners = p->job->winner[0] + (size_t)y * (size_t)p->width + tile->x;
    float *restrict disparity = (float *)sv_row(p->job->disparity, y) + tile->x;
    uint8_t *restrict reason = (uint8_t *)sv_row(p->job->reason, y) + tile->x;
    const uint8_t *restrict best = w->best + 1, *restrict low = w->low + 1, *restrict high = w->high + 1;
    const uint8_t *restrict before = w->before + 1, *restrict after = w->after + 1;
    const float subpixel = p->job->params->subpixel ? 1.0f : 0.0f;
    const int least = p->min_disparity, columns = tile->columns;
    for (int i = 0; i < columns; i++) winners[i] = (int16_t)(best[i] < SGM_NONE ? 256 * high[i] + low[i] : -1);
    for (int i = 0; i < columns; i++) {
        const bool between = (before[i] != SGM_NONE) & (after[i] != SGM_NONE);
        const int own = best[i], lower = between ? before[i] : own, upper = between ? after[i] : own;
        const float found = sv_disparity(least, winners[i], subpixel * sv_equiangular(lower, own, upper), 1);
        disparity[i] = winners[i] < 0 ? INFINITY : found;
    }
    for (int i = 0; i < columns; i++) reason[i] = best[i] < SGM_NONE ? SV_VALID : SV_BORDER;
}

/* ---- Tiles ------------------------------------------------------------------------------------ */

/* Computes the costs of a tile, by row and by column. */
FN void NAME(begin_tile)(const sgm_tiles *p, sgm_tile_space *w, const sgm_tile *tile) {
    if (tile->edge)
        NAME(cost_tile)(p, w, tile, true);
    else
        NAME(cost_tile)(p, w, tile, false);
    NAME(transpose_blocks)(p, w->costs, w->transposed);
    NAME(transpose)(p->across + (size_t)tile->y * p->line + (size_t)tile->x, p->line, w->jumps, V);
}

SGM_TARGET static void NAME(enter)(const sgm_tiles *p, sgm_tile_space *w, const sgm_tile *tile) {
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1);
    const size_t block = p->block;
    NAME(begin_tile)(p, w, tile);
    memcpy(tile->right, tile->left, block);
    for (int i = 1; i <= tile->columns; i++) NAME(advance)
    (tile->right, w->transposed + (size_t)i * block, NAME(load)(w->jumps + i * V), p1, p->count, NULL, NAME(keep),
     (ptrdiff_t)block);
    memcpy(tile->below, tile->above, block);
    const uint8_t *down = p->down + (size_t)tile->y * p->line + (size_t)tile->x;
    for (int i = 0; i < tile->rows; i++, down += p->line) NAME(advance)
    (tile->below, w->costs + (size_t)i * block, NAME(load)(down), p1, p->count, NULL, NAME(keep), (ptrdiff_t)block);
}

SGM_TARGET static void NAME(finish)(const sgm_tiles *p, sgm_tile_space *w, const sgm_tile *tile) {
    const vec p1 = NAME(all)((uint8_t)p->job->params->p1);
    const ptrdiff_t block = (ptrdiff_t)p->block, line = (ptrdiff_t)p->line;
    const int count = p->count;
    NAME(begin_tile)(p, w, tile);
    memcpy(w->state, tile->left, p->block);
    for (int i = 1; i <= tile->columns; i++) NAME(advance)
    (w->state, w->transposed + i * block, NAME(load)(w->jumps + i * V), p1, count, w->sums + i * block, NAME(set),
     block);
    for (int i = tile->columns; i > 0; i--) NAME(advance)
    (tile->back, w->transposed + i * block, NAME(load)(w->jumps + (i + 1) * V), p1, count, w->sums + i * block,
     NAME(add_to), -block);
    NAME(transpose_blocks)(p, w->sums, w->transposed);

    memcpy(w->state, tile->above, p->block);
    const uint8_t *down = p->down + (ptrdiff_t)tile->y * line + tile->x;
    for (int i = 0; i < tile->rows; i++) NAME(advance)
    (w->state, w->costs + i * block, NAME(load)(down + i * line), p1, count, w->transposed + i * block, NAME(add_to),
     block);
    uint8_t lanes[V];
    for (int i = 0; i < V; i++) lanes[i] = i > 0 && i <= tile->columns ? 0 : SGM_NONE;
    const vec excluded = NAME(load)(lanes);
    for (int i = tile->rows - 1; i >= 0; i--) {
        const int y = tile->y + i, from = y + 1 < p->height ? i + 1 : i;
        NAME(advance)
        (tile->up, w->costs + i * block, NAME(load)(down + from * line), p1, count, NULL, NAME(keep), -block);
        NAME(choose_left)(p, w, w->transposed + i * block, tile->up, excluded, tile->x - 1, tile->edge);
        NAME(decide_columns)(p, w, tile, y);
        if (p->job->winner[1]) NAME(choose_right)(p, w, y, tile->x - 1);
        if (compares_second(p->job)) NAME(find_second)(p, w);
        examine_columns(p, w, tile, y);
    }
}

static const sgm_tile_loops NAME(tile_loops) = {V, NAME(enter), NAME(finish)};

#include "cpu/sgm_end.h"
