#!/usr/bin/env python3
"""winnow_spark.py -- winnow's batch jobs on Spark.

usage: spark-submit winnow_spark.py --input PATTERN --output FILE
           [--winnow PATH] [--limit N] [--max N] [--pairs] [--partitions N] [--master URL]
       spark-submit winnow_spark.py --plan FILE --output FOLDER
           [--winnow PATH] [--partitions N] [--master URL]

The second form is a pipeline, as `winnow run PIPELINE --engine plan` prints it; `winnow
run PIPELINE --engine spark` calls it.  FOLDER gets the result stages, each as Spark
saves lines, and counters.tsv.

The same binaries that Hadoop Streaming or `winnow job NAME local` run: what Spark
does is to bring equal keys together, in order.  FILE has the
ids that go, one a line, those of `winnow tender --limit N`.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import threading
import zlib

from pyspark import SparkConf, SparkContext, StorageLevel

COUNTER = "\x01"  # what lines of --count-lines begin with
UNREAD = "records rejected", "inputs damaged"
EXIT_REJECTED = 3  # finished, but some input could not be read


def split(line):
    key, _, value = line.partition("\t")
    return key, value


def joined(pair):
    return pair[0] + "\t" + pair[1]


def place(key):
    return zlib.crc32(key.encode())


def phase(args, job, name, **options):
    words = [args.winnow, "job", job, name]
    for key, value in options.items():
        words += ["-D", "%s=%d" % (key, value)]
    return " ".join(shlex.quote(w) for w in words)


def pipe(lines, command):
    """RDD.pipe() that keeps the environment of its worker (PATH, HOME), and that fails, in
    place of waiting for ever, when the lines for the command cannot be had."""
    def through(part):
        process = subprocess.Popen(shlex.split(command), env=dict(os.environ, LC_ALL="C"),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        faults = []

        def feed():
            try:
                with process.stdin:
                    for line in part:
                        process.stdin.write(line.encode() + b"\n")
            except BrokenPipeError:
                pass  # it has ended, and its exit code says how
            except Exception as fault:  # of who makes the lines
                faults.append(fault)

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        for line in process.stdout:
            yield line.rstrip(b"\n").decode()
        feeder.join()
        code = process.wait()
        if faults:
            raise faults[0]
        if code != 0:
            raise RuntimeError("%s: exit code %d" % (command, code))
    return lines.mapPartitions(through)


def grouped(lines, partitions):
    """Lines of one key in one partition, each partition in the order of its keys."""
    return lines.map(split).repartitionAndSortWithinPartitions(partitions, place).map(joined)


def run(sc, args):
    n = args.partitions
    hashes = pipe(sc.textFile(args.input, n), phase(args, "shingle-pairs", "map", max=args.max))
    pairs = pipe(grouped(hashes, n), phase(args, "shingle-pairs", "reduce", max=args.max))
    mapped = pipe(pairs, phase(args, "pair-count", "map", limit=args.limit))
    # Equal pairs of one partition are added up before they travel.
    own = mapped.mapPartitions(lambda part: iter(sorted(part)))
    combined = pipe(own, phase(args, "pair-count", "combine", limit=args.limit))
    near = pipe(grouped(combined, n), phase(args, "pair-count", "reduce", limit=args.limit))
    stars = pipe(grouped(near, 1), phase(args, "near-stars", "reduce", pairs=int(args.pairs)))
    return [line.split("\t")[0] for line in stars.collect()]


# ---- pipelines ----


def by_key(line):
    return place(line.partition("\t")[0])


def sorted_lines(lines, partitions):
    """Lines of one key in one partition, each partition in the order of its lines."""
    keyed = lines.map(lambda line: (line, None))
    return keyed.repartitionAndSortWithinPartitions(partitions, by_key).keys()


def command(args, words, *more):
    return " ".join(shlex.quote(w) for w in [args.winnow, *words, *more])


class Stage:
    """One stage: its lines, and the counters that came with them."""

    def __init__(self, sc, args, plan, done):
        self.plan, self.counted = plan, []
        n = args.partitions
        lines = self.read(sc, args, plan, done)
        if plan["map"] is not None and not plan["paths"]:
            lines = self.phase(args, lines, "map")
        if plan["reduce"] is not None:
            if plan["combine"] is not None:
                own = lines.mapPartitions(lambda part: iter(sorted(part)))
                lines = pipe(own, command(args, plan["combine"]))
            lines = sorted_lines(lines, 1 if plan["one_reduce"] else n)
            lines = self.phase(args, lines, "reduce")
        self.lines = lines

    def read(self, sc, args, plan, done):
        if plan["paths"]:
            # Each mapper gets names and opens the files itself.
            paths = [os.path.abspath(p) for p in plan["paths"]]
            names = sc.parallelize(paths, min(len(paths), args.partitions))
            return self.phase(args, names, "map", "--paths")
        return sc.union([done[name].lines for name in plan["from"]])

    def phase(self, args, lines, name, *more):
        out = pipe(lines, command(args, self.plan[name], "--count-lines", *more))
        out = out.persist(StorageLevel.DISK_ONLY)
        self.counted.append(out.filter(lambda line: line.startswith(COUNTER)))
        return out.filter(lambda line: not line.startswith(COUNTER))

    def counters(self):
        sums = dict.fromkeys(self.plan["counters"], 0)
        for part in self.counted:
            for line in part.collect():
                name, n = line[1:].split("\t")
                sums[name] = sums.get(name, 0) + int(n)
        return ["%s\t%s\t%d\n" % (self.plan["name"], k, n) for k, n in sums.items()]


def run_plan(sc, args):
    done, counters = {}, []
    with open(args.plan) as f:
        stages = json.load(f)["stages"]
    for plan in stages:
        done[plan["name"]] = Stage(sc, args, plan, done)
    for plan in stages:
        if plan["result"]:
            folder = os.path.abspath(args.output) + "/" + plan["name"]
            done[plan["name"]].lines.saveAsTextFile("file://" + folder)
        counters += done[plan["name"]].counters()
    with open(args.output + "/counters.tsv", "w") as f:
        f.writelines(counters)
    rows = [line.rstrip("\n").split("\t") for line in counters]
    return EXIT_REJECTED if any(name in UNREAD and n != "0" for _, name, n in rows) else 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--input")
    p.add_argument("--plan")
    p.add_argument("--output", required=True)
    p.add_argument("--winnow", default="winnow")
    p.add_argument("--limit", type=int, default=5)
    p.add_argument("--max", type=int, default=200)
    p.add_argument("--pairs", action="store_true")
    p.add_argument("--partitions", type=int, default=8)
    p.add_argument("--master", default=None)
    args = p.parse_args()
    if (args.input is None) == (args.plan is None):
        p.error("either --input or --plan")
    args.winnow = os.path.abspath(args.winnow) if "/" in args.winnow else args.winnow
    conf = SparkConf().setAppName("winnow " + ("run" if args.plan else "tender"))
    if args.master:
        conf.setMaster(args.master)
    sc = SparkContext(conf=conf)
    try:
        if args.plan:
            sys.exit(run_plan(sc, args))
        ids = run(sc, args)
    finally:
        sc.stop()
    part = args.output + ".part"
    with open(part, "w") as f:
        f.writelines(i + "\n" for i in ids)
    os.rename(part, args.output)


main()
