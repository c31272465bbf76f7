#!/usr/bin/env python3
"""Does pywb replay what a crawl has archived, byte by byte?

    tests/bench/loop/replay.py [--pages N] [--winnow PROGRAM] [--venv DIR]

nginx serves real pages (page_set.py), a crawl with output.warc = on archives them, and
pywb (PyPI; put into --venv at the first time) replays the crawl's folder `warc` with the
indexes that stand there.  www.a.example and a.example are one host to pywb: pages that
both have are taken from one of them.  Each page is asked for without pywb's banner and rewriting
(id_) and compared with what was served; `warcio check` reads all files.  Prints how many
were the same; exit 1 when one was not.  Exit 77: the pages are not there.
"""
import argparse
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, HERE)
import page_set  # noqa: E402

NGINX = """daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log crit;
{user} events {{ worker_connections 4000; }}
http {{ access_log off; default_type text/html; types {{ text/html html htm; }}
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3;
  uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
  server {{ listen 127.0.0.1:{port} default_server; root {work}/sites/$site;
    server_name ~^(?<site>[a-z0-9][a-z0-9.-]*)$; }} }}
"""
PYWB = """collections:
  crawl: {{ index_paths: {warc}, archive_paths: {warc}/ }}
"""


def archive(a, work, urls):
    with open(work + "/nginx.conf", "w", encoding="utf-8") as f:
        f.write(NGINX.format(work=work, port=a.port,
                             user="user root;" if os.geteuid() == 0 else ""))
    with open(work + "/urls", "w", encoding="utf-8") as f:
        f.writelines(u + "\n" for u in urls)
    with open(work + "/hosts", "w", encoding="ascii") as f:
        f.writelines("%s 127.0.0.1:%d\n" % (h, a.port)
                     for h in sorted({u.split("/")[2] for u in urls}))
    with open(work + "/job.ini", "w", encoding="ascii") as f:
        f.write("[seeds]\nfile = urls\n[limits]\nwait_seconds = 2\ndepth = 0\n[scope]\ntld =\n"
                "[politeness]\ndelay_ms = 0\naddress_delay_ms = 0\nresponse_factor = 0\n"
                "[fetch]\nhosts_file = hosts\n[output]\nwarc = on\nwarc_mib = 16\n")
    nginx = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-p", work,
                              "-c", work + "/nginx.conf"])
    time.sleep(.5)
    p = subprocess.run([a.winnow, "crawl", work + "/job.ini", "--dir", work + "/crawl",
                        "--quiet"], check=False)
    nginx.terminate()
    nginx.wait()
    if p.returncode:
        sys.exit("crawl: exit %d" % p.returncode)


def tools(venv):
    if not os.path.exists(venv + "/bin/wayback"):
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv + "/bin/python", "-m", "pip", "install", "-q", "pywb", "warcio"],
                       check=True)


def start_pywb(a, work):
    with open(work + "/config.yaml", "w", encoding="utf-8") as f:
        f.write(PYWB.format(warc=work + "/crawl/warc"))
    with open(work + "/pywb.log", "w", encoding="utf-8") as log:
        p = subprocess.Popen([a.venv + "/bin/wayback", "-b", "127.0.0.1", "-p", str(a.port + 1)],
                             cwd=work, stdout=log, stderr=log)
    for _ in range(120):
        time.sleep(.5)
        try:
            urllib.request.urlopen("http://127.0.0.1:%d/" % (a.port + 1), timeout=5).close()
            return p
        except urllib.error.HTTPError:
            return p
        except OSError:
            pass
    p.kill()
    sys.exit("pywb does not answer")


def replayed(a, url):
    """Its body, or why not."""
    where = "http://127.0.0.1:%d/crawl/2id_/%s" % (a.port + 1, url)
    try:
        with urllib.request.urlopen(where, timeout=60) as r:
            return r.read()
    except OSError as e:
        return str(e).encode()


def served(work, url):
    host, path = url[len("http://"):].split("/", 1)
    with open(os.path.join(work, "sites", host, urllib.parse.unquote(
            path, errors="surrogateescape")), "rb") as f:
        return f.read()


def distinct(urls):
    """Of those that differ in "www." alone, the first."""
    return list({u.replace("://www.", "://", 1): u for u in reversed(urls)}.values())[::-1]


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--data", default=os.path.join(
        os.environ.get("WINNOW_DATA", os.path.expanduser("~/.cache/winnow-data")),
        "web", "sites"))
    p.add_argument("--pages", type=int, default=1000)
    p.add_argument("--port", type=int, default=8951)
    p.add_argument("--venv", default=os.path.expanduser("~/.cache/winnow-venvs/replay"))
    p.add_argument("--winnow", default=os.path.join(ROOT, "build/release/crawler/winnow"))
    a = p.parse_args()
    if not os.path.isdir(a.data):
        print("no pages in " + a.data)
        return 77
    tools(a.venv)
    work = tempfile.mkdtemp(prefix="replay.")
    urls = distinct(page_set.make(a.data, work + "/sites", 100000, 1 + a.pages // 800))[:a.pages]
    archive(a, work, urls)
    files = sorted(glob.glob(work + "/crawl/warc/*.warc.gz"))
    checked = subprocess.run([a.venv + "/bin/warcio", "check", *files], check=False)
    pywb, same, other = start_pywb(a, work), 0, []
    try:
        for url in urls:
            body = replayed(a, url)
            if hashlib.sha1(body).digest() == hashlib.sha1(served(work, url)).digest():
                same += 1
            else:
                other.append((url, body[:80]))
    finally:
        pywb.terminate()
        pywb.wait()
    print("%d of %d pages from %d files replayed as they were served; warcio check: exit %d" % (
        same, len(urls), len(files), checked.returncode))
    for url, body in other[:10]:
        print("  %s: %r" % (url, body))
    shutil.rmtree(work, ignore_errors=True)
    return 1 if other or checked.returncode else 0


sys.exit(main())
