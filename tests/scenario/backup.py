#!/usr/bin/env python3
"""backup.py -- a copy made while a crawl runs is a crawl that goes on.

A made-up web is crawled, by one process and by three (frontier, dedup, crawler),
and copied with `winnow backup` at several moments meanwhile.  The crawl is not
harmed by that, and from each copy another goes on:
  - what the crawl had as done before the copy began is not fetched again;
  - in the end the corpus holds every text once, under one id;
  - the copy of the frontier and that of the corpus have no fault.
A frontier of an earlier copy beside the finished corpus: its pages are fetched
again, and nothing is stored twice.  What a killed crawl left is not copied by
halves.

usage: backup.py WINNOW
"""
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crash import (SECONDS_MAX, Programs, done_keys, seen_key,  # noqa: E402
                   wait_for_requests, write_job)
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages, paragraph  # noqa: E402

HOSTS, PAGES, COPIES = 6, 80, 3
NAMES = {False: ["crawl"], True: ["frontier", "dedup", "crawl"]}


class Test:
    def __init__(self, winnow, base):
        self.winnow, self.base, self.faults = winnow, base, []
        self.web = make_pages(HOSTS, PAGES, 4, copies=.1)
        for pages in self.web.values():  # of longer texts, for several parts
            for path, page in pages.items():
                rng = random.Random(page[page.index(b"<article>"):])
                more = "".join("<p>%s</p>" % paragraph(rng) for _ in range(12))
                pages[path] = page.replace(b"</article>", more.encode() + b"</article>")

    def expect(self, truth, what):
        if not truth:
            self.faults.append(what)

    def run(self, *args):
        return subprocess.run([self.winnow, *args], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=SECONDS_MAX)

    def backup(self, crawl, to):
        p = self.run("backup", crawl, to)
        self.expect(p.returncode == 0 and os.path.isdir(to),
                    "backup to %s: exit %d: %s" % (to, p.returncode, p.stderr))

    def end(self, site, programs):
        try:
            code = programs.running["crawl"].wait(SECONDS_MAX)
            self.expect(code == 0, "%s: the crawl ended with %s" % (programs.folder, code))
        finally:
            programs.stop()
            site.close()

    def judge(self, name, folder, wanted):
        docs = documents(folder, "crawl")
        texts = sorted(d["text"] for d in docs)
        self.expect(texts == wanted, "%s: %d documents, %d texts, wanted %d" % (
            name, len(texts), len(set(texts)), len(wanted)))
        self.expect(len({d["id"] for d in docs}) == len(docs), name + ": an id twice")
        for what in ("frontier", "dedup"):
            p = self.run(what, os.path.join(folder, "crawl"), "--check")
            self.expect(p.returncode == 0, "%s: %s --check: %s%s" % (
                name, what, p.stdout, p.stderr))

    def begin(self, folder, services):
        """A crawl in FOLDER/crawl, which may be there."""
        os.makedirs(folder, exist_ok=True)
        site = Site(self.web)
        return site, Programs(self.winnow, folder, write_job(folder, site, services),
                              NAMES[services])

    def go_on(self, name, folder, done, wanted, services):
        """From a copy; its requests."""
        site, programs = self.begin(folder, services)
        self.end(site, programs)
        again = [host + path for host, path, *_ in site.requests
                 if path != "/robots.txt" and seen_key(host, path) in done]
        self.expect(not again, "%s: fetched again: %s" % (name, again[:5]))
        self.judge(name, folder, wanted)
        return [r for r in site.requests if r[1] != "/robots.txt"]

    def crawl_and_copy(self, services):
        name = "services" if services else "one process"
        folder = os.path.join(self.base, name.split()[0])
        site, programs = self.begin(folder, services)
        done = []
        try:
            for i in range(COPIES):
                for _ in range(10):
                    wait_for_requests(site, programs.running["crawl"])
                self.expect(programs.running["crawl"].poll() is None, name + ": it was too fast")
                done.append(done_keys(self.winnow, folder))
                os.makedirs(folder + str(i))
                self.backup(os.path.join(folder, "crawl"), folder + str(i) + "/crawl/")
        finally:
            self.end(site, programs)
        wanted = sorted({d["text"] for d in documents(folder, "crawl")})
        self.judge(name, folder, wanted)
        for i in range(COPIES):
            what = "%s, copy %d" % (name, i)
            copied = done_keys(self.winnow, folder + str(i))
            self.expect(done[i] and done[i] <= copied, "%s: %d of %d pages are not done there" % (
                what, len(done[i] - copied), len(done[i])))
            shutil.copytree(folder + str(i), folder + str(i) + "-mixed")
            asked = self.go_on(what, folder + str(i), copied, wanted, services)
            self.expect(len(asked) + len(copied) >= HOSTS * PAGES,
                        "%s: %d pages asked for, %d done" % (what, len(asked), len(copied)))
            print("%s: %d pages were done, %d fetched" % (what, len(copied), len(asked)))
        return folder, wanted

    def mixed(self, folder, wanted):
        """The first copy's frontier, and the corpus of the end."""
        mixed = folder + "0-mixed"
        shutil.move(os.path.join(mixed, "crawl", "frontier"), os.path.join(mixed, "frontier"))
        shutil.rmtree(os.path.join(mixed, "crawl"))
        shutil.copytree(os.path.join(folder, "crawl"), os.path.join(mixed, "crawl"))
        shutil.rmtree(os.path.join(mixed, "crawl", "frontier"))
        shutil.move(os.path.join(mixed, "frontier"), os.path.join(mixed, "crawl", "frontier"))
        before = sorted(d["id"] for d in documents(mixed, "crawl"))
        asked = self.go_on("mixed", mixed, set(), wanted, False)
        self.expect(asked, "mixed: nothing was fetched again")
        self.expect(before == sorted(d["id"] for d in documents(mixed, "crawl")),
                    "mixed: the documents are others")
        print("mixed: %d pages fetched again" % len(asked))

    def killed(self):
        folder = os.path.join(self.base, "killed")
        crawl, copy = os.path.join(folder, "crawl"), os.path.join(folder, "copy")
        site, programs = self.begin(folder, False)
        try:
            for _ in range(5):
                wait_for_requests(site, programs.running["crawl"])
        finally:
            programs.kill("crawl")
            site.close()
        p = self.run("backup", crawl, copy)
        self.expect(p.returncode == 2 and "as it is" in p.stderr and not os.path.exists(copy),
                    "killed: exit %d: %s" % (p.returncode, p.stderr))
        p = self.run("backup", crawl, copy)
        self.expect(p.returncode == 2 and "copy.part is there already" in p.stderr,
                    "half a copy: exit %d: %s" % (p.returncode, p.stderr))
        p = self.run("backup", folder, copy + "2")
        self.expect(p.returncode == 2 and "neither a frontier nor a corpus" in p.stderr,
                    "no crawl: exit %d: %s" % (p.returncode, p.stderr))


def main():
    base = tempfile.mkdtemp(prefix="winnow-backup-")
    test = Test(os.path.abspath(sys.argv[1]), base)
    os.environ["WINNOW_OUTPUT_SPLIT_MIB"] = "1"
    folder, wanted = test.crawl_and_copy(False)
    test.expect(glob.glob(folder + "2/crawl/corpus/part-000002.*"), "there is one part")
    test.mixed(folder, wanted)
    test.crawl_and_copy(True)
    test.killed()
    for fault in test.faults[:20]:
        print("FAIL " + fault)
    if test.faults:
        print("see " + base)
        return 1
    shutil.rmtree(base)
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
