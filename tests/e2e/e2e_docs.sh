#!/bin/bash
# The pages: every link leads somewhere, every option exists, and every command of a block marked `sh` and every block
# marked `python` of the manual runs here, on files with the names that the page uses. $DOCS is another folder of pages.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
pages=$PWD/tests/support/pages.py
docs=$(realpath "${DOCS:-.}")
python=/usr/bin/python3

# ---- Links and options ----

links() { $python "$pages" links "$docs"; }
check "every link leads somewhere" links
"$program" --help >"$WORK/help"
cd "$docs" || exit 1
manual=(README.md docs/*.md OPENCV.md SECURITY.md python/README.md examples/README.md)
check "every option exists" $python "$pages" options "$WORK/help" "${manual[@]}"
$python "$pages" blocks "${manual[@]}" >"$WORK/blocks"
marked() { ! grep $'^\\(indented\\|none\\)\t' "$WORK/blocks"; }
check "every block says what it is" marked
begin_well() { ! for page in docs/*.md; do head -n 6 "$page" | grep -q 'After this page' || echo "$page"; done | grep .; }
check "every page of the manual begins with what one can do after it" begin_well
short() {
    local lines words
    read -r lines words < <(wc -lw <README.md)
    ((lines <= 150 && words <= 900)) && [ -z "$(find docs/pictures -size +3000k)" ] && return 0
    echo "README.md has $lines lines and $words words" && find docs/pictures -size +3000k
    return 1
}
check "the front page is short, and its picture small" short
# What CONTRIBUTING names to type or to open: targets of the Makefile, goals of setup.sh, and files.
exists() {
    case $1 in
    make) grep -qE "^([a-z-]+ )*$2[ :]" "$root/Makefile" "$root"/make/*.mk ;;
    ./setup.sh) grep -qE "(^| )$2( \||\))" "$root/setup.sh" ;;
    *) [ -e "$root/$1" ] ;;
    esac
}
contributing() {
    local word next status=0
    while read -r word next; do
        exists "$word" "$next" || { echo "there is no '$word $next'" && status=1; }
    done < <(grep -oE '(^|`)((make|\./setup\.sh) [a-z-]+\b|(tests|make|render|stereo|docs|library|debian)/[a-z_/.-]+\b)' CONTRIBUTING.md |
        tr -d '`')
    return $status
}
check "CONTRIBUTING names targets, goals and files that exist" contributing

# ---- The files that the pages name ----

cd "$WORK" || exit 1
tree=(assets examples python tests)
for name in "${tree[@]}"; do ln -s "$root/$name" "$name"; done
mkdir bin build cam0 cam1
ln -s "$program" bin/stereoview && ln -s "$program" build/stereoview
PATH=$WORK/bin:$PATH
for side in left right; do
    i=$([ $side = left ] && echo 0 || echo 1) letter=${side:0:1}
    from_demo "SIDE_%06d.png" -frames:v 3 -start_number 0 -vf scale=320:240 -pix_fmt gray
    for n in 0 1 2; do cp ${side}_00000$n.png ${letter}_00000$n.png && cp ${side}_00000$n.png "cam$i/$n.png"; done
    cp ${side}_000000.png $side.png && cp $side.png $letter.png
    ffmpeg -nostdin -v error -framerate 10 -i ${side}_%06d.png -c:v mpeg4 -q:v 2 -y $side.mp4 && cp $side.mp4 $letter.mp4
done
ffmpeg -nostdin -v error -i left.mp4 -i right.mp4 -filter_complex hstack -c:v mpeg4 -q:v 2 both.mkv
ffmpeg -nostdin -v error -i left.mp4 -i right.mp4 -map 0 -map 1 -c copy field.mkv
write_calibration calib.txt 320 240 100
files() {
    run 0 -q --headless -f l_%06d.png r_%06d.png -o t_%06d.pfm --resume &&
        run 0 -q --headless -f l.png r.png -d 0:31 -o gt.png &&
        run 0 -q --headless left.mp4 right.mp4 --align --fov 70 --baseline 100mm --save-calibration rig.yaml --save-calibration left.yaml,right.yaml
}
check "files for the commands" files
cp rig.yaml camchain.yaml
mkdir -p scenes/a && cp l.png scenes/a/left.png && cp r.png scenes/a/right.png && cp gt.png scenes/a
# The settings of a run, which name its source as those of a snapshot do.
cp t_%06d.pfm.yaml my.yaml && cp my.yaml stereoview_000012.yaml
mkdir -p "$XDG_CONFIG_HOME/stereoview/qualities" && printf 'method: zncc\nrho: 2\n' >"$XDG_CONFIG_HOME/stereoview/qualities/mine.yaml"
printf 'l_00000%s.png\tr_00000%s.png\tlist%s.pfm\n' 0 0 a 1 1 b 2 2 c >pairs.tsv

# ---- Commands ----

# why COMMAND: prints why it is not run here; fails if it is.
why() {
    case $1 in
    './setup.sh '*) echo "it installs packages" ;;
    'sudo '* | *'/pip install'* | 'own/bin/python'*) echo "it changes this system or reaches PyPI; e2e_install.sh and e2e_python.sh do it in a folder" ;;
    make | 'make '*) echo "it builds, which every test follows" ;;
    'cc '*) echo "it needs the installed library; e2e_install.sh compiles it" ;;
    *parallel.sh*) echo "e2e_many.sh runs it" ;;
    *sbatch*) echo "it needs Slurm; e2e_many.sh runs the script of its tasks" ;;
    *) return 1 ;;
    esac
}
# What lacks something here: the option or input that shows it, and what the program then reports instead of doing it. The
# command line is checked first, so a wrong option is found all the same.
lacks() {
    case $1 in
    *'/dev/video'*) echo 3 'cannot be opened|no such|No such' ;;
    *'://'*) echo '[13]' 'refused|timed out|No data|no data|nothing|Connection|cannot' ;;
    *--calibrate*) echo 1 'board' ;;
    *model.onnx*) echo 1 'there is no ONNX Runtime|cannot read the model model.onnx' ;;
    *--list-cameras) echo '[03]' '/dev/video' ;;
    *) return 1 ;;
    esac
}
# runs COMMAND: as it stands in the page, but without a window, for few frames, and on no device or host of this machine.
runs() {
    local command=$1 status=0 expected=0 says= first=${1%% *}
    if [[ $first == *stereoview ]]; then
        [[ $command == *' --headless'* || $command == *' --list-cameras'* || $command == *' --board'* ]] || command="$first --headless ${command#* }"
        [[ $command != *' --headless'* || $command == *' --frames '* ]] || command="$first --frames 0:1 ${command#* }"
        command="$first --backend cpu ${command#* }"
        read -r expected says < <(lacks "$command" || echo 0)
        command=$(sed -E 's,/dev/video,/dev/no-video,g; s,://[^/: ]+(:[0-9]+)?,://127.0.0.1:9,g; s, --timeout [0-9]+, --timeout 1,' <<<"$command")
    fi
    timeout $patience bash -c "$command" >said 2>&1 </dev/null || status=$?
    [[ $status == $expected ]] && { [ -z "$says" ] || grep -qE "$says" said; } && return 0
    echo "exit status $status, not $expected${says:+ with "$says"}, of: $command" && tail -n 3 said
    return 1
}
ran=0
while IFS=$'\t' read -r language place command; do
    command=$(sed -E 's/ +#.*//' <<<"$command")
    [ "$language" = sh ] && [ -n "$command" ] || continue
    if reason=$(why "$command"); then
        echo "$place: not run, because $reason: $command"
    else
        check "$place: $command" runs "$command"
        ((ran += 1))
    fi
done < <(sed "s/\r//" blocks)
check "commands were run" test $ran -ge 20

# ---- Python ----

# Each block with two pictures, as if it were typed after `left` and `right` had been read.
cat >python_blocks.py <<'PYTHON'
import sys, numpy, cv2
failed = 0
for line in open(sys.argv[1]):
    language, place, code = line.rstrip("\n").split("\t", 2)
    if language != "python":
        continue
    if "cupy" in code:
        print(f"{place}: not run, because it needs a GPU; python/tests has it")
        continue
    names = {"left": cv2.imread("left.png", 0), "right": cv2.imread("right.png", 0)}
    try:
        exec("import stereoview\n" + code.replace("\\n", "\n"), names)
        print(f"ok - {place}: Python")
    except Exception as error:
        print(f"not ok - {place}: Python: {type(error).__name__}: {error}")
        failed = 1
sys.exit(failed)
PYTHON
if ! $python -c 'import cv2, numpy' 2>/dev/null; then
    skipped "the blocks of Python" "python3-opencv is not installed"
elif ! $python -c 'import cffi, pytest' 2>/dev/null; then
    skipped "the blocks of Python" "python3-numpy, python3-cffi or python3-pytest is not installed"
else
    LD_LIBRARY_PATH=$(dirname "$(realpath "$program")") PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1 $python python_blocks.py blocks || failures=1
fi
finish
