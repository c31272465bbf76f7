#!/usr/bin/env python3
"""damage.py -- whatever becomes of a store's files: no signal, no hang, a way on.

The stores of a made-up crawl (tests/power/load.c) are damaged, one of them each time:
cut short, a page zeroed, filled with garbage or with the bytes of another page, some
bytes or bits changed; in data.mdb of the frontier and of the dedup index, in the log of
links and in the log of rows.  Then everything that reads or writes them runs: --stat, --check,
--dump, --why, dedup --stat and --check, the crawl itself; then --check --repair; then
all of it again.
  - no program ends by a signal or hangs, before and after, also when a file is cut
    short while a service has it open;
  - a page that cannot be read is told with the file, the table and the command;
  - a log of rows ends at the damage: what stands behind that is told as lost, what is
    cut off cannot be told from what was never written;
  - after --repair the frontier has no fault, the crawl goes on to its end, and what
    --repair counts as lost is all that is missing of the URLs.

usage: damage.py WINNOW POWER_LOAD [--damages N] [--seed N] [--keep DIR]
"""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

PAGE = 4096
SECONDS = 60 # for a command; more is a hang

FILES = {"frontier/data.mdb": 8, "dedup/data.mdb": 6, "dedup/records.log": 4, "links": 2, "rows": 2}


class Broken(Exception):
    pass


def run(*command, codes=(0, 1, 2)):
    try:
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Broken("hang: " + " ".join(command))
    text = (p.stdout + p.stderr).decode(errors="replace")
    if p.returncode not in codes:
        raise Broken("exit code %d: %s\n%s" % (p.returncode, " ".join(command),
                                               text[-1500:]))
    return p.returncode, text


def make(base):
    """A crawl that was killed in the middle, and one that ended; both with links
    that wait."""
    made = []
    for name, rounds, code in (("killed", "12k", -9), ("ended", "25", 0)):
        folder = os.path.join(base, name)
        os.mkdir(folder)
        run(LOAD, folder + "/crawl", "none", rounds, folder + "/acks", codes=(code,))
        made.append(folder)
    return made


def damage(rng, path):
    """What was done to the file, in words."""
    size = os.path.getsize(path)
    with open(path, "r+b") as f:
        data = f.read()
        pages = max(size // PAGE, 1)
        at = rng.randrange(pages) * PAGE
        n = min(PAGE, size - at)
        kind = rng.choice(("cut", "cut to pages", "zero", "garbage", "other", "bytes", "bit"))
        if kind == "cut":
            f.truncate(rng.randrange(size))
            return kind
        if kind == "cut to pages":
            f.truncate(rng.randrange(pages) * PAGE)
            return kind
        if kind == "zero":
            new = bytes(n)
        elif kind == "garbage":
            new = rng.randbytes(n)
        elif kind == "other":
            other = rng.randrange(pages) * PAGE
            new = data[other:other + n]
        elif kind == "bytes":
            at += rng.randrange(min(64 if rng.random() < .5 else n, n))
            new = rng.randbytes(min(rng.randint(1, 8), size - at))
        else:
            at = rng.randrange(size)
            new = bytes([data[at] ^ 1 << rng.randrange(8)])
        f.seek(at)
        f.write(new)
        return "%s at %d (page %d)" % (kind, at, at // PAGE)


def choose(rng, crawl):
    while True:
        name = rng.choices(list(FILES), FILES.values())[0]
        if name in ("links", "rows"):
            logs = sorted(n for n in os.listdir(crawl + "/frontier")
                          if n.startswith(name + "-"))
            name = "frontier/" + rng.choice(logs) if logs else None
        if name and os.path.getsize(os.path.join(crawl, name)) > 0:
            return name


def everything(crawl):
    """Exit codes and words of all that looks at the stores."""
    out = []
    for flags in (["--check"], ["--stat", "--json"], ["--dump"],
                  ["--why", "http://h0.test/1"]):
        out.append(run(WINNOW, "frontier", "--dir", crawl, *flags))
    out.append(run(WINNOW, "dedup", crawl, "--check"))
    out.append(run(WINNOW, "dedup", crawl, "--stat"))
    return out


def said(outputs, name):
    """A fault of data.mdb is told with file, table and command."""
    for code, text in outputs:
        if code == 0 or "damaged" not in text:
            continue
        page = "data.mdb is damaged" in text
        if "--check --repair" not in text.replace("\n", " ") or \
                (page and "page " not in text):
            raise Broken("a fault of %s is told so: %s" % (name, text[-800:]))


def urls(crawl):
    _, text = run(WINNOW, "frontier", "--dir", crawl, "--dump", codes=(0,))
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return {r["hash"] for r in rows if "hash" in r}


def one(rng, whole, work, known, tally):
    crawl = work + "/crawl"
    shutil.copytree(whole + "/crawl", crawl)
    for name in ("frontier/data.mdb", "dedup/data.mdb"): # dates are part of the note
        shutil.copystat(os.path.join(whole, "crawl", name), os.path.join(crawl, name))
    name = choose(rng, crawl)
    what = "%s: %s" % (name, damage(rng, os.path.join(crawl, name)))
    try:
        before = everything(crawl)
        said(before, name)
        if any(code for code, _ in before):
            tally["told"] += 1
        attempt = work + "/attempt"
        shutil.copytree(crawl, attempt)
        code, _ = run(LOAD, attempt, "none", "3", work + "/acks")
        tally["refused" if code else "went on"] += 1
        _, frontier = run(WINNOW, "frontier", "--dir", crawl, "--check", "--repair")
        _, dedup = run(WINNOW, "dedup", crawl, "--check", "--repair")
        if "none of it can be read" in frontier + dedup:
            tally["nothing left"] += 1
            return None
        after = everything(crawl)
        if any(code for code, _ in after):
            return what + ": not repaired: %s\n%s\n%s" % (
                [(c, t[-300:]) for c, t in after if c], frontier[-800:], dedup[-800:])
        gone = known - urls(crawl)
        if name.startswith("frontier/rows-"): # the first to open it has said so
            pass
        elif gone and "lost" not in frontier and "could not be used" not in frontier:
            return what + ": %d URLs are missing, and nobody says so: %s" % (
                len(gone), frontier)
        tally["URLs lost"] += len(gone)
        run(LOAD, crawl, "none", "0", work + "/acks", codes=(0,))
        run(WINNOW, "frontier", "--dir", crawl, "--check", codes=(0,))
    except Broken as e:
        return "%s: %s" % (what, e)
    return None


def live(base, whole):
    """A file that is cut short while a service has it open: it ends with a message."""
    folder = os.path.join(base, "live")
    shutil.copytree(whole, folder)
    job, crawl = folder + "/job.ini", folder + "/crawl"
    with open(job, "w") as f:
        f.write("[frontier]\nurl = ipc://%s/f.ipc\nmap_gib = 1\n"
                "[output]\ndisk_free_mib = 0\n" % folder)
    with open(folder + "/stderr", "w+") as err:
        service = subprocess.Popen([WINNOW, "frontier", job, "--dir", crawl],
                                   stdout=err, stderr=err)
        until = time.time() + SECONDS
        while "ready" not in open(folder + "/stderr").read() and time.time() < until:
            time.sleep(.05)
        os.truncate(crawl + "/frontier/data.mdb", 2 * PAGE)
        control = subprocess.Popen([WINNOW, "frontier", "ipc://%s/f.ipc" % folder,
                                    "--delete", "h1.test", "--yes"], stderr=subprocess.DEVNULL)
        try:
            code = service.wait(SECONDS)
        except subprocess.TimeoutExpired:
            service.kill()
            code = "none"
        control.kill()
        control.wait()
        err.seek(0)
        text = err.read()
    if code != 1 or "data.mdb" not in text or "--check --repair" not in text:
        return "a store that is cut short while it is open: exit code %s\n%s" % (
            code, text)
    return None


def main():
    global WINNOW, LOAD
    p = argparse.ArgumentParser()
    p.add_argument("winnow")
    p.add_argument("load")
    p.add_argument("--damages", type=int, default=20)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--keep", help="an empty folder, for what fails")
    args = p.parse_args()
    WINNOW, LOAD = args.winnow, args.load
    base = args.keep or tempfile.mkdtemp(prefix="winnow-damage-")
    rng, tally, faults = random.Random(args.seed), collections.Counter(), 0
    made = make(base)
    fault = live(base, made[1])
    if fault:
        faults += 1
        print("damage: " + fault)
    known = {}
    for whole in made: # in a copy: to look brings the log of rows in
        shutil.copytree(whole + "/crawl", base + "/look")
        known[whole] = urls(base + "/look")
        shutil.rmtree(base + "/look")
    for i in range(args.damages):
        work = tempfile.mkdtemp(dir=base, prefix="%d-" % i)
        whole = rng.choice(made)
        fault = one(rng, whole, work, known[whole], tally)
        if fault:
            faults += 1
            print("damage: %d %s" % (i, fault), flush=True)
        if not (fault and args.keep):
            shutil.rmtree(work)
    if not args.keep:
        shutil.rmtree(base)
    print("damage: %d damages, %d faults; %s" % (args.damages, faults, ", ".join(
        "%s %d" % pair for pair in sorted(tally.items()))))
    sys.exit(faults > 0)


main()
