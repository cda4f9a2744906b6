#!/bin/bash
# Frame numbers: a frame's number is its place in display order, in every container and codec, both from the beginning
# and after a seek. In frame n of these clips everything has the disparity n % 40.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

count=90 # frames
common=(--headless -m ssd -d 0:47 --rho 3)
# Noise; the right camera's part of it moves by one pixel from frame to frame.
ffmpeg -nostdin -v error -f lavfi -i "nullsrc=s=160x48,format=gray,geq=lum='16+219*random(1)'" -frames:v 1 "$WORK/noise.png"
for side in left right; do
    x=0
    [ $side = right ] && x="'mod(n,40)'"
    ffmpeg -nostdin -v error -loop 1 -r 25 -i "$WORK/noise.png" -frames:v $count -vf "crop=112:48:$x:0,format=yuv420p" \
        -c:v ffv1 -level 1 "$WORK/$side.mkv"
done

# make NAME ENCODER OPTION...: encodes both sides as NAME.
make() {
    local name=$1 encoder=$2 side
    shift 2
    for side in left right; do
        ffmpeg -nostdin -v error -y -i "$WORK/$side.mkv" -c:v "$encoder" "$@" "$WORK/$side.$name" || return 1
    done
}

# numbers PATTERN FIRST COUNT: COUNT maps exist, numbered from FIRST on, and each has the disparity of its frame.
numbers() {
    python3 - "$@" <<'PYTHON'
import glob, re, struct, sys
pattern, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
found = sorted(int(re.search(r"(\d+)\.pfm$", name).group(1)) for name in glob.glob(pattern.replace("%d", "*")))
if found != list(range(first, first + count)):
    sys.exit(f"{len(found)} maps, not {count}: {found[:3]} ... {found[-3:]}")
for n in found:
    data = open(pattern % n, "rb").read()
    values = struct.unpack("<%df" % (112 * 48), data[-4 * 112 * 48:])
    known = sorted(v for v in values if v < 1e6)
    if len(known) < 1000 or abs(known[len(known) // 2] - n % 40) > 0.5:
        sys.exit(f"map {n} is of disparity {known[len(known) // 2] if known else None}, not {n % 40}")
PYTHON
}

# jumps NAME: frames that are matched alone, and the last ones, have the same maps as in a run over the whole clip.
jumps() {
    local name=$1 pair=("$WORK/left.$1" "$WORK/right.$1") n
    mkdir -p "$WORK/whole" "$WORK/one"
    rm -f "$WORK"/whole/* "$WORK"/one/*
    run 0 "${common[@]}" -f "${pair[@]}" -o "$WORK/whole/%d.pfm" || return 1
    numbers "$WORK/whole/%d.pfm" 0 $count || return 1
    for n in 1 25 47; do
        run 0 "${common[@]}" -f "${pair[@]}" --frames $n:$((n + 1)) -o "$WORK/one/%d.pfm" || return 1
        cmp "$WORK/one/$n.pfm" "$WORK/whole/$n.pfm" || return 1
        rm "$WORK/one/$n.pfm"
    done
    run 0 "${common[@]}" -f "${pair[@]}" --frames 80: -o "$WORK/one/%d.pfm" || return 1
    rm "$WORK"/whole/{?,[1-7]?}.pfm && diff -r "$WORK/whole" "$WORK/one" || return 1
    run 1 "${common[@]}" -f "${pair[@]}" --frames $count: || return 1
    grep -q "no frame $count" "$WORK/output"
}

h264=(libx264 -bf 2 -g 24 -qp 12)
uneven=(-vf "setpts=(4*N+mod(7*N\,5))/100/TB" -vsync passthrough -enc_time_base 1/100)
# Otherwise FFmpeg 7 writes the last picture without a length, so that the edit list leaves it out.
uneven+=(-bsf:v "setts=pts=PTS:dts=DTS:duration=if(N\,DTS-PREV_INDTS\,DURATION)")
encoders=$(ffmpeg -v error -encoders)
while read -r name options; do
    if ! grep -q " ${options%% *} " <<<"$encoders"; then
        skipped "$name ($options): each frame has one number" "this FFmpeg has no encoder ${options%% *}"
        continue
    fi
    # shellcheck disable=SC2086
    check "$name ($options) is written" make "$name" $options
    check "$name: each frame has one number" jumps "$name"
done <<END
h264.mp4 ${h264[*]}
h264.ts ${h264[*]}
open.ts ${h264[*]} -x264-params open-gop=1
uneven.mkv ${h264[*]} ${uneven[*]}
hevc.mp4 libx265 -g 24 -qp 12 -x265-params log-level=none
mpeg2.ts mpeg2video -bf 2 -g 12 -q:v 2
mpeg4.avi mpeg4 -bf 2 -g 24 -q:v 2
mpeg4.mp4 mpeg4 -bf 2 -g 24 -q:v 2
vp9.webm libvpx-vp9 -b:v 4M -g 24 -auto-alt-ref 1 -lag-in-frames 16
mjpeg.avi mjpeg -q:v 2
raw.mjpeg mjpeg -q:v 2
raw.m1v mpeg1video -bf 2 -g 12 -q:v 2
END

# In the second of two passes, libvpx adds frames that are never shown.
passes() { for n in 1 2; do make vp8.webm libvpx -b:v 4M -g 24 -lag-in-frames 16 -auto-alt-ref 1 -passlogfile "$WORK/vp8" -pass $n || return 1; done; }
if grep -q " libvpx " <<<"$encoders"; then
    check "vp8.webm is written" passes
    check "vp8.webm: frames that are not shown have no number" jumps vp8.webm
fi
check "AVI with B-frames and MP4 are paired picture by picture" run 0 "${common[@]}" -f "$WORK/left.mpeg4.avi" \
    "$WORK/right.mpeg4.mp4" -o "$WORK/avi_mp4_%d.pfm"
check "and none is lost" numbers "$WORK/avi_mp4_%d.pfm" 0 $count
# ---- Damaged pictures ----

# damage NAME PACKET: writes damaged.NAME, the right side with the bytes of one packet changed.
damage() {
    ffmpeg -nostdin -v error -y -i "$WORK/right.$1" -c copy -bsf:v "noise=amount='if(eq(n,$2),10,0)'" "$WORK/damaged.$1"
}

make p.mkv mpeg4 -bf 0 -g 20 -q:v 2
damage p.mkv 30
damaged=(-f "$WORK/left.p.mkv" "$WORK/damaged.p.mkv")
check "a damaged picture gives exit status 4" run 4 "${common[@]}" "${damaged[@]}" -o "$WORK/kept_%d.pfm" --stats "$WORK/kept.json"
check "its frame is named" grep -q 'frame 30: the right picture is damaged; its map is kept' "$WORK/output"
check "it and those up to the next key frame are counted at the end" grep -q 'damaged frames: 10, mistimed frames: 0 (maps kept 10, skipped 0)' "$WORK/output"
check "and in the statistics" grep -q '"damaged": {"kept": 10, "skipped": 0, "mistimed": 0, "lost": 0}' "$WORK/kept.json"
check "their maps are there" test "$(ls "$WORK"/kept_*.pfm | wc -l)" = $count
check "--damaged skip leaves them out" run 4 "${common[@]}" "${damaged[@]}" --damaged skip -o "$WORK/skip_%d.pfm"
check "the others are there" test "$(ls "$WORK"/skip_*.pfm | wc -l)" = $((count - 10))
check "the frame before them is" test -e "$WORK/skip_29.pfm"
check "none of theirs is" test -z "$(ls "$WORK"/skip_3?.pfm 2>/dev/null)"
check "the same after a jump" run 4 "${common[@]}" "${damaged[@]}" --damaged skip --frames 35:41 -o "$WORK/jump_%d.pfm"
check "that is only frame 40" test "$(cd "$WORK" && echo jump_*)" = jump_40.pfm
check "a run that fails" run 1 "${common[@]}" "${damaged[@]}" --frames 35:41 --truth "$WORK/none_%d.pfm"
check "counts them, too" grep -q 'damaged frames: [1-9]' "$WORK/output"
check "undamaged files are not reported as damaged" run 0 "${common[@]}" "${damaged[@]}" --frames 40:50
printf '%s\t%s\t%s\n' "${damaged[@]:1}" "$WORK/first_%d.pfm" "$WORK/left.p.mkv" "$WORK/right.p.mkv" "$WORK/second_%d.pfm" \
    >"$WORK/list.tsv"
check "a list with a damaged pair gives exit status 4" run 4 "${common[@]}" --list "$WORK/list.tsv"
check "and counts at its end" test "$(grep -c 'damaged frames: 10, ' "$WORK/output")" = 1
# A time stamp that is five frames late, which the next ones contradict.
ffmpeg -nostdin -v error -y -i "$WORK/right.p.mkv" -c copy -bsf:v "setts=ts='TS+if(eq(N,30),0.2/TB,0)'" "$WORK/late.mkv"
check "a mistimed picture gives exit status 4" run 4 "${common[@]}" -f "$WORK/left.p.mkv" "$WORK/late.mkv" --stats "$WORK/late.json"
check "its frame is named" grep -q 'frame 30: the right picture is mistimed; its map is kept' "$WORK/output"
check "it is not counted as damaged" grep -q 'damaged frames: 0, mistimed frames: [1-9]' "$WORK/output"
check "nor in the statistics" grep -q '"damaged": {"kept": \([1-9]\), "skipped": 0, "mistimed": \1, "lost": 0}' "$WORK/late.json"

check "--damaged with another word is refused" refused 2 'keep or skip' --demo --headless --damaged drop

damage mjpeg.avi 30
check "a picture that cannot be decoded gives exit status 4" run 4 "${common[@]}" -f "$WORK/left.mjpeg.avi" \
    "$WORK/damaged.mjpeg.avi" -o "$WORK/lost_%d.pfm"
check "it is counted" grep -q 'could not be decoded: 1$' "$WORK/output"
check "its number stays free" test "$(ls "$WORK"/lost_*.pfm | wc -l) $(ls "$WORK/lost_30.pfm" 2>/dev/null)" = "$((count - 1)) "

# skips NAME: all maps that are written with --damaged skip are those of the intact clip, and some are left out.
skips() {
    mkdir -p "$WORK/whole" "$WORK/sound"
    rm -f "$WORK"/whole/* "$WORK"/sound/*
    run 0 "${common[@]}" -f "$WORK/left.$1" "$WORK/right.$1" -o "$WORK/whole/%d.pfm" || return 1
    run 4 "${common[@]}" -f "$WORK/left.$1" "$WORK/damaged.$1" --damaged skip -o "$WORK/sound/%d.pfm" || return 1
    local map
    for map in "$WORK"/sound/*; do cmp "$map" "$WORK/whole/${map##*/}" || return 1; done
}

# cut NAME PICTURE FIRST COUNT: writes damaged.NAME, the right side without COUNT packets of the transport stream, from
# number FIRST of a picture in decoding order on.
cut() {
    python3 - "$WORK/right.$1" "$WORK/damaged.$1" "${@:2}" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
picture, first, count = map(int, sys.argv[3:])
packets = [data[i:i + 188] for i in range(0, len(data), 188)]
video = [i for i, p in enumerate(packets) if (p[1] & 31) << 8 | p[2] == 256]
begins = [n for n, i in enumerate(video) if packets[i][1] & 0x40]
left_out = video[begins[picture] + first:][:count]
open(sys.argv[2], "wb").write(b"".join(p for i, p in enumerate(packets) if i not in left_out))
PYTHON
}

for name in h264.ts mpeg2.ts; do
    [ -e "$WORK/right.$name" ] || continue # its encoder is missing, as was said above
    cut $name 30 0 1
    check "$name: nothing is taken from a lost picture" skips $name
    cut $name 40 1 2
    check "$name: nor from one that was cut" skips $name
    check "$name: the next group is sound" test -e "$WORK/sound/75.pfm"
done

# ---- Edit lists ----

# The same data, of which only what comes from 0.6 s on is to be shown: the mov demuxer then leaves 15 frames out.
ffmpeg -nostdin -v error -y -ss 0.6 -i "$WORK/left.mpeg4.mp4" -c copy "$WORK/edit.mp4"
check "a file whose edit list leaves out a picture plays" run 0 "${common[@]}" -f "$WORK/edit.mp4" "$WORK/edit.mp4" -o "$WORK/edit_%d.pfm"
check "with the number of pictures" grep -q 'edit list excludes 15 of 90 pictures' "$WORK/output"
check "frame 0 is the first that is shown, and the last one follows from that" \
    test "$(ls "$WORK"/edit_*.pfm | wc -l) $(ls "$WORK"/edit_0.pfm "$WORK"/edit_74.pfm | wc -l)" = "75 2"
finish
