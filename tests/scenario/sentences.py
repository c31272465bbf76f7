#!/usr/bin/env python3
"""sentences.py -- sentences that the corpus has, for two crawlers together.

usage: sentences.py WINNOW
Every page of a made-up web has a paragraph of its own, the paragraph of its host and
that of the web.  With dedup.known_sentences=cut (of nine in ten at most), two crawlers, one dedup service
that is killed in the middle:
  - every sentence of every page is in the corpus (nothing is lost by cutting);
  - a page's own sentences stand in it once;
  - the host's and the web's are cut out but of the pages that were under way when they
    came first.
With reject no document is kept more than half of whose sentences others had before it.
Standard library only.
"""
import collections
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import documents  # noqa: E402
from made_web import Site, sentence  # noqa: E402

HOSTS, PAGES, PARALLEL = 4, 14, 2
SECONDS_MAX = 100


def make_web():
    rng = random.Random(5)
    web, own = {}, {}
    everywhere = [sentence(rng) for _ in range(2)]
    for h in range(HOSTS):
        host = "h%02d.scenario.test" % h
        of_host = [sentence(rng) for _ in range(2)]
        web[host] = {}
        for i in range(PAGES):
            # Every fourth page has little of its own.
            mine = [sentence(rng) for _ in range(2 if i % 4 == 3 else 9)]
            own[host, i] = (mine, of_host, everywhere)
            links = "".join('<li><a href="/%d.html">p</a></li>' % j
                            for j in (2 * i + 1, 2 * i + 2) if j < PAGES)
            web[host]["/%d.html" % i] = (
                "<!doctype html><html lang=nl><head><meta charset=utf-8><title>%s %d</title>"
                "</head><body><nav><ul>%s</ul></nav><article>%s</article></body></html>" % (
                    host, i, links, "".join("<p>%s</p>\n" % " ".join(p)
                                            for p in (mine, of_host, everywhere)))).encode()
    return web, own


def write_job(folder, site, mode):
    site.write_hosts(os.path.join(folder, "hosts"))
    job = os.path.join(folder, "job.ini")
    with open(job, "w") as f:
        f.write("""[seeds]
url = %s
[limits]
wait_seconds = 20
[politeness]
delay_ms = 50
[frontier]
url = ipc://%s/frontier.ipc
sync = none
patience = 0
[dedup]
url = ipc://%s/dedup.ipc
near = 0
known_sentences = %s
known_sentences_max = %s
[clean]
language = nl
badness_max = 1000
chars_min = 20
boilerplate_max = 1
threads = 1
[fetch]
hosts_file = hosts
parallel = %d
[output]
format = jsonl
disk_free_mib = 0
""" % (" ".join("http://%s/0.html" % h for h in sorted(site.web)), folder, folder, mode,
            "0.9" if mode == "cut" else "0.5", PARALLEL))
    return job


def crawl(winnow, base, web, mode):
    folder = os.path.join(base, mode)
    os.makedirs(folder)
    site = Site(web)
    job = write_job(folder, site, mode)

    def start(command, where):
        with open(os.path.join(folder, command + "-" + where + ".stderr"), "a") as err:
            return subprocess.Popen([winnow, command, job, "--dir", os.path.join(folder, where)],
                                    stdin=subprocess.DEVNULL, stdout=err, stderr=err)

    running = [start("frontier", "services"), start("dedup", "services")]
    crawlers = [start("crawl", "crawler%d" % i) for i in range(2)]
    fault = []
    try:
        until = time.time() + SECONDS_MAX
        while (len(site.requests) < HOSTS * PAGES / 2 and time.time() < until and
               any(p.poll() is None for p in crawlers)):
            time.sleep(.02)
        running[1].kill()
        running[1].wait()
        running[1] = start("dedup", "services")
        for p in crawlers:
            try:
                if p.wait(max(1, until - time.time())) != 0:
                    fault.append("a crawler ended with %d" % p.returncode)
            except subprocess.TimeoutExpired:
                fault.append("a crawler does not end")
    finally:
        for p in crawlers + running:
            if p.poll() is None:
                p.send_signal(signal.SIGTERM)
                p.wait(30)
        site.close()
    return documents(folder, "services"), fault


def sentences_of(text):
    return [s + "." for s in re.split(r"\.\s*|\n", text) if len(s) > 9]


def check_cut(docs, own):
    fault = []
    count = collections.Counter(s for d in docs for s in sentences_of(d["text"]))
    for parts in own.values():
        for k, part in enumerate(parts):
            for s in part:
                if count[s] == 0:
                    fault.append("a sentence is lost: " + s)
                if k == 0 and count[s] > 1:
                    fault.append("a page's own sentence stands there %d times" % count[s])
    shared = {s for parts in own.values() for part in parts[1:] for s in part}
    copies = sum(count[s] for s in shared)
    every = sum(len(part) for parts in own.values() for part in parts[1:])
    most = len(shared) * 2 * (PARALLEL + 1) # two crawlers, each with what it has in hand
    print("cut: %d documents; %d shared sentences, %d copies on the web, %d in the corpus"
          % (len(docs), len(shared), every, copies))
    if len(docs) != len(own):
        fault.append("%d documents of %d pages" % (len(docs), len(own)))
    if copies > most or copies >= every / 2:
        fault.append("%d copies of shared sentences in the corpus, at most %d" % (copies, most))
    return fault


def check_reject(docs, own):
    fault, known = [], set()
    for d in docs:
        mine = sentences_of(d["text"])
        old = sum(s in known for s in mine)
        if old * 2 > len(mine):
            fault.append("%s: %d of %d sentences were known" % (d["url"], old, len(mine)))
        known.update(mine)
    print("reject: %d documents of %d pages" % (len(docs), len(own)))
    little = HOSTS * len([i for i in range(PAGES) if i % 4 == 3])
    if not len(own) - little <= len(docs) < len(own):
        fault.append("%d documents of %d pages" % (len(docs), len(own)))
    return fault


def main():
    winnow = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="winnow-sentences-")
    web, own = make_web()
    docs, fault = crawl(winnow, base, web, "cut")
    fault += check_cut(docs, own)
    docs, more = crawl(winnow, base, web, "reject")
    fault += more + check_reject(docs, own)
    for line in fault[:20]:
        print("FAIL " + line)
    if fault:
        print("left in " + base)
        return 1
    shutil.rmtree(base)
    return 0


if __name__ == "__main__":
    sys.exit(main())
