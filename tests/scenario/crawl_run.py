"""crawl_run.py -- what scenarios look at in a crawl: what its processes say, how
they end, which documents its corpus holds; a crawl beside a dedup service.
Standard library only.
"""
import collections
import glob
import gzip
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from made_web import Site, make_pages


class Reader(threading.Thread):
    """Collects what a process says."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream, self.lines = stream, []
        self.start()

    def run(self):
        for line in self.stream:
            self.lines.append(line.rstrip())

    def said(self, words, seconds):
        end = time.time() + seconds
        while time.time() < end:
            if any(all(w in line for w in words) for line in self.lines):
                return True
            time.sleep(.05)
        return False


def wait_for_end(p, seconds, fault, endless):
    """`p` ends by itself with 0, or it is killed and `fault` says `endless`."""
    try:
        p.wait(seconds)
    except subprocess.TimeoutExpired:
        fault.append(endless)
        p.kill()
        p.wait()
    if p.returncode != 0:
        fault.append("exit status %s" % p.returncode)


def documents(*folder):
    """What the corpus of a crawl into `folder` (its parts) holds, in order."""
    docs = []
    for path in sorted(glob.glob(os.path.join(*folder, "corpus", "*.jsonl.gz"))):
        with gzip.open(path, "rt", encoding="utf-8") as f:
            docs += [json.loads(line) for line in f]
    return docs


class DedupCrawl:
    """A crawl of `pages` pages, all to be kept, and a dedup service at `url` (in
    which {folder} is the crawl's own); `more` is the rest of the job file."""

    def __init__(self, winnow, base, name, pages, url, more):
        self.winnow, self.folder = winnow, os.path.join(base, name)
        self.dir = os.path.join(self.folder, "crawl")
        os.makedirs(self.dir)
        self.site = Site(make_pages(1, pages, 6))
        self.site.write_hosts(os.path.join(self.folder, "hosts"))
        host = sorted(self.site.web)[0]
        self.job = os.path.join(self.folder, "job.ini")
        with open(self.job, "w") as f:
            f.write("[seeds]\nurl = http://%s/0.html\n[limits]\nwait_seconds = 3\n"
                    "[politeness]\ndelay_ms = 20\n[clean]\nbadness_max = 1000\n"
                    "chars_min = 10\n[dedup]\nnear = 0\nurl = %s\n"
                    "[output]\nformat = jsonl\ndisk_free_mib = 0\n"
                    "[fetch]\nhosts_file = hosts\n%s"
                    % (host, url.format(folder=self.folder), more))
        self.want = sorted("http://%s%s" % (h, p)
                           for h in self.site.web for p in self.site.web[h])
        self.dedup = None

    def start(self, what, *more):
        return subprocess.Popen(
            [self.winnow, what, self.job, "--dir", self.dir, *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)

    def serve(self, *more):
        """Start the service; what it says is read."""
        self.dedup = self.start("dedup", *more)
        return Reader(self.dedup.stderr)

    def stop(self):
        if self.dedup and self.dedup.poll() is None:
            self.dedup.send_signal(signal.SIGCONT)
            self.dedup.terminate()
            self.dedup.wait(30)

    def check(self, fault):
        """The corpus, once the service has ended."""
        self.stop()
        got = sorted(d["url"] for d in documents(self.dir))
        twice = [u for u, n in collections.Counter(got).items() if n > 1]
        if got != self.want:
            fault.append("corpus: %d documents, wanted %d, twice: %s" % (
                len(got), len(self.want), twice[:3]))


def run_parts(prefix, begin, parts):
    """Run each part on the crawl that begin(folder, name) gives; the program's
    exit status.  A part notes faults and returns what the crawl said."""
    base = tempfile.mkdtemp(prefix=prefix)
    bad = 0
    try:
        for part in parts:
            c, fault = begin(base, part.__name__), []
            try:
                err = part(c, fault)
            finally:
                c.stop()
                c.site.close()
            print("%s %s" % ("FAIL" if fault else "ok  ", part.__name__))
            for f in fault:
                print("     " + f)
            if fault:
                print("\n".join("     | " + line for line in err.lines[-20:]))
            bad += bool(fault)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0
