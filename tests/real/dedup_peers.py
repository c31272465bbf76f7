#!/usr/bin/env python3
"""How other tools decide the pairs that real_dedup plants:

    real_dedup DOCUMENTS --dump PAIRS 3000
    python3 -m venv V && V/bin/pip install rensa datasketch text-dedup
    V/bin/python dedup_peers.py PAIRS [--near 0.8] [--k 128]

rensa and datasketch estimate the resemblance of both texts of a pair by k values over
shingles of five words; a pair is decided by the threshold and compared with its exact
Jaccard index, which stands in the file.  text-dedup estimates nothing: whatever agrees in
one of its bands (as many and as long as it chooses itself for the threshold, of its 250
values) is a duplicate.  Said beside it: fingerprints a CPU second."""
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


def rensa_estimate(k, _):
    from rensa import RMinHash

    def make(shingles):
        m = RMinHash(num_perm=k, seed=42)
        m.update(shingles)
        return m
    return make, lambda a, b: a.jaccard(b), None


def datasketch_estimate(k, _):
    from datasketch import MinHash

    def make(shingles):
        m = MinHash(num_perm=k)
        m.update_batch([s.encode() for s in shingles])
        return m
    return make, lambda a, b: a.jaccard(b), None


def text_dedup_bands(_, near):
    import numpy as np
    from text_dedup.minhash import embed_func
    from text_dedup.utils import optimal_param, sha1_hash
    k, prime = 250, np.uint64((1 << 61) - 1)  # as its program has them
    bands, rows = optimal_param(near, k, false_positive_weight=.5, false_negative_weight=.5)
    rng = np.random.RandomState(42)
    permutations = (rng.randint(1, prime, size=(k,), dtype=np.uint64),
                    rng.randint(0, prime, size=(k,), dtype=np.uint64))
    ranges = [(i * rows, (i + 1) * rows) for i in range(bands)]

    def make(shingles):
        words = shingles[0].split(" ") + [s.rsplit(" ", 1)[1] for s in shingles[1:]]
        return embed_func(" ".join(words), 0, num_perm=k, ngram_size=5, min_length=0,
                          hashranges=ranges, permutations=permutations,
                          hash_func=lambda b: sha1_hash(b, d=32), dtype=np.uint64,
                          max_hash=np.uint32((1 << 32) - 1), modulo_prime=prime
                          )["__signatures__"]
    return make, None, lambda a, b: any(x == y for x, y in zip(a, b))


def main():
    a = argparse.ArgumentParser()
    a.add_argument("pairs")
    a.add_argument("--near", type=float, default=0.8)
    a.add_argument("--k", type=int, default=128)
    args = a.parse_args()
    for name, tool in (("rensa", rensa_estimate), ("datasketch", datasketch_estimate),
                       ("text-dedup", text_dedup_bands)):
        try:
            make, estimate, decide = tool(args.k, args.near)
        except ImportError:
            print("%-11s not installed: skipped" % name)
            continue
        right = wrong = missed = n = 0
        squares = seconds = 0.0
        for exact, one, two in pairs(args.pairs):
            start = time.process_time()
            x, y = make(one), make(two)
            seconds += time.process_time() - start
            e = estimate(x, y) if estimate else float(decide(x, y))
            squares += (e - exact) ** 2
            n += 1
            right += e >= args.near and exact >= args.near
            wrong += e >= args.near and exact < args.near
            missed += e < args.near and exact >= args.near
        print("%-11s k=%s precision %.4f recall %.4f%s; %.0f fingerprints a CPU second"
              % (name, args.k if estimate else "250, bands",
                 right / max(1, right + wrong), right / max(1, right + missed),
                 " rmse %.4f" % math.sqrt(squares / n) if estimate else "", 2 * n / seconds))


if __name__ == "__main__":
    main()
