#!/bin/bash
# Runs that are shared: parts of the frames of a video and of a list of pairs, on several programs. However it is shared,
# and though parts are interrupted, the files are those of one run.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
cd "$WORK" || exit 1
demo=(--headless --demo -m ssd -d 0:60)

# same FOLDER: it has the files of the folder `one`, and no others but those of --resume.
same() { diff -r -x '*.yaml' one "$1"; }

# ---- Frames ----

mkdir one parts
check "one run" run 0 "${demo[@]}" --frames 2:13 -o one/%03d.pfm
for i in 1 2 3; do check "part $i of 3" run 0 "${demo[@]}" --frames 2:13 --shard $i/3 -o parts/%03d.pfm; done
check "writes 3 of 11" grep -q 'done: 3 frames' output
check "together they are the run" same parts
auto=(--headless --demo -m ssd)
mkdir found shards
check "one run that finds its range" run 0 "${auto[@]}" --frames 2:13 --stats found.json -o found/%03d.pfm
range=$(sed -n 's/.*disparities \([-0-9]*:[0-9]*\), found in 5 pairs.*/\1/p' output)
check "which it names" test "$range"
in_stats() { python3 -c 'import json, sys; print("%(min_disparity).0f:%(max_disparity).0f" % json.load(open(sys.argv[1])))' "$1"; }
check "also in --stats" test "$(in_stats found.json)" = "$range"
for i in 1 2; do check "part $i of 2 finds it, too" run 0 "${auto[@]}" --frames 2:13 --shard $i/2 --resume -o shards/%03d.pfm; done
check "together they are the run" diff -r -x '*.yaml' found shards
check "the settings of --resume name it" grep -q "^disparities: $range$" shards/%03d.pfm.yaml
mkdir named
check "so does the same range by hand" run 0 "${auto[@]}" --frames 2:13 -d "$range" -o named/%03d.pfm
check "give the same maps" diff -r found named
check "a video's own length is shared" run 0 "${demo[@]}" --shard 150/150 -o parts/end_%03d.pfm
check "to its last frame" test -e parts/end_149.pfm -a ! -e parts/end_148.pfm

check "a part is I of N" refused 2 '0/3' "${demo[@]}" --shard 0/3 -o x_%d.pfm
check "parts need numbered files" refused 2 'numbered files' "${demo[@]}" --shard 1/3 -o x.mkv
check "and no window" refused 2 'headless' --demo --shard 1/3
check "a missing device" refused 3 'device' --backend cpu --device 1 "${demo[@]}"
check "a device is a number or all" refused 2 'counted from 0, or all' --device gpu "${demo[@]}"

from_demo SIDE.ts -frames:v 6 -c:v mpeg2video
check "and a number of frames" refused 2 'frames A:B' --headless left.ts right.ts --shard 1/3 -o x_%d.pfm

# ---- Lists ----

rm -r one parts
mkdir one again all
for side in left right; do
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v 6 -vf scale=160:120 ${side}_%d.png
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v 1 -vf scale=200:90 ${side}_wide.png
done
write_calibration calib.txt
# write_list FOLDER: pairs of two sizes, one of them with a calibration, and a video.
write_list() {
    echo "# made by the test"
    for i in 1 2 3 4 5; do printf 'left_%d.png\tright_%d.png\t%s/%d.pfm\n' $i $i "$1" $i; done
    printf 'left_wide.png\tright_wide.png\t%s/wide.pfm\n' "$1"
    printf '%s\t%s\t%s/video_%%d.pfm\n' "$root/assets/demo_left.mp4" "$root/assets/demo_right.mp4" "$1"
    printf '%s\t%s\t%s/rectified_%%d.pfm\tcalib.txt\n' "$root/assets/demo_left.mp4" "$root/assets/demo_right.mp4" "$1"
}
list=(--headless -m ssd -d 0:20 --frames 0:1)
write_list one >one.tsv
check "a list" run 0 "${list[@]}" --list one.tsv
check "its last line is of all" grep -q 'done: 8 frames.* 8 files written' output
for i in 1 5; do
    check "pair $i is that of a run of its own" run 0 "${list[@]}" left_$i.png right_$i.png -o single.pfm
    check "byte for byte" cmp single.pfm one/$i.pfm
done
check "so is the one with a calibration" run 0 "${list[@]}" --demo --calibration calib.txt -o single.pfm
check "byte for byte" cmp single.pfm one/rectified_0.pfm
sed 's/one/all/' one.tsv >all.tsv
for i in 3 1 2; do check "part $i of the list, on all devices" run 0 "${list[@]}" --list all.tsv --shard $i/3 --resume --device all; done
check "together they are the list" same all
rm all/4.pfm all/video_0.pfm
check "missing files are made again" run 0 "${list[@]}" --list all.tsv --resume
check "and only that" grep -q 'done: 2 frames.* 6 frames there already' output
check "it is the same" same all
check "other settings are refused" refused 1 "all.tsv.yaml has 'rho: [0-9]*', not 'rho: 7'" "${list[@]}" --rho 7 --list all.tsv --resume

# The scripts for many machines.
examples=$root/examples
PATH=$(dirname "$program"):$PATH
export PARALLEL_HOME=$WORK/.parallel
matching=(-m ssd -d 0:20 --frames 0:1)
if command -v parallel >/dev/null; then
    mkdir parallel && sed 's/one/parallel/' one.tsv >parallel.tsv
    check "GNU parallel runs the parts" "$examples/parallel.sh" 3 "${matching[@]}" --list parallel.tsv
    check "which are the list" same parallel
    rm parallel/1.pfm && mv right_1.png away.png
    fails() { ! "$examples/parallel.sh" 3 "${matching[@]}" --list parallel.tsv >log 2>&1 && grep -q 'failed: parallel.tsv, line 2: .*right_1.png' log; }
    check "a pair that cannot be read makes its part fail, and is named" fails
    mv away.png right_1.png
else
    skipped "parallel" "GNU parallel is not installed"
fi
mkdir slurm && sed 's/one/slurm/' one.tsv >slurm.tsv
for i in 1 2 3; do
    check "task $i of a job array" env SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 "$examples/slurm.sh" 3 "${matching[@]}" --list slurm.tsv
done
check "together the tasks are the list" same slurm
outside() { ! "$examples/slurm.sh" 3 --list slurm.tsv 2>log && grep -q 'sbatch --array=1-PARTS' log; }
check "outside Slurm its script says how it is started" outside

# What fails does not stop the others, and is named at the end.
sed 's/one/again/; s/left_2/nowhere/; s/right_4/right_wide/' one.tsv >again.tsv
check "a list with two pairs that fail" run 1 "${list[@]}" --list again.tsv --stats stats.json
check "says so" grep -q '2 of 8 pairs failed' output
check "and names them at the end" bash -c "tail -3 output | grep -q 'failed: again.tsv, line 3: .*nowhere.png'"
printf 'left_1.png\tright_1.png\tno/where.pfm\n' >lost.tsv
check "a list of which all fail" run 1 "${list[@]}" --list lost.tsv
check "reports each failure once" test "$(grep -c 'no/where.pfm: its folder does not exist' output)" = 1
check "and matches no pair for a folder that is missing" grep -q 'done: 0 frames' output
printf 'left_1.png\tright_1.png\tno/where_%%d.pfm\nleft_2.png\tright_2.png\there_%%d.pfm\n' >lost.tsv
check "with --resume, too, such a pair does not stop the others" run 1 "${list[@]}" --list lost.tsv --resume
check "which are made" test -s here_0.pfm
rm one/2.pfm one/4.pfm
check "the others are made" same again
check "and in the statistics" grep -q '"frames": 6,' stats.json

# Nothing that is read is overwritten.
printf 'left_1.png\tright_1.png\tx.png\nleft_2.png\tright_2.png\tleft_1.png\n' >bad.tsv
check "an output that is another pair's input" refused 2 'left_1.png, which the list reads' "${list[@]}" --list bad.tsv
check "is not written, nor is anything else" test ! -e x.png
printf 'left_1.png\tright_1.png\tx.png\nleft_2.png\tright_2.png\tx.png\n' >bad.tsv
# one_output FIRST SECOND [ARGUMENT...]: two pairs of a list with these outputs are refused.
ln -s . here
one_output() {
    printf 'left_1.png\tright_1.png\t%s\nleft_2.png\tright_2.png\t%s\n' "$1" "$2" >bad.tsv
    refused 2 'line [12] of the list .* would write the same file' "${list[@]}" --list bad.tsv "${@:3}"
}
check "two pairs with one output" one_output x.png x.png
check "a list's output with the name of the statistics" one_output x.pfm y.png --stats y.png
check "none of which writes anything" [ -z "$(compgen -G '[mxy][._]*')" ]
check "-o beside a list" refused 2 'leave out -o' "${list[@]}" --list one.tsv -o y.pfm
check "a source beside a list" refused 2 'leave out the other source' "${list[@]}" --list one.tsv --demo
finish
