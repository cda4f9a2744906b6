// The bar under the picture: playback.
#include "render/panel/panel_parts.h"

#include <math.h>
#include <stdio.h>

static const float BAR_MARGIN = 0.3f; // em, above the buttons; about as much is below the last line
static const float WORDS_WIDTH = 50;  // em: of a bar that has room for words on its buttons

bool panel_is_still(const panel_playback *b) { return b->pictures && !b->live && b->frames == 1; }

bool has_position_slider(const panel_playback *b) { return b->seekable && b->duration > 0; }

// In tenths of a second, of which 600 are a minute, also where they are rounded up to it.
static void print_time(char *text, size_t size, double seconds) {
    const long long tenths = llround(10 * seconds);
    snprintf(text, size, "%lld:%02lld.%lld", tenths / 600, tenths / 10 % 60, tenths % 10);
}

void panel_describe_position(const panel_playback *s, char *text, size_t size) {
    char frame[64], at[32], of[32] = "";
    const double about = floor(s->duration * s->rate + 0.5) - 1;
    *text = 0;
    if (panel_is_still(s)) return;
    if (s->seeking && s->pictures) {
        snprintf(text, size, "seeking frame %.0f", s->sought);
        return;
    }
    if (s->seeking) {
        print_time(at, sizeof at, s->sought);
        snprintf(text, size, "seeking %s", at);
        return;
    }
    if (s->frames > 0)
        snprintf(frame, sizeof frame, "frame %lld / %lld", s->frame, s->frames - 1);
    else if (!s->pictures && !s->live && about >= (double)s->frame)
        snprintf(frame, sizeof frame, "frame %lld / ~%.0f", s->frame, about);
    else
        snprintf(frame, sizeof frame, "frame %lld", s->frame);
    if (s->pictures || s->live) {
        snprintf(text, size, "%s", frame);
        return;
    }
    print_time(at, sizeof at, s->position);
    if (s->duration > 0) print_time(of, sizeof of, s->duration);
    snprintf(text, size, "%s%s%s   %s", at, *of ? " / " : "", of, frame);
}

// Where a click would seek.
static void time_under_mouse(const panel_playback *s) {
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
    const float left = ImGui::GetItemRectMin().x, grab = ImGui::GetStyle().GrabMinSize;
    const float room = ImGui::GetItemRectSize().x - grab;
    const double part = fmin(fmax((ImGui::GetIO().MousePos.x - left - grab / 2) / room, 0), 1);
    panel_playback there = *s;
    char text[96];
    there.position = part * s->duration;
    there.frame = s->pictures ? llround(there.position) : (long long)floor(there.position * s->rate + 0.5);
    if (s->frames > 0 && there.frame >= s->frames) there.frame = s->frames - 1; // the end is after the last one
    there.seeking = false;
    panel_describe_position(&there, text, sizeof text);
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(text);
    ImGui::EndTooltip();
}

static void position_slider(panel *p, panel_playback *s, float width) {
    const double from = 0;
    double position = p->dragging_position ? p->position : s->seeking ? s->sought : s->position;
    ImGui::SetNextItemWidth(width);
    // While it is dragged it stays under the mouse, however long a seek takes.
    if (ImGui::SliderScalar("##position", ImGuiDataType_Double, &position, &from, &s->duration, "",
                            ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput)) {
        p->position = s->seek = s->pictures ? round(position) : position;
        push(p, INPUT_SEEK_TO);
    }
    report_place("position");
    time_under_mouse(s);
    if (ImGui::IsItemActivated()) p->position = position;
    p->dragging_position = ImGui::IsItemActive();
    // A and B.
    const ImVec2 left = ImGui::GetItemRectMin(), right = ImGui::GetItemRectMax();
    const float grab = ImGui::GetStyle().GrabMinSize;
    for (int i = 0; i < s->mark_count; i++) {
        const float x = left.x + grab / 2 + (right.x - left.x - grab) * (float)(s->marks[i] / s->duration);
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x - 1, left.y), ImVec2(x + 1, right.y), themed(CHOSEN));
    }
}

// A word stands beside each icon where `words`; all are as wide as the longest, so that none moves.
static void playback_buttons(panel *p, const panel_playback *s, bool words, float em) {
    const float width = words ? 4.9f * em : 2.2f * em;
    button(p, !words ? "##pause" : s->paused ? "Play" : "Pause", INPUT_PAUSE, width, s->paused ? ICON_PLAY : ICON_HALT);
    tooltip(p, "pause", s->paused ? "resume" : "pause", INPUT_PAUSE);
    if (s->seekable) {
        ImGui::SameLine();
        button(p, words ? "Back" : "##back", INPUT_STEP_BACK, width, ICON_STEP_BACK);
        tooltip(p, "back", "one frame back", INPUT_STEP_BACK);
    }
    if (!s->live) {
        ImGui::SameLine();
        button(p, words ? "Step" : "##step", INPUT_STEP, width, ICON_STEP);
        tooltip(p, "step", "one frame forward", INPUT_STEP);
    }
}

// Room for the position as a number, wherever it is: the slider keeps its width, so that a click leads where the mouse
// showed.
static float number_room(const panel_playback *s, const char *now) {
    panel_playback last = *s;
    char text[96];
    last.seeking = false;
    if (s->frames > 0) last.frame = s->frames - 1;
    if (s->duration > 0) last.position = s->duration;
    panel_describe_position(&last, text, sizeof text);
    return fmaxf(ImGui::CalcTextSize(text).x, ImGui::CalcTextSize(now).x);
}

// The position, as a slider and as a number, which a click lets the user type.
static void position(panel *p, panel_playback *s, bool above, bool alone, float em) {
    char text[96];
    if (s->typed)
        snprintf(text, sizeof text, "go to frame %s_", s->typed);
    else
        panel_describe_position(s, text, sizeof text);
    const float after = number_room(s, text) + (alone ? 10.4f : 4.6f) * em + 2 * ImGui::GetStyle().ItemSpacing.x;
    const float room = ImGui::GetContentRegionAvail().x - after;
    if (has_position_slider(s) && !above) {
        position_slider(p, s, room);
        ImGui::SameLine();
    }
    ImGui::AlignTextToFramePadding();
    report_place("number", ImGui::GetCursorScreenPos(), ImVec2(ImGui::CalcTextSize(text).x, em));
    if (s->typed) {
        coloured(CHOSEN, text);
    } else {
        ImGui::TextUnformatted(text);
        if (s->seekable && ImGui::IsItemClicked()) push(p, INPUT_FRAME);
        if (s->seekable) tooltip(p, "number", "click to type the number of a frame", INPUT_FRAME);
    }
}

static void speed_list(panel *p, panel_playback *s, float em) {
    static const double speeds[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    char text[16];
    snprintf(text, sizeof text, "%gx", s->speed);
    ImGui::SetNextItemWidth(4.6f * em);
    if (ImGui::BeginCombo("##speed", text, ImGuiComboFlags_HeightLarge)) {
        for (double speed : speeds) {
            snprintf(text, sizeof text, "%gx", speed);
            if (entry(text, speed == s->speed)) s->speed = speed;
        }
        ImGui::Separator();
        if (entry("every frame", !s->real_time)) s->real_time = false;
        if (entry("real time", s->real_time)) s->real_time = true;
        ImGui::EndCombo();
    }
    char help[240];
    snprintf(help, sizeof help,
             "speed (%s and %s)\nevery frame: plays more slowly if matching takes longer\n"
             "real time: skips frames that would be late",
             keys_of(p, INPUT_SLOWER), keys_of(p, INPUT_FASTER));
    tooltip(p, "speed", help);
}

static void playback(panel *p, panel_playback *s, bool above, bool alone, float em) {
    const float width = ImGui::GetContentRegionAvail().x;
    if (above) position_slider(p, s, width);
    playback_buttons(p, s, width > WORDS_WIDTH * em, em);
    ImGui::SameLine();
    position(p, s, above, alone, em);
    ImGui::SameLine();
    if (s->live) {
        button(p, s->recording ? "Stop recording" : "Record", INPUT_RECORD, 0, s->recording ? ICON_STOP : ICON_RECORD);
        tooltip(p, "record",
                s->recording ? "complete the file" : "write what the cameras or live streams send into a file",
                INPUT_RECORD);
        if (s->recording) {
            const ImVec2 at = ImGui::GetItemRectMax();
            ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(at.x + 0.7f * em, at.y - 0.8f * em), 0.35f * em, ALARM);
            ImGui::SameLine(0, 1.4f * em);
            ImGui::Dummy(ImVec2(0, 0));
        }
    } else {
        speed_list(p, s, em);
    }
}

// A button that brings the panel back, at the right end of the line above.
static void panel_button(panel *p, float em) {
    const float width = 5.2f * em;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    button(p, "Panel", INPUT_PANEL, width, ICON_PANEL);
    tooltip(p, "panel", "show the panel", INPUT_PANEL);
}

void playback_controls(panel *p, panel_playback *b, bool above, bool alone, float em) {
    ImGui::SetCursorPosY(BAR_MARGIN * em);
    if (panel_is_still(b)) {
        ImGui::AlignTextToFramePadding();
        coloured(DIM, "one pair of pictures");
    } else {
        playback(p, b, above, alone, em);
    }
    if (alone) panel_button(p, em);
}
