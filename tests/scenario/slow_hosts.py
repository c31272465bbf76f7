#!/usr/bin/env python3
"""slow_hosts.py -- servers that send 100 bytes a second do not stop the others.

50 good hosts of 16 pages are crawled twice in one run: alone, and beside 400
hosts that drip whatever they are asked for.  All good pages have to come within
1.2 times the time that they take alone.  Both times are politeness and nothing
else (16 pages, one delay apart), so a loaded machine slows both; a pair of which
it slowed one more than the other is tried once again.

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

GOOD, PAGES, SLOW = 50, 16, 400
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

    def good(self, host, path, writer):
        status, body = "200 OK", TEXT + host + path
        if path == "/robots.txt":
            status, body = "404 Not Found", ""
        elif path == "/":
            body += "".join("<a href=/%d>%d</a> " % (i, i) for i in range(1, PAGES))
        if body:
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


def main():
    good = ["good%d.test" % i for i in range(GOOD)]
    slow = ["slow%d.test" % i for i in range(SLOW)]
    # mixed, the slow ones first in line
    mixed = slow[:SLOW // 2] + [h for pair in zip(good, slow[SLOW // 2:]) for h in pair]
    mixed += slow[SLOW // 2 + GOOD:]
    with tempfile.TemporaryDirectory(prefix="winnow-slow-") as base:
        servers = Servers()
        for i in range(2):
            alone = crawl(sys.argv[1], os.path.join(base, "alone%d" % i), servers, good)
            beside = crawl(sys.argv[1], os.path.join(base, "beside%d" % i), servers, mixed)
            if alone is None or beside is None or beside <= alone * RATIO:
                break
    faults = []
    if alone is None:
        faults.append("not all good pages were fetched alone")
    elif beside is None:
        faults.append("not all good pages were fetched beside slow hosts")
    elif beside > alone * RATIO:
        faults.append("%.1f s beside slow hosts, %.1f s alone: %.2f times as long"
                      % (beside, alone, beside / alone))
    if len(servers.asked) < SLOW // 2:
        faults.append("only %d slow hosts were contacted" % len(servers.asked))
    for fault in faults:
        print("FAIL " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
