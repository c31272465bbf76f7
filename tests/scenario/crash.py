#!/usr/bin/env python3
"""crash.py -- kill -9 at random moments loses nothing and stores nothing twice.

A made-up web is crawled once without interruption, then again with the
frontier, the dedup service and the crawler as three processes of which one is
killed (SIGKILL) at each of 20 seeded random moments and started again; then
once more with everything in one process.  At the end:
  - the corpus holds exactly the texts of the uninterrupted crawl, each once;
  - no page is requested again after the frontier had recorded it as done;
  - no host was contacted within its delay, restarts included.
With twice as many slots as hosts these are asked again before their pages are reported.
Near-duplicate detection is off: which copy stays would depend on the order.

usage: crash.py WINNOW [--seed N] [--kills N] [--keep DIR]
"""
import argparse
import collections
import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402
from web_server import too_soon  # noqa: E402

HOSTS, PAGES, DELAY_MS = 8, 160, 60
SECONDS_MAX = 150


def write_job(folder, site, services):
    site.write_hosts(os.path.join(folder, "hosts"))
    with open(os.path.join(folder, "seeds"), "w") as f:
        for host in sorted(site.web):
            f.write("http://%s/0.html\n" % host)
    text = ("[seeds]\nfile = seeds\n[scope]\ntld = test\n"
            "[limits]\nwait_seconds = 5\n"
            "[politeness]\ndelay_ms = %d\nretries = 20\nretry_ms = 100\n"
            "[clean]\nlanguage = nl\nbadness_max = 1000\nchars_min = 100\nthreads = 2\n"
            "[fetch]\nhosts_file = hosts\nparallel = 16\n"
            "[output]\nformat = jsonl\n" % DELAY_MS)
    text += "[frontier]\nlease_seconds = 60\n"
    if services:
        text += "url = ipc://%s/frontier.ipc\n" % folder
    text += "[dedup]\nnear = 0\n"
    if services:
        text += "url = ipc://%s/dedup.ipc\n" % folder
    job = os.path.join(folder, "job.ini")
    with open(job, "w") as f:
        f.write(text)
    return job


class Programs:
    """The processes of one crawl, each restartable."""

    def __init__(self, winnow, folder, job, names):
        self.winnow, self.folder, self.job = winnow, folder, job
        self.running = {}
        for name in names:
            self.start(name)

    def start(self, name):
        err = open(os.path.join(self.folder, name + ".stderr"), "a")
        self.running[name] = subprocess.Popen(
            [self.winnow, name, self.job, "--dir", os.path.join(self.folder, "crawl")],
            stdin=subprocess.DEVNULL, stdout=err, stderr=err)
        err.close()

    def kill(self, name):
        self.running[name].send_signal(signal.SIGKILL)
        self.running[name].wait()

    def stop(self):
        for p in self.running.values():
            if p.poll() is None:
                p.send_signal(signal.SIGTERM)
        for name, p in self.running.items():
            try:
                p.wait(20)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
                raise SystemExit("crash: %s did not stop on SIGTERM" % name)


def seen_key(host, path, xxh=ctypes.CDLL("libxxhash.so.0").XXH3_64bits):
    """A URL's key in the frontier's `seen` table (frontier/store/row.h)."""
    xxh.restype = ctypes.c_uint64
    xxh.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    url = ("http://%s%s" % (host, path)).encode()
    return "%016x%016x" % (xxh(host.encode(), len(host)), xxh(url, len(url)))


def done_keys(winnow, folder):
    """Keys of the URLs that the frontier has recorded as done."""
    out = subprocess.run([winnow, "frontier", os.path.join(folder, "crawl"), "--dump"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if "cannot find a frontier" in out.stderr or "nothing was accepted yet" in out.stderr:
        return set() # killed before its first commit
    if out.returncode != 0:
        raise SystemExit("crash: frontier --dump failed: " + out.stderr)
    rows = (json.loads(line) for line in out.stdout.splitlines())
    return {row["hash"] for row in rows if row["state"] == "done"}


def uninterrupted(winnow, base, web):
    folder = os.path.join(base, "reference")
    os.makedirs(folder)
    site = Site(web)
    try:
        job = write_job(folder, site, False)
        p = Programs(winnow, folder, job, ["crawl"])
        code = p.running["crawl"].wait(SECONDS_MAX)
        if code != 0:
            raise SystemExit("crash: the uninterrupted crawl ended with %d; see %s"
                             % (code, folder))
    finally:
        site.close()
    return sorted(d["text"] for d in documents(folder, "crawl")), site.requests


def wait_for_requests(site, crawl, seconds=30):
    """Until a few more pages were asked for; however slow the machine is."""
    more, until = len(site.requests) + 5, time.time() + seconds
    while len(site.requests) < more and crawl.poll() is None and time.time() < until:
        time.sleep(0.02)


def interrupted(winnow, base, web, services, kills, rng):
    folder = os.path.join(base, "services" if services else "embedded")
    os.makedirs(folder)
    site = Site(web)
    names = ["frontier", "dedup", "crawl"] if services else ["crawl"]
    job = write_job(folder, site, services)
    programs = Programs(winnow, folder, job, names)
    killed, refetched = collections.Counter(), [] # (when, keys done by then)
    began = time.time()
    try:
        while time.time() - began < SECONDS_MAX:
            if sum(killed.values()) < kills:
                if sum(killed.values()) % 2: # every other run gets somewhere
                    wait_for_requests(site, programs.running["crawl"])
                time.sleep(rng.uniform(0.05, 0.6))
                if programs.running["crawl"].poll() is not None:
                    break # the crawl was faster than the kills
                victim = rng.choice(names)
                programs.kill(victim)
                killed[victim] += 1
                done = done_keys(winnow, folder)
                refetched.append((time.time(), done))
                programs.start(victim)
            elif programs.running["crawl"].poll() is not None:
                break
            else:
                time.sleep(0.1)
        code = programs.running["crawl"].poll()
    finally:
        programs.stop()
        site.close()
    again, checked = set(), set()
    for mark, done in refetched:
        for host, path, begin, *_ in site.requests:
            if seen_key(host, path) in done:
                checked.add(path)
                if begin > mark:
                    again.add("http://%s%s" % (host, path))
    if not checked:
        raise SystemExit("crash: no URL was recognised in the frontier's dump")
    return {"code": code, "killed": killed, "docs": documents(folder, "crawl"),
            "again": again, "too_soon": too_soon(site.requests, DELAY_MS / 1000),
            "requests": len(site.requests), "seconds": time.time() - began}


def judge(name, reference, r, kills):
    texts = collections.Counter(d["text"] for d in r["docs"])
    wanted = collections.Counter(reference)
    faults = []
    if r["code"] != 0:
        faults.append("the crawl ended with %s" % r["code"])
    if sum(r["killed"].values()) < kills:
        faults.append("only %d of %d kills happened" % (sum(r["killed"].values()), kills))
    for text in (wanted - texts):
        faults.append("lost: %.60s" % text)
    for text in (texts - wanted):
        faults.append("twice or unknown: %.60s" % text)
    if len({d["id"] for d in r["docs"]}) != len(r["docs"]):
        faults.append("a document id is stored twice")
    faults += ["fetched again: " + u for u in sorted(r["again"])]
    faults += ["too soon: " + t for t in r["too_soon"]]
    print("%s: %d requests, %d documents, kills %s, %.0f s: %s" % (
        name, r["requests"], len(r["docs"]), dict(r["killed"]), r["seconds"],
        "ok" if not faults else "%d faults" % len(faults)))
    for fault in faults[:20]:
        print("  " + fault)
    return not faults


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("winnow")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--kills", type=int, default=20)
    p.add_argument("--keep")
    a = p.parse_args()
    a.winnow = os.path.abspath(a.winnow)
    base = a.keep or tempfile.mkdtemp(prefix="winnow-crash-")
    shutil.rmtree(base, ignore_errors=True)
    os.makedirs(base)
    web = make_pages(HOSTS, PAGES, a.seed, copies=0.1)
    rng = random.Random(a.seed)
    reference, requests = uninterrupted(a.winnow, base, web)
    print("uninterrupted: %d requests, %d documents" % (len(requests), len(reference)))
    ok = len(reference) > HOSTS * PAGES // 2
    ok &= not too_soon(requests, DELAY_MS / 1000)
    ok &= judge("three processes", reference,
                interrupted(a.winnow, base, web, True, a.kills, rng), a.kills)
    ok &= judge("one process", reference,
                interrupted(a.winnow, base, web, False, a.kills // 2, rng), a.kills // 2)
    if not a.keep and ok:
        shutil.rmtree(base)
    elif not ok:
        print("everything is kept in " + base)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
