#!/usr/bin/env python3
"""clock.py -- a crawl whose wall clock is set, by a library under it: a day
ahead and back, a day back and forward again, in between killed with kill -9 and
started again, by the same command.  Every page is fetched, the crawl ends by
itself, and no request comes before its host's delay is over, by the server's
clock.  A clock that has never been set is told.

usage: clock.py WINNOW SET_CLOCK_SO
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from crawl_run import documents
from made_web import Site, make_pages
from web_server import too_soon

HOSTS, PAGES, DELAY_MS = 3, 18, 300
DAY_MS = 24 * 3600 * 1000


class Crawl:
    def __init__(self, winnow, set_clock, base):
        self.winnow, self.base, self.p = winnow, base, None
        self.clock, self.log = os.path.join(base, "off"), os.path.join(base, "log")
        self.set(0)
        self.site = Site(make_pages(HOSTS, PAGES, 5))
        self.site.write_hosts(os.path.join(base, "hosts"))
        self.env = dict(os.environ, LD_PRELOAD=set_clock, SET_CLOCK=self.clock,
                        ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")
        self.job = os.path.join(base, "job.ini")
        with open(self.job, "w") as f:
            f.write("[seeds]\nurl = %s\n[politeness]\ndelay_ms = %d\n"
                    "[limits]\nwait_seconds = 20\n[clean]\nbadness_max = 1000\nchars_min = 10\n"
                    "[fetch]\nhosts_file = hosts\n[dedup]\nnear = 0\n"
                    "[output]\nformat = jsonl\ndisk_free_mib = 0\n" % (
                        " ".join("http://%s/0.html" % h for h in self.site.web), DELAY_MS))

    def set(self, off_ms):
        with open(self.clock + ".new", "w") as f:
            f.write("%d" % off_ms)
        os.rename(self.clock + ".new", self.clock)

    def start(self):
        with open(self.log, "a") as log:
            self.p = subprocess.Popen(
                [self.winnow, "crawl", self.job, "--dir", os.path.join(self.base, "crawl")],
                env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def more(self, n):
        """Until `n` more requests came."""
        want, end = len(self.site.requests) + n, time.time() + 30
        while len(self.site.requests) < want and time.time() < end and self.p.poll() is None:
            time.sleep(.02)

    def kill(self):
        self.p.send_signal(signal.SIGKILL)
        self.p.wait()


def early(winnow, set_clock, fault):
    """1970, as on a machine without a battery for its clock; and now."""
    base = tempfile.mkdtemp(prefix="winnow-clock-")
    c = Crawl(winnow, set_clock, base)
    for off, told in ((5000 - int(time.time() * 1000), True), (0, False)):
        c.set(off)
        c.start()
        c.more(2)
        c.kill()
        with open(c.log) as f:
            text = f.read()
        os.truncate(c.log, 0)
        if ("this machine's clock says 1970-01-01T" in text) != told:
            fault.append("an early clock: " + text[-500:])
    c.site.close()
    shutil.rmtree(base)


def main():
    winnow, set_clock = (os.path.abspath(a) for a in sys.argv[1:3])
    base = tempfile.mkdtemp(prefix="winnow-clock-")
    c = Crawl(winnow, set_clock, base)
    fault = []
    try:
        c.start()
        c.more(4)
        for off in (DAY_MS, 0, -DAY_MS, 0): # while it runs
            c.set(off)
            c.more(4)
        c.set(DAY_MS)
        c.more(4)
        c.kill() # what it wrote is a day ahead by the wall clock ...
        c.set(0)
        c.start() # ... of its successor
        c.more(4)
        c.kill() # and now it looks a day old
        c.set(DAY_MS)
        c.start()
        c.more(4)
        c.set(0)
        code = c.p.wait(90)
        if code != 0:
            fault.append("exit status %d" % code)
    except subprocess.TimeoutExpired:
        fault.append("it does not end")
    finally:
        if c.p.poll() is None:
            c.kill()
        c.site.close()
    fault += too_soon(c.site.requests, DELAY_MS / 1000)
    urls = {d["url"] for d in documents(base, "crawl")}
    missing = {"http://%s%s" % (h, p) for h in c.site.web for p in c.site.web[h]} - urls
    fault += ["missing: " + u for u in sorted(missing)]
    with open(c.log) as f:
        text = f.read()
    early(winnow, set_clock, fault)
    said = len(re.findall(r"the wall clock was set (forward|back) by 86\d\d\d s", text))
    if said < 6 or "done: nothing is left" not in text:
        fault.append("%d jumps logged, end: %s" % (said, text[-300:]))
    print("%d requests, %d documents, %d jumps: %s" % (
        len(c.site.requests), len(urls), said, "ok" if not fault else "%d faults" % len(fault)))
    for line in fault[:20]:
        print("  " + line)
    if fault:
        print("everything is kept in " + base)
        sys.exit(1)
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
