#!/usr/bin/env python3
"""figures.py -- what a tree is like by measure, to compare two states of it.

usage: figures.py SOURCE [SOURCE ...] [--names]
       figures.py --planted       a small tree whose figures are known

A column each SOURCE, which has git and, for the circles, a build/release.  The
program is base, clean, corpus, crawler, frontier, include, proto and shingle,
without what is generated into a build; tests stand apart.

  lines, files        of *.c and *.h; the tables that a command made, whose first
                      lines say so, are not counted
  longest             file and function, in lines
  shared structs      with a body in a header, named by more than 10 .c files that
                      see that body.  Large: of more than 12 members; such a one
                      is no value that is handed around but somebody's insides
  circles             files that need each other, as nm sees it: how many circles,
                      and the largest; the same of the folders they lie in
  names defined twice a struct, enum, union or typedef with a body in two files
  named by            files that name one scorer, stage ... of the program in the
                      form that makes it known: what adding one has to touch

--names lists what is counted.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from modules import calls_of, circles     # noqa: E402
from vocabulary import types_of, without_strings  # noqa: E402

PROGRAM = ("base", "clean", "corpus", "crawler", "frontier", "include", "proto",
           "shingle")
SHARED, LARGE = 10, 12

# Of each kind of thing one that both states have, and what makes it known.
KINDS = {
    "scorer": ("block", r'\bscorer_block\b|SCORER\(block\)|"block"'
                        r'|\bscorer_block\.c\b'),
    "stage": ("interstitial", r"\b(stage|st)_interstitial\b"
                              r"|STAGE\(interstitial\b"),
    "option": ("clean.bytes_min", r'OPT\(clean, bytes_min\b|clean\.bytes_min"'
                                  r"|\bbytes_min\b"),
    "format": ("vertical", r"\bwriter_vertical\b|FORMAT\(vertical\b"),
    "wire message": ("robots", r"\bRobotsRequest\b|\brobots_request\b"
                               r"|\bROBOTS_REQUEST\b|_CALL_ROBOTS\b"),
    "rejection reason": ("few_blocks", r"\bfew_blocks\b|VERDICT\(BLOCKS\b"
                                       r"|VERDICT_BLOCKS\b"),
}


def tracked(source):
    out = subprocess.run(["git", "-C", source, "ls-files"], check=True,
                         capture_output=True, text=True).stdout
    return [p for p in out.splitlines() if os.path.isfile(os.path.join(source, p))]


def read(source, path):
    with open(os.path.join(source, path), encoding="utf-8", errors="replace") as f:
        return f.read()


class Tree:
    def __init__(self, source):
        self.source = source
        self.paths = tracked(source)
        self.text = {p: read(source, p) for p in self.paths
                     if p.endswith((".c", ".h", ".txt", ".cmake", ".proto"))}
        code = [p for p in self.text if p.endswith((".c", ".h"))]
        self.made = {p for p in code if p.startswith(PROGRAM) and re.search(
            r"generated|made by|made from .* by", self.text[p][:400], re.I) and
            "do not edit" in self.text[p][:600].lower() or p.endswith("_table.h")}
        self.program = [p for p in code if p.split("/")[0] in PROGRAM and
                        p not in self.made]
        self.tests = [p for p in code if p.startswith("tests/")]
        self.bare = {p: without_strings(self.text[p]) for p in self.program}


def lines(tree, paths):
    return sum(tree.text[p].count("\n") for p in paths)


def longest_function(tree):
    """Its lines: from the name in the first column to the brace that ends it."""
    best = (0, "")
    for path in tree.program:
        start = 0
        for n, line in enumerate(tree.text[path].split("\n"), 1):
            m = re.match(r"(\w+)\(", line)
            if m:
                start, name = n, m[1]
            elif line == "}" and start:
                best = max(best, (n - start + 1, f"{name} ({path})"))
                start = 0
            elif line.startswith("};"):
                start = 0
    return best


def seen_headers(tree):
    """Of each file the headers it includes, and theirs."""
    direct = {}
    known = set(tree.program)
    for path in tree.program:
        direct[path] = set()
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', tree.text[path],
                               re.M):
            for root in (os.path.dirname(path), "", "include",
                         path.split("/")[0]):
                header = os.path.normpath(os.path.join(root, name))
                if header in known:
                    direct[path].add(header)
                    break
    out = {}
    for path in direct:
        seen, todo = set(), list(direct[path])
        while todo:
            header = todo.pop()
            if header not in seen:
                seen.add(header)
                todo += direct[header]
        out[path] = seen
    return out


def members_of(body):
    """How many: declarators, by their commas; a nested body is one."""
    flat = body
    while re.search(r"\{[^{}]*\}", flat):
        flat = re.sub(r"\{[^{}]*\}", "", flat)
    flat = re.sub(r"\([^()]*\)", "", flat)
    return sum(1 + part.count(",") for part in flat.split(";") if part.strip())


def shared_structs(tree):
    """[(files, members, name)]"""
    seen = seen_headers(tree)
    out = []
    for header in tree.program:
        if not header.endswith(".h"):
            continue
        for m in re.finditer(r"^struct (\w+) \{(.*?)^\}", tree.bare[header],
                             re.M | re.S):
            named = re.compile(rf"\bstruct {m[1]}\b")
            files = [p for p in tree.program if p.endswith(".c") and
                     header in seen[p] and named.search(tree.bare[p])]
            if len(files) > SHARED:
                out.append((len(files), members_of(m[2]), m[1]))
    return sorted(out, reverse=True)


def needs(tree):
    """{file: {file}} of the program, from the object files of build/release; None
    without a build."""
    build = os.path.join(tree.source, "build/release")
    objects = {}
    for folder, _, names in os.walk(build):
        for name in names:
            if not name.endswith(".c.o") or f"{os.sep}tests{os.sep}" in folder:
                continue
            at = os.path.relpath(os.path.join(folder, name), build)
            path = re.sub(r"CMakeFiles/[^/]+\.dir/", "", at)[:-2]
            path = os.path.normpath(path)
            if path in tree.program:
                objects.setdefault(path, os.path.join(folder, name))
    if not objects:
        return None
    return {a: set(to) for a, to in calls_of(objects).items()}


def folders(graph):
    out = collections.defaultdict(set)
    for a, to in graph.items():
        for b in to:
            if os.path.dirname(a) != os.path.dirname(b):
                out[os.path.dirname(a)].add(os.path.dirname(b))
    return out


def twice(tree):
    types = types_of(tree.source, tree.program)
    return sorted(name for name, where in types.items() if len(where) > 1)


def named_by(tree, pattern):
    found = re.compile(pattern)
    return sorted(p for p in tree.text if p.split("/")[0] in PROGRAM and
                  found.search(tree.text[p]))


def figures(tree):
    """[(what, figure, names)]"""
    longest = max(tree.program, key=lambda p: tree.text[p].count("\n"))
    function, where = longest_function(tree)
    shared = shared_structs(tree)
    large = [s for s in shared if s[1] > LARGE]
    graph = needs(tree)
    yield "lines of the program", lines(tree, tree.program), []
    yield "files of the program", len(tree.program), []
    yield "lines of tests", lines(tree, tree.tests), []
    yield "longest file", tree.text[longest].count("\n"), [longest]
    yield "longest function", function, [where]
    yield f"structs shared by more than {SHARED} files", len(shared), [
        f"{n} ({files} files, {m} members)" for files, m, n in shared]
    yield f"  large ones (over {LARGE} members)", len(large), [
        f"{n} ({files} files, {m} members)" for files, m, n in large]
    yield "  members of the largest", max((m for _, m, _ in shared), default=0), []
    if graph is not None:
        inside = circles(graph)
        outer = circles(folders(graph))
        yield "circles of files", len(inside), [" ".join(c) for c in inside]
        yield "  files in the largest", len(inside[0]) if inside else 0, []
        yield "circles of folders", len(outer), [" ".join(c) for c in outer]
        yield "  folders in the largest", len(outer[0]) if outer else 0, []
    else:
        yield "circles of files", "no build", []
    names = twice(tree)
    yield "names defined twice", len(names), names
    for kind, (example, pattern) in KINDS.items():
        files = named_by(tree, pattern)
        yield f"{kind} ({example}): named by files", len(files), files


PLANTED = {
    "base/a.h": "struct shared {\n    int a, b;\n    char c;\n};\nint a(void);\n",
    "base/a.c": '#include "a.h"\nint\na(void)\n{\n    return 1;\n}\n',
    "base/b.c": "struct twice {\n    int a;\n};\n",
    "clean/c.c": "struct twice {\n    int a;\n};\n",
    **{f"crawler/u{i}.c": '#include "base/a.h"\nvoid f(struct shared *s);\n'
       for i in range(11)},
    "tests/t.c": "int t;\n",
}
PLANTED_FOUND = {"files of the program": 15, "lines of tests": 1,
                 "longest function": 4, "names defined twice": 1,
                 "structs shared by more than 10 files": 1,
                 "  members of the largest": 3, "circles of files": "no build"}


def planted():
    with tempfile.TemporaryDirectory() as tmp:
        for path, text in PLANTED.items():
            os.makedirs(os.path.dirname(os.path.join(tmp, path)), exist_ok=True)
            with open(os.path.join(tmp, path), "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run(["git", "-C", tmp, "init", "-q"], check=True)
        subprocess.run(["git", "-C", tmp, "add", "-A"], check=True)
        found = {what: n for what, n, _ in figures(Tree(tmp))}
    wrong = {what: found.get(what) for what, n in PLANTED_FOUND.items()
             if found.get(what) != n}
    print(wrong or "as planted")
    return 1 if wrong else 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("source", nargs="*")
    p.add_argument("--names", action="store_true")
    p.add_argument("--planted", action="store_true")
    a = p.parse_args()
    if a.planted:
        return planted()
    columns = [list(figures(Tree(s))) for s in a.source]
    for rows in zip(*columns) if len({len(c) for c in columns}) == 1 else columns:
        print(f"{rows[0][0]:45}" + "".join(f"{r[1]:>12}" for r in rows))
        if a.names:
            for source, (_, _, names) in zip(a.source, rows):
                for name in names:
                    print(f"    {source}: {name}")
    return 0


sys.exit(main())
