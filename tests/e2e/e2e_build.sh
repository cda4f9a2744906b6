#!/bin/bash
# The Makefile's variables and messages, and the steps of setup.sh, with stand-ins for the tools that it runs.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

if ! command -v make >/dev/null || ! command -v pkg-config >/dev/null; then
    skipped "building" "there is no make or no pkg-config"
    finish
fi
unset MAKEFLAGS MAKELEVEL CUDA OPENCV CUDA_ARCHS WERROR SANITIZE

# ---- make ----

object=$WORK/build/capture/repeat.o
compiled() { make BUILD="$WORK/build" CUDA=0 "$@" "$object" >"$WORK/make" 2>&1 && grep -q "CC $object" "$WORK/make"; }
up_to_date() { ! compiled "$@" && [ -s "$object" ]; }
check "an object is compiled" compiled
check "WERROR=1 does not compile it again" up_to_date WERROR=1
check "nor does going back" up_to_date
check "another flag does" compiled OPTIMISE=-O1

warned() { make BUILD="$WORK/build" CUDA=0 V=1 CFLAGS=-DNOTE "$@" -B "$object" 2>&1 | grep -q -- -Werror; }
check "WERROR=1 makes warnings errors" warned WERROR=1
check "WERROR=0 does not" bash -c "! ($(declare -f warned); WORK='$WORK' object='$object' warned WERROR=0)"

# As by someone who installs OpenCV later. Stand-ins for the compilers make empty objects.
mkdir "$WORK/quick"
# shellcheck disable=SC2016
printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || : >"$2"; shift; done\n' >"$WORK/quick/cc"
# shellcheck disable=SC2016
printf '#!/bin/sh\nshift && archive=$1 && shift && echo "$@" >"$archive"\n' >"$WORK/quick/ar"
printf '#!/bin/sh\n' >"$WORK/quick/pkg-config"
chmod +x "$WORK"/quick/*
parts_with() { # OBJECT VARIABLE...
    local object=$1
    shift
    env PATH="$WORK/quick:$PATH" make BUILD="$WORK/quick/build" CUDA=0 CC=cc CXX=cc AR=ar "$@" "$WORK/quick/build/parts.a" &&
        grep -q "/rig/$object " "$WORK/quick/build/parts.a"
}
check "a program without OpenCV" parts_with board_none.o OPENCV=0
check "has it when it is made again with it" parts_with board_opencv.o

# refuses PATTERN ARGUMENT...: make fails, and a line of its output matches the pattern.
refuses() {
    local pattern=$1
    shift
    if make BUILD="$WORK/other" "$@" >"$WORK/make" 2>&1; then echo "make $* succeeds" && return 1; fi
    grep -Eq -- "$pattern" "$WORK/make" || { cat "$WORK/make" && return 1; }
}
check "CUDA=yes is refused" refuses "CUDA is 0 or 1, not 'yes'" CUDA=yes
check "OPENCV=yes is refused" refuses "OPENCV is 0 or 1, not 'yes'" OPENCV=yes
mkdir "$WORK/lacking" "$WORK/bare"
# shellcheck disable=SC2016
printf '#!/bin/sh\ncase "$*" in *imgui* | *yaml* | *cmocka* | *opencv*) exit 1 ;; esac\n' >"$WORK/lacking/pkg-config"
chmod +x "$WORK/lacking/pkg-config"
check "missing libraries are named by package" \
    env PATH="$WORK/lacking:$PATH" bash -c "$(declare -f refuses); WORK='$WORK' refuses 'libyaml-dev libimgui-dev;' CUDA=0"
sed -i 's/ \*imgui\* | \*yaml\* |//' "$WORK/lacking/pkg-config"
check "so is OpenCV where it is wanted" \
    env PATH="$WORK/lacking:$PATH" bash -c "$(declare -f refuses); WORK='$WORK' refuses 'libopencv-dev or build with OPENCV=0' CUDA=0 OPENCV=1"
check "so is the tests' own library" \
    env PATH="$WORK/lacking:$PATH" bash -c "$(declare -f refuses); WORK='$WORK' refuses 'libcmocka-dev' CUDA=0 unit-tests"
for tool in make sh bash cat cut mkdir grep find; do ln -s "$(command -v $tool)" "$WORK/bare/"; done
check "a missing pkg-config is named" \
    env PATH="$WORK/bare" bash -c "$(declare -f refuses); WORK='$WORK' refuses 'no pkg-config' CUDA=0"
check "make clean needs none" env PATH="$WORK/bare" make -n clean

# ---- setup.sh ----

status_of() {
    local expected=$1 status=0
    shift
    "$@" >"$WORK/output" 2>&1 </dev/null || status=$?
    [ $status = "$expected" ] || { echo "exit status $status, not $expected" && tail -5 "$WORK/output" && return 1; }
}
check "a goal that there is not ends with 2" status_of 2 ./setup.sh nonsense

# A tree with all packages, in which make fails without OpenCV, and one test fails.
tree=$WORK/tree
mkdir -p "$tree/tests/long" "$tree/tests/fuzz" "$tree/replaced"
cp -r setup.sh Makefile make "$tree/"
stand_in() {
    printf '#!/bin/bash\n%s\n' "$2" >"$tree/$1"
    chmod +x "$tree/$1"
}
stand_in replaced/apt-get ''
stand_in replaced/dpkg-query 'echo installed'
stand_in replaced/clang-format-14 'echo version 99'
# shellcheck disable=SC2016
stand_in replaced/make 'case "$*" in *print-build*) folder=build$(echo "$*" | cksum | cut -c 1-6) && mkdir -p $folder/tests && echo $folder ;;
*print-cuda*) echo 0 ;; *OPENCV=0*) exit 2 ;; esac'
stand_in tests/run 'echo "skipped - no card: there is none"
if [ "$1" = unit ]; then echo "5 passed, 0 failed, 0 skipped"; else echo "failed - e2e_it: one: two is not one" && echo "7 passed, 1 failed, 1 skipped" && false; fi'
stand_in tests/fuzz/fuzz 'echo "9 passed, 0 failed, 0 skipped"'
setup_check() { status_of 1 env PATH="$tree/replaced:$PATH" "$tree/setup.sh" check; }
check "check fails when one step does" setup_check
check "the steps after it are made" grep -q '^9 passed' "$WORK/output"
check "the failed steps are named at the end" bash -c "tail -15 '$WORK/output' | grep -q 'failed: Build with clang' &&
    tail -15 '$WORK/output' | grep -q 'failed: Tests'"
check "so is the reason of every skip" bash -c "tail -15 '$WORK/output' | grep -q 'skipped: .*there is none' &&
    tail -15 '$WORK/output' | grep -q 'skipped: .*version 14'"
check "failed tests are named after all skips" bash -c \
    "tail -6 '$WORK/output' | grep -qx 'failed: Tests: e2e_it: one: two is not one' && ! tail -5 '$WORK/output' | grep -q '^skipped:'"
check "the last line is the sum" test "$(tail -1 "$WORK/output")" = "21 passed, 2 failed, 2 skipped"

# ---- tests/run ----

# Programs with the output of cmocka.
suite=$WORK/suite/house
mkdir -p "$suite/tests/e2e" "$suite/tests/unit/room" "$suite/build/tests"
cp tests/run "$suite/tests/"
unit() {
    touch "$suite/tests/unit/room/test_$1.c"
    printf '#!/bin/bash\necho "[==========] tests: Running 1 test(s)."\necho "[ RUN      ] it"\n%s\n' "$2" \
        >"$suite/build/tests/test_$1"
    chmod +x "$suite/build/tests/test_$1"
}
unit good 'echo "[       OK ] it"; echo "[==========] tests: 1 test(s) run."'
unit poor 'echo "../shared/data is not here"; echo "[  SKIPPED ] it"; echo "[==========] tests: 1 test(s) run."'
unit lazy 'echo "it rained"; echo "[  SKIPPED ] it"; echo "[==========] tests: 1 test(s) run."'
unit wrong 'echo "5 is not 4"; echo "[   LINE   ] --- it.c:7: error: Failure!"; echo "[  FAILED  ] it"
echo "[==========] tests: 1 test(s) run."; echo "[  FAILED  ] tests: it"; false'
unit broken 'echo "before"; kill -SEGV $$'
unit asleep 'sleep 300'
unit busy 'while :; do :; done'
unit chatty 'while sleep 0.1; do echo "and"; done'
suite() { status_of "$1" env HANG_SECONDS=2 BUILD=build "$suite/tests/run" "${@:2}"; }
check "tests/run NAME runs that test alone" suite 0 test_good
check "a test may be skipped for want of something" suite 0 test_poor
check "and its reason is printed" grep -q 'skipped - test_poor: it: ../shared/data is not here' "$WORK/output"
mkdir "$WORK/suite/shared" "$WORK/suite/shared/data"
check "where that is there the skip is a failure" suite 1 test_poor
check "so is one without a good reason" suite 1 test_lazy
check "a test may fail" suite 1 test_wrong
check "and it is named, with what it printed" \
    test "$(grep '^failed - ' "$WORK/output")" = "failed - test_wrong: it: 5 is not 4 [   LINE   ] --- it.c:7: error: Failure!"
check "a test may crash" suite 1 test_broken
check "and how is reported" bash -c \
    "grep -qx 'failed - test_broken: it: before' '$WORK/output' && grep -qx 'failed - test_broken: exit status 139 after: before' '$WORK/output'"
cat >"$suite/tests/e2e/e2e_script.sh" <<'SCRIPT'
#!/bin/bash
echo "ok - one"
echo "not ok - two: seen"
echo "three"
echo "ok - four"
false
SCRIPT
chmod +x "$suite/tests/e2e/e2e_script.sh"
check "so may a script" suite 1 e2e_script
check "and what it saw is reported" test "$(grep '^failed - ' "$WORK/output")" = "failed - e2e_script: two: seen; three"
cp tests/e2e/e2e.sh "$suite/tests/e2e/"
cat >"$suite/tests/e2e/e2e_waits.sh" <<'SCRIPT'
#!/bin/bash
. tests/e2e/e2e.sh
check "one" true
check "two" sleep 300
SCRIPT
chmod +x "$suite/tests/e2e/e2e_waits.sh"
check "a script that waits for ever is ended" suite 1 e2e_waits
check "and in which check is reported" \
    grep -qx "failed - e2e_waits: .* after: tests/run: it hangs, and was ended, in the check 'two'" "$WORK/output"
# The reasons in the tests themselves, each up to what is filled in.
reasons_known() {
    python3 - <<'PYTHON'
import glob, re, sys
known = open("tests/run").read()
forms = {"sh": r'skipped "[^"]*" "([^"$]+)', "[ch]": r'print_message\("([^"%\\]+)[^;]*;[\s\\]*skip\(\)'}
reasons = {(name, reason) for kind, form in forms.items() for name in glob.glob(f"tests/**/*.{kind}", recursive=True)
           for reason in re.findall(form, open(name).read())}
unknown = [f"{name}: {reason}" for name, reason in sorted(reasons) if f": {reason}" not in known]
sys.exit("\n".join(unknown) if unknown else len(reasons) < 20)
PYTHON
}
check "every reason that a test names is known" reasons_known
check "a test that waits for ever is ended" suite 1 test_asleep
check "so is one that computes for ever" suite 1 test_busy
check "and reports that" grep -q 'it hangs' "$WORK/output"
limited() { LIMIT_SECONDS=2 suite 1 test_chatty && grep -q 'ended after 2 seconds' "$WORK/output"; }
check "so is one that talks for ever" limited
check "a name that there is not is refused" suite 1 nonsense
finish
