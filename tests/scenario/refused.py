#!/usr/bin/env python3
"""refused.py -- a dedup service takes its job's formats and no others, and a
crawl whose documents are refused ends without marking anything as done.

Strangers: forty put documents in formats of their own; a crawl afterwards has
all of its documents stored.
Mismatch: the service's job names another format than the crawler's; the crawl
ends with exit status 1 and says what to do; when the service is mended, the
same command has every document stored.

usage: refused.py WINNOW
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import wire  # noqa: E402
from crawl_run import Reader, documents, wait_for_end  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

PAGES = 49


class Crawl:
    def __init__(self, winnow, base, name):
        self.winnow, self.folder = winnow, os.path.join(base, name)
        self.dir = os.path.join(self.folder, "crawl")
        os.makedirs(self.dir)
        self.site = Site(make_pages(1, PAGES, 6))
        self.site.write_hosts(os.path.join(self.folder, "hosts"))
        host = sorted(self.site.web)[0]
        self.port = wire.free_port()
        self.job = os.path.join(self.folder, "job.ini")
        with open(self.job, "w") as f:
            f.write("[seeds]\nurl = http://%s/0.html\n[limits]\nwait_seconds = 3\n"
                    "[politeness]\ndelay_ms = 20\n[clean]\nbadness_max = 1000\n"
                    "chars_min = 10\n[fetch]\nhosts_file = hosts\nparallel = 4\n"
                    "[dedup]\nnear = 0\nurl = tcp://127.0.0.1:%d\n"
                    "[output]\nformat = jsonl\ndisk_free_mib = 0\n"
                    % (host, self.port))
        self.want = sorted("http://%s%s" % (h, p)
                           for h in self.site.web for p in self.site.web[h])
        self.dedup = None

    def start(self, what, *more):
        return subprocess.Popen(
            [self.winnow, what, self.job, "--dir", self.dir, *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)

    def serve(self, *more):
        self.dedup = self.start("dedup", *more)
        if not Reader(self.dedup.stderr).said(["ready"], 30):
            raise RuntimeError("the dedup service does not start")

    def stop(self):
        if self.dedup and self.dedup.poll() is None:
            self.dedup.terminate()
            self.dedup.wait(30)

    def check(self, fault):
        """The corpus, once the service has ended."""
        self.stop()
        got = sorted(d["url"] for d in documents(self.dir))
        if got != self.want:
            fault.append("%d documents in the corpus of %d" % (
                len(got), len(self.want)))


def strangers(c, fault):
    c.serve()
    with socket.create_connection(("127.0.0.1", c.port), 20) as s:
        wire.greet(s)
        for i in range(40):
            reply = wire.ask(s, wire.document(i + 1, "f%d" % i))
            if wire.code(reply) != wire.BAD:
                fault.append("suffix f%d is accepted" % i)
                break
    p = c.start("crawl")
    err = Reader(p.stderr)
    wait_for_end(p, 60, fault, "it does not end")
    c.check(fault)
    return err


def mismatch(c, fault):
    c.serve("--set", "output.format=xml")
    p = c.start("crawl")
    err = Reader(p.stderr)
    try:
        p.wait(60)
    except subprocess.TimeoutExpired:
        fault.append("refused, it does not end")
        p.kill()
        p.wait()
    if p.returncode != 1:
        fault.append("refused: exit status %s" % p.returncode)
    for words in (["refuses", "output.format", "jsonl", "start the service again"],
                  ["not marked done", "the same command goes on"]):
        if not err.said(words, 1):
            fault.append("it does not say: " + " ... ".join(words))
    stat = subprocess.run([c.winnow, "frontier", c.dir, "--stat"],
                          capture_output=True, text=True).stdout
    if "\npages          0\n" not in stat:
        fault.append("pages are marked done:\n" + stat[:300])
    c.stop()
    c.serve()
    p = c.start("crawl")
    again = Reader(p.stderr)
    wait_for_end(p, 60, fault, "mended, it does not end")
    c.check(fault)
    err.lines += again.lines
    return err


def main():
    winnow = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="winnow-refused-")
    bad = 0
    try:
        for part in (strangers, mismatch):
            c, fault = Crawl(winnow, base, part.__name__), []
            try:
                err = part(c, fault)
            finally:
                c.stop()
                c.site.close()
            print("%s %s" % ("FAIL" if fault else "ok  ", part.__name__))
            for f in fault:
                print("     " + f)
            if fault:
                print("\n".join("     | " + line for line in err.lines[-20:]))
            bad += bool(fault)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
