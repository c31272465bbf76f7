#!/usr/bin/env python3
"""told.py -- what a crawl tells of what it could not have: where redirects lead,
which sitemaps are lost, and how much there was; and rules that stand on another host.

usage: told.py WINNOW
On loopback.  Standard library only.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
from crawl_run import documents  # noqa: E402
from made_web import make_pages  # noqa: E402
from web_server import Server  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
HTML = {"Content-Type": "text/html"}


class Crawl:
    """Of `seeds` in a folder of its own: what was said and logged.  `settings`
    as --set takes them."""

    def __init__(self, folder, answer, hosts, seeds, *settings):
        self.server = Server(answer)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "hosts"), "w") as f:
            f.writelines("%s %s\n" % (h, self.server.address) for h in hosts)
        self.dir = os.path.join(folder, "crawl")
        args = [WINNOW, "crawl", "--dir", self.dir, "--quiet"]
        for s in ("seeds.url=" + " ".join(seeds), "clean.badness_max=1000",
                  "clean.chars_min=10", "dedup.near=0", "output.format=jsonl",
                  "output.disk_free_mib=0", "politeness.delay_ms=0",
                  "politeness.retry_ms=50", "limits.wait_seconds=5",
                  "fetch.hosts_file=" + os.path.join(folder, "hosts"), *settings):
            args += ["--set", s]
        p = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True, timeout=120)
        self.server.close()
        self.said = p.stderr
        check(p.returncode == 0, "exit status %d\n%s" % (p.returncode, self.said[-2000:]))
        with open(os.path.join(self.dir, "log", "crawl.jsonl"), encoding="utf-8") as f:
            self.lines = [json.loads(line) for line in f]

    def of(self, url):
        """(outcome, verdict, detail) of the last line of a URL."""
        found = [e for e in self.lines if e["url"] == url]
        return tuple(found[-1].get(k, "") for k in ("outcome", "verdict", "detail")) \
            if found else ()


def where_redirects_lead(folder):
    page = make_pages(1, 1, 4)["h00.scenario.test"]["/0.html"]
    to = {"/": "/next", "/next": "/login?back=/next", "/login?back=/next": "/next",
          "/out": "http://elsewhere.test/x", "/self": "/self"}

    def answer(_host, path, _headers):
        if path in to:
            return 302, {"Location": to[path]}, b""
        return (404, {}, b"") if path == "/robots.txt" else (200, HTML, page)

    c = Crawl(folder, answer, ["a.test"],
              ["http://a.test" + p for p in ("/", "/out", "/self", "/page")],
              "scope.hosts=a.test")
    for path, want in (
            ("/", ("REDIRECT", "redirect", "to http://a.test/next")),
            ("/login?back=/next", ("REDIRECT", "redirect", "to http://a.test/next")),
            ("/out", ("FAILED", "redirect_out_of_scope", "to http://elsewhere.test/x")),
            ("/self", ("FAILED", "redirect_to_itself", "")),
            ("/page", ("FETCHED", "kept", ""))):
        got = c.of("http://a.test" + path)
        check(got == want, "%s: %s, not %s" % (path, got, want))


def rules_that_stand_out_of_scope(folder):
    page = make_pages(1, 1, 4)["h00.scenario.test"]["/0.html"]

    def answer(host, path, _headers):
        if host == "a.test" and path == "/robots.txt":
            return 301, {"Location": "http://rules.test/robots.txt"}, b""
        if path == "/robots.txt":
            return 200, {}, b"User-agent: *\nDisallow: /secret\n"
        return 200, HTML, page

    c = Crawl(folder, answer, ["a.test", "rules.test"],
              ["http://a.test/secret", "http://a.test/open"], "scope.hosts=a.test")
    asked = c.server.paths("a.test")
    check("/secret" not in asked and "/open" in asked, "asked: %s" % asked)
    check(c.server.paths("rules.test") == ["/robots.txt"],
          "of the other: %s" % c.server.paths("rules.test"))
    check(c.of("http://a.test/secret")[:2] == ("DISALLOWED", "disallowed"),
          "%s" % (c.of("http://a.test/secret"),))


def figures_are_those_of_the_report(folder):
    """What the crawl says at its end, winnow report, and the files of the corpus."""
    pages = make_pages(1, 6, 4)["h00.scenario.test"]
    seeds = ["http://a.test" + p for p in (*sorted(pages), "/old", "/gone", "/bad", "/secret")]

    def answer(host, path, _headers):
        if path == "/robots.txt" and host == "a.test":
            return 301, {"Location": "http://www.test/robots.txt"}, b""
        if path == "/robots.txt":
            return 200, {}, b"User-agent: *\nDisallow: /secret\nSitemap: /moved.xml\n"
        if path == "/moved.xml":
            return 302, {"Location": "http://a.test/s.xml"}, b""
        if path == "/s.xml":
            return 200, {}, b"<urlset><url><loc>http://a.test/0.html</loc></url></urlset>"
        if path == "/old":
            return 302, {"Location": "/0.html"}, b""
        if path == "/bad":
            return 500, {}, b""
        return (200, HTML, pages[path]) if path in pages else (404, HTML, b"")

    c = Crawl(folder, answer, ["a.test", "www.test"], seeds, "frontier.scorer=bfs")
    end = [line for line in c.said.splitlines() if " crawl: fetched=" in line][-1]
    said = dict(word.split("=", 1) for word in end.split() if "=" in word)
    p = subprocess.run([WINNOW, "report", c.dir, "--json"], capture_output=True, text=True)
    report = json.loads(p.stdout)
    for key in "fetched", "kept", "errors", "redirects", "robots", "disallowed":
        check(int(said[key]) == report[key], "%s: the crawl says %s, the report %s" % (
            key, said[key], report[key]))
    kept = sorted(d["url"] for d in documents(c.dir))
    check(len(kept) == report["kept"] == len(pages) and
          kept == sorted(e["url"] for e in c.lines if e["verdict"] == "kept"),
          "kept: %s of %d" % (kept, report["kept"]))
    check(report["redirects"] == 2 and report["retries"] == 2, "report: %s" % report)


def which_sitemaps_are_lost(folder):
    page = make_pages(1, 1, 4)["h00.scenario.test"]["/0.html"]
    names = ("good", "gone", "broken", "page")

    def answer(_host, path, _headers):
        if path == "/robots.txt":
            return 200, {}, "".join("Sitemap: http://a.test/%s.xml\n" % n
                                    for n in names).encode()
        if path == "/good.xml":
            return 200, {}, (b"<urlset><url><loc>http://a.test/1</loc></url>"
                             b"<url><loc>http://b.test/1</loc></url></urlset>")
        if path == "/gone.xml":
            return 404, {}, b""
        if path == "/broken.xml":
            return 500, {}, b""
        return 200, HTML, page

    c = Crawl(folder, answer, ["a.test"], ["http://a.test/"])
    for name, words in (("gone", "cannot be had: http_404"),
                        ("broken", "cannot be had: http_500")):
        lines = [line for line in c.said.splitlines()
                 if "sitemap=http://a.test/%s.xml " % name in line]
        check(len(lines) == 1 and words in lines[0], "%s: %s" % (name, lines))
    check("sitemap=http://a.test/good.xml of=a.test refused=1 of 2: of other hosts" in c.said,
          "what is refused of a sitemap: " + c.said)
    for name in "good", "page":
        check("sitemap=http://a.test/%s.xml cannot" % name not in c.said, c.said)


def main():
    return checks.run_apart([where_redirects_lead, rules_that_stand_out_of_scope,
                             figures_are_those_of_the_report, which_sitemaps_are_lost], "told")


if __name__ == "__main__":
    sys.exit(main())
