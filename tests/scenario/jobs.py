#!/usr/bin/env python3
"""tender's rounds as batch jobs: here, and on a real Spark.

usage: jobs.py WINNOW local|spark

The blacklist of shingle-pairs | pair-count | near-stars is that of `winnow tender`,
whatever the limits and however the lines are parted.  spark: the same with
corpus/spark/winnow_spark.py on a local cluster of two workers (tests/spark_venv.sh
makes its environment; without it, or without Java, the test is skipped).
"""
import fcntl
import glob
import gzip
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

WINNOW = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
failed = 0
rng = random.Random(11)


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print("FAILED:", what, file=sys.stderr)


def run(args, code=0, text="", **kw):
    p = subprocess.run(args, input=text, capture_output=True, text=True, timeout=500, **kw)
    check(p.returncode == code, "%s: exit %d\n%s" % (args, p.returncode, p.stderr[-3000:]))
    return p.stdout, p.stderr


def corpus(groups=80):
    """Lines of texrex's form: copies, chains, and hashes that many have."""
    lines = []
    phrase = [rng.getrandbits(63) for _ in range(2)]
    for g in range(groups):
        values = [rng.getrandbits(63) for _ in range(100)]
        for n in range(rng.choice([1, 1, 2, 5])):
            name = "%032x%04x" % (rng.getrandbits(128), n)
            size = rng.choice([700, 700, rng.randrange(10 ** 6)])
            if g % 2 == 0:
                values[:2] = phrase
            lines += ["%020d %s %010d\n" % (v, name, size) for v in values]
            for _ in range(rng.choice([3, 10, 40, 95])):  # the next one is a step away
                values[rng.randrange(100)] = rng.getrandbits(63)
    return lines


def tender(folder, *args):
    for old in glob.glob(folder + "/black_*"):
        os.remove(old)
    run([WINNOW, "tender", "-i", folder + "/part*", "-o", folder + "/black", *args])
    [path] = glob.glob(folder + "/black_*.03.blacklist")
    with open(path) as f:
        return f.read().split()


def put(folder):
    lines = corpus()
    rng.shuffle(lines)
    for n in range(3):
        with gzip.open("%s/part%d.tender.gz" % (folder, n), "wt") as f:
            f.writelines(lines[n::3])


def job(name, *args, **kw):
    return run([WINNOW, "job", name, *args], **kw)


def here(folder):
    put(folder)
    for limit, most, rule in (5, 200, "stars"), (60, 30, "stars"), (5, 30, "pairs"):
        expected = tender(folder, "-l", str(limit), "-m", str(most), "--rule", rule)
        check(len(expected) > 20, "tender removes %d" % len(expected))
        pairs, err = job("shingle-pairs", "local", "-i", folder + "/part*", "-D", "max=%d" % most)
        check(re.search(r"^reporter:counter:winnow shingle-pairs,hashes,\d+$", err, re.M), err)
        near, _ = job("pair-count", "local", "-D", "limit=%d" % limit, text=pairs)
        out, err = job("near-stars", "local", "-D", "pairs=%d" % (rule == "pairs"), text=near)
        check([l.split("\t")[0] for l in out.splitlines()] == expected,
              "limit %d max %d %s: %d, tender %d" % (limit, most, rule, out.count("\n"),
                                                     len(expected)))
        check("documents removed,%d" % len(expected) in err, err)
        # As Hadoop would run it: two mappers, combiners, two reducers.
        mapped = [job("shingle-pairs", "map", text="".join(
            gzip.open("%s/part%d.tender.gz" % (folder, n), "rt").read() for n in ns))[0]
            for ns in ((0, 1), (2,))]
        by = [[], []]
        for line in "".join(mapped).splitlines(keepends=True):
            by[int(line[0], 16) % 2].append(line)
        summed = ""
        for part in by:
            reduced = job("shingle-pairs", "reduce", "-D", "max=%d" % most,
                          text="".join(sorted(part)))[0]
            summed += job("pair-count", "combine",
                          text="".join(sorted(reduced.splitlines(keepends=True))))[0]
        again = job("pair-count", "reduce", "-D", "limit=%d" % limit,
                    text="".join(sorted(summed.splitlines(keepends=True))))[0]
        check(again == near, "with combiners, limit %d" % limit)


def bad_calls(folder):
    job("pair-counts", "map", code=2)
    job("near-stars", "map", code=2)
    job("pair-count", "reduce", "-D", "limit=0", code=2)
    job("pair-count", "reduce", "-D", "most=1", code=2)
    out, err = job("shingle-pairs", "map", text="nothing\n" * 3)
    check(out == "" and "lines rejected,3" in err, err)
    out, err = job("pair-count", "reduce", text="a\tx\nb\n")
    check(out == "" and "lines rejected,2" in err, err)
    out, err = job("near-stars", "reduce", text="a\t5\n")
    check(out == "" and "lines rejected,1" in err, err)
    out, err = job("shingle-pairs", "local", "-i", folder + "/part0*", "-o",
                   folder + "/no/where", code=1)
    with open(folder + "/cut.gz", "wb") as f:
        f.write(gzip.compress(b"x\n" * 10000)[:40])
    _, err = job("shingle-pairs", "local", "-i", folder + "/cut.gz", "-o", folder + "/out", code=1)
    check("cut.gz" in err and not os.path.exists(folder + "/out"), err)
    fingerprint = "%036d\t500\t90\t%s\n"
    _, err = job("shingle-pairs", "map", code=1,
                 text=fingerprint % (1, "0" * 800) + fingerprint % (2, "0" * 512))
    check("another family" in err and "64 values" in err, err)
    # ... nor may two mappers have different ones: their reducer tells.
    mapped = [job("shingle-pairs", "map", text=fingerprint % (n, "0" * size))[0]
              for n, size in ((1, 800), (2, 512))]
    _, err = job("shingle-pairs", "reduce", code=1,
                 text="".join(sorted("".join(mapped).splitlines(keepends=True))))
    check("another family" in err and "of 64" in err and "of 100" in err, err)
    # A full disk: said, and the file under its name is not half a result.
    with open(folder + "/equal.shingles", "w") as f:
        f.writelines(fingerprint % (n, "0" * 800) for n in range(190))
    full = subprocess.run(
        [WINNOW, "job", "shingle-pairs", "local", "-i", folder + "/equal.shingles",
         "-o", folder + "/full"], stderr=subprocess.PIPE, text=True, timeout=100,
        preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))))
    check(full.returncode == 1 and "(ulimit -f): raise it" in full.stderr and
          folder + "/full" in full.stderr and glob.glob(folder + "/full*") == [],
          "a full disk: %s" % full.stderr)
    with open(folder + "/two.part", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        held.write("of another run")
        held.flush()
        _, err = job("shingle-pairs", "local", "-i", folder + "/part0*", "-o", folder + "/two",
                     code=1)
        check("another run writes it" in err, err)
        with open(folder + "/two.part") as f:
            check(f.read() == "of another run", "two writers")
    job("shingle-pairs", "local", "-i", folder + "/part0*", "-o", folder + "/two")
    listed, _ = run([WINNOW, "job", "--list"])
    for name in "shingle-pairs", "pair-count", "near-stars":
        check(name in listed, name)


def jobconf(folder):
    """webcorpus' settings: those of this job count, others are let be, -D is stronger."""
    def conf(text):
        with open(folder + "/jobconf.txt", "w") as f:
            f.write(text)
        return folder + "/jobconf.txt"
    row = "u\t<source></source>\t<process></process>\t<p>%s</p>\n"
    rows = row % "abc def ghi" + row % "abc xxx ghi"
    path = conf("dedupTestLength=3\nqueueName=q\nmaximumUnknownLanguageLength=7\n")
    out, err = job("document", "reduce", "--jobconf", path, text=rows)
    check(out == row % "abc def ghi" and "queueName: no meaning" in err, out + err)
    out, _ = job("document", "reduce", "--jobconf", path, "-D", "test-length=9", text=rows)
    check(out == rows, out)
    _, err = job("document", "reduce", "--jobconf", conf("dedupTestLength=x\n"), code=2)
    check("test-length=x" in err, err)
    job("document", "reduce", "--jobconf", conf("dedupTestLengths=3\n"), code=2)
    job("document", "reduce", "--jobconf", folder + "/none", code=2)
    job("document", "local", "--jobconf", path, code=2)


def local_words(folder):
    """local reads the files that are named, however; and JSONL; or says that it does not."""
    def put(name, text):
        with open(folder + "/" + name, "w") as f:
            f.write(text)
        return folder + "/" + name
    one, two = put("one.txt", "a b\na b\n"), put("two.txt", "a b\nb c\n")
    table = put("three.jsonl", '{"text":"a b a"}\nnone\n')
    counts = "a b\t3\nb c\t1\n"
    for args in [one, two], ["-i", one, two], ["-i", one, "-i", two]:
        check(job("ngram", "local", "-D", "n=2", *args)[0] == counts, "files by %s" % args)
    check(job("ngram", "local", "-D", "n=2", one, text="x y\n")[0] == "a b\t2\n", "not stdin")
    _, err = job("near-stars", "local", two, code=3)
    check("rejected,2" in err, "a file of a job without map")
    check("job=near-stars" in err and "no line of the input" in err, err)
    job("sentence", "map", text='{"url":"u","text":"a"}\n')  # Hadoop does it again after a failure
    _, err = job("ngram", "local", folder + "/no.txt", code=1)
    check('"ended with exit status 1"' in err, err)
    check("no.txt" in err, err)
    out, err = job("ngram", "local", "-D", "n=1", "--fields", "text:words,count", "-i", table,
                   code=3)
    check(out == '{"words":"a","count":2}\n{"words":"b","count":1}\n', out)
    check("lines that are no JSON,1" in err, err)
    check(job("ngram", "local", "-D", "n=1", "--fields", "text", table, code=3)[0]
          == "a\t2\nb\t1\n",
          "--fields IN")
    check("--fields NAME" in job("ngram", "map", text='{"text":"a b"}\n')[1], "JSON as it is")
    check("--fields" not in job("ngram", "map", "--fields", "text", text='{"text":"a b"}\n')[1] +
          job("ngram", "map", text="a b\n{x}\n")[1], "a warning of nothing")
    out, _ = job("ngram", "local", "-D", "n=2", "--fields", ":w,count", one)
    check(out == '{"w":"a b","count":2}\n', out)
    row = '{"u":"u","s":"<s></s>","p":"<process></process>","t":"%s"}\n'
    out, _ = job("mask", "local", "--fields", "u,s,p,t:u,s,p,t", text=row % "1.2.3.4")
    check('"t":"ipblank"' in out, out)  # of one phase
    check(job("ngram", "local", "-D", "n=2", "--paths", text="%s\n%s\n" % (one, two))[0]
          == counts, "--paths")
    for args, said in ((["ngram", "local", "--paths", one], one),
                       (["ngram", "local", "--count-lines", one], "--count-lines"),
                       (["near-stars", "local", "--paths"], "no map"),
                       (["near-stars", "local", "--fields", "a,b:c", one], "no map")):
        _, err = job(*args, code=2)
        check(said in err, err)


def unread(folder):
    """local says with 3, as winnow run does, that records or inputs could not be read; what was
    read is there.  A phase alone ends with 0, since Hadoop would try it again."""
    record = '{"url":"http://a/%d","text":"eins zwei"}\n'
    put = {"good": record % 1 + record % 2, "bad": record % 1 + "no record\n" + record % 2}
    cut = gzip.compress("".join(record % n for n in range(9999)).encode())[:-5000]
    with open(folder + "/cut.jsonl.gz", "wb") as f:
        f.write(cut)
    for name, text in put.items():
        with open("%s/%s.jsonl" % (folder, name), "w") as f:
            f.write(text)
    for name, code, n in ("good", 0, 2), ("bad", 3, 2), ("cut", 3, None):
        [path] = glob.glob("%s/%s.jsonl*" % (folder, name))
        out, _ = job("document", "local", path, "-o", folder + "/documents", code=code)
        with open(folder + "/documents") as f:
            check(len(list(f)) == n if n else len(list(f)) > 10, "documents of " + name)
        check(out == "" and not os.path.exists(folder + "/documents.part"), "the output")
        job("document", "map", path)


def odd_tokens(folder):
    """A token comes back with every byte that it has."""
    odd = ["a\0b", "\0", "a/<b>", "\u200b", "\u05e9\u05dc", "e\u0301", "x" * (1 << 20)]
    text = "".join("Een %s dag\tcolumn\n" % token for token in odd)
    for words in ["lang=nl"], ["command=sed '/^<.*s>$/!s/$/\tT/'"]:
        out, _ = job("annotate", "map", "-D", *words, text=text)
        for line, token in zip(out.split("\n"), odd):
            check(re.fullmatch("Een/<[A-Z]+> %s/<[A-Z]+> dag/<[A-Z]+>\tcolumn" % re.escape(token),
                               line), "%s: %r" % (words, line[:99]))
        check(out.count("\n") == len(odd), "lines of %s" % words)


def many_files(folder):
    """More files than fit a command of a fixed length, and names like flags."""
    names = ["-o", "--x"] + ["many%d" % n for n in range(600)]
    for name in names:
        with open("%s/%s" % (folder, name), "w") as f:
            f.write("a b\n")
    out, _ = job("ngram", "local", "-i", folder + "/many*", "./-o", "./--x", cwd=folder)
    check(out == "a\t602\nb\t602\n", "602 files: " + out)


def data(folder):
    """clean.data is where jobs take models and lists from, here and in a pipeline."""
    os.makedirs(folder + "/own/words")
    shutil.copy(ROOT + "/data/words/nl.txt", folder + "/own/words")
    for phase in "map", "local":
        _, err = job("annotate", phase, "-D", "lang=nl", "--set", "clean.data=%s/own" % folder,
                     text="Een dag\n", code=1)
        check("no tagger of this language" in err, err)
        out, _ = job("annotate", phase, "-D", "lang=nl", text="Een dag\n")
        check(out == "Een/<DET> dag/<NOUN>\n", out)
    with open(folder + "/tags", "w") as f:
        f.write("tags = annotate lang=nl < input\n")
    with open(folder + "/day.txt", "w") as f:
        f.write("Een dag\n")
    words = [WINNOW, "run", folder + "/tags", "-i", folder + "/day.txt", "-o", folder + "/tagged"]
    run(words)
    own = ["--set", "clean.data=%s/own" % folder]
    _, err = run(words + own, code=1)
    check("no tagger of this language" in err, "another folder, another stage: " + err)
    for engine in "plan", "hadoop":
        out, _ = run(words + own + ["--engine", engine])
        check("clean.data=%s/own" % folder in out, out)


def spark(folder):
    python = os.environ.get("WINNOW_SPARK_PYTHON") or os.path.expanduser(
        os.environ.get("WINNOW_SPARK_VENV", "~/.cache/winnow-venvs/spark")) + "/bin/python"
    if shutil.which("java") is None:
        print("skipped: no Java (Debian: default-jre-headless)")
        sys.exit(SKIPPED)
    if not os.path.exists(python):
        print("skipped: no PySpark (tests/spark_venv.sh makes %s)" % python)
        sys.exit(SKIPPED)
    put(folder)
    os.mkdir(folder + "/bin")  # found by PATH, also by who works
    for name, fails in ("winnow-here", "no job"), ("winnow-fails", "shingle-pairs reduce"):
        with open(folder + "/bin/" + name, "w") as f:
            f.write('#!/bin/sh\n[ "$2 $3" != "%s" ] || exit 1\nexec %s "$@"\n' % (fails, WINNOW))
        os.chmod(folder + "/bin/" + name, 0o755)

    def on_spark(winnow, code=0):
        return run([python, ROOT + "/corpus/spark/winnow_spark.py", "--input",
                    "file://" + folder + "/part*.gz", "--output", folder + "/" + winnow, "--winnow", winnow,
                    "--limit", "5", "--max", "30", "--partitions", "3", "--master",
                    "local-cluster[2,1,1024]"], code,
                   env=dict(os.environ, PATH="%s/bin:%s" % (folder, os.environ["PATH"]), PYSPARK_PYTHON=python,
                            SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_DIRS=folder,
                            SPARK_LOCAL_HOSTNAME="localhost"), cwd=folder)[1]
    expected = tender(folder, "-l", "5", "-m", "30")
    on_spark("winnow-here")
    with open(folder + "/winnow-here") as f:
        check(f.read().split() == expected, "Spark, limit 5")
    said = on_spark("winnow-fails", 1)
    check("shingle-pairs reduce -D max=30: exit code 1" in said, "a job that fails on Spark: " + said[-2000:])


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-jobs-") as folder:
        if sys.argv[2] == "spark":
            spark(folder)
        else:
            here(folder)
            bad_calls(folder)
            jobconf(folder)
            local_words(folder)
            unread(folder)
            odd_tokens(folder)
            many_files(folder)
            data(folder)
    sys.exit(failed != 0)


main()
