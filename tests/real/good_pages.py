#!/usr/bin/env python3
"""How many well-extracted pages are rejected for badness or language.

    python3 tests/real/good_pages.py [--before LIB] [--web] [--newly 200]

Labelled pages (../shared/data/extraction, unpacked) count as well extracted when
Winnow's text has an LCS F1 of .9 with the truth (score.py's), or gets every
segment right where only segments are labelled; pages of readability and
newspaper4k, whose truth is an extractor's, are left out.  Each is judged with
the language its set gives as target.  Rejections for anything but badness or
language (too short, noindex ...) leave a page out of both counts.

--web adds pages of ../shared/data's web and web2, where few are labelled: hosts
of the language (manifest.tsv), at most --host-pages of each, on which Trafilatura
finds the same text (F1 of .9) of 500 characters at least, and py3langid the same
language in that.  Many of these are lists: of events, names, ancestors, URLs.  So
they are counted twice: all of them, and those of running text, by the rule below.

--newly N draws N of the web pages that LIB rejects for badness or language and
the present library keeps, and classifies each by a rule that knows nothing of
profiles: it is text if it has three sentences of six words or more, of which a
fifth are stop words of its language (stopwords-iso), and these sentences are a
quarter of its words; else it is junk.

LIBWINNOW names the library if it is not build/release/clean/libwinnow.so; --work
keeps the environment with the packages from PyPI.  Exit 77: no data.
"""
import argparse
import collections
import ctypes
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
DATA = os.path.expanduser("~/.cache/winnow-data")
SHARED = os.path.join(os.environ.get("WINNOW_SHARED",
                                     os.path.join(ROOT, "..", "shared")), "data")
LANGUAGES = "en de nl fr es it sv"
BIASED = ("readability", "newspaper4k")
PEER = r'''
import json, sys
import py3langid, trafilatura
for line in sys.stdin:
    with open(line.rstrip("\n"), "rb") as f:
        data = f.read()
    try:
        text = trafilatura.extract(data) or ""
    except Exception:
        text = ""
    language = py3langid.classify(text)[0] if len(text) >= 500 else ""
    print(json.dumps([text, language]), flush=True)
'''


class Cleaner:
    def __init__(self, path, language):
        self.lib = ctypes.CDLL(path)
        for name in "winnow_cleaner_close", "winnow_page_free":
            getattr(self.lib, name).argtypes = [ctypes.c_void_p]
        self.cleaner = ctypes.c_void_p()
        array = (ctypes.c_char_p * 2)(("clean.language=" + language).encode(),
                                      None)
        error = ctypes.create_string_buffer(512)
        if self.lib.winnow_cleaner_open(ctypes.byref(self.cleaner), array, error,
                                        512):
            sys.exit(error.value.decode())

    def record(self, data, form=b"jsonl"):
        page = ctypes.c_void_p()
        self.lib.winnow_clean(self.cleaner, data, ctypes.c_size_t(len(data)),
                              b"", None, None, ctypes.byref(page))
        out, size = ctypes.c_char_p(), ctypes.c_size_t()
        self.lib.winnow_page_record(page, form, ctypes.byref(out),
                                    ctypes.byref(size))
        record = json.loads(out.value.decode("utf-8", "replace"))
        self.lib.winnow_page_free(page)
        return record


class Library:
    """A cleaner for each language, made when it is first asked for."""

    def __init__(self, path):
        self.path, self.cleaners = os.path.abspath(path), {}

    def record(self, language, data):
        if language not in self.cleaners:
            self.cleaners[language] = Cleaner(self.path, language)
        return self.cleaners[language].record(data)


def reason(record):
    """Why badness or language rejects it; None: something else does."""
    why = record.get("reject", "")
    if why == "badness":
        parts = {p: record["badness_" + p] for p in ("order", "words", "foreign")}
        return max(parts, key=parts.get)
    return why if why in ("", "language") else None


def f1(score, a, b):
    ref, out = score.tokens(a), score.tokens(b)
    if not ref or not out:
        return 0.0
    return score.prf(score.lcs(ref, out), len(out), len(ref))[2]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def well_extracted(score, pages, row, text):
    name = os.path.join(row["set"], row["id"])
    truth = os.path.join(pages, "truth", name + ".txt")
    if os.path.exists(truth):
        return f1(score, read(truth), text) >= 0.9
    text, seen = score.norm(text), 0
    for line in read(os.path.join(pages, "segments", name + ".tsv")).split("\n"):
        if len(line) > 2 and line[1] == "\t":
            seen += 1
            if (score.norm(line[2:]) in text) != (line[0] == "+"):
                return False
    return seen > 0


class Counts:
    def __init__(self, tools):
        self.tools, self.n = tools, collections.Counter()
        self.rejected = collections.Counter()
        self.why = collections.Counter()

    def add(self, key, records):
        reasons = {x: reason(r) for x, r in records.items()}
        if reasons["now"] is None or None in reasons.values():
            return
        self.n[key] += 1
        for x, why in reasons.items():
            self.rejected[key, x] += why != ""
            if why:
                self.why[key, x, why] += 1

    def show(self, title):
        print("\n%s\n%-6s %-14s %6s  %s" % (
            title, "lang", "type", "pages", "  ".join(
                "%-34s" % ("rejected " + x) for x in self.tools)))
        for key in sorted(self.n):
            cells = []
            for x in self.tools:
                why = " ".join("%s:%d" % (w, self.why[key, x, w]) for w in
                               ("order", "words", "foreign", "language")
                               if self.why[key, x, w])
                k = self.rejected[key, x]
                cells.append("%4d %5.1f %%  %-22s" % (k, 100 * k / self.n[key],
                                                      why))
            print("%-6s %-14s %6d  %s" % (*key, self.n[key], "  ".join(cells)))


def labelled(a, score, tools):
    counts = Counts(tools)
    with open(os.path.join(a.pages, "manifest.tsv"), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    profiles = {f[:-5] for f in os.listdir(os.path.join(ROOT, "data/profiles"))}
    for row in (dict(zip(rows[0], r)) for r in rows[1:]):
        language = row["lang_estimated"]
        if row["set"] in BIASED or row["suspect"] == "1" or \
                language not in profiles:
            continue
        with open(os.path.join(a.pages, "pages", row["set"],
                               row["id"] + ".html"), "rb") as f:
            data = f.read()
        records = {x: t.record(language, data) for x, t in tools.items()}
        if well_extracted(score, a.pages, row, records["now"]["text"]):
            kind = row["id"].rsplit("-", 1)[-1] if row["set"] == "wcxb" \
                else "article"
            counts.add((language, kind), records)
    counts.show("labelled pages, well extracted")


def web_pages(languages, most):
    """(language, path), at most so many of a host, the same in every run."""
    found = []
    for web in ("web", "web2"):
        folder = os.path.join(DATA, web)
        if not os.path.exists(os.path.join(folder, "manifest.tsv")):
            continue
        for line in read(os.path.join(folder, "manifest.tsv")).split("\n"):
            cells = line.split("\t")
            if len(cells) < 8 or cells[7] not in languages:
                continue
            files = sorted(os.path.join(d, f) for d, _, fs in os.walk(
                os.path.join(folder, "sites", cells[0])) for f in fs)
            random.Random(cells[0]).shuffle(files)
            found += [(cells[7], f) for f in files[:most]]
    return found


def peer(a):
    work = a.work or tempfile.mkdtemp(prefix="winnow-good-")
    python = os.path.join(work, "venv", "bin", "python3")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv",
                        os.path.join(work, "venv")], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "trafilatura",
                        "lxml_html_clean", "py3langid"], check=True)
    return subprocess.Popen([python, "-c", PEER], text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)


def stop_words():
    words = json.loads(read(os.path.join(DATA, "text/_stopwords",
                                         "stopwords-iso.json")))
    return {k: set(v) for k, v in words.items()}


def on_the_web(a, score, tools):
    counts, other, stop = Counts(tools), peer(a), stop_words()
    for language, path in web_pages(a.languages.split(), a.host_pages):
        with open(path, "rb") as f:
            data = f.read()
        records = {x: t.record(language, data) for x, t in tools.items()}
        if reason(records["now"]) is None:
            continue
        other.stdin.write(path + "\n")
        other.stdin.flush()
        text, found = json.loads(other.stdout.readline())
        if found == language and f1(score, text, records["now"]["text"]) >= 0.9:
            counts.add((language, "all"), records)
            if is_text(text, stop[language]):
                counts.add((language, "running text"), records)
                if a.list and reason(records["now"]):
                    print("  rejected %s %s %s" % (
                        language, path.split("/sites/")[-1],
                        records["now"]["reject_detail"]))
    other.stdin.close()
    other.wait()
    counts.show("pages of web and web2, extracted alike by Trafilatura")


def is_text(text, stop):
    words = sum(len(line.split()) for line in text.split("\n"))
    sentences = good = 0
    for sentence in re.findall(r"[^.!?\n]+[.!?]", text):
        tokens = re.findall(r"[^\W\d_]+", sentence.lower())
        if len(tokens) >= 6 and \
                sum(t in stop for t in tokens) >= len(tokens) / 5:
            sentences += 1
            good += len(sentence.split())
    return sentences >= 3 and good >= words / 4


def newly_kept(a, tools):
    stop = stop_words()
    new, now, before = [], collections.Counter(), collections.Counter()
    for language, path in web_pages(a.languages.split(), 1 << 30):
        with open(path, "rb") as f:
            data = f.read()
        records = {x: t.record(language, data) for x, t in tools.items()}
        kept = {x: r.get("reject", "") == "" for x, r in records.items()}
        now[language] += kept["now"]
        before[language] += kept["before"]
        if kept["now"] and reason(records["before"]):
            new.append((language, path, records["now"]["text"]))
    print("\nopen web: kept before and now: " + ", ".join(
        "%s %d %d" % (x, before[x], now[x]) for x in sorted(now)))
    sample = random.Random(1).sample(new, min(a.newly, len(new)))
    junk = [x for x in sample if not is_text(x[2], stop[x[0]])]
    by = collections.Counter(x[0] for x in junk)
    print("%d newly kept; of %d of them %d are junk by the rule: %s" % (
        len(new), len(sample), len(junk),
        " ".join("%s:%d" % x for x in sorted(by.items()))))
    for language, path, _ in junk if a.list else []:
        print("  junk %s %s" % (language, path.split("/sites/")[-1]))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--pages", default=os.environ.get(
        "WINNOW_EXTRACTION", os.path.join(DATA, "extraction")))
    p.add_argument("--before", help="an older libwinnow.so")
    p.add_argument("--languages", default=LANGUAGES, help="of --web, --newly")
    p.add_argument("--web", action="store_true")
    p.add_argument("--host-pages", type=int, default=8)
    p.add_argument("--newly", type=int, default=0)
    p.add_argument("--list", action="store_true", help="name what is junk, what of running text is rejected")
    p.add_argument("--work")
    a = p.parse_args()
    if not os.path.exists(os.path.join(a.pages, "manifest.tsv")):
        print("good_pages: no labelled pages in %s; skipped" % a.pages)
        return 77
    sys.path.insert(0, os.path.join(SHARED, "extraction"))
    import score
    tools = {"now": Library(os.environ.get("LIBWINNOW", os.path.join(
        ROOT, "build/release/clean/libwinnow.so")))}
    if a.before:
        tools = {"before": Library(a.before), **tools}
    labelled(a, score, tools)
    if a.web:
        on_the_web(a, score, tools)
    if a.newly and a.before:
        newly_kept(a, tools)
    return 0


if __name__ == "__main__":
    sys.exit(main())
