#!/usr/bin/env python3
"""http2.py -- https servers that offer HTTP/2 get it, over one connection a host;
after an answer that was not read to its end, over a new one.  In WARC files stands
what readers of archives know.  nginx serves; without it: exit 77.

usage: http2.py WINNOW
"""
import glob
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "hostile")]
import checks  # noqa: E402
import wire  # noqa: E402
from checks import check  # noqa: E402
from connections import PAGE, authority, certificate, crawl  # noqa: E402
from server import DnsServer, dns_reply  # noqa: E402

HOSTS, PAGES = 4, 6
NGINX = """daemon off; worker_processes 1; pid {work}/pid; error_log {work}/error.log crit;
{user} events {{ worker_connections 500; }}
http {{ log_format line '$host $uri $server_protocol $connection $status';
  access_log {work}/requests line; default_type text/html; types {{ video/mp4 mp4; }}
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3;
  uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
  server {{ listen 127.0.0.1:{port} ssl http2; root {work}/pages;
    location = /garbled.html {{ add_header Content-Encoding gzip; }}
    ssl_certificate {pem}; ssl_certificate_key {key}; }} }}
"""


class Nginx:
    def __init__(self, nginx, work, key, pem):
        self.port, self.log = wire.free_port(), work + "/requests"
        os.mkdir(work + "/pages")
        for i in range(PAGES):
            with open("%s/pages/%d.html" % (work, i), "wb") as f:
                f.write(PAGE + b"<!-- %d -->" % i)
        for name in "long.html", "film.mp4", "garbled.html":
            with open(work + "/pages/" + name, "wb") as f:
                f.write((b"\1\2\3\4\5" if name == "garbled.html" else b"word ") * (1 << 20))
        with open(work + "/nginx.conf", "w", encoding="utf-8") as f:
            f.write(NGINX.format(work=work, port=self.port, key=key, pem=pem,
                                 user="user root;" if os.geteuid() == 0 else ""))
        self.process = subprocess.Popen([nginx, "-p", work, "-c", work + "/nginx.conf"])
        time.sleep(.5)

    def requests(self):
        """(host, path, protocol, connection, status) of those since the last time."""
        time.sleep(.2)
        with open(self.log, encoding="utf-8") as f:
            lines = [line.split() for line in f]
        os.truncate(self.log, 0)
        return lines

    def close(self):
        self.process.terminate()
        self.process.wait()


def job(site, names, known, *more):
    return ("allow_private = .dns\nbody_max = 100000\ndns_servers = 127.0.0.1:%d\n"
            "tls_ca = %s\n%s\n" % (names.port, known[1], "\n".join(more)))


def one_connection_a_host(winnow, folder, site, names, known, hosts):
    urls = ["https://%s:%d/%d.html" % (h, site.port, i) for h in hosts for i in range(PAGES)]
    for http2 in "on", "off":
        log = crawl(winnow, folder, urls, job(site, names, known, "http2 = " + http2),
                    more="[politeness]\nrobots = off\n[output]\nwarc = on\n")
        seen = site.requests()
        protocol = "HTTP/2.0" if http2 == "on" else "HTTP/1.1"
        check(len(seen) == HOSTS * PAGES and {r[2] for r in seen} == {protocol},
              "http2=%s: %s %s" % (http2, seen, log))
        check(len({r[3] for r in seen}) == HOSTS,
              "http2=%s: %d connections" % (http2, len({r[3] for r in seen})))
        text = b"".join(gzip.open(p).read() for p in glob.glob(folder + "/crawl/warc/*.gz"))
        check(text.count(b"WARC-Protocol: %s\r\n" % (b"h2" if http2 == "on" else b"http/1.1"))
              >= HOSTS * PAGES, "WARC-Protocol: %s" % text[:2000])
        check(text.count(b"\r\n\r\nHTTP/1.1 200") == HOSTS * PAGES and
              text.count(b".html HTTP/1.1\r\n") == HOSTS * PAGES, "heads: %s" % text[:2000])


def what_was_cut_ends_its_connection(winnow, folder, site, names, known, hosts):
    """Else the rest of a long answer would be counted against the next."""
    ended = {"film.mp4": "not_html", "garbled.html": "bad_encoding"}
    order = ["0.html", "film.mp4", "1.html", "long.html", "2.html", "garbled.html", "3.html",
             "4.html"]
    log = crawl(winnow, folder, ["https://%s:%d/%s" % (hosts[0], site.port, p) for p in order],
                job(site, names, known, "parallel = 1"), more="[politeness]\nrobots = off\n")
    seen = site.requests()
    log = {u.split("/")[-1]: v for u, v in log.items() if u.startswith("https:")}
    check(sorted(log) == sorted(order) and
          all(log[p] == ended[p] if p in ended else log[p] in ("kept", "exact_duplicate")
              for p in order),
          "verdicts: %s" % log)
    check(len(seen) == len(order) and {r[2] for r in seen} == {"HTTP/2.0"}, "seen %s" % seen)
    last = 0
    for before, r in zip(seen, seen[1:]):
        cut = before[1] in ("/film.mp4", "/long.html", "/garbled.html")
        last += cut
        check((before[3] != r[3]) == cut, "%s after %s" % (r, before))
    check(last > 0, "nothing came after what was cut: %s" % seen)


def main(winnow):
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.path.exists(nginx) or shutil.which("openssl") is None:
        print("skipped: no nginx or no openssl")
        return 77
    folder = tempfile.mkdtemp(prefix="winnow-http2-")
    try:
        known = authority(folder, "known")
        hosts = ["h%d.web.dns" % i for i in range(HOSTS)]
        names = DnsServer({h: lambda number, question, kind: dns_reply(
            number, question, kind, ["127.0.0.1"]) for h in hosts})
        site = Nginx(nginx, folder, *certificate(folder, "*.web.dns", known))
        try:
            return checks.run([one_connection_a_host, what_was_cut_ends_its_connection],
                              winnow, folder, site, names, known, hosts)
        finally:
            site.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
