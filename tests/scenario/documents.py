#!/usr/bin/env python3
"""documents.py -- a crawl of documents that are no HTML, and what may be wrong with them.

One site on loopback has an article of the same kind of text in every format that
Winnow converts, under the right type and under wrong ones, and documents that are
broken, that unpack to far more than they are, and one that takes for ever.
  crawl     each article is kept, with its title and all of its words, and without
            the running heads and page numbers of the PDF; the others end as they
            should, and the crawl goes on
  crashed   what a converter crashes at is rejected, logged and counted, and the crawl goes on
  restart   bytes whose conversion failed twice are not tried again, at no URL
  stopped   a crawl that is stopped does not convert what waits
  archive   `winnow clean` over the WARC files gives the same documents
  preset    without convert.types they are refused at their headers

usage: documents.py WINNOW
"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import checks
import made_documents
from checks import check
from crawl_run import documents
from web_server import Server

HOST = "documents.scenario.test"
PROGRAMS = {"pdf": ("pdftotext",), "doc": ("antiword", "catdoc")}
WAITING = 8  # hosts with a document each that takes for ever
TYPES = sorted(made_documents.KINDS)


def article(kind):
    """Title and paragraphs that only this article has."""
    word = {"txt": "Larch", "pdf": "Beech", "docx": "Maple", "odt": "Alder", "rtf": "Hazel",
            "epub": "Rowan", "doc": "Aspen"}[kind]
    return "The %s report" % word, [
        "# About the %s of the north" % word.lower()] + [
        "The %s of parish number %d was measured in the spring, and it is said that “it will be an old "
        "tree”, since its crown is as wide as the café behind it and since nobody who has ever lived "
        "near to it would want to see it felled. In the %s month the committee came back, and they "
        "wrote down that the bark was sound and that the roots had not been harmed." % (
            word.lower(), n, "first second third fourth fifth sixth seventh eighth".split()[n % 8])
        for n in range(24)]


def site():
    pages = {}
    for kind in TYPES:
        title, paragraphs = article(kind)
        body = made_documents.make(kind, title, paragraphs)
        pages["/%s/report.%s" % (kind, kind)] = (made_documents.KINDS[kind][1], body)
    pdf, docx, odt = (made_documents.make(k, *article(k)) for k in ("pdf", "docx", "odt"))
    pages["/bad/cut.docx"] = (made_documents.KINDS["docx"][1], docx[:len(docx) // 2])
    pages["/bad/broken.pdf"] = ("application/pdf", b"%PDF-1.4\n" + b"nothing of a PDF\n" * 99)
    pages["/bad/empty.pdf"] = ("application/pdf", b"")
    pages["/bad/bomb.odt"] = (made_documents.KINDS["odt"][1], made_documents.zipped(
        [("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", b" " * (40 << 20))]))
    pages["/bad/entities.odt"] = (made_documents.KINDS["odt"][1], made_documents.zipped(
        [("mimetype", "application/vnd.oasis.opendocument.text"),
         ("content.xml", '<!DOCTYPE a [<!ENTITY a "b">]><a>&a;</a>')]))
    pages["/bad/image.pdf"] = ("application/pdf", b"\x89PNG\r\n\x1a\n" + bytes(200))
    pages["/bad/program.bin"] = ("application/octet-stream", b"\x7fELF" + bytes(200))
    index = "".join('<p><a href="%s">%s</a></p>' % (p, p) for p in sorted(pages))
    pages["/"] = ("text/html", ("<html><title>Index</title><body>%s</body></html>" % index).encode())
    slow = made_documents.pdf("Slow", ["Some text"], slow=True)
    for n in range(1, 4):
        pages["/slow%d.pdf" % n] = ("application/pdf", slow)
    return pages


class World:
    def __init__(self, winnow):
        self.winnow = winnow
        self.base = tempfile.mkdtemp(prefix="winnow-documents-")
        self.pages, self.asked = site(), set()
        self.server = Server(self.answer)
        with open(os.path.join(self.base, "hosts"), "w") as f:
            for host in [HOST] + ["%d.%s" % (n, HOST) for n in range(WAITING)]:
                f.write("%s %s\n" % (host, self.server.address))

    def answer(self, host, path, headers):
        self.asked.add(path)
        if path not in self.pages:
            return 404, {}, b""
        kind, body = self.pages[path]
        return 200, {"Content-Type": kind}, body

    def job(self, name, seeds):
        """The file; the seeds are URLs."""
        job = os.path.join(self.base, name + ".ini")
        with open(job, "w") as f:
            f.write("[seeds]\nurl = %s\n[politeness]\ndelay_ms = 10\nretries = 0\n[limits]\nwait_seconds = 8\n"
                    "[clean]\nbadness_max = 1000\nchars_min = 10\nlanguage = en\n[fetch]\nhosts_file = hosts\n"
                    "[output]\nformat = jsonl\ndisk_free_mib = 0\nwarc = on\n"
                    "warc_records = request revisit metadata conversion\n"
                    "[dedup]\nnear = 0\n" % " ".join(seeds))
        return job

    def crawl(self, name, seeds, *more):
        job = self.job(name, ["http://%s%s" % (HOST, s) for s in seeds])
        sets = [a for m in more for a in ("--set", m)]
        run = subprocess.run([self.winnow, "crawl", job, "--dir", os.path.join(self.base, name)] + sets,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=200)
        check(run.returncode == 0, "crawl %s: exit %d\n%s" % (name, run.returncode, run.stdout[-2000:]))
        verdicts = {}
        for path in glob.glob(os.path.join(self.base, name, "log", "crawl.jsonl")):
            for line in open(path):
                line = json.loads(line)
                verdicts[line["url"].split(HOST)[1]] = line["verdict"]
        return verdicts, run.stdout


def words(text):
    return re.findall(r"\w+", text)


def is_there(kind):
    return any(shutil.which(p) for p in PROGRAMS[kind]) if kind in PROGRAMS else True


def check_article(kind, verdict, found):
    if not is_there(kind):
        print("skipped: no %s on this machine" % " or ".join(PROGRAMS[kind]))
        check(verdict == "no_converter", "%s without its program: %s" % (kind, verdict))
        return
    title, paragraphs = article(kind)
    wanted = words(" ".join(made_documents.plain(p) for p in paragraphs))
    check(verdict == "kept" and found is not None, "%s: %s" % (kind, verdict))
    if found is None:
        return
    got = words(found["text"])
    check(got == wanted, "%s: %d words of %d, first difference %s" % (
        kind, len(got), len(wanted),
        next(((a, b) for a, b in zip(got, wanted) if a != b), "at the end")))
    if kind not in ("txt", "doc"):
        check(found["title"] == title, "%s: title %r" % (kind, found["title"]))


def crawl(w):
    verdicts, log = w.crawl("all", ["/"], "convert.types=" + ",".join(TYPES))
    found = {d["url"].split(HOST)[1]: d for d in documents(w.base, "all")}
    for kind in TYPES:
        path = "/%s/report.%s" % (kind, kind)
        check_article(kind, verdicts.get(path), found.get(path))
    for path, verdict in (("/bad/cut.docx", "not_html"), ("/bad/broken.pdf", "unconvertible"),
                          ("/bad/empty.pdf", "not_html"), ("/bad/bomb.odt", "unconvertible"),
                          ("/bad/entities.odt", "unconvertible"), ("/bad/image.pdf", "not_html"),
                          ("/bad/program.bin", "not_html")):
        if path.endswith(".pdf") and verdict == "unconvertible" and not is_there("pdf"):
            verdict = "no_converter"
        if path == "/bad/cut.docx" and verdicts.get(path) == "unconvertible":
            continue  # as much of it as names the document
        check(verdicts.get(path) == verdict, "%s: %s, not %s" % (path, verdicts.get(path), verdict))
    check("sandbox=" in log, "the log does not say how programs are confined")
    return found


def archive(w, live):
    out = subprocess.run([w.winnow, "clean", "--format", "jsonl", "--set", "clean.badness_max=1000",
                          "--set", "clean.chars_min=10", "--set", "clean.language=en",
                          "--set", "convert.types=" + " ".join(TYPES)]
                         + glob.glob(os.path.join(w.base, "all", "warc", "*.gz")),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=200)
    again = {}
    for line in out.stdout.splitlines():
        d = json.loads(line)
        again[d["url"].split(HOST)[1]] = (d["text"], d["title"], d["id"])
    check(again == {p: (d["text"], d["title"], d["id"]) for p, d in live.items()},
          "winnow clean over the WARC files: %s, live %s" % (sorted(again), sorted(live)))


def conversions(w, live):
    """The text of each kept document is a conversion record."""
    import gzip
    records = b""
    for path in glob.glob(os.path.join(w.base, "all", "warc", "*.gz")):
        records += gzip.open(path).read()
    n = records.count(b"WARC-Type: conversion")
    check(n == len(live), "%d conversion records of %d documents" % (n, len(live)))


def descends(pid, ancestor):
    while pid > 1 and pid != ancestor:
        with open("/proc/%d/stat" % pid) as f:
            pid = int(f.read().rsplit(")", 1)[1].split()[1])
    return pid == ancestor


def crash_programs(name, done):
    """Until `done`, what this test has started by that name is ended as a crash ends it."""
    while not done.wait(0.05):
        for path in glob.glob("/proc/[0-9]*/comm"):
            pid = int(path.split("/")[2])
            try:
                with open(path) as f:
                    if f.read().strip() == name and descends(pid, os.getpid()):
                        os.kill(pid, signal.SIGSEGV)
            except OSError:
                pass  # it has ended


def crashed(w):
    if not is_there("pdf"):
        return
    done = threading.Event()
    crasher = threading.Thread(target=crash_programs, args=("pdftotext", done))
    crasher.start()
    try:
        verdicts, _ = w.crawl("crashed", ["/slow1.pdf", "/slow2.pdf", "/slow3.pdf", "/docx/report.docx"],
                              "convert.types=pdf docx", "convert.seconds=60")
    finally:
        done.set()
        crasher.join()
    check(sorted(verdicts.get("/slow%d.pdf" % n) for n in (1, 2, 3))
          == ["convert_fault", "convert_fault", "convert_poison"], "crashed: %s" % verdicts)
    check(verdicts.get("/docx/report.docx") == "kept", "after the crashes: %s" % verdicts)
    with open(os.path.join(w.base, "crashed", "log", "crawl.jsonl")) as f:
        told = [line for line in map(json.loads, f) if line["verdict"] == "convert_fault"]
    check([line.get("detail") for line in told] == ["program: signal 11"] * 2, "crashed: %s" % told)
    report = subprocess.run([w.winnow, "report", os.path.join(w.base, "crashed")], stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    check(re.search(r"^ +2 .*convert_fault", report, re.M) is not None, "crashed: %s" % report)


def restart(w):
    if not is_there("pdf"):
        return
    types = ("convert.types=pdf", "convert.seconds=1")
    first, _ = w.crawl("poison", ["/slow1.pdf", "/slow2.pdf"], *types)
    check([first.get("/slow%d.pdf" % n) for n in (1, 2)] == ["convert_fault"] * 2, "slow: %s" % first)
    second, _ = w.crawl("poison", ["/slow1.pdf", "/slow2.pdf", "/slow3.pdf"], *types)
    check(second.get("/slow3.pdf") == "convert_poison", "after a restart: %s" % second)


def stopped(w):
    """Documents that wait for their conversion, or are in the middle of it, are not waited for,
    and nothing is held against them."""
    if not is_there("pdf"):
        return
    paths = ["/waits%d.pdf" % n for n in range(WAITING)]
    slow = made_documents.pdf("Slow", ["Some"], slow=True)
    for path in paths:
        w.pages[path] = ("application/pdf", slow)
    seeds = ["http://%d.%s%s" % (n, HOST, path) for n, path in enumerate(paths)]
    args = [w.winnow, "crawl", w.job("stopped", seeds), "--dir", os.path.join(w.base, "stopped"),
            "--set", "convert.types=pdf", "--set", "convert.seconds=60"]
    with subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as run:
        for _ in range(300):
            if w.asked.issuperset(paths) or run.poll() is not None:
                break
            time.sleep(0.1)
        check(w.asked.issuperset(paths), "asked for %s" % w.asked)
        run.send_signal(signal.SIGTERM)
        try:
            run.wait(30)
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
        check(run.returncode == 130, "stopped: exit %d" % run.returncode)
    with open(os.path.join(w.base, "stopped", "log", "crawl.jsonl")) as f:
        held = [line for line in f if "convert" in line]
    check(not held, "stopped: %s" % held)


def preset(w):
    verdicts, _ = w.crawl("preset", ["/pdf/report.pdf", "/docx/report.docx", "/txt/report.txt"])
    check(set(verdicts[p] for p in verdicts if p.endswith(("pdf", "docx", "txt")) and "robots" not in p)
          == {"not_html"}, "preset: %s" % verdicts)


def main():
    w = World(os.path.abspath(sys.argv[1]))
    live = crawl(w)
    archive(w, live)
    conversions(w, live)
    crashed(w)
    restart(w)
    stopped(w)
    preset(w)
    w.server.close()
    if checks.failed == 0:
        shutil.rmtree(w.base)
        print("ok: %d documents" % len(live))
    else:
        print("everything is kept in " + w.base)
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
