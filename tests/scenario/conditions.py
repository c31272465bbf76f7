#!/usr/bin/env python3
"""conditions.py -- what a run needs and no URL is to blame for: a contact URL, a
name server, a network, authorities for TLS, space on the disk.  Without it the crawl pauses or ends with the reason, and
no URL is settled by that; with it the same crawl goes on.

usage: conditions.py WINNOW
On loopback; the network is taken away in a namespace of its own (unshare -n), and
that part is left out where the system allows none.  Standard library only.
"""
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from crawl_run import Reader, documents  # noqa: E402
from made_web import make_pages  # noqa: E402
from web_server import Server  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
CONTACT = "conditions/1.0 (+https://example.org/bot)"
AUTHORITY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                         "cases/tls/authority.pem")
OUTSIDE = "93.184.216.34"  # public; nothing is ever sent there


def check(good, what, said=""):
    if not good:
        raise AssertionError("%s\n%s" % (what, said[-3000:]))


class NameServer(threading.Thread):
    """All names are at `address`."""

    def __init__(self, port, address):
        super().__init__(daemon=True)
        self.address = address
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", port))
        self.start()

    def run(self):
        try:
            while True:
                query, who = self.socket.recvfrom(4096)
                end = query.index(b"\0", 12) + 5
                (kind,) = struct.unpack(">H", query[end - 4:end - 2])
                records = b""
                if kind == 1:
                    records = (b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4" +
                               socket.inet_aton(self.address))
                self.socket.sendto(query[:2] + b"\x81\x80\0\1" +
                                   struct.pack(">H", int(kind == 1)) + b"\0\0\0\0" +
                                   query[12:end] + records, who)
        except OSError:
            pass

    def close(self):
        self.socket.close()


def free_udp_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def site():
    pages = make_pages(1, 3, 4)["h00.scenario.test"]
    pages = {p: b.replace(b"<nav>", b'<nav><a href="http://%s/far.html">ver</a>'
                          % OUTSIDE.encode()) if p == "/0.html" else b
             for p, b in pages.items()}

    def answer(_host, path, _headers):
        body = pages.get(path.replace("h00.scenario.test", ""))
        return (200 if body else 404, {"Content-Type": "text/html"},
                body or b"<html>not here</html>")
    return Server(answer)


def start(folder, seed, *settings):
    """A crawl of `seed`; without one, as the folder knows it."""
    args = [WINNOW, "crawl", "--dir", os.path.join(folder, "crawl"), "--quiet"]
    if seed:
        settings = ("clean.badness_max=1000", "clean.chars_min=10", "dedup.near=0",
                    "output.format=jsonl", "politeness.delay_ms=0",
                    "politeness.retry_ms=100", "fetch.dns_timeout_ms=100",
                    "fetch.connect_timeout_ms=500", "seeds.url=" + seed) + settings
    for s in settings:
        args += ["--set", s]
    p = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True)
    return p, Reader(p.stderr)


def ended(p, said, code):
    try:
        p.wait(60)
    except subprocess.TimeoutExpired:
        p.kill()
    said.join(5)
    text = "\n".join(said.lines)
    check(p.returncode == code, "exit status %s, not %d" % (p.returncode, code), text)
    return text


def outcome_in_log(folder, url):
    path = os.path.join(folder, "crawl", "log", "crawl.jsonl")
    with open(path, encoding="utf-8") as f:
        lines = [json.loads(line) for line in f]
    return [(e["outcome"], e["verdict"]) for e in lines if e["url"] == url]


def is_queued(folder, url):
    why = subprocess.run([WINNOW, "frontier", os.path.join(folder, "crawl"), "--why",
                          url], capture_output=True, text=True)
    check("queued" in why.stdout and not outcome_in_log(folder, url),
          "%s is not in the queue any more" % url, why.stdout + why.stderr)


def no_contact(folder):
    server = site()
    far = "http://%s/far.html" % OUTSIDE
    try:
        p, said = start(folder, "http://127.0.0.1:%d/0.html" % server.port,
                        "fetch.allow_private=127.0.0.1", "limits.wait_seconds=2")
        text = ended(p, said, 1)
        check("no contact URL" in text and OUTSIDE in text, "it gives no reason", text)
        check(len(documents(folder, "crawl")) > 0, "nothing was kept before", text)
        is_queued(folder, far)
    finally:
        server.close()


def no_authorities(folder):
    """They go when the crawl has begun, before it asks the first host of https."""
    ca = os.path.join(folder, "ca.pem")
    shutil.copy(AUTHORITY, ca)
    secure = Server(lambda *_: (200, {}, b"nobody comes so far"))
    far = "https://127.0.0.1:%d/far.html" % secure.port
    page = list(make_pages(1, 1, 4).values())[0]["/0.html"].replace(
        b"<nav>", b'<nav><a href="%s">ver</a>' % far.encode())

    def answer(_host, path, _headers):
        if os.path.exists(ca):
            os.remove(ca)
        return (404 if path == "/robots.txt" else 200), {"Content-Type": "text/html"}, page

    server = Server(answer)
    try:
        p, said = start(folder, "http://127.0.0.1:%d/0.html" % server.port,
                        "fetch.allow_private=127.0.0.1", "limits.wait_seconds=2",
                        "fetch.tls_ca=" + ca)
        text = ended(p, said, 1)
        check("authorities" in text and "fetch.tls_ca" in text, "it gives no reason", text)
        check(len(documents(folder, "crawl")) == 1, "nothing was kept before", text)
        is_queued(folder, far)
    finally:
        server.close()
        secure.close()


def no_name_server(folder):
    server, port = site(), free_udp_port()
    url = "http://name.test:%d/0.html" % server.port
    ns = None
    try:
        p, said = start(folder, url, "fetch.allow_private=.test",
                        "fetch.dns_servers=127.0.0.1:%d" % port,
                        "fetch.user_agent=" + CONTACT, "limits.wait_seconds=2",
                        "scope.hosts=name.test", "politeness.retries=0")
        text = ended(p, said, 1)
        check("no name server answers" in text, "it gives no reason", text)
        check("paused" in text and "not marked done" in text, "the end", text)
        is_queued(folder, url)
        p, said = start(folder, None, "limits.wait_seconds=40")
        check(said.said(["paused", "no name server"], 30), "it does not pause")
        ns = NameServer(port, "127.0.0.1")
        check(said.said(["going on"], 30), "it does not go on", "\n".join(said.lines))
        text = ended(p, said, 0)
        check(len(documents(folder, "crawl")) == 3, "documents: %s" %
              [d["url"] for d in documents(folder, "crawl")], text)
    finally:
        server.close()
        if ns:
            ns.close()


def own_address(folder):
    """Hosts are asked from fetch.address, over its kind only; while it is none of this
    machine's the crawl waits."""
    for own, there, seed in (("127.0.0.5", "127.0.0.1", "127.0.0.1"), ("::1", "::1", "localhost")):
        into, seen = os.path.join(folder, there), set()
        os.makedirs(into)
        server = Server(lambda *_: (404, {}, b"none"), address=there)
        server.http.verify_request = lambda _, who, seen=seen: seen.add(who[0]) or True
        url = "http://%s:%d/0.html" % (seed, server.port)
        try:
            p, said = start(into, url, "fetch.address=" + own,
                            "fetch.allow_private=yes", "politeness.retries=0")
            text = ended(p, said, 0)
            check(seen == {own}, "asked from %s" % seen, text)
            check(outcome_in_log(into, url) == [("FAILED", "http_404")], "the page", text)
        finally:
            server.close()
    for own, url in (("192.0.2.9", "http://127.0.0.1:8/"), ("2001:db8::9", "http://[::1]:8/")):
        into = os.path.join(folder, own.replace(":", "_"))
        p, said = start(into, url, "fetch.address=" + own, "politeness.robots=off",
                        "fetch.allow_private=yes", "limits.wait_seconds=2", "politeness.retries=0")
        text = ended(p, said, 1)
        check("fetch.address: bind=" in text and "no network" in text, "the reason", text)
        is_queued(into, url)
    for own in "192.0.2.9 192.0.2.8", "a.example", "192.0.2.0/24":
        ended(*start(folder, url, "fetch.address=" + own), 2)


def stopped_meanwhile(folder):
    """It does not wait for the name server, which may take minutes."""
    url = "http://name.test/0.html"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        silent.settimeout(30)
        p, said = start(folder, url, "fetch.dns_timeout_ms=60000",
                        "fetch.dns_servers=127.0.0.1:%d" % silent.getsockname()[1],
                        "fetch.user_agent=" + CONTACT)
        silent.recv(4096)
        p.send_signal(signal.SIGTERM)
        ended(p, said, 130)
    is_queued(folder, url)


def no_space_until_the_end(folder):
    """limits.seconds end it, and it does not say that there is space."""
    disk = os.statvfs(folder)
    free = disk.f_bavail * disk.f_frsize >> 20
    if not 64 < free < 800000:  # outcomes need half of disk_free_mib, its bound is 1 TiB
        return "(left out: %d MiB are free)" % free
    p, said = start(folder, "http://localhost:9/0.html", "limits.seconds=2",
                    "output.disk_free_mib=%d" % (free + free // 4))
    text = ended(p, said, 0)
    check("paused" in text and "limits.seconds=2 is reached" in text, "the end", text)
    check("there is space again" not in text and "still waiting" not in text, "words", text)
    return ""


def no_network(folder):
    if subprocess.run(["unshare", "-rn", "true"], stderr=subprocess.DEVNULL).returncode:
        return "left out: no namespaces here"
    p = subprocess.run(["unshare", "-rn", sys.executable, os.path.abspath(__file__),
                        WINNOW, "--without-network", folder], text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    check(p.returncode == 0, "without a network", p.stdout)
    return None


def cable(up):
    """An interface with the address OUTSIDE; without it there is no route."""
    done = subprocess.run(["ip", "address", "add" if up else "delete",
                           OUTSIDE + "/32", "dev", "lo"])
    check(done.returncode == 0, "ip address")


def network_goes(folder):
    """In the middle of a transfer; what was under way is nobody's fault."""
    pages = make_pages(1, 6, 4)["h00.scenario.test"]
    hangs, asked = threading.Event(), threading.Event()

    def answer(_host, path, _headers):
        if path == "/2.html" and not asked.is_set():
            cable(False)
            asked.set()
            hangs.wait(60)
        body = pages.get(path)
        return (200 if body else 404, {"Content-Type": "text/html"},
                body or b"<html>not here</html>")

    cable(True)
    server = Server(answer, address=OUTSIDE)
    p, said = start(folder, "http://%s:%d/0.html" % (OUTSIDE, server.port),
                    "politeness.retries=0", "fetch.first_byte_ms=1000",
                    "fetch.low_speed_seconds=1", "fetch.user_agent=" + CONTACT,
                    "scope.hosts=" + OUTSIDE, "limits.wait_seconds=40")
    check(said.said(["paused", "no network"], 30), "it does not pause",
          "\n".join(said.lines))
    cable(True)
    hangs.set()
    check(said.said(["going on"], 30), "it does not go on", "\n".join(said.lines))
    text = ended(p, said, 0)
    check(len(documents(folder, "crawl")) == 6, "documents: %s" %
          [d["url"] for d in documents(folder, "crawl")], text)
    check("failed" not in text, "a failure is told", text)
    server.close()


def without_network(folder):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    port = free_udp_port()
    ns = NameServer(port, OUTSIDE)
    p, said = start(folder, "http://name.test/0.html", "politeness.retries=0",
                    "fetch.dns_servers=127.0.0.1:%d" % port,
                    "fetch.user_agent=" + CONTACT, "limits.wait_seconds=2")
    text = ended(p, said, 1)
    check("no network" in text, "it gives no reason", text)
    is_queued(folder, "http://name.test/0.html")
    ns.close()


def main():
    if sys.argv[2:3] == ["--without-network"]:
        without_network(sys.argv[3])
        network_goes(os.path.join(sys.argv[3], "goes"))
        return 0
    return checks.run_apart([no_contact, no_authorities, no_name_server, own_address,
                             stopped_meanwhile, no_space_until_the_end, no_network], "conditions")


if __name__ == "__main__":
    sys.exit(main())
