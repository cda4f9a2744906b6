#!/bin/bash
# What a run without a window writes besides single maps: points, videos, and runs that go on where they stopped.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
cd "$WORK" || exit 1

# agree WHAT ARGUMENT...: tests/support/maps_agree.py, which needs OpenCV.
agree() {
    if /usr/bin/python3 -c 'import cv2, numpy' 2>/dev/null; then
        check "$1" "$root/tests/support/maps_agree.py" "${@:2}"
    else
        skipped "$1" "python3-opencv is not installed"
    fi
}

# ---- Points, and all forms of one map ----

write_calibration calib.txt
check "a map in all forms" run 0 -q --headless --demo -m ssd -d 0:60 --frames 2:3 --calibration calib.txt \
    -o deep_%d.pfm -o deep_%d.png -o deep_%d.color.png -o deep_%d.depth.png -o deep_%d.ply \
    -o deep_%d.confidence.png
check "points have a confidence" grep -aq "property uchar confidence" deep_2.ply
agree "points in metres agree with depth, disparities and confidence" deep_2 500 0.2 320 240
check "and without a calibration" run 0 -q --headless --demo -m ssd -d 0:60 --frames 2:5 \
    -o map_%d.pfm -o map_%d.png -o map_%d.color.png -o map_%d.ply -o map_%d.confidence.png -o map.mkv -o show.mp4
agree "points in baselines agree with the disparities" map_2

# ---- Limits of the depth ----

check "a map within limits of the depth" run 0 -q --headless --demo -m ssd -d 0:60 --frames 2:3 \
    --calibration calib.txt --min-depth 2.5 --max-depth 8 -o near_%d.pfm -o near_%d.png -o near_%d.color.png \
    -o near_%d.depth.png -o near_%d.ply -o near_%d.confidence.png
agree "has the same values in all of its forms" near_2 500 0.2 320 240
# Depths are 500 * 0.2 / d.
within() {
    python3 -c 'import array, sys
def read(name):
    data = open(name, "rb").read().split(b"\n", 3)[3]
    values = array.array("f", data)
    return values
whole, near = read("deep_2.pfm"), read("near_2.pfm")
expected = [d if d > 0 and 2.5 <= 100 / d <= 8 else float("inf") for d in whole]
kept = sum(d < float("inf") for d in near)
print(kept)
assert 0 < kept < sum(d < float("inf") for d in whole) and list(near) == expected'
}
check "which are those between the limits, and no others" within
check "limits are in order" refused 2 '--min-depth 3 is not below --max-depth 2' --headless --demo --min-depth 3 --max-depth 2

# ---- Videos ----

check "one output is not given twice" refused 2 '-o map.png is given twice' --headless --demo -o map.png -o map.png
check "a video has no number in its name" refused 2 'leave the number out' --headless --demo -o map_%d.mkv
values() { ffmpeg -nostdin -v error "$@" -f rawvideo -pix_fmt gray16le - | md5sum; }
one_by_one() { for i in 2 3 4; do ffmpeg -nostdin -v error -i map_$i.png -f rawvideo -pix_fmt gray16le -; done | md5sum; }
check "the video has the values of KITTI's PNGs" [ "$(values -i map.mkv)" = "$(one_by_one)" ]
shown() { ffprobe -v error -select_streams v -show_entries "$1" -of csv=p=0 "$2" | tr -d ',' | tr -s '\n' ' '; }
check "as FFV1 in 16-bit grey" [ "$(shown stream=codec_name,pix_fmt map.mkv)" = "ffv1gray16le " ]
check "at the times of the source: $(shown frame=pts_time map.mkv)" [ "$(shown frame=pts_time map.mkv)" = "0.080000 0.120000 0.160000 " ]
check "the colours are H.264" [ "$(shown stream=codec_name,pix_fmt show.mp4)" = "h264yuv420p " ]
check "at those times: $(shown frame=pts_time show.mp4)" [ "$(shown frame=pts_time show.mp4)" = "0.080000 0.120000 0.160000 " ]
# The mean difference of a channel, of 255, after chroma was halved and H.264.
near() {
    ffmpeg -nostdin -v error -i show.mp4 -f rawvideo -pix_fmt rgb24 shown.rgb
    for i in 2 3 4; do ffmpeg -nostdin -v error -i map_$i.color.png -f rawvideo -pix_fmt rgb24 -; done >each.rgb
    python3 -c 'a, b = (open(n, "rb").read()[::97] for n in ("shown.rgb", "each.rgb"))
assert len(a) == len(b)
mean = sum(abs(x - y) for x, y in zip(a, b)) / len(a)
print(mean)
assert mean < 8'
}
check "and nearly the colours of the pictures" near
ffmpeg -nostdin -v error -i "$root/assets/demo_left.mp4" -frames:v 3 -vf format=gray,crop=101:67:200:200 odd_l%d.png
ffmpeg -nostdin -v error -i "$root/assets/demo_right.mp4" -frames:v 3 -vf format=gray,crop=101:67:200:200 odd_r%d.png
check "pictures of an odd size, without times" run 0 -q --headless -f odd_l%d.png odd_r%d.png --frames 1:3 -d 0:31 -o odd.mkv -o odd.mp4
check "are 25 a second in a video: $(shown frame=pts_time odd.mkv)" [ "$(shown frame=pts_time odd.mkv)" = "0.040000 0.080000 " ]
check "and of the next even size in H.264" [ "$(shown stream=width,height odd.mp4)" = "10268 " ]
printf 'colour-range: -8:31\n' >range.yaml
coloured() { run 0 -q --headless -f odd_l%d.png odd_r%d.png --frames 0:1 -m ssd -d -8:31 "$@"; }
searched() { coloured -o searched.color.png && coloured --settings range.yaml -o given.color.png && cmp searched.color.png given.color.png; }
check "colours cover the searched range" searched
mkfifo pipe.mkv
cat pipe.mkv >piped.mkv &
check "a pipe takes Matroska" run 0 -q --headless --demo -m ssd -d 0:60 --frames 2:5 -o pipe.mkv
wait $!
check "with the same values" [ "$(values -i piped.mkv)" = "$(one_by_one)" ]
check "there is nothing half-written: $(find . -name '.stereoview*')" [ -z "$(find . -name '.stereoview*')" ]

if [ -w /dev/full ]; then
    for ending in mkv ply; do
        ln -s /dev/full full.$ending
        check "a full disk is reported, .$ending" refused 1 "cannot write full.$ending: No space left" --headless --demo -m ssd -d 0:60 --frames 0:1 -o full.$ending
    done
else
    skipped "a full disk" "/dev/full is not here"
fi

# ---- Interrupted ----

# What is interrupted takes long, so that a busy machine comes to it in time.
slow=(--headless --demo -m gfd -d 0:60 --threads 1)
begun() { [ -n "$(unfinished .)" ] && compgen -G 'cut_*.pfm' | wc -l | awk '{ exit $1 < 3 }'; }
"$program" "${slow[@]}" --frames 0:100 -o cut.mkv -o cut_%03d.pfm >"$WORK/log" 2>&1 </dev/null &
pid=$!
wait_until begun
check "a video has its name only when it is complete" [ ! -e cut.mkv ]
kill -INT $pid
check "Ctrl-C ends the run" ended 130
made=$(compgen -G 'cut_*.pfm' | wc -l)
check "the video is completed, and where it ends is reported" \
    grep -q "cut.mkv is complete up to where the run ended: frames 0 to $((made - 1))" log
counted=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 cut.mkv)
check "it has the frames of the maps: $counted of $made" [ "$counted" = "$made" ]

# ---- --resume ----

long=("${slow[@]}" -o "go_%03d.pfm" -o "go_%03d.png" --resume)
check "--resume is for numbered files" refused 2 'numbered files' --headless --demo -o one.mkv --resume
check "not for scores" refused 2 'truth' --headless --demo -o go_%d.pfm --truth t_%d.pfm --resume
# The number of frames that have both files, which different threads write.
whole() { compgen -G 'go_*.p[fn][mg]' | sed 's/\.p..$//' | sort | uniq -d | wc -l; }
enough() { [ "$(whole)" -ge 4 ]; }
"$program" "${long[@]}" --frames 5:105 >"$WORK/log" 2>&1 </dev/null &
pid=$!
wait_until enough
kill -INT $pid
check "a run that is to be resumed" ended 130
before=$(whole)
check "stopped before its end: $before" [ "$before" -lt 100 ]
all=$((before + 5)) # frames, of which the last ones are to be made yet
rm go_006.png # incomplete: one of the files of the frame
stat -c '%n %Y %i' go_005.pfm go_007.pfm >then.txt
check "and goes on" run 0 "${long[@]}" --frames 5:$((5 + all))
check "leaving out what is there" grep -q "done: $((all - before + 1)) frames.* $((before - 1)) frames there already" output
stat -c '%n %Y %i' go_005.pfm go_007.pfm >now.txt
check "which is not written again" cmp then.txt now.txt
check "all frames are there then" [ "$(compgen -G 'go_*.pfm' | wc -l),$(compgen -G 'go_*.png' | wc -l)" = $all,$all ]
run 0 -q --headless --demo -m gfd -d 0:60 --frames 5:$((5 + all)) -o "whole_%03d.pfm"
same() { for i in $(seq -f %03g 5 $((4 + all))); do cmp go_$i.pfm whole_$i.pfm || return 1; done; }
check "the maps are those of a run that was not interrupted" same
check "other settings are refused, with what differs" refused 1 "go_%03d.pfm.yaml has 'rho: [0-9]*', not 'rho: 7'" "${long[@]}" --rho 7
check "and another source" refused 1 'demo: .*synthetic' --headless --synthetic 320x240 -m gfd -d 0:60 -o go_%03d.pfm --resume
rm go_%03d.pfm.yaml
check "files without a record of how they were made are refused" refused 1 'go_[0-9]*.pfm exists, but no go_%03d.pfm.yaml' "${long[@]}"
finish
