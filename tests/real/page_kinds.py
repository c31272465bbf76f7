#!/usr/bin/env python3
"""page_kinds.py -- what clean.kinds_rejected takes out of pages whose kind is known.

    tests/real/page_kinds.py OUT [KIND ...]

OUT is what `winnow train --pages DIR --export OUT` wrote: its kinds.tsv has of
each page of a known kind (WCXB's) what a model that has not seen it takes it
for.  Prints, for the kinds named (listing collection), how many pages of each
kind `clean.kinds_rejected` of them rejects, at several `kinds_rejected_max`.
"""
import collections
import csv
import os
import sys

LIMITS = (0.5, 0.7, 0.9)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rejected = sys.argv[2:] or ["listing", "collection"]
    pages, out = collections.Counter(), collections.Counter()
    with open(os.path.join(sys.argv[1], "kinds.tsv"), encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            share = sum(float(row[kind]) for kind in rejected)
            pages[row["kind"]] += 1
            for limit in LIMITS:
                out[row["kind"], limit] += share > limit
    print("kind            pages" + "".join(f"  max {limit}" for limit in LIMITS))
    for kind, n in pages.most_common():
        print(f"{kind:15} {n:5}" +
              "".join(f"  {out[kind, limit] / n:7.3f}" for limit in LIMITS))


if __name__ == "__main__":
    main()
