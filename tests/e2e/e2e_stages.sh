#!/bin/bash
# The window is closed, and the program is asked to end, at each stage of its start: when it starts its n-th thread or
# opens its n-th file, it is stopped; the window, or the program where there is no window, is asked to end; and it goes on.
# EVERY=40, the default, tries every 40th file and every 4th thread; 'make check-long' tries all of them.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/refuse.sh && . tests/support/window.sh
every=${EVERY:-40}

need_window "closing the window while it starts"
no_shim "closing the window while it starts"
make_pictures
with=(--backend cpu --threads 2 -d 0:15 -f "$WORK/l_%d.pgm" "$WORK/r_%d.pgm" --stats "$WORK/stats.json")

is_stopped() { grep -q '^State:.T' "/proc/$pid/status"; }
# close_at WHAT N HOW: at its N-th request for WHAT the window is closed (close), or the program gets SIGTERM (TERM),
# also where there is no window yet.
close_at() {
    REFUSED=$1 REFUSE=$2 INSTEAD=$(kill -l STOP) LD_PRELOAD=$library "$program" "${with[@]}" >"$WORK/log" 2>&1 </dev/null &
    pid=$!
    wait_until is_stopped || { echo "it did not come so far" && kill -9 $pid && return 1; }
    local window
    window=$(xdotool search --onlyvisible --pid $pid --name stereoview 2>/dev/null | head -1)
    if [ -n "$window" ] && [ "$3" = close ]; then
        tests/support/close.py "$window"
        closed=$((closed + 1))
    else
        kill -TERM $pid
    fi
    kill -CONT $pid
    ended 0 143 || return 1
    [ -z "$(find "$WORK" -name '.stereoview-*' -delete -print)" ] || { echo "half a file is left" && return 1; }
}
closed=0
for what in threads files; do
    check "a window that is not closed, $what" env REFUSED="$what" REFUSE=0 LD_PRELOAD="$library" timeout $patience "$program" \
        --benchmark --frames 0:3 "${with[@]}"
    count=$(sed -n 's/^requests: //p' "$WORK/seen")
    before=$failures
    case $what in
    threads) step=$(((every + 9) / 10)) least=5 ;;
    *) step=$every least=100 ;;
    esac
    for ((request = 1; request <= ${count:-0}; request += step)); do
        for how in TERM close; do
            echo "$what, request $request, $how" # a sign of life to tests/run
            close_at "$what" $request $how >"$WORK/why" 2>&1 ||
                not_ok "$what, request $request, $how" "$(cat "$WORK/why" "$WORK/log")"
        done
    done
    check "$what: there are requests: ${count:-none}" [ "${count:-0}" -ge $least ]
    [ $failures -gt "$before" ] || ok "$what: each end of a start is in order"
done
check "in some of them there was a window: $closed" [ $closed -ge 1 ]
finish
