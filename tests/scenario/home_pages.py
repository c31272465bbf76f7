#!/usr/bin/env python3
"""home_pages.py -- a host to which only dead links lead is reached by its home
page (frontier.home_instead, frontier.home_pages), in a crawl that is killed on
the way as well.

usage: home_pages.py WINNOW
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
from crawlers import page_requests  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

HOST, DEAD, PAGES, END_S = "h00.scenario.test", "dead.scenario.test", 12, 60


def web_with_dead_links():
    """Every page leads to a page of DEAD that is not there any more."""
    web = make_pages(1, PAGES, 5)
    other = make_pages(1, 2, 6)[HOST]
    for n, path in enumerate(sorted(web[HOST])):
        link = "<p><a href='http://%s/old/%d.html'>more</a></p></article>" % (DEAD, n)
        web[HOST][path] = web[HOST][path].replace(b"</article>", link.encode())
    web[DEAD] = {"/": other["/0.html"], "/1.html": other["/1.html"]}
    return web


def write_job(folder, site, more):
    site.write_hosts(os.path.join(folder, "hosts"))
    path = os.path.join(folder, "job.ini")
    with open(path, "w") as f:
        f.write("[seeds]\nurl = http://%s/0.html\n[politeness]\ndelay_ms = 40\n"
                "[clean]\nlanguage = nl\nbadness_max = 1000\nthreads = 1\n"
                "[fetch]\nhosts_file = hosts\nparallel = 2\n[output]\nformat = jsonl\n"
                "disk_free_mib = 0\n[limits]\nwait_seconds = 3\n%s" % (HOST, more))
    return path


def printed(winnow, *args):
    return json.loads(subprocess.run([winnow, *args], stdout=subprocess.PIPE, text=True,
                                     check=True).stdout)


def crawl(winnow, base, name, more, killed_after=None):
    """-> (requests of pages, report, totals of the frontier)"""
    folder = os.path.join(base, name)
    os.makedirs(folder)
    site = Site(web_with_dead_links())
    try:
        job = write_job(folder, site, more)
        command = [winnow, "crawl", job, "--dir", os.path.join(folder, "crawl")]
        with open(os.path.join(folder, "stderr"), "a") as err:
            p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
            if killed_after is not None:
                until = time.time() + END_S
                while len(page_requests(site)) < killed_after and time.time() < until:
                    time.sleep(0.005)
                p.send_signal(signal.SIGKILL)
                p.wait()
                p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
            p.wait(END_S)
    finally:
        site.close()
    folder = os.path.join(folder, "crawl")
    return ([(r[0], r[1]) for r in page_requests(site)],
            printed(winnow, "report", folder, "--json"),
            printed(winnow, "frontier", folder, "--stat", "--json"))


def main():
    winnow = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="winnow-home-")
    on = "[frontier]\nhome_pages = on\n"
    faults = []

    def check(what, good):
        print("%-6s %s" % ("ok" if good else "FAULT", what))
        if not good:
            faults.append(what)

    off = "[frontier]\nhome_instead = off\n"
    asked, report, stat = crawl(winnow, base, "off", off)
    check("without the options nobody asks for it",
          (DEAD, "/") not in asked and report["home_pages"] == 0)
    asked, report, stat = crawl(winnow, base, "instead", "")
    gone = [path for host, path in asked if host == DEAD]
    check("it comes in place of the first link that is gone, once",
          gone.count("/") == 1 and gone[0] != "/" and "/1.html" in gone)
    check("it is counted as well", report["home_pages"] == 1
          and report["home_pages_kept"] == 1 and stat["home_pages"] == 1)
    asked, report, stat = crawl(winnow, base, "on", on)
    check("a home page leads to the host", asked.count((DEAD, "/")) == 1
          and (DEAD, "/1.html") in asked)
    check("it is counted", report["home_pages"] == 1 and report["home_pages_kept"] == 1
          and stat["home_pages"] == 1)
    asked, report, stat = crawl(winnow, base, "scope", on + "[scope]\nvisit = html$\n")
    check("not out of scope", (DEAD, "/") not in asked and (DEAD, "/old/0.html") in asked)
    for n in (2, 4, 7):
        asked, report, stat = crawl(winnow, base, "killed%d" % n, on, n)
        check("killed after %d pages: once, and all pages are there" % n,
              stat["home_pages"] == 1 and report["home_pages"] == 1
              and len(set(asked)) == 2 * PAGES + 2 and asked.count((DEAD, "/")) <= 2)
    shutil.rmtree(base)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
