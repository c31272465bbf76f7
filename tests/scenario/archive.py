#!/usr/bin/env python3
"""archive.py -- with output.warc a crawl leaves everything it fetched in WARC
files, also when it is killed in the middle: `winnow clean` over them finds the
documents of the crawl, and robots.txt and errors stand there too.  So in gzip, and
in zstd, where a dictionary is learnt in the middle and used after the kill.

usage: archive.py WINNOW
"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from made_web import Site, make_pages  # noqa: E402
import zstd_read  # noqa: E402

CLEAN = ["badness_max = 1000", "chars_min = 10"]


CODINGS = {"gzip": lambda body: gzip.compress(body, mtime=0), "deflate": zlib.compress}


class DatedSite(Site):
    """Its robots.txt names a sitemap of pages that nothing links to, which says
    when they have changed.  With `codes` it codes pages as it is asked."""

    LASTMOD = "2024-05-31T10:00:00.000Z"
    codes = False

    def answer(self, host, path, headers):
        status, fields, body = super().answer(host, path, headers)
        if path == "/robots.txt":
            body += b"Sitemap: http://%s/sitemap.xml\n" % host.encode()
        elif path == "/sitemap.xml":
            status, fields = 200, {"Content-Type": "application/xml"}
            body = ("<urlset>%s</urlset>" % "".join(
                "<url><loc>http://%s%s</loc><lastmod>%s</lastmod></url>"
                % (host, path, self.LASTMOD)
                for path in self.web[host] if "listed" in path)).encode()
        asked = [c.strip() for c in headers.get("Accept-Encoding", "").split(",")]
        if self.codes and asked != list(CODINGS):
            return 406, {}, b"" # what not every reader of archives knows
        if self.codes and status == 200 and len(path) % 3 > 0:
            fields = dict(fields, **{"Content-Encoding": asked[len(path) % 3 - 1]})
            body = self.sent[host, path] = CODINGS[asked[len(path) % 3 - 1]](body)
        return status, fields, body


def documents(lines):
    """{url: what the page itself says}"""
    return {d["url"]: {k: d[k] for k in ("text", "title", "date_modified")}
            for d in map(json.loads, lines)}


def corpus(folder):
    found = {}
    for name in os.listdir(os.path.join(folder, "corpus")):
        if ".jsonl" in name:
            path = os.path.join(folder, "corpus", name)
            opener = gzip.open if name.endswith(".gz") else open
            with opener(path, "rt") as f:
                found.update(documents(f))
    return found


def records(folder):
    """(type, url, fields, block) of all complete files; gzip reads all members."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(".gz"):
            with gzip.open(path, "rb") as f:
                text = f.read()
        elif name.endswith(".zst"):
            text = zstd_read.text(path)
        else:
            continue
        for record in text.split(b"WARC/1.1\r\n")[1:]:
            head, _, block = record.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1)
                          for line in head.decode().split("\r\n"))
            yield (fields["WARC-Type"], fields.get("WARC-Target-URI"),
                   fields, block[:-4])


def check_records(folder, twin, original, fault):
    """Requests, metadata, and a revisit for the page that is there twice."""
    found = {}
    for kind, url, fields, block in records(folder):
        found.setdefault(kind, []).append((url, fields, block))
    answers = found["response"] + found.get("revisit", [])
    ids = {f["WARC-Record-ID"]: url for url, f, _ in answers}
    asked = {f["WARC-Concurrent-To"]: (url, block)
             for url, f, block in found["request"]}
    for i, url in ids.items():
        path = "/" + url.split("/", 3)[3]
        if asked.get(i, ("", b""))[0] != url or not asked[i][1].startswith(
                b"GET %s HTTP/1.1\r\nHost: " % path.encode()):
            fault.append("request of %s: %s" % (url, asked.get(i)))
    told = {}
    for url, fields, block in found["metadata"]:
        if ids.get(fields["WARC-Concurrent-To"]) != url:
            fault.append("metadata of another record: %s" % fields)
        told[url] = [line.split(": ", 1) for line in block.decode().split("\r\n")
                     if line]
    page = dict(told[original])
    if page["charset"] != "UTF-8" or page["verdict"] != "kept" or \
            page["rights"] != "ai-input=n search=y":
        fault.append("metadata of %s: %s" % (original, page))
    links = [v.split(" ")[0] for k, v in told[original] if k == "outlink"]
    if len(links) < 3 or not all(link.startswith("http://") for link in links):
        fault.append("outlinks of %s: %s" % (original, links))
    again = [f for url, f, _ in found.get("revisit", []) if url in (twin, original)]
    if len(again) != 1 or again[0].get("WARC-Refers-To-Target-URI") not in (
            twin, original) or not again[0]["WARC-Profile"].endswith(
                "/identical-payload-digest"):
        fault.append("revisits: %s" % again)


def responses(folder):
    """{url: [status lines]}"""
    found = {}
    for kind, url, _, block in records(folder):
        if kind in ("response", "revisit"):
            found.setdefault(url, []).append(block.split(b"\r\n")[0].decode())
    return found


def check_sent(folder, site, fault):
    """Bodies are the very bytes that were sent, and headers say what they are in."""
    seen = {"gzip": 0, "deflate": 0}
    for kind, url, _, block in records(folder):
        if kind != "response":
            continue
        head, body = block.split(b"\r\n\r\n", 1)
        host, path = url.split("/", 3)[2], "/" + url.split("/", 3)[3]
        sent = site.sent.get((host, path))
        coding = [line.split(b": ")[1].decode() for line in head.split(b"\r\n")
                  if line.startswith(b"Content-Encoding: ")]
        if (sent is not None) != bool(coding) or (coding and body != sent):
            fault.append("%s: %d bytes in %s" % (url, len(body), coding))
        for c in coding:
            seen[c] += 1
    if min(seen.values()) < 10:
        fault.append("bodies by coding: %s" % seen)


def check_frames(folder, names, fault):
    """A frame is a record; the index says where; all but the first file have the
    same dictionary."""
    dictionaries = []
    for name in names:
        dictionary, frames = zstd_read.frames(os.path.join(folder, name))
        dictionaries.append(dictionary)
        at = {}
        for offset, length, text in frames:
            at[str(offset), str(length)] = text
            if not text.startswith(b"WARC/1.1\r\n") or not text.endswith(
                    b"\r\n\r\n"):
                fault.append("%s: the frame at %d is no record" % (name, offset))
        with open(os.path.join(folder, name[:-9] + ".cdxj"), encoding="utf-8") as f:
            lines = [json.loads(line.split(" ", 2)[2]) for line in f]
        for line in lines:
            text = at.get((line["offset"], line["length"]), b"")
            if line["filename"] != name or (
                    "\r\nWARC-Target-URI: %s\r\n" % line["url"]).encode() not in text:
                fault.append("%s: index %s" % (name, line))
    if len(names) < 3 or dictionaries[0] or not dictionaries[1] or \
            len(set(dictionaries[1:])) != 1:
        fault.append("dictionaries of %s: %s" % (
            names, [d[:8].hex() for d in dictionaries]))


def check(winnow, folder, site, fault, compression, bodies, kill_at):
    suffix = ".warc.zst" if compression == "zstd" else ".warc.gz"
    host, other = sorted(site.web)[:2]
    del site.web[host]["/5.html"] # one link leads to a 404
    # One leads to a page whose copy on another host only it links to.
    original, twin = "http://%s/a.html" % host, "http://%s/b.html" % other
    body = site.web[host]["/59.html"]
    site.web[host]["/59.html"] = body.replace(
        b"<ul>", b"<ul><li><a href='/a.html'>de andere</a>")
    body = body.replace(b"<p>", b"<p>Dit verhaal is nog nooit verteld. ", 1)
    site.web[host]["/a.html"] = site.web[other]["/b.html"] = body.replace(
        b"<ul>", b"<ul><li><a href='%s'>nog eens</a><li><a href='/1.html'>een</a>"
        b"<li><a href='/2.html'>twee</a>" % twin.encode())
    for i, body in enumerate(next(iter(make_pages(1, 12, 5).values())).values()):
        site.web[host]["/listed%d.html" % i] = body
    site.write_hosts(os.path.join(folder, "hosts"))
    job, out = os.path.join(folder, "job.ini"), os.path.join(folder, "crawl")
    with open(job, "w") as f:
        f.write("[seeds]\nurl = http://%s/0.html\n[limits]\nwait_seconds = 2\n"
                "[politeness]\ndelay_ms = 5\n[clean]\n%s\n[fetch]\n"
                "hosts_file = hosts\nparallel = 4\n[dedup]\nnear = 0\n"
                "[output]\nformat = jsonl\nwarc = on\nwarc_mib = 1\n"
                "warc_compression = %s\nwarc_dictionary_mib = 1\nwarc_bodies = %s\n"
                % (host, "\n".join(CLEAN), compression, bodies))
    command = [winnow, "crawl", job, "--dir", out, "--quiet"]
    p = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until = time.time() + 30
    while len(site.requests) < kill_at and p.poll() is None and time.time() < until:
        time.sleep(.005)
    p.kill()
    p.wait()
    p = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=120)
    if p.returncode != 0:
        fault.append("crawl: exit status %d\n%s" % (p.returncode, p.stderr))
    warc = os.path.join(out, "warc")
    names = sorted(os.listdir(warc))
    files = [n for n in names if n.endswith(suffix)]
    if sorted(files + [n[:-len(suffix)] + ".cdxj" for n in files]) != names:
        fault.append("not completed: %s" % names)
    if compression == "zstd":
        check_frames(warc, files, fault)
    kept, found = corpus(out), responses(warc)
    p = subprocess.run([winnow, "clean", "--format", "jsonl"] +
                       ["--set=clean." + c.replace(" ", "") for c in CLEAN] +
                       [warc], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, timeout=120)
    again = documents(p.stdout.splitlines())
    if p.returncode != 0:
        fault.append("clean: exit status %d\n%s" % (p.returncode, p.stderr))
    if len(kept) < 50 or again != kept:
        fault.append("documents of the crawl %d, of its WARC files %d, missing %s"
                     % (len(kept), len(again), sorted(set(kept) - set(again))[:3]))
    asked = {"http://%s%s" % r[:2] for r in site.requests}
    if not set(found) <= asked or len(asked - set(found)) > 0:
        fault.append("asked for but not in the files: %s; the reverse: %s" % (
            sorted(asked - set(found))[:3], sorted(set(found) - asked)[:3]))
    dated = [u for u, d in kept.items() if d["date_modified"] == site.LASTMOD]
    if len(dated) < 8 or not all("/listed" in u for u in dated):
        fault.append("documents with the date of the sitemap: %s" % dated)
    check_records(warc, twin, original, fault)
    if bodies == "sent":
        check_sent(warc, site, fault)
    for url, want in (("http://%s/robots.txt" % host, " 200 "),
                      ("http://%s/5.html" % host, " 404 ")):
        if not any(want in line for line in found.get(url, [])):
            fault.append("%s: %s" % (url, found.get(url)))


def main():
    winnow, failed = os.path.abspath(sys.argv[1]), False
    for compression, bodies, pages, kill_at in (
            ("gzip", "decoded", 60, 40), ("gzip", "sent", 60, 40), ("zstd", "decoded", 200, 450)):
        folder = tempfile.mkdtemp(prefix="winnow-archive-")
        site, fault = DatedSite(make_pages(3, pages, 11)), []
        site.codes, site.sent = bodies == "sent", {}
        try:
            check(winnow, folder, site, fault, compression, bodies, kill_at)
        finally:
            site.close()
            shutil.rmtree(folder, ignore_errors=True)
        print("%s what a crawl fetched stands in its WARC files, in %s, bodies %s" % (
            "FAIL" if fault else "ok  ", compression, bodies))
        print("\n".join("     " + f for f in fault))
        failed = failed or bool(fault)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
