#!/usr/bin/env python3
"""redirects.py -- pages that redirect to themselves until a cookie comes back, to their
own URL with a session or without marks of a campaign, or through a login: each is
fetched, at its host's pace; a link to a login is asked for without its return URL; cookies go with the next request of the chain and nowhere else; the WARC files
have every exchange.

usage: redirects.py WINNOW
On loopback.  Standard library only.
"""
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import checks  # noqa: E402
from checks import check  # noqa: E402
from made_web import make_pages  # noqa: E402
from web_server import Server, too_soon  # noqa: E402

HTML, DELAY_MS = {"Content-Type": "text/html"}, 100
PAGE = make_pages(1, 1, 4)["h00.scenario.test"]["/0.html"]
ALL = ("/wall", "/twice", "/other", "/far", "/plain", "/broken", "/session", "/marks?utm_source=a",
       "/checked", "/comes-back", "/members", "/login?next=/elsewhere")


def page(path):
    links = "".join("<a href='%s'>x</a>" % p for p in ALL) if path == "/" else ""
    return 200, HTML, PAGE.replace(b"</body>", b"<p>%s</p>%s</body>" % (
        path.encode() * 200, links.encode()))


def to(url, cookie=None):
    return 302, {"Location": url, **({"Set-Cookie": cookie} if cookie else {})}, b""


def answer(host, path, headers):
    sent = headers.get("Cookie", "")
    if path == "/robots.txt" and host == "b.test":
        return (200, {}, b"User-agent: *\nDisallow: /no") if "r=1" in sent else \
            to("/robots.txt", "r=1")
    if path == "/robots.txt":
        return 404, {}, b""
    if path == "/wall" and "w=1" not in sent:
        return to("/wall", "w=1; Path=/; Max-Age=3600")
    if path == "/twice" and "u=2" not in sent:
        return to("/twice", "u=2; Path=/" if "t=1" in sent else "t=1; Path=/")
    if path == "/other":
        return to("/target", "o=1; Path=/")
    if path == "/far":
        return to("http://b.test/yes", "f=1; Domain=.test; Path=/")
    if path == "/broken":
        return to("/broken", "x=%d; Path=/" % len(answers))
    if path == "/members" and "m=1" not in sent:
        return to("/login?next=/members")
    if path == "/login?next=/members":
        return to("/members?guest=1", "m=1; Path=/")
    if path == "/session":
        return to("/session;jsessionid=A1B2C3D4E5F6A7B8")
    if path == "/marks?utm_source=a":
        return to("/marks")
    if path == "/checked" or (path == "/comes-back?cookie=set" and "k=1" in sent):
        return to("/checked?c=1", "k=1") if path == "/checked" else to("/comes-back")
    if path == "/comes-back":
        return to("/comes-back?cookie=set", "k=1; Path=/")
    return page(path)


answers = []


def recorded(host, path, headers):
    answers.append((host, path, headers.get("Cookie")))
    return answer(host, path, headers)


def crawl(winnow, folder, *more):
    server = Server(recorded)
    answers.clear()
    with open(folder + "/hosts", "w", encoding="utf-8") as f:
        f.write("a.test %s\nb.test %s\n" % (server.address, server.address))
    args = [winnow, "crawl", "--dir", folder + "/crawl"]
    for s in ("seeds.url=http://a.test/ http://b.test/no", "fetch.hosts_file=%s/hosts" % folder,
              "politeness.delay_ms=%d" % DELAY_MS, "clean.badness_max=1000", "dedup.near=0",
              "clean.chars_min=10", "output.disk_free_mib=0", "output.warc=on",
              "output.format=jsonl", "limits.wait_seconds=5", "scope.tld=test", *more):
        args += ["--set", s]
    p = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE, text=True, timeout=120)
    check(p.returncode == 0, "exit status %d\n%s" % (p.returncode, p.stderr[-2000:]))
    server.close()
    with open(folder + "/crawl/log/crawl.jsonl", encoding="utf-8") as f:
        lines = [json.loads(line) for line in f]
    check(not too_soon(server.requests, DELAY_MS / 1000), "%s" % too_soon(
        server.requests, DELAY_MS / 1000))
    return lines, {e["url"].split(".test", 1)[1]: e["verdict"] for e in lines
                   if e["outcome"] != "REDIRECT"}


def cookies_open_walls(winnow, folder):
    lines, ended = crawl(winnow, folder)
    for path in ("/wall", "/twice", "/target", "/yes", "/session;jsessionid=A1B2C3D4E5F6A7B8",
                 "/marks", "/checked?c=1", "/members?guest=1"):
        check(ended.get(path) == "kept", "%s: %s" % (path, ended.get(path)))
    check(ended["/broken"] == "redirect_to_itself", ended["/broken"])
    check("/login" in ended and "/login?next=/elsewhere" not in ended,
          "a link to a login: %s" % sorted(ended))
    check(ended["/no"] == "disallowed", "robots.txt behind a wall: %s" % ended["/no"])
    sent = [a for a in answers if a[2]]
    check(sorted(a[:2] for a in sent) == sorted(
        [("a.test", p) for p in ("/wall", "/twice", "/twice", "/target", "/broken", "/broken",
                                 "/checked?c=1", "/comes-back?cookie=set",
                                 "/members?guest=1")] +
        [("b.test", "/robots.txt")]), "cookies were sent with: %s" % sent)
    check(sum(e.get("cookies", False) for e in lines) == len(sent), "the log: %s" % lines)
    text = b"".join(gzip.open(p).read() for p in glob.glob(folder + "/crawl/warc/*.gz"))
    check(text.count(b"\nCookie: ") == len(sent) and
          text.count(b"GET /twice HTTP/1.1") == 3 and
          text.count(b"\r\nWARC-Target-URI: http://a.test/twice\r\n") >= 6,
          "records in WARC files: %d" % text.count(b"\nCookie: "))


def without_them_walls_are_walls(winnow, folder):
    _, ended = crawl(winnow, folder, "fetch.cookies=off")
    check(ended["/wall"] == ended["/twice"] == "redirect_to_itself", "%s" % ended)
    check(ended["/marks"] == "kept" and not any(a[2] for a in answers), "%s" % answers)


def main(winnow):
    for test in cookies_open_walls, without_them_walls_are_walls:
        before = checks.failed
        with tempfile.TemporaryDirectory(prefix="winnow-redirects-") as folder:
            test(winnow, folder)
        print("ok  " if checks.failed == before else "FAIL", test.__name__)
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
