#!/usr/bin/env python3
"""Language identification of Winnow beside lingua, langid, py3langid, CLD2 and simplemma, in one run.

  python3 tests/real/language_id.py build/release/tests/bench_words TEXT [--half dev|test] [--per N] [--peers NAME ...] [--alone] [--errors LANG]

TEXT holds the language folders of the packed `text`; the texts are cut from lingua_sentences.txt, which nothing in
data/languages.model was made of (Galician: from its test.txt): even lines are `dev` (thresholds were chosen on them), odd ones
`test`.  Printed are F1 per language at 5, 10, 20 and 50 words, its mean over all languages and over those that every identifier
knows, bytes a CPU second, the pairs that are mixed up most, false positives where one text in a hundred is of the language, and
what becomes of texts in no language.
"""
import argparse
import base64
import collections
import glob
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAIRS = [("hr", "bs", "sr"), ("id", "ms"), ("nb", "nn", "da", "sv"), ("gl", "pt", "es", "ca"), ("cs", "sk"), ("xh", "zu"), ("st", "tn"),
         ("be", "ru", "uk", "bg", "mk", "sr"), ("ar", "fa", "ur"), ("hi", "mr")]
LENGTHS = [5, 10, 20, 50]


def texts(folder, half):
    out = {}
    for lang in sorted(os.listdir(folder)):
        path = os.path.join(folder, lang, "test.txt" if lang == "gl" else "lingua_sentences.txt")
        if os.path.exists(path):
            lines = [l.strip() for l in open(path, encoding="utf-8") if l.strip()]
            out[lang] = lines[0 if half == "dev" else 1::2]
    return out


def cut(lang, lines, n, per):
    """Texts of n words, of lines that follow one another."""
    out, words = [], []
    for line in lines:
        if lang in ("zh", "ja", "th"):
            step = n * (5 if lang == "th" else 2)
            out += [line[:step]] if len(line) >= step or n == 50 else []
        else:
            words = (words if n > 20 else []) + line.split()
            if len(words) >= n:
                out.append(" ".join(words[:n]))
                words = []
        if len(out) == per:
            break
    return out


def winnow(program):
    def run(items):
        out = subprocess.run([program, "language", "xx"], input="\n".join(items) + "\n", text=True, capture_output=True, check=True).stdout
        return [l.split("\t")[0] for l in out.split("\n")[:-1]]
    return run


def norm(code):
    code = (code or "und").lower().split("-")[0].split("_")[0]
    return {"no": "nb", "iw": "he", "in": "id", "un": "und", "unk": "und", "jw": "jv", "fil": "tl", "sh": "sr", "hbs": "sr"}.get(code, code)


def each(f):
    return lambda items: [norm(f(t)) for t in items]


def make_lingua():
    from lingua import LanguageDetectorBuilder
    d = LanguageDetectorBuilder.from_all_languages().build()
    return lambda items: [norm(r.iso_code_639_1.name if r else None) for r in d.detect_languages_in_parallel_of(items)]


def make_langid():
    import langid
    return each(lambda t: langid.classify(t)[0])


def make_py3langid():
    import py3langid
    return each(lambda t: py3langid.classify(t)[0])


def make_cld2():
    import pycld2

    def guess(t):
        try:
            return pycld2.detect(t)[2][0][1]
        except pycld2.error:
            return "und"
    return each(guess)


def make_simplemma():
    from simplemma import LanguageDetector
    from simplemma.strategies import DefaultStrategy
    from simplemma.strategies.dictionaries import DefaultDictionaryFactory
    known = ("bg", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "ga", "hi", "hu", "hy", "id", "is", "it",
             "ka", "la", "lt", "lv", "mk", "ms", "nb", "nl", "nn", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sv", "sw", "tl", "tr", "uk")
    # Of its dictionaries it keeps eight: with more languages each text would unpack all of them again.
    s = LanguageDetector(known, lemmatization_strategy=DefaultStrategy(dictionary_factory=DefaultDictionaryFactory(len(known))))
    s.main_language("all dictionaries are read")
    return each(lambda t: s.main_language(t))


MAKERS = {"lingua": make_lingua, "langid": make_langid, "py3langid": make_py3langid, "CLD2": make_cld2, "simplemma": make_simplemma}


def peers(names):
    out = {}
    for name in names:
        try:
            out[name] = MAKERS[name]()
        except Exception as e:  # not installed, mostly
            print(name + ":", e)
    return out


def cpu():
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system


def f1s(gold, found, langs):
    right, got, there = collections.Counter(), collections.Counter(), collections.Counter()
    for g, f in zip(gold, found):
        there[g] += 1
        got[f] += 1
        right[g] += g == f
    return {l: 2 * right[l] / max(1, got[l] + there[l]) for l in langs}


FIRST = "Anna Peter Maria José Jan Pierre Giulia Lars Olga Ivan Mary John Fatima Ahmed Li Wei Yuki Kofi Ngozi Raj Priya Sven Ingrid Zoltan".split()
LAST = "Müller Smith Vries Rossi García Andersson Kowalski Novák Dubois Ivanov Nguyen Tanaka Okafor Patel Silva Horváth Kim Jansen Bianchi".split()


def code_lines(r, n):
    """Lines of this project's sources, without comments and texts."""
    lines = []
    for path in sorted(glob.glob(os.path.join(ROOT, "corpus", "*", "*.c"))):
        with open(path, encoding="utf-8") as f:
            lines += [l.strip() for l in f if len(l) > 30 and '"' not in l and not l.strip().startswith(("/*", "*"))]
    return r.sample(lines, n)


def noise():
    """{kind: texts in no language}"""
    r, n = random.Random(1), 200
    def some(of, low, high, times=8):
        return " ".join("".join(r.choice(of) for _ in range(r.randint(low, high))) for _ in range(times))
    return {
        "keys": [some("bcdfghjklmnpqrstvwxz0123456789", 3, 9) for _ in range(n)],
        "made code": ["; ".join("%s[%d] = %s(%s, %d)" % (r.choice("abcxyz"), r.randint(0, 9), r.choice(["fn", "memcpy", "buf_add", "x1", "idx"]),
                                                         r.choice("pqrs"), r.randint(0, 99)) for _ in range(4)) for _ in range(n)],
        "figures": [" ".join("%d.%02d %s" % (r.randint(1, 999), r.randint(0, 99), r.choice(["kg", "EUR", "%", "mm", "A4", "XL"]))
                             for _ in range(8)) for _ in range(n)],
        "part numbers": [" | ".join("%s-%d%s" % ("".join(r.choice("ABCDEFGHKLMNPRST") for _ in range(3)), r.randint(10, 9999), r.choice("ABCDX"))
                                    for _ in range(6)) for _ in range(n)],
        "letters": [some("abcdefghijklmnopqrstuvwxyz", 3, 9) for _ in range(n)],
        "abbreviations": [some("ABCDEFGHIKLMNOPRSTUVW", 2, 4) for _ in range(n)],
        "base64": [base64.b64encode(r.randbytes(60)).decode() for _ in range(n)],
        "digests": [" ".join(r.randbytes(r.choice([4, 8, 16])).hex() for _ in range(5)) for _ in range(n)],
        "names": [", ".join(r.choice(FIRST) + " " + r.choice(LAST) for _ in range(5)) for _ in range(n)],
        "C code": code_lines(r, n),
    }


def main():
    a = argparse.ArgumentParser()
    a.add_argument("program"), a.add_argument("text")
    a.add_argument("--half", default="test"), a.add_argument("--per", type=int, default=100)
    a.add_argument("--peers", nargs="*", default=list(MAKERS)), a.add_argument("--alone", action="store_true"), a.add_argument("--errors")
    o = a.parse_args()
    lines = texts(o.text, o.half)
    langs = sorted(lines)
    ids = {"Winnow": winnow(o.program)}
    if not o.alone:
        ids.update(peers(o.peers))
    results = collections.defaultdict(dict)
    seconds, size = collections.Counter(), 0
    for n in LENGTHS:
        items = [(l, t) for l in langs for t in cut(l, lines[l], n, o.per)]
        gold = [l for l, _ in items]
        size += sum(len(t.encode()) for _, t in items)
        for name, run in ids.items():
            start = cpu()
            found = run([t for _, t in items])
            seconds[name] += cpu() - start
            results[name][n] = f1s(gold, found, langs), gold, found, items
            print("%s, %d words: %.1f s of CPU so far" % (name, n, seconds[name]), file=sys.stderr, flush=True)
    common = [l for l in langs if all(results[n][50][0][l] > 0 for n in ids)]
    print("%d languages, %d that all know; mean F1 at %s words" % (len(langs), len(common), LENGTHS))
    for name in ids:
        r = results[name]
        print("%-10s all  " % name + " ".join("%.3f" % (sum(r[n][0].values()) / len(langs)) for n in LENGTHS) + "   common " +
              " ".join("%.3f" % (sum(r[n][0][l] for l in common) / max(1, len(common))) for n in LENGTHS) +
              "   %.3f MB a CPU second" % (size / 1e6 / seconds[name]))
    w = results["Winnow"]
    print("\nF1 per language at 5, 10, 20, 50 words (Winnow; best other at 10)")
    for l in langs:
        best = max(((results[n][10][0][l], n) for n in ids if n != "Winnow"), default=(0, "-"))
        print("  %-3s" % l, " ".join("%.3f" % w[n][0][l] for n in LENGTHS), "  %.3f %s" % best)
    print("\nnear languages, 20 words: taken for another one of the group")
    for group in PAIRS:
        row = []
        for name in ids:
            _, gold, found, _ = results[name][20]
            n = sum(g in group for g in gold)
            wrong = sum(g in group and f in group and f != g for g, f in zip(gold, found))
            row.append("%s %.1f %%" % (name, 100 * wrong / max(1, n)))
        print("  %-12s" % "/".join(group), "  ".join(row))
    print("\nif one text in 100 is of the language (20 words): mean over languages of the share of true ones among those found")
    for name in ids:
        _, gold, found, _ = results[name][20]
        values = []
        for l in common:
            t = sum(g == l for g in gold)
            tp = sum(g == l and f == l for g, f in zip(gold, found)) / t
            fp = sum(g != l and f == l for g, f in zip(gold, found)) / (len(gold) - t)
            values.append(0.01 * tp / (0.01 * tp + 0.99 * fp) if tp else 0)
        print("  %-10s %.3f" % (name, sum(values) / len(values)))
    junk = noise()
    print("\nof 200 texts each in no language: called a language")
    print("  %-10s  all   " % "" + "  ".join(junk))
    for name, run in ids.items():
        shares = [sum(f != "und" for f in run(texts)) / len(texts) for texts in junk.values()]
        print("  %-10s %.3f  " % (name, sum(shares) / len(shares)) + "  ".join("%.3f" % v for v in shares))
    und = sum(f == "und" for f in w[20][2]) / len(w[20][2])
    print("\nWinnow abstains from %.3f of the texts of 20 words, %.3f of 5" % (und, sum(f == "und" for f in w[5][2]) / len(w[5][2])))
    if o.errors:
        for n in (20,):
            for g, f, (_, t) in zip(w[n][1], w[n][2], w[n][3]):
                if g != f and o.errors in (g, f):
                    print(g, f, t)


if __name__ == "__main__":
    main()
