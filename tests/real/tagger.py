#!/usr/bin/env python3
"""The tagger beside UDPipe 1, both learnt from the same treebanks and judged on the same test set, in one run.

  python3 tests/real/tagger.py WINNOW TREEBANKS [LANGUAGE ...]

TREEBANKS has the files that data/taggers.sh names (of Universal Dependencies), or the short names of them (nl_dev.conllu);
test sets may also stand in TEXT/LANGUAGE/test.conllu (--text).  UDPipe is ufal.udpipe of PyPI, trained here (20 rounds,
no tokenizer, no parser), since no registry holds its models; --options "" has its preset, which learns features as well and takes twenty times as long.  Words and sentences are gold.
Printed are the shares of words with the right UPOS, the right tag of the treebank's own (XPOS, of the words that have one)
and the right lemma, and words a second of CPU.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def plans():
    """{language: (bits, test, files)} as data/taggers.sh has them."""
    out = {}
    with open(ROOT + "/data/taggers.sh") as f:
        for line in f.read().replace("\\\n", " ").split("\n"):
            if line.startswith("make ") and "()" not in line:
                _, language, bits, test, *files = line.split()
                out[language] = bits, test, files
    return out


def find(folder, text, language, name):
    name = name.replace("upos:", "")
    short = re.sub(r"_(gsd|alpino|talbanken|ewt|isdt)?-?ud-", "_", name).replace("_pud-ud-test", "_pud") \
        .replace("_lassysmall-ud-", "_ls_").replace("_sequoia-ud-", "_seq_").replace("_pud_test", "_pud") \
        .replace("lassysmall-ud-", "ls_").replace("sequoia-ud-", "seq_").replace("pud-ud-test", "pud")
    for path in (os.path.join(folder, name), os.path.join(folder, short)):
        if os.path.exists(path):
            return path
    path = os.path.join(text, language, "test.conllu")
    return path if "test" in name and os.path.exists(path) else sys.exit("no %s (%s)" % (name, short))


def winnow(program, bits, test, files):
    command = [program, "train", "tagger", "--test", test, "--bits", bits, "--nets", "8", "--epochs", "8"]
    with tempfile.TemporaryDirectory() as d:
        for f, whole in files:
            command += ["--conllu", f if whole else "upos:" + f]
        out = subprocess.run(command + ["--out", d + "/t"], capture_output=True, text=True, check=True).stdout
    m = re.search(r"(\d+) words: tags ([\d.]+) %, lemmas ([\d.]+) %, (\d+) k words", out)
    x = re.search(r"tags of the language's own ([\d.]+) %", out)
    return int(m[1]), float(m[2]), x[1] if x else "-", float(m[3]), 1000 * int(m[4])


def read(udpipe, paths):
    sentences = []
    for path, whole in paths:
        reader, error = udpipe.InputFormat.newConlluInputFormat(), udpipe.ProcessingError()
        with open(path, encoding="utf-8") as f:
            reader.setText(f.read())
        while True:
            s = udpipe.Sentence()
            if not reader.nextSentence(s, error):
                break
            for i in range(1, 0 if whole else s.words.size()):
                s.words[i].xpostag = ""
            sentences.append(s)
        if error.occurred():
            sys.exit(path + ": " + error.message)
    return sentences


def peer(udpipe, options, test, files):
    train = udpipe.Sentences()
    for s in read(udpipe, files):
        train.push_back(s)
    error = udpipe.ProcessingError()
    start = time.process_time()
    data = udpipe.Trainer.train("morphodita_parsito", train, udpipe.Sentences(), "none", options, "none", error)
    if error.occurred():
        sys.exit("udpipe: " + error.message)
    trained = time.process_time() - start
    with tempfile.NamedTemporaryFile(suffix=".udpipe") as f:
        f.write(data)
        f.flush()
        model = udpipe.Model.load(f.name)
    gold, seen = read(udpipe, [(test, True)]), read(udpipe, [(test, True)])
    start = time.process_time()
    for s in seen:
        model.tag(s, udpipe.Model.DEFAULT)
    seconds = time.process_time() - start
    n = tags = own = owned = lemmas = 0
    for a, b in zip(gold, seen):
        for i in range(1, a.words.size()):
            n += 1
            tags += a.words[i].upostag == b.words[i].upostag
            owned += a.words[i].xpostag != ""
            own += a.words[i].xpostag not in ("", "_") and a.words[i].xpostag == b.words[i].xpostag
            lemmas += a.words[i].lemma == b.words[i].lemma
    return n, 100 * tags / n, "%.2f" % (100 * own / owned) if own else "-", 100 * lemmas / n, n / seconds, trained


def main():
    a = argparse.ArgumentParser()
    a.add_argument("program"), a.add_argument("treebanks"), a.add_argument("languages", nargs="*")
    a.add_argument("--text", default=os.path.expanduser("~/.cache/winnow-data/text"))
    a.add_argument("--options", default="use_xpostag=1;provide_xpostag=1;use_feats=0;provide_feats=0")
    o = a.parse_args()
    try:
        import ufal.udpipe as udpipe
    except ImportError:
        udpipe = None
        print("no ufal.udpipe: pip install ufal.udpipe")
    for language, (bits, test, files) in plans().items():
        if o.languages and language not in o.languages:
            continue
        test, files = (find(o.treebanks, o.text, language, test),
                       [(find(o.treebanks, o.text, language, f), not f.startswith("upos:")) for f in files])
        print("%s  Winnow    %6d words  UPOS %.2f  XPOS %s  lemmas %.2f  %9.0f words/s" % ((language,) + winnow(o.program, bits, test, files)),
              flush=True)
        if udpipe:
            print("%s  UDPipe 1  %6d words  UPOS %.2f  XPOS %s  lemmas %.2f  %9.0f words/s  (%.0f s to train)"
                  % ((language,) + peer(udpipe, o.options, test, files)), flush=True)


main()
