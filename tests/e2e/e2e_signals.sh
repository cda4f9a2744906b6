#!/bin/bash
# Signals end a run without a window, whatever it waits for, and leave no incomplete file.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

children=()
trap 'kill "${children[@]}" 2>/dev/null' EXIT

start() {
    "$program" --headless "$@" >"$WORK/log" 2>&1 </dev/null &
    pid=$!
}
# ended_clean STATUS: the program exits with that status and leaves no temporary file.
ended_clean() {
    ended "$1" || return 1
    local left
    left=$(find "$WORK" -name '.stereoview-*' -delete -print)
    [ -z "$left" ] && return 0
    echo "left behind: $left"
    return 1
}
# Until then it is a copy of this shell, whose trap would take the signal.
is_the_program() { [ "$(readlink "/proc/$pid/exe")" = "$program" ]; }
# signalled SIGNAL STATUS COMMAND...: sends the signal to the program once the command succeeds; it must exit with the
# status.
signalled() {
    local signal=$1 status=$2
    shift 2
    if ! wait_until is_the_program || ! wait_until "$@"; then
        echo "it did not come so far: $(tail -1 "$WORK/log")"
        kill -9 "$pid"
        return 1
    fi
    kill -"$signal" "$pid"
    ended_clean "$status"
}

# ---- Anywhere ----

start --demo -m ncc -o "$WORK/map_%d.pfm" --stats "$WORK/some.json"
check "SIGINT ends a run with status 130" signalled INT 130 test -e "$WORK/map_2.pfm"
check "one line says after how many frames" grep -Eq 'interrupted after [1-9][0-9]* frames' "$WORK/log"
maps=$(find "$WORK" -name 'map_*.pfm' | wc -l)
check "--stats counts those that were written" grep -q "\"frames\": $maps," "$WORK/some.json"
start --demo -m ncc -o "$WORK/term_%d.pfm"
check "SIGTERM ends it with 143" signalled TERM 143 test -e "$WORK/term_2.pfm"
nohup "$program" --headless --demo -m ncc -o "$WORK/nohup_%d.pfm" >"$WORK/log" 2>&1 </dev/null &
pid=$!
wait_until test -e "$WORK/nohup_0.pfm" && kill -HUP "$pid"
seen=$(find "$WORK" -name 'nohup_*.pfm' | wc -l)
check "under nohup SIGHUP does nothing" wait_until test -e "$WORK/nohup_$((seen + 5)).pfm"
check "and SIGTERM ends it" signalled TERM 143 true

# stopped_while_writing: the program has been stopped while it writes a file.
stopped_while_writing() {
    for _ in $(seq 200); do
        kill -STOP "$pid" || return 1
        [ -n "$(unfinished "$WORK")" ] && return 0
        kill -CONT "$pid"
        sleep 0.01
    done
    return 1
}
for signal in INT:130 TERM:143 KILL:137; do
    start --synthetic 600x400 -m ssd -d 0:7 --rho 1 -o "$WORK/half_%d.png" -o "$WORK/half_%d.color.png"
    if wait_until stopped_while_writing; then
        named=$(find "$WORK" -name '.stereoview-*')
        kill -"${signal%:*}" "$pid"
        kill -CONT "$pid"
        if [[ -n $named && $signal = KILL:* ]]; then
            check "SIG${signal%:*} while a file is written ends the run" ended "${signal#*:}"
            find "$WORK" -name '.stereoview-*' -delete
        else
            check "SIG${signal%:*} while a file is written leaves no half of it" ended_clean "${signal#*:}"
        fi
    else
        not_ok "SIG${signal%:*} while a file is written" "it never was"
        kill -9 "$pid"
    fi
done

# ---- Waiting for others ----

mkfifo "$WORK/fifo.pfm" "$WORK/fifo.json"
waits_for_reader() { grep -q "$1 is a pipe that nobody reads: waiting for a reader" "$WORK/log"; }
start --demo --frames 0:1 -o "$WORK/before.pfm" -o "$WORK/fifo.pfm" --stats "$WORK/fifo.stats.json"
check "a run that waits for a pipe's reader says so" wait_until waits_for_reader fifo.pfm
check "SIGINT ends a run that waits for a pipe's reader" signalled INT 130 test -e "$WORK/before.pfm"
check "and --stats is written" grep -q '"frames": 1,' "$WORK/fifo.stats.json"
start --demo --frames 0:1 -o "$WORK/then.pfm" --stats "$WORK/fifo.json"
check "so does one whose --stats waits" wait_until waits_for_reader fifo.json
check "SIGTERM ends one whose --stats waits for a reader" signalled TERM 143 test -e "$WORK/then.pfm"
start --demo --frames 0:1 -o "$WORK/read.pfm" -o "$WORK/fifo.pfm"
check "a pipe with a reader gets its map" cmp "$WORK/fifo.pfm" "$WORK/then.pfm"
check "and the run ends well" ended_clean 0
start --demo --truth "$WORK/fifo.pfm" --frames 0:1 -o "$WORK/score.pfm"
check "SIGINT ends a run that waits for a truth" signalled INT 130 test -e "$WORK/score.pfm"

mkdir "$WORK/web"
cp assets/demo_left.mp4 assets/demo_right.mp4 "$WORK/web"
for side in left right; do # read from front to back
    ffmpeg -nostdin -v error -i assets/demo_$side.mp4 -c copy -movflags +faststart "$WORK/web/$side.mp4"
done
ffmpeg -nostdin -v error -i assets/demo_left.mp4 -vf scale=320:240 -c:v mpeg2video -g 10 -f hls -hls_time 1 \
    -hls_list_size 0 -hls_flags omit_endlist "$WORK/web/endless.m3u8"
coproc SERVER { exec tests/support/web_server.py "$WORK/web"; }
children+=("$SERVER_PID")
# The server reports that it has stalled. Reading with a time limit could take the beginning of that line and lose it.
stalls() { read -t 0 -u "${SERVER[0]}" && read -r line <&"${SERVER[0]}" && [ "$line" = stalled ]; }
if read -r -t $patience port <&"${SERVER[0]}"; then
    web=http://127.0.0.1:$port
    start -f "$web/demo_left.mp4?silent" "$web/demo_right.mp4" --timeout 3600 --stats "$WORK/silent.json"
    check "SIGTERM ends it while a server does not answer" signalled TERM 143 stalls
    check "and --stats counts no frame" grep -q '"frames": 0,' "$WORK/silent.json"
    start -f "$web/left.mp4?stall" "$web/right.mp4" --timeout 3600 -d 0:15 --benchmark \
        -o "$WORK/stall_%d.pfm" # nothing is measured before the first map
    check "SIGINT ends a run whose server has stalled" signalled INT 130 test -e "$WORK/stall_2.pfm"
    start -s "$web/endless.m3u8" --timeout 3600 -d 0:15 --stats "$WORK/endless.json" -o "$WORK/endless_%d.pfm"
    check "SIGINT ends a run over a playlist without an end" signalled INT 130 compgen -G "$WORK/endless_*.pfm"
else
    not_ok "streams" "the server did not start"
fi

finish
