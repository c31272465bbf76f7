#!/usr/bin/env python3
"""`winnow try` as its users see it: files, standard input, archives, a job.

usage: try.py WINNOW

What it says of a page is what `winnow clean` says; what it says of links is what
the frontier of a crawl says that has fetched this page; colours are for terminals
and NO_COLOR; bytes of a page cannot steer the terminal.
"""
import gzip
import json
import os
import pty
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
CASES = os.path.abspath("tests/cases/clean")
PAGE = CASES + "/nl-article.html"
URL = "http://www.molen.nl/nieuws/a.html"
SCORERS = ["bfs", "random", "walk", "badness", "block", "paper", "host", "learned"]
FRESH = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR",)}


def run(*args, stdin=b"", code=0, env=None):
    p = subprocess.run([WINNOW, *args], input=stdin, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False, cwd="/",
                       env=dict(FRESH, **(env or {})))
    check(p.returncode == code, "%s: exit %d: %s" % (
        " ".join(args), p.returncode, p.stderr.decode()[-600:]))
    return p.stdout.decode(), p.stderr.decode()


def on_a_terminal(*args, env=None):
    """What is written when standard output is a terminal."""
    env = {**FRESH, "TERM": "xterm", **(env or {})}
    pid, fd = pty.fork()
    if pid == 0:
        try:
            os.execve(WINNOW, [WINNOW, *args], env)
        finally:
            os._exit(127)
    out = b""
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(fd)
    os.waitpid(pid, 0)
    return out.decode()


def says_what_clean_says():
    for name in sorted(os.listdir(CASES)):
        if not name.endswith(".html"):
            continue
        page = json.loads(run("try", "--json", "--url", URL, f"{CASES}/{name}")[0])
        row = json.loads(run("clean", "--all", "--format", "jsonl", "--url", URL,
                             f"{CASES}/{name}")[0])
        for key in ("language", "badness", "badness_best", "chars", "tokens", "text",
                    "charset", "id"):
            check(page[key] == row[key], f"{name}: {key}: {page[key]} {row[key]}")
        check(page["verdict"] == (row["reject"] or "kept"), f"{name}: {page['verdict']}")
        kept = "".join(b["text"] + "\n" for b in page["blocks"] if b["kept"])
        check(kept == page["text"] and len(page["blocks"]) == row["blocks_all"],
              f"{name}: blocks")
        first = [c["verdict"] for c in page["checks"] if not c["met"]]
        check(page["verdict"] in ("noindex", "charset") or
              page["verdict"] == (first[0] if first else "kept"),
              f"{name}: {page['verdict']} but {first}")
    with open(PAGE, "rb") as f:
        again = json.loads(run("try", "--json", "--url", URL, "-", stdin=f.read())[0])
    check(again["verdict"] == "kept" and len(again["links"]) > 5, "standard input")


def the_reason_has_its_value_and_limit():
    out, _ = run("try", "--set", "clean.chars_min=1000", "--url", URL, PAGE)
    check(re.search(r"^rejected: short - ", out, re.M), out[:400])
    check(re.search(r"^  NO characters of text +713 +at least +1,000 +clean.chars_min$",
                    out, re.M), "value and limit:\n" + out[:900])
    check(re.search(r"^ +6 +0\.\d\d \+ p +De molen aan de rand", out, re.M), "a block")
    out, _ = run("try", "-l", "de", PAGE)
    check("rejected: language" in out and "fits nl better" in out and
          "--url URL says" in out, out[:900])


def a_page_without_a_url_has_links(folder):
    page = folder + "/plain.html"
    with open(page, "w", encoding="utf-8") as f:
        f.write("<!doctype html><title>t</title><p>Een molen. <a href=http://b.example/x>b</a>"
                "<a href=y>c</a>")
    for given in ([page], ["-"]):
        with open(page, "rb") as f:
            row = json.loads(run("try", "--json", *given, stdin=f.read())[0])
        check([l["url"] for l in row["links"]][:1] == ["http://b.example/x"] and
              row["links"][0]["priority"]["learned"] > 0, f"{given}: {row['links']}")


def metadata_has_its_sources(folder):
    page = folder + "/meta.html"
    with open(page, "w", encoding="utf-8") as f:
        f.write('<title>De molen - Dorpsblad</title><meta property=og:title content="De '
                'molen"><script type="application/ld+json">{"@type":"NewsArticle",'
                '"headline":"De molen","datePublished":"2024-03-17"}</script><h1>De molen'
                "</h1>" + "<p>De molen aan de rand van het dorp draait weer.</p>" * 20)
    out, _ = run("try", page)
    check(re.search(r"^  title +De molen  \(json-ld, open-graph, .*; [01]\.\d\d\)$", out,
                    re.M), out[:1500])
    known = json.loads(run("try", "--json", page)[0])["meta"]["candidates"]
    check(any(c["field"] == "date" and c["value"] == "2024-03-17" and "json-ld" in c["sources"]
              for c in known), f"{known}")


def every_scorer_is_asked():
    page = json.loads(run("try", "--json", "--url", URL, PAGE)[0])
    followed = [l for l in page["links"] if l["followed"]]
    check(len(followed) == 8, f"{len(followed)} links")
    for link in followed:
        check(list(link["priority"]) == SCORERS and all(
            p is not None and 0 <= p <= 1 for p in link["priority"].values()),
              f"{link['priority']}")
        check("in logits" in link["why"]["learned"] and
              "badness" in link["why"]["paper"], f"{link['why']}")
    paper = {l["url"]: (l["value"], l["priority"]["paper"]) for l in followed}
    best = max(paper.values())
    check(all(p <= best[1] or v < best[0] for v, p in paper.values()) and
          len({p for _, p in paper.values()}) > 1, f"paper: {paper}")
    out, _ = run("try", "--url", URL, "--links", "2", "--why", "0", PAGE)
    check("... and 6 more" in out and "in logits" not in out, "--links 2 --why 0")


def links_are_as_they_would_be_asked_for(folder):
    page = os.path.join(folder, "respelled.html")
    with open(page, "w") as f:
        f.write("<link rel=canonical href='/whole'><p>" + "De molen aan de rand van het dorp. " * 20 +
                "<a href='/login?next=/a'>in</a> <a href='/f/?C=N;O=D'>name</a> "
                "<a href='/f/?C=S;O=A'>size</a> <a href='/b'>b</a>")
    links = json.loads(run("try", "--json", "--url", "http://a.example/a", page)[0])["links"]
    asked = [l["url"] for l in links if l["followed"]]
    check(sorted(asked) == ["http://a.example/" + u for u in ("b", "f/", "login", "whole")],
          f"{links}")


def archives_have_numbered_pages(folder):
    archive = folder + "/two.warc.gz"
    with open(archive, "wb") as f:
        # What a crawl archives begins with a robots.txt, which is no page.
        for n, (name, head) in enumerate((
                ("nl-article.html", b"404 Not Found\r\nContent-Type: text/html"),
                ("robots.txt", b"200 OK\r\nContent-Type: text/plain"),
                ("nl-article.html", b"200 OK\r\nContent-Type: text/html"),
                ("nl-menu.html", b"200 OK\r\nContent-Type: text/html"))):
            body = b"HTTP/1.1 " + head + b"\r\n\r\nUser-agent: *\n"
            if name.endswith(".html"):
                with open(f"{CASES}/{name}", "rb") as page:
                    body = b"HTTP/1.1 " + head + b"\r\n\r\n" + page.read()
            f.write(gzip.compress(
                b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d"
                b"\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http"
                b"\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000%d>"
                b"\r\nContent-Length: %d\r\n\r\n" % (n, n, len(body)) + body + b"\r\n\r\n"))
    first = json.loads(run("try", "--json", archive)[0])
    check(first["url"] == "http://a.example/2", f"page 1: {first['url']}")
    second = json.loads(run("try", "--json", "--page", "2", archive)[0])
    check(second["url"] == "http://a.example/3" and second["status"] == 200 and
          second["id"].endswith("3"), f"page 2: {second['url']}")
    _, err = run("try", "--page", "3", archive, code=1)
    check("there is no page 3, it has 2" in err, err)
    third = json.loads(run("try", "--json", "--url", "HTTP://a.example:80/3", archive)[0])
    check(third["id"] == second["id"] and third["url"] == second["url"], "--url: %s" % third["url"])
    _, err = run("try", "--url", "http://a.example/0", archive, code=1)
    check("there is no page 1 of http://a.example/0, it has 0" in err, err)


def a_page_far_behind_in_an_archive_costs_no_memory(folder):
    archive, pages, size = folder + "/large.warc.gz", 200, 2 << 20
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>".ljust(size, b"a")
    page = gzip.compress(
        b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
        b"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body) + body + b"\r\n\r\n")
    with open(archive, "wb") as f:
        f.write(page * pages)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    _, err = run("try", "--url", "http://b.example/", archive, code=1)
    more = (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before) * 1024
    check("it has 0" in err and more < pages * size * 3 / 4, f"{more >> 20} MiB {err}")


def what_is_not_there_is_said(_folder):
    _, err = run("try", "www.a.example", code=1)
    check("www.a.example: No such file" in err and "begins with https://" in err, err)


def a_job_judges_as_it_would(folder):
    with open(folder + "/job.ini", "w", encoding="ascii") as f:
        f.write("[clean]\nlanguage = nl\nbadness_max = 0.000001\n"
                "[scope]\nhosts = www.molen.nl\nsave = /never/\n[limits]\nhost_pages = 5\n")
    for args in (["-j", folder + "/job.ini"], [folder + "/job.ini"]):
        page = json.loads(run("try", *args, "--json", "--url", URL, PAGE)[0])
        check(page["verdict"] in ("badness", "not_saved") and
              not page["language_found"], f"{page['verdict']}")
        check(all(not l["followed"] for l in page["links"]
                  if "molen.nl" not in l["url"]), "links out of scope")


def a_page_hears_the_name_of_the_job(folder):
    """Of two names that a job gives itself, the one for robots.txt counts."""
    page = folder + "/named.html"
    with open(page, "w", encoding="ascii") as f:
        f.write("<meta name=elsebot content=noindex><p>Een molen aan de rand van het dorp.")
    for name, want in (("elsebot", "noindex"), ("otherbot", "kept")):
        out, _ = run("try", "--json", "--set", "politeness.robots_agent=" + name,
                     "--set", "clean.chars_min=1", "--set", "clean.badness_max=1000", page)
        check(json.loads(out)["verdict"] == want, name + ": " + json.loads(out)["verdict"])


def colours_are_for_terminals():
    args = ("try", "--url", URL, PAGE)
    check("\033[" not in run(*args)[0], "colours into a pipe")
    check("\033[32m" in on_a_terminal(*args), "no colours on a terminal")
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        check("\033[" not in on_a_terminal(*args, env=env), f"colours with {env}")
    check("\033[32m" in on_a_terminal(*args, env={"NO_COLOR": ""}),
          "an empty NO_COLOR is none")


def pages_do_not_steer_the_terminal(folder):
    nasty = folder + "/nasty.html"
    with open(nasty, "w", encoding="utf-8") as f:
        f.write("<title>a\x1b]0;owned\x07b\u202ec</title><p>x&#27;[2J\x9b31m y\u2066z\u061c</p>"
                "<a href='/\x1b[31m'>l\x1b[5mi</a>" + "woord " * 200)
    out = on_a_terminal("try", "--url", "http://a.example/", nasty,
                        env={"NO_COLOR": "1"})
    check(not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u202e\u2066]", out),
          "control characters: %r" % re.findall(".?[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
                                                "\u061c\u202e\u2066].?", out)[:5])
    check("\ufffd" in out, "what stands for them")


def faults_are_said(folder):
    for args, code, what in (
            ((), 2, "which page?"), ((PAGE, PAGE), 2, "one page"),
            ((folder + "/none.html",), 1, "none.html"),
            (("--url", "ftp://a/", PAGE), 2, "not an http"),
            (("--links", "x", PAGE), 2, "a number or all"),
            (("-l", "qq", PAGE), 2, "qq")):
        _, err = run("try", *args, code=code)
        check(what in err, f"{args}: {err}")
    left = [n for n in os.listdir(folder + "/tmp")]
    check(left == [], f"left behind: {left}")


def readme_shows_what_it_prints():
    with open("README.md", encoding="utf-8") as f:
        shown = f.read().split("```\n$ winnow try ")[1].split("\n```")[0].splitlines()
    page, want = shown[0], [line for line in shown[1:] if line != "  ..."]
    printed = run("try", os.path.abspath(page))[0].splitlines()
    lost = [line for line in want if line not in printed]
    check(len(want) > 15 and not lost, "README shows lines that are not printed: %s" % lost)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/tmp")
        FRESH["TMPDIR"] = folder + "/tmp"
        readme_shows_what_it_prints()
        says_what_clean_says()
        the_reason_has_its_value_and_limit()
        a_page_without_a_url_has_links(folder)
        metadata_has_its_sources(folder)
        every_scorer_is_asked()
        links_are_as_they_would_be_asked_for(folder)
        archives_have_numbered_pages(folder)
        a_page_far_behind_in_an_archive_costs_no_memory(folder)
        what_is_not_there_is_said(folder)
        a_job_judges_as_it_would(folder)
        a_page_hears_the_name_of_the_job(folder)
        colours_are_for_terminals()
        pages_do_not_steer_the_terminal(folder)
        faults_are_said(folder)
    print("FAIL" if checks.failed else "ok  ", "winnow try")
    return checks.failed != 0


sys.exit(main())
