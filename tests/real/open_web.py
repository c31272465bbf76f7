#!/usr/bin/env python3
"""open_web.py -- crawl the open web of ../shared/data/web on loopback.

For each language: `bfs` against `learned` with a budget of 25 % of the pages,
delay 0 and few transfers at once (so that priority and not politeness
decides); then `learned` again with 500 ms per host, and the nginx access log is
searched for politeness violations.

usage: open_web.py [--winnow build/release/crawler/winnow] [--languages de,nl]
                   [--scorers bfs,learned] [--share 0.25] [--seeds sites|all] [--parallel 4]
                   [--delay-ms 500] [--keep DIR] [--json FILE]
Exit: 0 when learned >= 2 x bfs for every language and there is no violation,
1 otherwise, 77 when the data is not there.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import politeness  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(os.environ.get("WINNOW_SHARED",
                                     os.path.join(ROOT, "..", "shared")), "data")


def unpack(name="web"):
    script = os.path.join(SHARED, "unpack.sh")
    if not os.path.exists(script):
        print("open_web: %s is not there; skipped" % SHARED)
        sys.exit(77)
    out = subprocess.run(["sh", script, name], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return os.path.join(out.strip().splitlines()[-1], name)


def write_job(work, web, language, scorer, pages, a, delay_ms, parallel):
    hosts = sorted(os.listdir(os.path.join(web, "sites")))
    with open(os.path.join(work, "hosts"), "w") as f:
        for host in hosts:
            f.write("%s 127.0.0.1:%d\n" % (host, a.port))
    with open(os.path.join(work, "seeds"), "w") as f:
        for name in ("seeds.txt", "seeds_leaf.txt")[:1 if a.seeds == "sites" else 2]:
            f.write(open(os.path.join(web, name), encoding="utf-8").read())
    job = os.path.join(work, "job.ini")
    with open(job, "w") as f:
        f.write("[seeds]\nfile = seeds\n"
                "[scope]\nhosts = %s\n" % " ".join(hosts) +
                "[limits]\npages = %d\nwait_seconds = 20\n" % pages +
                "[politeness]\ndelay_ms = %d\n" % delay_ms +
                "[frontier]\nscorer = %s\n" % scorer +
                "[clean]\nlanguage = %s\n" % language +
                "[fetch]\nhosts_file = hosts\nparallel = %d\n" % parallel +
                "[output]\nformat = jsonl\n")
    return job


def serve(a, web, verb):
    prefix = os.path.join(a.keep, "nginx")
    cmd = [sys.executable, os.path.join(SHARED, "web", "serve.py"), verb]
    if verb == "start":
        cmd += [os.path.join(web, "sites"), "--port", str(a.port)]
    subprocess.run(cmd + ["--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    return os.path.join(prefix, "access.log")


def crawl(a, web, log, language, scorer, pages, delay_ms, parallel, options=(),
          quiet=False):
    work = os.path.join(a.keep, "%s-%s-%d" % (language, scorer, delay_ms))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    job = write_job(work, web, language, scorer, pages, a, delay_ms, parallel)
    open(log, "w").close()
    start = time.time()
    with open(os.path.join(work, "stderr"), "w") as err:
        code = subprocess.run([a.winnow, "crawl", job, "--dir",
                               os.path.join(work, "crawl"),
                               *["--set=" + o for o in options]],
                              stderr=err).returncode
    seconds = time.time() - start
    out = subprocess.run([a.winnow, "report", os.path.join(work, "crawl"),
                          "--json"], check=True, stdout=subprocess.PIPE).stdout
    report = json.loads(out)
    shutil.copy(log, os.path.join(work, "access.log"))
    polite = politeness.check(log, os.path.join(web, "sites"), delay_ms)
    if not quiet or code != 0:
        print("%s %-6s delay %3d ms: fetched %5d kept %5d yield %.3f  %.0f s "
              "(%.0f pages/s)  exit %d  too soon %d  disallowed %d" %
              (language, scorer, delay_ms, report["fetched"], report["kept"],
               report["yield_ratio"], seconds, report["fetched"] / seconds, code,
               polite["too_soon"] if delay_ms else 0, polite["disallowed"]), flush=True)
    for example in polite["examples"][:5]:
        print("   " + example)
    bad = code != 0 or polite["disallowed"] or (delay_ms and polite["too_soon"])
    return {"language": language, "scorer": scorer, "delay_ms": delay_ms,
            "fetched": report["fetched"], "kept": report["kept"],
            "yield_ratio": report["yield_ratio"], "seconds": seconds,
            "too_soon": polite["too_soon"], "disallowed": polite["disallowed"],
            "rejected": report["rejected"]}, not bad


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--winnow", default=os.path.join(ROOT, "build/release/crawler/winnow"))
    p.add_argument("--languages", default="de,nl")
    p.add_argument("--scorers", default="bfs,learned")
    p.add_argument("--share", type=float, default=0.25)
    p.add_argument("--seeds", choices=["sites", "all"], default="sites",
                   help="entry URLs of the sites (seeds.txt), or the single "
                   "pages of leaf hosts as well")
    p.add_argument("--parallel", type=int, default=4)
    p.add_argument("--delay-ms", type=int, default=500)
    p.add_argument("--port", type=int, default=8817)
    p.add_argument("--keep", help="folder for the crawls (default: a temporary one)")
    p.add_argument("--json", help="write the figures here as well")
    a = p.parse_args()
    web = unpack()
    temporary = a.keep is None
    a.keep = os.path.abspath(a.keep or tempfile.mkdtemp(prefix="winnow-open-web-"))
    os.makedirs(a.keep, exist_ok=True)
    pages = sum(int(line.split("\t")[5]) for line in
                open(os.path.join(web, "manifest.tsv"), encoding="utf-8")
                if line.split("\t")[1] == "open")
    budget = int(pages * a.share)
    print("%d pages, budget %d" % (pages, budget))
    rows, ok = [], True
    log = serve(a, web, "start")
    try:
        for language in a.languages.split(","):
            by = {}
            for scorer in a.scorers.split(","):
                row, good = crawl(a, web, log, language, scorer, budget, 0, a.parallel)
                rows.append(row)
                by[scorer] = row["yield_ratio"]
                ok = ok and good
            if "bfs" in by and "learned" in by:
                ratio = by["learned"] / by["bfs"] if by["bfs"] else float("inf")
                print("%s: learned / bfs = %.2f" % (language, ratio))
                ok = ok and ratio >= 2
            if a.delay_ms:
                row, good = crawl(a, web, log, language, "learned", budget,
                                  a.delay_ms, 64)
                rows.append(row)
                ok = ok and good
    finally:
        serve(a, web, "stop")
        if temporary:
            shutil.rmtree(a.keep, ignore_errors=True)
    if a.json:
        with open(a.json, "w") as f:
            json.dump(rows, f, indent=1)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
