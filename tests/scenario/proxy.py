#!/usr/bin/env python3
"""proxy.py -- a crawl through a proxy: of HTTP, of HTTP over TLS, of SOCKS5.  It tells the
proxy names and looks none up, but where it is told to; politeness and TLS hold; what the
proxy cannot do is no URL's fault, and what hosts do is not the proxy's.

usage: proxy.py WINNOW [--real] [PART...]
With a proxy of its own; --real: with squid, tinyproxy, microsocks and danted, those that
are installed; 77 without any.  On loopback.  Standard library only.
"""
import glob
import gzip
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)),
                os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                             "hostile")]
import checks  # noqa: E402
from conditions import (CONTACT, NameServer, check, ended, free_udp_port,  # noqa: E402
                        is_queued, outcome_in_log, start)
from connections import authority, certificate  # noqa: E402
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402
from proxy_server import Proxy  # noqa: E402
from web_server import Server, too_soon  # noqa: E402
from wire import free_port  # noqa: E402

HOSTS, PAGES = 3, 3
SEED = "http://h00.scenario.test/0.html"
SEEDS = " ".join("http://h%02d.scenario.test/0.html" % i for i in range(HOSTS))
SQUID_LOGINS = "/usr/lib/squid/basic_ncsa_auth"
SKIPPED = 77


def crawl(folder, proxy, seed, *settings):
    """`proxy`: None: as the folder knows it."""
    more = ("fetch.user_agent=" + CONTACT, "limits.wait_seconds=10",
            "politeness.retries=0", "fetch.proxy=" + proxy) if seed else ()
    return start(folder, seed, *(more + settings))


def web(pages=PAGES):
    return Site(make_pages(HOSTS, pages, 4))


def found(folder, text):
    """Files of the crawl's folder that hold it, unpacked."""
    hits = []
    for path in glob.glob(os.path.join(folder, "crawl", "**"), recursive=True):
        if os.path.isfile(path):
            with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
                if text in f.read():
                    hits.append(path)
    return hits


def warc(folder):
    text = b""
    for path in glob.glob(os.path.join(folder, "crawl", "warc", "*.warc.gz")):
        with gzip.open(path, "rb") as f:
            text += f.read()
    return text


def kept(folder, n, said):
    urls = [d["url"] for d in documents(folder, "crawl")]
    check(len(urls) == n, "documents: %s" % urls, said)


# ---- what goes well ----

def forwards(folder):
    """Names that nobody here knows; other programs' variables do not count."""
    s = web()
    p = Proxy(s.port)
    os.environ.update(http_proxy="http://127.0.0.1:9", no_proxy="*", ALL_PROXY="http://127.0.0.1:9")
    try:
        run, said = crawl(folder, p.url, SEEDS, "politeness.delay_ms=100", "output.warc=on")
        text = ended(run, said, 0)
        check("it looks names up" in text, "what no longer holds is not said", text)
        kept(folder, HOSTS * PAGES, text)
        check(not too_soon(s.requests, .1), "too soon", str(too_soon(s.requests, .1)))
        check(len(p.asked) == len(s.requests), "somebody went by", text)
        check(p.targets("GET").count("http://h01.scenario.test/robots.txt") == 1,
              "robots.txt", str(p.targets("GET")))
        check(p.connections <= 10, "%d connections" % p.connections)
        records = warc(folder)
        check(b"WARC-IP-Address" not in records, "an address that nobody knows")
        check(b"GET http://h00.scenario.test/0.html HTTP/1.1" in records,
              "the request as it was sent")
    finally:
        for name in "http_proxy", "no_proxy", "ALL_PROXY":
            del os.environ[name]
        p.close()
        s.close()


def tls_site(folder, hosts, pages=PAGES):
    ca = authority(folder, "known")
    contexts = {}
    s = web(pages)
    for h in sorted(s.web) + list(hosts):
        key, pem = certificate(folder, h, hosts.get(h, ca))
        contexts[h] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        contexts[h].load_cert_chain(pem, key)
    first = contexts[sorted(s.web)[0]]
    first.sni_callback = lambda sock, name, _: setattr(sock, "context", contexts[name])
    s.http.socket = first.wrap_socket(s.http.socket, server_side=True)
    return s, ca


def tunnels(folder):
    """Certificates are the hosts'; one by another authority is theirs to answer for."""
    other = "bad.scenario.test"
    s, ca = tls_site(folder, {other: authority(folder, "unknown")})
    s.web = {h: {n: b.replace(b"http:", b"https:").replace(
        b"<nav>", b'<nav><a href="https://%s/">n</a>' % other.encode())
        for n, b in pages.items()} for h, pages in s.web.items()}
    p = Proxy(s.port)
    try:
        run, said = crawl(folder, p.url, SEEDS.replace("http:", "https:"), "output.warc=on",
                          "fetch.tls_ca=" + ca[1], "limits.wait_seconds=2")
        text = ended(run, said, 0)
        kept(folder, HOSTS * PAGES, text)
        check("paused" not in text, "a pause", text)
        check(not p.targets("GET") and "h00.scenario.test:443" in p.targets("CONNECT"),
              "tunnels", str(p.asked))
        check(not any("tls_verify" not in o[1] for o in
                      outcome_in_log(folder, "https://%s/" % other)), "the bad one")
        records = warc(folder)
        check(b"Via: tunnel" not in records and b"CONNECT" not in records and
              b"GET /0.html HTTP/1.1" in records, "the tunnel is no part of the page")
    finally:
        p.close()
        s.close()


def over_tls(folder):
    s = web()
    ca = authority(folder, "known")
    p = Proxy(s.port, tls=certificate(folder, "localhost", ca))
    try:
        run, said = crawl(folder, p.url, SEEDS, "limits.wait_seconds=2")
        text = ended(run, said, 1)
        check("paused" in text and "certificate" in text, "whom it does not trust", text)
        is_queued(folder, SEED)
        run, said = crawl(folder, p.url, None, "fetch.tls_ca=" + ca[1])
        text = ended(run, said, 0)
        kept(folder, HOSTS * PAGES, text)
    finally:
        p.close()
        s.close()


def by_socks(folder):
    s = web()
    p = Proxy(s.port, socks=True, login="ann:se:cret", denies=["h02.scenario.test"])
    login = os.path.join(folder, "login")
    with open(login, "w", encoding="ascii") as f:
        f.write("ann:se:cret\n")
    try:
        run, said = crawl(folder, p.url, SEEDS, "fetch.proxy_login=" + login,
                          "limits.wait_seconds=2")
        text = ended(run, said, 0)
        check("chmod 600" in text, "others may read the login", text)
        kept(folder, (HOSTS - 1) * PAGES, text)
        check("h00.scenario.test:80" in p.targets("SOCKS"), "names", str(p.asked))
        check(not found(folder, b"se:cret"), "the login", str(found(folder, b"se:cret")))
    finally:
        p.close()
        s.close()


def names_here(folder, is_socks):
    """Private addresses are refused, and those that several hosts share have a delay."""
    s, port = web(), free_udp_port()
    ns = NameServer(port, "127.0.0.1")
    p = Proxy(s.port, socks=is_socks)
    here = ("fetch.proxy_names=here", "fetch.dns_servers=127.0.0.1:%d" % port)
    try:
        run, said = crawl(os.path.join(folder, "refused"), p.url, SEEDS, *here)
        text = ended(run, said, 0)
        check("private_address" in str(outcome_in_log(os.path.join(folder, "refused"), SEED)) and
              not p.asked, "a private address", text)
        run, said = crawl(folder, p.url, SEEDS, *here, "fetch.allow_private=.test",
                          "politeness.address_loopback=on",
                          "politeness.address_delay_ms=100", "output.warc=on")
        text = ended(run, said, 0)
        kept(folder, HOSTS * PAGES, text)
        soon = too_soon(s.requests, .1, key=lambda r: 0)
        check(not soon, "one address", str(soon))
        if is_socks:
            check(set(p.targets("SOCKS")) == {"127.0.0.1:80"}, "names", str(p.asked))
        check((b"WARC-IP-Address: 127.0.0.1" in warc(folder)) == is_socks, "the address")
    finally:
        ns.close()
        p.close()
        s.close()


def http_names_here(folder):
    names_here(folder, False)


def socks_names_here(folder):
    names_here(folder, True)


# ---- the proxy's faults ----

def away(folder):
    """From the start."""
    s, port = web(), free_port()
    p = None
    try:
        run, said = crawl(folder, "http://127.0.0.1:%d" % port, SEEDS, "limits.wait_seconds=2")
        text = ended(run, said, 1)
        check("fetch.proxy does not answer" in text, "the reason", text)
        is_queued(folder, SEED)
        run, said = crawl(folder, None, None, "limits.wait_seconds=20")
        check(said.said(["paused", "fetch.proxy"], 30), "it does not pause")
        p = Proxy(s.port, port=port)
        check(said.said(["going on"], 30), "it does not go on", "\n".join(said.lines))
        text = ended(run, said, 0)
        kept(folder, HOSTS * PAGES, text)
    finally:
        if p:
            p.close()
        s.close()


def goes_away(folder, is_socks=False, tls=False):
    """While the only page of a host comes; nobody is to blame, though retries=0."""
    hangs = threading.Event()
    ca = ""
    if tls:
        s, (_, ca) = tls_site(folder, {}, 1)
        s.web = {h: {n: b.replace(b"http:", b"https:") for n, b in pages.items()}
                 for h, pages in s.web.items()}
    else:
        s = web(1)
    p = Proxy(s.port, socks=is_socks)
    port, pages = p.port, s.web

    class Hanging(dict):
        def get(self, host, default=None):
            if host == "h01.scenario.test" and not hangs.is_set():
                hangs.set()
                p.close()
                time.sleep(1)
            return super().get(host, default)
    s.web = Hanging(pages)
    try:
        run, said = crawl(folder, p.url, SEEDS.replace("http:", "https:" if tls else "http:"),
                          "fetch.tls_ca=" + ca)
        check(said.said(["paused", "fetch.proxy"], 30), "it does not pause",
              "\n".join(said.lines))
        p = Proxy(s.port, port=port, socks=is_socks)
        text = ended(run, said, 0)
        kept(folder, HOSTS, text)
        check("failed" not in text, "a failure is told", text)
    finally:
        p.close()
        s.close()


def tunnels_break(folder):
    goes_away(folder, tls=True)


def socks_breaks(folder):
    goes_away(folder, is_socks=True)


def hangs(folder):
    """It takes connections and says nothing; then it is there again."""
    s = web()
    p = Proxy(s.port)
    p.hangs = True
    try:
        run, said = crawl(folder, p.url, SEEDS, "fetch.first_byte_ms=500")
        check(said.said(["paused", "fetch.proxy does not answer"], 30), "it does not pause",
              "\n".join(said.lines))
        p.hangs = False
        text = ended(run, said, 0)
        kept(folder, HOSTS * PAGES, text)
    finally:
        p.close()
        s.close()


LOST = 5 # hosts that have answered and have pages left: more than a crawl needs to tell


def far(folder, is_socks=False):
    """It is there and reaches nobody: first from the start, then in the middle."""
    hosts = ["h%02d.scenario.test" % i for i in range(24)]
    seeds = " ".join("http://%s/0.html" % h for h in hosts)
    turned, served = threading.Event(), {}

    class Losing(Site):
        def answer(self, host, path, headers):
            served[host] = served.get(host, 0) + (path != "/robots.txt")
            if sum(1 <= n <= 5 for n in served.values()) >= LOST and not turned.is_set():
                turned.set()
                p.lose()
            return super().answer(host, path, headers)

    s = Losing(make_pages(len(hosts), 8, 4))
    p = Proxy(s.port, socks=is_socks)
    p.blind = True
    try:
        run, said = crawl(folder, p.url, seeds, "politeness.retries=2",
                          "politeness.retry_ms=2000", "fetch.parallel=8")
        check(said.said(["paused", "reaches no host"], 30), "it does not pause at the start",
              "\n".join(said.lines))
        n = sum("paused" in line for line in said.lines)  # it may pause as soon as it turns
        p.blind = False
        check(said.said(["going on: the proxy reaches hosts again"], 30), "it does not go on",
              "\n".join(said.lines))
        turned.wait(30)
        for _ in range(300):
            if sum("paused" in line for line in said.lines) > n:
                break
            time.sleep(.1)
        check(sum("paused" in line for line in said.lines) > n, "nor does it pause again",
              "\n".join(said.lines))
        time.sleep(2)
        p.blind = False
        text = ended(run, said, 0)
        kept(folder, len(hosts) * 8, text)
        check("errors=0" in text, "a page has failed", text)
    finally:
        p.close()
        s.close()


def socks_far(folder):
    far(folder, True)


def dead_hosts(folder):
    """Forty of them behind one that is there: no fault of the proxy."""
    dead = ["dead%02d.scenario.test" % i for i in range(40)]
    page = make_pages(1, 1, 4)["h00.scenario.test"]["/0.html"].replace(
        b"<nav>", b"<nav>" + b"".join(b'<a href="http://%s/">n</a>' % h.encode() for h in dead))
    s = Site({"h00.scenario.test": {"/0.html": page}})
    p = Proxy(s.port, marks=dead)
    try:
        run, said = crawl(folder, p.url, SEED, "limits.wait_seconds=2",
                          "politeness.robots=off")
        text = ended(run, said, 0)
        check("paused" not in text, "a pause", text)
        check(("FAILED", "connect") in outcome_in_log(folder, "http://%s/" % dead[-1]),
              "the last of them", text)
    finally:
        p.close()
        s.close()


def logins(folder, is_socks=False):
    """A wrong one, which is mended while the crawl waits."""
    s = web()
    p = Proxy(s.port, login="ann:secret", socks=is_socks)
    login = os.path.join(folder, "login")
    with open(login, "w", encoding="ascii") as f:
        f.write("ann:wrong")
    os.chmod(login, 0o600)
    try:
        run, said = crawl(folder, p.url, SEEDS, "fetch.proxy_login=" + login, "output.warc=on")
        check(said.said(["paused", "wants another login"], 30), "it does not pause",
              "\n".join(said.lines))
        with open(login, "w", encoding="ascii") as f:
            f.write("ann:secret\n")
        text = ended(run, said, 0)
        check("going on: the proxy takes the login" in text, "it says nothing", text)
        check("chmod" not in text, "the file is closed", text)
        kept(folder, HOSTS * PAGES, text)
        check(b"WARC-Target-URI" in warc(folder) and b" 407 " not in warc(folder) and
              not found(folder, b"Proxy-Authorization"), "the login is in the archive")
    finally:
        p.close()
        s.close()


def socks_logins(folder):
    logins(folder, True)


# ---- hosts' faults ----

def host_says_407(folder):
    """It is one page's answer; proxies' marks do not make it another."""
    class Rude(Site):
        def answer(self, host, path, headers):
            if path == "/1.html":
                return 407, {"X-Squid-Error": "ERR_CACHE_ACCESS_DENIED 0",
                             "Proxy-Authenticate": "Basic realm=x"}, b"who are you"
            return super().answer(host, path, headers)

    s = Rude(make_pages(HOSTS, PAGES, 4))
    p = Proxy(s.port)
    try:
        run, said = crawl(folder, p.url, SEEDS)
        text = ended(run, said, 0)
        check("paused" not in text, "a host holds the crawl up", text)
        check(outcome_in_log(folder, "http://h00.scenario.test/1.html") ==
              [("FAILED", "http_407")], "the page",
              str(outcome_in_log(folder, "http://h00.scenario.test/1.html")))
        kept(folder, HOSTS * (PAGES - 1), text)
    finally:
        p.close()
        s.close()


def refuses(folder):
    """What the proxy does not allow, or cannot reach, is no answer of the host."""
    s = web()
    p = Proxy(s.port, denies=["h01.scenario.test"], marks=["h02.scenario.test"])
    try:
        run, said = crawl(folder, p.url, SEEDS, "output.warc=on", "politeness.retries=1",
                          "limits.wait_seconds=2")
        text = ended(run, said, 0)
        kept(folder, PAGES, text)
        check(b"h01.scenario.test/robots.txt" not in warc(folder) and
              b"Proxy-Status" not in warc(folder), "the proxy's words in the archive")
        log = found(folder, b'"proxy_denied"')
        check(any("crawl.jsonl" in f for f in log), "proxy_denied", text)
    finally:
        p.close()
        s.close()


def inner_names(folder):
    """Nobody here looks them up, and the proxy might know them."""
    s = web()
    p = Proxy(s.port)
    seeds = ["http://intranet/", "http://printer.local/", "http://10.1.2.3/",
             "http://wiki.corp/", "http://localhost/"]
    try:
        run, said = crawl(folder, p.url, " ".join(seeds))
        text = ended(run, said, 0)
        check(not p.asked, "asked: %s" % p.asked, text)
        for url in seeds:
            check("private_address" in str(outcome_in_log(folder, url)), url, text)
    finally:
        p.close()
        s.close()


def bad_jobs(folder):
    for settings, words in (
            (["fetch.proxy=proxy.example:3128"], ["neither http"]),
            (["fetch.proxy=http://proxy.example"], ["a host and a port"]),
            (["fetch.proxy=http://ann:secret@proxy.example:3128"], ["fetch.proxy_login"]),
            (["fetch.proxy=socks5://proxy.example:1080"], ["socks5h", "proxy_names"]),
            (["fetch.proxy_login=/dev/null"], ["without fetch.proxy"]),
            (["fetch.proxy=http://p:1", "fetch.proxy_login=/dev/null"], ["it is empty"]),
            (["fetch.proxy=http://p:1", "fetch.proxy_login=/none/such"], ["No such file"])):
        run, said = start(folder, SEED, "fetch.user_agent=" + CONTACT, *settings)
        text = ended(run, said, 2)
        check(all(w in text for w in words) and "secret" not in text, str(settings), text)


# ---- real ones ----

def kill(p):
    """With its children."""
    os.killpg(p.pid, signal.SIGKILL)
    p.wait()


def started(args, port):
    p = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, start_new_session=True)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return p
        except OSError:
            time.sleep(.1)
    kill(p)
    raise AssertionError("%s does not start" % args[0])


def squid(folder, port, access="http_access allow all"):
    conf = os.path.join(folder, "squid.conf")
    with open(conf, "w", encoding="ascii") as f:
        f.write("http_port 127.0.0.1:%d\n%s\ncache deny all\n"
                "access_log none\ncache_log /dev/null\ncache_store_log none\n"
                "pid_filename none\nshutdown_lifetime 0 seconds\nnetdb_filename none\n"
                "dns_nameservers 127.0.0.1\ndns_timeout 1 seconds\n" % (port, access))
    return started(["squid", "-N", "-f", conf], port)


def tinyproxy(folder, port):
    conf = os.path.join(folder, "tinyproxy.conf")
    with open(conf, "w", encoding="ascii") as f:
        f.write("Port %d\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nConnectPort 443\n" % port)
    return started(["tinyproxy", "-d", "-c", conf], port)


def microsocks(_folder, port):
    return started(["microsocks", "-i", "127.0.0.1", "-p", str(port)], port)


def danted(folder, port):
    conf = os.path.join(folder, "danted.conf")
    with open(conf, "w", encoding="ascii") as f:
        f.write("internal: 127.0.0.1 port = %d\nexternal: lo\nsocksmethod: none\n"
                "clientmethod: none\nuser.privileged: root\nuser.unprivileged: nobody\n"
                "client pass { from: 0/0 to: 0/0 }\nsocks pass { from: 0/0 to: 0/0 }\n" % port)
    return started(["danted", "-f", conf], port)


def real(folder, make, scheme):
    """Six pages; half way it is killed, and is there again after the pause."""
    pages = make_pages(1, 6, 4)["h00.scenario.test"]
    port, stops = free_port(), threading.Event()
    running = [make(folder, port)]
    def answer(_host, path, _headers):
        if path == "/3.html" and not stops.is_set():
            stops.set()
            kill(running[0])
            time.sleep(.5)
        body = pages.get(path)
        return (200 if body else 404, {"Content-Type": "text/html"}, body or b"none")

    s = Server(answer)
    try:
        run, said = crawl(folder, "%s://127.0.0.1:%d" % (scheme, port),
                          "http://127.0.0.1:%d/0.html" % s.port,
                          "fetch.allow_private=127.0.0.1", "scope.hosts=127.0.0.1")
        check(said.said(["paused", "fetch.proxy"], 30), "it does not pause",
              "\n".join(said.lines))
        running[0] = make(folder, port)
        text = ended(run, said, 0)
        kept(folder, 6, text)
        check("failed" not in text, "a failure is told", text)
        run, said = crawl(os.path.join(folder, "none"), "%s://127.0.0.1:%d" % (scheme, port),
                          "http://none.invalid/ https://none.invalid/ http://127.0.0.1:9/")
        text = ended(run, said, 0)
        check("paused" not in text, "hosts that are not there hold it up", text)
    finally:
        kill(running[0])
        s.close()


def squid_login(folder):
    """One that is wrong, and mended; then a host that it must not go to."""
    users, login, port = folder + "/users", folder + "/login", free_port()
    with open(users, "w", encoding="ascii") as f:
        f.write("ann:" + subprocess.check_output(["openssl", "passwd", "-apr1", "secret"],
                                                 text=True))
    with open(login, "w", encoding="ascii") as f:
        f.write("ann:wrong")
    pages = make_pages(1, 6, 4)["h00.scenario.test"]
    s = Server(lambda _host, path, _headers: (
        200 if path in pages else 404, {"Content-Type": "text/html"}, pages.get(path, b"no")))
    running = squid(folder, port, "auth_param basic program %s %s\nacl known proxy_auth "
                    "REQUIRED\nacl no dst 127.0.0.2\nhttp_access deny no\n"
                    "http_access allow known" % (SQUID_LOGINS, users))
    try:
        run, said = crawl(folder, "http://127.0.0.1:%d" % port,
                          "http://127.0.0.1:%d/0.html http://127.0.0.2:8/" % s.port,
                          "fetch.allow_private=127.0.0.0/8", "fetch.proxy_login=" + login,
                          "scope.hosts=127.0.0.1 127.0.0.2", "output.warc=on")
        check(said.said(["paused", "wants another login"], 30), "it does not pause",
              "\n".join(said.lines))
        with open(login, "w", encoding="ascii") as f:
            f.write("ann:secret")
        text = ended(run, said, 0)
        kept(folder, 6, text)
        check(b"X-Squid-Error" not in warc(folder), "squid's own pages are archived")
        check(any("crawl.jsonl" in f for f in found(folder, b'"proxy_denied"')), "denied", text)
    finally:
        kill(running)
        s.close()


def through(make, scheme):
    def part(folder):
        return real(folder, make, scheme)
    part.__name__ = make.__name__
    return part


def real_parts():
    """Those whose programs are installed."""
    parts = [through(make, scheme) for make, scheme in (
        (squid, "http"), (tinyproxy, "http"), (microsocks, "socks5h"), (danted, "socks5h"))
             if shutil.which(make.__name__)]
    if shutil.which("squid") and os.path.exists(SQUID_LOGINS):
        parts.append(squid_login)
    return parts


def main():
    parts = [forwards, tunnels, over_tls, by_socks, http_names_here, socks_names_here, away,
             goes_away, tunnels_break, socks_breaks, hangs, far, socks_far, dead_hosts, logins,
             socks_logins, host_says_407, refuses, inner_names, bad_jobs]
    if "--real" in sys.argv[2:]:
        parts = real_parts()
    return checks.run_apart(parts, "proxy") if parts else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
