#!/usr/bin/env python3
"""greedy.py -- what one host, or a service that hangs, may cost a crawl.

usage: greedy.py WINNOW
1. A polite host whose pages have links without end beside good hosts: all pages
   of the good ones are fetched, the store stays small, what is left out is
   counted.
2. The services hang in the middle of a crawl: limits.seconds end it all the
   same, and the next run goes on.
Counted from what the server has recorded.  Standard library only.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
from crawlers import free_port, page_requests  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

GREEDY, LINKS, HOSTS, PAGES = "greedy.test", 20000, 4, 10
MIB_MAX, END_S = 6, 40


def write_job(folder, site, more):
    site.write_hosts(os.path.join(folder, "hosts"))
    path = os.path.join(folder, "job.ini")
    with open(path, "w") as f:
        f.write("[seeds]\nurl = %s\n[politeness]\ndelay_ms = 50\n[clean]\n"
                "badness_max = 1000\nthreads = 1\n[fetch]\nhosts_file = hosts\n"
                "parallel = 6\n[output]\nformat = jsonl\ndisk_free_mib = 0\n"
                "[dedup]\nnear = 0\n%s"
                % (" ".join("http://%s/0.html" % h for h in sorted(site.web)), more))
    return path


def greedy_web():
    """Each page of GREEDY links to the next one, and to LINKS more."""
    web = make_pages(HOSTS, PAGES, 11)
    text = web[sorted(web)[0]]["/0.html"]
    web[GREEDY] = {}
    for n in range(40):
        links = "".join("<a href='/x/%d/%d%s.html'>%d</a> " % (n, i, "u" * 60, i)
                        for i in range(LINKS))
        page = "<p><a href='/%d.html'>the next page</a></p><p>%s</p></article>" % (n + 1, links)
        web[GREEDY]["/%d.html" % n] = text.replace(b"</article>", page.encode())
    return web


def start(winnow, command, job, folder, where):
    with open(os.path.join(folder, where + ".stderr"), "a") as err:
        return subprocess.Popen([winnow, command, job, "--dir", os.path.join(folder, where)],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=err)


def ends(p, seconds):
    """Its exit code; None: it had to be killed."""
    try:
        return p.wait(seconds)
    except subprocess.TimeoutExpired:
        p.kill()
        p.wait()
        return None


def store_mib(folder):
    size = 0
    for base, _, names in os.walk(os.path.join(folder, "crawl", "frontier")):
        size += sum(os.stat(os.path.join(base, n)).st_blocks * 512 for n in names)
    return size / 2 ** 20


def a_greedy_host(winnow, base):
    folder = os.path.join(base, "greedy")
    os.makedirs(folder)
    site = Site(greedy_web())
    try:
        job = write_job(folder, site, "[frontier]\nmap_gib = 1\nhost_queue_max = 4000\n"
                        "[limits]\nseconds = 12\n")
        code = ends(start(winnow, "crawl", job, folder, "crawl"), END_S)
    finally:
        site.close()
    asked = {(r[0], r[1]) for r in page_requests(site)}
    good = {(h, p) for h in site.web if h != GREEDY for p in site.web[h]}
    stat = json.loads(subprocess.run(
        [winnow, "frontier", os.path.join(folder, "crawl"), "--stat", "--json"],
        stdout=subprocess.PIPE, text=True, check=True).stdout)
    faults = []
    if code != 0:
        faults.append("the crawl ended with %s" % code)
    if good - asked:
        faults.append("%d of %d good pages were not asked for" % (len(good - asked), len(good)))
    if stat.get("links_dropped", 0) < LINKS // 4:
        faults.append("dropped: %s" % stat.get("links_dropped"))
    if stat["queued"] > 4000 + len(good) + 10:
        faults.append("%d URLs are queued" % stat["queued"])
    if store_mib(folder) > MIB_MAX:
        faults.append("the store has %.1f MiB" % store_mib(folder))
    print("a greedy host: %d of %d good pages, %.1f MiB, %d links dropped"
          % (len(good & asked), len(good), store_mib(folder), stat.get("links_dropped", 0)))
    return faults


def services_that_hang(winnow, base):
    folder = os.path.join(base, "hang")
    os.makedirs(folder)
    site = Site(make_pages(HOSTS, 100, 12))
    job = write_job(folder, site, "[limits]\nseconds = 5\n[frontier]\nurl = tcp://127.0.0.1:%d\n"
                    "sync = none\n" % free_port())
    service = start(winnow, "frontier", job, folder, "services")
    faults = []
    try:
        began = time.time()
        crawl = start(winnow, "crawl", job, folder, "crawl")
        while len(site.requests) < 10 and time.time() < began + END_S:
            time.sleep(0.05)
        service.send_signal(signal.SIGSTOP)
        code = ends(crawl, END_S)
        took = time.time() - began
        service.send_signal(signal.SIGCONT)
        before = len(page_requests(site))
        again = ends(start(winnow, "crawl", job, folder, "crawl"), END_S)
        if code != 0:
            faults.append("limits.seconds did not end the run: %s" % code)
        if again != 0 or len(page_requests(site)) <= before:
            faults.append("the next run did not go on: %s" % again)
        print("services that hang: the run ended after %.0f s" % took)
    finally:
        service.send_signal(signal.SIGCONT)
        service.terminate()
        ends(service, 20)
        site.close()
    return faults


def main():
    winnow = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="winnow-greedy-")
    faults = []
    for scenario in (a_greedy_host, services_that_hang):
        faults += ["%s: %s" % (scenario.__name__, x) for x in scenario(winnow, base)]
    for x in faults:
        print("FAULT", x)
    if faults:
        print("kept:", base)
    else:
        shutil.rmtree(base)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
