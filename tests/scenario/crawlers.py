"""crawlers.py -- three crawlers on one frontier and one dedup service over tcp.

usage: crawlers.py WINNOW
1. One page budget holds for all three together, to the page, and each says so at its end; one
   of bytes but for what was under way.
2. One of them is killed with SIGKILL in the middle: no page is lost or stored
   twice, none is asked for twice but what the killed one had, and that not
   before its lease has ended; no host is asked too soon.
3. With fewer hosts than crawlers and long leases nobody ends while others have a host.
4. Without services limits.seconds ends a crawl.
Counted from what the server has recorded.  Standard library only.
"""
import collections
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402
from web_server import too_soon  # noqa: E402

HOSTS, PAGES, DELAY_MS, LEASE_S = 18, 16, 120, 6
BUDGET = 70
BYTES = 80000 # of 288 pages
SECONDS_MAX = 120


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write_job(folder, site, pages, lease_s=LEASE_S):
    site.write_hosts(os.path.join(folder, "hosts"))
    path = os.path.join(folder, "job.ini")
    with open(path, "w") as f:
        f.write("""[seeds]
url = %s
[limits]
pages = %d
wait_seconds = 12
[politeness]
delay_ms = %d
[frontier]
url = tcp://127.0.0.1:%d
sync = none
lease_seconds = %d
patience = 0
[dedup]
url = tcp://127.0.0.1:%d
near = 0
[clean]
language = nl
badness_max = 1000
threads = 1
[fetch]
hosts_file = hosts
parallel = 6
timeout_ms = 3000
dns_timeout_ms = 500
[output]
format = jsonl
disk_free_mib = 0
""" % (" ".join("http://%s/0.html" % h for h in sorted(site.web)), pages, DELAY_MS,
            free_port(), lease_s, free_port()))
    return path


class Crawlers:
    """Frontier, dedup and three crawlers, each with a folder of its own."""

    def __init__(self, winnow, folder, job):
        self.winnow, self.folder, self.job = winnow, folder, job
        self.services = [self.start(name, "services") for name in ("frontier", "dedup")]
        self.crawlers = [self.start("crawl", "crawler%d" % i) for i in range(3)]

    def start(self, command, where):
        err = open(os.path.join(self.folder, where + "." + command + ".stderr"), "a")
        p = subprocess.Popen([self.winnow, command, self.job, "--dir",
                              os.path.join(self.folder, where)],
                             stdin=subprocess.DEVNULL, stdout=err, stderr=err)
        err.close()
        return p

    def wait(self):
        until = time.time() + SECONDS_MAX
        codes = []
        for p in self.crawlers:
            try:
                codes.append(p.wait(max(1, until - time.time())))
            except subprocess.TimeoutExpired:
                codes.append("still running")
        return codes

    def stop(self):
        for p in self.crawlers + self.services:
            if p.poll() is None:
                p.send_signal(signal.SIGTERM)
        for p in self.crawlers + self.services:
            try:
                p.wait(20)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()

    def frontier(self, *args):
        return subprocess.run([self.winnow, "frontier",
                               os.path.join(self.folder, "services"), *args],
                              stdout=subprocess.PIPE, text=True, check=True).stdout


def page_requests(site):
    return [r for r in site.requests if r[1] != "/robots.txt"]


def run_to_the_end(winnow, folder, job, site):
    """How the crawlers ended, and what the frontier counts then."""
    group = Crawlers(winnow, folder, job)
    try:
        return group.wait(), json.loads(group.frontier("--stat", "--json"))
    finally:
        group.stop()
        site.close()


def one_budget(winnow, base, web):
    folder = os.path.join(base, "budget")
    os.makedirs(folder)
    site = Site(web)
    codes, stat = run_to_the_end(winnow, folder, write_job(folder, site, BUDGET), site)
    n = len(page_requests(site))
    faults = too_soon(site.requests, DELAY_MS / 1000)
    if codes != [0, 0, 0]:
        faults.append("crawlers ended with %s" % codes)
    if n != BUDGET or stat["pages"] != BUDGET:
        faults.append("%d pages asked, %d counted, budget %d" % (n, stat["pages"], BUDGET))
    for i, said in enumerate(last_words(folder)):
        if "limits.pages=%d is reached, pages=%d;" % (BUDGET, BUDGET) not in said:
            faults.append("crawler %d of a budget says: %s" % (i, said))
    print("budget of %d pages: %d asked for by three crawlers" % (BUDGET, n))
    return faults


def last_words(folder):
    for i in range(3):
        with open(os.path.join(folder, "crawler%d.crawl.stderr" % i)) as f:
            yield f.read()[-300:]


def one_budget_of_bytes(winnow, base, web):
    folder = os.path.join(base, "bytes")
    os.makedirs(folder)
    site = Site(web)
    job = write_job(folder, site, 0)
    with open(job, "a") as f:
        f.write("[limits]\nbytes = %d\n" % BYTES)
    codes, stat = run_to_the_end(winnow, folder, job, site)
    fetched = stat["fetched_bytes"]
    faults = [] if codes == [0, 0, 0] else ["crawlers ended with %s" % codes]
    if not BYTES <= fetched < 2 * BYTES:
        faults.append("%d bytes fetched, budget %d" % (fetched, BYTES))
    for i, said in enumerate(last_words(folder)):
        if "limits.bytes=%d is reached" % BYTES not in said:
            faults.append("crawler %d of a budget of bytes says: %s" % (i, said))
    print("budget of %d bytes: %d fetched by three crawlers" % (BYTES, fetched))
    return faults


def one_killed(winnow, base, web):
    folder = os.path.join(base, "killed")
    os.makedirs(folder)
    site = Site(web, latency=0.02)
    group = Crawlers(winnow, folder, write_job(folder, site, 0))
    try:
        until = time.time() + 30
        while len(page_requests(site)) < 80 and time.time() < until:
            time.sleep(0.02)
        group.crawlers[0].kill()
        group.crawlers[0].wait()
        killed_at = time.time()
        codes = group.wait()[1:]
        checked = group.frontier("--check")
    finally:
        group.stop()
        site.close()
    faults = too_soon(site.requests, DELAY_MS / 1000)
    if codes != [0, 0]:
        faults.append("crawlers ended with %s" % codes)
    if checked != "0 faults\n":
        faults.append("frontier --check: " + checked)
    asked = collections.defaultdict(list)
    for host, path, begin, *_ in page_requests(site):
        asked["http://%s%s" % (host, path)].append(begin)
    twice = {u: t for u, t in asked.items() if len(t) > 1}
    for url, times in twice.items():
        if len(times) > 2 or times[0] > killed_at:
            faults.append("%s was asked for %d times" % (url, len(times)))
        # Its lease began before the first request; a tenth for what lay between.
        elif times[1] - times[0] < LEASE_S - 0.6:
            faults.append("%s was asked for again after %.1f s, inside its lease" % (
                url, times[1] - times[0]))
    if len(twice) > 8: # six transfers and a few at the cleaner
        faults.append("%d URLs were asked for twice" % len(twice))
    got = collections.Counter(d["text"] for d in documents(folder, "services"))
    everything = {"http://%s%s" % (h, p) for h in web for p in web[h]}
    missing = everything - set(asked)
    if missing:
        faults.append("never asked for: %s" % sorted(missing)[:5])
    urls = collections.Counter(d["url"] for d in documents(folder, "services"))
    if set(urls) != everything or max(urls.values()) > 1 or max(got.values()) > 1:
        faults.append("%d documents of %d pages, %d lost" % (
            sum(urls.values()), len(everything), len(everything - set(urls))))
    print("one of three killed: %d pages, %d asked for twice after the lease, "
          "%d documents, %d too soon" % (
              len(everything), len(twice), sum(urls.values()),
              len(too_soon(site.requests, DELAY_MS / 1000))))
    return faults


def few_hosts(winnow, base):
    folder = os.path.join(base, "few")
    os.makedirs(folder)
    web = make_pages(2, PAGES, seed=3)
    site = Site(web)
    group = Crawlers(winnow, folder, write_job(folder, site, 0, lease_s=600))
    try:
        codes = group.wait()
    finally:
        group.stop()
        site.close()
    faults = [] if codes == [0, 0, 0] else ["crawlers ended with %s" % codes]
    for i in range(3):
        with open(os.path.join(folder, "crawler%d.crawl.stderr" % i)) as f:
            said = f.read()
        if "nothing is left" not in said:
            faults.append("crawler %d ended early: %s" % (i, said[-300:]))
    return faults


def no_services(winnow, base):
    folder = os.path.join(base, "away")
    os.makedirs(folder)
    site = Site(make_pages(1, 2, seed=3))
    began = time.monotonic()
    p = subprocess.run([winnow, "crawl", write_job(folder, site, 0), "--dir", folder + "/crawl",
                        "--set", "limits.seconds=2"], stderr=subprocess.PIPE, text=True,
                       timeout=SECONDS_MAX)
    site.close()
    if p.returncode != 1 or "limits.seconds=2 are over" not in p.stderr or \
            time.monotonic() - began > 30:
        return ["without services: exit %d: %s" % (p.returncode, p.stderr[-300:])]
    return []


def short_leases(winnow, base):
    """Leases are the service's: a crawler whose fetches may take longer is refused."""
    folder = os.path.join(base, "short")
    os.makedirs(folder)
    site = Site(make_pages(1, 2, seed=3))
    group = Crawlers(winnow, folder, write_job(folder, site, 0))
    try:
        group.wait()
        p = subprocess.run([winnow, "crawl", group.job, "--dir", folder + "/slow",
                            "--set=fetch.timeout_ms=5000", "--set=frontier.lease_seconds=600"],
                           stderr=subprocess.PIPE, text=True, timeout=SECONDS_MAX)
    finally:
        group.stop()
        site.close()
    return [] if p.returncode == 2 and "the frontier service at tcp" in p.stderr and \
        "frontier.lease_seconds = %d is less than a fetch may take, 7 with" % LEASE_S in p.stderr \
        else ["short leases: exit %d: %s" % (p.returncode, p.stderr[-600:])]


def main():
    winnow = os.path.abspath(sys.argv[1])
    base = tempfile.mkdtemp(prefix="winnow-crawlers-")
    web = make_pages(HOSTS, PAGES, seed=random.Random(7).random())
    faults = one_budget(winnow, base, web) + one_budget_of_bytes(winnow, base, web) + \
        one_killed(winnow, base, web) + \
        few_hosts(winnow, base) + no_services(winnow, base) + short_leases(winnow, base)
    for fault in faults[:10]:
        print("FAIL " + fault)
    if faults:
        print("see " + base)
        return 1
    shutil.rmtree(base)
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
