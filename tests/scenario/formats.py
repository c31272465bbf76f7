#!/usr/bin/env python3
"""The files `winnow clean` writes, read by other programs' rules.

usage: formats.py WINNOW

XML by expat (and xmllint, if there), JSON by Python, vertical text line by line against its registry,
WARC records by their lengths; compressed, joined and split files against plain
ones; nothing unfinished under a final name after an interrupt.
"""
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
PAGES = os.path.abspath("tests/cases/clean")
FORMATS = "text xml jsonl vertical cwb wet links tokens shingles tender metrics"
ENDINGS = "txt xml jsonl vert vrt wet links tokens shingles tender metrics"


def clean(*args, code=(0,)):
    p = subprocess.run([WINNOW, "clean", *args], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    check(p.returncode in code,
          f"{args}: exit {p.returncode}: {p.stderr.decode()}")
    return p


def read(path):
    with open(path, "rb") as f:
        return f.read()


def xml(path):
    wrapped = read(path)
    if shutil.which("xmllint"):
        p = subprocess.run(["xmllint", "--noout", "-"], input=wrapped,
                           stderr=subprocess.PIPE, check=False)
        check(p.returncode == 0, "xmllint: " + p.stderr.decode()[:500])
    return len(ElementTree.fromstring(wrapped).findall("doc"))


def jsonl(path):
    docs = [json.loads(line) for line in read(path).splitlines()]
    check(all(d["id"] and "text" in d for d in docs), "jsonl fields")
    return docs


def registry(path):
    """Structures and attributes, of either system."""
    names = set()
    struct = ""
    for line in read(path).decode().splitlines():
        word = line.split()
        if word[:1] == ["STRUCTURE"]:
            struct = word[1].replace("_", ".", 1)
            names.add(struct)
        elif line.startswith("\tATTRIBUTE"):
            names.add(struct + "." + word[1])
    return names


def unescape(s):
    for a, b in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'),
                 ("&apos;", "'"), ("&amp;", "&")):
        s = s.replace(a, b)
    return s


def vertical(path, references, known):
    """Line by line; the texts of the documents, built from the tokens."""
    tag = re.compile(r'<(doc|p)((?: [a-z][a-z0-9_]*="[^"<>]*")*)>$')
    docs, stack, line_text, glue = [], [], "", False
    for line in read(path).decode().split("\n")[:-1]:
        m = tag.match(line)
        if m:
            stack.append(m.group(1))
            check(m.group(1) in known, f"{m.group(1)} not in registry")
            for name in re.findall(r' ([a-z0-9_]+)="', m.group(2)):
                check(f"{m.group(1)}.{name}" in known, f"{name} not in registry")
            if m.group(1) == "doc":
                docs.append("")
            line_text, glue = "", False
        elif line in ("</p>", "</doc>"):
            check(stack and stack.pop() == line[2:-1], f"unbalanced {line}")
            if line == "</p>":
                docs[-1] += line_text + "\n"
        elif line == "<g/>":
            check(line_text != "" and not glue, "<g/> between two tokens")
            glue = True
        else:
            check(stack == ["doc", "p"], "token outside of <p>")
            check(line != "" and not re.search(r"[\t ]", line), f"token {line}")
            check(not line.startswith("<"), f"token {line} looks like a tag")
            if references:
                check(not re.search(r"[<>]|&(?!lt;|gt;|amp;|quot;|apos;)",
                                    line), f"token {line} not escaped")
                line = unescape(line)
            elif line.startswith("&lt;"):
                line = "<" + line[4:]
            line_text += ("" if glue or not line_text else " ") + line
            glue = False
    check(stack == [], "open structures at the end")
    return docs


def wet(data):
    """The texts behind the warcinfo record."""
    texts = []
    head, _, rest = data.partition(b"\r\n\r\n")
    check(b"\r\nWARC-Type: warcinfo\r\n" in head + b"\r\n", "warcinfo")
    n = int(re.search(rb"Content-Length: (\d+)", head).group(1))
    check(rest[n:n + 4] == b"\r\n\r\n", "length of warcinfo")
    data = rest[n + 4:]
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:])
        n = int(fields["Content-Length"])
        check(lines[0] == "WARC/1.1", "version")
        check(fields["WARC-Type"] == "conversion", "type")
        check(re.match(r"<urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}>$",
                       fields["WARC-Record-ID"]), "record id")
        check(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$",
                       fields["WARC-Date"]), "date")
        check(rest[n:n + 4] == b"\r\n\r\n", "length of a record")
        texts.append(rest[:n].decode())
        data = rest[n + 4:]
    return texts


def blanks(text):
    """Vertical text has the lines of code as one paragraph."""
    return " ".join(text.split())


def every_format_can_be_read(tmp):
    base = os.path.join(tmp, "all")
    clean("--all", "--join", "--format", FORMATS.replace(" ", ","), "-o", base,
          "--url", "http://a.example/", PAGES)
    n = xml(base + ".xml")
    docs = jsonl(base + ".jsonl")
    check(n == len(docs) > 5, f"{n} XML records, {len(docs)} of JSON")
    texts = [d["text"] for d in docs]
    check(read(base + ".txt").decode() == "".join(texts), "text")
    check(wet(read(base + ".wet")) == texts, "texts of wet")
    for ending, references in (("vert", False), ("vrt", True)):
        known = registry(f"{base}.{ending}.registry")
        check({"doc", "doc.url", "p", "p.bp"} <= known, "registry")
        got = vertical(f"{base}.{ending}", references, known)
        check([blanks(t) for t in got] == [blanks(t) for t in texts],
              f"text out of {ending}")
    for line in read(base + ".links").decode().splitlines():
        source, target, badness, value = line.split("\t")
        check(source.startswith("http://a.example/"), "source")
        check(target.startswith("http") and 0 <= float(value) <= 1, "link")
        check(badness == "" or 0 <= float(badness) <= 51, "badness")
    for line in read(base + ".tender").splitlines(keepends=True):
        check(re.match(rb"\d{20} [0-9a-f-]{36} \d{10}\n$", line), "tender line")
    for line in read(base + ".shingles").decode().splitlines():
        check(re.match(r"[0-9a-f-]{36}\t\d+\t\d+\t[0-9a-f]{800}\t([0-9a-f]{8})+\t"
                       r"[a-z]+/100/5/\d+$", line),
              "shingle line")
    check(read(base + ".tokens").count(b"# ") == len(docs), "token heads")
    check(read(base + ".metrics").count(b"# ") == len(docs), "metrics heads")


def compressed_and_split_files_hold_the_same(tmp):
    plain, packed = os.path.join(tmp, "plain"), os.path.join(tmp, "packed")
    sub = ["--all", "--format", "jsonl,wet,vertical"]
    clean(*sub, "-o", plain, "--join", PAGES)
    clean(*sub, "-o", packed, "--join", "--compress", "gzip", PAGES)
    for ending in ("jsonl", "vert"):
        check(gzip.decompress(read(f"{packed}.{ending}.gz")) ==
              read(f"{plain}.{ending}"), f"{ending}.gz")
    check(wet(gzip.decompress(read(packed + ".wet.gz"))) ==
          wet(read(plain + ".wet")), "wet.gz")
    magic = b"\x1f\x8b\x08"
    check(read(packed + ".wet.gz").count(magic) >= len(
        wet(read(plain + ".wet"))), "a member for each record of wet")
    check("zcat" in read(packed + ".vert.registry").decode(), "zcat")
    clean(*sub, "-o", os.path.join(tmp, "zst"), "--join", "--compress", "zstd",
          PAGES)
    check(read(os.path.join(tmp, "zst.jsonl.zst"))[:4] == b"\x28\xb5\x2f\xfd",
          "zstd magic")
    big = os.path.join(tmp, "big")
    os.mkdir(big)
    page = read("tests/cases/clean/nl-article.html").decode()
    for i in range(900):
        with open(os.path.join(big, f"{i:04}.html"), "w",
                  encoding="utf-8") as f:
            f.write(page.replace("<title>", f"<title>{i} "))
    out = os.path.join(tmp, "split", "x")
    bare = ["--set", "output.xml_header=off"] # so that parts can be joined
    clean("--format", "xml,vertical", "--split-mib", "1", "-o", out, *bare,
          "--links", os.path.join(tmp, "side.gz"), big)
    clean("--format", "xml", "--join", "-o", os.path.join(tmp, "whole"), *bare,
          big)
    files = sorted(f for f in os.listdir(os.path.dirname(out))
                   if f.endswith(".xml"))
    parts = [read(os.path.join(os.path.dirname(out), f)) for f in files]
    check(len(parts) > 1 and files[0] == "x-00001.xml", f"files {files}")
    check(all(p.endswith(b"</doc>\n") for p in parts), "no document is split")
    check(all(len(p) >= 1 << 20 for p in parts[:-1]), "size of parts")
    check(b"".join(parts) == read(os.path.join(tmp, "whole.xml")),
          "parts in the order of the inputs")
    command = re.search(r'VERTICAL "\| (.*)"',
                        read(out + ".vert.registry").decode()).group(1)
    printed = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE,
                             check=False).stdout
    check(printed.count(b"</doc>\n") == 900, "the registry's command")
    check(len(gzip.decompress(read(os.path.join(tmp, "side.gz"))).splitlines())
          % 900 == 0, "the ending of a side file asks for compression")


def mirrored_folders_get_every_format(tmp):
    out = os.path.join(tmp, "mirror")
    clean("--format", "text,vertical", "--compress", "gzip", "-o", out, PAGES,
          code=(0, 3))
    check(os.path.exists(out + "/nl-article.txt.gz"), "mirrored text")
    command = re.search(r'VERTICAL "\| (.*)"', read(
        out + "/corpus.vert.registry").decode()).group(1)
    printed = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE,
                             check=False).stdout
    n = sum(f.endswith(".vert.gz") for f in os.listdir(out))
    check(printed.count(b"<doc ") == n > 0, "registry of a folder")
    one = os.path.join(tmp, "one.xml.gz")
    clean("--format", "xml", "-o", one, PAGES + "/nl-article.html")
    check(gzip.decompress(read(one)).startswith(b"<?xml "), "one.xml.gz")
    clean("--format", "xml", "-o", "/dev/null", PAGES + "/nl-article.html")
    check(not os.path.isfile("/dev/null"), "/dev/null stays what it is")


def an_interrupt_leaves_nothing_unfinished(tmp):
    big, out = os.path.join(tmp, "big"), os.path.join(tmp, "cut")
    os.mkdir(out)
    fifo = os.path.join(big, "0500.html")
    os.unlink(fifo)
    os.mkfifo(fifo)  # a file named on the command line that never ends
    p = subprocess.Popen([WINNOW, "clean", "--set", "clean.threads=1",
                          "--format", "xml,links", "--join", "-o", out + "/x",
                          *(os.path.join(big, f"{i:04}.html")
                            for i in range(495, 510))],
                         stderr=subprocess.PIPE)
    writer = os.open(fifo, os.O_WRONLY)  # it has come to the pipe
    before = os.listdir(out)
    p.send_signal(signal.SIGINT)
    time.sleep(0.2)
    os.close(writer)
    p.wait(60)
    p.stderr.close()
    check(p.returncode == 130, f"exit {p.returncode}")
    check(before and not any(f.endswith((".xml", ".links")) for f in before),
          f"final names too early: {before}")
    check(os.listdir(out) == [], f"left: {os.listdir(out)}")


def a_crawl_writes_every_format(tmp):
    job, out = os.path.join(tmp, "job.ini"), os.path.join(tmp, "crawl")
    site = Site(make_pages(1, 8, 5))
    site.write_hosts(os.path.join(tmp, "hosts"))
    formats = "xml jsonl vertical cwb wet links tokens shingles"
    with open(job, "w", encoding="utf-8") as f:
        f.write(f"""[seeds]
url = http://{sorted(site.web)[0]}/0.html
[limits]
wait_seconds = 1
[politeness]
delay_ms = 10
[clean]
badness_max = 1000
chars_min = 10
[fetch]
hosts_file = hosts
[dedup]
near = 0
[output]
format = {formats}
""")
    p = subprocess.run([WINNOW, "crawl", job, "--dir", out], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    site.close()
    check(p.returncode == 0, p.stderr.decode())
    got = {}
    for name in os.listdir(out + "/corpus"):
        if not name.endswith(".gz"):
            continue # what says how it was made
        got[name.split(".")[1]] = gzip.decompress(
            read(f"{out}/corpus/{name}"))
    check(set(got) == set("xml jsonl vert vrt wet links tokens shingles"
                          .split()), f"files {sorted(got)}")
    docs = [json.loads(line) for line in got["jsonl"].splitlines()]
    check(len(docs) == 8 and all(d["ip"] == "127.0.0.1" and d["timestamp"]
                                 for d in docs), "documents of the crawl")
    check(sorted(wet(got["wet"])) == sorted(d["text"] for d in docs), "wet")
    check(got["shingles"].count(b"\n") == 8, "shingles")
    command = re.search(r'VERTICAL "\| (.*)"',
                        read(out + "/corpus.vert.registry").decode()).group(1)
    printed = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE,
                             check=False).stdout
    check(printed == got["vert"] and printed.count(b"<doc ") == 8,
          "the registry's command")


def wrong_usage_is_named(tmp):
    page = PAGES + "/nl-article.html"
    for args, words in (
            (["--format", "xml,pdf", page], "pdf: no such format"),
            (["--format", "xml,xml", page], "given twice"),
            (["--format", "xml,text", page], "-o OUT"),
            (["--join", page], "-o OUT"),
            (["--split-mib", "0", "-o", tmp + "/z", page], "--split-mib 0"),
            (["--compress", "rar", page], "gzip, zstd or none"),
            (["--fields", "c4", page], "--fields")):
        p = clean(*args, code=(2,))
        check(words in p.stderr.decode(), f"{args}: {p.stderr.decode()}")


def inputs_that_are_not_there_are_counted(tmp):
    page = PAGES + "/nl-article.html"
    zipped = tmp + "/zipped.warc.gz"
    with open(zipped, "wb") as f:
        f.write(b"PK\x03\x04")
    p = clean("-o", tmp + "/some", tmp + "/none", page, zipped, tmp + "/gone",
              PAGES + "/de-empty.html", code=(3,))
    log = p.stderr.decode()
    check(os.path.exists(tmp + "/some/nl-article.txt"), "the page is cleaned")
    check(re.search(r"\b3 unreadable", log), f"three of them: {log}")
    for name in "/none", "/gone", "/zipped.warc.gz":
        check(tmp + name in log, f"{name} in {log}")


# What headers and markup may hold and no text should: controls, line ends, noncharacters,
# bytes that are no UTF-8; as bytes, and as references and escapes.
ODD = "\x01\x0b\x1b\x7f\x80\x85\x9f\u2028\ufdd0\ufffe\uffff\U0001fffe".encode() + b"\x80\xff\xed\xa0\x80"
REFERENCES = b"&#x1;&#x7f;&#x80;&#x85;&#x2028;&#xfdd0;&#xfffe;&#xffff;&#x1fffe;"
ESCAPES = rb"\u0001\u0080\u0085\u2028\ud800\ufdd0\ufffe\uffff"
UNFIT = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff\U0001fffe]")
FACTS = ("id url mime language charset title keywords description author date date_modified site section image "
         "licence page_type canonical rights rights_signals robots language_declared last-modified "
         "header-server header-content-usage header-content-type")


def odd_pages():
    """WARC records: each header, and each piece of markup, with ODD in it."""
    names = (b"robots description keywords author date article:section dc.title dc.rights tdm-reservation "
             b"tdm-policy content-usage og:title og:image og:type og:site_name citation_author").split()
    text = b"<p>" + b"Dit is een gewone zin over het water en de dijk. " * 40
    for odd in ODD, REFERENCES:
        head = b"".join(b'<meta name="%s" content="a%sz">' % (name, odd) for name in names)
        head += b'<link rel=canonical href="http://a.example/%s"><link rel=license href="http://b/%s">' % (odd, odd)
        head += (b'<script type="application/ld+json">{"@type":"Article","headline":"h%sz","author":{"name":"n%sz"},'
                 b'"image":"http://i/%s","license":"http://l/%s"}</script>' % ((ESCAPES,) * 4))
        yield b"", (b"<html lang='nl%s'><title>T%sz</title>%s<h1>H%sz</h1><a href='http://b/%s'>a%sz</a>%s"
                    % (odd, odd, head, odd, odd, odd, text))
    for name in (b"Content-Type: text/html; x=", b"Last-Modified: ", b"Content-Usage: train-ai=n", b"Server: ",
                 b"Content-Signal: ai-train=no, x", b"X-Robots-Tag: noai, ", b"Content-Language: nl"):
        yield name + b"a" + ODD + b"z\r\n", b"<title>T</title>" + text


def what_is_no_text_is_in_no_field(tmp):
    with open(tmp + "/odd.warc", "wb") as f:
        for n, (header, body) in enumerate(odd_pages()):
            if b"Content-Type" not in header:
                header += b"Content-Type: text/html; charset=utf-8\r\n"
            http = b"HTTP/1.1 200 OK\r\n" + header + b"\r\n" + body
            f.write(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\n"
                    b"WARC-Date: 2024-05-31T10:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
                    b"Content-Length: %d\r\n\r\n" % (n, len(http)) + http + b"\r\n\r\n")
    for form in FORMATS.split() + ["tei", "markdown", "page"]:
        data = clean("--all", "--format", form, "--set", "output.metadata_sources=all", "--set", "output.links=on",
                     "--set", "output.vertical_attributes=" + FACTS, "--set", "output.xml_doc_meta=" + FACTS,
                     "--set", "output.xml_doc_container=" + FACTS, tmp + "/odd.warc").stdout.decode()
        if form in ("jsonl", "page"):
            data = "\n".join(json.dumps(json.loads(line), ensure_ascii=False).replace("\\u", "")
                             for line in data.split("\n") if line)
        found = UNFIT.search(data.replace("\r\n", "\n") if form == "wet" else data)
        check(found is None, "%s: %r" % (form, data[found.start() - 40:found.start() + 4] if found else ""))
        if form in ("xml", "tei"):
            ElementTree.fromstring(data.encode())


def main():
    with tempfile.TemporaryDirectory() as tmp:
        return checks.run([every_format_can_be_read, compressed_and_split_files_hold_the_same,
                           mirrored_folders_get_every_format,
                           an_interrupt_leaves_nothing_unfinished, a_crawl_writes_every_format,
                           inputs_that_are_not_there_are_counted,
                           what_is_no_text_is_in_no_field, wrong_usage_is_named], tmp)


sys.exit(main())
