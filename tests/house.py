#!/usr/bin/env python3
"""The rules of the house that ARCHITECTURE.md states: house.py RULE [BUILD].

A room is a folder of the program. The page's table names the rooms that each may include. A file belongs to the room
with the longest name that begins its path.

  rooms      each folder is a room of the page, and the rooms that may include one another form no circle
  includes   no file includes one of a room that its own may not include
  calls      no compiled file calls a function of such a room; BUILD is where they were compiled
  circles    the files form no circle, neither of includes nor, with BUILD, of calls
  crumbs     no file of fewer than 30 lines has only one user
  begins     each file begins with a comment that says what it is for
  files      breaks no rule: lists what each file is for
  words      the library's texts name parameters, not options of the command line

Prints what breaks the rule; the exit status is then 1.
"""
import glob, os, re, subprocess, sys

# Knows the backends by name, so that nothing else does.
BACKENDS = "stereo/backends"

CODE = re.compile(r"\.(c|h|cpp|cu|cuh|def)$")


def stem(path):
    return os.path.splitext(path)[0]


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# Rows of the table: "| `rig/` | what it holds | `stereo/` `base/` |", or "all above", or "all above but `app/batch/`".
may = {}
for room, cell in re.findall(r"^\| `([\w/]+)/` \|.*\| ([^|]*) \|$", text_of("ARCHITECTURE.md"), re.M):
    named = set(re.findall(r"`([\w/]+)/`", cell))
    may[room] = may.keys() - named if cell.startswith("all above") else named


def room_of(path):
    folder = os.path.dirname(path)
    while folder and folder not in may:
        folder = os.path.dirname(folder)
    return folder


def may_use(room, other):
    return room == other or other in may[room]


# A header and the file of its name are one. A header that has no such file is part of those that include it.
files = sorted(path for room in may for path in glob.glob(f"{room}/**", recursive=True) if CODE.search(path))
files = sorted(set(files))
program = [path for path in files if not path.startswith(("tests/", "assets/", "examples/", "python/"))]
bodies = {stem(path) for path in program if not re.search(r"\.(h|cuh|def)$", path)}


# The file that a name includes: beside the file that includes it, or from the root on.
def included(path):
    names = re.findall(r'^\s*#\s*include "([^"]+)"', text_of(path), re.M)
    beside = [os.path.join(os.path.dirname(path), name) for name in names]
    return [near if os.path.exists(near) else name for near, name in zip(beside, names)]


includes = {path: included(path) for path in files}


def circles_of(needs, verb):
    done = set()

    def circle(name, way):
        if name in way:
            return [f" {verb} ".join([*way[way.index(name):], name])]
        found = [] if name in done else sum((circle(other, [*way, name]) for other in sorted(needs.get(name, ()))), [])
        done.add(name)
        return found

    return sum((circle(name, []) for name in sorted(needs)), [])


def check_rooms():
    folders = {os.path.dirname(path) for path in glob.glob("**/*.[ch]", recursive=True)}
    no_rooms = {"python", *glob.glob("build*"), *(path.split("/")[0] for path in glob.glob("*/flags"))}  # what was built
    lost = sorted(folder for folder in folders if folder.split("/")[0] not in no_rooms and not room_of(folder + "/"))
    unknown = sorted({other for allowed in may.values() for other in allowed} - may.keys())
    if len(may) < 15 or sum(map(len, includes.values())) < 500:
        lost.append(f"{len(may)} rooms and {sum(map(len, includes.values()))} includes are not all of them")
    return ([f"{folder}/ is no room of ARCHITECTURE.md" for folder in lost] +
            [f"ARCHITECTURE.md names no room {other}/" for other in unknown] +
            circles_of(may, "may include"))


def check_includes():
    unknown = [f"{path} includes {name}, which is not there" for path, names in includes.items() for name in names
               if name not in includes]
    return unknown or [f"{path} includes {name}" for path, names in includes.items() for name in names
                       if not may_use(room_of(path), room_of(name))]


# What each compiled file calls: {file: {other file: symbol}}.
def calls_in(build):
    objects = {f"{build}/{name}.o": name for name in bodies if os.path.exists(f"{build}/{name}.o")}
    if len(objects) < 150:
        sys.exit(f"only {len(objects)} files were compiled")
    lines = subprocess.run(["nm", "-gPA", *objects], capture_output=True, text=True, check=True).stdout.splitlines()
    defined_in, needed = {}, {}
    for line in lines:
        path, symbol, kind = line.split()[:3]
        name = objects[path.rstrip(":")]
        if kind == "U":
            needed.setdefault(name, set()).add(symbol)
        elif kind not in "WwVv":
            defined_in[symbol] = name
    return {name: {defined_in[symbol]: symbol for symbol in sorted(symbols) if symbol in defined_in}
            for name, symbols in needed.items()}


def check_calls(build):
    return [f"{name} calls {symbol} of {other}" for name, called in calls_in(build).items() for other, symbol in called.items()
            if name != BACKENDS and not may_use(room_of(name), room_of(other))]


# Files that share a header may call one another in a circle that no include shows; what was compiled does.
def check_circles(build):
    def reached(path, seen):
        for name in includes[path]:
            if name not in seen:
                seen.add(name)
                yield from [stem(name)] if stem(name) in bodies else reached(name, seen)

    needs = {}
    for path in program:
        if stem(path) in bodies:
            needs.setdefault(stem(path), set()).update(set(reached(path, set())) - {stem(path)})
    return circles_of(needs, "includes") + circles_of({name: set(called) for name, called in calls_in(build).items()}, "calls")


# Small files that stay although fewer than two others use them.
CRUMBS = {
    "base/file_failed.c": "the library needs it, and not the rest of base/file",
    "app/play/marks.c": "tested by itself, without a window",
    "cpu/methods.c": "called by three files, among them two that the backend calls",
    "gpu/methods.cu": "as cpu/methods.c",
    "gpu/errors.cu": "used by all files of gpu/, through gpu/cuda.cuh",
    "gpu/memory.cu": "used by all files of gpu/, through gpu/cuda.cuh",
    "library/colour.c": "declared by stereo/stereoview.h, for the library's callers",
}


# A header counts with the file of its name: it is as small as what it declares.
def check_crumbs():
    users = {}
    for path in program:
        for name in set(includes[path]):
            if stem(name) != stem(path):
                users.setdefault(stem(name), set()).add(stem(path))
    small = [path for path in program if text_of(path).count("\n") < 30 and not path.endswith(".def") and
             (not re.search(r"\.(h|cuh)$", path) or stem(path) not in bodies)]
    crumbs = [path for path in small if len(users.get(stem(path), ())) < 2]
    return ([f"{path} is a crumb: move it into {' '.join(users.get(stem(path), ['its user']))}" for path in crumbs
             if path not in CRUMBS] +
            [f"{path} is no crumb: remove it from the list" for path in CRUMBS if path not in crumbs])


# The first sentence of a file; "" if it does not begin with a comment.
def purpose(path):
    comment = re.match(r'(?:#![^\n]*\n)?(?:/\*(.*?)\*/|((?://[^\n]*\n)+)|((?:# [^\n]*\n)+)|"""(.*?)""")', text_of(path), re.S)
    words = re.sub(r"^ *(\*|//|#)", "", next(filter(None, comment.groups())), flags=re.M).split() if comment else []
    return re.split(r"(?<=[^\W\d_]{2})\.(?:\s+(?=[A-Z])|$)|(?<=\))\.\s", " ".join(words))[0]


def scripts():
    beside = [path for room in may for path in glob.glob(f"{room}/*") if os.path.isfile(path) and not CODE.search(path)]
    return [path for path in beside if open(path, "rb").read(2) == b"#!"]


def check_begins():
    return [f"{path} does not begin with a comment" for path in [*files, *scripts()] if not purpose(path)]


# A line for each file; a header has that of the file that it declares, and says what that is for.
def list_files():
    paths = [*files, *scripts(), "Makefile", *glob.glob("make/*.mk")]
    header_of = {stem(path): path for path in paths if path.endswith((".h", ".cuh"))}
    bodies_too = {stem(path) for path in paths if path not in header_of.values()}
    for path in sorted(paths, key=lambda path: (os.path.dirname(path), path)):
        header = header_of.get(stem(path)) if CODE.search(path) else None
        if header != path or stem(path) not in bodies_too:
            beside = os.path.splitext(header)[1] if header not in (None, path) else ""
            print(f"{path} {beside:{max(5, 35 - len(path))}} {purpose(header or path)}")


# Words of the command line in the texts of the library, whose callers in C and Python have none: they know parameters.
def check_words():
    found, texts = [], 0
    for path in program:
        if room_of(path) in ("stereo", "rig", "cpu", "gpu", "library"):
            code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text_of(path), flags=re.S)
            for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
                texts += 1
                if re.search(r"(^|[ ('])(-[a-z]\b|--[a-z%])", text):
                    found.append(f"{path}: {text}")
    return found if texts > 500 else [f"there are only {texts} texts"]


if sys.argv[1] == "files":
    list_files()
    sys.exit()
sys.exit("\n".join(globals()[f"check_{sys.argv[1]}"](*sys.argv[2:])) or 0)
