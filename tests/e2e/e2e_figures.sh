#!/bin/bash
# The window says what is so: of a still, of the parameters, of what is drawn.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
need_window "the window's figures"
cd "$WORK" || exit 1
from_demo SIDE.png -frames:v 1 -vf scale=320:-2
pair=(-f "$WORK/left.png" "$WORK/right.png" -d 0:30)
run 0 --headless "${pair[@]}" -m ssd -o "$WORK/map.pfm"

# ---- A still ----

start -v "${pair[@]}" --view reasons,error --truth "$WORK/map.pfm"
check "one pair of pictures has no button that plays it" bash -c '! grep -qE "panel: (pause|step|back|speed) at" log'

# In the legend of a window of 1280 x 800 a colour is 15 pixels square, from 842 on.
once() {
    seen legend && python3 - 003034 "$root/tests/support" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[2])
from look import Picture
picture, colour = Picture.read("legend.ppm"), bytes.fromhex(sys.argv[1])
column = [picture.row(850, y, 1) == colour for y in range(300, 720)]
assert sum(a and not b for a, b in zip(column, column[1:])) == 1
PYTHON
}
check "the legend has one colour for no disparity, of reasons and errors" once

# ---- Parameters ----

check "the quality is shown" widget quality
seen before
press d
shows "d changes the range" - "${pair[@]}" -d 0:38
seen after
check "after which the quality is what it was" "$look" same before.ppm after.ppm "$x" "$y" "$wide" "$high"

# p2 is at least p1 + 1, so its slider begins there.
above() { [ "$(sed -n 's/^p2: //p' stereoview.yaml)" = $(($(sed -n 's/^p1: //p' stereoview.yaml) + 1)) ]; }
check "p1 is set to a middle value" click p1
check "p2 to its largest, then to its smallest" click p2 99
click p2 1
press ctrl+s
widget Load && press Return
check "which is what is matched with" wait_until above
check "the box of the settings closes" wait_until gone Load
check "it ends well" quit

finish
