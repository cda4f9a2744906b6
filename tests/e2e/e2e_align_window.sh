#!/bin/bash
# Alignment without a board in the window: --align, its key and its file.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
need_window "aligning in the window"
cd "$WORK" || exit 1

ffmpeg -nostdin -v error -i "$root/assets/demo_left.mp4" -frames:v 12 -c:v ffv1 -y left.mkv
ffmpeg -nostdin -v error -i "$root/assets/demo_right.mp4" -frames:v 12 -vf rotate=0.02 -c:v ffv1 -y turned.mkv
pair=(-f "$WORK/left.mkv" "$WORK/turned.mkv" -m ssd -d 0:60)

printf 'save-calibration: F4\n' >keys.yaml
start "${pair[@]}" --fov 60 --align --loop --save-calibration rig.yaml --keys keys.yaml
check "cameras that are turned are aligned while they play" wait_until grep -q 'aligned: rows off by' log
check "and the user's key is named" grep -q '; F4 saves it' log
press space
is_saved() { press F4 && grep -q 'saved rig.yaml' log; }
check "a key saves that" wait_until is_saved
# repeats: the snapshot's settings give the map that was seen, with the calibration that was written beside it.
repeats() {
    snapshot && stem=${picture%.color.png} && [ -e "$stem.calibration.yaml" ] &&
        run 0 --headless --settings "$stem.yaml" -o "$WORK/again.color.png" && cmp "$picture" again.color.png
}
check "a snapshot repeats the map" repeats
check "it ends well" quit
level() {
    run 0 --headless "${pair[@]}" --frames 0:1 --calibration rig.yaml &&
        sed -nE 's/.*vertical offset (-?[0-9.]+) px.*/\1/p' "$WORK/output" | awk '{ exit !($1 > -0.3 && $1 < 0.3) }'
}
check "the file aligns the rows" level

# The pair on the screen is enough, of a recording that has ended or of pictures.
for side in left turned; do ffmpeg -nostdin -v error -i $side.mkv -frames:v 1 -y $side.png; done
start left.png turned.png -m ssd -d 0:60
press g
check "a pair of pictures is aligned" wait_until grep -q 'aligned: rows off by' log
check "and that ends well" quit

# A key begins it, too. One picture twice is a plane at infinity.
start -f "$WORK/left.mkv" "$WORK/left.mkv" --loop --save-calibration none.yaml
press g
check "what does not determine the cameras is reported" wait_until grep -q 'on one plane' log
vain() {
    press q
    ended 1 && grep -q 'nothing was saved: .* on one plane' log
}
check "and that nothing was saved" vain
check "as nothing was" [ ! -e none.yaml ]
# Rectified pictures need no alignment for metres, but two numbers, which are typed into the pane of a cell. What comes
# sooner than the frame that it needs is missed, so all of it is repeated, more slowly each time.
start -v -f "$root/assets/demo_left.mp4" "$root/assets/demo_right.mp4"
press space
pane_is_open() { ! gone baseline; }
tenths=2
press_button() { rest_on "$1" && xdotool mousedown 1 sleep $pause mouseup 1 sleep $pause; }
with_metres() {
    tenths=$((tenths + 1))
    pause=$((tenths / 10)).$((tenths % 10))
    pane_is_open || { click "cell calibration" && patience=$((patience / 3)) wait_until pane_is_open; } || return
    press_button "field of view" && xdotool type --delay 20 60 && press Return && sleep $pause
    press_button "baseline" && xdotool type --delay 20 200 && press Return && sleep $pause
    press_button "Use for metres"
    patience=$((patience / 30)) wait_until \
        grep -q 'metres follow from a baseline of 0.2 m .* and a field of view of 60 degrees' log
}
check "a field of view and a baseline are typed" wait_until with_metres
repeats() {
    snapshot && stem=${picture%.color.png} && [ -e "$stem.depth.png" ] &&
        run 0 --headless --settings "$stem.yaml" -o "$WORK/again.depth.png" && cmp "$stem.depth.png" again.depth.png
}
check "a snapshot and its settings have the depth" wait_until repeats
check "it ends well" quit
finish
