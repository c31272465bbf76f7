#!/usr/bin/env python3
"""What counting n-grams of one to five words costs with `winnow run`, beside others.

usage: jobs.py WINNOW FOLDER CORPUS.jsonl [--tokens N,N...] [--peers-to N] [--threads N]
           [--disk GB] [--lmplz PROGRAM] [--spark PYTHON]

CORPUS.jsonl is what `winnow clean -f jsonl` writes.  Its documents become sentences of
tokens by winnow's own jobs; FOLDER/N.txt has N tokens of them, a sentence a line.  Where
the corpus has fewer, sentences are taken again, each cut at a random word and joined with
the rest of another, in random order; how many tokens are such is said.  All get 2 GB:

  winnow   run, ngram n=5 n-min=1; with --memory 2G
  sort     winnow job ngram map | sort -S 2G | uniq -c, compressing its files with zstd
  lmplz    KenLM's estimation of an order-5 model, of which counting is the first step
  spark    Spark's word count of the same n-grams (DataFrame: split, n-grams, groupBy)

Printed are the CPU seconds and the largest resident set of the processes themselves
(children included), wall-clock time (which depends on what else the machine does), the bytes
that stand on the disk in the end and the most that stood there meanwhile (looked at each
second), and how time grew from the first to the last number of tokens.  Who needs more than
--disk is stopped, which is said.  Peers run up to --peers-to tokens.
"""
import argparse
import os
import random
import shutil
import signal
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
    """A shell command, with what it cost.  `tokens` of them it has counted; `ratio` is of its CPU to Winnow's."""

    def __init__(self, args, name, tokens, command, **kw):
        self.name, self.tokens, self.disk, self.stopped = name, tokens, 0, False
        start, before = time.monotonic(), size_of(args.folder)
        pid = os.posix_spawn("/usr/bin/env", ["env", "bash", "-c", "set -o pipefail; " + command],
                             dict(os.environ, LC_ALL="C", **kw), setpgroup=0)
        while True:
            ended, status, own = os.wait4(pid, os.WNOHANG)
            if ended:
                break
            self.disk = max(self.disk, size_of(args.folder) - before)
            if self.disk > args.disk * 1e9 and not self.stopped:
                self.stopped = True
                os.killpg(pid, signal.SIGKILL)
            time.sleep(min(1, .02 + (time.monotonic() - start) / 20))
        self.wall = time.monotonic() - start
        self.cpu, self.rss = own.ru_utime + own.ru_stime, own.ru_maxrss / 1024
        self.good = status == 0

    def say(self, out, keys=""):
        size = size_of(out)
        self.disk = max(self.disk, size)
        end = "  STOPPED: the disk it may have is full" if self.stopped else "" if self.good else "  FAILED"
        print("%-7s %10d tokens  %8.1f s CPU  %8.1f s wall  %6.0f MB resident  %7.0f MB out  "
              "%7.0f MB disk  %11s n-grams%s" % (self.name, self.tokens, self.cpu, self.wall, self.rss, size / 1e6,
                                                 self.disk / 1e6, keys, end), flush=True)
        return self


def size_of(path):
    """Bytes on the disk, of a file or of all in a folder; files may go meanwhile."""
    size = 0
    for d, _, files in os.walk(path) if os.path.isdir(path) else [(os.path.dirname(path), [], [path])]:
        for f in files:
            try:
                size += os.lstat(os.path.join(d, f)).st_size
            except OSError:
                pass
    return size


def clear(*paths):
    for path in paths:
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)


def winnow(args, path, tokens):
    out = args.folder + "/out"
    clear(out)
    with open(args.folder + "/count.pipeline", "w") as f:
        f.write("count = ngram n=5 n-min=1 < input\n")
    run = Run(args, "winnow", tokens, "'%s' run '%s/count.pipeline' -i '%s' -o '%s' --memory 2G --threads %d "
              ">'%s/counters' 2>&1" % (args.winnow, args.folder, path, out, args.threads, args.folder))
    with open(args.folder + "/counters") as f:
        keys = [l.split("\t")[2] for l in f if "keys written" in l]
    run.say(out, keys[0].strip() if keys else "?")
    clear(out)
    return run


def peers(args, path, tokens):
    tmp, out, runs = args.folder + "/tmp", args.folder + "/out-peer", []

    def run(name, command, **kw):
        clear(tmp, out)
        os.makedirs(tmp)
        runs.append(Run(args, name, tokens, command, **kw).say(out))
        clear(tmp, out)

    run("sort", "'%s' job ngram map -D n=5 -D n-min=1 '%s' 2>/dev/null | cut -f1 | sort -S 2G "
        "--parallel=%d -T '%s' --compress-program=zstd | uniq -c | zstd -q -1 >'%s'"
        % (args.winnow, path, args.threads, tmp, out))
    if args.lmplz:
        run("lmplz", "'%s' -o 5 -S 2G -T '%s/' --discount_fallback --skip_symbols <'%s' 2>'%s/lmplz.log' "
            "| zstd -q -1 >'%s'" % (args.lmplz, tmp, path, args.folder, out))
    if args.spark:
        with open(args.folder + "/count.py", "w") as f:
            f.write(SPARK % (args.threads, tmp, path, out))
        run("spark", "'%s' '%s/count.py' 2>'%s/spark.log'" % (args.spark, args.folder, args.folder),
            SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=args.spark)
    return runs


def compare(runs):
    """CPU beside Winnow's at each number of tokens, and how each grew."""
    own = {r.tokens: r for r in runs if r.name == "winnow"}
    good = [r for r in runs if r.good and r.cpu > 0]
    for r in good:
        if r.name != "winnow" and own[r.tokens].good:
            print("%s: %.1f times Winnow's CPU, %.1f times its time, at %d tokens"
                  % (r.name, r.cpu / own[r.tokens].cpu, r.wall / own[r.tokens].wall, r.tokens))
    for name in dict.fromkeys(r.name for r in good):
        first, *rest = sorted((r for r in good if r.name == name), key=lambda r: r.tokens)
        for r in rest:
            print("%s: %.1f times the tokens, %.1f times the CPU, %.1f times the time"
                  % (name, r.tokens / first.tokens, r.cpu / first.cpu, r.wall / first.wall))
    return all(r.cpu >= own[r.tokens].cpu for r in good)


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
    p.add_argument("--peers-to", type=int, default=100000000)
    p.add_argument("--disk", type=float, default=40, help="GB that each may take beside the text")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--lmplz", default=shutil.which("lmplz"))
    p.add_argument("--spark")
    args = p.parse_args()
    args.folder, args.winnow = os.path.abspath(args.folder), os.path.abspath(args.winnow)
    os.makedirs(args.folder, exist_ok=True)
    free = shutil.disk_usage(args.folder).free / 1e9
    if free < args.disk + 5:
        sys.exit("%s has %.0f GB, --disk %g needs 5 more than that" % (args.folder, free, args.disk))
    runs = []
    for tokens in map(int, args.tokens.split(",")):
        path = make(args, tokens)
        runs.append(winnow(args, path, tokens))
        if tokens <= args.peers_to:
            runs += peers(args, path, tokens)
    ahead = compare(runs)
    sys.exit(not (ahead and all(r.good for r in runs if r.name == "winnow")))


main()
