#!/usr/bin/env python3
"""live_check.py -- `winnow frontier DIR --check` beside a crawl at full speed sees
one moment of it: no fault where there is none.

usage: live_check.py WINNOW
A crawl of a made-up web on loopback.  Standard library only.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from made_web import Site, make_pages  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
CHECKS = 40


def main():
    base = tempfile.mkdtemp(prefix="winnow-live-check-")
    site = Site(make_pages(30, 60, 6), latency=0)
    site.write_hosts(os.path.join(base, "hosts"))
    job = os.path.join(base, "job.ini")
    with open(job, "w") as f:
        f.write("[seeds]\nurl = %s\n[politeness]\ndelay_ms = 20\n[limits]\n"
                "wait_seconds = 5\n[clean]\nbadness_max = 1000\nchars_min = 10\n"
                "threads = 1\n[frontier]\npatience = 0\n[fetch]\n"
                "hosts_file = hosts\nparallel = 16\n[output]\nformat = jsonl\n"
                "disk_free_mib = 0\n[recrawl]\ninterval_seconds = 1\n"
                "interval_min_seconds = 1\ninterval_max_seconds = 1\n"
                % " ".join("http://%s/0.html" % h for h in sorted(site.web)))
    crawl = subprocess.Popen([WINNOW, "crawl", job, "--dir", base + "/crawl", "--quiet"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    bad, done = [], 0
    try:
        while not site.requests and crawl.poll() is None:
            pass
        while done < CHECKS and crawl.poll() is None:
            p = subprocess.run([WINNOW, "frontier", base + "/crawl", "--check"],
                               capture_output=True, text=True, timeout=60)
            done += 1
            if p.returncode != 0 or not p.stdout.endswith("0 faults\n"):
                bad.append(p.stdout + p.stderr)
        alive = crawl.poll() is None
    finally:
        if crawl.poll() is None:
            crawl.terminate()
        said = crawl.communicate()[1]
        site.close()
        shutil.rmtree(base, ignore_errors=True)
    if not alive:
        print("the crawl has ended after %d checks:\n%s" % (done, said[-2000:]))
        return 1
    print("%d checks beside %d requests: %d with faults" % (
        done, len(site.requests), len(bad)))
    print("\n".join(bad[:3])[:3000])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
