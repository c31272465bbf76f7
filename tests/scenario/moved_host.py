#!/usr/bin/env python3
"""moved_host.py -- a host moves to another address long before the TTL of its old one
is over: when nobody answers at the old address any more, its name is asked for anew.

usage: moved_host.py WINNOW
On loopback.  Standard library only.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "hostile")]
import checks  # noqa: E402
from checks import check  # noqa: E402
from made_web import make_pages  # noqa: E402
from server import DnsServer, dns_reply  # noqa: E402
from web_server import Server  # noqa: E402

NOBODY, DAY_S = "127.0.0.9", 86400


def main():
    page = make_pages(1, 1, 4)["h00.scenario.test"]["/0.html"]
    asked = []

    def answer(_host, path, _headers):
        return (404, {}, b"") if path == "/robots.txt" else \
            (200, {"Content-Type": "text/html"}, page)

    def moves(number, question, kind):
        asked.append(kind)
        to = NOBODY if asked.count(kind) == 1 else "127.0.0.1"
        return dns_reply(number, question, kind, [to], ttl=DAY_S)

    server, dns = Server(answer), DnsServer({"a.dns": moves})
    url = "http://a.dns:%s/0.html" % server.address.rsplit(":", 1)[1]
    with tempfile.TemporaryDirectory(prefix="winnow-moved-") as folder:
        crawl = os.path.join(folder, "crawl")
        args = [sys.argv[1], "crawl", "--dir", crawl]
        for s in ("seeds.url=" + url, "clean.badness_max=1000", "clean.chars_min=10",
                  "output.format=jsonl", "output.disk_free_mib=0", "politeness.delay_ms=0",
                  "politeness.retry_ms=100", "limits.wait_seconds=5", "limits.seconds=60",
                  "fetch.dns_servers=127.0.0.1:%d" % dns.port, "fetch.allow_private=a.dns",
                  "fetch.user_agent=a/1 (+https://a.example/bot)"):
            args += ["--set", s]
        p = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True, timeout=120)
        with open(os.path.join(crawl, "log", "crawl.jsonl"), encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
    check(p.returncode == 0, "exit status %d\n%s" % (p.returncode, p.stderr[-2000:]))
    check([e["verdict"] for e in lines if e["url"] == url] == ["kept"],
          "what came of the page: %s\n%s" % (lines, p.stderr[-2000:]))
    check(any(e["verdict"] == "connect" for e in lines), "nothing was tried in vain: %s" % lines)
    check(asked.count(1) == 2, "the name was asked for %d times" % asked.count(1))
    print("FAIL" if checks.failed else "ok  ", "a host that has moved")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
