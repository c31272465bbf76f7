"""crawl_run.py -- what scenarios look at in a crawl: what its processes say, how
they end, which documents its corpus holds.  Standard library only.
"""
import glob
import gzip
import json
import os
import subprocess
import threading
import time


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
