#!/usr/bin/env python3
"""warc_replay.py -- what a crawl has written is replayed by pywb (from PyPI),
with the index that stands beside the WARC files: every page comes back byte for
byte, a page that repeats another one's bytes through its revisit record.

usage: warc_replay.py WINNOW FOLDER-FOR-CONSUMERS

The keys of the index are those that the library surt makes of its URLs, and
`winnow clean` over the files makes the documents of the crawl.  Exit 77: pywb
cannot be had.
"""
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402
import consumers  # noqa: E402
from made_web import Site, make_pages  # noqa: E402

HOSTS, PAGES = 4, 40


class CodedSite(Site):
    def answer(self, host, path, headers):
        status, fields, body = super().answer(host, path, headers)
        if status == 200 and "gzip" in headers.get("Accept-Encoding", ""):
            fields, body = dict(fields, **{"Content-Encoding": "gzip"}), gzip.compress(body, mtime=0)
        return status, fields, body


KEYS = """
import sys, surt
for line in sys.stdin:
    key, url = line.rstrip("\\n").split("\\t")
    if surt.surt(url) != key:
        print("%s: %s, not %s" % (url, key, surt.surt(url)))
"""
JOB = """[seeds]
url = http://%s/0.html
[limits]
wait_seconds = 1
[politeness]
delay_ms = 2
[clean]
badness_max = 1000
chars_min = 10
[fetch]
hosts_file = hosts
[dedup]
near = 0
[output]
format = jsonl
warc = on
warc_mib = 1
warc_bodies = %s
"""


def crawl(winnow, tmp, site, bodies):
    """Returns the folder of the crawl.  One page stands on two hosts, and only
    the first links to the second."""
    first, second = sorted(site.web)[:2]
    body = site.web[first]["/0.html"].replace(
        b"<ul>", b"<ul><li><a href='http://%s/twin.html'>x</a>" % second.encode())
    site.web[first]["/0.html"] = site.web[second]["/twin.html"] = body
    site.write_hosts(os.path.join(tmp, "hosts"))
    job, out = os.path.join(tmp, "job.ini"), os.path.join(tmp, "crawl")
    with open(job, "w", encoding="ascii") as f:
        f.write(JOB % (first, bodies))
    p = subprocess.run([winnow, "crawl", job, "--dir", out, "--quiet"],
                       stderr=subprocess.PIPE, text=True, timeout=120,
                       check=False)
    check(p.returncode == 0, "crawl: " + p.stderr[-500:])
    return out


def lines_of(folder):
    found = []
    for path in glob.glob(os.path.join(folder, "*.cdxj")):
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        check(lines == sorted(lines, key=str.encode) and lines, path + ": order")
        for line in lines:
            key, stamp, fields = line.split(" ", 2)
            found.append((key, stamp, json.loads(fields)))
    return found


def check_keys(python, lines):
    text = "".join("%s\t%s\n" % (key, f["url"]) for key, _, f in lines)
    said = subprocess.run([python, "-W", "ignore", "-c", KEYS], input=text,
                          stdout=subprocess.PIPE, text=True, check=False)
    check(said.returncode == 0 and said.stdout == "", "keys: " + said.stdout)


class Replay:
    """pywb over the files, asked for pages as they were stored."""

    def __init__(self, python, tmp, warc):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        with open(os.path.join(tmp, "config.yaml"), "w", encoding="ascii") as f:
            f.write("collections:\n  c:\n    index_paths: %s/\n"
                    "    archive_paths: %s/\n" % (warc, warc))
        self.process = subprocess.Popen(
            [python, "-c", "from pywb.apps.cli import wayback; wayback()",
             "-b", "127.0.0.1", "-p", str(self.port), "-t", "4"], cwd=tmp,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def get(self, stamp, url):
        """(status, body); None while it is starting."""
        try:
            with urllib.request.urlopen("http://127.0.0.1:%d/c/%sid_/%s" % (
                    self.port, stamp, url), timeout=20) as f:
                body = f.read()
                if f.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                return f.status, body
        except urllib.error.HTTPError as e:
            return e.code, e.read()
        except OSError:
            return None

    def wait(self, stamp, url):
        until = time.time() + 60
        while self.get(stamp, url) is None and time.time() < until:
            check(self.process.poll() is None, "pywb has ended")
            time.sleep(.2)

    def close(self):
        self.process.kill()
        self.process.wait()


def check_replay(replay, site, lines):
    pages = [(stamp, f) for _, stamp, f in lines if f["url"].endswith(".html")]
    revisits = [f["url"] for _, f in pages if f["mime"] == "warc/revisit"]
    check(len(revisits) == 1 and revisits[0].endswith("/twin.html"),
          "revisits %s" % revisits)
    asked = {"http://%s%s" % r[:2] for r in site.requests}
    check(sorted(f["url"] for _, _, f in lines) == sorted(asked) and
          len(pages) > 100, "captures %d, requests %d" % (len(lines), len(asked)))
    replay.wait(pages[0][0], pages[0][1]["url"])
    for stamp, f in pages:
        host, path = f["url"][7:].split("/", 1)
        want = site.web[host]["/" + path]
        answer = replay.get(stamp, f["url"])
        check(answer == (200, want), "%s: %s" % (f["url"], str(answer)[:200]))


def check_wacz(winnow, python, out, tmp):
    """Packed into one file, every part is there with its digest; pywb unpacks
    it, and it holds every page."""
    path = os.path.join(tmp, "crawl.wacz")
    p = subprocess.run([winnow, "wacz", "-o", path, "--title", "A crawl", out],
                       stderr=subprocess.PIPE, text=True, check=False)
    check(p.returncode == 0, "wacz: " + p.stderr)
    with zipfile.ZipFile(path) as z:
        check(z.testzip() is None, "a checksum of the ZIP file")
        package = json.loads(z.read("datapackage.json"))
        digest = json.loads(z.read("datapackage-digest.json"))
        parts = {r["path"]: r for r in package["resources"]}
        parts["datapackage.json"] = digest
        names = set(z.namelist())
        check(set(parts) | {"datapackage-digest.json"} == names, "parts %s" % names)
        for name, part in parts.items():
            data = z.read(name)
            check(part["hash"] == "sha256:" + hashlib.sha256(data).hexdigest() and
                  part.get("bytes", len(data)) == len(data), name)
        for name in glob.glob(out + "/warc/*.warc.gz"):
            with open(name, "rb") as f:
                check(z.read("archive/" + os.path.basename(name)) == f.read(), name)
        lines = z.read("indexes/index.cdx").splitlines()
        check(lines == sorted(lines), "order of the index")
        pages = [json.loads(l) for l in z.read("pages/pages.jsonl").splitlines()]
        check(pages[0]["format"] == "json-pages-1.0" and len(pages) > 100 and
              all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", p["ts"])
                  for p in pages[1:]), "pages")
    for args in (["init", "w"], ["add", "--unpack-wacz", "w", path]):
        p = subprocess.run([python, "-W", "ignore", "-c",
                            "from pywb.manager.manager import main; main()", *args],
                           cwd=tmp, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
        check(p.returncode == 0, "wb-manager: " + p.stdout[-500:])
    found = [json.loads(line.split(" ", 2)[2])["url"] for name in
             glob.glob(tmp + "/collections/w/indexes/*.cdxj")
             for line in open(name, encoding="utf-8") if line[0] != "!"]
    check(sorted(found) == sorted(json.loads(l.split(b" ", 2)[2])["url"]
                                  for l in lines), "pywb found %d" % len(found))
    check_clean(winnow, out, path)


def check_clean(winnow, out, archives):
    p = subprocess.run([winnow, "clean", "--format", "jsonl",
                        "--set=clean.badness_max=1000", "--set=clean.chars_min=10",
                        archives], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, check=False)
    lines = subprocess.run(["zcat", *glob.glob(out + "/corpus/*.jsonl.gz")],
                           stdout=subprocess.PIPE, text=True,
                           check=False).stdout
    kept, again = ({d["id"]: d for d in map(json.loads, t.splitlines())}
                   for t in (lines, p.stdout))
    check(len(kept) > 100, "kept %d" % len(kept))
    check(kept.keys() == again.keys() and all(
        kept[i]["text"] == again[i]["text"] and kept[i]["url"] == again[i]["url"]
        for i in kept), "documents: %s" % sorted(kept.keys() ^ again.keys())[:3])


def main(winnow, folder):
    python = consumers.python(folder, "pywb", ["pywb", "setuptools<81"])
    for bodies in "decoded", "sent":
        replayed(winnow, python, bodies)
        print("FAIL" if checks.failed else "ok  ", "pywb replays a crawl, bodies", bodies)
    return checks.failed != 0


def replayed(winnow, python, bodies):
    tmp = tempfile.mkdtemp(prefix="winnow-replay-")
    site, replay = CodedSite(make_pages(HOSTS, PAGES, 3), 0), None
    try:
        out = crawl(winnow, tmp, site, bodies)
        lines = lines_of(os.path.join(out, "warc"))
        check_keys(python, lines)
        replay = Replay(python, tmp, os.path.join(out, "warc"))
        check_replay(replay, site, lines)
        check_clean(winnow, out, os.path.join(out, "warc"))
        check_wacz(winnow, python, out, tmp)
    finally:
        if replay is not None:
            replay.close()
        site.close()
        shutil.rmtree(tmp, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
