#!/usr/bin/env python3
"""job.py -- a crawl folder knows its job.

Resumed: a crawl goes on with --dir alone, as its job file said: same hosts, same
limits, same name to the servers.
Mixed: another language is refused before anything is fetched, and says what to do;
with --change it is done and recorded; report and corpus say what they are made of.
Shared: crawlers of one dedup service have one job, or are told; its corpus says which.
Heeded, narrow: other crawlers' rules in robots.txt; bytes a second.
Deleted: --delete shows what it meets, wants --yes, and is taken back by --resume.
Told: failures by reason and why nothing was kept, in the closing lines and the report.

usage: job.py WINNOW
Real crawls of a made-up web on loopback.  Standard library only.
"""
import base64
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crawl_run import documents  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
AGENT = "jobtest/1.0 (+https://example.org/bot)"
PATIENT = ["--set", "limits.pages=0", "--set", "limits.wait_seconds=30"]  # to the end, also on a busy machine


def check(good, what, said=""):
    if not good:
        raise AssertionError("%s\n%s" % (what, said[-3000:]))


def run(*args, stdin=""):
    try:
        p = subprocess.run([WINNOW, *args], input=stdin, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=60)
    except subprocess.TimeoutExpired as e:
        raise AssertionError("winnow %s does not end" % " ".join(args)) from e
    return p.returncode, p.stdout, p.stderr


class Answering(Site):
    """A site that may become another."""

    def answer_as(self, answer):
        self.other = answer

    def answer(self, host, path, headers):
        other = getattr(self, "other", super().answer)
        return other(host, path, headers)


class Job:
    """A crawl of h00 of two hosts that link to each other."""

    def __init__(self, base, name):
        self.folder = os.path.join(base, name)
        self.dir = os.path.join(self.folder, "crawl")
        os.makedirs(self.folder)
        self.site = Answering(make_pages(2, 12, 6), latency=0)
        self.site.write_hosts(os.path.join(self.folder, "hosts"))
        self.file = os.path.join(self.folder, "job.ini")
        with open(self.file, "w") as f:
            f.write("[seeds]\nurl = http://h00.scenario.test/0.html\n"
                    "[scope]\nhosts = h00.scenario.test\n"
                    "[limits]\npages = 4\nwait_seconds = 2\n"
                    "[politeness]\ndelay_ms = 0\n"
                    "[clean]\nlanguage = nl\nbadness_max = 1000\nchars_min = 10\n"
                    "[dedup]\nnear = 0\n[output]\nformat = jsonl\n"
                    "disk_free_mib = 0\n"
                    "[fetch]\nhosts_file = hosts\nuser_agent = \"%s\"\n" % AGENT)

    def crawl(self, *args, code=0):
        got, _, said = run("crawl", *args, "--quiet")
        check(got == code, "winnow crawl %s: %s" % (" ".join(args), got), said)
        return said

    def urls(self):
        return [d["url"] for d in documents(self.dir)]


def resumed(j):
    j.crawl(j.file, "--dir", j.dir)
    check(len(j.urls()) == 4, "%d documents of 4" % len(j.urls()))
    said = j.crawl("--dir", j.dir)
    check(len(j.urls()) == 4, "limits.pages is forgotten", said)
    os.rename(j.file, j.file + ".away")
    said = j.crawl("--dir", j.dir, "--set", "limits.pages=0")
    check("limits.pages: 4 -> 0" in said, "the difference is not said", said)
    hosts = {u.split("/")[2] for u in j.urls()}
    check(len(j.urls()) == 12 and hosts == {"h00.scenario.test"},
          "wanted 12 documents of one host: %s" % j.urls(), said)
    agents = {r[5].get("User-Agent") for r in j.site.requests}
    check(agents == {AGENT}, "who asked: %s" % agents)


def wide(j):
    """Without a scope every link is followed, which is said once, at the start."""
    widely = ["--set", "scope.hosts=", "--set", "limits.pages=1"]
    said = j.crawl(j.file, "--dir", j.dir, *widely)
    check("scope: every host" in said, "it is not said", said)
    said = j.crawl("--dir", j.dir, "--set", "limits.pages=2")
    check("scope: every host" not in said, "it is said again", said)


def mixed(j):
    j.crawl(j.file, "--dir", j.dir)
    asked = len(j.site.requests)
    said = j.crawl(j.file, "--dir", j.dir, "--set", "clean.language=de",
                   "--set", "limits.pages=8", code=2)
    for words in ("clean.language: nl -> de", "two corpora", "--change", "--dir"):
        check(words in said, "it does not say: " + words, said)
    check(len(j.site.requests) == asked and len(j.urls()) == 4,
          "it went on all the same")
    j.crawl(j.file, "--dir", j.dir, "--set", "limits.pages=8")
    check(len(j.urls()) == 8, "refused and resumed: %d documents" % len(j.urls()))
    j.crawl("--dir", j.dir, "--set", "clean.language=nl de", "--set",
            "limits.pages=10", "--change")
    report = json.loads(run("report", j.dir, "--json")[1])["job"]
    with open(os.path.join(j.dir, "corpus", "provenance.json")) as f:
        check(json.load(f) == report, "corpus and report do not agree")
    version = run("--version")[1].split()[1]
    check(report["language"] == ["nl", "de"] and report["scorer"] == "learned" and
          report["version"] == version, "report: %s" % report)
    check(report["models"]["boilerplate.net"].startswith("sha256:") and
          "profiles" in report["models"], "models: %s" % report["models"])
    check(report["options"]["scope.hosts"] == "h00.scenario.test",
          "options: %s" % report["options"])
    check([c["what"] for c in report["changes"]] == ["clean.language: nl -> nl de"],
          "changes: %s" % report["changes"])
    text = run("report", j.dir)[1]
    check("language nl de, scorer learned, winnow " + version in text and
          "clean.language: nl -> nl de" in text, "the text says nothing of it", text)


def shared(j):
    """A corpus of several crawlers has one job, and carries it."""
    services = os.path.join(j.folder, "services")
    at = "ipc://" + os.path.join(j.folder, "dedup.sock")

    def service():
        return subprocess.Popen([WINNOW, "dedup", j.file, "--dir", services, "--set",
                                 "dedup.url=" + at, "--set", "dedup.near=0.9"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    p = service()

    def crawl(n, *args, code=0):
        return j.crawl(j.file, "--dir", os.path.join(j.folder, "c%d" % n), "--set",
                       "dedup.url=" + at, *args, code=code)

    def provenance():
        with open(os.path.join(services, "corpus", "provenance.json")) as f:
            return json.load(f)

    try:
        crawl(5, "--set", "clean.chars_min=100000")  # and keeps nothing
        said = crawl(1, code=2)
        check("clean.chars_min: 100000 -> 10" in said, "begun together, but not alike", said)
        p.terminate()
        p.wait()
        p = service()
        crawl(1, "--set", "dedup.near=0.5")
        first = provenance()
        check("dedup.near" not in first["options"] and
              first["dedup_service"]["dedup.near"] == "0.9",
              "whose dedup.near: %s" % first)
        check(first["language"] == ["nl"] and
              first["models"]["boilerplate.net"].startswith("sha256:"),
              "provenance of a corpus in another process: %s" % first)
        check(not os.path.exists(os.path.join(j.folder, "c1", "corpus")),
              "a crawler that owns no corpus has one")
        asked = len(j.site.requests)
        said = crawl(2, "--set", "clean.language=de", "--set",
                     "clean.chars_min=11", code=2)
        for words in ("dedup service at " + at, "clean.language: nl -> de",
                      "clean.chars_min: 10 -> 11", "two corpora", "--change"):
            check(words in said, "it does not say: " + words, said)
        check(len(j.site.requests) == asked, "it fetched all the same")
        check(provenance() == first, "a refused job is in the provenance")
        crawl(3)  # the same job: nothing to say
        check(provenance()["started"] == first["started"], "another beginning")
        said = crawl(2, "--set", "clean.language=nl de", "--change")
        check("job changed: clean.language: nl -> nl de" in said,
              "the change is not said", said)
        now = provenance()
        check(now["language"] == ["nl", "de"] and
              [c["what"] for c in now["changes"]] == ["clean.language: nl -> nl de"],
              "the change is not recorded: %s" % now["changes"])
        check(said.count("decides it") == 1 and "dedup.near: 0 -> 0.9: " in said,
              "what it gives, and nothing else, is to be said", said)
        said = crawl(4, "--set", "dedup.near=0.7", "--set", "dedup.known_sentences_max=0.5", "--set",
                     "output.split_mib=7", "--set", "dedup.values=100", "--set", "clean.language=nl de")
        for words in ("dedup.near: 0.7 -> 0.9: the dedup service at " + at + " decides it for all",
                      "output.split_mib: 7 -> 256"):
            check(words in said, "it does not say: " + words, said)
        check(said.count("decides it") == 2, "what is the same is said", said)
        check("dedup.near: 0.7 -> 0.9" in j.crawl("--dir", os.path.join(j.folder, "c4"), code=0), "going on it is silent")
        said = crawl(1, "--set", "dedup.near=0.5", code=2)
        check("clean.language: nl de -> nl" in said, "the old job goes on", said)
    finally:
        p.terminate()
        p.wait()


def one_frontier(j):
    """Crawlers of one frontier have one job, too, whatever their corpora."""
    at = "ipc://" + os.path.join(j.folder, "frontier.sock")
    p = subprocess.Popen([WINNOW, "frontier", j.file, "--dir",
                          os.path.join(j.folder, "services"), "--set",
                          "frontier.url=" + at], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)

    def crawl(n, *args, code=0):
        return j.crawl(j.file, "--dir", os.path.join(j.folder, "c%d" % n), "--set",
                       "frontier.url=" + at, *args, code=code)

    try:
        crawl(1)
        asked = len(j.site.requests)
        said = crawl(2, "--set", "scope.hosts=h00.scenario.test h01.scenario.test", code=2)
        for words in ("frontier service at " + at, "another frontier.url",
                      "scope.hosts: h00.scenario.test -> h00.scenario.test h01.scenario.test"):
            check(words in said, "it does not say: " + words, said)
        check(len(j.site.requests) == asked, "it fetched all the same")
        said = crawl(3, "--set", "limits.pages=6")  # a limit is no other job
        check(len(j.site.requests) > asked, "the same job is refused")
        check("decides" not in said, "what is the same is said", said)
        said = crawl(4, "--set", "politeness.delay_ms=9000", "--set", "frontier.scorer=bfs",
                     "--set", "limits.pages=8")
        for words in ("politeness.delay_ms: 9000 -> 0: the frontier service at " + at + " decides",
                      "frontier.scorer: bfs -> learned"):
            check(words in said, "it does not say: " + words, said)
        check("9000" not in crawl(3), "of another crawler's")
        crawl(2, "--set", "scope.hosts=h00.scenario.test h01.scenario.test", "--change")
        report = json.loads(run("report", os.path.join(j.folder, "c2"),
                                "--json")[1])["job"]
        check([c["what"] for c in report["changes"]] ==
              ["scope.hosts: h00.scenario.test -> h00.scenario.test h01.scenario.test"],
              "changes: %s" % report["changes"])
    finally:
        p.terminate()
        p.wait()


def opted_out(j):
    """Who is on a list that comes later is asked no more, what is queued included."""
    both = "scope.hosts=h00.scenario.test h01.scenario.test"
    names = os.path.join(j.folder, "opted-out")
    j.crawl(j.file, "--dir", j.dir, "--set", both)
    queued = run("frontier", j.dir, "--dump")[1]
    check('"http://h00.scenario.test/' in queued, "nothing of h00 waits", queued)
    asked = len(j.site.requests)
    with open(names, "w") as f:
        f.write("# asked us to\nscenario.example\nH00.scenario.test\n")
    said = j.crawl("--dir", j.dir, "--set", "limits.pages=0", "--set",
                   "scope.exclude_file=" + names)
    later = {r[0] for r in j.site.requests[asked:]}
    check(later == {"h01.scenario.test"}, "asked: %s" % later, said)
    check("out_of_scope=" in said, "it does not say what it refused", said)
    said = j.crawl("--dir", j.dir, "--seed", "http://h00.scenario.test/0.html", code=2)
    check("none of the 2 seeds" in said, "a new seed is dropped in silence", said)
    with open(names, "a") as f:
        f.write("https://h01.scenario.test/\n")
    asked = len(j.site.requests)
    said = j.crawl("--dir", j.dir, code=2)
    check("opted-out:4: not a host name" in said and len(j.site.requests) == asked,
          "a line that is no host is taken", said)


def unasked(j):
    """Who opts out before anything was asked of its host is not asked for robots.txt."""
    wanted = ["--set", "scope.hosts=h00.scenario.test h01.scenario.test"]
    j.crawl(j.file, "--dir", j.dir, "--set", "limits.pages=1")
    check(run("frontier", j.dir, "--pause", "h01.scenario.test")[0] == 0, "--pause")
    j.crawl("--dir", j.dir, *wanted, "--change", "--set", "limits.pages=2",
            "--seed", "http://h01.scenario.test/0.html")
    check(run("frontier", j.dir, "--resume", "h01.scenario.test")[0] == 0, "--resume")
    said = j.crawl("--dir", j.dir, "--set", "limits.pages=0", "--set",
                   "scope.exclude=h01.scenario.test")
    check("out_of_scope=" in said, "nothing of h01 was queued", said)
    check(not j.site.paths("h01.scenario.test"), "asked: %s" % j.site.paths("h01.scenario.test"))
    j.crawl("--dir", j.dir, "--set", "scope.exclude=",
            "--seed", "http://h01.scenario.test/private/1.html")
    asked = set(j.site.paths("h01.scenario.test"))
    check(asked <= {"/robots.txt"}, "a list that is over: robots.txt is not asked: %s" % asked)
    check("0 faults" in run("frontier", j.dir, "--check")[1], "faults")


def heeded(j):
    """What robots.txt forbids to crawlers of the job's list by name is not fetched; the star's rules hold besides."""
    rules = (b"User-agent: *\nDisallow: /1.html\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"
             b"Allow: /0.html\nAllow: /1.html\n")
    j.site.answer_as(lambda host, path, headers: (200, {"Content-Type": "text/plain"}, rules)
                     if path == "/robots.txt" else Site.answer(j.site, host, path, headers))
    j.crawl(j.file, "--dir", j.dir, *PATIENT, "--set", "politeness.robots_also=CCBot")
    asked = set(j.site.paths("h00.scenario.test"))
    check(asked == {"/robots.txt", "/0.html"}, "asked: %s" % asked)
    said = j.crawl("--dir", j.dir, "--set", "politeness.robots_also=", code=2)
    check("politeness.robots_also" in said, "a corpus of other sites is mixed without a word", said)


def narrow(j):
    """No more comes in a second than fetch.bytes_per_second, whatever hosts would give."""
    weight, rate, saved_s = b"<!--" + b"x" * 80000 + b"-->", 300000, 4

    def answer(host, path, headers):
        status, more, body = Site.answer(j.site, host, path, headers)
        return status, more, body + weight if path != "/robots.txt" else body

    j.site.answer_as(answer)
    j.crawl(j.file, "--dir", j.dir, *PATIENT, "--set", "scope.hosts=", "--set",
            "fetch.bytes_per_second=%d" % rate)
    sent = sorted(r[2] for r in j.site.requests if r[1] != "/robots.txt")
    least = (len(sent) - 2) * len(weight) / rate - saved_s
    check(len(sent) == 24 and sent[-1] - sent[0] > least,
          "%d pages came within %.2f s, not %.2f" % (len(sent), sent[-1] - sent[0], least))


def rules_elsewhere(j):
    """A robots.txt that leads to a host that has opted out stays unread, and allows nothing."""
    j.site.answer_as(lambda host, path, headers: (301, {"Location": "http://h01.scenario.test/rules"}, b"")
                     if (host, path) == ("h00.scenario.test", "/robots.txt")
                     else Site.answer(j.site, host, path, headers))
    said = j.crawl(j.file, "--dir", j.dir, "--set", "scope.exclude=h01.scenario.test",
                   "--set", "politeness.retry_ms=3000")
    asked = j.site.paths("h01.scenario.test")
    check(asked == [] and set(j.site.paths("h00.scenario.test")) == {"/robots.txt"}, "asked: %s" % asked, said)
    check("1 URLs wait" in said, "the page does not wait", said)
    j.crawl("--dir", j.dir, "--set", "scope.exclude=", "--set", "limits.wait_seconds=15")
    asked = j.site.paths("h01.scenario.test")
    check(asked == ["/rules"] and len(j.urls()) == 4, "a list that is over: %s" % asked)


def half_asked(j):
    """Who opts out between its robots.txt and its tdmrep.json is not asked for that."""
    rules = "/.well-known/tdmrep.json"
    j.site.answer_as(lambda host, path, headers: (503, {}, b"") if path == rules
                     else Site.answer(j.site, host, path, headers))
    j.crawl(j.file, "--dir", j.dir, "--set", "politeness.tdmrep=on", "--set",
            "politeness.retry_ms=5000")
    asked = j.site.paths("h00.scenario.test")
    check(asked == ["/robots.txt", rules], "asked: %s" % asked)
    said = j.crawl("--dir", j.dir, "--set", "scope.exclude=h00.scenario.test", "--set",
                   "limits.wait_seconds=15")
    check("out_of_scope=" in said, "the page is not refused", said)
    check(j.site.paths("h00.scenario.test") == asked, "it is asked")


def host_pages(j):
    """So many pages of each host, exactly, over kills; with a higher limit it goes on."""
    both = ["--set", "scope.hosts=h00.scenario.test h01.scenario.test", "--set", "limits.pages=0",
            "--set", "limits.wait_seconds=40"]

    def per_host():
        hosts = [u.split("/")[2][:3] for u in j.urls()]
        return hosts.count("h00"), hosts.count("h01")

    said = j.crawl(j.file, "--dir", j.dir, *both, "--set", "limits.host_pages=2",
                   "--seed", "http://h01.scenario.test/0.html")
    check(per_host() == (2, 2), "%d and %d documents of 2" % per_host(), said)
    check("limits.host_pages is reached by 2 of 2 hosts" in said, "it is not said", said)
    stat = json.loads(run("frontier", j.dir, "--stat", "--json")[1])
    check(stat["hosts_full"] == 2 and stat["queued"] > 0 and stat["pages"] == 4, "%s" % stat)
    said = j.crawl("--dir", j.dir, "--set", "limits.host_pages=3", "--set", "recrawl.interval_seconds=86400")
    check(per_host() == (3, 3), "%d and %d documents of 3" % per_host())
    check("wait_seconds=40 (limits.host_pages is reached by 2 of 2 hosts)" in said, "revisits wait, too", said)
    for wait in (.1, .2, .3, .4):
        with subprocess.Popen([WINNOW, "crawl", "--dir", j.dir, "--quiet", "--set", "limits.host_pages=7",
                               "--set", "recrawl.interval_seconds=0",
                               "--set", "politeness.delay_ms=30"],
                              stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
            time.sleep(wait)
            p.kill()
    j.crawl("--dir", j.dir, "--set", "limits.host_pages=7")
    check(per_host() == (7, 7), "%d and %d documents of 7" % per_host())
    check("0 faults" in run("frontier", j.dir, "--check")[1], "faults")
    said = j.crawl("--dir", j.dir, "--set", "limits.host_pages=0")
    check(per_host() == (12, 12) and "nothing is left" in said, "%d and %d documents of 12" % per_host(), said)


def so_many_documents(j):
    """So many documents and no more, also when many pages are under way; with a higher limit it goes on."""
    said = j.crawl(j.file, "--dir", j.dir, *PATIENT, "--set", "scope.hosts=", "--set", "limits.documents=5")
    check(len(j.urls()) == 5 and "limits.documents=5" in said, "%d documents of 5" % len(j.urls()), said)
    j.crawl("--dir", j.dir, "--set", "limits.documents=7")
    check(len(j.urls()) == 7, "%d documents of 7" % len(j.urls()))


def named_alone(j):
    """A job of the manual fetches the pages that it names and where they redirect to, and no others."""
    def answer(host, path, headers):
        if path == "/robots.txt":
            return 200, {"Content-Type": "text/plain"}, b"Sitemap: http://h00.scenario.test/map.xml\n"
        if path == "/old":
            return 301, {"Location": "/3.html"}, b""
        return Site.answer(j.site, host, path, headers) if path != "/gone" else (404, {}, b"")

    j.site.answer_as(answer)
    urls = os.path.join(j.folder, "urls.txt")
    with open(urls, "w") as f:
        f.writelines("http://h00.scenario.test/%s\n" % p for p in ("gone", "1.html", "old"))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../crawler/README.md")) as f:
        part = f.read().split("### Pages that you name")[1].split("```ini\n")[1].split("```")[0]
    options = []
    for line in part.split("\n"):
        if line.startswith("["):
            section = line.strip("[]")
        elif line:
            options += ["--set", section + "." + line.replace(" ", "").replace("urls.txt", urls)]
    j.crawl(j.file, "--dir", j.dir, *PATIENT, "--set", "seeds.url=", *options)
    asked = set(j.site.paths("h00.scenario.test"))
    check(asked == {"/robots.txt", "/gone", "/1.html", "/old", "/3.html"}, "asked: %s" % asked)
    with open(os.path.join(j.dir, "log", "crawl.jsonl")) as f:
        seeds = {e["url"].split("/")[3]: e["verdict"] for e in map(json.loads, f)
                 if e["depth"] == 0 and e["kind"] != "robots"}
    check(seeds == {"gone": "http_404", "1.html": "kept", "old": "redirect", "3.html": "kept"}, "seeds: %s" % seeds)


def logged_in(j):
    """A host that wants a login gets the operator's, for itself alone; it stands nowhere."""
    want = "Basic " + base64.b64encode(b"us er:pass:#word").decode()

    def answer(host, path, headers):
        if host.startswith("h00") and headers.get("Authorization") != want:
            return 401, {"WWW-Authenticate": "Basic realm=x"}, b""
        return Site.answer(j.site, host, path, headers)

    j.site.answer_as(answer)
    logins = os.path.join(j.folder, "logins")
    both = [*PATIENT, "--set", "scope.hosts=h00.scenario.test h01.scenario.test",
            "--set", "output.warc=on", "--set", "fetch.logins=" + logins]
    for line in ("http://h00.scenario.test", "http://h00.scenario.test/x us:er", "h00.scenario.test us:er"):
        with open(logins, "w") as f:
            f.write("# whom\n" + line + "\n")
        said = j.crawl(j.file, "--dir", j.dir, *both, code=2)
        check("logins:2: fetch.logins: " in said and "us:er" not in said, "a bad line", said)
    with open(logins, "w") as f:
        f.write("https://h01.scenario.test wrong:one\nhttp://h00.scenario.test us er:pass:#word\n")
    os.chmod(logins, 0o640)
    said = j.crawl(j.file, "--dir", j.dir, *both)
    check(len(j.urls()) == 24 and said.count("chmod 600") == 1, "%d documents of 24" % len(j.urls()), said)
    os.chmod(logins, 0o600)
    said = j.crawl("--dir", j.dir)
    check("chmod" not in said, "a file of one's own", said)
    told = {r[5].get("Authorization") for r in j.site.requests if r[0].startswith("h01")}
    check(told == {None}, "another host was told")
    for path in glob.glob(j.dir + "/**", recursive=True):
        if os.path.isfile(path):
            with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
                found = f.read().lower()
            check(b"authorization:" not in found and want.lower().encode() not in found and b"#word" not in found,
                  "it stands in " + path)
    warcs = [gzip.open(p).read() for p in glob.glob(j.dir + "/warc/*.warc.gz")]
    check(sum(w.count(b"GET /1.html") for w in warcs) == 2, "requests in the archive")


def again(j):
    """URLs that failed are fetched once more when they are named, kept ones, too."""
    gone = ["http://h00.scenario.test/%s.html" % n for n in ("late", "7")]
    pages = j.site.web["h00.scenario.test"]
    late = pages.pop("/7.html")
    said = j.crawl(j.file, "--dir", j.dir, "--set", "limits.pages=0", "--seed", gone[0])
    check("failed: http_404=2" in said, "wanted two pages that are not there", said)
    pages["/7.html"] = late
    asked = len(j.site.requests)
    j.crawl("--dir", j.dir, "--seed", gone[1])
    check(len(j.site.requests) == asked, "a seed that failed is asked for again")
    code, _, said = run("crawl", "--dir", j.dir, "--again", "-", "--quiet",
                        stdin="\n".join(gone + ["http://h00.scenario.test/0.html"]))
    paths = sorted(r[1] for r in j.site.requests[asked:] if r[1] != "/robots.txt")
    check(code == 0 and paths == ["/0.html", "/7.html", "/late.html"], paths, said)
    check("again: 3 of 3 pages" in said, "how many are fetched again", said)
    check(gone[1] in j.urls() and len(j.urls()) == len(set(j.urls())), "documents: %s" % j.urls())
    pages["/0.html"] = pages["/3.html"].replace(b"<p>", b"<p>Anders. ", 1)
    for _ in range(2):
        said = run("crawl", "--dir", j.dir, "--again", "-", stdin=j.urls()[0])[2]
    check(j.urls().count("http://h00.scenario.test/0.html") == 2,
          "a kept page that has changed is stored once more: %s" % j.urls(), said)
    asked = len(j.site.requests)
    said = j.crawl("--dir", j.dir)
    check(len(j.site.requests) == asked, "it asks again for ever", said)
    check("0 faults" in run("frontier", j.dir, "--check")[1], "faults")
    check("either --seed" in j.crawl("--dir", j.dir, "--again", "-", "--seed", gone[0],
                                     code=2), "--seed and --again")


def told(j):
    """Why there is so little: by reason, in the closing lines and the report."""
    def answer(host, path, _headers):
        if path == "/robots.txt":
            if host.startswith("h00"):
                return 302, {"Location": "/rules.txt"}, b""
            return 503, {}, b""
        if path == "/rules.txt":
            return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /no"
        if path == "/sheet":
            return 200, {"Content-Type": "Application/PDF ; x=1"}, b"%PDF-1.4"
        if path == "/steers":
            return 200, {"Content-Type": "a\x1b[31mb/c"}, b"?"
        if path == "/0.html":
            return 200, {"Content-Type": "text/html"}, (
                b"<html><body><a href=/no1>a</a><a href=/no2>b</a><a href=/gone>c</a><a href=/sheet>e</a>"
                b"<a href=/steers>f</a>"
                b"<a href=http://h01.scenario.test/>d</a></body></html>")
        return 404, {}, b""

    j.site.answer_as(answer)
    said = j.crawl(j.file, "--dir", j.dir, "--set", "limits.pages=0", "--set",
                   "scope.hosts=h00.scenario.test h01.scenario.test", "--set",
                   "politeness.retries=0")
    for words in ("http_404=1", "not_html=2", "refused: disallowed=2",
                  "no document was kept: "):
        check(words in said, "it does not say: " + words, said)
    closing = [line for line in said.splitlines() if " fetched=" in line][-1]
    robots = int(closing.split(" robots=")[1].split()[0])
    report = json.loads(run("report", j.dir, "--json")[1])
    stat = json.loads(run("frontier", j.dir, "--stat", "--json")[1])
    check(robots == report["robots"] == stat["robots"] == 1,
          "robots.txt: %d here, %d in the report, %d in the frontier" % (
              robots, report["robots"], stat["robots"]))
    check(report["failed"] == {"http_404": 1, "not_html": 2} and
          report["refused"] == {"disallowed": 2} and
          report["types"] == [{"type": "a?[31mb/c", "pages": 1}, {"type": "application/pdf", "pages": 1}], "report: %s" % report)
    why = run("frontier", j.dir, "--why", "http://h00.scenario.test/gone")[1]
    check("delay: " in why and "delay: 1000 ms" not in why, "--why knows not the crawl's job", why)
    check("log/crawl.jsonl has more" in why and "\nscope: " not in why, "--why", why)
    check("\nscope: its host is in none of scope.tld" in
          run("frontier", j.dir, "--why", "http://elsewhere.example/")[1], "--why, another host")
    for scope, said in (("exclude=scenario.test", "left out by scope.exclude"),
                        ("visit=html$", "scope.visit does not match it"),
                        ("save=html$", "scope.save does not match it")):
        why = run("frontier", j.dir, "--why", "http://h00.scenario.test/gone", "--set",
                  "scope." + scope)[1]
        check("\nscope: " + said in why, "--why, scope." + scope, why)
    os.rename(os.path.join(j.dir, "job"), os.path.join(j.dir, "job.whole"))
    with open(os.path.join(j.dir, "job"), "w") as f:
        f.write("no job\n")
    code, text = run("frontier", j.dir, "--stat")[:2]
    check(code == 0 and "\npages " in text, "--stat beside a damaged job", text)
    os.rename(os.path.join(j.dir, "job.whole"), os.path.join(j.dir, "job"))
    j.site.answer_as(lambda host, path, _h: (
        200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /"))
    said = j.crawl(j.file, "--dir", j.dir + "2")
    check("no page was fetched: disallowed, robots.txt disallows the URL (1 URLs)"
          in said, "it does not say why", said)


def metrics(j):
    """--prometheus says in Prometheus' format what --json says."""
    j.crawl(j.file, "--dir", j.dir)
    for command in "frontier", "dedup":
        stat = json.loads(run(command, j.dir, "--stat", "--json")[1])
        code, out, said = run(command, j.dir, "--stat", "--prometheus")
        check(code == 0, command, said)
        kinds, values = {}, {}
        for line in out.splitlines():
            if line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                check(name not in kinds and name.endswith("_total") == (kind == "counter"), line)
                kinds[name] = kind
            elif not line.startswith("# HELP "):
                name, label, n = re.fullmatch(r'(\w+)({\w+="[\w.]+"})? (\d+)', line).groups()
                check(name in kinds and (name, label) not in values, line)
                values[name, label] = int(n)
        for key, n in stat.items():
            if isinstance(n, int):
                name = "winnow_%s_%s" % (command, key)
                name += "" if name in kinds else "_total"
                check(values.get((name, None)) == n, "%s: %s" % (name, values))
        check(run(command, j.dir, "--stat", "--prometheus", "--json")[0] == 2, "both forms")
    check(values["winnow_dedup_documents", None] == 4, values)


def deleted(j):
    """--delete shows what it meets, wants to be meant, and can be taken back."""
    j.crawl(j.file, "--dir", j.dir)
    pattern = "http://h00.scenario.test/*"
    queued = json.loads(run("frontier", j.dir, "--stat", "--json")[1])["queued"]
    check(queued > 0, "nothing is queued")
    code, out, err = run("frontier", j.dir, "--delete", pattern)
    check(code == 2 and "%s matches %d queued URLs:\nhttp://h00" % (pattern, queued)
          in out and "--yes" in err, "exit status %d" % code, out + err)
    check(run("frontier", j.dir, "--rules")[1] == "", "it is deleted all the same")
    for bad in ("http://h00.scenario.test", "h00.scenario.test/*"):
        code, out, err = run("frontier", j.dir, "--delete", bad, "--yes")
        check(code == 2 and "matches nothing" in err, bad, out + err)
    for flag in "--pause", "--forget":
        code, out, err = run("frontier", j.dir, flag, ".a.test", flag, "b c", "--yes")
        check(code == 2 and "no blanks" in err and out == "", "%s twice" % flag, out + err)
    code, out, err = run("frontier", j.dir, "--forget", "", "--yes")
    check(code == 2 and "no blanks" in err, "--forget of nothing", out + err)
    code, out, err = run("frontier", j.dir, "--resume", ".never.test")
    check(code == 2 and "neither paused nor deleted" in err, "--resume", err)
    code, out, err = run("frontier", j.dir, "--delete", pattern, "--yes")
    check(code == 0 and "--resume" in out and "--compact" in out, "deleted", out + err)
    said = j.crawl("--dir", j.dir, "--set", "limits.pages=0")
    check(len(j.urls()) == 4 and "nothing is left" in said, "a deleted URL is fetched",
          said)
    code, out, err = run("frontier", j.dir, "--resume", pattern)
    check(code == 0 and "resumed %s: %d URLs" % (pattern, queued) in out, "resume",
          out + err)
    said = j.crawl("--dir", j.dir)
    check(len(j.urls()) == 12, "%d documents, not 12" % len(j.urls()), said)


def main():
    base = tempfile.mkdtemp(prefix="winnow-job-")
    bad = 0
    try:
        for part in (resumed, wide, mixed, shared, one_frontier, opted_out, unasked, heeded, narrow,
                     rules_elsewhere, half_asked, host_pages, so_many_documents, named_alone, logged_in, again, told, metrics,
                     deleted):
            j = Job(base, part.__name__)
            try:
                part(j)
                print("ok   " + part.__name__)
            except AssertionError as e:
                bad += 1
                print("FAIL %s\n     %s" % (part.__name__, e))
            finally:
                j.site.close()
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
