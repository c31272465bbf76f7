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
import socket
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import wire  # noqa: E402
from crawl_run import (DedupCrawl, Reader, run_parts,  # noqa: E402
                       wait_for_end)

PAGES = 49


def begin(base, name):
    port = wire.free_port()
    c = DedupCrawl(os.path.abspath(sys.argv[1]), base, name, PAGES,
                   "tcp://127.0.0.1:%d" % port, "parallel = 4\n")
    c.port = port
    return c


def serve(c, *more):
    if not c.serve(*more).said(["ready"], 30):
        raise RuntimeError("the dedup service does not start")


def strangers(c, fault):
    serve(c)
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
    serve(c, "--set", "output.format=xml")
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
    serve(c)
    p = c.start("crawl")
    again = Reader(p.stderr)
    wait_for_end(p, 60, fault, "mended, it does not end")
    c.check(fault)
    err.lines += again.lines
    return err


if __name__ == "__main__":
    sys.exit(run_parts("winnow-refused-", begin, (strangers, mismatch)))
