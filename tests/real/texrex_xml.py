#!/usr/bin/env python3
"""Our XML has the lines and names of texrex's own output.

usage: texrex_xml.py WINNOW

Both clean the same archive.  With the Write... switches of texrex's job every
kind of line ours has (element, attributes and their order) is one that texrex
writes too, and all of texrex's kinds occur.  WINNOW_TEXREX names the folder
(default ~/.cache/winnow-data/texrex-golden).  Exit 77: it is not there.
"""
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.environ.get("WINNOW_TEXREX", os.path.expanduser(
    "~/.cache/winnow-data/texrex-golden"))
SWITCHES = {
    "xml_doc_attributes": "host tld language date last-modified author",
    "xml_doc_meta": "arcfile arcoffset arclength",
    "xml_doc_container": "title keywords description",
    "xml_duplicate_text": "dupblank",
}
NOT_HERE = {"country", "region", "city"}  # the geolocator's
NUMBER = r"-?\d+(\.\d+)?(e[+-]?\d+)?$"


def kinds(lines, problems):
    """Kinds of lines: the element and its attributes; checks some values."""
    found = set()
    inside = 0
    for line in lines:
        line = line.rstrip("\n")
        m = re.match(r"<(/?[a-z-]+)((?: [A-Za-z-]+=\"[^\"<>]*\")*)( /)?>$", line)
        if m is None:
            if "<" in line or ">" in line or not inside:
                problems.append(line[:200])
            continue
        inside += 0 if m.group(3) else -1 if m.group(1)[0] == "/" else 1
        names = re.findall(r' ([A-Za-z-]+)="([^"]*)"', m.group(2))
        for name, value in names:
            if name in ("bdv", "bpv", "nbcprop", "nbdprop", "avgbpc", "avgbpd",
                        "nbc", "nbd", "idx", "of") and \
                    not re.match(NUMBER, value, re.I):
                problems.append(f"{name}={value}")
            if name in ("bdc", "bpc") and not re.match("[a-z]$", value):
                problems.append(f"{name}={value}")
        key = m.group(1) + (m.group(3) or "")
        found.add((key, tuple(n for n, _ in names if n not in NOT_HERE)))
    return found


def main():
    golden = os.path.join(FOLDER, "fullchain.xml")
    if not os.path.exists(golden):
        print(f"skipped: no {golden} (../shared/data/unpack.sh texrex-golden)")
        return 77
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "x")
        sets = [f"output.{k}={v}" for k, v in SWITCHES.items()]
        args = [a for s in sets for a in ("--set", s)]
        subprocess.run([sys.argv[1], "clean", "--all", "--format", "xml",
                        *args, "-o", out, os.path.join(FOLDER, "small.warc")],
                       check=True, stderr=subprocess.DEVNULL)
        with open(out, encoding="utf-8") as f:
            problems = []
            ours = kinds((re.sub(' reject="[a-z_]+"', "", l) for l in f),
                         problems)
    with open(golden, encoding="utf-8", errors="replace") as f:
        theirs = kinds(f, [])
    for kind in sorted(ours - theirs):
        problems.append(f"ours only: {kind}")
    for kind in sorted(theirs - ours):
        problems.append(f"texrex only: {kind}")
    for problem in problems:
        print("FAIL", problem, file=sys.stderr)
    print("FAIL" if problems else "ok  ", len(ours), "kinds of lines")
    return problems != []


sys.exit(main())
