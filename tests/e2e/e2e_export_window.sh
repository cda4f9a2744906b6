#!/bin/bash
# The export of frames from the window: its files are those of a run without a window.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
. tests/support/window.sh
need_window "the export from the window"
cd "$WORK" || exit 1
for side in left right; do
    mkdir $side
    ffmpeg -nostdin -v error -i "$assets/demo_$side.mp4" -frames:v 12 -vf scale=160:-2 -start_number 0 "$side/p%d.pgm"
done
said() { grep -Eq -- "$1" log; }
start -v left right -d 0:15 -m ssd --rows off
press period # pauses it, also at its end, where Space would play it again
press ctrl+g 2 Return
check "A is set" wait_until at_frame 2
press l
press ctrl+g 4 Return
check "and B" wait_until at_frame 4
press l
press ctrl+e
check "a button exports what is between them" click "Write files"
check "and says how many frames it was" wait_until said 'exported 3 frames to 3 files'
run 0 --headless left right -d 0:15 -m ssd --rows off --frames 2:5 -o expected_%06d.pfm || not_ok "a run without a window" "it failed"
for i in 2 3 4; do
    check "frame $i is as that of a run without a window" cmp stereoview_export_00000$i.pfm expected_00000$i.pfm
done
check "there are no others" test "$(ls stereoview_export_* | wc -l)" = 3
# A snapshot, which `click` takes, would add a message and move the others.
newest() { folder=$(grep -o 'panel: Show folder##[0-9]* ' log | head -n 1 | cut -c 8-) && [ -n "$folder" ]; }
press shift+m
check "the list of messages has the folder of the files" wait_until newest
check "a click shows it" eval 'rest_on "${folder% }" && xdotool click 1'
check "in the box that opens an input" wait_until said 'panel: expected_000003.pfm at '
press Escape
check "which is closed again" wait_until gone Demo
press ctrl+e
check "once more" click "Write files"
check "nothing is replaced" wait_until said 'error: stereoview_export_00000..pfm already exists'
press Escape
check "it ends well" quit
finish
