#!/usr/bin/env python3
"""Winnow and other extractors of main text over the same pages.

    tests/bench/peers/peers.py [--sample N] [--winnow-out DIR] [--work DIR]
    tests/bench/peers/peers.py --speed ROUNDS [--sample N] [--tools ...]
    tests/bench/peers/peers.py --labelled --work DIR [--tools ...]

Installs the Python package of this tree and the peers (tools.py: from PyPI, npm, Go
modules, crates.io), lets each of them and Winnow extract the text of the labelled
pages (../shared/data/extraction, unpacked), and prints Markdown tables: pages a
second and the F1 of ../shared's score.py, unchanged, and F1 by WCXB's kinds of
pages.  WORK/texts/TOOL/SET/ID.json is what a tool says of title, author and date:
tests/real/metadata.py --peers WORK/texts compares that.

--labelled extracts from the pages of metadata.tsv only and scores nothing.

Counted alike for all: one process, one thread, in the tool's own language, all
pages read before the clock starts, nothing written while it runs; CPU time, so that
a busy machine disturbs it little.  Winnow is the package winnow, with its
whole chain (links, fingerprints, badness and all).

--speed: no F1, but each tool in every one of so many rounds, and what Winnow takes
when all that is known of a page is made objects of Python (winnow_whole).

Winnow's F1 is cross-validated: `winnow train --export` judges every page by
networks that never saw its domain (rs-trafilatura's models were made by the
makers of WCXB, and may know its pages).  That takes minutes; --winnow-out names the
result of an earlier run.  --sample N takes N pages, the same in every run.
Exit 77: the data is not there.
"""
import argparse
import csv
import hashlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import tools

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
BIASED = ("readability", "newspaper4k")  # truth made by an extractor: score.py


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--pages", default=os.environ.get(
        "WINNOW_EXTRACTION",
        os.path.expanduser("~/.cache/winnow-data/extraction")))
    parser.add_argument("--scorer", default=os.path.join(
        os.environ.get("WINNOW_SHARED", os.path.join(ROOT, "..", "shared")),
        "data", "extraction", "score.py"))
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"))
    parser.add_argument("--work", help="keeps the environment and outputs here")
    parser.add_argument("--winnow-out", help="of `winnow train --export`")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--labelled", action="store_true",
                        help="pages with labelled metadata, for metadata.py")
    parser.add_argument("--speed", type=int, default=0, metavar="ROUNDS")
    parser.add_argument("--tools", nargs="+",
                        choices=list(tools.LABELS))
    args = parser.parse_args()
    if args.tools is None:
        args.tools = tools.default()
    return args


def choose(pages, sample):
    """Names SET/ID of all pages, or of a sample that is always the same."""
    names = []
    with open(os.path.join(pages, "manifest.tsv"), encoding="utf-8") as f:
        f.readline()
        for line in f:
            name = "/".join(line.split("\t")[:2])
            if os.path.exists(os.path.join(pages, "pages", name + ".html")):
                names.append(name)
    names.sort(key=lambda n: hashlib.sha256(n.encode()).digest())
    return sorted(names[:sample] if sample else names)


def labelled(args):
    """Names of the pages whose title, author or date is labelled."""
    path = os.path.join(os.path.dirname(args.scorer), "metadata.tsv")
    with open(path, encoding="utf-8") as f:
        rows = csv.DictReader(f, delimiter="\t")
        names = {"/".join((row["set"], row["id"])) for row in rows}
    return [n for n in choose(args.pages, 0) if n in names]


def extract(tool, names, args, work):
    """Run one tool over the pages: seconds of CPU, its version, failures."""
    with open(os.path.join(work, "names"), "w", encoding="utf-8") as f:
        f.write("\n".join(names))
    out = os.path.join(work, "texts", tool)
    shutil.rmtree(out, ignore_errors=True)
    told = subprocess.run(
        tools.command(tool, work) +
        [os.path.join(args.pages, "pages"), os.path.join(work, "names"), out],
        check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    return float(told[0]), told[1], int(told[2])


def subset(names, source, work, suffix, target):
    """Links to the files of `names` only, where score.py looks for them."""
    for name in names:
        path = os.path.join(source, name + suffix)
        if os.path.exists(path):
            link = os.path.join(work, target, name + suffix)
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(os.path.abspath(path), link)


def score(names, args, out):
    """F1 over all pages, macro over the unbiased sets, of the segments."""
    with tempfile.TemporaryDirectory() as work:
        for folder, suffix in (("truth", ".txt"), ("segments", ".tsv"),
                               ("leaves", ".tsv")):
            subset(names, os.path.join(args.pages, folder), work, suffix,
                   folder)
        subset(names, out, work, ".txt", "out")
        for folder in "truth", "segments", "out":
            os.makedirs(os.path.join(work, folder), exist_ok=True)
        shutil.copy(os.path.join(args.pages, "manifest.tsv"), work)
        told = subprocess.run(
            [sys.executable, args.scorer, work, os.path.join(work, "out"),
             "--by-set", "--jobs", "2", "--tsv", os.path.join(work, "tsv")],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        with open(os.path.join(work, "tsv"), encoding="utf-8") as f:
            return read_score(told), read_kinds(f)


def read_score(told):
    sets, everything, segments = [], None, None
    for line in told.splitlines():
        fields = line.split()
        if len(fields) > 10 and fields[0] == "ALL":
            everything = float(fields[9].split("/")[0])
        elif (len(fields) > 10 and fields[1].isdigit() and
              fields[0] not in ("ALL", "MACRO") + BIASED):
            sets.append(float(fields[8].split("/")[0]))
        elif "trafilatura-seg" in line:
            found = re.findall(r"0?\.\d+|1\.0+", line)
            segments = float(found[-1]) if found else None
    return everything, sum(sets) / len(sets) if sets else None, segments


def read_kinds(lines):
    """{kind of page: mean F1} of WCXB, whose ids end in the kind."""
    found = {}
    for page in csv.DictReader(lines, delimiter="\t"):
        if page["set"] == "wcxb":
            kind = page["id"].rsplit("-", 1)[-1]
            found.setdefault(kind, []).append(float(page["lcs_f1"]))
    return {kind: statistics.mean(f1) for kind, f1 in found.items()}


def print_kinds(kinds):
    """{tool: {kind: F1}} as a table."""
    names = sorted({kind for found in kinds.values() for kind in found})
    print("\n| WCXB | %s |\n|---|%s" % (" | ".join(names), "--:|" * len(names)))
    for tool, found in kinds.items():
        print("| %s | %s |" % (tools.LABELS[tool], " | ".join(
            shown(found.get(kind)) for kind in names)))


def shown(x):
    return "–" if x is None else "%.3f" % x


def winnow_texts(args, work):
    if args.winnow_out:
        return args.winnow_out
    out = os.path.join(work, "winnow-cross-validated")
    if not os.path.exists(out):
        subprocess.run([os.path.join(args.build, "crawler", "winnow"), "train",
                        "--pages", args.pages, "--export", out], check=True,
                       stdout=subprocess.DEVNULL)
    return out


def speed(names, args, work):
    """The median of the rounds: CPU time a page, and how many times Winnow's."""
    took, version = {tool: [] for tool in args.tools}, {}
    for _ in range(args.speed):
        for tool in args.tools:
            seconds, version[tool], _ = extract(tool, names, args, work)
            took[tool].append(seconds / len(names))
    print("%d pages, %d rounds, one thread, CPU time\n" % (len(names), args.speed))
    print("| | ms a page | pages/s | times Winnow's |\n|---|--:|--:|--:|")
    for tool in args.tools:
        times = statistics.median(
            t / w for t, w in zip(took[tool], took[args.tools[0]]))
        middle = statistics.median(took[tool])
        print("| %s %s | %.2f | %.0f | %.1f |" % (
            tools.LABELS[tool], version[tool], 1000 * middle, 1 / middle, times))


def main():
    args = parse()
    if not os.path.exists(os.path.join(args.pages, "manifest.tsv")) or \
            not (args.speed or os.path.exists(args.scorer)):
        print("skipped: no labelled pages in %s or no %s" % (args.pages,
                                                             args.scorer))
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        work = args.work or scratch
        os.makedirs(work, exist_ok=True)
        if args.labelled:
            for tool in args.tools:
                _, version, failed = extract(tool, labelled(args), args, work)
                print("%s %s: no text from %d pages, for an exception" % (
                    tools.LABELS[tool], version, failed), flush=True)
            return 0
        names = choose(args.pages, args.sample)
        if args.speed:
            speed(names, args, work)
            return 0
        print("%d pages, one thread, pages in memory, CPU time\n" % len(names))
        print("| | pages/s | F1, all pages | F1, mean of the sets | "
              "F1, segments |\n|---|--:|--:|--:|--:|", flush=True)
        kinds = {}
        for tool in args.tools:
            seconds, version, failed = extract(tool, names, args, work)
            texts = (winnow_texts(args, work) if tool == "winnow"
                     else os.path.join(work, "texts", tool))
            label = tools.LABELS[tool]
            means, kinds[tool] = score(names, args, texts)
            print("| %s %s | %.0f | %s | %s | %s |" % (
                label, version, len(names) / seconds, *map(shown, means)),
                flush=True)
            if failed:
                print("%s: no text from %d pages, for an exception" % (
                    label, failed), file=sys.stderr)
        print_kinds(kinds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
