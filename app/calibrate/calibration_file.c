/* Writes the calibration files of --save-calibration, with the date and what led to them. */
#include "app/calibrate/calibration_file.h"

#include "base/file.h"
#include "base/places.h"
#include "rig/calibration_write.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static sv_status save(const sv_rig *rig, const char *name, int side, const char *note, sv_error *error) {
    file_writer writer;
    sv_status status = file_create(&writer, name, error);
    if (status != SV_OK) return status;
    status = side < 0 ? calibration_write_opencv(writer.stream, rig, note, error)
                      : calibration_write_ros(writer.stream, rig, side, note, error);
    if (status == SV_OK) return file_commit(&writer, error);
    file_discard(&writer);
    return status;
}

sv_status calibration_file_write(const char *files, const sv_rig *rig, const char *what, sv_error *error) {
    char names[2][PLACES_BYTES], note[256], date[16];
    const time_t now = time(NULL);
    struct tm day;
    strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &day));
    snprintf(note, sizeof note, "stereoview %s, %s: %s", SV_VERSION, date, what);
    const int count = places_of_calibration(files, names);
    sv_status status = SV_OK;
    for (int side = 0; side < count && status == SV_OK; side++)
        status = save(rig, names[side], count == 1 ? -1 : side, note, error);
    return status;
}

sv_status calibration_file_save(const options *o, const sv_rig *rig, const char *what, sv_error *error) {
    char names[2][PLACES_BYTES];
    for (int i = 0; i < o->save_count; i++) {
        const char *files = o->save_calibration[i];
        const sv_status status = calibration_file_write(files, rig, what, error);
        if (status != SV_OK) return status;
        sv_log(SV_LOG_INFO, "saved %s (%s); --calibration %s reads it", files,
               places_of_calibration(files, names) == 1 ? "OpenCV" : "ROS camera_info", files);
    }
    return SV_OK;
}
