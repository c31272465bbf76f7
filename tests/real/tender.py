#!/usr/bin/env python3
"""How well `winnow tender` decides pairs, against the exact resemblance.

usage: tender.py WINNOW [PAIRS]     (default 6000 for each length)

Pages are made of random words, so that the set of 5-shingles of each is known: pairs
of resemblance uniform in .5 to .95, of 60 to 10,000 shingles, and chains a~b~c~...
whose ends share nothing.  They go through `winnow clean` and `winnow tender`, at .8
and .5; shown are precision and recall of the decided pairs, and how many documents
went that resemble no document that stays.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

WINNOW = os.path.abspath(sys.argv[1])
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 6000
rng = random.Random(3)
SYLLABLES = ["ka", "lo", "mi", "ne", "ru", "sa", "te", "vo", "zi", "du", "fe", "go"]


def words(n):
    return ["".join(rng.choice(SYLLABLES) for _ in range(5)) for _ in range(n)]


def shingles(w):
    return {tuple(w[i:i + 5]) for i in range(len(w) - 4)}


def jaccard(a, b):
    a, b = shingles(a), shingles(b)
    return len(a & b) / len(a | b)


def pair(n, j):
    """Two texts of n shingles, resemblance about j: the end of one is another."""
    shared = round(2 * n * j / (1 + j))
    a = words(n + 4)
    return a, a[:shared + 4] + words(n - shared)


def corpus():
    texts, planted = [], []
    for n in 60, 200, 500, 2000, 10000:
        count = PAIRS if n <= 500 else PAIRS // 5 if n == 2000 else PAIRS // 20
        for i in range(count):
            a, b = pair(n, .5 + .45 * (i + .5) / count)
            planted.append((n, len(texts), len(texts) + 1))
            texts += [a, b]
    for _ in range(50):  # of five, each the next one's near-duplicate
        w = words(404)
        for step in range(5):
            texts.append(w[:])
            at = 90 * step % 360
            w = w[:at] + words(40) + w[at + 40:]
    return texts, planted


def run(folder, texts):
    """Indices by id, and the lines of fingerprints, in folder/c.shingles."""
    os.mkdir(folder + "/in")
    for i, w in enumerate(texts):
        with open("%s/in/%06d.html" % (folder, i), "w") as f:
            f.write("<html><head><title>%d</title></head><body><p>%s</p></body></html>" %
                    (i, " ".join(w)))
    subprocess.run([WINNOW, "clean", "--all", "--join", "--set", "clean.boilerplate_max=1",
                    "--format", "shingles,jsonl", "-o",
                    folder + "/c", folder + "/in"], check=True, stderr=subprocess.DEVNULL)
    with open(folder + "/c.jsonl") as f:
        return {d["id"]: int(d["title"]) for d in map(json.loads, f)}


def main():
    texts, planted = corpus()
    with tempfile.TemporaryDirectory(prefix="winnow-real-") as folder:
        index = run(folder, texts)
        if len(index) != len(texts):
            sys.exit("%d of %d documents" % (len(index), len(texts)))
        print("near  shingles  pairs  precision  recall")
        for near in .8, .5:
            subprocess.run([WINNOW, "tender", "-i", folder + "/c.shingles", "-o", folder + "/b",
                            "--near", str(near), "-f"], check=True, stderr=subprocess.DEVNULL)
            names = {n.split(".", 1)[1]: folder + "/" + n for n in os.listdir(folder)
                     if n.startswith("b_")}
            with open(names["03.blacklist-full"]) as f:
                decided = {tuple(sorted((index[a], index[b])))
                           for a, b, _ in map(str.split, f)}
            with open(names["03.clusters"]) as f:
                gone = {index[a]: (index[b], float(j)) for a, b, j in map(str.split, f)}
            true = {(a, b): jaccard(texts[a], texts[b]) for _, a, b in planted}
            for n in 60, 200, 500, 2000, 10000, 0:
                mine = [(a, b) for m, a, b in planted if n in (m, 0)]
                yes = [p for p in mine if p in decided]
                real = [p for p in mine if true[p] >= near]
                both = [p for p in yes if true[p] >= near]
                print("%.1f   %8s  %5d  %9.4f  %6.4f" %
                      (near, n or "all", len(mine), len(both) / max(1, len(yes)),
                       len(both) / max(1, len(real))))
            below = [g for g, (k, j) in gone.items() if j < near or k in gone]
            far = [g for g, (k, _) in gone.items() if jaccard(texts[g], texts[k]) < near - .05]
            print("%d documents go, %d of them below the threshold or for one that goes; "
                  "%d exactly below it by more than .05" % (len(gone), len(below), len(far)))
            for path in names.values():
                os.remove(path)


main()
