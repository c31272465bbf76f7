#!/usr/bin/env python3
"""shards.py -- a crawl whose dedup service has its bands in two other processes.

usage: shards.py WINNOW
Pages of FAMILIES families, those of one nearly alike.  The shards are started late (the
crawl waits, and the service says for whom), then one of them and the service are killed
with SIGKILL again and again: of every family one page is kept, as without shards, and no
page is stored twice.  Standard library only.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import Reader  # noqa: E402
from made_web import Site, sentence  # noqa: E402

FAMILIES, COPIES, SENTENCES, SECONDS_MAX = 12, 6, 60, 100
HOST = "h00.scenario.test"


def make_web():
    rng, pages = random.Random(8), {}
    links = "".join('<li><a href="/%d.html">p</a></li>' % i for i in range(FAMILIES * COPIES))
    for f in range(FAMILIES):
        text = [sentence(rng) for _ in range(SENTENCES)]
        for c in range(COPIES):
            mine = list(text)
            mine[7 * c] = sentence(rng)
            pages["/%d.html" % (f * COPIES + c)] = (
                "<!doctype html><html lang=nl><head><meta charset=utf-8><title>%d</title></head>"
                "<body><article><p>%s</p></article><nav><ul>%s</ul></nav></body></html>"
                % (f, "</p>\n<p>".join(" ".join(mine[i:i + 6])
                                      for i in range(0, SENTENCES, 6)), links)).encode()
    return {HOST: pages}


class Run:
    def __init__(self, winnow, folder):
        self.winnow, self.folder, self.parts = winnow, folder, {}
        self.site = Site(make_web())
        self.site.write_hosts(os.path.join(folder, "hosts"))
        self.job = os.path.join(folder, "job.ini")
        with open(self.job, "w") as f:
            f.write("""[seeds]
url = http://%s/0.html
[limits]
wait_seconds = 3
[politeness]
delay_ms = 20
[clean]
language = nl
badness_max = 1000
chars_min = 10
boilerplate_max = 1
[dedup]
url = ipc://%s/dedup.ipc
shards = ipc://%s/a.ipc ipc://%s/b.ipc
[output]
format = jsonl
disk_free_mib = 0
[fetch]
hosts_file = hosts
""" % (HOST, folder, folder, folder))

    def start(self, name, *words):
        p = subprocess.Popen([self.winnow, *words], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.parts[name] = p
        return Reader(p.stderr)

    def serve(self):
        return self.start("dedup", "dedup", self.job, "--dir", os.path.join(self.folder, "service"))

    def shard(self, n):
        return self.start("shard%d" % n, "dedup", self.job, "--shard", str(n))

    def kill(self, name):
        self.parts[name].kill()
        self.parts[name].wait()

    def stat(self):
        out = subprocess.run([self.winnow, "dedup", self.job, "--stat", "--json"],
                             stdout=subprocess.PIPE, check=True, timeout=60)
        return json.loads(out.stdout)

    def end(self):
        for p in self.parts.values():
            if p.poll() is None:
                p.kill()
                p.wait()


def crawl(run, fault):
    err = run.serve()
    run.start("crawl", "crawl", run.job, "--dir", os.path.join(run.folder, "crawl"))
    if not err.said(["shard=ipc://", "does not answer"], 30):
        fault.append("the service does not say that a shard is away")
    if len(run.site.requests) and run.stat()["documents"]:
        fault.append("documents are judged without the shards")
    run.shard(1), run.shard(2)
    until, kills = time.time() + SECONDS_MAX, 0
    again = [lambda: run.shard(1), run.serve, lambda: run.shard(2)]
    while run.parts["crawl"].poll() is None and time.time() < until:
        if kills < 6 and len(run.site.requests) > 10 * (kills + 1):
            run.kill(["shard1", "dedup", "shard2"][kills % 3])
            again[kills % 3]()
            kills += 1
        time.sleep(.02)
    if run.parts["crawl"].poll() != 0:
        fault.append("the crawl ended with %s" % run.parts["crawl"].poll())
    if kills < 6:
        fault.append("killed %d times only" % kills)


def main():
    fault = []
    with tempfile.TemporaryDirectory() as folder:
        run = Run(os.path.abspath(sys.argv[1]), folder)
        try:
            crawl(run, fault)
            stat = run.stat() if not fault else {}
        finally:
            run.end()
            run.site.close()
    if stat:
        standing = stat["documents"] - stat["replaced"]
        if (standing != FAMILIES or stat["index_entries"] != FAMILIES * COPIES or
                stat["near_duplicates"] + stat["replaced"] != FAMILIES * (COPIES - 1)):
            fault.append("wanted %d families of %d: %s" % (FAMILIES, COPIES, stat))
        print("     %s" % stat)
    for f in fault:
        print("FAIL shards: " + f)
    print("%s shards" % ("FAIL" if fault else "ok  "))
    return bool(fault)


if __name__ == "__main__":
    sys.exit(main())
