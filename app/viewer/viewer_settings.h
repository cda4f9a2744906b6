/* Settings and qualities in the window: saving, loading, and asking before something is lost. Main thread. */
#ifndef APP_VIEWER_VIEWER_SETTINGS_H
#define APP_VIEWER_VIEWER_SETTINGS_H

#include "app/options/options.h"
#include "app/options/qualities.h"
#include "app/viewer/recent.h"
#include "app/viewer/viewer_compare.h"
#include "render/panel/panel_boxes.h"
#include "render/view/view.h"

typedef struct viewer_settings {
    viewer_tuner *tuner; /* borrowed, as are the other pointers */
    viewer_compare *compare;
    viewer_notice *notice;
    view_settings *view;
    panel_settings *shown;
    panel_qualities *list;
    const options *options; /* of the session, or of the last one */
    recent recent;
    qualities qualities;
    int question; /* that the panel asks, 0: none */
    char question_text[256];
    settings_source named; /* what the settings say of a source that were loaded last, until it is opened */
} viewer_settings;

/* `view`, `shown` and `list` are what the panel shows. The qualities are read. The caller sets the options. */
void viewer_settings_init(viewer_settings *settings, viewer_compare *compare, viewer_tuner *tuner,
                          viewer_notice *notice, view_settings *view, panel_settings *shown, panel_qualities *list);
void viewer_settings_free(viewer_settings *settings);

/* Follows what the user does with settings and qualities. Errors are reported in the log, by all. */
void viewer_settings_act(viewer_settings *settings, input_action action);
void viewer_settings_load(viewer_settings *settings, const char *path);
void viewer_settings_update(viewer_settings *settings); /* which quality the parameters are */

void viewer_settings_hide(viewer_settings *settings);  /* the box; false if it was not shown: */
bool viewer_settings_leave(viewer_settings *settings); /* closes a question or the box */

/* What was loaded says of a source, if it says anything: the options for it, as replay_options writes them, which
 * reports errors in the log. False without. */
bool viewer_settings_take_source(viewer_settings *settings, options *options);

/* Nothing more of it is needed. */
void viewer_settings_drop_source(viewer_settings *settings);

#endif
