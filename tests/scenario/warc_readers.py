#!/usr/bin/env python3
"""warc_readers.py -- the WARC and WET files of `winnow clean` and of a crawl, as
warcio, FastWARC (both from PyPI) and jwarc (from Maven) read them.

usage: warc_readers.py WINNOW FOLDER-FOR-CONSUMERS

Every file begins with a warcinfo record that names it, every record has a
digest that is right and an id of its own, and is alone in its gzip member or zstd
frame (which FastWARC reads; warcio gets the text, jwarc nothing).  A conversion
record names the response it is made of.  Responses say what
protocols they came through.  Exit 77: no page archive or no packages.
"""
import glob
import gzip
import http.server
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
import consumers  # noqa: E402
from made_web import Site, make_pages  # noqa: E402
import zstd_read  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("WINNOW_DATA",
                      os.path.expanduser("~/.cache/winnow-data"))
ARCHIVE = os.path.join(DATA, "texrex-golden", "small.warc")


def run(*args, code=0, **more):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False, **more)
    check(p.returncode == code, "%s: exit %d: %s" % (
        " ".join(args)[:200], p.returncode, p.stderr.decode()[-800:]))
    return p.stdout


def members(path):
    """The texts of the gzip members of a file."""
    with open(path, "rb") as f:
        rest = f.read()
    texts = []
    while rest:
        one = zlib.decompressobj(31)
        texts.append(one.decompress(rest))
        if not one.eof:
            check(False, path + ": a member is cut off")
            break
        rest = one.unused_data
    return texts


def records_alone(path):
    """Each member is one record: header, block, two line ends."""
    for text in ([t for _, _, t in zstd_read.frames(path)[1]]
                 if path.endswith(".zst") else members(path)):
        head, _, rest = text.partition(b"\r\n\r\n")
        length = int(re.search(rb"\r\nContent-Length: (\d+)", head).group(1))
        check(text.startswith(b"WARC/1.1\r\n") and len(rest) == length + 4,
              path + ": a member is not one record")


def plain(path):
    """What warcio can read."""
    if not path.endswith(".zst"):
        return path
    with open(path + ".plain", "wb") as f:
        f.write(zstd_read.text(path))
    return path + ".plain"


def field(record, name):
    return [v for k, v in record["headers"] if k.lower() == name.lower()]


class Readers:
    def __init__(self, folder):
        self.python = consumers.python(folder, "warc", ["warcio", "fastwarc"])
        jars = consumers.java(folder, "jwarc", "org.netpreserve:jwarc:0.31.1")
        self.jwarc = ["java", "-jar", glob.glob(jars + "/jwarc*.jar")[0]]

    def read(self, paths):
        """{path: records}, the same for all readers."""
        found = {}
        said = run(self.python, os.path.join(HERE, "warc_load.py"), *paths)
        for line in said.decode().splitlines():
            file = json.loads(line)
            path, records = file["path"], file["records"]
            found[path] = records
            ids = [field(r, "WARC-Record-ID")[0] for r in records]
            check(len(set(ids)) == len(ids), path + ": ids are not unique")
            check([i for i, _ in file["fast"]] == ids, path + ": FastWARC's ids")
            check(all(good for _, good in file["fast"]),
                  path + ": a digest is wrong to FastWARC")
            check(field(records[0], "WARC-Type") == ["warcinfo"],
                  path + ": no warcinfo")
            check(field(records[0], "WARC-Filename") in
                  ([os.path.basename(path)], []), path + ": WARC-Filename")
            if path.endswith((".gz", ".zst")):
                records_alone(path)
            said = run(self.python, "-m", "warcio.cli", "check", "-v",
                       plain(path))
            revisits = said.count(b"not checked (revisit)")
            check(said.count(b"digest pass") == len(records) - revisits and
                  revisits == sum(field(r, "WARC-Type") == ["revisit"]
                                  for r in records),
                  path + ": warcio check: " + said.decode()[-500:])
        paths = [path for path in paths if not path.endswith(".zst")]
        said = run(*self.jwarc, "validate", *paths)
        check(b"error" not in said.lower() and b"invalid" not in said.lower(),
              "jwarc validate: " + said.decode()[-500:])
        for path in paths:
            said = run(*self.jwarc, "ls", path)
            check(len(said.splitlines()) == len(found[path]),
                  path + ": jwarc ls: " + said.decode()[:300])
        return found


def cleaned(winnow, tmp, readers):
    base = os.path.join(tmp, "all")
    run(winnow, "clean", "--all", "--join", "--format", "wet,jsonl", "--compress",
        "gzip", "-o", base, ARCHIVE)
    run(winnow, "clean", "--all", "--format", "wet", "--split-mib", "1",
        "--compress", "gzip", "-o", os.path.join(tmp, "split"), ARCHIVE)
    run(winnow, "clean", "--all", "--format", "wet", "-o",
        os.path.join(tmp, "plain.wet"), ARCHIVE)
    piped = os.path.join(tmp, "piped.wet.gz")
    with open(piped, "wb") as f:
        f.write(run(winnow, "clean", "--all", "--format", "wet", "--compress",
                    "gzip", ARCHIVE))
    paths = sorted(glob.glob(tmp + "/*.wet*"))
    found = readers.read(paths)
    check(len(paths) >= 4, "files %s" % paths)
    with gzip.open(base + ".jsonl.gz", "rt", encoding="utf-8") as f:
        documents = {d["id"]: d for d in map(json.loads, f)}
    made = found[base + ".wet.gz"][1:]
    check(len(made) == len(documents) > 50, "records %d" % len(made))
    for record in made:
        source = field(record, "WARC-Refers-To")[0][len("<urn:uuid:"):-1]
        check(field(record, "WARC-Type") == ["conversion"] and
              record["text"] == documents[source]["text"] and
              field(record, "WARC-Target-URI") == [documents[source]["url"]],
              "record of " + source)
    again = [r for p in paths if "split" in p for r in found[p][1:]]
    check(again == made and found[piped][1:] == made and
          found[tmp + "/plain.wet"][1:] == made, "the same records everywhere")


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = list(make_pages(1, 1, 7).values())[0]["/0.html"]
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def tls_server():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("tests/cases/tls/peer.pem")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def crawled(winnow, tmp, readers, compression="gzip", pages_n=30):
    site, server = Site(make_pages(2, pages_n, 5), 0.001), tls_server()
    first, second = sorted(site.web)
    site.web[first]["/0.html"] = site.web[second]["/twin.html"] = \
        site.web[first]["/0.html"].replace(
            b"<ul>", b"<ul><li><a href='http://%s/twin.html'>x</a>" %
            second.encode())
    job = os.path.join(tmp, "job.ini")
    out = os.path.join(tmp, "crawl-" + compression)
    site.write_hosts(os.path.join(tmp, "hosts"))
    secure = "https://127.0.0.1:%d/" % server.server_address[1]
    with open(job, "w", encoding="ascii") as f:
        f.write("""[seeds]
url = http://%s/0.html %s
[limits]
wait_seconds = 1
[politeness]
delay_ms = 5
[clean]
badness_max = 1000
chars_min = 10
[fetch]
hosts_file = hosts
allow_private = 127.0.0.0/8
tls_verify = off
[dedup]
near = 0
[output]
format = wet jsonl
split_mib = 1
warc = on
warc_compression = %s
warc_dictionary_mib = 1
warc_records = request revisit metadata conversion
""" % (sorted(site.web)[0], secure, compression))
    run(winnow, "crawl", job, "--dir", out, "--quiet")
    site.close()
    server.shutdown()
    texts = sorted(glob.glob(out + "/corpus/*.wet.gz"))
    archives = sorted(glob.glob(out + "/warc/*.warc.*"))
    found = readers.read(texts + archives)
    responses = {field(r, "WARC-Record-ID")[0]: r for p in archives
                 for r in found[p] if field(r, "WARC-Type") == ["response"]}
    kinds = [field(r, "WARC-Type")[0] for p in archives for r in found[p]]
    made = [r for p in texts for r in found[p][1:]]
    check(kinds.count("revisit") == 1 and
          kinds.count("request") == len(responses) + 1 and
          kinds.count("conversion") == len(made) and
          kinds.count("metadata") > len(made), "kinds of records")
    check(all(field(r, "WARC-Identified-Payload-Type") == ["text/html"]
              for r in responses.values() if r["text"].startswith("<!doc")),
          "payload types")
    check(len(made) > 50 and len(responses) > len(made), "records of the crawl")
    for record in made:
        source = responses.get(field(record, "WARC-Refers-To")[0])
        check(source is not None and field(source, "WARC-Target-URI") ==
              field(record, "WARC-Target-URI"), "source of a conversion record")
    for record in responses.values():
        protocol = field(record, "WARC-Protocol")
        if field(record, "WARC-Target-URI") == [secure]:
            check(protocol == ["http/1.1", "tls/1.3"], "protocol %s" % protocol)
            check(re.match(r"TLS_[A-Z0-9_]+$",
                           field(record, "WARC-Cipher-Suite")[0]), "cipher")
        elif not field(record, "WARC-Target-URI")[0].startswith("https"):
            check(protocol in (["http/1.1"], ["http/1.0"]),
                  "protocol %s" % protocol)
            check(not field(record, "WARC-Cipher-Suite"), "cipher without TLS")
    check(any(field(r, "WARC-Target-URI") == [secure]
              for r in responses.values()), "no page came through TLS")


def crawled_in_zstd(winnow, tmp, readers):
    """So many pages that a dictionary is learnt of them."""
    crawled(winnow, tmp, readers, "zstd", 200)
    dictionaries = [zstd_read.frames(path)[0] for path in sorted(
        glob.glob(tmp + "/crawl-zstd/warc/*.warc.zst"))]
    check(len(dictionaries) == 2 and not dictionaries[0] and dictionaries[1],
          "dictionaries %s" % [len(d) for d in dictionaries])


def main(winnow, folder):
    if not os.path.exists(ARCHIVE):
        consumers.skip("no pages: ../shared/data is not unpacked")
    readers = Readers(folder)
    tmp = tempfile.mkdtemp(prefix="winnow-warc-")
    try:
        return checks.run([cleaned, crawled, crawled_in_zstd], winnow, tmp, readers)
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
