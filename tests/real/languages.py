#!/usr/bin/env python3
"""Are good documents kept in their language, and those of others not?

    python3 tests/real/languages.py DIR [LANGUAGE ...]

DIR has <language>/lingua_sentences.txt (and test.txt, from which no profile was
made), or _udhr/ with the Universal Declaration of Human Rights, which is read
where the former is missing.  Documents are lines as they stand, of 100 to 400
words, judged with the default limits:

  asked    share of the language's documents that are kept, asked for it
  found    share that are kept as this language when none is asked for
  taken    the other language whose documents are kept most often when this one
           is asked for, and their share
  salads   share of documents with their words in any order that are kept
  lists    share of lists of words that are kept

then of each the mean, in how many languages it is good (.95 and more, .05 and
less), and the worst.  DIR may be what `data/profiles.py --hold-out` has written.

--data FOLDER: clean.data, for other profiles than those of the repository.
--udhr: the declaration alone.  LIBWINNOW as in badness.py.
"""
import argparse
import collections
import json
import os
import random
import sys

import badness

SIZES = (100, 200, 300, 400)
GOOD = 0.95
LATIN = dict(zip("абвгдђежзијклљмнњопрстћуфхцчџш",
                 "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š"
                 .split()))
UDHR = {"ar": "arb", "no": "nob", "zh": "cmn_hans", "sr": "srp_cyrl",
        "sr-latn": "srp_latn", "bs": "bos_latn", "de": "deu_1996",
        "el": "ell_monotonic", "pt": "por_PT", "ro": "ron_2006",
        "az": "azj_latn", "uz": "uzn_latn", "ms": "mly_latn", "mn": "khk",
        "lv": "lvs", "et": "ekk", "fa": "pes_1", "sq": "als", "ne": "nep",
        "sw": "swh", "ky": "kir", "kk": "kaz", "tk": "tuk_latn",
        "fy": "fri", "tl": "tgl", "sn": "sna"}


def udhr(folder, language, codes):
    """The lines of the declaration in a language; none if it is not there."""
    code = UDHR.get(language) or codes.get(language)
    path = os.path.join(folder, "_udhr", "%s.txt" % code)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return [line.strip() for line in f if line.strip()]


def iso_codes(folder):
    """Two letters to the declaration's code, by its index."""
    path = os.path.join(folder, "_udhr", "index.json")
    found = {}
    if not os.path.exists(path):
        return found
    with open(path) as f:
        rows = json.load(f)
    for code, _, tag, _, _ in rows:
        found.setdefault(tag.split("-")[0], code)
    return found


def in_latin(lines):
    """Serbian in its other letters."""
    return ["".join(LATIN.get(c) or LATIN.get(c.lower(), c).capitalize()
                    for c in line) for line in lines]


def sources(args, language, codes):
    """Lists of lines."""
    if language == "sr-latn" and not args.udhr:
        return [in_latin(lines) for lines in sources(args, "sr", codes)]
    found = []
    for name in badness.FILES:
        path = os.path.join(args.texts, badness.FOLDER.get(language, language),
                            name)
        if os.path.exists(path) and not args.udhr and not (
                language in badness.MISNAMED and name.startswith("lingua_")):
            with open(path, encoding="utf-8") as f:
                lines = f.read().splitlines()
            if language == "lv" and name == "test.txt":
                lines = lines[len(lines) // 2:]
            found.append([line for line in lines if line])
    if args.udhr or not found:
        found.append(udhr(args.texts, language, codes))
    return [lines for lines in found if lines]


def documents(lists, most):
    """Documents of whole lines, at most so many, evenly out of all."""
    found = []
    for lines in lists:
        document, n = [], 0
        for line in lines:
            document.append(line)
            n += len(badness.WORD.findall(line))
            if n >= SIZES[len(found) % len(SIZES)]:
                found.append(document)
                document, n = [], 0
    step = max(1, len(found) / most)
    return [found[int(i * step)] for i in range(min(most, len(found)))]


def share(kept):
    return sum(kept) / len(kept) if kept else float("nan")


def junk(args, language, docs, r):
    """(salads, lists) out of a language's documents."""
    words = [[badness.WORD.findall(line) for line in d] for d in docs]
    salads = [badness.shuffled(d, r) for d in words if sum(map(len, d)) > 20]
    lists = badness.lists(args.texts, language, words, 200, 40, r) if words \
        else []
    return [[[" ".join(line) + "." for line in d] for d in kind]
            for kind in (salads, lists)]


def judge(args, cleaners, language, texts):
    """What is said of a language's documents, and those of others."""
    docs = texts.get(language, [])
    asked, free = cleaners
    kept = [asked.record(d)["reject"] == "" for d in docs]
    told = [t["language"] if t["reject"] == "" else "-"
            for t in map(free.record, docs)]
    taken = []
    for other, some in texts.items():
        if other not in badness.NEAR.get(language, ()):
            some = some[:args.others]
        if other != language and some:
            taken.append((share([asked.record(d)["reject"] == ""
                                 for d in some]), other))
    salads, lists = ([asked.record(d)["reject"] == "" for d in kind] for kind in
                     junk(args, language, docs, random.Random(language)))
    taken = sorted(taken, reverse=True)[:3]
    return {"docs": len(docs), "asked": share(kept),
            "found": share([t == language for t in told]),
            "others": collections.Counter(
                t for t in told if t != language).most_common(3),
            "takes": taken, "taken": taken[0][0] if taken else float("nan"),
            "salads": share(salads), "lists": share(lists)}


def summary(rows):
    for name in "asked", "found", "taken", "salads", "lists":
        good = name in ("asked", "found")
        all_of = sorted(((row[name], language) for language, row in rows.items()
                         if row[name] == row[name]), reverse=not good)
        print("%-7s mean %.3f  good %d of %d  worst %s" % (
            name, share([x for x, _ in all_of]),
            sum(x >= GOOD if good else x <= 1 - GOOD for x, _ in all_of),
            len(all_of), ", ".join("%s %.2f" % (y, x) for x, y in all_of[:8])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("texts")
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--documents", type=int, default=60,
                        help="of each language (60)")
    parser.add_argument("--data", default=os.path.join(badness.ROOT, "data"))
    parser.add_argument("--udhr", action="store_true")
    parser.add_argument("--others", type=int, default=12,
                        help="documents of each other language (12)")
    parser.add_argument("--dump", help="write what was found as JSON")
    args = parser.parse_args()
    library = badness.load(os.environ.get("LIBWINNOW", os.path.join(
        badness.ROOT, "build/release/clean/libwinnow.so")))
    codes = iso_codes(args.texts)
    profiles = sorted(f[:-5] for f in os.listdir(
        os.path.join(args.data, "profiles")) if f.endswith(".prof"))
    everyone = sorted(set(profiles) | {
        d for d in os.listdir(args.texts)
        if os.path.exists(os.path.join(args.texts, d, "lingua_sentences.txt"))
        and d not in badness.FOLDER.values()})
    texts = {x: documents(sources(args, x, codes), args.documents)
             for x in everyone}
    options = ["clean.data=" + args.data]
    free = badness.Cleaner(library, "", options)
    rows = {}
    print("language  docs  asked  found  else            takes          salads  "
          "lists")
    for language in args.languages or profiles:
        asked = badness.Cleaner(library, language, options)
        row = rows[language] = judge(args, (asked, free), language, texts)
        asked.close()
        print("%-8s %5d  %5.3f  %5.3f  %-15s %-14s  %5.3f  %5.3f" % (
            language, row["docs"], row["asked"], row["found"],
            " ".join("%s %d" % x for x in row["others"]),
            " ".join("%s %.2f" % (o, t) for t, o in row["takes"][:2] if t > 0),
            row["salads"], row["lists"]), flush=True)
    free.close()
    summary(rows)
    if args.dump:
        with open(args.dump, "w") as f:
            json.dump(rows, f, indent=1, sort_keys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
