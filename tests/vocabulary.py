#!/usr/bin/env python3
"""vocabulary.py -- one word for a thing, and no name for two.

usage: vocabulary.py SOURCE [--figures]
       vocabulary.py --planted      faults planted in a small tree are found

1. Retired words.  A row of tests/vocabulary.tbl is

       word[,word] | where | instead | but not

   where: "text", the word is found wherever it stands (code, comments, help,
   logs, tables, README); "name", only as a part of a name in C, in a table or of
   a file, since in prose it is plain English.  A name's parts are told by _ and
   by capitals.  "but not": files (patterns, by blanks) where it means something
   else or is quoted; a pattern that excuses nothing is a fault itself.
2. Types.  A struct, enum, union or typedef has its body in one file; tests may
   each have theirs, but not one of the program's.
3. The glossary of crawler/DESIGN.md has GLOSSARY_MAX terms at the most, sorted,
   and none of them is a retired word.

Exit: 0 nothing was found, 1 something.
"""
import argparse
import collections
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

GLOSSARY_MAX = 60
TEXT = (".c", ".h", ".py", ".sh", ".cmake", ".txt", ".md", ".proto", ".tbl",
        ".ini", ".java")
NAMES = (".c", ".h", ".tbl", ".proto")
LEFT_OUT = ("tests/fuzz/corpus/", "tests/cases/", "tests/vocabulary", "data/")
TYPE = re.compile(r"^(?:typedef\s+)?(struct|enum|union)\s+(\w+)\s*\{", re.M)
TYPEDEF = re.compile(
    r"^typedef\s[^;{]*?(?:\(\*(\w+)\)|\b(\w+))\s*(?:\([^;{]*\))?;|"
    r"^typedef\s+(?:struct|enum|union)\s*\w*\s*\{[^}]*\}\s*(\w+);", re.M)


def files_of(source):
    """What git knows, or all that is there outside build folders."""
    try:
        out = subprocess.run(["git", "-C", source, "ls-files", "-co",
                              "--exclude-standard"], check=True,
                             capture_output=True, text=True).stdout
        paths = out.splitlines()
    except (OSError, subprocess.CalledProcessError):
        paths = [os.path.relpath(os.path.join(d, f), source)
                 for d, _, names in os.walk(source) for f in names]
    return sorted(p for p in paths
                  if p.endswith(TEXT) and not p.startswith(("build/",) + LEFT_OUT)
                  and os.path.isfile(os.path.join(source, p)))


def read(source, path):
    with open(os.path.join(source, path), encoding="utf-8",
              errors="replace") as file:
        return file.read()


def without_strings(text):
    """C with comments and the insides of strings blanked: names are left."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m[0])
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                  blank, text, flags=re.S)


class Retired:
    def __init__(self, line):
        words, self.where, self.instead, excuses = (
            part.strip() for part in line.split("|"))
        self.words = words.split(",")
        self.excuses = excuses.split()
        self.used = set()
        any_of = "|".join(map(re.escape, self.words))
        # A part of a name: between _, digits, capitals and the ends of words.
        self.pattern = re.compile(
            rf"(?<![A-Za-z])(?:{any_of})(?![a-z])|(?<![A-Z])(?:{any_of.upper()})"
            rf"(?![A-Z])|(?:{'|'.join(w.capitalize() for w in self.words)})"
            r"(?![a-z])")

    def excused(self, path):
        for excuse in self.excuses:
            if fnmatch.fnmatch(path, excuse):
                self.used.add(excuse)
                return True
        return False


def retired_words(source):
    with open(os.path.join(source, "tests/vocabulary.tbl"),
              encoding="utf-8") as file:
        return [Retired(line) for line in file
                if line.strip() and not line.startswith("#")]


def find_words(source, paths, faults):
    rows = retired_words(source)
    for path in paths:
        text = read(source, path)
        name = os.path.basename(path)
        low = text.lower() + name.lower()
        near = [row for row in rows if any(w in low for w in row.words)]
        code = without_strings(text) if near and path.endswith(NAMES) else ""
        for row in near:
            places = [(path + " (its name)", m) for m in
                      row.pattern.finditer(name)]
            if row.where == "text":
                places += [(path, m) for m in row.pattern.finditer(text)]
            else:
                places += [(path, m) for m in row.pattern.finditer(code)]
            if not places or row.excused(path):
                continue
            for where, m in places[:5]:
                line = text.count("\n", 0, m.start()) + 1
                faults.append(f"{where}:{line}: {m[0]}: say {row.instead}")
    for row in rows:
        for excuse in set(row.excuses) - row.used:
            faults.append(f"tests/vocabulary.tbl: {row.words[0]}: {excuse} "
                          "excuses nothing")
    return rows


def types_of(source, paths):
    """Of each type the files in which it has its body."""
    out = collections.defaultdict(set)
    for path in paths:
        if not path.endswith((".c", ".h")):
            continue
        code = without_strings(read(source, path))
        for m in TYPE.finditer(code):
            out[m[2]].add(path)
        for m in TYPEDEF.finditer(code):
            name = m[1] or m[2] or m[3]
            if not name.startswith("__"):
                out[name].add(path)
    return out


def find_types(types, faults):
    twice = 0
    for name, where in sorted(types.items()):
        program = {p for p in where if not p.startswith("tests/")}
        if len(where) > 1 and program:
            twice += 1
            faults.append(f"{name} is defined in {', '.join(sorted(where))}")
    return twice


def find_glossary(source, rows, faults):
    """How many terms: rows `| term | meaning | source |` of its section."""
    section = re.search(r"^## Glossary\n(.*?)(?=^## |\Z)",
                        read(source, "crawler/DESIGN.md"), re.M | re.S)
    terms = re.findall(r"^\| \*\*(.+?)\*\*", section[1], re.M) if section else []
    if not terms:
        faults.append("crawler/DESIGN.md: there is no glossary")
    if len(terms) > GLOSSARY_MAX:
        faults.append(f"the glossary has {len(terms)} terms: {GLOSSARY_MAX} are "
                      "the most")
    for a, b in zip(terms, terms[1:]):
        if a.lower() > b.lower():
            faults.append(f"the glossary has {b} behind {a}")
    for term in terms:
        for row in rows:
            if row.where == "text" and row.pattern.search(term):
                faults.append(f"the glossary explains {term}, a retired word")
    return len(terms)


PLANTED = {
    "tests/vocabulary.tbl": "shelf | text | URL class |\nhand | name | worker |\n"
                            "crew | text | pool | nowhere.c\n",
    "crawler/DESIGN.md": "## Glossary\n| **host** | |\n| **block** | |\n",
    "a.c": "/* the shelf of a host, by hand */\nstruct box {\n};\n",
    "b.h": "#define SHELF_MAX 1\nint hand_over(void);\nstruct box {\n};\n",
    "tests/c.c": "enum box { A };\nstatic const char text[] = \"by_hand\";\n",
}
FOUND = """a.c:1: shelf: say URL class
b.h:1: SHELF: say URL class
b.h:2: hand: say worker
tests/vocabulary.tbl: crew: nowhere.c excuses nothing
box is defined in a.c, b.h, tests/c.c
the glossary has block behind host
"""


def planted():
    with tempfile.TemporaryDirectory() as tree:
        for path, text in PLANTED.items():
            os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
            with open(os.path.join(tree, path), "w", encoding="utf-8") as file:
                file.write(text)
        out = subprocess.run([sys.executable, __file__, tree],
                             capture_output=True, text=True, check=False)
    if out.returncode != 1 or out.stdout != FOUND:
        print(out.stdout + out.stderr)
        return 1
    return 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("source", nargs="?")
    p.add_argument("--figures", action="store_true")
    p.add_argument("--planted", action="store_true")
    a = p.parse_args()
    if a.planted:
        return planted()
    paths = files_of(a.source)
    faults = []
    rows = find_words(a.source, paths, faults)
    words = len(faults)
    types = types_of(a.source, paths)
    twice = find_types(types, faults)
    terms = find_glossary(a.source, rows, faults)
    if a.figures:
        print(f"retired words {words}")
        print(f"types {len(types)}")
        print(f"types defined twice {twice}")
        print(f"glossary terms {terms}")
        return 0
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
