#!/usr/bin/env python3
"""forget.py -- a host leaves a corpus: `winnow frontier DIR --forget HOST` while its crawl runs
(what is queued is fetched no more), after it has ended, and killed with kill -9 at many moments
and given again.  Queue, documents, index and lists of replaced ones have none of it, everything
else is byte for byte as it was, the receipt counts all of it, and the crawl goes on: links to
the host are refused, and its texts are new when others bring them.  WARC files have no record of
it, and whole records of what was a revisit of one.

usage: forget.py WINNOW      standard library only
"""
import base64
import glob
import gzip
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from checks import check
import checks
from made_web import paragraph
from web_server import Server

GONE = "away.test"
HOSTS = ["a.test", "b.test", "sub." + GONE, GONE]
PAGES, KILLS = 12, 8


def make_web():
    """Pages of one tree a host; some texts stand on two hosts, and on one of them with a
    paragraph more."""
    rng = random.Random(5)
    web = {h: {} for h in HOSTS}
    shared = {i: [paragraph(rng) for _ in range(12)] for i in range(PAGES)}
    for n, h in enumerate(HOSTS):
        for i in range(PAGES):
            text = shared[i] if i % 4 == 0 else [paragraph(rng) for _ in range(4)]
            if i % 4 == 2 and h in ("a.test", GONE): # the shorter one of two
                text = shared[i] + ([paragraph(rng)] if h == "a.test" else [])
            if i % 8 == 0 and h == GONE:
                text = text + [paragraph(rng)] # the longest of its kind
            links = ["/%d.html" % j for j in (2 * i + 1, 2 * i + 2)] + [
                "http://%s/%d.html" % (HOSTS[(n + 1) % 4], i)]
            web[h]["/%d.html" % i] = page(h, i, text, links + ["/same%d.html" % i])
            web[h]["/same%d.html" % i] = page("all", i, shared[i], [])
    return web


def page(host, i, text, links):
    return ("<!doctype html><html lang=nl><meta charset=utf-8><title>%s %d</title><nav>%s</nav>"
            "<article>%s</article>" % (host, i, " ".join("<a href=%s>%s</a>" % (l, l)
                                                         for l in links),
                                       "".join("<p>%s</p>\n" % p for p in text))).encode()


class World:
    def __init__(self, winnow, base):
        self.winnow, self.base, self.web = winnow, base, make_web()
        self.held, self.go_on = None, threading.Event() # a host whose third page waits
        self.site = Server(self.answer)
        with open(os.path.join(base, "hosts"), "w") as f:
            f.writelines("%s %s\n" % (h, self.site.address) for h in HOSTS + ["new.test"])
        self.job = os.path.join(base, "job.ini")
        self.write_job(["http://%s/0.html" % h for h in HOSTS])

    def write_job(self, seeds):
        with open(self.job, "w") as f:
            f.write("[seeds]\nurl = %s\n[politeness]\ndelay_ms = 5\n[limits]\nwait_seconds = 2\n"
                    "[clean]\nbadness_max = 1000\nchars_min = 10\n[fetch]\nhosts_file = hosts\n"
                    "[output]\nformat = jsonl xml tei wet shingles\nkeep_rejected = on\ndisk_free_mib = 0\n"
                    "warc = on\nwarc_records = request revisit metadata conversion\n"
                    % " ".join(seeds))

    def answer(self, host, path, _headers):
        if path == "/robots.txt":
            return 404, {}, b""
        if host == self.held and len(self.site.paths(host)) > 3:
            self.go_on.wait(60)
        body = self.web.get(host, {}).get(path)
        return (404 if body is None else 200), {"Content-Type": "text/html"}, body or b"none"

    def crawl(self, folder, *more):
        return subprocess.Popen([self.winnow, "crawl", self.job, "--dir", folder, *more],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def run(self, *args):
        return subprocess.run([self.winnow, *args], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120)

    def forget(self, folder, *patterns):
        return self.run("frontier", folder, *sum((["--forget", p] for p in patterns), []), "--yes")

    def stat(self, folder):
        return json.loads(self.run("dedup", folder, "--stat", "--json").stdout)


def text_of(folder, *patterns):
    out = []
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), pattern))):
            opened = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")
            with opened as f:
                out.append(f.read())
    return b"".join(out)


def documents(folder, *groups):
    """{URL: the line} of JSONL."""
    text = text_of(folder, *[g + "*.jsonl*" for g in groups or ("corpus/part-",)])
    return {json.loads(line)["url"]: line for line in text.split(b"\n") if line}


def is_gone(url):
    return url.split("/")[2] == GONE


def same_without(before, after):
    """`after` is `before` without the host."""
    for groups in (("corpus/part-",), ("rejected/",)):
        old, new = documents(before, *groups), documents(after, *groups)
        want = {u: line for u, line in old.items() if not is_gone(u)}
        check(new == want, "%s: %s: %d documents, %d are due" % (after, groups, len(new),
                                                                 len(want)))
        check(len(old) > len(want) or groups[0] == "rejected/", "nothing was to be forgotten")
    everything = text_of(after, "corpus/*", "rejected/*", "replaced/*")
    for name in b'"url":"', b' url="', b'target="', b"WARC-Target-URI: ":
        check(name + b"http://%s/" % GONE.encode() not in everything, "%s: %s of the host" % (
            after, name))
    check(b"http://sub." + GONE.encode() in everything, after + ": a host beside it is gone")
    ids = {json.loads(line)["id"].encode() for u, line in
           documents(before, "corpus/part-", "rejected/").items() if is_gone(u)}
    check(not [i for i in ids if i in everything], after + ": an id is still named")


def archived(folder):
    """{WARC-Record-ID: (type, URL, fields, block, the member's bytes)} of the WARC files, each of
    whose captures its index leads to."""
    out = {}
    for path in glob.glob(os.path.join(glob.escape(folder), "warc", "*.warc.gz")):
        with open(path, "rb") as f:
            rest = f.read()
        with open(path[:-len(".warc.gz")] + ".cdxj") as f:
            index = sorted((int(c["offset"]), int(c["length"]), c["url"])
                           for c in (json.loads(line.split(" ", 2)[2]) for line in f))
        at, captures = 0, []
        while rest:
            d = zlib.decompressobj(31)
            text = d.decompress(rest)
            member, rest = rest[:len(rest) - len(d.unused_data)], d.unused_data
            head, block = text.split(b"\r\n\r\n", 1)
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
            check(len(block) == int(fields["Content-Length"]) + 4 and
                  fields.get("WARC-Block-Digest") in (None, sha1(block[:-4])), head.decode())
            kind, url = fields["WARC-Type"], fields.get("WARC-Target-URI", "")
            out[fields["WARC-Record-ID"]] = kind, url, fields, block[:-4], member
            if kind in ("response", "revisit"):
                captures.append((at, len(member), url))
            at += len(member)
        check(captures == index, "%s: %s, its index has %s" % (path, captures, index))
    return out


def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def same_records(w, before, after):
    """No record of the host; of the others the same bytes, but for revisits of it.  How many went,
    and of how many files."""
    old, new = archived(before), archived(after)
    gone = {i for i, r in old.items() if r[1] and is_gone(r[1])}
    check(gone and new.keys() == old.keys() - gone, "%s: %d WARC records, %d and %d of them gone are due" % (
        after, len(new), len(old), len(gone)))
    restored = 0
    for i, (kind, url, fields, block, member) in new.items():
        if old[i][2].get("WARC-Refers-To") not in gone:
            check(member == old[i][4], "%s: another record than before" % url)
            continue
        restored += 1
        host, path = url.split("/", 3)[2], "/" + url.split("/", 3)[3]
        payload = block.split(b"\r\n\r\n", 1)[1]
        check(kind == "response" and payload == w.web[host][path] and
              fields["WARC-Payload-Digest"] == sha1(payload), "%s: %s" % (url, fields))
        left = {n: v for n, v in old[i][2].items() if not n.startswith("WARC-Refers-To") and n not in (
            "WARC-Profile", "WARC-Type", "WARC-Block-Digest", "Content-Length", "WARC-Truncated")}
        check(all(fields.get(n) == v for n, v in left.items()), "%s: %s, before %s" % (url, fields, left))
    return len(gone), restored


def receipt(folder):
    with open(os.path.join(folder, "forgotten.jsonl")) as f:
        return json.loads(f.readlines()[-1])


def whole(w, folder):
    for words in (["dedup", folder, "--check"], ["frontier", folder, "--check"]):
        r = w.run(*words)
        check(r.returncode == 0 and r.stdout.endswith("0 faults\n"), "%s: %s %s" % (
            words, r.stdout, r.stderr))


def stays_forgotten(w, folder, host):
    """Whoever tidies up what is paused and deleted does not let an owner's pages in again."""
    for flag in "--resume", "--pause":
        r = w.run("frontier", folder, flag, host)
        check(r.returncode == 2, "%s of what was forgotten: %s" % (flag, r.stdout + r.stderr))
    w.run("frontier", folder, "--delete", host, "--yes")
    rules = w.run("frontier", folder, "--rules").stdout
    check("forget %s since" % host in rules, "--rules: " + rules)


def while_it_runs(w, folder):
    """A page of the host is under way meanwhile, so that the crawl cannot be over before."""
    w.held = "b.test"
    p = w.crawl(folder)
    end = time.time() + 60
    while len(w.site.paths("b.test")) < 4 and time.time() < end:
        time.sleep(.01)
    r = w.forget(folder, "b.test")
    seen = len(w.site.paths("b.test"))
    stays_forgotten(w, folder, "b.test")
    w.go_on.set()
    check(r.returncode == 1 and "when it has ended" in r.stderr and
          r.stdout.endswith("are fetched no more\n"), r.stdout + r.stderr)
    p.wait(60)
    p.stderr.close()
    # One may have been under way.
    check(len(w.site.paths("b.test")) <= seen + 1 and seen < PAGES, "%d requests, then %d" % (
        seen, len(w.site.paths("b.test"))))
    r = w.forget(folder, "b.test")
    check(r.returncode == 0 and '"state":"done"' in r.stdout, r.stdout + r.stderr)
    check(not [u for u in documents(folder) if "//b.test/" in u], "b.test is still there")
    stays_forgotten(w, folder, "b.test")
    r = w.run("frontier", folder, "--resume", "b.test", "--yes")
    check(r.returncode == 0 and "b.test" not in w.run("frontier", folder, "--rules").stdout, r.stderr)
    w.forget(folder, "b.test")
    whole(w, folder)


def while_another_runs(w, folder):
    """What will not be told when it has ended is said at once, and nothing leaves the queue."""
    w.held, w.go_on = "a.test", threading.Event()
    p = w.crawl(folder, "--set", "output.format=markdown jsonl")
    end = time.time() + 60
    while not glob.glob(os.path.join(glob.escape(folder), "corpus", "*.md.*")) and \
            time.time() < end:
        time.sleep(.01)
    r = w.forget(folder, "b.test")
    rules = w.run("frontier", folder, "--rules")
    w.go_on.set()
    check(r.returncode == 2 and "nothing is changed" in r.stderr and rules.returncode == 0 and
          "b.test" not in rules.stdout, r.stdout + r.stderr + rules.stdout + rules.stderr)
    p.wait(60)
    p.stderr.close()


def in_time(w, made, folder):
    """How long it takes, and what it comes to."""
    shutil.copytree(made, folder)
    began = time.time()
    r = w.forget(folder, GONE)
    took = time.time() - began
    check(r.returncode == 0, r.stderr)
    same_without(made, folder)
    whole(w, folder)
    got, old = receipt(folder), documents(made)
    kept = sum(is_gone(u) for u in old)
    rejected = sum(is_gone(u) for u in documents(made, "rejected/"))
    check(got["state"] == "done" and got["documents"] == kept and got["rejected"] == rejected and
          got["index_entries"] == kept + rejected and got["forgotten"] == GONE, str(got))
    check(got["queued"] > 0, "nothing was queued: %s" % got)
    gone, restored = same_records(w, made, folder)
    check(got["warc_records"] == gone, "%d WARC records: %s" % (gone, got))
    said = json.loads(w.run("report", folder, "--json", "--out", folder + "/report").stdout)
    check((said["kept"], said["forgotten"]) == (len(old), kept), "report: %d kept, %d of them forgotten" % (
        said["kept"], said["forgotten"]))
    was, now = w.stat(made), w.stat(folder)
    check(now["forgotten"] == got["index_entries"] and was["forgotten"] == 0 and
          now["rejected"] == was["rejected"] and
          now["documents"] == was["documents"] - kept, "%s, then %s" % (was, now))
    return took, got


def killed(w, made, took, due):
    for i in range(KILLS):
        folder = os.path.join(w.base, "killed%d" % i)
        shutil.copytree(made, folder)
        p = subprocess.Popen([w.winnow, "frontier", folder, "--forget", GONE, "--yes"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(took * (i + 1) / (KILLS + 1))
        p.send_signal(signal.SIGKILL)
        p.wait()
        # killed when it was over: then the next one is another call
        over = b'"state":"done"' in text_of(folder, "forgotten.jsonl")
        r = w.forget(folder, GONE)
        check(r.returncode == 0, r.stderr)
        same_without(made, folder)
        same_records(w, made, folder)
        whole(w, folder)
        got = receipt(folder)
        if not over:
            for name in ("documents", "rejected", "index_entries", "warc_records"):
                check(got[name] == due[name], "killed %d: %s, due %s" % (i, got, due))


def it_goes_on(w, folder):
    """Links to the host are refused; a text of it is new; the rest is known."""
    before = documents(folder)
    old = w.web[GONE]["/1.html"].decode()
    body = old[old.index("<article>"):]
    w.web["new.test"] = {"/": ("<html lang=nl><meta charset=utf-8><title>x</title><a href="
                               "http://%s/3.html>x</a><a href=http://%s/never>x</a>%s" % (
                                   GONE, GONE, body)).encode()}
    w.write_job(["http://new.test/"])
    asked = len(w.site.paths(GONE))
    p = w.crawl(folder)
    text = p.communicate(timeout=60)[1]
    check(p.returncode == 0, text[-2000:])
    check(len(w.site.paths(GONE)) == asked, "it was asked again: %s" % w.site.paths(GONE)[asked:])
    after = documents(folder)
    check("http://new.test/" in after, "its text is still known")
    check(all(after.get(u) == line for u, line in before.items()), "others have changed")
    whole(w, folder)


def folders_of_services(w, made, base):
    """The frontier's folder has no documents, the dedup service's no frontier, and a crawler's
    WARC files alone."""
    urls, texts, warc = (os.path.join(base, name) for name in ("urls", "texts", "warc"))
    shutil.copytree(made, texts)
    os.mkdir(urls)
    os.mkdir(warc)
    os.rename(os.path.join(texts, "warc"), os.path.join(warc, "warc"))
    for name in ("frontier", "log", "job"):
        os.rename(os.path.join(texts, name), os.path.join(urls, name))
    r = w.forget(urls, GONE)
    check(r.returncode == 1 and "has no corpus" in r.stderr and
          not os.path.exists(os.path.join(urls, "forgotten.jsonl")), r.stdout + r.stderr)
    r = w.run("frontier", texts, "--forget", GONE)
    check(r.returncode == 2 and "--yes" in r.stderr and any(map(is_gone, documents(texts))),
          r.stdout + r.stderr)
    r = w.forget(texts, GONE)
    check(r.returncode == 0 and receipt(texts)["documents"] > 0, r.stdout + r.stderr)
    same_without(made, texts)
    r = w.forget(warc, GONE)
    gone, _ = same_records(w, made, warc)
    check(r.returncode == 0 and receipt(warc)["warc_records"] == gone, r.stdout + r.stderr)


def names_of_others(w, base):
    """With output.fields ids and URLs have other names, and stand elsewhere."""
    urls = {"fineweb": lambda d: d["url"], "dolma": lambda d: d["metadata"]["url"],
            "oscar": lambda d: d["warc_headers"]["warc-target-uri"]}
    for fields, url_of in urls.items():
        folder = os.path.join(base, fields)
        p = w.crawl(folder, "--set", "limits.pages=38", "--set", "output.format=jsonl",
                    "--set", "output.fields=" + fields)
        check(p.wait(60) == 0, "the crawl failed: " + fields)
        p.stderr.close()
        groups = [text_of(folder, g + "*.jsonl.gz").splitlines()
                  for g in ("corpus/part-", "rejected/")]
        meant = [[is_gone(url_of(json.loads(line))) for line in group] for group in groups]
        check(any(meant[0]) and not all(meant[0]), "%s: nothing to be forgotten" % fields)
        r = w.forget(folder, GONE)
        got = receipt(folder)
        check(r.returncode == 0 and got["documents"] == sum(meant[0]) and
              got["rejected"] == sum(meant[1]) and
              got["index_entries"] == sum(map(sum, meant)), "%s: %s" % (fields, got))
        left = text_of(folder, "corpus/part-*.jsonl.gz").splitlines()
        check(left == [line for line, gone in zip(groups[0], meant[0]) if not gone],
              "%s: %d documents are left" % (fields, len(left)))
        whole(w, folder)


def queued(w, folder):
    """What does not change while time passes."""
    stat = json.loads(w.run("frontier", folder, "--stat", "--json").stdout)
    return [stat[name] for name in ("seen", "queued", "done", "refused", "deleted")]


def records(folder):
    text = text_of(folder, "corpus/part-*.v*t.gz", "corpus/part-*.tei.gz")
    prints = text_of(folder, "corpus/part-*.shingles.gz")
    return text.count(b"<doc ") + text.count(b"<TEI ") + prints.count(b"\n")


def formats_alone(w, base):
    """Whose a document is must be told by some format, and its id, else nothing is changed."""
    for formats, attributes, told in (("markdown jsonl", "id", False),
                                      ("tei", "id", True), ("vertical", "id url", True),
                                      ("vertical", "id title", False),
                                      ("cwb", "url", False), ("vertical jsonl", "id", True),
                                      ("vertical jsonl", "title", False),
                                      ("shingles jsonl", "id", True), ("shingles", "id", False)):
        folder = os.path.join(base, "-".join([formats, attributes]).replace(" ", "+"))
        p = w.crawl(folder, "--set", "limits.pages=38", "--set", "output.format=" + formats,
                    "--set", "output.vertical_attributes=" + attributes)
        check(p.wait(60) == 0, "the crawl failed: " + folder)
        p.stderr.close()
        before = records(folder)
        queue = queued(w, folder)
        r = w.forget(folder, GONE)
        left = records(folder)
        if told:
            check(r.returncode == 0 and left == before - receipt(folder)["documents"] < before,
                  "%s: %d of %d are left" % (folder, left, before))
        else:
            check(r.returncode == 2 and "nothing is changed" in r.stderr and left == before and
                  not os.path.exists(os.path.join(folder, "forgotten.jsonl")) and
                  queued(w, folder) == queue and
                  GONE not in w.run("frontier", folder, "--rules").stdout,
                  "%s: %d %s" % (folder, r.returncode, r.stdout + r.stderr))


def several(w, made, folder):
    """One call, a receipt each; killed, another call with some of them does the rest of these."""
    shutil.copytree(made, folder)
    r = w.run("frontier", folder, "--pause", "a.test", "--pause", "b.test")
    check(r.stdout.splitlines() == ["paused a.test: 1 hosts", "paused b.test: 1 hosts"], r.stdout + r.stderr)
    r = w.run("frontier", folder, "--resume", "b.test", "--resume", "a.test", "--resume", "B.test")
    check(r.returncode == 0 and w.run("frontier", folder, "--rules").stdout == "", r.stdout + r.stderr)
    r = w.forget(folder, "b.test", "http://a.test/x")
    check(r.returncode == 2 and w.run("frontier", folder, "--rules").stdout == "", r.stdout + r.stderr)
    rejected = documents(made, "rejected/")
    due = {host: (sum(u.split("/")[2] == host for u in documents(made)),
                  sum(u.split("/")[2] == host for u in rejected)) for host in ("b.test", GONE)}
    p = subprocess.Popen([w.winnow, "frontier", folder, "--forget", "b.test", "--forget", GONE, "--yes"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while b"begun" not in text_of(folder, "forgotten.jsonl") and p.poll() is None:
        time.sleep(.001)
    p.send_signal(signal.SIGKILL)
    p.wait()
    r = w.forget(folder, GONE, "b.test", GONE)
    got = {g["forgotten"]: (g["documents"], g["rejected"]) for g in map(json.loads, r.stdout.splitlines()[-2:])}
    check(r.returncode == 0 and got == due, "%s, due %s: %s" % (got, due, r.stderr))
    left = {u for u in documents(folder, "corpus/part-", "rejected/") if u.split("/")[2] in due}
    check(left == set(), "several: %d are left" % len(left))
    check(len(documents(folder)) == len(documents(made)) - sum(d[0] for d in due.values()), "others are gone")
    whole(w, folder)


def overlapping(w, made, folder):
    """What two patterns match is in one receipt, the first one's."""
    shutil.copytree(made, folder)
    due = json.loads(w.run("frontier", folder, "--stat", "--json").stdout)["queued"], len(documents(made))
    r = w.forget(folder, GONE, ".test", GONE.upper())
    got = [json.loads(line) for line in r.stdout.splitlines()[-2:]]
    check([g["forgotten"] for g in got] == [GONE, ".test"] and got[0]["queued"] > 0, r.stdout + r.stderr)
    check(tuple(sum(g[n] for g in got) for n in ("queued", "documents")) == due, "%s, due %s" % (got, due))
    check(all(g["index_entries"] == g["documents"] + g["rejected"] for g in got), "%s" % got)


def all_of_them(w, folder):
    """What is left are files that say that there is nothing in them."""
    r = w.forget(folder, *HOSTS, "new.test")
    check(r.returncode == 0, r.stderr)
    check(documents(folder, "corpus/part-", "rejected/") == {}, "documents are left")
    for path in glob.glob(os.path.join(folder, "*", "*.gz")):
        check(os.path.getsize(path) > 0, path + " is no gzip file")
    whole(w, folder)


def refusals(w, made):
    r = w.run("frontier", made, "--forget", "http://a.test/x*", "--yes")
    check(r.returncode == 2 and "hosts are forgotten" in r.stderr, r.stderr)
    r = w.run("frontier", made, "--forget", "a.test")
    check(r.returncode == 2 and "--yes" in r.stderr, r.stderr)
    r = w.forget(made, *("h%d.test" % i for i in range(10001)))
    check(r.returncode == 2 and "nothing is changed" in r.stderr, r.stderr[-500:])
    check(w.run("frontier", made, "--rules").stdout == "", "a part of what was refused was done")
    check(not os.path.exists(os.path.join(made, "forgotten.jsonl")), "a receipt of nothing")


def main():
    base = tempfile.mkdtemp(prefix="winnow-forget-[1]-")
    w = World(os.path.abspath(sys.argv[1]), base)
    made = os.path.join(base, "made")
    try:
        while_it_runs(w, os.path.join(base, "running"))
        while_another_runs(w, os.path.join(base, "another"))
        p = w.crawl(made, "--set", "limits.pages=38")
        check(p.wait(60) == 0, "the crawl failed")
        p.stderr.close()
        refusals(w, made)
        folders_of_services(w, made, base)
        names_of_others(w, base)
        formats_alone(w, base)
        took, due = in_time(w, made, os.path.join(base, "once"))
        killed(w, made, took, due)
        several(w, made, os.path.join(base, "several"))
        overlapping(w, made, os.path.join(base, "overlapping"))
        it_goes_on(w, os.path.join(base, "once"))
        all_of_them(w, os.path.join(base, "once"))
        print("%d documents, %d rejected, %d queued URLs forgotten; %d kills in %.0f ms: %s" % (
            due["documents"], due["rejected"], due["queued"], KILLS, 1000 * took,
            "ok" if checks.failed == 0 else "%d faults" % checks.failed))
    finally:
        w.site.close()
    if checks.failed:
        print("everything is kept in " + base)
        sys.exit(1)
    shutil.rmtree(base)


main()
