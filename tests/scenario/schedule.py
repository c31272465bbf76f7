"""schedule.py -- who is asked when, seen from the servers: sitemaps, hosts on
one address, slow and overloaded servers, traps, a second visit, an operator.

usage: schedule.py WINNOW [CASE...]
Real crawls of a made-up web on loopback; politeness is counted from what the
servers have recorded.  Standard library only.
"""
import gzip
import json
import os
import random
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import checks  # noqa: E402
from crawl_run import documents  # noqa: E402
from made_web import paragraph  # noqa: E402
from web_server import Server, too_soon  # noqa: E402


def text_page(rng, title, links):
    return ("<!doctype html><html lang=nl><head><meta charset=utf-8><title>%s"
            "</title></head><body><nav><ul>%s</ul></nav><article>%s</article>"
            "</body></html>" % (
                title, "".join('<li><a href="%s">%s</a>' % (l, l) for l in links),
                "".join("<p>%s</p>\n" % paragraph(rng) for _ in range(4)))).encode()


HTML = {"Content-Type": "text/html"}


def gone():
    return 404, HTML, b"<html><body>not here</body></html>"


def write_job(folder, hosts, seeds, settings):
    """A job file; `hosts`: {name: address:port}; settings: {section: {key: value}}."""
    with open(os.path.join(folder, "hosts"), "w") as f:
        for name, address in hosts.items():
            f.write("%s %s\n" % (name, address))
    sections = {"seeds": {"url": " ".join(seeds)},
                "politeness": {"delay_ms": 100},
                "limits": {"wait_seconds": 3},
                "clean": {"language": "nl", "badness_max": 1000,
                          "threads": 2},
                "dedup": {"near": 0},
                "fetch": {"hosts_file": "hosts"},
                "frontier": {"sync": "none", "patience": 0},
                "output": {"format": "jsonl", "disk_free_mib": 0}}
    for section, keys in settings.items():
        sections.setdefault(section, {}).update(keys)
    path = os.path.join(folder, "job.ini")
    with open(path, "w") as f:
        for section, keys in sections.items():
            f.write("[%s]\n" % section)
            for key, value in keys.items():
                f.write("%s = %s\n" % (key, value))
    return path


def crawl(winnow, folder, job, *more):
    r = subprocess.run([winnow, "crawl", job, "--dir", os.path.join(folder, "crawl"),
                        *more], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, timeout=120)
    if r.returncode != 0:
        raise AssertionError("the crawl ended with %d:\n%s" % (r.returncode, r.stdout[-3000:]))
    return r.stdout


def frontier(winnow, folder, *args):
    r = subprocess.run([winnow, "frontier", os.path.join(folder, "crawl"), *args],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       timeout=60)
    if r.returncode != 0:
        raise AssertionError("winnow frontier %s: %d\n%s" % (args, r.returncode, r.stderr))
    return r.stdout


def stat(winnow, folder):
    faults = frontier(winnow, folder, "--check")
    assert faults == "0 faults\n", faults
    return json.loads(frontier(winnow, folder, "--stat", "--json"))


# ---- the cases ----

def sitemaps_bring_pages_that_nobody_links_to(winnow, folder):
    rng = random.Random(1)
    web = {"a.test": {"/": text_page(rng, "a", ["/1"]), "/1": text_page(rng, "1", [])},
           "b.test": {"/": text_page(rng, "b", [])}}
    for i in range(12):
        web["a.test"]["/hidden%d" % i] = text_page(rng, "h", [])
    index = ("<sitemapindex><sitemap><loc>http://a.test/s1.xml.gz</loc></sitemap>"
             "<sitemap><loc>http://files.test/s2.xml</loc></sitemap>"
             "</sitemapindex>").encode()
    entry = "<url><loc>http://a.test/hidden%d</loc><lastmod>2026-01-0%d</lastmod></url>"
    one = "<urlset>%s</urlset>" % "".join(entry % (i, 1 + i % 9) for i in range(6))
    # The second lies on a host of another domain: an index may not name it.
    two = "<urlset>%s</urlset>" % "".join(entry % (i, 1 + i % 9) for i in range(6, 12))
    robots = "User-agent: *\nDisallow: /private\nSitemap: http://a.test/index.xml\n" \
             "Sitemap: http://files.test/direct.xml\n"
    direct = "<urlset>%s<url><loc>http://b.test/stolen</loc></url></urlset>" % "".join(
        entry % (i, 1) for i in range(9, 12))

    def answer(host, path, _headers):
        xml = {"Content-Type": "application/xml"}
        if host == "a.test" and path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, robots.encode()
        if host == "a.test" and path == "/index.xml":
            return 200, xml, index
        if host == "a.test" and path == "/s1.xml.gz":
            return 200, {"Content-Type": "application/gzip"}, gzip.compress(one.encode())
        if host == "files.test" and path == "/s2.xml":
            return 200, xml, two.encode()
        if host == "files.test" and path == "/direct.xml":
            return 200, xml, direct.encode()
        body = web.get(host, {}).get(path)
        return (200, HTML, body) if body else gone()

    site = Server(answer)
    try:
        job = write_job(folder, {h: site.address for h in ("a.test", "b.test", "files.test")},
                        ["http://a.test/", "http://b.test/"], {})
        crawl(winnow, folder, job)
        asked = set(site.paths("a.test"))
        assert {"/hidden%d" % i for i in (0, 1, 2, 3, 4, 5, 9, 10, 11)} <= asked, asked
        assert not {"/hidden%d" % i for i in (6, 7, 8)} & asked, asked
        assert "/s2.xml" not in site.paths("files.test")
        assert "/stolen" not in site.paths("b.test")
        s = stat(winnow, folder)
        assert s["sitemaps"] == 3, s
        pages = [r for r in site.requests if r[1] != "/robots.txt" and "xml" not in r[1]]
        assert s["pages"] == len(pages), (s, len(pages)) # sitemaps are none
        why = frontier(winnow, folder, "--why", "http://a.test/hidden0")
        assert "in a sitemap on a.test" in why and "2026-01-01" in why, why
        bad = too_soon(site.requests, .1)
        assert not bad, bad
    finally:
        site.close()


def languages_that_a_sitemap_tells_decide(winnow, folder):
    """Of pages with URLs that say nothing those in the wanted language come first."""
    rng = random.Random(7)
    link = "<xhtml:link rel='alternate' hreflang='%s' href='http://a.test/%s'/>"
    entries, pages = [], {"/": text_page(rng, "a", [])}
    for i in range(20):
        both = "".join(link % (code, path) for code, path in (("en", "x%d" % i), ("nl", "y%d" % i)))
        entries += ["<url><loc>http://a.test/%s%d</loc>%s</url>" % (kind, i, both) for kind in "xy"]
        pages["/x%d" % i] = pages["/y%d" % i] = text_page(rng, "%d" % i, [])
    sitemap = "<urlset>%s</urlset>" % "".join(entries)

    def answer(_host, path, _headers):
        if path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, b"Sitemap: http://a.test/s.xml\n"
        if path == "/s.xml":
            return 200, {"Content-Type": "application/xml"}, sitemap.encode()
        return (200, HTML, pages[path]) if path in pages else gone()

    site = Server(answer)
    try:
        job = write_job(folder, {"a.test": site.address}, ["http://a.test/"],
                        {"limits": {"pages": 15}})
        crawl(winnow, folder, job)
        asked = [path[1] for path in site.paths("a.test") if re.fullmatch("/[xy][0-9]+", path)]
        assert len(asked) >= 13 and asked.count("y") == len(asked), asked
        why = frontier(winnow, folder, "--why", "http://a.test/x19")
        assert "markup: to another language" in why, why
    finally:
        site.close()


def languages_that_a_head_tells_are_followed(winnow, folder):
    """A page in the wanted language that only the head of another names; not those in others."""
    rng = random.Random(8)
    head = b"<head>" + b"".join(
        b"<link rel=alternate hreflang=%s href=http://%s/%s>" % alternate for alternate in (
            (b"nl-BE", b"b.test", b"x"), (b"fr", b"b.test", b"y"), (b"x-default", b"b.test", b"z")))
    pages = {("a.test", "/"): text_page(rng, "a", []).replace(b"<head>", head),
             ("b.test", "/x"): text_page(rng, "x", [])}
    assert head in pages["a.test", "/"]

    def answer(host, path, _headers):
        return (200, HTML, pages[host, path]) if (host, path) in pages else gone()

    site = Server(answer)
    try:
        job = write_job(folder, {h: site.address for h in ("a.test", "b.test")},
                        ["http://a.test/"], {"clean": {"language": "nl"}})
        crawl(winnow, folder, job)
        assert site.paths("b.test") == ["/robots.txt", "/x"], site.paths("b.test")
    finally:
        site.close()


def hosts_on_one_address_are_asked_in_turns(winnow, folder):
    rng = random.Random(2)
    hosts = ["h%02d.test" % i for i in range(16)]
    web = {h: {"/%d" % i: text_page(rng, h, ["/%d" % (i + 1)]) for i in range(4)}
           for h in hosts}

    def answer(host, path, _headers):
        body = web.get(host, {}).get(path)
        time.sleep(.01)
        return (200, HTML, body) if body else gone()

    sites = [Server(answer, "127.0.0.%d" % (i + 1)) for i in range(2)]
    try:
        job = write_job(folder, {h: sites[i % 2].address for i, h in enumerate(hosts)},
                        ["http://%s/0" % h for h in hosts],
                        {"politeness": {"delay_ms": 300, "address_delay_ms": 60,
                                        "address_loopback": "on"},
                         "fetch": {"hosts_file": "hosts", "parallel": 16}})
        began = time.time()
        crawl(winnow, folder, job)
        seconds = time.time() - began
        for site in sites:
            bad = too_soon(site.requests, .06, lambda r: "address")
            bad += too_soon(site.requests, .3)
            assert not bad, (len(bad), bad[:3])
            # robots.txt, four pages and one that is not there, each once.
            assert len(site.requests) == 8 * 6, len(site.requests)
        assert seconds < 30, seconds # and it was no standstill
    finally:
        for site in sites:
            site.close()


def servers_that_are_overloaded_are_left_alone(winnow, folder):
    rng = random.Random(3)
    web = {"/%d" % i: text_page(rng, "x", ["/%d" % (i + 1)]) for i in range(5)}
    times = {"busy.test": 0, "later.test": 0}

    def answer(host, path, _headers):
        if path == "/robots.txt":
            return gone()
        if host == "slow.test":
            time.sleep(.25)
        if path == "/2" and times.get(host, 9) < 2:
            times[host] += 1
            if host == "busy.test":
                return 503, HTML, b"busy"
            when = time.strftime("%a, %d %b %Y %H:%M:%S GMT",
                                 time.gmtime(time.time() + 3))
            return 429, {"Retry-After": "2" if times[host] == 1 else when}, b"later"
        body = web.get(path)
        return (200, HTML, body) if body else gone()

    site = Server(answer)
    try:
        hosts = ("busy.test", "later.test", "slow.test")
        job = write_job(folder, {h: site.address for h in hosts},
                        ["http://%s/0" % h for h in hosts],
                        {"politeness": {"delay_ms": 50, "retry_ms": 1000,
                                        "response_factor": 4},
                         "limits": {"wait_seconds": 20}})
        crawl(winnow, folder, job)
        for h in hosts:
            assert "/4" in site.paths(h), site.paths(h)
        busy = [r for r in site.requests if r[0] == "busy.test"]
        gaps = [b[2] - a[3] for a, b in zip(busy, busy[1:]) if a[4] == 503]
        # 1 s and 2 s, each with a quarter of jitter.
        assert len(gaps) == 2 and .75 <= gaps[0] and 1.5 <= gaps[1], gaps
        later = [r for r in site.requests if r[0] == "later.test"]
        gaps = [b[2] - a[3] for a, b in zip(later, later[1:]) if a[4] == 429]
        assert len(gaps) == 2 and 2 <= gaps[0] and 2 <= gaps[1], gaps
        slow = [r for r in site.requests if r[0] == "slow.test"]
        bad = too_soon(slow[1:], 1.0) # 4 * 0.25 s
        assert not bad, bad
    finally:
        site.close()


def traps_do_not_hold_a_crawl(winnow, folder):
    rng = random.Random(4)
    good = {"/g%d" % i: text_page(rng, "g", ["/g%d" % (i + 1)]) for i in range(30)}

    def answer(host, path, _headers):
        if path == "/robots.txt":
            return gone()
        if path in good or path == "/":
            links = ["/g0", "/cal?month=1&year=2027", "/x/x/", "/s?PHPSESSID=%032x" % rng.getrandbits(128)]
            page = good.get(path) or text_page(rng, "start", links)
            return 200, HTML, page
        if path.startswith("/cal"): # a calendar without an end
            n = int(path.split("month=")[1].split("&")[0])
            return 200, HTML, text_page(rng, "cal", ["/cal?month=%d&year=2027" % (n + 1), "/g0"])
        if path.startswith("/x/"): # relative links that pile up
            return 200, HTML, text_page(rng, "x", [path + "x/", "/g0"])
        if path.startswith("/s?"): # a new session with each visit
            return 200, HTML, text_page(rng, "s", ["/s?PHPSESSID=%032x" % rng.getrandbits(128)])
        return gone()

    site = Server(answer)
    try:
        job = write_job(folder, {"a.test": site.address}, ["http://a.test/"],
                        {"politeness": {"delay_ms": 5},
                         # else, while a page is cleaned, what is queued goes first
                         "frontier": {"host_unreported_max": 0},
                         "limits": {"pages": 36}})
        crawl(winnow, folder, job)
        asked = site.paths("a.test")
        # the last leads to none that is there; without traps.lower one of the 36 is good
        assert len([p for p in asked if p.startswith("/g")]) == 31, asked
        assert len([p for p in asked if p.startswith("/s?")]) == 1, asked
        s = stat(winnow, folder)
        assert s["traps"]["calendar"] > 0, s
        why = frontier(winnow, folder, "--why", "http://a.test/cal?month=3&year=2027")
        assert "trap: calendar" in why, why
    finally:
        site.close()


def kept_pages_are_asked_again_whether_they_have_changed(winnow, folder):
    rng = random.Random(5)
    pages = {"/same": text_page(rng, "same", []), "/news": text_page(rng, "n1", [])}
    pages["/"] = text_page(rng, "start", ["/same", "/news"])
    second = text_page(rng, "n2", [])

    def answer(host, path, headers):
        if path not in pages:
            return gone()
        tag = '"%x"' % (hash(pages[path]) & 0xffffffff)
        if headers.get("If-None-Match") == tag:
            return 304, {"ETag": tag}, b""
        return 200, {"Content-Type": "text/html", "ETag": tag,
                     "Last-Modified": "Wed, 16 Jul 2025 18:20:30 GMT"}, pages[path]

    site = Server(answer)
    try:
        job = write_job(folder, {"a.test": site.address}, ["http://a.test/"],
                        {"recrawl": {"interval_seconds": 4, "interval_min_seconds": 2,
                                     "interval_max_seconds": 3600},
                         "limits": {"wait_seconds": 1}})
        said = crawl(winnow, folder, job)
        assert "nothing is left but pages to fetch again" in said, said
        first = len(site.requests)
        assert len(documents(folder, "crawl")) == 3
        pages["/news"] = second
        time.sleep(4)
        crawl(winnow, folder, job)
        again = site.requests[first:]
        status = {r[1]: r[4] for r in again if r[1] != "/robots.txt"}
        assert status == {"/": 304, "/same": 304, "/news": 200}, status
        for r in again:
            if r[1] != "/robots.txt":
                assert r[5]["If-Modified-Since"] == "Wed, 16 Jul 2025 18:20:30 GMT"
        urls = [d["url"] for d in documents(folder, "crawl")]
        assert sorted(urls) == ["http://a.test/", "http://a.test/news",
                                "http://a.test/news", "http://a.test/same"], urls
        s = stat(winnow, folder)
        assert s["revisits"] == 3 and s["unchanged"] == 2 and s["pages"] == 4, s
        assert s["kept"] == 4, s
        report = json.loads(subprocess.run(
            [winnow, "report", os.path.join(folder, "crawl"), "--json"],
            stdout=subprocess.PIPE, check=True).stdout)
        assert (report["kept"], report["fetched"], report["received_bytes"]) == (
            4, 4, s["fetched_bytes"]), (report, s)
    finally:
        site.close()


def a_sitemap_tells_which_page_has_changed(winnow, folder):
    rng = random.Random(8)
    pages = {p: text_page(rng, p, []) for p in ("/", "/one", "/two")}
    changed = {"/one": "2026-01-01", "/two": "2026-01-01"}

    def answer(host, path, headers):
        if path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, b"Sitemap: http://a.test/map.xml\n"
        body = pages.get(path)
        kind = "text/html"
        if path == "/map.xml":
            kind = "application/xml"
            body = ("<urlset>%s</urlset>" % "".join(
                "<url><loc>http://a.test%s</loc><lastmod>%s</lastmod></url>" % e
                for e in sorted(changed.items()))).encode()
        if body is None:
            return gone()
        tag = '"%x"' % (hash(body) & 0xffffffff)
        if headers.get("If-None-Match") == tag:
            return 304, {"ETag": tag}, b""
        return 200, {"Content-Type": kind, "ETag": tag}, body

    def asked_since(n):
        """The first answer to each path."""
        return {r[1]: r[4] for r in reversed(site.requests[n:]) if r[1] != "/robots.txt"}

    site = Server(answer)
    try:
        job = write_job(folder, {"a.test": site.address}, ["http://a.test/"],
                        {"recrawl": {"interval_seconds": 8, "interval_min_seconds": 1,
                                     "interval_max_seconds": 3600},
                         "limits": {"wait_seconds": 1}})
        crawl(winnow, folder, job)
        assert len(documents(folder, "crawl")) == 3
        first = len(site.requests)
        changed["/three"] = "2026-01-02" # the sitemap is another, no page is
        time.sleep(8)
        crawl(winnow, folder, job)
        assert asked_since(first) == {"/": 304, "/one": 304, "/two": 304, "/map.xml": 200,
                                      "/three": 404}, asked_since(first)
        # The sitemap is due after 4 seconds now, and the pages after 12.
        first = len(site.requests)
        pages["/two"] = text_page(rng, "new", [])
        changed["/two"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
        time.sleep(4)
        crawl(winnow, folder, job)
        assert asked_since(first) == {"/map.xml": 200, "/two": 200}, asked_since(first)
        assert stat(winnow, folder)["kept"] == 4
    finally:
        site.close()


def operators_pause_and_delete_while_a_crawl_runs(winnow, folder):
    rng = random.Random(6)
    hosts = ("a.test", "b.test")
    # No host is a copy of the other: that would be left for later.
    web = {(h, "/%d" % i): text_page(rng, "x", ["/%d" % j for j in range(i + 1, i + 4)] + [
        "/junk/%d" % i]) for i in range(40) for h in hosts}

    def answer(host, path, _headers):
        body = web.get((host, path)) or (
            text_page(rng, "j", []) if path.startswith("/junk") else None)
        return (200, HTML, body) if body else gone()

    site = Server(answer)
    job = write_job(folder, {h: site.address for h in hosts},
                    ["http://%s/0" % h for h in hosts],
                    {"politeness": {"delay_ms": 60}, "limits": {"wait_seconds": 4},
                     "frontier": {"sync": "none", "patience": 0, "scorer": "bfs"}})
    running = subprocess.Popen([winnow, "crawl", job, "--dir", os.path.join(folder, "crawl")],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=open(os.path.join(folder, "stderr"), "w"))
    try:
        until = time.time() + 20
        while len(site.requests) < 12 and time.time() < until:
            time.sleep(.05)
        out = frontier(winnow, folder, "--pause", "a.test", "--delete", "http://b.test/junk/*",
                       "--yes")
        assert "paused a.test: 1 hosts" in out, out
        mark = time.time() + .3 # what was out may still be asked
        time.sleep(1.5)
        late = [r for r in site.requests if r[2] > mark]
        assert late and all(r[0] == "b.test" for r in late), late
        assert not [r for r in late if r[1].startswith("/junk")], late
        assert "pause a.test" in frontier(winnow, folder, "--rules")
        out = frontier(winnow, folder, "--pause", "http://a.test/junk/*")
        assert "paused http://a.test/junk/*: " in out, out
        out = frontier(winnow, folder, "--resume", "a.test")
        assert "resumed a.test" in out, out
        code = running.wait(60)
        assert code == 0, code
        assert "/39" in site.paths("a.test") and "/39" in site.paths("b.test")
        junk = [r for r in site.requests if r[2] > mark and "junk" in r[1]]
        assert not junk, junk
        log = open(os.path.join(folder, "stderr")).read()
        for line in ("pause=a.test", "resume=a.test", "delete=http://b.test/junk/*"):
            assert line in log, (line, log[-2000:])
        assert stat(winnow, folder)["deleted"] >= 1
        assert "pause http://a.test/junk/*" in frontier(winnow, folder, "--stat")
        # Nobody works on it: the store itself is opened.
        out = frontier(winnow, folder, "--resume", "http://a.test/junk/*")
        now = stat(winnow, folder) # what was deleted is held, too
        assert "URLs" in out and now["held"] == now["deleted"], (out, now)
        out = frontier(winnow, folder, "--resume", "http://b.test/junk/*")
        assert "URLs" in out and stat(winnow, folder)["held"] == 0, out
        assert frontier(winnow, folder, "--rules") == ""
        bad = too_soon(site.requests, .06)
        assert not bad, bad
    finally:
        if running.poll() is None:
            running.kill()
            running.wait()
        site.close()


CASES = [sitemaps_bring_pages_that_nobody_links_to,
         languages_that_a_sitemap_tells_decide,
         languages_that_a_head_tells_are_followed,
         hosts_on_one_address_are_asked_in_turns,
         servers_that_are_overloaded_are_left_alone,
         traps_do_not_hold_a_crawl,
         kept_pages_are_asked_again_whether_they_have_changed,
         a_sitemap_tells_which_page_has_changed,
         operators_pause_and_delete_while_a_crawl_runs]


if __name__ == "__main__":
    sys.exit(checks.run_apart(CASES, "schedule", os.path.abspath(sys.argv[1])))
