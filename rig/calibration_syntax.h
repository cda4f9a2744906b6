/* Reads calibration files as keys and values. */
#ifndef RIG_CALIBRATION_SYNTAX_H
#define RIG_CALIBRATION_SYNTAX_H

#include "rig/calibration_values.h"

/* Reads a file of YAML, of XML, or of lines "[section]" and "key = value". The beginning of the file decides which.
 * Errors: SV_FAILED if the file cannot be read, is empty, larger than 1 MiB or malformed.
 * Thread: any.
 * Lifetime: `path` must outlive `values`; calibration_values_free frees them. */
sv_status calibration_values_read(calibration_values *values, const char *path, sv_error *error);

#endif
