#!/usr/bin/env python3
"""connections.py -- whom a crawl talks to: https only with a certificate that
somebody we trust has made out to that name, of several addresses only those
that are allowed and the first that answers, proxies of the environment never; and what robots.txt and the
scope forbid not behind a redirect either.  A host that closes its connections is
spared most of the next handshake, one that suffers no short ones gets whole ones.  Signed requests can be checked.

usage: connections.py WINNOW
"""
import base64
import ctypes
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "hostile")]
import checks  # noqa: E402
from checks import check  # noqa: E402
from made_web import make_pages  # noqa: E402
from server import DnsServer, Listener, dns_reply  # noqa: E402
from web_server import Server  # noqa: E402

PAGE = list(make_pages(1, 1, 5).values())[0]["/0.html"]
HTML = {"Content-Type": "text/html"}


def crawl(winnow, folder, urls, fetch, env=None, more="", delay_ms=5, retries=0):
    """{url: (verdict, outcome)} of the log."""
    job, out = os.path.join(folder, "job.ini"), os.path.join(folder, "crawl")
    shutil.rmtree(out, ignore_errors=True)
    with open(job, "w", encoding="ascii") as f:
        f.write("[seeds]\nurl = %s\n[limits]\nwait_seconds = 2\n[politeness]\n"
                "delay_ms = %d\nretries = %d\nretry_ms = 10\n[clean]\nbadness_max = 1000\n"
                "chars_min = 10\n[fetch]\n%s\n%s"
                % (" ".join(urls), delay_ms, retries, fetch, more))
    p = subprocess.run([winnow, "crawl", job, "--dir", out, "--quiet"],
                       stderr=subprocess.PIPE, text=True, timeout=120,
                       env={**os.environ, **(env or {})}, check=False)
    check(p.returncode == 0, p.stderr[-800:])
    with open(out + "/log/crawl.jsonl", encoding="utf-8") as f:
        return {e["url"]: e["verdict"] for e in map(json.loads, f)}


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def authority(folder, name):
    key, pem = ("%s/%s.%s" % (folder, name, e) for e in ("key", "pem"))
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", pem,
            "-subj", "/CN=" + name, "-days", "2")
    return key, pem


def certificate(folder, host, issuer):
    """Made out to `host` by the authority."""
    key, pem, ask, ext = ("%s/%s.%s" % (folder, host, e)
                          for e in ("key", "crt", "csr", "ext"))
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-keyout", key, "-out", ask, "-subj", "/CN=" + host)
    with open(ext, "w", encoding="ascii") as f:
        f.write("subjectAltName=DNS:%s\n" % host)
    openssl("x509", "-req", "-in", ask, "-CAkey", issuer[0], "-CA", issuer[1],
            "-CAcreateserial", "-out", pem, "-days", "2", "-extfile", ext)
    return key, pem


def secure(key, pem, **more):
    server = Server(lambda host, path, headers: (404, HTML, b"") if path == "/robots.txt"
                    else (200, {**HTML, **more}, PAGE))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    server.http.socket = context.wrap_socket(server.http.socket, server_side=True)
    return server


def only_with_a_certificate_for_that_name(winnow, folder):
    known, unknown = authority(folder, "known"), authority(folder, "unknown")
    servers = {"good.dns": secure(*certificate(folder, "good.dns", known)),
               "stranger.dns": secure(*certificate(folder, "stranger.dns", unknown)),
               "wrong.dns": secure(*certificate(folder, "other.dns", known))}
    names = DnsServer({name: lambda number, question, kind: dns_reply(
        number, question, kind, ["127.0.0.1"]) for name in servers})
    url = {n: "https://%s:%d/" % (n, s.port) for n, s in servers.items()}
    fetch = ("allow_private = .dns\ndns_servers = 127.0.0.1:%d\ntls_ca = %s\n"
             % (names.port, known[1]))
    for verify in "on", "off":
        log = crawl(winnow, folder, url.values(), fetch + "tls_verify = " + verify,
                    more="[politeness]\nrobots = off\n")
        fetched = [n for n, s in servers.items() if "/" in s.paths(n)]
        want = ["good.dns"] if verify == "on" else list(servers)
        check(fetched == want, "tls_verify=%s: %s fetched, %s" % (verify, fetched, log))
        for name in set(servers) - set(want):
            check(log[url[name]] == "tls_verify", "%s: %s" % (name, log[url[name]]))
    for s in servers.values():
        s.close()


def a_wrong_certificate_for_a_while_costs_no_page(winnow, folder):
    """As when one has run out and is renewed."""
    known, unknown = authority(folder, "known"), authority(folder, "unknown")
    wrong, handshakes = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), []
    wrong.load_cert_chain(*reversed(certificate(folder, "renewed.dns", unknown)))
    site = secure(*certificate(folder, "renewed.dns", known), Connection="close")

    def choose(c, _name, _context):
        handshakes.append(1)
        if len(handshakes) <= 5:  # later ones go on with a session
            c.context = wrong

    site.http.socket.context.sni_callback = choose
    names = DnsServer({"renewed.dns": lambda number, question, kind: dns_reply(
        number, question, kind, ["127.0.0.1"])})
    urls = ["https://renewed.dns:%d/%d" % (site.port, i) for i in range(8)]
    log = crawl(winnow, folder, urls, "allow_private = .dns\ndns_servers = 127.0.0.1:%d\n"
                "tls_ca = %s\n" % (names.port, known[1]), retries=2,
                more="[politeness]\nrobots = off\n")
    check(all(log.get(u) in ("kept", "exact_duplicate") for u in urls), "%s" % log)
    check(len(handshakes) > len(urls), "%d handshakes" % len(handshakes))
    site.close()


def a_host_that_closes_is_spared_the_next_handshake(winnow, folder):
    """Tickets of TLS 1.3 are used once, sessions of 1.2 again; each host's are
    its own, though both lead to one address."""
    known = authority(folder, "known")
    for version in ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3:
        site = Server(lambda host, path, headers:
                      (200, {**HTML, "Connection": "close"}, PAGE))
        context, resumed = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), {}
        context.load_cert_chain(*reversed(certificate(folder, "*.web.dns", known)))
        context.maximum_version = version
        context.sni_callback = lambda s, name, _: setattr(s, "asked_for", name)
        site.http.socket = context.wrap_socket(site.http.socket, server_side=True)
        serve = site.http.finish_request

        def count(connection, address, serve=serve, resumed=resumed):
            resumed.setdefault(connection.asked_for, []).append(connection.session_reused)
            serve(connection, address)

        site.http.finish_request = count
        hosts = ["a.web.dns", "b.web.dns"]
        names = DnsServer({h: lambda number, question, kind: dns_reply(
            number, question, kind, ["127.0.0.1"]) for h in hosts})
        log = crawl(winnow, folder, ["https://%s:%d/%d" % (h, site.port, i)
                                     for h in hosts for i in range(10)],
                    "allow_private = .dns\ndns_servers = 127.0.0.1:%d\ntls_ca = %s\n"
                    % (names.port, known[1]), more="[politeness]\nrobots = off\n")
        check(len(site.requests) >= 20, "%s: %s" % (version.name, log))
        for h in hosts:
            check(resumed[h] == [False] + [True] * (len(resumed[h]) - 1) and
                  len(resumed[h]) >= 10, "%s %s: %s" % (version.name, h, resumed[h]))
        site.close()


def would_go_on(c):
    """Does the ClientHello on its way bring a session?  Ticket, or PSK of TLS 1.3."""
    hello, at = c.recv(1 << 14, socket.MSG_PEEK)[5:], 38
    at += 1 + hello[at]                                      # session id
    at += 2 + int.from_bytes(hello[at:at + 2], "big")        # ciphers
    at += 1 + hello[at] + 2                                  # compression
    sizes = {}
    while at + 4 <= len(hello):
        kind, size = (int.from_bytes(hello[i:i + 2], "big") for i in (at, at + 2))
        sizes[kind] = size
        at += 4 + size
    return sizes.get(35, 0) > 0 or 41 in sizes


def who_breaks_off_what_goes_on_gets_whole_handshakes(winnow, folder):
    """One try of one page is what it costs to find out."""
    known = authority(folder, "known")
    names = DnsServer({"whole.dns": lambda number, question, kind: dns_reply(
        number, question, kind, ["127.0.0.1"])})
    for version in ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3:
        context, asked = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), []
        context.load_cert_chain(*reversed(certificate(folder, "whole.dns", known)))
        context.maximum_version = version

        def serve(c, context=context, asked=asked):
            if would_go_on(c.c):
                asked.append(None)
                c.reset()
                return
            c = context.wrap_socket(c.c, server_side=True)
            asked.append(c.recv(65536).split()[1].decode())
            c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: "
                      b"close\r\nContent-Length: %d\r\n\r\n" % len(PAGE) + PAGE)
            c.unwrap()

        site = Listener(None, "whole.dns", serve)
        url = ["https://whole.dns:%d/%d" % (site.port, i) for i in range(6)]
        log = crawl(winnow, folder, url, "allow_private = .dns\ndns_servers = 127.0.0.1:%d\n"
                    "tls_ca = %s\n" % (names.port, known[1]),
                    more="[politeness]\nrobots = off\n", retries=1)
        check(all(log.get(u) in ("kept", "exact_duplicate") for u in url),
              "%s: %s" % (version.name, log))
        check(asked.count(None) == 1, "%s: %s" % (version.name, asked))
        site.close()


def what_comes_behind_an_answer_is_nobodys(winnow, folder):
    """The rest of a page that was longer than said, the 408 of a server that hangs
    up: none is taken for the answer to the next request, plain or over TLS."""
    known, paths = authority(folder, "known"), ["/%d" % i for i in range(4)]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*reversed(certificate(folder, "late.dns", known)))
    late = [b"and the rest</html>", b"HTTP/1.1 408 Timeout\r\nConnection: close\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1\r\n\r\nx"]
    names = DnsServer({"late.dns": lambda number, question, kind: dns_reply(
        number, question, kind, ["127.0.0.1"])})
    for scheme in "http", "https":
        asked = []

        def serve(c, scheme=scheme, asked=asked):
            c = c.c if scheme == "http" else context.wrap_socket(c.c, server_side=True)
            while True:
                request = c.recv(65536)
                if not request:
                    return
                asked.append(request.split()[1].decode())
                c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                          b"Content-Length: %d\r\n\r\n" % len(PAGE) + PAGE)
                time.sleep(.02)
                c.sendall(late[len(asked) % len(late)])

        site = Listener(None, "late.dns", serve)
        url = ["%s://late.dns:%d%s" % (scheme, site.port, p) for p in paths]
        log = crawl(winnow, folder, url, "allow_private = .dns\ndns_servers = 127.0.0.1:%d\n"
                    "tls_ca = %s\n" % (names.port, known[1]),
                    more="[politeness]\nrobots = off\n", delay_ms=100)
        check(all(log.get(u) in ("kept", "exact_duplicate") for u in url), "%s" % log)
        check(sorted(asked)[:4] == paths, "asked for %s" % asked)
        site.close()


def authorities_are_read_once(winnow, folder):
    """Without fetch.tls_ca: 150 authorities take 20 ms to read, which each
    connection did.  The kernel tells who opens and closes the file."""
    path, hosts = b"/etc/ssl/certs/ca-certificates.crt", 40
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    if not os.path.exists(path) or libc.inotify_add_watch(watch, path, 0x20 | 0x10) < 0:
        print("no", path)
        return
    unknown = authority(folder, "unknown")
    site = secure(*certificate(folder, "*.web.dns", unknown))
    host = ["h%d.web.dns" % i for i in range(hosts)]
    names = DnsServer({h: lambda number, question, kind: dns_reply(
        number, question, kind, ["127.0.0.1"]) for h in host})
    log = crawl(winnow, folder, ["https://%s:%d/" % (h, site.port) for h in host],
                "allow_private = .dns\ndns_servers = 127.0.0.1:%d\n" % names.port,
                more="[politeness]\nrobots = off\n")
    try:
        opened = len(os.read(watch, 1 << 16)) // 32  # two events of 16 bytes
    except BlockingIOError:
        opened = 0
    os.close(watch)
    check(list(log.values()) == ["tls_verify"] * hosts, "verdicts: %s" % log)
    check(0 < opened < hosts / 2, "%d hosts: the file was opened %d times" % (hosts, opened))
    site.close()


def listener(address, port):
    """Counts connections."""
    s = socket.socket()
    s.bind((address, port))
    s.listen()
    seen = []

    def accept():
        while True:
            try:
                c, _ = s.accept()
            except OSError:
                return
            seen.append(1)
            c.close()

    threading.Thread(target=accept, daemon=True).start()
    return s, seen


def only_allowed_addresses_of_several(winnow, folder):
    site = Server(lambda host, path, headers: (200, HTML, PAGE))
    names = DnsServer({"two.dns": lambda number, question, kind: dns_reply(
        number, question, kind, ["127.0.0.2", "10.0.0.1", "127.0.0.1"])})
    other, seen = listener("127.0.0.2", site.port)
    log = crawl(winnow, folder, ["http://two.dns:%d/a" % site.port],
                "user_agent = winnow/1 (+https://a.test/bot)\n"
                "allow_private = 127.0.0.1/32\ndns_servers = 127.0.0.1:%d" % names.port)
    check("/a" in site.paths("two.dns"), "not fetched: %s" % log)
    check(not seen, "an address was contacted that is not allowed")
    other.close()
    site.close()


class Unanswering:
    """A port that takes no connection: its queue is full, so that SYNs go unheard."""

    def __init__(self, address, port):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.sockets = [socket.socket(family)]
        self.sockets[0].bind((address, port))
        self.sockets[0].listen(0)
        for _ in range(4):
            s = socket.socket(family)
            s.setblocking(False)
            s.connect_ex((address, port))
            self.sockets.append(s)

    def close(self):
        for s in self.sockets:
            s.close()


def a_dead_address_costs_a_moment(winnow, folder):
    """Of two addresses of a host one answers nothing, or late: the other one gets the
    request, and only one does."""
    for dead, alive in ("127.0.0.2", "127.0.0.1"), ("::1", "127.0.0.1"), \
            ("127.0.0.3", "::1"):
        site = Server(lambda host, path, headers: (200, HTML, PAGE), alive)
        silent = Unanswering(dead, site.port)
        names = DnsServer({"two.dns": lambda number, question, kind: dns_reply(
            number, question, kind, [dead, alive])})
        begin = time.time()
        log = crawl(winnow, folder, ["http://two.dns:%d/a" % site.port],
                    "connect_timeout_ms = 25000\nallow_private = .dns\n"
                    "dns_servers = 127.0.0.1:%d" % names.port,
                    more="[politeness]\nrobots = off\n")
        check(site.paths("two.dns") == ["/a"] and time.time() - begin < 15,
              "%s dead: %s asked in %.0f s, %s" % (dead, site.paths("two.dns"),
                                                   time.time() - begin, log))
        silent.close()
        names.close()
        site.close()


class SlowDns(DnsServer):
    """Answers 127.0.0.1 to A questions after .2 s; `most` names at once."""

    def __init__(self):
        self.asked, self.most, self.lock = set(), 0, threading.Lock()
        super().__init__({})

    def answer(self, packet, peer, name):
        question = packet[12:]
        kind = int.from_bytes(packet[12 + len(name) + 1:12 + len(name) + 3], "big")
        with self.lock:
            self.asked.discard(name)
        try:
            self.socket.sendto(dns_reply(packet[:2], question[:len(name) + 5], kind,
                                         ["127.0.0.1"], ttl=60), peer)
        except OSError:
            pass

    def serve(self):
        while True:
            try:
                packet, peer = self.socket.recvfrom(4096)
            except OSError:
                return
            name = packet[12:packet.index(b"\0", 12)]
            with self.lock:
                self.asked.add(name)
                self.most = max(self.most, len(self.asked))
            threading.Timer(.2, self.answer, (packet, peer, name)).start()


def names_are_looked_up_ahead(winnow, folder):
    """With one slot, names of hosts that come next are asked for meanwhile."""
    site = Server(lambda host, path, headers: (200, HTML, PAGE))
    names = SlowDns()
    urls = ["http://h%d.dns:%d/a" % (i, site.port) for i in range(20)]
    log = crawl(winnow, folder, urls, "parallel = 1\nslow_share = 0\n"
                "allow_private = .dns\ndns_servers = 127.0.0.1:%d" % names.port,
                more="[politeness]\nrobots = off\n")
    check(len([u for u in urls if u in log]) == 20, "log %s" % log)
    check(names.most > 8, "at most %d names were asked for at once" % names.most)
    names.close()
    site.close()


def no_proxy_of_the_environment(winnow, folder):
    site = Server(lambda host, path, headers: (200, HTML, PAGE))
    proxy, seen = listener("127.0.0.1", 0)
    where = "http://127.0.0.1:%d" % proxy.getsockname()[1]
    env = {n: where for n in ("http_proxy", "HTTP_PROXY", "https_proxy",
                              "HTTPS_PROXY", "all_proxy", "ALL_PROXY")}
    with open(folder + "/hosts", "w", encoding="ascii") as f:
        f.write("a.test %s\n" % site.address)
    log = crawl(winnow, folder, ["http://a.test/a"], "hosts_file = hosts", env)
    check("/a" in site.paths("a.test") and not seen,
          "proxy: %d connections, %s" % (len(seen), log))
    proxy.close()
    site.close()


def no_way_round_robots_and_scope(winnow, folder):
    # 500 KiB of a robots.txt count; the last rule stands behind them.
    rules = b"User-agent: *\nDisallow: /secret\n"
    filler = b"# " + b"x" * 97 + b"\n"
    near = b"Disallow: /late\n"
    body = rules + filler * ((500 * 1024 - len(rules) - len(near)) // len(filler)) + near
    robots = body + filler * 2 + b"Disallow: /open\n" + filler * 1000
    links = b"".join(b"<a href='%s'>x</a>" % u for u in (
        b"/open", b"/late", b"/jump", b"/away", b"/secret/1"))

    def answer(_host, path, _headers):
        if path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, robots
        if path in ("/jump", "/away"):
            return 302, {"Location": "/secret/2" if path == "/jump"
                         else "http://b.test/"}, b""
        return 200, HTML, PAGE.replace(b"<ul>", b"<ul>" + links)

    site = Server(answer)
    with open(folder + "/hosts", "w", encoding="ascii") as f:
        f.write("a.test %s\nb.test %s\n" % (site.address, site.address))
    log = crawl(winnow, folder, ["http://a.test/"], "hosts_file = hosts",
                more="[scope]\nhosts = a.test\n")
    asked = site.paths("a.test")
    check(sorted(p for p in asked if p in ("/", "/open", "/jump", "/away")) ==
          ["/", "/away", "/jump", "/open"], "asked %s" % asked)
    check(not [p for p in asked if p.startswith(("/secret", "/late"))],
          "asked %s" % asked)
    check(not site.paths("b.test"), "out of scope")
    check(log["http://a.test/secret/2"] == "disallowed" and
          log["http://a.test/late"] == "disallowed" and
          log["http://a.test/away"] == "redirect_out_of_scope", "log %s" % log)
    site.close()


def signed_requests_can_be_checked(winnow, folder):
    """With the key of the directory that `winnow init` has made, by openssl."""
    bot, site = folder + "/bot", Server(lambda *_: (200, HTML, PAGE))
    p = subprocess.run([winnow, "init", bot, "--contact", "a@b.test", "--address",
                        "192.0.2.0/24", "--address", "2001:db8::/48"],
                       stderr=subprocess.PIPE, text=True, check=False)
    check(p.returncode == 0, p.stderr)
    with open(bot + "/addresses.json", encoding="utf-8") as f:
        check(json.load(f)["prefixes"] == [{"ipv4Prefix": "192.0.2.0/24"},
                                           {"ipv6Prefix": "2001:db8::/48"}], "ranges")
    with open(bot + "/bot.html", encoding="utf-8") as f:
        check("User-agent: winnow\n" in f.read(), "page")
    with open(bot + "/http-message-signatures-directory", encoding="utf-8") as f:
        key = json.load(f)["keys"][0]
    raw = base64.urlsafe_b64decode(key["x"] + "=")
    with open(folder + "/public.der", "wb") as f:
        f.write(bytes.fromhex("302a300506032b6570032100") + raw)
    with open(folder + "/hosts", "w", encoding="ascii") as f:
        f.write("a.test %s\n" % site.address)
    crawl(winnow, folder, ["http://a.test/a"], "hosts_file = hosts\nsign_key = %s\n"
          "sign_agent = https://bot.test" % (bot + "/key.pem"))
    nonces = set()
    for request in site.requests:
        h = {k.lower(): v for k, v in request[5].items()}
        params = h["signature-input"][len("sig1="):]
        nonces.add(re.search('nonce="([^"]*)"', params).group(1))
        check('keyid="%s"' % key["kid"] in params and "created=" in params, params)
        with open(folder + "/base", "w", encoding="ascii") as f:
            f.write('"@authority": %s\n"signature-agent": %s\n'
                    '"@signature-params": %s' % (h["host"], h["signature-agent"],
                                                 params))
        with open(folder + "/sig", "wb") as f:
            f.write(base64.b64decode(h["signature"][len("sig1=:"):-1]))
        p = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform",
                            "DER", "-inkey", folder + "/public.der", "-rawin", "-in",
                            folder + "/base", "-sigfile", folder + "/sig"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, check=False)
        check(p.returncode == 0, "%s: %s" % (request[1], p.stdout))
    check(len(nonces) == len(site.requests) > 1, "nonces %s" % nonces)
    site.close()


def main(winnow):
    if shutil.which("openssl") is None:
        print("skipped: no openssl")
        return 77
    folder = tempfile.mkdtemp(prefix="winnow-connections-")
    try:
        return checks.run([only_with_a_certificate_for_that_name,
                           a_wrong_certificate_for_a_while_costs_no_page,
                           a_host_that_closes_is_spared_the_next_handshake,
                           who_breaks_off_what_goes_on_gets_whole_handshakes,
                           what_comes_behind_an_answer_is_nobodys, authorities_are_read_once,
                           a_dead_address_costs_a_moment, names_are_looked_up_ahead,
                           only_allowed_addresses_of_several, no_proxy_of_the_environment,
                           no_way_round_robots_and_scope, signed_requests_can_be_checked],
                           winnow, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
