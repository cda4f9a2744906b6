#!/bin/bash
# What looks wrong in the window, and the buttons that fix it: the map is then that of a run that was right from the
# start. And --swap, for every kind of input.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

map() { run 0 --headless "$@" -m ssd -d 0:60 --frames 3:4 -o "$WORK/map.pfm"; }
check "the demo is matched" map --demo
mv "$WORK/map.pfm" "$WORK/right.pfm"
check "--swap works with two files" map -f assets/demo_right.mp4 assets/demo_left.mp4 --swap
check "whose map is that of the other order" cmp "$WORK/map.pfm" "$WORK/right.pfm"
check "and for the demo" map --demo --swap
check "whose map is another" bash -c "! cmp -s '$WORK/map.pfm' '$WORK/right.pfm'"

. tests/support/window.sh
need_window "the window"
cd "$WORK" || exit 1
# press_button CELL NAME COMMAND...: when the cell of the strip offers the button with that name, opens the cell and
# presses the button once, for a second time would do more or undo it; then the command succeeds. A button that moves
# while the mouse is on its way is missed; then the command still fails after a long while, and it is pressed again.
press_button() {
    local cell=$1 name=$2
    shift 2
    wait_until grep -q "advice: .*($name)" log && click "cell $cell" && click "$name" || return
    patience=$((patience / 3)) wait_until "$@" || { click "$name" && wait_until "$@"; }
}

start -v "$root/assets/demo_right.mp4" "$root/assets/demo_left.mp4" -m ssd -d 0:60
check "swapped sides are swapped back immediately" title 'demo_left.mp4 and demo_right.mp4'
check "which can be undone" press_button order 'Undo' title 'demo_right.mp4 and demo_left.mp4'
check "it ends well" quit

# What the window finds of a stream with both pictures, and what the panel changes.
ffmpeg -nostdin -v error -i "$root/assets/demo_left.mp4" -i "$root/assets/demo_right.mp4" -frames:v 4 \
    -filter_complex '[0]format=gray[l];[1]format=gray[r];[l][r]vstack' -c:v ffv1 -y above.mkv
start -v -s above.mkv -m ssd -d 0:60
check "a layout that is found can be undone, too" \
    press_button order 'Undo' grep -q 'do not match for layout sbs; --layout top-bottom fits' log
check "it ends well" quit

start -v --swap off "$root/assets/demo_right.mp4" "$root/assets/demo_left.mp4" -m ssd -d 0:60
press space
check "left and right that are swapped are reported, and swapped" \
    press_button order 'Swap them' title 'demo_left.mp4 and demo_right.mp4'
shows "the map is then right" - --demo -m ssd -d 0:60
check "it ends well" quit

for side in left right; do
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v 4 \
        -vf "crop=640:470:0:$([ $side = left ] && echo 0 || echo 4)" -c:v ffv1 -y rows_$side.mkv
done
pair=(-f "$WORK/rows_left.mkv" "$WORK/rows_right.mkv" -m ssd -d 0:60)
start -v "${pair[@]}"
press space
press_button rows 'Shift it' true
shows "rows that are off are shifted" - "${pair[@]}" --row-shift -4
check "it ends well" quit

# Most of the few values of such a map are at the limit, but that is not what is wrong.
ffmpeg -nostdin -v error -i rows_right.mkv -vf lutyuv=y=val*0.6,crop=640:466:0:0 -c:v ffv1 -y dark_right.mkv
ffmpeg -nostdin -v error -i rows_left.mkv -vf crop=640:466:0:4 -c:v ffv1 -y dark_left.mkv
pair=(-f "$WORK/dark_left.mkv" "$WORK/dark_right.mkv" -d 0:60)
start -v "${pair[@]}" -m ssd --prefilter none
press space
check "a darker picture is reported, and another method is used" press_button brightness 'Use sgm' true
shows "which does not mind" - "${pair[@]}" -m sgm
check "nothing else was reported before: $(grep -m 1 'advice: ' log)" bash -c "grep -m 1 'advice: ' log | grep -q 'Use sgm'"
check "it ends well" quit

# All is 40 pixels nearer.
for side in left right; do
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v 4 \
        -vf "crop=600:480:$([ $side = left ] && echo 0 || echo 40):0" -c:v ffv1 -y near_$side.mkv
done
pair=(-f "$WORK/near_left.mkv" "$WORK/near_right.mkv" -m ssd)
start -v "${pair[@]}"
press space
range=$(sed -n 's/^stereoview: disparities \([-0-9]*:[0-9]*\), found.*/\1/p' log)
check "the range is found before the first map: $range" test "${range#*:}" -gt 80
shows "and searched" - "${pair[@]}" -d "$range"
press d
shows "a key sets it by hand" - "${pair[@]}" -d "${range%:*}:$((${range#*:} + 8))"
check "it ends well" quit

start -v --demo -m ssd -d 0:20
press space
raised() {
    snapshot || return 1
    for most in 55 63 71; do
        run 0 --headless --demo -m ssd -d 0:$most --frames "$frame:$((frame + 1))" -o "$WORK/raised.color.png" && cmp -s "$picture" raised.color.png && return
    done
    return 1
}
check "a range that is too small is widened" press_button range 'Widen the range' raised
check "it ends well" quit

# Each match takes longer than a frame, at any scale. One message reports it, and late frames are skipped.
start -v --demo -m gfd -d 0:255 --rho 9 --threads 1 --stats late.json
check "slow matching is reported" wait_until grep -q 'advice: This computer matches .*(Skip late frames)' log
skips() { quit && python3 -c 'import json; assert json.load(open("late.json"))["drops"]["late"] > 0'; }
jumped() { before=$frame && snapshot && ((frame > before + 10)); } # since it was asked last
check "late frames are skipped" press_button speed 'Skip late frames' jumped
check "and counted" skips
finish
