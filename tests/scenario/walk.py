#!/usr/bin/env python3
"""walk.py -- scorer walk makes a random walk: each step is a link of the page
that was kept last, or a jump to a seed, as often as the job says; from a dead
end it jumps, or goes back to the latest page that has a link left.

usage: walk.py WINNOW

A made-up web is crawled with one transfer at a time; the crawl log is the walk.
Job files of ClaraX set the same options.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
SEEDS, STEPS = 60, 90
failed = 0


def check(good, what):
    global failed
    if not good:
        failed += 1
        print("FAIL", what)


def urls_of(site):
    return ["http://%s%s" % (h, p) for h in sorted(site.web) for p in site.web[h]]


def links(site, url):
    _, _, host, path = url.split("/", 3)
    body = site.web[host]["/" + path].decode()
    return {u if u.startswith("http") else "http://%s%s" % (host, u)
            for u in re.findall(r'<a href="([^"]*)"', body)}


def walk(tmp, site, name, seeds, job):
    out = os.path.join(tmp, name)
    site.write_hosts(os.path.join(tmp, "hosts"))
    with open(os.path.join(tmp, "seeds.txt"), "w", encoding="ascii") as f:
        f.write("\n".join(seeds) + "\n")
    with open(os.path.join(tmp, name + ".ini"), "w", encoding="ascii") as f:
        f.write(job + "[fetch]\nhosts_file = %s/hosts\nparallel = 1\n"
                "[limits]\npages = %d\nwait_seconds = 1\n[politeness]\ndelay_ms = 0\n"
                "robots = off\n[clean]\nbadness_max = 1000\nchars_min = 10\n"
                "[dedup]\nnear = 0\n" % (tmp, STEPS))
    p = subprocess.run([WINNOW, "crawl", os.path.join(tmp, name + ".ini"), "--dir",
                        out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       timeout=120, check=False)
    check(p.returncode == 0, p.stdout.decode()[-800:])
    with open(out + "/log/crawl.jsonl", encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    return [r["url"] for r in rows if r["kind"] == "page" and
            r["outcome"] == "FETCHED"]


def steps(site, path, seeds, backtrack):
    """How many steps were jumps; every other one has to be allowed."""
    jumps, dead_ends, tried, stack = 0, 0, {path[0]}, [path[0]]
    for url in path[1:]:
        open_links = links(site, stack[-1]) - tried
        if backtrack:
            while not open_links and len(stack) > 1:
                stack.pop()
                open_links = links(site, stack[-1]) - tried
        if url not in open_links:
            check(url in seeds, "neither a link of %s nor a seed: %s" % (
                stack[-1], url))
            jumps += 1
            dead_ends += not open_links
        tried.add(url)
        stack.append(url)
    return jumps, dead_ends


def main(tmp):
    site = Site(make_pages(6, 150, 4), 0)
    try:
        urls = urls_of(site)
        seeds = urls[::len(urls) // SEEDS][:SEEDS]
        for name, rate in ("often", .3), ("seldom", .05):
            path = walk(tmp, site, name, seeds, "[seeds]\nfile = %s/seeds.txt\n"
                        "[frontier]\nscorer = walk\nwalk_jump = %g\n" % (tmp, rate))
            check(len(path) == STEPS, "%d steps" % len(path))
            jumps, dead_ends = steps(site, path, seeds, False)
            want = rate * STEPS
            check(abs(jumps - dead_ends - want) <= 4 + 3 * want ** .5,
                  "%s: %d jumps, %d dead ends" % (name, jumps, dead_ends))
        path = walk(tmp, site, "back", seeds[:1], "[seeds]\nfile = %s/seeds.txt\n"
                    "[frontier]\nscorer = walk\nwalk_jump = 0\n"
                    "walk_dead_end = backtrack\n" % tmp)
        jumps, _ = steps(site, path, seeds, True)
        check(len(path) > 40 and jumps == 0, "back: %d steps, %d jumps" % (
            len(path), jumps))
        order = [urls.index(u) for u in path]
        again = walk(tmp, site, "other", seeds[:1], "[seeds]\nfile = %s/seeds.txt\n"
                     "[frontier]\nscorer = walk\nwalk_jump = 0\nrandom_seed = 7\n"
                     "walk_dead_end = backtrack\n" % tmp)
        check([urls.index(u) for u in again] != order, "another seed of chance")
    finally:
        site.close()
    print("FAIL" if failed else "ok  ", "scorer walk is a random walk with jumps")
    return failed != 0


with tempfile.TemporaryDirectory() as folder:
    sys.exit(main(folder))
