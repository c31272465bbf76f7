#!/usr/bin/env python3
"""Tags by spaCy for `winnow job annotate -D command='tag_spacy.py PIPELINE'`.

Standard input has a token a line between <s> and </s>; what comes out has UPOS, lemma and the
pipeline's own tag behind each (-D tag-column=4 takes that).  PIPELINE is what spacy.load() takes:
the name of a package that is installed, or a folder."""
import sys

import spacy
from spacy.tokens import Doc

nlp = spacy.load(sys.argv[1])
for line in sys.stdin:
    token = line.rstrip("\n")
    if token == "<s>":
        words = []
    elif token != "</s>":
        words.append(token)
    else:
        doc = Doc(nlp.vocab, words=words)
        for _, component in nlp.pipeline:
            doc = component(doc)
        print("<s>", *("%s\t%s\t%s\t%s" % (t.text, t.pos_ or "_", t.lemma_ or "_", t.tag_ or "_") for t in doc),
              "</s>", sep="\n", flush=True)
