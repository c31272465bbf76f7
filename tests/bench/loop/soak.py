#!/usr/bin/env python3
"""Does a crawl at full speed keep its memory and its descriptors?

    tests/bench/loop/soak.py [--minutes N] [--hosts N] [--winnow PROGRAM] [--set KEY=VALUE...]

nginx makes a web without end: of each URL a text of its own (every word is chosen by a
hash of the URL) and three links to URLs that nobody has seen.  The crawl has all parts
on and no delays, and runs until the time is over.  Every ten seconds its memory and its
descriptors are read; printed are those every tenth of the time, and the slope of a line
through the last half, an hour and a kept document.  What may grow: the index of the dedup
service by 140 bytes a kept document, 12 bits a URL, and caches until they are full
(frontier.cache_mib, merge_mib), which at 1,000 pages a second takes some minutes.

Needs nginx.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "scenario"))
from made_web import CONTENT, FREQUENT  # noqa: E402

WORDS, EVERY_S = 160, 10
NGINX = """daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log crit;
{user} worker_rlimit_nofile 20000; events {{ worker_connections 15000; }}
http {{ access_log off; keepalive_timeout 60; keepalive_requests 1000000; default_type text/html;
  variables_hash_max_size 4096;
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3;
  uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
{words}
  server {{ listen 127.0.0.1:{port} backlog=4096;
    location = /robots.txt {{ return 404; }}
    location / {{ return 200 '<html><head><title>$uri</title></head><body><article>{text}</article><ul>
<li><a href="/a$request_id.html">een</a><li><a href="/b$request_id.html">twee</a>
<li><a href="http://h$other.test/c$request_id.html">drie</a></ul></body></html>'; }} }} }}
"""


def configuration(a, work):
    """Word i of a page is one of twenty, by the hash of its number and the URL."""
    words, text = [], []
    for i in range(WORDS):
        some = (FREQUENT if i % 2 else CONTENT)[i % 5:][:20]
        words.append('  split_clients "%d$host$uri" $w%d { %s * %s; }' % (
            i, i, " ".join("%.2f%% %s;" % (100 / len(some), w) for w in some[:-1]), some[-1]))
        text.append("%s$w%d%s" % ("<p>" if i % 40 == 0 else "", i,
                                  ".</p>" if i % 40 == 39 else "." if i % 10 == 9 else ""))
    words.append('  split_clients "$request_id" $other { %s * 0; }' % " ".join(
        "%.2f%% %d;" % (int(10000 / a.hosts) / 100, i) for i in range(1, a.hosts)))
    return NGINX.format(work=work, port=a.port, words="\n".join(words), text=" ".join(text),
                        user="user root;" if os.geteuid() == 0 else "")


def prepare(a, work):
    with open(work + "/nginx.conf", "w", encoding="utf-8") as f:
        f.write(configuration(a, work))
    with open(work + "/hosts", "w", encoding="ascii") as f:
        f.writelines("h%d.test 127.0.0.1:%d\n" % (i, a.port) for i in range(a.hosts))
    with open(work + "/urls", "w", encoding="ascii") as f:
        f.writelines("http://h%d.test/%d.html\n" % (i, j)
                     for j in range(10) for i in range(a.hosts))
    with open(work + "/job.ini", "w", encoding="ascii") as f:
        f.write("[seeds]\nfile = urls\n[limits]\nseconds = %d\n[scope]\ntld =\n"
                "[politeness]\ndelay_ms = 0\naddress_delay_ms = 0\nresponse_factor = 0\n"
                "[fetch]\nhosts_file = hosts\n[traps]\ngrowth_pages = 0\nlower = off\n"
                "[clean]\nbadness_max = 1000\nchars_min = 10\nlanguage_margin = 1000\n"
                "[log]\nprogress = off\n" % (60 * a.minutes))


def look(pid):
    """(MiB, descriptors); pages of files that the kernel may drop do not count."""
    with open("/proc/%d/status" % pid, encoding="ascii") as f:
        rss = next(int(line.split()[1]) for line in f if line.startswith("RssAnon"))
    return rss / 1024, len(os.listdir("/proc/%d/fd" % pid))


def slope(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def watch(p, minutes):
    """[(seconds, MiB, descriptors)]"""
    rows, begin, shown = [], time.monotonic(), 0
    while p.poll() is None:
        time.sleep(EVERY_S)
        try:
            row = (time.monotonic() - begin,) + look(p.pid)
        except (OSError, StopIteration):
            break
        rows.append(row)
        if row[0] >= shown * 6 * minutes:
            shown += 1
            print("  %5.0f s: %.0f MiB, %d descriptors" % row, flush=True)
    return rows


def counts(folder):
    """(requests, kept) of the crawl log."""
    n = kept = 0
    with open(folder + "/log/crawl.jsonl", "rb") as f:
        for line in f:
            n += 1
            kept += b'"verdict":"kept"' in line
    return n, kept


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--minutes", type=float, default=60)
    p.add_argument("--hosts", type=int, default=400)
    p.add_argument("--port", type=int, default=8945)
    p.add_argument("--set", nargs="*", default=[])
    p.add_argument("--winnow", default=os.path.join(ROOT, "build/release/crawler/winnow"))
    a = p.parse_args()
    work = tempfile.mkdtemp(prefix="soak.")
    prepare(a, work)
    nginx = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-p", work,
                              "-c", work + "/nginx.conf"])
    time.sleep(.5)
    with open(work + "/said", "w", encoding="utf-8") as said:
        crawl = subprocess.Popen(
            [a.winnow, "crawl", work + "/job.ini", "--dir", work + "/crawl", "--quiet"] +
            [x for s in a.set for x in ("--set", s)], stderr=said)
        try:
            rows = watch(crawl, a.minutes)
        finally:
            if crawl.poll() is None:
                crawl.send_signal(signal.SIGTERM)
            crawl.wait()
            nginx.terminate()
            nginx.wait()
    n, kept = counts(work + "/crawl")
    rows = rows[len(rows) // 2:]
    hours = [r[0] / 3600 for r in rows]
    mib, files = slope(hours, [r[1] for r in rows]), slope(hours, [r[2] for r in rows])
    a_document = mib * (1 << 20) / (kept / (60 * a.minutes / 3600)) if kept else 0
    print(json.dumps(dict(exit=crawl.returncode, requests=n, kept=kept, a_second=round(
        n / (60 * a.minutes)), mib_an_hour=round(mib, 1), bytes_a_kept_document=round(
            a_document), descriptors_an_hour=round(files, 1))))
    shutil.rmtree(work, ignore_errors=True)
    return 0 if crawl.returncode == 0 and kept else 1


sys.exit(main())
