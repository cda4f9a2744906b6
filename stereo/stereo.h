/* The interface between the rooms: what the library exports (stereoview.h), and what only the rooms share: methods,
 * parameters, the log and backends.
 *
 * Nothing here depends on CUDA, OpenGL or FFmpeg. Unless stated otherwise, sizes are in pixels and strides in bytes;
 * shapes are written slowest dimension first. */
#ifndef STEREO_STEREO_H
#define STEREO_STEREO_H

#include "stereo/stereoview.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SV_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))

/* ---- Errors and messages ---------------------------------------------------------------------- */

/* Writes the message into `error` (may be NULL) and returns `status`, for use as `return sv_fail(...)`.
 * Thread: any. */
sv_status sv_fail(sv_error *error, sv_status status, const char *format, ...) SV_PRINTF(3, 4);

/* Writes a line to the log; `format` has no newline.
 * Thread: any. */
void sv_log(sv_level level, const char *format, ...) SV_PRINTF(2, 3);

/* While `on`, the calling thread logs nothing. */
void sv_log_nothing(bool on);

/* The monotonic clock, seconds.
 * Thread: any. */
double sv_seconds(void);

/* ---- Pictures --------------------------------------------------------------------------------- */

/* Bytes per pixel. */
size_t sv_pixel_size(sv_format format);

/* Row `y` of a picture in host memory. */
static inline void *sv_row(const sv_image *image, int y) { return (char *)image->data + (size_t)y * image->stride; }

/* Checks that a picture is in host memory, with rows that do not overlap; `what` names it in the message.
 * Errors: SV_USAGE if not. */
sv_status sv_check_host(const char *what, const sv_image *image, sv_error *error);

/* The luma plane of a video picture that a decoder left in the memory of a device. */
typedef struct sv_luma {
    const void *data; /* height x width samples, in device memory */
    size_t stride;    /* bytes from one row to the next */
    int width, height;
    int depth;       /* bits of a sample: 8, or more in the upper bits of two bytes, the lower one first */
    bool full_range; /* of the samples; otherwise 16 to 235 for 8 bits */
    void *stream;    /* the decoder's, which may not have put them there yet */
} sv_luma;

/* Checks that a map can be scored: the sizes are the same.
 * Errors: SV_FAILED if not. */
sv_status sv_score_check(const sv_image *disparity, const sv_image *truth, sv_error *error);

/* ---- Parameters ------------------------------------------------------------------------------- */

typedef enum sv_method {
#define METHOD(NAME, name) SV_##NAME,
#include "stereo/methods.def"
    SV_METHOD_COUNT,
    SV_DEFAULT_METHOD = SV_SGM, /* if none is named */
} sv_method;

/* How pixels without a disparity get one from their neighbours. */
typedef enum sv_fill {
    SV_FILL_NONE,
    SV_FILL_ROW,     /* the smaller of the nearest to the left and the nearest to the right */
    SV_FILL_CROSS,   /* the nearest in the row, then the nearest in the column */
    SV_FILL_SURFACE, /* the neighbour in row or column whose surface most likely continues here (cpu/surface.c) */
} sv_fill;

/* How the pictures are filtered before they are matched. */
typedef enum sv_prefilter {
    SV_PREFILTER_NONE,
    SV_PREFILTER_CONTRAST, /* sv_contrast, on both: brightness relative to the surrounding window; without colour */
    SV_PREFILTER_EXPOSURE, /* stereo/exposure.h: the right picture gets the exposure of the left one */
} sv_prefilter;

/* All that can change while the program runs. Plain data, passed with each pair. Ranges, defaults and help are in
 * sv_parameters; sv_methods lists which of them a method uses. */
struct sv_params {
    int method;            /* sv_method */
    int rho;               /* radius of the window: 2 rho + 1 pixels wide */
    int rho_y;             /* its vertical radius; -1: the same as rho */
    int min_disparity;     /* pixels, inclusive */
    int max_disparity;     /* pixels, inclusive */
    int prefilter;         /* sv_prefilter */
    int steps;             /* candidates per pixel of disparity: 1, 2 or 4 (--step 1, 1/2, 1/4) */
    float max_cost;        /* mean squared difference of (filtered) grey above which a match is poor; 0: off */
    int tau;               /* half-width of the search around a neighbour's disparity, pixels */
    int reseed;            /* every reseed-th row is searched over the full range; 0: only one row is */
    float min_correlation; /* correlation below which a match is poor; -1: off */
    float alpha;           /* weight of colour relative to gradient, 0..1 */
    float lambda;          /* cost of a change of disparity along the row */
    int aggregate;         /* radius of the box that costs are averaged over, pixels */
    int census;            /* width of the square whose corners and edge midpoints the census compares: 3, 5 or 7 */
    int p1;                /* cost of a change of disparity by one pixel along a path */
    int p2;                /* cost of a larger change where the picture has no edge */
    int subpixel;          /* 0, 1: fit a curve to the winner and its two neighbours: a parabola or two lines */
    int uniqueness;        /* percent by which the best cost must be below the second best; 0: off */
    int left_right_check;  /* pixels by which the left and the right disparity map may differ; -1: off */
    int min_confidence;    /* matches of less confidence are removed, 0..255; 0: off */
    int speckle_size;      /* regions of at most this many pixels are removed; 0: off */
    float speckle_range;   /* pixels by which neighbours in a region may differ */
    int holes;             /* how many of the 24 pixels around a hole must be valid and agree to fill it; 0: off */
    int hole_passes;       /* how many times holes are filled, each time from the previous result */
    int fill;              /* sv_fill */
    int median;            /* width of the median filter, 0 (off), 3 or 5 */
    int weighted_median;   /* its radius, pixels; 0: off */
    int average;           /* width of the moving average, 0 (off), 3, 5, 7 or 9 */
    int temporal;          /* frames whose disparities are averaged, the newest included; 1: off */
    int scale;             /* pictures are matched at 1/scale of their size: 1, 2 or 4 (--scale 1, 1/2, 1/4) */
    int row_shift;         /* rows by which the rectified right picture is moved up, to try out its alignment */
    int model;             /* the learned model, as sv_file_name names it; 0: none */
    /* Bit i % 32 of chosen[i / 32]: sv_parameters[i] was set explicitly and is not the method's default. */
    uint32_t chosen[2];
};

/* True if sv_parameters[i] was set explicitly. */
static inline bool sv_is_chosen(const sv_params *params, int i) { return params->chosen[i / 32] >> i % 32 & 1; }

/* The bit of a parameter, a field of sv_params, in sv_method_traits.uses. Every field has the size of an int. */
#define SV_USES(field) (UINT64_C(1) << offsetof(sv_params, field) / sizeof(int))

enum { SV_MAX_DEFAULTS = 10 };

/* What the rest of the program needs to know about a method. */
typedef struct sv_method_traits {
    const char *name;        /* as the command line and the settings file write it */
    const char *help;        /* one line */
    const char *paper;       /* author and year, as far as known */
    bool correlates;         /* the best match has the largest correlation; otherwise the smallest cost */
    bool uses_colour;        /* compares the colour pictures if there are any */
    bool sums_squares;       /* its costs are sums of squared differences over the window */
    bool fits_lines;         /* refines disparities by two lines of opposite slope; otherwise by a parabola */
    bool matches_rows_alone; /* the map of a row does not depend on those of others */
    bool gives_evidence;     /* its costs add to the confidence (stereo/confidence.h) */
    bool runs_model;         /* runs a learned model, has no candidates, and takes the range for colours only */
    double deviation;        /* pixels: spread of its right sub-pixel disparities; 0: not measured. An upper bound, from
                              * tests/bench/deviation.py */
    uint64_t uses;           /* SV_USES of each parameter that it uses besides the common ones */
    uint64_t lacks;          /* and of each common one that it does not use */
    struct {
        size_t offset; /* in sv_params; 0 after the last */
        double value;
    } defaults[SV_MAX_DEFAULTS]; /* where they differ from sv_parameter.initial */
} sv_method_traits;

extern const sv_method_traits sv_methods[]; /* by sv_method */

typedef enum sv_parameter_kind {
    SV_INTEGER,
    SV_REAL,
    SV_CHOICE, /* one of the words of `choices`; the value is choice_values[i] */
    SV_SWITCH, /* off, on */
    SV_FILE,   /* the name of a file; the value is its number, see sv_file_number */
} sv_parameter_kind;

enum {
    SV_MAX_CHOICES = 6,
    SV_MAX_SIDE = 16384, /* pixels of a picture */
    SV_MAX_RADIUS = 31,
    SV_MAX_TEMPORAL = 8,
    SV_MIN_DISPARITY = -1024,
    SV_MAX_DISPARITY = 1023,
    SV_MAX_DISPARITIES = 1024,
    SV_MAX_THREADS = 1024, /* of the CPU backend */
    SV_MAX_FILES = 256,
    SV_VALUE_BYTES = 512 /* that a value takes as text */
};

/* One parameter. The command line, the panel, the settings file and --help are generated from these. */
typedef struct sv_parameter {
    const char *name; /* option (--name) and key of the settings file */
    const char *unit; /* "pixels", "grey^2", ... or NULL */
    const char *help; /* one line */
    sv_parameter_kind kind;
    size_t offset; /* in sv_params: an int, or a float for SV_REAL */
    double min, max;
    double initial;       /* the default, unless the method has one of its own */
    const char *above;    /* the parameter that it always exceeds, see sv_get_used; NULL: none */
    const char *min_word; /* name of the smallest value ("off", "same"), or NULL */
    const char *choices[SV_MAX_CHOICES];
    int choice_values[SV_MAX_CHOICES];
    bool common;   /* all methods use it; otherwise, those whose traits list it */
    bool of_scene; /* belongs to the scene, not the method: the disparity range, the row shift, the frames that are
                    * averaged */
    bool rare;     /* seldom changed: the panel folds it away */
} sv_parameter;

extern const sv_parameter sv_parameters[];
extern const int sv_parameter_count;

/* True if the method uses the parameter. */
static inline bool sv_uses(int method, const sv_parameter *p) {
    const uint64_t bit = UINT64_C(1) << p->offset / sizeof(int);
    return p->common ? !(sv_methods[method].lacks & bit) : (sv_methods[method].uses & bit) != 0;
}

/* Parameters are plain data, so a file is the number of its name: 1 to SV_MAX_FILES for as long as the program runs; 0:
 * none.
 * Errors: -1 if there are more files, or no memory.
 * Thread: any. */
int sv_file_number(const char *name);

/* The name of that number; NULL if there is none.
 * Thread: any. */
const char *sv_file_name(int number);

/* The parameter of that name, or NULL. */
const sv_parameter *sv_find_parameter(const char *name);

double sv_get(const sv_params *params, const sv_parameter *parameter);

/* The value that is matched with: at least one more than that of the parameter `above`. */
double sv_get_used(const sv_params *params, const sv_parameter *parameter);

void sv_set(sv_params *params, const sv_parameter *parameter, double value); /* clamps to the range */
void sv_reset(sv_params *params, const sv_parameter *parameter);             /* to its method's default */

/* strtod with a decimal point, also where the program that uses the library has chosen a comma (setlocale). */
double sv_number(const char *text, char **end);

/* Reads `text` as the parameter's value: a number, one of its choices, its min_word, or on/off.
 * Errors: SV_USAGE; the message names the parameter, its range and the text. */
sv_status sv_parse(sv_params *params, const sv_parameter *parameter, const char *text, sv_error *error);

/* Reads "MIN:MAX" as the smallest and the largest disparity.
 * Errors: SV_USAGE. */
sv_status sv_parse_disparities(sv_params *params, const char *text, sv_error *error);

/* True if the user chose a disparity range; false if it is the default or was found in the pictures. */
bool sv_range_is_chosen(const sv_params *params);

/* Sets a range that was found in the pictures: it outlives a change of the method, and does not count as chosen. */
void sv_set_found_range(sv_params *params, int min_disparity, int max_disparity);

/* From now on, the range counts as chosen (true), or is the method's default and does not (false). */
void sv_choose_range(sv_params *params, bool chosen);

/* Writes the value as sv_parse reads it, in at most SV_VALUE_BYTES. Returns `text`. */
char *sv_print(const sv_params *params, const sv_parameter *parameter, char *text, size_t size);

/* Writes the values that a parameter takes, as sv_parse reads them: "off, 1..64". Returns `text`. */
char *sv_print_range(const sv_parameter *parameter, char *text, size_t size);

/* Writes the methods that use a parameter: "ssd, zncc". Returns `text`. */
char *sv_print_methods(const sv_parameter *parameter, char *text, size_t size);

const char *sv_method_name(int method); /* "ssd"; "?" if out of range */
int sv_method_of(const char *name);     /* -1 if there is none */

sv_params sv_default_params(sv_method method);

/* Those of a window, which also averages still pixels over frames. */
sv_params sv_window_params(sv_method method);

/* The parameters for another method: those that were not set explicitly take its defaults, except a range that was
 * found. */
sv_params sv_with_method(sv_params params, sv_method method);

/* The same parameters with those of the scene (sv_parameter.of_scene) as in `scene`. */
sv_params sv_with_scene(sv_params params, const sv_params *scene);

/* The parameters for pictures of 1/scale of the size, with disparities in pixels of that size and a scale of 1. The
 * ends of the range become the nearest multiples of `scale`, of two the inner one; at least one candidate is left. */
sv_params sv_scaled_params(sv_params params);

/* Checks that each value is in its range and that the disparity range is neither empty nor too large.
 * Errors: SV_USAGE. */
sv_status sv_check_params(const sv_params *params, sv_error *error);

/* The vertical radius, with -1 resolved. */
static inline int sv_rho_y(const sv_params *params) { return params->rho_y < 0 ? params->rho : params->rho_y; }

/* True if cameras that expose differently mislead the method; the prefilter is for these methods. */
static inline bool sv_compares_brightness(int method) { return sv_methods[method].uses & SV_USES(prefilter); }

/* True if the pictures are filtered before they are matched. */
static inline bool sv_prefilters(const sv_params *params) {
    return sv_compares_brightness(params->method) && params->prefilter;
}

/* The number of candidates: candidate k, 0 <= k < count, is the disparity min_disparity + k / steps. */
static inline int sv_steps(const sv_params *params) {
    return sv_methods[params->method].uses & SV_USES(steps) ? params->steps : 1;
}
static inline int sv_candidates(const sv_params *params) {
    return (params->max_disparity - params->min_disparity) * sv_steps(params) + 1;
}

/* ---- Matchers --------------------------------------------------------------------------------- */

/* Outputs of a program that shows them: those being written, one that waits, and one being shown. */
enum { SV_OUTPUTS = SV_IN_FLIGHT + 2 };

struct sv_costs;

/* Device memory that OpenGL can use, too. */
typedef struct sv_shared {
    void *memory;
    size_t bytes;
    int file; /* descriptor for GL_EXT_memory_object_fd */
} sv_shared;

/* A backend. Callers use the sv_* functions, which check the arguments; a backend does not check them again. */
struct sv_backend {
    const char *name; /* "cpu", "cuda" */

    /* How many pairs it works on at a time, at most SV_IN_FLIGHT: 1 if `submit` itself does the work. */
    int at_once;

    /* The kind of device that a matcher works on ("CUDA"): pictures and maps with SV_DEVICE are in the memory of that
     * device. NULL: the backend takes host memory only. */
    const char *memory_of;

    /* Whether it runs learned models. NULL: always.
     * Errors: SV_FAILED with the reason. */
    sv_status (*check_models)(sv_error *error);

    /* How many devices there are; they are counted from 0. The cpu backend has one. */
    int (*count)(void);

    /* Writes the name of a device ("NVIDIA H200", "CPU, 2 threads, AVX2").
     * Errors: SV_NO_DEVICE, with the reason, if there is none of that number. */
    sv_status (*probe)(int device, char *name, size_t size, sv_error *error);

    /* Allocates memory from which every device can upload pictures without a copy; NULL if there is none left.
     * Thread: any. */
    void *(*alloc)(size_t bytes);
    void (*free)(void *memory);

    /* Allocates memory of a device, which `free` frees, too; NULL if there is none left.
     * Thread: any. */
    void *(*alloc_on)(int device, size_t bytes);

    /* Copies a picture from the memory of a device to memory from `alloc`, and waits until it is there.
     * Errors: SV_FAILED if the device fails.
     * Thread: any. */
    sv_status (*fetch)(int device, const sv_image *from, const sv_image *to, sv_error *error);

    /* What a video decoder needs to share the device of a matcher: with CUDA, the CUcontext. NULL: the device cannot be
     * used.
     * Thread: any.
     * Lifetime: that of the program. */
    void *(*decoder_context)(int device);

    /* How many decoding engines the device has, at least 1. Each works on one stream at a time.
     * Thread: any. */
    int (*decoders)(int device);

    /* Create and free a stream for one decoder, with a higher priority than matchers have. NULL if it cannot be made:
     * the default stream, whose work waits for that of all others.
     * Thread: any. */
    void *(*decoder_stream)(int device);
    void (*free_stream)(void *stream);

    /* Converts luma that a decoder left in the memory of `device` to grey in memory from `alloc_on`, whose rows begin
     * at multiples of 64 bytes, as sv_grey_of_luma does; waits until it is there. This function and the six before
     * it are NULL if the backend has no such decoders.
     * Errors: SV_FAILED if the device fails.
     * Thread: any. */
    sv_status (*grey_of_luma)(int device, const sv_luma *luma, const sv_image *grey, sv_error *error);

    sv_status (*create)(const sv_matcher_options *options, void **context, sv_error *error);
    /* `follows`: how many of the pairs that were submitted last, with the same parameters, the temporal filter looks
     * back over; less than params->temporal. */
    sv_status (*submit)(void *context, const sv_pair *pair, const sv_params *params, int follows,
                        const sv_output *output, sv_error *error);
    sv_status (*wait)(void *context, sv_times *times, sv_error *error);
    void (*destroy)(void *context);

    /* sv_match_costs (stereo/costs.h); NULL if the backend does not support it. */
    sv_status (*costs)(void *context, const sv_pair *pair, const sv_params *params, int x, int y,
                       struct sv_costs *costs, const sv_image *winners, sv_error *error);

    /* Makes memory on a device that OpenGL can use, too. Both are NULL if the backend does not support it.
     * Errors: SV_NO_DEVICE if OpenGL runs on another device; SV_FAILED if there is no such memory.
     * Thread: the one whose OpenGL context is current.
     * Lifetime: the caller frees it with `unshare`, and closes the file or passes it to OpenGL. */
    sv_status (*share)(int device, size_t bytes, sv_shared *shared, sv_error *error);
    void (*unshare)(sv_shared *shared);

    /* Orders the work of a matcher relative to the caller's `stream`: what is submitted next waits for what is in the
     * stream (`after` false), or what is put into the stream next waits for the pair that was submitted last (true).
     * NULL: the backend has no streams. */
    sv_status (*order)(void *context, void *stream, bool after, sv_error *error);

    /* Counts the memory of a matcher for these parameters, which are valid, with SV_IN_FLIGHT pairs in host memory.
     * Errors: SV_FAILED if the device fails. */
    sv_status (*footprint)(const sv_matcher_options *options, const sv_params *params, sv_footprint *footprint,
                           sv_error *error);
};

extern const sv_backend sv_cpu;
extern const sv_backend sv_cuda; /* in a build without CUDA, its probe fails with a message that explains why */

/* All of them, best first, NULL at the end. */
extern const sv_backend *const sv_backends[];

/* Writes the names of all backends as a list in words: "cuda or cpu". Returns `text`. */
char *sv_name_backends(char *text, size_t size);

/* Whether the backend can match with these parameters, which are valid.
 * Errors: SV_USAGE with the reason. */
sv_status sv_check_backend(const sv_backend *backend, const sv_params *params, sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
