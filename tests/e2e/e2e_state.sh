#!/bin/bash
# The state of the rig, as runs without a window and the window report it: each fault is called by its own name, with
# what fixes it, and a right pair has none.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

# Cameras that go ahead: both see one picture of the demo grow.
for side in left right; do
    ffmpeg -nostdin -v error -i assets/demo_$side.mp4 -frames:v 1 "$WORK/$side.png"
    ffmpeg -nostdin -v error -i "$WORK/$side.png" \
        -vf "zoompan=z='1+0.03*on':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d=26:s=640x480:fps=25" -c:v ffv1 "$WORK/$side.mkv"
    ffmpeg -nostdin -v error -i "$WORK/$side.mkv" -vf trim=start_frame=4,setpts=PTS-STARTPTS -c:v ffv1 "$WORK/early_$side.mkv"
done
pair=("$WORK/left.mkv" "$WORK/right.mkv") early=("$WORK/left.mkv" "$WORK/early_right.mkv")
judged=(--headless -m ssd --frames 12:14)
# names PATTERN...: the warnings of the last run are these, one each and in this order.
names() {
    local warnings
    warnings=$(grep -o 'warning: .*' "$WORK/output" | grep -v ' is longer than ')
    [ "$(grep -c . <<<"$warnings")" = $# ] || { echo "warnings: $warnings" && return 1; }
    for pattern in "$@"; do
        grep -Eq -- "$pattern" <<<"$(head -n 1 <<<"$warnings")" || { echo "not '$pattern': $warnings" && return 1; }
        warnings=$(tail -n +2 <<<"$warnings")
    done
}
# figure NAME: what --stats has for it.
figure() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$WORK/stats.json" "$1"; }
# judges STATUS... : runs with these files and arguments, and --stats.
judges() { run 0 "${judged[@]}" --stats "$WORK/stats.json" -f "$@"; }

check "a right pair" judges "${pair[@]}"
check "is called right" names
check "its sides of one moment: $(figure rig_time)" test "$(figure rig_time)" = 0.0
check "most of it goes together: $(figure rig_input)" within "$(figure rig_input)" 80 100
check "and nothing is outside the range: $(figure rig_range)" within "$(figure rig_range)" 0 0.3

check "a right side that is 4 frames early" judges "${early[@]}"
check "is called that, and nothing else" names 'the matching right picture is 4 frames earlier; --offset -4 pairs matching frames'
check "in the statistics, too: $(figure rig_time)" test "$(figure rig_time)" = -4.0
check "rows are not blamed on it: $(figure vertical_offset_px)" grep -q 'vertical offset unknown' "$WORK/output"
check "the other way round" judges "$WORK/early_left.mkv" "$WORK/right.mkv"
check "it is late" names 'the matching right picture is 4 frames later; --offset 4 pairs matching frames'
check "with --offset -4" judges "${early[@]}" --offset -4
check "it is right" names
check "with a wrong --offset" judges "${pair[@]}" --offset 3
check "that is called wrong" names 'is 3 frames earlier; --offset 0 pairs matching frames'
check "a part of a run knows it, too" judges "${early[@]}" --frames 2:3
check "from the frames around it" names 'is 4 frames earlier; --offset -4'

check "a range that is too small" judges "${pair[@]}" -d 0:15
check "is called that" names 'of the disparities are outside the range; use -d 0:[4-9][0-9]'
ffmpeg -nostdin -v error -i "$WORK/right.mkv" -vf crop=640:474:0:0,pad=640:480:0:6 -c:v ffv1 "$WORK/lower.mkv"
check "rows that are 6 pixels off" judges "${pair[0]}" "$WORK/lower.mkv" --rows off
check "are called that" names 'the right picture lies [56]\.[0-9] px lower .*--row-shift 6'

ffmpeg -nostdin -v error -loop 1 -framerate 25 -i "$WORK/left.png" -frames:v 26 -c:v ffv1 "$WORK/still_left.mkv"
ffmpeg -nostdin -v error -loop 1 -framerate 25 -i "$WORK/right.png" -frames:v 26 -c:v ffv1 "$WORK/still_right.mkv"
check "a scene that stands still" judges "$WORK/still_left.mkv" "$WORK/still_right.mkv"
check "claims nothing" names
check "of its time: $(figure rig_time)" test "$(figure rig_time)" = None

. tests/support/window.sh
need_window "the window"
cd "$WORK" || exit 1
start -v -f "${early[@]}" -m ssd -d 0:63 --rows off --loop
# Moments are compared by frames in a row, which a busy machine measures too slowly at full speed.
press bracketleft bracketleft bracketleft bracketleft
wait_until grep -q 'advice: The right picture of the same moment is 4 frames earlier. (Pair with that)' log
check "the window finds the moment" test $? = 0
check "no other fault was named before: $(grep 'advice: ' log | head -n 1)" \
    bash -c "! grep 'advice: ' log | grep -v 'Pair with that' | grep -v 'This computer matches'"
check "it ends well" quit
finish
