#!/usr/bin/env python3
"""dedup_away.py -- a dedup service that is absent, slow, or dies.

Absent: the crawl waits and says so; SIGINT ends it; started late, it goes on.
Slow: stopped (SIGSTOP) for a while, it holds the crawl back and loses nothing.
Dies: killed and started again, nothing is lost and nothing stored twice.

usage: dedup_away.py WINNOW
"""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import (DedupCrawl, Reader, run_parts,  # noqa: E402
                       wait_for_end)

PAGES = 60


def begin(base, name):
    return DedupCrawl(os.path.abspath(sys.argv[1]), base, name, PAGES,
                      "ipc://{folder}/dedup.ipc",
                      "parallel = 2\n[log]\nstatus_seconds = 1\n")


def requests(c, n, p):
    while len(c.site.requests) < n and p.poll() is None:
        time.sleep(.01)


def finish(c, p, fault):
    wait_for_end(p, 60, fault, "it does not end")
    c.check(fault)


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
    requests(c, 10, p)
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
        requests(c, n, p)
        c.dedup.kill()
        c.dedup.wait()
        c.serve()
    finish(c, p, fault)
    return err


if __name__ == "__main__":
    sys.exit(run_parts("winnow-away-", begin, (absent, slow, dies)))
