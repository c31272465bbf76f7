#!/usr/bin/env python3
"""Every job and filter of the systems before Winnow, and every feature of crawlers, is covered by a test that is there.

usage: corpus_facts.py ROOT [FACTS] | --planted

Reads tests/corpus_facts.tbl of ROOT.  FACTS is ../shared/corpus-facts.md: the first cells of its tables 1.2 and 1.4, and
the filters that 1.4 names, must each have a row, and so must the first cells of table 2 of crawler-facts.md beside it;
without the files only the tests are looked for.
"""
import os
import re
import sys


def rows(text):
    out = []
    for line in text.split("\n"):
        if line.strip() and not line.startswith("#"):
            section, what, tests = (x.strip() for x in line.split("|"))
            out.append((section, what, tests))
    return out


def tests_of(root, name):
    """The tests of a file; empty if there is none."""
    unit = os.path.join(root, "tests/unit", name + ".c")
    path = unit if os.path.exists(unit) else os.path.join(root, "tests", name + ".py")
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as f:
        return set(re.findall(r"\bTEST\((\w+)\)" if path == unit else r"^def (\w+)", f.read(), re.M))


def missing_tests(table, tests):
    faults = []
    for section, what, named in table:
        if named.startswith("- ") and len(named) > 10:
            continue
        for one in named.split():
            name, _, test = one.partition(":")
            if test not in tests(name):
                faults.append("%s %s: there is no test %s" % (section, what, one))
    return faults


def wanted(facts):
    """(section, what) of the facts."""
    out = []
    for section in ("1.2", "1.4"):
        part = facts.split("\n### %s " % section)[1].split("\n### ")[0]
        for cell, second in re.findall(r"^\| *(.*?) *\| *(.*?) *\|", part, re.M):
            what = re.sub(r"\*\*|`", "", cell)
            if what not in ("job", "feature") and not what.startswith("---"):
                out.append((section, what))
            if what == "filters":
                out += [(section, f) for f in re.findall(r"`([a-z-]+)`", re.sub(r"\(.*?\)", "", second))]
    return out


def features(facts):
    """(section, what) of the facts about crawlers."""
    part = facts.split("\n## 2. ")[1].split("\n###")[0]
    cells = [re.sub(r"`", "", c) for c in re.findall(r"^\| *(.*?) *\|", part, re.M)]
    return [("2", c) for c in cells if c != "Feature" and not c.startswith("---")]


def missing_rows(table, facts):
    """A fact's row may begin with what the table says: "DocumentJob --input-format ..."."""
    return ["%s %s: no row says which test covers it" % (section, what) for section, what in facts
            if not any(s == section and what.startswith(w) for s, w, _ in table)]


def planted():
    facts = "\n### 1.2 x\n| job | y |\n|---|---|\n| **AJob** `-n` | z |\n\n### 1.4 x\n| filters | `one-two` (x), `three` |\n\n### 1.5"
    table = rows("# x\n1.2 | AJob | a:b c:d\n1.4 | one-two | - there is nothing to test\n")
    assert missing_rows(table, wanted(facts)) == ["1.4 filters: no row says which test covers it",
                                                  "1.4 three: no row says which test covers it"], wanted(facts)
    assert features("\n## 2. x\n| Feature | A |\n|---|---|\n| `*` delay | + |\n\n### y\n| z |") == [("2", "* delay")]
    assert missing_tests(table, lambda name: {"b"}) == ["1.2 AJob: there is no test c:d"]
    return 0


def main():
    if sys.argv[1] == "--planted":
        return planted()
    root = sys.argv[1]
    with open(os.path.join(root, "tests/corpus_facts.tbl"), encoding="utf-8") as f:
        table = rows(f.read())
    faults = missing_tests(table, lambda name: tests_of(root, name))
    corpus = sys.argv[2] if len(sys.argv) > 2 else ""
    for path, of in ((corpus, wanted), (os.path.join(os.path.dirname(corpus), "crawler-facts.md"), features)):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                faults += missing_rows(table, of(f.read()))
        else:
            print("corpus_facts: %s is not there, its tables are not compared" % path)
    print("\n".join(faults + ["%d rows, %d faults" % (len(table), len(faults))]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
