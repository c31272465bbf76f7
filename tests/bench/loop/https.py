#!/usr/bin/env python3
"""What https costs: CPU of a crawl a request over TLS, and how many connections and
whole handshakes that takes.

    tests/bench/loop/https.py [--hosts N] [--pages N] [--delay-ms N] [--winnow NAME=PROGRAM...]

nginx serves small made pages of so many hosts (names by a name server of ours, one
certificate), in turn: HTTP/2 offered; HTTP/1.1 only; each connection closed after its
answer.  Needs nginx and openssl.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path[:0] = [os.path.join(ROOT, "tests", d) for d in ("scenario", "hostile")]
from connections import authority, certificate  # noqa: E402
from server import DnsServer, dns_reply  # noqa: E402

NGINX = """daemon off; worker_processes 1; pid {work}/pid; error_log {work}/error.log crit;
{user} worker_rlimit_nofile 20000; events {{ worker_connections 15000; }}
http {{ log_format line '$ssl_session_reused $connection'; access_log {work}/requests line;
  keepalive_timeout {keep}; keepalive_requests 100000; default_type text/html;
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3;
  uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
  server {{ listen 127.0.0.1:{port} ssl {http2} backlog=4096;
    ssl_certificate {pem}; ssl_certificate_key {key};
    location = /robots.txt {{ return 404; }} location / {{ return 200 '{page}'; }} }} }}
"""
PAGE = "<html><title>t</title><body><p>%s</p></body></html>" % (
    "some words of a page that is all made up " * 40)


def crawl(program, work, delay_ms):
    """(seconds, CPU seconds)."""
    job, out = work + "/job.ini", work + "/crawl"
    shutil.rmtree(out, ignore_errors=True)
    with open(job, "r+", encoding="ascii") as f:
        text = f.read().split("[politeness]")[0]
        f.seek(0)
        f.truncate()
        f.write(text + "[politeness]\ndelay_ms = %d\naddress_delay_ms = 0\n"
                "response_factor = 0\n" % delay_ms)
    begin = time.monotonic()
    p = subprocess.Popen([program, "crawl", job, "--dir", out, "--quiet"],
                         stderr=subprocess.DEVNULL)
    _, status, use = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    with open(out + "/log/crawl.jsonl", encoding="utf-8") as f:
        bad = [v for v in (json.loads(line)["verdict"] for line in f)
               if v not in ("kept", "exact_duplicate", "near_duplicate", "http_404")]
    if p.returncode != 0 or bad:
        sys.exit("exit %d, verdicts %s" % (p.returncode, sorted(set(bad))))
    return time.monotonic() - begin, use.ru_utime + use.ru_stime


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--hosts", type=int, default=300)
    p.add_argument("--pages", type=int, default=10, help="a host")
    p.add_argument("--delay-ms", type=int, default=0)
    p.add_argument("--port", type=int, default=8943)
    p.add_argument("--winnow", nargs="+", metavar="NAME=PROGRAM", default=[
        "winnow=" + os.path.join(ROOT, "build/release/crawler/winnow")])
    a = p.parse_args()
    work = tempfile.mkdtemp(prefix="https.")
    known = authority(work, "known")
    key, pem = certificate(work, "*.web.dns", known)
    hosts = ["h%d.web.dns" % i for i in range(a.hosts)]
    names = DnsServer({h: lambda number, question, kind: dns_reply(
        number, question, kind, ["127.0.0.1"]) for h in hosts})
    with open(work + "/urls", "w", encoding="ascii") as f:
        f.writelines("https://%s:%d/%d.html\n" % (h, a.port, i)
                     for i in range(a.pages) for h in hosts)
    with open(work + "/job.ini", "w", encoding="ascii") as f:
        f.write("[seeds]\nfile = urls\n[limits]\nwait_seconds = 5\n[log]\nprogress = off\n"
                "[fetch]\nallow_private = .dns\ndns_servers = 127.0.0.1:%d\ntls_ca = %s\n"
                % (names.port, known[1]))
    print("| | requests/s | CPU ms a request | requests | connections | whole handshakes |\n"
          "|---|---|---|---|---|---|")
    for said, http2, keep in (("HTTP/2", "http2", 60), ("HTTP/1.1", "", 60),
                              ("each answer its connection", "", 0)):
        with open(work + "/nginx.conf", "w", encoding="utf-8") as f:
            f.write(NGINX.format(work=work, port=a.port, http2=http2, keep=keep, pem=pem,
                                 key=key, page=PAGE,
                                 user="user root;" if os.geteuid() == 0 else ""))
        for name, _, program in (w.partition("=") for w in a.winnow):
            nginx = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx",
                                      "-p", work, "-c", work + "/nginx.conf"])
            time.sleep(.5)
            seconds, cpu = crawl(program, work, a.delay_ms)
            nginx.terminate()
            nginx.wait()
            with open(work + "/requests", encoding="ascii") as f:
                rows = [line.split() for line in f]
            os.remove(work + "/requests")
            whole = {c for resumed, c in rows if resumed == "."}
            print("| %s, %s | %.0f | %.2f | %d | %d | %d |" % (
                name, said, len(rows) / seconds, 1000 * cpu / len(rows), len(rows),
                len({c for _, c in rows}), len(whole)), flush=True)
    shutil.rmtree(work, ignore_errors=True)
    return 0


sys.exit(main())
