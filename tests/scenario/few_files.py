#!/usr/bin/env python3
"""few_files.py -- a crawl that may open few files (ulimit -n) fetches fewer pages
at once, and blames no host for it.

First the limit is low from the start: slots are cut to what it allows.  Then it
is cut while the crawl runs, below what is open already: idle connections are
given up, names that could not be asked for and URLs that got no socket are tried
again without a fault.  Both times all pages come.

Little address space (ulimit -v) is told with the option that takes most of it.

usage: few_files.py WINNOW
"""
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../hostile"))
from server import DnsServer  # noqa: E402

HOSTS, PAGES = 60, 4
TEXT = "<p>" + "Dit is een gewone zin over het water en de dijk. " * 20 + "</p>"
failures = []


def check(what, ok, detail=""):
    print("%s %s%s" % ("ok  " if ok else "FAIL", what, "" if ok else ": %s" % (detail,)))
    if not ok:
        failures.append(what)


class KeepAlive:
    """A server that never closes a connection by itself."""

    def __init__(self):
        self.lock, self.served = threading.Lock(), 0
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            c, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    def serve(self, c):
        data = b""
        try:
            while True:
                more = c.recv(65536)
                if not more:
                    return
                data += more
                while b"\r\n\r\n" in data:
                    head, data = data.split(b"\r\n\r\n", 1)
                    self.answer(c, head.decode().split(" ")[1])
        except OSError:
            pass
        finally:
            c.close()

    def answer(self, c, path):
        body, status = TEXT + path, "200 OK"
        if path == "/robots.txt":
            body, status = "", "404 Not Found"
        elif path == "/":
            body += "".join("<a href=/%d>%d</a> " % (i, i) for i in range(1, PAGES))
        time.sleep(.02)
        c.sendall(("HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d"
                   "\r\n\r\n%s" % (status, len(body), body)).encode())
        with self.lock:
            self.served += 1


def start(winnow, folder, server, dns, files=None):
    os.mkdir(folder)
    with open(os.path.join(folder, "seeds"), "w") as f:
        f.writelines("http://h%d.dns:%d/\n" % (i, server.port) for i in range(HOSTS))
    with open(os.path.join(folder, "job.ini"), "w") as f:
        f.write("[seeds]\nfile = seeds\n[fetch]\nallow_private = .dns\n"
                "dns_servers = 127.0.0.1:%d\nparallel = 64\n"
                "[politeness]\ndelay_ms = 300\n[limits]\nwait_seconds = 5\n"
                "seconds = 100\n[dedup]\nnear = 0\n[output]\ndisk_free_mib = 0\n"
                % dns.port)
    limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) \
        if files else None
    return subprocess.Popen([winnow, "crawl", os.path.join(folder, "job.ini"), "--dir",
                             os.path.join(folder, "crawl"), "--quiet"], preexec_fn=limit,
                            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def look(p, folder):
    err = p.communicate(timeout=40)[1]
    path = os.path.join(folder, "crawl/log/crawl.jsonl")
    with open(path, encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    pages = {r["url"] for r in rows if r["kind"] == "page" and r["outcome"] == "FETCHED"}
    faults = [r for r in rows if r["verdict"] in ("connect", "dns", "no_files")]
    check("it ends well", p.returncode == 0, (p.returncode, err[-2000:]))
    check("all pages were fetched", len(pages) == HOSTS * PAGES, len(pages))
    check("no host is blamed", not faults, faults[:3])
    check("its messages are few", len(err.splitlines()) < 60, err[-2000:])
    return err


def low_from_the_start(winnow, base, server, dns):
    folder = os.path.join(base, "start")
    err = look(start(winnow, folder, server, dns, files=64), folder)
    check("it says what it does", err.count("ulimit -n") == 1, err)
    p = start(winnow, os.path.join(base, "none"), server, dns, files=30)
    err = p.communicate(timeout=60)[1]
    check("with too few it refuses to start", p.returncode == 2 and "ulimit" in err,
          (p.returncode, err))


def low_later(winnow, base, server, dns):
    folder, before = os.path.join(base, "later"), server.served
    p = start(winnow, folder, server, dns)
    while server.served < before + HOSTS and p.poll() is None:
        time.sleep(.01)
    p.send_signal(signal.SIGSTOP)
    # as after an open(2) too many: below most of the numbers that are in use
    fds = [int(fd) for fd in os.listdir("/proc/%d/fd" % p.pid)]
    resource.prlimit(p.pid, resource.RLIMIT_NOFILE, (len(fds) - 20, len(fds) - 20))
    p.send_signal(signal.SIGCONT)
    err = look(p, folder)
    check("it says that files have run out", "too many open files" in err, err)


def little_address_space(winnow, base, *_):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    job = os.path.join(base, "space.ini")
    with open(job, "w") as f:
        f.write("[seeds]\nurl = http://a.test/\n[output]\ndisk_free_mib = 0\n"
                "[fetch]\nuser_agent = a/1 (+https://a.example/bot)\n")
    if subprocess.run([winnow, "--version"], preexec_fn=limit, stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL).returncode != 0:
        return  # a sanitizer's own
    elsewhere = ["--set", "dedup.url=ipc://%s/dedup.ipc" % base]
    for more, option in ([], "dedup"), (elsewhere, "frontier"):
        p = subprocess.run([winnow, "crawl", job, "--dir", os.path.join(base, "space"), *more],
                           preexec_fn=limit, stderr=subprocess.PIPE, text=True, timeout=60)
        check("it names %s.map_gib" % option, p.returncode == 2 and
              "no address space for %s.map_gib (ulimit -v)" % option in p.stderr,
              (p.returncode, p.stderr))


def main():
    server = KeepAlive()
    dns = DnsServer({"h%d.dns" % i: "127.0.0.1" for i in range(HOSTS)})
    with tempfile.TemporaryDirectory(prefix="winnow-files-") as base:
        for part in (low_from_the_start, low_later, little_address_space):
            print("-- " + part.__name__.replace("_", " "))
            part(sys.argv[1], base, server, dns)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
