#!/usr/bin/env python3
"""lab.py -- `winnow lab` over a small made folder of sites: the interface that
scripts rely on, the same bytes from the same input, recorded webs, a crawl that
is replayed, the lab's figures beside those of a live crawl, and bad input.

usage: lab.py WINNOW
"""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from made_web import Site, make_pages  # noqa: E402

CLEAN = ["--set=clean.badness_max=1000", "--set=clean.chars_min=10"]
HOSTS, PAGES = 4, 40


def put_sites(web, folder):
    for host, pages in web.items():
        for path, body in pages.items():
            name = os.path.join(folder, host, path.lstrip("/"))
            os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "wb") as f:
                f.write(body)
    with open(os.path.join(folder, sorted(web)[0], "robots.txt"), "w") as f:
        f.write("User-agent: *\nDisallow: /7.html\n")


class Lab:
    def __init__(self, winnow, folder):
        self.winnow, self.folder, self.faults = winnow, folder, []
        self.version = subprocess.run([winnow, "--version"], check=True, text=True,
                                      stdout=subprocess.PIPE).stdout

    def run(self, *args, code=0):
        p = subprocess.run([self.winnow, "lab", *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, timeout=200,
                           cwd=self.folder)
        self.expect("%s: exit status %d, not %d\n%s" % (
            " ".join(args), p.returncode, code, p.stderr), p.returncode == code)
        return p

    def expect(self, what, truth):
        if not truth:
            self.faults.append(what)

    def bad(self, wanted, *args):
        p = self.run(*args, code=2)
        self.expect("%s: %r does not stand in %r" % (args, wanted, p.stderr),
                    wanted in p.stderr)


def digest(folder):
    h = hashlib.sha256()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            h.update(name.encode() + b"\0" + f.read())
    return h.hexdigest()


def check_interface(lab):
    web = ["--web", "sites", "--language", "nl", "--seeds", "seeds.txt"]
    args = [*web, "--seed", "3", "--json", *CLEAN]
    p = lab.run(*args, "--scorers", "bfs,paper,foresight", "-o", "one")
    d = json.loads(p.stdout)
    lab.expect("language and version: %s" % d, d["language"] == ["nl"] and
               d["version"] in lab.version)
    record = [*web, *CLEAN, "--record", "web"]
    lab.expect("--record compares", lab.run(*record).stdout == "")
    lab.bad("only records", *record, "--json")
    for more in (["--scorers", "bfs"], ["--seed", "3"], ["--inside-only"], ["--leave-out-missing"]):
        lab.bad("only records", *record, *more)
    # one page is forbidden by robots.txt, and the two that only it links to
    # may be found by other links
    lab.expect("pages %d" % d["pages"], HOSTS * PAGES - 3 <= d["pages"] < HOSTS * PAGES)
    lab.expect("kept_total %d" % d["kept_total"], 0 < d["kept_total"] < d["pages"])
    for name in ("bfs", "paper", "foresight"):
        s = d["scorers"][name]
        lab.expect("%s: %s" % (name, s["coverage"]),
                   0 < s["coverage"]["10"] <= s["coverage"]["25"] <= s["coverage"]["50"] <= 1)
        lab.expect("%s: half of the pages" % name, s["fetched"] == (d["pages"] + 1) // 2)
        for key in ("yield_ratio", "link_f1_all", "link_f1_cross"):
            lab.expect("%s: %s" % (name, key), 0 <= s[key] <= 1)
    lab.expect("the ceiling is no better than bfs",
               d["scorers"]["foresight"]["kept"] >= d["scorers"]["bfs"]["kept"])
    for name in ("report.html", "report.md", "coverage.tsv", "links.tsv",
                 "phases.tsv", "bias.tsv", "reliability.tsv", "curve.tsv"):
        lab.expect("one/%s is not there" % name,
                   os.path.exists(os.path.join(lab.folder, "one", name)))
    again = lab.run(*args, "--scorers", "bfs,paper,foresight", "-o", "two",
                    "--set=clean.threads=1")
    lab.expect("two runs differ", again.stdout == p.stdout and
               digest(os.path.join(lab.folder, "one")) ==
               digest(os.path.join(lab.folder, "two")))
    recorded = lab.run("--web", "web", "--scorers", "bfs,paper,foresight",
                       "--seed", "3", "--json")
    lab.expect("a recorded web gives other figures", recorded.stdout == p.stdout)
    # scorer learned asks for the language, of which only the record knows
    learned = [lab.run("--web", web, "--scorers", "learned", "--seed", "3", "--json",
                       *more).stdout
               for web, more in (("sites", args[2:]), ("web", []))]
    lab.expect("a recorded web forgets its language", learned[0] == learned[1])
    return d


def check_brought(lab):
    """What decides what a crawl keeps comes with the record, unless it is given."""
    part = ["--seeds", "seeds.txt", "--language", "nl", "--set=dedup.near=0",
            "--set=scope.hosts=h00.scenario.test h01.scenario.test", *CLEAN]
    end = ["--scorers", "bfs,learned", "--json"]
    sites = lab.run("--web", "sites", *part, *end).stdout
    lab.run("--web", "sites", *part, "--record", "part")
    p = lab.run("--web", "part", *end)
    lab.expect("a record forgets scope and dedup", p.stdout == sites)
    for words in ("clean.language=nl", "scope.hosts=h00", "dedup.near=0"):
        lab.expect("it does not say that it brings " + words,
                   "part brings " + words in p.stderr)
    p = lab.run("--web", "part", "--set=scope.hosts=h00.scenario.test", *end)
    lab.expect("another scope is not said", "recorded with scope.hosts=h00" in p.stderr)
    lab.expect("another scope is not taken",
               json.loads(p.stdout)["pages"] < json.loads(sites)["pages"])
    # also when what is given is the preset
    lab.bad("clean.badness_max=1000, yours is clean.badness_max=12", "--web", "part",
            "--set=clean.badness_max=12")
    lab.bad("clean.language=nl, yours is clean.language=de", "--web", "part",
            "--language", "de")


def check_fingerprints(lab):
    """A record holds fingerprints as they were made, and cannot have others."""
    for values in (16, 128):
        of = "--set=dedup.values=%d" % values
        part = ["--seeds", "seeds.txt", "--language", "nl", of, *CLEAN]
        end = ["--scorers", "bfs", "--json"]
        sites = lab.run("--web", "sites", *part, *end).stdout
        lab.run("--web", "sites", *part, "--record", "prints")
        lab.expect("a record with %s gives other figures" % of,
                   lab.run("--web", "prints", *end).stdout == sites)
        lab.expect("with %s little is kept" % of,
                   sites and json.loads(sites)["kept_total"] > HOSTS * PAGES / 2)
        lab.bad("yours is dedup.values=64", "--web", "prints", "--set=dedup.values=64")


def warc_record(url, status, head, body, kind=b"response", fields=b""):
    block = b"HTTP/1.1 %d x\r\nContent-Type: text/html\r\n%s\r\n%s" % (status, head, body)
    return (b"WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n"
            b"WARC-Date: 2026-01-01T00:00:00Z\r\n%s"
            b"Content-Type: application/http; msgtype=response\r\n"
            b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (kind, url, fields, len(block), block))


def check_redirect(lab):
    """The target of a redirect stands behind it in an archive."""
    with open(os.path.join(lab.folder, "one.warc"), "wb") as f:
        f.write(warc_record(b"http://r.test/", 200, b"", b'<p><a href="/old">oud</a></p>') +
                warc_record(b"http://r.test/old", 301, b"Location: /new\r\n", b"") +
                warc_record(b"http://r.test/new", 200, b"", b"<p>nieuw</p>"))
    for more in ([], ["--leave-out-missing"]):
        p = lab.run("--web", "one.warc", "--scorers", "bfs", "--json", *more)
        lab.expect("what a redirect leads to cannot be reached %s: %s" % (more, p.stdout[:90]),
                   p.stdout and json.loads(p.stdout)["pages"] == 2)


def check_moved_robots(lab):
    """A robots.txt counts that another host has."""
    with open(os.path.join(lab.folder, "robots.warc"), "wb") as f:
        f.write(warc_record(b"http://a.test/robots.txt", 301,
                            b"Location: http://b.test/robots.txt\r\n", b"") +
                warc_record(b"http://b.test/robots.txt", 200, b"",
                            b"User-agent: *\nDisallow: /no\n") +
                warc_record(b"http://a.test/", 200, b"", b'<p><a href="/no">nee</a></p>') +
                warc_record(b"http://a.test/no", 200, b"", b"<p>verboden</p>"))
    p = lab.run("--web", "robots.warc", "--scorers", "bfs", "--json")
    lab.expect("a robots.txt that has moved is forgotten: %s" % p.stdout[:90],
               p.stdout and json.loads(p.stdout)["pages"] == 1)


def check_revisits(lab):
    """A page whose bytes stand in the archive under another URL is there, with links
    of its own, whatever says where they stand; what a later answer replaces is not."""
    urn = b"<urn:uuid:%08x-0000-4000-8000-000000000000>"

    def original(n, url, status, head, body):
        return warc_record(url, status, head, body, fields=b"WARC-Record-ID: " + urn % n +
                           b"\r\nWARC-Payload-Digest: sha1:%d\r\n" % n)

    def revisit(n, url, says, status=200, head=b""):
        return warc_record(url, status, head, b"", b"revisit",
                           b"WARC-Record-ID: " + urn % n + b"\r\n" + says + b"\r\n")

    same = b'<p>twee keer<a href="next">verder</a>'
    by_id, by_digest = b"WARC-Refers-To: " + urn % 2, b"WARC-Payload-Digest: sha1:2"
    by_place = (b"WARC-Refers-To-Target-URI: http://v.test/a/\r\n"
                b"WARC-Refers-To-Date: 2026-01-01T00:00:00Z")
    parts = [
        original(1, b"http://v.test/", 200, b"", b"<p>"
                 + b"".join(b'<a href="%s">x</a>' % x for x in
                            (b"/a/", b"/b/", b"/c/", b"/d/", b"/e/", b"/moved", b"/lost", b"/new"))),
        original(2, b"http://v.test/a/", 200, b"", same),
        revisit(3, b"http://v.test/b/", by_id),
        revisit(4, b"http://v.test/c/", by_digest),
        revisit(5, b"http://v.test/d/", by_place),
        # of a revisit: nothing but the digest leads to the bytes
        revisit(6, b"http://v.test/e/", b"WARC-Refers-To: " + urn % 3 + b"\r\n" + by_digest),
        revisit(7, b"http://v.test/a/", by_id, 304),
        revisit(8, b"http://v.test/moved", by_digest, 301, b"Location: /a/next\r\n"),
        revisit(9, b"http://v.test/lost", b"WARC-Payload-Digest: sha1:99"),
        revisit(10, b"http://v.test/new", by_digest),
        original(11, b"http://v.test/new", 404, b"", b"weg"),
    ] + [original(20 + i, b"http://v.test/%s/next" % x, 200, b"", b"<p>%s is het einde" % x)
         for i, x in enumerate([b"a", b"b", b"c", b"d", b"e"])]
    with open(os.path.join(lab.folder, "revisits.warc"), "wb") as f:
        f.write(b"".join(parts))
    with open(os.path.join(lab.folder, "turned.warc"), "wb") as f:  # originals come behind
        f.write(b"".join([parts[0]] + parts[:8:-1] + parts[8:0:-1]))
    for name, lost, said in (("revisits.warc", 1, "1 of 6 revisits"),
                             ("turned.warc", 2, "1 of 7 revisits")):
        p = lab.run("--web", name, "--scorers", "bfs", "--pages", "100", "--json")
        d = json.loads(p.stdout)
        # the root, five of one text, what stands behind each; an error
        want = {"pages": 7, "fetched": 12, "not_recorded": lost}
        got = {"pages": d["pages"], "fetched": d["scorers"]["bfs"]["fetched"],
               "not_recorded": d["scorers"]["bfs"]["not_recorded"]}
        lab.expect("%s: %s, not %s" % (name, got, want), got == want)
        lab.expect("%s: what is lost is not said: %s" % (name, p.stderr), said in p.stderr)


def check_links_out(lab):
    """Links to hosts that are not there are kept, and cost nothing."""
    args = ["--web", "web", "--scorers", "bfs", "--pages", "100000", "--json"]
    d = json.loads(lab.run(*args).stdout)["scorers"]["bfs"]
    lab.expect("%d links out" % d["not_recorded"], d["not_recorded"] == 3)
    inside = json.loads(lab.run(*args, "--inside-only").stdout)["scorers"]["bfs"]
    lab.expect("--inside-only: %d links out" % inside["not_recorded"],
               inside["not_recorded"] == 0)
    lab.run("--web", "web", "--seeds", "seeds.txt", "--scorers", "bfs")  # http://out.test$uri/
    lab.expect("links out cost something", inside["fetched"] == d["fetched"] and
               inside["kept"] == d["kept"])


def check_arms(lab):
    """Every scorer waits alike, several seeds of chance make means and ranges,
    and those that know the web are called what they are."""
    args = ["--web", "web", "--scorers", "bfs,random,foresight,ceiling,greedy",
            "--pages", "60", "--chance", "3"]
    d = json.loads(lab.run(*args, "--delay-ms", "500", "--rate", "20", "--json",
                           "-o", "arms").stdout)["scorers"]
    lab.expect("arms %s" % sorted(d), sorted(d) == sorted(
        n + p for n in ("bfs", "random", "foresight", "greedy") for p in ("", "@0")))
    lab.expect("runs", (d["bfs"]["runs"], d["random"]["runs"]) == (1, 3))
    lab.expect("patience %s" % d["random"]["idle_slot_seconds"],
               d["random"]["idle_slot_seconds"] > 0 and
               d["random"]["virtual_seconds"] > d["random@0"]["virtual_seconds"] and
               all(d[n + "@0"]["idle_slot_seconds"] == 0 for n in ("bfs", "random")))
    low, high = d["random"]["coverage_range"]["25"]
    lab.expect("range", low <= d["random"]["coverage"]["25"] <= high)
    lab.expect("nobody is on the front",
               any(s["price"]["25"]["front"] for s in d.values()))
    for name in ("price", "coverage_time", "hosts", "curve_time", "intervals"):
        lab.expect("arms/%s.tsv is not there" % name, os.path.exists(
            os.path.join(lab.folder, "arms", name + ".tsv")))
    with open(os.path.join(lab.folder, "arms", "report.md")) as f:
        timed = f.read()
    free = lab.run(*args).stdout
    lab.expect("a bound that is none with delays", "ceiling |" not in timed and
               "ceiling without delays, patience 0 |" in timed)
    lab.expect("no ceiling", "| ceiling |" in free and "| greedy oracle |" in free and
               "| foresight |" not in free)


def check_live(lab, web):
    """The live crawler keeps what the lab says, and its WARC files replay, with a page
    that they have as a revisit of its twin."""
    host, pages = "h02.scenario.test", web["h02.scenario.test"]
    pages["/0.html"] = pages["/0.html"].replace(
        b"<nav>", b'<nav><a href="/one/twin.html">a</a><a href="/two/twin.html">b</a>')
    for i, name in enumerate(("/one/", "/two/")):
        pages[name + "twin.html"] = pages["/3.html"].replace(
            b"<nav>", b'<nav><a href="only.html">c</a>')
        pages[name + "only.html"] = b"<html lang=nl><p>Alleen hier staat tekst nummer %d." % i
    put_sites({host: pages}, os.path.join(lab.folder, "sites"))
    os.remove(os.path.join(lab.folder, "sites", host, "robots.txt"))
    site = Site(web)
    try:
        del web["h00.scenario.test"]["/7.html"]  # robots.txt forbids it
        site.write_hosts(os.path.join(lab.folder, "hosts"))
        p = subprocess.run(
            [lab.winnow, "crawl", "--dir", "crawl", "--quiet", *CLEAN,
             "--set=seeds.file=seeds.txt", "--set=scope.hosts=" + " ".join(sorted(web)),
             "--set=limits.wait_seconds=2", "--set=politeness.delay_ms=0",
             "--set=frontier.scorer=bfs",
             "--set=clean.language=nl", "--set=fetch.hosts_file=hosts",
             "--set=fetch.parallel=1", "--set=output.warc=on",
             "--set=output.format=jsonl"],
            cwd=lab.folder, stderr=subprocess.PIPE, text=True, timeout=200)
        lab.expect("crawl: %s" % p.stderr, p.returncode == 0)
    finally:
        site.close()
    p = subprocess.run([lab.winnow, "report", "crawl", "--json"], cwd=lab.folder,
                       stdout=subprocess.PIPE, text=True, check=True)
    live = json.loads(p.stdout)
    end = ["--pages", "100000", "--language", "nl", "--scorers", "bfs", "--json", *CLEAN]
    os.remove(os.path.join(lab.folder, "sites", "h00.scenario.test", "7.html"))
    os.remove(os.path.join(lab.folder, "sites", "h00.scenario.test", "robots.txt"))
    sites = json.loads(lab.run("--web", "sites", "--seeds", "seeds.txt", *end).stdout)
    crawl = json.loads(lab.run("--web", "crawl", "--pages", "100000", "--scorers",
                               "bfs", "--json").stdout)  # it knows its job
    lab.expect("the crawl forgets its language", crawl["language"] == ["nl"])
    for name, d in (("sites", sites), ("crawl", crawl)):
        got = d["scorers"]["bfs"]
        lab.expect("%s: the lab fetched %d and kept %d, the crawl %d and %d" % (
            name, got["fetched"], got["kept"], live["fetched"], live["kept"]),
            (got["fetched"], got["kept"]) == (live["fetched"], live["kept"]))


def check_presets(lab):
    for name in ("seeds", "cyclic", "links"):
        p = lab.run("--web", "web", "--preset", name, "--scorers",
                    "paper,oracle,foresight")
        lab.expect("--preset %s: nothing published in it" % name,
                   "ublished" in p.stdout)
        rows = [line for line in p.stdout.splitlines() if line.startswith("| ")]
        lab.expect("--preset %s: a row stands there twice" % name,
                   len(rows) == len(set(rows)))
        lab.expect("--preset %s: an oracle" % name, "oracle" not in p.stdout)
        told = json.loads(lab.run("--web", "web", "--preset", name, "--json").stdout)
        lab.expect("--preset %s: %s" % (name, told), any(
            isinstance(x, (int, float)) for row in told["preset_" + name]
            for x in row.values()))
    lab.bad("--pages", "--web", "web", "--preset", "seeds", "--pages", "5")
    lab.bad("--chance", "--web", "web", "--preset", "cyclic", "--chance", "5")


def check_walk(lab):
    """A random walk is left to chance."""
    d = json.loads(lab.run("--web", "web", "--scorers", "walk", "--chance", "3", "--set=limits.host_pages=9",
                           "--json").stdout)
    lab.expect("walk: %s" % d["scorers"]["walk"], d["scorers"]["walk"]["runs"] == 3)


def check_killed(lab):
    """What a killed run leaves in TMPDIR the next one removes, also of one that was
    removing it."""
    tmp = os.path.join(lab.folder, "tmp")
    os.mkdir(tmp)
    args = [lab.winnow, "lab", "--web", "web", "--scorers", "bfs,paper,learned",
            "--chance", "50"]
    for _ in range(20):  # between two of its crawls there is nothing
        p = subprocess.Popen(args, cwd=lab.folder, env=dict(os.environ, TMPDIR=tmp),
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.time() + 60
        while not glob.glob(tmp + "/*/*/*") and time.time() < end:  # a store is there
            time.sleep(.01)
        p.kill()
        p.wait()
        if os.listdir(tmp):
            break
    lab.expect("nothing was left", os.listdir(tmp))
    os.makedirs(tmp + "/winnow-scratch-halved/frontier")
    os.chmod(tmp + "/winnow-scratch-halved", 0o700)
    subprocess.run(args[:5] + ["bfs"], cwd=lab.folder, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, TMPDIR=tmp), stderr=subprocess.DEVNULL, check=True)
    lab.expect("left: %s" % os.listdir(tmp), not os.listdir(tmp))


def check_bad_input(lab):
    lab.bad("which web", "--json")
    lab.bad("No such file", "--web", "nowhere")
    os.makedirs(os.path.join(lab.folder, "empty"))
    lab.bad("no sites", "--web", "empty")
    lab.bad("no scorer mine: there are bfs, ", "--web", "sites", "--scorers", "mine")
    lab.bad("did you mean paper", "--web", "sites", "--scorers", "papper")
    lab.bad("frontier.without: no feature begins with nothing", "--web", "nowhere",
            "--set=frontier.without=nothing")  # said before the web is looked at
    lab.bad("--preset sed", "--web", "sites", "--preset", "sed")
    lab.bad("--chance", "--web", "sites", "--chance", "0")
    lab.bad("--patience", "--web", "sites", "--patience", "0.3,2")
    lab.bad("--pages", "--web", "sites", "--pages", "none")
    with open(os.path.join(lab.folder, "far.txt"), "w") as f:
        f.write("http://elsewhere.test/\n")
    lab.bad("none of the seeds", "--web", "sites", "--seeds", "far.txt")
    lab.bad("clean.chars_min", "--web", "web", "--set=clean.chars_min=77")
    for flag in ("--delay-ms=0.5", "--chance=1.5", "--pages=2.5", "--seed=1.5"):
        lab.bad("not a whole number", "--web", "web", flag)
    for given, wanted in (("politeness.delay_ms=9", "give --delay-ms"),
                          ("politeness.delays=a.test=9", "give --delay-ms"),
                          ("limits.documents=9", "give --pages"),
                          ("fetch.bytes_per_second=9", "give --rate"),
                          ("frontier.random_seed=9", "give --seed")):
        p = lab.run("--web", "web", "--scorers", "bfs", "--set", given)
        lab.expect("%s is ignored silently: %s" % (given, p.stderr), wanted in p.stderr)
    p = lab.run("--web", "web", "--scorers", "learned", "--patience", "0.2,0,0.2", "--json")
    names = json.loads(p.stdout, object_pairs_hook=lambda x: x)
    names = [k for k, _ in dict(names)["scorers"]]
    lab.expect("a patience twice: %s" % names, names == ["learned", "learned@0"])
    with open(os.path.join(lab.folder, "web"), "rb") as f:
        whole = f.read()
    for name, data, wanted in (("cut", whole[:-9], "cut off"),
                               ("bent", whole[:900] + bytes([whole[900] ^ 1]) + whole[901:], "damaged"),
                               ("new", whole[:8] + b"\0\0\xff\0" + whole[12:], "newer"),
                               ("old", whole[:8] + b"\0\0\0\1" + whole[12:], "record the web again"),
                               ("text", b"no web at all\n" * 9, "neither")):
        with open(os.path.join(lab.folder, name), "wb") as f:
            f.write(data)
        lab.bad(wanted, "--web", name)


def main():
    folder = tempfile.mkdtemp(prefix="winnow-lab-scenario-")
    lab = Lab(os.path.abspath(sys.argv[1]), folder)
    web = make_pages(HOSTS, PAGES, 5, copies=.2)
    for path in ("/0.html", "/1.html"):  # links out of the folder
        out = (b'<nav><a href="http://out.test%s">uit</a>'
               b'<a href="http://out.test$uri/">en weg</a>' % path.encode())
        web["h01.scenario.test"][path] = \
            web["h01.scenario.test"][path].replace(b"<nav>", out)
    put_sites(web, os.path.join(folder, "sites"))
    with open(os.path.join(folder, "seeds.txt"), "w") as f:
        f.writelines("http://%s/0.html\n" % h for h in sorted(web))
    try:
        check_interface(lab)
        check_brought(lab)
        check_fingerprints(lab)
        check_redirect(lab)
        check_moved_robots(lab)
        check_revisits(lab)
        check_links_out(lab)
        check_arms(lab)
        check_presets(lab)
        check_walk(lab)
        check_killed(lab)
        check_bad_input(lab)
        check_live(lab, web)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("%s the laboratory" % ("FAIL" if lab.faults else "ok  "))
    print("\n".join("     " + f for f in lab.faults))
    return 1 if lab.faults else 0


if __name__ == "__main__":
    sys.exit(main())
