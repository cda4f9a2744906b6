#!/bin/bash
# The window begins as it was closed: its size, the width of the panel, and the theme.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "how the window looks"

from_demo SIDE.png -frames:v 1 -vf scale=160:120 -pix_fmt gray
keeps_looks=yes
kept=$XDG_STATE_HOME/stereoview/window
size() { eval "$(xdotool getwindowgeometry --shell "$window")" && echo "$WIDTH x $HEIGHT"; }
has_size() { [ "$(size)" = "$1" ]; }
see() { snapshot && grab now.ppm; }
# The panel's background is that of the theme just right of its left edge, near the bottom, and not left of it.
panel_begins() {
    see && "$look" has now.ppm "$2" $(($1 + 3)) 400 1 1 && ! "$look" has now.ppm "$2" $(($1 - 4)) 400 1 1
}

start -v left.png right.png -m ssd -d 0:15 --rho 7
check "without anything kept it has its first size" has_size "1280 x 800"
check "and the dark theme" wait_until panel_begins 950 181a1f
bar_ends() { see && "$look" plain now.ppm 0 $((790 - top)) 940 10 && "$look" has now.ppm 181a1f 0 $((799 - top)) 1 1; }
check "the playback bar reaches the lower edge" wait_until bar_ends
# The slider of rho: its middle is empty but for the grab, which is at the left of it.
widget rho
is_beside() { see && "$look" plain now.ppm $((x + wide / 2)) "$y" $((wide / 3)) "$high" && ! "$look" plain now.ppm $((x + wide)) "$y" 60 "$high"; }
check "a slider's number is next to it" wait_until is_beside
xdotool windowsize --sync "$window" 1100 700
check "the panel moves with the window's edge" wait_until panel_begins 770 181a1f
# By steps that are each seen, until it has the edge.
edge_moved() {
    rest_on edge && snapshot && xdotool mousedown 1 && snapshot
    for x in 750 700 680; do point $x 300 && snapshot; done
    xdotool mouseup 1
    panel_begins 680 181a1f
}
check "the mouse moves the panel's edge" wait_until edge_moved
check "q closes it" quit
sed -i 's/dark/light/' "$kept"
start left.png right.png -m ssd -d 0:15
check "it opens at the size at which it was closed" has_size "1100 x 700"
check "with the panel as wide, in the light theme that is kept" wait_until panel_begins 680 eef0f3
check "q closes it again" quit
check "the theme is still kept" grep -qx 'theme: light' "$kept"
printf 'width: 20\nheight: a lot\npanel: -1\ntheme: none\n' >"$kept"
start left.png right.png -m ssd -d 0:15
check "what makes no sense is ignored" has_size "1280 x 800"
check "q closes it once more" quit
finish
