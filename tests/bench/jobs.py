#!/usr/bin/env python3
"""What counting n-grams of one to five words costs with `winnow run`, beside others.

usage: jobs.py WINNOW FOLDER CORPUS.jsonl [--tokens N,N...] [--peers-to N] [--threads N]
           [--lmplz PROGRAM] [--spark PYTHON]

CORPUS.jsonl is what `winnow clean -f jsonl` writes.  Its documents become sentences of
tokens by winnow's own jobs; FOLDER/N.txt has N tokens of them, a sentence a line.  Where
the corpus has fewer, sentences are taken again, each cut at a random word and joined with
the rest of another, in random order; how many tokens are such is said.  All get 2 GB:

  winnow   run, ngram n=5 n-min=1; with --memory 2G
  sort     winnow job ngram map | sort -S 2G | uniq -c, compressing its files with zstd
  lmplz    KenLM's estimation of an order-5 model, of which counting is the first step
  spark    Spark's word count of the same n-grams (DataFrame: split, n-grams, groupBy)

CPU seconds and largest resident set are of the processes themselves (children
included), bytes are what stands on the disk in the end; wall-clock time depends on what
else the machine does.  Peers run up to --peers-to tokens.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import time

rng = random.Random(1)


def sentences(args):
    """The corpus as lines of tokens, made once."""
    path = args.folder + "/sentences.txt"
    if not os.path.exists(path):
        with open(args.folder + "/sentences.pipeline", "w") as f:
            f.write("documents = document < input\nsentences = sentence < documents\n"
                    "tokens = token < sentences\n"
                    "lines = sentence-extract chars-max=100000 < tokens\n")
        out = args.folder + "/sentences"
        subprocess.run([args.winnow, "run", args.folder + "/sentences.pipeline", "-i", args.corpus,
                        "-o", out], check=True, stdout=subprocess.DEVNULL)
        subprocess.run("zstdcat %s/lines/part-*.zst | cut -f1 >%s.part && mv %s.part %s"
                       % (out, path, path, path), shell=True, check=True)
        shutil.rmtree(out)
    return path


def make(args, tokens):
    """In a child: what a process has in memory counts as that of those it starts."""
    path = "%s/%d.txt" % (args.folder, tokens)
    if not os.path.exists(path):
        pid = os.fork()
        if pid == 0:
            make_file(args, path, tokens)
            os._exit(0)
        if os.waitpid(pid, 0)[1] != 0:
            sys.exit("cannot make " + path)
    return path


def make_file(args, path, tokens):
    with open(sentences(args)) as f:
        lines = f.read().split("\n")
    rng.shuffle(lines)
    n, again = 0, 0
    with open(path + ".part", "w", buffering=1 << 22) as f:
        for line in lines:
            if n >= tokens:
                break
            f.write(line + "\n")
            n += line.count(" ") + 1
        while n < tokens:
            a, b = rng.choice(lines).split(" "), rng.choice(lines).split(" ")
            new = a[:rng.randrange(len(a) + 1)] + b[rng.randrange(len(b) + 1):]
            f.write(" ".join(new) + "\n")
            n += len(new)
            again += len(new)
    os.rename(path + ".part", path)
    print("%d tokens, of which %d are of sentences taken again" % (n, again), flush=True)


class Run:
    def __init__(self, name, command, **kw):
        start = time.monotonic()
        pid = os.posix_spawn("/usr/bin/env", ["env", "bash", "-c", "set -o pipefail; " + command],
                             dict(os.environ, LC_ALL="C", **kw))
        _, status, own = os.wait4(pid, 0)
        self.name, self.wall = name, time.monotonic() - start
        self.cpu, self.rss = own.ru_utime + own.ru_stime, own.ru_maxrss / 1024
        self.good = status == 0

    def say(self, tokens, size, keys):
        print("%-7s %10d tokens  %8.1f s CPU  %8.1f s wall  %6.0f MB resident  %7.0f MB out  "
              "%11s n-grams%s" % (self.name, tokens, self.cpu, self.wall, self.rss, size / 1e6,
                                  keys, "" if self.good else "  FAILED"), flush=True)
        return self


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, fs in os.walk(path) for f in fs)


def winnow(args, path, tokens):
    out = args.folder + "/out"
    shutil.rmtree(out, ignore_errors=True)
    with open(args.folder + "/count.pipeline", "w") as f:
        f.write("count = ngram n=5 n-min=1 < input\n")
    run = Run("winnow", "'%s' run '%s/count.pipeline' -i '%s' -o '%s' --memory 2G --threads %d "
              ">'%s/counters' 2>&1" % (args.winnow, args.folder, path, out, args.threads, args.folder))
    with open(args.folder + "/counters") as f:
        keys = [l.split("\t")[2] for l in f if "keys written" in l]
    run.say(tokens, size_of(out), keys[0].strip() if keys else "?")
    shutil.rmtree(out)
    return run


def peers(args, path, tokens):
    tmp, out = args.folder + "/tmp", args.folder + "/out-peer"
    os.makedirs(tmp, exist_ok=True)
    if os.path.isdir(out):  # of Spark, in an earlier run
        shutil.rmtree(out)
    Run("sort", "'%s' job ngram map -D n=5 -D n-min=1 '%s' 2>/dev/null | cut -f1 | sort -S 2G "
        "--parallel=%d -T '%s' --compress-program=zstd | uniq -c | zstd -q -1 >'%s'"
        % (args.winnow, path, args.threads, tmp, out)).say(tokens, size_of(out), "")
    if args.lmplz:
        Run("lmplz", "'%s' -o 5 -S 2G -T '%s/' --discount_fallback --skip_symbols <'%s' 2>'%s/lmplz.log' "
            "| zstd -q -1 >'%s'" % (args.lmplz, tmp, path, args.folder, out)).say(
                tokens, size_of(out), "")
    if args.spark:
        os.remove(out)
        with open(args.folder + "/count.py", "w") as f:
            f.write(SPARK % (args.threads, tmp, path, out))
        Run("spark", "'%s' '%s/count.py' 2>'%s/spark.log'" % (args.spark, args.folder, args.folder),
            SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=args.spark).say(tokens, size_of(out), "")
    shutil.rmtree(tmp)


SPARK = """
from pyspark.sql import SparkSession, functions as F
s = (SparkSession.builder.master("local[%d]").config("spark.driver.memory", "2g")
     .config("spark.local.dir", "%s").config("spark.sql.shuffle.partitions", "32").getOrCreate())
words = s.read.text("%s").select(F.split("value", " ").alias("w"))
all = words.select(F.explode("w").alias("g"))
for n in range(2, 6):
    all = all.union(words.where("size(w) >= %%d" %% n).select(F.expr(
        "explode(transform(sequence(1, size(w) - %%d), i -> concat_ws(' ', slice(w, i, %%d))))"
        %% (n - 1, n)).alias("g")))
all.groupBy("g").count().write.option("compression", "gzip").csv("file://%s", sep="\\t")
java = s.sparkContext._gateway.proc  # waited for, or its CPU time would count as nobody's
s.stop()
java.stdin.close()
java.wait()
"""


def main():
    p = argparse.ArgumentParser()
    p.add_argument("winnow")
    p.add_argument("folder")
    p.add_argument("corpus")
    p.add_argument("--tokens", default="10000000,100000000")
    p.add_argument("--peers-to", type=int, default=10000000)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--lmplz", default=shutil.which("lmplz"))
    p.add_argument("--spark")
    args = p.parse_args()
    args.folder, args.winnow = os.path.abspath(args.folder), os.path.abspath(args.winnow)
    os.makedirs(args.folder, exist_ok=True)
    first = None
    for tokens in map(int, args.tokens.split(",")):
        path = make(args, tokens)
        run = winnow(args, path, tokens)
        if first is not None:
            print("growth: %.1f times the tokens, %.1f times the CPU seconds"
                  % (tokens / first[0], run.cpu / first[1].cpu))
        first = first or (tokens, run)
        if tokens <= args.peers_to:
            peers(args, path, tokens)
    sys.exit(not first[1].good)


main()
