#!/usr/bin/env python3
"""stopped.py -- a crawl is stopped for some seconds (SIGSTOP, as a laptop's sleep does):
answers that came meanwhile count, and took no longer for that; servers that hung up or
said nothing are asked again, and neither page nor host is blamed.

usage: stopped.py WINNOW
On loopback.  Standard library only.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "hostile")]
import checks  # noqa: E402
from checks import check  # noqa: E402
from made_web import make_pages  # noqa: E402
from server import BadServer, reply  # noqa: E402

STOP_S, FIRST_BYTE_MS = 8, 4000
PAGE = make_pages(1, 1, 4)["h00.scenario.test"]["/0.html"]


def site(stopped, when_stopped):
    """Its first answer waits until the crawl is stopped; later ones do not."""
    asked = []

    def script(c, _path):
        asked.append(1)
        if len(asked) > 1:
            c.sendall(reply(PAGE))
        elif stopped.wait(60):
            when_stopped(c)
    return script


def main():
    stopped = threading.Event()
    kinds = {"answers.test": lambda c: c.sendall(reply(PAGE)), "resets.test": lambda c: c.reset(),
             "says-nothing.test": lambda c: c.wait(),
             "cuts.test": lambda c: c.sendall(reply(PAGE)[:-100])}
    server = BadServer({host: site(stopped, f) for host, f in kinds.items()})
    with tempfile.TemporaryDirectory(prefix="winnow-stopped-") as folder:
        crawl, hosts = os.path.join(folder, "crawl"), os.path.join(folder, "hosts")
        with open(hosts, "w", encoding="ascii") as f:
            f.writelines("%s 127.0.0.1:%d\n" % (h, server.port) for h in kinds)
        args = [sys.argv[1], "crawl", "--dir", crawl]
        for s in ("seeds.url=" + " ".join("http://%s/0.html" % h for h in kinds),
                  "clean.badness_max=1000", "clean.chars_min=10", "dedup.near=0",
                  "output.format=jsonl", "output.disk_free_mib=0", "politeness.delay_ms=0",
                  "politeness.retries=0", "limits.wait_seconds=20", "limits.seconds=90",
                  "fetch.first_byte_ms=%d" % FIRST_BYTE_MS, "fetch.hosts_file=" + hosts):
            args += ["--set", s]
        with subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as p:
            end = time.time() + 30
            while time.time() < end and not all("/0.html" in server.paths(h) for h in kinds):
                time.sleep(.01)
            p.send_signal(signal.SIGSTOP)
            stopped.set()
            time.sleep(STOP_S)
            p.send_signal(signal.SIGCONT)
            said = p.communicate(timeout=120)[1]
        with open(os.path.join(crawl, "log", "crawl.jsonl"), encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
    check(p.returncode == 0, "exit status %d\n%s" % (p.returncode, said[-2000:]))
    check("stood still for" in said, said[-2000:])
    for host in kinds:
        pages = [e for e in lines if e["host"] == host and e["url"].endswith("/0.html")]
        check([e["outcome"] for e in pages] == ["FETCHED"], "%s: %s\n%s" % (host, pages, said))
        check(all(e["ms"] < STOP_S * 1000 for e in pages), "it took %s" % pages)
    check(server.paths("answers.test").count("/0.html") == 1, "it was there, and asked again")
    print("FAIL" if checks.failed else "ok  ", "a crawl that is stopped")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
