#!/usr/bin/env python3
"""text_tools.py -- hydra and rofl with the flags of texrex's tools: what they
write and what -v and -V show is what the rules of texrex's own programs give.

usage: text_tools.py WINNOW

The rules (two regular expressions and four frequencies; one regular expression
and three lists) are written down here once more, and made texts of some
thousand words, with fixed ones that a reader can follow, go through both.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
from checks import check  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
LETTER = r"[^\W\d_]"
UNIGRAMS = {"unterwerfen": 50, "unter": 3, "werfen": 2, "E-Mail": 40, "Mail": 5,
            "vorzug": 10, "vor": 20, "zug": 20, "haustür": 30, "Haus": 9,
            "Tür": 9, "wellknown": 1, "well-known": 30, "well": 2, "known": 2}
HYDRA = [  # text, what becomes of it, shown by -v, by -V
    ("sich unter- werfen, und", "sich unterwerfen, und",
     "unter- werfen, => unterwerfen,", ""),
    ("eine E- Mail!", "eine E- Mail!", "", ""), # one letter is no part
    ("der vor- zug hier", "der vor- zug hier", "", "vor- zug =="),
    ("die Haus- Tür auf", "die Haus- Tür auf", "", "Haus- Tür =="),
    ("a well- known one", "a well-known one", "well- known => well-known", ""),
    ("(unter- werfen", "(unter- werfen", "", ""),
]
WORDS = "the end now it begins he said com www at home".split()
ROFL = [
    ("At the end.Now it", "At the end. Now it", "end.Now => end. Now", ""),
    ("at home.com now", "at home.com now", "", "home.com == "),
    ("www.home at", "www.home at", "", "www.home == "),
    ("end.now.it", "end. now. it",
     "end.now.it => end. now.it\nnow.it => now. it", ""),
    ("he said 3.14 a.b", "he said 3.14 a.b", "", ""),
]


def hydra(line, german):
    left = re.compile(r"(?:-|%s){2,}-$" % LETTER)
    right = re.compile(r"((?:-|%s){2,})([\W\d_]|)$" % LETTER)
    noun = re.compile(r"[A-ZÄÖÜ][a-zäöüß]+(-?)$")
    words, out, made, kept, i = line.split(" "), [], [], [], 0

    def f(word):
        return UNIGRAMS.get(word, 0)

    while i < len(words):
        a = words[i]
        m = right.match(words[i + 1]) if i + 1 < len(words) else None
        if not m or not left.match(a):
            out.append(a)
            i += 1
            continue
        b, after = m.groups()
        concat, merge = a + b, a[:-1] + b
        rest = max(f(a), f(b))
        if f(concat) > max(rest, f(merge)):
            new = concat
        elif f(merge) > max(rest, f(concat)):
            new = merge
        elif german and noun.match(a) and a.count("-") == 1 and noun.match(b):
            new = concat
        else:
            kept.append("%s %s ==" % (a, words[i + 1]))
            out.append(a)
            i += 1
            continue
        made.append("%s %s => %s%s" % (a, words[i + 1], new, after))
        out.append(new + after)
        i += 2
    return " ".join(out), made, kept


def rofl(line, limit):
    pattern = re.compile(r"(|.*[\W\d_])(%s{2,})([!?:.]+)(%s{2,})([\W\d_].*|)$" %
                         (LETTER, LETTER))
    made, kept = [], []
    for _ in range(limit + 1):
        out, changed = [], False
        for token in line.split(" "):
            m = pattern.match(token)
            if m and m.group(2).lower() in WORDS and m.group(4).lower() in WORDS \
                    and m.group(2).lower() != "www" and m.group(4).lower() != "com":
                new = "".join(m.group(1, 2, 3)) + " " + "".join(m.group(4, 5))
                made.append("%s => %s" % (token, new))
                out.append(new)
                changed = True
            else:
                if m:
                    kept.append(token + " == ")
                out.append(token)
        line = " ".join(out)
        if not changed:
            break
    return line, made, kept


def run(tmp, *args):
    out = os.path.join(tmp, "out")
    p = subprocess.run([WINNOW, *args, "-i", os.path.join(tmp, "in"), "-o", out],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    check(p.returncode == 0, "%s: %s" % (args, p.stderr.decode()))
    with open(out, encoding="utf-8") as f:
        text = f.read().splitlines()
    return text, p.stdout.decode().splitlines()


def put(path, lines):
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))


def same(name, got, want):
    check(got == want, "%s: %s" % (name, [
        (g, w) for g, w in zip(got + [""] * 9, want + [""] * 9) if g != w][:3]))


def compare(tmp, name, command, lines, rule):
    put(os.path.join(tmp, "in"), lines)
    want = [rule(line) for line in lines]
    text, shown = run(tmp, *command, "-v")
    same(name + ": text", text, [w[0] for w in want])
    same(name + " -v", shown, [s for w in want for s in w[1]])
    _, shown = run(tmp, *command, "-V")
    same(name + " -V", shown, [s for w in want for s in w[2]])


def fixed(tmp, name, command, rows):
    for text, becomes, made, kept in rows:
        put(os.path.join(tmp, "in"), [text])
        out, shown = run(tmp, *command, "-v")
        same(name + " fixed", out + shown, [becomes] + made.splitlines())
        _, shown = run(tmp, *command, "-V")
        same(name + " fixed -V", shown, kept.splitlines())


def main(tmp):
    rng = random.Random(5)
    put(tmp + "/unigrams", ["%d\t%s" % (n, w) for w, n in UNIGRAMS.items()])
    put(tmp + "/words", WORDS)
    put(tmp + "/prefix", ["www"])
    put(tmp + "/suffix", ["com"])
    parts = ["unter-", "werfen", "E-", "Mail", "vor-", "zug", "well-", "known",
             "Wort-", "Schatz!", "und", "werfen,", "-", "Haus-", "Tür", "zug."]
    lines = [" ".join(rng.choice(parts) for _ in range(12)) for _ in range(300)]
    command = ["hydra", "-u", tmp + "/unigrams"]
    fixed(tmp, "hydra", command, HYDRA)
    compare(tmp, "hydra", command, lines, lambda l: hydra(l, False))
    compare(tmp, "hydra -G", command + ["-G"], lines, lambda l: hydra(l, True))
    parts = ["end.", "Now", "it", "home.", "com", "www.", "a.", "said!?", "!", "x",
             " ", "3", "he:"]
    lines = ["".join(rng.choice(parts) for _ in range(14)) for _ in range(300)]
    command = ["rofl", "-w", tmp + "/words", "-p", tmp + "/prefix", "-s",
               tmp + "/suffix"]
    fixed(tmp, "rofl", command, ROFL)
    compare(tmp, "rofl", command, lines, lambda l: rofl(l, 1))
    compare(tmp, "rofl -l 5", command + ["-l", "5"], lines, lambda l: rofl(l, 5))
    p = subprocess.run([WINNOW, "hydra", "-u", tmp + "/unigrams", "-v"],
                       input=b"unter- werfen\n", stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    check(p.stdout == b"unterwerfen\n" and
          b"unter- werfen => unterwerfen\n" in p.stderr, "a text on stdout is pure")


with tempfile.TemporaryDirectory() as folder:
    main(folder)
print("FAIL" if checks.failed else "ok  ", "hydra and rofl follow texrex's rules and flags")
sys.exit(checks.failed != 0)
