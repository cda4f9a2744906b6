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
 * Memory: a byte for the cost and two for the sum of every pixel and candidate. */
#include "stereo/sgm.h"
#include "cpu/cpu.h"

#include <omp.h>
#include <string.h>

enum { FAR = 255 }; /* above any path's cost and what may be added to it */

typedef struct plan {
    const cpu_job *job;
    int width, height, min_disparity, count;
    uint8_t *census[2];  /* left, right: height x width */
    int8_t *gradient[2]; /* height x width */
    uint8_t *costs;      /* height x width x count */
    uint16_t *sums;      /* height x width x count */
    uint8_t *path[2];    /* width x (count + 2), of a row and the one before; each with a FAR on either side */
    uint8_t *least[2];   /* width: the least of each */
    uint8_t jump[256];   /* sv_sgm_jump by grey step */
    char *workspaces;    /* threads x workspace_size */
    size_t workspace_size;
} plan;

/* What a thread works in; one stage uses it at a time. */
typedef struct workspace {
    uint8_t *mismatches;    /* width x count, of one row */
    uint8_t *box;           /* width x count: sums over 3 x 3 pixels, at most 243 */
    uint8_t *path[2];       /* count + 2, as above */
    uint16_t *right_sums;   /* width: the least sum of each right pixel */
    int16_t *right_winners; /* width */
} workspace;

static size_t lay_out_workspace(workspace *w, void *base, const plan *p) {
    const size_t width = (size_t)p->width, count = (size_t)p->count;
    size_t used = 0;
    w->mismatches = cpu_carve(base, &used, width * count);
    w->box = cpu_carve(base, &used, width * count);
    for (int i = 0; i < 2; i++) w->path[i] = cpu_carve(base, &used, count + 2);
    w->right_sums = cpu_carve(base, &used, sizeof(uint16_t) * width);
    w->right_winners = cpu_carve(base, &used, sizeof(int16_t) * width);
    return used;
}

static size_t lay_out(plan *p, void *base, int threads) {
    const size_t width = (size_t)p->width, count = (size_t)p->count, pixels = width * (size_t)p->height;
    size_t used = 0;
    for (int i = 0; i < 2; i++) {
        p->census[i] = cpu_carve(base, &used, pixels);
        p->gradient[i] = cpu_carve(base, &used, pixels);
        p->path[i] = cpu_carve(base, &used, width * (count + 2));
        p->least[i] = cpu_carve(base, &used, width);
    }
    p->costs = cpu_carve(base, &used, pixels * count);
    p->sums = cpu_carve(base, &used, sizeof(uint16_t) * pixels * count);
    p->workspaces = cpu_carve(base, &used, p->workspace_size * (size_t)threads);
    return used;
}

/* Candidates of the pixel at (x, y) in a volume. */
static inline size_t cell(const plan *p, int x, int y) {
    return ((size_t)y * (size_t)p->width + (size_t)x) * (size_t)p->count;
}

/* ---- Costs ------------------------------------------------------------------------------------ */

/* Row `y` of `census` and `gradient`. */
static void describe_row(const plan *p, int side, int y) {
    const sv_image *picture = side ? p->job->right : p->job->left;
    const int width = p->width, height = p->height, distance = sv_census_distance(p->job->params->census);
    const uint8_t *grey = sv_row(picture, y);
    const uint8_t *above = sv_row(picture, sv_clamp(y - 1, height)), *below = sv_row(picture, sv_clamp(y + 1, height));
    for (int x = 0; x < width; x++) {
        int bits = 0;
        for (int j = -1; j <= 1; j++) {
            const uint8_t *row = sv_row(picture, sv_clamp(y + j * distance, height));
            for (int i = -1; i <= 1; i++)
                if (i || j) bits = 2 * bits + sv_census_bit(row[sv_clamp(x + i * distance, width)], grey[x]);
        }
        p->census[side][(size_t)y * (size_t)width + (size_t)x] = (uint8_t)bits;
        p->gradient[side][(size_t)y * (size_t)width + (size_t)x] = (int8_t)sv_sgm_gradient(above[x], below[x]);
    }
}

static void mismatch_row(const plan *p, const workspace *w, int y) {
    const int width = p->width, count = p->count;
    const size_t row = (size_t)y * (size_t)width;
    const uint8_t *census = p->census[0] + row, *other = p->census[1] + row;
    const int8_t *gradient = p->gradient[0] + row, *other_gradient = p->gradient[1] + row;
    memset(w->mismatches, SV_SGM_UNTRIED, (size_t)width * (size_t)count);
    for (int x = 0; x < width; x++) {
        uint8_t *mismatches = w->mismatches + (size_t)x * (size_t)count;
        const int first = sv_first_candidate(x, width, p->min_disparity, 1, 0);
        const int last = sv_last_candidate(x, width, p->min_disparity, 1, count, 0);
        for (int k = first; k <= last; k++) {
            const int match = x - p->min_disparity - k;
            mismatches[k] = (uint8_t)sv_sgm_mismatch(__builtin_popcount((unsigned)(census[x] ^ other[match])),
                                                     gradient[x], other_gradient[match]);
        }
    }
}

/* Row `y` of `costs`. Rows and columns beyond the edge are as those at the edge. */
static void cost_row(const plan *p, const workspace *w, int y) {
    const int width = p->width, count = p->count;
    memset(w->box, 0, (size_t)width * (size_t)count);
    for (int j = -1; j <= 1; j++) {
        mismatch_row(p, w, sv_clamp(y + j, p->height));
        for (int x = 0; x < width; x++)
            for (int i = -1; i <= 1; i++) {
                const uint8_t *enters = w->mismatches + (size_t)sv_clamp(x + i, width) * (size_t)count;
                uint8_t *restrict box = w->box + (size_t)x * (size_t)count;
                for (int k = 0; k < count; k++) box[k] = (uint8_t)(box[k] + enters[k]);
            }
    }
    uint8_t *restrict costs = p->costs + cell(p, 0, y);
    for (size_t i = 0; i < (size_t)width * (size_t)count; i++) costs[i] = (uint8_t)sv_sgm_cost(w->box[i]);
}

/* ---- Paths ------------------------------------------------------------------------------------ */

/* One pixel of a path, Eq. 13: from the costs of the pixel before, whose least is `least`, to those of this one, whose
 * least is returned. `jump`: of this step; negative where a path begins. */
static uint8_t step(const plan *p, const uint8_t *restrict before, uint8_t *restrict after, size_t at, uint8_t least,
                    int jump) {
    const int count = p->count;
    const uint8_t *restrict costs = p->costs + at, p1 = (uint8_t)p->job->params->p1;
    uint16_t *restrict sums = p->sums + at;
    uint8_t next = FAR;
    const uint8_t limit = (uint8_t)(least + jump);
    for (int k = 0; k < count; k++) {
        uint8_t way = 0;
        if (jump >= 0) {
            /* FAR stays above all others without overflow. */
            const uint8_t near = before[k - 1] < before[k + 1] ? before[k - 1] : before[k + 1];
            const uint8_t aside = (uint8_t)(near < FAR - p1 ? near + p1 : FAR);
            way = before[k] < limit ? before[k] : limit;
            way = (uint8_t)((aside < way ? aside : way) - least);
        }
        after[k] = (uint8_t)(costs[k] + way);
        sums[k] = (uint16_t)(sums[k] + after[k]);
        next = after[k] < next ? after[k] : next;
    }
    return next;
}

/* `jump` of `step` at (x, y) when coming from (from_x, from_y). */
static int jump_at(const plan *p, int x, int y, int from_x, int from_y) {
    if (from_x < 0 || from_x >= p->width || from_y < 0 || from_y >= p->height) return -1;
    const uint8_t *row = sv_row(p->job->left, y), *from = sv_row(p->job->left, from_y);
    const int difference = row[x] - from[from_x];
    return p->jump[difference < 0 ? -difference : difference];
}

/* A path along row `y`, rightwards (`dx` 1) or leftwards (-1). */
static void follow_row(const plan *p, const workspace *w, int y, int dx) {
    uint8_t least = 0;
    for (int i = 0; i < 2; i++) memset(w->path[i], FAR, (size_t)p->count + 2);
    for (int i = 0; i < p->width; i++) {
        const int x = dx > 0 ? i : p->width - 1 - i;
        least =
            step(p, w->path[i % 2] + 1, w->path[(i + 1) % 2] + 1, cell(p, x, y), least, jump_at(p, x, y, x - dx, y));
    }
}

/* The paths in the direction (dx, dy), dy not 0, of all pixels of row `y`. All threads of a team call it together. */
static void follow_rows(const plan *p, int y, int dx, int dy) {
    const size_t pitch = (size_t)p->count + 2;
    const int now = y & 1;
#pragma omp for
    for (int x = 0; x < p->width; x++) {
        const int jump = jump_at(p, x, y, x - dx, y - dy), from = jump < 0 ? 0 : x - dx;
        p->least[now][x] = step(p, p->path[!now] + (size_t)from * pitch + 1, p->path[now] + (size_t)x * pitch + 1,
                                cell(p, x, y), p->least[!now][from], jump);
    }
}

/* ---- Winners ---------------------------------------------------------------------------------- */

/* The left pixel at column `x` of row `y`. */
static void decide(const plan *p, int x, int y) {
    const sv_params *params = p->job->params;
    const uint16_t *sums = p->sums + cell(p, x, y);
    const int first = sv_first_candidate(x, p->width, p->min_disparity, 1, 0);
    const int last = sv_last_candidate(x, p->width, p->min_disparity, 1, p->count, 0);
    float *disparity = (float *)sv_row(p->job->disparity, y) + x, offset = 0;
    uint8_t *reason = (uint8_t *)sv_row(p->job->reason, y) + x;
    uint32_t second = SV_NO_COST;
    int winner = -1;
    for (int k = first; k <= last; k++)
        if (winner < 0 || sums[k] < sums[winner]) winner = k;
    p->job->winner[0][(size_t)y * (size_t)p->width + (size_t)x] = (int16_t)winner;
    *disparity = INFINITY;
    *reason = SV_BORDER;
    if (winner < 0) return;
    for (int k = first; params->uniqueness && k <= last; k++)
        if ((k < winner - 1 || k > winner + 1) && sums[k] < second) second = sums[k];
    *reason =
        (uint8_t)sv_judge_cost(sums[winner], SV_NO_COST, sv_ambiguous_costs(sums[winner], second, params->uniqueness));
    if (*reason != SV_VALID) return;
    if (params->subpixel && winner > first && winner < last)
        offset = sv_equiangular(sums[winner - 1], sums[winner], sums[winner + 1]);
    *disparity = sv_disparity(p->min_disparity, winner, offset, 1);
}

/* The right map's winners of row `y`. */
static void decide_right(const plan *p, const workspace *w, int y) {
    memset(w->right_sums, 0xff, sizeof *w->right_sums * (size_t)p->width);
    for (int x = 0; x < p->width; x++) w->right_winners[x] = -1;
    for (int x = 0; x < p->width; x++) {
        const uint16_t *sums = p->sums + cell(p, x, y);
        const int first = sv_first_candidate(x, p->width, p->min_disparity, 1, 0);
        const int last = sv_last_candidate(x, p->width, p->min_disparity, 1, p->count, 0);
        for (int k = first; k <= last; k++) {
            const int match = x - p->min_disparity - k;
            /* As x rises a right pixel meets rising candidates, so the lowest of equals came first. */
            if (sums[k] >= w->right_sums[match]) continue;
            w->right_sums[match] = sums[k];
            w->right_winners[match] = (int16_t)k;
        }
    }
    memcpy(p->job->winner[1] + (size_t)y * (size_t)p->width, w->right_winners,
           sizeof *w->right_winners * (size_t)p->width);
}

/* ---- All of it -------------------------------------------------------------------------------- */

static void match(const plan *p) {
    const int width = p->width, height = p->height;
    const bool diagonals = p->job->params->paths == 8;
#pragma omp parallel num_threads(p->job->threads)
    {
        workspace w;
        lay_out_workspace(&w, p->workspaces + p->workspace_size * (size_t)omp_get_thread_num(), p);
        for (int side = 0; side < 2; side++) {
#pragma omp for
            for (int y = 0; y < height; y++) describe_row(p, side, y);
        }
#pragma omp for schedule(dynamic, 4)
        for (int y = 0; y < height; y++) {
            cost_row(p, &w, y);
            memset(p->sums + cell(p, 0, y), 0, sizeof *p->sums * (size_t)width * (size_t)p->count);
            follow_row(p, &w, y, 1);
            follow_row(p, &w, y, -1);
        }
#pragma omp single
        for (int i = 0; i < 2; i++) memset(p->path[i], FAR, (size_t)width * ((size_t)p->count + 2));
        for (int dx = diagonals ? -1 : 0; dx <= (diagonals ? 1 : 0); dx++) {
            for (int y = 0; y < height; y++) follow_rows(p, y, dx, 1);
            for (int y = height - 1; y >= 0; y--) follow_rows(p, y, dx, -1);
        }
#pragma omp for schedule(dynamic, 4)
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) decide(p, x, y);
            if (p->job->winner[1]) decide_right(p, &w, y);
        }
    }
}

sv_status cpu_match_sgm(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    plan p = {
        .job = job,
        .width = job->width,
        .height = job->height,
        .min_disparity = params->min_disparity,
        .count = sv_candidates(params),
    };
    for (int step = 0; step < 256; step++) p.jump[step] = (uint8_t)sv_sgm_jump(params->p1, params->p2, step);
    workspace w;
    p.workspace_size = lay_out_workspace(&w, NULL, &p);
    void *memory = cpu_reserve(job->scratch, lay_out(&p, NULL, job->threads), error);
    if (!memory) return SV_FAILED;
    lay_out(&p, memory, job->threads);
    match(&p);
    return SV_OK;
}
