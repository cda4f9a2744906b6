/* How sure a match is, 0 to 255, from measures that both backends compute exactly. No measure is good alone; together
 * they order matches nearly as their errors do (BENCHMARKS.md). */
#ifndef STEREO_CONFIDENCE_H
#define STEREO_CONFIDENCE_H

#include "stereo/pixel.h"

enum {
    SV_CONFIDENCE_RADIUS = 4, /* of the window in which disparities are compared */
    SV_EVIDENCE = 128,        /* the most that costs add */
    SV_DOUBT_CHECK = 128,     /* the most that the right map subtracts */
    SV_DOUBT_AROUND = 120     /* and the disparities around the match */
};

/* What sgm's sums add, 0 to SV_EVIDENCE: how far the second best candidate, one that does not neighbour the winner, is
 * behind, up to 24, and how small the winner's sum is, up to 80. `second` SV_NO_COST: there is none. */
SV_PIXEL int sv_sgm_evidence(uint32_t best, uint32_t second) {
    const int own = (int)best, margin = second == SV_NO_COST ? 0 : (int)(second - best);
    return 2 * (margin < 24 ? margin : 24) + 80 - (own < 80 ? own : 80);
}

/* How far the right map's candidate at the match is from the winner, in candidates: at most `steps` times 8, which also
 * stands for none. `match`: the column of the right picture, which may be outside; `backs`: the right map's row. */
SV_PIXEL int sv_confidence_apart(int winner, const int16_t *backs, int match, int width, int steps) {
    const int back = match >= 0 && match < width ? backs[match] : -1;
    const int apart = back < winner ? winner - back : back - winner, most = 8 * steps;
    return back >= 0 && apart < most ? apart : most;
}

/* The confidence of a match. `evidence`: 0 to `most`, which is SV_EVIDENCE, or 0 for methods that give none; `apart`:
 * sv_confidence_apart. `n`, `sum`, `squares`: how many pixels of the window have a winner, and the sums of those
 * winners and of their squares, from which their standard deviation counts up to 20 pixels. */
SV_PIXEL int sv_confidence(int evidence, int most, int apart, int n, int sum, int64_t squares, int steps) {
    const int64_t variance = n * squares - (int64_t)sum * sum; /* times n^2 */
    const float deviation = 6.0f * sqrtf((float)variance) / (float)(n * steps);
    const int around = deviation < (float)SV_DOUBT_AROUND ? (int)deviation : SV_DOUBT_AROUND;
    const int doubts = SV_DOUBT_CHECK + SV_DOUBT_AROUND;
    return (evidence + doubts - 16 / steps * apart - around) * 255 / (most + doubts);
}

#endif
