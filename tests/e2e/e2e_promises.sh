#!/bin/bash
# What SECURITY.md promises of files, network and commands: strace lists what runs over files of all kinds open, and that
# they connect to nothing and start no program.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh

if ! command -v strace >/dev/null; then
    skipped "which files are opened" "there is no strace"
    finish
elif ! strace -o "$WORK/may" true 2>/dev/null; then
    skipped "which files are opened" "this system lets nobody trace"
    finish
fi
calls=open,openat,openat2,creat,socket,connect,bind,execve,execveat
tree=$PWD
root=$(realpath "$WORK")
export HOME=$root XDG_CACHE_HOME=$root/.cache
cd "$root" || exit 1

# Reads what strace wrote: of each thread a file of its own, with the paths of open files.
reached() { cat trace.* | sed -nE 's/^(open|openat|openat2|creat)\(.* = [0-9]+<([^>]*)>.*/\2/p' | sort -u; }
written() { cat trace.* | sed -nE '/O_WRONLY|O_RDWR|^creat/s/^(open|openat|openat2|creat)\(.* = [0-9]+<([^>]*)>.*/\2/p' | sort -u; }
networks() { cat trace.* | grep -E '^(socket|connect|bind)\(' | grep -vE '^[a-z]+\((AF_UNIX|[0-9]+<[^>]*>, \{sa_family=AF_UNIX)'; }
programs() { cat trace.* | grep -cE '^execve(at)?\(.* = 0$'; }
# traced COMMAND...: runs it; what it calls is in trace.*.
traced() {
    rm -f trace.*
    timeout $patience strace -ff -y -qq -s 200 -e trace=$calls -o trace "$@" >"$root/output" 2>&1 </dev/null
}
# What the loader, OpenMP, OpenGL and X11 read for themselves; the rest is what the user named, and the program's.
libraries='/(usr|lib|lib64|etc|proc|sys)/|/dev/(null|zero|u?random|shm|dri)|/memfd:|/run/'
# keeps_to_itself: the last run opened what is in this folder and in the tree, wrote in this folder alone, connected to
# nothing but the display and started nothing.
keeps_to_itself() {
    local status=0
    reached | grep -vE "^($libraries|$root(/|\$)|$tree/|$(realpath "$tree/$BUILD")/)" && status=1
    written | grep -vE "^($root/|/dev/(null|shm|dri)|/memfd:|/proc/self/)" && status=1
    networks && status=1
    [ "$(programs)" = 1 ] || { echo "$(programs) programs were started" && status=1; }
    return $status
}
may_read() { reached | grep -q "/$1\$"; }
may_not_read() { ! may_read "$1"; }

# ---- What strace would see ----

traced bash -c 'cat /dev/null; true </dev/tcp/127.0.0.1/9'
sees() { [ "$(programs)" = 2 ] && networks | grep -q AF_INET; }
check "a program that is started and a connection are seen" sees

# ---- Runs without a window ----

small_pair
for side in left right; do
    mkdir $side && cp $side.png $side/0.png && cp $side.png $side/1.png
    ffmpeg -nostdin -v error -framerate 10 -i $side/%d.png -c:v mpeg4 $side.mp4
done
write_calibration calibration.txt 320 240 100
printf 'left.png\tright.png\tlist.pfm\tcalibration.txt\n' >pairs.tsv
run=("$program" -q --headless --backend cpu -d 0:15)
check "videos are matched" traced "${run[@]}" -f left.mp4 right.mp4 --calibration calibration.txt -o '%d.pfm' -o '%d.ply' \
    -o map.mkv -o map.mp4 --stats stats.json
check "the run keeps to what was named" keeps_to_itself
check "and reads it" may_read left.mp4
check "pictures of a list are matched" traced "${run[@]}" --list pairs.tsv
check "the run keeps to what was named, too" keeps_to_itself
check "folders are matched" traced "${run[@]}" -f left right -o '%d.png'
check "and so does this run" keeps_to_itself

# ---- Files that name others ----

ffmpeg -nostdin -v error -framerate 10 -i left/%d.png -c:v mpeg2video -f mpegts secret.ts
printf '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsecret.ts\n#EXT-X-ENDLIST\n' >playlist.mp4
refuses() { ! traced "$@" && grep -q 'error: ' output; }
check "a playlist is refused" refuses "${run[@]}" -f playlist.mp4 playlist.mp4 -o '%d.pfm'
check "and what it names stays closed" may_not_read secret.ts
sed -i 's|^secret.ts|http://127.0.0.1:9/secret.ts|' playlist.mp4
check "a playlist that names an address is refused, too" refuses "${run[@]}" -f playlist.mp4 playlist.mp4 -o '%d.pfm'
check "which is asked for nothing" keeps_to_itself
printf '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "secret.ts">]><opencv_storage><M1>&b;</M1></opencv_storage>' >rig.xml
check "so is a calibration with an entity" refuses "${run[@]}" -f left.png right.png --calibration rig.xml -o '%d.pfm'
check "and what that names stays closed" may_not_read secret.ts
check "and the run keeps to itself" keeps_to_itself

# ---- A window ----

if [ -n "${DISPLAY:-}" ]; then
    check "videos are shown" traced "$program" -q --backend cpu -d 0:15 -f left.mp4 right.mp4 --benchmark --frames 0:2
    check "the window connects to its display, and keeps to what was named" keeps_to_itself
else
    skipped "a window" "there is no display"
fi
finish
