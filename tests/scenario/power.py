#!/usr/bin/env python3
"""power.py -- after a power loss every store opens, and what was promised is there.

power_load puts a made-up crawl through the frontier, the dedup service, the crawl
log and the WARC writer, and notes what they have acknowledged; a library under it
(tests/power/trace.c) records every write, cut, sync and change of a name, in order.
For each cut point the folder is built as a disk may have it then: what was synced is
there; of the rest
  suffix   what came before some moment is there, what came after it is not;
  random   each block of 4 KiB, each cut of a file and each name by itself is there
           or not (names that were never synced may be missing, too).
Then `winnow frontier --check` and `winnow dedup --stat` look at it, power_load goes on
to the end, and
  - no store refuses to open, and the frontier has no fault, before and after;
  - every document that was acknowledged is there;
    sync = full: so is every URL and outcome;
    sync = meta: those that were acknowledged before the last sync of the frontier's
    log of rows, or of the store when it has no such log;
    all of it after a clean end;
  - no document is in the corpus twice, every one that was not lost is there;
  - every WARC file can be read, and after a clean end no line of the log is missing.

With --fails N a call fails instead (tests/power/fail.c): of each kind (write, cut, sync, name)
and file one, as far as N goes, and others by chance, with EIO or ENOSPC in turn.  The program may end with a message then, but by no signal, and has
acknowledged nothing that is not there: all of the above holds for what it leaves.

usage: power.py WINNOW POWER_LOAD TRACE_SO [--cuts N] [--fail FAIL_SO --fails N]
                [--seed N] [--keep DIR]
"""
import argparse
import bisect
import collections
import errno
import glob
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import tempfile

ROUNDS = 30 # of four pages, and again after a restart
BLOCK = 4096


def fail(text):
    raise SystemExit("power: " + text)


def record(load, trace_so, base, sync):
    """Two runs of the workload, with a compaction between; the trace's bytes."""
    root, trace = os.path.join(base, "disk"), os.path.join(base, "trace")
    os.makedirs(root)
    env = dict(os.environ, LD_PRELOAD=trace_so, POWER_ROOT=root + "/", POWER_TRACE=trace)
    env["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
    for rounds in (ROUNDS, 0):
        subprocess.run([load, root + "/crawl", sync, str(rounds), root + "/acks"],
                       env=env, check=True)
        if rounds:
            subprocess.run([WINNOW, "frontier", root + "/crawl", "--compact"], env=env,
                           check=True, stdout=subprocess.DEVNULL)
    with open(trace, "rb") as f:
        return f.read(), root


def parse(data, root):
    """Operations: (kind, ...) with paths below the root."""
    at, out = 0, []
    cut = len(root) + 1
    while at < len(data):
        end = data.index(b"\n", at)
        f = data[at:end].decode().split(" ", 2)
        at = end + 1
        if f[0] == "W":
            inode, (offset, n, dsync) = int(f[1]), map(int, f[2].split())
            out.append(("W", inode, offset, data[at:at + n], dsync))
            at += n
        elif f[0] in "CO":
            out.append((f[0], int(f[1]), f[2][cut:]))
        elif f[0] == "M":
            out.append(("M", None, f[2][cut:]))
        elif f[0] == "T":
            out.append(("T", int(f[1]), int(f[2])))
        elif f[0] == "F":
            out.append(("F", int(f[1])))
        elif f[0] in "DU":
            out.append((f[0], " ".join(f[1:])[cut:].rstrip("/")))
        else: # R, L
            a, b = " ".join(f[1:]).split("\t")
            out.append((f[0], a[cut:], b[cut:]))
    return out


def is_volatile(path):
    """Lock files: what is in them means nothing after a restart."""
    return os.path.basename(path).startswith(("lock", "frontier.lock", "dedup.lock"))


class File:
    def __init__(self):
        self.bytes, self.pending = bytearray(), [] # synced; (index, op) since

    def apply(self, op):
        if op[0] == "T":
            size = op[2]
            del self.bytes[size:]
            self.bytes.extend(bytes(size - len(self.bytes)))
        else:
            end = op[2] + len(op[3])
            if end > len(self.bytes):
                self.bytes.extend(bytes(end - len(self.bytes)))
            self.bytes[op[2]:end] = op[3]

    def copy(self):
        f = File()
        f.bytes = bytearray(self.bytes)
        return f


class Disk:
    """What is on the disk for sure, and what is on its way."""

    def __init__(self):
        self.file = {}      # number -> File; a number is given once
        self.number = {}    # inode -> number, of those that live
        self.names = {}     # path -> number, None: folder; synced
        self.now = {}       # the same as programs see it
        self.pending = collections.OrderedDict() # index -> change of a name
        self.next = 0

    def step(self, index, op):
        kind = op[0]
        if kind == "C":
            self.next += 1
            self.file[self.next] = File()
            self.number[op[1]] = self.now[op[2]] = self.next
            self.pending[index] = ("add", op[2], self.next)
        elif kind == "O":
            self.number.setdefault(op[1], self.now.get(op[2]))
        elif kind == "M":
            self.now[op[2]] = None
            self.pending[index] = ("add", op[2], None)
        elif kind in "WT":
            f = self.file[self.number[op[1]]]
            if kind == "W" and op[4]:
                f.apply(op)
            else:
                f.pending.append((index, op))
        elif kind == "F":
            f = self.file[self.number[op[1]]]
            for _, pending in f.pending:
                f.apply(pending)
            f.pending = []
        elif kind == "D":
            for i, change in list(self.pending.items()):
                if op[1] in [os.path.dirname(p) for p in change[1:] if isinstance(p, str)]:
                    self.change(self.names, change)
                    del self.pending[i]
        else:
            change = {"U": ("remove",), "R": ("move",), "L": ("link",)}[kind] + op[1:]
            self.change(self.now, change)
            self.pending[index] = change

    @staticmethod
    def change(names, change):
        if change[0] == "add":
            names[change[1]] = change[2]
        elif change[0] == "remove":
            names.pop(change[1], None)
        elif change[1] in names: # move, link
            names[change[2]] = names[change[1]]
            if change[0] == "move":
                del names[change[1]]

    def build(self, folder, rng, mode, cut):
        """The disk after a power loss at `cut`, as files in `folder`."""
        if mode == "suffix":
            waiting = sorted(list(self.pending) + [i for f in self.file.values()
                                                   for i, _ in f.pending])
            moment = rng.choice(waiting + [cut, 0]) if waiting else cut
            there = lambda index: index < moment
        else:
            chance = rng.choice((.1, .5, .9))
            there = lambda _: rng.random() < chance
        names = dict(self.names)
        for index, change in self.pending.items():
            if there(index):
                self.change(names, change)
        for path in sorted(names):
            target = os.path.join(folder, path)
            if is_volatile(path) or not self.reachable(names, path):
                continue
            if names[path] is None:
                os.mkdir(target)
                continue
            with open(target, "wb") as f:
                f.write(self.content(self.file[names[path]], mode, there))

    @staticmethod
    def reachable(names, path):
        while (path := os.path.dirname(path)):
            if path not in names:
                return False
        return True

    @staticmethod
    def content(f, mode, there):
        if not f.pending:
            return f.bytes
        f, pending = f.copy(), f.pending
        for index, op in pending:
            if op[0] == "T" or mode == "suffix":
                if there(index):
                    f.apply(op)
                continue
            at, end = op[2], op[2] + len(op[3])
            while at < end:
                n = min(BLOCK - at % BLOCK, end - at)
                if there(index):
                    f.apply(("W", 0, at, op[3][at - op[2]:at - op[2] + n]))
                at += n
        return f.bytes


class Promises:
    """What was acknowledged, and from when on no power loss may take it back."""

    def __init__(self, ops, sync):
        self.sync, self.acks, self.closed = sync, [], []
        self.frontier, self.dedup = [], []
        path, acks, log = {}, None, None
        for i, op in enumerate(ops):
            if op[0] in "CO":
                path[op[1]] = op[2]
                acks = op[1] if op[2] == "acks" else acks
            elif op[0] == "F" and path[op[1]].endswith("/dedup/data.mdb"):
                self.dedup.append(i)
            elif op[0] == "F" and op[1] == log:
                self.frontier.append(i)
            elif op[0] == "W" and "/frontier/rows-" in path[op[1]]:
                log = op[1] # the one that grows
            elif op[0] == "W" and op[1] == acks:
                words = op[3].decode().split()
                if words == ["closed"]:
                    self.closed.append(i)
                else:
                    self.acks.append((i, words[0], words[1]))

    def at(self, cut):
        """What must be there, what may be there."""
        must, may = collections.defaultdict(set), collections.defaultdict(set)
        closed = self.closed[bisect.bisect_left(self.closed, cut) - 1] \
            if self.closed and self.closed[0] < cut else -1
        until = {}
        for kind, syncs in (("kept", self.dedup), ("done", self.frontier)):
            n = bisect.bisect_left(syncs, cut)
            until[kind] = cut if self.sync == "full" or kind == "kept" else \
                max(closed, syncs[n - 1] if n else -1)
        until["link"] = until["done"]
        for i, kind, name in self.acks:
            if i < cut:
                may[kind].add(name)
                if i < until[kind]:
                    must[kind].add(name)
        return must, may, closed


# ---- looking at a folder

def run(*command, allowed=(0,)):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, timeout=120)
    if p.returncode not in allowed:
        return p, "%s: exit code %d\n%s%s" % (" ".join(command), p.returncode,
                                              p.stdout[-2000:], p.stderr[-2000:])
    return p, None


NOTHING = ("cannot find a", "there is no frontier", "nothing was accepted yet", "cannot open the store",
           "No such file")


def known(crawl):
    """{hash: state} of the frontier; None: nothing was ever accepted."""
    p, fault = run(WINNOW, "frontier", "--dir", crawl, "--check")
    if fault:
        if any(text in p.stderr for text in NOTHING):
            return {}, None
        return {}, fault
    p, fault = run(WINNOW, "frontier", "--dir", crawl, "--dump")
    rows = [] if fault else [json.loads(line) for line in p.stdout.splitlines()]
    # A link may wait to be merged although its URL is known by now.
    rows.sort(key=lambda r: r["state"] != "pending")
    return {r["hash"]: r["state"] for r in rows if "hash" in r}, fault


def ids(crawl):
    out = []
    for path in sorted(glob.glob(crawl + "/corpus/part-*.jsonl*")):
        opened = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
        with opened as f:
            out += [json.loads(line)["id"] for line in f]
    return out


def examine(crawl, work, promises, cut):
    must, may, closed = promises.at(cut)
    states, fault = known(crawl)
    if fault:
        return fault
    lost = [k for k in must["link"] if k not in states]
    undone = [k for k in must["done"] if states.get(k) != "done"]
    if lost or undone:
        return "of the frontier's promises %d URLs, %d outcomes are lost" % (
            len(lost), len(undone))
    # power_load puts one URL after another into the stores until none is left.
    acks = os.path.join(work, "acks")
    _, fault = run(LOAD, crawl, "none", "0", acks)
    if fault:
        return "it does not go on: " + fault
    states, fault = known(crawl)
    if fault or not all(s == "done" for s in states.values()):
        return fault or "URLs are left"
    with open(acks) as f:
        redone = {line.split()[1] for line in f if line.startswith("kept")}
    have = ids(crawl)
    if len(have) != len(set(have)):
        return "%d documents are in the corpus twice" % (len(have) - len(set(have)))
    if (must["kept"] | redone) - set(have):
        return "%d documents are lost" % len((must["kept"] | redone) - set(have))
    p, fault = run(WINNOW, "dedup", crawl, "--stat", "--json")
    if fault or json.loads(p.stdout)["documents"] != len(have):
        return fault or "the index counts %s documents, the files hold %d" % (
            p.stdout, len(have))
    return examine_logs(crawl, may, redone, closed, cut)


def examine_logs(crawl, may, redone, closed, cut):
    records = 0
    for path in glob.glob(crawl + "/warc/*"):
        if path.endswith(".open"):
            return path + " is still open"
        if path.endswith(".cdxj"):
            continue
        with gzip.open(path) as f:
            records += f.read().count(b"WARC-Type: response")
    with open(crawl + "/log/crawl.jsonl", "rb") as f:
        lines = [line for line in f if line.startswith(b'{"time"')]
    for line in lines[-len(redone):] if redone else []:
        json.loads(line)
    if closed == cut - 1: # nothing was under way
        pages = len(may["done"] )
        if len(lines) < pages or records < pages:
            return "%d lines, %d WARC records of %d pages after a clean end" % (
                len(lines), records, pages)
    return None


def cuts_of(ops, n, rng):
    """Indices between operations; clean ends and their neighbours always."""
    ends = [i + 1 for i, op in enumerate(ops) if op[0] == "W" and op[3] == b"closed\n"]
    fixed = {c for e in ends for c in (e - 2, e - 1, e)} & set(range(len(ops) + 1))
    while len(fixed) < n:
        fixed.add(rng.randrange(len(ops) + 1))
    return sorted(fixed)[:max(n, len(fixed))]


def unfounded(ops):
    """A log of rows goes with the store as it was when the log was begun: that store
    is to be on the disk then, unless another log holds what it lacks."""
    path, logs, waits = {}, set(), False
    for op in ops:
        if op[0] in "CO":
            path[op[1]] = op[2]
        name = path.get(op[1], "") if op[0] in "COWF" else ""
        if name.endswith("frontier/data.mdb") and op[0] in "WF":
            waits = op[0] == "W" and (waits or not op[4])
        elif op[0] == "C" and "frontier/rows-" in name:
            if waits and not logs:
                return "the first log of rows is begun on a store that is not synced"
            logs.add(name)
        elif op[0] == "U":
            logs.discard(op[1])
    return ""


def attack(args, base, sync, cuts_n):
    data, root = record(LOAD, args.trace, base, sync)
    ops = parse(data, root)
    promises = Promises(ops, sync)
    rng = random.Random("%d %s" % (args.seed, sync))
    syncs = sum(op[0] in "FD" for op in ops)
    pages = sum(kind == "done" for _, kind, _ in promises.acks)
    print("power: sync=%s %d operations, %d syncs for %d pages" % (
        sync, len(ops), syncs, pages), flush=True)
    disk, done, faults = Disk(), 0, 0
    if said := unfounded(ops):
        faults += 1
        print("power: sync=%s %s" % (sync, said), flush=True)
    for cut in cuts_of(ops, cuts_n, rng):
        while done < cut:
            disk.step(done, ops[done])
            done += 1
        mode = rng.choice(("suffix", "random"))
        work = tempfile.mkdtemp(dir=base)
        folder = os.path.join(work, "disk")
        os.mkdir(folder)
        disk.build(folder, rng, mode, cut)
        fault = examine(folder + "/crawl", work, promises, cut)
        if fault:
            faults += 1
            last = ops[cut - 1] if cut else ("nothing",)
            print("power: sync=%s mode=%s cut=%d behind %r: %s" % (
                sync, mode, cut, [str(x)[:60] for x in last], fault), flush=True)
        if not (fault and args.keep):
            shutil.rmtree(work)
    return faults


# ---- calls that fail

class Acknowledged:
    """Of a process that has ended, however: all of it holds."""

    def __init__(self, path):
        self.must = collections.defaultdict(set)
        if os.path.exists(path):
            with open(path, encoding="ascii") as f:
                for words in map(str.split, f):
                    if len(words) == 2:
                        self.must[words[0]].add(words[1])

    def at(self, _cut):
        return self.must, self.must, -1


def load_failing(args, base, at, number):
    """The workload, with call `at` failing; (what is wrong, the calls, which, where)."""
    work = tempfile.mkdtemp(dir=base)
    crawl, log, acks = (os.path.join(work, n) for n in ("crawl", "calls", "acks"))
    env = dict(os.environ, LD_PRELOAD=args.fail, FAIL_ROOT=crawl, FAIL_AT=str(at),
               FAIL_ERRNO=str(number), FAIL_LOG=log)
    env["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
    try:
        p = subprocess.run([LOAD, crawl, "full", "0", acks], env=env, timeout=100,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except subprocess.TimeoutExpired:
        p = None
    with open(log, encoding="utf-8") as f:
        calls = f.read().splitlines()
    which = next((c for c in calls if c.startswith("failed")), "")
    if p is None:
        return "it hangs", calls, which, work
    if p.returncode < 0:
        return "signal %d: %s" % (-p.returncode, p.stderr[-500:]), calls, which, work
    if p.returncode > 0 and not p.stderr.strip():
        return "it ends with %d and says nothing" % p.returncode, calls, which, work
    return examine(crawl, work, Acknowledged(acks), 0), calls, which, work


def failures(args, base):
    rng = random.Random("%d fails" % args.seed)
    fault, calls, _, work = load_failing(args, base, 0, 0)
    if fault:
        fail("with no call failing: " + fault)
    shutil.rmtree(work)
    kinds, n = collections.defaultdict(list), len(calls)
    for k, call in enumerate(calls):
        kinds[re.sub("[0-9]+", "", call)].append(k + 1)
    some = rng.sample(sorted(kinds), min(len(kinds), args.fails))
    at = {rng.choice(kinds[kind]) for kind in some}
    while len(at) < min(args.fails, n):
        at.add(rng.randrange(1, n + 1))
    faults = 0
    for i, k in enumerate(sorted(at)):
        number = (errno.EIO, errno.ENOSPC)[i % 2]
        fault, _, which, work = load_failing(args, base, k, number)
        if fault:
            faults += 1
            print("power: call %d, %s with %s: %s" % (k, which, errno.errorcode[number],
                                                      fault), flush=True)
        if not (fault and args.keep):
            shutil.rmtree(work)
    print("power: %d of %d calls failed, one each time" % (len(at), n), flush=True)
    return faults


def main():
    global WINNOW, LOAD
    p = argparse.ArgumentParser()
    p.add_argument("winnow")
    p.add_argument("load")
    p.add_argument("trace")
    p.add_argument("--cuts", type=int, default=40)
    p.add_argument("--fail", help="tests/power/fail.c")
    p.add_argument("--fails", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--keep", help="an empty folder, for what fails")
    args = p.parse_args()
    WINNOW, LOAD = args.winnow, args.load
    base = args.keep or tempfile.mkdtemp(prefix="winnow-power-")
    faults = 0
    if args.fails:
        os.makedirs(os.path.join(base, "fails"))
        faults += failures(args, os.path.join(base, "fails"))
    for sync in ("meta", "full") if args.cuts else ():
        folder = os.path.join(base, sync)
        os.makedirs(folder)
        faults += attack(args, folder, sync, args.cuts // 2)
    if not args.keep:
        shutil.rmtree(base)
    if faults:
        fail("%d of %d cuts and failures" % (faults, args.cuts + args.fails))
    print("power: %d cuts, nothing was lost that was promised" % args.cuts)


main()
