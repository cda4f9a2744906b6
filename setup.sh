#!/bin/bash
# From a fresh checkout on Debian 12, Debian 13 or Ubuntu 24.04:
#
#   ./setup.sh demo     installs what the build needs, builds, and plays the demo pair in a window; if there is no
#                       display, it writes the pictures to files instead
#   ./setup.sh develop  also installs what the tests need, and builds the program with them; tests/run then runs any
#   ./setup.sh check    also installs what the tests need, builds every configuration and runs all tests; a step that
#                       fails does not stop the others; the end names each skipped test and, last, each failed test
#                       and step
#   ./setup.sh long     also installs what the long tests need, and runs them: make check-long
#   ./setup.sh --help   prints this text
#
# Only missing packages are installed. On a bare system, demo downloads about 225 MB, develop and check up to 560 MB;
# check also fetches 60 MB from PyPI.
# make uses CUDA=0, CUDA_ARCHS, CC and CXX from the environment. Without CUDA_ARCHS, check builds for 75 and 90.

set -u -o pipefail
cd "$(dirname "$0")" || exit 1

# make/configure.mk names the packages of the libraries.
mapfile -t library_packages < <(grep -o ':lib[a-z0-9.-]*-dev' make/configure.mk | tr -d :)
build_packages=(make gcc g++ pkg-config "${library_packages[@]}" fonts-roboto-unhinted)
check_packages=(libcmocka-dev libopencv-dev xvfb libgl1-mesa-dri xdotool ffmpeg python3-opencv clang libclang-rt-dev
    libomp-dev lld clang-format poppler-utils strace python3-cffi python3-pytest python3-setuptools python3-venv man-db
    zsh desktop-file-utils appstream parallel python3-gi gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-good)
long_packages=(build-essential debhelper dh-python lintian debootstrap gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    qemu-system-x86 busybox-static cpio kmod xz-utils zstd v4l-utils x11-utils)

passed=0 failed=0 skipped=0
skips=() # a line for each skipped test
fails=() # a line for each failed test and each failed step
step="start"

# fail [WHY]: the current step has failed. This ends every goal but check, which continues.
fail() {
    echo
    echo "setup.sh: step '$step' failed${1:+: $1}" >&2
    fails+=("failed: $step${1:+: $1}")
    ((failed += 1))
    if [ "$goal" != check ]; then finish; fi
    return 1
}

# skip WHY: the current step is not possible on this machine.
skip() {
    echo "skipped: $1"
    skips+=("skipped: $step: $1")
    ((skipped += 1))
}

# Prints what was skipped and what failed, each with its reason, and the time that was needed. For check, the last line
# is the sum.
finish() {
    echo
    if ((${#skips[@]} + ${#fails[@]})); then printf '%s\n' "${skips[@]}" "${fails[@]}"; fi
    echo "Total: $SECONDS s"
    if [ "$goal" = check ]; then echo "$passed passed, $failed failed, $skipped skipped"; fi
    exit $((failed > 0))
}

begin() {
    step=$1
    echo
    echo "== $step (at $SECONDS s)"
}

# Reads the output of apt-get install, and prints now and then how far it has come. Not by awk, whose newer versions show
# nothing before a pipe ends.
progress() {
    local line total=0 fetched=0 ready=0
    while read -r line; do
        case $line in
        *' newly installed, '*) line=${line#*, } && total=${line%% *} ;;
        'Need to get'* | [EW]:*) echo "$line" ;;
        Get:*) ((++fetched % 50 && fetched != total)) || echo "downloaded $fetched of $total" ;;
        'Setting up'*) ((++ready % 50 && ready != total)) || echo "installed $ready of $total" ;;
        esac
    done
}

install_packages() {
    local package missing=() as_root=()
    begin "Packages"
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "This system has no apt. Install these, by their Debian names, and run 'make': $*"
        fail "only Debian and Ubuntu are set up automatically"
        return
    fi
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    if ((${#missing[@]} == 0)); then
        echo "Nothing is missing."
        return
    fi
    echo "Missing: ${missing[*]}"
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            fail "packages can only be installed by root, and there is no sudo; as root: apt-get install ${missing[*]}"
            return
        fi
        as_root=(sudo)
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -o DPkg::Lock::Timeout=300)
    echo "Fetching the package lists."
    "${as_root[@]}" -qq update || { fail "apt-get update; is there a network?"; return; }
    for package in "${missing[@]}"; do
        apt-cache show "$package" >/dev/null 2>&1 && continue
        fail "apt knows no package '$package'; on Ubuntu the component universe must be on \
(add-apt-repository universe, of the package software-properties-common)"
        return
    done
    echo "Installing them and their dependencies."
    "${as_root[@]}" -q -y install --no-install-recommends "${missing[@]}" 2>&1 | progress || fail "apt-get install"
}

# build NAME TARGET VARIABLE=...: runs make, and sets `folder` to the build folder that these variables select.
build() {
    local target=$2
    begin "$1"
    shift 2
    folder=$(make -s print-build "$@") || { fail; return; }
    echo "make -j$(nproc) $target $*"
    make -j"$(nproc)" "$target" "$@" || fail
}

# run_tests NAME COMMAND...: runs the command with `folder` as BUILD, adds the numbers in its last line to the totals,
# and notes the skipped and the failed tests.
run_tests() {
    local log=$folder/tests/run.log status line p f s
    begin "$1"
    shift
    BUILD=$folder "$@" | tee "$log"
    status=$?
    while read -r line; do skips+=("skipped: $step: $line"); done < <(sed -n 's/^skipped - //p' "$log")
    while read -r line; do fails+=("failed: $step: $line"); done < <(sed -n 's/^failed - //p' "$log")
    read -r p _ f _ s _ < <(tail -n 1 "$log")
    if [[ "$p $f $s" =~ ^[0-9]+\ [0-9]+\ [0-9]+$ ]]; then
        ((passed += p, skipped += s))
        ((failed += f > 0 ? f - 1 : 0)) # fail counts one
    fi
    ((status == 0)) || fail "${f:-?} tests"
}

make_models() {
    begin "Models for the tests, made with PyPI's packages"
    make models || skip "PyPI cannot be reached, or has no package for this Python"
}

# Versions of clang-format format differently. Version 14 decides.
check_format() {
    local format
    begin "Format"
    format=$(command -v clang-format-14 || echo clang-format)
    if ! $format --version | grep -q 'version 14\.'; then
        skip "$($format --version) is not version 14"
        return
    fi
    if find . -path './build*' -prune -o \
        '(' -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' ')' -print0 |
        xargs -0 "$format" --dry-run -Werror; then
        ((passed += 1))
    else
        fail "clang-format -i puts it right"
    fi
}

demo() {
    install_packages "${build_packages[@]}"
    build "Build" all
    begin "Demo"
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        echo "$folder/stereoview --demo"
        "$folder/stereoview" --demo || fail
        return
    fi
    echo "There is no display, so the maps are written as pictures instead of shown in a window."
    mkdir -p "$folder/demo"
    echo "$folder/stereoview --demo --headless --frames 0:25 -o $folder/demo/%03d.color.png"
    "$folder/stereoview" --demo --headless --frames 0:25 -o "$folder/demo/%03d.color.png" || fail
    echo "Written: $PWD/$folder/demo/000.color.png to 024.color.png"
}

develop() {
    install_packages "${build_packages[@]}" "${check_packages[@]}"
    build "Build with the tests" check-programs
    echo "For example: BUILD=$folder tests/run test_input e2e_keys"
}

check() {
    local cuda=()
    install_packages "${build_packages[@]}" "${check_packages[@]}" || finish
    check_format
    make_models
    # Machine code for all generations of GPUs takes minutes to compile. The oldest one, 90 and PTX represent them. If
    # no card can run the code, nvcc omits slow optimisations, provided that it has the option.
    if [ "$(make -s print-cuda)" = 1 ]; then
        cuda=(CUDA_ARCHS="${CUDA_ARCHS:-75 90}")
        if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null && "$(make -s print-nvcc)" --help | grep -e --Ofast-compile >/dev/null; then
            cuda+=(NVCCFLAGS="${NVCCFLAGS:-} --Ofast-compile=max")
        fi
    fi
    if build "Build, warnings are errors" check-programs WERROR=1 "${cuda[@]}"; then
        run_tests "Tests" tests/run
    fi
    # The step after this one compiles the other unit tests with clang. Neither warnings nor results depend on the
    # optimiser.
    if build "Build with clang, without CUDA and OpenCV, warnings are errors" check-boards CUDA=0 OPENCV=0 WERROR=1 \
        CC=clang CXX=clang++ OPTIMISE=-O0; then
        run_tests "Tests without OpenCV" tests/run test_board test_board_rigs e2e_board
    fi
    if build "Build with sanitizers, warnings are errors" sanitized CUDA=0 WERROR=1 CC=clang CXX=clang++ \
        SANITIZE=address,undefined; then
        run_tests "Unit tests with sanitizers, fewer cases" env SV_TEST_QUICK=1 tests/run unit
        FUZZ_SECONDS=2 run_tests "Fuzzing, 2 seconds for each kind of input" tests/fuzz/fuzz
    fi
}

long() {
    install_packages "${build_packages[@]}" "${check_packages[@]}" "${long_packages[@]}"
    build "Long tests" check-long
}

goal=${1:-}
case $goal in
demo | develop | check | long) ;;
-h | --help)
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
    exit
    ;;
*)
    echo "usage: ./setup.sh demo | develop | check | long | --help" >&2
    exit 2
    ;;
esac
"$goal"
finish
