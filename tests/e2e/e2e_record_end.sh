#!/bin/bash
# How recordings end where the run does not end by itself: signals, and a display that goes away. What was recorded can
# be played, or there is nothing.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

# With fifo_size=0, FFmpeg receives without a thread of its own, which ThreadSanitizer misunderstands.
port=$(free_port)
ffmpeg -nostdin -v error -re -stream_loop -1 -i "$root/assets/demo_left.mp4" -vf 'scale=160:120,tile=2x1,fps=10' \
    -c:v mpeg2video -g 5 -f mpegts "udp://127.0.0.1:$port?pkt_size=1316" &
sender=$!
server=
trap 'kill $sender $server 2>/dev/null' EXIT
stream=(-s "udp://127.0.0.1:$port?fifo_size=0" --timeout 20 -m ssd -d 0:15)

growing() { [ -n "$(unfinished . | xargs -r -I{} find -L {} -size +20000c)" ]; }
# is_whole NAME: the recording can be played, is called complete, and there is no half of another.
is_whole() {
    grep -q '"complete": true' "$1.json" || { echo "$1.json does not say that it is complete" && return 1; }
    [ -z "$(find . '(' -name '.stereoview-*' -o -name '*.part' ')' -delete -print)" ] || { echo "half a file is left" && return 1; }
    run 0 --headless -s "$1" -m ssd -d 0:15 --frames 0:3 -o played_%d.pfm
}
for signal in INT:130 TERM:143; do
    name=${signal%:*}.mkv
    "$program" --headless "${stream[@]}" --record "$name" >"$WORK/log" 2>&1 </dev/null &
    pid=$!
    wait_until growing
    kill -"${signal%:*}" "$pid"
    check "SIG${signal%:*} ends a run that records" ended "${signal#*:}"
    check "and completes the recording" is_whole "$name"
done

"$program" --headless "${stream[@]}" --record killed.mkv >"$WORK/log" 2>&1 </dev/null &
pid=$!
wait_until growing
kill -KILL "$pid"
wait "$pid" 2>/dev/null
check "what a killed run has recorded can be played" run 0 --headless -s killed.mkv.part -m ssd -d 0:15 --frames 0:3 -o killed_%d.pfm
"$program" --headless "${stream[@]}" --record killed.mkv >"$WORK/log" 2>&1 </dev/null &
pid=$!
wait_until test -s killed.mkv.2.part
kill -TERM "$pid"
check "and the next recording of that name leaves it alone" ended 143
check "while it is completed itself" test -s killed.mkv -a -s killed.mkv.part -a ! -e killed.mkv.2.part
rm -f killed.mkv.part

if [ -n "${DISPLAY:-}" ] && command -v xdotool >/dev/null; then
    start "${stream[@]}" --record window.mkv
    wait_until growing
    kill -TERM "$pid"
    check "SIGTERM closes a window that records" ended 0 143
    check "and completes the recording" is_whole window.mkv
    exec {from}< <(exec Xvfb -displayfd 1 -screen 0 1000x800x24 -nolisten tcp 2>/dev/null)
    server=$!
    read -r -t $patience -u "$from" number
    DISPLAY=:$number launch "${stream[@]}" --record gone.mkv # without a snapshot, which would not be completed
    wait_until growing
    kill -9 $server
    check "a display that goes away ends it with status 1" ended 1
    check "it says so" grep -q 'error: the connection to the display is lost$' log
    check "and completes the recording" is_whole gone.mkv
else
    skipped "windows that record" "no X server or no xdotool"
fi
finish
