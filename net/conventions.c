/* Guesses what a model expects, and reads its sidecar. */
#include "net/conventions.h"

#include "base/keyvalue.h"
#include "net/ort.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const float imagenet_mean[] = {0.485f, 0.456f, 0.406f}, imagenet_deviation[] = {0.229f, 0.224f, 0.225f};

/* ---- The graph --------------------------------------------------------------------------------- */

static bool has(const char *name, const char *part) { return strcasestr(name, part) != NULL; }

static int find(const net_tensor *tensors, int count, const char *name) {
    for (int i = 0; i < count && i < NET_MAX_TENSORS; i++)
        if (!strcmp(tensors[i].name, name)) return i;
    return -1;
}

/* The first whose name contains the text; -1: none. */
static int find_like(const net_tensor *tensors, int count, const char *part) {
    for (int i = 0; i < count && i < NET_MAX_TENSORS; i++)
        if (has(tensors[i].name, part)) return i;
    return -1;
}

/* "left 1x3x480x640" */
static char *describe(const net_tensor *t, char text[192]) {
    snprintf(text, 192, "%s ", t->name);
    for (int i = 0; i < t->dimensions && i < NET_MAX_DIMENSIONS; i++)
        snprintf(text + strlen(text), 192 - strlen(text), t->shape[i] < 0 ? "%s?" : "%s%lld", i ? "x" : "",
                 (long long)t->shape[i]);
    return text;
}

static bool is_channels(int64_t n, bool both) { return both ? n == 2 || n == 6 : n == 1 || n == 3; }

static const net_tensor *input_of(const net_graph *g, const net_conventions *c, int i) {
    return &g->inputs[c->inputs[i]];
}

static int64_t channels_of(const net_graph *g, const net_conventions *c) {
    return input_of(g, c, 0)->shape[c->nhwc ? 3 : 1];
}

/* ---- Guessing ---------------------------------------------------------------------------------- */

/* True if the inputs `a` and `b` are right and left. */
static bool are_swapped(const net_tensor *a, const net_tensor *b) {
    if (has(a->name, "right") || has(b->name, "left")) return true;
    return !has(a->name, "left") && !has(b->name, "right") && has(a->name, "2") && has(b->name, "1");
}

static void guess_sides(const net_graph *g, net_conventions *c, int first, net_picture left) {
    const bool swapped = are_swapped(input_of(g, c, first), input_of(g, c, first + 1));
    c->shows[first] = swapped ? left + 1 : left;
    c->shows[first + 1] = swapped ? left : left + 1;
}

/* Of four inputs, the two smaller ones are the halves; if the sizes are open, their names decide. */
static void guess_halves(const net_graph *g, net_conventions *c) {
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < NET_MAX_INPUTS; i++) {
            const net_tensor *t = &g->inputs[i], *first = &g->inputs[0], *last = &g->inputs[3];
            const bool by_size = first->shape[2] > 0 && last->shape[2] > 0 && first->shape[2] != last->shape[2];
            const int64_t small = first->shape[2] < last->shape[2] ? first->shape[2] : last->shape[2];
            const bool named = has(t->name, "init") || has(t->name, "half");
            const bool half = by_size ? t->shape[2] == small
                              : find_like(g->inputs, 4, "init") >= 0 || find_like(g->inputs, 4, "half") >= 0 ? named
                                                                                                             : i < 2;
            if (half == !pass && count < NET_MAX_INPUTS) c->inputs[count++] = i;
        }
    guess_sides(g, c, 0, NET_HALF_LEFT);
    guess_sides(g, c, 2, NET_LEFT);
}

static sv_status guess_inputs(const char *path, const net_graph *g, net_conventions *c, sv_error *error) {
    char text[192];
    c->input_count = g->input_count;
    if (g->input_count != 1 && g->input_count != 2 && g->input_count != 4)
        return sv_fail(
            error, SV_FAILED,
            "%s has %d inputs, not the two pictures: 1, 2 or 4 inputs can be filled. It may be one part of a "
            "model of several; export the whole as one file",
            path, g->input_count);
    for (int i = 0; i < g->input_count; i++) {
        const net_tensor *t = &g->inputs[i];
        c->inputs[i] = i;
        if (t->dimensions != 4 || (t->shape[0] != 1 && t->shape[0] != -1))
            return sv_fail(error, SV_FAILED,
                           "%s: the input %s is not a picture, which has 4 dimensions, the first of them 1", path,
                           describe(t, text));
        if (t->type != ORT_FLOAT && t->type != ORT_FLOAT16 && t->type != ORT_UINT8)
            return sv_fail(error, SV_FAILED, "%s: the input %s is not float, float16 or uint8", path,
                           describe(t, text));
    }
    if (g->input_count == 1) c->shows[0] = NET_BOTH;
    if (g->input_count == 2) guess_sides(g, c, 0, NET_LEFT);
    if (g->input_count == 4) guess_halves(g, c);
    return SV_OK;
}

/* Where the input of full size is, which is the last. */
static const net_tensor *full_input(const net_graph *g, const net_conventions *c) {
    return input_of(g, c, c->input_count - 1);
}

static void guess_layout(const net_graph *g, net_conventions *c) {
    const net_tensor *t = full_input(g, c);
    const bool both = c->shows[0] == NET_BOTH;
    c->nhwc = !is_channels(t->shape[1], both) && is_channels(t->shape[3], both);
}

static void guess_channels_and_size(const net_graph *g, net_conventions *c) {
    const net_tensor *t = full_input(g, c);
    const int64_t channels = channels_of(g, c), height = t->shape[c->nhwc ? 1 : 2], width = t->shape[c->nhwc ? 2 : 3];
    c->channels = channels == 1 || (channels == 2 && c->shows[0] == NET_BOTH) ? NET_GREY : NET_RGB;
    const bool fixed = width > 0 && height > 0 && width <= SV_MAX_SIDE && height <= SV_MAX_SIDE;
    c->width = fixed ? (int)width : 0;
    c->height = fixed ? (int)height : 0;
    c->resizes = fixed;
    c->multiple = fixed ? 1 : 32;
}

static void set_values(net_conventions *c, const float *mean, const float *deviation) {
    c->raw = false;
    memcpy(c->mean, mean, sizeof c->mean);
    memcpy(c->deviation, deviation, sizeof c->deviation);
}

/* Families of models, by the names of their inputs and outputs. */
static void guess_family(const net_graph *g, net_conventions *c) {
    static const float none[3] = {0, 0, 0}, one[3] = {1, 1, 1}, half[3] = {0.5f, 0.5f, 0.5f};
    const net_tensor *out = &g->outputs[c->output];
    c->raw = true;
    if (c->input_count == 1) set_values(c, none, one); /* HITNet */
    if (!strcmp(out->name, "disp_pred")) {             /* LightStereo and others of OpenStereo */
        set_values(c, imagenet_mean, imagenet_deviation);
        c->padding = NET_TOP_RIGHT;
    }
    if (!strcmp(out->name, "output_left")) set_values(c, half, half);                            /* ESS */
    if (has(g->inputs[0].name, "left_values")) set_values(c, imagenet_mean, imagenet_deviation); /* stereo_matching */
    if (has(g->inputs[0].name, "image1") || has(g->inputs[0].name, "image2")) c->padding = NET_CENTRE; /* RAFT, IGEV */
    if (full_input(g, c)->type == ORT_UINT8) c->raw = true;
}

/* The map is what is called so or is largest; of several, the last. */
static void guess_outputs(const net_graph *g, net_conventions *c) {
    const int count = g->output_count < NET_MAX_TENSORS ? g->output_count : NET_MAX_TENSORS;
    c->confidence = find_like(g->outputs, count, "conf");
    c->hidden = find_like(g->outputs, count, "occ");
    c->visible = find(g->outputs, count, "output_occ"); /* of S2M2 */
    if (c->visible >= 0) c->hidden = -1;
    double largest = -1;
    for (int i = 0; i < count; i++) {
        const net_tensor *t = &g->outputs[i];
        double size = has(t->name, "disp") ? INFINITY : 1;
        for (int k = 0; k < t->dimensions && k < NET_MAX_DIMENSIONS; k++)
            size *= t->shape[k] > 2 ? (double)t->shape[k] : 1;
        if (i == c->confidence || i == c->hidden || i == c->visible || size < largest) continue;
        largest = size;
        c->output = i;
    }
    c->negative = has(g->outputs[c->output].name, "flow");
    c->scale = 1;
}

static sv_status guess(const char *path, const net_graph *g, net_conventions *c, sv_error *error) {
    const sv_status status = guess_inputs(path, g, c, error);
    if (status != SV_OK) return status;
    if (!g->output_count) return sv_fail(error, SV_FAILED, "%s has no output", path);
    guess_layout(g, c);
    guess_channels_and_size(g, c);
    guess_outputs(g, c);
    guess_family(g, c);
    return SV_OK;
}

/* ---- The sidecar ------------------------------------------------------------------------------- */

typedef struct sidecar {
    const net_graph *graph;
    net_conventions *conventions;
    bool any;
} sidecar;

static const char *const layouts[] = {"nchw", "nhwc", NULL}, *const channel_words[] = {"rgb", "bgr", "grey", NULL};
static const char *const fits[] = {"pad", "resize", NULL}, *const fillings[] = {"edge", "zero", NULL};
static const char *const places[] = {"bottom-right", "top-right", "centre", NULL};
static const char *const signs[] = {"positive", "negative", NULL};
static const char *const value_words[] = {"0:255", "0:1", "-1:1", "imagenet", NULL};

static sv_status parse_word(const char *key, const char *value, const char *const *words, int *number,
                            sv_error *error) {
    char known[96] = "";
    for (*number = 0; words[*number]; ++*number) {
        if (!strcmp(value, words[*number])) return SV_OK;
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *number ? ", " : "", words[*number]);
    }
    return sv_fail(error, SV_FAILED, "%s cannot be '%.40s'; it takes %s", key, value, known);
}

static sv_status parse_output(const net_graph *g, const char *key, const char *value, int *output, sv_error *error) {
    *output = find(g->outputs, g->output_count, value);
    if (*output >= 0 || (!strcmp(value, "none") && strcmp(key, "output"))) return SV_OK;
    char known[256] = "";
    for (int i = 0; i < g->output_count && i < NET_MAX_TENSORS; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", g->outputs[i].name);
    return sv_fail(error, SV_FAILED, "%s: the model has no output '%.40s'; it has %s", key, value, known);
}

static sv_status parse_inputs(const net_graph *g, const char *value, net_conventions *c, sv_error *error) {
    char copy[NET_MAX_INPUTS * 98], *rest = copy;
    int count = 0;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *name; (name = strsep(&rest, ","));) {
        name += strspn(name, " ");
        const int input = find(g->inputs, g->input_count, name);
        if (input < 0 || count == g->input_count)
            return sv_fail(error, SV_FAILED, "inputs: the model has no %s '%.40s'; it has %d",
                           input < 0 ? "input" : "further input", name, g->input_count);
        c->inputs[count++] = input;
    }
    if (count != g->input_count)
        return sv_fail(error, SV_FAILED, "inputs: these are %d of the model's %d; name them all", count,
                       g->input_count);
    static const net_picture all[] = {NET_HALF_LEFT, NET_HALF_RIGHT, NET_LEFT, NET_RIGHT};
    for (int i = 0; i < count && count > 1; i++) c->shows[i] = all[NET_MAX_INPUTS - count + i];
    return SV_OK;
}

/* Three numbers, or one for all three. */
static sv_status parse_three(const char *key, const char *value, float least, float numbers[3], sv_error *error) {
    char beyond;
    const int count = sscanf(value, "%f ,%f ,%f %c", &numbers[0], &numbers[1], &numbers[2], &beyond);
    if (count == 1) numbers[1] = numbers[2] = numbers[0];
    bool fits_in = count == 1 || count == 3;
    for (int i = 0; i < 3 && fits_in; i++) fits_in = numbers[i] >= least && numbers[i] <= 255;
    if (fits_in) return SV_OK;
    return sv_fail(error, SV_FAILED,
                   "%s cannot be '%.60s'; it takes a number from %g to 255, or three: red, green, blue", key, value,
                   (double)least);
}

static sv_status parse_values(const char *value, net_conventions *c, sv_error *error) {
    static const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, half[3] = {0.5f, 0.5f, 0.5f};
    int word;
    const sv_status status = parse_word("values", value, value_words, &word, error);
    if (status != SV_OK) return status;
    c->raw = word == 0;
    if (word == 1) set_values(c, zero, one);
    if (word == 2) set_values(c, half, half);
    if (word == 3) set_values(c, imagenet_mean, imagenet_deviation);
    return SV_OK;
}

static sv_status parse_size(const char *value, net_conventions *c, sv_error *error) {
    char beyond;
    c->width = c->height = 0;
    if (!strcmp(value, "any")) return SV_OK;
    if (sscanf(value, "%5dx%5d%c", &c->width, &c->height, &beyond) == 2 && c->width >= 1 && c->height >= 1 &&
        c->width <= SV_MAX_SIDE && c->height <= SV_MAX_SIDE)
        return SV_OK;
    return sv_fail(error, SV_FAILED, "size cannot be '%.40s'; it takes WIDTHxHEIGHT, at most %d each, or any", value,
                   SV_MAX_SIDE);
}

static sv_status parse_whole(const char *key, const char *value, int least, int most, int *number, sv_error *error) {
    char beyond;
    if (sscanf(value, "%5d%c", number, &beyond) == 1 && *number >= least && *number <= most) return SV_OK;
    return sv_fail(error, SV_FAILED, "%s cannot be '%.40s'; it takes a whole number from %d to %d", key, value, least,
                   most);
}

static sv_status parse_scale(const char *value, net_conventions *c, sv_error *error) {
    char beyond;
    c->of_width = !strcmp(value, "width");
    if (c->of_width) return SV_OK;
    if (sscanf(value, "%f%c", &c->scale, &beyond) == 1 && c->scale > 0 && c->scale <= SV_MAX_SIDE) return SV_OK;
    return sv_fail(error, SV_FAILED, "scale cannot be '%.40s'; it takes a number above 0, or width", value);
}

static sv_status take_line(void *to, const char *key, const char *value, int line, sv_error *error) {
    (void)line;
    sidecar *s = to;
    net_conventions *c = s->conventions;
    int word = 0;
    sv_status status = SV_OK;
    s->any = true;
    if (!strcmp(key, "inputs")) return parse_inputs(s->graph, value, c, error);
    if (!strcmp(key, "values")) return parse_values(value, c, error);
    if (!strcmp(key, "mean") || !strcmp(key, "deviation")) {
        if (c->raw) set_values(c, (float[]){0, 0, 0}, (float[]){1, 1, 1});
        return *key == 'm' ? parse_three(key, value, -255, c->mean, error)
                           : parse_three(key, value, 1e-6f, c->deviation, error);
    }
    if (!strcmp(key, "size")) return parse_size(value, c, error);
    if (!strcmp(key, "multiple")) return parse_whole(key, value, 1, NET_MAX_MULTIPLE, &c->multiple, error);
    if (!strcmp(key, "output")) return parse_output(s->graph, key, value, &c->output, error);
    if (!strcmp(key, "output-channel")) return parse_whole(key, value, 0, 63, &c->channel, error);
    if (!strcmp(key, "scale")) return parse_scale(value, c, error);
    if (!strcmp(key, "confidence")) return parse_output(s->graph, key, value, &c->confidence, error);
    if (!strcmp(key, "visible")) return parse_output(s->graph, key, value, &c->visible, error);
    if (!strcmp(key, "hidden")) return parse_output(s->graph, key, value, &c->hidden, error);
    if (!strcmp(key, "layout")) {
        status = parse_word(key, value, layouts, &word, error);
        c->nhwc = word;
    } else if (!strcmp(key, "channels")) {
        status = parse_word(key, value, channel_words, &word, error);
        c->channels = (net_channels)word;
    } else if (!strcmp(key, "fit")) {
        status = parse_word(key, value, fits, &word, error);
        c->resizes = word;
    } else if (!strcmp(key, "padding")) {
        status = parse_word(key, value, places, &word, error);
        c->padding = (net_padding)word;
    } else if (!strcmp(key, "pad-with")) {
        status = parse_word(key, value, fillings, &word, error);
        c->pads_with_zero = word;
    } else if (!strcmp(key, "sign")) {
        status = parse_word(key, value, signs, &word, error);
        c->negative = word;
    } else {
        status = sv_fail(error, SV_FAILED, "there is no key '%.40s' of a model; docs/models.md lists them", key);
    }
    return status;
}

static char *print_three(const float numbers[3], char text[64]) {
    snprintf(text, 64, "%g, %g, %g", (double)numbers[0], (double)numbers[1], (double)numbers[2]);
    return text;
}

char *net_print_conventions(const net_graph *g, const net_conventions *c, const char *separator, char *text,
                            size_t size) {
    char mean[64], deviation[64], values[160], inputs[NET_MAX_INPUTS * 98] = "", fixed[16] = "any", scale[16];
    for (int i = 0; i < c->input_count; i++)
        snprintf(inputs + strlen(inputs), sizeof inputs - strlen(inputs), "%s%s", i ? ", " : "",
                 input_of(g, c, i)->name);
    if (c->raw)
        snprintf(values, sizeof values, "values: 0:255");
    else
        snprintf(values, sizeof values, "mean: %s%sdeviation: %s", print_three(c->mean, mean), separator,
                 print_three(c->deviation, deviation));
    if (c->width) snprintf(fixed, sizeof fixed, "%dx%d", c->width, c->height);
    snprintf(scale, sizeof scale, "%g", (double)c->scale);
    snprintf(text, size,
             "inputs: %s%slayout: %s%schannels: %s%s%s%ssize: %s%smultiple: %d%sfit: %s%spadding: %s%s"
             "pad-with: %s%soutput: %s%soutput-channel: %d%ssign: %s%sscale: %s",
             inputs, separator, layouts[c->nhwc], separator, channel_words[c->channels], separator, values, separator,
             fixed, separator, c->multiple, separator, fits[c->resizes], separator, places[c->padding], separator,
             fillings[c->pads_with_zero], separator, g->outputs[c->output].name, separator, c->channel, separator,
             signs[c->negative], separator, c->of_width ? "width" : scale);
    const int others[] = {c->confidence, c->visible, c->hidden};
    static const char *const keys[] = {"confidence", "visible", "hidden"};
    for (int i = 0; i < 3; i++)
        if (others[i] >= 0)
            snprintf(text + strlen(text), size - strlen(text), "%s%s: %s", separator, keys[i],
                     g->outputs[others[i]].name);
    return text;
}

/* ---- Whether they fit -------------------------------------------------------------------------- */

static sv_status check_input(const char *path, const net_graph *g, const net_conventions *c, int i, sv_error *error) {
    const net_tensor *t = input_of(g, c, i);
    const bool both = c->shows[i] == NET_BOTH, half = c->shows[i] >= NET_HALF_LEFT;
    const int channels = (c->channels == NET_GREY ? 1 : 3) * (both ? 2 : 1);
    const int64_t has_channels = t->shape[c->nhwc ? 3 : 1];
    const int64_t height = t->shape[c->nhwc ? 1 : 2], width = t->shape[c->nhwc ? 2 : 3];
    char text[192];
    if (has_channels != -1 && has_channels != channels)
        return sv_fail(error, SV_FAILED,
                       "%s: the input %s does not take %d channels; see layout and channels in its sidecar", path,
                       describe(t, text), channels);
    const int divisor = half ? 2 : 1;
    const bool fits_in =
        (width == -1 || width == c->width / divisor) && (height == -1 || height == c->height / divisor);
    if (c->width ? !fits_in : width != -1 || height != -1)
        return sv_fail(error, SV_FAILED,
                       "%s: the input %s does not take pictures of this size; see size in its sidecar", path,
                       describe(t, text));
    if (t->type == ORT_UINT8 && !c->raw)
        return sv_fail(error, SV_FAILED, "%s: the input %s takes whole numbers, which are 0:255", path,
                       describe(t, text));
    return SV_OK;
}

/* True if an output has height, width and channels where the graph names them: every other dimension is 1. */
static bool is_map(const net_tensor *t, int channel) {
    if (t->dimensions < 2 || t->dimensions > 4 || (t->type != ORT_FLOAT && t->type != ORT_FLOAT16)) return false;
    if (t->dimensions < 4) return t->dimensions == 2 || t->shape[0] <= 1;
    const bool last = t->shape[3] > 0 && t->shape[3] <= 2 && !(t->shape[1] > 0 && t->shape[1] <= 2);
    const int64_t channels = t->shape[last ? 3 : 1];
    return t->shape[0] <= 1 && channels <= 2 && (channels < 0 || channel < channels);
}

static sv_status check(const char *path, const net_graph *g, const net_conventions *c, sv_error *error) {
    char text[192];
    for (int i = 0; i < c->input_count; i++) {
        const sv_status status = check_input(path, g, c, i, error);
        if (status != SV_OK) return status;
    }
    const int used[] = {c->output, c->confidence, c->visible, c->hidden};
    for (int i = 0; i < 4; i++)
        if (used[i] >= 0 && !is_map(&g->outputs[used[i]], i ? 0 : c->channel))
            return sv_fail(
                error, SV_FAILED,
                "%s: the output %s is not a map of one or two channels of float or float16. It may be one part "
                "of a model of several; export the whole as one file",
                path, describe(&g->outputs[used[i]], text));
    if (c->width % c->multiple || c->height % c->multiple)
        return sv_fail(error, SV_FAILED, "%s: the size %dx%d is not a multiple of %d", path, c->width, c->height,
                       c->multiple);
    return SV_OK;
}

sv_status net_find_conventions(const char *path, const net_graph *g, net_conventions *c, sv_error *error) {
    char file[SV_VALUE_BYTES + 8], text[1024];
    const size_t length = strlen(path), ending = length > 5 && !strcmp(path + length - 5, ".onnx") ? 5 : 0;
    snprintf(file, sizeof file, "%.*s.yaml", (int)(length - ending), path);
    *c = (net_conventions){0};
    sidecar s = {g, c, false};
    sv_status status = guess(path, g, c, error);
    const bool there = !access(file, F_OK);
    if (status == SV_OK && there)
        status = keyvalue_read(file, "what the model expects", "sign: negative", take_line, &s, error);
    if (status == SV_OK) status = check(path, g, c, error);
    if (status != SV_OK) return status;
    sv_log(SV_LOG_INFO, "%s: %s (%s %s)", path, net_print_conventions(g, c, "; ", text, sizeof text),
           there ? "guessed, and as in" : "guessed; put what differs into", file);
    return SV_OK;
}
