#!/bin/bash
# The window under an X server: what it shows is what the exporter writes, keys and panel have their effect, and it
# ends well whatever happens to it.
cd "$(dirname "$0")/.." && . tests/e2e.sh
root=$PWD
cd "$WORK" || exit 1

if [ -z "${DISPLAY:-}" ] || ! command -v xdotool >/dev/null; then
    check "without a display the window is refused, with advice" refused 3 'headless' --demo
    skipped "the window" "no X server or no xdotool"
    finish
fi

# launch ARGUMENT...: the program with a window that has the keyboard; its number is in $window.
launch() {
    "$program" "$@" >"$WORK/log" 2>&1 </dev/null &
    pid=$!
    window=$(timeout 30 xdotool search --sync --onlyvisible --pid $pid --name stereoview | head -1)
    xdotool windowfocus --sync "$window"
}
# start ARGUMENT...: the same, and waits for the first map.
start() {
    launch "$@"
    wait_until drawn_once
}
# A snapshot can be taken from the first map on.
drawn_once() { rm -f stereoview_*.png && press s && sleep 0.3 && compgen -G 'stereoview_*.png' >/dev/null; }
press() { xdotool key --delay 30 "$@"; }
quit() {
    press q
    ended 0
}
# snapshot: what the window shows now, as $picture of frame $frame.
snapshot() {
    rm -f stereoview_*.png
    press s
    wait_until compgen -G 'stereoview_*.png' >/dev/null || return 1
    picture=$(echo stereoview_*.png | cut -d ' ' -f 1)
    frame=$((10#$(echo "$picture" | sed 's/[^0-9]*\([0-9]*\).*/\1/')))
}
# shows WHAT FRAME ARGUMENT...: within a while the window shows what a run without a window writes for the arguments
# and that frame; - is whichever frame it stands at.
shows() {
    local what=$1 wanted=$2 tries=20
    shift 2
    while ((tries--)) && sleep 0.3 && snapshot; do
        [ "$wanted" = - ] || [ "$wanted" = "$frame" ] || continue
        run 0 --headless "$@" --frames "$frame:$((frame + 1))" -o "$WORK/expected.color.png" >"$WORK/cmp" || break
        cmp "$picture" expected.color.png >"$WORK/cmp" 2>&1 && ok "$what" && return
    done
    not_ok "$what" "frame ${frame:-?}: $(cat "$WORK/cmp" 2>/dev/null; tail -2 "$WORK/log")"
}

# ---- Keys ----

start --demo -m ssd -d 0:60 -v
check "the title has the source" bash -c "xdotool getwindowname $window | grep -qx 'demo - stereoview'"
press space
shows "the paused window shows the exported picture" - --demo -m ssd -d 0:60
press r
shows "r widens rho at once" - --demo -m ssd -d 0:60 --rho 6
press shift+r shift+r
shows "R narrows it" - --demo -m ssd -d 0:60 --rho 4
press m
shows "m goes on to ncc, whose rho is its own" - --demo -d 0:60 -m ncc
press t
shows "t widens tau" - --demo -d 0:60 -m ncc --tau 2
press ctrl+z
shows "Ctrl+Z takes it back" - --demo -d 0:60 -m ncc
press ctrl+y
shows "and Ctrl+Y does it again" - --demo -d 0:60 -m ncc --tau 2
press m
shows "and on to zncc" - --demo -d 0:60 -m zncc
press m
shows "gfd is matched in colour, which the pair that stands was not read in" - --demo -d 0:60 -m gfd
press m
shows "then to sgm" - --demo -d 0:60 -m sgm
press m
shows "and back to ssd, with rho as it was chosen" - --demo -m ssd -d 0:60 --rho 4
before=$frame
press period
shows "a step shows the next frame" $((before + 1)) --demo -m ssd -d 0:60 --rho 4
press comma comma # added up, however long a match takes
shows "two steps back show the frame before that" $((before - 1)) --demo -m ssd -d 0:60 --rho 4
# The places are the panel's at its first size, 1280 x 800.
click() { xdotool mousemove --window "$window" "$1" "$2" sleep 0.2 mousedown 1 sleep 0.2 mouseup 1 sleep 0.2 mousemove --window "$window" 200 200; }
click 1090 359
shows "a click on the panel's box turns sub-pixels off" - --demo -m ssd -d 0:60 --rho 4 --subpixel off
click 1082 185
shows "a click at the left end of the panel's slider makes rho 0" - --demo -m ssd -d 0:60 --rho 0 --subpixel off
press o
shows "o pairs it with the next right picture" - --demo -m ssd -d 0:60 --rho 0 --subpixel off --offset 1
press shift+o shift+o
shows "O O with the one before" - --demo -m ssd -d 0:60 --rho 0 --subpixel off --offset -1
press o
shows "and o with its own again" - --demo -m ssd -d 0:60 --rho 0 --subpixel off
press c
snapshot
check "c changes the colours" bash -c "! cmp -s '$picture' expected.color.png"
press v v v v i i Tab Tab question question bracketleft bracketright
press space
sleep 1
press space
snapshot
check "Space lets it play on" test "$frame" != $((before - 1))
check "q closes it with status 0" quit
check "-v asks OpenGL for its messages" grep -Eq 'debug: OpenGL .*, (with its|which has no) messages$' log

# ---- What happens to windows ----

start --demo
xdotool windowsize --sync "$window" 500 400
xdotool windowsize --sync "$window" 1500 900
xdotool windowsize --sync "$window" 60 40
xdotool windowunmap --sync "$window"
sleep 0.5
xdotool windowmap --sync "$window"
xdotool windowsize --sync "$window" 900 700
xdotool windowfocus --sync "$window"
check "it goes on drawing after being resized, hidden and shown" snapshot
press f f
check "q after full screen" quit
start --demo
click 926 750 # the list of speeds
press Escape
sleep 0.5
check "Esc closes a list of the panel" kill -0 $pid
press f
sleep 0.5
press Escape
sleep 0.5
check "Esc in full screen does not quit" kill -0 $pid
kill -STOP $pid # so that it gets both at once
press f Escape
kill -CONT $pid
timeout 20 xdotool windowfocus --sync "$window"
check "nor does Esc right after f" snapshot
xdotool windowfocus --sync "$window"
press h Escape
check "Esc closes the list of keys" snapshot
press Escape Escape
sleep 0.5
check "Esc never quits" kill -0 $pid
check "q does" quit
for delay in 0 0.4 0.7 1.5; do
    "$program" --demo -m ncc >"$WORK/log" 2>&1 </dev/null &
    pid=$!
    sleep $delay
    kill -TERM $pid
    if [ $delay = 0 ]; then ended 143 >/dev/null || wait $pid; else check "a signal after $delay s ends it well" ended 0; fi
done

# ---- A slow match, a lost file ----

start --demo --threads 1 -m ncc --rho 15 --tau 8 -d -200:200 --stats "$WORK/slow.json"
sleep 6
check "keys are followed during a slow match: q" quit
rates=$(grep '"rates"' slow.json)
# 30 and more on an idle machine; one that has other work and draws in software is let off.
check "the window went on drawing meanwhile: $rates" \
    bash -c "echo '$rates' | sed 's/.*\"draw\": \([0-9.]*\).*/\1/' | awk '{ exit !(\$1 >= 10) }'"

# grey X Y: the mean grey level of 100 x 100 pixels of the screen.
grey() {
    ffmpeg -nostdin -v error -f x11grab -video_size 100x100 -i "$DISPLAY+$1,$2" -frames:v 1 -vf scale=1:1:flags=area \
        -pix_fmt gray -f rawvideo - | od -An -tu1
}
# The first match takes half a minute and more. The places are those of the two pictures in a window of 1280 x 800.
slow=(--demo --threads 1 -m gfd --rho 31 -d 0:400)
left_alone() { [ "$(grey 350 150)" -lt 30 ] && [ "$(grey 350 500)" -gt 40 ]; }
if command -v ffmpeg >/dev/null; then
    launch "${slow[@]}"
    check "before the first map the left picture is there" wait_until left_alone
    press m
    check "another method does not wait for a slow match" wait_until drawn_once
    check "and it closes well" quit
    launch "${slow[@]}"
    wait_until left_alone
    check "q gives up a slow match" quit
else
    skipped "the window during a slow match" "there is no ffmpeg"
fi

mkdir lost
run 0 --headless --demo --frames 0:1 -o "$WORK/unused.pfm"
if command -v ffmpeg >/dev/null; then
    ffmpeg -v error -i "$root/assets/demo_left.mp4" -frames:v 40 lost/left_%03d.pgm
    ffmpeg -v error -i "$root/assets/demo_right.mp4" -frames:v 40 lost/right_%03d.pgm
    start -f "$WORK/lost/left_%03d.pgm" "$WORK/lost/right_%03d.pgm" --loop
    check "the title has both names" \
        bash -c "xdotool getwindowname $window | grep -qxF 'left_%03d.pgm and right_%03d.pgm - stereoview'"
    rm lost/left_02*.pgm
    sleep 4
    check "a file that vanishes does not end the program" kill -0 $pid
    check "and the last picture is still there" snapshot
    check "and it closes well" quit
fi

# ---- A broadcast that dies and comes back ----

broadcast() {
    ffmpeg -nostdin -v error -re -stream_loop -1 -i "$root/assets/demo_left.mp4" -vf 'scale=160:120,tile=2x1,fps=10' \
        -c:v mpeg2video -g 5 -f mpegts "udp://127.0.0.1:$port?pkt_size=1316" &
    sender=$!
}
if command -v ffmpeg >/dev/null; then
    port=$(python3 -c 'import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    broadcast
    start -s "udp://127.0.0.1:$port" --timeout 2 -d 0:15 --stats "$WORK/broadcast.json"
    kill "$sender"
    check "a broadcast that dies is told of" wait_until grep -q 'warning: .*the stream stopped' log
    check "and the last picture is still there" snapshot
    broadcast
    check "and it comes back" wait_until grep -q 'pictures arrive again' log
    check "it closes well" quit
    kill "$sender"
    check "the statistics have the skew and the drops by cause" grep -Eq '"late": [0-9]+, "broken": [0-9]+' broadcast.json
    check "and what the skew may be" grep -q '"tolerance_ms": [1-9]' broadcast.json
else
    skipped "a broadcast in the window" "there is no ffmpeg"
fi

# ---- A display that goes away ----

coproc GONE { exec Xvfb -displayfd 1 -screen 0 1000x800x24 -nolisten tcp 2>/dev/null; }
gone=$GONE_PID
if read -r -t 60 number <&"${GONE[0]}"; then
    DISPLAY=:$number start --demo --stats "$WORK/gone.json"
    kill -9 "$gone"
    check "a display that goes away ends it with status 1" ended 1
    check "it says so" grep -q 'error: the display is gone$' "$WORK/log"
    check "and --stats has what was done" grep -Eq '"frames": [1-9]' "$WORK/gone.json"
else
    not_ok "a display that goes away" "Xvfb did not start"
fi

# ---- Real recordings ----

karlsruhe=$data/seq_karlsruhe_2010_03_09_0023
if [ -d "$karlsruhe" ]; then
    start -f "$karlsruhe/left/%06d.png" "$karlsruhe/right/%06d.png" -m ncc -d 0:80 --loop
    press r t
    sleep 1
    press space
    shows "the Karlsruhe sequence, with rho and tau turned while it plays" - \
        -f "$karlsruhe/left/%06d.png" "$karlsruhe/right/%06d.png" -m ncc -d 0:80 --rho 4 --tau 2
    check "it closes well" quit
else
    skipped "the Karlsruhe sequence in the window" "it is not here"
fi

euroc=$data/seq_euroc_v101_micro
if [ -d "$euroc" ]; then
    name=1403715273262142976.png
    pair=(-f "$euroc/left/$name" "$euroc/right/$name" -m zncc)
    files=$euroc/cam0_sensor.yaml,$euroc/cam1_sensor.yaml
    start "${pair[@]}" --calibration "$files" --settings "$WORK/metres.yaml" --stats "$WORK/window.json"
    shows "pictures that are rectified while they are shown" - "${pair[@]}" --calibration "$files"
    press z v v v # in metres, over the left picture
    check "it closes well" quit
    check "the window's statistics have the vertical offset" grep -Eq '"vertical_offset_px": -?0\.[0-2]' window.json
    start "${pair[@]}"
    check "rows that are not aligned are told of" wait_until grep -q 'warning: the right picture lies 1[2-3]' log
    check "it closes well" quit
else
    skipped "rectified pictures in the window" "they are not here"
fi
finish
