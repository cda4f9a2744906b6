#!/bin/bash
# Snapshots of the window: their files hold what is on the screen, agree with each other, and repeat it.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "snapshots"

# first: waits for the first whole snapshot in the folder; its files begin with $stem. One whose first files were removed
# while it was written is not whole.
first() { wait_until whole; }
whole() {
    local settings
    for settings in $(compgen -G "$shots/*.yaml"); do
        stem=${settings%.yaml}
        [ -s "$stem.color.png" ] && return
    done
    return 1
}
# snap: the same of a new one.
snap() {
    rm -f "$shots"/*
    press s
    first
}
# last: the stem of the last snapshot that was written, as $stem, once the program has ended.
last() { stem=$(sed -n 's/.*wrote the snapshot \(.*\) (.*/\1/p' log | tail -1) && [ -n "$stem" ]; }
# taken STEM: its last file is there.
taken() { [ -s "$1.yaml" ]; }
count() { compgen -G "$1" | wc -l; }
agree() {
    if /usr/bin/python3 -c 'import cv2, numpy' 2>/dev/null; then
        check "$1" "$root/tests/support/maps_agree.py" "${@:2}"
    else
        skipped "$1" "python3-opencv is not installed"
    fi
}
# repeats STEM: its settings alone give the same disparities.
repeats() { run 0 -q --headless --settings "$1.yaml" -o "$WORK/again.pfm" && cmp "$1.pfm" again.pfm; }

shots=$WORK/shots
start --demo --snapshots "$shots" -m ssd -d 0:60 --rho 3
press space
first
two() { [ "$(count "$shots/*.yaml")" -ge 2 ]; }
# Of one frame, once the player stands still.
twice() { snap && press s && wait_until two && taken "${stem}_2"; }
wait_until twice
check "a second snapshot of a frame gets a number" taken "$stem"_2
check "a snapshot has six files: $(compgen -G "${stem}_2.*" | tr '\n' ' ')" [ "$(count "${stem}_2.*")" = 6 ]
for ending in pfm png color.png; do
    check "both are the same map, $ending" cmp "$stem.$ending" "${stem}_2.$ending"
done
agree "OpenCV reads the files, and they agree" "$stem"
check "the settings file repeats the map" repeats "$stem"
for line in 'version: "[0-9.]*"' 'demo: "on"' 'method: ssd' 'rho: 3' 'disparities: 0:60' "frames: \"$((10#${stem##*_})):[0-9]*\""; do
    check "it says $line" grep -qx "$line" "$stem.yaml"
done
check "the window says what was written" grep -q "wrote the snapshot $stem (6 files)" log

# text FILE KEY: what a PNG says of itself.
text() { ffprobe -v error -show_entries "frame_tags=$2" -of csv=p=0 "$1"; }
says_all() {
    local about
    about=$(text "$stem.view.png" Description)
    echo "$about"
    [[ $about == *"demo; frame $((10#${stem##*_})); right side +0 ms; ssd: disparities 0:60, rho 3, "* ]] || return 1
    [[ $about != *", tau "* && $(text "$stem.view.png" Software) == "stereoview "[0-9]* ]]
}
check "its view says what it was made with" says_all

# The view is what is on the screen: the picture area, which begins below the strip. A line over the picture may
# come or go after a snapshot, on a loaded machine; then another one is compared.
crop() { ffmpeg -nostdin -v error "${@:2}" -frames:v 1 -vf "crop=400:300:200:$1" -pix_fmt rgb24 -f rawvideo - | md5sum; }
grabbed() { snap && [ "$(crop $((60 + top)) -f x11grab -window_id "$window" -i "$DISPLAY")" = "$(crop 60 -i "$stem.view.png")" ]; }
check "the view is what is on the screen" wait_until grabbed

# A failure is reported, and nothing is left.
rm -rf "$shots"
echo "not a folder" >shots
press s
check "a snapshot that cannot be written is reported" wait_until grep -q 'error: the snapshot was not saved: .*shots' log
rm shots
check "it closes well" quit

# ---- The map on the screen, not the sliders: gfd with a wide range takes long ----

shots=$WORK/slow
start --demo --snapshots "$shots" -m ssd -d 0:400 --threads 1
press space
first
press m m m # gfd, which takes long: the map of a method before it is on the screen
# Meanwhile the window says what it waits for, and for how long, in the lower left corner; but an error comes
# first. It is red.
for _ in {1..30}; do press r; done # still longer
counts() { grab before.ppm && sleep 0.3 && grab now.ppm && "$look" differ before.ppm now.ppm 20 690 300 20; }
wait_until counts && wait_until counts
echo "not a folder" >elsewhere
mv -T "$shots" kept && mv elsewhere "$shots"
press s
is_shown() { grab now.ppm && "$look" has now.ppm ff6e60 20 680 300 36; }
check "a failure is shown during a slow match" wait_until is_shown
rm "$shots"
mv -T kept "$shots"
press s
check "a snapshot is finished when the window is closed" quit
last
check "its settings are those of the map, not of the sliders: $(grep '^method' "$stem.yaml")" repeats "$stem"

# ---- With another offset of the right side; with a calibration ----

shots=$WORK/offset
start --demo --swap --snapshots "$shots" -m ssd -d 0:60
press space o o
offset() { snap && grep -qx 'offset: "80ms"' "$stem.yaml"; }
check "the settings have an offset of two frames" wait_until offset
check "and repeat the map, the sides swapped and the right one moved" repeats "$stem"
unmoved() {
    local frame=$((10#${stem##*_}))
    run 0 -q --headless --demo --swap -m ssd -d 0:60 --frames $frame:$((frame + 1)) -o unmoved.pfm && ! cmp "$stem.pfm" unmoved.pfm
}
check "which is another one without the offset" unmoved
check "it closes well" quit

write_calibration calib.txt
shots=$WORK/deep
start --demo --calibration calib.txt --snapshots "$shots"
first
agree "with a calibration, depth and points in metres agree with the disparities" "$stem" 500 0.2 320 240
check "the settings have the calibration" repeats "$stem"
check "it closes well" quit

# ---- A live stream: its pictures are kept ----

port=$(free_port)
ffmpeg -nostdin -v error -re -stream_loop -1 -i "$root/assets/demo_left.mp4" -vf 'scale=160:120,tile=2x1,fps=10' \
    -c:v mpeg2video -g 5 -f mpegts "udp://127.0.0.1:$port?pkt_size=1316" &
sender=$!
shots=$WORK/live
start -s "udp://127.0.0.1:$port" --swap --timeout 5 -d 0:15 --temporal off --snapshots "$shots"
first
check "a snapshot of a live stream keeps both pictures" [ -s "$stem.left.png" -a -s "$stem.right.png" ]
check "from which its settings repeat the map, although the sides were swapped" repeats "$stem"
check "it closes well" quit
kill "$sender"
finish
