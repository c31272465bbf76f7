#!/usr/bin/env python3
"""gather.py -- what costs by the call is shared: commits by many pages, so that a
crawl whose syncs take 20 ms each is not held up by them, and connections.

A made-up web of many small hosts without a delay, under an LD_PRELOAD library
that counts syncs and makes them slow (tests/bench/loop/sync_count.c):
  - all pages are in the corpus, and so few syncs were made that a page cannot
    have had one of its own;
  - each host was connected to about once, though all have one address, and a
    page does not ask the kernel about the connections of all others;
  - with one slot, nothing is leased before the last page is reported: pages are
    requested one after the other, each after the line of the one before stood in
    the crawl log;
  - while free slots wait for the reports of quick hosts, these do not wait for others
    (services.gather_ms): a page that is answered when all others have been asked for
    does not have to wait for long.

usage: gather.py WINNOW LIBRARY
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

HOSTS, PAGES, SYNC_MS = 40, 8, 20
POLLS_A_VISIT = 5  # with one list of connections for all hosts: 10
HELD_S = 20  # of 8 pages, one after the other, with 10 s each
SYNCS_A_VISIT = 1  # before there was a reporter: 4


def crawl(winnow, library, site, base, name, parallel, pages, *more):
    """Crawl it; the folder, and what the library has counted."""
    folder = os.path.join(base, name)
    os.makedirs(folder)
    site.write_hosts(os.path.join(folder, "hosts"))
    with open(os.path.join(folder, "seeds"), "w") as f:
        f.writelines("http://%s/0.html\n" % h for h in sorted(site.web))
    job, syncs = os.path.join(folder, "job.ini"), os.path.join(folder, "syncs")
    with open(job, "w") as f:
        f.write("[seeds]\nfile = seeds\n[scope]\ntld = test\n"
                "[limits]\nwait_seconds = 3\npages = %d\n"
                "[politeness]\ndelay_ms = 0\naddress_delay_ms = 0\n"
                "[clean]\nlanguage = nl\nbadness_max = 1000\nchars_min = 100\n"
                "[dedup]\nnear = 0\n[output]\nformat = jsonl\n"
                "[fetch]\nhosts_file = hosts\nparallel = %d\n" % (pages, parallel))
    out = os.path.join(folder, "crawl")
    said = os.path.join(folder, "said")
    with open(said, "w") as f:
        run = subprocess.Popen(
            [winnow, "crawl", job, "--dir", out, *more], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=f,
            env=dict(os.environ, LD_PRELOAD=library, SYNC_COUNT_OUT=syncs,
                     SYNC_COUNT_MS=str(SYNC_MS)))
        run.wait()
    if run.returncode != 0:
        with open(said) as f:
            sys.exit("exit %d\n%s" % (run.returncode, f.read()[-3000:]))
    with open(syncs) as f:
        return out, [int(n) for n in f.read().split()]


def log_lines(folder):
    with open(os.path.join(folder, "log", "crawl.jsonl")) as f:
        return [json.loads(line) for line in f]


def shared(winnow, library, base):
    site = Site(make_pages(HOSTS, PAGES, 1))
    folder, (syncs, _, polls, connects) = crawl(winnow, library, site, base,
                                                "shared", 64, 0)
    site.close()
    want = sorted("http://%s%s" % (h, p) for h in site.web for p in site.web[h])
    got, visits = sorted(d["url"] for d in documents(folder)), len(log_lines(folder))
    print("%d syncs, %d polls, %d connections for %d visits" % (
        syncs, polls, connects, visits))
    if got != want:
        yield "corpus: %d documents, wanted %d" % (len(got), len(want))
    if syncs > SYNCS_A_VISIT * visits:
        yield "too many syncs"
    if polls > POLLS_A_VISIT * visits:
        yield "too many polls"
    if connects > 2 * HOSTS:
        yield "too many connections"


def one_by_one(winnow, library, base):
    site = Site(make_pages(4, 5, 2))
    folder, _ = crawl(winnow, library, site, base, "one", 1, 12)
    site.close()
    asked = ["http://%s%s" % (r[0], r[1]) for r in site.requests]
    logged = [line["url"] for line in log_lines(folder)]
    if asked != logged:
        yield "requested %s, reported %s" % (asked, logged)


class LastAnswer(Site):
    """The first page of host `last` is answered when all pages of the others have been."""

    def __init__(self, web, last):
        self.last, self.held, self.all_asked = last, [], threading.Event()
        self.left = {(h, p) for h in web if h != last for p in web[h]}
        super().__init__(web)

    def answer(self, host, path, headers):
        self.left.discard((host, path))
        if not self.left:
            self.all_asked.set()
        if (host, path) == (self.last, "/0.html"):
            self.held.append(self.all_asked.wait(HELD_S))
        return super().answer(host, path, headers)


def hurried(winnow, library, base):
    web = make_pages(4, 8, 3)
    site = LastAnswer(web, sorted(web)[0])
    folder, _ = crawl(winnow, library, site, base, "hurried", 64, 0,
                      "--set", "services.gather_ms=10000",
                      "--set", "politeness.response_factor=0")
    site.close()
    if site.held != [True]:
        yield "with reports of 10 s, %d pages were not asked for in %d s" % (
            len(site.left), HELD_S)
    if len(documents(folder)) != 4 * 8:
        yield "%d documents of %d" % (len(documents(folder)), 4 * 8)


def main():
    base, bad = tempfile.mkdtemp(prefix="gather."), 0
    try:
        for part in (shared, one_by_one, hurried):
            faults = list(part(sys.argv[1], os.path.abspath(sys.argv[2]), base))
            print("%s %s" % ("FAIL" if faults else "ok  ", part.__name__))
            for f in faults:
                print("     " + f)
            bad += bool(faults)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return bad > 0


sys.exit(main())
