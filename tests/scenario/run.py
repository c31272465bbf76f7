#!/usr/bin/env python3
"""Pipelines of jobs: killed and started again, out of room, fed with rubbish; on Spark.

usage: run.py WINNOW local|spark

local: a pipeline over made documents gives what the same phases with sort(1) between
them give, whatever the memory and the threads; after kill -9 at any moment it goes on,
without the stages that were finished; what cannot be read is counted, and a full disk is
an error that a later run gets over.  spark: the built-in pipeline gives the same lines
and counters there (tests/spark_venv.sh makes its environment); with WINNOW_GERMAN or
WINNOW_DOCUMENTS the path of JSONL of your own documents, in German or in the language that
each says.
"""
import collections
import glob
import json
import os
import random
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
rng = random.Random(18)

PIPELINE = """# documents become counted words
documents = document < input
unique = deduplication < documents
whole = utf8 < unique
pairs = ngram n=2 n-min=1 column=4 < whole
near = cooccurrence n=2 column=4 min-count=2 < whole
frequent = pair-count limit=3 < pairs
"""


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print("FAILED:", what, file=sys.stderr)
    return ok


def run(args, code=0, **kw):
    env = dict(os.environ, LC_ALL="C")
    p = subprocess.run(args, capture_output=True, text=True, timeout=int(os.environ.get("WINNOW_RUN_SECONDS", "500")), env=env, **kw)
    check(p.returncode == code, "%s: exit %d\n%s" % (args, p.returncode, p.stderr[-3000:]))
    return p.stdout, p.stderr


def word():
    return "w%d" % int(rng.paretovariate(0.7) % 5000)


def documents(path, n):
    """JSONL: some twice, some under another address, some damaged."""
    text = ""
    with open(path, "w") as f:
        for i in range(n):
            if i == 0 or rng.random() < 0.7:
                text = "\n".join(" ".join(word() for _ in range(rng.randrange(1, 60)))
                                 for _ in range(rng.randrange(1, 6)))
            if rng.random() < 0.05:
                text += " \ufffd"
            f.write(json.dumps({"url": "http://h%d.example/%d" % (i % 7, rng.randrange(n)),
                                "timestamp": "2026-01-%02dT00:00:00Z" % (1 + i % 28),
                                "text": text}) + "\n")


def lines_of(folder, stage):
    parts = sorted(glob.glob("%s/%s/part-*" % (folder, stage)))
    if not parts:
        return []
    cat = "zstdcat" if parts[0].endswith(".zst") else "cat"
    out = subprocess.run([cat] + parts, capture_output=True, check=True).stdout
    return sorted(out.split(b"\n")[:-1])


def bytes_of(folder, stage):
    return b"".join(subprocess.run(["zstdcat", p], capture_output=True, check=True).stdout
                    for p in sorted(glob.glob("%s/%s/part-*" % (folder, stage))))


def sorted_of(folder, stage):
    """How many lines, and a digest of them in order; with little memory."""
    parts = sorted(glob.glob("%s/%s/part-*" % (folder, stage)))
    if not parts:
        return 0, ""
    cat = "zstdcat" if parts[0].endswith(".zst") else "cat"
    p = subprocess.run("%s %s | sort -S 256M | tee >(wc -l >&2) | sha256sum" % (cat, " ".join(parts)),
                       shell=True, executable="/bin/bash", capture_output=True, text=True,
                       check=True, env=dict(os.environ, LC_ALL="C", TMPDIR=folder))
    return int(p.stderr), p.stdout


def pipeline(folder):
    path = folder + "/pipeline.txt"
    with open(path, "w") as f:
        f.write(PIPELINE)
    return path


def by_hand(folder):
    """The same, by a shell."""
    def job(words):
        return "'%s' job %s 2>/dev/null" % (WINNOW, words)
    count = job("ngram map -D n=2 -D n-min=1 -D column=4") + " | sort | " + \
        job("ngram combine") + " | " + job("ngram reduce")
    script = job("document map " + folder + "/in.jsonl") + " | sort | " + job("document reduce") + \
        " | " + job("deduplication map") + " | sort | " + job("deduplication reduce") + " | " + \
        job("utf8 map") + " >%s/whole; cat %s/whole | " % (folder, folder) + count
    out = subprocess.run(["sh", "-c", script], capture_output=True, check=True,
                         env=dict(os.environ, LC_ALL="C")).stdout
    return sorted(out.split(b"\n")[:-1])


def start(folder, out, *more, **kw):
    return run([WINNOW, "run", pipeline(folder), "-i", folder + "/in.jsonl", "-o",
                folder + "/" + out, *more], **kw)


def same_as_sort(folder):
    documents(folder + "/in.jsonl", 800)
    expected = by_hand(folder)
    check(len(expected) > 3000, "%d pairs" % len(expected))
    counters, _ = start(folder, "big", "--threads", "1", "--memory", "64M")
    check(lines_of(folder + "/big", "pairs") == expected, "one thread")
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
    start(folder, "few", "--threads", "3", "--memory", "192K", preexec_fn=few_files)
    again, _ = start(folder, "small", "--threads", "3", "--memory", "192K")
    check(lines_of(folder + "/small", "near") == lines_of(folder + "/few", "near"), "with few descriptors")
    check(lines_of(folder + "/small", "pairs") == expected, "three threads, many runs")
    for turn in range(4):  # jobs without reduce give their lines in the same order
        start(folder, "order%d" % turn, "--threads", "3", "--memory", "192K")
        check(bytes_of(folder + "/order%d" % turn, "whole") == bytes_of(folder + "/small", "whole"), "order of lines")
    check(counters == again and "documents\tdocuments\t800\n" in counters, counters)
    check(not glob.glob(folder + "/small/*/run*"), "runs are left")
    for stage in "near", "frequent":
        check(lines_of(folder + "/big", stage) == lines_of(folder + "/small", stage), stage)
        check(len(lines_of(folder + "/big", stage)) > 50, stage)
    return counters


def killed(folder, counters):
    """Kill it at moments of its work; each time it goes on."""
    command = [WINNOW, "run", pipeline(folder), "-i", folder + "/in.jsonl", "-o",
               folder + "/killed", "--threads", "2", "--memory", "192K"]
    done, kills = set(), 0
    for wait in [n / 40 for n in range(1, 200)]:
        p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = p.communicate(timeout=wait)
            break
        except subprocess.TimeoutExpired:
            p.send_signal(signal.SIGKILL)
            _, err = p.communicate()
            kills += 1
        begun = {w[6:] for l in err.splitlines() for w in l.split() if w.startswith("stage=")}
        check(not begun & done, "done again: %s" % (begun & done))
        done = {os.path.basename(os.path.dirname(d))
                for d in glob.glob(folder + "/killed/*/done") if ".new" not in d}
    check(p.returncode == 0 and kills >= 2, "%d kills, exit %d" % (kills, p.returncode))
    check(out == counters, "counters after kills")
    for stage in "whole", "pairs", "near", "frequent":
        check(lines_of(folder + "/killed", stage) == lines_of(folder + "/small", stage), stage)
    check(not glob.glob(folder + "/killed/*.new"), "a torn stage is left")


def torn_stages_go(folder):
    """What a killed run was making goes with the next one, also what that does not make."""
    torn = folder + "/big/%s.new"
    for name, files in ("pairs", ["part-00000.zst", "run-0-1-0", "unfinished"]), \
            ("of-before", ["part-00000.zst", "done", "unfinished"]), ("mine", ["part-00000.zst", "run.sh"]):
        os.mkdir(torn % name)
        for file in files:
            open(torn % name + "/" + file, "w").close()
    start(folder, "big", "--threads", "1")
    left = glob.glob(folder + "/big/*.new/*")
    check(len(left) == 2 and all(torn % "mine" in f for f in left), "%s is left" % left)
    check(not glob.glob(folder + "/*/*/unfinished"), "whole stages have a mark")
    shutil.rmtree(torn % "mine")


def what_changed_is_done_again(folder):
    _, err = start(folder, "big", "--threads", "1")
    check("stage=" not in err, err)
    _, err = start(folder, "big", "--threads", "1", "-D", "frequent.limit=4")
    check(err.count("stage=") == 1 and "stage=frequent" in err, err)
    os.utime(folder + "/in.jsonl", (1, 1))
    _, err = start(folder, "big", "--threads", "1")
    check(err.count("stage=") == 6, err)
    with open(folder + "/jobconf.txt", "w") as f:
        f.write("dropFilteredItems=false\nqueueName=q\n")
    _, err = start(folder, "labelled", "--jobconf", folder + "/jobconf.txt")
    check("queueName: no meaning" in err, err)
    check(any(b"<is_duplicate>false" in l for l in lines_of(folder + "/labelled", "whole")) and
          any(b"<encoding_error>true" in l for l in lines_of(folder + "/labelled", "whole")),
          "dropFilteredItems=false")


def bad_input(folder):
    """Everything that is wrong is counted by name, and nothing else is lost."""
    long = folder + "/long.jsonl"
    with open(long, "wb") as f:
        f.write(b'{"url":"http://a/1","text":"eins zwei"}\n')
        f.write(b'{"url":"http://a/2","text":"' + b"x " * (50 << 20) + b'"}\n')
        f.write(b"no record\n")
        f.write(b'{"url":"http://a/3","text":"drei \xff vier"}\n')
        f.write(b'{"url":"http://a/4","text":"f\xc3\xbcnf"}')
    out, _ = run([WINNOW, "run", pipeline(folder), "-i", long, "-o", folder + "/long"], code=3)
    for line in ("documents\trecords rejected\t2", "documents\tdocuments\t3",
                 "documents\tdocuments with invalid UTF-8\t1", "whole\tdocuments damaged\t1"):
        check(line + "\n" in out, "%s in\n%s" % (line, out))
    check(lines_of(folder + "/long", "pairs") == sorted(
        [b"eins\t1", b"zwei\t1", b"eins zwei\t1", b"f\xc3\xbcnf\t1"]), "pairs of few")
    words = folder + "/words.txt"
    with open(words, "wb") as f:
        f.write(b"a b\n" + b"y " * (50 << 20) + b"\n" + b"c\xff d\n\n\nb c")
    with open(folder + "/count.txt", "w") as f:
        f.write("words = ngram < input\nmissing = ngram column=3 < input\n")
    out, _ = run([WINNOW, "run", folder + "/count.txt", "-i", words, "-o", folder + "/words"])
    check("words\tlines too long\t1\n" in out and "missing\tlines rejected\t5\n" in out, out)
    check(lines_of(folder + "/words", "words") == [b"a\t1", b"b\t2", b"c\t1", b"c\xff\t1",
                                                   b"d\t1"], "words")
    # A line has less than 16 MiB, wherever reading stops; `job` reads the same lines.
    for more in -1, 0, 1, 100:
        with open(words, "wb") as f:
            f.write(b"a\n" + b"z" * ((16 << 20) + more) + b"\nb\n")
        out, _ = run([WINNOW, "run", folder + "/count.txt", "-i", words, "-o", folder + "/bound"])
        with open(words, "rb") as f:
            p = subprocess.run([WINNOW, "job", "ngram", "map"], stdin=f, capture_output=True)
        check(("words\tlines too long\t1\n" in out) == (more >= 0) == (b"lines too long,1" in p.stderr),
              "a line of 16 MiB and %d: %s %s" % (more, out, p.stderr))
    with open(words, "wb") as f:
        f.write(b"\xef\xbb\xbfa b\n")
    run([WINNOW, "run", folder + "/count.txt", "-i", words, "-o", folder + "/marked"])
    check(lines_of(folder + "/marked", "words") == [b"a\t1", b"b\t1"], "a byte order mark")
    with open(words, "wb") as f:
        f.write(b"a b\n" + b"y " * (50 << 20) + b"\n" + b"c\xff d\n\n\nb c")
    with open(words, "rb") as f:
        p = subprocess.run([WINNOW, "job", "ngram", "map"], stdin=f, capture_output=True)
    check(b"lines too long,1" in p.stderr and p.stdout.count(b"\n") == 6, p.stderr)
    # The disk is full: an error that names the file; when there is room it goes on.
    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    _, err = start(folder, "full", code=1, preexec_fn=no_room)
    check("(ulimit -f): raise it" in err and "/full/" in err and "not finished" in err, err)
    check(not glob.glob(folder + "/full/*.new"), "a torn stage is left")
    start(folder, "full")
    check(lines_of(folder + "/full", "near") == lines_of(folder + "/small", "near"), "room again")
    _, err = run(["sh", "-c", "yes 'a b c' | head -n 100000 | '%s' job ngram map >/dev/full"
                  % WINNOW], code=1)
    check("No space left" in err, err)


def coded_ngrams(folder):
    """N-grams by numbers of words (from 50 MB of memory on): counted, killed, out of room."""
    expected, words = collections.Counter(), folder + "/sentences.txt"
    with open(words, "w") as f:
        for _ in range(60000):
            sentence = [word() for _ in range(rng.randrange(1, 20))]
            f.write(" ".join(sentence) + "\n")
            for n in range(1, 6):
                expected.update(" ".join(sentence[i:i + n]) for i in range(len(sentence) - n + 1))
    with open(folder + "/five.txt", "w") as f:
        f.write("five = ngram n=5 n-min=1 min-count=2 < input\n")
    expected = sorted(b"%s\t%d" % (k.encode(), n) for k, n in expected.items() if n > 1)
    command = [WINNOW, "run", folder + "/five.txt", "-i", words, "-o", folder + "/five", "--threads", "2",
               "--memory", "64M"]
    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))
    _, err = run(command, code=1, preexec_fn=no_room)
    check("five.new/run doing=write" in err and "(ulimit -f): raise it" in err and "not finished" in err, err)
    check(not glob.glob(folder + "/five/*.new"), "a torn stage is left")
    kills, wait = 0, .02
    while True:
        p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            p.wait(wait)
            break
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
            kills, wait = kills + 1, wait * 1.3
    check(p.returncode == 0 and kills >= 3, "%d kills, exit %d" % (kills, p.returncode))
    check(lines_of(folder + "/five", "five") == expected, "n-grams of one to five words")
    check(not glob.glob(folder + "/five/*/run*") and not glob.glob(folder + "/five/*.new"), "runs are left")


def cleaning_is_set(folder):
    """What --set says of cleaning reaches who reads archives, and makes them read again."""
    page, text = folder + "/page.html", folder + "/clean.txt"
    with open(page, "w") as f:
        f.write("<html lang=nl><title>t</title>" + "".join(
            "<p>Dit is een lange zin van de %d mensen die in het huis aan het water wonen en "
            "er elke dag met veel plezier naar de boten op de rivier kijken.</p>" % i
            for i in range(20)))
    with open(text, "w") as f:
        f.write("documents = document input-format=archive < input\nw = ngram column=4 < documents\n")
    def documents_of(*more, out="cleaned"):
        run([WINNOW, "run", text, "-i", page, "-o", folder + "/" + out, *more])
        return len(lines_of(folder + "/" + out, "documents"))
    check(documents_of() == 1, "the page is none")
    check(documents_of("--set", "clean.chars_min=100000") == 0, "clean.chars_min does not reach it")
    run([WINNOW, "run", text, "-i", page, "-o", folder + "/scope", "--set",
         "scope.exclude_file=/nowhere"], code=1)
    os.environ["WINNOW_CLEAN_CHARS_MIN"] = "100001"
    check(documents_of(out="from-environment") == 0, "the environment does not reach it")
    plan = json.loads(run([WINNOW, "run", text, "-i", page, "--engine", "plan"])[0])
    check(plan["stages"][0]["map"][3:5] == ["--set", "clean.chars_min=100001"],
          "the environment does not reach a cluster: %s" % plan)
    del os.environ["WINNOW_CLEAN_CHARS_MIN"]
    check(documents_of(out="from-environment") == 1, "not done again without the environment's option")
    for instead, found in ("schip", 0), ("kanaal", 1):  # a file that --set names is edited
        with open(folder + "/instead of.txt", "w") as f:
            f.write("rivier\t%s\n" % instead)
        documents_of("--set", "clean.replacements=" + folder + "/instead of.txt", out="replaced")
        check(any(b"kanaal" in l for l in lines_of(folder + "/replaced", "documents")) == found,
              "clean.replacements: " + instead)
    for language in "de", "nl":  # and one of a list, in a path with blanks
        shutil.copy("%s/data/profiles/%s.prof" % (ROOT, language), folder + "/the profile.prof")
        found = documents_of("--set", "clean.profiles='nl=%s/the profile.prof'" % folder, "--set",
                             "clean.badness_max=10", out="profiled")
        check(found == (language == "nl"), "the profile of %s: %d documents" % (language, found))
    run([WINNOW, "run", text, "-i", page, "-o", folder + "/no-data", "--set",
         "clean.data=" + folder + "/none"], code=1)
    plan = json.loads(run([WINNOW, "run", text, "-i", page, "--engine", "plan", "--set",
                           "clean.chars_min=7", "--set", "log.level=error"])[0])
    check(plan["stages"][0]["map"][3:] == ["--set", "clean.chars_min=7", "-D",
                                           "input-format=archive"] and
          "--set" not in plan["stages"][1]["map"], plan)
    out = subprocess.run([WINNOW, "job", "document", "map", "--set", "clean.chars_min=100000",
                          "-D", "input-format=archive", page], capture_output=True).stdout
    check(out == b"", "clean.chars_min does not reach job document")


def bad_calls(folder):
    def call(*args, code=2):
        return run([WINNOW, "run", *args], code=code)[1]
    with open(folder + "/bad.txt", "w") as f:
        f.write("a = ngrams < input\n")
    check("line 1: no such job: ngrams" in call(folder + "/bad.txt", "-o", folder), "no such job")
    check("--output" in call("webcorpus", "-i", folder + "/in.jsonl"), "no output")
    check("--input" in call("webcorpus", "-o", folder + "/x"), "no input")
    check("engine" in call("webcorpus", "-i", folder + "/in.jsonl", "-o", "x", "--engine", "dask"),
          "engine")
    check("memory" in call("webcorpus", "-i", folder + "/in.jsonl", "-o", "x", "--memory", "1"),
          "memory")
    check("no stage" in call("webcorpus", "-i", folder + "/in.jsonl", "-o", "x", "-D", "zip=1"),
          "option")
    check("one language" in call("webcorpus", "-i", folder + "/in.jsonl", "-o", "x", "-D",
                                 "lang=nl,fr"), "two languages")
    out, _ = run([WINNOW, "run", pipeline(folder), "-i", folder + "/in.jsonl", "-o", "/there",
                  "--engine", "hadoop"])
    check(out.count("hadoop jar") == 6 and "-combiner" in out and "'/there'/whole" in out, out)
    run(["sh", "-n"], input=out)
    plan = json.loads(run([WINNOW, "run", pipeline(folder), "-i", folder + "/in.jsonl",
                           "--engine", "plan"])[0])
    check([s["name"] for s in plan["stages"] if s["result"]] == ["near", "frequent"], plan)
    out, _ = run([WINNOW, "job", "ngram", "--help"])
    check("-D n-min=0" in out and "counters:" in out, out)


def webcorpus(folder):
    """The built-in pipeline over German text, to the counted words."""
    path = folder + "/de.jsonl"
    texts = ["Die Kinder spielten am Nachmittag im Garten. Ihre Mutter las ein Buch.",
             "Am Abend kam Dr. Wolf am 3. Mai nach Hause und kochte eine Suppe.",
             "This sentence was written in English, and nobody expects it to stay here."]
    with open(path, "w") as f:
        for i in range(60):
            f.write(json.dumps({"url": "http://h%d.example/%d" % (i % 12, i), "language": "de",
                                "timestamp": "2026-01-%02dT00:00:00Z" % (1 + i % 28),
                                "text": texts[i % 3] + " " + texts[i % 2]}) + "\n")
    return path


def built_in(folder):
    path = webcorpus(folder)
    out, _ = run([WINNOW, "run", "webcorpus", "-i", path, "-o", folder + "/de", "-D", "lang=de",
                  "-D", "trigrams.min-count=2"])
    check("documents\tdocuments\t60\n" in out and "host-unique\tduplicates\t0\n" not in out, out)
    compact = lines_of(folder + "/de", "compact")
    check(any(l.startswith(b"Ihre Mutter las ein Buch.\t") for l in compact), compact)
    check(not any(b"English" in l for l in compact), compact)
    check(b"3. Mai nach" in b"\n".join(lines_of(folder + "/de", "trigrams")), "trigrams")
    check(any(b"@@-3 " in l for l in lines_of(folder + "/de", "cooccurrences")), "cooccurrences")


def spark(folder):
    python = os.environ.get("WINNOW_SPARK_PYTHON") or os.path.expanduser(
        os.environ.get("WINNOW_SPARK_VENV", "~/.cache/winnow-venvs/spark")) + "/bin/python"
    if shutil.which("java") is None or not os.path.exists(python):
        print("skipped: no Java or no PySpark (tests/spark_venv.sh makes %s)" % python)
        sys.exit(SKIPPED)
    submit = folder + "/submit"
    with open(submit, "w") as f:
        f.write("#!/bin/sh\nexec '%s' \"$@\" --master 'local-cluster[2,1,1024]' --partitions 2\n"
                % python)
    os.chmod(submit, 0o755)
    os.environ.update(PYSPARK_PYTHON=python, SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_DIRS=folder,
                      SPARK_LOCAL_HOSTNAME="localhost")
    own = os.environ.get("WINNOW_DOCUMENTS")
    call = [WINNOW, "run", "webcorpus", "-i", own] if own else \
        [WINNOW, "run", "webcorpus", "-D", "lang=de", "-i",
         os.environ.get("WINNOW_GERMAN") or webcorpus(folder)]
    unread = 0
    if not own and not os.environ.get("WINNOW_GERMAN"):
        unread = 3  # both say that a record is none
        with open(call[-1], "a") as f:
            f.write('{"url":')
    counters, _ = run(call + ["-o", folder + "/here"], code=unread)
    run(call + ["-o", folder + "/spark", "--engine", "spark", "--spark-submit", submit, "--driver",
                ROOT + "/corpus/spark/winnow_spark.py"], cwd=folder, code=unread)
    for stage in "words", "bigrams", "trigrams", "cooccurrences":
        n, digest = sorted_of(folder + "/spark", stage)
        check((n, digest) == sorted_of(folder + "/here", stage) and n > 20, stage)
        print("%s: %d lines" % (stage, n))
    with open(folder + "/spark/counters.tsv") as f:
        check(f.read() == counters, "counters of Spark")
    if own:
        print(counters)


def main():
    with tempfile.TemporaryDirectory(prefix="winnow-run-") as folder:
        if sys.argv[2] == "spark":
            spark(folder)
        else:
            counters = same_as_sort(folder)
            killed(folder, counters)
            bad_input(folder)
            coded_ngrams(folder)
            torn_stages_go(folder)
            what_changed_is_done_again(folder)
            cleaning_is_set(folder)
            bad_calls(folder)
            built_in(folder)
    sys.exit(failed != 0)


main()
