#!/bin/bash
# Recordings: what is written plays back to the same maps; what is lost is counted; a full disk ends it well.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

tracks() { ffprobe -v error -show_entries "stream=codec_name:stream_tags=title" -of csv=p=0 "$1" | sed 's/,*$//' | tr '\n' ' '; }
# each FOLDER: a hash for each of its maps.
each() { md5sum "$1"/*.pfm | cut -c1-32; }

# ---- Videos, whose packets are copied ----

match=(-m ssd -d 0:31)
small() { ffmpeg -nostdin -v error -i "$root/assets/demo_$1.mp4" -frames:v 30 -vf scale=320:240 "${@:2}"; }
small left -c:v libx264 -g 10 -bf 2 left.mp4 2>/dev/null || small left -c:v mpeg4 -g 10 -bf 2 left.mp4
small right -c:v mjpeg -q:v 3 right.mkv
mkdir files again pair
check "videos are recorded while they are matched" \
    run 0 --headless -f left.mp4 right.mkv "${match[@]}" --record copy.mkv -o files/%03d.pfm
check "with a track for each side: $(tracks copy.mkv)" [ "$(tracks copy.mkv | wc -w)" = 2 ]
run 0 --headless -f left.mp4 right.mkv "${match[@]}" --frames 0:5 --record part.mkv
check "a part of them with more than its frames, which is reported" grep -q 'record copies everything that is read' output
check "and their names" grep -q 'left .*right' <<<"$(tracks copy.mkv)"
check "MJPEG is copied" grep -q 'mjpeg,right' <<<"$(tracks copy.mkv)"
copied() { cmp <(ffmpeg -nostdin -v error -i "$1" -map 0:v:0 -c copy -f mjpeg -) <(ffmpeg -nostdin -v error -i "$2" -map 0:v:1 -c copy -f mjpeg -); }
check "byte for byte" copied right.mkv copy.mkv
check "nothing is dropped" grep -qE '"complete": true, .*"left": \{"packets": 30, "dropped": 0\}, "right": \{"packets": 30, "dropped": 0\}' copy.mkv.json
check "one name plays both sides" run 0 --headless copy.mkv "${match[@]}" -o again/%03d.pfm
check "to the same maps" [ "$(each files)" = "$(each again)" ]
check "so does -f with the file twice" run 0 --headless -f copy.mkv copy.mkv "${match[@]}" --frames 5:9 -o pair/%03d.pfm
check "to the same maps" [ "$(each pair)" = "$(each files | sed -n 6,9p)" ]
check "--swap swaps the tracks" run 0 --headless -s copy.mkv --swap "${match[@]}" --frames 3:4 -o swapped.pfm
check "as other files would be" run 0 --headless -f right.mkv left.mp4 --swap off "${match[@]}" --frames 3:4 -o as_files.pfm
check "to the same map" cmp swapped.pfm as_files.pfm
check "so does it with -f and the file twice" run 0 --headless -f copy.mkv copy.mkv --swap "${match[@]}" --frames 3:4 -o twice.pfm
check "to the same map" cmp twice.pfm as_files.pfm
# Uncompressed pictures, in formats that cameras send.
for format in yuyv422 bgr24; do
    from_demo SIDE.nut -frames:v 4 -vf scale=160:120 -c:v rawvideo -pix_fmt $format
    mkdir sent_$format kept_$format
    check "uncompressed $format is recorded" \
        run 0 --headless -f left.nut right.nut -m ssd -d 0:15 --record $format.mkv -o sent_$format/%d.pfm
    check "as FFV1: $(tracks $format.mkv)" [ "$(tracks $format.mkv)" = "ffv1,left ffv1,right " ]
    check "it plays back" run 0 --headless $format.mkv -m ssd -d 0:15 -o kept_$format/%d.pfm
    check "to the same maps" [ "$(each sent_$format)" = "$(each kept_$format)" ]
done
head -c -2000 left.nut >cut.nut
check "one that is cut short does not end a recording" run 0 --headless -f cut.nut right.nut -m ssd -d 0:15 --record cut.mkv
check "it is dropped" grep -qF '"left": {"packets": 3, "dropped": 1}' cut.mkv.json

ffmpeg -nostdin -v error -i left.mp4 -frames:v 2 picture_%d.png
check "pictures are refused" refused 2 'files already' --headless -f picture_%d.png picture_%d.png --record no.mkv
check "so is a part of a video" refused 2 'from their beginning' --headless -f left.mp4 right.mkv --frames 5:9 --record no.mkv
check "no input is overwritten" refused 2 'would overwrite' --headless -f left.mp4 right.mkv --record right.mkv
check "a refused one leaves nothing" [ -z "$(compgen -G 'no.m*')" ]

# ---- A full disk ----

# It is full at 600 KiB, in the middle of a longer recording.
ffmpeg -nostdin -v error -stream_loop 39 -i right.mkv -c copy long.mkv
full() {
    (ulimit -f 600 && exec "$program" --headless -f long.mkv long.mkv -m ssd -d 0:3 --record full.mkv) >log 2>&1 </dev/null
    [ $? = 1 ] || { tail -3 log && return 1; }
}
check "a full disk fails the run" full
# Of 1,200 pictures a side; how many are decoded until the disk is full depends on the machine.
matched_a_part() { sed -nE 's/.*the run ends after ([0-9]+) frames, because the recording has failed.*/\1/p' log | awk '$1 < 1000 { part = 1 } END { exit !part }'; }
check "which ends then" matched_a_part
check "and is reported at once" grep -q 'error: the recording has ended: cannot write full.mkv: File too large' log
check "the last line says what remains" grep -q 'the recording full.mkv ends early' log
check "and its .json says so" grep -q '"complete": false' full.mkv.json
check "what was written can be played" run 0 --headless full.mkv -m ssd -d 0:3 --frames 0:9 -o full_%d.pfm
run 0 --headless -f long.mkv long.mkv -m ssd -d 0:3 --frames 8:9 -o whole.pfm
check "to the same maps" cmp full_8.pfm whole.pfm

# ---- Broadcasts ----

one=$(free_port) other=$(free_port)
while [ "$other" = "$one" ]; do other=$(free_port); done
# Both sides by one clock, with a key picture every half second.
ffmpeg -nostdin -v error -re -stream_loop -1 -i "$root/assets/demo_left.mp4" -re -stream_loop -1 -i "$root/assets/demo_right.mp4" \
    -map 0:v -vf scale=160:120,fps=10 -c:v mpeg2video -q:v 2 -g 5 -f mpegts "udp://127.0.0.1:$one?pkt_size=1316" \
    -map 1:v -vf scale=160:120,fps=10 -c:v mpeg2video -q:v 2 -g 5 -f mpegts "udp://127.0.0.1:$other?pkt_size=1316" &
sender=$!
streams=(-f "udp://127.0.0.1:$one" "udp://127.0.0.1:$other" --timeout 20)
mkdir live back
check "live streams are recorded while they are matched" \
    run 0 --headless "${streams[@]}" "${match[@]}" --frames 0:40 --record live.mkv -o live/%03d.pfm -o maps.mkv
start_of() { ffprobe -v error -select_streams v -show_entries frame=pts_time -of csv=p=0 "$1" | head -1; }
check "a video of their maps begins at 0: $(start_of maps.mkv)" [ "$(start_of maps.mkv)" = 0.000000 ]
check "as they were sent: $(tracks live.mkv)" [ "$(tracks live.mkv)" = "mpeg2video,left mpeg2video,right " ]
check "they play back" run 0 --headless live.mkv "${match[@]}" -o back/%03d.pfm
# Of the pairs before the first key picture nothing is recorded; later ones may have been left out live, many of them
# on a loaded machine.
each back | sort >of_recording
found=$(each live | sort -u | comm -12 - <(sort -u of_recording) | wc -l)
check "to the maps that were matched live: $found of 40" [ "$found" -ge 10 ]

# ---- The window ----

if [ -n "${DISPLAY:-}" ] && command -v xdotool >/dev/null; then
    shots=$WORK/shots
    start "${streams[@]}" "${match[@]}" --snapshots "$shots" --record window.mkv
    # growing FOLDER: a recording of some seconds is under way there, so that it has pairs; a snapshot's picture may be,
    # too, which is no Matroska file.
    growing() {
        local file
        for file in $(unfinished "$1"); do
            [ "$(head -c 4 "$file" | od -An -tx1)" = ' 1a 45 df a3' ] && [ "$(stat -Lc %s "$file")" -gt 100000 ] && return
        done
        return 1
    }
    check "--record records in the window" wait_until growing .
    press k
    check "k ends it" wait_until [ -s window.mkv.json ]
    check "which is reported" wait_until grep -q 'recorded window.mkv: .*packets, 0 dropped' log
    press k
    check "and begins another, named after the time" wait_until growing "$shots"
    check "closing the window completes it" quit
    # Out of the folder, which the next window's start empties.
    made=$(cd "$shots" && compgen -G "stereoview_????-*.mkv")
    mv "$shots/$made" .
    start --synthetic 160x120 "${match[@]}" --snapshots "$shots"
    press k
    check "the synthetic scene is not recorded, and is no file" wait_until grep -q 'recorded in the window: the synthetic scene sends no packets' log
    check "it closes well" quit
    # A pipe that nobody empties is a disk that is too slow.
    mkfifo slow.mkv
    exec 5<>slow.mkv
    start "${streams[@]}" "${match[@]}" --snapshots "$shots" --record slow.mkv
    snapshot
    before=$frame
    full() { python3 -c 'import fcntl, sys, termios; sys.exit(int.from_bytes(fcntl.ioctl(5, termios.FIONREAD, bytes(4)), "little") < 60000)'; }
    wait_until full
    press k
    check "on a slow disk, the window keeps running" wait_until moved_on
    cat <&5 >slow_seen.mkv &
    reader=$!
    check "and the recording is completed" wait_until grep -q 'recorded slow.mkv: ' log
    check "it closes well" quit
    kill "$reader"
    exec 5>&-
    kill "$sender"
    for name in window.mkv "$made"; do
        check "both sides are in $name: $(tracks "$name")" [ "$(tracks "$name")" = "mpeg2video,left mpeg2video,right " ]
        check "it can be played" run 0 --headless "$name" "${match[@]}" --frames 0:2 -o window_%d.pfm
    done
    check "videos are not recorded in the window" refused 2 'headless copies videos' -f left.mp4 right.mkv --record no.mkv
else
    kill "$sender"
    skipped "recording in the window" "no X server or no xdotool"
fi
finish
