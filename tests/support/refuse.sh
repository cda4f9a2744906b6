# Runs in which the system refuses something once, or from some point on: sourced after tests/e2e/e2e.sh. Each must end with
# an error or with the right files.

library=$(realpath "$BUILD")/tests/refuse.so

# no_shim WHAT: with sanitizers, WHAT is skipped and the script ends.
no_shim() {
    case "$(nm -D "$program" 2>/dev/null)" in
    *__asan_* | *__tsan_*)
        skipped "$1" "a sanitizer's own memory takes the library's place"
        finish
        ;;
    esac
}
# make_pictures: three pairs of small pictures, $WORK/l_%d.pgm and $WORK/r_%d.pgm.
make_pictures() {
    python3 - "$WORK" <<'PYTHON'
import random, sys
random.seed(1)
for frame in range(3):
    rows = [[random.randrange(256) for x in range(72)] for y in range(48)]
    for side, shift in ("l", 0), ("r", 5):
        with open(f"{sys.argv[1]}/{side}_{frame}.pgm", "wb") as file:
            file.write(b"P5\n64 48\n255\n" + b"".join(bytes(row[shift:shift + 64]) for row in rows))
PYTHON
}
# make_videos: a pair of small videos, $WORK/left.mp4 and $WORK/right.mp4.
make_videos() {
    local side
    for side in left right; do
        ffmpeg -nostdin -v error -i assets/demo_$side.mp4 -frames:v 3 -vf scale=96:72 -c:v libx264 -bf 1 -y "$WORK/$side.mp4"
    done
}
# refuse WHAT N ARGUMENT...: a run whose N-th request for WHAT (memory, threads, files) is refused; $status is its exit
# status. False if it made fewer.
refuse() {
    local what=$1 request=$2
    shift 2
    rm -f "$WORK"/got_*
    status=0
    timeout -k 5 $patience env REFUSED="$what" REFUSE="$request" LD_PRELOAD="$library" "$program" "$@" \
        >"$WORK/output" 2>&1 </dev/null || status=$?
    grep -aq '^refused to ' "$WORK/output"
}
# packets VIDEO: a hash for each of its packets, in order.
packets() { ffmpeg -nostdin -v error -xerror -i "$1" -map 0 -c copy -f framemd5 - | grep -v '^#'; }
# begins_as RIGHT VIDEO: the video can be read and has the packets of the right one, or their beginning. What H.264 makes
# of a picture depends on those that follow.
begins_as() {
    packets "$1" >"$WORK/all" && packets "$2" >"$WORK/some" || return 1
    [ "${2%.mp4}" != "$2" ] || head -n "$(wc -l <"$WORK/some")" "$WORK/all" | cmp - "$WORK/some"
}
# as_it_should WHAT: the last run failed with a message and wrote only correct files, or succeeded and wrote all of them.
# Files that cannot be opened are not called damaged. (FFmpeg has many words for memory that it is refused.)
# Matroska files have random numbers in them, and those of a run that ends early are complete up to there.
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
    if [ "$1" != memory ] && grep 'damaged' "$WORK/output"; then return 1; fi
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
# refuse_each NAME WHAT EVERY LEAST ARGUMENT...: refuses one request after the other, each EVERY-th, until there are no
# more; there must be LEAST of them. In an argument FILE_ stands for the beginning of a file that the run writes. Threads
# and files are also refused from a request on: with EVERY 1 from each, otherwise at every other one of those tried.
refuse_each() {
    local name=$1 what=$2 every=$3 least=$4 request=1 tried=0 before=$failures which
    shift 4
    rm -f "$WORK"/right_*
    check "$name, which gets all that it asks for" run 0 "${@//FILE_/$WORK/right_}"
    while true; do
        for which in "$request" "$request+"; do
            if [ "$which" != "$request" ]; then
                [ "$what" != memory ] && ((every == 1 || tried % 2 == 1)) || continue
            fi
            refuse "$what" "$which" "${@//FILE_/$WORK/got_}" || break 2
            echo "request $which: exit status $status"
            as_it_should "$what" >"$WORK/seen" 2>&1 ||
                not_ok "$name, when request $which fails" "$(cat "$WORK/seen" "$WORK/output")"
        done
        ((request += every, tried += 1))
    done
    check "$name, when none has failed" as_it_should "$what"
    check "$name: there are $least requests or more" test $request -gt "$least"
    [ $failures -gt "$before" ] || ok "$name: each ends with an error or with the right files"
}
