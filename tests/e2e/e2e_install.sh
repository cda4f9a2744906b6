#!/bin/bash
# What make install installs: the library, used by an example that knows the installed files alone, and its symbols; and
# that make uninstall leaves nothing.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

if ! command -v make >/dev/null || ! command -v pkg-config >/dev/null; then
    skipped "installing" "there is no make or no pkg-config"
    finish
fi
unset MAKEFLAGS MAKELEVEL CUDA OPENCV CUDA_ARCHS WERROR SANITIZE
stage=$WORK/stage prefix=/opt/stereoview
cuda=$(grep -c -e -DSV_CUDA=1 "$BUILD/flags")
make_it() { make -s BUILD="$BUILD" CUDA="$((cuda > 0))" DESTDIR="$stage" PREFIX=$prefix "$1"; }

check "make install" make_it install-files
there=$stage$prefix
lib=$there/lib
export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage LD_LIBRARY_PATH=$lib
cc=${CC:-cc}

# ---- The library ----

# Sorted names of functions.
declared() { grep -o 'SV_API [^(]*(' stereo/stereoview.h | grep -o 'sv_[a-z_]*($' | tr -d '(' | sort; }
visible() { nm "$@" | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }
same() { diff <(declared) <("$@"); }
check "the shared library shows what the header declares, and nothing else" same visible -D --defined-only "$lib/libstereoview.so"
check "so does the static one" same visible -g --defined-only "$lib/libstereoview.a"
soname() { readelf -d "$lib/libstereoview.so" | grep -q 'soname: \[libstereoview.so.2\]'; }
check "its soname is libstereoview.so.2" soname
needs_little() { ! readelf -d "$lib/libstereoview.so" | grep NEEDED | grep -Ei 'libav|libsw|gl|x11|opencv|imgui|png'; }
check "it needs no window, no FFmpeg and no OpenCV" needs_little
header() { echo '#include <stereoview/stereoview.h>' | $cc -fsyntax-only -Wall -Wextra -Werror -pedantic "$@" - $(pkg-config --cflags stereoview); }
check "the header is C11" header -x c -std=c11
check "and C++11" header -x c++ -std=c++11
is_version() { [ "$(pkg-config --modversion stereoview)" = "$("$there/bin/stereoview" --version | awk 'NR == 1 { print $2 }')" ]; }
check "pkg-config reports the program's version" is_version

# ---- The example ----

cp examples/match.c examples/pictures.h "$WORK/"
python3 - "$WORK" <<'PYTHON'
import random, sys
random.seed(1)
width, height, shift = 640, 96, 12
rows = [bytes(random.randrange(256) for _ in range(width + shift)) for _ in range(height)]
for name, begin in ("left", 0), ("right", shift):
    with open(f"{sys.argv[1]}/{name}.pgm", "wb") as f:
        f.write(b"P5 %d %d 255\n" % (width, height) + b"".join(row[begin:begin + width] for row in rows))
PYTHON
from_installed() { (cd "$WORK" && $cc -std=c11 -Wall -Wextra -Werror "$@") || return 1; }
example() { (cd "$WORK" && "./$1" left.pgm right.pgm "$1.pfm") && cmp "$WORK/$1.pfm" "$WORK/program.pfm"; }
# shellcheck disable=SC2046
check "the example compiles from the installed files" from_installed -o match match.c $(pkg-config --cflags --libs stereoview)
check "the program matches its pictures" run 0 --headless -f "$WORK/left.pgm" "$WORK/right.pgm" -m sgm -d auto -o "$WORK/program.pfm"
check "with the range that it finds" grep -Eq 'disparities 0:(15|23), found' "$WORK/output"
check "the example's map is the program's" example match
# shellcheck disable=SC2046
check "the example compiles with the static library" from_installed -o static match.c $(pkg-config --cflags stereoview) \
    "$lib/libstereoview.a" $(pkg-config --static --libs stereoview | sed 's/-lstereoview//')
needs_not() { ! readelf -d "$WORK/static" | grep stereoview; }
check "and does not need the shared one" needs_not
check "its map is the same" example static
refuses() { ! "$WORK/match" "$WORK/left.pgm" "$WORK/match.c" "$WORK/no.pfm" 2>"$WORK/why" && grep -q usage "$WORK/why"; }
check "a file that is not a picture is refused" refuses

# ---- The manual page and its like ----

page=$there/share/man/man1/stereoview.1
# Every option and parameter of --help, by its name.
names() { "$program" --help | grep -oE '^( {2,6}|  -., )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | sort -u; }
[ "$(names | wc -l)" -gt 70 ] || not_ok "--help has names" "$(names | wc -l)"
in_page() { sed 's/\\-/-/g' "$page" | grep -oE -- '--[a-z0-9-]+' | sort -u | comm -13 - <(names) | grep . && return 1 || return 0; }
check "the manual page has every option of --help" in_page
if command -v man >/dev/null; then
    warned() { LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | grep . && return 1 || return 0; }
    check "it formats without a warning" warned
else
    skipped "the manual page formats" "there is no man"
fi
bash_file=$there/share/bash-completion/completions/stereoview
# complete WORD...: what completing the last word offers, sorted.
complete_words() { bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stereoview; printf "%s\n" "${COMPREPLY[@]}"' - "$bash_file" stereoview "$@" | sort; }
offers() { diff <(printf '%s\n' "${@:2}" | sort) <(eval "complete_words $1"); }
check "bash completes every option" diff <(names) <(complete_words --)
# shellcheck disable=SC2046
check "and the methods" offers '-m ""' $(methods) net
check "and the words of a parameter" offers '--median ""' off 3 5
check "and of options" offers '--lens ""' 5 8 fisheye
check "of each that has some" offers '--unit m' mm m
check "such as the layouts" offers '--layout sbs' sbs sbs-half
check "after an equals sign, too" offers '--backend = c' cpu cuda
if command -v zsh >/dev/null; then
    check "zsh reads its completion" zsh -n "$there/share/zsh/site-functions/_stereoview"
else
    skipped "zsh reads its completion" "there is no zsh"
fi
lists() { "$there/bin/stereoview" --version >"$WORK/version" && grep -q "^  cpu   CPU, " "$WORK/version" && grep -q '^Methods: ssd, ncc' "$WORK/version" && grep -q 'libavcodec [0-9.]*, .*Expat [0-9]' "$WORK/version"; }
check "--version lists backends, methods and libraries" lists

# ---- Debian's packages ----

check "debian/changelog has the version" test "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" = "$(pkg-config --modversion stereoview)"
needs() { for package in $(grep -oE ':lib[a-z0-9.-]*-dev' make/configure.mk | tr -d :); do grep -q "$package" debian/control || { echo "$package" && return 1; }; done; }
check "debian/control names the libraries of make/configure.mk" needs
symbols() { sed -n 's/^ \(sv_[a-z_]*\)@.*/\1/p' debian/libstereoview2.symbols | sort; }
check "debian's list of symbols is the library's" diff <(declared) <(symbols)

# ---- The program and the end ----

demo_is_found() { "$there/bin/stereoview" -q --headless --demo --frames 0:1 -o "$WORK/demo.pfm"; }
check "the installed program finds its demo" demo_is_found
check "make uninstall" make_it uninstall
leaves_nothing() { [ -z "$(find "$stage" ! -type d)" ] && [ ! -e "$there/share/stereoview" ] && [ ! -e "$there/include/stereoview" ]; }
check "leaves nothing" leaves_nothing
finish
