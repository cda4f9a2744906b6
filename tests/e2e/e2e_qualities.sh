#!/bin/bash
# Settings and qualities in the window: what is saved is what was set, it comes back, and nothing is lost without a
# question.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
qualities=$XDG_CONFIG_HOME/stereoview/qualities
cd "$WORK" || exit 1

# ---- Without a window ----

check "an unknown quality is refused" refused 2 "no quality 'mine'; choose fast, balanced, best, or one of those that the window saved" \
    --headless --demo --quality mine
mkdir -p "$qualities"
printf 'method: zncc\nrho: 2\ndisparities: 3:9\n' >"$qualities/mine.yaml"
check "--quality takes the user's qualities" run 0 --headless --demo --quality mine -d 0:15 --frames 0:1 -o "$WORK/mine.pfm"
run 0 --headless --demo -m zncc --rho 2 -d 0:15 --frames 0:1 -o "$WORK/same.pfm"
check "which set all but the disparity range" cmp mine.pfm same.pfm
printf 'rho: 99\n' >"$qualities/wrong.yaml"
check "one that is wrong is reported" refused 1 'qualities/wrong.yaml, line 1: rho cannot be' --headless --demo --quality wrong
rm "$qualities"/*

# ---- Settings ----

need_window "settings and qualities in the window"
from_demo SIDE.png -frames:v 1 -vf scale=160:-2
pair=(-f "$WORK/left.png" "$WORK/right.png" -m ssd -d 0:15)
start -v "${pair[@]}"
press u # no values beside the pointer, which may rest on what is compared
press r
shows "r makes rho 6" - "${pair[@]}" --rho 6
# changed NAME: the middle of the picture is not as it was in NAME.ppm.
changed() { grab now.ppm && "$look" differ "$1.ppm" now.ppm 162 300 500 130 2>/dev/null; }
closed() { grab now.ppm && "$look" same plain.ppm now.ppm 162 300 500 130 2>/dev/null; }
# box: opens the box, over the map that is shown now.
box() { snapshot && snapshot && grab plain.ppm && press ctrl+s && wait_until changed plain && cp now.ppm box.ppm; }
asks() { press Return && wait_until changed box; }
# answer NAME: a click on Yes or No, which show that they have seen the mouse.
answer() {
    cp now.ppm question.ppm
    rest_on "$1" && wait_until changed question && cp now.ppm pointed.ppm
    xdotool mousedown 1 && wait_until changed pointed
    xdotool mouseup 1
}
box
press Escape
check "Esc closes the box, whose field has the keys" wait_until closed
# From "Open" to "Settings", by the panel's button, whose colour shows that it has seen the mouse.
coloured() { grab now.ppm && "$look" differ box.ppm now.ppm "$x" "$y" "$wide" "$high" 2>/dev/null; }
press ctrl+o
wait_until changed plain && cp now.ppm box.ppm
rest_on Settings && wait_until coloured && cp now.ppm box.ppm
xdotool mousedown 1 && wait_until coloured
xdotool mouseup 1 && wait_until changed box
xdotool mousemove 1599 999 # beside the window, where no values stand beside it
press Escape
check "one box takes the other's place" wait_until closed
box
press Return
check "Ctrl+S and Enter save the settings" wait_until closed
check "with what was set" grep -qx 'rho: 6' stereoview.yaml
check "the file is in the list of recent ones" grep -qx "$PWD/stereoview.yaml" "$XDG_STATE_HOME/stereoview/recent-settings"
press r
shows "r makes rho 7" - "${pair[@]}" --rho 7
box
check "before a file is replaced there is a question" asks
answer No
# Once more if the key was seen before the click, and has answered the question itself.
shut() { press Escape && closed; }
check "after No, Esc closes the box" wait_until shut
check "the file is unchanged" grep -qx 'rho: 6' stereoview.yaml
box
asks
answer Yes
check "Yes replaces it" wait_until closed
check "with what is set now" grep -qx 'rho: 7' stereoview.yaml
box
press Tab
check "Tab moves on to the name of a quality" wait_until changed box
xdotool type --delay 50 mine
press Return
check "Enter saves it" wait_until test -s "$qualities/mine.yaml"
press Escape
check "and the box closes" wait_until closed
check "--quality takes it" run 0 --headless "${pair[@]}" --quality mine -o "$WORK/mine.pfm"
run 0 --headless "${pair[@]}" --rho 7 -o "$WORK/same.pfm"
check "with what was set" cmp mine.pfm same.pfm
check "q closes it" quit
finish
