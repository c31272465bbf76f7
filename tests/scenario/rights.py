#!/usr/bin/env python3
"""rights.py -- what hosts reserve in /.well-known/tdmrep.json: asked for once a host,
behind robots.txt and with its delay, recorded with each document, and obeyed where
clean.rights says so; where it does not, nobody is asked.

usage: rights.py WINNOW
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402
from web_server import too_soon  # noqa: E402

FILE, DELAY_S, PAGES = "/.well-known/tdmrep.json", .1, 5
RULES = json.dumps([{"location": "/1.html", "tdm-reservation": 0},
                    {"location": "/*.html$", "tdm-reservation": 1,
                     "tdm-policy": "https://rights.test/policy.json"}]).encode()
HAS, MOVED, FORBIDS, BROKEN, HAS_NONE = ("h%02d.scenario.test" % i for i in range(5))


class Sites(Site):
    """HAS has the file, MOVED sends to another path, FORBIDS has it behind a
    rule of robots.txt, BROKEN answers 500, HAS_NONE 404."""

    def answer(self, host, path, headers):
        if path == FILE or path == "/rules":
            return {HAS: (200, {}, RULES), FORBIDS: (200, {}, RULES),
                    MOVED: (200, {}, RULES) if path == "/rules" else
                           (302, {"Location": "/rules"}, b""),
                    BROKEN: (500, {}, b"")}.get(host, (404, {}, b""))
        if path == "/robots.txt" and host == FORBIDS:
            return 200, {"Content-Type": "text/plain"}, \
                b"User-agent: *\nDisallow: /.well-known/\n"
        return super().answer(host, path, headers)


def crawl(winnow, folder, purpose):
    """(documents by host and path, the sites)"""
    sites = Sites(make_pages(5, PAGES, 3), 0)
    out = os.path.join(folder, purpose)
    sites.write_hosts(os.path.join(folder, "hosts"))
    with open(os.path.join(folder, "job.ini"), "w", encoding="utf-8") as f:
        f.write("[seeds]\nurl = %s\n[limits]\nwait_seconds = 5\n[clean]\nrights = %s\n"
                "badness_max = 1000\nchars_min = 10\n[politeness]\ndelay_ms = %d\n"
                "retries = 1\nretry_ms = 200\n[dedup]\nnear = 0\n[output]\n"
                "format = jsonl\ndisk_free_mib = 0\n[fetch]\nhosts_file = hosts\n"
                % (" ".join("http://%s/0.html" % h for h in sorted(sites.web)),
                   purpose, 1000 * DELAY_S))
    p = subprocess.run([winnow, "crawl", os.path.join(folder, "job.ini"), "--dir", out,
                        "--quiet"], stderr=subprocess.PIPE, text=True, timeout=120)
    check(p.returncode == 0, "%s: exit %d: %s" % (purpose, p.returncode, p.stderr[-500:]))
    sites.close()
    found = {}
    for d in documents(out):
        host, path = d["url"][len("http://"):].split("/", 1)
        found[host, "/" + path] = d
    return found, sites


def obeyed(winnow, folder):
    found, sites = crawl(winnow, folder, "training")
    for host in sites.web:
        paths = sites.paths(host)
        kept = sorted(p for h, p in found if h == host)
        check(paths[0] == "/robots.txt" and paths.count("/robots.txt") == 1,
              "%s was asked for %s" % (host, paths))
        check(paths.count(FILE) == {FORBIDS: 0, BROKEN: 2}.get(host, 1),
              "%s was asked for %s" % (host, paths))
        if host != FORBIDS:
            check(paths[1] == FILE, "%s: a page came first: %s" % (host, paths))
        check(kept == (["/1.html"] if host in (HAS, MOVED) else
                       ["/%d.html" % i for i in range(PAGES)]),
              "%s: kept %s" % (host, kept))
    check(not too_soon(sites.requests, DELAY_S), too_soon(sites.requests, DELAY_S))
    of = found.get((HAS, "/1.html"), {})
    check(of.get("rights") == "tdm=y ai-input=n search=y" and
          "tdmrep.json tdm-reservation: 0" in of.get("rights_signals", ""),
          "rights of a page that is free: %s, %s" % (of.get("rights"),
                                                     of.get("rights_signals")))


def not_asked_for(winnow, folder):
    found, sites = crawl(winnow, folder, "research")
    check(not any(r[1] == FILE for r in sites.requests), "tdmrep.json was asked for")
    check(len(found) == 5 * PAGES, "%d documents" % len(found))


def main():
    folder = tempfile.mkdtemp(prefix="winnow-rights-")
    try:
        obeyed(sys.argv[1], folder)
        not_asked_for(sys.argv[1], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
