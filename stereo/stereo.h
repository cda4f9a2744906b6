/* The contract between the rooms of the house: pictures, parameters, matchers and backends.
 *
 * Nothing here knows CUDA, OpenGL or FFmpeg. Sizes are in pixels and strides in bytes unless said
 * otherwise; shapes are written slowest dimension first. */
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

/* What a call came to. The first four are also the program's exit status. */
typedef enum sv_status {
    SV_OK = 0,
    SV_FAILED = 1,    /* it failed while running */
    SV_USAGE = 2,     /* the caller asked for something that cannot be */
    SV_NO_DEVICE = 3, /* no such device or backend */
    SV_END = 4,       /* not an error: there is nothing more to read */
} sv_status;

/* Filled in by a call that returns anything but SV_OK and SV_END: what was being done, to what, and
 * what to try. One line, no newline, no "error:" in front. */
typedef struct sv_error {
    char text[512];
} sv_error;

/* Writes the message into `error` (may be NULL) and returns `status`, so that `return sv_fail(...)`
 * reads as what it does. */
sv_status sv_fail(sv_error *error, sv_status status, const char *format, ...) SV_PRINTF(3, 4);

typedef enum sv_level { SV_LOG_ERROR, SV_LOG_WARNING, SV_LOG_INFO, SV_LOG_DEBUG } sv_level;

/* One line to the log, without a newline. Any thread. */
void sv_log(sv_level level, const char *format, ...) SV_PRINTF(2, 3);

/* Sends log lines to `handler` (NULL: standard error, without SV_LOG_DEBUG). Call before any thread
 * is started; `handler` is then called from any of them. */
void sv_set_log(void (*handler)(sv_level level, const char *line));

/* Seconds of the monotonic clock, by which all times are taken. Any thread. */
double sv_seconds(void);

/* ---- Pictures --------------------------------------------------------------------------------- */

typedef enum sv_format {
    SV_GREY8,   /* 1 byte, 0..255 */
    SV_COLOUR8, /* 4 bytes: red, green, blue, 255 */
    SV_FLOAT32, /* 4 bytes; a disparity map is in pixels, +INFINITY where there is none */
    SV_REASON8, /* 1 byte, an sv_reason */
} sv_format;

typedef enum sv_memory { SV_HOST, SV_DEVICE } sv_memory;

/* A borrowed view of a picture, copied by value; whoever made the memory frees it.
 * data: height rows of width pixels, row y at data + y * stride. */
typedef struct sv_image {
    void *data;
    size_t stride; /* bytes from one row to the next; at least width * bytes a pixel, and a multiple of the pixel */
    int width, height;
    sv_format format;
    sv_memory memory;
} sv_image;

/* Bytes a pixel. */
size_t sv_pixel_size(sv_format format);

/* Row `y` of a picture in host memory. */
static inline void *sv_row(const sv_image *image, int y) { return (char *)image->data + (size_t)y * image->stride; }

/* Why a pixel of the disparity map has its value, or none. */
typedef enum sv_reason {
    SV_VALID,               /* matched */
    SV_FILLED,              /* has a value, taken from its neighbours */
    SV_BORDER,              /* no candidate lies inside the other picture, or rectification has nothing to show there */
    SV_NO_TEXTURE,          /* the window is flat */
    SV_POOR_MATCH,          /* beyond max-cost or min-correlation */
    SV_AMBIGUOUS,           /* another disparity is nearly as good */
    SV_LEFT_RIGHT_CONFLICT, /* the right picture's map disagrees */
    SV_SPECKLE,             /* part of a patch that is too small */
    SV_REASON_COUNT
} sv_reason;

/* The reason in a word or two, for legends; "?" if out of range. */
const char *sv_reason_name(int reason);

/* ---- Parameters ------------------------------------------------------------------------------- */

typedef enum sv_method {
    SV_SSD,
    SV_NCC,
    SV_ZNCC,
    SV_GFD,
    SV_SGM,
    SV_METHOD_COUNT,
    SV_DEFAULT_METHOD = SV_SGM, /* where none is named */
} sv_method;

/* What the rest of the program asks about a method. Which parameters it uses is in sv_parameters. */
typedef struct sv_method_traits {
    const char *name;  /* as the command line and the settings file write it */
    const char *help;  /* one line */
    const char *paper; /* author and year as far as known */
    bool correlates;   /* the best match has the largest correlation; else the least cost */
    bool uses_colour;  /* compares the colour pictures if there are any */
    bool has_steps;    /* uses the parameter `step`: disparities between whole pixels */
    bool has_pyramid;  /* uses the parameter `pyramid` */
} sv_method_traits;

extern const sv_method_traits sv_methods[]; /* by sv_method */

/* How pixels without a disparity get one from their neighbours. */
typedef enum sv_fill {
    SV_FILL_NONE,
    SV_FILL_ROW,   /* the smaller of the nearest to the left and to the right */
    SV_FILL_CROSS, /* the nearest in the row, then the nearest in the column */
} sv_fill;

/* What both pictures pass before they are matched. */
typedef enum sv_prefilter {
    SV_PREFILTER_NONE,
    SV_PREFILTER_CONTRAST, /* sv_contrast: brightness against that of the window about it */
} sv_prefilter;

/* Everything that can be turned while it runs. Plain data, passed by value with each pair: a change
 * takes effect with the next pair and nothing is locked. Ranges, defaults and help: sv_parameters. */
typedef struct sv_params {
    int method;            /* sv_method */
    int rho;               /* radius of the window: 2 rho + 1 pixels wide */
    int rho_y;             /* its vertical radius; -1: the same as rho */
    int min_disparity;     /* pixels, inclusive */
    int max_disparity;     /* pixels, inclusive */
    int prefilter;         /* ssd: sv_prefilter */
    int steps;             /* ssd: disparities tried in each pixel: 1, 2 or 4 (--step 1, 1/2, 1/4) */
    float max_cost;        /* ssd: mean squared difference of (filtered) grey above which a match is poor; 0: off */
    int tau;               /* ncc: half width of the search about a neighbour's disparity, pixels */
    int reseed;            /* ncc: every that many rows one is searched over the full range; 0: one row in all */
    float min_correlation; /* ncc, zncc: correlation below which a match is poor; -1: off */
    float alpha;           /* gfd: weight of colour against gradient, 0..1 */
    float lambda;          /* gfd: cost of a change of disparity along the row */
    int aggregate;         /* gfd: radius of the box that costs are averaged over, pixels */
    int census;           /* sgm: width of the square whose corners and sides' middles the census compares: 3, 5 or 7 */
    int paths;            /* sgm: directions that costs are summed along: 4 or 8 */
    int p1;               /* sgm: cost of a change of disparity by one pixel along a path */
    int p2;               /* sgm: cost of a larger one where the picture is even */
    int pyramid;          /* ssd, zncc: levels, each of half the size; 1: none */
    int subpixel;         /* 0, 1: a curve through the winner and its two neighbours: a parabola, sgm: two lines */
    int uniqueness;       /* percent that the second best cost must be above the best; 0: off */
    int left_right_check; /* pixels that the two maps may differ by; -1: off */
    int speckle_size;     /* pixels: patches of at most that many are removed; 0: off */
    float speckle_range;  /* pixels that neighbours in a patch may differ by */
    int holes;            /* valid pixels of the 24 about an empty one that fill it if they agree; 0: off */
    int fill;             /* sv_fill */
    int median;           /* width of the median filter, 0 (off), 3 or 5 */
    int weighted_median;  /* its radius, pixels; 0: off */
    int average;          /* width of the moving average, 0 (off), 3, 5, 7 or 9 */
    int row_shift;        /* rows that the rectified right picture is moved up by, to try out its alignment */
    uint32_t chosen;      /* bit i: sv_parameters[i] was set, and is not just its method's default */
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

/* One parameter. The command line, the panel, the settings file and --help are made from these. */
typedef struct sv_parameter {
    const char *name;   /* option (--name) and key of the settings file */
    const char *symbol; /* as the papers write it, or NULL */
    const char *unit;   /* "pixels", "grey^2", ... or NULL */
    const char *help;   /* one line */
    sv_parameter_kind kind;
    size_t offset; /* in sv_params: an int, or a float for SV_REAL */
    double min, max;
    double initial[SV_METHOD_COUNT]; /* the default, by method */
    const char *min_word;            /* what the smallest value is called ("off", "same"), or NULL */
    const char *choices[SV_MAX_CHOICES];
    int choice_values[SV_MAX_CHOICES];
    unsigned methods; /* bit 1 << method is set for each method that it has a meaning for */
} sv_parameter;

extern const sv_parameter sv_parameters[];
extern const int sv_parameter_count;

/* The parameter of that name, or NULL. `disparities` is no entry of its own: its two ends are
 * "min-disparity" and "max-disparity". */
const sv_parameter *sv_find_parameter(const char *name);

double sv_get(const sv_params *params, const sv_parameter *parameter);
void sv_set(sv_params *params, const sv_parameter *parameter, double value); /* clamps to the range */
void sv_reset(sv_params *params, const sv_parameter *parameter);             /* to its method's default */

/* Reads `text` as the parameter's value: a number, a choice's word, its min_word, on/off. SV_USAGE
 * with a message that names the parameter, its range and the text. */
sv_status sv_parse(sv_params *params, const sv_parameter *parameter, const char *text, sv_error *error);

/* Reads "MIN:MAX" into the two ends of the range. */
sv_status sv_parse_disparities(sv_params *params, const char *text, sv_error *error);

/* Writes the value as sv_parse reads it. Returns `text`. */
char *sv_print(const sv_params *params, const sv_parameter *parameter, char *text, size_t size);

const char *sv_method_name(int method); /* "ssd"; "?" if out of range */
int sv_method_of(const char *name);     /* -1 if there is none */

sv_params sv_default_params(sv_method method);

/* The same parameters for another method: those that were not chosen take its defaults. */
sv_params sv_with_method(sv_params params, sv_method method);

/* SV_USAGE with a message if any value is out of its range or two do not fit together. */
sv_status sv_check_params(const sv_params *params, sv_error *error);

/* Vertical radius, with -1 resolved. */
static inline int sv_rho_y(const sv_params *params) { return params->rho_y < 0 ? params->rho : params->rho_y; }

/* Whether the pictures are filtered before they are matched. */
static inline bool sv_prefilters(const sv_params *params) { return params->method == SV_SSD && params->prefilter; }

/* How many disparities are tried: candidate k, 0 <= k < count, is at min_disparity + k / steps pixels. */
static inline int sv_steps(const sv_params *params) { return sv_methods[params->method].has_steps ? params->steps : 1; }
static inline int sv_candidates(const sv_params *params) {
    return (params->max_disparity - params->min_disparity) * sv_steps(params) + 1;
}

/* Whether the levels of a pyramid are matched: more than one is asked for, and the method has them. */
static inline bool sv_uses_pyramid(const sv_params *params) {
    return params->pyramid > 1 && sv_methods[params->method].has_pyramid;
}

/* ---- Matchers --------------------------------------------------------------------------------- */

typedef enum sv_stage { SV_UPLOAD, SV_RECTIFY, SV_MATCH, SV_REFINE, SV_DOWNLOAD, SV_STAGE_COUNT } sv_stage;

const char *sv_stage_name(int stage);

/* Milliseconds that each stage of one pair took; device times on a GPU, 0 for a stage that did not run. */
typedef struct sv_times {
    float ms[SV_STAGE_COUNT];
    float begin[SV_STAGE_COUNT]; /* when it began, milliseconds after the matcher was made */
} sv_times;

/* What goes in: grey pictures of one size, which are rectified unless the matcher does that, in host memory (pinned if
 * the backend's `alloc` made it, which is what lets an upload overlap). */
typedef struct sv_pair {
    sv_image left, right;               /* SV_GREY8 */
    sv_image left_colour, right_colour; /* SV_COLOUR8; for gfd. Without data, the grey pictures stand for them */
} sv_pair;

/* Where the result goes: maps on the left picture, of its size, both in the same memory. Device
 * memory is what the backend's `share_map` or its own allocation returned. */
typedef struct sv_output {
    sv_image disparity; /* SV_FLOAT32, x_right = x_left - d */
    sv_image reason;    /* SV_REASON8 */
} sv_output;

typedef struct sv_matcher_options {
    int width, height; /* of every picture of a pair */
    int threads;       /* cpu: how many, 0 for all cores; others ignore it */
    /* stereo/rig.h; NULL: the pictures are used as they come. Borrowed until the matcher is destroyed. With it, and
     * with a row_shift, pictures are rectified before they are matched (SV_RECTIFY), in grey and, where the method uses
     * it, in colour; what lies outside of the camera's picture is black there. Before refinement a match that ends in
     * such a place of the right picture becomes SV_BORDER. A pixel that is such a place of the left picture becomes
     * SV_BORDER before refinement and is so after it, whatever fills or filters. */
    const struct sv_rectification *rectification;
} sv_matcher_options;

/* How many pairs may be submitted before the first of them is waited for, and how many outputs that takes where results
 * are shown: those being written, one that waits, one being shown. */
enum { SV_IN_FLIGHT = 2, SV_OUTPUTS = SV_IN_FLIGHT + 2 };

/* A way to compute: a table of functions. All of them are called through the sv_* functions below,
 * which check the arguments; a backend does not check them again. */
typedef struct sv_backend {
    const char *name; /* "cpu", "cuda" */

    /* How many pairs it works on at a time, at most SV_IN_FLIGHT: 1 where `submit` itself does the work. */
    int at_once;

    /* Writes the device's name ("NVIDIA H200", "CPU, 2 threads"); SV_NO_DEVICE with the reason if
     * there is none. */
    sv_status (*probe)(char *device, size_t size, sv_error *error);

    /* Memory that pictures can be uploaded from without a copy; NULL when there is none left.
     * Any thread. */
    void *(*alloc)(size_t bytes);
    void (*free)(void *memory);

    sv_status (*create)(const sv_matcher_options *options, void **context, sv_error *error);
    sv_status (*submit)(void *context, const sv_pair *pair, const sv_params *params, const sv_output *output,
                        sv_error *error);
    sv_status (*wait)(void *context, sv_times *times, sv_error *error);
    void (*destroy)(void *context);

    /* Sharing an OpenGL buffer with the device; all four NULL where there is no such thing. Only from
     * the thread whose OpenGL context is current. A mapped buffer belongs to the backend, an unmapped
     * one to OpenGL. `share_register` returns SV_NO_DEVICE where OpenGL runs on another device. */
    sv_status (*share_register)(unsigned gl_buffer, void **shared, sv_error *error);
    sv_status (*share_map)(void *shared, void **device_memory, size_t *bytes, sv_error *error);
    sv_status (*share_unmap)(void *shared, sv_error *error);
    void (*share_unregister)(void *shared);
} sv_backend;

extern const sv_backend sv_cpu;
extern const sv_backend sv_cuda; /* in a build without CUDA its probe says so */

/* All of them, best first, NULL at the end. */
extern const sv_backend *const sv_backends[];

/* "cuda", "cpu", or "auto": the first that probes well; falling back is said once in the log. */
sv_status sv_find_backend(const char *name, const sv_backend **backend, sv_error *error);

/* One matcher: belongs to one thread at a time, shares nothing with others. */
typedef struct sv_matcher sv_matcher;

/* Allocates what the pictures' size decides. The caller frees it with sv_matcher_destroy. */
sv_status sv_matcher_create(const sv_backend *backend, const sv_matcher_options *options, sv_matcher **matcher,
                            sv_error *error);

/* Starts on a pair. Neither the pictures nor the output may be touched until the matching sv_wait has
 * returned. At most SV_IN_FLIGHT pairs at a time. Buffers grow when a parameter asks for more than
 * any before; with unchanged parameters nothing is allocated. */
sv_status sv_submit(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, const sv_output *output,
                    sv_error *error);

/* Waits for the oldest pair that was submitted; its output is then complete. `times` may be NULL. */
sv_status sv_wait(sv_matcher *matcher, sv_times *times, sv_error *error);

/* How many pairs are worth submitting before the first is waited for: more would only make the first one wait. */
int sv_at_once(const sv_matcher *matcher);

/* Waits for what is under way and frees everything. NULL is fine. */
void sv_matcher_destroy(sv_matcher *matcher);

#ifdef __cplusplus
}
#endif

#endif
