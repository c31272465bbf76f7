#!/usr/bin/env python3
"""mutants.py -- would the tests notice?  Called by tests/mutants.sh.

usage: mutants.py TABLE SOURCE BUILD [--only REGEX] [--list | --check]
TABLE holds small semantic changes (see its head).  Each is applied to SOURCE, a
scratch copy of the tree, what its tests need is built in BUILD, and the tests it
names run until one fails: that one has noticed.  Then the file is put back.
Prints a row a mutant; exit 1 when one survives, does not apply or does not build.
--check only looks whether each would apply and has tests, and prints those that do not.
"""
import argparse
import json
import os
import re
import select
import signal
import subprocess
import sys
import time

TEST_SECONDS, OUTPUT_MAX = 120, 1 << 20


def read_table(path):
    mutants, at = [], None
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if line.startswith("@ "):
                file, tests, why = [x.strip() for x in line[2:].split(" | ")]
                at = {"file": file, "tests": tests.split(), "why": why, "line": number,
                      "old": [], "new": []}
                mutants.append(at)
            elif line[:2] in ("- ", "-"):
                at["old"].append(line[2:])
            elif line[:2] in ("+ ", "+"):
                at["new"].append(line[2:])
            else:
                raise SystemExit("%s:%d: not a line of the table: %s" % (path, number, line))
    return mutants


def squeezed(text):
    """Blanks do not count, so that the formatter does not break the table."""
    return r"\s*".join(re.escape(token) for token in re.findall(r"\w+|[^\w\s]", text))


def find(mutant, source):
    """(the file's text, where the pattern is in it or None, why not)."""
    path = os.path.join(source, mutant["file"])
    if not os.path.exists(path):
        return "", None, "there is no such file"
    with open(path, encoding="utf-8") as f:
        text = f.read()
    found = list(re.finditer(squeezed(" ".join(mutant["old"])), text))
    if len(found) != 1:
        return text, None, "its pattern is there %d times" % len(found)
    return text, found[0], ""


def apply(mutant, source):
    before, at, why = find(mutant, source)
    if at is None:
        return None, why
    with open(os.path.join(source, mutant["file"]), "w", encoding="utf-8") as f:
        f.write(before[:at.start()] + "\n".join(mutant["new"]) + before[at.end():])
    return before, ""


def restore(mutant, source, before):
    with open(os.path.join(source, mutant["file"]), "w", encoding="utf-8") as f:
        f.write(before)


def target(test):
    kind, name = test.split("_", 1)
    return "test_" + name if kind in ("unit", "suite") else "winnow"


def commands(build):
    """{test: (command, folder)} as ctest has them."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                           stdout=subprocess.PIPE, check=True, text=True)
    found = {}
    for test in json.loads(shown.stdout)["tests"]:
        folder = [p["value"] for p in test.get("properties", [])
                  if p["name"] == "WORKING_DIRECTORY"]
        found[test["name"]] = (test.get("command"), folder[0] if folder else build)
    return found


def passes(command, folder):
    """(whether it passes, what it printed).  One that talks or runs without end
    does not."""
    ran = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           start_new_session=True)
    said, until = b"", time.time() + TEST_SECONDS
    while len(said) < OUTPUT_MAX and time.time() < until:
        if not select.select([ran.stdout], [], [], 1)[0]:
            continue
        more = os.read(ran.stdout.fileno(), 65536)
        if not more:
            break
        said += more
    else:
        os.killpg(ran.pid, signal.SIGKILL)
    return ran.wait() == 0, said.decode(errors="replace")


def run(mutant, build):
    targets = sorted({target(t) for t in mutant["tests"]})
    made = subprocess.run(["cmake", "--build", build, "--target", *targets],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        return "does not build: " + "".join(re.findall("error: .*", made.stdout)[:1])
    known = commands(build)
    for test in mutant["tests"]:
        if test not in known:
            return "no test is called " + test
        good, said = passes(*known[test])
        if not good:
            failed = re.findall(r"^FAIL (\S+)", said, re.M)
            return "noticed by %s %s" % (test, failed[0] if failed else "(it ends)")
    return "SURVIVES"


def check(mutants, source, build):
    """Whether each applies and names tests that there are."""
    known, bad = commands(build), 0
    for m in mutants:
        faults = [find(m, source)[2]]
        faults += ["no test is called " + t for t in m["tests"] if t not in known]
        for fault in filter(None, faults):
            print("BAD  %3d %s: %s -- %s" % (m["line"], m["file"], m["why"], fault))
            bad += 1
    return 1 if bad or not mutants else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("table")
    parser.add_argument("source")
    parser.add_argument("build")
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    mutants = [m for m in read_table(args.table)
               if re.search(args.only, "%s:%d %s" % (m["file"], m["line"], m["why"]))]
    if args.check:
        return check(mutants, args.source, args.build)
    bad = 0
    for m in mutants:
        begun, head = time.time(), "%3d %s" % (m["line"], m["file"])
        if args.list:
            print("%s: %s" % (head, m["why"]))
            continue
        before, result = apply(m, args.source)
        if before is not None:
            try:
                result = run(m, args.build)
            finally:
                restore(m, args.source, before)
        good = result.startswith("noticed")
        bad += not good
        print("%s %s: %s -- %s (%.0f s)" % ("ok  " if good else "BAD ", head, m["why"], result,
                                             time.time() - begun), flush=True)
    if not args.list:
        print("%d mutants, %d noticed, %d not" % (len(mutants), len(mutants) - bad, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
