#!/usr/bin/env python3
"""`winnow try URL`: a page is fetched as a crawl would fetch it.

usage: try_web.py WINNOW

A server on loopback, plain and with TLS, whose requests are looked at: robots.txt
first and obeyed, the delay kept, redirects followed, private addresses and strangers
without a contact refused unasked; every failure says its reason.  Link priorities are
those that a crawl's frontier says of the same links after the same page.
"""
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
from web_server import Server, too_soon  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
with open("tests/cases/clean/nl-article.html", "rb") as case:
    PAGE = case.read()
HTML = {"Content-Type": "text/html"}
COMPARED = ("bfs", "badness", "block", "paper", "host", "learned")


def answer(host, path, _):
    if host == "closed.example" and path == "/robots.txt":
        return 503, {}, b""
    if path == "/robots.txt":
        return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /secret\n"
    if path == "/old":
        return 301, {"Location": "/nieuws/a.html"}, b""
    if path == "/out":
        return 302, {"Location": "http://other.example/"}, b""
    if path == "/paper.pdf":
        return 200, {"Content-Type": "application/pdf"}, b"%PDF-1.4"
    if path == "/slow":
        time.sleep(20)
    if path.startswith(("/nieuws/a.html", "/slow")):
        return 200, HTML, PAGE
    return 404, HTML, b"gone"


def run(folder, *args, code=0):
    p = subprocess.run([WINNOW, "try", *args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False, cwd="/", timeout=60,
                       env=dict(os.environ, TMPDIR=folder + "/tmp"))
    check(p.returncode == code, "%s: exit %d: %s" % (
        " ".join(args), p.returncode, p.stderr.decode()[-600:]))
    check(os.listdir(folder + "/tmp") == [], f"left: {os.listdir(folder + '/tmp')}")
    return p.stdout.decode(), p.stderr.decode()


def lab(folder, server, *hosts):
    with open(folder + "/hosts", "w", encoding="ascii") as f:
        f.writelines(f"{host} {server.address}\n" for host in hosts)
    return ("--set", f"fetch.hosts_file={folder}/hosts")


def a_page_is_fetched_politely(folder, server):
    at = lab(folder, server, "www.molen.nl", "closed.example")
    page = json.loads(run(folder, *at, "--json", "http://www.molen.nl/old")[0])
    check(page["verdict"] == "kept" and page["status"] == 200 and
          page["url"] == "http://www.molen.nl/nieuws/a.html" and
          page["redirects"] == 1 and page["ip"] == "127.0.0.1" and
          page["timestamp"].startswith("20"), f"{page['url']} {page['verdict']}")
    check(server.paths("www.molen.nl") == ["/robots.txt", "/old", "/nieuws/a.html"],
          f"{server.paths('www.molen.nl')}")
    check(too_soon(server.requests, 1.0) == [], f"{too_soon(server.requests, 1.0)}")
    del server.requests[:]
    run(folder, *at, "--set", "politeness.delays=www.molen.nl=8s", "--set", "politeness.crawl_delay_max_ms=0",
        "http://www.molen.nl/nieuws/a.html")
    check(too_soon(server.requests, 8.0) == [] and len(server.requests) == 2, f"its own delay: {server.requests}")
    out, _ = run(folder, *at, "--set", "politeness.delay_ms=0",
                 "http://www.molen.nl/nieuws/a.html")
    check(re.search(r"^  HTTP 200, 1,391 bytes .* from 127.0.0.1", out, re.M), out[:300])


def what_stands_in_the_way_is_said(folder, server):
    at = lab(folder, server, "www.molen.nl", "closed.example") + (
        "--set", "politeness.delay_ms=0")
    port = server.port
    asked = len(server.requests)
    for args, code, what in (
            ((f"http://127.0.0.1:{port}/",), 1, "private_address: "),
            ((f"http://localhost:{port}/",), 1, "fetch.allow_private=HOST"),
            (("https://example.org/",), 2, "--contact YOUR-ADDRESS"),
            (("http:///",), 2, "not an http"),
            (("--contact", "nobody", "https://example.org/"), 2, "a mail address or"),
            (("--url", "http://a/", "http://a.example/"), 2, "are for files")):
        _, err = run(folder, *args, code=code)
        check(what in err, f"{args}: {err}")
    check(len(server.requests) == asked, "nobody was asked")
    for path, what in (("/secret/x", "disallowed: "), ("/none", "http_404: "),
                       ("/paper.pdf", "not_html: ")):
        _, err = run(folder, *at, "http://www.molen.nl" + path, code=1)
        check(what in err and "Traceback" not in err, f"{path}: {err}")
    check("/secret/x" not in server.paths("www.molen.nl"), "robots.txt is obeyed")
    _, err = run(folder, *at, "http://closed.example/nieuws/a.html", code=1)
    check("/robots.txt cannot be read" in err and "http_503" in err, err)
    check(server.paths("closed.example") == ["/robots.txt"], "nothing but robots.txt")
    _, err = run(folder, *at, "http://www.molen.nl/out", "--set",
                 "scope.hosts=www.molen.nl", code=1)
    check("redirect_out_of_scope" in err, err)


def tls(folder, server):
    key = folder + "/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
                    "2", "-keyout", key, "-out", key + ".crt", "-subj", "/CN=localhost"],
                   check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(key + ".crt", key)
    server.http.socket = context.wrap_socket(server.http.socket, server_side=True)


def https_is_fetched(folder):
    server = Server(answer)
    tls(folder, server)
    url = f"https://localhost:{server.port}/nieuws/a.html"
    args = ("--set", "fetch.allow_private=localhost", "--set", "politeness.delay_ms=0",
            url)
    _, err = run(folder, *args, code=1)
    check("tls_verify" in err, err)
    page = json.loads(run(folder, "--set", "fetch.tls_verify=off", "--json", "--contact",
                          "me@a.example", *args)[0])
    check(page["verdict"] == "kept" and page["url"] == url, page["verdict"])
    agents = {r[5].get("User-Agent") for r in server.requests}
    check(len(agents) == 1 and re.fullmatch(
        r"winnow/[0-9.]+ \(\+mailto:me@a.example\)", agents.pop()), f"{agents}")
    server.close()


def scorers_say_what_a_crawl_says(folder, server):
    at = lab(folder, server, "www.molen.nl")
    fast = ("--set", "politeness.delay_ms=0", "--set", "clean.language=nl")
    url = "http://www.molen.nl/nieuws/a.html"
    page = json.loads(run(folder, *at, *fast, "--json", url)[0])
    links = [l for l in page["links"] if l["followed"]]
    check(len(links) > 5, f"{len(links)} links")
    for scorer in COMPARED:
        crawl = f"{folder}/{scorer}"
        with open(crawl + ".ini", "w", encoding="ascii") as f:
            f.write(f"[seeds]\nurl = {url}\n[limits]\npages = 1\n[frontier]\n"
                    f"scorer = {scorer}\n[sitemaps]\nuse = off\n")
        subprocess.run([WINNOW, "crawl", crawl + ".ini", "--dir", crawl, "--quiet", *at,
                        *fast], check=True, stderr=subprocess.DEVNULL)
        for link in links:
            why = subprocess.run([WINNOW, "frontier", crawl, "--why", link["url"]],
                                 check=True, stdout=subprocess.PIPE).stdout.decode()
            said = re.search(r"^competes with: ([0-9.]+)$", why, re.M)
            check(said and abs(float(said[1]) - link["priority"][scorer]) < .0006,
                  f"{scorer} {link['url']}: {link['priority'][scorer]:.4f} or\n{why}")


def interrupted(folder, server):
    at = lab(folder, server, "www.molen.nl")
    p = subprocess.Popen([WINNOW, "try", *at, "--set", "politeness.delay_ms=0",
                          "http://www.molen.nl/slow"], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE,
                         env=dict(os.environ, TMPDIR=folder + "/tmp"))
    end = time.time() + 20
    while "/slow" not in str(os.listdir(folder + "/tmp")) and time.time() < end and \
            len(server.paths("www.molen.nl")) < 1:
        time.sleep(.05)
    time.sleep(.3)
    p.send_signal(signal.SIGINT)
    err = p.communicate(timeout=30)[1].decode()
    check(p.returncode == 130, f"exit {p.returncode}: {err}")
    check(os.listdir(folder + "/tmp") == [], "an interrupted try leaves nothing")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/tmp")
        server = Server(answer)
        a_page_is_fetched_politely(folder, server)
        what_stands_in_the_way_is_said(folder, server)
        https_is_fetched(folder)
        scorers_say_what_a_crawl_says(folder, server)
        server.requests.clear()
        interrupted(folder, server)
        server.close()
    print("FAIL" if checks.failed else "ok  ", "winnow try URL")
    return checks.failed != 0


sys.exit(main())
