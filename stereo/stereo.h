/* The interface between the folders: pictures, parameters, matchers and backends.
 *
 * Nothing here depends on CUDA, OpenGL or FFmpeg. Unless stated otherwise, sizes are in pixels and strides in bytes;
 * shapes are written slowest dimension first. */
#ifndef STEREO_STEREO_H
#define STEREO_STEREO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SV_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define SV_PRINTF(format_index, first_argument)
#endif

/* ---- Errors and messages ---------------------------------------------------------------------- */

/* The result of a call. The first four are also the program's exit status. */
typedef enum sv_status {
    SV_OK = 0,
    SV_FAILED = 1,    /* it failed while running */
    SV_USAGE = 2,     /* the caller asked for something impossible */
    SV_NO_DEVICE = 3, /* no such device or backend */
    SV_END = 4,       /* not an error: there is nothing more to read */
    SV_CANCELLED = 5, /* not an error: cancelled on request */
} sv_status;

/* Filled in by a call that returns anything but SV_OK, SV_END and SV_CANCELLED: what was being done, to what, and what
 * to try. One line without a newline and without a prefix such as "error:". */
typedef struct sv_error {
    char text[512];
} sv_error;

/* Writes the message into `error` (may be NULL) and returns `status`, for use as `return sv_fail(...)`.
 * Thread: any. */
sv_status sv_fail(sv_error *error, sv_status status, const char *format, ...) SV_PRINTF(3, 4);

typedef enum sv_level { SV_LOG_ERROR, SV_LOG_WARNING, SV_LOG_INFO, SV_LOG_DEBUG } sv_level;

/* Writes a line to the log; `format` has no newline.
 * Thread: any. */
void sv_log(sv_level level, const char *format, ...) SV_PRINTF(2, 3);

/* Sends log lines to `handler` (NULL: standard error, without SV_LOG_DEBUG).
 * Thread: the main thread, before it starts others; `handler` is called from any of them. */
void sv_set_log(void (*handler)(sv_level level, const char *line));

/* Seconds of the monotonic clock, which all times are measured with.
 * Thread: any. */
double sv_seconds(void);

/* ---- Pictures --------------------------------------------------------------------------------- */

typedef enum sv_format {
    SV_GREY8,   /* 1 byte, 0..255 */
    SV_COLOUR8, /* 4 bytes: red, green, blue, 255 */
    SV_FLOAT32, /* 4 bytes; a disparity map is in pixels, +INFINITY where there is none */
    SV_REASON8, /* 1 byte, an sv_reason */
} sv_format;

typedef enum sv_memory { SV_HOST, SV_DEVICE } sv_memory;

/* A borrowed view of a picture, copied by value; whoever allocated the memory frees it.
 * data: height rows of width pixels, row y at data + y * stride. */
typedef struct sv_image {
    void *data;
    size_t stride; /* bytes from one row to the next: a multiple of the pixel's size, at least width * that size */
    int width, height;
    sv_format format;
    sv_memory memory;
} sv_image;

/* Bytes per pixel. */
size_t sv_pixel_size(sv_format format);

/* Row `y` of a picture in host memory. */
static inline void *sv_row(const sv_image *image, int y) { return (char *)image->data + (size_t)y * image->stride; }

/* Why a pixel of the disparity map has its value, or none. */
typedef enum sv_reason {
    SV_VALID,               /* matched */
    SV_FILLED,              /* has a value, taken from its neighbours */
    SV_BORDER,              /* no candidate lies inside the other picture, or the rectified picture is empty there */
    SV_NO_TEXTURE,          /* the window is flat */
    SV_POOR_MATCH,          /* beyond max-cost or min-correlation */
    SV_AMBIGUOUS,           /* another disparity is nearly as good */
    SV_LEFT_RIGHT_CONFLICT, /* the disparity map of the right picture disagrees */
    SV_SPECKLE,             /* part of a region that is too small */
    SV_REASON_COUNT
} sv_reason;

/* The reason in a few words, for legends; "?" if out of range. */
const char *sv_reason_name(int reason);

/* ---- Parameters ------------------------------------------------------------------------------- */

typedef enum sv_method {
    SV_SSD,
    SV_NCC,
    SV_ZNCC,
    SV_GFD,
    SV_SGM,
    SV_METHOD_COUNT,
    SV_DEFAULT_METHOD = SV_SGM, /* if none is named */
} sv_method;

/* What the rest of the program needs to know about a method. sv_parameters says which parameters it uses. */
typedef struct sv_method_traits {
    const char *name;         /* as the command line and the settings file write it */
    const char *help;         /* one line */
    const char *paper;        /* author and year as far as known */
    bool correlates;          /* the best match has the largest correlation; otherwise the smallest cost */
    bool uses_colour;         /* compares the colour pictures if there are any */
    bool compares_brightness; /* minds cameras that expose differently; uses the parameter `prefilter` against it */
    bool has_steps;           /* uses the parameter `step`: disparities between whole pixels */
    bool has_pyramid;         /* uses the parameter `pyramid` */
} sv_method_traits;

extern const sv_method_traits sv_methods[]; /* by sv_method */

/* How pixels without a disparity get one from their neighbours. */
typedef enum sv_fill {
    SV_FILL_NONE,
    SV_FILL_ROW,   /* the smaller one of the nearest to the left and the nearest to the right */
    SV_FILL_CROSS, /* the nearest in the row, then the nearest in the column */
} sv_fill;

/* What is done to the pictures before they are matched. */
typedef enum sv_prefilter {
    SV_PREFILTER_NONE,
    SV_PREFILTER_CONTRAST, /* sv_contrast, on both: brightness relative to the surrounding window; without colour */
    SV_PREFILTER_EXPOSURE, /* stereo/exposure.h: the right picture gets the exposure of the left one */
} sv_prefilter;

/* Everything that can be changed while the program runs. Plain data, passed by value with each pair: a change takes
 * effect with the next pair, and nothing is locked. Ranges, defaults and help are in sv_parameters. */
typedef struct sv_params {
    int method;            /* sv_method */
    int rho;               /* radius of the window: 2 rho + 1 pixels wide */
    int rho_y;             /* its vertical radius; -1: the same as rho */
    int min_disparity;     /* pixels, inclusive */
    int max_disparity;     /* pixels, inclusive */
    int prefilter;         /* ssd, gfd: sv_prefilter */
    int steps;             /* ssd: candidates per pixel of disparity: 1, 2 or 4 (--step 1, 1/2, 1/4) */
    float max_cost;        /* ssd: mean squared difference of (filtered) grey above which a match is poor; 0: off */
    int tau;               /* ncc: half-width of the search around a neighbour's disparity, pixels */
    int reseed;            /* ncc: every reseed-th row is searched over the full range; 0: only one row is */
    float min_correlation; /* ncc, zncc: correlation below which a match is poor; -1: off */
    float alpha;           /* gfd: weight of colour relative to gradient, 0..1 */
    float lambda;          /* gfd: cost of a change of disparity along the row */
    int aggregate;         /* gfd: radius of the box that costs are averaged over, pixels */
    int census;           /* sgm: width of the square whose corners and edge midpoints the census compares: 3, 5 or 7 */
    int paths;            /* sgm: directions that costs are summed along: 4 or 8 */
    int p1;               /* sgm: cost of a change of disparity by one pixel along a path */
    int p2;               /* sgm: cost of a larger change where the picture has no edge */
    int pyramid;          /* ssd, zncc: number of levels, each half the size of the one before; 1: no pyramid */
    int subpixel;         /* 0, 1: fit a curve to the winner and its two neighbours: a parabola; for sgm, two lines */
    int uniqueness;       /* percent by which the best cost must be below the second best; 0: off */
    int left_right_check; /* pixels by which the left and the right disparity map may differ; -1: off */
    int speckle_size;     /* regions of at most this many pixels are removed; 0: off */
    float speckle_range;  /* pixels by which neighbours in a region may differ */
    int holes;            /* how many of the 24 pixels around a hole must be valid and agree to fill it; 0: off */
    int hole_passes;      /* how often holes are filled, each time from the result of the pass before */
    int fill;             /* sv_fill */
    int median;           /* width of the median filter, 0 (off), 3 or 5 */
    int weighted_median;  /* its radius, pixels; 0: off */
    int average;          /* width of the moving average, 0 (off), 3, 5, 7 or 9 */
    int scale;            /* pictures are matched at 1/scale of their size: 1, 2 or 4 (--scale 1, 1/2, 1/4) */
    int row_shift;        /* rows by which the rectified right picture is moved up, to try out its alignment */
    uint32_t chosen;      /* bit i: sv_parameters[i] was set explicitly and is not the method's default */
} sv_params;

typedef enum sv_parameter_kind {
    SV_INTEGER,
    SV_REAL,
    SV_CHOICE, /* one of the words of `choices`; the value is choice_values[i] */
    SV_SWITCH, /* off, on */
} sv_parameter_kind;

enum {
    SV_MAX_CHOICES = 6,
    SV_MAX_SIDE = 16384, /* pixels of a picture */
    SV_MAX_RADIUS = 31,
    SV_MIN_DISPARITY = -1024,
    SV_MAX_DISPARITY = 1023,
    SV_MAX_DISPARITIES = 1024
};

/* One parameter. The command line, the panel, the settings file and --help are generated from these. */
typedef struct sv_parameter {
    const char *name;   /* option (--name) and key of the settings file */
    const char *symbol; /* its name in the papers, or NULL */
    const char *unit;   /* "pixels", "grey^2", ... or NULL */
    const char *help;   /* one line */
    sv_parameter_kind kind;
    size_t offset; /* in sv_params: an int, or a float for SV_REAL */
    double min, max;
    double initial[SV_METHOD_COUNT]; /* the default, by method */
    const char *min_word;            /* name of the smallest value ("off", "same"), or NULL */
    const char *choices[SV_MAX_CHOICES];
    int choice_values[SV_MAX_CHOICES];
    unsigned methods; /* bit 1 << method is set for each method that uses it */
} sv_parameter;

extern const sv_parameter sv_parameters[];
extern const int sv_parameter_count;

/* The parameter of that name, or NULL. --disparities has no entry of its own: it sets "min-disparity" and
 * "max-disparity". */
const sv_parameter *sv_find_parameter(const char *name);

double sv_get(const sv_params *params, const sv_parameter *parameter);
void sv_set(sv_params *params, const sv_parameter *parameter, double value); /* clamps to the range */
void sv_reset(sv_params *params, const sv_parameter *parameter);             /* to its method's default */

/* Reads `text` as the parameter's value: a number, one of its choices, its min_word, or on/off.
 * Errors: SV_USAGE; the message names the parameter, its range and the text. */
sv_status sv_parse(sv_params *params, const sv_parameter *parameter, const char *text, sv_error *error);

/* Reads "MIN:MAX" as the smallest and the largest disparity.
 * Errors: SV_USAGE. */
sv_status sv_parse_disparities(sv_params *params, const char *text, sv_error *error);

/* Writes the value as sv_parse reads it. Returns `text`. */
char *sv_print(const sv_params *params, const sv_parameter *parameter, char *text, size_t size);

/* Writes the values that a parameter takes, as sv_parse reads them: "off, 1..64". Returns `text`. */
char *sv_print_range(const sv_parameter *parameter, char *text, size_t size);

/* Writes the methods that use a parameter: "ssd, zncc". Returns `text`. */
char *sv_print_methods(const sv_parameter *parameter, char *text, size_t size);

const char *sv_method_name(int method); /* "ssd"; "?" if out of range */
int sv_method_of(const char *name);     /* -1 if there is none */

sv_params sv_default_params(sv_method method);

/* The same parameters for another method: those that were not set explicitly take its defaults. */
sv_params sv_with_method(sv_params params, sv_method method);

/* The parameters for pictures of 1/scale of the size: disparities in pixels of that size, and a scale of 1. The
 * candidates are the multiples of `scale` within the range, or the nearest one below it if there is none. */
sv_params sv_scaled_params(sv_params params);

/* Checks that each value is in its range and that the disparity range is neither empty nor too large.
 * Errors: SV_USAGE. */
sv_status sv_check_params(const sv_params *params, sv_error *error);

/* The vertical radius, with -1 resolved. */
static inline int sv_rho_y(const sv_params *params) { return params->rho_y < 0 ? params->rho : params->rho_y; }

/* True if the pictures are filtered before they are matched. */
static inline bool sv_prefilters(const sv_params *params) {
    return sv_methods[params->method].compares_brightness && params->prefilter;
}

/* The number of candidates: candidate k, 0 <= k < count, is the disparity min_disparity + k / steps. */
static inline int sv_steps(const sv_params *params) { return sv_methods[params->method].has_steps ? params->steps : 1; }
static inline int sv_candidates(const sv_params *params) {
    return (params->max_disparity - params->min_disparity) * sv_steps(params) + 1;
}

/* True if a pyramid is matched: the parameters have more than one level, and the method supports them. */
static inline bool sv_uses_pyramid(const sv_params *params) {
    return params->pyramid > 1 && sv_methods[params->method].has_pyramid;
}

/* ---- Matchers --------------------------------------------------------------------------------- */

typedef enum sv_stage { SV_UPLOAD, SV_RECTIFY, SV_MATCH, SV_REFINE, SV_DOWNLOAD, SV_STAGE_COUNT } sv_stage;

const char *sv_stage_name(int stage);

/* How long each stage of one pair took, in milliseconds; device times on a GPU, 0 for a stage that did not run. */
typedef struct sv_times {
    float ms[SV_STAGE_COUNT];
    float begin[SV_STAGE_COUNT]; /* when it began, milliseconds after the matcher was created */
} sv_times;

/* The input: pictures of one size, rectified unless the matcher rectifies them. Each is in host memory or in device
 * memory of the backend. Uploads overlap with computation only from memory that the backend's `alloc` returned (pinned
 * memory with CUDA). */
typedef struct sv_pair {
    sv_image left, right;               /* SV_GREY8 */
    sv_image left_colour, right_colour; /* SV_COLOUR8; for gfd. Without data, the grey pictures replace them */
} sv_pair;

/* Where the result goes: maps of the size of the left picture, both in host memory or both in device memory of the
 * backend. */
typedef struct sv_output {
    sv_image disparity; /* SV_FLOAT32, x_right = x_left - d */
    sv_image reason;    /* SV_REASON8 */
} sv_output;

typedef struct sv_matcher_options {
    int width, height; /* of every picture of a pair */
    int threads;       /* cpu: how many, 0 for all cores; other backends ignore it */
    /* See stereo/rig.h; NULL: the pictures are not rectified. Borrowed until the matcher is destroyed. With it, and
     * with a row_shift, pictures are rectified before they are matched (SV_RECTIFY): the grey ones and, if the method
     * uses them, the colour ones. Rectified pixels that show nothing of the camera's picture are black. A pixel of the
     * left picture that is one, or whose match in the right picture is one, becomes SV_BORDER before refinement; those
     * of the left picture remain SV_BORDER after it, whatever the filters do. */
    const struct sv_rectification *rectification;
    /* See stereo/cancel.h; NULL: no match is ever cancelled. On a request, a backend may cancel a pair; the cpu backend
     * does so within a few rows. Borrowed until the matcher is destroyed. */
    const struct sv_cancel *cancel;
} sv_matcher_options;

/* How many pairs may be in flight, which means submitted and not yet waited for; and how many outputs a program needs
 * that shows them: those being written, one that waits, and one being shown. */
enum { SV_IN_FLIGHT = 2, SV_OUTPUTS = SV_IN_FLIGHT + 2 };

/* A backend: a table of functions. Those of a matcher are called through the sv_* functions below, which check the
 * arguments; a backend does not check them again. */
typedef struct sv_backend {
    const char *name; /* "cpu", "cuda" */

    /* How many pairs it works on at a time, at most SV_IN_FLIGHT: 1 if `submit` itself does the work. */
    int at_once;

    /* The device whose memory SV_DEVICE means for pictures and maps ("CUDA device 0"); NULL: it takes host memory only.
     */
    const char *memory_of;

    /* Whether it matches over an image pyramid; sv_submit refuses the parameter if not. */
    bool has_pyramid;

    /* Writes the device's name ("NVIDIA H200", "CPU, 2 threads").
     * Errors: SV_NO_DEVICE, with the reason, if there is none. */
    sv_status (*probe)(char *device, size_t size, sv_error *error);

    /* Allocates memory from which pictures can be uploaded without an intermediate copy; NULL if there is none left.
     * Thread: any. */
    void *(*alloc)(size_t bytes);
    void (*free)(void *memory);

    sv_status (*create)(const sv_matcher_options *options, void **context, sv_error *error);
    sv_status (*submit)(void *context, const sv_pair *pair, const sv_params *params, const sv_output *output,
                        sv_error *error);
    sv_status (*wait)(void *context, sv_times *times, sv_error *error);
    void (*destroy)(void *context);

    /* Share an OpenGL buffer with the device; all four are NULL if the backend cannot. A mapped buffer belongs to the
     * backend, an unmapped one to OpenGL.
     * Errors: `share_register` returns SV_NO_DEVICE if OpenGL runs on another device.
     * Thread: the one whose OpenGL context is current. */
    sv_status (*share_register)(unsigned gl_buffer, void **shared, sv_error *error);
    sv_status (*share_map)(void *shared, void **device_memory, size_t *bytes, sv_error *error);
    sv_status (*share_unmap)(void *shared, sv_error *error);
    void (*share_unregister)(void *shared);
} sv_backend;

extern const sv_backend sv_cpu;
extern const sv_backend sv_cuda; /* in a build without CUDA, its probe fails with a message that says so */

/* All of them, best first, NULL at the end. */
extern const sv_backend *const sv_backends[];

/* Finds the backend "cuda" or "cpu", or for "auto" the first one whose probe succeeds; the log says why an earlier one
 * is not used.
 * Errors: SV_USAGE if there is none of that name; SV_NO_DEVICE if it cannot run. */
sv_status sv_find_backend(const char *name, const sv_backend **backend, sv_error *error);

/* Writes the names of all backends as a list in words: "cuda or cpu". Returns `text`. */
char *sv_name_backends(char *text, size_t size);

/* Whether the backend can match with these parameters, which are valid.
 * Errors: SV_USAGE with the reason. */
sv_status sv_check_backend(const sv_backend *backend, const sv_params *params, sv_error *error);

/* A matcher shares nothing with other matchers. It belongs to one thread at a time. */
typedef struct sv_matcher sv_matcher;

/* Creates a matcher, with all memory whose size follows from that of the pictures.
 * Errors: SV_USAGE for options that are out of range; SV_FAILED without memory or if the device fails.
 * Lifetime: the caller frees the matcher with sv_matcher_destroy. */
sv_status sv_matcher_create(const sv_backend *backend, const sv_matcher_options *options, sv_matcher **matcher,
                            sv_error *error);

/* Starts to match a pair. At most SV_IN_FLIGHT pairs may be in flight. Buffers grow when the parameters need more
 * memory than any before them; with unchanged parameters nothing is allocated.
 * Errors: SV_USAGE for arguments that are out of range or do not fit the matcher; SV_FAILED without memory or if the
 * device fails; SV_CANCELLED if it was cancelled, and its output is undefined. The pair is then not in flight.
 * Lifetime: neither the pictures nor the output may be touched until the sv_wait for this pair has returned. */
sv_status sv_submit(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, const sv_output *output,
                    sv_error *error);

/* Waits for the oldest pair in flight; its output is then complete. `times` may be NULL.
 * Errors: SV_USAGE if no pair is in flight; SV_FAILED if the device fails. */
sv_status sv_wait(sv_matcher *matcher, sv_times *times, sv_error *error);

/* How many pairs are worth having in flight: more would only make each one wait longer. */
int sv_at_once(const sv_matcher *matcher);

/* Waits for the pairs in flight and frees everything. */
void sv_matcher_destroy(sv_matcher *matcher); /* accepts NULL */

#ifdef __cplusplus
}
#endif

#endif
