#!/usr/bin/env python3
"""one_id.py -- a document has one id, wherever it is named.

usage: one_id.py WINNOW [CASE...]

Crawls of a made-up web: the ids in crawl log, dedup index, WARC files and every
format of the corpus are the same, of two captures of a page different, also when
a crawler is killed between storing a page and reporting it; that a page was cut
is said as in its WARC files.  Then texrex's tender and tecl, as strict readers of
their own (texrex_tools.py), on our files.
"""
import ctypes
import glob
import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
import texrex_tools  # noqa: E402
from made_web import paragraph  # noqa: E402
from web_server import Server  # noqa: E402

UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
FORMATS = ("text xml jsonl markdown tei vertical cwb wet links tokens shingles tender "
           "metrics index page tarc")  # all
CLEAN = {"language": "nl", "badness_max": 1000, "chars_min": 100, "threads": 2}


def check(good, what):
    if not good:
        raise AssertionError(what)


def page(title, paragraphs, links=()):
    return ("<!doctype html><html lang=nl><head><meta charset=utf-8><title>%s</title>"
            "</head><body><nav>%s</nav><article>%s</article></body></html>" % (
                title, "".join('<a href="%s">%s</a> ' % (l, l) for l in links),
                "".join("<p>%s</p>\n" % p for p in paragraphs))).encode()


def write_job(folder, site, settings):
    with open(folder + "/hosts", "w") as f:
        f.write("a.test %s\n" % site.address)
    sections = {"seeds": {"url": "http://a.test/"}, "politeness": {"delay_ms": 20},
                "limits": {"wait_seconds": 1}, "clean": CLEAN, "dedup": {"near": 0},
                "fetch": {"hosts_file": "hosts"}, "frontier": {"patience": 0},
                "output": {"format": FORMATS, "warc": "on", "disk_free_mib": 0}}
    # dedup.pub makes the service write what it decides into DIR/verdicts.
    sections["dedup"]["pub"] = "ipc://%s/pub.ipc" % folder
    for section, keys in settings.items():
        sections.setdefault(section, {}).update(keys)
    with open(folder + "/job.ini", "w") as f:
        for section, keys in sections.items():
            f.write("[%s]\n%s\n" % (section, "\n".join("%s = %s" % e for e in keys.items())))
    return folder + "/job.ini"


def crawl(winnow, folder, job):
    p = subprocess.run([winnow, "crawl", job, "--dir", folder + "/crawl", "--quiet"],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, timeout=120)
    check(p.returncode == 0, "crawl: %d\n%s" % (p.returncode, p.stdout[-2000:]))


# ---- who names documents: lists of (url or None, id) ----

def stored(folder, ending, group="corpus"):
    """What files of a format hold, in order; bytes."""
    out = b""
    for path in sorted(glob.glob("%s/%s/part-*.%s*" % (folder, group, ending))):
        with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as f:
            out += f.read()
    return out.decode()


def records(data):
    """(fields, block) of uncompressed WARC records; warcinfo is left out."""
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        fields = dict(l.split(": ", 1) for l in head.decode().split("\r\n")[1:])
        n = int(fields["Content-Length"])
        if fields["WARC-Type"] != "warcinfo":
            yield fields, data[:n]
        data = data[n + 4:]


def urn(field):
    check(field.startswith("<urn:uuid:") and field.endswith(">"), field)
    return field[10:-1]


def by_format(folder):
    read = {name: stored(folder, name) for name in
            "jsonl xml wet vert tokens shingles tender metrics".split()}
    wet = list(records(read["wet"].encode()))
    check(not {urn(f["WARC-Record-ID"]) for f, _ in wet} &
          {urn(f["WARC-Refers-To"]) for f, _ in wet}, "a record refers to itself")
    return {
        "jsonl": [(d["url"], d["id"]) for d in map(json.loads, read["jsonl"].splitlines())],
        "xml": re.findall(r'^<doc url="([^"]*)" id="([^"]*)"', read["xml"], re.M),
        "wet": [(f["WARC-Target-URI"], urn(f["WARC-Refers-To"])) for f, _ in wet],
        "vertical": [(u, i) for i, u in
                     re.findall(r'^<doc id="([^"]*)" url="([^"]*)"', read["vert"], re.M)],
        "tokens": [(None, i) for i in re.findall(r"^# (\S+)\t", read["tokens"], re.M)],
        "metrics": [(None, i) for i in re.findall(r"^# (\S+)\t", read["metrics"], re.M)],
        "shingles": [(None, l.split("\t")[0]) for l in read["shingles"].splitlines()],
        "tender": [(None, l[21:57]) for l in read["tender"].splitlines()[::100]]}


def log_lines(folder):
    with open(folder + "/log/crawl.jsonl") as f:
        return [json.loads(line) for line in f]


def responses(folder):
    """(url, id, status line) of every answer in the WARC files."""
    out = []
    for path in sorted(glob.glob(folder + "/warc/*.warc.gz")):
        with gzip.open(path) as f:
            out += [(fields["WARC-Target-URI"], urn(fields["WARC-Record-ID"]),
                     block.split(b"\r\n")[0].decode())
                    for fields, block in records(f.read())
                    if fields["WARC-Type"] in ("response", "revisit")]
    return out


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def expected_id(url, time_text, xxh=ctypes.CDLL("libxxhash.so.0").XXH3_128bits):
    """Of URL and moment, as document_id.h has it."""
    xxh.restype = Hash128
    xxh.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    seconds = time.strptime(time_text[:19], "%Y-%m-%dT%H:%M:%S")
    ms = __import__("calendar").timegm(seconds) * 1000 + int(time_text[20:23])
    h = xxh(url.encode(), len(url.encode()))
    key = b"".join(n.to_bytes(8, "big") for n in (h.high, h.low, ms))
    h = xxh(key, len(key))
    digits = list("%016x%016x" % (h.high, h.low))
    digits[12] = "8"
    digits[16] = "89ab"[int(digits[16], 16) & 3]
    text = "".join(digits)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def clean_again(winnow, folder, threads):
    p = subprocess.run([winnow, "clean", "--format", "jsonl"] +
                       ["--set=clean.%s=%s" % (k, threads if k == "threads" else v)
                        for k, v in CLEAN.items()] + [folder + "/warc"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    check(p.returncode == 0, p.stderr)
    return [json.loads(line) for line in p.stdout.splitlines()]


# ---- the cases ----

def the_id_is_the_same_everywhere(winnow, folder):
    rng = random.Random(1)
    text = lambda: [paragraph(rng) for _ in range(4)]  # noqa: E731
    names = ["/same", "/news", "/copy", "/more?a=1&b=2"]
    pages = {name: page(name, text()) for name in names}
    pages["/"] = page("start", text(), names)
    pages["/copy"] = pages["/same"]
    second = page("news", text())

    def answer(_host, path, headers):
        body = pages.get(path)
        tag = '"%x"' % (hash(body) & 0xffffffff)
        if body is not None and headers.get("If-None-Match") == tag:
            return 304, {"ETag": tag}, b""
        return (200 if body else 404, {"Content-Type": "text/html", "ETag": tag},
                body or b"<p>not here")

    site, out = Server(answer), folder + "/crawl"
    try:
        job = write_job(folder, site, {"recrawl": {
            "interval_seconds": 3, "interval_min_seconds": 1, "interval_max_seconds": 999}})
        crawl(winnow, folder, job)
        pages["/news"] = second
        time.sleep(3)
        crawl(winnow, folder, job)
    finally:
        site.close()
    log = [e for e in log_lines(out) if e.get("id")]
    kept = [(e["url"], e["id"]) for e in log if e["verdict"] == "kept"]
    check(sum(url == "http://a.test/news" for url, _ in kept) == 2, "news changed: %s" % kept)
    check(len({i for _, i in kept}) == len(kept) == 5, "an id for each: %s" % kept)
    check(any(e["verdict"] == "exact_duplicate" for e in log), "a copy was met")
    for e in log:
        check(UUID.match(e["id"]), "%s is no UUID" % e["id"])
        check(e["id"] == expected_id(e["url"], e["time"]), "the id of %s" % e)
    for name, named in by_format(out).items():
        named = [(u and u.replace("&amp;", "&"), i) for u, i in named]
        want = kept if named[0][0] else [(None, i) for _, i in kept]
        check(sorted(named, key=str) == sorted(want, key=str),
              "%s has %s, the log %s" % (name, named, want))
    answers = responses(out)
    check(len({i for _, i, _ in answers}) == len(answers), "WARC record ids are unique")
    fetched = [(u, i) for u, i, status in answers if " 200 " in status and u[-4:] != ".txt"]
    check(sorted(fetched) == sorted((e["url"], e["id"]) for e in log),
          "WARC has %s, the log %s" % (fetched, log))
    verdicts = [json.loads(line) for line in stored(out, "jsonl", "verdicts").splitlines()]
    check(sorted((v["url"], v["id"], v["verdict"]) for v in verdicts) ==
          sorted((e["url"], e["id"], e["verdict"]) for e in log),
          "the service says %s, the log %s" % (verdicts, log))
    check([v["of"] for v in verdicts if v["of"]] ==
          [i for u, i in kept if u in ("http://a.test/same", "http://a.test/copy")],
          "a copy of what: %s" % verdicts)
    with open(out + "/dedup/records.log", "rb") as f:
        index = f.read()
    for e in log:
        check(bytes.fromhex(e["id"].replace("-", "")) in index, "%s is in no index" % e)
    again, threads = ([(d["url"], d["id"], d["text"]) for d in clean_again(winnow, out, n)]
                      for n in (1, 4))
    check(again == threads, "threads change ids")
    corpus = {d["id"]: (d["url"], d["text"]) for d in
              map(json.loads, stored(out, "jsonl").splitlines())}
    found = {i: (u, t) for u, i, t in again}
    check(len(found) == len(again) and corpus.items() <= found.items(),
          "offline %s, in the crawl %s" % (found.keys(), corpus.keys()))


def a_page_fetched_anew_after_a_kill_is_one_document(winnow, folder):
    """The frontier stands still from the moment the page is sent: the crawler stores
    the page and cannot report it; then both are killed."""
    rng, services, served = random.Random(2), [], []
    start = page("start", [paragraph(rng) for _ in range(4)], ["/page"])
    ever = [paragraph(rng) for _ in range(3)]

    def answer(_host, path, _headers):
        if path == "/robots.txt":
            return 404, {"Content-Type": "text/plain"}, b""
        if path == "/page":
            if not served:
                os.kill(services[0].pid, signal.SIGSTOP)
            served.append(path) # each time with other words
            return 200, {"Content-Type": "text/html"}, page(
                "page", ever + ["Vandaag nummer %d. " % len(served) + paragraph(rng)])
        return 200, {"Content-Type": "text/html"}, start

    def start_frontier():
        services.append(subprocess.Popen([winnow, "frontier", job, "--dir", out],
                                         stdin=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL))

    site, out = Server(answer), folder + "/crawl"
    try:
        job = write_job(folder, site, {"frontier": {
            "url": "ipc://%s/frontier.ipc" % folder, "lease_seconds": 60, "patience": 0}})
        start_frontier()
        command = [winnow, "crawl", job, "--dir", out, "--quiet"]
        first = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until, done = time.time() + 60, []
        while not done and time.time() < until and first.poll() is None:
            time.sleep(.05)
            if os.path.exists(out + "/log/crawl.jsonl"):
                done = [e for e in log_lines(out) if e["url"] == "http://a.test/page"]
        for killed in first, services[0]: # the report is in a socket
            killed.kill()
            killed.wait()
        start_frontier()
        check(done, "the page was never stored")
        p = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           text=True, timeout=60)
        check(p.returncode == 0, p.stderr[-2000:])
    finally:
        for s in services:
            s.kill()
            s.wait()
        site.close()
    check(len(served) == 2, "asked for %d times" % len(served))
    lines = [e for e in log_lines(out) if e["url"] == "http://a.test/page"]
    check([e["verdict"] for e in lines] == ["kept", "kept"], "verdicts: %s" % lines)
    captures = [i for u, i, _ in responses(out) if u == "http://a.test/page"]
    check(len(set(captures)) == 2, "WARC has two captures: %s" % captures)
    for name, named in by_format(out).items():
        check(len(named) == 2 and [i for _, i in named].count(captures[0]) == 1,
              "%s has %s" % (name, named))
    check({e["id"] for e in lines} == {captures[0]},
          "the log says %s, stored is %s" % (lines, captures[0]))


def a_page_that_was_cut_says_so_everywhere(winnow, folder):
    rng = random.Random(4)
    pages = {"/": page("start", [paragraph(rng) for _ in range(4)], ["/long"]),
             "/long": page("long", [paragraph(rng) for _ in range(200)])}

    def answer(_host, path, _headers):
        return 200 if path in pages else 404, {"Content-Type": "text/html"}, pages.get(path, b"")

    site, out = Server(answer), folder + "/crawl"
    try:
        crawl(winnow, folder, write_job(folder, site, {"fetch": {
            "hosts_file": "hosts", "body_max": 8192}}))
    finally:
        site.close()
    cut = {d["url"][13:]: d["cut"] for d in map(json.loads, stored(out, "jsonl").splitlines())}
    check(cut == {"/": False, "/long": True}, "the corpus says cut: %s" % cut)
    again = {d["url"][13:]: d["cut"] for d in clean_again(winnow, out, 1)}
    check(again == cut, "winnow clean says %s" % again)


def texrex_finds_and_removes_near_duplicates(winnow, folder):
    rng = random.Random(3)
    os.mkdir(folder + "/pages")
    for i in range(10):
        text = [paragraph(rng) for _ in range(8)]
        versions = {"%d" % i: text}
        if i < 4:
            versions["%d-copy" % i] = text[:-1] + [text[-1][:200]]
        for name, paragraphs in versions.items():
            with open("%s/pages/%s.html" % (folder, name), "wb") as f:
                f.write(page(name, paragraphs))
    p = subprocess.run([winnow, "clean", "--join", "--format", "xml,tender", "--url",
                        "http://a.test/"] + ["--set=clean.%s=%s" % e for e in CLEAN.items()] +
                       ["-o", folder + "/corpus", folder + "/pages"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    check(p.returncode == 0, p.stderr)
    with open(folder + "/corpus.tender", newline="\n") as f:
        blacklist = texrex_tools.tender(f)
    with open(folder + "/corpus.xml", newline="\n") as f:
        left = "".join(texrex_tools.tecl(f, blacklist))
    urls = re.findall(r'^<doc url="http://a.test/([^"]*).html"', left, re.M)
    check(sorted(urls) == [str(i) for i in range(10)], "left: %s" % urls)
    programs = os.environ.get("WINNOW_TEXREX_BIN")
    if programs:
        real, kept = texrex_tools.run_programs(programs, folder)
        # tender never looks at the last pair that it has made.
        check(real <= blacklist and len(real) == len(blacklist) - 1, "tender: %s" % real)
        check(kept == 14 - len(real), "tecl keeps %d documents" % kept)
        print("     texrex's own programs agree")


CASES = [the_id_is_the_same_everywhere, a_page_fetched_anew_after_a_kill_is_one_document,
         a_page_that_was_cut_says_so_everywhere,
         texrex_finds_and_removes_near_duplicates]


def main():
    return checks.run_apart(CASES, "id", os.path.abspath(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
