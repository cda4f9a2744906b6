// The box that exports a range of frames: the files, the frames, the progress.
#include "render/panel/panel_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const float WIDTH = 34; // em

static void order(panel *p, panel_export *x, float em) {
    label("file", TEXT, em);
    ImGui::InputText("##file", x->file, PANEL_MAX_NAME);
    tooltip(p, "file", "the folder, and the beginning of the file names");
    label("format", TEXT, em);
    choose("##format", &x->format, x->format_count, x->format_name);
    tooltip(p, "format", "what is written; depth needs a calibration in metres");
    label("frames", TEXT, em);
    ImGui::SetNextItemWidth(6 * em);
    ImGui::InputInt("##first", &x->first, 0);
    tooltip(p, "frames", "the first frame to write: A, if it is set in the timeline");
    ImGui::SameLine();
    coloured(DIM, "to");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(6 * em);
    ImGui::InputInt("##last", &x->last, 0);
    tooltip(p, "last frame", "the last frame to write: B, if it is set; -1: to the end");
}

void export_box(panel *p, panel_export *x, ImVec2 area, float em) {
    if (!x->shown) return;
    begin_box("Export", ImVec2(area.x / 2, area.y / 2), ImVec2(0.5f, 0.5f), fminf(WIDTH * em, area.x));
    order(p, x, em);
    char share[16];
    snprintf(share, sizeof share, "%.0f %%", (double)x->share * 100);
    if (x->running) ImGui::ProgressBar(x->share, ImVec2(-FLT_MIN, 0), share);
    if (x->text) wrapped(TEXT, x->text);
    if (x->running)
        button(p, "Cancel export", INPUT_EXPORT_CANCEL, 0, ICON_STOP);
    else
        button(p, "Write files", INPUT_EXPORT_START, 0, ICON_SAVE);
    ImGui::SameLine();
    button(p, "Close##export", INPUT_EXPORT, 0, ICON_CLOSE);
    end_box();
}

bool asks_for_export(const panel_export *x) { return x->shown; }
