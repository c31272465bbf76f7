#!/usr/bin/env python3
"""Tables of pairs of words in SQLite, documents and sentences in Parquet, as corpus/README.md says.

usage: tables.py WINNOW FOLDER-FOR-CONSUMERS

The pages of tests/cases become documents, sentences and pairs by `winnow clean` and
`winnow run webcorpus`.  Job association writes the pairs as TSV and as SQL: SQLite has the
same rows as the TSV, and they agree with the formulas.  Its lines that make a database
of pairs and n-grams are run as they stand, by sqlite3.  Its Python block that
makes Parquet of documents and sentences is run as it stands; exit 77: no pyarrow.
"""
import json
import math
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import consumers  # noqa: E402

PAGES = os.path.abspath("tests/cases/clean")
WINNOW = os.path.abspath(sys.argv[1])


def pairs(folder):
    """The table as TSV and by way of SQL."""
    def association(form):
        p = subprocess.run("zstdcat out/cooccurrences/part-*.zst | '%s' job association local "
                           "-D form=%s -D min-count=1" % (WINNOW, form), shell=True, cwd=folder,
                           capture_output=True, text=True, check=True)
        return p.stdout
    head, *rows = [line.split("\t") for line in association("tsv").split("\n")[:-1]]
    db = sqlite3.connect(":memory:")
    db.executescript(association("sql"))
    found = db.execute("SELECT * FROM pairs").fetchall()
    assert [c[0] for c in db.execute("SELECT * FROM pairs").description] == head, head
    assert len(found) == len(rows) > 100, (len(found), len(rows))
    for row, sql in zip(rows, found):
        assert [str(v) for v in sql[:2]] == row[:2] and [float(v) for v in row[2:]] == \
            [float(v) for v in sql[2:]], (row, sql)
    all_of = {}
    for r in found:
        all_of[r[2]] = all_of.get(r[2], 0) + r[3]
    for _, _, distance, n, left, right, _, dice, pmi, t in found:
        e = left * right / all_of[distance]
        assert abs(dice - 2 * n / (left + right)) < 1e-5 and abs(pmi - math.log2(n / e)) < 1e-3
        assert abs(t - (n - e) / math.sqrt(n)) < 1e-3
    print("ok   %d pairs in SQLite" % len(found))


def database(folder):
    """The manual's shell lines, and what the database has then."""
    with open("corpus/README.md", encoding="utf-8") as f:
        [block] = [b for b in re.findall(r"```sh\n(.*?)```", f.read(), re.S) if "sqlite3" in b]
    p = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, capture_output=True, text=True,
                       env=dict(os.environ, PATH=os.path.dirname(WINNOW) + ":" + os.environ["PATH"]))
    assert p.returncode == 0 and p.stderr.count("error") == 0, p.stderr
    db = sqlite3.connect(folder + "/pairs.db")
    best = db.execute("SELECT * FROM pairs ORDER BY log_likelihood DESC LIMIT 20").fetchall()
    counts = subprocess.run("zstdcat out/trigrams/part-*.zst", shell=True, cwd=folder, capture_output=True,
                            text=True, check=True).stdout.split("\n")[:-1]
    assert len(best) == 20 and best[0][6] >= best[19][6] > 0, best
    assert sorted("%s\t%d" % row for row in db.execute("SELECT * FROM trigrams")) == sorted(counts)
    assert p.stdout.count("\n") > 21 and len(counts) > 100, p.stdout
    print("ok   the manual's database has %d trigrams" % len(counts))


CHECK = """
d, s = p.read_table("documents.parquet"), p.read_table("sentences.parquet")
import json, sys
json.dump([d.num_rows, s.num_rows, sorted(set(d["url"].to_pylist())), s["sentence"].to_pylist(),
           s["count"].to_pylist(), str(d.schema.field("badness").type)], sys.stdout)
"""


def parquet(folder, python):
    with open("corpus/README.md", encoding="utf-8") as f:
        block = [b for b in re.findall(r"```python\n(.*?)```", f.read(), re.S) if "parquet" in b]
    p = subprocess.run([python, "-c", block[0] + CHECK], cwd=folder, capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    documents, sentences, urls, texts, counts, badness = json.loads(p.stdout)
    with open(folder + "/corpus.jsonl", encoding="utf-8") as f:
        records = [json.loads(line) for line in f]
    with open(folder + "/sentences.tsv", encoding="utf-8") as f:
        lines = [line.split("\t") for line in f.read().split("\n")[:-1]]
    assert documents == len(records) and urls == sorted({r["url"] for r in records})
    assert texts == [line[0] for line in lines] and counts == [int(line[1]) for line in lines]
    assert sentences > 10 and badness == "double", (sentences, badness)
    print("ok   %d documents and %d sentences in Parquet" % (documents, sentences))


def main(folder_for_consumers):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([WINNOW, "clean", "--format", "jsonl", "--language", "de,en,fr,nl", "--join",
                        "-o", folder + "/corpus", PAGES], stderr=subprocess.DEVNULL, check=False)
        subprocess.run([WINNOW, "run", "webcorpus", "-i", "corpus.jsonl", "-o", "out"], cwd=folder,
                       capture_output=True, check=True)
        subprocess.run("zstdcat out/compact/part-*.zst | cut -f1-4 >sentences.tsv", shell=True, cwd=folder,
                       check=True)
        pairs(folder)
        database(folder)
        parquet(folder, consumers.python(folder_for_consumers, "json", ["datasets", "pyarrow"]))


main(sys.argv[2])
