#!/usr/bin/env python3
"""Of which elements blocks are kept rightly, and how well comments are told.

    tests/real/block_kinds.py OUT [BEFORE]

OUT: what `winnow train --pages DIR --export OUT` wrote, so that each page is
judged by models that saw no page of its domain; BEFORE: the same of another
build.  A block of WCXB, fundus, scrapinghub and cleaneval counts as text when it
stands in a line of the truth (of less than four words: when it is one); it is
kept when it is a line of OUT.  By innermost block element; bylines (at most 12
words, the first one of "by", "von" ...) and dates (at most 6 words with a year)
count once more.

Comments: blocks that the chain marks so (`comment`) against the leaves of
l3s-gn1 that people labelled as comments, by words.

LIBWINNOW names the library if it is not build/release/clean/libwinnow.so.
Exit 77: no data.
"""
import collections
import os
import re
import sys

from good_pages import DATA, ROOT, Cleaner, read

SETS = ("wcxb", "fundus", "scrapinghub", "cleaneval")
KINDS = {"h1": "h1", "h2": "h2-h6", "h3": "h2-h6", "h4": "h2-h6",
         "h5": "h2-h6", "h6": "h2-h6", "p": "p", "li": "li", "dt": "dt, dd",
         "dd": "dt, dd", "td": "td, th", "th": "td, th", "pre": "pre",
         "figcaption": "figcaption", "blockquote": "blockquote"}
BYLINE = {"by", "von", "door", "par", "por", "di", "av", "author", "autor"}
YEAR = re.compile(r"\b(19|20)\d\d\b")


def plain(text):
    return " ".join(re.findall(r"\w+", text.casefold()))


class Pages(Cleaner):
    def blocks(self, path):
        with open(path, "rb") as f:
            return self.record(f.read(), b"page")["blocks"]


def kinds_of(block, text):
    words = text.split()
    kinds = [KINDS.get(block["container"], "other")]
    if len(words) <= 12 and words[0] in BYLINE:
        kinds.append("byline")
    if len(words) <= 6 and YEAR.search(text):
        kinds.append("date")
    if block["comment"]:
        kinds.append("comment")
    return kinds + ["all"]


def lines(path):
    return {plain(x) for x in read(path).split("\n")}


def count(pages, names, outs, tally):
    for name in names:
        truth = os.path.join(DATA, "extraction/truth", name + ".txt")
        if not os.path.exists(truth):
            continue
        whole = lines(truth)
        within = "\n".join(" %s " % x for x in whole)
        kept = [lines(os.path.join(o, name + ".txt"))
                if os.path.exists(os.path.join(o, name + ".txt")) else set()
                for o in outs]
        for b in pages.blocks(os.path.join(DATA, "extraction/pages",
                                           name + ".html")):
            text = plain(b["text"])
            if not text:
                continue
            right = text in whole or (text.count(" ") >= 3 and
                                      " %s " % text in within)
            for kind in kinds_of(b, text):
                tally[kind]["text"] += right
                tally[kind]["blocks"] += 1
                for i, k in enumerate(kept):
                    tally[kind]["kept", i] += text in k
                    tally[kind]["hit", i] += right and text in k


def comments(pages, names):
    hit = marked = found = there = 0
    for name in names:
        leaves = [x.split("\t") for x in read(os.path.join(
            DATA, "extraction/leaves", name + ".tsv")).split("\n")]
        truth = [plain(x[2]) for x in leaves if len(x) > 2 and x[0] == "5"]
        joined = " %s " % " ".join(truth)
        ours = [plain(b["text"]) for b in pages.blocks(os.path.join(
            DATA, "extraction/pages", name + ".html")) if b["comment"]]
        there_is = " %s " % " ".join(ours)
        marked += sum(len(x.split()) for x in ours)
        hit += sum(len(x.split()) for x in ours if " %s " % x in joined)
        there += sum(len(x.split()) for x in truth)
        found += sum(len(x.split()) for x in truth
                     if x and " %s " % x in there_is)
    print("comments (l3s-gn1, %d pages, %d words of comments): precision %.3f "
          "recall %.3f" % (len(names), there, hit / max(1, marked),
                           found / max(1, there)))


def share(a, b):
    return "%.3f" % (a / b) if b else "   - "


def main():
    manifest = os.path.join(DATA, "extraction/manifest.tsv")
    if len(sys.argv) < 2 or not os.path.exists(manifest):
        print("block_kinds: no labelled pages or no OUT; skipped")
        return 77
    rows = [x.split("\t") for x in read(manifest).split("\n")[1:] if x]
    pages = Pages(os.path.abspath(os.environ.get("LIBWINNOW", os.path.join(
        ROOT, "build/release/clean/libwinnow.so"))), "en")
    tally, outs = collections.defaultdict(collections.Counter), sys.argv[1:3]
    count(pages, [os.path.join(r[0], r[1]) for r in rows
                  if r[0] in SETS and r[12] != "1"], outs, tally)
    print("%-12s %7s %6s  %s" % ("kind", "blocks", "text", "   ".join(
        "P     R    " for _ in outs)))
    for kind, t in sorted(tally.items(), key=lambda x: -x[1]["blocks"]):
        print("%-12s %7d %6d  %s" % (kind, t["blocks"], t["text"], "   ".join(
            share(t["hit", i], t["kept", i]) + " " +
            share(t["hit", i], t["text"]) for i in range(len(outs)))))
    comments(pages, [os.path.join(r[0], r[1]) for r in rows
                     if r[0] == "l3s-gn1"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
