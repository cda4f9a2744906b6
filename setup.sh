#!/bin/bash
# From a fresh checkout on Debian 12, Debian 13 or Ubuntu 24.04:
#
#   ./setup.sh demo     installs what the build needs, builds, and plays the demo pair in a window; where there is no
#                       display it writes the same pictures to files
#   ./setup.sh check    installs what the tests need too, builds in every configuration and runs all tests
#
# Only packages that are missing are installed. CUDA=0, CUDA_ARCHS, CC and CXX of the environment reach make.

set -u -o pipefail
cd "$(dirname "$0")" || exit 1

build_packages=(make gcc g++ pkg-config libglfw3-dev libglew-dev libavformat-dev libavcodec-dev libavdevice-dev
    libswscale-dev libavutil-dev libimgui-dev libpng-dev libyaml-dev libxml2-dev fonts-dejavu-core)
check_packages=(libcmocka-dev xvfb libgl1-mesa-dri xdotool ffmpeg python3-opencv clang libclang-rt-dev libomp-dev clang-format
    qemu-system-x86 busybox-static cpio kmod xz-utils v4l-utils)

passed=0 failed=0 skipped=0
step="start"

# Ends the run at the first thing that fails, with the name of the step it happened in.
fail() {
    echo
    echo "setup.sh: failed in the step '$step'${1:+: $1}" >&2
    finish 1
}

# finish STATUS: prints how long it took and, for check, the sum over all tests as the last line.
finish() {
    echo "Total: $SECONDS s"
    if [ "$goal" = check ]; then
        if (($1 != 0 && failed == 0)); then failed=1; fi
        echo "$passed passed, $failed failed, $skipped skipped"
    fi
    exit "$1"
}

begin() {
    step=$1
    echo
    echo "== $step (at $SECONDS s)"
}

install_packages() {
    local package missing=() as_root=()
    begin "Packages"
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "This system has no apt. Install these, by their Debian names, and run 'make': $*"
        fail "only Debian and Ubuntu are set up automatically"
    fi
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    if ((${#missing[@]} == 0)); then
        echo "All there."
        return
    fi
    echo "Missing: ${missing[*]}"
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            fail "packages can only be installed by root, and there is no sudo; as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    "${as_root[@]}" update || fail "apt-get update; is there a network?"
    for package in "${missing[@]}"; do
        apt-cache show "$package" >/dev/null 2>&1 && continue
        fail "apt knows no package '$package'; on Ubuntu the component universe must be on \
(add-apt-repository universe, of the package software-properties-common)"
    done
    echo "Installing them and what they need."
    "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null || fail "apt-get install"
}

# build NAME TARGET VARIABLE=...: runs make and sets `folder` to the build folder that the variables choose.
build() {
    local target=$2
    begin "$1"
    shift 2
    folder=$(make -s print-build "$@") || fail
    echo "make -j$(nproc) $target $*"
    make -j"$(nproc)" "$target" "$@" || fail
}

# run_tests NAME COMMAND...: runs it on `folder` and adds the sums in its last line.
run_tests() {
    local status p f s
    begin "$1"
    shift
    BUILD=$folder "$@" | tee "$folder/tests/run.log"
    status=$?
    read -r p _ f _ s _ < <(tail -n 1 "$folder/tests/run.log")
    if [[ "$p $f $s" =~ ^[0-9]+\ [0-9]+\ [0-9]+$ ]]; then ((passed += p, failed += f, skipped += s)); fi
    ((status == 0)) || fail
}

# Versions of clang-format differ in their taste; 14 is the one that decides.
check_format() {
    begin "Format"
    if ! clang-format --version | grep -q 'version 14\.'; then
        echo "skipped: $(clang-format --version) is not version 14"
        ((skipped += 1))
        return
    fi
    find app assets capture cpu gpu render rig stereo tests \
        '(' -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' ')' -print0 |
        xargs -0 clang-format --dry-run -Werror || fail "clang-format -i puts it right"
    ((passed += 1))
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
    echo "There is no display, so the disparities go to pictures instead of a window."
    mkdir -p "$folder/demo"
    echo "$folder/stereoview --demo --headless --frames 0:25 -o $folder/demo/%03d.color.png"
    "$folder/stereoview" --demo --headless --frames 0:25 -o "$folder/demo/%03d.color.png" || fail
    echo "Written: $PWD/$folder/demo/000.color.png to 024.color.png"
}

check() {
    install_packages "${build_packages[@]}" "${check_packages[@]}"
    check_format
    build "Build, warnings are errors" check-programs WERROR=1
    run_tests "Tests" tests/run
    run_tests "Cameras" tests/check-cameras
    build "Build without CUDA, warnings are errors" check-programs CUDA=0 WERROR=1
    build "Build with clang, warnings are errors" check-programs CUDA=0 WERROR=1 CC=clang CXX=clang++
    build "Build with sanitizers" unit-tests CUDA=0 SANITIZE=address,undefined
    run_tests "Unit tests with sanitizers" tests/run unit
    begin "Build for fuzzing"
    make -j"$(nproc)" fuzzers || fail
    folder=build-fuzz
    run_tests "Fuzzing, 60 seconds for each format" tests/fuzz
}

goal=${1:-}
case $goal in
demo | check) ;;
*)
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
"$goal"
finish 0
