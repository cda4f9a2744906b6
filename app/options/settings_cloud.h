/* The settings of the point cloud in the settings file. */
#ifndef APP_OPTIONS_SETTINGS_CLOUD_H
#define APP_OPTIONS_SETTINGS_CLOUD_H

#include "render/view/cloud.h"

#include <stdio.h>

/* Reads "on" or "off", the value of a key.
 * Errors: SV_USAGE; the message names the key, the text and what it takes. */
sv_status settings_parse_switch(const char *key, const char *text, bool *on, sv_error *error);

/* True if the key is one of these settings: "cloud-colours", ... */
bool settings_cloud_has(const char *key);

/* Reads the value of such a key.
 * Errors: SV_USAGE; the message names the key, the text and what it takes. */
sv_status settings_cloud_parse(const char *key, const char *text, cloud_settings *settings, sv_error *error);

/* Writes all, a line for each, such that settings_cloud_parse gives the same values. */
void settings_cloud_write(FILE *stream, const cloud_settings *settings);

#endif
