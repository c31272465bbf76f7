"""mazes.py -- what hosts send in place of pages: text without end, challenges,
consent walls, paywalls, block pages.

usage: mazes.py WINNOW [CASE...]
Real crawls on loopback.  Standard library only.
"""
import hashlib
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(__file__))
import checks  # noqa: E402
from crawl_run import documents  # noqa: E402
from made_web import paragraph  # noqa: E402
from schedule import (HTML, crawl, frontier, gone, stat, text_page,  # noqa: E402
                      write_job)
from web_server import Server  # noqa: E402

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "cases", "interstitial")
MAZE_PAGES, HOSTS, PAGES = 10 ** 6, 20, 50


def log_lines(folder):
    with open(os.path.join(folder, "crawl", "log", "crawl.jsonl")) as f:
        return [json.loads(line) for line in f]


class Markov:
    """Babble of a second-order chain: the same page for the same seed."""

    def __init__(self, words):
        self.words, self.next = words, {}
        for a, b, c in zip(words, words[1:], words[2:]):
            self.next.setdefault((a, b), []).append(c)
        self.pairs = list(self.next)

    def text(self, rng, n):
        out = list(rng.choice(self.pairs))
        while len(out) < n:
            follow = self.next.get(tuple(out[-2:]))
            out.extend([rng.choice(follow)] if follow else rng.choice(self.pairs))
        return " ".join(out)


def maze_page(chain, path):
    """As tarpits serve them: babble, and links to pages nobody has asked for."""
    rng = random.Random(hashlib.md5(path.encode()).digest())
    links = "".join('<a href="/maze/%d">%s</a> ' % (
        rng.randrange(MAZE_PAGES), rng.choice(chain.words)) for _ in range(8))
    return ("<!doctype html><html lang=nl><head><meta charset=utf-8><title>%s</title>"
            "</head><body>%s<p>%s</p></body></html>" % (
                chain.text(rng, 3), "".join("<p>%s</p>" % chain.text(rng, 80)
                                            for _ in range(4)), links)).encode()


def real_pages(rng):
    """Sites as they are: a navigation on every page, a listing, articles."""
    nav = ["/", "/1", "/2", "/3", "/4"]
    return {"/%s" % (i or ""): text_page(rng, "p%d" % i, nav + [
        "/%d" % j for j in (3 * i + 1, 3 * i + 2, 3 * i + 3) if j < PAGES])
            for i in range(PAGES)}


def a_maze_takes_less_than_two_percent(winnow, folder, scorer):
    rng = random.Random(7)
    chain = Markov(" ".join(paragraph(rng) for _ in range(120)).split())
    web = {"h%02d.test" % i: real_pages(rng) for i in range(HOSTS)}

    def answer(host, path, _headers):
        if path == "/robots.txt":
            return gone()
        if host == "maze.test":
            return 200, HTML, maze_page(chain, path)
        body = web[host].get(path)
        return (200, HTML, body) if body else gone()

    site = Server(answer)
    try:
        hosts = sorted(web) + ["maze.test"]
        job = write_job(folder, {h: site.address for h in hosts},
                        ["http://%s/" % h for h in hosts],
                        {"politeness": {"delay_ms": 5, "response_factor": 0},
                         "limits": {"wait_seconds": 2},
                         "frontier": {"sync": "none", "scorer": scorer}})
        out = crawl(winnow, folder, job)
        real = sum(len([p for p in site.paths(h) if p != "/robots.txt"]) for h in web)
        maze = len([p for p in site.paths("maze.test") if p != "/robots.txt"])
        print("     %s: %d pages of %d hosts, %d of the maze" % (scorer, real, HOSTS, maze))
        assert real == HOSTS * PAGES, real
        assert 0 < maze < .02 * (real + maze), maze
        assert "host=maze.test its last" in out, out[-2000:]
        assert "asked rarely" in frontier(winnow, folder, "--why", "http://maze.test/")
        assert "asked rarely" not in frontier(winnow, folder, "--why", "http://h00.test/")
        kept = stat(winnow, folder)["kept"]
        assert kept >= HOSTS * PAGES, kept
    finally:
        site.close()


def a_maze_with_steering(winnow, folder):
    a_maze_takes_less_than_two_percent(winnow, folder, "learned")


def a_maze_without_steering(winnow, folder):
    a_maze_takes_less_than_two_percent(winnow, folder, "bfs")


def example(name):
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as f:
        wanted, status = f.readline().strip(), f.readline().split()[1]
        headers = {}
        for line in iter(f.readline, "\n"):
            key, value = line.split(":", 1)
            headers[key] = value.strip()
        return wanted, int(status), headers, f.read().encode()


def pages_in_place_of_others_are_no_documents(winnow, folder):
    rng = random.Random(8)
    examples = {name.lower() + ".test": example(name) for name in os.listdir(EXAMPLES)
                if not name.startswith("none-")}
    good = {"/": text_page(rng, "good", ["/1", "/2"]), "/1": text_page(rng, "1", []),
            "/2": text_page(rng, "2", [])}

    def answer(host, path, _headers):
        if path == "/robots.txt":
            return gone()
        if host in examples:
            return examples[host][1:]
        return (200, HTML, good[path]) if path in good else gone()

    site = Server(answer)
    try:
        hosts = sorted(examples) + ["good.test"]
        job = write_job(folder, {h: site.address for h in hosts},
                        ["http://good.test/"] + ["http://%s/%d" % (h, i) for h in examples
                                                 for i in range(3)],
                        {"politeness": {"delay_ms": 5}, "limits": {"wait_seconds": 1},
                         "output": {"keep_rejected": "on"}})
        crawl(winnow, folder, job)
        lines = [line for line in log_lines(folder) if line["kind"] == "page"]
        for host, (wanted, status, headers, _body) in examples.items():
            got = [line for line in lines if line["host"] == host]
            assert all(line["verdict"] == wanted and line["outcome"] == "FAILED" and
                       line["kept_bytes"] == 0 and line["status"] == status
                       for line in got), (host, got)
            # A paywall is the page's at first; the others are the host's.
            assert len(got) == (2 if wanted == "paywall" else 1), (host, got)
            if "crawler-price" in headers:
                assert got[0]["price"] == headers["crawler-price"], got
        assert {d["url"] for d in documents(folder, "crawl")} == {
            "http://good.test" + path for path in good}
        assert stat(winnow, folder)["kept"] == 3
    finally:
        site.close()


CASES = [a_maze_with_steering, a_maze_without_steering,
         pages_in_place_of_others_are_no_documents]


if __name__ == "__main__":
    sys.exit(checks.run_apart(CASES, "mazes", os.path.abspath(sys.argv[1])))
