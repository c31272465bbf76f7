#!/usr/bin/env python3
"""polite_hosts.py -- a crawl of many hosts that ask for all kinds of politeness, killed with
kill -9 and started again, its wall clock set meanwhile.  The servers write down what came
when, and from that alone violations are counted:

  delay       a request less than the delay after the end of the one before: of the job, of
              the host's Crawl-delay, of how long its last answer took
  retry       a request before the time a 429 or 503 named (seconds or a date), or, where
              none is named, before the job's own wait
  robots      a page that robots.txt disallows, or a page before robots.txt was answered, or
              while its answer is a 5xx
  address     two requests to one server address nearer than the job's address delay

What an answer asks for cannot be known to a crawler that was killed with it: in the second
before a kill only the job's own delays are due.  A request whose client was killed ends with
the kill: these servers labour on for an answer that nobody will read.  What they read a moment
after a kill was still sent by the killed one (LATE: no crawler starts faster).

usage: polite_hosts.py WINNOW SET_CLOCK_SO [HOSTS PAGES KILLS]     standard library only
"""
import asyncio
import email.utils
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from politeness import allowed, rules_of  # noqa: E402  (tests/real)

DELAY, ADDRESS_DELAY, RETRY, FACTOR, CRAWL_DELAY_MAX = .4, .06, 1.5, 2, 1.2
# Of a wait without a Retry-After, jitter may take a quarter; stamps are taken in two
# processes.
JITTER, STAMP, LATE = .75, .003, .03
DAY_MS = 24 * 3600 * 1000
TOKEN = "winnow"


class Host:
    """What it asks for is drawn from `rng`."""

    def __init__(self, rng, n, pages, address):
        self.name, self.address, self.pages = "h%03d.test" % n, address, pages
        self.slow = rng.choice([0, 0, 0, 0, .3, .5])
        self.robots_status = rng.choice([200] * 14 + [404, 403, 500])
        self.redirected = rng.random() < .1 # robots.txt lies elsewhere
        delay = rng.choice([None, None, 0, .1, .7, 1, 1.5])
        self.crawl_delay = delay
        groups = ["User-agent: %s\nDisallow: /private/\nDisallow: /*.cgi$\nAllow: /private/open\n",
                  "User-agent: other\nDisallow: /\n\nUser-agent: %s\nDisallow: /p1\nAllow: /p1.html\n",
                  "User-agent: *\nDisallow: /\n\nUser-agent: %s\nDisallow: /private\n"]
        body = rng.choice(groups) % rng.choice([TOKEN, TOKEN.upper()])
        if delay is not None:
            body += "Crawl-delay: %s\n" % delay
        self.robots = body if self.robots_status == 200 else ""
        self.rules = rules_of(self.robots, TOKEN)
        # Pages that are refused at first: how often, with which status and Retry-After.
        self.refused = {}
        for i in range(pages):
            if rng.random() < .12:
                self.refused["/%d.html" % i] = [1, rng.choice([429, 503]),
                                                rng.choice(["seconds", "date", "none"])]

    def page(self, i):
        words = "de molen van het dorp staat bij het water en de brug over de rivier".split()
        rng = random.Random(self.name + str(i))
        text = " ".join(rng.choice(words) for _ in range(60))
        links = ["/%d.html" % j for j in (2 * i + 1, 2 * i + 2) if j < self.pages]
        if i < 2:
            links += ["/private/%d.html" % i, "/private/open%d.html" % i, "/p1/%d.cgi" % i]
        return "<html lang=nl><title>%s %d</title><nav>%s</nav><p>%s.</p>" % (
            self.name, i, " ".join("<a href=%s>%s</a>" % (l, l) for l in links), text)

    def answer(self, path):
        """status, headers, body, and the wait it asks for (None: no word)."""
        if path == ("/rules.txt" if self.redirected else "/robots.txt"):
            return self.robots_status, {"Content-Type": "text/plain"}, self.robots, 0
        if path == "/robots.txt":
            return 301, {"Location": "/rules.txt"}, "", 0
        refused = self.refused.get(path)
        if refused and refused[0] > 0:
            refused[0] -= 1
            if refused[2] == "none":
                return refused[1], {}, "later", RETRY * JITTER
            wait = 2 if refused[2] == "seconds" else 3
            until = email.utils.formatdate(time.time() + wait, usegmt=True)
            # A date has whole seconds: what is due is what it says.
            due = (wait if refused[2] == "seconds" else
                   email.utils.parsedate_to_datetime(until).timestamp() - time.time())
            if refused[2] == "date":
                due = due - 1 # and so has the Date it is counted from
            return (refused[1], {"Retry-After": str(wait) if refused[2] == "seconds" else until},
                    "later", max(due, 0))
        m = re.fullmatch(r"/(\d+)\.html", path)
        if m and int(m[1]) < self.pages:
            return 200, {"Content-Type": "text/html"}, self.page(int(m[1])), 0
        if path.startswith("/private/open"):
            return 200, {"Content-Type": "text/html"}, self.page(10000), 0
        return 404, {"Content-Type": "text/html"}, "not here", 0


class Servers:
    """All hosts on one port of all of 127.0.0.0/8, in a thread."""

    def __init__(self, hosts):
        self.hosts, self.requests, self.ready = {h.name: h for h in hosts}, [], threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()
        self.ready.wait()

    async def serve(self):
        server = await asyncio.start_server(self.connection, "0.0.0.0", 0, backlog=2000)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        async with server:
            await server.serve_forever()

    async def connection(self, reader, writer):
        address = writer.get_extra_info("sockname")[0]
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                began = time.monotonic()
                path = head.split(" ", 2)[1]
                host = self.hosts[re.search(r"(?im)^host: *([^:\r]+)", head)[1].lower()]
                row = {"host": host.name, "path": path, "address": address, "begin": began,
                       "end": None, "wait": 0, "status": 0}
                self.requests.append(row)
                if host.slow and path != "/robots.txt":
                    await asyncio.sleep(host.slow)
                status, headers, body, row["wait"] = host.answer(path)
                headers = dict(headers, **{"Content-Length": str(len(body)),
                                           "Date": email.utils.formatdate(usegmt=True)})
                row["status"], row["end"] = status, time.monotonic()
                writer.write(("HTTP/1.1 %d x\r\n%s\r\n" % (status, "".join(
                    "%s: %s\r\n" % h for h in headers.items())) + body).encode())
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


class Violations:
    def __init__(self):
        self.rows, self.checked = [], {}

    def due(self, what, good, text):
        self.checked[what] = self.checked.get(what, 0) + 1
        if not good:
            self.rows.append(what + ": " + text)


def of_host(v, host, rows, kills):
    robots, last = None, None
    for r in rows:
        is_robots = r["path"] in ("/robots.txt", "/rules.txt")
        if last is not None:
            end = last["end"]
            gap = r["begin"] - end + STAMP
            where = "%s%s %.0f ms after %s" % (host.name, r["path"], 1000 * gap, last["path"])
            unknown = any(last["begin"] - LATE < k < end + 1 for k in kills)
            v.due("delay", gap >= DELAY, where)
            if not unknown:
                asked = host.crawl_delay if robots == 200 and host.crawl_delay else 0
                asked = max(asked, FACTOR * (end - last["begin"] - .05))
                v.due("delay", gap >= min(asked, CRAWL_DELAY_MAX), where + ", due %.2f s" % asked)
                if last["wait"] > 0:
                    v.due("retry", gap >= last["wait"], where + ", due %.2f s" % last["wait"])
        if not is_robots:
            v.due("robots", robots is not None and robots < 500, "%s%s, robots.txt: %s" % (
                host.name, r["path"], robots))
            v.due("robots", allowed(host.rules, r["path"]), "%s%s is disallowed" % (
                host.name, r["path"]))
        elif r["status"] not in (0, 301):
            robots = r["status"]
        last = r


def of_address(v, address, rows):
    for a, b in zip(rows, rows[1:]):
        gap = b["begin"] - a["end"] + STAMP
        v.due("address", gap >= ADDRESS_DELAY, "%s: %s%s %.0f ms after %s%s" % (
            address, b["host"], b["path"], 1000 * gap, a["host"], a["path"]))


def violations(servers, kills):
    v, by_host, by_address = Violations(), {}, {}
    for r in sorted(servers.requests, key=lambda r: r["begin"]):
        cut = [max(k, r["begin"]) for k in kills if k > r["begin"] - LATE]
        r["end"] = min(cut + [r["end"] or r["begin"]])
        by_host.setdefault(r["host"], []).append(r)
        by_address.setdefault(r["address"], []).append(r)
    for name, rows in by_host.items():
        of_host(v, servers.hosts[name], rows, kills)
    for address, rows in by_address.items():
        of_address(v, address, rows)
    return v, by_host, by_address


class Crawl:
    def __init__(self, winnow, set_clock, base, servers):
        self.winnow, self.base, self.servers, self.p = winnow, base, servers, None
        self.clock, self.log, self.kills = os.path.join(base, "off"), os.path.join(base, "log"), []
        self.set(0)
        self.env = dict(os.environ, LD_PRELOAD=set_clock, SET_CLOCK=self.clock,
                        ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")
        self.job = os.path.join(base, "job.ini")
        with open(os.path.join(base, "hosts"), "w") as f:
            f.writelines("%s %s:%d\n" % (h.name, h.address, servers.port)
                         for h in servers.hosts.values())
        with open(os.path.join(base, "seeds"), "w") as f:
            f.writelines("http://%s/0.html\n" % h for h in servers.hosts)
        with open(self.job, "w") as f:
            f.write("[seeds]\nfile = seeds\n"
                    "[politeness]\ndelay_ms = %d\naddress_delay_ms = %d\naddress_loopback = on\n"
                    "retry_ms = %d\nretries = 3\nresponse_factor = %d\ncrawl_delay_max_ms = %d\n"
                    "[limits]\nwait_seconds = 8\n[clean]\nbadness_max = 1000\nchars_min = 10\n"
                    "[fetch]\nhosts_file = hosts\nparallel = 64\n[dedup]\nnear = 0\n"
                    "[output]\nformat = jsonl\ndisk_free_mib = 0\n" % (
                        1000 * DELAY, 1000 * ADDRESS_DELAY, 1000 * RETRY, FACTOR,
                        1000 * CRAWL_DELAY_MAX))

    def set(self, off_ms):
        with open(self.clock + ".new", "w") as f:
            f.write("%d" % off_ms)
        os.rename(self.clock + ".new", self.clock)

    def start(self):
        with open(self.log, "a") as log:
            self.p = subprocess.Popen(
                [self.winnow, "crawl", self.job, "--dir", os.path.join(self.base, "crawl")],
                env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def until(self, requests):
        end = time.time() + 60
        while (len(self.servers.requests) < requests and time.time() < end and
               self.p.poll() is None):
            time.sleep(.02)

    def kill(self):
        self.kills.append(time.monotonic())
        self.p.send_signal(signal.SIGKILL)
        self.p.wait()


def run(c, expected, kills):
    """Kills and jumps at even distances; the end comes by itself."""
    jumps = [DAY_MS, 0, -DAY_MS, 40 * 60 * 1000, -3600 * 1000, 0]
    c.start()
    for i in range(2 * kills):
        c.until(expected * (i + 1) // (2 * kills + 2))
        if c.p.poll() is not None:
            break
        if i % 2 == 0:
            c.set(jumps[i // 2 % len(jumps)])
        else:
            c.kill()
            c.set(jumps[(i // 2 + 3) % len(jumps)])
            c.start()
    return c.p.wait(600)


def main():
    winnow, set_clock = (os.path.abspath(a) for a in sys.argv[1:3])
    hosts_n, pages, kills = [int(a) for a in sys.argv[3:6]] or [120, 4, 3]
    rng = random.Random(21)
    # A third of the hosts share addresses, five each.
    hosts = [Host(rng, i, pages, "127.0.1.%d" % (1 + i // 15) if i % 3 == 0 else
                  "127.1.%d.%d" % (1 + i // 200, 1 + i % 200)) for i in range(hosts_n)]
    base = tempfile.mkdtemp(prefix="winnow-politeness-")
    servers = Servers(hosts)
    c = Crawl(winnow, set_clock, base, servers)
    fault = []
    try:
        code = run(c, hosts_n * (pages + 4), kills)
        if code != 0:
            fault.append("exit status %d" % code)
    except subprocess.TimeoutExpired:
        fault.append("it does not end")
    finally:
        if c.p.poll() is None:
            c.kill()
    v, by_host, by_address = violations(servers, c.kills)
    fault += v.rows
    if len(c.kills) != kills:
        fault.append("%d kills" % len(c.kills))
    for h in hosts: # polite, and no standstill
        got = {r["path"] for r in by_host.get(h.name, []) if r["status"] == 200}
        want = {"/%d.html" % i for i in range(pages)}
        if h.robots_status != 500 and not want <= got:
            fault.append("%s: %s were not fetched" % (h.name, sorted(want - got)[:3]))
    print("%d hosts on %d addresses, %d requests, %d kills, %d answers with a wait; checked: %s; "
          "%d violations" % (
              len(by_host), len(by_address), len(servers.requests), len(c.kills),
              sum(r["wait"] > 0 for r in servers.requests),
              ", ".join("%s %d" % x for x in sorted(v.checked.items())), len(v.rows)))
    for line in fault[:30]:
        print("  " + line)
    if fault:
        print("everything is kept in " + base)
        sys.exit(1)
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
