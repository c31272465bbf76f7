#!/usr/bin/env python3
"""walk.py -- scorer walk makes a random walk: each step is a link of the page
before, or a jump to a seed, as often as the job says; pages are met again as
chance will and fetched once; from a dead end it jumps, goes back or stops; it
outlives kill -9 and then is the walk it would have been.

usage: walk.py WINNOW

A made-up web is crawled; DIR/crawl.walk is the walk, the last page first, in
ClaraX's columns: URL, id, host, time, links.
"""
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
STEPS = 90


def urls_of(site):
    return ["http://%s%s" % (h, p) for h in sorted(site.web) for p in site.web[h]]


def links(site, url):
    _, _, host, path = url.split("/", 3)
    body = site.web[host]["/" + path].decode()
    return {u if u.startswith("http") else "http://%s%s" % (host, u)
            for u in re.findall(r'<a href="([^"]*)"', body)}


def start(tmp, site, name, seeds, options, *more):
    site.write_hosts(os.path.join(tmp, "hosts"))
    with open(os.path.join(tmp, "seeds.txt"), "w", encoding="ascii") as f:
        f.write("\n".join(seeds) + "\n")
    with open(os.path.join(tmp, name + ".ini"), "w", encoding="ascii") as f:
        f.write("[seeds]\nfile = %s/seeds.txt\n[fetch]\nhosts_file = %s/hosts\n"
                "[limits]\nwait_seconds = 1\n[politeness]\ndelay_ms = 0\n"
                "robots = off\n[clean]\nbadness_max = 1000\nchars_min = 10\n"
                "[dedup]\nnear = 0\n[frontier]\nscorer = walk\n%s\n" % (
                    tmp, tmp, options))
    return subprocess.Popen(
        [WINNOW, "crawl", os.path.join(tmp, name + ".ini"), "--dir",
         os.path.join(tmp, name), *more], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)


def finished(p):
    out = p.communicate(timeout=120)[0].decode()
    check(p.returncode == 0, out[-800:])
    return out


def log(tmp, name):
    with open(os.path.join(tmp, name, "log/crawl.jsonl"), encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    return [r for r in rows if r["kind"] == "page" and r["outcome"] == "FETCHED"]


def way(tmp, name):
    with open(os.path.join(tmp, name, "crawl.walk"), encoding="ascii") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    return rows[::-1]


def walk(tmp, site, name, seeds, options):
    begun = int(time.time())
    finished(start(tmp, site, name, seeds, options))
    rows = way(tmp, name)
    fetched = log(tmp, name)
    ids = {r["url"]: r["id"] for r in fetched}
    check(len(ids) == len(fetched), name + ": a page was fetched twice")
    for url, ident, host, epoch, n in rows:
        check(ident == ids.get(url) and host == url.split("/")[2] and
              begun <= int(epoch) <= time.time() and
              int(n) == len(links(site, url)), "a line of the walk: " + url)
    path = [r[0] for r in rows]
    check("stop" in options or set(path) <= set(ids), name + ": others")
    return path


def jumps(site, path, seeds):
    """How many steps were jumps; every other one is a link of the page."""
    n = 0
    for before, url in zip(path, path[1:]):
        if url not in links(site, before):
            check(url in seeds, "neither a link of %s nor a seed: %s" % (
                before, url))
            n += 1
    return n


def chance_is_as_the_job_says(tmp, site):
    urls = urls_of(site)
    seeds = urls[::2]
    for name, rate in ("often", .3), ("seldom", .05):
        path = walk(tmp, site, name, seeds,
                    "walk_jump = %g\nwalk_steps = %d" % (rate, STEPS))
        check(len(path) == STEPS, "%d steps" % len(path))
        want, n = rate * STEPS, jumps(site, path, seeds)
        # A node is left by its links without replacement, and none is a dead
        # end the first times: every jump is one of chance, but for few.
        check(abs(n - want) <= 5 + 3 * want ** .5, "%s: %d jumps" % (name, n))
        check(len(set(path)) < len(path), name + ": no page was met again")


def dead_ends(tmp, site):
    urls = urls_of(site)
    path = walk(tmp, site, "back", urls[:1], "walk_jump = 0\nwalk_steps = 60\n"
                "walk_dead_end = backtrack")
    check(len(path) == 60 and jumps(site, path, []) == 0,
          "back: %d steps" % len(path))
    other = walk(tmp, site, "other", urls[:1], "walk_jump = 0\nwalk_steps = 60\n"
                 "walk_dead_end = backtrack\nrandom_seed = 7")
    check([urls.index(u) for u in other] != [urls.index(u) for u in path],
          "another seed of chance makes the same walk")
    host = sorted(site.web)[0]
    site.web[host]["/end.html"] = re.sub(rb"<nav>.*</nav>", b"",
                                         site.web[host]["/0.html"])
    end = "http://%s/end.html" % host
    path = walk(tmp, site, "stop", [end], "walk_jump = 0\nwalk_dead_end = stop")
    check(path == [end], "stop: %s" % path)


def it_outlives_kill_9(tmp, site):
    urls = urls_of(site)
    options = "walk_jump = 0.2\nwalk_steps = 60\nrandom_seed = 3"
    whole = walk(tmp, site, "whole", urls[::3], options)
    name, kills = "killed", 0
    for most in 5, 15, 30:
        p = start(tmp, site, name, urls[::3], options)
        at = os.path.join(tmp, name, "log/crawl.jsonl")
        while p.poll() is None:
            if os.path.exists(at) and sum(1 for _ in open(at, "rb")) >= most:
                p.send_signal(signal.SIGKILL)
                kills += 1
                break
            time.sleep(.005)
        p.communicate()
    check(kills == 3, "%d kills" % kills)
    finished(start(tmp, site, name, urls[::3], options))
    path = [r[0] for r in way(tmp, name)]
    check([urls.index(u) for u in path] == [urls.index(u) for u in whole],
          "another walk after kill -9: %d of %d steps are the same" % (
              sum(a == b for a, b in zip(path, whole)), len(whole)))


CLARAX = """[TTrClaraxApplication]
JobName="sample"
Comment="a walk"
Silent=1
WalkerClassName="TTrWalker"
[TTrWalker]
UserAgent="walker/1 (+http://h00.scenario.test/)"
Timeout=5000
MaxSteps=25
CacheSize=10
RandomJumpProbability=0.2
SeedsFile="seeds.txt"
HostScopeRegex=".*\\.scenario\\.test"
BlockFileRegex="1[0-9]\\.html"
Prefix="walk"
JumpOnDeadEnd=1
BacktrackOnDeadEnd=0
AddRandomWaitUpTo=0
UseExternalLinks=1
UseSameHostLinks=1
UseSameVirtualHostLinks=1
UseTextAssessment=0
WriteDocAttr="host|date"
[TTrPolitenessManager]
MinPoliteness=0
RespectRobots=0
"""


def forgotten_pages_are_fetched_again(tmp, site):
    """frontier.walk_cache: a page that is met again after so many others."""
    urls = urls_of(site)
    for cache, name in (0, "none"), (4, "four"):
        finished(start(tmp, site, name, urls[:1], "walk_jump = 0.3\n"
                       "walk_steps = 80\nrandom_seed = 5\nwalk_cache = %d" % cache))
        path = [r[0] for r in way(tmp, name)]
        rows = [r["url"] for r in log(tmp, name)]
        check(len(path) == 80, "%s: %d steps" % (name, len(path)))
        # No step failed, so that the log has what the cache did not.
        want, held = [], []
        for url in path:
            if url not in held:
                want.append(url)
                held = (held + [url])[-cache:] if cache else []
        check(rows == want, "%s: %d fetches, %d wanted" % (
            name, len(rows), len(want)))
        check(len(set(want)) < len(want) < len(path) + (cache == 0),
              "%s: nothing to see" % name)
        check(subprocess.run([WINNOW, "frontier", os.path.join(tmp, name),
                              "--check"], stdout=subprocess.DEVNULL,
                             check=False).returncode == 0, name + ": --check")


def a_job_of_clarax(tmp, site):
    folder = os.path.join(tmp, "clarax")
    os.makedirs(folder)
    site.write_hosts(os.path.join(folder, "hosts"))
    with open(folder + "/seeds.txt", "w", encoding="ascii") as f:
        f.write("\n".join(urls_of(site)[:8]) + "\n")
    with open(folder + "/clarax.ini", "w", encoding="ascii") as f:
        f.write(CLARAX + "[fetch]\nhosts_file = hosts\n[limits]\nwait_seconds = 1\n"
                "[dedup]\nnear = 0\n[clean]\nchars_min = 10\n")
    p = subprocess.run([WINNOW, "crawl", "clarax.ini", "--dir", "out"], cwd=folder,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       timeout=120, check=False)
    said = p.stdout.decode()
    check(p.returncode == 0, said[-800:])
    check("has no meaning" not in said, said[:800])
    path = [r[0] for r in way(folder, "out")]
    check(len(path) == 25 and not any(re.search(r"/1\d\.html", u) for u in path),
          "the walk: %s" % path)
    records = b""
    for name in sorted(os.listdir(folder + "/out/corpus")):
        if ".tarc" in name:
            opener = gzip.open if name.endswith(".gz") else open
            with opener(folder + "/out/corpus/" + name, "rb") as f:
                records += f.read()
    urls = re.findall(rb"(?m)^TARC/1.0\n\n(\S+) 127", records)
    check(sorted(urls) == sorted(u.encode() for u in set(path)),
          "%d pages in TARC files, %d on the way" % (len(urls), len(set(path))))


def a_crawl_does_not_become_a_walk(tmp, site):
    """After pages were fetched, that is; and a walk may become a crawl."""
    for first, then, code in (("bfs", "walk", 2), ("walk", "bfs", 0)):
        name = first + "_to_" + then
        for scorer, pages, want in ((first, 3, 0), (then, 9, code)):
            p = start(tmp, site, name, urls_of(site)[:2], "", "--change",
                      "--set=frontier.scorer=" + scorer, "--set=limits.pages=%d" % pages)
            said = p.communicate(timeout=60)[0].decode()
            check(p.returncode == want, "%s, %s: exit status %d: %s" % (
                name, scorer, p.returncode, said[-800:]))
        check((code == 0) != ("give it another folder" in said), said[-800:])


def no_limit_of_a_host(tmp, site):
    """A walk that met a full host would wait for it for ever."""
    p = start(tmp, site, "full", urls_of(site)[:2], "", "--set=limits.host_pages=3")
    said = p.communicate(timeout=60)[0].decode()
    check(p.returncode == 2 and "limits.host_pages = 3: not with scorer=walk" in said, said[-800:])


def main(tmp):
    site = Site(make_pages(3, 20, 4), .01)
    try:
        return checks.run([chance_is_as_the_job_says, dead_ends, it_outlives_kill_9,
                           forgotten_pages_are_fetched_again, a_job_of_clarax,
                           a_crawl_does_not_become_a_walk, no_limit_of_a_host], tmp, site)
    finally:
        site.close()


with tempfile.TemporaryDirectory() as folder:
    sys.exit(main(folder))
