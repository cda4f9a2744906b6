#!/bin/bash
# The house rules: a folder includes only what ARCHITECTURE.md allows it, the page names every file, the files of
# the program include and call one another in one direction, what other programs use says nothing of its options, and
# what is built starts no other program.
cd "$(dirname "$0")/.." && . tests/e2e.sh

cat >"$WORK/house.py" <<'PYTHON'
import glob, os, re, subprocess, sys

def stem(path):
    return os.path.splitext(path)[0]

# The file that a name includes: beside the file that includes it, or from the root on.
def file_of(path, name):
    beside = os.path.join(os.path.dirname(path), name)
    return beside if os.path.exists(beside) else name

with open("ARCHITECTURE.md", encoding="utf-8") as page:
    sections = re.findall(r"^### `(\w+)/`(.*)\n((?:(?!#).*\n)*)", page.read(), re.M)
rooms = {room: title for room, title, _ in sections}
folders = {path.split("/")[0] for path in glob.glob("*/*.[ch]")}
folders -= {path.split("/")[0] for path in glob.glob("*/flags")}  # where a program was built
if folders - rooms.keys() or len(rooms) < len(sections):
    sys.exit(f"not one section for each folder: {' '.join(sorted(folders - rooms.keys()) or [s[0] for s in sections])}")
texts = {room: text for room, _, text in sections}
files = sorted(path for room in rooms for path in glob.glob(f"{room}/**", recursive=True)
               if re.search(r"\.(c|h|cpp|cu|cuh|def)$", path))
program = [path for path in files if not path.startswith(("tests/", "assets/"))]
includes = {}
for path in files:
    with open(path, encoding="utf-8") as file:
        includes[path] = [file_of(path, name) for name in re.findall(r'^\s*#\s*include "([^"]+)"', file.read(), re.M)]
unknown = [f"{path} includes {name}" for path, names in includes.items() for name in names if name not in files]
if unknown:
    sys.exit("what is included is not there: " + "; ".join(unknown))
if len(rooms) < 7 or sum(map(len, includes.values())) < 100:
    sys.exit(f"{len(rooms)} folders and {sum(map(len, includes.values()))} includes are not all of them")

def includes_what_it_may(path, name):
    room, other = path.split("/")[0], name.split("/")[0]
    return room == other or "includes all" in rooms[room] or f"`{other}/`" in rooms[room]

def check_folders():
    return [f"{path} includes {name}" for path, names in includes.items() for name in names
            if not includes_what_it_may(path, name)]

# A pair of files is named once; `_robots.c` behind `calibration_opencv.c` is calibration_robots.c; files of gpu/ may be
# named as those of cpu/.
def check_names():
    named = {room: set(re.findall(r"`(\w+)\.\w+`", text)) for room, text in texts.items()}
    named["gpu"] |= named["cpu"]
    def is_named(room, base):
        return base in named[room] or any(base.endswith(n) for n in named[room] if n.startswith("_"))
    there = {room: {os.path.basename(stem(path)) for path in program if path.startswith(f"{room}/")} for room in rooms}
    lost = [f"{path} is not named" for path in program if not is_named(path.split("/")[0], os.path.basename(stem(path)))]
    for room in there:
        for name in re.findall(r"`(\w+)\.(?:c|h|cpp|cu|cuh|def)`", texts[room]) if there[room] else ():
            if not any(base == name or name.startswith("_") and base.endswith(name) for base in there[room]):
                lost.append(f"there is no {room}/{name}")
    return lost

def circles_of(needs, verb):
    done = set()
    def circle(name, way):
        if name in way:
            return [f" {verb} ".join([*way[way.index(name):], name])]
        found = [] if name in done else sum((circle(other, [*way, name]) for other in sorted(needs.get(name, ()))), [])
        done.add(name)
        return found
    return sum((circle(name, []) for name in sorted(needs)), [])

# A header and the file of its name are one. A header that has no such file is part of those that include it.
bodies = {stem(path) for path in program if not re.search(r"\.(h|cuh|def)$", path)}

def check_circles():
    def reached(path, seen):
        for name in includes[path]:
            if name not in seen:
                seen.add(name)
                yield from [stem(name)] if stem(name) in bodies else reached(name, seen)
    needs = {}
    for path in program:
        if stem(path) in bodies:
            needs.setdefault(stem(path), set()).update(set(reached(path, set())) - {stem(path)})
    return circles_of(needs, "includes")

# Files that share a header may call one another in a circle that no include shows; the symbols of what was compiled do.
def check_calls():
    objects = {name: f"{sys.argv[2]}/{name}.o" for name in bodies if os.path.exists(f"{sys.argv[2]}/{name}.o")}
    if len(objects) < 150:
        return [f"only {len(objects)} files were compiled"]
    names = {path: name for name, path in objects.items()}
    lines = subprocess.run(["nm", "-gPA", *names], capture_output=True, text=True, check=True).stdout.splitlines()
    defined_in, called = {}, {}
    for line in lines:
        path, symbol, kind = line.split()[:3]
        name = names[path.rstrip(":")]
        if kind == "U":
            called.setdefault(name, set()).add(symbol)
        elif kind not in "WwVv":
            defined_in[symbol] = name
    needs = {name: {defined_in[symbol] for symbol in symbols if symbol in defined_in} for name, symbols in called.items()}
    return circles_of(needs, "calls")

# Words of the command line in the texts of the library, whose callers in C and Python have none: they know parameters.
def check_words():
    found, texts = [], 0
    for path in program:
        if path.split("/")[0] in ("stereo", "rig", "cpu", "gpu", "library"):
            with open(path, encoding="utf-8") as file:
                code = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.S)
            for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
                texts += 1
                if re.search(r"(^|[ ('])(-[a-z]\b|--[a-z%])", text):
                    found.append(f"{path}: {text}")
    return found if texts > 500 else [f"there are only {texts} texts"]

sys.exit("\n".join(globals()[f"check_{sys.argv[1]}"]()) or 0)
PYTHON

check "no folder includes what it may not" python3 "$WORK/house.py" folders
check "ARCHITECTURE.md names the files that there are" python3 "$WORK/house.py" names
check "the files form no circle of includes" python3 "$WORK/house.py" circles
check "the files form no circle of calls" python3 "$WORK/house.py" calls "$BUILD"
check "the library's messages name parameters, not options" python3 "$WORK/house.py" words

# What SECURITY.md promises: FFmpeg alone connects, and nothing of ours starts a program or loads a plug-in.
calls_none() {
    nm -u "$BUILD"/{app,capture,cpu,gpu,library,render,rig,stereo,video}/*.o | awk '$1 == "U" { print $2 }' | sort -u >"$WORK/called"
    grep -qx rename "$WORK/called" || return
    ! grep -Ex 'system|popen|v?fork|exec.*|posix_spawn.*|dlopen|socket|connect|bind|listen' "$WORK/called"
}
check "the program starts no other and connects by FFmpeg alone" calls_none
finish
