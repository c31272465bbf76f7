#!/usr/bin/env python3
"""How other tools decide the pairs that real_dedup plants:

    real_dedup DOCUMENTS --dump PAIRS 3000
    python3 -m venv V && V/bin/pip install rensa datasketch
    V/bin/python dedup_peers.py PAIRS [--near 0.8] [--k 128]

Each estimates the resemblance of both texts of a pair by k values over shingles
of five words; a pair is decided by the threshold and compared with its exact
Jaccard index, which stands in the file.  Said beside it: fingerprints a CPU second."""
import argparse
import math
import time


def pairs(path):
    first = None
    for line in open(path, encoding="utf-8"):
        number, which, exact, words = line.rstrip("\n").split("\t")
        words = words.split(" ")
        shingles = [" ".join(words[i:i + 5]) for i in range(len(words) - 4)]
        if which == "a":
            first = shingles
        else:
            yield float(exact), first, shingles


def rensa_estimate(k):
    from rensa import RMinHash

    def make(shingles):
        m = RMinHash(num_perm=k, seed=42)
        m.update(shingles)
        return m
    return make, lambda a, b: a.jaccard(b)


def datasketch_estimate(k):
    from datasketch import MinHash

    def make(shingles):
        m = MinHash(num_perm=k)
        m.update_batch([s.encode() for s in shingles])
        return m
    return make, lambda a, b: a.jaccard(b)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("pairs")
    a.add_argument("--near", type=float, default=0.8)
    a.add_argument("--k", type=int, default=128)
    args = a.parse_args()
    for name, tool in ("rensa", rensa_estimate), ("datasketch", datasketch_estimate):
        try:
            make, estimate = tool(args.k)
        except ImportError:
            print("%-11s not installed: skipped" % name)
            continue
        right = wrong = missed = n = 0
        squares = seconds = 0.0
        for exact, one, two in pairs(args.pairs):
            start = time.process_time()
            x, y = make(one), make(two)
            seconds += time.process_time() - start
            e = estimate(x, y)
            squares += (e - exact) ** 2
            n += 1
            right += e >= args.near and exact >= args.near
            wrong += e >= args.near and exact < args.near
            missed += e < args.near and exact >= args.near
        print("%-11s k=%d precision %.4f recall %.4f rmse %.4f; %.0f fingerprints a CPU second"
              % (name, args.k, right / max(1, right + wrong), right / max(1, right + missed),
                 math.sqrt(squares / n), 2 * n / seconds))


if __name__ == "__main__":
    main()
