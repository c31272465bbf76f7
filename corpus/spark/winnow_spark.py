#!/usr/bin/env python3
"""winnow_spark.py -- near-duplicates of a corpus on Spark, by winnow's own jobs.

usage: spark-submit winnow_spark.py --input PATTERN --output FILE
           [--winnow PATH] [--limit N] [--max N] [--pairs] [--partitions N] [--master URL]

The same binaries that Hadoop Streaming or `winnow job NAME local` run, with
RDD.pipe: what Spark does is to bring equal keys together, in order.  FILE has the
ids that go, one a line, those of `winnow tender --limit N`.
"""
import argparse
import os
import shlex
import zlib

from pyspark import SparkConf, SparkContext


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
    return lines.pipe(command, env={"LC_ALL": "C"}, checkCode=True)


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


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--input", required=True)
    p.add_argument("--output", required=True)
    p.add_argument("--winnow", default="winnow")
    p.add_argument("--limit", type=int, default=5)
    p.add_argument("--max", type=int, default=200)
    p.add_argument("--pairs", action="store_true")
    p.add_argument("--partitions", type=int, default=8)
    p.add_argument("--master", default=None)
    args = p.parse_args()
    conf = SparkConf().setAppName("winnow tender")
    if args.master:
        conf.setMaster(args.master)
    sc = SparkContext(conf=conf)
    try:
        ids = run(sc, args)
    finally:
        sc.stop()
    part = args.output + ".part"
    with open(part, "w") as f:
        f.writelines(i + "\n" for i in ids)
    os.rename(part, args.output)


main()
