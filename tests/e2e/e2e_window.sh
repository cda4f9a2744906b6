#!/bin/bash
# The window under an X server: what it shows is what the exporter writes, keys and panel have their effect, and it
# ends well whatever happens to it.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

if [ -z "${DISPLAY:-}" ] || ! command -v xdotool >/dev/null; then
    check "without a display the window is refused, with advice" refused 3 'headless' --demo
    skipped "the window" "no X server or no xdotool"
    finish
fi

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
press shift+t shift+t
shows "T narrows it" - --demo -d 0:60 -m ncc --tau 0
press m
shows "and on to zncc" - --demo -d 0:60 -m zncc
press m
shows "gfd is matched in colour, which the current pair was not read in" - --demo -d 0:60 -m gfd
press m
shows "then to sgm" - --demo -d 0:60 -m sgm
press m
shows "and back to ssd, with rho as it was chosen" - --demo -m ssd -d 0:60 --rho 4
before=$frame
press period
shows "a step shows the next frame" $((before + 1)) --demo -m ssd -d 0:60 --rho 4
press comma comma # added up, however long a match takes
shows "two steps back show the frame before that" $((before - 1)) --demo -m ssd -d 0:60 --rho 4
click subpixel 5
shows "a click on the panel's box turns sub-pixels off" - --demo -m ssd -d 0:60 --rho 4 --subpixel off
click rho 1
shows "a click at the left end of the panel's slider makes rho 0" - --demo -m ssd -d 0:60 --rho 0 --subpixel off
press o
shows "o pairs it with the next right picture" - --demo -m ssd -d 0:60 --rho 0 --subpixel off --offset 1
press shift+o shift+o
shows "O O with the one before" - --demo -m ssd -d 0:60 --rho 0 --subpixel off --offset -1
press o
shows "and o with its own again" - --demo -m ssd -d 0:60 --rho 0 --subpixel off
press d
shows "d raises the largest disparity" - --demo -m ssd -d 0:68 --rho 0 --subpixel off
press shift+d shift+d
shows "D lowers it" - --demo -m ssd -d 0:52 --rho 0 --subpixel off
press Left Left
shows "Left goes back, at most to the first frame" 0 --demo -m ssd -d 0:52 --rho 0 --subpixel off
press Right
shows "Right goes on by 5 seconds" 125 --demo -m ssd -d 0:52 --rho 0 --subpixel off
press e
echo 'show-reasons: on' >reasons.yaml
shows "e shows why pixels are empty" 125 --demo --settings "$WORK/reasons.yaml" -m ssd -d 0:52 --rho 0 --subpixel off
press z
press ctrl+s
saved() { press Return && [ -s stereoview.yaml ]; } # once the box has the keys
check "Ctrl+S and Enter save the settings" wait_until saved
drawn
for line in 'disparities: 0:52' 'rho: 0' 'subpixel: off' 'show-reasons: on' 'legend: metres'; do
    check "which says $line" grep -qx "$line" stereoview.yaml
done
press e c
snapshot
check "c changes the colours" bash -c "! cmp -s '$picture' expected.color.png"
press v v v v i i Tab Tab

# The middle of the view, where the list of keys is, but no messages.
middle() { ffmpeg -nostdin -v error -f x11grab -window_id "$window" -i "$DISPLAY" -frames:v 1 -vf crop=520:300:176:216 -y "$1"; }
differs() { middle two.ppm && ! cmp -s one.ppm two.ppm; }
same() { middle two.ppm && cmp -s one.ppm two.ppm; }
press Left Left
wait_until at_frame 0
snapshot # what came before the first one has been drawn
wait_until middle one.ppm
press question
check "? shows the keys" wait_until differs
press question
check "and hides them" wait_until same
press h
check "h shows them" wait_until differs
press Escape
check "and Esc hides them" wait_until same
check "q closes it with status 0" quit
check "-v asks OpenGL for its messages" grep -Eq 'debug: OpenGL .*, (with its|which has no) messages$' log

# ---- What happens to windows ----

start --demo
xdotool windowsize --sync "$window" 500 400
xdotool windowsize --sync "$window" 1500 900
press question
xdotool windowsize --sync "$window" 60 40
check "it draws the keys where there is no room for them" snapshot
press question
xdotool windowunmap --sync "$window"
wait_until hidden
xdotool windowmap --sync "$window"
xdotool windowsize --sync "$window" 900 700
xdotool windowfocus --sync "$window"
check "it goes on drawing after being resized, hidden and shown" snapshot
press f f
check "q after full screen" quit
start -v --demo
press space # what plays takes the processors' time
closed() { snapshot && grab now.ppm && "$look" same before.ppm now.ppm "$x" "$y" "$wide" "$high"; }
point 200 200
seen before
click speed
check "a click opens the list of speeds" widget 0.125x
check "which needs no scrolling" widget "real time"
press Escape
check "Esc closes it" wait_until closed
press f
snapshot
press Escape
check "Esc in full screen does not quit" snapshot
kill -STOP $pid # so that it gets both at once
press f Escape
kill -CONT $pid
timeout $patience xdotool windowfocus --sync "$window"
check "nor does Esc right after f" snapshot
xdotool windowfocus --sync "$window"
press Escape Escape
check "Esc never quits" snapshot
check "q does" quit
"$program" --demo -m ncc >"$WORK/log" 2>&1 </dev/null &
pid=$!
kill -TERM $pid
# 143: the program has not started completely, here and below, where its window exists.
check "a signal ends it right after its start" ended 0 143
"$program" --demo -m ncc >"$WORK/log" 2>&1 </dev/null &
pid=$!
timeout $patience xdotool search --sync --onlyvisible --pid $pid --name stereoview >/dev/null
kill -TERM $pid
check "a signal ends it well when its window appears" ended 0 143
start --demo -m ncc
# Files that are being written are completed first, for which it has five seconds.
wait_until grep -q 'wrote the snapshot' "$WORK/log"
kill -TERM $pid
check "and when it has drawn" ended 0

# ---- A slow match, a lost file ----

hundredths() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; } # of a second of processor time
# grey X Y: the mean grey level of 100 x 100 pixels of the screen.
grey() {
    ffmpeg -nostdin -v error -f x11grab -video_size 100x100 -i "$DISPLAY+$1,$2" -frames:v 1 -vf scale=1:1:flags=area \
        -pix_fmt gray -f rawvideo - | od -An -tu1
}
# spend: sets $spent to the seconds of processor time of all processes of this script that have ended.
spend() { times >"$WORK/times" && spent=$(awk -F '[ms ]+' 'END { printf "%.0f", 60 * ($1 + $3) + $2 + $4 }' "$WORK/times"); }
given_up() {
    spend
    local before=$spent
    quit && spend && ((spent - before < 15))
}
drawn_soon() { drawn && (($(hundredths) < 1500)); }
# The first match takes 20 seconds of processor time or more. The places are those of both pictures in a window of
# 1280 x 800.
slow=(--demo --threads 1 -m gfd --rho 31 -d 0:400)
left_alone() { [ "$(grey 350 150)" -lt 30 ] && [ "$(grey 350 500)" -gt 40 ]; }
launch "${slow[@]}"
check "before the first map the left picture is shown" wait_until left_alone
press m
check "another method does not wait for a slow match" drawn_soon
check "and it closes well" quit
launch "${slow[@]}" --stats slow.json
wait_until left_alone
# No key is pressed meanwhile, since each makes the window draw.
worked() { (($(hundredths) >= 700)); }
wait_until worked
check "q gives up a slow match" given_up
draws=$(sed -n 's/.*"drawn_frames": \([0-9]*\).*/\1/p' slow.json)
check "the window went on drawing meanwhile: $draws times" test "$draws" -ge 8

mkdir lost
from_demo lost/SIDE_%03d.pgm -frames:v 40 -vf scale=160:120
start -f "$WORK/lost/left_%03d.pgm" "$WORK/lost/right_%03d.pgm" -d 0:15 --loop
check "the title has both names" \
    bash -c "xdotool getwindowname $window | grep -qxF 'left_%03d.pgm and right_%03d.pgm - stereoview'"
press space Left Left Left Left
wait_until at_frame 0
rm lost/left_02*.pgm
press space
wait_until at_frame 18 # of left_019.pgm
check "a file that vanishes does not end the program" kill -0 $pid
check "and the last picture is still there" snapshot
check "and it closes well" quit

# ---- Speed ----

# At 1/16 of 25 frames a second a map comes every 0.64 s, so that the window never rests. Drawn 32 times a second it
# would take the processor from the matcher. 64 frames take 41 s then.
for side in left right; do
    ffmpeg -v error -stream_loop 3 -i "$root/assets/demo_$side.mp4" -vf scale=160:120 -c:v mpeg4 -g 5 small_$side.avi
done
start -f small_left.avi small_right.avi -d 0:15 -v --stats "$WORK/draws.json"
xdotool windowsize --sync "$window" 480 320
press bracketleft bracketleft bracketleft bracketleft
started=$SECONDS
played() { ((SECONDS - started >= 6)); }
wait_until played
check "it closes well" quit
if grep -q 'debug: OpenGL .* on llvmpipe' log; then
    draws=$(sed -n 's/.*"rates": .*"draw": \([0-9.]*\).*/\1/p' draws.json)
    check "OpenGL in software draws less often: $draws a second" awk "BEGIN { exit !($draws > 0 && $draws < 20) }"
fi
start -f small_left.avi small_right.avi -d 0:15
press bracketleft bracketleft bracketleft bracketleft
snapshot
before=$frame started=$SECONDS
# Twice as far as at that speed, by the whole seconds that may have passed.
ahead() { snapshot && ((16 * (frame - before) > 2 * 25 * (SECONDS - started + 1))); }
press bracketright bracketright bracketright bracketright
check "] makes it faster" wait_until ahead
check "it closes well" quit
finish
