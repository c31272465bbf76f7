#!/usr/bin/env python3
"""How well badness tells running text from other things, language by language.

    python3 tests/real/badness.py DIR [LANGUAGE ...]

DIR has <language>/test.txt and lingua_sentences.txt (a sentence a line), lists
lingua_single-words.txt, lingua_word-pairs.txt and freqwords_*.txt.  No profile
was made of these files (data/profiles.py reads train.txt).  For each language
with a profile, documents of 50, 100, 200 and 500 words are judged with it as
target, by the same calls as any user of the library has: running text against

  shuffled    its words in any order
  sentences   the words of each sentence in any order
  draws       words drawn by their frequency
  lists       single words, pairs, names, rare words of the frequency list
  near        running text of each close neighbour: the worst of them
  far         running text of all other languages

and prints the area under the ROC curve, and the share of the running text that
the default threshold rejects.  --parts published: the published formula alone.

What is tuned is tuned on other text: --files train.txt bg el et gl hu tr uk
reads treebanks whose licence keeps them out of the profiles.
LIBWINNOW names the library if it is not build/release/clean/libwinnow.so.
"""
import argparse
import ctypes
import functools
import html
import json
import os
import random
import re
import sys
import unicodedata

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ALONE = r"\u0e01-\u0eae\u1000-\u102a\u1780-\u17b3\u3040-\u30ff\u3400-\u9fff"
MARKS = "".join(chr(c) for c in range(0x300, 0x10000)
                if unicodedata.category(chr(c))[0] == "M") + r"\u200c\u200d"
WORD = re.compile("[%s][%s]*|[^\\W\\d_%s][^\\W\\d_%s%s]*(?:[%s]+[^\\W\\d_%s]*)*"
                  % (ALONE, MARKS, ALONE, ALONE, MARKS, MARKS, ALONE))
NEAR = ("af nl|nl af de fy|de nl lb|da no nn sv|no da nn sv|nn no da sv|"
        "sv da no|is no da fo|fo is no|cs sk pl|sk cs pl|pl cs sk|"
        "sl hr sk|hr sl sr-latn bs|bs hr sr-latn sl|sr-latn hr bs sl|"
        "es pt gl ca|pt es gl|gl pt es ca|ca es fr gl it|it es ro ca|ro it fr|"
        "fr ca it|ru uk bg be|uk ru be|be ru uk|bg mk ru sr|mk bg sr|sr mk bg|"
        "id ms|ms id tl|tl ms id|et fi|fi et|lt lv|lv lt|fa ar ur ps|ur fa ps|"
        "ps fa ur|tr az|az tr tk|tk tr az uz|uz tk tr|kk ky tt|ky kk tt|"
        "tt kk ky|mn ru kk|tg ru mn|hi mr ne|mr hi ne|ne hi mr|lb de|fy nl|"
        "ga gd|gd ga|br cy|cy br|so om|om so|rw lg|lg rw|tn st|"
        "sn ny|ny sn|sm mi|eu es|mt it|eo es it|th lo|lo th")
NEAR = {row.split()[0]: row.split()[1:] for row in NEAR.split("|")}
MISNAMED = ("ms",)  # most of lingua's Malay is Indonesian
FOLDER = {"no": "nb"}  # where the texts of a profile are called otherwise


class Cleaner:
    """libwinnow with one target language; keeps every block."""

    def __init__(self, library, language, options):
        self.library = library
        self.cleaner = ctypes.c_void_p()
        error = ctypes.create_string_buffer(512)
        options = ["clean.language=" + language, "clean.boilerplate_max=1",
                   "clean.chars_min=0"] + options
        array = (ctypes.c_char_p * (len(options) + 1))(
            *[o.encode() for o in options], None)
        if library.winnow_cleaner_open(ctypes.byref(self.cleaner), array, error,
                                       512):
            raise ValueError(error.value.decode())

    def judge(self, document):
        """(badness, is it rejected) of a list of lines of words."""
        about = self.record([SHOWN(line) for line in document])
        return about["badness"], about["reject"] != ""

    def record(self, lines):
        """What is said of a page with these paragraphs."""
        page = ctypes.c_void_p()
        data = "<!DOCTYPE html><meta charset=utf-8><body>" + "".join(
            "<p>%s</p>" % html.escape(line) for line in lines)
        data = data.encode()
        self.library.winnow_clean(self.cleaner, data,
                                  ctypes.c_size_t(len(data)), b"", None, None,
                                  ctypes.byref(page))
        record, size = ctypes.c_char_p(), ctypes.c_size_t()
        self.library.winnow_page_record(page, b"jsonl", ctypes.byref(record),
                                        ctypes.byref(size))
        about = json.loads(record.value)
        self.library.winnow_page_free(page)
        return about

    def close(self):
        self.library.winnow_cleaner_close(self.cleaner)


def load(path):
    library = ctypes.CDLL(path)
    for name in "winnow_cleaner_close", "winnow_page_free":
        getattr(library, name).argtypes = [ctypes.c_void_p]
    return library


FILES = ["test.txt", "lingua_sentences.txt"]  # --files
SHOWN = " ".join  # how a line of words stands in its paragraph


def as_sentence(line):
    """With a capital and a full stop, whatever words they are."""
    text = " ".join(line)
    return text[:1].upper() + text[1:] + "."


def lines_of(folder, language, names=None):
    """Lines of words.  lv: the half of test.txt that no profile was made of."""
    return read_lines(folder, language, tuple(names or FILES))


@functools.lru_cache(maxsize=None)
def read_lines(folder, language, names):
    found = []
    names = [n for n in names if language not in MISNAMED or
             not n.startswith("lingua_")]
    for name in names:
        path = os.path.join(folder, FOLDER.get(language, language), name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                lines = [WORD.findall(line) for line in f]
            if language == "lv" and name == "test.txt":
                lines = lines[len(lines) // 2:]
            found.append([line for line in lines if line])
    return found


def documents(sources, n, most):
    """Documents of n words out of consecutive lines, at most `most`."""
    found = []
    for lines in sources:
        document, left = [], n
        for line in lines:
            document.append(line[:left])
            left -= len(document[-1])
            if left == 0:
                found.append(document)
                document, left = [], n
    step = max(1, len(found) / most)
    return [found[int(i * step)] for i in range(min(most, len(found)))]


def shuffled(document, r):
    flat = [w for line in document for w in line]
    r.shuffle(flat)
    return lines_like(document, flat)


def shuffled_sentences(document, r):
    return [r.sample(line, len(line)) for line in document]


def lines_like(document, flat):
    at, lines = 0, []
    for line in document:
        lines.append(flat[at:at + len(line)])
        at += len(line)
    return lines


def frequencies(folder, language):
    path = os.path.join(folder, FOLDER.get(language, language),
                        "freqwords_opensubtitles2018_20k.txt")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        pairs = [line.split() for line in f]
    return [(p[0], int(p[1])) for p in pairs if len(p) == 2]


def lists(folder, language, sources, n, count, r):
    """Lists of several kinds, ten words a line."""
    entries = []
    for name in ("lingua_single-words.txt", "lingua_word-pairs.txt"):
        entries += [e for e in lines_of(folder, language, (name,)) if e]
    names = [[w] for lines in sources for line in lines
             for w in line[1:] if w[:1].isupper()]
    if len(names) > 200:
        entries.append(names)
    rare = [WORD.findall(w) for w, _ in frequencies(folder, language)[500:]]
    if rare:
        entries.append([w for w in rare if w])
    found = []
    for kind in entries:
        for _ in range(count // len(entries) + 1):
            document, left = [], n
            while left > 0:
                document.append(r.choice(kind)[:left])
                left -= len(document[-1])
            flat = [w for entry in document for w in entry]
            found.append([flat[i:i + 10] for i in range(0, n, 10)])
    return found[:count]


def draws(folder, language, n, count, r):
    pairs = frequencies(folder, language)
    if not pairs:
        return []
    words = r.choices([w for w, _ in pairs], [k for _, k in pairs], k=n * count)
    return [[words[i:i + 10] for i in range(k * n, (k + 1) * n, 10)]
            for k in range(count)]


def area(good, bad):
    """That a bad one is above a good one; half for equal ones."""
    if not good or not bad:
        return None
    marked = sorted([(x, 0) for x in good] + [(x, 1) for x in bad])
    total, below, i = 0.0, 0, 0
    while i < len(marked):
        k = i
        while k < len(marked) and marked[k][0] == marked[i][0]:
            k += 1
        equal = sum(1 for m in marked[i:k] if m[1] == 0)
        total += (k - i - equal) * (below + equal / 2)
        below += equal
        i = k
    return total / (len(good) * len(bad))


def shown(x):
    return "     -" if x is None else "%6.4f" % x


def compare(args, cleaner, language, everyone, n):
    """One row: the areas, and the share of good text that is rejected."""
    r = random.Random("%s %d" % (language, n))
    sources = lines_of(args.texts, language)
    good = documents(sources, n, args.documents)
    near = NEAR.get(language, [])

    def judge(ds):
        return [cleaner.judge(d)[0] for d in ds]

    running = [cleaner.judge(d) for d in good]
    best = [b for b, _ in running]
    far = []
    for other in everyone:
        if other != language and other not in near:
            far += documents(lines_of(args.texts, other), n, 4)
    nearest = [area(best, judge(documents(lines_of(args.texts, other), n,
                                          args.documents)))
               for other in near]
    nearest = [x for x in nearest if x is not None]
    row = [area(best, judge([shuffled(d, r) for d in good])),
           area(best, judge([shuffled_sentences(d, r) for d in good])),
           area(best, judge(draws(args.texts, language, n, len(good), r))),
           area(best, judge(lists(args.texts, language, sources, n, len(good),
                                  r))),
           min(nearest) if nearest else None, area(best, judge(far))]
    rejected = sum(1 for _, no in running if no) / max(1, len(running))
    return len(good), row, rejected


def main():
    global SHOWN
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("texts")
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--sizes", default="50,100,200,500")
    parser.add_argument("--documents", type=int, default=100,
                        help="of each kind, language and size (100)")
    parser.add_argument("--files", default=",".join(FILES),
                        help="running text: files of DIR/<language>")
    parser.add_argument("--stops", action="store_true",
                        help="every line, also of lists, looks like a sentence")
    parser.add_argument("--parts", default="words order foreign",
                        help="clean.badness")
    args = parser.parse_args()
    FILES[:] = args.files.split(",")
    SHOWN = as_sentence if args.stops else SHOWN
    library = load(os.environ.get("LIBWINNOW", os.path.join(
        ROOT, "build/release/clean/libwinnow.so")))
    profiles = sorted(f[:-5] for f in os.listdir(
        os.path.join(ROOT, "data/profiles")) if f.endswith(".prof"))
    everyone = sorted(d for d in os.listdir(args.texts)
                      if os.path.exists(os.path.join(
                          args.texts, d, "lingua_sentences.txt"))
                      and d not in FOLDER.values())
    everyone = sorted(set(everyone) | set(FOLDER))
    sums = {}
    for n in map(int, args.sizes.split(",")):
        print("\n%d words" % n)
        print("language   docs shuffled sentences   draws   lists    near     "
              "far  rejected")
        for language in args.languages or profiles:
            if not lines_of(args.texts, language):
                continue
            cleaner = Cleaner(library, language,
                              ["clean.badness=" + args.parts])
            docs, row, rejected = compare(args, cleaner, language, everyone, n)
            cleaner.close()
            print("%-8s %6d   %s    %s  %s  %s  %s  %s   %6.3f" % (
                (language, docs) + tuple(map(shown, row)) + (rejected,)),
                flush=True)
            sums.setdefault(n, []).append(row + [rejected])
        short = [sum(1 for row in sums[n] if row[k] is not None
                     and row[k] < 0.99) for k in range(6)]
        print("below .99: shuffled %d sentences %d draws %d lists %d near %d "
              "far %d of %d; rejected %.3f in the mean" % (
                  *short, len(sums[n]),
                  sum(row[6] for row in sums[n]) / len(sums[n])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
