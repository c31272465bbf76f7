#!/usr/bin/env python3
"""Does a crawl at full speed keep its memory and its descriptors?

    tests/bench/loop/soak.py [--minutes N] [--hosts N] [--winnow PROGRAM] [--set KEY=VALUE...]

nginx makes a web without end: of each URL a text of its own (every word is chosen by a
hash of the URL) and three links to URLs that nobody has seen.  The crawl has all parts
on and no delays, and runs until the time is over.  Every ten seconds its memory and its
descriptors are read; printed are those every tenth of the time, and the slope of lines
through the last half, an hour and a kept document.  Memory is told apart by what the
kernel knows of it:

index    the dedup service's table: 8 bytes an entry and up to a quarter more; a kept
         document has two entries and its bands, 12 or (under 256 shingles, as here) 24.
         It grows as long as documents are kept.
urls     cache and filter of known URLs: frontier.cache_mib, 6 MiB for the first 4 million
         URLs, then 12 bits a URL.
malloc   all else.  It grows until a transaction of the frontier, which is open for 16,384
         rows (32,768 at most), has a page of 4 KiB for each of them: 64 to 128 MiB once the
         store has that many pages, which takes a million URLs; then it is flat.

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
PARTS = ("index", "urls", "malloc")
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


def mappings(pid):
    """[start, end, rights, flags of the kernel, anonymous KiB]"""
    found = []
    with open("/proc/%d/smaps" % pid, encoding="ascii", errors="replace") as f:
        for line in f:
            word = line.split()
            if not word[0].endswith(":"):
                at = [int(x, 16) for x in word[0].split("-")]
                found.append([*at, word[1], [], 0])
            elif word[0] == "Anonymous:":
                found[-1][4] = int(word[1])
            elif word[0] == "VmFlags:":
                found[-1][3] = word[1:]
    return found


def look(pid):
    """(MiB of index, of urls, of malloc; descriptors); pages of files that the kernel
    may drop do not count.  The index is what is usable of a reservation, and tables
    are what asks for large pages."""
    all_of, kib = mappings(pid), dict(index=0, urls=0, malloc=0)
    reserved = {m[0] for m in all_of if m[2] == "---p" and m[1] - m[0] >= 1 << 30}
    for m in all_of:
        what = "index" if m[1] in reserved else "urls" if "hg" in m[3] else "malloc"
        kib[what] += m[4]
    return (*(kib[w] / 1024 for w in PARTS), len(os.listdir("/proc/%d/fd" % pid)))


def slope(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def watch(p, minutes):
    """[(seconds, MiB of each part..., descriptors)]"""
    rows, begin, shown = [], time.monotonic(), 0
    while p.poll() is None:
        time.sleep(EVERY_S)
        try:
            row = (time.monotonic() - begin,) + look(p.pid)
        except OSError:
            break
        if row[0] >= 60 * minutes: # it comes to its end
            continue
        rows.append(row)
        if row[0] >= shown * 6 * minutes:
            shown += 1
            print("  %5.0f s: %.0f MiB (index %.0f, urls %.0f, malloc %.0f), %d descriptors" % (
                row[0], sum(row[1:4]), *row[1:]), flush=True)
    return rows


def counts(folder):
    """(requests, kept) of the crawl log."""
    n = kept = 0
    with open(folder + "/log/crawl.jsonl", "rb") as f:
        for line in f:
            n += 1
            kept += b'"verdict":"kept"' in line
    return n, kept


def report(a, code, n, kept, rows, entries):
    hours, kept_an_hour = [r[0] / 3600 for r in rows], kept / (a.minutes / 60)
    part = {what: slope(hours, [r[1 + i] for r in rows]) for i, what in enumerate(PARTS)}
    part["all"] = sum(part.values())
    print(json.dumps(dict(
        exit=code, requests=n, kept=kept, a_second=round(n / (60 * a.minutes)),
        mib_an_hour={w: round(x, 1) for w, x in part.items()},
        bytes_a_kept_document={w: round(x * (1 << 20) / kept_an_hour, 1)
                               for w, x in part.items()} if kept else None,
        index_entries_a_kept_document=round(entries / kept, 2) if kept else None,
        descriptors_an_hour=round(slope(hours, [r[-1] for r in rows]), 1))))


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
    report(a, crawl.returncode, n, kept, rows[len(rows) // 2:],
           os.path.getsize(work + "/crawl/dedup/tags") / 8)
    shutil.rmtree(work, ignore_errors=True)
    return 0 if crawl.returncode == 0 and kept else 1


sys.exit(main())
