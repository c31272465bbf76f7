#!/usr/bin/env python3
"""fit_prior.py -- the weights scorer learned starts from, fitted to what it met.

Reads the lessons that steering.py --lessons DIR has written (one file for each
web, language, kind of seeds and seed of chance: a line for each page that ended,
with host, outcome and named features), fits a logistic regression to what became
of the pages that were there, and prints it as data/steering.tsv.

The n-th page of a host weighs 1/sqrt(1 + n/4) as in the crawl, and each file as
much as any other: no large host and no large language decides.  A penalty pulls
every weight towards the present one, so that what no lesson tells stays.

The prior is the mean of the fits of --fits, LEAF:PULL each: how much a crawl from
leaf pages counts beside one from entry pages, and how strong the penalty is.

usage: fit_prior.py LESSONS [--present data/steering.tsv] [--leave-out web2]
                    [--fits 0:5,0.3:5,0.3:30] [--epochs 12] > prior.tsv
--leave-out: lessons of this web or language are not used.
"""
import argparse
import collections
import math
import os
import random
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NEWS_PAGES = 4
RATE = 0.1


def read_prior(path):
    with open(path, encoding="utf-8") as f:
        rows = [line.split() for line in f if line.strip() and line[0] != "#"]
    return {name: float(weight) for name, weight in rows}


def read_lessons(path):
    """[(features, 1 when it was kept, weight)] of the pages that were there."""
    pages, lessons = collections.Counter(), []
    with open(path, encoding="utf-8") as f:
        for line in f:
            host, outcome, *rest = line.split()
            weight = 1 / math.sqrt(1 + pages[host] / NEWS_PAGES)
            pages[host] += 1
            if outcome != "error":
                features = [(n, float(x)) for n, x in (r.split("=") for r in rest)]
                lessons.append((features, float(outcome == "kept"), weight))
    total = sum(w for _, _, w in lessons)
    return [(f, y, w / total) for f, y, w in lessons] if lessons else []


def loss(lessons, weights):
    total = 0
    for features, y, w in lessons:
        z = sum(weights[n] * x for n, x in features)
        total += w * (math.log1p(math.exp(-abs(z))) + max(z, 0) - y * z)
    return total / sum(w for _, _, w in lessons)


def fit(lessons, present, pull, epochs, per_file):
    """AdaGrad over shuffled lessons; `pull` is worth so many lessons a file."""
    weights = collections.defaultdict(float, present)
    squares = collections.defaultdict(lambda: 1e-6)
    scale = len(lessons) / sum(w for _, _, w in lessons)
    decay = pull / (per_file * max(len(lessons), 1))
    order = random.Random(1)
    for _ in range(epochs):
        order.shuffle(lessons)
        for features, y, w in lessons:
            z = sum(weights[n] * x for n, x in features)
            wrong = (1 / (1 + math.exp(-max(min(z, 30), -30))) - y) * w * scale
            for n, x in features:
                g = wrong * x + decay * (weights[n] - present.get(n, 0))
                squares[n] += g * g
                weights[n] -= RATE * g / math.sqrt(squares[n])
    return weights


def weighted(crawls, leaf):
    """The lessons of all crawls, those from leaf pages with so much weight, and
    how many crawls that is worth."""
    lessons, files = [], 0
    for name, more in crawls:
        share = leaf if "leaf" in name.split(".") else 1
        if more and share > 0:
            files += share
            lessons += [(f, y, w * share) for f, y, w in more]
    return lessons, files


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("lessons")
    p.add_argument("--present", default=os.path.join(ROOT, "data/steering.tsv"))
    p.add_argument("--leave-out", default="")
    p.add_argument("--fits", default="0:5,0.3:5,0.3:30")
    p.add_argument("--epochs", type=int, default=12)
    a = p.parse_args()
    present = read_prior(a.present)
    names = [n for n in sorted(os.listdir(a.lessons)) if n.endswith(".txt")]
    if a.leave_out and not any(a.leave_out in n.split(".") for n in names):
        sys.exit(f"no lessons are of {a.leave_out}: nothing would be left out")
    crawls = [(n, read_lessons(os.path.join(a.lessons, n))) for n in names
              if not a.leave_out or a.leave_out not in n.split(".")]
    weights = collections.defaultdict(float)
    fits = [[float(x) for x in f.split(":")] for f in a.fits.split(",")]
    for leaf, pull in fits:
        lessons, files = weighted(crawls, leaf)
        if not lessons:
            sys.exit("no lessons")
        fitted = fit(lessons, present, pull, a.epochs, files)
        print(f"leaf {leaf:g}, pull {pull:g}: {len(lessons)} lessons, log loss "
              f"{loss(lessons, fitted):.4f}", file=sys.stderr)
        for name, weight in fitted.items():
            weights[name] += weight / len(fits)
    print("# Weights scorer learned starts from, in logits; see SOURCES.md.")
    for name in sorted(weights):
        if abs(weights[name]) >= 0.005:
            print(f"{name}\t{weights[name]:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
