#!/bin/bash
# What can be opened, and how: names without an option, folders, patterns, pictures named by time stamps. A run is right
# if its maps are, byte for byte, those of the same pictures as a numbered sequence.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

says() { grep -Eq -- "$1" "$WORK/output"; }
# maps ARGUMENT...: the run's maps are in $WORK/maps.
maps() {
    rm -rf "$WORK/maps" && mkdir "$WORK/maps"
    run 0 --headless "$@" -d 0:15 -o "$WORK/maps/%d.pfm"
}
# same_maps COUNT: they are those of the numbered sequence, COUNT of them.
same_maps() {
    for ((i = 0; i < $1; i++)); do cmp "$WORK/maps/$i.pfm" "$WORK/whole/$i.pfm" || return 1; done
    [ "$(ls "$WORK/maps" | wc -l)" = "$1" ] && return 0
    echo "not $1 maps: $(ls "$WORK/maps" | sort -n | tr '\n' ' ')"
    return 1
}
opens() { maps "${@:2}" && same_maps "$1"; } # opens COUNT ARGUMENT...

count=12
for side in left right; do
    mkdir "$WORK/$side"
    ffmpeg -nostdin -v error -i assets/demo_$side.mp4 -frames:v $count -vf scale=160:-2 -start_number 0 "$WORK/$side/p%d.pgm" ||
        not_ok "pictures" "ffmpeg failed"
done
check "a numbered sequence is opened" maps -f "$WORK/left/p%d.pgm" "$WORK/right/p%d.pgm"
mv "$WORK/maps" "$WORK/whole"

check "two names need no option" opens $count "$WORK/left/p%d.pgm" "$WORK/right/p%d.pgm"
check "nor folders, whose p10.pgm comes after p9.pgm" opens $count "$WORK/left" "$WORK/right/"
for side in left right; do
    ffmpeg -nostdin -v error -i "$WORK/$side/p3.pgm" "$WORK/turned_$side.jpg"
    # A JPEG's bytes with an EXIF segment: one directory, whose entry says that the picture is to be turned.
    python3 - "$WORK/turned_$side.jpg" <<'PYTHON'
import struct, sys
exif = struct.pack("<2sHL HHHLLL", b"II", 42, 8, 1, 0x112, 3, 1, 6, 0)
data = open(sys.argv[1], "rb").read()
open(sys.argv[1], "wb").write(data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 8) + b"Exif\0\0" + exif + data[2:])
PYTHON
done
check "pictures that ask to be turned are opened" maps "$WORK/turned_left.jpg" "$WORK/turned_right.jpg"
check "and reports that they are not" says 'turned_right.jpg: .*EXIF orientation 6.*ignored'
check "patterns are expanded" opens $count -f "$WORK/left/p*.pgm" "$WORK/right/p?*.pgm"
check "a folder with a folder for each side is both" opens $count "$WORK"
check "which may be moved against each other" maps "$WORK" --offset 1
for side in left right; do cp "$WORK/$side/p3.pgm" "$WORK/one_$side.pgm"; done
check "single pictures too" maps "$WORK/one_left.pgm" "$WORK/one_right.pgm"
ffmpeg -nostdin -v error -i "$WORK/left/p%d.pgm" -i "$WORK/right/p%d.pgm" -lavfi hstack -c:v ffv1 "$WORK/both.mkv"
ffmpeg -nostdin -v error -i "$WORK/left/p%d.pgm" -i "$WORK/right/p%d.pgm" -lavfi vstack -c:v ffv1 "$WORK/above.mkv"
check "one name is both pictures side by side" opens $count "$WORK/both.mkv"
check "and --layout says so of others" opens $count --layout sbs "$WORK/both.mkv"
# 20 a second, as EuRoC's. The left side lacks pictures 2 and 3, the right side 7 and all from 10 on.
stamp() { echo $((1403715273262142976 + 50000128 * $1)); }
mkdir -p "$WORK/euroc/mav0/cam0/data" "$WORK/euroc/mav0/cam1/data" "$WORK/apart"
for ((i = 0; i < count; i++)); do
    [[ $i = [23] ]] || cp "$WORK/left/p$i.pgm" "$WORK/euroc/mav0/cam0/data/$(stamp $i).pgm"
    [[ $i = 7 || $i -ge 10 ]] || cp "$WORK/right/p$i.pgm" "$WORK/euroc/mav0/cam1/data/$(($(stamp $i) + 300)).pgm"
done
# The number of a map is that of its left picture: 0 1 4 5 6 8 9 are there as 0 to 6, without 7.
stamped() {
    maps "$@" || return 1
    local n=0
    for i in 0 1 4 5 6 8 9; do
        [ $i != 8 ] || n=6
        cmp "$WORK/maps/$n.pfm" "$WORK/whole/$i.pfm" || return 1
        n=$((n + 1))
    done
    [ "$(ls "$WORK/maps" | wc -l)" = 7 ]
}
check "pictures named by time stamps are paired by them" stamped "$WORK/euroc/mav0/cam0/data" "$WORK/euroc/mav0/cam1/data"
check "which is reported" says "by the files' own time stamps"
check "whose folders of a camera are enough" stamped "$WORK/euroc/mav0/cam0" "$WORK/euroc/mav0/cam1"
check "and so is that of the data set" stamped "$WORK/euroc"
check "and so are patterns" stamped "$WORK/euroc/mav0/cam0/data/*.pgm" "$WORK/euroc/mav0/cam1/data/*.pgm"
cp "$WORK"/left/p[0-4].pgm "$WORK/apart"
check "folders of unequal length are paired from their first pictures on" opens 5 "$WORK/apart" "$WORK/right"
check "which is reported at the start" says 'right is longer than .*apart; frames omitted at its end: 7'
check "time stamps and numbers do not go together" \
    refused 1 'cam1/data is a video and .*left is not .pictures named by time stamps' --headless "$WORK/left" "$WORK/euroc/mav0/cam1/data"
check "a picture that is read is not written" \
    refused 2 'would overwrite' --headless "$WORK/left" "$WORK/right" --stats "$WORK/right/p3.pgm"
mkdir "$WORK/empty"
check "an empty folder is refused" refused 1 'empty: there are no pictures in this folder' --headless "$WORK/empty" "$WORK/empty"
check "a pattern that nothing matches, too" refused 1 'no file matches this pattern' --headless "$WORK/x*.png" "$WORK/y*.png"
check "three names are one too many" refused 2 "'c' is one name too many after 'a' and 'b'" --headless a b c
check "a name and -f exclude each other" refused 2 "'c' does not belong to an option, and -f already names" --headless -f a b c
check "a name and --demo, too" refused 2 'use only one of -f, -s' --headless --demo c

# ---- In the window ----

check "without a display, nothing named is refused" without_display refused 2 'nothing to show: name two files'
. tests/support/window.sh
need_window "the window"
cd "$WORK" || exit 1
mkdir clips
for side in left right; do
    ffmpeg -nostdin -v error -i "$side/p%d.pgm" -vf crop=120:80:0:0 -c:v ffv1 -y clips/$side.mkv
done
recent=$XDG_STATE_HOME/stereoview/recent
drop() { "$root/tests/support/drop.py" "$window" "$@"; }
check "headless runs leave no list of recent inputs" test ! -e "$recent"

launch -v --temporal off -d 0:15
keys_go_to() { grep 'panel: keys go to' log | tail -n 1 | grep -q "$1"; }
check "with nothing named there is a start screen" wait_until keys_go_to left
xdotool type --delay 20 "$WORK/lef"
# listed NAME: it is in the list of the newest layout in the log.
listed() { tac log | sed -n '/layout: ends/,/layout: begins/p; /layout: begins/q' | grep -qF "layout: list | $1 at "; }
only_left_is_listed() { listed left && ! listed ..; }
check "what fits the name is listed" wait_until only_left_is_listed
kill -STOP "$pid" # a slow machine sees both of these at once
xdotool type "t"
press Tab
kill -CONT "$pid"
check "Tab leads to the next field" wait_until keys_go_to right
xdotool type --delay 20 "$WORK/right"
press Return
check "names can be typed into it" wait_until title "left and right"
check "and they are opened" wait_until drawn
press space
shows "with the parameters of the command line" - -f "$WORK/left" "$WORK/right" -d 0:15
check "they are kept" test "$(cat "$recent")" = "$WORK/left	$WORK/right"
check "two files are dropped" drop "$WORK/clips/right.mkv" "$WORK/clips/left.mkv"
check "and are opened as left and right" wait_until title "left.mkv and right.mkv"
press space # at once: a pause shows the first pair all the same
shows "in the same window, with the same parameters" - -f "$WORK/clips/left.mkv" "$WORK/clips/right.mkv" -d 0:15
check "one that holds both pictures is dropped" drop "$WORK/above.mkv"
check "and is opened without a question" wait_until title "above.mkv"
check "in the layout that it has" wait_until grep -q 'above.mkv: layout top-bottom, found in' log
wait_until drawn
press space
shows "whose map is that of the two files" - -f "$WORK/left" "$WORK/right" -d 0:15
ffmpeg -nostdin -v error -i clips/left.mkv -i clips/right.mkv -map 0 -map 1 -c copy tracks.mkv
drop tracks.mkv
check "a recording with a track for each side does not wait" wait_until title "tracks.mkv"
wait_until drawn
drop "$WORK/clips/left.mkv"
press Escape
drop "$WORK/left"
drop "$WORK/right"
check "Esc forgets the file that waits; the next two are a pair" wait_until title "left and right"
wait_until drawn
check "the newest input is first in the list" test "$(head -1 "$recent")" = "$WORK/left	$WORK/right"
check "and none is there twice" test "$(sort "$recent" | uniq -d)" = ""
press ctrl+o
check "the list names the folder, too" widget "$(basename "$WORK"): left and right"
press Escape
echo nonsense >broken.mkv
drop broken.mkv broken.mkv
check "a file that cannot be opened is reported" wait_until grep -q 'error: .*broken.mkv' log
check "and the open input plays on" title "left and right"
check "with pictures" snapshot
printf 'method: ssd\nrho: 2\n' >dropped.yaml
printf 'method: ssd\nrho: 99\n' >faulty.yaml
drop faulty.yaml
check "settings with a wrong value are reported as such" wait_until grep -q 'error: .*faulty.yaml, line 2: rho cannot be' log
drop dropped.yaml
press comma # a pause, whether it still plays or has ended
press ctrl+g 5 Return
shows "settings are dropped" 5 -f "$WORK/left" "$WORK/right" -d 0:15 -m ssd --rho 2
printf 'left: %s\nright: %s\n' "$WORK/clips/left.mkv" "$WORK/clips/gone.mkv" >missing.yaml
drop missing.yaml
check "settings whose source is missing say so" wait_until grep -q 'error: .*gone.mkv: cannot be opened' log
check "and the open input plays on" at_frame 5
printf 'left: %s\nright: %s\noffset: 40ms\nframes: 2:3\nmethod: ssd\nrho: 3\n' "$WORK/clips/left.mkv" \
    "$WORK/clips/right.mkv" >named.yaml
drop named.yaml
check "settings that name a source open it" wait_until title "left.mkv and right.mkv"
drawn
shows "at its frame and with its offset" 2 -f "$WORK/clips/left.mkv" "$WORK/clips/right.mkv" --offset 40ms -d 0:15 \
    -m ssd --rho 3
printf 'left: %s\nright: %s\nmethod: ssd\nrho: 2\n' "$WORK/left" "$WORK/right" >back.yaml
drop back.yaml
check "and others the one after it" wait_until title "left and right"
drawn
press comma ctrl+g 5 Return
shows "from its beginning, without the offset" 5 -f "$WORK/left" "$WORK/right" -d 0:15 -m ssd --rho 2
cat >calib.txt <<END
cam0=[100 0 80; 0 100 60; 0 0 1]
cam1=[100 0 80; 0 100 60; 0 0 1]
doffs=0
baseline=100
width=160
height=$(ffprobe -v error -select_streams v -show_entries stream=height -of csv=p=0 both.mkv)
END
before=$frame
drop calib.txt
check "a calibration is dropped" wait_until grep -q 'calibration: Middlebury' log
drawn # a key that comes between two inputs is not answered
check "and the frame stays" wait_until at_frame "$before"
check "it ends well" quit
launch --temporal off -d 0:15
drop dropped.yaml
drop calib.txt
drop broken.mkv broken.mkv
check "with nothing open, a calibration waits" wait_until grep -q 'error: .*broken.mkv' log
check "it has not been used" bash -c '! grep -q "calibration: Middlebury" log'
drop "$WORK/left" "$WORK/right"
check "until there are pictures" wait_until grep -q 'calibration: Middlebury' log
wait_until title "left and right"
wait_until drawn
press comma
shows "settings are used that were dropped before" - -f "$WORK/left" "$WORK/right" --calibration calib.txt -d 0:15 -m ssd --rho 2
check "it ends well" quit
# The box that asks for an input, by keyboard alone.
was_seen() { grep -qF "panel: $1 at " log; }
box() { launch -v -d 0:15 && wait_until keys_go_to left; }
box
xdotool type --delay 20 "$WORK/cl"
only_clips_is_listed() { listed clips && ! listed left; }
check "matching names are listed" wait_until only_clips_is_listed
press Tab
check "Tab completes the name of a folder, which is listed" wait_until listed left.mkv
kill -STOP "$pid" # a slow machine sees all of these at once
xdotool type le
press Down Return
kill -CONT "$pid"
check "Down and Enter choose a file, which is shown" wait_until was_seen "left view"
wait_until keys_go_to right
xdotool type --delay 20 "$WORK/clips/right.mkv"
check "and so is the other side" wait_until was_seen "right view"
press Return
check "Enter opens them" wait_until title "left.mkv and right.mkv"
drawn
asked() { [ "$(grep -c 'panel: keys go to left' log)" -ge "$1" ]; }
press ctrl+o
wait_until asked 2
xdotool type --delay 20 "$WORK/above.mkv"
press Return
check "another left side is another input, without the right one" wait_until title above.mkv
drawn
check "it ends well" quit
box
press F2 # the first one, sbs
xdotool type --delay 20 "$WORK/above.mkv"
press Return
check "a layout is chosen by its key" wait_until grep -q 'above.mkv: the two halves do not match for layout sbs;' log
wait_until title above.mkv
drawn
press ctrl+o
wait_until asked 2
xdotool type --delay 20 "$WORK/gone.mkv"
press Return
check "what cannot be opened is reported" wait_until grep -q 'error: .*/gone.mkv: cannot be opened' log
check "and the box comes back" wait_until asked 3
xdotool type --delay 20 "$WORK/both.mkv"
press Return
check "where typing replaces the name, which is selected" wait_until title both.mkv
drawn
check "it ends well" quit
box
xdotool type --delay 20 "$WORK/named.yaml"
press Return
check "settings that are typed are read, and their source opened" wait_until title "left.mkv and right.mkv"
check "and remembered" grep -q named.yaml "$XDG_STATE_HOME/stereoview/recent-settings"
drawn
check "it ends well" quit
# What gives metres belongs to the input that is asked for, also when it is opened again.
echo 'swap: F9' >swap.keys
launch -v -d 0:15 --fov 60 --baseline 0.2m --keys swap.keys
drop "$WORK/left" "$WORK/right"
metres() { [ "$(grep -c 'metres follow from a baseline of 0.2 m (--baseline) and .* of 60 degrees' log)" = "$1" ]; }
check "a field of view and a baseline wait for an input" wait_until metres 1
drawn
press F9
check "and stay when its sides are swapped" wait_until metres 2
check "it ends well" quit

# A server that takes connections and never says anything.
python3 -c '
import socket, time
with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    connection, _ = server.accept()
    print("connected", flush=True)
    time.sleep(600)' >silent &
server=$!
pid=$server wait_until test -s silent
launch -v --timeout 3600
wait_until keys_go_to left
xdotool type --delay 20 "tcp://127.0.0.1:$(head -1 silent)"
press Return
check "an address is connected to" wait_until grep -q connected silent
xdotool key ctrl+q
check "what does not answer is given up when the window is quit, long before its timeout" ended 0
kill $server
finish
