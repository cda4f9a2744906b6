#!/bin/bash
# Each file that a short run opens is refused once, and all from that one on, in a run of its own, which must end with an
# error or with the right files. EVERY=13, the default, tries every 13th, and every 39th of those that a window opens;
# 'make check-long' tries all of them.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/refuse.sh
every=${EVERY:-13}

no_shim "files that are refused"
# packets VIDEO: a hash for each of its packets, in order.
packets() { ffmpeg -nostdin -v error -xerror -i "$1" -map 0 -c copy -f framemd5 - | grep -v '^#'; }
# begins_as RIGHT VIDEO: the video can be read and has the packets of the right one, or their beginning. What H.264 makes
# of a picture depends on those that follow.
begins_as() {
    packets "$1" >"$WORK/all" && packets "$2" >"$WORK/some" || return 1
    [ "${2%.mp4}" != "$2" ] || head -n "$(wc -l <"$WORK/some")" "$WORK/all" | cmp - "$WORK/some"
}
# refuse N ARGUMENT...: a run whose N-th file is refused; $status is its exit status. False if it opened fewer.
refuse() {
    local request=$1
    shift
    rm -f "$WORK"/got_*
    status=0
    timeout -k 5 $patience env REFUSED=files REFUSE="$request" LD_PRELOAD="$library" "$program" "$@" \
        >"$WORK/output" 2>&1 </dev/null || status=$?
    grep -aq '^refused' "$WORK/output"
}
# as_it_should: the last run failed with a message and wrote only correct files, or succeeded and wrote all of them. Files
# that cannot be opened are not called damaged. Matroska files have random numbers in them, and those of a run that ends
# early are complete up to there.
as_it_should() {
    local right got
    case $status in
    0)
        for right in "$WORK"/right_*; do
            [ -e "$WORK/got_${right##*/right_}" ] || { echo "exit status 0, without ${right##*/right_}" && return 1; }
        done
        ;;
    1) grep -q 'error: ' "$WORK/output" || { echo "it failed without a word" && return 1; } ;;
    *) echo "exit status $status" && return 1 ;;
    esac
    if grep 'damaged' "$WORK/output"; then return 1; fi
    for got in "$WORK"/got_*; do
        right=$WORK/right_${got##*/got_}
        case $got in
        *'*' | *.json) ;;
        *.mkv | *.mp4) begins_as "$right" "$got" || { echo "$got is no video" && return 1; } ;;
        *) cmp "$got" "$right" || return 1 ;;
        esac
    done
    [ -z "$(find "$WORK" -name '.stereoview-*' -delete -print)" ] || { echo "half a file is left" && return 1; }
}
# refuse_each NAME EVERY LEAST ARGUMENT...: refuses one file after the other, each EVERY-th, until there are no more;
# there must be LEAST of them. In an argument FILE_ stands for the beginning of a file that the run writes. All files
# from one on are refused, too: with EVERY 1 from each, otherwise from every other one of those tried.
refuse_each() {
    local name=$1 every=$2 least=$3 request=1 tried=0 before=$failures which
    shift 3
    rm -f "$WORK"/right_*
    check "$name, which opens all files" run 0 "${@//FILE_/$WORK/right_}"
    while true; do
        for which in "$request" "$request+"; do
            if [ "$which" != "$request" ] && ((every > 1 && tried % 2 == 0)); then continue; fi
            refuse "$which" "${@//FILE_/$WORK/got_}" || break 2
            echo "request $which: exit status $status"
            as_it_should >"$WORK/seen" 2>&1 ||
                not_ok "$name, when request $which fails" "$(cat "$WORK/seen" "$WORK/output")"
        done
        ((request += every, tried += 1))
    done
    check "$name, when none has failed" as_it_should
    check "$name: there are $least files or more" test $request -gt "$least"
    [ $failures -gt "$before" ] || ok "$name: each ends with an error or with the right files"
}

run=(--headless --backend cpu --threads 2 -d 0:15 -o FILE_%d.pfm -o FILE_%d.color.png -o FILE_%d.ply -o FILE_video.mkv
    -o FILE_video.mp4 --stats FILE_stats.json)
make_pictures
refuse_each "a run over pictures" "$every" 10 "${run[@]}" -f "$WORK/l_%d.pgm" "$WORK/r_%d.pgm"
from_demo "$WORK/SIDE.mp4" -frames:v 3 -vf scale=96:72 -c:v libx264 -bf 1
refuse_each "a run over videos" "$every" 10 "${run[@]}" -f "$WORK/left.mp4" "$WORK/right.mp4" --record FILE_copy.mkv
if [ -n "${DISPLAY:-}" ]; then
    refuse_each "a window" $((every > 1 ? 3 * every : 1)) 5 --benchmark --backend cpu --threads 2 \
        -d 0:15 -f "$WORK/l_%d.pgm" "$WORK/r_%d.pgm" --stats FILE_stats.json
else
    skipped "a window" "there is no display"
fi
finish
