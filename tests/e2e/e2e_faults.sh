#!/bin/bash
# Faults in what the program works with: pictures that change in the middle of a video, a folder that goes away during a
# run, a driver and an OpenGL that are too old. What was written before is whole, and the message says what to do.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
cd "$WORK" || exit 1

match=(--headless -m ssd -d 0:10 --backend cpu)

# clip FILE WIDTH HEIGHT ENCODING...: ten pictures.
clip() { ffmpeg -nostdin -v error -f lavfi -i "testsrc=size=$2x$3:rate=10:duration=1" "${@:4}" "$1"; }
# whole_maps FOLDER WIDTH HEIGHT: all files in it are complete maps, or there are none.
whole_maps() {
    local size=$((4 * $2 * $3 + $(printf 'Pf\n%d %d\n-1.0\n' "$2" "$3" | wc -c)))
    [ -z "$(find "$1" -mindepth 1 ! -size ${size}c)" ]
}

# ---- Pictures that change in the middle ----

clip small.ts 160 120 -c:v mpeg2video -f mpegts
clip large.ts 320 240 -c:v mpeg2video -f mpegts
# Its first packet says that it does not continue what is before it. Otherwise pictures seem to be lost there.
clip other.ts 160 120 -c:v mpeg2video -pix_fmt yuv422p -f mpegts -mpegts_flags +initial_discontinuity
cat small.ts large.ts >size.ts
cat small.ts other.ts >format.ts
mkdir size format
check "another size is refused where it begins" refused 1 'size.ts: its pictures change from 160x120 to 320x240 pixels at frame [0-9]+; split it there' \
    "${match[@]}" -f size.ts size.ts -o size/%d.pfm
check "with the maps before it" test -e size/8.pfm
check "after a jump that may have passed it, this is reported" refused 1 'at frame 15 or before it' "${match[@]}" -f size.ts size.ts --frames 15:
check "which are whole" whole_maps size 160 120
check "another pixel format is read" run 0 "${match[@]}" -f format.ts format.ts -o format/%d.pfm
check "with all of its pictures" test "$(ls format | wc -l)" = 20

# ---- A folder that goes away ----

# The run takes long, so that a busy machine comes to it in time.
mkdir there
"$program" -q "${match[@]}" -m gfd -d 0:60 --threads 1 --demo -o there/%d.pfm >log 2>&1 </dev/null &
pid=$!
check "a run writes" wait_until test -e there/1.pfm
mv there away
check "it fails when its folder is gone" ended 1
check "and says so" grep -Eq 'error: cannot write there/[0-9]+.pfm: its folder does not exist' log
rm -f away/.stereoview-*
check "the files written are complete" whole_maps away 640 480

# ---- No memory ----

# Without sanitizers, whose own memory takes terabytes of addresses.
case "$(nm -D "$program" 2>/dev/null)" in
*__asan_* | *__tsan_*) skipped "memory that the system refuses" "a sanitizer's own memory takes the library's place" ;;
*)
    little_memory() { (ulimit -v 1000000 && "$@"); }
    check "memory that the system refuses is reported" little_memory refused 1 \
        'out of memory for a (matcher|disparity map|buffer)' "${match[@]}" --synthetic 16000x16000 --frames 0:1 -o large.pfm
    check "and no file is left" test ! -e large.pfm
    ;;
esac

# ---- A driver that is older than the toolkit ----

if grep -q -e -DSV_CUDA=1 "${program%/*}/flags"; then
    mkdir driver
    echo 'int cuDriverGetVersion(int *version) { *version = 10020; return 0; }' |
        ${CC:-cc} -shared -fPIC -o driver/libcuda.so.1 -x c -
    old_driver() { LD_LIBRARY_PATH=$PWD/driver "$@"; }
    check "it is named, with both versions" old_driver refused 3 \
        'the NVIDIA driver supports CUDA 10.2 and this program needs 1[0-9.]+; update the driver' \
        --headless -m ssd --demo --frames 0:1 --backend cuda -o old.pfm
    check "unless CUDA is asked for, the CPU matches" old_driver run 0 --headless -m ssd --demo --frames 0:1 -o old.pfm
else
    skipped "an NVIDIA driver that is too old" "this program was built without CUDA; install the CUDA Toolkit and build it again"
fi

# ---- OpenGL ----

if [ -n "${DISPLAY:-}" ]; then
    check "an OpenGL that is too old is refused" env LIBGL_ALWAYS_SOFTWARE=1 MESA_GL_VERSION_OVERRIDE=2.1 \
        timeout $patience bash -c '"$0" --demo >log 2>&1; [ $? = 3 ]' "$program"
    check "with the version that is needed" grep -q 'error: cannot open a window with OpenGL 3.3: .*--headless' log
else
    skipped "an OpenGL that is too old" "there is no display"
fi
finish
