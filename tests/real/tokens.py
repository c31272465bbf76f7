#!/usr/bin/env python3
"""Tokens of Winnow beside Universal Dependencies' test sets: python3 tests/real/tokens.py build/release/tests/bench_words TEXT [LANG ...]

Gold are the sentences of TEXT/<lang>/test.conllu; a token is right when both its ends are.  Words that a treebank takes apart into
other letters ("du" = de + le) count as they are written, others ("do" + "n't") by their parts.
"""
import os
import subprocess
import sys


def sentences(path):
    tokens, until, parts, text = [], 0, [], None
    for line in open(path, encoding="utf-8"):
        f = line.rstrip("\n").split("\t")
        if line.startswith("# text ="):
            text = line.split("=", 1)[1].strip()
        elif not line.strip() and text is not None:
            yield text, tokens
            tokens, until, text = [], 0, None
        elif "-" in f[0] and f[0][0].isdigit():
            surface, until, parts = f[1], int(f[0].split("-")[1]), []
        elif f[0].isdigit():
            if int(f[0]) > until:
                tokens.append(f[1])
            else:
                parts.append(f[1])
                if int(f[0]) == until:
                    tokens += parts if "".join(parts) == surface else [surface]


def spans(tokens):
    at, out = 0, set()
    for t in tokens:
        n = len("".join(t.split()))
        out.add((at, at + n))
        at += n
    return out


def main():
    program, folder = sys.argv[1:3]
    for lang in sys.argv[3:] or ["de", "nl", "fr", "en", "it", "sv"]:
        gold = list(sentences(os.path.join(folder, lang, "test.conllu")))
        out = subprocess.run([program, "tokens", lang], input="\n".join(t for t, _ in gold) + "\n", text=True, capture_output=True, check=True).stdout
        found = [p.split("\n") for p in out.split("\n\n")]
        right = n_gold = n_found = 0
        wrong = {}
        for (_, g), f in zip(gold, found):
            a, b = spans(g), spans([x for x in f if x])
            right += len(a & b)
            n_gold += len(a)
            n_found += len(b)
            if a != b:
                for x in set(g) ^ {y for y in f if y}:
                    wrong[x] = wrong.get(x, 0) + 1
        print("%s  F1 %.4f  P %.4f  R %.4f of %d tokens   %s" % (lang, 2 * right / (n_gold + n_found), right / n_found, right / n_gold, n_gold,
              " ".join(x for x, _ in sorted(wrong.items(), key=lambda p: -p[1])[:12])))


if __name__ == "__main__":
    main()
