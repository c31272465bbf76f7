#!/usr/bin/env python3
"""One page in many spellings -- upper case, a dot behind the host, the default
port, user:password@ -- as seeds, links, <base>, redirects and in a sitemap: each
page is asked for once, each host has one robots.txt and one clock, and no secret
is stored, shipped or logged.

    spelling.py WINNOW
"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile

from crawl_run import documents
from web_server import Server, too_soon

DELAY_MS = 100
SECRET = "hush17"
WORDS = ("The river rose slowly in the night and the people of the village carried what "
         "they could to the hill where the old church stands and waited for the morning. ")


def links(page):
    return "".join('<p>%s <a href="%s">next</a></p>' % (WORDS, u) for u in (
        "http://w.test/" + page, "http://W.TEST/" + page, "http://w.test./" + page,
        "http://w.test:80/" + page, "http://user:%s@w.test/%s" % (SECRET, page),
        "http://other:%s@W.test.:80/%s#top" % (SECRET, page)))


def answer(host, path, headers):
    html = {"Content-Type": "text/html; charset=utf-8"}
    if path == "/robots.txt":
        return 200, {"Content-Type": "text/plain"}, (
            b"User-agent: *\nSitemap: http://u:shown@W.test.:80/map.xml\n") # it is kept as it is
    if path == "/map.xml":
        return 200, {"Content-Type": "application/xml"}, (
            "<urlset><url><loc>http://u:%s@w.test./four</loc></url>"
            "<url><loc>http://w.test:80/four</loc></url></urlset>" % SECRET).encode()
    if path == "/two":
        return 302, {"Location": "http://u:%s@W.test./three" % SECRET}, b""
    more = {"/": "one", "/one": "two", "/three": "five"}.get(path)
    base = '<base href="http://u:%s@w.test.:80/">' % SECRET if path == "/one" else ""
    body = "<html lang=en><head><title>%s</title>%s<link rel=canonical href='http://u:%s@w.test%s'>" \
        "</head><body><h1>About %s</h1><p>%s</p>%s<p><a href='six'>relative</a></p></body></html>" % (
            path, base, SECRET, path, path, WORDS.replace("river", "river " + path[1:]) * 6,
            links(more) if more else "")
    return 200, html, body.encode()


def main():
    winnow = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="winnow-spelling-")
    server = Server(answer)
    fault = []
    with open(os.path.join(folder, "hosts"), "w") as f:
        f.write("W.test. %s\n" % server.address) # the operator's spelling, too
    job = os.path.join(folder, "job.ini")
    with open(job, "w") as f:
        f.write("[seeds]\nurl = http://u:%s@W.test/ http://w.test.:80/ http://w.test/\n"
                "[scope]\nhosts = W.test.\n[fetch]\nhosts_file = %s/hosts\n"
                "[politeness]\ndelay_ms = %d\n[sitemaps]\nuse = robots\n"
                "[output]\nformat = jsonl, wet\nwarc = on\ndisk_free_mib = 0\n"
                % (SECRET, folder, DELAY_MS))
    try:
        p = subprocess.run([winnow, "crawl", job, "--dir", os.path.join(folder, "crawl")],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=120)
    finally:
        server.close()
    if p.returncode != 0:
        fault.append("exit status %d" % p.returncode)
    asked = collections.Counter(r[1] for r in server.requests)
    wanted = {"/robots.txt", "/map.xml", "/", "/one", "/two", "/three", "/four", "/five", "/six"}
    if set(asked) != wanted or max(asked.values()) != 1:
        fault.append("asked for %s" % dict(asked))
    for r in server.requests:
        if r[5].get("Host") not in ("w.test",) or "Authorization" in r[5]:
            fault.append("asked as %s %s" % (r[5].get("Host"), r[5].get("Authorization")))
    fault += ["too soon: " + t for t in too_soon(server.requests, DELAY_MS / 1000)]
    said = [l for l in p.stdout.splitlines() if SECRET in l]
    fault += ["logged: " + l for l in said]
    for at, _, names in os.walk(os.path.join(folder, "crawl")):
        for name in names:
            data = subprocess.run("zcat -f '%s'" % os.path.join(at, name), shell=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            # What servers answered is in a WARC as they answered it.
            if name.endswith(".warc.gz"):
                data = b"\n".join(l for l in data.split(b"\n") if l.startswith(b"WARC-") or l.startswith(b"GET"))
            if SECRET.encode() in data:
                fault.append("stored in " + os.path.join(at, name))
    urls = sorted(d["url"] for d in documents(folder, "crawl"))
    if not urls or any(not u.startswith("http://w.test/") for u in urls) or len(set(urls)) != len(urls):
        fault.append("documents %s" % urls)
    print("%d requests, %d documents: %s" % (len(server.requests), len(urls), "ok" if not fault else fault))
    if fault:
        print(p.stdout[-3000:])
        print("everything is kept in " + folder)
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
