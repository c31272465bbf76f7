#!/usr/bin/env python3
"""services.py -- frontier and dedup service beside strangers.

Flood: 1,100 connections that say nothing, then 30 that send much of a message
and not its end.  Meanwhile one who works is answered within a second, over the
connection it had and over new ones; memory keeps to services.memory_mib; the
idle ones are let go.  Plain and in TLS.
Refusals: what TLS refuses stands in the logs of both sides, with the reason.
Mistaken: who asks one service for what another does is told so, before it fetches.
Looks: `winnow frontier ADDRESS` tells what it tells of the folder, and `winnow dedup
ADDRESS` its counts; `winnow report` of such a folder says whose folders have logs.
Noise: 300 malformed requests and 300 who speak something else are a few lines.

usage: services.py WINNOW   (in the folder of the sources, for the keys)
"""
import os
import resource
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import wire  # noqa: E402
from crawl_run import Reader  # noqa: E402

KEYS = "tests/cases/tls/"
STAT = {"dedup": wire.field(2, b""), "frontier": wire.field(5, b"")}
MEMORY_MIB, IDLE, UNFINISHED = 80, 1100, 30
# A sanitizer keeps what is freed for a while; not so much here.
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS=":".join(
    [os.environ.get("ASAN_OPTIONS", ""), "quarantine_size_mb=8"]).strip(":"))
PART = b"x" * (12 << 20)  # of a message of 60 MiB: 360 MiB in all


def base_mib(winnow):
    """Of a thousand connections and of the service at work, beside the budget."""
    with open(winnow, "rb") as f:  # a sanitizer copies what grows, and keeps more
        return 80 if b"__asan_" in f.read() else 30


class Service:
    def __init__(self, winnow, base, kind, tls, *sets):
        self.kind, self.tls, self.port = kind, tls, wire.free_port()
        self.folder = os.path.join(base, "%s-%d" % (kind, self.port))
        os.makedirs(self.folder)
        self.url = ("tls+tcp://localhost:%d" if tls else "tcp://127.0.0.1:%d") % self.port
        self.winnow, self.job = winnow, os.path.join(self.folder, "job.ini")
        with open(self.job, "w") as f:
            f.write("[%s]\nurl = %s\n[services]\nmemory_mib = %d\n"
                    "[output]\ndisk_free_mib = 0\n" % (kind, self.url, MEMORY_MIB))
        sets = list(sets)
        if tls:
            sets += ["tls.authority=" + KEYS + "authority.pem",
                     "tls.key=" + KEYS + "peer.pem"]
        self.p = subprocess.Popen(
            [winnow, kind, self.job, "--dir", os.path.join(self.folder, "frontier")] +
            [w for s in sets for w in ("--set", s)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.err = Reader(self.p.stderr)
        if not self.err.said(["ready"], 60):
            raise RuntimeError("%s does not start: %s" % (kind, self.err.lines))

    def connect(self, key="peer.pem"):
        s = socket.create_connection(("127.0.0.1", self.port), 30)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.tls:
            return s
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(KEYS + "authority.pem")
        if key:
            context.load_cert_chain(KEYS + key)
        return context.wrap_socket(s, server_hostname="localhost")

    def works(self, s=None):
        """Seconds of a call, over a new connection or an old one."""
        began = time.monotonic()
        fresh = s is None
        if fresh:
            s = self.connect()
            wire.greet(s)
        if wire.code(wire.ask(s, STAT[self.kind])) != wire.OK:
            raise RuntimeError("no answer to a stat")
        took = time.monotonic() - began
        if fresh:
            s.close()
        return took

    def rss_mib(self):
        with open("/proc/%d/status" % self.p.pid) as f:
            for line in f:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
        return 0

    def stop(self):
        self.p.terminate()
        try:
            self.p.wait(30)
        except subprocess.TimeoutExpired:
            self.p.kill()
            self.p.wait()
            return False
        return self.p.returncode == 0


def flood(winnow, base, kind, tls, fault):
    v = Service(winnow, base, kind, tls)
    worker = v.connect()
    wire.greet(worker)
    took = [v.works(worker)]
    before = v.rss_mib()
    idle, unfinished = [], []
    try:
        for i in range(IDLE):
            idle.append(socket.create_connection(("127.0.0.1", v.port), 30))
            if i % 110 == 109:
                took += [v.works(worker), v.works()]
        for i in range(UNFINISHED):
            s = v.connect()
            unfinished.append(s)
            s.settimeout(2)
            try:
                wire.greet(s)
                s.sendall(b"wnw2" + (60 << 20).to_bytes(4, "big") + b"\0\0\0\1")
                s.sendall(PART)
            except OSError:
                pass  # let go
            if i % 5 == 4:
                took += [v.works(worker), v.works()]
        grown = v.rss_mib() - before
        if statistics.median(took) > 1 or max(took) > 5:
            fault.append("who works waits: median %.2f s, most %.2f s" % (
                statistics.median(took), max(took)))
        if grown > MEMORY_MIB + base_mib(winnow):
            fault.append("it has grown by %.0f MiB" % grown)
        if kind == "frontier" and tls:  # once is enough: it takes ten seconds
            idle[-1].settimeout(25)
            if idle[-1].recv(1) != b"":
                fault.append("somebody idle is answered")
    except (OSError, RuntimeError) as e:
        fault.append("%s: %s" % (type(e).__name__, e))
    finally:
        for s in idle + unfinished + [worker]:
            s.close()
        if not v.stop():
            fault.append("it does not end well")
    return v.err.lines


def asks(v, key, url=None):
    """`winnow dedup --stat` with that key: started; its words come later."""
    more = ["--set", "dedup.url=" + url] if url else []
    for o in ("authority=" + KEYS + "authority.pem", "key=" + KEYS + key):
        more += ["--set", "tls." + o]
    return subprocess.Popen([v.winnow, "dedup", v.job, "--stat"] + more,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def refusals(winnow, base, fault):
    tls = Service(winnow, base, "dedup", True)
    plain = Service(winnow, base, "dedup", False)
    lines = []
    # Who asks, with what: what the asker says, and what the service says.
    cases = [
        (tls, asks(tls, "stranger.pem"), "the peer refuses our certificate: it is not "
         "signed", "we refuse the peer's certificate: it is not signed"),
        (tls, asks(tls, "expired.pem"), "the peer refuses our certificate: it, or the one "
         "that signed it, has expired", "we refuse the peer's certificate: it has expired"),
        (tls, asks(tls, "peer.pem", "tls+tcp://127.0.0.1:%d" % tls.port),
         "we refuse the peer's certificate: it does not bear the name 127.0.0.1",
         "the peer refuses our certificate: it does not bear the name"),
        (tls, asks(tls, "peer.pem", "tcp://127.0.0.1:%d" % tls.port),
         "refused by the service: this address speaks TLS", "the peer speaks no TLS"),
        (plain, asks(plain, "peer.pem", "tls+tcp://localhost:%d" % plain.port),
         "the peer speaks no TLS, but plain tcp", "it speaks TLS, and this is no tls+tcp"),
    ]
    try:
        try:
            wire.greet(tls.connect(key=None))
            fault.append("heard without a certificate")
        except (OSError, ConnectionError):
            pass
        if not tls.err.said(["the peer shows no certificate"], 10):
            fault.append("the service does not say that there was no certificate")
        good = asks(tls, "peer.pem")
        lines += good.communicate(timeout=60)[1].splitlines()
        if good.returncode != 0:
            fault.append("a good certificate is refused")
        for service, p, asker, served in cases:
            said = p.communicate(timeout=60)[1]
            lines += said.splitlines()
            if p.returncode != 1 or asker not in said.splitlines()[-1]:
                fault.append("the asker does not say: " + asker)
            if not service.err.said([served], 10):
                fault.append("the service does not say: " + served)
    finally:
        for v in (tls, plain):
            v.stop()
            lines += v.err.lines
    return lines


def mistaken(winnow, base, fault):
    dedup, frontier = (Service(winnow, base, kind, False) for kind in STAT)
    shard_url = "tcp://127.0.0.1:%d" % wire.free_port()
    shard = subprocess.Popen([winnow, "dedup", dedup.job, "--shard", "1", "--set",
                              "dedup.shards=" + shard_url],
                             stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = []

    def ask(command, words, **urls):
        sets = [w for kind, url in urls.items()
                for w in ("--set", "%s.url=%s" % (kind, url))]
        p = subprocess.run([winnow] + command + sets, capture_output=True, text=True,
                           timeout=60)
        lines.extend(p.stderr.splitlines())
        if p.returncode != 2 or words not in p.stderr:
            fault.append("exit status %d, and it does not say: %s" %
                         (p.returncode, words))

    crawl = ["crawl", "--dir", os.path.join(base, "mistaken"),
             "--set", "seeds.url=http://127.0.0.1:9/"]
    not_dedup = "a %s answers at %s, not a dedup service (dedup.url)"
    try:
        ask(crawl, "a dedup service answers at %s, not a frontier service (frontier.url)"
            % dedup.url, frontier=dedup.url, dedup=frontier.url)
        for url, what in (frontier.url, "frontier service"), \
                (shard_url, "shard of a dedup service"):
            ask(crawl, not_dedup % (what, url), frontier=frontier.url, dedup=url)
            ask(["dedup", dedup.job, "--stat"], not_dedup % (what, url), dedup=url)
    finally:
        shard.kill()
        shard.wait()
        for v in (dedup, frontier):
            v.stop()
            lines += v.err.lines
    return lines


def looks(winnow, base, fault):
    v = Service(winnow, base, "frontier", False)

    def frontier(*args):
        return subprocess.run([winnow, "frontier"] + list(args), capture_output=True,
                              text=True, timeout=60)

    try:
        with v.connect() as s:
            wire.greet(s)
            seeds = [wire.field(2, wire.field(1, "http://%s.example/" % host))
                     for host in "abc"]
            wire.ask(s, wire.field(1, wire.field(1, 7) + b"".join(seeds)))
        frontier(v.url, "--pause", "b.example")
        for words, look in (("b.example", ["--stat"]),
                            ('"queued":3', ["--stat", "--json"]),
                            ("b.example", ["--why", "http://b.example"])):
            here, there, job = frontier(v.folder, *look), frontier(v.url, *look), frontier(v.job, *look)
            if there.returncode != 0 or words not in there.stdout:
                fault.append("%s: %s%s" % (look, there.stderr, there.stdout))
            if here.stdout != there.stdout:
                fault.append("%s, of the folder:\n%sof the service:\n%s" %
                             (look, here.stdout, there.stdout))
            if job.stdout != there.stdout or "has no job" in job.stderr:
                fault.append("%s, by the job: %s%s" % (look, job.stderr, job.stdout))
            if ("--why" in look) != ("has no job" in here.stderr):
                fault.append("%s: whose delays: %s" % (look, here.stderr))
        rules = frontier(v.job, "--rules")
        if rules.returncode != 0 or "pause b.example" not in rules.stdout:
            fault.append("--rules by the job: %s%s" % (rules.stderr, rules.stdout))
        dump = frontier(v.url, "--dump")
        if dump.returncode != 2 or "is an address" not in dump.stderr:
            fault.append("--dump of an address: " + dump.stderr)
    finally:
        v.stop()
    report = subprocess.run([winnow, "report", v.folder], capture_output=True,
                            text=True, timeout=60)
    if report.returncode != 1 or "services keep no log" not in report.stderr:
        fault.append("report of a service: %s%s" % (report.stderr, report.stdout))
    d = Service(winnow, base, "dedup", False)
    asked = [subprocess.run([winnow, "dedup", of, "--stat"], capture_output=True, text=True,
                            timeout=60) for of in (d.url, d.folder + "/frontier")]
    d.stop()
    if "index_entries" not in asked[0].stdout or asked[0].stdout != asked[1].stdout:
        fault.append("dedup --stat: %s" % asked)
    away = frontier(v.url, "--stat")
    if away.returncode != 1 or "the frontier service does not answer" not in away.stderr:
        fault.append("--stat of nobody: " + away.stderr)
    return v.err.lines


def noise(winnow, base, fault):
    lines = []
    for kind in STAT:
        v = Service(winnow, base, kind, False)
        with v.connect() as s:
            wire.greet(s)
            for i in range(300):
                wire.ask(s, b"\xff" * 40, i + 1)
        for _ in range(300):
            with v.connect() as s:
                s.sendall(b"GET / HTTP/1.1\r\n\r\n")
                s.recv(1)
        if v.works() > 5:
            fault.append("%s: who works waits" % kind)
        if not v.stop():
            fault.append("%s does not end well" % kind)
        lines += v.err.lines
        if len(v.err.lines) > 60:
            fault.append("%s: %d lines of log" % (kind, len(v.err.lines)))
        for words in ("does not speak winnow", "request"):
            if not any(words in line for line in v.err.lines):
                fault.append("%s says nothing of: %s" % (kind, words))
    return lines


def main():
    winnow = os.path.abspath(sys.argv[1])
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    base = tempfile.mkdtemp(prefix="winnow-services-")
    parts = [("%s, flooded%s" % (kind, ", TLS" if tls else ""),
              lambda f, kind=kind, tls=tls: flood(winnow, base, kind, tls, f))
             for kind in STAT for tls in (False, True)]
    parts += [("refusals", lambda f: refusals(winnow, base, f)),
              ("mistaken", lambda f: mistaken(winnow, base, f)),
              ("looks", lambda f: looks(winnow, base, f)),
              ("noise", lambda f: noise(winnow, base, f))]
    bad = 0
    try:
        for name, part in parts:
            fault, began = [], time.time()
            lines = part(fault)
            print("%s %s (%.1f s)" % ("FAIL" if fault else "ok  ", name,
                                      time.time() - began))
            for f in fault:
                print("     " + f)
            if fault:
                print("\n".join("     | " + line for line in lines[-20:]))
            bad += bool(fault)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
