/* A calibration file as a list of keys and values, whatever its syntax; only the readers of formats use it. */
#ifndef RIG_CALIBRATION_VALUES_H
#define RIG_CALIBRATION_VALUES_H

#include "stereo/stereo.h"

enum { CALIBRATION_KEY_BYTES = 64 };

typedef struct calibration_value {
    char key[CALIBRATION_KEY_BYTES]; /* groups in groups are joined by points: "cam0.intrinsics" */
    size_t text;                     /* where its text begins in `texts` */
} calibration_value;

/* Everything in a file. A list's members, and a list of lists', are one text with spaces between them. Plain data; {0}
 * is empty. */
typedef struct calibration_values {
    const char *path; /* borrowed */
    calibration_value *values;
    int count;
    char *texts; /* ends in a 0 each */
    size_t used, size;
} calibration_values;

/* Reads a file of YAML, of XML, or of lines "[section]" and "key = value"; what it is, is seen from its beginning.
 * SV_FAILED for what cannot be read, is empty, larger than 1 MiB or malformed. */
sv_status calibration_values_read(calibration_values *values, const char *path, sv_error *error);
void calibration_values_free(calibration_values *values);

/* The text of a key or, for a matrix of rows, cols and data, of its data. Case and underscores in names make no
 * difference. NULL if there is none. */
const char *calibration_text(const calibration_values *values, const char *key);

/* The numbers of a key: at most `most`, their count in `count`. SV_FAILED, with the file and the key, if it is missing,
 * has more, or has anything that is not a finite number. */
sv_status calibration_numbers(const calibration_values *values, const char *key, int most, double *numbers, int *count,
                              sv_error *error);

/* The same for exactly `count` numbers. */
sv_status calibration_exactly(const calibration_values *values, const char *key, int count, double *numbers,
                              sv_error *error);

/* For the parsers: a new key, then the pieces of its value. `length` bytes each, no 0 at the end. A name that is too
 * long to be one of those that are looked for is left out. SV_FAILED if it is there already or there are too many. */
sv_status calibration_add_key(calibration_values *values, const char *key, sv_error *error);
sv_status calibration_add_text(calibration_values *values, const char *text, size_t length, sv_error *error);

/* The parsers (calibration_syntax.c), for `size` bytes and a 0 after them. */
sv_status calibration_parse_yaml(calibration_values *values, const char *text, size_t size, sv_error *error);
sv_status calibration_parse_xml(calibration_values *values, const char *text, size_t size, sv_error *error);
sv_status calibration_parse_lines(calibration_values *values, const char *text, sv_error *error);

#endif
