#!/usr/bin/env python3
"""corpus/corpus.sh: from a crawl to a corpus that answers queries, by one command.

usage: corpus.py WINNOW

A made-up Dutch web is crawled, its near-duplicates go, what stays becomes a vertical
file, and BlackLab (from Maven Central, as corpus.sh fetches it) indexes it: documents,
tokens and hits are those counted here in the vertical file.  Started again it goes on,
to the same.  Without Java or BlackLab all but the index is checked, and the test is
skipped (77).  CoNLL-U of the same documents is read back.
"""
import collections
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
QUERY = '[pos="NOUN"] "kanaal"'
failed = 0


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print("FAILED:", what, file=sys.stderr)
    return ok


def web():
    """Pages with headings; every fifth one is a copy of another one but for a word."""
    pages = make_pages(3, 16, 4)
    for host, of_host in pages.items():
        for i, path in enumerate(sorted(of_host)):
            page = of_host[path].replace(b"<article>", b"<article><h1>De molen van %d</h1>"
                                         % i, 1)
            if i % 5 == 4:
                text = of_host[sorted(of_host)[i - 1]].split(b"<article>")[1]
                page = page.split(b"<article>")[0] + b"<article>" + \
                    text.replace(b"water", b"zee", 1)
            of_host[path] = page
    return pages


def corpus(folder, job):
    env = dict(os.environ, WINNOW=WINNOW, LC_ALL="C.UTF-8")
    p = subprocess.run([ROOT + "/corpus/corpus.sh", job, folder, QUERY], capture_output=True,
                       text=True, timeout=280, env=env)
    if p.returncode not in (0, 3):
        sys.exit("exit %d\n%s\n%s" % (p.returncode, p.stdout[-2000:], p.stderr[-3000:]))
    return p


def without_zstd(folder, job):
    """What is missing is said before the crawl, not behind it."""
    os.makedirs(folder + "/path")
    os.symlink(shutil.which("dirname"), folder + "/path/dirname")
    p = subprocess.run([ROOT + "/corpus/corpus.sh", job, folder + "/none"], text=True,
                       capture_output=True, env=dict(os.environ, PATH=folder + "/path"))
    check(p.returncode == 1 and "needs zstdcat" in p.stderr and "crawl" not in p.stderr and
          not os.path.exists(folder + "/none"), p.stderr)


def read_vertical(path):
    """Counts, and what the query has to find."""
    n, before, hits = collections.Counter(), None, 0
    with open(path, encoding="utf-8") as f:
        for line in f.read().split("\n")[:-1]:
            if line.startswith("<"):
                n[line.split(" ")[0].strip("<>")] += 1
                n["heading"] += line.startswith('<p heading="1"')
                before = None if line.startswith("</doc") else before
                continue
            columns = line.split("\t")
            if not check(len(columns) == 3 and all(columns), line):
                break
            n["token"] += 1
            hits += before == "NOUN" and columns[0].lower() == "kanaal"
            before = columns[1]
    return n, hits


def check_conllu(folder, n):
    parts = sorted(glob.glob(folder + "/jobs/languages/part-*.zst"))
    lines = subprocess.run(["zstdcat"] + parts, capture_output=True, check=True).stdout
    out = subprocess.run([WINNOW, "job", "vertical", "map", "-D", "form=conllu"], input=lines,
                         capture_output=True, check=True).stdout.decode()
    sentences = [s.split("\n") for s in out.split("\n\n")[:-1]]
    check(len(sentences) == n["s"], "%d sentences of CoNLL-U" % len(sentences))
    ids = set()
    for s in sentences:
        rows = [r.split("\t") for r in s if not r.startswith("#")]
        about = dict(r[2:].split(" = ", 1) for r in s if " = " in r and r[0] == "#")
        text = "".join(r[1] + ("" if r[9] == "SpaceAfter=No" else " ") for r in rows)
        if not check([r[0] for r in rows] == [str(i + 1) for i in range(len(rows))] and
                     all(len(r) == 10 for r in rows) and text.strip() == about["text"], s):
            break
        ids.add(about["sent_id"])
    check(len(ids) == len(sentences), "sent_id twice")


def main():
    folder = tempfile.mkdtemp(prefix="winnow-corpus-")
    site = Site(web(), latency=0)
    try:
        site.write_hosts(folder + "/hosts")
        with open(folder + "/job.ini", "w") as f:
            f.write("[seeds]\nurl = %s\n" % " ".join("http://%s/0.html" % h for h in site.web))
            f.write("[scope]\ntld = test\n[limits]\nwait_seconds = 2\n"
                    "[politeness]\ndelay_ms = 0\naddress_delay_ms = 0\n"
                    "[clean]\nlanguage = nl\nbadness_max = 1000\nchars_min = 100\n"
                    "[dedup]\nnear = 0\n[fetch]\nhosts_file = hosts\n")
        without_zstd(folder, folder + "/job.ini")
        p = corpus(folder + "/out", folder + "/job.ini")
        kept = len(documents(folder + "/out/crawl"))
        n, hits = read_vertical(folder + "/out/corpus.vert")
        check(kept == 48 and 32 <= n["doc"] < 48, "%d documents of %d" % (n["doc"], kept))
        check(n["heading"] > 20 and n["s"] > 4 * n["doc"] and hits > 5, str(n))
        check(n["doc"] == n["/doc"] and n["s"] == n["/s"] and n["p"] == n["/p"], str(n))
        check_conllu(folder + "/out", n)
        with open(folder + "/out/registry") as f:
            check('VERTICAL "%s/out/corpus.vert"' % folder in f.read(), "registry")
        if p.returncode == 3:
            print(p.stderr.splitlines()[-1])
            return failed or SKIPPED
        check("%d tokens indexed" % n["token"] in p.stderr, p.stderr)
        check(p.stdout.startswith("%d hits of %s\n" % (hits, QUERY)), p.stdout)
        lines = [line.split("\t") for line in p.stdout.split("\n")[1:-1]]
        check(len(lines) == min(hits, 20) and
              all(len(l) == 4 and l[1].lower().endswith(" kanaal") for l in lines), p.stdout)
        check("http://h0" in p.stdout.split("\n")[1], p.stdout)
        again = corpus(folder + "/out", folder + "/job.ini")
        check(again.stdout == p.stdout, "first:\n%s%s\nstarted again:\n%s%s" % (
            p.stdout, p.stderr[-2000:], again.stdout, again.stderr[-2000:]))
        return failed
    finally:
        site.close()
        shutil.rmtree(folder)


sys.exit(main())
