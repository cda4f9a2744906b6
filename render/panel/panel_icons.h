// The icons on buttons, drawn as lines. C++.
#ifndef RENDER_PANEL_PANEL_ICONS_H
#define RENDER_PANEL_PANEL_ICONS_H

#include <imgui.h>

typedef enum icon {
    ICON_NONE,
    ICON_PLAY,
    ICON_HALT,
    ICON_STEP_BACK,
    ICON_STEP,
    ICON_RECORD,
    ICON_STOP,
    ICON_SNAPSHOT,
    ICON_SETTINGS,
    ICON_STATISTICS,
    ICON_KEYS,
    ICON_FULL_SCREEN,
    ICON_PANEL,
    ICON_SWAP,
    ICON_RESET,
    ICON_COMPARE,
    ICON_ALIGN,
    ICON_OPEN,
    ICON_SAVE,
    ICON_COPY,
    ICON_CLOSE,
    ICON_MEASURE,
    ICON_MESSAGES,
    ICON_COUNT
} icon;

// Draws it in a square of `size` around `middle`.
void draw_icon(ImDrawList *draw, icon which, ImVec2 middle, float size, ImU32 colour);

#endif
