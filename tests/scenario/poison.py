#!/usr/bin/env python3
"""poison.py -- a page that kills the crawler is leased three times, not for ever.

A library under the program makes it die while it cleans one page of a site: of
a fault, in the sandbox, or by SIGKILL, as the kernel does it, without one (a
thread in the sandbox can send no signal).  The same command is given until
it ends by itself.
  one process     the page is asked for three times, then it has failed, "poison",
                  by name in the log and in the crawl log; every other page is there
  three processes the same, with services that live on

usage: poison.py WINNOW KILLER_SO
"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from crawl_run import documents
from made_web import make_pages
from web_server import Server, too_soon

PAGES, DELAY_MS = 12, 50
KILLER = "http://h00.scenario.test/5.html"


class Run:
    def __init__(self, winnow, killer, base, name, sig, services=False):
        self.winnow, self.folder = winnow, os.path.join(base, name)
        os.makedirs(self.folder)
        self.web = make_pages(2, PAGES, 4)
        self.server = Server(self.answer)
        self.env = dict(os.environ, LD_PRELOAD=killer, KILLER_SIGNAL=str(int(sig)),
                        ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:"
                                     "handle_abort=0:allow_user_segv_handler=1")
        with open(os.path.join(self.folder, "hosts"), "w") as f:
            for host in self.web:
                f.write("%s %s\n" % (host, self.server.address))
        self.job = os.path.join(self.folder, "job.ini")
        url = "url = ipc://%s/%%s.ipc\n" % self.folder if services else ""
        with open(self.job, "w") as f:
            f.write("[seeds]\nurl = %s\n[politeness]\ndelay_ms = %d\n[limits]\nwait_seconds = 8\n"
                    "[clean]\nbadness_max = 1000\nchars_min = 10\nthreads = 2\nsandbox = %s\n"
                    "[fetch]\nhosts_file = hosts\n[output]\nformat = jsonl\ndisk_free_mib = 0\n"
                    "[frontier]\n%s[dedup]\nnear = 0\n%s" % (
                        " ".join("http://%s/0.html" % h for h in self.web), DELAY_MS,
                        "off" if sig else "auto",
                        url and url % "frontier", url and url % "dedup"))
        self.log = os.path.join(self.folder, "log")
        self.services = []
        for what in ("frontier", "dedup") if services else ():
            self.services.append(self.start(what, "crawl"))

    def answer(self, host, path, headers):
        body = self.web.get(host, {}).get(path)
        if body is None:
            return 404, {}, b""
        if "http://" + host + path == KILLER:
            return 200, {"Content-Type": "text/html; charset=euc-kr"}, body
        return 200, {"Content-Type": "text/html; charset=utf-8"}, body

    def start(self, what, folder):
        with open(self.log, "a") as log:
            return subprocess.Popen([self.winnow, what, self.job, "--dir",
                                     os.path.join(self.folder, folder)],
                                    env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def crawl(self):
        """Until it ends by itself; how often it died."""
        deaths = 0
        while deaths < 8:
            p = self.start("crawl", "crawl")
            if p.wait(60) == 0:
                return deaths
            deaths += 1
        return deaths

    def judge(self, name, deaths):
        fault = []
        for p in self.services:
            p.send_signal(signal.SIGTERM)
            p.wait(30)
        self.server.close()
        with open(self.log) as f:
            text = f.read()
        asked = sum("http://" + r[0] + r[1] == KILLER for r in self.server.requests)
        if deaths != 3 or asked != 3:
            fault.append("it died %d times, of %d requests" % (deaths, asked))
        if not any("poison" in l and KILLER in l for l in text.splitlines()):
            fault.append("the log does not name it")
        lines = [json.loads(l) for path in glob.glob(os.path.join(self.folder, "*", "log", "crawl.jsonl"))
                 for l in open(path)]
        if [l["url"] for l in lines if l.get("verdict") == "poison"] != [KILLER]:
            fault.append("the crawl log does not say so")
        urls = {d["url"] for d in documents(self.folder, "crawl")}
        wanted = {"http://%s%s" % (h, p) for h in self.web for p in self.web[h]} - {KILLER}
        fault += ["missing: " + u for u in sorted(wanted - urls)]
        fault += too_soon(self.server.requests, DELAY_MS / 1000)
        print("%s: %d deaths, %d documents: %s" % (name, deaths, len(urls), "ok" if not fault else fault))
        if fault:
            print(text[-2500:])
        return not fault


def main():
    winnow, killer = (os.path.abspath(a) for a in sys.argv[1:3])
    base = tempfile.mkdtemp(prefix="winnow-poison-")
    ok = True
    for name, sig, services in (("one process", 0, False),
                                ("three processes", signal.SIGKILL, True)):
        r = Run(winnow, killer, base, name.replace(" ", "_"), sig, services)
        ok &= r.judge(name, r.crawl())
    if ok:
        shutil.rmtree(base)
    else:
        print("everything is kept in " + base)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
