#!/usr/bin/env python3
"""Tags by UDPipe 1 for `winnow job annotate -D command='tag_udpipe.py MODEL'`.

Standard input has a token a line between <s> and </s>; what comes out has UPOS, lemma and the
treebank's own tag behind each (-D tag-column=4 takes that).  ufal.udpipe is on PyPI."""
import sys

import ufal.udpipe as udpipe

model = udpipe.Model.load(sys.argv[1])
if not model:
    sys.exit("tag_udpipe.py: %s is no model of UDPipe 1" % sys.argv[1])
for line in sys.stdin:
    token = line.rstrip("\n")
    if token == "<s>":
        sentence = udpipe.Sentence()
    elif token != "</s>":
        sentence.addWord(token)
    else:
        model.tag(sentence, model.DEFAULT)
        words = [sentence.words[i] for i in range(1, sentence.words.size())]
        print("<s>", *("%s\t%s\t%s\t%s" % (w.form, w.upostag or "_", w.lemma or "_", w.xpostag or "_")
                       for w in words), "</s>", sep="\n", flush=True)
