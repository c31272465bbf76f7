#!/usr/bin/env python3
"""Our XML has the lines and names of texrex's own output.

usage: texrex_xml.py WINNOW

Both run texrex's own job over the same archive (only its paths are changed).
Every kind of line ours has (element, attributes and their order) is one that
texrex writes too, and all of texrex's kinds occur.
WINNOW_TEXREX names the folder (default ~/.cache/winnow-data/texrex-golden).
Exit 77: it is not there.
"""
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.environ.get("WINNOW_TEXREX", os.path.expanduser(
    "~/.cache/winnow-data/texrex-golden"))
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
        found.add((key, tuple(n for n, _ in names)))
    return found


def main():
    golden = os.path.join(FOLDER, "fullchain.xml")
    if not os.path.exists(golden):
        print(f"skipped: no {golden} (../shared/data/unpack.sh texrex-golden)")
        return 77
    with open(os.path.join(FOLDER, "fullchain.ini"), encoding="utf-8") as f:
        job = f.read()
    with tempfile.TemporaryDirectory() as tmp:
        job = re.sub('FileName=.*', f'FileName="{FOLDER}/small.warc"', job)
        job = re.sub('JobName=.*', f'JobName="{tmp}/job"', job)
        job = re.sub('Prefix=.*', f'Prefix="{tmp}/corpus"', job)
        with open(os.path.join(tmp, "job.ini"), "w", encoding="utf-8") as f:
            f.write(job)
        with open(os.path.join(tmp, "utf8.norm"), "w", encoding="utf-8") as f:
            f.write("\u2013\t-\n")
        subprocess.run([sys.argv[1], "clean", "--all", "-j",
                        os.path.join(tmp, "job.ini")],
                       check=True, stderr=subprocess.DEVNULL)
        with open(os.path.join(tmp, "corpus.xml"), encoding="utf-8") as f:
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
