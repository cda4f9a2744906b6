#!/bin/bash
# Playback in the window: the number of a frame, loops, speeds, full screen; stepping and seeking land on the exact pair
# where frames last unequally long and where groups of pictures are open.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
. tests/support/window.sh
need_window "the window"
cd "$WORK" || exit 1

# Every third picture lasts three times as long; Matroska does not store how many there are.
frames=24
for side in left right; do
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v $frames -vf 'scale=160:-2,setpts=(N+2*floor(N/3))/25/TB' \
        -fps_mode passthrough -c:v libx264 -bf 3 -g 8 -x264-params open-gop=1 -y vfr_$side.mkv
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v $frames -vf scale=160:-2 \
        -c:v mpeg2video -bf 2 -g 6 -flags -cgop -q:v 2 -y open_$side.ts
done
go_to() { # types the number
    press ctrl+g
    xdotool type --delay 30 "$1"
    press Return
}

options=(-m ssd -d 0:15)
for kind in vfr_left.mkv open_left.ts; do
    pair=(-f "$WORK/$kind" "$WORK/${kind/left/right}" "${options[@]}")
    mkdir "whole_$kind"
    run 0 --headless "${pair[@]}" -o "$WORK/whole_$kind/%d.color.png" || not_ok "$kind" "does not play"
    # is WHAT FRAME: the window shows that frame's map, as it is in a run over the whole file.
    is() {
        exact() { snapshot && [ "$frame" = "$1" ] && cmp "$picture" "whole_$kind/$1.color.png"; }
        wait_until exact "$2" >seen 2>&1 && ok "$kind: $1" || not_ok "$kind: $1" "frame $frame: $(tail -2 seen)"
    }
    start "${pair[@]}"
    press period # pauses it, also at its end, where Space would play it again
    go_to 13
    is "the number of a frame can be typed" 13
    press comma
    is "a step back is exact" 12
    press comma comma comma comma
    is "and four more" 8
    press period
    is "a step forward" 9
    go_to 999
    is "beyond the end it is the last frame" 23
    go_to 0
    is "and 0 is the first" 0
    check "$kind: it ends well" quit
done

# A loop from 5 to 7 leaves no other frame, and ends only when it is ended.
start "${pair[@]}"
press period
go_to 5
wait_until at_frame 5
press l
go_to 7
wait_until at_frame 7
press l space
seen=()
# Where a jump takes longer than the frames, most of the time belongs to the last one.
have_seen_several() {
    snapshot && seen+=("$frame")
    ((${#seen[@]} >= 8)) && (($(printf '%s\n' "${seen[@]}" | sort -u | wc -l) > 1))
}
check "A-B plays several frames" wait_until have_seen_several
check "and none but 5 to 7: ${seen[*]}" bash -c "! printf '%s\n' ${seen[*]} | grep -qvx '[567]'"
press l
check "l ends that" wait_until at_frame 23
came_round() { snapshot && ((frame < 23)); }
press shift+l
check "L plays again from the beginning" wait_until came_round
check "it ends well" quit

start -v "${pair[@]}"
press period
go_to 4
wait_until at_frame 4
xdotool windowsize --sync "$window" 800 600
sought() { click position 99 && at_frame 23; }
check "the position is a slider in a small window, too" wait_until sought
xdotool windowsize --sync "$window" 1280 800
size() { xdotool getwindowgeometry "$window" | sed -n 's/.*Geometry: //p'; }
full() { [ "$(size)" = 1600x1000 ]; }
twice() {
    point 300 200
    snapshot
    xdotool click --repeat 2 --delay 60 1
}
# switched STATE: a double click leads to it; again where the window was too slow to see two clicks as one.
switched() {
    local limit=$((SECONDS + 30))
    twice
    until "$1"; do ((SECONDS < limit)) && sleep 0.05 || return 1; done
}
# The bottom of the screen without and with the mouse.
bar() { ffmpeg -nostdin -v error -f x11grab -video_size 1000x40 -i "$DISPLAY+0,950" -frames:v 1 -y "$1"; }
if xrandr --listmonitors 2>/dev/null | grep -q '^Monitors: 0'; then
    skipped "full screen" "there is no monitor"
else
    check "a double click is full screen" wait_until switched full
    # The mouse is moved again where the machine was so slow that the bar had hidden before it was seen.
    hides() {
        if ((SECONDS - moved >= 10)); then
            point $((300 + RANDOM % 99)) 210 && bar shown.ppm && moved=$SECONDS
        fi
        bar hidden.ppm && sleep 0.5 && bar again.ppm && ! cmp -s hidden.ppm shown.ppm && cmp -s hidden.ppm again.ppm
    }
    snapshot
    moved=-10
    check "the bar hides after a while" wait_until hides
    # Without a snapshot, whose message would lie there, too.
    comes() { point $((300 + RANDOM % 99)) 220 && bar now.ppm && ! cmp -s now.ppm hidden.ppm; }
    check "and comes back with the mouse" wait_until comes
    small() { ! full; }
    check "and another is the window again" wait_until switched small
fi
check "it ends well" quit
finish
