#!/usr/bin/env python3
"""dedup_away.py -- a dedup service that is absent, slow, or dies.

Absent: the crawl waits and says so; SIGINT ends it; started late, it goes on.
Slow: stopped (SIGSTOP) for a while, it holds the crawl back and loses nothing.
Dies: killed and started again, nothing is lost and nothing stored twice.

usage: dedup_away.py WINNOW
"""
import collections
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import Reader, documents, wait_for_end  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

PAGES = 60


class Crawl:
    def __init__(self, winnow, base, name):
        self.winnow, self.folder = winnow, os.path.join(base, name)
        self.dir = os.path.join(self.folder, "crawl")
        os.makedirs(self.dir)
        self.site = Site(make_pages(1, PAGES, 6))
        self.site.write_hosts(os.path.join(self.folder, "hosts"))
        host = sorted(self.site.web)[0]
        self.job = os.path.join(self.folder, "job.ini")
        with open(self.job, "w") as f:
            f.write("[seeds]\nurl = http://%s/0.html\n[limits]\nwait_seconds = 3\n"
                    "[politeness]\ndelay_ms = 20\n[clean]\nbadness_max = 1000\n"
                    "chars_min = 10\n[fetch]\nhosts_file = hosts\nparallel = 2\n"
                    "[dedup]\nnear = 0\nurl = ipc://%s/dedup.ipc\n"
                    "[log]\nstatus_seconds = 1\n[output]\nformat = jsonl\n"
                    % (host, self.folder))
        self.want = sorted("http://%s%s" % (h, p)
                           for h in self.site.web for p in self.site.web[h])
        self.dedup = None

    def start(self, what):
        return subprocess.Popen([self.winnow, what, self.job, "--dir", self.dir],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def serve(self):
        self.dedup = self.start("dedup")
        Reader(self.dedup.stderr)

    def stop_dedup(self):
        if self.dedup and self.dedup.poll() is None:
            self.dedup.send_signal(signal.SIGCONT)
            self.dedup.terminate()
            self.dedup.wait(20)

    def requests(self, n, p):
        while len(self.site.requests) < n and p.poll() is None:
            time.sleep(.01)


def finish(c, p, fault):
    wait_for_end(p, 60, fault, "it does not end")
    c.stop_dedup()
    got = sorted(d["url"] for d in documents(c.dir))
    twice = [u for u, n in collections.Counter(got).items() if n > 1]
    if got != c.want:
        fault.append("corpus: %d documents, wanted %d, twice: %s" % (
            len(got), len(c.want), twice[:3]))


def absent(c, fault):
    p = c.start("crawl")
    err = Reader(p.stderr)
    if not err.said(["dedup"], 20):
        fault.append("it does not say what it waits for")
    p.send_signal(signal.SIGINT)
    began = time.time()
    try:
        p.wait(30)
    except subprocess.TimeoutExpired:
        p.kill()
        p.wait()
    if p.returncode != 130:
        fault.append("SIGINT: exit status %s" % p.returncode)
    print("     SIGINT took %.1f s" % (time.time() - began))
    p = c.start("crawl")
    err = Reader(p.stderr)
    time.sleep(1)
    c.serve()
    finish(c, p, fault)
    return err


def slow(c, fault):
    c.serve()
    p = c.start("crawl")
    err = Reader(p.stderr)
    c.requests(10, p)
    c.dedup.send_signal(signal.SIGSTOP)
    time.sleep(1)
    held = len(c.site.requests)
    time.sleep(4)
    if len(c.site.requests) > held:
        fault.append("it goes on fetching: %d" % (len(c.site.requests) - held))
    c.dedup.send_signal(signal.SIGCONT)
    finish(c, p, fault)
    return err


def dies(c, fault):
    c.serve()
    p = c.start("crawl")
    err = Reader(p.stderr)
    for n in (10, 25, 40):
        c.requests(n, p)
        c.dedup.kill()
        c.dedup.wait()
        c.serve()
    finish(c, p, fault)
    return err


def main():
    winnow = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="winnow-away-")
    bad = 0
    try:
        for part in (absent, slow, dies):
            c, fault = Crawl(winnow, base, part.__name__), []
            try:
                err = part(c, fault)
            finally:
                c.stop_dedup()
                c.site.close()
            print("%s a dedup service that is %s" % (
                "FAIL" if fault else "ok  ", part.__name__))
            for f in fault:
                print("     " + f)
            if fault:
                print("\n".join("     | " + line for line in err.lines[-20:]))
            bad += bool(fault)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
