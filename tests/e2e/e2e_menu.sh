#!/bin/bash
# What the mouse does beside the views' own actions: the menu of a view, and the ends of the legend.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
. tests/support/window.sh
need_window "the menu of a view"
cd "$WORK" || exit 1
said() { grep -Eq -- "$1" log; }
listed() { grep -qF "panel: $1 at " log; }
menu_opens() {
    point 300 150 && snapshot && snapshot && xdotool mousedown 3 && snapshot && xdotool mouseup 3
    snapshot && listed "Copy value"
}
start -v --demo -d 0:63 -m ssd
press comma
check "the right button opens the menu of a view" wait_until menu_opens
check "a line of it is clicked" click "Pin here"
colours() { snapshot && sed -n 's/^colour-range: *//p' stereoview_[0-9]*[0-9].yaml; }
check "the colours cover the searched range" test "$(colours)" = searched
rest_on "legend maximum" && snapshot && xdotool mousedown 1 && snapshot && point $((x + wide / 2)) $((y + high)) && snapshot &&
    snapshot && xdotool mouseup 1
# A quarter of the bar down; the scale is that of the beginning, so three quarters of 63 are left.
dragged() { [[ $(colours) =~ ^0:(4[5-9]|50) ]]; }
check "the upper end of the legend is dragged, and the lower one stays" wait_until dragged
check "it ends well" quit
finish
