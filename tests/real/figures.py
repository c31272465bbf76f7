#!/usr/bin/env python3
"""figures.py -- the shape of the tree in figures, for a comparison of commits.

usage: figures.py SOURCE BUILD

SOURCE is a checkout, BUILD its build (compile_commands.json and objects).  The
vocabulary and the recipes are those of the tree this script stands in, so that
an older checkout is measured by the same rules.
"""
import collections
import json
import os
import re
import subprocess
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
for folder in ("", "recipes"):
    sys.path.insert(0, os.path.join(TESTS, folder))
import modules     # noqa: E402
import vocabulary  # noqa: E402

SHARED = 10  # files
PROGRAM = ("base", "clean", "corpus", "crawler", "frontier", "include", "proto", "shingle")


def sources_of(source):
    paths = [p for p in vocabulary.files_of(source) if p.endswith((".c", ".h"))]
    return ([p for p in paths if p.startswith(PROGRAM)],
            [p for p in paths if p.startswith("tests/")])


def lines(source, paths):
    return sum(vocabulary.read(source, p).count("\n") for p in paths)


def members(source, paths):
    """{struct: (header, members)} of structs whose body a header shows."""
    out = {}
    for path in paths:
        if not path.endswith(".h"):
            continue
        code = vocabulary.without_strings(vocabulary.read(source, path))
        for m in re.finditer(r"^struct (\w+) \{(.*?)^\};", code, re.M | re.S):
            out[m[1]] = (path, m[2].count(";") + m[2].count(","))
    return out


def shared(source, paths):
    """Structs of the program's own headers by how many files reach inside."""
    bodies = members(source, paths)
    used = collections.Counter()
    for path in paths:
        code = vocabulary.without_strings(vocabulary.read(source, path))
        for name in set(re.findall(r"\bstruct (\w+)", code)):
            used[name] += 1
    return sorted(((used[n], n, bodies[n][1]) for n in bodies
                   if used[n] > SHARED and not bodies[n][0].startswith("include")),
                  reverse=True)


def objects_of(build, source):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        commands = json.load(f)
    out = {}
    for c in commands:
        path = os.path.relpath(c["file"], source)
        m = re.search(r" -o (\S+)", c["command"])
        if path.startswith(PROGRAM) and m and os.path.exists(
                os.path.join(c["directory"], m[1])):
            out[path] = os.path.join(c["directory"], m[1])
    return out


def by_folder(calls):
    return modules.between(calls, {p: os.path.dirname(p) for p in calls})


def recipes(source):
    try:
        import recipes as r
        return {w: len(f) for w, f in r.recipes_of(source).items()}
    except (TypeError, OSError):
        return {}  # of before there were any


def main():
    source, build = (os.path.abspath(p) for p in sys.argv[1:3])
    program, tests = sources_of(source)
    calls = modules.calls_of(objects_of(build, source))
    files = modules.circles(calls)
    folders = modules.circles(by_folder(calls))
    many = shared(source, program)
    twice = vocabulary.find_types(
        vocabulary.types_of(source, program + tests), [])
    rows = vocabulary.retired_words(os.path.dirname(TESTS))
    found = 0
    for path in vocabulary.files_of(source):
        text = vocabulary.read(source, path)
        found += sum(len(row.pattern.findall(text)) for row in rows
                     if row.where == "text")
    commit = subprocess.run(["git", "-C", source, "log", "-1", "--format=%h"],
                            capture_output=True, text=True, check=False).stdout
    print("commit", commit.strip())
    print(f"files of the program {len(program)}, {lines(source, program)} lines")
    print(f"files of tests {len(tests)}, {lines(source, tests)} lines")
    print(f"files over 500 lines "
          f"{sum(lines(source, [p]) > 500 for p in program if '_table.h' not in p)}")
    print(f"private structs seen by more than {SHARED} files {len(many)}")
    for n, name, size in many[:5]:
        print(f"  {name}: {n} files, {size} members")
    print("circles of files", len(files), "the largest of",
          max(map(len, files), default=0))
    print("circles of folders", len(folders), "the largest of",
          max(map(len, folders), default=0))
    print("types defined twice", twice)
    print("retired words", found)
    for what, n in recipes(source).items():
        print(f"files of a new {what}", n)


if __name__ == "__main__":
    main()
