"""page_set.py -- real pages as a web without dead links.

Of each host at most so many HTML pages are copied.  A link that leads to one of
them stays (written as its path), any other becomes "#": so every program that
is given the list of all pages requests just those.  Standard library only.
"""
import hashlib
import os
import re
import urllib.parse

HREF = re.compile(rb"""(\b(?:href|src|action)\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)""",
                  re.I)
ELSEWHERE = re.compile(rb"<base\b|http-equiv\s*=\s*[\"']?refresh", re.I)
ENDS = (".html", ".htm")


def pages_of(folder, most):
    """Paths of HTML files below, the same ones in every run."""
    found = []
    for where, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(where, n), folder)
                  for n in names if n.lower().endswith(ENDS) and "@" not in n]
    found.sort(key=lambda p: hashlib.sha1(p.encode("utf-8", "surrogateescape")).digest())
    return found[:most]


def url_of(host, path):
    return "http://%s/%s" % (host, urllib.parse.quote(path, errors="surrogateescape"))


def disarm(bytes_, url, known):
    def link(m):
        target = m.group(2).strip(b"\"'").decode("latin-1").strip()
        try:
            to = urllib.parse.urldefrag(urllib.parse.urljoin(url, target))[0]
        except ValueError:
            to = ""
        to = re.sub("^https:", "http:", to)
        if to.endswith("/"):
            to += "index.html"
        return m.group(1) + b'"' + (to.encode("latin-1") if to in known else b"#") + b'"'

    return HREF.sub(link, ELSEWHERE.sub(b"<gone ", bytes_))


def make(source, out, hosts_n, per_host):
    """Copy pages of `source`/HOST to `out`/HOST; their URLs."""
    hosts = sorted(os.listdir(source))[:hosts_n]
    chosen = {h: pages_of(os.path.join(source, h), per_host) for h in hosts}
    urls = [(h, p, url_of(h, p)) for h in hosts for p in chosen[h]]
    known = {u for _, _, u in urls}
    for host, path, url in urls:
        to = os.path.join(out, host, path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        with open(os.path.join(source, host, path), "rb") as f:
            page = f.read()
        with open(to, "wb") as f:
            f.write(disarm(page, url, known))
    # Shuffled, but the same in every run: else a program that takes them in
    # order meets all pages of a host at once.
    return [u for u in sorted((u for _, _, u in urls),
                              key=lambda u: hashlib.sha1(u.encode()).digest())]
