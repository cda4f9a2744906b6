#!/bin/bash
# Whether the computer keeps up with a live source is judged by the pairs that arrive, which may be fewer than the source
# promises: a camera in dim light lowers its rate.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

# A live stream that promises 50 pairs a second and sends 10.
port=$(free_port)
ffmpeg -nostdin -v error -readrate 0.4 -stream_loop -1 -i "$root/assets/demo_left.mp4" -vf 'scale=320:120,setpts=N/(50*TB)' \
    -r 50 -c:v mpeg2video -g 5 -f mpegts "udp://127.0.0.1:$port?pkt_size=1316" &
sender=$!
trap 'kill $sender' EXIT
quick=(-s "udp://127.0.0.1:$port" -d 0:7 -m ssd)
slow=(-s "udp://127.0.0.1:$port" -d 0:300 -m gfd --rho 15 --threads 1)
blamed='warning: this computer matches [0-9.]+ of the ([0-9.]+) pairs a second; '
# The program compares with the rate of the pairs that arrive: the sender may be late, but never sends 40 a second.
blamed_fairly() { sed -En "s/.*$blamed.*/\1/p" "$1" | awk '{ seen = 1; unfair += $1 > 40 } END { exit !seen || unfair }'; }
not_blamed_unfairly() { ! grep -E "$blamed" "$1" || blamed_fairly "$1"; } # a busy computer may be too slow

check "a run that matches all that arrives" run 0 --headless "${quick[@]}" --frames 0:20
check "is not blamed for what does not arrive" not_blamed_unfairly output
check "a run that does not" run 0 --headless "${slow[@]}" --frames 0:4
check "blames the computer" blamed_fairly output

if [ -n "${DISPLAY:-}" ] && command -v xdotool >/dev/null; then
    unset OMP_WAIT_POLICY
    start -v "${quick[@]}"
    check "threads that wait soon leave the processors to others" grep -q 'thread 1 of OpenMP only shortens' log
    check "it closes well" quit
else
    skipped "the window" "no X server or no xdotool"
fi
finish
