// The icons on buttons, drawn as lines.
#include "render/panel/panel_icons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In a square of 32 x 32, with y downwards: M begins a line at a point and L leads it to one; Z closes it, S leaves it
// open, and F fills it. O is a circle around a point, by its radius, and D a disc.
static const char *const shapes[ICON_COUNT] = {
    "",
    "M8 4 L28 16 L8 28 F",
    "M8 4 L14 4 L14 28 L8 28 F M18 4 L24 4 L24 28 L18 28 F",
    "M26 4 L10 16 L26 28 F M6 4 L10 4 L10 28 L6 28 F",
    "M6 4 L22 16 L6 28 F M22 4 L26 4 L26 28 L22 28 F",
    "D16 16 10",
    "M6 6 L26 6 L26 26 L6 26 F",
    "M2 10 L10 10 L12 6 L20 6 L22 10 L30 10 L30 26 L2 26 Z O16 18 5",
    "M2 8 L30 8 S M2 16 L30 16 S M2 24 L30 24 S D10 8 4 D22 16 4 D14 24 4",
    "M4 18 L10 18 L10 28 L4 28 F M13 10 L19 10 L19 28 L13 28 F M22 4 L28 4 L28 28 L22 28 F",
    "M2 8 L30 8 L30 26 L2 26 Z M8 14 L10 14 S M15 14 L17 14 S M22 14 L24 14 S M10 20 L22 20 S",
    "M4 12 L4 4 L12 4 S M20 4 L28 4 L28 12 S M28 20 L28 28 L20 28 S M12 28 L4 28 L4 20 S",
    "M2 6 L30 6 L30 26 L2 26 Z M20 6 L30 6 L30 26 L20 26 F",
    "M4 10 L28 10 L22 4 S M28 22 L4 22 L10 28 S",
    "M6 6 L6 14 L14 14 S M6 14 L12 8 L20 6 L26 10 L28 18 L24 24 L16 28 L8 24 S",
    "M16 2 L16 30 S M2 8 L12 8 L12 24 L2 24 Z M20 8 L30 8 L30 24 L20 24 F",
    "M2 10 L14 6 L14 22 L2 26 Z M18 8 L30 8 L30 24 L18 24 Z",
    "M2 26 L2 6 L12 6 L16 10 L28 10 L28 14 S M2 26 L8 14 L32 14 L26 26 Z",
    "M16 2 L16 20 S M8 12 L16 20 L24 12 S M4 22 L4 28 L28 28 L28 22 S",
    "M12 12 L28 12 L28 30 L12 30 Z M20 12 L20 4 L4 4 L4 22 L12 22 S",
    "M6 6 L26 26 S M26 6 L6 26 S",
    "M2 10 L30 10 L30 22 L2 22 Z M8 10 L8 16 S M14 10 L14 16 S M20 10 L20 16 S M26 10 L26 16 S",
    "M2 6 L30 6 L30 22 L14 22 L6 28 L6 22 L2 22 Z",
};

void draw_icon(ImDrawList *draw, icon which, ImVec2 middle, float size, ImU32 colour) {
    const float unit = size / 32, thick = fmaxf(1, 2.8f * unit);
    for (const char *shape = shapes[which]; *shape;) {
        const char command = *shape++;
        if (strchr("MLOD", command)) {
            char *end;
            const float x = (float)strtol(shape, &end, 10), y = (float)strtol(end, &end, 10);
            const float radius = strchr("OD", command) ? (float)strtol(end, &end, 10) * unit : 0;
            const ImVec2 at(middle.x + (x - 16) * unit, middle.y + (y - 16) * unit);
            shape = end;
            if (command == 'D')
                draw->AddCircleFilled(at, radius, colour);
            else if (command == 'O')
                draw->AddCircle(at, radius, colour, 0, thick);
            else
                draw->PathLineTo(at);
        } else if (command == 'F') {
            draw->PathFillConvex(colour);
        } else if (command != ' ') {
            draw->PathStroke(colour, command == 'Z' ? ImDrawFlags_Closed : 0, thick);
        }
    }
}
