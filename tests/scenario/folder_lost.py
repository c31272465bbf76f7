#!/usr/bin/env python3
"""folder_lost.py -- the folder of a crawl is removed or moved away while it runs,
and another crawl begins under the same name.  The first one says so and ends by
itself, with exit status 1; nothing that it had is among the files of the second.

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


def crawl(winnow, base, host):
    return subprocess.Popen(
        [winnow, "crawl", "--dir", os.path.join(base, "crawl"), "--quiet",
         "--set", "seeds.url=http://%s/0.html" % host, "--set", "dedup.near=0",
         "--set", "fetch.hosts_file=" + os.path.join(base, "hosts"),
         "--set", "politeness.delay_ms=%d" % DELAY_MS,
         "--set", "clean.badness_max=1000", "--set", "clean.chars_min=10",
         "--set", "output.format=jsonl", "--set", "output.disk_free_mib=0"],
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
    shutil.rmtree(folder)


def moved(folder):
    os.rename(folder, folder + ".away")


def one(winnow, takes_away):
    base, fault = tempfile.mkdtemp(prefix="winnow-lost-"), []
    site = Site(make_pages(2, PAGES, 5))
    site.write_hosts(os.path.join(base, "hosts"))
    hosts = sorted(site.web)
    first = crawl(winnow, base, hosts[0])
    until = time.time() + 30
    while len(site.requests) < 5 and time.time() < until:
        time.sleep(.02)
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
    site.close()
    shutil.rmtree(base)
    print("%s %s%s" % ("FAIL" if fault else "ok  ", takes_away.__name__,
                       "".join("\n     " + f for f in fault)))
    return bool(fault)


if __name__ == "__main__":
    sys.exit(sum([one(os.path.abspath(sys.argv[1]), f) for f in (removed, moved)]))
