#!/usr/bin/env python3
"""same_output.py -- do two builds of winnow write the same of the same pages?

usage: same_output.py OLD NEW [--pages N] [--expect KIND]... [--set S.K=V]... PATH...

OLD and NEW are two winnow programs, PATH files or folders with pages (HTML, WARC,
ARC).  N (6000) of them, spread evenly over all, are cleaned by both with --all,
as XML and JSON lines.  Outputs that differ are taken apart: every difference is
of a kind ("jsonl badness", "xml <doc bdv>", "xml text"), and each kind is printed
with how many documents have it and the first of them.  Exit: 0 none, or only
kinds that --expect names; 1 others; 2 it could not be done.
"""
import argparse
import collections
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

FORMATS = ("xml", "jsonl")
BATCH = 500 # inputs a call
TAG = re.compile(rb"<([a-z]+)((?:\s[^<>]*)?)>")
ATTRIBUTE = re.compile(rb'([\w:-]+)="([^"]*)"')
SHOWN = 120


def pages_of(paths, n):
    found = []
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in os.walk(path):
                found += [os.path.join(folder, name) for name in names]
        else:
            found.append(path)
    found.sort()
    if len(found) <= n:
        return found
    return [found[i * len(found) // n] for i in range(n)]


def clean(program, pages, settings, prefix):
    """The records of all pages, by format."""
    out = {f: b"" for f in FORMATS}
    for at in range(0, len(pages), BATCH):
        command = [program, "clean", "--all", "--join", "--format",
                   ",".join(FORMATS), "-o", prefix]
        for setting in settings:
            command += ["--set", setting]
        run = subprocess.run(command + pages[at:at + BATCH], check=False,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if run.returncode not in (0, 3):
            print(run.stderr.decode(errors="replace"), file=sys.stderr)
            print(f"{program}: exit {run.returncode}", file=sys.stderr)
            sys.exit(2)
        for f in FORMATS:
            with open(f"{prefix}.{f}", "rb") as file:
                out[f] += file.read()
            os.remove(f"{prefix}.{f}")
    return out


def records(form, text):
    if form == "jsonl":
        return text.splitlines(keepends=True)
    return re.findall(rb"<doc .*?</doc>\n?", text, re.S)


def parts_jsonl(record):
    """{kind: value} of a record."""
    return {f"jsonl {key}": value for key, value in json.loads(record).items()}


def parts_xml(record):
    out = collections.defaultdict(list)
    for name, attributes in TAG.findall(record):
        out[f"xml <{name.decode()}>"].append(b"")
        for key, value in ATTRIBUTE.findall(attributes):
            out[f"xml <{name.decode()} {key.decode()}>"].append(value)
    out["xml text"] = [TAG.sub(b"", record)]
    return out


def differences(form, old, new):
    """Kinds in which two records differ."""
    parts = parts_jsonl if form == "jsonl" else parts_xml
    a, b = parts(old), parts(new)
    kinds = [key for key in sorted(a.keys() | b.keys())
             if a.get(key) != b.get(key)]
    return [(kind, a.get(kind), b.get(kind)) for kind in kinds] or \
        [(f"{form} bytes between its parts", old, new)]


def short(value):
    if isinstance(value, list): # of many elements: the first that is there
        value = value[0] if value else None
    return repr(value)[:SHOWN]


def compare(form, old, new, found, first):
    a, b = records(form, old), records(form, new)
    if len(a) != len(b):
        found[f"{form} number of documents"] += 1
        first[f"{form} number of documents"] = f"{len(a)} and {len(b)}"
    for i, (x, y) in enumerate(itertools.zip_longest(a, b)):
        if x is None or y is None or x == y:
            continue
        for kind, was, is_ in differences(form, x, y):
            found[kind] += 1
            if isinstance(was, list) and isinstance(is_, list):
                was, is_ = next(((p, q) for p, q in zip(was, is_) if p != q),
                                (len(was), len(is_)))
            first.setdefault(kind, f"document {i + 1}: {short(was)} -> {short(is_)}")
    return len(a)


def main():
    p = argparse.ArgumentParser(usage=__doc__.split("\n")[2][7:])
    p.add_argument("old")
    p.add_argument("new")
    p.add_argument("paths", nargs="+")
    p.add_argument("--pages", type=int, default=6000)
    p.add_argument("--expect", action="append", default=[])
    p.add_argument("--set", action="append", default=[], dest="settings")
    args = p.parse_args()
    pages = pages_of(args.paths, args.pages)
    found, first, documents = collections.Counter(), {}, {}
    with tempfile.TemporaryDirectory() as tmp:
        old = clean(args.old, pages, args.settings, os.path.join(tmp, "old"))
        new = clean(args.new, pages, args.settings, os.path.join(tmp, "new"))
    for form in FORMATS:
        documents[form] = compare(form, old[form], new[form], found, first)
        if old[form] != new[form] and not any(k.startswith(form) for k in found):
            found[f"{form} bytes between documents"] += 1
    for form in FORMATS:
        print(f"{form}: {len(pages)} inputs, {documents[form]} documents, "
              f"{len(old[form])} and {len(new[form])} bytes, "
              + ("identical" if old[form] == new[form] else "different"))
    for kind, n in found.most_common():
        intended = " (expected)" if kind in args.expect else ""
        print(f"{n:6d} {kind}{intended}: {first.get(kind, '')}")
    return 1 if set(found) - set(args.expect) else 0


if __name__ == "__main__":
    sys.exit(main())
