#!/usr/bin/env python3
"""resolver.py -- a crawl behind a real resolver (dnsmasq) whose name servers are slow,
give more addresses than a datagram holds, and lie; in the midst of it the resolver is
killed and comes back.  No host is settled by that, and nothing goes to where only a
liar has sent it.

usage: resolver.py WINNOW
Without dnsmasq: exit 77.
"""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "hostile")]
import checks  # noqa: E402
import wire  # noqa: E402
from checks import check  # noqa: E402
from made_web import make_pages  # noqa: E402
from server import DnsServer, dns_reply  # noqa: E402
from web_server import Server  # noqa: E402

PAGE, OTHER = [list(make_pages(1, 2, 5).values())[0]["/%d.html" % i] for i in range(2)]
SLOW_S, AWAY_S = .5, 3
HOSTS = ["h%d.dns" % i for i in range(8)]
LATER = ["later%d.dns" % i for i in range(3)]  # linked by the page that the kill waits for


class Resolver:
    def __init__(self, program, upstream):
        self.port = wire.free_port()
        # All of this machine: more than a datagram takes, so the answer says TCP.
        many = ["--host-record=many.dns,127.0.0.%d" % (i + 1) for i in range(120)]
        self.command = [program, "--keep-in-foreground", "--conf-file=/dev/null",
                        "--user=" + os.environ.get("USER", "root"), "--no-resolv",
                        "--no-hosts", "--bind-interfaces", "--listen-address=127.0.0.1",
                        "--port=%d" % self.port, "--server=127.0.0.1#%d" % upstream,
                        "--pid-file=", "--cache-size=0", *many]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.DEVNULL)
        self.since = time.monotonic()

    def kill_for_a_while(self):
        self.process.kill()
        self.process.wait()
        threading.Timer(AWAY_S, self.start).start()

    def close(self):
        self.process.kill()
        self.process.wait()


def found(number, question, kind):
    return dns_reply(number, question, kind, ["127.0.0.1"], ttl=0)


def late(number, question, kind):
    time.sleep(SLOW_S)
    return found(number, question, kind)


def lie(number, question, kind):
    return dns_reply(number, question, kind, ["10.1.2.3", "169.254.169.254"], ttl=0)


def main(winnow):
    program = shutil.which("dnsmasq", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        print("skipped: no dnsmasq")
        return 77
    folder = tempfile.mkdtemp(prefix="winnow-resolver-")
    upstream = DnsServer({**{h: found for h in HOSTS + LATER}, "slow.dns": late, "liar.dns": lie})
    resolver = Resolver(program, upstream.port)
    atexit.register(resolver.close)
    killed = []

    def answer(host, path, _headers):
        if host == HOSTS[2] and path == "/" and not killed:
            killed.append(time.monotonic())
            resolver.kill_for_a_while()
        if path == "/robots.txt":
            return 404, {}, b""
        return 200, {"Content-Type": "text/html"}, OTHER.replace(
            b"</body>", links) if host == HOSTS[2] else PAGE

    site = Server(answer, "0.0.0.0")
    links = b"".join(b"<p><a href='http://%s:%d/'>one more</a></p>" % (
        h.encode(), site.port) for h in LATER) + b"</body>"
    names = ["slow.dns", "many.dns", "liar.dns", "nobody.dns", *HOSTS]
    with open(folder + "/job.ini", "w", encoding="ascii") as f:
        f.write("[seeds]\nurl = %s\n[limits]\nwait_seconds = 60\n[politeness]\n"
                "delay_ms = 5\nretries = 0\n[clean]\nbadness_max = 1000\nchars_min = 10\n"
                "[frontier]\nscorer = bfs\n[fetch]\n"
                "parallel = 1\ndns_timeout_ms = 1000\nallow_private = 127.0.0.0/8\n"
                "user_agent = winnow/1 (+https://a.test/bot)\ndns_servers = 127.0.0.1:%d\n"
                % (" ".join("http://%s:%d/" % (n, site.port) for n in names), resolver.port))
    p = subprocess.run([winnow, "crawl", folder + "/job.ini", "--dir", folder + "/crawl",
                        "--quiet"], stderr=subprocess.PIPE, text=True, timeout=150, check=False)
    check(p.returncode == 0, "exit %d: %s" % (p.returncode, p.stderr[-1500:]))
    with open(folder + "/crawl/log/crawl.jsonl", encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    log = {r["url"].split("/")[2].split(":")[0]: r["verdict"] for r in rows
           if r["url"].endswith("/") and ".dns:" in r["url"]}
    for name in ["slow.dns", "many.dns", *HOSTS, *LATER]:
        check(log.get(name) in ("kept", "exact_duplicate"), "%s: %s" % (name, log.get(name)))
        check(site.paths(name).count("/") == 1, "%s: %s" % (name, site.paths(name)))
    check(log.get("nobody.dns") == "no_such_host", "nobody: %s" % log.get("nobody.dns"))
    check(log.get("liar.dns") == "private_address" and not site.paths("liar.dns"),
          "liar: %s" % log.get("liar.dns"))
    check(killed and resolver.since > killed[0], "the resolver was not away: %s" % killed)
    check(max(r[2] for r in site.requests) - min(r[2] for r in site.requests) >= AWAY_S,
          "nothing was fetched after the resolver came back")
    site.close()
    shutil.rmtree(folder, ignore_errors=True)
    print("ok  " if not checks.failed else "FAIL", log)
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
