#!/usr/bin/env python3
"""lab_agrees.py -- does `winnow lab` say what a live crawl will keep?

For each language and scorer: a live crawl of the open web of ../shared/data/web
on loopback with a budget of 25 % of the pages, delay 0, all seeds, without
sitemaps (the lab knows none); and the lab over the same folder with the same
number of pages.

usage: lab_agrees.py [--winnow build/release/crawler/winnow] [--languages de,nl,fr]
                     [--scorers bfs,paper] [--share 0.25] [--parallel 4] [--port N]
Exit: 0 when the documents kept differ by at most 10 % everywhere, 1 otherwise,
77 when the data is not there.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import open_web  # noqa: E402

MOST = 0.10


def lab(a, web, language, pages):
    command = [a.winnow, "lab", "--web", os.path.join(web, "sites"),
               "--language", language, "--scorers", a.scorers,
               "--pages", str(pages), "--json"]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return json.loads(out)["scorers"]


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--winnow", default=os.path.join(open_web.ROOT,
                                                    "build/release/crawler/winnow"))
    p.add_argument("--languages", default="de,nl,fr")
    p.add_argument("--scorers", default="bfs,paper")
    p.add_argument("--share", type=float, default=0.25)
    p.add_argument("--parallel", type=int, default=4)
    p.add_argument("--port", type=int, default=8819)
    a = p.parse_args()
    a.seeds, a.delay_ms = "all", 0
    os.environ["WINNOW_SITEMAPS_USE"] = "off"
    web = open_web.unpack()
    with open(os.path.join(web, "manifest.tsv"), encoding="utf-8") as f:
        rows = [line.split("\t") for line in f]
    pages = int(sum(int(r[5]) for r in rows if r[1] == "open") * a.share)
    a.keep = tempfile.mkdtemp(prefix="winnow-lab-agrees-")
    worst = 0
    log = open_web.serve(a, web, "start")
    try:
        for language in a.languages.split(","):
            expected = lab(a, web, language, pages)
            for scorer in a.scorers.split(","):
                live, _ = open_web.crawl(a, web, log, language, scorer, pages,
                                         0, a.parallel)
                kept = expected[scorer]["kept"]
                apart = abs(kept - live["kept"]) / max(1, live["kept"])
                worst = max(worst, apart)
                print("%s %-8s live kept %5d, lab %5d: %.1f %% apart" % (
                    language, scorer, live["kept"], kept, 100 * apart), flush=True)
    finally:
        open_web.serve(a, web, "stop")
        shutil.rmtree(a.keep, ignore_errors=True)
    print("at most %.1f %% apart" % (100 * worst))
    sys.exit(0 if worst <= MOST else 1)


if __name__ == "__main__":
    main()
