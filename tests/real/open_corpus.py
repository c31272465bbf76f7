#!/usr/bin/env python3
"""open_corpus.py -- from the open web of ../shared/data/web to a corpus that answers queries, by corpus/corpus.sh.

usage: open_corpus.py [--winnow build/release/crawler/winnow] [--language nl] [--pages 3000] [--seeds sites|all]
                      [--parallel 4] [--port 8818] [--keep DIR] [CQL]

Prints what the crawl fetched and kept, documents and tokens of the vertical file and the lines of the query; CQL is
preset as in corpus.sh.  Exit: 0 when the query has hits, 77 without data, Java or BlackLab.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from open_web import ROOT, serve, unpack, write_job  # noqa: E402


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("cql", nargs="?", default='[pos="ADJ"] [pos="NOUN"]')
    p.add_argument("--winnow", default=os.path.join(ROOT, "build/release/crawler/winnow"))
    p.add_argument("--language", default="nl")
    p.add_argument("--pages", type=int, default=3000)
    p.add_argument("--seeds", choices=["sites", "all"], default="sites")
    p.add_argument("--parallel", type=int, default=4)
    p.add_argument("--port", type=int, default=8818)
    p.add_argument("--keep")
    a = p.parse_args()
    web = unpack()
    a.keep = os.path.abspath(a.keep or tempfile.mkdtemp(prefix="winnow-open-corpus-"))
    os.makedirs(a.keep, exist_ok=True)
    out = a.keep + "/corpus"
    serve(a, web, "start")
    try:
        job = write_job(a.keep, web, a.language, "learned", a.pages, a, 0, a.parallel)
        run = subprocess.run([ROOT + "/corpus/corpus.sh", job, out, a.cql], stdout=subprocess.PIPE, text=True,
                             env=dict(os.environ, WINNOW=os.path.abspath(a.winnow), LC_ALL="C.UTF-8"))
    finally:
        serve(a, web, "stop")
    if run.returncode not in (0, 3):
        return 1
    report = json.loads(subprocess.run([a.winnow, "report", out + "/crawl", "--json"], check=True,
                                       stdout=subprocess.PIPE).stdout)
    with open(out + "/corpus.vert", encoding="utf-8") as f:
        lines = f.read().split("\n")
    print("%d pages fetched, %d kept, %d documents, %d tokens" % (
        report["fetched"], report["kept"], sum(l.startswith("<doc ") for l in lines),
        sum(1 for l in lines if l and not l.startswith("<"))))
    print(run.stdout, end="")
    return 77 if run.returncode == 3 else 0 if run.stdout and not run.stdout.startswith("0 hits") else 1


if __name__ == "__main__":
    sys.exit(main())
