/* Finds how the pictures of one stream hold both views. The probe distinguishes side by side from one above the other;
 * whether views are squeezed follows from the shape of the pictures. */
#include "app/media/views.h"

#include <math.h>
#include <stdlib.h>

enum { ENOUGH = 2, MOST_LOOKED_AT = 64 };

/* Seconds that a live source may take to show something. */
static const double longest_wait = 2;

/* What pictures showed, cut in both ways at full size. */
typedef struct trials {
    arrangement_trial beside[ARRANGEMENT_TRIALS], above[ARRANGEMENT_TRIALS];
    int count;
} trials;

static bool is_near(double value, double to) { return fabs(value / to - 1) < 0.01; }

bool views_are_squeezed(int width, int height) {
    const double shape = (double)width / height;
    /* Two views of 5:4 have the shape of a wide film, but not its width. */
    const bool film_width = width == 1280 || width == 1920 || width == 3840 || width == 4096;
    return is_near(shape, 4.0 / 3) || is_near(shape, 1.6) || is_near(shape, 16.0 / 9) || is_near(shape, 1.85) ||
           (film_width && shape > 2.3 && shape < 2.42);
}

bool views_order_is_given(const options *o) { return o->input.swap_given || o->rig.calibration || o->rig.calibrate; }

/* ---- Measuring --------------------------------------------------------------------------------- */

static sv_status try_layout(probe *probe, const sv_image *whole, split_layout layout, arrangement_trial *trial,
                            sv_error *error) {
    const sv_pair pair = {.left = split_part(whole, layout, 0), .right = split_part(whole, layout, 1)};
    if (pair.left.width < 1 || pair.left.height < 1) return SV_OK;
    return arrangement_try(probe, &pair, 0, trial, error);
}

/* Adds what a picture shows; nothing if it has no texture. */
static sv_status look_at(probe *probe, const sv_image *whole, trials *l, sv_error *error) {
    arrangement_trial *beside = &l->beside[l->count], *above = &l->above[l->count];
    *beside = *above = (arrangement_trial){.as_is = {.share = 0}};
    sv_status status = try_layout(probe, whole, SPLIT_SIDE_BY_SIDE, beside, error);
    if (status == SV_OK) status = try_layout(probe, whole, SPLIT_TOP_BOTTOM, above, error);
    if (status == SV_OK) l->count += arrangement_share(beside, 1) > 0 || arrangement_share(above, 1) > 0;
    return status;
}

/* True if more pictures are not needed. */
static bool is_enough(const trials *l) {
    const float beside = arrangement_share(l->beside, l->count), above = arrangement_share(l->above, l->count);
    const arrangement_trial *better = beside >= above ? l->beside : l->above;
    return l->count == ARRANGEMENT_TRIALS ||
           (l->count >= ENOUGH && arrangement_is_sure(fmaxf(beside, above), fminf(beside, above)) &&
            arrangement_order_of(better, l->count) != ORDER_UNKNOWN);
}

int64_t views_selected(const options *o, const source_info *info) {
    const frame_range *range = &o->input.frames;
    int64_t end = info->frames > 0 && info->frames < range->end ? info->frames : range->end;
    if (end == INT64_MAX && info->duration > 0) end = (int64_t)(info->duration * info->rate);
    /* What a recording copies is read once, from the beginning. */
    const bool seeks = info->seekable && !info->live && !o->output.record;
    return seeks && end < INT64_MAX && end > range->first ? end - range->first : 1;
}

/* Looks at places from the middle of the file outwards, and returns to its beginning. Skips what cannot be read; the
 * run reports that. */
static sv_status look_over(const options *o, source *whole, probe *probe, trials *l, sv_error *error) {
    static const int tenths[ARRANGEMENT_TRIALS] = {5, 3, 7, 1, 9};
    const source_info *info = &whole->info;
    const int64_t frames = views_selected(o, info);
    const int places = frames > ARRANGEMENT_TRIALS ? ARRANGEMENT_TRIALS : (int)frames;
    sv_status status = SV_OK;
    for (int i = 0; i < places && status == SV_OK && !is_enough(l); i++) {
        const int64_t index = o->input.frames.first + (places < ARRANGEMENT_TRIALS ? i : frames * tenths[i] / 10);
        frame *picture = NULL;
        const double place = info->pictures ? (double)index : (double)index / info->rate;
        if (source_seek(whole, place, NULL) == SV_OK && source_read(whole, &picture, NULL) == SV_OK)
            status = look_at(probe, frame_grey(picture), l, error);
        if (picture) frame_release(picture);
    }
    return status == SV_OK ? source_seek(whole, 0, error) : status;
}

/* Looks at what comes until a picture has texture, and keeps the last one. */
static sv_status look_ahead(source *whole, probe *probe, trials *l, frame **first, sv_error *error) {
    const double until = sv_seconds() + longest_wait;
    sv_status status = SV_OK;
    for (int i = 0; i < MOST_LOOKED_AT && status == SV_OK && !l->count && sv_seconds() < until; i++) {
        frame *next;
        if (source_read(whole, &next, NULL) != SV_OK) break; /* which is reported where it is read again */
        if (*first) frame_release(*first);
        *first = next;
        status = look_at(probe, frame_grey(next), l, error);
        if (!whole->info.live) break; /* every picture of a file is matched */
    }
    return status;
}

/* ---- Deciding --------------------------------------------------------------------------------- */

static split_layout squeezed(split_layout full, const source_info *info) {
    if (!views_are_squeezed(info->width, info->height)) return full;
    return full == SPLIT_SIDE_BY_SIDE ? SPLIT_SIDE_BY_SIDE_HALF : SPLIT_TOP_BOTTOM_HALF;
}

static void decide(options *o, const source_info *info, const trials *l) {
    input_options *in = &o->input;
    const float beside = arrangement_share(l->beside, l->count), above = arrangement_share(l->above, l->count);
    const bool pictures_are_sure = arrangement_is_sure(fmaxf(beside, above), fminf(beside, above));
    const bool tagged = !pictures_are_sure && info->views;
    const bool is_above = pictures_are_sure ? above > beside : info->views == SOURCE_VIEWS_ABOVE;
    if (!in->layout_given)
        in->split.layout = pictures_are_sure || tagged
                               ? squeezed(is_above ? SPLIT_TOP_BOTTOM : SPLIT_SIDE_BY_SIDE, info)
                               : SPLIT_SIDE_BY_SIDE;
    const bool cut_beside = split_is_beside(in->split.layout);
    const bool fits = pictures_are_sure && cut_beside == !is_above;
    const arrangement_order order =
        fits ? arrangement_order_of(cut_beside ? l->beside : l->above, l->count) : ORDER_UNKNOWN;
    if (!views_order_is_given(o))
        in->split.swap = order == ORDER_SWAPPED || (order == ORDER_UNKNOWN && info->views && info->right_first);
    in->found = (arrangement){.looked = true,
                              .layout = (int)in->split.layout,
                              .swapped = in->split.swap,
                              .share = fmaxf(0, cut_beside ? beside : above),
                              .layout_sure = fits || tagged};
}

/* ---- Reporting it ------------------------------------------------------------------------------ */

static void log_found(const options *o, const source *whole, const trials *l) {
    const input_options *in = &o->input;
    const bool swaps = in->split.swap && !views_order_is_given(o);
    char where[64];
    if (in->layout_given && !swaps) return;
    snprintf(where, sizeof where, l->count == 1 ? "1 picture" : "%d pictures", l->count);
    sv_log(SV_LOG_INFO, "%s: layout %s%s, found in %s (%s%s)", whole->name, split_layout_name(in->split.layout),
           swaps ? ", the right view first" : "", l->count ? where : "its tags", in->layout_given ? "" : "--layout",
           !swaps             ? ""
           : in->layout_given ? "--swap"
                              : ", --swap");
}

/* Warns if the pictures show that they hold no two views of one scene. */
static bool warn_single(const source *whole, const trials *l) {
    const float beside = arrangement_share(l->beside, l->count), above = arrangement_share(l->above, l->count);
    if (!l->count || fmaxf(beside, above) > PROBE_WRONG) return false;
    sv_log(SV_LOG_WARNING,
           "%s: does not look like two pictures of one scene, neither side by side nor one above the other; name two "
           "files with -f LEFT RIGHT",
           whole->name);
    return true;
}

static void warn_unknown(const source *whole, const trials *l) {
    if (warn_single(whole, l)) return;
    sv_log(SV_LOG_WARNING, "%s: %s how it holds both views, so side by side is assumed; set it with --layout",
           whole->name, l->count ? "its pictures do not show" : "no picture shows");
}

/* Warns if the layout that the user has given does not fit. */
static void warn_given(const options *o, const source *whole, const trials *l) {
    const split_layout layout = o->input.split.layout;
    const bool cut_beside = split_is_beside(layout);
    const float own = arrangement_share(cut_beside ? l->beside : l->above, l->count);
    const float other = arrangement_share(cut_beside ? l->above : l->beside, l->count);
    if (arrangement_is_sure(other, own))
        sv_log(SV_LOG_WARNING, "%s: the two halves do not match for layout %s; --layout %s fits", whole->name,
               split_layout_name(layout),
               split_layout_name(squeezed(cut_beside ? SPLIT_TOP_BOTTOM : SPLIT_SIDE_BY_SIDE, &whole->info)));
    else
        warn_single(whole, l);
}

sv_status views_find(options *o, source *whole, frame **first, sv_error *error) {
    const source_info *info = &whole->info;
    const bool seeks = info->seekable && !info->live && !o->output.record;
    trials l = {.count = 0};
    probe *probe;
    *first = NULL;
    sv_status status = probe_create(&probe, NULL, o->match.threads, error);
    if (status == SV_OK)
        status = seeks ? look_over(o, whole, probe, &l, error) : look_ahead(whole, probe, &l, first, error);
    if (status != SV_OK) {
        probe_free(probe);
        return status;
    }
    probe_free(probe);
    decide(o, info, &l);
    if (o->input.only_if_sure && !o->input.found.layout_sure)
        return sv_fail(error, SV_FAILED, "%s: does not show two views of one scene", whole->name);
    if (o->input.layout_given) warn_given(o, whole, &l);
    if (o->input.layout_given || o->input.found.layout_sure)
        log_found(o, whole, &l);
    else
        warn_unknown(whole, &l);
    return SV_OK;
}
