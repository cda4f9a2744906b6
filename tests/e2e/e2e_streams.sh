#!/bin/bash
# Cameras of the network, as they send: H.264 and MJPEG over RTSP, from GStreamer's server, and MJPEG over HTTP.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

children=()
trap 'kill "${children[@]}" 2>/dev/null' EXIT
quick=(-m ssd -d 0:15)

# clip NAME ARGUMENT...: the demo's pictures beside each other, 320 x 120, for three seconds.
clip() {
    ffmpeg -nostdin -v error -i assets/demo_left.mp4 -i assets/demo_right.mp4 \
        -filter_complex '[0]scale=160:120[l];[1]scale=160:120[r];[l][r]hstack,fps=10' -t 3 "${@:2}" -y "$WORK/$1.mkv" &&
        run 0 --headless -s "$WORK/$1.mkv" "${quick[@]}" -o "$WORK/$1_%d.pfm"
}
# as_sent NAME ADDRESS: plays five pairs of it, whose maps are those of the clip, in its order; a loaded machine may drop
# pictures between them.
as_sent() {
    local sent=-1 frame
    run 0 --headless -s "$2" "${quick[@]}" --frames 0:5 -o "$WORK/live_%d.pfm" || return 1
    for frame in 0 1 2 3 4; do
        until ((++sent < 30)) && cmp -s "$WORK/$1_$sent.pfm" "$WORK/live_$frame.pfm"; do
            ((sent < 30)) || { echo "map $frame is none of the clip's that follow" && return 1; }
        done
    done
}

check "a clip in H.264" clip h264 -c:v libx264 -g 5 -bf 0
# RTP has the standard tables of JPEG only.
check "a clip in MJPEG" clip jpeg -c:v mjpeg -huffman default -q:v 3 -pix_fmt yuvj420p

# ---- RTSP ----

if ! /usr/bin/python3 tests/support/rtsp_server.py 2>/dev/null; then
    skipped "RTSP" "python3-gi, gir1.2-gst-rtsp-server-1.0 or gstreamer1.0-plugins-good is not installed"
else
    for codec in h264 jpeg; do
        coproc SERVER { exec /usr/bin/python3 tests/support/rtsp_server.py $codec "$WORK/$codec.mkv" 2>"$WORK/server"; }
        server=$SERVER_PID
        children+=("$server")
        read -r -t $patience -u "${SERVER[0]}" port
        camera=rtsp://127.0.0.1:$port/$codec
        check "RTSP with $codec gives the pictures that were sent" as_sent $codec "$camera"
        check "RTSP with $codec: two cameras play" run 0 --headless -f "$camera" "$camera" --frames 0:5 "${quick[@]}" --stats "$WORK/stats.json"
        check "RTSP with $codec: no picture is broken" grep -Eq '"broken": *0' "$WORK/stats.json"
        kill "$server"
        wait "$server" 2>/dev/null
    done
fi

# ---- HTTP ----

# FFmpeg sends the clip as parts of one answer, as web cameras do.
free_tcp_port() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_tcp_port)
ffmpeg -nostdin -v error -re -i "$WORK/jpeg.mkv" -c copy -f mpjpeg -listen 1 "http://127.0.0.1:$port/camera" 2>"$WORK/server" &
pid=$!
children+=("$pid")
listens() { grep -q "$(printf '0100007F:%04X 00000000:0000 0A' "$port")" /proc/net/tcp; }
check "MJPEG is served over HTTP" wait_until listens
check "MJPEG over HTTP gives the pictures that were sent" as_sent jpeg "http://127.0.0.1:$port/camera"

finish
