/* Writes the calibration files of --save-calibration, with the date and how they were made. */
#include "app/calibrate/calibration_file.h"

#include "base/file.h"
#include "base/log.h"
#include "base/places.h"
#include "rig/calibration.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

static sv_status save_all(const char *const *files, int count, const sv_rig *rig, const char *what, sv_error *error) {
    char names[2][PLACES_BYTES];
    for (int i = 0; i < count; i++) {
        const sv_status status = calibration_file_write(files[i], rig, what, error);
        if (status != SV_OK) return status;
        log_wrote(files[i], "saved %s (%s); --calibration %s reads it", files[i],
                  places_of_calibration(files[i], names) == 1 ? "OpenCV" : "ROS camera_info", files[i]);
    }
    return SV_OK;
}

sv_status calibration_file_save(const rig_options *o, const sv_rig *rig, const char *what, char *saved, size_t size,
                                sv_error *error) {
    char path[64] = "stereoview_rig.yaml";
    for (int i = 2; !o->saved_count && !access(path, F_OK); i++)
        snprintf(path, sizeof path, "stereoview_rig_%d.yaml", i);
    const char *const own[] = {path}, *const *files = o->saved_count ? o->saved : own;
    const sv_status status = save_all(files, o->saved_count ? o->saved_count : 1, rig, what, error);
    if (status == SV_OK && saved) snprintf(saved, size, "%s", files[0]);
    return status;
}
