#!/bin/bash
# The window follows the mouse while a long match runs, and draws its views again only when they change. How long that
# takes is printed, but not judged: it depends on the machine.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "the window during a long match"

from_demo SIDE.png -frames:v 1 -vf scale=1920:1080 -pix_fmt gray
keeps_looks=yes
mkdir -p "$XDG_STATE_HOME/stereoview"
printf 'width: 1600\nheight: 1000\n' >"$XDG_STATE_HOME/stereoview/window"

start left.png right.png -m ssd -d 0:7 --threads 1 --view 'disparity,left picture,reasons,blend' --stats stats.json
press i
press m m m d d d d d d d d d d d d d d d # gfd, 0:127
# With the statistics, each of the four views has 429 x 462 pixels. The mouse is in the first, its cross in the second.
check "the cross in the second view follows the mouse" "$root/tests/support/follow.py" "$window" 15 520 165 130 110 100 180
sed 's/^/# /' seen
check "q closes it" quit
# The views change with a map and, at most 6 times, with pictures, their colours and room for the statistics.
few() {
    python3 - <<'PYTHON'
import json
s = json.load(open("stats.json"))
print("#", s["drawn_frames"], "frames,", s["drawn_views"], "views drawn for", s["frames"], "maps; respond:", s["stages"]["respond"])
assert s["drawn_frames"] >= 15, s
assert 4 <= s["drawn_views"] <= 4 * (s["frames"] + 6), s
PYTHON
}
check "its views are drawn when they change" few
cat seen
finish
