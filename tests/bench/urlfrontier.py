#!/usr/bin/env python3
"""How fast known URLs are turned away: Winnow's frontier service and URLFrontier.

    tests/bench/urlfrontier.py [--urls N] [--rounds N] [--seconds N] [--bench FILE]

URLFrontier (https://github.com/crawler-commons/url-frontier) is brought by the
user, as the jars of its build:

    URLFRONTIER_SERVICE  urlfrontier-service-*.jar: started here, with its
                         defaults (RocksDB) and a folder of its own;
    URLFRONTIER_SET      further settings for it, e.g. "implementation=..."
    URLFRONTIER_CLIENT   urlfrontier-client-*.jar: its classes, and one run of
                         it to put the URLs
    URLFRONTIER_ADDRESS  HOST:PORT of a service that runs already, instead of
                         the first: then its CPU time is not known

Both sides get the same URLs once, then again and again, over tcp on loopback.
URLFrontier is asked by UrlFrontierAsker.java: one URL a message over a PutURLs
stream, by one thread and by four; and in batches of a hundred by PutDiscovered.
Winnow by bench_wire: a hundred URLs a message, one and four askers.  Both make
their messages before the clock starts, and the JVMs are warm by then.  The
rounds are interleaved, since machines are busy.  Prints URLs a second by the
wall clock and seconds of CPU for a million URLs, and last how much faster
Winnow is, in each round: least, median, most.

Exit 77: there is no URLFrontier, or no java.
"""
import argparse
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = "crawlercommons.urlfrontier.service.URLFrontierServer"
CLIENT = "crawlercommons.urlfrontier.client.Client"
HOSTS, LINKS = 1000, 100  # as bench_wire
PEER = {"PutURLs, 1 thread": (1, 0), "PutURLs, 4 threads": (4, 0),
        "PutDiscovered, 1 thread": (1, LINKS),
        "PutDiscovered, 4 threads": (4, LINKS)}
OURS = {"winnow, 1 asker": 1, "winnow, 4 askers": 4}
PAIRS = [("winnow, 1 asker", "PutURLs, 1 thread"),
         ("winnow, 4 askers", "PutURLs, 4 threads"),
         ("winnow, 1 asker", "PutDiscovered, 1 thread"),
         ("winnow, 4 askers", "PutDiscovered, 4 threads")]


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def settings():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--urls", type=int, default=1000000)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", type=int, default=5, help="of a run")
    p.add_argument("--warm", type=int, default=10,
                   help="seconds of a run of URLFrontier before them")
    p.add_argument("--bench", default=os.path.join(
        HERE, "..", "..", "build", "release", "tests", "bench_wire"))
    return p.parse_args()


def cpu_of(pid):
    with open("/proc/%d/stat" % pid) as f:
        words = f.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def answers(host, port, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection((host, port), 1).close()
            return True
        except OSError:
            time.sleep(0.2)
    return False


class Peer:
    """A URLFrontier that runs, and its client."""

    def __init__(self, base):
        service, address = (os.environ.get("URLFRONTIER_" + w)
                            for w in ("SERVICE", "ADDRESS"))
        self.client, self.p = os.environ.get("URLFRONTIER_CLIENT"), None
        if not shutil.which("java"):
            skip("no java")
        if not self.client or not (service or address):
            skip("URLFRONTIER_CLIENT and URLFRONTIER_SERVICE or "
                 "URLFRONTIER_ADDRESS name no jars")
        if address:
            self.host, port = address.rsplit(":", 1)
            self.port = int(port)
        else:
            self.host, self.port = "127.0.0.1", free_port()
            self.p = subprocess.Popen(
                ["java", "-Xmx2G", "-cp", service, SERVER,
                 "-h", self.host, "-p", str(self.port),
                 "rocksdb.path=" + os.path.join(base, "rocksdb")] +
                os.environ.get("URLFRONTIER_SET", "").split(),
                stdin=subprocess.DEVNULL, cwd=base,
                stdout=open(os.path.join(base, "service.log"), "w"),
                stderr=subprocess.STDOUT)
        if not answers(self.host, self.port, 120):
            self.stop()
            sys.exit("URLFrontier does not answer")

    def put(self, urls):
        """All of them, once."""
        done = subprocess.run(
            ["java", "-Xmx1G", "-cp", self.client, CLIENT, "-t", self.host, "-p",
             str(self.port), "PutURLs", "-f", urls, "-b", str(LINKS)],
            text=True, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0 or "Failed: 0" not in done.stdout:
            sys.exit("its client fails: " + done.stdout[-500:] + done.stderr[-500:])

    def ask(self, urls, s, threads, batch):
        """URLs a second; CPU of service and client for a million."""
        p = subprocess.Popen(
            ["java", "-Xmx2G", "-cp", self.client,
             os.path.join(HERE, "UrlFrontierAsker.java"), self.host, str(self.port),
             urls, str(threads), str(batch), str(s.warm), str(s.seconds)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        p.stdout.readline()  # begin
        before = cpu_of(self.p.pid) if self.p else 0
        words = p.stdout.readline().split()
        after = cpu_of(self.p.pid) if self.p else 0
        if p.wait() != 0 or not words:
            sys.exit("UrlFrontierAsker fails")
        n, known, seconds, cpu = (float(w) for w in words[1:])
        return {"rate": n / seconds, "asker": cpu / n * 1e6, "known": known / n,
                "service": (after - before) / n * 1e6 if self.p else None}

    def stop(self):
        if self.p:
            self.p.send_signal(signal.SIGTERM)
            try:
                self.p.wait(30)
            except subprocess.TimeoutExpired:
                self.p.kill()
                self.p.wait()


def winnow(s, askers):
    done = subprocess.run([s.bench, "urls=%d" % s.urls, "links=%d" % LINKS,
                           "threads=%d" % askers, "seconds=%d" % s.seconds],
                          text=True, capture_output=True, check=True)
    rate, service, asker, new = re.search(
        r"(\d+) known URLs a second, CPU a million: service ([\d.]+) s, "
        r"asker ([\d.]+) s; new (\d+)", done.stdout).groups()
    return {"rate": float(rate), "service": float(service), "asker": float(asker),
            "known": 1.0 if int(new) == 0 else 0.0}


def write_urls(path, n):
    with open(path, "w") as f:
        for i in range(n // LINKS):
            for k in range(LINKS):
                f.write("http://h%d.example/a-folder/page-%d-%d.html\n"
                        % (i % HOSTS, i, k))


def show(name, r):
    service = "?" if r["service"] is None else "%.2f" % r["service"]
    print("%-26s %9.0f URLs/s, CPU s a million: service %s, asker %.2f; known %.0f %%"
          % (name, r["rate"], service, r["asker"], 100 * r["known"]), flush=True)


def main():
    s = settings()
    if not os.path.exists(s.bench):
        skip("no bench_wire: ninja -C build/release bench_wire")
    base = tempfile.mkdtemp(prefix="winnow-urlfrontier-")
    peer = None
    try:
        peer = Peer(base)
        urls = os.path.join(base, "urls")
        write_urls(urls, s.urls)
        peer.put(urls)
        rounds = []
        for i in range(s.rounds):
            print("-- round %d, load %.1f" % (i + 1, os.getloadavg()[0]))
            got = {}
            for ours, other in PAIRS:
                if ours not in got:
                    got[ours] = winnow(s, OURS[ours])
                    show(ours, got[ours])
                got[other] = peer.ask(urls, s, *PEER[other])
                show(other, got[other])
            rounds.append(got)
        print("-- times as many URLs a second: least, median, most")
        for ours, other in PAIRS:
            ratios = [r[ours]["rate"] / r[other]["rate"] for r in rounds]
            print("%s : %s   %.2f %.2f %.2f" % (ours, other, min(ratios),
                                              statistics.median(ratios), max(ratios)))
    finally:
        if peer:
            peer.stop()
        shutil.rmtree(base, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
