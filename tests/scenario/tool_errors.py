#!/usr/bin/env python3
"""tool_errors.py -- what the user gives a tool that it cannot use is said, by its
name and with an exit code; and what the tools write goes where it was asked to.

usage: tool_errors.py WINNOW
"""
import fcntl
import gzip
import json
import lzma
import os
import random
import re
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
SOMEBODY = 64321
CONLLU = ("1\tDe\tde\tDET\tX\t_\t2\tdet\t_\t_\n"
          "2\thond\thond\tNOUN\tY\t_\t0\troot\t_\t_\n\n")


def winnow(*args, file_bytes_max=None):
    """(exit code, what it says, what it prints)"""
    def bound():
        if file_bytes_max is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes_max, file_bytes_max))
    p = subprocess.run([WINNOW, *args], capture_output=True, text=True, timeout=60,
                       stdin=subprocess.DEVNULL, preexec_fn=bound)
    return p.returncode, p.stderr, p.stdout


def put(name, text):
    data = text if isinstance(text, bytes) else text.encode()
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as f:
        f.write(data)
    return name


def content(name):
    with open(name, "rb") as f:
        return f.read()


def outputs():
    """Each tool that writes a whole file: to a symbolic link, a FIFO."""
    put("one.conllu", CONLLU)
    put("site/a.example/index.html", "<p>Een zin over het water.</p>")
    put("page.html", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")
    tools = {
        "train tagger": ["train", "tagger", "--conllu", "one.conllu", "--bits", "8", "--out"],
        "lab --record": ["lab", "--web", "site", "--language", "nl", "--record"],
        "job": ["job", "document", "local", "page.html", "-o"],
        "clean": ["clean", "page.html", "-o"],
    }
    for name, words in tools.items():
        for path in ("target", "link"):
            if os.path.lexists(path):
                os.remove(path)
        os.symlink("target", "link")
        code, said, _ = winnow(*words, "link")
        check(code == 0 and os.path.islink("link") and os.path.isfile("target"),
              "%s to a symbolic link: %d %s" % (name, code, said))
        os.mkfifo("fifo")
        reader = os.open("fifo", os.O_RDWR | os.O_NONBLOCK)
        code, said, _ = winnow(*words, "fifo")
        check(code == 0 and stat.S_ISFIFO(os.stat("fifo").st_mode),
              "%s to a FIFO: %d %s" % (name, code, said))
        try:
            check(os.read(reader, 1 << 20) == content("target"), name + ": what a FIFO gets")
        except BlockingIOError:
            check(False, name + ": a FIFO gets nothing")
        os.close(reader)
        os.remove("fifo")


def standard_output():
    """`-o -` is standard output where one text is written, and refused where it is a
    folder or the beginning of names; it is never a file of that name."""
    os.mkdir("stdout")
    os.chdir("stdout")
    page = put("page.html", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")
    put("words", "5\tunterwerfen\n")
    put("c.jsonl", winnow("clean", "-f", "jsonl", page)[2])
    texts = [put("%d.txt" % i, "de hond en de kat in het huis van een man %d.\n" % i * 60) for i in range(6)]
    before = sorted(os.listdir("."))
    for words in (["clean", "-f", "jsonl", page], ["job", "document", "local", "c.jsonl"],
                  ["hydra", "-u", "words", "-i", page], ["rofl", "-w", "words", "-i", page],
                  ["profile", "--language", "nl", *texts]):
        wanted = winnow(*words)[2]
        code, said, shown = winnow(*words, "-o", "-")
        check(code == 0 and shown == wanted != "", "%s -o -: %d %s%s" % (words[0], code, said, shown[:80]))
    for words in (["tecl", "-i", "c.jsonl", "-b", "words", "-o"], ["tender", "-i", "c.jsonl", "-o"],
                  ["run", "webcorpus", "-i", "c.jsonl", "-o"], ["report", ".", "-o"],
                  ["lab", "--web", ".", "-o"], ["wacz", ".", "-o"], ["tenet", "-i", "words", "-o"],
                  ["train", "pages", "--pages", ".", "--out"],
                  ["clean", "-f", "jsonl", page, "--links"]):
        code, said, shown = winnow(*words, "-")
        check(code == 2 and ("standard output" in said or "--format links -o -" in said) and shown == "",
              "%s %s -: %d %s" % (words[0], words[-1], code, said))
    check(sorted(os.listdir(".")) == before, str(os.listdir(".")))
    os.chdir("..")


def a_limit_on_the_size_of_files():
    """It is no full disk: what it is, and what to do, is said where it ends a command."""
    put("small.ini", "[seeds]\nurl = http://127.0.0.1:9999/\n")
    draw = random.Random(1)
    words = ["".join(draw.choices("aeiounstkr", k=8)) for _ in range(5000)]
    put("large.html", "<p>" + "".join("Dit is de %s van een %s in het %s. " % tuple(draw.choices(words, k=3))
                                      for _ in range(5000)) + "</p>")
    put("lines", "".join("de %s\n" % w for w in words))
    put("words", "5\tunterwerfen\n")
    size = 2000
    winnow("clean", "-f", "jsonl", "-o", "large.jsonl", "large.html")
    for words in (["crawl", "small.ini", "--dir", "small2"],
                  ["clean", "-f", "jsonl", "-o", "out.jsonl", "large.html"],
                  ["job", "document", "local", "large.jsonl", "-o", "out.lines"],
                  ["hydra", "-u", "words", "-i", "lines", "-o", "out.txt"],
                  ["tecl", "-i", "large.jsonl", "-u", "-o", "out"],
                  ["run", "webcorpus", "-i", "large.jsonl", "-o", "out.run"]):
        code, said, _ = winnow(*words, file_bytes_max=size)
        check(code == 1 and "no file may be larger than 2,000 bytes (ulimit -f): raise it" in said,
              "%s: %d %s" % (words[0], code, said))
    for kib in 10, 100, 1000:
        code, said, _ = winnow("crawl", "small.ini", "--dir", "small%d" % kib, file_bytes_max=kib << 10)
        check(code == 1 and "larger than %s bytes (ulimit -f): raise it" % format(kib << 10, ",") in said
              and "start again" in said and "disk full" not in said and "waiting" not in said, "%d KiB: %d %s" % (kib, code, said))


def labelled(folder, rows, end="\n"):
    """A folder for train: pages 0 to 5 of three domains, and a manifest with those rows."""
    for i in range(6):
        text = " ".join("Zin %d.%d over het water en de dijk." % (i, k) for k in range(30))
        put("%s/pages/s/%d.html" % (folder, i), "<p>Menu<p>%s<p>Voet %d" % (text, i))
        put("%s/truth/s/%d.txt" % (folder, i), text)
    put(folder + "/manifest.tsv", end.join(rows) + end)
    return folder


HEAD = "set\tid\tdomain\tsuspect"
ROWS = ["s\t%d\td%d.example\t%d" % (i, i % 3, i == 5) for i in range(6)]
TRAIN = ["train", "--first", "net", "--one-pass", "--epochs", "1", "--folds", "3", "--pages"]


def manifests():
    code, said, _ = winnow(*TRAIN, labelled("none", [HEAD]), "--out", "none.net")
    check(code == 1 and "none/manifest.tsv" in said and not os.path.exists("none.net"),
          "an empty manifest: %d %s" % (code, said))
    code, said, shown = winnow(*TRAIN, labelled("unix", [HEAD] + ROWS))
    check(code == 0 and "warn" not in said, "a manifest: %d %s" % (code, said))
    code, said, windows = winnow(*TRAIN, labelled("windows", ["\ufeff" + HEAD] + ROWS, "\r\n"))
    check(code == 0 and windows == shown, "a manifest of Windows: %s" % said)
    code, said, _ = winnow(*TRAIN, labelled("more", [HEAD] + ROWS + ["s\tgone\td\t0"]))
    check(code == 0 and "more/pages/s/gone.html: No such file" in said and "row 7 " in said,
          "a page that is missing: %d %s" % (code, said))
    code, said, _ = winnow(*TRAIN, labelled("nothing", [HEAD, "s\tgone\td\t0", "s\t5\td\t1"]),
                           "--out", "none.net")
    check(code == 1 and "no page of 2" in said and not os.path.exists("none.net"),
          "no page to learn from: %d %s" % (code, said))
    code, said, _ = winnow(*TRAIN, labelled("narrow", [r.rsplit("\t", 1)[0] for r in [HEAD] + ROWS]))
    check(code == 0 and "no column suspect" in said, "a column is missing: %s" % said)


def where_to_save():
    """Known before anything is learned, and said once."""
    put("afile", "")
    for words in TRAIN + ["unix"], ["train", "tagger", "--conllu", "one.conllu"]:
        for out in "nosuch/x", "site", "afile/x":
            code, said, shown = winnow(*words, "--out", out)
            check(code == 2 and "--out %s: " % out in said and shown == "" and "saved" not in said,
                  "%s --out %s: %d %s" % (words[:2], out, code, said))
    put("two.dat", "2 1 1\n0\n0\n1\n1\n")
    for out in "nosuch/x", "afile/x":
        code, said, shown = winnow("tenet", "-i", "two.dat", "-o", out)
        check(code == 2 and "--output %s: " % out in said and shown == "", "tenet: %d %s" % (code, said))


def flags_of_no_use():
    put("empty.conllu", "")
    pages, tagger = TRAIN + ["unix"], ["train", "tagger", "--conllu", "one.conllu"]
    for words, fault in ((pages + ["--hidden", "7"], "multiple of 16"),
                         (pages + ["--test", "x"], "--test is only for"),
                         (["train", "--pages", "unix", "more"], "more is not understood"),
                         (tagger + ["extra"], "extra is not understood"),
                         (tagger + ["--pages", "unix"], "--pages is nothing for"),
                         (tagger + ["--context", "net"], "--context is nothing for"),
                         (tagger + ["--one-pass"], "--one-pass is nothing for")):
        code, said, shown = winnow(*words)
        check(code == 2 and fault in said and shown == "", "%s: %d %s" % (words, code, said))
    code, said, shown = winnow(*tagger, "--test", "empty.conllu", "--out", "no.tagger")
    check(code == 1 and "empty.conllu: there is no sentence" in said and
          not os.path.exists("no.tagger"), "an empty --test: %d %s" % (code, said))


def files_of_text():
    """What is text already has no pages to clean."""
    put("page.html", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")
    code, said, _ = winnow("clean", "--format", "wet", "-o", "text.wet", "page.html")
    check(code == 0 and "conversion" not in said, "a page: %d %s" % (code, said))
    code, said, shown = winnow("clean", "text.wet")
    check(code == 3 and "text.wet: conversion records (WET) hold the text" in said and
          shown == "", "a WET file: %d %s" % (code, said))
    known = b'{"Envelope":{"Payload-Metadata":{}}}'
    with open("known.wat", "wb") as f:
        f.write(b"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://a.example/\r\n"
                b"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(known), known))
    code, said, shown = winnow("clean", "known.wat")
    check(code == 3 and "known.wat: metadata records (WAT) hold" in said and shown == "",
          "a WAT file: %d %s" % (code, said))
    os.mkdir("texts")
    for name in ("text.wet", "known.wat"):
        os.link(name, "texts/" + name)
    code, said, shown = winnow("clean", "texts")
    check(code == 0 and ", 2 not_html" in said and shown == "", "a folder: %d %s" % (code, said))
    code, said, _ = winnow("clean", "--format", "markdown", "-o", "text.out", "page.html")
    check(code == 0, "a page as Markdown: %d %s" % (code, said))
    with open("text.out", "rb") as f:
        made = f.read()
    put("plain.md", "# A title\n\nAnd *some* text, which is long enough for anybody.\n")
    put("page.md", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")
    for name in ("text.out", "plain.md"):
        code, said, shown = winnow("clean", name)
        check(code == 3 and name + " is Markdown" in said and shown == "",
              "%s: %d %s\n%s" % (name, code, said, made[:200]))
    code, said, shown = winnow("clean", "page.md")
    check(code == 0 and shown != "", "a page called so: %d %s" % (code, said))


def closed_standard_files():
    """No file takes their numbers, and messages or documents with it."""
    put("page.html", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")

    def closed(fds, *args):
        p = subprocess.run([WINNOW, *args], stdin=subprocess.DEVNULL, timeout=60,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           preexec_fn=lambda: [os.close(fd) for fd in fds])
        return p.returncode, p.stderr, p.stdout

    want = winnow("clean", "page.html")[2]
    for fds in (0,), (1,), (2,), (0, 1, 2):
        code, said, _ = closed(fds, "clean", "--log", "debug", "page.html", "-o", "own.txt")
        check(code == 0 and content("own.txt").decode() == want, "%s closed: %d %s" %
              (fds, code, said))
    code, said, _ = closed((0, 1), "job", "document", "local", "page.html", "-o", "own.txt")
    check(code == 0 and content("own.txt").startswith(b"page.html\t"),
          "a job without stdout: %d %s" % (code, said))
    code, said, _ = closed((1,), "clean", "page.html")
    check(code == 1 and said.count("stdout") == 1 and "Bad file descriptor" in said,
          "no stdout: %d %s" % (code, said))
    code, said, _ = closed((0,), "clean", "-")
    check(code == 3 and "Bad file descriptor" in said, "no stdin: %d %s" % (code, said))
    code, _, shown = closed((2,), "clean", "page.html")
    check(code == 0 and shown == want, "no stderr: %d %s" % (code, shown))


def documents_left_out():
    """Their bytes are not taken for HTML; who names one is told what has it read."""
    put("a.pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n" + b"1 0 obj <<>> stream text endstream " * 40)
    put("a.rtf", "{\\rtf1 Een zin over het water en de dijk.}")
    for name in "a.pdf", "a.rtf":
        code, said, shown = winnow("clean", name)
        check(code == 3 and "convert.types = " + name[2:] in said and "1 unreadable" in said and
              shown == "", "clean %s: %d %s" % (name, code, said))
        code, said, shown = winnow("clean", "--all", name)
        check(code == 0 and "convert.types" not in said and shown != "", "--all: " + said)
        code, said, shown = winnow("try", name)
        check(code != 0 and "convert.types=" + name[2:] in said and shown == "",
              "try %s: %d %s" % (name, code, said))


def folders_named_like_patterns():
    os.makedirs("c[1]/warc")
    put("page.html", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")
    winnow("clean", "--format", "wet", "-o", "c[1]/warc/a.warc.gz", "page.html")
    code, said, _ = winnow("clean", "http://a.example/x")
    check(code == 1 and "No such file" in said and "winnow try" in said, said)
    code, said, _ = winnow("wacz", "-o", "c.wacz", "c[1]")
    check(code == 0 and os.path.exists("c.wacz"), "wacz of c[1]: %d %s" % (code, said))
    for name in "w1.warc.gz", "w[1].warc.gz":
        winnow("clean", "--format", "wet", "-o", name, "page.html")
    code, said, _ = winnow("wacz", "-o", "w.wacz", "w[1].warc.gz")
    with zipfile.ZipFile("w.wacz") as z:
        check(code == 0 and "archive/w[1].warc.gz" in z.namelist(), "wacz of w[1].warc.gz: " + said)
    before = open("w1.warc.gz", "rb").read()
    code, said, _ = winnow("wacz", "-o", "w1.warc.gz", "w[1].warc.gz")
    check(code == 2 and "file.wacz" in said and open("w1.warc.gz", "rb").read() == before,
          "wacz -o *.warc.gz: %d %s" % (code, said))
    put("two.wacz.part", "of the first one")
    with open("two.wacz.part") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, said, _ = winnow("wacz", "-o", "two.wacz", "w[1].warc.gz")
        check(code == 1 and "another process writes it" in said and
              open("two.wacz.part").read() == "of the first one", "two at once: %d %s" % (code, said))
    code, said, _ = winnow("wacz", "-o", "two.wacz", "w[1].warc.gz")
    check(code == 0 and not os.path.exists("two.wacz.part"), "after it has died: " + said)


def folders_that_cannot_be_read():
    """Links to themselves: root may read all others.  They are not taken for empty ones."""
    put("page.html", "<p>" + "Dit is een gewone zin over het water en de dijk. " * 60 + "</p>")
    winnow("clean", "--format", "wet", "-o", "whole/warc/a.warc.gz", "page.html")
    crawl("loops")
    for name in "warc", "corpus":
        if os.path.exists("loops/" + name):
            os.rename("loops/" + name, "loops/was-" + name)
        os.symlink(name, "loops/" + name)
    code, said, _ = winnow("wacz", "-o", "half.wacz", "whole", "loops")
    check(code == 1 and "loops/warc: Too many levels" in said and not os.path.exists("half.wacz"),
          "wacz: %d %s" % (code, said))
    code, said, _ = winnow("frontier", "loops", "--forget", "nobody.test", "--yes")
    check(code != 0 and "loops/corpus: Too many levels" in said, "--forget: %d %s" % (code, said))
    os.makedirs("lost")
    os.symlink("log", "lost/log")
    code, said, _ = winnow("report", "lost")
    check(code == 1 and "lost/log: Too many levels" in said, "report: %d %s" % (code, said))


def dumps():
    """frontier --load names its file; a mark is passed over, what is packed is said."""
    dump = winnow("frontier", crawl("crawl"), "--dump")[2]
    put("dump", dump)
    put("marked", "\ufeff" + dump)
    put("broken", dump.splitlines(True)[0] + "nonsense\n")
    put("void", "")
    put("packed.gz", gzip.compress(dump.encode()))
    for name, want, fault in (("site", 1, "site: Is a directory"), ("marked", 0, ""),
                              ("broken", 1, "broken: line 2 of the dump"),
                              ("void", 1, "void: the file is empty"),
                              ("packed.gz", 1, "packed.gz: it is compressed")):
        code, said, _ = winnow("frontier", "loaded-" + name, "--load", name)
        check(code == want and fault in said, "--load %s: %d %s" % (name, code, said))
    check(winnow("frontier", "loaded-marked", "--dump")[2] == dump, "a dump with a mark")
    code, said, _ = winnow("frontier", "crawl", "--rules", "--json")
    check(code == 2 and "--json goes with --stat" in said, "--rules --json: %d %s" % (code, said))


def crawl(folder):
    """A crawl that fetches nothing: nobody is at home."""
    put("no_hosts", "nobody.test 127.0.0.1:9\n")
    put("seeds.txt", "http://nobody.test/\n")
    winnow("crawl", "--dir", folder, "--quiet", "--set", "seeds.file=seeds.txt", "--set",
           "limits.seconds=1", "--set", "fetch.hosts_file=no_hosts", "--set",
           "output.disk_free_mib=0")
    return folder


def folders_of_seeds():
    code, said, _ = winnow("crawl", "--dir", "c2", "--set", "seeds.file=site", "--set",
                           "output.disk_free_mib=0")
    check(code != 0 and re.search(r"seeds.file: \S*site: Is a directory", said), "seeds.file: %s" % said)
    code, said, _ = winnow("lab", "--web", "site", "--language", "nl", "--seeds", "site")
    check(code != 0 and "--seeds: site: Is a directory" in said and "seeds.file" not in said,
          "lab --seeds: %s" % said)


def who_we_are():
    init = ["init", "bot", "--contact"]
    for words, fault in ((["nonsense"], "--contact nonsense: a mail"), ([""], "--contact : a mail"),
                         (["a@b.example", "--address", "192.0.2.5/24"], "is 192.0.2.0/24"),
                         (["a@b.example", "--address", "2001:db8:1::/33"], "is 2001:db8::/33"),
                         (["a@b.example", "--address", "192.0.2.0/33"], "an address or a range")):
        code, said, _ = winnow(*init, *words)
        check(code == 2 and fault in said and not os.path.exists("bot"),
              "init %s: %d %s" % (words, code, said))
    good = ["--address", "192.0.2.0/24", "--address", "192.0.2.5", "--address", "2001:db8:8000::/33"]
    code, said, _ = winnow(*init, "a@b.example", *good)
    check(code == 0 and said == "", "init: %d %s" % (code, said))
    key = content("bot/key.pem")
    code, said, _ = winnow(*init, "https://b.example/who", "--address", "192.0.2.128/25")
    check(code == 0 and "bot/key.pem is kept" in said and content("bot/key.pem") == key and
          b"https://b.example/who" in content("bot/bot.html") and
          b"192.0.2.128/25" in content("bot/addresses.json"), "init again: %d %s" % (code, said))


def a_lost_log():
    os.makedirs("crawl/corpus", exist_ok=True)
    for lose in os.remove, lambda path: put(path, ""):
        put("crawl/log/crawl.jsonl", "")
        lose("crawl/log/crawl.jsonl")
        code, said, shown = winnow("report", "crawl")
        check("warn" not in said and "Nothing was fetched yet" in shown, "no documents: " + said)
        put("crawl/corpus/part-000001.jsonl", "{}\n")
        code, said, shown = winnow("report", "crawl")
        check("crawl/log/crawl.jsonl: missing or empty" in said and "yet" not in shown and
              "log is lost" in shown, "a lost log: %s%s" % (said, shown))
        os.remove("crawl/corpus/part-000001.jsonl")


def a_log_begun_anew():
    line = ('{"time":"2026-11-27T15:00:00.000Z","url":"http://a.nl/%d","host":"a.nl",'
            '"kind":"page","status":200,"outcome":"FETCHED","verdict":"short"}\n')
    put("crawl/log/crawl.jsonl", line % 1)
    put("crawl/log/crawl.jsonl.1", line % 2)
    put("crawl/log/crawl.jsonl.bak", line % 1)  # somebody's copy
    put("crawl/log/crawl.jsonl.2.gz", gzip.compress((line % 3).encode() + b'{"torn'))
    for lines, lost in (3, None), (2, "crawl.jsonl.1"), (1, "crawl.jsonl.2.gz"):
        if lost:
            os.remove("crawl/log/" + lost)
        code, said, shown = winnow("report", "--json", "crawl")
        check(code == 0 and "warn" not in said and json.loads(shown)["fetched"] == lines,
              "%d logs: %s%s" % (lines, said, shown))
    put("crawl/log/crawl.jsonl.1", gzip.compress((line % 2 * 9).encode())[:40])
    code, said, shown = winnow("report", "crawl")
    check(code == 0 and "crawl.jsonl.1" in said, "a damaged log: %d %s" % (code, said))
    os.remove("crawl/log/crawl.jsonl.1")
    put("crawl/log/crawl.jsonl.1.xz", lzma.compress((line % 2).encode()))
    code, said, shown = winnow("report", "--json", "crawl")
    check(code == 0 and "crawl.jsonl.1.xz: no line" in said and json.loads(shown)["fetched"] == 1,
          "a log that nobody reads: %d %s" % (code, said))
    os.remove("crawl/log/crawl.jsonl.1.xz")


def several_crawls():
    """report of two has a line of each and the sum, and leaves the folders as they are."""
    line = ('{"time":"2026-11-27T15:0%d:00.000Z","url":"http://a.nl/%d","host":"a.nl","kind":"page",'
            '"status":200,"outcome":"FETCHED","verdict":"%s","bytes":9,"received":4000000,"kept_bytes":5}\n')
    for name, verdicts in ("one", ("kept", "short")), ("two", ("short", "kept", "kept")):
        os.makedirs(name + "/log")
        put(name + "/log/crawl.jsonl", "".join(line % (i, i, v) for i, v in enumerate(verdicts)))
    code, said, shown = winnow("report", "one", "two")
    rows = [l.split() for l in shown.splitlines()[-3:]]
    check(code == 0 and rows == [["2", "1", "0.5000", "0", "8.0", "0.0", "one"],
                                 ["3", "2", "0.6667", "0", "12.0", "0.0", "two"],
                                 ["5", "3", "0.6000", "0", "20.0", "0.0", "sum"]], said + shown)
    check("(120 s)" in shown and os.listdir("one") == os.listdir("two") == ["log"], shown)
    code, said, shown = winnow("report", "--json", "one", "two")
    report = json.loads(shown)
    alone = json.loads(winnow("report", "--json", "two")[2])
    check(code == 0 and len(report["crawls"]) == 2 and report["crawls"][1] == alone, said + shown)
    for name, value in report["sum"].items():
        check(name.startswith("yield_ratio") or name == "milliseconds" or
              value == sum(c[name] for c in report["crawls"]), "sum of " + name)
    check(report["sum"]["kept"] == 3 and report["sum"]["yield_ratio"] == .6, shown)
    check(set(k for k, v in alone.items() if isinstance(v, int)) - set(report["sum"]) ==
          {"duplicates_saved", "hosts_n", "mirrors_n"}, "not all is added up: " + shown)
    for args, wanted in (("one", "./one/"), "given twice"), (("one", "two", "-o", "x"), "of one DIR"):
        code, said, _ = winnow("report", *args)
        check(code == 2 and wanted in said, "%s: %d %s" % (args, code, said))
    code, said, shown = winnow("report", "one", "nowhere")
    check(code == 1 and "nowhere" in said and shown == "", said + shown)


def pages_of_one_domain():
    """Nothing is learned, and nothing saved, when no page could be classified unseen."""
    text = "<p>Dit is een lange zin over het water en de dijk die er ligt.</p>" * 9
    for i in range(3):
        put("labelled/pages/s/%d.html" % i, "<ul><li><a href=/>Home</a></ul>" + text)
        put("labelled/truth/s/%d.txt" % i, re.sub("<.*?>", " ", text))
    for domains, more, wanted in (["a.nl"] * 3, [], "several domains"), \
            (["a.nl", "b.nl", "c.nl"], ["--leave-set-out"], "of one set"):
        put("labelled/manifest.tsv", "set\tid\tdomain\tsuspect\n" +
            "".join("s\t%d\t%s\t0\n" % (i, d) for i, d in enumerate(domains)))
        code, said, shown = winnow("train", "--pages", "labelled", "--out", "labelled.net", *more)
        check(code == 1 and wanted in said and shown == "" and not os.path.exists("labelled.net"),
              "train: %d %s%s" % (code, said, shown))


def folders_of_others():
    """Who may only read a crawl has the figures of its report, and is told what is not to be had."""
    winnow_for_all = os.path.abspath("theirs/winnow")
    crawl("theirs")
    shutil.copy(WINNOW, winnow_for_all)
    os.chmod(".", 0o755)
    os.chmod("theirs", 0o555)

    def as_somebody():
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(SOMEBODY)
            os.setuid(SOMEBODY)

    def call(*args):
        p = subprocess.run([winnow_for_all, *args], capture_output=True, text=True, timeout=60,
                           preexec_fn=as_somebody)
        return p.returncode, p.stderr, p.stdout
    code, said, shown = call("report", "theirs")
    check(code == 0 and "Crawl theirs" in shown and "no tables and no plot: theirs: Permission denied" in said,
          "report: %d %s%s" % (code, said, shown))
    code, said, shown = call("report", "theirs", "--json", "--out", "theirs/report")
    check(code == 1 and "theirs/report" in said and json.loads(shown), "report --out: %d %s" % (code, said))
    os.chmod("theirs/frontier/lock.mdb", 0o444)
    code, said, _ = call("frontier", "theirs", "--stat")
    check(code != 0 and "write to its lock.mdb" in said, "--stat: %d %s" % (code, said))
    os.chmod("theirs", 0o755)
    os.mkdir("theirs/report", 0o555)
    code, said, _ = call("report", "theirs", "--json")
    check(code == 0 and "no tables and no plot: theirs/report: Permission denied" in said, "%d %s" % (code, said))


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-tools-") as folder:
        os.chdir(folder)
        for part in outputs, standard_output, a_limit_on_the_size_of_files, manifests, where_to_save, flags_of_no_use, files_of_text, \
                closed_standard_files, \
                folders_named_like_patterns, folders_that_cannot_be_read, documents_left_out, dumps, \
                folders_of_seeds, who_we_are, a_lost_log, a_log_begun_anew, several_crawls, \
                folders_of_others, pages_of_one_domain:
            part()
        os.chdir("/")
    print("FAIL" if checks.failed else "ok  ", "what a tool cannot use is said")
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
