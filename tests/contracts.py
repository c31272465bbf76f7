#!/usr/bin/env python3
"""Every function of a header that others call says what it does: its paragraph
(what stands between blank lines) has a comment, and the header begins with one.
Prints each that does not.

    contracts.py HEADER|FOLDER-OF-HEADERS ...
"""
import pathlib
import re
import sys

PROTOTYPE = re.compile(r"^(?!typedef\b|#|\s|/?\*|struct \w+ \{|enum \w* ?\{|union |return\b)"
                       r"[^;{}=]*?\b(\w+)\([^;{}]*\)[^;{}]*[;{]", re.M)


def without_bodies(text):
    """Inline functions as prototypes: the lines of a body are indented."""
    return re.sub(r"^\{\n.*?^\}\n", "{\n", text, flags=re.M | re.S)


def silent(path):
    text = path.read_text()
    if not text.startswith("/* " + path.name + " -- "):
        yield "does not begin with what it is for"
    for paragraph in without_bodies(text).split("\n\n"):
        code = re.sub(r"/\*.*?\*/", "", paragraph, flags=re.S)
        names = PROTOTYPE.findall(code)
        if names and "/*" not in paragraph:
            yield "%s: nothing says what it does" % ", ".join(names)


def main():
    faults = functions = 0
    places = map(pathlib.Path, sys.argv[1:])
    for path in sorted(h for p in places for h in (p.glob("*.h") if p.is_dir() else [p])):
        if path.name.endswith(".tbl.h"):
            continue
        functions += len(PROTOTYPE.findall(re.sub(r"/\*.*?\*/", "", without_bodies(
            path.read_text()), flags=re.S)))
        for fault in silent(path):
            print("%s: %s" % (path, fault))
            faults += 1
    print("%d functions, %d without a contract" % (functions, faults))
    return 1 if faults or functions < 100 else 0


sys.exit(main())
