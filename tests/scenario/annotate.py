#!/usr/bin/env python3
"""Job annotate by other people's taggers: UDPipe 1 and spaCy, from PyPI.

usage: annotate.py WINNOW FOLDER-FOR-CONSUMERS

A model of UDPipe is trained on a few sentences, a pipeline of spaCy is made of rules (no
registry holds models of either).  corpus/annotate/tag_*.py brings them to `winnow job annotate`:
all sentences come back in order with tags; killed by a sentence, the program is started again
and that sentence alone stays as it was, counted.  Exit 77: the packages cannot be had.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import consumers  # noqa: E402

WINNOW = os.path.abspath(sys.argv[1])
TAGGERS = os.path.abspath("corpus/annotate")
SENTENCES = ["Das Haus ist alt .", "Zwei Hunde sehen das Haus .", "Sie ist 7 Jahre alt .",
             "Ein Hund boom sieht sie !", "Das ist alt .", "Der Hund sieht Anna ."] * 40

MAKE_UDPIPE = """
import sys, ufal.udpipe as u
text = sys.stdin.read()
reader, error = u.InputFormat.newConlluInputFormat(), u.ProcessingError()
reader.setText(text)
train, s = u.Sentences(), u.Sentence()
while reader.nextSentence(s, error):
    train.push_back(s)
    s = u.Sentence()
model = u.Trainer.train("morphodita_parsito", train, u.Sentences(), "none", "iterations=5", "none", error)
assert not error.occurred(), error.message
open(sys.argv[1], "wb").write(model)
"""

MAKE_SPACY = """
import sys, spacy
nlp = spacy.blank("de")
rules = nlp.add_pipe("attribute_ruler")
rules.add([[{"IS_ALPHA": True}]], {"POS": "X", "TAG": "XY", "LEMMA": "-"})
rules.add([[{"IS_PUNCT": True}]], {"POS": "PUNCT", "TAG": "$.", "LEMMA": "."})
rules.add([[{"IS_DIGIT": True}]], {"POS": "NUM", "TAG": "CARD", "LEMMA": "1"})
nlp.to_disk(sys.argv[1])
"""

# Runs a script, and dies by SIGKILL when it reads the word "boom".
DYING = """
import io, os, runpy, signal, sys
def lines(stream):
    for line in stream:
        if line == "boom\\n":
            os.kill(os.getpid(), signal.SIGKILL)
        yield line
sys.stdin = lines(sys.stdin)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def treebank():
    tags = {"das": ("der", "DET", "ART"), "der": ("der", "DET", "ART"), "ein": ("ein", "DET", "ART"),
            "haus": ("Haus", "NOUN", "NN"), "hund": ("Hund", "NOUN", "NN"), "hunde": ("Hund", "NOUN", "NN"),
            "jahre": ("Jahr", "NOUN", "NN"), "ist": ("sein", "AUX", "VAFIN"), "sieht": ("sehen", "VERB", "VVFIN"),
            "sehen": ("sehen", "VERB", "VVFIN"), "alt": ("alt", "ADJ", "ADJD"), "sie": ("sie", "PRON", "PPER"),
            "zwei": ("zwei", "NUM", "CARD"), "7": ("7", "NUM", "CARD"), ".": (".", "PUNCT", "$."),
            "!": ("!", "PUNCT", "$."), "anna": ("Anna", "PROPN", "NE")}
    out = ""
    for sentence in SENTENCES[:6] * 4:
        words = [w for w in sentence.split() if w != "boom"]
        for n, w in enumerate(words):
            lemma, upos, xpos = tags[w.lower()]
            out += "%d\t%s\t%s\t%s\t%s\t_\t%d\t%s\t_\t_\n" % (
                n + 1, w, lemma, upos, xpos, 0 if n == 0 else 1, "root" if n == 0 else "dep")
        out += "\n"
    return out


def annotate(command, lines, *more):
    p = subprocess.run([WINNOW, "job", "annotate", "map", "-D", "command=" + command, "-D", "batch=100", *more],
                       input="".join("%s\t%d\n" % (s, n) for n, s in enumerate(lines)), capture_output=True,
                       text=True, timeout=500)
    assert p.returncode == 0, p.stderr
    counters = {n: int(v) for n, v in re.findall(r"reporter:counter:winnow annotate,([^,]+),(\d+)", p.stderr)}
    return [line.split("\t") for line in p.stdout.split("\n")[:-1]], counters


def look(rows, lines, spared, name):
    assert [int(n) for _, n in rows] == list(range(len(lines))), "%s: order" % name
    for (text, _), line in zip(rows, lines):
        if spared in line.split():
            assert text == line, (name, text)
            continue
        pairs = [re.fullmatch(r"(.+)/<([^<>_ ]+)>", w) for w in text.split(" ")]
        assert all(pairs) and [m[1] for m in pairs] == line.split(" "), (name, text)


def try_it(name, python, script, model, column, expected):
    command = "%s %s/%s %s" % (python, TAGGERS, script, model)
    rows, counters = annotate(command, SENTENCES)
    look(rows, SENTENCES, None, name)
    assert counters == {"sentences": len(SENTENCES), "sentences tagged": len(SENTENCES)}, counters
    rows, _ = annotate(command, SENTENCES[:3], "-D", "tag-column=%d" % column)
    assert expected in rows[2][0], rows
    with tempfile.NamedTemporaryFile("w", suffix=".py") as dying:
        dying.write(DYING)
        dying.flush()
        some = SENTENCES[:18]
        rows, counters = annotate("%s %s %s/%s %s" % (python, dying.name, TAGGERS, script, model), some)
    look(rows, some, "boom", name)
    assert counters == {"sentences": 18, "sentences tagged": 15, "sentences the command failed on": 3,
                        "restarts": 3}, counters
    rows, counters = annotate("%s %s/%s %s/none" % (python, TAGGERS, script, model), SENTENCES[:3])
    assert [r[0] for r in rows] == SENTENCES[:3] and counters["sentences the command failed on"] == 3, rows
    print("ok   %s: %d sentences tagged, of three it dies on the others are" % (name, len(SENTENCES)))


def main(folder_for_consumers):
    python = consumers.python(folder_for_consumers, "taggers", ["ufal.udpipe", "spacy"])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-c", MAKE_UDPIPE, folder + "/de.udpipe"], input=treebank(), text=True, check=True,
                       capture_output=True)
        subprocess.run([python, "-c", MAKE_SPACY, folder + "/de"], check=True, capture_output=True)
        try_it("UDPipe", python, "tag_udpipe.py", folder + "/de.udpipe", 4, "7/<CARD>")
        try_it("spaCy", python, "tag_spacy.py", folder + "/de", 4, "7/<CARD>")


main(sys.argv[2])
