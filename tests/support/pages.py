#!/usr/bin/env python3
"""What e2e_docs.sh checks of the pages, which are all Markdown files of this tree:

    pages.py links [FOLDER]       prints a line for each link that leads nowhere: a file, or a heading in it
    pages.py blocks PAGE...       prints the lines of the pages' blocks of code, as LANGUAGE<tab>PAGE:LINE<tab>CODE; a
                                  block of Python is one line, with \\n in it
    pages.py options HELP PAGE... prints a line for each option that a page names and the file HELP does not
"""
import pathlib
import re
import sys

# Options of other programs that the pages name.
FOREIGN = {"--array", "--gres", "--sshloginfile", "--workdir", "--cflags", "--libs"}


def pages(folder):
    return sorted(p for p in folder.rglob("*.md") if not any(part.startswith((".", "build")) for part in p.relative_to(folder).parts))


def blocks(text):
    """Yields (line, language, lines) of each block, fenced or indented; what remains is yielded with None at the end."""
    lines, rest, at = text.split("\n"), [], 0
    while at < len(lines):
        fence = re.match(r"```(\w*)$", lines[at])
        if fence:
            end = lines.index("```", at + 1)
            yield at + 2, fence[1] or "none", lines[at + 1:end]
            at = end + 1
        elif lines[at].startswith("    ") and not lines[at - 1].strip() and not in_list(lines, at):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield at + 1, "indented", [line[4:] for line in lines[at:end]]
            at = end
        else:
            rest.append(lines[at])
            at += 1
    yield 0, None, rest


def in_list(lines, at):
    """True if the paragraph before is part of a list, in which four spaces only continue it."""
    while at > 0 and (not lines[at].strip() or lines[at].startswith(" ")):
        at -= 1
    return re.match(r"([-*]|\d+\.) ", lines[at]) is not None


def prose(text):
    """The text without its blocks of code."""
    return "\n".join(line for _, language, lines in blocks(text) if language is None for line in lines)


def anchors(page):
    """The names that GitHub gives to headings."""
    names, counts = set(), {}
    for heading in re.findall(r"^#+ +(.*)$", prose(page.read_text()), re.M):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()).replace(" ", "-")
        count = counts[name] = counts.get(name, -1) + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def broken_links(folder):
    for page in pages(folder):
        text = re.sub(r"`[^`\n]*`", "", prose(page.read_text()))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"\w+:", target):
                continue
            file, _, anchor = target.partition("#")
            path = (page.parent / file) if file else page
            if not path.exists():
                yield f"{page.relative_to(folder)}: there is no {target}"
            elif anchor and (path.suffix != ".md" or anchor not in anchors(path)):
                yield f"{page.relative_to(folder)}: {target} is no heading"


def main(what, *arguments):
    if what == "links":
        found = list(broken_links(pathlib.Path(arguments[0] if arguments else ".")))
        print(*found, sep="\n", end="\n" if found else "")
        return bool(found)
    if what == "blocks":
        for page in map(pathlib.Path, arguments):
            for line, language, lines in blocks(page.read_text()):
                if language == "sh":
                    # A backslash continues a line.
                    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines)).split("\n")
                    for offset, command in enumerate(joined):
                        print("sh", f"{page}:{line + offset}", command, sep="\t")
                elif language:
                    print(language, f"{page}:{line}", "\\n".join(lines), sep="\t")
        return 0
    if what == "options":
        known = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", pathlib.Path(arguments[0]).read_text())) | FOREIGN
        status = 0
        for page in map(pathlib.Path, arguments[1:]):
            for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", page.read_text())) - known):
                print(f"{page}: the program has no option {option}")
                status = 1
        return status
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
