/* Averages the scores of several frames, and prints them. */
#include "map/score.h"

void score_add(score_sum *sum, const score *frame) {
    sum->sum.density += frame->density;
    sum->sum.bad1 += frame->bad1;
    sum->sum.bad2 += frame->bad2;
    sum->sum.bad4 += frame->bad4;
    sum->sum.v1 += frame->v1;
    sum->sum.v2 += frame->v2;
    sum->sum.d1 += frame->d1;
    sum->sum.average += frame->average;
    sum->frames++;
}

score score_mean(const score_sum *sum) {
    const score *s = &sum->sum;
    const double n = sum->frames;
    return (score){s->density / n, s->bad1 / n, s->bad2 / n, s->bad4 / n,
                   s->v1 / n,      s->v2 / n,   s->d1 / n,   s->average / n};
}

void score_print_header(FILE *stream) {
    fprintf(stream, "%-16s%9s%8s%8s%8s%8s%8s%8s%8s\n", "frame", "density", "bad1", "bad2", "bad4", "v1", "v2", "D1",
            "avg px");
}

void score_print(FILE *stream, const char *name, const score *row) {
    fprintf(stream, "%-16s%9.2f%8.2f%8.2f%8.2f%8.2f%8.2f%8.2f%8.3f\n", name, row->density, row->bad1, row->bad2,
            row->bad4, row->v1, row->v2, row->d1, row->average);
}
