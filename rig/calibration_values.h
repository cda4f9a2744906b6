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
    sv_error *error;  /* receives the message of a failure; may be NULL; borrowed */
    calibration_value *values;
    int count;
    char *texts; /* each ends with a 0 */
    size_t used, size;
} calibration_values;

/* Reads a file of YAML, of XML, or of lines "[section]" and "key = value" (calibration_syntax.c). The beginning of the
 * file decides which.
 * Errors: SV_FAILED if the file cannot be read, is empty, larger than 1 MiB or malformed.
 * Thread: any.
 * Lifetime: `path` must outlive `values`; calibration_values_free frees them. */
sv_status calibration_values_read(calibration_values *values, const char *path, sv_error *error);
void calibration_values_free(calibration_values *values); /* accepts {0} */

/* Writes the file's name and the message, which continues it, into its error. Returns false. */
bool calibration_fail(const calibration_values *values, const char *format, ...) SV_PRINTF(2, 3);

/* The text of a key or, if it is a matrix with rows, cols and data, of its data. Case and underscores in names are
 * ignored. NULL if there is no such key. */
const char *calibration_text(const calibration_values *values, const char *key);

/* The same; a missing key is an error, with NULL. */
const char *calibration_need(const calibration_values *values, const char *key);

/* Writes a key into `key` and returns it. */
const char *calibration_key(char key[CALIBRATION_KEY_BYTES], const char *format, ...) SV_PRINTF(2, 3);

/* The numbers of a key, at most `most`; `count` receives how many there are.
 * Errors: false if it is missing, has more numbers, or anything that is not a finite number. */
bool calibration_numbers(const calibration_values *values, const char *key, int most, double *numbers, int *count);

/* The same for exactly `count` numbers. */
bool calibration_exactly(const calibration_values *values, const char *key, int count, double *numbers);

/* For the parsers: adds a new key, then the pieces of its value, of `length` bytes each, without a 0 at the end. A name
 * that is longer than any known key is ignored.
 * Errors: false if the key exists already or there are too many. */
bool calibration_add_key(calibration_values *values, const char *key);
bool calibration_add_text(calibration_values *values, const char *text, size_t length);

#endif
