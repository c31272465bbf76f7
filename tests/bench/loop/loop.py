#!/usr/bin/env python3
"""The whole loop: how fast pages of a real web come from loopback into a corpus.

    tests/bench/loop/loop.py [--rounds N] [--run NAME...] [--winnow NAME=PROGRAM...]
    tests/bench/loop/loop.py --made HOSTS     small made pages of so many hosts, all alike
    tests/bench/loop/loop.py --made HOSTS --prose   ... each of 40 English sentences of its own

nginx serves the pages (../shared/data: web, unpacked; links that lead nowhere are
taken out), and every program gets the list of their URLs: Winnow with all its
parts on and the presets of its options, but for the delay of a host, which is 0; the
same with each sync slowed by 5 ms; Winnow with as little cleaning as a crawl can
have; wget2, Scrapy and Heritrix, which only store them (Heritrix takes some ten
seconds to start and to end, which count); Scrapy with Trafilatura.  In each round all of
them run once, one after the other.  Printed for each, as a Markdown table of medians:
pages and requests a second, CPU of the program (not of nginx) a request, peak memory,
syncs, bytes written to the disk and voluntary context switches a request.

Needs nginx, a C compiler and, for their rows, wget2 (Debian), Scrapy (PyPI; put into
--venv at the first time) and Heritrix (Maven Central, by mvn; put beside it; Java).  Exit
77: the data is not there.
"""
import argparse
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, HERE)
import page_set  # noqa: E402

NGINX = """daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/error.log crit;
{user}
worker_rlimit_nofile 70000;
events {{ worker_connections 60000; }}
http {{
  access_log off; sendfile on; tcp_nopush on; server_tokens off;
  keepalive_timeout 60; keepalive_requests 100000; default_type text/html;
  client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3;
  uwsgi_temp_path {work}/t4; scgi_temp_path {work}/t5;
  open_file_cache max=10000 inactive=300s; open_file_cache_errors on;
  types {{ text/html html htm; }}
  {chosen}
  server {{
    {listen}
    server_name ~^(?<site>[a-z0-9][a-z0-9.-]*)$;
    {content}
  }}
}}
"""
LISTEN = "listen %s:%d default_server backlog=4096;"
SLOW_MS = 5
ADDRESSES = 250  # of made hosts: to a single one the kernel has few ports, and searches
OTHERS = ("wget2", "heritrix", "scrapy", "scrapy_trafilatura")
HERITRIX = "3.4.0-20220727"
RUNS = ("default", "slow_sync", "little_cleaning") + OTHERS


def parse():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--data", default=os.path.join(
        os.environ.get("WINNOW_DATA", os.path.expanduser("~/.cache/winnow-data")),
        "web", "sites"))
    p.add_argument("--winnow", nargs="+", metavar="NAME=PROGRAM",
                   default=["winnow=" + os.path.join(ROOT, "build/release/crawler/winnow")])
    p.add_argument("--run", nargs="+", choices=RUNS, default=list(RUNS))
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--hosts", type=int, default=100000)
    p.add_argument("--per-host", type=int, default=60)
    p.add_argument("--made", type=int, metavar="HOSTS")
    p.add_argument("--pages", type=int, default=20000, help="of --made")
    p.add_argument("--prose", action="store_true", help="of --made: pages that are kept")
    p.add_argument("--set", nargs="*", default=[], help="further options of Winnow")
    p.add_argument("--port", type=int, default=8899)
    p.add_argument("--venv", default=os.path.expanduser("~/.cache/winnow-venvs/loop"))
    p.add_argument("--work", help="kept, until the next bench there; default: a folder that is "
                   "removed")
    a = p.parse_args()
    if a.prose and not a.made:
        p.error("--prose is for --made HOSTS")
    return a


def sentences(data):
    """One a line: the data's part "text" stands beside its webs."""
    return os.path.join(os.path.dirname(os.path.dirname(data)), "text", "en", "train.txt")


def prose(data):
    """For nginx: which sentences a URL gets, one of 50 in each of 40 places, and the body."""
    with open(sentences(data), encoding="utf-8") as f:
        lines = [l.strip() for l in f]
    lines = [l for l in lines if 60 < len(l) < 200 and not set(l) & set("$'\"\\{};<>&")]
    chosen = "".join("split_clients $host$uri:%d $s%d { %s * '%s'; }\n" % (
        i, i, " ".join("2%% '%s';" % l for l in lines[50 * i:50 * i + 49]), lines[50 * i + 49])
        for i in range(40))
    return chosen, "".join("<p>%s</p>" % " ".join("${s%d}" % k for k in range(i, i + 5))
                           for i in range(0, 40, 5))


class Web:
    """The pages, served until it is closed."""

    def __init__(self, a, work):
        self.port, sites, self.address = a.port, os.path.join(work, "sites"), ["127.0.0.1"]
        chosen = ""
        if a.made:
            self.address = ["127.0.1.%d" % (i + 1) for i in range(ADDRESSES)]
            self.urls = ["http://h%d.test/%d.html" % (i % a.made, i // a.made)
                         for i in range(a.pages)]
            body = "<p>" + "some words of a page that is all made up " * 40 + "</p>"
            if a.prose:
                chosen, body = prose(a.data)
            content = ("location = /robots.txt { return 404; } location / { return 200 "
                       "'<html><title>t</title><body>%s</body></html>'; }" % body)
        else:
            self.urls = page_set.make(a.data, sites, a.hosts, a.per_host)
            content = "root %s/$site;" % sites
        conf = os.path.join(work, "nginx.conf")
        with open(conf, "w") as f:
            f.write(NGINX.format(work=work, content=content, chosen=chosen,
                                 listen=" ".join(LISTEN % (b, a.port) for b in self.address),
                                 user="user root;" if os.geteuid() == 0 else ""))
        self.hosts = sorted({u.split("/")[2] for u in self.urls})
        with open(os.path.join(work, "urls"), "w") as f:
            f.writelines(u + "\n" for u in self.urls)
        with open(os.path.join(work, "hosts"), "w") as f:
            f.writelines("%s %s:%d\n" % (h, self.address[i % len(self.address)], a.port)
                         for i, h in enumerate(self.hosts))
        self.nginx = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx",
                                       "-p", work, "-c", conf])
        time.sleep(.5)

    def close(self):
        self.nginx.terminate()
        self.nginx.wait()


def winnow(program, a, work, run):
    job = os.path.join(work, "job.ini")
    with open(job, "w") as f:
        f.write("[seeds]\nfile = urls\n[limits]\nwait_seconds = 2\n[scope]\ntld =\n"
                "[politeness]\ndelay_ms = 0\naddress_delay_ms = 0\nresponse_factor = 0\n"
                "[fetch]\nhosts_file = hosts\n[log]\nprogress = off\n")
        if run == "little_cleaning":
            f.write("[clean]\nchain = charset strip metadata boilerplate normalise tokens shingles\nsandbox = off\n[dedup]\nnear = 0\n")
    more = [x for s in a.set for x in ("--set", s)]
    return [program, "crawl", job, "--dir", os.path.join(work, "crawl"), *more]


def wget2(a, work):
    return ["wget2", "-q", "-i", os.path.join(work, "urls"), "-x", "-P",
            os.path.join(work, "crawl"), "--no-robots", "--max-threads=32",
            "--http-proxy=http://127.0.0.1:%d" % a.port]


def scrapy(a, work, run):
    """The command; its packages are there then."""
    python = os.path.join(a.venv, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", a.venv], check=True)
    have = subprocess.run([python, "-c", "import scrapy, trafilatura"], check=False,
                          stderr=subprocess.DEVNULL)
    if have.returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "scrapy", "trafilatura",
                        "lxml_html_clean"], check=True)
    os.makedirs(os.path.join(work, "crawl"))
    return [python, os.path.join(HERE, "scrapy_run.py"), os.path.join(work, "urls"),
            "http://127.0.0.1:%d" % a.port, os.path.join(work, "crawl", "out"),
            "trafilatura" if run == "scrapy_trafilatura" else "store"]


def heritrix(a, work):
    """The command; Heritrix is there then."""
    home = os.path.join(os.path.dirname(a.venv), "heritrix-" + HERITRIX)
    if not os.path.isdir(home):
        got = tempfile.mkdtemp(prefix="heritrix.")
        mvn = ["mvn", "-q", "-B", "-Dstyle.color=never",
               "-Dartifact=org.archive.heritrix:heritrix:%s:zip:dist" % HERITRIX]
        subprocess.run([*mvn, "dependency:get", "-Dtransitive=false"], check=True)
        subprocess.run([*mvn, "dependency:copy", "-DoutputDirectory=" + got], check=True)
        for name in os.listdir(got):
            shutil.unpack_archive(os.path.join(got, name), os.path.dirname(home))
        shutil.rmtree(got)
    return [sys.executable, os.path.join(HERE, "heritrix_run.py"), home,
            os.path.join(work, "crawl"), os.path.join(work, "urls"), str(a.port)]


def there(run):
    """Can it be had here?"""
    needs = {"wget2": ("wget2",), "heritrix": ("java", "mvn")}.get(run, ())
    missing = [n for n in needs if not shutil.which(n)]
    if missing:
        print("skipped: %s (no %s)" % (run, ", ".join(missing)))
    return not missing


def command_of(a, work, program, run):
    """How to run it, in a folder `crawl` that is not there.  What the run before left is put
    aside: ext4 takes no inode that was freed within minutes, and searches for another, which
    made programs that write many files up to ten times as slow from round to round.  It is
    removed when the next bench begins."""
    crawl, old = os.path.join(work, "crawl"), os.path.join(work, "old")
    if os.path.exists(crawl):
        os.makedirs(old, exist_ok=True)
        os.rename(crawl, os.path.join(old, str(len(os.listdir(old)))))
    if run == "wget2":
        return wget2(a, work)
    if run == "heritrix":
        return heritrix(a, work)
    return scrapy(a, work, run) if run in OTHERS else winnow(program, a, work, run)


def remove_old(work):
    """What a bench before has put aside in this folder, if it was one's."""
    old = os.path.join(work, "old")
    if os.path.exists(os.path.join(work, "sync_count.so")) and os.path.isdir(old):
        print("removing %s, of the bench before: for some minutes ext4 may be slower for who "
              "writes many files" % old, flush=True)
        shutil.rmtree(old)


def wait_for_ports():
    """Connections that ended keep a port for a minute; among many of them each new
    one is searched for, at the cost of the program that runs then."""
    for _ in range(90):
        with open("/proc/net/sockstat", encoding="ascii") as f:
            words = f.read().split()
        if int(words[words.index("tw") + 1]) < 1000:
            return
        time.sleep(1)


def memory_reports():
    """How often the host of this virtual machine has taken free memory back."""
    with open("/proc/interrupts", encoding="ascii") as f:
        return sum(int(n) for line in f if "reporting_vq" in line
                   for n in line.split()[1:] if n.isdigit())


def wait_for_memory():
    """Memory that the program before has freed goes back to the host, and a disk may stand
    still meanwhile, for 50 to 160 ms at a time (tests/bench/quiet.h)."""
    quiet, before = 0, memory_reports()
    for _ in range(60):
        if before == 0 or quiet == 5:
            return
        time.sleep(1)
        now = memory_reports()
        quiet, before = quiet + 1 if now == before else 0, now


def once(command, work, library, slow_ms):
    """Run it; requests are counted by who calls."""
    out, said = os.path.join(work, "syncs"), os.path.join(work, "said")
    env = dict(os.environ, LD_PRELOAD=library, SYNC_COUNT_OUT=out,
               SYNC_COUNT_MS=str(slow_ms))
    os.sync()
    wait_for_ports()
    wait_for_memory()
    begin = time.monotonic()
    with open(said, "w") as f:
        p = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                             stdout=f, stderr=f)
        _, status, use = os.wait4(p.pid, 0)
    seconds = time.monotonic() - begin
    p.returncode = os.waitstatus_to_exitcode(status)
    with open(out) as f:
        syncs, written = (int(n) for n in f.read().split()[:2])
    if p.returncode not in (0, 8):
        sys.exit("%s: exit %d\n%s" % (command[0], p.returncode, open(said).read()[-2000:]))
    return dict(s=seconds, cpu=use.ru_utime + use.ru_stime, rss=use.ru_maxrss / 1024,
                syncs=syncs, written=written, switches=use.ru_nvcsw)


def requests(work, run):
    """How many were made, and what came of them."""
    folder, pages = os.path.join(work, "crawl"), 0
    if run == "wget2":
        n = sum(len(names) for _, _, names in os.walk(folder))
        return n, n
    if run == "heritrix":
        lines = []
        for path in glob.glob(os.path.join(folder, "jobs", "pages", "2*", "logs", "crawl.log")):
            with open(path, "rb") as f:
                lines += [l.split() for l in f]
        made = [l for l in lines if l[3].startswith(b"http") and int(l[1]) > 0]
        return len(made), sum(l[1] == b"200" for l in made)
    if run in OTHERS:
        with open(os.path.join(folder, "out.counts"), encoding="ascii") as f:
            n = int(f.read())
        with open(os.path.join(folder, "out"), "rb") as f:
            return n, sum(1 for _ in f)
    with open(os.path.join(folder, "log", "crawl.jsonl"), "rb") as f:
        lines = f.readlines()
    pages = sum(b'"outcome":"FETCHED"' in l or b'"outcome":"fetched"' in l for l in lines)
    return len(lines), pages


def main():
    a = parse()
    needed = sentences(a.data) if a.prose else a.data
    if (a.prose or not a.made) and not os.path.exists(needed):
        print("not there: %s (../shared/data/unpack.sh)" % needed)
        return 77
    work = os.path.abspath(a.work or tempfile.mkdtemp(prefix="loop."))
    os.makedirs(work, exist_ok=True)
    remove_old(work)
    library = os.path.join(work, "sync_count.so")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library,
                    os.path.join(HERE, "sync_count.c"), "-ldl"], check=True)
    web, seen = Web(a, work), {}
    print("%d pages of %d hosts" % (len(web.urls), len(web.hosts)), flush=True)
    try:
        for _ in range(a.rounds):
            for name, program, run in [
                    (n, p, r) for r in a.run if r not in OTHERS
                    for n, _, p in (w.partition("=") for w in a.winnow)] + [
                    (r, None, r) for r in a.run
                    if r in OTHERS and there(r)]:
                r = once(command_of(a, work, program, run), work, library, SLOW_MS if run == "slow_sync" else 0)
                r["n"], r["pages"] = requests(work, run)
                seen.setdefault((name, run), []).append(r)
                print("  %s %s: %d requests, %d pages, %.1f s, CPU %.1f s, %d syncs" % (
                    name, run, r["n"], r["pages"], r["s"], r["cpu"], r["syncs"]),
                      flush=True)
    finally:
        web.close()
        if not a.work:
            shutil.rmtree(work, ignore_errors=True)
    print("| | pages/s | requests/s | CPU ms | MiB | syncs | written kB | switches |\n"
          "|---|---|---|---|---|---|---|---|")
    for (name, run), rows in seen.items():
        def m(f):
            return statistics.median(f(r) for r in rows)
        print("| %s | %.0f | %.0f | %.2f | %.0f | %.3f | %.1f | %.1f |" % (
            name if name == run else name + ", " + run,
            m(lambda r: r["pages"] / r["s"]),
            m(lambda r: r["n"] / r["s"]), m(lambda r: 1000 * r["cpu"] / r["n"]),
            m(lambda r: r["rss"]), m(lambda r: r["syncs"] / r["n"]),
            m(lambda r: r["written"] / r["n"] / 1000),
            m(lambda r: r["switches"] / r["n"])))
    return 0


sys.exit(main())
