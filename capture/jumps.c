/* Finds jumps of time stamps and removes them. */
#include "capture/jumps.h"

#include <inttypes.h>
#include <math.h>

/* A gap in a file's time stamps of at least this many seconds, and frames, may be a jump of its clock. */
static const double least_jump = 1, least_jump_frames = 10;

/* If the lengths of the files are unknown, a gap of this many seconds is a jump. */
static const double certain_jump = 10;

double jumps_sum(const jumps *jumps) {
    double sum = 0;
    for (int i = 0; i < jumps->count; i++) sum += jumps->list[i].gap;
    return sum;
}

double jumps_of_source(const jumps *jumps, double time) {
    double sum = 0;
    for (int i = 0; i < jumps->count && jumps->list[i].time - sum - jumps->list[i].gap <= time; i++)
        sum += jumps->list[i].gap;
    return time + sum;
}

double jumps_without(const jumps *jumps, double time) {
    double without = time;
    for (int i = 0; i < jumps->count && jumps->list[i].time <= time; i++) without -= jumps->list[i].gap;
    return without;
}

static bool is_long(double gap, double rate) { return gap >= least_jump && gap * rate >= least_jump_frames; }

static bool is_jump(double gap, double rate, double excess) {
    return is_long(gap, rate) && (isnan(excess) ? gap >= certain_jump : excess > gap / 2);
}

bool jumps_take_out(jumps *jumps, const source *source, frame *frame, double excess) {
    const double time = frame->time, rate = source->info.rate;
    if (source->info.pictures) return true;
    frame->time = jumps_without(jumps, time);
    double gap = frame->time - jumps->last - 1 / rate;
    if (jumps->sought) {
        /* The number of pictures before the frame reveals jumps that a seek has skipped. */
        gap = fmax(gap, frame->time - (double)frame->index / rate);
        if (frame->time > jumps->known && is_jump(gap, rate, excess)) return false;
    } else if (isfinite(gap) && jumps->count < JUMPS_MOST && is_jump(gap, rate, excess)) {
        frame->time -= gap;
        jumps->list[jumps->count++] = (jump){time, gap};
        sv_log(SV_LOG_WARNING,
               "%s: its time stamps jump by %.4g s at frame %" PRId64 "; the jump is ignored for pairing", source->name,
               gap, frame->index);
    } else if (isfinite(gap) && is_long(gap, rate) && !jumps->reported) {
        sv_log(SV_LOG_WARNING, "%s: there are no pictures in the %.4g s before frame %" PRId64, source->name, gap,
               frame->index);
        jumps->reported = true;
    }
    if (!jumps->sought && jumps->last <= jumps->known) jumps->known = fmax(jumps->known, frame->time);
    jumps->last = frame->time;
    jumps->sought = false;
    return true;
}
