#!/usr/bin/env python3
"""dedup_away.py -- a dedup service that is absent, slow, dies, or comes back with
another folder.

Absent: the crawl waits and says so; SIGINT ends it; started late, it goes on.
Late: limits.seconds count from when the crawl is ready, not while it waits for that.
Slow: stopped (SIGSTOP) for a while, it holds the crawl back and loses nothing.
Ahead: meanwhile a host without a long delay is asked for as many pages more as
frontier.host_unreported_max says, and no more.
Dies: killed and started again, nothing is lost and nothing stored twice.
Unwritable: with a corpus that cannot be written to it says so once, the crawl waits,
and goes on when it can.
Another folder: the crawl ends and says why, be it the dedup service or the frontier
that comes back so, and the other folder gets nothing; with the right one it goes on.
What it had is back in the queue then, unless the frontier is what went.

usage: dedup_away.py WINNOW
"""
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import (DedupCrawl, Reader, documents,  # noqa: E402
                       run_parts, wait_for_end)

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


def late(c, fault):
    p = c.start("crawl", "--set", "limits.seconds=1")
    err = Reader(p.stderr)
    time.sleep(3)
    c.serve()
    wait_for_end(p, 60, fault, "it does not end")
    if not err.said(["limits.seconds=1 is reached"], 5):
        fault.append("it does not end by its limit")
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


def ahead(c, fault, most):
    c.serve()
    p = c.start("crawl", "--set", "fetch.parallel=32",
                "--set", "frontier.host_unreported_max=%d" % most)
    err = Reader(p.stderr)
    requests(c, 20, p)
    c.dedup.send_signal(signal.SIGSTOP)
    held = len(c.site.requests)
    time.sleep(4)
    more = len(c.site.requests) - held
    # one is out as well, and one may have been answered just before
    if not (most > 0) * 3 <= more <= most + 2:
        fault.append("%d requests more, host_unreported_max=%d" % (more, most))
    c.dedup.send_signal(signal.SIGCONT)
    finish(c, p, fault)
    return err


def far_ahead(c, fault):
    return ahead(c, fault, 6)


def not_ahead(c, fault):
    return ahead(c, fault, 0)


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


def unwritable(c, fault):
    service = c.serve()
    p = c.start("crawl")
    err = Reader(p.stderr)
    requests(c, 10, p)
    corpus = os.path.join(c.dir, "corpus")
    os.rename(corpus, corpus + "-away")
    open(corpus, "w").close()
    if not service.said(["corpus/part"], 20):
        fault.append("the service does not say what it cannot write")
    time.sleep(8)  # four tries and more
    lines = [line for line in service.lines if "corpus/" in line]
    if len(lines) > 4:
        fault.append("it says so in %d lines" % len(lines))
    os.unlink(corpus)
    os.rename(corpus + "-away", corpus)
    finish(c, p, fault)
    if not service.said(["what waited is saved"], 5):
        fault.append("it does not say that it can write again")
    return err


def leased(c, address):
    stat = subprocess.run([c.winnow, "frontier", address, "--stat", "--json"],
                          stdout=subprocess.PIPE, check=True, timeout=30).stdout
    return json.loads(stat)["leased"]


def came_back_elsewhere(c, what, fault, *more, says="not the folder that the crawler",
                        stranger=()):
    """The service that is started by `c.start(what)` does, amid a crawl; or another
    one, `c.start(*stranger)`, has its place."""
    address = "ipc://%s/frontier.ipc" % c.folder
    sets = ("--set", "frontier.url=" + address, *more)
    elsewhere = c.dir + "-elsewhere"

    def serve(kind, folder, *own):
        c.dir, crawl = folder, c.dir
        p = c.start(kind, *sets, *own)
        c.dir = crawl
        if not Reader(p.stderr).said(["ready"], 30):
            fault.append("%s does not start" % kind)
        return p

    running = {kind: serve(kind, c.dir) for kind in ("dedup", "frontier")}
    c.dedup = running["dedup"]
    try:
        crawl = c.start("crawl", *sets)
        err = Reader(crawl.stderr)
        requests(c, 20, crawl)
        for folder in (elsewhere, c.dir):
            running[what].terminate()
            running[what].wait(30)
            if folder == elsewhere and stranger:
                running[what] = serve(stranger[0], folder, *stranger[1:])
            else:
                running[what] = serve(what, folder)
            if folder == elsewhere:
                crawl.wait(60)
        if crawl.returncode != 1 or not err.said([says], 5):
            fault.append("it ends with %s, and does not say why" % crawl.returncode)
        if documents(elsewhere):
            fault.append("the other corpus has got documents")
        if what == "dedup" and leased(c, address) > 0:
            fault.append("%d pages are still out" % leased(c, address))
        c.dedup = running["dedup"]
        crawl = c.start("crawl", *sets)
        err = Reader(crawl.stderr)
        wait_for_end(crawl, 60, fault, "it does not end")
        c.check(fault)
    finally:
        for p in running.values():
            p.kill()
            p.wait()
    return err


def another_folder(c, fault):
    return came_back_elsewhere(c, "dedup", fault)


def another_folder_asked(c, fault):
    return came_back_elsewhere(c, "dedup", fault, "--set", "dedup.known_sentences=cut",
                               "--set", "dedup.known_sentences_max=1")


def another_service(c, fault):
    return came_back_elsewhere(c, "dedup", fault, says=" answers at ", stranger=(
        "frontier", "--set", "frontier.url=ipc://%s/dedup.ipc" % c.folder))


def another_frontier(c, fault):
    return came_back_elsewhere(c, "frontier", fault)


if __name__ == "__main__":
    sys.exit(run_parts("winnow-away-", begin, (
        absent, late, slow, far_ahead, not_ahead, dies, unwritable, another_folder,
        another_folder_asked, another_service, another_frontier)))
