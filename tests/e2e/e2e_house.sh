#!/bin/bash
# The rules of the house: see house.py and members.py, and that what is built starts no other program.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

house() { python3 tests/house.py "$@"; }
check "each folder is a room, and rooms form no circle" house rooms
check "no room includes what it may not" house includes
check "no room calls what it may not include" house calls "$BUILD"
check "the files form no circle of includes or calls" house circles "$BUILD"
check "no small file has only one user" house crumbs
check "each file begins with what it is for" house begins
lists_all() {
    make -s CUDA=0 files >"$WORK/files" && grep -qE '^capture/pair\.c \.h +Decodes two sources, ' "$WORK/files" &&
        find */ -regex '.*\.\(c\|cpp\|cu\)' ! -path 'build*' | sort |
        diff - <(cut -d ' ' -f 1 "$WORK/files" | grep -E '\.(c|cpp|cu)$' | sort)
}
check "make files lists them all" lists_all
check "no member of the window's structures is touched by more than two files" python3 tests/members.py
check "nothing in render/ knows a matcher or a backend" \
    bash -c '! grep -rnE "\bsv_(matcher|backends?|submit|wait|footprint|cpu|cuda)\b" render'
check "the library's messages name parameters, not options" house words

# What SECURITY.md promises: FFmpeg alone connects, and nothing of ours starts a program or loads a library, but for ONNX
# Runtime in net/ort.c and the driver's decoder in gpu/luma.cu.
calls_none() {
    find "$BUILD" -name '*.o' ! -path "$BUILD/tests/*" ! -path "$BUILD/assets/*" ! -path "$BUILD/deb/*" -exec nm -uA {} + |
        awk -v loads="^$BUILD/(net/ort|gpu/luma)[.]o:$" '$2 == "U" && !($1 ~ loads && $3 == "dlopen") { print $3 }' | sort -u >"$WORK/called"
    grep -qx rename "$WORK/called" || return
    ! grep -Ex 'system|popen|v?fork|exec.*|posix_spawn.*|dlopen|socket|connect|bind|listen' "$WORK/called"
}
check "the program starts no other, loads ONNX Runtime and the driver alone, and connects by FFmpeg alone" calls_none
finish
