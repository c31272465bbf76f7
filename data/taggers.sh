#!/bin/sh
# Make data/taggers/*.tagger again: taggers.sh WINNOW DIR, where DIR holds the treebanks' files under their own names.
# The test files are judged by and never learnt from.
set -eu
winnow=$1 ud=$2 out=$(dirname "$0")/taggers
make() { # LANGUAGE BITS TEST FILE...
	language=$1 bits=$2 test=$3
	shift 3
	for f in "$@"; do
		shift
		set -- "$@" --conllu "$ud/$f"
	done
	echo "$language"
	"$winnow" train tagger "$@" --test "$ud/$test" --out "$out/$language.tagger" --bits "$bits" --epochs 8
}
make en 15 en_ewt-ud-test.conllu en_ewt-ud-train.conllu en_ewt-ud-dev.conllu en_pud-ud-test.conllu
make de 14 de_gsd-ud-test.conllu de_gsd-ud-dev.conllu de_pud-ud-test.conllu
make nl 15 nl_alpino-ud-test.conllu nl_alpino-ud-dev.conllu nl_lassysmall-ud-dev.conllu nl_lassysmall-ud-test.conllu
make fr 15 fr_gsd-ud-test.conllu fr_gsd-ud-dev.conllu fr_sequoia-ud-train.conllu fr_sequoia-ud-dev.conllu fr_sequoia-ud-test.conllu \
	fr_pud-ud-test.conllu
make es 14 es_gsd-ud-test.conllu es_gsd-ud-dev.conllu es_pud-ud-test.conllu
make sv 14 sv_talbanken-ud-test.conllu sv_talbanken-ud-dev.conllu sv_pud-ud-test.conllu
make it 13 it_isdt-ud-test.conllu it_pud-ud-test.conllu
