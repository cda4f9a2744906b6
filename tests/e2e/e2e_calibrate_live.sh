#!/bin/bash
# Calibration with a board in the window, of live sources: two streams that show one all the time.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh && . tests/support/board.sh
need_window "calibrating live sources"

board=charuco:5x4:45mm
need_opencv $board
check "the board is printed" record_board $board
cd "$WORK" || exit 1

# Each pose is held for 1.3 seconds, so that a busy machine may lose pictures of it.
for side in left right; do
    ffmpeg -nostdin -v error -i $side.mkv -vf 'setpts=2*PTS,fps=3' -c:v libx264 -g 1 -crf 6 -pix_fmt yuv420p $side.ts
done
ports=("$(free_port)" "$(free_port)")
ffmpeg -nostdin -v error -re -stream_loop -1 -i left.ts -re -stream_loop -1 -i right.ts -map 0 -c copy -f mpegts \
    "udp://127.0.0.1:${ports[0]}?pkt_size=1316" -map 1 -c copy -f mpegts "udp://127.0.0.1:${ports[1]}?pkt_size=1316" 2>sender &
sender=$!
trap 'kill $sender 2>/dev/null' EXIT

saved() { press G && grep -q 'saved rig.yaml' log; }

launch -f "udp://127.0.0.1:${ports[0]}" "udp://127.0.0.1:${ports[1]}" --timeout 30 -m ssd -d 0:63 --calibrate $board \
    --save-calibration rig.yaml
xdotool windowsize "$window" 640 480 # which is drawn more quickly
check "views are taken until nothing is missing" wait_until grep -q 'enough views: Enter calibrates' log
press Return
check_solved 0.2 58.8 61.2
check "the file is saved" wait_until saved
check "it ends well" quit
check "the file is read back, in metres" run 0 --headless -f left.mkv right.mkv -m ssd -d 0:63 --frames 0:1 --calibration rig.yaml
check "with that baseline" grep -q 'baseline 0.0[56][0-9]* m' output
finish
