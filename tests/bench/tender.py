#!/usr/bin/env python3
"""What `winnow tender` costs beside `sort` on the same records, and how it grows.

usage: tender.py WINNOW FOLDER [DOCUMENTS...]      (default 1000000 10000000)

Records are fingerprints (format shingles, 100 values) of which 15 % resemble an
earlier one (J .5 to 1), 860 bytes each.  Both get 2 GB and one thread, LC_ALL=C,
and run one after the other, each from a file that has left the page cache (the larger
ones would not be there in any case); CPU seconds and bytes read and written (rchar and wchar:
what passes through the calls, whether or not the page cache has it) are of the
processes themselves.  FOLDER needs some 3 kB a document.
"""
import os
import random
import subprocess
import sys
import time

rng = random.Random(5)


def make(path, n):
    """Lines: id, size, shingles, 800 hex digits; memory of a few earlier ones."""
    recent = []
    with open(path, "w", buffering=1 << 22) as f:
        for i in range(n):
            if recent and rng.random() < .15:
                old = rng.choice(recent)
                share = rng.choice([.6, .75, .85, .9, .95, 1])
                new = os.urandom(400).hex()
                cut = 8 * round(100 * share)
                at = 8 * rng.randrange(100)
                values = (old[at:] + old[:at])[:cut] + new[cut:]
                values = values[800 - at:] + values[:800 - at]
            else:
                values = os.urandom(400).hex()
                if len(recent) < 100000:
                    recent.append(values)
                else:
                    recent[rng.randrange(100000)] = values
            f.write("%s%04x\t%d\t500\t%s\n" % (os.urandom(16).hex(), i & 0xffff,
                                               rng.randrange(500, 50000), values))


def uncached(path):
    """Writes the file to disk and has it leave the page cache."""
    with open(path, "rb+") as f:
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def measured(args, cwd):
    """CPU seconds, bytes read, bytes written, peak MB, wall seconds, stderr."""
    began = time.time()
    p = subprocess.Popen(args, cwd=cwd, env=dict(os.environ, LC_ALL="C"),
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    err = p.stderr.read()
    os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)
    io = {}
    with open("/proc/%d/io" % p.pid) as f:  # a zombie still has its counters
        for line in f:
            key, value = line.split(": ")
            io[key] = int(value)
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 3):
        sys.exit("%s: exit %d\n%s" % (args[0], p.returncode, err))
    return (used.ru_utime + used.ru_stime, io["rchar"], io["wchar"], used.ru_maxrss / 1024,
            time.time() - began, err)


def main():
    winnow, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    sizes = [int(n) for n in sys.argv[3:]] or [1000000, 10000000]
    path = os.path.join(folder, "bench.shingles")
    grown, pairs = {}, []
    print("documents  program  CPU s  us/doc  GB read  GB written  peak MB  wall s")
    for n in sizes:
        make(path, n)
        rows = []
        for name, args in (
                ("sort", ["sort", "-S", "2G", "--parallel=1", "-T", folder, "-o",
                          folder + "/bench.sorted", path]),
                ("tender", [winnow, "tender", "-i", path, "-o", folder + "/bench.black",
                            "--memory", "1500M", "--near", "0.8", "--restart"])):
            uncached(path)
            cpu, read, wrote, rss, wall, err = measured(args, folder)
            rows.append((cpu, read + wrote))
            print("%9d  %-7s  %5.1f  %6.2f  %7.2f  %10.2f  %7.0f  %6.1f" %
                  (n, name, cpu, 1e6 * cpu / n, read / 1e9, wrote / 1e9, rss, wall), flush=True)
            grown.setdefault(name, []).append(cpu)
            if name == "tender":
                last = err.strip().splitlines()[-1]
                print(last)
                counts = dict(w.split("=") for w in last.split() if "=" in w)
                pairs.append(int(counts["pairs"]))
            else:
                os.remove(folder + "/bench.sorted")
        print("tender is %.2f of sort's CPU, %.2f of its bytes" %
              (rows[1][0] / rows[0][0], rows[1][1] / rows[0][1]), flush=True)
        for old in os.listdir(folder):
            if old.startswith("bench."):
                p = os.path.join(folder, old)
                if os.path.isfile(p):
                    os.remove(p)
    if len(sizes) > 1:
        print("%.1f x the documents, %.1f x the pairs; CPU of tender %.1f x, of sort %.1f x" %
              (sizes[-1] / sizes[0], pairs[-1] / pairs[0],
               grown["tender"][-1] / grown["tender"][0], grown["sort"][-1] / grown["sort"][0]))


main()
