# What the end-to-end scripts share: sourced by tests/e2e/*.sh, see tests/run for the lines they print. They need ffmpeg.

root=$PWD
look=$PWD/tests/support/look.py
program=$(realpath -m "$BUILD")/stereoview
assets=$PWD/assets
data=$PWD/../shared/data # real recordings, if they are there
failures=0

ok() { echo "ok - $1"; }
not_ok() {
    echo "not ok - $1: $2"
    failures=$((failures + 1))
    patience=$((patience < 60 ? patience : 60)) # what comes next often fails by this, and would take long each time
}
skipped() { echo "skipped - $1: $2"; }

# check WHAT COMMAND...: ok if the command succeeds. It runs in this shell, so it may wait for its children. WHAT is kept
# in $WORK/check for tests/run, which ends what hangs.
check() {
    local what=$1
    shift
    echo "$what" >"$WORK/check"
    if "$@" >"$WORK/seen" 2>&1; then ok "$what"; else not_ok "$what" "$([ -s "$WORK/seen" ] && cat "$WORK/seen" || echo "'$*' failed")"; fi
}

# Seconds after which something that is waited for is given up. It takes long where twenty others compute beside it.
patience=300

# run STATUS ARGUMENT...: runs the program, which must exit with that status. Its output is in $WORK/output.
run() {
    local expected=$1 status=0
    shift
    timeout $patience "$program" "$@" >"$WORK/output" 2>&1 </dev/null || status=$?
    [ $status = "$expected" ] && return 0
    echo "exit status $status, not $expected, of: stereoview $*"
    tail -3 "$WORK/output"
    return 1
}

# All methods, in the order of --version; if it lists none, a word that the program refuses.
methods() { "$program" --version | sed -n 's/^Methods: //p' | tr -d , | grep . || echo no-methods; }

# refused STATUS PATTERN ARGUMENT...: with -q the program exits with that status and prints one line, which matches the
# pattern.
refused() {
    local status=$1 pattern=$2
    shift 2
    run "$status" -q "$@" || return 1
    grep -Eq -- "$pattern" "$WORK/output" && [ "$(wc -l <"$WORK/output")" = 1 ] && return 0
    echo "the message is not one line with '$pattern':"
    head -3 "$WORK/output"
    return 1
}

# without_display COMMAND...: runs it where no window can be opened.
without_display() { (unset DISPLAY WAYLAND_DISPLAY && "$@"); }

# within VALUE LOW HIGH: the number, which may be missing, is in that range.
within() {
    awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(v != "" && v >= low && v <= high) }' && return 0
    echo "'$1' is not from $2 to $3"
    return 1
}

# wait_until COMMAND...: repeats the command until it succeeds, while process $pid runs.
wait_until() {
    local limit=$((SECONDS + patience))
    until "$@"; do
        kill -0 "$pid" 2>/dev/null && ((SECONDS < limit)) || return 1
        sleep 0.05
    done
}

# ended STATUS...: process $pid exits, with one of these statuses; its output is in $WORK/log.
ended() {
    local status=0 limit=$((SECONDS + patience))
    while kill -0 "$pid" 2>/dev/null && ((SECONDS < limit)); do sleep 0.05; done
    if kill -0 "$pid" 2>/dev/null; then
        kill -9 "$pid"
        wait "$pid"
        echo "still running after $patience seconds"
        return 1
    fi
    wait "$pid" 2>/dev/null || status=$?
    [[ " $* " == *" $status "* ]] && return 0
    echo "exit status $status, not $*"
    tail -3 "$WORK/log"
    return 1
}

# unfinished FOLDER: the files that process $pid is writing there: recordings, and those that have no name yet, or, where
# the file system has no files without names, a temporary one.
unfinished() {
    find "$1" -maxdepth 1 '(' -name '.stereoview-*.tmp' -o -name '*.part' ')'
    find "/proc/$pid/fd" -lname "$(realpath "$1")/* (deleted)" 2>/dev/null
}

# begin NAME COMMAND...: runs the command in the background, with the folder NAME below this WORK as its WORK. "check
# WHAT ends_well NAME" waits for it.
declare -A begun
begin() {
    local name=$1
    shift
    mkdir -p "$WORK/$name"
    (WORK=$WORK/$name && "$@") >"$WORK/$name.seen" 2>&1 </dev/null &
    begun[$name]=$!
}
ends_well() {
    wait "${begun[$1]}" && return 0
    cat "$WORK/$1.seen"
    return 1
}

# free_port: a port of this machine that no UDP socket uses.
free_port() { python3 -c 'import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# from_demo NAME OPTION...: writes both videos of the demo with these options of ffmpeg. SIDE in NAME is left and right.
from_demo() {
    local side
    for side in left right; do
        ffmpeg -nostdin -v error -i "$assets/demo_$side.mp4" "${@:2}" -y "${1//SIDE/$side}" || return 1
    done
}

# small_pair: writes left.png and right.png, the first pictures of the demo in colour, 320 x 240, without losses.
small_pair() { from_demo SIDE.png -frames:v 1 -vf scale=320:240 -pix_fmt rgb24; }

# write_calibration FILE [WIDTH HEIGHT BASELINE]: writes a calibration of two pinhole cameras of which pictures of that
# size (default: the demo's) are rectified; they are BASELINE (200) mm apart.
write_calibration() {
    local width=${2:-640} height=${3:-480} camera
    camera="[500 0 $((width / 2)); 0 500 $((height / 2)); 0 0 1]"
    printf '%s\n' "cam0=$camera" "cam1=$camera" doffs=0 baseline="${4:-200}" width="$width" height="$height" >"$1"
}

finish() { exit $((failures > 0)); }

if ! command -v ffmpeg >/dev/null; then
    skipped "$(basename "$0" .sh)" "there is no ffmpeg"
    finish
fi
