#!/usr/bin/env python3
"""upgrade.py -- crawls that an earlier version began, and that were killed, go on.

Each file of tests/cases/upgrade is the folder of a crawl that was killed (kill -9)
half way, as the version that it is named after left it.  From a copy of each this
program goes on, in one process and as three (frontier, dedup, crawler), at once
and behind what one may do before the first start: --stat, --check, report, backup.
  - The corpus holds every page of the web, each once.
  - What the earlier version had as done is not fetched again.
  - The stores have no fault, and the report counts what the corpus holds.
  - Where the corpus cannot be opened the frontier stays as it is.
  - A refusal (other models) does not advise the command that was refused.

A release, and a change of a store's form, adds a file, made by the program of the
version that is left behind (its COMMIT, of DATE), as it is built from the sources:
  git archive COMMIT | tar x -C OLD; cd OLD; cmake --preset release
  ninja -C build/release winnow
  upgrade.py --make OLD/build/release/crawler/winnow tests/cases/upgrade/DATE-COMMIT.tar.xz
Such a crawl has no models, so that it goes on without --change, whatever models this
version has; with --models behind --make its job has the preset chain.  The file is below
100 kB, and holds what was made up by made_web.py alone.

usage: upgrade.py WINNOW [PART...]
"""
import argparse
import collections
import glob
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checks import check, run_apart  # noqa: E402
from crash import seen_key  # noqa: E402
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

HOSTS, PAGES, SEED = 4, 12, 53
KILLED_AFTER = 28  # requests, robots.txt among them
SECONDS_MAX = 60
CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "upgrade")
NO_MODELS = ("data = data\nnetwork = none\n" # `data` is an empty folder
             "chain = charset strip links metadata boilerplate normalise tokens shingles\n")


def made_web():
    return make_pages(HOSTS, PAGES, SEED)


def run(winnow, *args):
    try:
        return subprocess.run([winnow, *args], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.args, -9, "", " error it does not end")


def errors(p):
    return "exit %d: %s" % (p.returncode, "\n".join(
        line for line in p.stderr.splitlines() if " error " in line))


# ---- making a case ----

def write_job(folder, web, models):
    if not models:
        os.mkdir(os.path.join(folder, "data"))
    with open(os.path.join(folder, "job.ini"), "w") as f:
        f.write("[seeds]\nurl = %s\n[politeness]\ndelay_ms = 20\n"
                "[limits]\nwait_seconds = 3\n[fetch]\nhosts_file = hosts\n"
                "[clean]\nbadness_max = 1000\nchars_min = 10\n%s"
                "[dedup]\nnear = 0\n[output]\nformat = jsonl\nwarc = on\n"
                "disk_free_mib = 0\n" % (
                    " ".join("http://%s/0.html" % h for h in sorted(web)),
                    "language = nl\n" if models else NO_MODELS))


def kill_half_way(old, folder, site):
    with open(os.path.join(folder, "said"), "w") as said:
        p = subprocess.Popen([old, "crawl", os.path.join(folder, "job.ini"), "--dir",
                              os.path.join(folder, "crawl")],
                             stdin=subprocess.DEVNULL, stdout=said, stderr=said)
    while len(site.requests) < KILLED_AFTER and p.poll() is None:
        time.sleep(.001)
    p.kill()
    if p.wait() != -9:
        sys.exit("upgrade: the crawl ended by itself; see " + folder)


def done_by(old, crawl, web, *without):
    """URLs that `old` has as done in a copy of `crawl` without some files."""
    copy = crawl + ".copy"
    shutil.copytree(crawl, copy, ignore=shutil.ignore_patterns("*.sock", *without))
    out = run(old, "frontier", copy, "--dump").stdout
    shutil.rmtree(copy)
    rows = [json.loads(line) for line in out.splitlines()]
    keys = {r["hash"] for r in rows if r["state"] == "done"}
    return sorted("http://%s%s" % (h, p) for h in web for p in web[h]
                  if seen_key(h, p) in keys)


def nobodys(member):
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def make(old, to, models):
    folder, web = tempfile.mkdtemp(prefix="winnow-upgrade-"), made_web()
    crawl, site = os.path.join(folder, "crawl"), Site(web)
    site.write_hosts(os.path.join(folder, "hosts"))
    write_job(folder, web, models)
    kill_half_way(old, folder, site)
    site.close()
    done, stored = done_by(old, crawl, web), done_by(old, crawl, web, "rows-?")
    if not len(stored) < len(done) < HOSTS * PAGES:
        sys.exit("upgrade: %d pages are done, %d without the log of rows; see %s" % (
            len(done), len(stored), folder))
    with open(os.path.join(folder, "done"), "w") as f:
        f.write("".join(url + "\n" for url in done))
    with tarfile.open(to, "w:xz", preset=9) as tar:
        for name in ("crawl", "data", "done", "job.ini"):
            if os.path.exists(os.path.join(folder, name)):
                tar.add(os.path.join(folder, name), name, filter=nobodys)
    shutil.rmtree(folder)
    print("%s: %d pages done, %d bytes" % (to, len(done), os.path.getsize(to)))


# ---- going on ----

class Crawl:
    """A copy of a case in `folder`, with the web of which it is."""

    def __init__(self, winnow, case, folder):
        self.winnow, self.folder = winnow, folder
        self.name = os.path.basename(case).split(".")[0]
        with tarfile.open(case) as tar:
            tar.extractall(folder)
        self.dir = os.path.join(folder, "crawl")
        self.job = os.path.join(folder, "job.ini")
        self.here = ["--set", "fetch.hosts_file=" + os.path.join(folder, "hosts")]
        if os.path.exists(os.path.join(folder, "data")):
            self.here += ["--set", "clean.data=" + os.path.join(folder, "data")]
        with open(os.path.join(folder, "done")) as f:
            self.done = set(f.read().split())
        self.site = Site(made_web())
        self.site.write_hosts(os.path.join(folder, "hosts"))

    def check(self, good, what):
        check(good, "%s: %s" % (self.name, what))

    def run(self, *args):
        p = run(self.winnow, *args)
        self.check(p.returncode == 0, "%s: %s%s" % (" ".join(args), p.stdout, errors(p)))
        return p.stdout

    def crawl(self, *args):
        """Until nothing waits; with --change where that is asked for."""
        p = run(self.winnow, "crawl", *args)
        if p.returncode == 2 and "say --change" in p.stderr:
            self.check("model " in p.stderr, "no model has changed: " + errors(p))
            self.check("(winnow %s)" % " ".join(("crawl", *args[:2])) not in p.stderr,
                       "what was refused is advised: " + errors(p))
            p = run(self.winnow, "crawl", *args, "--change")
        self.check(p.returncode == 0, "crawl: " + errors(p))

    def judge(self):
        self.site.close()
        asked = ["http://%s%s" % r[:2] for r in self.site.requests]
        again = sorted(self.done.intersection(asked))
        self.check(not again, "fetched again: %s" % again[:5])
        docs = documents(self.dir)
        got = collections.Counter(d["url"] for d in docs)
        want = {"http://%s%s" % (h, p) for h, pages in made_web().items() for p in pages}
        self.check(set(got) == want, "lost: %s" % sorted(want - set(got))[:5])
        self.check(len(got) == len(docs), "twice: %s" % got.most_common(3))
        self.look_at()
        report = json.loads(self.run("report", self.dir, "--json"))
        self.check(report["kept"] == len(docs), "the report counts %s of %d documents" % (
            report["kept"], len(docs)))

    def look_at(self):
        for what in ("frontier", "dedup"):
            self.run(what, self.dir, "--check")
        stat = json.loads(self.run("frontier", self.dir, "--stat", "--json"))
        self.check(stat["done"] >= len(self.done), "%d pages are done, %d were" % (
            stat["done"], len(self.done)))


def cases(winnow, folder):
    for case in sorted(glob.glob(os.path.join(CASES, "*.tar.xz"))):
        yield Crawl(winnow, case, os.path.join(folder, os.path.basename(case).split(".")[0]))


def goes_on_by_its_own_job(winnow, folder):
    for c in cases(winnow, folder):
        c.crawl("--dir", c.dir, *c.here)
        c.judge()


def looked_at_first(winnow, folder):
    for c in cases(winnow, folder):
        c.look_at()
        c.run("report", c.dir, "--json")
        c.crawl(c.job, "--dir", c.dir)
        c.judge()


def backed_up_first(winnow, folder):
    """What a killed crawl has left is copied whole or not at all."""
    for c in cases(winnow, folder):
        copy = os.path.join(c.folder, "copy")
        p = run(winnow, "backup", c.dir, copy)
        if p.returncode == 0:
            c.dir = copy
        else:
            c.check("as it is" in p.stderr and not os.path.exists(copy),
                    "backup: " + errors(p))
        c.crawl(c.job, "--dir", c.dir)
        c.judge()


def read(path):
    with open(path, "rb") as f:
        return f.read()


def refused_by_the_corpus(winnow, folder):
    """The frontier keeps its form, so that the earlier version can go on."""
    for c in cases(winnow, folder):
        index = os.path.join(c.dir, "dedup", "data.mdb")
        frontier = os.path.join(c.dir, "frontier", "data.mdb")
        whole, was = read(index), read(frontier)
        with open(index, "r+b") as f:
            f.write(b"x" * len(whole))
        p = run(winnow, "crawl", c.job, "--dir", c.dir, "--change")
        c.check(p.returncode != 0 and os.path.dirname(index) in p.stderr,
                "a damaged index: " + errors(p))
        c.check(read(frontier) == was, "the frontier has changed before the refusal")
        with open(index, "r+b") as f:
            f.write(whole)
        c.crawl(c.job, "--dir", c.dir)
        c.judge()


def services_go_on(winnow, folder):
    for c in cases(winnow, folder):
        urls = [arg for name in ("frontier", "dedup")
                for arg in ("--set", "%s.url=ipc://%s/%s.sock" % (name, c.folder, name))]
        services = []
        with open(os.path.join(c.folder, "said"), "w") as said:
            for name in ("frontier", "dedup"):
                services.append(subprocess.Popen(
                    [winnow, name, c.job, "--dir", c.dir, *urls],
                    stdin=subprocess.DEVNULL, stdout=said, stderr=said))
        try:
            c.crawl(c.job, "--dir", c.dir, *urls)
        finally:
            for p in services:
                p.terminate()
            for p in services:
                c.check(p.wait(30) == 0, "a service ended with %s" % p.returncode)
        c.judge()


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("winnow")
    p.add_argument("part", nargs="*")
    p.add_argument("--make", action="store_true")
    p.add_argument("--models", action="store_true")
    a = p.parse_args()
    winnow = os.path.abspath(a.winnow)
    if a.make:
        return make(winnow, a.part[0], a.models)
    return run_apart([goes_on_by_its_own_job, looked_at_first, backed_up_first,
                      refused_by_the_corpus, services_go_on], "upgrade", winnow)


if __name__ == "__main__":
    sys.exit(main())
