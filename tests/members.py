#!/usr/bin/env python3
"""The window is made of units that do not see into each other: members.py

No structure that a header of app/viewer/ or render/panel/ or a private header of render/view/ defines has a member that
more than two files touch, but for the size and the version of the view, which all its units ask for. No header of
app/viewer/ and render/ has more than 80 lines, but for those that are a list or the interface of a folder. It reads the
sources as they are written here: types of variables stand in their declarations, and a chain such as a->b[i].c is
followed from member to member.

Prints what breaks the rule; the exit status is then 1.
"""
import collections, glob, re, sys

MOST_FILES, MOST_LINES = 2, 80
HOMES = ("app/viewer/", "render/panel/", "render/view/view_state.h", "render/view/view_maps.h", "render/view/view_kept.h")
SHARED = {("view", "width"), ("view", "height"), ("view", "version")}
# The files that connect the units of the window count as one.
RUN = {f"app/viewer/viewer{name}.c" for name in ("", "_actions", "_session", "_draw")}
HEADERS = ("app/viewer/*.h", "render/*/*.h")
LONGER = {"render/view/view.h", "render/window/window.h", "render/window/input.h"}

TOKEN = re.compile(r"[A-Za-z_]\w*|->|::|[^\s]")
NAME = re.compile(r"[A-Za-z_]\w*$")


def tokens_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", " ", text, flags=re.S)
    return TOKEN.findall(re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M))


CLOSING = {"{": "}", "(": ")", "[": "]"}


def end_of(tokens, at):
    """Where the bracket at `at` is closed."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] in CLOSING) - (tokens[i] in CLOSING.values())
        if not depth:
            return i
    sys.exit(f"a bracket is not closed: {' '.join(tokens[at:at + 20])}")


class Sources:
    def __init__(self, paths):
        self.tokens = {path: tokens_of(path) for path in paths}
        self.members = {}  # of a structure: the type of each member, "" if it is no structure
        self.home = {}  # the file that defines it
        self.returns = {}  # the structure that a function returns, or a pointer to it
        for path in paths:
            self.define(path, self.tokens[path])
        for path in paths:
            self.note_functions(self.tokens[path])

    def define(self, path, tokens):
        for i in range(len(tokens) - 2):
            if tokens[i] == "struct" and NAME.match(tokens[i + 1]) and tokens[i + 2] == "{":
                self.add(path, tokens[i + 1], tokens[i + 3 : end_of(tokens, i + 2)])

    def add(self, path, name, body):
        members, at = {}, 0
        while at < len(body):
            stop = at
            while stop < len(body) and body[stop] != ";":
                stop = end_of(body, stop) + 1 if body[stop] in CLOSING else stop + 1
            declaration = body[at:stop]
            at = stop + 1
            kind = next((t for t in declaration if NAME.match(t) and t not in ("const", "struct", "unsigned")), "")
            if "{" in declaration and "enum" in declaration:
                continue
            if "{" in declaration:  # an anonymous structure
                open_at = declaration.index("{")
                close = end_of(declaration, open_at)
                kind = f"{name}.{declaration[close + 1]}"
                self.add(path, kind, declaration[open_at + 1 : close])
                declaration = declaration[close + 1 :]
            if "(" in declaration:  # a pointer to a function
                members[declaration[declaration.index("(") + 2]] = ""
                continue
            while "[" in declaration:
                open_at = declaration.index("[")
                del declaration[open_at : end_of(declaration, open_at) + 1]
            for i, token in enumerate(declaration):
                if NAME.match(token) and (i + 1 == len(declaration) or declaration[i + 1] == ","):
                    members[token] = kind
        self.members[name], self.home[name] = members, path

    def is_structure(self, token):
        return token in self.members

    def note_functions(self, tokens):
        for i in range(len(tokens) - 3):
            name = i + 1 + (tokens[i + 1] == "*")
            if self.is_structure(tokens[i]) and NAME.match(tokens[name]) and tokens[name + 1] == "(":
                self.returns[tokens[name]] = tokens[i]

    def touched(self, path):
        """What a file touches: pairs of structure and member."""
        tokens, found, variables, at_file = self.tokens[path], set(), {}, {}
        depth = at = 0
        while at < len(tokens):
            token = tokens[at]
            if token in "{}":
                depth += 1 if token == "{" else -1
                if not depth:
                    variables = dict(at_file)
            before = tokens[at - 1] if at else ""
            if self.is_structure(token) and before not in ("->", ".") and token not in variables:
                self.declare(tokens, at, variables, at_file if not depth else None)
                if before == "(" and tokens[at + 1] == ")" and tokens[at + 2] == "{":
                    self.initialise(tokens, at + 2, token, found)
            elif NAME.match(token) and before not in ("->", "."):
                self.follow(tokens, at, variables, found)
            at += 1
        return found

    def declare(self, tokens, at, variables, at_file):
        """Notes the variables of a declaration that begins with the structure at `at`."""
        kind, i = tokens[at], at + 1
        while i < len(tokens):
            while i < len(tokens) and tokens[i] in ("*", "&", "const"):
                i += 1
            if not NAME.match(tokens[i]) or tokens[i + 1] not in ("=", ",", ";", ")", "[", ":", "{"):
                return
            variables[tokens[i]] = kind
            if at_file is not None and tokens[i + 1] in ("=", ";", "["):
                at_file[tokens[i]] = kind
            i += 1
            while tokens[i] not in (",", ";", ")", ":"):
                if tokens[i] == "{":
                    self.pending.append((i, kind))
                i = end_of(tokens, i) + 1 if tokens[i] in CLOSING else i + 1
            if tokens[i] != ",":
                return
            i += 1
            if self.is_structure(tokens[i]) or tokens[i] == "const" and self.is_structure(tokens[i + 1]):
                return  # the next parameter

    pending = []

    def initialise(self, tokens, at, kind, found):
        """Follows {.a = 1, .b.c = {.d = 2}} of a structure."""
        end, i = end_of(tokens, at), at + 1
        while i < end:
            if tokens[i] == "." and tokens[i - 1] in ("{", ","):
                of = kind
                while tokens[i] == "." or tokens[i] == "[":
                    if tokens[i] == "[":
                        i = end_of(tokens, i) + 1
                        continue
                    found.add((of, tokens[i + 1]))
                    of = self.members.get(of, {}).get(tokens[i + 1], "")
                    i += 2
                if tokens[i] == "=" and tokens[i + 1] == "{" and of:
                    self.initialise(tokens, i + 1, of, found)
            i = end_of(tokens, i) + 1 if tokens[i] in CLOSING else i + 1

    def follow(self, tokens, at, variables, found):
        kind, i = variables.get(tokens[at]), at + 1
        if tokens[i] == "(" and tokens[at] in self.returns:
            kind, i = self.returns[tokens[at]], end_of(tokens, i) + 1
        while kind and i + 1 < len(tokens):
            if tokens[i] == "[":
                i = end_of(tokens, i) + 1
            elif tokens[i] in ("->", ".") and NAME.match(tokens[i + 1]):
                found.add((kind, tokens[i + 1]))
                kind, i = self.members[kind].get(tokens[i + 1], "") if kind in self.members else "", i + 2
                kind = kind if self.is_structure(kind) else ""
            else:
                return


def main():
    rooms = ("app", "base", "map", "rig", "render", "capture", "video", "stereo")
    paths = sorted(p for room in rooms for p in glob.glob(f"{room}/**", recursive=True) if re.search(r"\.(c|h|cpp)$", p))
    sources = Sources(paths)
    of_window = {n for n, path in sources.home.items() if path.startswith(HOMES) and path.endswith(".h")}
    users = collections.defaultdict(set)
    for path in paths:
        sources.pending = []
        found = sources.touched(path)
        for at, kind in sources.pending:
            sources.initialise(sources.tokens[path], at, kind, found)
        for kind, member in found:
            if kind in of_window and member in sources.members[kind]:
                users[kind, member].add("app/viewer/viewer.c" if path in RUN else path)
    if len(of_window) < 40 or len(users) < 300:
        sys.exit(f"only {len(of_window)} structures and {len(users)} members were found")
    broken = [f"{kind}.{member} is touched by {' '.join(sorted(by))}" for (kind, member), by in sorted(users.items())
              if len(by) > MOST_FILES and (kind, member) not in SHARED]
    for path in {p for pattern in HEADERS for p in glob.glob(pattern)} - LONGER:
        with open(path, encoding="utf-8") as file:
            lines = sum(1 for _ in file)
        if lines > MOST_LINES:
            broken.append(f"{path} has {lines} lines")
    if "--list" in sys.argv:
        for (kind, member), by in sorted(users.items()):
            print(f"{kind}.{member}: {' '.join(sorted(by))}")
    sys.exit("\n".join(broken) or 0)


main()
