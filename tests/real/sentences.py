#!/usr/bin/env python3
"""Sentence boundaries of Winnow beside pySBD, sentencex, spaCy's sentencizer and nltk's Punkt, in one run.

  python3 tests/real/sentences.py build/release/tests/bench_words SHARED_DATA TEXT [--dev] [--cases] [--errors] [LANG ...]

SHARED_DATA holds suites/segmentation, TEXT the language folders of the packed `text` (unpack.sh).  Gold are the test sets
of Universal Dependencies (es: its sentences joined by blanks) and the cases of the Pragmatic Segmenter that are one
paragraph, in two halves by a hash of their text: rules were made by looking at the first half, and in the end, when
they had been judged by it, at the second.  "quotes" is Winnow with its option to keep long quotes of several sentences
whole, as these cases want it and treebanks do not.  Of cases both F1 and the share that is all right are printed.  A boundary is a place inside
a paragraph behind which a sentence ends; the paragraph's own end does not count.
A peer that is not installed, or does not know the language, is "-".  Punkt is trained on the language's train.txt,
lingua_sentences.txt and dev.txt.  --dev: for tuning, sentences of dev.txt instead of the test sets, and no cases but the
first half; --errors shows only what is wrong in these.
"""
import argparse
import hashlib
import json
import os
import subprocess


def ends(sentences):
    """Places behind sentences, in characters that are no white space; the last one is left out."""
    at, out = 0, set()
    for s in sentences:
        at += len("".join(s.split()))
        out.add(at)
    out.discard(at)
    return out


def conllu(path):
    """Paragraphs of (text, sentences)."""
    paragraphs, one, text = [], [], None
    def close():
        nonlocal one
        if one:
            paragraphs.append(one)
        one = []
    for line in open(path, encoding="utf-8"):
        if line.startswith(("# newdoc", "# newpar")):
            close()
        elif line.startswith("# text ="):
            text, no_space, until = line.split("=", 1)[1].strip(), False, 0
        elif line.strip() == "" and text is not None:
            one.append((text, "" if no_space else " "))
            text = None
        elif line[0].isdigit():
            f = line.rstrip("\n").split("\t")
            if "-" in f[0]:
                until, no_space = int(f[0].split("-")[1]), "SpaceAfter=No" in f[9]
            elif "." not in f[0] and int(f[0]) > until:
                no_space = "SpaceAfter=No" in f[9]
    close()
    out = []
    for p in paragraphs:
        for i in range(0, len(p), 30):
            part = p[i:i + 30]
            out.append(("".join(t + b for t, b in part).strip(), [t for t, _ in part]))
    return out


def plain(path):
    lines = [l.strip() for l in open(path, encoding="utf-8") if l.strip()]
    return [(" ".join(lines[i:i + 30]), lines[i:i + 30]) for i in range(0, len(lines), 30)]


def cases(path, lang, half):
    out = []
    for l in open(path, encoding="utf-8"):
        r = json.loads(l)
        if r["lang"] == lang and not r["options"] and not r["skipped_upstream"] and "\n" not in r["text"] \
                and hashlib.sha1(r["text"].encode()).digest()[-1] % 2 == half:
            out.append((r["text"], r["sentences"]))
    return out


def score(gold, found):
    right = wrong = missed = whole = 0
    for (_, sentences), f in zip(gold, found):
        g, e = ends(sentences), ends(f)
        right += len(g & e)
        wrong += len(e - g)
        missed += len(g - e)
        whole += g == e
    f1 = 2 * right / (2 * right + wrong + missed) if right + wrong + missed else 1.0
    return f1, right / max(right + wrong, 1), right / max(right + missed, 1), whole / max(len(gold), 1)


def winnow(program, lang, texts, how="sentences"):
    flat = [" ".join(t.split()) for t in texts]
    out = subprocess.run([program, how, lang], input="\n".join(flat) + "\n", text=True, capture_output=True, check=True).stdout
    found = [p.split("\n") if p else [] for p in out.split("\n\n")]
    return [[s for s in p if s] for p in found][:len(texts)]


def peer_pysbd(lang, train):
    import pysbd
    s = pysbd.Segmenter(language=lang, clean=False)
    return lambda t: s.segment(t)


def peer_sentencex(lang, train):
    import sentencex
    return lambda t: list(sentencex.segment(lang, t))


def peer_spacy(lang, train):
    import spacy
    nlp = spacy.blank(lang)
    nlp.add_pipe("sentencizer")
    return lambda t: [s.text for s in nlp(t).sents]


def peer_punkt(lang, train):
    from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer
    t = PunktTrainer()
    t.INCLUDE_ALL_COLLOCS = True
    for text in train:
        t.train(text, finalize=False)
    t.finalize_training()
    p = PunktSentenceTokenizer(t.get_params())
    return lambda x: p.tokenize(x)


PEERS = [("pySBD", peer_pysbd), ("sentencex", peer_sentencex), ("spaCy", peer_spacy), ("Punkt", peer_punkt)]


def run(program, lang, gold, train, show):
    found = winnow(program, lang, [t for t, _ in gold])
    if show:
        for (text, sentences), f in zip(gold, found):
            flat = "".join(text.split())
            g, e = ends(sentences), ends(f)
            for at in sorted(g ^ e):
                print("missed" if at in g else "wrong ", flat[max(0, at - 40):at], "|", flat[at:at + 40])
    row = {"Winnow": score(gold, found), "quotes": score(gold, winnow(program, lang, [t for t, _ in gold], "quotes"))}
    for name, make in PEERS if not show else []:
        try:
            split = make(lang, train)
            row[name] = score(gold, [split(t) for t, _ in gold])
        except Exception:  # not installed, or not of this language
            row[name] = None
    return row


def main():
    a = argparse.ArgumentParser()
    a.add_argument("program"), a.add_argument("shared"), a.add_argument("text")
    a.add_argument("langs", nargs="*", default=["de", "nl", "fr", "en", "es", "it", "sv"])
    a.add_argument("--dev", action="store_true"), a.add_argument("--errors", action="store_true")
    a.add_argument("--cases", action="store_true", help="the Pragmatic Segmenter's cases only")
    o = a.parse_args()
    names = ["Winnow", "quotes"] + [n for n, _ in PEERS]
    print("F1 of boundaries; of cases the share that is all right, too")
    print("%-20s %9s " % ("", "boundaries") + " ".join("%9s" % n for n in names))
    behind = 0
    for lang in o.langs:
        folder = os.path.join(o.text, lang)
        train = [open(os.path.join(folder, f), encoding="utf-8").read() for f in ("train.txt", "lingua_sentences.txt", "dev.txt")
                 if os.path.exists(os.path.join(folder, f)) and not (o.dev and f != "lingua_sentences.txt")]
        suite = os.path.join(o.shared, "suites/segmentation/cases.jsonl")
        sets = [("cases 1", cases(suite, lang, 0))] + ([] if o.dev or o.errors else [("cases 2", cases(suite, lang, 1))])
        test = os.path.join(folder, "test.conllu")
        if not o.cases:
            sets.insert(0, ("UD dev", plain(os.path.join(folder, "dev.txt"))) if o.dev or o.errors else
                        ("UD test", conllu(test) if os.path.exists(test) else plain(os.path.join(folder, "test.txt"))))
        for what, gold in sets:
            if not gold:
                continue
            row = run(o.program, lang, gold, train, o.errors)
            for value in (0, 3) if what != "UD dev" and what != "UD test" else (0,):
                print("%-20s %9d " % (lang + " " + what + (" %" if value else ""), sum(len(ends(s)) for _, s in gold)) +
                      " ".join("%9s" % ("-" if row.get(n) is None else "%.3f" % row[n][value]) for n in names) +
                      ("   P %.3f R %.3f" % row["Winnow"][1:3]), flush=True)
            behind += any(row.get(n) and row[n][0] >= row["Winnow"][0] for n in names[2:])
    return 1 if behind else 0


if __name__ == "__main__":
    raise SystemExit(main())
