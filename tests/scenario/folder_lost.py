#!/usr/bin/env python3
"""folder_lost.py -- the folder of a crawl is removed or moved away while it runs,
and another crawl begins under the same name.  The first one says so and ends by
itself, with exit status 1; nothing that it had is among the files of the second.
And what cannot be stored at the very end of a crawl shows in its exit status; for
documents the same command does the rest, once there is a folder for them.

usage: folder_lost.py WINNOW
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

from crawl_run import documents
from made_web import Site, make_pages

PAGES, DELAY_MS = 12, 300


def crawl(winnow, base, host, *more):
    return subprocess.Popen(
        [winnow, "crawl", "--dir", os.path.join(base, "crawl"), "--quiet",
         "--set", "seeds.url=http://%s/0.html" % host, "--set", "dedup.near=0",
         "--set", "fetch.hosts_file=" + os.path.join(base, "hosts"),
         "--set", "politeness.delay_ms=%d" % DELAY_MS,
         "--set", "clean.badness_max=1000", "--set", "clean.chars_min=10",
         "--set", "output.format=jsonl", "--set", "output.disk_free_mib=0", *more],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def end(p, code, fault):
    try:
        said = p.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        p.kill()
        said = p.communicate()[1]
        fault.append("it does not end")
    if p.returncode != code:
        fault.append("exit status %d, not %d: %s" % (p.returncode, code, said[-1500:]))
    return said


def removed(folder):
    """As by rm -rf, again while the crawl creates files in it."""
    while os.path.exists(folder):
        shutil.rmtree(folder, ignore_errors=True)


def moved(folder):
    os.rename(folder, folder + ".away")


def begin(winnow, *more):
    """A crawl that has fetched some pages."""
    base = tempfile.mkdtemp(prefix="winnow-lost-")
    site = Site(make_pages(2, PAGES, 5))
    site.write_hosts(os.path.join(base, "hosts"))
    first = crawl(winnow, base, sorted(site.web)[0], *more)
    until = time.time() + 30
    while len(site.requests) < 5 and time.time() < until:
        time.sleep(.02)
    return base, site, first


def ended(name, base, site, fault):
    site.close()
    shutil.rmtree(base)
    print("%s %s%s" % ("FAIL" if fault else "ok  ", name,
                       "".join("\n     " + f for f in fault)))
    return bool(fault)


def at_the_end(winnow, sub, *more):
    """Its folder `sub` is away when the crawl ends."""
    fault = []
    base, site, p = begin(winnow, *more)
    os.rename(os.path.join(base, "crawl", sub), os.path.join(base, "away"))
    said = end(p, 1, fault)
    if "not all of it is stored" not in said:
        fault.append("it does not say so: " + said[-1500:])
    os.rename(os.path.join(base, "away"), os.path.join(base, "crawl", sub))
    asked = len(site.requests)
    end(crawl(winnow, base, sorted(site.web)[0]), 0, fault)
    docs = documents(base, "crawl")
    if len(docs) != 2 * PAGES or len(site.requests) > asked:
        fault.append("%d documents, %d requests more" % (
            len(docs), len(site.requests) - asked))
    return ended(sub + " at the end", base, site, fault)


def while_it_runs(winnow, takes_away):
    fault = []
    base, site, first = begin(winnow)
    hosts = sorted(site.web)
    takes_away(os.path.join(base, "crawl"))
    second = crawl(winnow, base, hosts[1])
    said = end(first, 1, fault)
    if "was removed or moved away" not in said:
        fault.append("it gives no reason: " + said[-1500:])
    end(second, 0, fault)
    urls = [d["url"] for d in documents(base, "crawl")]
    want = sorted("http://%s%s" % (h, p) for h in hosts for p in site.web[h])
    if sorted(urls) != want:
        fault.append("%d documents, %d different ones, wanted %d" % (
            len(urls), len(set(urls)), len(want)))
    return ended(takes_away.__name__, base, site, fault)


def main(winnow):
    bad = [while_it_runs(winnow, f) for f in (removed, moved)]
    bad += [at_the_end(winnow, "corpus", "--set", "dedup.save_ms=60000"),
            at_the_end(winnow, "warc", "--set", "output.warc=on")]
    return sum(bad)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
