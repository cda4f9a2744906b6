/* The interface of libstereoview: dense stereo matching on the CPU and on NVIDIA GPUs.
 *
 * A matcher computes the disparity map of two pictures and, for each pixel, why it has or lacks a disparity. The cpu
 * and the cuda backend compute the same bytes. A rectification, made from a calibration file, brings the pictures of
 * two cameras onto common rows first. examples/match.c is a whole program.
 *
 * Unless stated otherwise, sizes are in pixels and strides in bytes, shapes are written slowest dimension first,
 * strings are UTF-8 and end with a 0, and an `error` may be NULL. A function may be called from any thread, but only
 * one thread at a time may use an object. The library writes no files, and prints nothing but its log (sv_set_log).
 *
 * ABI: a program that was linked with libstereoview.so.2 runs with every later version of it. The soname changes when a
 * function is removed, or a function, a structure or the value of a constant changes; new parameters, which are known
 * by name, methods, backends and functions need no new one. Any version may change disparity maps; CHANGELOG.md then
 * lists it. */
#ifndef STEREOVIEW_STEREOVIEW_H
#define STEREOVIEW_STEREOVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; semantic versioning. */
#define SV_VERSION "0.1.0"

#define SV_API __attribute__((visibility("default")))

/* The version of the library that is loaded, such as "0.1.0". */
SV_API const char *sv_version(void);

/* ---- Errors and messages ---------------------------------------------------------------------- */

/* The result of a call. The first four are also the program's exit status. */
typedef enum sv_status {
    SV_OK = 0,
    SV_FAILED = 1,    /* the call failed while running */
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

typedef enum sv_level { SV_LOG_ERROR, SV_LOG_WARNING, SV_LOG_INFO, SV_LOG_DEBUG } sv_level;

/* Sends log lines to `handler` (NULL: standard error, without SV_LOG_DEBUG).
 * Thread: the main thread, before it starts others; `handler` may be called from any of them. */
SV_API void sv_set_log(void (*handler)(sv_level level, const char *line));

/* ---- Pictures and maps ------------------------------------------------------------------------ */

typedef enum sv_format {
    SV_GREY8,   /* 1 byte, 0..255 */
    SV_COLOUR8, /* 4 bytes: red, green, blue, 255 */
    SV_FLOAT32, /* 4 bytes; a disparity map is in pixels, +INFINITY where there is none */
    SV_REASON8, /* 1 byte, an sv_reason */
} sv_format;

typedef enum sv_memory {
    SV_HOST,
    SV_DEVICE, /* of the GPU that the matcher works on */
} sv_memory;

/* A borrowed view of a picture, copied by value; whoever allocated the memory frees it.
 * data: height rows of width pixels, row y at data + y * stride. */
typedef struct sv_image {
    void *data;
    size_t stride; /* bytes from one row to the next: a multiple of the pixel's size, at least width * that size */
    int width, height;
    sv_format format;
    sv_memory memory;
} sv_image;

/* Why a pixel of the disparity map has its value, or none. */
typedef enum sv_reason {
    SV_VALID,               /* matched */
    SV_FILLED,              /* has a value, taken from its neighbours */
    SV_BORDER,              /* no candidate lies inside the other picture, or the rectified picture is empty there */
    SV_NO_TEXTURE,          /* the window is flat */
    SV_POOR_MATCH,          /* beyond max-cost or min-correlation, or below min-confidence */
    SV_AMBIGUOUS,           /* another disparity is nearly as good */
    SV_LEFT_RIGHT_CONFLICT, /* the disparity map of the right picture disagrees */
    SV_SPECKLE,             /* part of a region that is too small */
    SV_REASON_COUNT
} sv_reason;

/* The reason in a few words, for legends; "?" if out of range. */
SV_API const char *sv_reason_name(int reason);

/* The input: pictures of one size, rectified unless the matcher rectifies them. Each is in host memory or in device
 * memory of the backend. Uploads overlap with computation only from pinned memory, as cudaHostAlloc returns it. */
typedef struct sv_pair {
    sv_image left, right;               /* SV_GREY8 */
    sv_image left_colour, right_colour; /* SV_COLOUR8; for gfd. Without data, the grey pictures replace them */
    /* The number of the frame in its recording, counted from 1; 0: a pair by itself. With the parameter "temporal" on,
     * the disparities of pixels at which the picture stays the same are averaged with those of the frames before. These
     * are the pairs submitted to the matcher just before with the numbers number - 1, number - 2, ... and the same
     * parameters; any other number or parameter, another size or a failure starts over. */
    int64_t number;
} sv_pair;

/* Where the result goes: maps of the size of the left picture, all in host memory or all in device memory of the
 * backend. */
typedef struct sv_output {
    sv_image disparity; /* SV_FLOAT32, x_right = x_left - d */
    sv_image reason;    /* SV_REASON8 */
    /* SV_GREY8: how sure the match is, from 0, worthless, to 255; 0 where the reason is not SV_VALID. It orders the
     * matches of one method, and is not a probability. Without data it is not computed, which saves time. */
    sv_image confidence;
} sv_output;

/* ---- Backends --------------------------------------------------------------------------------- */

typedef struct sv_backend sv_backend;

/* Finds the backend "cuda" or "cpu", or for "auto" the first one that can run on that device, see sv_matcher_options;
 * the log reports why an earlier one is not used.
 * Errors: SV_USAGE if there is none of that name; SV_NO_DEVICE if it cannot run on that device.
 * Lifetime: static. */
SV_API sv_status sv_find_backend(const char *name, int device, const sv_backend **backend, sv_error *error);

/* "cpu" or "cuda". */
SV_API const char *sv_backend_name(const sv_backend *backend);

/* ---- Parameters ------------------------------------------------------------------------------- */

/* The method and its parameters. */
typedef struct sv_params sv_params;

/* The default method with its defaults; NULL without memory.
 * Lifetime: the caller frees them with sv_params_free. */
SV_API sv_params *sv_params_new(void);
SV_API void sv_params_free(sv_params *params); /* accepts NULL */

/* Sets a parameter by the name and in the words of the command line and the settings file: "median" to "5",
 * "speckle-size" to "off". Besides those that sv_describe_parameter lists, "method" takes the name of a method, whose
 * defaults replace those of the method before; "quality" takes fast, balanced or best; "disparities" takes MIN:MAX.
 * Errors: SV_USAGE, with the values that it takes. */
SV_API sv_status sv_params_set(sv_params *params, const char *name, const char *value, sv_error *error);

/* Writes the value as sv_params_set reads it; 64 bytes are enough, and 512 for "model". "quality" is "custom" if the
 * parameters are those of no quality.
 * Errors: SV_USAGE if there is no such parameter. */
SV_API sv_status sv_params_get(const sv_params *params, const char *name, char *value, size_t size, sv_error *error);

/* A parameter or a method. The strings are static, and empty where nothing applies. */
typedef struct sv_description {
    const char *name;
    const char *help;  /* one line */
    const char *unit;  /* "pixels", ...; of a method: its paper */
    char values[96];   /* values that a parameter takes: "off, 1..64" */
    char defaults[96]; /* "0", or "5, gfd 0" where methods differ */
    char methods[64];  /* methods that use a parameter: "ssd, zncc" */
} sv_description;

/* Describe the parameter or the method of this number, counted from 0. False if there is none. */
SV_API bool sv_describe_parameter(int number, sv_description *description);
SV_API bool sv_describe_method(int number, sv_description *description);

/* ---- Rectification ---------------------------------------------------------------------------- */

/* How to rectify the pictures of two cameras, so that corresponding points lie in one row. */
typedef struct sv_rectification sv_rectification;

/* Reads a calibration: one file, or two separated by a comma (left and right camera, or intrinsics and extrinsics), in
 * the formats of OpenCV (YAML or XML), ROS camera_info, Kalibr, EuRoC, KITTI, Karlsruhe, Middlebury, ETH3D and ZED, for
 * pictures of width x height. `alpha`, 0 to 1: 0 zooms in until only pixels of the pictures are visible, 1 zooms out
 * until all of them are; negative: that of the file, or 0 if it has none.
 * Errors: SV_FAILED, with the file and the key; SV_USAGE if alpha is above 1.
 * Lifetime: the caller frees it with sv_rectification_unload; after an error it is NULL. */
SV_API sv_status sv_rectification_load(const char *files, int width, int height, double alpha,
                                       sv_rectification **rectification, sv_error *error);
SV_API void sv_rectification_unload(sv_rectification *rectification); /* accepts NULL */

/* Rectified cameras: both are pinholes without distortion, with parallel axes and common rows. The depth of a disparity
 * d is focal * baseline / (d + doffs). */
typedef struct sv_geometry {
    int width, height; /* pixels, of the pictures before and after rectification */
    double focal;      /* pixels */
    double cx, cy;     /* pixels: principal point of the left picture; (0, 0) is the centre of the top left pixel */
    double doffs;      /* pixels: cx of the right picture minus cx of the left */
    double baseline;   /* in metres if `metric`, else in the unit of the calibration */
    bool metric;
} sv_geometry;

SV_API void sv_rectification_geometry(const sv_rectification *rectification, sv_geometry *geometry);

/* The row errors of the right pictures after rectification: at (x, y) of the rectified right picture, with u and v from
 * -1 to 1 across and down it, what belongs there lies
 *
 *   terms[0] + terms[1] u + terms[2] v + terms[3] u v + terms[4] v^2 + terms[5] u^2
 *
 * pixels lower. */
enum { SV_ROW_TERMS = 6 };

typedef struct sv_rows {
    double terms[SV_ROW_TERMS]; /* pixels; 0 if too few points agree */
    double least, most;         /* pixels: the correction over the picture */
    double size, deviation;     /* pixels: its root mean square, and the standard deviation of that */
    int points;                 /* that agree */
    bool helps; /* its size exceeds 0.2 pixels and three deviations, but not 3.5 pixels, beyond which the
                 * cameras need another calibration */
} sv_rows;

/* Measures the rows on at most the first five of `count` pairs of one size and one rig, by corners that a match at half
 * size with the disparities and the row shift of `params` relates to each other. The pictures are grey, in host memory.
 * `rectification`: NULL for none; otherwise the errors that remain after it are measured.
 * Errors: SV_USAGE if sizes or memory do not fit, or without a pair; SV_FAILED without memory. */
SV_API sv_status sv_measure_rows(const sv_pair *pairs, int count, const sv_rectification *rectification,
                                 const sv_params *params, sv_rows *rows, sv_error *error);

/* Makes a rectification for pictures of width x height that also corrects the rows: that of `from` with these terms in
 * addition to any that it has or, if it is NULL, one that does nothing else; then sv_geometry.focal is 0, and there is
 * no depth.
 * Errors: SV_USAGE if the sizes do not fit, or a term is not finite; SV_FAILED without memory.
 * Lifetime: as of sv_rectification_load; `from` need not outlive the call. */
SV_API sv_status sv_rectification_correct(const sv_rectification *from, int width, int height,
                                          const double terms[SV_ROW_TERMS], sv_rectification **rectification,
                                          sv_error *error);

/* Rectifies pictures in host memory: `from` into `to`, all of the rectification's size; the colour pictures too if both
 * have them. Pixels that show nothing of the camera's picture are black. A matcher with a rectification does this by
 * itself.
 * Errors: SV_USAGE if formats or sizes do not fit; SV_FAILED without memory. */
SV_API sv_status sv_rectify_pictures(const sv_rectification *rectification, const sv_pair *from, const sv_pair *to,
                                     sv_error *error);

/* ---- The state of a rig ------------------------------------------------------------------------ */

/* What can be wrong with the pictures of two cameras. An item that may follow from another comes after it. */
typedef enum sv_rig_item {
    SV_RIG_INPUT, /* whether both sides show the same scene. Figure: percent of the pixels that match */
    SV_RIG_ORDER, /* which picture is where in one that holds both, and which side is which. Figure: percent of
                   * the disparities that are negative */
    SV_RIG_TIME,  /* whether both sides show the same moment. Figure: by how many frames the right picture of the same
                   * moment is later than the one of the pair */
    SV_RIG_ROWS,  /* whether a point is in the same row of both. Figure: how many rows it is lower in the right */
    SV_RIG_CALIBRATION, /* whether the rectification belongs to these cameras. Figure: that of SV_RIG_ROWS */
    SV_RIG_BRIGHTNESS,  /* whether both are equally bright. Figure: percent by which the right one is darker */
    SV_RIG_RANGE,       /* whether the range covers all disparities. Figure: percent of them outside */
    SV_RIG_ITEM_COUNT
} sv_rig_item;

typedef enum sv_rig_grade { SV_RIG_UNKNOWN, SV_RIG_GOOD, SV_RIG_DOUBTFUL, SV_RIG_BAD } sv_rig_grade;

/* What fixes an item, with the values that it takes. */
typedef enum sv_rig_cure {
    SV_RIG_NO_CURE,
    SV_RIG_LAYOUT,    /* another layout of one picture that holds both */
    SV_RIG_SWAP,      /* the sides */
    SV_RIG_OFFSET,    /* pair each left picture with a right one that is values[0] frames later than now */
    SV_RIG_ROW_SHIFT, /* the parameter row-shift: values[0] */
    SV_RIG_ALIGN,     /* an alignment or a calibration of the cameras */
    SV_RIG_METHOD,    /* a method or a prefilter that tolerates different brightness */
    SV_RIG_WIDEN      /* the parameter disparities: values[0] to values[1] */
} sv_rig_cure;

typedef struct sv_rig_finding {
    sv_rig_grade grade;
    double figure; /* NAN if it is not known; its grade may be SV_RIG_UNKNOWN nevertheless */
    sv_rig_cure cure;
    int values[2];
} sv_rig_finding;

/* Indexed by sv_rig_item. */
typedef struct sv_rig_state {
    sv_rig_finding items[SV_RIG_ITEM_COUNT];
} sv_rig_state;

/* The name of an item: "input", "order", "time", "rows", "calibration", "brightness" or "range". */
SV_API const char *sv_rig_item_name(sv_rig_item item);

enum { SV_RIG_TEXT = 61 }; /* bytes */

/* Describes an item of a state in at most 60 characters. Returns `text`. */
SV_API char *sv_rig_describe(const sv_rig_state *state, sv_rig_item item, char text[SV_RIG_TEXT]);

/* Judges `count` pairs that follow each other at equal intervals, as they would be matched with `params`. It measures
 * the pair in the middle; the others show whether both sides show the same moment, which takes at least five pairs of
 * a scene that moves. The pictures are grey, in host memory. `rectification`: NULL for none. Takes tens of
 * milliseconds, and tenths of a second if something is wrong.
 * Errors: SV_USAGE if sizes or memory do not fit, or without a pair; SV_FAILED without memory. */
SV_API sv_status sv_check_pairs(const sv_pair *pairs, int count, const sv_rectification *rectification,
                                const sv_params *params, sv_rig_state *state, sv_error *error);

/* ---- The disparity range ---------------------------------------------------------------------- */

/* Finds the disparities that `pairs` of one scene or recording have, by a coarse match of each, and sets them in
 * `params` as the parameter "disparities", with a margin: what the program's -d auto does. `rectification` (NULL for
 * none) and the row shift of `params` are applied. The pictures are grey, in host memory, of any size without a
 * rectification. `found`: false if the pictures do not show their disparities, for instance because their rows are far
 * apart; `params` then stay as they are.
 * Errors: SV_USAGE if sizes or memory do not fit, or without a pair; SV_FAILED without memory. */
SV_API sv_status sv_find_range(const sv_pair *pairs, int count, const sv_rectification *rectification,
                               sv_params *params, bool *found, sv_error *error);

/* ---- Matchers --------------------------------------------------------------------------------- */

/* A request to cancel matches, by another thread than the one that matches. */
typedef struct sv_cancel sv_cancel;

/* No request yet; NULL without memory.
 * Lifetime: the caller frees it with sv_cancel_free, after the matchers that were created with it. */
SV_API sv_cancel *sv_cancel_new(void);
SV_API void sv_cancel_free(sv_cancel *cancel); /* accepts NULL */

/* True asks the matchers that were created with it to cancel what they match, now and until it is called with false.
 * Thread: any, at any time. */
SV_API void sv_cancel_ask(sv_cancel *cancel, bool asked);

typedef struct sv_matcher_options {
    int width, height; /* of every picture of a pair; 0 and 0: of any size */
    int threads;       /* cpu: how many, 0 for all cores; other backends ignore it */
    /* cuda: on which GPU the matcher works, counted from 0. Calls for the matcher make it the calling thread's current
     * device. */
    int device;
    /* NULL: the pictures are not rectified. Borrowed until the matcher is destroyed. With it, and with a row-shift,
     * pictures are rectified before they are matched (SV_RECTIFY): the grey ones and, if the method uses them, the
     * colour ones. Rectified pixels that show nothing of the camera's picture are black. A pixel of the left picture
     * that is one, or whose match in the right picture is one, becomes SV_BORDER before refinement; those of the left
     * picture remain SV_BORDER after it, whatever the filters do. */
    const sv_rectification *rectification;
    /* NULL: no match is ever cancelled. On a request, a backend may cancel a pair; the cpu backend does so within a few
     * rows. Borrowed until the matcher is destroyed. */
    const sv_cancel *cancel;
} sv_matcher_options;

/* A matcher shares nothing with other matchers. It belongs to one thread at a time. */
typedef struct sv_matcher sv_matcher;

/* How many pairs may be in flight, which means submitted and not yet waited for. */
enum { SV_IN_FLIGHT = 2 };

/* Memory, in bytes. */
typedef struct sv_footprint {
    size_t host, device;
} sv_footprint;

/* The most memory that a matcher with these options takes for these parameters, without creating it; `options` must
 * name a size. Not counted are CUDA's own context, the threads of OpenMP, and the caller's pictures and maps.
 * Errors: as sv_matcher_create and sv_submit for the same arguments. */
SV_API sv_status sv_matcher_memory(const sv_backend *backend, const sv_matcher_options *options,
                                   const sv_params *params, sv_footprint *footprint, sv_error *error);

/* Creates a matcher, with all memory whose size follows from that of the pictures. A matcher for any size adapts to
 * each pair: its memory for a new size replaces that for the previous one.
 * Errors: SV_USAGE for options that are out of range; SV_NO_DEVICE if there is no such device; SV_FAILED without memory
 * or if the device fails.
 * Lifetime: the caller frees the matcher with sv_matcher_destroy. */
SV_API sv_status sv_matcher_create(const sv_backend *backend, const sv_matcher_options *options, sv_matcher **matcher,
                                   sv_error *error);

/* Waits for the pairs in flight and frees everything. */
SV_API void sv_matcher_destroy(sv_matcher *matcher); /* accepts NULL */

/* Starts to match a pair. At most SV_IN_FLIGHT pairs may be in flight, and all of them have one size. Buffers grow when
 * the parameters need more memory than any before them; with unchanged parameters nothing is allocated.
 * Errors: SV_USAGE for arguments that are out of range or do not fit the matcher; SV_FAILED without memory or if the
 * device fails; SV_CANCELLED if it was cancelled. After any of these the pair is not in flight, and its output is
 * undefined.
 * Lifetime: neither the pictures nor the output may be touched until the sv_wait for this pair has returned. */
SV_API sv_status sv_submit(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, const sv_output *output,
                           sv_error *error);

/* The same in the order of `stream`, a cudaStream_t of the caller: the pictures are read after the work that is already
 * in the stream, and work that is queued later starts when the output is complete. The host waits for neither, so with
 * device memory the pictures and the output may be used through the stream immediately. Like any other, the pair is in
 * flight until its sv_wait.
 * Errors: as sv_submit; SV_USAGE if the backend has no streams. */
SV_API sv_status sv_submit_in_stream(sv_matcher *matcher, const sv_pair *pair, const sv_params *params,
                                     const sv_output *output, void *stream, sv_error *error);

typedef enum sv_stage { SV_UPLOAD, SV_RECTIFY, SV_MATCH, SV_REFINE, SV_DOWNLOAD, SV_STAGE_COUNT } sv_stage;

/* "upload", ...; "?" if out of range. */
SV_API const char *sv_stage_name(int stage);

/* How long each stage of one pair took, in milliseconds; device times on a GPU, 0 for a stage that did not run. */
typedef struct sv_times {
    float ms[SV_STAGE_COUNT];
    float begin[SV_STAGE_COUNT]; /* when it began, milliseconds after the matcher was created or took a new size */
} sv_times;

/* Waits for the oldest pair in flight; its output is then complete. `times` may be NULL.
 * Errors: SV_USAGE if no pair is in flight; SV_FAILED if the device fails. */
SV_API sv_status sv_wait(sv_matcher *matcher, sv_times *times, sv_error *error);

/* How many pairs are worth having in flight: more would only make each one wait longer. */
SV_API int sv_at_once(const sv_matcher *matcher);

/* ---- Scores and false colours ----------------------------------------------------------------- */

/* In percent unless noted. A pixel counts if its ground truth is known (finite); it has a value if its disparity is
 * finite. Where no pixel counts, all but v1 and v2 are NaN. */
typedef struct sv_score {
    double density;          /* of the pixels: have a value */
    double bad1, bad2, bad4; /* of the pixels: wrong by more than 1, 2, 4 pixels, or without a value */
    double v1, v2;           /* of those with a value: wrong by more than 1, 2 pixels */
    double d1;               /* of the pixels, KITTI's D1: wrong by more than 3 pixels and 5 %, or without a value */
    double average;          /* pixels: mean absolute error of those with a value; NaN if there is none */
} sv_score;

/* Compares a disparity map with ground truth; both are SV_FLOAT32 in host memory.
 * Errors: SV_FAILED if their sizes differ; SV_USAGE if a format or a memory is wrong. */
SV_API sv_status sv_score_map(const sv_image *disparity, const sv_image *truth, sv_score *score, sv_error *error);

/* False-colours a disparity map as the program does: `map` is turbo, viridis, magma or grey, whose first and last
 * colours are those of `min` and `max` pixels; no disparity is dark grey. `disparity` SV_FLOAT32, `colour` SV_COLOUR8,
 * both in host memory and of the same size.
 * Errors: SV_USAGE if formats, sizes or memory do not match, if there is no such colour map, or unless min and max are
 * finite and min is not above max. */
SV_API sv_status sv_colour_map(const char *map, float min, float max, const sv_image *disparity, const sv_image *colour,
                               sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
