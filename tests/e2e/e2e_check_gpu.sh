#!/bin/bash
# tests/check-gpu says what is wrong and skips nothing else: it runs stand-ins for the test programs and the sanitizers.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
mkdir -p "$WORK/build/tests" "$WORK/bin"
PATH=$WORK/bin:$PATH
unset SV_TEST_QUICK SV_TEST_CASES SV_TEST_BACKEND

# program NAME LINE...: a stand-in that passes, and before that runs the lines.
program() {
    local file=$WORK/build/tests/$1
    if [ "$1" = bench ]; then file=$WORK/build/bench; fi
    shift
    printf '%s\n' '#!/bin/bash' '[ "${1:-}" = --probe ] && probing=1' "$@" 'echo "[  PASSED  ] 1 test(s)."' >"$file"
    chmod +x "$file"
}
all_pass() {
    local name
    for name in test_match test_refine test_temporal test_gfd test_sgm test_remap test_gpu test_gpu_volumes test_gpu_frames \
        test_interop test_library bench; do program $name; done
}
# checks STATUS PATTERN ARGUMENT...: check-gpu ends with that status and has a line that matches the pattern.
checks() {
    local expected=$1 pattern=$2 status=0
    shift 2
    BUILD=$WORK/build timeout $patience tests/check-gpu "$@" >"$WORK/output" 2>&1 || status=$?
    [ $status = "$expected" ] && grep -Eq -- "$pattern" "$WORK/output" && return 0
    echo "exit status $status, not $expected, or no '$pattern':"
    sed "s/^/    /" "$WORK/output"
    return 1
}

check "a missing test_gpu is a failure" checks 1 "^not ok - the CUDA backend: .* exit status 127" tests
all_pass
check "all is well when all pass" checks 0 "^ok - cuda gives the CPU's maps" tests
program test_gpu '[ -z "$probing" ] || { echo "there is no card"; exit 3; }'
check "without a device all is skipped" checks 0 '^skipped - the CUDA backend: there is no card$' tests
program test_gpu '[ -n "$probing" ] || kill -SEGV $$'
check "a crash of its tests is one, too" checks 1 "^not ok - cuda gives the CPU's maps.*: exit status 139" tests

all_pass
program test_match 'echo "[  SKIPPED ] something"'
check "a test that skips itself is a failure" checks 1 '^not ok - the methods match .*: 1 of its tests were skipped' tests
program test_match 'echo "[  PASSED  ] 0 test(s)."' 'exit 0'
check "a program that ran no test is a failure" checks 1 '^not ok - the methods match .*: its output has no' tests
all_pass
program test_interop 'echo "there is no display"' 'echo "[  SKIPPED ] test_cuda"'
check "a window's step is skipped without a display" checks 0 '^skipped - cuda writes into .*: there is no display$' tests

# sanitizer LINE...: a stand-in that runs the program, and after that the lines.
sanitizer() {
    printf '%s\n' '#!/bin/bash' '"${@: -1}" || exit' "$@" >"$WORK/bin/compute-sanitizer"
    chmod +x "$WORK/bin/compute-sanitizer"
}
sanitizer 'echo "ERROR SUMMARY: 0 errors"'
check "a sanitizer that watched nothing is a failure" checks 1 "^not ok - racecheck .* has no 'RACECHECK" racecheck gfd
check "only what is named is run" bash -c "! grep -q test_match '$WORK/output'"
sanitizer 'echo "ERROR SUMMARY: 1 error"' 'exit 9'
check "a finding is a failure" checks 1 '^not ok - memcheck .* test_gpu: exit status 9' memcheck
check "an unknown word is refused" checks 2 "'nonsense' is none of" nonsense
finish
