#!/usr/bin/env python3
"""run.py -- crawls that meet every hostile behaviour there is, and what has to
come of each: its outcome in the crawl log, and its bounds (behaviour.py).

The short form meets all at once, one crawl for each group; the long one (--all)
each alone, and prints a table.  With names, the long form of those only.

usage: run.py WINNOW [--memory=TIMES] [--suite=FOLDER] [--all | NAME...]

--memory: so many times the bounds of memory, for programs with sanitizers.
--suite: those of an outside suite (suite.py) instead of ours.
"""
import argparse
import base64
import importlib
import json
import os
import random
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import warnings

import behaviour
import keys
import suite
from frames import FrameServer
from server import BadServer, DnsServer, Listener

for kinds in "wire", "bodies", "places", "streams":  # they fill the table of behaviour
    importlib.import_module(kinds)

CRAWL_RSS_MIB = 384  # of a crawl that meets all of a group
PATIENT = ("timeout_ms = 120000\nconnect_timeout_ms = 30000\nfirst_byte_ms = 60000\n"
           "low_speed_seconds = 60\n")
SHORT = ("timeout_ms = 20000\nconnect_timeout_ms = 3000\nfirst_byte_ms = 1500\n"
         "low_speed_seconds = 2\n")
GROUPS = {
    "main": PATIENT,
    "suite": PATIENT,
    "slow": SHORT + "[politeness]\nrobots = off\n",
    "tls": SHORT + "allow_private = .dns\n[politeness]\nrobots = off\n",
    "tls_any": SHORT + "allow_private = .dns\ntls_verify = off\n[politeness]\nrobots = off\n",
}


def der(tag, content):
    n = len(content)
    length = bytes([n]) if n < 128 else b"\x82" + n.to_bytes(2, "big")
    return tag + length + content


def long_group(path):
    """A group for Diffie-Hellman, of 6144 bits, that no handshake is safe with."""
    p = 1 << 6143 | int.from_bytes(random.Random(1).randbytes(700), "big") | 1
    numbers = b"".join(der(b"\x02", n.to_bytes(n.bit_length() // 8 + 1, "big"))
                       for n in (p, 2))
    with open(path, "w") as f:
        f.write("-----BEGIN DH PARAMETERS-----\n%s-----END DH PARAMETERS-----\n"
                % base64.encodebytes(der(b"\x30", numbers)).decode())
    return path


def contexts(folder):
    """Server sides of TLS with a certificate that nobody vouches for; {} without
    openssl."""
    if not shutil.which("openssl"):
        return {}
    key, cert = os.path.join(folder, "key.pem"), os.path.join(folder, "cert.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
                    key, "-out", cert, "-days", "2", "-subj", "/CN=nobody.test"],
                   check=True, stderr=subprocess.DEVNULL)
    keys.files[:] = cert, key
    made = {}
    warnings.simplefilter("ignore", DeprecationWarning)
    for kind in ("plain", "old", "tickets", "long", "h2"):
        made[kind] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made[kind].load_cert_chain(cert, key)
    made["tickets"].num_tickets = 1000000
    made["long"].load_dh_params(long_group(os.path.join(folder, "group.pem")))
    made["long"].set_ciphers("DHE")
    made["long"].maximum_version = ssl.TLSVersion.TLSv1_2
    made["old"].set_ciphers("ALL:@SECLEVEL=0")
    made["old"].minimum_version = ssl.TLSVersion.TLSv1
    made["old"].maximum_version = ssl.TLSVersion.TLSv1
    return made


def peak_kib(pid):
    """wait4() would tell the peak of this process, when it is the larger one."""
    try:
        with open("/proc/%d/status" % pid) as f:
            return next((int(line.split()[1]) for line in f if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


class Lab:
    """The servers of all behaviours, and crawls against some of them."""

    def __init__(self, winnow, base, memory):
        self.winnow, self.base, self.memory, self.n = winnow, base, memory, 0
        table = behaviour.TABLE
        self.canary = Listener(self, "canary", lambda c: None)
        tls = contexts(base)
        self.table = [b for b in table if tls or "tls" not in b.also]
        self.server = BadServer({b.host: self.script(b) for b in table if b.script},
                                [b.host for b in table if b.own_robots])
        self.tls = {kind: (FrameServer if kind == "h2" else BadServer)(
            {b.host: b.script for b in table if b.also.get("tls") == kind}, tls=context)
                    for kind, context in tls.items()}
        self.dns = DnsServer({b.host: b.dns for b in table if b.dns is not None})
        self.port = {b.host: self.port_of(b) for b in self.table}

    def sends(self, host, n):
        pass

    def script(self, b):
        """With the canary's port filled in."""
        port = b"%d" % self.canary.port

        class Filled:
            def __init__(self, c):
                self.c, self.wait, self.reset = c, c.wait, c.reset

            def sendall(self, data):
                self.c.sendall(data.replace(b"%PORT%", port) if b"%PORT%" in data[:1 << 16]
                               else data)
        return lambda c, path: b.script(Filled(c), path)

    def port_of(self, b):
        if b.raw == "refuse":
            self.closed = socket.socket()  # bound and not listening
            self.closed.bind(("127.0.0.1", 0))
            return self.closed.getsockname()[1]
        if b.raw:
            return Listener(self.server, b.host, b.raw).port
        return (self.tls[b.also["tls"]] if "tls" in b.also else self.server).port

    def seed(self, b):
        if b.group.startswith("tls"):
            return "https://%s:%d/" % (b.host, self.port[b.host])
        return "http://%s/" % b.host

    def crawl(self, group, rows):
        """(exit status, log rows, messages, seconds, peak MiB)"""
        self.n += 1
        folder = os.path.join(self.base, "%03d" % self.n)
        os.mkdir(folder)
        with open(os.path.join(folder, "seeds"), "w") as f:
            f.writelines(self.seed(b) + "\n" for b in rows)
        with open(os.path.join(folder, "hosts"), "w") as f:
            f.write("nobody.test 127.0.0.1:1\n")
            f.writelines("%s 127.0.0.1:%d\n" % (b.host, self.port[b.host])
                         for b in rows if b.dns is None)
        with open(os.path.join(folder, "job.ini"), "w") as f:
            f.write("[seeds]\nfile = seeds\n[limits]\nwait_seconds = 3\nseconds = 100\n"
                    "[politeness]\ndelay_ms = 0\nretries = 1\nretry_ms = 200\n"
                    "[dedup]\nnear = 0\n[output]\ndisk_free_mib = 0\n[fetch]\n"
                    "hosts_file = hosts\ndns_servers = 127.0.0.1:%d\ndns_timeout_ms = 500\n"
                    "body_max = %d\nparallel = 64\n%s"
                    % (self.dns.port, behaviour.BODY_MAX, GROUPS[group]))
        out = os.path.join(folder, "out")
        began, peak = time.time(), 0
        with open(out, "w") as f:
            p = subprocess.Popen([self.winnow, "crawl", os.path.join(folder, "job.ini"),
                                  "--dir", os.path.join(folder, "crawl"), "--quiet",
                                  "--set=sitemaps.bytes_max=1048576"],
                                 stdin=subprocess.DEVNULL, stdout=f, stderr=f)
            while p.poll() is None:
                peak = peak_kib(p.pid) or peak
                time.sleep(.02)
        log = os.path.join(folder, "crawl/log/crawl.jsonl")
        lines = []
        if os.path.exists(log):
            with open(log, encoding="utf-8") as f:
                lines = [json.loads(line) for line in f]
        with open(out, encoding="utf-8", errors="replace") as f:
            said = f.read()
        shutil.rmtree(folder)
        return p.returncode, lines, said, time.time() - began, peak / 1024

    def sent(self, b):
        return sum(s.sent.get(b.host, 0) for s in [self.server, *self.tls.values()])

    def requests(self, b):
        return sum(len(s.paths(b.host)) for s in [self.server, *self.tls.values()])


def outcome(lab, b, log):
    """The last line of the seed's URL, or of the host if it came to none; RETRY: it was
    tried again, whatever the last try was."""
    rows = [r for r in log if r["url"] == lab.seed(b)] or \
        [r for r in log if r["host"] == b.host]
    if rows and rows[-1]["outcome"] == "FAILED" and rows[0]["outcome"] == "RETRY":
        return dict(rows[-1], outcome="RETRY")
    return rows[-1] if rows else None


def got(row):
    if row is None:
        return "nothing"
    return ("robots " if row["kind"] == "robots" else "") + row["outcome"] + \
        (" " + row["verdict"] if row["verdict"] else "")


def faults_of(lab, b, log, before=(0, 0)):
    row = outcome(lab, b, log)
    faults = []
    if row is None or not b.wanted(row["kind"], row["outcome"], row["verdict"]):
        faults.append("got %s, expected %s" % (got(row), b.want))
    slowest = max([r["ms"] for r in log if r["host"] == b.host], default=0)
    if slowest > b.ms:
        faults.append("a transfer of %d ms, at most %d" % (slowest, b.ms))
    sent = lab.sent(b) - before[0]
    tries = max(1, sum(r["host"] == b.host for r in log))
    if sent > b.sent * tries:
        faults.append("%d bytes sent in %d tries, at most %d each" % (sent, tries, b.sent))
    asked = lab.requests(b) - before[1]
    if asked > b.requests:
        faults.append("%d pages asked for, at most %d" % (asked, b.requests))
    return faults


def common_faults(lab, code, log, said, rss, rss_max):
    faults = []
    if code != 0:
        faults.append("the crawl ends with %d: %s" % (code, said[-1500:]))
    if rss > rss_max * lab.memory:
        faults.append("%.0f MiB of memory, at most %d" % (rss, rss_max * lab.memory))
    if lab.canary.connections > 0:
        faults.append("the canary was reached")
        lab.canary.connections = 0
    for r in log:
        if r["host"].rsplit(".", 1)[-1] not in ("test", "dns", "invalid") and \
                r["outcome"] != "OUT_OF_SCOPE" and \
                r["verdict"] not in ("no_such_host", "dns", "bad_url"):
            faults.append("%s ended with %s" % (r["url"], got(r)))
    bad = [r["url"] for r in log if "@" in r["url"].split("/")[2]]
    if bad:
        faults.append("a password in the log: %s" % bad[:3])
    return faults


def short(lab):
    failures = 0
    for group in GROUPS:
        rows = [b for b in lab.table if b.group == group]
        if not rows:
            continue
        code, log, said, seconds, rss = lab.crawl(group, rows)
        for fault in common_faults(lab, code, log, said, rss, CRAWL_RSS_MIB):
            failures += 1
            print("FAIL %s: %s" % (group, fault))
        for b in rows:
            for fault in faults_of(lab, b, log):
                failures += 1
                print("FAIL %s: %s" % (b.name, fault))
        print("     %s: %d behaviours, %.0f s, %.0f MiB" % (group, len(rows), seconds, rss))
    return failures


def beside(lab, b):
    """A crawl whose only name is never answered waits for a name server: that is
    another test's.  Here another name is answered."""
    return [x for x in lab.table if b.name == "name_server_mute" and x.name == "name_unknown"]


def one_by_one(lab, rows):
    failures = 0
    print("%-34s %-34s %-34s %6s %9s %5s" % ("behaviour", "expected", "got", "s", "bytes",
                                             "MiB"))
    for b in rows:
        before = (lab.sent(b), lab.requests(b))
        code, log, said, seconds, rss = lab.crawl(b.group, [b] + beside(lab, b))
        faults = common_faults(lab, code, log, said, rss, b.rss_mib) + \
            faults_of(lab, b, log, before)
        print("%-34s %-34.34s %-34s %6.1f %9d %5.0f%s"
              % (b.name, b.want, got(outcome(lab, b, log)), seconds,
                 lab.sent(b) - before[0], rss, "".join("\n  FAIL " + f for f in faults)),
              flush=True)
        failures += len(faults) > 0
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winnow", type=os.path.abspath)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--memory", type=float, default=1)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--suite")
    args = parser.parse_intermixed_args()
    if args.suite:
        if not os.path.isdir(args.suite):
            print("skipped: no " + args.suite)
            return 77
        behaviour.TABLE.clear()
        suite.add_all(args.suite)
    base = tempfile.mkdtemp(prefix="winnow-hostile-")
    try:
        lab = Lab(args.winnow, base, args.memory)
        names = args.names
        if not names and not args.all:
            failures = short(lab)
        else:
            failures = one_by_one(lab, [b for b in lab.table if not names or b.name in names])
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print("%d behaviours, %d failures" % (len(lab.table), failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
