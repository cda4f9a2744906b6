// What the panel, which alone is C++, takes from headers of C.
#ifndef RENDER_PANEL_PANEL_C_H
#define RENDER_PANEL_PANEL_C_H

#include <math.h> // stereo/rig.h has it too: C++'s does not compile as C

extern "C" {
#include "render/panel/completion.h"
#include "render/panel/panel_state.h"
#include "render/panel/panel_words.h"
#include "render/panel/ticks.h"
#include "render/window/gl.h"
#include "render/window/window.h"
#include "stereo/whole.h"
}

#endif
