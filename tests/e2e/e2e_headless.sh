#!/bin/bash
# The program without a window: the command line, valid and damaged files, and the files that it writes.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

demo=(--headless --demo --frames)

# ---- The command line ----

check "--help lists every parameter" bash -c "'$program' --help | grep -q -- '--left-right-check' && '$program' -h | grep -q -- '--tau'"
check "in lines of at most 100 columns" bash -c "! '$program' --help | grep -q '.\{101\}'"
check "--version prints the version" bash -c "'$program' --version | grep -Eq '^stereoview [0-9]+\.[0-9]+'"
if [ "$(uname -m)" = x86_64 ]; then
    check "and the instructions that the CPU matches with" bash -c "SV_CPU=portable '$program' --version | grep -Eq '^  cpu   CPU, [0-9]+ threads?, SSE2$'"
fi
check "an unknown option is refused" refused 2 'no option --fast; --help' --fast
check "for the beginning of one, the message suggests the whole" refused 2 'no option --calib; did you mean --calibration\?' --calib=x
check "no source is refused" refused 2 'nothing to show' --headless
check "a value out of range is refused, with the range" refused 2 "error: --rho cannot be '99'.*0 to 31" --demo --headless --rho 99
check "an upside-down disparity range is refused" refused 2 'error: --disparities 40:10' --demo --headless -d 40:10
check "a missing value is refused" refused 2 'tau needs a value' --demo --headless --tau
check "--rho= lacks its value" refused 2 'rho= needs a value' --demo --headless --rho=
check "--files=A B is refused" refused 2 "files takes its values as separate arguments: LEFT RIGHT" --headless --files=a.mp4 b.mp4
check "an unknown quality is refused" refused 2 "no quality 'high'; choose fast, balanced, best, or" --demo --headless --quality high
check "an unknown method is refused" refused 2 "no method 'magic'" --demo --headless -m magic
check "an output of unknown kind is refused" refused 2 'out.bmp' --demo --headless -o out.bmp
check "-c NUMBER NUMBER is answered with devices" refused 2 'names of devices: -c /dev/video0' -c 0 2
check "a camera named twice is refused" refused 2 'names /dev/video0 twice' -c /dev/video0 /dev/video0
check "a missing camera gives exit status 3" refused 3 '/dev/video77: there is no such device' -c /dev/video77
check "a file is refused as a camera" refused 3 'README.md: is not a camera; files are opened with -f' --headless -c README.md
check "--size is for cameras" refused 2 'are for cameras' "${demo[@]}" 0:1 --size 640x480
check "a malformed size of pictures is refused" refused 2 "WxH.*'640'" --headless -c /dev/video77 --size 640
if "$program" --headless --demo --frames 0:1 --backend cuda >/dev/null 2>&1; then
    skipped "no CUDA device gives exit status 3" "there is one"
else
    check "no CUDA device gives exit status 3" refused 3 'cuda backend cannot run' "${demo[@]}" 0:1 --backend cuda
fi

# ---- Messages about options ----

# says N PATTERN ARGUMENT...: the run succeeds, and N lines of its output match the pattern.
says() {
    local count=$1 pattern=$2
    shift 2
    run 0 "$@" || return 1
    [ "$(grep -Ec -- "$pattern" "$WORK/output")" = "$count" ] && return 0
    echo "not $count lines with '$pattern':"
    head -5 "$WORK/output"
    return 1
}
check "an unknown decoder is refused" refused 2 "decoder takes cpu or cuda, not 'gpu'" "${demo[@]}" 0:1 --decoder gpu
check "the GPU decodes only for itself" \
    says 1 'needs the cuda backend; videos are decoded on the CPU$' "${demo[@]}" 0:1 --backend cpu --decoder cuda
check "parameters that the method does not use are named" \
    says 1 'warning: zncc does not use --step \(of ssd\), --tau \(of ncc\)$' "${demo[@]}" 0:2 --step 1/2 --tau 2 -m zncc --rho 3
check "and those that it uses are not" says 0 'does not use' "${demo[@]}" 0:1 --tau 2 -m ncc --rho 3
check "the window's settings file may be missing" without_display run 3 --demo --settings "$WORK/new.yaml"
check "which is reported" grep -q "$WORK/new.yaml does not exist yet" "$WORK/output"
check "and not with -q" without_display refused 3 'cannot open a window: there is no display' --demo --settings "$WORK/new.yaml"
without_server() { (unset WAYLAND_DISPLAY XDG_RUNTIME_DIR && DISPLAY=:99999 "$@"); }
check "a missing display is refused" without_server refused 3 'cannot open a window: .*:99999' --demo

# ---- What is written ----

for method in $(methods); do
    check "$method runs over the demo and writes all three kinds of file" run 0 "${demo[@]}" 10:12 -m $method --threads 1 \
        -o "$WORK/${method}_%03d.pfm" -o "$WORK/${method}_%03d.png" -o "$WORK/${method}_%03d.color.png"
    for kind in pfm png color.png; do
        check "$method wrote frames 10 and 11 as .$kind and no other" \
            test "$(echo "$WORK/${method}"_0??.$kind | xargs -n1 basename | tr '\n' ' ')" = "${method}_010.$kind ${method}_011.$kind "
    done
    run 0 "${demo[@]}" 10:11 -m $method --threads 2 -o "$WORK/two.pfm"
    check "$method gives the same bytes with one thread and two" cmp "$WORK/two.pfm" "$WORK/${method}_010.pfm"
done
check "a PFM begins as its format says" test "$(head -c 16 "$WORK/ssd_010.pfm" | tr '\n' ' ')" = "Pf 640 480 -1.0 "
check "an output folder that is missing is an error that names it" refused 1 'nowhere' "${demo[@]}" 0:1 -o "$WORK/nowhere/x.pfm"
check "so it is for --stats, before anything is computed" refused 1 'nowhere.*folder does not exist' "${demo[@]}" 0:1 \
    --stats "$WORK/nowhere/x.json" -o "$WORK/early.pfm"
check "and nothing is written" test ! -e "$WORK/early.pfm"
check "a video into one file is refused" refused 2 'one.pfm can hold one frame' "${demo[@]}" 0:3 -o "$WORK/one.pfm"
check "before the first frame is written" test ! -e "$WORK/one.pfm"
check "its last frame alone is not" run 0 "${demo[@]}" 149: -o "$WORK/one.pfm"

check "--truth-scale needs --truth" refused 2 'truth-scale needs --truth' "${demo[@]}" 0:1 --truth-scale 4
check "--truth-scale 0 is refused" refused 2 "truth-scale takes.*'0'" "${demo[@]}" 0:1 --truth x.png --truth-scale 0
run 0 "${demo[@]}" 149: -o "$WORK/self.png"
check "a map has no errors against itself, its scale named" says 1 '^000149 .* 0.00[0-2]$' "${demo[@]}" 149: --truth "$WORK/self.png" --truth-scale 256
check "and is far off with another" says 0 '^000149 .* 0.00[0-2]$' "${demo[@]}" 149: --truth "$WORK/self.png" --truth-scale 128

# ---- What is read is not written over ----

mkdir "$WORK/in"
run 0 "${demo[@]}" 10:12 -o "$WORK/in/l_%02d.png" -o "$WORK/in/r_%02d.png" -o "$WORK/in/t_%02d.pfm"
(cd "$WORK/in" && ln l_10.png hard.png && ln -s l_10.png soft.png && ln -s . here && printf 'rho: 3\n' >s.yaml &&
    cp "$OLDPWD/tests/support/calibrations/middlebury.txt" cam.png && cat l_* r_* t_* s.yaml cam.png >../before)
kept() { cat "$WORK"/in/l_* "$WORK"/in/r_* "$WORK"/in/t_* "$WORK"/in/s.yaml "$WORK/in/cam.png" | cmp - "$WORK/before"; }
inside() { (cd "$WORK/in" && "$@"); }
# keeps WHAT FILE ARGUMENT...: a run with these arguments, in the folder, is refused because it would overwrite FILE.
keeps() {
    local what=$1 file=$2
    shift 2
    check "$what is refused" inside refused 2 "would overwrite [^ ]*$file, which" --headless "$@"
    check "and loses nothing" kept
}
pictures=(-f l_10.png r_10.png)
numbered=(-f l_%02d.png r_%02d.png)
keeps "an output with the name of the left picture" l_10.png "${pictures[@]}" -o l_10.png
keeps "a symbolic link to it" l_10.png "${pictures[@]}" -o soft.png
keeps "the pattern of a sequence" l_1[01].png "${numbered[@]}" -o l_%02d.png
keeps "statistics with the name of a picture" l_10.png "${pictures[@]}" --stats l_10.png
cp "$WORK/in/l_10.png" "$WORK/in/-l.png" && cp "$WORK/in/r_10.png" "$WORK/in/--headless"
check "a picture that is named for both sides is reported" inside says 1 'warning: l_10.png is both the left and the right' \
    --headless -f l_10.png soft.png -d 0:7
check "and two pictures are not" inside says 0 'is both the left' --headless "${pictures[@]}" -d 0:7
# Disparities reach from -(width - 1) to width - 1; ranges that only begin there are searched.
width=$(head -c 20 "$WORK/in/l_10.png" | tail -c 4 | od -An -tu1 | awk '{ print 256 * $3 + $4 }')
for range in "$width:$((width + 9))" "-$((width + 9)):-$width"; do
    check "a range that no pixel can have, $range, is refused" inside refused 2 "-d $range: no pixel of pictures $width wide" \
        --headless "${pictures[@]}" -d "$range"
done
check "one that reaches outside is not" inside run 0 --headless "${pictures[@]}" -m ssd -d "$((width - 4)):$((width + 9))"
check "a single picture cut in half gives a warning" inside says 1 'warning: .*the halves do not match; see --layout' \
    --headless -s l_10.png -d 0:7
from_shell() { run 0 --headless -s /dev/fd/3 -d 0:7 3<"$WORK/in/l_10.png"; }
check "a file below /dev is no camera" from_shell
check "names after -- may begin with dashes" inside run 0 --headless -d 0:7 -o dashes.pfm -- -l.png --headless
check "without it they are options" inside refused 2 'no option -l.png' --headless -o dashes.pfm -l.png r_10.png
printf 'Pf\n2 1\n-1\nabcdefgh' >"$WORK/in/other_truth.pfm"
check "the truth of other pictures is named" inside refused 1 'other_truth.pfm: .* 2 x 1' --headless "${pictures[@]}" \
    -d 0:7 --truth other_truth.pfm
keeps "an output with the name of the truth" t_1[01].pfm "${numbered[@]}" --truth t_%02d.pfm -o t_%02d.pfm
keeps "of a calibration file" cam.png "${pictures[@]}" --calibration s.yaml,cam.png -o cam.png
# ---- No two outputs are one file ----

mkdir "$WORK/out" && ln -s . "$WORK/out/here"
# clash WHAT ARGUMENT...: a run with these arguments, in an empty folder, is refused before it writes anything.
clash() {
    local what=$1
    shift
    out() { (cd "$WORK/out" && refused 2 'would write the same file; choose another name' "${demo[@]}" 0:1 -d 0:7 "$@"); }
    check "$what are refused" out "$@"
    check "and nothing is written" [ "$(ls -A "$WORK/out")" = here ]
}
clash "a video of the maps and a recording" -o m.mkv --record here/m.mkv
clash "a calibration and statistics" --align --save-calibration r.yaml --stats r.yaml
several() { (cd "$WORK/out" && run 0 "${demo[@]}" 0:2 -d 0:7 -o %d.pfm -o %d.color.png -o a%d.pfm -o m.mkv --stats m.mkv.json); }
check "outputs with similar names are written" several
check "and again by the next run" several
printf 'colour-range: 0:10\n' >"$WORK/near.yaml"
run 0 "${demo[@]}" 10:11 -m ssd --settings "$WORK/near.yaml" -o "$WORK/near.color.png"
check "a fixed colour range of the settings file is used" bash -c "! cmp -s '$WORK/near.color.png' '$WORK/ssd_010.color.png'"
check "--threads is what the statistics name" bash -c "'$program' --headless --demo --backend cpu --frames 0:2 --threads 1 --benchmark | grep -q 'CPU, 1 thread'"
check "--stats and --benchmark" run 0 "${demo[@]}" 0:5 --benchmark --stats "$WORK/stats.json"
check "the table of --benchmark names its stages" grep -q match "$WORK/output"
check "--stats is JSON of the documented form" python3 - "$WORK/stats.json" <<'PYTHON'
import json, sys
s = json.load(open(sys.argv[1]))
assert s["backend"] in ("cpu", "cuda") and s["method"] == "sgm" and (s["width"], s["height"]) == (640, 480), s
assert s["frames"] == 5 and s["stages"]["match"]["median_ms"] > 0 and s["stages"]["match"]["p95_ms"] > 0, s
assert {"capture", "match", "draw"} <= s["rates"].keys() and "median" in s["latency_ms"] and s["drops"] is not None, s
assert "version" in s and "device" in s
PYTHON
# Two frames, whose results are 2 ms apart if the first waits for the second.
check "a run of two frames" run 0 "${demo[@]}" 0:2 --backend cpu -m gfd --stats "$WORK/two.json"
check "has the rate of its matches" python3 - "$WORK/two.json" <<'PYTHON'
import json, sys
s = json.load(open(sys.argv[1]))
assert 0 < s["rates"]["match"] < 10 * 1000 / s["stages"]["match"]["median_ms"], s
PYTHON
check "a run ends with a line of what it did" run 0 "${demo[@]}" 10:12 -o "$WORK/line_%d.pfm" -o "$WORK/line_%d.color.png"
check "which counts frames, values and files" \
    grep -Eq 'done: 2 frames, [89][0-9]\.[0-9] % of the pixels with a value, [0-9.]+ s .*, 4 files written$' "$WORK/output"
check "no progress is shown where there is no terminal" bash -c "! grep -q 'frame 1' '$WORK/output'"
# terminal SECONDS OPTION...: a run on a terminal of its own, interrupted after that time. Progress is shown every half
# second, so the whole run takes several seconds on any machine.
terminal() {
    local seconds=$1
    shift
    script -qefc "echo \$\$ >'$WORK/terminal.pid'
        exec timeout --foreground -s INT $seconds '$program' $* --headless --synthetic 640x480 -m gfd -d 0:127" \
        "$WORK/terminal" >/dev/null </dev/null
}
begun=$SECONDS
terminal 300 &
pid=$!
check "progress is shown on a terminal, with the number of frames and the time left" \
    wait_until grep -Eq 'frame [1-9][0-9]* of 150, [0-9.]+ a second, [0-9]+ s left' "$WORK/terminal"
kill "$(<"$WORK/terminal.pid")"
wait "$pid"
check "after the preparation" grep -q preparing "$WORK/terminal"
terminal $((SECONDS - begun + 2)) -q
check "-q shows nothing but the interruption" \
    bash -c "! tail -n +2 '$WORK/terminal' | grep -ve '^Script done' -e interrupted | grep '[^[:space:]]'"
check "--synthetic --benchmark takes seconds" run 0 --headless --synthetic 640x360 -m zncc --benchmark --threads 1
check "and reports what it renders before" grep -q "rendering 8 right pictures of 640 x 360" "$WORK/output"
check "and fewer frames than it could" \
    awk '/ frames$/ { seen = 1; many += $(NF - 1) >= 2000 } END { exit !seen || many }' "$WORK/output"
check "a frame beyond the end is an error" refused 1 'no frame 5000 to match; there are [0-9]*, counted from 0' "${demo[@]}" 5000:
check "--frames A: ends with the file" run 0 "${demo[@]}" 148: -o "$WORK/tail_%d.pfm"
check "--frames A: wrote what was left" test "$(ls "$WORK"/tail_*.pfm | wc -l)" = 2

mkdir -p "$WORK/elsewhere/assets"
cp "$program" "$WORK/elsewhere"
cp "$BUILD"/assets/*.mp4 "$WORK/elsewhere/assets"
check "the demo plays wherever the build folder is" "$WORK/elsewhere/stereoview" -q "${demo[@]}" 0:1 -o "$WORK/elsewhere.pfm"
check "the scene is rendered in any size" run 0 --headless --synthetic 121x37 --frames 2:4 -d 0:15 -o "$WORK/scene_%d.pfm"
check "and has the frames that were asked for" test "$(echo "$WORK"/scene_* | xargs -n1 basename | tr '\n' ' ')" = "scene_2.pfm scene_3.pfm "
check "a benchmark repeats it from memory" run 0 --headless --synthetic 121x37 -d 0:15 --benchmark --frames 0:40 -o "$WORK/again_%02d.pfm"
check "so its ninth frame is its first" cmp "$WORK/again_00.pfm" "$WORK/again_08.pfm"
check "and its second is another" bash -c "! cmp -s '$WORK/again_00.pfm' '$WORK/again_01.pfm'"
check "two sources are refused" refused 2 'use only one of -f, -s' --demo --synthetic 64x64

# ---- The demo against its truth, made anew by the generator ----

if "$BUILD/assets/make_demo" --truth "$WORK/truth_%06d.pfm" --frames 10:13 >"$WORK/output" 2>&1; then
    # Measured percentages: density, bad1, bad2, v2. Both backends and all machines give the same maps; 0.3 points allow
    # for differences between decoders.
    declare -A measured=([ssd]="95.65 7.41 6.10 1.84" [ncc]="92.33 10.20 8.91 1.35" [zncc]="100.00 4.10 2.44 2.44"
        [gfd]="98.07 3.47 2.44 0.52" [sgm]="98.85 2.19 1.49 0.35")
    for method in $(methods); do
        read -r density bad1 bad2 wrong <<<"${measured[$method]}"
        check "$method scores the demo" run 0 "${demo[@]}" 10:13 -m "$method" --truth "$WORK/truth_%06d.pfm"
        check "$method: density, bad1, bad2 and v2 of the demo are within 0.3 points of $density, $bad1, $bad2 and $wrong, or better" \
            awk -v density="$density" -v bad1="$bad1" -v bad2="$bad2" -v wrong="$wrong" \
            '/mean of 3/ { seen = 1; if ($4 < density - 0.3 || $5 > bad1 + 0.3 || $6 > bad2 + 0.3 || $9 > wrong + 0.3) { print; exit 1 } }
             END { if (!seen) { print "no mean"; exit 1 } }' "$WORK/output"
    done
else
    not_ok "the generator makes the demo's truth" "$(tail -1 "$WORK/output")"
fi

# ---- Files that are not as they should be ----

here=$PWD/assets
printf 'P5\n4 4\n255\n0123456789abcdef' >"$WORK/small.pgm"
printf 'P5\n5 4\n255\n0123456789abcdefghij' >"$WORK/other.pgm"
check "a folder: a clear error that names it" refused 1 "$WORK" --headless -f "$here/demo_left.mp4" "$WORK"
check "pictures of different size are refused, naming both sizes" \
    refused 1 '4 ?x ?4.*5 ?x ?4' --headless -f "$WORK/small.pgm" "$WORK/other.pgm" -o "$WORK/bad_%d.pfm"
check "a sequence without files names its pattern" refused 1 'none_%03d.png' --headless -f "$WORK/none_%03d.png" "$WORK/none_%03d.png"
# Root may read everything, so the program runs as another user, who may search these folders.
mkdir "$WORK/shut" && cp "$WORK/small.pgm" "$WORK/shut/locked.pgm" && cp "$WORK/small.pgm" "$WORK/locked.pgm"
chmod 0 "$WORK/shut" "$WORK/locked.pgm"
chmod a+x "$WORK"
other=()
[ "$(id -u)" != 0 ] || other=(setpriv --reuid=65534 --clear-groups)
copy=$WORK/own/stereoview # the folder of $program may be shut
mkdir "$WORK/own" && cp "$program" "$copy"
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${other[*]}" "$copy" >"$WORK/other" && chmod a+rx "$WORK/other" "$copy" "$WORK/own"
as_other() { (program=$WORK/other && "$@"); }
if "${other[@]}" test -x "$copy" && ! "${other[@]}" test -r "$WORK/locked.pgm"; then
    check "a file that may not be read is not called damaged" as_other refused 1 \
        'locked.pgm: cannot be read: Permission denied; change its permissions$' --headless -f "$WORK/locked.pgm" "$WORK/locked.pgm"
    check "nor is the name of one in a closed folder reported as wrong" as_other refused 1 \
        'locked.pgm: .*Permission denied; check the permissions' --headless -f "$WORK/shut/locked.pgm" "$WORK/small.pgm"
else
    skipped "files that may not be read" "there is nobody here who may run the program and not read them"
fi
chmod 700 "$WORK/shut"
check "nothing half-written is left" test "$(find "$WORK" -name 'bad_*' -o -name '*.tmp*' | wc -l)" = 0
check "a pair of 4 x 4 pixels is matched" run 0 --headless -f "$WORK/small.pgm" "$WORK/small.pgm" -m ncc -d 0:3 -o "$WORK/small.pfm"

if [ -d "$data" ]; then
    clips=$data/video_derived_sbs
    check "files of unequal length end at the shorter" run 0 --headless -f "$clips/karlsruhe_left_h264.mp4" \
        "$clips/karlsruhe_right_h264_23frames.mp4" -m ssd -d 0:15 -o "$WORK/uneven_%d.pfm"
    check "and one line says so" test "$(grep -c 'shorter\|longer\|ends' "$WORK/output")" = 1
    check "there is a map for each of the 23 pairs" test "$(ls "$WORK"/uneven_*.pfm | wc -l)" = 23
else
    skipped "real recordings" "they are not here"
fi
finish
