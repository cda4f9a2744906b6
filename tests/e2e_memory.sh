#!/bin/bash
# Each memory allocation of a short run fails once, in a run of its own, which must end with an error or with correct
# maps. EVERY=37, the default, tries every 37th allocation; 'make check-long' tries all of them.
cd "$(dirname "$0")/.." && . tests/e2e.sh
every=${EVERY:-37}

library=$(realpath "$BUILD")/tests/refuse_memory.so

# refuse N ARGUMENT...: a run whose N-th allocation fails; $status is its exit status. False if it made fewer.
refuse() {
    local number=$1
    shift
    rm -f "$WORK"/got_*
    status=0
    timeout -k 5 60 env REFUSE="$number" LD_PRELOAD="$library" "$program" "$@" >"$WORK/output" 2>&1 </dev/null || status=$?
    grep -q 'refuse_memory: refused' "$WORK/output"
}
# as_it_should: the last run failed with a message and wrote only correct files, or succeeded and wrote all of them.
as_it_should() {
    local right got
    case $status in
    0)
        for right in "$WORK"/right_*; do
            [ -e "$WORK/got_${right##*/right_}" ] || { echo "exit status 0, without ${right##*/right_}" && return 1; }
        done
        ;;
    1) grep -q 'error: ' "$WORK/output" || { echo "it failed without a word" && return 1; } ;;
    134 | 139) # FFmpeg falls over some of what it is refused itself
        grep -q 'refused to .*/libav' "$WORK/output" || { echo "exit status $status" && return 1; }
        ;;
    *) echo "exit status $status" && return 1 ;;
    esac
    for got in "$WORK"/got_*.p??; do
        [ ! -e "$got" ] || cmp "$got" "$WORK/right_${got##*/got_}" || return 1
    done
    [ -z "$(find "$WORK" -name '.stereoview-*')" ] || { echo "half a file is left" && return 1; }
}
# refuse_each WHAT ARGUMENT...: refuses one allocation after the other.
refuse_each() {
    local what=$1 request=1 before=$failures outputs
    shift
    outputs() { for kind in %d.pfm %d.png %d.color.png; do echo "-o $WORK/$1_$kind"; done; }
    rm -f "$WORK"/right_*
    # shellcheck disable=SC2046
    check "$what, with all the memory it wants" run 0 "$@" $(outputs right) --stats "$WORK/right_stats.json"
    # shellcheck disable=SC2046
    while refuse $request "$@" $(outputs got) --stats "$WORK/got_stats.json"; do
        echo "request $request"
        as_it_should >"$WORK/seen" 2>&1 || not_ok "$what, when request $request fails" "$(cat "$WORK/seen" "$WORK/output")"
        request=$((request + every))
    done
    check "$what, when none has failed" as_it_should
    check "$what: there are hundreds of requests" test $request -gt 300
    [ $failures -gt "$before" ] || ok "$what: each ends with an error or with the right files"
}

case "$(nm -D "$program" 2>/dev/null)" in
*__asan_* | *__tsan_*)
    skipped "memory that is refused" "a sanitizer's own memory takes the library's place"
    finish
    ;;
esac
python3 - "$WORK" <<'PYTHON'
import random, sys
random.seed(1)
for frame in range(3):
    rows = [[random.randrange(256) for x in range(72)] for y in range(48)]
    for side, shift in ("l", 0), ("r", 5):
        with open(f"{sys.argv[1]}/{side}_{frame}.pgm", "wb") as file:
            file.write(b"P5\n64 48\n255\n" + b"".join(bytes(row[shift:shift + 64]) for row in rows))
PYTHON
run=(--headless --backend cpu --threads 1 -d 0:15)
refuse_each "pictures" "${run[@]}" -f "$WORK/l_%d.pgm" "$WORK/r_%d.pgm"
if command -v ffmpeg >/dev/null; then
    # With pictures that are predicted, forwards and backwards: a decoder conceals those that it got no memory for.
    for side in left right; do
        ffmpeg -nostdin -v error -i assets/demo_$side.mp4 -frames:v 3 -vf scale=96:72 -c:v libx264 -bf 1 -y "$WORK/$side.mp4"
    done
    refuse_each "videos" "${run[@]}" -f "$WORK/left.mp4" "$WORK/right.mp4"
else
    skipped "videos" "there is no ffmpeg"
fi
finish
