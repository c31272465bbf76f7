#!/usr/bin/env python3
"""run_input.py -- what `winnow run` reads: damaged and odd files, and files that change.

usage: run_input.py WINNOW

Of a damaged input the documents before the damage are kept and the damage is counted by
name, whatever the form and wherever it is.
"""
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

import checks
from checks import check

WINNOW = os.path.abspath(sys.argv[1])
PAGES = os.path.abspath("tests/cases/clean")


def run(folder, pipeline, inputs, out, *more, code=0):
    """Run the pipeline's text in the folder; counters as a dict, and what was logged."""
    with open(folder + "/pipeline.txt", "w") as f:
        f.write(pipeline)
    p = subprocess.run([WINNOW, "run", "pipeline.txt", "-i", inputs, "-o", out, *more],
                       cwd=folder, capture_output=True, text=True, timeout=60)
    check(p.returncode == code, "%s -o %s: exit %d\n%s" % (inputs, out, p.returncode,
                                                         p.stderr[-2000:]))
    return {tuple(line.split("\t")[:2]): int(line.split("\t")[2])
            for line in p.stdout.splitlines()}, p.stderr


def put(folder, name, data):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def records(n):
    return b"".join(json.dumps({"url": "http://a/%d" % i, "text": "Text %d." % i}).encode() + b"\n"
                    for i in range(n))


def leipzig(n):
    return b"".join(b"<source><location>http://a/%d</location></source>\nText %d.\n" % (i, i)
                    for i in range(n))


def zstd(data):
    return subprocess.run(["zstd", "-c"], input=data, capture_output=True, check=True).stdout


def counted(folder, name, data, **expected):
    """The counters of job document over a file of these bytes; those not named are 0."""
    put(folder, name, data)
    code = 3 if expected.keys() & {"damaged", "rejected"} else 0
    counters, err = run(folder, "d = document < input\n", name, name + ".out", code=code)
    check(("unread=" in err) == (code == 3), "%s: %s" % (name, err))
    names = {"documents": "documents", "damaged": "inputs damaged",
             "rejected": "records rejected"}
    for key, counter in names.items():
        got, wanted = counters.get(("d", counter)), expected.get(key, 0)
        check(wanted(got) if callable(wanted) else got == wanted,
              "%s: %s of %s" % (name, got, counter))
    check(len(err) < 5000, "%s: %d bytes of log" % (name, len(err)))
    return err


def damaged(folder):
    def some(n):
        return 0 < n < 20000
    for name, data in ("j.gz", gzip.compress(records(20000))), ("j.zst", zstd(records(20000))), \
            ("l.gz", gzip.compress(leipzig(20000))):
        err = counted(folder, name, data[:len(data) * 2 // 3], documents=some, damaged=1)
        check(name in err and "damaged compression" in err, err)
    bad = bytearray(gzip.compress(records(20000)))
    bad[len(bad) // 2:len(bad) // 2 + 9] = b"\xff" * 9
    counted(folder, "flipped.gz", bytes(bad), documents=lambda n: n < 20000, damaged=1,
            rejected=lambda n: True)  # what was flipped may decode to anything
    counted(folder, "whole.gz", gzip.compress(records(50)), documents=50)


def odd_beginnings(folder):
    """The first line says what a file is, even if it is blank, torn or far too long."""
    text = b"\xef\xbb\xbf\n \n" + records(3)
    counted(folder, "blank.jsonl", text, documents=3)
    counted(folder, "blank.leipzig", b"\n\n" + leipzig(3), documents=3)
    counted(folder, "empty.jsonl", b"\n\n")
    big = b'{"url":"http://a/","text":"%s"}\n' % b"".join(b"w%d " % i for i in range(9000))
    for name in "first.gz", "first.zst":
        packed = gzip.compress(big) if name.endswith("gz") else zstd(big)
        err = counted(folder, name, packed[:len(packed) * 2 // 3], damaged=1)
        check(name in err, err)
    counted(folder, "nothing.gz", gzip.compress(records(50))[:40], damaged=1)
    for made in 0x0430a00a, 0x30303030:  # a header with ends of lines, and one without
        twice = gzip.compress(gzip.compress(records(50), mtime=made), mtime=made)
        counted(folder, "twice.gz", twice[:60], damaged=1)
    counted(folder, "long.jsonl", b'{"text":"' + b"x" * (17 << 20) + b'"}\n' + records(3),
            documents=3, rejected=1)
    counted(folder, "joined.jsonl", records(2)[:-1] + records(2), documents=2, rejected=1)
    put(folder, "stdin.gz", gzip.compress(records(50))[:40])
    with open(folder + "/stdin.gz", "rb") as f:
        p = subprocess.run([WINNOW, "job", "document", "map"], stdin=f, capture_output=True,
                           text=True, timeout=60)
    check(p.returncode == 0 and "inputs damaged,1" in p.stderr, p.stderr)


def texts_in_other_forms(folder):
    """XML, TEI and vertical text are no pages: they are named, and count as damaged."""
    for form in "xml", "tei", "vertical":
        name = "texts." + form
        made = subprocess.run([WINNOW, "clean", "-f", form, PAGES + "/nl-article.html"],
                              capture_output=True, check=True).stdout
        err = counted(folder, name, made, damaged=1)
        check("file=" + name in err and "JSON lines" in err, err)
    put(folder, "like1.jsonl", records(5))
    put(folder, "like[1].jsonl", records(2))
    counters, _ = run(folder, "d = document < like[1].jsonl\n", "like1.jsonl", "like.out")
    check(counters["d", "documents"] == 2, "like[1].jsonl was taken for a pattern")
    counted(folder, "page.html", open(PAGES + "/nl-article.html", "rb").read(), documents=1)


def unread_is_said_again(folder):
    """A run that goes on with finished stages ends with the same exit code."""
    put(folder, "torn.jsonl", records(3) + b'{"url":')
    for more in "w = ngram column=4 < d\n", "", "w = ngram n=2 column=4 < d\n":
        counters, _ = run(folder, "d = document < input\n" + more, "torn.jsonl", "torn", code=3)
        check(counters[("d", "records rejected")] == 1, counters)
    put(folder, "torn.jsonl", records(3))
    run(folder, "d = document < input\n", "torn.jsonl", "torn")


def names_of_others(folder):
    """JSON lines say the same of documents whatever --fields calls it."""
    def said(fields):
        subprocess.run([WINNOW, "clean", "--all", "--join", "-f", "jsonl", "--fields", fields, "-u",
                        "http://a.example/", "-o", fields, PAGES, "dated.html"], cwd=folder,
                       capture_output=True, check=True)
        p = subprocess.run([WINNOW, "job", "document", "map", fields + ".jsonl"], cwd=folder,
                           capture_output=True, check=True, timeout=60)
        return [(d.split("\t")[0], re.findall("<(id|timestamp|language)>([^<]*)", d),
                 d.split("\t")[3].replace(' heading="1"', ""), re.findall("<date>([^<]*)", d))
                for d in p.stdout.decode().splitlines()]
    put(folder, "dated.html", b"<meta property=article:published_time content=2020-03-04T10:00:00Z>"
        b"<title>A day</title><p>A page that says when it was written.")
    ours = said("winnow")
    check(len(ours) > 8 and any(d[3] for d in ours), "%d documents" % len(ours))
    for fields in "fineweb", "dolma", "oscar":
        theirs = said(fields)
        check([d[:3] for d in theirs] == [d[:3] for d in ours], fields)
        check(all(bool(d[3]) == (fields == "dolma" and bool(o[3])) for d, o in zip(theirs, ours)),
              fields + ": dates of pages")


def warc(n):
    def one(i):
        words = b"".join(b"<p>This is paragraph %d of document %d, and it is as long as it has to "
                         b"be so that somebody would like to read it.</p>" % (k, i)
                         for k in range(12))
        body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><title>T</title>" + words
        return gzip.compress(
            b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\n"
            b"WARC-Date: 2026-01-01T00:00:00Z\r\n"
            b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\n"
            b"Content-Type: application/http; msgtype=response\r\n"
            b"Content-Length: %d\r\n\r\n" % (i, i, len(body)) + body + b"\r\n\r\n")
    return b"".join(one(i) for i in range(n))


def half_an_archive(folder):
    whole = warc(60)
    counted(folder, "whole.warc.gz", whole, documents=60)
    counted(folder, "half.warc.gz", whole[:len(whole) // 2 + 99], damaged=1,
            documents=lambda n: 20 < n < 40)


def cleaned_before(folder):
    """A run over what clean --missing has made of archives has the documents of one over them."""
    for n in range(2):
        put(folder, "many%d.warc.gz" % n, warc(40 + n))
    args = [WINNOW, "clean", "--missing", "-f", "jsonl", "-o", "cleaned/"]
    for archives in (["many0.warc.gz"], ["many0.warc.gz", "many1.warc.gz"]):
        said = subprocess.run([*args, *archives], cwd=folder, check=True, capture_output=True, text=True).stderr
    check("1 files whose results were there" in said, said)
    lines = []
    for inputs, out in ("many*.warc.gz", "of_archives"), ("cleaned/*.jsonl", "of_cleaned"):
        run(folder, "d = document < input\n", inputs, out)
        lines.append(sorted(lines_of(folder, out, "d")))
    check(len(lines[0]) >= 40 and lines[0] == lines[1], "cleaned before: %d and %d lines" % (
        len(lines[0]), len(lines[1])))


def killed_behind(folder, n, pipeline, inputs, out, *more):
    """A run that is killed when `n` archives are cleaned and it waits for the next, a FIFO."""
    with open(folder + "/pipeline.txt", "w") as f:
        f.write(pipeline)
    with open(folder + "/killed.log", "w") as log:
        p = subprocess.Popen([WINNOW, "run", "pipeline.txt", "-i", inputs, "-o", out, "--threads", "1", *more],
                             cwd=folder, stdout=log, stderr=log)
        until = time.monotonic() + 60
        while p.poll() is None and time.monotonic() < until and \
                len(glob.glob("%s/%s/*.kept/*.done" % (folder, out))) < n:
            time.sleep(.02)
        check(p.poll() is None, "it did not wait for the FIFO")
        p.kill()
        p.wait()


def made_useless(path):
    """Other bytes that nothing can be made of, but the file looks as it did."""
    was = os.stat(path)
    with open(path, "r+b") as f:
        f.write(b"x" * was.st_size)
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def parts_of(folder, out):
    return [open(p, "rb").read() for p in sorted(glob.glob("%s/%s/[dw]/part-*" % (folder, out)))]


def killed_while_cleaning(folder):
    """Archives that a killed run has cleaned are not cleaned again; what changed is."""
    pipeline = "d = document < input\nw = ngram column=4 < d\n"
    whole = [warc(30), warc(33)[:-900], warc(36)]
    def put_all(n):
        for i in range(n):
            put(folder, "k%d.warc.gz" % i, whole[i])
            os.utime("%s/k%d.warc.gz" % (folder, i), (i + 1, i + 1))
    def kill(out, *more):
        put_all(2)
        if os.path.exists(folder + "/k2.warc.gz"):
            os.remove(folder + "/k2.warc.gz")
        os.mkfifo(folder + "/k2.warc.gz")
        killed_behind(folder, 2, pipeline, "k?.warc.gz", out, *more)
        os.remove(folder + "/k2.warc.gz")
        put(folder, "k2.warc.gz", whole[2])
        check(len(glob.glob("%s/%s/*.kept/*.done" % (folder, out))) == 2, out + ": two are kept")
    put_all(3)
    wanted, _ = run(folder, pipeline, "k?.warc.gz", "unbroken", "--threads", "1", code=3)
    check(wanted[("d", "documents")] > 90 and wanted[("d", "inputs damaged")] == 1, wanted)
    kill("broken")
    for i in range(2):
        made_useless("%s/k%d.warc.gz" % (folder, i))
    got, err = run(folder, pipeline, "k?.warc.gz", "broken", "--threads", "1", code=3)
    check(got == wanted and "files=3 kept=2" in err, "%s\n%s" % (got, err))
    check(parts_of(folder, "broken") == parts_of(folder, "unbroken"), "not the parts of an unbroken run")
    check(sorted(os.listdir(folder + "/broken")) == ["counters.tsv", "d", "lock", "w"],
          os.listdir(folder + "/broken"))
    kill("other-input")  # one that has changed
    put(folder, "k1.warc.gz", warc(3))
    made_useless(folder + "/k0.warc.gz")
    got, err = run(folder, pipeline, "k?.warc.gz", "other-input")
    check("files=3 kept=1" in err and got[("d", "duplicates")] == 33, "%s\n%s" % (got, err))
    kill("other-options")
    for more in ("-D", "test-length=9"), ("--set", "clean.chars_min=100000"):
        got, err = run(folder, pipeline, "k?.warc.gz", "other-options", *more, code=3)
        check("files=3 kept=0" in err, err)
    check(got[("d", "documents")] == 0, "cleaned with other options: %s" % got)
    kill("torn")  # what was kept cannot be read: said once, and cleaned again
    for path in glob.glob(folder + "/torn/d.kept/*.zst"):
        with open(path, "r+b") as f:
            f.truncate(os.path.getsize(path) // 2)
    for turn in range(3):
        p = subprocess.run([WINNOW, "run", "pipeline.txt", "-i", "k?.warc.gz", "-o", "torn", "--threads", "1"],
                           cwd=folder, capture_output=True, text=True, timeout=60)
        if p.returncode == 3:
            break
        check(p.returncode == 1 and "damaged compression" in p.stderr, p.stderr)
    check(p.returncode == 3 and parts_of(folder, "torn") == parts_of(folder, "unbroken"), p.stderr)


def lines_of(folder, out, stage):
    parts = sorted(glob.glob(glob.escape(os.path.join(folder, out, stage)) + "/part-*.zst"))
    check(parts, "no parts of %s/%s" % (out, stage))
    if not parts:
        return []
    text = subprocess.run(["zstdcat"] + parts, capture_output=True, check=True).stdout
    return sorted(text.decode().splitlines())


def changed_input(folder):
    """The output's name begins the input's, or the input stands in the output's folder."""
    pipeline = "w = ngram < input\n"
    os.mkdir(folder + "/words")
    for name, given in ("words.txt", "words.txt"), ("words/in.txt.gz", "words/*.txt.gz"):
        pack = gzip.compress if name.endswith("gz") else bytes
        for text, count in (b"a b\n", 2), (b"a b\nc d e\n", 5):
            put(folder, name, pack(text))
            run(folder, pipeline, given, "words")
            lines = lines_of(folder, "words", "w")
            check(len(lines) == count, "%s: %s" % (name, lines))
        _, err = run(folder, pipeline, given, "words")
        check("stage=" not in err, "done again, though nothing has changed: " + err)


def changed_words(folder):
    """A file that an option names is input, too."""
    put(folder, "text.jsonl", json.dumps({"url": "http://a/", "language": "de",
                                          "text": "Das kostet den qqq. Zehn Euro."}).encode() + b"\n")
    pipeline = "d = document < input\ns = sentence < d\nt = token < s\n"
    for words, count in (b"never: zzz\n", 2), (b"never: qqq\n", 1):
        put(folder, "more.txt", words)
        counters, err = run(folder, pipeline, "text.jsonl", "with-words", "-D", "words=more.txt")
        check("stage=s " in err and "stage=t " in err, "%s: not done again: %s" % (words, err))
        check(counters.get(("s", "sentences")) == count, "%s: %s" % (words, counters))
    _, err = run(folder, pipeline, "text.jsonl", "with-words", "-D", "words=more.txt")
    check("stage=" not in err, "done again, though nothing has changed: " + err)
    os.remove(folder + "/more.txt")
    put(folder, "bad.txt", b"never: zzz\nno list\n")
    for name, said in ("more.txt", "No such file"), ("bad.txt", "line 2"), (".", "directory"):
        for out in "with-words", "none-yet":  # said once, before anything is read
            _, err = run(folder, pipeline, "text.jsonl", out, "-D", "words=" + name, code=2)
            check(err.count("words=" + name) == 1 and said in err and "stage=" not in err, err)
    p = subprocess.run([WINNOW, "run", "webcorpsu", "-i", "text.jsonl", "-o", "none-yet"],
                       cwd=folder, capture_output=True, text=True, timeout=60)
    check(p.returncode == 2 and "webcorpsu: No such file" in p.stderr and
          "webcorpus or vertical" in p.stderr.splitlines()[0], p.stderr)
    check(not os.path.exists(folder + "/none-yet"), "a folder was made")


def conversion(url, text, more="", length=None):
    body = text.encode()
    return ("WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: %s\r\n"
            "WARC-Date: 2024-05-18T01:58:10Z\r\nWARC-Record-ID: <urn:uuid:%s>\r\n%s"
            "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
            % (url, "ba729a40-ff84-4085-8d48-0a5b2ee0c42d", more, length or len(body))
            ).encode() + body + b"\r\n\r\n"


def texts_of_pages(folder):
    """WET files, our own and Common Crawl's, need no cleaning: their text is read."""
    pages = sorted(glob.glob(PAGES + "/*.html"))[:9]
    p = subprocess.run([WINNOW, "clean", "--all", "-f", "wet,jsonl", "--join", "-o",
                        folder + "/made", *pages], capture_output=True, text=True)
    check(p.returncode == 0, p.stderr)
    stages = "d = document < input\n"
    columns = {}
    for name in "made.wet", "made.jsonl":
        run(folder, stages, name, "of-" + name)
        columns[name] = {
            (url, text.replace(' heading="1"', ""), *(re.search("<%s>.*?</%s>" % (e, e), source + "<%s></%s>" % (e, e))[0]
                          for e in ("id", "language")))
            for url, source, _, text in (line.split("\t")
                                         for line in lines_of(folder, "of-" + name, "d"))}
    check(len(columns["made.wet"]) > 4 and columns["made.wet"] == columns["made.jsonl"],
          columns["made.wet"] ^ columns["made.jsonl"])
    info = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    cc = [info, conversion("http://a.example/", "Un texto.\nOtro <b>.\n",
                           "WARC-Identified-Content-Language: spa,eng\r\n"
                           "WARC-Refers-To: <urn:uuid:2aabeff2-67f5-4608-8466-e87c6296e2b6>\r\n"),
          conversion("http://b.example/", "")]
    put(folder, "cc.warc.wet.gz", b"".join(map(gzip.compress, cc)))
    counters, err = run(folder, stages, "cc.warc.wet.gz", "cc")
    check(counters[("d", "documents")] == 1 and
          counters[("d", "documents without text")] == 1, counters)
    url, source, _, text = lines_of(folder, "cc", "d")[0].split("\t")
    check("<id>2aabeff2-67f5-4608-8466-e87c6296e2b6</id>" in source and
          "<timestamp>2024-05-18T01:58:10.000Z</timestamp>" in source and
          "<language>es</language>" in source, source)
    check(text == "<p>Un texto.</p><p>Otro &lt;b&gt;.</p>", text)
    whole = conversion("http://c.example/", "Noch ein Text.")
    put(folder, "cut.wet", info + whole + conversion("http://d.example/", "Kurz.", length=99))
    counters, _ = run(folder, stages, "cut.wet", "cut", code=3)
    check(counters[("d", "documents")] == 2 and counters[("d", "inputs damaged")] == 1, counters)
    with open(folder + "/cc.warc.wet.gz", "rb") as f:
        p = subprocess.run([WINNOW, "job", "document", "local", "-D", "input-format=wet"],
                           stdin=f, capture_output=True, text=True)
    check(p.returncode == 0 and p.stdout.count("\n") == 1, p.stderr)
    put(folder, "none.warc", whole.replace(b"conversion", b"metadata"))
    _, err = run(folder, stages, "none.warc", "none", "-D", "input-format=wet", code=1)
    check("no WET file" in err, err)


def documents_as_json(folder):
    """What the stages have kept comes out as JSON lines, which are input again."""
    text = 'Die Mühle\nEr sagte: "a < b" & ging.  Dann kam er an.\n'
    record = {"id": "i", "url": "http://a/", "title": "T & t", "text": text, "headings": "0",
              "author": "A", "date": "2024-05-18T01:58:10.000+02:00", "language": "de",
              "timestamp": "2024-05-19T01:58:10.000Z", "badness": 0.5, "boilerplate_mean": 1}
    put(folder, "own.jsonl", json.dumps(record).encode() + b"\n" +
        json.dumps({"url": "http://b/", "text": "Kurz."}).encode() + b"\n")
    stages = ("d = document < input\ns = sentence < d\nq = quality drop=0 rules=words-min < s\n"
              "j = jsonl < q\n")
    run(folder, stages, "own.jsonl", "as-json")
    first, second = sorted(map(json.loads, lines_of(folder, "as-json", "j")),
                           key=lambda r: r["url"])
    for key, value in record.items():
        check(first[key] == (value.replace("  ", " ") if key == "text" else value),
              "%s: %s" % (key, first[key]))
    check([(k, type(v)) for k, v in first.items()] == [(k, type(v)) for k, v in second.items()],
          "types: %s, %s" % (first, second))
    check(second["badness"] == second["boilerplate_mean"] == -1 and second["masked"] == 0 and
          second["title"] == "" and second["reject"] == "words-min", second)
    put(folder, "again.jsonl", b"".join(json.dumps(r).encode() + b"\n" for r in (first, second)))
    run(folder, stages, "again.jsonl", "json-again")
    check(lines_of(folder, "as-json", "j") == lines_of(folder, "json-again", "j"), "not the same")


def settings_that_nothing_begins_with(folder):
    """Said before the first stage, not after the hours that the ones before take."""
    put(folder, "one.jsonl", records(1))
    stages = "d = document < input\ns = sentence < d\n"
    for last, said in (("l = language lang=klingon < s", 'lang="klingon"'),
                       ("q = quality rules=nonsense < d", "name no rule"),
                       ("t = token < s\na = annotate lang=klingon < t", "no tagger")):
        _, err = run(folder, stages + last + "\n", "one.jsonl", "not-begun", code=1)
        check(err.count(said) == 1 and "does not begin" in err and "job=document" not in err, err)
        check(not os.path.exists(folder + "/not-begun"), "a folder was made")


def folders_as_input(folder):
    """The files in it are named; said before anything is read."""
    os.makedirs(folder + "/texts")
    put(folder, "texts/a.jsonl", records(1))
    _, err = run(folder, "d = document < input\n", "texts", "no-files", code=2)
    check("texts: is a folder" in err and "'texts/*'" in err and "stage=" not in err, err)
    for tool in (["tender", "-o", "b"], ["tecl", "-b", "one.jsonl", "-o", "u"]):
        p = subprocess.run([WINNOW, *tool, "-i", "texts"], cwd=folder, capture_output=True,
                           text=True)
        check(p.returncode == 2 and "is a folder" in p.stderr, p.stderr)
    for name in "provenance.json", "nl.provenance.json":
        put(folder, "texts/" + name, b'{"program":"winnow clean","options":{}}\n')
    counters, _ = run(folder, "d = document < input\n", "texts/*", "files")
    check(counters["d", "documents"] == 1 and counters["d", "documents without URL"] == 0,
          "what made them is no document: %s" % counters)
    _, err = run(folder, "d = document < input\n", "texts/*provenance*", "none", code=2)
    check("there is no such file" in err, err)
    counters, _ = run(folder, "d = document < input\n", "texts/nl.provenance.json", "named")
    check(counters["d", "documents without URL"] == 1, "but who names it means it: %s" % counters)


def wildcards_in_the_output(folder):
    """Wildcards in the folder's name are letters as others."""
    put(folder, "few.jsonl", records(30))
    pipeline = "d = document < input\nw = ngram column=4 < d\nc = pair-count limit=9 < w\n"
    plain, _ = run(folder, pipeline, "few.jsonl", "plain")
    for out in "o[1]", "o*", "o?", "o\\x":
        os.makedirs(folder + "/o1/d")  # what o[1] would match
        put(folder, "o1/d/part-00000.zst", b"of somebody else")
        for _ in range(2):
            counters, err = run(folder, pipeline, "few.jsonl", out)
            check(counters == plain, "%s: %s" % (out, counters))
            lines = lines_of(folder, out, "w")
            check(len(lines) == 31 and lines == lines_of(folder, "plain", "w"), out)
        check("stage=" not in err, "done again, though nothing has changed: " + err)
        run(folder, pipeline, "few.jsonl", out, "-D", "d.test-length=7")  # over what is there
        check(os.listdir(folder + "/o1/d") == ["part-00000.zst"], "another folder was emptied")
        shutil.rmtree(folder + "/o1")
        check(sorted(os.listdir(os.path.join(folder, out))) ==
              ["c", "counters.tsv", "d", "lock", "w"], os.listdir(os.path.join(folder, out)))


def parts_that_are_gone(folder):
    put(folder, "some.txt", b"a b c\n" * 99)
    pipeline = "w = ngram < input\nt = pair-count limit=999 < w\n"
    first, _ = run(folder, pipeline, "some.txt", "gone", "--threads", "2")
    wanted = lines_of(folder, "gone", "w")
    for left in 1, 0:
        for part in sorted(glob.glob(folder + "/gone/w/part-*.zst"))[left:]:
            os.remove(part)
        again, err = run(folder, pipeline, "some.txt", "gone", "--threads", "2")
        check(again == first and lines_of(folder, "gone", "w") == wanted, "%d parts left" % left)
        check("parts are missing" in err and "stage=w " in err, err)


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-run-input-") as folder:
        damaged(folder)
        odd_beginnings(folder)
        texts_in_other_forms(folder)
        unread_is_said_again(folder)
        names_of_others(folder)
        half_an_archive(folder)
        cleaned_before(folder)
        killed_while_cleaning(folder)
        changed_input(folder)
        changed_words(folder)
        settings_that_nothing_begins_with(folder)
        texts_of_pages(folder)
        documents_as_json(folder)
        folders_as_input(folder)
        wildcards_in_the_output(folder)
        parts_that_are_gone(folder)
    sys.exit(1 if checks.failed else 0)


main()
