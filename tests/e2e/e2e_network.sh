#!/bin/bash
# Both pictures in one stream, and streams over the loopback: recordings on a web server, a live stream that dies and comes
# back, addresses that are not opened.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

left=assets/demo_left.mp4 right=assets/demo_right.mp4
children=()
trap 'kill "${children[@]}" 2>/dev/null' EXIT

# same A B: both files have the same bytes.
same() { cmp "$1" "$2"; }

# ---- One stream for both ----

# both FILTER FILE: writes the demo's pictures, l and r, into one lossless grey file.
both() {
    ffmpeg -nostdin -v error -i $left -i $right -filter_complex "[0]format=gray[l];[1]format=gray[r];$1" -frames:v 3 \
        -c:v ffv1 -y "$WORK/$2"
}
both '[l][r]hstack' sbs.mkv && both '[l][r]vstack' tb.mkv && both '[r][l]hstack' swapped.mkv
check "two files, for comparison" run 0 --headless -f $left $right --frames 0:3 -o "$WORK/two_%d.pfm"
for layout in sbs "top-bottom tb" "sbs --swap swapped"; do
    # shellcheck disable=SC2086
    set -- $layout
    file=${!#}
    check "-s with $layout plays" run 0 --headless -s "$WORK/$file.mkv" --layout "${@:1:$#>1?$#-1:1}" -o "$WORK/${file}_%d.pfm"
    check "-s with $layout gives the map of two files" same "$WORK/two_2.pfm" "$WORK/${file}_2.pfm"
done
both '[r][l]vstack' tb_swapped.mkv
# found FILE WORDS...: without --layout, both pictures are found as the words say.
found() { run 0 --headless -s "$WORK/$1.mkv" --frames 0:3 -o "$WORK/auto_%d.pfm" && grep -q "$1.mkv: layout $2, found in" "$WORK/output"; }
check "side by side is found by itself" found sbs sbs
check "and gives the map of two files" same "$WORK/two_2.pfm" "$WORK/auto_2.pfm"
check "so is one above the other" found tb top-bottom
check "and its map" same "$WORK/two_2.pfm" "$WORK/auto_2.pfm"
check "and the right view first" found tb_swapped 'top-bottom, the right view first'
check "with the same map" same "$WORK/two_2.pfm" "$WORK/auto_2.pfm"
# reports PATTERN ARGUMENT...: the run says so.
reports() { run 0 "${@:2}" && grep -Eq -- "$1" "$WORK/output"; }
layout_told() { run 0 --headless -s "$WORK/$1.mkv" --layout sbs --frames 0:1 && [ "$(grep -c 'warning:.*--layout top-bottom fits' "$WORK/output")" = "$2" ]; }
check "a given layout that does not fit is reported, with the one that does" layout_told tb 1
check "and one that fits is not" layout_told sbs 0
check "a stream with one view is taken as side by side, with a warning" reports 'neither side by side nor one above the other' \
    --headless -s $left --frames 0:1
check "two files are swapped if they have to be" reports 'left and right were swapped, as 3 pairs show' --headless -f $right $left \
    --frames 0:3 -o "$WORK/swapped_%d.pfm"
check "to the map of the right order" same "$WORK/two_2.pfm" "$WORK/swapped_2.pfm"
untouched() { run 0 --headless "$@" --frames 0:1 && ! grep -q 'were swapped' "$WORK/output"; }
check "not if the user says so" untouched -f $right $left --swap off
check "nor if the right order is named" untouched -f $left $right
ffmpeg -nostdin -v error -f lavfi -i color=gray:128x96:d=0.2 -c:v ffv1 -metadata:s:v stereo_mode=bottom_top -y "$WORK/tagged.mkv"
check "where pictures show nothing, tags decide" reports 'layout top-bottom-half, the right view first, found in its tags' \
    --headless -s "$WORK/tagged.mkv" --frames 0:1
check "--layout is for one stream" refused 2 'for both pictures in one stream' --headless --demo --layout sbs
check "--offset needs two files" refused 2 'is for two files .*pictures of one stream are simultaneous' --headless -s $left --offset 1
check "-s and -f exclude each other" refused 2 'use only one of -f, -s' --headless -s a.mkv -f a.mkv b.mkv

# ---- Addresses that are not opened ----

check "--help lists what is opened" bash -c "'$program' --help | grep -q 'http https rtsp'"
for address in ftp://127.0.0.1/a.mp4 data://a subfile://a; do
    check "${address%%:*} is refused" refused 2 'URLs of this kind are not supported.*http https' --headless -s $address
done
check "concat: is no address and no file" refused 1 'there is no such file|cannot be opened' --headless -s "concat:$left|$right"
for scheme in rtsp http; do
    check "$scheme: an unknown host is named" refused 1 'the host no-such-host.invalid is not found' \
        --headless -s "$scheme://no-such-host.invalid:5000/x" --timeout 20
done
check "nobody there is an error" refused 1 'Connection refused' --headless -s tcp://127.0.0.1:1 --timeout 2

# ---- A live stream ----

# Sends a small version of the demo in a loop; returns once it has begun.
broadcast() {
    rm -f "$WORK/sent"
    timeout $patience ffmpeg -nostdin -v error -re -stream_loop -1 -i $left -re -stream_loop -1 -i $right \
        -filter_complex '[0]scale=160:120[l];[1]scale=160:120[r];[l][r]hstack,fps=10' -c:v mpeg2video -q:v 3 -g 5 -f mpegts \
        -progress "$WORK/sent" "udp://127.0.0.1:$1?pkt_size=1316" &
    sender=$!
    children+=("$sender")
    pid=$sender
    wait_until grep -qs 'frame=[1-9]' "$WORK/sent"
}

# interrupted: plays 100 pairs of a live stream that stops after the first few and starts again. They last ten seconds, so
# that a busy machine stops it in time.
interrupted() {
    local port status=0 viewer
    port=$(free_port)
    broadcast "$port"
    timeout $patience "$program" --headless -s "udp://127.0.0.1:$port" --timeout 5 -d 0:15 --frames 0:100 --stats "$WORK/live.json" \
        -o "$WORK/live_%d.pfm" >"$WORK/output" 2>&1 &
    pid=$!
    wait_until test -e "$WORK/live_3.pfm"
    kill "$sender"
    wait_until grep -q 'stopped' "$WORK/output"
    viewer=$pid
    broadcast "$port"
    wait "$viewer" || status=$?
    kill "$sender"
    cat "$WORK/output"
    [ $status = 0 ] && grep -q 'no answer for 5 s' "$WORK/output" && grep -Eq '"frames": *100' "$WORK/live.json"
}
begin broadcast interrupted

# ---- Recordings on a web server ----

mkdir -p "$WORK/web"
quick=(-m ssd -d 0:15)
cp $left "$WORK/web/left.mp4"
cp $right "$WORK/web/right.mp4"
printf '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://%s\n#EXT-X-ENDLIST\n' "$PWD/$left" >"$WORK/web/list.m3u8"
coproc SERVER { exec tests/support/web_server.py "$WORK/web"; }
children+=("$SERVER_PID")
if read -r -t $patience port <&"${SERVER[0]}"; then
    web=http://127.0.0.1:$port
    begin absurd refused 1 'left.mp4.absurd: cannot be read after frame [1-9][0-9]*: .*connection broke' \
        --headless -s "$web/left.mp4?absurd" -m ssd -d 0:7 --rho 1
    check "recordings on a web server play" run 0 --headless -f "$web/left.mp4" "$web/right.mp4" --frames 140:143 "${quick[@]}" -o "$WORK/web_%d.pfm"
    check "the same from files" run 0 --headless -f $left $right --frames 140:143 "${quick[@]}" -o "$WORK/file_%d.pfm"
    check "both give the same maps" same "$WORK/web_142.pfm" "$WORK/file_142.pfm"
    for how in whole cut; do
        check "recordings play where the server sends ?$how" run 0 --headless -f "$web/left.mp4?$how" "$web/right.mp4?$how" --frames 140:143 "${quick[@]}" -o "$WORK/${how}_%d.pfm"
        check "?$how: the same maps" same "$WORK/${how}_142.pfm" "$WORK/file_142.pfm"
    done
    ffmpeg -nostdin -v error -i $left -i $right -map 0:v -map 1:v -c copy -t 1 -y "$WORK/web/tracks.mkv"
    run 0 --headless "$WORK/web/tracks.mkv" --frames 2:4 "${quick[@]}" -o "$WORK/near_%d.pfm"
    for how in "" "-s" "-f $web/tracks.mkv"; do
        # shellcheck disable=SC2086
        check "a recording with two tracks is a pair there, too: ${how%% *} URL" \
            run 0 --headless $how "$web/tracks.mkv" --frames 2:4 "${quick[@]}" -o "$WORK/far_%d.pfm"
        check "with the maps of the file" same "$WORK/far_3.pfm" "$WORK/near_3.pfm"
    done
    check "its sides can be moved" run 0 --headless -s "$web/tracks.mkv" --offset 1 --frames 2:4 "${quick[@]}" --stats "$WORK/far.json"
    check "both tracks are copied" run 0 --headless -s "$web/tracks.mkv" "${quick[@]}" --frames 0:5 --record "$WORK/copy.mkv"
    check "as two tracks" grep -q '"left".*"right"' "$WORK/copy.mkv.json"
    ffmpeg -nostdin -v error -i $left -c copy -frames:v 3 "$WORK/web/late.mp4"
    check "an index at the end is reported where the server sends no parts" \
        refused 1 'late.mp4.whole: the index of this file is at its end.*faststart' --headless -s "$web/late.mp4?whole"
    check "a missing page is an error" refused 1 '404' --headless -f "$web/none.mp4" "$web/right.mp4"
    check "a playlist must not open files here" refused 1 'list.m3u8: cannot be opened' --headless -s "$web/list.m3u8"
    check "a server that announces more than it has is given up" ends_well absurd
    # Besides the first connection and the demuxer's seeks: about twelve in all.
    read -r requests pause < <(python3 -c "import urllib.request; print(urllib.request.urlopen('$web/requests').read().decode())")
    check "after few requests" test "$requests" -le 20
    check "with growing pauses" test "$pause" -ge 1
else
    not_ok "recordings on a web server" "the server did not start"
fi

# ---- Playlists that come over the network ----

# sender FILE...: sends each from its own port of the loopback once all are asked for; $ports has them.
sender() {
    local from
    exec {from}< <(exec tests/support/tcp_server.py "$@")
    children+=("$!")
    read -r -t $patience -a ports <&"$from"
}
# playlist SEGMENT: prints the playlist of a live stream with one segment.
playlist() { printf '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n%s\n' "$1"; }
# Long enough for FFmpeg to recognise its format.
ffmpeg -nostdin -v error -stream_loop 3 -i $left -vf scale=64:48 -c:v mpeg2video -g 1 -y "$WORK/web/part.ts"
playlist "file://$WORK/web/part.ts" >"$WORK/list"
sender "$WORK/list"
check "a playlist that comes over TCP must not open files here" \
    refused 1 'cannot be opened|streams cannot be read|no video' --headless -s "tcp://127.0.0.1:${ports[0]}" --timeout 2 --frames 0:1
playlist part.ts >"$WORK/web/near.m3u8"
check "a playlist on a web server plays" run 0 --headless -s "$web/near.m3u8" --frames 0:1 --timeout 20
sender "$WORK/web/part.ts" "$WORK/web/part.ts"
check "two addresses are opened at the same time" \
    run 0 --headless -f "tcp://127.0.0.1:${ports[0]}" "tcp://127.0.0.1:${ports[1]}" --frames 0:1 --timeout 20

# A server that accepts a request and never answers, and one that closes the connection.
exec {answers}< <(exec python3 -c '
import socket, threading
silent, rude = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
print(silent.getsockname()[1], rude.getsockname()[1], flush=True)
def hang_up():
    while True:
        connection = rude.accept()[0]
        connection.recv(4096)
        connection.close()
threading.Thread(target=hang_up).start()
kept = []
while True:
    kept.append(silent.accept())
')
children+=("$!")
if read -r -t $patience silent rude <&"$answers"; then
    check "a server that never answers is reported in plain words" \
        refused 1 'no answer for 1 s; check that it is running' --headless -s "http://127.0.0.1:$silent/a.mp4" --timeout 1
    check "and one that hangs up" \
        refused 1 'the connection broke|sender has ended' --headless -s "http://127.0.0.1:$rude/a.mp4" --timeout 20
    check "a password is in no message" bash -c "! '$program' --headless -v -s 'http://me:secret@127.0.0.1:$rude/a.mp4' 2>&1 | grep secret"
else
    not_ok "servers that do not answer" "they did not start"
fi

check "a live stream dies, is reported, and comes back" ends_well broadcast

finish
