/* A calibration file as a list of keys and values, independent of its syntax; only the readers of formats use it. */
#ifndef RIG_CALIBRATION_VALUES_H
#define RIG_CALIBRATION_VALUES_H

#include "stereo/stereo.h"

enum { CALIBRATION_KEY_BYTES = 64, CALIBRATION_MOST_KEYS = 4096 };

typedef struct calibration_value {
    char key[CALIBRATION_KEY_BYTES]; /* names of nested groups are joined by dots: "cam0.intrinsics" */
    size_t text;                     /* offset of its text in `texts` */
} calibration_value;

/* Everything in a file. The members of a list, and of nested lists, are one text with spaces between them. Plain data;
 * {0} is empty. */
typedef struct calibration_values {
    const char *path; /* borrowed */
    calibration_value *values;
    int count;
    char *texts; /* each ends with a 0 */
    size_t used, size;
} calibration_values;

void calibration_values_free(calibration_values *values); /* accepts {0} */

/* The text of a key or, if it is a matrix with rows, cols and data, of its data. Case and underscores in names are
 * ignored. NULL if there is no such key. */
const char *calibration_text(const calibration_values *values, const char *key);

/* The numbers of a key, at most `most`; `count` receives how many there are.
 * Errors: SV_FAILED, with the file and the key, if it is missing, has more numbers, or anything that is not a finite
 * number. */
sv_status calibration_numbers(const calibration_values *values, const char *key, int most, double *numbers, int *count,
                              sv_error *error);

/* The same for exactly `count` numbers. */
sv_status calibration_exactly(const calibration_values *values, const char *key, int count, double *numbers,
                              sv_error *error);

/* For the parsers: adds a new key, then the pieces of its value, of `length` bytes each, without a 0 at the end. A name
 * that is longer than any known key is ignored.
 * Errors: SV_FAILED if the key exists already or there are too many. */
sv_status calibration_add_key(calibration_values *values, const char *key, sv_error *error);
sv_status calibration_add_text(calibration_values *values, const char *text, size_t length, sv_error *error);

#endif
