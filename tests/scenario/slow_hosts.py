#!/usr/bin/env python3
"""slow_hosts.py -- servers that send 100 bytes a second do not stop the others, nor
does the robots.txt of a thousand new hosts the pages of known ones.

50 good hosts of 16 pages are crawled in one run: alone; beside 400 hosts that drip
whatever they are asked for; and beside 1,000 of which half say nothing to the request
for their robots.txt, half answer it after 2 s.  All good pages have to come within
1.2 times the time that they take alone.  The times are politeness and nothing
else (16 pages, one delay apart), so a loaded machine slows all; when it slowed one
more than the other both are tried once again.

usage: slow_hosts.py WINNOW
"""
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

GOOD, PAGES, SLOW, NEW = 50, 16, 400, 1000
DELAY_MS = 700
RATIO = 1.2
TEXT = "<p>" + "Dit is een gewone zin over het water en de dijk. " * 30 + "</p>"


class Servers(threading.Thread):
    """All hosts at one port, in one thread; which is told by the Host header."""

    def __init__(self):
        super().__init__(daemon=True)
        self.lock = threading.Lock()
        self.pages = {}  # good URL -> when it was served
        self.asked = set()  # slow hosts that were contacted
        self.ready = threading.Event()
        self.start()
        self.ready.wait()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.connection, "127.0.0.1", 0,
                                            backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await server.serve_forever()

    async def connection(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                path = head.split(" ")[1]
                host = head.lower().split("host: ")[1].split("\r")[0].split(":")[0]
                if host.startswith("slow"):
                    await self.drip(host, writer)
                elif host.startswith("new"):
                    await self.robots_late(host, path, writer)
                else:
                    self.good(host, path, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def drip(self, host, writer):
        with self.lock:
            self.asked.add(host)
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + b"# " * 9000
        for i in range(0, len(answer), 50):
            writer.write(answer[i:i + 50])
            await writer.drain()
            await asyncio.sleep(.5)

    async def robots_late(self, host, path, writer):
        with self.lock:
            self.asked.add(host)
        silent = int(host[3:].split(".")[0]) % 2 == 0
        await asyncio.sleep(100 if silent else 2)
        self.good(host, path, writer)

    def good(self, host, path, writer):
        status, body = "200 OK", TEXT + host + path
        if path == "/robots.txt":
            status, body = "404 Not Found", ""
        elif path == "/":
            body += "".join("<a href=/%d>%d</a> " % (i, i) for i in range(1, PAGES))
        if body and host.startswith("good"):
            with self.lock:
                self.pages[host + path] = time.monotonic()
        writer.write(("HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d"
                      "\r\n\r\n%s" % (status, len(body), body)).encode())


def crawl(winnow, folder, servers, hosts):
    """Seconds until all good pages were served; None: they never were."""
    os.mkdir(folder)
    with open(os.path.join(folder, "hosts"), "w") as f:
        f.writelines("%s 127.0.0.1:%d\n" % (h, servers.port) for h in hosts)
    with open(os.path.join(folder, "seeds"), "w") as f:
        f.writelines("http://%s/\n" % h for h in hosts)
    with open(os.path.join(folder, "job.ini"), "w") as f:
        f.write("[seeds]\nfile = seeds\n[fetch]\nhosts_file = hosts\n"
                "[politeness]\ndelay_ms = %d\n[limits]\nseconds = 100\n"
                "[dedup]\nnear = 0\n[output]\ndisk_free_mib = 0\n"
                "[frontier]\nscorer = bfs\n" % DELAY_MS)
    servers.pages.clear()
    began = time.monotonic()
    p = subprocess.Popen([winnow, "crawl", os.path.join(folder, "job.ini"), "--dir",
                          os.path.join(folder, "crawl"), "--quiet"],
                         stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while p.poll() is None and len(servers.pages) < GOOD * PAGES:
        time.sleep(.05)
    if p.poll() is None:
        p.send_signal(signal.SIGTERM)
        time.sleep(.2)
        if p.poll() is None:
            p.send_signal(signal.SIGTERM)  # at once
    p.wait()
    took = max(servers.pages.values(), default=began) - began
    print("%d of %d good pages in %.1f s, %d slow hosts contacted"
          % (len(servers.pages), GOOD * PAGES, took, len(servers.asked)))
    return took if len(servers.pages) == GOOD * PAGES else None


def among(good, others):
    """Mixed, half of the others first in line."""
    half = len(others) // 2
    mixed = others[:half] + [h for pair in zip(good, others[half:]) for h in pair]
    return mixed + others[half + len(good):]


def compare(winnow, base, servers, what, others):
    """The good hosts beside `others`; faults."""
    good = ["good%d.test" % i for i in range(GOOD)]
    servers.asked.clear()
    for i in range(2):
        alone = crawl(winnow, os.path.join(base, "alone-%s%d" % (what, i)), servers, good)
        beside = crawl(winnow, os.path.join(base, "beside-%s%d" % (what, i)), servers,
                       among(good, others))
        if alone is None or beside is None or beside <= alone * RATIO:
            break
    if alone is None:
        return ["not all good pages were fetched alone"]
    if beside is None:
        return ["not all good pages were fetched beside %s hosts" % what]
    faults = []
    if beside > alone * RATIO:
        faults.append("%.1f s beside %s hosts, %.1f s alone: %.2f times as long"
                      % (beside, what, alone, beside / alone))
    if len(servers.asked) < len(others) // 2:
        faults.append("only %d %s hosts were contacted" % (len(servers.asked), what))
    return faults


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-slow-") as base:
        servers = Servers()
        faults = compare(sys.argv[1], base, servers, "slow",
                         ["slow%d.test" % i for i in range(SLOW)])
        faults += compare(sys.argv[1], base, servers, "new",
                          ["new%d.test" % i for i in range(NEW)])
    for fault in faults:
        print("FAIL " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
