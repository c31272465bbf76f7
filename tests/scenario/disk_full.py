#!/usr/bin/env python3
"""disk_full.py -- when a disk of the crawl is full it pauses, says so, and goes
on when space returns, with nothing lost; nor is it when it is ended meanwhile.

The corpus, the frontier, or all of DIR lies on a small tmpfs (root only, else
skipped with status 77) that is filled with a big file; while it is full, pages
may be fetched but none is done.  Then the file is taken away.

usage: disk_full.py WINNOW
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import Reader, documents, wait_for_end  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

PAGES, MIB = 60, 1 << 20


def job(folder, site, closed, more):
    site.write_hosts(os.path.join(folder, "hosts"))
    with open(os.path.join(folder, "hosts"), "a") as f:
        f.write("never.test 127.0.0.1:%d\n" % closed)
    host = sorted(site.web)[0]
    with open(os.path.join(folder, "job.ini"), "w") as f:
        f.write("[seeds]\nurl = http://%s/0.html\n[limits]\nwait_seconds = 3\n"
                "[politeness]\ndelay_ms = 20\n[clean]\nbadness_max = 1000\n"
                "chars_min = 10\n[fetch]\nhosts_file = hosts\nparallel = 2\n"
                "[dedup]\nnear = 0\nmap_gib = 1\n[frontier]\nmap_gib = 1\n"
                "[log]\nstatus_seconds = 1\n[output]\nformat = jsonl\n%s"
                % (host, more))


def burden(site):
    """Links that fill the frontier: to a host that refuses connections, so
    they stay in its queue."""
    closed = socket.socket()
    closed.bind(("127.0.0.1", 0))
    for host in site.web:
        for n, path in enumerate(sorted(site.web[host])):
            more = "".join("<a href='http://never.test/%d/%d/%s'>x</a>" % (n, i, "u" * 1000)
                           for i in range(100))
            site.web[host][path] = site.web[host][path].replace(
                b"</article>", more.encode() + b"</article>")
    return closed


def fill(path):
    """Leave no byte on the file system of `path`."""
    with open(path, "wb", buffering=0) as f:
        for size in (MIB, 4096, 512, 1):
            try:
                while True:
                    f.write(b"x" * size)
            except OSError:
                pass


def crawl(winnow, folder):
    """The crawl of the job in `folder`, as a process, and what it says."""
    p = subprocess.Popen([winnow, "crawl", os.path.join(folder, "job.ini"),
                          "--dir", os.path.join(folder, "crawl")],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    return p, Reader(p.stderr)


def ended(winnow, base, mounted, more):
    """SIGTERM while `mounted` is full, then again with room: every document is there
    once, and so is its line in the log.  What was paused did not go on meanwhile."""
    folder = os.path.join(base, "ended_" + mounted)
    disk = os.path.join(folder, "crawl", mounted)
    os.makedirs(disk)
    site, fault, said = Site(make_pages(1, PAGES, 5)), [], []
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", disk], check=True)
    try:
        job(folder, site, 1, "disk_free_mib = 0\n" + more)
        p, err = crawl(winnow, folder)
        while len(site.requests) < 8 and p.poll() is None:
            time.sleep(.01)
        fill(os.path.join(disk, "filler"))
        if not err.said(["paused", "no space"], 20):
            fault.append("it does not say that the disk is full")
        time.sleep(2)
        p.send_signal(signal.SIGTERM)
        if p.wait(40) != 130:
            fault.append("exit status %s" % p.returncode)
        said = err.lines
        fault += [line for line in said if "going on: " in line]
        if sum("No space left" in line for line in said) > 2:
            fault.append("it says again and again that there is no space")
        if sum("paused: no space" in line for line in said) > 1:
            fault.append("each thread says that it pauses")
        os.unlink(os.path.join(disk, "filler"))
        wait_for_end(crawl(winnow, folder)[0], 40, fault, "it does not end")
        got = sorted(d["url"] for d in documents(folder, "crawl"))
        with open(os.path.join(folder, "crawl", "log", "crawl.jsonl")) as f:
            logged = {e["url"] for e in map(json.loads, f) if e["verdict"] == "kept"}
        if len(got) != PAGES or sorted(logged) != got:
            fault.append("corpus: %d documents of %d, log: %d" % (len(got), PAGES, len(logged)))
    finally:
        subprocess.run(["umount", "-l", disk], check=False)
        site.close()
    print("%s ended_%s" % ("FAIL" if fault else "ok  ", mounted))
    print("".join("     %s\n" % f for f in fault), end="")
    if fault:
        print("\n".join("     | " + line for line in said[-25:]))
    return bool(fault)


def at_start(winnow, base, mounted):
    """On a full disk nothing begins: a message that says what to do, exit status 1."""
    folder = os.path.join(base, "start_" + mounted)
    disk = os.path.join(folder, "crawl", mounted)
    os.makedirs(disk)
    site = Site(make_pages(1, 2, 5))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", disk], check=True)
    try:
        job(folder, site, 1, "disk_free_mib = 0\n")
        if mounted != "frontier":  # which asks for a MiB
            fill(os.path.join(disk, "filler"))
        p, err = crawl(winnow, folder)
        good = p.wait(40) == 1 and err.said(["no space left: make room and start again"], 5)
    finally:
        subprocess.run(["umount", "-l", disk], check=False)
        site.close()
    print("%s start_%s" % ("ok  " if good else "FAIL", mounted))
    if not good:
        print(p.returncode, "\n".join(err.lines))
    return not good


def run(winnow, base, name, mounted, more, words):
    """Crawl with `mounted` (a folder of DIR) on a tmpfs that gets full."""
    folder = os.path.join(base, name)
    disk = os.path.join(folder, "crawl", mounted)
    os.makedirs(disk)
    site = Site(make_pages(1, PAGES, 5))
    closed = burden(site)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", disk], check=True)
    fault = []
    p = None
    try:
        job(folder, site, closed.getsockname()[1], more)
        p, err = crawl(winnow, folder)
        while len(site.requests) < 8 and p.poll() is None:
            time.sleep(.01)
        filler = os.path.join(disk, "filler")
        fill(filler)
        if not err.said(words, 20):
            fault.append("it does not say that the disk is full")
        before = len(site.requests)
        time.sleep(2)
        if len(site.requests) > before + 4:
            fault.append("it goes on fetching: %d pages" % (len(site.requests) - before))
        if p.poll() is not None:
            fault.append("it ended: %s" % p.returncode)
        os.unlink(filler)
        wait_for_end(p, 40, fault, "it does not go on")
        got = sorted(d["url"] for d in documents(folder, "crawl"))
        want = sorted("http://%s%s" % (h, path) for h in site.web for path in site.web[h])
        if got != want:
            fault.append("corpus: %d documents, wanted %d" % (len(got), len(want)))
    finally:
        if p is not None and p.poll() is None:
            p.kill()
            p.wait()
        subprocess.run(["umount", disk], check=False)
        site.close()
        closed.close()
    print("%s %s" % ("FAIL" if fault else "ok  ", name))
    for f in fault:
        print("     " + f)
    if fault and p is not None:
        print("\n".join("     | " + line for line in err.lines[-25:]))
    return bool(fault)


def main():
    winnow = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="winnow-full-")
    probe = os.path.join(base, "probe")
    os.mkdir(probe)
    try:
        mounts = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", probe],
                                stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        mounts = False
    if not mounts:
        print("skipped: a tmpfs can only be mounted by root")
        shutil.rmtree(base)
        return 77
    subprocess.run(["umount", probe], check=True)
    bad = 0
    try:
        for name, mounted, more, words in (
                ("corpus_full", "corpus", "disk_free_mib = 0\n", ["space"]),
                ("frontier_full", "frontier", "disk_free_mib = 0\n", ["space"]),
                ("log_full", "log", "disk_free_mib = 0\n", ["paused", "space"]),
                ("less_than_asked_for", "corpus", "disk_free_mib = 10\n",
                 ["paused", "disk_free_mib"]),
                ("less_for_warc", "warc", "disk_free_mib = 10\nwarc = on\n",
                 ["paused", "crawl/warc has", "disk_free_mib"])):
            bad += run(winnow, base, name, mounted, more, words)
        for mounted in "frontier", "dedup":
            bad += at_start(winnow, base, mounted)
        bad += ended(winnow, base, "log", "")
        bad += ended(winnow, base, "warc", "warc = on\n")
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
