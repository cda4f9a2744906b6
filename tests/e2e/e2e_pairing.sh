#!/bin/bash
# How pictures are paired: files without their first picture, --offset. A run is correct if its maps are byte for byte
# those of the two complete files.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

frames=30
# Every picture is a key picture, so that a packet can be left out.
encode() {
    ffmpeg -nostdin -v error -i assets/demo_$1.mp4 -frames:v $frames -vf scale=160:-2 -g 1 -q:v 3 -c:v mpeg4 -y "$WORK/$1.$2"
}
# change NAME FILE FILTER ARGUMENT...: writes NAME from FILE, with a filter applied to its packets.
change() {
    ffmpeg -nostdin -v error "${@:4}" -i "$WORK/$2" -c copy -bsf:v "$3" -y "$WORK/$1"
}
# pairs LEFT RIGHT FIRST END SHIFT ARGUMENT...: exactly the maps of frames FIRST to END - 1 are written, and the map of
# frame n is that of frame n + SHIFT of the complete files.
pairs() {
    local left=$1 right=$2 first=$3 end=$4 shift=$5
    rm -rf "$WORK/maps" && mkdir "$WORK/maps"
    run 0 --headless -f "$WORK/$left" "$WORK/$right" -d 0:15 -o "$WORK/maps/%d.pfm" "${@:6}" || return 1
    for ((i = first; i < end; i++)); do
        cmp "$WORK/maps/$i.pfm" "$WORK/whole.${left##*.}/$((i + shift)).pfm" || return 1
    done
    [ "$(ls "$WORK/maps" | wc -l)" = $((end - first)) ] && return 0
    echo "not $((end - first)) maps: $(ls "$WORK/maps" | sort -n | tr '\n' ' ')"
    return 1
}
# says PATTERN: a line of the last run's output matches.
says() { grep -Eq -- "$1" "$WORK/output"; }

for container in mkv mp4; do
    encode left $container && encode right $container || not_ok "clips" "ffmpeg failed"
    mkdir "$WORK/whole.$container"
    check "$container: whole files play" \
        run 0 --headless -f "$WORK/left.$container" "$WORK/right.$container" -d 0:15 -o "$WORK/whole.$container/%d.pfm"
    check "$container: and the log says how they are paired" says "by the files' own time stamps: both start together"
    change cut.$container right.$container 'noise=drop=lt(n\,2)' -copyts
    check "$container: a right file that lacks its first pictures" pairs left.$container cut.$container 2 $frames 0
    check "$container: which the log reports" says "by the files' own time stamps: .*cut.$container starts 80 ms later"
    check "$container: --offset counts from the first picture of each" \
        pairs left.$container cut.$container 2 $frames 0 --offset -2
done
ffmpeg -nostdin -v error -i "$WORK/cut.mkv" -c copy -y "$WORK/cut.avi" # which has no time stamps
run 0 --headless -f "$WORK/left.mkv" "$WORK/cut.avi" -d 0:15 --frames 0:1
check "files that cannot be compared are paired from their first pictures" says "since each file's first picture; --offset"
check "and --offset moves the right one" pairs left.mkv cut.avi 2 $frames 0 --offset -2
change cut_left.mkv left.mkv 'noise=drop=lt(n\,2)'
check "the left side can be the one that lacks them" pairs cut_left.mkv right.mkv 0 $((frames - 2)) 2 --offset 2
# folder NAME NUMBER...: a folder of pictures with these numbers.
folder() {
    mkdir "$WORK/$1"
    for number in "${@:2}"; do { echo "P5 40 16 255" && head -c 640 /dev/urandom; } >"$WORK/$1/$1_$number.pgm"; done
}
# remarks LEFT RIGHT [PATTERN]: a run says that of the numbers, or nothing.
remarks() {
    run 0 --headless -f "$WORK/$1" "$WORK/$2" -d 0:7 || return 1
    [ -n "${3-}" ] || ! says 'number' || return 1
    says "${3-}"
}
folder cam0 1 2 3 4 5
folder cam1 1 2 4 5 6
folder later 3 4 5 6 7
folder gap 1 2 3 4 5 8 9
folder odd 1 3 5
folder even 2 4 6
check "a picture that a folder lacks is named" \
    remarks cam0 cam1 'warning: number 3 of .*cam0 is paired with number 4 of .*cam1, because a picture is missing'
check "folders that begin with other numbers" remarks later cam0 'numbers 3 and 1; --offset 2 pairs equal numbers'
check "no word of folders that are numbered alike" remarks odd even
check "nor of an offset that a gap would spoil" remarks later gap
run 0 --headless -f "$WORK/cam0" "$WORK/later" -d 0:7 --offset -1
check "--offset in pictures is described in words" says 'pairing each left picture with the right one 1 picture earlier'
check "what it leaves without a partner is reported" says 'stereoview: the end of .*later has no partners in .*cam0 and is omitted'
check "an offset that leaves nothing over is refused" \
    refused 1 'no frame from 0 on has a partner' --headless -f "$WORK/cam0" "$WORK/later" -d 0:7 --offset 5
check "and so is a frame that no file has" \
    refused 1 'there is no frame 5 to match' --headless -f "$WORK/cam0" "$WORK/later" -d 0:7 --frames 5:
for bad in 1.5 4s 2e9; do
    check "--offset $bad is refused" refused 2 '--offset takes whole frames' --headless --demo --offset $bad
done
check "--offset needs two files" refused 2 '--offset is for two files' --headless -s assets/demo_left.mp4 --offset 1

finish
